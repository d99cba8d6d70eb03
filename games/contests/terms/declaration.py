"""The terms of a league or tournament as a TOML file: `parse` reads one, `text` writes one with comments. PURE.

The file has one table, `[league]` or `[tournament]`, with the lines of `terms.py`.
"""

import json
import tomllib
from collections.abc import Iterator
from datetime import date
from difflib import get_close_matches
from typing import Any

import msgspec

from games.contests.terms.fitting import check
from games.contests.terms.terms import AnyTerms, Terms, TournamentTerms, check_values, fields
from games.rules.protocol import IllegalAction
from games.rules.words import Translate, gettext_noop, untranslated

__all__ = ["AnyTerms", "Terms", "TournamentTerms", "check", "parse", "text"]

LONGEST_LINE = 1000  # characters; parsing a key of many parts takes quadratic time

KINDS: dict[str, type[AnyTerms]] = {"league": Terms, "tournament": TournamentTerms}

# The expected value of a line of each type
WANTED: dict[Any, str] = {
    str: gettext_noop("“{key}” must be text in quotes."),
    bool: gettext_noop("“{key}” must be true or false."),
    int: gettext_noop("“{key}” must be a whole number."),
    date | None: gettext_noop("“{key}” must be a date, such as 2027-03-01."),
    tuple[str, ...]: gettext_noop('“{key}” must be a list of words, such as ["met", "wins"].'),
    dict[str, Any]: gettext_noop("“{key}” must be a table of the game’s options."),
}


def parse(toml: str) -> AnyTerms:
    """Parse the terms. Raises `IllegalAction` with a sentence that names the line."""
    kind, lines = _table(toml)
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for key in lines:
        _check_key(key, list(types))
    if "name" not in lines:
        raise IllegalAction(gettext_noop("The line “{key}” is missing."), key="name")
    terms = kind(**{key: _value(key, value, types[key]) for key, value in lines.items()})
    check_values(terms)
    return terms


def _table(toml: str) -> tuple[type[AnyTerms], dict[str, Any]]:
    """Return the kind of the only table in the text, and its lines."""
    if any(len(line) > LONGEST_LINE for line in toml.splitlines()):
        raise IllegalAction(gettext_noop("A line is too long. Use at most {most} characters."), most=LONGEST_LINE)
    try:
        tables = tomllib.loads(toml)
    except (ValueError, RecursionError) as wrong:  # such as numbers with thousands of digits, or deeply nested lists
        raise IllegalAction(gettext_noop("This is not valid TOML: {reason}."), reason=wrong) from None
    [(name, lines), *others] = tables.items() or [("", None)]
    if others or name not in KINDS or not isinstance(lines, dict):
        raise IllegalAction(
            gettext_noop("The text must have exactly one table, [league] or [tournament], with its lines.")
        )
    return KINDS[name], lines


def _check_key(key: str, known: list[str]) -> None:
    if key in known:
        return
    if near := get_close_matches(key, known, 1):
        raise IllegalAction(
            gettext_noop("There is no line “{key}”. Did you mean “{near}”?"), key=key[:40], near=near[0]
        )
    raise IllegalAction(
        gettext_noop("There is no line “{key}”. Possible lines are: {keys}."), key=key[:40], keys=", ".join(known)
    )


def _value(key: str, value: object, wanted: Any) -> Any:
    try:
        return msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        raise IllegalAction(WANTED[wanted], key=key) from None


def text(terms: AnyTerms, translate: Translate = untranslated) -> str:
    """Write the terms as TOML with a comment on each line. The inverse of `parse`."""
    [title] = (name for name, kind in KINDS.items() if isinstance(terms, kind))
    return "\n".join([f"[{title}]", *_lines(terms, translate), ""])


def _lines(terms: AnyTerms, translate: Translate) -> Iterator[str]:
    for key, field in fields(type(terms)).items():
        yield from ("", f"# {translate(field.sentence)}")
        yield from (f"#   {word}: {translate(meaning)}" for word, meaning in field.words.items())
        value = getattr(terms, key)
        yield f"# {key} = 2027-03-01" if value is None else f"{key} = {_toml(value)}"


def _toml(value: object) -> str:
    """Format a value as TOML. Strings, numbers, booleans and lists of strings are as in JSON."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        pairs = (f"{json.dumps(key)} = {_toml(one)}" for key, one in value.items())
        return "{ " + ", ".join(pairs) + " }" if value else "{}"
    return json.dumps(value, ensure_ascii=False)
