"""What a reader has missed: as sentences, as a replay, and as highlighted changes on the board."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.tables.selectors.table import ENTRY, LAST, LOOK, TURN, Table

KEPT = ("at", "from", "since")  # query parameters kept when highlights are toggled
MARKED = {
    LOOK: gettext_noop("Highlighted: changes since your last visit."),
    TURN: gettext_noop("Highlighted: changes since your last turn."),
    LAST: gettext_noop("Highlighted: changes from the last move."),
    ENTRY: gettext_noop("Highlighted: changes from this move."),
}
SHORT = 3  # up to this many sentences are shown unfolded


@dataclass(frozen=True)
class Since:
    """What the reader missed. `replay` and `further` are URLs, `further` for all since the last turn."""

    heading: str
    sentences: tuple[str, ...]
    is_open: bool
    replay: str
    replay_words: str
    further: str


@dataclass(frozen=True)
class Marking:
    """The meaning of the highlights on the board, and the URL that toggles them."""

    words: str
    is_on: bool
    url: str


def since(table: Table) -> Since | None:
    """Return what the others did, and what was done for the reader; None for spectators.

    Staff decisions are not included, because the page shows them separately.
    """
    period, me = table.period, table.seat.number if table.seat else None
    news = [line for line in table.fresh if not (line.taken_back or line.by_house)]
    theirs = [line for line in news if line.seat != me or line.by != "seat"]
    sentences = tuple(sentence for line in theirs for sentence in line.sentences)
    if me is None or period.kind not in (LOOK, TURN) or not sentences:
        return None
    is_more = period.kind == LOOK and table.last_turn is not None and table.last_turn < period.after
    return Since(
        heading=_heading(period.kind, len(sentences)),
        sentences=sentences,
        is_open=period.kind == LOOK and len(sentences) <= SHORT,
        replay=f"?at={period.after + 1}&from={period.after}",
        replay_words=_replay_words(period.kind, period.count),
        further=f"?since={TURN}" if is_more else "",
    )


def _heading(kind: str, n: int) -> str:
    if kind == TURN:
        words = ngettext("{n} event since your last turn", "{n} events since your last turn", n)
    else:
        words = ngettext("{n} event since your last visit", "{n} events since your last visit", n)
    return words.format(n=n)


def _replay_words(kind: str, n: int) -> str:
    if kind == TURN:
        return ngettext("Replay {n} move", "Replay {n} moves", n).format(n=n)
    return ngettext("Replay the {n} move you missed", "Replay the {n} moves you missed", n).format(n=n)


def is_marked(query: Mapping[str, str]) -> bool:
    """Return whether the reader wants highlights: their last choice, by default yes."""
    return query.get("marks") != "0"


def marking(table: Table, query: Mapping[str, str]) -> Marking:
    is_on = is_marked(query)
    kept = {name: query[name] for name in KEPT if query.get(name)}
    return Marking(_(MARKED[table.period.kind]), is_on, f"?{urlencode(kept | {'marks': int(not is_on)})}")
