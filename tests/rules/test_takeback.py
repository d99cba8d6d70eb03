"""Turns taken back in the log of any game: what may be undone, who learned something from it, and what is left."""

import json
from collections import defaultdict

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


class Wavering(Table):
    """A game of bots in which every third turn that may be taken back is."""

    taken_back = 0
    drew = 0

    def _turn(self, seat: int, budget: int, listener: Listener | None) -> None:
        before = self.state.copy()
        super()._turn(seat, budget, listener)
        turn = self.entries[-1]
        if self.whims.below(3) or not may(self.ruleset, before, turn, self.state, self.entries[-2]):
            return
        self.drew += self.chance.has_drawn
        actions, events = log.taking_back(turn, again=self.chance.has_drawn)
        self.chance.take_back()
        self._append(turn.seat, actions, events)
        self.state = before
        self.taken_back += 1


def may(rules: Ruleset, before: State, turn: Entry, after: State, earlier: Entry) -> bool:
    try:
        log.check_undo(rules, before, turn, after, turn.seat or 0, earlier)
    except IllegalAction:
        return False
    return True


@pytest.fixture(params=FULL)
def wavered(request: pytest.FixtureRequest) -> tuple[Wavering, record.Record]:
    table = Wavering(RULESETS[request.param], FULL[request.param], [BOTS["random"]] * 3, seed_of("take-back", 1))
    return table, table.play().record


def test_a_game_with_turns_taken_back_folds_to_its_position_and_its_record_is_proof(wavered) -> None:
    table, played = wavered
    assert table.taken_back > 3
    assert record.verify(played) == []
    again = record.decode(record.encode(played))
    assert record.encode(again) == record.encode(played) and record.verify(again) == []
    folded = log.fold(table.ruleset, table.ruleset.initial(table.options, table.seats), played.entries)
    assert folded == record.replay(played) == table.state


def test_behind_every_turn_taken_back_the_game_stands_as_it_did_before_it(wavered) -> None:
    table, played = wavered
    gone = sorted(log.taken_back(played.entries))[:5]
    for seq in gone:
        before, behind = (
            log.fold(table.ruleset, table.ruleset.initial(table.options, table.seats), played.entries[:upto])
            for upto in (seq, seq + 2)
        )
        assert before == behind
        for seat in (*range(3), None):
            assert table.ruleset.view(before, seat) == table.ruleset.view(behind, seat)


def test_that_a_turn_was_taken_back_is_told_to_everybody_and_the_turn_itself_as_before(wavered) -> None:
    table, played = wavered
    for entry in played.entries:
        for seat in (*range(3), None):
            seen = log.seen_by(table.ruleset, entry, seat)
            assert log.undone(seen) == log.undone(entry)
            assert seen.digest == entry.digest
            assert log.undone(entry) is None or seen == entry


def test_a_record_with_turns_taken_back_says_so_in_its_format(wavered) -> None:
    _table, new = wavered
    played = in_old_format(new)
    assert played.format == "eight-minutes-record/2" and record.verify(played) == []
    older = msgspec.structs.replace(played, format=record.FORMAT)
    assert record.verify(older) == ["This is not a record in the format eight-minutes-record/2."]
    plain = msgspec.structs.replace(played, entries=log.standing(played.entries))
    assert record.verify(plain) == ["This is not a record in the format eight-minutes-record/1."]
    assert new.format == "eight-minutes-record/4"


def in_old_format(played: record.Record) -> record.Record:
    """The same game as it was written down before the chain began with the header."""
    seats = tuple(record.RecordSeat(seat.name, seat.bot) for seat in played.seats)
    return chained(msgspec.structs.replace(played, format=record.form(played.entries), seats=seats))


def chained(played: record.Record) -> record.Record:
    """The record with its digests worked out again."""
    head, entries, seed = record.opening(played), [], bytes.fromhex(played.seed or "")
    for one in played.entries:
        head = log.link(head, one, seed)
        entries.append(msgspec.structs.replace(one, digest=head))
    return msgspec.structs.replace(played, entries=tuple(entries))


@pytest.mark.parametrize("seq", [None, "1", [1], {"seq": 1}, True, 10**9])
def test_a_take_back_of_nonsense_is_a_flaw_and_no_crash(wavered, seq: object) -> None:
    _table, played = wavered
    at = min(log.taken_back(played.entries)) + 1
    events = ({"kind": log.TAKE_BACK, "seq": seq},)
    entries = [msgspec.structs.replace(one, events=events) if one.seq == at else one for one in played.entries]
    forged = msgspec.structs.replace(played, entries=tuple(entries))
    assert record.verify(forged)


# Who learned something


def turn(rules: Ruleset, before: State, seat: int, *actions: str, chance: object = None) -> tuple[Entry, State]:
    """An entry of these actions, and the position behind it."""
    after, events = before.copy(), []
    for text in actions:
        for event in rules.decide(after, seat, rules.parse(text), chance or Stacked()):
            rules.evolve(after, event)
            events.append(event)
    return Entry(7, "", seat, actions, stored(events)), after


def learned(rules: Ruleset, before: State, seat: int, *actions: str, chance: object = None) -> tuple[int, ...]:
    entry, after = turn(rules, before, seat, *actions, chance=chance)
    return log.who_learned(rules, before, entry, after, len(before.seats))


def test_a_card_that_came_into_the_row_was_news_to_everybody() -> None:
    state = position(3, armies={"v4": (3, 3, 3)})
    text = LEGENDS.text(LEGENDS.legal(state, ALICE)[0])
    assert learned(LEGENDS, state, ALICE, text, "done", chance=Quick(1)) == (BOB, CAROL)


def test_a_turn_without_a_draw_told_nobody_anything() -> None:
    state = position(3, armies={"v4": (3, 3, 3)})
    state.deck = ()
    text = LEGENDS.text(LEGENDS.legal(state, ALICE)[0])
    assert learned(LEGENDS, state, ALICE, text, "done") == ()


def test_troops_that_lie_face_down_told_nobody_anything() -> None:
    state = kingdoms.position(hands={ALICE: "A8 C9", BOB: "A7 A4"}, towers={BOB: "E"})
    attack = kingdoms.spelt(state, ALICE, "attack 1 with A8")
    assert learned(KINGDOMS, state, ALICE, attack) == ()


def test_cards_that_pay_were_news_to_those_who_had_not_seen_the_hand() -> None:
    state = kingdoms.position(hands={ALICE: "A8 C9 A6", BOB: "A7 A4"}, towers={BOB: "E"})
    bought = next(text for text in map(KINGDOMS.text, KINGDOMS.legal(state, ALICE)) if text.startswith("buy "))
    assert learned(KINGDOMS, state, ALICE, bought) == (BOB, CAROL)


def test_what_is_drawn_unseen_was_news_to_its_player_so_everybody_is_asked() -> None:
    state = kingdoms.position(hands={ALICE: "A8"}, drawn=False)
    assert learned(KINGDOMS, state, ALICE, "draw") == (BOB, CAROL)


def test_draws_by_the_number_of_the_entry_are_noted_and_those_from_decks_are_not() -> None:
    chance = Fair(bytes(32))
    chance.draw("deck", ["a", "b"])
    assert not chance.has_drawn and chance.kept == {}
    chance.below(6)
    assert chance.has_drawn and not chance.at(2).has_drawn


# The same draws come again


class Cheating(Table):
    """A game of bots who submit step by step, and take back whatever they can, to roll again.

    `first` are the first draws that each seat ever saw, by their number in the game that counts.
    """

    comes_again = True
    taken_back = fell_anew = 0

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.first: dict[tuple[int, int], object] = {}
        self.counting: dict[int, list[object]] = defaultdict(list)

    def _turn(self, seat: int, budget: int, listener: Listener | None) -> None:
        self.chance.at(len(self.entries), seat)
        before, number = self.state.copy(), len(self.counting[seat])
        action = self.chosen(seat)
        events = apply(self.ruleset, self.state, seat, [action], self.chance)
        self._append(seat, (self.ruleset.text(action),), events)
        used = list(self.chance._used)
        for place, draw in enumerate(used, start=number):
            self.fell_anew += self.first.setdefault((seat, place), draw) != draw
        self.counting[seat] += used
        if self.whims.below(2) and may(self.ruleset, before, self.entries[-1], self.state, self.entries[-2]):
            self.taken_back += self.chance.has_drawn
            again = self.chance.has_drawn and self.comes_again
            if again:
                self.chance.take_back()
            self._append(seat, *log.taking_back(self.entries[-1], again=again))
            self.state = before
            del self.counting[seat][number:]
            kept = json.loads(json.dumps(self.chance.kept))  # as the site keeps it from one request to the next
            self.chance = Fair(self.seed, kept)

    def chosen(self, seat: int) -> Action:
        """Any action, but draws by number rather than others."""
        legal = self.ruleset.legal(self.state, seat)
        drawing = [one for one in legal if self.ruleset.text(one).startswith(("blind-pick", "tribute"))]
        among = drawing if drawing and self.whims.below(3) else legal
        return among[self.whims.below(len(among))]


@pytest.mark.parametrize("number", range(4))
def test_no_sequence_of_turns_taken_back_draws_anew(number: int) -> None:
    table = Cheating(KINGDOMS, {}, [BOTS["random"]] * 4, seed_of("cheating", number))
    played = table.play().record
    assert table.taken_back > 0 and table.fell_anew == 0
    assert record.verify(played) == []


class Older(Cheating):
    """The same as it was before draws came again: a turn taken anew drew by the number of its own entry."""

    comes_again = False


def test_records_from_the_time_when_draws_fell_anew_still_verify() -> None:
    table = Older(KINGDOMS, {}, [BOTS["random"]] * 4, seed_of("cheating", 0))
    played = table.play().record
    assert table.fell_anew > 0
    assert record.verify(in_old_format(played)) == []


# Tampering


def forged(played: record.Record, at: int, **changes: object) -> list[str]:
    """What is found when that entry was changed and the whole chain forged anew, as who holds the seed can."""
    entries = tuple(msgspec.structs.replace(one, **changes) if one.seq == at else one for one in played.entries)
    return record.verify(chained(msgspec.structs.replace(played, entries=entries)))


def test_tampering_with_a_turn_taken_back_is_found_even_when_the_chain_was_forged_anew(wavered) -> None:
    _table, played = wavered
    at = sorted(log.taken_back(played.entries))[1] + 1
    seat = played.entries[at].seat
    taken = {"actions": (log.TAKE_BACK,), "by": "seat"}
    assert forged(played, at) == []
    assert "too late to undo your turn" in forged(played, at, seat=(seat + 1) % 3)[0]
    assert "only the player of a turn" in forged(played, at, by="clock")[0]
    assert "only the player of a turn" in forged(played, at, seat=None)[0]
    assert forged(played, at, events=({"kind": log.TAKE_BACK, "seq": at - 2},))
    assert forged(played, at, events=())
    assert forged(played, at, actions=("done",))
    assert "so it can’t be undone" in forged(played, at - 1, by="clock")[0]
    again = {**taken, "seat": seat, "events": ({"kind": log.TAKE_BACK, "seq": at},)}
    assert "The one before it can’t be undone" in forged(played, at + 1, **again)[0]
    assert "done by the site" in forged(played, 1, **taken, seat=0, events=({"kind": log.TAKE_BACK, "seq": 0},))[0]
