"""What a seat has decided beforehand, and what is done for a seat whose time is up (sections 15 and 21, K63, K93)."""

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
        gettext_noop("How I defend without being asked: with the best ordinary hand, no Epic and no Boss."),
        (
            OptionChoice(BEST, gettext_noop("With the best hand")),
            OptionChoice("three", gettext_noop("With the best hand of at most three cards")),
            OptionChoice("two", gettext_noop("With the best hand of at most two cards")),
            OptionChoice("one", gettext_noop("With one card at most")),
            OptionChoice(CONCEDE, gettext_noop("Not at all")),
            OptionChoice(ASK, gettext_noop("Ask me")),
        ),
        BEST,
    ),
    OptionField(
        "protect",
        gettext_noop("When a sub-kingdom of mine is attacked"),
        gettext_noop("How I protect those whom I rule without being asked."),
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
        gettext_noop("Whether I first pick a card from each sub-kingdom that I may pick from."),
        (
            OptionChoice("not", gettext_noop("Pick none")),
            OptionChoice(FIRST, gettext_noop("Pick first")),
        ),
        "not",
    ),
)
DEFAULTS = {field.name: field.default for field in FIELDS}


def answer(state: State, seat: int, orders: Mapping[str, Any]) -> a.Action | None:
    """What the seat's orders say to the decision that it owes; null where they do not cover it."""
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


# Time is up


def when_late(state: State, seat: int) -> a.Action | None:
    """The step that is done for a seat whose time has run out; null for one that owes nothing."""
    return _LATE[state.phase](state, seat) if seat in to_act(state) else None


def _turn(state: State, seat: int) -> a.Action:
    if not state.flags.drawn:
        return a.Draw()
    return _first_attack(state, seat) if must_attack(state) else a.End()


def _first_attack(state: State, seat: int) -> a.Action:
    """The first legal target in playing order, with the lowest card."""
    lowest = min(state.hands[seat], key=lambda one: (card(one).value, place(one)))
    return a.Attack(targets(state, seat)[0], (lowest,))


def _epic(state: State, seat: int) -> a.Action:
    return _EPICS[power(state)](state, seat)


def _storm(state: State, seat: int) -> a.Action:
    return a.Storm(_with_most(state, seat, state.towers)[0])


def _tribute(state: State, seat: int) -> a.Action:
    return a.Tribute(tuple(sorted(_with_most(state, seat, state.hands)[:2])))


def _with_most(state: State, seat: int, piles: list[tuple[str, ...]]) -> list[int]:
    """The others who have something there, most first, then in playing order."""
    holders = others_with(state, piles)
    return sorted((one for one in clockwise(state, seat) if one in holders), key=lambda one: -len(piles[one]))


_EPICS: dict[str, Callable[[State, int], a.Action]] = {
    "storm": _storm,
    "tribute": _tribute,
    "market": lambda state, seat: a.Market(_dearest(state.flop)),
}


def _dearest(cards: Iterable[str]) -> str:
    """The highest value, of equal ones the first in deck order."""
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
