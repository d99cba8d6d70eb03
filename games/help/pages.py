"""Rules pages as values, which the templates in `help/` lay out for any ruleset."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from games.boards.eight_minute.faces import leader_face
from games.help import glossary
from games.help.cards import CardHelp
from games.help.details import details
from games.help.eight_minute import pictures
from games.help.families import family_of
from games.help.ruling import FULL_GAME, Ruling
from games.help.rulings import rulings
from games.help.term import Term
from games.rules.eight_minute.tokens import gifts
from games.rules.protocol import OptionField, Ruleset


@dataclass(frozen=True)
class Section:
    """An option on the rules page: what it does, its choices, what it adds to the game, and its rulings."""

    anchor: str
    name: str
    sentence: str
    choices: tuple[str, ...]
    details: tuple[str, ...]
    things: tuple[Term, ...]
    leaders: tuple[CardHelp, ...]
    rulings: tuple[Ruling, ...]
    pictures: tuple[pictures.CutOut, ...]


@dataclass(frozen=True)
class Order:
    """A standing order on the rules page: what it is for, and its choices."""

    term: Term
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Chapter:
    """Rulings on one subject. `name` is empty if the rulings have only one chapter."""

    name: str
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True)
class PlayersNote:
    """A note for games with `least` to `most` players."""

    least: int
    most: int
    words: str


@dataclass(frozen=True)
class Page:
    """The rules of a game.

    `positions` are drawn once and shown in parts by options; `shown` are the family's own pictures.
    """

    ruleset: Ruleset
    sections: tuple[Section, ...]
    presets: tuple[Term, ...]
    words: tuple[Term, ...]
    goods: tuple[Term, ...]
    full_game: tuple[Ruling, ...]
    fine_print: tuple[Chapter, ...]
    orders: tuple[Order, ...]
    players: tuple[PlayersNote, ...]
    positions: tuple[pictures.Position, ...]
    shown: Any
    styles: tuple[str, ...]
    has_cards: bool


def rules_page(ruleset: Ruleset) -> Page:
    slug = ruleset.slug
    sections = tuple(_section(ruleset, option) for option in ruleset.option_fields())
    return Page(
        ruleset=ruleset,
        sections=sections,
        presets=tuple(glossary.of_kind(slug, "preset")),
        words=tuple(glossary.of_kind(slug, "word")),
        goods=tuple(glossary.of_kind(slug, "good")),
        full_game=tuple(rulings(slug, FULL_GAME)),
        fine_print=tuple(_chapters(slug)),
        orders=tuple(map(_order, ruleset.order_fields(), glossary.of_kind(slug, "order"))),
        players=players_notes(slug),
        positions=pictures.positions(cut for section in sections for cut in section.pictures),
        shown=family_of(slug).pictures(),
        styles=family_of(slug).styles,
        has_cards=bool(glossary.of_kind(slug, "card")),
    )


def _section(ruleset: Ruleset, option: OptionField) -> Section:
    return Section(
        anchor=glossary.anchor_of(option.name),
        name=_(option.label),
        sentence=_(option.sentence),
        choices=tuple(_choices(ruleset, option)) if option.kind == "choice" else (),
        details=tuple(details(ruleset.slug, option.name)),
        things=tuple(things(ruleset.slug, "token", option.name)),
        leaders=tuple(_leader(term) for term in things(ruleset.slug, "leader", option.name)),
        rulings=tuple(rulings(ruleset.slug, option.name)),
        pictures=pictures.of_option(ruleset.slug, option.name),
    )


def _choices(ruleset: Ruleset, option: OptionField) -> Iterable[str]:
    """Yield the labels of an option's choices, with notes on player numbers and on an unexpected default."""
    for choice in option.choices:
        if choice.value == option.usual != option.choices[0].value:
            yield _("{choice} (default)").format(choice=_(choice.label))
        elif choice.players in ((), tuple(ruleset.seat_counts)):
            yield _(choice.label)
        else:
            numbers = _(" or ").join(map(str, choice.players))
            yield _("{choice} (with {numbers} players)").format(choice=_(choice.label), numbers=numbers)


def things(slug: str, kind: str, option: str) -> list[Term]:
    """Return the terms an option adds to the game that have their own anchor: explore tokens, leaders."""
    anchor = glossary.anchor_of(option)
    return [term for term in glossary.of_kind(slug, kind) if term.part_of == option and term.anchor != anchor]


def _leader(term: Term) -> CardHelp:
    return CardHelp(leader_face(gifts()[term.id], _), term)


def _chapters(slug: str) -> Iterable[Chapter]:
    """Yield the chapters of the fine print, each sorted by number."""
    for topic, name in family_of(slug).chapters.items():
        if found := sorted(rulings(slug, topic), key=lambda one: one.number):
            yield Chapter(str(name), tuple(found))


def _order(order: OptionField, term: Term) -> Order:
    return Order(term, tuple(_(choice.label) for choice in order.choices))


def players_notes(slug: str) -> tuple[PlayersNote, ...]:
    """Return the notes on numbers of players. Consecutive numbers with the same note are combined."""
    together = groupby(family_of(slug).players.items(), key=lambda note: str(note[1]))
    found = ((words, [number for number, _words in notes]) for words, notes in together)
    return tuple(PlayersNote(numbers[0], numbers[-1], words) for words, numbers in found)
