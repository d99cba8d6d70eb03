"""Scores, ratings and statistics: written once, in order, and recomputed from the logs with the same results."""

from datetime import timedelta

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db.models import F
from django.utils import timezone

from accounts import hooks
from accounts.services import bring_games, delete_account
from games.contests.models import RatedPlayer, Score, SizeRating, Tally
from games.contests.models.scores import WIN
from games.contests.ratings import book, scores, statistics
from games.contests.ratings.model import Rating, rate, weight
from games.contests.ratings.recompute import Recomputed, compare, read_on, recompute
from games.rules import log, staff
from games.tables.models import FullGame, Game, Seat
from games.tables.models.game import new_public_id, new_token
from games.tables.selectors import position
from games.tables.services import bots, handover, lobby, undo_requests
from tests.cast import again, in_turns, person, play_out, play_turns, seats_of, some_turn, state_of, submit, table_of
from tests.kept import kept_if_first

pytestmark = [pytest.mark.django_db, pytest.mark.early]


def played(*people, **more) -> Game:
    return kept_if_first(people, *more.items(), play=lambda: play_out(in_turns(*people, **more)))


def play_full(*people, **more) -> FullGame:
    """Play all three games of a full game."""

    def play() -> Game:
        first = play_out(table_of(*people, full=True, **more))
        for number in (2, 3):
            play_out(first.full_game.games.get(number=number))
        return first

    return kept_if_first("full", people, *more.items(), play=play).full_game


def figures() -> list:
    booked = Score.objects.order_by("pk").values_list(
        "order", "games", "mu_before", "sigma_before", "mu_after", "sigma_after"
    )
    rows = RatedPlayer.objects.order_by("user").values_list("user", "bot", "mu", "sigma", "contests", "shown")
    return [*booked, *rows]


def unchanged(before: Rating, after: Rating) -> None:
    """Check that the rating is the same but for the doubt that a few seconds of absence add."""
    assert before.mu == after.mu and before.sigma == pytest.approx(after.sigma, abs=1e-4)


def test_a_game_leaves_a_score_for_each_player(alice, bob):
    game = played(alice, bob)
    kept = list(Score.objects.filter(game=game).order_by("seat"))
    assert [score.user for score in kept] == [alice, bob]
    for score, seat in zip(kept, seats_of(game), strict=True):
        assert (score.place, score.points, score.counts, score.order) == (seat.place, seat.total, True, None)
        [line] = score.games
        assert line["game"] == game.public_id and sum(line["sources"].values()) == line["points"] == seat.total


def test_a_full_game_leaves_one_score_each_for_all_its_games(alice, bob):
    full = play_full(alice, bob)
    kept = list(full.scores.order_by("seat"))
    assert [len(score.games) for score in kept] == [3, 3] and Score.objects.count() == 2
    assert [score.points for score in kept] == [line["points"] for line in full.ranking]
    assert [score.place for score in kept] == [line["place"] for line in full.ranking]


@pytest.mark.postgresql
def test_the_book_adds_each_contest_once_and_in_order(alice, bob):
    played(alice, bob)
    carol = person("Carol")
    played(alice, bob, carol)
    assert book.sweep() == 2 and book.sweep() == 0
    assert sorted(Score.objects.values_list("order", "game__players").distinct()) == [(1, 2), (2, 3)]
    rated = RatedPlayer.objects.get(user=alice)
    assert rated.contests == 2
    unchanged(Score.objects.get(user=alice, order=1).after, Score.objects.get(user=alice, order=2).before)
    assert Score.objects.get(user=alice, order=2).after == rated.rating


@pytest.mark.postgresql
def test_a_contest_that_cannot_be_counted_only_blocks_its_own_book(alice, bob, caplog):
    played(alice, bob, ruleset="classic")
    broken = Score.objects.get(user=alice)
    Score.objects.update(games=[broken.games[0] | {"game": "nowhere"}])
    played(alice, bob)
    assert book.sweep() == 1 and "book of classic" in caplog.text
    assert set(Score.objects.values_list("ruleset", "order")) == {("classic", None), ("legends", 1)}
    assert set(RatedPlayer.objects.values_list("ruleset", flat=True)) == {"legends"}


def test_the_winner_gains_rating_and_the_score_says_how_much(alice, bob):
    played(alice, bob)
    book.sweep()
    winner, loser = Score.objects.order_by("place")
    assert winner.change > 0 > loser.change
    assert RatedPlayer.objects.get(user=winner.user).shown == 1500 + winner.change


@pytest.mark.long
def test_absence_makes_the_next_contest_count_more_and_the_logs_agree(alice, bob):
    played(alice, bob)
    book.sweep()
    Score.objects.update(ended_at=F("ended_at") - timedelta(days=60))
    Game.objects.update(ended_at=F("ended_at") - timedelta(days=60))
    RatedPlayer.objects.update(last_at=Score.objects.first().ended_at)
    SizeRating.objects.update(last_at=Score.objects.first().ended_at)
    played(alice, bob)
    book.sweep()
    first, second = Score.objects.filter(user=alice).order_by("order")
    assert first.after.sigma + 0.1 < second.before.sigma < Rating().sigma and second.before.mu == first.after.mu
    assert recompute("legends", mend=False) == []


@pytest.mark.long
def test_ratings_by_size_follow_only_the_contests_of_that_size(alice, bob):
    played(alice, bob)
    played(alice, bob, person("Carol"))
    book.sweep()
    two, more = SizeRating.objects.filter(user=alice).order_by("-size")
    assert [(rating.size, rating.contests) for rating in (two, more)] == [("two", 1), ("more", 1)]
    assert two.rating == Score.objects.get(user=alice, order=1).after
    last = Score.objects.get(user=alice, order=2)
    assert last.size_before == Rating() != last.before and more.rating == last.size_after != last.after
    SizeRating.objects.filter(user=bob).update(mu=99)
    assert recompute("legends", mend=True) == [f"The rating of player {bob.pk} does not match the logs."] * 2
    assert recompute("legends", mend=False) == []


@pytest.mark.long
def test_a_full_game_counts_more_than_a_single_game(alice, bob):
    play_full(alice, bob)
    book.sweep()
    full = Score.objects.get(user=alice)
    places = [score.place for score in Score.objects.order_by("seat")]
    weights = [score.weight for score in Score.objects.order_by("seat")]
    assert full.after == rate([Rating(), Rating()], places, weights, games=3)[0]
    assert full.after.sigma < rate([Rating(), Rating()], places, weights)[0].sigma


def test_bids_and_traits_are_counted(alice, bob):
    game = played(alice, bob)
    book.sweep()
    assert [score.games[0]["bid"] for score in Score.objects.order_by("seat")] == [0, 1]
    statistics.collect()
    assert Tally.objects.get(kind="bid", value="1").games == 1
    seats = Tally.objects.filter(kind="seat", players=2).order_by("value")
    assert [row.games for row in seats] == [1, 1] and sum(row.wins for row in seats) == WIN
    assert [row.points for row in seats] == [seat.total for seat in seats_of(game)]
    assert Tally.objects.filter(kind="card").exists()
    assert sum(row.games for row in Tally.objects.filter(kind="opening")) == 2
    rows = list(Tally.objects.values_list("kind", "value", "games", "wins"))
    statistics.collect()
    assert sorted(Tally.objects.values_list("kind", "value", "games", "wins")) == sorted(rows)


def test_statistics_leave_out_bots_and_deals_that_are_still_played(alice, bob):
    """The score of a hidden table is written at once, but what was bid there is not."""
    game = played(alice, bob)
    with_bot = lobby.open_table(user=alice, players=3, bots=["random"], listed=True)
    play_out(lobby.join_table(game=with_bot, user=bob))
    book.sweep()
    assert Score.objects.filter(counts=True).count() == 5
    statistics.collect()
    assert set(Tally.objects.values_list("players", flat=True)) == {2}
    Game.objects.filter(pk=game.pk).update(is_withheld=True)
    statistics.collect()
    assert not Tally.objects.exists()


def test_rating_bands_go_by_a_reliable_rating_before_the_match(alice, bob):
    played(alice, bob)
    book.sweep()
    for seat, (mu, sigma) in enumerate([(19.9, 3), (30, 3)]):
        Score.objects.filter(seat=seat).update(mu_before=mu, sigma_before=sigma)
    statistics.collect()
    seats = Tally.objects.filter(kind="seat").values_list("band", "value")
    assert set(seats) == {("", "1"), ("", "2"), ("low", "1"), ("high", "2")}
    assert statistics.band(30, 8) == statistics.band(None, None) == "" and statistics.band(25, 2) == "middle"


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"), [(0, 10, 0, 0.2775), (5, 10, 0.2366, 0.7634), (50, 50, 0.9287, 1)]
)
def test_intervals_are_those_of_wilson(wins, games, low, high):
    assert statistics.wilson(wins / games, games) == pytest.approx((low, high), abs=1e-4)


def test_undone_turns_are_not_counted(alice, bob):
    game = in_turns(alice, bob, rated=False)
    _seat, actions = some_turn(game)
    submit(game, 0, *actions)
    undo_requests.ask(game=again(game), seat=0, expected_seq=again(game).seq)
    undo_requests.agree(game=again(game), seat=1, expected_seq=again(game).seq)
    Game.objects.filter(pk=game.pk).update(rated=True, counts=True)  # at rated tables such a turn can't be undone
    play_out(again(game))
    book.sweep()
    statistics.collect()
    taken = [event["card"] for event in valid_events(game) if event["kind"] == "take"]
    assert sum(row.games for row in Tally.objects.filter(kind="card")) == len(set(taken))


def valid_events(game: Game) -> list[dict]:
    return [event for entry in log.turns_that_count(position.entries(again(game))) for event in entry.events]


@pytest.mark.long
@pytest.mark.parametrize("case", ["unrated", "a guest", "bots alone"])
def test_uncounted_contests_are_in_the_book_and_change_no_rating(alice, bob, case: str):
    if case == "a guest":
        bob.is_guest = True
        bob.save()
    people = [alice] if case == "bots alone" else [alice, bob]
    if case == "bots alone":
        play_out(lobby.play_now(user=alice))
    else:
        played(*people, rated=case != "unrated")
    assert book.sweep() == 1
    assert set(Score.objects.values_list("counts", "order", "mu_after")) == {(False, 1, None)}
    statistics.collect()
    assert not RatedPlayer.objects.exists() and not Tally.objects.exists()


def test_a_guest_who_wins_and_signs_up_before_the_end_is_not_rated(alice, bob):
    bob.is_guest = True
    bob.save()
    game = play_turns(in_turns(alice, bob), 3)
    bob.is_guest = False
    bob.save()
    play_out(game)
    book.sweep()
    assert not again(game).changes_ratings and not Score.objects.filter(counts=True).exists()
    assert not RatedPlayer.objects.exists() and recompute("legends", mend=False) == []


@pytest.mark.long
def test_a_guest_who_signs_in_before_the_end_is_not_rated(alice, bob, carol):
    carol.is_guest = True
    carol.save()
    game = play_turns(in_turns(alice, carol), 3)
    bring_games(guest=carol, user=bob)
    play_out(game)
    book.sweep()
    assert seats_of(game)[1].owner == bob and not Score.objects.get(user=bob).is_rated
    assert not RatedPlayer.objects.exists()


@pytest.mark.long
def test_a_guest_who_signs_up_between_the_games_of_a_full_game_is_not_rated(alice, bob):
    bob.is_guest = True
    bob.save()
    first = play_out(table_of(alice, bob, full=True))
    bob.is_guest = False
    bob.save()
    for number in (2, 3):
        game = play_out(first.full_game.games.get(number=number))
        assert not game.changes_ratings
    assert not Score.objects.filter(counts=True).exists()


@pytest.mark.long
def test_a_player_who_deletes_their_account_before_the_end_is_still_rated(alice, bob):
    played(alice, bob)
    book.sweep()
    before = Score.objects.get(user=bob).after
    game = in_turns(alice, bob)
    number = str(bob.pk)
    delete_account(bob)
    play_out(again(game))
    book.sweep()
    gone = Score.objects.get(who=number, order=2)
    assert gone.user is None
    unchanged(before, gone.before)
    assert RatedPlayer.objects.get().contests == 2 and recompute("legends", mend=False) == []


def test_a_player_who_takes_over_a_seat_is_not_rated_for_it(alice, bob, carol):
    game = in_turns(alice, bob)
    handover.transfer(seat=seats_of(game)[0], to=carol)
    play_out(again(game))
    book.sweep()
    score = Score.objects.get(seat=0)
    assert (score.user, score.who, score.is_rated) == (alice, str(alice.pk), True)
    assert set(RatedPlayer.objects.values_list("user", flat=True)) == {alice.pk, bob.pk}
    assert recompute("legends", mend=False) == []


@pytest.mark.long
def test_recomputed_ratings_count_the_contests_that_were_rated_at_the_start(alice, bob):
    played(alice, bob)
    played(bob, alice, rated=False)
    book.sweep()
    before = figures()
    Score.objects.filter(order=1).update(counts=False)
    Score.objects.filter(order=2).update(counts=True, who="")
    assert recompute("legends", mend=True) != []
    assert list(Score.objects.order_by("order", "seat").values_list("counts", flat=True)) == [True, True, False, False]
    assert figures() == before and recompute("legends", mend=False) == []


def test_a_bot_among_people_is_also_rated(alice, bob):
    play_out(three_with_a_bot(alice, bob))
    book.sweep()
    assert RatedPlayer.objects.get(bot="random").contests == 1
    assert Score.objects.get(bot="random").user is None


def test_a_bot_under_its_former_name_has_the_rating_of_the_level(alice, bob):
    play_out(three_with_a_bot(alice, bob, "greedy"))
    book.sweep()
    assert list(RatedPlayer.objects.exclude(bot="").values_list("bot", flat=True)) == ["medium"]


def three_with_a_bot(alice, bob, bot: str = "random") -> Game:
    game = lobby.open_table(user=alice, players=3, bots=[bot], listed=True)
    return lobby.join_table(game=game, user=bob)


def test_a_player_who_resigned_ranks_last_for_the_rating(alice, bob):
    game = in_turns(alice, bob)
    play_out(game)
    first = seats_of(game)[0]
    Score.objects.filter(game=game).delete()
    Seat.objects.filter(game=game).update(place=1)
    Seat.objects.filter(pk=first.pk).update(has_given_up=True)
    scores.write(games=[Game.objects.get(pk=game.pk)], full=None)
    book.sweep()
    gave_up, other = Score.objects.order_by("seat")
    assert gave_up.gave_up and gave_up.change < 0 < other.change and gave_up.place == other.place == 1


def test_s12_a_player_who_leaves_a_quarter_of_the_turns_to_a_bot_ranks_last_for_the_rating(alice, bob):
    game = play_turns(in_turns(alice, bob), 2)
    handover.hand_to_bot(seat=seats_of(game)[0], user=alice)
    while again(game).is_running:
        if not bots.sweep_bots():
            play_turns(game, 1)
    book.sweep()
    left, other = Score.objects.filter(game=game).order_by("seat")
    assert (left.place, other.place) == (1, 2)  # the bot has won
    assert left.gave_up and not other.gave_up and left.change < 0 < other.change
    assert recompute("legends", mend=False) == []
    Score.objects.filter(pk=left.pk).update(gave_up=False)
    assert recompute("legends", mend=True) != [] and recompute("legends", mend=False) == []
    assert Score.objects.get(pk=left.pk).gave_up


def test_s12_turns_count_until_the_seat_is_given_away_or_the_time_is_up():
    def entries(*decided: tuple[int | None, str]) -> list[log.Entry]:
        return [log.Entry(n, "", seat, (), (), by) for n, (seat, by) in enumerate(decided)]

    def stop(intervention: staff.Intervention) -> log.Entry:
        return log.Entry(0, "", None, (), log.stored([intervention]))

    own, late, stand_in, orders = (0, "seat"), (0, "clock"), (0, "stand-in"), (0, "orders")
    others = (1, "seat")
    assert scores.deserted_seats(entries((None, "seat"), *[own, others] * 10, late, stand_in, late)) == set()
    assert scores.deserted_seats(entries(*[own, others] * 9, late, stand_in, late)) == {0}
    assert scores.deserted_seats(entries(*[own, orders] * 5, (0, "late"), *[stand_in] * 2)) == set()
    assert scores.deserted_seats([*entries(own), stop(staff.LeftToBots("Time.")), *entries(*[stand_in] * 9)]) == set()
    replaced = stop(staff.Replaced(0, staff.PERSON, "Ill."))
    assert scores.deserted_seats([*entries(*[own] * 3), replaced, *entries(*[late] * 9)]) == set()
    assert scores.deserted_seats([*entries(*[own] * 3, late), replaced, *entries(*[own] * 9)]) == {0}


@pytest.mark.parametrize(
    ("stood", "ended", "counts"),
    [
        ([2, 1], [1, 2], [2, 1]),  # the bots have turned the game around
        ([1, 2], [2, 1], [2, 1]),
        ([1, 1], [1, 2], [1, 1]),
        ([2, 1, 3], [1, 2, 3], [2, 1, 3]),
        ([3, 1, 2], [1, 3, 2], [3, 2, 1]),
    ],
)
def test_l33_a_player_who_let_the_time_run_out_gets_the_worse_of_two_results(stood, ended, counts):
    contest = [Score(seat=seat, place=place) for seat, place in enumerate(ended)]
    assert book.places(contest) == book.places_in_match(contest) == ended
    contest[0].kept_waiting = {"game": 0, "seq": 9, "places": stood}
    assert book.places(contest) == book.places_in_match(contest) == counts


@pytest.mark.parametrize(("stood", "counts"), [([2, 1], [1, 1]), ([1, 1], [1, 1]), ([1, 2], [1, 2])])
def test_l33_a_player_who_left_ties_for_the_rating_with_one_who_kept_them_waiting_and_was_not_ahead(stood, counts):
    contest = [Score(seat=0, place=2), Score(seat=1, place=1, gave_up=True)]
    assert book.places(contest) == book.places_in_match(contest) == [1, 2]
    contest[0].kept_waiting = {"game": 0, "seq": 9, "places": stood}
    assert book.places(contest) == counts and book.places_in_match(contest) == [1, 2]


def test_l33_nobody_keeps_the_others_waiting_in_a_live_game(alice, bob):
    game = in_turns(alice, bob)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for turn in range(7):
            clock.shift(timedelta(minutes=1 if turn % 2 else 10))
            play_turns(game, 1)
        handover.hand_to_bot(seat=seats_of(game)[1], user=bob)
        while again(game).is_running:
            if not bots.sweep_bots():
                clock.shift(timedelta(minutes=10))
                play_turns(game, 1)
    book.sweep()
    alices, bobs = Score.objects.order_by("seat")
    assert bobs.gave_up and alices.kept_waiting is None and bobs.change < 0 < alices.change


@pytest.mark.parametrize("hours", [40, 4])
def test_l33_whether_the_others_had_waited_is_known_when_a_player_leaves_a_game_to_a_bot(alice, bob, hours):
    game = in_turns(alice, bob)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for turn in range(7):
            clock.shift(timedelta(hours=4 if turn % 2 else hours))
            play_turns(game, 1)
        clock.shift(timedelta(hours=200))  # this wait is for Bob, until he leaves
        stood = [line.place for line in game.rules.score(state_of(again(game))).seats]
        handover.hand_to_bot(seat=seats_of(game)[1], user=bob)
        while again(game).is_running:
            if not bots.sweep_bots():
                clock.shift(timedelta(hours=hours))
                play_turns(game, 1)
    book.sweep()
    slow, left = Score.objects.order_by("seat")
    assert left.gave_up and not slow.gave_up and left.kept_waiting is None
    assert slow.kept_waiting is None if hours == 4 else slow.kept_waiting["places"] == stood
    assert recompute("legends", mend=False) == []


@pytest.mark.postgresql
def test_everything_can_be_recomputed_exactly_from_the_logs(alice, bob):
    play_full(alice, bob)
    carol = person("Carol")
    played(alice, bob, carol)
    played(bob, carol)
    book.sweep()
    before = figures()
    assert recompute("legends", mend=False) == []
    Score.objects.filter(order=1).update(mu_after=99)
    RatedPlayer.objects.filter(user=bob).update(mu=99, contests=7)
    other = Score.objects.filter(order=2).first()
    other.games[0]["traits"]["bid"] = ["9"]
    other.save()
    differences = recompute("legends", mend=False)
    assert figures() != before
    assert recompute("legends", mend=True) == differences and len(differences) >= 3
    assert figures() == before and recompute("legends", mend=False) == []


def repeated(game: Game, times: int, *, listed: bool, every: timedelta = timedelta(seconds=1)) -> list[Score]:
    """Store copies of a game as if the same people had played it again. Return the scores of seat 0 in order."""
    kept = list(Score.objects.filter(game=game).order_by("seat"))
    for n in range(1, times):
        copy = Game.objects.get(pk=game.pk)
        copy.pk, copy.public_id, copy.invite_token, copy.listed = None, new_public_id(), new_token(), listed
        copy.save(force_insert=True)
        Seat.objects.bulk_create(Seat(game=copy, number=score.seat, name=score.name, who=score.who) for score in kept)
        for score in kept:
            new = Score.objects.get(pk=score.pk)
            new.pk, new.game, new.listed, new.ended_at = None, copy, listed, score.ended_at + n * every
            new.save(force_insert=True)
    Score.objects.filter(game=game).update(listed=listed)
    book.sweep()
    return list(Score.objects.filter(seat=0).order_by("order"))


@pytest.mark.sampled
@pytest.mark.parametrize(("listed", "most"), [(False, 60), (True, 130)])
def test_eight_games_of_the_same_two_players_move_ratings_little(alice, bob, listed: bool, most: int):
    counted = repeated(played(alice, bob), 8, listed=listed)
    assert [score.weight for score in counted] == [weight(met, listed=listed) for met in range(8)]
    assert 0 < max(RatedPlayer.objects.values_list("shown", flat=True)) - 1500 < most
    assert recompute("legends", mend=False) == []


def test_contests_more_than_a_month_ago_do_not_make_repeats(alice, bob):
    counted = repeated(played(alice, bob), 3, listed=True, every=timedelta(days=16))
    assert [score.weight for score in counted] == [1, weight(1, listed=True), weight(1, listed=True)]


@pytest.mark.long
def test_at_a_larger_table_the_weight_is_the_mean_over_the_opponents(alice, bob):
    played(alice, bob)
    carol = person("Carol")
    played(alice, bob, carol)
    book.sweep()
    met = weight(1, listed=True)
    kept = dict(Score.objects.filter(order=2).values_list("name", "weight"))
    assert kept == {"Alice": (met + 1) / 2, "Bob": (met + 1) / 2, "Carol": 1}
    assert recompute("legends", mend=False) == []


@pytest.mark.long
def test_games_with_other_players_and_unrated_games_do_not_make_repeats(alice, bob, carol):
    played(alice, bob, rated=False)
    played(alice, carol)
    played(alice, bob)
    book.sweep()
    assert set(Score.objects.values_list("weight", flat=True)) == {1}


def test_staff_find_contests_that_were_short_resigned_or_repeated(alice, bob, request):
    repeated(played(alice, bob), 4, listed=False)
    admin_client = request.getfixturevalue("admin_client")
    Score.objects.filter(order=2, seat=0).update(gave_up=True)
    Game.objects.filter(scores__order=3).update(ended_at=timezone.now() + timedelta(days=1))
    Score.objects.filter(order=4).update(counts=False)

    def watched(kind: str) -> list[int]:
        page = admin_client.get("/admin/contests/score/", {"watch": kind})
        return sorted({score.order for score in page.context["cl"].queryset})

    assert (watched("short"), watched("resigned"), watched("repeated")) == ([1, 2], [2], [2, 3])


def test_the_ratings_page_says_how_much_repeats_count(client, db):
    page = client.get("/ratings/legends/").content.decode()
    assert "100, 67, 48, 36, 28 percent" in page and "62, 21, 10, 6, 4 percent" in page


@pytest.mark.long
def test_a_contest_that_ends_during_a_recomputation_is_included(alice, bob):
    played(alice, bob)
    book.sweep()
    recomputed = Recomputed()
    read_on("legends", recomputed)
    played(bob, alice)
    book.sweep()
    before = figures()
    assert compare("legends", recomputed, mend=True) == [] and recomputed.last == 2
    assert figures() == before and RatedPlayer.objects.get(user=alice).contests == 2


def test_the_command_reports_differences(alice, bob, capsys):
    played(alice, bob)
    book.sweep()
    call_command("ratings", "legends")
    RatedPlayer.objects.filter(user=alice).update(mu=99)
    with pytest.raises(CommandError, match="Some rows differ from the logs"):
        call_command("ratings", "legends")
    call_command("ratings", "--mend")
    call_command("ratings")
    with pytest.raises(CommandError, match="There is no ruleset chess"):
        call_command("ratings", "chess")


@pytest.mark.long
@pytest.mark.postgresql
def test_deleting_an_account_keeps_the_scores_of_its_opponents(alice, bob):
    played(alice, bob)
    carol = person("Carol")
    book.sweep()
    delete_account(bob)
    assert Score.objects.get(user=None).name == "Former player"
    assert RatedPlayer.objects.get().user == alice
    played(alice, carol)
    book.sweep()
    assert recompute("legends", mend=False) == []


@pytest.mark.long
def test_an_account_deleted_before_its_game_is_in_the_book_is_still_rated(alice, bob):
    played(alice, bob)
    book.sweep()
    before = Score.objects.get(user=bob).after
    played(alice, bob)
    delete_account(bob)
    book.sweep()
    unchanged(before, Score.objects.get(user=None, order=2).before)
    assert recompute("legends", mend=False) == []


def test_scores_use_the_current_name_and_move_from_a_guest_to_their_account(alice, bob, carol):
    carol.is_guest = True
    carol.save()
    played(alice, carol)
    bring_games(guest=carol, user=bob)
    assert Score.objects.get(user=bob).name == "Bob"
    bob.username = "Robert"
    bob.save()
    for hook in hooks.renamed:
        hook(bob)
    assert Score.objects.get(user=bob).name == "Robert"
