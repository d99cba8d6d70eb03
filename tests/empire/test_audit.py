"""The audit of dependencies in `make check`: a known vulnerability fails it, an unreachable index does not."""

import runpy
from pathlib import Path

from django.conf import settings

audit = runpy.run_path(str(Path(settings.BASE_DIR) / ".ci" / "audit.py"))
WEAK = {"name": "old", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}
WELL = {"name": "new", "version": "2.0", "vulns": []}
UNKNOWN = {"name": "ours", "skip_reason": "Dependency not found"}


def test_a_vulnerability_fails_the_check_and_names_the_fixed_version() -> None:
    assert audit["judge"]({"dependencies": [WELL, WEAK]}) == ("old 1.0: PYSEC-1, mended in 1.1", False)


def test_an_ignored_vulnerability_passes(monkeypatch) -> None:
    monkeypatch.setitem(audit["IGNORED"], "PYSEC-1", "we do not call it")
    assert audit["judge"]({"dependencies": [WELL, WEAK]})[1]


def test_an_unreachable_index_does_not_fail_the_check() -> None:
    for dependencies in ([], [UNKNOWN]):
        sentence, is_well = audit["judge"]({"dependencies": dependencies})
        assert is_well and "none were looked for" in sentence


def test_every_ignored_vulnerability_has_a_reason() -> None:
    assert all(audit["IGNORED"].values())
