"""Forms of leagues: for the terms, whose lines `games.contests.terms.declaration` describes, and for interventions."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.bots.registry import LEVELS
from games.contests.gates.forms import BREAKS, CompetitionForm, number_field
from games.contests.matches.forms import DaysForm, ReasonForm
from games.contests.terms.declaration import LEAGUE, LONGEST_NAME, LeagueTerms
from games.tables.forms.open_table import YES_OR_NO

NUMBERS = {
    "division": _("Players in a division"),
    "spread": _("Divisions below each division"),
    "promoted": _("Players promoted"),
    "hours_from": _("Group by waking hours from tier"),
    "weeks": _("Weeks per season"),
    "pause": _("Weeks of sign-up between seasons"),
    "late": _("Weeks for late joiners"),
    "at_once": _("Matches at a time"),
}


class LeagueForm(CompetitionForm[LeagueTerms]):
    """The form for the terms of a league."""

    FOLDS = {
        "divisions": ("division", "spread", "promoted", "hours_from"),
        "seasons": ("starts", "weeks", "pause", "late", "at_once"),
        "unplayed": ("drop_outs", "unfinished"),
        "ties": BREAKS,
    }
    LINES = ("drop_outs", "unfinished", *NUMBERS)

    name = forms.CharField(
        label=_("League name"),
        max_length=LONGEST_NAME,
        error_messages={"required": _("Enter a name for the league.")},
    )
    drop_outs = forms.ChoiceField(
        label=_("If a player drops out"),
        choices=[
            ("bot", _("A bot plays their remaining matches, or a late joiner takes over")),
            ("annul", _("Their unfinished matches are annulled")),
        ],
        widget=forms.RadioSelect,
        help_text=_("Finished matches always count."),
        error_messages={**YES_OR_NO, "required": _("Choose what happens to their remaining matches.")},
    )
    unfinished = forms.ChoiceField(
        label=_("If a match is unfinished when the season ends"),
        choices=[
            ("bots", _("Bots play it to the end")),
            ("points", _("The current points count")),
        ],
        widget=forms.RadioSelect,
        required=False,
        help_text=_("Matches are never annulled for being late."),
        error_messages=YES_OR_NO,
    )
    starts = forms.DateField(
        label=_("First season starts on"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("At noon UTC. Leave empty to start after the weeks of sign-up."),
        error_messages={"invalid": _("Enter a date, such as 2027-03-01.")},
    )

    def _offer(self) -> None:
        super()._offer()
        at_table = [n for n in self.rules.seat_counts if n <= LEAGUE["players"].high]
        self.fields["players"].choices = [(n, n) for n in at_table]  # type: ignore[attr-defined]
        self.fields["players"].label = gettext("Players per game")
        self.fields["full"].choices = self.fields["full"].choices[::-1]  # type: ignore[attr-defined]
        for key, label in NUMBERS.items():
            self.fields[key] = number_field(LEAGUE[key], label, gettext(LEAGUE[key].sentence))
        self._offer_tie_breaks()

    # Groups of fields on the page

    def shape(self) -> list[forms.BoundField]:
        return [self[name] for name in ("division", "spread", "promoted", "hours_from")]

    def times(self) -> list[forms.BoundField]:
        return [self[name] for name in ("weeks", "pause", "late", "at_once")]

    # Results

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors:
            self.check_terms(self.terms)
        return cleaned

    @property
    def terms(self) -> LeagueTerms:
        """The terms of a form without errors."""
        own = {key: self.cleaned_data[key] for key in ("drop_outs", "starts", *NUMBERS)}
        return LeagueTerms(**self.shared_terms, **own, unfinished=self.cleaned_data["unfinished"] or "bots")


# Interventions of the organizer

Choices = Iterable[tuple[int, str]]
CHOICE_ERRORS = {"required": _("Choose one."), "invalid_choice": _("Choose one of the options.")}


def choice_field(label: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, coerce=int, error_messages=CHOICE_ERRORS)


class ActionForm(forms.Form):
    """The base of intervention forms. `entrants` and `people` (members) are the choices of its fields."""

    def __init__(
        self, data: Any, action: str, *, entrants: Choices = (), people: Choices = (), initial: Any = None
    ) -> None:
        super().__init__(data, auto_id=f"id_{action}_%s", initial=initial)
        for name, choices in (("entrant", entrants), ("person", people)):
            if name in self.fields:
                self.fields[name].choices = [("", "—"), *choices]  # type: ignore[attr-defined]


class StartForm(ActionForm):
    """A form without fields."""


class TakeOutForm(ActionForm):
    member = forms.IntegerField(widget=forms.HiddenInput)


class ReplaceForm(ReasonForm, ActionForm):
    entrant = choice_field(_("Player to replace"))
    name = forms.CharField(
        label=_("Replacement"), max_length=150, help_text=_("A player name."),
        error_messages={"required": _("Enter the name of the replacement.")},
    )  # fmt: skip
    field_order = ["entrant", "name", "reason"]


class RemoveForm(ReasonForm, ActionForm):
    entrant = choice_field(_("Player"))
    field_order = ["entrant", "reason"]


class OutForm(ReasonForm, ActionForm):
    person = choice_field(_("Player"))
    field_order = ["person", "reason"]


class MoveForm(ReasonForm, ActionForm):
    person = choice_field(_("Player"))
    division = forms.RegexField(
        label=_("New division"), regex=r"^[0-9]{1,4}-[0-9]{1,4}$", max_length=9, help_text=_("For example 2-1."),
        error_messages={name: _("Enter a division, for example 2-1.") for name in ("required", "invalid")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )  # fmt: skip
    field_order = ["person", "division", "reason"]


class BanForm(ReasonForm, ActionForm):
    name = forms.CharField(
        label=_("Player to ban"), max_length=150, help_text=_("A player name."),
        error_messages={"required": _("Enter the name of the player.")},
    )  # fmt: skip
    field_order = ["name", "reason"]


class SeenField(forms.CharField):
    """A moment that the page knew, in full. The service refuses if it has changed."""

    widget = forms.HiddenInput
    default_error_messages = {"required": _("Nothing has been decided yet. Reload the page.")}

    def clean(self, value: Any) -> datetime:
        try:
            return datetime.fromisoformat(str(super().clean(value)))
        except ValueError:
            raise forms.ValidationError(_("Reload the page.")) from None


class ExtendSeasonForm(DaysForm, ReasonForm, ActionForm):
    """More time for the season. `ends_at` is the end that the page showed."""

    ends_at = SeenField()
    field_order = ["ends_at", "days", "reason"]


class ApproveForm(ActionForm):
    """The end of the season. `decided_at` is when the results were last changed, as far as the page knew."""

    decided_at = SeenField()


class BotForm(ActionForm):
    bot = forms.ChoiceField(label=_("Bot"), choices=[(bot.slug, _(bot.name)) for bot in LEVELS])
    name = forms.CharField(label=_("Name in this league"), max_length=36, required=False, help_text=_("Optional."))
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)  # how many bots the page showed


ACTION_FORMS: dict[str, type[ActionForm]] = {
    "start": StartForm, "bot": BotForm, "take_out": TakeOutForm, "replace": ReplaceForm, "remove": RemoveForm,
    "season": ExtendSeasonForm, "out": OutForm, "move": MoveForm, "ban": BanForm, "approve": ApproveForm,
}  # fmt: skip
