"""The page for nights and vacations: what it saves, which deadlines move, and what it refuses."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from accounts.models import User
from games.clocks.nights import window_text
from games.tables.models import Seat, Vacation
from games.tables.services import handover, time_off
from tests.cast import in_turns
from tests.web.reading import text

pytestmark = pytest.mark.django_db

WEEK_FROM = datetime(2026, 11, 21, tzinfo=UTC)
PAGE = "/accounts/time-off/"
NIGHT = {"action": "night", "time_zone": "Europe/Berlin", "begins": "23:00", "ends": "07:00"}
WEEK = {"action": "announce", "first": "2026-11-24", "last": "2026-11-30"}


@pytest.fixture(autouse=True)
def saturday_noon():
    with time_machine.travel("2026-11-21T12:00:00Z", tick=False) as clock:
        yield clock


def test_visitors_are_sent_to_sign_in(come):
    assert come().get(PAGE).headers["location"].startswith("/accounts/login/")


def test_a_night_is_saved_and_moves_running_deadlines(come, alice, bob):
    in_turns(alice, bob)
    in_turns(alice, bob)
    in_turns(bob, alice)
    before = Seat.objects.get(game__pk=in_turns(alice, bob).pk, user=alice).deadline
    answer = come(alice).post(PAGE, NIGHT, follow=True)
    assert "3 deadlines changed." in text(answer)
    assert 'value="23:00"' in text(answer) and 'value="Europe/Berlin" selected' in text(answer)
    alice = User.objects.get(pk=alice.pk)
    assert window_text(alice.nights.window) == "23:00-07:00" and alice.time_zone == "Europe/Berlin"
    assert Seat.objects.filter(user=alice, deadline=before + timedelta(hours=24)).count() == 3
    come(alice).post(PAGE, {**NIGHT, "begins": "", "ends": ""})
    assert User.objects.get(pk=alice.pk).nights.window is None


def test_clocks_that_run_while_a_substitute_plays_are_those_of_the_owner(come, alice, bob, carol):
    seat = Seat.objects.get(game__pk=in_turns(alice, bob).pk, user=alice)
    handover.ask(seat=seat, user=alice, name="Carol")
    handover.accept(seat=seat, user=carol)
    assert "You are playing 1 game, and your clock is running." in text(come(alice).get(PAGE))
    assert "1 deadline changed." in text(come(alice).post(PAGE, NIGHT, follow=True))
    assert "You are playing" not in text(come(carol).get(PAGE))
    assert "changed." not in text(come(carol).post(PAGE, NIGHT, follow=True))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"begins": "20:00"}, "A night can last at most 10 hours."),
        ({"ends": "23:00"}, "A night can’t begin and end at the same time."),
        ({"ends": ""}, "Enter both when your night begins and when it ends, or leave both empty."),
        ({"begins": "late"}, "Enter a time such as 23:00."),
        ({"time_zone": "Atlantis/Capital"}, "There is no time zone “Atlantis/Capital”."),
        ({"time_zone": "../../etc/passwd"}, "There is no time zone"),
    ],
)
def test_an_invalid_night_is_refused_and_keeps_what_was_typed(come, alice, change, sentence):
    answer = come(alice).post(PAGE, {**NIGHT, **change})
    assert answer.status_code == 422 and sentence in text(answer)
    assert 'value="07:00"' in text(answer) or "ends" in change
    assert User.objects.get(pk=alice.pk).night == {}


def test_a_vacation_can_be_announced_and_canceled_and_its_days_are_counted(come, alice, bob):
    in_turns(alice, bob)
    visit = come(alice)
    assert "<b>28 days</b> left of 28 in 2026" in text(visit.get(PAGE))
    for _tap in range(2):
        page = text(visit.post(PAGE, WEEK, follow=True))
    assert Vacation.objects.count() == 1
    assert "<b>21 days</b> left of 28 in 2026" in page and "24 Nov 2026 – 30 Nov 2026" in page
    assert "No deadlines changed." in page
    page = text(visit.post(PAGE, {"action": "cancel", "vacation": Vacation.objects.get().pk}, follow=True))
    assert "<b>28 days</b> left of 28 in 2026" in page and "30 Nov" not in page


def test_a_running_vacation_can_be_ended_early(come, alice, saturday_noon):
    time_off.announce(user=alice, first=WEEK_FROM.date(), last=WEEK_FROM.date() + timedelta(days=3))
    saturday_noon.shift(timedelta(hours=1))
    assert "End now" in text(come(alice).get(PAGE))
    page = text(come(alice).post(PAGE, {"action": "cancel", "vacation": Vacation.objects.get().pk}, follow=True))
    assert "<b>27 days</b> left of 28 in 2026" in page, "the current day counts as used"


def test_the_desk_says_that_i_am_on_vacation_from_its_first_day_to_its_end(come, alice, saturday_noon):
    visit, sentence = come(alice), "You are on vacation, so your clocks are paused."
    visit.post(PAGE, {"action": "announce", "first": "2026-11-22", "last": "2026-11-23"})
    assert sentence not in text(visit.get("/desk/"))
    saturday_noon.shift(timedelta(days=1))
    assert sentence in text(visit.get("/desk/"))
    saturday_noon.shift(timedelta(days=2))
    assert sentence not in text(visit.get("/desk/"))


def test_vacations_that_are_planned_and_canceled_again_and_again_do_not_slow_pages_down(
    come, alice, saturday_noon, settings
):
    """All pages with a clock of the player read them. A day that is announced again costs nothing."""
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"time_off": ""}
    visit, first, today = come(alice), {"first": "2026-11-24"}, {"first": "2026-11-21", "last": "2026-11-21"}

    def plan_and_cancel(times: int, **days: str) -> str:
        for _time in range(times):
            saturday_noon.shift(timedelta(seconds=1))
            answer = visit.post(PAGE, {"action": "announce", **days})
            if answer.status_code == 422:
                return text(answer)
            saturday_noon.shift(timedelta(seconds=1))
            visit.post(PAGE, {"action": "cancel", "vacation": Vacation.objects.latest("pk").pk})
        return ""

    assert plan_and_cancel(30, **first, last="2026-11-30") == ""
    assert Vacation.objects.count() == 1
    assert "You can plan at most 20 vacations at a time." in plan_and_cancel(30, **today)
    assert Vacation.objects.filter(first=today["first"]).count() == 20
    saturday_noon.shift(timedelta(days=1))
    assert plan_and_cancel(1, **first, last="2026-11-30") == ""


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"first": "2026-11-20"}, "A vacation can’t begin in the past. Choose today or a later day."),
        ({"last": "2026-11-23"}, "This vacation ends before it begins."),
        ({"last": "2028-01-01"}, "A vacation can’t go past the end of 2027."),
        ({"last": "2026-12-31"}, "Not enough vacation days in 2026: this takes 38, and you have 28 left."),
        ({"first": ""}, "Enter the first day."),
        ({"last": "31.2.2027"}, "Enter a valid date."),
    ],
)
def test_an_invalid_vacation_is_refused_and_keeps_what_was_typed(come, alice, change, sentence):
    answer = come(alice).post(PAGE, {**WEEK, **change})
    assert answer.status_code == 422 and sentence in text(answer)
    assert {**WEEK, **change}["last"] in text(answer)
    assert not Vacation.objects.exists()


@pytest.mark.parametrize("which", ["", "x", "99999999999999999999"])
def test_nobody_can_cancel_the_vacation_of_someone_else(come, alice, bob, which):
    other = time_off.announce(user=bob, first=WEEK_FROM.date(), last=WEEK_FROM.date())
    answer = come(alice).post(PAGE, {"action": "cancel", "vacation": which or other.pk}, follow=True)
    assert "This vacation no longer exists. Reload the page." in text(answer)
    assert Vacation.objects.get().cancelled is None
