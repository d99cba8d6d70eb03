"""Forms for opening a tournament, with the lines of `games.contests.terms.declaration`, and for interventions."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.bots.registry import LEVELS
from games.contests.gates.forms import BREAKS, CompetitionForm, number_field
from games.contests.matches.forms import ReasonForm
from games.contests.pairing.formats import FORMATS, SWISS, TEAMS
from games.contests.pairing.teams import BOARDS
from games.contests.terms.declaration import LONGEST_NAME, TOURNAMENT, TournamentTerms
from games.tables.forms.game import USUAL_GAME
from games.tables.forms.open_table import YES_OR_NO

FULL, DAY = "full", "day"
NUMBERS = {
    "seats": gettext_lazy("Maximum players or teams"),
    "fewest": gettext_lazy("Minimum players or teams"),
    "days_a_round": gettext_lazy("Days per round"),
    "rounds": gettext_lazy("Rounds"),
}
ARENA = {  # may be left out
    "days": gettext_lazy("Arena length in days"),
    "best": gettext_lazy("Matches that count"),
    "at_once": gettext_lazy("Matches at a time"),
}
OF_TEAMS = {  # only for team leagues
    "boards": gettext_lazy("Boards per team match"),
    "reserves": gettext_lazy("Reserves per team"),
    "pause": gettext_lazy("Weeks until the next season"),
}
HINTS = {
    "fewest": gettext_lazy("Canceled if fewer sign up."),
    "days_a_round": gettext_lazy("In an arena: days per match, after which bots finish it."),
    "rounds": gettext_lazy("For Swiss tournaments; 0 for the default."),
    "days": gettext_lazy("The number of days during which matches can start."),
    "best": gettext_lazy("How many of each player’s matches count: their best ones."),
    "at_once": gettext_lazy("How many matches a player can play at a time."),
    "boards": gettext_lazy("How many players of a team play in each team match, 2 to 6."),
    "reserves": gettext_lazy("How many more players a team can have."),
    "pause": gettext_lazy("Teams stay signed up for it; 0 if there is only one season."),
}
USUAL_BOARDS = 4


class TournamentForm(CompetitionForm[TournamentTerms]):
    """The form for the terms of a tournament."""

    FIELDS = CompetitionForm.FIELDS | {"starts": "day"}
    FOLDS = {
        "rounds": ("days_a_round", "rounds"), "ties": BREAKS, "arena": tuple(ARENA), "teams": tuple(OF_TEAMS),
    }  # fmt: skip
    LINES = ("format", "reserves", "pause", *NUMBERS, *ARENA)

    name = forms.CharField(
        label=gettext_lazy("Tournament name"), max_length=LONGEST_NAME,
        error_messages={"required": gettext_lazy("Enter a name for the tournament.")},
    )  # fmt: skip
    format = forms.ChoiceField(
        label=gettext_lazy("Format"), choices=[(slug, gettext_lazy(sentence)) for slug, sentence in FORMATS.items()],
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose a format.")},
    )  # fmt: skip
    when = forms.ChoiceField(
        label=gettext_lazy("Start"),
        choices=[
            (FULL, gettext_lazy("When all places are taken")),
            (DAY, gettext_lazy("On a set day, with everyone who has signed up by then")),
        ],
        widget=forms.RadioSelect,
        error_messages={**YES_OR_NO, "required": gettext_lazy("Choose when it starts.")},
    )  # fmt: skip
    day = forms.DateField(
        label=gettext_lazy("Day"), required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("The tournament starts at noon UTC."),
        error_messages={"invalid": gettext_lazy("Enter a date, such as 2027-03-01.")},
    )  # fmt: skip

    @classmethod
    def asked_for(cls, address: Mapping[str, Any]) -> "TournamentForm":
        """Return the form filled with the query string of a URL, and defaults for the rest."""
        return cls({**USUAL, **{name: address[name] for name in address}}, lenient=True)

    def arena(self) -> list[forms.BoundField]:
        return [self[name] for name in ARENA]

    def _offer(self) -> None:
        super()._offer()
        rated: Any = self.fields["rated"]
        rated.choices = [*rated.choices[:-1], ("bots", _("Unrated, and you can add bots"))]
        for key, label in (NUMBERS | ARENA | OF_TEAMS).items():
            low = min(BOARDS) if key == "boards" else None
            self.fields[key] = number_field(
                TOURNAMENT[key], label, HINTS.get(key, ""), low=low, required=key in NUMBERS
            )  # fmt: skip
        self._offer_tie_breaks()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("when") == DAY and cleaned.get("day") is None and "day" not in self.errors:
            self.add_error("day", _("Choose a day."))
        if not self.errors:
            self.check_terms(self.terms)
        return cleaned

    @property
    def terms(self) -> TournamentTerms:
        """The terms of a form without errors."""
        data = self.cleaned_data
        own = {key: data[key] for key in ("format", *NUMBERS)}
        if data["format"] != SWISS:  # the field is hidden, and may still have a number
            own["rounds"] = 0
        own |= {key: data[key] for key in ARENA if data[key] is not None}
        if data["format"] == TEAMS:
            own |= {key: data[key] or 0 for key in OF_TEAMS}
        return TournamentTerms(**self.shared_terms, **own, starts=data["day"] if data["when"] == DAY else None)

    @classmethod
    def data_of(cls, terms: TournamentTerms) -> dict[str, str]:
        when = DAY if terms.starts else FULL
        return super().data_of(terms) | {"boards": str(terms.boards or USUAL_BOARDS), "when": when}


USUAL_TERMS = TournamentTerms(name="", ruleset=USUAL_GAME, clock="bank 2d +8h cap 3d")
USUAL = TournamentForm.data_of(USUAL_TERMS)


# Interventions


class InterventionForm(forms.Form):
    """An intervention of an organizer. `button` is the label of the button that confirms it."""

    button: Any = ""

    @property
    def question(self) -> str:
        """Return what to ask for confirmation first; empty if nothing is lost."""
        return ""

    @property
    def consequence(self) -> str:
        """Return what the intervention means, for the page that asks for confirmation."""
        return ""


class CallOffForm(ReasonForm, InterventionForm):
    prefix = "close"
    button = gettext_lazy("Cancel tournament")

    @property
    def question(self) -> str:
        return _("Cancel the tournament?")

    @property
    def consequence(self) -> str:
        return _("We’ll tell everyone who has signed up, and give your reason.")


class BanForm(ReasonForm, InterventionForm):
    prefix = "ban"
    button = gettext_lazy("Ban")

    name = forms.CharField(
        label=gettext_lazy("Player to ban"), max_length=40, help_text=gettext_lazy("A player name."),
        error_messages={"required": gettext_lazy("Enter the name of the player.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip

    field_order = ("name", "reason")

    @property
    def question(self) -> str:
        return _("Ban {name} from the tournament?").format(name=self.cleaned_data["name"])

    @property
    def consequence(self) -> str:
        return _("They lose their place, can’t play for others in this tournament, and can’t sign up.")


class BotForm(InterventionForm):
    prefix = "bot"

    bot = forms.ChoiceField(label=gettext_lazy("Bot"))
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)  # how many bots the page showed

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bot"].choices = [(bot.slug, _(str(bot.name))) for bot in LEVELS]  # type: ignore[attr-defined]


REPLACE, REMOVE = "replace", "remove"


class PlayerForm(ReasonForm, InterventionForm):
    """An intervention about one of the players."""

    prefix = "player"
    button = gettext_lazy("Remove")

    entrant = forms.TypedChoiceField(
        label=gettext_lazy("Player"), coerce=int,
        error_messages={
            "required": gettext_lazy("Choose a player."),
            "invalid_choice": gettext_lazy("This player has nothing left to play here. Choose another."),
        },
    )  # fmt: skip
    action = forms.ChoiceField(label=gettext_lazy("Action"), widget=forms.RadioSelect, initial=REMOVE)
    name = forms.CharField(
        label=gettext_lazy("Replacement"), max_length=40, required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip

    field_order = ("entrant", "action", "name", "reason")

    def __init__(
        self, *args: Any, entrants: list[tuple[int, str]], is_running: bool, is_for_teams: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.is_for_teams = is_for_teams
        self.fields["entrant"].choices = [("", "—"), *entrants]  # type: ignore[attr-defined]
        self.fields["action"].choices = [  # type: ignore[attr-defined]
            *([(REPLACE, _("Replace the player"))] if is_running else []),
            (REMOVE, _("Remove the player")),
        ]
        if not is_running:
            del self.fields["name"]
            self.fields["action"].widget = forms.HiddenInput()

    @property
    def question(self) -> str:
        if self.cleaned_data["action"] == REPLACE:
            return ""
        return _("Remove {name}?").format(name=_label(self, "entrant"))

    @property
    def consequence(self) -> str:
        if "name" not in self.fields:  # before the start
            return _("They can’t sign up again unless you undo this.")
        if self.is_for_teams:
            return _(
                "They play no more matches for their team. A bot finishes their current games, and keeps them even if "
                "you undo this."
            )
        return _(
            "They get no more matches and rank last. A bot finishes their current games, and keeps them even if you "
            "undo this."
        )


def _label(form: forms.Form, name: str) -> str:
    """Return the label of the chosen option."""
    return dict(form.fields[name].choices)[form.cleaned_data[name]]  # type: ignore[attr-defined]
