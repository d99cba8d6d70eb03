"""The bots of this site, from weakest to strongest."""

from collections.abc import Callable

from games.bots import greedy
from games.bots.bot import Bot
from games.rules.protocol import Chance, Ruleset, View
from games.rules.words import gettext_noop


def any_action(ruleset: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
    """Return any legal action, each equally likely: the weakest plan."""
    legal = view.legal
    return [legal[chance.below(len(legal))]]


BOTS: dict[str, Bot] = {
    bot.slug: bot
    for bot in (Bot("random", gettext_noop("Random"), any_action), Bot("greedy", gettext_noop("Greedy"), greedy.plan))
}


def by_name(name: str, said: Callable[[str], str]) -> Bot | None:
    """Return the bot with this slug, or with this name as translated by `said`, ignoring case."""
    folded = name.strip().lower()
    return next((bot for bot in BOTS.values() if folded in (bot.slug, said(bot.name).lower())), None)


def from_strong_to_weak(slug: str) -> list[Bot]:
    """Return the bot with this slug, followed by the weaker ones: if one fails, the next takes the turn."""
    ranked = list(BOTS.values())
    return ranked[ranked.index(BOTS[slug]) :: -1]
