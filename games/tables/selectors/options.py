"""What a table plays, in short words: the game and the options that its opener chose."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from django.utils.translation import gettext as _

from games.rules.protocol import OptionChoice, OptionField, Preset
from games.rules.registry import get

FEWEST = 2  # options that a preset must hold to be named in their place


class Played(Protocol):
    """A game, a full game, or what a league or a tournament declares."""

    @property
    def ruleset(self) -> str: ...

    @property
    def options(self) -> Mapping[str, Any]: ...


class Chosen(NamedTuple):
    """An `option`, or a `preset` that stands for several, in short words."""

    kind: str
    id: str
    words: str


def short_name(slug: str) -> str:
    """What players call a game: behind the name of its family, if it has one."""
    return get(slug).name.rpartition(": ")[2]


def chosen(game: Played) -> list[Chosen]:
    """The options that are not as usual, in the ruleset's order, the largest preset that holds first."""
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
    """The choice that was made, if it is one."""
    return next((choice for choice in field.choices if choice.value == value != field.usual), None)


def _words(field: OptionField, choice: OptionChoice) -> str:
    if choice.short:
        return _(choice.short)
    return _(field.label) if field.kind == "yes-no" else f"{_(field.label)}: {_(choice.label)}"
