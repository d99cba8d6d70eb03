"""The options of a game, and combinations that are refused (section 13). Their labels are in data/options.toml."""

from collections.abc import Mapping
from typing import Any

import msgspec

from games.rules.kingdoms.deck import load
from games.rules.protocol import IllegalAction, OptionField, Preset, read_options
from games.rules.words import by_name, gettext_noop

STANDARD, QUICKPLAY = "standard", "quickplay"
FLOP, BURN, HAND, TROOPS = "flop", "burn", "hand", "troops"
USUAL, ALL = "usual", "all"
ASK, STOP = "ask", "stop"
QUICK_ROUNDS = 3
SEAT_COUNTS = (2, 3, 4, 5, 6, 7, 8)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The chosen options as forms and records spell them; the properties convert them to numbers.

    `mode` standard | quickplay · `spoils` flop | troops | loser · `pay_to` flop | burn · `broken_towers` hand | burn ·
    `hold_two`: with two players, a conquest must hold for a turn (K41) · `ties` ask | stop: whether the attacker is
    asked to continue after a tie (section 21).
    """

    mode: str = STANDARD
    opening_truce: str = USUAL
    castle_wall: str = "3"
    spoils: str = FLOP
    pay_to: str = FLOP
    broken_towers: str = HAND
    hold_two: bool = True
    ties: str = ASK
    leave_princes: str = ALL
    leave_princesses: str = ALL
    collusion: bool = False

    @property
    def wall(self) -> int:
        """The value that the wall of a Castle without Towers adds to its defense (K24)."""
        return int(self.castle_wall)

    @property
    def quick(self) -> bool:
        """Whether the game ends after three rounds (K60)."""
        return self.mode == QUICKPLAY

    @property
    def princes(self) -> int | None:
        """How many Princes stay in each deck; None for all (K61)."""
        return None if self.leave_princes == ALL else int(self.leave_princes)

    @property
    def princesses(self) -> int | None:
        """How many Princesses stay in each deck; None for all (K61)."""
        return None if self.leave_princesses == ALL else int(self.leave_princesses)

    def truce_rounds(self, players: int) -> int:
        """Return the number of rounds before the first battle (K4)."""
        if self.opening_truce != USUAL:
            return int(self.opening_truce)
        return 2 if players <= 3 else 1


FIELDS = read_options(load("options")["options"])
PRESETS = msgspec.convert(load("options")["presets"], tuple[Preset, ...])
LONGEST_QUICK_TRUCE = 2


def fields(players: int | None = None) -> tuple[OptionField, ...]:
    """Return the options, for a given number of players or for any."""
    return tuple(FIELDS[name] for name in FIELDS if name != "hold_two" or players in (None, 2))


def chosen(data: Mapping[str, Any], players: int) -> Options:
    """Return the options in `data`. Raises `IllegalAction` if they are unknown or can't be combined."""
    if players not in SEAT_COUNTS:
        sentence = gettext_noop("This game is for {fewest} to {most} players. Choose another number.")
        raise IllegalAction(sentence, fewest=min(SEAT_COUNTS), most=max(SEAT_COUNTS))
    for name, value in data.items():
        field = FIELDS.get(name)
        if field is None:
            raise IllegalAction(gettext_noop("There is no option “{option}”."), option=name[:40])
        if not any(value == choice.value and type(value) is type(choice.value) for choice in field.choices):
            raise IllegalAction(
                gettext_noop("“{option}” can’t be “{value}”."), option=by_name(field.label), value=str(value)[:40]
            )
    options = msgspec.convert(dict(data), Options)
    if options.quick and options.truce_rounds(players) > LONGEST_QUICK_TRUCE:  # K96
        raise IllegalAction(
            gettext_noop(
                "In a three-round game, everyone must attack at least once, so the truce can last at most two rounds."
            )
        )
    return options
