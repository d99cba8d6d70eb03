"""Forms of what organizers write, and of their team."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.contests.organizers import Right
from games.contests.organizing.services import LONGEST_ANNOUNCEMENT, LONGEST_RULES
from games.rules.staff import LONGEST_REASON


class RulesForm(forms.Form):
    text = forms.CharField(
        label=_("Rules text"), required=False, max_length=LONGEST_RULES, widget=forms.Textarea(attrs={"rows": 14}),
        help_text=_("Markdown: headings, lists, quotes, emphasis and links. No images and no HTML."),
    )  # fmt: skip


class AnnouncementForm(forms.Form):
    text = forms.CharField(
        label=_("Announcement"), max_length=LONGEST_ANNOUNCEMENT, widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("We notify everyone who takes part. Everyone can read it on the page, with your name."),
        error_messages={"required": _("Write something to announce.")},
    )  # fmt: skip


class HelperForm(forms.Form):
    name = forms.CharField(label=_("Player name"), max_length=150, error_messages={"required": _("Enter a name.")})
    rights = forms.MultipleChoiceField(
        label=_("They can"), choices=Right.choices, widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose what they can do.")},
    )  # fmt: skip


class SuccessorForm(forms.Form):
    """`as_staff`: the asker acts for the site, and so must give a reason."""

    name = forms.CharField(label=_("Player name"), max_length=150, error_messages={"required": _("Enter a name.")})
    reason = forms.CharField(
        label=_("Reason"), max_length=LONGEST_REASON, required=False,
        help_text=_("Everyone can read it once the new organizer has accepted."),
    )  # fmt: skip

    def __init__(self, *args: Any, as_staff: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if as_staff:
            reason = self.fields["reason"]
            reason.help_text = _("Everyone can read it once the new organizer has accepted. Required for site staff.")
