"""Forms for the interventions of a league's organizer."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.bots.registry import BOTS
from games.contests.interventions import LONGEST

Choices = Iterable[tuple[int, str]]
WHICH = {"required": _("Choose one."), "invalid_choice": _("Choose one of the options.")}
DAYS = {name: _("Enter a number of days from 1 to 60.") for name in ("required", "invalid", "min_value", "max_value")}


def which(label: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, coerce=int, error_messages=WHICH)


def days() -> forms.IntegerField:
    return forms.IntegerField(label=_("Extra days"), min_value=1, max_value=LONGEST, initial=7, error_messages=DAYS)


class ActionForm(forms.Form):
    """The base of intervention forms. `entrants` and `matches` are the choices of its fields."""

    def __init__(self, data: Any, action: str, *, entrants: Choices = (), matches: Choices = ()) -> None:
        super().__init__(data, auto_id=f"id_{action}_%s")
        for name, choices in (("entrant", entrants), ("match", matches)):
            if name in self.fields:
                self.fields[name].choices = [("", "—"), *choices]  # type: ignore[attr-defined]


class StartForm(ActionForm):
    """A form without fields."""


class TakeOutForm(ActionForm):
    member = forms.IntegerField(widget=forms.HiddenInput)


class WithReason(ActionForm):
    reason = forms.CharField(
        label=_("Reason"), max_length=300, help_text=_("Everyone can read it."),
        error_messages={"required": _("Enter a reason. Everyone can read it.")},
    )  # fmt: skip


class ReplaceForm(WithReason):
    entrant = which(_("Player to replace"))
    name = forms.CharField(
        label=_("Replacement"), max_length=150, help_text=_("A player name."),
        error_messages={"required": _("Enter the name of the replacement.")},
    )  # fmt: skip
    field_order = ["entrant", "name", "reason"]


class RemoveForm(WithReason):
    entrant = which(_("Player"))
    field_order = ["entrant", "reason"]


class ExtendForm(WithReason):
    match = which(_("Match"))
    days = days()
    field_order = ["match", "days", "reason"]


class AnnulForm(WithReason):
    match = which(_("Match"))
    field_order = ["match", "reason"]


class ExtendSeasonForm(WithReason):
    days = days()
    field_order = ["days", "reason"]


class BotForm(ActionForm):
    bot = forms.ChoiceField(label=_("Bot"), choices=[(slug, _(bot.name)) for slug, bot in BOTS.items()])
    name = forms.CharField(label=_("Name in this league"), max_length=36, required=False, help_text=_("Optional."))
