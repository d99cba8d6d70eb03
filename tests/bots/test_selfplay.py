"""Self-play: the same seed plays the same games, and every record verifies. No database is used."""

import io
import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.bots.bot import Bot
from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of, virtual_time
from games.rules.record import decode, encode, verify
from games.rules.registry import get
from games.tables.management.commands.selfplay import spread
from tests.each import for_each
from tests.rules.tables import Table as Appearance
from tests.rules.tables import at_random, is_between, plain_and_full, seats
from tests.rules.walk import CASES


def selfplay(*arguments: str) -> str:
    out = io.StringIO()
    call_command("selfplay", *arguments, stdout=out)
    return out.getvalue()


BETWEEN = pytest.mark.parametrize(
    "between", [False, pytest.param(True, marks=pytest.mark.long)], ids=["fewest and most players", "between"]
)


@pytest.mark.long
@BETWEEN
def test_every_game_of_random_bots_ends_and_its_record_verifies(between: bool) -> None:
    for slug, players in CASES:
        if is_between(slug, players) == between:
            check(Appearance(slug, players), [BOTS["random"]] * players, "proof", budget=300)


@pytest.mark.long
@pytest.mark.parametrize("more", [False, True], ids=["fewest players", "more"])
def test_every_game_of_greedy_bots_ends_and_its_record_verifies(more: bool) -> None:
    for slug, players in CASES:
        if (players > min(get(slug).seat_counts)) == more:
            check(Appearance(slug, players), [BOTS["medium"]] * players, "proof", budget=300)


@pytest.mark.long
@BETWEEN
def test_a_record_verifies_with_any_options(between: bool) -> None:
    for table in dict.fromkeys([*plain_and_full(), *(at_random(*where, seed=1) for where in seats())]):
        if is_between(table.slug, table.players) == between:
            check(table, [BOTS["random"]] * table.players, "options")


@pytest.mark.long
@BETWEEN
@for_each("bot", ["easy", "medium", "hard", "master"])
def test_every_level_plays_every_option_to_the_end(bot: str, between: bool) -> None:
    for table in plain_and_full():
        if is_between(table.slug, table.players) == between:
            check(table, [BOTS[bot]] * table.players, "levels", budget=100)


def check(table: Appearance, bots: list[Bot], seed: str, **more: int) -> None:
    print(table, bots[0].slug)  # shown on a failure: the last one is the one that failed
    record = Table(table.ruleset, json.loads(table.options), bots, seed_of(seed, 1)).play(**more).record
    assert verify(record) == []
    assert encode(decode(encode(record))) == encode(record)
    assert [seat.bot for seat in record.seats] == [bot.slug for bot in bots]


@pytest.mark.long
def test_the_same_seed_writes_identical_records(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        selfplay(
            "legends", "--games=2", "--bots=greedy,random", "--series=x", f"--records={tmp_path / folder}", "--legal"
        )
    first, second = ({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert first == second
    assert sorted(first) == [f"legends-4-x-000{n}.{kind}" for n in (0, 1) for kind in ("json", "legal.jsonl")]


def test_different_seeds_play_different_games() -> None:
    assert len({seed_of("x", 0), seed_of("x", 1), seed_of("y", 0)}) == 3


def test_legal_actions_of_every_decision_are_written_next_to_a_record(tmp_path: Path) -> None:
    selfplay("legends", "--players=2", "--games=1", f"--records={tmp_path}", "--legal")
    record = decode((tmp_path / "legends-2-0-0000.json").read_bytes())
    decisions = [json.loads(line) for line in (tmp_path / "legends-2-0-0000.legal.jsonl").read_text().splitlines()]
    assert all(decision["action"] in decision["legal"] for decision in decisions)
    by_entry = [(entry.seq, entry.seat, action) for entry in record.entries for action in entry.actions]
    assert [(decision["seq"], decision["seat"], decision["action"]) for decision in decisions] == by_entry


def test_the_output_has_the_speed_and_the_scores_of_seats_and_bots() -> None:
    output = selfplay("legends", "--players=2", "--games=4", "--bots=random,greedy")
    assert "4 games" in output and "games/s" in output and "steps/s" in output
    assert "seat 0: " in output and "seat 1: " in output
    assert "bot random: " in output
    assert "bot medium: " in output and "first in 100.0%" in output


def test_bots_change_seats_between_games(tmp_path: Path) -> None:
    selfplay("legends", "--players=3", "--games=2", "--bots=random,greedy", f"--records={tmp_path}")
    seats = [[seat.bot for seat in decode(file.read_bytes()).seats] for file in sorted(tmp_path.iterdir())]
    assert seats == [["random", "medium", "random"], ["medium", "random", "medium"]]


def test_options_apply_to_the_table(tmp_path: Path) -> None:
    selfplay("legends", "--games=1", '--options={"setter": 2}', f"--records={tmp_path}")
    record = decode(next(tmp_path.iterdir()).read_bytes())
    assert record.options == {"setter": 2}
    assert record.entries[0].events[0]["setter"] == 2


@for_each(
    "arguments, sentence",
    [
        (["--players=5"], "This game is for 2 to 4 players."),
        (['--options={"setter": 9}'], "There is no seat 9 in this game."),
        (["--options=["], "not valid JSON"),
        (["--options=[]"], "options must be a JSON object"),
        (["--bots=greedy,atlantis"], "unknown bot atlantis; choose from random, easy, medium, hard, master"),
        (["--legal"], "--legal needs --records DIR"),
    ],
)
def test_impossible_arguments_are_refused_with_a_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence.replace("(", r"\(")):
        selfplay("legends", *arguments)


def test_simulated_time_advances() -> None:
    assert virtual_time(0) == "2000-01-01T00:00:00.000000Z"
    assert virtual_time(61) == "2000-01-01T01:01:00.000000Z"


def test_the_output_tallies_the_last_events_of_a_kind() -> None:
    output = selfplay("legends", "--players=2", "--games=4", "--tally=end.seat", "--tally=result", "--tally=rob.coins")
    assert re.search(r"^end\.seat: [01]/[01]/[01]$", output, re.MULTILINE)
    assert "result: result 100.0%" in output
    assert "rob.coins: -" in output


def test_the_output_counts_events_and_waits_for_another_player() -> None:
    output = selfplay("kingdoms", "--players=2", "--games=2", "--bots=greedy", "--count=end", "--count=rob")
    counted = {name: float(n) for name, n in re.findall(r"^(\S.*): ([\d.]+) a game", output, re.MULTILINE)}
    assert counted["rob"] == 0 < counted["end"]
    waits, replies = counted["waits for another player"], float(re.search(r"([\d.]+) of them", output)[1])
    assert 0 < replies < waits
    assert "first place shared in 0.0%" in output


@pytest.mark.long
def test_the_output_has_the_scores_of_seats_in_turn_order() -> None:
    output = selfplay("kingdoms", "--players=3", "--games=2", "--bots=greedy", "--first=turn")
    shares = [float(share) for share in re.findall(r"^begins \+[012]: .* first in ([\d.]+)%$", output, re.MULTILINE)]
    assert len(shares) == 3 and 99 < sum(shares) < 101


def test_games_without_replies_only_wait_for_turns() -> None:
    output = selfplay("legends", "--players=2", "--games=1", "--bots=random")
    assert re.search(r"^waits for another player: [\d.]+ a game, 0.0 of them", output, re.MULTILINE)


def test_a_spread_has_the_10th_50th_and_90th_percentile() -> None:
    assert spread(range(100)) == (10, 50, 90)
    assert spread([7]) == (7, 7, 7)
