"""The games of the load benchmark, which need PostgreSQL. test_postgresql.py runs this file."""

import pytest
from django.db.models import Count, F

from games.tables.models import Entry, Game, Seat, Status
from games.tables.services import lobby, records
from games.tables.services.play import submit_turn
from tests.bench import load_seed
from tests.bench.load import ids, table
from tests.bench.load_check import counts, last_entries, logs, sampled
from tests.bench.load_seed import Stored

STORED = 400
pytestmark = pytest.mark.postgresql


@pytest.fixture
def kept(transactional_db) -> Stored:
    return load_seed.fill(STORED)


def test_the_stored_games_resemble_a_site_after_years(kept: Stored) -> None:
    running = Game.objects.filter(status=Status.RUNNING)
    assert Game.objects.count() == STORED + 2 * len(kept.models)
    assert running.count() == STORED // 5 + len(kept.models)
    assert Seat.objects.values("game").annotate(people=Count("user")).exclude(people=F("game__players")).count() == 0
    assert Seat.objects.filter(owes=True).values("game").distinct().count() == running.count()
    assert not Seat.objects.filter(owes=True).exclude(deadline=F("since") + F("time_left")).exists()
    in_play = Game.objects.filter(pk__gte=kept.first)
    assert [records.verify(game=game) for game in in_play] == [[]] * kept.count
    assert lobby.play_now(user=kept.people[0]).pk == kept.first + kept.count


def test_the_precomputed_turns_are_accepted(kept: Stored) -> None:
    tables = [table(kept, pk, public_id) for pk, public_id in ids(kept)]
    stood = last_entries(tables)
    for loaded in tables:
        turn = loaded.turns.popleft()
        after = submit_turn(game=loaded.public_id, seat=turn.seat, actions=turn.actions, expected_seq=loaded.seq)
        owing = Seat.objects.filter(game=after, owes=True).values_list("number", flat=True)
        assert (after.seq, tuple(owing)) == (loaded.seq + 1, turn.then)
        assert Seat.objects.get(game=after, number=turn.seat).user == kept.player(loaded.pk, turn.seat)
        loaded.accepted += 1
    assert len(sampled(tables)) == kept.count
    assert [*counts(tables, stood), *logs(tables)] == []
    tables[0].accepted += 1
    Game.objects.filter(pk=tables[1].pk).update(seq=F("seq") + 1)
    assert Entry.objects.filter(game=tables[1].pk).exists()
    assert len([*counts(tables, stood - 1), *logs(tables)]) == 2
