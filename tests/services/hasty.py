"""The settings of a hurried site with frequent sweeps of leagues too. Its processes use the real clock."""

import os

os.environ.pop("CLOCK", None)

from tests.services.hurried import *  # noqa: F403

for name in ("sweep seasons", "sweep pools"):
    CELERY_BEAT_SCHEDULE[name]["schedule"] = 1  # noqa: F405
