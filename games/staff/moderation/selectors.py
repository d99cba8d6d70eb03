"""What moderators see: the queue of reports and answers, one report, one player, and accounts that share a network."""

import ipaddress
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations, islice

from allauth.usersessions.models import UserSession
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import Done, ModerationEntry, Step, User
from accounts.moderation import roles
from accounts.moderation.newcomers import is_new
from accounts.moderation.services import need_possible_steps
from empire.web.languages import display_name
from games.contests.models import Team
from games.errors import GameError
from games.rules.record import FORMER_PLAYER
from games.staff.moderation.forms import OPERATOR, STEP_KIND
from games.staff.moderation.services import acted_on, is_kept_from
from games.tables.models import Game, Message, Report, Seat, SeatName, Subject
from games.tables.services.reports import same_audience

SHOWN = 100  # rows of each list
NAMES = (Subject.NAME, Subject.TEAM)  # of reports, which moderators can replace
LATER = 20  # messages after the snapshot
BUSY = 12  # accounts of one network, from which on it says nothing: a school, a mobile network
RECENT = timedelta(days=90)  # games that are looked at for players who share a network
MOST_SIGN_INS = 200_000  # read for the list of all such games


# The queue


def queue(reader: User, after: int = 0) -> tuple[list[Report], bool]:
    """Return the open reports after this id that the moderator may read, the oldest first, and whether more follow."""
    rows = Report.objects.filter(settled_at=None, pk__gt=after).exclude(player=reader)
    rows = rows.select_related("player", "reporter", "game", "claimed_by").order_by("pk")
    readable = (report for report in rows.iterator(chunk_size=SHOWN) if not is_kept_from(report, reader))
    shown = list(islice(readable, SHOWN + 1))
    return shown[:SHOWN], len(shown) > SHOWN


def answers(reader: User) -> list[Step]:
    """Return the steps whose answers nobody has read, and which the moderator may lift, the oldest first."""
    kinds = roles.kinds(reader)
    rows = Step.objects.filter(answered_at__isnull=False, heard_at=None, kind__in=kinds).exclude(user=reader)
    return list(rows.select_related("user", "by").order_by("answered_at")[:SHOWN])


def later_messages(report: Report) -> list[Message]:
    """Return the messages in the same room since the report; none for private messages."""
    if report.message is None or report.message.to is not None:
        return []
    seen = max((line["id"] for line in report.context.get("lines", ())), default=0)
    return list(same_audience(report.message).filter(pk__gt=seen).order_by("pk")[:LATER])


def team_of(report: Report) -> Team | None:
    """Return the team whose name was reported, unless it is gone by now."""
    teams = Team.objects.select_related("tournament").filter(pk=report.context.get("team"), players__isnull=False)
    return teams.first() if report.subject == Subject.TEAM else None


def players_of(report: Report) -> list[User]:
    """Return the people that the report of a table can be about, in the order of their seats, without its reporter.

    The owner of an outside bot answers for it. If a player or a message was reported, there are none.
    """
    if report.subject != Subject.TABLE:
        return []
    seated = [player["who"] for player in report.context["table"]["players"]]
    players = User.objects.select_related("bot_account__owner").in_bulk([pk for pk in seated if pk is not None])
    answering = [player.bot_account.owner if player.is_bot else player for pk in seated if (player := players.get(pk))]
    return [person for person in dict.fromkeys(answering) if person.is_active and person.pk != report.reporter_id]


def report_at_table_of(person: User, pk: int, reader: User) -> Report | None:
    """Return an open report of a table that this person plays at, if the reader may settle it."""
    report = Report.objects.filter(pk=pk, settled_at=None).exclude(reporter=reader).select_related("game").first()
    if report is None or is_kept_from(report, reader) or person not in players_of(report):
        return None
    return report


# One player


@dataclass(frozen=True)
class Dossier:
    """A player as moderators see them. `written` counts their reports, of which `upheld` led to action.

    `acted_on`: those of the reports about them that led to a message removed or a name replaced. `refusal`: why the
    reader can't take any steps about them, or an empty text.
    """

    person: User
    names: list[str]
    games: int
    steps: list[Step]
    about: list[Report]
    acted_on: set[int]
    written: int
    upheld: int
    shared: "list[Shared]"
    is_new: bool
    refusal: str


def dossier(person: User, reader: User) -> Dossier:
    about = Report.objects.filter(player=person).select_related("game", "step").order_by("-at")[:SHOWN]
    shown = [report for report in about if not is_kept_from(report, reader)]
    written = Report.objects.filter(reporter=person)
    with_words = list(written.filter(step=None, subject__in=[Subject.MESSAGE, *NAMES]))
    names = SeatName.objects.filter(user=person).exclude(name=person.username).values_list("name", flat=True)
    return Dossier(
        person=person,
        names=sorted(set(names[:SHOWN])),
        games=Seat.objects.filter(owner=person, game__lesson="").count(),
        steps=list(person.steps.select_related("by").order_by("-pk")),
        about=shown,
        acted_on=acted_on(shown),
        written=written.count(),
        upheld=written.filter(step__isnull=False).count() + len(acted_on(with_words)),
        shared=shared_by(person),
        is_new=is_new(person),
        refusal=_refusal(person, reader),
    )


def _refusal(person: User, reader: User) -> str:
    try:
        need_possible_steps(reader, person)
    except GameError as refusal:
        return str(refusal)
    return gettext("This account is already closed.") if person.is_closed else ""


# The log


@dataclass(frozen=True)
class LogLine:
    """A line of the log with the names of who did it and who it is about. `player` is the latter, unless a bot."""

    entry: ModerationEntry
    by: str
    who: str
    player: User | None


def log(*, by: str = "", who: User | None = None, what: str = "") -> QuerySet[ModerationEntry]:
    """Return the log, the latest first, or what a moderator did, what was done about a player, or what is of a kind.

    For `by` and `what` see `LogForm`. The kind of a step is known as long as the account of its player exists.
    """
    rows = ModerationEntry.objects.order_by("-pk")
    if by:
        rows = rows.filter(by="" if by == OPERATOR else by)
    if who is not None:
        rows = rows.filter(who=str(who.pk))
    if what.startswith(STEP_KIND):
        steps = Step.objects.filter(kind=what.removeprefix(STEP_KIND)).values("pk")
        rows = rows.filter(what=Done.STEP, step__in=steps)
    elif what:
        rows = rows.filter(what=what)
    return rows


def log_lines(entries: Iterable[ModerationEntry]) -> list[LogLine]:
    """Return entries of the log with names. People whose account is deleted are former players."""
    rows = list(entries)
    people = User.objects.in_bulk({int(pk) for row in rows for pk in (row.by, row.who) if pk})

    def name(pk: str) -> str:
        return (people[int(pk)].username if int(pk) in people else display_name(FORMER_PLAYER)) if pk else ""

    players = [people.get(int(row.who)) if row.who else None for row in rows]
    return [
        LogLine(row, name(row.by), name(row.who), player if player and not player.is_bot else None)
        for row, player in zip(rows, players, strict=True)
    ]


def authors() -> list[User]:
    """Return the people who have done something as moderators, by name. Answers are of players."""
    done = ModerationEntry.objects.exclude(what=Done.ANSWERED).exclude(by="").values_list("by", flat=True).distinct()
    return list(User.objects.filter(pk__in=[int(pk) for pk in done]).order_by("username"))


# Accounts that share a network or a browser
#
# Only what the list of sign-ins has anyway is compared, for as long as it is kept. Moderators see who shares something
# with whom, and never the addresses.


@dataclass(frozen=True)
class Shared:
    """Another account that signed in from the same network. `same_browser`: also with the same kind of browser there.

    `games` are the latest games that both played.
    """

    other: User
    same_browser: bool
    last: datetime
    games: list[Game]


def network(ip: str) -> str:
    """Return the network that an address belongs to: the address itself, or the /64 of an IPv6 address."""
    try:
        address = ipaddress.ip_address(ip)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return ip


def shared_by(person: User) -> list[Shared]:
    """Return the accounts that share a network with this one, unless so many do that it says nothing."""
    sign_ins = list(UserSession.objects.filter(user=person).values_list("ip", "user_agent"))
    by_account: dict[int, tuple[bool, datetime]] = {}
    for shared_network in {network(ip) for ip, _agent in sign_ins} - {""}:
        is_range = "/" in shared_network
        beginning = shared_network.partition("::/" if "::/" in shared_network else "/")[0]
        sessions = UserSession.objects.exclude(user=person)
        sessions = sessions.filter(**{"ip__startswith" if is_range else "ip": beginning})
        rows = [
            row
            for row in sessions.values_list("user", "ip", "user_agent", "last_seen_at")
            if network(row[1]) == shared_network
        ]
        if len({row[0] for row in rows}) >= BUSY:
            continue
        browsers = {agent for ip, agent in sign_ins if network(ip) == shared_network}
        for pk, _ip, agent, last in rows:
            before = by_account.get(pk, (False, last))
            by_account[pk] = (before[0] or agent in browsers, max(before[1], last))
    people = User.objects.filter(is_active=True).in_bulk(by_account)
    games_by_pair = _games_of_pairs({frozenset((person.pk, pk)) for pk in by_account})
    shared = [
        Shared(people[pk], same_browser, last, games_by_pair.get(frozenset((person.pk, pk)), []))
        for pk, (same_browser, last) in by_account.items()
        if pk in people
    ]
    return sorted(shared, key=lambda account: (-len(account.games), not account.same_browser, account.other.username))


@dataclass(frozen=True)
class Together:
    """Two accounts that share a network and played in the same games, the latest first."""

    first: User
    second: User
    same_browser: bool
    games: list[Game]


def together() -> list[Together]:
    """Return the pairs of accounts that share a network and played together recently, those with most games first."""
    since = timezone.now() - RECENT
    rows = UserSession.objects.filter(last_seen_at__gte=since).order_by("-last_seen_at")
    by_network: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for pk, ip, agent in rows.values_list("user", "ip", "user_agent")[:MOST_SIGN_INS]:
        if where := network(ip):
            by_network[where][pk].add(agent)
    same_browser: dict[frozenset[int], bool] = defaultdict(bool)
    for people in by_network.values():
        if 1 < len(people) < BUSY:
            for first, second in combinations(people, 2):
                same_browser[frozenset((first, second))] |= not people[first].isdisjoint(people[second])
    games = _games_of_pairs(same_browser)
    players = User.objects.filter(is_active=True).in_bulk({pk for pair in games for pk in pair})
    pairs = []
    for pair, played in games.items():
        if not pair <= players.keys():  # a guest who has signed in to the other account
            continue
        first_player, second_player = sorted((players[pk] for pk in pair), key=lambda player: player.username)
        pairs.append(Together(first_player, second_player, same_browser[pair], played))
    return sorted(pairs, key=lambda together: (-len(together.games), together.first.username))[:SHOWN]


def _games_of_pairs(pairs: Iterable[frozenset[int]]) -> dict[frozenset[int], list[Game]]:
    """Return the recent games between people that both of a pair played, for pairs that have some."""
    wanted = set(pairs)
    people = {pk for pair in wanted for pk in pair}
    seats: dict[int, set[int]] = defaultdict(set)
    recent = Q(game__ended_at=None) | Q(game__ended_at__gte=timezone.now() - RECENT)
    ids = sorted(people)
    for start in range(0, len(ids), 500):
        rows = Seat.objects.filter(recent, owner__in=ids[start : start + 500], game__started_at__isnull=False)
        for game, owner in rows.values_list("game", "owner"):
            seats[game].add(owner)
    by_pair: dict[frozenset[int], list[int]] = defaultdict(list)
    for game, owners in seats.items():
        for pair in map(frozenset, combinations(sorted(owners), 2)):
            if pair in wanted:
                by_pair[pair].append(game)
    games = Game.objects.in_bulk({game for played in by_pair.values() for game in played})
    return {pair: [games[pk] for pk in sorted(played, reverse=True)] for pair, played in by_pair.items()}
