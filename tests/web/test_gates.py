"""Pages about entry: what is asked, whether the reader meets it, invitation links, and the organizer's list."""

import pytest
import time_machine

from games.contests.gates import services
from games.contests.models import Admitted, Apart, Entrant, Member
from games.contests.tournaments import services as tournaments
from games.tables.models import Game
from tests.cast import person
from tests.contests.cups import crowd, cup
from tests.contests.leagues import MONDAY, league_of
from tests.contests.test_gates import on_time, rate

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


def page(browser, url: str) -> str:
    answer = browser.get(url)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_page_tells_each_reader_what_is_asked_and_whether_they_meet_it(come, alice):
    league = league_of(rating_from=1400, confirmed_email=True)
    shown = page(come(), league.get_absolute_url())
    assert "A rating of 1400 or more" in shown and "you meet this" not in shown and "Join league" in shown
    rate(alice, 1399)
    shown = page(come(alice), league.get_absolute_url())
    assert "Your rating is 1399." in shown and shown.count("not yet") == 1 and shown.count("you meet this") == 1
    assert "Join league" not in shown and "once you meet the entry conditions" in shown
    refused = come(alice).post("/leagues/harbour/join", follow=True).content.decode()
    assert "You can’t enter yet." in refused and not Member.objects.exists()
    rate(alice, 1400)
    come(alice).post("/leagues/harbour/join")
    assert Member.objects.get().user == alice


def test_an_invitation_link_leads_to_the_page_with_a_button_that_lets_in(come, alice, bob):
    tournament = cup(bob, invite_only=True, reliability=90)
    link = f"/tournaments/{tournament.public_id}/invited/{tournament.invite_token}/"
    assert "By invitation only" in page(come(), tournament.get_absolute_url())
    assert f"?next=/tournaments/{tournament.public_id}/invited/" in page(come(), link)
    assert "Sign up</button>" not in page(come(alice), tournament.get_absolute_url())
    assert tournament.invite_token not in page(come(alice), tournament.get_absolute_url())
    on_time(alice, 89)
    answer = come(alice).post(f"/tournaments/{tournament.public_id}/join", {"invite": tournament.invite_token})
    assert answer["Location"] == link and not Entrant.objects.exists()
    on_time(alice, 90)
    assert 'name="invite"' in page(come(alice), link)
    come(alice).post(f"/tournaments/{tournament.public_id}/join", {"invite": tournament.invite_token})
    assert Entrant.objects.get().user == alice


def test_a_wrong_or_renewed_link_is_like_a_page_that_does_not_exist(come, alice):
    league = league_of(organizer=alice, invite_only=True)
    old = f"/leagues/harbour/invited/{league.invite_token}/"
    come(alice).post("/leagues/harbour/gate/", {"action": "renew"})
    for link in (old, "/leagues/harbour/invited/ümlaut/", "/leagues/nowhere/invited/x/"):
        assert come().get(link).status_code == 404


def test_only_the_organizer_sees_and_changes_the_list(come, alice, bob):
    league_of(organizer=alice, invite_only=True)
    person("Zoe")
    added = come(alice).post("/leagues/harbour/gate/", {"action": "admit", "names": "zoe\nbob, Bob"}, follow=True)
    assert "2 players were added" in added.content.decode() and Admitted.objects.count() == 2
    wrong = come(alice).post("/leagues/harbour/gate/", {"action": "admit", "names": "Alice, Nobody"})
    assert wrong.status_code == 422 and "Alice, Nobody" in wrong.content.decode()
    for data in (
        {},
        {"action": "admit", "names": "Alice"},
        {"action": "take_off", "user": bob.pk},
        {"action": "renew"},
    ):
        answer = come(bob).post("/leagues/harbour/gate/", data, follow=True).content.decode()
        assert "Only the organizer can do this." in answer and "Zoe" not in answer
    assert Admitted.objects.count() == 2
    come(alice).post("/leagues/harbour/gate/", {"action": "take_off", "user": bob.pk})
    come(alice).post("/leagues/harbour/gate/", {"action": "take_off", "user": "²"})
    assert Admitted.objects.get().user.username == "Zoe"


def test_a_list_that_has_no_effect_is_not_offered(come, alice):
    cases = (cup(alice), False), (cup(alice, invite_only=True), True), (league_of(organizer=alice), True)
    for row, is_offered in cases:
        shown = page(come(alice), f"{row.get_absolute_url()}gate/")
        assert ("Add to the list" in shown) == is_offered


def test_the_organizer_reads_that_nobody_meets_the_conditions_and_others_do_not(come, alice, bob):
    tournament = cup(alice, rating_from=2500)
    assert "or nobody can enter" in page(come(alice), tournament.get_absolute_url())
    assert "or nobody can enter" not in page(come(bob), tournament.get_absolute_url())


def test_a_table_in_the_lobby_says_what_rating_it_asks_for(come, alice, bob):
    data = {"ruleset": "legends", "players": "2", "listed": "yes", "full": "no", "reply_hours": "12", "pace": "move 2d"}
    wrong = come(alice).post("/lobby/open/", {**data, "rating_from": "1500", "rating_to": "1550"})
    assert wrong.status_code == 422 and "Leave at least 100 points" in wrong.content.decode()
    come(alice).post("/lobby/open/", {**data, "rating_from": "1500", "rating_to": ""})
    game = Game.objects.get()
    assert (game.rating_from, game.rating_to) == (1500, 0)
    assert "rating of 1500 or more" in page(come(bob), "/lobby/")
    assert "rating of 1500 or more" in page(come(bob), f"/join/{game.invite_token}/")
    refused = come(bob).post(f"/games/{game.public_id}/join", follow=True).content.decode()
    assert "requires a rating, and you don’t have one for this game yet" in refused
    assert game.seats.count() == 1


def test_everyone_reads_how_many_pairs_are_kept_apart_and_only_organizers_which(come, alice, bob, carol):
    league = league_of(organizer=alice)
    tournament = cup(alice, crowd(4), format="round-robin", seats=4)
    for competition in (league, tournament):
        assert "pair of players apart" not in page(come(bob), competition.get_absolute_url())
        services.keep_apart(competition=competition, by=alice, names=["Bob", "Carol"])
        shown = page(come(), competition.get_absolute_url())
        assert "The organizers keep 1 pair of players apart" in shown and "Carol" not in shown
    tournaments.start(tournament=tournament, user=alice)
    gate = f"/tournaments/{tournament.public_id}/gate/"
    assert gate in page(come(alice), tournament.get_absolute_url())
    assert gate not in page(come(bob), tournament.get_absolute_url())


def test_an_organizer_who_can_no_longer_allow_a_pairing_reads_why(come, alice, bob, carol, clock):
    tournament = cup(alice, format="round-robin", seats=4)
    services.keep_apart(competition=tournament, by=alice, names=["Bob", "Carol"])
    clock.shift(3600)
    for player in (bob, carol):
        tournaments.join(tournament=tournament, user=player)
    gate, pair = f"/tournaments/{tournament.public_id}/gate/", Apart.objects.get()
    answer = come(alice).post(gate, {"action": "meet", "pair": pair.pk}, follow=True)
    assert answer.redirect_chain == [(gate, 302)] and Apart.objects.get() == pair
    assert "Players have signed up since this pairing was forbidden." in answer.content.decode()
