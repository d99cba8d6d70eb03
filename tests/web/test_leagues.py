"""The pages of leagues: what visitors, guests, members and organizers see, and that the buttons do what they say."""

import re
from datetime import timedelta

import msgspec
import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from games.contests import corrections
from games.contests import interventions as organizing
from games.contests.leagues import decisions
from games.contests.leagues import selectors as season_selector
from games.contests.leagues import services as seasons
from games.contests.leagues import sweep as season_steps
from games.contests.models import Entrant, League, LeagueState, Match, Member, Season
from games.home.calendar import events_of
from tests.cast import person
from tests.contests.ladders import suspend
from tests.contests.leagues import MONDAY, START, accept, latest, league_of, play_all, played, started, sweep
from tests.web.leagues import started_league
from tests.web.reading import errors, main

pytestmark = pytest.mark.django_db
HOME = "/leagues/harbour/"
SEASON = HOME + "1/"
DIVISION = SEASON + "1-1/"
MANAGE = SEASON + "organize/"
POSTS = ("sit-out", "pace")


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture
def organizer(db):
    return person("Olga")


@pytest.fixture
def people(alice, bob, carol, dan):
    return [alice, bob, carol, dan]


@pytest.fixture
def guest(client):
    client.post("/accounts/guest/")
    return client


def page(client, url: str = HOME) -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.content.decode()


def post(client, url: str, **fields: str) -> str:
    """Post the form and return the page that follows."""
    answer = client.post(url, fields, follow=True)
    assert answer.status_code == 200, errors(answer)
    return answer.content.decode()


# The list of leagues


def test_leagues_are_listed_mine_first(come, people, organizer, clock):
    league = league_of(*people, organizer=organizer)
    others = League.objects.get(pk=league.pk)
    others.pk, others.slug, others.name = None, "river", "River League"
    others.save()
    season_steps.open_season(others, 1, START, timezone.now())
    html = page(come(people[0]), "/leagues/")
    assert html.index("My leagues") < html.index("Harbour League") < html.index("River League")
    assert "My leagues" not in page(come(), "/leagues/") and "Harbour League" in page(come(), "/leagues/")
    started(league, clock)
    html = page(come(), "/leagues/")
    assert html.index("River League") < html.index("Running") < html.index("Harbour League")


@pytest.mark.parametrize("url", ["/ladder/legends/", "/ratings/legends/"])
def test_pages_of_other_competitions_link_to_leagues(come, alice, url):
    assert 'href="/leagues/"' in main(come(alice).get(url))


@pytest.mark.parametrize("url", ["/leagues/none/", HOME + "2/", SEASON + "2-1/", HOME + "2/organize/"])
def test_unknown_leagues_seasons_and_divisions_are_not_found(come, people, url):
    league_of(*people)
    assert come(people[0]).get(url).status_code == 404


@pytest.mark.parametrize("action", POSTS)
def test_actions_need_a_post(come, people, action):
    league_of(*people)
    assert come(people[0]).get(HOME + action).status_code == 405


@pytest.mark.parametrize("action", ["join", "leave", "sit-out", "pace", "open", "close", "1/drop-out"])
def test_visitors_are_asked_to_sign_in(come, people, action):
    league_of(*people)
    answer = come().post(HOME + action)
    assert answer.status_code == 302 and answer.url.startswith("/accounts/login/")
    assert Member.objects.count() == 4 and League.objects.get().state == LeagueState.OPEN


# Draft leagues


def draft(organizer) -> League:
    league = league_of(organizer=organizer)
    league.seasons.all().delete()
    League.objects.update(state=LeagueState.DRAFT)
    return league


def test_only_its_organizer_sees_a_draft_and_a_button_opens_it(come, organizer, alice):
    draft(organizer)
    for reader in (None, alice):
        assert come(reader).get(HOME).status_code == 404
        assert come(reader).get(HOME + "league.toml").status_code == 404
        assert "Harbour" not in page(come(reader), "/leagues/")
    assert come(alice).post(HOME + "open").status_code == 404
    assert "only you can see it" in page(come(organizer))
    assert "Sign-up is open." in post(come(organizer), HOME + "open")
    assert "Season 1 starts on Monday, 8 March" in page(come())


# Members


def test_a_button_joins_the_league_and_the_page_says_what_follows(come, alice, organizer):
    league_of(organizer=organizer)
    assert "Join league" in page(come(alice))
    assert "You are signed up for season 1, which starts on Monday, 8 March." in post(come(alice), HOME + "join")
    assert "You are signed up." in page(come(alice)) and "Join league" not in page(come(alice))
    assert "It needs 3 more players to start." in page(come())
    assert "Alice</a>" in page(come(), SEASON)


def test_organizers_read_what_they_give_up_before_they_join(come, alice, organizer):
    league_of(organizer=organizer)
    sentence = "In a season you play in, you can’t decide matches"
    assert sentence in page(come(organizer)) and sentence not in page(come(alice))
    post(come(organizer), HOME + "join")
    assert sentence not in page(come(organizer))


def test_a_visitor_who_signs_in_to_join_returns_to_the_button(come, alice):
    league_of()
    assert come(alice).get(HOME + "join", follow=True).redirect_chain == [(HOME, 302)]
    assert not Member.objects.exists()


def test_guests_are_asked_to_sign_up(guest):
    league_of()
    assert "Sign up to play in leagues" in page(guest)
    assert "Guests can’t play in leagues" in post(guest, HOME + "join")
    assert not Member.objects.exists()


def test_joining_twice_counts_once(come, alice):
    league_of()
    for _time in range(2):
        post(come(alice), HOME + "join", at_once="3")
    assert Member.objects.get().at_once == 3


@pytest.mark.parametrize("pace", ["0", "7", "x", "-1", "1000", "²"])
def test_an_invalid_pace_is_refused(come, people, pace):
    league_of(*people)
    assert "Choose one to six matches at a time." in post(come(people[0]), HOME + "pace", at_once=pace)
    assert Member.objects.get(user=people[0]).at_once is None


def test_a_pace_is_saved_and_cleared(come, people):
    league_of(*people)
    assert "Your pace is saved." in post(come(people[0]), HOME + "pace", at_once="4")
    assert '<option value="4" selected>' in page(come(people[0]))
    post(come(people[0]), HOME + "pace", at_once="")
    assert "selected>" not in page(come(people[0]))


def test_members_can_sit_out_and_return(come, people):
    league_of(*people)
    assert "You are sitting out. You won’t play until you return." in post(
        come(people[0]), HOME + "sit-out", sits_out="yes"
    )
    assert ">Return</button>" in page(come(people[0])) and "Alice" not in page(come(), SEASON)
    assert "You are signed up for season 1" in post(come(people[0]), HOME + "sit-out", sits_out="no")


def test_a_member_who_sits_out_after_the_season_is_told_that_they_still_play_it(come, people, clock):
    started_league(clock, *people)
    words = "You are playing in season 1. You sit out from the next one until you return."
    assert words in post(come(people[0]), HOME + "sit-out", sits_out="yes")
    shown = page(come(people[0]))
    assert "You are playing this season." in shown and "You sit out from the next one until you return." in shown
    assert "You are sitting out." not in shown and ">Return</button>" in shown


def test_a_member_who_was_removed_or_banned_is_not_told_that_they_are_signed_up(come, people, organizer):
    alice, bob, *_others = people
    league = league_of(*people, organizer=organizer)
    season = latest(league)
    member = Member.objects.get(user=alice)
    removal = decisions.take_out(season=season, member=member.pk, by=organizer, reason="Asked for a break.")
    corrections.ban(scope=season, by=organizer, name="Bob", reason="Insulted everyone.")
    shown = page(come(alice))
    assert "The organizer has removed you from season 1." in shown and f'href="{SEASON}">Read why</a>' in shown
    assert "You are signed up." not in shown and "sit-out" in shown
    shown = page(come(bob))
    assert "You are banned from this league." in shown and f'href="{HOME}interventions/">Read why</a>' in shown
    assert "You are signed up." not in shown and "sit-out" not in shown and "Leave league" in shown
    for reader in (alice, bob):
        assert "to sign up</a>" not in page(come(reader), SEASON) and "to sign up</a>" in page(come(), SEASON)
        assert not any(event.key == f"begin.{season.pk}" for event in events_of(reader))
    corrections.undo(intervention=removal, by=organizer, reason="Came back.")
    assert "You are signed up." in page(come(alice)) and events_of(alice)


def test_only_members_who_take_part_count_toward_the_players_that_a_season_needs(come, people, organizer):
    league = league_of(*people, organizer=organizer)
    assert "to start." not in page(come())
    seasons.sit_out(league=league, user=people[0], sits_out=True)
    assert "It needs 1 more player to start." in page(come())
    corrections.ban(scope=latest(league), by=organizer, name=people[1].username, reason="Insulted everyone.")
    assert "It needs 2 more players to start." in page(come())


def test_a_closed_account_is_not_among_those_who_have_signed_up(come, people, organizer):
    league_of(*people, organizer=organizer)
    assert "4 players have signed up" in page(come(), SEASON) and ">Start now<" in page(come(organizer), MANAGE)
    suspend(people[0], "close", None)
    shown = " ".join(page(come(), SEASON).split())
    assert "3 players have signed up" in shown and f">{people[0].username}<" not in shown
    shown = " ".join(page(come(organizer), MANAGE).split())
    assert "3 players have signed up; the minimum is 4." in shown and ">Start now<" not in shown


def test_a_member_of_a_closed_league_can_still_drop_out_of_its_last_season(come, people, organizer, clock):
    league = league_of(*people, organizer=organizer)
    started(league, clock)
    seasons.close_league(league=league, user=organizer)
    shown = page(come(people[0]))
    assert "You are playing this season." in shown and f'href="{SEASON}drop-out"' in shown and "Your pace" not in shown
    assert "sit-out" not in shown and "future seasons" not in shown and 'name="at_once"' in shown
    assert "You are playing this season." not in page(come()) and "drop-out" not in page(come(organizer))


def test_a_replacement_who_is_no_member_can_drop_out_and_join(come, people, organizer, eve, clock):
    season = started(league_of(*people, organizer=organizer), clock)
    organizing.replace(entrant=Entrant.objects.get(name="Alice"), by=organizer, name="Eve", reason="Ill.")
    accept(eve)
    shown = page(come(eve))
    assert "You are playing this season." in shown and "To play in the next seasons too, join the league." in shown
    assert "You can join this season until" not in shown and f'href="{SEASON}drop-out"' in shown
    assert "Join league" in shown and not Member.objects.filter(user=eve).exists()
    assert "You have dropped out of this season." in post(come(eve), SEASON + "drop-out")
    assert Entrant.objects.get(user=eve, season=season).left_at is not None


def test_leaving_needs_confirmation(come, people):
    league_of(*people)
    assert "signed up for any more seasons" in page(come(people[0]), HOME + "leave")
    assert Member.objects.filter(user=people[0]).exists()
    for _tap in range(2):
        assert "You have left the league." in post(come(people[0]), HOME + "leave")
    assert not Member.objects.filter(user=people[0]).exists()


def test_nobody_can_leave_during_a_season_but_entrants_can_drop_out(come, people, clock):
    season = started_league(clock, *people)
    browser = come(people[0])
    assert "or drop out of this one" in post(browser, HOME + "leave")
    question = page(browser, SEASON + "drop-out")
    assert "A bot plays your remaining matches" in question and "you rank last in your division" in question
    assert "sit out the next seasons until you return." in question
    assert Entrant.objects.get(user=people[0]).left_at is None
    assert "You have dropped out of this season." in post(browser, SEASON + "drop-out")
    assert Entrant.objects.get(user=people[0], season=season).left_at is not None
    assert "dropped out on 8 Mar" in page(browser, DIVISION) and "Drop out</a>" not in page(browser)


def test_only_entrants_can_drop_out(come, people, eve, clock):
    started_league(clock, *people)
    assert "You are not playing in this season." in post(come(eve), SEASON + "drop-out")


@pytest.mark.parametrize(
    ("name", "url", "sentence"),
    [
        ("Eve", HOME + "leave", "You are not a member of this league."),
        ("Alice", HOME + "leave", "You are playing in the current season."),
        ("Eve", SEASON + "drop-out", "You are not playing in this season."),
        ("Bob", SEASON + "drop-out", "You are no longer playing in this season."),
        ("Alice", HOME + "open", "Only the organizer can do this."),
    ],
)
def test_no_confirmation_is_asked_for_an_action_that_would_be_refused(come, people, eve, clock, name, url, sentence):
    season = started_league(clock, *people)
    seasons.drop_out(season=season, user=people[1])
    browser = come(User.objects.get(username=name))
    answers = [browser.get(url, follow=True)]
    if (name, url) not in (("Eve", HOME + "leave"), ("Bob", SEASON + "drop-out")):  # who are out already
        answers.append(browser.post(url, follow=True))
    for answer in answers:
        assert answer.redirect_chain == [(HOME, 302)] and sentence in answer.content.decode()


def test_two_taps_discard_a_league_once(come, organizer):
    draft(organizer)
    for _tap in range(2):
        assert come(organizer).post(HOME + "close").url == "/leagues/"
    assert not League.objects.exists()


def test_nobody_learns_of_an_unpublished_league_by_closing_it(come, organizer, eve):
    draft(organizer)
    for url in (HOME, "/leagues/nothing/"):
        assert come(eve).post(url + "close").url == "/leagues/" and come(eve).get(url + "close").status_code == 404
    assert League.objects.get()


def test_nobody_is_asked_to_close_a_closed_league_or_to_open_one_that_starts_in_the_past(come, organizer, clock):
    league = draft(organizer)
    terms = league.terms | {"starts": START.date().isoformat()}
    League.objects.update(terms=terms)
    assert "Open sign-up for" in page(come(organizer), HOME + "open")
    clock.move_to(START + timedelta(days=1))
    answer = come(organizer).get(HOME + "open", follow=True)
    assert "The start of the first season is in the past." in answer.content.decode()
    League.objects.update(state=LeagueState.CLOSED)
    answer = come(organizer).get(HOME + "close", follow=True)
    assert answer.redirect_chain == [(HOME, 302)] and "This league is closed." in answer.content.decode()


def test_the_page_of_the_next_season_tells_members_that_they_have_signed_up(come, people, alice, eve):
    league_of(*people)
    for reader, says_so in ((people[0], True), (eve, False), (None, False)):
        shown = page(come(reader), HOME + "1/")
        assert ("You are signed up." in shown) is says_so and ("to sign up</a>" in shown) is not says_so


def test_members_may_not_open_or_close_a_league(come, people, organizer):
    league_of(*people, organizer=organizer)
    for action in ("open", "close"):
        assert "Only the organizer can do this." in post(come(people[0]), HOME + action)
    assert "For the organizer" not in page(come(people[0])) and "For the organizer" in page(come(organizer))


# Seasons


def test_the_home_page_shows_my_division_and_my_next_matches(come, people, clock):
    season = started_league(clock, *people)
    html = page(come(people[0]))
    assert (
        "You are playing this season." in html
        and "My next matches" in html
        and "Season 1 runs until Monday, 3 May" in html
    )
    assert len(re.findall(r"playing\s*</span>", html)) == 2 and "starts by 19 Apr" in html
    assert "My next matches" not in page(come()) and "Standings of division 1-1" in page(come())
    play_all(season, "Dan")
    assert "You have played all your matches this season." in page(come(people[0]))


def test_pages_of_a_season_past_its_last_day_do_not_say_that_it_runs_until_then(come, people, organizer, clock):
    season = started_league(clock, *people)
    League.objects.update(organizer=organizer)
    clock.move_to(season.ends_at + timedelta(days=1))
    assert "Season 1 was due to end on" in page(come()) and "is about to end" in page(come(), "/leagues/")
    for where in (season.get_absolute_url(), DIVISION, season.get_absolute_url() + "organize/"):
        shown = page(come(organizer), where)
        assert "The last matches are still being played." in shown and "uns until" not in shown
    by_bots = "On Monday, 10 May, bots finish those that are still running."
    by_points = "On Monday, 10 May, those that are still running end, and their current points count."
    pages = (HOME, season.get_absolute_url(), DIVISION, season.get_absolute_url() + "organize/")
    assert all(by_bots in page(come(organizer), where) for where in pages)
    Season.objects.update(terms=season.terms | {"unfinished": "points"})
    assert by_points in page(come(), DIVISION)
    Match.objects.filter(pk=Match.objects.latest("pk").pk).update(due_at=season.ends_at + timedelta(days=9))
    assert by_points.replace("10 May", "12 May").replace("Monday", "Wednesday") in page(come(), DIVISION)
    clock.move_to(season.ends_at + timedelta(days=9))
    assert "those that are still running" not in page(come(), DIVISION)
    Season.objects.update(decided_at=timezone.now())
    assert "All matches of season 1 are decided." in page(come())
    assert "The organizer checks the results." in page(come(), DIVISION)


def test_the_page_says_until_when_players_can_join_late(come, people, eve, clock):
    started_league(clock, *people)
    assert "You can join this season until 22 March" in page(come(eve))
    clock.move_to(START + timedelta(weeks=3))
    assert "If you join now, you start next season." in page(come(eve))
    assert "Season 1 is full." in post(come(eve), HOME + "join")
    assert "You start next season." in page(come(eve))


def test_a_finished_season_is_in_the_archive_with_its_champion(come, people, clock):
    season = played(started_league(clock, *people), clock, "Carol")
    html = page(come())
    assert "Past seasons" in html and '<a href="/players/Carol/">Carol</a>' in html
    assert "Season 2 starts on" in html
    assert "Played from 8 March 2027 to" in page(come(), season.get_absolute_url())
    assert "These standings are final." in page(come(), DIVISION)


def test_everyone_can_read_interventions_and_their_reasons(come, people, organizer, clock):
    season = started_league(clock, *people, organizer=organizer)
    organizing.remove(entrant=Entrant.objects.get(user=people[1]), by=organizer, reason="He is <lost> at sea.")
    seasons.extend_season(season=season, by=organizer, days=3, reason="A storm.")
    for url in (SEASON, DIVISION):
        html = page(come(), url)
        assert "He is &lt;lost&gt; at sea." in html and "A storm." in html and "Olga extended the season" in html


def test_a_closed_league_says_so(come, people, organizer, clock):
    league = league_of(*people, organizer=organizer)
    started(league, clock)
    seasons.close_league(league=league, user=organizer)
    assert "The current season continues, and it is the last one." in page(come())
    assert "Join league" not in page(come())
    assert "is not open for sign-up" in post(come(person("Finn")), HOME + "join")


def test_the_settings_of_the_current_season_are_shown_and_those_of_later_ones_apart(come, people, organizer, clock):
    league = league_of(*people, organizer=organizer)
    assert "Settings from season" not in page(come()) and "A season lasts 8 weeks." in page(come())
    renamed = msgspec.structs.replace(league.declared, name="Port League")
    seasons.change_terms(league=league, user=organizer, terms=renamed)
    assert "Settings from season" not in page(come())
    changed = msgspec.structs.replace(renamed, weeks=20, at_once=5, tie_breaks=("wins",), bots=True, rated=False)
    seasons.change_terms(league=league, user=organizer, terms=changed)
    for _state in ("sign-up", "running"):
        now, later = page(come(people[0])).split("Settings from season 2")
        assert "Settings of season 1" in now and "A season lasts 8 weeks." in now and "2 (league default)" in now
        assert "A season lasts 20 weeks." in later and "In this order: Wins." in " ".join(later.split())
        listed = " ".join(page(come(), "/leagues/").split())
        assert "2 players per game · 1 day per turn · 8 weeks per season" in listed and "bots allowed" not in listed
        started(league, clock)


# Many players


def test_pages_need_few_queries_however_many_play(come, organizer, clock, django_assert_max_num_queries):
    """Ten queries for the page, three for the session, its user and the header."""
    people = [person(f"P{n:02}") for n in range(24)]
    league = league_of(*people, organizer=organizer, spread=2)
    started(league, clock)
    browser = come(people[0])
    for url in (HOME, SEASON, DIVISION, SEASON + "3-2/"):
        with django_assert_max_num_queries(10 + 3):
            assert "P00" in page(browser, url) or url.endswith("3-2/")
    with django_assert_max_num_queries(5 + 3):
        page(browser, "/leagues/")


@pytest.mark.long
def test_divisions_are_paginated_and_a_tier_can_be_found(come, monkeypatch, clock):
    monkeypatch.setattr(season_selector, "ON_A_PAGE", 2)
    people = [person(f"P{n:02}") for n in range(24)]
    started_league(clock, *people, spread=1)
    first = page(come(), SEASON)
    assert "division 1-1" in first.lower() and "division 3-1" not in first.lower() and "Page 1 of 3" in first
    assert "Division 5-1" in page(come(), SEASON + "?tier=5") and "Page 3 of 3" in page(come(), SEASON + "?tier=5")
    assert "My division" in page(come(people[0]), SEASON)
    for nonsense in ("?tier=x", "?tier=0", "?page=x", "?tier=-1", "?tier=²"):
        assert "Division 1-1" in page(come(), SEASON + nonsense)
    for far in ("?tier=99", "?page=99"):
        assert "Division 6-1" in page(come(), SEASON + far)


def test_the_help_explains_leagues(come):
    html = page(come(), "/rules/leagues/")
    assert ">Promotion and relegation</h2>" in html
    for heading in ("Points", "Tied on points", "Taking a break", "Joining late", "Dropping out"):
        assert f">{heading}</h2>" in html
    league_of()
    assert 'href="/rules/leagues/"' in page(come())


def test_a_deleted_player_keeps_their_row(come, people, clock):
    season = started_league(clock, *people)
    play_all(season, "Alice")
    people[0].delete()
    assert "Former player" in page(come(), DIVISION)
    sweep()
    assert latest(season.league) and Season.objects.count() >= 1
