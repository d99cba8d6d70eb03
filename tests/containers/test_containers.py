"""The image and docker-compose.yml as they are deployed: built, started, played on, updated, backed up and killed."""

import json
import re
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.containers.composed import HOST, OPEN_NOTICES, SENT, START, TURNS, Composed, HttpsBrowser, documented
from tests.containers.engine import Engine, running_engine
from tests.running import ROOT
from tests.services.whole_site import Turn, until

pytestmark = [pytest.mark.long, pytest.mark.containers, pytest.mark.site("containers")]

PATIENCE = 300
OURS = (
    "web1", "web2", "worker-notices", "worker-clocks", "worker-bots", "worker-thinking", "worker-reviews", "beat",
)  # fmt: skip
OTHERS = ("postgres", "redis", "caddy")
PASSWORD = "a horse of four colours"
FORM = {"ruleset": "legends", "players": "2", "pace": "move 1d", "listed": "yes", "full": "no"}
STATUS = (
    "grep -E '^(Uid|CapEff|CapBnd|NoNewPrivs)' /proc/1/status; touch /srv/empire/x 2>&1; touch /x 2>&1; touch /tmp/x"
)
NEXT_MIGRATION = """
from django.db import migrations, models

class Migration(migrations.Migration):
    dependencies = [("tables", "{last}")]
    operations = [migrations.AddField("entry", "mood", models.CharField(max_length=10, db_default="calm"))]
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with running_engine(tmp_path_factory.mktemp("engine")) as engine:
        yield engine


@pytest.fixture(scope="module")
def site(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Composed]:
    """The site after the commands with which docs/operations.md sets it up."""
    site = Composed(tmp_path_factory.mktemp("checkout"), engine)
    try:
        for command in START:
            site.sh(documented(command))
        site.connect()
        site.trust_proxy()
        yield site
        site.database.close()
    finally:
        (site.folder / "log").write_text(site.sh("docker compose logs --no-color"))
        site.sh("docker compose down --volumes --timeout 5")


@pytest.fixture(autouse=True)
def is_well(site: Composed) -> None:
    until(site.are_all_well, PATIENCE)


def test_containers_have_no_rights_and_write_only_where_they_must(site: Composed) -> None:
    for name in (*OURS, "migrate"):
        how = "run --rm --no-deps" if name == "migrate" else "exec"
        output = site.sh(f'docker compose {how} -T {name} sh -c "{STATUS} && touch /var/lib/empire/x" || true')
        facts = dict(line.split(":\t") for line in output.splitlines() if ":\t" in line)
        assert facts["Uid"].split("\t")[0] == "10001" and facts["NoNewPrivs"] == "1", name
        assert int(facts["CapEff"], 16) == int(facts["CapBnd"], 16) == 0, name
        assert output.count("Read-only file system") == 2 and "Permission" not in output, output
    for name in ("redis", "caddy"):
        output = site.sh(f'docker compose exec -T {name} sh -c "touch /x 2>&1 || true"')
        assert "Read-only file system" in output, name
    for name, is_reachable in {"web1:8000/livez": True, "postgres:5432": False, "redis:6379": False}.items():
        output = site.sh(
            f"docker compose exec -T caddy wget -q -T 5 -O /dev/null http://{name} && echo reached || true"
        )
        assert ("reached" in output) == is_reachable, name
    names = site.engine.run("image", "history", "--no-trunc", "empire:tests")
    assert site.password not in names
    inside = site.sh("docker compose exec -T web1 sh -c 'ls -A /srv/empire'").split()
    assert not {"tests", "secrets", ".env", ".git"} & {*inside}, inside


def test_a_game_is_played_to_its_end_through_the_proxy_and_emails_arrive(site: Composed) -> None:
    people = {name: HttpsBrowser(site) for name in ("Alice", "Bob")}
    for name, browser in people.items():
        sign_up(site, browser, name)
    opened = people["Alice"].post("/lobby/open/", FORM)
    game = re.fullmatch(r"/games/(\w+)/", opened.location)[1]
    assert people["Bob"].post(f"/games/{game}/join").status == 302
    for seat, actions in ((0, ["bid 0"]), (1, ["bid 1"]), (1, ["first 0"])):
        seq = site.number("SELECT seq FROM tables_game WHERE public_id = %s", game)
        assert site.hand_in(Turn(game, seat, ("Alice", "Bob")[seat], seq, actions)) == 302
    site.before[game] = len(site.rows(TURNS, game))
    while site.owing(game):
        site.turn(game)
    assert site.rows("SELECT status FROM tables_game WHERE public_id = %s", game) == [("finished",)]
    site.check_turns([game])
    until(lambda: site.number(OPEN_NOTICES) == 0, PATIENCE)
    check_emails(site)
    emails = [email for email in site.emails() if game.encode() in email]
    assert any(b"image/" in email for email in emails), "no email has a picture"
    # Plain HTTP leads to HTTPS, the metrics stay inside, and pages keep the headers that the site gives them
    plain = subprocess.run(
        ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code} %{redirect_url}", "-H", f"Host: {HOST}",
         f"http://127.0.0.1:{site.plain_port}/rules/"], capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert plain == f"308 https://{HOST}/rules/"
    assert people["Bob"].get("/metrics").status == 404
    headers = people["Bob"].get("/rules/").headers
    assert "max-age=31536000" in headers["Strict-Transport-Security"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]


def sign_up(site: Composed, browser: HttpsBrowser, name: str) -> None:
    """Open an account and confirm its address with the link in the email."""
    mailbox = f"{name.lower()}@example.org"
    form = {"username": name, "email": mailbox, "password1": PASSWORD, "accepts": "1"}
    assert browser.post("/accounts/signup/", form).status == 302
    until(lambda: link_for(site, mailbox), PATIENCE)
    assert browser.post(link_for(site, mailbox)).status == 302
    site.sessions[name] = browser.cookies["sessionid"]


def link_for(site: Composed, mailbox: str) -> str:
    """Return the path of the link that confirms this mailbox, or nothing before it has come."""
    for email in site.emails():
        text = email.replace(b"=\r\n", b"").replace(b"=3D", b"=").decode()
        match = re.search(rf"https://{HOST}(/accounts/confirm-email/\S+)", text)
        if match and f"To: {mailbox}" in text:
            return match[1]
    return ""


def check_emails(site: Composed) -> None:
    """Check that each notice that was sent arrived once."""
    sent = {name for (name,) in site.rows(SENT)}
    until(lambda: sent <= site.mail_names().keys(), PATIENCE)
    assert {name: n for name, n in site.mail_names().items() if n != 1} == {}


def test_a_backup_is_restored_into_an_empty_database(site: Composed) -> None:
    site.open_accounts("Eve", "Frank")
    tables = site.open_tables("Eve", "Frank", number=6)
    with site.people_play(tables):
        time.sleep(5)
        site.sh(documented("docker compose run --rm -T migrate python manage.py backup --keep 14"))
        backup = site.sh("docker compose exec -T worker-clocks sh -c 'ls /var/lib/empire/backups/*.zip'").strip()
        # Tried while the site runs
        site.sh(documented("docker compose exec postgres createdb -U empire trial").replace("exec", "exec -T"))
        output = site.sh(f"{documented(TRIAL)} {backup}")
        assert "none differ" in output, output
        site.sh(documented("docker compose exec postgres dropdb -U empire trial").replace("exec", "exec -T"))
    entries = set(site.rows("SELECT digest FROM tables_entry"))
    site.sh(documented("docker compose stop"))
    site.sh(documented("docker compose up -d --wait postgres"))
    site.sh(documented("docker compose exec postgres createdb -U empire empire2").replace("exec", "exec -T"))
    with (site.folder / ".env").open("a") as settings:
        settings.write("DATABASE_NAME=empire2\n")
    output = site.sh(f"{documented(RESTORE)} {backup}")
    assert "none differ" in output, output
    site.sh(documented("docker compose up -d"))
    site.database.close()
    site.connect("empire2")
    until(site.are_all_well, PATIENCE)
    restored = set(site.rows("SELECT digest FROM tables_entry WHERE events->0->>'kind' <> 'give-time'"))
    assert restored and restored < entries
    with pytest.raises(psycopg.errors.RaiseException, match="only ever added to"):
        site.rows("UPDATE tables_entry SET digest = ''")
    site.accepted.clear()
    assert site.owing(tables[0])
    site.turn(tables[0])


RESTORE = "docker compose run --rm --no-deps migrate python manage.py restore"
TRIAL = (
    "docker compose run --rm --no-deps -e DATABASE_URL=postgres://empire@postgres:5432/trial migrate"
    " python manage.py restore"
)
COPIES = (
    "docker compose cp worker-clocks:/var/lib/empire/backups /mnt/elsewhere",
    "docker compose cp worker-clocks:/var/lib/empire/record_key /mnt/elsewhere",
)
UNPACK = (
    "tar -C /mnt/elsewhere -c backups record_key"
    " | docker compose run --rm --no-deps -T migrate tar -C /var/lib/empire -x"
)


def test_a_backup_is_restored_on_a_new_machine(site: Composed, tmp_path: Path) -> None:
    site.open_accounts("Ida", "Jack")
    tables = site.open_tables("Ida", "Jack", number=3)
    site.sh(documented("docker compose run --rm -T migrate python manage.py backup --keep 14"))
    for command in COPIES:
        site.sh(documented(command).replace("/mnt/elsewhere", str(tmp_path)))
    key = site.sh("docker compose exec -T web1 cat /var/lib/empire/record_key")
    newest = max((tmp_path / "backups").glob("*.zip")).name
    site.database.close()
    site.sh("docker compose down --volumes")
    site.sh(documented("docker compose up -d --wait postgres"))
    site.sh(documented(UNPACK).replace("/mnt/elsewhere", str(tmp_path)))
    output = site.sh(f"{RESTORE} /var/lib/empire/backups/{newest}")
    assert "none differ" in output and "has changed" not in output, output
    site.sh("docker compose up -d --wait")
    site.connect()
    site.trust_proxy()
    until(site.are_all_well, PATIENCE)
    assert site.sh("docker compose exec -T web1 cat /var/lib/empire/record_key") == key
    site.accepted.clear()
    site.turn(tables[0])  # the players are still signed in
    assert len(site.accepted) == 1


def test_the_database_password_is_changed(site: Composed) -> None:
    names = ("Mia", "Nick")
    site.open_accounts(*names)
    tables = site.open_tables(*names, number=6)
    (site.folder / "secrets/database_password").write_text("another")
    psql = documented("docker compose exec postgres psql -U empire postgres").replace("exec", "exec -T")
    change = documented("ALTER ROLE empire PASSWORD '…';").replace("…", "another")
    site.sh(f'{psql} -c "{change}"')
    site.sh(documented("docker compose restart"))
    until(site.are_all_well, PATIENCE)
    site.database.close()
    site.connect()
    site.turn(tables[0])
    site.check_turns(tables)


def test_nobody_notices_an_update_to_a_newer_release_and_the_way_back(site: Composed) -> None:
    site.open_accounts("Carol", "Dan")
    tables = site.open_tables("Carol", "Dan", number=60)
    older = ids(site)
    site.slowest, site.refused = 0.0, []
    with site.people_play(tables[:30], tables[30:]):
        time.sleep(5)
        take_newer(site.folder)
        run_all(site, UPDATE)
        newer = ids(site)
        assert b"a newer release" in site.ask("GET", "/rules/")[1]
        take_older(site.folder)
        run_all(site, [command for command in UPDATE if command != MIGRATE])
        time.sleep(5)
    print(f"{len(site.accepted)} turns; the slowest took {site.slowest:.2f} s")
    print(f"sent again because the site was busy: {len(site.refused)}")
    assert site.slowest < 10
    after = ids(site)
    for name in OURS:
        assert older[name] != newer[name] != after[name], name
    for name in (*OTHERS, "mailbox"):
        assert older[name] == newer[name] == after[name], name
    assert b"a newer release" not in site.ask("GET", "/rules/")[1]
    assert site.rows("SELECT DISTINCT mood FROM tables_entry") == [("calm",)]
    until(lambda: site.number(OPEN_NOTICES) == 0, PATIENCE)
    site.check_turns(tables)
    check_emails(site)


MIGRATE = "docker compose run --rm migrate"
UPDATE = (
    "docker compose build",
    MIGRATE,
    "docker compose up -d --wait --scale migrate=0 web1",
    "docker compose up -d --wait --scale migrate=0 web2",
    "docker compose up -d --wait --scale migrate=0",
)


def run_all(site: Composed, commands: Iterable[str]) -> None:
    for command in commands:
        began = time.monotonic()
        site.sh(documented(command))
        print(f"{time.monotonic() - began:.0f} s: {command}; {len(site.accepted)} turns so far")


def ids(site: Composed) -> dict[str, str]:
    return {name: container["ID"] for name, container in site.containers().items()}


def take_newer(folder: Path) -> None:
    """Change a page and a table, as the next release does."""
    page = folder / "templates/empire/_footer.html"
    page.write_text(page.read_text() + "<p>a newer release</p>")
    migrations = folder / "games/tables/migrations"
    last = max(file.stem for file in migrations.glob("0*.py"))
    (migrations / "0099_mood.py").write_text(NEXT_MIGRATION.format(last=last))


def take_older(folder: Path) -> None:
    (folder / "games/tables/migrations/0099_mood.py").unlink()
    shutil.copy(ROOT / "templates/empire/_footer.html", folder / "templates/empire")


def test_containers_of_each_kind_that_are_killed_come_back_and_nothing_is_lost(site: Composed) -> None:
    names = ("Gina", "Hugo")
    site.open_accounts(*names)
    tables = site.open_tables(*names, number=60)
    site.accepted.clear()
    site.refused.clear()
    with site.people_play(tables[:30], tables[30:], is_patient=True):
        for name in (*OURS, *OTHERS):
            time.sleep(2)
            kill(site, name)
    print(f"{len(site.accepted)} turns; sent again: {Counter(str(outcome) for _at, _turn, outcome in site.refused)}")
    until(site.are_all_well, PATIENCE)
    until(lambda: site.number(OPEN_NOTICES) == 0, PATIENCE * 2)
    site.check_turns(tables)


def kill(site: Composed, name: str) -> None:
    """Kill the container's first process as a machine out of memory does, and wait until the site is well again and is
    played on.

    Docker does not restart a container after `docker kill`.
    """
    container = site.containers()[name]["ID"]
    pid = site.engine.run("inspect", "--format", "{{.State.Pid}}", container).strip()
    site.engine.run("run", "--rm", "--pid", "host", "python:3.11.14-slim-bookworm", "sh", "-c", f"kill -9 {pid}")
    began, turns = time.monotonic(), len(site.accepted)
    until(lambda: is_running(site, name) and site.is_well(), PATIENCE)
    print(f"{name} was back after {time.monotonic() - began:.1f} s")
    until(lambda: len(site.accepted) > turns, PATIENCE)


def test_the_site_is_back_after_the_machine_was_restarted(site: Composed, engine: Engine) -> None:
    if engine.process is None:
        pytest.skip("This Docker engine was running before the tests, and others may need it.")
    names = ("Kim", "Lee")
    site.open_accounts(*names)
    tables = site.open_tables(*names, number=60)
    site.accepted.clear()
    with site.people_play(tables[:30], tables[30:], is_patient=True):
        time.sleep(5)
        began, older = time.monotonic(), ids(site)
        engine.stop()
        print(f"stopped after {time.monotonic() - began:.1f} s")
        began = time.monotonic()
        engine.start()
        until(site.is_well, PATIENCE)
        print(f"back after {time.monotonic() - began:.1f} s")
        turns = len(site.accepted)
        until(lambda: len(site.accepted) > turns, PATIENCE)
    assert ids(site) == older
    until(site.are_all_well, PATIENCE)
    until(lambda: site.number(OPEN_NOTICES) == 0, PATIENCE)
    site.check_turns(tables)
    check_emails(site)


def is_running(site: Composed, name: str) -> bool:
    state = json.loads(site.engine.run("inspect", site.containers()[name]["ID"]))[0]["State"]
    return state["Running"]
