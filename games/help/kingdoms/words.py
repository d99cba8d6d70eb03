"""The words of Kingdoms: what lies on the table, what one can do, and what each power does."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.help.kingdoms.cards import CLASSES, card_ids, card_term
from games.help.term import CARDS, Shelf, Term
from games.rules.kingdoms.deck import KINDS, POWERS

Lazy = str | Promise

# By id: the name, what it means, and the section of the rules page that tells more, if not the word's own place.
WORDS: dict[str, tuple[Lazy, Lazy]] = {
    "tower": (
        gettext_lazy("Tower"),
        gettext_lazy(
            "A Kingdom Hero that stands in front of its owner: Emperor, Queen, Prince, Princess, from the ground up. "
            "Each Tower is a card more to draw, and a layer before the Castle."
        ),
    ),
    "castle": (
        gettext_lazy("Castle"),
        gettext_lazy(
            "What is left to attack where no Tower stands. Its wall adds to the defence; when it falls, the winner "
            "rules its owner."
        ),
    ),
    "flop": (
        gettext_lazy("Flop"),
        gettext_lazy("The open cards in the middle: what can be bought, and what the winner of a battle takes."),
    ),
    "draw-deck": (
        gettext_lazy("Draw deck"),
        gettext_lazy("The cards face down. When it is empty the Burn pile is shuffled and becomes the new one."),
    ),
    "burn-pile": (
        gettext_lazy("Burn pile"),
        gettext_lazy("Where troops go after a battle, and lost Towers and played Bosses too. All may look through it."),
    ),
    "dots": (
        gettext_lazy("Dots"),
        gettext_lazy("The price of a card, solid at its foot. Cards are exchanged dots against dots, exactly."),
    ),
    "suit": (
        gettext_lazy("Suit"),
        gettext_lazy(
            "Sun, Wave, Pine or Plum, each with a sign and a colour. Only the Not-So-Secret Move asks for it."
        ),
    ),
    "troop-hand": (
        gettext_lazy("Troop hand"),
        gettext_lazy("The cards laid for an attack or a defence: any that make 21 or less, an Epic 21, or a command."),
    ),
    "epic-21": (
        gettext_lazy("Epic 21"),
        gettext_lazy(
            "Three Attack Heroes, two Champions or one Kingdom Hero that make just 21. One Support Hero may be added, "
            "which makes it 22 to 24."
        ),
    ),
    "command": (
        gettext_lazy("Command"),
        gettext_lazy("An Epic or a Boss alone or with one other Hero: the sum counts, even beyond 21."),
    ),
    "wave": (
        gettext_lazy("Wave"),
        gettext_lazy("A hand laid by each side. After a tie the attacker may lay another one."),
    ),
    "ruler": (
        gettext_lazy("Ruler"),
        gettext_lazy("Who has taken your Castle, or won you from your ruler before. Who has none is free."),
    ),
    "sub-kingdom": (
        gettext_lazy("Sub-kingdom"),
        gettext_lazy(
            "A kingdom with a ruler. It goes on playing with its own hand, may revolt, and can still win with the "
            "Princess or with 300."
        ),
    ),
    "blind-pick": (
        gettext_lazy("Blind pick"),
        gettext_lazy(
            "A ruler takes a card at random from a direct sub-kingdom: once in the own turn, and before each defence."
        ),
    ),
    "protection": (
        gettext_lazy("Protection"),
        gettext_lazy("When a sub-kingdom is attacked its ruler may leave it alone, defend together with it or for it."),
    ),
    "not-so-secret-move": (
        gettext_lazy("Not-So-Secret Move"),
        gettext_lazy("Cards of one suit that make exactly 21 are burned, and you take any Tower of another player."),
    ),
    "kingdom-value": (
        gettext_lazy("Kingdom value"),
        gettext_lazy("What all the cards in a hand are worth together. 300 wins; 100 and 200 are announced."),
    ),
    "shown-cards": (
        gettext_lazy("Shown cards"),
        gettext_lazy("From 200 on a player lays open cards worth 100 or more. They are still cards of the hand."),
    ),
    "showdown": (
        gettext_lazy("Final Showdown"),
        gettext_lazy("When all three piles are empty everybody attacks until nobody can; then Towers are counted."),
    ),
}

# As docs/kingdoms-balance.md has measured it
PLAYERS: Mapping[int, Lazy] = {
    2: gettext_lazy("A short duel, decided mostly by who takes the other’s Castle and keeps it for a turn."),
    3: gettext_lazy("A good game, and a warlike one: two in three are won by conquest."),
    4: gettext_lazy("This is the game at its best: all three roads win, and it matters little who begins."),
    5: gettext_lazy(
        "With two decks. A long game: half of them are won by 300, the others by conquest or the Princess."
    ),
    6: gettext_lazy("With two decks. A long game, won mostly by 300; an early conquest is rare."),
    7: gettext_lazy("With two decks. A very long game, won mostly by 300; an early conquest is rare."),
    8: gettext_lazy("With two decks. A very long game, won mostly by 300; an early conquest is rare."),
}


def word_ids(slug: str) -> list[str]:
    return list(WORDS)


def word_term(slug: str, word: str) -> Term:
    name, words = WORDS[word]
    return Term(slug, "word", word, str(name), (str(words),), f"word-{word}")


def class_ids(slug: str) -> list[str]:
    return list(KINDS)


def class_term(slug: str, kind: str) -> Term:
    """A class of Heroes, which has its place among the cards."""
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
