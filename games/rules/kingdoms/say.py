"""The log in words: one sentence for each event worth telling a reader."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import POWERS, card
from games.rules.kingdoms.state import NOBODY
from games.rules.protocol import Event
from games.rules.words import Translate, gettext_noop, untranslated

Names = Sequence[str]
Wording = tuple[str, dict[str, object]]


def say(event: Event, names: Names, translate: Translate = untranslated) -> str:
    """Describe the event in a sentence, or return "" if it needs none. Works with what `seen` has removed."""
    worder = _WORDS.get(type(event))
    if worder is None:
        return ""
    template, values = worder(event, names)
    return translate(template).format(**values) if template else ""


def named(cards: Iterable[str]) -> str:
    """Join the names of the cards with commas."""
    return ", ".join(card(one).name for one in cards)


def _dealt(event: e.Dealt, names: Names) -> Wording:
    values: dict[str, object] = {"player": names[event.first], "cards": named(event.flop)}
    if event.deal:
        return gettext_noop(
            "The kingdoms are equally strong, so the cards are dealt again. {player} goes first. The Flop: {cards}."
        ), values
    return gettext_noop("Everyone has five cards. {player} goes first. The Flop: {cards}."), values


def _of_seat(template: str) -> Callable[[Any, Names], Wording]:
    """Return a worder for events that name only a seat."""
    return lambda event, names: (template, {"player": names[event.seat]})


def _of_card(template: str) -> Callable[[Any, Names], Wording]:
    """Return a worder for events that name a seat and a card known to everyone."""
    return lambda event, names: (template, {"player": names[event.seat], "card": card(event.card).name})


def _of_two(hidden: str, known: str) -> Callable[[Any, Names], Wording]:
    """Return a worder for a card that passes between two players, named only for readers who may know it."""

    def word(event: Any, names: Names) -> Wording:
        values: dict[str, object] = {"player": names[event.seat], "other": names[event.other]}
        if not event.card:
            return hidden, values
        return known, {**values, "card": card(event.card).name}

    return word


def _flop(event: e.FlopTurned, names: Names) -> Wording:
    return gettext_noop("{card} is added to the Flop."), {"card": card(event.card).name}


def _reshuffled(event: e.Reshuffled, names: Names) -> Wording:
    return gettext_noop("The Burn pile is shuffled into a new Draw deck."), {}


def _drawn(event: e.CardDrawn, names: Names) -> Wording:
    if not event.card:
        return gettext_noop("{player} draws a card."), {"player": names[event.seat]}
    return _of_card(gettext_noop("{player} draws {card}."))(event, names)


def _bought(event: e.Bought, names: Names) -> Wording:
    return gettext_noop("{player} buys {taken} for {given}."), {
        "player": names[event.seat],
        "taken": named(event.take),
        "given": named(event.give),
    }


def _secret(event: e.SecretMoved, names: Names) -> Wording:
    values: dict[str, object] = {
        "player": names[event.seat],
        "other": names[event.other],
        "cards": named(event.cards),
        "tower": card(event.tower).name,
    }
    if not event.broken:
        return gettext_noop("Not-So-Secret Move: {player} shows {cards} and takes {tower} from {other}."), values
    template = gettext_noop(
        "Not-So-Secret Move: {player} shows {cards} and takes {tower} from {other}, which breaks {broken}."
    )
    return template, {**values, "broken": named(event.broken)}


def _epic(event: e.EpicMoved, names: Names) -> Wording:
    hero = card(event.card)
    values: dict[str, object] = {"player": names[event.seat], "hero": hero.name, "move": POWERS[hero.power or ""].name}
    if event.others and event.taken:
        values |= {"other": names[event.others[0]], "tower": card(event.taken).name}
        return gettext_noop("{player}'s {hero} storms: {other} loses {tower}."), values
    if event.others:
        values["others"] = ", ".join(names[other] for other in event.others)
        return gettext_noop("{player}'s {hero} takes tribute from {others}."), values
    if event.taken:
        values["card"] = card(event.taken).name
        return gettext_noop("{player}'s {hero} takes {card} from the Flop for free."), values
    return gettext_noop("{player}'s {hero} makes its move."), values


def _boss(event: e.BossPlayed, names: Names) -> Wording:
    return _BOSSES[card(event.card).power or ""], {"player": names[event.seat], "hero": card(event.card).name}


_BOSSES = {
    "strike": gettext_noop("{player} plays {hero} and may fight two battles this turn."),
    "infiltrate": gettext_noop("{player} plays {hero} to spy on a hand."),
    "walls": gettext_noop("{player} plays {hero} and may build one more Tower this turn."),
    "truce": gettext_noop("{player} plays {hero}: a Truce holds until {player}'s next turn."),
}


def _look(event: e.HandSeen, names: Names) -> Wording:
    return gettext_noop("{player} looks at {other}’s hand."), {
        "player": names[event.seat],
        "other": names[event.other],
    }


def _shown(event: e.HandShown, names: Names) -> Wording:
    if not event.cards:
        return gettext_noop("{player} hides their hand again."), {"player": names[event.seat]}
    return gettext_noop("{player} shows {cards}."), {"player": names[event.seat], "cards": named(event.cards)}


def _band(event: e.BandReached, names: Names) -> Wording:
    template = gettext_noop("{player}’s hand is worth {band} or more.") if event.announced else ""
    return template, {"player": names[event.seat], "band": event.band}


def _given(event: e.Given, names: Names) -> Wording:
    values: dict[str, object] = {"player": names[event.seat], "other": names[event.other], "n": event.count}
    if event.cards:
        return gettext_noop("{player} gives {other} {cards}."), {**values, "cards": named(event.cards)}
    if event.count == 1:
        return gettext_noop("{player} gives {other} a card."), values
    return gettext_noop("{player} gives {other} {n} cards."), values


# Battles


def _attack(event: e.AttackDeclared, names: Names) -> Wording:
    values: dict[str, object] = {"player": names[event.seat], "other": names[event.other], "n": event.count}
    if event.count == 1:
        return gettext_noop("{player} attacks {other} with one card."), values
    return gettext_noop("{player} attacks {other} with {n} cards."), values


def _protect(event: e.ProtectionChosen, names: Names) -> Wording:
    return _PROTECTIONS[event.mode], {"player": names[event.seat], "other": names[event.other]}


_PROTECTIONS = {
    "leave": gettext_noop("{player} leaves {other} to defend alone."),
    "with": gettext_noop("{player} defends together with {other}."),
    "for": gettext_noop("{player} defends for {other}."),
}


def _laid(event: e.TroopsLaid, names: Names) -> Wording:
    values: dict[str, object] = {"player": names[event.seat], "n": event.count}
    if not event.count:
        return gettext_noop("{player} lays no troops."), values
    if event.count == 1:
        return gettext_noop("{player} lays one card."), values
    return gettext_noop("{player} lays {n} cards."), values


def _revealed(event: e.TroopsRevealed, names: Names) -> Wording:
    laid = [f"{names[seat]} – {named(cards)}" for seat, cards in zip(event.seats, event.hands, strict=True) if cards]
    values: dict[str, object] = {
        "laid": "; ".join(laid),
        "attack": event.attack,
        "defence": event.defence,
        "wall": event.wall,
    }
    if event.wall:
        template = gettext_noop(
            "The troops: {laid}. {attack} against {defence}, including {wall} for the Castle’s wall."
        )
        return template, values
        return gettext_noop("The troops: {laid}. {attack} against {defence}, {wall} of it the Castle's wall."), values
    return gettext_noop("The troops: {laid}. {attack} against {defence}."), values


def _stopped(event: e.BattleStopped, names: Names) -> Wording:
    return gettext_noop("The battle is a tie, and {player} stops."), {"player": names[event.seat]}


def _battle(event: e.BattleEnded, names: Names) -> Wording:
    if event.winner == NOBODY:
        return gettext_noop("Nobody wins the battle. The troops are burned."), {}
    values: dict[str, object] = {"winner": names[event.winner], "cards": named(event.spoils)}
    if event.spoils:
        return gettext_noop("{winner} wins the battle and takes {cards}."), values
    return gettext_noop("{winner} wins the battle."), values


def _castle(event: e.CastleFallen, names: Names) -> Wording:
    return gettext_noop("{player}’s Castle falls to {other}."), {
        "player": names[event.seat],
        "other": names[event.other],
    }


def _ruler(event: e.RulerChanged, names: Names) -> Wording:
    if event.ruler == NOBODY:
        return gettext_noop("{player} is free again."), {"player": names[event.seat]}
    return gettext_noop("{player} is now ruled by {ruler}."), {
        "player": names[event.seat],
        "ruler": names[event.ruler],
    }


def _showdown(event: e.ShowdownBegun, names: Names) -> Wording:
    return gettext_noop("Only the cards in players’ hands are left. The Final Showdown begins."), {}


def _result(event: e.GameEnded, names: Names) -> Wording:
    winners = event.scoresheet.winners
    template = _ENDS[event.won_by] if len(winners) == 1 else _SHARED
    return template, {"winner": ", ".join(names[seat] for seat in winners)}


_SHARED = gettext_noop("The game is over: {winner} tie for the win, with equally rich hands and equally many Towers.")
_ENDS = {
    "empire": gettext_noop("The game is over: {winner} wins by building the Princess."),
    "value": gettext_noop("The game is over: {winner} wins with a hand worth 300."),
    "conquest": gettext_noop("The game is over: {winner} wins by ruling everyone."),
    "showdown": gettext_noop("The game is over: {winner} wins with the most Towers in their kingdom."),
    "quickplay": gettext_noop("The game is over: {winner} wins with the richest hand."),
}

_WORDS: dict[type, Callable[[Any, Names], Wording]] = {
    e.Dealt: _dealt,
    e.Reshuffled: _reshuffled,
    e.FlopTurned: _flop,
    e.HeroTurned: _of_card(gettext_noop("{player} turns over {card} and keeps it.")),
    e.CardDrawn: _drawn,
    e.FlopDrawn: _of_card(gettext_noop("{player} takes {card} from the Flop.")),
    e.CardBurned: _of_card(gettext_noop("{player} burns {card}.")),
    e.Bought: _bought,
    e.TowerBuilt: _of_card(gettext_noop("{player} builds {card}.")),
    e.TowerPickedUp: _of_card(gettext_noop("{player} takes {card} back into their hand.")),
    e.CardPicked: _of_two(
        gettext_noop("{player} takes a random card from {other}’s hand."),
        gettext_noop("{player} takes a random card from {other}’s hand: {card}."),
    ),
    e.TributeTaken: _of_two(
        gettext_noop("{other} pays a card to {player}."), gettext_noop("{other} pays {card} to {player}.")
    ),
    e.SecretMoved: _secret,
    e.EpicMoved: _epic,
    e.BossPlayed: _boss,
    e.HandSeen: _look,
    e.CardStolen: _of_two(
        gettext_noop("{player} takes a card from {other}."), gettext_noop("{player} takes {card} from {other}.")
    ),
    e.HeroRecovered: _of_card(gettext_noop("{player} takes {card} from the Burn pile.")),
    e.HandShown: _shown,
    e.BandReached: _band,
    e.Given: _given,
    e.AttackDeclared: _attack,
    e.ProtectionChosen: _protect,
    e.TroopsLaid: _laid,
    e.TroopsRevealed: _revealed,
    e.BattleStopped: _stopped,
    e.BattleEnded: _battle,
    e.TowerLost: _of_card(gettext_noop("{player} loses {card}.")),
    e.CastleFallen: _castle,
    e.RulerChanged: _ruler,
    e.TurnEnded: _of_seat(gettext_noop("{player} ends their turn.")),
    e.ShowdownBegun: _showdown,
    e.ShowdownTurn: _of_seat(gettext_noop("{player} must attack.")),
    e.GameEnded: _result,
}
