"""A record that is not taken in."""

import pytest

from games.models import Entry, Game, Seat, Seed, Snapshot
from games.services import records
from games.services.errors import RecordError


def refused(data: bytes, words: str) -> None:
    """A sentence with these words; nothing has been written."""
    before = [model.objects.count() for model in (Game, Seat, Entry, Seed, Snapshot)]
    with pytest.raises(RecordError) as refusal:
        records.take_in(data=data)
    assert words in str(refusal.value)
    assert [model.objects.count() for model in (Game, Seat, Entry, Seed, Snapshot)] == before
