"""Forms for deciding, annulling and extending a match, and for undoing an intervention."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from empire.web.languages import display_name
from games.contests.interventions import LONGEST
from games.contests.models import Appearance
from games.rules.staff import LONGEST_REASON


class ReasonForm(forms.Form):
    """The reason of an intervention."""

    reason = forms.CharField(
        label=_("Reason"), max_length=LONGEST_REASON, help_text=_("Everyone can read it."),
        error_messages={"required": _("Enter a reason. Everyone can read it.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip


class DaysForm(forms.Form):
    """Extra days for a match or a season."""

    days = forms.IntegerField(
        label=_("Extra days"), min_value=1, max_value=LONGEST, initial=7,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), _("Enter a number of days from 1 to 60.")
        ),
    )  # fmt: skip


class MatchForm(ReasonForm):
    """A decision about a match. `version` is that of the match on the page."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)


class AwardForm(MatchForm):
    """A place for each seat; equal places are ties."""

    field_order = ("version", "reason")

    def __init__(self, data: Any, *, seats: list[Appearance], **kwargs: Any) -> None:
        super().__init__(data, auto_id="id_award_%s", **kwargs)
        choices = [("", "—"), *((place, str(place)) for place in range(1, len(seats) + 1))]
        reason = self.fields.pop("reason")
        for appearance in seats:
            name = display_name(appearance.entrant.name)
            self.fields[f"place_{appearance.seat}"] = forms.TypedChoiceField(
                label=_("Place of %(name)s") % {"name": name}, coerce=int, choices=choices,
                initial=appearance.place or "",
                error_messages={"required": _("Choose a place."), "invalid_choice": _("Choose a place.")},
            )  # fmt: skip
        self.fields["reason"] = reason
        self.seats = seats

    @property
    def places(self) -> list[int]:
        """Return the places by seat."""
        return [self.cleaned_data[f"place_{appearance.seat}"] for appearance in self.seats]


class AnnulForm(MatchForm):
    def __init__(self, data: Any, **kwargs: Any) -> None:
        super().__init__(data, auto_id="id_annul_%s", **kwargs)


class ExtendForm(DaysForm, MatchForm):
    field_order = ("version", "days", "reason")

    def __init__(self, data: Any, **kwargs: Any) -> None:
        super().__init__(data, auto_id="id_extend_%s", **kwargs)
