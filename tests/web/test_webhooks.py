"""The page of the webhooks of a league or tournament."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.contests.models import CompetitionHook, Organizer, Post
from games.contests.webhooks import deliver
from tests.contests.cups import begun, crowd, cup, play_round
from tests.notices.tls import Reply, WebServer

pytestmark = pytest.mark.django_db


def test_an_organizer_adds_tests_changes_and_removes_a_webhook(come, alice, web_server: WebServer):
    tournament = cup(alice)
    url, olga = f"/tournaments/{tournament.public_id}/webhooks/", come(alice)
    assert url in olga.get(tournament.get_absolute_url()).content.decode()
    sent = {"action": "add", "url": web_server.url("/channel-secret"), "format": "discord", "subjects": ["results"]}
    page = olga.post(url, sent, follow=True).content.decode()
    made = CompetitionHook.objects.get()
    assert "Added the webhook to localhost" in page and "channel-secret" not in page
    assert "Test sent." in olga.post(url, {"action": "test", "hook": made.pk}, follow=True).content.decode()
    web_server.replies = [Reply(404, b"no such channel")]
    assert "no such channel" in olga.post(url, {"action": "test", "hook": made.pk}, follow=True).content.decode()
    olga.post(url, {"action": "change", "hook": made.pk, "subjects": ["pairings", "standings"]})
    made.refresh_from_db()
    assert made.subjects == ["pairings", "standings"]
    for hook in ("0", "99999999999999999999", "x", ""):
        assert "no longer on the list" in olga.post(url, {"action": "test", "hook": hook}, follow=True).content.decode()
    olga.post(url, {"action": "remove", "hook": made.pk})
    assert not CompetitionHook.objects.exists()


def test_a_refused_address_is_explained_and_kept_in_the_form(come, alice):
    url = f"/tournaments/{cup(alice).public_id}/webhooks/"
    sent = {"action": "add", "url": "https://10.0.0.1/x", "format": "json", "subjects": ["results"]}
    answer = come(alice).post(url, sent)
    assert (
        answer.status_code == 422 and "IP address" in answer.content.decode() and "10.0.0.1" in answer.content.decode()
    )


def test_an_old_session_alone_adds_no_webhook(come, alice, web_server: WebServer):
    url, olga = f"/tournaments/{cup(alice).public_id}/webhooks/", come(alice)
    with time_machine.travel(timezone.now() + timedelta(minutes=10)):
        answer = olga.post(
            url, {"action": "add", "url": web_server.url("/in"), "format": "json", "subjects": "results"}
        )
    assert answer["Location"].startswith("/accounts/reauthenticate/") and not CompetitionHook.objects.exists()


def test_the_latest_posts_are_listed_with_their_errors(come, alice, web_server: WebServer):
    tournament = begun(alice, crowd(4), format="round-robin")
    url, olga = f"/tournaments/{tournament.public_id}/webhooks/", come(alice)
    sent = {"action": "add", "url": web_server.url("/"), "format": "json", "subjects": ["results", "pairings"]}
    olga.post(url, sent)
    play_round(tournament)
    web_server.replies = [Reply(), Reply(503, b"at sea")]
    deliver.deliver(CompetitionHook.objects.get().pk)
    page = olga.get(url).content.decode()
    assert "at sea" in page and "We’ll try again at" in page and "Harbour Cup, round 1: " in page
    assert CompetitionHook.objects.get().secret in page and Post.objects.filter(attempts=1).count() == 2


def test_others_and_helpers_without_the_right_are_refused(come, alice, bob, carol):
    tournament = cup(alice)
    url = f"/tournaments/{tournament.public_id}/webhooks/"
    Organizer.objects.create(
        tournament=tournament, user=carol, rights=["decide"], at=tournament.opened_at, accepted_at=tournament.opened_at
    )
    for eve in (bob, carol):
        for data in (
            None,
            {"action": "add", "url": "https://hooks.example.org/", "format": "json", "subjects": "results"},
        ):
            browser = come(eve)
            answer = browser.post(url, data, follow=True) if data else browser.get(url, follow=True)
            assert "Only the organizer can do this." in answer.content.decode()
    assert come().get(url).status_code == 302 and not CompetitionHook.objects.exists()
