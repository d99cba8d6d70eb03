"""What lies beside the board: the players, the points by source, and the words for where the game stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.boards.faces import Face
from games.boards.themes import colours
from games.rules.empire.edition import edition
from games.rules.empire.state import BID, FIRST
from games.rules.empire.view import PlayerView, View
from games.rules.protocol import Scoresheet
from games.views.hand import card_face

BOARD_SOURCES = {
    "regions": gettext_noop("Regions"),
    "islands": gettext_noop("Islands"),
    "elixirs": gettext_noop("Elixirs"),
}
TIE_BREAKS = {
    "coins": gettext_noop("fewer coins left"),
    "armies": gettext_noop("fewer armies on the map"),
    "regions": gettext_noop("fewer regions controlled"),
}


@dataclass(frozen=True)
class PlayerPanel:
    """A player's side of the table. `change` is what the draft does to the points."""

    seat: int
    name: str
    colour: str
    is_me: bool
    is_acting: bool
    total: int
    change: int
    play: PlayerView
    cards: tuple[Face, ...]
    cards_owned: int
    bonuses: tuple[str, ...]


@dataclass(frozen=True)
class Source:
    """One row of the scoresheet: points by seat. `kind` is regions, islands, elixirs or card."""

    kind: str
    name: str
    points: tuple[int | None, ...]


@dataclass(frozen=True)
class Rank:
    """A seat in the result, and in words what put it behind an equal total."""

    seat: int
    name: str
    place: int
    total: int
    tie_break: str


def player_panels(view: View, before: View, names: Sequence[str], me: int | None) -> list[PlayerPanel]:
    """The players, beginning with the reader and then in the order of play."""
    first = me or 0
    order = [*range(first, len(view.players)), *range(first)]
    return [_panel(view, before, names[seat], seat, me) for seat in order]


def _panel(view: View, before: View, name: str, seat: int, me: int | None) -> PlayerPanel:
    play, total = view.players[seat], view.scoresheet.seats[seat].total
    return PlayerPanel(
        seat=seat,
        name=name,
        colour=colours(len(view.players))[seat].name,
        is_me=seat == me,
        is_acting=before.phase != BID and seat in before.to_act,
        total=total,
        change=total - before.scoresheet.seats[seat].total,
        play=play,
        cards=tuple(card_face(view.ruleset, card) for card in play.cards),
        cards_owned=view.cards_owned,
        bonuses=tuple(_bonuses(view, play)),
    )


def _bonuses(view: View, play: PlayerView) -> list[str]:
    said = []
    if play.more_armies:
        said.append(_("+{n} on each place").format(n=play.more_armies))
    if play.more_movement:
        said.append(_("+{n} on each move").format(n=play.more_movement))
    if play.crossing < edition(view.ruleset).crossing:
        said.append(_("crosses water for {n}").format(n=play.crossing))
    if play.immune:
        said.append(_("immune to attack"))
    return said


def sources(ruleset: str, sheet: Scoresheet) -> list[Source]:
    """The scoresheet by source: what the map gives, each card that scores, elixirs."""
    on_map = [_source(sheet, kind) for kind in ("regions", "islands")]
    lines = [line.source for score in sheet.seats for line in score.lines if line.source not in BOARD_SOURCES]
    cards = [_source(sheet, card, edition(ruleset).cards[card].name) for card in dict.fromkeys(lines)]
    return [*on_map, *cards, _source(sheet, "elixirs")]


def _source(sheet: Scoresheet, source: str, card_name: str = "") -> Source:
    by_seat = [[line.points for line in score.lines if line.source == source] for score in sheet.seats]
    points = tuple(sum(mine) if mine else None for mine in by_seat)
    return Source("card" if card_name else source, card_name or _(BOARD_SOURCES[source]), points)


def ranking(sheet: Scoresheet, names: Sequence[str]) -> list[Rank]:
    """The seats from the first place down."""
    return [
        Rank(
            score.seat,
            names[score.seat],
            score.place,
            score.total,
            _(TIE_BREAKS[score.tie_break]) if score.tie_break else "",
        )
        for score in sorted(sheet.seats, key=lambda score: score.place)
    ]


def winners_words(sheet: Scoresheet, names: Sequence[str], me: int | None) -> str:
    """Who has won, to the reader."""
    winners = [names[seat] for seat in sheet.winners]
    if sheet.winners == (me,):
        return _("You have won!")
    return ngettext("{names} has won", "{names} share the win", len(winners)).format(names=_and(winners))


def _and(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return _("{first} and {last}").format(first=", ".join(words[:-1]), last=words[-1])


def headline(view: View, names: Sequence[str], me: int | None, drafting: bool) -> str:
    """Where the game stands, in the words of the reader."""
    if view.over:
        return winners_words(view.scoresheet, names, me)
    if view.phase == BID:
        return _bid_words(view, me)
    acting = view.to_act[0] if view.to_act else None
    if acting is not None and acting == me:
        return _("You won the bid: who starts?") if view.phase == FIRST else _turn_words(drafting)
    if acting is None:
        return _("The game is being set up")
    words = _("{player} names who starts") if view.phase == FIRST else _("It is {player}’s turn")
    return words.format(player=names[acting])


def _bid_words(view: View, me: int | None) -> str:
    if me is None:
        return _("Everybody is bidding")
    return _("Your bid, please") if view.players[me].bid is None else _("Your bid is in")


def _turn_words(drafting: bool) -> str:
    return _("Your turn: make your steps") if drafting else _("Your turn: take a card")


def time_left(deadline: datetime | None, now: datetime) -> str:
    """How long there still is, as “1 day, 3 hours left”."""
    if deadline is None:
        return ""
    if deadline <= now:
        return _("time is up")
    return _("{time} left").format(time=timeuntil(deadline, now, depth=2))
