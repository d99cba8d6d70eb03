"""A site under load: a million games, turns at a steady rate with page views and open pages, then the highest rate.

Everything is real: web processes, workers, beat, PostgreSQL, Redis, emails to a server. `load_seed` fills the database,
`load_drive` generates the load, `load_check` checks the result.
"""

import asyncio
import os
import resource
from collections import deque
from collections.abc import Iterator, Mapping
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from games.tables.models import Game
from tests.bench import Row, load_check, load_seed, load_site, rules, timed
from tests.bench.emails import in_work
from tests.bench.load_check import delays, spread
from tests.bench.load_drive import Driver, Stage, Table
from tests.bench.load_post import Taken, post, taken
from tests.bench.load_seed import Stored, session_key
from tests.bench.load_site import Site

YARDSTICK = rules.Case("", "legends", 4, {})  # measures the processor's speed
VIEWS = 20.0  # per second, in addition to the turns
STREAMS = 500
WARM = 0.25  # of the time, at half the rate: warms up caches before measuring
STEP, DOWN = 25.0, 10.0  # turns per second: more while it keeps up, fewer until it does
MOST = 200.0
MEDIAN, LATE, EMAILED = 0.25, 2.0, 5.0  # seconds: with slower answers or emails a site does not keep up
SHARE = 0.95  # of the requested turns
PATIENCE = 90.0  # seconds in which the emails of a stage must be sent


class Outcome(NamedTuple):
    """A stage: its emails, and its processor time by kind of process until the last email was sent."""

    stage: Stage
    emails: list[float]
    notices: int
    costs: Mapping[str, float]
    seconds: float
    is_drained: bool

    @property
    def keeps_up(self) -> bool:
        median, _most, late = spread(self.stage.turns)
        _median, _most, emailed = spread(self.emails)
        is_quick = median <= MEDIAN and late <= LATE and emailed <= EMAILED
        is_whole = self.stage.achieved >= SHARE * self.stage.rate and not self.stage.errors
        return is_quick and is_whole and self.is_drained


def rows(stored: int, rate: float, seconds: float) -> Iterator[Row]:
    """Measure with `stored` games at `rate` turns per second for `seconds`, then at other rates."""
    if connection.vendor != "postgresql" or not settings.REDIS_URL:
        raise CommandError("The load is for a site on servers: PostgreSQL and Redis.")
    yield Row("This machine now: Legends, 4 players, random play", rules.speeds(rules.speed(YARDSTICK, 2.0)))
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    filled: list[Stored] = []
    took = timed(lambda: filled.append(load_seed.fill(stored))).wall / 1000
    kept = filled[0]
    yield Row(
        f"{stored:,} games, {stored // 5:,} running, {kept.count:,} with their logs, {len(kept.people):,} players",
        f"seeded in {took:.0f} s, {load_seed.size():,} MB",
    )
    tables = [table(kept, pk, public_id) for pk, public_id in ids(kept)]
    call_command("sprites", stdout=StringIO())  # as before the first start of a site
    folder = Path(settings.VAR_DIR)
    book, host, port = folder / "emails", settings.EMAIL_HOST, settings.EMAIL_PORT
    with post(host, port, book) as sink, load_site.running(folder / "logs") as site:
        site.processes["mail server"] = [sink]
        site.processes["generator"] = [os.getpid()]
        yield from measured(Load(site, book, tables), rate, seconds)


def ids(kept: Stored) -> list[tuple[int, str]]:
    games = Game.objects.filter(pk__gte=kept.first, pk__lt=kept.first + kept.count)
    return list(games.order_by("pk").values_list("pk", "public_id"))


def table(kept: Stored, pk: int, public_id: str) -> Table:
    model = kept.model(pk)
    sessions = tuple(session_key(kept.player(pk, seat)) for seat in range(model.players))
    return Table(pk, public_id, model.entries[-1].seq, deque(model.turns), sessions)


class Load:
    """The running site and its simulated users."""

    def __init__(self, site: Site, book: Path, tables: list[Table]) -> None:
        self.site, self.book, self.tables = site, book, tables
        self.driver = Driver(site.ports, tables, STREAMS)

    def run(self, rate: float, seconds: float, views: float = VIEWS) -> Outcome:
        """Run one stage, until its emails are sent."""
        stage = Stage(rate, views, seconds)
        began, before = asyncio.run(self.play(stage))
        ended = timezone.now()
        is_drained = load_site.wait_until(lambda: not in_work(), PATIENCE)
        costs = {kind: spent - before[kind] for kind, spent in self.site.costs().items()}
        seconds_late, count = delays(self.taken(), began, ended)
        return Outcome(stage, seconds_late, count, costs, (timezone.now() - began).total_seconds(), is_drained)

    async def play(self, stage: Stage) -> tuple[datetime, Mapping[str, float]]:
        """Run the stage. Return the time and the processor times at its beginning, when its pages are open."""
        async with self.driver.listening(stage):
            began, before = timezone.now(), self.site.costs()
            await self.driver.run(stage)
        return began, before

    def taken(self) -> Taken:
        return taken(self.book)


def measured(load: Load, rate: float, seconds: float) -> Iterator[Row]:
    began, stood = timezone.now(), load_check.last_entries(load.tables)
    load.run(rate / 2, max(5.0, WARM * seconds))
    alone = load.run(0, max(5.0, seconds / 6))
    yield Row(f"{VIEWS:.0f} page views a second alone", answered(alone.stage.pages), "25 ms")
    main = load.run(rate, seconds)
    yield from rows_of(main)
    yield from costs(main, alone)
    best = main if main.keeps_up else None
    yield verdict(main)
    for other in others(rate, main.keeps_up):
        outcome = load.run(other, max(5.0, seconds / 3))
        yield verdict(outcome)
        best = outcome if outcome.keeps_up else best
        if outcome.keeps_up != main.keeps_up:
            break
    most = f"{best.stage.rate:.0f} turns a second" if best else "less than any of these"
    yield Row("Sustained", most, "50, 100 hoped for")
    yield from checked(load, stood, began)


def others(rate: float, keeps_up: bool) -> Iterator[float]:
    """Yield the rates to try next."""
    step = STEP if keeps_up else -DOWN
    while 0 < (rate := rate + step) <= MOST:
        yield rate


def rows_of(outcome: Outcome) -> Iterator[Row]:
    stage = outcome.stage
    alongside = f"{stage.views:.0f} page views a second, {STREAMS} open pages"
    label = f"{stage.rate:.0f} turns a second for {stage.seconds:.0f} s, {alongside}"
    yield Row(label, f"{len(stage.turns):,} accepted, {stage.achieved:.1f} a second, errors: {mistakes(stage)}", "50")
    yield Row("  turn submitted and answered with the table", answered(stage.turns), "30 ms")
    yield Row("  page views", answered(stage.pages), "25 ms")
    yield Row("  open pages told of it", answered(stage.news), "2 s")
    yield Row("  open pages that show the new table", answered(stage.refreshed), "2 s")
    emails = f"{answered(outcome.emails)}; {emailed(outcome)}"
    yield Row("  from the turn to the email server’s confirmation", emails, "5 s")
    yield Row("  load average of the machine", " ".join(f"{load:.1f}" for load in os.getloadavg()))


def answered(seconds: list[float]) -> str:
    median, most, late = (1000 * cut for cut in spread(seconds))
    return f"median {median:,.0f} ms, 95% {most:,.0f} ms, 99% {late:,.0f} ms"


def emailed(outcome: Outcome) -> str:
    late = "" if outcome.is_drained else f", and some not after {PATIENCE:.0f} s more"
    return f"{len(outcome.emails):,} emails for {outcome.notices:,} notices{late}"


def mistakes(stage: Stage) -> str:
    return ", ".join(f"{count} × {error}" for error, count in stage.errors.items()) or "none"


def costs(outcome: Outcome, alone: Outcome) -> Iterator[Row]:
    """Split the processor time into page views and turns; the cost of a page view is known from stage `alone`."""
    pages, turns = len(alone.stage.pages), len(outcome.stage.turns)
    for kind, spent in sorted(outcome.costs.items(), key=lambda pair: -pair[1]):
        page = alone.costs[kind] / max(pages, 1)
        rest = max(0.0, spent - page * len(outcome.stage.pages)) / max(turns, 1)
        share = 100 * spent / outcome.seconds
        each = f"{1000 * page:.1f} ms a page view, {1000 * rest:.1f} ms a turn"
        yield Row(f"  processor: {kind}", f"{spent:.1f} s, {share:.0f}% of a core; {each}")


def verdict(outcome: Outcome) -> Row:
    stage, (_median, _most, late) = outcome.stage, spread(outcome.emails)
    others = outcome.costs[load_site.OTHERS] / outcome.seconds
    used = sum(outcome.costs.values()) / outcome.seconds - others
    held = "keeps up" if outcome.keeps_up else "does not keep up"
    return Row(
        f"{stage.rate:.0f} turns a second for {stage.seconds:.0f} s: {held}",
        f"{stage.achieved:.1f} a second, {answered(stage.turns)}, emails 99% {late:.1f} s, {used:.2f} cores"
        f" and {others:.2f} of other programs, errors: {mistakes(stage)}",
    )


def checked(load: Load, stood: int, began: datetime) -> Iterator[Row]:
    problems = [*load_check.problems(load.tables, stood, load.taken(), began), *load.site.complaints()]
    accepted, replayed = sum(table.accepted for table in load.tables), len(load_check.sampled(load.tables))
    for problem in problems[:20]:
        yield Row("WRONG", problem)
    label = f"{accepted:,} turns, each in its log once; {replayed:,} logs replayed; emails; what processes logged"
    yield Row(label, f"{len(problems)} wrong" if problems else "all is as it should be")
