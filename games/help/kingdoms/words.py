"""Help for the words of Kingdoms: its piles and cards, its actions, and what each power does."""

from collections.abc import Mapping
from pathlib import Path

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.help.kingdoms.cards import CLASSES, card_ids, card_term
from games.help.ruling import read
from games.help.term import CARDS, Shelf, Term
from games.rules.kingdoms.deck import KINDS, POWERS

Lazy = str | Promise

# By id: the name, and what it means.
WORDS = {
    word: (gettext_lazy(row["name"]), gettext_lazy(row["text"]))
    for word, row in read(Path(__file__).parent, "words").items()
}

# Based on the measurements in docs/kingdoms-balance.md
PLAYERS: Mapping[int, Lazy] = {
    2: gettext_lazy("A short duel. The player who takes the other’s Castle and keeps it for a turn usually wins."),
    3: gettext_lazy("A good, warlike game: two in three are won by conquest."),
    4: gettext_lazy("The game at its best: you can win in all three ways, and it matters little who goes first."),
    5: gettext_lazy("Played with two decks. A long game: half are won with 300, the rest by conquest or the Princess."),
    6: gettext_lazy("Played with two decks. A long game, usually won with 300; an early conquest is rare."),
    7: gettext_lazy("Played with two decks. A very long game, usually won with 300; an early conquest is rare."),
    8: gettext_lazy("Played with two decks. A very long game, usually won with 300; an early conquest is rare."),
}


def word_term(slug: str, word: str) -> Term:
    name, words = WORDS[word]
    return Term(slug, "word", word, str(name), (str(words),), f"word-{word}")


def class_term(slug: str, kind: str) -> Term:
    """Return the help entry of a class of Heroes, listed on the cards page."""
    return Term(slug, "class", kind, _(KINDS[kind]), (str(CLASSES[kind]),), f"class-{kind}", CARDS)


def power_term(slug: str, power: str) -> Term:
    return Term(slug, "power", power, _(POWERS[power].name), (_(POWERS[power].text),), f"power-{power}")


GLOSSARY: Mapping[str, Shelf] = {
    "card": Shelf(card_ids, card_term),
    "class": Shelf(lambda slug: list(KINDS), class_term),
    "power": Shelf(lambda slug: list(POWERS), power_term),
    "word": Shelf(lambda slug: list(WORDS), word_term),
}
