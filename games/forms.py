"""What people fill in: a quick game against bots, a new table, an invitation."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from games.rules.registry import RULESETS

# In the lobby


STRENGTHS = (
    ("random", gettext_lazy("Random: plays anything that is allowed")),
    ("greedy", gettext_lazy("Greedy: looks one turn ahead")),
)
SEAT_CHOICES = (("", gettext_lazy("Open for a person")), *((slug, label) for slug, label in STRENGTHS))
CLOCKS = (
    (12, gettext_lazy("12 hours")),
    (24, gettext_lazy("1 day")),
    (48, gettext_lazy("2 days")),
    (72, gettext_lazy("3 days")),
    (168, gettext_lazy("7 days")),
)
USUAL_CLOCK = 48
MOST_PLAYERS = max(max(ruleset.seat_counts) for ruleset in RULESETS.values())


class PlayNowForm(forms.Form):
    """A private game against bots that starts at once."""

    opponents = forms.TypedChoiceField(
        label=gettext_lazy("Opponents"),
        choices=[(n, ngettext_lazy("%(n)d bot", "%(n)d bots", "n") % {"n": n}) for n in range(1, MOST_PLAYERS)],
        coerce=int,
        required=False,
        initial=1,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("Choose one, two or three opponents.")},
    )
    strength = forms.ChoiceField(
        label=gettext_lazy("Strength"),
        choices=STRENGTHS,
        required=False,
        initial="greedy",
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("We have no bots of this strength.")},
    )

    @property
    def bots(self) -> list[str]:
        return [self.cleaned_data["strength"] or "greedy"] * int(self.cleaned_data["opponents"] or 1)


class OpenTableForm(forms.Form):
    """A new table. The seats count from 0, which is the opener's; those beyond the number of players do not matter."""

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "bot": {"players": 2, "seat_1": "greedy", "listed": "no"},
        "friends": {"players": 3, "clock_hours": 48, "listed": "no"},
    }

    ruleset = forms.ChoiceField(
        label=gettext_lazy("Game"),
        choices=[(slug, ruleset.name) for slug, ruleset in RULESETS.items()],
        initial=next(iter(RULESETS)),
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Choose a game."),
            "invalid_choice": gettext_lazy("We do not have this game."),
        },
    )
    players = forms.TypedChoiceField(
        label=gettext_lazy("Players"),
        choices=[(n, n) for n in range(2, MOST_PLAYERS + 1)],
        coerce=int,
        initial=2,
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Say how many play."),
            "invalid_choice": gettext_lazy("No game here is for so many players."),
        },
    )
    clock_hours = forms.TypedChoiceField(
        label=gettext_lazy("Time for each turn"),
        choices=CLOCKS,
        coerce=int,
        initial=USUAL_CLOCK,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("When it runs out a bot plays that one turn, so that nobody has to wait."),
        error_messages={
            "required": gettext_lazy("Say how long a turn may take."),
            "invalid_choice": gettext_lazy("Choose one of these times."),
        },
    )
    listed = forms.TypedChoiceField(
        label=gettext_lazy("Who may join"),
        choices=[
            ("yes", gettext_lazy("Anybody: the table stands in the lobby, and others may watch")),
            ("no", gettext_lazy("Only those I send the link to")),
        ],
        coerce=lambda answer: answer == "yes",
        initial="yes",
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Say who may join."),
            "invalid_choice": gettext_lazy("Choose one of the two."),
        },
    )
    full = forms.TypedChoiceField(
        label=gettext_lazy("Length"),
        choices=[
            ("no", gettext_lazy("A single game")),
            ("yes", gettext_lazy("A full game: three in a row, the sum of points wins")),
        ],
        coerce=lambda answer: answer == "yes",
        initial="no",
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Say how long you want to play."),
            "invalid_choice": gettext_lazy("Choose one of the two."),
        },
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for seat in range(1, MOST_PLAYERS):
            self.fields[f"seat_{seat}"] = forms.ChoiceField(
                label=_("Seat %(seat)d") % {"seat": seat + 1},
                choices=SEAT_CHOICES,
                required=False,
                error_messages={"invalid_choice": _("A seat is open or has one of our bots.")},
            )

    def seats(self) -> list[tuple[int, forms.BoundField]]:
        """The other seats with their numbers."""
        return [(seat, self[f"seat_{seat}"]) for seat in range(1, MOST_PLAYERS)]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        slug, players = cleaned.get("ruleset"), cleaned.get("players")
        if slug and players and players not in RULESETS[slug].seat_counts:
            self.add_error("players", _("%(game)s is not for so many players.") % {"game": RULESETS[slug].name})
        return cleaned

    @property
    def bots(self) -> Sequence[str]:
        """The bots of the seats in play; they sit behind the people."""
        chosen = (self.cleaned_data[f"seat_{seat}"] for seat in range(1, self.cleaned_data["players"]))
        return [bot for bot in chosen if bot]

    def table(self) -> dict[str, Any]:
        """What `services.lobby.open_table` wants to know."""
        names = ("ruleset", "players", "clock_hours", "listed", "full")
        return {**{name: self.cleaned_data[name] for name in names}, "bots": self.bots, "options": {}}


class GuestForm(forms.Form):
    """A guest who takes up an invitation may leave an email address."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        required=False,
        help_text=gettext_lazy(
            "We send a link there first; mails come once you have followed it. Nobody else sees it."
        ),
        error_messages={"invalid": gettext_lazy("That does not look like an email address.")},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


# At the table


class StepForm(forms.Form):
    """What every form of the table sends: the entry that its page shows, and action texts parted by semicolons."""

    seq = forms.IntegerField(min_value=0)
    action = forms.CharField(max_length=4000, required=False)
