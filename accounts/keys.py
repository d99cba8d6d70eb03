"""Forms for passkeys and security keys, with our labels and sturdier validation than allauth's."""

from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms
from django.utils.translation import gettext_lazy as _

MALFORMED = (AttributeError, KeyError, TypeError, ValueError)  # what allauth raises for malformed input


class AddKeyForm(forms.AddWebAuthnForm):
    """The form for a new key, which is a passkey by default."""

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
    """A mixin that refuses malformed credentials with the sentence for wrong ones."""

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
