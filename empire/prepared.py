"""Queries and updates whose SQL is written once in each process, for the few of each turn, page, desk and email.

Django takes longer to write such a query, and to find out which column belongs to which field, than the database to
answer it. PostgreSQL plans such a query only for its first executions on a connection. It could not do so if constants
were parameters, because then the plan could use no index for some rows only, such as running games.
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.query import RelatedPopulator, get_related_populators
from django.db.models.sql import UpdateQuery
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row", bound=Model)
Value = int | str | datetime | None | list[int]
PLACEHOLDER = 31_000  # for the first value, one more for the second, and so on; no query has such a constant
MOMENT = datetime(1900, 1, 1, tzinfo=UTC)  # the same for moments, each a microsecond after the one before
PLACE = re.compile(r"IN \(%s\)|%[s%]")
# The condition on a list of keys, which is one parameter, and that parameter as a text
AMONG = {"postgresql": ("= ANY(%s)", "{%s}"), "sqlite": ("IN (SELECT value FROM json_each(%s))", "[%s]")}
UNSYNCED = "FROM (SELECT set_config('synchronous_commit', 'off', true)) AS unsynced "


class Statement(NamedTuple):
    """SQL in which constants are written out. `places` say which value belongs at which index of the parameters."""

    sql: str
    parameters: Sequence[Any]
    places: dict[int, int]

    def filled(self, values: Sequence[Value]) -> list[Any]:
        """Return the parameters with these values."""
        parameters = list(self.parameters)
        for place, number in self.places.items():
            value: Any = values[number]
            if isinstance(value, list):
                value = AMONG[connection.vendor][1] % ",".join(map(str, value))
            elif isinstance(value, datetime):
                value = connection.ops.adapt_datetimefield_value(value)
            parameters[place] = value
        return parameters


def _shape(values: Sequence[Value]) -> tuple[object, ...]:
    """Return what the SQL depends on: the kind of database, and which values are None."""
    return connection.vendor, *(value is None for value in values)


def _placeholders(values: Sequence[Value]) -> list[Any]:
    """Return a constant for each value, which `_statement` finds in the compiled SQL to learn the value's place."""

    def placeholder(n: int, value: Value) -> Any:
        if isinstance(value, datetime):
            return MOMENT + n * timedelta.resolution
        return [PLACEHOLDER + n] if isinstance(value, list) else None if value is None else PLACEHOLDER + n

    return [placeholder(n, value) for n, value in enumerate(values)]


def _statement(sql: str, compiled_parameters: Sequence[Any], values: Sequence[Value]) -> Statement:
    """Write the constants into SQL that was compiled with the placeholders of these values."""
    numbers: dict[Any, int] = {}
    for n in range(len(values)):
        moment = connection.ops.adapt_datetimefield_value(MOMENT + n * timedelta.resolution)
        numbers |= {PLACEHOLDER + n: n, str(PLACEHOLDER + n): n, moment: n}
    rest, parameters, places = iter(compiled_parameters), list[Any](), dict[int, int]()

    def fill(place: re.Match[str]) -> str:
        if place[0] == "%%":
            return place[0]
        value = next(rest)
        if value in numbers:
            places[len(parameters)] = number = numbers[value]
            parameters.append(value)
            return AMONG[connection.vendor][0] if isinstance(values[number], list) else place[0]
        if not isinstance(value, int | str):  # a time
            parameters.append(value)
            return place[0]
        constant = str(value) if isinstance(value, int) else "'{}'".format(value.replace("'", "''"))
        return place[0].replace("%s", constant.replace("%", "%%"))

    return Statement(PLACE.sub(fill, sql), parameters, places)


class Compiled(NamedTuple):
    """A query in the SQL of a kind of database, as Django's compiler knows it.

    The columns of the model, from index `first` on, are its `fields`. `related` add the objects of `select_related`.
    `annotations` are the indexes of other columns by name, and `converters` turn the values of a column, given by its
    index, into those of Python. `locks`: the query locks its rows.
    """

    statement: Statement
    model: type[Model]
    first: int
    fields: Sequence[str]
    related: list[RelatedPopulator]
    annotations: dict[str, int]
    converters: dict[int, tuple[list[Callable[..., Any]], Any]]
    locks: bool


class Prepared(Generic[Row]):
    """The rows of a query with parameters: `Prepared(lambda game: Seat.objects.filter(game=game))(game.pk)`.

    Parameters are values that the query compares with columns: keys and other whole numbers, texts, moments, None, or
    lists of keys for `in`.

    PostgreSQL plans each execution as long as it expects to save more than the planning costs. With `is_planned_once`
    it does not see the values before it executes the plan. Use it for large queries of whole numbers alone, whose best
    plan does not depend on them.
    """

    def __init__(self, query: Callable[..., QuerySet[Row]], *, is_planned_once: bool = False) -> None:
        self.query, self.is_planned_once = query, is_planned_once
        self.compiled: dict[tuple[object, ...], Compiled] = {}  # by `_shape`

    def __call__(self, *values: Value) -> list[Row]:
        compiled = self._compiled(values)
        if compiled.locks and not connection.in_atomic_block:
            raise TransactionManagementError("Rows are locked for the rest of a transaction. Begin one first.")
        with connection.cursor() as cursor:
            cursor.execute(compiled.statement.sql, compiled.statement.filled(values))
            rows = cursor.fetchall()
        return [self._object(compiled, list(row)) for row in rows]

    def as_raw(self, *values: Value) -> tuple[str, list[Any]]:
        """Return SQL and its parameters, for `RawSQL`, where the query is a part of another one."""
        statement = self._compiled(values).statement
        return statement.sql, statement.filled(values)

    def _object(self, compiled: Compiled, row: list[Any]) -> Any:
        """Return the object of a row, as `django.db.models.Model.from_db` does, but without signals.

        Django sets one field after the other, which takes three times as long.
        """
        for place, (converters, expression) in compiled.converters.items():
            for convert in converters:
                row[place] = convert(row[place], expression, connection)
        instance: Any = compiled.model.__new__(compiled.model)
        instance._state = ModelState()
        instance._state.adding, instance._state.db = False, connection.alias
        vars(instance).update(zip(compiled.fields, row[compiled.first :], strict=False))
        for populator in compiled.related:
            populator.populate(row, instance)
        for name, place in compiled.annotations.items():
            setattr(instance, name, row[place])
        return instance

    def _compiled(self, values: Sequence[Value]) -> Compiled:
        """Return the query, compiled with placeholders for the values."""
        shape = _shape(values)
        if compiled := self.compiled.get(shape):
            return compiled
        rows = self.query(*_placeholders(values))
        query = rows.query
        compiler = query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        statement = _statement(sql, parameters, values)
        if self.is_planned_once:
            statement = statement._replace(sql=statement.sql.replace("%s", "(SELECT %s)"))
        selected = [column for column, _sql, _alias in compiler.select]
        info = compiler.klass_info or {"select_fields": []}  # none in a query for values
        own = info["select_fields"]
        compiled = self.compiled[shape] = Compiled(
            statement,
            rows.model,
            own[0] if own else 0,
            [selected[place].target.attname for place in own],
            get_related_populators(info, compiler.select, connection.alias),  # type: ignore[call-arg]
            compiler.annotation_col_map or {},
            compiler.get_converters(selected),
            query.select_for_update,
        )
        return compiled


Change = tuple[QuerySet[Any], dict[str, Any]]  # rows, and the new values of their fields


class PreparedChange:
    """An update of the rows of a query, without signals, with parameters as those of `Prepared`:

    `PreparedChange(lambda pk, at: (Notice.objects.filter(pk=pk, state="sending"), {"due_at": at}))(notice.pk, now)`.
    """

    def __init__(self, change: Callable[..., Change]) -> None:
        self.change = change
        self.compiled: dict[tuple[object, ...], Statement] = {}  # by `_shape`

    def __call__(self, *values: Value) -> int:
        """Return how many rows were changed."""
        shape = _shape(values)
        if (statement := self.compiled.get(shape)) is None:
            rows, new = self.change(*_placeholders(values))
            query: UpdateQuery = rows.query.chain(UpdateQuery)  # type: ignore[assignment]
            query.add_update_values(new)
            sql, parameters = query.get_compiler(connection=connection).as_sql()
            statement = self.compiled[shape] = _statement(sql, parameters, values)
        with connection.cursor() as cursor:
            cursor.execute(statement.sql, statement.filled(values))
            return int(cursor.rowcount)


class PreparedUpdate(Generic[Row]):
    """Save these fields of a row, as `row.save(update_fields=[…])` does, but without signals.

    With `rises`, one of the fields, a row whose value is as high already is left alone. What `may_be_lost` in a power
    failure is not waited for: PostgreSQL writes it to the disk a moment later, and the statement returns before that.
    """

    def __init__(self, model: type[Row], *names: str, rises: str = "", may_be_lost: bool = False) -> None:
        fields = {field.name: field for field in model._meta.concrete_fields}
        self.fields = [fields[name] for name in names]
        self.rises, self.may_be_lost = names.index(rises) if rises else None, may_be_lost
        columns = ", ".join(f'"{field.column}" = %s' for field in self.fields)
        where = f'"{model._meta.pk.column}" = %s' + (f' AND "{fields[rises].column}" < %s' if rises else "")
        self.sql = f'UPDATE "{model._meta.db_table}" SET {columns} {{}}WHERE {where}'

    def __call__(self, row: Row) -> bool:
        """Return whether the row is there."""
        values = [field.get_db_prep_save(field.pre_save(row, False), connection) for field in self.fields]
        values += [row.pk] if self.rises is None else [row.pk, values[self.rises]]
        # Inside a transaction, this would hold for all of it
        is_alone = connection.vendor == "postgresql" and not connection.in_atomic_block
        unsynced = UNSYNCED if self.may_be_lost and is_alone else ""
        with connection.cursor() as cursor:
            cursor.execute(self.sql.format(unsynced), values)
            return bool(cursor.rowcount)
