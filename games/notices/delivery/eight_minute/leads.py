"""Titles and opening sentences of messages about the Eight-Minute family."""

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.notices.kinds import Kind
from games.notices.outbox.words import Lead, enumerated
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.state import BID, EXTRA, FIRST, LAY, NEUTRAL, OUTPOST, START, TOKENS
from games.rules.eight_minute.tokens import gifts
from games.rules.eight_minute.view import View
from games.tables.models import Seat


def lead_words(kind: str, view: View, seat: Seat, seats: list[Seat]) -> Lead:
    """Return the title and the opening sentence for the player of the seat in the current position."""
    return _KINDS[kind](view, seat, seats)


# What is asked of the seat


def _asked(view: View, seat: Seat) -> Lead:
    if view.phase in _ASKS:
        return _ASKS[view.phase](view, seat)
    coins = view.players[seat.number].coins
    lead = ngettext("It’s your turn. You have {n} coin.", "It’s your turn. You have {n} coins.", coins)
    return _("Your turn"), lead.format(n=coins)


def _bid(view: View, seat: Seat) -> Lead:
    coins = view.players[seat.number].coins
    words = ngettext(
        "Bid to choose who goes first. You have {n} coin. Your bid stays secret until everyone has bid.",
        "Bid to choose who goes first. You have {n} coins. Your bid stays secret until everyone has bid.",
        coins,
    )
    return _("Place your bid"), words.format(n=coins)


def _first(view: View, seat: Seat) -> Lead:
    return _("You won the bid"), _("You won the bid. Choose who goes first.")


def _set_up(view: View, seat: Seat) -> Lead:
    next_choice = {
        LAY: _("You are setting up this game. Place the boards."),
        START: _("You are setting up this game. Choose the starting region."),
        OUTPOST: _("You are setting up this game. Choose the overseas region where everyone has an army."),
        TOKENS: _("You are setting up this game. Place the tokens."),
    }
    return _("Set up the game"), next_choice[view.phase]


def _third_colour(view: View, seat: Seat) -> Lead:
    left = view.setup.third_colour if view.setup else 0
    lead = ngettext(
        "Place the last army of the third color.",
        "Place an army of the third color. {n} are left, and the two of you take turns placing them.",
        left,
    )
    return _("Place an army of the third color"), lead.format(n=left)


def _extra_card(view: View, seat: Seat) -> Lead:
    coins = view.players[seat.number].coins
    lead = ngettext(
        "All turns are over, but Fairy Queen lets you take one more card without its action. You have {n} coin.",
        "All turns are over, but Fairy Queen lets you take one more card without its action. You have {n} coins.",
        coins,
    )
    return _("One more card"), lead.format(n=coins)


_ASKS: dict[str, Callable[[View, Seat], Lead]] = {  # outside ordinary turns
    **dict.fromkeys((LAY, START, OUTPOST, TOKENS), _set_up),
    NEUTRAL: _third_colour,
    BID: _bid,
    FIRST: _first,
    EXTRA: _extra_card,
}


# Kinds of messages


def _turn(view: View, seat: Seat, seats: list[Seat]) -> Lead:
    return _asked(view, seat)


def _time(view: View, seat: Seat, seats: list[Seat]) -> Lead:
    return _("Your time is running out"), _still(view)


def _still(view: View) -> str:
    if view.phase == BID:
        return _("You have not placed your bid yet. If your time runs out, a bot bids for you.")
    if view.setup is not None:
        return _("You have not finished setting up the game. If your time runs out, a bot finishes it for you.")
    if view.taken:
        card = edition(view.edition).cards[view.taken].name
        words = _("You still have steps of {card} to play. If your time runs out, a bot plays them for you.")
        return words.format(card=card)
    return _("It’s still your turn. If your time runs out, a bot plays for you.")


def _started(view: View, seat: Seat, seats: list[Seat]) -> Lead:
    lead = _("Everyone is here, and the game has started.")
    if leader := view.players[seat.number].leader:
        lead += " " + _("Your leader is {leader}.").format(leader=_(gifts()[leader].name))
    if seat.owes:
        lead += " " + _asked(view, seat)[1]
    elif view.setup is not None:
        lead += " " + _("{player} sets up the game first, then everyone bids.").format(player=seats[view.setter].name)
    return _("Game started"), lead


def _ended(view: View, seat: Seat, seats: list[Seat]) -> Lead:
    sheet = view.scoresheet
    points = sheet.seats[sheet.winners[0]].total
    if sheet.winners == (seat.number,):
        return _("You won"), ngettext("You won with {n} point.", "You won with {n} points.", points).format(n=points)
    winners = enumerated([seats[number].name for number in sheet.winners])
    return _("Game over"), _result(winners, len(sheet.winners), points)


def _result(winners: str, count: int, points: int) -> str:
    if count > 1:
        return _("{players} tied for the win with {n} points.").format(players=winners, n=points)
    return ngettext("{player} won with {n} point.", "{player} won with {n} points.", points).format(
        player=winners, n=points
    )


_KINDS: dict[str, Callable[[View, Seat, list[Seat]], Lead]] = {
    Kind.TURN: _turn,
    Kind.TIME: _time,
    Kind.STARTED: _started,
    Kind.ENDED: _ended,
}
