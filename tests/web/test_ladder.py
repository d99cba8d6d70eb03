"""The pages of the ladder: what they show, and that their buttons do what they say."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.contests.ladders import sweep as ladder_sweep
from games.contests.matches.selectors import competition_of
from games.contests.models import Challenge, Rung
from games.tables.models import Game
from tests.cast import person, play_out
from tests.contests.ladders import challenges, contest, ends, everything, goes_on_vacation, ladder_of

pytestmark = pytest.mark.django_db


def page(client, url: str = "/ladder/legends/") -> str:
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.content.decode()


def page_after(client, url: str) -> str:
    """Return the page to which this one redirects."""
    answer = client.get(url, follow=True)
    assert len(answer.redirect_chain) == 1
    return answer.content.decode()


def post(client, url: str, **fields: str) -> str:
    """Post the form and return the page that follows."""
    answer = client.post(url, fields, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_ladder_starts_empty_and_joining_explains_the_challenges(come, alice, bob):
    browser = come(alice)
    assert browser.get("/ladder/", follow=True).redirect_chain == [("/ladder/legends/", 302)]
    assert "The top rung is free" in page(browser) and "Join ladder" in page(browser)
    assert "up to 10 rungs above you, or up to 5 rungs above you from rung 10 up" in page(
        browser, "/ladder/legends/join"
    )
    assert "Each player has 2 days per turn." in page(browser, "/ladder/legends/join")
    assert "You are at the top until someone beats you." in post(browser, "/ladder/legends/join")
    assert Rung.objects.get().user == alice
    assert "You have joined the ladder. Challenge someone above you." in post(come(bob), "/ladder/legends/join")


def test_visitors_can_read_and_guests_are_asked_to_sign_up(come, alice, client):
    ladder_of(alice)
    assert "Alice" in page(come()) and "Challenge" not in page(come()).replace("Challenges", "")
    client.post("/accounts/guest/", {"next": "/ladder/legends/"})
    assert "Guests can’t join ladders" in page(client, "/ladder/legends/join")
    assert "Guests can’t join ladders" in post(client, "/ladder/legends/join")


@pytest.mark.parametrize("url", ["/ladder/chess/", "/ladder/chess/join", "/ladder/chess/history/"])
def test_an_unknown_ladder_is_not_found(come, alice, url):
    assert come(alice).get(url).status_code == 404


def test_i_see_which_players_i_may_challenge_and_why_not_the_others(come, alice, bob, carol, dan):
    ladder_of(alice, bob, carol, dan)
    challenges(carol, bob)
    html = page(come(dan))
    assert html.count('action="/ladder/legends/challenge"') == 2
    assert "Someone else has already challenged this player." in html and ">challenged</span>" in html
    assert "You challenged Alice." in post(come(dan), "/ladder/legends/challenge", player="Alice")
    assert "already a challenge between" in post(come(dan), "/ladder/legends/challenge", player="Alice")
    assert "open challenges, the maximum" not in page(come(dan))
    post(come(dan), "/ladder/legends/challenge", player="Carol")
    assert "2 open challenges. Wait for an answer" in page(come(dan))


def test_a_challenge_is_shown_on_the_desk_and_answered_on_the_page(come, alice, bob):
    ladder_of(alice, bob)
    challenge = challenges(bob, alice)
    browser = come(alice)
    for url in ("/ladder/legends/", "/desk/"):
        html = page(browser, url)
        assert "Bob challenged you" in html and f"/ladder/challenges/{challenge.pk}/accept" in html
    assert "Bob takes your rung" in page(browser, f"/ladder/challenges/{challenge.pk}/decline")
    answer = browser.post(f"/ladder/challenges/{challenge.pk}/accept")
    game = Game.objects.get()
    assert answer.headers["Location"] == game.get_absolute_url()
    assert "Match against Bob" in page(browser) and "challenged you" not in page(browser, "/desk/")


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        ("Alice", "This player is too far above you. You can challenge players up to 2 rungs above you."),
        ("Bob", "This player is away. You can challenge them when they are back."),
        ("Carol", "There is already a challenge between the two of you."),
        ("Dan", "You can’t challenge yourself."),
        ("Eve", "You can only challenge players above you."),
        ("Medium", "Bots don’t play on ladders. Challenge a person."),
        ("Nobody", "No player with this name is on this ladder."),
    ],
)
def test_an_impossible_challenge_gets_a_sentence_and_writes_nothing(
    come, alice, bob, carol, dan, eve, player, sentence
):
    ladder_of(alice, bob, carol, dan, eve, top_reach=2)
    goes_on_vacation(bob, 3)
    challenges(dan, carol)
    before = everything()
    assert sentence in post(come(dan), "/ladder/legends/challenge", player=player)
    assert everything() == before


def test_accepting_too_late_gets_a_sentence_and_starts_no_game(come, alice, bob):
    ladder_of(alice, bob)
    challenge = challenges(bob, alice)
    Challenge.objects.update(made_at=timezone.now() - timedelta(days=4))
    before = everything()
    html = post(come(alice), f"/ladder/challenges/{challenge.pk}/accept")
    assert "Time is up for this challenge, so you can no longer answer it." in html
    assert everything() == before and not Game.objects.exists()


def test_a_challenge_can_be_declined_or_withdrawn(come, alice, bob, carol):
    ladder_of(alice, bob, carol)
    bobs_challenge, carols_challenge = challenges(bob, alice), challenges(carol, bob)
    assert "Your challenger takes your rung" in post(come(alice), f"/ladder/challenges/{bobs_challenge.pk}/decline")
    assert "Your challenger takes your rung" in post(come(alice), f"/ladder/challenges/{bobs_challenge.pk}/decline")
    assert "accept, decline or withdraw" in post(come(alice), f"/ladder/challenges/{carols_challenge.pk}/withdraw")
    for _tap in range(2):
        assert "Challenge withdrawn." in post(come(carol), f"/ladder/challenges/{carols_challenge.pk}/withdraw")
    assert list(Challenge.objects.order_by("pk").values_list("state", flat=True)) == ["declined", "withdrawn"]


def test_a_challenge_is_only_withdrawn_after_a_question(come, alice, bob):
    ladder_of(alice, bob)
    challenge = challenges(bob, alice)
    address = f"/ladder/challenges/{challenge.pk}/withdraw"
    assert f'href="{address}"' in page(come(bob), "/ladder/legends/")
    assert "You can’t challenge them again for 14 days." in page(come(bob), address)
    assert come(alice).get(address).status_code == 302
    assert Challenge.objects.get().is_open


def test_no_confirmation_is_asked_for_an_action_that_would_be_refused(come, alice, bob, carol, dan):
    ladder_of(alice, bob, carol)
    challenge = challenges(bob, alice)
    ladder, answers = "/ladder/legends/", f"/ladder/challenges/{challenge.pk}/"
    refused = [
        (dan, ladder + "leave", "You are not on this ladder."),
        (dan, "/ladder/classic/leave", "You are not on this ladder."),
        (bob, answers + "decline", "You can’t accept, decline or withdraw this challenge."),
        (alice, answers + "withdraw", "You can’t accept, decline or withdraw this challenge."),
    ]
    for user, url, sentence in refused:
        seen = [come(user).get(url, follow=True)]
        if user != dan:  # who has left, if the form was sent twice
            seen.append(come(user).post(url, follow=True))
        for answer in seen:
            assert len(answer.redirect_chain) == 1 and sentence in answer.content.decode()
    assert challenge.is_open and "You are already on this ladder." in page_after(come(alice), ladder + "join")
    post(come(alice), answers + "decline")
    assert "This challenge is no longer open." in page_after(come(alice), answers + "decline")
    contest(carol, bob)
    assert "You can leave when it ends." in page_after(come(bob), ladder + "leave")


def test_an_unknown_challenge_is_not_found(come, alice):
    for action in ("accept", "decline", "withdraw"):
        assert come(alice).post(f"/ladder/challenges/1/{action}").status_code == 404


def test_the_history_says_who_climbed_and_why(come, alice, bob, carol):
    ladder_of(alice, bob, carol)
    ends(contest(carol, alice), 1, 2)
    ladder_sweep.sweep(timezone.now())
    html = page(come(), "/ladder/legends/history/")
    assert "Carol beat Alice." in html and "passed by another player" not in html
    assert "passed by another player" in page(come(), "/ladder/legends/history/?player=Bob")


def test_the_result_of_a_game_says_which_rung_was_won(come, alice, bob):
    ladder_of(alice, bob)
    game = play_out(contest(bob, alice))
    ladder_sweep.sweep(timezone.now())
    assert " won the match" in (words := competition_of(game).result)
    assert words in page(come(), game.get_absolute_url())


def test_leaving_needs_confirmation(come, alice, bob):
    ladder_of(alice, bob)
    assert "Challenges waiting for your answer count as declined" in page(come(alice), "/ladder/legends/leave")
    assert "You have left the ladder." in post(come(alice), "/ladder/legends/leave")
    assert ">empty</td>" in page(come(bob))


def test_a_page_needs_few_queries_and_shows_fifty_rungs(come, django_assert_max_num_queries):
    people = [person(f"P{n:02}") for n in range(60)]
    ladder_of(*people)
    challenges(people[59], people[58])
    reader = come(people[59])
    with django_assert_max_num_queries(8):
        html = page(reader)
    assert "P49" in html and html.count('scope="row"') == 50 and "?page=2#me" in html
    second = page(come(people[59]), "/ladder/legends/?page=2")
    assert 'id="me"' in second and '<td class="number">50–59</td>' in second
