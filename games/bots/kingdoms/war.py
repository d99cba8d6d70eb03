"""Battles: whom to attack and with what, how to defend, whom to stand by, and when to go on after a tie.

Everything is weighed in points of Kingdom value: what is at stake times the odds, less the troops that are burned.
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
HELD = 150.0  # a conquest of two that has to be held for a turn
TROOP = 0.75  # what a card is worth as a troop, by what it is worth in the hand
TOWER, MORE_TOWERS, LAST_BUT_ONE = 10.0, 6.0, 45.0
CASTLE = 20.0
SUBJECT, FREEDOM = 28.0, 28.0
MY_TOWER, MY_CASTLE = 22.0, 45.0
RIVAL_SPOILS = 0.4  # a rival's gain, by one's own
NEAR = 60.0  # how far from victory a hand of 200 or more is thought to be
RESERVE = 16.0
OTHER_SPOILS = 22  # what a battle brings where the Flop is not the spoils
SURE = 0.55

Cards = tuple[str, ...]


class Choice(msgspec.Struct, frozen=True):
    """A troop hand, for or against whom, and what it is expected to bring."""

    points: float
    seat: int
    cards: Cards
    odds: float = 0.0


def spoils(view: View) -> int:
    """The value of the cards that the winner takes."""
    return value(view.flop) if view.options.spoils == "flop" else OTHER_SPOILS


def cheapest(view: View) -> dict[int, tuple[float, Cards]]:
    """For each total that the hand can make the troops that are missed least, and what they are worth."""
    hand = me(view).hand
    ledger, found = Ledger(hand, tastes(view)), dict[int, tuple[float, Cards]]()
    for cards in troop_hands(hand):
        total, cost = value(cards), -ledger.change(cards)
        if total not in found or cost < found[total][0]:
            found[total] = cost, cards
    return found


# To attack


def best_attack(view: View, targets: Iterable[int], chance: Chance) -> Choice | None:
    """The attack that promises most, whether or not it is worth it."""
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
    """What it brings to beat the target: the spoils, its loss, and who then rules whom."""
    seat, before = me(view).seat, rulers(view)
    after = (after_tower if target.towers else after_castle)(before, seat, target.seat)
    points = float(spoils(view)) + _loss(target) + SUBJECT * (len(below(after, seat)) - len(below(before, seat)))
    if above(before, target.seat, seat):
        points += FREEDOM
    return points + _crowned(view, after)


def _loss(target: PlayerView) -> float:
    """What a Tower or a Castle less for the target is worth to a rival."""
    n = len(target.towers)
    return TOWER + MORE_TOWERS * (n - 1) + LAST_BUT_ONE * (n == ALL_TOWERS - 1) if n else CASTLE


def _crowned(view: View, after: Sequence[int | None]) -> float:
    """What it means if somebody now rules everybody (K40, K41)."""
    winner = conqueror(tuple(after))
    if winner is None:
        return 0.0
    stake = HELD if len(view.players) == 2 and view.options.hold_two else WIN
    return stake if winner == me(view).seat else -stake


def _risk(view: View, winner: PlayerView) -> float:
    """What it costs that another wins the spoils; much where they may make them win the game."""
    return spoils(view) * RIVAL_SPOILS + (WIN * min(1.0, spoils(view) / NEAR) / 2 if winner.band >= 200 else 0.0)


def _uncovered(view: View, cards: Cards) -> float:
    """What it costs to be left without a good defence."""
    left = best_ordinary([one for one in me(view).hand if one not in cards])
    return RESERVE * (GOAL - value(left)) / GOAL


# To defend


def best_defence(view: View, stake: float) -> Choice:
    """The troops to lay against the attack on the table, or none; `points` count from laying nothing."""
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
    """What the attack on the table would take from the viewing seat: its own Tower or Castle, or a sub-kingdom."""
    assert view.battle is not None
    attacker, target = view.battle.attacker, view.players[view.battle.target]
    after = (after_tower if target.towers else after_castle)(rulers(view), attacker, target.seat)
    crowned = max(0.0, -_crowned(view, after))
    if target.seat != me(view).seat:
        return SUBJECT + crowned
    own = MY_TOWER + MORE_TOWERS * (len(target.towers) - 1) if target.towers else MY_CASTLE
    return own + LAST_BUT_ONE * (len(target.towers) == ALL_TOWERS - 1) + crowned


def protection(view: View) -> str:
    """Whether to stand by a sub-kingdom: where the stake is high, or the troops are to spare."""
    stake = my_stake(view)
    assert view.battle is not None
    helps = 1.0 if stake >= HELD or not view.players[view.battle.target].cards else 0.4
    return "with" if best_defence(view, stake * helps).points > 0 else "leave"


def next_wave(view: View, chance: Chance) -> Cards:
    """The troops for another wave after a tie; none to stop."""
    assert view.battle is not None
    again = best_attack(view, (view.battle.target,), chance)
    return again.cards if again and again.points > 0 and again.odds >= SURE else ()
