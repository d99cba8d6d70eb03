"""Notification settings: the form, the presets, a description in sentences, and the links that unsubscribe."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from accounts.models import User
from empire import dates
from games.clocks.zones import instant
from games.notices import outlets
from games.notices.kinds import PRESSING, Channel, How, Kind
from games.notices.outbox import times
from games.notices.outbox.outbox import replan
from games.notices.outbox.words import enumerated
from games.rules.words import labelled

Wishes = dict[str, dict[str, str]]

UNSUBSCRIBE = "unsubscribe"
PRESETS = {
    "now": gettext_lazy("Everything, right away"),
    "late": gettext_lazy("Only what’s urgent"),
    "digest": gettext_lazy("One email a day"),
    "nothing": gettext_lazy("Nothing"),
}


def preset(name: str) -> Wishes:
    """Return the settings of a preset. Raises `KeyError`."""
    of_kind = {
        "now": lambda channel, kind: How.NOW,
        "late": lambda channel, kind: How.NOW if kind in PRESSING else How.OFF,
        "digest": lambda channel, kind: How.DIGEST if channel == Channel.EMAIL else How.OFF,
        "nothing": lambda channel, kind: How.OFF,
    }[name]
    return {channel.value: {kind.value: of_kind(channel, kind).value for kind in Kind} for channel in Channel}


def preset_of(user: User) -> str:
    """Return the name of the preset that equals the person's settings on their channels, or an empty text."""
    pairs = [(channel, kind) for channel in reach(user) for kind in Kind]
    for name in PRESETS:
        settings = preset(name)
        if all(user.how(kind, channel) == settings[channel][kind] for channel, kind in pairs):
            return name
    return ""


def reach(user: User) -> list[Channel]:
    """Return the channels that can reach the person."""
    return [channel for channel, outlet in outlets.all_outlets().items() if outlet.targets([user]).get(user.pk)]


def choices(kind: Kind) -> list[tuple[str, Any]]:
    """Return the choices for a kind. Reminders of a deadline cannot be delayed, because they are late already."""
    return [choice for choice in How.choices if not (kind == Kind.TIME and choice[0] == How.LATER)]


class NoticeSettingsForm(forms.ModelForm):
    """The settings one by one. What the page did not have stays as it is: a channel may have been added since.

    Without any channel, the page has only the quiet hours.
    """

    class Meta:
        model = User
        fields = ["delay", "digest_hour", "quiet_begins", "quiet_ends"]
        widgets = {
            "quiet_begins": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
            "quiet_ends": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
            "digest_hour": forms.Select(choices=[(hour, f"{hour}:00") for hour in range(24)]),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reach = reach(self.instance)
        for channel in self.reach:
            for kind in Kind:
                field = forms.ChoiceField(choices=choices(kind), initial=self.instance.how(kind, channel))
                field.widget.attrs["aria-label"] = labelled(str(channel.label), str(kind.label), _)
                self.fields[_name(channel, kind)] = field
        for name, form_field in self.fields.items():
            form_field.required = form_field.required and (not self.is_bound or name in self.data)

    @property
    def rows(self) -> Iterator[tuple[Kind, list[tuple[Channel, forms.BoundField]]]]:
        """Yield the fields of each kind, one for each channel that reaches the person."""
        return ((kind, [(channel, self[_name(channel, kind)]) for channel in self.reach]) for kind in Kind)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        begins, ends = cleaned.get("quiet_begins"), cleaned.get("quiet_ends")
        if (begins is None) != (ends is None) and not {"quiet_begins", "quiet_ends"} & set(self.errors):
            raise forms.ValidationError(_("Quiet hours need a start and an end. Leave both empty for no quiet hours."))
        if begins is not None and begins == ends:
            raise forms.ValidationError(
                _("Quiet hours can’t start and end at the same time. Choose two different times.")
            )
        return cleaned

    @property
    def kept(self) -> dict[str, Any]:
        """The values for the user's fields, of the valid form. Channels that do not reach the person keep theirs."""
        chosen = {
            channel: {
                kind: self.cleaned_data[_name(channel, kind)] or self.instance.how(kind, channel) for kind in Kind
            }
            for channel in self.reach
        }
        fields = {name: getattr(self.instance, name) for name in self.Meta.fields}  # where the form has put them
        return {"notice_settings": {**self.instance.notice_settings, **chosen}, **fields}


def _name(channel: Channel, kind: Kind) -> str:
    return f"{channel}-{kind}"


class PauseForm(forms.Form):
    until = forms.DateField(
        label=gettext_lazy("Resume on"), required=False, widget=forms.DateInput(attrs={"type": "date"}),
        help_text=gettext_lazy("Leave empty to pause until you resume."),
    )  # fmt: skip

    def __init__(self, data: Mapping[str, Any] | None = None, *, user: User) -> None:
        self.user = user
        super().__init__(data)

    def clean_until(self) -> datetime | None:
        day = self.cleaned_data["until"]
        if day is None:
            return None
        if day <= timezone.localdate(timezone=self.user.zone):  # also a day that has no moment in UTC
            raise forms.ValidationError(_("That day has already started. Choose a later day."))
        return instant(self.user.zone, day)


# In words

WHEN: dict[str, str] = {
    How.NOW: gettext_noop("We notify you by {channel} right away when {kinds}."),
    How.LATER: gettext_noop("We notify you by {channel} after {delay}, unless you act first, when {kinds}."),
    How.DIGEST: gettext_noop("We notify you by {channel} once a day, at {hour}, in one message, when {kinds}."),
    How.OFF: gettext_noop("We don’t notify you by {channel} when {kinds}."),
}


def in_words(user: User) -> list[str]:
    """Describe the person's settings in sentences, with times in their time zone."""
    now = timezone.now()
    if times.is_paused(user, now):
        if user.paused_until is None:
            return [_("Notifications are paused until you resume. Then we send what still needs your attention.")]
        words = _("Notifications are paused until {when}. Then we send what still needs your attention.")
        return [words.format(when=dates.localized(timezone.localtime(user.paused_until), "j F, H:i"))]
    delay = ngettext("{n} minute", "{n} minutes", user.delay).format(n=user.delay)
    digest_at = times.after_quiet(user, times.next_digest(user, now)).astimezone(user.zone)
    sentences = []
    for channel in reach(user):
        by_how = {how: [kind for kind in Kind if user.how(kind, channel) == how] for how in How}
        if len(by_how[How.OFF]) == len(Kind):
            sentences.append(_("We send you nothing by {channel}.").format(channel=channel.label))
            continue
        for how, kinds in by_how.items():
            occasions = enumerated([str(kind.label) for kind in kinds], _("{first} or {last}"))
            if len(kinds) == len(Kind):
                occasions = _("anything listed below happens")
            hour = time_format(digest_at, "H:i")
            if kinds:
                sentences.append(_(WHEN[how]).format(channel=channel.label, kinds=occasions, delay=delay, hour=hour))
    if user.quiet_begins is not None and user.quiet_ends is not None:
        words = _(
            "We send nothing between {begins} and {ends}. Notifications wait until {ends}, except reminders"
            " that would then be too late: those come before {begins}."
        )
        begins, ends = time_format(user.quiet_begins, "H:i"), time_format(user.quiet_ends, "H:i")
        sentences.append(words.format(begins=begins, ends=ends))
    return sentences


# Saved


def set_how(*, user: User, kinds: Sequence[Kind], channel: Channel, how: How) -> None:
    """Set how the person is notified of these kinds on this channel."""
    with transaction.atomic():
        person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        of_channel = {**person.notice_settings.get(channel, {}), **dict.fromkeys(kinds, how)}
        save_settings(user=person, notice_settings={**person.notice_settings, channel: of_channel})


@transaction.atomic
def save_settings(*, user: User, **fields: object) -> None:
    """Save fields of the person's notification settings, and reschedule their waiting notices."""
    for name, value in fields.items():
        setattr(user, name, value)
    user.save(update_fields=list(fields))
    replan(user)


# Unsubscribe links, which work without signing in (RFC 8058)


def unsubscribe_url(user: User, kinds: Sequence[Kind], channel: Channel, how: How = How.NOW) -> str:
    """Return a link that turns off notices of these kinds on a channel. `how` is restored on resubscribing.

    It stops working when the account gets another email address, because others may read emails to the old one.
    """
    about = [user.pk, _address_hash(user), [kind.value for kind in kinds], channel.value, how.value]
    return settings.SITE_URL + reverse("unsubscribe", args=[signing.dumps(about, salt=UNSUBSCRIBE)])


def _address_hash(user: User) -> str:
    return salted_hmac(UNSUBSCRIBE, user.email.lower()).hexdigest()[:16]


def read_unsubscribe(signed: str) -> tuple[User, list[Kind], Channel, How]:
    """Return the reader, kinds, channel and `how` of a link.

    Raises `BadSignature`, `User.DoesNotExist`, or `ValueError` for an outdated link.
    """
    pk, address, kinds, channel, how = signing.loads(signed, salt=UNSUBSCRIBE)
    user = User.objects.get(pk=pk, is_active=True)
    if not constant_time_compare(address, _address_hash(user)):
        raise ValueError("The account has another email address by now.")
    return user, [Kind(kind) for kind in kinds], Channel(channel), How(how)
