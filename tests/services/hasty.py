"""The site's settings with a schedule that comes round each second, so that whatever is due is rung for many times."""

from empire.settings import *  # noqa: F403

for name in ("heartbeat", "sweep notices", "sweep bots", "sweep seasons", "sweep pools"):
    CELERY_BEAT_SCHEDULE[name]["schedule"] = 1  # noqa: F405
