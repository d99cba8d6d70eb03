"""What a reader sees of a game: permissions, the position after any entry, the log in words, and what changed."""

import pytest
from django.contrib.auth.models import AnonymousUser

from games.errors import NotFound
from games.rules.fairness import seed_hash
from games.tables.models import Entry, Game
from games.tables.selectors import lines
from games.tables.selectors.table import table
from games.tables.services import lobby, play
from tests.cast import again, bid, in_turns, play_out, play_turns, seats_of, some_turn, submit, table_of
from tests.kept import played_out

pytestmark = pytest.mark.django_db


def seen(game: Game, reader, **more):
    return table(public_id=game.public_id, user=reader, **more)


def test_a_stranger_does_not_find_a_private_table(alice, bob, eve):
    game = table_of(alice, bob, listed=False)
    for reader in (eve, None, AnonymousUser()):
        with pytest.raises(NotFound):
            seen(game, reader)
        with pytest.raises(NotFound):
            lines.log_lines(public_id=game.public_id, user=reader)


def test_players_and_people_with_the_invitation_see_a_private_table(alice, bob, eve):
    game = table_of(alice, bob, listed=False)
    assert seen(game, bob).seat.number == 1
    watcher = seen(game, eve, invite=game.invite_token)
    assert watcher.seat is None and watcher.view.seat is None


def test_a_wrong_invitation_opens_nothing(alice, bob, eve):
    game = table_of(alice, bob, listed=False)
    with pytest.raises(NotFound):
        seen(game, eve, invite=game.invite_token[:-1])


def test_anyone_can_watch_a_listed_game_as_a_spectator(alice, bob):
    seat = seen(in_turns(alice, bob), None)
    assert seat.seat is None and seat.view.legal == () and not seat.is_mine


def test_a_closed_table_is_visible_only_to_its_people(alice, eve):
    game = lobby.open_table(user=alice, players=2, listed=True)
    lobby.close_table(game=game, user=alice)
    assert seen(game, alice).game.status == "closed"
    with pytest.raises(NotFound):
        seen(game, eve)


def test_an_open_table_has_seats_and_no_position(alice):
    shown = seen(lobby.open_table(user=alice, players=3), alice)
    assert (shown.view, shown.names, shown.waiting_for, shown.log) == (None, ["Alice"], (), [])


def test_a_table_takes_no_more_than_eight_queries(alice, bob, django_assert_max_num_queries):
    game = play_turns(in_turns(alice, bob), 9)
    with django_assert_max_num_queries(8):
        seen(game, alice)
    with django_assert_max_num_queries(8):
        seen(game, None, at=4)
    game = play_out(game)
    with django_assert_max_num_queries(8):
        seen(game, alice)


def test_the_position_after_each_entry_can_be_seen(alice, bob):
    game = in_turns(alice, bob)
    views = [seen(game, None).view]
    for _turn in range(4):
        game = play_turns(game, 1)
        views.append(seen(game, None).view)
    assert [seen(game, None, at=at).view for at in range(game.seq - 4, game.seq + 1)] == views


def test_an_earlier_position_shows_no_draft_and_asks_for_nothing(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    play.lay_out(game=game, who=seat, actions=actions[:1], expected_seq=game.seq)
    for at in (0, game.seq):
        shown = seen(game, alice, at=at)
        assert (shown.draft, shown.waiting_for, shown.is_mine) == ((), (), False)
        assert shown.view.taken == ""


def test_bids_stay_hidden_in_the_position_between_two_of_them(alice, bob, eve):
    game = bid(table_of(alice, bob), 2, 3)
    assert [player.bid for player in seen(game, eve, at=1).view.players] == [None, None]
    assert [player.bid for player in seen(game, eve, at=2).view.players] == [2, 3]


@pytest.mark.parametrize("at", [-1, 4, 10**9])
def test_a_missing_entry_is_not_found(alice, bob, at):
    game = in_turns(alice, bob)
    with pytest.raises(NotFound):
        seen(game, alice, at=at)


def test_the_log_says_who_did_what_by_name(alice, bob):
    game = in_turns(alice, bob)
    seat, actions = some_turn(game)
    submit(game, seat, *actions)
    last = seen(game, bob).log[-1]
    assert (last.seq, last.seat, last.by) == (game.seq + 1, seat, "seat")
    assert last.sentences[0].startswith("Alice takes ")


def test_log_lines_are_new_until_the_player_looks(alice, bob):
    game = in_turns(alice, bob)
    play.look(seat=seats_of(game)[1], seq=game.seq)
    seat, actions = some_turn(game)
    submit(game, seat, *actions)
    assert [line.seq for line in seen(game, bob).log if line.new] == [game.seq + 1]
    play.look(seat=seats_of(game)[1], seq=game.seq + 1)
    assert not any(line.new for line in seen(game, bob).log)


def test_a_players_own_turn_is_not_new_to_them(alice, bob):
    game = in_turns(alice, bob)
    play.look(seat=seats_of(game)[0], seq=game.seq)
    seat, actions = some_turn(game)
    submit(game, seat, *actions)
    assert seat == 0 and not any(line.new for line in seen(game, alice).log)


def test_looking_at_an_earlier_entry_forgets_nothing(alice, bob):
    game = in_turns(alice, bob)
    seat = seats_of(game)[0]
    play.look(seat=seat, seq=game.seq)
    play.look(seat=seat, seq=0)
    assert seats_of(game)[0].seen_seq == game.seq


def test_regions_of_new_entries_are_marked_or_else_those_of_the_last_turn(alice, bob):
    game = played_out(alice, bob)
    entries = {entry.seq: entry for entry in Entry.objects.filter(game=game)}
    building = next(seq for seq, entry in entries.items() if seq and any("region" in event for event in entry.events))
    regions = {event["region"] for event in entries[building].events if "region" in event}
    assert regions <= seen(game, None, at=building).changed
    later = [seq for seq in entries if seq > building]
    everything = {
        event[key]
        for seq in later
        for event in entries[seq].events
        for key in ("region", "origin", "target")
        if key in event
    }
    seat = seats_of(game)[0]
    type(seat).objects.filter(pk=seat.pk).update(seen_seq=building)
    assert seen(game, alice).changed == everything


def test_the_table_shows_the_last_entries_and_older_ones_on_demand(alice, bob, monkeypatch):
    monkeypatch.setattr(lines, "RECENT", 5)
    game = play_turns(in_turns(alice, bob), 6)
    shown = seen(game, alice)
    assert shown.has_older and [line.seq for line in shown.log] == list(range(game.seq - 4, game.seq + 1))
    older = lines.log_lines(public_id=game.public_id, user=alice, before=shown.log[0].seq)
    assert [line.seq for line in older] == list(range(game.seq - 4))


def test_the_seed_is_shown_only_after_the_game(alice, bob):
    game = in_turns(alice, bob)
    assert seen(game, alice).seed == ""
    shown = seen(play_out(game), alice)
    assert seed_hash(bytes.fromhex(shown.seed)) == shown.game.seed_hash


def test_the_log_names_regions_as_on_the_map(alice, bob):
    start = seen(again(in_turns(alice, bob)), alice).log[0].sentences[0]
    region = Entry.objects.get(seq=0).events[1]["region"]
    assert region not in start.split()
