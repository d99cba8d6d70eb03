"""Battles: whom to attack and with what, how to defend, whom to protect, and when to continue after a tie.

All values are points of Kingdom value: the stakes times the odds, minus the troops that are burned.
"""

from collections.abc import Iterable, Sequence

import msgspec

from games.bots.kingdoms.guess import attacks, defences
from games.bots.kingdoms.worth import ALL_TOWERS, Ledger, me, rulers, tastes, wins_by_value
from games.rules.kingdoms.realm import above, after_castle, after_tower, below, conqueror
from games.rules.kingdoms.troops import GOAL, best_ordinary, troop_hands
from games.rules.kingdoms.view import PlayerView, View
from games.rules.kingdoms.worth import value
from games.rules.protocol import Chance

WIN = 1000.0
HELD = 150.0  # a two-player conquest that must hold for a turn
TROOP = 0.75  # a card's value as a troop, relative to its value in the hand
TOWER, MORE_TOWERS, LAST_BUT_ONE = 10.0, 6.0, 45.0
CASTLE = 20.0
SUBJECT, FREEDOM = 28.0, 28.0
MY_TOWER, MY_CASTLE = 22.0, 45.0
RIVAL_SPOILS = 0.4  # weight of a rival's gain
NEAR = 60.0  # assumed distance from victory of a hand of 200 or more
RESERVE = 16.0
OTHER_SPOILS = 22  # a battle's spoils if they are not the Flop
SURE = 0.55

Cards = tuple[str, ...]


class Choice(msgspec.Struct, frozen=True):
    """A troop hand, for or against whom, and its expected gain."""

    points: float
    seat: int
    cards: Cards
    odds: float = 0.0


def spoils(view: View) -> int:
    """Return the value of the cards that the winner takes."""
    return value(view.flop) if view.options.spoils == "flop" else OTHER_SPOILS


def cheapest(view: View) -> dict[int, tuple[float, Cards]]:
    """Return, for each possible total, the troops that are missed least and their value."""
    hand = me(view).hand
    ledger, found = Ledger(hand, tastes(view)), dict[int, tuple[float, Cards]]()
    for cards in troop_hands(hand):
        total, cost = value(cards), -ledger.change(cards)
        if total not in found or cost < found[total][0]:
            found[total] = cost, cards
    return found


# Attacking


def best_attack(view: View, targets: Iterable[int], chance: Chance) -> Choice | None:
    """Return the most promising attack, whether or not it is worth it."""
    troops = cheapest(view)
    chosen = [choice for seat in targets if (choice := _against(view, view.players[seat], troops, chance)) is not None]
    return max(chosen, key=_points, default=None)


def _points(choice: Choice) -> float:
    return choice.points


def _against(view: View, target: PlayerView, troops: dict[int, tuple[float, Cards]], chance: Chance) -> Choice | None:
    totals = defences(view, target, chance)
    prize, risk = prize_of(view, target), _risk(view, target)
    found = []
    for total, (cost, cards) in troops.items():
        odds = sum(one < total for one in totals) / len(totals)
        lost = sum(one > total for one in totals) / len(totals)
        won = prize + (WIN if wins_by_value(view, spoils(view) - value(cards)) else 0.0)
        points = odds * won - lost * risk - cost * TROOP - _uncovered(view, cards)
        found.append(Choice(points, target.seat, cards, odds))
    return max(found, key=_points, default=None)


def prize_of(view: View, target: PlayerView) -> float:
    """Return the gain of beating the target: the spoils, its loss, and the change of rulers."""
    seat, before = me(view).seat, rulers(view)
    after = (after_tower if target.towers else after_castle)(before, seat, target.seat)
    points = float(spoils(view)) + _loss(target) + SUBJECT * (len(below(after, seat)) - len(below(before, seat)))
    if above(before, target.seat, seat):
        points += FREEDOM
    return points + _crowned(view, after)


def _loss(target: PlayerView) -> float:
    """Return what the target's loss of a Tower or a Castle is worth to a rival."""
    n = len(target.towers)
    return TOWER + MORE_TOWERS * (n - 1) + LAST_BUT_ONE * (n == ALL_TOWERS - 1) if n else CASTLE


def _crowned(view: View, after: Sequence[int | None]) -> float:
    """Return the value of someone ruling everyone after this (K40, K41)."""
    winner = conqueror(tuple(after))
    if winner is None:
        return 0.0
    stake = HELD if len(view.players) == 2 and view.options.hold_two else WIN
    return stake if winner == me(view).seat else -stake


def _risk(view: View, winner: PlayerView) -> float:
    """Return the cost of another player winning the spoils; high if they could win the game."""
    return spoils(view) * RIVAL_SPOILS + (WIN * min(1.0, spoils(view) / NEAR) / 2 if winner.band >= 200 else 0.0)


def _uncovered(view: View, cards: Cards) -> float:
    """Return the cost of being left without a good defence."""
    left = best_ordinary([one for one in me(view).hand if one not in cards])
    return RESERVE * (GOAL - value(left)) / GOAL


# Defending


def best_defence(view: View, stake: float) -> Choice:
    """Return the best troops to lay against the attack, or none; `points` are relative to laying none."""
    assert view.battle is not None
    wave = view.battle.waves[-1].hands[0]
    strong, target = attacks(wave.count), view.players[view.battle.target]
    wall, known = 0 if target.towers else view.options.wall, value(wave.cards)
    likely = [(max(total, known), odds) for total, odds in strong]
    gain = stake + _risk(view, view.players[view.battle.attacker])
    tried = [(0, 0.0, ()), *((total, cost, cards) for total, (cost, cards) in cheapest(view).items())]
    choices = [_held(view, total + wall, cost, cards, likely, gain) for total, cost, cards in tried]
    best = max(choices, key=_points)
    return msgspec.structs.replace(best, points=best.points - choices[0].points)


def _held(view: View, total: int, cost: float, cards: Cards, likely: list[tuple[int, float]], stake: float) -> Choice:
    more, even = (sum(odds for attack, odds in likely if test(attack)) for test in (total.__gt__, total.__eq__))
    won = spoils(view) + (WIN if wins_by_value(view, spoils(view) - value(cards)) else 0.0) if cards else 0.0
    points = more * (stake + won) + even * stake * 0.7 - cost * TROOP - _uncovered(view, cards)
    return Choice(points, me(view).seat, cards, more)


def my_stake(view: View) -> float:
    """Return what the viewing seat would lose by the attack: a Tower or Castle of its own, or a sub-kingdom."""
    assert view.battle is not None
    attacker, target = view.battle.attacker, view.players[view.battle.target]
    after = (after_tower if target.towers else after_castle)(rulers(view), attacker, target.seat)
    crowned = max(0.0, -_crowned(view, after))
    if target.seat != me(view).seat:
        return SUBJECT + crowned
    own = MY_TOWER + MORE_TOWERS * (len(target.towers) - 1) if target.towers else MY_CASTLE
    return own + LAST_BUT_ONE * (len(target.towers) == ALL_TOWERS - 1) + crowned


def protection(view: View) -> str:
    """Return whether to protect a sub-kingdom: if the stake is high, or if there are troops to spare."""
    stake = my_stake(view)
    assert view.battle is not None
    helps = 1.0 if stake >= HELD or not view.players[view.battle.target].cards else 0.4
    return "with" if best_defence(view, stake * helps).points > 0 else "leave"


def next_wave(view: View, chance: Chance) -> Cards:
    """Return the troops for another wave after a tie; none to stop."""
    assert view.battle is not None
    again = best_attack(view, (view.battle.target,), chance)
    return again.cards if again and again.points > 0 and again.odds >= SURE else ()
