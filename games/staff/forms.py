"""Forms of staff interventions at a table. Each takes a reason and the last entry that the page showed."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.models import User
from games.rules.staff import LONGEST_REASON, MOST_HOURS
from games.tables.models import Game, Seat
from games.tables.selectors.lines import hours_words
from games.tables.services import interventions as intervene

HOURS, DAYS = "hours", "days"
UNITS = ((HOURS, gettext_lazy("hours")), (DAYS, gettext_lazy("days")))
REASON = gettext_lazy(
    "Everyone at the table can read this, and it stays in the log forever. Don’t include names or private information."
)
EVERYBODY = gettext_lazy("everyone who has to act")
SAY_WHY = gettext_lazy("Enter a reason. Everyone at the table can read it.")


class GameInterventionForm(forms.Form):
    """An intervention: `title` names it, `means` explains it, `verb` labels the button."""

    title: Any
    means: Any
    verb: Any
    use_required_attribute = False

    seq = forms.IntegerField(widget=forms.HiddenInput)
    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=LONGEST_REASON, help_text=REASON, error_messages={"required": SAY_WHY}
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, intervention: str, game: Game, seats: Sequence[Seat], by: User
    ) -> None:
        super().__init__(data, initial={"seq": game.seq}, auto_id=f"{intervention}-%s")
        self.game, self.seats, self.by = game, seats, by
        if "seat" in self.fields:
            field = self.fields["seat"]
            assert isinstance(field, forms.ChoiceField)
            everybody = [] if field.required else [("", EVERYBODY)]
            field.choices = [*everybody, *((str(seat.number), seat.name) for seat in seats)]

    def summary(self) -> str:
        """Return what is about to be done, as a sentence."""
        return str(self.means)

    @property
    def done(self) -> str:
        """The message to show when it is done."""
        return _("Done. The players have been notified.")

    def carry_out(self) -> Game:
        """Carry out the intervention. Raises `GameError`."""
        raise NotImplementedError

    @property
    def common(self) -> dict[str, Any]:
        return {
            "game": self.game, "reason": self.cleaned_data["reason"], "expected_seq": self.cleaned_data["seq"],
            "by": self.by,
        }  # fmt: skip

    def name_of(self, seat: str) -> str:
        return self.seats[int(seat)].name


class ReplaceForm(GameInterventionForm):
    title = gettext_lazy("Replace a player")
    means = gettext_lazy("The seat’s original player keeps the rating change, based on the current position.")
    verb = gettext_lazy("Replace")

    seat = forms.ChoiceField(label=gettext_lazy("Seat"))
    player = forms.CharField(
        label=gettext_lazy("New player"), required=False, max_length=40, help_text=gettext_lazy(
            "A player name. We ask them, and nothing changes until they accept. Leave empty to let a bot play "
            "the seat to the end."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip
    field_order = ("seq", "seat", "player", "reason")

    def summary(self) -> str:
        seat, player = self.name_of(self.cleaned_data["seat"]), self.cleaned_data["player"]
        if player:
            return _("Ask {player} to take over {name}’s seat permanently.").format(player=player, name=seat)
        return _("A bot plays {name}’s seat to the end.").format(name=seat)

    @property
    def done(self) -> str:
        if player := self.cleaned_data["player"].strip():
            return _("We asked {player}. Nothing changes until they accept.").format(player=player)
        return super().done

    def carry_out(self) -> Game:
        chosen = self.cleaned_data
        return intervene.replace(seat=int(chosen["seat"]), name=chosen["player"].strip(), **self.common)


class TimeForm(GameInterventionForm):
    title = gettext_lazy("Add time")
    means = gettext_lazy("Adds time to the current decision. If time has run out, the new time starts now.")
    verb = gettext_lazy("Add time")

    seat = forms.ChoiceField(label=pgettext_lazy("recipient", "To"), required=False)
    number = forms.IntegerField(label=gettext_lazy("Amount"), min_value=1, max_value=MOST_HOURS, initial=1)
    unit = forms.ChoiceField(label=gettext_lazy("Unit"), choices=UNITS, initial=DAYS)
    field_order = ("seq", "seat", "number", "unit", "reason")

    @property
    def hours(self) -> int:
        n: int = self.cleaned_data["number"]
        return n if self.cleaned_data["unit"] == HOURS else 24 * n

    def summary(self) -> str:
        seat, time = self.cleaned_data["seat"], hours_words(self.hours)
        if not seat:
            return _("Everyone who has to act gets {time} more.").format(time=time)
        return _("{player} gets {time} more.").format(player=self.name_of(seat), time=time)

    def carry_out(self) -> Game:
        seat = self.cleaned_data["seat"]
        return intervene.give_time(seat=int(seat) if seat else None, hours=self.hours, **self.common)


class EndForm(GameInterventionForm):
    title = gettext_lazy("End the game now")
    means = gettext_lazy(
        "The current score becomes the final result. It counts for scores, ratings, the next game of a full game, "
        "ladders, leagues, tournaments and duplicates. You can’t undo this."
    )
    verb = gettext_lazy("End the game")

    def carry_out(self) -> Game:
        return intervene.end(**self.common)


class VoidForm(GameInterventionForm):
    title = gettext_lazy("Cancel the game")
    means = gettext_lazy(
        "The game has no result, so no scores or ratings change. Its full game is canceled too, its league or "
        "tournament match is annulled, its ladder challenge is a tie, and its duplicate continues without it. You "
        "can’t undo this."
    )
    verb = gettext_lazy("Cancel the game")

    def carry_out(self) -> Game:
        return intervene.void(**self.common)


FORMS: dict[str, type[GameInterventionForm]] = {
    "replace": ReplaceForm,
    "time": TimeForm,
    "end": EndForm,
    "void": VoidForm,
}
