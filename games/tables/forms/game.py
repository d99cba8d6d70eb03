"""The part of a form that describes the game: ruleset, number of players, options and clock. Also choices of seats."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.boundfield import BoundWidget
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.http import whole_number
from games.bots.registry import LEVELS
from games.rules.protocol import OptionField
from games.rules.registry import RULESETS
from games.tables.forms import options
from games.tables.forms.pace import PaceForm

LABELED = gettext_lazy("{label}: {text}")
STRENGTHS = tuple(
    (bot.slug, format_lazy(LABELED, label=gettext_lazy(bot.name), text=gettext_lazy(bot.sentence))) for bot in LEVELS
)
SEAT_CHOICES = (("", gettext_lazy("Free: someone can join")), (gettext_lazy("Bots"), STRENGTHS))
REPLY_CLOCKS = (
    (2, gettext_lazy("2 hours")), (6, gettext_lazy("6 hours")), (12, gettext_lazy("12 hours")),
    (24, gettext_lazy("1 day")), (48, gettext_lazy("2 days")),
)  # fmt: skip
USUAL_REPLY_CLOCK = 12
USUAL_GAME = next(iter(RULESETS))
GAMES = [(slug, gettext_lazy(ruleset.name)) for slug, ruleset in RULESETS.items()]
MOST_PLAYERS = max(max(ruleset.seat_counts) for ruleset in RULESETS.values())


def nearest(seat_counts: Sequence[int], wanted: int) -> int:
    """Return the possible number of players that is nearest to the wanted one."""
    return min(seat_counts, key=lambda n: (abs(n - wanted), n))


IsNewTo = Callable[[str], bool]


def to_nobody(ruleset: str) -> bool:
    """Return False: the default when nothing is known about the reader."""
    return False


def number_of(text: object) -> int:
    """Parse a number of players; 2 if the text is not a number."""
    number = whole_number(str(text), digits=3)
    return 2 if number is None else number


@dataclass(frozen=True)
class OptionRow:
    """An option on the page: its definition in the ruleset, its form field, and the label of the option it needs."""

    option: OptionField
    field: forms.BoundField
    needs: str


class GameForm(PaceForm):
    """Choose a game and its options. `unusual` is the number of options that differ from the rulebook."""

    ruleset = forms.ChoiceField(
        label=gettext_lazy("Game"),
        choices=GAMES,
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Choose a game."),
            "invalid_choice": gettext_lazy("We don’t have this game. Choose another."),
        },
    )
    players = forms.TypedChoiceField(
        label=gettext_lazy("Players"),
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose the number of players.")},
    )
    preset = forms.CharField(label=gettext_lazy("Rules"), required=False, widget=forms.RadioSelect)
    shown = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, Any], *, lenient: bool = False, is_new_to: IsNewTo = to_nobody) -> None:
        """Build the form. With `lenient`, options that are impossible with this number of players are dropped, not
        refused.

        `is_new_to` tells which games the reader has never finished; for those the preset for first games is filled in.
        """
        self.rules = RULESETS.get(str(data.get("ruleset")), RULESETS[USUAL_GAME])
        self.number = nearest(self.rules.seat_counts, number_of(data.get("players")))
        self.first = options.first_preset(self.rules) if is_new_to(self.rules.slug) else None
        begin_with = self.first.slug if self.first and lenient else ""
        requested = options.requested(self.rules, self.number, data, begin_with)
        possible = options.possible(self.rules, self.number, requested.options)
        self.options = possible if lenient else requested.options
        self.offered = options.offered(self.rules, self.number)
        self.unusual = len(options.unusual(self.offered, possible))
        self.one_by_one = requested.one_by_one
        # The submitted data, with the resulting options and preset
        values = options.all_values(self.offered, possible)
        shown = options.ShownOptions(self.rules.slug, self.number, requested.preset, values).text()
        filled_in = {name: data[name] for name in data if not name.startswith(options.PREFIX)}
        filled_in |= {options.PREFIX + name: value for name, value in values.items()}
        super().__init__(filled_in | {"preset": requested.preset, "shown": shown})
        self._offer()

    def _offer(self) -> None:
        """Set the choices that this game offers."""
        players = self.fields["players"]
        assert isinstance(players, forms.ChoiceField)
        players.choices = [(n, n) for n in self.rules.seat_counts]
        players.error_messages["invalid_choice"] = _(
            "%(game)s can’t be played with that many players. Choose another number."
        ) % {"game": _(self.rules.name)}
        own = (options.OWN, _("Custom"))
        self.fields["preset"].widget.choices = [*((preset.slug, _(preset.label)) for preset in self.rules.presets), own]
        for option in self.offered:  # the fields accept any value, because the ruleset refuses with its own sentence
            name, label, sentence = options.PREFIX + option.name, _(option.label), _(option.sentence)
            if option.kind == "yes-no":
                self.fields[name] = forms.BooleanField(label=label, help_text=sentence, required=False)
                continue
            radios = forms.RadioSelect(choices=[(str(choice.value), _(choice.label)) for choice in option.choices])
            self.fields[name] = forms.CharField(label=label, help_text=sentence, required=False, widget=radios)

    def option_rows(self) -> Iterator[OptionRow]:
        labels = {option.name: option.label for option in self.offered}
        for option in self.offered:
            needs = _(labels[option.needs]) if option.needs in labels else ""
            yield OptionRow(option, self[options.PREFIX + option.name], needs)

    @property
    def first_label(self) -> str:
        """The label of the preset for first games."""
        return _(self.first.label) if self.first else ""

    @property
    def shows_options(self) -> bool:
        """Whether the single options are open: while being chosen, or when one is refused."""
        return self.one_by_one or any(name.startswith(options.PREFIX) for name in self.errors)

    def presets(self) -> Iterator[tuple[BoundWidget, str]]:
        """Return the presets to choose from, each with its explanation."""
        sentences = (*(_(preset.sentence) for preset in self.rules.presets), _("Choose each option below."))
        return zip(self["preset"], sentences, strict=True)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "ruleset" in cleaned and "players" in cleaned:
            refused = options.refusal(self.rules, self.number, self.options)
            if refused is not None:  # shown at the option that it is about
                name = options.PREFIX + str(options.culprit(self.rules, self.number, self.options))
                self.add_error(name if name in self.fields else None, refused.say(_))
        return cleaned
