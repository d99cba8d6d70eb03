"""Read a page as people do: the buttons and links it offers, the fields that a form would send."""

import re
from html import unescape

from django.http import HttpResponse

BUTTON = re.compile(r"<(?:button|input)\b[^>]*>")
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


def text(answer: HttpResponse) -> str:
    return answer.content.decode()


def main(answer: HttpResponse) -> str:
    """Return the part of the page that no other page has: without the menu, the messages and the footer."""
    return re.search(r"<main.*</main>", text(answer), re.DOTALL)[0]


def errors(answer: HttpResponse) -> str:
    """Return the errors of the page's form, to be shown if a test expected the form to be accepted."""
    form = answer.context.get("form") if answer.context else None
    return form.errors.as_text() if form is not None else ""


def without_token(answer: HttpResponse) -> str:
    """The page without the parts that differ in each response: the tokens of its forms and its live address."""
    masked = re.sub(
        r'(name="csrfmiddlewaretoken" value|X-CSRFToken&quot;: &quot;|"X-CSRFToken": ")[^>}]*', "", text(answer)
    )
    return re.sub(r'data-live="[^"]*"', "", masked)


def controls(answer: HttpResponse) -> list[dict[str, str]]:
    """The attributes of all buttons and inputs."""
    return [
        {name: unescape(value) for name, value in ATTRIBUTE.findall(tag)} | _flags(tag)
        for tag in BUTTON.findall(text(answer))
    ]


def _flags(tag: str) -> dict[str, str]:
    return {"disabled": ""} if re.search(r"\sdisabled[\s>]", tag) else {}


def actions(answer: HttpResponse) -> list[str]:
    """The actions of the buttons that can be pressed."""
    return [
        control["value"]
        for control in controls(answer)
        if control.get("name") == "action" and "disabled" not in control
    ]


def whole_turn(answer: HttpResponse) -> str:
    """The turn that the confirm button submits."""
    return next(
        control["value"]
        for control in controls(answer)
        if control.get("name") == "action" and control.get("type") == "hidden"
    )


def seq(answer: HttpResponse) -> str:
    """The entry that the page was drawn on."""
    return re.search(r'data-seq="(\d+)"', text(answer))[1]


def head(answer: HttpResponse) -> str:
    """The start of the digest of that entry."""
    return re.search(r'data-head="(\w+)"', text(answer))[1]


def alert(answer: HttpResponse) -> str:
    match = re.search(r'role="alert"(?![^>]*\shidden)[^>]*>([^<]*)<', text(answer))
    return unescape(match[1]) if match else ""
