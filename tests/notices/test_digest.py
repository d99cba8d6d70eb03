"""The daily digest: one email with everything that is still true, sent once by any number of workers."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from accounts.models import User
from games.notices.delivery import deliver
from games.notices.delivery.channels.brief import shared
from games.notices.delivery.messages import written
from games.notices.delivery.preferences import save_settings
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Notice, NoticeState
from games.tables.models import Game
from games.tables.services import interventions
from tests.cast import in_turns, person
from tests.kept import kept_if_first
from tests.notices.emails import deliver_alone, html_of, only_email, received, send_due, take, text_of

pytestmark = pytest.mark.django_db

DIGEST = datetime(2026, 3, 2, 23, tzinfo=UTC)  # 8 in the morning in Tokyo


def daily(user: User) -> None:
    save_settings(user=user, notice_settings={Channel.EMAIL: dict.fromkeys(Kind, How.DIGEST)})


@pytest.fixture
def games(alice, bob, clock) -> list[Game]:
    """Three tables where it is Bob's turn; his digest will list them."""
    kept_if_first("digest", play=lambda: bobs_turns(alice, bob)[0])
    bob.refresh_from_db()
    return list(Game.objects.order_by("pk"))


def bobs_turns(alice: User, bob: User) -> list[Game]:
    games = [in_turns(alice, bob, listed=False) for _table in range(3)]
    Notice.objects.all().delete()
    daily(bob)
    for game in games:
        game.refresh_from_db()
        take(game, 0)
    return games


def fates(user: User) -> list[tuple[str, str, str]]:
    return list(Notice.objects.filter(user=user, kind=Kind.TURN).order_by("pk").values_list("state", "why", "attempts"))


def test_a_days_notices_come_in_one_email_at_the_readers_hour(games, bob, clock):
    clock.move_to(DIGEST - timedelta(minutes=1))
    assert send_due() == 0
    clock.move_to(DIGEST)
    assert (send_due(), send_due()) == (1, 0)
    email = only_email("Bob")
    assert email["Subject"] == "Your turn in 3 games"
    assert email["Message-ID"] == f"<digest.{bob.pk}.20260303@testserver>"
    for game in games:
        assert f"/games/{game.public_id}/enter/" in text_of(email) and game.public_id in html_of(email)
    assert fates(bob) == [(NoticeState.SENT, "", 1)] * 3


def test_the_digest_leaves_out_turns_that_have_been_taken(games, bob, clock):
    take(games[0], 1)
    clock.move_to(DIGEST)
    send_due()
    assert only_email("Bob")["Subject"] == "Your turn in 2 games"
    assert fates(bob) == [(NoticeState.DROPPED, "taken", 1), (NoticeState.SENT, "", 1), (NoticeState.SENT, "", 1)]


def test_a_digest_counts_a_game_once_that_has_other_news_than_the_turn(games, bob, clock):
    game = games[0]
    interventions.give_time(game=game, seat=1, hours=2, reason="A power cut.", expected_seq=game.seq, by=None)
    clock.move_to(DIGEST)
    send_due()
    assert only_email("Bob")["Subject"] == "Your turn in 3 games, 1 update"


def test_a_digest_on_a_shared_channel_names_tables_and_carries_no_key(games, bob):
    rows = Notice.objects.filter(kind=Kind.TURN, user=bob).select_related("user", "seat__game", "seat__user")
    brief = shared(written(list(rows)))
    assert (brief.title, brief.url) == ("Your turn in 3 games", "http://testserver/desk/")
    assert "Legends (private)" in brief.text and "/enter/" not in brief.text


def test_an_empty_digest_is_not_sent(games, bob, clock):
    for game in games:
        take(game, 1)
    clock.move_to(DIGEST)
    send_due()
    assert received("Bob") == []


def test_another_worker_sends_the_digest_of_a_killed_worker_when_the_lease_expires(games, bob, clock):
    clock.move_to(DIGEST)
    first = Notice.objects.filter(kind=Kind.TURN, user=bob).first()
    assert len(deliver.claim(first.pk)) == 3
    clock.shift(timedelta(minutes=4, seconds=59))
    assert send_due() == 0
    clock.shift(timedelta(seconds=1))
    assert (send_due(), send_due()) == (1, 0)
    assert fates(bob) == [(NoticeState.SENT, "", 2)] * 3


def test_a_notice_that_misses_the_digest_waits_for_the_next_one(games, alice, bob, clock):
    clock.move_to(DIGEST)
    late = Notice.objects.filter(kind=Kind.TURN, user=bob).last()
    Notice.objects.filter(pk=late.pk).update(
        due_at=DIGEST + timedelta(seconds=1)
    )  # its transaction committed a second late
    assert send_due() == 1
    clock.shift(timedelta(seconds=2))
    assert send_due() == 0
    late.refresh_from_db()
    assert (late.state, late.due_at) == (NoticeState.QUEUED, DIGEST + timedelta(days=1))
    clock.move_to(late.due_at)
    assert send_due() == 1
    assert [email["Message-ID"].split(".")[2][:8] for email in received("Bob")] == ["20260303", "20260304"]


def test_a_digest_that_the_email_server_refuses_is_retried_whole(games, bob, clock, mail_server):
    mail_server.refusals["RCPT"] = "450 come back later"
    clock.move_to(DIGEST)
    assert send_due() == 0
    mail_server.refusals.clear()
    clock.shift(timedelta(minutes=1))
    assert send_due() == 1
    assert len(mail_server.kept) == 1
    assert fates(bob) == [(NoticeState.SENT, "", 2)] * 3


def test_a_pause_moves_notices_to_the_first_digest_after_it(games, bob, clock):
    save_settings(user=bob, is_paused=True, paused_until=DIGEST + timedelta(hours=30))
    for moment in (DIGEST, DIGEST + timedelta(days=1), DIGEST + timedelta(days=2) - timedelta(minutes=1)):
        clock.move_to(moment)
        assert send_due() == 0
    clock.shift(timedelta(minutes=1))
    assert send_due() == 1
    assert only_email("Bob")["Message-ID"] == f"<digest.{bob.pk}.20260305@testserver>"


@pytest.mark.long
def test_six_concurrent_workers_send_one_digest(transactional_db, clock):
    alice, bob = person("Alice"), person("Bob", time_zone="Asia/Tokyo")
    games = [in_turns(alice, bob) for _table in range(2)]
    daily(bob)
    for game in games:
        take(game, 0)
    clock.move_to(DIGEST)
    rows = list(Notice.objects.filter(kind=Kind.TURN, user=bob, state=NoticeState.QUEUED).values_list("pk", flat=True))
    ready, sent = threading.Barrier(6), []

    def work(pk: int) -> None:
        ready.wait()
        sent.append(deliver_alone(pk))
        connection.close()

    threads = [threading.Thread(target=work, args=[rows[n % len(rows)]]) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(sent) == [False] * 5 + [True]
    assert len([email for email in received("Bob") if "digest" in email["Message-ID"]]) == 1
