"""Standing orders, and what is done for a seat whose time has run out (sections 15 and 21, K63, K93)."""

from collections.abc import Iterable, Mapping
from typing import Any

from games.rules.kingdoms import actions as a
from games.rules.kingdoms.deck import card, deck_index, load
from games.rules.kingdoms.legal import must_attack, pickable, targets
from games.rules.kingdoms.powers import MOST_TRIBUTES, others_with, power
from games.rules.kingdoms.state import (
    DEFEND,
    EPIC,
    FLOPDRAW,
    INFILTRATE,
    LEAVE,
    PROTECT,
    SHOWDOWN,
    TIE,
    TURN,
    State,
    clockwise,
    to_act,
)
from games.rules.kingdoms.troops import best_ordinary
from games.rules.protocol import read_options

ASK, BEST, CONCEDE, FIRST = "ask", "best", "concede", "first"
FEW = {"one": 1, "two": 2, "three": 3}
FIELDS = tuple(read_options(load("options")["orders"]).values())
DEFAULTS = {field.name: field.default for field in FIELDS}


def answer(state: State, seat: int, orders: Mapping[str, Any]) -> a.Action | None:
    """Return what the seat's orders decide, or None if they don't cover the pending decision."""
    if seat not in to_act(state):
        return None
    wanted = {**DEFAULTS, **orders}
    if state.phase == PROTECT and wanted["protect"] in a.MODES:
        return a.Protect(wanted["protect"])
    if state.phase != DEFEND or wanted["defend"] == ASK:
        return None
    subs = pickable(state, seat) if wanted["pick"] == FIRST else []
    if subs:
        return a.BlindPick(subs[0])
    if wanted["defend"] == CONCEDE:
        return a.Defend(())
    return a.Defend(best_ordinary(state.hands[seat], FEW.get(wanted["defend"])))


def when_late(state: State, seat: int) -> a.Action | None:
    """Return the step taken for a seat whose time has run out, or None if it need not act."""
    if seat not in to_act(state):
        return None
    phase = state.phase
    if phase == TURN and not state.flags.drawn:
        return a.Draw()
    if phase == SHOWDOWN or (phase == TURN and must_attack(state)):
        # The first legal target in turn order, with the lowest card.
        lowest = min(state.hands[seat], key=lambda card_id: (card(card_id).value, deck_index(card_id)))
        return a.Attack(targets(state, seat)[0], (lowest,))
    if phase == FLOPDRAW:
        return a.DrawFromFlop(_dearest(state.flop))
    if phase == EPIC:
        move = power(state)
        if move == "storm":
            return a.Storm(_with_most(state, seat, state.towers)[0])
        if move == "tribute":
            return a.Tribute(tuple(sorted(_with_most(state, seat, state.hands)[:MOST_TRIBUTES])))
        return a.Market(_dearest(state.flop))
    if phase == INFILTRATE:
        return a.Take(_dearest(state.hands[state.look]))
    if phase == PROTECT:
        return a.Protect(LEAVE)
    if phase == DEFEND:
        return a.Defend(best_ordinary(state.hands[seat]))
    return a.Stop() if phase == TIE else a.End()


def _dearest(cards: Iterable[str]) -> str:
    """Return the card with the highest value; of equal ones, the first in deck order."""
    return min(cards, key=lambda card_id: (-card(card_id).value, deck_index(card_id)))


def _with_most(state: State, seat: int, piles: list[tuple[str, ...]]) -> list[int]:
    """Return the other seats whose pile is not empty, largest first, then in turn order."""
    holders = others_with(state, piles)
    return sorted((other for other in clockwise(state, seat) if other in holders), key=lambda other: -len(piles[other]))
