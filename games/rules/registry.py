"""The games of this site."""

from games.rules.eight_minute.ruleset import Empire
from games.rules.kingdoms.ruleset import Kingdoms
from games.rules.protocol import Ruleset

RULESETS: dict[str, Ruleset] = {
    "legends": Empire("legends", version=1),
    "prototype": Empire("prototype", version=1),
    "classic": Empire("classic", version=1),
    "kingdoms": Kingdoms("kingdoms", version=1),
}


def get(slug: str) -> Ruleset:
    """Return the ruleset with this slug. Raises `KeyError`."""
    return RULESETS[slug]
