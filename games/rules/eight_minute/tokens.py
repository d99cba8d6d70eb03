"""Tokens as data: which exist, and which a game uses. For their effects see effects.py and scoring.py."""

from functools import cache

import msgspec

from games.rules.eight_minute.boards import boards_needed
from games.rules.eight_minute.edition import Edition, Gift, load
from games.rules.eight_minute.options import Options, shape

FACE_DOWN, CITADEL, DRAGON, PORTAL, ROGUES, MERCHANTS = (
    "face-down", "citadel", "dragon", "portal", "rogues", "merchants"
)  # fmt: skip
POISON_SWAMP = "poison-swamp"


@cache
def gifts() -> dict[str, Gift]:
    """Return the tokens and leaders by id."""
    rows = load("tokens") | load("leaders")
    return {name: msgspec.convert({"id": name, **row}, Gift) for name, row in rows.items()}


@cache
def leader_ids() -> tuple[str, ...]:
    return tuple(load("leaders"))


def to_lay(rules: Edition, options: Options, players: int) -> tuple[str, ...]:
    """Return what is placed one by one in the setup: explore tokens, citadels, encounters and merchants' coins."""
    explore = (FACE_DOWN,) * len(hidden_faces(rules, options)) or rules.explore
    towns = boards_needed(shape(rules, options, players))
    return (
        *(explore if options.explore else ()),
        *(CITADEL,) * (rules.citadels if options.citadels else 0),
        *(DRAGON,) * (options.dragon != "off"),
        *(PORTAL,) * (2 if options.portals else 0),
        *(ROGUES,) * options.rogues,
        *(MERCHANTS,) * (towns if options.merchants else 0),
    )


def hidden_faces(rules: Edition, options: Options) -> tuple[str, ...]:
    """Return the faces of the face-down tokens (R26)."""
    return (*rules.explore, POISON_SWAMP) if options.poison_swamp else ()


def can_be_won(options: Options) -> bool:
    """Return whether there are tokens that players can gain."""
    return options.explore or options.dragon != "off"


def on_regions(options: Options) -> bool:
    """Return whether any tokens lie on regions, apart from merchants' coins."""
    return can_be_won(options) or options.citadels or options.portals or options.rogues or options.goods_tokens
