"""The example of an outside bot plays a whole game over HTTP on a real site, next to one that sends nonsense."""

import http.client
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.running import ROOT, Site, until
from tests.services.desk import Desk

pytestmark = [pytest.mark.long, pytest.mark.processes]
OPEN = """
from accounts import bots
from accounts.models import BotAccount
from games.tables.services import lobby, outside
from tests.cast import person
tokens = [bots.create_bot(owner=person(name), name=bot)[1] for name, bot in (("Alice", "Marvin"), ("Bob", "Eddie"))]
BotAccount.objects.update(is_public=True)
carol = person("Carol")
table = lobby.open_table(user=carol, players=3, admits_bots=True)
for bot in ("Marvin Bot", "Eddie Bot"):
    outside.seat_bot(game=table, user=carol, name=bot)
answer([table.public_id, *tokens])
"""
LOOK = """
from contextlib import suppress
from games.errors import Stale
from games.tables.models import Entry, Game
from games.tables.selectors import position
from games.tables.services import play
from tests.cast import seats_of, turn_on, with_snapshot
game = with_snapshot(Game.objects.get(public_id="{game}"))
others = game.seats.exclude(user__username="Marvin Bot")
while game.is_running and (seat := others.filter(owes=True, game__seq=game.seq).first()):
    state = position.current(game, seats_of(game), game.snapshot)
    with suppress(Stale):  # Marvin has played meanwhile
        actions = turn_on(game, state, seat.number)
        play.submit_turn(game=game, seat=seat.number, actions=actions, expected_seq=game.seq)
    game = with_snapshot(game)
answer([game.status, Entry.objects.filter(game=game, seat=1, by="seat").count()])
"""
VERIFY = """
from games.rules.record import decode, verify
from games.tables.services import records
from accounts.models import User
record = decode(records.export(public_id="{game}", user=User.objects.get(username="Carol")))
answer(verify(record))
"""


@pytest.fixture
def site(migrated: Path, tmp_path: Path) -> Iterator[Site]:
    running = Site(shutil.copytree(migrated, tmp_path / "var"), LOG_LEVEL="WARNING")
    try:
        running.wait_until_it_says(running.address)
        yield running
    finally:
        running.stop()


def test_the_example_plays_a_whole_game_over_http(site: Site) -> None:
    with closing(Desk(os.environ | {"VAR_DIR": str(site.folder)})) as desk:
        game, marvin, eddie = desk.run(OPEN)
        command = [sys.executable, "docs/example_bot.py", site.address, "0.1"]
        bot = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"BOT_TOKEN": marvin})
        try:
            progress: list[object] = []

            def is_over() -> bool:
                for body in (b"", b"{" * 1000, b'{"seq": 0, "actions": ["take atlantis"]}'):  # Eddie sends nonsense
                    with closing(http.client.HTTPConnection("localhost", site.port, timeout=90)) as connection:
                        headers = {"Authorization": f"Bearer {eddie}", "Content-Type": "application/json"}
                        connection.request("POST", f"/api/bot/games/{game}/turn", body, headers)
                        assert connection.getresponse().status in (400, 409, 429)
                progress[:] = desk.run(LOOK.format(game=game))
                return progress[0] == "finished"

            assert until(is_over)
            assert bot.poll() is None  # it waits for the next game
        finally:
            bot.kill()
            bot.wait()
        assert isinstance(progress[1], int) and progress[1] > 5  # its own turns, and not those of a bot of ours
        assert desk.run(VERIFY.format(game=game)) == []
