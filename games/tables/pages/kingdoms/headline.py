"""Headlines for the state of the game."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.notices.outbox.words import enumerated as listed
from games.rules.kingdoms.allowed import is_opening_truce, must_attack
from games.rules.kingdoms.deck import POWERS, card
from games.rules.kingdoms.options import QUICK_ROUNDS
from games.rules.kingdoms.state import DEFEND, EPIC, FLOPDRAW, INFILTRATE, PROTECT, SHOWDOWN, TIE
from games.rules.kingdoms.view import View
from games.tables.pages.frame import winners_words
from games.tables.pages.kingdoms.words import draws, hero

WON_BY = {
    "empire": gettext_noop("the Princess crowns an Empire"),
    "conquest": gettext_noop("all other kingdoms are ruled"),
    "value": gettext_noop("a hand worth 300"),
    "showdown": gettext_noop("the most Towers in the Final Showdown"),
    "quickplay": gettext_noop("the richest hand after three rounds"),
    "house": gettext_noop("the most Towers, then the richest hand, when staff ended the game"),
}
AWAITED = {
    PROTECT: gettext_noop("{attacker} attacks {target}: will {players} help?"),
    DEFEND: gettext_noop("{attacker} attacks {target}: {players} must defend"),
    TIE: gettext_noop("A tie: {players} may continue"),
    EPIC: gettext_noop("{players} is choosing what the Epic does"),
    INFILTRATE: gettext_noop("{players} is spying"),
    FLOPDRAW: gettext_noop("{players} is drawing from the Flop"),
    SHOWDOWN: gettext_noop("Final Showdown: {players} must attack"),
}


def headline(before: View, view: View, names: Sequence[str], me: int | None) -> str:
    """Return the headline for the reader. `view` has their draft applied."""
    if before.over:
        winners = winners_words(before.scoresheet, names, me)
        return _("{winners}: {how}").format(winners=winners, how=_(WON_BY[before.won_by or ""]))
    if me is not None and me in before.to_act:
        return _asked(view, names) if me in view.to_act else _("Your turn: confirm your moves")
    values = {"players": listed([names[seat] for seat in before.to_act])}
    if before.battle is not None:
        values |= {"attacker": names[before.battle.attacker], "target": names[before.battle.target]}
    return _(AWAITED.get(before.phase, gettext_noop("It is {players}’s turn"))).format(**values)


def _asked(view: View, names: Sequence[str]) -> str:
    """Return what the reader has to do."""
    phase, battle = view.phase, view.battle
    if battle is not None and phase in (DEFEND, PROTECT, TIE):
        values = {"attacker": names[battle.attacker], "target": names[battle.target]}
        if phase == TIE:
            return _("A tie at {total}: stop or continue?").format(total=battle.waves[-1].attack)
        if phase == PROTECT:
            return _("{attacker} attacks {target}, your sub-kingdom: will you help?").format(**values)
        if battle.target != view.seat:
            return _("Defend {target} against {attacker}").format(**values)
        n = battle.waves[-1].hands[0].count
        words = ngettext("{attacker} attacks you with {n} card", "{attacker} attacks you with {n} cards", n)
        return words.format(n=n, **values)
    if phase == EPIC:
        epic = view.epic or ""
        return _("{hero}, {move}: your choice").format(hero=hero(epic), move=_(POWERS[card(epic).power or ""].name))
    if phase == INFILTRATE:
        return _("Take a card from {player}’s hand").format(player=names[view.looked_at or 0])
    if phase == FLOPDRAW:
        return ngettext("Take {n} card from the Flop", "Take {n} cards from the Flop", view.owed).format(n=view.owed)
    if phase == SHOWDOWN:
        return _("Final Showdown: you must attack")
    if not view.flags.drawn:
        return _("Your turn: {draw}").format(draw=draws(1 + len(view.players[view.active].towers)).lower())
    if view.flags.battles:
        return _("Your turn: attack again or end it")
    return _("Your turn: you must attack") if must_attack(view.hidden) else _("Your turn")


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
