"""Clocks on the table page: how a deadline is calculated, time banks, vacations, substitutes, and what stays hidden."""

import re
from datetime import date, timedelta

import pytest
import time_machine
from django.utils import timezone

from games.tables.models import Seat
from games.tables.services import handover, time_off
from tests.cast import again, in_turns, play_out, play_turns, seats_of, submit, table_of
from tests.web.reading import main, text

pytestmark = pytest.mark.django_db

BANK = "bank 5d +12h cap 7d"


@pytest.fixture(autouse=True)
def thursday_noon():
    with time_machine.travel("2026-11-19T12:00:00Z", tick=False) as clock:
        yield clock


def plain(answer) -> str:
    return re.sub(r"\s+", " ", text(answer).replace("\xa0", " "))


def test_each_reader_sees_how_the_deadline_is_calculated_in_their_own_time_zone(sit, alice, bob):
    alice.time_zone, bob.time_zone = "Europe/Berlin", "Asia/Tokyo"
    alice.save()
    bob.save()
    time_off.set_night(user=alice, zone="Europe/Berlin", window="23:00-07:00")
    game = in_turns(alice, bob, clock="move 2d weekends-off")
    alices_page = plain(sit(alice, game).look())
    assert "until Tue 24 Nov, 13:00" in alices_page
    assert "2 days plus a weekend and 4 nights (1 day)" in alices_page
    assert "with 2 days left. Without pauses, the deadline would be Sat 21 Nov, 13:00." in alices_page
    bobs_page = plain(sit(bob, game).look())
    assert "until Tue 24 Nov, 21:00" in bobs_page and "2 days plus a weekend" in bobs_page
    assert "/accounts/time-off/" in bobs_page and 'href="/rules/clocks/"' in main(sit(None, game).look())


def test_without_time_off_there_is_no_calculation_to_show(sit, alice, bob):
    assert "2 days; the clock doesn’t pause" in plain(sit(alice, in_turns(alice, bob)).look())


def test_each_bank_is_shown_next_to_its_player(sit, alice, bob, thursday_noon):
    game = in_turns(alice, bob, clock=BANK)
    thursday_noon.shift(timedelta(days=1))
    page = plain(sit(bob, game).look())
    assert "4 days 12 hours in the bank" in page and "6 days in the bank" in page
    assert "in the bank" not in plain(sit(alice, in_turns(alice, bob)).look())


def test_while_bids_are_sealed_no_clock_reveals_who_has_bid(sit, alice, bob, carol, thursday_noon):
    time_off.set_night(user=alice, zone="Europe/Berlin", window="23:00-07:00")
    game = table_of(alice, bob, carol, clock=BANK)
    thursday_noon.shift(timedelta(hours=7))
    before = [clock_parts(sit(reader, game).look()) for reader in (bob, carol, None)]
    submit(game, 0, "bid 2")
    assert [clock_parts(sit(reader, game).look()) for reader in (bob, carol, None)] == before
    assert "4 days 17 hours in the bank" in before[0] and before[0].count("in the bank") == 1
    assert "in the bank" not in before[2] and 'id="why"' not in before[2]


def clock_parts(answer) -> str:
    """The page without its version and tokens."""
    page = plain(answer)
    parts = ('<p class="clock">.*?</p>', '<section class="why".*?</section>', '<p class="seat-notes.*?</p>')
    return " ".join(re.findall("|".join(parts), page))


def test_current_and_upcoming_vacations_are_shown(sit, alice, bob, carol):
    time_off.announce(user=carol, first=date(2026, 11, 19), last=date(2026, 12, 3))
    time_off.announce(user=bob, first=date(2026, 12, 20), last=date(2026, 12, 22))
    called_off = time_off.announce(user=bob, first=date(2027, 1, 2), last=date(2027, 1, 2))
    time_off.cancel(user=bob, vacation=called_off.pk)
    page = plain(sit(alice, in_turns(alice, bob, carol)).look())
    assert "Carol is on vacation until 3 December." in page
    assert "Bob will be on vacation from 20 December to 22 December." in page and "2 January" not in page


def test_everyone_sees_who_plays_a_seat_and_who_played_it_before(sit, alice, bob, carol, dan, thursday_noon):
    game = in_turns(alice, bob, carol)
    of_bob, of_carol = (Seat.objects.get(game=game, owner=owner) for owner in (bob, carol))
    handover.hand_to_bot(seat=of_bob, user=bob, until=timezone.now() + timedelta(days=3))
    handover.ask(seat=of_carol, user=carol, name="Dan")
    handover.accept(seat=of_carol, user=dan)
    page = plain(sit(alice, game).look())
    assert "A bot is playing for Bob until 22 November, 12:00." in page and "Dan is playing for Carol." in page
    assert "Bob let a bot play until 22 November, 12:00." in page, "about this game"
    assert "You are playing for Carol." in plain(sit(dan, game).look())
    handover.come_back(seat=of_bob, user=bob)
    page = plain(sit(alice, game).look())
    assert "A bot plays for Bob" not in page and "Bob came back." in page


def test_a_returning_owner_finds_the_button_at_the_top(sit, alice, bob):
    game = in_turns(alice, bob)
    handover.hand_to_bot(seat=seats_of(game)[1], user=bob)
    page = plain(sit(bob, game).look())
    assert page.index('value="back"') < page.index("<h1")
    assert 'value="back"' not in plain(sit(alice, game).look())


def test_a_deadline_says_whose_time_off_counts_while_a_substitute_plays(sit, alice, bob, dan):
    time_off.set_night(user=alice, zone="Europe/Berlin", window="23:00-07:00")
    game = in_turns(alice, bob)
    handover.ask(seat=seats_of(game)[0], user=alice, name="Dan")
    handover.accept(seat=seats_of(game)[0], user=dan)
    page = plain(sit(bob, game).look())
    assert "2 days plus 3 nights of 8 hours" in page
    assert "The clock follows Alice’s nights and weekends, even when someone else plays." in page


@pytest.mark.long
def test_a_seat_that_changes_hands_often_makes_no_page_grow(sit, alice, bob):
    game = in_turns(alice, bob)
    sizes = []
    for _many in range(2):
        for _time in range(handover.MOST_A_GAME // 2):
            handover.hand_to_bot(seat=seats_of(game)[0], user=alice)
            handover.come_back(seat=seats_of(game)[0], user=alice)
        for reader in (alice, bob):
            sit(reader, game).look()
        pages = [sit(reader, game).look(part) for reader, part in ((bob, ""), (alice, ""), (alice, "seat/"))]
        sizes.append([len(plain(page)) for page in pages])
    assert sizes[0] == sizes[1] and min(sizes[0]) > 1000


def test_the_page_needs_few_queries_with_everyone_away(sit, alice, bob, carol, django_assert_max_num_queries):
    """Eight queries for the table, three for the reader, as in `test_table`, and one for the menu."""
    time_off.announce(user=carol, first=date(2026, 11, 19), last=date(2026, 12, 3))
    game = play_turns(in_turns(alice, bob, carol, clock=BANK), 2)
    handover.hand_to_bot(seat=seats_of(game)[1], user=bob)
    table = sit(alice, game)
    table.look()
    with django_assert_max_num_queries(8 + 4):
        table.look()


def test_a_finished_game_keeps_its_history_and_has_no_clocks(sit, alice, bob):
    game = in_turns(alice, bob)
    handover.hand_to_bot(seat=seats_of(game)[1], user=bob)
    page = plain(sit(bob, play_out(again(game))).look())
    assert "Bob let a bot play." in page and 'value="back"' not in page and 'id="why"' not in page
