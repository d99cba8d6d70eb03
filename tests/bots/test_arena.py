"""The arena: which games a round robin has, its figures, and results that can be continued."""

import io
import re
import tomllib
from itertools import permutations
from math import log10, sqrt
from pathlib import Path

import msgspec
import pytest
from django.core.management import CommandError, call_command

from games.bots import arena
from games.bots.arena import Fixture, Result
from games.bots.registry import BOTS
from games.bots.selfplay import seed_of
from tests.each import for_each


def command(*arguments: str) -> str:
    out = io.StringIO()
    call_command("arena", *arguments, stdout=out)
    return out.getvalue()


def lineups(players: int, **more) -> list[tuple[str, ...]]:
    fixtures = arena.fixtures(
        bots=["a", "b", "c"], ruleset="legends", options={}, players=players, series="x", deals=1, budget=1, **more
    )
    return [fixture.bots for fixture in fixtures]


def test_two_players_meet_on_each_deal_from_both_seats() -> None:
    assert lineups(2) == [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")]


def test_with_more_players_one_bot_plays_alone_from_every_seat() -> None:
    assert lineups(3, alone="b") == [
        *[("b", "a", "a"), ("a", "a", "b"), ("a", "b", "a")],
        *[("b", "c", "c"), ("c", "c", "b"), ("c", "b", "c")],
    ]
    assert len(lineups(3)) == len(set(lineups(3))) == 18


def test_only_the_pairs_that_were_asked_for_meet() -> None:
    pairs = [("b", "a"), ("c", "b")]
    assert lineups(2, pairs=pairs) == [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")]
    assert {tuple(sorted(bots)) for bots in lineups(3, pairs=pairs)} == {("a", "a", "b"), ("b", "b", "c")}


def test_ratings_are_written_with_medium_at_1500(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ratings.toml"
    file.write_text("# Strength\n\n[kingdoms]\nmedium = 1500\n")
    monkeypatch.setattr("games.tables.management.commands.arena.RATINGS", file)
    command("easy", "greedy", "--deals=2", "--series=x", "--rate")
    rated = tomllib.loads(file.read_text())
    assert rated["legends"]["medium"] == 1500 and set(rated["legends"]) == {"easy", "medium"}
    assert "medium = 1500\n" in file.read_text().split("[legends]")[1]
    assert rated["kingdoms"] == {"medium": 1500} and file.read_text().startswith("# Strength")


def test_levels_that_were_not_measured_again_keep_their_rating(tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "ratings.toml"
    file.write_text("[legends]\neasy = 1160\nmedium = 1500\nmaster = 2100\n")
    monkeypatch.setattr("games.tables.management.commands.arena.RATINGS", file)
    command("easy", "medium", "random", "--pairs=easy:medium", "--deals=1", "--series=x", "--rate")
    rated = tomllib.loads(file.read_text())["legends"]
    assert list(rated) == ["easy", "medium", "master"] and rated["master"] == 2100 and rated["easy"] != 1160


def result(places: list[int], bots: str = "ab", points: list[int] | None = None) -> Result:
    fixture = Fixture("x", "legends", "{}", 0, tuple(bots), 1)
    return Result(fixture, tuple(places), tuple(points or places), ((0.5,),) * len(places))


def test_ratings_of_two_bots_are_the_logarithm_of_their_odds() -> None:
    games = [result([1, 2])] * 75 + [result([2, 1])] * 25
    rated = arena.plackett_luce(arena.orders_of(games))
    # One tie is added, and the interval is that of a logit: the variance of a difference is 1 / (n p q)
    won, lost = 75.5, 25.5
    assert rated["a"].rating - rated["b"].rating == pytest.approx(400 * log10(won / lost))
    assert rated["a"].rating + rated["b"].rating == pytest.approx(2 * arena.MEAN)
    whole = 1.96 * arena.ELO * sqrt(101 / (won * lost))
    assert rated["a"].doubt == pytest.approx(whole / 2)


def test_strengths_of_three_bots_are_found_again_from_the_orders_they_imply() -> None:
    strength, orders = {"a": 3, "b": 2, "c": 1}, {}
    for order in permutations(strength):
        first, second, third = (strength[name] for name in order)
        orders[order] = 1e6 * first / 6 * second / (second + third)  # so often that the added ties do not matter
    rated = arena.plackett_luce(orders)
    assert rated["a"].rating - rated["c"].rating == pytest.approx(400 * log10(3), abs=0.1)
    assert rated["b"].rating - rated["c"].rating == pytest.approx(400 * log10(2), abs=0.1)


def test_a_bot_that_won_everything_has_a_finite_rating() -> None:
    rated = arena.plackett_luce(arena.orders_of([result([1, 2])] * 20))
    assert rated["a"].rating - rated["b"].rating == pytest.approx(400 * log10(20.5 / 0.5))


def test_shared_places_count_as_each_order_in_equal_parts() -> None:
    assert arena.orders_of([result([1, 1])]) == {("a", "b"): 0.5, ("b", "a"): 0.5}
    assert result([1, 1, 3], "abc").shares == [0.5, 0.5, 0]


def test_the_report_has_wins_with_intervals_points_and_times() -> None:
    lines = list(arena.report([result([1, 2], points=[10, 7])] * 8 + [result([2, 1], "ab", [3, 5])] * 2))
    assert "a against b: 80.0% of wins (49.0% to 94.3%) in 10 games, +2.00 points" in lines[1]
    assert re.fullmatch(r"  a: rating \d+ ± \d+, 8.60 points, 500.0 ms a turn, at most 500.0 ms", lines[3])


def test_the_seats_are_turned_on_the_same_deal() -> None:
    fixtures = list(
        arena.fixtures(
            bots=["random", "medium"], ruleset="legends", options={}, players=2, series="x", deals=2, budget=50
        )
    )
    seeds = [fixture.seed for fixture in fixtures]
    assert seeds[0] == seeds[1] != seeds[2] == seeds[3]
    assert seeds[0] != seed_of("x", 0)  # self-play of the same series, by which bots may have been tuned
    assert [fixture.bots for fixture in fixtures] == [("random", "medium"), ("medium", "random")] * 2
    played = arena.play(fixtures[0], BOTS, lambda bot: 0.0)
    assert played.places == (2, 1)


@pytest.mark.long
def test_results_are_continued_and_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    run = ("random", "medium", "--series=x", "--budget=50", f"--results={file}")
    assert "4 games to play, 0 found" in command(*run, "--deals=2")
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    out = command(*run, "--deals=3")
    assert "3 games to play, 3 found" in out
    assert "in 6 games" in out
    results = [msgspec.json.decode(line, type=Result) for line in file.read_bytes().splitlines()]
    assert len({result.fixture for result in results}) == len(results) == 6
    assert "6 games to play, 0 found" in command(*run, "--deals=3", "--series=y")


def test_results_of_another_version_of_our_bots_are_named(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    run = ("random", "medium", "--series=x", "--budget=50", "--deals=1", f"--results={file}")
    command(*run)
    assert "another version" not in command(*run)
    file.write_text(file.read_text().replace(arena.version(), "0123456789ab", 1))
    assert "2 found, 1 of them by another version" in command(*run)


def test_results_that_were_stored_before_can_be_read() -> None:
    fixture = {"series": "x", "ruleset": "legends", "options": "{}", "deal": 0, "bots": ["a", "b"], "budget": None}
    stored = {"fixture": fixture, "places": [2, 1], "points": [7, 9], "seconds": [[0.1], [0.2]]}
    assert msgspec.convert(stored, Result).shares == [0, 1]


@pytest.mark.long
def test_several_processes_find_the_same_results(tmp_path: Path) -> None:
    results_of_runs = []
    for processes in (1, 2):
        file = tmp_path / f"{processes}.jsonl"
        command("random", "medium", "--series=x", "--deals=3", f"--results={file}", f"--processes={processes}")
        results = (msgspec.json.decode(line, type=Result) for line in file.read_bytes().splitlines())
        results_of_runs.append([(result.fixture, result.places, result.points) for result in results])
    assert results_of_runs[0] == results_of_runs[1]


@for_each(
    "arguments, sentence",
    [
        (["random"], "Name at least two bots"),
        (["random", "atlantis"], "unknown bot atlantis"),
        (["random", "medium", "--alone=atlantis"], "--alone names atlantis, which is not among the bots"),
        (["random", "medium", "--players=7"], "legends, 7 players: This game is for 2 to 4 players."),
        (["random", "medium", "--rulesets=chess"], "unknown ruleset chess"),
        (["random", "medium", "--pairs=easy:medium"], "--pairs names easy, which is not among the bots"),
        (["random", "medium", "--pairs=random"], "pairs such as hard:medium"),
        (["random", "medium", "--players=two"], "numbers, separated by commas"),
        (["random", "easy", "--rate"], "--rate needs medium"),
        (["random", "--bot=greedy=python mine.py"], "a name of its own"),
        (["random", "--bot=mine=python a.py", "--bot=mine=python b.py"], "a name of its own"),
        (["easy", "medium", "--rate", "--players=3"], "--rate needs medium"),
        (["easy", "medium", "--rate", '--options={"explore": true}'], "--rate needs medium"),
    ],
)
def test_impossible_arguments_are_refused_with_a_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        command(*arguments)
