"""A bot for Kingdoms that plays by rules of thumb, asked in the order in which a sensible player would act.

It knows what its view shows and guesses the rest; worth, war and powers have their own modules.
"""

from collections.abc import Callable

from games.bots.kingdoms.powers import boss_move, epic_move, favourite, secret_move
from games.bots.kingdoms.war import best_attack, best_defence, my_stake, next_wave, protection
from games.bots.kingdoms.worth import ALL_TOWERS, best_purchases, is_last_round, me, rivals, wins_by_value
from games.rules.kingdoms import actions as a
from games.rules.kingdoms.deck import RANKS, card
from games.rules.kingdoms.view import View
from games.rules.protocol import Chance, Ruleset

TOO_RICH_TO_BUILD = 265  # from here on, 300 is closer than the next Tower
CHEAP = 8  # maximum value of a Flop card worth burning


def plan(ruleset: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
    return [ruleset.text(action) for action in _DECISIONS[view.phase](view, chance)]


# The turn


def _turn(view: View, chance: Chance) -> list[a.Action]:
    return next(steps for rule in RULES if (steps := rule(view, chance)))


def build(view: View, chance: Chance) -> list[a.Action]:
    """Build the next Tower, unless the hand is worth more as it is."""
    built = len(me(view).towers)
    if view.flags.battles or view.flags.picked_up or view.flags.builds >= view.flags.builds_allowed:
        return []
    found = [one for one in me(view).hand if card(one).rank == RANKS[built]]
    return [a.Build(found[0])] if found and (built == ALL_TOWERS - 1 or _pays_to_build(view)) else []


def _pays_to_build(view: View) -> bool:
    if view.options.quick:
        return view.round == 1 and not view.flags.drawn
    return (me(view).value or 0) < TOO_RICH_TO_BUILD


def pick_up(view: View, chance: Chance) -> list[a.Action]:
    """Pick up the top Tower if its value wins, or if hands are about to be counted."""
    towers, flags = me(view).towers, view.flags
    if not towers or flags.picked_up or flags.builds or flags.battles:
        return []
    return [a.PickUp()] if is_last_round(view) or wins_by_value(view, card(towers[-1]).value) else []


def blind_pick(view: View, chance: Chance) -> list[a.Action]:
    """Take a free card from each sub-kingdom."""
    return [a.BlindPick(seat) for seat in _pickable(view)[:1]]


def boss(view: View, chance: Chance) -> list[a.Action]:
    move = None if view.flags.battles else boss_move(view, _targets(view), chance)
    return [move] if move else []


def draw(view: View, chance: Chance) -> list[a.Action]:
    return [] if view.flags.drawn else [a.Draw()]


def steal(view: View, chance: Chance) -> list[a.Action]:
    move = None if view.flags.battles else secret_move(view)
    return [move] if move else []


def burn(view: View, chance: Chance) -> list[a.Action]:
    """Burn the cheapest card of the Flop: its replacement may be useful, or an Epic or a Boss."""
    can = [word for text in view.legal if (word := text.removeprefix("burn ")) != text]
    worst = min(can, key=lambda one: card(one).value, default=None)
    return [a.Burn(worst)] if worst and card(worst).value <= CHEAP else []


def buy(view: View, chance: Chance) -> list[a.Action]:
    return [] if view.flags.battles else [a.Buy(give, take) for give, take in best_purchases(view)]


def attack_or_end(view: View, chance: Chance) -> list[a.Action]:
    """Make the best attack if it is worth it or mandatory."""
    best = best_attack(view, _targets(view), chance)
    if best and (best.points > 0 or "end" not in view.legal):
        return [a.Attack(best.seat, best.cards)]
    return [a.End()]


RULES: tuple[Callable[[View, Chance], list[a.Action]], ...] = (
    pick_up, build, blind_pick, boss, draw, steal, burn, buy, attack_or_end
)  # fmt: skip


# What the view offers


def _targets(view: View) -> list[int]:
    """Return the possible targets clockwise, so that no seat is favoured when all else is equal."""
    can = {int(text.split(" ", 2)[1]) for text in view.legal if text.startswith("attack ")}
    return [rival.seat for rival in rivals(view) if rival.seat in can]


def _pickable(view: View) -> list[int]:
    return [int(text.split(" ")[1]) for text in view.legal if text.startswith("blind-pick ")]


# Answers outside the turn


def _defend(view: View, chance: Chance) -> list[a.Action]:
    if picks := _pickable(view):
        return [a.BlindPick(picks[0])]
    return [a.Defend(best_defence(view, my_stake(view)).cards)]


def _tie(view: View, chance: Chance) -> list[a.Action]:
    troops = next_wave(view, chance)
    return [a.Wave(troops) if troops else a.Stop()]


_DECISIONS: dict[str, Callable[[View, Chance], list[a.Action]]] = {
    "turn": _turn,
    "showdown": attack_or_end,
    "flopdraw": lambda view, chance: [a.DrawFromFlop(favourite(view, view.flop))],
    "epic": lambda view, chance: [epic_move(view)],
    "infiltrate": lambda view, chance: [a.Take(favourite(view, view.looked))],
    "protect": lambda view, chance: [a.Protect(protection(view))],
    "defend": _defend,
    "tie": _tie,
}
