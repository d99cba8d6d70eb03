"""The hash chain of a log: every change is detected, and digests cannot be guessed."""

import msgspec

from games.rules.eight_minute.events import BidMade, TokenSeen
from games.rules.log import (
    GENESIS,
    UNDO,
    Entry,
    TurnUndone,
    facts,
    fold,
    has_shown_secrets,
    link,
    seen_by,
    stored,
)
from tests.each import for_each
from tests.rules.positions import LEGENDS
from tests.rules.walk import walk

SEED = bytes(range(32))
ENTRY = Entry(3, "2026-11-21T10:00:00Z", 1, ("take lake", "done"), ({"kind": "end", "seat": 1},))
CHANGES = [
    {"seq": 4},
    {"at": "2026-11-21T10:00:01Z"},
    {"seat": 0},
    {"seat": None},
    {"by": "clock"},
    {"actions": ("take lake",)},
    {"actions": ("take lakedone",)},
    {"events": ({"kind": "end", "seat": 0},)},
    {"events": ()},
]


@for_each("change", CHANGES)
def test_a_digest_depends_on_every_field_of_its_entry(change: dict) -> None:
    assert link(GENESIS, msgspec.structs.replace(ENTRY, **change), SEED) != link(GENESIS, ENTRY, SEED)


def test_a_digest_depends_on_the_previous_digest() -> None:
    assert link("1" * 64, ENTRY, SEED) != link(GENESIS, ENTRY, SEED)


def test_a_digest_cannot_be_guessed_without_the_seed() -> None:
    assert link(GENESIS, ENTRY, bytes(32)) != link(GENESIS, ENTRY, SEED)


def test_a_digest_does_not_depend_on_the_order_of_keys_in_an_event() -> None:
    turned = msgspec.structs.replace(ENTRY, events=({"seat": 1, "kind": "end"},))
    assert link(GENESIS, turned, SEED) == link(GENESIS, ENTRY, SEED)


def test_a_digest_does_not_depend_on_itself() -> None:
    assert link(GENESIS, msgspec.structs.replace(ENTRY, digest="x"), SEED) == link(GENESIS, ENTRY, SEED)


def test_an_entry_round_trips_through_json_with_its_digest() -> None:
    again = msgspec.json.decode(msgspec.json.encode(ENTRY), type=Entry)
    assert again == ENTRY
    assert link(GENESIS, again, SEED) == link(GENESIS, ENTRY, SEED)


def test_an_entry_has_the_published_digest() -> None:
    """SHA-256 of the previous digest, HMAC-SHA256(seed, salt/3) and the entry as JSON; computed with openssl."""
    assert link(GENESIS, ENTRY, SEED) == "dbf589dd460192b4366e345ac8586205f54bed7312d133c446600012c360970d"


def test_entries_fold_to_the_position_that_was_played() -> None:
    played = walk(LEGENDS, 3, seed=5)
    entries = [Entry(n, "", None, (), stored(step.events)) for n, step in enumerate(played.steps)]
    assert [event for entry in entries for event in facts(LEGENDS, entry)] == [
        event for step in played.steps for event in step.events
    ]
    folded = fold(LEGENDS, LEGENDS.initial(played.options, played.seats), entries)
    assert folded == played.final


def test_other_seats_read_a_submission_only_if_nothing_in_it_is_secret() -> None:
    bid = Entry(1, "", 1, ("bid 3",), stored([BidMade(1, 3)]))
    assert seen_by(LEGENDS, bid, 1) == bid
    for other in (0, None):
        seen = seen_by(LEGENDS, bid, other)
        assert (seen.actions, seen.events, seen.digest) == ((), (), bid.digest)
    look = Entry(2, "", 1, ("build v3",), stored([TokenSeen(1, "v3", "dragon")]))
    assert seen_by(LEGENDS, look, None).actions == ("build v3",)
    assert "dragon" not in str(seen_by(LEGENDS, look, None).events)


def test_a_look_under_a_token_shows_a_secret_and_a_bid_does_not() -> None:
    at = ENTRY.at
    bids = Entry(1, at, 0, ("bid 2",), stored([BidMade(0, 2)]))
    look = Entry(2, at, 0, ("look v1",), stored([TokenSeen(0, "v1", "citadel")]))
    undone = Entry(3, at, 0, (UNDO,), stored([TurnUndone(2)]))
    assert not any(has_shown_secrets(LEGENDS, [bids], seat) for seat in (0, 1))
    assert [has_shown_secrets(LEGENDS, [bids, look, undone], seat) for seat in (0, 1)] == [True, False]
