"""Steps of moderators, the answers of players, and what a step in force forbids.

Each service is one transaction and leaves a line in the log, which is only ever added to. What follows for games and
searches, other packages register in `accounts.hooks`. Columns of the account repeat what is in force, so that each
request knows it without a query.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.timezone import localtime
from django.utils.translation import gettext

from accounts import hooks
from accounts.acceptance import need_accepted
from accounts.bots import SUFFIX
from accounts.http import AGAIN
from accounts.models import LONGEST_STEP, Done, ModerationEntry, Step, StepKind, User, in_language_of
from accounts.moderation import newcomers, roles
from accounts.names import bird, player_name
from empire import dates
from games.errors import GameError, NotFound, NotYours
from games.rules.words import one_line

DAYS = (1, 3, 7, 14, 30, 90, 180, 365)
# The steps with an end, each with the field of the account that repeats the end while it is in force
END_FIELDS = {StepKind.MUTE: "muted_until", StepKind.TABLES: "no_tables_until", StepKind.SUSPEND: "suspended_until"}


def write(
    done: Done, *, by: User | None, who: User | None, step: Step | None = None, report: int | None = None,
    words: str = "",
) -> ModerationEntry:  # fmt: skip
    """Add a line to the moderators' log, with who acted and who it concerns."""
    people = {"by": str(by.pk) if by else "", "who": str(who.pk) if who else ""}
    return ModerationEntry.objects.create(
        at=timezone.now(), what=done, step=step.pk if step else None, report=report, words=words, **people
    )  # fmt: skip


def has_just_done(done: Done, *, by: User, step: Step | None = None, report: int | None = None) -> bool:
    """Return whether this moderator did the same a moment ago, so that the form was sent twice."""
    about = {"step": step.pk if step else None, "report": report}
    return ModerationEntry.objects.filter(what=done, by=str(by.pk), at__gt=timezone.now() - AGAIN, **about).exists()


# Steps


@transaction.atomic
def take(
    *, by: User, user: User, kind: str, days: int | None, reason: str, expected: int, report: int | None = None
) -> Step:
    """Take a step about a player. Raises `GameError`.

    `expected` is the number of steps that the moderator has seen, so that two of them don't act without knowing of each
    other. `days` is how long it is in force. A form that is sent twice takes one step.
    """
    person = need_steps_about(by, user)
    if kind not in StepKind.values or kind == StepKind.NAME:  # see `note_replaced`
        raise GameError(gettext("Choose an action."))
    roles.need(by, roles.NEEDED[StepKind(kind)])
    if kind in END_FIELDS and days not in DAYS:
        raise GameError(gettext("Choose how long."))
    reason, now = need_words(reason), timezone.now()
    until = now + timedelta(days=days or 0) if kind in END_FIELDS else None
    taken, last = person.steps.count(), person.steps.order_by("pk").last()
    if last is not None and taken == expected + 1 and last.at > now - AGAIN:
        lasts = until - now if until else None
        if (last.by, last.kind, last.reason, last.until and last.until - last.at) == (by, kind, reason, lasts):
            return last
    if taken != expected:
        raise GameError(gettext("Another moderator has taken action in the meantime. Read it, then decide."))
    if person.is_closed:
        raise GameError(gettext("This account is already closed."))
    before = getattr(person, END_FIELDS[StepKind(kind)]) if kind in END_FIELDS else None
    if before and until and before >= until:
        sentence = gettext("This is already in force until {date}. Choose a longer time, or lift that action first.")
        raise GameError(sentence.format(date=date_words(before)))
    step = Step.objects.create(user=person, kind=kind, by=by, reason=reason, at=now, until=until)
    _refresh(person, has_unread_step=True)
    label = StepKind(kind).label
    words = f"{label}, {until:%Y-%m-%d %H:%M} UTC: {reason}" if until else f"{label}: {reason}"
    write(Done.STEP, by=by, who=person, step=step, report=report, words=words)
    for hook in hooks.step_changed:
        hook(step)
    return step


def need_steps_about(by: User, user: User) -> User:
    """Lock and return the account. Raises `GameError` if this moderator must not take steps about it."""
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    need_possible_steps(by, person)
    return person


def need_possible_steps(by: User, person: User) -> None:
    """Raise `GameError` if this moderator can't take any steps about the person."""
    if person == by:
        raise NotYours(gettext("You can’t take action against yourself. Ask another moderator."))
    if person.is_bot:
        sentence = gettext("This is a bot. Take action against its owner, {name}.")
        raise GameError(sentence.format(name=person.bot_account.owner.username))
    if roles.is_moderator(person):
        sentence = gettext(
            "{name} is a moderator. Ask the person who runs the site to remove their moderator rights first."
        )
        raise NotYours(sentence.format(name=person.username))
    if not person.is_active:
        raise GameError(gettext("This account doesn’t exist anymore."))


@transaction.atomic
def lift(*, by: User, step: Step, reason: str) -> Step:
    """End a step before its time. The player reads why. Raises `GameError`."""
    person = need_steps_about(by, step.user)
    row = Step.objects.get(pk=step.pk)
    roles.need(by, roles.NEEDED[StepKind(row.kind)])
    if row.lifted_why == one_line(reason) and has_just_done(Done.LIFTED, by=by, step=row):
        return row
    if not row.is_in_force:
        raise GameError(gettext("This action is not in force anymore."))
    row.lifted_at, row.lifted_why = timezone.now(), need_words(reason)
    row.heard_at = row.lifted_at if row.answered_at else None
    row.save(update_fields=["lifted_at", "lifted_why", "heard_at"])
    _refresh(person, has_unread_step=True)
    write(Done.LIFTED, by=by, who=person, step=row, words=row.lifted_why)
    for hook in hooks.step_changed:
        hook(row)
    return row


@transaction.atomic
def answer(*, user: User, step: int, words: str) -> Step:
    """Answer a step, once. The same answer again has no effect. Raises `GameError`."""
    row = Step.objects.select_for_update(of=("self",)).filter(pk=step, user=user).first()
    if row is None:
        raise NotFound(gettext("There is no such message."))
    if row.answered_at is not None and row.answer == one_line(words):
        return row
    if row.answered_at is not None:
        raise GameError(gettext("You have already answered this. You can answer each message once."))
    words = one_line(words)
    if not words:
        raise GameError(gettext("Write your answer first."))
    need_short(words)
    row.answer, row.answered_at = words, timezone.now()
    row.save(update_fields=["answer", "answered_at"])
    write(Done.ANSWERED, by=user, who=user, step=row)  # what the player wrote is deleted with the account
    for hook in hooks.step_answered:
        hook(row)
    return row


@transaction.atomic
def keep(*, by: User, step: Step) -> Step:
    """Leave a step as it is after reading the player's answer, as one who may lift it. Raises `GameError`."""
    row = Step.objects.select_for_update(of=("self",)).get(pk=step.pk)
    roles.need(by, roles.NEEDED[StepKind(row.kind)])
    if row.user == by:
        raise NotYours(gettext("You can’t take action against yourself. Ask another moderator."))
    if has_just_done(Done.KEPT, by=by, step=row):
        return row
    if row.answered_at is None or row.heard_at is not None:
        raise GameError(gettext("There is no answer to read, or another moderator has already read it."))
    row.heard_at = timezone.now()
    row.save(update_fields=["heard_at"])
    write(Done.KEPT, by=by, who=row.user, step=row)
    for hook in hooks.step_kept:
        hook(row)
    return row


def move_steps(*, guest: User, user: User) -> None:
    """Move the steps about a guest to the account that they signed in to, so that signing in does not end them."""
    if Step.objects.filter(user=guest).update(user=user):
        _refresh(User.objects.select_for_update(no_key=True).get(pk=user.pk), has_unread_step=True)


def read(user: User) -> None:
    """Note that the person has read all messages of moderators."""
    Step.objects.filter(user=user, read_at=None).update(read_at=timezone.now())
    User.objects.filter(pk=user.pk, has_unread_step=True).update(has_unread_step=False)
    user.has_unread_step = False


@transaction.atomic
def rename(*, by: User, user: User, report: int | None = None) -> User:
    """Replace a player's name with one that the site chooses. They can choose another one.

    Raises `GameError`, also if the name is no longer that of `user`.
    """
    person = User.objects.get(pk=user.pk)
    roles.need(by, roles.LIGHT)
    if person == by or (not person.is_bot and roles.is_moderator(person)):
        raise NotYours(gettext("You can’t take action against yourself or another moderator."))
    for _attempt in range(20):
        with in_language_of(person.bot_account.owner if person.is_bot else person):
            name = f"{bird()}{SUFFIX}" if person.is_bot else player_name()
        if not User.is_name_taken(name):
            break
    else:
        raise RuntimeError("No free name for a player in twenty tries.")
    before, person.username = person.username, name
    for hook in hooks.renamed:  # they lock games, so they come first, as in `save_preferences`
        hook(person)
    for replaced_hook in hooks.name_replaced:
        replaced_hook(person, before)
    if not User.objects.select_for_update(no_key=True).filter(pk=user.pk, username=user.username):
        raise GameError(gettext("The player’s name has changed in the meantime."))
    person.save(update_fields=["username", "folded", "skeleton"])
    write(Done.RENAMED, by=by, who=person, report=report)
    return person


def note_replaced(*, by: User, user: User, words: str) -> Step:
    """Record for the player that a moderator replaced a name, and why, as a step that they can answer."""
    step = Step.objects.create(user=user, kind=StepKind.NAME, by=by, reason=words[:LONGEST_STEP], at=timezone.now())
    User.objects.filter(pk=user.pk).update(has_unread_step=True)
    return step


def _refresh(person: User, **more: bool) -> None:
    """Write what is in force into the columns of the locked account."""
    in_force = [step for step in Step.objects.filter(user=person, lifted_at=None) if step.is_in_force]
    for kind, field in END_FIELDS.items():
        setattr(person, field, max((step.until for step in in_force if step.kind == kind and step.until), default=None))
    person.is_closed = any(step.kind == StepKind.CLOSE for step in in_force)
    for field, value in more.items():
        setattr(person, field, value)
    person.save(update_fields=[*END_FIELDS.values(), "is_closed", *more])


def need_words(words: str) -> str:
    """Return a reason that the player will read. Raises `GameError`."""
    words = one_line(words)
    if not words:
        raise GameError(gettext("Enter a reason. The player will read it."))
    return need_short(words)


def need_short(words: str, most: int = LONGEST_STEP) -> str:
    if len(words) > most:
        raise GameError(gettext("Your text is too long. Use at most %(n)d characters.") % {"n": most})
    return words


# What a step forbids


def date_words(moment: datetime) -> str:
    return dates.localized(localtime(moment), "j F Y, H:i")


def _refuse(user: User, kind: StepKind, sentence: str) -> None:
    """Raise `NotYours` with the sentence, the end and the reason of the step in force, and how to answer.

    The reason comes last, because it may end without a period.
    """
    in_force = [step for step in Step.objects.filter(user=user, kind=kind, lifted_at=None) if step.is_in_force]
    if not in_force:
        return
    step = max(in_force, key=lambda step: step.until or step.at)
    more = gettext("You can answer under “Messages from the moderators” in your account. Reason: {reason}")
    if step.until:
        sentence = sentence.format(date=date_words(step.until))
    raise NotYours(f"{sentence} {more.format(reason=step.reason)}")


def need_chat(user: User) -> None:
    """Raise `NotYours` if the person must not write in chats now."""
    need_account(user)
    if user.muted_until is not None:
        _refuse(user, StepKind.MUTE, gettext("You can’t write in chats until {date}."))


def need_voice(user: User, *texts: str) -> None:
    """Raise `GameError` if others would read one of these texts, and the person must not write it.

    These are names, announcements, rules texts and reasons: everything outside of chats that people write freely.
    """
    if any(texts):
        need_account(user)
        if user.muted_until is not None:
            _refuse(user, StepKind.MUTE, gettext("You can’t write anything for other players until {date}."))
        for text in texts:
            newcomers.need_no_link(user, text)


def need_tables(user: User) -> None:
    """Raise `NotYours` if the person must not open or join tables with others now."""
    need_account(user)
    need_accepted(user)
    if user.no_tables_until is not None:
        _refuse(user, StepKind.TABLES, gettext("You can’t open or join tables until {date}."))


def need_account(user: User) -> None:
    """Raise `NotYours` if the account is suspended or closed."""
    if user.is_closed:
        _refuse(user, StepKind.CLOSE, gettext("Your account is closed."))
    if user.is_suspended:
        _refuse(user, StepKind.SUSPEND, gettext("Your account is suspended until {date}."))


def may_have_tables(user: User) -> bool:
    """Return whether the person may be seated at a new table now."""
    return not user.is_suspended and (user.no_tables_until is None or user.no_tables_until <= timezone.now())


def may_be_paired(user: User) -> bool:
    """Return whether someone who waits for a game may be given one now: otherwise a bot might have to play it."""
    return user.is_active and may_have_tables(user) and not user.must_accept
