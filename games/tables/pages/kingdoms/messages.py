"""What messages about Kingdoms say and show: the lead, the reader's hand, the kingdoms and a picture of them."""

from collections.abc import Sequence
from itertools import groupby

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from PIL.Image import Image

from empire.web.languages import display_name
from games.boards.kingdoms import png
from games.boards.kingdoms.describe import kingdom_words
from games.boards.kingdoms.faces import hero
from games.notices.kinds import Kind
from games.notices.outbox.words import Lead, enumerated
from games.rules.kingdoms.deck import CLASSES, POWERS, card, deck_index
from games.rules.kingdoms.legal import must_attack
from games.rules.kingdoms.state import DEFEND, EPIC, FLOPDRAW, INFILTRATE, PROTECT, SHOWDOWN, TIE
from games.rules.kingdoms.troops import best_ordinary
from games.rules.kingdoms.values import value
from games.rules.kingdoms.view import BattleView, View
from games.rules.protocol import Event
from games.tables.models import Seat
from games.tables.pages.frame import start_words
from games.tables.pages.kingdoms.words import WON_BY, soon_won


def lead_words(kind: str, view: View, seat: Seat, seats: list[Seat]) -> Lead:
    """Return the title and the opening sentence for the player of the seat in the current position."""
    names = [display_name(seat.name) for seat in seats]
    match kind:
        case Kind.TURN:
            return _asked(view, names)

        case Kind.TIME:
            lead = _asked(view, names)[1]
            if view.phase not in (PROTECT, DEFEND):
                lead += " " + _(
                    "If your time runs out, the default action is taken: on your turn, you draw and your turn ends."
                )
            return _("Your time is running out"), lead

        case Kind.STARTED:
            begins = _("{player} goes first.").format(player=names[view.active])
            if seat.owes:
                begins = _asked(view, names)[1]
            return _("Game started"), f"{start_words(seat.game)} {begins}"

        case Kind.ENDED:
            winners, how = view.scoresheet.winners, _(WON_BY[view.won_by or ""])
            if winners == (seat.number,):
                return _("You won"), _("You won: {how}.").format(how=how)
            players = enumerated([names[number] for number in winners])
            lead = ngettext("{players} won: {how}.", "{players} tied for the win: {how}.", len(winners))
            return _("Game over"), lead.format(players=players, how=how)
    raise KeyError(kind)


def _asked(view: View, names: list[str]) -> Lead:
    """Return what the seat must do."""
    if view.phase in (PROTECT, DEFEND, TIE):
        assert view.battle is not None
        return _asked_in_battle(view, view.battle, names)
    if view.phase == EPIC:
        epic = view.epic or ""
        move = POWERS[card(epic).power or ""]
        values = {"hero": hero(epic, _), "move": _(move.name), "text": _(move.text)}
        lead = _("You turned over {hero}. Before you do anything else, choose what its move does. {move}: {text}")
        return _("Resolve {hero} first").format(**values), lead.format(**values)
    if view.phase == FLOPDRAW:
        lead = ngettext(
            "There are no cards left to draw. Take {n} card from the Flop.",
            "There are no cards left to draw. Take {n} cards from the Flop.",
            view.owed,
        )
        return _("Your turn"), lead.format(n=view.owed)
    if view.phase == INFILTRATE:
        lead = _("Your Spymaster is looking at {player}’s hand. Take one card from it.")
        return _("Your turn"), lead.format(player=names[view.looked_at or 0])
    if view.phase == SHOWDOWN:
        return _("Final Showdown"), _("This is the Final Showdown, and you must attack.")
    me = view.players[view.active]
    lead = ngettext(
        "It’s your turn. You hold {n} card, worth {value}.",
        "It’s your turn. You hold {n} cards, worth {value}.",
        me.cards,
    ).format(n=me.cards, value=me.value)
    if must_attack(view.hidden):
        lead += " " + _("Everyone must attack once, and this is the last round.")
    if words := soon_won(view, names):
        lead += " " + words
    return _("Your turn"), lead


def _asked_in_battle(view: View, battle: BattleView, names: list[str]) -> Lead:
    # The number of cards that the attacker laid, and the names of those that are face up (K78)
    wave = battle.waves[-1]
    laid = ngettext("{n} card", "{n} cards", wave.hands[0].count).format(n=wave.hands[0].count)
    if shown := wave.hands[0].cards:
        laid = _("{n}, including {cards}").format(n=laid, cards=", ".join(hero(card_id, _) for card_id in shown))
    values = {"attacker": names[battle.attacker], "target": names[battle.target], "cards": laid, "total": wave.attack}

    if view.phase == TIE:
        lead = _("Your attack on {target} is tied, {total} to {total}. Stop, or play another hand.")
        return _("Tied with {target}").format(**values), lead.format(**values)

    if view.phase == PROTECT:
        lead = _(
            "{attacker} attacks {target}, a player you rule, with {cards}. Choose to defend together with "
            "{target}, to defend in their place, or to stay out of it. If you don’t answer in time, you stay out "
            "of it."
        )
        return _("{target} is under attack").format(**values), lead.format(**values)

    is_target, is_shared = battle.target == view.seat, battle.mode == "with"
    if is_target and is_shared:
        lead = _("{attacker} attacks you with {cards}, and your ruler defends with you. Play a hand.")
    elif is_target:
        lead = _("{attacker} attacks you with {cards}. Play a hand to defend yourself.")
    elif is_shared:
        lead = _("{attacker} attacks {target} with {cards}, and you defend together. Play a hand.")
    else:
        lead = _("{attacker} attacks {target} with {cards}, and you defend in their place. Play a hand.")
    sentences = [lead.format(**values)]
    if view.options.wall and not view.players[battle.target].towers:  # the Castle's wall counts without a Tower (K24)
        wall = _("{target} has no Tower, so the Castle’s wall adds {wall}.")
        if is_target:
            wall = _("You have no Tower, so your Castle’s wall adds {wall}.")
        sentences.append(wall.format(wall=view.options.wall, **values))
    sentences.append(_("If you don’t answer in time, your best ordinary hand is played."))
    return _("Defend against {attacker}").format(**values), " ".join(sentences)


def hand_words(view: View) -> tuple[str, ...]:
    """Return the reader's hand in a line for each class and one for its value; none for an empty hand.

    The strongest cards come first, and equal cards are grouped, as in `2 × Sun Archer (4)`.
    """
    hand = view.players[view.seat].hand if view.seat is not None else ()
    if not hand:
        return ()
    order, lines = list(CLASSES), []
    ranked = sorted(map(card, hand), key=lambda card: (order.index(card.kind), -card.value, deck_index(card.id)))
    for kind, cards in groupby(ranked, key=lambda card: card.kind):
        grouped = []
        for (name, worth), equal in groupby(cards, key=lambda card: (hero(card.id, _), card.value)):
            n = len(list(equal))
            grouped.append((f"{n} × " if n > 1 else "") + f"{name} ({worth})")
        lines.append(_("{kind}: {cards}").format(kind=_(CLASSES[kind]), cards=", ".join(grouped)))
    total = _("Total value {value}. Your best hand without an Epic or a Boss is worth {best}.")
    return (*lines, total.format(value=value(hand), best=value(best_ordinary(hand))))


def summaries(view: View, names: Sequence[str]) -> list[str]:
    """Describe each kingdom in a line, without its player's name."""
    sentences = (kingdom_words(view, player.seat, names, _) for player in view.players)
    return [words.partition(": ")[2].removesuffix(".") for words in sentences]


def picture(view: View, names: Sequence[str], events: Sequence[Event], theme: str, widest: int) -> Image:
    """Return a picture of who rules whom."""
    return png.picture(view, theme, names=names, translate=_, language=get_language() or "en", widest=widest)
