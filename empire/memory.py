"""Settings of Python's garbage collector for processes that load much at start and run for days."""

import gc

YOUNG = 50_000  # net new objects before a collection of the young generation; a page creates some thousands


def collect_seldom() -> None:
    """Collect rarely, because objects created at start stay. Call this first."""
    gc.set_threshold(YOUNG)


def freeze() -> None:
    """Exclude everything loaded so far from collections. Call this after loading."""
    gc.collect()
    gc.freeze()
