"""The rulers of players: a forest, given as the ruler of each seat (section 8.1, K33-K38)."""

Rulers = tuple[int | None, ...]


def above(rulers: Rulers, x: int, y: int) -> bool:
    """Return whether x rules y, directly or through others."""
    ruler = rulers[y]
    while ruler is not None and ruler != x:
        ruler = rulers[ruler]
    return ruler is not None


def below(rulers: Rulers, x: int) -> set[int]:
    """Return every seat that x rules, directly or through others."""
    return {seat for seat in range(len(rulers)) if above(rulers, x, seat)}


def direct(rulers: Rulers, x: int) -> tuple[int, ...]:
    """Return the sub-kingdoms that x rules directly, the only ones it may pick from (K38), in seat order."""
    return tuple([seat for seat, ruler in enumerate(rulers) if ruler == x]) if x in rulers else ()


def top(rulers: Rulers, seat: int) -> int:
    """Return the free player at the top of the seat's tree."""
    while (ruler := rulers[seat]) is not None:
        seat = ruler
    return seat


def after_tower(rulers: Rulers, attacker: int, target: int) -> Rulers:
    """Return the rulers after the attacker has beaten a Tower of the target.

    Against a player above, it is a revolt (K37); against another's sub-kingdom, a theft that brings along the target's
    own sub-kingdoms (K34); a free player only loses the Tower.
    """
    if above(rulers, target, attacker):
        return _ruled(rulers, attacker, None)
    if rulers[target] is not None:
        return _ruled(rulers, target, attacker)
    return rulers


def after_castle(rulers: Rulers, attacker: int, target: int) -> Rulers:
    """Return the rulers after the target's Castle fell: its direct sub-kingdoms become the attacker's (K36)."""
    if above(rulers, target, attacker):
        rulers = _ruled(rulers, attacker, None)
    for seat in direct(rulers, target):
        rulers = _ruled(rulers, seat, attacker)
    return _ruled(rulers, target, attacker)


def conqueror(rulers: Rulers) -> int | None:
    """Return the player who rules all others, directly or not (K38), or None: the only free player, if there is one."""
    return rulers.index(None) if rulers.count(None) == 1 else None


def _ruled(rulers: Rulers, seat: int, by: int | None) -> Rulers:
    return (*rulers[:seat], by, *rulers[seat + 1 :])
