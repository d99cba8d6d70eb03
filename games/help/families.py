"""The help that each family of games brings, by ruleset. `games.families` registers it at start-up."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise

from games.help.ruling import FINE_PRINT, Detail, Ruling
from games.help.term import CardGroup, CardHelp, CutOut, Position, Shelf
from games.rules.registry import RULESETS

Lazy = str | Promise


@dataclass(frozen=True)
class HelpParts:
    """The help content of one family.

    `glossary` holds its terms other than options, presets and orders; `card_groups` returns the cards page of a
    ruleset; `styles` are the stylesheets for its cards; `chapters` maps the topics of the fine print to headings;
    `players` are notes on numbers of players; `pictures` are what the family's own rules template shows, besides
    those of the options.

    `rulings` and `details` are grouped by topic, and `initials` are the letters with which they name the rulesets.
    For an option of a ruleset, `option_cards` returns the cards it adds and `cut_outs` its pictures; `positions`
    returns what those pictures are cut from. `emblem` draws a ruleset in miniature, as trusted SVG.
    """

    glossary: Mapping[str, Shelf]
    card_groups: Callable[[str], list[CardGroup]]
    cards_lead: Lazy
    styles: tuple[str, ...]
    rulings: Mapping[str, Sequence[Ruling]]
    initials: Mapping[str, str]
    details: Mapping[str, Sequence[Detail]] = field(default_factory=dict)
    chapters: Mapping[str, Lazy] = field(default_factory=lambda: {FINE_PRINT: ""})
    players: Mapping[int, Lazy] = field(default_factory=dict)
    pictures: Callable[[str], Any] = lambda slug: None
    emblem: Callable[[str], str] = lambda slug: ""
    option_cards: Callable[[str, str], tuple[CardHelp, ...]] = lambda slug, option: ()
    cut_outs: Callable[[str, str], tuple[CutOut, ...]] = lambda slug, option: ()
    positions: Callable[[Iterable[CutOut]], tuple[Position, ...]] = lambda cuts: ()


PARTS: dict[str, HelpParts] = {}


def parts_of(slug: str) -> HelpParts:
    """Return the help of the family a ruleset belongs to. Raises `KeyError`."""
    return PARTS[RULESETS[slug].family]


def emblem(slug: str) -> str:
    """Return a small picture of a ruleset as SVG, for lists of games."""
    return parts_of(slug).emblem(slug)


def players_note(slug: str, number: int) -> str:
    """Return the note on a game with this number of players, or an empty string."""
    return str(parts_of(slug).players.get(number, ""))


def rulings(slug: str, topic: str) -> list[Ruling]:
    """Return the rulings for a ruleset on a topic: an option, the full game, or a chapter of the fine print."""
    parts = parts_of(slug)
    return [one for one in parts.rulings.get(topic, ()) if parts.initials[slug] in one.games]


def details(slug: str, option: str) -> list[str]:
    """Return more on how an option is played, beyond its own sentence and its rulings."""
    parts = parts_of(slug)
    return [str(one.text) for one in parts.details.get(option, ()) if parts.initials[slug] in one.games]
