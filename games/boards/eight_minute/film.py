"""The film of what happened, in steps that the page plays on the board: armies travel, cities rise, cards fly.

Each step carries the finished drawings of the regions it changes, so that the browser only has to move pieces and knows
no rule. Films are made from views and from events as their reader may know them, so they reveal no secrets.
"""

from collections.abc import Callable, Iterable
from typing import Any

from games.boards.eight_minute.clusters import cell
from games.boards.eight_minute.contents import gone_defs
from games.boards.eight_minute.geometry import picture
from games.boards.eight_minute.lying import shown
from games.boards.eight_minute.marking import Drawing
from games.boards.eight_minute.pieces import inside
from games.boards.themes import colours
from games.rules.eight_minute import events as e
from games.rules.eight_minute.tokens import MERCHANTS
from games.rules.eight_minute.view import RegionView, View
from games.rules.words import untranslated

Film = dict[str, Any]
VISIBLE = (
    e.CardTaken, e.CardDrawn, e.ArmyPlaced, e.ArmyMustered, e.NeutralPlaced, e.ArmyMoved, e.CityBuilt, e.ArmyDestroyed,
    e.TokenGained, e.CoinsFound, e.DragonSlain, e.TollPaid, e.ArmyCaptured, e.CoinRobbed,
)  # fmt: skip


def film(before: View, moments: Iterable[tuple[int, Any, Callable[[], View]]]) -> Film:
    """Return the film of these moments: the entry, what happened, and how to get the view after it.

    Empty if nothing can be played, as when boards were laid. `before` in the film is how the changed regions and the
    points began, `steps` are by entry. A step has a kind in `do`, its piece with the points between which it moves, and
    the new drawings of `regions`, colors of their holders (`held`), `points` and coins (`counts`), if those changed.
    """
    here, board, paints = before, picture(shown(before)), colours(len(before.players))
    opening: Film = {"regions": {}, "held": {}, "points": _points(before), "counts": _coins(before)}
    steps: dict[int, list[dict[str, Any]]] = {}
    views = [before]
    for seq, event, view in moments:
        if not isinstance(event, VISIBLE):
            continue
        there = view()
        if shown(there) != shown(before):
            return {}
        old_drawing, drawing = (Drawing(position, board, paints, (), untranslated) for position in (here, there))
        step = _action(event, old_drawing, drawing)
        for region in board.regions.values():
            old, new = here.regions[region.id], there.regions[region.id]
            if old == new:
                continue
            opening["regions"].setdefault(region.id, inside(here, board, region, paints))
            step.setdefault("regions", {})[region.id] = inside(there, board, region, paints)
            if old.controller != new.controller:
                opening["held"].setdefault(region.id, _holder(old, paints))
                step.setdefault("held", {})[region.id] = _holder(new, paints)
        if _points(here) != _points(there):
            step["points"] = _points(there)
        if _coins(here) != _coins(there):
            step["counts"] = _coins(there)
        steps.setdefault(seq, []).append(step)
        here = there
        views.append(there)
    # Tokens that are no longer on the board have no drawing in the picture of the current position
    moves = {"before": opening, "steps": steps, "scale": round(cell(board) / 26, 2), "defs": gone_defs(views)}
    return moves if steps else {}


def _points(view: View) -> list[int]:
    return [score.total for score in view.scoresheet.seats]


def _coins(view: View) -> dict[str, int]:
    return {f"coins-{seat}": player.coins for seat, player in enumerate(view.players)}


def _holder(region: RegionView, paints: Any) -> str:
    return "" if region.controller is None else paints[region.controller].key


def _action(event: Any, before: Drawing, after: Drawing) -> dict[str, Any]:
    """Return what moves: a card, or a piece and where it begins and ends."""
    paints = after.paints

    def piece(do: str, colour: int, origin: Any, target: Any, what: str = "army") -> dict[str, Any]:
        suffix = "-city" if what == "city" else ""
        points = {"from": origin, "to": target}
        return {"do": do, "piece": f"b-{paints[colour].key}{suffix}", **{name: at for name, at in points.items() if at}}

    match event:
        case e.CardTaken():
            return {"do": "take", "card": event.card, "seat": event.seat}
        case e.CardDrawn():
            return {"do": "draw", "card": event.card}
        case e.ArmyMoved():
            origin = before.where(event.origin, "army", event.seat)
            moved = piece("move", event.seat, origin, after.where(event.target, "army", event.seat))
            return moved | {"origin": event.origin}
        case e.CityBuilt():
            return piece("place", event.seat, None, after.where(event.region, "city", event.seat), "city")
        case e.ArmyPlaced() | e.ArmyMustered():
            return piece("place", event.seat, None, after.where(event.region, "army", event.seat))
        case e.NeutralPlaced():
            return piece("place", len(paints) - 1, None, after.where(event.region, "army", len(paints) - 1))
        case e.ArmyDestroyed():
            owner = event.owner if event.owner >= 0 else len(paints) - 1
            return piece("fall", owner, before.where(event.region, "army", owner), None)
        case e.TollPaid() | e.ArmyCaptured() | e.CoinRobbed():
            return {"do": "count"}  # nothing moves, only coins and points change
        case e.CoinsFound():
            at, token = before.where(event.region, "town"), MERCHANTS
        case _:  # a token or the dragon
            here = before.view.regions[event.region]
            at, token = before.where(event.region, "token"), here.face or here.token
    return {"do": "gain", "piece": f"b-{token}", "seat": event.seat, **({"from": at} if at else {})}
