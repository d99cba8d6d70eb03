"""A worker that is killed in the middle of a step leaves nothing half done, and the next sweep does the step once."""

import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.contests.ladders import sweep as ladder_sweep
from games.contests.models import Challenge, Climb, RatedPlayer, RatingBook, Score, Tally
from games.contests.ratings import book
from games.contests.ratings.recompute import recompute
from tests.cast import person
from tests.contests.ladders import challenges, everything, ladder_of, order
from tests.contests.test_scores import figures, played

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
    for model in (RatedPlayer, Tally, RatingBook):
        model._default_manager.all().delete()
    before = figures()
    run_and_kill("book.take_next('legends')")
    assert figures() == before and not RatingBook.objects.exists()
    assert book.sweep() == 1 and book.sweep() == 0
    assert RatingBook.objects.get().last == 1 and recompute("legends", mend=False) == []


def test_an_expired_challenge_moves_the_rungs_once_after_a_worker_was_killed():
    alice, bob = person("Alice"), person("Bob")
    ladder_of(alice, bob)
    one, now = challenges(bob, alice), timezone.now()
    Challenge.objects.update(made_at=now - timedelta(days=5), answer_by=now - timedelta(days=1))
    before = everything()
    run_and_kill(f"ladder_sweep.time_out({one.pk}, timezone.now())")
    assert everything() == before and order() == ["Alice", "Bob"]
    assert ladder_sweep.sweep(timezone.now()) == 1 and ladder_sweep.sweep(timezone.now()) == 0
    assert order() == ["Bob", "Alice"] and Climb.objects.filter(why="won").count() == 1
