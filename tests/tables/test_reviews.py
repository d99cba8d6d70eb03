"""Reviews of finished games: who may ask, when they are refused, the queue, the email and the pages."""

import re
from datetime import timedelta
from html import unescape
from math import isfinite
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import urlencode

from accounts.models import User
from games.bots import review as engine
from games.bots import search
from games.bots.registry import BOTS
from games.notices.models import Notice
from games.rules.registry import get
from games.staff import oversight
from games.tables.models import (
    Draft,
    Game,
    GameLuck,
    GameReview,
    Message,
    Report,
    ReviewRequest,
    ReviewState,
    Seat,
    SeatReview,
    Status,
)
from games.tables.pages.result import balance_words, signed
from games.tables.selectors import position
from games.tables.selectors import reviews as selector
from games.tables.services import chat, handover, lobby, reviews
from tests.cast import again, in_turns, person, play_out, play_turn, play_turns, seats_of, table_of, with_snapshot

DOUBT = "\u00a0±\u00a0"  # no line breaks there


def doubt(error: float, digits: int) -> str:
    """Return the standard error as pages append it to a number."""
    return f"{DOUBT}{error:.{digits}f}" if round(error, digits) else ""


pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quick_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play on few times and look for better turns among few, which makes the engine weak and quick."""
    monkeypatch.setattr(engine, "SAMPLES", 2)
    monkeypatch.setattr(engine, "LUCK_SAMPLES", dict.fromkeys(engine.LUCK_SAMPLES, 2))
    monkeypatch.setattr(engine, "BUDGET", 10)
    monkeypatch.setattr(engine, "MOST_ENDINGS", 30)
    monkeypatch.setattr(search, "POSITIONS", 5)
    monkeypatch.setattr(search, "MOST_CANDIDATES", 3)


def reader(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def url(game: Game) -> str:
    return reverse("review", args=[game.public_id])


@pytest.fixture
def finished(alice: User, bob: User) -> Game:
    return play_out(table_of(alice, bob))


def test_a_player_asks_is_notified_and_reads_the_review(finished: Game, alice: User, bob: User) -> None:
    page = reader(alice).get(url(finished))
    assert "Review this game" in page.content.decode()
    answer = reader(alice).post(url(finished), follow=True)
    assert "notify you" in answer.content.decode()
    row = GameReview.objects.get()
    assert row.state == ReviewState.WAITING and "Review this game" not in answer.content.decode()
    # The page that waits asks again, and loads itself again when the review is there
    poll = reader(alice).get(url(finished), headers={"HX-Request": "true"})
    assert poll.status_code == 204
    # A second person asks while it waits; the engine works once
    reader(bob).post(url(finished))
    assert ReviewRequest.objects.filter(review=row).count() == 2
    assert reviews.work(row.pk, timezone.now())
    assert not reviews.work(row.pk, timezone.now())
    assert reader(alice).get(url(finished), headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    assert sorted(Notice.objects.filter(kind="review").values_list("user__username", flat=True)) == ["Alice", "Bob"]
    # The page has the result of both, the charts and the table; each turn has its own page
    words = reader(alice).get(url(finished)).content.decode()
    assert "Alice" in words and "luck" in words and words.count('class="race"') == 3 and "accuracy" in words
    review = reviews.content(GameReview.objects.get())
    assert review is not None
    for turn in review.turns[:3]:
        there = reader(alice).get(reverse("review_turn", args=[finished.public_id, turn.seq]))
        assert there.status_code == 200
    # The doubt of luck and play, of each loss, and winning chances are shown as they were found
    for side in review.sides:
        play = f"play {signed(side.play)}{doubt(side.play_doubt, 1)}"
        assert f"luck {signed(side.luck)}{doubt(side.luck_doubt, 1)}, {play}" in words
    for turn, before in zip(review.turns, review.expectations, strict=False):
        assert not turn.better or f"{turn.loss:.1f}{doubt(turn.loss_doubt, 1)}" in words
        assert all(f"{100 * chance:.0f}%" in words for chance in before.chances)
    lost = next(turn for turn in review.turns if turn.better and not turn.misses_win and not turn.wins)
    shown = reader(alice).get(reverse("review_turn", args=[finished.public_id, lost.seq])).content.decode()
    missed = f"{100 * lost.chance_loss:.0f}{doubt(100 * lost.chance_doubt, 0)} percentage points of winning chance"
    assert f"cost {lost.loss:.1f}{doubt(lost.loss_doubt, 1)} points and {missed}" in shown
    assert ("within the margin of error" in shown) != lost.is_clear
    better = next(turn for turn in review.turns if turn.better)
    drawn = reader(alice).get(reverse("review_picture", args=[finished.public_id, better.seq, "dark"]))
    assert drawn["Content-Type"] == "image/jpeg" and drawn.content.startswith(b"\xff\xd8")
    # The result page has the same luck
    words = reader(alice).get(finished.get_absolute_url()).content.decode()
    assert all(f"luck {signed(side.luck)}{doubt(side.luck_doubt, 1)}" in words for side in review.sides)
    # A turn of a bot that stood in is marked
    data = msgspec.to_builtins(review)
    data["turns"][0]["by"] = "clock"
    # and luck that decided tells what was drawn
    sure = {**data["luck"][0], "chances": [0.9, -0.9], "chance_doubts": [0.01, 0.01]}
    data["luck"] = [sure, *data["luck"][1:]]
    GameReview.objects.update(data=data)
    words = reader(alice).get(url(finished)).content.decode()
    assert "A bot took this turn." in words
    gave = r"\+90 percentage points of winning chance for Alice\."
    assert re.search(rf"{gave}.*?<p>New in the row: [^<]*\.</p>", words, re.DOTALL)
    # What it says of each player is kept for their page
    assert {seat_review.user for seat_review in SeatReview.objects.all()} == {alice, bob}
    assert all(0 <= seat_review.accuracy <= 100 and seat_review.turns > 0 for seat_review in SeatReview.objects.all())


def test_a_review_of_kingdoms_uses_winning_chances(alice: User, bob: User) -> None:
    game = play_out(table_of(alice, bob, ruleset="kingdoms", options={"mode": "quickplay"}))
    row = reviews.ask(public_id=game.public_id, user=alice)
    assert reviews.work(row.pk, timezone.now())
    review = reviews.content(GameReview.objects.get(pk=row.pk))
    assert review is not None
    words = reader(alice).get(url(game)).content.decode()
    assert "in percentage points of winning chance" in words and "Points lost" not in words
    assert words.count('class="race"') == 2
    winners = {seat.number for seat in seats_of(game) if seat.place == 1}
    for seat, side in enumerate(review.sides):
        assert side.result == (100 / len(winners) if seat in winners else 0)
        luck, play = signed(side.luck, by_points=False), signed(side.play, by_points=False)
        assert f"luck {luck}{doubt(side.luck_doubt, 0)}, play {play}{doubt(side.play_doubt, 0)}, start" in words
    data = msgspec.to_builtins(review)  # as if a turn like the one played were better by 9%
    seq = review.turns[0].seq
    first, *others = data["turns"]
    data["turns"] = [
        {**first, "better": first["actions"], "chance_loss": 0.09, "chance_doubt": 0.02, "best_wins": False},
        *others,
    ]
    GameReview.objects.update(data=data)
    shown = reader(alice).get(reverse("review_turn", args=[game.public_id, seq])).content.decode()
    assert f"This turn cost 9{DOUBT}2 percentage points of winning chance." in shown
    assert not re.search(r"\d points", shown)
    drawn = reader(alice).get(reverse("review_picture", args=[game.public_id, seq, "light"]))
    assert drawn.content.startswith(b"\xff\xd8")
    # As if a card that was drawn had changed most, and no turn anything
    reviewed = {turn.seq for turn in review.turns}
    draws = [entry.seq for entry in position.entries(game) if entry.actions[-1:] == ("draw",) and entry.seq in reviewed]
    for change in data["luck"]:
        change["chances"] = [0.9, -0.9] if change["seq"] == draws[0] else [0, 0]
        change["chance_doubts"] = [0, 0]
    data["turns"] = [{**turn, "chance_loss": 0, "best_wins": False} for turn in data["turns"]]
    GameReview.objects.update(data=data)
    shown = reader(alice).get(url(game)).content.decode()
    assert f"Luck after move {draws[0]}" in shown and "Nothing was drawn" not in shown


def test_a_running_game_is_not_reviewed(alice: User, bob: User) -> None:
    game = play_turns(in_turns(alice, bob), 3)
    for reading in (alice, bob):
        answer = reader(reading).post(url(game))
        assert answer.status_code == 409 and "when it is over" in answer.content.decode()
        assert "Review this game" not in reader(reading).get(url(game)).content.decode()
    assert not GameReview.objects.exists()
    # Even a review that exists is not shown or worked out, for example after a restored backup
    row = GameReview.objects.create(game=game, engine=engine.ENGINE, asked_at=timezone.now())
    assert not reviews.work(row.pk, timezone.now())
    row.refresh_from_db()
    assert row.data is None


@pytest.mark.parametrize("how", ["copy", "withheld", "origin"])
def test_a_game_is_not_reviewed_while_someone_plays_the_same_deal(finished: Game, alice: User, how: str) -> None:
    """A table of a duplicate, or a copy of a game that still runs."""
    other = play_turns(in_turns(person("Carol2"), person("Dan2")), 1)
    if how == "copy":
        Game.objects.filter(pk=other.pk).update(seed_hash=finished.seed_hash)
    elif how == "origin":
        Game.objects.filter(pk=finished.pk).update(imported=True, origin=other.public_id)
    else:
        Game.objects.filter(pk=finished.pk).update(is_withheld=True)
    answer = reader(alice).post(url(finished))
    assert answer.status_code == 409 and "same deal" in answer.content.decode()
    assert not GameReview.objects.exists()
    # When the last one has ended, it can be reviewed
    Game.objects.filter(pk=other.pk).update(status=Status.FINISHED)
    Game.objects.filter(pk=finished.pk).update(is_withheld=False)
    assert reader(alice).post(url(finished)).status_code == 302


def test_a_game_of_a_full_game_is_reviewed_while_the_next_one_runs(alice: User, bob: User) -> None:
    first = play_out(table_of(alice, bob, full=True))
    following = Game.objects.get(full_game=first.full_game, number=2)
    assert following.is_running
    assert reviews.ask(public_id=first.public_id, user=alice).state == ReviewState.WAITING
    assert reader(alice).post(url(following)).status_code == 409


def test_only_those_who_may_see_a_game_can_ask_for_its_review(finished: Game, eve: User) -> None:
    Game.objects.filter(pk=finished.pk).update(listed=False)
    assert reader(eve).post(url(finished)).status_code == 404
    assert reader(eve).get(url(finished)).status_code == 404
    assert Client().post(url(finished)).status_code in (403, 404)
    Game.objects.filter(pk=finished.pk).update(listed=True)
    assert Client().get(url(finished)).status_code == 200
    assert Client().post(url(finished))["Location"] == f"/accounts/login/?next={url(finished)}"
    eve.is_guest = True
    eve.save()
    assert reader(eve).post(url(finished)).status_code == 409
    eve.is_guest = False
    eve.save()
    assert reader(eve).post(url(finished)).status_code == 302
    # Someone who may no longer see it is not told
    Game.objects.filter(pk=finished.pk).update(listed=False)
    game = again(finished)
    reviews.tell(game, seats_of(game), eve)
    assert not Notice.objects.filter(kind="review").exists()
    reviews.tell(game, seats_of(game), User.objects.get(username="Alice"))
    assert Notice.objects.filter(kind="review").exists()


def test_a_lost_task_is_found_and_a_broken_review_is_given_up(finished: Game, alice: User, monkeypatch) -> None:
    row = reviews.ask(public_id=finished.public_id, user=alice)
    now = timezone.now()
    assert reviews.sweep(now) == 0  # its task may still come

    def broken(*args: object, **more: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(engine, "review", broken)
        assert reviews.sweep(now + timedelta(minutes=2)) == 0
        assert reviews.sweep(now + timedelta(minutes=3)) == 0  # leased
        assert reviews.sweep(now + timedelta(minutes=20)) == 0
    row.refresh_from_db()
    assert row.state == ReviewState.FAILED and row.tries == reviews.TRIES
    again_asked = reviews.ask(public_id=finished.public_id, user=alice)
    assert again_asked.pk == row.pk and (again_asked.state, again_asked.tries) == (ReviewState.WAITING, 0)


@pytest.mark.parametrize("ruleset", ["legends", *(pytest.param(slug, marks=pytest.mark.long)
                                                  for slug in ("prototype", "classic", "kingdoms"))])  # fmt: skip
def test_the_result_page_shows_luck_without_a_request(alice: User, bob: User, eve: User, ruleset: str) -> None:
    game = table_of(alice, bob, ruleset=ruleset)
    assert not reviews.measure_luck(game.pk, timezone.now())  # it still runs
    game = play_out(game)
    page = game.get_absolute_url()
    assert "Luck and play" not in reader(alice).get(page).content.decode()
    assert reviews.measure_luck(game.pk, timezone.now())
    assert not reviews.measure_luck(game.pk, timezone.now())  # once is enough
    measured = selector.luck_of(game)
    assert measured is not None and GameReview.objects.count() == 0
    for user in (alice, eve):
        words = reader(user).get(page).content.decode()
        assert "Luck and play" in words and "Luck after every turn" in words
        by_points = engine.in_points(game.rules)
        for side in measured.sides:
            luck, play = signed(side.luck, by_points=by_points), signed(side.play, by_points=by_points)
            luck += doubt(side.luck_doubt, int(by_points))  # none if both samples agree
            play += doubt(side.play_doubt, int(by_points))
            assert f"luck {luck}, play {play}, start" in words
        last = signed(sum(gained[0] for _seq, gained in measured.gains), by_points=by_points)
        assert last in words
    # A secret game shows none
    Game.objects.filter(pk=game.pk).update(is_withheld=True)
    assert "Luck and play" not in reader(alice).get(page).content.decode()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["duplicate", "copy", "seed"])
def test_luck_is_not_computed_while_someone_plays_the_same_deal(finished: Game, alice, bob, kind: str) -> None:
    other = in_turns(person("Carol2"), person("Dan2"))
    if kind == "duplicate":
        Game.objects.filter(pk=finished.pk).update(is_withheld=True)
    elif kind == "copy":
        Game.objects.filter(pk=finished.pk).update(imported=True, origin=other.public_id)
    else:
        Game.objects.filter(pk=other.pk).update(seed_hash=finished.seed_hash)
    now = timezone.now()
    assert not reviews.measure_luck(finished.pk, now)
    assert GameLuck.objects.get().data is None
    # The sweep tries again later
    Game.objects.filter(pk=finished.pk).update(is_withheld=False, imported=False, origin="")
    Game.objects.filter(pk=other.pk).update(seed_hash="")
    assert reviews.sweep_luck(now + timedelta(minutes=2)) == 0
    assert reviews.sweep_luck(now + reviews.LUCK_AGAIN + timedelta(minutes=1)) == 1
    assert selector.luck_of(again(finished)) is not None


def test_luck_and_play_are_described_in_the_language_of_the_reader() -> None:
    side = engine.Balance(-1.3, -16, 5.94, 3.06, -20.64, 3.06)
    with translation.override("de"):
        words = balance_words(get("legends"), "Ada", side, has_won=False, winners=1)
    assert words == f"Ada verlor mit 16 Punkten Rückstand: Glück +5,9{DOUBT}3,1, Spiel −20,6{DOUBT}3,1, Anfang −1,3."


def test_the_sweep_computes_the_luck_of_games_whose_task_was_lost(finished: Game) -> None:
    now = timezone.now()
    assert reviews.sweep_luck(now) == 0  # its task may still come
    assert reviews.sweep_luck(now + timedelta(minutes=2)) == 1
    assert reviews.sweep_luck(now + timedelta(minutes=4)) == 0


def test_asking_is_limited(finished: Game, alice: User, settings) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "review": "2/h/key"}
    answers = [reader(alice).post(url(finished)).status_code for _request in range(3)]
    assert answers == [302, 302, 429]


def test_the_queue_of_reviews_has_a_limit(finished: Game, alice: User, monkeypatch) -> None:
    monkeypatch.setattr(reviews, "MOST_WAITING", 0)
    answer = reader(alice).post(url(finished))
    assert answer.status_code == 409 and "Too many games" in answer.content.decode()


def test_a_person_has_a_limited_number_of_unfinished_reviews(
    finished: Game, alice: User, bob: User, monkeypatch
) -> None:
    monkeypatch.setattr(reviews, "MOST_OF_ONE", 1)
    waiting = GameReview.objects.create(game=finished, engine="older", asked_at=timezone.now())
    ReviewRequest.objects.create(review=waiting, user=alice)
    answer = reader(alice).post(url(finished))
    assert answer.status_code == 409 and "1 of your reviews are not ready yet." in answer.content.decode()
    assert reader(bob).post(url(finished)).status_code == 302
    assert reader(alice).post(url(finished)).status_code == 302, "it waits anyway"


def test_the_limit_of_waiting_reviews_is_lower_for_guests(finished: Game, alice: User, monkeypatch) -> None:
    monkeypatch.setattr(reviews, "MOST_FOR_GUESTS", 0)
    User.objects.filter(pk=alice.pk).update(is_guest=True)
    assert "Too many games" in reader(alice).post(url(finished)).content.decode()
    User.objects.filter(pk=alice.pk).update(is_guest=False)
    assert reader(alice).post(url(finished)).status_code == 302


def test_a_players_page_shows_accuracy_and_luck_to_those_who_may_see_the_games(
    finished: Game, alice: User, bob: User, eve: User
) -> None:
    row = GameReview.objects.create(
        game=finished, engine=engine.ENGINE, state=ReviewState.DONE, asked_at=timezone.now(), data=None
    )
    SeatReview.objects.create(
        review=row, number=0, user=alice, ruleset="legends", ended_at=timezone.now(), turns=9, best=4,
        accuracy=71.4, luck=-2.5, play=1.0,
    )  # fmt: skip
    page = reverse("player", args=["Alice"])
    for user in (alice, bob, eve):
        words = reader(user).get(page).content.decode()
        assert "1 reviewed game: 71% accuracy" in words and "1 game: luck −2.5 points" in words
    Game.objects.filter(pk=finished.pk).update(listed=False)
    assert "1 reviewed game" in reader(bob).get(page).content.decode()
    assert "reviewed game" not in reader(eve).get(page).content.decode()
    # A review by another engine is not comparable
    GameReview.objects.update(engine="older")
    assert "reviewed game" not in reader(alice).get(page).content.decode()


def test_a_players_page_shows_the_luck_of_every_game_over_time(alice: User, bob: User, eve: User) -> None:
    for luck in (3.0, -1.0, 4.0):
        game = play_out(table_of(alice, bob))
        sides = [engine.Balance(0, 0, gained, 1, 0, 1) for gained in (luck, -luck)]
        measured = engine.Luck(engine.ENGINE, 16, (), tuple(sides))
        GameLuck.objects.create(game=game, tried_at=timezone.now(), data=msgspec.to_builtins(measured))
    page = reverse("player", args=["Alice"])
    words = reader(eve).get(page).content.decode()
    assert f"3 games: luck +2.0{DOUBT}1.5 points per game." in words and not re.search(r"\d reviewed game", words)
    assert "Luck in Legends, in points of lead</figcaption>" in words and "Accuracy in Legends" not in words
    assert [played.luck for played in selector.of_player(bob, eve)[0].games] == [-3, 1, -4]
    # Games that are hidden from the reader, secret, imported, or that someone else played in part count for nothing
    Game.objects.filter(pk=game.pk).update(listed=False)
    assert "2 games: luck" in reader(eve).get(page).content.decode()
    assert "3 games: luck" in reader(bob).get(page).content.decode()
    for change in ({"is_withheld": True}, {"imported": True}):
        Game.objects.filter(pk=game.pk).update(**change)
        assert "2 games: luck" in reader(alice).get(page).content.decode()
        Game.objects.filter(pk=game.pk).update(**dict.fromkeys(change, False))
    Seat.objects.filter(game=game, owner=alice).update(has_changed_hands=True)
    assert "2 games: luck" in reader(alice).get(page).content.decode()


def against_bots(user: User, **more: object) -> Game:
    """Return a game of the user in seat 0 against a bot, in which it is the user's turn."""
    game = lobby.open_table(user=user, players=2, bots=["easy"], **{"rated": False, **more})
    for _turn in range(12):
        game = Game.objects.select_related("snapshot").get(pk=game.pk)
        if game.seq > 4 and Seat.objects.get(game=game, number=0).owes:
            break
        play_turn(game)
    return game


@pytest.mark.parametrize("ruleset", ["legends", "kingdoms"])
def test_a_hint_shows_the_best_three_ideas_in_a_game_against_bots(alice: User, eve: User, ruleset: str) -> None:
    game = against_bots(alice, ruleset=ruleset)
    url = reverse("hint", args=[game.public_id])
    assert url in reader(alice).get(game.get_absolute_url()).content.decode()
    words = reader(alice).get(url).content.decode()
    ideas = re.findall(r"<h2[^>]*>Idea \d</h2>.*?</section>", words, re.DOTALL)
    assert 1 <= len(ideas) <= 3
    number = r"[+−]?\d+\.\d(\s±\s\d+\.\d)?"
    lead = rf"Expected lead: {number} points\. " if ruleset == "legends" else ""
    for idea in ideas:
        assert "<li>" in idea and "<li></li>" not in idea and "Alice" not in idea
        assert re.search(rf"{lead}Chance of winning: (100|\d?\d)(\s±\s\d+)?%\.", idea)
    assert reader(eve).get(url).status_code == 404
    assert Client().get(url).status_code == 404
    # Trying one lays it out, in place of the draft, and asks before a step that could not be undone
    for idea in ideas:
        form = dict(re.findall(r'name="(seq|head|action)" value="([^"]*)"', unescape(idea)))
        answer = reader(alice).post(url, form)
        drafted, actions = Draft.objects.get(seat__game=game).actions, form["action"].split(";")
        if drafted == actions:
            assert answer.url == game.get_absolute_url() + "#board"
        else:
            then = urlencode({"then": actions[-1]})
            assert drafted == actions[:-1] and answer.url == f"{game.get_absolute_url()}?{then}#hand"
    assert reader(eve).post(url, form).status_code == 404
    assert "changed" in reader(alice).post(url, {**form, "seq": 1}, follow=True).content.decode()
    # Going back to it when it is another player's turn, or the game is over, leads to the table
    while Seat.objects.get(game=game, number=0).owes:
        play_turn(with_snapshot(game))
    assert reader(alice).get(url).url == game.get_absolute_url()
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED)
    assert reader(alice).get(url).url == game.get_absolute_url()


@pytest.mark.parametrize("setup", ["drawn", "by-hand"])
def test_a_table_offers_no_hint_for_a_bid_or_the_setup(alice: User, setup: str) -> None:
    game = lobby.open_table(user=alice, players=2, bots=["easy"], rated=False, options={"setup": setup, "setter": 0})
    assert Seat.objects.get(game=game, number=0).owes
    assert reverse("hint", args=[game.public_id]) not in reader(alice).get(game.get_absolute_url()).content.decode()


@pytest.mark.parametrize("ruleset", ["legends", "classic", "kingdoms"])
def test_the_ideas_of_a_hint_are_compared_by_the_same_samples(alice: User, ruleset: str) -> None:
    game = against_bots(alice, ruleset=ruleset)
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    ideas = reviews.ideas(game, position.current(game, seats, game.snapshot), 0)
    assert {idea.samples for idea in ideas} == {ideas[0].samples} and ideas[0].samples >= 10
    assert all(isfinite(idea.doubt) and 0 < idea.chance_doubt < 0.5 for idea in ideas)


@pytest.mark.parametrize("change", ["counts", "person", "stand-in"])
def test_there_is_no_hint_where_it_would_be_help_against_people(alice: User, bob: User, change: str) -> None:
    game = against_bots(alice)
    other = Seat.objects.filter(game=game, number=1)
    if change == "counts":
        Game.objects.filter(pk=game.pk).update(counts=True)
    elif change == "person":
        other.update(bot="", user=bob, owner=bob)
    else:  # a bot plays for a person who can come back
        other.update(owner=bob)
    assert reader(alice).get(reverse("hint", args=[game.public_id])).status_code == 404


def test_a_copy_of_a_game_that_others_play_has_no_hint_and_says_why(alice: User) -> None:
    game, twin = against_bots(alice), in_turns(person("Carol2"), person("Dan2"))
    Game.objects.filter(pk=twin.pk).update(seed_hash=game.seed_hash)
    url = reverse("hint", args=[game.public_id])
    assert reader(alice).post(url).url == game.get_absolute_url()
    page = reader(alice).get(url, follow=True)
    assert page.redirect_chain and "There are no hints in competitions" in page.content.decode()


def test_the_rule_about_engines_is_shown_where_it_matters(alice: User, bob: User) -> None:
    rated = in_turns(alice, bob)
    Game.objects.filter(pk=rated.pk).update(counts=True)
    for page in ("/accounts/signup/", rated.get_absolute_url()):
        assert "/fair-play/#engines" in Client().get(page).content.decode()
    assert 'id="engines"' in Client().get("/fair-play/").content.decode()


def test_moderators_see_how_closely_players_follow_the_engine_with_intervals(
    finished: Game, alice: User, bob: User
) -> None:
    Game.objects.filter(pk=finished.pk).update(counts=True)
    row = GameReview.objects.create(game=finished, engine=engine.ENGINE, asked_at=timezone.now())
    SeatReview.objects.bulk_create(
        SeatReview(
            review=row, number=10 * game + seat, user=user, ruleset="legends", ended_at=timezone.now(), turns=20,
            best=best, accuracy=90, luck=0, play=0,
        )
        for game in range(oversight.FEWEST_REVIEWED)
        for seat, (user, best) in enumerate([(alice, 19), (bob, 8)])
    )  # fmt: skip
    first, second = oversight.followers()
    assert (first.user, first.turns, first.share) == ("Alice", 100, 0.95)
    assert first.low == pytest.approx(0.888, abs=0.001) and first.high == pytest.approx(0.978, abs=0.001)
    assert second.high < first.low and first.usual == pytest.approx(0.675)
    chief = reader(User.objects.create_superuser("Chief", "chief@example.org", "x"))
    page = chief.get("/admin/tables/seatreview/").content.decode()
    assert "89–98%" in page and f"Engine {engine.ENGINE}, with {engine.BUDGET} simulated turns" in page
    assert reader(bob).get("/admin/tables/seatreview/").status_code == 302
    # If the share differs more from game to game than chance explains, the interval is wider
    for number, seat_review in enumerate(SeatReview.objects.filter(user=alice)):
        SeatReview.objects.filter(pk=seat_review.pk).update(best=(20, 20, 20, 20, 15)[number])
    wider = oversight.followers()[0]
    assert wider.share == 0.95 and wider.low < first.low - 0.05
    # Staff can have more games of a player reviewed, and nobody is told
    GameReview.objects.all().delete()
    answer = chief.post("/admin/tables/seatreview/", {"player": "Alice"}, follow=True).content.decode()
    assert "1 more game is being reviewed." in answer
    row = GameReview.objects.get()
    assert row.game == finished and reviews.work(row.pk, timezone.now())
    assert not Notice.objects.filter(kind="review").exists()
    assert "0 more games" in chief.post("/admin/tables/seatreview/", {"player": "Alice"}, follow=True).content.decode()
    assert (
        "no player with this name"
        in chief.post("/admin/tables/seatreview/", {"player": "Nobody"}, follow=True).content.decode()
    )
    assert reader(bob).post("/admin/tables/seatreview/", {"player": "Alice"}).status_code == 302
    Game.objects.update(counts=False)
    assert not oversight.followers()


def test_players_who_took_a_break_are_compared_with_the_engine_but_not_those_for_whom_someone_played(
    alice: User, bob: User, carol: User
) -> None:
    game = in_turns(alice, bob)
    handover.hand_to_bot(seat=seats_of(game)[0], user=alice)
    handover.come_back(seat=seats_of(game)[0], user=alice)
    handover.ask(seat=seats_of(game)[1], user=bob, name="Carol")
    handover.accept(seat=seats_of(game)[1], user=carol)
    handover.come_back(seat=seats_of(game)[1], user=bob)
    assert play_out(game).counts
    assert reviews.ask_for_player(player=alice) == 1
    assert reviews.work(GameReview.objects.get().pk, timezone.now())
    assert [seat_review.user for seat_review in SeatReview.objects.all()] == [alice]


def test_a_process_works_on_one_review_at_a_time_and_then_on_those_that_wait(
    finished: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = reviews.ask(public_id=finished.public_id, user=alice)
    second = reviews.ask(public_id=play_out(table_of(alice, bob)).public_id, user=alice)
    begun, review = [], engine.review

    def slow(*args: Any, **more: Any) -> engine.Review:
        begun.append(reviews.work_through(second.pk, timezone.now()))  # what another thread does meanwhile
        return review(*args, **more)

    monkeypatch.setattr(engine, "review", slow)
    assert reviews.work_through(first.pk, timezone.now()) == 2
    assert begun == [0, 0] and not GameReview.objects.filter(state=ReviewState.WAITING).exists()


def test_the_result_page_asks_for_a_review_with_one_tap(finished: Game, alice: User, eve: User) -> None:
    page = finished.get_absolute_url()
    for user in (alice, eve):
        words = reader(user).get(page).content.decode()
        assert f'<form method="post" action="{url(finished)}"' in words and "Review: luck and play" not in words
    reviews.ask(public_id=finished.public_id, user=alice)
    words = reader(alice).get(page).content.decode()
    assert f'<form method="post" action="{url(finished)}"' not in words and "Review: luck and play" in words


def test_a_report_can_name_help_from_an_engine(alice: User, bob: User) -> None:
    game = in_turns(alice, bob)
    chat.say(public_id=game.public_id, user=bob, text="good luck")
    message = Message.objects.get()
    address = reverse("chat_report", args=[game.public_id, message.pk])
    page = reader(alice).get(reverse("chat", args=[game.public_id])).content.decode()
    assert "Help from a bot or another program" in page
    reader(alice).post(address, {"reason": "engine"})
    assert Report.objects.get().reason == "engine"
    Report.objects.all().delete()
    assert "Choose a reason that fits." in reader(alice).post(address, {"reason": "nonsense"}).content.decode()
    assert not Report.objects.exists()


def test_reviews_search_as_far_as_master(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the engine of the site, not the quick one of these tests
    assert engine.BUDGET == search.MASTER == BOTS["master"].budget
