"""Duplicates: the same deal at every table, hidden until the last table has ended, then compared."""

import re

import pytest
from django.utils import timezone

from games.contests.duplicates import services as duplicates
from games.contests.duplicates.services import compared
from games.contests.models import Score
from games.contests.ratings import book
from games.errors import GameError, NotFound, TableError
from games.notices.models import Notice
from games.rules.registry import RULESETS
from games.tables.models import Duplicate, Entry, Game, Seat, Seed
from games.tables.selectors import rights
from games.tables.services import handover, records
from tests.cast import play_out
from tests.contests.ladders import ends

pytestmark = pytest.mark.django_db


@pytest.fixture
def begun(alice, bob, carol, dan, drawn_in_order) -> Duplicate:
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for user in (bob, carol, dan):
        duplicates.join(public_id=row.public_id, user=user)
    return row


def games(row: Duplicate) -> list[Game]:
    return list(row.games.order_by("pk"))


def test_all_tables_have_the_same_setup_and_the_same_seed(begun):
    first, second = games(begun)
    assert first.seed_hash == second.seed_hash and first.pk != second.pk
    set_ups = [Entry.objects.get(game=game, seq=0).events for game in (first, second)]
    assert set_ups[0] == set_ups[1]
    assert bytes(Seed.objects.get(game=first).secret) == bytes(Seed.objects.get(game=second).secret)


def test_tables_fill_one_after_the_other_and_nobody_gets_two_seats(alice, bob, carol):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    first = duplicates.join(public_id=row.public_id, user=bob)
    assert duplicates.join(public_id=row.public_id, user=alice) == first and first.seats.count() == 2
    assert duplicates.join(public_id=row.public_id, user=carol) != first


def test_while_a_table_plays_nobody_sees_another_table_or_the_seed(begun, alice, bob, carol, come):
    first, second = games(begun)
    play_out(first)
    first.refresh_from_db()
    for reader, game in ((carol, first), (alice, second)):
        with pytest.raises(NotFound):
            rights.visible(public_id=game.public_id, user=reader, invite=game.invite_token)
        assert come(reader).get(f"/join/{game.invite_token}/").status_code == 404
        assert come(reader).get(game.get_absolute_url() + "verify/").status_code == 404
    seed = bytes(Seed.objects.get(game=first).secret).hex()
    assert seed not in records.export(public_id=first.public_id, user=alice).decode()
    assert records.proof(public_id=first.public_id, user=alice).record is None
    for url in ("", "verify/", "record.json", "view.json"):
        assert seed not in come(alice).get(first.get_absolute_url() + url).content.decode()
    assert come(carol).get("/players/Alice/scores.json").content == b"[]"


@pytest.mark.long
def test_when_the_last_table_ends_everything_is_open_and_compared_by_seat(begun, alice, carol, come):
    first, second = map(play_out, games(begun))
    begun.refresh_from_db()
    assert begun.ended_at and len(begun.result) == 4
    points = {(score.game_id, score.seat): score.points for score in Score.objects.all()}
    for line in begun.result:
        game, other = (first, second) if line["game"] == first.public_id else (second, first)
        assert line["difference"] == points[game.pk, line["seat"]] - points[other.pk, line["seat"]]
    first.refresh_from_db()
    assert sum(line["difference"] for line in begun.result) == 0
    assert first.listed and first.is_open_book and records.verify(game=first) == []
    page = come(carol).get(begun.get_absolute_url()).content.decode()
    assert all(f"> {name}<" in page for name in ("Alice", "Bob", "Carol", "Dan"))
    assert come(carol).get(first.get_absolute_url()).status_code == 200
    assert Notice.objects.filter(about=f"duplicate.{begun.pk}").count() == 4
    assert book.sweep() == 2 and duplicates.sweep_duplicates(timezone.now()) == 0


@pytest.mark.long
def test_full_games_are_compared_by_their_sums(alice, bob, carol, dan):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2, full=True)
    for user in (bob, carol, dan):
        duplicates.join(public_id=row.public_id, user=user)
    for number in (1, 2, 3):
        pair = list(row.games.filter(number=number))
        assert len(pair) == 2 and pair[0].seed_hash == pair[1].seed_hash
        for game in pair:
            assert game.is_withheld
            play_out(game)
    row.refresh_from_db()
    assert sorted(line["points"] for line in row.result) == sorted(Score.objects.values_list("points", flat=True))


def test_nobody_can_substitute_at_another_table_of_their_deal(begun, alice, carol, eve):
    seat = games(begun)[0].seats.get(owner=alice)
    with pytest.raises(GameError, match="already plays this deal at another table"):
        handover.ask(seat=seat, user=alice, name="Carol")


def test_each_refusal_has_its_sentence(alice, bob, carol, come):
    for wrong in ({"tables": 1}, {"tables": 9}, {"players": 9}, {"ruleset": "chess"}, {"clock": "soon"}):
        with pytest.raises(GameError):
            duplicates.open_duplicate(user=alice, **{"ruleset": "legends", "players": 2, "tables": 2, **wrong})
    assert not Duplicate.objects.exists() and not Game.objects.exists()
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for user in (carol, alice, alice):  # who has no seat has left, as after the first of two taps
        duplicates.leave(public_id=row.public_id, user=user)
    Duplicate.objects.update(started_at=timezone.now())
    with pytest.raises(GameError, match="have no seat"):
        duplicates.leave(public_id=row.public_id, user=carol)
    Duplicate.objects.update(started_at=None)
    with pytest.raises(NotFound):
        duplicates.join(public_id="nowhere", user=bob)
    row.games.update(status="closed")
    with pytest.raises(TableError, match="already started"):
        duplicates.join(public_id=row.public_id, user=bob)


def test_forms_open_join_and_leave_a_duplicate(come, alice, bob, eve):
    answer = come(alice).post(
        "/duplicates/open/", {"ruleset": "legends", "players": 2, "tables": 2, "clock": "move 2d"}
    )
    row = Duplicate.objects.get()
    assert answer.url == row.get_absolute_url()
    assert "3 seats are free" in come(bob).get(row.get_absolute_url()).content.decode()
    come(bob).post(row.get_absolute_url() + "join")
    assert "You have a seat" in come(bob).get(row.get_absolute_url()).content.decode()
    assert row.public_id in come(eve).get("/duplicates/").content.decode()
    assert come(alice).post("/duplicates/open/", {"ruleset": "chess", "players": "x"}).status_code == 422
    assert come(alice).get("/duplicates/nowhere/").status_code == 404


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_the_form_offers_the_numbers_of_players_that_the_game_allows(come, alice, ruleset):
    browser, fields = come(alice), {"ruleset": ruleset, "players": "7", "full": "on", "clock": "move 1d"}

    def numbers(**more: object) -> list[int]:
        html = browser.get("/duplicates/open/", fields, **more).content.decode()
        assert more or all(
            part in html for part in (f'value="{ruleset}" selected', "checked", 'value="move 1d" selected')
        )
        select = html.partition('<select name="players"')[2].partition("</select>")[0]
        return [int(number) for number in re.findall(r'<option value="(\d+)"', select)]

    counts = RULESETS[ruleset].seat_counts
    assert numbers() == numbers(headers={"HX-Request": "true"}) == list(counts)
    answer = browser.post("/duplicates/open/", {**fields, "players": max(counts) + 1, "tables": 2})
    assert answer.status_code == 422 and "can’t be played with that many players" in answer.content.decode()
    assert browser.post("/duplicates/open/", {**fields, "players": max(counts), "tables": 2}).status_code == 302


def test_someone_who_signs_in_to_join_returns_to_the_duplicate(come, alice, bob):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    join = row.get_absolute_url() + "join"
    assert come(None).post(join).url == f"/accounts/login/?next={join}"
    assert come(bob).get(join).url == row.get_absolute_url() and not Seat.objects.filter(owner=bob).exists()


def test_tables_that_wait_for_others_lead_to_the_duplicate_and_offer_no_dead_link(come, alice, bob):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    game = duplicates.join(public_id=row.public_id, user=bob)
    assert come(bob).get(game.get_absolute_url()).url == row.get_absolute_url()
    desk = come(bob).get("/desk/").content.decode()
    assert "Tables and seats are drawn when the duplicate starts." in desk and game.invite_token not in desk
    assert row.get_absolute_url() + '"' in come(alice).get(row.get_absolute_url()).content.decode()


def test_the_list_says_how_full_each_duplicate_is_and_shows_those_that_are_played(begun, come, alice):
    row = duplicates.open_duplicate(user=alice, ruleset="kingdoms", players=3, tables=2)
    shown = come(None).get("/duplicates/").content.decode()
    assert "1 of 6 seats taken" in shown and "3 players per table" in shown
    assert row.public_id in shown and begun.public_id in shown


def test_players_with_the_same_difference_share_a_place(begun, alice, come):
    for game in games(begun):
        ends(game, 1, 2)
    assert duplicates.settle(begun.pk, timezone.now())
    begun.refresh_from_db()
    assert [line["place"] for line in begun.result] == [1, 1, 1, 1]
    assert "4 players tied for the win" in come(alice).get(begun.get_absolute_url()).content.decode()
    notice = Notice.objects.filter(user=alice, about=f"duplicate.{begun.pk}").first()
    assert notice.lead.endswith("you scored ±0.0 points: tied for place 1 of 4.")


def test_without_another_table_there_is_nothing_to_compare():
    assert compared([[7, 9]]) == [[0, 0]]
    assert compared([[7, 9], [5, 10], [6, 8]]) == [[1.5, 0], [-1.5, 1.5], [0, -1.5]]
