"""A game for other programs: its record and its position, without what the reader may not see, and verification.

Verifying replays a finished game or a record file, to prove that nobody cheated.
"""

import msgspec
from django import forms
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.http import Request
from empire.web.limits import limited
from games.errors import RecordError
from games.rules.record import LARGEST
from games.tables import keys
from games.tables.services import records
from games.tables.views.table import read


@never_cache
@require_safe
@limited("api", reading=True)
def view(request: Request, public_id: str) -> HttpResponse:
    """Return the position as the reader sees it, with the latest staff decisions, as JSON."""
    table = read(request, public_id)
    if table.before is None:
        raise Http404
    decided = [{"seq": line.seq, "said": line.sentences[0]} for line in table.log if line.by_staff]
    position = {**msgspec.to_builtins(table.before), "legal": table.before.legal, "decisions": decided}
    return HttpResponse(msgspec.json.encode(position), content_type="application/json")


@never_cache
@require_safe
@limited("api", reading=True)
def record(request: Request, public_id: str) -> HttpResponse:
    """Return the record of the game as a file. See docs/record.md."""
    content = records.export(public_id=public_id, user=keys.reader(request, public_id))
    headers = {"Content-Disposition": f'attachment; filename="{public_id}.json"'}
    return HttpResponse(content, content_type="application/json", headers=headers)


class RecordForm(forms.Form):
    record = forms.FileField(label=_("Record"), help_text=_("A file downloaded from a finished game."))


@never_cache
@require_safe
@limited("verify", reading=True)
def verify(request: Request, public_id: str) -> HttpResponse:
    """Verify a game. While it runs, its seed is secret, so show only the fingerprint."""
    proof = records.proof(public_id=public_id, user=keys.reader(request, public_id))
    return render(request, "tables/verify.html", {"proof": proof, "game": proof.game})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("verify")
def verify_file(request: Request) -> HttpResponse:
    """Verify an uploaded record without storing it."""
    form = RecordForm(request.POST or None, request.FILES or None)
    context: dict[str, object] = {"form": form}
    if request.method == "POST" and form.is_valid():
        try:
            context["proof"] = records.proof_of_file(form.cleaned_data["record"].read(LARGEST + 1))
        except RecordError as refusal:
            form.add_error("record", str(refusal))
    return render(request, "tables/verify_file.html", context, status=422 if form.errors else 200)


@cache_control(public=True, max_age=3600)
@require_safe
def record_keys(request: Request) -> JsonResponse:
    """Publish the keys that prove which records the site signed; docs/record.md describes them."""
    return JsonResponse({"keys": records.published()})
