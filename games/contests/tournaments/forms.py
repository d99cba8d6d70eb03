"""The form for opening a tournament. Its fields mirror the lines of `games.contests.terms.terms`."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.utils import ErrorDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.contests.pairing.crosstable import TIE_BREAKS
from games.contests.pairing.formats import FORMATS, SWISS
from games.contests.terms import lengths
from games.contests.terms.declaration import TournamentTerms, check
from games.contests.terms.terms import LONGEST_NAME, TOURNAMENT
from games.rules.protocol import IllegalAction
from games.tables.forms import pace
from games.tables.forms.game import USUAL_GAME, GameForm
from games.tables.forms.open_table import YES_OR_NO

FULL, DAY = "full", "day"
ORDERS = (("strength", "met", "score", "wins"), ("met", "score", "wins"), ("score", "wins", "strength"))
FIELDS = {"clock": "pace", "options": "preset", "starts": "day", "bots": "rated"}  # lines with another field name
USUAL = {
    "name": "", "format": SWISS, "ruleset": USUAL_GAME, "players": "2", "full": "no", "rated": "yes", "seats": "16",
    "fewest": "4", "when": FULL, "days_a_round": "14", "rounds": "0", "tie_breaks": " ".join(ORDERS[0]),
    **pace.USUAL_PACE, "time_out": "seat", "pace": "bank 2d +8h cap 3d",
}  # fmt: skip
NUMBERS = {
    "seats": gettext_lazy("Maximum players"),
    "fewest": gettext_lazy("Minimum players"),
    "days_a_round": gettext_lazy("Days per round"),
    "rounds": gettext_lazy("Rounds"),
}


def _number(key: str) -> forms.IntegerField:
    line = TOURNAMENT[key]
    wrong = gettext_lazy("Enter a whole number.")
    return forms.IntegerField(
        label=NUMBERS[key], help_text=gettext_lazy(line.sentence), min_value=line.low, max_value=line.high,
        error_messages={"required": wrong, "invalid": wrong},
    )  # fmt: skip


class TournamentForm(GameForm):
    """The form for a tournament. If `lenient`, it shows what has been filled in so far without errors."""

    name = forms.CharField(
        label=gettext_lazy("Tournament name"), max_length=LONGEST_NAME,
        error_messages={"required": gettext_lazy("Enter a name for the tournament.")},
    )  # fmt: skip
    format = forms.ChoiceField(
        label=gettext_lazy("Format"), choices=[(slug, gettext_lazy(said)) for slug, said in FORMATS.items()],
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose a format.")},
    )  # fmt: skip
    full = forms.TypedChoiceField(
        label=gettext_lazy("Each match is"),
        choices=[
            ("no", gettext_lazy("A single game")),
            ("yes", gettext_lazy("A full game: three games in a row, highest total wins")),
        ],
        coerce=lambda answer: answer == "yes", widget=forms.RadioSelect,
        error_messages={**YES_OR_NO, "required": gettext_lazy("Choose what a match is.")},
    )  # fmt: skip
    rated = forms.ChoiceField(
        label=gettext_lazy("Ratings"),
        choices=[
            ("yes", gettext_lazy("Rated, people only")),
            ("no", gettext_lazy("Unrated, people only")),
            ("bots", gettext_lazy("Unrated, and you may add bots")),
        ],
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Choose whether matches are rated."),
            "invalid_choice": gettext_lazy("Choose one of the three options."),
        },
    )  # fmt: skip
    when = forms.ChoiceField(
        label=gettext_lazy("Start"),
        choices=[
            (FULL, gettext_lazy("When all places are taken")),
            (DAY, gettext_lazy("On a set day, with everyone who has signed up by then")),
        ],
        widget=forms.RadioSelect,
        error_messages={**YES_OR_NO, "required": gettext_lazy("Choose when it starts.")},
    )  # fmt: skip
    day = forms.DateField(
        label=gettext_lazy("Day"), required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("The tournament starts at noon UTC."),
        error_messages={"invalid": gettext_lazy("Enter a date, such as 2027-03-01.")},
    )  # fmt: skip
    tie_breaks = forms.ChoiceField(
        label=gettext_lazy("Tie-breaks"),
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Not for knockouts, where the better seed advances."),
    )  # fmt: skip

    def __init__(self, data: Mapping[str, Any], *, lenient: bool = False) -> None:
        super().__init__(data, lenient=lenient)
        del self.fields["reliability"]
        if lenient:
            self._errors, self.cleaned_data = ErrorDict(), {}

    @classmethod
    def asked_for(cls, address: Mapping[str, Any]) -> "TournamentForm":
        """Return the form filled with the query string of a URL, and defaults for the rest."""
        return cls({**USUAL, **{name: address[name] for name in address}}, lenient=True)

    def _offer(self) -> None:
        super()._offer()
        for key in NUMBERS:
            self.fields[key] = _number(key)
        self.fields["tie_breaks"].choices = [(" ".join(order), _order(order)) for order in ORDERS]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("when") == DAY and cleaned.get("day") is None and "day" not in self.errors:
            self.add_error("day", _("Choose a day."))
        if not self.errors:
            self._check()
        return cleaned

    def _check(self) -> None:
        """Add the refusals of the terms' own check to the field that they name."""
        try:
            check(self.terms, lengths.decisions(self.terms.ruleset, self.terms.players, self.terms.options))
        except IllegalAction as refusal:
            key = str(refusal.values.get("key", ""))
            name = FIELDS.get(key, key)
            said = refusal.say(_)
            if name in self.fields:
                said = said.replace(f"“{key}”", f"“{self.fields[name].label}”")
            self.add_error(name if name in self.fields else None, said)

    @property
    def terms(self) -> TournamentTerms:
        told = self.cleaned_data
        same = {key: told[key] for key in ("name", "ruleset", "players", "full", "format", *NUMBERS)}
        return TournamentTerms(
            **same, options=self.options, clock=self.clock, time_out=told["time_out"] or "seat",
            rated=told["rated"] == "yes", bots=told["rated"] == "bots",
            starts=told["day"] if told["when"] == DAY else None, tie_breaks=tuple(told["tie_breaks"].split()),
        )  # fmt: skip


def _order(names: tuple[str, ...]) -> str:
    return " → ".join(_(TIE_BREAKS[name].label) for name in names)
