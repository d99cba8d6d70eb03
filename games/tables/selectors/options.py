"""The game and the chosen options of a table, in short words."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from django.utils.translation import gettext as _

from games.rules.protocol import OptionChoice, OptionField, Preset
from games.rules.registry import get

FEWEST = 2  # least options of a preset that is named in their place


class Played(Protocol):
    """A game, a full game, or the settings of a league or tournament."""

    @property
    def ruleset(self) -> str: ...

    @property
    def options(self) -> Mapping[str, Any]: ...


class Chosen(NamedTuple):
    """A chosen `option`, or a `preset` that replaces several, in short words."""

    kind: str
    id: str
    words: str


def short_name(slug: str) -> str:
    """Return the name of a game without that of its family."""
    return get(slug).name.rpartition(": ")[2]


def chosen(game: Played) -> list[Chosen]:
    """Return the options that differ from the defaults, in the ruleset's order, after the largest matching preset."""
    rules = get(game.ruleset)
    preset = _preset(rules.presets, game.options)
    covered = preset.options if preset else {}
    fields = [field for field in rules.option_fields() if field.name not in covered]
    said = [(field, _choice(field, game.options.get(field.name, field.usual))) for field in fields]
    named = [Chosen("preset", preset.slug, _(preset.label))] if preset else []
    return [*named, *(Chosen("option", field.name, _words(field, choice)) for field, choice in said if choice)]


def _preset(presets: tuple[Preset, ...], options: Mapping[str, object]) -> Preset | None:
    holding = [one for one in presets if len(one.options) >= FEWEST and one.options.items() <= options.items()]
    return max(holding, key=lambda one: len(one.options), default=None)


def _choice(field: OptionField, value: object) -> OptionChoice | None:
    """Return the chosen value unless it is the default."""
    return next((choice for choice in field.choices if choice.value == value != field.usual), None)


def _words(field: OptionField, choice: OptionChoice) -> str:
    if choice.short:
        return _(choice.short)
    return _(field.label) if field.kind == "yes-no" else f"{_(field.label)}: {_(choice.label)}"
