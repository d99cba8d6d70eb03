"""Queries and updates whose SQL is written once in each process, for the few that every turn, page or desk makes.

Django takes longer to write such a query, and to find out which column belongs to which field, than the database to
answer it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row", bound=Model)
STAND_IN = 31_000  # for the first value, the next one for the second; no query has such a constant


class Compiled(NamedTuple):
    """A query in the SQL of a kind of database, as Django's compiler knows it.

    `places` say which value belongs at which index of the parameters. The columns of the model, from index `first` on,
    are its `fields`, a set of names, because Django looks up every field of the model there. `annotations` are the
    indexes of other columns by name, and `converters` turn the values of a column, given by its index, into those of
    Python. `locks`: the query locks its rows.
    """

    sql: str
    parameters: Sequence[Any]
    places: dict[int, int]
    model: type[Model]
    first: int
    fields: frozenset[str]
    annotations: dict[str, int]
    converters: dict[int, tuple[list[Callable[..., Any]], Any]]
    locks: bool


class Prepared(Generic[Row]):
    """The rows of a query with parameters: `Prepared(lambda game: Seat.objects.filter(game=game))(game.pk)`.

    Parameters are keys and other whole numbers, or texts, that the query compares with columns. There is no
    `select_related`.
    """

    def __init__(self, query: Callable[..., QuerySet[Row]]) -> None:
        self.query = query
        self.compiled: dict[str, Compiled] = {}  # by kind of database

    def __call__(self, *values: int | str) -> list[Row]:
        compiled = self._compiled(len(values))
        if compiled.locks and not connection.in_atomic_block:
            raise TransactionManagementError("Rows are locked for the rest of a transaction. Begin one first.")
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql, self._parameters(compiled, values))
            rows = cursor.fetchall()
        return [self._object(compiled, list(row)) for row in rows]

    def as_raw(self, *values: int | str) -> tuple[str, list[Any]]:
        """Return SQL and its parameters, for `RawSQL`, where the query is a part of another one."""
        compiled = self._compiled(len(values))
        return compiled.sql, self._parameters(compiled, values)

    def _parameters(self, compiled: Compiled, values: Sequence[int | str]) -> list[Any]:
        parameters = list(compiled.parameters)
        for place, number in compiled.places.items():
            parameters[place] = values[number]
        return parameters

    def _object(self, compiled: Compiled, row: list[Any]) -> Any:
        """Return the object of a row, as `django.db.models.query.ModelIterable` does."""
        for place, (converters, expression) in compiled.converters.items():
            for convert in converters:
                row[place] = convert(row[place], expression, connection)
        first, fields = compiled.first, compiled.fields
        found = compiled.model.from_db(connection.alias, fields, row[first : first + len(fields)])
        for name, place in compiled.annotations.items():
            setattr(found, name, row[place])
        return found

    def _compiled(self, count: int) -> Compiled:
        """Return the query, compiled with stand-ins for the values."""
        if found := self.compiled.get(connection.vendor):
            return found
        rows = self.query(*range(STAND_IN, STAND_IN + count))
        query = rows.query
        compiler = query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        numbers = {given: n for n in range(count) for given in (STAND_IN + n, str(STAND_IN + n))}
        selected = [column for column, _sql, _alias in compiler.select]
        own = (compiler.klass_info or {"select_fields": []})["select_fields"]  # none in a query for values
        found = self.compiled[connection.vendor] = Compiled(
            sql,
            parameters,
            {place: numbers[one] for place, one in enumerate(parameters) if one in numbers},
            rows.model,
            own[0] if own else 0,
            frozenset(selected[place].target.attname for place in own),
            compiler.annotation_col_map or {},
            compiler.get_converters(selected),
            query.select_for_update,
        )
        return found


class PreparedUpdate(Generic[Row]):
    """Save these fields of a row, as `row.save(update_fields=[…])` does, but without signals."""

    def __init__(self, model: type[Row], *names: str) -> None:
        fields = {field.name: field for field in model._meta.concrete_fields}
        self.fields = [fields[name] for name in names]
        columns = ", ".join(f'"{field.column}" = %s' for field in self.fields)
        self.sql = f'UPDATE "{model._meta.db_table}" SET {columns} WHERE "{model._meta.pk.column}" = %s'

    def __call__(self, row: Row) -> bool:
        """Return whether the row is there."""
        values = [field.get_db_prep_save(field.pre_save(row, False), connection) for field in self.fields]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [*values, row.pk])
            return bool(cursor.rowcount)
