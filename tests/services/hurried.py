"""The site's settings with sweeps that come round each second, so that a test need not wait for a minute."""

from empire.settings import *  # noqa: F403

for name in ("heartbeat", "sweep notices", "sweep bots"):
    CELERY_BEAT_SCHEDULE[name]["schedule"] = 1  # noqa: F405
