"""The help content of each family of games. Add an entry for a new family; without one, only its options have help."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.help.eight_minute import cards as empire_cards
from games.help.eight_minute import words as empire_words
from games.help.kingdoms import cards as kingdoms_cards
from games.help.kingdoms import pictures as kingdoms_pictures
from games.help.kingdoms import words as kingdoms_words
from games.help.kingdoms.rulings import CHAPTERS
from games.help.ruling import FINE_PRINT
from games.help.term import CardGroup, Shelf
from games.rules.registry import RULESETS

Lazy = str | Promise


@dataclass(frozen=True)
class Family:
    """The help content of one family.

    `glossary` holds its terms other than options, presets and orders; `card_groups` returns the cards page of a
    ruleset; `styles` are the stylesheets for its cards; `chapters` maps the topics of the fine print to headings;
    `players` are notes on numbers of players; `pictures` are what the family's own rules template shows, besides
    those of the options.
    """

    glossary: Mapping[str, Shelf]
    card_groups: Callable[[str], list[CardGroup]]
    cards_lead: Lazy
    styles: tuple[str, ...]
    chapters: Mapping[str, Lazy] = field(default_factory=lambda: {FINE_PRINT: ""})
    players: Mapping[int, Lazy] = field(default_factory=dict)
    pictures: Callable[[], Any] = lambda: None


FAMILIES = {
    "eight_minute": Family(
        glossary=empire_words.GLOSSARY,
        card_groups=empire_cards.card_groups,
        cards_lead=_(
            "What each card gives you for the rest of the game, what it lets you do when you take it, and which other "
            "cards count it."
        ),
        styles=("css/pieces.css", "css/cards.css"),
    ),
    "kingdoms": Family(
        glossary=kingdoms_words.GLOSSARY,
        card_groups=kingdoms_cards.card_groups,
        cards_lead=_(
            "What each Hero is worth, what it costs and what it can do. The dots at the foot of a card are its price."
        ),
        styles=("css/kingdoms.css",),
        chapters=CHAPTERS,
        players=kingdoms_words.PLAYERS,
        pictures=kingdoms_pictures.pictures,
    ),
}


def family_of(slug: str) -> Family:
    """Return the help of the family a ruleset belongs to. Raises `KeyError`."""
    return FAMILIES[RULESETS[slug].family]


def players_note(slug: str, number: int) -> str:
    """Return the note on a game with this number of players, or an empty string."""
    return str(family_of(slug).players.get(number, ""))
