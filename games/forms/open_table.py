"""A new table: which game, how many players, with which options, who sits where, how fast."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.boundfield import BoundWidget
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms import options
from games.forms.pace import USUAL_PACE, PaceForm
from games.forms.seats import (
    GAMES,
    MOST_PLAYERS,
    REPLY_CLOCKS,
    SEAT_CHOICES,
    USUAL_GAME,
    USUAL_REPLY_CLOCK,
    IsNewTo,
    nearest,
    to_nobody,
)
from games.models import TimeOut
from games.rules.protocol import OptionField
from games.rules.registry import RULESETS

USUAL = {
    "ruleset": USUAL_GAME, "players": "2", "listed": "yes", "full": "no", "reply_hours": str(USUAL_REPLY_CLOCK),
    **USUAL_PACE,
}  # fmt: skip
USUAL_TABLES: dict[str, dict[str, str]] = {
    "bot": {"players": "2", "seat_1": "greedy", "listed": "no"},
    "friends": {"players": "3", "listed": "no"},
}
YES_OR_NO = {
    "required": gettext_lazy("Choose one of the two."),
    "invalid_choice": gettext_lazy("Choose one of the two."),
}


@dataclass(frozen=True)
class OptionRow:
    """An option on the page: what the ruleset says of it, its field, and the label of the option that it needs."""

    option: OptionField
    field: forms.BoundField
    needs: str


class OpenTableForm(PaceForm):
    """Seats count from 0, which is the opener's; those beyond the number of players do not matter.

    `unusual` is how many options are not as the rulebook has them.
    """

    ruleset = forms.ChoiceField(
        label=gettext_lazy("Game"),
        choices=GAMES,
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Choose a game."),
            "invalid_choice": gettext_lazy("We do not have this game."),
        },
    )
    players = forms.TypedChoiceField(
        label=gettext_lazy("Players"),
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Say how many play.")},
    )
    preset = forms.CharField(label=gettext_lazy("Rules"), required=False, widget=forms.RadioSelect)
    shown = forms.CharField(required=False, widget=forms.HiddenInput)
    reply_hours = forms.TypedChoiceField(
        label=gettext_lazy("Time for each answer"),
        choices=REPLY_CLOCKS,
        coerce=int,
        required=False,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "For who is asked in somebody else’s turn and has left no standing order. It is never longer than a turn."
        ),
        error_messages={"invalid_choice": gettext_lazy("Choose one of these times.")},
    )
    listed = forms.TypedChoiceField(
        label=gettext_lazy("Who may join"),
        choices=[
            ("yes", gettext_lazy("Anybody: the table stands in the lobby, and others may watch")),
            ("no", gettext_lazy("Only those I send the link to")),
        ],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        error_messages={**YES_OR_NO, "required": gettext_lazy("Say who may join.")},
    )
    full = forms.TypedChoiceField(
        label=gettext_lazy("Length"),
        choices=[
            ("no", gettext_lazy("A single game")),
            ("yes", gettext_lazy("A full game: three in a row, the sum of points wins")),
        ],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        error_messages={**YES_OR_NO, "required": gettext_lazy("Say how long you want to play.")},
    )
    unrated = forms.BooleanField(
        label=gettext_lazy("Just for fun: it changes nobody’s rating"),
        required=False,
        help_text=gettext_lazy("Tables with a guest, or with one person and bots, are never rated."),
    )

    def __init__(self, data: Mapping[str, Any], *, lenient: bool = False, is_new_to: IsNewTo = to_nobody) -> None:
        """`lenient`: what the game cannot have with so many players is left out, not refused.

        `is_new_to` says to which games the reader is new; then the preset for first games is filled in.
        """
        self.rules = RULESETS.get(str(data.get("ruleset")), RULESETS[USUAL_GAME])
        self.number = nearest(self.rules.seat_counts, _number(data.get("players")))
        self.first = options.first_preset(self.rules) if is_new_to(self.rules.slug) else None
        begin_with = self.first.slug if self.first and lenient else ""
        wish = options.wish(self.rules, self.number, data, begin_with)
        possible = options.possible(self.rules, self.number, wish.options)
        self.options = possible if lenient else wish.options
        self.offered = options.offered(self.rules, self.number)
        self.unusual = len(options.unusual(self.offered, possible))
        self.one_by_one = wish.one_by_one
        super().__init__(_filled_in(data, self.offered, possible, wish.preset) | {"shown": self._shown(wish, possible)})
        self._offer()

    @classmethod
    def asked_for(cls, address: Mapping[str, Any], is_new_to: IsNewTo = to_nobody) -> "OpenTableForm":
        """The form as an address fills it in: as usual, but for what it names."""
        data = {**USUAL, **USUAL_TABLES.get(address.get("for", ""), {}), **{name: address[name] for name in address}}
        rules = RULESETS.get(data["ruleset"], RULESETS[USUAL_GAME])
        number = nearest(rules.seat_counts, _number(data["players"]))
        return cls({**data, "ruleset": rules.slug, "players": str(number)}, lenient=True, is_new_to=is_new_to)

    def _shown(self, wish: options.Wish, possible: options.Values) -> str:
        values = options.all_values(self.offered, possible)
        return options.Shown(self.rules.slug, self.number, wish.preset, values).text()

    def _offer(self) -> None:
        """The choices that this game has."""
        players = self.fields["players"]
        assert isinstance(players, forms.ChoiceField)
        players.choices = [(n, n) for n in self.rules.seat_counts]
        players.error_messages["invalid_choice"] = _("%(game)s is not for so many players.") % {"game": self.rules.name}
        own = (options.OWN, _("My own choice"))
        self.fields["preset"].widget.choices = [*((one.slug, _(one.label)) for one in self.rules.presets), own]
        for option in self.offered:
            self.fields[options.PREFIX + option.name] = _field(option)
        for seat in range(1, MOST_PLAYERS):
            self.fields[f"seat_{seat}"] = forms.ChoiceField(
                label=_("Seat %(seat)d") % {"seat": seat + 1},
                choices=SEAT_CHOICES,
                required=False,
                error_messages={"invalid_choice": _("A seat is open or has one of our bots.")},
            )

    def seats(self) -> list[tuple[int, forms.BoundField]]:
        """The other seats with their numbers."""
        return [(seat, self[f"seat_{seat}"]) for seat in range(1, MOST_PLAYERS)]

    def option_rows(self) -> Iterator[OptionRow]:
        labels = {option.name: option.label for option in self.offered}
        for option in self.offered:
            needs = _(labels[option.needs]) if option.needs in labels else ""
            yield OptionRow(option, self[options.PREFIX + option.name], needs)

    @property
    def first_label(self) -> str:
        """What the preset for first games is called."""
        return _(self.first.label) if self.first else ""

    @property
    def has_replies(self) -> bool:
        """Whether somebody can be asked in another's turn."""
        return bool(self.rules.order_fields())

    @property
    def shows_options(self) -> bool:
        """Whether the single options stand in sight: while they are being chosen, or where one of them is refused."""
        return self.one_by_one or any(name.startswith(options.PREFIX) for name in self.errors)

    def presets(self) -> Iterator[tuple[BoundWidget, str]]:
        """The presets to choose from, each with what it means."""
        sentences = (*(_(one.sentence) for one in self.rules.presets), _("As it is ticked below, one by one."))
        return zip(self["preset"], sentences, strict=True)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "ruleset" in cleaned and "players" in cleaned:
            self._check_options()
        return cleaned

    def _check_options(self) -> None:
        """The ruleset's own sentence, beside the option that it is about."""
        refused = options.refusal(self.rules, self.number, self.options)
        if refused is None:
            return
        name = options.PREFIX + str(options.culprit(self.rules, self.number, self.options))
        self.add_error(name if name in self.fields else None, refused.say(_))

    @property
    def bots(self) -> Sequence[str]:
        """The bots of the seats in play; they sit behind the people."""
        chosen = (self.cleaned_data[f"seat_{seat}"] for seat in range(1, self.cleaned_data["players"]))
        return [bot for bot in chosen if bot]

    def table(self) -> dict[str, Any]:
        """What `services.lobby.open_table` wants to know."""
        named = {name: self.cleaned_data[name] for name in ("ruleset", "players", "listed", "full")}
        late = {
            "time_out": self.cleaned_data["time_out"] or TimeOut.TURN,
            "reliability": self.cleaned_data["reliability"] or 0,
        }
        reply_hours = self.cleaned_data["reply_hours"] or USUAL_REPLY_CLOCK
        seats = {"bots": self.bots, "options": self.options}
        return {
            "rated": not self.cleaned_data["unrated"],
            **named,
            **late,
            **seats,
            "clock": self.clock,
            "reply_hours": reply_hours,
        }


def _number(text: object) -> int:
    """How many players are wanted; two where that is nonsense."""
    return int(str(text)) if str(text).isascii() and str(text).isdigit() and len(str(text)) < 4 else 2


def _field(option: OptionField) -> forms.Field:
    """What the ruleset refuses it refuses in its own words, so that these fields let everything pass."""
    label, sentence = _(option.label), _(option.sentence)
    if option.kind == "yes-no":
        return forms.BooleanField(label=label, help_text=sentence, required=False)
    choices = [(str(choice.value), _(choice.label)) for choice in option.choices]
    return forms.CharField(label=label, help_text=sentence, required=False, widget=forms.RadioSelect(choices=choices))


def _filled_in(
    data: Mapping[str, Any], offered: Sequence[OptionField], chosen: options.Values, preset: str
) -> dict[str, Any]:
    """What came in, with the options as they are now wanted."""
    rest = {name: data[name] for name in data if not name.startswith(options.PREFIX)}
    standing = {options.PREFIX + name: value for name, value in options.all_values(offered, chosen).items()}
    return {**rest, **standing, "preset": preset}
