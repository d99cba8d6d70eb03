"""Undoing a turn: which entry can be undone, and who must agree because they learned something from it.

The same for all rulesets: undoing restores the position before the turn, which the log folds to (`games.rules.log`).
"""

from collections import Counter

from games.rules import play
from games.rules.log import OWN, TAKE_BACK, Entry, TurnTakenBack, intervention, stored, undone
from games.rules.protocol import IllegalAction, NeedsChance, Ruleset, State
from games.rules.words import gettext_noop


def taking_back(turn: Entry, *, again: bool) -> tuple[tuple[str, ...], list[TurnTakenBack]]:
    """Return the actions and events of the entry that undoes `turn`. `again`: its numbered draws come up again."""
    return (TAKE_BACK,), [TurnTakenBack(turn.seq, again)]


def check(rules: Ruleset, before: State, turn: Entry, after: State, seat: int, earlier: Entry | None) -> None:
    """Raise `IllegalAction` unless `seat` may undo `turn`, the last entry.

    `turn` led from the position `before` to `after`; `earlier` is the entry before it.
    """
    if undone(turn) is not None:
        raise IllegalAction(gettext_noop("A turn was undone just now. The one before it can’t be undone."))
    if earlier is not None and undone(earlier) is not None:
        raise IllegalAction(gettext_noop("This turn replaced one that was undone, so it can’t be undone."))
    if intervention(turn) is not None:
        raise IllegalAction(gettext_noop("Staff have intervened since. Turns before that can’t be undone."))
    if turn.seat is None:
        raise IllegalAction(gettext_noop("The setup was done by the site and can’t be undone."))
    if turn.seat != seat:
        raise IllegalAction(gettext_noop("Someone has acted since, so it’s too late to undo your turn."))
    if turn.by != OWN:
        raise IllegalAction(gettext_noop("This turn was not taken by its player, so it can’t be undone."))
    if rules.sealed(before):
        raise IllegalAction(
            gettext_noop("These decisions were made in secret and then revealed to everyone, so they can’t be undone.")
        )
    if rules.is_over(after):
        raise IllegalAction(gettext_noop("This turn ended the game, and a finished game never changes."))


def who_learned(rules: Ruleset, before: State, turn: Entry, after: State, players: int) -> tuple[int, ...]:
    """Return the other seats that must agree, because they know something now that they couldn't know before.

    If the turn needed chance, or showed its own player something, that is all of them: that player would undo it
    knowing what comes next.
    """
    learned = set()
    for seat in range(players):
        # Cards or faces that the seat couldn't locate before, and can now.
        unknown = Counter(rules.unknown(rules.view(before, seat)))
        if unknown - Counter(rules.unknown(rules.view(after, seat))):
            learned.add(seat)
    if turn.seat not in learned:
        try:
            found = play.apply(rules, before.copy(), turn.seat or 0, map(rules.parse, turn.actions), None)
        except NeedsChance:
            needed_chance = True
        else:
            needed_chance = stored(found) != turn.events  # its draft would not show all of them
        if not needed_chance:
            return tuple(seat for seat in range(players) if seat != turn.seat and seat in learned)
    return tuple(seat for seat in range(players) if seat != turn.seat)
