"""Translatable texts for the pure layers, which keep templates, and cleaning of texts that people write."""

import unicodedata
from collections.abc import Callable, Sequence

Translate = Callable[[str], str]

IN_CONTEXT = "\x04"  # between a context and its text, as in compiled catalogs
BLANKS = str.maketrans(dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0", " "))  # letters and symbols that show nothing
DIRECTIONS = str.maketrans(dict.fromkeys("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))  # of writing
MOST_MARKS = 4  # on one letter, more than almost all languages need


def gettext_noop(text: str) -> str:
    """Return `text` unchanged; `makemessages` finds translatable texts by this name."""
    return text


def untranslated(text: str) -> str:
    """Return `text` unchanged, in the language the rules are written in."""
    return text


def legible(text: str) -> str:
    """Return a text as others may read it, without blanks at both ends; "" if they would see nothing.

    Characters that reverse the direction of writing are removed, and so are marks that pile up on a letter, because
    they would cover the lines above and below. Joiners stay, because emoji and some scripts need them.
    """
    kept, marks = [], MOST_MARKS  # a mark at the beginning would be on what is before the text
    for letter in text.translate(BLANKS).translate(DIRECTIONS):
        kind = unicodedata.category(letter)
        if kind in ("Mn", "Me"):
            marks += 1
        elif kind != "Cf":
            marks = 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    shows_something = any(letter.isprintable() and not letter.isspace() for letter in kept)
    return "".join(kept).strip() if shows_something else ""


def one_line(text: str) -> str:
    """Return what people can see of a text, on one line; "" if that is nothing."""
    return " ".join("".join(letter for letter in legible(text) if letter.isprintable() or letter.isspace()).split())


# A name or label, and what it is about
LABELLED = gettext_noop("{label}: {text}")
# Between the parts of a list whose parts have commas
SEPARATOR = gettext_noop("; ")
# Translators: the translation is “0: singular” if the language says “0 card”, as French does, else “0: plural”.
ZERO = gettext_noop("0: plural")


def is_singular(n: int, translate: Translate) -> bool:
    """Return whether a number takes the singular in the reader's language: 1 does, and in some languages 0."""
    return n == 1 or (n == 0 and translate(ZERO) == "0: singular")


def by_name(text: str) -> Callable[[Translate], str]:
    """Return a value of a refusal that is translated along with its sentence, such as the name of an option."""
    return lambda translate: translate(text)


def in_context(context: str, text: str, translate: Translate) -> str:
    """Translate a text that also means something else, by its context: “Sun” is a suit here, and short for Sunday."""
    return translate(f"{context}{IN_CONTEXT}{text}").rpartition(IN_CONTEXT)[2]


def listed(words: Sequence[str], translate: Translate = untranslated) -> str:
    """Join words as `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    last = translate(gettext_noop("{several} and {last}"))
    return last.format(several=", ".join(words[:-1]), last=words[-1])


def labelled(label: str, text: str, translate: Translate) -> str:
    """Return `label: text` as the reader's language writes colons."""
    return translate(LABELLED).format(label=label, text=text)
