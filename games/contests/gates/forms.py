"""The entry conditions in the forms of leagues and tournaments, and the form that puts names on the list."""

from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import folded
from games.contests.terms.declaration import CONTEST, AnyTerms
from games.tables.forms.game import GameForm

FIELDS = {"reliability": "on_time"}  # for lines whose field has another name, because tables have one of their own
NUMBERS = {
    "rating_from": _("Lowest rating"),
    "rating_to": _("Highest rating"),
    "games_from": _("Rated games finished"),
    "reliability": _("Turns on time, in percent"),
}
YES = ("confirmed_email", "invite_only")


class Fold(NamedTuple):
    """A part of a form that can be folded, with what is set in it. `is_unfolded`: a field in it was refused."""

    is_unfolded: bool
    settings: list[str]


class GateForm(GameForm):
    """A form for a game with entry conditions. Numbers left empty are no condition."""

    FOLDS: dict[str, tuple[str, ...]] = {}

    confirmed_email = forms.BooleanField(label=_("Players need a confirmed email address"), required=False)
    invite_only = forms.BooleanField(
        label=_("Only players I invite"), required=False,
        help_text=_("You then get a link to share, and a list of players who can enter."),
    )  # fmt: skip

    def _offer(self) -> None:
        super()._offer()
        for key, label in NUMBERS.items():
            line = CONTEST[key]
            self.fields[FIELDS.get(key, key)] = forms.IntegerField(
                label=label, help_text=gettext(line.sentence), min_value=line.low, max_value=line.high,
                required=False, error_messages={"invalid": gettext("Enter a whole number.")},
            )  # fmt: skip

    def gate_numbers(self) -> list[forms.BoundField]:
        return [self[FIELDS.get(key, key)] for key in NUMBERS]

    def gate_choices(self) -> list[forms.BoundField]:
        return [self[name] for name in YES]

    @property
    def shows_gate(self) -> bool:
        """Whether the entry conditions are open: one is set or refused."""
        names = {*(FIELDS.get(key, key) for key in NUMBERS), *YES}
        return any(self.data.get(name) not in (None, "", "0") for name in names) or bool(names & set(self.errors))

    @property
    def folds(self) -> dict[str, Fold]:
        """Return the parts that most people leave as they are, by name. They open if one of their fields is refused."""
        return {
            part: Fold(bool({*names} & set(self.errors)), [text for name in names if (text := self._setting(name))])
            for part, names in self.FOLDS.items()
        }

    def _setting(self, name: str) -> str:
        """Return what is set in a field: the label of the choice, or the label of the field with the number."""
        value, field = str(self[name].value() or ""), self.fields[name]
        if value in ("", "0"):
            return ""
        if isinstance(field, forms.ChoiceField):
            return str(dict(field.choices).get(value, ""))  # type: ignore[arg-type]
        return gettext("{label}: {value}").format(label=field.label, value=value)

    @property
    def gate_terms(self) -> dict[str, Any]:
        """The lines of the terms. Call it after validation."""
        numbers = {key: self.cleaned_data[FIELDS.get(key, key)] or 0 for key in NUMBERS}
        return numbers | {name: self.cleaned_data[name] for name in YES}


def gate_fields(terms: AnyTerms) -> dict[str, str]:
    """Return the value of each field for these terms."""
    numbers = {FIELDS.get(key, key): str(getattr(terms, key) or "") for key in NUMBERS}
    return numbers | {name: "on" for name in YES if getattr(terms, name)}


class PairForm(forms.Form):
    """Two players who must not meet."""

    first = forms.CharField(label=_("First player"), max_length=150, error_messages={"required": _("Enter a name.")})
    second = forms.CharField(label=_("Second player"), max_length=150, error_messages={"required": _("Enter a name.")})


class NamesForm(forms.Form):
    """Player names, one per line or separated by commas."""

    names = forms.CharField(
        label=_("Player names"), max_length=3000,
        help_text=_("One per line, or separated by commas. They are not notified, so send them the page or the link."),
        widget=forms.Textarea(attrs={"rows": 3, "autocapitalize": "none", "spellcheck": "false"}),
        error_messages={"required": _("Enter at least one player name.")},
    )  # fmt: skip

    def clean_names(self) -> list[str]:
        parts = self.cleaned_data["names"].replace("\n", ",").split(",")
        return list({folded(" ".join(part.split())): " ".join(part.split()) for part in parts if part.strip()}.values())
