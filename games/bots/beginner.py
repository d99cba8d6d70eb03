"""The Easy level: plays as beginners do, with typical mistakes instead of random moves.

It looks only at its own turn and counts only its own points. In the Eight-Minute family it takes a region that it holds
now as won, likes cards more than they are worth, and overlooks an island each turn. In Kingdoms it builds and buys, and
never chooses to attack or to play a Boss.
"""

from games.bots import greedy
from games.bots.bot import Planner
from games.bots.eight_minute import knowledge
from games.bots.eight_minute.evaluation import extras, holdings, pieces
from games.bots.kingdoms import plan as kingdoms
from games.rules.eight_minute.scoring import held_by
from games.rules.kingdoms import actions as k
from games.rules.protocol import Chance, Ruleset, State, View

LIKES_CARDS = 2.0
WIDTH = 1  # lines kept at each step: the first good idea is played


class Beginner:
    """The knowledge of the Eight-Minute family as a beginner has it. `overlooked` is the number of an island."""

    decided, key, strides = (
        staticmethod(knowledge.decided),
        staticmethod(knowledge.key),
        staticmethod(knowledge.strides),
    )

    def __init__(self, overlooked: int) -> None:
        self.overlooked = overlooked

    def evaluate(self, state: State, seat: int) -> float:
        """Return what a beginner counts: regions held, islands held but one, and cards for twice their value."""
        held, turns = held_by(state), max(0, state.cards_owned - len(state.owned[seat]))
        unseen = set(state.map.islands[self.overlooked % len(state.map.islands)])
        regions = sum(1 for region, holder in enumerate(held.regions) if holder == seat and region not in unseen)
        islands = sum(
            1 for island, holder in zip(state.map.islands, held.islands, strict=True)
            if holder == seat and unseen.isdisjoint(island)
        )  # fmt: skip
        cards = holdings(state.edition, seat, turns, tuple(map(tuple, state.owned)), state.coins[seat])
        return regions + islands + LIKES_CARDS * cards + pieces(state, seat, turns) + extras(state, seat, turns, 0.0)


def eight_minute(ruleset: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
    overlooked = chance.below(1000)
    return greedy.searched(ruleset, view, budget, chance, Beginner(overlooked), WIDTH)


def quiet_end(view: View, chance: Chance) -> list[k.Action]:
    """End the turn, unless an attack is mandatory."""
    return [k.End()] if "end" in view.legal else kingdoms.attack_or_end(view, chance)


KINGDOMS = (kingdoms.pick_up, kingdoms.build, kingdoms.blind_pick, kingdoms.draw, kingdoms.buy, quiet_end)


def in_kingdoms(ruleset: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
    if view.phase != "turn":
        return kingdoms.plan(ruleset, view, budget, chance)
    decided = next(steps for rule in KINGDOMS if (steps := rule(view, chance)))
    return [ruleset.text(action) for action in decided]


PLANS: dict[str, Planner] = {"eight_minute": eight_minute, "kingdoms": in_kingdoms}


def plan(ruleset: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
    return PLANS[ruleset.family](ruleset, view, budget, chance)
