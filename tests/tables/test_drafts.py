"""Drafts: only their seat sees them, they are kept across devices, and they can be undone."""

import pytest

from games.errors import Illegal, NotFound, NotYours, Over, Stale
from games.tables.models import Draft, Game
from games.tables.selectors.table import table
from games.tables.services import play
from tests.cast import again, everything_written, in_turns, play_out, some_turn, submit, table_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def game(alice, bob) -> Game:
    """Return a game in which seat 0 is to act and has a turn of two actions or more."""
    game = in_turns(alice, bob)
    while len(some_turn(game)[1]) < 2 or some_turn(game)[0] != 0:
        seat, actions = some_turn(game)
        submit(game, seat, *actions)
    return again(game)


def lay(game: Game, *actions: str) -> Draft:
    return play.lay_out(game=game, who=0, actions=actions, expected_seq=game.seq)


def add(game: Game, action: str) -> Draft:
    return play.add_steps(game=game, who=0, actions=[action], expected_seq=game.seq)


def test_steps_are_laid_out_one_by_one_and_kept_for_the_next_visit(game, alice):
    _seat, actions = some_turn(game)
    for action in actions:
        add(game, action)
    seen = table(public_id=game.public_id, user=alice)
    assert seen.draft == tuple(actions)
    assert seen.turn_complete
    assert seen.view != seen.before


def test_a_draft_changes_nothing_for_anyone_else(game, alice, bob, eve):
    before = [table(public_id=game.public_id, user=reader).view for reader in (bob, eve)]
    version = again(game).version
    lay(game, *some_turn(game)[1])
    assert [table(public_id=game.public_id, user=reader).view for reader in (bob, eve)] == before
    assert again(game).version == version


def test_a_refused_step_keeps_the_rest_of_the_draft(game, alice):
    _seat, actions = some_turn(game)
    lay(game, actions[0])
    with pytest.raises(Illegal):
        add(game, "build nowhere")
    assert table(public_id=game.public_id, user=alice).draft == (actions[0],)


def test_a_refused_turn_keeps_the_old_draft(game, alice):
    _seat, actions = some_turn(game)
    lay(game, actions[0])
    with pytest.raises(Illegal):
        lay(game, actions[0], "fly away")
    assert table(public_id=game.public_id, user=alice).draft == (actions[0],)


def test_the_last_step_or_the_whole_draft_can_be_undone(game, alice):
    _seat, actions = some_turn(game)
    lay(game, *actions)
    assert play.undo(game=game, who=0, expected_seq=game.seq).laid == actions[:-1]
    assert play.undo(game=game, who=0, expected_seq=game.seq, keep=0).laid == []
    seen = table(public_id=game.public_id, user=alice)
    assert (seen.draft, seen.view) == ((), seen.before)


def test_undo_of_an_empty_draft_does_nothing(game):
    assert play.undo(game=game, who=0, expected_seq=game.seq).laid == []


def test_a_complete_turn_takes_no_more_steps_but_can_be_undone(game):
    _seat, actions = some_turn(game)
    lay(game, *actions)
    with pytest.raises(Illegal, match="Nothing can follow"):
        add(game, "done")
    assert play.undo(game=game, who=0, expected_seq=game.seq).laid == actions[:-1]


def test_a_draft_does_not_show_what_chance_would_decide(game, alice):
    lay(game, *some_turn(game)[1])
    seen = table(public_id=game.public_id, user=alice)
    assert len(seen.view.row) == len(seen.before.row) - 1


def test_an_outdated_draft_is_ignored_with_a_sentence_and_then_deleted(game, alice):
    seat, actions = some_turn(game)
    lay(game, actions[0])
    draft = Draft.objects.get()
    submit(game, seat, *actions)
    draft.save(force_insert=True)  # as if it had been saved at the same moment
    seen = table(public_id=game.public_id, user=alice)
    assert (seen.draft, seen.stale) == ((), str(Stale()))
    play.look(seat=seen.seat, seq=seen.seq, has_stale_draft=True)
    assert table(public_id=game.public_id, user=alice).stale == ""


def test_laying_out_on_an_old_entry_is_stale(game):
    with pytest.raises(Stale):
        play.lay_out(game=game, who=0, actions=[], expected_seq=game.seq - 1)


def test_laying_out_out_of_turn_is_refused(game):
    before = everything_written(game)
    with pytest.raises(NotYours):
        play.lay_out(game=game, who=1, actions=[], expected_seq=game.seq)
    assert everything_written(game) == before


def test_laying_out_in_a_finished_game_is_refused(game):
    play_out(game)
    with pytest.raises(Over):
        lay(again(game))


def test_laying_out_in_an_unknown_game_or_seat_is_refused(game):
    with pytest.raises(NotFound):
        play.lay_out(game="zzzzzzzz", who=0, actions=[], expected_seq=0)
    with pytest.raises(NotFound):
        play.lay_out(game=game, who=7, actions=[], expected_seq=game.seq)


def test_a_bid_can_be_laid_out(alice, bob):
    game = table_of(alice, bob)
    play.lay_out(game=game, who=1, actions=["bid 2"], expected_seq=0)
    seen = table(public_id=game.public_id, user=bob)
    assert (seen.draft, seen.sealed) == (("bid 2",), ())
