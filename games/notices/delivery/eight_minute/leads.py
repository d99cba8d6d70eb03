"""What a message begins with: what is new in a few words, for the subject, and the sentence that says what is asked."""

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
    """For the player of the seat, as the position stands."""
    return _KINDS[kind](view, seat, seats)


# What is asked of the seat


def _asked(view: View, seat: Seat) -> Lead:
    if view.phase in _ASKS:
        return _ASKS[view.phase](view, seat)
    coins = view.players[seat.number].coins
    lead = ngettext("It is your turn. You have {n} coin.", "It is your turn. You have {n} coins.", coins)
    return _("Your turn"), lead.format(n=coins)


def _bid(view: View, seat: Seat) -> Lead:
    coins = view.players[seat.number].coins
    words = ngettext(
        "Your bid is awaited. You have {n} coin, and your bid stays secret until all are in.",
        "Your bid is awaited. You have {n} coins, and your bid stays secret until all are in.",
        coins,
    )
    return _("Your bid"), words.format(n=coins)


def _first(view: View, seat: Seat) -> Lead:
    return _("You won the bid"), _("You won the bid: say who starts.")


def _set_up(view: View, seat: Seat) -> Lead:
    next_choice = {
        LAY: _("You set this game up: lay the boards."),
        START: _("You set this game up: choose the start region."),
        OUTPOST: _("You set this game up: choose the region overseas where everybody has an army."),
        TOKENS: _("You set this game up: lay the tokens."),
    }
    return _("You set the game up"), next_choice[view.phase]


def _third_colour(view: View, seat: Seat) -> Lead:
    left = view.setup.third_colour if view.setup else 0
    lead = ngettext(
        "Place the last army of the third colour.",
        "Place an army of the third colour. {n} are left, and the two of you place them in turn.",
        left,
    )
    return _("An army of the third colour"), lead.format(n=left)


def _extra_card(view: View, seat: Seat) -> Lead:
    coins = view.players[seat.number].coins
    lead = ngettext(
        "The turns are over, but Fairy Queen may take one more card, without its action. You have {n} coin.",
        "The turns are over, but Fairy Queen may take one more card, without its action. You have {n} coins.",
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
    return _("Your time is running out"), _("{what}. When time is up, a bot decides for you.").format(what=_still(view))


def _still(view: View) -> str:
    if view.phase == BID:
        return _("Your bid is still awaited")
    if view.setup is not None:
        return _("The set-up still waits for you")
    if view.taken:
        card = edition(view.edition).cards[view.taken].name
        return _("It is still your turn, and {card} leaves you steps to make").format(card=card)
    return _("It is still your turn")


def _started(view: View, seat: Seat, seats: list[Seat]) -> Lead:
    lead = _("Everybody is here: the game begins.")
    if leader := view.players[seat.number].leader:
        lead += " " + _("Your leader is {leader}.").format(leader=_(gifts()[leader].name))
    if seat.owes:
        lead += " " + _asked(view, seat)[1]
    elif view.setup is not None:
        lead += " " + _("{player} sets it up first, then the bids are due.").format(player=seats[view.setter].name)
    return _("The game begins"), lead


def _ended(view: View, seat: Seat, seats: list[Seat]) -> Lead:
    sheet = view.scoresheet
    points = sheet.seats[sheet.winners[0]].total
    if sheet.winners == (seat.number,):
        return _("You won"), ngettext("You won with {n} point.", "You won with {n} points.", points).format(n=points)
    winners = enumerated([seats[number].name for number in sheet.winners])
    return _("The game ended"), _result(winners, len(sheet.winners), points)


def _result(winners: str, count: int, points: int) -> str:
    if count > 1:
        return _("{players} share the win with {n} points.").format(players=winners, n=points)
    return ngettext("{player} won with {n} point.", "{player} won with {n} points.", points).format(
        player=winners, n=points
    )


_KINDS: dict[str, Callable[[View, Seat, list[Seat]], Lead]] = {
    Kind.TURN: _turn,
    Kind.TIME: _time,
    Kind.STARTED: _started,
    Kind.ENDED: _ended,
}
