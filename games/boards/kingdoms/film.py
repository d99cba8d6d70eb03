"""The film of what happened, in steps that the page plays over the realm: flying cards, Towers that rise, new rulers.

The realm is rewound to the position before the film. Each step carries the finished drawings of what it changes there,
at the places of the current position, so that the page does not move. Films are made from views and from events as
their reader may know them: cards show their face only if such an event names them.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from games.boards.kingdoms.realm import moving
from games.rules.kingdoms import events as e
from games.rules.kingdoms.view import View
from games.rules.words import Translate, untranslated

DECK, FLOP, BURN, BATTLE = "deck", "flop", "burn", "battle"
MOST = 5  # cards that fly at once; more would only cover each other
Face = Callable[[str], str]  # draws a card


def film(
    before: View,
    moments: Iterable[tuple[int, Any, Callable[[], View]]],
    *,
    names: Sequence[str] = (),
    face: Face = str,
    translate: Translate = untranslated,
) -> dict[str, Any]:
    """Return the film of these moments: the entry, what happened, and how to get the view after it.

    Empty if nothing moved. `before` is how the realm and the piles began, `steps` are by entry. A step has a kind in
    `do`: `cards` fly `from` a place `to` another, and a kingdom may `rise`, `fall` or `stir`. Places are seats, `deck`,
    `flop`, `burn` and `battle`. `realm` has the new drawings of its parts, for the narrow and the wide picture, and
    `counts` the cards in the piles. `above` is how far kingdoms may rise above each picture during the film.
    """
    views, steps_by_entry = [before], list[tuple[int, dict[str, Any]]]()
    for seq, event, view in moments:
        there = view()
        if isinstance(event, e.Dealt):
            views, steps_by_entry = [there], []  # a new deal: what was before is no longer on the table
            continue
        for step in _steps(event, face, views[-1].flop) or ([{"do": "show"}] if there != views[-1] else []):
            steps_by_entry.append((seq, step))
            views.append(there)
    if all(step["do"] == "show" for _seq, step in steps_by_entry):
        return {}
    (narrow_defs, narrow, narrow_above), (wide_defs, wide, wide_above) = (
        moving(views, names, wide, translate) for wide in (False, True)
    )
    opening: dict[str, Any] = {"realm": {"narrow": narrow[0], "wide": wide[0]}, "counts": _counts(views[0])}
    steps: dict[int, list[dict[str, Any]]] = {}
    for n, (seq, step) in enumerate(steps_by_entry, 1):
        if narrow[n] or wide[n]:
            step["realm"] = {"narrow": narrow[n], "wide": wide[n]}
        if _counts(views[n]) != _counts(views[n - 1]):
            step["counts"] = _counts(views[n])
        if step != {"do": "show"}:
            steps.setdefault(seq, []).append(step)
    return {
        "before": opening,
        "steps": steps,
        "defs": {"narrow": narrow_defs, "wide": wide_defs},
        "above": {"narrow": narrow_above, "wide": wide_above},
    }


def _counts(view: View) -> dict[str, int]:
    return {DECK: view.deck, BURN: len(view.burn)}


def _steps(event: Any, face: Face, flop: Sequence[str]) -> list[dict[str, Any]]:
    """Return what an event moves; `flop` is the Flop before it.

    The step of a Tower or a ruler shows the kingdom as it is afterward.
    """

    def cards(origin: int | str, target: int | str, shown: Sequence[str] = (), n: int = 0) -> list[dict[str, Any]]:
        n = n or len(shown)
        faces = [face(card_id) for card_id in shown[:MOST] if card_id]
        step = {"do": "cards", "from": origin, "to": target, "n": min(n, MOST)}
        return [{**step, "faces": faces} if faces else step] if n else []

    match event:
        case e.CardDrawn() | e.HeroTurned():
            return cards(DECK, event.seat, [event.card])
        case e.HeroRecovered():
            return cards(BURN, event.seat, [event.card])
        case e.CardPicked() | e.TributeTaken() | e.CardStolen():
            return cards(event.other, event.seat, [event.card])
        case e.Given():
            return cards(event.seat, event.other, n=event.count)
        case e.Bought():
            return [*cards(event.seat, FLOP, event.give), *cards(FLOP, event.seat, event.take)]
        case e.FlopDrawn():
            return cards(FLOP, event.seat, [event.card])
        case e.FlopTurned():
            return cards(DECK, FLOP, [event.card])
        case e.CardBurned():
            return cards(FLOP, BURN, [event.card])
        case e.BossPlayed():
            return cards(event.seat, BURN, [event.card])
        case e.AttackDeclared() | e.TroopsLaid():
            return cards(event.seat, BATTLE, n=event.count)
        case e.EpicMoved(others=()) if event.taken:
            return cards(FLOP, event.seat, [event.taken])
        case e.BattleEnded() if event.winner >= 0:
            return cards(FLOP if set(event.spoils) <= set(flop) else BATTLE, event.winner, event.spoils)  # K27, K86
    return _stirs(event)


def _stirs(event: Any) -> list[dict[str, Any]]:
    """Return what an event does to Towers and rulers."""
    match event:
        case e.TowerBuilt():
            return [{"do": "rise", "seat": event.seat}]
        case e.TowerPickedUp() | e.TowerLost():
            return [{"do": "fall", "seat": event.seat}]
        case e.TowerStolen():
            return [{"do": "fall", "seat": event.other}]
        case e.EpicMoved(others=(other, *_more)) if event.taken:
            return [{"do": "fall", "seat": other}]
        case e.RulerChanged():
            return [{"do": "stir", "seat": event.seat}]
    return []
