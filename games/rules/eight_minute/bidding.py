"""Bidding for the first turn: secret bids, ties, and the choice of who goes first (R6-R8, R41, R42, R66)."""

from collections.abc import Sequence

from games.rules.eight_minute import actions as a
from games.rules.eight_minute import events as e
from games.rules.eight_minute.state import State
from games.rules.protocol import Chance, Event, IllegalAction, SeatInfo
from games.rules.words import gettext_noop

SIDES_OF_A_DIE = 6


def bid(state: State, seat: int, action: a.Bid, chance: Chance | None) -> list[Event]:
    if action.coins > state.coins[seat]:
        raise IllegalAction(
            gettext_noop("You can’t bid more coins than you have: you bid {bid} and have {coins}."),
            bid=action.coins,
            coins=state.coins[seat],
        )
    made = e.BidMade(seat, action.coins)
    bids = [*state.bids]
    bids[seat] = action.coins
    if min(bids) < 0:
        return [made]
    tied = [bidder for bidder, coins in enumerate(bids) if coins == max(bids)]
    if len(tied) > 1 and state.options.ties == "die":
        if not chance:
            return [made]
        # Those tied for the highest bid roll a die, those tied for the highest roll again (R66).
        rolls = []
        while len(tied) > 1:
            rolled = [1 + chance.below(SIDES_OF_A_DIE) if bidder in tied else 0 for bidder in range(len(bids))]
            tied = [bidder for bidder, roll in enumerate(rolled) if roll == max(rolled)]
            rolls.append(tuple(rolled))
        return [made, e.BidsRevealed(tuple(bids), tied[0], "die", tuple(rolls))]
    winner, decided = win_bid(state, bids)
    return [made, e.BidsRevealed(tuple(bids), winner, decided)]


def win_bid(state: State, bids: list[int]) -> tuple[int, str]:
    """Return the seat that wins the bidding without dice and the criterion that decided (R7, R8, R42)."""
    tied = [seat for seat, bid in enumerate(bids) if bid == max(bids)]
    if len(tied) == 1:
        return tied[0], "highest"
    people = [seat for seat in tied if not state.seats[seat].bot]
    if len(people) == 1:
        return people[0], "age"
    tied = people or tied
    # The youngest wins, if everyone in the tie gave a date of birth; then the newest account; then the first seat.
    births = [born for seat in tied if (born := state.seats[seat].born) is not None]
    if len(births) == len(tied):
        tied = [seat for seat in tied if state.seats[seat].born == max(births)]
        if len(tied) == 1:
            return tied[0], "age"
    newest = max(state.seats[seat].joined for seat in tied)
    tied = [seat for seat in tied if state.seats[seat].joined == newest]
    return tied[0], "account" if len(tied) == 1 else "seat"


def name_first(state: State, seat: int, action: a.First, chance: Chance | None) -> list[Event]:
    if action.seat >= state.players:
        raise IllegalAction(gettext_noop("There is no seat {seat} in this game."), seat=action.seat)
    return [e.FirstNamed(seat, action.seat)]


def ranks_told(event: e.BidsRevealed, seats: Sequence[SeatInfo]) -> tuple[SeatInfo, ...]:
    """Return age ranks from which the bidding has the result that the event shows. Seats outside the tie get none."""

    def rank(seat: int, info: SeatInfo) -> SeatInfo:
        if info.bot or event.bids[seat] < max(event.bids) or event.decided in ("highest", "die"):
            return SeatInfo(info.bot)
        if event.decided == "age":
            return SeatInfo(info.bot, born=int(seat == event.winner))
        is_newest = seat >= event.winner if event.decided == "seat" else seat == event.winner
        return SeatInfo(info.bot, joined=int(is_newest))

    return tuple(rank(seat, info) for seat, info in enumerate(seats))
