"""Random actions by the forms of a turn, at tables of every ruleset: legal, nearly legal, of others, out of turn, late.

Whatever is sent, there is no error of ours; what is refused leaves no trace; the log of a game grows by what its seat
may do alone, and can be proven afterwards. `make test-long` sends 6,000, which FUZZ_SEED chooses.
"""

from collections.abc import Iterator

import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st

from tests.contests.leagues import MONDAY
from tests.nonsense import always, seeded
from tests.walk.turns import Tables, attempts, wrong_with
from tests.walk.visits import Visitors

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def tables(request: pytest.FixtureRequest, untouched: None) -> Iterator[Tables]:
    with time_machine.travel(MONDAY, tick=False):
        yield Tables(8 if request.config.getoption("markexpr") else 2)


@pytest.fixture(scope="module")
def visitors(tables: Tables) -> Iterator[Visitors]:
    everybody = Visitors(tables.world)
    yield everybody
    everybody.wire.close()


def test_random_actions_are_refused_without_a_trace_or_legal_and_proven(visitors, tables):
    @always(150)
    @given(st.data())
    def send(data: st.DataObject) -> None:
        assert wrong_with(visitors, tables, data.draw(attempts(tables))) == []

    send()
    assert visitors.rows.before == visitors.rows.now()


@pytest.mark.long
def test_six_thousand_random_actions_are_refused_without_a_trace_or_legal_and_proven(visitors, tables):
    @seeded(6_000)
    @given(st.data())
    def send(data: st.DataObject) -> None:
        assert wrong_with(visitors, tables, data.draw(attempts(tables))) == []

    send()
    assert visitors.rows.before == visitors.rows.now()
