"""Co-organizers, and handing a league or tournament over. Each service is one transaction, and safe to repeat.

Nobody organizes anything without having accepted it, because the page names its organizers.
"""

from collections.abc import Collection

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from accounts.moderation import newcomers
from games.contests import pools
from games.contests.interventions import allowed_reason, need_reason
from games.contests.leagues.services import MOST_LEAGUES
from games.contests.models import InterventionKind, League, LeagueState, Organizer, Tournament
from games.contests.models.tournament import ON
from games.contests.organizers import ALL, Competition, acts_as_staff, key_of, need_owner
from games.contests.tournaments.services import MOST_OPEN
from games.errors import GameError, NotYours
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import Words
from games.notices.outbox.words import gettext_later as _
from games.tables.services import friends

MOST = 8  # co-organizers of a competition, and people asked


@transaction.atomic
def ask_to_help(*, of: Competition, by: User, name: str, rights: Collection[str]) -> Organizer:
    """Ask a person to help with these rights, or change the rights of a co-organizer. Raises `GameError`."""
    row = _locked(of, by)
    chosen = sorted(set(rights) & ALL)
    if not chosen:
        raise GameError(gettext("Choose what they can do."))
    user = _known(row, by, name)
    found = Organizer.objects.filter(**key_of(row), user=user).first()
    if found is not None:
        found.rights = chosen
        found.save(update_fields=["rights"])
        return found
    if Organizer.objects.filter(**key_of(row)).count() >= MOST:
        raise GameError(gettext("There can be at most {n} co-organizers.").format(n=MOST))
    asked = Organizer.objects.create(**key_of(row), user=user, by=by, rights=chosen, at=timezone.now())
    title = _("{name} asked you to help organize {of}").format(name=by.username, of=row.name)
    lead = _("Accept or decline on its page. Until you accept, nothing changes.")
    _ask(row, by, user, f"help.{asked.pk}", title, lead)
    return asked


@transaction.atomic
def offer(*, of: Competition, by: User, name: str, reason: str = "") -> Organizer:
    """Ask a person to become the organizer. Staff can do this too, such as for an organizer who is gone.

    There is one successor at a time: asking someone else takes the earlier question back. The reason is public, and
    staff must give one. Raises `GameError`.
    """
    row = _locked(of, by)
    said = need_reason(reason, by) if acts_as_staff(row, by) else allowed_reason(reason, by)
    user = _known(row, by, name)
    for other in Organizer.objects.filter(**key_of(row), is_successor=True).exclude(user=user):
        _decline_offer(other)
    found, is_new = Organizer.objects.get_or_create(
        **key_of(row), user=user, defaults={"by": by, "is_successor": True, "at": timezone.now()}
    )
    if not is_new and found.is_successor:
        return found
    found.is_successor, found.by, found.at, found.reason = True, by, timezone.now(), said
    found.save(update_fields=["is_successor", "by", "at", "reason"])
    title = _("{name} asked you to take over {of}").format(name=by.username, of=row.name)
    lead = _("If you accept, you are its organizer. Accept or decline on its page.")
    _ask(row, by, user, f"over.{found.pk}.{found.at:%Y%m%d%H%M%S}", title, lead)
    return found


@transaction.atomic
def withdraw(*, of: Competition, by: User, user: int) -> None:
    """End a co-organizer's rights or take a question back. Co-organizers can do this for themselves."""
    row = type(of).objects.select_for_update().get(pk=of.pk)
    if user != by.pk:
        need_owner(row, by)
    Organizer.objects.filter(**key_of(row), user=user).delete()


@transaction.atomic
def choose_notices(*, of: Competition, user: User, is_notified: bool) -> str:
    """Turn the organizer's notices on or off for a co-organizer. Raises `GameError`."""
    if not Organizer.objects.filter(**key_of(of), user=user, accepted_at__isnull=False).update(is_notified=is_notified):
        raise NotYours(gettext("You are not a co-organizer."))
    if is_notified:
        return gettext("You will get the organizer’s notifications.")
    return gettext("You won’t get the organizer’s notifications anymore.")


@transaction.atomic
def answer(*, of: Competition, user: User, accepts: bool, asked: str | None = None) -> str:
    """Accept or decline: first to take over if the user is asked that, else to help. Return a sentence that says so.

    `asked` is the question that the page showed (`question_to`), if it showed one; it must still be the same. Raises
    `GameError`.
    """
    row = type(of).objects.select_for_update().get(pk=of.pk)
    mine = Organizer.objects.filter(**key_of(row), user=user).first()
    if mine is None or not (mine.is_successor or mine.accepted_at is None):
        if row.organizer_id == user.pk or mine is not None:  # the button was pressed twice
            return gettext("You have already answered.")
        raise NotYours(gettext("Nobody is asking you to organize this."))
    if asked is not None and asked != question_to(mine):
        raise GameError(gettext("The request has changed since you opened the page. Read it again before you answer."))
    if mine.is_successor:
        return _take_over(row, mine, user) if accepts else _decline_offer(mine)
    if not accepts:
        mine.delete()
        return gettext("You have declined.")
    mine.accepted_at = timezone.now()
    mine.save(update_fields=["accepted_at"])
    return gettext("You are now a co-organizer.")


def withdraw_between(one: User, other: User) -> None:
    """Withdraw open questions between two people, of whom one has blocked the other. What was accepted stays."""
    between = Organizer.objects.filter(Q(user=one, by=other) | Q(user=other, by=one))
    for asked in between.filter(Q(is_successor=True) | Q(accepted_at=None)):
        question = f"over.{asked.pk}.{asked.at:%Y%m%d%H%M%S}" if asked.is_successor else f"help.{asked.pk}"
        of = "league" if asked.league_id else "tournament"
        outbox.withdraw(kind=Kind.DECISION, about=f"{of}.{question}.by.{asked.by_id}")
        if asked.accepted_at is None:
            asked.delete()
        else:
            _decline_offer(asked)


def question_to(mine: Organizer) -> str:
    """Return what identifies the open question to this person: what it asks, when, and with which rights."""
    return f"{'over' if mine.is_successor else 'help'} {mine.at:%Y%m%d%H%M%S} {' '.join(sorted(mine.rights))}"


def _take_over(row: Competition, mine: Organizer, user: User) -> str:
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if isinstance(row, League):
        too_many = League.objects.filter(organizer=user).exclude(state=LeagueState.CLOSED).count() >= MOST_LEAGUES
        if too_many and row.state != LeagueState.CLOSED:
            raise GameError(gettext("You already organize three leagues. Close one of them first."))
    elif row.state in ON and Tournament.objects.filter(organizer=user, state__in=ON).count() >= MOST_OPEN:
        raise GameError(gettext("You already organize three tournaments. Wait until one of them has ended."))
    before, now = row.organizer, timezone.now()
    season = row.seasons.order_by("-number").first() if isinstance(row, League) else None
    if of := season or (row if isinstance(row, Tournament) else None):  # an unpublished league has no public list
        what = f"{before.username if before else '–'} → {user.username}"
        pools.record_intervention(
            of, InterventionKind.HANDED, now, by=mine.by, what=what, reason=mine.reason, person=user
        )
    row.organizer = user
    row.save(update_fields=["organizer"])
    mine.delete()
    if before is not None:
        title = _("{name} is now the organizer of {of}").format(name=user.username, of=row.name)
        _tell(row, before, f"taken.{row.pk}.{user.pk}.{now:%Y%m%d%H%M%S}", title, "")
    return gettext("You are now the organizer.")


def _decline_offer(mine: Organizer) -> str:
    if mine.rights:
        mine.is_successor = False
        mine.save(update_fields=["is_successor"])
    else:
        mine.delete()
    return gettext("You have declined.")


def _known(row: Competition, by: User, name: str) -> User:
    """Return the person to ask. Raises `GameError`, with the same sentence whether or not the name exists.

    What organizers see anyway comes first, so that the answer does not tell who has blocked them.
    """
    found = User.with_name(name).filter(is_active=True).first()
    if found is not None and found.pk == row.organizer_id:
        raise GameError(gettext("%(name)s is already the organizer.") % {"name": found.username})
    if found is not None and (found == by or Organizer.objects.filter(**key_of(row), user=found).exists()):
        return found
    if newcomers.is_new(by) and not by.is_staff:
        words = ngettext(
            "New accounts can’t ask others to organize. Try again %(n)d day after you signed up.",
            "New accounts can’t ask others to organize. Try again %(n)d days after you signed up.",
            settings.NEW_ACCOUNT_DAYS,
        )
        raise NotYours(words % {"n": settings.NEW_ACCOUNT_DAYS})
    return friends.find_reachable(user=by, name=name, refusal=gettext("You can’t ask “%(name)s”. Check the spelling."))


def _locked(of: Competition, by: User) -> League | Tournament:
    row = type(of).objects.select_for_update().get(pk=of.pk)
    need_owner(row, by)
    return row


def _ask(row: Competition, by: User, reader: User, about: str, title: Words, lead: Words | str) -> None:
    outbox.tell_from(
        by=by, kind=Kind.DECISION, user=reader, about=f"{_kind(row)}.{about}", title=title, lead=lead,
        url=f"{row.get_absolute_url()}team/",
    )  # fmt: skip


def _tell(row: Competition, reader: User, about: str, title: Words, lead: Words | str) -> None:
    outbox.tell_user(
        kind=Kind.DECISION, user=reader, about=f"{_kind(row)}.{about}", title=title, lead=lead,
        url=f"{row.get_absolute_url()}team/",
    )  # fmt: skip


def _kind(row: Competition) -> str:
    return "league" if isinstance(row, League) else "tournament"
