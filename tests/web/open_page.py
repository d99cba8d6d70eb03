"""An open page of a table: it sends what its controls would send, and puts answers in their places as `table.js` does.

page = OpenPage(come(alice), game)
page.use(page.controls()[0])
assert page.differences() == []  # from what a new page would show
"""

import difflib
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from games.tables.models import Game
from tests.web.reading import text

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
OF_A_TURN = ("hand", "moves", "finds", "row")  # parts that a step removes if its answer lacks them
FILM = ("film", "film-later", "film-play")  # fetched later

Values = tuple[tuple[str, str], ...]


class Element:
    """An element of a page. `is_checked` is what the reader has chosen."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag, self.attributes = tag, attributes
        self.children: list[Element | str] = []
        self.parent: Element | None = None
        self.is_checked = "checked" in attributes

    def __iter__(self) -> Iterator["Element"]:
        """Yield this element and all elements inside, in the order of the page."""
        yield self
        for child in self.elements:
            yield from child

    def __getitem__(self, name: str) -> str:
        return self.attributes.get(name, "")

    @property
    def elements(self) -> list["Element"]:
        return [child for child in self.children if isinstance(child, Element)]

    @property
    def classes(self) -> list[str]:
        return self["class"].split()

    def find(self, name: str) -> "Element | None":
        return next((element for element in self if element["id"] == name), None)

    def with_class(self, name: str) -> list["Element"]:
        return [element for element in self if name in element.classes]

    def around(self) -> Iterator["Element"]:
        """Yield this element and those that it lies in."""
        here: Element | None = self
        while here is not None:
            yield here
            here = here.parent

    def closest(self, name: str) -> "Element | None":
        """Return the innermost element around this one with a class or an attribute of that name."""
        return next(
            (element for element in self.around() if name in element.classes or name in element.attributes), None
        )

    def add(self, child: "Element | str") -> None:
        if isinstance(child, Element):
            child.parent = self
        self.children.append(child)

    def replace(self, *others: "Element | str") -> None:
        """Put other elements in place of this one; without any, remove it."""
        for other in others:
            if isinstance(other, Element) and other.parent is not None:
                other.replace()
        assert self.parent is not None
        at = next(n for n, child in enumerate(self.parent.children) if child is self)
        self.parent.children[at : at + 1] = others
        for other in others:
            if isinstance(other, Element):
                other.parent = self.parent
        self.parent = None

    def put_after(self, other: "Element") -> None:
        """Put another element after this one."""
        if other.parent is not None:
            other.replace()
        assert self.parent is not None
        at = next(n for n, child in enumerate(self.parent.children) if child is self)
        self.parent.children.insert(at + 1, other)
        other.parent = self.parent

    def copy(self) -> "Element":
        twin = Element(self.tag, dict(self.attributes))
        for child in self.children:
            twin.add(child.copy() if isinstance(child, Element) else child)
        return twin


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.here = Element("", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.here.add(element)
        if tag not in VOID:
            self.here = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.here.add(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.here.tag == tag and self.here.parent is not None, f"</{tag}> in <{self.here.tag}>"
            self.here = self.here.parent

    def handle_data(self, data: str) -> None:
        self.here.add(data)


def parsed(html: str) -> Element:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.here is reader.root, f"<{reader.here.tag}> is open"
    return reader.root


class Control(NamedTuple):
    """An element that can be tapped, what it sends, and the id of the part that the answer replaces."""

    element: Element
    verb: str
    path: str
    values: Values
    target: str = "table"

    @property
    def name(self) -> str:
        return self.element["id"] or self.element["aria-label"] or self.element.tag


class OpenPage:
    def __init__(self, browser: Client, game: Game) -> None:
        self.browser, self.url = browser, game.get_absolute_url()
        page = parsed(text(browser.get(self.url)))
        headers = next(element["hx-headers"] for element in page if element["hx-headers"])
        self.release = re.findall(r'"Release": "(\w+)"', headers)[0]
        self.table = _table_of(page)
        self.query: Values = ()  # what the reader has selected, as the address of a new page would say it

    @property
    def version(self) -> str:
        return self.table["data-version"]

    def refresh(self) -> HttpResponse:
        """Ask for the table again, as after news."""
        return self.use(Control(self.table, "get", self.url, ()))

    def press(self, name: str) -> HttpResponse:
        """Use the control with this id."""
        return self.use(next(control for control in self.controls() if control.element["id"] == name))

    def use(self, control: Control) -> HttpResponse:
        """Send what the control sends, and put the answer in its place."""
        form, values = self.table.find("board"), control.values
        if control.target in ("hand", "cards"):  # a card of Kingdoms, or the order of the hand
            control.element.is_checked = not control.element.is_checked
            fields = [
                field
                for field in form or ()
                if field.tag == "input" and (field.is_checked or field["type"] == "hidden")
            ]
            self.query = tuple((field["name"], field["value"]) for field in fields)
            values = (*self.query, *values)
        elif control.verb == "get":
            self.query = tuple(value for value in values if value[0] not in ("seq", "laid"))
        else:
            self.query = ()
        answer = self._send(control._replace(values=values))
        self._take(answer, control.target)
        return answer

    def _send(self, control: Control) -> HttpResponse:
        log, sheet = self.table.find("log"), next(iter(self.table.with_class("map-sheet")), None)
        headers = {
            "HX-Request": "true",
            "HX-Target": control.target,
            "Release": self.release,
            "Parts": " ".join(element["data-drawn"] for element in self.table if element["data-drawn"]),
            "Log": log["data-state"] if log else "",
            "Land": sheet["data-land"] if sheet else "",
        }
        fields: dict[str, list[str]] = {}
        for name, value in control.values:
            fields.setdefault(name, []).append(value)
        ask = self.browser.post if control.verb == "post" else self.browser.get
        return ask(control.path, fields, headers=headers)

    # Answers

    def _take(self, answer: HttpResponse, target: str) -> None:
        assert answer.status_code == 200
        target = answer.headers.get("HX-Retarget", target).removeprefix("#")
        fragment = parsed(text(answer))
        if target != "table":
            here = self.table.find(target)
            assert here is not None
            here.replace(*fragment.elements)
            return
        there = _table_of(fragment)
        self._fill_in(there)
        if there["data-headline"]:
            self._take_parts(there)
        else:
            if not there["data-waiting"]:  # an answer that spectators share does not say
                there.attributes["data-waiting"] = self.table["data-waiting"]
            there.replace()
            self.table = there

    def _fill_in(self, there: Element) -> None:
        """Put copies of what the page has in place of placeholders."""
        drawn = {element["data-drawn"]: element for element in self.table if element["data-drawn"]}
        for run in [element for element in there if element["data-lines"]]:
            oldest, newest = map(int, run["data-lines"].split(" "))
            lines = [element for element in self.table.with_class("line") if oldest <= int(element["id"][5:]) <= newest]
            run.replace(*(line.copy() for line in lines))
        for kept in [element for element in there if "data-kept" in element.attributes]:
            here = self.table.find(kept["id"]) if kept["id"] else drawn.get(kept["data-kept"])
            kept.replace(*([here.copy()] if here else []))

    def _take_parts(self, answer: Element) -> None:
        """Put the parts that a step changes in their places."""
        drawings = [element for svg in answer.elements if svg.tag == "svg" for element in svg.elements]
        parts = [element for element in (*answer.elements, *drawings) if element["id"]]
        names = [element["id"] for element in parts]
        board = self.table.find("board")
        old = [
            element
            for element in self.table
            if element["id"] in FILM or (element["id"] in OF_A_TURN and element["id"] not in names)
        ]
        old += [element for element in self.table.with_class("marking") if board in element.around()]
        (status,) = self.table.with_class("status")
        old += [element for element in status if element["id"] == "alert"]
        for element in (*old, *self.table.with_class("film-place")):
            element.replace()
        for marking in [element for element in answer.elements if "marking" in element.classes]:
            self.table.with_class("map-window")[0].put_after(marking)
        for before, part in pairwise((None, *parts)):
            assert part is not None
            if here := self.table.find(part["id"]):
                here.replace(part)
            elif before is not None:
                before.put_after(part)
            else:
                assert board is not None
                board.replace(part, board)
        self.table.attributes.pop("data-draft", None)
        self.table.attributes |= {name: value for name, value in answer.attributes.items() if name != "id"}
        headline = next(element for element in self.table if element.tag == "h1")
        headline.children = [answer["data-headline"]]

    # Controls

    def controls(self) -> list[Control]:
        return [*self._buttons(), *self._links(), *self._cards()]

    def _buttons(self) -> Iterator[Control]:
        """Yield the buttons of forms. One with radio buttons is a control for each of them."""
        for form in self.table:
            if form.tag != "form" or not form["hx-post"]:
                continue
            inputs = [field for field in form if field.tag == "input"]
            hidden = tuple((field["name"], field["value"]) for field in inputs if field["type"] == "hidden")
            radios = [((field["name"], field["value"]),) for field in inputs if field["type"] == "radio"]
            for button in form:
                if button.tag == "button" and button["type"] == "submit" and "disabled" not in button.attributes:
                    own = ((button["name"], button["value"]),) if button["name"] else ()
                    for chosen in radios or [()]:
                        path = button["hx-post"] or form["hx-post"]
                        yield Control(button, "post", path, (*hidden, *own, *chosen))

    def _links(self) -> Iterator[Control]:
        """Yield links to selections, and regions and castles, which post an action or select."""
        laid = next((element["value"] for element in self.table if element["name"] == "laid"), "")
        form = self.table.find("board")
        for link in self.table:
            if link.tag != "a" or "hx-push-url" in link.attributes:
                continue
            if link["hx-get"]:
                path, _mark, query = link["hx-get"].partition("?")
                yield Control(link, "get", path or self.url, tuple(parse_qsl(query, keep_blank_values=True)))
            elif (drawn := link.closest("data-step")) and "target" in link.classes:
                on = (("seq", drawn["data-seq"]), ("laid", laid))
                if link["data-action"]:
                    values = (("action", link["data-action"]), ("head", drawn["data-head"]), *on)
                    yield Control(link, "post", drawn["data-step"], values)
                else:
                    selected = [value for value in parse_qsl(urlsplit(link["href"]).query) if value[0] != "c"]
                    cards = [("c", field["value"]) for field in form or () if field.is_checked]
                    yield Control(link, "get", self.url, (*selected, *cards, *on))

    def _cards(self) -> Iterator[Control]:
        """Yield the cards of Kingdoms that can be picked, and the buttons that sort them."""
        form = self.table.find("board")
        for field in form or ():
            if field["type"] == "checkbox" and form["hx-get"]:
                if not any("disabled" in element.attributes for element in field.around()):
                    yield Control(field, "get", form["hx-get"], (), target="hand")
            elif field.tag == "button" and field["name"] == "sort":
                yield Control(field, "get", field["hx-get"], (("sort", field["value"]),), target="cards")

    # Comparing

    def differences(self) -> list[str]:
        """Return how the table differs from the one of a new page with the same selection.

        The look at the new page leaves no trace.
        """
        query = self.query
        for question in self.table.with_class("sure"):  # the step that it is about
            query = tuple(
                ("then", field["value"].rpartition(";")[2])
                for field in question
                if (field.tag, field["name"]) == ("input", "action")
            )
        with transaction.atomic():
            new = _table_of(parsed(text(self.browser.get(f"{self.url}?{urlencode(query)}" if query else self.url))))
            transaction.set_rollback(True)
        lines = difflib.unified_diff(shown(self.table), shown(new), "page", "new page", lineterm="", n=0)
        return [line for line in lines if not line.startswith("@@")]


def _table_of(page: Element) -> Element:
    table = page.find("table")
    assert table is not None
    return table


# What may differ: tokens, marks of what is new since the reader's last look, what is fetched once it is opened, and an
# offer that is withdrawn with the answer after a turn. A link to a castle has the cards that were picked when it was
# drawn, and scripts replace them.
OTHER_ATTRIBUTES = {
    "data-drawn", "data-live", "data-version", "data-headline", "data-said", "checked", "open", "hx-get", "hx-trigger",
}  # fmt: skip
OTHER_PARTS = {*FILM, "learn-first"}
OTHER_CLASSES = {"film-place", "news", "clock", "until"}
ONCE_OPENED = ("helper", "burn-pile", "in-words")


def shown(table: Element) -> list[str]:
    """Return what a table shows: a line for each element and text, with the part that it lies in."""
    lines: list[str] = []
    used = {element["href"].removeprefix("#") for element in table if element.tag == "use"}

    def read(element: Element, part: str) -> None:
        if (
            element["id"] in OTHER_PARTS
            or OTHER_CLASSES.intersection(element.classes)
            or element["name"] == "csrfmiddlewaretoken"
            or (element.tag == "g" and element["id"].startswith("b-") and element["id"] not in used)  # draws nothing
        ):
            return
        if "undo-turn" in element.classes and "data-draft" in table.attributes:  # hidden by the style sheet
            return
        part = element["id"] or part
        attributes = {
            name: " ".join(value.split()) for name, value in element.attributes.items() if name not in OTHER_ATTRIBUTES
        }
        attributes["class"] = " ".join(name for name in element.classes if name != "new")
        if part == "realm" and "href" in attributes:
            attributes["href"] = re.sub(r"c=[^&#]*&?", "", attributes["href"]).replace("?#", "#")
        if part in ONCE_OPENED:
            lines.append(part)
            return
        lines.append(f"{part}: <{element.tag} {sorted(attributes.items())}{' checked' if element.is_checked else ''}>")
        for child in element.children:
            if isinstance(child, Element):
                read(child, part)
            elif child.strip():
                lines.append(f"{part}: {' '.join(child.split())}")

    read(table, "table")
    return lines
