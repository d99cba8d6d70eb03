"""The options of a table as submitted in a form, for any ruleset, based only on its option fields and presets.

A page shows the options for one game, one number of players and one preset. The submitted form may name another game,
number or preset, and changed options too. Then the new preset applies, overridden by the options changed on the page,
so that nothing the player checked is lost without scripts.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from games.rules.protocol import IllegalAction, OptionField, Preset, Ruleset

PREFIX = "option_"  # of form fields
OWN = "own"  # the preset for custom options

Values = dict[str, bool | str]


class ShownOptions(msgspec.Struct, frozen=True):
    """The values that a page showed, sent back in a hidden field."""

    ruleset: str
    players: int
    preset: str
    values: Values

    def text(self) -> str:
        return msgspec.json.encode(self).decode()


class RequestedOptions(msgspec.Struct, frozen=True):
    """The requested options without the defaults, and their preset. `one_by_one`: the page keeps the options open."""

    preset: str
    options: Values
    one_by_one: bool = False


def shown(text: str, ruleset: Ruleset) -> ShownOptions | None:
    """Parse the values that the page showed; None if invalid."""
    try:
        options = msgspec.json.decode(text, type=ShownOptions)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError):
        return None
    return options if options.ruleset != ruleset.slug or options.players in ruleset.seat_counts else None


def offered(ruleset: Ruleset, players: int) -> list[OptionField]:
    """Return the options with more than one choice for this number of players."""
    return [field for field in ruleset.option_fields(players) if len(field.choices) > 1]


def usual(field: OptionField) -> bool | str:
    """Return the default value of an option."""
    values = [choice.value for choice in field.choices]
    return field.usual if field.usual in values else values[0]


def unusual(fields: Iterable[OptionField], values: Mapping[str, bool | str]) -> Values:
    """Return the values that differ from the defaults."""
    defaults = {field.name: usual(field) for field in fields}
    return {name: value for name, value in values.items() if value != defaults.get(name)}


def all_values(fields: Iterable[OptionField], options: Mapping[str, bool | str]) -> Values:
    """Return the value of every field, default or not."""
    return {field.name: options.get(field.name, usual(field)) for field in fields}


def requested(ruleset: Ruleset, players: int, data: Mapping[str, Any], begin_with: str = "") -> RequestedOptions:
    """Return what the form requests. `begin_with` is the preset to use if none was chosen yet."""
    before = shown(str(data.get("shown", "")), ruleset)
    preset, one_by_one = str(data.get("preset", "")), False
    if before is None:
        chosen = preset_options(ruleset, preset or begin_with) | _filled_in(ruleset.option_fields(), data)
    elif before.ruleset != ruleset.slug:
        kept = possible(ruleset, players, _filled_in(ruleset.option_fields(), data))
        chosen, preset = preset_options(ruleset, begin_with) | kept, ""
    else:
        # The options that the page showed, or those of a newly chosen preset, and what was changed on the page
        fields = [field for field in ruleset.option_fields(before.players) if field.name in before.values]
        unchecked: Values = {field.name: False for field in fields if field.kind == "yes-no"}
        submitted = unchecked | _filled_in(fields, data)
        changed = {name: value for name, value in submitted.items() if value != before.values[name]}
        kept = before.values if preset in ("", OWN, before.preset) else preset_options(ruleset, preset)
        chosen, one_by_one = unusual(fields, kept) | changed, bool(changed)
    options = unusual(ruleset.option_fields(players), chosen)
    matching_preset = OWN if preset == OWN else preset_of(ruleset, players, options)
    return RequestedOptions(matching_preset, options, one_by_one=one_by_one or matching_preset == OWN)


def _filled_in(fields: Iterable[OptionField], data: Mapping[str, Any]) -> Values:
    """Return the options present in the form; unchecked boxes are absent."""
    values: Values = {}
    for field in fields:
        answer = data.get(PREFIX + field.name)
        if answer is not None:
            text = str(answer)
            values[field.name] = text in ("on", "true", "True") if field.kind == "yes-no" else text
    return values


def first_preset(ruleset: Ruleset) -> Preset | None:
    """Return the ruleset's preset for first games, if it has one."""
    return next((preset for preset in ruleset.presets if preset.is_for_first), None)


def preset_options(ruleset: Ruleset, slug: str) -> Values:
    return next((dict(preset.options) for preset in ruleset.presets if preset.slug == slug), {})


def preset_of(ruleset: Ruleset, players: int, options: Values) -> str:
    """Return the preset that matches these options, or `OWN`."""
    fields = ruleset.option_fields(players)
    matching = (preset.slug for preset in ruleset.presets if unusual(fields, preset.options) == options)
    return next(matching, OWN)


def possible(ruleset: Ruleset, players: int, options: Values) -> Values:
    """Return those options that are possible with this number of players."""
    answers = {field.name: [choice.value for choice in field.choices] for field in offered(ruleset, players)}
    return {name: value for name, value in options.items() if value in answers.get(name, ())}


def refusal(ruleset: Ruleset, players: int, options: Values) -> IllegalAction | None:
    """Return why the rules refuse these options, or None."""
    try:
        ruleset.options(options, players)
    except IllegalAction as refused:
        return refused
    return None


def culprit(ruleset: Ruleset, players: int, options: Values) -> str | None:
    """Return the option whose removal makes the rest legal, so that the page can show the refusal there."""
    for name in options:
        rest = {other: value for other, value in options.items() if other != name}
        if refusal(ruleset, players, rest) is None:
            return name
    return None
