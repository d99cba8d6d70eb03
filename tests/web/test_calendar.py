"""The calendar of a player's deadlines, which can be read without signing in until its address is renewed."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from icalendar import Calendar

from accounts.models import User
from games.contests.models import Entrant, Member, Season
from games.tables.models import Seat
from tests.cast import bid, in_turns, submit, table_of
from tests.contests.seasons import WEEKS, division_of, look

pytestmark = pytest.mark.django_db
PAGE = "/accounts/notices/calendar/"


def address(come, user) -> str:
    return come(user).get(PAGE).context["link"].removeprefix("http://testserver")


def entries(come, user) -> dict[str, Calendar]:
    """The entries by title, as a program that is not signed in reads them."""
    answer = come().get(address(come, user))
    assert answer.status_code == 200 and answer["Content-Type"] == "text/calendar; charset=utf-8"
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    return {str(event["SUMMARY"]): event for event in events}


def test_my_turn_ends_in_the_calendar_at_its_deadline(come, alice, bob):
    game = in_turns(alice, bob)
    (title, event), *others = entries(come, alice).items()
    assert title == "Your turn: Legends with Bob" and not others
    assert event.decoded("DTEND") == Seat.objects.get(game=game, user=alice).deadline.replace(microsecond=0)
    assert str(event["URL"]) == f"http://testserver{game.get_absolute_url()}"
    assert not entries(come, bob)


def test_the_calendar_is_in_its_owners_language_whatever_program_reads_it(come, alice, bob):
    in_turns(alice, bob)
    link = address(come, alice)
    User.objects.filter(pk=alice.pk).update(language="de")
    for headers in ({}, {"Accept-Language": "fr"}):
        (event,) = Calendar.from_ical(come().get(link, headers=headers).content).walk("VEVENT")
        assert str(event["SUMMARY"]) == "Du bist am Zug: Legends mit Bob"


def test_names_of_players_cannot_break_the_calendar(come, alice, bob):
    in_turns(alice, bob)
    Seat.objects.filter(user=bob).update(name="B;o,b\\n\nBEGIN:VEVENT")
    assert list(entries(come, alice)) == ["Your turn: Legends with B;o,b\\n\nBEGIN:VEVENT"]


def test_another_players_sealed_bid_changes_nothing(come, alice, bob, carol):
    game = table_of(alice, bob, carol)
    link = address(come, alice)
    before = come().get(link).content
    submit(game, 1, "bid 1")
    assert come().get(link).content == before


def test_a_turn_disappears_once_it_is_taken(come, alice, bob):
    bid(table_of(alice, bob), 0, 1)
    assert not entries(come, alice) and entries(come, bob)


def test_a_season_shows_its_end_and_the_latest_start_of_my_matches(come, alice, bob, carol, dan):
    pool = division_of(alice, bob, carol, at_once=1)
    look(pool)
    shown = entries(come, alice)
    assert set(shown) == {
        "Your turn: Legends with Bob", "Harbour League: season 1 ends", "Harbour League, season 1: game with Carol",
    }  # fmt: skip
    start_by = shown["Harbour League, season 1: game with Carol"].decoded("DTSTART")
    assert abs(start_by - timezone.now() - WEEKS / 2) < timedelta(minutes=1)
    assert not entries(come, dan)


def test_a_player_who_dropped_out_no_longer_sees_the_season(come, alice, bob, carol):
    division_of(alice, bob, carol)
    Entrant.objects.filter(user=alice).update(left_at=timezone.now())
    assert not entries(come, alice)


def test_members_who_signed_up_see_the_upcoming_season(come, alice, bob, carol):
    season = division_of(carol).season
    Season.objects.update(state="sign_up", starts_at=timezone.now() + timedelta(days=5))
    Entrant.objects.all().delete()
    Member.objects.create(league=season.league, user=alice, joined_at=timezone.now())
    Member.objects.create(league=season.league, user=bob, sits_out=True, joined_at=timezone.now())
    assert list(entries(come, alice)) == ["Harbour League: season 1 starts"]
    assert not entries(come, bob)


def test_a_new_address_disables_the_old_one(come, alice, bob):
    old = address(come, alice)
    page = come(alice).post(PAGE, follow=True).content.decode()
    assert "has a new address" in page
    assert come().get(old).status_code == 410
    assert address(come, alice) != old and come().get(address(come, alice)).status_code == 200


@pytest.mark.parametrize("signed", ["x", "x:y", "WzEsMF0:abc", "WzEsMF0.abc"])
def test_a_forged_address_reveals_nothing(come, alice, signed):
    answer = come().get(f"/calendar/{signed}.ics")
    assert answer.status_code == 410 and b"VCALENDAR" not in answer.content


def test_an_inactive_account_has_no_calendar(come, alice):
    link = address(come, alice)
    type(alice).objects.update(is_active=False)
    assert come().get(link).status_code == 410


def test_programs_learn_that_nothing_has_changed(come, alice, bob):
    in_turns(alice, bob)
    link = address(come, alice)
    first = come().get(link)
    assert "private" in first["Cache-Control"]
    with time_machine.travel(timezone.now() + timedelta(minutes=20)):
        assert come().get(link, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_only_the_owner_sees_the_address(come, alice, bob):
    assert come().get(PAGE).status_code == 302
    assert address(come, alice) != address(come, bob)
    page = come(alice).get(PAGE).content.decode()
    assert "Anyone who has it can see when your turns are due" in page and "webcal://testserver/" in page
    assert come(alice).get("/accounts/notices/").content.decode().count(PAGE) == 1


def test_the_feed_is_read_only(come, alice):
    assert come().post(address(come, alice)).status_code == 405


def test_a_calendar_needs_few_queries(come, alice, bob, carol, dan, django_assert_max_num_queries):
    look(division_of(alice, bob, carol, dan))
    link = address(come, alice)
    with django_assert_max_num_queries(9):
        come().get(link)
