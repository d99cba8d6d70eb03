"""Calls share one piece of memory for their frames (`empire.memory.in_one_chunk`)."""

import resource
from collections.abc import Callable

from empire import memory

CALLS = 200
DEPTHS = range(250)  # more calls within each other than fit into a chunk


def loop() -> None:
    for _ in range(CALLS):
        leaf()


def leaf() -> None:
    pass


def loop_at(depth: int) -> None:
    if depth:
        loop_at(depth - 1)
    else:
        loop()


def pages_touched(call: Callable[[int], None], depth: int) -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    call(depth)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def test_no_loop_maps_a_chunk_for_each_call() -> None:
    assert max(pages_touched(loop_at, depth) for depth in DEPTHS) >= CALLS
    assert max(pages_touched(memory.in_one_chunk(loop_at), depth) for depth in DEPTHS) < CALLS
