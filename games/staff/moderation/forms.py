"""Forms of moderators."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import LONGEST_STEP, Done, StepKind, User
from accounts.moderation.services import DAYS
from accounts.names import LONGEST_TYPED

STEP_KIND = "step."  # before the kind of a step, in the filter of the log
OPERATOR = "operator"  # the person who runs the site, who has no account in the log
REASON = _("The player reads this and can answer once. Don’t name or describe who reported it.")


class LogForm(forms.Form):
    """The filter of the log. `what` is a kind of line, or, after `STEP_KIND`, a kind of step."""

    use_required_attribute = False

    by = forms.ChoiceField(label=_("Moderator"), required=False)
    who = forms.CharField(
        label=_("Player"), required=False, max_length=LONGEST_TYPED,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )  # fmt: skip
    what = forms.ChoiceField(label=_("Kind"), required=False)

    def __init__(self, data: Any, *, moderators: list[User]) -> None:
        super().__init__(data, auto_id="log-%s")
        by, what = self.fields["by"], self.fields["what"]
        assert isinstance(by, forms.ChoiceField) and isinstance(what, forms.ChoiceField)
        people = [(str(moderator.pk), moderator.username) for moderator in moderators]
        by.choices = [("", _("anyone")), *people, (OPERATOR, _("The operator"))]
        kinds: list[tuple[str, Any]] = []
        for done in Done:
            kinds.append((done.value, done.label))
            if done == Done.STEP:
                taken = [kind for kind in StepKind if kind != StepKind.NAME]
                kinds += [(f"{STEP_KIND}{kind.value}", f"{done.label}: {kind.label}") for kind in taken]
        what.choices = [("", _("anything")), *kinds]

    def clean_who(self) -> User | None:
        if not self.cleaned_data["who"]:
            return None
        person = User.named(self.cleaned_data["who"])
        if person is None:
            raise forms.ValidationError(_("There is no player with this name. Check the spelling."))
        return person


class TakeStepForm(forms.Form):
    """A step about a player. The page showed as many steps as `expected`, and reports up to `last_report`.

    `others` is the number of other open reports about the player, which can be settled with the step.
    """

    use_required_attribute = False

    kind = forms.ChoiceField(
        label=_("Moderation action"), widget=forms.RadioSelect, error_messages={"required": _("Choose an action.")}
    )
    days = forms.TypedChoiceField(
        label=_("For how long"), coerce=int, empty_value=None, required=False,
        help_text=_("Not needed for a warning or for closing the account."),
    )  # fmt: skip
    reason = forms.CharField(
        label=_("Reason"), max_length=LONGEST_STEP, help_text=REASON, widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": _("Enter a reason. The player will read it.")},
    )  # fmt: skip
    settles_all = forms.BooleanField(
        required=False,
        help_text=_("Read them first: they are listed above. Their reporters are told that a moderator took action."),
    )  # fmt: skip
    expected = forms.IntegerField(widget=forms.HiddenInput)
    last_report = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, data: Any = None, *, kinds: list[StepKind], seen: dict[str, int], others: int) -> None:
        super().__init__(data, initial=seen, auto_id="step-%s")
        kind, days = self.fields["kind"], self.fields["days"]
        assert isinstance(kind, forms.ChoiceField) and isinstance(days, forms.ChoiceField)
        # Names are replaced on the page of a report
        kind.choices = [(step_kind.value, step_kind.label) for step_kind in kinds if step_kind != StepKind.NAME]
        label = ngettext(
            "Also settle %(n)d other open report about this player",
            "Also settle %(n)d other open reports about this player",
            others,
        )
        self.fields["settles_all"].label = label % {"n": others}
        if not others:
            del self.fields["settles_all"]
        days.choices = [(n, ngettext("%(n)d day", "%(n)d days", n) % {"n": n}) for n in DAYS]

    def show_again(self, seen: dict[str, int]) -> None:
        """Keep what was typed, and expect the steps and reports that the page shows now."""
        assert isinstance(self.data, QueryDict)
        self.data = self.data.copy()
        for name, number in seen.items():
            self.data[name] = str(number)
