"""Bots at the table: play a bot's own seat, or for a person who is away or late.

A bot sees only what its seat may know. If it fails, the next weaker one plays.
"""

import logging
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from django.db.models import Q, QuerySet

from empire.observability import logs
from games.bots.bot import Bot, play_turn
from games.bots.registry import BOTS, THINKERS, from_strong_to_weak
from games.errors import GameError, NotYours, Over, Stale
from games.rules.fairness import Quick
from games.rules.protocol import Ruleset, State, View
from games.tables.models import Game, Seat, Status
from games.tables.models.game import STAND_IN
from games.tables.models.log import By
from games.tables.selectors import position
from games.tables.services.notify import MOST_THINKING
from games.tables.services.play import submit_turn

logger = logging.getLogger(__name__)

BATCH, THINKING_BATCH = 200, 30  # most turns played by one sweep, and of bots that think
# Takes the last legal action at each step, which makes the shortest turn
LAST_RESORT = Bot("", "", lambda rules, view, budget, chance: [view.legal[-1]])


def play_bot(*, game: int, seat: int) -> bool:
    """Play the decision owed by a seat without a person. Return False if there was nothing to do."""
    owing_seat = Seat.objects.filter(game=game, number=seat, owes=True, user=None, game__status=Status.RUNNING).first()
    if owing_seat is None:
        return False
    if not owing_seat.bot:  # the account was deleted
        return act_for(seat=owing_seat)
    return let_bot_decide(seat=owing_seat, bot=owing_seat.bot, by=By.STAND_IN if owing_seat.owner_id else By.SEAT)


def act_for(*, seat: Seat, late_at: datetime | None = None) -> bool:
    """Decide for an absent person, by the rules' default (K63, K64) or a bot. Return whether it was accepted.

    The rules decide one step, a bot a whole turn. With `late_at` the clock acts, if the seat's time is up then.
    """
    game, state = _table(seat)
    action = game.rules.when_late(state, seat.number)
    if action is None:
        return let_bot_decide(seat=seat, bot=STAND_IN, by=By.CLOCK if late_at else By.STAND_IN, late_at=late_at)
    return _submitted(game, seat, [[game.rules.text(action)]], By.LATE if late_at else By.STAND_IN, late_at)


def let_bot_decide(*, seat: Seat, bot: str, by: str, late_at: datetime | None = None) -> bool:
    """Let a bot play the seat's turn or other decision, and submit it. Return whether it was accepted.

    `by` is written to the log. For `late_at` see `act_for`.
    """
    game, state = _table(seat)
    return _submitted(game, seat, turns_to_try(game.rules, game.rules.view(state, seat.number), bot), by, late_at)


def _table(seat: Seat) -> tuple[Game, State]:
    game = Game.objects.select_related("snapshot").get(pk=seat.game_id)
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    return game, position.current(game, seats, getattr(game, "snapshot", None))


def _submitted(game: Game, seat: Seat, tries: Iterable[list[str]], by: str, late_at: datetime | None) -> bool:
    """Submit the first legal turn. Return whether one was accepted."""
    with logs.about(game=game.public_id, seat=seat.number, seq=game.seq):
        for actions in tries:
            try:
                submit_turn(game=game, seat=seat.number, actions=actions, expected_seq=game.seq, by=by, late_at=late_at)
            except (Stale, Over, NotYours):
                return False  # someone else was quicker
            except GameError:
                logger.exception("A bot in game %s submitted an illegal turn: %s", game, actions)
            else:
                return True
    return False


def turns_to_try(rules: Ruleset, view: View, bot: str) -> Iterator[list[str]]:
    """Yield turns to try: the bot's, then those of weaker bots, finally any legal turn."""
    for candidate in [*from_strong_to_weak(bot if bot in BOTS else STAND_IN), LAST_RESORT]:
        try:
            yield play_turn(rules, view, candidate, Quick(secrets.randbits(64)))
        except Exception:  # a broken bot must not stop the game
            logger.exception("A bot failed in a game of %s.", rules.slug)


def sweep_bots(*, thinkers: bool = False) -> int:
    """Play for seats without a person whose task was lost. Return the number of turns played.

    Bots that think have sweeps and a queue of their own, so that the others need not wait for them.
    """
    waiting = Seat.objects.filter(owes=True, user=None, game__status=Status.RUNNING).order_by("deadline", "pk")
    thinking = Q(bot__in=THINKERS)
    seats = _fair_share(waiting.filter(thinking)) if thinkers else list(waiting.exclude(thinking)[:BATCH])
    return sum(play_bot(game=seat.game_id, seat=seat.number) for seat in seats)


def _fair_share(waiting: QuerySet[Seat]) -> list[Seat]:
    """Return the first of these seats, at most `THINKING_BATCH`, without more than `MOST_THINKING` for one person.

    A seat is for the people in its game. It counts for all of them, and is left out if each of them has enough.
    """
    rows = waiting.values_list("pk", "game__seats__user").order_by("deadline", "pk")
    chosen, shares = list[int](), Counter[int]()
    for pk, of_seat in groupby(rows.iterator(), key=itemgetter(0)):
        people = [person for _pk, person in of_seat if person]
        if people and all(shares[person] >= MOST_THINKING for person in people):
            continue
        shares.update(people)
        chosen.append(pk)
        if len(chosen) == THINKING_BATCH:
            break
    return list(waiting.filter(pk__in=chosen))
