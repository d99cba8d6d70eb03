"""The cards in the middle: the Flop as a market stall, the Draw deck as a stack of backs, the Burn pile as embers.

A page that lets people choose cards puts them under `awning` itself; `market` draws everything as one picture.
"""

from html import escape

from games.boards.kingdoms.cards import back_picture, card_picture, definitions, parts_of
from games.boards.kingdoms.describe import counted
from games.boards.kingdoms.faces import PEN, face, hero, moved, sheet, strokes
from games.rules.kingdoms.view import View
from games.rules.words import Translate, gettext_noop, listed, untranslated

WIDTH = 360
CARD = 60
ROW = 5  # cards per row
STRIPE = 24
_DECK = (gettext_noop("Draw deck: {n} card"), gettext_noop("Draw deck: {n} cards"))
_BURN = (gettext_noop("Burn pile: {n} card"), gettext_noop("Burn pile: {n} cards"))


def market(view: View, sprite: str = "", translate: Translate = untranslated) -> str:
    """Draw the stall with the Flop, and both piles next to it. `sprite` as in a battle's scene."""
    rows = [view.flop[n : n + ROW] for n in range(0, len(view.flop), ROW)] or [()]
    deep = 62 + 90 * len(rows)
    # The posts, and the table cloth.
    stall = (
        f'<g {PEN}><path fill="#8a5c30" stroke-width="1.8" d="M8 20H15V{deep}H8ZM345 20H352V{deep}H345Z"/>'
        f'<path fill="#1d6a73" stroke-width="1.8" d="M15 40H345V{deep - 12}H15Z"/>'
        f'<path fill="#0d3d45" fill-opacity=".45" stroke="none" d="M15 40H345V54H15Z"/>'
        f'<path fill="#a87a45" stroke-width="1.8" d="M2 {deep - 14}H358V{deep}H2Z"/></g>'
    )
    needed, cards = ["k-back"], ""
    for n, row in enumerate(rows):
        left = (WIDTH - (CARD + 6) * len(row) + 6) / 2
        drawn = ""
        for column, card in enumerate(row):
            place = f'x="{left + (CARD + 6) * column:g}" width="{CARD}" height="84"'
            drawn += card_picture(card, sprite, place, translate)
            shown = face(card)
            needed += parts_of(shown.suit, shown.figure)
        cards += moved(drawn, 0, 56 + 90 * n)
    piles = moved(_deck(view.deck, sprite, translate), 96, deep + 84)
    piles += moved(_embers(len(view.burn), translate), 264, deep + 84)
    words, title = market_words(view, translate), translate(gettext_noop("The Flop and the piles"))
    parts = "" if sprite else f"<defs>{definitions(needed)}</defs>"
    height = deep + 126
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="k-scene k-market" viewBox="0 0 {WIDTH} {height}"'
        f' width="{WIDTH}" height="{height}" role="img" font-family="Alegreya" font-weight="700" font-size="18"'
        f' text-anchor="middle" fill="#2a2318"><title>{escape(title)}</title><desc>{escape(words)}</desc>'
        f"{parts}{stall}{_roof()}{cards}{piles}</svg>"
    )


def market_words(view: View, translate: Translate = untranslated) -> str:
    """Describe the middle in sentences."""
    flop = listed([hero(card, translate) for card in view.flop], translate) or translate(gettext_noop("empty"))
    sentences = [
        translate(gettext_noop("Flop: {cards}")).format(cards=flop),
        counted(view.deck, _DECK, translate),
        counted(len(view.burn), _BURN, translate),
    ]
    return f"{'. '.join(sentences)}."


def awning() -> str:
    """Draw only the stall's roof, for a page that lays out the cards itself."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="k-awning" id="awning" viewBox="0 0 {WIDTH} 44"'
        f' aria-hidden="true" focusable="false" preserveAspectRatio="none">{_roof()}</svg>'
    )


def deck_pile(n: int, sprite: str = "", translate: Translate = untranslated) -> str:
    """Draw only the Draw deck, with its count."""
    return _pile(_deck(n, sprite, translate), counted(n, _DECK, translate), "deck-pile")


def ember_pile(n: int, translate: Translate = untranslated) -> str:
    """Draw only the Burn pile, with its count."""
    return _pile(_embers(n, translate), counted(n, _BURN, translate), "embers")


def _pile(drawing: str, words: str, name: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="k-table" id="{name}" viewBox="-48 -78 96 118" width="96"'
        ' height="118" role="img" font-family="Alegreya" font-weight="700" font-size="18" text-anchor="middle"'
        f' fill="#2a2318"><title>{escape(words)}</title>{drawing}</svg>'
    )


def _roof() -> str:
    """Draw stripes with round ends."""
    stripes = ["", ""]
    for n in range(WIDTH // STRIPE):
        stripes[n % 2] += f"M{n * STRIPE} 6H{n * STRIPE + STRIPE}V32a12 10 0 0 1-{STRIPE} 0Z"
    return (
        f'<g {PEN} stroke-width="1.6"><path fill="#b8321c" d="{stripes[0]}"/><path fill="#fbf1da" d="{stripes[1]}"/>'
        f'<path fill="#8a5c30" d="M0 2H{WIDTH}V9H0Z"/></g>'
    )


def _deck(n: int, sprite: str, translate: Translate) -> str:
    """Draw a stack of backs, higher for more cards, over the middle of its foot."""
    high = min(4, -(-n // 16))
    places = [f'x="{-24 + 2 * step:g}" y="{-67 - 2.4 * step:g}" width="46" height="64.4"' for step in range(high)]
    stack = "".join(back_picture(sprite, place, translate) for place in places)
    empty = '<path fill="none" stroke="#8d7a5c" stroke-width="1.6" stroke-dasharray="5 4" d="M-23-66H22V-4H-23Z"/>'
    return f"{stack or empty}{_label(n, translate(gettext_noop('Draw deck')), 'deck')}"


def _embers(n: int, translate: Translate) -> str:
    """Draw a fire over the middle of its foot; cold if nothing was burned."""
    fire = strokes(sheet("things")["table"]["embers" if n else "ashes"])
    drawn = f'<g data-of="fire" transform="translate(0 -4)"><g {PEN}>{fire}</g></g>'
    return f"{drawn}{_label(n, translate(gettext_noop('Burn pile')), 'burn')}"


def _label(n: int, words: str, name: str) -> str:
    """Write the count, by whose name a film finds it, and the words."""
    return f'<text y="18" data-count="{name}">{n}</text><text y="34" font-size="14">{escape(words)}</text>'
