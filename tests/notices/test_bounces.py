"""Bounces: they stop email to that one address, the player is notified on the site, and can try again."""

import hashlib
import hmac
import json
from base64 import b64encode
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.http import HttpResponse
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from accounts.models import User
from accounts.trouble import StopReason as Stopped
from empire.urls import email_events
from games.notices.delivery.channels.email import Meaning, meaning
from games.notices.models import Kind, Notice, NoticeState
from games.tables.models import Game
from tests.cast import in_turns, person
from tests.notices.emails import notice, received, send_due, take
from tests.web.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.notices.webhook_urls")]
SECRET, SIGNING_KEY = "post:a long secret", "key-of-mailgun"


@pytest.fixture(autouse=True)
def providers_know_the_secret(settings):
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET, "MAILGUN_WEBHOOK_SIGNING_KEY": SIGNING_KEY}


@pytest.fixture
def turn_notice(game) -> Notice:
    """Bob's notice about his turn, which has been emailed to him."""
    take(game, 0)
    send_due()
    return notice(Kind.TURN, "Bob", game)


@pytest.fixture
def post_event(client):
    """Post an event as an email provider does, and return the answer."""

    def post_event(provider: str, event: dict, secret: str = SECRET) -> HttpResponse:
        signed = {"HTTP_AUTHORIZATION": f"Basic {b64encode(secret.encode()).decode()}"} if secret else {}
        address = f"/webhooks/email/{provider}/tracking/"
        return client.post(address, json.dumps(event), content_type="application/json", **signed)

    return post_event


def postmark(kind: str = "HardBounce", address: str = "bob@example.org", **more: object) -> dict:
    """Build a bounce event as in Postmark's documentation."""
    at = timezone.now().isoformat()
    bounce = {"RecordType": "Bounce", "ID": 42, "Type": kind, "TypeCode": 1, "Name": kind, "Email": address,
              "MessageID": "883953f4-6105-42a2-a16a-77a8eac79483", "BouncedAt": at, "Inactive": True,
              "Description": "The server was unable to deliver your message (ex: unknown user).",
              "Details": "550 5.1.1 no such user", "Metadata": {}, "From": "games@testserver"}  # fmt: skip
    return {**bounce, **more}


def mailgun(row: Notice, event: str = "failed", severity: str = "permanent", **more: object) -> dict:
    """Build a signed event as in Mailgun's documentation."""
    row.refresh_from_db()
    stamp, token = str(int(timezone.now().timestamp())), hashlib.sha256(repr(more).encode()).hexdigest()[:50]
    signature = hmac.new(SIGNING_KEY.encode(), f"{stamp}{token}".encode(), hashlib.sha256).hexdigest()
    data = {"event": event, "severity": severity, "reason": "bounce", "recipient": row.user.email,
            "timestamp": timezone.now().timestamp(), "id": "Ase7i2zsRYeDXztHGENqRA", "log-level": "error",
            "delivery-status": {"code": 550, "message": "5.1.1 mailbox gone", "description": None},
            "message": {"headers": {"message-id": row.message_id.strip("<>"), "to": row.user.email}}}  # fmt: skip
    return {"signature": {"timestamp": stamp, "token": token, "signature": signature}, "event-data": {**data, **more}}


def again(user: User) -> User:
    return User.objects.get(pk=user.pk)


def test_a_hard_bounce_stops_email_and_later_notices_say_why_they_were_not_sent(
    turn_notice, post_event, bob, game, client
):
    assert post_event("postmark", postmark()).status_code == 200
    assert (again(bob).is_email_stopped, again(bob).trouble.said) == (True, "550 5.1.1 no such user")
    client.force_login(bob)
    page = text(client.get(reverse("account_email")))
    assert "We stopped sending email to" in page and "We send email to" not in page
    take(game, 1)
    take(game, 0)
    send_due()
    later = notice(Kind.TURN, "Bob", game)
    assert (later.state, later.reason) == (NoticeState.DROPPED, "we stopped sending email to your address")
    assert len(received("Bob")) == 1


def test_a_bounce_with_our_message_id_marks_its_notice_as_failed(turn_notice, post_event, bob):
    assert post_event("mailgun", mailgun(turn_notice)).status_code == 200
    turn_notice.refresh_from_db()
    assert (turn_notice.state, turn_notice.reason) == (NoticeState.FAILED, "5.1.1 mailbox gone")
    assert again(bob).is_email_stopped


def test_a_spam_complaint_stops_email_and_its_notice_stays_sent(turn_notice, post_event, bob, client):
    post_event("mailgun", mailgun(turn_notice, "complained"))
    turn_notice.refresh_from_db()
    assert (turn_notice.state, turn_notice.reason) == (NoticeState.SENT, "it was reported as spam")
    assert again(bob).trouble.why == Stopped.COMPLAINED
    client.force_login(bob)
    assert "it was reported as spam" in text(client.get(reverse("notices")))
    assert "our emails were reported as spam" in text(client.get(reverse("desk")))


@pytest.mark.parametrize("kind", ["SoftBounce", "Transient"])
def test_soft_bounces_of_three_emails_stop_email(kind, turn_notice, post_event, bob):
    for number in (1, 1, 2, 2, 1):
        post_event("postmark", postmark(kind, MessageID=f"mail-{number}"))
    assert not again(bob).is_email_stopped
    post_event("postmark", postmark(kind, MessageID="mail-3"))
    assert again(bob).trouble.why == Stopped.OFTEN


def test_a_delivered_email_resets_the_count_of_soft_bounces(turn_notice, post_event, bob):
    for number in (1, 2, "arrived", 3, 4):
        event = mailgun(turn_notice, "failed", "temporary")
        event["event-data"]["message"]["headers"]["message-id"] = f"mail-{number}"
        post_event("mailgun", mailgun(turn_notice, "delivered") if number == "arrived" else event)
    assert not again(bob).is_email_stopped
    turn_notice.refresh_from_db()
    assert turn_notice.state == NoticeState.SENT


def test_repeated_or_late_events_change_nothing_after_a_bounce(turn_notice, post_event, bob, clock):
    bounce = mailgun(turn_notice)
    post_event("mailgun", bounce)
    first = again(bob).email_trouble
    clock.shift(timedelta(hours=1))
    for event in (bounce, mailgun(turn_notice, "complained"), mailgun(turn_notice, "delivered"), bounce):
        assert post_event("mailgun", event).status_code == 200
    turn_notice.refresh_from_db()
    assert (again(bob).email_trouble, turn_notice.state) == (first, NoticeState.FAILED)


def test_events_about_a_former_or_unknown_address_are_ignored(turn_notice, post_event, bob):
    late = mailgun(turn_notice)
    bob.email = "robert@example.org"
    bob.save()
    assert post_event("mailgun", late).status_code == 200
    assert post_event("postmark", postmark(address="nobody@example.org")).status_code == 200
    turn_notice.refresh_from_db()
    assert (again(bob).is_email_stopped, again(bob).email_trouble, turn_notice.state) == (False, {}, NoticeState.SENT)


def test_a_new_address_gets_email_immediately(turn_notice, post_event, bob):
    post_event("postmark", postmark())
    bob = again(bob)
    bob.email = "robert@example.org"
    bob.save()
    assert not again(bob).is_email_stopped


def test_a_bounce_stops_an_unconfirmed_address_too_and_its_owner_sees_why(post_event, clock, client):
    carol = person("Carol")
    EmailAddress.objects.filter(user=carol).update(verified=False)
    post_event("postmark", postmark(address="Carol@Example.org"))
    client.force_login(carol)
    page = text(client.get(reverse("desk")))
    assert "We stopped sending email to" in page and "once you have followed the link" not in page


def test_a_bounce_without_a_recipient_does_not_affect_guests_without_an_address(post_event, clock):
    User.objects.create(username="Guest-1", is_guest=True)
    assert post_event("postmark", postmark(address="")).status_code == 200
    assert not User.objects.exclude(email_trouble={}).exists()


@pytest.mark.parametrize("secret", ["", "post:guessed", "guessed:a long secret", "post:"])
def test_events_without_the_secret_are_refused(secret, turn_notice, post_event, bob):
    answer = post_event("postmark", postmark(), secret=secret)
    assert (answer.status_code, again(bob).is_email_stopped) == (400, False)
    assert SECRET not in text(answer) and "Traceback" not in text(answer)


def test_a_forged_signature_is_refused_even_with_the_secret(turn_notice, post_event, bob):
    forged = mailgun(turn_notice)
    forged["signature"]["signature"] = "0" * 64
    assert (post_event("mailgun", forged).status_code, again(bob).is_email_stopped) == (400, False)


def test_a_player_gets_email_again_after_confirming_the_address_again(turn_notice, post_event, bob, client, game):
    old = postmark()
    post_event("postmark", old)
    client.force_login(bob)
    page = client.get(reverse("preferences"))
    assert "550 5.1.1 no such user" in text(page) and 'action="/accounts/email-again/"' in text(page)
    mail.outbox.clear()
    assert "Follow it to get email again" in text(client.post(reverse("email_again"), follow=True))
    assert not again(bob).is_email_stopped and not again(bob).has_confirmed_address
    (test,) = received("Bob")
    post_event("postmark", old)
    assert not again(bob).is_email_stopped, "that bounce is older than the player's request"
    link = next(word for word in test.get_body(("plain",)).get_content().split() if "/confirm-email/" in word)
    client.post(link)
    assert again(bob).has_confirmed_address
    take(game, 1)
    take(game, 0)
    send_due()
    assert len(received("Bob")) == 2


def test_email_restarts_only_by_a_form_and_only_if_it_was_stopped(bob, client):
    client.force_login(bob)
    assert client.get(reverse("email_again")).status_code == 405
    client.post(reverse("email_again"))
    assert again(bob).has_confirmed_address and mail.outbox == []


def test_the_restart_button_reports_an_email_server_that_is_down(turn_notice, post_event, bob, client, settings):
    post_event("postmark", postmark())
    client.force_login(bob)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert "Our email server isn’t responding" in text(client.post(reverse("email_again"), follow=True))


@pytest.mark.parametrize(("answer", "stopped", "state"), [
    ("550 no such mailbox", True, NoticeState.FAILED),
    ("550 5.1.1 unknown user", True, NoticeState.FAILED),
    ("552 5.2.2 mailbox full", False, NoticeState.FAILED),
    ("554 5.7.1 relay access denied", False, NoticeState.QUEUED),
    ("450 greylisted", False, NoticeState.QUEUED),
])  # fmt: skip
def test_an_immediate_refusal_counts_like_a_bounce(answer, stopped, state, game, bob, mail_server):
    mail_server.refusals["RCPT"] = answer
    take(game, 0)
    send_due()
    assert (again(bob).is_email_stopped, notice(Kind.TURN, "Bob", game).state) == (stopped, state)


@pytest.mark.long
def test_a_full_mailbox_stops_email_after_three_emails(game: Game, bob, alice, mail_server):
    for table in (game, in_turns(alice, bob, listed=False), in_turns(alice, bob, listed=False)):
        mail_server.refusals.clear()
        send_due()
        assert not again(bob).is_email_stopped
        mail_server.refusals["RCPT"] = "552 5.2.2 mailbox full"
        take(table, 0)
        send_due()
    assert again(bob).trouble.why == Stopped.OFTEN


@pytest.mark.parametrize(("code", "words", "means"), [
    (451, "4.7.1 greylisted", Meaning.LATER),
    (550, "5.7.26 unauthenticated", Meaning.OURS),
    (530, "Authentication required", Meaning.OURS),
    (554, "Relay access denied", Meaning.OURS),
    (550, "5.2.1 disabled", Meaning.DEAD),
    (553, "sorry, no mailbox here by that name", Meaning.DEAD),
    (550, "5.4.310 domain does not exist", Meaning.HELD_UP),
    (552, "over quota", Meaning.HELD_UP),
])  # fmt: skip
def test_refusals_are_classified_by_code_and_text(code, words, means):
    assert meaning(code, words) == means


def test_event_urls_exist_only_with_a_secret_and_none_accepts_incoming_email(settings):
    names = {url.name for url in email_events()}
    assert "postmark_tracking_webhook" in names and not any("inbound" in name for name in names)
    settings.ANYMAIL = {}
    assert email_events() == []


@pytest.mark.urls("empire.urls")
def test_a_site_without_a_secret_has_no_event_urls(client):
    with pytest.raises(NoReverseMatch):
        reverse("anymail:postmark_tracking_webhook")
    assert client.post("/webhooks/email/postmark/tracking/").status_code == 404
