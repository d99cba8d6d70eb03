"""Titles and opening sentences of messages about Kingdoms."""

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.boards.kingdoms.faces import hero
from games.notices.kinds import Kind
from games.notices.outbox.words import Lead, enumerated
from games.rules.kingdoms.allowed import must_attack
from games.rules.kingdoms.deck import POWERS, card
from games.rules.kingdoms.state import DEFEND, EPIC, FLOPDRAW, INFILTRATE, PROTECT, SHOWDOWN, TIE
from games.rules.kingdoms.view import BattleView, LaidView, View
from games.tables.models import Seat

WON_BY = {
    "empire": gettext_noop("an Empire, completed by the Princess"),
    "conquest": gettext_noop("every other kingdom is ruled"),
    "value": gettext_noop("a hand worth 300"),
    "showdown": gettext_noop("the most Towers in the Final Showdown"),
    "quickplay": gettext_noop("the most valuable hand after three rounds"),
    "house": gettext_noop("the most Towers, then the most valuable hand, when the game was ended early"),
}


def lead_words(kind: str, view: View, seat: Seat, seats: list[Seat]) -> Lead:
    """Return the title and the opening sentence for the player of the seat in the current position."""
    return _KINDS[kind](view, seat, [one.name for one in seats])


# What is asked of the seat


def _asked(view: View, names: list[str]) -> Lead:
    return _ASKS.get(view.phase, _its_turn)(view, names)


def _its_turn(view: View, names: list[str]) -> Lead:
    me = view.players[view.active]
    lead = ngettext(
        "It’s your turn. You hold {n} card, worth {value}.",
        "It’s your turn. You hold {n} cards, worth {value}.",
        me.cards,
    ).format(n=me.cards, value=me.value)
    if must_attack(view.hidden):
        lead += " " + _("Everyone must attack once, and this is the last round.")
    return _("Your turn"), lead


def _epic(view: View, names: list[str]) -> Lead:
    epic = view.epic or ""
    move = POWERS[card(epic).power or ""]
    values = {"hero": hero(epic, _), "move": _(move.name), "text": _(move.text)}
    lead = _("You turned over {hero}. Choose what its move does before anything else. {move}: {text}")
    return _("Resolve {hero} first").format(**values), lead.format(**values)


def _flop_draw(view: View, names: list[str]) -> Lead:
    lead = ngettext(
        "There are no cards left to draw. Take {n} card from the Flop.",
        "There are no cards left to draw. Take {n} cards from the Flop.",
        view.owed,
    )
    return _("Your turn"), lead.format(n=view.owed)


def _infiltrate(view: View, names: list[str]) -> Lead:
    lead = _("Your Spymaster is looking at {player}’s hand. Take one card from it.")
    return _("Your turn"), lead.format(player=names[view.looked_at or 0])


def _showdown(view: View, names: list[str]) -> Lead:
    return _("Final Showdown"), _("This is the Final Showdown, and you must attack.")


# A battle


def _battle(view: View) -> BattleView:
    assert view.battle is not None
    return view.battle


def _fighters(view: View, names: list[str]) -> dict[str, str]:
    battle = _battle(view)
    return {
        "attacker": names[battle.attacker],
        "target": names[battle.target],
        "cards": _laid(battle.waves[-1].hands[0]),
    }


def _laid(hand: LaidView) -> str:
    """Return the number of cards, and the names of those that are face up (K78)."""
    n = ngettext("{n} card", "{n} cards", hand.count).format(n=hand.count)
    if not hand.cards:
        return n
    return _("{n}, including {cards}").format(n=n, cards=", ".join(hero(one, _) for one in hand.cards))


def _protect(view: View, names: list[str]) -> Lead:
    values = _fighters(view, names)
    lead = _(
        "{attacker} attacks {target}, a player you rule, with {cards}."
        " Choose to defend with {target}, to defend in their place, or to stay out of it."
        " If you don’t answer in time, you stay out of it."
    )
    return _("{target} is under attack").format(**values), lead.format(**values)


def _defend(view: View, names: list[str]) -> Lead:
    values = _fighters(view, names)
    lead = [_attack_words(view).format(**values), *_wall(view)]
    lead.append(_("If you don’t answer in time, your best ordinary hand is played."))
    return _("Defend against {attacker}").format(**values), " ".join(lead)


def _attack_words(view: View) -> str:
    battle = _battle(view)
    if battle.target == view.seat and battle.mode == "with":
        return _("{attacker} attacks you with {cards}, and your ruler defends with you. Play a hand.")
    if battle.target == view.seat:
        return _("{attacker} attacks you with {cards}. Play a hand to defend yourself.")
    if battle.mode == "with":
        return _("{attacker} attacks {target} with {cards}, and you defend with them. Play a hand.")
    return _("{attacker} attacks {target} with {cards}, and you defend in their place. Play a hand.")


def _wall(view: View) -> list[str]:
    """Return a sentence about the wall of the Castle, which counts if there is no Tower (K24)."""
    wall = view.options.wall
    if view.players[_battle(view).target].towers or not wall:
        return []
    return [_("There is no Tower there, so the Castle’s wall adds {wall}.").format(wall=wall)]


def _tie(view: View, names: list[str]) -> Lead:
    values = {**_fighters(view, names), "total": _battle(view).waves[-1].attack}
    lead = _("Your attack on {target} is tied, {total} to {total}. Stop, or play another hand.")
    return _("Tied with {target}").format(**values), lead.format(**values)


_ASKS: dict[str, Callable[[View, list[str]], Lead]] = {  # phases other than an ordinary turn
    EPIC: _epic,
    FLOPDRAW: _flop_draw,
    INFILTRATE: _infiltrate,
    SHOWDOWN: _showdown,
    PROTECT: _protect,
    DEFEND: _defend,
    TIE: _tie,
}


# Kinds of messages


def _turn(view: View, seat: Seat, names: list[str]) -> Lead:
    return _asked(view, names)


def _time(view: View, seat: Seat, names: list[str]) -> Lead:
    lead = _asked(view, names)[1]
    if view.phase not in (PROTECT, DEFEND):
        lead += " " + _(
            "If your time runs out, the default action is taken: on your turn, you draw and your turn ends."
        )
    return _("Your time is running out"), lead


def _started(view: View, seat: Seat, names: list[str]) -> Lead:
    begins = _asked(view, names)[1] if seat.owes else _("{player} goes first.").format(player=names[view.active])
    return _("Game started"), _("Everyone is here, and the game has started.") + " " + begins


def _ended(view: View, seat: Seat, names: list[str]) -> Lead:
    winners, how = view.scoresheet.winners, _(WON_BY[view.won_by or ""])
    if winners == (seat.number,):
        return _("You won"), _("You won: {how}.").format(how=how)
    players = enumerated([names[number] for number in winners])
    lead = ngettext("{players} won: {how}.", "{players} tied for the win: {how}.", len(winners))
    return _("Game over"), lead.format(players=players, how=how)


_KINDS: dict[str, Callable[[View, Seat, list[str]], Lead]] = {
    Kind.TURN: _turn,
    Kind.TIME: _time,
    Kind.STARTED: _started,
    Kind.ENDED: _ended,
}
