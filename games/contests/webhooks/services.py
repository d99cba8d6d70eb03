"""Services for the webhooks of a league or tournament: add, change, test, turn back on and remove.

Everyone who may change the settings may use them. The whole address is a secret that no page shows again.
"""

from collections.abc import Collection
from dataclasses import replace

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.http import AGAIN
from accounts.models import User
from games.contests.models import CompetitionHook, Post, Subject
from games.contests.organizers import Competition, Right, key_of, lock, need_organizer
from games.errors import GameError, NotYours
from games.notices.delivery.channels import addresses, outgoing
from games.notices.delivery.channels import hook as channel
from games.notices.delivery.channels.brief import trial
from games.notices.models import OPEN, Format, NoticeReason, NoticeState

MOST = 3  # webhooks of a competition


def add(*, competition: Competition, by: User, url: str, format: str, subjects: Collection[str]) -> CompetitionHook:
    """Add a webhook. Raises `GameError` with a sentence for the person who typed the address."""
    need_organizer(competition, by, Right.SETTINGS)
    if format not in Format.values:
        raise GameError(gettext("Choose a format for the webhook."))
    chosen = _chosen(subjects)
    with outgoing.for_a_page():  # outside of the transaction, because it may take seconds
        addresses.resolve(addresses.read(url))
    with transaction.atomic():
        competition = lock(competition, by, Right.SETTINGS)
        hooks = CompetitionHook.objects.filter(**key_of(competition))
        recent = hooks.filter(at__gt=timezone.now() - AGAIN)
        if before := recent.filter(url=url, by=by, format=format, subjects=chosen).first():
            return before  # the form was sent twice
        if hooks.filter(url=url).exists():
            raise GameError(gettext("This webhook is already on the list."))
        if hooks.count() >= MOST:
            raise GameError(gettext("There can be at most %(n)d webhooks. Remove one first.") % {"n": MOST})
        return CompetitionHook.objects.create(
            **key_of(competition), by=by, url=url, format=format, subjects=chosen, at=timezone.now()
        )


@transaction.atomic
def change(*, competition: Competition, by: User, pk: int, subjects: Collection[str]) -> str:
    """Change what a webhook posts from now on."""
    hook = _find(competition, by, pk)
    CompetitionHook.objects.filter(pk=hook.pk).update(subjects=_chosen(subjects))
    return gettext("Saved. This applies to what happens from now on.")


@transaction.atomic
def remove(*, competition: Competition, by: User, pk: int) -> str:
    """Remove a webhook and its posts. Repeating it has no effect."""
    need_organizer(competition, by, Right.SETTINGS)
    CompetitionHook.objects.filter(**key_of(competition), pk=pk).delete()
    return gettext("Webhook removed. We won’t post there anymore.")


@transaction.atomic
def revive(*, competition: Competition, by: User, pk: int) -> str:
    """Turn a webhook back on and forget its failures. Posts that were waiting are dropped."""
    hook = _find(competition, by, pk)
    if not hook.is_on:
        Post.objects.filter(hook=hook, state__in=OPEN).update(state=NoticeState.DROPPED, why=NoticeReason.GONE)
    CompetitionHook.objects.filter(pk=hook.pk).update(off_because="", failure="", failing_since=None)
    return gettext("We will post to %(host)s again.") % {"host": hook.host}


def test(*, competition: Competition, by: User, pk: int) -> str:
    """Post a test and return a sentence with the result. Raises `GameError` if the post fails."""
    hook = _find(competition, by, pk)
    with outgoing.for_a_page():
        answer = channel.post(hook, replace(trial(), url=settings.SITE_URL + competition.get_absolute_url()))
    if not answer.is_yes:
        raise GameError(answer.sentence)
    if hook.is_on:
        CompetitionHook.objects.filter(pk=pk).update(failure="", failing_since=None)
    return gettext("Test sent. %(answer)s") % {"answer": answer.sentence}


def _chosen(subjects: Collection[str]) -> list[str]:
    chosen = [subject for subject in Subject.values if subject in subjects]
    if not chosen:
        raise GameError(gettext("Choose what to post."))
    return chosen


def _find(competition: Competition, by: User, pk: int) -> CompetitionHook:
    need_organizer(competition, by, Right.SETTINGS)
    hook = CompetitionHook.objects.filter(**key_of(competition), pk=pk).first()
    if hook is None:
        raise NotYours(gettext("This webhook is no longer on the list. Reload the page."))
    return hook
