"""Devices and webhooks in the notification settings: plain forms suffice, and bad input gets a sentence."""

import re

import pytest
from django.test import Client

from accounts.models import User
from games.notices.delivery import devices as channels
from games.notices.models import Device, Hook
from tests.cast import in_turns
from tests.notices.push_service import Browser
from tests.notices.tls import Reply, WebServer

PAGE = "/accounts/notices/"
ADD_HOOK = "/accounts/notices/webhooks/add"
ADD_DEVICE = "/accounts/notices/devices/add"


@pytest.fixture
def alice_at_home(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


@pytest.fixture
def hook(alice: User, web_server: WebServer) -> Hook:
    return Hook.objects.create(user=alice, url=web_server.url("/api/verysecrettoken"), format="json")


def page(client: Client) -> str:
    return client.get(PAGE).content.decode()


def test_a_browser_can_be_added_tested_and_removed_by_plain_forms(alice_at_home, web_server: WebServer) -> None:
    subscription = Browser().subscription(web_server.url("/push/1"))
    answer = alice_at_home.post(ADD_DEVICE, subscription, follow=True, headers={"User-Agent": "Firefox on Windows"})
    assert "Added Firefox on Windows" in answer.content.decode()
    device = Device.objects.get()
    assert 'role="status"' not in page(alice_at_home).partition('id="channels"')[2].partition("</main>")[0]
    assert device.mark in page(alice_at_home) and subscription["endpoint"] not in page(alice_at_home)
    tried = alice_at_home.post(f"/accounts/notices/devices/{device.pk}/try", follow=True).content.decode()
    assert "should show it in a moment" in tried and len(web_server.posts) == 1
    gone = alice_at_home.post(f"/accounts/notices/devices/{device.pk}/remove", follow=True).content.decode()
    assert "Device removed." in gone and not Device.objects.exists()


@pytest.mark.parametrize("subscription", [{}, {"endpoint": "x", "p256dh": "y", "auth": "z"}])
def test_an_invalid_subscription_gets_a_sentence(alice_at_home, subscription: dict) -> None:
    answer = alice_at_home.post(ADD_DEVICE, subscription, follow=True)
    assert "valid push subscription" in answer.content.decode()


def test_a_service_worker_renews_only_an_address_it_knows(client, alice, web_server: WebServer) -> None:
    Device.objects.create(user=alice, endpoint=web_server.url("/old"), p256dh="x", auth="y", name="Firefox")
    fresh = Browser().subscription(web_server.url("/new"))
    renew = "/accounts/notices/devices/renew"
    assert Client(enforce_csrf_checks=True).post(renew, {"old": web_server.url("/old"), **fresh}).status_code == 204
    assert Device.objects.get().endpoint == web_server.url("/new")
    assert client.post(renew, {"old": web_server.url("/old"), **fresh}).status_code == 422
    assert client.post(renew, {"old": web_server.url("/new")}).status_code == 422


def test_a_webhook_is_added_on_a_separate_page(alice_at_home, web_server: WebServer) -> None:
    fields = {"url": web_server.url("/api/verysecrettoken"), "format": "discord"}
    answer = alice_at_home.post(ADD_HOOK, fields, follow=True).content.decode()
    assert "Added the webhook to localhost" in answer and "Discord" in answer and "verysecret" not in answer


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"url": "https://10.0.0.8/in", "format": "json"}, "not an IP address"),
        ({"url": "https://localhost/in", "format": "json"}, "can’t find localhost on the public internet"),
        ({"url": "http://example.org/in", "format": "slack"}, "must start with https"),
        ({"url": "https://example.org/in", "format": "fax"}, "Select a valid choice"),
        ({"url": "", "format": "json"}, "This field is required"),
    ],
)
def test_an_invalid_webhook_gets_a_sentence_next_to_what_was_typed(alice_at_home, fields: dict, words: str) -> None:
    answer = alice_at_home.post(ADD_HOOK, fields)
    assert answer.status_code == 422 and words in answer.content.decode()
    assert not fields["url"] or fields["url"] in answer.content.decode()
    assert not Hook.objects.exists()


def test_a_test_message_gets_a_sentence_and_with_htmx_only_its_section(alice_at_home, hook, web_server) -> None:
    path = f"/accounts/notices/webhooks/{hook.pk}/try"
    assert "Test sent. It answered 200 OK." in alice_at_home.post(path, follow=True).content.decode()
    web_server.replies.append(Reply(500, b"<b>broken</b>"))
    part = alice_at_home.post(path, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part and 'id="channels"' in part
    assert "It answered 500 Internal Server Error: &lt;b&gt;broken" in part


def test_a_disabled_webhook_says_why_and_can_be_enabled_again(alice_at_home, hook: Hook) -> None:
    Hook.objects.update(off_because="It answered 410 Gone.", failing_since=hook.added_at)
    assert "Turned off: It answered 410 Gone." in page(alice_at_home)
    alice_at_home.post(f"/accounts/notices/webhooks/{hook.pk}/revive")
    hook.refresh_from_db()
    assert hook.is_on and hook.failing_since is None and "Turned off" not in page(alice_at_home)


def test_nobody_can_change_the_webhooks_and_devices_of_others(client, hook: Hook, eve, web_server: WebServer) -> None:
    Hook.objects.update(off_because="gone")
    device = channels.add_device(user=hook.user, agent="", **Browser().subscription(web_server.url("/1")))
    client.force_login(eve)
    for act in ("remove", "try", "revive"):
        assert client.post(f"/accounts/notices/webhooks/{hook.pk}/{act}").status_code == 302
    for act in ("remove", "try"):
        assert client.post(f"/accounts/notices/devices/{device.pk}/{act}").status_code == 302
    assert Hook.objects.get().off_because == "gone" and Device.objects.get() == device and web_server.posts == []


def test_visitors_must_sign_in_and_guests_have_devices_but_no_webhooks(client, web_server: WebServer, db) -> None:
    for path in (ADD_DEVICE, ADD_HOOK, "/accounts/notices/webhooks/1/try"):
        assert "/accounts/login/" in client.post(path)["Location"]
    guest = User.objects.create(username="Guest Wren 12", is_guest=True)
    client.force_login(guest)
    client.post(ADD_DEVICE, Browser().subscription(web_server.url("/1")))
    assert Device.objects.get().user == guest
    refused = client.post(ADD_HOOK, {"url": web_server.url(), "format": "json"})
    assert refused.url == "/accounts/signup/" and not Hook.objects.exists()


def test_after_ten_tests_in_an_hour_there_is_a_pause(alice_at_home, hook: Hook, web_server: WebServer) -> None:
    path = f"/accounts/notices/webhooks/{hook.pk}/try"
    answers = [alice_at_home.post(path) for _try in range(11)]
    assert len(web_server.posts) == 10 and [answer.status_code for answer in answers] == [302] * 10 + [429]
    assert "Wait 60 minutes" in answers[-1].content.decode()
    refused = alice_at_home.post(ADD_HOOK, {"url": hook.url, "format": "json"})
    assert refused.status_code == 429 and int(refused["Retry-After"]) > 3000
    assert "Wait 60 minutes" in refused.content.decode() and hook.url in refused.content.decode()


def test_without_a_key_the_page_says_that_this_site_cannot_push(alice_at_home, settings) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    assert "This site can’t send push" in page(alice_at_home) and "Notify me on this device" not in page(alice_at_home)


# Signs in this browser: a mark in the title, the number on the icon, a sound


def test_a_page_carries_whether_it_is_the_readers_turn_and_how_many_games_wait(client, alice, bob, eve):
    """The script that marks the tab and the icon reads only this."""
    game = in_turns(alice, bob)

    def seen(reader: User) -> tuple[bool, str]:
        client.force_login(reader)
        content = client.get(game.get_absolute_url()).content.decode()
        assert "my-turn" in content
        count = re.search(r'id="waiting-count"[^>]*?(hidden)?>(\d+)<', content)
        assert count and bool(count[1]) == (count[2] == "0"), "hidden where nothing waits"
        return "data-mine" in content, count[2]

    assert [seen(reader) for reader in (alice, bob, eve)] == [(True, "1"), (False, "0"), (False, "0")]
    client.logout()
    content = client.get(game.get_absolute_url()).content.decode()
    assert "my-turn" not in content and "waiting-count" not in content and "data-mine" not in content


def test_settings_of_this_browser_are_hidden_without_scripts(alice_at_home):
    """The choices are for scripts alone, so the part is hidden, and the form of the page does not send them."""
    part = re.search(r'<section[^>]*aria-labelledby="here" hidden>(.*?)</section>', page(alice_at_home), re.DOTALL)
    assert part and re.findall(r'data-setting="([^"]+)"', part[1]) == ["turn-sound", "turn-badge"]
    assert "name=" not in part[1] and "checked" not in part[1]
