"""Achievements, streaks and records: earned by rated play between people, and equal to a recomputation."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from games.contests.achievements import book, rules, selectors
from games.contests.achievements.rules import Opponent, Played
from games.contests.gates import services as gates
from games.contests.models import Achievement, Apart, Earning, League, Member, Score, Streak
from games.contests.ratings import model as ratings
from games.contests.tournaments import services as tournaments
from games.tables.models import Entry, Game
from games.tables.models.game import new_public_id, new_token
from games.tables.models.log import By
from tests.cast import person, table_of
from tests.contests.cups import cup
from tests.contests.properties import fixed

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


# The rules, without a database


def contest(n: int, place: int = 1, *, days: float = 0, against: Sequence[str] = (), **more) -> Played:
    others = against or (f"other{n}",)
    usual = {
        "pk": n, "ruleset": "legends", "at": START + timedelta(days=days or 40 * n), "players": len(others) + 1,
        "seat": 0, "place": place, "points": 20, "rating": 1500,
        "opponents": tuple(Opponent(who, 15, 1500) for who in others), "places": (place,), "is_full": False,
        "has_points": True, "counts": True, "is_won": place == 1,
    }  # fmt: skip
    return Played(**{**usual, **more})


def earned(*career: Played) -> dict[str, int]:
    return {slug: played.pk for slug, played in rules.earned(career).items()}


EXAMPLES = {  # a career for each achievement, which its last contest earns
    "first-win": [contest(1, 2), contest(2)],
    "three-in-a-row": [contest(n) for n in range(1, 4)],
    "seven-in-a-row": [contest(n) for n in range(1, 8)],
    "by-a-point": [contest(1, opponents=(Opponent("x", 19, 1500),))],
    "runaway": [contest(1, points=30, opponents=(Opponent("x", 20, 1500),))],
    "upset": [contest(1, opponents=(Opponent("x", 15, 1700),))],
    "clean-sweep": [contest(1, is_full=True, places=(1, 1, 1))],
    "comeback": [contest(1, is_full=True, places=(2, 1, 1))],
    "big-table": [contest(1, against=("a", "b", "c"))],
    "all-rounder": [contest(n, ruleset=name) for n, name in enumerate("aabc", 1)],
    "ten-opponents": [contest(n) for n in range(1, 11)],
    "regular": [contest(n, 2) for n in range(1, 26)],
    "veteran": [contest(n, 2) for n in range(1, 101)],
}


@pytest.mark.parametrize("slug", rules.BY_SLUG)
def test_each_achievement_is_earned_in_the_contest_that_its_sentence_describes(slug: str):
    career = EXAMPLES[slug]
    assert earned(*career)[slug] == career[-1].pk and slug not in earned(*career[:-1])


def test_an_achievement_is_not_earned_in_a_contest_that_its_sentence_does_not_describe():
    assert earned(contest(1, 2)) == {}
    assert "runaway" not in earned(contest(1, points=29, opponents=(Opponent("x", 20, 1500),)))
    assert "runaway" not in earned(contest(1, points=2, opponents=(Opponent("x", -5, 1500),)))
    for rating, opponent_rating in ((1500, 1699), (None, 2000), (1500, None)):
        assert "upset" not in earned(contest(1, rating=rating, opponents=(Opponent("x", 15, opponent_rating),)))
    assert "clean-sweep" not in earned(contest(1, is_full=True, places=(1, 2, 1)))


def test_points_that_only_count_places_show_neither_a_narrow_win_nor_a_clear_one():
    opponents = (Opponent("x", 1, 1500), Opponent("y", 0, 1500))
    assert earned(contest(1, points=2, opponents=opponents, players=3, has_points=False)) == {"first-win": 1}


def test_a_streak_is_ended_by_any_rated_contest_that_was_not_won_and_continued_only_by_those_that_count():
    wins = [contest(n) for n in range(1, 8)]
    assert earned(*wins)["three-in-a-row"] == 3 and earned(*wins)["seven-in-a-row"] == 7
    resigned = contest(9, 2, counts=False, days=90)
    assert "three-in-a-row" not in earned(*wins[:2], resigned, wins[2])
    against_bots = contest(9, counts=False, days=90)
    assert earned(*wins[:2], against_bots, wins[2])["three-in-a-row"] == 3
    elsewhere = contest(9, 2, ruleset="classic", days=90)
    assert earned(*wins[:2], elsewhere, wins[2])["three-in-a-row"] == 3
    assert [streak.pk for streak in rules.longest_streaks([*wins, resigned, contest(10)])["legends"]] == list(
        range(1, 8)
    )


def test_the_same_opponent_again_and_again_earns_nothing():
    career = [contest(n, days=n, against=("friend",)) for n in range(1, 30)]
    assert len(rules.that_count(career)) < 5
    assert "regular" not in earned(*career) and "seven-in-a-row" not in earned(*career)
    mixed = [contest(n, days=n, against=("friend", f"other{n}")) for n in range(1, 30)]
    assert len(rules.that_count(mixed)) == 29


@fixed
@given(
    st.lists(st.tuples(st.integers(1, 3), st.booleans(), st.sampled_from("abcdefgh"), st.integers(0, 9)), max_size=40)
)
def test_nothing_that_was_earned_is_lost_by_playing_on(drawn):
    career, day = [], 0.0
    for n, (place, counts, who, days) in enumerate(drawn, 1):
        day += days
        career.append(contest(n, place, days=day + 1, against=(who,), counts=counts))
    before: dict[str, int] = {}
    for n in range(len(career) + 1):
        now = earned(*career[:n])
        assert before.items() <= now.items()
        before = now


def test_every_achievement_has_a_name_a_sentence_and_a_short_slug():
    assert len(rules.BY_SLUG) == len(rules.ACHIEVEMENTS) and set(rules.STREAKS.values()) <= rules.BY_SLUG.keys()
    for achievement in rules.ACHIEVEMENTS:
        assert len(achievement.slug) <= 20 and achievement.name and achievement.sentence.endswith(".")


# From scores


@pytest.fixture
def template(db) -> Game:
    return table_of(person("Alice"), person("Bob"))


def played(template: Game, places: dict[User, int], *, day: int, **more) -> list[Score]:
    """Write the scores of a rated contest that ended on this day, as in the book, and enter it."""
    game = Game.objects.get(pk=template.pk)
    game.pk, game.public_id, game.invite_token = None, new_public_id(), new_token()
    game.save()
    sure = ratings.Rating(mu=ratings.MU, sigma=0.1)
    scores = Score.objects.bulk_create(
        Score(**{
            "game": game, "seat": seat, "user": user, "who": str(user.pk), "name": user.username, "ruleset": "legends",
            "players": len(places), "listed": True, "counts": True, "place": place, "points": 30 - 3 * place,
            "games": [{"game": game.public_id, "place": place}], "ended_at": START + timedelta(days=day),
            "order": day, "mu_before": sure.mu, "sigma_before": sure.sigma, **more,
        })
        for seat, (user, place) in enumerate(places.items())
    )  # fmt: skip
    book.enter(scores)
    return scores


def stored() -> list[object]:
    kinds = (Achievement.objects.values_list("user", "slug", "score"), Streak.objects.values_list("user", "ruleset",
             "length", "first", "last"), Earning.objects.values_list("game", "counts", "margin", "best"))  # fmt: skip
    return [sorted(rows) for rows in kinds]


def slugs(user: User) -> set[str]:
    return set(Achievement.objects.filter(user=user).values_list("slug", flat=True))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_stored_figures_equal_a_recomputation_after_random_contests_and_corrections(template, seed):
    random, people = Random(seed), [person(name) for name in ("Carol", "Dan", "Ada", "Ben")]
    contests: list[list[Score]] = []
    for day in range(1, 25):
        opponents = random.sample(people, random.choice([2, 2, 3]))
        more = {"gave_up": random.random() < 0.1, "counts": random.random() < 0.9}
        contests.append(played(template, {user: place for place, user in enumerate(opponents, 1)}, day=day, **more))
        if random.random() < 0.4:
            scores = random.choice(contests)
            decided = random.choice([None, random.sample(range(1, len(scores) + 1), len(scores))])
            for score in scores:
                score.ruled = decided[score.seat] if decided else None
            Score.objects.bulk_update(scores, ["ruled"])
            book.enter(scores)
    assert book.recompute(mend=False) == []
    before = stored()
    assert before[0] and before[1]
    Achievement.objects.all().delete()
    Streak.objects.all().delete()
    Earning.objects.update(counts=False, margin=None)
    with pytest.raises(CommandError, match="differ"):
        call_command("achievements")
    assert not Achievement.objects.exists()
    call_command("achievements", "--mend")
    assert stored() == before


def test_a_correction_takes_an_achievement_back_and_undoing_it_gives_it_again(template):
    carol, dan = person("Carol"), person("Dan")
    scores = played(template, {carol: 1, dan: 2}, day=1)
    assert "first-win" in slugs(carol)
    for score, place in zip(scores, (2, 1), strict=True):
        score.ruled = place
    Score.objects.bulk_update(scores, ["ruled"])
    book.enter(scores)
    assert slugs(carol) == slugs(dan) == set() and not Earning.objects.get().counts
    for score in scores:
        score.ruled = None
    Score.objects.bulk_update(scores, ["ruled"])
    book.enter(scores)
    assert "first-win" in slugs(carol)


def test_bots_resignations_replacements_and_unrated_games_earn_nothing(template):
    carol, dan = person("Carol"), person("Dan")
    for day, more in enumerate(
        ({"gave_up": True}, {"stood": {"game": 0, "seq": 3, "places": [1, 2]}}, {"counts": False})
    ):
        played(template, {carol: 1, dan: 2}, day=day + 1, **more)
    bots = played(template, {carol: 1, dan: 2}, day=9, who="medium")
    assert slugs(carol) == set() and not Earning.objects.filter(game=bots[0].game).exists()


def test_a_seat_that_a_bot_played_for_someone_away_earns_nothing(template):
    carol, dan = person("Carol"), person("Dan")
    scores = played(template, {carol: 1, dan: 2}, day=1)
    entry = Entry.objects.filter(game=template).order_by("seq")[0]
    entry.pk, entry.game, entry.by = None, scores[0].game, By.STAND_IN
    entry.save()
    book.enter(scores)
    assert slugs(carol) == set()


def confirm(user: User, address: str, *, has_confirmed: bool = True) -> None:
    """Give the user this address."""
    user.email = address
    user.save(update_fields=["email"])
    EmailAddress.objects.filter(user=user).update(email=address.lower(), verified=has_confirmed)


@pytest.mark.parametrize("spelling", ["Car.ol+2@example.org", '"carol"@example.org'])
def test_games_with_a_second_account_or_in_a_household_earn_nothing_and_do_not_later(template, spelling):
    carol, twin, dan, olga = (person(name) for name in ("Carol", "Twin", "Dan", "Olga"))
    confirm(twin, spelling)
    played(template, {carol: 1, twin: 2}, day=1)
    assert slugs(carol) == set()
    confirm(twin, "other@example.org")
    assert book.recompute(mend=False) == []  # decided when it ended
    league = League.objects.create(slug="x", name="X", ruleset="legends", terms={}, made_at=START)
    for user in (carol, dan):
        Member.objects.create(league=league, user=user, joined_at=START)
    Apart.objects.create(league=league, first=min(carol, dan, key=lambda user: user.pk),
                         second=max(carol, dan, key=lambda user: user.pk), at=START)  # fmt: skip
    played(template, {carol: 1, dan: 2}, day=2)
    assert slugs(carol) == set()
    played(template, {carol: 1, olga: 2}, day=3)
    assert "first-win" in slugs(carol)


def test_nobody_takes_achievements_away_by_entering_an_address_of_someone_else(template):
    carol, eve = person("Carol"), person("Eve")
    confirm(eve, "carol+2@example.org", has_confirmed=False)
    played(template, {carol: 1, eve: 2}, day=1)
    assert "first-win" in slugs(carol)


def test_organizers_take_no_achievements_away_from_people_outside_their_competitions(template):
    carol, dan, olga = (person(name) for name in ("Carol", "Dan", "Olga"))
    tournament = cup(olga)
    gates.keep_apart(competition=tournament, by=olga, names=["Carol", "Dan"])
    gates.keep_apart(competition=tournament, by=olga, names=["Carol", "Olga"])
    tournaments.join(tournament=tournament, user=carol)
    played(template, {carol: 1, dan: 2}, day=1)
    assert "first-win" in slugs(carol)
    tournaments.join(tournament=tournament, user=dan)
    played(template, {dan: 1, carol: 2}, day=2)
    assert slugs(dan) == set()


def test_records_list_the_closest_and_highest_public_games_and_the_longest_streaks(template):
    carol, dan, ada = person("Carol"), person("Dan"), person("Ada")
    played(template, {carol: 1, dan: 2}, day=1)
    played(template, {carol: 1, dan: 3}, day=2)
    played(template, {carol: 1, ada: 2}, day=3, listed=False)
    shown = selectors.records("legends")
    [singles] = shown.lists
    assert [contest.earning.margin for contest in singles.closest] == [3, 6] and len(singles.highest) == 2
    assert [(streak.user, streak.length) for streak in shown.streaks] == [(carol, 3)]
    assert selectors.records("classic").is_empty


def test_games_whose_points_only_count_places_have_streaks_but_no_closest_games_and_no_highest_scores(template):
    carol, dan = person("Carol"), person("Dan")
    for day in (1, 2):
        played(template, {carol: 1, dan: 2}, day=day, ruleset="kingdoms")
    assert set(Earning.objects.values_list("counts", "margin", "best")) == {(True, None, None)}
    assert slugs(carol) == {"first-win"}
    shown = selectors.records("kingdoms")
    assert shown.lists == [] and [streak.length for streak in shown.streaks] == [2]
    assert book.recompute(mend=False) == []


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by the number of rows")
def test_records_are_read_from_the_start_of_an_index(db):
    with CaptureQueriesContext(connection) as queries:
        selectors.records("legends")
    lists = [query["sql"] for query in queries if 'FROM "contests_earning"' in query["sql"]]
    assert len(lists) == 4
    with connection.cursor() as cursor:
        for sql in lists:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            plan = " ".join(str(row[-1]) for row in cursor.fetchall())
            assert "USING INDEX" in plan and "B-TREE" not in plan, plan


def test_a_private_game_is_linked_only_for_those_who_played_it(template):
    carol, dan, eve = person("Carol"), person("Dan"), person("Eve")
    played(template, {carol: 1, dan: 2}, day=1, listed=False)
    for reader, is_linked in ((carol, True), (dan, True), (eve, False)):
        shown = selectors.shelf(carol, reader)
        assert bool(shown.earned[0].url) == is_linked and bool(shown.others) == (reader == carol)
