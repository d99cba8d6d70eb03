"""What the other players may hold: hands dealt from unseen cards, and their strength."""

from collections.abc import Sequence
from functools import lru_cache

from games.bots.kingdoms.worth import me
from games.rules.kingdoms.deck import card, in_order
from games.rules.kingdoms.state import all_cards
from games.rules.kingdoms.troops import best_troops, classify
from games.rules.kingdoms.view import PlayerView, View
from games.rules.protocol import Chance

DEALS = 12
# The distribution of an attack's strength by its number of cards: as seen in self-play, plus weaker ones as people play
# them. The last line is for more cards.
# them. The last line is for more cards.
ATTACKS: tuple[tuple[tuple[int, float], ...], ...] = (
    ((5, 0.4), (13, 0.1), (21, 0.5)),
    ((12, 0.1), (21, 0.1), (22, 0.1), (23, 0.12), (24, 0.15), (28, 0.13), (34, 0.2), (37, 0.1)),
    ((16, 0.15), (20, 0.2), (21, 0.2), (22, 0.15), (23, 0.15), (24, 0.15)),
    ((18, 0.1), (21, 0.2), (22, 0.2), (23, 0.25), (24, 0.25)),
    ((18, 0.3), (21, 0.7)),
)


def unseen(view: View) -> list[str]:
    """Return the cards the seat does not see: in the Draw deck, in others' hands, or face down on the table."""
    seen = {*view.flop, *view.burn, *view.out, *me(view).hand}
    for player in view.players:
        seen.update(player.towers, player.shown)
    for wave in view.battle.waves if view.battle else ():
        seen.update(one for laid in wave.hands for one in laid.cards)
    return [one for one in all_cards(view.options, len(view.players)) if one not in seen]


def dealt(pool: Sequence[str], player: PlayerView, chance: Chance) -> tuple[str, ...]:
    """Return a hand that the player might hold."""
    left = list(pool)
    hidden = min(player.cards - len(player.shown), len(left))
    return (*player.shown, *(left.pop(chance.below(len(left))) for _ in range(hidden)))


def strengths(hand: Sequence[str]) -> tuple[int, int]:
    """Return the highest total of a hand without Epics and Bosses, and with them."""
    return _strengths(in_order(hand))


@lru_cache(maxsize=1 << 12)
def _strengths(hand: tuple[str, ...]) -> tuple[int, int]:
    plain = [one for one in hand if not card(one).commands]
    return _total(plain), _total(hand)


def _total(hand: Sequence[str]) -> int:
    best = best_troops(hand)
    return classify(best).total if best else 0


def defences(view: View, target: PlayerView, chance: Chance) -> list[int]:
    """Return possible defences of the target: its usual and its strongest hands, including the wall."""
    pool, wall = unseen(view), 0 if target.towers else view.options.wall
    found = []
    for number in range(DEALS):
        usual, utmost = strengths(dealt(pool, target, chance))
        if number % 2 and (ally := protector(view, target)):
            usual = max(usual, strengths(dealt(pool, ally, chance))[0])
        found += [usual + wall, utmost + wall]
    return found


def protector(view: View, target: PlayerView) -> PlayerView | None:
    """Return who may defend with or for the target against the viewing seat, or None."""
    return None if target.ruler in (None, me(view).seat) else view.players[target.ruler]


def attacks(count: int) -> tuple[tuple[int, float], ...]:
    """Return the possible strengths of an attack with `count` cards, and their probabilities."""
    return ATTACKS[min(count, len(ATTACKS)) - 1]
