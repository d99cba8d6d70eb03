"""Posts to the webhooks of leagues and tournaments: claim, write, send, record.

The posts of a webhook go out one after the other, so that a result never arrives before its pairing. As for notices, a
claim is a conditional update that counts `attempts`, and expires: a worker that was killed loses no post, and the
program at the other end drops a repeated one by its id. What a post says is read from the files that everyone can
download (`sharing.rows`), so it holds nothing that is hidden.
"""

import logging
import time
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from empire.on_commit import delay_on_commit
from games.contests.interventions import last_decision
from games.contests.leagues.divisions import division_name
from games.contests.models import CompetitionHook, InterventionKind, MatchState, Post, Subject
from games.contests.pairing.crosstable import halves
from games.contests.sharing import rows
from games.contests.sharing.rows import Row, Sheet
from games.contests.tournaments.rounds import FINAL
from games.notices.delivery.channels import hook as channel
from games.notices.delivery.channels.brief import KEPT_FOR, Brief
from games.notices.delivery.deliver import BACK_OFF, LEASE, LONGEST_SWEEP
from games.notices.models import OPEN, NoticeReason, NoticeState
from games.notices.outlets import Gone, Refused, TryAgain

logger = logging.getLogger(__name__)

KEPT = timedelta(days=30)  # how long posts are listed
LONGEST_TEXT = 2500  # characters; Slack takes 3000 with the title


class Content(NamedTuple):
    """What a post says: a title and text for people, a link, and what it is about with its rows for programs."""

    title: str
    text: str
    url: str
    about: Row
    rows: list[Row]


def sweep(now: datetime) -> int:
    """Queue the webhooks with due posts, whose task was lost or which are tried again. Return how many there are.

    Each webhook has a task of its own, so that a slow host does not keep the others waiting. Old posts are deleted.
    """
    Post.objects.filter(written_at__lt=now - KEPT).exclude(state__in=OPEN).delete()
    waiting = Post.objects.filter(state__in=OPEN, due_at__lte=now).order_by("hook").values_list("hook", flat=True)
    hooks = list(waiting.distinct())
    for pk in hooks:
        delay_on_commit("games.tasks.post_to_webhook", pk)
    return len(hooks)


def deliver(pk: int) -> int:
    """Send the posts of a webhook in their order, until one has to wait. Return how many were accepted."""
    sent, began = 0, time.monotonic()
    while time.monotonic() - began < LONGEST_SWEEP:
        # 1. Claim the first one, unless it has to wait, or another worker has it
        now = timezone.now()
        post = Post.objects.filter(hook=pk, state__in=OPEN).select_related("hook").order_by("pk").first()
        if post is None or post.due_at > now:
            break
        claim = Post.objects.filter(pk=post.pk, state=post.state, attempts=post.attempts)
        if not claim.update(state=NoticeState.SENDING, attempts=post.attempts + 1, due_at=now + LEASE):
            break
        post.attempts += 1

        # 2. Write and send it
        try:
            with translation.override(settings.LANGUAGE_CODE), timezone.override(None):
                content = content_of(post) if post.hook.is_on else None
            if content is None:
                _end(post, NoticeState.DROPPED, NoticeReason.SETTLED if post.hook.is_on else NoticeReason.GONE)
                continue
            Post.objects.filter(pk=post.pk).update(title=content.title[:200])
            league, tournament = post.hook.league_id, post.hook.tournament_id
            owner = f"league {league}" if league else f"tournament {tournament}"
            channel.deliver(post.hook, brief(post, content), owner, about=content.about, rows=content.rows)
        except Gone as gone:
            CompetitionHook.objects.filter(pk=pk).update(off_because=gone.reason[:300])
            _end(post, NoticeState.FAILED, gone.reason)
        except Refused as refused:
            _end(post, NoticeState.FAILED, refused.reason)
        except TryAgain as trouble:
            _put_back(post, trouble.reason, trouble.after)
        except Exception as error:  # a bug must not lose the post
            logger.exception("Post %s could not be written.", post.pk)
            _put_back(post, f"{type(error).__name__}: {error}")
        else:
            sent += _end(post, NoticeState.SENT)
    return sent


def brief(post: Post, content: Content) -> Brief:
    text = content.text
    if len(text) > LONGEST_TEXT:
        text = text[:LONGEST_TEXT].rpartition("\n")[0] + "\n…"
    return Brief(
        key=f"{post.hook_id}.{post.key}", kind=post.subject, title=content.title[:200], text=text, url=content.url,
        topic="", until=KEPT_FOR,
    )  # fmt: skip


# 3. Record


def _end(post: Post, state: NoticeState, why: str = "") -> int:
    """Record the outcome, if the claim still holds. Return how many posts that were."""
    sent_at = timezone.now() if state == NoticeState.SENT else None
    return _claimed(post).update(state=state, why=why[:300], sent_at=sent_at)


def _put_back(post: Post, reason: str, after: timedelta = timedelta()) -> None:
    """Try again later, or give up after a day. If the webhook was turned off, the next attempt drops the post."""
    if post.attempts > len(BACK_OFF):
        _end(post, NoticeState.FAILED, reason)
        return
    due_at = timezone.now() + max(BACK_OFF[post.attempts - 1], after)
    _claimed(post).update(state=NoticeState.QUEUED, why=reason[:300], due_at=due_at)


def _claimed(post: Post) -> QuerySet[Post]:
    return Post.objects.filter(pk=post.pk, state=NoticeState.SENDING, attempts=post.attempts)


# What posts say


def content_of(post: Post) -> Content | None:
    """Return what the post says now, or None if a later post about the same match replaces it."""
    match = post.match
    if match is not None and Post.objects.filter(hook=post.hook_id, match=match, pk__gt=post.pk).exists():
        return None
    sheet, name = _sheet(post, "standings" if post.subject == Subject.STANDINGS else "results")
    if post.subject == Subject.STANDINGS:
        return _standings(post, sheet, name)
    quoted = [row for row in sheet.rows if post.round is None or row["round"] == post.round]
    if match is None:
        return _pairings(post, sheet, name, quoted)
    if "board" in sheet.columns:  # of a team league, which counts its team matches as tables
        board = match.board
        quoted = [row for row in quoted if (row["table"], row["board"]) == (board.team_match.number, board.number)]
        return _result(post, sheet, name, [row for row in quoted if row["round"] == match.round])
    quoted = [row for row in quoted if (row["round"], row["table"]) == (match.round, match.number)]
    if match.pool.tournament_id is not None:  # rounds and tables are counted in each group
        groups = ("", "final" if match.pool.stage == FINAL else str(match.pool.number))
        quoted = [row for row in quoted if row["group"] in groups]
    return _result(post, sheet, name, quoted)


def _sheet(post: Post, content: str) -> tuple[Sheet, str]:
    """Return the file that a post quotes, and the name of the division or tournament."""
    pool, tournament = post.pool, post.hook.tournament
    if tournament is not None:
        return rows.of_tournament(public_id=tournament.public_id, content=content), tournament.name
    assert pool is not None and pool.season is not None
    season = pool.season
    place = {"number": season.number, "tier": pool.tier, "division": pool.number}
    name = _("{league}, season {n}, {division}").format(
        league=season.league.name, n=season.number, division=division_name(pool.tier, pool.number)
    )
    return rows.of_division(slug=season.league.slug, content=content, **place), name


def _pairings(post: Post, sheet: Sheet, name: str, quoted: list[Row]) -> Content | None:
    if not quoted:
        return None
    if post.round is not None:
        title = _("{name}: pairings of round {round}").format(name=name, round=post.round)
        lines = _team_matches(quoted) if "board" in sheet.columns else [" – ".join(row["players"]) for row in quoted]
    else:
        title = _("{name}: pairings").format(name=name)
        line = _("Round {round}: {tables}")
        rounds = dict.fromkeys(row["round"] for row in quoted)
        tables = {n: ", ".join(" – ".join(row["players"]) for row in quoted if row["round"] == n) for n in rounds}
        lines = [line.format(round=n, tables=tables[n]) for n in rounds]
    return Content(title, "\n".join(lines), sheet.about["url"], sheet.about, quoted)


def _team_matches(quoted: list[Row]) -> list[str]:
    """Return a line for each team match, with the players on its boards."""
    teams = {row["table"]: " – ".join(row["teams"]) for row in quoted}
    boards: dict[int, list[str]] = {table: [] for table in teams}
    for row in quoted:
        boards[row["table"]].append(" – ".join(player or _("nobody") for player in row["players"]))
    line = _("{teams}: {boards}")
    return [line.format(teams=teams[table], boards=", ".join(boards[table])) for table in teams]


def _result(post: Post, sheet: Sheet, name: str, quoted: list[Row]) -> Content | None:
    if not quoted or post.match is None:
        return None
    (row,) = quoted
    title = _("{name}, round {round}: {players}").format(
        name=name, round=row["round"], players=" – ".join(row["players"])
    )
    if row["state"] == MatchState.ENDED:
        decision = last_decision(post.match)
        is_awarded = decision is not None and decision.kind == InterventionKind.AWARDED
        lines = [_board(row)] if "board" in row else _places(row, has_points=not is_awarded)
        if is_awarded:
            lines.append(_("An organizer decided this match."))
    elif row["state"] == MatchState.ANNULLED:
        lines = [_("This match was annulled. It doesn’t count.")]
    else:
        lines = [_("The decision was undone. The match is open again.")]
    return Content(title, "\n".join(lines), row["link"] or sheet.about["url"], sheet.about, quoted)


def _board(row: Row) -> str:
    """Return the result of a board of a team match."""
    points = " – ".join(halves(round(2 * points)) for points in row["board_points"])
    return _("{teams}, board {n}: {points}").format(teams=" – ".join(row["teams"]), n=row["board"], points=points)


def _places(row: Row, *, has_points: bool) -> list[str]:
    """Return a line for each player of a match that has ended, best first; with the points of the game, or without."""
    seats = sorted(zip(row["places"], row["players"], row["game_points"], strict=True))
    if not has_points:
        return [_("{place}. {player}").format(place=place, player=player) for place, player, _points in seats]
    return [
        ngettext("{place}. {player}: {n} point", "{place}. {player}: {n} points", n).format(
            place=place, player=player, n=n
        )
        for place, player, n in seats
    ]


def _standings(post: Post, sheet: Sheet, name: str) -> Content | None:
    if not sheet.rows:
        return None
    title = _("{name}: standings after round {round}").format(name=name, round=post.round)
    if post.round is None:
        title = _("{name}: final standings").format(name=name)
    lines = []
    groups = dict.fromkeys(row["group"] for row in sheet.rows)
    for group in groups:
        if len(groups) > 1:
            lines.append(_("Final") if group == "final" else _("Group {n}").format(n=group))
        for row in (row for row in sheet.rows if row["group"] == group):
            lines.append(_line(row))
    return Content(title, "\n".join(lines), sheet.about["url"], sheet.about, sheet.rows)


def _line(row: Row) -> str:
    """Return a line of the standings; a knockout has places only."""
    values: dict[str, Any] = {"place": row["place"] or "–", "player": row["player"]}
    if row["points"] is None:
        return _("{place}. {player}").format(**values)
    return _("{place}. {player}: {points} of {possible} points").format(
        **values, points=f"{row['points']:g}", possible=f"{row['possible']:g}"
    )
