"""The decision that the page asks for, and its buttons, as shown in the dock."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.rules.kingdoms.allowed import must_attack
from games.rules.kingdoms.deck import POWERS, card
from games.rules.kingdoms.powers import others_with
from games.rules.kingdoms.state import DEFEND, EPIC, FLOPDRAW, INFILTRATE, PROTECT, SHOWDOWN, TIE, TURN
from games.rules.kingdoms.troops import best_ordinary, best_troops
from games.rules.kingdoms.worth import value
from games.tables.pages.kingdoms import offers, steps
from games.tables.pages.kingdoms.choices import Choice, Group
from games.tables.pages.kingdoms.names import hero
from games.tables.pages.kingdoms.picked import address
from games.tables.pages.kingdoms.place import Place
from games.tables.pages.kingdoms.selection import Selection, selection
from games.tables.selectors.table import Table

WAITING = ("wait", "watch", "over", "past")


class Link(NamedTuple):
    """A selectable option: its words, and the query that selects it."""

    id: str
    words: str
    query: str
    is_current: bool = False


class Sure(NamedTuple):
    """A step that cannot be undone and needs confirmation; `warning` tells what it may cause."""

    words: str
    warning: str


@dataclass(frozen=True)
class Due:
    """The decision due: the phase of the game, or complete; or wait, watch, over, past.

    `steps` are drafted, `whole` is what confirming submits. `with_cards` are actions with the selected cards, `groups`
    need one more choice, `ready` needs no cards. `aims` are selectable players, `advice` suggested cards.
    """

    kind: str
    steps: tuple[str, ...] = ()
    sure: Sure | None = None
    whole: str = ""
    hint: str = ""
    selection: Selection | None = None
    with_cards: tuple[Choice, ...] = ()
    groups: tuple[Group, ...] = ()
    ready: tuple[Choice, ...] = ()
    seldom: tuple[Choice, ...] = ()
    aims: tuple[Link, ...] = ()
    advice: tuple[Link, ...] = ()
    looked: tuple[Choice, ...] = ()

    @property
    def is_mine(self) -> bool:
        return self.kind not in WAITING

    @property
    def shows_alert(self) -> bool:
        """Whether refusals are shown in the dock."""
        return self.is_mine

    @property
    def has_draft(self) -> bool:
        return bool(self.steps)

    @property
    def aimed(self) -> bool:
        """Whether a player is selected."""
        return any(aim.is_current for aim in self.aims)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.is_mine or self.selection)

    @property
    def said(self) -> list[str]:
        """The dock for screen readers."""
        picked = [*self.selection.words, self.selection.hint] if self.selection else [self.hint]
        sure = [self.sure.words, self.sure.warning] if self.sure else []
        return [word.rstrip(".") for word in (*sure, *self.steps[-1:], *picked) if word]

    @property
    def spoken(self) -> str:
        """The text for screen readers when the selected cards change."""
        return ". ".join(self.said)


def due(table: Table, place: Place | None) -> Due:
    """Return the decision that the reader owes now, with their selection."""
    if table.at is not None:
        return Due("past")
    if table.before is None or table.before.over:
        return Due("over")
    if place is None:
        return Due("watch")
    if place.seat not in table.before.to_act:
        return Due("wait", selection=selection(place))
    laid_out = tuple(steps.words(one, table.names) for one in table.draft)
    if table.turn_complete:
        return Due("complete", steps=laid_out, whole=";".join(table.draft))
    return _asked(place, laid_out)


def _asked(place: Place, laid_out: tuple[str, ...]) -> Due:
    possible = Due(
        place.phase,
        steps=laid_out,
        hint=_hint(place),
        selection=selection(place),
        with_cards=offers.with_cards(place),
        groups=offers.groups(place),
        ready=offers.ready(place),
        seldom=offers.seldom(place),
        aims=tuple(_aims(place)),
        advice=tuple(_advice(place)),
        looked=tuple(_looked(place)),
    )
    then = place.picked.then
    return _meant(place, possible, then) if then in _actions(place, possible) else possible


def _actions(place: Place, possible: Due) -> set[str]:
    """Return all actions that the page offers now."""
    grouped = [choice for group in possible.groups for choice in group.choices]
    several = (*possible.with_cards, *grouped, *possible.ready, *possible.looked, *flop_choices(place).values())
    return {choice.action for choice in several}


def _meant(place: Place, possible: Due, then: str) -> Due:
    """Return the confirmation of a step that cannot be undone."""
    words = next((one.words for one in possible.ready if one.action == then), "") or steps.words(then, place.names)
    sure = Sure(words, offers.warning(place, then))
    return Due(possible.kind, steps=possible.steps, sure=sure, whole=";".join((*place.draft, then)))


# Hints and selections


HINTS = {
    DEFEND: gettext_noop("Choose cards to defend with. Until everyone has chosen, the others only see how many."),
    PROTECT: gettext_noop("If you defend together, you both play a hand, and the higher one counts."),
    TIE: gettext_noop("Choose new troops to continue."),
    INFILTRATE: gettext_noop("Tap a card to take it."),
    FLOPDRAW: gettext_noop("The Draw deck is empty. Tap a card to take it."),
    SHOWDOWN: gettext_noop("Choose troops to attack with."),
}


def _hint(place: Place) -> str:
    if place.phase == EPIC:
        return _(POWERS[card(place.view.epic or "").power or ""].text)
    if place.phase == TURN:
        return _turn_hint(place)
    return _(HINTS[place.phase])


def _turn_hint(place: Place) -> str:
    if not place.view.flags.drawn:
        return _("If you build a Tower first, you draw one more card.") if place.to_build else ""
    if must_attack(place.state):
        return _("Everyone must attack once, and this is the last round.")
    return _("Choose cards to buy, attack, or see what they can do.") if place.is_free else ""


def _aims(place: Place) -> Iterator[Link]:
    """Yield selectable players: one for a battle, two for tribute."""
    if place.phase == EPIC and card(place.view.epic or "").power == "tribute":
        for seat in others_with(place.state, place.state.hands):
            yield _aim(place, seat, sorted({*place.aimed_at} ^ {seat}))
    for seat in place.targets:
        yield _aim(place, seat, [] if seat in place.aimed_at else [seat])


def _aim(place: Place, seat: int, seats: list[int]) -> Link:
    query = address((*place.mine, *place.wanted), seats)
    return Link(f"aim-{seat}", place.names[seat], query, seat in place.aimed_at)


def _advice(place: Place) -> Iterator[Link]:
    """Yield suggested troops, if troops are asked for."""
    if place.phase not in (DEFEND, TIE) and not place.targets:
        return
    hand = place.player.hand
    found = dict.fromkeys((best_troops(hand), best_ordinary(hand)))
    for number, cards in enumerate(cards for cards in found if cards):
        n = len(cards)
        words = ngettext("{total} with {n} card", "{total} with {n} cards", n).format(total=value(cards), n=n)
        yield Link(f"advice-{number}", words, address(cards, place.aimed_at), cards == place.mine)


def _looked(place: Place) -> Iterator[Choice]:
    """Yield the cards of the hand that a spy looks at."""
    for one in place.view.looked if place.phase == INFILTRATE else ():
        yield Choice(f"take {one}", _("Take {card}").format(card=hero(one)))


def flop_choices(place: Place | None) -> dict[str, Choice]:
    """Return what a tap on each card of the Flop does, if taking one is the only possible action."""
    if place is None:
        return {}
    if place.phase == FLOPDRAW:
        verb = "draw-from-flop"
    elif place.phase == EPIC and card(place.view.epic or "").power == "market":
        verb = "market"
    else:
        return {}
    return {one: Choice(f"{verb} {one}", _("Take {card}").format(card=hero(one))) for one in place.view.flop}
