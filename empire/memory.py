"""Python's search for rings of garbage, set for processes that load much at their start and live for days."""

import gc

YOUNG = 50_000  # more objects made than freed, before a look at the young ones: a page makes some thousands


def look_seldom() -> None:
    """To be called first: what is made at the start stays, and need not be looked through again and again."""
    gc.set_threshold(YOUNG)


def settle() -> None:
    """What is loaded by now is never looked through again; to be called when that is all."""
    gc.collect()
    gc.freeze()
