"""Tokens as data: what there is, and what a table lays out of it. What they do is in encounters.py and scoring.py."""

from functools import cache

import msgspec

from games.rules.eight_minute.cards import Gift
from games.rules.eight_minute.edition import Edition, load
from games.rules.eight_minute.layouts import boards_needed
from games.rules.eight_minute.options import Options, shape

FACE_DOWN, CITADEL, DRAGON, PORTAL, ROGUES, MERCHANTS = (
    "face-down", "citadel", "dragon", "portal", "rogues", "merchants"
)  # fmt: skip
POISON_SWAMP = "poison-swamp"


@cache
def gifts() -> dict[str, Gift]:
    """The tokens and leaders by id."""
    rows = load("tokens") | load("leaders")
    return {name: msgspec.convert({"id": name, **row}, Gift) for name, row in rows.items()}


@cache
def leader_ids() -> tuple[str, ...]:
    return tuple(load("leaders"))


def to_lay(rules: Edition, options: Options, players: int) -> tuple[str, ...]:
    """What the set-up seat lays one by one: explore tokens, citadels, encounters, and the coins of merchants."""
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
    """The faces of the tokens that lie face down (R26)."""
    return (*rules.explore, POISON_SWAMP) if options.poison_swamp else ()


def can_be_won(options: Options) -> bool:
    """Whether there are tokens that a player can gain."""
    return options.explore or options.dragon != "off"


def on_regions(options: Options) -> bool:
    """Whether there are tokens that lie on regions, merchants' coins apart."""
    return can_be_won(options) or options.citadels or options.portals or options.rogues or options.goods_tokens
