"""Hostile values in everything that pages read from a query, a path or a form: one value in one place at a time."""

import re
from collections import defaultdict
from collections.abc import Iterator
from urllib.parse import quote

from tests.walk.addresses import Route
from tests.walk.forms import Form
from tests.walk.requests import TOKEN_FIELD
from tests.walk.visits import Answer, Visitors, door
from tests.walk.walking import BY_LOOKING, Looked, noted_names, visited
from tests.walk.wire import Sent

MARK = "zqx"  # shows that an answer repeats the value
CONTROLS = f"{MARK}\x7f\r\nSet-Cookie: a=b"
IN_JSON = f'{{"id": "{MARK}\\ud800"}}'  # half of a surrogate pair, which only JSON can express
# Digits that int() refuses or that are not ASCII, numbers that no database stores or that Python refuses to parse
NUMBERS = ("²", "٣", "-1", "9223372036854775808", "9" * 5000, "NaN", "1e999")
VALUES = (CONTROLS, f"{MARK}\0", f"{MARK}\ud800", f"{MARK}💥", MARK * 1700, IN_JSON, *NUMBERS)
POINTED_AT = {"all", "c", "refused", "region", "s", "then"}  # tables look these up in a copy of the query
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
FORM_HEADERS = [(b"content-type", b"application/x-www-form-urlencoded")]


def public(visitors: Visitors) -> Iterator[tuple[Route, str]]:
    """Each address outside the admin, and a table of both families of games."""
    for route, path in visited(visitors.world, 1):
        if not route.text.startswith("admin/"):
            yield route, path
        if route.name == "table":
            yield route, visitors.world.games["kingdoms"].get_absolute_url()


def parameters(looked: Looked) -> dict[str, set[str]]:
    """Return the GET parameters that each page knows, by the name of its address.

    Links and forms name some; the others are those that the views look up.
    """
    by_address = defaultdict[str, set[str]](set, table=set(POINTED_AT))
    for name, queries in looked.queries.items():
        by_address[name] |= {key for key, _value in queries}
    for name, read in looked.read.items():
        by_address[name] |= read - {TOKEN_FIELD}
    return by_address


def queries(visitors: Visitors, looked: Looked, values: tuple[str, ...]) -> Iterator[Sent]:
    names = parameters(looked)
    for route, path in public(visitors):
        for name in sorted(names[route.name]):
            for value in values:
                yield Sent("alice", "GET", quote(path), f"{spelt(name)}={spelt(value)}".encode())


def paths(visitors: Visitors, values: tuple[str, ...]) -> Iterator[Sent]:
    """Paths with a hostile value in place of a parameter."""
    for route, _path in public(visitors):
        for name in route.parameters:
            for value in values:
                yield Sent("alice", "GET", route.path(dict.fromkeys(route.parameters, "1") | {name: spelt(value)}))


def fields(visitors: Visitors, looked: Looked, values: tuple[str, ...]) -> Iterator[Sent]:
    """Each field of each form, sent once to each view by a reader to whom a page offers the form.

    Also the fields that a view looks up but no form has, and posts to addresses for which no page has a form now.
    """
    forms = [*looked.offered.values()]
    offered = {door(form.action)[0] for form, _readers in forms}
    forms += [(Form(path), {"alice"}) for route, path in public(visitors) if route.name not in offered]
    done = set[tuple[str, str]]()
    for form, readers in forms:
        view = door(form.action)[0]
        if form.action.startswith("/admin/"):
            continue
        with noted_names() as read:
            visitors.ask(min(readers), "POST", form.action, form.fields)
        for name in sorted(read | set(form.fields)):
            if (view, name) not in done and name != TOKEN_FIELD:
                done.add((view, name))
                for value in values:
                    yield Sent(min(readers), "POST", quote(form.action), b"", FORM_HEADERS, body(form, name, value))


def body(form: Form, changed: str, value: str) -> bytes:
    filled = {**form.fields, changed: [value]}
    pairs = [(name, text) for name, several in filled.items() for text in several if name != TOKEN_FIELD]
    return "&".join(f"{spelt(name)}={spelt(text)}" for name, text in pairs).encode()


def spelt(value: str) -> str:
    return quote(value.encode("utf-8", "surrogatepass"), safe="")


def complaints(visitors: Visitors, sent: Sent) -> list[str]:
    answer = visitors.send(sent)
    return [*visitors.complaints(answer), *(f"{sent} got {wrong}" for wrong in wrong_with(sent, answer))]


def wrong_with(sent: Sent, answer: Answer) -> Iterator[str]:
    for header in answer.text.partition("\n\n")[0].split("\n"):
        if CONTROL.search(header):
            yield f"control characters in the header {header!r}"
        if header.startswith("set-cookie:") and MARK in header:
            yield f"its value in the cookie {header!r}"
    if sent.method == "GET" and (wrote := answer.wrote - BY_LOOKING.get(door(sent.path)[0], set())):
        yield f"rows written in {sorted(wrote)}"
