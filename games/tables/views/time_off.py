"""The page for a player's time zone, night and vacations."""

from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.forms import zones_for
from accounts.http import SignedInRequest, posted_id
from accounts.models import User
from empire.web.limits import limited
from games.clocks.nights import LONGEST_NIGHT
from games.clocks.vacations import DAYS_A_YEAR, days_left
from games.errors import GameError
from games.tables.models import Vacation
from games.tables.selectors import clocks
from games.tables.services import time_off


class NightForm(forms.Form):
    """The player's time zone and night; without times there is no night."""

    time_zone = forms.CharField(label=gettext_lazy("Time zone"), widget=forms.Select)
    begins = forms.TimeField(
        label=gettext_lazy("Night begins"), required=False, input_formats=["%H:%M", "%H:%M:%S"],
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        error_messages={"invalid": gettext_lazy("Enter a time such as 23:00.")},
    )  # fmt: skip
    ends = forms.TimeField(
        label=gettext_lazy("Night ends"), required=False, input_formats=["%H:%M", "%H:%M:%S"],
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        error_messages={"invalid": gettext_lazy("Enter a time such as 07:00.")},
    )  # fmt: skip

    def __init__(self, *args: Any, own_zone: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].widget = forms.Select(choices=zones_for(own_zone))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        begins, ends = cleaned.get("begins"), cleaned.get("ends")
        if (begins is None) != (ends is None) and not self.errors:
            missing = "begins" if begins is None else "ends"
            self.add_error(missing, _("Enter both when your night begins and when it ends, or leave both empty."))
        return cleaned

    @property
    def window(self) -> str:
        """The night as text, such as `23:00-07:00`; empty for none."""
        begins, ends = self.cleaned_data["begins"], self.cleaned_data["ends"]
        return f"{begins:%H:%M}-{ends:%H:%M}" if begins else ""


class VacationForm(forms.Form):
    first = forms.DateField(
        label=gettext_lazy("From"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": gettext_lazy("Enter the first day.")},
    )  # fmt: skip
    last = forms.DateField(
        label=gettext_lazy("To"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": gettext_lazy("Enter the last day.")},
    )  # fmt: skip


class Announced(NamedTuple):
    """A planned vacation on the page."""

    vacation: Vacation
    days: int
    has_begun: bool


@never_cache
@limited("time_off")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: SignedInRequest) -> HttpResponse:
    """Show or change the player's night and vacations. A change reports how many deadlines moved."""
    person = User.objects.get(pk=request.user.pk)
    window = person.nights.window
    times = {"begins": window.begins, "ends": window.ends} if window else {}
    night = NightForm(own_zone=person.time_zone, initial={"time_zone": person.time_zone, **times})
    vacation = VacationForm()
    form: forms.Form = vacation
    if request.method != "POST":
        return _show(request, person, night, vacation)
    action, before = request.POST.get("action"), clocks.deadlines_of(person)
    try:
        if action == "night":
            form = night = NightForm(request.POST, own_zone=person.time_zone)
            if night.is_valid():
                time_off.set_night(user=person, zone=night.cleaned_data["time_zone"], window=night.window)
        elif action == "announce":
            form = vacation = VacationForm(request.POST)
            if vacation.is_valid():
                time_off.announce(user=person, first=form.cleaned_data["first"], last=form.cleaned_data["last"])
        else:
            time_off.cancel(user=person, vacation=posted_id(request, "vacation"))
    except GameError as refusal:
        if form.is_bound:
            form.add_error(None, str(refusal))
        else:
            messages.error(request, str(refusal))
            return redirect("time_off")
    if form.errors:
        return _show(request, person, night, vacation, status=422)
    after, moved_words = clocks.deadlines_of(person), ""
    moved = sum(before[seat] != after.get(seat) for seat in before)
    if clocks.count_running(person):
        words = ngettext("{n} deadline changed.", "{n} deadlines changed.", moved).format(n=moved)
        moved_words = words if moved else _("No deadlines changed.")
    messages.success(request, " ".join([_("Saved."), moved_words]))
    return redirect("time_off")


def _show(
    request: SignedInRequest, person: User, night: NightForm, vacation: VacationForm, *, status: int = 200
) -> HttpResponse:
    now = timezone.now()
    today = timezone.localdate(now, person.zone)
    announced = list(Vacation.objects.filter(user=person, last__year__gte=today.year - 1).order_by("first", "pk"))
    plain = [row.plain for row in announced]
    planned = [row for row in announced if row.last >= today and row.cancelled is None]
    context = {
        "night": night, "vacation": vacation, "now": now, "longest": LONGEST_NIGHT.seconds // 3600,
        "a_year": DAYS_A_YEAR, "years": [(year, days_left(plain, year)) for year in (today.year, today.year + 1)],
        "announced": [Announced(row, (row.last - row.first).days + 1, row.first <= today) for row in planned],
        "tables": clocks.count_running(person), "running": len(clocks.deadlines_of(person)), "person": person,
    }  # fmt: skip
    return render(request, "tables/time_off.html", context, status=status)
