"""Games of Kingdoms: positions as in the tests of the rules, and people who play like bots."""

import msgspec

from accounts.models import User
from games.bots.bot import play_turn
from games.bots.registry import BOTS
from games.rules.fairness import Quick
from games.rules.protocol import State
from games.tables.models import Game, Seat, Snapshot
from tests.cast import seats_of, state_of, submit, table_of, wait_for
from tests.rules.kingdoms.positions import spelt

ASK = {"defend": "ask", "protect": "ask"}


def kingdoms(*people: User, orders: dict[str, str] | None = None, **more: object) -> Game:
    """Return a listed game of these people, all with the same standing orders."""
    game = table_of(*people, **{"ruleset": "kingdoms", **more})
    Seat.objects.filter(game=game).update(orders=orders or {})
    return game


def put(game: Game, state: State) -> Game:
    """Set the game to this position and start its clocks again. The log doesn't show this."""
    state.seats = state_of(game).seats
    Snapshot.objects.filter(game=game).update(state=msgspec.json.encode(state).decode())
    return wait_for(game, game.rules.to_act(state))


def do(game: Game, seat: int, text: str) -> Game:
    """Submit this action for the seat, with cards by their short names."""
    return submit(game, seat, spelt(state_of(game), seat, text))


def owing(game: Game) -> list[int]:
    return [seat.number for seat in seats_of(game) if seat.owes]


def go_on(game: Game, chance: Quick, bot: str = "medium") -> int:
    """Play a turn like this bot for the first seat that owes a decision. Return the seat."""
    seat = owing(game)[0]
    view = game.rules.view(state_of(game), seat)
    submit(game, seat, *play_turn(game.rules, view, BOTS[bot], chance))
    return seat
