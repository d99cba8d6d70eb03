"""The clock of a new table: chosen or typed, refused next to its field, and described on every page."""

from html import unescape

import pytest

from games.clocks.clock import LONGEST
from games.tables.models import Game
from games.tables.services import lobby
from games.tables.services.deadlines import FEW_TURNS
from tests.web.reading import text
from tests.web.test_open_table_form import Reader

pytestmark = pytest.mark.django_db

BANK = {"pace": "other-bank", "bank_start_unit": "d", "bank_adds_unit": "h", "bank_cap_unit": "d"}


@pytest.fixture
def reader(come, alice):
    return lambda **address: Reader(come(alice), **address)


def test_an_unchanged_form_opens_a_table_with_the_default_clock(reader):
    reader().send()
    game = Game.objects.get()
    assert (game.clock, game.time_out, game.reliability) == ("move 2d", "turn", 0)


@pytest.mark.parametrize(
    ("filled", "clock"),
    [
        ({"pace": "move 12h"}, "move 12h"),
        ({"pace": "bank 5d +12h cap 7d", "weekends_off": "on"}, "bank 5d +12h cap 7d weekends-off"),
        ({"pace": "other-move", "move_time": "36", "move_time_unit": "h"}, "move 1d12h"),
        ({**BANK, "bank_start": "2", "bank_adds": "5", "bank_cap": "3"}, "bank 2d +5h cap 3d"),
    ],
)
def test_a_clock_can_be_chosen_or_typed(reader, filled, clock):
    reader().change(**filled, time_out="seat", reliability="90").send()
    game = Game.objects.get()
    assert (game.clock, game.time_out, game.reliability) == (clock, "seat", 90)


@pytest.mark.parametrize(
    ("filled", "field", "sentence"),
    [
        ({"pace": "other-move", "move_time": "0"}, "move_time", "at least 1 hour and at most 30 days"),
        ({"pace": "other-move", "move_time": "9" * 30}, "move_time", "at least 1 hour and at most 30 days"),
        ({"pace": "other-move", "move_time": "-5"}, "move_time", "at least 1 hour"),
        ({"pace": "other-move", "move_time": "soon"}, "move_time", "Enter a whole number."),
        ({"pace": "other-move", "move_time": ""}, "move_time", "Enter a whole number."),
        ({"pace": "other-move", "move_time_unit": "y"}, "move_time_unit", "Choose hours or days."),
        ({**BANK, "bank_start": "31"}, "bank_start", f"at most {LONGEST // 24} days"),
        ({**BANK, "bank_adds": "0"}, "bank_adds", "at least 1 hour"),
        ({**BANK, "bank_start": "8", "bank_cap": "7"}, "bank_cap", "The cap can’t be lower"),
        ({**BANK, "bank_adds": "200"}, "bank_cap", "The increment can’t be higher than the cap."),
        ({"pace": "move 5 minutes"}, "pace", "Choose one of these times."),
        ({"time_out": "shout"}, "time_out", "Choose one of these options."),
        ({"reliability": "101"}, "reliability", "Choose one of these options."),
    ],
)
@pytest.mark.sampled
def test_an_absurd_clock_is_refused_next_to_its_field_and_everything_typed_is_kept(reader, filled, field, sentence):
    shown = reader().change(**filled, listed="no", seat_1="medium")
    answer = shown.send()
    assert answer.status_code == 422 and not Game.objects.exists()
    (message,) = answer.context["form"].errors[field]
    assert sentence in message and message in unescape(text(answer))
    shown.read(answer)
    assert shown.fields["listed"] == "no" and '<option value="medium" selected>' in shown.page
    assert all(
        f'value="{typed}"' in shown.page for name, typed in filled.items() if typed.isdigit() and name != "reliability"
    )


def test_rare_choices_are_folded_until_chosen(reader):
    def is_open(shown: Reader, part: str) -> bool:
        return f'id="{part}" open' in shown.page

    usual = reader()
    assert not is_open(usual, "bank") and not is_open(usual, "fine-print")
    assert is_open(reader(pace="other-bank"), "bank") and is_open(reader(weekends_off="on"), "fine-print")
    assert is_open(reader(reliability="95"), "fine-print")


def test_lists_and_pages_describe_the_clock_in_words(come, alice, bob):
    game = lobby.open_table(
        user=alice, players=3, listed=True, full=True, clock="bank 5d +12h cap 7d weekends-off", reliability=90,
        time_out="out",
    )  # fmt: skip
    short, asks = "5 days, +12 h per turn, at most 7 days, weekends off", "at least 90% on time"
    for page in (text(come(bob).get("/lobby/")), text(come(alice).get("/desk/"))):
        assert short in page and asks in page
    room = text(come(bob).get(game.get_absolute_url()))
    assert (
        short in room and f"or fewer than {FEW_TURNS} turns so far" in room and "they resign and a bot plays on" in room
    )
    invitation = text(come(bob).get(f"/join/{game.invite_token}/"))
    assert "Each player starts with 5 days and gains 12 hours per turn, up to 7 days." in invitation
    assert "Clocks pause on weekends." in invitation
    assert short in text(come(alice).get(f"/full-games/{game.full_game_id}/"))


def test_an_unreliable_player_learns_why_they_cannot_join(come, alice, bob):
    game = lobby.open_table(user=alice, listed=True, reliability=90)
    bob.punctuality = "1" * 8 + "0" * 4
    bob.save()
    answer = come(bob).post(f"/games/{game.public_id}/join", follow=True)
    assert "This table requires 90% of turns on time" in text(answer) and not game.seats.filter(user=bob).exists()


def test_reliability_is_shown_on_the_players_page_and_next_to_waiting_players(come, alice, bob):
    alice.punctuality = "0" + "1" * 49
    alice.save()
    game = lobby.open_table(user=alice, players=3, listed=True)
    lobby.join_table(game=game, user=bob)
    assert "98% on time" in text(come().get("/players/Alice/"))
    assert "on time" not in text(come().get("/players/Bob/"))
    room = text(come().get(game.get_absolute_url()))
    assert room.count("98% on time") == 1
    assert "98% on time" in text(come().get(f"/join/{game.invite_token}/"))
