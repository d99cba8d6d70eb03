"""The preferences page."""

import re
from datetime import UTC, datetime, time

import pytest
import time_machine
from django.template import engines
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.forms import PreferencesForm, time_zones
from accounts.middleware import local_time
from accounts.models import User
from games.clocks.nights import Window
from games.tables.models import Game, Seat
from games.tables.services import lobby, time_off
from tests.cast import born, in_turns

pytestmark = pytest.mark.django_db

CHOICES = {
    "username": "Alice", "time_zone": "America/Argentina/Buenos_Aires", "birth_date": "1990-02-28", "theme": "dark",
}  # fmt: skip


def test_preferences_are_saved(as_alice, alice):
    assert as_alice.post("/accounts/preferences/", CHOICES).status_code == 302
    alice.refresh_from_db()
    assert (alice.time_zone, alice.theme, str(alice.birth_date)) == (
        "America/Argentina/Buenos_Aires", "dark", "1990-02-28",
    )  # fmt: skip
    assert not alice.holds_turns and not alice.has_keys and alice.palette == ""


def test_the_chosen_palette_is_on_every_page(as_alice, alice):
    as_alice.post("/accounts/preferences/", {**CHOICES, "palette": "contrast"})
    page = as_alice.get("/rules/").content.decode()
    assert 'data-palette="contrast"' in page and "css/palettes/contrast.css" in page
    as_alice.post("/accounts/preferences/", {**CHOICES, "palette": ""})
    assert "palette" not in as_alice.get("/rules/").content.decode()


@pytest.mark.parametrize(
    ("field", "value"),
    [("username", "admin"), ("username", "BOB"), ("username", ""), ("time_zone", "Mars/Base"), ("theme", "pink"),
     ("palette", "pink"),
     ("birth_date", "2999-01-01"), ("birth_date", "2026-11-22"), ("birth_date", "1850-01-01"),
     ("birth_date", "yesterday"), ("username", "B0b"), ("username", "B-ob")],
)  # fmt: skip
@pytest.mark.sampled
def test_an_invalid_choice_is_refused_and_nothing_is_saved(as_alice, alice, bob, field, value):
    answer = as_alice.post("/accounts/preferences/", {**CHOICES, field: value})
    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert User.objects.get(pk=alice.pk).theme == "auto"


@time_machine.travel("2027-03-01T08:00Z", tick=False)
def test_a_new_time_zone_updates_running_clocks_and_no_other_column(as_alice, alice, bob):
    time_off.set_night(user=alice, zone="UTC", window="22:00-06:00")
    game = in_turns(alice, bob, clock="move 15h")
    before = Seat.objects.get(game=game, owes=True).deadline
    assert as_alice.post("/accounts/preferences/", CHOICES).status_code == 302
    assert Seat.objects.get(game=game, owes=True).deadline != before
    alice.refresh_from_db()
    assert alice.nights.window == Window(time(22), time(6))
    form = PreferencesForm({**CHOICES, "theme": "light"}, instance=alice)
    User.objects.filter(pk=alice.pk).update(punctuality="101")  # a turn that is played at the same time
    assert form.is_valid()
    services.save_preferences(form)
    assert User.objects.values_list("punctuality", "theme").get(pk=alice.pk) == ("101", "light")


def test_a_new_name_is_shown_at_tables(as_alice, alice):
    game = Game.objects.create(ruleset="legends", rules_version=1, players=2, opened_at=timezone.now())
    seat = Seat.objects.create(game=game, number=0, user=alice, owner=alice, name="Alice")
    as_alice.post("/accounts/preferences/", {**CHOICES, "username": "Alice the 2nd"})
    seat.refresh_from_db()
    assert seat.name == "Alice the 2nd"


@time_machine.travel("2027-03-01T08:00Z", tick=False)
def test_a_date_of_birth_can_be_set_only_once(as_alice, alice):
    as_alice.post("/accounts/preferences/", CHOICES)
    refused = as_alice.post("/accounts/preferences/", {**CHOICES, "birth_date": "2000-01-01"})
    assert refused.status_code == 422 and "Your date of birth is already set." in refused.content.decode()
    as_alice.post("/accounts/preferences/", {**CHOICES, "birth_date": ""})
    alice.refresh_from_db()
    assert str(alice.birth_date) == "1990-02-28" and alice.birth_date_given_at == timezone.now()


def test_the_first_of_two_simultaneous_dates_of_birth_counts(as_alice, alice):
    late = PreferencesForm({**CHOICES, "birth_date": "2000-01-01"}, instance=User.objects.get(pk=alice.pk))
    assert late.is_valid()
    as_alice.post("/accounts/preferences/", CHOICES)
    services.save_preferences(late)
    assert str(User.objects.get(pk=alice.pk).birth_date) == "1990-02-28"


def seen_by(client: Client, address: str) -> str:
    """Return a page without the tokens that differ each time."""
    return re.sub(r"\w{64}", "", client.get(address).content.decode())


def test_staff_can_clear_a_date_of_birth_and_do_not_see_it(admin_client, as_alice, alice):
    as_alice.post("/accounts/preferences/", CHOICES)

    address = f"/admin/accounts/user/{alice.pk}/change/"
    page = seen_by(admin_client, address)
    User.objects.update(birth_date="1955-11-07")
    assert seen_by(admin_client, address) == page
    admin_client.post("/admin/accounts/user/", {"action": "clear_birth_dates", "_selected_action": [alice.pk]})
    alice.refresh_from_db()
    assert (alice.birth_date, alice.birth_date_given_at) == (None, None)


def test_the_second_of_two_simultaneous_look_alike_renames_is_refused(as_alice, alice, monkeypatch):
    monkeypatch.setattr(
        User, "is_name_taken", lambda *_names, **_options: False
    )  # both were checked before either was saved
    User.objects.create_user("Bob")
    answer = as_alice.post("/accounts/preferences/", {**CHOICES, "username": "B0b"})
    assert answer.status_code == 422 and "looks too much like another" in answer.content.decode()
    alice.refresh_from_db()
    assert (alice.username, alice.theme) == ("Alice", "auto")


def test_users_can_change_the_case_of_their_name(as_alice, alice):
    as_alice.post("/accounts/preferences/", {**CHOICES, "username": "ALICE"})
    alice.refresh_from_db()
    assert alice.username == "ALICE"


def test_guests_can_set_neither_a_name_nor_a_date_of_birth(stranger):
    stranger.post("/accounts/guest/")
    page = stranger.get("/accounts/preferences/")
    assert page.status_code == 200
    assert set(page.context["form"].fields) == {"language", "time_zone", "theme", "palette", "has_keys", "holds_turns"}
    stranger.post("/accounts/preferences/", {**CHOICES, "theme": "light"})
    assert list(User.objects.values_list("theme", "birth_date")) == [("light", None)]


def test_visitors_are_asked_to_sign_in(stranger):
    assert stranger.get("/accounts/preferences/").url.startswith("/accounts/login/")


def test_an_obsolete_time_zone_can_be_kept(as_alice, alice):
    User.objects.update(time_zone="EST5EDT")
    assert as_alice.post("/accounts/preferences/", {**CHOICES, "time_zone": "EST5EDT"}).status_code == 302


def test_time_zones_are_grouped_by_region():
    areas = dict(time_zones())
    assert ("Europe/Vienna", "Vienna") in areas["Europe"]
    assert ("America/Argentina/Buenos_Aires", "Argentina, Buenos Aires") in areas["America"]
    assert "Etc" not in areas


def test_times_are_shown_in_the_readers_time_zone(alice, rf):
    alice.time_zone = "Asia/Tokyo"
    request = rf.get("/")
    request.user = alice
    moment = datetime(2026, 11, 20, 20, 30, tzinfo=UTC)
    page = engines["django"].from_string("{{ moment|date:'H:i' }}")
    assert local_time(lambda request: page.render({"moment": moment}))(request) == "05:30"


def test_the_date_of_birth_and_address_are_not_public(stranger, alice):
    User.objects.update(birth_date="1990-02-28")
    page = seen_by(stranger, "/players/Alice/")
    User.objects.update(birth_date="1955-11-07")
    assert seen_by(stranger, "/players/Alice/") == page and "example.org" not in page


def test_settings_ask_for_the_date_of_birth_only_on_the_way_from_a_table_that_needs_it(as_alice, alice):
    def asks_for_date(path: str) -> bool:
        return 'name="birth_date"' in as_alice.get(path).content.decode()

    assert not asks_for_date("/accounts/preferences/") and asks_for_date("/accounts/preferences/?age")
    link = 'href="/accounts/preferences/?age#id_birth_date"'
    tables = {ties: lobby.open_table(user=alice, options={"ties": ties}) for ties in ("die", "age")}
    shown = {ties: link in as_alice.get(game.get_absolute_url()).content.decode() for ties, game in tables.items()}
    assert shown == {"die": False, "age": True}
    form = {ties: as_alice.get("/lobby/open/", {"option_ties": ties}).content.decode() for ties in tables}
    assert link in form["age"] and link not in form["die"]
    born(alice, 1990)
    assert link not in as_alice.get(tables["age"].get_absolute_url()).content.decode()


def test_saving_other_settings_keeps_a_date_of_birth_that_the_page_did_not_show(as_alice, alice):
    as_alice.post("/accounts/preferences/", CHOICES)
    as_alice.post("/accounts/preferences/", {name: CHOICES[name] for name in ("username", "time_zone", "theme")})
    alice.refresh_from_db()
    assert str(alice.birth_date) == "1990-02-28"
