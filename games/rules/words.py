"""Translatable texts for the pure layers, which keep templates; the site translates them."""

from collections.abc import Callable

Translate = Callable[[str], str]


def gettext_noop(text: str) -> str:
    """Return `text` unchanged; `makemessages` finds translatable texts by this name."""
    return text


def untranslated(text: str) -> str:
    """Return `text` unchanged, in the language the rules are written in."""
    return text
