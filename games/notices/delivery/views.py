"""Pages about notices: the list of what was sent, the settings, unsubscribing, devices and webhooks."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.core.paginator import Paginator
from django.db.models import F, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.http import SignedInRequest
from accounts.middleware import use_language_of
from accounts.models import User
from accounts.proof import need_recent_proof
from empire.web import limits
from games.errors import GameError, TooOften
from games.notices.delivery import devices, preferences
from games.notices.delivery.messages import table_name
from games.notices.delivery.preferences import PRESETS, NoticeSettingsForm, PauseForm, in_words, preset, preset_of
from games.notices.kinds import Channel, How, Kind
from games.notices.models import Format, Notice, NoticeState
from games.notices.outbox.times import is_paused
from games.notices.outbox.words import enumerated
from games.tables.selectors.listed import seats_by_game

ON_A_PAGE = 40


@never_cache
@login_required
@require_safe
def notices(request: SignedInRequest) -> HttpResponse:
    """List the reader's notices, newest first, filtered by `channel` and `fate`."""
    channel, fate = request.GET.get("channel", ""), request.GET.get("fate", "")
    # Pending reminders of turns that have been taken are left out
    overtaken = Q(kind=Kind.TIME, state=NoticeState.QUEUED, due_at__gt=timezone.now()) & ~Q(seq=F("seat__game__seq"))
    rows_shown = Notice.objects.filter(user=request.user).exclude(overtaken).select_related("seat__game")
    rows_shown = rows_shown.filter(channel=channel) if channel in Channel.values else rows_shown
    rows_shown = rows_shown.filter(state=fate) if fate in NoticeState.values else rows_shown
    page = Paginator(rows_shown.order_by("-created_at", "-pk"), ON_A_PAGE).get_page(request.GET.get("page"))
    seats = seats_by_game([notice.seat.game_id for notice in page if notice.seat])
    rows = [
        (notice, table_name(seat.game, seats[seat.game_id], seat, request.user) if (seat := notice.seat) else "")
        for notice in page
    ]
    context = {
        "page": page, "rows": rows, "channel": channel, "fate": fate,
        "channels": Channel.choices, "fates": NoticeState.choices,
    }  # fmt: skip
    return render(request, "notices/notices.html", context)


@never_cache
@login_required
def settings(request: SignedInRequest) -> HttpResponse:
    """Show and save the notification settings: one by one, from a preset, or paused."""
    person = User.objects.get(pk=request.user.pk)
    is_form = request.method == "POST" and not {"preset", "pause", "resume"} & request.POST.keys()
    form = NoticeSettingsForm(request.POST if is_form else None, instance=person)
    pause = PauseForm(request.POST if "pause" in request.POST else None, user=person)
    if request.method == "POST":
        chosen: dict[str, Any] = {}
        if request.POST.get("preset") in PRESETS:
            chosen = {"notice_settings": preset(request.POST["preset"])}
        elif "resume" in request.POST:
            chosen = {"is_paused": False, "paused_until": None}
        elif pause.is_valid():
            chosen = {"is_paused": True, "paused_until": pause.cleaned_data["until"]}
        elif form.is_valid():
            chosen = form.kept
        if chosen:
            preferences.save_settings(user=person, **chosen)
            messages.success(request, _("Your notification settings are saved."))
            return redirect("notice_settings")
    person.refresh_from_db()
    context = {
        "form": form, "pause": pause, "presets": PRESETS, "preset": preset_of(person), "person": person,
        "sentences": in_words(person), "is_paused": is_paused(person, timezone.now()),
        "missing": [channel for channel in Channel if channel not in form.reach],
    }  # fmt: skip
    is_refused = bool(form.errors or pause.errors)
    return render(request, "notices/preferences.html", context, status=422 if is_refused else 200)


@csrf_exempt  # the signed URL authorizes the request; email programs post here automatically (RFC 8058)
@never_cache
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, signed: str) -> HttpResponse:
    try:
        person, kinds, channel, how = preferences.read_unsubscribe(signed)
    except (signing.BadSignature, User.DoesNotExist, ValueError):  # forged, outdated, or of a deleted account
        return render(request, "notices/unsubscribe_gone.html", status=410)
    use_language_of(request, person)
    if request.method == "POST":
        preferences.set_how(user=person, kinds=kinds, channel=channel, how=how if "again" in request.POST else How.OFF)
        person.refresh_from_db()
    is_on = any(person.how(kind, channel) != How.OFF for kind in kinds)
    kind_names = enumerated([str(kind.label) for kind in kinds], _("{first} or {last}"))
    context = {"kinds": kind_names, "channel": channel, "is_on": is_on, "is_done": request.method == "POST"}
    return render(request, "notices/unsubscribe.html", context)


# Devices and webhooks

Act = Callable[[SignedInRequest], str]
PAGE = "notice_settings"


class HookForm(forms.Form):
    url = forms.CharField(
        label=gettext_lazy("URL"), max_length=1000,
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
    need_recent_proof(request, page=reverse(PAGE))
    subscription = {name: request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")}
    agent = request.headers.get("User-Agent", "")

    def add(request: SignedInRequest) -> str:
        device = devices.add_device(user=request.user, agent=agent, **subscription)
        request.session[devices.SESSION_DEVICE] = device.pk
        return _("Added %(device)s. Send a test to make sure it works.") % {"device": device.name}

    answer = _answer(request, add)
    if here := request.session.get(devices.SESSION_DEVICE):
        devices.remember_here(answer, here)
    return answer


@csrf_exempt  # a service worker has no CSRF token; the old endpoint is the proof instead
@require_POST
@limits.limited("renew")
def renew_device(request: HttpRequest) -> HttpResponse:
    subscription = {name: request.POST.get(name, "") for name in ("old", "endpoint", "p256dh", "auth")}
    try:
        devices.renew_device(**subscription)
    except GameError as refusal:
        return HttpResponse(str(refusal), status=422, content_type="text/plain")
    return HttpResponse(status=204)


@require_POST
@login_required
def change(request: SignedInRequest, pk: int, do: Callable[..., str]) -> HttpResponse:
    """Let a service remove, test or revive one of the person's devices or webhooks."""

    def changed(request: SignedInRequest) -> str:
        if do not in (devices.remove_device, devices.remove_hook):  # the others call another host
            _need_patience(request)
        return do(user=request.user, pk=pk)

    return _answer(request, changed)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def add_hook(request: SignedInRequest) -> HttpResponse:
    """Show the form for a new webhook, and keep the input if it is refused."""
    need_recent_proof(request)
    form = HookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            _need_patience(request)
            hook = devices.add_hook(user=request.user, **form.cleaned_data)
        except TooOften as refusal:
            form.add_error("url", str(refusal))
            page = render(request, "notices/add_hook.html", {"form": form}, status=429)
            return limits.with_retry_after(page, refusal.wait)
        except GameError as refusal:
            form.add_error("url", str(refusal))
        else:
            messages.success(
                request, _("Added the webhook to %(host)s. Send a test to make sure it works.") % {"host": hook.host}
            )
            return redirect(_section())
    return render(request, "notices/add_hook.html", {"form": form}, status=422 if form.errors else 200)


def _need_patience(request: SignedInRequest) -> None:
    """Raise `TooOften` if the person made us send too many requests to other hosts (`RATE_LIMITS`)."""
    if wait := limits.wait_for(request, "channels"):
        raise TooOften(limits.sentence(wait), wait)


def _answer(request: SignedInRequest, act: Act) -> HttpResponse:
    """Run `act` and return the section with its sentence, or redirect to the whole page without htmx."""
    try:
        sentence, level = act(request), messages.SUCCESS
    except TooOften as refusal:
        return limits.too_often(request, refusal.wait)
    except GameError as refusal:
        sentence, level = str(refusal), messages.ERROR
    if request.htmx:
        answer = {"sentence": sentence, "level": "error" if level == messages.ERROR else "success"}
        return render(request, "notices/_channels.html", {"answer": answer})
    messages.add_message(request, level, sentence)
    return redirect(_section())


def _section() -> str:
    return reverse(PAGE) + "#channels"
