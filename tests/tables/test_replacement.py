"""Replacing players for good: people are asked first, hidden cards stay hidden, and those who left are still rated."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import personal
from accounts.models import User
from games.contests.models import Score
from games.contests.ratings import book, recompute
from games.errors import GameError, NotYours, Over
from games.home.desk import desk
from games.notices.models import Notice
from games.tables.models import Block, Game, Replacement, Seat
from games.tables.selectors import live
from games.tables.services import handover, places, records, replacement, timeouts
from games.tables.services import interventions as intervene
from tests.cast import again, everything_written, in_turns, person, play_out, play_turns, seats_of, state_of, table_of
from tests.contests.ladders import goes_on_vacation
from tests.kept import copied
from tests.tables.interventions import end, give, going_on, refusal, replace, take_over, void
from tests.tables.kingdoms import kingdoms

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def game(monday, alice, bob) -> Game:
    return going_on(alice, bob)


def request_to(user: User) -> Replacement:
    return Replacement.objects.get(user=user, answer="asked")


def accept(user: User) -> Game:
    return intervene.accept(pk=request_to(user).pk, user=user)


# A person is asked


def test_the_seat_stays_the_same_until_the_newcomer_accepts(game, alice, carol):
    before = everything_written(game)
    replace(game, 0, "Carol")
    assert everything_written(game) == before
    assert [notice.title for notice in Notice.objects.filter(user=carol)] == ["Will you take over for Alice?"]
    assert [request.user for request in desk(user=carol).replacements] == [carol]
    play_turns(game, 1)
    accept(carol)
    assert seats_of(game)[0].owner == carol and desk(user=carol).replacements == []


def test_asking_twice_counts_once_and_asking_someone_else_withdraws_the_first_request(game, carol, dan):
    replace(game, 0, "Carol")
    replace(game, 0, "Carol")
    assert Replacement.objects.count() == 1
    first = request_to(carol)
    replace(game, 0, "Dan")
    with pytest.raises(Over, match="You have already answered, or the request was withdrawn"):
        intervene.accept(pk=first.pk, user=carol)
    accept(dan)
    assert seats_of(game)[0].owner == dan


def test_declining_is_final_and_only_the_person_who_is_asked_can_answer(game, alice, carol, eve):
    replace(game, 0, "Carol")
    handover.withdraw(seat=seats_of(game)[0], user=alice)
    assert Replacement.objects.get().answer == "asked"
    for action in (replacement.decline, intervene.accept):
        with pytest.raises(NotYours):
            action(pk=request_to(carol).pk, user=eve)
    question = request_to(carol)
    for _tap in range(2):
        replacement.decline(pk=question.pk, user=carol)
    assert seats_of(game)[0].owner == alice
    assert refusal(replace, game, 0, "Carol") == "Carol has already declined. Ask someone else."


def test_the_newcomer_has_a_full_turn_and_is_notified_of_it(game, monday, carol):
    monday.shift(23 * HOUR)
    take_over(game, 0, carol)
    seat = seats_of(game)[0]
    assert (seat.deadline, seat.bank) == (timezone.now() + 24 * HOUR, 24 * HOUR)
    assert Notice.objects.filter(kind="turn", user=carol, seq=again(game).seq).exists()
    play_turns(game, 2)
    assert Notice.objects.filter(kind="turn", user=carol, seq=again(game).seq).exists()


def test_turns_of_a_newcomer_do_not_count_for_their_reliability(game, carol, bob):
    take_over(game, 0, carol)
    play_turns(game, 2)
    carol.refresh_from_db()
    bob.refresh_from_db()
    assert carol.punctuality == "" and bob.punctuality.endswith("1")


def test_a_late_turn_of_a_newcomer_does_not_count_either(monday, game, carol):
    take_over(game, 0, carol)
    monday.move_to(seats_of(game)[0].deadline)
    assert timeouts.sweep_overdue(timezone.now()) == 1
    carol.refresh_from_db()
    assert carol.punctuality == ""


def test_a_newcomer_starts_without_the_time_outs_of_the_player_before(game, carol):
    Seat.objects.filter(game=game, number=0).update(time_outs=1)
    take_over(game, 0, carol)
    assert seats_of(game)[0].time_outs == 0


def test_people_on_vacation_or_with_a_block_cannot_be_asked(game, alice, bob, carol, dan):
    goes_on_vacation(carol, 5)
    assert refusal(replace, game, 0, "Carol") == "Carol is away. Ask someone else."
    block = Block.objects.create(user=dan, blocked=bob)
    assert refusal(replace, game, 0, "Dan") == "Dan can’t play here. Ask someone else."
    block.delete()
    Block.objects.create(user=bob, blocked=dan)
    assert refusal(replace, game, 0, "Dan") == "Dan can’t play here. Ask someone else."
    Block.objects.all().delete()
    chief = User.objects.get(username="Harbourmaster")
    for pair in ({"user": dan, "blocked": chief}, {"user": chief, "blocked": dan}):
        block = Block.objects.create(**pair)
        sentence = "You can’t ask Dan yourself. Let another member of staff do it, or ask someone else."
        assert refusal(replace, game, 0, "Dan") == sentence
        block.delete()


def test_a_request_ends_as_if_withdrawn_if_there_is_a_block_by_now(game, bob, carol):
    replace(game, 0, "Carol")
    Block.objects.create(user=bob, blocked=carol)
    pk = request_to(carol).pk
    for _time in range(2):
        with pytest.raises(Over, match="already answered, or the request was withdrawn"):
            intervene.accept(pk=pk, user=carol)
    assert Replacement.objects.get().answer == "withdrawn"


def test_a_seat_can_be_given_to_another_person_three_times(game, alice, carol, dan, eve):
    for newcomer in (carol, dan, eve):
        take_over(game, 0, newcomer)
    sentence = "This seat has been given to another player three times. Only a bot can take it over now."
    assert refusal(replace, game, 0, "Alice") == sentence


def test_nobody_can_take_over_a_seat_after_the_game(game, carol):
    replace(game, 0, "Carol")
    end(game)
    with pytest.raises(Over):
        accept(carol)
    assert desk(user=carol).replacements == []


@pytest.mark.long
def test_staff_can_ask_the_same_person_three_times_a_day(monday, alice, bob, carol):
    for _game in range(3):
        replace(going_on(alice, bob), 0, "Carol")
    sentence = "You have asked Carol three times today. Ask someone else, or wait until tomorrow."
    assert refusal(replace, going_on(alice, bob), 0, "Carol") == sentence
    monday.shift(24 * HOUR)
    replace(going_on(alice, bob), 0, "Carol")


def test_one_account_can_ask_only_so_many_people_a_day(game, monday, carol, dan, eve, monkeypatch):
    monkeypatch.setattr(replacement, "MOST_A_DAY", 2)
    for name in ("Carol", "Dan"):
        replace(game, 0, name)
    sentence = "You have asked 2 players in one day to take over. Ask again tomorrow."
    assert refusal(replace, game, 0, "Eve") == sentence and request_to(dan)
    monday.shift(24 * HOUR)
    replace(game, 0, "Eve")


# Hidden cards


def test_h8_only_a_bot_can_take_over_a_seat_with_hidden_cards(monday, alice, bob, carol, dan):
    game = kingdoms(alice, bob, carol)
    assert (
        refusal(replace, game, 0, "Dan")
        == "The player of this seat has seen hidden cards, so only a bot can take it over."
    )
    replace(game, 0)
    assert seats_of(game)[0].bot == "medium"


def test_secrets_shown_after_the_request_count_when_it_is_accepted(game, carol):
    replace(game, 0, "Carol")
    Game.objects.filter(pk=game.pk).update(sealed=True)
    with pytest.raises(GameError, match="Players are making secret decisions"):
        accept(carol)


# Staff who play


@pytest.mark.parametrize("action", [replace, give, end, void])
def test_h9_staff_do_not_intervene_where_they_play_or_have_played(monday, alice, bob, carol, action):
    chief = person("Harbourmaster", is_staff=True)
    sentence = "You play in this game or competition. Ask another member of staff."
    assert refusal(action, going_on(alice, chief)) == sentence
    later = going_on(alice, bob)
    handover.ask(seat=seats_of(later)[0], user=alice, name="Harbourmaster")
    handover.accept(seat=seats_of(later)[0], user=chief)
    handover.come_back(seat=seats_of(later)[0], user=alice)
    assert refusal(action, later) == sentence


@pytest.mark.parametrize("name", ["Alice", "Bob"])
@pytest.mark.parametrize("full", [False, True])
def test_a_replaced_player_no_longer_sees_a_private_game_even_if_they_opened_it(alice, bob, carol, client, name, full):
    game = in_turns(alice, bob, full=full, listed=False)
    replaced, seat = User.objects.get(username=name), ["Alice", "Bob"].index(name)
    assert game.opener == alice
    client.force_login(replaced)
    url = game.get_absolute_url()
    assert client.get(url).status_code == 200 and replaced.pk in live.followers(game.public_id)
    take_over(game, seat, carol)
    assert carol.pk in live.followers(game.public_id) and replaced.pk not in live.followers(game.public_id)
    play_out(game)
    games = Game.objects.filter(full_game=game.full_game) if full else [game]
    assert len(games) == 1 + full
    for later in games:
        url = later.get_absolute_url()
        for page in ("", "?at=0", "record.json", "view.json", "chat/", "verify/", "review/", "board/last.svg"):
            assert client.get(url + page).status_code == 404, page
        assert live.followers(later.public_id) == {carol.pk, (alice, bob)[1 - seat].pk}
    archive = {file: json.loads(content) for file, content in personal.files(replaced) if file.endswith("Game.json")}
    assert "result" not in str(archive)
    # Nor do blocks of someone who is not at the table keep others from it
    Block.objects.create(user=replaced, blocked=person("Frank"))
    assert not places.is_blocked(User.objects.get(username="Frank"), by=places.people_at(again(game)))


def test_staff_cannot_make_themselves_the_replacement(game):
    person("Harbourmaster", is_staff=True)
    assert refusal(replace, game, 0, "Harbourmaster") == "You can’t ask yourself. Enter another player’s name."


# Ratings of the people who began


def leader(game: Game) -> int:
    """Return the only seat in first place."""
    sheet = game.rules.score(state_of(game))
    (ahead,) = [seat.seat for seat in sheet.seats if seat.place == 1]
    return ahead


def with_leader(*people: User) -> tuple[Game, int]:
    """Return a game with one seat in first place, and that seat."""

    def play() -> Game:
        game = play_turns(in_turns(*people), len(people))
        while len({seat.place for seat in game.rules.score(state_of(game)).seats}) == 1:
            play_turns(game, 1)
        return game

    game = copied("with leader", people, play=play)
    return game, leader(game)


@pytest.mark.long
def test_a_leader_who_is_replaced_is_rated_as_the_leader(alice, bob, carol):
    game, ahead = with_leader(alice, bob)
    winner, other = [alice, bob][ahead], [alice, bob][1 - ahead]
    take_over(game, ahead, carol)
    handover.resign(seat=seats_of(game)[ahead], user=carol)
    played = play_out(game)
    book.book("legends")
    scores = {score.user: score for score in Score.objects.filter(game=played)}
    assert set(scores) == {alice, bob} and not any(score.gave_up for score in scores.values())
    assert scores[winner].change > 0 > scores[other].change
    assert not carol.ratings.exists() and scores[winner].name == winner.username
    assert recompute.recompute("legends", mend=False) == [] and records.verify(game=played) == []


def test_a_player_who_is_behind_when_a_bot_takes_over_is_rated_as_behind(alice, bob):
    game, ahead = with_leader(alice, bob)
    winner, loser = [alice, bob][ahead], [alice, bob][1 - ahead]
    replace(game, 1 - ahead)
    played = play_out(game)
    book.book("legends")
    assert Score.objects.get(game=played, user=winner).change > 0 > Score.objects.get(game=played, user=loser).change


def test_players_who_resigned_before_they_were_replaced_rank_last(alice, bob, carol):
    game, ahead = with_leader(alice, bob)
    winner = [alice, bob][ahead]
    handover.resign(seat=seats_of(game)[ahead], user=winner)
    take_over(game, ahead, carol)
    played = play_out(game)
    book.book("legends")
    score = Score.objects.get(game=played, user=winner)
    assert score.gave_up and score.change < 0


@pytest.mark.long
def test_a_replacement_in_a_full_game_rates_the_first_owner_by_the_sum_so_far(alice, bob, carol):
    first = play_out(table_of(alice, bob, full=True))
    game = play_turns(Game.objects.get(full_game=first.full_game_id, number=2), 5)
    take_over(game, 0, carol)
    play_out(game)
    last = play_out(Game.objects.get(full_game=first.full_game_id, number=3))
    assert [seat.first_owner for seat in seats_of(last)] == [alice, bob]
    assert [seat.owner for seat in Seat.objects.filter(game=last).order_by("number")] == [carol, bob]
    book.book("legends")
    score = Score.objects.get(game=last, user=alice)
    assert score.stood["game"] == 1 and sorted(score.stood["places"]) in ([1, 1], [1, 2])
    assert recompute.recompute("legends", mend=False) == []


def place(seat: int, place: int, stood: dict | None = None, *, gave_up: bool = False) -> Score:
    return Score(seat=seat, place=place, stood=stood, gave_up=gave_up)


def test_each_pair_is_compared_when_the_first_of_them_left_or_at_the_end():
    left = {"game": 0, "seq": 5, "places": [1, 2, 3]}
    assert book.places([place(0, 3, left), place(1, 1), place(2, 2)]) == [1, 2, 3]
    assert book.places([place(0, 1), place(1, 2, {"game": 0, "seq": 5, "places": [1, 1, 3]}), place(2, 3)]) == [1, 1, 3]
    assert book.places([place(0, 3, left), place(1, 1, gave_up=True), place(2, 2)]) == [1, 3, 2]
    assert book.places([place(0, 1, gave_up=True), place(1, 2)]) == [2, 1]
    assert book.places([place(0, 1, gave_up=True), place(1, 3), place(2, 2, gave_up=True)]) == [2, 1, 3]
    later = {"game": 1, "seq": 2, "places": [3, 2, 1]}
    assert book.places([place(0, 3, left), place(1, 1), place(2, 2, later)]) == [1, 3, 2]
