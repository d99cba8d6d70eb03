"""The rulings for Kingdoms by topic, an option or a chapter of the fine print, and details of its options."""

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from games.help.ruling import read_details, read_rulings

INITIALS = {"kingdoms": "K"}
RULINGS = read_rulings(Path(__file__).parent, "K")
DETAILS = read_details(Path(__file__).parent, "K")
CHAPTERS = {
    "begin": _("Before the first turn"),
    "turn": _("The turn"),
    "towers": _("Towers"),
    "buying": _("Buying"),
    "troops": _("Troop hands"),
    "battle": _("Battles"),
    "rulers": _("Rulers and sub-kingdoms"),
    "secret": _("The Not-So-Secret Move"),
    "heroes": _("Epics and Bosses"),
    "worth": _("Kingdom value and shown cards"),
    "end": _("The end of the game"),
    "showdown": _("The Final Showdown"),
    "time": _("Absent players"),
    "site": _("How a game is stored"),
}
