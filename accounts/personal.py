"""Personal data: where it is, the archive that people can ask for, and what is removed when its time is over.

Each package lists the fields of its models in its `personal.toml`; that of `accounts` has those of the libraries too.
`docs/privacy.md` says the same in plain words. The archive, the deletion and the page are tested against these lists.
"""

import json
import logging
import tempfile
import tomllib
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.core import signing
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Exists, F, ForeignKey, Model, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import barred, deletions, hooks, http, proof
from accounts.models import DataExport, User
from empire.on_commit import delay_on_commit
from games.errors import GameError

logger = logging.getLogger(__name__)

LEASE = timedelta(minutes=30)  # for a worker to make an archive
TRIES = 3
INTERVAL = timedelta(days=1)  # between two archives that a person asks for
UNLISTED_KEPT = timedelta(days=2)
SALT = "accounts.personal.export"


class PersonalFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a model: which are personal data, and what happens to them when a person deletes their account."""

    about: str = ""  # the line of docs/privacy.md
    of: tuple[str, ...] = ()  # relations to the people whose archive has the row
    by_id: tuple[str, ...] = ()  # fields with their ids as text
    gone: tuple[str, ...] = ()  # deleted with the row
    cleared: tuple[str, ...] = ()  # set to null
    replaced: tuple[str, ...] = ()  # by "Former player" or an empty text
    kept: tuple[str, ...] = ()  # because others need them
    hidden: tuple[str, ...] = ()  # left out of the archive: secrets, and what it would tell about others
    of_player: tuple[str, ...] = ()  # left out of the archive while someone else is the row's `user`, whose they are
    other: tuple[str, ...] = ()  # not personal

    @property
    def personal(self) -> tuple[str, ...]:
        return (*self.gone, *self.cleared, *self.replaced, *self.kept)


@cache
def personal_fields() -> dict[type[Model], PersonalFields]:
    """Return the lists of all packages, by model."""
    by_model = dict[type[Model], PersonalFields]()
    for config in apps.get_app_configs():
        path = Path(config.path) / "personal.toml"
        if path.is_file():
            entries = tomllib.loads(path.read_text(encoding="utf-8"))
            by_model |= {
                apps.get_model(label): msgspec.convert(entry, PersonalFields) for label, entry in entries.items()
            }
    return by_model


# The archive


def files(user: User) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the person's archive: a name and the content of each."""
    for model, fields in personal_fields().items():
        of_person = Q(pk=None)
        for path in fields.of:
            of_person |= Q(**{path: user.pk})
        for path in fields.by_id:
            of_person |= Q(**{path: str(user.pk)})
        if fields.of or fields.by_id:
            rows = model._base_manager.filter(of_person).order_by("pk").iterator()
            withhold = hooks.withheld.get(model._meta.label)
            plain = [_plain(row, fields, user) for row in (withhold(user, rows) if withhold else rows)]
            if plain:
                text = json.dumps(plain, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
                yield f"{fields.about.lower().replace(' ', '-')}/{model.__name__}.json", text.encode()
    for hook in hooks.exported:
        yield from hook(user)


def _plain(row: Model, fields: PersonalFields, user: User) -> dict[str, Any]:
    is_played_by_other = bool(fields.of_player) and row.user_id not in (None, user.pk)  # type: ignore[attr-defined]
    left_out = {*fields.hidden, *(fields.of_player if is_played_by_other else ())}
    return {field.name: _value(row, field, user) for field in row._meta.concrete_fields if field.name not in left_out}


def _value(row: Model, field: Any, user: User) -> Any:
    """Return the value as an archive has it: other rows by the name by which people know them, else by their number."""
    value = getattr(row, field.attname)
    if not isinstance(field, ForeignKey) or value is None:
        return value.hex() if isinstance(value, bytes) else value
    if value == user.pk and field.related_model is User:
        return user.username
    naming_field = next((name for name in ("username", "public_id", "slug") if hasattr(field.related_model, name)), "")
    return getattr(getattr(row, field.name), naming_field) if naming_field else value


README = """This archive has what {site} stores about {name}, as of {at} UTC.

Each folder is about one line of the table on {url}.
The files are JSON, one for each kind of row, and "games/records" has the record of each of your games.
Left out are passwords, keys and other secrets, what only others may know, and what is hidden in games that are
still being played.
"""


def archive(user: User) -> bytes:
    """Return the zip with everything about the person. It is made in a file, because games can be many."""
    with tempfile.TemporaryFile() as file:
        with ZipFile(file, "w", ZIP_DEFLATED) as target:
            about = {"site": settings.SITE_NAME, "name": user.username, "url": f"{settings.SITE_URL}/privacy/"}
            target.writestr("README.txt", README.format(at=f"{timezone.now():%Y-%m-%d %H:%M}", **about))
            for name, content in files(user):
                target.writestr(name, content)
        file.seek(0)
        return file.read()


# Asking for it, making it in the background, and fetching it once


def expiry(made_at: datetime) -> datetime:
    return made_at + timedelta(days=settings.KEEP_EXPORTS)


def is_ready(row: DataExport | None) -> bool:
    return bool(row and row.made_at and not row.fetched_at and expiry(row.made_at) > timezone.now())


def can_fetch(row: DataExport) -> bool:
    """Return whether it is ready, or was fetched a moment ago, by the first of two taps."""
    again = row.fetched_at is not None and row.fetched_at > timezone.now() - http.AGAIN
    return is_ready(row) or again


def is_waiting(row: DataExport | None) -> bool:
    return bool(row and row.made_at is None and not has_failed(row))


def has_failed(row: DataExport) -> bool:
    """Return whether no worker could make it, so that the person can ask again at once."""
    given_up = row.claimed_at is not None and row.claimed_at < timezone.now() - LEASE
    return row.made_at is None and row.tries >= TRIES and (row.claimed_at is None or given_up)


@transaction.atomic
def ask(user: User) -> DataExport:
    """Have the person's archive made. Raises `GameError` while there is one, and within a day of the last one."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # serializes requests from two tabs
    row, now = DataExport.objects.defer("content").filter(user=user).first(), timezone.now()
    if row and is_waiting(row) and row.asked_at > now - http.AGAIN:
        return row  # the form was sent twice
    if is_waiting(row):
        raise GameError(_("We are already preparing your archive. We’ll notify you when it is ready."))
    if is_ready(row):
        raise GameError(_("Your archive is ready. Download it below."))
    if row and not has_failed(row) and now < row.asked_at + INTERVAL:
        raise GameError(_("You can ask for one archive a day. Try again tomorrow."))
    fresh = {
        "number": row.number + 1 if row else 1, "asked_at": now, "claimed_at": None, "tries": 0, "made_at": None,
        "fetched_at": None, "content": None,
    }  # fmt: skip
    row, _is_new = DataExport.objects.update_or_create(user=user, defaults=fresh)
    delay_on_commit("accounts.tasks.make_export", user.pk)
    return row


def make(pk: int) -> None:
    """Make the archive of the person with this id, unless another worker does, and notify them."""
    now = timezone.now()
    free = Q(claimed_at=None) | Q(claimed_at__lt=now - LEASE)
    waiting = DataExport.objects.filter(free, user=pk, made_at=None, tries__lt=TRIES)
    if not waiting.update(claimed_at=now, tries=F("tries") + 1):
        return
    user = User.objects.filter(pk=pk).first()
    if user is None:
        return
    try:
        content = archive(user)
    except Exception:
        logger.exception("Cannot make the archive of account %s.", pk)
        DataExport.objects.filter(user=pk, claimed_at=now).update(claimed_at=None)
        return
    with transaction.atomic():
        made = {"made_at": timezone.now(), "claimed_at": None, "content": content}
        if DataExport.objects.filter(user=pk, claimed_at=now).update(**made):
            for hook in hooks.export_made:
                hook(user, link(DataExport.objects.defer("content").get(user=pk)))


def link(row: DataExport) -> str:
    """Return the path of the page where the person fetches the archive. It holds for this archive alone."""
    return reverse("fetch_data", args=[signing.dumps([row.pk, row.number], salt=SALT)])


def by_link(user: User, signed: str) -> DataExport | None:
    """Return the archive of the link, or None if it is not this person's or cannot be fetched any more."""
    try:
        pk, number = signing.loads(signed, salt=SALT)
    except (signing.BadSignature, TypeError, ValueError):
        return None
    row = DataExport.objects.defer("content").filter(user=user, number=number).first() if pk == user.pk else None
    return row if row and can_fetch(row) else None


@transaction.atomic
def fetch(row: DataExport) -> bytes | None:
    """Return the archive, once, and for the second of two taps: the browser drops the answer to the first one."""
    held = DataExport.objects.select_for_update().filter(pk=row.pk, number=row.number).first()
    if held is None or held.content is None or not can_fetch(held):
        return None
    DataExport.objects.filter(pk=row.pk, fetched_at=None).update(fetched_at=timezone.now())
    return bytes(held.content)


def sweep_exports() -> None:
    """Start what was lost, and remove archives that were fetched, or that nobody fetched in time."""
    now = timezone.now()
    has_expired = Q(made_at__lt=now - timedelta(days=settings.KEEP_EXPORTS)) | Q(fetched_at__lt=now - http.AGAIN)
    old = DataExport.objects.filter(has_expired)
    old.exclude(content=None).update(content=None)
    lost = Q(claimed_at=None, asked_at__lt=now - timedelta(minutes=1)) | Q(claimed_at__lt=now - LEASE)
    for pk in DataExport.objects.filter(lost, made_at=None, tries__lt=TRIES).values_list("pk", flat=True):
        make(pk)


# What is removed each night


def sweep(now: datetime) -> None:
    """Remove what was kept long enough. A step that fails does not stop the others."""
    for step in (proof.sweep_address_changes, sweep_sign_ins, barred.sweep, deletions.write):
        _carefully(step)
    for hook in hooks.outdated:
        _carefully(hook, now)


def _carefully(step: Any, *args: Any) -> None:
    try:
        step(*args)
    except Exception:
        logger.exception("The nightly task cannot finish %s.", getattr(step, "__qualname__", step))


def sweep_sign_ins() -> int:
    """Delete sessions that have expired, and sign-ins without a session or from long ago. Return how many sign-ins.

    A device that was signed in long ago is signed out. Guests stay signed in while their session lasts, because they
    could not come back; they are deleted when they have not been seen for long.
    """
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    # Sessions that nobody can use any more, as after signing out everywhere, and those of visitors. Guests keep theirs
    listed = UserSession.objects.filter(session_key=OuterRef("session_key"))
    last_used = now + timedelta(seconds=settings.SESSION_COOKIE_AGE) - UNLISTED_KEPT
    for session in Session.objects.filter(~Exists(listed), expire_date__lt=last_used).iterator():
        data = session.get_decoded()
        user = User.objects.filter(pk=data.get(SESSION_KEY, 0)).first()
        if user is None or data.get(HASH_SESSION_KEY) != user.get_session_auth_hash():
            session.delete()
    sign_ins = UserSession.objects.exclude(Exists(Session.objects.filter(session_key=OuterRef("session_key"))))
    removed = sign_ins.delete()[0]
    long_ago = now - timedelta(days=settings.KEEP_SIGN_INS)
    for sign_in in UserSession.objects.filter(last_seen_at__lt=long_ago, user__is_guest=False):
        sign_in.end()
        removed += 1
    return removed
