"""A bot's whole turn, played from what its seat may know."""

from games.bots.bot import BUDGET, Bot
from games.rules.play import walk
from games.rules.protocol import Chance, Ruleset, View


def play_turn(ruleset: Ruleset, view: View, bot: Bot, chance: Chance, budget: int = BUDGET) -> list[str]:
    """Return the action texts that the view's seat submits, up to the first step after which nothing can follow."""
    state, seat = ruleset.sample(view, chance), view.seat
    texts: list[str] = []
    while seat in ruleset.to_act(state):
        for text in bot.plan(ruleset, ruleset.view(state, seat), budget, chance):
            texts.append(text)
            walked = walk(ruleset, state, seat, (text,))
            if walked.is_closed:
                return texts
            state = walked.state
    return texts
