"""What somebody has played: ended games, those of a full game together, and a picture of the results."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.boards import chart
from games.leagues.models import FullGame
from games.models import Game, Seat, Status
from games.selectors.rights import Reader, is_person

GAMES_ON_A_PAGE = 30
GAMES_IN_THE_PICTURE = 24


@dataclass(frozen=True)
class Played:
    """One ended game: the person's seat and all seats, best place first."""

    game: Game
    seat: Seat
    seats: list[Seat]


@dataclass(frozen=True)
class Contest:
    """What is counted together: the ended games of a full game, latest first, or a single game by itself."""

    full_game: FullGame | None
    games: list[Played]

    @property
    def total(self) -> int:
        return sum(played.seat.total or 0 for played in self.games)


@dataclass(frozen=True)
class History:
    """`count` and `won` are of all the games, `contests` those of one page; `picture` the latest, on the first page."""

    person: User
    contests: list[Contest]
    picture: SafeString
    page: Page
    count: int
    won: int

    @property
    def games(self) -> list[Played]:
        return [played for contest in self.contests for played in contest.games]


def history(*, person: User, reader: Reader, page: str | int | None = None) -> History:
    """The person's games as far as the reader may see them: private ones are for those who sat at the table."""
    seats = ended(person=person, reader=reader)
    counted = seats.aggregate(count=Count("pk"), won=Count("pk", filter=Q(place=1)))
    paginator = Paginator(seats, GAMES_ON_A_PAGE)
    paginator.count = counted["count"]  # one query for both
    shown = paginator.get_page(page)
    games = [_played(seat) for seat in shown]
    picture = "" if shown.has_previous() else draw(person, games[:GAMES_IN_THE_PICTURE])
    return History(person, contests(games), mark_safe(picture), shown, **counted)


def ended(*, person: User, reader: Reader) -> QuerySet[Seat]:
    """The person's seats in ended games, latest first."""
    seats = Seat.objects.filter(user=person, game__status=Status.FINISHED, place__isnull=False)
    if is_person(reader) and reader.pk != person.pk:
        seats = seats.filter(Q(game__listed=True) | Q(game__in=Seat.objects.filter(user=reader).values("game")))
    elif not is_person(reader):
        seats = seats.filter(game__listed=True)
    return (
        seats.select_related("game__full_game")
        .prefetch_related("game__seats__user")
        .order_by("-game__ended_at", "-game_id")
    )


def contests(games: Sequence[Played]) -> list[Contest]:
    """The games in their order, with those of one full game gathered where its latest stands."""
    gathered: dict[tuple[str, int], list[Played]] = {}
    for played in games:
        full = played.game.full_game_id
        gathered.setdefault(("full", full) if full else ("single", played.game.pk), []).append(played)
    return [Contest(members[0].game.full_game, members) for members in gathered.values()]


def draw(person: User, games: Sequence[Played]) -> str:
    """The picture of these games, which come latest first."""
    results = [_result(played) for played in reversed(games)]
    return chart.chart(
        results,
        title=gettext("Points of %(name)s, game by game") % {"name": person.username},
        description=gettext(
            "The latest game is on the right. The number in each mark is the place; a win is a diamond. %(games)s"
        )
        % {"games": "; ".join(result.label for result in results)},
    )


def _played(seat: Seat) -> Played:
    return Played(seat.game, seat, sorted(seat.game.seats.all(), key=lambda one: (one.place or 0, one.number)))


def _result(played: Played) -> chart.Result:
    seat, game = played.seat, played.game
    label = ngettext(
        "%(day)s: %(n)d point, place %(place)d of %(players)d",
        "%(day)s: %(n)d points, place %(place)d of %(players)d",
        seat.total or 0,
    )
    values = {
        "day": date_format(localtime(game.ended_at), "j N Y"),
        "n": seat.total or 0,
        "place": seat.place,
        "players": game.players,
    }
    return chart.Result(seat.total or 0, seat.place or 0, label % values, str(game.full_game_id or ""))
