"""Pools: matches begin when their players have room, contests count once, and organizers can intervene."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.contests import interventions as organizing
from games.contests import pools
from games.contests.leagues import services as seasons
from games.contests.matches.selectors import match as match_page
from games.contests.models import Appearance, Entrant, Intervention, InterventionKind, Match, Score
from games.contests.ratings import book
from games.contests.ratings.recompute import recompute
from games.errors import GameError, NotYours, Over
from games.notices.delivery import messages
from games.notices.models import Hook, Notice
from games.tables.models import Entry, Game, Seat
from games.tables.services import bots, handover, records
from tests.cast import again, bid, person, play_out, play_turns, seats_of, state_of, submit, turn_of, with_snapshot
from tests.contests.ladders import ends
from tests.contests.leagues import accept
from tests.contests.seasons import WEEKS, division_of, look, match_of, states, sums
from tests.contests.seasons import game as game_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return [person(name) for name in ("Alice", "Bob", "Carol", "Dan")]


def everything():
    """Return all rows that a step could have written."""
    return [
        list(kind.objects.order_by("pk").values_list()) for kind in (Match, Entrant, Seat, Intervention, Notice, Score)
    ]


def test_matches_begin_if_their_players_have_room(people):
    pool = division_of(*people, at_once=1)
    assert not look(pool)
    assert [table for table, state in states(pool).items() if state == "playing"] == ["Alice – Bob", "Carol – Dan"]


def test_where_players_can_be_reached_is_read_once_for_all_matches_that_begin(people):
    hook = Hook.objects.create(user=people[1], url="https://example.org/hook", format="json")
    pool = division_of(*people, at_once=3)
    with CaptureQueriesContext(connection) as queries:
        look(pool)
    read = [query["sql"] for query in queries.captured_queries if query["sql"].startswith("SELECT")]
    for table in ("notices_hook", "notices_device"):
        assert sum(f'FROM "{table}"' in sql for sql in read) == 1, table
    assert Match.objects.filter(state="playing").count() == 6
    assert Notice.objects.filter(channel="email").values("user").distinct().count() == 4
    of_hook = Notice.objects.filter(channel="hook")
    assert of_hook.exists() and {(notice.user, notice.target) for notice in of_hook} == {(people[1], hook.pk)}


def test_the_next_match_begins_when_one_has_ended(people):
    pool = division_of(*people[:3], at_once=1)
    look(pool)
    ends(game_of(pool, "Alice", "Bob"), 1, 2)
    look(pool)
    assert states(pool) == {"Alice – Bob": "ended", "Alice – Carol": "playing", "Bob – Carol": "waiting"}


def test_a_match_that_has_waited_too_long_begins_despite_a_full_schedule(people):
    pool = division_of(*people[:3], at_once=1)
    look(pool)
    with time_machine.travel(timezone.now() + WEEKS / 2, tick=False):
        look(pool)
    assert set(states(pool).values()) == {"playing"}


def test_a_pool_is_not_due_before_its_next_deadline(people):
    pool = division_of(*people[:3], at_once=1)
    look(pool)
    pool.refresh_from_db()
    assert pool.look_at == Match.objects.filter(state="waiting").first().start_by


def test_a_second_look_changes_nothing(people):
    pool = division_of(*people, at_once=1)
    look(pool)
    ends(game_of(pool, "Alice", "Bob"), 1, 2)
    look(pool)
    before = everything()
    look(pool)
    assert everything() == before


def test_a_player_gets_two_points_for_each_player_beaten_and_one_for_each_tied():
    assert [pools.points(place, [1, 2, 2, 4]) for place in (1, 2, 2, 4)] == [6, 3, 3, 0]


def test_the_sweep_counts_an_ended_contest_whose_task_was_lost(people):
    pool = division_of(*people[:2])
    look(pool)
    ends(game_of(pool, "Alice", "Bob"), 2, 1)
    assert pools.sweep(timezone.now()) == 1
    assert sums(pool) == {"Alice": (0, 2, 1), "Bob": (2, 2, 1)}


def test_the_task_of_an_ended_contest_finds_its_pool(people):
    pool = division_of(*people[:2])
    look(pool)
    ends(game_of(pool, "Alice", "Bob"), 1, 1)
    pools.contest_ended(game_of(pool, "Alice", "Bob").pk, timezone.now())
    assert sums(pool) == {"Alice": (1, 2, 1), "Bob": (1, 2, 1)}


def test_a_pool_is_decided_when_its_last_contest_has_ended(people):
    pool = division_of(*people[:2])
    assert not look(pool)
    ends(game_of(pool, "Alice", "Bob"), 1, 2)
    assert look(pool)


@pytest.mark.parametrize("leave", [handover.hand_to_bot, handover.resign])
def test_l31_a_player_who_leaves_a_match_to_a_bot_ranks_last_in_it(people, leave):
    pool = division_of(*people[:2], options={"opening": "drawn"})
    look(pool)
    game = game_of(pool, "Alice", "Bob")
    leave(seat=Seat.objects.get(game=game, owner=people[0]), user=people[0])
    while again(game).is_running:
        if not bots.sweep_bots():
            play_turns(game, 1)
    look(pool)
    assert [seat.place for seat in Seat.objects.filter(game=game).order_by("owner")] == [1, 2]  # the bot has won
    assert sums(pool) == {"Alice": (0, 2, 1), "Bob": (2, 2, 1)}
    assert list(Appearance.objects.order_by("entrant").values_list("place", flat=True)) == [2, 1]


def test_l31_the_result_of_someone_who_has_taken_over_the_place_counts(people):
    pool = division_of(*people[:2])
    look(pool)
    game = game_of(pool, "Alice", "Bob")
    ends(game, 1, 2)
    Score.objects.filter(game=game, seat=0).update(gave_up=True, stood={"game": 0, "seq": 3, "places": [2, 1]})
    look(pool)
    assert sums(pool) == {"Alice": (2, 2, 1), "Bob": (0, 2, 1)}


def late(pool, turns):
    """Play some turns of Alice's contest with Bob, then move to the end of the season."""
    look(pool)
    game = game_of(pool, "Alice", "Bob")
    bid(game, 1, 0)
    submit(game, 0, "first 0")
    play_turns(game, turns)
    return time_machine.travel(timezone.now() + WEEKS, tick=False)


def bots_play():
    while bots.sweep_bots():
        pass


@pytest.mark.long
def test_bots_finish_a_contest_that_outlasts_its_season_and_it_counts(people):
    pool = division_of(*people[:2])
    with late(pool, 3):
        assert not look(pool)
        look(pool)
        pool.refresh_from_db()
        assert pool.look_at is None
        game = game_of(pool, "Alice", "Bob")
        assert [(seat.user, seat.owner, seat.bot) for seat in seats_of(game)] == [
            (None, person, "medium") for person in people[:2]
        ]
        with pytest.raises(Over, match="Bots play this game to the end"):
            handover.come_back(seat=seats_of(game)[0], user=people[0])
        bots_play()
        assert look(pool)
    assert states(pool) == {"Alice – Bob": "ended"} and sum(points for points, *_rest in sums(pool).values()) == 2
    assert Intervention.objects.get().reason == "It was unfinished when the season ended, so bots finish it."
    scores = Score.objects.filter(game=game)
    assert not any(score.gave_up or score.stood for score in scores) and records.verify(game=again(game)) == []
    assert set(Appearance.objects.values_list("late", flat=True)) == {0}


def test_players_can_leave_the_season_and_the_site_while_bots_finish_their_contests(people):
    pool = division_of(*people[:2])
    with late(pool, 1):
        look(pool)
        organizing.drop_out_everywhere(user=people[0])
    assert Entrant.objects.get(name="Alice").left_at is not None


@pytest.mark.parametrize(("hours", "slow"), [({"Alice": 40, "Bob": 4}, ["Alice"]), ({"Alice": 30, "Bob": 30}, [])])
def test_l33_a_player_for_whom_a_match_waited_until_its_time_was_up_gains_nothing_by_bots(people, hours, slow):
    pool = division_of(*people[:2], clock="move 2d")
    look(pool)
    game = game_of(pool, "Alice", "Bob")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _turn in range(10):
            number, actions = turn_of(with_snapshot(game))
            clock.shift(timedelta(hours=hours[seats_of(game)[number].name]))
            submit(game, number, *actions)
        Match.objects.update(due_at=timezone.now())
        stood = [line.place for line in again(game).rules.score(state_of(game)).seats]
        look(pool)
        bots_play()
        assert look(pool)
    assert book.sweep() == 1 and recompute("legends", mend=False) == []
    scores = list(Score.objects.filter(game=game).order_by("seat"))
    assert [score.name for score in scores if score.kept_waiting] == slow
    assert all(score.kept_waiting["places"] == stood for score in scores if score.kept_waiting)
    assert match_page(match_of(pool, "Alice", "Bob").pk, people[2]).slowest == "".join(slow)
    Score.objects.filter(pk=scores[0].pk).update(kept_waiting={"game": 0, "seq": 1, "places": [1, 1]})
    assert recompute("legends", mend=True) != [] and recompute("legends", mend=False) == []


@pytest.mark.long
def test_the_later_games_of_a_full_game_are_left_to_bots_too(people):
    pool = division_of(*people[:2], full=True)
    with late(pool, 1):
        look(pool)
        bots_play()
        assert look(pool)
    assert states(pool) == {"Alice – Bob": "ended"} and Game.objects.filter(is_left_to_bots=True).count() == 3


def test_unfinished_contests_count_with_current_points_if_the_league_says_so(people):
    pool = division_of(*people[:2], unfinished="points", full=True)
    with late(pool, 3):
        assert look(pool)
    assert game_of(pool, "Alice", "Bob").status == "finished" and Game.objects.count() == 1
    assert states(pool) == {"Alice – Bob": "ended"}
    assert Intervention.objects.get().reason == "It was unfinished when the season ended, so its current points count."
    assert messages.message(Notice.objects.filter(kind="decision")[0]).lead == (
        "The game has ended early. The score at that point is the result. "
        "Reason: “The season ended before this game did.”"
    )


def test_players_who_want_no_decisions_learn_of_the_end_of_a_contest_with_current_points(people):
    pool = division_of(*people[:2], unfinished="points")
    people[0].notice_settings = {"email": {"decision": "off"}}
    people[0].save()
    with late(pool, 3):
        look(pool)
    game = game_of(pool, "Alice", "Bob")
    told = Notice.objects.filter(seat__game=game, seq=game.seq).order_by("user__username")
    assert [(notice.user.username, notice.kind) for notice in told] == [("Alice", "ended"), ("Bob", "decision")]


def test_bots_finish_a_contest_that_has_no_points_yet(people):
    pool = division_of(*people[:2], unfinished="points")
    look(pool)
    with time_machine.travel(timezone.now() + WEEKS, tick=False):
        assert not look(pool)
    assert game_of(pool, "Alice", "Bob").is_left_to_bots


@pytest.mark.long
def test_contests_that_a_player_stalls_count_for_them_like_all_others(people):
    """Alice wins one contest in time and stalls two until the season is over."""
    pool = division_of(*people, at_once=3)
    look(pool)
    for first, second in (("Alice", "Bob"), ("Bob", "Carol"), ("Bob", "Dan"), ("Carol", "Dan")):
        ends(game_of(pool, first, second), 1, 2)
    with time_machine.travel(timezone.now() + WEEKS, tick=False):
        look(pool)
        bots_play()
        assert look(pool)
    assert set(states(pool).values()) == {"ended"}
    assert [possible for _points, possible, _played in sums(pool).values()] == [6, 6, 6, 6]


def test_a_bot_plays_the_remaining_matches_of_a_drop_out_if_the_league_says_so(people):
    pool = division_of(*people[:3], at_once=1, drop_outs="bot")
    look(pool)
    organizing.leave(entrant=Entrant.objects.get(name="Alice"), user=people[0])
    alice, _bob = seats_of(game_of(pool, "Alice", "Bob"))
    assert alice.has_given_up and alice.bot == "medium"
    ends(game_of(pool, "Alice", "Bob"), 2, 1)
    look(pool)
    medium, carol = seats_of(game_of(pool, "Alice", "Carol"))
    assert (medium.name, medium.owner, carol.name) == ("Medium", None, "Carol")


def test_the_remaining_matches_of_a_drop_out_are_annulled_if_the_league_says_so(people):
    pool = division_of(*people[:3], drop_outs="annul")
    look(pool)
    ends(game_of(pool, "Alice", "Bob"), 1, 2)
    look(pool)
    organizing.leave(entrant=Entrant.objects.get(name="Alice"), user=people[0])
    assert states(pool) == {"Alice – Bob": "ended", "Alice – Carol": "annulled", "Bob – Carol": "playing"}
    assert sums(pool) == {"Alice": (2, 2, 1), "Bob": (0, 2, 1), "Carol": (0, 0, 0)}


def test_dropping_out_twice_changes_nothing(people):
    pool = division_of(*people[:3])
    look(pool)
    for _time in range(2):
        organizing.leave(entrant=Entrant.objects.get(name="Alice"), user=people[0])
    assert Intervention.objects.filter(kind=InterventionKind.LEFT).count() == 1


def test_a_match_without_remaining_players_is_annulled(people):
    pool = division_of(*people[:2])
    for user in people[:2]:
        organizing.leave(entrant=Entrant.objects.get(user=user), user=user)
    assert look(pool)
    assert states(pool) == {"Alice – Bob": "annulled"}


def test_a_substitute_takes_over_the_place_and_points(people):
    erin = person("Erin")
    pool = division_of(*people[:3], organizer=people[3])
    look(pool)
    for pair in (("Alice", "Carol"), ("Bob", "Carol")):
        bid(game_of(pool, *pair), 1, 0)
    ends(game_of(pool, "Alice", "Bob"), 1, 2)
    look(pool)
    organizing.replace(entrant=Entrant.objects.get(name="Alice"), by=people[3], name="erin", reason="Alice is ill.")
    assert sums(pool)["Alice"] == (2, 2, 1) and not Intervention.objects.exists()
    accept(erin)
    assert sums(pool)["Erin"] == (2, 2, 1)
    assert [seat.owner for seat in seats_of(game_of(pool, "Erin", "Carol"))] == [erin, people[2]]
    intervention = Intervention.objects.get()
    assert (intervention.what, intervention.reason) == ("Alice → Erin", "Alice is ill.")
    assert set(Notice.objects.filter(kind="decision").values_list("user__username", flat=True)) == {"Alice", "Carol"}
    assert Notice.objects.filter(kind="turn", user=erin).exists()


def test_an_annulled_contest_no_longer_counts_and_the_reason_is_public(people):
    pool = division_of(*people[:2], organizer=people[2])
    look(pool)
    ends(game_of(pool, "Alice", "Bob"), 1, 2)
    look(pool)
    organizing.annul(match=match_of(pool, "Alice", "Bob"), by=people[2], reason="Bob was ill.")
    assert sums(pool) == {"Alice": (0, 0, 0), "Bob": (0, 0, 0)}
    assert Intervention.objects.get().what == "Alice – Bob"


def test_an_extended_contest_continues_after_the_season(people):
    pool = division_of(*people[:2], organizer=people[2])
    look(pool)
    organizing.extend(match=match_of(pool, "Alice", "Bob"), by=people[2], days=7, reason="A storm.")
    with time_machine.travel(timezone.now() + WEEKS + timedelta(days=1), tick=False):
        assert not look(pool)


def refused(pool, people):
    match, alice = match_of(pool, "Alice", "Bob"), Entrant.objects.get(name="Alice")
    return [
        (NotYours, lambda: organizing.annul(match=match, by=people[0], reason="I lost.")),
        (NotYours, lambda: organizing.leave(entrant=alice, user=people[1])),
        (NotYours, lambda: organizing.remove(entrant=alice, by=people[1], reason="I lost.")),
        (NotYours, lambda: organizing.replace(entrant=alice, by=people[1], name="Dan", reason="I lost.")),
        (GameError, lambda: organizing.annul(match=match, by=people[2], reason=" ")),
        (GameError, lambda: organizing.extend(match=match, by=people[2], days=0, reason="A storm.")),
        (GameError, lambda: organizing.extend(match=match, by=people[2], days=400, reason="A storm.")),
        (GameError, lambda: organizing.replace(entrant=alice, by=people[2], name="Nobody", reason="A storm.")),
        (GameError, lambda: organizing.replace(entrant=alice, by=people[2], name="Bob", reason="A storm.")),
    ]


def interventions(pool, by):
    match, bob = match_of(pool, "Bob", "Carol"), Entrant.objects.get(name="Bob")
    return [
        lambda: organizing.annul(match=match, by=by, reason="I lost."),
        lambda: organizing.extend(match=match, by=by, days=7, reason="I am late."),
        lambda: organizing.remove(entrant=bob, by=by, reason="Bob wins."),
        lambda: organizing.replace(entrant=bob, by=by, name="Dan", reason="Bob wins."),
        lambda: seasons.extend_season(season=pool.season, by=by, days=7, reason="I am late."),
    ]


def test_nobody_intervenes_in_a_season_in_which_they_play_or_have_played(people):
    alice, _bob, carol, dan = people
    pool = division_of(*people[:3], organizer=alice)
    look(pool)
    before = everything()
    carol.is_staff = carol.is_superuser = True
    for by in (alice, carol):
        for action in interventions(pool, by):
            with pytest.raises(NotYours, match="You can’t intervene in a competition you play in"):
                action()
    assert everything() == before
    staff = person("Harbourmaster", is_staff=True, is_superuser=True)
    bid(game_of(pool, "Alice", "Bob"), 1, 0)
    bid(game_of(pool, "Alice", "Carol"), 1, 0)
    organizing.replace(entrant=Entrant.objects.get(name="Alice"), by=staff, name="Dan", reason="Alice asked for it.")
    accept(dan)
    for action in interventions(pool, alice):
        with pytest.raises(NotYours, match="You can’t intervene in a competition you play in"):
            action()


def test_an_organizer_cannot_substitute_themselves(people):
    division_of(*people[:2], organizer=people[3])
    with pytest.raises(GameError, match="You can’t ask yourself"):
        organizing.replace(entrant=Entrant.objects.get(name="Alice"), by=people[3], name="Dan", reason="Let me.")


def test_removing_someone_who_has_just_dropped_out_changes_and_tells_nothing(people):
    pool = division_of(*people[:3], organizer=people[3])
    alice = Entrant.objects.get(name="Alice")
    organizing.leave(entrant=alice, user=people[0])
    before = everything()
    with pytest.raises(Over, match="Alice has already dropped out"):
        organizing.remove(entrant=alice, by=people[3], reason="An old page.")
    assert everything() == before and pool.interventions.get().kind == "left"


def test_a_player_removed_by_the_organizer_is_rated_by_the_position_at_that_moment(people):
    pool = division_of(*people[:2], organizer=people[2])
    look(pool)
    game = game_of(pool, "Alice", "Bob")
    bid(game, 1, 0)
    submit(game, 0, "first 0")
    play_turns(game, 6)
    organizing.remove(entrant=Entrant.objects.get(name="Alice"), by=people[2], reason="Rude\x00 words.\n")
    assert [entry.actions for entry in Entry.objects.filter(game=game).order_by("-seq")[:1]] == [
        ["replace 0 bot: Rude words."]
    ]
    ended = play_out(game)
    alice = Score.objects.get(game=ended, user=people[0])
    assert not alice.gave_up and alice.stood["places"] and records.verify(game=ended) == []


def test_a_bot_takes_over_a_substituted_players_seats_that_were_shown_hidden_cards(people):
    pool = division_of(*people[:3], organizer=people[3], ruleset="kingdoms")
    look(pool)
    erin = person("Erin")
    organizing.replace(entrant=Entrant.objects.get(name="Alice"), by=people[3], name="Erin", reason="Alice is ill.")
    accept(erin)
    seats = Seat.objects.filter(first_owner=people[0])
    assert [(seat.owner, seat.user, seat.bot) for seat in seats] == [(people[0], None, "medium")] * 2
    assert not Seat.objects.filter(user=erin).exists() and Entrant.objects.get(name="Erin").user == erin


def test_refused_interventions_change_nothing(people):
    pool = division_of(*people[:2], organizer=people[2])
    look(pool)
    before = everything()
    for kind, action in refused(pool, people):
        with pytest.raises(kind) as refusal:
            action()
        assert str(refusal.value).endswith((".", "?"))
    assert everything() == before


def test_nobody_can_leave_an_ended_pool_or_annul_its_matches(people):
    pool = division_of(*people[:2], organizer=people[2])
    pool.ended_at = timezone.now()
    pool.save()
    with pytest.raises(Over):
        organizing.leave(entrant=Entrant.objects.get(name="Alice"), user=people[0])
    with pytest.raises(Over):
        organizing.annul(match=match_of(pool, "Alice", "Bob"), by=people[2], reason="A storm.")


def test_a_player_who_deletes_their_account_drops_out_and_loses_the_name(people):
    pool = division_of(*people[:3])
    look(pool)
    organizing.drop_out_everywhere(user=people[0])
    people[0].delete()
    assert list(sums(pool)) == ["Former player", "Bob", "Carol"]
    assert Entrant.objects.get(name="Former player").left_at is not None
