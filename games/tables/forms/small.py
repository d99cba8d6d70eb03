"""Forms of one or two fields."""

from django import forms
from django.utils.translation import gettext_lazy


class GuestForm(forms.Form):
    """A guest who takes up an invitation may leave an email address."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        required=False,
        help_text=gettext_lazy("We’ll send you a confirmation link first. Nobody else sees your address."),
        error_messages={"invalid": gettext_lazy("Enter a valid email address.")},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class StepForm(forms.Form):
    """What every form of the table sends: the entry that its page shows, and action texts parted by semicolons.

    `head` is how that entry's digest begins; programs may leave it out.
    """

    seq = forms.IntegerField(min_value=0)
    head = forms.CharField(max_length=64, required=False)
    action = forms.CharField(max_length=4000, required=False)
