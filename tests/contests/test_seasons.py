"""Leagues: creating, opening, joining, leaving and closing. A refused action writes nothing."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.forms import PreferencesForm
from accounts.models import User
from accounts.moderation import services as moderation
from accounts.services import delete_account, make_guest, save_preferences
from games.contests import pools
from games.contests.leagues import services as seasons
from games.contests.models import Entrant, Intervention, InterventionKind, League, Match, Member, Season
from games.contests.terms.declaration import LeagueTerms
from games.errors import GameError
from games.notices.models import Notice
from games.tables.models import Game
from tests.cast import person
from tests.contests.ladders import suspend
from tests.contests.leagues import MONDAY, START, everything, latest, league_of, notified, started, sweep, terms_of

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
    """Return the error message, after checking that nothing was written."""
    before = everything()
    with pytest.raises(GameError) as refusal:
        action()
    assert everything() == before
    assert str(refusal.value).endswith(".")
    return str(refusal.value)


# Declaring and opening


def test_a_new_league_is_a_draft_with_a_forecast(alice):
    league = seasons.create_league(user=alice, terms=terms_of())
    assert (league.slug, league.state, league.organizer) == ("harbour-league", "draft", alice)
    assert league.forecast["seasons"] == 5 and league.declared == terms_of()
    assert not Season.objects.exists()


def test_a_league_whose_clock_does_not_fit_the_season_has_a_warning(alice):
    usual = seasons.create_league(user=alice, terms=LeagueTerms(name="Usual League"))
    assert seasons.warning(usual) == ""
    slow = seasons.create_league(user=alice, terms=LeagueTerms(name="Slow League", weeks=10))
    assert seasons.warning(slow).startswith("The season may be too short for the clock. If one player uses the whole")
    assert "but it has 10 weeks." in seasons.warning(slow)
    slow.terms["weeks"] = 1
    assert "but it has 1 week." in seasons.warning(slow)


def test_current_points_count_only_in_games_where_they_show_who_is_ahead(alice):
    sentence = "“unfinished”: in this game, points don’t show who is ahead before the end. Choose bots."
    with pytest.raises(GameError) as refused:
        seasons.create_league(
            user=alice, terms=LeagueTerms(name="Towers", ruleset="kingdoms", players=3, unfinished="points")
        )
    assert str(refused.value) == sentence and not League.objects.exists()


def test_leagues_with_the_same_name_have_different_addresses(alice, bob):
    assert [seasons.create_league(user=user, terms=terms_of()).slug for user in (alice, bob, person("Carol"))] == [
        "harbour-league", "harbour-league-2", "harbour-league-3",
    ]  # fmt: skip
    assert seasons.create_league(user=bob, terms=terms_of(name="Create")).slug == "create-2"
    assert seasons.create_league(user=bob, terms=terms_of(name="港")).slug == "league"


def test_l1_guests_cannot_create_a_league(db):
    assert "Sign up first" in refused(lambda: seasons.create_league(user=make_guest(), terms=terms_of()))


def test_a_league_with_an_impossible_schedule_is_refused(alice):
    assert "weeks" in refused(
        lambda: seasons.create_league(user=alice, terms=terms_of(weeks=1, late=0, clock="move 14d"))
    )
    assert "division" in refused(lambda: seasons.create_league(user=alice, terms=terms_of(players=3, division=8)))


def test_l1_a_user_organizes_at_most_three_leagues(alice):
    leagues = [seasons.create_league(user=alice, terms=terms_of(name=name)) for name in ("A", "B", "C")]
    assert "three leagues" in refused(lambda: seasons.create_league(user=alice, terms=terms_of()))
    seasons.close_league(league=leagues[0], user=alice)
    assert seasons.create_league(user=alice, terms=terms_of())


def test_l2_an_open_league_takes_sign_ups_until_noon_of_its_first_day(alice):
    league = seasons.create_league(user=alice, terms=terms_of())
    season = seasons.open_league(league=league, user=alice)
    assert (season.number, season.starts_at, season.ends_at) == (1, START, START + timedelta(weeks=8))
    assert seasons.open_league(league=league, user=alice) == season and Season.objects.count() == 1


def test_l2_a_league_without_a_first_day_starts_after_the_usual_pause(alice, clock):
    clock.shift(timedelta(hours=3))
    league = seasons.create_league(user=alice, terms=terms_of(starts=None, pause=2))
    assert seasons.open_league(league=league, user=alice).starts_at == MONDAY + timedelta(days=15)


def test_a_league_cannot_open_after_its_first_day(alice, clock):
    league = seasons.create_league(user=alice, terms=terms_of())
    clock.move_to(START)
    assert "Choose a later day" in refused(lambda: seasons.open_league(league=league, user=alice))


def test_only_the_organizer_and_staff_manage_a_league(alice, bob):
    league = league_of(organizer=alice)
    for action in (seasons.open_league, seasons.close_league):
        assert "Only the organizer" in refused(lambda action=action: action(league=league, user=bob))
    assert "Only the organizer" in refused(lambda: seasons.change_terms(league=league, user=bob, terms=terms_of()))
    assert "Only the organizer" in refused(lambda: seasons.start_now(season=latest(league), user=bob))
    staff = person("Staff", is_staff=True, is_superuser=True)
    assert seasons.change_terms(league=league, user=staff, terms=terms_of(weeks=9)).declared.weeks == 9


def test_l3_changed_settings_apply_from_the_next_season(alice):
    league = league_of(organizer=alice)
    changed = seasons.change_terms(league=league, user=alice, terms=terms_of(name="Port League", weeks=9))
    assert (changed.name, changed.slug, changed.declared.weeks) == ("Port League", "harbour", 9)
    assert latest(league).declared.weeks == 8


def test_l3_a_league_cannot_change_its_game(alice):
    league = league_of(organizer=alice)
    other = terms_of(ruleset="kingdoms", clock="move 12h", weeks=30)
    assert "can’t change a league’s game" in refused(
        lambda: seasons.change_terms(league=league, user=alice, terms=other)
    )


# Joining and leaving


def test_a_new_member_is_signed_up_and_joining_twice_changes_nothing(alice, bob):
    league_of(alice, bob, alice)
    assert list(Member.objects.order_by("pk").values_list("user__username", flat=True)) == ["Alice", "Bob"]
    member = Member.objects.get(user=alice)
    assert seasons.next_season_sentence(member) == "You are signed up for season 1, which starts on Monday, 8 March."


def test_guests_cannot_join(db):
    league = league_of()
    assert "Sign up first" in refused(lambda: seasons.join(league=league, user=make_guest()))


def test_nobody_joins_a_league_that_is_not_open(alice, bob):
    draft = seasons.create_league(user=alice, terms=terms_of())
    assert "not open" in refused(lambda: seasons.join(league=draft, user=bob))
    closed = seasons.close_league(league=league_of(organizer=alice), user=alice)
    assert "not open" in refused(lambda: seasons.join(league=closed, user=bob))
    assert "is closed" in refused(lambda: seasons.open_league(league=closed, user=alice))
    assert "is closed" in refused(lambda: seasons.change_terms(league=closed, user=alice, terms=terms_of()))


@pytest.mark.parametrize("at_once", [0, 7, -1])
def test_a_member_plays_one_to_six_matches_at_a_time(alice, bob, at_once):
    league = league_of(alice)
    assert "one to six" in refused(lambda: seasons.join(league=league, user=bob, at_once=at_once))
    assert "one to six" in refused(lambda: seasons.set_pace(league=league, user=alice, at_once=at_once))


def test_only_members_can_sit_out_or_change_their_wishes(alice):
    league = league_of()
    for action in (
        lambda: seasons.sit_out(league=league, user=alice, sits_out=True),
        lambda: seasons.set_pace(league=league, user=alice, at_once=1),
    ):
        assert refused(action) == "You are not a member of this league."


def test_a_member_who_leaves_before_the_season_is_not_in_it(four, clock):
    league = league_of(*four, person("Erin"))
    seasons.leave(league=league, user=four[0])
    season = started(league, clock)
    assert set(Entrant.objects.filter(season=season).values_list("name", flat=True)) == {"Bob", "Carol", "Dan", "Erin"}


def test_l4_a_player_leaves_during_a_season_by_dropping_out_first(four, clock):
    league = league_of(*four)
    season = started(league, clock)
    assert "drop out" in refused(lambda: seasons.leave(league=league, user=four[0]))
    assert seasons.next_season_sentence(Member.objects.get(user=four[0])) == "You are playing in season 1."
    seasons.drop_out(season=season, user=four[0])
    assert seasons.next_season_sentence(Member.objects.get(user=four[0])).startswith("You are sitting out")
    seasons.leave(league=league, user=four[0])
    assert Member.objects.count() == 3


def test_only_players_of_a_running_season_can_drop_out(four, clock, eve):
    league = league_of(*four)
    assert "You are not playing in this season" in refused(
        lambda: seasons.drop_out(season=latest(league), user=four[0])
    )
    season = started(league, clock)
    assert "You are not playing in this season" in refused(lambda: seasons.drop_out(season=season, user=eve))


def test_a_closed_account_is_placed_in_no_later_season_and_a_suspended_one_is(four, eve, clock):
    alice, bob, *_others = four
    league = league_of(*four, eve)
    suspend(alice, "close", None)
    suspend(bob, days=90)
    season = started(league, clock)
    assert set(season.entrants.values_list("name", flat=True)) == {"Bob", "Carol", "Dan", "Eve"}


def test_a_deleted_account_leaves_its_leagues_and_seasons(four, clock):
    league = league_of(*four, organizer=four[0])
    season = started(league, clock)
    delete_account(four[0])
    assert Member.objects.count() == 3
    assert Entrant.objects.get(season=season, user=None).name == "Former player"
    assert League.objects.get().organizer is None


@pytest.mark.parametrize("change", ["rename", "replace", "delete", "delete after leaving"])
def test_decisions_about_several_people_name_nobody_by_an_old_name(four, clock, change):
    alice, bob, carol, _dan = four
    league = league_of(*four, organizer=carol)
    season = started(league, clock)
    User.objects.filter(pk=bob.pk).update(username="Alice Bee")
    Entrant.objects.filter(user=bob).update(name="Alice Bee")
    place = Entrant.objects.select_related("pool").get(season=season, user=alice)
    match = Match.objects.filter(appearances__entrant=place).filter(appearances__entrant__user=bob).first()
    pools.sweep(timezone.now())
    awarded = pools.record_in_pool(
        place.pool, InterventionKind.AWARDED, timezone.now(), match=match, by=carol, reason="Alice was late."
    )
    replaced = pools.record_in_pool(
        place.pool, InterventionKind.REPLACED, timezone.now(), what="Dora → Alice", reason="Late.", person=None
    )
    assert sorted(awarded.what.replace(" – ", ", ").split(", ")) == ["Alice", "Alice Bee"]
    told = Notice.objects.create(user=bob, kind="season", about="x", title="Alice and you", lead="Play Alice.")
    new = "Former player"
    if change == "rename":
        sent = {"username": "Zoe", "time_zone": "UTC", "theme": "auto", "language": "en"}
        form = PreferencesForm(sent, instance=User.objects.get(pk=alice.pk))
        assert form.is_valid(), form.errors
        save_preferences(form)
        new = "Zoe"
    elif change == "replace":
        new = moderation.rename(by=person("Root", is_superuser=True), user=alice).username
    else:
        if change == "delete after leaving":
            pools.record_in_pool(
                place.pool, InterventionKind.REPLACED, timezone.now(), what="Alice → Eve", person=alice
            )
            Entrant.objects.filter(pk=place.pk).update(user=person("Eve"), name="Eve")
        delete_account(User.objects.get(pk=alice.pk))
    for row in (awarded, replaced, told):
        row.refresh_from_db()
    assert sorted(awarded.what.replace(" – ", ", ").split(", ")) == sorted([new, "Alice Bee"])
    assert replaced.what == f"Dora → {new}"
    kept = "Alice" if change == "rename" else new  # people may write an old name of a player who chose another one
    assert (awarded.reason, told.title) == (f"{kept} was late.", f"{kept} and you")


def test_l7_a_changed_number_of_matches_at_a_time_applies_immediately(four, clock):
    league = league_of(*four)
    season = started(league, clock)
    seasons.set_pace(league=league, user=four[0], at_once=3)
    assert Entrant.objects.get(season=season, user=four[0]).at_once == 3
    seasons.set_pace(league=league, user=four[0], at_once=None)
    assert Entrant.objects.get(season=season, user=four[0]).at_once == 2


# Bots


def test_l16_bots_can_enter_unrated_leagues(alice):
    league = league_of(organizer=alice, rated=False, bots=True)
    names = [seasons.enter_bot(league=league, user=alice, bot="random").name for _n in range(2)]
    assert names == ["Random", "Random 2"]
    assert seasons.enter_bot(league=league, user=alice, bot="medium", name="  Mole ").name == "Mole"
    assert "no such bot" in refused(lambda: seasons.enter_bot(league=league, user=alice, bot="chess"))
    seasons.take_out_bot(league=league, user=alice, member=Member.objects.get(name="Mole"))
    assert Member.objects.count() == 2


@pytest.mark.parametrize("name", ["Bob", "B0b", "Site Admin", "Former player", "Hard", "Bo\u202eb", "Bob\u0456k"])
def test_l16_no_bot_is_called_like_a_player_or_the_site(alice, bob, name):
    league = league_of(organizer=alice, rated=False, bots=True)
    refusal = refused(lambda: seasons.enter_bot(league=league, user=alice, bot="random", name=name))
    assert refusal.startswith(("That name is", "Use ")) and not Member.objects.filter(user=None).exists()


@pytest.mark.parametrize("terms", [{"rated": True}, {"rated": False, "bots": False}])
def test_l16_rated_leagues_refuse_bots(alice, terms):
    league = league_of(organizer=alice, **terms)
    assert "don’t allow bots" in refused(lambda: seasons.enter_bot(league=league, user=alice, bot="random"))


def test_l16_a_league_with_bots_cannot_become_rated(alice):
    league = league_of(organizer=alice, rated=False, bots=True)
    seasons.enter_bot(league=league, user=alice, bot="random")
    assert "This league has bots" in refused(lambda: seasons.change_terms(league=league, user=alice, terms=terms_of()))


# Organizers


def test_l2_an_organizer_can_start_a_season_early(four, django_capture_on_commit_callbacks):
    league = league_of(*four, organizer=four[0])
    with django_capture_on_commit_callbacks() as callbacks:
        season = seasons.start_now(season=latest(league), user=four[0])
    for callback in callbacks:  # not those that follow them, which draw and send emails
        callback()
    assert Game.objects.exists(), "the first matches do not wait for the next sweep"
    assert (season.state, season.started_at, season.ends_at) == ("running", MONDAY, MONDAY + timedelta(weeks=8))
    before = everything()
    assert seasons.start_now(season=season, user=four[0]) == season  # the second of two taps
    assert everything() == before


def test_a_season_with_too_few_players_cannot_start(alice, bob):
    league = league_of(alice, bob, organizer=alice)
    sentence = "Only 2 players have signed up, and the minimum is 4."
    assert refused(lambda: seasons.start_now(season=latest(league), user=alice)) == sentence


def test_l8_an_extended_season_ends_later_and_all_players_read_why(four, eve, clock):
    league = league_of(*four, organizer=eve)
    season = started(league, clock)
    due = season.pools.get().matches.first().due_at
    seasons.extend_season(season=season, by=eve, days=7, reason="A storm.")
    assert season.pools.get().matches.first().due_at == due + timedelta(days=7)
    sweep()
    assert notified("decision") == {user.username: ["Organizer decision in Harbour League"] for user in four}
    assert Intervention.objects.get().reason == "A storm."
    assert (
        "Finish your matches by Monday, 10 May. Reason: “A storm.”"
        in Notice.objects.filter(kind="decision").first().lead
    )


def test_only_the_organizer_can_extend_a_running_season_and_must_give_a_reason(four, clock):
    league = league_of(*four, organizer=four[0])
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


def test_l14_a_league_closed_before_its_first_season_notifies_its_members(alice, bob):
    league = league_of(alice, bob, organizer=alice)
    assert seasons.close_league(league=league, user=alice).state == "closed"
    assert not Season.objects.exists()
    sweep()
    sweep()
    assert notified() == {"Alice": ["Harbour League is closed"], "Bob": ["Harbour League is closed"]}
    seasons.close_league(league=league, user=alice)
    assert timezone.now() == MONDAY and isinstance(league.declared, LeagueTerms)
