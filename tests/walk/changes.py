"""The rows that a visit changed in the database, and whether the visitor was allowed to change them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from django.apps import apps
from django.db import connection

from accounts.models import BotAccount
from accounts.moderation import roles
from games.tables.models import Draft, Game, Seat

Row = dict[str, Any]
ITS_OWN = {"django_session", "empire_trouble"}  # written by the site itself
OWNERS = {  # the column with the user who owns the row
    "accounts_user": "id", "account_emailaddress": "user_id", "mfa_authenticator": "user_id",
    "usersessions_usersession": "user_id", "notices_device": "user_id", "notices_hook": "user_id",
    "tables_vacation": "user_id", "tables_note": "user_id", "tables_block": "user_id", "tables_report": "reporter_id",
    "tables_message": "author_id", "accounts_botaccount": "owner_id", "accounts_step": "user_id",
    "accounts_acceptance": "user_id",
}  # fmt: skip
FOR_GOOD = (
    "accounts_moderationentry",
    "tables_entry",
    "tables_seed",
    "contests_score",
    "tables_duplicateseed",
)  # rows that never change
MODERATED = {"accounts_user", "accounts_step", "tables_report", "tables_message"}  # rows that moderators may change
HOLDING_A_LINK = {"unsubscribe", "account_confirm_email", "enter", "mute", "take"}  # act for the user of the link


class Change(NamedTuple):
    """A row before and after; None where it does not exist."""

    table: str
    before: Row | None
    after: Row | None

    @property
    def row(self) -> Row:
        return self.after or self.before or {}


class Rows:
    """All rows of the world as it was built."""

    def __init__(self) -> None:
        self.keys = {
            model._meta.db_table: model._meta.pk.column for model in apps.get_models(include_auto_created=True)
        }
        self.before = self.now()
        self.players = {(seat.game_id, seat.number): seat.user_id for seat in Seat.objects.all()}
        self.bots = dict(BotAccount.objects.values_list("pk", "owner"))
        self.moderators = set(roles.moderators().values_list("pk", flat=True))
        self.lessons = set(Game.objects.exclude(lesson="").values_list("pk", flat=True))
        self.seats = dict(Seat.objects.values_list("pk", "user_id"))
        self.sealed = set(Draft.objects.filter(sealed=True).values_list("seat__game_id", "seat__number"))

    def now(self) -> dict[str, dict[Any, Row]]:
        return {table: self.read(table) for table in self.keys}

    def read(self, table: str) -> dict[Any, Row]:
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{table}"')
            names = [column[0] for column in cursor.description]
            rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        return {row[self.keys[table]]: row for row in rows}

    def changes(self, tables: Iterable[str]) -> list[Change]:
        changes = []
        for table in sorted(set(tables) & set(self.keys) - ITS_OWN):
            before, after = self.before[table], self.read(table)
            keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
            changes += [Change(table, before.get(key), after.get(key)) for key in keys]
        return changes

    def trespasses(self, user: int | None, changes: Sequence[Change]) -> Iterator[str]:
        """Changes that the user was not allowed to make, by whatever page. None is a visitor."""
        new = [made.after for made in changes if made.table == "accounts_botaccount" and made.after]
        bots = self.bots | {row["user_id"]: row["owner_id"] for row in new}  # whose rows are their owners'
        for change in changes:
            table, row = change.table, change.row
            is_new = change.before is None
            if table in FOR_GOOD and not is_new and not self.is_new_name(user, change):
                yield f"a row of {table} was changed"
            if user in self.moderators and table in MODERATED:
                continue
            whose = row.get(OWNERS.get(table, ""))
            if whose in bots:
                whose = bots[whose]
            if table in OWNERS and whose != user and not (user is None and is_new):
                yield f"a row of {table} belongs to user {whose}"
            if table == "tables_draft" and self.seats.get(row["seat_id"]) != user and is_new:
                yield "a draft was written for the seat of someone else"
            if table == "tables_entry" and is_new and not self.is_theirs(user, row):
                yield f"entry {row['seq']} was not theirs to write"

    @staticmethod
    def is_new_name(user: int | None, change: Change) -> bool:
        """Whether users changed their own name, and nothing else in the score."""
        before, after = change.before or {}, change.after or {}
        changed = {name for name in before if before[name] != after.get(name)}
        return change.table == "contests_score" and changed == {"name"} and before["user_id"] == user

    def is_theirs(self, user: int | None, entry: Row) -> bool:
        """Whether it is their own turn, or one that another player had sealed, left to orders or asked to undo."""
        game, where = entry["game_id"], (entry["game_id"], entry["seat"])
        if entry["seq"] == 0 or game not in {game_id for game_id, _seat in self.players}:
            return True  # the setup, which the site writes, or the opening of a lesson begun just now
        if game in self.lessons:
            return self.players.get((game, 0)) == user  # the teacher answers at once, and skipping ends the game
        plays = user in {player for (game_id, _seat), player in self.players.items() if game_id == game}
        known_before = where in self.sealed or entry["by"] == "orders" or "take-back" in entry["actions"]
        return plays and (self.players.get(where) == user or known_before)
