"""A fresh machine: `make` says what is missing before it builds anything, and tests that need more are skipped."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import missing

PREPARE = Path(".ci/prepare").resolve()
PYTHON = Path(sys.executable).resolve()  # the system's
PYPROJECT = '[project]\ndependencies = ["pip"]\n[project.optional-dependencies]\ndev = []\n'  # pip is there already
USED = ("cat", "cp", "cut", "find", "id", "rm", "sort", "tail")  # programs that the script uses
NEEDS = "The site needs Python 3.11, 3.12 or 3.13"

Ran = subprocess.CompletedProcess[str]
Run = Callable[..., Ran]


def run_program(command: list, environment: dict[str, str], folder: Path | None = None) -> Ran:
    return subprocess.run(
        command, check=False, cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )  # fmt: skip


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """The only folder in the PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in USED:
        (folder / name).symlink_to(shutil.which(name))
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "constraints.txt").touch()
    return folder


@pytest.fixture
def prepare(programs: Path, site: Path) -> Run:
    def run(*extras: str) -> Ran:
        environment = {"PATH": str(programs), "HOME": str(site)}
        return run_program([PREPARE, *extras], environment, site)

    return run


def add_program(programs: Path, name: str, script: str = "") -> None:
    (programs / name).write_text(f"#!/bin/sh\n{script}\n")
    (programs / name).chmod(0o755)


def add_python(programs: Path, name: str = "python3", patch: str = "") -> None:
    """Add the system's Python, or one that first runs this code."""
    patches = programs / f"of-{name}"
    patches.mkdir()
    (patches / "sitecustomize.py").write_text(patch)
    add_program(programs, name, f'PYTHONPATH="{patches}" exec "{PYTHON}" "$@"')


WITHOUT_VENV = "import sys; sys.modules['ensurepip'] = None"
OLD = "import sys; sys.version_info = (3, 9, 2, 'final', 0)"


@pytest.mark.parametrize(
    ("manager", "command"),
    [("apt-get", "apt-get install -y python3-venv"), ("dnf", "dnf install -y python3"),
     ("brew", "brew install python@3.13")],
)  # fmt: skip
def test_a_python_without_venv_is_refused_before_anything_is_built(prepare, programs, site, manager, command):
    add_python(programs, patch=WITHOUT_VENV)
    add_program(programs, manager)
    refused = prepare()
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == f"Python's module venv is missing. To install it: {command}\n"
    assert not (site / ".venv").exists()


@pytest.mark.parametrize(
    ("manager", "advice"),
    [("apt-get", "To install it: apt-get install -y python3-venv"), ("dnf", "To install it: dnf install -y python3.13"),
     ("brew", "To install it: brew install python@3.13"), ("none", "Install it and try again.")],
)  # fmt: skip
def test_a_machine_without_python_is_told_how_to_install_it(prepare, programs, site, manager, advice):
    add_program(programs, manager)
    assert prepare("dev").stderr == f"Python is missing. {NEEDS}. {advice}\n"
    assert not (site / ".venv").exists()


def test_an_old_python_is_refused_with_the_command_to_install_a_newer_one(prepare, programs, site):
    add_python(programs, patch=OLD)
    add_program(programs, "apt-get")
    add_program(programs, "apt-cache", "echo python3.11-venv - venv; echo python3.12-venv - venv")
    errors = prepare().stderr
    assert errors.startswith(f"{NEEDS}, and this is Python 3.")
    assert errors.endswith("To install it: apt-get install -y python3.12-venv\n")
    assert not (site / ".venv").exists()


@pytest.mark.long
def test_an_incomplete_environment_is_rebuilt_with_a_suitable_python(prepare, programs, site):
    pytest.importorskip("ensurepip")
    add_python(programs, patch=OLD)
    add_python(programs, "python3.12")
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", site / ".venv"], check=True)  # incomplete: without pip
    built = prepare("dev")
    assert (built.returncode, built.stderr) == (0, "")
    assert built.stdout == "Building .venv ...\nInstalling packages ...\n"
    subprocess.run([site / ".venv/bin/python", "-m", "pip", "--version"], check=True, capture_output=True)
    assert prepare("dev").stdout == prepare().stdout == ""
    os.utime(site / "constraints.txt", (2**33, 2**33))
    again = prepare()
    assert (again.returncode, again.stdout) == (0, "Installing packages ...\n")


# Tests that need chromium or redis-server


@pytest.fixture
def nothing_else(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An environment without the programs that some tests need."""
    (tmp_path / "empty").mkdir()
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "EMPIRE", "VAR_DIR"))}
    return usual | {"PATH": str(tmp_path / "empty")}


@pytest.mark.long
def test_tests_that_need_missing_programs_are_skipped_with_one_line_that_says_so(nothing_else):
    tests = ["tests/services/test_faults.py", "tests/empire/test_schedule.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", *tests]
    done = run_program(command, nothing_else)
    assert done.returncode == 0, done.stdout
    lines = [line for line in done.stdout.splitlines() if "chromium" in line or "redis" in line]
    assert lines in [  # PostgreSQL may be found in Debian's folder too
        [missing("redis-server", "chromium", "xgettext")],
        [missing("redis-server", "chromium", "pg_ctl", "xgettext")],
    ]
    assert "skipped" in done.stdout.splitlines()[-1] and " error" not in done.stdout
