"""Clock options: valid values, their text, and the time after a move."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clocks.clock import LONGEST, Clock, IllegalClock, after_move, each_move, parse, text
from games.rules.protocol import IllegalAction
from tests.clocks.moments import hours, refusal
from tests.each import for_each

BANK = Clock(start=120, increment=12, cap=168)
LIMITS = "Each time limit of a clock must be at least 1 hour and at most 30 days."
LINES = [
    ("move 2d", each_move(48)),
    ("move 1h", each_move(1)),
    ("move 2d12h", each_move(60)),
    ("move 30d weekends-off", each_move(720, weekends_off=True)),
    ("bank 5d +12h cap 7d", BANK),
    ("bank 1h +1h cap 1d1h weekends-off", Clock(1, 1, 25, weekends_off=True)),
    ("bank 1d +2d cap 2d", Clock(24, 48, 48)),
]


@st.composite
def clocks(draw: st.DrawFn) -> Clock:
    cap = draw(st.integers(1, LONGEST))
    return Clock(draw(st.integers(1, cap)), draw(st.integers(1, cap)), cap, draw(st.booleans()))


@for_each("line, clock", LINES)
def test_a_clock_is_written_on_one_line(line: str, clock: Clock) -> None:
    assert text(clock) == line
    assert parse(line) == clock


@given(clocks())
def test_every_clock_round_trips_through_text_and_json(clock: Clock) -> None:
    assert parse(text(clock)) == clock
    assert msgspec.json.decode(msgspec.json.encode(clock), type=Clock) == clock


def test_hours_and_days_are_equivalent() -> None:
    assert parse("move 48h") == parse("move 1d24h") == parse("move 2d")


def test_a_bank_that_is_refilled_each_move_is_a_time_per_move() -> None:
    assert parse("bank 2d +2d cap 2d") == each_move(48)
    assert each_move(48).is_for_each_move
    assert not BANK.is_for_each_move


@for_each(
    "line",
    [
        "", "move", "move ", "move 2", "move 2w", "move -2d", "move 2d ", "move 2d\n", "move  2d", "Move 2d",
        "move 1h1d", "move ٣d", "move 1٣d", "move 99999999999999999999d", "bank 5d", "bank 5d +12h",
        "bank 5d 12h cap 7d", "move 2d weekends-on", "weekends-off", "move 2d weekends-off weekends-off",
    ],
)  # fmt: skip
def test_other_texts_are_no_clocks(line: str) -> None:
    assert (
        refusal(parse, line) == f"“{line}” isn’t a valid clock. Write, for example, “move 2d” or “bank 5d +12h cap 7d”."
    )


@for_each(
    "line, sentence",
    [
        ("move 0h", LIMITS),
        ("move 30d1h", LIMITS),
        ("move 9999d99999h", LIMITS),
        ("bank 5d +0h cap 7d", LIMITS),
        ("bank 5d +1h cap 31d", LIMITS),
        ("bank 7d +12h cap 5d", "The cap can’t be lower than the time each player starts with."),
        ("bank 1d +3d cap 2d", "The increment can’t be higher than the cap."),
    ],
)
def test_absurd_clocks_are_refused_with_a_sentence(line: str, sentence: str) -> None:
    assert refusal(parse, line) == sentence


def test_an_absurd_clock_is_refused_as_json_too() -> None:
    with pytest.raises(IllegalClock):
        msgspec.json.decode(b'{"start":1,"increment":1,"cap":100000}', type=Clock)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"start":1,"increment":1,"cap":1,"speed":2}', type=Clock)


def test_a_refusal_can_be_translated() -> None:
    with pytest.raises(IllegalAction) as refused:
        parse("move 31d")
    sentence = refused.value.say({LIMITS.replace("30", "{days}"): "Höchstens {days} Tage."}.__getitem__)
    assert sentence == "Höchstens 30 Tage."


def test_a_time_per_move_is_full_after_every_move() -> None:
    clock = each_move(48)
    assert clock.at_start == hours(48)
    assert after_move(clock, hours(48), hours(47)) == hours(48)
    assert after_move(clock, hours(48), hours(0)) == hours(48)


def test_a_bank_keeps_unspent_time_and_gains_the_increment() -> None:
    assert BANK.at_start == hours(120)
    assert after_move(BANK, hours(120), hours(20)) == hours(112)


def test_a_bank_never_holds_more_than_the_cap() -> None:
    assert after_move(BANK, hours(160), hours(1)) == hours(168)
    assert after_move(BANK, hours(156), hours(0)) == hours(168)


def test_after_a_time_out_a_player_has_the_increment() -> None:
    assert after_move(BANK, hours(5), hours(5)) == hours(12)
    assert after_move(BANK, hours(5), hours(50)) == hours(12)


@given(clocks(), st.data())
def test_a_bank_is_always_between_the_increment_and_the_cap(clock: Clock, data: st.DataObject) -> None:
    bank = clock.at_start
    for _move in range(5):
        bank = after_move(clock, bank, data.draw(st.timedeltas(hours(0), hours(LONGEST))))
        assert hours(clock.increment) <= bank <= hours(clock.cap)
