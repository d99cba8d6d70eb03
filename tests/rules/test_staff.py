"""Interventions at a table: their texts, and what they cannot do to a position or a record."""

import msgspec
import pytest

from games.rules import log, staff
from games.rules import record as records
from games.rules.fairness import Fair, seed_hash
from games.rules.protocol import IllegalAction, Ruleset
from games.rules.record import Record, RecordSeat
from games.rules.registry import RULESETS
from games.rules.staff import Ended, LeftToBots, Replaced, TimeGiven, Voided
from tests.each import for_each

SEED = bytes(range(32))
WHY = "It is late: 3 bids, “all” wrong?"
INTERVENTIONS = [
    Replaced(1, "person", WHY), Replaced(0, "bot", WHY), TimeGiven(24, (0, 2), WHY), TimeGiven(1, (3,), "x"),
    Ended(WHY), Voided(WHY), LeftToBots(WHY),
]  # fmt: skip


@for_each("intervention", INTERVENTIONS)
def test_texts_and_stored_events_round_trip(intervention):
    assert staff.parse(staff.text(intervention)) == intervention
    assert staff.read(log.stored([intervention])[0]) == intervention


@for_each(
    "text",
    [
        "end-game", "end-game:", "end-game: ", "end-game 3: x", "void-game:x", "void-game:  x\ny", "void-game: \x07",
        "give-time: x", "give-time 24: x", "give-time 0 1: x", "give-time 721 1: x", "give-time 07 1: x",
        "give-time 5 12: x", "replace 1: x", "replace 1 king: x", "replace -1 bot: x", "replace 1 bot 2: x",
        "take x: y", "left-to-bots 1: x", "end-game: " + 301 * "x", "", ":", "undo", "take-back",
    ],
)  # fmt: skip
def test_meaningless_texts_are_refused(text):
    with pytest.raises(IllegalAction, match="Staff can’t do that"):
        staff.parse(text)


@for_each(
    "event",
    [
        {}, {"kind": "take"}, {"kind": "end-game"}, {"kind": "end-game", "reason": ""},
        {"kind": "end-game", "reason": 3},
        {"kind": "replace", "seat": "0", "by": "bot", "reason": "x"}, {"kind": ["end-game"], "reason": "x"},
        {"kind": "give-time", "hours": 1, "seats": [], "reason": "x"},
    ],
)  # fmt: skip
def test_impossible_texts_are_no_interventions(event):
    assert staff.read(event) is None


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_no_ruleset_uses_the_words_of_interventions(rules: Ruleset):
    tags = {kind.__struct_config__.tag for kind in rules.event_type.__args__}
    assert not tags & {*staff.KINDS, log.UNDO}
    for intervention in INTERVENTIONS:
        with pytest.raises(IllegalAction):
            rules.parse(staff.text(intervention))


# Records


def record(*more: log.Entry) -> Record:
    """Return a record of two players who bid and named the first player, then these entries, with a valid chain."""
    rules = RULESETS["legends"]
    seats = (RecordSeat("Alice"), RecordSeat("Bob"))
    options, infos = rules.options({}, 2), [seat.info for seat in seats]
    chance, state, entries = Fair(SEED), rules.initial(options, infos), []

    def add(seat: int | None, *texts: str) -> None:
        chance.at(len(entries))
        events = rules.start(options, infos, chance) if not entries else []
        for event in events:
            rules.evolve(state, event)
        for text in texts:
            for event in rules.decide(state, seat or 0, rules.parse(text), chance):
                rules.evolve(state, event)
                events.append(event)
        entries.append(log.Entry(len(entries), "", seat, texts, log.stored(events)))

    add(None)
    add(0, "bid 0")
    add(1, "bid 1")
    add(1, "first 0")
    card = next(rules.text(action) for action in rules.legal(state, 0))
    add(0, card, "done")
    return chained([*entries, *more])


def chained(entries: list[log.Entry]) -> Record:
    head, linked = log.GENESIS, []
    for n, entry in enumerate(entries):
        timed = msgspec.structs.replace(entry, seq=n, at=f"2027-03-01T08:{n:02}:00.000000Z")
        head = log.link(head, timed, SEED)
        linked.append(msgspec.structs.replace(timed, digest=head))
    return Record(
        records.format_of(linked), "x", "legends", RULESETS["legends"].version, {},
        (RecordSeat("Alice"), RecordSeat("Bob")), seed_hash(SEED), tuple(linked), SEED.hex(),
    )  # fmt: skip


def by_staff(intervention: staff.Intervention, **more: object) -> log.Entry:
    return msgspec.structs.replace(
        log.Entry(0, "", None, (staff.text(intervention),), log.stored([intervention])), **more
    )


def test_a_record_with_interventions_verifies_and_says_so_in_its_format():
    assert record().format == "eight-minutes-record/1"
    whole = record(by_staff(TimeGiven(24, (1,), WHY)), by_staff(Replaced(0, "bot", WHY)), by_staff(Voided(WHY)))
    assert whole.format == "eight-minutes-record/3" and records.verify(whole) == []
    assert records.verify(records.decode(records.encode(whole))) == []
    assert records.seen_by(whole, None).entries[-3:] == whole.entries[-3:]


@for_each(
    "entries, flaw",
    [
        ([by_staff(TimeGiven(24, (0,), WHY))], "Time can only be given to players who must act now."),
        ([by_staff(TimeGiven(24, (1, 1), WHY))], "Time can only be given to players who must act now."),
        ([by_staff(Replaced(2, "bot", WHY))], "There is no such seat in this game."),
        ([by_staff(Voided(WHY), seat=0)], "only staff can intervene"),
        ([by_staff(Voided(WHY), by="clock")], "only staff can intervene"),
        ([by_staff(Voided(WHY), actions=())], "only staff can intervene"),
        ([by_staff(Voided(WHY), actions=("void-game: Another reason",))], "the events do not follow"),
        ([by_staff(Voided(WHY), events=({"kind": "void-game"},))], "it was not that seat’s turn"),
        ([by_staff(Voided(WHY)), by_staff(Voided(WHY))], "The game is over, and its result is final."),
        ([by_staff(Voided(WHY)), log.Entry(0, "", 1, ("done",), ())], "it was not that seat’s turn"),
        ([by_staff(Ended(WHY))], "disagree on whether the game has ended"),
    ],
)
def test_impossible_interventions_in_a_record_are_detected(entries, flaw):
    assert any(flaw in problem for problem in records.verify(record(*entries)))


def test_nothing_decisive_has_been_played_before_the_first_card():
    early = record().entries[:4]
    problems = records.verify(chained([*early, by_staff(Ended(WHY))]))
    assert any("Too little has been played to decide the game" in problem for problem in problems)


def test_a_record_cannot_undo_a_turn_before_an_intervention():
    back = log.Entry(0, "", 0, ("take-back",), ({"kind": "take-back", "seq": 4},))
    assert records.verify(record(back)) == []
    problems = records.verify(record(by_staff(TimeGiven(1, (1,), WHY)), back))
    assert any("was not legal" in problem for problem in problems)
