"""What the others may hold: hands dealt from the cards that the seat does not see, and how strong they would be."""

from collections.abc import Sequence
from functools import lru_cache

from games.bots.kingdoms.worth import me
from games.rules.kingdoms.deck import card, in_order
from games.rules.kingdoms.state import all_cards
from games.rules.kingdoms.troops import best_troops, classify
from games.rules.kingdoms.view import PlayerView, View
from games.rules.protocol import Chance

DEALS = 12
# How often an attack with so many cards is how strong: as seen in self-play, and weaker ones as people and chance have
# them. The last line is for more cards.
ATTACKS: tuple[tuple[tuple[int, float], ...], ...] = (
    ((5, 0.4), (13, 0.1), (21, 0.5)),
    ((12, 0.1), (21, 0.1), (22, 0.1), (23, 0.12), (24, 0.15), (28, 0.13), (34, 0.2), (37, 0.1)),
    ((16, 0.15), (20, 0.2), (21, 0.2), (22, 0.15), (23, 0.15), (24, 0.15)),
    ((18, 0.1), (21, 0.2), (22, 0.2), (23, 0.25), (24, 0.25)),
    ((18, 0.3), (21, 0.7)),
)


def unseen(view: View) -> list[str]:
    """The cards that the seat does not see: in the Draw deck or in the hand of another, some laid on the table."""
    seen = {*view.flop, *view.burn, *view.out, *me(view).hand}
    for player in view.players:
        seen.update(player.towers, player.shown)
    for wave in view.battle.waves if view.battle else ():
        seen.update(one for laid in wave.hands for one in laid.cards)
    return [one for one in all_cards(view.options, len(view.players)) if one not in seen]


def dealt(pool: Sequence[str], player: PlayerView, chance: Chance) -> tuple[str, ...]:
    """A hand that the player might hold."""
    left = list(pool)
    hidden = min(player.cards - len(player.shown), len(left))
    return (*player.shown, *(left.pop(chance.below(len(left))) for _ in range(hidden)))


def strengths(hand: Sequence[str]) -> tuple[int, int]:
    """The highest total that a hand makes without Epics and Bosses, and with them."""
    return _strengths(in_order(hand))


@lru_cache(maxsize=1 << 12)
def _strengths(hand: tuple[str, ...]) -> tuple[int, int]:
    plain = [one for one in hand if not card(one).commands]
    return _total(plain), _total(hand)


def _total(hand: Sequence[str]) -> int:
    best = best_troops(hand)
    return classify(best).total if best else 0


def defences(view: View, target: PlayerView, chance: Chance) -> list[int]:
    """What the target might lay against an attack: with its usual means and with its utmost, the wall included."""
    pool, wall = unseen(view), 0 if target.towers else view.options.wall
    found = []
    for number in range(DEALS):
        usual, utmost = strengths(dealt(pool, target, chance))
        if number % 2 and (ally := protector(view, target)):
            usual = max(usual, strengths(dealt(pool, ally, chance))[0])
        found += [usual + wall, utmost + wall]
    return found


def protector(view: View, target: PlayerView) -> PlayerView | None:
    """Who may defend with or for the target against the viewing seat."""
    return None if target.ruler in (None, me(view).seat) else view.players[target.ruler]


def attacks(count: int) -> tuple[tuple[int, float], ...]:
    """How strong an attack with so many cards is, and how likely."""
    return ATTACKS[min(count, len(ATTACKS)) - 1]
