"""Leagues: declared, opened, joined, left, closed; and what is refused, with nothing half done."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.services import forget, make_guest
from games.contests.leagues import services as seasons
from games.contests.models import Entrant, Intervention, League, Member, Season
from games.contests.terms.declaration import Terms
from games.errors import GameError
from games.notices.models import Notice
from tests.cast import person
from tests.contests.leagues import MONDAY, START, everything, latest, league_of, started, sweep, terms_of, told

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    monkeypatch.setattr(seasons, "SIMULATED", 5)
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture
def four(alice, bob, carol, dan):
    return alice, bob, carol, dan


def refused(action) -> str:
    """The sentence, and that nothing was written."""
    before = everything()
    with pytest.raises(GameError) as refusal:
        action()
    assert everything() == before
    assert str(refusal.value).endswith(".")
    return str(refusal.value)


# Declaring and opening


def test_a_declared_league_is_a_draft_with_its_forecast(alice):
    league = seasons.declare(user=alice, terms=terms_of())
    assert (league.slug, league.state, league.organiser) == ("harbour-league", "draft", alice)
    assert league.forecast["seasons"] == 5 and league.declared == terms_of()
    assert not Season.objects.exists()


def test_a_clock_that_does_not_fit_the_season_is_declared_with_a_warning(alice):
    usual = seasons.declare(user=alice, terms=Terms(name="Usual League"))
    assert seasons.warning(usual) == ""
    slow = seasons.declare(user=alice, terms=Terms(name="Slow League", weeks=10))
    assert seasons.warning(slow).startswith("The season may be too short for the clock. If one player uses the whole")


def test_points_stand_only_in_games_where_they_say_who_is_ahead(alice):
    sentence = "“unfinished”: in this game, points don’t show who is ahead before the end. Choose bots."
    with pytest.raises(GameError) as refused:
        seasons.declare(user=alice, terms=Terms(name="Towers", ruleset="kingdoms", players=3, unfinished="points"))
    assert str(refused.value) == sentence and not League.objects.exists()


def test_leagues_of_one_name_have_addresses_of_their_own(alice, bob):
    assert [seasons.declare(user=one, terms=terms_of()).slug for one in (alice, bob, alice)] == [
        "harbour-league", "harbour-league-2", "harbour-league-3",
    ]  # fmt: skip
    assert seasons.declare(user=bob, terms=terms_of(name="Declare")).slug == "declare-2"
    assert seasons.declare(user=bob, terms=terms_of(name="港")).slug == "league"


def test_l1_guests_declare_no_league(db):
    assert "Sign up first" in refused(lambda: seasons.declare(user=make_guest(), terms=terms_of()))


def test_what_cannot_be_scheduled_is_not_declared(alice):
    assert "weeks" in refused(lambda: seasons.declare(user=alice, terms=terms_of(weeks=1, late=0, clock="move 14d")))
    assert "division" in refused(lambda: seasons.declare(user=alice, terms=terms_of(players=3, division=8)))


def test_l1_nobody_organises_more_than_three_leagues(alice):
    leagues = [seasons.declare(user=alice, terms=terms_of(name=name)) for name in ("A", "B", "C")]
    assert "three leagues" in refused(lambda: seasons.declare(user=alice, terms=terms_of()))
    seasons.close_league(league=leagues[0], user=alice)
    assert seasons.declare(user=alice, terms=terms_of())


def test_l2_an_opened_league_takes_sign_ups_until_noon_of_its_first_day(alice):
    league = seasons.declare(user=alice, terms=terms_of())
    season = seasons.open_league(league=league, user=alice)
    assert (season.number, season.starts_at, season.ends_at) == (1, START, START + timedelta(weeks=8))
    assert seasons.open_league(league=league, user=alice) == season and Season.objects.count() == 1


def test_l2_a_league_without_a_first_day_waits_as_long_as_between_seasons(alice, clock):
    clock.shift(timedelta(hours=3))
    league = seasons.declare(user=alice, terms=terms_of(starts=None, pause=2))
    assert seasons.open_league(league=league, user=alice).starts_at == MONDAY + timedelta(days=15)


def test_a_first_day_that_is_over_opens_nothing(alice, clock):
    league = seasons.declare(user=alice, terms=terms_of())
    clock.move_to(START)
    assert "Choose a later day" in refused(lambda: seasons.open_league(league=league, user=alice))


def test_the_league_is_its_organisers(alice, bob):
    league = league_of(organiser=alice)
    for action in (seasons.open_league, seasons.close_league):
        assert "Only the organizer" in refused(lambda action=action: action(league=league, user=bob))
    assert "Only the organizer" in refused(lambda: seasons.redeclare(league=league, user=bob, terms=terms_of()))
    assert "Only the organizer" in refused(lambda: seasons.start_now(season=latest(league), user=bob))
    staff = person("Staff", is_staff=True)
    assert seasons.redeclare(league=league, user=staff, terms=terms_of(weeks=9)).declared.weeks == 9


def test_l3_what_is_declared_later_holds_from_the_next_season_on(alice):
    league = league_of(organiser=alice)
    changed = seasons.redeclare(league=league, user=alice, terms=terms_of(name="Port League", weeks=9))
    assert (changed.name, changed.slug, changed.declared.weeks) == ("Port League", "harbour", 9)
    assert latest(league).declared.weeks == 8


def test_l3_a_league_stays_with_its_game(alice):
    league = league_of(organiser=alice)
    other = terms_of(ruleset="kingdoms", clock="move 12h", weeks=30)
    assert "can’t change a league’s game" in refused(lambda: seasons.redeclare(league=league, user=alice, terms=other))


# Joining and leaving


def test_who_joins_is_signed_up_and_joining_twice_is_once(alice, bob):
    league_of(alice, bob, alice)
    assert list(Member.objects.order_by("pk").values_list("user__username", flat=True)) == ["Alice", "Bob"]
    member = Member.objects.get(user=alice)
    assert seasons.what_follows(member) == "You are signed up for season 1, which starts on Monday, 8 March."


def test_guests_do_not_join(db):
    league = league_of()
    assert "Sign up first" in refused(lambda: seasons.join(league=league, user=make_guest()))


def test_nobody_joins_a_league_that_is_not_open(alice, bob):
    draft = seasons.declare(user=alice, terms=terms_of())
    assert "not open" in refused(lambda: seasons.join(league=draft, user=bob))
    closed = seasons.close_league(league=league_of(organiser=alice), user=alice)
    assert "not open" in refused(lambda: seasons.join(league=closed, user=bob))
    assert "is closed" in refused(lambda: seasons.open_league(league=closed, user=alice))
    assert "is closed" in refused(lambda: seasons.redeclare(league=closed, user=alice, terms=terms_of()))


@pytest.mark.parametrize("at_once", [0, 7, -1])
def test_nobody_wishes_for_no_contest_nor_for_seven_at_a_time(alice, bob, at_once):
    league = league_of(alice)
    assert "one to six" in refused(lambda: seasons.join(league=league, user=bob, at_once=at_once))
    assert "one to six" in refused(lambda: seasons.wish(league=league, user=alice, at_once=at_once))


def test_who_is_no_member_has_nothing_to_leave_or_to_wish(alice):
    league = league_of()
    for action in (
        lambda: seasons.leave(league=league, user=alice),
        lambda: seasons.rest(league=league, user=alice, rests=True),
        lambda: seasons.wish(league=league, user=alice, at_once=1),
    ):
        assert refused(action) == "You are not a member of this league."


def test_who_leaves_before_the_season_is_not_in_it(four, clock):
    league = league_of(*four, person("Erin"))
    seasons.leave(league=league, user=four[0])
    season = started(league, clock)
    assert set(Entrant.objects.filter(season=season).values_list("name", flat=True)) == {"Bob", "Carol", "Dan", "Erin"}


def test_l4_nobody_leaves_in_mid_season_but_can_drop_out_or_rest(four, clock):
    league = league_of(*four)
    season = started(league, clock)
    assert "drop out" in refused(lambda: seasons.leave(league=league, user=four[0]))
    assert seasons.what_follows(Member.objects.get(user=four[0])) == "You are playing in season 1."
    seasons.drop_out(season=season, user=four[0])
    assert seasons.what_follows(Member.objects.get(user=four[0])).startswith("You are sitting out")
    seasons.leave(league=league, user=four[0])
    assert Member.objects.count() == 3


def test_only_who_plays_drops_out_and_only_while_it_runs(four, clock, eve):
    league = league_of(*four)
    assert "You are not playing in this season" in refused(
        lambda: seasons.drop_out(season=latest(league), user=four[0])
    )
    season = started(league, clock)
    assert "You are not playing in this season" in refused(lambda: seasons.drop_out(season=season, user=eve))


def test_a_deleted_account_leaves_its_leagues_and_its_place_in_the_season(four, clock):
    league = league_of(*four, organiser=four[0])
    season = started(league, clock)
    forget(four[0])
    assert Member.objects.count() == 3
    assert Entrant.objects.get(season=season, user=None).name == "Former player"
    assert League.objects.get().organiser is None


def test_l7_a_wish_holds_at_once(four, clock):
    league = league_of(*four)
    season = started(league, clock)
    seasons.wish(league=league, user=four[0], at_once=3)
    assert Entrant.objects.get(season=season, user=four[0]).at_once == 3
    seasons.wish(league=league, user=four[0], at_once=None)
    assert Entrant.objects.get(season=season, user=four[0]).at_once == 2


# Bots


def test_l16_bots_enter_where_nothing_is_rated(alice):
    league = league_of(organiser=alice, rated=False, bots=True)
    names = [seasons.enter_bot(league=league, user=alice, bot="random").name for _n in range(2)]
    assert names == ["Random", "Random 2"]
    assert seasons.enter_bot(league=league, user=alice, bot="greedy", name="  Mole ").name == "Mole"
    assert "no such bot" in refused(lambda: seasons.enter_bot(league=league, user=alice, bot="chess"))
    seasons.take_out_bot(league=league, user=alice, member=Member.objects.get(name="Mole"))
    assert Member.objects.count() == 2


@pytest.mark.parametrize("terms", [{"rated": True}, {"rated": False, "bots": False}])
def test_l16_rated_leagues_refuse_bots(alice, terms):
    league = league_of(organiser=alice, **terms)
    assert "don’t allow bots" in refused(lambda: seasons.enter_bot(league=league, user=alice, bot="random"))


def test_l16_a_league_with_bots_does_not_become_rated(alice):
    league = league_of(organiser=alice, rated=False, bots=True)
    seasons.enter_bot(league=league, user=alice, bot="random")
    assert "This league has bots" in refused(lambda: seasons.redeclare(league=league, user=alice, terms=terms_of()))


# The organiser's evenings


def test_l2_an_organiser_need_not_wait_for_the_day(four):
    league = league_of(*four, organiser=four[0])
    season = seasons.start_now(season=latest(league), user=four[0])
    assert (season.state, season.started_at, season.ends_at) == ("running", MONDAY, MONDAY + timedelta(weeks=8))
    assert "is over" in refused(lambda: seasons.start_now(season=season, user=four[0]))


def test_too_few_are_not_started(alice, bob):
    league = league_of(alice, bob, organiser=alice)
    sentence = "Only 2 players have signed up, and the minimum is 4."
    assert refused(lambda: seasons.start_now(season=latest(league), user=alice)) == sentence


def test_l8_a_season_with_more_time_ends_later_and_all_read_why(four, eve, clock):
    league = league_of(*four, organiser=eve)
    season = started(league, clock)
    due = season.pools.get().matches.first().due_at
    seasons.extend_season(season=season, by=eve, days=7, reason="A storm.")
    assert season.pools.get().matches.first().due_at == due + timedelta(days=7)
    sweep()
    assert told("decision") == {one.username: ["Organizer decision in Harbour League"] for one in four}
    assert Intervention.objects.get().reason == "A storm."
    assert "Finish your matches by Monday, 10 May. A storm." in Notice.objects.filter(kind="decision").first().lead


def test_more_time_needs_a_reason_a_season_that_runs_and_its_organiser(four, clock):
    league = league_of(*four, organiser=four[0])
    waiting = latest(league)
    assert "not running" in refused(
        lambda: seasons.extend_season(season=waiting, by=four[0], days=7, reason="A storm.")
    )
    season = started(league, clock)
    for words, by, days, reason in (
        ("Only the organizer", four[1], 7, "A storm."),
        ("Enter a reason", four[0], 7, " "),
        ("from 1 to 60", four[0], 61, "A storm."),
    ):
        action = {"season": season, "by": by, "days": days, "reason": reason}
        assert words in refused(lambda action=action: seasons.extend_season(**action))


def test_l14_a_league_that_closes_before_its_season_has_none_and_says_so(alice, bob):
    league = league_of(alice, bob, organiser=alice)
    assert seasons.close_league(league=league, user=alice).state == "closed"
    assert not Season.objects.exists()
    sweep()
    sweep()
    assert told() == {"Alice": ["Harbour League is closed"], "Bob": ["Harbour League is closed"]}
    seasons.close_league(league=league, user=alice)
    assert timezone.now() == MONDAY and isinstance(league.declared, Terms)
