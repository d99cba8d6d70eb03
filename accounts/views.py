"""Pages about people: a player's page, preferences, the way out of mails, and the way out altogether."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import services
from accounts.forms import ForgetForm, PreferencesForm
from accounts.http import Request, SignedInRequest
from accounts.models import User
from games.selectors.history import history


@require_GET
def player(request: Request, username: str) -> HttpResponse:
    person = get_object_or_404(User, username__iexact=username)
    if person.username != username:
        return redirect(person, permanent=False)
    played = history(person=person, reader=request.user, page=request.GET.get("page"))
    return render(request, "accounts/player.html", {"person": person, "history": played})


@login_required
def preferences(request: SignedInRequest) -> HttpResponse:
    person = User.objects.get(pk=request.user.pk)  # a form that is refused must not change the name in the header
    form = PreferencesForm(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        services.keep_preferences(form)
        messages.success(request, _("Your preferences are kept."))
        return redirect("preferences")
    return render(request, "accounts/preferences.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Play without an account, and go on to where one wanted to go."""
    services.play_as_guest(request)
    wanted = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return redirect(wanted if is_ours else "/")


@csrf_exempt  # the signed address is the right to do it; mail programs post here by themselves (RFC 8058)
@never_cache
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, signed: str) -> HttpResponse:
    try:
        person, kind = services.read_unsubscribe(signed)
    except (signing.BadSignature, User.DoesNotExist) as error:
        raise Http404 from error
    if request.method == "POST":
        services.set_mail(user=person, kind=kind, wanted="again" in request.POST)
        person.refresh_from_db()
    context = {"kind": kind, "is_on": person.wants_mail(kind), "is_done": request.method == "POST"}
    return render(request, "accounts/unsubscribe.html", context)


@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def forget(request: SignedInRequest) -> HttpResponse:
    form = ForgetForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        person = form.user
        logout(request)
        services.forget(person)
        messages.success(request, _("Your account is gone. Thank you for the games."))
        return redirect("/")
    return render(request, "accounts/forget.html", {"form": form}, status=422 if form.errors else 200)
