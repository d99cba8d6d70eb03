"""The forms of pages, each filled in as a reader might; the walk posts them as others, too."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from tests.walk.world import NOWHERE

FILLED = {
    "email": "x@example.org", "number": "1", "date": "2027-05-10", "time": "23:00", "url": f"https://{NOWHERE}/x",
}  # fmt: skip
BUTTONS = {"submit", "image"}
PASSING = {"csrfmiddlewaretoken", "seq", "next", "shown"}  # fields that do not say what the form does


@dataclass
class Form:
    """A form to post. `meaning` identifies it: the pressed button and the hidden fields."""

    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    meaning: frozenset[tuple[str, str]] = frozenset()

    @property
    def key(self) -> tuple[str, frozenset[tuple[str, str]]]:
        return self.action, self.meaning


class _Reader(HTMLParser):
    """Collects the forms of a page that are posted in `found`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page, self.found = page, list[Form]()
        self.form: Form | None = None
        self.buttons: list[tuple[str, str, str]] = []
        self.select = self.area = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        if tag == "form":
            is_posted = values.get("method", "").lower() == "post"
            self.form = Form(self._path(values.get("action", ""))) if is_posted else None
            self.buttons = []
        elif self.form is not None:
            self._field(tag, values)

    def _field(self, tag: str, values: dict[str, str]) -> None:
        kind, name, value = values.get("type", ""), values.get("name", ""), values.get("value", "")
        if tag == "button" or kind in BUTTONS:
            self.buttons.append((name, value, values.get("formaction", "")))
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select:
            if "selected" in values or self.select not in self.form.fields:
                self.form.fields[self.select] = [value]
        elif tag == "textarea":
            self.area = name
            self.form.fields[name] = ["x"]
        elif tag == "input" and name:
            self._input(kind, name, value, is_checked="checked" in values)

    def _input(self, kind: str, name: str, value: str, *, is_checked: bool) -> None:
        fields = self.form.fields
        if kind == "hidden":
            fields.setdefault(name, []).append(value)
            if name not in PASSING:
                self.form.meaning |= {(name, value)}
        elif kind in ("radio", "checkbox"):
            if is_checked:
                fields.setdefault(name, []).append(value or "on")
        else:
            fields[name] = [value or FILLED.get(kind, "x")]

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self.select = ""
        if tag == "form" and self.form is not None:
            self.found += [self._pressed(*button) for button in self.buttons or [("", "", "")]]
            self.form = None

    def _pressed(self, name: str, value: str, action: str) -> Form:
        made = Form(self._path(action) if action else self.form.action, dict(self.form.fields), self.form.meaning)
        if name:
            made.fields[name] = [value]
        if name and name not in PASSING:
            made.meaning |= {(name, value)}
        return made

    def _path(self, action: str) -> str:
        return urlsplit(urljoin(self.page, action)).path


def forms(page: str, text: str) -> list[Form]:
    reader = _Reader(page)
    reader.feed(text)
    return reader.found
