"""The review of finished games: its sums, last turns that win, and what it may know."""

from math import sqrt
from statistics import fmean, stdev

import msgspec
import pytest

from games.bots import search
from games.bots.registry import BOTS
from games.bots.review import Luck, Review, luck_of, review
from games.bots.selfplay import Table, seed_of
from games.rules import log
from games.rules.fairness import Quick
from games.rules.play import apply
from games.rules.protocol import State
from games.rules.registry import get
from tests.rules.positions import ALICE, BOB, LEGENDS, RULES, position, scored


@pytest.fixture(autouse=True)
def few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for better turns among few, because these tests are about sums and last turns."""
    monkeypatch.setattr(search, "POSITIONS", 60)


KINDS = ("easy", "random", "medium", "easy", "random")


def played(slug: str, players: int, number: int, options: dict[str, object] | None = None) -> Table:
    table = Table(get(slug), options or {}, [BOTS[kind] for kind in KINDS[:players]], seed_of("review", number))
    table.play()
    return table


def reviewed(table: Table, samples: int = 4, budget: int = 30, seed: int = 1) -> Review:
    empty = table.ruleset.initial(table.options, table.seats)
    return review(table.ruleset, empty, table.entries, samples=samples, budget=budget, seed=seed)


@pytest.mark.long
@pytest.mark.parametrize(
    ("slug", "players", "options"),
    [
        ("legends", 2, {}),
        pytest.param("classic", 3, {}, marks=pytest.mark.long),
        pytest.param("prototype", 2, {}, marks=pytest.mark.long),
        pytest.param("classic", 5, {}, marks=pytest.mark.long),
        pytest.param("legends", 4, {"leaders": True, "explore": True, "poison_swamp": True}, marks=pytest.mark.long),
    ],
)
def test_luck_and_play_sum_to_the_difference_between_result_and_first_expectation(slug, players, options) -> None:
    known = {field.name for field in get(slug).option_fields(players)}
    table = played(slug, players, 7, {name: value for name, value in options.items() if name in known})
    found = reviewed(table)
    scores = table.ruleset.score(table.state).seats
    for seat, side in enumerate(found.sides):
        lead = scores[seat].total - max(other.total for other in scores if other.seat != seat)
        assert side.result == lead
        assert side.first + side.luck + side.play == pytest.approx(side.result, abs=1e-9)
        # and from each expectation to the next
        for at, (luck, play) in enumerate(zip(found.luck, found.play, strict=True)):
            before, after = found.expectations[at : at + 2]
            assert luck.seq == play.seq == before.seq
            changed = luck.margins[seat] + play.margins[seat]
            assert after.margins[seat] - before.margins[seat] == pytest.approx(changed, abs=1e-9)
            chances = luck.chances[seat] + play.chances[seat]
            assert after.chances[seat] - before.chances[seat] == pytest.approx(chances, abs=1e-9)
    assert all(sum(one.chances) == pytest.approx(1) for one in found.expectations)
    assert found.expectations[-1].doubts == (0.0,) * players
    # The same game has the same review, and a review is plain data
    assert msgspec.json.decode(msgspec.json.encode(found), type=Review) == found
    if players == 2:
        first, second = found.sides
        assert first.play == pytest.approx(first.own - second.own) and first.luck == pytest.approx(-second.luck)


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
    found, whole = luck_of(table.ruleset, empty, table.entries, samples=4), reviewed(table)
    assert found is not None
    assert [seq for seq, _gained in found.gains] == [change.seq for change in whole.luck]
    for (_seq, gained), change in zip(found.gains, whole.luck, strict=True):
        assert gained == pytest.approx(change.margins, abs=0.006)  # it is stored with two decimals
    for seat, (side, told) in enumerate(zip(found.sides, whole.sides, strict=True)):
        assert (side.first, side.result) == (told.first, told.result)
        assert (side.luck, side.luck_doubt, side.play) == pytest.approx((told.luck, told.luck_doubt, told.play))
        assert side.first + side.luck + side.play == pytest.approx(side.result, abs=1e-9)
        assert sum(gained[seat] for _seq, gained in found.gains) == pytest.approx(side.luck, abs=0.3)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Luck) == found


def endings(state: State, most: int = 400) -> list[tuple[tuple[str, ...], State]]:
    """Return every complete last turn of Alice with the position after it, by brute force; none if there are many."""
    waiting: list[tuple[tuple[str, ...], State]] = [((), state)]
    found, seen = [], set()
    while waiting:
        texts, here = waiting.pop()
        for action in LEGENDS.legal(here, ALICE):
            after, longer = here.copy(), (*texts, LEGENDS.text(action))
            apply(LEGENDS, after, ALICE, [action], Quick(1))
            if LEGENDS.is_over(after):
                found.append((longer, after))
            elif (mark := msgspec.json.encode(after)) not in seen:
                seen.add(mark)
                waiting.append((longer, after))
        if len(seen) > most:
            return []
    return found


def last_position(number: int) -> State:
    """Return some position before the last turn of a game of two, in which Alice is to move."""
    chance = Quick(number)
    regions, cards = ["v4", "v5", "m4", "m2", "f1"], sorted(RULES.deck(2))
    armies = {region: (chance.below(3), chance.below(3)) for region in regions[: 2 + chance.below(4)]}
    row = [cards.pop(chance.below(len(cards))) for _card in range(2)]
    state = position(2, row=row, armies=armies, coins=[3, 0], cities={"m4": (0, 1)})
    plain = [card for card in cards if not RULES.cards[card].abilities[0].points]
    state.owned, state.turn = [plain[:10], plain[:11]], ALICE
    return state


@pytest.mark.long
def test_a_last_turn_that_wins_is_found_and_one_that_missed_the_win_is_told() -> None:
    found = {"won": 0, "missed": 0, "hopeless": 0}
    for number in range(24):
        state = last_position(number)
        every = endings(state)
        if not every:
            continue
        winning = [texts for texts, after in every if LEGENDS.score(after).winners == (ALICE,)]
        played = every[number % len(every)]
        if number % 2:  # the worst turn, which misses a win if one can be missed
            played = min(every, key=lambda one: scored(one[1]).total - scored(one[1], BOB).total)
        actions = played[0]
        after = state.copy()
        events = apply(LEGENDS, after, ALICE, map(LEGENDS.parse, actions), Quick(1))
        wins = LEGENDS.score(after).winners == (ALICE,)
        entry = log.Entry(0, "", ALICE, actions, log.stored(events))
        (told,) = review(LEGENDS, state, [entry], samples=2, budget=30).turns
        assert (told.wins, told.best_wins) == (wins, bool(winning)), (number, told)
        assert told.misses_win == (bool(winning) and not wins)
        if told.misses_win:
            better = state.copy()
            apply(LEGENDS, better, ALICE, map(LEGENDS.parse, told.better), Quick(1))
            assert LEGENDS.score(better).winners == (ALICE,)
            assert told.chance_loss > 0 and told.is_clear
        found["won" if wins else "missed" if winning else "hopeless"] += 1
    assert min(found.values()) > 0, found  # each case has come up


@pytest.mark.long
def test_earlier_turns_are_judged_without_what_came_later() -> None:
    table = played("legends", 2, 5)
    found, start = reviewed(table), table.ruleset.initial(table.options, table.seats)
    cut = found.turns[4].seq
    earlier = [entry for entry in table.entries if entry.seq <= cut]
    shorter = review(table.ruleset, start, earlier, samples=4, budget=30)
    assert shorter.turns == found.turns[:5] and shorter.expectations[:5] == found.expectations[:5]


@pytest.mark.long
def test_luck_is_zero_on_average() -> None:
    luck = [reviewed(played("legends", 2, 100 + number), samples=24).sides[0].luck for number in range(40)]
    assert abs(fmean(luck)) < 3 * stdev(luck) / sqrt(len(luck))
