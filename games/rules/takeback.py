"""Taking a turn back: which entry can be undone, and who has to agree because they learned something from it.

The same for all rulesets: the position is the one before the turn, which the log folds to (`games.rules.log`).
"""

from collections import Counter

from games.rules import play
from games.rules.log import TAKE_BACK, Entry, TurnTakenBack, intervention, stored, undone
from games.rules.protocol import IllegalAction, NeedsChance, Ruleset, State
from games.rules.words import gettext_noop

OWN = "seat"  # what `by` says of turns that their player took


def taking_back(turn: Entry, *, again: bool) -> tuple[tuple[str, ...], list[TurnTakenBack]]:
    """The actions and the events of the entry that takes `turn` back; `again`: its numbered draws come again."""
    return (TAKE_BACK,), [TurnTakenBack(turn.seq, again)]


def check(rules: Ruleset, before: State, turn: Entry, after: State, seat: int, earlier: Entry | None) -> None:
    """Whether `seat` may undo `turn`, the last entry, which led from one position to the other, behind `earlier`.

    Raises `IllegalAction`.
    """
    if undone(turn) is not None:
        raise IllegalAction(gettext_noop("A turn was taken back just now; the one before it stands."))
    if earlier is not None and undone(earlier) is not None:
        raise IllegalAction(gettext_noop("This turn was taken back once already, so now it stands."))
    if intervention(turn) is not None:
        raise IllegalAction(gettext_noop("The house has stepped in since, so the turns before it stand."))
    if turn.seat is None:
        raise IllegalAction(gettext_noop("The set-up is the house’s and stands."))
    if turn.seat != seat:
        raise IllegalAction(gettext_noop("Others have acted since, so it is too late to take your turn back."))
    if turn.by != OWN:
        raise IllegalAction(gettext_noop("This turn was not taken by its player, so it stands."))
    if rules.sealed(before):
        raise IllegalAction(gettext_noop("What was decided in secret and then shown to all stands."))
    if rules.is_over(after):
        raise IllegalAction(gettext_noop("This turn has ended the game, and a finished game never changes."))


def who_learned(rules: Ruleset, before: State, turn: Entry, after: State, players: int) -> tuple[int, ...]:
    """The other seats that have to agree, for they know something now that they could not know before.

    All of them where the turn needed chance, or told its own player something: who takes back then knows what comes.
    """
    learned = [seat for seat in range(players) if has_learned(rules, before, after, seat)]
    is_for_all = turn.seat in learned or needed_chance(rules, before, turn)
    return tuple(seat for seat in range(players) if seat != turn.seat and (is_for_all or seat in learned))


def has_learned(rules: Ruleset, before: State, after: State, seat: int) -> bool:
    """Whether the seat was shown cards or faces that it could not place before."""
    unknown = Counter(rules.unknown(rules.view(before, seat)))
    return bool(unknown - Counter(rules.unknown(rules.view(after, seat))))


def needed_chance(rules: Ruleset, before: State, turn: Entry) -> bool:
    """Whether more came of the turn than a draft of it shows."""
    try:
        found = play.apply(rules, before.copy(), turn.seat or 0, map(rules.parse, turn.actions), None)
    except NeedsChance:
        return True
    return stored(found) != turn.events
