"""How the points of a finished game were won: every gain adds up to the scoresheet, and the decisive turn."""

import pytest
from django.core.cache import caches
from django.test import Client

from games.rules import log
from games.rules.kingdoms.events import RulerChanged, TowerBuilt
from games.rules.registry import RULESETS, get
from games.tables.models import Game
from games.tables.pages.result import banner
from games.tables.selectors import points
from games.tables.selectors.points import CourseStep, Decisive
from tests.cast import seats_of
from tests.rules.tables import at_random
from tests.rules.walk import Walk, walk


def entries(game: Walk) -> list[log.Entry]:
    """Return the log of a random game, as the table would store it."""
    return [
        log.Entry(number, "", step.seat, (), tuple(log.stored(step.events)), "seat", "")
        for number, step in enumerate(game.steps)
    ]


def steps_of(game: Walk) -> tuple[CourseStep, ...]:
    rules = game.ruleset
    return tuple(points.steps_of(rules, rules.initial(game.options, game.seats), entries(game)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("slug", RULESETS)
def test_the_last_values_of_the_chart_are_the_scoresheet(slug, seed):
    for players in {RULESETS[slug].seat_counts[0], RULESETS[slug].seat_counts[-1]}:
        table = at_random(slug, players, seed)
        game = walk(table.ruleset, table.players, seed, table.options)
        steps, rules = steps_of(game), game.ruleset
        course = points.Course(steps, (), None)
        counted = rules.counted(game.final)
        assert steps[-1].totals == tuple(sum(line.points for line in lines) for lines in counted)
        for now, lines in zip(course.by_source[-1], counted, strict=True):
            assert dict(now) == points.by_source(lines)
        if rules.family == "eight_minute":
            assert steps[-1].totals == tuple(score.total for score in rules.score(game.final).seats)
        else:
            view = rules.view(game.final, None)
            assert steps[-1].totals == tuple(player.value for player in view.players)


def test_the_towers_of_kingdoms_are_those_on_the_scoresheet(slug="kingdoms"):
    for seed in range(4):
        game = walk(RULESETS[slug], 3, seed)
        milestones = list(points.milestones(game.ruleset, entries(game)))
        built = [
            sum(1 for milestone in milestones if milestone.seat == seat and milestone.event["kind"] == "build")
            for seat in range(3)
        ]
        assert all(n >= len(game.final.towers[seat]) for seat, n in enumerate(built))


def totals(*by_step: tuple[int, ...]) -> list[CourseStep]:
    return [CourseStep(3 * number, None, (), values) for number, values in enumerate(by_step)]


@pytest.mark.parametrize(
    ("steps", "winners", "expected"),
    [
        (totals((0, 0), (2, 0), (2, 5), (6, 5), (9, 6)), (0,), Decisive(9, "lead", 1)),  # ahead, behind, ahead for good
        (totals((0, 0), (3, 0), (4, 4)), (0,), Decisive(3, "swing", 3)),  # won by a tie-break: the largest swing
        (totals((1, 0), (2, 0), (5, 1)), (0,), Decisive(6, "swing", 2)),  # ahead all the time
        (totals((0, 0), (0, 0)), (0,), None),
        (totals((0, 0), (3, 3)), (0, 1), None),  # a shared win
        (totals((0, 0, 0), (1, 4, 2), (6, 4, 5)), (0,), Decisive(6, "lead", 1)),
    ],
)
def test_the_decisive_turn_puts_the_winner_ahead_for_good_or_is_the_largest_swing(steps, winners, expected):
    assert points.decisive(steps, winners) == expected


@pytest.mark.parametrize(("won_by", "kind"), [("conquest", RulerChanged), ("empire", TowerBuilt), ("value", None)])
def test_a_conquest_or_an_empire_is_decided_by_its_last_step_whatever_the_hands_are_worth(won_by, kind):
    rules = get("kingdoms")
    game = next(game for seed in range(300) if (game := walk(rules, 2, seed)).steps[-1].after.won_by == won_by)
    decided = points.won_without_points(rules, game.steps[-1].after, entries(game))
    last = [number for number, step in enumerate(game.steps) if kind and any(isinstance(e, kind) for e in step.events)]
    assert decided == (Decisive(last[-1], "goal", 0) if kind else None)


@pytest.mark.django_db
class TestPage:
    """The page of a finished game."""

    def read(self, game: Game, query: str = "") -> str:
        return Client().get(game.get_absolute_url() + query).content.decode()

    def test_the_result_shows_the_winner_the_chart_and_the_decisive_turn(self, finished):
        page = self.read(finished)
        winner = next(seat for seat in seats_of(finished) if seat.place == 1)
        assert f"<strong>{winner.name} wins</strong>" in page
        assert page.count('class="race-line') == 2 and page.count('class="layers"') == 2
        assert "The decisive turn" in page and 'class="is-decisive"' in page
        for seat in seats_of(finished):
            assert '<text class="race-total"' in page and f">{seat.counted}</text>" in page

    def test_every_address_of_the_chart_exists(self, finished):
        course = points.course(finished, seats_of(finished), [0])
        assert all(step.seq <= finished.seq for step in course.steps) and course.last == finished.seq

    def test_the_log_is_read_once(self, finished, django_assert_max_num_queries):
        caches["results"].clear()
        seats = seats_of(finished)
        first = points.course(finished, seats, [0])
        with django_assert_max_num_queries(0):
            assert points.course(finished, seats, [0]) == first

    def test_earlier_positions_and_withheld_games_show_no_chart(self, finished):
        assert 'class="race"' not in self.read(finished, "?at=3")
        Game.objects.update(is_withheld=True, listed=True)
        page = self.read(finished)
        assert 'class="race"' not in page and "when the last table of the duplicate has finished" in page
        assert points.course(Game.objects.get(), seats_of(finished), [0]) is None

    def test_an_unreadable_cache_is_computed_again(self, finished):
        seats = seats_of(finished)
        first = points.course(finished, seats, [0])
        kept = [key.split(":", 2)[2] for key in caches["results"]._cache]
        caches["results"].set_many(dict.fromkeys(kept, b"[]"))
        assert points.course(finished, seats, [0]) == first


def test_the_banner_shows_the_lead_or_the_tie_break():
    legends = walk(RULESETS["legends"], 2, 1)
    sheet = legends.ruleset.score(legends.final)
    shown = banner(sheet, ["Alice", "Bob"], "fewer coins left", "")
    assert shown.words.endswith("wins") and shown.reason
