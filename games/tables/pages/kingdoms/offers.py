"""The buttons of each phase, for actions with and without selected cards."""

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.notices.outbox.words import enumerated as listed
from games.rules.kingdoms import allowed
from games.rules.kingdoms.deck import POWERS, RANK_NAMES, RANKS, card
from games.rules.kingdoms.epics import others_with
from games.rules.kingdoms.market import check_purchase, purchases
from games.rules.kingdoms.options import HAND
from games.rules.kingdoms.powers import in_burn_pile, spied_on
from games.rules.kingdoms.state import DEFEND, EPIC, PROTECT, TIE, TURN
from games.rules.kingdoms.troops import classify, not_so_secret
from games.rules.kingdoms.worth import SHOWN_FROM, check_shown, value
from games.tables.pages.kingdoms.choices import AT_ONCE, Choice, Group, at_once
from games.tables.pages.kingdoms.names import hero, named
from games.tables.pages.kingdoms.place import Place
from games.tables.pages.kingdoms.selection import refusal
from games.tables.pages.kingdoms.steps import draws

PAYMENTS = 3  # ways to pay for a card of the Flop that are offered, those of least value
PROTECTIONS = {
    "leave": gettext_noop("Don’t help {player}"),
    "with": gettext_noop("Defend together with {player}"),
    "for": gettext_noop("Defend for {player}"),
}
Cards = tuple[str, ...]


def joined(cards: Cards) -> str:
    """Join card ids as in action texts."""
    return "+".join(cards)


# With the selected cards


def with_cards(place: Place) -> tuple[Choice, ...]:
    """Return the actions possible with the selected cards."""
    if place.wanted:
        return tuple(_market(place)) if place.may_trade else ()
    if not place.mine:
        return ()
    return (*_fights(place), *_purchases(place), *_shows(place), *_gifts(place), *_boss(place))


def _fights(place: Place) -> Iterator[Choice]:
    cards = joined(place.mine)
    if refusal(classify, place.mine):
        return
    for seat in place.aimed_at or place.targets:
        yield Choice(f"attack {seat} with {cards}", _("Attack {player}").format(player=place.names[seat]))
    if place.phase == DEFEND:
        yield Choice(f"defend {cards}", _("Defend with these"))
    if place.phase == TIE:
        yield Choice(f"wave {cards}", _("Continue with these"))


def _purchases(place: Place) -> Iterator[Choice]:
    """Yield purchases of single cards of the Flop with the selected cards."""
    for one in place.view.flop if place.may_trade else ():
        if not refusal(check_purchase, place.mine, (one,)):
            yield Choice(f"buy {joined(place.mine)} for {one}", _("Buy {card}").format(card=hero(one)))


def _shows(place: Place) -> Iterator[Choice]:
    hand, cards = place.player.hand, place.mine
    if not place.is_free or value(hand) < SHOWN_FROM or cards == place.player.shown:
        return
    if not refusal(check_shown, hand, cards):
        yield Choice(f"show {joined(cards)}", _("Show these face-up"))


def _gifts(place: Place) -> Iterator[Choice]:
    for seat in allowed.may_give_to(place.state, place.seat) if place.is_free else ():
        words = _("Give to {player}").format(player=place.names[seat])
        yield Choice(f"gift {seat} {joined(place.mine)}", words)


def _market(place: Place) -> Iterator[Choice]:
    mine, wanted = place.mine, place.wanted
    if mine:
        if not refusal(check_purchase, mine, wanted):
            yield Choice(f"buy {joined(mine)} for {joined(wanted)}", _("Buy {cards}").format(cards=named(wanted)))
        return
    paying = [give for give, take in purchases(place.player.hand, wanted) if take == wanted]
    for give in sorted(paying, key=value)[:PAYMENTS]:
        yield Choice(f"buy {joined(give)} for {joined(wanted)}", _("Pay with {cards}").format(cards=named(give)))
    if len(wanted) == 1 and allowed.may_burn(place.state):
        yield at_once(f"burn {wanted[0]}", _("Burn {card}").format(card=hero(wanted[0])), place.draft)


# Boss Power Moves and Not-So-Secret Moves


def _boss(place: Place) -> Iterator[Choice]:
    """Yield the move of a Boss that needs no choice."""
    one = place.mine[0]
    if not _is_boss(place) or card(one).power == "infiltrate":
        return
    if card(one).power != "walls" or not in_burn_pile(place.state):
        yield Choice(f"boss {_short(one)}", _(POWERS[card(one).power or ""].name))


def _is_boss(place: Place) -> bool:
    return place.is_free and len(place.mine) == 1 and card(place.mine[0]).kind == "boss"


def _short(boss: str) -> str:
    return boss.replace("boss-", "")


def groups(place: Place) -> tuple[Group, ...]:
    """Return actions of the selected cards that need one more choice."""
    if place.wanted or not place.mine or not place.is_free:
        return ()
    return tuple(group for group in (_boss_group(place), _secret_group(place)) if group)


def _boss_group(place: Place) -> Group | None:
    if not _is_boss(place):
        return None
    one = place.mine[0]
    power = POWERS[card(one).power or ""]
    return Group(_(power.name), _(power.text), tuple(_BOSSES.get(card(one).power or "", _no_choices)(place, one)))


def _spies(place: Place, boss: str) -> Iterator[Choice]:
    for seat in spied_on(place.state, place.seat):
        yield Choice(f"boss {_short(boss)} {seat}", place.names[seat])


def _builders(place: Place, boss: str) -> Iterator[Choice]:
    """Yield one card for each rank, because suits make no difference."""
    found = {card(one).rank: one for one in reversed(in_burn_pile(place.state))}
    for rank in [rank for rank in RANKS if rank in found]:
        yield Choice(f"boss {_short(boss)} {found[rank]}", _(RANK_NAMES[rank]))


def _no_choices(place: Place, boss: str) -> Iterator[Choice]:
    return iter(())


_BOSSES: dict[str, Callable[[Place, str], Iterator[Choice]]] = {"infiltrate": _spies, "walls": _builders}


def _secret_group(place: Place) -> Group | None:
    if place.view.flags.not_so_secret or not not_so_secret(place.mine):
        return None
    found = tuple(_secrets(place))
    note = _("Show and burn these cards to take a Tower into your hand.") if found else _("Nobody has a Tower.")
    return Group(_("Not-So-Secret Move"), note, found)


def _secrets(place: Place) -> Iterator[Choice]:
    for other in place.view.players:
        for tower in other.towers if other.seat != place.seat else ():
            rank = card(tower).rank or ""
            words = _("{player}’s {rank}").format(rank=_(RANK_NAMES[rank]), player=place.names[other.seat])
            yield Choice(f"not-so-secret {joined(place.mine)} of {other.seat} {rank}", words)


# Without cards


def ready(place: Place) -> tuple[Choice, ...]:
    """Return actions without selected cards, the usual one last."""
    return tuple(_READY.get(place.phase, _nothing)(place))


def _nothing(place: Place) -> Iterator[Choice]:
    return iter(())


def _turn(place: Place) -> Iterator[Choice]:
    yield from _picks(place)
    yield from _builds(place)
    if not place.view.flags.drawn:
        yield at_once("draw", draws(1 + len(place.player.towers)), place.draft)
    elif not allowed.must_attack(place.state):
        yield Choice(";".join((*place.draft, "end")), _("End the turn"), AT_ONCE)


def _builds(place: Place) -> Iterator[Choice]:
    """Yield the next Tower. With several cards of its rank, any will do."""
    for one in place.to_build[:1]:
        rank = card(one).rank or ""
        words = _("Build the {rank} and win") if rank == RANKS[-1] else _("Build the {rank}")
        yield Choice(f"build {one}", words.format(rank=_(RANK_NAMES[rank])))


def _picks(place: Place) -> Iterator[Choice]:
    for seat in place.pickable:
        words = _("Take a card from {player}").format(player=place.names[seat])
        yield at_once(f"blind-pick {seat}", words, place.draft)


def _defences(place: Place) -> Iterator[Choice]:
    yield from _picks(place)
    yield Choice("defend nothing", _("Defend with no cards"))


def _protections(place: Place) -> Iterator[Choice]:
    battle = place.view.battle
    assert battle is not None
    for mode, words in PROTECTIONS.items():
        yield Choice(f"protect {mode}", _(words).format(player=place.names[battle.target]))


def _epics(place: Place) -> Iterator[Choice]:
    power = card(place.view.epic or "").power
    if power == "storm":
        for seat in others_with(place.state, place.state.towers):
            tower = place.view.players[seat].towers[-1]
            words = _("{player}’s {rank}").format(rank=_(RANK_NAMES[card(tower).rank or ""]), player=place.names[seat])
            yield Choice(f"storm {seat}", words)
    if power == "tribute" and place.aimed_at:
        players = listed([place.names[seat] for seat in place.aimed_at])
        seats = "+".join(map(str, place.aimed_at))
        yield at_once(f"tribute {seats}", _("Take a card from {players}").format(players=players), place.draft)


_READY: dict[str, Callable[[Place], Iterator[Choice]]] = {
    TURN: _turn,
    DEFEND: _defences,
    PROTECT: _protections,
    TIE: lambda place: iter((Choice("stop", _("Stop the battle")),)),
    EPIC: _epics,
}


def seldom(place: Place) -> tuple[Choice, ...]:
    """Return actions that are possible but rarely wanted."""
    if not place.is_free or not allowed.may_pick_up(place.state):
        return ()
    rank = card(place.player.towers[-1]).rank or ""
    return (Choice("pick-up", _("Pick up the {rank}").format(rank=_(RANK_NAMES[rank]))),)


# Warnings


def warning(place: Place, action: str) -> str:
    """Return how a step that cannot be undone may hurt the player (section 21)."""
    words = action.split(" ")
    if words[0] == "not-so-secret" and place.view.options.broken_towers == HAND:
        return _broken(place, int(words[3]), words[4])
    if words[0] == "gift":
        return _enriched(place, int(words[1]))
    return ""


def _broken(place: Place, seat: int, rank: str) -> str:
    other = place.view.players[seat]
    broken = other.towers[RANKS.index(rank) + 1 :]
    if not broken:
        return ""
    towers = listed([_(RANK_NAMES[card(one).rank or ""]) for one in broken])
    sentence = _("The broken Towers return to {player}’s hand: {towers}.")
    told = sentence.format(player=place.names[seat], towers=towers)
    return " ".join(part for part in (told, _enriched(place, seat)) if part)


def _enriched(place: Place, seat: int) -> str:
    if place.view.players[seat].band < SHOWN_FROM:
        return ""
    return _("{player}’s hand is already worth 200 or more. At 300 they win.").format(player=place.names[seat])
