"""Hooks that other packages register to react to changes of accounts, so that `accounts` does not import them.

They run inside the transaction of the change, if there is one: signing in and out has none. Packages register in
`AppConfig.ready`, in the order of INSTALLED_APPS unless they say otherwise.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import HttpRequest

if TYPE_CHECKING:
    from django.db.models import Model

    from accounts.models import Step, User


class Moved(NamedTuple):
    """How many seats moved to another account, and how many were given up because it already had a seat there.

    `closed` counts tables that were closed because a player blocked by the account was waiting there.
    """

    seats: int
    given_up: int
    closed: int = 0


class Access(NamedTuple):
    """Something that reaches an account without signing in, such as a webhook. `end` takes it away.

    `key` identifies it among those of its person, `since` is when it was added, if known.
    """

    key: str
    name: str
    since: datetime | None
    end: Callable[[], object]


renamed: "list[Callable[[User], None]]" = []  # the account has a new name, which may not be saved yet
# Moderators replaced this old name, and the hooks above have run. The new one is not saved yet
name_replaced: "list[Callable[[User, str], None]]" = []
time_zone_changed: "list[Callable[[User, str], object]]" = []  # before the new zone is saved; they save it
merged: "list[Callable[[User, User], Moved | None]]" = []  # a guest signed in to an account; nothing moved yet
signing_up: "list[Callable[[HttpRequest, User], None]]" = []  # a guest is about to become an account
reclaimed: "list[Callable[[User], None]]" = []  # the reader of the address took the account over
before_deletion: "list[Callable[[User], None]]" = []  # the account is about to be deleted
step_changed: "list[Callable[[Step], None]]" = []  # a moderator took a step or lifted it
step_answered: "list[Callable[[Step], None]]" = []  # a player answered a step
step_kept: "list[Callable[[Step], None]]" = []  # a moderator read the answer to a step and left it as it is
signed_in: "list[Callable[[HttpRequest, User], None]]" = []  # a browser was signed in, and has its new session
signing_out: "list[Callable[[User, Mapping[str, Any]], None]]" = []  # the data of a session that is about to end
accesses: "list[Callable[[User], list[Access]]]" = []  # what outlives signing out everywhere

# Personal data
exported: "list[Callable[[User], Iterator[tuple[str, bytes]]]]" = []  # more files of an archive: a name and the content
# Functions by the label of a model. Each takes the model's rows for the archive of a person, and yields them without
# what the person may no longer see. It changes the objects, not the database
withheld: "dict[str, Callable[[User, Iterable[Any]], Iterator[Model]]]" = {}
export_made: "list[Callable[[User, str], None]]" = []  # an archive is ready, with the path where it is fetched
commitments: "list[Callable[[User], list[str]]]" = []  # sentences: what deleting the account now means for the others
outdated: "list[Callable[[datetime], object]]" = []  # each night: they remove what was kept long enough
