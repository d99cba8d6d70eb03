"""Spans of time: intersections and differences."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from games.clocks.spans import Span, outside_all
from tests.clocks.moments import hours, span, utc

START = utc("2026-01-01")
spans = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(
    lambda ends: Span(START + hours(min(ends)), START + hours(max(ends)))
)


def its_hours(*spans_given: Span) -> list[int]:
    """Return the hours in the spans, counted from the start."""
    bounds = [((span.begins - START) // hours(1), (span.ends - START) // hours(1)) for span in spans_given]
    return [hour for begins, ends in bounds for hour in range(begins, ends)]


@given(spans, st.lists(spans, max_size=5))
def test_the_difference_has_each_uncovered_hour_once(span: Span, others: list[Span]) -> None:
    alone = outside_all(span, others)
    assert its_hours(*alone) == [hour for hour in its_hours(span) if hour not in its_hours(*others)]
    assert all(part.length for part in alone)


@given(spans, spans)
def test_the_intersection_of_two_spans_is_within_both(first: Span, second: Span) -> None:
    shared = set(its_hours(first)) & set(its_hours(second))
    assert first.within(second).length == hours(len(shared))


def test_disjoint_spans_share_nothing() -> None:
    early, late = span("2026-01-01", "2026-01-02"), span("2026-01-05", "2026-01-06")
    assert early.within(late).length == late.within(early).length == timedelta(0)
