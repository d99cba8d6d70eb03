"""Services for push devices and webhooks: add, test, turn back on and remove."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.hooks import Access
from accounts.http import AGAIN, browser_name, whole_number
from accounts.models import User
from games.errors import GameError, NotYours
from games.notices.delivery.channels import addresses, hook, outgoing, push
from games.notices.delivery.channels.brief import trial
from games.notices.models import Device, Format, Hook

SESSION_DEVICE = "push_device"  # in the session of a browser that gets push notifications: the id of its device
COOKIE = "push_device"  # the same, signed, in a cookie, which outlives the session
COOKIE_AGE = timedelta(days=400)  # browsers keep none for longer
DEVICES = 10
HOOKS = 5


@transaction.atomic
def add_device(*, user: User, endpoint: str, p256dh: str, auth: str, agent: str) -> Device:
    """Add a browser for push notifications, and take it from its previous owner, if any. Raises `GameError`."""
    _need_subscription(endpoint, p256dh, auth)
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # serializes requests from two tabs
    if Device.objects.filter(user=user).exclude(endpoint=endpoint).count() >= DEVICES:
        raise GameError(gettext("You already have %(n)d devices. Remove one first.") % {"n": DEVICES})
    keys = {"p256dh": p256dh, "auth": auth, "name": browser_name(agent), "added_at": timezone.now()}
    fresh = {"user": user, "failure": "", "used_at": None, **keys}
    return Device.objects.update_or_create(endpoint=endpoint, defaults=fresh)[0]


def remember_here(answer: HttpResponse, device: int) -> None:
    """Remember in a cookie for the pages on which people sign in that this browser has the device with this id."""
    answer.set_signed_cookie(
        COOKIE, str(device), salt=COOKIE, max_age=COOKIE_AGE, path="/accounts/", httponly=True, samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )  # fmt: skip


def signing_up(request: HttpRequest, guest: User) -> None:
    """Keep only the guest's device that is this browser: others may have used the session of the guest before.

    The session does not tell which one that is, because they could have added a device with it. The form contains the
    endpoint of the browser, which scripts have filled in.
    """
    guests_devices, here = Device.objects.filter(user=guest), request.POST.get("endpoint", "")
    stopped, _rows = guests_devices.exclude(endpoint=here).delete()
    if stopped and not guests_devices.exists():
        messages.info(
            request,
            gettext(
                "We have turned off the guest’s push notifications. Turn them on again in your notification settings."
            ),
        )


def signed_in(request: HttpRequest, user: User) -> None:
    """Note in a new session that its browser is one of the user's devices, so that signing out there stops it.

    Sessions end in other ways, too: after a time, by a new password, or when a guest signs up. Another account's
    push notifications to this browser stop, because someone else uses it now.
    """
    known_here = request.get_signed_cookie(COOKIE, default="", salt=COOKIE) or ""
    device = Device.objects.filter(pk=whole_number(known_here) or 0).first()
    if device is None:  # a guest has signed up, see `signing_up`
        device = Device.objects.filter(user=user, endpoint=request.POST.get("endpoint", "")).first()
    if device is not None and device.user_id == user.pk:
        request.session[SESSION_DEVICE] = device.pk
    elif device is not None and not user.is_guest:
        device.delete()


def signed_out(user: User, session: Mapping[str, Any]) -> None:
    """Stop push notifications to a browser that its user signs out of: others may use it."""
    Device.objects.filter(user=user, pk=session.get(SESSION_DEVICE, 0)).delete()


@transaction.atomic
def renew_device(*, old: str, endpoint: str, p256dh: str, auth: str) -> None:
    """Replace a browser's push endpoint. Knowing the old endpoint, a secret, proves that it is the same browser."""
    _need_subscription(endpoint, p256dh, auth)
    device = Device.objects.select_for_update().filter(endpoint=old).first()
    if device is None:
        raise NotYours(gettext("We don’t know this device. Add it again in your notification settings."))
    Device.objects.filter(endpoint=endpoint).exclude(pk=device.pk).delete()
    Device.objects.filter(pk=device.pk).update(endpoint=endpoint, p256dh=p256dh, auth=auth, failure="")


def remove_device(*, user: User, pk: int) -> str:
    """Remove the device, if it still exists, and return a sentence for its owner."""
    Device.objects.filter(user=user, pk=pk).delete()
    return gettext("Device removed. It won’t get notifications anymore.")


def try_device(*, user: User, pk: int) -> str:
    """Push a test and return a sentence with the result. Raises `GameError` if the push service refuses it."""
    device = Device.objects.filter(user=user, pk=pk).first()
    if device is None:
        raise NotYours(gettext("This device is no longer on your list. Reload the page."))
    with outgoing.for_a_page():
        answer = push.push(device, trial())
    if answer.is_gone:
        device.delete()
        raise GameError(
            gettext(
                "That browser no longer accepts our notifications, so we removed it. To add it again, open this page "
                "there."
            )
        )
    if not answer.is_yes:
        raise GameError(answer.sentence)
    return gettext("Test sent. %(device)s should show it in a moment.") % {"device": device.name}


def _need_subscription(endpoint: str, p256dh: str, auth: str) -> None:
    if not push.is_possible():
        raise GameError(gettext("This site can’t send push notifications: it has no key for them."))
    if not push.is_key(p256dh, auth):
        raise GameError(gettext("Your browser didn’t send a valid push subscription. Reload the page and try again."))
    addresses.read(endpoint)


def add_hook(*, user: User, url: str, format: str) -> Hook:
    """Add a webhook. Raises `GameError` with a sentence for the person who typed the address."""
    if user.is_guest:
        raise NotYours(gettext("Webhooks are for players with an account. Sign up first."))
    if format not in Format.values:
        raise GameError(gettext("Choose a format for the webhook."))
    with outgoing.for_a_page():
        addresses.resolve(addresses.read(url))
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # serializes requests from two tabs
        own_hooks = Hook.objects.filter(user=user)
        if before := own_hooks.filter(url=url, format=format, added_at__gt=timezone.now() - AGAIN).first():
            return before  # the form was sent twice
        if own_hooks.filter(url=url).exists():
            raise GameError(gettext("You already have this webhook."))
        if own_hooks.count() >= HOOKS:
            raise GameError(gettext("You already have %(n)d webhooks. Remove one first.") % {"n": HOOKS})
        return Hook.objects.create(user=user, url=url, format=format)


def remove_hook(*, user: User, pk: int) -> str:
    Hook.objects.filter(user=user, pk=pk).delete()
    return gettext("Webhook removed. We won’t post there anymore.")


def _hooks(user: User) -> QuerySet[Hook]:
    """Return the webhooks of the person and their bots."""
    return Hook.objects.filter(Q(user=user) | Q(user__bot_account__owner=user))


def forget_channels(user: User) -> None:
    """Delete all devices and webhooks of the person and their bots."""
    Device.objects.filter(user=user).delete()
    _hooks(user).delete()


def accesses(user: User) -> list[Access]:
    """Return the devices and webhooks that are told about the person's games, or their bots', without signing in."""
    entries = []
    for device in Device.objects.filter(user=user).order_by("added_at"):
        name = gettext("Push notifications to %(device)s") % {"device": device.name}
        entries.append(Access(f"device.{device.pk}", name, device.added_at, device.delete))
    for hook_row in _hooks(user).order_by("added_at").select_related("user"):
        words = gettext("Webhook of %(bot)s to %(host)s") if hook_row.user.is_bot else gettext("Webhook to %(host)s")
        name = words % {"bot": hook_row.user.username, "host": hook_row.short_url}
        entries.append(Access(f"hook.{hook_row.pk}", name, hook_row.added_at, hook_row.delete))
    return entries


def revive_hook(*, user: User, pk: int) -> str:
    """Turn a webhook back on and forget its failures."""
    hook_row = _my_hook(user, pk)
    Hook.objects.filter(pk=hook_row.pk).update(off_because="", failure="", failing_since=None)
    return gettext("We will post to %(host)s again.") % {"host": hook_row.host}


def try_hook(*, user: User, pk: int) -> str:
    """Post a test and return a sentence with the result. Raises `GameError` if the post fails."""
    hook_row = _my_hook(user, pk)
    with outgoing.for_a_page():
        answer = hook.post(hook_row, trial())
    if not answer.is_yes:
        raise GameError(answer.sentence)
    if hook_row.is_on:
        Hook.objects.filter(pk=pk).update(failure="", failing_since=None)
    return gettext("Test sent. %(answer)s") % {"answer": answer.sentence}


def _my_hook(user: User, pk: int) -> Hook:
    hook_row = Hook.objects.filter(user=user, pk=pk).first()
    if hook_row is None:
        raise NotYours(gettext("This webhook is no longer on your list. Reload the page."))
    return hook_row
