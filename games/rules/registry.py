"""The games of this site, each in every version of its rules in which games are stored or played."""

from games.rules.eight_minute.ruleset import EightMinute
from games.rules.kingdoms.ruleset import Kingdoms
from games.rules.protocol import Ruleset

# In order of their versions. New games begin in the last one; a game that has begun keeps its version to its end.
VERSIONS: dict[str, tuple[Ruleset, ...]] = {
    "legends": (EightMinute("legends", version=1), EightMinute("legends", version=2)),
    "prototype": (EightMinute("prototype", version=1),),
    "classic": (EightMinute("classic", version=1),),
    "kingdoms": (Kingdoms("kingdoms", version=1),),
}
RULESETS: dict[str, Ruleset] = {slug: versions[-1] for slug, versions in VERSIONS.items()}


def get(slug: str, version: int | None = None) -> Ruleset:
    """Return the ruleset with this slug, in this version of its rules or the newest. Raises `KeyError`."""
    if version is None:
        return RULESETS[slug]
    ruleset = next((rules for rules in VERSIONS[slug] if rules.version == version), None)
    if ruleset is None:
        raise KeyError(f"{slug}/{version}")
    return ruleset
