"""Positions of Kingdoms to draw: the parts of a view that pictures use, and forests of every shape."""

from typing import Any

from games.rules.kingdoms.deck import RANKS, castle, decks_for
from games.rules.kingdoms.options import Options
from games.rules.kingdoms.view import BattleView, LaidView, PlayerView, View, WaveView

NAMES = ("Alice", "Bob", "Carol", "Dan", "Erin", "Frank", "Grace", "Heidi")


def kingdom(seat: int, towers: int = 0, ruler: int | None = None, players: int = 4, **fields: Any) -> PlayerView:
    """Return a player with the first Towers of this number."""
    mark = "d1:" if decks_for(players) > 1 else ""
    stack = tuple(f"{mark}sun-kingdom-{rank}-1" for rank in RANKS[:towers])
    plain = {"cards": 5, "hand": (), "shown": (), "band": 0, "value": None, "truce": False, "attacked": False}
    return PlayerView(seat=seat, castle=castle(seat, decks_for(players)), towers=stack, ruler=ruler, **(plain | fields))


def position(*players: PlayerView, **fields: Any) -> View:
    """Return a view of these kingdoms with only the parts that pictures use."""
    plain: dict[str, Any] = dict.fromkeys(View.__struct_fields__)
    plain |= {"ruleset": "kingdoms", "options": Options(), "phase": "turn", "round": 3, "active": 0, "players": players}
    plain |= {"flop": ("sun-attack-4-1", "wave-champion-9-1", "epic-fox"), "burn": (), "deck": 40, "over": False}
    return View(**(plain | fields))


def forest(rulers: tuple[int | None, ...]) -> View:
    """Return kingdoms that have only rulers."""
    count = len(rulers)
    return position(*(kingdom(seat, seat % 4, ruler, count) for seat, ruler in enumerate(rulers)))


def laid(seat: int, count: int, *cards: str, total: int | None = None) -> LaidView:
    return LaidView(seat, count, cards, total, total is not None)


def battle(*waves: WaveView, protector: int | None = None, mode: str | None = None) -> BattleView:
    """Return a battle in which Alice attacks Bob."""
    return BattleView(0, 1, protector, mode, waves)
