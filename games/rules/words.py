"""Translatable texts for the pure layers, which keep templates; the site translates them."""

from collections.abc import Callable

Translate = Callable[[str], str]

IN_CONTEXT = "\x04"  # between a context and its text, as in compiled catalogs


def gettext_noop(text: str) -> str:
    """Return `text` unchanged; `makemessages` finds translatable texts by this name."""
    return text


def untranslated(text: str) -> str:
    """Return `text` unchanged, in the language the rules are written in."""
    return text


def one_line(text: str) -> str:
    """Return what people can see of a text, on one line; "" if that is nothing."""
    return " ".join("".join(letter for letter in text if letter.isprintable() or letter.isspace()).split())


# Translators: the translation is “0: singular” if the language says “0 card”, as French does, else “0: plural”.
ZERO = gettext_noop("0: plural")


def is_singular(n: int, translate: Translate) -> bool:
    """Return whether a number takes the singular in the reader's language: 1 does, and in some languages 0."""
    return n == 1 or (n == 0 and translate(ZERO) == "0: singular")


def by_name(text: str) -> Callable[[Translate], str]:
    """Return a value of a refusal that is translated along with its sentence, such as the name of an option."""
    return lambda translate: translate(text)


def in_context(context: str, text: str, translate: Translate) -> str:
    """Translate a text that means something else without its context: the Sun is a suit, and short for a day."""
    return translate(f"{context}{IN_CONTEXT}{text}").rpartition(IN_CONTEXT)[2]


def labelled(label: str, text: str, translate: Translate) -> str:
    """Return `label: text` as the reader's language writes colons."""
    return translate(gettext_noop("{label}: {text}")).format(label=label, text=text)
