"""Bots at the table. They see what their seat may know and submit like everybody else. A broken one holds nobody up."""

import logging
import secrets
from collections.abc import Callable, Iterator

from games.bots.registry import BOTS, from_strong_to_weak
from games.bots.turn import play_turn
from games.models import Game, Seat, Status
from games.models.log import By
from games.rules.fairness import Quick
from games.rules.protocol import Ruleset, View
from games.selectors import position
from games.services.errors import GameError, NotYours, Over, Stale
from games.services.play import submit_turn

logger = logging.getLogger(__name__)

STAND_IN = "greedy"  # plays when the clock runs out, and for people who have left
BATCH = 200  # turns that one sweep plays


def play_bot(*, game: int, seat: int) -> bool:
    """Play what a seat without a person owes. Whether it was played; false when there was nothing to do any more."""
    mine = Seat.objects.filter(game=game, number=seat, owes=True, user=None, game__status=Status.RUNNING).first()
    return mine is not None and stand_in(seat=mine, bot=mine.bot or STAND_IN, by=By.SEAT)


def stand_in(*, seat: Seat, bot: str, by: str) -> bool:
    """Let a bot decide for the seat. Whether its decision stands."""
    game = Game.objects.select_related("snapshot").get(pk=seat.game_id)
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    view = game.rules.view(position.current(game, seats, getattr(game, "snapshot", None)), seat.number)
    for actions in plans(game.rules, view, bot):
        try:
            submit_turn(game=game, seat=seat.number, actions=actions, expected_seq=game.seq, by=by)
        except (Stale, Over, NotYours):
            return False  # somebody else was quicker
        except GameError:
            logger.exception("A bot of game %s answered with what is not allowed: %s", game, actions)
        else:
            return True
    return False


def plans(rules: Ruleset, view: View, bot: str) -> Iterator[list[str]]:
    """Turns to try: the bot's, then those of weaker and weaker ones, at last simply what is legal."""
    planners: list[Callable[[], list[str]]] = [
        lambda one=one: play_turn(rules, view, one, Quick(secrets.randbits(64)))  # type: ignore[misc]
        for one in from_strong_to_weak(bot if bot in BOTS else STAND_IN)
    ]
    for planner in [*planners, lambda: first_legal(rules, view)]:
        try:
            yield planner()
        except Exception:  # whatever is wrong with a bot, the table goes on
            logger.exception("A bot failed in a game of %s.", rules.slug)


def first_legal(rules: Ruleset, view: View) -> list[str]:
    """The last legal action at each step, which in the end is the shortest turn: the rest is given up."""
    state, seat = rules.sample(view, Quick(0)), view.seat
    texts: list[str] = []
    while seat in rules.to_act(state):
        action = rules.legal(state, seat)[-1]
        texts.append(rules.text(action))
        for event in rules.decide(state, seat, action, None):
            rules.evolve(state, event)
    return texts


def sweep_bots() -> int:
    """Play for seats without a person whose bell was lost. Returns how many turns were played."""
    waiting = Seat.objects.filter(owes=True, user=None, game__status=Status.RUNNING).order_by("deadline")[:BATCH]
    return sum(play_bot(game=seat.game_id, seat=seat.number) for seat in waiting)
