"""Marks texts for translation without knowing who translates.

The pure layers keep templates, the site turns them into a language.
"""

from collections.abc import Callable

Translate = Callable[[str], str]


def gettext_noop(text: str) -> str:
    """Return `text` as it is; `makemessages` collects it by this name."""
    return text


def untranslated(text: str) -> str:
    """The translation into the language that the rules are written in."""
    return text
