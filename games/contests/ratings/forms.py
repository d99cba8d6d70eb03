"""The filters of a history: game, opponent and period."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.bots.registry import by_name
from games.contests.ratings.history import HistoryFilter, Person
from games.rules.registry import RULESETS
from games.tables.selectors.options import short_name


class HistoryForm(forms.Form):
    """The filter form. All fields are optional. Invalid values are refused next to their field and ignored."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    against = forms.CharField(label=_("Against"), required=False, max_length=40)
    since = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].choices = [("", _("all games")), *((slug, short_name(slug)) for slug in RULESETS)]  # type: ignore[attr-defined]

    def clean_against(self) -> Person | None:
        name = self.cleaned_data["against"].strip()
        if not name:
            return None
        bot = by_name(name, gettext)
        rival = Person(bot=bot.slug) if bot else Person(User.named(name))
        if rival == Person():
            raise forms.ValidationError(_("There is no player with this name. Check the spelling."))
        return rival

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and until < since:
            self.add_error("until", _("This is before the “From” date. Choose a later day."))
        return cleaned

    @property
    def filters(self) -> HistoryFilter:
        """Return the filters of the valid fields."""
        self.full_clean()
        cleaned = self.cleaned_data
        return HistoryFilter(
            cleaned.get("game", ""), cleaned.get("against"), cleaned.get("since"), cleaned.get("until")
        )
