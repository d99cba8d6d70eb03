"""The load benchmark: games in the middle, requests like those of pages, and a verdict that can be negative."""

import gzip
import os
from collections import Counter, deque
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from games.rules.log import GENESIS, fold, link
from tests.bench.load import Outcome, others
from tests.bench.load_check import spread
from tests.bench.load_drive import Stage, Table, header, submit
from tests.bench.load_games import MIX, Turn, dated, played
from tests.bench.load_seed import seated
from tests.bench.load_site import fields, spent
from tests.cast import again, bid, person, some_turn, table_of
from tests.cast import submit as taken_by
from tests.each import for_each

UPTO = datetime(2026, 11, 22, 8, tzinfo=UTC)
KINDS = sorted({MIX.index(kind) for kind in MIX})


@for_each("number", KINDS)
def test_a_game_is_in_the_middle_with_its_own_chain(number: int) -> None:
    game, head = played(number, UPTO), GENESIS
    for entry in game.entries:
        head = link(head, entry, game.seed)
        assert entry.digest == head
    options = game.ruleset.options(game.options, game.players)
    assert fold(game.ruleset, game.ruleset.initial(options, game.seats), game.entries) == game.state
    assert datetime.fromisoformat(game.entries[-1].at) == UPTO
    assert not game.ruleset.sealed(game.state) and game.turns[0].seat in game.ruleset.to_act(game.state)


def test_the_turns_that_follow_lead_to_the_end() -> None:
    turns = played(0, UPTO).turns
    assert [turn.seat for turn in turns[1:]] == [turn.then[0] for turn in turns[:-1]]
    assert turns[-1].then == ()


def test_each_number_has_its_own_game() -> None:
    assert played(3, UPTO) == played(3, UPTO)
    assert played(3, UPTO).entries != played(4, UPTO).entries
    assert dated(played(3, UPTO).entries, UPTO - timedelta(days=1), b"") != played(3, UPTO).entries


@pytest.mark.parametrize("people", [20, 200, 20_000])
def test_nobody_sits_twice_at_a_table(people: int) -> None:
    for game in range(1000):
        assert len({seated(game, seat, people) for seat in range(5)}) == 5
    assert {seated(game, seat, 20) for game in range(40) for seat in (0, 1)} == set(range(20))


@pytest.mark.django_db
def test_a_turn_is_submitted_as_by_the_page() -> None:
    alice, bob = person("Alice"), person("Bob")
    game = bid(table_of(alice, bob), 0, 1)
    seat, actions = some_turn(game)
    taken_by(game, seat, *actions)
    seat, actions = some_turn(game := again(game))
    client = Client(enforce_csrf_checks=True)
    client.force_login((alice, bob)[seat])
    session = client.cookies["sessionid"].value
    table = Table(game.pk, game.public_id, game.seq, deque(), (session, session), game.version)
    head, _blank, body = submit(table, Turn(seat, tuple(actions), ())).decode().partition("\r\n\r\n")
    words, *lines = head.split("\r\n")
    headers = {name: value for name, _colon, value in (line.partition(": ") for line in lines)}
    client.cookies.load(headers.pop("Cookie"))
    kind = headers.pop("Content-Type")
    answer = client.post(words.split()[1], body, kind, headers={**headers, "Host": "testserver"})
    assert again(game).version == game.version + 1
    assert f'data-version="{game.version + 1}"' in gzip.decompress(answer.content).decode()
    assert int(headers["Content-Length"]) == len(body)


def test_headers_are_found_by_their_name() -> None:
    head = b"http/1.1 200 ok\r\ncontent-length: 12\r\nx-content-length: 13\r\n\r\n"
    assert header(head, b"content-length") == b"12" and header(head, b"content-encoding") == b""


def test_slow_answers_lost_turns_late_emails_and_errors_are_failures() -> None:
    quick, slow = [0.02] * 100, [0.02] * 40 + [0.4] * 60
    well = outcome(quick, emails=[0.5] * 100)
    assert well.keeps_up
    assert not outcome(slow, emails=[0.5] * 100).keeps_up
    assert not outcome(quick, emails=[6.0] * 100).keeps_up
    assert not outcome(quick[:90], emails=[0.5] * 90).keeps_up
    assert not outcome(quick, emails=[0.5] * 100, errors=1).keeps_up
    assert not well._replace(is_drained=False).keeps_up


def outcome(turns: list[float], *, emails: list[float], errors: int = 0) -> Outcome:
    stage = Stage(10, 0, 10, turns=turns, errors=Counter({"turn answered 500": errors} if errors else {}), took=10)
    return Outcome(stage, emails, len(emails), {}, 12, True)


def test_the_load_rises_after_success_and_falls_after_failure() -> None:
    assert list(others(50, True))[:3] == [75, 100, 125]
    assert list(others(50, False)) == [40, 30, 20, 10]


def test_the_spread_covers_any_number_of_values() -> None:
    assert spread([]) == (0, 0, 0) and spread([2.0]) == (2, 2, 2)
    assert spread([float(n) for n in range(101)]) == (50, 95, 99)


def test_the_processor_time_of_a_process_is_measured() -> None:
    assert spent(os.getpid()) > 0 and int(fields(os.getpid())[1]) == os.getppid()
