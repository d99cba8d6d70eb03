"""Celery tasks of games. Arguments are ids; every task is safe to run twice and safe to lose."""

from celery import shared_task
from django.utils import timezone

from empire.on_commit import delay_on_commit, note_begun
from games.contests import pools
from games.contests.duplicates import services as duplicates
from games.contests.ladders import sweep as ladder_sweep
from games.contests.leagues import news as season_news
from games.contests.leagues import sweep as season_steps
from games.contests.ratings import book, calibration, statistics
from games.contests.seeks import services as seeks
from games.contests.tournaments import sweep as tournament_steps
from games.contests.webhooks import deliver as webhooks
from games.notices.delivery import deliver
from games.notices.kinds import Channel
from games.tables.services import (
    bots,
    full_games,
    handover,
    interventions,
    lessons,
    lobby,
    reviews,
    suspensions,
    timeouts,
)


@shared_task
def play_bot(game: int, seat: int) -> None:
    bots.play_bot(game=game, seat=seat)


@shared_task
def play_thinker(game: int, seat: int) -> None:
    """Do the same for a bot that thinks, in a queue of its own, so that other bots need not wait for it."""
    bots.play_bot(game=game, seat=seat)


@shared_task
def sweep_bots() -> None:
    bots.sweep_bots()


@shared_task
def sweep_thinkers() -> None:
    bots.sweep_bots(thinkers=True)


@shared_task
def review_game(review: int) -> None:
    reviews.work_through(review, timezone.now())


@shared_task
def sweep_reviews() -> None:
    reviews.sweep(timezone.now())


@shared_task
def measure_luck(game: int) -> None:
    reviews.measure_luck(game, timezone.now())


@shared_task
def sweep_luck() -> None:
    reviews.sweep_luck(timezone.now())


@shared_task
def sweep_overdue() -> None:
    timeouts.sweep_overdue(timezone.now())


@shared_task
def sweep_handovers() -> None:
    handover.sweep_handovers(timezone.now())
    suspensions.sweep_suspended(timezone.now())


@shared_task
def finish_long_game(game: int) -> None:
    interventions.finish_long_game(game, timezone.now())


@shared_task
def sweep_full_games() -> None:
    full_games.sweep_full_games(timezone.now())


@shared_task
def book_scores(ruleset: str) -> None:
    book.book(ruleset)


@shared_task
def collect_statistics() -> None:
    statistics.collect()
    calibration.collect()


@shared_task
def sweep_duplicates() -> None:
    duplicates.sweep_duplicates(timezone.now())


@shared_task
def sweep_scores() -> None:
    book.sweep()


@shared_task
def settle_challenge(game: int) -> None:
    ladder_sweep.contest_ended(game, timezone.now())


@shared_task
def sweep_ladders() -> None:
    ladder_sweep.sweep(timezone.now())


@shared_task
def settle_match(game: int) -> None:
    pools.contest_ended(game, timezone.now())


@shared_task
def look_at_pool(pool: int) -> None:
    pools.take_due_steps(pool, timezone.now())


@shared_task
def sweep_pools() -> None:
    pools.sweep(timezone.now())


@shared_task
def look_at_tournament(tournament: int) -> None:
    tournament_steps.take_due_steps(tournament, timezone.now())


@shared_task
def sweep_tournaments() -> None:
    tournament_steps.sweep(timezone.now())


@shared_task
def sweep_seasons() -> None:
    season_steps.sweep(timezone.now())


@shared_task
def tell_news(news: int) -> None:
    season_news.tell_all(news)


@shared_task
def sweep_seeks() -> None:
    seeks.sweep(timezone.now())


@shared_task
def post_to_webhook(hook: int) -> None:
    webhooks.deliver(hook)


@shared_task
def sweep_webhooks() -> None:
    webhooks.sweep(timezone.now())


@shared_task
def sweep_lessons() -> None:
    lessons.sweep(timezone.now())


@shared_task
def close_stale_tables() -> None:
    lobby.close_stale_tables(timezone.now())


@shared_task
def send_notice(notice: int) -> None:
    deliver.deliver_with_others(notice)


@shared_task
def send_due(channel: str) -> None:
    note_begun("games.tasks.send_due", channel)
    deliver.deliver_due(channel)


@shared_task
def sweep_notices() -> None:
    for channel in Channel.values:
        delay_on_commit("games.tasks.sweep_channel", channel)


@shared_task
def correct_notice_times() -> None:
    deliver.correct_times(timezone.now())


@shared_task
def sweep_channel(channel: str) -> None:
    deliver.sweep_channel(channel)
