"""What messages about the Eight-Minute family say and show: the lead, the cards to take, the board and the points."""

from collections.abc import Sequence

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from PIL.Image import Image

from empire.web.languages import display_name
from games.boards.eight_minute.changes import changes
from games.boards.eight_minute.faces import face
from games.boards.eight_minute.png import board
from games.notices.kinds import Kind
from games.notices.outbox.words import Lead, Offer, enumerated
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.state import BID, EXTRA, FIRST, LAY, NEUTRAL, OUTPOST, START, TOKENS, TURN
from games.rules.eight_minute.tokens import gifts
from games.rules.eight_minute.view import View
from games.rules.protocol import Event
from games.rules.words import SEPARATOR
from games.tables.models import Seat
from games.tables.pages.frame import start_words


def lead_words(kind: str, view: View, seat: Seat, seats: list[Seat]) -> Lead:
    """Return the title and the opening sentence for the player of the seat in the current position."""
    match kind:
        case Kind.TURN:
            return _asked(view, seat)

        case Kind.TIME:
            if view.phase == BID:
                lead = _("You have not placed your bid yet. If your time runs out, a bot bids for you.")
            elif view.setup is not None:
                lead = _("You have not finished setting up the game. If your time runs out, a bot finishes it for you.")
            elif view.taken:
                lead = _("You have not finished playing {card}. If your time runs out, a bot finishes it for you.")
                lead = lead.format(card=_(edition(view.edition).cards[view.taken].name))
            else:
                lead = _("It’s still your turn. If your time runs out, a bot plays for you.")
            return _("Your time is running out"), lead

        case Kind.STARTED:
            lead = start_words(seat.game)
            if leader := view.players[seat.number].leader:
                lead += " " + _("Your leader is {leader}.").format(leader=_(gifts()[leader].name))
            if seat.owes:
                lead += " " + _asked(view, seat)[1]
            elif view.setup is not None:
                setter = display_name(seats[view.setter].name)
                lead += " " + _("{player} sets up the game first, then everyone bids.").format(player=setter)
            return _("Game started"), lead

        case Kind.ENDED:
            winners = view.scoresheet.winners
            n = view.scoresheet.seats[winners[0]].total
            if winners == (seat.number,):
                return _("You won"), ngettext("You won with {n} point.", "You won with {n} points.", n).format(n=n)
            names = enumerated([seats[number].name for number in winners])
            if len(winners) > 1:
                lead = ngettext(
                    "{players} tied for the win with {n} point.", "{players} tied for the win with {n} points.", n
                )
                lead = lead.format(players=names, n=n)
            else:
                lead = ngettext("{player} won with {n} point.", "{player} won with {n} points.", n)
                lead = lead.format(player=names, n=n)
            return _("Game over"), lead
    raise KeyError(kind)


def _asked(view: View, seat: Seat) -> Lead:
    """Return what the seat must do."""
    coins = view.players[seat.number].coins
    if view.phase in (LAY, START, OUTPOST, TOKENS):
        next_choice = {
            LAY: _("You are setting up this game. Place the boards."),
            START: _("You are setting up this game. Choose the starting region."),
            OUTPOST: _("You are setting up this game. Choose the overseas region where everyone has an army."),
            TOKENS: _("You are setting up this game. Place the tokens."),
        }
        return _("Set up the game"), next_choice[view.phase]
    if view.phase == NEUTRAL:
        left = view.setup.third_colour if view.setup else 0
        lead = ngettext(
            "Place the last army of the third color.",
            "Place an army of the third color. {n} are left, and the two of you take turns placing them.",
            left,
        )
        return _("Place an army of the third color"), lead.format(n=left)
    if view.phase == BID:
        lead = ngettext(
            "Bid to choose who goes first. You have {n} coin. Your bid stays secret until everyone has bid.",
            "Bid to choose who goes first. You have {n} coins. Your bid stays secret until everyone has bid.",
            coins,
        )
        return _("Place your bid"), lead.format(n=coins)
    if view.phase == FIRST:
        return _("You won the bid"), _("You won the bid. Choose who goes first.")
    if view.phase == EXTRA:
        lead = ngettext(
            "All turns are over, but Fairy Queen lets you take one more card without its action. You have {n} coin.",
            "All turns are over, but Fairy Queen lets you take one more card without its action. You have {n} coins.",
            coins,
        )
        return _("One more card"), lead.format(n=coins)
    lead = ngettext("It’s your turn. You have {n} coin.", "It’s your turn. You have {n} coins.", coins)
    return _("Your turn"), lead.format(n=coins)


def offers(view: View) -> tuple[str, tuple[Offer, ...]]:
    """Return a heading and the affordable cards with prices; none if a card has been taken already.

    While the player is not yet taking a card, the heading only announces the first cards.
    """
    listed = []
    for offer in view.row:
        if not offer.affordable or view.taken:
            continue
        shown = face(edition(view.edition).cards[offer.card], _)
        words = [ability.words for ability in shown.abilities]
        if view.phase != EXTRA:  # Fairy Queen's last card comes without its action (R50)
            words.append(f" {shown.joined_words} ".join(part.words for part in shown.parts))
        price = ngettext("for {n} coin", "for {n} coins", offer.price).format(n=offer.price)
        if offer.price == 0:
            price = _("for free")
        card = offer.card if f"take {offer.card}" in view.legal else ""
        listed.append(Offer(shown.name, price, _(SEPARATOR).join(words), card))
    heading = _("Cards you can take") if view.phase in (TURN, EXTRA) else _("First cards in the row")
    return heading, tuple(listed)


def picture(view: View, names: Sequence[str], events: Sequence[Event], theme: str, widest: int) -> Image | None:
    """Return the board as the reader sees it, with the effects of these events marked; None if there is none yet."""
    changed = changes(events, len(view.players))
    language = get_language() or "en"
    return board(view, theme, changed, translate=_, language=language, widest=widest) if view.layout else None


def points(view: View, names: Sequence[str]) -> list[str]:
    """Return the points of each seat in words."""
    totals = [score.total for score in view.scoresheet.seats]
    return [ngettext("{n} point", "{n} points", total).format(n=total) for total in totals]
