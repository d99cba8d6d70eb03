"""The film of what happened, in steps that the page plays over the realm: moving cards, Towers and rulers.

The steps name places only; cards are shown face down, so films reveal nothing beyond counts, which are public.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from games.rules.kingdoms import events as e

DECK, FLOP, BURN, BATTLE = "deck", "flop", "burn", "battle"
MOST = 5  # cards that fly at once; more would only cover each other


class Told(Protocol):
    """An entry of the log with its events as the reader may know them."""

    @property
    def seq(self) -> int: ...
    @property
    def events(self) -> Sequence[Any]: ...


def film(told: Iterable[Told], after: int) -> dict[str, Any]:
    """Return the steps by entry; empty if nothing moved. Places are seats, `deck`, `flop`, `burn` and `battle`."""
    steps: dict[int, list[dict[str, Any]]] = {}
    for line in told:
        for event in line.events if line.seq > after else ():
            if isinstance(event, e.Dealt):
                steps.clear()  # a new deal: what was before is no longer on the table
            elif found := _steps(event):
                steps.setdefault(line.seq, []).extend(found)
    return {"steps": steps} if steps else {}


def _steps(event: Any) -> list[dict[str, Any]]:
    match event:
        case e.CardDrawn() | e.HeroTurned():
            return _cards(DECK, event.seat)
        case e.HeroRecovered():
            return _cards(BURN, event.seat)
        case e.CardPicked() | e.TributeTaken() | e.CardStolen():
            return _cards(event.other, event.seat)
        case e.Given():
            return _cards(event.seat, event.other, event.count)
        case e.Bought():
            return [*_cards(event.seat, FLOP, len(event.give)), *_cards(FLOP, event.seat, len(event.take))]
        case e.FlopDrawn():
            return _cards(FLOP, event.seat)
        case e.FlopTurned():
            return _cards(DECK, FLOP)
        case e.CardBurned():
            return _cards(FLOP, BURN)
        case e.BossPlayed():
            return _cards(event.seat, BURN)
        case e.AttackDeclared() | e.TroopsLaid():
            return _cards(event.seat, BATTLE, event.count)
        case e.BattleEnded() if event.winner >= 0:
            return _cards(BATTLE, event.winner, len(event.spoils))
        case e.TowerBuilt() | e.TowerPickedUp() | e.TowerLost() | e.RulerChanged():
            return [{"do": "stir", "seat": event.seat}]
    return []


def _cards(origin: int | str, target: int | str, n: int = 1) -> list[dict[str, Any]]:
    return [{"do": "cards", "from": origin, "to": target, "n": min(n, MOST)}] if n else []
