"""The notification settings: presets, single kinds, quiet hours, a pause, and a summary in words."""

from datetime import UTC, datetime, time

import pytest
import time_machine

from accounts.models import User
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Hook

pytestmark = pytest.mark.django_db

PAGE = "/accounts/notices/"
CHOICES = {f"email-{kind}": "now" for kind in Kind} | {"delay": "30", "digest_hour": "8"}


def hows(user: User) -> dict[str, str]:
    user.refresh_from_db()
    return {kind.value: user.how(kind, Channel.EMAIL).value for kind in Kind}


def sentences(client) -> str:
    return " ".join(client.get(PAGE).context["sentences"])


def test_by_default_everything_is_emailed_immediately(as_alice):
    assert sentences(as_alice).startswith("We notify you by email right away when anything listed below happens.")
    assert as_alice.get(PAGE).context["preset"] == "now"


@pytest.mark.parametrize(
    ("name", "turn", "time_out", "words"),
    [
        ("now", "now", "now", "notify you by email right away when anything listed below happens"),
        ("late", "off", "now", "right away when your time is running out, someone invites"),
        (
            "digest",
            "digest",
            "digest",
            "notify you by email once a day, at 08:00, in one message, when anything listed below happens",
        ),
        ("nothing", "off", "off", "We send you nothing by email."),
    ],
)
def test_a_preset_takes_one_click(as_alice, alice, name, turn, time_out, words):
    assert as_alice.post(PAGE, {"preset": name}).status_code == 302
    assert (hows(alice)["turn"], hows(alice)["time"]) == (turn, time_out)
    page = as_alice.get(PAGE)
    assert page.context["preset"] == name and words in " ".join(page.context["sentences"])
    assert f'value="{name}" aria-pressed="true"' in page.content.decode()


def test_each_kind_can_be_set_separately(as_alice, alice):
    sent = {**CHOICES, "email-turn": "later", "email-ended": "digest", "email-closed": "off", "delay": "45"}
    assert as_alice.post(PAGE, sent).status_code == 302
    assert hows(alice) == dict.fromkeys(Kind.values, "now") | {"turn": "later", "ended": "digest", "closed": "off"}
    words = sentences(as_alice)
    assert "notify you by email after 45 minutes, unless you act first, when it’s your turn." in words
    assert (
        "We don’t notify you by email when a table you were waiting at closes, its host removes you, or your search"
        " for a game ends." in words
    )


def test_quiet_hours_are_described_in_words(as_alice, alice):
    as_alice.post(PAGE, {**CHOICES, "quiet_begins": "23:00", "quiet_ends": "07:00"})
    alice.refresh_from_db()
    assert (alice.quiet_begins, alice.quiet_ends) == (time(23), time(7))
    assert "We send nothing between 23:00 and 07:00. Notifications wait until 07:00" in sentences(as_alice)


@pytest.mark.parametrize(
    "wrong",
    [{"email-turn": "hourly"}, {"email-time": "later"}, {"delay": "0"}, {"delay": "9999"}, {"digest_hour": "24"},
     {"quiet_begins": "23:00"}, {"quiet_begins": "8:00", "quiet_ends": "8:00"},
     {"quiet_begins": "soon", "quiet_ends": "8:00"}],
)  # fmt: skip
def test_invalid_settings_are_refused_and_nothing_is_saved(as_alice, alice, wrong):
    answer = as_alice.post(PAGE, {**CHOICES, "email-ended": "off", **wrong})
    assert answer.status_code == 422
    assert set(hows(alice).values()) == {"now"} and alice.quiet_begins is None


def test_a_pause_lasts_until_its_date_or_until_resumed(as_alice, alice):
    User.objects.update(time_zone="Asia/Tokyo")
    with time_machine.travel(datetime(2026, 3, 2, 9, tzinfo=UTC), tick=False):
        as_alice.post(PAGE, {"pause": "1", "until": "2026-03-09"})
        alice.refresh_from_db()
        assert (alice.is_paused, alice.paused_until) == (True, datetime(2026, 3, 8, 15, tzinfo=UTC))
        assert "Notifications are paused until 9 March, 00:00." in sentences(as_alice)
        as_alice.post(PAGE, {"resume": "1"})
        assert "We notify you by email right away" in sentences(as_alice)
        as_alice.post(PAGE, {"pause": "1"})
        assert "Notifications are paused until you resume." in sentences(as_alice)
        for past_day in ("2026-03-02", "0001-01-01"):
            assert as_alice.post(PAGE, {"pause": "1", "until": past_day}).status_code == 422


def test_a_guest_without_channels_is_told_so(stranger):
    assert stranger.get(PAGE).url.startswith("/accounts/login/")
    stranger.post("/accounts/guest/")
    page = stranger.get(PAGE).content.decode()
    assert "We can’t reach you yet" in page and 'name="preset"' not in page
    assert stranger.post(PAGE, {"delay": "30", "digest_hour": "8"}).status_code == 302


def test_quiet_hours_can_be_saved_without_any_channel(stranger):
    stranger.post("/accounts/guest/")
    User.objects.update(delay=45, digest_hour=7)
    assert stranger.post(PAGE, {"quiet_begins": "22:00", "quiet_ends": "07:00"}).status_code == 302
    guest = User.objects.get()
    assert (guest.quiet_begins, guest.quiet_ends, guest.delay, guest.digest_hour) == (time(22), time(7), 45, 7)


def test_a_page_without_a_channel_that_was_added_since_saves_the_others(as_alice, alice):
    User.objects.update(notice_settings={Channel.HOOK: {Kind.TURN: How.DIGEST}})
    Hook.objects.create(user=alice, url="https://hooks.example.org/x", format="json")
    assert as_alice.post(PAGE, {**CHOICES, "email-ended": "off"}).status_code == 302
    alice.refresh_from_db()
    assert alice.how(Kind.ENDED, Channel.EMAIL) == How.OFF
    assert (alice.how(Kind.TURN, Channel.HOOK), alice.how(Kind.ENDED, Channel.HOOK)) == (How.DIGEST, How.NOW)
    assert as_alice.post(PAGE, {**CHOICES, "delay": ""}).status_code == 422


def test_settings_of_channels_that_are_not_set_up_are_kept(as_alice, alice):
    User.objects.update(notice_settings={Channel.PUSH: {Kind.TURN: How.OFF}})
    as_alice.post(PAGE, CHOICES)
    alice.refresh_from_db()
    assert alice.how(Kind.TURN, Channel.PUSH) == How.OFF
