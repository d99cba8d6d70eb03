"""Self-play: the same seed plays the same games, and every record proves itself. No database is touched."""

import io
import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of, virtual_time
from games.rules.record import decode, encode, verify
from games.rules.registry import get
from games.tables.management.commands.selfplay import spread
from tests.each import for_each
from tests.rules.tables import Table as Appearance
from tests.rules.tables import at_random, plain_and_full, seats, thinned
from tests.rules.walk import CASES


def selfplay(*arguments: str) -> str:
    out = io.StringIO()
    call_command("selfplay", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize(("slug", "players"), [thinned(*case, slug=case[0], players=case[1]) for case in CASES])
@pytest.mark.parametrize("bot", BOTS)
def test_a_game_ends_and_its_record_proves_itself(slug: str, players: int, bot: str) -> None:
    record = Table(get(slug), {}, [BOTS[bot]] * players, seed_of("proof", 1)).play(budget=300).record
    assert verify(record) == []
    assert encode(decode(encode(record))) == encode(record)
    assert [seat.bot for seat in record.seats] == [bot] * players


SITTINGS = [*plain_and_full(), *(at_random(*where, seed=1) for where in seats())]


@pytest.mark.parametrize(
    "sitting", [thinned(one, slug=one.slug, players=one.players) for one in dict.fromkeys(SITTINGS)], ids=str
)
def test_a_record_proves_itself_whatever_the_options(sitting: Appearance) -> None:
    bots = [BOTS["random"]] * sitting.players
    record = Table(sitting.ruleset, json.loads(sitting.options), bots, seed_of("options", 1)).play().record
    assert verify(record) == []
    assert encode(decode(encode(record))) == encode(record)


def test_the_same_seed_plays_the_same_games_byte_by_byte(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        selfplay(
            "legends", "--games=2", "--bots=greedy,random", "--seed=x", f"--records={tmp_path / folder}", "--legal"
        )
    one, two = ({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()} for name in ("one", "two"))
    assert one == two
    assert sorted(one) == [f"legends-4-x-000{n}.{kind}" for n in (0, 1) for kind in ("json", "legal.jsonl")]


def test_another_seed_plays_other_games() -> None:
    assert len({seed_of("x", 0), seed_of("x", 1), seed_of("y", 0)}) == 3


def test_beside_a_record_lie_the_legal_actions_of_every_decision(tmp_path: Path) -> None:
    selfplay("legends", "--players=2", "--games=1", f"--records={tmp_path}", "--legal")
    record = decode((tmp_path / "legends-2-0-0000.json").read_bytes())
    decisions = [json.loads(line) for line in (tmp_path / "legends-2-0-0000.legal.jsonl").read_text().splitlines()]
    assert all(decision["action"] in decision["legal"] for decision in decisions)
    by_entry = [(entry.seq, entry.seat, action) for entry in record.entries for action in entry.actions]
    assert [(told["seq"], told["seat"], told["action"]) for told in decisions] == by_entry


def test_it_tells_how_fast_it_was_and_how_seats_and_bots_scored() -> None:
    told = selfplay("legends", "--players=2", "--games=4", "--bots=random,greedy")
    assert "4 games" in told and "games/s" in told and "steps/s" in told
    assert "seat 0: " in told and "seat 1: " in told
    assert "bot random: " in told
    assert "bot greedy: " in told and "first in 100.0%" in told


def test_bots_change_seats_from_game_to_game(tmp_path: Path) -> None:
    selfplay("legends", "--players=3", "--games=2", "--bots=random,greedy", f"--records={tmp_path}")
    seats = [[seat.bot for seat in decode(file.read_bytes()).seats] for file in sorted(tmp_path.iterdir())]
    assert seats == [["random", "greedy", "random"], ["greedy", "random", "greedy"]]


def test_options_are_those_of_a_table(tmp_path: Path) -> None:
    selfplay("legends", "--games=1", '--options={"setter": 2}', f"--records={tmp_path}")
    record = decode(next(tmp_path.iterdir()).read_bytes())
    assert record.options == {"setter": 2}
    assert record.entries[0].events[0]["setter"] == 2


@for_each(
    "arguments, sentence",
    [
        (["--players=5"], "This game can’t be played with 5 players."),
        (['--options={"setter": 9}'], "There is no seat 9 in this game."),
        (["--options=["], "not valid JSON"),
        (["--options=[]"], "options must be a JSON object"),
        (["--bots=greedy,atlantis"], "unknown bot atlantis; choose from random, greedy"),
        (["--legal"], "--legal needs --records DIR"),
    ],
)
def test_what_it_cannot_do_it_refuses_in_a_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence.replace("(", r"\(")):
        selfplay("legends", *arguments)


def test_simulated_time_runs_on() -> None:
    assert virtual_time(0) == "2000-01-01T00:00:00.000000Z"
    assert virtual_time(61) == "2000-01-01T01:01:00.000000Z"


def test_it_tallies_what_the_last_events_of_a_kind_say() -> None:
    told = selfplay("legends", "--players=2", "--games=4", "--tally=end.seat", "--tally=result", "--tally=rob.coins")
    assert re.search(r"^end\.seat: [01]/[01]/[01]$", told, re.MULTILINE)
    assert "result: result 100.0%" in told
    assert "rob.coins: -" in told


def test_it_counts_events_and_how_often_a_game_waits_for_somebody_new() -> None:
    told = selfplay("kingdoms", "--players=2", "--games=2", "--bots=greedy", "--count=end", "--count=rob")
    counted = {name: float(n) for name, n in re.findall(r"^(\S.*): ([\d.]+) a game", told, re.MULTILINE)}
    assert counted["rob"] == 0 < counted["end"]
    waits, replies = counted["waits for somebody new"], float(re.search(r"([\d.]+) of them", told)[1])
    assert 0 < replies < waits
    assert "first place shared in 0.0%" in told


def test_it_tells_how_seats_score_by_who_begins() -> None:
    told = selfplay("kingdoms", "--players=3", "--games=2", "--bots=greedy", "--first=turn")
    shares = [float(share) for share in re.findall(r"^begins \+[012]: .* first in ([\d.]+)%$", told, re.MULTILINE)]
    assert len(shares) == 3 and 99 < sum(shares) < 101


def test_nobody_waits_outside_turns_where_nobody_replies() -> None:
    told = selfplay("legends", "--players=2", "--games=1", "--bots=random")
    assert re.search(r"^waits for somebody new: [\d.]+ a game, 0.0 of them", told, re.MULTILINE)


def test_a_spread_is_what_a_tenth_half_and_nine_tenths_stay_below() -> None:
    assert spread(range(100)) == (10, 50, 90)
    assert spread([7]) == (7, 7, 7)
