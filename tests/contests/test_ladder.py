"""Ladders: joining, leaving, challenges, contests and idleness. A refused action writes nothing."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from accounts.services import delete_account, make_guest
from games.contests.ladders import rungs, selectors
from games.contests.ladders import services as ladder
from games.contests.ladders import sweep as ladder_sweep
from games.contests.matches.selectors import competition_of
from games.contests.models import Challenge, Climb, Ladder, Rung
from games.errors import GameError
from games.notices.models import Notice
from games.tables.models import Seat
from tests.cast import again, person
from tests.contests.ladders import challenges, contest, ends, everything, goes_on_vacation, ladder_of, order, suspend

pytestmark = pytest.mark.django_db

MONDAY = datetime(2027, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture
def four(alice, bob, carol, dan) -> tuple[User, ...]:
    ladder_of(alice, bob, carol, dan)
    return alice, bob, carol, dan


def later(clock: time_machine.Traveller, **more: int) -> datetime:
    clock.shift(timedelta(**more))
    return timezone.now()


def refused(action) -> str:
    """Return the error message, after checking that nothing was written."""
    before = everything()
    with pytest.raises(GameError) as refusal:
        action()
    assert everything() == before
    return str(refusal.value)


# Joining and leaving


def test_a_new_player_joins_at_the_bottom_and_joining_twice_changes_nothing(alice, bob):
    ladder_of(alice, bob, alice)
    assert order() == ["Alice", "Bob"] and Ladder.objects.get().length == 2
    assert [(climb.name, climb.after) for climb in Climb.objects.order_by("pk")] == [("Alice", 1), ("Bob", 2)]


def test_guests_are_asked_to_sign_up_first(db):
    assert "Sign up first" in refused(lambda: ladder.join(ruleset="legends", user=make_guest()))


def test_there_is_no_ladder_for_an_unknown_game(alice):
    assert refused(lambda: ladder.join(ruleset="chess", user=alice)) == "There is no such ladder."


def test_an_abandoned_rung_stays_empty_until_it_has_sunk_to_the_bottom(four, monkeypatch):
    alice, *_others = four
    ladder.leave(ruleset="legends", user=alice)
    assert order() == ["-", "Bob", "Carol", "Dan"]
    monkeypatch.setattr(rungs, "WINDOW", 1)  # one stretch at a time
    assert rungs.sink("legends") and order() == ["Bob", "Carol", "-", "Dan"]
    ladder_sweep.sweep(timezone.now())
    assert order() == ["Bob", "Carol", "Dan"] and Ladder.objects.get().length == 3
    assert list(Rung.objects.order_by("rung").values_list("best", flat=True)) == [1, 2, 3]


def test_many_empty_rungs_sink_together(four, monkeypatch):
    monkeypatch.setattr(rungs, "WINDOW", 1)
    Rung.objects.filter(rung__in=[1, 2]).update(user=None)
    ladder_sweep.sweep(timezone.now())
    assert order() == ["Carol", "Dan"]
    Rung.objects.update(user=None)
    ladder_sweep.sweep(timezone.now())
    assert order() == [] and Ladder.objects.get().length == 0


def test_leaving_declines_received_challenges_and_withdraws_sent_ones(four):
    alice, bob, carol, _dan = four
    sent, taken = challenges(bob, alice), challenges(carol, bob)
    ladder.leave(ruleset="legends", user=bob)
    assert [Challenge.objects.get(pk=challenge.pk).state for challenge in (sent, taken)] == ["withdrawn", "declined"]
    assert order() == ["Alice", "Carol", "-", "Dan"]


def test_players_cannot_leave_during_a_contest(four):
    alice, bob, *_others = four
    contest(bob, alice)
    assert "You can leave when it ends" in refused(lambda: ladder.leave(ruleset="legends", user=alice))


def test_a_deleted_account_loses_its_contest_and_leaves_the_ladder(four):
    alice, bob, carol, _dan = four
    contest(bob, alice)
    taken = challenges(carol, bob)
    delete_account(bob)
    assert order() == ["Alice", "Carol", "-", "Dan"]
    assert Challenge.objects.get(pk=taken.pk).state == "declined"
    assert [climb.name for climb in Climb.objects.filter(why="left")] == ["Former player"]


def test_challenges_of_deleted_users_are_dropped(four):
    alice, bob, *_others = four
    challenges(bob, alice)
    alice.delete()
    ladder_sweep.sweep(timezone.now())
    assert Challenge.objects.get().state == "withdrawn" and order() == ["Bob", "Carol", "Dan"]


# Challenges


def test_a_challenged_player_is_notified_with_the_deadline_for_an_answer(four):
    alice, bob, *_others = four
    challenge = challenges(bob, alice)
    assert challenge.answer_by == MONDAY + timedelta(days=4)
    notice = Notice.objects.get(kind="challenge")
    assert (notice.user, notice.url) == (alice, "/ladder/legends/")
    assert "Bob challenged you" in notice.title and "by Friday, 5 March, 12:00" in notice.lead


@pytest.mark.parametrize(
    ("challenger", "challenged", "words"),
    [
        (3, "Dan", "challenge yourself"),
        (0, "Dan", "only challenge players above you"),
        (3, "Alice", "up to 2 rungs above you"),
        (3, "Medium", "Bots don’t play on ladders"),
        (3, "Nobody", "No player with this name"),
        (3, "", "No player with this name"),
    ],
)
def test_impossible_challenges_are_refused_with_a_reason(four, challenger, challenged, words):
    Ladder.objects.update(top_reach=2)
    action = {"user": four[challenger], "player": challenged}
    assert words in refused(lambda: ladder.challenge(ruleset="legends", **action))


def test_only_players_on_the_ladder_can_challenge(four, eve):
    assert refused(lambda: challenges(eve, four[0])) == "You are not on this ladder. Join it first."


def test_a_player_cannot_be_challenged_twice_or_by_two_players_or_on_vacation(four):
    alice, bob, carol, dan = four
    assert challenges(carol, bob) == challenges(carol, bob) == Challenge.objects.get()
    assert "Someone else" in refused(lambda: challenges(dan, bob))
    ladder.accept(pk=Challenge.objects.get().pk, user=bob)
    assert "already a challenge between" in refused(lambda: challenges(carol, bob))
    goes_on_vacation(alice, 3)
    assert "This player is away." in refused(lambda: challenges(bob, alice))


def test_a14_friends_who_challenge_a_player_again_do_not_keep_others_out(client, four, eve, clock):
    alice, bob, carol, dan = four
    ladder_of(eve)
    for user in (bob, carol):
        ladder.withdraw(pk=challenges(user, alice).pk, user=user)
    later(clock, days=15)
    assert challenges(bob, alice).is_open
    busy = "Someone else has already challenged this player."
    assert busy in refused(lambda: challenges(carol, alice))  # who has challenged her lately, too
    client.force_login(dan)
    assert 'name="player" value="Alice"' in client.get("/ladder/legends/").content.decode()
    assert challenges(dan, alice).is_open
    assert busy in refused(lambda: challenges(eve, alice))
    assert len(selectors.to_answer(alice)) == 2


def test_a14_a_challenge_is_no_longer_a_repeated_one_after_60_days(four, clock):
    alice, bob, carol, _dan = four
    ladder.withdraw(pk=challenges(bob, alice).pk, user=bob)
    later(clock, days=60)
    assert challenges(bob, alice).is_open
    assert "Someone else has already challenged this player." in refused(lambda: challenges(carol, alice))


def test_a_player_can_send_two_challenges_at_a_time(four):
    alice, bob, carol, dan = four
    challenges(dan, carol)
    challenges(dan, bob)
    assert "2 open challenges" in refused(lambda: challenges(dan, alice))


def test_after_withdrawing_a_challenge_the_player_waits_14_days(four, clock):
    alice, bob, *_others = four
    ladder.withdraw(pk=challenges(bob, alice).pk, user=bob)
    assert "less than 14 days ago" in refused(lambda: challenges(bob, alice))
    later(clock, days=14)
    assert challenges(bob, alice)


# Answers


def test_accepting_starts_the_contest_and_accepting_twice_changes_nothing(four):
    alice, bob, *_others = four
    challenge = challenges(bob, alice)
    game = ladder.accept(pk=challenge.pk, user=alice)
    assert ladder.accept(pk=challenge.pk, user=alice) == game
    assert game.is_running and game.listed and game.rated and game.full_game is None
    assert [seat.user for seat in game.seats.order_by("number")] == [bob, alice]
    assert Notice.objects.get(kind="challenge").why == "settled"
    assert set(Notice.objects.filter(kind="started").values_list("user__username", flat=True)) == {"Bob"}


def test_contests_are_full_games_unless_the_ladder_says_otherwise(alice, bob):
    ladder_of(alice, bob, full=True)
    game = contest(bob, alice)
    assert game.full_game.status == "running" and Challenge.objects.get().full_game == game.full_game


def test_declining_a_challenge_gives_up_the_rung(four):
    alice, bob, *_others = four
    challenge = challenges(bob, alice)
    for _tap in range(2):
        ladder.decline(pk=challenge.pk, user=alice)
    assert order() == ["Bob", "Alice", "Carol", "Dan"]
    notices = {notice.user.username: notice for notice in Notice.objects.filter(kind="rung")}
    assert notices["Bob"].title.startswith("You are now on rung 1")
    assert notices["Bob"].lead == "Alice declined your challenge."
    assert notices["Alice"].title.startswith("You are now on rung 2")
    assert "no longer open" in refused(lambda: ladder.accept(pk=challenge.pk, user=alice))


def test_only_the_two_players_can_decide_a_challenge(four, eve):
    alice, bob, carol, _dan = four
    challenge = challenges(bob, alice)
    for stranger in (eve, carol, bob):
        assert "accept, decline or withdraw" in refused(lambda who=stranger: ladder.accept(pk=challenge.pk, user=who))
        assert "accept, decline or withdraw" in refused(lambda who=stranger: ladder.decline(pk=challenge.pk, user=who))
    assert "accept, decline or withdraw" in refused(lambda: ladder.withdraw(pk=challenge.pk, user=alice))
    assert "no longer exists" in refused(lambda: ladder.accept(pk=challenge.pk + 1, user=alice))


def test_a_player_who_does_not_answer_in_time_gives_up_the_rung(four, clock):
    alice, bob, *_others = four
    challenge = challenges(bob, alice)
    later(clock, days=4)
    assert "can no longer answer it" in refused(lambda: ladder.accept(pk=challenge.pk, user=alice))
    assert ladder_sweep.sweep(timezone.now()) == 1 and ladder_sweep.sweep(timezone.now()) == 0
    assert Challenge.objects.get().state == "expired" and order()[:2] == ["Bob", "Alice"]


def test_the_deadline_for_an_answer_moves_past_a_vacation(four, clock):
    alice, bob, *_others = four
    challenge = challenges(bob, alice)
    later(clock, days=1)
    goes_on_vacation(alice, 10)
    now = later(clock, days=5)
    ladder_sweep.sweep(now)
    challenge.refresh_from_db()
    assert (challenge.state, challenge.answer_by) == ("open", MONDAY.replace(day=15, hour=0))
    later(clock, days=7)
    assert ladder.accept(pk=challenge.pk, user=alice).is_running


# Contests


def test_the_winner_takes_the_rung_and_the_players_between_move_down_one(four):
    alice, _bob, _carol, dan = four
    ends(contest(dan, alice), 1, 2)
    assert ladder_sweep.sweep(timezone.now()) == 1 and ladder_sweep.sweep(timezone.now()) == 0
    assert order() == ["Dan", "Alice", "Bob", "Carol"] and Challenge.objects.get().state == "won"
    moved = Climb.objects.exclude(why="joined").order_by("after").values_list("user__username", "before", "why")
    assert list(moved) == [("Dan", 4, "won"), ("Alice", 1, "lost"), ("Bob", 2, "passed"), ("Carol", 3, "passed")]
    assert set(Notice.objects.filter(kind="rung").values_list("user__username", flat=True)) == {"Dan", "Alice"}
    assert Rung.objects.get(user=dan).best == 1


@pytest.mark.parametrize(("places", "state"), [((2, 1), "lost"), ((1, 1), "drawn")])
def test_a_challenger_who_does_not_win_changes_no_rung(four, places, state):
    alice, bob, *_others = four
    ends(contest(bob, alice), *places)
    ladder_sweep.sweep(timezone.now())
    assert Challenge.objects.get().state == state and order()[:2] == ["Alice", "Bob"]


@pytest.mark.parametrize(
    ("challenger", "places", "words"),
    [
        (3, (1, 2), "Dan won the match and moved up from rung 4 to rung 1."),
        (3, (2, 1), "Alice won the match, and both players kept their rungs."),
        (3, (1, 1), "Nobody won the match, and both players kept their rungs."),
    ],
)
def test_the_result_of_a_match_says_which_rung_was_won(four, challenger, places, words):
    game = contest(four[challenger], four[0])
    assert competition_of(again(game)).result == ""
    ends(game, *places)
    assert competition_of(again(game)).result == "The ladder will be updated in a moment."
    ladder_sweep.sweep(timezone.now())
    assert competition_of(again(game)).result == words


def test_a_challenger_who_wins_after_passing_the_other_keeps_the_rung(four):
    _alice, bob, carol, dan = four
    game, other = contest(dan, carol), contest(dan, bob)
    for won in (other, game):
        ends(won, 1, 2)
        ladder_sweep.sweep(timezone.now())
    assert competition_of(again(game)).result == "Dan won the match, and both players kept their rungs."


def test_a_resigned_seat_loses_even_with_more_points(four):
    alice, bob, *_others = four
    game = contest(bob, alice)
    Seat.objects.filter(game=game, owner=alice).update(user=None, bot="medium", has_given_up=True)
    ends(game, 2, 1)
    ladder_sweep.contest_ended(game.pk, timezone.now())
    assert Challenge.objects.get().state == "won" and order()[:2] == ["Bob", "Alice"]


def test_rungs_count_as_they_are_when_a_contest_ends(four):
    """Bob was challenged, fell below his challenger during the contest, and climbs back by winning."""
    alice, bob, carol, dan = four
    game = contest(carol, bob)
    ladder.decline(pk=challenges(dan, bob).pk, user=bob)
    ladder.decline(pk=challenges(carol, alice).pk, user=alice)
    assert order() == ["Carol", "Alice", "Dan", "Bob"]
    ends(game, 2, 1)
    ladder_sweep.sweep(timezone.now())
    assert order() == ["Bob", "Carol", "Alice", "Dan"]


# Idleness


def test_an_idle_player_falls_and_finally_leaves_the_ladder(four, clock):
    Ladder.objects.update(fall=2)
    alice, *_others = four
    now = later(clock, days=60)
    Rung.objects.exclude(user=alice).update(last_at=now)
    assert ladder_sweep.sweep(now) == 1 and ladder_sweep.sweep(now) == 0
    assert order() == ["Bob", "Carol", "Alice", "Dan"]
    now = later(clock, days=60)
    Rung.objects.exclude(user=alice).update(last_at=now)
    ladder_sweep.sweep(now)
    assert order() == ["Bob", "Carol", "Dan"]
    assert list(Notice.objects.filter(kind="rung").order_by("pk").values_list("title", flat=True)) == [
        "You are now on rung 3 of the Legends ladder", "You were removed from the Legends ladder",
    ]  # fmt: skip


def test_players_in_a_contest_or_on_vacation_are_not_idle(four, clock):
    alice, bob, carol, dan = four
    contest(bob, alice)
    now = later(clock, days=60)
    goes_on_vacation(carol, 2)
    ladder_sweep.sweep(now)
    assert order() == ["Alice", "Bob", "Carol", "Dan"]
    assert list(Rung.objects.filter(has_fallen=True).values_list("user", flat=True)) == [dan.pk]


def test_a_climb_updates_only_its_own_rungs_on_a_long_ladder(alice, bob, django_assert_max_num_queries):
    long_ladder = ladder_of(*(person(f"P{n}") for n in range(30)), alice, bob)
    challenge = challenges(bob, alice)
    challenge.ladder = long_ladder
    with django_assert_max_num_queries(3):
        rungs.move(long_ladder, {32: 31, 31: 32})
    assert order()[-2:] == ["Bob", "Alice"] and order()[:2] == ["P0", "P1"]


# Suspended players


def test_challenges_of_a_suspended_player_are_called_off_and_nobody_loses_a_rung(four, clock):
    alice, bob, carol, dan = four
    received, sent, other = challenges(carol, bob), challenges(bob, alice), challenges(dan, carol)
    suspend(bob)
    for attempt in (ladder.accept, ladder.decline):
        assert refused(lambda attempt=attempt: attempt(pk=sent.pk, user=alice)) == ("This challenge is no longer open.")
    assert not ladder_sweep.time_out(received.pk, later(clock, days=10))
    ladder_sweep.sweep(timezone.now())
    states = [Challenge.objects.get(pk=challenge.pk).state for challenge in (received, sent, other)]
    assert states == ["drawn", "drawn", "expired"] and order() == ["Alice", "Bob", "Dan", "Carol"]
    (notice,) = Notice.objects.filter(user=carol, kind="rung", title__contains="was canceled")
    assert "Bob can’t play at the moment. Nobody loses a rung" in notice.lead and "suspend" not in notice.lead
    assert not Notice.objects.filter(title__contains="was canceled").exclude(user=carol).exists()


def test_a_suspended_player_can_not_be_challenged_and_this_reads_like_a_vacation(four):
    alice, bob, carol, dan = four
    goes_on_vacation(alice, 5)
    suspend(bob)
    User.objects.filter(pk=dan.pk).update(suspended_until=timezone.now() - timedelta(days=1))  # it is over
    refusals = {
        refused(lambda name=name: ladder.challenge(ruleset="legends", user=carol, player=name))
        for name in ("Alice", "Bob")
    }
    assert refusals == {"This player is away. You can challenge them when they are back."}
    shown = selectors.ladder(ruleset="legends", reader=dan)
    assert [line.is_away for line in shown.lines] == [True, True, False, False]


def test_a_suspended_player_keeps_the_rung_and_plays_for_it_afterwards(four, clock):
    _alice, bob, carol, _dan = four
    suspend(bob, days=90)
    ladder_sweep.sweep(later(clock, days=70))
    assert order()[0] == "Bob"
    assert not Rung.objects.get(user=bob).has_fallen and Rung.objects.get(user=carol).has_fallen
    clock.shift(timedelta(days=21))
    assert challenges(User.objects.get(pk=carol.pk), User.objects.get(pk=bob.pk)).is_open


def test_a_closed_account_leaves_the_ladder_after_its_match(four):
    alice, bob, carol, _dan = four
    game = contest(bob, alice)
    suspend(bob, "close", None)
    suspend(carol, "close", None)
    ladder_sweep.sweep(timezone.now())
    assert order() == ["Alice", "Bob", "Dan"]
    ends(game, 1, 2)  # Alice, then the stand-in
    ladder_sweep.contest_ended(game.pk, timezone.now())
    ladder_sweep.sweep(timezone.now())
    assert order() == ["Alice", "Dan"]
