"""The bots of this site, from weakest to strongest: the levels that players choose from, and random play for tests."""

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from games.bots import beginner, greedy, search
from games.bots.bot import Bot
from games.rules.protocol import Chance, Ruleset, View
from games.rules.words import gettext_noop

RATINGS = Path(__file__).with_name("ratings.toml")
ALIASES = {"greedy": "medium"}  # former slugs, which stored seats and records still have


class Bots(dict[str, Bot]):
    """Bots by slug, from weakest to strongest. Former slugs find them too, but are not listed."""

    def __missing__(self, slug: str) -> Bot:
        return self[ALIASES[slug]]

    def __contains__(self, slug: object) -> bool:
        return super().__contains__(current(str(slug)))


def current(slug: str) -> str:
    """Return the slug that a bot has today."""
    return ALIASES.get(slug, slug)


def known_as(slug: str) -> list[str]:
    """Return the slug of a bot and its former ones."""
    return [slug, *(former for former, now in ALIASES.items() if now == slug)]


def any_action(ruleset: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
    """Return any legal action, each equally likely: the weakest plan."""
    legal = view.legal
    return [legal[chance.below(len(legal))]]


BOTS = Bots(
    (bot.slug, bot)
    for bot in (
        Bot("random", gettext_noop("Random"), any_action, sentence=gettext_noop("plays any legal move")),
        Bot(
            "easy", gettext_noop("Easy"), beginner.plan,
            sentence=gettext_noop("plays like a beginner and overlooks things"),
        ),
        Bot(
            "medium", gettext_noop("Medium"), greedy.plan,
            sentence=gettext_noop("makes the best of this turn, but doesn’t plan ahead"),
        ),
        Bot(
            "hard", gettext_noop("Hard"), search.plan, search.HARD,
            gettext_noop("plans ahead and anticipates your replies"), thinks=True,
        ),
        Bot(
            "master", gettext_noop("Master"), search.plan, search.MASTER,
            gettext_noop("plays out many possible continuations in its head before each turn"), thinks=True,
        ),
    )
)  # fmt: skip
LEVELS = tuple(bot for bot in BOTS.values() if bot.slug != "random")
THINKERS = tuple(bot.slug for bot in LEVELS if bot.thinks)


def by_name(name: str, translate: Callable[[str], str]) -> Bot | None:
    """Return the bot with this slug or former slug, or this name in the language of `translate`, ignoring case."""
    folded = name.strip().lower()
    if folded in BOTS:
        return BOTS[folded]
    return next((bot for bot in BOTS.values() if folded == translate(bot.name).lower()), None)


def from_strong_to_weak(slug: str) -> list[Bot]:
    """Return the bot with this slug, followed by the weaker ones: if one fails, the next takes the turn."""
    ranked = list(BOTS.values())
    return ranked[ranked.index(BOTS[slug]) :: -1]


@cache
def ratings() -> dict[str, dict[str, int]]:
    """Return the measured ratings of the levels, by ruleset and slug. Rulesets that were not measured are left out."""
    return tomllib.loads(RATINGS.read_text(encoding="utf-8"))
