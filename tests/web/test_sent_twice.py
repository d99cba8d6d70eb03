"""Forms that open something, sent twice: by two taps without scripts, or because the first answer was lost."""

import re
from copy import deepcopy
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import User
from games.contests.leagues.forms import LeagueForm
from games.contests.models import League, Tournament
from games.contests.terms.declaration import LeagueTerms
from games.contests.tournaments.forms import USUAL
from games.tables.models import Duplicate, Game, Invitation
from games.tables.services import lobby
from tests.cast import seats_of
from tests.web.reading import text

pytestmark = pytest.mark.django_db

SIGN_UP = {
    "username": "Ada", "email": "ada@example.org", "password1": "a quiet harbour", "accepts": "on", "next": "/lobby/"
}  # fmt: skip
TABLE = {"ruleset": "legends", "players": "3", "pace": "move 1d", "listed": "yes", "full": "no"}
FORMS = [
    ("/play-now/", "/play-now/", {"ruleset": "legends"}),
    ("/lobby/open/", "/lobby/open/", TABLE),
    ("/learn/", "/learn/legends/play", {}),
]


def browser_of(user: User | None) -> Client:
    browser = Client(enforce_csrf_checks=True)
    if user is not None:
        browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return browser


def shown(browser: Client, at: str, fields: dict[str, str]) -> dict[str, str]:
    """Return what the form of this page sends."""
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', text(browser.get(at)))
    return {**fields, "csrfmiddlewaretoken": token[1]}


def tap_twice(browser: Client, url: str, form: dict[str, str]) -> list[str]:
    """Send a form twice, the second time without the cookies of the first answer. Return where the answers lead."""
    cookies = deepcopy(browser.cookies)
    first = browser.post(url, form)
    browser.cookies = cookies
    return [first["Location"], browser.post(url, form)["Location"]]


@pytest.mark.parametrize(("at", "url", "fields"), FORMS, ids=["play now", "open a table", "first game"])
@pytest.mark.parametrize("has_account", [True, False], ids=["player", "visitor"])
def test_two_taps_open_one_game(alice, at, url, fields, has_account):
    browser = browser_of(alice if has_account else None)
    first, second = tap_twice(browser, url, shown(browser, at, fields))
    game = Game.objects.get()
    assert first == second == game.get_absolute_url() and browser.get(second).status_code == 200
    assert has_account or [user.pk for user in User.objects.filter(is_guest=True)] == [game.opener_id]
    # The form opens another one if it is shown again, filled in differently, or sent much later
    forms = [shown(browser, at, fields), {**shown(browser, at, fields), "more": "1"}]
    for form in [*forms, {**forms[0], "more": "2"}]:
        browser.post(url, form)
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        browser.post(url, forms[0])
    assert Game.objects.count() == 5


def test_invitations_of_a_form_that_is_sent_twice_go_out_once(alice, bob):
    browser = browser_of(alice)
    form = shown(browser, "/lobby/open/", {**TABLE, "invite": "Bob"})
    first, second = tap_twice(browser, "/lobby/open/", form)
    page = text(browser.get(second))
    assert first == second and Invitation.objects.get().user == bob and "already been invited" not in page


def test_two_guests_who_send_one_form_at_the_same_moment_become_one(monkeypatch):
    """The second request does not see the guest of the first one, until the database refuses it the same name."""
    browser, recalled = browser_of(None), []
    monkeypatch.setattr(services, "recall_guest", recalled.append)
    first, second = tap_twice(browser, "/play-now/", shown(browser, "/play-now/", {"ruleset": "legends"}))
    game = Game.objects.get()
    assert first == second == game.get_absolute_url() and int(browser.session[SESSION_KEY]) == game.opener_id
    assert len(recalled) == 2 and User.objects.get() == game.opener


@pytest.mark.parametrize("players", [2, 3], ids=["the game starts", "the table waits"])
@pytest.mark.parametrize("fields", [{}, {"name": "Ada"}, None], ids=["no name", "a name", "in the lobby"])
def test_a_visitor_who_joins_with_two_taps_is_one_guest_with_one_seat(alice, fields, players):
    game, browser = lobby.open_table(user=alice, players=players, listed=fields is None), browser_of(None)
    page = f"/join/{game.invite_token}/" if fields is not None else game.get_absolute_url()
    url = page if fields is not None else f"{page}join"
    first, second = tap_twice(browser, url, shown(browser, page, fields or {}))
    guest = User.objects.get(is_guest=True)
    assert first == second == game.get_absolute_url() and browser.get(second).status_code == 200
    assert [seat.user for seat in seats_of(game)] == [alice, guest] and int(browser.session[SESSION_KEY]) == guest.pk
    assert guest.username == (fields or {}).get("name", guest.username) and not guest.has_usable_password()


@pytest.mark.parametrize("is_guest", [False, True], ids=["visitor", "guest"])
def test_two_taps_sign_up_once(is_guest, mailoutbox):
    browser = browser_of(services.make_guest() if is_guest else None)
    form = shown(browser, "/accounts/signup/", SIGN_UP)
    assert tap_twice(browser, "/accounts/signup/", form) == ["/lobby/", "/lobby/"]
    ada = User.objects.get()
    assert int(browser.session[SESSION_KEY]) == ada.pk and not ada.is_guest and len(mailoutbox) == 1
    page, sentence = text(browser.get("/lobby/")), "Check your inbox: we’ve emailed ada@example.org"
    assert '<span class="name">Ada</span>' in page and page.count(sentence) == 1


def test_two_taps_at_the_same_moment_sign_up_once(monkeypatch):
    """The second request does not see the account of the first one, until the database refuses it the same name."""
    browser, recall, looks = browser_of(None), services.recall_sign_up, []

    def at_the_same_moment(request):
        looks.append(request)
        return None if len(looks) <= 2 else recall(request)

    monkeypatch.setattr(services, "recall_sign_up", at_the_same_moment)
    monkeypatch.setattr(User, "is_name_taken", lambda *_args, **_options: False)
    monkeypatch.setattr(User, "is_address_of", lambda *_args, **_options: False)
    form = shown(browser, "/accounts/signup/", SIGN_UP)
    assert tap_twice(browser, "/accounts/signup/", form) == ["/lobby/", "/lobby/"]
    assert int(browser.session[SESSION_KEY]) == User.objects.get().pk and len(looks) == 3


@pytest.mark.parametrize("why", ["another browser", "another password", "much later", "closed"])
def test_nobody_gets_into_an_account_that_was_just_created_with_another_form(why):
    browser = browser_of(None)
    form, cookies = shown(browser, "/accounts/signup/", SIGN_UP), deepcopy(browser.cookies)
    assert browser.post("/accounts/signup/", form)["Location"] == "/lobby/"
    browser.cookies = cookies
    if why == "another browser":
        browser = browser_of(None)
        form["csrfmiddlewaretoken"] = shown(browser, "/accounts/signup/", {})["csrfmiddlewaretoken"]
    elif why == "another password":
        form["password1"] = "a quiet harbor"
    elif why == "closed":
        User.objects.update(is_active=False)
    with time_machine.travel(timezone.now() + timedelta(minutes=2 if why == "much later" else 0)):
        answer = browser.post("/accounts/signup/", form)
    assert answer.status_code == 200 and "is taken" in text(answer)
    assert SESSION_KEY not in browser.session and User.objects.count() == 1


def test_nobody_becomes_a_guest_of_someone_else_by_typing_their_name(alice):
    game = lobby.open_table(user=alice, players=4)
    page = f"/join/{game.invite_token}/"
    for browser, status in ((browser_of(None), 302), (browser_of(None), 422)):
        assert browser.post(page, shown(browser, page, {"name": "Ada"})).status_code == status
    assert len(seats_of(game)) == 2


def test_a_form_that_was_left_in_the_browser_opens_no_game_of_someone_else(alice, bob):
    """The one who sends it again plays as themselves: another account, or a new guest after signing out."""
    browser = browser_of(alice)
    form = shown(browser, "/play-now/", {"ruleset": "legends"})
    secret = browser.cookies["csrftoken"].value
    browser.post("/play-now/", form)
    for user in (bob, None):
        browser.logout()
        if user is not None:
            browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        browser.cookies["csrftoken"] = secret
        browser.post("/play-now/", form)
    openers = [game.opener for game in Game.objects.order_by("pk")]
    assert openers[:2] == [alice, bob] and openers[2].is_guest and len(openers) == 3


@pytest.mark.parametrize(
    ("url", "fields", "model"),
    [
        ("/duplicates/open/", {"ruleset": "legends", "players": "2", "tables": "2", "clock": "move 2d"}, Duplicate),
        ("/tournaments/open/", {**USUAL, "name": "Harbour Cup"}, Tournament),
        ("/leagues/create/", LeagueForm.data_of(LeagueTerms(name="Harbour League")), League),
    ],
    ids=["duplicate", "tournament", "league"],
)
def test_two_taps_open_one_competition(alice, url, fields, model):
    browser = browser_of(alice)
    form = shown(browser, url, fields)
    first, second = tap_twice(browser, url, form)
    assert first == second == model.objects.get().get_absolute_url()


def answers(browser: Client, url: str, **fields: str) -> list[tuple[int, str]]:
    """Send a form twice. Return the answers."""
    return [
        (answer.status_code, answer.headers.get("Location", ""))
        for answer in (browser.post(url, fields) for _tap in "12")
    ]


@pytest.mark.parametrize("listed", [True, False], ids=["public", "private"])
def test_the_second_tap_at_a_table_that_waits_leads_to_the_same_page(alice, bob, carol, listed):
    game, host, guest = lobby.open_table(user=alice, players=4, listed=listed), browser_of(alice), browser_of(bob)
    for browser in (host, guest):
        browser.handler.enforce_csrf_checks = False
    table = game.get_absolute_url()
    lobby.join_table(game=game, user=bob, invite=game.invite_token)
    for browser, url, fields, onward in (
        (guest, f"{table}leave", {}, "/lobby/"),
        (host, f"{table}invite", {"name": "Carol"}, table),
        (host, f"{table}close", {}, table),
    ):
        assert answers(browser, url, **fields) == [(302, onward)] * 2
        page = text(browser.get(onward))
        assert "note error" not in page
    assert Invitation.objects.filter(user=carol).count() == 1
