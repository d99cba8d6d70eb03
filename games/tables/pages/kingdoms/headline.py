"""Headlines for the state of the game."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.notices.outbox.words import enumerated as listed
from games.rules.kingdoms.allowed import is_opening_truce, must_attack
from games.rules.kingdoms.deck import POWERS, card
from games.rules.kingdoms.rounds import QUICK_ROUNDS
from games.rules.kingdoms.state import DEFEND, EPIC, FLOPDRAW, INFILTRATE, PROTECT, SHOWDOWN, TIE
from games.rules.kingdoms.view import BattleView, View
from games.tables.pages.frame import winners_words
from games.tables.pages.kingdoms.names import hero
from games.tables.pages.kingdoms.steps import draws

Names = Sequence[str]
WON_BY = {
    "empire": gettext_noop("the Princess crowns an Empire"),
    "conquest": gettext_noop("all other kingdoms are ruled"),
    "value": gettext_noop("a hand worth 300"),
    "showdown": gettext_noop("the most Towers in the Final Showdown"),
    "quickplay": gettext_noop("the richest hand after three rounds"),
    "house": gettext_noop("the most Towers, then the richest hand, when staff ended the game"),
}


def headline(before: View, view: View, names: Names, me: int | None) -> str:
    """Return the headline for the reader. `view` has their draft applied."""
    if before.over:
        return _("{winners}: {how}").format(
            winners=winners_words(before.scoresheet, names, me), how=_(WON_BY[before.won_by or ""])
        )
    if me is None or me not in before.to_act:
        return _awaited(before, names)
    return _asked(view, names) if me in view.to_act else _("Your turn: confirm it")


# The reader has to act


def _asked(view: View, names: Names) -> str:
    return _ASKED.get(view.phase, _turn)(view, names)


def _turn(view: View, names: Names) -> str:
    if not view.flags.drawn:
        return _("Your turn: {draw}").format(draw=draws(1 + len(view.players[view.active].towers)).lower())
    if view.flags.battles:
        return _("Your turn: attack again or end it")
    return _("Your turn: you must attack") if must_attack(view.hidden) else _("Your turn")


def _defend(view: View, names: Names) -> str:
    battle = _battle(view)
    values = {"attacker": names[battle.attacker], "target": names[battle.target]}
    if battle.target != view.seat:
        return _("Defend {target} against {attacker}").format(**values)
    n = battle.waves[-1].hands[0].count
    return ngettext("{attacker} attacks you with {n} card", "{attacker} attacks you with {n} cards", n).format(
        n=n, **values
    )


def _protect(view: View, names: Names) -> str:
    battle = _battle(view)
    template = _("{attacker} attacks {target}, your subject: will you help?")
    return template.format(attacker=names[battle.attacker], target=names[battle.target])


def _tie(view: View, names: Names) -> str:
    return _("A tie at {total}: stop or continue?").format(total=_battle(view).waves[-1].attack)


def _epic(view: View, names: Names) -> str:
    move = POWERS[card(view.epic or "").power or ""]
    return _("{hero}, {move}: your choice").format(hero=hero(view.epic or ""), move=_(move.name))


def _infiltrate(view: View, names: Names) -> str:
    return _("Take a card from {player}’s hand").format(player=names[view.looked_at or 0])


def _flopdraw(view: View, names: Names) -> str:
    return ngettext("Take {n} card from the Flop", "Take {n} cards from the Flop", view.owed).format(n=view.owed)


_ASKED: dict[str, Callable[[View, Names], str]] = {
    DEFEND: _defend,
    PROTECT: _protect,
    TIE: _tie,
    EPIC: _epic,
    INFILTRATE: _infiltrate,
    FLOPDRAW: _flopdraw,
    SHOWDOWN: lambda view, names: _("Final Showdown: you must attack"),
}


# Someone else has to act


def _awaited(view: View, names: Names) -> str:
    battle, values = view.battle, {"players": listed([names[seat] for seat in view.to_act])}
    if battle is not None:
        values |= {"attacker": names[battle.attacker], "target": names[battle.target]}
    return _(_AWAITED.get(view.phase, gettext_noop("It is {players}’s turn"))).format(**values)


_AWAITED = {
    PROTECT: gettext_noop("{attacker} attacks {target}: will {players} help?"),
    DEFEND: gettext_noop("{attacker} attacks {target}: {players} must defend"),
    TIE: gettext_noop("A tie: {players} may continue"),
    EPIC: gettext_noop("{players} is choosing what the Epic does"),
    INFILTRATE: gettext_noop("{players} is spying"),
    FLOPDRAW: gettext_noop("{players} is drawing from the Flop"),
    SHOWDOWN: gettext_noop("Final Showdown: {players} must attack"),
}


def course(view: View) -> str:
    """Return the progress of the game: its round, and whether battles are possible yet."""
    if view.showdown:
        return _("Final Showdown")
    template = _("Round {n} of {of}") if view.options.quick else _("Round {n}")
    told = [template.format(n=view.round, of=QUICK_ROUNDS)]
    if is_opening_truce(view.hidden) and not view.over:
        n = view.options.truce_rounds(len(view.players))
        told.append(ngettext("no battles in round {n}", "no battles until after round {n}", n).format(n=n))
    return ", ".join(told)


def _battle(view: View) -> BattleView:
    assert view.battle is not None
    return view.battle
