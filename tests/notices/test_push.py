"""Web push: only one browser can read a message, it is signed by the site, and browsers that are gone are removed."""

from datetime import timedelta

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from accounts.http import browser_name
from games.errors import GameError, NotYours
from games.notices.delivery import devices as channels
from games.notices.delivery.channels import push
from games.notices.delivery.channels.addresses import BadAddress
from games.notices.delivery.channels.brief import Brief, trial
from games.notices.models import Device
from tests.notices.conftest import MONDAY
from tests.notices.listening import listening
from tests.notices.push_service import Browser, claims
from tests.notices.tls import Reply, WebServer

PHONE = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36"
)


@pytest.fixture
def phone() -> Browser:
    return Browser()


@pytest.fixture
def device(alice, phone: Browser, web_server: WebServer) -> Device:
    return channels.add_device(user=alice, agent=PHONE, **phone.subscription(web_server.url("/push/abc")))


def brief(**more: object) -> Brief:
    facts = {"key": "k", "kind": "turn", "title": "Your turn", "text": "Go on.", "url": "http://testserver/games/xyz/",
             "topic": "xyz", "until": timedelta(hours=1)}  # fmt: skip
    return Brief(**{**facts, **more})


def test_the_browser_can_read_a_pushed_message(device: Device, phone: Browser, web_server: WebServer) -> None:
    assert push.push(device, brief(is_urgent=True)).is_yes
    [post] = web_server.posts
    assert phone.read(post) == {"title": "Your turn", "body": "Go on.", "url": "/games/xyz/", "tag": "xyz"}
    assert b"Your turn" not in post.body
    assert (post.path, post.headers["Topic"], post.headers["TTL"]) == ("/push/abc", "xyz", "3600")
    assert post.headers["Urgency"] == "high"


def private_key(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(push.unpadded(text)), ec.SECP256R1())


def test_messages_are_encrypted_as_in_the_example_of_rfc_8291() -> None:
    """Check the values of section 5 and appendix A."""
    reader = Browser(
        private_key("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), push.unpadded("BTBZMqHH6r4Tts7J_aSIgg")
    )
    sender = private_key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    salt, text = push.unpadded("DGv6ra1nlYgDCS1FRnbzlw"), b"When I grow up, I want to be a watermelon"
    assert reader.subscription("")["p256dh"] == (
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )
    body = push.encrypted(text, reader.point, reader.secret, sender, salt)
    assert body == push.unpadded(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3"
        "jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert reader.decrypted(body) == text


def test_another_browser_cannot_read_a_message(device: Device, web_server: WebServer) -> None:
    push.push(device, brief())
    with pytest.raises(InvalidTag):
        Browser().read(web_server.posts[0])


def test_a_push_is_signed_for_its_service_and_for_12_hours(device: Device, web_server: WebServer, clock) -> None:
    push.push(device, brief())
    [post] = web_server.posts
    sent_claims = claims(post, push.public_key())
    assert sent_claims["aud"] == f"https://localhost:{web_server.port}"
    assert sent_claims["exp"] == (MONDAY + timedelta(hours=12)).timestamp()
    assert sent_claims["sub"].startswith("mailto:")
    post.headers["Authorization"] = post.headers["Authorization"].replace("t=", "t=x", 1)
    with pytest.raises((InvalidSignature, ValueError)):
        claims(post, push.public_key())


def test_a_long_message_is_cut_to_the_size_that_services_accept(device: Device, web_server: WebServer) -> None:
    push.push(device, brief(text="Ä" * 5000))
    assert len(web_server.posts[0].body) <= 4096


def test_a_device_is_named_after_its_browser_and_system(device: Device) -> None:
    assert device.name == "Chrome on Android"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile Safari/604.1",
         "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/143 Safari/537.36 Edg/143",
         "Edge on Mac"),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36",
         "Chrome on Linux"),
        ("", "Browser"),
    ],
)  # fmt: skip
def test_browsers_are_named_from_their_user_agent(agent: str, name: str) -> None:
    assert browser_name(agent) == name


def test_a_browser_gets_pushes_only_for_the_user_who_signed_in_last(device: Device, phone: Browser, bob) -> None:
    channels.add_device(user=bob, agent=PHONE, **phone.subscription(device.endpoint))
    assert Device.objects.get().user == bob


def test_a_session_that_ends_later_stops_no_pushes_to_the_next_user_of_the_browser(alice, device, phone, bob) -> None:
    session = {channels.SESSION_DEVICE: device.pk}
    channels.add_device(user=bob, agent=PHONE, **phone.subscription(device.endpoint))
    channels.signed_out(alice, session)
    assert Device.objects.get().user == bob
    channels.signed_out(bob, session)
    assert not Device.objects.exists()


def test_a_subscription_can_be_renewed_by_anyone_who_knows_the_old_endpoint(
    device: Device, web_server: WebServer
) -> None:
    fresh = Browser()
    channels.renew_device(old=device.endpoint, **fresh.subscription(web_server.url("/push/new")))
    device.refresh_from_db()
    push.push(device, trial())
    assert web_server.posts[0].path == "/push/new" and fresh.read(web_server.posts[0])["title"].startswith("Test from")
    with pytest.raises(NotYours):
        channels.renew_device(old=web_server.url("/push/abc"), **fresh.subscription(web_server.url("/push/new")))


def test_a_renewed_subscription_replaces_the_device_that_has_it_already(device: Device, bob, web_server) -> None:
    """A browser may have been added again before the renewal of its old subscription arrives."""
    fresh = Browser().subscription(web_server.url("/push/new"))
    channels.add_device(user=bob, agent=PHONE, **fresh)
    channels.renew_device(old=device.endpoint, **fresh)
    assert Device.objects.get() == device and Device.objects.get().endpoint == fresh["endpoint"]


@pytest.mark.parametrize(
    "endpoint", ["http://push.example.org/x", "https://127.0.0.1/x", "https://push.example.org:8080/x", "nonsense"]
)
def test_a_bad_push_endpoint_is_refused(alice, phone: Browser, endpoint: str) -> None:
    with listening() as heard, pytest.raises(BadAddress):
        channels.add_device(user=alice, agent="", **phone.subscription(endpoint))
    assert heard.machines == []


@pytest.mark.parametrize("wrong", [{"p256dh": "BAAA"}, {"p256dh": "ä"}, {"auth": "short"}, {"auth": ""}])
def test_invalid_subscription_keys_are_refused(alice, phone: Browser, web_server: WebServer, wrong: dict) -> None:
    with pytest.raises(GameError, match="valid push subscription"):
        channels.add_device(user=alice, agent="", **{**phone.subscription(web_server.url()), **wrong})


@pytest.mark.parametrize("junk", ["!", "\n", "===="])
@pytest.mark.parametrize("name", ["p256dh", "auth"])
def test_subscription_keys_followed_by_junk_are_refused(alice, phone: Browser, web_server: WebServer, name, junk):
    """Lenient decoders skip the junk, but PostgreSQL refuses values that are too long for their columns."""
    subscription = phone.subscription(web_server.url())
    with pytest.raises(GameError, match="valid push subscription"):
        channels.add_device(user=alice, agent="", **{**subscription, name: subscription[name] + 100 * junk})


def test_a_player_has_at_most_ten_devices(alice, phone: Browser, web_server: WebServer) -> None:
    for number in range(channels.DEVICES):
        channels.add_device(user=alice, agent="", **phone.subscription(web_server.url(f"/{number}")))
    channels.add_device(user=alice, agent="", **phone.subscription(web_server.url("/3")))
    with pytest.raises(GameError, match="Remove one first"):
        channels.add_device(user=alice, agent="", **phone.subscription(web_server.url("/more")))


def test_a_site_without_a_key_says_that_it_cannot_push(alice, phone: Browser, web_server: WebServer, settings) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    with pytest.raises(GameError, match="no key"):
        channels.add_device(user=alice, agent="", **phone.subscription(web_server.url()))


def test_a_trial_message_reports_success_or_failure_and_removes_a_dead_browser(device: Device, web_server, bob) -> None:
    assert "Chrome on Android" in channels.try_device(user=device.user, pk=device.pk)
    web_server.replies.append(Reply(403, b"bad key"))
    with pytest.raises(GameError, match="403 Forbidden: bad key"):
        channels.try_device(user=device.user, pk=device.pk)
    with pytest.raises(NotYours):
        channels.try_device(user=bob, pk=device.pk)
    web_server.replies.append(Reply(410))
    with pytest.raises(GameError, match="so we removed it"):
        channels.try_device(user=device.user, pk=device.pk)
    assert not Device.objects.exists()
