"""Forms about people: sign-in and sign-up, passkeys and security keys, settings, and deleting the account."""

import json
from collections import defaultdict
from typing import Any

from allauth.account import forms as account
from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.password_validation import MinimumLengthValidator, get_default_password_validators
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.moderation.services import need_voice
from accounts.names import NameField, folded, is_guest_name, sign_up_validators
from games.clocks.zones import zone_names
from games.errors import GameError


def time_zones() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the time zones by part of the world, as choices of a select."""
    places = defaultdict(list)
    for name in sorted(zone_names()):
        area, _slash, place = name.partition("/")
        if place and area not in {"Etc", "SystemV", "US", "posix", "right"}:
            places[area].append((name, place.replace("_", " ").replace("/", ", ")))
    return [("UTC", [("UTC", "UTC")]), *places.items()]


def zones_for(own: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the time zones, including the person's own even if it has an outdated name."""
    zones = time_zones()
    names = {name for _area, places in zones for name, _place in places}
    return zones if own in names else [(own, [(own, own)]), *zones]


def password_help() -> str:
    """Return what `AUTH_PASSWORD_VALIDATORS` ask of a new password, on one line. Django's own text is a list."""
    lengths = (
        validator.min_length
        for validator in get_default_password_validators()
        if isinstance(validator, MinimumLengthValidator)
    )
    length = max(lengths, default=1)
    words = ngettext(
        "Use at least {n} character. Don’t use a common password, your name or your email address.",
        "Use at least {n} characters. Don’t use a common password, your name or your email address.",
        length,
    )
    return words.format(n=length)


class SignUpForm(account.SignupForm):
    field_order = ["username", "email", "password1", "is_under_16", "accepts"]

    is_under_16 = forms.BooleanField(
        label=_("I am under 16"), required=False,
        help_text=_(
            "At public tables, you’ll read and send only quick phrases in the chat. Other players can’t see this"
            " setting."
        ),
    )  # fmt: skip
    accepts = forms.BooleanField(
        error_messages={"required": _("Accept the terms and the rules of conduct to sign up.")}
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("Player name")
        self.fields["username"].help_text = _("Everyone can see this name.")
        guest = getattr(context.request, "guest", None)
        if guest and not is_guest_name(guest.username):
            self.fields["username"].initial = guest.username
        if guest:  # who may have given an address with an invitation
            self.fields["email"].initial = guest.email or guest.unconfirmed_address
        self.fields["email"].label = _("Email address")
        self.fields["email"].help_text = _("Only you can see it. We’ll email you when it’s your turn.")
        self.fields["password1"].help_text = password_help()
        links = {"terms": reverse("terms"), "conduct": reverse("conduct")}
        label = gettext(
            'I accept the <a href="{terms}">terms of use</a> and the <a href="{conduct}">rules of conduct</a>.'
        )
        self.fields["accepts"].label = format_html(label, **links)

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Sign up, or ask to try again if someone else took the name or address after it was checked."""
        from accounts.services import recall_sign_up, remember_sign_up  # a circular import: it needs `PreferencesForm`

        try:
            with transaction.atomic():
                user, answer = super().try_save(request)
                if user is not None:
                    remember_sign_up(request, user)
                return user, answer
        except IntegrityError:
            if user := recall_sign_up(request):  # the same form took them
                return user, None
            sentence = _(
                "Someone has just signed up with this name or email address. If it was you, sign in. Otherwise, try a"
                " different one."
            )
            messages.error(request, sentence)
            return None, redirect("account_signup")

    def validate_unique_email(self, value: str) -> str:
        """Accept an address that only guests have entered, without confirming it, or that is this guest's own."""
        is_taken = User.is_address_of(value, exclude=getattr(context.request, "guest", None))
        return super().validate_unique_email(value) if is_taken else value


class InPlainWords(forms.Form):
    """A mixin for forms of allauth that replaces their labels and their help on new passwords with ours."""

    labels = {
        "login": _("Email address"), "email": _("Email address"), "remember": _("Stay signed in"),
        "oldpassword": _("Current password"), "password1": _("New password"),
        "password2": _("Confirm new password"),
    }  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.labels.keys() & self.fields.keys():
            self.fields[name].label = self.labels[name]
        if "password1" in self.fields:
            self.fields["password1"].help_text = password_help()


class NewAddressForm(account.AddEmailForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("New email address")


class SignInForm(InPlainWords, account.LoginForm):
    pass


class CodeByEmailForm(InPlainWords, account.RequestLoginCodeForm):
    def clean_email(self) -> str:
        from accounts.proof import ways_in  # a circular import: it needs allauth's forms, which need this module

        email = super().clean_email()
        self._user = next(iter(ways_in(email)), None)
        return email


class ForgottenPasswordForm(InPlainWords, account.ResetPasswordForm):
    def clean_email(self) -> str:
        from accounts.proof import ways_in  # as above

        email = super().clean_email()
        self.users = ways_in(email)
        return email


class NewPasswordForm(InPlainWords, account.ResetPasswordKeyForm):
    pass


class FirstPasswordForm(InPlainWords, account.SetPasswordForm):
    pass


class ChangedPasswordForm(InPlainWords, account.ChangePasswordForm):
    pass


# Passkeys and security keys: our labels, and sturdier validation than allauth's

MALFORMED = (AttributeError, KeyError, TypeError, ValueError)  # what allauth raises for malformed input


class Decoder(json.JSONDecoder):
    """Raises `JSONDecodeError` also for numbers that are too long and values that are nested too deeply."""

    def decode(self, s: str, *args: Any) -> Any:
        try:
            return super().decode(s, *args)
        except (ValueError, RecursionError) as error:
            raise json.JSONDecodeError(str(error), s, 0) from error


class Credential(forms.Form):
    """A mixin with what a key sent, as JSON."""

    credential = forms.JSONField(
        widget=forms.HiddenInput, decoder=Decoder,
        error_messages=dict.fromkeys(("required", "invalid"), _("We couldn’t read what your key sent. Try again.")),
    )  # fmt: skip


class AddKeyForm(Credential, webauthn.AddWebAuthnForm):
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
            return dict(super().clean() or {})
        except MALFORMED as error:
            raise get_adapter().validation_error("incorrect_code") from error


class WellFormed(Credential):
    """A mixin that refuses malformed credentials with the sentence for wrong ones."""

    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()  # type: ignore[misc]  # of the form that this is mixed into
        except MALFORMED as error:
            raise get_adapter().validation_error("incorrect_code") from error


class AuthenticateKeyForm(WellFormed, webauthn.AuthenticateWebAuthnForm):
    pass


class SignInKeyForm(WellFormed, webauthn.LoginWebAuthnForm):
    pass


class ReauthenticateKeyForm(WellFormed, webauthn.ReauthenticateWebAuthnForm):
    pass


# Settings


class PreferencesForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ["username", "language", "time_zone", "birth_date", "theme", "palette", "has_keys", "holds_turns"]
        field_classes = {"username": NameField}
        widgets = {
            "birth_date": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "theme": forms.RadioSelect,
            "palette": forms.RadioSelect,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].widget = forms.Select(choices=settings.LANGUAGES)
        self.initial["language"] = self.instance.language_code
        self.fields["time_zone"].widget = forms.Select(choices=zones_for(self.instance.time_zone))
        if self.instance.is_guest:
            del self.fields["username"], self.fields["birth_date"]
        elif self.instance.birth_date:  # so that nobody can find out the age of others by trying different dates
            self.fields["birth_date"].disabled = True
            self.fields["birth_date"].help_text = _("You can’t change this. Site staff can clear it.")

    def clean_username(self) -> str:
        name = self.cleaned_data["username"]
        if "username" in self.changed_data:
            for validate in sign_up_validators:
                validate(name)
            try:
                need_voice(self.instance, name)
            except GameError as refusal:
                raise forms.ValidationError(str(refusal)) from None
        return name

    def clean_language(self) -> str:
        chosen = str(self.cleaned_data["language"]) or self.instance.language
        if chosen and chosen not in dict(settings.LANGUAGES):
            raise forms.ValidationError(_("Choose a language from the list."))
        return chosen

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        born = self.instance.birth_date
        if born and "birth_date" in self.fields and self.data.get("birth_date", "") not in ("", born.isoformat()):
            sentence = _("Your date of birth is already set. Ask site staff to clear it.")
            self.add_error("birth_date", sentence)
        return cleaned


class DeleteAccountForm(forms.Form):
    """A form to delete the account. The name must be typed as confirmation."""

    name = forms.CharField(label=_("Your player name"), help_text=_("Type your name to confirm."))

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        self.user = user
        super().__init__(*args, **kwargs)

    def clean_name(self) -> str:
        if folded(self.cleaned_data["name"]) != self.user.folded:
            raise forms.ValidationError(_("That isn’t your player name. Check the spelling."))
        return self.cleaned_data["name"]
