"""The bots of this site, from the weakest to the strongest."""

from collections.abc import Callable

from games.bots import greedy, random
from games.bots.bot import Bot
from games.rules.words import gettext_noop

BOTS: dict[str, Bot] = {
    bot.slug: bot
    for bot in (
        Bot("random", gettext_noop("Random"), random.plan),
        Bot("greedy", gettext_noop("Greedy"), greedy.plan),
    )
}


def by_name(name: str, said: Callable[[str], str]) -> Bot | None:
    """The bot that goes by this slug, or by this name in the language of who `said` it, in whatever case."""
    folded = name.strip().lower()
    return next((bot for bot in BOTS.values() if folded in (bot.slug, said(bot.name).lower())), None)


def from_strong_to_weak(slug: str) -> list[Bot]:
    """The bot of that name and behind it every weaker one: where one fails, the next takes the turn."""
    ranked = list(BOTS.values())
    return ranked[ranked.index(BOTS[slug]) :: -1]
