"""Django's database backend for PostgreSQL, and what a process does while a commit waits for the disk."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar

# Commits happen inside the context manager that this returns
around_commits: ContextVar[Callable[[], AbstractContextManager[None]]] = ContextVar(
    "around_commits", default=nullcontext
)
