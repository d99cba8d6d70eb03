"""Co-organizers, and handing a league or tournament over. Each service is one transaction, and safe to repeat.

Nobody becomes an organizer without accepting, because the page of the competition names its organizers.
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
from games.contests.organizers import ALL, Competition, acts_as_staff, key_of, need_owner, organizers_page
from games.contests.tournaments.services import MOST_OPEN
from games.errors import GameError, NotYours
from games.notices.kinds import Kind
from games.notices.outbox import outbox
from games.notices.outbox.words import Words
from games.notices.outbox.words import gettext_later as _
from games.tables.services import friends

MOST = 8  # co-organizers of a competition, and people asked


@transaction.atomic
def ask_to_help(*, competition: Competition, by: User, name: str, rights: Collection[str]) -> Organizer:
    """Ask a person to help with these rights, or change the rights of a co-organizer. Raises `GameError`."""
    competition = _locked(competition, by)
    chosen = sorted(set(rights) & ALL)
    if not chosen:
        raise GameError(gettext("Choose what they can do."))
    user = _person_to_ask(competition, by, name)
    organizer = Organizer.objects.filter(**key_of(competition), user=user).first()
    if organizer is not None:
        organizer.rights = chosen
        organizer.save(update_fields=["rights"])
        return organizer
    if Organizer.objects.filter(**key_of(competition)).count() >= MOST:
        raise GameError(gettext("There can be at most {n} co-organizers.").format(n=MOST))
    organizer = Organizer.objects.create(**key_of(competition), user=user, by=by, rights=chosen, at=timezone.now())
    title = _("{name} asked you to help organize {of}").format(name=by.username, of=competition.name)
    lead = _("Accept or decline on its page. Until you accept, nothing changes.")
    _ask(competition, by, user, f"help.{organizer.pk}", title, lead)
    return organizer


@transaction.atomic
def offer(*, competition: Competition, by: User, name: str, reason: str = "") -> Organizer:
    """Ask a person to become the organizer. Staff can do this too, such as for an organizer who is gone.

    There is one successor at a time: asking someone else withdraws the earlier question. The reason is public, and
    staff must give one. Raises `GameError`.
    """
    competition = _locked(competition, by)
    reason = need_reason(reason, by) if acts_as_staff(competition, by) else allowed_reason(reason, by)
    user = _person_to_ask(competition, by, name)
    for other in Organizer.objects.filter(**key_of(competition), is_successor=True).exclude(user=user):
        _decline_offer(other)
    successor, is_new = Organizer.objects.get_or_create(
        **key_of(competition), user=user, defaults={"by": by, "is_successor": True, "at": timezone.now()}
    )
    if not is_new and successor.is_successor:
        return successor
    successor.is_successor, successor.by, successor.at, successor.reason = True, by, timezone.now(), reason
    successor.save(update_fields=["is_successor", "by", "at", "reason"])
    title = _("{name} asked you to take over {of}").format(name=by.username, of=competition.name)
    lead = _("If you accept, you are its organizer. Accept or decline on its page.")
    _ask(competition, by, user, f"over.{successor.pk}.{successor.at:%Y%m%d%H%M%S}", title, lead)
    return successor


@transaction.atomic
def withdraw(*, competition: Competition, by: User, user: int) -> None:
    """End a co-organizer's rights or withdraw a question. Co-organizers can do this for themselves."""
    competition = type(competition).objects.select_for_update().get(pk=competition.pk)
    if user != by.pk:
        need_owner(competition, by)
    for organizer in Organizer.objects.filter(**key_of(competition), user=user):
        _end(organizer)


@transaction.atomic
def choose_notices(*, competition: Competition, user: User, is_notified: bool) -> str:
    """Turn the organizer's notices on or off for a co-organizer. Raises `GameError`."""
    if not Organizer.objects.filter(**key_of(competition), user=user, accepted_at__isnull=False).update(
        is_notified=is_notified
    ):
        raise NotYours(gettext("You are not a co-organizer."))
    if is_notified:
        return gettext("You will get the organizer’s notifications.")
    return gettext("You won’t get the organizer’s notifications anymore.")


@transaction.atomic
def answer(*, competition: Competition, user: User, accepts: bool, question: str | None = None) -> str:
    """Accept or decline: first to take over if the user is asked that, else to help. Return a sentence that says so.

    `question` is the one that the page showed (`question_to`), if it showed one; it must still be the same. Raises
    `GameError`.
    """
    competition = type(competition).objects.select_for_update().get(pk=competition.pk)
    organizer = Organizer.objects.filter(**key_of(competition), user=user).first()
    if organizer is None or not (organizer.is_successor or organizer.accepted_at is None):
        if competition.organizer_id == user.pk or organizer is not None:  # the button was pressed twice
            return gettext("You have already answered.")
        raise NotYours(gettext("Nobody is asking you to organize this."))
    if question is not None and question != question_to(organizer):
        raise GameError(gettext("The request has changed since you opened the page. Read it again before you answer."))
    if organizer.is_successor:
        return _take_over(competition, organizer, user) if accepts else _decline_offer(organizer)
    if not accepts:
        _end(organizer)
        return gettext("You have declined.")
    _drop_notice(organizer, "help")
    organizer.accepted_at = timezone.now()
    organizer.save(update_fields=["accepted_at"])
    return gettext("You are now a co-organizer.")


def withdraw_between(person: User, other: User) -> None:
    """Withdraw open questions between two people after one has blocked the other. Accepted ones stay in force."""
    between = Organizer.objects.filter(Q(user=person, by=other) | Q(user=other, by=person))
    for organizer in between.filter(Q(is_successor=True) | Q(accepted_at=None)):
        if organizer.accepted_at is None:
            _end(organizer)
        else:
            _decline_offer(organizer)


def question_to(organizer: Organizer) -> str:
    """Return what identifies the open question to this person: what it asks, when, and with which rights."""
    question, rights = "over" if organizer.is_successor else "help", " ".join(sorted(organizer.rights))
    return f"{question} {organizer.at:%Y%m%d%H%M%S} {rights}"


def _take_over(competition: Competition, organizer: Organizer, user: User) -> str:
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if isinstance(competition, League):
        too_many = League.objects.filter(organizer=user).exclude(state=LeagueState.CLOSED).count() >= MOST_LEAGUES
        if too_many and competition.state != LeagueState.CLOSED:
            raise GameError(gettext("You already organize three leagues. Close one of them first."))
    elif competition.state in ON and Tournament.objects.filter(organizer=user, state__in=ON).count() >= MOST_OPEN:
        raise GameError(gettext("You already organize three tournaments. Wait until one of them has ended."))
    before, now = competition.organizer, timezone.now()
    scope = competition.seasons.order_by("-number").first() if isinstance(competition, League) else competition
    if scope is not None:  # an unpublished league has no public list
        subject = f"{before.username if before else '–'} → {user.username}"
        pools.record_intervention(
            scope, InterventionKind.HANDED, now, by=organizer.by, what=subject, reason=organizer.reason, person=user
        )
    competition.organizer = user
    competition.save(update_fields=["organizer"])
    _end(organizer)
    if before is not None:
        title = _("{name} is now the organizer of {of}").format(name=user.username, of=competition.name)
        _tell(competition, before, f"taken.{competition.pk}.{user.pk}.{now:%Y%m%d%H%M%S}", title, "")
    return gettext("You are now the organizer.")


def _decline_offer(organizer: Organizer) -> str:
    if organizer.rights:
        _drop_notice(organizer, "over")
        organizer.is_successor = False
        organizer.save(update_fields=["is_successor"])
    else:
        _end(organizer)
    return gettext("You have declined.")


def _end(organizer: Organizer) -> None:
    """End the rights of a person and the questions to them."""
    drop_notices(organizer)
    organizer.delete()


def drop_notices(organizer: Organizer) -> None:
    """Drop the notices of all questions to this person that have not been sent."""
    for question in ("help", "over"):
        _drop_notice(organizer, question)


def _drop_notice(organizer: Organizer, question: str) -> None:
    """Drop the notice of a question, `help` or `over`, if it has not been sent."""
    competition = "league" if organizer.league_id else "tournament"
    outbox.withdraw(kind=Kind.DECISION, about=f"{competition}.{question}.{organizer.pk}")
    # Of a question that was first asked in an earlier season of a team league
    outbox.withdraw(kind=Kind.DECISION, about=f"tournament.{organizer.tournament_id}.asked.{organizer.pk}")


def _person_to_ask(competition: Competition, by: User, name: str) -> User:
    """Return the person to ask. Raises `GameError`, with the same sentence whether or not the name exists.

    What organizers see anyway comes first, so that the answer does not tell who has blocked them.
    """
    user = User.with_name(name).filter(is_active=True).first()
    if user is not None and user.pk == competition.organizer_id:
        raise GameError(gettext("%(name)s is already the organizer.") % {"name": user.username})
    if user is not None and (user == by or Organizer.objects.filter(**key_of(competition), user=user).exists()):
        return user
    if refusal := why_too_new(by):
        raise NotYours(refusal)
    return friends.find_reachable(user=by, name=name, refusal=gettext("You can’t ask “%(name)s”. Check the spelling."))


def why_too_new(by: User) -> str:
    """Return why a new account can't ask anyone to organize, or an empty text."""
    if by.is_staff or not newcomers.is_new(by):
        return ""
    sentence = ngettext(
        "New accounts can’t ask others to organize. Try again %(n)d day after you signed up.",
        "New accounts can’t ask others to organize. Try again %(n)d days after you signed up.",
        settings.NEW_ACCOUNT_DAYS,
    )
    return sentence % {"n": settings.NEW_ACCOUNT_DAYS}


def _locked(competition: Competition, by: User) -> League | Tournament:
    competition = type(competition).objects.select_for_update().get(pk=competition.pk)
    need_owner(competition, by)
    return competition


def _ask(competition: Competition, by: User, reader: User, about: str, title: Words, lead: Words | str) -> None:
    outbox.tell_from(
        by=by, kind=Kind.DECISION, user=reader, about=f"{_kind(competition)}.{about}", title=title, lead=lead,
        url=organizers_page(competition),
    )  # fmt: skip


def _tell(competition: Competition, reader: User, about: str, title: Words, lead: Words | str) -> None:
    outbox.tell_user(
        kind=Kind.DECISION, user=reader, about=f"{_kind(competition)}.{about}", title=title, lead=lead,
        url=competition.get_absolute_url(),
    )  # fmt: skip


def _kind(competition: Competition) -> str:
    return "league" if isinstance(competition, League) else "tournament"
