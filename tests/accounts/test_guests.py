"""Guests: they play immediately, and keep their games when they sign up or sign in."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa import urls as mfa_urls
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from django.urls import URLResolver, reverse
from django.utils import timezone
from django.utils.http import urlencode

from accounts import services, tasks
from accounts.middleware import SIGN_IN_PAGES
from accounts.models import User
from accounts.proof import calendar_url
from games.notices.models import Device
from games.tables.models import Game, Message, Seat, Status
from games.tables.services import chat, handover, lobby, people
from tests.accounts.conftest import PASSWORD
from tests.cast import again, play_out, seats_of, table_of

pytestmark = pytest.mark.django_db

SIGN_UP = {"username": "Carol", "email": "carol@example.org", "password1": PASSWORD, "accepts": "1"}


def who(client: Client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


@pytest.fixture
def guest(stranger) -> User:
    stranger.post("/accounts/guest/")
    return who(stranger)


def sit(user: User, status: str = Status.RUNNING, game: Game | None = None) -> Seat:
    game = game or Game.objects.create(
        ruleset="legends", rules_version=1, players=2, status=status, opened_at=timezone.now(), opener=user
    )
    return Seat.objects.create(game=game, number=game.seats.count(), user=user, owner=user, name=user.username)


def test_a_visitor_becomes_a_guest_and_continues_to_the_requested_page(stranger):
    stranger.cookies["time_zone"] = "Europe%2FVienna"
    answer = stranger.post("/accounts/guest/", {"next": "/lobby/"})
    assert answer.url == "/lobby/"
    guest = who(stranger)
    assert guest.is_guest and guest.username.startswith("Guest ")
    assert guest.time_zone == "Europe/Vienna"
    assert not guest.has_usable_password() and guest.email == ""


@pytest.mark.parametrize(("language", "begins"), [("de", "Gast "), ("fr-CA", "Visiteur "), ("es", "Invitado ")])
def test_a_guest_keeps_the_name_in_the_language_of_the_page_where_they_began(stranger, language, begins):
    stranger.post("/accounts/guest/", headers={"Accept-Language": language})
    name = who(stranger).username
    assert name.startswith(begins)
    table = stranger.get("/lobby/", headers={"Accept-Language": "en"}).content.decode()
    assert f'<span class="name">{name}</span>' in table


def test_a_new_guest_is_not_redirected_to_another_site(stranger):
    for nowhere in ("https://evil.example.org/", "//evil.example.org", "lobby", "%", "💥", ""):
        assert stranger.post("/accounts/guest/", {"next": nowhere}).url == "/"


def test_a_signed_in_user_does_not_become_a_guest(as_alice, alice):
    as_alice.post("/accounts/guest/")
    assert who(as_alice) == alice
    assert User.objects.count() == 1


def test_an_unknown_time_zone_is_ignored(stranger):
    stranger.cookies["time_zone"] = "Atlantis%2FPoseidonis"
    stranger.post("/accounts/guest/")
    assert who(stranger).time_zone == "UTC"


def test_too_many_guests_from_one_address_are_limited(settings):
    settings.RATE_LIMITS = {"guest": "2/h/ip"}
    codes = [Client().post("/accounts/guest/").status_code for _visit in range(3)]
    assert codes == [302, 302, 429]
    assert User.objects.count() == 2


def test_signing_up_keeps_the_user_and_the_games(stranger, guest):
    seat = sit(guest)
    answer = stranger.post("/accounts/signup/", SIGN_UP)
    assert answer.status_code == 302
    carol = who(stranger)
    assert (carol.pk, carol.username, carol.email, carol.is_guest) == (guest.pk, "Carol", "carol@example.org", False)
    seat.refresh_from_db()
    assert (seat.user, seat.name) == (carol, "Carol")
    assert Client().login(username="Carol", password=PASSWORD)


def test_after_sign_up_one_note_on_the_desk_asks_to_confirm_the_address(stranger, guest):
    sit(guest)
    page = stranger.post("/accounts/signup/", SIGN_UP, follow=True).content.decode()
    assert "My desk" in page and "we’ve emailed carol@example.org a confirmation link" in page
    assert "We won’t email you about your games until" not in page
    assert "We won’t email you about your games until" in stranger.get("/desk/").content.decode()


def test_open_game_pages_are_updated_with_the_new_name(stranger, guest):
    game = sit(guest).game
    stranger.post("/accounts/signup/", SIGN_UP)
    game.refresh_from_db()
    assert game.version == 1


def test_a_refused_sign_up_leaves_the_guest_unchanged(stranger, guest, alice):
    answer = stranger.post("/accounts/signup/", {**SIGN_UP, "username": "alice"})
    assert answer.status_code == 200
    assert who(stranger) == guest and User.objects.get(pk=guest.pk).is_guest


def test_the_sign_up_page_names_the_guest_whose_games_are_kept(stranger, guest):
    assert guest.username in stranger.get("/accounts/signup/").content.decode()


def test_the_sign_up_page_has_the_address_that_the_guest_gave(stranger, guest):
    assert 'value="gil@' not in stranger.get("/accounts/signup/").content.decode()
    EmailAddress.objects.create(user=guest, email="gil@example.org")
    assert 'value="gil@example.org"' in stranger.get("/accounts/signup/").content.decode()
    User.objects.filter(pk=guest.pk).update(email="gil@example.org")
    EmailAddress.objects.update(verified=True, primary=True)
    assert 'value="gil@example.org"' in stranger.get("/accounts/signup/").content.decode()


def test_signing_in_moves_the_guests_games_to_the_account(stranger, guest, alice):
    seat = sit(guest)
    answer = stranger.post("/accounts/login/", {"login": alice.email, "password": PASSWORD}, follow=True)
    assert who(stranger) == alice
    seat.refresh_from_db()
    assert (seat.user, seat.name) == (alice, "Alice")
    assert f"The games you started as {guest.username} are now in your account." in [
        str(message) for message in answer.context["messages"]
    ]


def test_a_game_that_a_guest_began_is_rated_for_their_account(guest, alice, bob):
    game = table_of(guest, bob)
    services.bring_games(guest=guest, user=alice)
    assert [seat.first_owner for seat in seats_of(game)] == [alice, bob]


def test_nobody_gets_a_second_seat_at_a_table_by_signing_in(stranger, guest, alice):
    game = table_of(alice, guest)
    elsewhere = sit(guest)
    chat.say(public_id=game.public_id, user=guest, text="hello")
    answer = stranger.post("/accounts/login/", {"login": alice.email, "password": PASSWORD}, follow=True)
    assert f"so {guest.username} resigned." in answer.content.decode()
    alices_seat, guests_seat = seats_of(game)
    assert (alices_seat.user, guests_seat.owner, guests_seat.user, guests_seat.has_given_up) == (
        alice,
        guest,
        None,
        True,
    )
    elsewhere.refresh_from_db()
    assert elsewhere.user == alice and Message.objects.get().author == guest


def test_a_second_seat_at_a_table_that_has_not_started_becomes_free(guest, alice, bob):
    game = lobby.open_table(user=alice, players=3, listed=True)
    lobby.join_table(game=game, user=guest)
    assert services.bring_games(guest=guest, user=alice)[:2] == (0, 1)
    assert [seat.user for seat in seats_of(game)] == [alice]
    lobby.join_table(game=game, user=bob)
    assert not again(game).is_running


def test_a_second_seat_in_a_finished_game_stays_with_the_guest(guest, alice):
    seat = sit(guest, Status.FINISHED, sit(alice, Status.FINISHED).game)
    assert services.bring_games(guest=guest, user=alice)[:2] == (0, 0)
    seat.refresh_from_db()
    assert (seat.owner, seat.has_given_up) == (guest, False)
    page = Client().get(f"/players/{guest.username}/").content.decode()
    assert "Nobody uses this account anymore." in page and "deleted" not in page


def test_nobody_gets_a_second_seat_in_a_later_game_of_a_full_game(guest, alice, bob):
    first = play_out(table_of(alice, guest, full=True))
    second = Game.objects.get(full_game=first.full_game, number=2)
    handover.transfer(seat=seats_of(second)[0], to=bob)
    assert services.bring_games(guest=guest, user=alice)[:2] == (0, 1)
    assert not Seat.objects.filter(owner=alice, number=1).exists()


def test_a_replaced_player_does_not_get_the_guests_seat_in_the_same_game(guest, alice, bob):
    game = table_of(alice, guest)
    handover.transfer(seat=seats_of(game)[0], to=bob)
    assert services.bring_games(guest=guest, user=alice)[:2] == (0, 1)


def test_an_account_that_substitutes_for_its_own_guest_gets_the_seat(guest, alice, bob):
    """Guests can no longer ask for a substitute, but a game may have one from before."""
    game = table_of(bob, guest)
    seat = seats_of(game)[1]
    seat.asked, seat.asked_until = alice, timezone.now() + timedelta(days=2)
    seat.save(update_fields=["asked", "asked_until"])
    handover.accept(seat=seat, user=alice)
    assert services.bring_games(guest=guest, user=alice)[:2] == (1, 0)
    alices_seat = seats_of(game)[1]
    assert (alices_seat.owner, alices_seat.user, alices_seat.back_at) == (alice, alice, None)


def test_signing_in_deactivates_the_guest_and_all_copies_of_its_session(stranger, guest, alice):
    copy = Client()
    copy.cookies["sessionid"] = stranger.cookies["sessionid"].value
    assert who(copy) == guest
    stranger.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    assert "_auth_user_id" not in copy.session and not copy.get("/").wsgi_request.user.is_authenticated
    assert not User.objects.get(pk=guest.pk).is_active


def test_the_address_of_a_guest_who_has_signed_in_to_an_account_is_free_again(stranger, guest, alice):
    EmailAddress.objects.create(user=guest, email="carol@example.org", primary=True, verified=True)
    User.objects.filter(pk=guest.pk).update(email="carol@example.org", has_proven=True)
    stranger.post("/accounts/login/", {"login": alice.email, "password": PASSWORD})
    assert who(stranger) == alice and not EmailAddress.objects.filter(user=guest).exists()
    newcomer = Client()
    newcomer.post("/accounts/signup/", SIGN_UP)
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+)", mail.outbox[-1].body)[1]
    newcomer.post(link)
    assert User.objects.get(username="Carol").has_confirmed_address


def test_signed_in_users_are_redirected_from_sign_in_and_sign_up(as_alice):
    assert as_alice.get("/accounts/login/").status_code == 302
    assert as_alice.get("/accounts/signup/").status_code == 302


def test_guests_who_never_played_are_deleted_after_30_days(guest, alice):
    played = services.make_guest()
    sit(played, Status.FINISHED)
    young = services.make_guest()
    old = timezone.now() - timedelta(days=31)
    User.objects.exclude(pk=young.pk).update(date_joined=old)
    tasks.sweep_personal_data()
    assert set(User.objects.all()) == {played, young, alice}
    assert people.sweep_guests(timezone.now()) == 0


def test_guests_who_played_are_deleted_when_nobody_has_seen_them_for_long(guest, alice, settings):
    settings.KEEP_GUESTS_WHO_PLAYED = 60
    gone, looked, signed_in, spoke = (services.make_guest() for _n in range(4))
    seats = {guest_user: sit(guest_user, Status.FINISHED) for guest_user in (gone, looked, signed_in, spoke)}
    long_ago, lately = timezone.now() - timedelta(days=61), timezone.now() - timedelta(days=59)
    User.objects.update(date_joined=long_ago, last_login=None)
    User.objects.filter(pk__in=[guest.pk, signed_in.pk]).update(last_login=lately)
    Seat.objects.filter(pk=seats[gone].pk).update(looked_at=long_ago)
    Seat.objects.filter(pk=seats[looked].pk).update(looked_at=lately)
    Message.objects.create(game=seats[spoke].game, author=spoke, name=spoke.username, text="Hello", at=lately)
    sit(guest, Status.FINISHED)
    assert people.sweep_guests(timezone.now()) == 1
    assert set(User.objects.all()) == {guest, looked, signed_in, spoke, alice}
    seats[gone].refresh_from_db()
    assert (seats[gone].owner, seats[gone].name) == (None, "Former player")


NEED_ACCOUNT = [
    "/accounts/2fa/", "/accounts/2fa/totp/activate/", "/accounts/2fa/totp/deactivate/", "/accounts/2fa/webauthn/",
    "/accounts/2fa/webauthn/add/", "/accounts/2fa/recovery-codes/", "/accounts/2fa/recovery-codes/generate/",
    "/accounts/2fa/recovery-codes/download/", "/accounts/2fa/reauthenticate/", "/accounts/password/change/",
    "/accounts/password/set/", "/accounts/reauthenticate/", "/accounts/email/", "/accounts/bots/",
    "/accounts/notices/webhooks/add", "/leagues/create/", "/tournaments/open/", "/duplicates/open/",
]  # fmt: skip


@pytest.mark.parametrize("url", NEED_ACCOUNT)
def test_pages_that_need_an_account_lead_guests_to_the_sign_up_page_and_back(stranger, guest, url):
    answer = stranger.get(url, follow=True)
    assert answer.redirect_chain == [(f"/accounts/signup/?{urlencode({'next': url})}", 302)]
    page = answer.content.decode()
    assert "That page is for players with an account. Sign up first; you keep your games." in page
    assert "Keep your games" not in page and guest.username in page and f'value="{url}"' in page
    before = User.objects.values().get(pk=guest.pk)
    typed = {"password1": PASSWORD, "password2": PASSWORD, "code": "123456", "name": "x", "email": "x@example.org"}
    assert stranger.post(url, {**typed, "action_add": "1"}).url == "/accounts/signup/"
    assert User.objects.values().get(pk=guest.pk) == before and not Authenticator.objects.exists()
    assert not EmailAddress.objects.exists()


def names_of(patterns) -> Iterator[str]:
    """Yield the names of all URLs below these."""
    for pattern in patterns:
        yield from names_of(pattern.url_patterns) if isinstance(pattern, URLResolver) else [pattern.name]


def test_every_page_of_allauth_about_second_factors_needs_an_account(stranger, guest):
    names = set(names_of(mfa_urls.urlpatterns)) - SIGN_IN_PAGES
    assert len(names) > 10
    for name in names:
        takes_key = name in ("mfa_remove_webauthn", "mfa_edit_webauthn")
        assert stranger.get(reverse(name, args=[1] if takes_key else [])).url.startswith("/accounts/signup/"), name


@pytest.mark.parametrize(
    "url", ["/accounts/preferences/", "/accounts/notices/", "/accounts/time-off/", "/accounts/sessions/",
            "/accounts/data/", "/accounts/delete/", "/accounts/moderators/", "/accounts/notices/calendar/"]
)  # fmt: skip
def test_guests_keep_their_settings_and_their_rights_over_their_data(stranger, guest, url):
    assert stranger.get(url).status_code == 200


def test_a_guest_who_has_given_an_address_can_correct_it(stranger, guest):
    EmailAddress.objects.create(user=guest, email="typo@example.org", primary=True)
    assert "typo@example.org" in stranger.get("/accounts/email/").content.decode()


def test_a_key_that_someone_added_as_a_guest_does_not_open_the_account_made_of_the_guest(stranger, guest):
    for kind in (Authenticator.Type.WEBAUTHN, Authenticator.Type.TOTP):
        Authenticator.objects.create(user=guest, type=kind, data={})
    assert stranger.post("/accounts/signup/", SIGN_UP).status_code == 302
    assert who(stranger) == guest and not Authenticator.objects.exists()


def test_the_address_of_a_guests_calendar_does_not_show_the_games_of_the_account_made_of_the_guest(stranger, guest):
    """Someone else may have noted it in the same browser."""
    address = calendar_url(guest).removeprefix("http://testserver")
    assert stranger.get(address).status_code == 200
    stranger.post("/accounts/signup/", SIGN_UP)
    assert who(stranger) == guest and not who(stranger).is_guest
    assert Client().get(address).status_code == 410
    assert Client().get(calendar_url(who(stranger)).removeprefix("http://testserver")).status_code == 200


def test_signing_up_keeps_the_push_notifications_of_this_browser_and_no_others(stranger, guest):
    """Someone else may have turned them on for another browser, with the session of the guest."""
    here, elsewhere = (f"https://push.example.org/{name}" for name in ("here", "elsewhere"))
    for endpoint in (here, elsewhere):
        Device.objects.create(user=guest, endpoint=endpoint, p256dh="x", auth="x", name="x", added_at=timezone.now())
    page = stranger.get("/accounts/signup/").text
    assert 'name="endpoint"' in page and "js/push.js" in page
    stranger.post("/accounts/signup/", SIGN_UP | {"endpoint": here})
    assert who(stranger) == guest and [device.endpoint for device in Device.objects.all()] == [here]
    stranger.post("/accounts/logout/")
    assert not Device.objects.exists()


def test_without_scripts_signing_up_stops_the_push_notifications_of_the_guest_and_says_so(stranger, guest):
    Device.objects.create(user=guest, endpoint="x", p256dh="x", auth="x", name="x", added_at=timezone.now())
    stranger.post("/accounts/signup/", SIGN_UP | {"endpoint": ""})
    assert not Device.objects.exists()
    assert "We have turned off the guest’s push notifications" in stranger.get("/accounts/notices/").text


def test_a_guest_is_warned_that_signing_out_loses_the_games(stranger, guest):
    assert "you lose your games" in stranger.get("/accounts/logout/").content.decode()
