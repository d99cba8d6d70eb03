"""Random actions through the forms of a turn, at tables of every ruleset: legal, nearly legal, out of turn, stale.

No action causes a server error, a refused one leaves no trace, a seat writes only what it may do, and afterwards the
log still verifies. `make test-long` sends 6,000 actions that FUZZ_SEED chooses.
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
    everyone = Visitors(tables.world)
    yield everyone
    everyone.wire.close()


def test_random_actions_are_refused_without_a_trace_or_are_legal_and_verify(visitors, tables):
    @always(50)
    @given(st.data())
    def send(data: st.DataObject) -> None:
        assert wrong_with(visitors, tables, data.draw(attempts(tables))) == []

    send()
    assert visitors.rows.before == visitors.rows.now()


@pytest.mark.long
def test_6000_random_actions_are_refused_without_a_trace_or_are_legal_and_verify(visitors, tables):
    @seeded(6_000)
    @given(st.data())
    def send(data: st.DataObject) -> None:
        assert wrong_with(visitors, tables, data.draw(attempts(tables))) == []

    send()
    assert visitors.rows.before == visitors.rows.now()
