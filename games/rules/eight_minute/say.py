"""The log in words: one sentence for each event worth telling a reader."""

from collections.abc import Callable, Sequence
from typing import Any

from games.rules.eight_minute import events as e
from games.rules.eight_minute.actions import NOBODY
from games.rules.eight_minute.edition import Edition
from games.rules.eight_minute.tokens import FACE_DOWN, gifts
from games.rules.protocol import Event
from games.rules.words import Translate, gettext_noop, untranslated

Wording = tuple[str, dict[str, object]]
RegionName = Callable[[str], str]


def say(
    rules: Edition,
    event: Event,
    names: Sequence[str],
    translate: Translate = untranslated,
    region_name: RegionName = str,
) -> str:
    """Describe the event in a sentence, or return "" if it needs none. `region_name` names a region or a board side."""
    worder = _WORDS.get(type(event))
    if worder is None:
        return ""
    template, values = worder(rules, event, names)
    for key in ("region", "origin", "target", "side"):
        if key in values:
            values[key] = region_name(str(values[key]))
    return translate(template).format(**values)


def _setup(rules: Edition, event: e.SetupBegun, names: Sequence[str]) -> Wording:
    return gettext_noop("{player} sets up the game."), {"player": names[event.setter]}


def _board(rules: Edition, event: e.BoardLaid, names: Sequence[str]) -> Wording:
    return _LIES[event.place], {"side": event.side}


_LIES = {
    "centre": gettext_noop("{side} is in the center."),
    "north": gettext_noop("{side} is in the north."),
    "east": gettext_noop("{side} is in the east."),
    "south": gettext_noop("{side} is in the south."),
    "west": gettext_noop("{side} is in the west."),
    "north-west": gettext_noop("{side} is in the north-west."),
    "north-east": gettext_noop("{side} is in the north-east."),
    "south-west": gettext_noop("{side} is in the south-west."),
    "south-east": gettext_noop("{side} is in the south-east."),
}


def _leaders(rules: Edition, event: e.LeadersDealt, names: Sequence[str]) -> Wording:
    led = zip(names, event.leaders, strict=True)
    return gettext_noop("The leaders: {leaders}."), {
        "leaders": ", ".join(f"{gifts()[leader].name} ({name})" for name, leader in led)
    }


def _start(rules: Edition, event: e.StartChosen, names: Sequence[str]) -> Wording:
    values: dict[str, object] = {"region": event.region, "n": min(event.armies)}
    if len(set(event.armies)) == 1:
        return gettext_noop("The start region is {region}. Everyone has {n} armies there."), values
    seat = event.armies.index(max(event.armies))
    return gettext_noop(
        "The start region is {region}. Everyone has {n} armies there, except {player}, who has {more}."
    ), {
        **values,
        "player": names[seat],
        "more": event.armies[seat],
    }


def _token(rules: Edition, event: e.TokenLaid, names: Sequence[str]) -> Wording:
    if event.token == FACE_DOWN:
        return gettext_noop("There is a face-down token in {region}."), {"region": event.region}
    return gettext_noop("{token} is in {region}."), {"region": event.region, "token": gifts()[event.token].name}


def _town(rules: Edition, event: e.TownLaid, names: Sequence[str]) -> Wording:
    return gettext_noop("Merchants in {region} offer {n} coins."), {"region": event.region, "n": event.coins}


def _outpost(rules: Edition, event: e.OutpostChosen, names: Sequence[str]) -> Wording:
    return gettext_noop("Everyone’s overseas army begins in {region}."), {"region": event.region}


def _neutral(rules: Edition, event: e.NeutralPlaced, names: Sequence[str]) -> Wording:
    return gettext_noop("The third color has an army in {region}."), {"region": event.region}


def _row(rules: Edition, event: e.RowDealt, names: Sequence[str]) -> Wording:
    cards = ", ".join(rules.cards[card].name for card in event.cards)
    return gettext_noop("The first cards are {cards}."), {"cards": cards}


def _bids(rules: Edition, event: e.BidsRevealed, names: Sequence[str]) -> Wording:
    bids = ", ".join(f"{names[seat]} {bid}" for seat, bid in enumerate(event.bids))
    rolls = "; ".join(", ".join(f"{names[s]} {n}" for s, n in enumerate(rolled) if n) for rolled in event.rolls)
    won = {"winner": names[event.winner], "price": event.bids[event.winner]}
    return _BID_ENDS[event.decided], {"bids": bids, "rolls": rolls, **won}


_BID_ENDS = {
    "highest": gettext_noop("The bids: {bids}. {winner} wins and pays {price}."),
    "age": gettext_noop("The bids: {bids}. {winner} wins the tie as the youngest player and pays {price}."),
    "account": gettext_noop("The bids: {bids}. {winner} wins the tie as the newest account and pays {price}."),
    "seat": gettext_noop("The bids: {bids}. {winner} wins the tie by seat order and pays {price}."),
    "die": gettext_noop("The bids: {bids}. Dice: {rolls}. {winner} wins the tie and pays {price}."),
}


def _first(rules: Edition, event: e.FirstNamed, names: Sequence[str]) -> Wording:
    if event.first == event.seat:
        return gettext_noop("{player} chooses to go first."), {"player": names[event.seat]}
    return gettext_noop("{player} chooses {first} to go first."), {
        "player": names[event.seat],
        "first": names[event.first],
    }


def _take(rules: Edition, event: e.CardTaken, names: Sequence[str]) -> Wording:
    values: dict[str, object] = {
        "player": names[event.seat],
        "card": rules.cards[event.card].name,
        "price": event.price,
    }
    if event.price == 0:
        return gettext_noop("{player} takes {card} for free."), values
    if event.price == 1:
        return gettext_noop("{player} takes {card} for 1 coin."), values
    return gettext_noop("{player} takes {card} for {price} coins."), values


def _place(rules: Edition, event: e.ArmyPlaced, names: Sequence[str]) -> Wording:
    return gettext_noop("{player} places an army in {region}."), {"player": names[event.seat], "region": event.region}


def _move(rules: Edition, event: e.ArmyMoved, names: Sequence[str]) -> Wording:
    return gettext_noop("{player} moves an army from {origin} to {target}."), {
        "player": names[event.seat],
        "origin": event.origin,
        "target": event.target,
    }


def _build(rules: Edition, event: e.CityBuilt, names: Sequence[str]) -> Wording:
    return gettext_noop("{player} builds a city in {region}."), {"player": names[event.seat], "region": event.region}


def _destroy(rules: Edition, event: e.ArmyDestroyed, names: Sequence[str]) -> Wording:
    values: dict[str, object] = {"player": names[event.seat], "region": event.region}
    if event.owner == NOBODY:
        return gettext_noop("{player} destroys an army of the third color in {region}."), values
    if event.owner == event.seat:
        return gettext_noop("{player} destroys one of their own armies in {region}."), values
    return gettext_noop("{player} destroys one of {owner}’s armies in {region}."), values | {
        "owner": names[event.owner]
    }


def _gain(rules: Edition, event: e.TokenGained, names: Sequence[str]) -> Wording:
    return gettext_noop("{player} gains the token in {region}: {token}."), {
        "player": names[event.seat],
        "region": event.region,
        "token": gifts()[event.token].name,
    }


def _find(rules: Edition, event: e.CoinsFound, names: Sequence[str]) -> Wording:
    return gettext_noop("{player} collects {n} coins from the merchants in {region}."), {
        "player": names[event.seat],
        "region": event.region,
        "n": event.coins,
    }


def _of_seat(template: str) -> Callable[[Edition, Any, Sequence[str]], Wording]:
    """Return a worder for events that name a seat and a region."""

    def word(rules: Edition, event: Any, names: Sequence[str]) -> Wording:
        return template, {"player": names[event.seat], "region": event.region}

    return word


def _capture(rules: Edition, event: e.ArmyCaptured, names: Sequence[str]) -> Wording:
    if event.owner == NOBODY:
        return gettext_noop("{player} captures an army of the third color."), {"player": names[event.seat]}
    return gettext_noop("{player} captures {owner}’s army."), {
        "player": names[event.seat],
        "owner": names[event.owner],
    }


def _rob(rules: Edition, event: e.CoinRobbed, names: Sequence[str]) -> Wording:
    return gettext_noop("{player} takes a coin from {owner}."), {
        "player": names[event.seat],
        "owner": names[event.owner],
    }


def _look(rules: Edition, event: e.TokenSeen, names: Sequence[str]) -> Wording:
    values: dict[str, object] = {"player": names[event.seat], "region": event.region}
    if not event.face:
        return gettext_noop("{player} looks at the token in {region}."), values
    values["token"] = gifts()[event.face].name
    return gettext_noop("{player} looks at the token in {region}: {token}."), values


def _draw(rules: Edition, event: e.CardDrawn, names: Sequence[str]) -> Wording:
    return gettext_noop("{card} is added to the row."), {"card": rules.cards[event.card].name}


def _result(rules: Edition, event: e.GameEnded, names: Sequence[str]) -> Wording:
    sheet = event.scoresheet
    winners = ", ".join(names[seat] for seat in sheet.winners)
    values: dict[str, object] = {"winner": winners, "points": sheet.seats[sheet.winners[0]].total}
    if len(sheet.winners) > 1:
        return gettext_noop("The game is over: {winner} tie for the win with {points} points."), values
    return gettext_noop("The game is over: {winner} wins with {points} points."), values


_WORDS: dict[type, Callable[[Edition, Any, Sequence[str]], Wording]] = {
    e.SetupBegun: _setup,
    e.BoardLaid: _board,
    e.LeadersDealt: _leaders,
    e.StartChosen: _start,
    e.OutpostChosen: _outpost,
    e.TokenLaid: _token,
    e.TownLaid: _town,
    e.NeutralPlaced: _neutral,
    e.RowDealt: _row,
    e.BidsRevealed: _bids,
    e.FirstNamed: _first,
    e.CardTaken: _take,
    e.ArmyPlaced: _place,
    e.ArmyMoved: _move,
    e.CityBuilt: _build,
    e.ArmyDestroyed: _destroy,
    e.TokenGained: _gain,
    e.CoinsFound: _find,
    e.ArmyMustered: _of_seat(gettext_noop("{player} musters an army in {region}.")),
    e.DragonSlain: _of_seat(gettext_noop("{player} slays the dragon in {region}.")),
    e.TollPaid: _of_seat(gettext_noop("{player} loses a coin to the rogues in {region}.")),
    e.ArmyCaptured: _capture,
    e.CoinRobbed: _rob,
    e.TokenSeen: _look,
    e.CardDrawn: _draw,
    e.GameEnded: _result,
}
