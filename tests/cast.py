"""People and games for tests: Alice, Bob, Carol and Dan play, Eve only watches. Games are set up by playing them."""

from collections.abc import Iterable
from datetime import date

from allauth.account.models import EmailAddress
from django.utils import timezone

from accounts.models import User
from games.rules.play import Walk, walk
from games.rules.protocol import State
from games.tables.models import Draft, Entry, Game, Seat
from games.tables.selectors import position
from games.tables.services import deadlines as timing
from games.tables.services import lobby, play
from tests.kept import copied


def person(name: str, *, has_confirmed: bool = True, **more: object) -> User:
    """Create a user with this name and the address name@example.org. `more` are fields of `User`."""
    user = User.objects.create(username=name, email=f"{name.lower()}@example.org", **more)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=has_confirmed)
    return user


def born(user: User, year: int) -> None:
    """Give the user a date of birth, entered now."""
    user.birth_date, user.birth_date_given_at = date(year, 1, 1), timezone.now()
    user.save()


def table_of(*people: User, **more: object) -> Game:
    """Return a listed game of these people that has begun: the bids are due. `more` are options of `open_table`."""

    def play() -> Game:
        game = lobby.open_table(user=people[0], players=len(people), **{"listed": True, **more})
        for user in people[1:]:
            lobby.join_table(game=game, user=user, invite=game.invite_token)
        return again(game)

    return copied("table of", people, repr(more), play=play)


def again(game: Game) -> Game:
    """Return the game as it is stored now."""
    return Game.objects.get(pk=game.pk)


def seats_of(game: Game) -> list[Seat]:
    return list(Seat.objects.filter(game=game).order_by("number"))


def with_snapshot(game: Game) -> Game:
    return Game.objects.select_related("snapshot").get(pk=game.pk)


def state_of(game: Game) -> State:
    game = with_snapshot(game)
    return position.current(game, seats_of(game), game.snapshot)


def submit(game: Game, seat: int, *actions: str, seq: int | None = None) -> Game:
    """Submit a turn as from a page that shows entry `seq`, by default the last one."""
    expected = again(game).seq if seq is None else seq
    return play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=expected)


def bid(game: Game, *coins: int) -> Game:
    """Submit the bids, in seat order."""
    for seat, n in enumerate(coins):
        submit(game, seat, f"bid {n}")
    return again(game)


def some_turn(game: Game) -> tuple[int, list[str]]:
    """Return the seat to act and a whole legal turn: the cheapest card, the first step it allows, and done."""
    return turn_of(with_snapshot(game))


def turn_of(game: Game) -> tuple[int, list[str]]:
    """Return the same as `some_turn`, for a game that has just been read together with its snapshot."""
    seats = seats_of(game)
    seat = next(seat.number for seat in seats if seat.owes)
    return seat, turn_on(game, position.current(game, seats, game.snapshot), seat)


def turn_on(game: Game, state: State, seat: int) -> list[str]:
    """Return a whole turn, up to a step after which nothing can follow."""
    rules, walked = game.rules, Walk(state)
    actions: list[str] = []
    while not walked.is_closed and rules.legal(walked.state, seat):
        legal = rules.legal(walked.state, seat)
        actions.append(rules.text(legal[-1 if len(actions) == 2 else 0]))
        walked = walk(rules, walked.state, seat, actions[-1:])
    return actions


def only(game: Game, seat: int, action: str) -> list[str]:
    """Return a whole turn of this action alone. It needs `done`, unless no other step is possible."""
    return [action, *([] if walk(game.rules, state_of(game), seat, [action]).is_closed else ["done"])]


def play_turns(game: Game, turns: int) -> Game:
    """Play so many legal turns, each of a seat that must act. Return the game as it is then."""
    for _turn in range(turns):
        play_turn(with_snapshot(game))
    return again(game)


def play_turn(game: Game) -> None:
    """Play one legal turn. The game must have been read with its snapshot."""
    seat, actions = turn_of(game)
    play.submit_turn(game=game, seat=seat, actions=actions, expected_seq=game.seq)


def play_out(game: Game) -> Game:
    """Play the game to its end, with a legal turn for each seat that must act."""
    while not (now := with_snapshot(game)).is_finished:
        play_turn(now)
    return again(game)


def in_turns(*people: User, **more: object) -> Game:
    """Return a game after the bids: seat 1 won and chose seat 0 to go first. Their first turn is due."""

    def play() -> Game:
        game = table_of(*people, **more)
        bid(game, 0, 1, *[0] * (len(people) - 2))
        return submit(game, 1, "first 0")

    return copied("in turns", people, repr(more), play=play)


def wait_for(game: Game, owing: Iterable[int]) -> Game:
    """Make these seats owe a decision from now on, with the whole time of a turn. The log doesn't show this."""
    for seat in Seat.objects.filter(game=game).select_related("user"):
        seat.time_left = seat.since = seat.deadline = None
        seat.owes = seat.number in owing
        if seat.owes:
            timing.begin(seat, game.parsed_clock, game.parsed_clock.at_start, timezone.now())
        seat.save()
    return again(game)


def everything_written(game: Game) -> list[object]:
    """Return all rows of a game, to check that a refused request wrote nothing."""
    rows: Iterable[Iterable[object]] = (
        Game.objects.filter(pk=game.pk).values_list(),
        Seat.objects.filter(game=game).order_by("pk").values_list(),
        Entry.objects.filter(game=game).order_by("pk").values_list(),
        Draft.objects.filter(seat__game=game).order_by("pk").values_list(),
        [state_of(game)] if again(game).seq >= 0 else [],
    )
    return [row for table_rows in rows for row in table_rows]
