"""The review of finished games: its sums, last turns that win, and what it may know."""

import gzip
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from games.bots import search
from games.bots.registry import BOTS
from games.bots.review import (
    BUDGET,
    ENGINE,
    LUCK_SAMPLES,
    MOST_COST,
    SAMPLES,
    Balance,
    Luck,
    Review,
    luck_of,
    review,
    winning_turn,
)  # fmt: skip
from games.bots.search import ROLLOUTS
from games.bots.selfplay import Table, seed_of
from games.rules import log
from games.rules.fairness import Quick
from games.rules.play import apply
from games.rules.protocol import Ruleset, State
from games.rules.record import decode
from games.rules.registry import get
from tests.rules.kingdoms import positions as kingdoms
from tests.running import ROOT

RECORDS = ROOT / "tests/records"


@pytest.fixture(autouse=True)
def few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for better turns among few, because these tests are about sums and last turns."""
    monkeypatch.setattr(search, "POSITIONS", 60)


KINDS = ("easy", "random", "medium", "easy", "random")


def played(
    slug: str, players: int, number: int, options: dict[str, object] | None = None, kinds: Sequence[str] = KINDS
) -> Table:
    table = Table(get(slug), options or {}, [BOTS[kind] for kind in kinds[:players]], seed_of("review", number))
    table.play()
    return table


def reviewed(table: Table, samples: int = 4, budget: int = 30, seed: int = 1) -> Review:
    empty = table.ruleset.initial(table.options, table.seats)
    return review(table.ruleset, empty, table.entries, samples=samples, budget=budget, seed=seed)


# The engine, and what a small review by it finds in a stored game of each ruleset: the first seat's expected winning
# chances, and what all turns lost, both added up
BY_ENGINE = "2026.10", {"legends": (17.48, 1.35), "classic": (7.188, 3.994), "kingdoms": (6.673, 1.573)}


def test_what_changes_reviews_changes_their_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the numbers differ, so do new reviews from stored ones: give `ENGINE` a new value, and update both here.

    Otherwise no game can be reviewed again, and players are compared by different measures.
    """
    monkeypatch.undo()
    found = {}
    for slug in BY_ENGINE[1]:
        record = decode(gzip.decompress((RECORDS / slug / f"{slug}-2-random-0000.json.gz").read_bytes()))
        seats = [seat.info for seat in record.seats]
        empty = record.rules.initial(record.rules.options(record.options, len(seats)), seats)
        small = review(record.rules, empty, record.entries, samples=3, budget=300)
        chances, lost = [at.chances[0] for at in small.expectations], [turn.chance_loss for turn in small.turns]
        found[slug] = round(sum(chances), 3), round(sum(lost), 3)
    assert (ENGINE, found) == BY_ENGINE
    assert (SAMPLES, BUDGET, MOST_COST, LUCK_SAMPLES) == (100, 4000, 600_000, {"eight_minute": 16, "kingdoms": 64})


VARIED = {"leaders": True, "explore": True, "poison_swamp": True}
GAMES = [
    ("legends", 2, {}), ("classic", 3, {}), ("prototype", 2, {}), ("classic", 5, {}), ("legends", 4, VARIED),
    ("kingdoms", 2, {"mode": "quickplay"}), ("kingdoms", 3, {"mode": "quickplay"}),
]  # fmt: skip


def luck_and_play_sum(games: Sequence[tuple[str, int, dict[str, Any]]], examples: int) -> None:
    @settings(max_examples=examples)
    @given(st.sampled_from(games), st.integers(0, 1 << 32), st.integers(1, 1 << 32))
    def check(game: tuple[str, int, dict[str, Any]], number: int, seed: int) -> None:
        slug, players, options = game
        option_names = {field.name for field in get(slug).option_fields(players)}
        table = played(slug, players, number, {name: value for name, value in options.items() if name in option_names})
        whole = reviewed(table, samples=3, budget=20, seed=seed)
        scores = table.ruleset.score(table.state).seats
        winners = table.ruleset.score(table.state).winners
        for seat, side in enumerate(whole.sides):
            if slug == "kingdoms":  # in which points do not decide
                assert side.result == (100 / len(winners) if seat in winners else 0)
            else:
                assert side.result == scores[seat].total - max(score.total for score in scores if score.seat != seat)
            assert side.first + side.luck + side.play == pytest.approx(side.result, abs=1e-9)
            # and from each expectation to the next
            for at, (luck, play) in enumerate(zip(whole.luck, whole.play, strict=True)):
                before, after = whole.expectations[at : at + 2]
                assert luck.seq == play.seq == before.seq
                changed = luck.margins[seat] + play.margins[seat]
                assert after.margins[seat] - before.margins[seat] == pytest.approx(changed, abs=1e-9)
                chances = luck.chances[seat] + play.chances[seat]
                assert after.chances[seat] - before.chances[seat] == pytest.approx(chances, abs=1e-9)
        assert all(sum(expectation.chances) == pytest.approx(1) for expectation in whole.expectations)
        assert whole.expectations[-1].doubts == (0.0,) * players
        assert whole.expectations[-1].chances == tuple(
            1 / len(winners) if score.seat in winners else 0 for score in scores
        )
        # The same game has the same review, and a review is plain data
        assert msgspec.json.decode(msgspec.json.encode(whole), type=Review) == whole
        if players == 2:
            first, second = whole.sides
            assert first.play == pytest.approx(first.own - second.own, abs=1e-9)
            assert first.luck == pytest.approx(-second.luck, abs=1e-9)

    check()


def test_luck_and_play_sum_to_the_difference_between_result_and_first_expectation() -> None:
    luck_and_play_sum(GAMES[:1], examples=2)


@pytest.mark.long
def test_luck_and_play_sum_to_the_difference_in_all_rulesets() -> None:
    luck_and_play_sum(GAMES, examples=25)


def test_luck_that_was_stored_before_can_be_read() -> None:
    side = {"first": 0.5, "result": 1.0, "luck": 0.25, "luck_doubt": 0.1, "play": 0.25, "play_doubt": 0.1}
    stored = {"engine": "2026.10", "samples": 16, "gains": [[3, [1.5, -1.5]]], "sides": [side]}
    assert msgspec.convert(stored, Luck) == Luck("2026.10", 16, ((3, (1.5, -1.5)),), (Balance(**side),))


@pytest.mark.long
@pytest.mark.parametrize(
    ("slug", "players"),
    [
        ("legends", 2),
        *(pytest.param(*table, marks=pytest.mark.long) for table in (("prototype", 3), ("classic", 2), ("legends", 4))),
    ],
)
def test_luck_without_a_search_is_that_of_the_review(slug: str, players: int) -> None:
    table = played(slug, players, 8)
    empty = table.ruleset.initial(table.options, table.seats)
    luck, whole = luck_of(table.ruleset, empty, table.entries, samples=4), reviewed(table)
    assert luck is not None
    assert [seq for seq, _gained in luck.gains] == [change.seq for change in whole.luck]
    for (_seq, gained), change in zip(luck.gains, whole.luck, strict=True):
        assert gained == pytest.approx(change.margins, abs=0.006)  # it is stored with two decimals
    for seat, (side, reviewed_side) in enumerate(zip(luck.sides, whole.sides, strict=True)):
        assert (side.first, side.result) == (reviewed_side.first, reviewed_side.result)
        assert (side.luck, side.luck_doubt, side.play) == pytest.approx(
            (reviewed_side.luck, reviewed_side.luck_doubt, reviewed_side.play)
        )
        assert side.first + side.luck + side.play == pytest.approx(side.result, abs=1e-9)
        assert sum(gained[seat] for _seq, gained in luck.gains) == pytest.approx(side.luck, abs=0.3)
    assert msgspec.json.decode(msgspec.json.encode(luck), type=Luck) == luck


def endings(ruleset: Ruleset, state: State, seat: int, most: int = 200) -> list[tuple[tuple[str, ...], State]]:
    """Return every complete last turn with the position after it, by brute force; none if there are many."""
    waiting: list[tuple[tuple[str, ...], State]] = [((), state)]
    ended, seen = [], set()
    while waiting:
        texts, here = waiting.pop()
        for action in ruleset.legal(here, seat):
            after, longer = here.copy(), (*texts, ruleset.text(action))
            apply(ruleset, after, seat, [action], Quick(1))
            if ruleset.is_over(after):
                ended.append((longer, after))
            elif (mark := msgspec.json.encode(after)) not in seen:
                seen.add(mark)
                waiting.append((longer, after))
        if len(seen) > most:
            return []
    return ended


def last_position(slug: str, players: int, number: int) -> tuple[State, int]:
    """Return the position before the last turn of some game, with few cards and armies, and whose turn it is."""
    table = played(slug, players, number, kinds=["random"] * players)
    ruleset, state = table.ruleset, table.ruleset.initial(table.options, table.seats)
    for entry in table.entries[:-1]:
        for event in log.facts(ruleset, entry):
            ruleset.evolve(state, event)
    seat = table.entries[-1].seat
    assert seat is not None
    state.row, gone = state.row[:2], 0
    for region in range(seat, len(state.armies), state.colours):
        gone += max(0, state.armies[region] - 1)
        state.armies[region] = min(1, state.armies[region])
    state.supply[seat] += gone
    return state, seat


def the_review_knows_wins(games: Sequence[tuple[str, int]], examples: int) -> None:
    """Review random last turns, of which all that can be played are known."""
    counts = Counter[str]()

    @settings(
        max_examples=examples, suppress_health_check=[HealthCheck.filter_too_much], phases=[Phase.generate],
        derandomize=True,  # so that each case comes up
    )  # fmt: skip
    @given(st.sampled_from(games), st.integers(0, 1 << 32), st.integers(0, 1 << 32), st.booleans())
    def check(game: tuple[str, int], number: int, which: int, is_worst: bool) -> None:
        ruleset = get(game[0])
        state, seat = last_position(*game, number)
        all_endings = endings(ruleset, state, seat)
        assume(all_endings)
        winning = [texts for texts, after in all_endings if ruleset.score(after).winners == (seat,)]
        actions = all_endings[which % len(all_endings)][0]
        if is_worst:  # which misses a win if one can be missed
            actions = min(all_endings, key=lambda ending: ROLLOUTS[ruleset.family].results(ending[1])[seat][::-1])[0]
        after = state.copy()
        events = apply(ruleset, after, seat, map(ruleset.parse, actions), Quick(1))
        wins = ruleset.score(after).winners == (seat,)
        entry = log.Entry(0, "", seat, actions, log.stored(events))
        (turn,) = review(ruleset, state, [entry], samples=2, budget=30).turns
        assert (turn.wins, turn.best_wins) == (wins, bool(winning))
        assert turn.misses_win == (bool(winning) and not wins)
        if turn.misses_win:
            better = state.copy()
            apply(ruleset, better, seat, map(ruleset.parse, turn.better), Quick(1))
            assert ruleset.score(better).winners == (seat,)
            assert turn.chance_loss > 0 and turn.is_clear
        counts["won" if wins else "missed" if winning else "hopeless"] += 1

    check()
    assert len(counts) == 3, counts  # each case has come up


def test_a_last_turn_that_wins_is_found_and_one_that_missed_the_win_is_told() -> None:
    the_review_knows_wins([("legends", 2)], examples=20)


@pytest.mark.long
def test_last_turns_that_win_are_found_in_all_rulesets() -> None:
    the_review_knows_wins([("legends", 2), ("legends", 3), ("prototype", 2), ("classic", 2), ("classic", 3)], 150)


def kingdoms_positions(chance: Quick) -> tuple[State, bool]:
    """Return a position in Alice's turn, and whether she can win at once: by the Princess, who is built last."""
    towers, cards = "EQP"[: 3 - chance.below(2)], [f"A{4 + chance.below(5)}" for _card in range(3)]
    if has_her := chance.below(2) == 0:
        cards.append("X")
    state = kingdoms.position(
        2 + chance.below(2), towers={kingdoms.ALICE: " ".join(towers)}, hands={kingdoms.ALICE: " ".join(cards)},
        drawn=chance.below(2) == 0,
    )  # fmt: skip
    return state, has_her and len(towers) == 3


def test_a_turn_that_wins_at_once_is_found_in_kingdoms() -> None:
    ruleset, counts = get("kingdoms"), Counter[bool]()

    @settings(max_examples=12, phases=[Phase.generate], derandomize=True)
    @given(st.integers(0, 1 << 32))
    def check(number: int) -> None:
        state, can_win = kingdoms_positions(Quick(number))
        played = ruleset.end_of_turn(state, kingdoms.ALICE) or ruleset.parse("draw")
        events = apply(ruleset, state.copy(), kingdoms.ALICE, [played], Quick(1))
        entry = log.Entry(0, "", kingdoms.ALICE, (ruleset.text(played),), log.stored(events))
        (turn,) = review(ruleset, state, [entry], samples=2, budget=20).turns
        assert (turn.misses_win, turn.best_wins, turn.wins) == (can_win, can_win, False)
        assert (winning_turn(ruleset, ruleset.view(state, kingdoms.ALICE)) is not None) == can_win  # without a search
        if can_win:
            better = state.copy()
            apply(ruleset, better, kingdoms.ALICE, map(ruleset.parse, turn.better), Quick(1))
            assert ruleset.score(better).winners == (kingdoms.ALICE,) and turn.is_clear
        counts[can_win] += 1

    check()
    assert len(counts) == 2, counts


@pytest.mark.long
def test_earlier_turns_are_judged_without_what_came_later() -> None:
    table = played("legends", 2, 5)
    whole, start = reviewed(table), table.ruleset.initial(table.options, table.seats)
    cut = whole.turns[4].seq
    earlier = [entry for entry in table.entries if entry.seq <= cut]
    shorter = review(table.ruleset, start, earlier, samples=4, budget=30)
    assert shorter.turns == whole.turns[:5] and shorter.expectations[:5] == whole.expectations[:5]


@pytest.mark.long
def test_luck_is_zero_on_average() -> None:
    luck = [reviewed(played("legends", 2, 100 + number), samples=24).sides[0].luck for number in range(40)]
    assert abs(fmean(luck)) < 3 * stdev(luck) / sqrt(len(luck))
