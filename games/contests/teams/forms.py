"""Forms of captains: the name of a team, and an invitation."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.contests.teams.services import LONGEST_NAME


class TeamForm(forms.Form):
    name = forms.CharField(
        label=_("Team name"), max_length=LONGEST_NAME, error_messages={"required": _("Enter a name for the team.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip


class InviteForm(forms.Form):
    name = forms.CharField(
        label=_("Player name"), max_length=150, error_messages={"required": _("Enter a name.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip
