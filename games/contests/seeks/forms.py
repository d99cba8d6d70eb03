"""The form of a search for a game. It is filled in with the player's last search."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.models import User
from games.contests.models import Rated, Seek
from games.contests.seeks.services import NARROWEST, kinds
from games.tables.forms.game import GAMES, MOST_PLAYERS, USUAL_GAME
from games.tables.forms.pace import CLOCKS, RELIABILITIES
from games.tables.models.game import USUAL_CLOCK

DISTANCES = (
    (0, gettext_lazy("Any rating")),
    (NARROWEST, gettext_lazy("At most 200 points from mine")),
    (2 * NARROWEST, gettext_lazy("At most 400 points from mine")),
)
BOTS = (
    (0, gettext_lazy("Keep looking, for up to 7 days")),
    (15, gettext_lazy("Play with bots after 15 minutes")),
    (60, gettext_lazy("Play with bots after 1 hour")),
    (8 * 60, gettext_lazy("Play with bots after 8 hours")),
    (24 * 60, gettext_lazy("Play with bots after 1 day")),
)
CHOOSE = gettext_lazy("Choose one of these options.")


class SeekForm(forms.Form):
    """Search for a game. `reader` is the person who searches, or None for a visitor."""

    rulesets = forms.MultipleChoiceField(
        label=pgettext_lazy("rulesets", "Games"), choices=GAMES, widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("The more games you choose, the sooner we find opponents."),
        error_messages={
            "required": gettext_lazy("Choose at least one game."),
            "invalid_choice": gettext_lazy("We don’t have this game. Choose another."),
        },
    )  # fmt: skip
    sizes = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Players, including you"), choices=[(n, n) for n in range(2, MOST_PLAYERS + 1)], coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": gettext_lazy("Choose at least one number of players."),
            "invalid_choice": gettext_lazy("Choose one of these numbers."),
        },
    )  # fmt: skip
    clocks = forms.MultipleChoiceField(
        label=gettext_lazy("Time per turn"), choices=CLOCKS, widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": gettext_lazy("Choose at least one of these times."),
            "invalid_choice": gettext_lazy("Choose one of these times."),
        },
    )  # fmt: skip
    rated = forms.ChoiceField(
        label=gettext_lazy("Ratings"), choices=Rated.choices, widget=forms.RadioSelect,
        help_text=gettext_lazy("A game with a bot or a guest is never rated."),
        error_messages={"required": CHOOSE, "invalid_choice": CHOOSE},
    )  # fmt: skip
    distance = forms.TypedChoiceField(
        label=gettext_lazy("Other players’ ratings"), choices=DISTANCES, coerce=int, widget=forms.RadioSelect,
        help_text=gettext_lazy("Players without a rating count as 1500."),
        error_messages={"required": CHOOSE, "invalid_choice": CHOOSE},
    )  # fmt: skip
    reliability = forms.TypedChoiceField(
        label=gettext_lazy("Other players’ turns on time, at least"), choices=RELIABILITIES, coerce=int,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Players with few turns so far can always join."),
        error_messages={"required": CHOOSE, "invalid_choice": CHOOSE},
    )  # fmt: skip
    bots = forms.TypedChoiceField(
        label=gettext_lazy("If we find nobody"), choices=BOTS, coerce=int, widget=forms.RadioSelect,
        help_text=gettext_lazy("Bots of medium strength take the empty seats, and the game is not rated."),
        error_messages={"required": CHOOSE, "invalid_choice": CHOOSE},
    )  # fmt: skip

    NARROWING = ("distance", "reliability", "bots")  # folded away at first

    def __init__(self, data: Any = None, *, reader: Any = None, last: Seek | None = None) -> None:
        is_guest = not isinstance(reader, User) or reader.is_guest
        first: dict[str, Any] = {
            "rulesets": [USUAL_GAME], "sizes": [2], "clocks": [USUAL_CLOCK], "distance": 0, "reliability": 0,
            "rated": Rated.NO if is_guest else Rated.EITHER, "bots": 0,
        }  # fmt: skip
        if last is not None:
            first |= {name: getattr(last, name) for name in first if name != "bots"}
            first["bots"] = round((last.bots_at - last.since) / timedelta(minutes=1)) if last.bots_at else 0
        super().__init__(data, initial=first)
        if is_guest:
            self.initial["rated"] = Rated.NO
            self.fields["rated"].choices = [(Rated.NO.value, Rated.NO.label)]  # type: ignore[attr-defined]
            self.fields["rated"].help_text = gettext_lazy("Guests play unrated games. Sign up for rated ones.")
            self.fields["bots"].choices = [  # type: ignore[attr-defined]
                (0, gettext_lazy("Keep looking, for up to an hour")),
                *BOTS[1:3],
            ]

    def clean(self) -> dict[str, Any]:
        """Check that the chosen games, numbers of players and clocks fit together."""
        cleaned = super().clean() or self.cleaned_data
        chosen = [cleaned.get(name) for name in ("rulesets", "sizes", "clocks")]
        if all(chosen) and not kinds(*chosen):  # type: ignore[arg-type]
            self.add_error("sizes", _("None of these games can be played with that many players. Choose others."))
        return cleaned

    @property
    def is_narrow(self) -> bool:
        """Whether one of the folded fields has an unusual value or an error."""
        return any(self[name].errors or str(self[name].value() or 0) != "0" for name in self.NARROWING)

    def seek(self) -> dict[str, Any]:
        """Return the arguments of `services.seek`."""
        chosen = {name: value for name, value in self.cleaned_data.items() if name != "bots"}
        minutes = self.cleaned_data["bots"]
        return {**chosen, "bots_after": timedelta(minutes=minutes) if minutes else None}
