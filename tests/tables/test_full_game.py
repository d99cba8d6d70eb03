"""Full games: three games follow each other automatically, the next seat sets up each time, and the sum decides."""

import re

import pytest
from django.utils import timezone

from accounts.models import User
from games.notices.kinds import Kind
from games.notices.models import Notice
from games.rules.full_game import SeatTotal, ranked
from games.rules.registry import get
from games.tables.models import Entry, FullGame, Game
from games.tables.pages.result import full_game_words
from games.tables.services import full_games as leagues
from games.tables.services import handover, lobby, notify, records
from tests.cast import again, play_out, seats_of, table_of
from tests.kept import copied, kept
from tests.tables.family import EVERYTHING

pytestmark = pytest.mark.django_db


@pytest.fixture
def first_ended(alice, bob, carol) -> Game:
    """The first game, which has ended; the second has begun."""
    return after(1, alice, bob, carol)


@pytest.fixture
def two_ended(alice, bob, carol) -> Game:
    """The first of two games that have ended; the third has begun."""
    return after(2, alice, bob, carol)


@pytest.fixture
def all_ended(alice, bob, carol) -> Game:
    """The first of three games that have all ended."""
    return after(3, alice, bob, carol)


def after(ended: int, *people: User) -> Game:
    """Return the first game of a full game of which so many games have ended."""

    def play() -> Game:
        first = after(ended - 1, *people)
        play_out(games(first.full_game)[-1])
        return first

    if not ended:
        return table_of(*people, full=True, clock="move 24h")
    return copied("full game", ended, people, play=play)


def games(full: FullGame) -> list[Game]:
    return list(Game.objects.filter(full_game=full).order_by("number"))


def setter(game: Game) -> int:
    return next(event["setter"] for event in Entry.objects.get(game=game, seq=0).events if "setter" in event)


def test_the_next_game_begins_automatically_with_the_same_people_in_the_same_seats(first_ended):
    first, second = games(first_ended.full_game)
    assert (second.number, second.is_running, second.clock, second.listed) == (2, True, "move 24h", True)
    assert [(seat.number, seat.user_id, seat.name) for seat in seats_of(second)] == [
        (seat.number, seat.user_id, seat.name) for seat in seats_of(first)
    ]
    assert second.invite_token != first.invite_token


def test_everyone_is_notified_when_the_next_game_begins(first_ended):
    second = games(first_ended.full_game)[1]
    assert Notice.objects.filter(kind="started", seat__game=second).count() == 3


def test_r5_the_next_seat_sets_up_the_next_game(all_ended):
    setters = [setter(game) for game in games(all_ended.full_game)]
    assert setters == [setters[0], (setters[0] + 1) % 3, (setters[0] + 2) % 3]


def test_the_standings_are_stored_after_the_third_game(all_ended):
    full = FullGame.objects.get()
    assert full.status == "finished" and full.ended_at and len(games(full)) == 3
    totals = [[seats_of(game)[seat].total for game in games(full)] for seat in range(3)]
    assert [line["games"] for line in full.ranking] == totals
    assert [line["points"] for line in full.ranking] == [sum(points) for points in totals]
    best = max(full.ranking, key=lambda line: (line["points"], line["won"], line["left"]))
    assert best["place"] == 1


def test_the_result_of_each_game_has_the_totals_and_the_next_game_or_who_won_the_full_game(two_ended, client, carol):
    full, played = two_ended.full_game, games(two_ended.full_game)
    client.force_login(carol)

    def said(game: Game) -> str:
        return client.get(game.get_absolute_url()).content.decode().partition('id="full-game-so-far"')[2]

    first = said(played[0])
    assert "Full game after 2 of 3 games: " in first
    assert "Go to game 2</a>" in first and f'href="{played[1].get_absolute_url()}"' in first
    play_out(games(full)[-1])
    full.refresh_from_db()
    best = min(full.ranking, key=lambda line: line["place"])
    name, last = seats_of(played[0])[best["seat"]].name, said(games(full)[-1])
    assert re.search(f"{name}.* (wins|share the win of) the full game: {name} {best['points']}[, ]", last)


def test_a_player_who_was_replaced_sees_no_points_of_later_private_games(alice, bob, carol, dan, client):
    first = table_of(alice, bob, carol, full=True, clock="move 24h", listed=False)
    play_out(first)
    full, second = first.full_game, games(first.full_game)[1]
    handover.transfer(seat=seats_of(second)[2], to=dan)
    client.force_login(carol)
    pages = [f"/full-games/{full.pk}/", first.get_absolute_url(), "/desk/"]

    def shown() -> list[str]:
        return [
            re.sub(r'(csrfmiddlewaretoken" value|nonce|id)="[^"]*"|X-CSRFToken[^}]*', "", client.get(page).text)
            for page in pages
        ]

    before = shown()
    assert "Full game after 1 of 3 games" in before[1] and "Go to game 2" not in "".join(before)
    assert "The later games are private" in before[0] and f"/games/{second.public_id}/" not in before[0]
    for index in (1, 2):
        play_out(games(full)[index])
    assert FullGame.objects.get().status == "finished" and shown() == before
    # Dan needs the points of the game before his own, but can't open it
    client.force_login(dan)
    page = client.get(pages[0]).text
    assert str(seats_of(first)[0].total) in page and first.get_absolute_url() not in page
    assert f"/games/{second.public_id}/" in page and "wins the full game" in page
    assert client.get(first.get_absolute_url()).status_code == 404
    assert "Dan" in page.partition("<table")[2] and "Carol" not in page  # the seat is his now


def test_the_order_of_tied_players_does_not_tell_whether_a_later_game_has_ended():
    def after(*games: tuple[int, int]) -> FullGame:
        """A full game in which the second seat has more left."""
        sums = [SeatTotal(seat, points, sum(points), 1, seat) for seat, points in enumerate(zip(*games, strict=True))]
        return FullGame(ranking=[line._asdict() for line in ranked(sums)])

    first = after((5, 5))
    assert [line["seat"] for line in first.ranking if line["place"] == 1] == [1]
    words = full_game_words(first, ["Ann", "Bea"], 1)
    assert words == full_game_words(after((5, 5), (9, 2)), ["Ann", "Bea"], 1)
    assert words == "Full game after 1 of 3 games: Ann 5 and Bea 5."


def test_players_get_one_notice_for_the_end_of_the_last_game_and_the_full_game(two_ended, carol):
    carol.refresh_from_db()
    carol.notice_settings = {"email": {"full": "off"}}
    carol.save()
    play_out(games(two_ended.full_game)[2])
    notices = Notice.objects.filter(kind="full").order_by("user")
    assert [(notice.user.username, notice.url) for notice in notices] == [
        (name, f"/full-games/{two_ended.full_game_id}/") for name in ("Alice", "Bob")
    ]
    assert notices[0].title == "Full game finished: Legends with Bob and Carol"
    last = Notice.objects.filter(kind="ended", seat__game__number=3)
    assert [notice.user for notice in last] == [carol]


def test_the_status_of_a_full_game_follows_its_table(alice, bob):
    game = lobby.open_table(user=alice, players=2, listed=True, full=True)
    assert FullGame.objects.get().status == "open"
    lobby.join_table(game=game, user=bob)
    assert FullGame.objects.get().status == "running"


def test_closing_a_table_closes_its_full_game(alice):
    lobby.close_table(game=lobby.open_table(user=alice, full=True), user=alice)
    assert FullGame.objects.get().status == "closed"


def test_the_sweep_continues_a_stalled_full_game_once(first_ended):
    first, second = games(first_ended.full_game)
    stall(first, second)
    assert leagues.sweep_full_games(timezone.now()) == 1
    assert leagues.sweep_full_games(timezone.now()) == 0
    assert [game.number for game in games(first.full_game)] == [1, 2]


def stall(first: Game, second: Game) -> None:
    """Detach the second game, as if it had never been opened."""
    Game.objects.filter(pk=second.pk).update(full_game=None)
    assert games(first.full_game) == [again(first)]


def test_continuing_twice_opens_one_game(first_ended):
    assert leagues.after_game(game=first_ended, now=timezone.now()) is None
    assert len(games(first_ended.full_game)) == 2


def test_no_game_follows_a_single_game(alice, bob):
    play_out(table_of(alice, bob))
    assert Game.objects.count() == 1


def test_the_next_game_keeps_the_seat_of_a_deleted_account(alice, bob, carol):
    first = after(0, alice, bob, carol)
    carol.delete()
    play_out(first)
    assert [seat.name for seat in seats_of(games(first.full_game)[1])] == ["Alice", "Bob", "Former player"]


# In every ruleset, with options


WITH_OPTIONS = [
    ("legends", EVERYTHING | {"setup": "by-hand", "layout": "rectangle"}),
    pytest.param(("prototype", {"explore": True, "layout": "row", "setup": "by-hand"}), marks=pytest.mark.long),
    ("classic", {"goods_tokens": True, "side": "side-b", "setup": "by-hand", "coal": "place"}),
]


@pytest.fixture(params=WITH_OPTIONS, ids=lambda chosen: f"{chosen[0]} {'+'.join(chosen[1])}")
def played(request, alice, bob) -> tuple[FullGame, dict]:
    ruleset, options = request.param

    def play() -> Game:
        first = table_of(alice, bob, full=True, ruleset=ruleset, options=options)
        for number in range(3):
            play_out(games(first.full_game)[number])
        return first

    return kept("full", ruleset, alice.pk, bob.pk, play=play).full_game, options


@pytest.mark.long
def test_r5_the_next_seat_sets_up_the_next_game_by_hand(played):
    full, _options = played
    setters = [setter(game) for game in games(full)]
    assert setters == [setters[0], 1 - setters[0], setters[0]]
    # in classic only the third color is set up by hand, and the setup seat comes last (R4)
    begins = setters if full.ruleset != "classic" else [1 - seat for seat in setters]
    assert [Entry.objects.get(game=game, seq=1).seat for game in games(full)] == begins


@pytest.mark.long
def test_all_three_games_have_the_same_rules_and_options(played):
    full, options = played
    for game in games(full):
        assert game.ruleset == full.ruleset
        assert {name: value for name, value in game.options.items() if name != "setter"} == {"ties": "die", **options}
        assert records.verify(game=game) == []


@pytest.mark.long
def test_the_standings_add_the_three_games_in_every_ruleset(played):
    full, _options = played
    for line in full.ranking:
        seats = [seats_of(game)[line["seat"]] for game in games(full)]
        assert (line["games"], line["points"]) == ([seat.total for seat in seats], sum(seat.total for seat in seats))
        assert line["won"] == sum(seat.place == 1 for seat in seats)
        assert line["left"] == sum(seat.left for seat in seats)


@pytest.mark.long
def test_pages_of_a_full_game_name_the_game_and_its_options(played, client, alice):
    full, _options = played
    client.force_login(alice)
    for address in ("/history/", f"/full-games/{full.pk}/", games(full)[2].get_absolute_url()):
        page = client.get(address).content.decode()
        assert get(full.ruleset).name.rpartition(": ")[2] in page
        assert "set up by hand" in page, address


def test_the_next_game_keeps_what_each_player_has_muted(alice, bob, carol):
    first = after(0, alice, bob, carol)
    seats = seats_of(first)
    notify.mute(seat=seats[1], user=bob, choice="all")
    notify.mute(seat=seats[2], user=carol, choice="turns")
    play_out(first)
    second = seats_of(games(first.full_game)[1])
    assert [seat.mute for seat in second] == ["", "all", "turns"]
    assert second[1].is_muted_for(bob.pk, Kind.TURN) and not second[1].is_muted_for(alice.pk, Kind.TURN)
