"""The options of a game: labels, descriptions, and combinations that are refused (section 13)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from games.rules.protocol import IllegalAction, OptionChoice, OptionField, Preset
from games.rules.words import gettext_noop

STANDARD, QUICKPLAY = "standard", "quickplay"
FLOP, BURN, HAND, TROOPS, LOSER = "flop", "burn", "hand", "troops", "loser"
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
        """What the wall of a Castle without Towers adds to its defence (K24)."""
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


YES, NO = OptionChoice(True, gettext_noop("Yes")), OptionChoice(False, gettext_noop("No"))


def _switch(name: str, label: str, sentence: str, default: bool, short: str = "") -> OptionField:
    """Return a yes-or-no option. `short` describes "No" if the default is "Yes"."""
    choices = (YES, OptionChoice(False, NO.label, short=short)) if short else (YES, NO)
    return OptionField(name, label, sentence, choices, default)


def _choice(name: str, label: str, sentence: str, default: str, **choices: str | tuple[str, str]) -> OptionField:
    """Return an option with choices. Numbers are spelled `_3`; a choice is a label, or a label and a short form."""
    offered = []
    for value, words in choices.items():
        named, short = (words, "") if isinstance(words, str) else words
        offered.append(OptionChoice(value.removeprefix("_"), named, short=short))
    return OptionField(name, label, sentence, tuple(offered), default)


FIELDS = {
    field.name: field
    for field in (
        _choice(
            "mode",
            gettext_noop("Rounds"),
            gettext_noop("Play to a victory, or stop after three rounds in which everyone must attack at least once."),
            STANDARD,
            standard=gettext_noop("Until someone wins"),
            quickplay=(gettext_noop("Three rounds"), gettext_noop("three rounds")),
        ),
        _choice(
            "opening_truce",
            gettext_noop("Opening truce"),
            gettext_noop("How many rounds pass before anyone may attack."),
            USUAL,
            usual=gettext_noop("Two rounds with two or three players, otherwise one"),
            _0=(gettext_noop("None"), gettext_noop("no opening truce")),
            _1=(gettext_noop("One round"), gettext_noop("opening truce of one round")),
            _2=(gettext_noop("Two rounds"), gettext_noop("opening truce of two rounds")),
            _3=(gettext_noop("Three rounds"), gettext_noop("opening truce of three rounds")),
        ),
        _choice(
            "castle_wall",
            gettext_noop("Castle wall"),
            gettext_noop("What a Castle without Towers adds to its defense."),
            "3",
            _0=(gettext_noop("Nothing"), gettext_noop("no castle wall")),
            _1=gettext_noop("1"),
            _2=gettext_noop("2"),
            _3=gettext_noop("3"),
            _4=gettext_noop("4"),
            _5=gettext_noop("5"),
        ),
        _choice(
            "spoils",
            gettext_noop("Spoils"),
            gettext_noop("What the winner of a battle takes."),
            FLOP,
            flop=gettext_noop("The Flop; all troops are burned"),
            troops=(gettext_noop("All troops of both sides"), gettext_noop("all troops as spoils")),
            loser=(
                gettext_noop("The loser’s troops; the winner’s are burned"),
                gettext_noop("the loser’s troops as spoils"),
            ),
        ),
        _choice(
            "pay_to",
            gettext_noop("Cards used to pay"),
            gettext_noop("Where cards go when they pay for a purchase."),
            FLOP,
            flop=gettext_noop("Into the Flop"),
            burn=gettext_noop("To the Burn pile"),
        ),
        _choice(
            "broken_towers",
            gettext_noop("Broken Towers"),
            gettext_noop("Where the Towers go that were on top of one taken by a Not-So-Secret Move."),
            HAND,
            hand=gettext_noop("Back into their owner’s hand"),
            burn=gettext_noop("To the Burn pile"),
        ),
        _switch(
            "hold_two",
            gettext_noop("Conquests must hold"),
            gettext_noop("With two players, a conqueror wins only if the other player doesn’t revolt right away."),
            default=True,
            short=gettext_noop("a conquest wins at once"),
        ),
        _choice(
            "ties",
            gettext_noop("Tied battles"),
            gettext_noop("Whether the attacker may continue with new troops after a tie."),
            ASK,
            ask=gettext_noop("The attacker may continue"),
            stop=(gettext_noop("The battle stops"), gettext_noop("ties stop the battle")),
        ),
        _choice(
            "leave_princes",
            gettext_noop("Princes"),
            gettext_noop("How many Princes stay in each deck."),
            ALL,
            all=gettext_noop("All four"),
            _1=gettext_noop("One"),
            _2=gettext_noop("Two"),
            _3=gettext_noop("Three"),
        ),
        _choice(
            "leave_princesses",
            gettext_noop("Princesses"),
            gettext_noop("How many Princesses stay in each deck."),
            ALL,
            all=gettext_noop("All four"),
            _1=gettext_noop("One"),
            _2=gettext_noop("Two"),
            _3=gettext_noop("Three"),
        ),
        _switch(
            "collusion",
            gettext_noop("Collusion"),
            gettext_noop("Players may write to each other in private and give cards to their ruler or sub-kingdoms."),
            default=False,
        ),
    )
}
PRESETS = (
    Preset(
        "quickplay",
        gettext_noop("Three rounds"),
        gettext_noop("For a first game: three rounds, everyone attacks once, and the richest hand wins."),
        {"mode": QUICKPLAY},
        is_for_first=True,
    ),
    Preset(
        "rulebook",
        gettext_noop("As in the rulebook"),
        gettext_noop("Play until someone wins, without any variants."),
        {},
    ),
    Preset(
        "calm",
        gettext_noop("A calm game"),
        gettext_noop("Nobody attacks before the fourth round, and Castles are harder to take."),
        {"opening_truce": "3", "castle_wall": "5", "ties": STOP},
    ),
    Preset(
        "advanced",
        gettext_noop("Advanced"),
        gettext_noop("Two Princes and two Princesses in each deck, and collusion is allowed."),
        {"leave_princes": "2", "leave_princesses": "2", "collusion": True},
    ),
)
LONGEST_QUICK_TRUCE = 2


def fields(players: int | None = None) -> tuple[OptionField, ...]:
    """Return the options, for a given number of players or for any."""
    return tuple(FIELDS[name] for name in FIELDS if name != "hold_two" or players in (None, 2))


def chosen(data: Mapping[str, Any], players: int) -> Options:
    """Return the options in `data`. Raises `IllegalAction` if they are unknown or can't be combined."""
    if players not in SEAT_COUNTS:
        raise IllegalAction(gettext_noop("This game can’t be played with {players} players."), players=players)
    for name, value in data.items():
        field = FIELDS.get(name)
        if field is None:
            raise IllegalAction(gettext_noop("There is no option “{option}”."), option=name[:40])
        if not any(value == choice.value and type(value) is type(choice.value) for choice in field.choices):
            raise IllegalAction(
                gettext_noop("“{option}” can’t be “{value}”."), option=field.label, value=str(value)[:40]
            )
    options = msgspec.convert(dict(data), Options)
    if options.quick and options.truce_rounds(players) > LONGEST_QUICK_TRUCE:  # K96
        raise IllegalAction(
            gettext_noop("In three rounds, everyone must attack once, so the truce can last two rounds at most.")
        )
    return options
