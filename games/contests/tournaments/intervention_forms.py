"""Forms for the interventions of a tournament's organizer, with a reason."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.bots.registry import BOTS
from games.contests.interventions import LONGEST


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=300, help_text=gettext_lazy("Everyone can read it."),
        error_messages={"required": gettext_lazy("Enter a reason. Everyone can read it.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip


class CallOffForm(ReasonForm):
    prefix = "close"


class BotForm(forms.Form):
    prefix = "bot"

    bot = forms.ChoiceField(label=gettext_lazy("Bot"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bot"].choices = [(slug, _(str(bot.name))) for slug, bot in BOTS.items()]  # type: ignore[attr-defined]


EXTEND, ANNUL = "extend", "annul"
REPLACE, REMOVE = "replace", "remove"


class ContestForm(ReasonForm):
    """An intervention in a match whose result can still change."""

    prefix = "contest"

    match = forms.TypedChoiceField(label=gettext_lazy("Match"), coerce=int)
    what = forms.ChoiceField(
        label=gettext_lazy("Action"), widget=forms.RadioSelect, initial=EXTEND,
        choices=[(EXTEND, gettext_lazy("Extend the match")), (ANNUL, gettext_lazy("Annul the match"))],
    )  # fmt: skip
    days = forms.IntegerField(
        label=gettext_lazy("Extra days"), initial=7, min_value=1, max_value=LONGEST, required=False
    )

    field_order = ("match", "what", "days", "reason")

    def __init__(self, *args: Any, matches: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["match"].choices = matches  # type: ignore[attr-defined]

    @property
    def contest(self) -> str:
        return _label(self, "match")


class PlayerForm(ReasonForm):
    """An intervention about one of the players."""

    prefix = "player"

    entrant = forms.TypedChoiceField(label=gettext_lazy("Player"), coerce=int)
    what = forms.ChoiceField(label=gettext_lazy("Action"), widget=forms.RadioSelect, initial=REMOVE)
    name = forms.CharField(
        label=gettext_lazy("Replacement"), max_length=40, required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip

    field_order = ("entrant", "what", "name", "reason")

    def __init__(self, *args: Any, entrants: list[tuple[int, str]], is_running: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["entrant"].choices = entrants  # type: ignore[attr-defined]
        self.fields["what"].choices = [  # type: ignore[attr-defined]
            *([(REPLACE, _("Replace the player"))] if is_running else []),
            (REMOVE, _("Remove the player")),
        ]
        if not is_running:
            del self.fields["name"]
            self.fields["what"].widget = forms.HiddenInput()

    @property
    def player(self) -> str:
        return _label(self, "entrant")


def _label(form: forms.Form, name: str) -> str:
    """Return the label of the chosen option."""
    return dict(form.fields[name].choices)[form.cleaned_data[name]]  # type: ignore[attr-defined]
