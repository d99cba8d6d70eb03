"""Keys to an account, as allauth keeps them, in words that people use."""

from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms
from django.utils.translation import gettext_lazy as _

MALFORMED = (AttributeError, KeyError, TypeError, ValueError)  # what allauth raises for what no browser sends


class AddKeyForm(forms.AddWebAuthnForm):
    """A passkey unless said otherwise."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Key name")
        passwordless = self.fields["passwordless"]
        passwordless.label = _("Passkey: sign in with this key alone")
        passwordless.help_text = _("Otherwise we ask for the key after your password.")
        passwordless.initial = True

    def clean(self) -> dict[str, Any]:
        try:
            return dict(super().clean())
        except MALFORMED as error:
            raise get_adapter().validation_error("incorrect_code") from error


class WellFormed:
    """Refuse a credential that no browser sends with the sentence for a wrong one."""

    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()  # type: ignore[misc]  # of the form that this is mixed into
        except MALFORMED as error:
            raise get_adapter().validation_error("incorrect_code") from error


class AuthenticateKeyForm(WellFormed, forms.AuthenticateWebAuthnForm):
    pass


class SignInKeyForm(WellFormed, forms.LoginWebAuthnForm):
    pass


class ReauthenticateKeyForm(WellFormed, forms.ReauthenticateWebAuthnForm):
    pass
