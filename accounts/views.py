"""Account pages: settings, sessions, email addresses, the archive of one's data, and deleting the account."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress, get_emailconfirmation_model
from allauth.account.utils import perform_login
from allauth.account.views import INTERNAL_RESET_SESSION_KEY, PasswordResetFromKeyView, SignupView
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from allauth.mfa.webauthn.views import RemoveWebAuthnView
from allauth.usersessions.models import UserSession
from allauth.usersessions.views import ListUserSessionsView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import HASH_SESSION_KEY, logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import acceptance, barred, hooks, personal, proof, services
from accounts.forms import DeleteAccountForm, FirstPasswordForm, PreferencesForm
from accounts.http import Request, SignedInRequest, own_path
from accounts.middleware import use_language_of
from accounts.models import AddressChange, DataExport, User, in_language_of
from accounts.names import TAKEN
from empire.web import languages, limits
from empire.web.documents import VERSIONS
from empire.web.limits import limited
from games.errors import GameError

UNDONE = "undone_address"  # in the session: the link that undid a change of address, and where to set a new password
USED = "used_reset"  # in the session: the account and the key of the last link with which a password was set


@login_required
def preferences(request: SignedInRequest) -> HttpResponse:
    person = User.objects.get(pk=request.user.pk)  # so that a refused form does not change the name in the header
    form = PreferencesForm(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        for field, action in (("username", "name"), ("time_zone", "time_off")):
            if field in form.changed_data and (wait := limits.wait_for(request, action)):
                return limits.too_often(request, wait)
        try:
            services.save_preferences(form)
        except IntegrityError:  # someone took the name after it was checked
            form.add_error("username", TAKEN)
        else:
            with in_language_of(person):
                messages.success(request, _("Your settings are saved."))
            answer = redirect("preferences")
            languages.remember(answer, person.language_code)
            return answer
    return render(request, "accounts/preferences.html", {"form": form}, status=422 if form.errors else 200)


class SignUp(SignupView):
    """Sign up. The second of two taps leads into the account that the first one created."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if user := services.recall_sign_up(request):
            if not user.has_confirmed_address:  # allauth says this only when it sends the email
                template = "account/messages/email_confirmation_sent.txt"
                get_adapter().add_message(request, messages.INFO, template, {"email": user.email})
            return perform_login(request, user, signup=True, redirect_url=self.get_success_url())
        return super().post(request, *args, **kwargs)


class SetPassword(PasswordResetFromKeyView):
    """Set a new password with the link in an email. In the same browser, a link that was used leads to the answer."""

    def dispatch(self, request: HttpRequest, uidb36: str, key: str, **kwargs: Any) -> HttpResponseBase:
        is_form = key == self.reset_url_key
        tried = request.session.get(INTERNAL_RESET_SESSION_KEY) if is_form else key
        if request.session.get(USED) == [uidb36, tried]:
            return redirect(self.get_success_url())
        return super().dispatch(request, uidb36, key, **kwargs)

    def form_valid(self, form: Form) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        if self.request.user == self.reset_user:  # the new password ends all other sessions
            self.request.session[HASH_SESSION_KEY] = self.reset_user.get_session_auth_hash()
        self.request.session[USED] = [self.kwargs["uidb36"], self.key]
        return answer


# Second factors: a second tap shows the same as the first


class TurnOnApp(ActivateTOTPView):
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not _has_factor(request, Authenticator.Type.TOTP):
            return super().dispatch(request, *args, **kwargs)
        if request.method != "POST":
            return redirect("mfa_index")
        get_adapter().add_message(request, messages.SUCCESS, "mfa/messages/totp_activated.txt")
        return redirect("mfa_view_recovery_codes")


class TurnOffApp(DeactivateTOTPView):
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_anonymous or _has_factor(request, Authenticator.Type.TOTP):
            return super().dispatch(request, *args, **kwargs)
        if request.method == "POST":
            get_adapter().add_message(request, messages.SUCCESS, "mfa/messages/totp_deactivated.txt")
        return redirect("mfa_index")


class RemoveKey(RemoveWebAuthnView):
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_anonymous or _has_factor(request, Authenticator.Type.WEBAUTHN, pk=kwargs["pk"]):
            return super().dispatch(request, *args, **kwargs)
        if request.method == "POST":
            get_adapter().add_message(request, messages.SUCCESS, "mfa/messages/webauthn_removed.txt")
        return redirect("mfa_list_webauthn")


def _has_factor(request: HttpRequest, kind: str, **which: int) -> bool:
    """Whether the person signs in with a second factor of this kind."""
    return Authenticator.objects.filter(user_id=request.user.pk, type=kind, **which).exists()


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Sign in as a guest and redirect to `next`."""
    services.play_as_guest(request, lambda _guest: None)
    return _onward(request)


@require_POST
def choose_language(request: Request) -> HttpResponse:
    """Keep the language in a cookie, and in the account if there is one, and return to the page with the form."""
    chosen = languages.supported(request.POST.get("language"))
    answer = _onward(request, request.headers.get("Referer", ""))
    if chosen:
        languages.remember(answer, chosen)
        if isinstance(request.user, User):
            User.objects.filter(pk=request.user.pk).update(language=chosen)
    return answer


def _onward(request: HttpRequest, page: str = "") -> HttpResponse:
    """Redirect to the page of this site in the field `next`, else to this one, else to the first page."""
    return HttpResponseRedirect(own_path(request, request.POST.get("next", "") or page) or "/")


@require_POST
@login_required
@limited("email")
def email_again(request: SignedInRequest) -> HttpResponse:
    """Send a confirmation to an address for which email was stopped."""
    try:
        services.resume_email(request, User.objects.get(pk=request.user.pk))
        sentence = _("Check your inbox: we’ve emailed %(address)s a link. Follow it to get email again.")
        messages.success(request, sentence % {"address": request.user.email}, extra_tags=services.LINK_SENT)
    except OSError:
        messages.error(request, _("Our email server isn’t responding. Try again in a few minutes."))
    return redirect("desk")


class Sessions(ListUserSessionsView):
    """Show where the person is signed in, and what works without signing in. POST signs out everywhere else."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "accesses": proof.accesses(self.request.user)}


sessions = require_http_methods(["GET", "HEAD", "POST"])(Sessions.as_view())  # allauth would treat PUT as POST


@require_POST
@login_required
def end_session(request: SignedInRequest, pk: int) -> HttpResponse:
    """End one of the user's sessions. It is no error if it has already ended."""
    session = UserSession.objects.filter(user=request.user, pk=pk).first()
    if session is not None:
        proof.end_session(session)
    messages.success(request, _("You are signed out on that device."))
    return redirect("usersessions_list")


@require_POST
@login_required
def end_access(request: SignedInRequest) -> HttpResponse:
    """Turn off the webhooks, devices and the like that the person chose. Those already gone are no error."""
    chosen = request.POST.getlist("key")
    ended = [access for access in proof.accesses(request.user) if access.key in chosen]
    for access in ended:
        access.end()
    if chosen:
        names = ", ".join(access.name for access in ended)
        messages.success(request, _("Turned off: %(names)s.") % {"names": names} if names else _("Already turned off."))
    else:
        messages.error(request, _("Choose what to turn off."))
    return redirect("usersessions_list")


@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
@limited("own_data")
def own_data(request: SignedInRequest) -> HttpResponse:
    """Show how far the archive of the person's data is. POST asks for one."""
    if request.method == "POST":
        try:
            personal.ask(request.user)
        except GameError as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("We are preparing your archive. We’ll notify you when it is ready."))
        return redirect("own_data")
    row = DataExport.objects.defer("content").filter(user=request.user).first()
    context = {
        "export": row, "is_ready": personal.is_ready(row), "is_waiting": personal.is_waiting(row),
        "has_failed": row and personal.has_failed(row), "url": personal.link(row) if row else "",
        "until": personal.expiry(row.made_at) if row and row.made_at else None, "days": settings.KEEP_EXPORTS,
    }  # fmt: skip
    return render(request, "accounts/data.html", context)


@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def fetch_data(request: SignedInRequest, signed: str) -> HttpResponse:
    """Download the archive of the link, once. GET only shows a button: programs that look at emails follow links."""
    row = personal.by_link(request.user, signed)
    if row is None or row.made_at is None:
        return render(request, "accounts/fetch_data.html", {"export": None}, status=410)
    if request.method != "POST":
        return render(request, "accounts/fetch_data.html", {"export": row, "until": personal.expiry(row.made_at)})
    content = personal.fetch(row)
    if content is None:  # it has expired since
        return render(request, "accounts/fetch_data.html", {"export": None}, status=410)
    name = f"{slugify(request.user.username) or 'data'}-{row.made_at:%Y-%m-%d}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="application/zip", headers=headers)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def accept_terms(request: SignedInRequest) -> HttpResponse:
    """Say what has changed in the terms or the rules of conduct since the reader accepted them. POST accepts it."""
    refusal, status = "", 200
    if request.method == "POST":
        try:
            acceptance.accept(user=request.user, shown=request.POST.dict())
        except GameError as problem:
            refusal, status = str(problem), 409
        else:
            messages.success(request, _("Thank you. You have accepted the new version."))
            return _onward(request)
    context = {
        "changes": acceptance.changes(request.user), "until": acceptance.deadline(request.user),
        "versions": VERSIONS, "refusal": refusal, "next": request.POST.get("next") or request.GET.get("next", ""),
        "is_accepting": True,
    }  # fmt: skip
    return render(request, "accounts/accept.html", context, status=status)


def delete_account(request: Request) -> HttpResponse:
    """Delete the account. The page says first what that means for games and competitions that have not ended."""
    if request.method == "POST" and request.user.is_anonymous:  # such as the second of two taps
        sentence = _(
            "You are signed out. If you have just deleted your account, it is gone. If not, sign in to delete it."
        )
        messages.info(request, sentence)
        return redirect("/")
    answer: HttpResponse = _delete_account(request)
    return answer


@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def _delete_account(request: SignedInRequest) -> HttpResponse:
    form = DeleteAccountForm(request.POST or None, user=request.user)
    status = 200
    if request.method == "POST" and form.is_valid():
        person = User.objects.get(pk=form.user.pk)
        try:
            services.delete_account(person)
        except GameError as refusal:
            form.add_error(None, str(refusal))
            status = 409
        else:
            logout(request)
            messages.success(request, _("Your account is deleted. Thank you for playing."))
            return redirect("/")
    elif form.errors:
        status = 422
    commitments = [sentence for hook in hooks.commitments for sentence in hook(request.user)]
    return render(request, "accounts/delete_account.html", {"form": form, "commitments": commitments}, status=status)


# Links in emails that prove an address


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_email(request: Request, key: str) -> HttpResponse:
    """Confirm an address: with a button in a browser that is signed in, else after entering the password or a new one.

    Anyone may have signed up with the address, so in another browser, confirming it must not leave someone else's
    password in place. A new password is only offered if no address of the account was ever proven, so that a mistyped
    new address cannot open the account.
    """
    confirmation = get_emailconfirmation_model().from_key(key)
    if confirmation is None:
        confirmed = proof.confirmed_by(key, request.user) if isinstance(request.user, User) else None
        if confirmed is not None:  # by the first of two taps, or before
            template = "account/messages/email_confirmed.txt"
            get_adapter().add_message(request, messages.SUCCESS, template, {"email": confirmed.email})
            return redirect(get_adapter().get_email_verification_redirect_url(confirmed))
        return render(request, "account/email_confirm.html", {"confirmation": None}, status=410)
    address: EmailAddress = confirmation.email_address
    use_language_of(request, address.user)
    is_here = request.user.pk == address.user_id
    may_reset = not is_here and not address.user.is_proven and (request.user.is_anonymous or request.user.is_guest)
    typed = request.POST if request.method == "POST" and may_reset else None
    barred_until = None if address.verified else barred.until(address.email)
    form = FirstPasswordForm(user=address.user, data=typed)
    is_free = address.can_set_verified() and not User.is_address_of(address.email, exclude=address.user)
    if is_free and barred_until is None:
        if request.method == "POST" and is_here:
            return _confirm(request, address)
        if form.is_valid():
            return _take_over(request, address, form.cleaned_data["password1"])
        can_confirm = True
    else:
        can_confirm = False
    context = {
        "confirmation": confirmation, "email": address.email, "can_confirm": can_confirm, "is_here": is_here,
        "may_reset": may_reset, "has_password": address.user.has_usable_password(), "form": form,
        "is_of_guest": address.user.is_guest and not address.user.has_usable_password(),
        "barred": barred.words(address.email, barred_until) if barred_until else "",
    }  # fmt: skip
    return render(request, "account/email_confirm.html", context, status=422 if form.errors else 200)


def _confirm(request: Request, address: EmailAddress) -> HttpResponse:
    """Confirm the address and notify the previous one. Nothing changes if the email cannot be sent."""
    try:
        with transaction.atomic():
            get_adapter().confirm_email(request, address)
    except OSError:
        messages.error(request, _("Our email server isn’t responding. Try again in a few minutes."))
        return redirect("account_email")
    return redirect(get_adapter().get_email_verification_redirect_url(address))


def _take_over(request: Request, address: EmailAddress, password: str) -> HttpResponse:
    """Hand the account to the reader of the address with a new password, and sign them in."""
    with transaction.atomic():
        proof.reclaim(address.user)
        get_adapter().set_password(address.user, password)
        EmailAddress.objects.filter(user=address.user).exclude(pk=address.pk).delete()
    if isinstance(request.user, User):
        request.guest, request.user = request.user, AnonymousUser()
    answer: HttpResponse = perform_login(request, address.user, email=address.email)
    get_adapter().confirm_email(request, address)
    return answer


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def undo_address(request: HttpRequest, signed: str) -> HttpResponse:
    """Undo a change of address with the link sent to the old one. GET changes nothing: scanners follow links.

    If the link is used again, the browser that used it gets to the new password; others read that the change is undone.
    """
    try:
        change = proof.read_undo(signed)
    except (signing.BadSignature, AddressChange.DoesNotExist):
        return render(request, "accounts/undo_address.html", {"change": None}, status=410)
    use_language_of(request, change.user)
    if change.is_undone:
        used, password_page = request.session.get(UNDONE, ["", ""])
        if used == signed and password_page:
            return redirect(password_page)
        undone = change if change.user.email == change.old else None
        return render(request, "accounts/undo_address.html", {"change": undone}, status=410)
    if request.method != "POST":
        request.session[UNDONE] = [signed, ""]  # so that the browser has a session before the first of two taps
        return render(request, "accounts/undo_address.html", {"change": change})
    password_page = proof.undo(change)
    if password_page is None:
        return render(request, "accounts/undo_address.html", {"change": change, "is_taken": True}, status=409)
    request.session[UNDONE] = [signed, password_page]
    return redirect(password_page)
