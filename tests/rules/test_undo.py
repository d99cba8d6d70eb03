"""Undone turns in the log of any game: which can be undone, who learned from them, and what remains."""

import json
from collections import defaultdict
from collections.abc import Callable
from functools import cache

import msgspec
import pytest

from games.bots.registry import BOTS
from games.bots.selfplay import Listener, Table, seed_of
from games.rules import log, record
from games.rules.fairness import Fair, Quick
from games.rules.log import Entry, stored
from games.rules.play import apply
from games.rules.protocol import Action, IllegalAction, Ruleset, State
from games.rules.registry import RULESETS
from tests.each import for_each
from tests.rules.kingdoms import positions as kingdoms
from tests.rules.kingdoms.positions import KINGDOMS, Stacked
from tests.rules.positions import LEGENDS, position

ALICE, BOB, CAROL = range(3)
FULL = {
    "legends": {"explore": True, "poison_swamp": True, "setup": "by-hand"},
    "prototype": {},
    "classic": {},
    "kingdoms": {},
}


class Undoing(Table):
    """A game of bots in which every third turn that can be undone is."""

    undone = 0
    drew = 0

    def _turn(self, seat: int, budget: int | None, clock: Callable[[int], float], listener: Listener | None) -> float:
        before = self.state.copy()
        spent = super()._turn(seat, budget, clock, listener)
        turn = self.entries[-1]
        if self.whims.below(3) or not can_undo(self.ruleset, before, turn, self.state, self.entries[-2]):
            return spent
        self.drew += self.chance.has_drawn
        actions, events = log.undoing(turn, again=self.chance.has_drawn)
        self.chance.undo()
        self._append(turn.seat, actions, events)
        self.state = before
        self.undone += 1
        return spent


def can_undo(rules: Ruleset, before: State, turn: Entry, after: State, earlier: Entry) -> bool:
    try:
        log.check_undo(rules, before, turn, after, turn.seat or 0, earlier)
    except IllegalAction:
        return False
    return True


@cache
def play(slug: str) -> tuple[Undoing, record.Record]:
    table = Undoing(RULESETS[slug], FULL[slug], [BOTS["random"]] * 3, seed_of("undo", 1))
    return table, table.play().record


@pytest.fixture(params=FULL)
def game(request: pytest.FixtureRequest) -> tuple[Undoing, record.Record]:
    return play(request.param)


def test_a_game_with_undone_turns_folds_to_its_position_and_its_record_verifies(game) -> None:
    table, played = game
    assert table.undone > 3
    assert record.verify(played) == []
    again = record.decode(record.encode(played))
    assert record.encode(again) == record.encode(played) and record.verify(again) == []
    folded = log.fold(table.ruleset, table.ruleset.initial(table.options, table.seats), played.entries)
    assert folded == record.replay(played) == table.state


def test_undoing_a_turn_restores_the_position_before_it(game) -> None:
    table, played = game
    gone = sorted(log.undone(played.entries))[:5]
    for seq in gone:
        before, after = (
            log.fold(table.ruleset, table.ruleset.initial(table.options, table.seats), played.entries[:upto])
            for upto in (seq, seq + 2)
        )
        assert before == after
        for seat in (*range(3), None):
            assert table.ruleset.view(before, seat) == table.ruleset.view(after, seat)


def test_every_seat_sees_that_a_turn_was_undone(game) -> None:
    table, played = game
    for entry in played.entries:
        for seat in (*range(3), None):
            seen = log.seen_by(table.ruleset, entry, seat)
            assert log.undoes(seen) == log.undoes(entry)
            assert seen.digest == entry.digest
            assert log.undoes(entry) is None or seen == entry


def test_a_record_with_undone_turns_says_so_in_its_format(game) -> None:
    _table, new = game
    played = in_old_format(new)
    assert played.format == "eight-minutes-record/2" and record.verify(played) == []
    older = msgspec.structs.replace(played, format=record.OLDEST)
    assert record.verify(older) == ["This is not a record in the format eight-minutes-record/2."]
    plain = msgspec.structs.replace(played, entries=log.turns_that_count(played.entries))
    assert record.verify(plain) == ["This is not a record in the format eight-minutes-record/1."]
    assert new.format == "eight-minutes-record/4"


def in_old_format(played: record.Record) -> record.Record:
    """Return the game in the format from before the chain began with the header."""
    seats = tuple(record.RecordSeat(seat.name, seat.bot) for seat in played.seats)
    return chained(msgspec.structs.replace(played, format=record.format_of(played.entries), seats=seats))


def chained(played: record.Record) -> record.Record:
    """Return the record with recomputed digests."""
    head, entries, seed = record.opening(played), [], bytes.fromhex(played.seed or "")
    for entry in played.entries:
        head = log.link(head, entry, seed)
        entries.append(msgspec.structs.replace(entry, digest=head))
    return msgspec.structs.replace(played, entries=tuple(entries))


@for_each("seq", [None, "1", [1], {"seq": 1}, True, 10**9])
def test_an_invalid_undo_entry_is_reported_and_does_not_crash(game, seq: object) -> None:
    _table, played = game
    at = min(log.undone(played.entries)) + 1
    events = ({"kind": log.UNDO, "seq": seq},)
    entries = [msgspec.structs.replace(entry, events=events) if entry.seq == at else entry for entry in played.entries]
    forged = msgspec.structs.replace(played, entries=tuple(entries))
    assert record.verify(forged)


# Who learned something from a turn


def turn(rules: Ruleset, before: State, seat: int, *actions: str, chance: object = None) -> tuple[Entry, State]:
    """Return an entry of these actions, and the position after it."""
    after, events = before.copy(), []
    for text in actions:
        for event in rules.decide(after, seat, rules.parse(text), chance or Stacked()):
            rules.evolve(after, event)
            events.append(event)
    return Entry(7, "", seat, actions, stored(events)), after


def learned(rules: Ruleset, before: State, seat: int, *actions: str, chance: object = None) -> tuple[int, ...]:
    entry, after = turn(rules, before, seat, *actions, chance=chance)
    return log.who_learned(rules, before, entry, after, len(before.seats))


def test_everyone_learned_a_card_that_was_dealt_to_the_row() -> None:
    state = position(3, armies={"v4": (3, 3, 3)})
    text = LEGENDS.text(LEGENDS.legal(state, ALICE)[0])
    assert learned(LEGENDS, state, ALICE, text, "done", chance=Quick(1)) == (BOB, CAROL)


def test_nobody_learned_anything_from_a_turn_without_a_draw() -> None:
    state = position(3, armies={"v4": (3, 3, 3)})
    state.deck = ()
    text = LEGENDS.text(LEGENDS.legal(state, ALICE)[0])
    assert learned(LEGENDS, state, ALICE, text, "done") == ()


@pytest.mark.long
def test_nobody_learned_anything_from_face_down_troops() -> None:
    state = kingdoms.position(hands={ALICE: "A8 C9", BOB: "A7 A4"}, towers={BOB: "E"})
    attack = kingdoms.spelt(state, ALICE, "attack 1 with A8")
    assert learned(KINGDOMS, state, ALICE, attack) == ()


def test_players_who_had_not_seen_the_hand_learned_the_cards_that_paid() -> None:
    state = kingdoms.position(hands={ALICE: "A8 C9 A6", BOB: "A7 A4"}, towers={BOB: "E"})
    bought = next(text for text in map(KINGDOMS.text, KINGDOMS.legal(state, ALICE)) if text.startswith("buy "))
    assert learned(KINGDOMS, state, ALICE, bought) == (BOB, CAROL)


def test_everyone_is_asked_after_a_player_drew_unseen_cards() -> None:
    state = kingdoms.position(hands={ALICE: "A8"}, drawn=False)
    assert learned(KINGDOMS, state, ALICE, "draw") == (BOB, CAROL)


def test_draws_by_entry_number_are_recorded_and_draws_from_decks_are_not() -> None:
    chance = Fair(bytes(32))
    chance.draw("deck", ["a", "b"])
    assert not chance.has_drawn and chance.kept == {}
    chance.below(6)
    assert chance.has_drawn and not chance.at(2).has_drawn


# The same draws are repeated


class Cheating(Table):
    """A game of bots who submit step by step and undo whatever they can, hoping for other draws.

    `first` has the first draws that each seat ever saw, by their number among the draws that count.
    """

    repeats_draws = True
    undone = redrawn = 0

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)
        self.first: dict[tuple[int, int], object] = {}
        self.counting: dict[int, list[object]] = defaultdict(list)

    def _turn(self, seat: int, budget: int | None, clock: Callable[[int], float], listener: Listener | None) -> float:
        self.chance.at(len(self.entries), seat)
        before, number = self.state.copy(), len(self.counting[seat])
        action = self.chosen(seat)
        events = apply(self.ruleset, self.state, seat, [action], self.chance)
        self._append(seat, (self.ruleset.text(action),), events)
        used = list(self.chance._used)
        for place, draw in enumerate(used, start=number):
            self.redrawn += self.first.setdefault((seat, place), draw) != draw
        self.counting[seat] += used
        if self.whims.below(2) and can_undo(self.ruleset, before, self.entries[-1], self.state, self.entries[-2]):
            self.undone += self.chance.has_drawn
            again = self.chance.has_drawn and self.repeats_draws
            if again:
                self.chance.undo()
            self._append(seat, *log.undoing(self.entries[-1], again=again))
            self.state = before
            del self.counting[seat][number:]
            kept = json.loads(json.dumps(self.chance.kept))  # stored as between two requests
            self.chance = Fair(self.seed, kept)
        return 0.0

    def chosen(self, seat: int) -> Action:
        """Choose a random action, preferring draws by entry number."""
        legal = self.ruleset.legal(self.state, seat)
        drawing = [action for action in legal if self.ruleset.text(action).startswith(("blind-pick", "tribute"))]
        among = drawing if drawing and self.whims.below(3) else legal
        return among[self.whims.below(len(among))]


@pytest.mark.parametrize("number", [0, *(pytest.param(number, marks=pytest.mark.long) for number in range(1, 4))])
def test_no_sequence_of_undone_turns_gives_new_draws(number: int) -> None:
    table = Cheating(KINGDOMS, {}, [BOTS["random"]] * 4, seed_of("cheating", number))
    played = table.play().record
    assert table.undone > 0 and table.redrawn == 0
    assert record.verify(played) == []


class Older(Cheating):
    """The old behavior: a turn played again after an undo drew by the number of its own entry."""

    repeats_draws = False


def test_records_from_before_draws_were_repeated_still_verify() -> None:
    table = Older(KINGDOMS, {}, [BOTS["random"]] * 4, seed_of("cheating", 0))
    played = table.play().record
    assert table.redrawn > 0
    assert record.verify(in_old_format(played)) == []


# Tampering


def forged(played: record.Record, at: int, **changes: object) -> list[str]:
    """Return the flaws found after changing an entry and recomputing the chain, as the holder of the seed could."""
    entries = tuple(msgspec.structs.replace(entry, **changes) if entry.seq == at else entry for entry in played.entries)
    return record.verify(chained(msgspec.structs.replace(played, entries=entries)))


def test_tampering_with_an_undone_turn_is_detected_even_with_a_recomputed_chain(game) -> None:
    _table, played = game
    at = sorted(log.undone(played.entries))[1] + 1
    seat = played.entries[at].seat
    taken = {"actions": (log.UNDO,), "by": "seat"}
    assert forged(played, at) == []
    assert "too late to undo your turn" in forged(played, at, seat=(seat + 1) % 3)[0]
    assert "only the player of a turn" in forged(played, at, by="clock")[0]
    assert "only the player of a turn" in forged(played, at, seat=None)[0]
    assert forged(played, at, events=({"kind": log.UNDO, "seq": at - 2},))
    assert forged(played, at, events=())
    assert forged(played, at, actions=("done",))
    assert "so it can’t be undone" in forged(played, at - 1, by="clock")[0]
    again = {**taken, "seat": seat, "events": ({"kind": log.UNDO, "seq": at},)}
    assert "The one before it can’t be undone" in forged(played, at + 1, **again)[0]
    assert "done by the site" in forged(played, 1, **taken, seat=0, events=({"kind": log.UNDO, "seq": 0},))[0]
