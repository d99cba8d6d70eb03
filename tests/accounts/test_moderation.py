"""Steps of moderators: who may take which, what they forbid, the answer, the log; and what holds for new accounts."""

import hashlib
import re
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import bots
from accounts.models import Acceptance, ModerationEntry, Step, StepKind, User
from accounts.moderation import newcomers, roles, services
from accounts.services import delete_account, make_guest
from empire.web import documents
from games.errors import GameError
from games.notices.models import Notice
from tests.web.reading import without_token

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
SIGN_UP = {"username": "Carol", "email": "carol@example.org", "password1": "a quiet harbour"}
DIGESTS = {  # of the documents that people accept, by version: a new text needs a new version
    ("terms", 2): "00712c02c69d5616",
    ("conduct", 2): "aed7f80a7aee89c0",
}


@pytest.fixture
def mod(bob) -> User:
    """Bob, a moderator."""
    roles.appoint(bob, roles.MODERATORS)
    return User.objects.get(pk=bob.pk)


@pytest.fixture
def senior(db) -> User:
    user = User.objects.create(username="Selma", email="selma@example.org")
    roles.appoint(user, roles.SENIOR)
    return User.objects.get(pk=user.pk)


def take(by, user, kind="warn", days=None, reason="Be kind.", expected=None, **more) -> Step:
    expected = Step.objects.filter(user=user).count() if expected is None else expected
    return services.take(by=by, user=user, kind=kind, days=days, reason=reason, expected=expected, **more)


def refused(action, sentence: str, *args, **kwargs) -> None:
    """Check that the action is refused with this sentence."""
    with pytest.raises(GameError) as refusal:
        action(*args, **kwargs)
    assert sentence in str(refusal.value)


def browser_of(user: User) -> Client:
    """Return a browser in which the user is signed in."""
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


def again(user: User) -> User:
    return User.objects.get(pk=user.pk)


# Rights


def test_moderators_warn_and_mute_and_only_senior_ones_suspend_and_close(mod, senior, alice):
    take(mod, alice, "warn")
    take(mod, alice, "mute", 3)
    take(mod, alice, "tables", 3)
    for kind, days in (("suspend", 3), ("close", None)):
        refused(take, "You don’t have the right to do this.", mod, alice, kind, days)
        take(senior, alice, kind, days)
    assert (again(alice).is_suspended, again(alice).is_closed) == (True, True)


def test_each_step_needs_a_right_and_moderators_can_read_what_it_does():
    assert set(roles.NEEDED) == set(StepKind)
    rights = {roles.LIGHT: "light", roles.HEAVY: "heavy"}
    rows = re.findall(r"^\| (.+?) \| (light|heavy) \|", documents.source("moderation.md"), re.MULTILINE)
    assert rows == [(str(kind.label), rights[roles.NEEDED[kind]]) for kind in StepKind]


def test_people_without_rights_take_no_steps(alice, bob):
    refused(take, "You don’t have the right", alice, bob)
    assert not Step.objects.exists() and not ModerationEntry.objects.exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [({"kind": "exile"}, "Choose an action."), ({"kind": "mute"}, "Choose how long."),
     ({"kind": "mute", "days": 2}, "Choose how long."), ({"reason": " \n"}, "Enter a reason."),
     ({"reason": "x" * 1001}, "Your text is too long."), ({"expected": 1}, "Another moderator has taken action")],
)  # fmt: skip
def test_a_senseless_step_is_refused_with_a_sentence(mod, alice, changes, sentence):
    refused(take, sentence, mod, alice, **changes)
    assert not Step.objects.exists()


def test_nobody_takes_steps_against_themselves_other_moderators_or_bots(mod, senior, alice):
    refused(take, "against yourself", senior, senior)
    refused(take, "Bob is a moderator.", senior, mod)
    chief = User.objects.create(username="Chief", is_superuser=True)
    refused(take, "Chief is a moderator.", senior, chief)
    bot, _token = bots.create_bot(owner=alice, name="Robin")
    refused(take, "Take action against its owner, Alice.", senior, bot.user)
    refused(services.rename, "against yourself or another moderator", by=senior, user=mod)


def test_a_second_step_of_a_kind_must_last_longer(mod, alice):
    take(mod, alice, "mute", 7)
    refused(take, "This is already in force until", mod, alice, "mute", 3)
    take(mod, alice, "mute", 30)
    assert again(alice).muted_until > timezone.now() + timedelta(days=29)


def test_the_command_appoints_and_lists_moderators_and_takes_their_rights(alice):
    call_command("moderators", "alice", "--senior", stdout=(out := StringIO()))
    assert "Alice: Senior moderators" in out.getvalue() and again(alice).has_perm(roles.HEAVY)
    call_command("moderators", "Alice", stdout=StringIO())
    assert not again(alice).has_perm(roles.HEAVY) and again(alice).has_perm(roles.LIGHT)
    call_command("moderators", stdout=(out := StringIO()))
    assert out.getvalue() == "Alice: Moderators\n"
    call_command("moderators", "Alice", "--remove", stdout=StringIO())
    assert not again(alice).has_perm(roles.SEE)
    assert ModerationEntry.objects.filter(what="rights", who=str(alice.pk)).count() == 3
    with pytest.raises(CommandError, match="There is no player named Nobody"):
        call_command("moderators", "Nobody")


# What players read, and their answer


def test_a_player_reads_the_reason_and_answers_once(mod, alice, senior):
    step = take(mod, alice, "mute", 3, "You insulted someone.")
    assert Notice.objects.filter(user=alice, kind="moderation", lead__contains="You insulted someone.").exists()
    browser = browser_of(alice)
    assert "Read the message from the moderators" in browser.get("/lobby/").content.decode()
    page = without_token(browser.get("/accounts/moderators/"))
    assert "You insulted someone." in page and "Bob" not in page
    assert "Read the message from the moderators" not in browser.get("/lobby/").content.decode()
    for words, status in (("I am sorry.", 302), ("I am sorry.", 302), ("I am not.", 422)):
        assert browser.post("/accounts/moderators/", {"step": step.pk, "answer": words}).status_code == status
    step.refresh_from_db()
    assert (step.answer, step.read_at is None, step.heard_at) == ("I am sorry.", False, None)
    for _tap in range(2):
        services.keep(by=mod, step=step)
    refused(services.keep, "another moderator has already read it", by=senior, step=step)


def test_only_moderators_who_may_lift_a_step_decide_about_the_answer(mod, senior, alice):
    step = take(senior, alice, "suspend", 30)
    services.answer(user=alice, step=step.pk, words="That was my brother.")
    refused(services.keep, "You don’t have the right to do this.", by=mod, step=step)
    page = "/moderation/players/Alice/"
    assert "Mark as read" not in browser_of(mod).get(page).content.decode()
    assert "my brother" not in browser_of(mod).get("/moderation/").content.decode()
    assert "Mark as read" in browser_of(senior).get(page).content.decode()
    assert "my brother" in browser_of(senior).get("/moderation/").content.decode()
    services.keep(by=senior, step=step)


def test_moderators_who_may_decide_are_notified_of_an_answer_and_the_player_of_the_decision(mod, senior, alice):
    warning, mute = take(senior, alice), take(senior, alice, "mute", 3)
    ban = take(senior, alice, "suspend", 30)
    Notice.objects.all().delete()
    services.answer(user=alice, step=ban.pk, words="That was my brother.")
    assert {notice.user for notice in Notice.objects.all()} == {senior}
    for step in (warning, mute):
        services.answer(user=alice, step=step.pk, words="Sorry.")
    asked = Notice.objects.values_list("user", "title", "url")
    title = "A player has answered the moderators"
    assert set(asked) == {(mod.pk, title, "/moderation/"), (senior.pk, title, "/moderation/")}
    Notice.objects.all().delete()
    for _tap in range(2):
        services.keep(by=mod, step=mute)
    [notice] = Notice.objects.all()
    assert (notice.user, notice.lead, notice.url) == (
        alice, "No chat: the decision stays the same.", "/accounts/moderators/",
    )  # fmt: skip
    page = browser_of(alice).get("/accounts/moderators/").content.decode()
    assert page.count("A moderator has read it. The decision stays the same.") == 1
    assert page.count("No moderator has read it yet.") == 2


def test_moderators_who_have_read_all_answers_are_notified_of_the_next_one_on_the_same_day(mod, alice):
    steps = [
        take(mod, alice),
        take(mod, alice, "mute", 3),
        take(mod, alice, "tables", 3),
        take(mod, alice),
        take(mod, alice),
    ]
    asked = Notice.objects.filter(user=mod, title="A player has answered the moderators")
    for step in steps[:2]:
        services.answer(user=alice, step=step.pk, words="Sorry.")
    assert asked.count() == 1
    services.keep(by=mod, step=steps[0])
    services.lift(by=mod, step=steps[1], reason="A joke.")
    for step in steps[2:4]:
        services.answer(user=alice, step=step.pk, words="Sorry.")
    assert asked.count() == 2
    services.keep(by=mod, step=steps[2])
    services.answer(user=alice, step=steps[4].pk, words="Sorry.")
    assert asked.count() == 2  # one has been waiting all the time


def test_an_answer_to_a_step_that_was_lifted_before_is_read_without_another_notice(mod, alice):
    step = take(mod, alice, "mute", 3)
    services.lift(by=mod, step=step, reason="A joke.")
    services.answer(user=alice, step=step.pk, words="Thank you.")
    Notice.objects.all().delete()
    services.keep(by=mod, step=step)
    assert not Notice.objects.exists()
    page = browser_of(alice).get("/accounts/moderators/").content.decode()
    assert "A moderator has read it." in page and "stays the same" not in page


def test_an_answer_belongs_to_ones_own_step_and_is_not_empty(mod, alice, senior):
    step = take(mod, alice)
    refused(services.answer, "There is no such message.", user=senior, step=step.pk, words="Hm")
    refused(services.answer, "Write your answer first.", user=alice, step=step.pk, words=" ")
    refused(services.answer, "too long", user=alice, step=step.pk, words="x" * 1001)


def test_a_lifted_step_ends_at_once_and_says_why(mod, alice):
    step = take(mod, alice, "mute", 7)
    refused(services.lift, "Enter a reason.", by=mod, step=step, reason="")
    services.lift(by=mod, step=step, reason="It was a joke between friends.")
    assert again(alice).muted_until is None
    assert "It was a joke" in browser_of(alice).get("/accounts/moderators/").content.decode()
    refused(services.lift, "not in force anymore", by=mod, step=step, reason="Again")


def test_of_two_suspensions_the_rest_of_the_other_stays_when_one_is_lifted(senior, alice):
    short, long = take(senior, alice, "suspend", 3), take(senior, alice, "suspend", 30)
    services.lift(by=senior, step=long, reason="Too long.")
    assert again(alice).suspended_until == short.until


def test_a_guest_finds_the_messages_of_moderators_again_after_reading_them(mod):
    guest = make_guest()
    browser, link = browser_of(guest), 'href="/accounts/moderators/"'
    assert link not in browser.get("/accounts/preferences/").content.decode()
    take(mod, guest, "mute", 3)
    assert "Be kind." in browser.get("/accounts/moderators/").content.decode()
    assert link in browser.get("/accounts/preferences/").content.decode()


def test_a_reason_without_a_period_runs_into_no_other_sentence(mod, alice):
    take(mod, alice, "mute", 3, "Spam")
    with pytest.raises(GameError) as refusal:
        services.need_chat(again(alice))
    assert str(refusal.value).endswith("in your account. Reason: Spam")


# Suspended people


def test_a_suspended_player_reads_but_sends_nothing_and_is_told_why(senior, alice):
    browser = browser_of(alice)
    take(senior, alice, "suspend", 3, "You cheated.")
    assert browser.get("/lobby/").status_code == 200
    for address in ("/lobby/open/", "/accounts/preferences/", "/find/"):
        answer = browser.post(address, {"name": "x"})
        assert answer.status_code == 403
        page = answer.content.decode()
        assert "Your account is suspended until" in page and "You cheated." in page
    fragment = browser.post("/lobby/open/", headers={"HX-Request": "true"})
    assert fragment.status_code == 403 and fragment["Content-Type"].startswith("text/plain")
    with time_machine.travel(timezone.now() + timedelta(days=3, minutes=1)):
        assert browser.post("/accounts/preferences/", {"name": "x"}).status_code != 403


@pytest.mark.parametrize(("kind", "sentence"), [("suspend", "Your account is suspended"), ("close", "is closed")])
@pytest.mark.parametrize("need", [services.need_account, services.need_chat, services.need_tables])
def test_services_refuse_what_suspended_people_must_not_do(senior, alice, need, kind, sentence):
    """The middleware only refuses their own requests."""
    need(again(alice))
    take(senior, alice, kind, 3)
    refused(need, sentence, again(alice))
    refused(services.need_voice, sentence, again(alice), "Hello")


def test_a_suspended_player_can_answer_sign_out_take_their_data_and_leave(senior, alice):
    step = take(senior, alice, "close")
    browser = browser_of(alice)
    assert browser.post("/accounts/moderators/", {"step": step.pk, "answer": "Why?"}).status_code == 302
    for address in (reverse("own_data"), reverse("delete_account")):
        assert browser.get(address).status_code == 302  # asks to confirm who it is
        assert browser.post(address).status_code != 403
    assert browser.post(reverse("account_logout")).status_code == 302


def test_signing_in_shows_suspended_people_the_message(senior, alice):
    take(senior, alice, "suspend", 3)
    browser = Client()
    answer = browser.post("/accounts/login/", {"login": alice.email, "password": "a quiet harbour"})
    assert answer["Location"] == "/accounts/moderators/"


def test_tokens_of_bots_rest_with_their_owner(senior, alice):
    _bot, token = bots.create_bot(owner=alice, name="Robin")
    assert bots.by_token(token) is not None
    take(senior, alice, "suspend", 3)
    assert bots.by_token(token) is None


def test_a_replaced_name_is_free_to_be_changed_again(mod, alice):
    services.rename(by=mod, user=alice)
    person = again(alice)
    assert re.fullmatch(r"Player \w+ \d+", person.username)
    person.full_clean()
    User.objects.filter(pk=alice.pk).update(language="de")
    services.rename(by=mod, user=again(alice))
    assert again(alice).username.startswith("Spieler "), "in the language of the player"
    bot, _token = bots.create_bot(owner=alice, name="Robin")
    services.rename(by=mod, user=bot.user)
    assert again(bot.user).username.endswith(" Bot")


# The log


def test_everything_is_in_the_log_which_outlives_the_account_without_its_name(mod, senior, alice):
    step = take(mod, alice, "mute", 3, "Be kind.")
    services.answer(user=alice, step=step.pk, words="I am sorry.")
    services.keep(by=senior, step=step)
    services.lift(by=mod, step=step, reason="Enough.")
    delete_account(again(alice))
    kept = list(ModerationEntry.objects.exclude(what="rights").order_by("pk").values_list("what", "by", "who", "step"))
    me, her, him = str(mod.pk), str(senior.pk), str(alice.pk)
    assert [row[:3] for row in kept] == [
        ("step", me, him), ("answered", him, him), ("kept", her, him), ("lifted", me, him)
    ]  # fmt: skip
    assert not Step.objects.exists() and "sorry" not in str(list(ModerationEntry.objects.values()))


# Signing up


def test_the_terms_and_the_rules_are_accepted_with_their_versions(client):
    refusal = client.post("/accounts/signup/", SIGN_UP).content.decode()
    assert "Accept the terms and the rules of conduct to sign up." in refusal and not User.objects.exists()
    client.post("/accounts/signup/", {**SIGN_UP, "accepts": "1", "is_under_16": "1"})
    carol = User.objects.get(username="Carol")
    assert carol.is_under_16
    assert dict(Acceptance.objects.filter(user=carol).values_list("document", "version")) == documents.VERSIONS
    assert "You accepted version 2 of the rules of conduct" in client.get("/accounts/moderators/").content.decode()


def test_a_changed_document_needs_a_new_version():
    for name, version in documents.VERSIONS.items():
        assert hashlib.sha256(documents.source(f"{name}.md").encode()).hexdigest()[:16] == DIGESTS[name, version], (
            f"docs/{name}.md has changed: raise its version in empire/web/documents.py, and add its digest here"
        )


def test_the_pages_are_public_and_name_the_settings_of_this_site(client, settings):
    settings.NEW_ACCOUNT_DAYS = 1
    conduct = client.get("/conduct/").content.decode()
    assert "During its first 1 day, an account" in conduct and "NEW_ACCOUNT" not in conduct
    assert "<h1>Terms of use</h1>" in client.get("/terms/").content.decode()


# New accounts


@pytest.mark.parametrize(
    "text",
    ["see https://evil.example/x", "HTTP : //evil.example", "www.evil.example", "go to evil.com now", "evil(dot)com",
     "evil . com", "evil。com", "discord.gg/abc",
     "bit.ly/x", "evil.so/x", "evil\u200b.com", "a.b.evil.co.uk", "ev-il.shop!",
     "x.com/testserver", "evil  .  com", "evil\n.com", "evil. com", "evil dot com", "evil·com", "evil․com", "evil．com",
     "hxxps://evil", "xn--80ak6aa92e.com", "сайт.рф", "go to xn--e1afmkfd.xn--p1ai", "1.2.3.4", "evil [ . ] shop",
     "evil punto com", "ｅｖｉｌ.ｃｏｍ", "evil.co", "[evil](https://evil.example)"],
)  # fmt: skip
def test_a_link_is_found_however_it_is_written(text):
    assert newcomers.has_link(text)


@pytest.mark.parametrize(
    "text",
    ["Well played.Me too", "I'll be back at 3.30", "e.g. the forest elf", "fine.it was close", "v2.0 is out",
     "1.5 coins", "Hm...so what", "http is hard", "look at testserver/games/abc/", "http://testserver/rules/",
     "dot com", "It is on http://testserver.", "Merci. De rien.", "Nice. Top game!", "I lost. Live and learn",
     "Gracias. De nada", "Ok. Pro tip", "Gut. Des Weiteren", "3.14", "Привет.Как дела"],
)  # fmt: skip
def test_ordinary_sentences_and_links_to_this_site_are_no_links(text):
    assert not newcomers.has_link(text)


def test_a_link_that_only_begins_like_this_site_is_one():
    for text in (
        "http://testserver.evil.com/",
        "http://testserver@evil.com",
        "http://testserver.ru/",
        "http://testserver:8080/",
        "http://testserver@evil/",
        "http://evil-testserver/",
        "x.com/testserver",
    ):
        assert newcomers.has_link(text), text


def test_accounts_are_new_for_some_days_and_guests_always(settings, alice):
    settings.NEW_ACCOUNT_DAYS = 3
    guest = User(is_guest=True, date_joined=timezone.now() - timedelta(days=100))
    assert newcomers.is_new(alice) and newcomers.is_new(guest)
    alice.date_joined -= timedelta(days=4)
    assert not newcomers.is_new(alice)
    settings.NEW_ACCOUNT_DAYS = 0
    assert not newcomers.is_new(guest)
