"""Celery's schedule, mended where it would stand still: a clock that is set back, and a disk that is full."""

import dbm
import logging
from typing import Any

from celery.beat import PersistentScheduler

logger = logging.getLogger(__name__)


class Scheduler(PersistentScheduler):
    _store: Any  # Celery's shelf

    def tick(self, *args: Any, **kwargs: Any) -> float:
        self.begin_anew_if_set_back()
        return float(super().tick(*args, **kwargs))

    def begin_anew_if_set_back(self) -> None:
        """What has run at a time that is still to come would not run again before that."""
        now = self.app.now()
        ahead = [(entry, at) for entry in self.schedule.values() if (at := entry.last_run_at) and at > now]
        if ahead:
            logger.error("The clock was set back by %s.", max(at for _entry, at in ahead) - now)
        for entry, _at in ahead:
            entry.last_run_at = now
            self._heap = None  # it holds the moments at which they were due

    def sync(self) -> None:
        """When each ran last is only worth keeping: all of them may run once more after a start."""
        try:
            super().sync()
        except dbm.error as error:
            logger.warning("The schedule could not be written down: %s", error)
            self._store.writeback = True  # shelve forgets that when it fails
