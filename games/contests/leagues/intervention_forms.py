"""How an organiser steps in, each action in a form of its own."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.bots.registry import BOTS
from games.contests.interventions import LONGEST

Choices = Iterable[tuple[int, str]]
WHICH = {"required": _("Choose one."), "invalid_choice": _("Choose one of these.")}
DAYS = {name: _("Give from one day to sixty days.") for name in ("required", "invalid", "min_value", "max_value")}


def which(label: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, coerce=int, error_messages=WHICH)


def days() -> forms.IntegerField:
    return forms.IntegerField(label=_("Days more"), min_value=1, max_value=LONGEST, initial=7, error_messages=DAYS)


class ActionForm(forms.Form):
    """`entrants` and `matches` are the choices of who and what it is about."""

    def __init__(self, data: Any, action: str, *, entrants: Choices = (), matches: Choices = ()) -> None:
        super().__init__(data, auto_id=f"id_{action}_%s")
        for name, choices in (("entrant", entrants), ("match", matches)):
            if name in self.fields:
                self.fields[name].choices = [("", "—"), *choices]  # type: ignore[attr-defined]


class StartForm(ActionForm):
    """Nothing is to be filled in."""


class TakeOutForm(ActionForm):
    member = forms.IntegerField(widget=forms.HiddenInput)


class WithReason(ActionForm):
    reason = forms.CharField(
        label=_("Why"), max_length=300, help_text=_("Everybody can read it."),
        error_messages={"required": _("Say why: everybody can read it.")},
    )  # fmt: skip


class ReplaceForm(WithReason):
    entrant = which(_("Whose place"))
    name = forms.CharField(
        label=_("Who takes it over"), max_length=150, help_text=_("A player name."),
        error_messages={"required": _("Say who takes the place over.")},
    )  # fmt: skip
    field_order = ["entrant", "name", "reason"]


class RemoveForm(WithReason):
    entrant = which(_("Who"))
    field_order = ["entrant", "reason"]


class ExtendForm(WithReason):
    match = which(_("Which contest"))
    days = days()
    field_order = ["match", "days", "reason"]


class AnnulForm(WithReason):
    match = which(_("Which contest"))
    field_order = ["match", "reason"]


class ExtendSeasonForm(WithReason):
    days = days()
    field_order = ["days", "reason"]


class BotForm(ActionForm):
    bot = forms.ChoiceField(label=_("Bot"), choices=[(slug, _(bot.name)) for slug, bot in BOTS.items()])
    name = forms.CharField(label=_("Its name here"), max_length=36, required=False, help_text=_("May be left empty."))
