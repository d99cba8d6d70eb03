"""Battles: whom to attack and with what, how to defend, whom to protect, and when to continue after a tie.

All values are points of Kingdom value: the stakes times the odds, minus the troops that are burned. What the others
hold is a guess: hands are dealt from the cards that the seat does not see.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from games.bots.kingdoms.preferences import ALL_TOWERS, Ledger, me, preferences_of, rulers, wins_by_value
from games.rules.kingdoms.deck import card, in_order
from games.rules.kingdoms.realm import above, after_castle, after_tower, below, conqueror
from games.rules.kingdoms.state import all_cards
from games.rules.kingdoms.troops import GOAL, best_ordinary, best_troops, troop_hands
from games.rules.kingdoms.values import value
from games.rules.kingdoms.view import PlayerView, View
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
DEALS = 12
# The distribution of an attack's strength by its number of cards: as seen in self-play, plus weaker ones as people play
# them. The last line is for more cards.
ATTACKS: tuple[tuple[tuple[int, float], ...], ...] = (
    ((5, 0.4), (13, 0.1), (21, 0.5)),
    ((12, 0.1), (21, 0.1), (22, 0.1), (23, 0.12), (24, 0.15), (28, 0.13), (34, 0.2), (37, 0.1)),
    ((16, 0.15), (20, 0.2), (21, 0.2), (22, 0.15), (23, 0.15), (24, 0.15)),
    ((18, 0.1), (21, 0.2), (22, 0.2), (23, 0.25), (24, 0.25)),
    ((18, 0.3), (21, 0.7)),
)

Cards = tuple[str, ...]


class Choice(msgspec.Struct, frozen=True):
    """A troop hand with its expected gain. `seat` is the target of an attack, or the defending seat.

    `odds` is the probability of winning the battle.
    """

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
    ledger, troops_by_total = Ledger(hand, preferences_of(view)), dict[int, tuple[float, Cards]]()
    for cards in troop_hands(hand):
        total, cost = value(cards), -ledger.change(cards)
        if total not in troops_by_total or cost < troops_by_total[total][0]:
            troops_by_total[total] = cost, cards
    return troops_by_total


# Attacking


def best_attack(view: View, targets: Iterable[int], chance: Chance) -> Choice | None:
    """Return the most promising attack, whether or not it is worth it."""
    troops, choices = cheapest(view), []
    for seat in targets:
        target = view.players[seat]
        totals = defences(view, target, chance)
        prize, risk = prize_of(view, target), _risk(view, target)
        for total, (cost, cards) in troops.items():
            odds = sum(defence < total for defence in totals) / len(totals)
            lost = sum(defence > total for defence in totals) / len(totals)
            won = prize + (WIN if wins_by_value(view, spoils(view) - value(cards)) else 0.0)
            points = odds * won - lost * risk - cost * TROOP - _uncovered(view, cards)
            choices.append(Choice(points, seat, cards, odds))
    return max(choices, key=_points, default=None)


def _points(choice: Choice) -> float:
    return choice.points


def prize_of(view: View, target: PlayerView) -> float:
    """Return the gain of beating the target: the spoils, its loss, and the change of rulers."""
    seat, before = me(view).seat, rulers(view)
    after = (after_tower if target.towers else after_castle)(before, seat, target.seat)
    towers = len(target.towers)
    loss = TOWER + MORE_TOWERS * (towers - 1) + LAST_BUT_ONE * (towers == ALL_TOWERS - 1) if towers else CASTLE
    points = float(spoils(view)) + loss + SUBJECT * (len(below(after, seat)) - len(below(before, seat)))
    if above(before, target.seat, seat):
        points += FREEDOM
    return points + _crowned(view, after)


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
    """Return the cost of being left without a good defense."""
    left = best_ordinary([card_id for card_id in me(view).hand if card_id not in cards])
    return RESERVE * (GOAL - value(left)) / GOAL


# Defending


def best_defence(view: View, stake: float) -> Choice:
    """Return the best troops to lay against the attack, or none; `points` are relative to laying none."""
    assert view.battle is not None
    wave = view.battle.waves[-1].hands[0]
    target, seat = view.players[view.battle.target], me(view).seat
    wall, known = 0 if target.towers else view.options.wall, value(wave.cards)
    likely = [(max(total, known), odds) for total, odds in attacks(wave.count)]
    gain = stake + _risk(view, view.players[view.battle.attacker])
    choices = []
    for total, cost, cards in [(0, 0.0, ()), *((total, *troops) for total, troops in cheapest(view).items())]:
        more = sum(odds for attack, odds in likely if attack < total + wall)
        even = sum(odds for attack, odds in likely if attack == total + wall)
        won = spoils(view) + (WIN if wins_by_value(view, spoils(view) - value(cards)) else 0.0) if cards else 0.0
        points = more * (gain + won) + even * gain * 0.7 - cost * TROOP - _uncovered(view, cards)
        choices.append(Choice(points, seat, cards, more))
    best = max(choices, key=_points)
    return msgspec.structs.replace(best, points=best.points - choices[0].points)


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


# Guesses


def unseen(view: View) -> list[str]:
    """Return the cards the seat does not see: in the Draw deck, in others' hands, or face down on the table."""
    seen = {*view.flop, *view.burn, *view.out, *me(view).hand}
    for player in view.players:
        seen.update(player.towers, player.shown)
    for wave in view.battle.waves if view.battle else ():
        seen.update(card_id for laid in wave.hands for card_id in laid.cards)
    return [card_id for card_id in all_cards(view.options, len(view.players)) if card_id not in seen]


def dealt(pool: Sequence[str], player: PlayerView, chance: Chance) -> Cards:
    """Return a hand that the player might hold, in deck order."""
    left = list(pool)
    hidden = min(player.cards - len(player.shown), len(left))
    return in_order((*player.shown, *(left.pop(chance.below(len(left))) for _ in range(hidden))))


@lru_cache(maxsize=1 << 12)
def strengths(hand: Cards) -> tuple[int, int]:
    """Return the highest total of a hand without Epics and Bosses, and with them."""
    plain = [card_id for card_id in hand if not card(card_id).commands]
    return value(best_troops(plain)), value(best_troops(hand))


def defences(view: View, target: PlayerView, chance: Chance) -> list[int]:
    """Return possible defenses of the target: its usual and its strongest hands, including the wall."""
    pool, wall = unseen(view), 0 if target.towers else view.options.wall
    # The player who rules the target may defend with it or for it, unless that is the viewing seat.
    ally = None if target.ruler in (None, me(view).seat) else view.players[target.ruler]
    totals = []
    for number in range(DEALS):
        usual, utmost = strengths(dealt(pool, target, chance))
        if number % 2 and ally:
            usual = max(usual, strengths(dealt(pool, ally, chance))[0])
        totals += [usual + wall, utmost + wall]
    return totals


def attacks(count: int) -> tuple[tuple[int, float], ...]:
    """Return the possible strengths of an attack with `count` cards, and their probabilities."""
    return ATTACKS[min(count, len(ATTACKS)) - 1]
