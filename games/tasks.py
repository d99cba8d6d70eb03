"""What workers do for games. Arguments are ids; every task is safe to run twice and safe to lose."""

from celery import shared_task
from django.utils import timezone

from games.leagues import services as leagues
from games.notices import deliver
from games.services import bots, clock, lobby


@shared_task
def play_bot(game: int, seat: int) -> None:
    bots.play_bot(game=game, seat=seat)


@shared_task
def sweep_bots() -> None:
    bots.sweep_bots()


@shared_task
def sweep_overdue() -> None:
    clock.sweep_overdue(timezone.now())


@shared_task
def sweep_full_games() -> None:
    leagues.sweep_full_games(timezone.now())


@shared_task
def close_stale_tables() -> None:
    lobby.close_stale_tables(timezone.now())


@shared_task
def send_notice(notice: int) -> None:
    deliver.deliver(notice)


@shared_task
def sweep_notices() -> None:
    deliver.sweep()
