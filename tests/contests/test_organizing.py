"""Rules texts are safe, and announcements reach those who take part, but not too often."""

import re
from collections.abc import Iterator
from datetime import timedelta
from functools import partial

import msgspec
import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st

from accounts.forms import PreferencesForm
from accounts.models import User
from accounts.moderation import roles
from accounts.moderation import services as moderation
from games.contests import corrections
from games.contests.leagues import news
from games.contests.leagues import services as leagues
from games.contests.models import Announcement, Entrant, Intervention, Organizer
from games.contests.organizing import co_organizers, markup, services
from games.contests.tournaments import services as tournaments
from games.errors import GameError, NotYours
from games.notices.models import Notice
from games.tables.models import Block
from games.tables.services import blocking
from tests.cast import person
from tests.contests.cups import begun, cup
from tests.contests.leagues import MONDAY, latest, league_of, started, sweep, terms_of
from tests.contests.properties import fixed
from tests.each import for_each

DAY = timedelta(days=1)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


# Markdown

TAG = re.compile(r"<\s*/?\s*([a-z0-9]+)([^>]*)>", re.IGNORECASE)
RELS = 'rel="noopener noreferrer nofollow ugc"'


def test_the_usual_markdown_is_written_with_headings_below_those_of_the_page():
    shown = markup.html("# Rules\n\n1. Be *kind*\n2. Be **on time**\n\n> quoted\n\n[site](https://example.org)")
    assert "<h3>Rules</h3>" in shown and "<em>kind</em>" in shown and "<ol>" in shown and "<blockquote>" in shown
    assert f'<a href="https://example.org" {RELS}>site</a>' in shown


@pytest.mark.django_db
def test_a_rules_text_covers_nothing_else_on_the_page(clock):
    dan = person("Dan")
    league = league_of(organizer=dan)
    services.write_rules(competition=league, by=dan, text="Be kind" + "\u0301" * 400 + "\r\n\r\n\u202eBe on time")
    league.refresh_from_db()
    assert league.rules_text == "Be kind" + "\u0301" * 4 + "\n\nBe on time"


@for_each(
    "hostile",
    [
        "![pixel](https://evil.example/p.png)", "<img src=x onerror=alert(1)>", "<script>alert(1)</script>",
        "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](data:text/html,<script>)", "[x](vbscript:x)",
        "<iframe src=//evil.example>", '<a href="https://x" onclick="x">x</a>', '[x](https://a" onmouseover="x)',
        "[x]: javascript:alert(1)\n\n[x]", "<style>*{display:none}</style>", "<form action=/>", "<svg onload=x>",
        '[x](https://a "title\\" onclick=\\"x")', "<base href=//evil>", "&lt;script&gt;", "<javascript:alert(1)>",
        "```html\n<script>\n```", "[![i](//evil/x.png)](//evil)", "<!-- <script> -->", "[a](&#106;avascript:alert(1))",
    ],
)  # fmt: skip
def test_hostile_markdown_writes_only_the_allowed_tags_and_no_script(hostile: str):
    for name, attributes in TAG.findall(markup.html(hostile)):
        assert name in markup.TAGS
        assert not re.search(r"\b(on\w+|style|src|class|id)\s*=", re.sub(r'href="[^"]*"', "", attributes))
        assert not re.search(r'href="\s*(javascript|data|vbscript):', attributes, re.IGNORECASE)


@fixed
@given(st.text("<>![]()\"'`*_#&;:/\\ \nascriptimgonerror=jv0", max_size=60))
def test_any_text_writes_only_the_allowed_tags(text: str):
    assert {name for name, _attributes in TAG.findall(markup.html(text))} <= markup.TAGS


@for_each(
    "text", [
        ">" * 5000 + "x", "- " * 4000 + "x", "1. " * 3000 + "x", "> - " * 2500 + "x",
        "\n".join("  " * depth + "- x" for depth in range(90)),
        "*" * 4500 + "x" + "*" * 4500, "*_" * 2000 + "x" + "_*" * 2000, "[" * 4500 + "x" + "](/y)" * 1000,
        "![" * 3000 + "x" + "](/y)" * 1000, "[a](b " * 1600, "`" * 4500 + "x" + "`" * 4500, "<b>" * 3000, "&" * 9999,
    ],
)  # fmt: skip
def test_deeply_nested_text_becomes_a_short_page_of_few_levels(text: str):
    written = markup.html(text)
    depth = deepest = 0
    for end in re.findall(r"<(/?)(?:blockquote|li|ol|ul)\b", written):
        depth += -1 if end else 1
        deepest = max(deepest, depth)
    assert depth == 0 and deepest <= 21  # the parser skips what is nested deeper
    assert {name for name, _attributes in TAG.findall(written)} <= markup.TAGS
    assert len(written) < 10 * len(text)


# Rules texts


@pytest.mark.django_db
@pytest.mark.usefixtures("clock")
def test_only_the_organizer_writes_the_rules_text():
    dan = person("Dan")
    for competition in (league_of(organizer=dan), cup(dan)):
        services.write_rules(competition=competition, by=dan, text="# House rules\r\n\0")
        with pytest.raises(NotYours, match="Only the organizer"):
            services.write_rules(
                competition=competition,
                by=person(f"Eve{competition.pk}{type(competition).__name__}"),
                text="x" * 20_000,
            )
        competition.refresh_from_db()
        assert competition.rules_text == "# House rules"
        with pytest.raises(GameError, match="at most 10000"):
            services.write_rules(competition=competition, by=dan, text="x" * 10_001)


# Announcements


def heard(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user, kind="announced", channel="email").values_list("lead", flat=True))


@pytest.mark.django_db
def test_an_announcement_reaches_those_who_play_or_signed_up_and_nobody_who_left(clock):
    dan = person("Dan")
    people = [person(name) for name in ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn")]
    league = league_of(*people, organizer=dan)
    leagues.leave(league=league, user=people[5])
    leagues.sit_out(league=league, user=people[4], sits_out=True)
    season = started(league, clock)
    leagues.sit_out(league=league, user=people[0], sits_out=True)  # after this season, in which they play
    leagues.drop_out(season=season, user=people[1])
    services.announce(competition=league, by=dan, text=" The  final\nis on Sunday. ")
    late = person("Gus")
    clock.shift(timedelta(minutes=1))
    leagues.join(league=league, user=late)
    sweep()
    sweep()
    notified = {user.username for user in people if heard(user) == ["The final is on Sunday."]}
    assert notified == {"Ada", "Cleo", "Dora"} and not any(
        heard(user) for user in people if user.username not in notified
    )
    assert heard(late) == heard(dan) == []


@pytest.mark.django_db
def test_a_tournament_announces_to_its_entrants(clock):
    dan, ada, ben = person("Dan"), person("Ada"), person("Ben")
    tournament = cup(dan, [ada, ben])
    tournaments.leave(tournament=tournament, user=ben)
    services.announce(competition=tournament, by=dan, text="Hello")
    assert heard(ada) == ["Hello"] and heard(ben) == []


@pytest.mark.django_db
def test_there_are_two_announcements_a_day_and_a_double_click_makes_one(clock):
    dan, ada = person("Dan"), person("Ada")
    tournament = cup(dan, [ada])
    first = services.announce(competition=tournament, by=dan, text="One")
    assert services.announce(competition=tournament, by=dan, text="One ") == first
    clock.shift(timedelta(hours=1))
    services.announce(competition=tournament, by=dan, text="Two")
    with pytest.raises(GameError, match="2 announcements in 24 hours"):
        services.announce(competition=tournament, by=dan, text="Three")
    clock.shift(DAY)
    services.announce(competition=tournament, by=dan, text="Three")
    assert sorted(heard(ada)) == ["One", "Three", "Two"]


@pytest.mark.django_db
def test_others_and_ended_competitions_announce_nothing(clock):
    dan, ada = person("Dan"), person("Ada")
    tournament = cup(dan, [ada])
    for text in ("Hi", "", "x" * 501):
        with pytest.raises(NotYours, match="Only the organizer"):
            services.announce(competition=tournament, by=ada, text=text)
    with pytest.raises(GameError, match="Write something"):
        services.announce(competition=tournament, by=dan, text=" \u200b ")
    tournaments.call_off(tournament=tournament, user=dan, reason="No venue.")
    with pytest.raises(GameError, match="only after sign-up has opened and before the end"):
        services.announce(competition=tournament, by=dan, text="Hi")
    assert not Announcement.objects.exists()


# Co-organizers, and handing over


@pytest.mark.django_db
def test_a_co_organizer_has_the_given_rights_once_they_have_accepted_and_no_others(clock):
    dan, ada = person("Dan"), person("Ada")
    league = league_of(organizer=dan)
    invitation = co_organizers.ask_to_help(competition=league, by=dan, name="ada", rights=["announce", "nonsense"])
    assert co_organizers.ask_to_help(competition=league, by=dan, name="Ada", rights=["announce"]) == invitation
    with pytest.raises(NotYours):
        services.announce(competition=league, by=ada, text="Hi")
    assert co_organizers.answer(competition=league, user=ada, accepts=True) == "You are now a co-organizer."
    assert co_organizers.answer(competition=league, user=ada, accepts=True) == "You have already answered."
    services.announce(competition=league, by=ada, text="Hi")
    for refused in (
        lambda: services.write_rules(competition=league, by=ada, text="x"),
        lambda: leagues.change_terms(league=league, user=ada, terms=league.declared),
        lambda: leagues.start_now(season=league.seasons.get(), user=ada),
        lambda: leagues.close_league(league=league, user=ada),
        lambda: co_organizers.ask_to_help(competition=league, by=ada, name="Nobody", rights=["decide"]),
        lambda: co_organizers.offer(competition=league, by=ada, name="Ada"),
        lambda: co_organizers.withdraw(competition=league, by=ada, user=dan.pk),
    ):
        with pytest.raises(NotYours, match="Only the organizer"):
            refused()
    co_organizers.ask_to_help(competition=league, by=dan, name="Ada", rights=["settings"])
    services.write_rules(competition=league, by=ada, text="x")
    co_organizers.withdraw(competition=league, by=ada, user=ada.pk)
    with pytest.raises(NotYours):
        services.write_rules(competition=league, by=ada, text="y")


@pytest.mark.django_db
def test_handing_over_needs_consent_and_staff_can_ask_for_an_organizer_who_is_gone(clock):
    dan, ada, ben, sam = person("Dan"), person("Ada"), person("Ben"), person("Sam", is_staff=True, is_superuser=True)
    league = league_of(organizer=dan)
    co_organizers.offer(competition=league, by=dan, name="Ada")
    with pytest.raises(GameError, match="Enter a reason"):
        co_organizers.offer(competition=league, by=sam, name="Ben")
    co_organizers.offer(competition=league, by=sam, name="Ben", reason="Dan is gone.")  # takes the first question back
    with pytest.raises(NotYours, match="Nobody is asking you"):
        co_organizers.answer(competition=league, user=ada, accepts=True)
    assert co_organizers.answer(competition=league, user=ben, accepts=True) == "You are now the organizer."
    assert co_organizers.answer(competition=league, user=ben, accepts=True) == "You have already answered."
    league.refresh_from_db()
    assert league.organizer == ben and not Organizer.objects.exists()
    with pytest.raises(NotYours):
        leagues.close_league(league=league, user=dan)
    noted = Intervention.objects.get(kind="handed")
    assert (noted.season.league, noted.what, noted.reason) == (league, "Dan → Ben", "Dan is gone.")
    assert (noted.by, noted.as_staff, noted.person) == (sam, True, ben)
    assert "Ben is now the organizer" in " ".join(Notice.objects.filter(user=dan).values_list("title", flat=True))


@pytest.mark.django_db
def test_a_question_that_is_no_longer_open_sends_no_notice(clock):
    dan, ada, ben, cy = (person(name) for name in ("Dan", "Ada", "Ben", "Cy"))
    league = league_of(organizer=dan)
    waiting = Notice.objects.filter(state="queued", channel="email", title__contains="asked you")
    co_organizers.ask_to_help(competition=league, by=dan, name="Ada", rights=["announce"])
    co_organizers.ask_to_help(competition=league, by=dan, name="Cy", rights=["announce"])
    co_organizers.offer(competition=league, by=dan, name="Ada")
    assert {notice.user for notice in waiting.all()} == {ada, cy} and waiting.count() == 3
    co_organizers.offer(competition=league, by=dan, name="Ben")
    assert [notice.title for notice in waiting.filter(user=ada)] == ["Dan asked you to help organize Harbour League"]
    co_organizers.withdraw(competition=league, by=dan, user=ada.pk)
    co_organizers.answer(competition=league, user=cy, accepts=True)
    assert [notice.user for notice in waiting.all()] == [ben]
    co_organizers.answer(competition=league, user=ben, accepts=True)
    assert not waiting.all().exists()


@pytest.mark.django_db
def test_the_hand_over_of_a_tournament_is_public_and_needs_no_reason_of_its_organizer(clock):
    dan, ada = person("Dan"), person("Ada")
    tournament = cup(dan)
    co_organizers.offer(competition=tournament, by=dan, name="Ada")
    assert not Intervention.objects.exists()
    co_organizers.answer(competition=tournament, user=ada, accepts=True)
    noted = Intervention.objects.get()
    assert (noted.tournament, noted.kind, noted.what, noted.as_staff) == (tournament, "handed", "Dan → Ada", False)
    assert not corrections.can_undo(noted)


@pytest.mark.django_db
def test_co_organizers_who_may_decide_get_the_organizers_notices_until_they_turn_them_off(clock):
    dan, ada, ben, zoe = (person(name) for name in ("Dan", "Ada", "Ben", "Zoe"))
    season = latest(league_of(organizer=dan))
    for helper, rights in ((ada, ["decide"]), (ben, ["announce"])):
        co_organizers.ask_to_help(competition=season.league, by=dan, name=helper.username, rights=rights)
        co_organizers.answer(competition=season.league, user=helper, accepts=True)
    co_organizers.ask_to_help(competition=season.league, by=dan, name="Zoe", rights=["decide"])  # who does not answer
    for number, expected in ((1, {"Dan", "Ada"}), (2, {"Dan"})):
        Notice.objects.all().delete()
        news.tell_decided(season, season.ends_at + DAY * number)
        assert set(Notice.objects.filter(kind="approval").values_list("user__username", flat=True)) == expected
        co_organizers.choose_notices(competition=season.league, user=ada, is_notified=False)
    for user in (zoe, dan, person("Eve")):
        with pytest.raises(NotYours, match="not a co-organizer"):
            co_organizers.choose_notices(competition=season.league, user=user, is_notified=True)


@pytest.mark.django_db
def test_nobody_is_made_to_organize_more_than_they_could_open_and_a_declined_question_is_gone(clock):
    dan, ada = person("Dan"), person("Ada")
    for _n in range(3):
        cup(ada)
    tournament = cup(dan)
    co_organizers.offer(competition=tournament, by=dan, name="Ada")
    with pytest.raises(GameError, match="already organize three"):
        co_organizers.answer(competition=tournament, user=ada, accepts=True)
    assert co_organizers.answer(competition=tournament, user=ada, accepts=False) == "You have declined."
    tournament.refresh_from_db()
    assert tournament.organizer == dan and not Organizer.objects.exists()


@pytest.mark.django_db
def test_an_organizer_does_not_learn_from_a_refusal_who_has_blocked_them(clock):
    dan, ada = person("Dan"), person("Ada")
    person("Guest", is_guest=True)
    Block.objects.create(user=ada, blocked=dan)
    tournament = cup(dan)
    for name in ("Ada", "Guest", "Zoe"):
        for ask in (
            lambda name=name: co_organizers.offer(competition=tournament, by=dan, name=name),
            lambda name=name: co_organizers.ask_to_help(competition=tournament, by=dan, name=name, rights=["decide"]),
        ):
            with pytest.raises(GameError) as refusal:
                ask()
            assert str(refusal.value) == f"You can’t ask “{name}”. Check the spelling."
    with pytest.raises(GameError, match="is already the organizer"):
        co_organizers.offer(competition=tournament, by=dan, name="Dan")


@pytest.mark.django_db
def test_a_co_organizer_who_blocks_the_organizer_can_still_be_given_other_rights(clock):
    dan, ada = person("Dan"), person("Ada")
    tournament = cup(dan)
    co_organizers.ask_to_help(competition=tournament, by=dan, name="Ada", rights=["decide"])
    co_organizers.answer(competition=tournament, user=ada, accepts=True)
    blocking.block(user=ada, blocked=dan)
    assert co_organizers.ask_to_help(competition=tournament, by=dan, name="Ada", rights=["announce"]).rights == [
        "announce"
    ]


@pytest.mark.django_db
def test_an_organizer_who_takes_questions_back_and_asks_again_sends_ten_notices_a_day_at_most(clock):
    dan, ada, eve = person("Dan"), person("Ada"), person("Eve")
    tournament = cup(dan)
    for _time in range(8):
        co_organizers.ask_to_help(competition=tournament, by=dan, name="Ada", rights=["decide"])
        co_organizers.withdraw(competition=tournament, by=dan, user=ada.pk)
        co_organizers.offer(competition=tournament, by=dan, name="Ada")
        co_organizers.answer(competition=tournament, user=ada, accepts=False)
    co_organizers.offer(competition=tournament, by=dan, name="Eve")
    assert [Notice.objects.filter(user=user, channel="email").count() for user in (ada, eve)] == [10, 1]


def test_organizing_is_no_way_for_new_accounts_to_notify_many_strangers(clock, settings, alice, bob, carol, dan):
    settings.NEW_ACCOUNT_DAYS, settings.NEW_ACCOUNT_INVITATIONS = 3, 1
    tournament = tournaments.open_tournament(user=alice, terms=cup(dan).declared)
    for ask in (co_organizers.offer, partial(co_organizers.ask_to_help, rights=["decide"])):
        with pytest.raises(NotYours, match="New accounts can’t ask others to organize"):
            ask(competition=tournament, by=alice, name="Bob")
    seats = begun(alice, [bob, carol], fewest=2)
    place = Entrant.objects.get(tournament=seats, user=bob)
    people = [person(name) for name in ("Ada", "Eve")]
    tournaments.replace(tournament=seats, entrant=place.pk, by=alice, name="Ada", reason="Bob is ill.")
    with pytest.raises(GameError, match="New accounts can ask 1 player a day to take over"):
        tournaments.replace(tournament=seats, entrant=place.pk, by=alice, name="Eve", reason="Bob is ill.")
    clock.shift(4 * DAY)
    co_organizers.ask_to_help(competition=tournament, by=alice, name="Bob", rights=["decide"])
    tournaments.replace(tournament=seats, entrant=place.pk, by=alice, name="Eve", reason="Bob is ill.")
    assert [Notice.objects.filter(user=user, channel="email").count() for user in people] == [1, 1]


# People who must not write


def ways_to_write(user: User, text: str) -> list:
    """Return what an organizer can write for others to read, as functions, each with a text."""
    league, tournament = league_of(person("Cleo"), organizer=user, rated=False, bots=True), cup(user)
    ban = {"scope": latest(league), "by": user, "name": "Bob"}
    return [
        lambda: services.announce(competition=league, by=user, text=text),
        lambda: services.write_rules(competition=tournament, by=user, text=text),
        lambda: leagues.create_league(user=user, terms=terms_of(name=text)),
        lambda: leagues.change_terms(league=league, user=user, terms=terms_of(name=text)),
        lambda: leagues.enter_bot(league=league, user=user, bot="easy", name=text),
        lambda: tournaments.open_tournament(user=user, terms=msgspec.structs.replace(tournament.declared, name=text)),
        lambda: tournaments.call_off(tournament=tournament, user=user, reason=text),
        lambda: corrections.ban(**ban, reason=text),
        lambda: co_organizers.offer(competition=league, by=user, name="Bob", reason=text),
    ]


def test_people_without_chat_write_nothing_for_others_as_organizers_either(clock, alice, bob):
    ways = ways_to_write(alice, "Bob cheats.")
    roles.appoint(bob, roles.MODERATORS)
    moderation.take(
        by=User.objects.get(pk=bob.pk), user=alice, kind="mute", days=3, reason="Insults.", expected=0
    )  # fmt: skip
    alice.refresh_from_db()
    for way in ways:
        with pytest.raises(NotYours, match="You can’t write anything for other players until"):
            way()
    form = PreferencesForm({"username": "Bob cheats"}, instance=alice)
    assert "You can’t write anything" in str(form.errors["username"])
    clock.shift(4 * DAY)
    ways[0]()


def test_new_accounts_put_no_links_where_others_read_them(clock, settings, alice, bob):
    settings.NEW_ACCOUNT_DAYS = 3
    for way in ways_to_write(alice, "see [this](https://evil.example)"):
        with pytest.raises(GameError, match="New accounts can’t post links"):
            way()
    User.objects.filter(pk=alice.pk).update(date_joined=MONDAY - 4 * DAY)
    alice.refresh_from_db()
    services.write_rules(competition=cup(alice), by=alice, text="see [this](https://our.example)")
