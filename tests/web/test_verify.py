"""The page that proves that a game was fair."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F

from games.tables.models import Entry, Game, Seat
from games.tables.services import records
from tests.cast import again, in_turns
from tests.kept import played_out

pytestmark = pytest.mark.django_db


def upload(client, content: bytes):
    return client.post("/verify/", {"record": SimpleUploadedFile("record.json", content)})


def test_an_ended_game_is_replayed_and_its_seed_shown(come, alice, bob, carol):
    game = played_out(alice, bob)
    answer = come(carol).get(game.get_absolute_url() + "verify/")
    page = answer.content.decode()
    assert answer.status_code == 200 and "This game is authentic" in page
    assert records.proof(public_id=game.public_id, user=carol).record.seed in page


def test_a_running_game_shows_the_hash_but_not_the_seed(come, alice, bob):
    game = in_turns(alice, bob)
    page = come(alice).get(game.get_absolute_url() + "verify/").content.decode()
    assert game.seed_hash in page and bytes(game.seed.secret).hex() not in page


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda game: Game.objects.filter(pk=game.pk).update(head="0" * 64), "its log end at different entries."),
        (lambda game: Seat.objects.filter(game=game).update(owes=True), "The seats marked as having to act are not"),
        (lambda game: Seat.objects.filter(game=game).update(place=1), "The result of seat"),
        (lambda game: Seat.objects.filter(game=game).update(total=F("total") + 1), "The result of seat"),
        (lambda game: Game.objects.filter(pk=game.pk).update(status="running"), "disagree about whether the game"),
    ],
    ids=["head", "turn", "place", "total", "status"],
)
def test_a_row_that_differs_from_the_log_is_reported(alice, bob, change, sentence):
    game = played_out(alice, bob)
    assert records.verify(game=game) == []
    change(game)
    assert any(sentence in problem for problem in records.verify(game=again(game)))


def test_the_page_reports_a_row_that_differs_from_the_log(come, alice, bob):
    game = played_out(alice, bob)
    Game.objects.filter(pk=game.pk).update(head="0" * 64)
    page = come(alice).get(game.get_absolute_url() + "verify/").content.decode()
    assert "The game’s row and its log end at different entries." in page


def test_others_do_not_find_a_private_game(come, alice, bob, eve):
    game = played_out(alice, bob)
    Game.objects.filter(pk=game.pk).update(listed=False)
    assert come(eve).get(game.get_absolute_url() + "verify/").status_code == 404


def test_a_record_file_is_checked_and_not_stored(come, alice, bob, eve):
    game = played_out(alice, bob)
    content = records.export(public_id=game.public_id, user=alice)
    before = Entry.objects.count()
    assert "This game is authentic" in upload(come(eve), content).content.decode()
    forged = content.replace(b'"place": 1', b'"place": 2', 1)
    assert "This game failed the check" in upload(come(eve), forged).content.decode()
    assert Entry.objects.count() == before


@pytest.mark.parametrize("content", [b"", b"no record", b"{}", b"[" * 100_000, b"\xff\xfe", b" " * 5_000_001])
def test_an_invalid_record_is_refused_with_a_sentence(come, eve, content):
    answer = upload(come(eve), content)
    assert answer.status_code == 422 and 'class="errorlist"' in answer.content.decode()
