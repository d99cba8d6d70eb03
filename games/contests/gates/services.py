"""Lists of invited people, and of people who must not meet. Each service is one transaction.

Rights are checked under the lock of the league or tournament, and every service is safe to repeat.
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from games.contests import interventions
from games.contests.gates.conditions import admitted
from games.contests.models import (
    Admitted,
    Apart,
    League,
    PairingChange,
    Season,
    SeasonState,
    Tournament,
    TournamentState,
)
from games.contests.organizers import Competition, Right, acts_as_staff, key_of, lock
from games.errors import GameError, NotYours
from games.tables.models.game import new_token

MOST = 1000  # people on the list
MOST_APART = 100  # forbidden pairings
MOST_EACH = 3  # of one player: enough for a household, too few to avoid every strong opponent
AT_ONCE = 50  # names in one go


@transaction.atomic
def admit(*, competition: Competition, by: User, names: Sequence[str]) -> int:
    """Put people on the list by their names. Return how many are new on it. Raises `GameError`, then nobody is."""
    competition = lock(competition, by, Right.SETTINGS)
    if not names:
        raise GameError(gettext("Enter at least one player name."))
    if len(names) > AT_ONCE:
        raise GameError(gettext("Enter at most {n} names at once.").format(n=AT_ONCE))
    users = {name: User.with_name(name).filter(is_active=True, is_guest=False).first() for name in names}
    if unknown := [name for name, user in users.items() if user is None]:
        sentence = gettext("There is no player named {names}. Check the spelling. Nobody was added.")
        raise GameError(sentence.format(names=", ".join(f"“{name[:40]}”" for name in unknown)))
    listed = set(admitted(competition).values_list("user", flat=True))
    new = {user.pk for user in users.values() if user} - listed
    if len(listed) + len(new) > MOST:
        raise GameError(gettext("The list can have at most {n} players. Share the link instead.").format(n=MOST))
    now = timezone.now()
    Admitted.objects.bulk_create(Admitted(**key_of(competition), user_id=pk, at=now) for pk in sorted(new))
    return len(new)


@transaction.atomic
def take_off(*, competition: Competition, by: User, user: int) -> None:
    """Take a person off the list. If they have entered already, they stay. Raises `GameError`."""
    admitted(lock(competition, by, Right.SETTINGS)).filter(user=user).delete()


@transaction.atomic
def keep_apart(*, competition: Competition, by: User, names: Sequence[str]) -> None:
    """Forbid pairing two people, from the next pairing on. Raises `GameError`."""
    competition = lock(competition, by, Right.SETTINGS)
    _need_impartial(competition, by)
    users = [User.with_name(name).filter(is_active=True, is_guest=False).first() for name in names]
    people = sorted({user.pk for user in users if user})
    if len(names) != 2 or len(people) != 2:
        raise GameError(gettext("Enter the names of two different players. Check the spelling."))
    if Apart.objects.filter(**key_of(competition)).count() >= MOST_APART:
        raise GameError(gettext("There can be at most {n} forbidden pairings.").format(n=MOST_APART))
    first, second = people
    if Apart.objects.filter(**key_of(competition), first=first, second=second).exists():
        return
    for pk in people:
        if Apart.objects.filter(Q(first=pk) | Q(second=pk), **key_of(competition)).count() >= MOST_EACH:
            sentence = gettext("{name} is already kept apart from {n} players, the maximum.")
            name = next(user.username for user in users if user and user.pk == pk)
            raise GameError(sentence.format(name=name, n=MOST_EACH))
    now = timezone.now()
    forbidden = Apart.objects.create(**key_of(competition), first_id=first, second_id=second, at=now)
    if _are_others_known(competition, by):
        PairingChange.objects.create(**key_of(competition), by=by, forbidden=forbidden, at=now)


@transaction.atomic
def let_meet(*, competition: Competition, by: User, pair: int) -> None:
    """Let two people meet again, from the next pairing on. Raises `GameError`.

    While sign-up is open, organizers can allow only pairings that were forbidden after others had signed up. Otherwise
    they could forbid many pairings, allow some once they know who takes part, and then sign up themselves.
    """
    competition = lock(competition, by, Right.SETTINGS)
    _need_impartial(competition, by)
    forbidden = Apart.objects.filter(**key_of(competition), pk=pair).first()
    if forbidden is None:
        return
    current, is_undone = _current(competition), False
    if current is not None and current.state in (SeasonState.SIGN_UP, TournamentState.SIGN_UP):
        since = interventions.others_known_since(current, by)
        if since is not None and forbidden.at < since and not acts_as_staff(competition, by):
            raise NotYours(
                gettext("Players have signed up since this pairing was forbidden. Only site staff can allow it now.")
            )
        # Nothing has been paired since, so it is as if the pairing had never been forbidden
        changes = PairingChange.objects.filter(forbidden=forbidden)
        is_undone = changes.filter(by=by).exists()
        changes.delete()
    if not is_undone and _are_others_known(competition, by):
        PairingChange.objects.create(**key_of(competition), by=by, at=timezone.now())
    forbidden.delete()


def _need_impartial(competition: Competition, by: User) -> None:
    """Raise `NotYours` if the organizer takes part and it is known who else does: pairings follow from the list."""
    current = _current(competition)
    if current is None or not _are_others_known(competition, by):
        return
    is_member = isinstance(competition, League) and competition.members.filter(user=by, sits_out=False).exists()
    if is_member or interventions.plays_in(current, by):
        raise NotYours(
            gettext(
                "You can’t change forbidden pairings while you take part and others have signed up. Ask another "
                "organizer or site staff."
            )
        )


def _are_others_known(competition: Competition, by: User) -> bool:
    """Return whether it is known who else takes part in the season or tournament."""
    current = _current(competition)
    return current is not None and interventions.others_known_since(current, by) is not None


def _current(competition: Competition) -> Season | Tournament | None:
    """Return the season or tournament that is open for sign-up or running, if there is one."""
    if isinstance(competition, League):
        return competition.seasons.select_related("league").exclude(state=SeasonState.ENDED).first()
    return competition if competition.is_open or competition.is_running else None


@transaction.atomic
def renew_link(*, competition: Competition, by: User) -> None:
    """Make a new invitation link. The old one stops working. Raises `GameError`."""
    competition = lock(competition, by, Right.SETTINGS)
    competition.invite_token = new_token()
    competition.save(update_fields=["invite_token"])
