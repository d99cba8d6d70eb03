"""A webhook as it is typed."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.notices.models import Format


class HookForm(forms.Form):
    url = forms.CharField(
        label=_("Address"), max_length=1000,
        widget=forms.URLInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Begins with https://. Whoever knows it can write to your channel, so we show it to nobody."),
    )  # fmt: skip
    format = forms.ChoiceField(label=_("It belongs to"), choices=Format, widget=forms.RadioSelect)
