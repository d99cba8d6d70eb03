"""Queries whose SQL Django writes once in each process, for the few that every turn, page or desk makes.

Django takes longer to write such a query than the database to answer it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row", bound=Model)
# The query, its SQL, the parameters of the SQL, and which value belongs at which index of the parameters
Written = tuple[QuerySet[Row], str, Sequence[Any], dict[int, int]]
STAND_IN = 31_000  # for the first value, the next one for the second; no query has such a constant


class Prepared(Generic[Row]):
    """The rows of a query with parameters: `Prepared(lambda game: Seat.objects.filter(game=game))(game.pk)`.

    Parameters are keys and other whole numbers, or texts, that the query compares with columns. Annotations become
    attributes as the database returns them, so they must be of plain columns of numbers, text or bytes. There is no
    `select_related`.
    """

    def __init__(self, query: Callable[..., QuerySet[Row]]) -> None:
        self.query = query
        self.written: dict[str, Written[Row]] = {}  # by kind of database

    def __call__(self, *values: int | str) -> list[Row]:
        rows, sql, parameters = self._with(values)
        if rows.query.select_for_update and not connection.in_atomic_block:
            raise TransactionManagementError("Rows are locked for the rest of a transaction. Begin one first.")
        return list(rows.model._base_manager.raw(sql, parameters))

    def as_raw(self, *values: int | str) -> tuple[str, list[Any]]:
        """Return SQL and its parameters, for `RawSQL`, where the query is a part of another one."""
        _rows, sql, parameters = self._with(values)
        return sql, parameters

    def _with(self, values: Sequence[int | str]) -> tuple[QuerySet[Row], str, list[Any]]:
        rows, sql, constants, places = self.written.get(connection.vendor) or self._write(len(values))
        parameters = list(constants)
        for place, number in places.items():
            parameters[place] = values[number]
        return rows, sql, parameters

    def _write(self, count: int) -> "Written[Row]":
        """Write the SQL with stand-ins for the values, and find out where they are."""
        rows = self.query(*range(STAND_IN, STAND_IN + count))
        numbers = {given: n for n in range(count) for given in (STAND_IN + n, str(STAND_IN + n))}
        sql, parameters = rows.query.sql_with_params()
        places = {place: numbers[one] for place, one in enumerate(parameters) if one in numbers}
        written = self.written[connection.vendor] = rows, sql, parameters, places
        return written
