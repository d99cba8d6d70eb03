"""The options of a game: labels, descriptions, and combinations that are refused."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from games.rules.eight_minute.edition import Edition, changed, edition
from games.rules.protocol import IllegalAction, OptionChoice, OptionField, Preset
from games.rules.words import gettext_noop

DRAWN, BY_HAND = "drawn", "by-hand"
BIDS = "bids"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The chosen options, for all editions.

    `setter` is the seat that sets up the game, drawn at random when null (R5). An empty `layout` means the edition's
    first one for the number of players.
    """

    setter: int | None = None
    layout: str = ""
    setup: str = DRAWN
    opening: str = BIDS
    ties: str = "age"
    explore: bool = False
    poison_swamp: bool = False
    citadels: bool = False
    dragon: str = "off"
    portals: bool = False
    rogues: bool = False
    seven_cards: bool = False
    leaders: bool = False
    merchants: bool = False
    side: str = "side-a"
    coal: str = "city"
    goods_tokens: bool = False


YES_NO = (OptionChoice(True, gettext_noop("Yes")), OptionChoice(False, gettext_noop("No")))


def _switch(name: str, label: str, sentence: str, needs: str = "") -> OptionField:
    return OptionField(name, label, sentence, YES_NO, False, needs)


def _choice(name: str, label: str, sentence: str, *choices: OptionChoice) -> OptionField:
    """Return an option whose default is its first choice."""
    return OptionField(name, label, sentence, choices, choices[0].value)


def _one(value: str, label: str, short: str = "") -> OptionChoice:
    return OptionChoice(value, label, short=short)


FIELDS = {
    field.name: field
    for field in (
        _choice(
            "layout",
            gettext_noop("Boards"),
            gettext_noop("How the boards are arranged."),
            _one("t", gettext_noop("A T around a central board")),
            _one("rectangle", gettext_noop("A rectangle: the islands form a loop"), gettext_noop("rectangle")),
            _one("l", gettext_noop("Three boards in an L"), gettext_noop("boards in an L")),
            _one("row", gettext_noop("Three boards in a row"), gettext_noop("boards in a row")),
        ),
        _choice(
            "setup",
            gettext_noop("Setup"),
            gettext_noop("Start playing immediately, or let one player first set up the map step by step."),
            _one("drawn", gettext_noop("At random")),
            _one("by-hand", gettext_noop("By hand"), gettext_noop("set up by hand")),
        ),
        _choice(
            "opening",
            gettext_noop("Who goes first"),
            gettext_noop("Bid coins to decide who goes first, or start immediately."),
            _one(BIDS, gettext_noop("The players bid for it")),
            _one(DRAWN, gettext_noop("A player drawn at random"), gettext_noop("no bids")),
        ),
        OptionField(
            "ties",
            gettext_noop("Tied bids"),
            gettext_noop("Who wins the bidding if the highest bids are tied."),
            (
                _one("die", gettext_noop("The highest roll of a die")),
                _one("age", gettext_noop("The youngest player"), gettext_noop("ties by age")),
            ),
            default="age",
            new="die",
        ),
        _switch(
            "explore",
            gettext_noop("Explore tokens"),
            gettext_noop("The first player to build a city in a region with a token gains its benefit."),
        ),
        _switch(
            "poison_swamp",
            gettext_noop("Poison Swamp"),
            gettext_noop(
                "Explore tokens are placed face down, and one of them is a swamp that costs a point. A player who "
                "controls a region knows its token."
            ),
            needs="explore",
        ),
        _switch(
            "citadels",
            gettext_noop("Citadel tokens"),
            gettext_noop("Three regions are worth one more point to the player who controls them at the end."),
        ),
        _choice(
            "dragon",
            gettext_noop("Rampaging Dragon"),
            gettext_noop(
                "The player whose army is the sixth (or seventh) in the dragon’s region slays it for two points."
            ),
            _one("off", gettext_noop("No dragon")),
            _one("6", gettext_noop("Slain by the sixth army"), gettext_noop("Dragon (6th army)")),
            _one("7", gettext_noop("Slain by the seventh army"), gettext_noop("Dragon (7th army)")),
        ),
        _switch(
            "portals",
            gettext_noop("Magic Portals"),
            gettext_noop("Armies can move between the two regions with portals as if they were neighbors."),
        ),
        _switch(
            "rogues",
            gettext_noop("Band of Rogues"),
            gettext_noop("Each army that moves into the rogues’ region costs its owner a coin."),
        ),
        _switch(
            "seven_cards",
            gettext_noop("Seven Card Row"),
            gettext_noop("The row has a seventh card, which costs three coins."),
        ),
        _switch(
            "leaders",
            gettext_noop("Leaders"),
            gettext_noop("Each player is dealt a leader with unique powers."),
        ),
        _switch(
            "merchants",
            gettext_noop("Merchant Towns"),
            gettext_noop("On each board, two coins wait in one region for the player who builds the first city there."),
        ),
        _choice(
            "side",
            gettext_noop("Board"),
            gettext_noop("Which side of the board is used."),
            _one("side-a", gettext_noop("Four continents")),
            _one("side-b", gettext_noop("Five continents"), gettext_noop("five continents")),
        ),
        _choice(
            "coal",
            gettext_noop("Coal card"),
            gettext_noop("What one of the coal cards does. The two printings differ."),
            _one("city", gettext_noop("Place two armies or build a city")),
            _one("place", gettext_noop("Place two armies"), gettext_noop("coal places two")),
        ),
        _switch(
            "goods_tokens",
            gettext_noop("Goods tokens"),
            gettext_noop("Five regions hold a good that counts for the player who controls them at the end."),
        ),
    )
}
FIRST_GAME = Preset(
    "first-game",
    gettext_noop("A first game"),
    gettext_noop("Without bids: a player drawn at random goes first. Everything else is as in the rulebook."),
    {"opening": DRAWN},
    is_for_first=True,
)
RULEBOOK = Preset(
    "rulebook",
    gettext_noop("As in the rulebook"),
    gettext_noop("The game without any variants. A die decides ties between bids."),
    {},
)
PRESETS = {
    "legends": (
        FIRST_GAME,
        RULEBOOK,
        Preset(
            "house-rules",
            gettext_noop("House rules"),
            gettext_noop("The rulebook game plus a dragon slain by the seventh army."),
            {"dragon": "7"},
        ),
        Preset(
            "everything",
            gettext_noop("Everything at once"),
            gettext_noop("All tokens, leaders, merchant towns and the seventh card."),
            {
                **dict.fromkeys(
                    ("explore", "poison_swamp", "citadels", "portals", "rogues", "seven_cards", "leaders", "merchants"),
                    True,
                ),
                "dragon": "6",
            },
        ),
    ),
    "prototype": (
        FIRST_GAME,
        RULEBOOK,
        Preset(
            "stretch-goals",
            gettext_noop("With tokens"),
            gettext_noop("With the explore and citadel tokens."),
            {"explore": True, "citadels": True},
        ),
    ),
    "classic": (
        FIRST_GAME,
        RULEBOOK,
        Preset(
            "goods",
            gettext_noop("With goods tokens"),
            gettext_noop("Five regions hold goods for the players who control them."),
            {"goods_tokens": True},
        ),
    ),
}


@cache
def option_fields(slug: str, players: int | None = None) -> tuple[OptionField, ...]:
    """Return the options of an edition, for a given number of players or for any."""
    rules = edition(slug)
    fields = (_for_edition(rules, FIELDS[name]) for name in rules.options)
    return tuple(fields) if players is None else tuple(_for_players(field, players) for field in fields)


def _for_edition(rules: Edition, field: OptionField) -> OptionField:
    """Return the option with the choices this edition has. The default layout depends on the number of players."""
    if field.name != "layout":
        return field
    tables = list(zip(rules.players, rules.layouts, strict=True))
    fitting = {choice.value: tuple(n for n, shapes in tables if choice.value in shapes) for choice in field.choices}
    choices = tuple(
        msgspec.structs.replace(choice, players=fitting[choice.value])
        for choice in field.choices
        if fitting[choice.value]
    )
    return msgspec.structs.replace(field, choices=choices, default="")


def _for_players(field: OptionField, players: int) -> OptionField:
    choices = tuple(choice for choice in field.choices if not choice.players or players in choice.players)
    return msgspec.structs.replace(field, choices=choices)


def chosen(rules: Edition, data: Mapping[str, Any], players: int) -> Options:
    """Return the options in `data`. Raises `IllegalAction` if they are unknown or can't be combined."""
    if players not in rules.players:
        raise IllegalAction(gettext_noop("This game can’t be played with {players} players."), players=players)
    for name, value in data.items():
        if name != "setter":
            _check_choice(rules, name, value, players)
    try:
        options = msgspec.convert(dict(data), Options)
    except msgspec.ValidationError as wrong:
        raise IllegalAction(gettext_noop("These options can’t be used: {reason}."), reason=wrong) from None
    if options.setter is not None and options.setter not in range(players):
        raise IllegalAction(gettext_noop("There is no seat {seat} in this game."), seat=options.setter)
    for field in FIELDS.values():
        if field.needs and getattr(options, field.name) and not getattr(options, field.needs):
            raise IllegalAction(
                gettext_noop("“{option}” can only be used with “{other}”."),
                option=field.label,
                other=FIELDS[field.needs].label,
            )
    if options.setup == BY_HAND and rules.start_rule == "printed" and players > 2:
        raise IllegalAction(
            gettext_noop(
                "In this game, only the third color is set up by hand, and it takes part only with two players."
            )
        )
    return options


def _check_choice(rules: Edition, name: str, value: object, players: int) -> None:
    """Raise `IllegalAction` unless this edition has the option and the value. Default values always pass."""
    field = FIELDS.get(name)
    if field is None:
        raise IllegalAction(gettext_noop("There is no option “{option}”."), option=name[:40])
    if value == getattr(Options(), name) and type(value) is type(field.default):
        return
    if name not in rules.options:
        raise IllegalAction(gettext_noop("{game} has no option “{option}”."), game=rules.name, option=field.label)
    fitting = _for_players(_for_edition(rules, field), players)
    if not any(value == choice.value and type(value) is type(choice.value) for choice in fitting.choices):
        raise IllegalAction(
            gettext_noop("With {players} players, “{option}” can’t be “{value}”."),
            option=field.label,
            players=players,
            value=str(value)[:40],
        )


def shape(rules: Edition, options: Options, players: int) -> str:
    """Return the layout: the chosen one, or the default for the number of players."""
    return options.layout or rules.layouts[players - 2][0]


def rules_of(slug: str, options: Options) -> Edition:
    """Return the edition with the options applied to its data."""
    return edition(changed(slug, options))
