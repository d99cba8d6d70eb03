"""Player names: which are allowed, which look alike, and names for guests.

Names are public. Two names are twins if their skeletons are equal: the skeleton is what is left of a name when case,
separators and look-alike letters make no difference. `User.skeleton` is unique, so that no two accounts become twins.
"""

import random
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator
from django.utils import translation
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from empire import catalogs
from empire.web.languages import names_of_site
from games.rules.record import FORMER_PLAYER

LONGEST_NAME = 24
LONGEST_TYPED = 5 * LONGEST_NAME  # characters that are kept: no letter has more than four
LONGEST_FOLDED = 3 * LONGEST_NAME
LONGEST_SKELETON = 4 * LONGEST_NAME  # characters; a ligature becomes several
SEPARATORS = " _-"
WORD = re.compile(r"[^\W_]+")
PLACEHOLDER = re.compile(r"\{\w*\}|%\(\w+\)[a-z]")  # for a value, in a sentence to be translated
HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")  # a word, in names without separators: SiteAdmin
TAKEN = _("That name is taken or looks too much like another one. Choose a different name.")
# Case makes no difference, so i equals I; and I, l and 1 look the same in most fonts.
LOOK_ALIKES = {"i": "l", "1": "l", "0": "o", "m": "rn", "w": "vv"}
IN_NAMES = "in names"  # the context of the words in names that the site chooses
LONGEST_BIRD = 11  # letters


# Letters of scripts that are written together; a name has those of one line
TOGETHER = (
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO"},  # Chinese and Japanese
    {"LATIN", "CJK", "HANGUL"},
)
MODIFIERS = "々ー"  # the only letters in Unicode's category Lm that names need
BARE = re.compile(  # letters and marks that show nothing: fillers, joiners and selectors of variants
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
MOST_MARKS = 2  # on one letter
STROKES = {"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
PLAIN = {"LATIN", "GREEK", "CYRILLIC"}  # scripts in which letters with and without a mark look alike


def normal(name: str) -> str:
    """Return the form in which names are kept: letters with their accents, and without compatible characters.

    Only the beginning of a name that is far too long is kept: normalizing can turn one character into eighteen.
    """
    return unicodedata.normalize("NFKC", name[:LONGEST_TYPED])


def folded(name: str) -> str:
    """Return the form that a name shares with those that differ from it only in case."""
    return normal(normal(name).strip().casefold())


class NameField(forms.CharField):
    """A form field that reads names in their normal form: some systems type letters and their accents apart."""

    def to_python(self, value: Any) -> Any:
        return normal(super().to_python(value) or "")


def script(letter: str) -> str:
    """Return the script of a letter: the first word of its name in Unicode."""
    return unicodedata.name(letter, "").split(" ")[0].split("-")[0]


def is_readable(name: str) -> None:
    """Raise `ValidationError` unless the name has letters of one script and digits, with single separators between."""
    places = [unicodedata.category(letter) for letter in name]
    edges = zip(" " + name, name + " ", strict=True)  # each pair of neighbors; a blank stands for the end
    is_plain = (
        bool(name)
        and name == normal(name)
        and not BARE.search(name)
        and all(
            letter in SEPARATORS or letter in MODIFIERS or (kind[0] in "LMN" and kind not in ("Lm", "Nl", "No", "Me"))
            for letter, kind in zip(name, places, strict=True)
        )
        and not any(one in SEPARATORS and other in SEPARATORS for one, other in edges)
        and not re.search("(^|[^LM])M", kinds := "".join("N" if kind == "Nd" else kind[0] for kind in places))
        and "M" * (MOST_MARKS + 1) not in kinds
    )
    if not is_plain:
        raise ValidationError(
            _("Use only letters and digits, with single spaces, hyphens or underscores between them.")
        )
    scripts = {script(letter) for letter, kind in zip(name, places, strict=True) if kind[0] == "L"} - {"IDEOGRAPHIC"}
    zeros = {ord(letter) - unicodedata.decimal(letter) for letter in name if letter.isdecimal()}
    if len(zeros) > 1 or (len(scripts) > 1 and not any(scripts <= together for together in TOGETHER)):
        raise ValidationError(_("Use letters from one script only. Letters from different scripts can look alike."))


def skeleton(name: str) -> str:
    """Return the form that a name shares with every name that looks like it."""
    plain = name
    if not name.isascii():
        plain = _alike(name)
    letters = (letter for letter in plain.casefold() if letter.isalnum() or unicodedata.category(letter)[0] == "M")
    return "".join(LOOK_ALIKES.get(letter, letter) for letter in letters)[:LONGEST_SKELETON]


def _alike(name: str) -> str:
    """Return the name with the letters of Unicode's table of look-alikes replaced: by ASCII, else by the first one."""
    from confusable_homoglyphs.confusables import confusables_data  # a megabyte, not needed for ASCII names

    plain, of = "", ""
    for letter in unicodedata.normalize("NFKD", name):
        if unicodedata.combining(letter) or unicodedata.category(letter)[0] == "M":
            plain += "" if of in PLAIN else letter  # in other scripts marks are vowels
            continue
        of, others = script(letter), []
        if not letter.isascii():
            others = [other["c"] for other in confusables_data.get(letter, ()) if len(other["c"]) == 1]
        ascii_ones = [other for other in others if other.isascii()]
        alike = ascii_ones[0] if ascii_ones else min([letter, *others])
        plain += STROKES.get(alike.lower(), alike)
    return plain


def is_free_to_take(name: str) -> None:
    """Raise `ValidationError` if the name is reserved for the site, its staff, its bots or its guests."""
    reserved, without_number = _reserved(settings.SITE_NAME), name.rstrip("0123456789 _-")
    whole = {skeleton(name), skeleton(without_number)}
    spelt = [[skeleton(word) for word in words] for words in (re.split("[ _-]", name), HUMP.findall(name))]
    is_reserved = (
        not reserved.names.isdisjoint(whole)
        or any(spelling.startswith(reserved.edges) or spelling.endswith(reserved.edges) for spelling in whole)
        or any(not reserved.words.isdisjoint(words) for words in spelt)
        or any(tuple(words[: len(start)]) == start for words in spelt for start in reserved.starts)
    )
    if is_reserved:
        raise ValidationError(_("That name is reserved for the site. Choose a different name."))


class Reserved(NamedTuple):
    """The skeletons of what accounts/reserved_names.toml lists, of the site's name, and of the names that it gives.

    The site gives names to its bots and to people who have left, and shows them in each reader's language.
    """

    names: frozenset[str]
    words: frozenset[str]
    starts: tuple[tuple[str, ...], ...]
    edges: tuple[str, ...]


@cache
def _reserved(site: str) -> Reserved:
    from games.bots.registry import ALIASES, BOTS  # imported late: it loads the rules, which models do not need

    names_given = {name for own in names_of_site() for name in _in_all_languages(partial(gettext, own))}
    starts_given = _in_all_languages(_guest) | _in_all_languages(partial(gettext, FORMER_PLAYER))
    listed = tomllib.loads((Path(__file__).parent / "reserved_names.toml").read_text(encoding="utf-8"))
    names = [*listed["names"], *listed["words"], site, *BOTS, *ALIASES, *names_given, *_in_all_languages(_player)]
    return Reserved(
        frozenset(map(skeleton, names)),
        frozenset(map(skeleton, listed["words"])),
        tuple(tuple(map(skeleton, start.split())) for start in [*listed["starts"], *starts_given, site]),
        tuple(map(skeleton, listed["edges"])),
    )


def _in_all_languages(words: Callable[[], str]) -> frozenset[str]:
    """Return what a function says in each of the site's languages."""
    said = set[str]()
    for language, _own_name in settings.LANGUAGES:
        with translation.override(language):
            said.add(words())
    return frozenset(said)


def without(text: str, names: Iterable[str], instead: str = FORMER_PLAYER, keep: Iterable[str] = ()) -> str:
    """Return a stored text with “Former player”, or another name, for these names, where they are whole words.

    Names to `keep` stay, even if they contain one of these: “Robin” may play against “Robin Hood”.
    """
    kept = {*keep}
    for name in names:
        either = "|".join(re.escape(one) for one in sorted({name, *kept}, key=len, reverse=True))  # the longest first
        text = re.sub(
            rf"(?<![\w-])(?:{either})(?![\w-])", lambda match: match[0] if match[0] in kept else instead, text
        )
    return text


def is_common(name: str) -> bool:
    """Return whether the name consists of words that the site's own sentences have in any of its languages.

    “Han” is a name, and how a sentence in Spanish begins. In a text, nobody can tell which of them it is. The case
    counts, as in `without`.
    """
    return _words_of_site().issuperset(WORD.findall(name))


@cache
def _words_of_site() -> frozenset[str]:
    """Return the words of the sentences that the code writes. Pages are not stored, and birds are only names."""
    words = set[str]()
    for path in sorted(Path(settings.LOCALE_PATHS[0]).glob("*/LC_MESSAGES/django.po")):
        for entry in catalogs.read(path):
            if entry.context != IN_NAMES and any(place.partition(":")[0].endswith(".py") for place in entry.where):
                sentences = " ".join([entry.text, entry.plural or "", *entry.translations])
                words.update(WORD.findall(PLACEHOLDER.sub(" ", sentences)))
    return frozenset(words)


# Guests and former players carry reserved names, so the field itself asks only for readable ones.
field_validators = [is_readable]
sign_up_validators: list[Callable[[str], None]] = [
    MinLengthValidator(2),
    MaxLengthValidator(LONGEST_NAME),
    is_readable,
    is_free_to_take,
]


def is_guest_name(name: str) -> bool:
    """Return whether the site chose this name for a guest. Such names are reserved, so nobody else has one."""
    return name.startswith(_before_birds())


@cache
def _before_birds() -> tuple[str, ...]:
    """Return what the names of guests begin with, in all languages."""
    return tuple(f"{guest} " for guest in _in_all_languages(_guest))


def guest_name(seed: str = "") -> str:
    """Return a name for a guest in the active language. The same `seed` gives the same name."""
    return f"{_guest()} {bird(seed)}"


def player_name() -> str:
    """Return a name in the active language, in place of one that moderators have removed."""
    return f"{_player()} {bird()}"


def bird(seed: str = "") -> str:
    """Return a bird in the active language, with a number."""
    # Each language has well-known birds of its own, of at most LONGEST_BIRD letters, that nobody minds as a name
    listed = pgettext(
        "in names",
        "Avocet, Blackbird, Bluebird, Chaffinch, Crane, Curlew, Egret, Falcon, Flamingo, Fulmar, Gannet, Goldcrest,"
        " Goldfinch, Heron, Hoopoe, Hummingbird, Ibis, Jackdaw, Kestrel, Kingfisher, Kite, Lapwing, Linnet, Merlin,"
        " Nightingale, Oriole, Osprey, Pelican, Petrel, Plover, Puffin, Raven, Redstart, Robin, Sandpiper, Shearwater,"
        " Skylark, Stork, Swallow, Swan, Swift, Teal, Tern, Toucan, Turnstone, Wagtail, Waxwing, Wren",
    )
    chance = random.Random(seed or None)
    birds = [name for name in listed.split(", ") if len(name) <= LONGEST_BIRD]
    return f"{chance.choice(birds)} {chance.randrange(10, 1000)}"


def _guest() -> str:
    return pgettext("in names", "Guest")


def _player() -> str:
    return pgettext("in names", "Player")
