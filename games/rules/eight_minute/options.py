"""The options of a game, and combinations that are refused. Labels and sentences are in data/options.toml."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from games.rules.eight_minute.edition import Edition, changed, edition, load
from games.rules.protocol import IllegalAction, OptionField, Preset, read_options
from games.rules.words import by_name, gettext_noop

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


FIELDS = read_options(load("options")["options"])
PRESETS = {preset.slug: preset for preset in msgspec.convert(load("options")["presets"], tuple[Preset, ...])}


@cache
def option_fields(name: str, players: int | None = None) -> tuple[OptionField, ...]:
    """Return the options of an edition, for a given number of players or for any."""
    rules = edition(name)
    fields = (_for_edition(rules, FIELDS[option]) for option in rules.options)
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
        sentence = gettext_noop("This game is for {fewest} to {most} players. Choose another number.")
        raise IllegalAction(sentence, fewest=min(rules.players), most=max(rules.players))
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
                option=by_name(field.label),
                other=by_name(FIELDS[field.needs].label),
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
        words = gettext_noop("{game} has no option “{option}”.")
        raise IllegalAction(words, game=by_name(rules.name), option=by_name(field.label))
    fitting = _for_players(_for_edition(rules, field), players)
    if not any(value == choice.value and type(value) is type(choice.value) for choice in fitting.choices):
        raise IllegalAction(
            gettext_noop("With {players} players, “{option}” can’t be “{value}”."),
            option=by_name(field.label),
            players=players,
            value=str(value)[:40],
        )


def shape(rules: Edition, options: Options, players: int) -> str:
    """Return the layout: the chosen one, or the default for the number of players."""
    return options.layout or rules.layouts[players - 2][0]


def rules_of(name: str, options: Options) -> Edition:
    """Return the edition of a name with the options applied to its data."""
    return edition(changed(name, options))
