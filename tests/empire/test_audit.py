"""`make check` asks for known weaknesses: what is found stops it, an index that is silent does not."""

import runpy
from pathlib import Path

from django.conf import settings

audit = runpy.run_path(str(Path(settings.BASE_DIR) / ".ci" / "audit.py"))
WEAK = {"name": "old", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}
WELL = {"name": "new", "version": "2.0", "vulns": []}
UNKNOWN = {"name": "ours", "skip_reason": "Dependency not found"}


def test_a_weakness_stops_it_and_says_what_mends_it() -> None:
    assert audit["judge"]({"dependencies": [WELL, WEAK]}) == ("old 1.0: PYSEC-1, mended in 1.1", False)


def test_one_that_does_not_reach_us_is_let_pass(monkeypatch) -> None:
    monkeypatch.setitem(audit["IGNORED"], "PYSEC-1", "we do not call it")
    assert audit["judge"]({"dependencies": [WELL, WEAK]})[1]


def test_an_index_that_does_not_tell_is_no_reason_to_stop() -> None:
    for told in ([], [UNKNOWN]):
        sentence, is_well = audit["judge"]({"dependencies": told})
        assert is_well and "none were looked for" in sentence


def test_every_reason_to_ignore_one_is_written_down() -> None:
    assert all(audit["IGNORED"].values())
