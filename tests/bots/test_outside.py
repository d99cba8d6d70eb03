"""Outside bots as processes: the example plays whole games, and a broken or slow bot costs only its own time."""

import sys
from pathlib import Path

import pytest
from django.core.management import CommandError

from games.bots import outside
from games.bots.arena import Fixture, Result
from games.rules.kingdoms.deck import CARDS
from games.rules.play import Incomplete
from games.rules.protocol import IllegalAction
from games.tables.management.commands.arena import play
from tests.bots.test_arena import command
from tests.each import for_each
from tests.running import ROOT, is_alive, until

pytestmark = pytest.mark.processes
EXAMPLE = f"{sys.executable} {ROOT / 'docs/example_bot.py'}"
PATIENT = 20_000  # milliseconds, for a busy machine
# A bot that greets us, and then does with each turn what is to be tested
BOT = """
import sys, time, random, json, os, threading
reads = lambda: [os.read(0, 65536) for n in iter(int, 1)]
open({pids!r}, "a").write(str(os.getpid()) + "\\n")
say = lambda line: print(line, flush=True)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "empire":
        say("ready")
    if word == "view":
        shown = json.loads(rest)
    if word == "go":
        {does}
"""


def game(command: str, milliseconds: int = PATIENT, ruleset: str = "legends", players: int = 2) -> Result:
    fixture = Fixture("x", ruleset, "{}", 0, ("mine", *["random"] * (players - 1)), 50)
    return play(fixture, {"mine": command}, milliseconds)


def bot(folder: Path, does: str) -> str:
    script = folder / "bot.py"
    (folder / "pids").write_text("")
    script.write_text(BOT.format(does=does, pids=str(folder / "pids")))
    return f"{sys.executable} -S {script}"


def pids(folder: Path) -> list[int]:
    return [int(pid) for pid in (folder / "pids").read_text().split()]


@pytest.mark.long
@for_each("ruleset, players", [("legends", 2), ("legends", 3), ("prototype", 2), ("kingdoms", 3)])
def test_the_example_plays_to_the_end_without_a_fault(ruleset: str, players: int) -> None:
    result = game(EXAMPLE, ruleset=ruleset, players=players)
    assert sorted(result.places)[0] == 1
    assert result.faults == (0,) * players
    assert all(result.seconds[0])


def test_the_arena_takes_outside_bots_by_their_commands() -> None:
    out = command("random", f"--bot=mine={EXAMPLE}", "--deals=1", "--series=x", f"--time={PATIENT}")
    assert "mine against random: " in out and "in 2 games" in out and "failed" not in out


def test_the_example_is_short() -> None:
    assert len((ROOT / "docs/example_bot.py").read_text().splitlines()) <= 60


@for_each("text", ["", "mine= ", "python 'bot.py"])
def test_a_command_that_cannot_be_read_is_refused_before_the_first_game(text: str) -> None:
    with pytest.raises(CommandError):
        command("random", f"--bot={text}", "--deals=1")


@pytest.mark.long
@for_each(
    "does",
    [
        "time.sleep(1000)",  # hangs
        "sys.exit(1)",  # ends
        "say('turn take atlantis')",  # an illegal turn, and then nothing
        "say('bid 3; take; \\x00\\xff {]')",  # garbage
        "say('turn ' + 'x; ' * 100_000)",  # a line without end
        "[say('try bid 1') for n in iter(int, 1)]",  # never comes to a turn
        "threading.Thread(target=reads, daemon=True).start(); os.write(1, b'try bid 1\\n' * 50_000); time.sleep(1000)",
        "[print('x' * 10_000) for n in iter(int, 1)]",  # floods its output
        "os.close(1); time.sleep(1000)",  # closes its output
        "os.kill(os.getppid(), 0) or os.fork() or time.sleep(1000)",  # has a child that hangs too
    ],
)
def test_a_broken_bot_costs_its_own_time_and_is_asked_no_more_after_three_faults(does: str, tmp_path: Path) -> None:
    result = game(bot(tmp_path, does), 100)
    assert sorted(result.places)[0] == 1
    assert result.faults[0] == len(result.seconds[0]) >= 3  # every turn of its own was played for it
    assert result.faults[1] == 0
    assert sum(spent > 0 for spent in result.seconds[0]) <= 3
    assert sum(result.seconds[0]) < 3 * 1.0  # of 0.1 each; more is a busy machine
    assert len(pids(tmp_path)) == 3
    assert until(lambda: not any(is_alive(pid) for pid in pids(tmp_path)), 5)


@for_each(
    "does, milliseconds, reason",
    [
        ("time.sleep(1000)", 100, "gave no turn within 100 ms."),
        ("say('turn x')", 500, "gave no legal turn within 500 ms. Last refusal: “x” is not something you can do here."),
        ("sys.exit(1)", PATIENT, "ended, or closed its input or output."),
        (
            "say('x' * 100_000); time.sleep(1000)",
            PATIENT,
            "printed more than 1 MB in a turn, or a line of more than 64 KB.",
        ),
    ],
)
def test_the_author_is_told_why_a_turn_failed(does: str, milliseconds: int, reason: str, tmp_path: Path, capfd) -> None:
    game(bot(tmp_path, does), milliseconds)
    told = capfd.readouterr().err.splitlines()
    assert [line.partition("(seat 0) ")[2] for line in told] == [
        reason,
        reason,
        f"{reason} It isn’t asked again in this game.",
    ]


def test_a_bot_that_does_not_read_is_late(tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text("import time; print('ready', flush=True); time.sleep(1000)")
    result = game(f"{sys.executable} -S {script}", 100)
    assert result.faults[0] == len(result.seconds[0])


def test_a_command_that_does_not_exist_is_a_fault_of_the_bot(capfd) -> None:
    assert game("/nowhere/bot").faults[0] > 0
    assert "/nowhere/bot (seat 0) can’t be started: " in capfd.readouterr().err


def test_a_refused_turn_can_be_corrected_while_there_is_time(tmp_path: Path) -> None:
    log = tmp_path / "refusals"
    does = f"""
        say("turn take atlantis")
        open({str(log)!r}, "a").write(sys.stdin.readline())
        laid = []
        while not shown["is_complete"]:
            if laid:
                say("turn " + laid[0])  # without its end
                if (answer := sys.stdin.readline()).startswith("refused"):
                    open({str(log)!r}, "a").write(answer)
            laid.append(shown["legal"][-1 if laid else 0])
            say("try " + "; ".join(laid))
            shown = json.loads(sys.stdin.readline()[5:])
        say("turn " + "; ".join(laid))
""".strip()
    result = game(bot(tmp_path, does))
    assert result.faults == (0, 0)
    log_lines = set(log.read_text().splitlines())
    assert f"refused {Incomplete()}" in log_lines
    assert len(log_lines) > 1 and all(line.startswith("refused ") for line in log_lines)


@pytest.mark.long
def test_a_second_answer_does_not_count_for_the_next_turn(tmp_path: Path) -> None:
    does = """
        turn, laid = "", []
        while not shown["is_complete"]:
            laid.append(shown["legal"][-1 if laid else 0])
            say("try " + "; ".join(laid))
            shown = json.loads(sys.stdin.readline()[5:])
        say("turn " + "; ".join(laid) + "\\nturn take nonsense")
""".strip()
    assert game(bot(tmp_path, does)).faults == (0, 0)


def test_a_process_ends_with_its_game(tmp_path: Path) -> None:
    game(bot(tmp_path, "sys.exit(1)"), 100)
    assert not any(is_alive(pid) for pid in pids(tmp_path))


@for_each("text", ["", ";", "take x;", "x" * 1001, ";".join(["x"] * 201)])
def test_a_text_that_is_no_turn_is_refused(text: str) -> None:
    with pytest.raises(IllegalAction):
        outside.parsed(text)


def test_a_turn_can_show_many_cards_of_two_decks() -> None:
    cards = [card for card in CARDS if "-support-" in card and not card.startswith("d2:")]
    text = f"show {'+'.join(cards)}"
    assert 200 < len(text) < 1000 and outside.parsed(text) == [text]
