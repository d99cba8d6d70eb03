"""The page on which organizers write, and what readers see of it."""

import pytest
import time_machine

from games.contests.models import Announcement, Organizer
from games.contests.organizers import organizers_page
from games.notices.models import Notice
from tests.contests.cups import cup
from tests.contests.leagues import MONDAY, league_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


def text_of(browser, url: str) -> str:
    return browser.get(url).content.decode()


def agree(browser, url: str, question: str = ""):
    """Accept the question on the page, or one read earlier."""
    question = question or browser.get(url).context["question"]
    return browser.post(url, {"action": "accept", "question": question}, follow=True)


def test_a_rules_text_is_previewed_saved_and_shown_to_everyone_without_images(come, alice, bob):
    league = league_of(bob, organizer=alice)
    typed = "## Disputes\n\nAsk **me**. ![x](https://evil.example/x.png)"
    preview = come(alice).post("/leagues/harbour/words/", {"action": "look", "text": typed}).content.decode()
    assert "<h4>Disputes</h4>" in preview and "Ask **me**" in preview
    league.refresh_from_db()
    assert league.rules_text == ""
    come(alice).post("/leagues/harbour/words/", {"action": "rules", "text": typed})
    page = text_of(come(), "/leagues/harbour/")
    assert "<h4>Disputes</h4>" in page and "<strong>me</strong>" in page and 'src="https://evil' not in page


def test_an_announcement_is_on_the_page_and_a_refused_one_keeps_what_was_typed(come, alice, bob):
    tournament = cup(alice, [bob])
    url = f"/tournaments/{tournament.public_id}/words/"
    for text in ("First <b>news</b>", "Second"):
        come(alice).post(url, {"action": "announce", "text": text})
    assert "First &lt;b&gt;news&lt;/b&gt;" in text_of(come(), tournament.get_absolute_url())
    refused = come(alice).post(url, {"action": "announce", "text": "Third, typed at length"})
    assert refused.status_code == 422 and "Third, typed at length" in refused.content.decode()
    assert "24 hours" in refused.content.decode() and Announcement.objects.count() == 2


def test_others_are_told_only_that_they_do_not_organize(come, alice, bob):
    league_of(bob, organizer=alice)
    for data in (None, {"action": "announce", "text": "Spam"}, {"action": "rules", "text": "Mine now"}):
        browser = come(bob)
        answer = browser.post("/leagues/harbour/words/", data, follow=True) if data else browser.get(
            "/leagues/harbour/words/", follow=True
        )  # fmt: skip
        assert "Only the organizer can do this." in answer.content.decode()
    assert not Announcement.objects.exists()


def test_a_question_to_help_is_answered_on_its_page_and_then_the_buttons_appear(come, alice, bob, carol):
    league_of(carol, organizer=alice)
    url = "/leagues/harbour/organizers/"
    assert "We have asked Bob" in come(alice).post(
        url, {"action": "help", "name": "Bob", "rights": ["settings"]}, follow=True
    ).content.decode()  # fmt: skip
    assert "You have been asked to organize" in text_of(come(bob), "/leagues/harbour/")
    assert "Do you want to help?" in text_of(come(bob), url) and "Hand over" not in text_of(come(bob), url)
    assert "with Bob" not in text_of(come(), "/leagues/harbour/")
    agree(come(bob), url)
    page = text_of(come(bob), "/leagues/harbour/")
    assert "with Bob" in page and "Edit league settings" in page
    assert "Manage season" not in page and "Close league" not in page
    for _tap in range(2):
        page = come(bob).post(url, {"action": "withdraw", "user": bob.pk}, follow=True).content.decode()
        assert "Only the organizer can do this." not in page
    assert "with Bob" not in text_of(come(), "/leagues/harbour/")


def test_an_organizer_who_ends_the_rights_of_someone_is_reminded_that_they_may_know_the_invitation_link(
    come, alice, bob
):
    tournament = cup(alice, invite_only=True)
    url = f"/tournaments/{tournament.public_id}/organizers/"
    come(alice).post(url, {"action": "help", "name": "Bob", "rights": ["settings"]})
    agree(come(bob), url)
    come(bob).get(tournament.get_absolute_url())  # reads his message
    answer = come(alice).post(url, {"action": "withdraw", "user": bob.pk}, follow=True).content.decode()
    assert "They may know the invitation link." in answer
    gate = come(bob).get(f"/tournaments/{tournament.public_id}/gate/", follow=True).content.decode()
    assert tournament.invite_token not in gate and "Only the organizer can do this." in gate


def test_a_tournament_is_handed_over_on_its_page_and_others_see_no_team(come, alice, bob, carol):
    tournament = cup(alice, [carol])
    url = f"/tournaments/{tournament.public_id}/organizers/"
    come(alice).post(url, {"action": "offer", "name": "Bob"})
    for action in ({}, {"action": "accept"}, {"action": "offer", "name": "Carol"}):
        answer = come(carol).post(url, action, follow=True).content.decode()
        assert "Only the organizer can do this." in answer
    agree(come(bob), url)
    tournament.refresh_from_db()
    assert tournament.organizer == bob
    refused = come(bob).post(url, {"action": "help", "name": "Nobody", "rights": ["decide"]})
    assert refused.status_code == 422 and 'value="Nobody"' in refused.content.decode()


@pytest.mark.parametrize("make", [lambda alice: league_of(organizer=alice), cup])
@pytest.mark.parametrize("question", [{"action": "help", "rights": ["decide"]}, {"action": "offer"}])
def test_notices_about_organizing_lead_to_pages_that_exist(come, alice, bob, make, question):
    competition = make(alice)
    come(alice).post(organizers_page(competition), {"name": "Bob", **question})
    asked = Notice.objects.get(user=bob)
    assert b'value="accept"' in come(bob).get(asked.url).content
    agree(come(bob), asked.url)
    told = Notice.objects.filter(user=alice)
    assert len(told) == (question["action"] == "offer")
    assert all(come(alice).get(notice.url).status_code == 200 for notice in told)


def test_someone_who_agreed_to_help_on_an_old_page_is_not_made_the_organizer(come, alice, bob):
    tournament = cup(alice)
    url = f"/tournaments/{tournament.public_id}/organizers/"
    come(alice).post(url, {"action": "help", "name": "Bob", "rights": ["announce"]})
    question = come(bob).get(url).context["question"]
    for change in ({"action": "offer", "name": "Bob"}, {"action": "help", "name": "Bob", "rights": ["decide"]}):
        come(alice).post(url, change)
        for answered in (question, " "):
            assert "The request has changed" in agree(come(bob), url, answered).content.decode()
    tournament.refresh_from_db()
    assert tournament.organizer == alice and not Organizer.objects.exclude(accepted_at=None).exists()
    agree(come(bob), url)
    tournament.refresh_from_db()
    assert tournament.organizer == bob


def test_only_site_staff_read_that_their_reason_is_required(come, alice, bob):
    url = organizers_page(cup(alice))
    type(bob).objects.filter(pk=bob.pk).update(is_staff=True, is_superuser=True)
    for reader, is_told in ((alice, False), (bob, True)):
        page = text_of(come(reader), url)
        assert "Everyone can read it once the new organizer has accepted." in page
        assert ("Required for site staff." in page) is is_told


def test_new_accounts_read_where_the_form_would_be_that_they_cannot_ask_yet(come, alice, bob, settings):
    competition = cup(alice)
    url, refusal = organizers_page(competition), "New accounts can’t ask others to organize."
    come(alice).post(url, {"action": "help", "name": "Bob", "rights": ["decide"]})
    settings.NEW_ACCOUNT_DAYS = 3
    # They can still change the rights of people who were asked
    page = text_of(come(alice), url)
    assert page.count(refusal) == 1 and 'value="help"' in page and 'value="offer"' in page
    come(alice).post(url, {"action": "withdraw", "user": bob.pk})
    page = text_of(come(alice), url)
    assert page.count(refusal) == 1 and 'value="help"' not in page and 'value="offer"' not in page
    answer = come(alice).post(url, {"action": "help", "name": "Bob", "rights": ["decide"]})
    assert answer.status_code == 422 and refusal in answer.content.decode()
