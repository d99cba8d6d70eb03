"""The rulings for the Eight-Minute family, and details of its options."""

from pathlib import Path

from games.help.ruling import read_details, read_rulings

INITIALS = {"legends": "L", "prototype": "P", "classic": "C"}
RULINGS = read_rulings(Path(__file__).parent)
DETAILS = read_details(Path(__file__).parent)
