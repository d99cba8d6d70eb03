"""The form for opening a duplicate."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.contests.duplicates.services import FEWEST, MOST
from games.rules.registry import RULESETS
from games.tables.forms.game import USUAL_GAME
from games.tables.forms.pace import CLOCKS
from games.tables.models.game import USUAL_CLOCK
from games.tables.selectors.options import short_name

TABLES = [(count, str(count)) for count in range(FEWEST, MOST + 1)]


class DuplicateForm(forms.Form):
    ruleset = forms.ChoiceField(label=_("Game"), initial=USUAL_GAME)
    players = forms.TypedChoiceField(label=_("Players per table"), coerce=int, initial=2)
    tables = forms.TypedChoiceField(label=_("Tables"), choices=TABLES, coerce=int, initial=FEWEST)
    clock = forms.ChoiceField(label=_("Time per turn"), choices=CLOCKS, initial=USUAL_CLOCK)
    starts_at = forms.DateTimeField(
        label=_("Start (optional)"), required=False,
        help_text=_("If there are still free seats then, players are moved together and bots fill the rest. Without a "
                    "start, the duplicate waits up to 14 days for players."),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )  # fmt: skip
    full = forms.BooleanField(label=_("Full games of three games each, highest total wins"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        counts = sorted({count for rules in RULESETS.values() for count in rules.seat_counts})
        self.fields["ruleset"].choices = [(slug, short_name(slug)) for slug in RULESETS]  # type: ignore[attr-defined]
        self.fields["players"].choices = [(count, str(count)) for count in counts]  # type: ignore[attr-defined]

    @property
    def wanted(self) -> dict[str, Any]:
        """Return the arguments for `duplicates.open_duplicate`."""
        return self.cleaned_data
