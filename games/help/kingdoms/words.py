"""Help for the words of Kingdoms: its piles and cards, its actions, and what each power does."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.help.kingdoms.cards import CLASSES, card_ids, card_term
from games.help.term import CARDS, Shelf, Term
from games.rules.kingdoms.deck import KINDS, POWERS

Lazy = str | Promise

# By id: the name, and what it means.
WORDS: dict[str, tuple[Lazy, Lazy]] = {
    "tower": (
        gettext_lazy("Tower"),
        gettext_lazy(
            "A Kingdom Hero built in front of its owner: Emperor, Queen, Prince, Princess, from the ground up. Each "
            "Tower lets its owner draw one more card and protects the Castle."
        ),
    ),
    "castle": (
        gettext_lazy("Castle"),
        gettext_lazy(
            "The target of an attack when no Tower is left. Its wall adds to the defense; if it falls, the winner "
            "rules its owner."
        ),
    ),
    "flop": (
        gettext_lazy("Flop"),
        gettext_lazy("The face-up cards in the middle. You can buy them, and the winner of a battle takes them all."),
    ),
    "draw-deck": (
        gettext_lazy("Draw deck"),
        gettext_lazy("The face-down cards. When it is empty, the Burn pile is shuffled into a new one."),
    ),
    "burn-pile": (
        gettext_lazy("Burn pile"),
        gettext_lazy("Troops go here after a battle, as do lost Towers and played Bosses. Anyone may look through it."),
    ),
    "dots": (
        gettext_lazy("Dots"),
        gettext_lazy(
            "The price of a card: the solid dots at its foot. In a purchase, the dots on both sides must be equal."
        ),
    ),
    "suit": (
        gettext_lazy("Suit"),
        gettext_lazy(
            "Sun, Wave, Pine or Plum, each with its own sign and color. Suits matter only for the Not-So-Secret Move."
        ),
    ),
    "troop-hand": (
        gettext_lazy("Troop hand"),
        gettext_lazy("The cards played to attack or defend: any that add up to 21 or less, an Epic 21, or a command."),
    ),
    "epic-21": (
        gettext_lazy("Epic 21"),
        gettext_lazy(
            "Three Attack Heroes, two Champions or one Kingdom Hero that add up to exactly 21. You may add one "
            "Support Hero, for a total of 22 to 24."
        ),
    ),
    "command": (
        gettext_lazy("Command"),
        gettext_lazy("An Epic or a Boss, alone or with one other Hero. The total counts, even beyond 21."),
    ),
    "wave": (
        gettext_lazy("Wave"),
        gettext_lazy("One hand played by each side. After a tie, the attacker may play another."),
    ),
    "ruler": (
        gettext_lazy("Ruler"),
        gettext_lazy(
            "The player who took your Castle, or won you from your previous ruler. A player without one is free."
        ),
    ),
    "sub-kingdom": (
        gettext_lazy("Sub-kingdom"),
        gettext_lazy(
            "A kingdom with a ruler. It plays on with its own hand, may revolt, and can still win with the Princess "
            "or with 300."
        ),
    ),
    "blind-pick": (
        gettext_lazy("Blind pick"),
        gettext_lazy(
            "A ruler takes a random card from a direct sub-kingdom: once in the ruler’s own turn, "
            "and before each defense."
        ),
    ),
    "protection": (
        gettext_lazy("Protection"),
        gettext_lazy(
            "When a sub-kingdom is attacked, its ruler may leave it to defend alone, or defend with it or for it."
        ),
    ),
    "not-so-secret-move": (
        gettext_lazy("Not-So-Secret Move"),
        gettext_lazy("Burn cards of one suit that add up to exactly 21, and take any Tower of another player."),
    ),
    "kingdom-value": (
        gettext_lazy("Kingdom value"),
        gettext_lazy("The total value of the cards in a hand. 300 wins; reaching 100 and 200 is announced."),
    ),
    "shown-cards": (
        gettext_lazy("Shown cards"),
        gettext_lazy("From 200 on, a player must show cards worth 100 or more. They remain part of the hand."),
    ),
    "showdown": (
        gettext_lazy("Final Showdown"),
        gettext_lazy("When all three piles are empty, everyone attacks until nobody can. Then Towers are counted."),
    ),
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


def word_ids(slug: str) -> list[str]:
    return list(WORDS)


def word_term(slug: str, word: str) -> Term:
    name, words = WORDS[word]
    return Term(slug, "word", word, str(name), (str(words),), f"word-{word}")


def class_ids(slug: str) -> list[str]:
    return list(KINDS)


def class_term(slug: str, kind: str) -> Term:
    """Return the help entry of a class of Heroes, listed on the cards page."""
    return Term(slug, "class", kind, _(KINDS[kind]), (str(CLASSES[kind]),), f"class-{kind}", CARDS)


def power_ids(slug: str) -> list[str]:
    return list(POWERS)


def power_term(slug: str, power: str) -> Term:
    return Term(slug, "power", power, _(POWERS[power].name), (_(POWERS[power].text),), f"power-{power}")


GLOSSARY: Mapping[str, Shelf] = {
    "card": Shelf(card_ids, card_term),
    "class": Shelf(class_ids, class_term),
    "power": Shelf(power_ids, power_term),
    "word": Shelf(word_ids, word_term),
}
