"""Stepping through a game: every entry has an address, and the end shows the result."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.rules.protocol import Scoresheet
from games.tables.models import Entry, Game, Seat
from games.tables.selectors import lines
from games.tables.services import play
from tests.cast import bid, in_turns, play_out, play_turns, table_of
from tests.kept import played_out
from tests.web.reading import actions, text

pytestmark = pytest.mark.django_db


def links(page: str) -> dict[str, str]:
    """The links of the stepper: address by rel."""
    matches = re.findall(r'<a class="button" href="(\?at=\d+)" rel="(first|prev|next|last)"', page)
    return {rel: address for address, rel in matches}


def test_every_entry_has_an_address_with_its_sentences(come, alice, bob):
    game = play_turns(in_turns(alice, bob), 3)
    reader = come(alice)
    for line in lines.log_lines(public_id=game.public_id, user=alice):
        page = text(reader.get(f"{game.get_absolute_url()}?at={line.seq}"))
        title = f"Move {line.seq} of {game.seq}" if line.seq else "Start of the game"
        assert f'<h2 id="history-title">{title}</h2>' in page
        assert all(sentence.replace("'", "&#x27;") in page for sentence in line.sentences)


@pytest.mark.parametrize("htmx", [False, True], ids=["links alone", "htmx"])
def test_the_stepper_leads_from_the_first_entry_to_the_last(come, alice, bob, htmx):
    game = play_turns(in_turns(alice, bob), 2)
    reader, at, walked = come(alice, htmx=htmx), "?at=0", []
    while at:
        steps = links(text(reader.get(game.get_absolute_url() + at)))
        walked.append(at)
        at = steps.get("next", "")
    assert walked == [f"?at={seq}" for seq in range(game.seq + 1)]
    assert steps == {"first": "?at=0", "prev": f"?at={game.seq - 1}"}


def test_earlier_entries_offer_no_actions(come, alice, bob):
    game = in_turns(alice, bob)
    url, reader = game.get_absolute_url(), come(alice)
    card = actions(reader.get(url))[0]
    reader.post(url + "step", {"seq": game.seq, "action": card})
    for at in (0, game.seq):
        page = reader.get(f"{url}?at={at}&region=v3")
        assert actions(page) == [] and "data-action" not in text(page) and "confirm" not in text(page)


@pytest.mark.parametrize("at", ["99", "-1", "seven", "1e3", "٣", "9" * 40])
def test_an_unknown_entry_is_not_found(come, alice, bob, at):
    game = in_turns(alice, bob)
    assert come(alice).get(game.get_absolute_url(), {"at": at}).status_code == 404


def test_an_earlier_entry_reads_the_log_up_to_it_once(come, alice, bob, monkeypatch):
    monkeypatch.setattr(lines, "RECENT", 2)
    game = play_turns(in_turns(alice, bob), 3)
    browser = come(alice)
    with CaptureQueriesContext(connection) as queries:
        assert browser.get(f"{game.get_absolute_url()}?at={game.seq - 1}").status_code == 200
    of_log = [query["sql"] for query in queries if 'FROM "tables_entry"' in query["sql"]]
    assert len(of_log) == 2, "the whole log, and the last lines"


def test_viewing_an_earlier_entry_does_not_count_as_a_visit(come, alice, bob):
    game = play_turns(in_turns(alice, bob), 1)
    come(bob).get(game.get_absolute_url() + "?at=1")
    assert Seat.objects.get(game=game, user=bob).seen_seq < game.seq


def test_the_position_between_two_bids_reveals_neither(come, alice, bob, eve):
    game = bid(table_of(alice, bob), 7, 5)
    for reader in (bob, eve):
        page = text(come(reader).get(game.get_absolute_url() + "?at=1"))
        assert "bid 7" not in page and "7 coins" not in page


def test_the_regions_of_an_entry_are_marked_on_the_map(come, alice, bob):
    game = played_out(alice, bob)
    entry = next(
        entry for entry in Entry.objects.filter(game=game, seq__gt=3) if any("region" in e for e in entry.events)
    )
    region = next(event["region"] for event in entry.events if "region" in event)
    page = text(come(alice).get(f"{game.get_absolute_url()}?at={entry.seq}"))
    assert re.search(rf'class="region[^"]*changed[^"]*" id="region-{region}"', page)


def test_the_result_shows_places_the_scoresheet_and_next_steps(come, alice, bob):
    game = played_out(alice, bob)
    page = text(come(alice).get(game.get_absolute_url()))
    first = min(game.result["seats"], key=lambda score: score["place"])
    assert 'class="rank place-1"' in page and f"<strong>{first['total']}</strong>" in page
    assert "Regions" in page and "Islands" in page and "Elixirs" in page
    for way in ("?at=0&from=0", f"{game.get_absolute_url()}record.json", "/lobby/open/"):
        assert f'href="{way}"' in page


def test_the_result_of_a_public_game_can_be_shared_and_that_of_a_private_one_not(come, alice, bob):
    game = played_out(alice, bob)
    Game.objects.filter(pk=game.pk).update(listed=True)
    assert 'id="share"' in text(come(alice).get(game.get_absolute_url()))
    Game.objects.filter(pk=game.pk).update(listed=False)
    assert 'id="share"' not in text(come(alice).get(game.get_absolute_url()))


def test_a_tie_is_described_in_words():
    from games.rules.protocol import SeatScore
    from games.tables.pages.eight_minute.players import TIE_BREAKS
    from games.tables.pages.result import ranking

    sheet = Scoresheet((SeatScore(0, 9, 2, (), "coins"), SeatScore(1, 9, 1, ())))
    assert [(rank.name, rank.tie_break) for rank in ranking(sheet, ["Alice", "Bob"], TIE_BREAKS)] == [
        ("Bob", ""),
        ("Alice", "fewer coins left"),
    ]


def test_a_full_game_leads_on_to_its_next_game(come, alice, bob):
    game = play_out(table_of(alice, bob, full=True))
    following = Game.objects.get(full_game=game.full_game, number=2)
    page = text(come(alice).get(game.get_absolute_url()))
    assert "game 1 of 3" in page and f'href="{following.get_absolute_url()}"' in page


def test_the_whole_log_is_shown_on_request(come, alice, bob, monkeypatch):
    monkeypatch.setattr(lines, "RECENT", 4)
    game = play_turns(in_turns(alice, bob), 6)
    reader = come(alice)
    short, whole = text(reader.get(game.get_absolute_url())), text(reader.get(game.get_absolute_url() + "?log=all"))
    assert 'href="?at=0"' not in short and 'id="older"' in short
    assert 'href="?at=0"' in whole and 'id="older"' not in whole


def test_links_of_the_log_are_named_for_screen_readers(come, alice, bob):
    page = text(come(alice).get(play_turns(in_turns(alice, bob), 1).get_absolute_url()))
    names = re.findall(r'<a class="seq number" href="\?at=(\d+)"[^>]* aria-label="Move (\d+)">(\d+)</a>', page)
    assert names and all(len(set(numbers)) == 1 for numbers in names)


def test_a_turn_taken_on_time_out_says_so(come, alice, bob):
    game = in_turns(alice, bob)
    card = actions(come(alice).get(game.get_absolute_url()))[0]
    play.submit_turn(game=game, seat=0, actions=[card, "done"], expected_seq=game.seq, by="clock")
    assert "a bot played this turn" in text(come(bob).get(game.get_absolute_url()))


def test_the_history_does_not_say_whose_turn_it_is(come, alice, bob):
    game = in_turns(alice, bob)
    reader, url = come(alice), game.get_absolute_url()
    for at, heading in ((game.seq - 1, "Earlier position"), (game.seq, "Current position")):
        page = text(reader.get(f"{url}?at={at}"))
        assert f">{heading}</h1>" in page and "Your turn: take a card" not in page


@pytest.mark.long
def test_the_last_entry_of_a_finished_game_is_its_final_position(come, alice, bob):
    game = played_out(alice, bob)
    page = text(come(alice).get(f"{game.get_absolute_url()}?at={game.seq}"))
    assert ">Final position</h1>" in page and f"Move {game.seq} of {game.seq}" in page
