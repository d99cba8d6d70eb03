"""Duplicates: several tables that play the same deal at the same time and are compared at the end.

Nothing is dealt before all tables start, so nobody who joins has seen anything. Rulings: docs/rulings.md, duplicates.
"""

import secrets
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from math import ceil
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext_lazy

from accounts.http import AGAIN
from accounts.models import User
from accounts.moderation import newcomers
from accounts.moderation.services import need_tables
from empire.on_commit import delay_on_commit
from games.contests.models import Score
from games.contests.pairing import apart
from games.errors import GameError, NotFound, NotYours, TableError
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import gettext_later as _
from games.notices.outbox.words import later
from games.rules.fairness import SEED_BYTES
from games.tables.models import Block, Duplicate, DuplicateSeed, FullGame, FullStatus, Game, Seat, Status
from games.tables.models.game import STAND_IN, USUAL_CLOCK, new_game, new_public_id, public_id_of
from games.tables.services import lobby, places, start
from games.tables.services.start import options_of_new

FEWEST, MOST = 2, 8  # tables
FEWEST_PEOPLE = 2  # at a table
LATEST_START = timedelta(days=30)  # after the duplicate was opened
MOST_OPEN = 3  # duplicates of one opener that have not started


@transaction.atomic
def open_duplicate(
    *, user: User, ruleset: str, players: int, tables: int, clock: str = USUAL_CLOCK, full: bool = False,
    rated: bool = True, options: Mapping[str, Any] | None = None, starts_at: datetime | None = None,
    form: str = "",
) -> Duplicate:  # fmt: skip
    """Open a duplicate with the user in the first seat of its first table. Raises `GameError`.

    It starts when all seats are taken, or at `starts_at` with the players who have joined. `form` is the digest of the
    form that asks for it: if it is sent twice, it opens one.
    """
    rules = lobby.known_rules(ruleset)
    lobby.check_table(rules, players, (), options or {})
    lobby.check_clocks(clock, 12, "turn")
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # so that two tabs share the limits
    now = timezone.now()
    before = Duplicate.objects.filter(public_id=public_id_of(form)).first() if form else None
    if before and before.opener_id == user.pk and before.opened_at > now - AGAIN:
        return before
    lobby.check_not_too_many(user)
    opened = Duplicate.objects.filter(opener=user)
    if opened.filter(started_at=None, ended_at=None).count() >= MOST_OPEN:
        sentence = gettext(
            "You already have {n} duplicates waiting for players. Wait until one of them starts, or join one that "
            "someone else has opened."
        )
        raise TableError(sentence.format(n=MOST_OPEN))
    too_many = ngettext_lazy(
        "New accounts can open %(n)d duplicate a day. Join one that someone else has opened, or wait until tomorrow.",
        "New accounts can open %(n)d duplicates a day. Join one that someone else has opened, or wait until tomorrow.",
        "n",
    )
    newcomers.need_few(user, opened, "opened_at", settings.NEW_ACCOUNT_TABLES, too_many)
    if not FEWEST <= tables <= MOST:
        raise TableError(gettext("A duplicate needs two to eight tables."))
    if starts_at and not now < starts_at <= now + LATEST_START:
        raise TableError(
            gettext("A duplicate must start within 30 days. Choose an earlier time that is still in the future.")
        )
    chosen = options_of_new(rules, options)
    facts: dict[str, Any] = {
        "ruleset": ruleset, "players": players, "clock": clock, "rated": rated, "options": chosen
    }  # fmt: skip
    duplicate = Duplicate.objects.create(
        **facts, tables=tables, full=full, opener=user, opened_at=now, starts_at=starts_at,
        public_id=public_id_of(form) if form and not before else new_public_id(),
    )  # fmt: skip
    for _table in range(tables):
        contest = FullGame.objects.create(**facts, opened_at=now) if full else None
        new_game(
            **facts, rules_version=rules.version, duplicate=duplicate, is_withheld=True, full_game=contest,
            opened_at=now,
        )  # fmt: skip
    join(public_id=duplicate.public_id, user=user)
    return duplicate


@transaction.atomic
def join(*, public_id: str, user: User) -> Game:
    """Take a free seat. The last player to join starts all tables. Raises `GameError`.

    Who plays at which table is drawn at the start, so blocks don't matter before it. A player who is already in the
    duplicate keeps their seat. Return the game in which they have it.
    """
    need_tables(user)
    duplicate = _lock(public_id)
    own_seats = Seat.objects.filter(Q(owner=user) | Q(user=user), game__duplicate=duplicate)
    own_seat = own_seats.select_related("game").order_by("-game__number").first()
    if own_seat:
        return own_seat.game
    open_games = _open_games(duplicate)
    if not open_games:
        raise TableError(gettext("This duplicate has already started. Join another one."))
    taken = {game.pk: set(Seat.objects.filter(game=game).values_list("number", flat=True)) for game in open_games}
    free = [game for game in open_games if len(taken[game.pk]) < game.players]
    game = max(free, key=lambda game: len(taken[game.pk]))
    places.need_place(game, user)
    number = min(set(range(game.players)) - taken[game.pk])
    seat = Seat.objects.create(game=game, number=number, user=user, owner=user, name=user.username)
    lobby.refresh_pages(game)
    if sum(map(len, taken.values())) + 1 == duplicate.tables * duplicate.players:
        _draw(open_games, [duplicate.players] * duplicate.tables)
        seat = Seat.objects.get(game__in=open_games, owner=user)
        _begin(duplicate, open_games, now=timezone.now(), starter=seat)
    return next(game for game in open_games if game.pk == seat.game_id)


@transaction.atomic
def leave(*, public_id: str, user: User) -> Duplicate:
    """Leave a duplicate that has not started. Leaving again has no effect. Raises `GameError`."""
    duplicate = _lock(public_id)
    own_seats = Seat.objects.filter(game__duplicate=duplicate, owner=user)
    if duplicate.started_at is None and not own_seats.exists():
        return duplicate
    seat = own_seats.filter(game__status=Status.OPEN).select_related("game").first()
    if seat is None:
        raise NotYours(gettext("You have no seat in this duplicate, or it has already started."))
    seat.delete()
    lobby.refresh_pages(seat.game)
    return duplicate


# Starting all tables together


def _draw(games: Sequence[Game], counts: Sequence[int]) -> None:
    """Draw the tables and seats of the people who have joined. `counts` are the people at each table.

    If possible, nobody sits with someone who has blocked them. Because everyone's table is drawn, a player who is kept
    away from another cannot tell. With too many people, the last who joined are put together at the next table, which
    is about to be closed, so that they are notified with it.
    """
    seats = Seat.objects.filter(game__in=games).select_related("user").order_by("pk")
    people = {seat.user.pk: seat.user for seat in seats if seat.user}
    Seat.objects.filter(game__in=games).delete()
    drawn, left_out = list(people)[: sum(counts)], list(people)[sum(counts) :]
    secrets.SystemRandom().shuffle(drawn)
    unseated = iter(drawn)
    groups = apart.exchanged([list(islice(unseated, count)) for count in counts], _blocks(people))
    Seat.objects.bulk_create(
        Seat(game=game, number=number, user=people[pk], owner=people[pk], name=people[pk].username)
        for game, group in zip(games, [*groups, left_out], strict=False)
        for number, pk in enumerate(group)
    )


def _blocks(people: Collection[int]) -> set[frozenset[int]]:
    """Return the pairs of these people in which one has blocked the other."""
    return set(map(frozenset, Block.objects.filter(user__in=people, blocked__in=people).values_list("user", "blocked")))


def _begin(duplicate: Duplicate, games: Sequence[Game], *, now: datetime, starter: Seat | None = None) -> None:
    """Deal at all tables. Every seat is taken. The seed is drawn only now."""
    DuplicateSeed.objects.create(duplicate=duplicate, secret=secrets.token_bytes(SEED_BYTES))
    duplicate.started_at = now
    duplicate.save(update_fields=["started_at"])
    FullGame.objects.filter(games__in=games).update(status=FullStatus.RUNNING)
    for game in games:
        start.begin(game=game, now=now, starter=starter if starter and starter.game_id == game.pk else None)
    places.remember(Seat.objects.filter(game__in=games).select_related("game"))


def start_due_duplicates(now: datetime) -> int:
    """Start the duplicates that are due, with the players who have joined. Return how many were started or canceled.

    A duplicate without a start time that does not fill up in time is canceled, like other tables.
    """
    is_due = Q(starts_at__lte=now) | Q(starts_at=None, opened_at__lt=now - lobby.STALE_AFTER)
    due = Duplicate.objects.filter(is_due, started_at=None, ended_at=None).order_by("pk")
    begun = 0
    for pk in list(due.values_list("pk", flat=True)[:100]):
        try:
            begun += _start(pk, now)
        except GameError:  # the rules refuse the set-up: cancel the duplicate, so that it does not block others
            begun += _start(pk, now, is_off=True)
    return begun


@transaction.atomic
def _start(pk: int, now: datetime, *, is_off: bool = False) -> bool:
    """Start a duplicate, or cancel it if too few have joined or `is_off`. Return false if it is not open anymore."""
    duplicate = Duplicate.objects.select_for_update().filter(pk=pk, started_at=None, ended_at=None).first()
    if duplicate is None:
        return False
    games = _open_games(duplicate)
    people = Seat.objects.filter(game__in=games).count()
    counts = [] if is_off or duplicate.starts_at is None else shares(people, duplicate.tables, duplicate.players)
    if counts:
        _draw(games, counts)
        for game, count in zip(games, counts, strict=False):
            lobby.seat_bots(game, [STAND_IN] * (game.players - count))
        _begin(duplicate, games[: len(counts)], now=now)
    for game in games[len(counts) :]:
        lobby.close(game)
    if not counts:
        duplicate.ended_at, duplicate.result = now, []
        duplicate.save(update_fields=["ended_at", "result"])
    return True


def shares(people: int, tables: int, players: int) -> list[int]:
    """Return how many people play at each table: few tables, filled evenly. Empty with too few for two tables."""
    count = min(tables, max(FEWEST, ceil(people / players)), people // FEWEST_PEOPLE)
    if count < FEWEST:
        return []
    seated = min(people, count * players)
    return [seated // count + (number < seated % count) for number in range(count)]


def _open_games(duplicate: Duplicate) -> list[Game]:
    """Lock and return the games that have not started."""
    return list(Game.objects.select_for_update().filter(duplicate=duplicate, status=Status.OPEN).order_by("pk"))


# Ending


def contest_ended(game: Game, now: datetime) -> None:
    """Compare the results and reveal all games if this was the last contest of its duplicate."""
    if game.duplicate_id is not None:
        settle(game.duplicate_id, now)


@transaction.atomic
def settle(pk: int, now: datetime) -> bool:
    """End the duplicate if no game of it is left to play. Return whether it ended."""
    duplicate = Duplicate.objects.select_for_update().filter(pk=pk, ended_at=None, started_at__isnull=False).first()
    if duplicate is None or unfinished().filter(duplicate=duplicate).exists():
        return False
    # 1. A line for each person: points, and the difference from the other people in that seat on average
    tables: dict[int, list[Score]] = defaultdict(list)
    for score in Score.objects.filter(game__duplicate=duplicate).order_by("game", "seat").select_related("game"):
        tables[score.game_id].append(score)
    contests = list(tables.values())
    differences = compared([[None if score.bot else score.points for score in scores] for scores in contests])
    lines: list[dict[str, Any]] = [
        {
            "name": score.name, "user": score.user_id, "seat": score.seat, "table": number, "points": score.points,
            "difference": round(difference, 6),  # so that equal averages are equal
            "game": score.game.public_id,
        }
        for number, (scores, table_differences) in enumerate(zip(contests, differences, strict=True), start=1)
        for score, difference in zip(scores, table_differences, strict=True)
        if not score.bot
    ]  # fmt: skip
    lines.sort(key=lambda line: (-line["difference"], line["seat"], line["table"]))
    for line in lines:
        line["place"] = sum(other["difference"] > line["difference"] for other in lines) + 1
    duplicate.ended_at, duplicate.result = now, lines
    duplicate.save(update_fields=["ended_at", "result"])

    # 2. Reveal the games. Ratings, achievements and histories date their results to this moment, so that results that
    #    nobody knew do not change what has been earned since.
    games = Game.objects.filter(duplicate=duplicate, status__in=[Status.FINISHED, Status.VOID])
    FullGame.objects.filter(games__in=games).update(listed=True)
    Score.objects.filter(game__in=games).update(listed=True, ended_at=now)
    games.update(is_withheld=False, listed=True)
    delay_on_commit("games.tasks.book_scores", duplicate.ruleset)
    places.forget_addresses(duplicate)

    # 3. Notices to the players
    for line in lines:
        reader = User.objects.filter(pk=line["user"], is_active=True).first()
        if reader:
            is_tied = sum(other["place"] == line["place"] for other in lines) > 1
            lead = (
                _(
                    "Compared with the other players in your seat, you scored {difference} points: tied for place "
                    "{place} of {number}."
                )
                if is_tied
                else _(
                    "Compared with the other players in your seat, you scored {difference} points: place {place} of "
                    "{number}."
                )
            )
            if not duplicate.winners:
                lead = _("Only your table was played to its end, so there is nothing to compare.")
            values = {"difference": later(signed, line["difference"]), "place": line["place"], "number": len(lines)}
            outbox.tell_user(
                kind=Kind.ENDED, user=reader, about=f"duplicate.{duplicate.pk}", title=_("The duplicate has ended"),
                lead=lead.format(**values), url=duplicate.get_absolute_url(),
            )  # fmt: skip
    return True


def compared(points: Sequence[Sequence[int | None]]) -> list[list[float]]:
    """Compare results seat by seat, which cancels out luck. `points` are by table, then by seat; None for a bot.

    Return for each seat how many points more, or fewer, it scored than the other people in that seat on average. This
    is 0 for bots, and if no other person had the seat.
    """
    differences: list[list[float]] = []
    for table, own_points in enumerate(points):
        other_tables = [other for number, other in enumerate(points) if number != table]
        differences.append([])
        for seat, own in enumerate(own_points):
            others = [score for score in (other[seat] for other in other_tables) if score is not None]
            differences[-1].append(own - sum(others) / len(others) if others and own is not None else 0.0)
    return differences


def signed(difference: float) -> str:
    """Format a difference with its sign and one decimal: `+1.5`, `−0.5`, `±0.0`."""
    sign = "+" if difference > 0 else "−" if difference < 0 else "±"
    return sign + number_format(round(abs(difference), 1), 1)


def unfinished() -> Any:
    """Return a query for games whose contest is not finished."""
    has_score = Exists(Score.objects.filter(game=OuterRef("pk")))
    goes_on = Exists(Game.objects.filter(full_game=OuterRef("full_game"), number__gt=OuterRef("number")))
    begun = Game.objects.exclude(status__in=[Status.CLOSED, Status.VOID])
    return begun.exclude(has_score).exclude(goes_on)


def sweep_duplicates(now: datetime) -> int:
    """Start duplicates that are due, and end those whose last contest has ended. Return how many ended."""
    start_due_duplicates(now)
    may_have_ended = Duplicate.objects.filter(ended_at=None, started_at__isnull=False).exclude(
        Exists(unfinished().filter(duplicate=OuterRef("pk")))
    )
    return sum(settle(pk, now) for pk in list(may_have_ended.values_list("pk", flat=True)[:100]))


def _lock(public_id: str) -> Duplicate:
    """Lock and return a duplicate that has not ended. Raises `NotFound` and `TableError`."""
    duplicate = Duplicate.objects.select_for_update().filter(public_id=public_id).first()
    if duplicate is None:
        raise NotFound
    if duplicate.ended_at:
        raise TableError(gettext("This duplicate has ended."))
    return duplicate
