"""The weakest bot: any legal action, each equally likely."""

from games.rules.protocol import Chance, Ruleset, View


def plan(ruleset: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
    legal = view.legal
    return [legal[chance.below(len(legal))]]
