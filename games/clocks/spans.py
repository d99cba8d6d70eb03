"""Spans of time between two moments in UTC, excluding the end."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import msgspec

EVER = datetime.max.replace(tzinfo=UTC)
NEVER = datetime.min.replace(tzinfo=UTC)
NOTHING = timedelta(0)


class Span(msgspec.Struct, frozen=True, order=True):
    """From `begins` until just before `ends`, both in UTC. Spans sort by their beginnings."""

    begins: datetime
    ends: datetime

    @property
    def length(self) -> timedelta:
        """The length; never negative."""
        return max(self.ends - self.begins, NOTHING)

    def within(self, other: "Span") -> "Span":
        """Return the part of it inside `other`; of zero length if they don't overlap."""
        return Span(max(self.begins, other.begins), min(self.ends, other.ends))

    def outside(self, other: "Span") -> "tuple[Span, ...]":
        """Return the parts of it outside `other`: none, one or two."""
        if other.ends <= self.begins or self.ends <= other.begins:
            return (self,)
        before, after = Span(self.begins, other.begins), Span(other.ends, self.ends)
        return tuple(part for part in (before, after) if part.length)


def outside_all(span: Span, others: Iterable[Span]) -> tuple[Span, ...]:
    """Return the parts of `span` outside all the others."""
    parts: tuple[Span, ...] = (span,) if span.length else ()
    for other in others:
        parts = tuple(left for part in parts for left in part.outside(other))
    return parts


def in_utc(moment: datetime) -> datetime:
    """Return the moment in UTC. Raises `ValueError` for a naive one, whose zone is unknown."""
    if moment.tzinfo is None:
        raise ValueError("A moment needs its time zone.")
    return moment.astimezone(UTC)
