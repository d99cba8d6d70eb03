"""The settings of a hurried site, with leagues in a hurry too; its processes go by the clock of the machine."""

import os

os.environ.pop("CLOCK", None)

from tests.services.hurried import *  # noqa: F403

for name in ("sweep seasons", "sweep pools"):
    CELERY_BEAT_SCHEDULE[name]["schedule"] = 1  # noqa: F405
