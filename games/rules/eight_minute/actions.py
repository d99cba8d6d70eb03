"""Player actions, as values and as short texts that round-trip: `take night-hydra`, `move v3 v5`, `done`."""

from collections.abc import Callable
from functools import cache

import msgspec

from games.rules.protocol import IllegalAction
from games.rules.words import gettext_noop

NOBODY = -1  # the third color in a two-player game


class Bid(msgspec.Struct, frozen=True):
    coins: int


class First(msgspec.Struct, frozen=True):
    seat: int


class Take(msgspec.Struct, frozen=True):
    card: str


class Place(msgspec.Struct, frozen=True):
    region: str


class Move(msgspec.Struct, frozen=True):
    origin: str
    target: str


class Build(msgspec.Struct, frozen=True):
    region: str


class Destroy(msgspec.Struct, frozen=True):
    region: str
    owner: int


class Done(msgspec.Struct, frozen=True):
    pass


class Lay(msgspec.Struct, frozen=True):
    """Lay a board by hand, with this side up, at this place, after clockwise quarter turns (R64)."""

    side: str
    place: str
    turns: int


class Start(msgspec.Struct, frozen=True):
    region: str


class Outpost(msgspec.Struct, frozen=True):
    region: str


class LayToken(msgspec.Struct, frozen=True):
    token: str
    region: str


class Neutral(msgspec.Struct, frozen=True):
    region: str


Action = Bid | First | Take | Place | Move | Build | Destroy | Done | Lay | Start | Outpost | LayToken | Neutral
Step = Place | Move | Build | Destroy


def text(action: Action) -> str:
    return _TEXTS[type(action)](action)


_TEXTS: dict[type, Callable[..., str]] = {
    Bid: lambda a: f"bid {a.coins}",
    First: lambda a: f"first {a.seat}",
    Take: lambda a: f"take {a.card}",
    Place: lambda a: f"place {a.region}",
    Move: lambda a: f"move {a.origin} {a.target}",
    Build: lambda a: f"build {a.region}",
    Destroy: lambda a: f"destroy {a.region} {'-' if a.owner == NOBODY else a.owner}",
    Done: lambda a: "done",
    Lay: lambda a: f"lay {a.side} {a.place} {a.turns}",
    Start: lambda a: f"start {a.region}",
    Outpost: lambda a: f"outpost {a.region}",
    LayToken: lambda a: f"token {a.token} {a.region}",
    Neutral: lambda a: f"neutral {a.region}",
}


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 4 and str(int(word)) == word):
        raise ValueError
    return int(word)


_FORMS: dict[str, Callable[..., Action]] = {
    "bid": lambda coins: Bid(_number(coins)),
    "first": lambda seat: First(_number(seat)),
    "take": Take,
    "place": Place,
    "move": Move,
    "build": Build,
    "destroy": lambda region, owner: Destroy(region, NOBODY if owner == "-" else _number(owner)),
    "done": Done,
    "lay": lambda side, place, turns: Lay(side, place, _number(turns)),
    "start": Start,
    "outpost": Outpost,
    "token": LayToken,
    "neutral": Neutral,
}


def parse(words: str) -> Action:
    """Return the action of a text that `text` produces. Raises `IllegalAction` for all others."""
    verb, *rest = words.split(" ")
    try:
        return _FORMS[verb](*rest)
    except (KeyError, TypeError, ValueError):
        raise IllegalAction(gettext_noop("“{text}” is not something you can do here."), text=words[:40]) from None


# Shared values for every position on a map, so that offering them costs nothing


@cache
def moves(origin: str, targets: tuple[str, ...]) -> tuple[Move, ...]:
    return tuple(Move(origin, target) for target in targets)


def places(regions: tuple[str, ...]) -> tuple[Place, ...]:
    return tuple(map(_place, regions))


def builds(regions: tuple[str, ...]) -> tuple[Build, ...]:
    return tuple(map(_build, regions))


_place, _build = cache(Place), cache(Build)
