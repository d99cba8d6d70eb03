"""The organizer's page: interventions need a reason that everyone reads, and what cannot be undone, confirmation."""

import re

import pytest
import time_machine
from django.db.models import F
from django.utils import timezone

from games.contests.leagues import services as seasons
from games.contests.models import Entrant, Intervention, Match, Member, Season
from tests.cast import person
from tests.contests.leagues import MONDAY, START, accept, everything, league_of, played, started
from tests.web.leagues import started_league
from tests.web.reading import main, text

pytestmark = pytest.mark.django_db
PAGE = "/leagues/harbour/1/organize/"


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture
def people(alice, bob, carol, dan):
    return [alice, bob, carol, dan]


@pytest.fixture
def season(people, olga, clock):
    return started_league(clock, *people, organizer=olga)


def do(browser, action: str, url: str = PAGE, **fields: object):
    return browser.post(url, {"action": action, **fields}, follow=True)


def entrant(name: str) -> Entrant:
    return Entrant.objects.get(name=name)


def match(*names: str) -> Match:
    first, second = names
    return Match.objects.filter(appearances__entrant__name=first).get(appearances__entrant__name=second)


ACTIONS = ("start", "bot", "take_out", "replace", "remove", "season")


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.sampled
def test_others_are_redirected_to_the_season_and_nothing_is_done(come, season, alice, action):
    fields = {"entrant": entrant("Bob").pk, "match": match("Alice", "Bob").pk, "days": 3, "reason": "x",
              "name": "Olga", "sure": "yes", "bot": "medium", "member": Member.objects.first().pk}  # fmt: skip
    before = everything()
    answer = do(come(alice), action, **fields)
    assert answer.redirect_chain == [("/leagues/harbour/1/", 302)] and "Only the organizer can do this." in text(answer)
    assert come().post(PAGE, {"action": action, **fields}).url.startswith("/accounts/login/")
    assert everything() == before


def test_staff_may_intervene(come, season, eve):
    type(eve).objects.filter(pk=eve.pk).update(is_staff=True, is_superuser=True)
    assert come(eve).get(PAGE).status_code == 200


def test_an_organizer_replaces_a_player(come, season, olga, eve):
    answer = do(come(olga), "replace", entrant=entrant("Alice").pk, name="eve", reason="Alice is ill.")
    assert "We have asked Eve. Alice keeps playing until they accept." in text(answer)
    accept(eve)
    assert entrant("Eve").user == eve and Intervention.objects.get().reason == "Alice is ill."


def test_overdue_and_running_matches_come_first_then_the_latest_round_then_names(come, season, olga):
    chosen = Match.objects.order_by("pk")
    overdue, played_one, annulled, first, second, third = chosen
    chosen.update(state="playing", round=1, number=F("pk"))
    chosen.filter(pk=overdue.pk).update(due_at=MONDAY)
    chosen.filter(pk=played_one.pk).update(state="ended")
    chosen.filter(pk=annulled.pk).update(state="annulled")
    chosen.filter(pk=third.pk).update(round=2)
    page = text(come(olga).get(PAGE))
    listed = page[page.index("Manage a match") :]
    lines = re.findall(r'matches/(\d+)/decide">([^<]*)</a></span>\s*<span[^>]*>([^<]*)</span>', listed)
    named = sorted((first, second), key=lambda match: next(title for pk, title, _said in lines if int(pk) == match.pk))
    assert [int(pk) for pk, _title, _said in lines] == [
        match.pk for match in (overdue, third, *named, played_one, annulled)
    ]
    assert [said for _pk, _title, said in lines] == [
        "Round 1 · overdue", "Round 2 · playing", "Round 1 · playing", "Round 1 · playing", "Round 1 · played",
        "Round 1 · annulled",
    ]  # fmt: skip


def test_an_organizer_who_plays_is_offered_no_intervention(come, season, olga):
    Entrant.objects.filter(name="Alice").update(user=olga, name="Olga")
    browser = come(olga)
    page = text(browser.get(PAGE))
    assert "You can’t intervene in a season you play in" in page and 'value="replace"' not in page
    answer = do(browser, "remove", entrant=entrant("Bob").pk, reason="Too strong.", sure="yes")
    assert entrant("Bob").left_at is None and not Intervention.objects.exists()
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("name", "sentence"), [("Nobody", "There is no player with that name."), ("Bob", "Bob is already taking part.")]
)
def test_the_page_says_who_cannot_take_over_and_keeps_what_was_typed(come, season, olga, name, sentence):
    answer = do(come(olga), "replace", entrant=entrant("Alice").pk, name=name, reason="Alice is ill.")
    assert answer.status_code == 422 and sentence in text(answer)
    assert 'value="Alice is ill."' in text(answer) and re.search("<details[^>]* open>", main(answer))
    assert not Intervention.objects.exists()


@pytest.mark.parametrize("action", ["replace", "remove", "season"])
@pytest.mark.parametrize("reason", ["", "   "])
@pytest.mark.sampled
def test_nothing_is_done_without_a_reason(come, season, olga, action, reason):
    answer = do(come(olga), action, entrant=entrant("Alice").pk, match=match("Alice", "Bob").pk, name="Eve", days=3,
                reason=reason, sure="yes")  # fmt: skip
    assert answer.status_code == 422 and "Enter a reason. Everyone can read it." in text(answer)
    assert not Intervention.objects.exists()


def test_removing_an_entrant_needs_confirmation(come, season, olga):
    fields = {"entrant": entrant("Alice").pk, "reason": "She asked for it."}
    answer = do(come(olga), "remove", **fields)
    assert "Remove Alice from the season?" in text(answer) and "She asked for it." in text(answer)
    assert entrant("Alice").left_at is None
    assert 'name="sure" value="yes"' in text(answer) and 'name="reason" value="She asked for it."' in text(answer)
    for _tap in range(2):
        assert "Alice is out of the season." in text(do(come(olga), "remove", **fields, sure="yes"))
    assert Intervention.objects.count() == 1
    assert entrant("Alice").left_at is not None


def test_the_season_is_extended_once_if_the_form_is_sent_twice(come, season, olga):
    fields = {"days": 3, "reason": "A storm.", "ends_at": season.ends_at.isoformat()}
    assert fields["ends_at"] in text(come(olga).get(PAGE))
    for _tap in range(2):
        assert "All unfinished matches are extended." in text(do(come(olga), "season", **fields))
    answer = do(come(olga), "season", **fields | {"days": 4})
    assert answer.status_code == 422 and "has been extended since you opened the page" in text(answer)
    assert (Season.objects.get().ends_at - season.ends_at).days == 3


@pytest.mark.parametrize("days", ["", "0", "61", "x", "-3"])
@pytest.mark.sampled
def test_invalid_numbers_of_days_are_refused(come, season, olga, days):
    answer = do(come(olga), "season", days=days, reason="x", ends_at=season.ends_at.isoformat())
    assert answer.status_code == 422 and "Enter a number of days from 1 to 60." in text(answer)
    assert not Intervention.objects.exists()


def test_entrants_and_matches_of_another_league_are_refused(come, season, olga, people):
    assert "Choose one of the options." in text(do(come(olga), "remove", entrant="999999", reason="x", sure="yes"))
    assert "Choose one of the options." in text(do(come(olga), "replace", entrant="x", name="Eve", reason="x"))
    assert do(come(olga), "season", days=3, reason="x", ends_at="x").status_code == 422


def test_an_unknown_action_does_nothing(come, season, olga):
    assert do(come(olga), "burn").status_code == 200 and not Intervention.objects.exists()


# Divisions, members, bots, the start


def test_a_division_is_managed_by_its_name(come, olga, clock):
    started_league(clock, *[person(f"P{n}") for n in range(8)], organizer=olga)
    assert "Division 2-1" in text(come(olga).get(PAGE + "?division=2-1"))
    for nonsense in ("", "?division=9-9", "?division=x", "?division=2-", "?division=²-1"):
        assert "Division 1-1" in text(come(olga).get(PAGE + nonsense))


def test_before_the_start_the_page_counts_the_players_signed_up(come, olga, people):
    league_of(*people[:3], organizer=olga)
    answer = come(olga).get(PAGE)
    assert "3 players have signed up; the minimum is 4." in text(answer) and "Carol</a>" in text(answer)
    assert "Start now" not in text(answer)
    for sure in ({}, {"sure": "yes"}):
        refused = do(come(olga), "start", **sure)
        assert refused.status_code == 422 and "Only 3 players have signed up, and the minimum is 4." in text(refused)


def test_the_organizer_can_start_the_season_early(come, olga, people):
    league_of(*people, organizer=olga)
    assert "Start now" in text(come(olga).get(PAGE))
    assert "Start the season now?" in text(do(come(olga), "start"))
    assert "The season has started." in text(do(come(olga), "start", sure="yes"))
    assert Season.objects.get().state == "running"


def test_the_question_about_starting_says_how_many_have_no_place(come, olga, people):
    league = league_of(*people, person("Finn"), person("Gwen"), organizer=olga, ruleset="classic", players=5)
    question = text(do(come(olga), "start"))
    assert "Everyone who has signed up is placed in a division" in question and "You can’t undo this." in question
    for name in ("Hana", "Ivo"):
        seasons.join(league=league, user=person(name))
    question = text(do(come(olga), "start"))
    assert "6 players are placed in divisions" in question
    assert "so the last 2 to sign up wait for the next season." in question
    Season.objects.update(terms=league.terms | {"confirmed_email": True})
    people[0].emailaddress_set.update(verified=False)
    assert "1 player no longer meets the entry conditions and is left out." in text(do(come(olga), "start"))


def test_an_organizer_who_plays_is_refused_before_being_asked(come, season, olga):
    Entrant.objects.filter(name="Dan").update(user=olga)
    fields = {"entrant": entrant("Bob").pk, "name": "Bob", "reason": "x"}
    for action in ("remove", "ban"):
        answer = do(come(olga), action, **fields)
        assert answer.status_code == 422 and "Ask site staff." in text(answer) and "<h1>Manage season" in text(answer)


def test_an_organizer_who_plays_reads_that_others_approve_the_results(come, season, olga):
    Season.objects.update(decided_at=timezone.now())
    assert "Check the results and correct them" in text(come(olga).get(PAGE))
    Entrant.objects.filter(name="Dan").update(user=olga)
    page = text(come(olga).get(PAGE))
    assert "You play in this season, so you can’t approve its results." in page and "Check the results" not in page


def test_bots_can_be_entered_and_removed_in_unrated_leagues(come, olga):
    league_of(organizer=olga, rated=False, bots=True)
    assert "Iron is signed up." in text(do(come(olga), "bot", bot="medium", name="Iron"))
    assert "Medium is signed up." in text(do(come(olga), "bot", bot="medium", name=""))
    member = Member.objects.get(name="Iron")
    assert "Iron is no longer signed up." in text(do(come(olga), "take_out", member=member.pk))
    assert list(Member.objects.values_list("name", flat=True)) == ["Medium"]
    assert "no longer signed up" in text(do(come(olga), "take_out", member=member.pk))


def test_the_page_says_from_which_season_a_bot_plays(come, olga, people, clock):
    league = league_of(*people, organizer=olga, rated=False, bots=True)
    assert "It plays from this season." in text(come(olga).get(PAGE))
    started(league, clock)
    assert "It plays from the next season." in text(come(olga).get(PAGE))


def test_two_taps_enter_one_bot(come, olga):
    league_of(organizer=olga, rated=False, bots=True)
    for seen in (0, 0, 1):
        assert f'name="seen" value="{Member.objects.count()}"' in text(come(olga).get(PAGE))
        do(come(olga), "bot", bot="medium", name="", seen=seen)
    assert list(Member.objects.values_list("name", flat=True)) == ["Medium", "Medium 2"]


def test_two_taps_start_a_season_once(come, olga, people):
    league_of(*people, organizer=olga)
    for _tap in range(2):
        assert "The season has started." in text(do(come(olga), "start", sure="yes"))


def test_a_rated_league_takes_no_bots(come, olga):
    league_of(organizer=olga)
    assert "Add a bot" not in text(come(olga).get(PAGE))
    answer = do(come(olga), "bot", bot="medium", name="")
    assert answer.status_code == 422 and not Member.objects.exists()
    assert "settings don’t allow bots" in text(answer)


def test_a_finished_season_cannot_be_changed(come, season, olga, clock):
    played(season, clock, "Alice")
    assert "Its results are final" in text(come(olga).get(PAGE))
    fields = {"ends_at": Season.objects.get(number=1).ends_at.isoformat(), "days": 3, "reason": "x"}
    assert do(come(olga), "season", **fields).status_code == 422 and not Intervention.objects.exists()
    assert Season.objects.get(number=1).ended_at > START


def test_the_page_needs_few_queries(come, season, olga, django_assert_max_num_queries):
    browser = come(olga)
    with django_assert_max_num_queries(9 + 4):
        browser.get(PAGE)
