"""What the tests of the drawings of Kingdoms share."""

from pathlib import Path

import pytest

CSS = Path(__file__).parents[3] / "empire" / "static" / "css" / "kingdoms" / "cards.css"


@pytest.fixture
def stylesheet() -> str:
    return CSS.read_text()
