"""Catching up: a returning player sees on the board what happened, can step through it, and can reload the page."""

import json
import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection
from django.utils import timezone

from empire import insert_only
from games.rules.fairness import Quick
from games.tables.models import Entry, Seat
from games.tables.pages import frame
from games.tables.services import timeouts, undo_requests
from games.tables.templatetags.seats import marked_for_reader
from tests.cast import again, in_turns, play_turns, some_turn, submit
from tests.kept import played_out
from tests.tables.family import seeded
from tests.tables.kingdoms import go_on, kingdoms
from tests.web.reading import text

pytestmark = pytest.mark.django_db

MARKS = 'class="marks '
WITH_AND_WITHOUT_SCRIPT = pytest.mark.parametrize("htmx", [False, True], ids=["links alone", "htmx"])


def has_seen(game, user, seq: int) -> None:
    Seat.objects.filter(game=game, user=user).update(seen_seq=seq)


@pytest.fixture
def missed(alice, bob, carol):
    """A game in which two turns have been taken since Carol's own; she has seen the first of them."""
    game = play_turns(in_turns(alice, bob, carol), 5)
    assert seats(game).get(owes=True).user == carol
    has_seen(game, carol, game.seq - 1)
    return game


def seats(game):
    return Seat.objects.filter(game=game).order_by("number")


def test_the_board_highlights_changes_since_the_last_visit_and_after_a_reload_since_the_last_turn(come, missed, carol):
    reader, url = come(carol), missed.get_absolute_url()
    first, again_ = text(reader.get(url)), text(reader.get(url))
    assert MARKS in first and "Highlighted: changes since your last visit." in first and 'href="?since=turn"' in first
    assert MARKS in again_ and "Highlighted: changes since your last turn." in again_
    assert "Step through 2 moves" in again_
    assert f'href="?at={missed.seq}&amp;from={missed.seq - 1}"' in first


@pytest.mark.parametrize("has_looked", [False, True], ids=["first visit", "stayed"])
def test_changes_are_called_new_for_a_reader_who_has_not_been_away(come, missed, carol, has_looked):
    Seat.objects.filter(game=missed, user=carol).update(
        seen_seq=missed.seq - 1 if has_looked else -1, looked_at=timezone.now() - timedelta(minutes=1)
    )
    page = text(come(carol).get(missed.get_absolute_url()))
    assert "Highlighted: changes that are new to you." in page and "last visit" not in page and film(page)["auto"]
    news = "1 new move" if has_looked else f"{missed.seq} new moves"
    assert f">{news}<" in page and f"Step through {news.replace(' new', '')}<" in page


def test_before_my_first_turn_a_reload_shows_changes_since_the_game_began(come, alice, bob):
    game, chance = kingdoms(alice, bob), Quick(5)
    reader = come((bob, alice)[go_on(game, chance)])
    reader.get(game.get_absolute_url())
    page = text(reader.get(game.get_absolute_url()))
    assert "1 move since the game began" in page and "since your last" not in page


def test_a_link_shows_changes_since_my_last_turn_at_once(come, missed, carol):
    page = text(come(carol).get(f"{missed.get_absolute_url()}?since=turn"))
    assert "2 moves since your last turn" in page and "since your last visit" not in page


def test_a_link_hides_the_marks_until_they_are_wanted_again(come, missed, carol):
    reader, url = come(carol), missed.get_absolute_url()
    hide = re.search(r'<a href="([^"]+)"[^>]*id="marks"', text(reader.get(url)))[1]
    assert MARKS not in text(reader.get(url + hide)) and 'class="fresh"' not in text(reader.get(url))
    show = re.search(r'<a href="([^"]+)"[^>]*id="marks"', text(reader.get(url)))[1]
    assert MARKS in text(reader.get(url + show)) and MARKS in text(reader.get(url))


def test_readers_find_themselves_in_the_log_the_news_and_the_history(come, missed, alice, carol):
    url, seq, own = missed.get_absolute_url(), missed.seq - 2, '<b>Carol</b> <span class="soft">(you)</span> takes'
    page = text(come(carol).get(url))
    line = page.split(f'id="line-{seq}"')[1].split("</li>")[0]
    assert own in line and line.count("(you)") == 1 and "Alice takes" in page
    for at in (f"?at={seq}", f"?at={seq}&from={seq - 1}"):
        assert own in text(come(carol).get(url + at))
    for reader in (alice, None):
        assert "Carol takes" in text(come(reader).get(url)) and own not in text(come(reader).get(url))


def run_out(game) -> None:
    """Let the time of the seat that owes a decision run out."""
    now = timezone.now()
    past = {"deadline": now - timedelta(minutes=1), "since": now - timedelta(days=9)}
    Seat.objects.filter(game=game, owes=True).update(**past)
    assert timeouts.sweep_overdue(now) == 1


def test_a_player_whose_time_ran_out_learns_it_first_and_what_follows(come, alice, bob):
    game = play_turns(in_turns(alice, bob, clock="move 2d"), 2)
    url, late = game.get_absolute_url(), "You ran out of time, so a bot played for you."
    come(alice).get(url)
    run_out(game)
    page = text(come(alice).get(url))
    assert f'id="late">{late} If you run out of time again, a bot takes over until you come back.</p>' in page
    assert late in page.split('data-said="')[1].split('"')[0] and late not in text(come(bob).get(url))
    assert "Out of time: a bot played this turn." in text(come(bob).get(url)).split('id="since"')[1].split("</ul>")[0]
    play_turns(game, 1)
    run_out(game)
    page = text(come(alice).get(url))
    assert "You ran out of time, so a bot is playing for you until you come back." in page and "I’m back" in page


def test_own_names_are_found_as_words_and_not_in_longer_names():
    page = SimpleNamespace(me=1, names=["Anna B", "Anna", "<i>"])
    for sentence, marked in {
        "Anna B takes Coal.": "Anna B takes Coal.",
        "Anna takes Coal.": '<b>Anna</b> <span class="soft">(you)</span> takes Coal.',
        "<i> destroys one of Anna’s armies.": "&lt;i&gt; destroys one of <b>Anna</b>’s armies.",
        "Annas Castle falls to Anna B.": "Annas Castle falls to Anna B.",
    }.items():
        assert marked_for_reader(page, [sentence]) == [marked]


def test_names_written_from_right_to_left_do_not_swap_places_with_numbers():
    for me, dana in ((None, "<bdi>דנה</bdi>"), (0, "<b><bdi>דנה</bdi></b>"), (1, "<bdi>דנה</bdi>")):
        page = SimpleNamespace(me=me, names=["דנה", "Zoë"])
        [marked] = marked_for_reader(page, ["The bids: דנה 3, Zoë 2."])
        assert marked.replace("<b>Zoë</b>", "Zoë") == f"The bids: {dana} 3, Zoë 2."


@pytest.mark.parametrize("value", ["%F0%9F%92%A5", "%7F", "x%0D%0Ay", "nonsense", "x" * 5000, ""])
@pytest.mark.sampled
def test_only_known_values_of_sort_and_marks_are_remembered(come, missed, carol, value):
    reader, url = come(carol), missed.get_absolute_url()
    refused = reader.get(f"{url}?sort={value}&marks={value}")
    assert refused.status_code == 200 and not refused.cookies.keys() & {"sort", "marks"}
    kept = reader.get(f"{url}?sort={value}&marks=0")
    assert kept.status_code == 200 and kept.cookies.keys() & {"sort", "marks"} == {"marks"}


def test_the_row_of_cards_shows_what_is_new_and_who_took_what(come, missed, carol):
    page = text(come(carol).get(missed.get_absolute_url()))
    assert page.count('class="fresh"') == 1
    assert re.search(r'class="taken-card">.*?Bob <b>', page, re.DOTALL) and "Alice <b>" not in page


def test_with_a_draft_no_past_changes_are_marked(come, missed, carol):
    url, reader = missed.get_absolute_url(), come(carol)
    _seat, steps = some_turn(missed)
    reader.post(url + "step", {"seq": missed.seq, "action": steps[0]})
    page = text(reader.get(url))
    assert "marks counts" not in page and 'id="marks"' not in page and 'class="fresh"' not in page


def test_after_my_turn_the_board_shows_what_it_changed(come, missed, carol):
    seat, steps = some_turn(missed)
    submit(missed, seat, *steps)
    page = text(come(carol).get(missed.get_absolute_url()))
    assert "Highlighted: changes from the last move." in page and 'id="replay"' not in page


@WITH_AND_WITHOUT_SCRIPT
def test_the_replay_leads_from_the_last_seen_position_to_the_current_table(come, missed, carol, htmx):
    reader, url = come(carol, htmx=htmx), missed.get_absolute_url()
    has_seen(missed, carol, missed.seq - 2)
    start = missed.seq - 2
    at = re.search(r'<a class="button little" href="([^"]+)"', text(reader.get(url)))[1].replace("&amp;", "&")
    titles = []
    while at != url:
        page = text(reader.get(url + at))
        titles.append(re.search(r"<h1[^>]*>([^<]*)</h1>", page)[1])
        at = re.search(r'href="([^"]+)" rel="next"', page)[1].replace("&amp;", "&")
    assert titles == ["Move 1 of 2", "Move 2 of 2"]
    assert "Before move 1 of 2" in text(reader.get(f"{url}?at={start}&from={start}"))


def test_a_replayed_move_is_described_at_the_top_and_to_screen_readers(come, missed, carol):
    page = text(come(carol).get(f"{missed.get_absolute_url()}?at={missed.seq}&from={missed.seq - 2}"))
    sentence = re.search(r'<ul class="sentences plain">\s*<li>([^<]+)</li>', page)
    assert sentence.start() < page.index("<h1") and f'data-said="{sentence[1]}' in page


@pytest.mark.parametrize("start", ["-1", "99", "x", "9" * 30, "٣"])
@pytest.mark.sampled
def test_a_replay_with_an_invalid_start_is_the_plain_history(come, missed, carol, start):
    page = text(come(carol).get(missed.get_absolute_url(), {"at": 2, "from": start}))
    assert "Move 2 of" in page


@pytest.mark.long
def test_a_finished_game_can_be_replayed_from_the_start(come, alice, bob):
    game = played_out(alice, bob)
    page = text(come(alice).get(f"{game.get_absolute_url()}?at=5&from=0"))
    assert f"Move 5 of {game.seq}" in page and "Go to the result" in page


def test_a_fragment_fetched_by_htmx_does_not_count_as_a_visit(come, missed, carol):
    come(carol, htmx=True).get(missed.get_absolute_url())
    assert seats(missed).get(user=carol).seen_seq == missed.seq - 1


def film(page: str) -> dict | None:
    """The film that the page carries for player.js; `auto` if it plays when the page opens."""
    match = re.search(r'<script id="film"[^>]*>(.+?)</script>', page)
    return json.loads(match[1]) | {"auto": 'id="film-play" data-auto' in page} if match else None


def test_a_returning_player_sees_a_film_of_what_the_others_did_once(come, missed, carol):
    reader, url = come(carol), missed.get_absolute_url()
    has_seen(missed, carol, missed.seq - 2)
    first, later = film(text(reader.get(url))), film(text(reader.get(url)))
    assert [move["seq"] for move in first["moves"]] == [missed.seq - 1, missed.seq]
    assert first["auto"] and not later["auto"] and later["moves"] == first["moves"]
    assert {"take", "draw"} <= {step["do"] for move in first["moves"] for step in move["steps"]}
    assert "takes" in first["moves"][0]["said"]


def test_no_film_plays_for_a_reader_who_hides_changes_or_plans_a_turn(come, missed, carol):
    reader, url = come(carol), missed.get_absolute_url()
    has_seen(missed, carol, missed.seq - 2)
    assert not film(text(reader.get(url + "?marks=0")))["auto"]
    _seat, steps = some_turn(missed)
    reader.post(url + "step", {"seq": missed.seq, "action": steps[0]})
    assert film(text(reader.get(url))) is None


def test_no_film_plays_of_a_game_that_was_made_very_long(come, missed, eve, monkeypatch):
    watched = film(text(come(eve).get(missed.get_absolute_url())))
    monkeypatch.setattr(frame, "MOST_REPLAYED", missed.seq - 1)
    assert watched and film(text(come(eve).get(missed.get_absolute_url()))) is None


def test_my_own_turn_is_not_played_to_me_and_spectators_can_play_it(come, missed, carol, eve):
    seat, steps = some_turn(missed)
    submit(missed, seat, *steps)
    assert film(text(come(carol).get(missed.get_absolute_url()))) is None
    watched = film(text(come(eve).get(missed.get_absolute_url())))
    assert [move["seq"] for move in watched["moves"]] == [missed.seq + 1] and not watched["auto"]


@pytest.mark.parametrize("htmx", [False, True], ids=["page", "fragment"])
def test_each_entry_of_the_history_has_its_film(come, missed, eve, htmx):
    page = text(come(eve, htmx=htmx).get(f"{missed.get_absolute_url()}?at={missed.seq - 2}"))
    shown = film(page)
    assert shown["past"] and [move["seq"] for move in shown["moves"]] == [missed.seq - 2]
    assert f'data-past="{missed.seq - 2}"' in page
    for at in (0, 1):  # the set-up and the first bid
        assert film(text(come(eve).get(f"{missed.get_absolute_url()}?at={at}"))) is None


def test_an_undone_turn_is_not_in_the_film(come, alice, bob, carol):
    game = play_turns(in_turns(alice, bob, carol, rated=False), 2)
    undo_requests.ask(game=game, seat=1, expected_seq=game.seq)
    for seat in (0, 2):
        undo_requests.agree(game=game, seat=seat, expected_seq=game.seq)
    assert again(game).seq == game.seq + 1
    has_seen(game, carol, game.seq - 2)
    shown = film(text(come(carol).get(game.get_absolute_url())))
    assert [move["seq"] for move in shown["moves"]] == [game.seq - 1]


def test_without_a_film_the_page_is_complete(come, missed, carol):
    """A position that does not follow from the log can be shown, but the way there cannot be played."""
    turn = Entry.objects.get(game=missed, seq=missed.seq - 3)
    taken = next(event for event in turn.events if event["kind"] == "take")
    insert_only.allow(connection)
    Entry.objects.filter(pk=turn.pk).update(events=[taken, taken])
    insert_only.forbid(connection)
    page = text(come(carol).get(missed.get_absolute_url()))
    assert film(page) is None and MARKS in page and "Your turn" in page


@pytest.mark.long
def test_kingdoms_highlights_hands_and_the_flop_and_can_be_replayed(come, alice, bob, eve, monkeypatch):
    seeded(monkeypatch, 4)
    game, chance = kingdoms(alice, bob), Quick(5)
    movers = [go_on(game, chance) for _action in range(8)]
    game, reader = again(game), (bob, alice)[movers[-1]]
    has_seen(game, reader, 1)
    url = game.get_absolute_url()
    page = text(come(reader).get(url))
    assert '<g class="count"' in page and 'class="k-news' in page and "since your last visit" in page
    assert '<g class="count"' not in text(come(reader).get(url + "?marks=0"))
    has_seen(game, reader, 1)
    played = film(text(come(reader).get(url)))
    steps = [step for move in played["moves"] for step in move["steps"]]
    assert played["auto"] and {step["do"] for step in steps} <= {"cards", "rise", "fall", "stir", "show"}
    step_keys = {"do", "from", "to", "n", "seat", "faces", "realm", "counts"}
    assert {key for step in steps for key in step} <= step_keys
    watched = film(text(come(eve).get(url)))["moves"][-1]["steps"]  # a realm marks the reader's own kingdom
    assert str(watched) == str(played["moves"][-1]["steps"]).replace(" mine", "")
    for viewer in (reader, eve):
        assert f"Move 3 of {game.seq}" in text(come(viewer).get(f"{url}?at=3&from=0"))
