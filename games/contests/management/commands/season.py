"""`manage.py season`: play a whole season of bots through the site's services, without waiting for clocks."""

from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from empire.on_commit import without_tasks
from games.bots.registry import BOTS
from games.contests import pools
from games.contests.leagues import services, sweep
from games.contests.leagues.divisions import division_name, table
from games.contests.models import League, Match, MatchState, Pool, Season, SeasonState
from games.contests.models.scores import in_contest
from games.contests.pairing import round_robin
from games.contests.terms.declaration import LeagueTerms
from games.errors import GameError
from games.rules.registry import RULESETS
from games.tables.models import Seat, Status
from games.tables.services.bots import play_bot

USUAL = 6  # players per division, if possible


class Command(BaseCommand):
    help = "Play a season of bots in a new league, on the site's database, and print the standings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--bots", type=int, default=24, metavar="N", help="number of bots (24)")
        parser.add_argument("--kinds", type=kinds, default=["random"], help="kinds of bots, used in turn: easy,medium")
        parser.add_argument("--ruleset", choices=RULESETS, default="legends")
        parser.add_argument("--players", type=int, default=2, help="players per game (2)")
        parser.add_argument("--division", type=int, help=f"players per division ({USUAL}, or close to it)")
        parser.add_argument("--single", action="store_true", help="single games instead of full games of three")

    def handle(self, *args: Any, **chosen: Any) -> None:
        with without_tasks():
            try:
                season = begin(chosen)
            except GameError as refusal:
                raise CommandError(str(refusal)) from None
            while season.state == SeasonState.RUNNING:
                play_on(season)
                season.refresh_from_db()
        self.show(season)

    def show(self, season: Season) -> None:
        self.stdout.write(f"{season.league.name}: {season.league.get_absolute_url()}")
        for pool in season.pools.order_by("tier", "number"):
            self.stdout.write(f"\n{division_name(pool.tier, pool.number)}")
            standings = table(pool)
            for line in standings.lines:
                entrant = standings.entrants[line.entrant]
                points = f"{line.points / 2:g} of {line.possible / 2:g}"
                self.stdout.write(f"{line.place:>3}  {entrant.name:<20} {points:>12}  {entrant.get_outcome_display()}")


def kinds(text: str) -> list[str]:
    unknown = sorted({slug for slug in text.split(",") if slug not in BOTS})
    if unknown:
        raise ArgumentTypeError(f"there is no bot {', '.join(unknown)}; there are {', '.join(BOTS)}")
    return text.split(",")


@transaction.atomic
def begin(chosen: dict[str, Any]) -> Season:
    """Return a running season of a new league without an organizer and without further seasons.

    A refused season leaves no league.
    """
    sizes = round_robin.sizes(chosen["players"])
    division = chosen["division"] or min(sizes or [USUAL], key=lambda size: abs(size - USUAL))
    terms = LeagueTerms(
        name=f"Bots {League.objects.filter(slug__startswith='bots').count() + 1}", ruleset=chosen["ruleset"],
        players=chosen["players"], full=not chosen["single"], rated=False, bots=True, division=division, weeks=52,
        late=0, hours_from=0,
    )  # fmt: skip
    organizer = User(username="organizer", is_staff=True, is_superuser=True)
    league = services.create_site_league(terms)
    season = services.open_league(league=league, user=organizer)
    for n in range(chosen["bots"]):
        services.enter_bot(league=league, user=organizer, bot=chosen["kinds"][n % len(chosen["kinds"])])
    season = services.start_now(season=season, user=organizer)
    services.close_league(league=league, user=organizer)
    return season


def play_on(season: Season) -> None:
    """Do what sweeps do for each division, and play its running games to the end."""
    now = timezone.now()
    for pk in Pool.objects.filter(season=season).order_by("pk").values_list("pk", flat=True):
        pools.take_due_steps(pk, now)
    playing = Match.objects.filter(pool__season=season, state=MatchState.PLAYING)
    for match in playing.order_by("pk"):
        while seat := waiting_for(match):
            was_played = play_bot(game=seat.game_id, seat=seat.number)
            still_waits = Seat.objects.filter(pk=seat.pk, owes=True, game__seq=seat.game.seq)
            if not was_played and still_waits.exists():  # a worker of the running site may have taken the turn first
                raise CommandError(f"A bot did not play in game {seat.game_id}.")
    sweep.end(season.pk, now)


def waiting_for(match: Match) -> Seat | None:
    waiting = Seat.objects.filter(in_contest(match, "game__full_game"), owes=True, user=None)
    return waiting.filter(game__status=Status.RUNNING).select_related("game").first()
