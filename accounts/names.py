"""Player names: which are allowed, which look alike, and names for guests.

Names are public. Two names are twins if their skeletons are equal: the skeleton is what is left of a name when case,
separators and look-alike letters make no difference. `User.skeleton` is unique, so that no two accounts become twins.
"""

import random
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator
from django.utils.translation import gettext_lazy as _

from games.rules.record import FORMER_PLAYER

LONGEST = 24
LONGEST_SKELETON = 4 * LONGEST  # characters; a ligature becomes several
READABLE = re.compile(r"[A-Za-z0-9](?:[ _-]?[A-Za-z0-9])*")
HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")  # a word, in names without separators: SiteAdmin
TAKEN = _("That name is taken or looks too much like another one. Choose a different name.")
# Case makes no difference, so i equals I; and I, l and 1 look the same in most fonts.
LOOK_ALIKES = {"i": "l", "1": "l", "0": "o", "m": "rn", "w": "vv"}
BIRDS = (
    "Avocet", "Bittern", "Crane", "Curlew", "Dunlin", "Egret", "Falcon", "Fulmar", "Gannet", "Godwit", "Heron",
    "Hoopoe", "Ibis", "Jackdaw", "Kestrel", "Kite", "Knot", "Lapwing", "Linnet", "Martin", "Merlin", "Nightjar",
    "Osprey", "Petrel", "Pipit", "Plover", "Puffin", "Raven", "Redshank", "Ruff", "Sandpiper", "Shearwater", "Skua",
    "Snipe", "Stork", "Swift", "Teal", "Tern", "Turnstone", "Wagtail", "Whimbrel", "Wren",
)  # fmt: skip


def is_readable(name: str) -> None:
    if not READABLE.fullmatch(name):
        raise ValidationError(
            _("Use only the letters a to z and digits, with single spaces, hyphens or underscores between them.")
        )


def skeleton(name: str) -> str:
    """Return the form that a name shares with every name that looks like it."""
    plain = name
    if not name.isascii():
        from confusable_homoglyphs.confusables import confusables_data  # a megabyte, not needed for ASCII names

        plain = ""
        for letter in unicodedata.normalize("NFKD", name):
            alike = letter
            if not (letter.isascii() or unicodedata.combining(letter)):  # look for ASCII letters in Unicode's table
                others = (other["c"] for other in confusables_data.get(letter, ()) if other["c"].isascii())
                alike = next(others, letter)
            plain += alike
    letters = (letter for letter in plain.casefold() if letter.isalnum())
    return "".join(LOOK_ALIKES.get(letter, letter) for letter in letters)


def is_free_to_take(name: str) -> None:
    """Raise `ValidationError` if the name is reserved for the site, its staff, its bots or its guests."""
    reserved, without_number = _reserved(settings.SITE_NAME), name.rstrip("0123456789 _-")
    whole = {skeleton(name), skeleton(without_number)}
    spelt = [[skeleton(word) for word in words] for words in (re.split("[ _-]", name), HUMP.findall(name))]
    is_reserved = (
        not reserved.names.isdisjoint(whole)
        or any(one.startswith(reserved.edges) or one.endswith(reserved.edges) for one in whole)
        or any(not reserved.words.isdisjoint(words) for words in spelt)
        or any(tuple(words[: len(start)]) == start for words in spelt for start in reserved.starts)
    )
    if is_reserved:
        raise ValidationError(_("That name is reserved for the site. Choose a different name."))


class Reserved(NamedTuple):
    """The skeletons of what accounts/reserved_names.toml lists, of the site's name and of the names of bots."""

    names: frozenset[str]
    words: frozenset[str]
    starts: tuple[tuple[str, ...], ...]
    edges: tuple[str, ...]


@cache
def _reserved(site: str) -> Reserved:
    from games.bots.registry import ALIASES, BOTS  # imported late: it loads the rules, which models do not need

    listed = tomllib.loads((Path(__file__).parent / "reserved_names.toml").read_text(encoding="utf-8"))
    names = [*listed["names"], *listed["words"], site, *BOTS, *ALIASES, *(bot.name for bot in BOTS.values())]
    return Reserved(
        frozenset(map(skeleton, names)),
        frozenset(map(skeleton, listed["words"])),
        tuple(tuple(map(skeleton, start.split())) for start in [*listed["starts"], site]),
        tuple(map(skeleton, listed["edges"])),
    )


def without(text: str, names: Iterable[str]) -> str:
    """Return a stored text with “Former player” for these names, where they are whole words."""
    for name in names:
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", FORMER_PLAYER, text)
    return text


# Guests and former players carry reserved names, so the field itself asks only for readable ones.
field_validators = [is_readable]
sign_up_validators: list[Callable[[str], None]] = [
    MinLengthValidator(2),
    MaxLengthValidator(LONGEST),
    is_readable,
    is_free_to_take,
]


def is_guest_name(name: str) -> bool:
    """Return whether the site chose this name for a guest. Such names are reserved, so nobody else has one."""
    return name.startswith("Guest ")


def guest_name() -> str:
    return f"Guest {random.choice(BIRDS)} {random.randrange(10, 1000)}"
