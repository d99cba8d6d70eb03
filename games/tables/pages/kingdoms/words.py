"""Cards and actions in the reader's language: their names, and the steps of a draft in a few words."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from django.utils.translation import get_language, gettext_noop, ngettext
from django.utils.translation import gettext as _

from games.boards.kingdoms import faces
from games.notices.outbox.words import enumerated as listed
from games.rules.kingdoms import actions as a
from games.rules.kingdoms.deck import POWERS, RANK_NAMES, card
from games.rules.kingdoms.worth import value
from games.rules.protocol import IllegalAction

STEPS: dict[type, str] = {
    a.Draw: gettext_noop("Draw"),
    a.DrawFromFlop: gettext_noop("Take {card} from the Flop"),
    a.Burn: gettext_noop("Burn {card}"),
    a.Buy: gettext_noop("Buy {taken} for {given}"),
    a.Build: gettext_noop("Build {card}"),
    a.PickUp: gettext_noop("Pick up the top Tower"),
    a.BlindPick: gettext_noop("Take a random card from {player}"),
    a.NotSoSecret: gettext_noop("Show {cards} and take {player}’s {rank}"),
    a.Show: gettext_noop("Show {cards}"),
    a.Gift: gettext_noop("Give {player} {cards}"),
    a.Attack: gettext_noop("Attack {player} with {laid}"),
    a.End: gettext_noop("End the turn"),
    a.Storm: gettext_noop("Storm: {player} loses their top Tower"),
    a.Tribute: gettext_noop("Take a random card from {players}"),
    a.Market: gettext_noop("Take {card} from the Flop for free"),
    a.Take: gettext_noop("Take {card}"),
    a.Defend: gettext_noop("Defend with {laid}"),
    a.Stop: gettext_noop("Stop the battle"),
    a.Wave: gettext_noop("Continue with {laid}"),
}
PROTECTIONS = {
    "leave": gettext_noop("No protection"),
    "with": gettext_noop("Defend together"),
    "for": gettext_noop("Defend alone"),
}


def hero(card: str) -> str:
    """Return the card's name with its suit: `Sun Archer`."""
    return _hero(card, get_language() or "")


@lru_cache(maxsize=2048)
def _hero(card: str, language: str) -> str:
    return faces.hero(card, _)


def short(card: str) -> str:
    """Return the card's name with its value, without suit: `Archer 4`."""
    return _short(card, get_language() or "")


@lru_cache(maxsize=2048)
def _short(card: str, language: str) -> str:
    shown = faces.face(card, _)
    return f"{shown.name} {shown.value}"


def named(cards: Iterable[str]) -> str:
    """List the cards by name, with equal names counted: `Sun Archer ×2, Wave Healer`."""
    counted: dict[str, int] = {}
    for name in map(hero, cards):
        counted[name] = counted.get(name, 0) + 1
    return ", ".join(name if n == 1 else f"{name} ×{n}" for name, n in counted.items())


def cards_count(n: int) -> str:
    return ngettext("{n} card", "{n} cards", n).format(n=n)


def dots_count(n: int) -> str:
    return ngettext("{n} dot", "{n} dots", n).format(n=n)


def draws(n: int) -> str:
    return ngettext("Draw {n} card", "Draw {n} cards", n).format(n=n)


def step_words(action: str, names: Sequence[str]) -> str:
    """Return the step in a few words; the text itself if invalid."""
    try:
        step = a.parse(action)
    except IllegalAction:
        return action
    values: dict[str, str] = {}
    match step:
        case a.Protect(mode):
            return _(PROTECTIONS[mode])
        case a.Defend(()):
            return _("Defend with no cards")
        case a.Boss(boss, seat, taken):
            move = _(POWERS[card(boss).power or ""].name)
            if seat is not None:
                return _("{move}: look at {player}’s hand").format(move=move, player=names[seat])
            if taken is not None:
                return _("{move}: take {card} from the Burn pile").format(move=move, card=hero(taken))
            return move
        case a.DrawFromFlop(one) | a.Burn(one) | a.Build(one) | a.Market(one) | a.Take(one):
            values = {"card": hero(one)}
        case a.Buy(give, take):
            values = {"taken": named(take), "given": named(give)}
        case a.NotSoSecret(cards, seat, rank):
            values = {"cards": named(cards), "rank": _(RANK_NAMES[rank]), "player": names[seat]}
        case a.Show(cards):
            values = {"cards": named(cards)}
        case a.Gift(seat, cards):
            values = {"player": names[seat], "cards": named(cards)}
        case a.BlindPick(seat) | a.Storm(seat):
            values = {"player": names[seat]}
        case a.Tribute(seats):
            values = {"players": listed([names[seat] for seat in seats])}
        case a.Attack(seat, cards):
            values = {"player": names[seat], "laid": _laid(cards)}
        case a.Defend(cards) | a.Wave(cards):
            values = {"laid": _laid(cards)}
    return _(STEPS[type(step)]).format(**values)


def _laid(cards: a.Cards) -> str:
    return _("{total}: {cards}").format(total=value(cards), cards=named(cards))
