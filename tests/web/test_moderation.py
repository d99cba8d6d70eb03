"""Reports with what was there to see, the pages of moderators, stand-ins for suspended players, and shared networks."""

import json
from datetime import timedelta

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Permission
from django.utils import timezone

from accounts.models import BotAccount, ModerationEntry, User
from accounts.moderation import roles
from accounts.moderation import services as moderation
from accounts.services import bring_games, delete_account, make_guest
from games.contests import interventions as organizing
from games.contests.duplicates import services as duplicates
from games.contests.ladders import services as challenges
from games.contests.leagues import services as seasons
from games.contests.models import Entrant, Intervention, Team, Tournament
from games.contests.organizing import co_organizers
from games.contests.teams import services as teams
from games.contests.tournaments import arenas
from games.contests.tournaments import services as tournaments
from games.errors import GameError, NotFound
from games.notices.models import Notice
from games.staff.moderation import selectors
from games.staff.moderation import services as decisions
from games.tables.models import Entry, Game, Handover, Message, Replacement, Report, Seat
from games.tables.services import blocking, bots, chat, friends, handover, lobby, reports, suspensions
from games.tables.services.handover import sweep_handovers
from tests.cast import again, in_turns, person, play_out, seats_of, table_of
from tests.contests import cups, team_leagues
from tests.contests.ladders import ladder_of
from tests.contests.leagues import league_of
from tests.web.reading import alert, text, without_token

pytestmark = pytest.mark.django_db
SECRETS = {"ruleset": "kingdoms", "options": {"collusion": True}}


@pytest.fixture
def selma(db) -> User:
    """A senior moderator."""
    user = person("Selma")
    roles.appoint(user, roles.SENIOR)
    return User.objects.get(pk=user.pk)


def say(game, user, words, to=None) -> Message:
    return chat.say(public_id=game.public_id, user=user, text=words, to=to)


def lines(report) -> list[str]:
    return [line["text"] for line in report.context["lines"]]


def step(by, user, kind="suspend", days=3, reason="You cheated."):
    return moderation.take(by=by, user=user, kind=kind, days=days, reason=reason, expected=user.steps.count())


def sweep() -> int:
    sweep_handovers(timezone.now())
    return suspensions.sweep_suspended(timezone.now())


def refused(action, sentence: str, **arguments) -> None:
    with pytest.raises(GameError) as refusal:
        action(**arguments)
    assert sentence in str(refusal.value)


# Reports


def test_a_report_keeps_what_was_said_around_it_even_if_it_changes_later(alice, bob):
    game = table_of(alice, bob)
    messages = [say(game, alice if n % 2 else bob, f"line {n}") for n in range(5)]
    report = reports.report_message(message=messages[3].pk, user=bob, reason="abuse")
    Message.objects.all().update(text="edited")
    alice.username = "Angel"
    alice.save()
    report.refresh_from_db()
    assert lines(report) == [f"line {n}" for n in range(5)]
    assert [line["is_it"] for line in report.context["lines"]] == [False, False, False, True, False]
    assert report.context["name"] == "Alice" and report.context["table"]["id"] == game.public_id


def test_a_report_shows_moderators_only_what_its_reporter_could_read(alice, bob, carol, eve):
    game = table_of(alice, bob, carol, **SECRETS)
    say(game, alice, "for all")
    say(game, alice, "for Bob", to=1)
    say(game, alice, "for Carol", to=2)
    say(game, carol, "from Carol to Bob", to=1)
    say(game, eve, "from the gallery")
    public = reports.report_message(message=say(game, alice, "rude").pk, user=bob, reason="abuse")
    private = reports.report_message(message=say(game, alice, "whispered", to=1).pk, user=bob, reason="abuse")
    table = reports.report_at_table(public_id=game.public_id, user=bob, reason="spam")
    assert lines(public) == lines(table) == ["for all", "rude"]
    assert lines(private) == ["for Bob", "whispered"]
    watched = reports.report_at_table(public_id=game.public_id, user=eve, reason="spam")
    assert lines(watched) == ["from the gallery"]
    say(game, carol, "said later")
    say(game, alice, "whispered later", to=1)
    assert [message.text for message in selectors.later_messages(public)] == ["said later"]
    assert selectors.later_messages(private) == []


def test_a_report_holds_no_hidden_information_of_the_game(alice, bob):
    game = table_of(alice, bob, ruleset="kingdoms")
    report = reports.report_at_table(public_id=game.public_id, user=alice, reason="spam")
    assert set(report.context["table"]) == {
        "id", "ruleset", "status", "entry", "clock", "is_listed", "counts", "players"
    }  # fmt: skip
    assert {key for player in report.context["table"]["players"] for key in player} == {"who", "seat", "name"}


def test_names_and_players_are_reported_on_their_page(come, alice, bob):
    page = come(alice).get("/players/Bob/")
    assert "/players/Bob/report/" in text(page)
    for about, reason in (("name", "posing"), ("player", "delay")):
        sent = {"about": about, "reason": reason, "words": "Look at the last game."}
        for _tap in range(2):
            assert come(alice).post("/players/Bob/report/", sent).status_code == 302
        sent["words"] = "Look at all of them."
        assert "You have already reported this." in text(come(alice).post("/players/Bob/report/", sent))
    assert set(Report.objects.values_list("subject", "reason", "player")) == {
        ("name", "posing", bob.pk), ("player", "delay", bob.pk)
    }  # fmt: skip
    for sent in ({}, {"about": "name", "reason": "engine"}, {"about": "table", "reason": "spam"}):
        assert come(alice).post("/players/Bob/report/", sent).status_code == 422
    assert come().get("/players/Bob/report/").status_code == 302
    assert come(alice).get("/players/Nobody/report/").status_code == 404


def test_nobody_reports_themselves(come, alice):
    assert "There is nothing for you to report here." in text(come(alice).get("/players/Alice/report/"))
    assert come(alice).post("/players/Alice/report/", {"about": "name", "reason": "spam"}).status_code == 422
    refused(
        reports.report_person, "You can’t report yourself.", name="alice", user=alice, subject="name", reason="spam"
    )


def test_one_person_has_a_limited_number_of_open_reports(monkeypatch, alice, bob, carol):
    monkeypatch.setattr(reports, "MOST_OPEN", 1)
    fields = {"user": alice, "subject": "name", "reason": "spam"}
    reports.report_person(name="Bob", **fields)
    refused(reports.report_person, "You have 1 report that nobody has looked at yet.", name="Carol", **fields)
    Report.objects.update(settled_at=timezone.now())
    reports.report_person(name="Carol", **fields)
    reports.settle(report=Report.objects.get(player=carol), by=bob)
    reports.report_person(name="Bob", **fields)  # again, once it was settled


def test_a_guest_who_signs_in_reports_nobody_twice_and_never_themselves(alice, bob):
    guest = make_guest()
    for user in (guest, alice):
        reports.report_person(name="Bob", user=user, subject="name", reason="spam")
    reports.report_person(name="Alice", user=guest, subject="name", reason="spam")
    bring_games(guest=guest, user=alice)
    assert Report.objects.filter(reporter=alice).count() == 1
    assert not Report.objects.filter(reporter=alice, player=alice).exists()


def test_old_reports_are_deleted_after_they_were_settled(alice, bob, settings):
    reports.report_person(name="Bob", user=alice, subject="name", reason="spam")
    later = timezone.now() + timedelta(days=settings.KEEP_REPORTS + 1)
    assert reports.sweep_reports(later) == 0
    Report.objects.update(settled_at=timezone.now())
    assert reports.sweep_reports(later) == 1


# The pages of moderators


def test_only_moderators_find_their_pages(come, alice, bob, selma):
    reports.report_person(name="Bob", user=alice, subject="name", reason="spam")
    report = Report.objects.get()
    roles.appoint(alice, roles.MODERATORS)
    for address in ("", f"reports/{report.pk}/", "players/Bob/", "networks/", "log/"):
        url = f"/moderation/{address}"
        assert come().get(url).status_code == 302
        assert come(bob).get(url).status_code == come(bob).post(url).status_code in (404, 405)
        assert come(selma).get(url).status_code == 200
    assert come(alice).get("/moderation/log/").status_code == 404
    settings = "/accounts/preferences/"
    assert "/moderation/" in text(come(alice).get(settings)) and "/moderation/" not in text(come(bob).get(settings))


def test_a_report_goes_from_the_chat_to_a_step_and_everyone_is_told(come, alice, bob, selma):
    game = table_of(alice, bob)
    rude = say(game, alice, "You play like a stump")
    come(bob).post(f"{game.get_absolute_url()}chat/{rude.pk}/report", {"reason": "abuse"})
    reports.report_person(name="Alice", user=bob, subject="name", reason="spam")
    report = Report.objects.get(subject="message")
    moderator = come(selma)
    assert f"/moderation/reports/{report.pk}/" in text(moderator.get("/moderation/"))
    page = text(moderator.get(f"/moderation/reports/{report.pk}/"))
    assert "You play like a stump" in page and "Insults, threats or hate" in page
    assert moderator.post(f"/moderation/reports/{report.pk}/", {"do": "step"}).status_code == 422
    sent = {"do": "step", "kind": "mute", "days": "3", "reason": "Be kind.", "expected": "0", "settles_all": "1"}
    for _tap in range(2):
        assert moderator.post(f"/moderation/reports/{report.pk}/", sent).status_code == 302
    assert Report.objects.filter(settled_at=None).count() == 0
    report.refresh_from_db()
    assert (report.step, report.settled_by) == (alice.steps.get(), selma)
    notices = dict(Notice.objects.filter(kind="moderation").values_list("user__username", "lead"))
    assert "Be kind." in notices["Alice"] and "took action" in notices["Bob"]
    refusal = alert(come(alice).post(f"{game.get_absolute_url()}chat/say", {"text": "Why?"}))
    assert refusal.startswith("You can’t write in chats until") and "Reason: Be kind." in refusal
    assert "Bob" not in without_token(come(alice).get("/accounts/moderators/"))
    assert "took action" in text(moderator.get("/moderation/log/"))


def test_moderators_are_notified_of_new_reports_once_a_day_while_reports_are_waiting(
    come, alice, bob, carol, dan, selma
):
    for user in (alice, carol):
        reports.report_person(name="Bob", user=user, subject="name", reason="spam")
    told = (selma.pk, "There are new reports", "/moderation/")
    asked = Notice.objects.filter(title="There are new reports").values_list("user", "title", "url")
    assert list(asked.all()) == [told]
    for report in Report.objects.all():
        assert come(selma).post(f"/moderation/reports/{report.pk}/", {"do": "dismiss"}).status_code == 302
    reports.report_person(name="Alice", user=carol, subject="name", reason="spam")
    assert list(asked.all()) == [told] * 2
    oldest = Report.objects.get(settled_at=None)
    reports.report_person(name="Alice", user=bob, subject="name", reason="spam")
    decisions.dismiss(report=oldest, by=User.objects.get(pk=selma.pk))
    reports.report_person(name="Bob", user=carol, subject="player", reason="delay")
    assert list(asked.all()) == [told] * 2  # one has been waiting all the time
    with time_machine.travel(timezone.now() + timedelta(days=1)):
        for user in (alice, carol):
            reports.report_person(name="Dan", user=user, subject="player", reason="delay")
    assert list(asked.all()) == [told] * 3


def test_the_log_is_filtered_by_moderator_player_and_kind_and_has_pages(monkeypatch, come, alice, bob, selma):
    carol = person("Carol")
    roles.appoint(carol, roles.MODERATORS)
    step(selma, alice, "mute", reason="Rude to Bob.")
    step(User.objects.get(pk=carol.pk), alice, "warn", None, "Slow.")
    warning = step(selma, bob, "warn", None, "Spam.")
    moderation.answer(user=bob, step=warning.pk, words="No.")

    def shown(**query: str) -> list[str]:
        page = come(selma).get("/moderation/log/", query)
        return [line.entry.words or line.entry.what for line in page.context["lines"]]

    assert shown(by=str(carol.pk)) == ["Warning: Slow."]
    assert len(shown(by="operator")) == 2 and len(shown(who="aLICE")) == 2 and len(shown(what="step")) == 3
    assert shown(by=str(selma.pk), what="step.warn") == ["Warning: Spam."] and shown(what="answered") == ["answered"]
    for query in ({"by": "9999"}, {"what": "dance"}, {"who": "Nobody"}, {"by": str(bob.pk)}):
        answer = come(selma).get("/moderation/log/", query)
        assert answer.status_code == 422 and "Spam." not in text(answer)
    monkeypatch.setattr(selectors, "SHOWN", 1)
    page = text(come(selma).get("/moderation/log/?who=Alice&page=2"))
    assert "Rude to Bob." in page and "Slow." not in page and "?who=Alice&amp;page=1" in page
    assert "/moderation/players/Alice/" in page
    assert "/moderation/log/?who=Alice" in text(come(selma).get("/moderation/players/Alice/"))
    assert "/moderation/log/" not in text(come(carol).get("/moderation/players/Alice/"))


def test_the_queue_has_pages_and_counts_only_what_its_reader_may_read(monkeypatch, come, selma, alice, bob):
    monkeypatch.setattr(selectors, "SHOWN", 2)
    for name, subject in (("Selma", "name"), ("Selma", "player"), ("Bob", "name"), ("Bob", "player")):
        reports.report_person(name=name, user=alice, subject=subject, reason="abuse")
    reports.report_person(name="Alice", user=bob, subject="name", reason="abuse")
    first = come(selma).get("/moderation/")
    assert [report.key for report in first.context["reports"]] == [f"name.{bob.pk}", f"player.{bob.pk}"]
    following = f"/moderation/?after={first.context['after']}"
    assert following.removeprefix("/moderation/") in text(first)
    last = come(selma).get(following)
    assert [report.key for report in last.context["reports"]] == [f"name.{alice.pk}"] and last.context["after"] is None


def test_moderators_find_a_player_by_name_or_by_the_name_of_a_bot(come, alice, bob, selma):
    bot = User.objects.create(username="Robin Bot", is_bot=True)
    BotAccount.objects.create(user=bot, owner=bob)
    moderator = come(selma)
    for name, found in ((" aLICE", "Alice"), ("robin bot", "Bob")):
        answer = moderator.get("/moderation/", {"name": name})
        assert answer.status_code == 302 and answer.url == f"/moderation/players/{found}/"
    page = moderator.get("/moderation/", {"name": "Nobody <x>"}).content.decode()
    assert "There is no player with this name." in page and 'value="Nobody &lt;x&gt;"' in page
    assert come(alice).get("/moderation/", {"name": "Bob"}).status_code == 404


def test_two_moderators_do_not_settle_one_report(come, alice, bob, carol, selma):
    report = reports.report_person(name="Bob", user=alice, subject="player", reason="delay")
    roles.appoint(carol, roles.MODERATORS)
    for _tap in range(2):
        assert come(carol).post(f"/moderation/reports/{report.pk}/", {"do": "dismiss"}).status_code == 302
    lead = Notice.objects.get(user=alice).lead
    assert "found nothing that breaks the rules" in lead
    answer = come(selma).post(f"/moderation/reports/{report.pk}/", {"do": "dismiss"})
    assert answer.status_code == 422 and "Another moderator has already settled this report." in text(answer)
    sent = {"do": "step", "kind": "warn", "reason": "Be quick.", "expected": "0"}
    answer = come(selma).post(f"/moderation/reports/{report.pk}/", sent)
    assert "Another moderator has already settled" in text(answer) and not bob.steps.exists()


def test_a_moderator_takes_a_report_and_others_see_that_but_can_act(come, alice, bob, carol, selma):
    report = reports.report_person(name="Bob", user=alice, subject="player", reason="delay")
    roles.appoint(carol, roles.MODERATORS)
    url, carol = reports_page(report), User.objects.get(pk=carol.pk)
    with time_machine.travel(timezone.now(), tick=False) as traveller:
        for _tap in range(2):
            assert come(selma).post(url, {"do": "claim"}).status_code == 302
        assert "yours since" in text(come(selma).get("/moderation/"))
        assert "taken by Selma" in text(come(carol).get("/moderation/"))
        page = text(come(carol).get(url))
        assert "Selma has had this report since" in page and "Take over this report" in page
        answer = come(carol).post(url, {"do": "claim"})  # from a page that was shown before
        assert answer.status_code == 422 and "Selma has just taken this report." in text(answer)
        assert come(carol).post(url, {"do": "claim", "holder": str(selma.pk)}).status_code == 302
        come(selma).post(url, {"do": "release"})  # it is not hers anymore
        assert Report.objects.get().claimed_by == carol
        come(carol).post(url, {"do": "release"})
        assert "Take this report" in text(come(selma).get(url))
        come(carol).post(url, {"do": "claim"})
        traveller.shift(timedelta(hours=12, minutes=1))
        assert "taken by" not in text(come(selma).get("/moderation/"))
        assert come(selma).post(url, {"do": "claim"}).status_code == 302
    assert come(carol).post(url, {"do": "dismiss"}).status_code == 302  # although Selma has it
    report.refresh_from_db()
    assert (report.settled_by, report.claimed_by, report.claimed_at) == (carol, None, None)
    refused(decisions.claim, "already settled", report=report, by=selma)
    own = reports.report_person(name="Bob", user=selma, subject="name", reason="spam")
    about = reports.report_person(name="Selma", user=bob, subject="name", reason="spam")
    refused(decisions.claim, "You wrote this report.", report=own, by=selma)
    refused(decisions.claim, "This report is about you", report=about, by=selma)


def test_a_step_settles_other_reports_only_if_the_moderator_chooses_that(come, alice, bob, carol, dan, selma):
    first, second, third = (
        reports.report_person(name="Bob", user=user, subject="player", reason="delay") for user in (alice, carol, dan)
    )
    reports.report_person(name="Bob", user=selma, subject="player", reason="delay")  # she can't settle it
    url, sent = reports_page(first), {"do": "step", "kind": "warn", "reason": "Be quick.", "expected": "0"}
    page = come(selma).get(url)
    assert "Also settle 2 other open reports about this player" in text(page)
    assert "checked" not in str(page.context["form"]["settles_all"])
    assert come(selma).post(url, sent).status_code == 302
    assert set(Report.objects.filter(settled_at=None, reporter__in=[alice, carol, dan])) == {second, third}
    roles.appoint(carol, roles.MODERATORS)
    decisions.claim(report=third, by=User.objects.get(pk=carol.pk))
    assert "Also settle 1 other open report about" in text(come(selma).get("/moderation/players/Bob/"))
    page = come(selma).get(reports_page(second))
    assert "Also settle" not in text(page)  # Carol has the other one
    decisions.release(report=third, by=User.objects.get(pk=carol.pk))
    sent |= {"settles_all": "on", "expected": "1", "last_report": str(third.pk)}
    assert come(selma).post(reports_page(second), sent).status_code == 302
    assert set(Report.objects.filter(settled_at=None).values_list("reporter", flat=True)) == {selma.pk}


def test_action_against_a_player_settles_the_report_of_their_table(come, alice, bob, carol, dan, selma):
    game = table_of(alice, bob, carol)
    report = reports.report_at_table(public_id=game.public_id, user=carol, reason="together")
    moderator = come(selma)
    url = f"/moderation/players/Bob/?report={report.pk}"
    assert url in text(moderator.get(reports_page(report)))
    assert "This also settles the report" in text(moderator.get(url))
    for other in ("Carol", "Dan"):  # who reported the table, and who does not play there
        assert f"/moderation/players/{other}/?report=" not in text(moderator.get(reports_page(report)))
        assert "This also settles" not in text(moderator.get(f"/moderation/players/{other}/?report={report.pk}"))
    sent = {"do": "step", "kind": "warn", "reason": "You helped Alice win.", "expected": "0"}
    assert moderator.post(f"/moderation/players/Dan/?report={report.pk}", sent).status_code == 302
    report.refresh_from_db()
    assert report.settled_at is None
    assert moderator.post(url, sent).status_code == 302
    report.refresh_from_db()
    assert report.step == bob.steps.get()
    assert Notice.objects.get(user=carol, kind="moderation").lead.startswith("A moderator looked at it and took action")
    page = text(moderator.get(reports_page(report)))
    assert "/moderation/players/Alice/" in page and "?report=" not in page
    own = reports.report_at_table(public_id=game.public_id, user=selma, reason="together")
    assert "?report=" not in text(moderator.get(reports_page(own)))
    moderator.post(f"/moderation/players/Alice/?report={own.pk}", sent)
    assert Report.objects.get(pk=own.pk).settled_at is None and alice.steps.exists()


def test_the_report_of_a_table_leads_to_the_owner_of_an_outside_bot(come, alice, bob, carol, selma):
    bot = User.objects.create(username="Robin Bot", is_bot=True)
    BotAccount.objects.create(user=bot, owner=bob)
    game = table_of(alice, bot, carol, admits_bots=True)
    report = reports.report_at_table(public_id=game.public_id, user=carol, reason="together")
    url = f"/moderation/players/Bob/?report={report.pk}"
    page = text(come(selma).get(reports_page(report)))
    assert url in page and "/moderation/players/Robin" not in page
    assert "This also settles the report" in text(come(selma).get(url))
    own = reports.report_at_table(public_id=game.public_id, user=bob, reason="together")
    assert "/moderation/players/Bob/?report=" not in text(come(selma).get(reports_page(own)))


def test_the_report_of_a_table_leads_to_the_account_of_a_guest_who_has_signed_in(come, alice, carol, dan, selma):
    guest = make_guest()
    report = reports.report_at_table(public_id=table_of(alice, guest, carol).public_id, user=carol, reason="together")
    bring_games(guest=guest, user=dan)
    assert f"/moderation/players/Dan/?report={report.pk}" in text(come(selma).get(reports_page(report)))


def test_deleting_an_account_removes_from_reports_what_it_wrote_as_a_guest(alice, carol, dan):
    guest = make_guest()
    game = table_of(alice, guest, carol)
    report = reports.report_message(message=say(game, guest, "You play like a stump").pk, user=carol, reason="abuse")
    bring_games(guest=guest, user=dan)
    delete_account(User.objects.get(pk=dan.pk))
    report.refresh_from_db()
    assert "stump" not in str(report.context) and guest.username not in str(report.context)


def test_a_report_that_arrives_while_a_moderator_writes_stays_open(come, alice, bob, carol, dan, selma):
    seen = [reports.report_person(name="Bob", user=user, subject="player", reason="delay") for user in (alice, carol)]
    form = come(selma).get(reports_page(seen[0])).context["form"]
    threat = reports.report_person(name="Bob", user=dan, subject="player", reason="abuse")
    sent = {name: form[name].value() for name in ("expected", "last_report")}
    sent |= {"do": "step", "kind": "warn", "reason": "Be quick.", "settles_all": "on"}
    assert come(selma).post(reports_page(seen[0]), sent).status_code == 302
    assert list(Report.objects.filter(settled_at=None)) == [threat]
    answer = come(selma).post("/moderation/players/Bob/", sent | {"kind": "mute"})  # is stale
    sent |= {name: answer.context["form"][name].value() for name in ("expected", "last_report")}
    assert come(selma).post("/moderation/players/Bob/", sent | {"kind": "mute", "days": "1"}).status_code == 302
    assert not Report.objects.filter(settled_at=None).exists()


def test_a_moderator_keeps_what_was_typed_when_another_was_quicker(come, alice, bob, carol, selma):
    report = reports.report_person(name="Bob", user=alice, subject="player", reason="delay")
    roles.appoint(carol, roles.MODERATORS)
    step(carol, bob, "warn")
    sent = {"do": "step", "kind": "suspend", "days": "7", "reason": "You stalled.", "expected": "0"}
    for page in (reports_page(report), "/moderation/players/Bob/"):
        answer = come(selma).post(page, sent)
        assert "Another moderator has taken action in the meantime." in alert(answer)
        form = answer.context["form"]
        assert (form["reason"].value(), form["expected"].value()) == ("You stalled.", "1")  # so it can be sent again
    decisions.dismiss(report=report, by=User.objects.get(pk=carol.pk))
    answer = come(selma).post(reports_page(report), sent | {"expected": "1"})
    assert "already settled" in alert(answer) and "You stalled." in text(answer)
    assert 'action="/moderation/players/Bob/"' in text(answer)
    assert come(selma).post("/moderation/players/Bob/", sent | {"expected": "1"}).status_code == 302
    lift = {"do": "lift", "step": bob.steps.get(kind="suspend").pk, "reason": "x" * 1001}
    answer = come(selma).post("/moderation/players/Bob/", lift)
    assert "too long" in alert(answer) and f'value="{"x" * 1001}"' in text(answer)


def test_moderators_do_not_read_reports_about_themselves_or_their_running_games(come, alice, bob, carol, selma):
    game = table_of(alice, selma, **SECRETS)
    words = say(game, alice, "I hold the dragon")
    selmas_report = reports.report_message(message=words.pk, user=selma, reason="spam")
    alices_report = reports.report_at_table(public_id=game.public_id, user=alice, seat=1, reason="delay")
    for report in (selmas_report, alices_report):
        assert come(selma).get(f"/moderation/reports/{report.pk}/").status_code == 404
    assert "I hold the dragon" not in text(come(selma).get("/moderation/players/Alice/"))
    assert selectors.queue(selma)[0] == []
    own = reports.report_person(name="Bob", user=selma, subject="name", reason="spam")
    page = come(selma).get(f"/moderation/reports/{own.pk}/")
    assert "You wrote this report." in text(page) and 'value="dismiss"' not in text(page)
    refused(decisions.dismiss, "You wrote this report.", report=own, by=selma)
    roles.appoint(carol, roles.MODERATORS)
    assert len(selectors.queue(User.objects.get(pk=carol.pk))[0]) == 3


def test_moderators_suspend_nobody_they_play_against(come, alice, bob, carol, selma):
    game = in_turns(selma, alice)
    sent = {"do": "step", "days": 3, "reason": "Abuse.", "expected": 0, "settles_all": "on"}
    report = reports.report_person(name="Alice", user=bob, subject="player", reason="abuse")
    for page in ("/moderation/players/Alice/", reports_page(report)):
        for kind in ("suspend", "close"):
            answer = come(selma).post(page, sent | {"kind": kind})
            assert answer.status_code == 422 and "You and Alice play in the same game" in alert(answer)
    assert come(selma).post("/moderation/players/Alice/", sent | {"kind": "mute"}).status_code == 302
    play_out(game)
    assert come(selma).post("/moderation/players/Alice/", sent | {"kind": "suspend", "expected": 1}).status_code == 302
    ladder = ladder_of(selma, carol)
    challenges.challenge(ruleset=ladder.ruleset, user=carol, player="Selma")
    assert come(selma).post("/moderation/players/Carol/", sent | {"kind": "suspend"}).status_code == 422


def test_moderators_decide_about_no_answer_of_someone_they_play_against(come, alice, carol, selma):
    in_turns(selma, alice)
    roles.appoint(carol, roles.SENIOR)
    suspension, mute = (step(User.objects.get(pk=carol.pk), alice, kind) for kind in ("suspend", "mute"))
    for taken in (suspension, mute):
        moderation.answer(user=alice, step=taken.pk, words="It was my brother.")
    for do in ("keep", "lift"):
        sent = {"do": do, "step": suspension.pk, "reason": "Fine."}
        answer = come(selma).post("/moderation/players/Alice/", sent)
        assert answer.status_code == 422 and "You and Alice play in the same game" in alert(answer)
    assert come(selma).post("/moderation/players/Alice/", {"do": "keep", "step": mute.pk}).status_code == 302
    assert come(carol).post("/moderation/players/Alice/", {"do": "keep", "step": suspension.pk}).status_code == 302


def test_moderators_suspend_nobody_in_the_tournament_that_they_play_in(come, selma, alice, bob, carol, dan):
    row = cups.begun(dan, [selma, alice, bob, carol], format="round-robin", seats=4)
    match = next(match for match in cups.running(row) if "Selma" not in cups.names(match))
    name, *_opponent = cups.names(match)  # Selma plays against both only later
    page = f"/moderation/players/{name}/"
    sent = {"do": "step", "kind": "suspend", "days": 3, "reason": "Abuse.", "expected": 0}
    answer = come(selma).post(page, sent)
    assert answer.status_code == 422 and f"You and {name} play in the same game, tournament or division" in alert(
        answer
    )
    tournaments.leave(tournament=row, user=User.objects.get(username=name))
    assert come(selma).post(page, sent).status_code == 302


def test_moderators_do_not_silence_the_organizers_of_what_they_play_in(come, selma, alice, bob, carol, dan):
    row = cups.cup(dan, [selma, alice, bob, carol], format="round-robin", seats=4)
    tournaments.start(tournament=row, user=dan)
    helper = person("Hana")
    co_organizers.ask_to_help(competition=row, by=dan, name="Hana", rights=["decide"])
    sent = {"do": "step", "days": 3, "reason": "Abuse.", "expected": 0}

    def send(name, kind):
        return come(selma).post(f"/moderation/players/{name}/", sent | {"kind": kind})

    assert send("Hana", "mute").status_code == 302  # has not accepted yet
    co_organizers.answer(competition=row, user=helper, accepts=True)
    for kind in ("mute", "suspend", "close"):
        assert "You play in a competition that Dan organizes." in alert(send("Dan", kind))
    assert "Hana organizes" in alert(send("Hana", "suspend"))
    assert "Hana organizes" in alert(
        come(selma).post("/moderation/players/Hana/", {"do": "lift", "step": helper.steps.get().pk, "reason": "Fine."})
    )
    assert send("Dan", "warn").status_code == 302
    tournaments.leave(tournament=row, user=selma)
    sent["expected"] = 1
    assert send("Dan", "mute").status_code == 302


def test_moderators_keep_nobody_out_of_the_arena_that_they_play_in(come, selma, alice, bob, carol, dan):
    row = cups.cup(dan, [selma, alice, bob, carol], format="arena", days=10, days_a_round=20, best=2, at_once=2)
    sent = {"do": "step", "days": 3, "reason": "Abuse.", "expected": 0}

    def assert_refused() -> None:
        for kind in ("tables", "suspend", "close"):
            answer = come(selma).post("/moderation/players/Alice/", sent | {"kind": kind})
            assert answer.status_code == 422 and "You and Alice play in the same game, tournament" in alert(answer)

    assert_refused()  # they have signed up for it
    tournaments.start(tournament=row, user=dan)
    assert_refused()
    assert arenas.ask(tournament=row, user=alice) is False
    tournaments.leave(tournament=row, user=alice)
    assert come(selma).post("/moderation/players/Alice/", sent | {"kind": "tables"}).status_code == 302


def test_moderators_cannot_both_play_in_a_duplicate_and_read_its_chat(come, alice, bob, carol, dan, selma):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for user in (bob, selma, carol):
        duplicates.join(public_id=row.public_id, user=user)
    game, hers = Game.objects.exclude(seats__owner=selma).get(), Game.objects.get(seats__owner=selma)
    author, reporter = (seat.owner for seat in seats_of(game))
    report = reports.report_message(message=say(game, author, "Dire Eye comes next").pk, user=reporter, reason="spam")
    roles.appoint(dan, roles.MODERATORS)
    page = text(come(dan).get(f"/moderation/reports/{report.pk}/"))
    assert "Dire Eye comes next" in page and "can no longer take a seat in this duplicate" in page
    # Which does not tell that a moderator has read it
    refused(handover.ask, "You can’t ask “Dan”.", seat=hers.seats.get(owner=selma), user=selma, name="Dan")
    for status in ("running", "finished"):
        Game.objects.filter(pk=game.pk).update(status=status)
        assert come(selma).get(f"/moderation/reports/{report.pk}/").status_code == 404
        assert selectors.queue(selma)[0] == []


def test_staff_do_not_find_reports_about_themselves_in_the_admin(come, alice, bob):
    for user in (alice, bob):
        user.is_staff = True
        user.save()
        user.user_permissions.add(Permission.objects.get(codename="view_report"))
    report = reports.report_person(name="Alice", user=bob, subject="player", reason="abuse", words="She was rude.")
    row = f"/admin/tables/report/{report.pk}/change/"
    assert "She was rude." in come(bob).get(row).content.decode()
    assert come(alice).get(row).status_code == 302  # to the index of the admin, which says that there is no such row
    assert row not in come(alice).get("/admin/tables/report/").content.decode()


def test_staff_do_not_find_reports_about_their_running_games_and_duplicates_in_the_admin(come, alice, bob, carol, dan):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for user in (bob, carol, dan):
        duplicates.join(public_id=row.public_id, user=user)
    for user in (alice, bob):
        user.is_staff = True
        user.save()
        user.user_permissions.add(Permission.objects.get(codename="view_report"))
    game = in_turns(alice, carol)
    of_game = reports.report_at_table(public_id=game.public_id, user=carol, reason="spam", words="He has the dragon.")
    seat = Seat.objects.filter(game__duplicate=row, owner=carol).get()
    of_deal = reports.report_at_table(public_id=seat.game.public_id, user=carol, reason="spam", words="Dire Eye next.")
    rows = [f"/admin/tables/report/{report.pk}/change/" for report in (of_game, of_deal)]
    assert [come(alice).get(row).status_code for row in rows] == [302, 302]
    assert [come(bob).get(row).status_code for row in rows] == [200, 302]
    play_out(game)
    assert [come(alice).get(row).status_code for row in rows] == [200, 302]


def test_staff_do_not_find_out_from_notices_in_the_admin_who_wrote_a_report(come, alice, bob, carol, selma):
    report = reports.report_person(name="Bob", user=alice, subject="player", reason="abuse")
    come(selma).post(reports_page(report), {"do": "step", "kind": "warn", "reason": "Be kind.", "expected": 0})
    assert {notice.user for notice in Notice.objects.filter(kind="moderation", user__in=[alice, bob])} == {alice, bob}
    carol.is_staff = True
    carol.save()
    carol.user_permissions.add(Permission.objects.get(codename="view_notice"))
    page = text(come(carol).get("/admin/notices/notice/"))
    assert "report." not in page and "step." not in page
    for notice in Notice.objects.filter(user__in=[alice, bob]):
        assert come(carol).get(f"/admin/notices/notice/{notice.pk}/change/").status_code == 302


def reports_page(report: Report) -> str:
    return f"/moderation/reports/{report.pk}/"


def test_a_reported_message_can_be_removed_and_a_reported_name_replaced(come, alice, bob, selma):
    game = table_of(alice, bob)
    rude = say(game, alice, "You play like a stump")
    report = reports.report_message(message=rude.pk, user=bob, reason="abuse")
    sent = reports_page(report), {"do": "remove"}
    for _tap in range(2):
        assert come(selma).post(*sent).status_code == 302
    assert "stump" not in text(come(bob).get(f"{game.get_absolute_url()}chat/"))
    assert "stump" in text(come(selma).get(f"/moderation/reports/{report.pk}/"))
    name_report = reports.report_person(name="Alice", user=bob, subject="name", reason="sexual")
    for _tap in range(2):
        assert come(selma).post(reports_page(name_report), {"do": "rename"}).status_code == 302
    told = Notice.objects.get(user=alice, kind="moderation")
    assert told.title == "A moderator has replaced your name"
    assert f"You are now {User.objects.get(pk=alice.pk).username}." in told.lead
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        for url, do in ((reports_page(report), "remove"), (reports_page(name_report), "rename")):
            assert come(selma).post(url, {"do": do}).status_code == 422
    assert seats_of(game)[0].name == User.objects.get(pk=alice.pk).username != "Alice"
    assert set(ModerationEntry.objects.values_list("what", flat=True)) >= {"removed", "renamed"}


def test_a_reported_name_of_a_team_is_replaced_in_all_seasons_and_notices(come, olga, selma):
    tournament = team_leagues.league(olga)
    stumps, owls = (team_leagues.team(tournament, name) for name in ("Rude Stumps", "Owls"))
    teams.take_out(team=stumps, by=olga, reason="We want no Rude Stumps here.")
    follower = team_leagues.league(olga, name="Harbour League 2")
    Tournament.objects.filter(pk=follower.pk).update(follows=tournament)
    later = teams.create(tournament=follower, user=person("Zoe"), name="RUDE STUMPS")
    captain, member, rival = (User.objects.get(username=name) for name in ("Rude Stumps1", "Rude Stumps2", "Owls1"))
    url = f"{stumps.get_absolute_url()}report/"
    assert url in text(come(rival).get(stumps.get_absolute_url()))
    assert url not in text(come(captain).get(stumps.get_absolute_url()))
    sent = {"about": "team", "reason": "abuse", "words": ""}
    assert "nothing for you to report" in text(come(captain).get(url))
    assert come(captain).post(url, sent).status_code == 422 and come().get(url).status_code == 302
    for reporter in (member, rival):
        assert "Report Rude Stumps" in text(come(reporter).get(url))
        for _tap in range(2):
            assert come(reporter).post(url, sent).status_code == 302
    report = Report.objects.get(reporter=rival)
    assert (report.player, Report.objects.count()) == (captain, 2)
    page = text(come(selma).get("/moderation/")) + text(come(selma).get(reports_page(report)))
    assert page.count("Rude Stumps") >= 3 and "may not have chosen its name" in page
    for _tap in range(2):
        answer = come(selma).post(reports_page(report), {"do": "rename", "reason": "It insults people."})
        assert answer.status_code == 302
    names = set(Team.objects.exclude(pk=owls.pk).values_list("name", flat=True))
    assert len(names) == 1 and "stumps" not in names.pop().lower()
    assert set(Team.objects.filter(has_replaced_name=True)) == {stumps, later}
    for address in (tournament, stumps, follower, later):
        assert "Stumps " not in text(come(rival).get(address.get_absolute_url()))
    row = Intervention.objects.get(kind="removed")
    assert "Stumps" not in row.what + row.reason and row.what == Team.objects.get(pk=stumps.pk).name
    told = Notice.objects.filter(about__startswith="tournament.").values_list("title", "lead")
    assert told and not [words for words in told if "Rude Stumps " in f"{words[0]} {words[1]} ".replace(".", " ")]
    # The captain hears why and answers, and the reporter hears that something was done
    notice = Notice.objects.get(user=captain, kind="moderation")
    assert notice.title == "A moderator has replaced the name of your team" and "It insults people." in notice.lead
    step = captain.steps.get()
    page = text(come(captain).get("/accounts/moderators/"))
    assert "Name replaced" in page and "It insults people." in page and "Owls1" not in page
    come(captain).post("/accounts/moderators/", {"step": step.pk, "answer": "It was a joke."})
    assert "It was a joke." in text(come(selma).get("/moderation/"))
    url = f"/moderation/players/{captain.username}/"
    assert come(selma).post(url, {"do": "keep", "step": step.pk}).status_code == 302
    assert come(selma).post(reports_page(report), {"do": "dismiss"}).status_code == 302
    assert "took action" in Notice.objects.get(user=rival, kind="moderation").lead
    entry = ModerationEntry.objects.get(what="team")
    assert (entry.by, entry.who, entry.report) == (str(selma.pk), str(captain.pk), report.pk)
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        refused(decisions.replace_name, "name has changed in the meantime", report=report, by=selma)
    assert "The name was replaced." in text(come(selma).get(reports_page(Report.objects.get(reporter=member))))
    assert "name replaced" in text(come(selma).get(url))


def test_moderators_decide_nothing_about_the_name_of_their_own_team(come, olga, selma):
    tournament = team_leagues.league(olga)
    foxes = team_leagues.team(tournament, "Foxes")
    teams.join(team=foxes, user=selma, token=foxes.invite_token)
    report = teams.report_name(team=foxes, user=olga, reason="spam")
    assert come(selma).get(reports_page(report)).status_code == 404
    refused(decisions.replace_name, "about you, your team", report=report, by=selma)
    User.objects.filter(pk=selma.pk).update(is_staff=True)
    selma.user_permissions.add(Permission.objects.get(codename="view_report"))
    page = f"/admin/tables/report/{report.pk}/change/"
    assert come(User.objects.get(pk=selma.pk)).get(page).status_code == 302
    Entrant.objects.get(user=selma).delete()
    assert come(User.objects.get(pk=selma.pk)).get(page).status_code == 200
    roles.appoint(selma)
    assert come(User.objects.get(pk=selma.pk)).post(reports_page(report), {"do": "rename"}).status_code == 404


def test_a_player_whose_name_was_replaced_may_answer(come, alice, bob, selma):
    report = reports.report_person(name="Alice", user=bob, subject="name", reason="sexual")
    decisions.replace_name(report=report, by=selma, reason="Think of children.")
    step = alice.steps.get()
    assert (step.kind, step.is_in_force) == ("name", False) and "Think of children." in step.reason
    assert "message from the moderators" in text(come(User.objects.get(pk=alice.pk)).get("/")).lower()
    refused(moderation.take, "Choose an action.", by=selma, user=alice, kind="name", days=None, reason="x", expected=1)
    assert 'value="name"' not in text(come(selma).get(reports_page(report)))


def test_reporters_hear_that_a_message_was_removed_or_a_name_replaced(come, alice, bob, carol, selma):
    rude = say(table_of(alice, bob, carol), alice, "You play like a stump")
    first = reports.report_message(message=rude.pk, user=bob, reason="abuse")
    other = reports.report_message(message=rude.pk, user=carol, reason="abuse")
    named = reports.report_person(name="Alice", user=bob, subject="name", reason="sexual")
    played = reports.report_person(name="Alice", user=bob, subject="player", reason="delay")
    moderator = come(selma)
    moderator.post(reports_page(first), {"do": "remove"})
    moderator.post(reports_page(named), {"do": "rename"})
    page = text(moderator.get(reports_page(other)))
    assert "The message was removed." in page and "Settle without further action" in page
    for report, outcome in (
        (first, "took action"), (other, "took action"), (named, "took action"), (played, "found nothing that breaks"),
    ):  # fmt: skip
        assert moderator.post(reports_page(report), {"do": "dismiss"}).status_code == 302
        notice = Notice.objects.get(kind="moderation", about=f"report.{report.pk}")
        assert outcome in notice.lead and notice.title.startswith("Your report of ")
    page = text(moderator.get(f"/moderation/players/{User.objects.get(pk=alice.pk).username}/"))
    assert page.count("message removed") == 2 and page.count("name replaced") == page.count("no action taken") == 1
    assert "1, of which 1 led to action" in text(moderator.get("/moderation/players/Carol/"))
    late = reports.report_message(message=rude.pk, user=bob, reason="spam")
    moderator.post(reports_page(late), {"do": "dismiss"})
    assert "found nothing" in Notice.objects.get(about=f"report.{late.pk}").lead


def test_the_page_of_a_player_says_why_no_action_is_possible(come, alice, bob, carol, selma):
    roles.appoint(bob, roles.MODERATORS)
    step(selma, carol, "close", None)
    for name, sentence in (
        ("Selma", "You can’t take action against yourself."), ("Bob", "Bob is a moderator."),
        ("Carol", "This account is already closed."),
    ):  # fmt: skip
        page = text(come(selma).get(f"/moderation/players/{name}/"))
        assert sentence in page and 'value="step"' not in page
    assert 'value="step"' in text(come(selma).get("/moderation/players/Alice/"))
    assert "Lift this restriction" in text(come(selma).get("/moderation/players/Carol/"))


def test_a_player_reads_what_an_action_means(come, alice, selma):
    meanings = {
        "warn": "Nothing else happens.", "mute": "you can’t write in chats or write anything else",
        "tables": "Games that you are playing continue.", "suspend": "a bot plays your games",
    }  # fmt: skip
    for kind, meaning in meanings.items():
        assert meaning not in text(come(alice).get("/accounts/moderators/"))
        step(selma, alice, kind)
        assert meaning in text(come(alice).get("/accounts/moderators/"))


def test_moderators_lift_and_keep_steps_on_the_page_of_the_player(come, alice, selma):
    mute = step(selma, alice, "mute")
    moderation.answer(user=alice, step=mute.pk, words="It was a joke.")
    moderator = come(selma)
    assert "It was a joke." in text(moderator.get("/moderation/"))
    for _tap in range(2):
        assert moderator.post("/moderation/players/Alice/", {"do": "keep", "step": mute.pk}).status_code == 302
    assert "It was a joke." not in text(moderator.get("/moderation/"))
    assert moderator.post("/moderation/players/Alice/", {"do": "lift", "step": mute.pk}).status_code == 422
    sent = {"do": "lift", "step": mute.pk, "reason": "A joke."}
    for _tap in range(2):
        assert moderator.post("/moderation/players/Alice/", sent).status_code == 302
    for wrong in (sent | {"reason": "Again."}, {"do": "lift", "step": "x"}, {"do": "dance"}, {}):
        assert moderator.post("/moderation/players/Alice/", wrong).status_code == 422


# What steps forbid at tables


def test_without_new_tables_a_player_finishes_games_and_plays_bots(alice, bob, selma):
    game, waiting = in_turns(alice, bob), lobby.open_table(user=bob, players=2, listed=True)
    step(selma, alice, "tables")
    alice = User.objects.get(pk=alice.pk)
    for action, arguments in (
        (lobby.open_table, {"user": alice, "players": 2}), (lobby.join_table, {"game": waiting, "user": alice}),
        (lobby.rematch, {"game": game, "user": alice}),
    ):  # fmt: skip
        refused(action, "You can’t open or join tables until", **arguments)
    assert lobby.play_now(user=alice).is_running
    assert seats_of(game)[0].user == alice


@pytest.mark.parametrize("kind", ["suspend", "close", "tables"])
def test_who_asks_for_a_substitute_does_not_learn_what_moderators_have_decided(alice, bob, carol, dan, selma, kind):
    seat, others = seats_of(in_turns(bob, dan))[0], seats_of(in_turns(bob, alice))[0]
    unknown = "You can’t ask “%s”. Check the spelling."
    refused(handover.ask, unknown % "Nobody", seat=seat, user=bob, name="Nobody")
    for name in ("Alice", "Carol"):
        blocking.block(user=carol, blocked=bob) if name == "Carol" else step(selma, alice, kind)
        refused(handover.ask, unknown % name, seat=seat, user=bob, name=name)
    # What everyone can see is said all the same
    refused(handover.ask, "Alice already plays at this table.", seat=others, user=bob, name="Alice")


def test_without_new_tables_a_player_enters_no_competition_and_asks_for_no_match(alice, bob, carol, dan, olga, selma):
    tournament, teams_of = cups.cup(olga, [bob, carol], fewest=2), team_leagues.league(olga)
    team, league = teams.create(tournament=teams_of, user=bob, name="Foxes"), league_of(alice, bob)
    seasons.sit_out(league=league, user=alice, sits_out=True)
    arena = cups.cup(olga, [alice, bob, carol, dan], format="arena", days=10, days_a_round=20)
    for row in (tournament, arena):
        tournaments.start(tournament=row, user=olga)
    place = Entrant.objects.get(tournament=tournament, user=bob)
    organizing.replace(entrant=place, by=olga, name="Alice", reason="Bob is ill.")
    step(selma, alice, "tables")
    alice = User.objects.get(pk=alice.pk)
    for action, arguments in (
        (tournaments.join, {"tournament": cups.cup(dan)}), (teams.create, {"tournament": teams_of, "name": "Owls"}),
        (teams.join, {"team": team, "token": team.invite_token}),
        (seasons.sit_out, {"league": league, "sits_out": False}),
        (arenas.ask, {"tournament": arena}), (organizing.accept, {"pk": Replacement.objects.get().pk}),
    ):  # fmt: skip
        refused(action, "You can’t open or join tables until", user=alice, **arguments)


# Suspended players


@pytest.fixture
def morning():
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as traveller:
        yield traveller


def test_a_stand_in_plays_while_a_player_is_suspended_and_then_gives_the_seat_back(morning, alice, bob, selma):
    game = in_turns(alice, bob, clock="move 5d")
    step(selma, alice, days=3)
    assert sweep() == 1 and sweep() == 0
    seat = seats_of(game)[0]
    assert (seat.user, seat.owner, seat.has_given_up) == (None, alice, False)
    assert bots.sweep_bots() == 1 and Entry.objects.filter(game=game).latest("seq").by == "stand-in"
    refused(handover.come_back, "Your account is suspended until", seat=seat, user=User.objects.get(pk=alice.pk))
    morning.shift(timedelta(days=3, minutes=1))
    sweep()
    assert seats_of(game)[0].user == alice
    alice.refresh_from_db()
    assert alice.punctuality == "1"  # her bid; nothing counts against her


def test_nobody_waits_for_an_account_that_was_made_inactive_in_the_admin(morning, alice, bob):
    game, waiting = in_turns(alice, bob, clock="move 5d"), lobby.open_table(user=alice, players=2, listed=True)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert sweep() == 1 and sweep() == 0
    assert (seats_of(game)[0].user, seats_of(game)[0].back_at, again(waiting).status) == (None, None, "closed")
    assert bots.sweep_bots() == 1
    User.objects.filter(pk=alice.pk).update(is_active=True)
    sweep()
    assert seats_of(game)[0].user == alice


def test_a_bot_plays_games_that_begin_during_a_suspension_until_it_is_lifted(morning, alice, bob, selma):
    taken = step(selma, alice, kind="close", days=None)
    game = table_of(bob, person("Ines"))
    Seat.objects.filter(game=game, number=1).update(user=alice, owner=alice, name="Alice")  # as a league would seat her
    assert sweep() == 1 and seats_of(game)[1].user is None
    assert seats_of(game)[1].back_at is None
    moderation.lift(by=selma, step=taken, reason="A mistake.")
    assert sweep() == 1 and seats_of(game)[1].user == alice
    assert list(Handover.objects.values_list("why", flat=True)) == ["suspended", "ended"]


def test_a_suspended_substitute_stops_and_the_owner_stays_away(morning, alice, bob, carol, selma):
    game = in_turns(alice, bob)
    until = timezone.now() + timedelta(days=10)
    handover.ask(seat=seats_of(game)[0], user=alice, name="Carol", until=until)
    handover.accept(seat=seats_of(game)[0], user=carol)
    step(selma, carol)
    assert sweep() == 1 and sweep() == 0
    seat = seats_of(game)[0]
    assert (seat.user, seat.owner, seat.back_at) == (None, alice, until)


def test_a_seat_due_to_come_back_during_a_suspension_waits_for_its_end(morning, alice, bob, selma):
    game = in_turns(alice, bob)
    handover.hand_to_bot(seat=seats_of(game)[0], user=alice, until=timezone.now() + timedelta(days=1))
    step(selma, alice, days=3)
    morning.shift(timedelta(days=1, minutes=1))
    sweep()
    assert seats_of(game)[0].user is None
    morning.shift(timedelta(days=2))
    sweep()
    assert seats_of(game)[0].user == alice


def test_open_tables_of_a_suspended_player_close_and_seats_at_others_become_free(alice, bob, selma):
    own, other = lobby.open_table(user=alice, players=2), lobby.open_table(user=bob, players=3, listed=True)
    lobby.join_table(game=other, user=alice)
    step(selma, alice)
    sweep()
    assert again(own).status == "closed" and [seat.user for seat in seats_of(other)] == [bob]


def test_steps_about_a_guest_follow_them_into_their_account(alice, selma):
    guest = make_guest()
    step(selma, guest)
    bring_games(guest=guest, user=alice)
    assert User.objects.get(pk=alice.pk).is_suspended and alice.steps.count() == 1


def test_the_table_does_not_say_that_a_player_is_suspended(come, alice, bob, selma):
    game = in_turns(alice, bob)
    step(selma, alice)
    sweep()
    page = text(come(bob).get(game.get_absolute_url()))
    assert "Alice let a bot play until" in page and "suspend" not in page.lower()
    assert "suspend" not in text(come(bob).get("/players/Alice/")).lower()


# New accounts, and players under 16


def test_new_accounts_post_no_links_and_limited_numbers(settings, alice, bob, carol):
    settings.NEW_ACCOUNT_DAYS, settings.NEW_ACCOUNT_MESSAGES, settings.NEW_ACCOUNT_TABLES = 3, 2, 2
    settings.NEW_ACCOUNT_INVITATIONS = 1
    game = table_of(alice, bob)
    refused(say, "New accounts can’t post links.", game=game, user=alice, words="Look at evil.example.com")
    say(game, alice, "one")
    chat.say(public_id=game.public_id, user=alice, phrase="hello")
    refused(say, "New accounts can send 2 messages a day.", game=game, user=alice, words="three")
    table = lobby.open_table(user=alice, players=3, listed=True)
    refused(lobby.open_table, "New accounts can open 2 public tables a day.", user=alice, players=2, listed=True)
    lobby.open_table(user=alice, players=2)
    friends.invite(game=table, user=alice, name="Bob")
    refused(friends.invite, "New accounts can invite 1 player a day.", game=table, user=alice, name="Carol")
    User.objects.filter(pk=alice.pk).update(date_joined=timezone.now() - timedelta(days=4))
    say(game, User.objects.get(pk=alice.pk), "Look at evil.example.com")


def test_players_under_16_see_and_send_only_phrases_at_public_tables(come, alice, bob):
    User.objects.filter(pk=alice.pk).update(is_under_16=True)
    alice = User.objects.get(pk=alice.pk)
    public, private = table_of(alice, bob), table_of(alice, bob, listed=False)
    for game in (public, private):
        say(game, bob, "Where do you live?")
        chat.say(public_id=game.public_id, user=bob, phrase="hello")
    page = text(come(alice).get(f"{public.get_absolute_url()}chat/"))
    assert "Where do you live?" not in page and "Hello, and have fun!" in page and '<textarea name="text"' not in page
    refused(say, "players under 16 can only send quick phrases", game=public, user=alice, words="Hi")
    chat.say(public_id=public.public_id, user=alice, phrase="hello")
    say(private, alice, "Hi, cousin")
    assert "Where do you live?" in text(come(alice).get(f"{private.get_absolute_url()}chat/"))
    hidden = Message.objects.filter(game=public, text="Where do you live?").get()
    with pytest.raises(NotFound):
        reports.report_message(message=hidden.pk, user=alice, reason="abuse")


# Accounts that share a network


def signed_in(user: User, ip: str, agent: str = "Firefox") -> None:
    UserSession.objects.create(user=user, ip=ip, session_key=f"{user.pk}-{ip}", user_agent=agent)


def test_accounts_of_one_network_at_one_table_are_shown_without_their_address(come, alice, bob, carol, selma):
    game = table_of(alice, bob, carol)
    signed_in(alice, "2001:db8:1:2::5")
    signed_in(bob, "2001:db8:1:2:aaaa::9")
    signed_in(carol, "2001:db8:1:20::1")
    assert [(pair.first, pair.second, pair.same_browser, pair.games) for pair in selectors.together()] == [
        (alice, bob, True, [game])
    ]
    pairs = selectors.shared_by(alice)
    assert [(pair.other, pair.same_browser, pair.games) for pair in pairs] == [(bob, True, [game])]
    for address in ("networks/", "players/Alice/"):
        page = text(come(selma).get(f"/moderation/{address}"))
        assert "Bob" in page and "2001:db8" not in page and "same browser" in page
    assert not bob.steps.exists() and not Report.objects.exists()


def test_different_browsers_are_told_apart_and_busy_networks_left_out(monkeypatch, alice, bob, carol):
    table_of(alice, bob)
    signed_in(alice, "10.0.0.1", "Firefox")
    signed_in(bob, "10.0.0.1", "Chrome")
    assert [pair.same_browser for pair in selectors.shared_by(alice)] == [False]
    monkeypatch.setattr(selectors, "BUSY", 2)
    assert selectors.together() == []
    signed_in(carol, "10.0.0.1", "Chrome")
    assert selectors.shared_by(alice) == []


def test_a_report_does_not_identify_a_deleted_account(alice, bob):
    from accounts.services import delete_account

    game = play_out(table_of(alice, bob))
    say(game, alice, "secret words")
    report = reports.report_at_table(public_id=game.public_id, user=bob, seat=0, reason="delay")
    delete_account(User.objects.get(pk=alice.pk))
    report.refresh_from_db()
    kept = json.dumps(report.context)
    assert "Alice" not in kept and "secret words" not in kept and f'"who": {alice.pk}' not in kept
