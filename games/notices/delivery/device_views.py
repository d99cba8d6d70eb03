"""Views for the signed-in person's devices and webhooks. Each responds with the section and a sentence.

They work with plain forms, without JavaScript.
"""

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts.http import SignedInRequest
from empire.web import limits
from games.errors import GameError, TooOften
from games.notices.delivery import devices as channels
from games.notices.models import Format

Act = Callable[[SignedInRequest], str]
PAGE = "wishes"


class HookForm(forms.Form):
    url = forms.CharField(
        label=gettext_lazy("Address"), max_length=1000,
        widget=forms.URLInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Starts with https://. Anyone who knows it can post to your channel, so we keep it secret."
        ),
    )  # fmt: skip
    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=Format, widget=forms.RadioSelect)


@require_POST
@login_required
@limits.limited("device")
def add_device(request: SignedInRequest) -> HttpResponse:
    told = {name: request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")}
    agent = request.headers.get("User-Agent", "")

    def add(request: SignedInRequest) -> str:
        device = channels.add_device(user=request.user, agent=agent, **told)
        return _("Added %(device)s. Send a test to make sure it works.") % {"device": device.name}

    return _answer(request, add)


@csrf_exempt  # a service worker has no CSRF token; the old endpoint is the proof instead
@require_POST
@limits.limited("renew")
def renew_device(request: HttpRequest) -> HttpResponse:
    told = {name: request.POST.get(name, "") for name in ("old", "endpoint", "p256dh", "auth")}
    try:
        channels.renew_device(**told)
    except GameError as refusal:
        return HttpResponse(str(refusal), status=422, content_type="text/plain")
    return HttpResponse(status=204)


@require_POST
@login_required
def remove_device(request: SignedInRequest, pk: int) -> HttpResponse:
    return _answer(request, lambda request: channels.remove_device(user=request.user, pk=pk))


@require_POST
@login_required
def try_device(request: SignedInRequest, pk: int) -> HttpResponse:
    return _answer(request, _patiently(lambda request: channels.try_device(user=request.user, pk=pk)))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def add_hook(request: SignedInRequest) -> HttpResponse:
    """Show the form for a new webhook, and keep the input if it is refused."""
    form = HookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            _need_patience(request)
            made = channels.add_hook(user=request.user, **form.cleaned_data)
        except TooOften as refusal:
            form.add_error("url", str(refusal))
            page = render(request, "notices/add_hook.html", {"form": form}, status=429)
            return limits.patient(page, refusal.wait)
        except GameError as refusal:
            form.add_error("url", str(refusal))
        else:
            messages.success(
                request, _("Added the webhook to %(host)s. Send a test to make sure it works.") % {"host": made.host}
            )
            return redirect(_section())
    return render(request, "notices/add_hook.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
@login_required
def remove_hook(request: SignedInRequest, pk: int) -> HttpResponse:
    return _answer(request, lambda request: channels.remove_hook(user=request.user, pk=pk))


@require_POST
@login_required
def try_hook(request: SignedInRequest, pk: int) -> HttpResponse:
    return _answer(request, _patiently(lambda request: channels.try_hook(user=request.user, pk=pk)))


@require_POST
@login_required
def revive_hook(request: SignedInRequest, pk: int) -> HttpResponse:
    return _answer(request, _patiently(lambda request: channels.revive_hook(user=request.user, pk=pk)))


def _patiently(act: Act) -> Act:
    def patient(request: SignedInRequest) -> str:
        _need_patience(request)
        return act(request)

    return patient


def _need_patience(request: SignedInRequest) -> None:
    """Raise `TooOften` if the person made us send too many requests to other hosts (`RATE_LIMITS`)."""
    if wait := limits.wait_for(request, "channels"):
        raise TooOften(limits.sentence(wait), wait)


def _answer(request: SignedInRequest, act: Act) -> HttpResponse:
    """Run `act` and return the section with its sentence, or redirect to the whole page without htmx."""
    try:
        said, level = act(request), messages.SUCCESS
    except TooOften as refusal:
        return limits.too_often(request, refusal.wait)
    except GameError as refusal:
        said, level = str(refusal), messages.ERROR
    if request.htmx:
        answer = {"sentence": said, "level": "error" if level == messages.ERROR else "success"}
        return render(request, "notices/_channels.html", {"answer": answer})
    messages.add_message(request, level, said)
    return redirect(_section())


def _section() -> str:
    return reverse(PAGE) + "#channels"
