"""Standing orders, and what is done for a seat whose time has run out (sections 15 and 21, K63, K93)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.rules.kingdoms import actions as a
from games.rules.kingdoms.allowed import must_attack, pickable, targets
from games.rules.kingdoms.deck import card, place
from games.rules.kingdoms.epics import others_with, power
from games.rules.kingdoms.state import (
    DEFEND,
    EPIC,
    FLOPDRAW,
    INFILTRATE,
    PROTECT,
    SHOWDOWN,
    TIE,
    TURN,
    State,
    clockwise,
    to_act,
)
from games.rules.kingdoms.troops import best_ordinary
from games.rules.protocol import OptionChoice, OptionField
from games.rules.words import gettext_noop

ASK, BEST, CONCEDE, FIRST = "ask", "best", "concede", "first"
FEW = {"one": 1, "two": 2, "three": 3}

FIELDS = (
    OptionField(
        "defend",
        gettext_noop("When I am attacked"),
        gettext_noop("How to defend without asking you. Uses your best ordinary hand, without Epics or Bosses."),
        (
            OptionChoice(BEST, gettext_noop("With my best hand")),
            OptionChoice("three", gettext_noop("With my best hand of at most three cards")),
            OptionChoice("two", gettext_noop("With my best hand of at most two cards")),
            OptionChoice("one", gettext_noop("With at most one card")),
            OptionChoice(CONCEDE, gettext_noop("Don’t defend")),
            OptionChoice(ASK, gettext_noop("Ask me")),
        ),
        BEST,
    ),
    OptionField(
        "protect",
        gettext_noop("When my sub-kingdom is attacked"),
        gettext_noop("How to protect the players you rule without asking you."),
        (
            OptionChoice("leave", gettext_noop("Leave it alone")),
            OptionChoice("with", gettext_noop("Defend together with it")),
            OptionChoice("for", gettext_noop("Defend for it")),
            OptionChoice(ASK, gettext_noop("Ask me")),
        ),
        "leave",
    ),
    OptionField(
        "pick",
        gettext_noop("Picking before I defend"),
        gettext_noop("Whether to first take a card from each sub-kingdom you may pick from."),
        (
            OptionChoice("not", gettext_noop("Don’t pick")),
            OptionChoice(FIRST, gettext_noop("Pick first")),
        ),
        "not",
    ),
)
DEFAULTS = {field.name: field.default for field in FIELDS}


def answer(state: State, seat: int, orders: Mapping[str, Any]) -> a.Action | None:
    """Return what the seat's orders decide, or None if they don't cover the pending decision."""
    if seat not in to_act(state):
        return None
    wanted = {**DEFAULTS, **orders}
    if state.phase == PROTECT and wanted["protect"] in a.MODES:
        return a.Protect(wanted["protect"])
    if state.phase == DEFEND and wanted["defend"] != ASK:
        return _defence(state, seat, wanted)
    return None


def _defence(state: State, seat: int, wanted: Mapping[str, Any]) -> a.Action:
    subs = pickable(state, seat) if wanted["pick"] == FIRST else []
    if subs:
        return a.BlindPick(subs[0])
    if wanted["defend"] == CONCEDE:
        return a.Defend(())
    return a.Defend(best_ordinary(state.hands[seat], FEW.get(wanted["defend"])))


# Time-outs


def when_late(state: State, seat: int) -> a.Action | None:
    """Return the step taken for a seat whose time has run out, or None if it need not act."""
    return _LATE[state.phase](state, seat) if seat in to_act(state) else None


def _turn(state: State, seat: int) -> a.Action:
    if not state.flags.drawn:
        return a.Draw()
    return _first_attack(state, seat) if must_attack(state) else a.End()


def _first_attack(state: State, seat: int) -> a.Action:
    """Attack the first legal target in turn order, with the lowest card."""
    lowest = min(state.hands[seat], key=lambda one: (card(one).value, place(one)))
    return a.Attack(targets(state, seat)[0], (lowest,))


def _epic(state: State, seat: int) -> a.Action:
    return _EPICS[power(state)](state, seat)


def _storm(state: State, seat: int) -> a.Action:
    return a.Storm(_with_most(state, seat, state.towers)[0])


def _tribute(state: State, seat: int) -> a.Action:
    return a.Tribute(tuple(sorted(_with_most(state, seat, state.hands)[:2])))


def _with_most(state: State, seat: int, piles: list[tuple[str, ...]]) -> list[int]:
    """Return the other seats whose pile is not empty, largest first, then in turn order."""
    holders = others_with(state, piles)
    return sorted((one for one in clockwise(state, seat) if one in holders), key=lambda one: -len(piles[one]))


_EPICS: dict[str, Callable[[State, int], a.Action]] = {
    "storm": _storm,
    "tribute": _tribute,
    "market": lambda state, seat: a.Market(_dearest(state.flop)),
}


def _dearest(cards: Iterable[str]) -> str:
    """Return the card with the highest value; of equal ones, the first in deck order."""
    return min(cards, key=lambda one: (-card(one).value, place(one)))


_LATE: dict[str, Callable[[State, int], a.Action]] = {
    TURN: _turn,
    FLOPDRAW: lambda state, seat: a.DrawFromFlop(_dearest(state.flop)),
    EPIC: _epic,
    INFILTRATE: lambda state, seat: a.Take(_dearest(state.hands[state.look])),
    PROTECT: lambda state, seat: a.Protect("leave"),
    DEFEND: lambda state, seat: a.Defend(best_ordinary(state.hands[seat])),
    TIE: lambda state, seat: a.Stop(),
    SHOWDOWN: _first_attack,
}
