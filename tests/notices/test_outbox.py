"""Who is told at all: people with a mail address who want to hear of it, once."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.models import NoticeKind
from accounts.services import make_guest
from games.models import Notice
from games.notices import outbox
from games.notices.deliver import why_not
from games.notices.models import Kind
from games.services import bots, lobby
from tests.cast import again, person, seats_of, submit, table_of
from tests.notices.letters import notice, take

pytestmark = pytest.mark.django_db


def told(name: str) -> list[str]:
    return list(Notice.objects.filter(seat__name=name).order_by("seq", "kind").values_list("kind", flat=True))


def test_a_turn_writes_a_notice_for_now_and_a_reminder_for_later(game):
    take(game, 0)
    turn, reminder = notice(Kind.TURN, "Bob", game), notice(Kind.TIME, "Bob", game)
    assert turn.due_at == timezone.now()
    assert reminder.due_at == timezone.now() + timedelta(hours=0.8 * 48)


def test_the_same_is_told_once(game):
    seat = seats_of(game)[1]
    first, second = (outbox.tell(kind=Kind.TURN, seat=seat, seq=9) for _time in range(2))
    assert first == second
    assert Notice.objects.filter(seq=9).count() == 1


def test_a_turn_that_is_rolled_back_tells_nobody(game, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as bells, pytest.raises(ZeroDivisionError), transaction.atomic():
        take(game, 0)
        raise ZeroDivisionError
    assert (bells, Notice.objects.count()) == ([], 0)


def test_bots_get_no_mails(alice):
    game = lobby.play_now(user=alice, bots=["random"])
    submit(game, 0, "bid 0")
    bots.sweep_bots()
    assert again(game).seq > 0
    assert {notice.seat.name for notice in Notice.objects.all()} == {"Alice"}


def test_guests_get_mails_when_they_have_given_an_address_and_not_before(game, bob):
    silent, reachable = make_guest(), make_guest()
    reachable.email = "guest@example.org"
    reachable.save()
    other = table_of(silent, reachable, bob)
    assert set(Notice.objects.filter(seat__game=other).values_list("seat__user", flat=True)) <= {reachable.pk, bob.pk}
    assert told(reachable.username) and not told(silent.username)


@pytest.mark.parametrize(("kind", "field"), [(kind, f"mail_{kind}") for kind in Kind])
def test_a_kind_that_somebody_switched_off_is_not_told_to_them(kind, field, game, bob):
    seat = seats_of(game)[1]
    setattr(seat.user, field, False)
    assert outbox.tell(kind=kind, seat=seat, seq=77) is None
    assert not Notice.objects.filter(seq=77).exists()


def test_a_bot_answers_at_once_so_its_move_is_told_to_those_who_have_left(alice):
    game = lobby.play_now(user=alice, bots=["random"])
    bots.sweep_bots()
    submit(game, 0, "bid 12")
    submit(game, 0, "first 1")
    bots.sweep_bots()
    turn = notice(Kind.TURN, "Alice", game)
    assert turn.due_at == timezone.now() + timedelta(minutes=10)
    take(game, 0)
    assert why_not(turn) == "taken"


def test_who_wants_no_news_of_beginnings_is_still_told_that_a_bid_is_due(clock):
    table_of(person("Alice", mail_started=False), person("Bob"))
    assert told("Alice") == ["time", "turn"]


def test_what_can_be_told_is_what_can_be_switched_off():
    assert [kind.value for kind in Kind] == [kind.value for kind in NoticeKind]
