"""The form for a new table: game, players, options, seats and clock."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules.registry import RULESETS
from games.tables.forms.game import GameForm, number_of
from games.tables.forms.pace import USUAL_PACE
from games.tables.forms.seats import (
    MOST_PLAYERS,
    REPLY_CLOCKS,
    SEAT_CHOICES,
    USUAL_GAME,
    USUAL_REPLY_CLOCK,
    IsNewTo,
    nearest,
    to_nobody,
)
from games.tables.models import TimeOut

USUAL = {
    "ruleset": USUAL_GAME, "players": "2", "listed": "yes", "full": "no", "reply_hours": str(USUAL_REPLY_CLOCK),
    **USUAL_PACE,
}  # fmt: skip
USUAL_TABLES: dict[str, dict[str, str]] = {
    "bot": {"players": "2", "seat_1": "greedy", "listed": "no"},
    "friends": {"players": "3", "listed": "no"},
}
YES_OR_NO = {
    "required": gettext_lazy("Choose one of these options."),
    "invalid_choice": gettext_lazy("Choose one of these options."),
}


class OpenTableForm(GameForm):
    """Open a table. Seat 0 is the opener's; seats beyond the number of players are ignored."""

    reply_hours = forms.TypedChoiceField(
        label=gettext_lazy("Time to respond"),
        choices=REPLY_CLOCKS,
        coerce=int,
        required=False,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "For decisions during another player’s turn, unless a standing order answers. Never longer than a turn."
        ),
        error_messages={"invalid_choice": gettext_lazy("Choose one of these times.")},
    )
    listed = forms.TypedChoiceField(
        label=gettext_lazy("Who may join"),
        choices=[
            ("yes", gettext_lazy("Anyone: the table is listed in the lobby, and spectators can watch")),
            ("no", gettext_lazy("Only people with the link")),
        ],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        error_messages={**YES_OR_NO, "required": gettext_lazy("Choose who may join.")},
    )
    full = forms.TypedChoiceField(
        label=gettext_lazy("Length"),
        choices=[
            ("no", gettext_lazy("A single game")),
            ("yes", gettext_lazy("A full game: three in a row, the most points in total wins")),
        ],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        error_messages={**YES_OR_NO, "required": gettext_lazy("Choose a length.")},
    )
    unrated = forms.BooleanField(
        label=gettext_lazy("Unrated: just for fun"),
        required=False,
        help_text=gettext_lazy("Games with a guest, or with only one person and bots, are never rated."),
    )

    @classmethod
    def asked_for(cls, address: Mapping[str, Any], is_new_to: IsNewTo = to_nobody) -> "OpenTableForm":
        """Return the form with default values, overridden by the query string."""
        data = {**USUAL, **USUAL_TABLES.get(address.get("for", ""), {}), **{name: address[name] for name in address}}
        rules = RULESETS.get(data["ruleset"], RULESETS[USUAL_GAME])
        number = nearest(rules.seat_counts, number_of(data["players"]))
        return cls({**data, "ruleset": rules.slug, "players": str(number)}, lenient=True, is_new_to=is_new_to)

    def _offer(self) -> None:
        """Set the choices that this game offers."""
        super()._offer()
        for seat in range(1, MOST_PLAYERS):
            self.fields[f"seat_{seat}"] = forms.ChoiceField(
                label=_("Seat %(seat)d") % {"seat": seat + 1},
                choices=SEAT_CHOICES,
                required=False,
                error_messages={"invalid_choice": _("Leave the seat open or choose one of our bots.")},
            )

    def seats(self) -> list[tuple[int, forms.BoundField]]:
        """Return the other seats with their numbers."""
        return [(seat, self[f"seat_{seat}"]) for seat in range(1, MOST_PLAYERS)]

    @property
    def has_replies(self) -> bool:
        """Whether players can be asked for decisions during another player's turn."""
        return bool(self.rules.order_fields())

    @property
    def bots(self) -> Sequence[str]:
        """The bots in the seats in play; they sit after the people."""
        chosen = (self.cleaned_data[f"seat_{seat}"] for seat in range(1, self.cleaned_data["players"]))
        return [bot for bot in chosen if bot]

    def table(self) -> dict[str, Any]:
        """Return the arguments of `services.lobby.open_table`."""
        named = {name: self.cleaned_data[name] for name in ("ruleset", "players", "listed", "full")}
        late = {
            "time_out": self.cleaned_data["time_out"] or TimeOut.TURN,
            "reliability": self.cleaned_data["reliability"] or 0,
        }
        reply_hours = self.cleaned_data["reply_hours"] or USUAL_REPLY_CLOCK
        seats = {"bots": self.bots, "options": self.options}
        return {
            "rated": not self.cleaned_data["unrated"],
            **named,
            **late,
            **seats,
            "clock": self.clock,
            "reply_hours": reply_hours,
        }
