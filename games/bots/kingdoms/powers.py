"""When to use special moves: Not-So-Secret Moves, Bosses and Epics; and which card to take if there is a choice."""

from collections.abc import Iterable

from games.bots.kingdoms.war import best_attack
from games.bots.kingdoms.worth import ALL_TOWERS, Ledger, me, rivals, tastes
from games.rules.kingdoms.actions import Action, Boss, Market, NotSoSecret, Storm, Tribute
from games.rules.kingdoms.deck import RANKS, card
from games.rules.kingdoms.troops import GOAL, best_troops, not_so_secret_sets
from games.rules.kingdoms.view import PlayerView, View
from games.rules.kingdoms.worth import WINS, value
from games.rules.protocol import Chance

RICH = 240  # a Kingdom value worth protecting with a Truce
CROWDED = 9  # number of cards among which a spy finds a good one
SECOND_STRIKE = 25.0  # minimum expected gain of a first attack before planning a second
SURELY_BELOW = {0: 99, 100: 199, 200: 299}


def threat(player: PlayerView) -> tuple[int, int, int]:
    """Return a sort key for how close to victory a player seems."""
    return len(player.towers) == ALL_TOWERS - 1, player.band, len(player.towers) * 5 + player.cards


def favourite(view: View, cards: Iterable[str]) -> str:
    """Return the card with the highest value for the seat."""
    ledger = Ledger(me(view).hand, tastes(view))
    return max(cards, key=lambda one: ledger.change((), (one,)))


# The Not-So-Secret Move


def secret_move(view: View) -> NotSoSecret | None:
    """Take a Tower that is needed next, or one of a leading player, for the cards that are missed least."""
    sets = not_so_secret_sets(me(view).hand)
    found = [
        (points, rival.seat, rank)
        for rival in rivals(view)
        for rank in RANKS[: len(rival.towers)]
        if (points := _theft(view, rival, rank)) > 0
    ]
    if not sets or not found or view.flags.not_so_secret:
        return None
    ledger = Ledger(me(view).hand, tastes(view))
    cards = max(sets, key=ledger.change)
    points, seat, rank = max(found, key=lambda theft: theft[0])
    return NotSoSecret(cards, seat, rank) if points + ledger.change(cards) > 0 else None


def _theft(view: View, rival: PlayerView, rank: str) -> float:
    """Return the Tower's value plus the owner's loss; 0 if the owner may win by what returns to the hand (K46)."""
    stolen, *broken = rival.towers[RANKS.index(rank) :]
    if view.options.broken_towers == "hand" and SURELY_BELOW[rival.band] + value(broken) >= WINS:
        return 0.0
    gain = Ledger(me(view).hand, tastes(view)).change((), (stolen,))
    leads = len(rival.towers) == ALL_TOWERS - 1
    return gain + 8.0 * (1 + len(broken)) + 60.0 * leads


# Bosses


def boss_move(view: View, targets: list[int], chance: Chance) -> Boss | None:
    """Return the first of the seat's Bosses that is more useful for its move than as a troop, or None."""
    for one in me(view).hand:
        hero = card(one)
        if hero.kind == "boss" and (move := _move(view, one, hero.power or "", targets, chance)):
            return move
    return None


def _move(view: View, one: str, power: str, targets: list[int], chance: Chance) -> Boss | None:
    if power == "walls":
        return _raise_walls(view, one)
    if power == "infiltrate":
        return _spy(view, one)
    if power == "strike":
        return Boss(one) if view.flags.drawn and _strikes_twice(view, one, targets, chance) else None
    return Boss(one) if view.flags.drawn and _needs_truce(view) else None


def _raise_walls(view: View, one: str) -> Boss | None:
    """Use it if it lets the seat build another Tower this turn."""
    built = len(me(view).towers)
    held = {card(other).rank for other in me(view).hand}
    burned = {rank: other for other in view.burn if (rank := card(other).rank)}
    missing = [rank for rank in RANKS[built:] if rank not in held]
    taken = next((burned[rank] for rank in missing if rank in burned), next(iter(burned.values()), None))
    held |= {card(taken).rank} if taken else set()
    rising = next((n for n, rank in enumerate(RANKS[built:]) if rank not in held), ALL_TOWERS - built)
    left = view.flags.builds_allowed - view.flags.builds
    return Boss(one, taken=taken) if rising > left and not view.flags.picked_up else None


def _spy(view: View, one: str) -> Boss | None:
    """Use it if a Tower is about to win, or against a large hand."""
    target = max((rival for rival in rivals(view) if rival.cards), key=threat, default=None)
    if target is None:
        return None
    near = len(target.towers) == ALL_TOWERS - 1 or target.band >= 200
    return Boss(one, seat=target.seat) if near or target.cards >= CROWDED else None


def _strikes_twice(view: View, one: str, targets: list[int], chance: Chance) -> bool:
    """Return whether the troops left after a good attack still beat 21."""
    if view.flags.battles_allowed > 1:
        return False
    first = best_attack(view, targets, chance)
    if first is None or first.points < SECOND_STRIKE or one in first.cards:
        return False
    left = [other for other in me(view).hand if other not in first.cards and other != one]
    return value(best_troops(left)) > GOAL


def _needs_truce(view: View) -> bool:
    exposed = len(me(view).towers) == ALL_TOWERS - 1 or (me(view).value or 0) >= RICH
    return exposed and not me(view).truce


# Epics


def epic_move(view: View) -> Action:
    """Move against the player who seems closest to victory."""
    power = card(view.epic or "").power
    if power == "market":
        return Market(favourite(view, view.flop))
    ranked = sorted(rivals(view), key=threat, reverse=True)
    if power == "storm":
        return Storm(next(rival.seat for rival in ranked if rival.towers))
    return Tribute(tuple(sorted([rival.seat for rival in ranked if rival.cards][:2])))
