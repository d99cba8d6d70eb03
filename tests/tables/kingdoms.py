"""Tables of Kingdoms: positions put on them as the tests of the rules have them, and people who play like bots."""

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
    """A listed table of these people, all with the same orders."""
    game = table_of(*people, **{"ruleset": "kingdoms", **more})
    Seat.objects.filter(game=game).update(orders=orders or {})
    return game


def put(game: Game, state: State) -> Game:
    """From now on the game stands so, its clocks run anew. The log knows nothing of it."""
    state.seats = state_of(game).seats
    Snapshot.objects.filter(game=game).update(state=msgspec.json.encode(state).decode())
    return wait_for(game, game.rules.to_act(state))


def do(game: Game, seat: int, text: str) -> Game:
    """The seat does it, cards by their short names."""
    return submit(game, seat, spelt(state_of(game), seat, text))


def owing(game: Game) -> list[int]:
    return [seat.number for seat in seats_of(game) if seat.owes]


def go_on(game: Game, chance: Quick, bot: str = "greedy") -> int:
    """The first seat that owes something does as that bot would. Returns the seat."""
    seat = owing(game)[0]
    view = game.rules.view(state_of(game), seat)
    submit(game, seat, *play_turn(game.rules, view, BOTS[bot], chance))
    return seat
