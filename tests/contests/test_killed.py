"""A worker that is killed in the middle of a step leaves nothing half done, and the next sweep does the step once."""

import json
import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.utils import timezone

from games.contests.ladders import sweep as ladder_sweep
from games.contests.models import (
    Challenge,
    Climb,
    Intervention,
    Post,
    RatedPlayer,
    RatingBook,
    Score,
    SizeRating,
    Tally,
)
from games.contests.ratings import book
from games.contests.ratings.recompute import recompute
from games.contests.webhooks import deliver
from games.contests.webhooks import services as webhooks
from games.notices.models import NoticeState
from tests.cast import person
from tests.contests.cups import begun, crowd, running
from tests.contests.ladders import challenges, everything, ladder_of, order
from tests.contests.test_scores import figures, played
from tests.notices.tls import Reply
from tests.running import until

pytestmark = pytest.mark.django_db(transaction=True)

KILLED = """
import os, signal
from django.db import transaction
from django.utils import timezone
from games.contests.ladders import sweep as ladder_sweep
from games.contests.ratings import book
with transaction.atomic():
    assert {step}
    os.kill(os.getpid(), signal.SIGKILL)
"""


def run_and_kill(step: str) -> None:
    """Run the step in another process that is killed before the commit."""
    if connection.vendor != "sqlite":
        pytest.skip("The other process opens the file of the database.")
    here = os.environ | {"DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}"}
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", KILLED.format(step=step)]
    run = subprocess.run(command, env=here, capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == -signal.SIGKILL, run.stderr


@pytest.mark.long
def test_a_contest_is_added_to_the_book_once_after_a_worker_was_killed():
    played(person("Alice"), person("Bob"))
    Score.objects.update(order=None)  # as if no worker had received the task
    for model in (RatedPlayer, SizeRating, Tally, RatingBook):
        model._default_manager.all().delete()
    before = figures()
    run_and_kill("book.take_next('legends')")
    assert figures() == before and not RatingBook.objects.exists()
    assert book.sweep() == 1 and book.sweep() == 0
    assert RatingBook.objects.get().last == 1 and recompute("legends", mend=False) == []


@pytest.mark.long
def test_an_expired_challenge_moves_the_rungs_once_after_a_worker_was_killed():
    alice, bob = person("Alice"), person("Bob")
    ladder_of(alice, bob)
    challenge, now = challenges(bob, alice), timezone.now()
    Challenge.objects.update(made_at=now - timedelta(days=5), answer_by=now - timedelta(days=1))
    before = everything()
    run_and_kill(f"ladder_sweep.time_out({challenge.pk}, timezone.now())")
    assert everything() == before and order() == ["Alice", "Bob"]
    assert ladder_sweep.sweep(timezone.now()) == 1 and ladder_sweep.sweep(timezone.now()) == 0
    assert order() == ["Bob", "Alice"] and Climb.objects.filter(why="won").count() == 1


# Webhooks of competitions: rows are written with the step they are about, and posted after its commit

STEP = """
import os, signal
from django.db import transaction
from django.utils import timezone
from games.contests import corrections
from games.contests.models import Match
from accounts.models import User
with transaction.atomic():
    match = Match.objects.get(pk={match})
    olga = User.objects.get(username="Olga")
    corrections.award(match=match, by=olga, places=[2, 1], reason="x", expected=match.version)
    if {in_transaction}:
        os.kill(os.getpid(), signal.SIGKILL)
os.kill(os.getpid(), signal.SIGKILL)
"""
DELIVER = "from games.contests.webhooks.deliver import deliver; deliver({hook})"


def start(code: str) -> subprocess.Popen[str]:
    """Start another process on the same database that may post to the server of the test."""
    if connection.vendor != "sqlite":
        pytest.skip("The other process opens the file of the database.")
    here = os.environ | {
        "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
        "OUTGOING_HOSTS": ",".join(settings.OUTGOING_HOSTS), "OUTGOING_CA": settings.OUTGOING_CA,
    }  # fmt: skip
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
    return subprocess.Popen(command, env=here, stderr=subprocess.PIPE, text=True)


@pytest.mark.long
def test_a_process_killed_before_a_post_loses_it_never_and_after_it_repeats_it_with_the_same_id(web_server):
    organizer = person("Olga")
    tournament = begun(organizer, crowd(4), format="round-robin")
    hook = webhooks.add(
        competition=tournament, by=organizer, url=web_server.url("/hook"), format="json", subjects=["results"]
    )
    match, _other = running(tournament)

    # 1. Killed in the step: there is neither a decision nor a post
    with start(STEP.format(match=match.pk, in_transaction=True)) as killed:
        assert killed.wait(120) == -signal.SIGKILL, killed.stderr.read()
    assert not Post.objects.exists() and not Intervention.objects.exists()

    # 2. Killed between the row and its post: the row is there, and nothing has been sent
    with start(STEP.format(match=match.pk, in_transaction=False)) as killed:
        assert killed.wait(120) == -signal.SIGKILL, killed.stderr.read()
    assert [post.state for post in Post.objects.all()] == [NoticeState.QUEUED] and not web_server.posts

    # 3. Killed while the other end answers: it has the post, and we don’t know
    web_server.replies = [Reply(drips=0.1)]
    with start(DELIVER.format(hook=hook.pk)) as killed:
        assert until(lambda: bool(web_server.posts), patience=60)
        killed.kill()
        killed.wait()
    assert [post.state for post in Post.objects.all()] == [NoticeState.SENDING]
    assert deliver.deliver(hook.pk) == 0 and len(web_server.posts) == 1  # its lease still holds

    # 4. Later it is sent once more, with the same id, and then never again
    with time_machine.travel(timezone.now() + deliver.LEASE, tick=False):
        assert deliver.sweep(timezone.now()) == 1  # which runs the task
        assert deliver.sweep(timezone.now()) == 0 and deliver.deliver(hook.pk) == 0
    first, second = web_server.posts
    assert first.headers["Webhook-Id"] == second.headers["Webhook-Id"]
    assert json.loads(first.body)["title"] == json.loads(second.body)["title"]
    assert [post.state for post in Post.objects.all()] == [NoticeState.SENT]
