"""Records that someone has changed, and the refusal of one that someone imports."""

import msgspec
import pytest

from games.errors import RecordError
from games.rules import log
from games.rules import record as records
from games.rules.record import Record
from games.tables.models import Entry, Game, Seat, Seed, Snapshot
from games.tables.services import records as services


def with_new_digests(record: Record) -> Record:
    """Return the record with all digests computed again, as anyone can once the seed is published."""
    head, entries = records.opening(record), []
    for entry in record.entries:
        head = log.link(head, entry, bytes.fromhex(record.seed or ""))
        entries.append(msgspec.structs.replace(entry, digest=head))
    return msgspec.structs.replace(record, entries=tuple(entries))


def refused(data: bytes, words: str) -> None:
    """Check that the import fails with a sentence that has these words, and that nothing is written."""
    before = [model.objects.count() for model in (Game, Seat, Entry, Seed, Snapshot)]
    with pytest.raises(RecordError) as refusal:
        services.take_in(data=data)
    assert words in str(refusal.value)
    assert [model.objects.count() for model in (Game, Seat, Entry, Seed, Snapshot)] == before
