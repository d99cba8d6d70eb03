"""Queries and updates whose SQL is written once in each process, for the few that every turn, page or desk makes.

Django takes longer to write such a query, and to find out which column belongs to which field, than the database to
answer it. PostgreSQL plans such a query only for its first executions on a connection. It could not do so if constants
were parameters, because then the plan could use no index for some rows only, such as running games.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.base import ModelState
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row", bound=Model)
Value = int | str | list[int]
STAND_IN = 31_000  # for the first value, the next one for the second; no query has such a constant
PLACE = re.compile(r"IN \(%s\)|%[s%]")
# The condition on a list of keys, which is one parameter, and that parameter as a text
AMONG = {"postgresql": ("= ANY(%s)", "{%s}"), "sqlite": ("IN (SELECT value FROM json_each(%s))", "[%s]")}
UNSYNCED = "FROM (SELECT set_config('synchronous_commit', 'off', true)) AS unsynced "


class Compiled(NamedTuple):
    """A query in the SQL of a kind of database, as Django's compiler knows it.

    The constants of the query are part of its SQL. `places` say which value belongs at which index of the parameters.
    The columns of the model, from index `first` on, are its `fields`. `annotations` are the indexes of other columns by
    name, and `converters` turn the values of a column, given by its index, into those of Python. `locks`: the query
    locks its rows.
    """

    sql: str
    parameters: Sequence[Any]
    places: dict[int, int]
    model: type[Model]
    first: int
    fields: Sequence[str]
    annotations: dict[str, int]
    converters: dict[int, tuple[list[Callable[..., Any]], Any]]
    locks: bool


class Prepared(Generic[Row]):
    """The rows of a query with parameters: `Prepared(lambda game: Seat.objects.filter(game=game))(game.pk)`.

    Parameters are keys and other whole numbers, or texts, that the query compares with columns, or lists of keys for
    `in`. There is no `select_related`.

    PostgreSQL plans each execution as long as it expects to save more than the planning costs. With `is_planned_once`
    it does not see the values before it executes the plan. Use it for large queries of whole numbers alone, whose best
    plan does not depend on them.
    """

    def __init__(self, query: Callable[..., QuerySet[Row]], *, is_planned_once: bool = False) -> None:
        self.query, self.is_planned_once = query, is_planned_once
        self.compiled: dict[str, Compiled] = {}  # by kind of database

    def __call__(self, *values: Value) -> list[Row]:
        compiled = self._compiled(values)
        if compiled.locks and not connection.in_atomic_block:
            raise TransactionManagementError("Rows are locked for the rest of a transaction. Begin one first.")
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql, self._parameters(compiled, values))
            rows = cursor.fetchall()
        return [self._object(compiled, list(row)) for row in rows]

    def as_raw(self, *values: Value) -> tuple[str, list[Any]]:
        """Return SQL and its parameters, for `RawSQL`, where the query is a part of another one."""
        compiled = self._compiled(values)
        return compiled.sql, self._parameters(compiled, values)

    def _parameters(self, compiled: Compiled, values: Sequence[Value]) -> list[Any]:
        parameters = list(compiled.parameters)
        for place, number in compiled.places.items():
            value = values[number]
            if isinstance(value, list):
                value = AMONG[connection.vendor][1] % ",".join(map(str, value))
            parameters[place] = value
        return parameters

    def _object(self, compiled: Compiled, row: list[Any]) -> Any:
        """Return the object of a row, as `django.db.models.Model.from_db` does, but without signals.

        Django sets one field after the other, which takes three times as long.
        """
        for place, (converters, expression) in compiled.converters.items():
            for convert in converters:
                row[place] = convert(row[place], expression, connection)
        found: Any = compiled.model.__new__(compiled.model)
        found._state = ModelState()
        found._state.adding, found._state.db = False, connection.alias
        vars(found).update(zip(compiled.fields, row[compiled.first :], strict=False))
        for name, place in compiled.annotations.items():
            setattr(found, name, row[place])
        return found

    def _compiled(self, values: Sequence[Value]) -> Compiled:
        """Return the query, compiled with stand-ins for the values."""
        if found := self.compiled.get(connection.vendor):
            return found
        stand_ins = range(STAND_IN, STAND_IN + len(values))
        rows = self.query(*([n] if isinstance(value, list) else n for n, value in zip(stand_ins, values, strict=True)))
        query = rows.query
        compiler = query.get_compiler(connection=connection)
        sql, given = compiler.as_sql()
        sql, parameters, places = _with_constants(sql, given, values)
        if self.is_planned_once:
            sql = sql.replace("%s", "(SELECT %s)")
        selected = [column for column, _sql, _alias in compiler.select]
        own = (compiler.klass_info or {"select_fields": []})["select_fields"]  # none in a query for values
        found = self.compiled[connection.vendor] = Compiled(
            sql,
            parameters,
            places,
            rows.model,
            own[0] if own else 0,
            [selected[place].target.attname for place in own],
            compiler.annotation_col_map or {},
            compiler.get_converters(selected),
            query.select_for_update,
        )
        return found


def _with_constants(sql: str, given: Sequence[Any], values: Sequence[Value]) -> tuple[str, list[Any], dict[int, int]]:
    """Write the constants of a query into its SQL. Return it with the other parameters, and their `Compiled.places`."""
    stand_ins = {one: n for n in range(len(values)) for one in (STAND_IN + n, str(STAND_IN + n))}
    rest, parameters, places = iter(given), list[Any](), dict[int, int]()

    def fill(place: re.Match[str]) -> str:
        if place[0] == "%%":
            return place[0]
        value = next(rest)
        if not isinstance(value, int | str):  # a time
            parameters.append(value)
            return place[0]
        if value not in stand_ins:
            constant = str(value) if isinstance(value, int) else "'{}'".format(value.replace("'", "''"))
            return place[0].replace("%s", constant.replace("%", "%%"))
        places[len(parameters)] = number = stand_ins[value]
        parameters.append(value)
        return AMONG[connection.vendor][0] if isinstance(values[number], list) else place[0]

    return PLACE.sub(fill, sql), parameters, places


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
