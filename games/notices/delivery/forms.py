"""The form for a new webhook."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.notices.models import Format


class HookForm(forms.Form):
    url = forms.CharField(
        label=_("Address"), max_length=1000,
        widget=forms.URLInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Starts with https://. Anyone who knows it can post to your channel, so we keep it secret."),
    )  # fmt: skip
    format = forms.ChoiceField(label=_("Format"), choices=Format, widget=forms.RadioSelect)
