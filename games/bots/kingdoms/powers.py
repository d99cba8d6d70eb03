"""When to use what is more than a Troop: the Not-So-Secret Move, Bosses, Epics; and which card to take when one may."""

from collections.abc import Iterable

from games.bots.kingdoms.war import best_attack
from games.bots.kingdoms.worth import ALL_TOWERS, Ledger, me, rivals, tastes
from games.rules.kingdoms.actions import Action, Boss, Market, NotSoSecret, Storm, Tribute
from games.rules.kingdoms.deck import RANKS, card
from games.rules.kingdoms.troops import GOAL, best_troops, not_so_secret_sets
from games.rules.kingdoms.view import PlayerView, View
from games.rules.kingdoms.worth import WINS, value
from games.rules.protocol import Chance

RICH = 240  # a Kingdom value that a Truce is to shelter
CROWDED = 9  # cards among which a spy finds a good one
SECOND_STRIKE = 25.0  # what a first attack has to promise before a second is thought of
SURELY_BELOW = {0: 99, 100: 199, 200: 299}


def threat(player: PlayerView) -> tuple[int, int, int]:
    """How near to victory a player seems."""
    return len(player.towers) == ALL_TOWERS - 1, player.band, len(player.towers) * 5 + player.cards


def favourite(view: View, cards: Iterable[str]) -> str:
    """The card that one would rather have than the others."""
    ledger = Ledger(me(view).hand, tastes(view))
    return max(cards, key=lambda one: ledger.change((), (one,)))


# The Not-So-Secret Move


def secret_move(view: View) -> NotSoSecret | None:
    """A Tower that is needed next, or one of a leader, for the cards that are missed least."""
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
    """What the Tower is worth here and the loss to its owner, who may win by what returns to the hand (K46)."""
    stolen, *broken = rival.towers[RANKS.index(rank) :]
    if view.options.broken_towers == "hand" and SURELY_BELOW[rival.band] + value(broken) >= WINS:
        return 0.0
    gain = Ledger(me(view).hand, tastes(view)).change((), (stolen,))
    leads = len(rival.towers) == ALL_TOWERS - 1
    return gain + 8.0 * (1 + len(broken)) + 60.0 * leads


# Bosses


def boss_move(view: View, targets: list[int], chance: Chance) -> Boss | None:
    """The first of one's Bosses that does more good than as a Troop."""
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
    """If another Tower can be built by it this turn."""
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
    """Where a Tower is about to win, or among many cards."""
    target = max((rival for rival in rivals(view) if rival.cards), key=threat, default=None)
    if target is None:
        return None
    near = len(target.towers) == ALL_TOWERS - 1 or target.band >= 200
    return Boss(one, seat=target.seat) if near or target.cards >= CROWDED else None


def _strikes_twice(view: View, one: str, targets: list[int], chance: Chance) -> bool:
    """Whether after a good attack there are troops left that beat 21."""
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
    """Against whoever seems nearest to victory."""
    power = card(view.epic or "").power
    if power == "market":
        return Market(favourite(view, view.flop))
    ranked = sorted(rivals(view), key=threat, reverse=True)
    if power == "storm":
        return Storm(next(rival.seat for rival in ranked if rival.towers))
    return Tribute(tuple(sorted([rival.seat for rival in ranked if rival.cards][:2])))
