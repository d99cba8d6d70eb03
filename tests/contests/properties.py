"""Hypothesis settings for property tests of pure code: the same examples each time, and no deadline."""

from hypothesis import HealthCheck, settings

fixed = settings(
    derandomize=True, deadline=None, max_examples=60, database=None, suppress_health_check=[HealthCheck.too_slow]
)
