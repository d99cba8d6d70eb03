"""The page that lists a player's notices and what became of them."""

import re
from datetime import timedelta

import pytest
from django.utils.html import strip_tags

from games.notices.kinds import Kind
from games.notices.models import Notice, NoticeState
from tests.cast import person
from tests.notices.emails import notice, send_due, take

pytestmark = pytest.mark.django_db


def shown(client, person, query: str = "") -> str:
    client.force_login(person)
    return re.sub(r"\s+", " ", strip_tags(client.get(f"/notices/{query}").content.decode()))


def test_it_lists_sent_and_waiting_notices_in_the_readers_time_zone(game, client, bob):
    take(game, 0)
    send_due()
    page = shown(client, bob)
    assert "It’s your turn by email Legends with Alice Sent 2 Mar, 18:00" in page and game.public_id not in page
    assert re.search(r"Your time is running out by email .* Waiting Due 4 Mar, 08:24, unless you play first", page)


def test_only_notices_about_turns_say_that_playing_cancels_them(game, client, bob):
    take(game, 0)
    Notice.objects.filter(kind=Kind.TIME).update(kind=Kind.ENDED)
    assert re.search(r"One of your games ends by email .* Waiting Due 4 Mar, 08:24\. ", shown(client, bob))


def test_it_says_why_a_notice_was_not_sent(game, client, bob):
    take(game, 0)
    take(game, 1)
    send_due()
    assert "Not sent you played before it was sent" in shown(client, bob)


def test_it_hides_the_reminder_of_a_turn_that_has_been_taken(game, client, bob):
    take(game, 0)
    take(game, 1)
    assert "Your time is running out" not in shown(client, bob)


def test_it_quotes_the_refusal_of_the_email_server(game, client, bob, mail_server):
    mail_server.refusals["RCPT"] = "550 no such mailbox"
    take(game, 0)
    send_due()
    assert "Failed The receiving server rejected it: 550 no such mailbox" in shown(client, bob)


def test_players_see_only_their_own_notices(game, client):
    take(game, 0)
    send_due()
    assert "Legends with" not in shown(client, person("Eve"))
    client.logout()
    assert client.get("/notices/").status_code == 302


def test_many_notices_are_paginated_with_few_queries(game, client, bob, django_assert_max_num_queries):
    take(game, 0)
    seat = notice("turn", "Bob", game).seat
    written = seat.notices.first().created_at - timedelta(days=1)
    Notice.objects.bulk_create(
        Notice(
            key=f"old {n}",
            user=bob,
            kind="turn",
            seat=seat,
            seq=1000 + n,
            state=NoticeState.SENT,
            created_at=written,
            sent_at=written,
        )
        for n in range(60)
    )
    client.force_login(bob)
    with django_assert_max_num_queries(8):
        first = client.get("/notices/").content.decode()
    assert (first.count("badge"), "Older" in first) == (40, True)
    assert client.get("/notices/?page=2").content.decode().count('class="badge') == 22


def test_it_can_be_filtered_by_channel_and_outcome(game, client, bob):
    take(game, 0)
    send_due()
    assert shown(client, bob, "?fate=sent").count("by email") == 1
    assert shown(client, bob, "?channel=email&fate=queued").count("by email") == 1
    assert "No notifications match." in shown(client, bob, "?channel=push")
    assert shown(client, bob, "?channel=owl&fate=lost&page=x").count("by email") == 2
