"""The form for a league's terms. Its fields mirror the lines of `games.contests.terms.terms`."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.utils import ErrorDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.contests.pairing.crosstable import TIE_BREAKS
from games.contests.terms import lengths
from games.contests.terms.declaration import Terms, check
from games.contests.terms.terms import LEAGUE, LONGEST_NAME
from games.rules.protocol import IllegalAction
from games.tables.forms import options, pace
from games.tables.forms.game import GameForm
from games.tables.forms.open_table import YES_OR_NO

NUMBERS = {
    "division": gettext_lazy("Players in a division"),
    "spread": gettext_lazy("Divisions below each division"),
    "promoted": gettext_lazy("Players promoted"),
    "hours_from": gettext_lazy("Group by waking hours from tier"),
    "weeks": gettext_lazy("Weeks per season"),
    "pause": gettext_lazy("Weeks of sign-up between seasons"),
    "late": gettext_lazy("Weeks for late joiners"),
    "at_once": gettext_lazy("Matches at a time"),
}
BREAKS = tuple(f"tie_break_{n}" for n, _name in enumerate(TIE_BREAKS, start=1))
FIELDS = {"clock": "pace", "options": "preset", "tie_breaks": BREAKS[0]}  # for lines whose field has another name


def _number(key: str) -> forms.IntegerField:
    low, high = LEAGUE[key].low, LEAGUE[key].high
    wrong = gettext_lazy("Enter a whole number.")
    return forms.IntegerField(
        label=NUMBERS[key], help_text=gettext_lazy(LEAGUE[key].sentence), min_value=low, max_value=high,
        error_messages={"required": wrong, "invalid": wrong},
    )  # fmt: skip


class LeagueForm(GameForm):
    """The form for a league. If `lenient`, it shows what has been filled in so far without errors."""

    name = forms.CharField(
        label=gettext_lazy("League name"),
        max_length=LONGEST_NAME,
        error_messages={"required": gettext_lazy("Enter a name for the league.")},
    )
    full = forms.TypedChoiceField(
        label=gettext_lazy("Each match is"),
        choices=[
            ("yes", gettext_lazy("A full game: three games in a row, highest total wins")),
            ("no", gettext_lazy("A single game")),
        ],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        error_messages={**YES_OR_NO, "required": gettext_lazy("Choose what a match is.")},
    )
    rated = forms.TypedChoiceField(
        label=gettext_lazy("Ratings"),
        choices=[
            ("yes", gettext_lazy("Rated, people only")),
            ("no", gettext_lazy("Unrated, people only")),
            ("bots", gettext_lazy("Unrated, and bots may enter")),
        ],
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Choose whether matches are rated."),
            "invalid_choice": gettext_lazy("Choose one of the three options."),
        },
    )
    drop_outs = forms.ChoiceField(
        label=gettext_lazy("If a player drops out"),
        choices=[
            ("bot", gettext_lazy("A bot plays their remaining matches, or a late joiner takes over")),
            ("annul", gettext_lazy("Their unfinished matches are annulled")),
        ],
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Finished matches always count."),
        error_messages={**YES_OR_NO, "required": gettext_lazy("Choose what happens to their remaining matches.")},
    )
    unfinished = forms.ChoiceField(
        label=gettext_lazy("If a match is unfinished when the season ends"),
        choices=[
            ("bots", gettext_lazy("Bots play it to the end")),
            ("points", gettext_lazy("The current points count")),
        ],
        widget=forms.RadioSelect,
        required=False,
        help_text=gettext_lazy("Matches are never annulled for being late."),
        error_messages=YES_OR_NO,
    )
    starts = forms.DateField(
        label=gettext_lazy("First season starts on"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("At noon UTC. Leave empty to start after the weeks of sign-up."),
        error_messages={"invalid": gettext_lazy("Enter a date, such as 2027-03-01.")},
    )

    def __init__(self, data: Mapping[str, Any], *, lenient: bool = False) -> None:
        super().__init__(data, lenient=lenient)
        del self.fields["reliability"]
        self.fields["players"].label = _("Players per game")
        if lenient:
            self._errors, self.cleaned_data = ErrorDict(), {}

    def _offer(self) -> None:
        super()._offer()
        at_table = [n for n in self.rules.seat_counts if n <= LEAGUE["players"].high]
        self.fields["players"].choices = [(n, n) for n in at_table]  # type: ignore[attr-defined]
        for key in NUMBERS:
            self.fields[key] = _number(key)
        breaks = [(name, _(one.label)) for name, one in TIE_BREAKS.items()]
        for n, name in enumerate(BREAKS, start=1):
            self.fields[name] = forms.ChoiceField(
                label=_("Tie-break {n}").format(n=n), choices=[("", _("none")), *breaks], required=False
            )

    @classmethod
    def of(cls, terms: Terms) -> "LeagueForm":
        """Return the form filled with these terms."""
        return cls(fields_of(terms), lenient=True)

    # Groups of fields on the page

    def shape(self) -> list[forms.BoundField]:
        return [self[name] for name in ("division", "spread", "promoted", "hours_from")]

    def times(self) -> list[forms.BoundField]:
        return [self[name] for name in ("weeks", "pause", "late", "at_once")]

    def breaks(self) -> list[forms.BoundField]:
        return [self[name] for name in BREAKS]

    # Results

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors:
            self._check()
        return cleaned

    def _check(self) -> None:
        """Add the refusals of the terms' own check to the field that they name."""
        terms = self.terms
        try:
            check(terms, lengths.decisions(terms.ruleset, terms.players, terms.options))
        except IllegalAction as refusal:
            name = self.name_of(str(refusal.values.get("key", "")))
            said = refusal.say(_)
            if name is not None:
                said = said.replace(f"“{refusal.values['key']}”", f"“{self.fields[name].label}”")
            self.add_error(name, said)

    def name_of(self, key: str) -> str | None:
        """Return the name of the field for a line of the terms."""
        name = FIELDS.get(key, key)
        return name if name in self.fields else None

    @property
    def terms(self) -> Terms:
        told = {key: self.cleaned_data[key] for key in ("name", "ruleset", "players", "full", "drop_outs", "starts")}
        rated = self.cleaned_data["rated"]
        return Terms(
            **told, **{key: self.cleaned_data[key] for key in NUMBERS}, options=self.options, clock=self.clock,
            time_out=self.cleaned_data["time_out"] or "seat", unfinished=self.cleaned_data["unfinished"] or "bots",
            rated=rated == "yes", bots=rated == "bots",
            tie_breaks=tuple(self.cleaned_data[name] for name in BREAKS if self.cleaned_data[name]),
        )  # fmt: skip


def fields_of(terms: Terms) -> dict[str, str]:
    """Return the value of each field for these terms."""
    breaks = dict.fromkeys(BREAKS, "") | dict(zip(BREAKS, terms.tie_breaks, strict=False))
    return {
        **pace.USUAL_PACE, **pace.filled_in(terms.clock), **breaks,
        **{key: str(getattr(terms, key)) for key in ("name", "ruleset", "players", "time_out", "drop_outs")},
        **{key: str(getattr(terms, key)) for key in ("unfinished", *NUMBERS)},
        **{options.PREFIX + name: _answer(value) for name, value in terms.options.items()},
        "full": "yes" if terms.full else "no", "rated": "yes" if terms.rated else "bots" if terms.bots else "no",
        "starts": terms.starts.isoformat() if terms.starts else "",
    }  # fmt: skip


def _answer(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
