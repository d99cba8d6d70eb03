"""Card texts of Kingdoms, made from the deck: one entry for each hero, with what its class is for."""

from dataclasses import replace
from functools import cache
from itertools import cycle, groupby
from pathlib import Path

from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.boards.kingdoms.cards import castle_picture
from games.boards.kingdoms.faces import HEROES, face
from games.help.ruling import read
from games.help.term import CARDS, CardGroup, CardHelp, Term
from games.rules.kingdoms.deck import KINDS, POWERS, RANKS, SUITS, Card, card, castle, deck
from games.rules.protocol import IllegalAction
from games.tables.pages.kingdoms import pictures

DATA = read(Path(__file__).parent, "cards")
PLURALS = {kind: gettext_lazy(row["name"]) for kind, row in DATA["classes"].items()}
CLASSES = {kind: gettext_lazy(row["text"]) for kind, row in DATA["classes"].items()}  # also used in the glossary
PLACES = {rank: gettext_lazy(row["text"]) for rank, row in DATA["places"].items()}


@cache
def cards_of() -> dict[str, list[Card]]:
    """Return the cards of a deck by figure, such as `archer`."""
    heroes = sorted(map(card, deck(1)), key=lambda hero: list(HEROES).index(figure(hero.id)))
    return {key: list(group) for key, group in groupby(heroes, key=lambda hero: figure(hero.id))}


def figure(card_id: str) -> str:
    """Return the hero on a card: `archer` for every Archer."""
    return face(card_id).figure


def card_ids(slug: str) -> list[str]:
    return list(cards_of())


def card_term(slug: str, name: str) -> Term:
    """Return the help entry of a hero, by its figure or by a card that shows it. Raises `KeyError` if it is neither."""
    try:
        key = name if name in HEROES else figure(name)
    except IllegalAction:
        raise KeyError(name) from None
    shown, sentences = cards_of()[key][0], []
    if shown.power:
        power = POWERS[shown.power]
        sentences.append(_("{power}: {text}").format(power=_(power.name), text=_(power.text)))
    # Class, value and price: `Attack Hero, value 4; its price is 1 dot, and each suit has 2.`
    copies = len(cards_of()[key]) // len(SUITS)
    if shown.dots:
        worth = ngettext(
            "{kind}, value {value}; its price is {price}. Each suit has one.",
            "{kind}, value {value}; its price is {price}. Each suit has {copies}.",
            copies,
        )
    else:
        worth = _("{kind}, value {value}; it has no dots, so it can’t be bought or used to pay. Each deck has one.")
    price = ngettext("{n} dot", "{n} dots", shown.dots).format(n=shown.dots)
    sentences.append(worth.format(kind=_(KINDS[shown.kind]), value=shown.value, price=price, copies=copies))
    sentences.append(str(PLACES[shown.rank] if shown.rank else CLASSES[shown.kind]))
    return Term(slug, "card", key, _(HEROES[key]), tuple(sentences), key, CARDS)


# The cards page


def card_groups(slug: str) -> list[CardGroup]:
    """Return the deck by class, with the Castle last. The suits take turns so that all four appear."""
    suits, groups = cycle(range(len(SUITS))), []
    for kind in KINDS:
        of_class, shown = str(CLASSES[kind]), []
        heroes = [cards for cards in cards_of().values() if cards[0].kind == kind]
        for cards, n in zip(heroes, suits, strict=False):
            full = _help(slug, cards[n * len(cards) // len(SUITS)])
            # The sentence about the class is shown once, with the group
            own = tuple(sentence for sentence in full.term.sentences if sentence != of_class)
            shown.append(replace(full, term=replace(full.term, sentences=own)))
        groups.append(CardGroup(f"class-{kind}", str(PLURALS[kind]), tuple(shown), (of_class,)))
    words = (
        _("Each player starts with one. It stays in front of its owner and never leaves play."),
        _("Without Towers above it, its wall adds 3 to a defense, unless an option changes this."),
    )
    term = Term(slug, "card", "castle", _("Castle"), words, "castle-card", CARDS)
    drawn = mark_safe(castle_picture(castle(0), pictures.sprite_url(), translate=_))
    groups.append(CardGroup("class-castle", _("Castles"), (CardHelp(drawn, term),)))
    return groups


def _help(slug: str, card: Card) -> CardHelp:
    return CardHelp(pictures.picture(card.id), card_term(slug, card.id), card.power or "")


def power_card(slug: str, power: str) -> CardHelp:
    """Return the Epic or Boss with this power."""
    return next(_help(slug, cards[0]) for cards in cards_of().values() if cards[0].power == power)


def ranks(slug: str) -> list[CardHelp]:
    """Return the four Towers of one suit, from the ground up."""
    return [_help(slug, cards_of()[rank][0]) for rank in RANKS]
