"""Adapters for allauth. A guest who signs up keeps their row; a guest who signs in moves their games to the account."""

import logging
from contextlib import nullcontext
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.mail import EmailMessage
from django.db import IntegrityError
from django.forms import Form
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import acceptance, barred, hooks, proof, services
from accounts.middleware import current_language, guessed_time_zone
from accounts.models import User, in_language_of
from accounts.names import TAKEN, normal
from empire.web import limits
from empire.web.documents import VERSIONS
from empire.web.languages import supported

logger = logging.getLogger(__name__)

GUEST_HAS_ACCOUNT = "account/email/guest_has_account"
# The templates for owners of an address that others enter
ALREADY_EXISTS = ("account/email/account_already_exists", GUEST_HAS_ACCOUNT)
# Changes that a person is told of by email, in case someone else made them
CHANGES = {
    "account/email/password_changed": gettext_lazy("Your password was changed."),
    "account/email/password_reset": gettext_lazy("Your password was changed."),
    "account/email/password_set": gettext_lazy("A password was set for your account."),
    "mfa/email/totp_activated": gettext_lazy("An authenticator app was added to your account."),
    "mfa/email/totp_deactivated": gettext_lazy("The authenticator app was removed from your account."),
    "mfa/email/webauthn_added": gettext_lazy("A passkey or security key was added to your account."),
    "mfa/email/webauthn_removed": gettext_lazy("A passkey or security key was removed from your account."),
    "mfa/email/recovery_codes_generated": gettext_lazy("New recovery codes were made for your account."),
}


class Adapter(DefaultAccountAdapter):
    error_messages = {  # those that don't say enough, or address people too formally in one of our languages
        **DefaultAccountAdapter.error_messages,
        "duplicate_email": gettext_lazy(
            "This is already the address of your account. If you haven’t confirmed it yet, send the link again."
        ),
        "email_password_mismatch": gettext_lazy(
            "The email address or the password is wrong. Try again, or let us email you a code."
        ),
        "email_taken": gettext_lazy(
            "An account with this email address already exists. Sign in to it, or use a different address."
        ),
        "enter_current_password": gettext_lazy("That isn’t your current password. Try again."),
        "too_many_login_attempts": gettext_lazy("Too many failed attempts. Try again in five minutes."),
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        """Client IP for rate limits: as reported by our outermost proxy, else the peer address.

        Servers and proxies that listen for both kinds of addresses on one socket write an IPv4 address as `::ffff:…`.
        All of these are in one IPv6 network, which counts as one client.
        """
        try:
            address = str(super().get_client_ip(request))
        except ImproperlyConfigured:
            address = request.META["REMOTE_ADDR"]
        try:
            return str(getattr(ip_address(address), "ipv4_mapped", None) or address)
        except ValueError:
            return address

    def new_user(self, request: HttpRequest) -> User:
        return getattr(request, "guest", None) or User(
            time_zone=guessed_time_zone(request), language=current_language()
        )

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name = super().clean_username(normal(username), shallow=True)
        guest = getattr(context.request, "guest", None)  # who may keep a name chosen before
        if not shallow and User.is_name_taken(name, exclude=guest):
            raise ValidationError(TAKEN)
        return name

    def save_user(self, request: HttpRequest, user: User, form: Form, commit: bool = True) -> User:
        """Save the account. Raises `IntegrityError` if the guest has become an account in the meantime."""
        if user.pk is not None:
            user.username = form.cleaned_data["username"]
            for hook in hooks.renamed:  # they lock games, so they come first, as in `services.save_preferences`
                hook(user)
            try:
                user.refresh_from_db(
                    from_queryset=User.objects.select_for_update().filter(is_guest=True, is_active=True)
                )
            except User.DoesNotExist:
                raise IntegrityError("This guest has just signed up or signed in.") from None
        user.is_guest, user.is_under_16 = False, form.cleaned_data["is_under_16"]
        # A guest's row has the versions of the day on which the guest came
        user.accepted_terms, user.accepted_conduct = VERSIONS["terms"], VERSIONS["conduct"]
        self.take_over_addresses(request, user, form.cleaned_data["email"])
        user.has_proven = self.is_email_verified(request, form.cleaned_data["email"])
        if user.pk is not None:  # someone else may have used the guest before, and may know its calendar's address
            Authenticator.objects.filter(user_id=user.pk).delete()
            user.calendar += 1
            for prepare in hooks.signing_up:
                prepare(request, user)
        user = super().save_user(request, user, form, commit)
        acceptance.record(user, timezone.now())
        return user

    def take_over_addresses(self, request: HttpRequest, guest: User, email: str) -> None:
        """Delete the guest's email addresses before sign-up. If the new address is among them, it stays confirmed."""
        addresses = EmailAddress.objects.filter(user_id=guest.pk)
        if addresses.filter(email__iexact=email, verified=True).exists():
            self.stash_verified_email(request, email)
        addresses.delete()

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Refuse to confirm an address that already belongs to another account, confirmed or not, or that is barred."""
        if User.is_address_of(email_address.email, exclude=email_address.user):
            taken = {"email": email_address.email}
            self.add_message(request, messages.ERROR, "account/messages/email_confirmation_failed.txt", taken)
            return False
        if until := barred.until(email_address.email):
            messages.error(request, barred.words(email_address.email, until))
            return False
        return super().confirm_email(request, email_address)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: EmailConfirmation, signup: bool) -> None:
        """Send a confirmation link; for a guest's address that an account has, tell its owner to sign in instead.

        Such a link could not confirm the address. The pages of the guest say the same in both cases, so that they do
        not reveal whether there is an account.
        """
        address = emailconfirmation.email_address
        if address.user.is_guest and User.is_address_of(address.email, exclude=address.user):
            values = {"user": address.user, "login_url": reverse("account_login")}
            self.send_mail(GUEST_HAS_ACCOUNT, address.email, values)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None,
        message_context: dict[str, Any] | None = None, extra_tags: str = "", message: str | None = None,
    ) -> None:  # fmt: skip
        """Mark the message that asks people to follow the link that we have emailed, see `services.asks_to_confirm`."""
        if message_template == "account/messages/email_confirmation_sent.txt":
            extra_tags = services.LINK_SENT
        super().add_message(request, level, message_template, message_context, extra_tags, message)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Show people who can't play now why, and how to answer."""
        if isinstance(request.user, User) and request.user.is_suspended:
            return reverse("moderators_messages")
        return str(super().get_login_redirect_url(request))

    def login(self, request: HttpRequest, user: User) -> None:
        guest = getattr(request, "guest", None)
        super().login(request, user)
        if guest is not None and guest.pk != user.pk:
            self.welcome_back(request, guest, user)

    def welcome_back(self, request: HttpRequest, guest: User, user: User) -> None:
        moved = services.bring_games(guest=guest, user=user)
        if moved.seats:
            messages.info(
                request, _("The games you started as %(name)s are now in your account.") % {"name": guest.username}
            )
        if moved.given_up:
            words = _("You and %(name)s had seats in the same game, so %(name)s resigned.")
            messages.warning(request, words % {"name": guest.username})
        if moved.closed:
            words = ngettext(
                "A player you have blocked was waiting at your rated public table, so we closed it. You can open"
                " another one.",
                "Players you have blocked were waiting at %(n)d of your rated public tables, so we closed them. You can"
                " open others.",
                moved.closed,
            )
            messages.warning(request, words % {"n": moved.closed})

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count wrong passwords by account. Allauth's own key contains the Host header, which anyone can vary."""
        return str(credentials.get("email", "")).lower()

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an email about an account, with links to `SITE_URL` whatever host the request named.

        An unconfirmed address gets only a few emails an hour, no matter who asks, and so does one that someone else
        enters as their own. Others are silently dropped, so that no page reveals whether there is an account. An
        address that is barred gets none of them, but is told why: pages say the same to everyone who enters it.
        """
        is_proven = EmailAddress.objects.filter(email=email.lower(), verified=True).exists()
        is_unasked = not is_proven or template_prefix in ALREADY_EXISTS
        if is_unasked and limits.wait_for(self.request, "unproven_address", limits.mailbox(email)):
            return
        paths = {
            name: urlsplit(value)._replace(scheme="", netloc="").geturl()
            for name, value in context.items()
            if name.endswith("_url")
        }
        reader = context.get("user")
        chosen = supported(reader.language) if isinstance(reader, User) else ""
        links = {
            name: f"{settings.SITE_URL}{path}{'&' if '?' in path else '?'}language={chosen}" if chosen
            else settings.SITE_URL + path
            for name, path in paths.items()
        }  # fmt: skip
        with in_language_of(reader) if isinstance(reader, User) else nullcontext():
            if not is_proven and (until := barred.until(email)):
                template_prefix, links = "account/email/address_barred", {"words": barred.words(email, until)}
            super().send_mail(template_prefix, email, {**context, **links})

    def send_notification_mail(self, template_prefix: str, user: User, *args: object, **kwargs: object) -> None:
        """Tell the person of a change of how they sign in, at their confirmed address. A failure delays nothing."""
        if template_prefix not in CHANGES or not user.has_confirmed_address:
            return
        values = {"user": user, "words": CHANGES[template_prefix], "reset_url": reverse("account_reset_password")}
        try:
            self.send_mail("account/email/account_changed", user.email, values)
        except OSError:
            logger.exception("Cannot tell user %s of a change of their account.", user.pk)

    def get_reauthentication_methods(self, user: User) -> list[dict[str, str]]:
        """Return the ways to confirm who someone is, in our words: some of allauth's translations are too formal."""
        words = {
            "reauthenticate": _("Use your password"),
            "mfa_reauthenticate": _("Use your authenticator app or a recovery code"),
            "mfa_reauthenticate:webauthn": _("Use a security key"),
        }
        return [
            {**way, "description": words.get(way["id"], way["description"])}
            for way in super().get_reauthentication_methods(user)
        ]

    def render_mail(self, *args: object, **kwargs: object) -> EmailMessage:
        email = super().render_mail(*args, **kwargs)
        email.extra_headers.setdefault("Auto-Submitted", "auto-generated")
        return email


class SecondFactorAdapter(DefaultMFAAdapter):
    error_messages = {  # those that don't say what to do next, or address people too formally
        **DefaultMFAAdapter.error_messages,
        "add_email_blocked": gettext_lazy(
            "First remove your keys and your authenticator app under “Two-factor”. After you have changed the address,"
            " you can add them again."
        ),
        "unverified_email": gettext_lazy(
            "First confirm your email address, with the link in the email we sent there. Then you can add a key or an"
            " app."
        ),
    }


class SessionsAdapter(DefaultUserSessionsAdapter):
    def end_sessions(self, sessions: list[UserSession]) -> None:
        """Sign out everywhere else, including sessions that are not listed and the keys in emails."""
        for session in sessions:
            proof.end_session(session)
        proof.sign_out_everywhere(self.request.user, self.request)
