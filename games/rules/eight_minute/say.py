"""The log in words: a sentence for each event worth telling, and entries as a person would tell them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from games.rules.eight_minute import events as e
from games.rules.eight_minute.actions import NOBODY
from games.rules.eight_minute.edition import Edition
from games.rules.eight_minute.tokens import FACE_DOWN, gifts
from games.rules.protocol import Event
from games.rules.words import SEPARATOR, Translate, gettext_noop, is_singular, listed, untranslated

Wording = tuple[str, dict[str, object]]
RegionName = Callable[[str], str]

# Events that need nothing but the player and the regions
PLAIN: dict[type, str] = {
    e.OutpostChosen: gettext_noop("Everyone’s overseas army begins in {region}."),
    e.NeutralPlaced: gettext_noop("The third color has an army in {region}."),
    e.ArmyPlaced: gettext_noop("{player} places an army in {region}."),
    e.ArmyMoved: gettext_noop("{player} moves an army from {origin} to {target}."),
    e.CityBuilt: gettext_noop("{player} builds a city in {region}."),
    e.ArmyMustered: gettext_noop("{player} musters an army in {region}."),
    e.DragonSlain: gettext_noop("{player} slays the dragon in {region}."),
    e.TollPaid: gettext_noop("{player} loses a coin to the rogues in {region}."),
}
# Events that become one sentence if several of a kind follow each other
RUNS: dict[type, str] = {
    e.TokenLaid: gettext_noop("Tokens on the map: {where}."),
    e.TownLaid: gettext_noop("There are merchants in {where}."),
    e.NeutralPlaced: gettext_noop("The third color has armies in {where}."),
    e.ArmyPlaced: gettext_noop("{player} places armies: {where}."),
    e.ArmyMoved: gettext_noop("{player} moves armies: {where}."),
}
LIES = {
    "centre": gettext_noop("{side} is in the center."),
    "north": gettext_noop("{side} is in the north."),
    "east": gettext_noop("{side} is in the east."),
    "south": gettext_noop("{side} is in the south."),
    "west": gettext_noop("{side} is in the west."),
    "north-west": gettext_noop("{side} is in the northwest."),
    "north-east": gettext_noop("{side} is in the northeast."),
    "south-west": gettext_noop("{side} is in the southwest."),
    "south-east": gettext_noop("{side} is in the southeast."),
}
BID_ENDS = {
    "highest": gettext_noop("The bids: {bids}. {winner} wins and pays {price}."),
    "age": gettext_noop("The bids: {bids}. {winner} wins the tie as the youngest player and pays {price}."),
    "account": gettext_noop("The bids: {bids}. {winner} wins the tie as the newest account and pays {price}."),
    "seat": gettext_noop("The bids: {bids}. {winner} wins the tie by seat order and pays {price}."),
    "die": gettext_noop("The bids: {bids}. Dice: {rolls}. {winner} wins the tie and pays {price}."),
}

ENDS = (  # with one winner and with several, each with one point and with several
    (
        gettext_noop("The game is over: {winner} wins with {points} point."),
        gettext_noop("The game is over: {winner} wins with {points} points."),
    ),
    (
        gettext_noop("The game is over: {winner} tie for the win with {points} point."),
        gettext_noop("The game is over: {winner} tie for the win with {points} points."),
    ),
)

TAKES = {
    0: gettext_noop("{player} takes {card} for free."),
    1: gettext_noop("{player} takes {card} for 1 coin."),
    2: gettext_noop("{player} takes {card} for {price} coins."),
}


def tell(
    rules: Edition, events: Sequence[Event], names: Sequence[str], translate: Translate = untranslated,
    region_name: RegionName = str,
) -> list[str]:  # fmt: skip
    """Describe the events in sentences, leaving out those that need none."""
    sentences: list[str] = []
    in_order: list[Event] = []
    # Tokens come before the merchants laid between them, so that each kind can be told in one sentence.
    for _are_laid, run in groupby(events, lambda event: isinstance(event, (e.TokenLaid, e.TownLaid))):
        in_order += sorted(run, key=lambda event: isinstance(event, e.TownLaid))
    for kind, run in groupby(in_order, type):
        steps = list(run)
        if len(steps) == 1 or kind not in RUNS:
            sentences += [say(rules, event, names, translate, region_name) for event in steps]
            continue
        if kind is e.TokenLaid:
            where = _tokens(steps, translate, region_name)
        elif kind is e.ArmyMoved:
            way = translate(gettext_noop("{origin} to {target}"))
            ways = ((translate(region_name(step.origin)), translate(region_name(step.target))) for step in steps)
            where = _counted(way.format(origin=origin, target=target) for origin, target in ways)
        else:
            where = _counted(translate(region_name(step.region)) for step in steps)
        player = names[steps[0].seat] if hasattr(steps[0], "seat") else ""
        sentences.append(translate(RUNS[kind]).format(where=where, player=player))
    return [sentence for sentence in sentences if sentence]


def _tokens(steps: list[e.TokenLaid], translate: Translate, region_name: RegionName) -> str:
    """Describe which tokens are where, grouped by kind."""
    where: dict[str, list[str]] = {}
    for step in steps:
        where.setdefault(step.token, []).append(translate(region_name(step.region)))
    phrases = []
    for token, regions in where.items():
        if token == FACE_DOWN:
            template, name = translate(gettext_noop("face down in {regions}")), ""
        else:
            template, name = translate(gettext_noop("{token} in {regions}")), translate(gifts()[token].name)
        phrases.append(template.format(token=name, regions=", ".join(regions)))
    return translate(SEPARATOR).join(phrases)


def _counted(places: Iterable[str]) -> str:
    return ", ".join(f"{place} ×{n}" if n > 1 else place for place, n in Counter(places).items())


def say(
    rules: Edition, event: Event, names: Sequence[str], translate: Translate = untranslated,
    region_name: RegionName = str,
) -> str:  # fmt: skip
    """Describe the event in a sentence, or return "" if it needs none.

    `region_name` returns the English name of a region or a board side.
    """
    values: dict[str, object] = {"player": names[event.seat]} if hasattr(event, "seat") else {}
    for key in ("region", "origin", "target", "side"):
        if hasattr(event, key):
            values[key] = translate(region_name(getattr(event, key)))
    if type(event) in PLAIN:
        return translate(PLAIN[type(event)]).format(**values)
    if isinstance(event, e.SetupEvent):
        template, more = _of_setup(rules, event, names, translate)
    elif isinstance(event, e.TurnEvent):
        template, more = _of_turn(rules, event, names, translate)
    else:
        template, more = _of_step(event, names, translate)
    return translate(template).format(**values, **more) if template else ""


def _of_setup(rules: Edition, event: e.SetupEvent, names: Sequence[str], translate: Translate) -> Wording:
    """Return the sentence of an event of the setup, and its values besides the regions."""
    match event:
        case e.SetupBegun():
            return gettext_noop("{player} sets up the game."), {"player": names[event.setter]}
        case e.BoardLaid():
            return LIES[event.place], {}
        case e.LeadersDealt():
            led = zip(names, event.leaders, strict=True)
            leaders = ", ".join(f"{translate(gifts()[leader].name)} ({name})" for name, leader in led)
            return gettext_noop("The leaders: {leaders}."), {"leaders": leaders}
        case e.StartChosen():
            n, more = min(event.armies), max(event.armies)
            if n == more:
                return gettext_noop("The start region is {region}. Everyone has {n} armies there."), {"n": n}
            return gettext_noop(
                "The start region is {region}. Everyone has {n} armies there, except {player}, who has {more}."
            ), {"n": n, "more": more, "player": names[event.armies.index(more)]}
        case e.TokenLaid():
            if event.token == FACE_DOWN:
                return gettext_noop("There is a face-down token in {region}."), {}
            return gettext_noop("{token} is in {region}."), {"token": translate(gifts()[event.token].name)}
        case e.TownLaid():
            return gettext_noop("Merchants in {region} offer {n} coins."), {"n": event.coins}
        case e.RowDealt():
            cards = ", ".join(translate(rules.cards[card].name) for card in event.cards)
            return gettext_noop("The first cards are {cards}."), {"cards": cards}
    return "", {}


def _of_turn(rules: Edition, event: e.TurnEvent, names: Sequence[str], translate: Translate) -> Wording:
    """Return the sentence of an event between the steps, and its values besides the player."""
    match event:
        case e.BidsRevealed():
            bids = ", ".join(f"{names[seat]} {bid}" for seat, bid in enumerate(event.bids))
            rolls = translate(SEPARATOR).join(
                ", ".join(f"{names[s]} {n}" for s, n in enumerate(rolled) if n) for rolled in event.rolls
            )
            won = {"winner": names[event.winner], "price": event.bids[event.winner]}
            return BID_ENDS[event.decided], {"bids": bids, "rolls": rolls, **won}
        case e.FirstNamed():
            if event.first == event.seat:
                return gettext_noop("{player} chooses to go first."), {}
            return gettext_noop("{player} chooses {first} to go first."), {"first": names[event.first]}
        case e.FirstDrawn():
            return gettext_noop("{first} is drawn at random to go first."), {"first": names[event.first]}
        case e.CardTaken():
            return TAKES[min(event.price, 2)], {"card": translate(rules.cards[event.card].name), "price": event.price}
        case e.CardDrawn():
            return gettext_noop("New in the row: {card}."), {"card": translate(rules.cards[event.card].name)}
        case e.GameEnded():
            winners = event.scoresheet.winners
            points = event.scoresheet.seats[winners[0]].total
            values = {"winner": listed([names[seat] for seat in winners], translate), "points": points}
            return ENDS[len(winners) > 1][not is_singular(points, translate)], values
    return "", {}


def _of_step(event: e.StepEvent | e.EffectEvent, names: Sequence[str], translate: Translate) -> Wording:
    """Return the sentence of a step or its effect, and its values besides the player and the region."""
    match event:
        case e.ArmyDestroyed():
            if event.owner == NOBODY:
                return gettext_noop("{player} destroys an army of the third color in {region}."), {}
            if event.owner == event.seat:
                return gettext_noop("{player} destroys one of their own armies in {region}."), {}
            sentence = gettext_noop("{player} destroys one of {owner}’s armies in {region}.")
            return sentence, {"owner": names[event.owner]}
        case e.ArmyCaptured():
            if event.owner == NOBODY:
                return gettext_noop("{player} captures an army of the third color."), {}
            return gettext_noop("{player} captures {owner}’s army."), {"owner": names[event.owner]}
        case e.CoinRobbed():
            return gettext_noop("{player} takes a coin from {owner}."), {"owner": names[event.owner]}
        case e.CoinsFound():
            sentence = gettext_noop("{player} collects {n} coins from the merchants in {region}.")
            return sentence, {"n": event.coins}
        case e.TokenGained():
            sentence = gettext_noop("{player} gains the token in {region}: {token}.")
            return sentence, {"token": translate(gifts()[event.token].name)}
        case e.TokenSeen():
            if not event.face:
                return gettext_noop("{player} looks at the token in {region}."), {}
            sentence = gettext_noop("{player} looks at the token in {region}: {token}.")
            return sentence, {"token": translate(gifts()[event.face].name)}
    return "", {}
