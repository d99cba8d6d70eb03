"""Exports of a game for other programs: nobody gets more than they may know."""

import msgspec
import pytest

from games.rules.eight_minute.view import View
from games.tables.services import lobby
from tests.cast import in_turns, play_out, submit, table_of

pytestmark = pytest.mark.django_db


def test_the_position_is_the_view_of_its_reader(come, alice, bob, eve):
    game = in_turns(alice, bob)
    for reader, seat in ((alice, 0), (bob, 1), (eve, None)):
        answer = come(reader).get(game.get_absolute_url() + "view.json")
        view = msgspec.json.decode(answer.content, type=View)
        assert answer["Content-Type"] == "application/json"
        assert view.seat == seat and bool(view.legal) == (seat == 0)


def test_a_sealed_bid_is_in_no_export_for_others(come, alice, bob, eve):
    game = table_of(alice, bob)
    names = ("view.json", "record.json")
    before = {(r, name): come(r).get(game.get_absolute_url() + name).content for r in (bob, eve) for name in names}
    submit(game, 0, "bid 7")
    after = {(r, name): come(r).get(game.get_absolute_url() + name).content for r in (bob, eve) for name in names}
    assert after == before


def test_a_draft_is_not_part_of_the_position(come, alice, bob):
    game = in_turns(alice, bob)
    url, reader = game.get_absolute_url(), come(alice)
    before = reader.get(url + "view.json").content
    card = msgspec.json.decode(before)["row"][0]["card"]
    reader.post(url + "step", {"seq": game.seq, "action": f"take {card}"})
    assert reader.get(url + "view.json").content == before


def test_the_record_is_a_file_and_contains_the_seed_only_after_the_end(come, alice, bob):
    game = in_turns(alice, bob)
    url = game.get_absolute_url() + "record.json"
    secret = bytes(game.seed.secret).hex()
    running = come(alice).get(url)
    assert running["Content-Disposition"] == f'attachment; filename="{game.public_id}.json"'
    assert secret not in running.content.decode()
    play_out(game)
    assert secret in come(alice).get(url).content.decode()


@pytest.mark.parametrize("name", ["view.json", "record.json"])
def test_only_its_players_can_export_a_private_game(come, alice, bob, eve, name):
    game = table_of(alice, bob, listed=False)
    url = game.get_absolute_url() + name
    assert come(bob).get(url).status_code == 200
    assert come(eve).get(url).status_code == 404
    assert come().get(url).status_code == 404


@pytest.mark.parametrize("name", ["view.json", "record.json"])
def test_a_table_that_has_not_begun_has_nothing_to_export(come, alice, name):
    game = lobby.open_table(user=alice, players=2, listed=True)
    assert come(alice).get(game.get_absolute_url() + name).status_code == 404
