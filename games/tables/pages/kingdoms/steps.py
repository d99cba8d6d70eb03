"""Action texts in words, for drafts and confirmations."""

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.notices.outbox.words import enumerated as listed
from games.rules.kingdoms import actions as a
from games.rules.kingdoms.deck import POWERS, RANK_NAMES, card
from games.rules.kingdoms.worth import value
from games.rules.protocol import IllegalAction
from games.tables.pages.kingdoms.names import hero, named

Names = Sequence[str]


def parsed(action: str) -> Any:
    """Parse an action text; None if invalid."""
    try:
        return a.parse(action)
    except IllegalAction:
        return None


def words(action: str, names: Names) -> str:
    """Return the step in a few words; the text itself if invalid."""
    step = parsed(action)
    worder = _WORDS.get(type(step))
    return worder(step, names) if worder else action


def _cards(template: str) -> Callable[[Any, Names], str]:
    """Return a function that describes steps with one card."""
    return lambda step, names: _(template).format(card=hero(step.card))


def _seat(template: str) -> Callable[[Any, Names], str]:
    """Return a function that describes steps with one player."""
    return lambda step, names: _(template).format(player=names[step.seat])


def _buy(step: a.Buy, names: Names) -> str:
    return _("Buy {taken} for {given}").format(taken=named(step.take), given=named(step.give))


def _secret(step: a.NotSoSecret, names: Names) -> str:
    template = _("Show {cards} and take {player}’s {rank}")
    return template.format(cards=named(step.cards), rank=_(RANK_NAMES[step.rank]), player=names[step.seat])


def _boss(step: a.Boss, names: Names) -> str:
    move = _(POWERS[card(step.card).power or ""].name)
    if step.seat is not None:
        return _("{move}: look at {player}’s hand").format(move=move, player=names[step.seat])
    if step.taken is not None:
        return _("{move}: take {card} from the Burn pile").format(move=move, card=hero(step.taken))
    return move


def _gift(step: a.Gift, names: Names) -> str:
    return _("Give {player} {cards}").format(player=names[step.seat], cards=named(step.cards))


def _attack(step: a.Attack, names: Names) -> str:
    laid = _laid(step.cards)
    return _("Attack {player} with {laid}").format(player=names[step.seat], laid=laid)


def _laid(cards: a.Cards) -> str:
    return _("{total}: {cards}").format(total=value(cards), cards=named(cards))


def _defend(step: a.Defend, names: Names) -> str:
    return _("Defend with {laid}").format(laid=_laid(step.cards)) if step.cards else _("Defend with no cards")


def _tribute(step: a.Tribute, names: Names) -> str:
    return _("Take a random card from {players}").format(players=listed([names[seat] for seat in step.seats]))


PROTECTIONS = {
    "leave": gettext_noop("No protection"),
    "with": gettext_noop("Defend together"),
    "for": gettext_noop("Defend alone"),
}


def draws(n: int) -> str:
    return ngettext("Draw {n} card", "Draw {n} cards", n).format(n=n)


_WORDS: dict[type, Callable[[Any, Names], str]] = {
    a.Draw: lambda step, names: _("Draw"),
    a.DrawFromFlop: _cards(gettext_noop("Take {card} from the Flop")),
    a.Burn: _cards(gettext_noop("Burn {card}")),
    a.Buy: _buy,
    a.Build: _cards(gettext_noop("Build {card}")),
    a.PickUp: lambda step, names: _("Pick up the top Tower"),
    a.BlindPick: _seat(gettext_noop("Take a random card from {player}")),
    a.NotSoSecret: _secret,
    a.Boss: _boss,
    a.Show: lambda step, names: _("Show {cards}").format(cards=named(step.cards)),
    a.Gift: _gift,
    a.Attack: _attack,
    a.End: lambda step, names: _("End the turn"),
    a.Storm: _seat(gettext_noop("Storm: {player} loses their top Tower")),
    a.Tribute: _tribute,
    a.Market: _cards(gettext_noop("Take {card} from the Flop for free")),
    a.Take: _cards(gettext_noop("Take {card}")),
    a.Protect: lambda step, names: _(PROTECTIONS[step.mode]),
    a.Defend: _defend,
    a.Stop: lambda step, names: _("Stop the battle"),
    a.Wave: lambda step, names: _("Continue with {laid}").format(laid=_laid(step.cards)),
}
