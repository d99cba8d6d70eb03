"""The form fields that leagues and tournaments have in common, and forms about the people who may enter them."""

from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, Self, TypeVar

from django import forms
from django.forms.utils import ErrorDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import folded
from games.contests.pairing.crosstable import TIE_BREAKS
from games.contests.terms import fitting
from games.contests.terms.declaration import LONGEST_NAME, MATCH, AnyTerms, TermsLine
from games.rules.protocol import IllegalAction
from games.tables.forms import options, pace
from games.tables.forms.game import GameForm
from games.tables.forms.open_table import YES_OR_NO

BREAKS = tuple(f"tie_break_{n}" for n, _name in enumerate(TIE_BREAKS, start=1))
NUMBERS = {
    "rating_from": _("Lowest rating"),
    "rating_to": _("Highest rating"),
    "games_from": _("Rated games finished"),
    "reliability": _("Turns on time, in percent"),
}
YES = ("confirmed_email", "invite_only")

Terms = TypeVar("Terms", bound=AnyTerms)


class Fold(NamedTuple):
    """A part of a form that can be folded, with what is set in it. `is_unfolded`: a field in it was refused."""

    is_unfolded: bool
    settings: list[str]


class CompetitionForm(GameForm, Generic[Terms]):
    """The terms of a league or tournament. If `lenient`, it shows what has been filled in so far without errors.

    Numbers of entry conditions that are left empty are no condition.
    """

    FIELDS = {  # for lines whose field has another name
        "clock": "pace", "options": "preset", "bots": "rated", "tie_breaks": BREAKS[0], "reliability": "on_time",
    }  # fmt: skip
    FOLDS: dict[str, tuple[str, ...]] = {}
    LINES: tuple[str, ...] = ()  # other lines whose field has their value

    confirmed_email = forms.BooleanField(label=_("Players need a confirmed email address"), required=False)
    invite_only = forms.BooleanField(
        label=_("Only players I invite"), required=False,
        help_text=_("You then get a link to share, and a list of players who can enter."),
    )  # fmt: skip
    name = forms.CharField(max_length=LONGEST_NAME)  # each form has its own words for it
    full = forms.TypedChoiceField(
        label=_("Each match is"),
        choices=[
            ("no", _("A single game")),
            ("yes", _("A full game: three games in a row, highest total wins")),
        ],
        coerce=lambda answer: answer == "yes", widget=forms.RadioSelect,
        error_messages={**YES_OR_NO, "required": _("Choose what a match is.")},
    )  # fmt: skip
    rated = forms.ChoiceField(
        label=_("Ratings"),
        choices=[
            ("yes", _("Rated, people only")),
            ("no", _("Unrated, people only")),
            ("bots", _("Unrated, and bots can enter")),
        ],
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose whether matches are rated."),
            "invalid_choice": _("Choose one of the three options."),
        },
    )  # fmt: skip

    def __init__(self, data: Mapping[str, Any], *, lenient: bool = False) -> None:
        super().__init__(data, lenient=lenient)
        del self.fields["reliability"]  # of tables, which offer a choice
        if lenient:
            self._errors, self.cleaned_data = ErrorDict(), {}

    @classmethod
    def of(cls, terms: Terms) -> Self:
        """Return the form filled with these terms."""
        return cls(cls.data_of(terms), lenient=True)

    @classmethod
    def field_of(cls, line: str) -> str:
        """Return the name of the field of a line of the terms."""
        return cls.FIELDS.get(line, line)

    def _offer(self) -> None:
        super()._offer()
        for key, label in NUMBERS.items():
            hint = gettext(MATCH[key].sentence)
            self.fields[self.field_of(key)] = number_field(MATCH[key], label, hint, required=False)

    def _offer_tie_breaks(self) -> None:
        breaks = [(name, gettext(tie_break.label)) for name, tie_break in TIE_BREAKS.items()]
        for n, name in enumerate(BREAKS, start=1):
            self.fields[name] = forms.ChoiceField(
                label=gettext("Tie-break {n}").format(n=n), choices=[("", gettext("none")), *breaks], required=False
            )

    # Groups of fields on the page

    def breaks(self) -> list[forms.BoundField]:
        return [self[name] for name in BREAKS]

    def gate_numbers(self) -> list[forms.BoundField]:
        return [self[self.field_of(key)] for key in NUMBERS]

    def gate_choices(self) -> list[forms.BoundField]:
        return [self[name] for name in YES]

    @property
    def shows_gate(self) -> bool:
        """Whether the entry conditions are open: one is set or refused."""
        names = {*(self.field_of(key) for key in NUMBERS), *YES}
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

    # Results

    def check_terms(self, terms: Terms) -> None:
        """Check the terms of a form without errors, and add a refusal to the field of the line that it names."""
        try:
            fitting.check(terms, fitting.decisions(terms.ruleset, terms.players, terms.options))
        except IllegalAction as refusal:
            key, message = str(refusal.values.get("key", "")), refusal.say(gettext)
            name = self.field_of(key)
            if name in self.fields:
                message = message.replace(f"“{key}”", f"“{self.fields[name].label}”")
            self.add_error(name if name in self.fields else None, message)

    @property
    def shared_terms(self) -> dict[str, Any]:
        """The lines that leagues and tournaments share."""
        data = self.cleaned_data
        return {
            **{key: data[key] for key in ("name", "ruleset", "players", "full", *YES)},
            **{key: data[self.field_of(key)] or 0 for key in NUMBERS}, "options": self.options, "clock": self.clock,
            "time_out": data["time_out"] or "seat", "rated": data["rated"] == "yes", "bots": data["rated"] == "bots",
            "tie_breaks": tuple(data[name] for name in BREAKS if data[name]),
        }  # fmt: skip

    @classmethod
    def data_of(cls, terms: Terms) -> dict[str, str]:
        """Return the data of a form filled with these terms."""
        wishes = {
            options.PREFIX + name: ("on" if value else "off") if isinstance(value, bool) else str(value)
            for name, value in terms.options.items()
        }
        return {
            **pace.USUAL_PACE, **pace.filled_in(terms.clock), **wishes, **dict.fromkeys(BREAKS, ""),
            **dict(zip(BREAKS, terms.tie_breaks, strict=False)),
            **{key: str(getattr(terms, key)) for key in ("name", "ruleset", "players", "time_out", *cls.LINES)},
            **{cls.field_of(key): str(getattr(terms, key) or "") for key in NUMBERS},
            **{name: "on" for name in YES if getattr(terms, name)}, "full": "yes" if terms.full else "no",
            "rated": "yes" if terms.rated else "bots" if terms.bots else "no",
            cls.field_of("starts"): terms.starts.isoformat() if terms.starts else "",
        }  # fmt: skip


def number_field(
    line: TermsLine, label: Any, hint: Any, *, low: int | None = None, required: bool = True
) -> forms.IntegerField:
    """Return the field of a line with a number. `low` is the lowest, if it is not that of the line."""
    return forms.IntegerField(
        label=label, help_text=hint, min_value=line.low if low is None else low, max_value=line.high, required=required,
        error_messages=dict.fromkeys(("required", "invalid"), gettext("Enter a whole number.")),
    )  # fmt: skip


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
