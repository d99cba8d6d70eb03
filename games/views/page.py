"""The table page as one value: everything its templates show, put into words and order. Templates only lay it out."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from empire.live import live_url
from games.boards.pieces import Marks, Step, Target, pieces
from games.leagues.models import GAMES
from games.models import Game
from games.rules.empire.view import View
from games.selectors.lines import Line
from games.selectors.table import Table
from games.views import panels
from games.views.boards import land_url
from games.views.choices import Tap, taps
from games.views.hand import Hand, Offer, hand, offers
from games.views.history import History, history


@dataclass(frozen=True)
class Board:
    """The land as an address for each theme that may be wanted, the pieces as SVG laid over it."""

    land: str
    dark: str
    pieces: SafeString


@dataclass(frozen=True)
class Result:
    """The end: who stands where, and what comes next."""

    ranks: list[panels.Rank]
    seed: str
    next_game: Game | None


@dataclass(frozen=True)
class LogLine:
    """An entry in sentences; `note` says when somebody else decided for the seat."""

    seq: int
    at: datetime
    sentences: tuple[str, ...]
    note: str
    new: bool


@dataclass(frozen=True)
class Page:
    """What the templates in `games/table/` read. `row` is the cards on offer where they are not to be taken."""

    game: Game
    url: str
    title: str
    headline: str
    seq: int
    me: int | None
    hand: Hand
    board: Board
    row: tuple[Offer, ...]
    deck: int
    purse: int
    players: list[panels.PlayerPanel]
    sources: list[panels.Source]
    log: list[LogLine]
    has_older: bool
    since: list[str]
    deadline: datetime | None
    time_left: str
    history: History | None
    result: Result | None
    live: str
    alert: str

    @property
    def by_seat(self) -> list[panels.PlayerPanel]:
        return sorted(self.players, key=lambda player: player.seat)

    @property
    def said(self) -> str:
        """What a screen reader hears after each step."""
        return self.alert or ". ".join([self.headline, *self.hand.said])


def page(table: Table, *, now: datetime, theme: str, chosen: str = "", alert: str = "") -> Page:
    """The page of a game that has started. `chosen` is the region that the reader has picked."""
    assert table.view is not None and table.before is not None
    me = table.seat.number if table.seat else None
    names = table.names
    view, before = table.view, table.before
    is_past = table.at is not None
    due = Hand("past") if is_past else hand(table, chosen)
    lines = [_log_line(line) for line in reversed(table.log)]
    return Page(
        game=table.game,
        url=table.game.get_absolute_url(),
        title=_title(table.game),
        headline=_("As it stood") if is_past else panels.headline(before, names, me, bool(table.draft)),
        seq=table.seq,
        me=me,
        hand=due,
        board=_board(view, table, due, theme),
        row=() if due.kind == "take" or before.over else offers(view),
        deck=view.deck,
        purse=0 if me is None else view.players[me].coins,
        players=panels.player_panels(view, before, names, me),
        sources=panels.sources(view.ruleset, view.scoresheet),
        log=lines,
        has_older=table.has_older,
        since=_since(table, me),
        deadline=table.deadline,
        time_left=panels.time_left(table.deadline, now),
        history=history(table.at, table.game.seq, table.log) if table.at is not None else None,
        result=_result(table) if before.over and not is_past else None,
        live="" if is_past or before.over else live_url(table.game.public_id, table.game.version),
        alert=alert or table.stale,
    )


def _title(game: Game) -> str:
    if game.full_game is None:
        return game.rules.name
    return _("{game}, game {number} of {count}").format(game=game.rules.name, number=game.number, count=GAMES)


def _board(view: View, table: Table, due: Hand, theme: str) -> Board:
    ink = "dark" if theme == "dark" else "light"
    drawn = pieces(view, _marks(table, due), names=table.names, translate=_, theme=ink)
    other = land_url(view.layout, "dark") if theme == "auto" else ""
    return Board(land=land_url(view.layout, ink), dark=other, pieces=mark_safe(drawn))


def _marks(table: Table, due: Hand) -> Marks:
    """What a tap does where, what is new, and the ways of the armies in the turn laid out or the last one."""
    chosen = due.chosen.region if due.chosen else ""
    live = taps({spot.region: spot for spot in due.spots}, chosen)
    targets = {region: Target(tap.words, _tap_url(region, tap), tap.action, tap.kind) for region, tap in live.items()}
    return Marks(targets, chosen, tuple(sorted(table.changed)), _ways(table))


def _tap_url(region: str, tap: Tap) -> str:
    return "?#board" if tap.kind == "cancel" else f"?region={region}#board"


def _ways(table: Table) -> tuple[Step, ...]:
    if table.draft and table.seat:
        return _moves(table.draft, table.seat.number)
    last = table.log[-1:] if not table.draft else []
    return tuple(way for line in last if line.seat is not None for way in _moves(line.actions, line.seat))


def _moves(actions: Iterable[str], seat: int) -> tuple[Step, ...]:
    """The moves among the steps of a turn."""
    words = [action.split(" ") for action in actions]
    return tuple(Step(rest[0], rest[1], seat) for verb, *rest in words if verb == "move")


def _log_line(line: Line) -> LogLine:
    note = _("Time was up, so a bot played this turn.") if line.by == "clock" else ""
    return LogLine(line.seq, line.at, line.sentences, note, line.new)


def _since(table: Table, me: int | None) -> list[str]:
    """What the others did since the reader looked, oldest first."""
    theirs = [line for line in table.log if line.new and (line.seat != me or line.by == "clock")]
    return [sentence for line in theirs for sentence in line.sentences] if me is not None else []


def _result(table: Table) -> Result:
    assert table.view is not None
    game = table.game
    following = game.full_game.games.filter(number=game.number + 1).first() if game.full_game else None
    return Result(panels.ranking(table.view.scoresheet, table.names), table.seed, following)
