"""Whole games of Kingdoms, played through the services: people and bots, full games, imported records."""

import json

import jsonschema
import msgspec
import pytest
from django.utils import timezone

from games import tasks
from games.contests.ratings.history import Person, history
from games.notices.models import Notice
from games.rules.fairness import Quick
from games.tables.models import Entry, FullGame, Game, Seat
from games.tables.selectors.full_game import full_game
from games.tables.services import bots, lobby, records
from games.tables.services import full_games as leagues
from tests.cast import again, seats_of, state_of, submit, table_of
from tests.kept import copied
from tests.tables.kingdoms import go_on, kingdoms, owing
from tests.tables.test_records import SCHEMA

pytestmark = pytest.mark.django_db
QUICK = {"mode": "quickplay", "opening_truce": "0"}


def play_out(game: Game, chance: Quick) -> Game:
    while not again(game).is_finished:
        go_on(game, chance)
    return again(game)


@pytest.fixture
def finished(alice, bob, carol) -> Game:
    def play() -> Game:
        return play_out(kingdoms(alice, bob, carol, options={"collusion": True}), Quick(11))

    return copied("kingdoms", alice, bob, carol, play=play)


@pytest.mark.long
def test_four_players_people_and_bots_play_a_whole_game(alice, bob, django_capture_on_commit_callbacks):
    """Bots are woken after each turn, as by Celery; people must act only in their own turns."""
    with django_capture_on_commit_callbacks(execute=True):
        game = lobby.open_table(user=alice, ruleset="kingdoms", players=4, bots=["medium", "random"], listed=True)
        lobby.join_table(game=game, user=bob)
    people, chance = {0, 1}, Quick(4)
    while not again(game).is_finished:
        assert set(owing(game)) <= people, "bots have played all their turns"
        with django_capture_on_commit_callbacks(execute=True):
            go_on(game, chance)
    ended = again(game)
    assert records.verify(game=ended) == []
    assert {entry.by for entry in Entry.objects.filter(game=game)} <= {"seat", "orders"}
    assert {seat.place for seat in seats_of(ended)} >= {1}


@pytest.mark.long
def test_eight_bots_finish_without_people(alice, django_capture_on_commit_callbacks):
    game = lobby.open_table(user=alice, ruleset="kingdoms", players=8, bots=["medium", "random"] * 3 + ["medium"])
    alice.delete()
    with django_capture_on_commit_callbacks(execute=True):
        tasks.sweep_bots()
    assert again(game).is_finished and records.verify(game=again(game)) == []


@pytest.mark.long
def test_the_sweep_alone_finishes_a_game_of_bots(alice):
    """No bot is woken after a turn here. One batch never runs forever."""
    game = lobby.open_table(user=alice, ruleset="kingdoms", players=3, bots=["random", "medium"], options=QUICK)
    alice.delete()
    sweeps = 0
    while not again(game).is_finished:
        assert bots.sweep_bots() > 0 and (sweeps := sweeps + 1) < 300
    assert records.verify(game=again(game)) == []


@pytest.mark.long
def test_a_game_ends_after_all_its_people_delete_their_accounts(alice, bob, carol, django_capture_on_commit_callbacks):
    game = kingdoms(alice, bob, carol, options=QUICK)
    for _turn in range(3):
        go_on(game, Quick(2))
    for user in (alice, bob, carol):
        user.delete()
    with django_capture_on_commit_callbacks(execute=True):
        bots.sweep_bots()
    assert again(game).is_finished and records.verify(game=again(game)) == []


# Full games


@pytest.mark.long
def test_a_full_game_continues_automatically_and_has_standings(alice, bob, carol):
    first = kingdoms(alice, bob, carol, full=True, options=QUICK, reply_hours=6)
    for number in (1, 2, 3):
        game = Game.objects.get(full_game=first.full_game, number=number)
        assert (game.reply_hours, game.options) == (6, QUICK)
        play_out(game, Quick(number))
    full = FullGame.objects.get()
    assert full.status == "finished" and leagues.sweep_full_games(timezone.now()) == 0
    assert [line["left"] for line in full.ranking] == [0, 0, 0]
    shown = full_game(pk=full.pk, user=alice)
    assert shown.winners and {row.tie_break for row in shown.rows} <= {"", "tie broken by games won"}
    [contest] = history(person=Person(user=alice), reader=alice).contests
    assert len(contest.score.games) == 3


# Records


@pytest.mark.long
def test_an_imported_record_leads_to_the_same_result(finished):
    data = records.export(public_id=finished.public_id, user=None)
    taken_in = records.take_in(data=data)
    assert records.verify(game=taken_in) == []
    assert (taken_in.head, again(taken_in).result) == (finished.head, finished.result)
    assert [seat.left for seat in seats_of(taken_in)] == [0, 0, 0]


@pytest.mark.long
def test_records_of_running_and_finished_games_fit_the_schema_for_every_reader(alice, bob, carol, finished):
    schema = jsonschema.Draft202012Validator(msgspec.json.decode(SCHEMA.read_bytes()))
    running, chance = kingdoms(alice, bob, carol), Quick(5)
    for _turn in range(25):
        if not again(running).is_finished:
            go_on(running, chance, "random")
    for game in (again(running), finished):
        for seat in (0, 1, 2, None):
            data = json.loads(records.export_for(game=game, seats=seats_of(game), seat=seat))
            schema.validate(data)
            assert (data["seed"] is None) == game.is_running


@pytest.mark.long
def test_the_digests_of_a_running_game_stay_the_same(alice, bob):
    game, chance = kingdoms(alice, bob), Quick(9)
    for _turn in range(6):
        go_on(game, chance)
    kept = json.loads(records.export(public_id=game.public_id, user=None))["entries"]
    play_out(game, chance)
    complete = json.loads(records.export(public_id=game.public_id, user=None))["entries"]
    assert [entry["digest"] for entry in kept] == [entry["digest"] for entry in complete[: len(kept)]]
    assert all(entry["actions"] for entry in complete[1:])


def test_a_step_that_draws_is_submitted_with_the_steps_before_it(alice, bob):
    """The entry holds all steps up to the one that needs chance, and the seat continues with its remaining time."""
    game = table_of(alice, bob, ruleset="kingdoms")
    seat = owing(game)[0]
    deadline = seats_of(game)[seat].deadline
    submit(game, seat, "draw")
    assert owing(game) == [seat] and seats_of(game)[seat].deadline == deadline
    assert not Notice.objects.filter(kind="turn", seat__game=game, seat__number=seat, seq__gt=0).exists()
    assert records.verify(game=again(game)) == []
    assert state_of(game).flags.drawn and Seat.objects.get(game=game, number=seat).seen_seq == again(game).seq
