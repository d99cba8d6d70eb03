"""Celery's schedule with fixes for a clock that is set back and for a full disk, which would stop it."""

import dbm
import logging
import os
import shelve
from typing import Any

from celery.beat import PersistentScheduler

from empire import private
from empire.web.unavailable import DISK_FULL

logger = logging.getLogger(__name__)

DISK_FULL_IN_SQLITE = ("disk I/O error", "database or disk is full")  # since Python 3.13 the file is a SQLite database


class Scheduler(PersistentScheduler):
    _store: Any  # Celery's shelf

    is_in_memory = False

    def setup_schedule(self) -> None:
        """Read the schedule from its file. On a full disk, start a new one in memory."""
        try:
            super().setup_schedule()
        except dbm.error as error:
            logger.warning("The schedule is kept in memory because its file cannot be written: %s", error)
            if self._store is not None:
                self._store.cache.clear()  # or it would be written again on close
            self.is_in_memory = True
            super().setup_schedule()

    def _open_schedule(self) -> Any:
        """Open the file with access for our account only."""
        if self.is_in_memory:
            return shelve.Shelf({}, writeback=True)
        before = os.umask(private.OTHERS)
        try:
            return super()._open_schedule()  # type: ignore[misc]  # Celery's
        finally:
            os.umask(before)

    def _destroy_open_corrupted_schedule(self, error: Exception) -> Any:
        """Re-raise errors of a full disk instead of deleting a file that may be intact."""
        if getattr(error, "errno", None) in DISK_FULL or any(words in str(error) for words in DISK_FULL_IN_SQLITE):
            raise error
        return super()._destroy_open_corrupted_schedule(error)  # type: ignore[misc]  # Celery's

    def tick(self, *args: Any, **kwargs: Any) -> float:
        self.reset_runs_in_the_future()
        return float(super().tick(*args, **kwargs))

    def reset_runs_in_the_future(self) -> None:
        """Reset last runs that lie in the future, because those entries would not run until then."""
        now = self.app.now()
        ahead = [(entry, at) for entry in self.schedule.values() if (at := entry.last_run_at) and at > now]
        if ahead:
            logger.error("The clock was set back by %s.", max(at for _entry, at in ahead) - now)
        for entry, _at in ahead:
            entry.last_run_at = now
            self._heap = None  # it caches due times

    def sync(self) -> None:
        """Save last runs if possible. Losing them is harmless, because every task may run again after a start."""
        try:
            super().sync()
        except dbm.error as error:
            logger.warning("Cannot save the schedule: %s", error)
            self._store.writeback = True  # shelve resets it on failure
