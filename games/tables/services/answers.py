"""Answers by standing orders. Each answer is a separate log entry."""

import logging
from datetime import datetime

from games.errors import Illegal
from games.rules.protocol import Action
from games.tables.models import Seat
from games.tables.models.log import By
from games.tables.services import commit
from games.tables.services.commit import Locked

logger = logging.getLogger(__name__)


def answer(locked: Locked, now: datetime) -> None:
    """Answer for people whose orders cover the question, until someone has to decide. Bots decide for themselves."""
    while found := covered(locked):
        seat, action = found
        texts = (locked.rules.text(action),)
        try:
            commit.walked(locked.rules, locked.state, seat.number, texts)
            events = commit.decided(locked, seat.number, texts)
        except Illegal:  # a faulty order must not stop the game: ask its player
            logger.exception("A standing order of seat %s gave an illegal answer: %s", seat, texts)
            return
        commit.append(locked, at=now, seat=seat.number, by=By.ORDERS, actions=texts, events=events)


def covered(locked: Locked) -> tuple[Seat, Action] | None:
    """Return the first person who owes a decision that their orders cover, with the answer."""
    owing = set(locked.rules.to_act(locked.state))
    for seat in locked.seats:
        if seat.number in owing and not seat.bot:
            action = locked.rules.answer(locked.state, seat.number, seat.orders)
            if action is not None:
                return seat, action
    return None
