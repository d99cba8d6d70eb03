"""Web push and webhooks: each notice goes out once, in plain words, and dead targets are removed or disabled."""

import json
import socket
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from games.errors import GameError
from games.notices import outlets
from games.notices.delivery import devices as channels
from games.notices.delivery import messages
from games.notices.delivery.channels import brief, outgoing
from games.notices.delivery.preferences import save_settings
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Device, Hook, Notice, NoticeState
from games.tables.models import Game
from games.tables.services import handover, interventions
from tests.cast import again, in_turns, person, seats_of, submit, table_of
from tests.notices.conftest import MONDAY
from tests.notices.emails import received, send_due, take
from tests.notices.push_service import Browser
from tests.notices.tls import Post, Reply, WebServer
from tests.rules.kingdoms.positions import ALICE, BOB, CAROL, position
from tests.tables.kingdoms import ASK, do, kingdoms, put

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone() -> Browser:
    return Browser()


@pytest.fixture
def device(bob, phone: Browser, web_server: WebServer) -> Device:
    return channels.add_device(user=bob, agent="Firefox on Windows", **phone.subscription(web_server.url("/push")))


@pytest.fixture
def hook(bob, web_server: WebServer) -> Hook:
    return channels.add_hook(user=bob, url=web_server.url("/hook"), format="json")


def over(channel: Channel) -> Notice:
    return Notice.objects.get(channel=channel, kind=Kind.TURN, user__username="Bob")


def posts(web_server: WebServer, path: str) -> list[Post]:
    return [post for post in web_server.posts if post.path == path]


def test_a_turn_is_announced_once_on_each_channel(game: Game, device, hook, phone: Browser, web_server, clock) -> None:
    take(game, 0)
    assert (send_due(), send_due()) == (3, 0)
    [pushed], [hooked] = posts(web_server, "/push"), posts(web_server, "/hook")
    shown, payload = phone.read(pushed), json.loads(hooked.body)
    path = game.get_absolute_url()
    assert shown["title"] == "Your turn: Legends with Alice" and "coin" in shown["body"]
    assert (shown["url"], shown["tag"], pushed.headers["Topic"]) == (path, game.public_id, game.public_id)
    assert payload == {
        "kind": "turn", "title": "Bob, it’s your turn: Legends (private)", "url": f"http://testserver{path}",
        "text": "Deadline: Wednesday 4 March, 18:00 (Asia/Tokyo).", "game": game.public_id,
    }  # fmt: skip
    assert pushed.headers["TTL"] == str(48 * 60 * 60) and pushed.headers["Urgency"] == "high"
    assert {over(channel).state for channel in Channel} == {NoticeState.SENT}
    assert Device.objects.get().used_at == Hook.objects.get().used_at == timezone.now()
    assert len(received("Bob")) == 1


@pytest.mark.parametrize("how", [How.NOW, How.LATER, How.DIGEST])
@pytest.mark.parametrize("listed", [True, False])
def test_webhooks_do_not_tell_who_has_made_a_secret_decision(alice, bob, hook, web_server, clock, how, listed) -> None:
    """Alice may read the channel of Bob's webhook."""
    wishes = {Kind.STARTED: How.OFF, Kind.TURN: how, Kind.TIME: how}
    save_settings(user=bob, notice_settings={Channel.HOOK: wishes})
    game = table_of(bob, alice, listed=listed)

    def heard() -> list[bytes]:
        web_server.posts.clear()
        with transaction.atomic():
            for _hour in range(45):
                send_due()
                clock.shift(timedelta(hours=1))
            transaction.set_rollback(True)
        clock.move_to(MONDAY)
        return [post.body for post in posts(web_server, "/hook")]

    waiting = heard()
    submit(game, 0, "bid 3")
    assert again(game).sealed and heard() == waiting and len(waiting) == 2
    assert b"Deadline" not in b"".join(waiting)
    submit(game, 1, "bid 0")  # now it is known that Bob has decided, and who goes first is his decision
    assert len(heard()) == 2
    assert (b"Deadline" in b"".join(heard())) == (how != How.DIGEST)  # digests have only titles


@pytest.mark.parametrize("what", ["time", "seat", "time and seat"])
def test_webhooks_do_not_tell_it_after_an_intervention_or_with_a_new_player_either(
    alice, bob, hook, web_server, clock, what
) -> None:
    """Alice may read the channel of Bob's webhook, who plays from the start or stands in for Dave."""
    carol = person("Carol")
    dave = person("Dave") if "seat" in what else bob
    game = table_of(dave, alice, carol)

    def heard(*decided: str) -> list[bytes]:
        web_server.posts.clear()
        with transaction.atomic():
            if decided:
                submit(game, 0, *decided)
            clock.shift(timedelta(hours=1))
            if "time" in what:
                interventions.give_time(
                    game=game, seat=None, hours=5, reason="Ill", expected_seq=again(game).seq, by=None
                )
            if "seat" in what:
                handover.ask(seat=seats_of(game)[0], user=dave, name="Bob")
                handover.accept(seat=seats_of(game)[0], user=bob)
            for _hour in range(60):
                send_due()
                clock.shift(timedelta(hours=1))
            transaction.set_rollback(True)
        clock.move_to(MONDAY)
        return [post.body for post in posts(web_server, "/hook") if b'"turn"' in post.body or b'"time"' in post.body]

    assert heard("bid 3") == heard()


def test_no_channel_announces_a_turn_that_has_been_taken(game: Game, device, hook, web_server: WebServer) -> None:
    take(game, 0)
    take(game, 1)
    send_due()
    assert posts(web_server, "/push") == posts(web_server, "/hook") == []
    assert over(Channel.PUSH).why == over(Channel.HOOK).why == "taken"


def test_a_channel_that_others_may_read_reveals_no_hand(clock, alice, bob, carol, web_server) -> None:
    hands = {ALICE: "A8 C9 A4", BOB: "A7 A4 plum-S2", CAROL: "A5"}
    game = put(kingdoms(alice, bob, carol, orders=ASK), position(hands=hands))
    channels.add_hook(user=bob, url=web_server.url("/hook"), format="slack")
    Notice.objects.all().delete()
    do(game, ALICE, "attack 1 with A8")
    sent_message = messages.message(Notice.objects.filter(user=bob, channel=Channel.HOOK).latest("seq"))
    assert "Alice attacks you" in brief.private(sent_message).text
    assert brief.shared(sent_message).title == "Bob, it’s your turn: Kingdoms with Alice and Carol"
    assert brief.shared(sent_message).text.startswith("Deadline: ") and "/enter/" not in brief.shared(sent_message).url


def test_a_digest_is_one_post_with_a_line_per_table(alice, bob, hook, phone, device, web_server, clock) -> None:
    daily = dict.fromkeys(Kind, How.DIGEST)
    save_settings(user=bob, notice_settings=dict.fromkeys(Channel, daily))
    for game in [in_turns(alice, bob, listed=False) for _table in range(2)]:
        take(game, 0)
    clock.shift(timedelta(days=1))
    send_due()
    [hooked], [pushed] = posts(web_server, "/hook"), posts(web_server, "/push")
    payload, shown = json.loads(hooked.body), phone.read(pushed)
    assert payload["title"] == shown["title"] == "Your turn in 2 games"
    assert payload["text"] == "\n".join(["Bob, it’s your turn: Legends (private)"] * 2)
    assert shown["body"] == "\n".join(["Your turn: Legends with Alice"] * 2)
    assert payload["url"] == "http://testserver/desk/" and shown["url"] == "/desk/"


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_removed_and_its_notice_says_why(game, device, web_server, status: int) -> None:
    web_server.replies.append(Reply(status))
    take(game, 0)
    assert send_due() == 1  # the email
    assert not Device.objects.exists()
    assert over(Channel.PUSH).state == NoticeState.FAILED and str(status) in over(Channel.PUSH).reason


def test_a_device_keeps_the_reason_when_the_push_service_rejects_our_key(game, device, web_server) -> None:
    web_server.replies.append(Reply(403, b"VAPID public key mismatch"))
    take(game, 0)
    send_due()
    assert over(Channel.PUSH).state == NoticeState.FAILED
    assert Device.objects.get().failure == "It answered 403 Forbidden: VAPID public key mismatch"


def test_a_removed_device_gets_no_message(game, device, bob, web_server: WebServer) -> None:
    take(game, 0)
    channels.remove_device(user=bob, pk=device.pk)
    send_due()
    assert (
        over(Channel.PUSH).state == NoticeState.DROPPED and over(Channel.PUSH).why == "gone" and web_server.posts == []
    )


def test_a_site_without_a_push_key_creates_no_push_notices(game, device, settings) -> None:
    settings.VAPID_PRIVATE_KEY = ""
    take(game, 0)
    assert not Notice.objects.filter(channel=Channel.PUSH).exists()


def test_delivery_waits_as_long_as_the_receiver_asks(game, hook, web_server: WebServer) -> None:
    web_server.replies.append(Reply(429, headers={"Retry-After": "600"}))
    take(game, 0)
    send_due()
    assert over(Channel.HOOK).state == NoticeState.QUEUED
    assert over(Channel.HOOK).due_at == timezone.now() + timedelta(minutes=10)


def test_a_webhook_that_is_gone_is_disabled_immediately(game, hook, web_server: WebServer) -> None:
    web_server.replies.append(Reply(404, b"no_service"))
    take(game, 0)
    send_due()
    hook.refresh_from_db()
    assert hook.off_because == "It answered 404 Not Found: no_service" == over(Channel.HOOK).reason


@pytest.mark.long
def test_a_webhook_that_fails_for_a_day_is_disabled_with_the_reason(game, hook, web_server, clock) -> None:
    web_server.replies += [Reply(500, b"out of order")] * 100
    take(game, 0)
    for _hour in range(24):
        hook.refresh_from_db()
        assert hook.is_on
        send_due()
        clock.shift(timedelta(hours=1))
    send_due()
    hook.refresh_from_db()
    assert hook.off_because == "every message failed for a day. It answered 500 Internal Server Error: out of order"
    assert hook.failing_since == timezone.now() - timedelta(hours=24)


def test_one_successful_post_clears_earlier_failures(game, hook, web_server, clock) -> None:
    web_server.replies.append(Reply(500))
    take(game, 0)
    send_due()
    hook.refresh_from_db()
    assert hook.failing_since == timezone.now()
    clock.shift(timedelta(minutes=1))
    send_due()
    hook.refresh_from_db()
    assert (hook.failing_since, hook.failure, over(Channel.HOOK).state) == (None, "", NoticeState.SENT)


def test_a_host_that_does_not_answer_is_paused_and_other_channels_are_not(game, hook, bob, web_server) -> None:
    channels.add_hook(user=bob, url=web_server.url("/other"), format="json")
    web_server.hangs_up = True
    take(game, 0)
    send_due()
    assert web_server.calls == 1 and len(received("Bob")) == 1
    reasons = dict(Notice.objects.filter(channel=Channel.HOOK, kind=Kind.TURN).values_list("why", "state"))
    assert set(reasons.values()) == {NoticeState.QUEUED} and "The connection was lost." in reasons and len(reasons) == 2


@pytest.mark.parametrize("channel", Channel)
def test_no_name_of_a_host_pauses_a_channel(game, bob, phone, channel, monkeypatch) -> None:
    """Anyone can add a device whose push service is called like a channel and never responds."""

    def unknown(*args: object, **kwargs: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    channels.add_device(user=bob, agent="", **phone.subscription(f"https://{channel}/push"))
    take(game, 0)
    send_due()
    assert over(Channel.PUSH).state == NoticeState.QUEUED and "We can’t find" in over(Channel.PUSH).reason
    assert not any(map(outlets.is_paused, Channel)) and outlets.is_paused(f"https://{channel}")
    assert len(received("Bob")) == 1


@pytest.mark.parametrize("kind", [Channel.PUSH, Channel.HOOK])
def test_users_with_slow_hosts_do_not_occupy_the_workers(
    game, alice, bob, phone, web_server, monkeypatch, kind
) -> None:
    """The workers of webhooks and devices also send emails, and each of these hosts may take ten seconds."""
    monkeypatch.setattr(outgoing, "SLOW", 0)
    for n in range(3):
        if kind == Channel.PUSH:
            channels.add_device(user=bob, agent="", **phone.subscription(web_server.url(f"/{n}")))
        else:
            channels.add_hook(user=bob, url=web_server.url(f"/{n}"), format="json")
    take(game, 0)
    send_due()
    notices = Notice.objects.filter(channel=kind, kind=Kind.TURN, user=bob).order_by("state")
    assert [notice.state for notice in notices] == [NoticeState.QUEUED, NoticeState.QUEUED, NoticeState.SENT]
    assert len(web_server.posts) == 1
    assert "responded too slowly" in notices[0].reason and notices[0].due_at == timezone.now() + outgoing.SLOW_WAIT
    assert not {target.failure for target in (Device if kind == Channel.PUSH else Hook).objects.all()} - {""}
    assert len(received("Bob")) == 1
    for kind_of_target in ("devices", "webhooks"):
        outgoing.need_quick(f"{kind_of_target} of {alice.pk}")


def test_one_page_at_a_time_waits_for_the_hosts_of_users(device, hook, bob, web_server: WebServer) -> None:
    calls = [
        lambda: channels.try_device(user=bob, pk=device.pk), lambda: channels.try_hook(user=bob, pk=hook.pk),
        lambda: channels.add_hook(user=bob, url=web_server.url("/other"), format="json"),
    ]  # fmt: skip
    with outgoing.for_a_page():
        for call in calls:
            with pytest.raises(GameError, match="Someone else is adding or testing"):
                call()
    assert web_server.calls == 0
    for call in calls:
        call()
    assert web_server.calls == 2


def test_a_webhook_that_now_resolves_to_our_own_machine_gets_nothing(game, hook, settings, web_server) -> None:
    settings.OUTGOING_HOSTS = []
    Hook.objects.update(url="https://localhost/hook")
    take(game, 0)
    send_due()
    assert over(Channel.HOOK).state == NoticeState.FAILED and "public internet" in over(Channel.HOOK).reason
    assert web_server.posts == []
