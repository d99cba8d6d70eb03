"""Bots play through the same services as people, and no game waits for a bot that fails."""

import pytest
from django.conf import settings

from empire.on_commit import without_tasks
from games.bots.bot import Bot
from games.bots.registry import BOTS
from games.rules.protocol import Chance, Ruleset, View
from games.tables.models import Entry, Seat
from games.tables.services import bots, lobby, notify, records
from tests.cast import again, in_turns, play_turns, seats_of, submit, table_of

pytestmark = pytest.mark.django_db


def test_a_bot_bids_and_plays(alice):
    game = lobby.play_now(user=alice, bots=["random"])
    assert bots.play_bot(game=game.pk, seat=1)
    submit(game, 0, "bid 12")
    if seats_of(game)[0].owes:  # a bot that bids 12 as well may be chosen by the die
        submit(game, 0, "first 1")
    assert bots.play_bot(game=game.pk, seat=1)
    assert Entry.objects.filter(game=game).last().seat == 1


def test_a_bot_that_owes_nothing_does_nothing(alice):
    game = lobby.play_now(user=alice)
    assert bots.play_bot(game=game.pk, seat=1)
    assert not bots.play_bot(game=game.pk, seat=1)
    assert not bots.play_bot(game=game.pk, seat=0)
    assert not bots.play_bot(game=10**9, seat=0)


@pytest.mark.long
def test_bots_wake_each_other_until_the_game_ends(alice, django_capture_on_commit_callbacks):
    game = lobby.play_now(user=alice, bots=["medium", "random", "medium"])
    alice.delete()
    with django_capture_on_commit_callbacks(execute=True):
        bots.sweep_bots()
    assert again(game).is_finished


def test_the_sweep_finds_bots_that_were_not_woken(alice):
    game = lobby.play_now(user=alice, bots=["random", "random"])
    assert bots.sweep_bots() == 2
    assert bots.sweep_bots() == 0
    assert [seat.owes for seat in seats_of(game)] == [True, False, False]


def test_a_bot_plays_for_people_who_deleted_their_account(alice, bob):
    game = in_turns(alice, bob)
    alice.delete()
    assert bots.sweep_bots() == 1
    assert Entry.objects.filter(game=game).last().seat == 0


def test_a_deleted_account_does_not_change_how_a_tie_was_broken(alice, bob):
    """The rules still count the seat as a person's."""
    game = table_of(alice, bob)
    alice.delete()
    bots.sweep_bots()
    submit(game, 1, "bid 0")
    assert records.verify(game=again(game)) == []


def test_the_next_weaker_bot_plays_when_a_bot_fails(alice, monkeypatch, caplog):
    def broken(rules: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
        raise ZeroDivisionError

    for slug in ("master", "hard"):
        monkeypatch.setitem(BOTS, slug, Bot(slug, slug, broken))
    game = lobby.play_now(user=alice, bots=["master"])
    assert bots.play_bot(game=game.pk, seat=1)
    assert caplog.text.count("A bot failed") == 2


def test_a_seat_that_names_a_bot_by_its_former_name_is_played(alice):
    game = lobby.play_now(user=alice, bots=["greedy"])
    assert seats_of(game)[1].bot == "greedy" and bots.play_bot(game=game.pk, seat=1)
    assert records.verify(game=again(game)) == []


def test_bots_that_think_are_woken_in_a_queue_of_their_own(alice, monkeypatch):
    started = []
    monkeypatch.setattr(notify, "delay_on_commit", lambda task, *ids: started.append(task))
    for bot in ("easy", "medium", "hard", "master"):
        lobby.play_now(user=alice, bots=[bot])
    names = [name.removeprefix("games.tasks.") for name in started if name.startswith("games.tasks.play")]
    assert names == ["play_bot", "play_bot", "play_thinker", "play_thinker"]
    queues = [settings.CELERY_TASK_ROUTES[name]["queue"] for name in started if name.startswith("games.tasks.play")]
    assert queues == ["bots", "bots", "thinking", "thinking"]


def test_sweeps_of_bots_that_think_leave_the_others_alone(alice):
    with without_tasks():
        for bot in ("easy", "master"):
            lobby.play_now(user=alice, bots=[bot])
    assert bots.sweep_bots() == 1
    assert list(Seat.objects.filter(owes=True, user=None).values_list("bot", flat=True)) == ["master"]
    assert bots.sweep_bots(thinkers=True) == 1 and bots.sweep_bots(thinkers=True) == 0


def test_one_person_does_not_keep_bots_that_think_from_the_games_of_others(alice, bob, monkeypatch):
    """Anyone can have a program play against Master in hundreds of games at once."""
    started: list[tuple] = []
    monkeypatch.setattr(notify, "delay_on_commit", lambda task, *ids: started.append((task, *ids)))

    def woken() -> list[int]:
        return [ids[0] for task, *ids in started if task == "games.tasks.play_thinker"]

    games = [lobby.play_now(user=alice, bots=["master"]).pk for _game in range(3 * notify.MOST_THINKING)]
    assert woken() == games[: notify.MOST_THINKING]
    # Bob's bot, and one at a table of both, need not wait
    own = lobby.play_now(user=bob, bots=["master"])
    shared = lobby.open_table(user=alice, players=3, bots=["master"])
    lobby.join_table(game=shared, user=bob, invite=shared.invite_token)
    assert woken()[notify.MOST_THINKING :] == [own.pk, shared.pk]
    # The sweep plays for everyone: first for Alice, whose games have waited longest, but not only for her
    played: list[int] = []
    monkeypatch.setattr(bots, "play_bot", lambda game, seat: played.append(game) or True)
    bots.sweep_bots(thinkers=True)
    assert played == [*games[: notify.MOST_THINKING], own.pk, shared.pk]


def test_a_legal_action_is_played_when_every_bot_fails(alice, monkeypatch):
    def nonsense(rules: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
        return ["fly away"]

    for slug in BOTS:
        monkeypatch.setitem(BOTS, slug, Bot(slug, slug, nonsense))
    game = lobby.play_now(user=alice)
    assert bots.play_bot(game=game.pk, seat=1)
    submit(game, 0, "bid 0")
    assert again(game).seq == 2


def test_another_bot_plays_for_a_bot_that_was_removed(alice):
    game = lobby.play_now(user=alice)
    Seat.objects.filter(game=game, number=1).update(bot="retired")
    assert bots.play_bot(game=game.pk, seat=1)


def test_bots_see_only_what_their_seat_may_know(alice, monkeypatch):
    views = []

    def watching(rules: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
        views.append(view)
        return [view.legal[0]]

    monkeypatch.setitem(BOTS, "medium", Bot("medium", "Medium", watching))
    game = lobby.play_now(user=alice)
    submit(game, 0, "bid 5")
    bots.play_bot(game=game.pk, seat=1)
    assert views[0].seat == 1 and [player.bid for player in views[0].players] == [None, None]
    assert all(info.born is None and info.joined == 0 for info in views[0].hidden.seats)


def test_each_turn_is_one_entry(alice, bob):
    game = play_turns(in_turns(alice, bob), 12)
    assert game.seq == 15
