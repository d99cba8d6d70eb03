"""Small forms at a table: a step, an invitation, and handing over a seat: for how long, and to whom."""

from collections.abc import Sequence
from datetime import datetime, time
from typing import Any

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.names import LONGEST_NAME, TAKEN, NameField, is_guest_name, sign_up_validators
from games.rules.play import LONGEST_TURN
from games.tables.models import ReportReason, Subject
from games.tables.models.report import LONGEST_WORDS, REASONS

BACK, DAY, FOR_GOOD = "back", "day", "good"
TABLE = "table"  # what a report is about, if not a seat
WHILES = ((BACK, gettext_lazy("Until I come back")), (DAY, gettext_lazy("Until a date")))
SAY_WHICH = gettext_lazy("Enter the day you’ll be back.")


class StepForm(forms.Form):
    """The fields of every table form: the entry that its page showed, and action texts separated by semicolons.

    `head` is the beginning of that entry's digest, and `laid` the draft that the page showed; programs may omit both.
    `sure` confirms a step that gives up something usable.
    """

    seq = forms.IntegerField(min_value=0)
    head = forms.CharField(max_length=64, required=False)
    action = forms.CharField(max_length=LONGEST_TURN, required=False)
    sure = forms.BooleanField(required=False)
    laid = forms.CharField(max_length=LONGEST_TURN, required=False)

    @property
    def drawn_on(self) -> dict[str, Any]:
        """The entry that the page showed, as services expect it."""
        return {"expected_seq": self.cleaned_data["seq"], "head": self.cleaned_data["head"]}

    @property
    def actions(self) -> list[str]:
        return self.cleaned_data["action"].split(";")

    @property
    def draft(self) -> list[str] | None:
        """The draft that the page showed; None if the form does not say, as on pages from before a deploy."""
        laid = self.cleaned_data["laid"]
        return (laid.split(";") if laid else []) if "laid" in self.data else None


class ReportForm(forms.Form):
    """A report to moderators. `about` is one of the choices: a seat, `TABLE`, or the subject on a player's page.

    The form offers the reasons for which at least one of the choices can be reported.
    """

    about = forms.ChoiceField(
        label=gettext_lazy("What is it about?"), widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose what your report is about.")},
    )  # fmt: skip
    reason = forms.ChoiceField(
        label=gettext_lazy("Reason"), widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), gettext_lazy("Choose a reason that fits.")),
    )  # fmt: skip
    words = forms.CharField(
        label=gettext_lazy("In your words"), required=False, max_length=LONGEST_WORDS,
        help_text=gettext_lazy("Optional. Only moderators read it."), widget=forms.Textarea(attrs={"rows": 3}),
    )  # fmt: skip

    def __init__(self, data: Any = None, *, choices: Sequence[tuple[str, Any]]) -> None:
        super().__init__(data, initial={"about": choices[0][0]} if len(choices) == 1 else None)
        about, reason = self.fields["about"], self.fields["reason"]
        assert isinstance(about, forms.ChoiceField) and isinstance(reason, forms.ChoiceField)
        about.choices = list(choices)
        self.names = {str(value): name for value, name in choices}
        # The reasons that fit each choice. A choice that is no subject is the number of a seat
        self.fitting = {
            value: REASONS[Subject(value) if value in Subject.values else Subject.PLAYER] for value in self.names
        }
        offered = {value for reasons in self.fitting.values() for value in reasons}
        reason.choices = [(value, label) for value, label in ReportReason.choices if value in offered]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        about, reason = cleaned.get("about"), cleaned.get("reason")
        if about and reason and reason not in self.fitting[about]:
            if about == TABLE:
                sentence = _("Report “%(reason)s” against a player, not the table. Choose a player above.")
            else:
                sentence = _("“%(reason)s” doesn’t fit “%(about)s”. Choose “%(other)s” above.")
            other = next(name for value, name in self.names.items() if reason in self.fitting[value])
            values = {"reason": ReportReason(reason).label, "about": self.names[about], "other": other}
            self.add_error("reason", sentence % values)
        return cleaned


class GuestForm(forms.Form):
    """The name and the email address of a guest who accepts an invitation, both optional.

    Only a newcomer, or a guest whose name the site chose, is asked for a name.
    """

    name = NameField(
        label=gettext_lazy("Your name"),
        required=False,
        max_length=LONGEST_NAME,
        validators=sign_up_validators,
        help_text=gettext_lazy("Everyone at the table sees it. If you leave it empty, we make one up."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "spellcheck": "false"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        required=False,
        help_text=gettext_lazy("We’ll send you a confirmation link first. Nobody else sees your address."),
        error_messages={"invalid": gettext_lazy("Enter a valid email address.")},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def __init__(self, *args: Any, user: User | AnonymousUser, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if isinstance(user, User) and not (user.is_guest and is_guest_name(user.username)):
            del self.fields["name"]

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if name and User.is_name_taken(name):
            raise forms.ValidationError(TAKEN)
        return name


class WhileForm(forms.Form):
    """The duration of a hand-over. `until` is the start of a day in the reader's time zone, or None."""

    length = forms.ChoiceField(
        label=gettext_lazy("How long"), choices=WHILES, initial=BACK, widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose how long.")},
    )  # fmt: skip
    day = forms.DateField(
        label=gettext_lazy("I’ll be back on"), required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("length") == DAY and cleaned.get("day") is None and "day" not in self.errors:
            self.add_error("day", SAY_WHICH)
        return cleaned

    @property
    def until(self) -> datetime | None:
        if self.cleaned_data["length"] != DAY:
            return None
        return timezone.make_aware(datetime.combine(self.cleaned_data["day"], time()))


class BotForm(WhileForm):
    """Hand the seat to a bot. Doing so permanently needs confirmation."""

    prefix = "bot"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        length = self.fields["length"]
        assert isinstance(length, forms.ChoiceField)
        length.choices = [*WHILES, (FOR_GOOD, _("Until the end of the game: I resign"))]

    @property
    def is_for_good(self) -> bool:
        return bool(self.cleaned_data["length"] == FOR_GOOD)


class AskForm(WhileForm):
    prefix = "ask"

    name = forms.CharField(
        label=gettext_lazy("Player name"),
        max_length=40,
        error_messages={"required": gettext_lazy("Enter the name of the player to ask.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
