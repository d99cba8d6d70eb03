"""A bot for Kingdoms that plays by rules of thumb, asked in the order in which a sensible player would act.

It knows what its view shows and guesses the rest. What cards are worth, and battles, have their own modules.
"""

from collections.abc import Callable, Iterable

from games.bots.kingdoms.preferences import (
    ALL_TOWERS,
    Ledger,
    best_purchases,
    is_last_round,
    me,
    preferences_of,
    rivals,
    wins_by_value,
)
from games.bots.kingdoms.war import best_attack, best_defence, my_stake, next_wave, protection
from games.rules.kingdoms import actions as a
from games.rules.kingdoms.deck import RANKS, card
from games.rules.kingdoms.troops import GOAL, best_troops, not_so_secret_sets
from games.rules.kingdoms.values import WINS, value
from games.rules.kingdoms.view import PlayerView, View
from games.rules.protocol import Chance, Ruleset

TOO_RICH_TO_BUILD = 265  # from here on, 300 is closer than the next Tower
CHEAP = 8  # maximum value of a Flop card worth burning
RICH = 240  # a Kingdom value worth protecting with a Truce
CROWDED = 9  # number of cards among which a spy finds a good one
SECOND_STRIKE = 25.0  # minimum expected gain of a first attack before planning a second
SURELY_BELOW = {0: 99, 100: 199, 200: 299}


def plan(ruleset: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
    return [ruleset.text(action) for action in _decision(view, chance)]


def _decision(view: View, chance: Chance) -> list[a.Action]:
    """Return the next actions of the seat."""
    match view.phase:
        case "turn":
            return next(steps for rule in RULES if (steps := rule(view, chance)))
        case "flopdraw":
            return [a.DrawFromFlop(favourite(view, view.flop))]
        case "epic":
            return [epic_move(view)]
        case "infiltrate":
            return [a.Take(favourite(view, view.looked))]
        case "protect":
            return [a.Protect(protection(view))]
        case "defend":
            return blind_pick(view, chance) or [a.Defend(best_defence(view, my_stake(view)).cards)]
        case "tie":
            troops = next_wave(view, chance)
            return [a.Wave(troops) if troops else a.Stop()]
    return attack_or_end(view, chance)  # the Final Showdown


# The turn


def pick_up(view: View, chance: Chance) -> list[a.Action]:
    """Pick up the top Tower if its value wins, or if hands are about to be counted."""
    towers, flags = me(view).towers, view.flags
    if not towers or flags.picked_up or flags.builds or flags.battles:
        return []
    return [a.PickUp()] if is_last_round(view) or wins_by_value(view, card(towers[-1]).value) else []


def build(view: View, chance: Chance) -> list[a.Action]:
    """Build the next Tower, unless the hand is worth more as it is."""
    built, flags = len(me(view).towers), view.flags
    if flags.battles or flags.picked_up or flags.builds >= flags.builds_allowed:
        return []
    matching = [card_id for card_id in me(view).hand if card(card_id).rank == RANKS[built]]
    pays = (me(view).value or 0) < TOO_RICH_TO_BUILD
    if view.options.quick:
        pays = view.round == 1 and not flags.drawn
    return [a.Build(matching[0])] if matching and (pays or built == ALL_TOWERS - 1) else []


def blind_pick(view: View, chance: Chance) -> list[a.Action]:
    """Take a free card from each sub-kingdom."""
    can = [int(text.split(" ")[1]) for text in view.legal if text.startswith("blind-pick ")]
    return [a.BlindPick(can[0])] if can else []


def boss(view: View, chance: Chance) -> list[a.Action]:
    """Play the first of the seat's Bosses that is more useful for its move than as a troop."""
    if view.flags.battles:
        return []
    mine, drawn = me(view), view.flags.drawn
    for card_id in mine.hand:
        match card(card_id).power:
            case "walls":
                if move := _raise_walls(view, card_id):
                    return [move]
            case "infiltrate":
                # If a Tower is about to win, or against a large hand.
                target = max((rival for rival in rivals(view) if rival.cards), key=threat, default=None)
                if target and (len(target.towers) == ALL_TOWERS - 1 or target.band >= 200 or target.cards >= CROWDED):
                    return [a.Boss(card_id, seat=target.seat)]
            case "strike" if drawn and view.flags.battles_allowed == 1:
                # If the troops left after a good attack still beat 21.
                first = best_attack(view, _targets(view), chance)
                if first and first.points >= SECOND_STRIKE and card_id not in first.cards:
                    left = [other for other in mine.hand if other not in first.cards and other != card_id]
                    if value(best_troops(left)) > GOAL:
                        return [a.Boss(card_id)]
            case "truce" if drawn and not mine.truce:
                if len(mine.towers) == ALL_TOWERS - 1 or (mine.value or 0) >= RICH:
                    return [a.Boss(card_id)]
    return []


def _raise_walls(view: View, card_id: str) -> a.Boss | None:
    """Play the Master Builder if that lets the seat build another Tower this turn."""
    built = len(me(view).towers)
    held = {card(other).rank for other in me(view).hand}
    burned = {rank: other for other in view.burn if (rank := card(other).rank)}
    missing = [rank for rank in RANKS[built:] if rank not in held]
    taken = next((burned[rank] for rank in missing if rank in burned), next(iter(burned.values()), None))
    held |= {card(taken).rank} if taken else set()
    rising = next((n for n, rank in enumerate(RANKS[built:]) if rank not in held), ALL_TOWERS - built)
    left = view.flags.builds_allowed - view.flags.builds
    return a.Boss(card_id, taken=taken) if rising > left and not view.flags.picked_up else None


def draw(view: View, chance: Chance) -> list[a.Action]:
    return [] if view.flags.drawn else [a.Draw()]


def steal(view: View, chance: Chance) -> list[a.Action]:
    """Take a Tower that is needed next, or one of a leading player, for the cards that are missed least."""
    sets = not_so_secret_sets(me(view).hand)
    if not sets or view.flags.battles or view.flags.not_so_secret:
        return []
    ledger = Ledger(me(view).hand, preferences_of(view))
    best, theft = 0.0, None
    for rival in rivals(view):
        leads = len(rival.towers) == ALL_TOWERS - 1
        for place, stolen in enumerate(rival.towers):
            broken = rival.towers[place + 1 :]
            if view.options.broken_towers == "hand" and SURELY_BELOW[rival.band] + value(broken) >= WINS:
                continue  # the owner may win by what returns to the hand (K46)
            points = ledger.change((), (stolen,)) + 8.0 * (1 + len(broken)) + 60.0 * leads
            if points > best:
                best, theft = points, (rival.seat, RANKS[place])
    cards = max(sets, key=ledger.change)
    return [a.NotSoSecret(cards, *theft)] if theft and best + ledger.change(cards) > 0 else []


def burn(view: View, chance: Chance) -> list[a.Action]:
    """Burn the cheapest card of the Flop: its replacement may be useful, or an Epic or a Boss."""
    can = [word for text in view.legal if (word := text.removeprefix("burn ")) != text]
    worst = min(can, key=lambda card_id: card(card_id).value, default=None)
    return [a.Burn(worst)] if worst and card(worst).value <= CHEAP else []


def buy(view: View, chance: Chance) -> list[a.Action]:
    return [] if view.flags.battles else [a.Buy(give, take) for give, take in best_purchases(view)]


def attack_or_end(view: View, chance: Chance) -> list[a.Action]:
    """Make the best attack if it is worth it or mandatory."""
    best = best_attack(view, _targets(view), chance)
    if best and (best.points > 0 or "end" not in view.legal):
        return [a.Attack(best.seat, best.cards)]
    return [a.End()]


def _targets(view: View) -> list[int]:
    """Return the possible targets clockwise, so that no seat is favored when all else is equal."""
    can = {int(text.split(" ", 2)[1]) for text in view.legal if text.startswith("attack ")}
    return [rival.seat for rival in rivals(view) if rival.seat in can]


RULES: tuple[Callable[[View, Chance], list[a.Action]], ...] = (
    pick_up, build, blind_pick, boss, draw, steal, burn, buy, attack_or_end
)  # fmt: skip


# Choices among cards and players


def favourite(view: View, cards: Iterable[str]) -> str:
    """Return the card with the highest value for the seat."""
    ledger = Ledger(me(view).hand, preferences_of(view))
    return max(cards, key=lambda card_id: ledger.change((), (card_id,)))


def threat(player: PlayerView) -> tuple[int, int, int]:
    """Return a sort key for how close to victory a player seems."""
    return len(player.towers) == ALL_TOWERS - 1, player.band, len(player.towers) * 5 + player.cards


def epic_move(view: View) -> a.Epic:
    """Move against the player who seems closest to victory."""
    power = card(view.epic or "").power
    if power == "market":
        return a.Market(favourite(view, view.flop))
    ranked = sorted(rivals(view), key=threat, reverse=True)
    if power == "storm":
        return a.Storm(next(rival.seat for rival in ranked if rival.towers))
    return a.Tribute(tuple(sorted([rival.seat for rival in ranked if rival.cards][:2])))
