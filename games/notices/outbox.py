"""The way in: services say whom to tell what, inside the transaction of what they tell of."""

from datetime import datetime

from django.utils import timezone

from games.models.game import Seat
from games.notices.models import Kind, Notice
from games.services.bell import ring


def tell(*, kind: Kind, seat: Seat, seq: int, due_at: datetime | None = None) -> Notice | None:
    """Tell the player of `seat` once about entry `seq`, at once or when it is due. Null where nobody wants to hear."""
    if seat.bot or seat.user is None or not seat.user.wants_mail(kind):
        return None
    now = timezone.now()
    times = {"created_at": now, "due_at": due_at or now}
    notice, is_new = Notice.objects.get_or_create(kind=kind, seat=seat, seq=seq, defaults=times)
    if is_new and notice.due_at <= now:
        ring("games.tasks.send_notice", notice.pk)
    return notice
