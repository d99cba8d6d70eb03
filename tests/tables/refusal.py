"""The refusal of a record that someone imports."""

import pytest

from games.errors import RecordError
from games.tables.models import Entry, Game, Seat, Seed, Snapshot
from games.tables.services import records


def refused(data: bytes, words: str) -> None:
    """Check that the import fails with a sentence that has these words, and that nothing is written."""
    before = [model.objects.count() for model in (Game, Seat, Entry, Seed, Snapshot)]
    with pytest.raises(RecordError) as refusal:
        records.take_in(data=data)
    assert words in str(refusal.value)
    assert [model.objects.count() for model in (Game, Seat, Entry, Seed, Snapshot)] == before
