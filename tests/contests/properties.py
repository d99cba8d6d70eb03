"""How the properties of the plain parts are tried: the same examples each time, however slow the machine is."""

from hypothesis import HealthCheck, settings

fixed = settings(
    derandomize=True, deadline=None, max_examples=60, database=None, suppress_health_check=[HealthCheck.too_slow]
)
