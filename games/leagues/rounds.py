"""Rounds of duplicate play: opened with all tables, joined one by one, compared when the last has ended."""

import secrets
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.kinds import Kind
from accounts.models import User
from games.leagues.duplicate import compared
from games.leagues.models import FullGame, Round, RoundSeed, Score
from games.models import Block, Game, Handover, Seat, Status
from games.models.game import USUAL_CLOCK
from games.notices import outbox
from games.rules.fairness import SEED_BYTES
from games.services import lobby
from games.services.errors import NotFound, NotYours, TableError
from games.services.ids import new_game
from games.services.start import options_of_new

FEWEST, MOST = 2, 8  # tables


@transaction.atomic
def open_round(
    *, user: User, ruleset: str, players: int, tables: int, clock: str = USUAL_CLOCK, full: bool = False,
    rated: bool = True, options: Mapping[str, Any] | None = None,
) -> Round:  # fmt: skip
    """Open a round with the user in the first seat of its first table. Raises `GameError`."""
    rules = lobby.known_rules(ruleset)
    lobby.check_table(rules, players, (), options or {})
    lobby.check_clocks(clock, 12, "turn")
    lobby.check_not_too_many(user)
    if not FEWEST <= tables <= MOST:
        raise TableError(gettext("A round has two to eight tables."))
    facts = {
        "ruleset": ruleset,
        "players": players,
        "clock": clock,
        "rated": rated,
        "options": options_of_new(rules, options),
    }
    row = Round.objects.create(**facts, tables=tables, full=full, opener=user, opened_at=timezone.now())
    RoundSeed.objects.create(round=row, secret=secrets.token_bytes(SEED_BYTES))
    for _table in range(tables):
        _open_table(row, facts, rules.version)
    join(round_id=row.public_id, user=user)
    return row


def _open_table(row: Round, facts: Mapping[str, Any], version: int) -> Game:
    contest = FullGame.objects.create(**facts, opened_at=row.opened_at) if row.full else None
    return new_game(
        **facts, rules_version=version, round=row, is_withheld=True, full_game=contest, opened_at=row.opened_at
    )


@transaction.atomic
def join(*, round_id: str, user: User) -> Game:
    """Sit down at the fullest table that has room. Who sits in the round already stays there. Raises `GameError`."""
    row = _lock(round_id)
    mine = Q(owner=user) | Q(user=user) | Q(asked=user)
    seated = Seat.objects.filter(mine, game__round=row).select_related("game").first()
    if seated:
        return seated.game
    if Handover.objects.filter(to=user, seat__game__round=row).exists():
        raise TableError(gettext("You have stood in at a table of this round, so you know its deal."))
    blockers = Block.objects.filter(blocked=user).values("user")
    unwelcome = Seat.objects.filter(owner__in=blockers, game__round=row).values("game")
    waiting = Game.objects.select_for_update().filter(round=row, status=Status.OPEN).order_by("pk")
    open_games = list(waiting.exclude(pk__in=unwelcome))
    taken = {game.pk: set(Seat.objects.filter(game=game).values_list("number", flat=True)) for game in open_games}
    if not open_games:
        raise TableError(gettext("Too late: all tables of this round are full."))
    game = max(open_games, key=lambda one: len(taken[one.pk]))
    number = min(set(range(game.players)) - taken[game.pk])
    seat = Seat.objects.create(game=game, number=number, user=user, owner=user, name=user.username)
    lobby.show(game)
    lobby.begin_when_full(game, starter=seat, now=timezone.now())
    return game


@transaction.atomic
def leave(*, round_id: str, user: User) -> Round:
    """Stand up from a table of the round that has not begun."""
    row = _lock(round_id)
    seat = Seat.objects.filter(game__round=row, game__status=Status.OPEN, owner=user).select_related("game").first()
    if seat is None:
        raise NotYours(gettext("You do not sit at a table of this round that could still be left."))
    seat.delete()
    lobby.show(seat.game)
    return row


def contest_ended(game: Game, now: datetime) -> None:
    """Compare, and open the books, when this was the last contest of its round."""
    if game.round_id is not None:
        settle(game.round_id, now)


@transaction.atomic
def settle(pk: int, now: datetime) -> bool:
    """End the round if nothing of it is left to play. Whether it was."""
    row = Round.objects.select_for_update().filter(pk=pk, ended_at=None).first()
    if row is None or unfinished().filter(round=row).exists():
        return False
    row.ended_at, row.result = now, _result(row)
    row.save(update_fields=["ended_at", "result"])
    games = Game.objects.filter(round=row, status__in=[Status.FINISHED, Status.VOID])
    FullGame.objects.filter(games__in=games).update(listed=True)
    Score.objects.filter(game__in=games).update(listed=True)
    games.update(is_withheld=False, listed=True)
    _tell(row)
    return True


def unfinished() -> Any:
    """Games behind which something of their contest is still to come."""
    has_score = Exists(Score.objects.filter(game=OuterRef("pk")))
    goes_on = Exists(Game.objects.filter(full_game=OuterRef("full_game"), number__gt=OuterRef("number")))
    begun = Game.objects.exclude(status__in=[Status.CLOSED, Status.VOID])
    return begun.exclude(has_score).exclude(goes_on)


def _result(row: Round) -> list[dict[str, Any]]:
    """A line for each player: points, and how many more than the others in that seat had on average."""
    tables: dict[int, list[Score]] = defaultdict(list)
    for score in Score.objects.filter(game__round=row).order_by("game", "seat").select_related("game"):
        tables[score.game_id].append(score)
    contests = list(tables.values())
    differences = compared([[score.points for score in scores] for scores in contests])
    lines = [
        {
            "name": score.name, "user": score.user_id, "seat": score.seat, "table": number, "points": score.points,
            "difference": difference, "game": score.game.public_id,
        }
        for number, (scores, row_of) in enumerate(zip(contests, differences, strict=True), start=1)
        for score, difference in zip(scores, row_of, strict=True)
    ]  # fmt: skip
    return sorted(lines, key=lambda line: (-line["difference"], line["seat"], line["table"]))


def _tell(row: Round) -> None:
    for place, line in enumerate(row.result or (), start=1):
        reader = User.objects.filter(pk=line["user"], is_active=True).first()
        if reader:
            lead = gettext("Compared with the others in your seat you have {difference:+.1f} points: place {place}.")
            outbox.tell_user(
                kind=Kind.ENDED, user=reader, about=f"round.{row.pk}", title=gettext("The round has ended"),
                lead=lead.format(difference=line["difference"], place=place), url=row.get_absolute_url(),
            )  # fmt: skip


def sweep_rounds(now: datetime) -> int:
    """End rounds that stand still behind their last contest. Returns how many."""
    still = Round.objects.filter(ended_at=None).exclude(Exists(unfinished().filter(round=OuterRef("pk"))))
    return sum(settle(pk, now) for pk in list(still.values_list("pk", flat=True)[:100]))


def _lock(round_id: str) -> Round:
    row = Round.objects.select_for_update().filter(public_id=round_id).first()
    if row is None:
        raise NotFound
    if row.ended_at:
        raise TableError(gettext("This round has ended."))
    return row
