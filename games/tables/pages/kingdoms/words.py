"""Cards and actions in the reader's language: their names, the steps of a draft, and headlines."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from django.utils.text import capfirst
from django.utils.translation import get_language, gettext_noop, ngettext
from django.utils.translation import gettext as _

from games.boards.kingdoms import faces
from games.notices.outbox.words import enumerated
from games.rules.kingdoms import actions as a
from games.rules.kingdoms.course import must_hold
from games.rules.kingdoms.deck import POWERS, RANK_NAMES, card
from games.rules.kingdoms.legal import is_opening_truce, must_attack
from games.rules.kingdoms.options import QUICK_ROUNDS
from games.rules.kingdoms.realm import conqueror
from games.rules.kingdoms.state import DEFEND, EPIC, FLOPDRAW, INFILTRATE, PROTECT, SHOWDOWN, TIE
from games.rules.kingdoms.values import value
from games.rules.kingdoms.view import View
from games.rules.protocol import IllegalAction
from games.tables.pages.frame import winners_words

STEPS: dict[type, str] = {
    a.Draw: gettext_noop("Draw"),
    a.DrawFromFlop: gettext_noop("Take {card} from the Flop"),
    a.Burn: gettext_noop("Burn {card}"),
    a.Buy: gettext_noop("Buy {taken} for {given}"),
    a.Build: gettext_noop("Build {card}"),
    a.PickUp: gettext_noop("Pick up the top Tower"),
    a.BlindPick: gettext_noop("Take a random card from {player}"),
    a.NotSoSecret: gettext_noop("Show {cards} and take {player}’s {rank}"),
    a.Show: gettext_noop("Show {cards}"),
    a.Gift: gettext_noop("Give {player} {cards}"),
    a.Attack: gettext_noop("Attack {player} with {laid}"),
    a.End: gettext_noop("End turn"),
    a.Storm: gettext_noop("Storm: {player} loses their top Tower"),
    a.Tribute: gettext_noop("Take a random card from {players}"),
    a.Market: gettext_noop("Take {card} from the Flop for free"),
    a.Take: gettext_noop("Take {card}"),
    a.Defend: gettext_noop("Defend with {laid}"),
    a.Stop: gettext_noop("Stop the battle"),
    a.Wave: gettext_noop("Continue with {laid}"),
}
PROTECTIONS = {
    "leave": gettext_noop("No protection"),
    "with": gettext_noop("Defend together"),
    "for": gettext_noop("Defend in their place"),
}


def hero(card: str) -> str:
    """Return the card's name with its suit: `Sun Archer`."""
    return _hero(card, get_language() or "")


@lru_cache(maxsize=2048)
def _hero(card: str, language: str) -> str:
    return faces.hero(card, _)


def short(card: str) -> str:
    """Return the card's name with its value, without suit: `Archer 4`."""
    return _short(card, get_language() or "")


@lru_cache(maxsize=2048)
def _short(card: str, language: str) -> str:
    shown = faces.face(card, _)
    return f"{shown.name} {shown.value}"


def named(cards: Iterable[str]) -> str:
    """List the cards by name, with equal names counted: `Sun Archer ×2, Wave Healer`."""
    counted: dict[str, int] = {}
    for name in map(hero, cards):
        counted[name] = counted.get(name, 0) + 1
    return ", ".join(name if n == 1 else f"{name} ×{n}" for name, n in counted.items())


def cards_count(n: int) -> str:
    return ngettext("{n} card", "{n} cards", n).format(n=n)


def dots_count(n: int) -> str:
    return ngettext("{n} dot", "{n} dots", n).format(n=n)


def draws(n: int) -> str:
    return ngettext("Draw {n} card", "Draw {n} cards", n).format(n=n)


def step_words(action: str, names: Sequence[str]) -> str:
    """Return the step in a few words; the text itself if invalid."""
    try:
        step = a.parse(action)
    except IllegalAction:
        return action
    values: dict[str, str] = {}
    match step:
        case a.Protect(mode):
            return _(PROTECTIONS[mode])
        case a.Defend(()):
            return _("Defend with no cards")
        case a.Boss(boss, seat, taken):
            move = _(POWERS[card(boss).power or ""].name)
            if seat is not None:
                return _("{move}: look at {player}’s hand").format(move=move, player=names[seat])
            if taken is not None:
                return _("{move}: take {card} from the Burn pile").format(move=move, card=hero(taken))
            return move
        case a.DrawFromFlop(id_) | a.Burn(id_) | a.Build(id_) | a.Market(id_) | a.Take(id_):
            values = {"card": hero(id_)}
        case a.Buy(give, take):
            values = {"taken": named(take), "given": named(give)}
        case a.NotSoSecret(cards, seat, rank):
            values = {"cards": named(cards), "rank": _(RANK_NAMES[rank]), "player": names[seat]}
        case a.Show(cards):
            values = {"cards": named(cards)}
        case a.Gift(seat, cards):
            values = {"player": names[seat], "cards": named(cards)}
        case a.BlindPick(seat) | a.Storm(seat):
            values = {"player": names[seat]}
        case a.Tribute(seats):
            values = {"players": enumerated([names[seat] for seat in seats])}
        case a.Attack(seat, cards):
            values = {"player": names[seat], "laid": _laid(cards)}
        case a.Defend(cards) | a.Wave(cards):
            values = {"laid": _laid(cards)}
    return _(STEPS[type(step)]).format(**values)


def advice(_view: View, actions: Sequence[str], names: Sequence[str]) -> list[str]:
    """Tell a player in short sentences to take these actions."""
    return [step_words(action, names) for action in actions]


def _laid(cards: a.Cards) -> str:
    return _("{total}: {cards}").format(total=value(cards), cards=named(cards))


# Headlines for the state of the game

WON_BY = {
    "empire": gettext_noop("all four Towers built"),
    "conquest": gettext_noop("all other kingdoms conquered"),
    "value": gettext_noop("a hand worth 300"),
    "showdown": gettext_noop("the most Towers in the Final Showdown"),
    "quickplay": gettext_noop("the most valuable hand after three rounds"),
    "staff": gettext_noop("the most Towers, then the most valuable hand, when the game ended early"),
}
AWAITED = {
    PROTECT: gettext_noop("{attacker} attacks {target}: will {players} help?"),
    DEFEND: gettext_noop("{attacker} attacks {target}: {players} must defend"),
    TIE: gettext_noop("A tie: {players} can continue"),
    EPIC: gettext_noop("{players} is choosing what the Epic does"),
    INFILTRATE: gettext_noop("{players} is spying"),
    FLOPDRAW: gettext_noop("{players} is drawing from the Flop"),
    SHOWDOWN: gettext_noop("Final Showdown: {players} must attack"),
}
# For a reader who waits because they are attacked, and for one who waits because they attack
AWAITED_BY_TARGET = {
    PROTECT: gettext_noop("{attacker} attacks you: will {players} help?"),
    DEFEND: gettext_noop("{attacker} attacks you: {players} must defend"),
}
AWAITED_BY_ATTACKER = {
    PROTECT: gettext_noop("You attack {target}: will {players} help?"),
    DEFEND: gettext_noop("You attack {target}: {players} must defend"),
}


def headline(before: View, view: View, names: Sequence[str], me: int | None, is_complete: bool) -> str:
    """Return the headline for the reader. `view` has their draft applied; `is_complete` if it is a whole turn."""
    if before.over:
        winners = winners_words(before.scoresheet, names, me)
        return _("{winners}: {how}").format(winners=winners, how=_(WON_BY[before.won_by or ""]))
    if me is not None and me in before.to_act:
        return _("Your turn: confirm your moves") if is_complete else _asked(view, names)
    values, awaited = {"players": enumerated([names[seat] for seat in before.to_act])}, AWAITED
    if before.battle is not None:
        attacker, target = before.battle.attacker, before.battle.target
        values |= {"attacker": names[attacker], "target": names[target]}
        if me is not None and me in (attacker, target):
            awaited = AWAITED | (AWAITED_BY_TARGET if me == target else AWAITED_BY_ATTACKER)
    return _(awaited.get(before.phase, gettext_noop("It is {players}’s turn"))).format(**values)


def won_by(view: View) -> str:
    """Return how the game was won; "" before the end."""
    return capfirst(_(WON_BY[view.won_by or ""])) if view.over else ""


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
        n = 1 + len(view.players[view.active].towers)
        return ngettext("Your turn: draw {n} card", "Your turn: draw {n} cards", n).format(n=n)
    if view.flags.battles:
        return _("Your turn: attack again or end it")
    return _("Your turn: you must attack") if must_attack(view.hidden) else _("Your turn")


def course(view: View) -> str:
    """Return the progress of the game: its round, and whether battles are possible yet."""
    if view.showdown:
        return _("Final Showdown")
    template = _("Round {n} of {of}") if view.options.quick else _("Round {n}")
    parts = [template.format(n=view.round, of=QUICK_ROUNDS)]
    if is_opening_truce(view.hidden) and not view.over:
        n = view.options.truce_rounds(len(view.players))
        parts.append(ngettext("no battles in round {n}", "no battles until after round {n}", n).format(n=n))
    return ", ".join(parts)


def next_conqueror(view: View) -> int | None:
    """Return the seat that wins by conquest when its next turn begins (K41), with two players; None if neither does."""
    if view.over or not must_hold(view.hidden):
        return None
    ruler = conqueror(view.hidden.rulers)
    if view.options.quick and view.round == QUICK_ROUNDS and (view.active != view.first or view.active == ruler):
        return None  # the last round ends before the ruler has another turn
    return ruler


def soon_won(view: View, names: Sequence[str]) -> str:
    """Tell the seat of the view who wins next by conquest, and how to prevent it; an empty text if nobody does."""
    ruler = next_conqueror(view)
    if ruler is None:
        return ""
    words = _("{ruler} rules you and wins when their next turn begins. To be free, attack {ruler} and win.")
    if view.seat is None:
        words = _("{ruler} wins when their next turn begins, unless {ruled} beats them in battle first.")
    elif view.seat == ruler:
        words = _("You rule {ruled} and win when your next turn begins, unless {ruled} beats you in battle first.")
    return words.format(ruler=names[ruler], ruled=names[1 - ruler])
