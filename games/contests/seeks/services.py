"""Start and cancel searches for a game, and turn those that suit each other into tables.

Finding a table locks its searches, in the order of their ids, and reads them again: web processes and sweeps may
look at the same time, and nobody is seated twice. A search that is missed is found by the sweep a minute later.
"""

import logging
import secrets
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from itertools import combinations, product
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.http import AGAIN
from accounts.models import User
from accounts.moderation.services import may_be_paired, need_tables
from games.bots.registry import BOTS
from games.contests.gates.conditions import facts_of
from games.contests.models import Rated, Seek, SeekState
from games.contests.ratings.model import Rating
from games.contests.seeks import rules
from games.contests.seeks.rules import Apart, GameKind, Group, Wish
from games.errors import GameError, TableError
from games.notices.kinds import Kind as NoticeKind
from games.notices.outbox import outbox
from games.notices.outbox.words import gettext_later as _
from games.rules.registry import RULESETS
from games.tables.models import Block, Game, Status, TimeOut
from games.tables.models.game import STAND_IN
from games.tables.selectors.rights import away
from games.tables.services.deadlines import FEW_TURNS
from games.tables.services.lobby import check_clocks
from games.tables.services.start import Participant, begin_contest

logger = logging.getLogger(__name__)

NARROWEST = 200  # points between the ratings, so that nobody can pick an opponent
LASTS = timedelta(days=7)
GUESTS_WAIT = timedelta(hours=1)  # we can't email guests, so they have to be there: as long as
GUESTS_STAY = timedelta(minutes=10)  # their page has asked within this time, see `stay`
MEET_AGAIN = timedelta(days=1)  # until the same two people are put at a rated table again
MOST_RUNNING = 10  # games from searches that a person plays at the same time
MOST_CLOCKS = 8
LOOKED_AT = 300  # searches in one look
READ = 5000  # searches from which those are chosen, the longest-waiting first
KEPT = timedelta(days=90)  # ended searches
LONGEST_UNTIL_BOTS = timedelta(days=3)


def seek(
    *, user: User, rulesets: Sequence[str], sizes: Sequence[int], clocks: Sequence[str], distance: int = 0,
    reliability: int = 0, rated: str = Rated.YES, bots_after: timedelta | None = None,
) -> Seek:  # fmt: skip
    """Start a search and return it, already `found` if others suit. Raises `GameError`.

    If the person has started the same search a moment ago and not canceled it, the form was sent twice, and that
    search is returned. `bots_after` is the time after which bots take the empty seats; without it, the search continues
    until it expires.
    """
    seek = _create_seek(user, rulesets, sizes, clocks, distance, reliability, rated, bots_after)
    # In transactions of its own, so that two people who search at once see each other
    begin_tables(timezone.now(), starter=user)
    seek.refresh_from_db()
    return seek


@transaction.atomic
def _create_seek(
    user: User, rulesets: Sequence[str], sizes: Sequence[int], clocks: Sequence[str], distance: int, reliability: int,
    rated: str, bots_after: timedelta | None,
) -> Seek:  # fmt: skip
    # 1. Check the search
    if not rulesets or any(slug not in RULESETS for slug in rulesets):
        raise TableError(gettext("We don’t have this game. Choose another."))
    if not kinds(rulesets, sizes, clocks):
        raise TableError(gettext("None of these games can be played with that many players. Choose another number."))
    if len(clocks) > MOST_CLOCKS:
        raise TableError(gettext("Choose fewer clocks."))
    for clock in clocks:
        check_clocks(clock, 12, TimeOut.TURN)
    if distance and distance < NARROWEST:
        raise TableError(
            gettext("Allow a difference of at least %(n)d points between your rating and theirs.") % {"n": NARROWEST}
        )
    if not 0 <= reliability <= 100:
        raise TableError(gettext("Enter a percentage of turns on time between 0 and 100."))
    if rated not in Rated.values or (bots_after and not timedelta() < bots_after <= LONGEST_UNTIL_BOTS):
        raise TableError(gettext("Choose one of these options."))
    # 2. Check the person. Their row is locked, so that two tabs start one search and the limits hold
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    now = timezone.now()
    wish: dict[str, Any] = {
        "rulesets": list(rulesets), "sizes": list(sizes), "clocks": list(clocks), "distance": distance,
        "reliability": reliability, "rated": rated,
    }  # fmt: skip
    lately = Seek.objects.filter(user=person, since__gt=now - AGAIN).exclude(state=SeekState.LEFT)
    if (before := lately.order_by("pk").last()) and all(getattr(before, name) == wish[name] for name in wish):
        return before
    need_tables(person)
    if person.is_guest and rated != Rated.NO:
        raise GameError(gettext("Guests can’t play rated games. Choose unrated, or sign up; you keep your games."))
    if away([person], now):
        raise GameError(gettext("You are on vacation. End it first, or look for a game when you are back."))
    running = Seek.objects.filter(user=person, state=SeekState.FOUND, game__status=Status.RUNNING).count()
    if running >= MOST_RUNNING:
        sentence = ngettext(
            "You are already playing %(n)d game that we found for you. Finish it first.",
            "You are already playing %(n)d games that we found for you. Finish one of them first.",
            running,
        )
        raise GameError(sentence % {"n": running})
    try:
        with transaction.atomic():
            return Seek.objects.create(
                user=person, **wish, since=now, bots_at=now + bots_after if bots_after else None,
                expires_at=now + (GUESTS_STAY if person.is_guest else LASTS),
            )  # fmt: skip
    except IntegrityError:
        raise GameError(gettext("You are already looking for a game. Cancel that search first.")) from None


@transaction.atomic
def leave(*, user: User) -> None:
    """Cancel the person's search. Canceling again has no effect.

    Raises `GameError` if a game was found first, or there is no search.
    """
    seek = Seek.objects.select_for_update().filter(user=user, state=SeekState.WAITING).first()
    if seek is None:
        last = Seek.objects.filter(user=user).order_by("pk").last()
        if last is not None and last.state == SeekState.LEFT:
            return
        raise GameError(gettext("You are not looking for a game anymore."))
    _end([seek], SeekState.LEFT, timezone.now())


def stay(*, seek: Seek, now: datetime) -> None:
    """Extend a guest's search while its page is open. Other players don't have to stay on the page."""
    until = min(seek.since + GUESTS_WAIT, now + GUESTS_STAY)
    if seek.user.is_guest and until > seek.expires_at:
        Seek.objects.filter(pk=seek.pk, state=SeekState.WAITING).update(expires_at=until)
        seek.expires_at = until


def kinds(rulesets: Sequence[str], sizes: Sequence[int], clocks: Sequence[str]) -> list[GameKind]:
    """Return the kinds of games with these rulesets, numbers of players and clocks, as far as the rules allow them."""
    return [
        GameKind(ruleset, players, clock)
        for ruleset, players, clock in product(rulesets, sizes, clocks)
        if ruleset in RULESETS and players in RULESETS[ruleset].seat_counts
    ]


def begin_tables(now: datetime, starter: User | None = None) -> int:
    """Begin tables that can begin. Return how many. `starter` is on the site now and has just begun to search."""
    waiting = Seek.objects.filter(state=SeekState.WAITING, expires_at__gt=now).order_by("since", "pk")
    chosen = ids_to_look_at(waiting, now, starter)
    seeks = list((waiting if chosen is None else waiting.filter(pk__in=chosen)).select_related("user"))
    begun = 0
    for group in rules.groups(wishes_of(seeks, now), apart([seek.user_id for seek in seeks], now), now):
        try:
            begun += _begin(group, now, starter)
        except Exception:
            logger.exception("The table of %s could not begin.", [wish.id for wish in group.wishes])
    return begun


def ids_to_look_at(waiting: QuerySet[Seek], now: datetime, starter: User | None) -> list[int] | None:
    """Return the ids of the searches to look at now, so that many that suit nobody don't keep the others waiting.

    None means all. The others of a new search are those with a kind in common, the longest-waiting first. A sweep
    takes those whose time for bots has come and draws the rest, so that any two are looked at together sooner or later.
    """
    if waiting.count() <= LOOKED_AT:
        return None
    candidates = list(waiting.only("rulesets", "sizes", "clocks", "bots_at")[:READ])
    own = waiting.filter(user=starter).first() if starter else None
    if own is not None:
        wanted = set(kinds(own.rulesets, own.sizes, own.clocks))
        others = [
            seek.pk
            for seek in candidates
            if seek.pk != own.pk and not wanted.isdisjoint(kinds(seek.rulesets, seek.sizes, seek.clocks))
        ]
        return [own.pk, *others[: LOOKED_AT - 1]]
    due = [seek.pk for seek in candidates if seek.bots_at and seek.bots_at <= now][:LOOKED_AT]
    rest = sorted({seek.pk for seek in candidates} - set(due))
    return due + secrets.SystemRandom().sample(rest, min(len(rest), LOOKED_AT - len(due)))


def wishes_of(seeks: Sequence[Seek], now: datetime) -> list[Wish]:
    """Return the searches with the ratings and reliability of their people.

    Searches of people on vacation or without access are left out.
    """
    absent = away([seek.user for seek in seeks], now)
    free = [seek for seek in seeks if may_be_paired(seek.user)]
    present = [seek for seek in free if seek.user_id not in absent]
    ratings: dict[int, dict[str, int]] = defaultdict(dict)
    for ruleset in sorted({slug for seek in present for slug in seek.rulesets if slug in RULESETS}):
        for pk, facts in facts_of([seek.user for seek in present], ruleset).items():
            ratings[pk][ruleset] = Rating().shown if facts.rating is None else facts.rating
    wishes = []
    for seek in present:
        shown = seek.user.reliability
        wishes.append(
            Wish(
                seek.pk, seek.user_id, seek.since, kinds(seek.rulesets, seek.sizes, seek.clocks), ratings[seek.user_id],
                seek.distance, seek.reliability, shown.percent if shown and shown.turns >= FEW_TURNS else None,
                rated=seek.rated != Rated.NO and not seek.user.is_guest, unrated=seek.rated != Rated.YES,
                bots_at=seek.bots_at,
            )
        )  # fmt: skip
    return [wish for wish in wishes if wish.kinds]


def apart(people: Collection[int], now: datetime) -> Apart:
    """Return the pairs of these people who must not meet."""
    blocks = Block.objects.filter(user__in=people, blocked__in=people).values_list("user", "blocked")
    lately = Seek.objects.filter(user__in=people, game__isnull=False, ended_at__gt=now - MEET_AGAIN)
    together: dict[int, list[int]] = defaultdict(list)
    for game, user in lately.values_list("game", "user"):
        together[game].append(user)
    met = {frozenset(pair) for table in together.values() for pair in combinations(sorted(set(table)), 2)}
    return Apart({frozenset(pair) for pair in blocks}, met)


@transaction.atomic
def _begin(group: Group, now: datetime, starter: User | None) -> bool:
    """Begin the table of a group. Return False if one of its people left or was seated since they were read."""
    # 1. Lock the searches, and check again what may have changed
    ids = sorted(wish.id for wish in group.wishes)
    locked = Seek.objects.select_for_update(of=("self",)).filter(pk__in=ids, state=SeekState.WAITING).order_by("pk")
    seeks = list(locked.select_related("user"))
    people = [seek.user for seek in seeks]
    if len(seeks) < len(ids):
        return False
    apart_now = apart([person.pk for person in people], now)
    pairs = {frozenset((person.pk, other.pk)) for person, other in combinations(people, 2)}
    if pairs & set(apart_now.blocked):
        return False
    if group.is_rated and (pairs & set(apart_now.met) or any(person.is_guest for person in people)):
        return False
    # 2. Draw the seats, so that waiting first is no advantage at the table; bots sit after the people
    secrets.SystemRandom().shuffle(people)
    bot = str(BOTS[STAND_IN].name)
    bots = [Participant(None, STAND_IN, bot if n == 1 else f"{bot} {n}") for n in range(1, group.bots + 1)]
    game = begin_contest(
        participants=[*(Participant(person) for person in people), *bots], ruleset=group.kind.ruleset,
        clock=group.kind.clock, full=False, now=now, rated=group.is_rated, starter=starter,
        listed=len(people) > 1,
    )  # fmt: skip
    _end(seeks, SeekState.FILLED if bots else SeekState.FOUND, now, game)
    return True


def _end(seeks: Sequence[Seek], state: SeekState, now: datetime, game: Game | None = None) -> None:
    Seek.objects.filter(pk__in=[seek.pk for seek in seeks]).update(state=state, ended_at=now, game=game)


def sweep(now: datetime) -> int:
    """Begin tables, end searches that are over, and delete old ones. Return how many tables began or searches ended."""
    taken, over = begin_tables(now), Seek.objects.filter(state=SeekState.WAITING, expires_at__lte=now)
    for pk in list(over.values_list("pk", flat=True)[:LOOKED_AT]):
        with transaction.atomic():
            rows = Seek.objects.select_for_update(skip_locked=True, of=("self",)).filter(pk=pk, state=SeekState.WAITING)
            if (seek := rows.select_related("user").first()) is None:
                continue
            _end([seek], SeekState.EXPIRED, now)
            taken += 1
            outbox.tell_user(
                kind=NoticeKind.CLOSED,
                user=seek.user,
                about=f"seek.{seek.pk}",
                title=_("We didn’t find a game for you"),
                lead=_("Nobody matched your search in time. Search again, for example with more games."),
                url=reverse("find_game"),
            )
    old = Seek.objects.filter(~Q(state=SeekState.WAITING), ended_at__lt=now - KEPT)
    old.filter(~Q(game__status=Status.RUNNING) | Q(game=None)).delete()
    return taken


def move(guest: User, user: User) -> None:
    """End the guest's search when the guest signs in to an account, and move what it found."""
    Seek.objects.filter(user=guest, state=SeekState.WAITING).update(state=SeekState.LEFT, ended_at=timezone.now())
    Seek.objects.filter(user=guest).update(user=user)
