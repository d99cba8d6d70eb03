"""The options of a table as somebody fills them in, for any ruleset: from its option fields and its presets alone.

A page shows the options of one game and one number of players, under one preset. What comes back may name another game,
another number or another preset, and options changed besides. Then the preset that was changed to counts, and what was
changed on the page counts over it: so that without scripts nothing is lost that somebody has ticked.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from games.rules.protocol import IllegalAction, OptionField, Preset, Ruleset

PREFIX = "option_"  # of the fields of the form
OWN = "own"  # the preset of those who choose for themselves

Values = dict[str, bool | str]


class Shown(msgspec.Struct, frozen=True):
    """What a page has shown: it comes back hidden in the form."""

    ruleset: str
    players: int
    preset: str
    values: Values

    def text(self) -> str:
        return msgspec.json.encode(self).decode()


class Wish(msgspec.Struct, frozen=True):
    """The options that somebody wants, those left out that are as usual, and the preset that they come under.

    `one_by_one`: they are being chosen singly, so that the single options are to stay in sight.
    """

    preset: str
    options: Values
    one_by_one: bool = False


def shown(text: str, ruleset: Ruleset) -> Shown | None:
    """What the page had shown, as it came back; nothing where that is nonsense."""
    try:
        found = msgspec.json.decode(text, type=Shown)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError):
        return None
    return found if found.ruleset != ruleset.slug or found.players in ruleset.seat_counts else None


def offered(ruleset: Ruleset, players: int) -> list[OptionField]:
    """The options in which there is something to choose with so many players."""
    return [field for field in ruleset.option_fields(players) if len(field.choices) > 1]


def usual(field: OptionField) -> bool | str:
    """The value that a table has whose opener chooses nothing."""
    values = [choice.value for choice in field.choices]
    return field.usual if field.usual in values else values[0]


def unusual(fields: Iterable[OptionField], values: Mapping[str, bool | str]) -> Values:
    """The values that are a choice."""
    standing = {field.name: usual(field) for field in fields}
    return {name: value for name, value in values.items() if value != standing.get(name)}


def all_values(fields: Iterable[OptionField], options: Mapping[str, bool | str]) -> Values:
    """What stands in each field."""
    return {field.name: options.get(field.name, usual(field)) for field in fields}


def wish(ruleset: Ruleset, players: int, data: Mapping[str, Any], begin_with: str = "") -> Wish:
    """What the form asks for. `begin_with` is the preset of a game for which none was chosen yet."""
    before = shown(str(data.get("shown", "")), ruleset)
    preset, ticked = str(data.get("preset", "")), False
    if before is None:
        chosen = preset_options(ruleset, preset or begin_with) | _filled_in(ruleset.option_fields(), data)
    elif before.ruleset != ruleset.slug:
        kept = possible(ruleset, players, _filled_in(ruleset.option_fields(), data))
        chosen, preset = preset_options(ruleset, begin_with) | kept, ""
    else:
        changed = _changed(ruleset, before, data)
        chosen, ticked = _kept(ruleset, before, preset) | changed, bool(changed)
    options = unusual(ruleset.option_fields(players), chosen)
    found = OWN if preset == OWN else preset_of(ruleset, players, options)
    return Wish(found, options, one_by_one=ticked or found == OWN)


def _filled_in(fields: Iterable[OptionField], data: Mapping[str, Any]) -> Values:
    """The options that the form names; a box that is not ticked is not named."""
    named = {field: data.get(PREFIX + field.name) for field in fields}
    return {
        field.name: _answer(field, str(answer)) for field, answer in named.items() if answer is not None
    }  # fmt: skip


def _answer(field: OptionField, answer: str) -> bool | str:
    return answer in ("on", "true", "True") if field.kind == "yes-no" else answer


def _changed(ruleset: Ruleset, before: Shown, data: Mapping[str, Any]) -> Values:
    """The options that were changed on the page."""
    fields = _shown_fields(ruleset, before)
    unticked: Values = {field.name: False for field in fields if field.kind == "yes-no"}
    now = unticked | _filled_in(fields, data)
    return {name: value for name, value in now.items() if value != before.values[name]}


def _kept(ruleset: Ruleset, before: Shown, preset: str) -> Values:
    """What the page showed, or the preset that was changed to."""
    kept = before.values if preset in ("", OWN, before.preset) else preset_options(ruleset, preset)
    return unusual(_shown_fields(ruleset, before), kept)


def _shown_fields(ruleset: Ruleset, before: Shown) -> list[OptionField]:
    return [field for field in ruleset.option_fields(before.players) if field.name in before.values]


def first_preset(ruleset: Ruleset) -> Preset | None:
    """What the ruleset has for somebody who plays it for the first time."""
    return next((preset for preset in ruleset.presets if preset.is_for_first), None)


def preset_options(ruleset: Ruleset, slug: str) -> Values:
    return next((dict(preset.options) for preset in ruleset.presets if preset.slug == slug), {})


def preset_of(ruleset: Ruleset, players: int, options: Values) -> str:
    """The preset that these options are, or that they are somebody's own."""
    fields = ruleset.option_fields(players)
    matching = (preset.slug for preset in ruleset.presets if unusual(fields, preset.options) == options)
    return next(matching, OWN)


def possible(ruleset: Ruleset, players: int, options: Values) -> Values:
    """Those of the options that the game has with so many players."""
    answers = {field.name: [choice.value for choice in field.choices] for field in offered(ruleset, players)}
    return {name: value for name, value in options.items() if value in answers.get(name, ())}


def refusal(ruleset: Ruleset, players: int, options: Values) -> IllegalAction | None:
    """Why a table cannot be played so, if it cannot."""
    try:
        ruleset.options(options, players)
    except IllegalAction as refused:
        return refused
    return None


def culprit(ruleset: Ruleset, players: int, options: Values) -> str | None:
    """The option without which the others could be played, so that the refusal can stand beside it."""
    for name in options:
        rest = {other: value for other, value in options.items() if other != name}
        if refusal(ruleset, players, rest) is None:
            return name
    return None
