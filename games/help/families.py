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
    """The help content of one family, by ruleset, topic or option where the name says so."""

    # Terms by kind, other than options, presets and orders, which the ruleset itself brings
    glossary: Mapping[str, Shelf]
    # The cards page of a ruleset: its groups of cards, its opening words, and the stylesheets of the cards
    card_groups: Callable[[str], list[CardGroup]]
    cards_lead: Lazy
    styles: tuple[str, ...]
    # By topic: an option, the full game, a chapter of the fine print. They name rulesets by the letters of `initials`
    rulings: Mapping[str, Sequence[Ruling]]
    initials: Mapping[str, str]
    # More on how an option is played, by option
    details: Mapping[str, Sequence[Detail]] = field(default_factory=dict)
    # Headings of the topics of the fine print
    chapters: Mapping[str, Lazy] = field(default_factory=lambda: {FINE_PRINT: ""})
    # Notes on games with a number of players
    players: Mapping[int, Lazy] = field(default_factory=dict)
    # What the family's own template of the rules shows, by ruleset, besides the pictures of options
    pictures: Callable[[str], Any] = lambda slug: None
    # A ruleset in miniature, as trusted SVG
    emblem: Callable[[str], str] = lambda slug: ""
    # By ruleset and option: the cards that it adds, and its pictures. `positions` returns what these are cut from
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
    return [ruling for ruling in parts.rulings.get(topic, ()) if parts.initials[slug] in ruling.games]


def details(slug: str, option: str) -> list[str]:
    """Return more on how an option is played, beyond its own sentence and its rulings."""
    parts = parts_of(slug)
    return [str(detail.text) for detail in parts.details.get(option, ()) if parts.initials[slug] in detail.games]
