"""`decide`: the events that follow from an action, or a refusal. It never changes the position."""

from collections.abc import Callable, Sequence
from typing import Any

from games.rules.eight_minute import actions as a
from games.rules.eight_minute import events as e
from games.rules.eight_minute.effects import dragon, finds, looks, muster, rogues, spoils
from games.rules.eight_minute.evolve import evolve
from games.rules.eight_minute.legal import IMPASSABLE, amount, can_step, crossing, open_parts, surely_allows_step
from games.rules.eight_minute.scoring import score
from games.rules.eight_minute.setup import DECK, choose, deal
from games.rules.eight_minute.state import (
    BID,
    DEAL,
    EXTRA,
    FIRST,
    LAY,
    NEUTRAL,
    OUTPOST,
    OVER,
    REFILL,
    SCORING,
    SETUP,
    START,
    TOKENS,
    TURN,
    State,
)
from games.rules.protocol import Action, Chance, Event, IllegalAction, SeatInfo
from games.rules.words import gettext_noop

SIDES_OF_A_DIE = 6


def bid(state: State, seat: int, action: a.Bid, chance: Chance | None) -> list[Event]:
    """Bid for choosing who goes first. The last bid reveals all, and ties are broken by age or by die (R7, R66)."""
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


def decide(state: State, seat: int, action: Action, chance: Chance | None) -> list[Event]:
    """Return the events of an action. Without `chance` it is a draft, without the card drawn after the turn."""
    phases, decider = _DECIDERS[type(action)]
    if state.phase in _CLOSED:
        raise IllegalAction(_CLOSED[state.phase])
    if state.phase != BID and state.turn != seat:
        raise IllegalAction(gettext_noop("It’s not your turn."))
    if state.phase not in phases:
        raise IllegalAction(_WAITING[state.phase])
    return decider(state, seat, action, chance)


_CLOSED = {
    SETUP: gettext_noop("The game hasn’t started yet."),
    DEAL: gettext_noop("The setup is complete."),
    REFILL: gettext_noop("Your turn is complete."),
    SCORING: gettext_noop("Your turn is complete."),
    OVER: gettext_noop("The game is over."),
}
_WAITING = {
    BID: gettext_noop("Everyone must bid first."),
    FIRST: gettext_noop("First choose who goes first."),
    TURN: gettext_noop("It’s too late for that: the first turn has started."),
    EXTRA: gettext_noop("Take one more card, without its action, or end your turn."),
    LAY: gettext_noop("Place the boards first."),
    START: gettext_noop("Choose the start region first."),
    OUTPOST: gettext_noop("Choose the overseas region first."),
    TOKENS: gettext_noop("Place the tokens first."),
    NEUTRAL: gettext_noop("Place the third color’s armies first."),
}


def _set_up(state: State, seat: int, action: Any, chance: Chance | None) -> list[Event]:
    """Decide a choice of the setup by hand; after the last one, the site deals the row."""
    chosen = choose(state, action)
    is_last = _after(state, [chosen]).phase == DEAL
    return [chosen, *deal(state.rules, state.options, state.players, chance)] if is_last and chance else [chosen]


def _take(state: State, seat: int, action: a.Take, chance: Chance | None) -> list[Event]:
    if state.taken:
        raise IllegalAction(gettext_noop("You have already taken a card this turn."))
    if action.card not in state.row:
        raise IllegalAction(gettext_noop("That card is gone. Choose another."))
    price = state.rules.prices[state.row.index(action.card)]
    if price > state.coins[seat]:
        raise IllegalAction(
            gettext_noop(
                "You don’t have enough coins: that card costs {price} and you have {coins}. Choose a cheaper one."
            ),
            price=price,
            coins=state.coins[seat],
        )
    taken = e.CardTaken(seat, action.card, price)
    if state.phase == EXTRA:
        return [taken, *_ending(_after(state, [taken]), seat, chance)]
    if surely_allows_step(state, seat, state.rules.cards[action.card]):
        return [taken]
    return _closing(state, seat, [taken], chance)


def _place(state: State, seat: int, action: a.Place, chance: Chance | None) -> list[Event]:
    region = _region(state, action.region)
    part, left = _part(state, seat, "place")
    if not state.supply[seat]:
        raise IllegalAction(gettext_noop("All your armies are on the map already."))
    if region != state.start and not state.cities[region * state.colours + seat]:
        raise IllegalAction(gettext_noop("Place armies on the start region or where you have a city."))
    placed: list[Event] = [e.ArmyPlaced(seat, action.region, part)]
    if state.tokens:
        placed += dragon(state, seat, region)
    if left > 1 and state.supply[seat] > 1:
        return placed  # another army can go to the same region
    return _closing(state, seat, placed, chance)


def _move(state: State, seat: int, action: a.Move, chance: Chance | None) -> list[Event]:
    origin, target = _region(state, action.origin), _region(state, action.target)
    part, left = _part(state, seat, "move")
    _need_army(state, seat, origin)
    layout = state.map
    if target in layout.land[origin]:
        cost = 1
    elif target in layout.sea[origin]:
        cost = crossing(state, seat, state.rules.cards[state.taken].parts[part].ship)
    else:
        raise IllegalAction(gettext_noop("Those two regions are not neighbors. Choose a neighboring region."))
    if cost == IMPASSABLE:
        raise IllegalAction(gettext_noop("This card moves armies by land only. Choose a region connected by land."))
    if cost > left:
        raise IllegalAction(
            gettext_noop("Crossing water costs {cost} moves, but you have only {left} left."), cost=cost, left=left
        )
    moved: list[Event] = [e.ArmyMoved(seat, action.origin, action.target, cost, part)]
    if state.tokens:
        moved += [*rogues(state, seat, target), *dragon(state, seat, target)]
    if left > cost and layout.land[target]:
        return moved  # the same army can move on
    return _closing(state, seat, moved, chance)


def _build(state: State, seat: int, action: a.Build, chance: Chance | None) -> list[Event]:
    region = _region(state, action.region)
    part, _ = _part(state, seat, "build")
    if not state.city_supply[seat]:
        raise IllegalAction(gettext_noop("You have no cities left to build."))
    _need_army(state, seat, region)
    built = e.CityBuilt(seat, action.region, part)
    joined = muster(state, seat, region)
    slain = dragon(state, seat, region) if joined and state.tokens else ()
    return _closing(state, seat, [built, *finds(state, seat, region, chance), *joined, *slain], chance)


def _destroy(state: State, seat: int, action: a.Destroy, chance: Chance | None) -> list[Event]:
    region = _region(state, action.region)
    part, _ = _part(state, seat, "destroy")
    if not state.rules.destroys_anywhere:
        _need_army(state, seat, region)
    third = action.owner == a.NOBODY
    colour = state.players if third else action.owner
    if colour >= (state.colours if third else state.players) or not state.armies[region * state.colours + colour]:
        raise IllegalAction(gettext_noop("There is no such army in that region. Choose another."))
    if not third and state.immune[colour]:
        raise IllegalAction(gettext_noop("Those armies are immune and can’t be destroyed. Choose others."))
    destroyed = e.ArmyDestroyed(seat, action.region, action.owner, part)
    return _closing(state, seat, [destroyed, *spoils(state, seat, action.owner)], chance)


def _done(state: State, seat: int, action: a.Done, chance: Chance | None) -> list[Event]:
    if not state.taken and state.phase == TURN:
        raise IllegalAction(gettext_noop("Take a card first. The leftmost one is free."))
    return _ending(state.copy(), seat, chance)


def _closing(state: State, seat: int, events: list[Event], chance: Chance | None) -> list[Event]:
    """Return the events, followed by the end of the turn if they leave no possible step (R40)."""
    after = _after(state, events)
    return events if can_step(after, seat) else [*events, *_ending(after, seat, chance)]


def _after(state: State, events: list[Event]) -> State:
    copy = state.copy()
    for event in events:
        evolve(copy, event)
    return copy


def _ending(after: State, seat: int, chance: Chance | None) -> list[Event]:
    """Return the end of the turn and what the site adds: looks, then a new card or the result (R43, R52)."""
    ended = e.TurnEnded(seat)
    if chance is None:
        return [ended]
    is_turn = after.phase != EXTRA  # the extra card is not a turn of its own (R50)
    evolve(after, ended)
    seen = looks(after, seat, chance) if after.unseen and (is_turn or after.rules.looks_after_extra) else ()
    if after.phase == REFILL:
        return [ended, *seen, e.CardDrawn(chance.draw(DECK, after.deck))]
    if after.phase == SCORING:
        return [ended, *seen, e.GameEnded(score(after))]
    return [ended, *seen]


def _region(state: State, region: str) -> int:
    number = state.map.index.get(region)
    if number is None:
        raise IllegalAction(gettext_noop("There is no region “{region}” on this map."), region=region[:20])
    return number


def _need_army(state: State, seat: int, region: int) -> None:
    if not state.armies[region * state.colours + seat]:
        raise IllegalAction(gettext_noop("You have no army in that region. Choose another."))


def _part(state: State, seat: int, kind: str) -> tuple[int, int]:
    """Return the number of the open part that a step of this kind uses, and how much of it is left."""
    if not state.taken:
        raise IllegalAction(gettext_noop("Take a card first. The leftmost one is free."))
    card = state.rules.cards[state.taken]
    number = next((number for number, part in enumerate(card.parts) if part.kind == kind), None)
    if number is None:
        raise IllegalAction(_NOT_ON_CARD[kind])
    if number not in open_parts(card, state.part):
        raise IllegalAction(
            gettext_noop("You can’t go back to that part of the card: you have started the other part.")
        )
    left = amount(state, seat, card.parts[number]) - state.used[number]
    if left <= 0:
        raise IllegalAction(_USED_UP[kind])
    return number, left


_NOT_ON_CARD = {
    "place": gettext_noop("This card doesn’t place armies."),
    "move": gettext_noop("This card doesn’t move armies."),
    "build": gettext_noop("This card doesn’t build cities."),
    "destroy": gettext_noop("This card doesn’t destroy armies."),
}
_USED_UP = {
    "place": gettext_noop("You have placed all the armies this card allows."),
    "move": gettext_noop("You have no moves left."),
    "build": gettext_noop("You have built all the cities this card allows."),
    "destroy": gettext_noop("You have destroyed all the armies this card allows."),
}

_DECIDERS: dict[type, tuple[tuple[str, ...], Callable[[State, int, Any, Chance | None], list[Event]]]] = {
    a.Bid: ((BID,), bid),
    a.First: ((FIRST,), name_first),
    a.Take: ((TURN, EXTRA), _take),
    a.Place: ((TURN,), _place),
    a.Move: ((TURN,), _move),
    a.Build: ((TURN,), _build),
    a.Destroy: ((TURN,), _destroy),
    a.Done: ((TURN, EXTRA), _done),
    a.Lay: ((LAY,), _set_up),
    a.Start: ((START,), _set_up),
    a.Outpost: ((OUTPOST,), _set_up),
    a.LayToken: ((TOKENS,), _set_up),
    a.Neutral: ((NEUTRAL,), _set_up),
}
