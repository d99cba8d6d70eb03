"""Queries whose SQL Django writes once in each process, for the few that every turn and page makes.

Django takes longer to write such a query than the database to answer it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row", bound=Model)
STAND_IN = 31_000  # for the first parameter, the next one for the second; no query has such a constant


class Prepared(Generic[Row]):
    """The rows of a query with parameters: `Prepared(lambda game: Seat.objects.filter(game=game))(game.pk)`.

    Parameters are keys and other whole numbers, or texts, that the query compares with columns. Annotations become
    attributes as the database returns them, so they must be of plain columns of numbers, text or bytes. There is no
    `select_related`.
    """

    def __init__(self, query: Callable[..., QuerySet[Row]]) -> None:
        self.query = query
        self.written: dict[str, tuple[QuerySet[Row], str, Sequence[Any]]] = {}  # by kind of database

    def __call__(self, *values: int | str) -> list[Row]:
        rows, sql, parameters = self.written.get(connection.vendor) or self._write(len(values))
        if rows.query.select_for_update and not connection.in_atomic_block:
            raise TransactionManagementError("Rows are locked for the rest of a transaction. Begin one first.")
        given = [values[one.number] if isinstance(one, _Place) else one for one in parameters]
        return list(rows.model._base_manager.raw(sql, given))

    def _write(self, count: int) -> tuple[QuerySet[Row], str, Sequence[Any]]:
        """Write the SQL with stand-ins for the parameters, and find out where they are."""
        rows = self.query(*range(STAND_IN, STAND_IN + count))
        places = {given: _Place(n) for n in range(count) for given in (STAND_IN + n, str(STAND_IN + n))}
        sql, parameters = rows.query.sql_with_params()
        self.written[connection.vendor] = rows, sql, [places.get(one, one) for one in parameters]
        return self.written[connection.vendor]


class _Place:
    """The place of a parameter."""

    def __init__(self, number: int) -> None:
        self.number = number
