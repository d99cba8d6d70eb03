"""A whole turn of a bot, from what its seat may know."""

from games.bots.bot import BUDGET, Bot
from games.rules.protocol import Chance, NeedsChance, Ruleset, View


def play_turn(ruleset: Ruleset, view: View, bot: Bot, chance: Chance, budget: int = BUDGET) -> list[str]:
    """The action texts that the view's seat submits: as many as it owes, or up to the first that needs chance."""
    state, seat = ruleset.sample(view, chance), view.seat
    texts: list[str] = []
    while seat in ruleset.to_act(state):
        for text in bot.plan(ruleset, ruleset.view(state, seat), budget, chance):
            texts.append(text)
            try:
                events = ruleset.decide(state, seat, ruleset.parse(text), None)
            except NeedsChance:
                return texts
            for event in events:
                ruleset.evolve(state, event)
    return texts
