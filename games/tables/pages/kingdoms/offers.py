"""The buttons of each phase, for actions with and without selected cards."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.notices.outbox.words import enumerated
from games.rules.kingdoms import legal
from games.rules.kingdoms.deck import POWERS, RANK_NAMES, RANKS, card
from games.rules.kingdoms.market import check_purchase, purchases
from games.rules.kingdoms.options import HAND
from games.rules.kingdoms.powers import in_burn_pile, others_with, spied_on
from games.rules.kingdoms.state import DEFEND, FLOPDRAW, PROTECT, TIE, TURN, next_rank
from games.rules.kingdoms.troops import classify, not_so_secret
from games.rules.kingdoms.values import SHOWN_FROM, check_shown, value
from games.rules.kingdoms.view import View
from games.rules.protocol import IllegalAction
from games.tables.pages.kingdoms.reader import SeatedReader
from games.tables.pages.kingdoms.words import draws, hero, named, next_conqueror

AT_ONCE, LAID_OUT = "table_submit", "table_step"
NAMED_BY_VERB = ("attack", "defend", "wave", "show", "gift", "not-so-secret")  # their buttons keep one id
PAYMENTS = 3  # ways to pay for a card of the Flop that are offered, those of least value
PROTECTIONS = {
    "leave": gettext_noop("Don’t help {player}"),
    "with": gettext_noop("Defend together with {player}"),
    "for": gettext_noop("Defend for {player}"),
}


class Choice(NamedTuple):
    """A button. `url_name` names the URL that it posts to. `is_end`: it ends the turn without another question."""

    action: str
    words: str
    url_name: str = LAID_OUT
    is_end: bool = False

    @property
    def last(self) -> str:
        """The action without the ones laid out before it."""
        return self.action.rpartition(";")[2]

    @property
    def id(self) -> str:
        """A stable id for scripts and tests."""
        words = self.last.split(" ")
        if words[0] in NAMED_BY_VERB:
            words = [word for word in words if len(word) == 1 or "-" not in word or word == words[0]]
        return "do-" + re.sub(r"[^a-z0-9]+", "-", " ".join(words))


class Group(NamedTuple):
    """Buttons under a heading."""

    name: str
    note: str
    choices: tuple[Choice, ...]


def at_once(action: str, words: str, draft: Sequence[str]) -> Choice:
    """Return a button for an action with chance: submitted at once, or confirmed if it would make a draft final."""
    return Choice(action, words, LAID_OUT if draft else AT_ONCE)


def refusal(check: Callable[..., Any], *args: Any) -> str:
    """Return the sentence of a refusal by the rules; empty if legal."""
    try:
        check(*args)
    except IllegalAction as refused:
        return refused.say(_)
    return ""


# With the selected cards


def with_cards(reader: SeatedReader) -> Iterator[Choice]:
    """Yield the actions possible with the selected cards."""
    if reader.picked_flop:
        yield from _with_flop_cards(reader)
        return
    picked_hand, hand, names = reader.picked_hand, reader.player.hand, reader.names
    if not picked_hand:
        return
    ids = "+".join(picked_hand)

    if not refusal(classify, picked_hand):
        for seat in reader.aimed_at or reader.targets:
            yield Choice(f"attack {seat} with {ids}", _("Attack {player}").format(player=names[seat]))
        if reader.phase == DEFEND:
            yield Choice(f"defend {ids}", _("Defend with these"))
        if reader.phase == TIE:
            yield Choice(f"wave {ids}", _("Continue with these"))
    for card_id in reader.view.flop if reader.may_trade else ():
        if not refusal(check_purchase, picked_hand, (card_id,)):
            yield Choice(f"buy {ids} for {card_id}", _("Buy {card}").format(card=hero(card_id)))
    if not reader.is_free:
        return

    if value(hand) >= SHOWN_FROM and picked_hand != reader.player.shown and not refusal(check_shown, hand, picked_hand):
        yield Choice(f"show {ids}", _("Show these face-up"))
    for seat in legal.may_give_to(reader.state, reader.seat):
        yield Choice(f"gift {seat} {ids}", _("Give to {player}").format(player=names[seat]))
    # Other moves of Bosses need one more choice, see `groups`.
    boss = reader.boss
    if boss and boss.power != "infiltrate" and not (boss.power == "walls" and in_burn_pile(reader.state)):
        yield Choice(_boss_action(boss.id), _(POWERS[boss.power or ""].name))


def _with_flop_cards(reader: SeatedReader) -> Iterator[Choice]:
    """Yield what can be done with the selected cards of the Flop, and those of the hand that pay for them."""
    picked_hand, picked_flop = reader.picked_hand, reader.picked_flop
    if not reader.may_trade:
        return
    if picked_hand:
        if not refusal(check_purchase, picked_hand, picked_flop):
            words = _("Buy {cards}").format(cards=named(picked_flop))
            yield Choice(f"buy {'+'.join(picked_hand)} for {'+'.join(picked_flop)}", words)
        return
    paying = [give for give, take in purchases(reader.player.hand, picked_flop) if take == picked_flop]
    for give in sorted(paying, key=value)[:PAYMENTS]:
        words = _("Pay with {cards}").format(cards=named(give))
        yield Choice(f"buy {'+'.join(give)} for {'+'.join(picked_flop)}", words)
    if len(picked_flop) == 1 and legal.may_burn(reader.state):
        yield at_once(f"burn {picked_flop[0]}", _("Burn {card}").format(card=hero(picked_flop[0])), reader.draft)


def _boss_action(boss: str) -> str:
    return f"boss {boss.replace('boss-', '')}"


def groups(reader: SeatedReader) -> Iterator[Group]:
    """Yield actions of the selected cards that need one more choice."""
    if reader.picked_flop or not reader.is_free:
        return
    boss, names, choices = reader.boss, reader.names, []
    if boss:
        action, power = _boss_action(boss.id), POWERS[boss.power or ""]
        if boss.power == "infiltrate":
            choices = [Choice(f"{action} {seat}", names[seat]) for seat in spied_on(reader.state, reader.seat)]
        elif boss.power == "walls":
            # One card for each rank is enough, because suits make no difference.
            by_rank = {card(card_id).rank: card_id for card_id in reversed(in_burn_pile(reader.state))}
            choices = [Choice(f"{action} {by_rank[rank]}", _(RANK_NAMES[rank])) for rank in RANKS if rank in by_rank]
        yield Group(_(power.name), _(power.text), tuple(choices))

    if reader.picked_hand and not_so_secret(reader.picked_hand) and not reader.view.flags.not_so_secret:
        choices = []
        for other in reader.view.players:
            for tower in other.towers if other.seat != reader.seat else ():
                rank = card(tower).rank or ""
                words = _("{player}’s {rank}").format(rank=_(RANK_NAMES[rank]), player=names[other.seat])
                choices.append(Choice(f"not-so-secret {'+'.join(reader.picked_hand)} of {other.seat} {rank}", words))
        note = _("Show and burn these cards to take a Tower into your hand.") if choices else _("Nobody has a Tower.")
        yield Group(_("Not-So-Secret Move"), note, tuple(choices))


# Without cards


def ready(reader: SeatedReader) -> Iterator[Choice]:
    """Yield actions without selected cards, the usual one last."""
    view, names, draft = reader.view, reader.names, reader.draft
    for seat in reader.pickable:
        yield at_once(f"blind-pick {seat}", _("Take a card from {player}").format(player=names[seat]), draft)
    if reader.phase == TURN:
        for card_id in reader.to_build[:1]:  # with several cards of its rank, any will do
            rank = card(card_id).rank or ""
            words = _("Build the {rank} and win") if rank == RANKS[-1] else _("Build the {rank}")
            yield Choice(f"build {card_id}", words.format(rank=_(RANK_NAMES[rank])))
        if not view.flags.drawn:
            yield at_once("draw", draws(1 + len(reader.player.towers)), draft)
        elif not legal.must_attack(reader.state):
            is_end = not gives_up(view, "end")
            yield Choice(";".join((*draft, "end")), _("End turn"), AT_ONCE, is_end)
    elif reader.phase == DEFEND:
        yield Choice("defend nothing", _("Defend with no cards"))
    elif reader.phase == PROTECT and view.battle:
        for mode, words in PROTECTIONS.items():
            yield Choice(f"protect {mode}", _(words).format(player=names[view.battle.target]))
    elif reader.phase == TIE:
        yield Choice("stop", _("Stop the battle"))
    elif reader.power == "storm":
        for seat in others_with(reader.state, reader.state.towers):
            rank = card(view.players[seat].towers[-1]).rank or ""
            words = _("{player}’s {rank}").format(rank=_(RANK_NAMES[rank]), player=names[seat])
            yield Choice(f"storm {seat}", words)
    elif reader.power == "tribute" and reader.aimed_at:
        words = _("Take a card from {players}").format(players=enumerated([names[seat] for seat in reader.aimed_at]))
        yield at_once(f"tribute {'+'.join(map(str, reader.aimed_at))}", words, draft)


def seldom(reader: SeatedReader) -> tuple[Choice, ...]:
    """Return actions that are possible but rarely wanted."""
    if not reader.is_free or not legal.may_pick_up(reader.state):
        return ()
    rank = card(reader.player.towers[-1]).rank or ""
    return (Choice("pick-up", _("Pick up the {rank}").format(rank=_(RANK_NAMES[rank]))),)


def flop_choices(reader: SeatedReader | None) -> dict[str, Choice]:
    """Return what a tap on each card of the Flop does, if taking one is the only possible action."""
    if reader and reader.phase == FLOPDRAW:
        verb = "draw-from-flop"
    elif reader and reader.power == "market":
        verb = "market"
    else:
        return {}
    return {
        card_id: Choice(f"{verb} {card_id}", _("Take {card}").format(card=hero(card_id)))
        for card_id in reader.view.flop
    }


# Warnings


def gives_up(view: View, action: str) -> str:
    """Return what ending the turn gives up that this turn allows, such as “build the Emperor”; empty if nothing.

    Purchases, moves and a first attack are choices of every turn, so nobody is asked about them.
    """
    if action != "end" or view.seat is None or view.phase != TURN or view.active != view.seat:
        return ""
    state, seat, possible = view.hidden, view.seat, []
    if legal.is_before_battle(state):
        rank = next_rank(state, seat)
        if rank and legal.may_build(state) and any(card(card_id).rank == rank for card_id in view.players[seat].hand):
            possible.append(_("build the {rank}").format(rank=_(RANK_NAMES[rank])))
        free = len(legal.pickable(state, seat))
        if free:
            words = ngettext("take a card from {n} of your kingdoms", "take a card from {n} of your kingdoms", free)
            possible.append(words.format(n=free))
        if next_conqueror(view) not in (None, seat) and legal.may_attack_again(state):
            possible.append(_("attack your ruler, who wins otherwise"))
    elif legal.may_attack_again(state):
        possible.append(_("attack again"))
    return enumerated(possible)


def warning(reader: SeatedReader, action: str) -> str:
    """Return how a step that cannot be undone may hurt the player (section 21)."""
    words = action.split(" ")
    if words[0] == "gift":
        return _richer_warning(reader, int(words[1]))
    if words[0] != "not-so-secret" or reader.view.options.broken_towers != HAND:
        return ""
    seat, rank = int(words[3]), words[4]
    broken = reader.view.players[seat].towers[RANKS.index(rank) + 1 :]
    if not broken:
        return ""
    towers = enumerated([_(RANK_NAMES[card(tower).rank or ""]) for tower in broken])
    sentence = _("The broken Towers return to {player}’s hand: {towers}.")
    returned = sentence.format(player=reader.names[seat], towers=towers)
    return " ".join(part for part in (returned, _richer_warning(reader, seat)) if part)


def _richer_warning(reader: SeatedReader, seat: int) -> str:
    """Return what a player who is close to 300 may gain from more cards; empty if nothing is known."""
    if reader.view.players[seat].band < SHOWN_FROM:
        return ""
    return _("{player}’s hand is already worth 200 or more. At 300 they win.").format(player=reader.names[seat])
