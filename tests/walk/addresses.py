"""All addresses of the site, from the resolver, each with arguments that the world knows."""

import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

from tests.walk.world import World

ANYTHING = re.compile(r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>")


class Route(NamedTuple):
    text: str
    name: str

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(first or second for first, second in ANYTHING.findall(self.text))

    def path(self, values: dict[str, object]) -> str:
        filled = ANYTHING.sub(lambda match: str(values[match[1] or match[2]]), self.text)
        return "/" + re.sub(r"\\(.)", r"\1", filled.replace("^", "").replace("$", ""))


def routes() -> list[Route]:
    return list(_below(get_resolver(), ""))


def _below(resolver: URLResolver, before: str) -> Iterator[Route]:
    for pattern in resolver.url_patterns:
        text = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield Route(text, pattern.name or "")
        else:
            yield from _below(pattern, text)


def paths(world: World, route: Route) -> list[str]:
    """The paths of the route in this world. Raises `LookupError` if the world does not know its arguments."""
    if not route.parameters:
        return [route.path({})]
    arguments = world.arguments.get(route.name) or _by_beginning(world, route)
    if not arguments or any(name not in values for values in arguments for name in route.parameters):
        raise LookupError(
            f"The walk has no arguments for {route.text} ({route.name}): add {', '.join(route.parameters)} "
            "to `arguments` in tests/walk/world.py."
        )
    return list(dict.fromkeys(route.path(values) for values in arguments))


def some(world: World, route: Route, number: int) -> list[str]:
    """At most so many paths: the first, which shows most, and others that change from route to route."""
    first, *others = paths(world, route)
    turn = zlib.crc32(route.text.encode()) % len(others) if others else 0
    return [first, *(others[turn:] + others[:turn])[: number - 1]]


def _by_beginning(world: World, route: Route) -> list[dict[str, object]]:
    """The arguments for the longest prefix of the route that the world knows."""
    fitting = [start for start in world.arguments if route.text.startswith(start)]
    return world.arguments[max(fitting, key=len)] if fitting else []
