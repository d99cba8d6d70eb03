"""Rate limits: requests above them get status 429, a sentence, the seconds to wait, and what was typed."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.test import Client, RequestFactory
from time_machine import travel

from accounts.models import User
from accounts.services import make_guest
from empire.cache import ForgivingRedisCache, pause
from empire.web import limits as counting
from empire.web.limits import check_setting, parse, wait_for
from empire.web.static_files import release
from games.contests.leagues.services import create_league
from games.contests.models import Tournament
from games.tables.models import Draft, Duplicate, Game, Report
from games.tables.models.chat import Message
from tests.cast import in_turns
from tests.contests.leagues import terms_of
from tests.each import for_each
from tests.tables.readings import SCRIPT
from tests.web.at_table import first_turn
from tests.web.reading import actions

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TABLE = {"ruleset": "legends", "players": "2"}


@pytest.fixture
def limits(settings) -> Callable[..., None]:
    def at(**rates: str) -> None:
        for name in ("ACCOUNT_RATE_LIMITS", "RATE_LIMITS"):
            current = getattr(settings, name)
            setattr(settings, name, current | {action: rate for action, rate in rates.items() if action in current})

    return at


def assert_patient(answer) -> None:
    assert answer.status_code == 429 and int(answer["Retry-After"]) > 0
    assert "Too many requests in a short time." in answer.content.decode()


def test_opening_tables_too_often_must_wait_and_keeps_what_was_typed(come, alice, limits):
    limits(open_table="1/h/key")
    at_home = come(alice)
    with travel(NOON, tick=False) as clock:
        assert at_home.post("/play-now/", {**TABLE, "bots": "1"}).status_code in {302, 422}
        clock.shift(600)
        answer = at_home.post("/play-now/", {**TABLE, "bots": "1", "password": "hunter2"})
        assert_patient(answer)
        assert answer["Retry-After"] == "3000" and "Wait 50 minutes" in answer.content.decode()
        page = answer.content.decode()
        assert 'name="ruleset" value="legends"' in page and 'action="/play-now/"' in page
        assert "hunter2" not in page and Game.objects.count() <= 1
        clock.shift(3001)
        assert at_home.post("/play-now/", {**TABLE, "bots": "1"}).status_code in {302, 422}


def test_competitions_are_limited_by_address_because_one_client_can_have_many_accounts(come, alice, bob, limits):
    limits(public_table="1/h/ip")
    league = create_league(user=alice, terms=terms_of(starts=None))
    duplicate = {"ruleset": "legends", "players": "2", "tables": "2", "clock": "move 2d"}
    for address, sent, kind in (
        ("/duplicates/open/", duplicate, Duplicate),
        ("/tournaments/open/", {"action": "text", "toml": '[tournament]\nname = "Cup"'}, Tournament),
        (f"/leagues/{league.slug}/open", {}, None),
    ):
        counting.limiter.storage.reset()
        assert come(alice).post(address, sent).status_code == 302
        assert_patient(come(alice if kind is None else bob).post(address, sent))
        assert kind is None or kind.objects.count() == 1


def test_new_names_are_limited_because_each_changes_all_games_of_a_player(come, alice):
    browser, sent = come(alice), {"language": "en", "time_zone": "UTC", "theme": "dark", "palette": ""}
    for n in range(10):
        assert browser.post("/accounts/preferences/", {**sent, "username": f"Alice {n}"}).status_code == 302
    answer = browser.post("/accounts/preferences/", {**sent, "username": "Alice 10"})
    assert_patient(answer)
    assert User.objects.get(pk=alice.pk).username == "Alice 9" and 'value="Alice 10"' in answer.content.decode()
    assert browser.post("/accounts/preferences/", {**sent, "username": "Alice 9"}).status_code == 302


def test_new_time_zones_are_limited_because_each_changes_the_deadlines_of_all_games_of_a_player(come, alice, limits):
    limits(time_off="2/h/key")
    browser = come(alice)
    sent = {"username": "Alice", "language": "en", "time_zone": "UTC", "theme": "dark", "palette": ""}
    for zone in ("Europe/Berlin", "UTC"):
        assert browser.post("/accounts/preferences/", {**sent, "time_zone": zone}).status_code == 302
    assert_patient(browser.post("/accounts/preferences/", {**sent, "time_zone": "Asia/Tokyo"}))
    assert User.objects.get(pk=alice.pk).time_zone == "UTC"
    assert browser.post("/accounts/preferences/", {**sent, "theme": "light"}).status_code == 302


def test_reports_are_limited_by_address_because_one_client_can_be_many_guests(come, alice):
    report = {"about": "player", "reason": "abuse", "words": "x"}
    answers = [come(make_guest()).post("/players/Alice/report/", report) for _guest in range(61)]
    assert {answer.status_code for answer in answers[:60]} == {302}
    assert_patient(answers[60])
    assert Report.objects.count() == 60


def test_requests_to_take_over_a_seat_have_a_daily_limit_too(come, alice, bob):
    game, request = in_turns(alice, bob), visitor()
    request.user = alice
    with travel(NOON, tick=False) as clock:
        for _hour in range(3):
            assert {wait_for(request, "ask") for _request in range(20)} == {0}
            clock.shift(3601)
        assert_patient(come(alice).post(f"{game.get_absolute_url()}seat/", {"action": "ask"}))


def test_public_tables_are_limited_by_address_because_one_client_can_be_many_guests(come, limits):
    limits(public_table="1/h/ip")
    wish = {"ruleset": "legends", "players": "3", "pace": "move 1d", "full": "no"}
    assert come().post("/lobby/open/", wish | {"listed": "yes"}).status_code == 302
    assert_patient(come().post("/lobby/open/", wish | {"listed": "yes"}))
    assert come().post("/lobby/open/", wish | {"listed": "no"}).status_code == 302
    assert Game.objects.filter(listed=True).count() == 1


def test_viewing_a_form_is_not_counted(come, alice, limits):
    limits(open_table="1/h/key")
    at_home = come(alice)
    assert [at_home.get("/lobby/open/").status_code for _look in range(3)] == [200] * 3


def test_requests_count_per_user_across_browsers(come, alice, bob, limits):
    limits(api="1/m/key")
    game = in_turns(alice, bob)
    path = game.get_absolute_url() + "record.json"
    assert [come(user).get(path).status_code for user in (alice, bob, alice)] == [200, 200, 429]


def test_a_program_gets_plain_text(come, alice, bob, limits):
    limits(api="1/m/key")
    path = in_turns(alice, bob).get_absolute_url()
    for file in ("record.json", "view.json"):
        reader = come(alice if file == "record.json" else bob)
        reader.get(path + file)
        answer = reader.get(path + file)
        assert_patient(answer)
        assert answer["Content-Type"].startswith("text/plain") and "no-store" in answer["Cache-Control"]


def test_chatting_too_much_keeps_the_message(come, alice, bob, limits):
    limits(chat="1/m/key")
    say = in_turns(alice, bob).get_absolute_url() + "chat/say"
    at_home = come(alice)
    at_home.post(say, {"text": "first"})
    answer = at_home.post(say, {"text": "a second thing"})
    assert_patient(answer)
    assert "a second thing</textarea>" in answer.content.decode()
    assert list(Message.objects.values_list("text", flat=True)) == ["first"]
    fragment = come(alice, htmx=True).post(say, {"text": "a third thing"})
    assert fragment.status_code == 200 and "a third thing</textarea>" in fragment.content.decode()


@pytest.mark.parametrize("htmx", [False, True], ids=["form", "htmx"])
def test_turns_are_limited_by_account_and_keep_what_was_laid_out(sit, alice, bob, limits, htmx):
    limits(turn="1/m/key,3/m/ip")
    game = first_turn(alice, bob)
    table = sit(alice, game, htmx=htmx)
    card = actions(table.look())[0]
    assert table.press("step", action=card).status_code == 200
    more = next(action for action in actions(table.look("?region=")) if ";" not in action)
    for form in ("step", "submit", "decide", "undo", "undo-turn"):
        answer = table.press(form, action=more, laid=card)
        assert_patient(answer)
        assert htmx or f'name="action" value="{more}"' in answer.content.decode(), "to be sent again"
    assert Draft.objects.get(seat__game=game).actions == [card]
    assert sit(bob, game, htmx=htmx).press("step", action=card).status_code != 429
    for reader in (make_guest(), make_guest()):  # from the same address
        answer = sit(reader, game, htmx=htmx).press("step", action=card)
    assert_patient(answer)


@pytest.mark.parametrize("query", ["", "?at=1", "?at=1&from=0", "?log=all"])
def test_pages_of_tables_are_limited_by_account_and_by_address(sit, come, alice, bob, limits, query):
    limits(table="1/m/user,2/m/ip")
    game = in_turns(alice, bob)
    statuses = [come(user).get(game.get_absolute_url() + query).status_code for user in (alice, alice, None, None)]
    assert statuses == [200, 429, 200, 429], "visitors of one address share only the limit of the address"
    assert_patient(come(alice, htmx=True).get(game.get_absolute_url() + query))


def test_the_answers_that_spectators_share_are_not_counted(come, alice, bob, limits):
    game, headers = in_turns(alice, bob), {**SCRIPT, "HX-Target": "table", "Release": release()}
    caches["spectators"].clear()
    limits(table="1/m/ip")
    with travel(NOON, tick=False):
        assert {come().get(game.get_absolute_url(), headers=headers).status_code for _reader in range(5)} == {200}


def test_a_limit_per_user_counts_no_visitors(settings, alice):
    settings.RATE_LIMITS = {"table": "1/m/user"}
    assert [wait_for(visitor(), "table") for _request in range(3)] == [0, 0, 0]
    request = visitor()
    request.user = alice
    assert [wait_for(request, "table") > 0 for _request in range(2)] == [False, True]


def test_htmx_gets_only_the_sentence(come, alice, limits):
    limits(join_table="0/m/key")
    answer = come(alice, htmx=True).post("/join/nonsense/")
    assert_patient(answer)
    assert "<" not in answer.content.decode()


@pytest.mark.parametrize(
    ("action", "path"),
    [
        ("challenge", "/ladder/legends/challenge"), ("challenge", "/ladder/challenges/1/accept"),
        ("challenge", "/ladder/legends/join"), ("join_table", "/games/abc/join"), ("open_table", "/lobby/open/"),
        ("open_table", "/duplicates/open/"), ("join_table", "/duplicates/abc/join"), ("verify", "/verify/"),
        ("email", "/accounts/email-again/"), ("channels", "/accounts/notices/devices/1/try"),
        ("channels", "/accounts/notices/webhooks/1/try"), ("device", "/accounts/notices/devices/add"),
        ("channels", "/accounts/notices/webhooks/1/revive"), ("join_table", "/leagues/x/join"),
        ("join_table", "/leagues/x/sit-out"), ("open_table", "/leagues/create/"), ("organize", "/leagues/x/open"),
        ("organize", "/leagues/x/1/organize/"), ("time_off", "/accounts/time-off/"),
    ],
)  # fmt: skip
def test_requests_that_affect_others_are_limited(come, alice, limits, action, path):
    limits(**{action: "0/h/key"})
    assert_patient(come(alice).post(path, {"name": "x"}))


@pytest.mark.parametrize(
    ("action", "path"),
    [
        ("scores", "/players/Alice/scores.csv"), ("scores", "/bots/medium/scores.json"),
        ("scores", "/leagues/x/1/1-1/standings.csv"), ("scores", "/tournaments/x/results.json"),
        ("calendar", "/calendar/forged.ics"),
    ],
)  # fmt: skip
def test_files_are_limited_for_visitors_too(come, alice, limits, action, path):
    limits(**{action: "0/h/key"})
    assert_patient(come().get(path))


def test_the_history_of_a_bot_takes_a_few_seconds_of_a_minute_at_most(come):
    """It has thousands of contests, and building its file takes half a second."""
    statuses = [come().get("/bots/medium/scores.json").status_code for _time in range(21)]
    assert statuses == [200] * 20 + [429]


def test_an_address_left_with_an_invitation_is_refused_before_joining(come, alice, limits):
    limits(email="0/h/key")
    come(alice).post("/lobby/open/", {})
    game = Game.objects.create(ruleset="legends", rules_version=1, players=2, opener=alice, opened_at=NOON)
    answer = come().post(f"/join/{game.invite_token}/", {"email": "bob@example.org"})
    assert_patient(answer)
    assert "bob@example.org" in answer.content.decode() and not User.objects.filter(is_guest=True).exists()


# Signing in


def test_a_refused_sign_in_form_keeps_the_name(client: Client, alice, limits):
    limits(login_failed="1/m/key")
    client.post("/accounts/login/", {"login": alice.email, "password": "wrong"})
    answer = client.post("/accounts/login/", {"login": alice.email, "password": "wrong"})
    assert answer.status_code == 429 and answer["Retry-After"] == "300"
    assert f'value="{alice.email}"' in answer.content.decode() and "Too many" in answer.content.decode()


@pytest.mark.parametrize(
    ("action", "path", "form"),
    [
        ("login", "/accounts/login/", {"login": "a@example.org", "password": "x"}),
        (
            "signup",
            "/accounts/signup/",
            {"username": "Dora", "email": "d@example.org", "password1": "very long ago", "accepts": "1"},
        ),
        ("request_login_code", "/accounts/login/code/", {"email": "a@example.org"}),
        ("reset_password", "/accounts/password/reset/", {"email": "a@example.org"}),
        ("guest", "/accounts/guest/", {"next": "/lobby/"}),
    ],
)
def test_sign_in_pages_are_limited_and_keep_everything_but_passwords(client, db, limits, action, path, form):
    limits(**{action: "0/m/ip"})
    answer = client.post(path, form)
    assert answer.status_code == 429 and answer["Retry-After"]
    for name, value in form.items():
        assert (f'value="{value}"' in answer.content.decode()) == ("password" not in name)


def test_the_admin_sign_in_shares_the_limit(client: Client, alice):
    for path in ("/admin/", "/admin/login/", "/admin/tables/game/"):
        answer = client.get(path, follow=True)
        assert answer.redirect_chain[-1][0].startswith("/accounts/login/?next=")
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/admin/", follow=True).status_code == 403
    alice.is_staff = alice.is_superuser = True
    alice.save()
    assert client.get("/admin/login/", follow=True).request["PATH_INFO"] == "/admin/"


# Who a request counts for


def from_there(*addresses: str, remote: str = "10.0.0.1") -> int:
    """Return a guest whose requests come through proxies that say so."""
    return Client(REMOTE_ADDR=remote).post(
        "/accounts/guest/", headers={"X-Forwarded-For": ", ".join(addresses)} if addresses else None
    ).status_code  # fmt: skip


def test_without_a_proxy_forwarding_headers_are_ignored(db, limits):
    limits(guest="1/h/ip")
    assert [from_there(f"1.2.3.{n}", remote="9.9.9.9") for n in range(2)] == [302, 429]


@pytest.mark.parametrize("proxies", [1, 2])
def test_with_proxies_the_address_seen_by_the_outermost_counts(db, limits, settings, proxies):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    limits(guest="1/h/ip")
    inner = ["10.0.0.2"] * (proxies - 1)
    assert from_there("1.1.1.1", *inner) == 302
    assert from_there("6.6.6.6", "1.1.1.1", *inner) == 429  # the first one is forged
    assert from_there("2.2.2.2", *inner) == 302


def test_a_request_that_bypassed_a_proxy_is_no_server_error(db, limits, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    limits(guest="1/h/ip")
    assert [from_there("1.1.1.1"), from_there()] == [302, 429]


def test_an_ipv6_network_counts_as_one_client(db, limits):
    limits(guest="1/h/ip")
    assert [from_there(remote=f"2001:db8:1:2::{n}") for n in (1, 2)] == [302, 429]
    assert from_there(remote="2001:db8:1:3::1") == 302


def test_ipv4_addresses_that_are_written_as_ipv6_addresses_count_as_different_clients(db, limits):
    limits(guest="1/h/ip", login="1/h/ip")
    assert [from_there(remote=f"::ffff:192.0.2.{n}") for n in (1, 2)] == [302, 302]
    assert [from_there(remote=address) for address in ("192.0.2.1", "::ffff:c000:202")] == [429, 429]
    sent = {"login": "nobody@example.org", "password": "wrong"}
    answers = [Client(REMOTE_ADDR=f"::ffff:192.0.2.{n}").post("/accounts/login/", sent) for n in (1, 1, 2)]
    assert [answer.status_code for answer in answers] == [200, 429, 200]


# The counts


def visitor(address: str = "9.9.9.9") -> HttpRequest:
    request = RequestFactory(REMOTE_ADDR=address).post("/accounts/guest/")
    request.user = AnonymousUser()
    return request


def test_the_wait_is_that_of_the_slowest_limit_that_is_reached(limits):
    limits(open_table="2/m/key,3/h/ip")
    with travel(NOON, tick=False) as clock:
        waits = []
        for seconds in (0, 10.5, 0, 60):
            clock.shift(seconds)
            waits.append(wait_for(visitor(), "open_table"))
        assert waits == [0, 0, 50, 0]
        clock.shift(1)
        assert wait_for(visitor(), "open_table") == 3600 - 71  # the hour of the first; 71.5 seconds have passed


def test_a_full_memory_forgets_old_counts_and_continues_counting(limits, monkeypatch):
    monkeypatch.setattr("empire.web.limits.MOST_COUNTED", 3)
    limits(guest="1/h/ip")
    there = [f"9.9.9.{n}" for n in range(3)]
    assert [wait_for(visitor(address), "guest") for address in there] == [0, 0, 0]
    assert all(wait_for(visitor(address), "guest") for address in there)
    assert wait_for(visitor("9.9.9.4"), "guest") == 0
    assert wait_for(visitor(there[0]), "guest") == 0


def test_a_full_memory_first_forgets_counts_that_have_expired(limits, monkeypatch):
    monkeypatch.setattr("empire.web.limits.MOST_COUNTED", 3)
    limits(guest="2/h/ip")
    with travel(NOON, tick=False) as clock:
        for address in ("9.9.9.1", "9.9.9.1", "9.9.9.2", "9.9.9.2"):
            wait_for(visitor(address), "guest")
        clock.shift(3601)
        assert [bool(wait_for(visitor(f"9.9.9.{n}"), "guest")) for n in (3, 4, 3, 3)] == [False, False, False, True]


def test_attempts_from_many_addresses_do_not_reset_the_count_of_another(limits, monkeypatch):
    limits(guest="3/h/ip")
    monkeypatch.setattr(counting, "limiter", counting.MovingWindowRateLimiter(counting.Memory()))
    assert [bool(wait_for(visitor("9.9.9.9"), "guest")) for _time in range(4)] == [False, False, False, True]
    for number in range(2 * counting.MOST_COUNTED):
        assert not wait_for(visitor(f"10.0.{number // 256}.{number % 256}"), "guest")
    assert wait_for(visitor("9.9.9.9"), "guest")


def test_while_redis_is_down_nobody_is_refused_and_nobody_waits(monkeypatch, caplog):
    monkeypatch.setattr(pause, "until", 0.0)
    away = ForgivingRedisCache("redis://127.0.0.1:1", {})
    assert away.add("x", 1) and away.get("x", 7) == 7
    away.set("x", 1)
    assert away.delete("x") is False
    assert len(caplog.records) == 1  # it is not asked again at once


@for_each("text", ["30", "30/m", "30/m/person", "/m/ip", "30/0m/ip", "30/w/ip", "-1/m/ip", "1/m/ip,", "1/m/ip;1/h/ip"])
def test_an_invalid_limit_stops_the_start_with_a_sentence(settings, text):
    settings.RATE_LIMITS = {"guest": text}
    with pytest.raises(ImproperlyConfigured, match=r"^The setting RATE_LIMITS is 'guest: .*': each limit must look"):
        check_setting()


def test_limits_are_read_as_they_are_written():
    assert [(str(rate.limit), rate.per) for rate in parse("60/h/key,1/180s/ip")] == [
        ("60 per 1 hour", "key"), ("1 per 180 second", "ip")
    ]  # fmt: skip
    assert parse("") == ()


def test_made_up_calendars_do_not_reset_the_limits_of_a_site_without_redis(come, alice, limits, monkeypatch):
    limits(verify="2/h/key")
    monkeypatch.setattr(counting, "limiter", counting.MovingWindowRateLimiter(counting.Memory()))
    browser = come(alice)
    assert [browser.post("/verify/").status_code for _time in range(3)][-1] == 429
    for number in range(counting.MOST_COUNTED):
        Client().get(f"/calendar/x{number}.ics")
    assert browser.post("/verify/").status_code == 429
