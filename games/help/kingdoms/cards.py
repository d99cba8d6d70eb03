"""The cards of Kingdoms in sentences, made from the deck: a hero of each kind, and what its class is for."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import cycle, groupby

from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.boards.kingdoms.cards import castle_picture
from games.boards.kingdoms.faces import HEROES, face
from games.help.cards import CardGroup, CardHelp
from games.help.term import CARDS, Term
from games.rules.kingdoms.deck import KINDS, POWERS, RANKS, SUITS, Card, card, castle, deck
from games.rules.protocol import IllegalAction
from games.tables.pages.kingdoms import pictures

PLURALS = {
    "attack": gettext_lazy("Attack Heroes"),
    "champion": gettext_lazy("Champion Heroes"),
    "support": gettext_lazy("Support Heroes"),
    "kingdom": gettext_lazy("Kingdom Heroes"),
    "epic": gettext_lazy("Epic Heroes"),
    "boss": gettext_lazy("Boss Heroes"),
}
# What is true of every card of a class; the words of the glossary are the same.
CLASSES = {
    "attack": gettext_lazy("Troops of small and middling value; three of them that make 21 are an Epic 21."),
    "champion": gettext_lazy("Strong troops; two of them that make 21 are an Epic 21."),
    "support": gettext_lazy(
        "Small numbers that fill a hand up to 21, and the only cards that lift an Epic 21 above it."
    ),
    "kingdom": gettext_lazy(
        "Built in front of you they are your Towers; in the hand each is worth 21, and is an Epic 21 by itself."
    ),
    "epic": gettext_lazy(
        "Whoever turns one over keeps it, and has to make its move at once. Later it is a strong troop that may go "
        "beyond 21, alone or with one other Hero."
    ),
    "boss": gettext_lazy(
        "Whoever turns one over keeps it, and plays it when it suits: for its move, after which it is burned, or as a "
        "strong troop that may go beyond 21, alone or with one other Hero."
    ),
}
PLACES = {
    "emperor": gettext_lazy("As a Tower it is the first, on the ground."),
    "queen": gettext_lazy("As a Tower it stands on the Emperor."),
    "prince": gettext_lazy("As a Tower it stands on the Queen."),
    "princess": gettext_lazy("As a Tower it stands on the Prince, and who builds it wins at once."),
}


@cache
def cards_of() -> dict[str, list[Card]]:
    """The cards of a deck by their figure, `archer`."""
    heroes = sorted(map(card, deck(1)), key=lambda one: list(HEROES).index(figure(one.id)))
    return {key: list(group) for key, group in groupby(heroes, key=lambda one: figure(one.id))}


def figure(card_id: str) -> str:
    """The hero on a card: `archer` for every Archer."""
    return face(card_id).figure


def card_ids(slug: str) -> list[str]:
    return list(cards_of())


def card_term(slug: str, name: str) -> Term:
    """A hero by its figure, or by a card that shows it. Raises `KeyError` for neither."""
    key = name if name in HEROES else _figure(name)
    shown = cards_of()[key][0]
    return Term(slug, "card", key, _(HEROES[key]), tuple(_sentences(shown)), key, CARDS)


def _figure(card_id: str) -> str:
    try:
        return figure(card_id)
    except IllegalAction:
        raise KeyError(card_id) from None


def _sentences(shown: Card) -> Iterable[str]:
    if shown.power:
        power = POWERS[shown.power]
        yield _("{power}: {text}").format(power=_(power.name), text=_(power.text))
    yield _worth(shown)
    yield str(PLACES[shown.rank] if shown.rank else CLASSES[shown.kind])


def _worth(shown: Card) -> str:
    """`Attack Hero, value 4; its price is 1 dot, and each suit has 2.`"""
    kind, copies = _(KINDS[shown.kind]), len(cards_of()[figure(shown.id)]) // len(SUITS)
    if not shown.dots:
        return _("{kind}, value {value}; without dots it cannot be bought or pay, and each deck has one.").format(
            kind=kind, value=shown.value
        )
    price = ngettext("{n} dot", "{n} dots", shown.dots).format(n=shown.dots)
    return ngettext(
        "{kind}, value {value}; its price is {price}, and each suit has one.",
        "{kind}, value {value}; its price is {price}, and each suit has {copies}.",
        copies,
    ).format(kind=kind, value=shown.value, price=price, copies=copies)


# As the page shows them


def card_groups(slug: str) -> list[CardGroup]:
    """The deck by class, the suits taking turns so that all four are seen; the Castle comes last."""
    suits = cycle(range(len(SUITS)))
    return [*(_group(slug, kind, suits) for kind in KINDS), _castles(slug)]


def _group(slug: str, kind: str, suits: Iterable[int]) -> CardGroup:
    heroes = [cards for cards in cards_of().values() if cards[0].kind == kind]
    shown = tuple(_brief(slug, cards[n * len(cards) // len(SUITS)]) for cards, n in zip(heroes, suits, strict=False))
    return CardGroup(f"class-{kind}", str(PLURALS[kind]), shown, (str(CLASSES[kind]),))


def _help(slug: str, one: Card) -> CardHelp:
    return CardHelp(None, card_term(slug, one.id), pictures.picture(one.id), one.power or "")


def _brief(slug: str, one: Card) -> CardHelp:
    """Without what is true of the whole class, which stands above."""
    full, of_class = _help(slug, one), str(CLASSES[one.kind])
    told = tuple(sentence for sentence in full.term.sentences if sentence != of_class)
    return replace(full, term=replace(full.term, sentences=told))


def power_card(slug: str, power: str) -> CardHelp:
    """The Epic or Boss that has the power."""
    return next(_help(slug, cards[0]) for cards in cards_of().values() if cards[0].power == power)


def _castles(slug: str) -> CardGroup:
    words = (
        _("Everybody has one from the beginning. It stands in front of its owner and never leaves the table."),
        _("Without Towers above it, its wall adds 3 to a defence, or what the table has chosen."),
    )
    term = Term(slug, "card", "castle", _("Castle"), words, "castle-card", CARDS)
    drawn = mark_safe(castle_picture(castle(0), pictures.sprite_url(), translate=_))
    return CardGroup("class-castle", _("Castles"), (CardHelp(None, term, drawn),))


def ranks(slug: str) -> list[CardHelp]:
    """The four Towers from the ground up, all of one suit."""
    return [_help(slug, cards_of()[rank][0]) for rank in RANKS]
