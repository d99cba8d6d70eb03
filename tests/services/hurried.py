"""The site's settings with sweeps every second, so that tests need not wait for a minute.

If `CLOCK` names a file, the process's clock is ahead of the machine's by the seconds in that file.
"""

import os
from datetime import timedelta
from pathlib import Path
from threading import Thread
from time import sleep

from time_machine import travel

from empire.settings import *  # noqa: F403
from empire.settings import CELERY_BEAT_SCHEDULE, DATABASES, INSTALLED_APPS

INSTALLED_APPS += ["tests.services.hurry.Hurry"]
DATABASES["default"].get("OPTIONS", {}).get("pool", {})["timeout"] = 2  # seconds without a database
for name in ("heartbeat", "sweep notices", "sweep bots", "sweep overdue clocks", "correct notice times"):
    CELERY_BEAT_SCHEDULE[name]["schedule"] = 1


def keep_time(file: Path) -> None:
    """Shift the clock as `date --set` does; monotonic clocks are unaffected."""
    clock, ahead = travel(timedelta(), tick=True).start(), 0.0
    shown = file.with_suffix(f".{os.getpid()}")

    def look() -> None:
        nonlocal ahead
        wanted = float(file.read_text())
        clock.shift(wanted - ahead)
        ahead = wanted
        shown.write_text(str(wanted))

    def follow() -> None:
        while True:
            sleep(0.05)
            look()

    look()
    Thread(target=follow, daemon=True).start()


if "CLOCK" in os.environ:
    keep_time(Path(os.environ["CLOCK"]))
