"""Arenas: matches begin when enough players ask, with those they have met least, and the best ones count."""

from collections import Counter
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from empire.web.documents import VERSIONS
from games.contests import interventions as organizing
from games.contests.gates import services as gates
from games.contests.models import Appearance, Entrant, Match, Tournament
from games.contests.pairing.arena import Waiting, next_look, next_table
from games.contests.pairing.crosstable import Result, rank
from games.contests.terms.declaration import parse
from games.contests.terms.fitting import check
from games.contests.tournaments import arenas
from games.contests.tournaments import services as tournaments
from games.errors import GameError, NotYours, Over
from games.rules.protocol import IllegalAction
from games.tables.models import Game
from games.tables.selectors.lines import intervention_sentence
from games.tables.services.interventions import intervention_after
from tests.cast import person, seats_of
from tests.contests.cups import again, crowd, cup, entrant, names, places, play, running, sweep, titles
from tests.contests.ladders import suspend
from tests.contests.properties import fixed

TERMS = {"format": "arena", "days": 10, "days_a_round": 20, "best": 2, "at_once": 2, "clock": "move 1d"}


def queue(*hours: float) -> list[Waiting]:
    return [Waiting(entrant, waited) for entrant, waited in enumerate(hours)]


def table(waiting, players=2, met=(), **more):
    times = Counter(frozenset(pair) for pair in met)
    return [
        entry.entrant
        for entry in next_table(waiting, players, lambda entry, other: times[frozenset((entry, other))], **more)
    ]


# Who plays


def test_the_player_who_has_waited_longest_plays_someone_they_have_met_least():
    assert table(queue(30, 20, 10), met=[(0, 1)]) == [0, 2]
    assert table(queue(30, 20, 10, 5), players=3, met=[(0, 1)]) == [0, 2, 3]
    assert table(queue(5)) == [] and table(queue(5, 5), players=3) == []


def test_c19_each_earlier_match_takes_a_day_of_waiting_before_the_next():
    assert table(queue(23, 1), met=[(0, 1)]) == []
    assert table(queue(24, 1), met=[(0, 1)]) == [0, 1]
    assert table(queue(30, 1), met=[(0, 1), (0, 1)]) == []
    assert next_look(queue(23, 1), lambda _one, _other: 1) == 1
    assert next_look(queue(23, 1), lambda _one, _other: 0) is None


def test_players_who_must_not_meet_or_play_each_other_now_are_not_paired():
    pair = {frozenset((0, 1))}
    assert table(queue(90, 90), forbidden=pair) == [] and table(queue(90, 90), busy=pair) == []
    assert table(queue(90, 90, 1), forbidden=pair) == [0, 2]


@fixed
@given(st.lists(st.integers(0, 100), max_size=9), st.integers(2, 4), st.data())
def test_a_table_is_full_and_nobody_sits_twice(hours, players, data):
    waiting = queue(*sorted(hours, reverse=True))
    pairs = data.draw(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=6))
    seated = table(waiting, players, met=[pair for pair in pairs if pair[0] != pair[1]])
    assert len(seated) in (0, players) and len(set(seated)) == len(seated)


def test_only_the_best_matches_count_and_missing_ones_count_as_lost():
    results = [Result((0, 1), (1, 2), (3, 2)), Result((0, 1), (2, 1), (1, 2)), Result((0, 2), (1, 2), (5, 4))]
    lines = {line.entrant: line for line in rank(range(3), results, (), best=2)}
    assert (lines[0].points, lines[0].possible, lines[0].played) == (4, 4, 3)
    assert (lines[1].points, lines[1].possible) == (2, 4) and lines[2].points == 0


def test_an_arena_is_for_people_and_matches_must_fit_into_it():
    good = '[tournament]\nname = "A"\nformat = "arena"\ndays = 20\nclock = "move 1d"\ndays_a_round = 30\n'
    check(parse(good), 10)
    with pytest.raises(IllegalAction, match="for people only"):
        check(parse(good + "bots = true\nrated = false\n"), 10)
    with pytest.raises(IllegalAction, match="“days”"):
        check(parse(good.replace("days = 20", "days = 1")), 30)


# On the site


@pytest.fixture
def people(db):
    return crowd(4)


def opened(olga, people, **terms) -> Tournament:
    tournament = cup(olga, people, **{**TERMS, **terms})
    tournaments.start(tournament=tournament, user=olga)
    return again(tournament)


def ask(tournament, *users) -> list[bool]:
    return [arenas.ask(tournament=tournament, user=user) for user in users]


def later(hours: float):
    return time_machine.travel(timezone.now() + timedelta(hours=hours), tick=False)


def test_a_match_begins_as_soon_as_two_have_asked(olga, people):
    tournament = opened(olga, people)
    assert titles(people[0]) == ["Harbour Cup has started"] and not running(tournament)
    assert ask(tournament, people[0]) == [False] and not running(tournament)
    assert ask(tournament, people[1]) == [True]
    (match,) = running(tournament)
    assert sorted(names(match)) == ["Aa", "Ba"] and match.game.seats.count() == 2
    assert not Entrant.objects.filter(waits_since__isnull=False).exists()


def test_the_same_two_meet_again_only_after_a_day_or_with_others_first(olga, people):
    tournament = opened(olga, people)
    ask(tournament, people[0], people[1])
    play(*running(tournament))
    tournament = sweep(tournament)
    assert ask(tournament, people[0], people[1]) == [False, False]
    assert ask(tournament, people[2]) == [True]  # has met neither
    assert sorted(names(running(tournament)[0])) == ["Aa", "Ca"]
    assert ask(tournament, people[0]) == [False]
    with later(25):
        sweep(tournament)
        assert sorted(map(sorted, map(names, running(tournament)))) == [["Aa", "Ba"], ["Aa", "Ca"]]


def test_asking_twice_waits_once_and_more_than_allowed_is_refused(olga, people):
    tournament = opened(olga, people)
    assert ask(tournament, people[0], people[0]) == [False, False]
    for _tap in range(2):
        assert arenas.ask(tournament=tournament, user=people[1], expected=0)
    assert len(running(tournament)) == 1
    with later(1), pytest.raises(GameError, match="since you opened this page"):
        arenas.ask(tournament=tournament, user=people[0], expected=0)
    ask(tournament, people[0], people[2])
    with pytest.raises(GameError, match="Finish one of them first"):
        ask(tournament, people[0])
    assert Appearance.objects.filter(entrant__name="Aa").count() == 2


def test_strangers_outsiders_and_drop_outs_cannot_ask(olga, people):
    eve, tournament = person("Eve"), opened(olga, people)
    with pytest.raises(NotYours):
        ask(tournament, eve)
    ask(tournament, people[0])
    tournaments.leave(tournament=tournament, user=people[0])
    assert entrant(tournament, "Aa").waits_since is None
    with pytest.raises(NotYours):
        ask(tournament, people[0])
    assert ask(tournament, people[1]) == [False]
    arenas.stop_waiting(tournament=tournament, user=people[1])
    assert ask(tournament, people[2]) == [False]
    with pytest.raises(GameError, match="start automatically"):
        swiss = cup(olga, people, name="Other")
        tournaments.start(tournament=swiss, user=olga)
        ask(swiss, people[1])


def test_people_who_must_not_meet_wait_for_others(olga, people):
    tournament = opened(olga, people)
    gates.keep_apart(competition=tournament, by=olga, names=["Aa", "Ba"])
    assert ask(tournament, people[0], people[1], people[2]) == [False, False, True]
    assert "Aa" in names(running(tournament)[0])


@pytest.mark.parametrize("step", [{"kind": "suspend", "days": 3}, {"kind": "close", "days": None}, None])
def test_nobody_is_paired_with_someone_whom_moderators_have_kept_from_matches_since(olga, people, step):
    tournament = opened(olga, people)
    assert ask(tournament, people[0]) == [False]
    if step:
        suspend(people[0], **step)
    else:
        User.objects.filter(pk=people[0].pk).update(is_active=False)
    assert ask(tournament, people[1]) == [False] and not running(tournament)
    assert entrant(tournament, "Aa").waits_since is None
    assert ask(tournament, people[2]) == [True] and sorted(names(running(tournament)[0])) == ["Ba", "Ca"]


def test_a_player_who_has_to_accept_new_terms_goes_on_waiting_and_is_paired_afterward(olga, people):
    tournament = opened(olga, people)
    assert ask(tournament, people[0]) == [False]
    User.objects.filter(pk=people[0].pk).update(accepted_terms=0)
    assert ask(tournament, people[1]) == [False] and not running(tournament)
    assert entrant(tournament, "Aa").waits_since is not None
    User.objects.filter(pk=people[0].pk).update(accepted_terms=VERSIONS["terms"])
    with time_machine.travel(timezone.now() + timedelta(hours=1, minutes=1)):
        assert sorted(names(running(sweep(tournament))[0])) == ["Aa", "Ba"]


def test_one_can_join_while_matches_still_begin(olga, people):
    tournament, zoe = opened(olga, people[:3], fewest=3), person("Zoe")
    tournaments.join(tournament=tournament, user=zoe)
    assert entrant(tournament, "Zoe").seed == 4 and "Zoe" in places(tournament)
    assert ask(tournament, people[0], zoe) == [False, True]
    with later(24 * 11), pytest.raises(Over, match="Sign-up is over"):
        tournaments.join(tournament=tournament, user=person("Late"))


def test_someone_who_has_left_reads_why_they_cannot_join_again(olga, people):
    tournament = opened(olga, people)
    tournaments.leave(tournament=tournament, user=people[0])
    organizing.remove(entrant=entrant(tournament, "Ba"), by=olga, reason="Cheated.")
    for user, sentence in ((people[0], "You have dropped out."), (people[1], "The organizer has removed you.")):
        with pytest.raises(GameError, match=sentence):
            tournaments.join(tournament=tournament, user=user)


@pytest.mark.parametrize("has_left", [False, True])
def test_c18_a_player_who_was_replaced_cannot_join_again(olga, people, has_left):
    tournament = opened(olga, people)
    gone, newcomer = people[0], person("Newcomer")
    if has_left:
        tournaments.leave(tournament=tournament, user=gone)
    replacement = tournaments.replace(
        tournament=tournament, entrant=entrant(tournament, gone.username).pk, by=olga, name="Newcomer", reason="Away."
    )
    organizing.accept(pk=replacement.pk, user=newcomer)
    with pytest.raises(GameError, match="Someone else has taken over your place"):
        tournaments.join(tournament=tournament, user=gone)
    assert Entrant.objects.filter(tournament=tournament).count() == len(people)
    tournaments.join(tournament=tournament, user=person("Late"))


def test_c18_the_best_matches_count_and_an_abandoned_one_counts_like_any_other(olga, people):
    """Ba leaves a match alone. Bots finish it when its time is up, and the arena ends with that result."""
    tournament = opened(olga, people)
    ask(tournament, people[0], people[1])
    with later(24 * 11):
        tournament = sweep(tournament)
        assert tournament.is_running  # the last match still runs
        with pytest.raises(Over, match="No new matches can start"):
            ask(tournament, people[2])
    with later(24 * 21):
        game = running(tournament)[0].game
        tournament = sweep(tournament)
        game.refresh_from_db()
        assert game.is_left_to_bots
        sentence = intervention_sentence(intervention_after(game, game.seq - 1), seats_of(game))
        reason = "This game was unfinished when its time was up."
        assert sentence == f"Bots play this game to the end. Reason: “{reason}”"
        play(*running(tournament))
        tournament = sweep(tournament)
        assert tournament.has_ended
    assert places(tournament) == {"Aa": 1, "Ba": 2, "Ca": 3, "Da": 3}  # Ba has met someone
    assert Match.objects.get().state == "ended" and "Harbour Cup has ended" in titles(people[3])


def test_an_arena_without_a_match_ends(olga, people):
    tournament = opened(olga, people)
    ask(tournament, people[0])
    with later(24 * 10 + 1):
        tournament = sweep(tournament)
    assert tournament.has_ended and not Game.objects.exists() and entrant(tournament, "Aa").waits_since is None


@pytest.mark.long
def test_tables_of_three_balance_seats(olga):
    people = crowd(3)
    tournament = opened(olga, people, players=3, seats=3, fewest=3, at_once=1)
    with later(0):
        for number in range(3):
            with later(49 * number):
                ask(tournament, *people)
                tournament = sweep(tournament)
            with later(49 * number + 48):
                tournament = sweep(tournament)
                play(*running(tournament))
                tournament = sweep(tournament)
    seats = Counter(Appearance.objects.values_list("entrant__name", "seat"))
    assert Match.objects.count() == 3 and set(seats.values()) == {1}
