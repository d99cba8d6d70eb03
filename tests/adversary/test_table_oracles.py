"""Attacks on hidden information: probes that try to learn future draws or the hands of others."""

import pytest

from tests.adversary.conftest import Target

pytestmark = [pytest.mark.site("adversary"), pytest.mark.long]

KINGDOMS = """
from accounts.models import User
from tests.cast import seats_of, table_of
from games.tables.models import Seat
people = [User.objects.get(username=name) for name in ("Alice", "Bob")]
game = table_of(*people, ruleset="kingdoms")
Seat.objects.filter(game=game).update(orders={"defend": "ask", "protect": "ask"})
answer([game.public_id, next(seat.number for seat in seats_of(game) if seat.owes)])
"""
DECK = """
from games.tables.models import Game
from games.rules.kingdoms.state import all_cards
from tests.cast import state_of
state = state_of(Game.objects.get(public_id="{}"))
seat = state.active
answer([[one for one in all_cards(state.options, state.players) if one not in state.hands[seat]], list(state.flop)])
"""
BY_HAND = """
from accounts.models import User
from tests.cast import again, state_of, submit, table_of
people = [User.objects.get(username=name) for name in ("Alice", "Bob")]
game = table_of(*people, ruleset="classic", options={"setup": "by-hand", "setter": 0})
while True:
    state = state_of(game)
    seat = game.rules.to_act(state)[0]
    action = game.rules.text(game.rules.legal(state, seat)[0])
    if action.startswith("neutral") and state.supply[-1] == 1:
        break
    submit(game, seat, action)
answer([game.public_id, seat, again(game).seq, action])
"""


def seq_of(browser, game: str) -> int:
    return browser.get(f"/games/{game}/record.json").json()["entries"][-1]["seq"]


@pytest.fixture
def at_the_table(target: Target):
    """The attacker at a Kingdoms table, on their turn; the address of the table, and its last entry."""
    alice, bob = target.signed_in("Alice", "Bob")
    game, seat = target.run(KINGDOMS)
    attacker = (alice, bob)[seat]
    return attacker, game, seq_of(attacker, game)


def test_no_probe_reveals_the_next_card(target, at_the_table, request) -> None:
    """Send `draw;build CARD` for each unknown card: the responses are identical, and nothing is written."""
    attacker, game, seq = at_the_table
    unknown, flop = target.run(DECK.format(game))
    probes = [f"draw;build {card}" for card in unknown]
    probes += [f"draw;burn {flop[0]};burn {card}" for card in unknown[::9]]
    alerts = set()
    for probe in probes:
        reply = attacker.post(f"/games/{game}/submit", {"seq": seq, "action": probe})
        assert reply.status == 409
        alerts |= set(reply.alerts)
    assert len(alerts) == 1
    assert seq_of(attacker, game) == seq


def test_the_spymaster_cannot_look_without_being_burned(target, at_the_table) -> None:
    attacker, game, seq = at_the_table
    unknown, _flop = target.run(DECK.format(game))
    alerts = set()
    for card in unknown[::9]:
        sent = {"seq": seq, "action": f"draw;boss spymaster 0;take {card}"}
        alerts |= set(attacker.post(f"/games/{game}/submit", sent).alerts)
    assert len(alerts) == 1
    assert seq_of(attacker, game) == seq


def test_a_bid_cannot_break_its_seal(target: Target) -> None:
    browsers = target.signed_in("Alice", "Bob")
    game, seat, seq, action = target.run(BY_HAND)
    reply = browsers[seat].post(f"/games/{game}/submit", {"seq": seq, "action": f"{action};bid 2"})
    assert reply.status == 409
    assert seq_of(browsers[seat], game) == seq
