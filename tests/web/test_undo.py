"""Undo as players use it: the link, the question at the top of the page, and the log."""

import re

import pytest
import time_machine

from games.tables.models import Entry
from games.tables.selectors.table import open_undo_request
from games.tables.services import handover, undo_requests
from tests.cast import again, in_turns, play_turns, seats_of, some_turn, submit, table_of
from tests.tables.readings import SCRIPT, browser_of, look
from tests.web.at_table import WITH_AND_WITHOUT_SCRIPT, offered
from tests.web.reading import text, without_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def moved(alice, bob, carol):
    return play_turns(in_turns(alice, bob, carol, rated=False), 1)


def test_only_the_player_of_the_last_turn_can_ask_to_undo(sit, moved, alice, bob, eve):
    assert "undo-turn" in text(sit(alice, moved).look())
    assert all("undo-turn" not in text(sit(other, moved).look()) for other in (bob, eve, None))
    assert "undo-turn" not in text(sit(alice, moved).look(f"?at={moved.seq}"))
    play_turns(moved, 1)
    assert "undo-turn" not in text(sit(alice, moved).look())
    assert "undo-turn" in text(sit(bob, moved).look())


def test_undo_is_not_offered_while_the_next_turn_is_laid_out(sit, alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 0")
    submit(game, 1, "bid 1")
    submit(game, 1, "first 1")
    table = sit(bob, game)
    assert "Undo last turn" in text(table.look())
    table.press("step", action=offered(table.look(), "take")[0])
    assert "Undo last turn" not in text(table.look())
    table.press("undo")
    assert "Undo last turn" in text(table.look())


def test_instead_of_an_undo_that_would_always_be_refused_its_player_reads_why(sit, alice, bob, carol, eve):
    rated = play_turns(in_turns(alice, bob, carol, rated=True), 1)
    reason = "because it revealed hidden information and the game is rated"
    assert rated.counts and reason in text(sit(alice, rated).look("undo-turn"))
    page = text(sit(alice, rated).look())
    assert "undo-turn" not in page and page.count(reason) == 1
    assert 'id="no-undo">No undo: your turn revealed something</p>' in page.partition('id="about-turn"')[0], "in sight"
    assert all("no-undo" not in text(sit(other, rated).look()) for other in (bob, eve, None))
    assert all(words not in text(sit(alice, rated).look(f"?at={rated.seq}")) for words in (reason, "no-undo"))
    play_turns(rated, 1)
    assert all(words not in text(sit(alice, rated).look()) for words in (reason, "no-undo"))
    away = play_turns(in_turns(alice, bob, carol, rated=False), 1)
    assert "undo-turn" in text(sit(alice, away).look())
    handover.hand_to_bot(seat=seats_of(away)[2], user=carol)
    page = text(sit(alice, away).look())
    assert "undo-turn" not in page and "away and nobody else can agree" in page
    assert 'id="no-undo">No undo: Carol is away</p>' in page
    assert "away and nobody else can agree" in text(sit(alice, away).look("undo-turn"))


def test_undo_is_not_offered_for_revealed_bids(sit, alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 0")
    submit(game, 1, "bid 1")
    assert "undo-turn" not in text(sit(bob, game).look())


def test_the_linked_page_says_who_must_agree(sit, moved, alice):
    page = text(sit(alice, moved).look("undo-turn"))
    assert "Bob and Carol must agree" in page and 'value="ask"' in page


def test_the_page_says_when_undo_is_immediate_and_when_it_is_too_late(sit, alice, bob):
    game = table_of(alice, bob)
    submit(game, 0, "bid 0")
    submit(game, 1, "bid 1")
    submit(game, 1, "first 0")
    assert "it is undone immediately" in text(sit(bob, game).look("undo-turn"))
    page = text(sit(alice, game).look("undo-turn"))
    assert "Someone has acted since, so it’s too late" in page and 'value="ask"' not in page


def test_spectators_are_sent_to_the_table_and_visitors_to_sign_in(sit, moved, eve):
    assert sit(eve, moved).look("undo-turn").headers["Location"] == moved.get_absolute_url()
    assert "login" in sit(None, moved).look("undo-turn").headers["Location"]


@WITH_AND_WITHOUT_SCRIPT
def test_players_who_are_asked_see_the_question_at_the_top(sit, moved, alice, bob, carol, htmx):
    answer = sit(alice, moved, htmx=htmx).press("undo-turn", action="ask")
    assert "You asked to undo your last turn." in text(answer) and "Waiting for: Bob, Carol." in text(answer)
    page = text(sit(bob, moved, htmx=htmx).look())
    assert "Alice asked to undo their last turn." in page
    assert page.index('id="undo-request"') < page.index("<h1")
    assert "You agreed" in text(sit(bob, moved, htmx=htmx).press("undo-turn", action="agree"))
    answer = sit(carol, moved, htmx=htmx).press("undo-turn", action="agree")
    assert 'id="undo-request"' not in text(answer) and "Alice undid their last turn." in text(answer)


def test_the_desk_reminds_players_who_have_not_answered(come, moved, alice, bob, carol):
    undo_requests.ask(game=moved, seat=0, expected_seq=moved.seq)
    undo_requests.agree(game=moved, seat=2, expected_seq=moved.seq)
    reminded = ["undo requested" in text(come(user).get("/desk/")) for user in (alice, bob, carol)]
    assert reminded == [False, True, False]


def test_a_spectator_sees_the_question_without_buttons(sit, moved, eve):
    undo_requests.ask(game=moved, seat=0, expected_seq=moved.seq)
    page = text(sit(eve, moved).look())
    assert "Alice asked to undo their last turn." in page and 'value="agree"' not in page


@WITH_AND_WITHOUT_SCRIPT
def test_one_refusal_ends_the_request(sit, moved, alice, bob, htmx):
    undo_requests.ask(game=moved, seat=0, expected_seq=moved.seq)
    assert 'id="undo-request"' not in text(sit(bob, moved, htmx=htmx).press("undo-turn", action="refuse"))
    assert "You can ask to undo a turn only once." in text(
        sit(alice, moved, htmx=htmx).press("undo-turn", action="ask")
    )


def test_stale_foreign_and_nonsense_forms_get_a_sentence(sit, moved, alice, bob, eve):
    old = moved.seq
    play_turns(moved, 1)
    assert "The game has changed since you loaded this page, so your moves were not played." in text(
        sit(alice, moved).press("undo-turn", action="ask", seq=old)
    )
    assert "You are a spectator in this game, so you can’t play." in text(
        sit(eve, moved).press("undo-turn", action="ask")
    )
    assert "The form was incomplete. Reload the page and try again." in text(
        sit(bob, moved).press("undo-turn", action="steal")
    )
    assert "The form was incomplete. Reload the page and try again." in text(
        sit(bob, moved).press("undo-turn", action="ask", seq="x")
    )
    assert "This undo request is no longer open." in text(sit(alice, moved).press("undo-turn", action="agree"))


def test_the_log_strikes_the_turn_through_and_says_so(sit, alice, bob):
    game = play_turns(in_turns(alice, bob, rated=False), 1)
    entry = Entry.objects.get(game=game, seq=game.seq)
    undo_requests.ask(game=game, seat=0, expected_seq=game.seq)
    undo_requests.agree(game=game, seat=1, expected_seq=game.seq)
    for reader in (alice, bob, None):
        page = text(sit(reader, game).look("?log=all"))
        struck = re.findall(r'<li [^>]*class="[^"]*taken-back"[^>]*>\s*<a class="seq number" href="\?at=(\d+)"', page)
        assert struck == [str(entry.seq)] and page.count('<em class="soft">Undone.</em>') == 1
        assert "undid their last turn." in page and ("Alice undid" in page) == (reader != alice)


NUMBERS = re.compile(
    r'<section class="(log|since)".*?</section>| <span class="undo-turn">.*?</span>|<p id="said".*?</p>'
    r'|(data-(version|seq|head|live|said)|name="(seq|head)" value)="[^"]*"|"?(seq|version)"?: ?\d+|\?at=\d+'
    r"|seq=\d+|board/\d+\.png|after move \d+",
    re.DOTALL,
)


def pages(game, reader) -> list[str]:
    """Return what the reader sees at the table, without the log, its spoken form and the numbers of entries."""
    browser, url = browser_of(reader), game.get_absolute_url()
    answers = {
        "page": browser.get(url),
        "fragment": browser.get(url, headers=SCRIPT),
        "view": browser.get(f"{url}view.json"),
    }
    return {name: NUMBERS.sub("", without_token(answer)) for name, answer in answers.items()}


@pytest.mark.sampled
@pytest.mark.parametrize("slug", ["legends", "kingdoms"])
def test_t6_after_an_undo_everyone_sees_exactly_what_they_saw_before_the_turn(alice, bob, carol, eve, slug):
    with time_machine.travel("2026-11-21T10:00:00Z", tick=False):
        game = play_turns(table_of(alice, bob, carol, ruleset=slug, rated=False), 9)
        people = (alice, bob, carol)
        for reader in people:
            look(game, reader)
        before = {who: pages(game, who) for who in (*people, eve, None)}
        seat = some_turn(game)[0]
        play_turns(game, 1)
        undo_requests.ask(game=game, seat=seat, expected_seq=again(game).seq)
        request = open_undo_request(again(game))  # none if the turn told nobody anything
        for other in request.asked if request else ():
            undo_requests.agree(game=game, seat=other, expected_seq=again(game).seq)
        for reader in people:
            look(game, reader)
        assert again(game).seq == game.seq + 2
        assert {who: pages(game, who) for who in before} == before
