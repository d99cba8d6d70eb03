"""The log in words: a sentence for each event worth telling, and the sentences of an entry.

Templates name what they need, such as {player}, {card} or {cards}; it is filled in from the fields of the event.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import card, card_name
from games.rules.kingdoms.state import NOBODY
from games.rules.protocol import Event
from games.rules.words import SEPARATOR, Translate, gettext_noop, listed, untranslated

Names = Sequence[str]

ALWAYS: dict[type, str] = {
    e.Reshuffled: gettext_noop("The Burn pile is shuffled into a new Draw deck."),
    e.FlopTurned: gettext_noop("{card} is added to the Flop."),
    e.HeroTurned: gettext_noop("{player} turns over {card} and keeps it."),
    e.FlopDrawn: gettext_noop("{player} takes {card} from the Flop."),
    e.CardBurned: gettext_noop("{player} burns {card}."),
    e.Bought: gettext_noop("{player} buys {taken} for {given}."),
    e.TowerBuilt: gettext_noop("{player} builds {card}."),
    e.TowerPickedUp: gettext_noop("{player} takes {card} back into their hand."),
    e.HandSeen: gettext_noop("{player} looks at {other}’s hand."),
    e.HeroRecovered: gettext_noop("{player} takes {card} from the Burn pile."),
    e.BattleStopped: gettext_noop("The battle is a tie, and {player} stops."),
    e.TowerLost: gettext_noop("{player} loses {card}."),
    e.CastleFallen: gettext_noop("{player}’s Castle falls to {other}."),
    e.TurnEnded: gettext_noop("{player} ends their turn."),
    e.ShowdownBegun: gettext_noop("Only the cards in players’ hands are left. The Final Showdown begins."),
    e.ShowdownTurn: gettext_noop("{player} must attack."),
}
# For readers who may not know the card, and for those who may.
HIDDEN_OR_KNOWN: dict[type, tuple[str, str]] = {
    e.CardDrawn: (gettext_noop("{player} draws a card."), gettext_noop("{player} draws {card}.")),
    e.CardPicked: (
        gettext_noop("{player} takes a random card from {other}’s hand."),
        gettext_noop("{player} takes a random card from {other}’s hand: {card}."),
    ),
    e.TributeTaken: (
        gettext_noop("{other} pays a card to {player}."),
        gettext_noop("{other} pays {card} to {player}."),
    ),
    e.CardStolen: (
        gettext_noop("{player} takes a card from {other}."),
        gettext_noop("{player} takes {card} from {other}."),
    ),
}
# For readers who may know the troops, and for others if it is one card or more.
TROOPS: dict[type, tuple[str, str, str]] = {
    e.AttackDeclared: (
        gettext_noop("{player} attacks {other} with {cards}."),
        gettext_noop("{player} attacks {other} with one card."),
        gettext_noop("{player} attacks {other} with {n} cards."),
    ),
    e.TroopsLaid: (
        gettext_noop("{player} plays {cards}."),
        gettext_noop("{player} plays one card."),
        gettext_noop("{player} plays {n} cards."),
    ),
}
CARDS_DRAWN = gettext_noop("{player} draws {n} cards.")
BOSSES = {
    "strike": gettext_noop("{player} plays {hero} and can fight two battles this turn."),
    "infiltrate": gettext_noop("{player} plays {hero} to spy on a hand."),
    "walls": gettext_noop("{player} plays {hero} and can build one more Tower this turn."),
    "truce": gettext_noop("{player} plays {hero}: a Truce holds until {player}’s next turn."),
}
PROTECTIONS = {
    "leave": gettext_noop("{player} leaves {other} to defend alone."),
    "with": gettext_noop("{player} defends together with {other}."),
    "for": gettext_noop("{player} defends for {other}."),
}
TIED = gettext_noop(
    "The game is over: {winner} tie for the win, with hands of equal value and the same number of Towers."
)
ENDS = {
    "empire": gettext_noop("The game is over: {winner} wins by building the Princess."),
    "value": gettext_noop("The game is over: {winner} wins with a hand worth 300."),
    "conquest": gettext_noop("The game is over: {winner} wins by ruling everyone."),
    "showdown": gettext_noop("The game is over: {winner} wins with the most Towers in their kingdom."),
    "quickplay": gettext_noop("The game is over: {winner} wins with the richest hand."),
}

# The words that templates use for fields with another name, and those that name a player, a card, or several cards
CALLED = {"seat": "player", "first": "player", "count": "n", "flop": "cards", "spoils": "cards"}
CALLED |= {"take": "taken", "give": "given"}
PLAYER_WORDS = ("player", "other", "winner", "ruler")
CARD_WORDS = ("card", "tower")
CARDS_WORDS = ("cards", "taken", "given", "broken")


def say(event: Event, names: Names, translate: Translate = untranslated) -> str:
    """Describe the event in a sentence, or return "" if it needs none. Works with what `seen` has removed."""
    kind = type(event)
    if kind in ALWAYS:
        template = ALWAYS[kind]
    elif kind in HIDDEN_OR_KNOWN:
        template = HIDDEN_OR_KNOWN[kind][bool(event.card)]
    elif kind in TROOPS and event.count:
        template = TROOPS[kind][0 if event.cards else 1 if event.count == 1 else 2]
    else:
        template = _battle_template(event) or _turn_template(event)
    return translate(template).format(**_values(event, names, translate)) if template else ""


def _turn_template(event: Event) -> str:
    """Return the template for an event outside battles, or ""."""
    match event:
        case e.Dealt(deal=0):
            return gettext_noop("Everyone has five cards. {player} goes first. The Flop: {cards}.")
        case e.Dealt():
            return gettext_noop(
                "The kingdoms are equally strong, so the cards are dealt again. {player} goes first. The Flop: {cards}."
            )
        case e.TowerStolen(broken=()):
            return gettext_noop("Not-So-Secret Move: {player} shows {cards} and takes {tower} from {other}.")
        case e.TowerStolen():
            return gettext_noop(
                "Not-So-Secret Move: {player} shows {cards} and takes {tower} from {other}, which breaks {broken}."
            )
        case e.EpicMoved(others=(), taken=""):
            return gettext_noop("{player}’s {hero} makes its move.")
        case e.EpicMoved(others=()):
            return gettext_noop("{player}’s {hero} takes {card} from the Flop for free.")
        case e.EpicMoved(taken=""):
            return gettext_noop("{player}’s {hero} takes tribute from {others}.")
        case e.EpicMoved():
            return gettext_noop("{player}’s {hero} storms: {other} loses {tower}.")
        case e.BossPlayed():
            return BOSSES[card(event.card).power or ""]
        case e.HandShown(cards=()):
            return gettext_noop("{player} no longer has to show any cards.")
        case e.HandShown():
            return gettext_noop("{player} shows {cards}.")
        case e.BandReached(announced=True):
            return gettext_noop("{player}’s hand is worth {band} or more.")
        case e.GameEnded():
            return ENDS[event.won_by] if len(event.scoresheet.winners) == 1 else TIED
    return ""


def _battle_template(event: Event) -> str:
    """Return the template for an event of a battle or for a gift, or ""."""
    match event:
        case e.Given(count=1, cards=()):
            return gettext_noop("{player} gives {other} a card.")
        case e.Given(cards=()):
            return gettext_noop("{player} gives {other} {n} cards.")
        case e.Given():
            return gettext_noop("{player} gives {other} {cards}.")
        case e.ProtectionChosen():
            return PROTECTIONS[event.mode]
        case e.TroopsLaid(count=0):
            return gettext_noop("{player} plays no troops.")
        case e.TroopsRevealed(wall=0):
            return gettext_noop("The troops: {laid}. {attack} against {defence}.")
        case e.TroopsRevealed():
            return gettext_noop(
                "The troops: {laid}. {attack} against {defence}, including {wall} for the Castle’s wall."
            )
        case e.BattleEnded() if event.winner == NOBODY:
            return gettext_noop("Nobody wins the battle. The troops are burned.")
        case e.BattleEnded(spoils=()):
            return gettext_noop("{winner} wins the battle.")
        case e.BattleEnded():
            return gettext_noop("{winner} wins the battle and takes {cards}.")
        case e.RulerChanged():
            free, ruled = gettext_noop("{player} is free again."), gettext_noop("{player} is now ruled by {ruler}.")
            return free if event.ruler == NOBODY else ruled
    return ""


def _values(event: Event, names: Names, translate: Translate) -> dict[str, object]:
    """Return what the template of the event may name."""
    values: dict[str, object] = {}
    match event:
        case e.EpicMoved(seat, card_id, others, taken):
            values |= {"player": names[seat], "hero": card_name(card_id, translate)}
            values["other"] = values["others"] = listed([names[other] for other in others], translate)
            values["card"] = values["tower"] = card_name(taken, translate) if taken else ""
            return values
        case e.BossPlayed(seat, card_id):
            return {"player": names[seat], "hero": card_name(card_id, translate)}
        case e.TroopsRevealed(seats, hands, attack, defence, wall):
            pairs = zip(seats, hands, strict=True)
            laid = [f"{names[seat]} – {named(cards, translate)}" for seat, cards in pairs if cards]
            return {"laid": translate(SEPARATOR).join(laid), "attack": attack, "defence": defence, "wall": wall}
        case e.GameEnded():
            return {"winner": listed([names[seat] for seat in event.scoresheet.winners], translate)}
    for field in event.__struct_fields__:
        word, fact = CALLED.get(field, field), getattr(event, field)
        if word in PLAYER_WORDS:
            fact = names[fact]
        elif word in CARD_WORDS and fact:
            fact = card_name(fact, translate)
        elif word in CARDS_WORDS:
            fact = named(fact, translate)
        values[word] = fact
    return values


def named(cards: Iterable[str], translate: Translate = untranslated) -> str:
    """Join the names of the cards with commas."""
    return ", ".join(card_name(card_id, translate) for card_id in cards)


# The sentences of an entry


def tell(events: Sequence[Event], names: Names, translate: Translate = untranslated) -> list[str]:
    """Describe the events in sentences, if they need any. Cards drawn or turned over in a row share a sentence.

    If the last event begins a draw, as in an idea for a turn, the sentence says how many cards are drawn.
    """
    sentences: list[str] = []
    for _, run in groupby(events, _told_together):
        steps = list(run)
        template = ""
        match steps:
            case [e.FlopTurned(), _, *_]:
                template = gettext_noop("{cards} are added to the Flop.")
            case [e.DrawBegun(count=1) as begun] if begun is events[-1]:
                template = HIDDEN_OR_KNOWN[e.CardDrawn][0]
            case [e.DrawBegun() as begun] if begun is events[-1]:
                template = CARDS_DRAWN
            case [e.CardDrawn(card=""), _, *_]:
                template = CARDS_DRAWN
            case [e.CardDrawn(), _, *_]:
                template = gettext_noop("{player} draws {cards}.")
        if template:
            cards = named((step.card for step in steps if getattr(step, "card", "")), translate)
            values = {"cards": cards, "n": len(steps)} | _values(steps[0], names, translate)
            sentences.append(translate(template).format(**values))
        else:
            sentences += [say(event, names, translate) for event in steps]
    return [sentence for sentence in sentences if sentence]


def _told_together(event: Any) -> tuple[object, ...]:
    """Return a key that is equal for events told together."""
    if isinstance(event, e.CardDrawn):
        return e.CardDrawn, event.seat, bool(event.card)
    return (type(event),)
