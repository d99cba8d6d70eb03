"""The part of the form for a new table that is about time: the clock, and what happens to late players.

A clock is either one of the offered ones, named by its text, or a custom one, built from typed times.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundWidget
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.clocks.clock import HOURS_A_DAY, LONGEST, Clock, IllegalClock, each_move, parse, text
from games.tables.models import TimeOut
from games.tables.models.game import USUAL_CLOCK

OTHER_MOVE, OTHER_BANK = "other-move", "other-bank"
MOVES = (
    ("move 12h", gettext_lazy("12 hours")),
    ("move 1d", gettext_lazy("1 day")),
    ("move 2d", gettext_lazy("2 days")),
    ("move 3d", gettext_lazy("3 days")),
    ("move 7d", gettext_lazy("7 days")),
    (OTHER_MOVE, gettext_lazy("Custom time")),
)
BANKS = (
    ("bank 2d +8h cap 3d", gettext_lazy("2 days, +8 hours per turn, at most 3 days")),
    ("bank 5d +12h cap 7d", gettext_lazy("5 days, +12 hours per turn, at most 7 days")),
    ("bank 10d +1d cap 14d", gettext_lazy("10 days, +1 day per turn, at most 14 days")),
    (OTHER_BANK, gettext_lazy("Custom time bank")),
)
CLOCKS = (*MOVES[:-1], *BANKS[:-1])  # those without typed times
UNITS = (("h", gettext_lazy("hours")), ("d", gettext_lazy("days")))
HOURS = {"h": 1, "d": HOURS_A_DAY}
TIMES = {
    "move_time": gettext_lazy("Time per turn"),
    "bank_start": gettext_lazy("Starting time"),
    "bank_adds": gettext_lazy("Added per turn"),
    "bank_cap": gettext_lazy("Maximum"),
}
BANK_TIMES = ("bank_start", "bank_adds", "bank_cap")
RELIABILITIES = (
    (0, gettext_lazy("Anyone")),
    (80, gettext_lazy("80%")),
    (90, gettext_lazy("90%")),
    (95, gettext_lazy("95%")),
)
TIME_OUTS = (
    (
        TimeOut.TURN,
        gettext_lazy(
            "A bot plays that turn. After two late turns in a row, it takes over until the player comes back."
        ),
    ),
    (TimeOut.SEAT, gettext_lazy("A bot takes over right away until the player comes back.")),
    (TimeOut.OUT, gettext_lazy("The player resigns: a bot plays to the end, and they can’t come back.")),
)
USUAL_PACE = {
    "pace": USUAL_CLOCK, "time_out": str(TimeOut.TURN), "reliability": "0",
    "move_time": "4", "move_time_unit": "d", "bank_start": "4", "bank_start_unit": "d",
    "bank_adds": "6", "bank_adds_unit": "h", "bank_cap": "6", "bank_cap_unit": "d",
}  # fmt: skip


def filled_in(line: str) -> dict[str, str]:
    """Return the form data for this clock: an offered one, or its times as they would be typed."""
    clock = parse(line)
    plain = text(Clock(clock.start, clock.increment, clock.cap))
    off = {"weekends_off": "on"} if clock.weekends_off else {}
    if plain in dict(CLOCKS):
        return {"pace": plain, **off}
    if clock.is_for_each_move:
        return {"pace": OTHER_MOVE, **_typed("move_time", clock.start), **off}
    times = zip(BANK_TIMES, (clock.start, clock.increment, clock.cap), strict=True)
    return {"pace": OTHER_BANK, **{name: value for time in times for name, value in _typed(*time).items()}, **off}


def _typed(name: str, hours: int) -> dict[str, str]:
    days = not hours % HOURS_A_DAY
    return {name: str(hours // HOURS_A_DAY if days else hours), f"{name}_unit": "d" if days else "h"}


class PaceForm(forms.Form):
    """Choose a clock. After validation `clock` is a text of `games.clocks`. A typed time is a number and its unit."""

    pace = forms.ChoiceField(
        label=gettext_lazy("Time per turn"),
        choices=[*MOVES, *BANKS],
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Choose a time per turn."),
            "invalid_choice": gettext_lazy("Choose one of these times."),
        },
    )
    weekends_off = forms.BooleanField(
        label=gettext_lazy("Weekends off"),
        required=False,
        help_text=gettext_lazy("Each player’s clock pauses on Saturdays and Sundays in their own time zone."),
    )
    time_out = forms.ChoiceField(
        label=gettext_lazy("When a player runs out of time"), choices=TIME_OUTS, required=False,
        initial=TimeOut.TURN, widget=forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("Choose one of these options.")},
    )  # fmt: skip
    reliability = forms.TypedChoiceField(
        label=gettext_lazy("Minimum turns on time"), choices=RELIABILITIES, required=False, coerce=int, initial=0,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Out of a player’s last 100 turns. Players with fewer than 10 turns can always join."),
        error_messages={"invalid_choice": gettext_lazy("Choose one of these options.")},
    )  # fmt: skip

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        for name, label in TIMES.items():
            self.fields[name] = forms.IntegerField(
                label=label,
                required=False,
                widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 4, "maxlength": 6}),
                error_messages={"invalid": _("Enter a whole number.")},
            )
            self.fields[f"{name}_unit"] = forms.ChoiceField(
                label=_("{time}: hours or days").format(time=label),
                choices=UNITS,
                required=False,
                error_messages={"invalid_choice": _("Choose hours or days.")},
            )

    # For the template

    def moves(self) -> list[BoundWidget]:
        """Return the choices with a fixed time per turn."""
        return list(self["pace"])[: len(MOVES)]

    def banks(self) -> list[BoundWidget]:
        return list(self["pace"])[len(MOVES) :]

    def move_times(self) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
        """Yield the fields of a custom time per turn, each with its unit."""
        return ((self[name], self[f"{name}_unit"]) for name in ("move_time",))

    def bank_times(self) -> Iterator[tuple[forms.BoundField, forms.BoundField]]:
        return ((self[name], self[f"{name}_unit"]) for name in BANK_TIMES)

    @property
    def has_bank(self) -> bool:
        """Whether the time banks are open: one is chosen or refused."""
        return self.data.get("pace") in dict(BANKS) or any(name.startswith("bank_") for name in self.errors)

    @property
    def has_fine_print(self) -> bool:
        """Whether the rarely used settings are open: one of them was changed or refused."""
        usual = all(self.data.get(name, USUAL_PACE[name]) == USUAL_PACE[name] for name in ("time_out", "reliability"))
        asks = any(self.data.get(name) for name in ("rating_from", "rating_to")) and "reliability" in self.fields
        refused = {"time_out", "reliability", "rating_from", "rating_to"} & set(self.errors)
        return bool(not usual or asks or self.data.get("weekends_off") or refused)

    # Validation

    @property
    def clock(self) -> str:
        """The chosen clock as text. Raises `IllegalClock`."""
        off, chosen = self.cleaned_data["weekends_off"], self.cleaned_data["pace"]
        if chosen == OTHER_MOVE:
            return text(each_move(self._hours("move_time"), weekends_off=off))
        if chosen == OTHER_BANK:
            start, adds, cap = (self._hours(name) for name in BANK_TIMES)
            return text(Clock(start, adds, cap, off))
        times = parse(chosen)
        return text(Clock(times.start, times.increment, times.cap, off))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        wanted = {OTHER_MOVE: ("move_time",), OTHER_BANK: BANK_TIMES}.get(cleaned.get("pace", ""), ())
        for name in wanted:
            if cleaned.get(name) is None and name not in self.errors:
                self.add_error(name, _("Enter a whole number."))
        needed = ("pace", *wanted, *(f"{name}_unit" for name in wanted))
        if not any(name in self.errors for name in needed):
            try:
                _line = self.clock
            except IllegalClock as refused:  # shown at the time out of bounds, else at the cap, which does not fit
                absurd = (name for name in wanted if not 1 <= self._hours(name) <= LONGEST)
                self.add_error(next(absurd, wanted[-1]), refused.say(_))
        return cleaned

    def _hours(self, name: str) -> int:
        return int(self.cleaned_data[name]) * HOURS[self.cleaned_data[f"{name}_unit"] or "d"]
