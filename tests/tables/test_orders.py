"""Standing orders answer at once, so that a game waits only for the player whose turn it is."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.errors import GameError, NotYours, Over
from games.notices.kinds import Kind
from games.notices.models import Notice
from games.rules.fairness import Quick
from games.tables.models import Entry, Game, Seat
from games.tables.selectors.options import orders_of
from games.tables.selectors.table import table
from games.tables.services import bots, lobby, play, records
from games.tables.services import notify as telling
from games.tables.services.play import give_orders
from tests.cast import again, everything_written, seats_of, state_of, submit, table_of
from tests.rules.kingdoms.positions import ALICE, BOB, CAROL, position, spelt
from tests.tables.family import seeded
from tests.tables.kingdoms import ASK, do, go_on, kingdoms, owing, put

pytestmark = pytest.mark.django_db


@pytest.fixture
def morning():
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as traveller:
        yield traveller


def last(game: Game, n: int) -> list[tuple[int, str, str]]:
    """Return seat, way and kind of the decisions in the last entries."""
    rows = list(Entry.objects.filter(game=game).order_by("seq"))[-n:]
    return [(row.seat, row.by, row.actions[0].split()[0]) for row in rows]


def notified_players(game: Game) -> list[str]:
    return sorted(
        Notice.objects.filter(kind=Kind.TURN, seat__game=game, seq__gt=0).values_list("seat__name", flat=True)
    )


# With orders a turn never waits for another player


@pytest.mark.long
@pytest.mark.sampled
@pytest.mark.parametrize("players", [2, 4])
def test_with_orders_a_turn_never_waits_for_another_player(monkeypatch, alice, bob, carol, dan, players):
    """Plays whole games in which all people have given different orders."""
    seeded(monkeypatch, players)
    game = kingdoms(*(alice, bob, carol, dan)[:players])
    wanted = [{}, {"defend": "two", "protect": "with"}, {"defend": "concede"}, {"protect": "for", "pick": "first"}]
    for number, orders in enumerate(wanted[:players]):
        give_orders(game=game, seat=number, orders=orders)
    chance = Quick(players)
    while not again(game).is_finished:
        assert owing(game) == [state_of(game).active]
        go_on(game, chance)
    by_orders = Entry.objects.filter(game=game, by="orders")
    assert {row.actions[0].split()[0] for row in by_orders} <= {"defend", "protect", "blind-pick"}
    assert by_orders.count() >= 2
    assert records.verify(game=again(game)) == []


def test_an_order_answers_in_its_own_entry_at_the_same_time(alice, bob, carol):
    game = put(kingdoms(alice, bob, carol), position(hands={ALICE: "A8 C9", BOB: "A7 A4"}, towers={BOB: "E"}))
    do(game, ALICE, "attack 1 with A8")
    assert last(game, 2) == [(ALICE, "seat", "attack"), (BOB, "orders", "defend")]
    rows = list(Entry.objects.filter(game=game).order_by("-seq")[:2])
    assert rows[0].at == rows[1].at and again(game).seq == rows[0].seq
    assert owing(game) == [BOB], "it is Bob's turn now"


def test_a_ruler_answers_before_its_sub_kingdom(alice, bob, carol):
    game = put(kingdoms(alice, bob, carol), position(hands={ALICE: "A8 C9", BOB: "A7", CAROL: "A5"}, rulers="- 2 -"))
    give_orders(game=game, seat=CAROL, orders={"protect": "with"})
    do(game, ALICE, "attack 1 with A8")
    assert last(game, 4) == [
        (ALICE, "seat", "attack"), (CAROL, "orders", "protect"), (BOB, "orders", "defend"), (CAROL, "orders", "defend"),
    ]  # fmt: skip


def test_a_blind_pick_by_order_comes_before_the_defense(alice, bob, carol):
    hands = {ALICE: "A8 C9", BOB: "A7 A4", CAROL: "A5 A6"}
    game = put(kingdoms(alice, bob, carol), position(hands=hands, rulers="- - 1"))
    give_orders(game=game, seat=BOB, orders={"pick": "first"})
    do(game, ALICE, "attack 1 with A8")
    assert last(game, 3) == [(ALICE, "seat", "attack"), (BOB, "orders", "blind-pick"), (BOB, "orders", "defend")]


def test_players_who_want_to_be_asked_are_asked(alice, bob, carol):
    game = put(kingdoms(alice, bob, carol, orders=ASK), position(hands={ALICE: "A8 C9", BOB: "A7 A4"}))
    do(game, ALICE, "attack 1 with A8")
    assert owing(game) == [BOB] and last(game, 1) == [(ALICE, "seat", "attack")]


def test_bots_decide_without_orders(alice, django_capture_on_commit_callbacks):
    game = lobby.open_table(user=alice, players=3, bots=["medium", "medium"], ruleset="kingdoms")
    put(game, position(hands={ALICE: "A8 C9", BOB: "A7 A4"}))
    do(game, ALICE, "attack 1 with A8")
    assert owing(game) == [BOB]
    assert bots.play_bot(game=game.pk, seat=BOB)
    assert last(game, 1) == [(BOB, "seat", "defend")]


def test_the_player_is_asked_when_an_order_gives_an_illegal_answer(alice, bob, carol, monkeypatch, caplog):
    game = put(kingdoms(alice, bob, carol), position(hands={ALICE: "A8 C9", BOB: "A7 A4"}))
    draw = game.rules.parse("draw")
    monkeypatch.setattr(game.rules, "answer", lambda state, seat, orders: draw if seat == BOB else None)
    do(game, ALICE, "attack 1 with A8")
    assert owing(game) == [BOB] and "order" in caplog.text


# One transaction, one round of notices


def test_a_turn_and_its_answers_are_stored_together_or_not_at_all(alice, bob, carol, monkeypatch):
    game = put(kingdoms(alice, bob, carol), position(hands={ALICE: "A8 C9", BOB: "A7 A4"}))
    before = everything_written(game)

    def broken(**_any: object) -> None:
        assert last(game, 1) == [(BOB, "orders", "defend")]
        raise ZeroDivisionError

    monkeypatch.setattr(telling, "tell_who_is_asked", broken)
    with pytest.raises(ZeroDivisionError):
        do(game, ALICE, "attack 1 with A8")
    assert everything_written(game) == before


def test_a_turn_sent_twice_counts_once_with_its_answers(alice, bob, carol):
    game = put(kingdoms(alice, bob, carol), position(hands={ALICE: "A8 C9", BOB: "A7 A4"}))
    attack = spelt(state_of(game), ALICE, "attack 1 with A8")
    for _twice in range(2):
        submit(game, ALICE, attack, seq=game.seq)
    assert again(game).seq == game.seq + 2


def test_nobody_is_notified_of_a_decision_that_an_order_made(alice, bob, carol):
    game = put(kingdoms(alice, bob, carol), position(hands={ALICE: "A8 C9", CAROL: "A7 A4"}, towers={CAROL: "E"}))
    Notice.objects.all().delete()
    do(game, ALICE, "attack 2 with A8")
    assert last(game, 1) == [(CAROL, "orders", "defend")]
    assert notified_players(game) == ["Bob"], "only the player whose turn it is now"
    seqs = set(Notice.objects.filter(seat__game=game).values_list("seq", flat=True))
    assert seqs == {again(game).seq}


def test_an_answer_by_order_is_new_to_its_owner_and_to_the_attacker(alice, bob, carol):
    game = put(kingdoms(alice, bob, carol), position(hands={ALICE: "A8 C9", CAROL: "A7 A4"}, towers={CAROL: "E"}))
    for seat in seats_of(game):
        play.look(seat=seat, seq=game.seq)
    do(game, ALICE, "attack 2 with A8")
    for reader, by in ((alice, "seat"), (carol, "orders")):
        news = [line for line in table(public_id=game.public_id, user=reader).log if line.new]
        assert news[-1].by == by and "Carol" in news[-1].sentences[0]
    assert [line.by for line in table(public_id=game.public_id, user=alice).log if line.new] == ["seat"]


# Giving orders


def test_orders_have_defaults_until_the_player_changes_them(alice, bob):
    seat = seats_of(kingdoms(alice, bob))[0]
    assert [(order.name, order.chosen) for order in orders_of(seat)] == [
        ("defend", "Defend with my best hand"), ("protect", "Let it defend alone"), ("pick", "Don’t take cards"),
    ]  # fmt: skip
    kept = give_orders(game=seat.game, seat=0, orders={"defend": "concede", "pick": "first"})
    assert [order.chosen for order in orders_of(kept)] == ["Don’t defend", "Let it defend alone", "Take cards first"]
    assert Seat.objects.get(game=seat.game, number=1).orders == {}


def test_players_against_bots_are_asked_also_in_a_rematch_until_they_change_their_orders(alice, bob):
    game = again(lobby.play_now(user=alice, ruleset="kingdoms", bots=["random", "random"]))
    assert [seat.orders for seat in seats_of(game)] == [ASK, {}, {}]
    give_orders(game=game, seat=0, orders={**ASK, "defend": "concede"})
    Game.objects.filter(pk=game.pk).update(status="finished", ended_at=timezone.now())
    rematch = lobby.rematch(game=again(game), user=alice)
    assert [seat.orders for seat in seats_of(rematch) if seat.user] == [{**ASK, "defend": "concede"}]
    played = kingdoms(alice, bob, orders=ASK)
    Game.objects.filter(pk=played.pk).update(status="finished", ended_at=timezone.now())
    assert seats_of(lobby.rematch(game=again(played), user=alice))[0].orders == {}, "people would wait for each other"


@pytest.mark.parametrize("orders", [{"defend": "bravely"}, {"defend": True}, {"defend": None}, {"flee": "yes"}])
def test_invalid_orders_are_refused_in_a_sentence(alice, bob, orders):
    game = kingdoms(alice, bob)
    with pytest.raises(GameError, match=r"\w+ \w+.*\."):
        give_orders(game=game, seat=0, orders=orders)
    assert seats_of(game)[0].orders == {}


def test_games_without_standing_orders_say_so(alice, bob):
    with pytest.raises(GameError, match="This game has no standing orders"):
        give_orders(game=table_of(alice, bob), seat=0, orders={})


def test_orders_need_a_seat_in_a_game_that_is_not_over(alice, bob):
    game = kingdoms(alice, bob)
    with pytest.raises(NotYours):
        give_orders(game=game, seat=7, orders={})
    Game.objects.filter(pk=game.pk).update(status="finished")
    with pytest.raises(Over):
        give_orders(game=game, seat=0, orders={})


def test_orders_can_be_given_while_a_table_waits(alice):
    game = lobby.open_table(user=alice, players=2, ruleset="kingdoms")
    assert give_orders(game=game, seat=0, orders={"defend": "ask"}).orders == {"defend": "ask"}


def test_new_orders_answer_an_open_decision_at_once(alice, bob, carol, morning):
    hands = {ALICE: "A8 C9", BOB: "A7 A4", CAROL: "A4"}
    game = put(kingdoms(alice, bob, carol, orders=ASK), position(hands=hands, rulers="- 2 -", towers={BOB: "E"}))
    do(game, ALICE, "attack 1 with A8")
    do(game, CAROL, "protect leave")
    assert owing(game) == [BOB]
    give_orders(game=game, seat=BOB, orders={"defend": "one"})
    assert last(game, 1) == [(BOB, "orders", "defend")]
    assert owing(game) == [BOB] and seats_of(game)[BOB].deadline == timezone.now() + timedelta(hours=48)


def test_orders_to_be_asked_change_nothing_in_the_game(alice, bob, carol):
    game = put(kingdoms(alice, bob, carol, orders=ASK), position(hands={ALICE: "A8 C9", BOB: "A7 A4"}))
    do(game, ALICE, "attack 1 with A8")
    before = again(game)
    give_orders(game=game, seat=BOB, orders={"defend": "ask", "protect": "for"})
    assert (again(game).seq, again(game).version, owing(game)) == (before.seq, before.version, [BOB])


def test_the_next_game_of_a_full_game_begins_with_the_same_orders(alice, bob):
    game, chance = kingdoms(alice, bob, full=True, options={"mode": "quickplay", "opening_truce": "0"}), Quick(5)
    give_orders(game=game, seat=1, orders={"defend": "two"})
    while not again(game).is_finished:
        go_on(game, chance)
    following = Game.objects.get(full_game=game.full_game, number=2)
    assert [seat.orders for seat in seats_of(following)] == [{}, {"defend": "two"}]
