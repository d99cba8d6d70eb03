"""Fixtures for tests of the pictures of Kingdoms."""

from pathlib import Path

import pytest

CSS = Path(__file__).parents[3] / "empire" / "static" / "css" / "kingdoms" / "cards.css"


@pytest.fixture
def stylesheet() -> str:
    return CSS.read_text()
