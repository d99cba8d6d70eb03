"""Attacks on duplicates, tournaments, clocks and ratings: ways to win without playing better."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest

from games.contests.ratings.model import weight
from games.contests.tournaments.forms import USUAL as USUAL_CUP
from games.tables.forms.open_table import USUAL as USUAL_TABLE
from tests.adversary.attacker import Browser, Reply
from tests.adversary.conftest import Target
from tests.running import until

pytestmark = [pytest.mark.site("adversary"), pytest.mark.long]

PASSWORD = "a-long-winter-in-the-harbour"
HERE = """
from accounts.models import User
from games.contests.ratings import book
from games.contests.models import Intervention, Entrant, Match, RatedPlayer, Score, Tournament
from games.tables.models import Entry, Game, Replacement, Duplicate, DuplicateSeed, Seat, Seed, Vacation
from tests.cast import again, in_turns, play_turns, seats_of
from tests.contests.cups import sweep
from tests.contests.ladders import ends
def people(*names):
    return [User.objects.get(username=name) for name in names]
def name_of(user):
    return user and user.username
def game_of(public_id):
    return Game.objects.get(public_id=public_id)
def hands(game):
    return [[name_of(seat.owner), name_of(seat.user), seat.bot] for seat in seats_of(game)]
"""
ROUND = {"ruleset": "legends", "players": 2, "tables": 2, "clock": "move 2d"}
TABLES = "answer([game.public_id for game in Duplicate.objects.get(public_id='{}').games.order_by('pk')])"
DEALT = """
row = Duplicate.objects.get(public_id="{}")
games = row.games.all()
answer([DuplicateSeed.objects.filter(duplicate=row).count(), Seed.objects.filter(game__in=games).count(),
        Entry.objects.filter(game__in=games).count(), games.exclude(seed_hash="").count()])
"""
SEATS = "answer([hands(game) for game in Duplicate.objects.get(public_id='{}').games.order_by('pk')])"
HANDS = "answer(hands(game_of('{}')))"
CLOCK = """
seat = Seat.objects.get(game__public_id="{}", number=0)
answer([seat.deadline.timestamp(), seat.bank.total_seconds(), seat.time_outs])
"""


@pytest.fixture
def run(target: Target):
    """Return a function that runs code next to the site, with the names of `HERE`, and returns its result."""
    return lambda code: target.run(HERE + code)


def guest_of(target: Target) -> Browser:
    browser = target.visitor()
    browser.post("/accounts/guest/")
    return browser


def last_part(reply: Reply) -> str:
    """The id of the table or contest that was opened."""
    assert reply.status == 302, reply.page
    return reply.location.rstrip("/").rpartition("/")[2]


def opened_table(browser: Browser, **wish: str) -> str:
    return last_part(browser.post("/lobby/open/", {**USUAL_TABLE, "ruleset": "legends", **wish}))


def to_bot(browser: Browser, game: str) -> Reply:
    return browser.post(f"/games/{game}/seat/", {"action": "bot", "bot-length": "back"})


def ask_for_seat(browser: Browser, game: str, name: str) -> Reply:
    return browser.post(f"/games/{game}/seat/", {"action": "ask", "ask-length": "back", "ask-name": name})


# Duplicates


@pytest.fixture
def waiting(target: Target) -> Iterator[str]:
    """A duplicate of two tables for two. Alice and Bob fill the first table. It starts after the test at the latest."""
    alice, bob = target.signed_in("Alice", "Bob")
    row = last_part(alice.post("/duplicates/open/", ROUND))
    bob.post(f"/duplicates/{row}/join")
    yield row
    fill(target, row)  # nobody may have more than three that wait


@pytest.fixture
def begun(target: Target, waiting: str) -> str:
    fill(target, waiting)
    return waiting


def fill(target: Target, row: str) -> None:
    for browser in target.signed_in("Carol", "Dan"):
        browser.post(f"/duplicates/{row}/join")


def drawn_tables(run, row: str) -> list[tuple[str, str]]:
    """Return each table of a duplicate that has begun and a player there, Alice's table first."""
    owners = [[owner for owner, _user, _bot in seats] for seats in run(SEATS.format(row))]
    players = ["Alice" if "Alice" in table else table[0] for table in owners]
    return sorted(zip(run(TABLES.format(row)), players, strict=True), key=lambda table: table[1] != "Alice")


def test_guests_cannot_play_a_deal_before_their_accounts_join(target, run, waiting) -> None:
    sentence = "Guests can’t play duplicates. Sign up, then join."
    for guest in (guest_of(target), guest_of(target)):
        assert sentence in guest.follow(guest.post(f"/duplicates/{waiting}/join")).page
        assert guest.post("/duplicates/open/", ROUND).location == "/accounts/signup/"
    assert run(DEALT.format(waiting)) == [0, 0, 0, 0]


def test_a_full_table_shows_no_card_before_the_other_table_is_full(target, run, waiting) -> None:
    alice, eve = target.signed_in("Alice", "Eve")
    game, _other = run(TABLES.format(waiting))
    for reader in (alice, eve, target.visitor()):
        for file in ("record.json", "view.json"):
            assert reader.get(f"/games/{game}/{file}").status == 404
        page = reader.get(f"/games/{game}/").page
        assert "fingerprint of the secret seed" not in page and 'id="decisions"' not in page
    assert run(DEALT.format(waiting)) == [0, 0, 0, 0]


def test_players_of_one_table_and_spectators_see_nothing_of_the_other(target, run, begun) -> None:
    (first, _alice), (second, name) = drawn_tables(run, begun)
    alice, other, eve = target.signed_in("Alice", name, "Eve")
    assert alice.get(f"/games/{first}/record.json").status == 200
    for reader, game in ((other, first), (alice, second), (eve, first), (target.visitor(), second)):
        token = run(f"answer(game_of('{game}').invite_token)")
        for file in ("", "record.json", "view.json", "verify/"):
            assert reader.get(f"/games/{game}/{file}?invite={token}").status == 404


def test_simultaneous_requests_cannot_give_one_account_two_seats_in_a_duplicate(target, run, waiting) -> None:
    (carol,) = target.signed_in("Carol")
    browsers = [Browser(carol.port, dict(carol.cookies)) for _time in range(6)]
    with ThreadPoolExecutor(len(browsers)) as pool:
        answers = list(pool.map(lambda browser: browser.post(f"/duplicates/{waiting}/join").status, browsers))
    assert set(answers) == {302}
    assert [seat[0] for table in run(SEATS.format(waiting)) for seat in table] == ["Alice", "Bob", "Carol"]


def test_a_seat_of_a_duplicate_cannot_be_passed_to_the_other_table_or_to_a_guest(target, run, begun) -> None:
    (alice,) = target.signed_in("Alice")
    guest = guest_of(target)
    name = run("answer(User.objects.filter(is_guest=True).latest('pk').username)")
    (game, _alice), (_other, player) = drawn_tables(run, begun)
    before = run(SEATS.format(begun))
    assert f"{player} already plays this deal at another table." in ask_for_seat(alice, game, player).page
    assert ask_for_seat(alice, game, name).status == 422
    assert guest.post(f"/games/{game}/seat/", {"action": "accept"}).status == 404
    assert run(SEATS.format(begun)) == before


def test_a_guest_gets_no_second_seat_by_signing_in_to_an_account_at_the_table(target, run) -> None:
    (alice,) = target.signed_in("Alice")
    game = opened_table(alice)
    guest = guest_of(target)
    guest.post(f"/games/{game}/join")
    assert run(HANDS.format(game))[1][1].startswith("Guest")
    assert "had seats in the same game" in target.sign_in_by_code(guest, "alice@example.org").page
    (alices, other) = run(HANDS.format(game))
    assert alices[:2] == ["Alice", "Alice"] and other[0] != "Alice" and other[1] is None


# Organizers


def tournament(target: Target, run, organizer: Browser, *players: Browser, ruleset: str = "legends") -> str:
    """A round robin that the attacker has opened and started."""
    wish = {"name": "Trap", "format": "round-robin", "fewest": "2", "ruleset": ruleset, "seats": str(len(players) + 1)}
    row = last_part(organizer.post("/tournaments/open/", {**USUAL_CUP, **wish}))
    for player in players:
        player.post(f"/tournaments/{row}/join")
    organizer.post(f"/tournaments/{row}/start")
    assert until(lambda: run(f"answer(sweep(Tournament.objects.get(public_id='{row}')).state)") == "running")
    begun = f"answer(Match.objects.filter(pool__tournament__public_id='{row}', game__isnull=False).exists())"
    assert until(lambda: run(begun))  # a worker of the site starts the games
    return row


def step_in(browser: Browser, row: str, **fields: object) -> Reply:
    form = str(fields.pop("form"))
    form_fields = {f"{form}-{name}": value for name, value in fields.items()} | {f"{form}-reason": "Because."}
    return browser.post(f"/tournaments/{row}/organize/", {"form": form, "sure": "yes", **form_fields})


ENTRANTS = """
row = Tournament.objects.get(public_id="{}")
match = Match.objects.filter(pool__tournament=row, game__isnull=False).first()
answer([dict(row.entrants.values_list("name", "pk")), match.pk, match.game.public_id])
"""
INTERVENTIONS = """
row = Tournament.objects.get(public_id="{}")
interventions = Intervention.objects.filter(pool__tournament=row)
answer([interventions.count(), Replacement.objects.filter(entrant__tournament=row).count()])
"""


def test_an_organizer_who_plays_cannot_intervene_against_opponents(target, run) -> None:
    alice, bob, carol = target.signed_in("Alice", "Bob", "Carol")
    target.signed_in("Eve")
    row = tournament(target, run, alice, alice, bob, carol)
    entrants, match, _game = run(ENTRANTS.format(row))
    page = alice.get(f"/tournaments/{row}/organize/").page
    assert 'name="player-action"' not in page and f"/matches/{match}/decide" not in page
    before = run(INTERVENTIONS.format(row))
    for fields in (
        {"form": "player", "entrant": entrants["Bob"], "action": "replace", "name": "Eve"},
        {"form": "player", "entrant": entrants["Bob"], "action": "remove", "name": ""},
    ):
        refused = step_in(alice, row, **fields)
        assert (refused.status, "You can’t intervene in a competition you play in." in refused.page) == (422, True)
    for action in ("award", "annul", "extend"):
        decision = {"action": action, "version": 1, "days": 3, "place_0": 1, "place_1": 2, "place_2": 3}
        refused = alice.post(f"/matches/{match}/decide", {**decision, "reason": "x", "sure": "yes"})
        assert (refused.status, "You can’t intervene in a competition you play in." in refused.page) == (422, True)
    assert run(INTERVENTIONS.format(row)) == before


def test_an_organizer_cannot_see_a_hand_by_seating_a_second_account(target, run) -> None:
    """The account must accept. Until then nothing changes, and afterwards a bot plays the seat that was shown cards."""
    alice, bob, carol, eve, dan = target.signed_in("Alice", "Bob", "Carol", "Eve", "Dan")
    row = tournament(target, run, alice, bob, carol, ruleset="kingdoms")
    entrants, _match, game = run(ENTRANTS.format(row))
    before = run(HANDS.format(game))
    seat = [hand[0] for hand in before].index("Bob")
    assert bob.get(f"/games/{game}/view.json").json()["players"][seat]["hand"]
    asking = step_in(alice, row, form="player", entrant=entrants["Bob"], action="replace", name="Eve")
    assert "We have asked Eve." in alice.follow(asking).page
    assert run(HANDS.format(game)) == before, "asking seats nobody"
    assert not run(f"answer(game_of('{game}').sealed)"), "so that only the hands are the reason"
    assert eve.get(f"/games/{game}/seat/").status == 404
    question = run("answer(Replacement.objects.latest('pk').pk)")
    for other in (alice, dan):
        assert other.post(f"/replacements/{question}/", {"answer": "accept"}).status == 404
    assert eve.follow(eve.post(f"/replacements/{question}/", {"answer": "accept"})).status == 200
    assert run(HANDS.format(game))[seat][1:] == [None, "medium"]
    for reader in (alice, eve):
        view = reader.get(f"/games/{game}/view.json").json()
        assert (view["seat"], view["players"][seat]["hand"]) == (None, [])


# Clocks


@pytest.mark.parametrize("clock", ["move 1d", "bank 4d +1h cap 5d"])
def test_a_canceled_vacation_or_hand_over_gives_no_time(target, run, clock) -> None:
    alice, _bob, carol = target.signed_in("Alice", "Bob", "Carol")
    game = run(f"answer(in_turns(*people('Alice', 'Bob'), clock='{clock}').public_id)")
    run(f"answer(Seat.objects.filter(game=game_of('{game}'), number=0).update(time_outs=1))")
    before = run(CLOCK.format(game))
    today = datetime.now(UTC).date()
    days = {"first": today + timedelta(days=1), "last": today + timedelta(days=28)}
    assert alice.post("/accounts/time-off/", {"action": "announce", **days}).status == 302
    assert ask_for_seat(alice, game, "Carol").status == 302
    assert carol.post(f"/games/{game}/seat/", {"action": "accept"}).status == 302
    assert run(HANDS.format(game))[0][:2] == ["Alice", "Carol"]
    assert alice.post(f"/games/{game}/seat/", {"action": "back"}).status == 302
    assert run(CLOCK.format(game))[0] > before[0] + timedelta(days=20).total_seconds(), "while it is announced"
    vacation = run("answer(Vacation.objects.latest('pk').pk)")
    alice.post("/accounts/time-off/", {"action": "cancel", "vacation": vacation})
    deadline, bank, time_outs = run(CLOCK.format(game))
    assert abs(deadline - before[0]) < 1
    assert (bank, time_outs) == (before[1], 1), "late turns in a row are still counted"


def test_hand_overs_are_limited_and_do_not_fill_the_opponents_page(target, run) -> None:
    alice, bob = target.signed_in("Alice", "Bob")
    game = run("answer(in_turns(*people('Bob', 'Alice')).public_id)")
    before = len(bob.get(f"/games/{game}/").page)
    replies = []
    for _time in range(25):
        replies.append(to_bot(alice, game))
        alice.post(f"/games/{game}/seat/", {"action": "back"})
    assert [reply.status for reply in replies] == [302] * 20 + [422] * 5
    assert "handed over 20 times in this game, which is the limit." in replies[-1].page
    assert len(bob.get(f"/games/{game}/").page) < before + 2000


@pytest.mark.parametrize(
    ("rated", "sentence"),
    [
        (True, "You can’t undo this turn, because it revealed hidden information and the game is rated."),
        (False, "You can’t undo this turn, because Carol is away and nobody else can agree for them."),
    ],
)
def test_a_turn_that_drew_a_card_cannot_be_undone_while_an_opponent_is_away(target, run, rated, sentence) -> None:
    alice, _bob, carol = target.signed_in("Alice", "Bob", "Carol")
    game = run(f"answer(in_turns(*people('Alice', 'Bob', 'Carol'), rated={rated}).public_id)")
    assert to_bot(carol, game).status == 302
    seq = run(f"answer(play_turns(game_of('{game}'), 1).seq)")
    refused = alice.post(f"/games/{game}/undo-turn", {"seq": seq, "action": "ask"})
    assert sentence in alice.follow(refused).page
    assert run(f"answer(game_of('{game}').seq)") == seq


# Ratings


def test_a_guest_who_wins_and_then_signs_up_changes_no_rating(target, run) -> None:
    (heidi,) = target.signed_in("Heidi")
    game = opened_table(heidi)
    guest = guest_of(target)
    guest.post(f"/games/{game}/join")
    sign_up = {"username": "Winner", "email": "winner@example.org", "password1": PASSWORD, "accepts": "1"}
    assert guest.post("/accounts/signup/", sign_up).status == 302
    assert run(HANDS.format(game))[1][0] == "Winner"
    run(f"ends(game_of('{game}'), 2, 1); answer(book.book('legends'))")
    scores, rated = run(
        f"answer([list(Score.objects.filter(game=game_of('{game}')).values_list('place', 'counts', 'mu_after')), "
        "RatedPlayer.objects.filter(user__in=people('Heidi', 'Winner')).count()])"
    )
    assert (sorted(scores), rated) == ([[1, False, None], [2, False, None]], 0)


@pytest.mark.long
def test_private_wins_against_a_second_account_count_less_and_less(target, run) -> None:
    frank, grace = target.signed_in("Frank", "Grace")
    games = []
    for _time in range(8):
        games.append(opened_table(frank, listed="no"))
        token = run(f"answer(game_of('{games[-1]}').invite_token)")
        assert grace.post(f"/join/{token}/").status == 302
        run(f"ends(game_of('{games[-1]}'), 1, 2); answer(book.book('legends'))")
    weights, shown = run(
        f"answer([list(Score.objects.filter(game__public_id__in={games}, seat=0).order_by('order')"
        ".values_list('weight', flat=True)), [person.ratings.get().shown for person in people('Frank', 'Grace')]])"
    )
    assert weights == pytest.approx([weight(met, listed=False) for met in range(8)])
    assert 1500 < shown[0] < 1560 and 1440 < shown[1] < 1500


def test_a_birth_date_can_be_given_only_once_and_cannot_be_today(target, run) -> None:
    (ivan,) = target.signed_in("Ivan")
    birth_date = "answer(str(people('Ivan')[0].birth_date))"

    def say(born: date) -> Reply:
        wish = {"username": "Ivan", "time_zone": "UTC", "birth_date": born, "theme": "auto"}
        return ivan.post("/accounts/preferences/", wish)

    assert "That can’t be your date of birth" in say(datetime.now(UTC).date()).page
    assert run(birth_date) == "None"
    assert say(date(1990, 5, 5)).status == 302
    for another in (date(1990, 5, 4), date(2010, 1, 1)):
        say(another)
    assert run(birth_date) == "1990-05-05"
    assert "You can’t change this." in ivan.get("/accounts/preferences/?age").page
