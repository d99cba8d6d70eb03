"""Additional behavior of the processes of a hurried site.

If `HOLD` names a file, a process that has run one of the SQL statements in it (one per line) waits until the file is
gone, with its transaction open. It announces that with a file `held.PID` in the same folder.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created


class Hurry(AppConfig):
    name = "tests.services"
    label = "hurry"

    def ready(self) -> None:
        """Paint small pictures, which are most of the work of an email."""
        from games.boards.eight_minute import png

        png.SCALES = (0.2,)
        if "HOLD" in os.environ:
            connection_created.connect(watch)


def watch(connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    if hold not in connection.execute_wrappers:
        connection.execute_wrappers.append(hold)


def hold(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
    done, file = execute(sql, *rest), Path(os.environ["HOLD"])
    if file.exists() and any(statement in sql for statement in file.read_text().splitlines()):
        file.with_name(f"held.{os.getpid()}").touch()
        while file.exists():
            time.sleep(0.05)
    return done
