"""Rules pages as values, which the templates in `help/` lay out for any ruleset."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from games.help import glossary
from games.help.families import details, parts_of, rulings
from games.help.ruling import FULL_GAME, Ruling
from games.help.term import CardHelp, CutOut, Position, Term
from games.notices.outbox.words import enumerated
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
    cards: tuple[CardHelp, ...]
    rulings: tuple[Ruling, ...]
    pictures: tuple[CutOut, ...]


@dataclass(frozen=True)
class OrderHelp:
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
class RulesPage:
    """The rules of a game. `positions` are drawn once and shown in parts; `shown` are the family's own pictures."""

    ruleset: Ruleset
    sections: tuple[Section, ...]
    presets: tuple[Term, ...]
    words: tuple[Term, ...]
    goods: tuple[Term, ...]
    full_game: tuple[Ruling, ...]
    fine_print: tuple[Chapter, ...]
    orders: tuple[OrderHelp, ...]
    players: tuple[PlayersNote, ...]
    positions: tuple[Position, ...]
    shown: Any
    styles: tuple[str, ...]
    has_cards: bool


def rules_page(ruleset: Ruleset) -> RulesPage:
    """Return the content of a ruleset’s rules page, from its options, its glossary and its rulings."""
    slug, family = ruleset.slug, parts_of(ruleset.slug)
    # What options add to the game: explore tokens, leaders
    terms = [term for kind in family.glossary for term in glossary.of_kind(slug, kind) if term.part_of]
    sections = []
    for option in ruleset.option_fields():
        anchor = glossary.anchor_of(option.name)
        added = [term for term in terms if term.part_of == option.name and term.anchor != anchor]
        cards = family.option_cards(slug, option.name)
        sections.append(
            Section(
                anchor=anchor, name=_(option.label), sentence=_(option.sentence),
                choices=tuple(_choices(ruleset, option)) if option.kind == "choice" else (),
                details=tuple(details(slug, option.name)), things=() if cards else tuple(added), cards=cards,
                rulings=tuple(rulings(slug, option.name)), pictures=family.cut_outs(slug, option.name),
            )
        )  # fmt: skip
    chapters = []
    for topic, name in family.chapters.items():
        if numbered := sorted(rulings(slug, topic), key=lambda ruling: ruling.number):
            chapters.append(Chapter(str(name), tuple(numbered)))
    orders = zip(ruleset.order_fields(), glossary.of_kind(slug, "order"), strict=True)
    return RulesPage(
        ruleset=ruleset, sections=tuple(sections), presets=tuple(glossary.of_kind(slug, "preset")),
        words=tuple(glossary.of_kind(slug, "word")), goods=tuple(glossary.of_kind(slug, "good")),
        full_game=tuple(rulings(slug, FULL_GAME)), fine_print=tuple(chapters),
        orders=tuple(OrderHelp(term, tuple(_(choice.label) for choice in order.choices)) for order, term in orders),
        players=players_notes(slug), styles=family.styles, has_cards=bool(glossary.of_kind(slug, "card")),
        positions=family.positions(cut for section in sections for cut in section.pictures),
        shown=family.pictures(slug),
    )  # fmt: skip


def _choices(ruleset: Ruleset, option: OptionField) -> Iterable[str]:
    """Yield the labels of an option's choices, with notes on player numbers and on an unexpected default."""
    for choice in option.choices:
        if choice.value == option.usual != option.choices[0].value:
            yield _("{choice} (default)").format(choice=_(choice.label))
        elif choice.players in ((), tuple(ruleset.seat_counts)):
            yield _(choice.label)
        else:
            numbers = enumerated([str(n) for n in choice.players], _("{first} or {last}"))
            yield _("{choice} (with {numbers} players)").format(choice=_(choice.label), numbers=numbers)


def players_notes(slug: str) -> tuple[PlayersNote, ...]:
    """Return the notes on numbers of players. Consecutive numbers with the same note are combined."""
    notes = []
    for words, together in groupby(parts_of(slug).players.items(), key=lambda note: str(note[1])):
        numbers = [number for number, _words in together]
        notes.append(PlayersNote(numbers[0], numbers[-1], words))
    return tuple(notes)
