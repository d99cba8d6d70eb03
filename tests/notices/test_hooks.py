"""Webhooks: three formats, no mentions, signed posts, and only to addresses on the public internet."""

import hmac
import json
import re
from base64 import b64decode
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models import F
from django.utils import timezone

from accounts.models import Step
from games.errors import GameError, NotYours
from games.notices.delivery import devices as channels
from games.notices.delivery import messages
from games.notices.delivery.channels import hook
from games.notices.delivery.channels.brief import Brief, private, shared
from games.notices.kinds import Kind
from games.notices.models import Format, Hook, Notice
from games.notices.outbox import outbox
from games.tables.models import Invitation
from games.tables.services import friends, handover, lobby, notify, replacement, reviews
from tests.cast import in_turns, play_out, play_turns, seats_of
from tests.notices.listening import listening
from tests.notices.tls import Reply, WebServer

BRIEF = Brief(
    key="turn.5.7", kind="turn", title="Alice: your turn at *Legends* @everyone", text="<!channel> until 9:00",
    url="http://testserver/games/xyz/", topic="xyz", until=timedelta(minutes=1),
)  # fmt: skip


@pytest.fixture
def add(alice, web_server: WebServer):
    return lambda format=Format.JSON, path="/in": channels.add_hook(user=alice, url=web_server.url(path), format=format)


def last_post(web_server: WebServer) -> dict:
    return json.loads(web_server.posts[-1].body)


def test_discord_messages_mention_nobody_and_escape_markup(add, web_server: WebServer) -> None:
    assert hook.post(add(Format.DISCORD), BRIEF).is_yes
    post = last_post(web_server)
    assert post["allowed_mentions"] == {"parse": []}
    assert post["content"] == r"Alice\: your turn at \*Legends\* \@everyone"
    assert post["embeds"][0]["url"] == BRIEF.url and post["embeds"][0]["description"].startswith(r"\<!channel\>")


def test_slack_messages_escape_markup(add, web_server: WebServer) -> None:
    hook.post(add(Format.SLACK), BRIEF)
    post = last_post(web_server)
    assert "&lt;!channel&gt;" in post["text"] and f"<{BRIEF.url}|Open>" in post["text"]
    assert [block["text"]["type"] for block in post["blocks"]] == ["plain_text", "mrkdwn"]
    assert post["blocks"][1]["text"]["text"] == f"<{BRIEF.url}|Open>"


def test_json_posts_are_plain_and_signed(add, web_server: WebServer) -> None:
    target = add()
    hook.post(target, BRIEF)
    [post] = web_server.posts
    assert json.loads(post.body) == {
        "kind": "turn", "title": BRIEF.title, "text": BRIEF.text, "url": BRIEF.url, "game": "xyz"
    }  # fmt: skip
    signed = f"{post.headers['Webhook-Id']}.{post.headers['Webhook-Timestamp']}.".encode() + post.body
    version, _comma, digest = post.headers["Webhook-Signature"].partition(",")
    assert version == "v1"
    assert b64decode(digest) == hmac.digest(b64decode(target.secret.removeprefix("whsec_")), signed, "sha256")


def test_repeated_posts_share_an_id_and_other_notices_have_their_own(add, web_server: WebServer) -> None:
    target = add()
    hook.post(target, BRIEF)
    hook.post(target, BRIEF)
    hook.post(target, Brief(**{**vars(BRIEF), "key": "turn.5.8"}))
    first, again, other = [post.headers["Webhook-Id"] for post in web_server.posts]
    assert first == again != other


@pytest.mark.parametrize(
    ("url", "words"),
    [("http://hooks.example.org/", "https"), ("https://169.254.169.254/latest/", "IP address"), ("", "valid URL"),
     ("https://localhost/", "public internet"), ("https://me:secret@hooks.example.org/", "password")],
)  # fmt: skip
def test_a_webhook_url_that_we_do_not_post_to_is_refused_with_a_reason(alice, url: str, words: str) -> None:
    with listening() as heard, pytest.raises(GameError, match=words):
        channels.add_hook(user=alice, url=url, format=Format.JSON)
    assert heard.machines == [] and not Hook.objects.exists()


def test_a_player_has_at_most_five_different_webhooks_and_guests_have_none(add, alice) -> None:
    first = add()
    assert add() == first  # the form was sent twice
    Hook.objects.update(added_at=F("added_at") - timedelta(minutes=2))
    with pytest.raises(GameError, match="already"):
        add()
    for number in range(channels.HOOKS - 1):
        add(path=f"/{number}")
    with pytest.raises(GameError, match="Remove one first"):
        add(path="/more")
    with pytest.raises(GameError, match="Choose a format"):
        add("telegram", path="/more")
    alice.is_guest = True
    with pytest.raises(NotYours, match="account"):
        add(path="/guest")


def test_a_trial_message_reports_the_answer_in_a_sentence(add, web_server: WebServer, bob) -> None:
    target = add()
    assert channels.try_hook(user=target.user, pk=target.pk) == "Test sent. It answered 200 OK."
    web_server.replies.append(Reply(404, b"no_service"))
    with pytest.raises(GameError, match="It answered 404 Not Found: no_service"):
        channels.try_hook(user=target.user, pk=target.pk)
    with pytest.raises(NotYours):
        channels.try_hook(user=bob, pk=target.pk)


def test_only_the_host_of_a_webhook_is_shown(add) -> None:
    target = add(path="/api/webhooks/1/verysecrettoken")
    assert "secret" not in target.short_url and target.short_url.startswith("localhost")


def test_a_shared_channel_is_shown_no_address_that_lets_others_join_the_table(alice, bob) -> None:
    game = lobby.open_table(user=alice, players=2)
    friends.invite(game=game, user=alice, name="Bob")
    invitation = messages.message(Notice.objects.get(user=bob, kind="invited", channel="email"))
    assert game.invite_token in invitation.url and private(invitation).url == invitation.url
    assert shared(invitation).url == "http://testserver/desk/"
    assert "Each player has 2 days per turn." in shared(invitation).text


def test_a_shared_channel_is_told_who_sits_at_public_tables_only(alice, bob, carol) -> None:
    """Only the invited person, and not everyone in their channel, can open the page of a private table."""
    names = "Players: Alice and Carol. 1 of 3 seats is free."
    for listed in (True, False):
        game = lobby.open_table(user=alice, players=3, listed=listed)
        lobby.join_table(game=game, user=carol, invite=game.invite_token)
        friends.invite(game=game, user=alice, name="Bob")
        invitation = messages.message(Notice.objects.filter(user=bob, kind="invited", channel="email").latest("pk"))
        assert names in invitation.details and names in private(invitation).text
        assert (names in shared(invitation).text) is listed
        assert "Each player has 2 days per turn." in shared(invitation).text
    assert not Notice.objects.filter(kind="invited").exclude(user=bob).exists()


@pytest.mark.parametrize("listed", [True, False], ids=["public", "private"])
def test_a_shared_channel_is_told_who_plays_and_who_wins_in_public_games_only(alice, bob, carol, listed) -> None:
    """Each kind of notice about a game, whether it is about a seat or not."""

    def shared_text(kind: str) -> str:
        shared_message = shared(messages.message(Notice.objects.filter(kind=kind, channel="email").latest("pk")))
        return f"{shared_message.title} {shared_message.text}".partition(" Deadline")[0].strip()

    game = in_turns(alice, bob, listed=listed)
    play_turns(game, 1)
    of_bob = seats_of(game)[1]
    texts = {"turn": shared_text("turn")}
    handover.ask(seat=of_bob, user=bob, name="Carol")
    texts["asked to stand in"] = shared_text("asked")
    replacement.ask(user=carol, by=alice, reason="Bob is ill.", seat=of_bob)
    texts["asked to take over"] = shared_text("asked")
    notify.tell_undo_requested(game=game, seats=[of_bob], asker=seats_of(game)[0])
    texts["undo"] = shared_text("undo")
    notify.tell_of_decision(game=game, user=carol, sentence="Bob was replaced.", url="/desk/")
    texts["decision"] = shared_text("decision")
    play_out(game)
    texts["ended"] = shared_text("ended")
    reviews.tell(game, seats_of(game), bob)
    texts["review"] = shared_text("review")
    lobby.rematch(game=game, user=alice)
    texts["rematch"] = shared_text("rematch").partition(" Each player")[0]
    lobby.decline_rematch(game=game, user=bob)
    texts["answer"] = shared_text("rematch")
    table = lobby.open_table(user=alice, players=3, listed=listed, rated=False)
    friends.invite(game=table, user=alice, name="Bob")
    texts["invited"] = shared_text("invited").partition(" Each player")[0]
    lobby.join_table(game=table, user=bob, invite=table.invite_token)
    lobby.remove(game=table, user=alice, seat=seats_of(table)[1].pk)
    texts["removed"] = shared_text("closed")
    if listed:
        assert all(re.search("Alice|Bob", text) for text in texts.values())
        return
    assert texts.pop("turn") == "Bob, it’s your turn: Legends (private)"
    assert texts.pop("ended") == "The game has ended: Legends (private)"
    assert texts.pop("invited") == "Bob, you are invited: Legends (private)"
    assert {text.split(", ")[1] for text in texts.values()} == {"there is a message for you"}
    # So is what a notice says of a game that is gone by then
    Invitation.objects.filter(game=table).delete()
    table.delete()
    assert shared_text("closed") == "Bob, there is a message for you"


def test_a_shared_channel_is_not_told_what_moderators_wrote(alice) -> None:
    step = Step.objects.create(user=alice, kind="suspend", reason="You cheated.", at=timezone.now())
    outbox.tell_of_step(step)
    step_message = messages.message(Notice.objects.get(user=alice, channel="email"))
    assert "You cheated." in private(step_message).text
    assert (shared(step_message).title, shared(step_message).text) == ("Alice, there is a message for you", "")


def test_the_page_for_programs_lists_every_kind_of_notice() -> None:
    page = Path("docs/webhooks.md").read_text(encoding="utf-8")
    rows = page.partition("| kind |")[2].partition("\n\n")[0].splitlines()[2:]
    assert {kind for row in rows for kind in re.findall(r"`(\w+)`", row.split("|")[1])} == set(Kind.values)
