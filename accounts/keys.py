"""Keys to an account, as allauth keeps them, in words that people use."""

from typing import Any

from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.utils.translation import gettext_lazy as _


class AddKeyForm(AddWebAuthnForm):
    """A passkey unless said otherwise."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the key")
        passwordless = self.fields["passwordless"]
        passwordless.label = _("A passkey: sign in with it alone")
        passwordless.help_text = _("Without it the key is asked for after your password.")
        passwordless.initial = True
