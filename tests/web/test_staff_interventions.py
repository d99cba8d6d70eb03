"""The admin desk of a game: staff find the game, see what a spectator sees, verify it, and intervene with a reason."""

import re

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.contests.duplicates import services as duplicates
from games.notices.delivery import messages
from games.notices.models import Notice
from games.tables.models import Entry, FullGame, Game, Replacement, Seat
from games.tables.services import lobby, play
from tests.cast import again, in_turns, person, play_out, play_turns, submit, table_of
from tests.contests import cups
from tests.contests.ladders import contest, ladder_of
from tests.contests.seasons import division_of, look
from tests.contests.seasons import game as game_of
from tests.kept import kept_if_first
from tests.notices.emails import deliver_alone
from tests.rules.kingdoms.positions import position
from tests.tables.family import SWAMP, seeded
from tests.tables.interventions import end, give, going_on, void
from tests.tables.kingdoms import ASK, kingdoms, put
from tests.tables.kingdoms import do as does
from tests.tables.readings import change_secrets, secrets_of_others
from tests.web.reading import controls, text, without_token

pytestmark = pytest.mark.django_db
WHY = "The mail was down."
OPEN = {"collusion": True}


def staff(name: str = "Chief", *permissions: str) -> User:
    user = person(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return user


@pytest.fixture
def chief(come) -> Client:
    return come(staff("Chief", "view_game", "change_game", "view_notice", "view_entry"))


@pytest.fixture
def monday():
    with time_machine.travel("2027-03-01T08:00Z", tick=False):
        yield


@pytest.fixture
def game(alice, bob) -> Game:
    return kept_if_first("going on", timezone.now().date(), play=lambda: going_on(alice, bob))


def desk(game: Game, query: str = "") -> str:
    return reverse("admin:tables_game_desk", args=[game.pk]) + query


def ask(browser: Client, game: Game, intervention: str, **fields: object):
    """Fill in a form of the desk and submit it, unconfirmed."""
    filled = {"seq": again(game).seq, "reason": WHY, **fields}
    return browser.post(reverse("admin:tables_game_intervene", args=[game.pk, intervention]), filled)


def do(browser: Client, game: Game, intervention: str, **fields: object):
    """Fill in a form of the desk and confirm it."""
    confirmation = ask(browser, game, intervention, **fields)
    assert confirmation.status_code == 200 and again(game).seq == game.seq
    sent = {control["name"]: control.get("value", "") for control in controls(confirmation) if "name" in control}
    return browser.post(reverse("admin:tables_game_intervene", args=[game.pk, intervention]), sent)


FILLED = {
    "replace": {"seat": "0", "player": ""},
    "time": {"seat": "", "number": "2", "unit": "days"},
    "end": {},
    "void": {},
}


# Finding a game


@pytest.mark.parametrize(
    "words", ["{id}", " {id} ", "https://example.org/games/{id}/?at=3#log", "/games/{id}/record.json"]
)
def test_a_game_is_found_by_its_id_or_any_address_of_it(chief, game, bob, dan, words):
    in_turns(bob, dan)
    assert games_found(chief, words.format(id=game.public_id)) == [game]


def test_a_game_is_found_by_its_players_and_owners(chief, game, alice, carol):
    assert games_found(chief, "ALICE") == games_found(chief, "alice@example.org") == [game]
    assert games_found(chief, "carol") == games_found(chief, "nobody") == games_found(chief, "nobody@example.org") == []


def test_the_games_of_a_full_game_and_of_a_duplicate_are_found_by_their_address(chief, alice, bob, carol, dan):
    table_of(carol, dan)
    first = play_turns(table_of(alice, bob, full=True), 5)
    end(first)
    full = FullGame.objects.get()
    for words in (f"{full.pk}", f"#{full.pk}", f"https://example.org/full-games/{full.pk}/"):
        assert set(games_found(chief, words)) == set(full.games.all())
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=3)
    assert len(games_found(chief, f"https://example.org{row.get_absolute_url()}")) == 3


def games_found(browser: Client, words: str) -> list[Game]:
    answer = browser.get(reverse("admin:tables_game_changelist"), {"q": words})
    return list(answer.context["cl"].queryset)


# Permissions


def test_only_staff_with_permission_intervene(come, game, alice, carol):
    nobody, looks = come(staff("Newcomer")), come(staff("Looker", "view_game"))
    assert nobody.get(desk(game)).status_code == 403
    assert looks.get(desk(game)).status_code == 200 and "Interventions</h2>" not in text(looks.get(desk(game)))
    for reader in (None, alice, carol):
        assert come(reader).get(desk(game)).headers["Location"].startswith("/admin/login/")
    for intervention, fields in FILLED.items():
        address = reverse("admin:tables_game_intervene", args=[game.pk, intervention])
        filled = {"seq": game.seq, "reason": WHY, "sure": "yes", **fields}
        for reader in (None, alice, carol):
            answer = come(reader).post(address, filled)
            assert answer.status_code == 302 and answer.headers["Location"].startswith("/admin/login/"), intervention
        assert nobody.post(address, filled).status_code == 403, intervention
        assert looks.post(address, filled).status_code == 403, intervention
        assert again(game).seq == game.seq, intervention


def test_unknown_games_and_interventions_are_not_found(chief, game):
    assert chief.get("/admin/tables/game/999999/desk/").status_code == 404
    assert ask(chief, game, "delete").status_code == 404
    assert chief.get(reverse("admin:tables_game_intervene", args=[game.pk, "end"])).status_code == 404


# Intervening


@pytest.mark.parametrize("intervention", FILLED)
def test_each_intervention_is_confirmed_done_once_and_recorded(chief, game, carol, intervention):
    answer = do(chief, game, intervention, **FILLED[intervention])
    assert (answer.status_code, answer.headers["Location"]) == (302, desk(game))
    entry = Entry.objects.get(game=game, seq=game.seq + 1)
    assert entry.seat is None and entry.actions[0].endswith(WHY)
    assert WHY in LogEntry.objects.get().get_change_message()
    page = text(chief.get(desk(game)))
    assert "Done. The players have been notified." in page and f"Reason: “{WHY}”" in page
    assert ("Interventions</h2>" in page) == (intervention in ("replace", "time"))


def test_staff_who_play_at_the_table_are_offered_no_intervention(come, alice, game):
    alice.is_staff = True
    alice.save()
    alice.user_permissions.set(Permission.objects.filter(codename__in=["view_game", "change_game"]))
    page = text(come(alice).get(desk(game)))
    assert (
        "Interventions</h2>" not in page
        and "You play in this game or competition. Ask another member of staff." in page
    )
    assert ask(come(alice), game, "end", sure="yes").status_code == 409 and again(game).is_running


def test_a_player_who_is_asked_answers_on_a_separate_page(chief, come, game, carol, eve):
    assert "We asked Carol." in text(chief.get(do(chief, game, "replace", seat="0", player="Carol").url))
    address = reverse("replacement", args=[Replacement.objects.get().pk])
    assert come(eve).get(address).status_code == 404 and come(None).get(address).status_code == 302
    browser = come(carol)
    assert address in text(browser.get("/desk/"))
    page = text(browser.get(address))
    assert "Will you take over for Alice?" in page and f"Reason: “{WHY}”" in page
    assert browser.post(address, {"answer": "accept"}).headers["Location"] == "/desk/"
    assert Seat.objects.get(game=game, number=0).user == carol
    again_asked = browser.post(address, {"answer": "decline"})
    assert again_asked.status_code == 409 and "You have already answered, or the request was withdrawn." in text(
        again_asked
    )


def test_without_a_reason_the_form_asks_for_it_and_keeps_what_was_filled_in(chief, game):
    for intervention, fields in FILLED.items():
        answer = ask(chief, game, intervention, **{**fields, "player": "Carol", "reason": " "})
        assert answer.status_code == 422, intervention
        assert "Enter a reason. Everyone at the table can read it." in text(answer), intervention
        assert intervention != "replace" or 'value="Carol"' in text(answer)


def test_a_refusal_is_shown_with_its_sentence(chief, game):
    filled = {**FILLED["replace"], "player": "Carol", "sure": "yes", "seq": game.seq}
    answer = ask(chief, game, "replace", **filled)
    assert answer.status_code == 409 and "Check the spelling." in text(answer)
    play_turns(game, 1)
    answer = ask(chief, game, "end", sure="yes", seq=game.seq)
    assert (
        answer.status_code == 409
        and "The game has changed since you loaded this page, so your moves were not played. Check the table and "
        "play again."
        in text(answer)
    )
    assert f'name="seq" value="{game.seq + 1}"' in text(answer)
    assert ask(chief, game, "time", **{**FILLED["time"], "number": "900"}).status_code == 422


def test_a_button_verifies_the_log(chief, game):
    assert "No problems found: hash chain, seed, draws, decisions and rows are consistent." in text(
        chief.get(desk(game, "?verify=1"))
    )
    Seat.objects.filter(game=game).update(owes=False, deadline=None, since=None, time_left=None)
    page = text(chief.get(desk(game, "?verify=1")))
    assert "The check found 1 problem." in page and "The seats that owe" not in page


def test_open_and_finished_games_have_a_desk_without_interventions(chief, alice, game):
    void(game)
    for table in (lobby.open_table(user=alice, players=3), game):
        assert "Interventions</h2>" not in text(chief.get(desk(table)))


def test_the_desk_links_to_the_contest_of_the_game(chief, alice, bob):
    ladder_of(alice, bob)
    game = contest(bob, alice)
    assert 'href="/ladder/legends/"' in text(chief.get(desk(game)))
    pool = division_of(*(person(name) for name in ("Cara", "Dora")))
    look(pool)
    met = game_of(pool, "Cara", "Dora")
    assert met.match.pool.season.get_absolute_url() in text(chief.get(desk(met)))
    cup = cups.begun(person("Olga"), cups.crowd(4), format="knockout")
    assert cup.get_absolute_url() in text(chief.get(desk(cups.running(cup)[0].game)))


# What the table shows


@pytest.mark.parametrize("intervention", FILLED)
def test_players_see_the_intervention_at_the_top_until_they_take_a_turn(
    chief, game, come, alice, bob, carol, intervention
):
    come(bob).get(game.get_absolute_url())
    do(chief, game, intervention, **FILLED[intervention])
    for _again in range(2):
        page = text(come(bob).get(game.get_absolute_url()))
        assert page.index('id="decisions"') < page.index("<h1") and page.count(WHY) >= 2
    if intervention == "void":
        assert '<h1 id="headline" tabindex="-1">The game was canceled</h1>' in page and 'id="result"' not in page
    assert come().get(f"{game.get_absolute_url()}view.json").json()["decisions"][-1]["said"].endswith(f"“{WHY}”")
    assert WHY in text(come().get(f"{game.get_absolute_url()}?at={game.seq + 1}"))


def test_players_find_a_canceled_game_on_their_desk(chief, game, come, alice):
    do(chief, game, "void")
    page = text(come(alice).get("/desk/"))
    assert game.get_absolute_url() in page and "canceled" in page and "None" not in page


def test_a_player_who_has_taken_a_turn_since_no_longer_sees_the_intervention(chief, game, come, alice):
    do(chief, game, "time", **FILLED["time"])
    come(alice).get(game.get_absolute_url())
    play_turns(game, 1)
    assert 'id="decisions"' not in text(come(alice).get(game.get_absolute_url()))


def test_a_reason_is_escaped(chief, game, come):
    do(chief, game, "time", **{**FILLED["time"], "reason": "<script>alert({seat})</script> 100 %"})
    for page in (text(chief.get(desk(game))), text(come().get(game.get_absolute_url()))):
        assert "<script>alert" not in page and "&lt;script&gt;alert({seat})&lt;/script&gt; 100 %" in page


def test_the_next_email_mentions_the_intervention(chief, game, bob):
    do(chief, game, "time", **{**FILLED["time"], "seat": "0"})
    play_turns(game, 1)
    message = messages.message(Notice.objects.filter(kind="turn", seat__user=bob).latest("seq"))
    assert any(WHY in sentence for news_line in message.since for sentence in news_line.sentences)


# What the desk must not reveal


def pages(browser: Client, game: Game) -> list[str]:
    """All admin pages about a game, without what differs in each response."""
    change = reverse("admin:tables_game_change", args=[game.pk])
    answers = [browser.get(desk(game)), browser.get(desk(game, "?log=all&verify=1")), browser.get(change)]
    answers += [
        browser.get(reverse("admin:notices_notice_changelist")),
        browser.get(reverse("admin:tables_entry_changelist")),
    ]
    return [without_token(answer) for answer in answers]


def test_h7_the_desk_does_not_reveal_who_has_bid(monday, chief, alice, bob, carol):
    game = table_of(alice, bob, carol)
    give(game)
    before = pages(chief, game)
    submit(game, 1, "bid 3")
    play.lay_out(game=game, who=0, actions=["bid 7"], expected_seq=again(game).seq)
    dropped = [deliver_alone(notice.pk) for notice in Notice.objects.filter(kind__in=["turn", "time"], user=bob)]
    assert dropped and not any(dropped)
    assert pages(chief, game) == before


def test_h7_games_that_differ_only_for_players_have_the_same_desk(monkeypatch, monday, chief, alice, bob):
    seeded(monkeypatch, 2)
    game = table_of(alice, bob, options=SWAMP)
    while not secrets_of_others(game, None):
        play_turns(game, 1)
    before = pages(chief, game)
    change_secrets(game, None)
    assert differing(before, pages(chief, game)) == []


def differing(before: list[str], after: list[str]) -> list[int]:
    """Return which pages differ, apart from the result of verifying the changed log."""
    section = re.compile(r'<section class="module" aria-labelledby="check-title">.*?</section>', re.DOTALL)
    return [
        n
        for n, (old, new) in enumerate(zip(before, after, strict=True))
        if section.sub("", old) != section.sub("", new)
    ]


@pytest.mark.parametrize("hidden", [("attack 1 with A4", "attack 1 with A6"), ("gift 1 A4", "gift 1 A6")])
def test_the_desk_does_not_reveal_what_is_hidden_at_a_table_of_kingdoms(monday, chief, alice, bob, carol, hidden):
    game = kingdoms(alice, bob, carol, orders=ASK, options={"collusion": True})
    desks = []
    for text_of in hidden:
        with transaction.atomic():
            hands = {0: "A4 A6 C9", 1: "A7", 2: "A5"}
            put(game, position(3, hands=hands, rulers="- 0 -" if "gift" in text_of else "- - -", options=OPEN))
            does(game, 0, text_of)
            desks.append(without_token(chief.get(desk(game, "?log=all"))))
            transaction.set_rollback(True)
    assert desks[0] == desks[1] and "Alice" in desks[0]


def test_staff_read_no_log_of_a_duplicate_while_a_table_may_still_play_its_deal(come, alice, bob, carol, dan):
    chief = come(staff("Chief", "view_game", "change_game", "view_entry"))
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for user in (bob, carol, dan):
        duplicates.join(public_id=row.public_id, user=user)
    first, second = row.games.order_by("pk")
    entries = reverse("admin:tables_entry_changelist")
    play_out(first)
    for game in (first, second):
        assert "Other tables play this deal too. You can read the log when the duplicate is over." in text(
            chief.get(desk(game, "?log=all"))
        )
        assert game.public_id not in text(chief.get(entries))
    entry = Entry.objects.filter(game=second).first()
    assert chief.get(reverse("admin:tables_entry_change", args=[entry.pk])).status_code == 302
    play_out(second)
    assert "Other tables play this deal too. You can read the log when the duplicate is over." not in text(
        chief.get(desk(second))
    ) and second.public_id in text(chief.get(entries))
