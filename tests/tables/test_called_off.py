"""Games that staff end or cancel: what counts, for whom, and that nothing waits for them any longer."""

import pytest
from django.test import Client
from django.utils import timezone

from games.contests import pools
from games.contests.duplicates import services as duplicates
from games.contests.ladders import sweep as ladder_sweep
from games.contests.models import Challenge, Intervention, Score
from games.contests.ratings import book
from games.contests.ratings.recompute import recompute
from games.notices.delivery import messages
from games.notices.models import Notice
from games.tables.models import Draft, FullGame, Game
from games.tables.selectors.full_game import full_game
from games.tables.selectors.table import table
from games.tables.services import bots, chat, records, timeouts
from games.tables.services import full_games as leagues
from tests.cast import again, person, play_out, play_turns, seats_of, state_of, submit, table_of
from tests.contests import cups
from tests.contests.ladders import challenges, contest, ladder_of, order
from tests.contests.seasons import division_of, look, states
from tests.contests.seasons import game as game_of
from tests.notices.emails import deliver_alone
from tests.tables.family import seeded
from tests.tables.interventions import attack, end, give, going_on, intervention_sentences, refusal, replace, void
from tests.tables.kingdoms import ASK, kingdoms

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(monday, alice, bob) -> Game:
    return going_on(alice, bob)


# Ending a game


def test_h3_current_points_decide_a_game_that_staff_end(game, alice, bob):
    sheet = game.rules.score(state_of(game))
    end(game)
    row = again(game)
    assert row.is_finished and row.ended_at and [seat.owes for seat in seats_of(game)] == [False, False]
    assert [(seat.total, seat.place) for seat in seats_of(game)] == [
        (score.total, score.place) for score in sheet.seats
    ]
    assert Score.objects.filter(game=row, counts=True).count() == 2
    assert table(public_id=game.public_id, user=None).view.over
    assert refusal(void, game) == "The game is over."


def test_h3_staff_cannot_end_a_game_before_the_first_card(alice, bob):
    game, sentence = table_of(alice, bob), "Too little has been played to decide the game. Cancel it instead."
    submit(game, 1, "bid 1")
    assert refusal(end, game) == sentence
    submit(game, 0, "bid 0")
    assert refusal(end, game) == sentence


@pytest.mark.long
def test_h3_kingdoms_is_decided_by_towers_and_hands(monkeypatch, alice, bob, carol):
    seeded(monkeypatch, 5)
    game = kingdoms(alice, bob, carol, orders=ASK)
    assert refusal(end, game) == "Too little has been played to decide the game. Cancel it instead."
    attack(game)
    end(game)
    row, state = again(game), state_of(game)
    assert (state.won_by, row.is_finished) == ("staff", True)
    towers = [len(state.towers[seat.number]) for seat in sorted(seats_of(game), key=lambda seat: seat.place)]
    assert towers == sorted(towers, reverse=True)
    assert records.verify(game=row) == []


def test_each_player_gets_one_notice_of_the_end_and_its_reason(game, alice, bob):
    end(game)
    notices = Notice.objects.filter(seq=game.seq + 1)
    kinds = sorted((notice.user.username, notice.kind) for notice in notices)
    assert kinds == [("Alice", "decision"), ("Bob", "decision")]
    message = messages.message(notices[0])
    assert "The mail was down." in message.lead and message.has_result
    assert [player.place for player in message.players] == [1, 2]


def test_players_without_notices_of_interventions_get_the_result(game, bob):
    bob.notice_settings = {"email": {"decision": "off"}}
    bob.save()
    end(game)
    assert [notice.kind for notice in Notice.objects.filter(user=bob, seq=game.seq + 1)] == ["ended"]


def test_ratings_of_a_game_that_staff_ended_follow_from_its_log(game):
    end(game)
    book.sweep()
    assert Score.objects.filter(order__isnull=False).count() == 2
    assert recompute(game.ruleset, mend=False) == []


@pytest.mark.postgresql
def test_h3_a_full_game_continues_after_staff_end_one_of_its_games(monday, alice, bob):
    game = play_turns(table_of(alice, bob, full=True), 5)
    end(game)
    following = FullGame.objects.get().games.get(number=2)
    assert following.is_running and FullGame.objects.get().ranking
    assert {notice.kind for notice in Notice.objects.filter(seat__game=following)} >= {"started"}
    assert leagues.sweep_full_games(timezone.now()) == 0


# Canceling a game


def test_h5_a_canceled_game_counts_for_nobody(game, alice):
    void(game)
    row = again(game)
    assert (row.status, row.result, row.has_ended, row.is_finished) == ("void", None, True, False)
    assert [(seat.owes, seat.deadline, seat.total, seat.place) for seat in seats_of(game)] == [
        (False, None, None, None)
    ] * 2
    assert not Score.objects.exists() and bots.sweep_bots() == timeouts.sweep_overdue(timezone.now()) == 0
    assert intervention_sentences(game) == ["Staff canceled the game. It doesn’t count. Reason: “The mail was down.”"]
    assert records.verify(game=row) == []
    assert refusal(give, game) == refusal(replace, game, 0) == refusal(end, game) == "The game is over."


def test_h5_the_record_of_a_canceled_game_is_public_and_can_be_imported(game, alice):
    void(game)
    data = records.export(public_id=game.public_id, user=None)
    whole = records.read(data)
    assert whole.seed and whole.scoresheet is None
    assert records.proof(public_id=game.public_id, user=None).problems == ()
    taken = records.take_in(data=data, user=alice)
    assert again(taken).status == "void" and records.verify(game=taken) == []


@pytest.mark.usefixtures("small_pictures")
def test_players_are_told_why_their_game_was_canceled_and_can_still_chat(game, alice, bob):
    void(game)
    notices = Notice.objects.filter(kind="decision", seq=game.seq + 1)
    assert {notice.user for notice in notices} == {alice, bob}
    message = messages.message(notices[0])
    assert "canceled the game" in message.lead and not message.has_result
    assert deliver_alone(notices[0].pk)
    chat.say(public_id=game.public_id, user=bob, text="a pity")


def test_h5_sealed_bids_are_never_shown(alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 3")
    void(game)
    assert not Draft.objects.exists() and not again(game).sealed
    assert "bid 3" not in records.export(public_id=game.public_id, user=bob).decode()
    assert records.verify(game=again(game)) == []


@pytest.mark.long
def test_a_game_can_be_canceled_during_the_setup_and_during_a_battle(monkeypatch, alice, bob, carol):
    void(table_of(alice, bob, options={"setup": "by-hand"}))
    seeded(monkeypatch, 5)
    fought = kingdoms(alice, bob, carol, orders=ASK)
    attack(fought)
    void(fought)
    for game in Game.objects.all():
        assert records.verify(game=game) == []
        assert table(public_id=game.public_id, user=alice).view.over


def test_h6_a_full_game_is_canceled_with_its_game(monday, alice, bob):
    game = play_turns(table_of(alice, bob, full=True), 5)
    end(game)
    void(FullGame.objects.get().games.get(number=2))
    full = FullGame.objects.get()
    assert full.status == "void" and full.ended_at and full.games.count() == 2
    assert leagues.sweep_full_games(timezone.now()) == 0 and not Score.objects.exists()
    shown = full_game(pk=full.pk, user=alice)
    assert (shown.current, shown.winners, shown.is_void) == (None, [], True)


@pytest.mark.long
def test_h6_a_duplicate_ends_without_its_canceled_table(alice, bob, carol, dan, drawn_in_order):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for user in (bob, carol, dan):
        duplicates.join(public_id=row.public_id, user=user)
    first, second = row.games.order_by("pk")
    void(first)
    assert not again(first).is_open_book
    play_out(second)
    row.refresh_from_db()
    assert row.ended_at and {line["name"] for line in row.result} == {"Carol", "Dan"}
    assert again(first).is_open_book and again(first).listed


@pytest.mark.postgresql
def test_h6_a_duplicate_ends_at_once_when_its_last_table_is_canceled(alice, bob, carol, dan):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2, full=True)
    for user in (bob, carol, dan):
        duplicates.join(public_id=row.public_id, user=user)
    for game in row.games.order_by("pk"):
        void(game)
    row.refresh_from_db()
    assert row.ended_at and row.result == []


@pytest.mark.postgresql
def test_h6_a_challenge_with_a_canceled_game_is_a_draw_and_can_be_repeated(alice, bob):
    ladder_of(alice, bob)
    game = contest(bob, alice)
    void(game)
    assert ladder_sweep.sweep(timezone.now()) == 1 and ladder_sweep.sweep(timezone.now()) == 0
    assert (Challenge.objects.get().state, order()) == ("drawn", ["Alice", "Bob"])
    assert challenges(bob, alice).is_open


def test_h6_a_full_game_challenge_with_a_canceled_game_is_a_draw(alice, bob):
    ladder_of(alice, bob, full=True)
    void(contest(bob, alice))
    ladder_sweep.sweep(timezone.now())
    assert Challenge.objects.get().state == "drawn"


@pytest.mark.postgresql
def test_h10_a_canceled_match_is_annulled_and_listed_and_the_next_begins():
    pool = division_of(*(person(name) for name in ("Alice", "Bob", "Carol")), at_once=1)
    look(pool)
    void(game_of(pool, "Alice", "Bob"))
    for _twice in range(2):
        pools.sweep(timezone.now())
    assert states(pool) == {"Alice – Bob": "annulled", "Alice – Carol": "playing", "Bob – Carol": "waiting"}
    assert [
        (intervention.kind, intervention.what, intervention.reason) for intervention in Intervention.objects.all()
    ] == [
        ("voided", "Staff canceled the game. It doesn’t count.", "The mail was down."),
        ("annulled", "Alice – Bob", "Site staff canceled its game."),
    ]
    page = Client().get("/leagues/harbour/1/").content.decode()  # the public list does not name the member of staff
    assert "Staff canceled the game." in page and "Harbourmaster" not in page


def test_h6_the_better_seed_advances_when_a_knockout_game_is_canceled():
    row = cups.begun(person("Olga"), cups.crowd(4), format="knockout")
    first, second = cups.running(row)
    void(first.game)
    cups.play(second)
    row = cups.sweep(row)
    seeds = [min(cups.names(match)) for match in (first, second)]
    assert (row.round, cups.tables(row, 2)) == (2, [sorted(seeds)])


def test_players_in_a_league_are_replaced_by_its_organizer(dan):
    pool = division_of(*(person(name) for name in ("Alice", "Bob", "Carol")))
    look(pool)
    game = game_of(pool, "Alice", "Bob")
    assert refusal(replace, game, 0, "Dan").startswith(
        "This game belongs to a league or tournament. Replace the player there instead."
    )
    replace(game, 0)
    assert seats_of(game)[0].has_given_up
