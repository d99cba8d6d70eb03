"""Late joiners and drop-outs of a season: places, points and notices."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.contests import interventions as organizing
from games.contests import pools
from games.contests.leagues import services as seasons
from games.contests.leagues.divisions import table
from games.contests.models import Entrant, Intervention, Match, Member
from games.notices.models import Notice
from tests.cast import person
from tests.contests.ladders import ends
from tests.contests.leagues import (
    MONDAY,
    accept,
    divisions,
    everything,
    latest,
    league_of,
    notified,
    play_all,
    played,
    standings_of,
    started,
    sweep,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture
def four(alice, bob, carol, dan):
    return alice, bob, carol, dan


@pytest.fixture
def erin(db):
    return person("Erin")


def what_follows(league, user) -> str:
    return seasons.next_season_sentence(Member.objects.get(league=league, user=user))


# A new place


@pytest.mark.long
def test_a_late_joiner_meets_players_who_have_played_all_their_matches(four, erin, clock):
    league = league_of(*four)
    season = started(league, clock)
    play_all(season)
    clock.shift(timedelta(weeks=1))
    seasons.join(league=league, user=erin)
    sweep()
    assert played(season, clock, "Erin").state == "ended"
    assert standings_of(season)[0][0] == "Erin"


def test_l11_a_late_joiner_gets_a_place_of_their_own(four, erin, clock):
    league = league_of(*four)
    season = started(league, clock)
    clock.shift(timedelta(weeks=1))
    seasons.join(league=league, user=erin, at_once=4)
    sweep()
    assert what_follows(league, erin) == "You are playing in season 1."
    matches = Match.objects.filter(appearances__entrant__user=erin)
    assert matches.count() == 4 and set(matches.values_list("state", flat=True)) == {"playing", "waiting"}
    assert sorted(matches.values_list("appearances__seat", flat=True).filter(appearances__entrant__user=erin)) == [
        0,
        0,
        1,
        1,
    ]
    assert all(match.due_at == season.ends_at + timedelta(weeks=1) for match in matches)
    assert notified()["Erin"] == ["You are in season 1 of Harbour League"]
    lead = Notice.objects.get(user=erin, kind="season").lead
    assert lead.startswith("You play in division 1-1 with ") and "4 at a time" in lead
    assert standings_of(played(season, clock, "Erin"))[0][0] == "Erin"


def test_l11_nobody_joins_after_the_declared_weeks(four, erin, clock):
    league = league_of(*four)
    started(league, clock)
    clock.shift(timedelta(weeks=2))
    seasons.join(league=league, user=erin)
    assert not Entrant.objects.filter(user=erin).exists()
    assert what_follows(league, erin).startswith("Season 1 is full.")


def test_l11_a_full_division_takes_no_late_joiner(erin, clock):
    people = [person(f"P{n}") for n in range(8)]
    league = league_of(*people, division=8)
    started(league, clock)
    seasons.join(league=league, user=erin)
    assert not Entrant.objects.filter(user=erin).exists()


def test_l11_divisions_with_larger_tables_take_no_late_joiner(four, erin, clock):
    league = league_of(*four, players=3)
    started(league, clock)
    seasons.join(league=league, user=erin)
    assert not Entrant.objects.filter(user=erin).exists()


def test_l11_a_member_who_sat_out_may_join_late(four, erin, clock):
    league = league_of(*four, erin)
    seasons.sit_out(league=league, user=erin, sits_out=True)
    season = started(league, clock)
    assert "Erin" not in divisions(season)[0]
    seasons.sit_out(league=league, user=erin, sits_out=False)
    assert "Erin" in divisions(season)[0]


# The place of a player who dropped out


def test_l11_a_late_joiner_takes_over_the_place_and_points_of_a_drop_out(four, erin, clock):
    league = league_of(*four)
    season = started(league, clock)
    match = Match.objects.filter(appearances__entrant__name="Alice", state="playing").order_by("pk")[0]
    ends(match.game, 1, 1)
    pools.settle(match, timezone.now())
    seasons.drop_out(season=season, user=four[0])
    left = Entrant.objects.get(name="Alice")
    seasons.join(league=league, user=erin)
    taken = Entrant.objects.get(user=erin)
    assert (taken.pk, taken.points, taken.left_at, taken.name) == (left.pk, left.points, None, "Erin")
    assert len(divisions(season)[0]) == 4
    assert Intervention.objects.order_by("pk").last().what == "Alice → Erin"
    lead = Notice.objects.get(user=erin, kind="season").lead
    assert lead.startswith("You take over Alice’s place and points. You play in division 1-1 with ")


def test_l10_a_player_who_dropped_out_cannot_rejoin_the_same_season(four, erin, clock):
    league = league_of(*four)
    season = started(league, clock)
    seasons.drop_out(season=season, user=four[0])
    seasons.join(league=league, user=erin)
    seasons.sit_out(league=league, user=four[0], sits_out=False)
    assert not Entrant.objects.filter(user=four[0]).exists()
    seasons.leave(league=league, user=four[0])
    seasons.join(league=league, user=four[0])
    assert not Entrant.objects.filter(user=four[0]).exists()


@pytest.mark.parametrize("drop_outs", ["bot", "annul"])
def test_l12_a_player_who_dropped_out_finishes_last_and_sits_out(four, clock, drop_outs):
    league = league_of(*four, drop_outs=drop_outs)
    season = started(league, clock)
    seasons.drop_out(season=season, user=four[0])
    ended = played(season, clock, "Alice")
    assert standings_of(ended)[-1] == ("Alice", 4, "out")
    assert [line[:2] for line in standings_of(ended)[:3]] == [("Bob", 1), ("Carol", 2), ("Dan", 3)]
    assert Member.objects.get(user=four[0]).sits_out and not four[0].badges.exists()
    played_out = set(Match.objects.values_list("state", flat=True))
    assert played_out == ({"ended"} if drop_outs == "bot" else {"ended", "annulled"})
    assert "You dropped out of division 1-1." in Notice.objects.filter(kind="season", user=four[0]).last().lead


def test_l11_a_late_joiner_takes_over_nothing_if_remaining_matches_are_annulled(four, erin, clock):
    league = league_of(*four, drop_outs="annul")
    season = started(league, clock)
    seasons.drop_out(season=season, user=four[0])
    seasons.join(league=league, user=erin)
    assert Entrant.objects.filter(season=season).count() == 5
    assert Match.objects.filter(appearances__entrant__user=erin).count() == 3


def test_l10_a_removed_or_replaced_player_sits_out_too(four, erin, eve, clock):
    league = league_of(*four, organizer=eve)
    started(league, clock)
    organizing.remove(entrant=Entrant.objects.get(name="Alice"), by=eve, reason="Asked for it.")
    organizing.replace(entrant=Entrant.objects.get(name="Bob"), by=eve, name="Erin", reason="Bob is ill.")
    accept(erin)
    assert set(Member.objects.filter(sits_out=True).values_list("user__username", flat=True)) == {"Alice", "Bob"}
    for user in four[:2]:
        seasons.sit_out(league=league, user=user, sits_out=False)
    assert not Entrant.objects.filter(user__in=four[:2], left_at=None).exists()


@pytest.mark.long
def test_a_substitute_who_joins_the_league_keeps_the_tier(four, erin, eve, clock):
    league = league_of(*four, organizer=eve)
    season = started(league, clock)
    organizing.replace(entrant=Entrant.objects.get(name="Bob"), by=eve, name="Erin", reason="Bob is ill.")
    accept(erin)
    played(season, clock)
    assert "Join the league if you want to play." in Notice.objects.filter(kind="season", user=erin).last().lead
    assert seasons.join(league=league, user=erin).tier == 1


def test_joining_late_twice_changes_nothing(four, erin, clock):
    league = league_of(*four)
    started(league, clock)
    seasons.join(league=league, user=erin)
    before = everything()
    seasons.join(league=league, user=erin)
    assert everything() == before


# The standings


def test_a_cross_table_shows_places_and_the_points_of_each_against_each(four, clock, django_assert_num_queries):
    season = started(league_of(*four), clock)
    play_all(season, "Dan", "Carol")
    pool = season.pools.select_related("season__league").get()
    with django_assert_num_queries(3):
        standing = table(pool)
    names = [standing.entrants[line.entrant].name for line in standing.lines]
    assert names == ["Dan", "Carol", "Alice", "Bob"]
    assert [(line.place, line.points, line.possible, line.played) for line in standing.lines] == [
        (1, 6, 6, 3), (2, 4, 6, 3), (3, 2, 6, 3), (4, 0, 6, 3),
    ]  # fmt: skip
    dan, carol = (line.entrant for line in standing.lines[:2])
    assert standing.cells[dan, carol][:2] == (2, 2) and standing.cells[carol, dan][:2] == (0, 2)
    (match,) = standing.cells[dan, carol].matches
    assert {appearance.entrant_id for appearance in match.appearances.all()} == {dan, carol}


def test_l12_a_player_who_dropped_out_ranks_last_while_the_season_runs(four, clock):
    season = started(league_of(*four), clock)
    play_all(season, "Alice")
    seasons.drop_out(season=season, user=four[0])
    standing = table(season.pools.get())
    assert [standing.entrants[line.entrant].name for line in standing.lines] == ["Bob", "Carol", "Dan", "Alice"]
    assert [line.place for line in standing.lines] == [1, 2, 3, 4]
    assert latest(season.league) == season
