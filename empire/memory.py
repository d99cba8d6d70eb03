"""Python's search for rings of garbage, set for processes that load much at their start and live for days."""

import gc

YOUNG = 10_000  # more objects made than freed, before a look at the young ones: a page makes some thousands


def settle() -> None:
    """What is loaded by now is never looked through again; to be called when that is all."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
