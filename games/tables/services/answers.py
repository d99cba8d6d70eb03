"""Standing orders at work: what was decided beforehand is answered at once, each answer an entry of its own."""

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
    """Answer for people whose orders say how, until somebody has to be asked. Bots decide by themselves."""
    while found := covered(locked):
        seat, action = found
        texts = (locked.rules.text(action),)
        try:
            commit.walked(locked.rules, locked.state, seat.number, texts)
            events = commit.decided(locked, seat.number, texts)
        except Illegal:  # whatever is wrong with an order, the table goes on: its player is asked
            logger.exception("An order of seat %s answered with what is not allowed: %s", seat, texts)
            return
        commit.append(locked, at=now, seat=seat.number, by=By.ORDERS, actions=texts, events=events)


def covered(locked: Locked) -> tuple[Seat, Action] | None:
    """The first person that owes something and has ordered what."""
    owing = set(locked.rules.to_act(locked.state))
    for seat in locked.seats:
        if seat.number in owing and not seat.bot:
            action = locked.rules.answer(locked.state, seat.number, seat.orders)
            if action is not None:
                return seat, action
    return None
