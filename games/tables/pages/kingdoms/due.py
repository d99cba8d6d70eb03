"""The decision that the page asks for, as shown in the dock: its buttons, and the selected cards in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.rules.kingdoms.deck import POWERS
from games.rules.kingdoms.legal import is_opening_truce, must_attack
from games.rules.kingdoms.market import check_purchase, dots
from games.rules.kingdoms.powers import others_with
from games.rules.kingdoms.state import DEFEND, FLOPDRAW, INFILTRATE, PROTECT, SHOWDOWN, TIE, TURN
from games.rules.kingdoms.troops import (
    COMMAND,
    EPIC21,
    ORDINARY,
    best_ordinary,
    best_troops,
    classify,
    not_so_secret,
)
from games.rules.kingdoms.values import value
from games.tables.pages.frame import aloud
from games.tables.pages.kingdoms import offers
from games.tables.pages.kingdoms.offers import Choice, Group, refusal
from games.tables.pages.kingdoms.reader import SeatedReader, selecting
from games.tables.pages.kingdoms.words import cards_count, dots_count, hero, named, soon_won, step_words
from games.tables.selectors.table import Table

WAITING = ("wait", "watch", "over", "past")
HINTS = {
    DEFEND: gettext_noop(
        "Choose cards to defend with. Until everyone has chosen, the others only see how many you chose."
    ),
    PROTECT: gettext_noop("If you defend together, you both play a hand, and the higher one counts."),
    TIE: gettext_noop("Choose new troops to continue."),
    INFILTRATE: gettext_noop("Tap a card to take it."),
    FLOPDRAW: gettext_noop("The Draw deck is empty. Tap a card to take it."),
    SHOWDOWN: gettext_noop("Choose troops to attack with."),
}
RULES = {
    TURN: "turn", PROTECT: "protect", DEFEND: "troops", TIE: "battle", INFILTRATE: "power-infiltrate",
    FLOPDRAW: "turn", SHOWDOWN: "final-showdown",
}  # fmt: skip
TROOPS = {
    ORDINARY: gettext_noop("troops totaling {total}"),
    EPIC21: gettext_noop("an Epic 21 totaling {total}"),
    COMMAND: gettext_noop("{total} under command"),
}


class Link(NamedTuple):
    """A selectable option: its words, and the query that selects it."""

    id: str
    words: str
    query: str
    is_current: bool = False


class Sure(NamedTuple):
    """A step that cannot be undone, or the end of a turn (`is_end`) that gives something up, which needs confirmation.

    `warning` tells what it may cause.
    """

    words: str
    warning: str
    is_end: bool = False


@dataclass(frozen=True)
class Selection:
    """The selected cards. `words` describe them, `hint` tells what prevents their likely use."""

    words: tuple[str, ...]
    hint: str


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
    def rule(self) -> str:
        """The anchor on the rules page of what is due now, or of the rules in one minute."""
        return RULES.get(self.kind, "minute")

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
    def has_aim(self) -> bool:
        """Whether a player is selected."""
        return any(aim.is_current for aim in self.aims)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.is_mine or self.selection)

    @property
    def spoken(self) -> list[str]:
        """The dock for screen readers. Selected cards replace the last step, which was read out before."""
        picked = [*self.steps[-1:], self.hint]
        if self.selection:
            picked = [*map(capfirst, self.selection.words), self.selection.hint]
        sure = [self.sure.words, self.sure.warning] if self.sure else []
        return [*sure, *picked]

    @property
    def announcement(self) -> str:
        """The text for screen readers when the selected cards change."""
        return aloud(self.spoken)


def due(table: Table, reader: SeatedReader | None) -> Due:
    """Return the decision that the reader owes now, with their selection."""
    if table.at is not None:
        return Due("past")
    if table.before is None or table.before.over:
        return Due("over")
    if reader is None:
        return Due("watch")
    if reader.seat not in table.before.to_act:
        return Due("wait", selection=_selection(reader))
    laid_out = tuple(step_words(action, table.names) for action in table.draft)
    if table.turn_complete:
        return Due("complete", steps=laid_out, whole=";".join(table.draft))

    spied_on = reader.view.looked if reader.phase == INFILTRATE else ()
    possible = Due(
        reader.phase,
        steps=laid_out,
        hint=_hint(reader),
        selection=_selection(reader),
        with_cards=tuple(offers.with_cards(reader)),
        groups=tuple(offers.groups(reader)),
        ready=tuple(offers.ready(reader)),
        seldom=offers.seldom(reader),
        aims=tuple(_aims(reader)),
        advice=tuple(_advice(reader)),
        looked=tuple(Choice(f"take {card}", _("Take {card}").format(card=hero(card))) for card in spied_on),
    )
    # Ask before a step that cannot be undone, if the page offers it, and the end of a turn that gives something up.
    then = reader.picked.then
    if then == "end" and any(choice.id == "do-end" for choice in possible.ready):
        unused = offers.gives_up(reader.view, then)
        if unused:
            question = Sure(_("You can still {unused}. End your turn anyway?").format(unused=unused), "", is_end=True)
            return Due(possible.kind, steps=laid_out, sure=question, whole=";".join((*reader.draft, then)))
    grouped = [choice for group in possible.groups for choice in group.choices]
    others = (*grouped, *possible.looked, *offers.flop_choices(reader).values())
    if all(choice.action != then for choice in (*possible.with_cards, *possible.ready, *others)):
        return possible
    button = next((choice.words for choice in possible.ready if choice.action == then), "")
    words = button or step_words(then, reader.names)
    sure = Sure(words, offers.warning(reader, then))
    return Due(possible.kind, steps=laid_out, sure=sure, whole=";".join((*reader.draft, then)))


def _hint(reader: SeatedReader) -> str:
    """Return what to do next."""
    if reader.power:
        return _(POWERS[reader.power].text)
    if reader.phase != TURN:
        return _(HINTS[reader.phase])
    if (words := soon_won(reader.view, reader.names)) and reader.player.ruler is not None:
        return words
    if not reader.view.flags.drawn:
        return _("If you build a Tower first, you draw one more card.") if reader.to_build else ""
    if must_attack(reader.state):
        return _("Everyone must attack once, and this is the last round. Choose cards to attack with.")
    return _("Choose cards to see what they can do.") if reader.is_free else ""


def _aims(reader: SeatedReader) -> Iterator[Link]:
    """Yield selectable players: one for a battle, two for tribute."""
    is_tribute, chosen = reader.power == "tribute", {*reader.aimed_at}
    for seat in others_with(reader.state, reader.state.hands) if is_tribute else reader.targets:
        # A tap selects or deselects a player; for a battle it deselects the others too.
        seats = sorted((chosen if is_tribute else chosen & {seat}) ^ {seat})
        query = selecting((*reader.picked_hand, *reader.picked_flop), seats)
        yield Link(f"aim-{seat}", reader.names[seat], query, seat in chosen)


def _advice(reader: SeatedReader) -> Iterator[Link]:
    """Yield suggested troops, if troops are asked for."""
    if reader.phase not in (DEFEND, TIE) and not reader.targets:
        return
    hand = reader.player.hand
    suggestions = dict.fromkeys((best_troops(hand), best_ordinary(hand)))
    for number, cards in enumerate(cards for cards in suggestions if cards):
        n = len(cards)
        words = ngettext("{total} with {n} card", "{total} with {n} cards", n).format(total=value(cards), n=n)
        yield Link(f"advice-{number}", words, selecting(cards, reader.aimed_at), cards == reader.picked_hand)


def _selection(reader: SeatedReader) -> Selection | None:
    """Return the selected cards in words: value, troops and price; None if none is selected."""
    picked_hand, picked_flop, words = reader.picked_hand, reader.picked_flop, []
    if not (picked_hand or picked_flop):
        return None
    is_fighting = reader.phase in (DEFEND, TIE, SHOWDOWN)  # cards buy nothing now
    if picked_hand:
        words.append(_("{cards}, worth {value}").format(cards=cards_count(len(picked_hand)), value=value(picked_hand)))
    if picked_hand and not picked_flop:
        if refusal(classify, picked_hand):
            words.append(_("not valid troops"))
        else:
            troop = classify(picked_hand)
            words.append(_(TROOPS[troop.kind]).format(total=troop.total))
        if not_so_secret(picked_hand) and not is_fighting:
            words.append(_("a Not-So-Secret set"))
    if picked_hand and dots(picked_hand) and not is_fighting:
        words.append(dots_count(dots(picked_hand)))
    if picked_flop:
        price = dots_count(dots(picked_flop))
        words.append(_("Buy {cards} for {dots}").format(cards=named(picked_flop), dots=price))
    return Selection(tuple(words), _obstacle(reader))


def _obstacle(reader: SeatedReader) -> str:
    """Return what prevents the likely use of the selected cards; empty if nothing does."""
    picked_hand, picked_flop = reader.picked_hand, reader.picked_flop
    if reader.phase == TURN and not reader.view.flags.drawn:
        return _("Draw first. Then you can buy and attack.")
    if picked_flop and reader.may_trade:
        if not picked_hand:
            return _("Choose cards from your hand to pay with.")
        return refusal(check_purchase, picked_hand, picked_flop)
    if picked_flop or reader.phase not in (TURN, DEFEND, TIE, SHOWDOWN):
        return ""
    if reader.phase == TURN and is_opening_truce(reader.state):
        return _("Nobody can attack yet because of the opening truce.")
    return refusal(classify, picked_hand) if reader.phase != TURN or reader.targets else ""
