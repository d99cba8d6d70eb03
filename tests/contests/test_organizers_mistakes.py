"""Organizers who ask for the impossible or act at the same time: they get a sentence, and nothing is half done."""

from collections.abc import Iterator

import pytest
import time_machine
from django.utils import timezone

from games.contests import corrections
from games.contests.leagues import decisions
from games.contests.leagues import services as leagues
from games.contests.leagues import sweep as season_steps
from games.contests.models import Intervention, Match, Member, Post, Score, Season, Team
from games.contests.models.league import APPROVAL
from games.contests.organizing import co_organizers
from games.contests.teams import services as teams
from games.contests.tournaments import services as tournaments
from games.errors import GameError
from tests.cast import person
from tests.contests import cups, team_leagues
from tests.contests.leagues import MONDAY, everything, latest, league_of, notified, play_all, started, sweep
from tests.services.test_movers import at_once


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


def four():
    return [person(name) for name in ("Alice", "Bob", "Carol", "Dan")]


def with_two_organizers():
    """A league with an organizer and a co-organizer who may decide matches."""
    olga, eve = person("Olga"), person("Eve")
    league = league_of(*four(), organizer=olga, rated=True)
    co_organizers.ask_to_help(competition=league, by=olga, name="Eve", rights=["decide"])
    co_organizers.answer(competition=league, user=eve, accepts=True)
    return league, olga, eve


# At the same time


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_two_organizers_who_decide_one_match_at_the_same_moment_leave_one_decision(clock):
    league, olga, eve = with_two_organizers()
    season = started(league, clock)
    match = Match.objects.filter(pool__season=season, state="playing").order_by("pk")[0]

    def decide(by, places):
        return lambda: corrections.award(match=match, by=by, places=places, reason="x", expected=match.version)

    answers = at_once([decide(olga, [1, 2]), decide(eve, [2, 1])])
    [refusal] = [answer for answer in answers if isinstance(answer, GameError)]
    assert str(refusal) == "This match has changed since you opened the page. Look at it again before you decide."
    [made] = Intervention.objects.all()
    assert list(match.appearances.order_by("seat").values_list("place", flat=True)) == made.details["places"]
    players = set(match.appearances.values_list("entrant__name", flat=True))
    assert {
        name for name, titles in notified("decision").items() if "Organizer decision in Harbour League" in titles
    } == players


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_two_organizers_who_take_the_same_decision_back_at_the_same_moment_do_it_once(clock):
    league, olga, eve = with_two_organizers()
    season = started(league, clock)
    match = Match.objects.filter(pool__season=season, state="playing").order_by("pk")[0]
    corrections.award(match=match, by=olga, places=[1, 2], reason="x", expected=match.version)
    intervention = Intervention.objects.get()
    answers = at_once([
        lambda: corrections.undo(intervention=intervention, by=olga, reason="x"),
        lambda: corrections.undo(intervention=intervention, by=eve, reason="x"),
    ])  # fmt: skip
    refusals = [str(answer) for answer in answers if isinstance(answer, GameError)]
    assert refusals == ["Someone else has already undone this."]
    match.refresh_from_db()
    assert Intervention.objects.filter(undoes=intervention).count() == 1 and match.state == "playing"


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_correction_while_the_season_ends_counts_or_is_refused_and_never_half(clock):
    league, olga, _eve = with_two_organizers()
    season = started(league, clock)
    play_all(season)
    clock.shift(season.ends_at - timezone.now())
    sweep()
    clock.shift(APPROVAL)
    match = Match.objects.filter(pool__season=season, state="ended").order_by("pk")[0]
    places = [3 - place for place in match.appearances.order_by("seat").values_list("place", flat=True)]
    now = timezone.now()
    award, _ended = at_once([
        lambda: corrections.award(match=match, by=olga, places=places, reason="x", expected=match.version),
        lambda: season_steps.end(season.pk, now),
    ])  # fmt: skip
    season = Season.objects.get(pk=season.pk)
    assert isinstance(award, GameError) == (season.ended_at is not None) == (not Intervention.objects.exists())
    if isinstance(award, GameError):
        assert str(award) == "This competition has ended, and its results are final."
    ruled = list(Score.objects.filter(game=match.game).order_by("seat").values_list("ruled", flat=True))
    assert ruled == ([None, None] if isinstance(award, GameError) else places)


# What cannot work


@pytest.mark.django_db
def test_taking_out_too_many_before_the_start_postpones_the_season_and_taking_one_back_lets_it_start(clock):
    olga = person("Olga")
    league = league_of(*four(), organizer=olga)
    season, alice = latest(league), Member.objects.get(user__username="Alice")
    intervention = decisions.take_out(season=season, member=alice.pk, by=olga, reason="x")
    before = everything()
    with pytest.raises(GameError, match=r"^Only 3 players.*\.$"):
        leagues.start_now(season=season, user=olga)
    assert everything() == before
    season = started(league, clock)
    assert season.put_off == 1 and not season.pools.exists() and not season.entrants.exists()
    corrections.undo(intervention=intervention, by=olga, reason="x")
    assert started(league, clock).entrants.count() == 4


@pytest.mark.django_db
def test_a_league_whose_conditions_nobody_meets_refuses_everyone_with_a_sentence_and_starts_nothing(clock):
    olga = person("Olga")
    league = league_of(organizer=olga, rating_from=2900, confirmed_email=True)
    for user in four():
        before = everything()
        with pytest.raises(GameError, match=r"You can’t enter yet.*2900 or more.*You have no rating yet"):
            leagues.join(league=league, user=user)
        assert everything() == before
    with pytest.raises(GameError, match=r"Nobody has signed up|Only 0 players|No players"):
        leagues.start_now(season=latest(league), user=olga)
    season = started(league, clock)
    assert season.put_off == 1 and not season.pools.exists() and not Post.objects.exists()
    assert any("later" in title or "postponed" in title for title in notified()["Olga"])


@pytest.mark.django_db
def test_a_team_that_becomes_short_just_before_the_start_stops_it_and_is_not_half_seated():
    olga = person("Olga")
    tournament = team_leagues.league(olga)
    for name in ("Foxes", "Owls"):
        team_leagues.team(tournament, name)
    owls = Team.objects.get(name="Owls")
    teams.leave(team=owls, user=team_leagues.player(tournament, "Owls2").entrant.user)
    before = cups.everything()
    with pytest.raises(GameError, match=r"^Owls is 1 player short\. Wait until its captain has found one"):
        tournaments.start(tournament=tournament, user=olga)
    assert cups.everything() == before
    teams.take_out(team=owls, by=olga, reason="They are one short.")
    before = cups.everything()
    with pytest.raises(GameError, match=r"^1 team is complete so far\. It takes 2 to start\.$"):
        tournaments.start(tournament=tournament, user=olga)
    assert cups.everything() == before and cups.again(tournament).is_open
