"""Forms of one or two fields."""

from django import forms
from django.utils.translation import gettext_lazy


class GuestForm(forms.Form):
    """The optional email address of a guest who accepts an invitation."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        required=False,
        help_text=gettext_lazy("We’ll send you a confirmation link first. Nobody else sees your address."),
        error_messages={"invalid": gettext_lazy("Enter a valid email address.")},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class StepForm(forms.Form):
    """The fields of every table form: the entry that its page showed, and action texts separated by semicolons.

    `head` is the beginning of that entry's digest; programs may omit it.
    """

    seq = forms.IntegerField(min_value=0)
    head = forms.CharField(max_length=64, required=False)
    action = forms.CharField(max_length=4000, required=False)
