"""The parts of the table page that all games share: heading, log, news, clock, history and result.

Each family of games adds its own parts, see `games.tables.families`.
"""

import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from accounts.http import whole_number
from empire.web.live import Versions, live_url
from games.notices.outbox.words import enumerated
from games.rules.protocol import Scoresheet
from games.tables.lessons import LESSONS
from games.tables.lessons.lesson import LEARNER
from games.tables.models import GAMES, Game
from games.tables.models.log import By
from games.tables.pages.clocks import ClockWords, HandoverSentence, clock_words
from games.tables.pages.history import History, Marking, Since, history, is_marked, marking, since
from games.tables.pages.result import Result, result_of
from games.tables.selectors import chat
from games.tables.selectors.lines import LogLine, turn_lines
from games.tables.selectors.table import (
    ENTRY,
    LAST,
    LOOK,
    NEW,
    NoUndo,
    OpenUndoRequest,
    Table,
    undo_request_for_reader,
    why_no_undo,
)

STOPS = (".", "!", "?", "…", "”")  # a screen reader pauses after them
LONGEST_SPOKEN = 600  # letters of what others did that screen readers read out; of more, only its size
LONGEST_FILM = 8  # turns that count; of more news only the last are played
MOST_REPLAYED = 1000  # entries: a film replays the log from its beginning. Random games have up to 503
Draw = Callable[[Table, int], dict[str, Any]]  # of a family: what happened after an entry, as steps for player.js
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class LessonStep:
    """The text of a lesson for the learner: step `number` of `steps`.

    `marked` names what the page points at, such as a card, and `accepts` the actions whose buttons it points at.

    `is_over`: the last step is done, or the lesson `was_skipped`, or it `was_removed` from the site.
    """

    slug: str
    number: int
    steps: int
    todo: str
    why: str = ""
    marked: Sequence[str] = ()
    accepts: Sequence[str] = ()
    is_over: bool = False
    was_skipped: bool = False
    was_removed: bool = False
    has_orders: bool = False


def aloud(parts: Iterable[str]) -> str:
    """Join texts for screen readers, with a pause after each."""
    return " ".join(part if part.endswith(STOPS) else f"{part}." for part in parts if part)


@dataclass(frozen=True, kw_only=True)
class GameFacts:
    """The facts in “About this game”, as plain data, so that a page that already has them isn't sent them again.

    `is_own` says whether the reader owns a seat.
    """

    public_id: str
    ruleset: str
    rules_version: int
    name: str
    options: Mapping[str, Any]
    clock: str
    reply_hours: int
    has_orders: bool
    time_out: str
    plans: tuple[str, ...]
    handovers: tuple[HandoverSentence, ...]
    is_own: bool
    changes_ratings: bool
    admits_bots: bool
    started_at: datetime | None
    ended_at: datetime | None
    seed_hash: str


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The context of the templates in `tables/table/`, shared by all games.

    `parts` maps ids to templates of fragments that can be requested alone. `laid` is the reader's draft. `learned`
    is what only the reader learned from their last turn. `marking` is set if something on the board can be
    highlighted. `log_state` says which lines of the log the page has. `unread` counts unread messages.
    `undo_request` is the open one; `why_no_undo`: why the reader can't make one, or that they can. `film` is what
    player.js plays, with `plays_film` when the page opens. `lesson` is set for a learner. `owes`: while decisions are
    sealed, whether the reader's is due; else None.
    """

    template: ClassVar[str]
    result_template: ClassVar[str]
    keys_template: ClassVar[str]
    styles: ClassVar[tuple[str, ...]] = ()
    scripts: ClassVar[tuple[str, ...]] = ()
    parts: ClassVar[Mapping[str, str]] = {"film": "tables/table/_film.html"}

    game: Game
    url: str
    theme: str
    title: str
    headline: str
    seq: int
    head: str
    laid: str
    me: int | None
    names: Sequence[str]
    log: list[LogLine]
    log_state: str
    has_older: bool
    since: Since | None
    marking: Marking | None
    learned: list[str]
    decisions: list[str]
    deadline: datetime | None
    clocks: ClockWords
    facts: GameFacts
    history: History | None
    result: Result | None
    live: str
    alert: str
    unread: int
    undo_request: OpenUndoRequest | None
    why_no_undo: NoUndo | None
    film: dict[str, Any] | None
    plays_film: bool
    lesson: LessonStep | None
    owes: bool | None

    @property
    def step_template(self) -> str:
        """The template of what a step of the turn changes; empty if only the whole table will do."""
        return ""

    @property
    def scrolls_to_top(self) -> bool:
        """Whether what the reader has to choose from after an action is at the top, perhaps out of sight."""
        return False

    @property
    def spoken(self) -> list[str]:
        """The text for screen readers: what has just happened, the headline, and what the reader learned.

        It includes what others did until the reader lays out the first step of their turn.
        """
        happened = self.history.sentences if self.history else self.decisions
        if self.since and not self.laid:
            is_short = sum(map(len, self.since.sentences)) <= LONGEST_SPOKEN
            news = self.since.sentences if is_short else [self.since.heading]
            happened = [*self.since.late, *news, *happened]
        to_do = [self.lesson.todo, self.lesson.why] if self.lesson else []
        rematch = [self.result.rematch.words] if self.result and self.result.rematch else []
        return [*happened, self.headline, *self.learned, *filter(None, [*to_do, *rematch])]


def frame(
    table: Table,
    *,
    headline: str,
    over: bool,
    tie_breaks: Mapping[str, str],
    now: datetime,
    theme: str,
    alert: str,
    query: Mapping[str, str],
    has_marks: bool,
    draw: Draw | None = None,
    how: str = "",
) -> dict[str, Any]:
    """Return the fields of a `Frame`. `tie_breaks` maps tie-breaks of the scoresheet to untranslated words.

    `has_marks`: something on the board can be highlighted as new. `draw` makes the film of what happened. `how` tells
    how a game without points was won.
    """
    game, is_past = table.game, table.at is not None
    me, url = table.seat.number if table.seat else None, game.get_absolute_url()
    stepper = None
    if table.at is not None:
        begins = whole_number(query.get("from", ""), digits=6)
        stepper = history(table.at, game.seq, table.log, start=begins, now=url)
        if stepper.is_replay:
            headline = stepper.title
        elif table.at < game.seq:
            headline = _("Earlier position")
        else:
            headline = _("Current position") if game.is_running else _("Final position")
    elif game.is_void:
        headline = _("The game was canceled")
    clocks = clock_words(table, now)
    learned, decisions, result = [], [], None
    if not is_past:
        # What only the reader learned from their last turn, and staff decisions since then or since they last looked.
        own_lines = [line for line in turn_lines(table.log) if line.seat == me and me is not None]
        learned = list(own_lines[-1].learned) if own_lines else []
        decisions = [sentence for line in table.fresh if line.by_staff for sentence in line.sentences]
        if over and table.view is not None and not game.is_void:
            result = result_of(table, table.view.scoresheet, tie_breaks, how)
    return vars(
        Frame(
            game=game,
            url=url,
            theme=theme,
            title=title(game),
            headline=headline,
            seq=table.seq,
            head=table.head,
            laid=";".join(table.draft),
            me=me,
            names=table.names,
            log=table.log[::-1],
            log_state="" if is_past or not table.log else log_state(table, table.log[0].seq, table.seq),
            has_older=table.has_older,
            since=None if is_past else since(table),
            marking=marking(table, query) if has_marks else None,
            learned=learned,
            decisions=decisions,
            deadline=table.deadline,
            clocks=clocks,
            facts=facts(game, clocks),
            history=stepper,
            result=result,
            live="" if is_past or (over and not (result and result.rematch)) else live_address(table),
            alert=alert or table.stale,
            unread=chat.unread_count(game=game, seat=table.seat),
            undo_request=undo_request_for_reader(table),
            why_no_undo=why_no_undo(table),
            film=film(table, draw) if draw else None,
            plays_film=table.period.kind in (LOOK, NEW) and is_marked(query),
            lesson=lesson_step(table),
            owes=table.seat.owes if table.seat and game.sealed and not is_past else None,
        )
    )


def facts(game: Game, clocks: ClockWords) -> GameFacts:
    """Return the facts of a game that has begun."""
    return GameFacts(
        public_id=game.public_id,
        ruleset=game.ruleset,
        rules_version=game.rules_version,
        name=game.rules.name,
        options=game.options,
        clock=game.clock,
        reply_hours=game.reply_hours,
        has_orders=bool(game.rules.order_fields()),
        time_out=game.time_out,
        plans=clocks.plans,
        handovers=clocks.handovers,
        is_own=clocks.own is not None,
        changes_ratings=game.changes_ratings,
        admits_bots=game.admits_bots,
        started_at=game.started_at,
        ended_at=game.ended_at,
        seed_hash=game.seed_hash,
    )


def log_state(table: Table, oldest: int, newest: int) -> str:
    """Return which lines of the log a page has, with a digest of what their words depend on.

    A page sends it back, and gets these lines again unless they would have the same words (`lines_there`).
    """
    reader = table.seat.number if table.seat else None
    head = next((entry.digest for entry in reversed(table.entries) if entry.seq == newest), "")
    words = (head, table.names, reader, get_language(), get_current_timezone_name())
    return f"{oldest} {newest} {hashlib.sha256(repr(words).encode()).hexdigest()[:12]}"


def ends_of(state: str) -> list[int | None]:
    """Return the oldest and the newest line in a `log_state`; None if a page sent something else."""
    return [whole_number(number, digits=6) for number in (*state.split(), "", "")[:2]]


def lines_there(table: Table, state: str) -> range:
    """Return the numbers of the lines that a page has, from the `log_state` that it sends."""
    oldest, newest = ends_of(state)
    if table.at is not None or oldest is None or newest is None or not oldest <= newest <= table.seq:
        return range(0)
    return range(oldest, newest + 1) if state == log_state(table, oldest, newest) else range(0)


def live_address(table: Table) -> str:
    """Return where the page listens for news of the game, and of those rooms of the chat that the reader hears."""
    game, rooms = table.game, chat.rooms(table.seat)
    newest_message = Versions(game.version, game.last_messages).newest(rooms)
    player = table.seat.user_id if table.seat else None
    return live_url(game.public_id, game.version, table.reader, rooms=rooms, last_message=newest_message, player=player)


def film(table: Table, draw: Draw) -> dict[str, Any] | None:
    """Return what happened in the period that the page shows as new, for player.js; None if there is nothing to play.

    There is none of very long games either. `past`: it is an entry of the history. `own` turns are shown, not played.
    """
    me, period = table.seat.number if table.seat else None, table.period
    turns = [line.seq for line in turn_lines(table.log) if line.seq in period]
    after = turns[-LONGEST_FILM - 1] if len(turns) > LONGEST_FILM else period.after
    has_only_own = period.kind == LAST and me is not None
    if table.draft or has_only_own or not 0 <= after < period.upto <= MOST_REPLAYED:
        return None
    try:
        drawn = draw(table, after)
    except Exception:  # a film is an extra: without it the page is complete
        logger.exception("There is no film of game %s after entry %s", table.game.public_id, after)
        return None
    if not drawn:
        return None
    lines = {line.seq: line for line in table.log}
    moves = []
    for seq, steps in drawn.pop("steps").items():
        line = lines[seq]
        is_own = me is not None and line.seat == me and line.by == By.SEAT and period.kind != ENTRY
        moves.append({"seq": seq, "said": " ".join(line.sentences), "own": is_own, "steps": steps})
    return {"past": period.kind == ENTRY, "moves": moves, **drawn}


def lesson_step(table: Table) -> LessonStep | None:
    """Return what the lesson tells the learner now; None for other games, readers and positions."""
    game = table.game
    if not game.lesson or table.seat is None or table.at is not None:
        return None
    lesson = LESSONS.get(game.lesson)
    has_orders = bool(game.rules.order_fields())
    if lesson is None:  # a later version of the site has removed it
        todo = _("This lesson no longer exists.") if game.is_running else _("The lesson is over.")
        return LessonStep(game.lesson, 0, 0, todo, is_over=True, was_removed=True, has_orders=has_orders)
    if game.is_void:
        todo = _("You skipped this lesson.")
        return LessonStep(lesson.slug, 0, lesson.steps, todo, is_over=True, was_skipped=True, has_orders=has_orders)
    assert table.seat.number == LEARNER
    prompt = lesson.due(table.before, table.view, table.turn_complete)
    if prompt is None or not game.is_running:
        return LessonStep(lesson.slug, lesson.steps, lesson.steps, _(lesson.end), is_over=True, has_orders=has_orders)
    why = _(prompt.why) if prompt.why else ""
    return LessonStep(lesson.slug, prompt.number, lesson.steps, _(prompt.todo), why, prompt.marked, prompt.accepts)


def title(game: Game) -> str:
    if game.full_game is None:
        return _(game.rules.name)
    return _("{game}, game {number} of {count}").format(game=_(game.rules.name), number=game.number, count=GAMES)


def start_words(game: Game) -> str:
    """Return the first sentence of the notice about a start: which of three games, or that all players are here."""
    if game.full_game_id and game.number > 1:
        return _("Game {number} of {count} has started.").format(number=game.number, count=GAMES)
    if game.opener_id is None:  # such as matches, which begin without waiting for anyone
        return _("The game has started.")
    return _("Everyone is here, and the game has started.")


def winners_words(sheet: Scoresheet, names: Sequence[str], me: int | None) -> str:
    """Return who won, addressed to the reader."""
    winners = [names[seat] for seat in sheet.winners]
    if sheet.winners == (me,):
        return _("You won")
    return ngettext("{names} won", "{names} shared the win", len(winners)).format(names=enumerated(winners))


def from_reader(count: int, me: int | None) -> list[int]:
    """Return all seats, the reader's first, then in turn order."""
    first = me or 0
    return [*range(first, count), *range(first)]
