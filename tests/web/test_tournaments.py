"""The pages of tournaments: what they show, and that their forms do what they say."""

import re
from datetime import timedelta
from html import escape, unescape

import pytest
import time_machine
from django.utils import timezone

from games.contests import corrections
from games.contests.models import Entrant, Match, Tournament
from games.contests.pairing import formats
from games.contests.pairing.protocol import Format
from games.contests.terms import fitting
from games.contests.terms.declaration import parse
from games.contests.tournaments import services as tournaments
from games.tables.models import Game
from tests.cast import person
from tests.contests.cups import (
    again,
    begun,
    crowd,
    cup,
    entrant,
    in_days,
    play,
    play_out,
    play_round,
    running,
    sweep,
)
from tests.contests.leagues import accept
from tests.web.reading import errors

pytestmark = pytest.mark.django_db


def page(client, url: str, status: int = 200) -> str:
    answer = client.get(url)
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def post(client, url: str, status: int = 200, **fields: object) -> str:
    """Post the form and return the page that follows."""
    answer = client.post(url, fields, follow=True)
    assert answer.status_code == status, errors(answer)
    return " ".join(answer.content.decode().split())


def words(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


FORM = {
    "name": "Spring Open", "format": "round-robin", "ruleset": "legends", "players": "2", "preset": "", "full": "no",
    "rated": "yes", "seats": "6", "fewest": "4", "when": "full", "days_a_round": "14", "rounds": "0",
    "tie_break_1": "met", "tie_break_2": "score", "tie_break_3": "wins", "pace": "move 1d", "time_out": "seat",
}  # fmt: skip


# Lists


def test_the_list_shows_my_open_running_and_finished_tournaments(come, olga):
    people = crowd(4)
    cup(olga, people[:1], name="Open Cup", format="round-robin")
    begun(olga, people, name="Running Cup", format="round-robin", seats=4)
    play_out(begun(olga, people[1:3], name="Ended Cup", format="round-robin", seats=2, fewest=2))
    html = page(come(), "/tournaments/")
    assert html.index("Open Cup") < html.index("Running Cup") < html.index("Ended Cup")
    assert "2 players per game · 1 day per turn" in html
    assert "1 of 8 places taken · starts when full" in html and "Round 1 of 3 · 4 players" in html
    html = page(come(people[3]), "/tournaments/")
    assert html.index('id="mine"') < html.index("Running Cup") < html.index('id="open"') < html.index("Open Cup")


def test_an_empty_list_says_so(come):
    assert "No tournaments are open right now" in page(come(), "/tournaments/")


# Opening a tournament


def test_visitors_are_asked_to_sign_in_before_they_open_a_tournament(come):
    assert "/accounts/login/" in come().get("/tournaments/open/").headers["Location"]


def test_the_page_has_every_field_of_the_form(come, olga):
    answer = come(olga).get("/tournaments/open/")
    shown = answer.content.decode()
    assert [name for name in answer.context["form"].fields if f'name="{name}"' not in shown] == []


def test_one_form_opens_a_tournament(come, olga):
    empty = page(come(olga), "/tournaments/open/")
    assert ">Open tournament</button>" in empty and "{#" not in empty and empty.count("more fold") == 5
    html = post(come(olga), "/tournaments/open/", **FORM)
    tournament = Tournament.objects.get()
    assert (tournament.name, tournament.organizer, tournament.declared.seats, tournament.declared.clock) == (
        "Spring Open",
        olga,
        6,
        "move 1d",
    )
    assert "0 of 6 places taken" in html and "Head-to-head" in html


def test_the_form_explains_itself(come, olga):
    html = page(come(olga), "/tournaments/open/?format=round-robin&seats=6&pace=move+1d")
    assert "With 6 players: <b>5 rounds</b>, 5 matches each." in html
    assert "The limit is 70 days." in html
    html = page(come(olga), "/tournaments/open/?format=round-robin&seats=41")
    assert "These settings don’t work together yet:" in html and "this format needs" in html


@pytest.mark.parametrize(("part", "other"), [("meaning", 'name="ruleset"'), ("game", 'id="meaning"')])
def test_with_scripts_the_form_requests_parts_of_itself(come, olga, part, other):
    browser = come(olga, htmx=True)
    answer = browser.get("/tournaments/open/?seats=6", headers={"HX-Target": part}).content.decode()
    assert f'id="{part}"' in answer and "<html" not in answer and other not in answer


def test_bots_play_for_the_outlook_of_new_options_only_so_often(come, olga, settings, monkeypatch):
    played = []
    monkeypatch.setattr(fitting, "decisions", lambda *_terms: played.append(1) or 20)
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"outlook": "2/m/key"}
    browser, scripts = come(olga), come(olga, htmx=True)
    address = "/tournaments/open/?ruleset=kingdoms&wish_castle_wall="
    assert [browser.get(f"{address}{n}").status_code for n in range(3)] == [200, 200, 429]
    assert browser.post("/tournaments/open/", {**FORM, "action": "look"}).status_code == 429
    before = len(played)
    refused = scripts.get(f"{address}3", headers={"HX-Target": "meaning"})
    assert refused.status_code == 429 and "Wait" in refused.content.decode() and "<" not in refused.content.decode()
    assert scripts.get(f"{address}4", headers={"HX-Target": "game"}).status_code == 200
    assert browser.get("/tournaments/open/").status_code == 200
    assert len(played) == before + 2  # for the settings of the empty form, whose outlook is kept


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"seats": "41"}, "“Maximum players or teams”: with 2 players per game, this format needs"),
        ({"days_a_round": "1"}, "with this clock, a match takes about"),
        ({"name": ""}, "Enter a name for the tournament."),
        ({"when": "day"}, "Choose a day."),
        ({"when": "day", "day": "2020-01-01"}, "must be in the future"),
        ({"format": "swiss", "rounds": "20"}, "players would have to meet again"),
        ({"players": "9"}, "can’t be played with that many players"),
        ({"seats": "many"}, "Enter a whole number."),
        ({"format": "chess"}, "Select a valid choice"),
        ({"fewest": "9"}, "“Minimum players or teams” can be at most 6"),
    ],
)
@pytest.mark.sampled
def test_errors_are_shown_next_to_what_was_typed(come, olga, wrong, sentence):
    html = post(come(olga), "/tournaments/open/", status=422, **{**FORM, **wrong})
    assert sentence in html and not Tournament.objects.exists()
    assert 'value="Spring Open"' in html or "name" in wrong


def test_numbers_of_formats_that_were_not_chosen_are_ignored_because_their_fields_are_hidden(come, olga):
    post(come(olga), "/tournaments/open/", **{**FORM, "rounds": "3", "boards": "4", "reserves": "2", "pause": "1"})
    declared = Tournament.objects.get().declared
    assert (declared.rounds, declared.boards, declared.pause) == (0, 0, 0)


def test_guests_cannot_organize_or_play(come, client, olga):
    tournament = cup(olga, format="round-robin")
    client.post("/accounts/guest/", {"next": "/tournaments/"})
    assert "for players with an account" in post(client, "/tournaments/open/", **FORM)
    assert not Tournament.objects.exclude(pk=tournament.pk).exists()
    assert "Create an account to play" in page(client, tournament.get_absolute_url())
    assert "Guests can’t enter tournaments" in post(client, f"{tournament.get_absolute_url()}join")


# The terms as text


def form_with(browser, action: str, status: int = 200, **fields: object) -> str:
    answer = browser.post("/tournaments/open/", {**FORM, **fields, "action": action}, follow=True)
    assert answer.status_code == status
    return answer.content.decode()


def test_the_form_and_the_text_fill_each_other(come, olga):
    browser = come(olga)
    html = form_with(browser, "write", name="By Form", tie_break_1="beaten", rounds="0")
    text = unescape(re.search(r'<textarea[^>]*id="toml"[^>]*>(.*?)</textarea>', html, re.DOTALL)[1])
    assert parse(text).name == "By Form" and parse(text).tie_breaks == ("beaten", "score", "wins")
    changed = text.replace("By Form", "By Text").replace("seats = 6", "seats = 5")
    html = form_with(browser, "fill", toml=changed)
    assert 'value="By Text"' in html and "With 5 players:" in html and not Tournament.objects.exists()
    html = form_with(browser, "text", toml=changed)
    tournament = Tournament.objects.get()
    assert tournament.declared == parse(changed) and "0 of 5 places taken" in " ".join(html.split())
    answer = come().get(f"{tournament.get_absolute_url()}tournament.toml")
    assert (
        parse(answer.content.decode()) == tournament.declared and "attachment" in answer.headers["Content-Disposition"]
    )


@pytest.mark.parametrize(
    ("toml", "sentence"),
    [
        ("", "exactly one table"),
        ("[league]\nname = 'x'", "This text describes a league, not a tournament."),
        ("[tournament]\nname = 'x'\nseat = 4", "Did you mean “seats”?"),
        ("[tournament]\nname = 'x'\nstarts = 2020-01-01", "The start must be in the future."),
        ("[tournament]\nname = 'x'\ndays_a_round = 1", "a match takes about"),
    ],
)
@pytest.mark.sampled
def test_a_wrong_text_opens_nothing_and_stays_on_the_page(come, olga, toml, sentence):
    html = form_with(come(olga), "text", status=422, toml=toml)
    assert sentence in html and not Tournament.objects.exists() and 'value="Spring Open"' in html
    assert escape(toml) in html and '<details class="cup-text" id="as-text" open>' in html


# Arenas


def test_the_page_of_an_arena_lets_players_ask_for_a_match(come, olga):
    people = crowd(3)
    tournament = cup(olga, people[:2], format="arena", days=20, fewest=2)
    url, first, second = tournament.get_absolute_url(), come(people[0]), come(people[1])
    assert "others can still join" in page(come(olga), f"{url}start")
    assert "Players can now ask for matches." in post(come(olga), f"{url}start")
    assert 'primary large" type="submit">Play next match</button>' in page(first, url)
    assert "Matches start until" in page(come(), url)
    assert "You are waiting for a match." in post(first, f"{url}next", asked="0")
    assert ">Stop waiting</button>" in page(first, url) and "1 player is waiting." in page(second, url)
    for _tap in range(2):
        html = post(second, f"{url}next", asked="0")
        assert "Your match has started." in html and "Match with Aa" in html
    # The game that has begun comes before the next one
    link = f'class="button primary" href="{Game.objects.get().get_absolute_url()}">Go to my game'
    match = Match.objects.get()
    assert link in html and link in page(first, f"/matches/{match.pk}/")
    assert '<button class="button" type="submit">Play next match</button>' in html
    assert "Go to my game" not in page(come(olga), f"/matches/{match.pk}/")
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        assert "since you opened this page" in post(second, f"{url}next", asked="0")
    assert "You are waiting for a match." in post(second, f"{url}next", asked="1")
    assert "You are no longer waiting" in post(second, f"{url}next", stop="yes")
    assert ">Join now</button>" in page(come(people[2]), url)
    assert "You have joined. Ask for your first match." in post(come(people[2]), f"{url}join")
    assert "You are not in this tournament." in post(come(olga), f"{url}next", asked="0")
    assert "an arena of 20 days" in page(come(), "/tournaments/")


def test_players_whom_the_organizer_keeps_out_are_told_so_instead_of_asked_to_join(come, olga):
    people = crowd(4)
    tournament = cup(olga, people[:2], format="arena", days=20, fewest=2)
    corrections.ban(scope=tournament, by=olga, name=people[2].username, reason="Cheated.")
    banned, replaced, url = come(people[2]), come(people[0]), tournament.get_absolute_url()
    html = page(banned, url)
    assert "You are banned from this competition." in html and ">Sign up</button>" not in html
    tournaments.start(tournament=tournament, user=olga)
    replaced_entrant = entrant(tournament, people[0].username)
    tournaments.replace(
        tournament=tournament, entrant=replaced_entrant.pk, by=olga, name=people[3].username, reason="Away."
    )
    assert ">Play next match</button>" in page(replaced, url)
    accept(people[3])
    html = page(replaced, url)
    assert "Someone else has taken over your place" in html and ">Join now</button>" not in html
    assert "You are banned" in page(banned, url) and ">Join now</button>" in page(come(person("Late")), url)


# Sign-up


def test_organizers_read_what_they_give_up_before_they_sign_up(come, olga, alice):
    url = cup(olga).get_absolute_url()
    sentence = "If you play, you can’t decide matches"
    assert sentence in page(come(olga), url) and sentence not in page(come(alice), url)
    assert sentence not in post(come(olga), f"{url}join")


def test_players_sign_up_and_withdraw_on_the_page(come, olga, alice):
    tournament = cup(olga, format="round-robin")
    url, browser = tournament.get_absolute_url(), come(alice)
    assert ">Sign up</button>" in page(browser, url)
    for language, words_of_button in (("de", "Teilnehmen"), ("fr", "S’inscrire")):  # not those for a new account
        type(alice).objects.filter(pk=alice.pk).update(language=language)
        assert f">{words_of_button}</button>" in page(browser, url)
    type(alice).objects.filter(pk=alice.pk).update(language="en")
    for _tap in range(2):
        html = post(browser, f"{url}join")
        assert html.count("You have signed up") == 1 and ">Withdraw</button>" in html
    assert "Withdraw from Harbour Cup?" in page(browser, f"{url}leave")
    for _tap in range(2):
        assert "You have withdrawn." in post(browser, f"{url}leave")
    answer = browser.get(f"{url}leave", follow=True)
    assert answer.redirect_chain == [(url, 302)] and "You are not in this tournament." in answer.content.decode()


def test_a_full_tournament_shows_no_button(come, olga, alice):
    people = crowd(2)
    tournament = cup(olga, people, format="round-robin", seats=2, fewest=2, starts=in_days(9))
    html = page(come(alice), tournament.get_absolute_url())
    assert "All places are taken." in html and ">Sign up</button>" not in html and "Starts " in html
    assert "All places are taken" in post(come(alice), f"{tournament.get_absolute_url()}join")


def test_players_of_a_full_tournament_read_that_it_is_about_to_start(come, olga):
    people = crowd(2)
    row = cup(olga, people, format="round-robin", seats=2, fewest=2)
    html = page(come(people[0]), row.get_absolute_url())
    assert "All places are taken, so it starts in a moment." in html and "0 more players" not in html


@pytest.mark.parametrize("action", ["", "join", "leave", "start", "organize/"])
def test_an_unknown_tournament_is_not_found(come, alice, action):
    browser = come(alice)
    answer = browser.post(f"/tournaments/nonsense/{action}") if action else browser.get("/tournaments/nonsense/")
    assert answer.status_code == 404


@pytest.mark.parametrize("action", ["join", "start"])
def test_actions_need_a_post(come, olga, alice, action):
    tournament = cup(olga, crowd(4), format="round-robin")
    for user in (alice, olga):
        come(user).get(f"{tournament.get_absolute_url()}{action}", follow=True)
    assert again(tournament).is_open and not Entrant.objects.filter(user__in=[alice, olga]).exists()
    assert "/accounts/login/" in come().post(f"{tournament.get_absolute_url()}{action}").headers["Location"]


# A running tournament


def test_my_table_comes_first(come, olga):
    people = crowd(4)
    tournament = begun(olga, people, format="round-robin", seats=4)
    html = page(come(people[0]), tournament.get_absolute_url())
    game = next(
        match.game for match in running(tournament) if match.appearances.filter(entrant__user=people[0]).exists()
    )
    assert html.index("Go to my game") < html.index('id="round"')
    assert f'href="{game.get_absolute_url()}">Go to my game' in html and "Round 1, with Da." in html
    assert "Go to my game" not in page(come(), tournament.get_absolute_url())


def test_pairings_and_standings_show_who_plays_whom_and_who_leads(come, olga):
    people = crowd(4)
    tournament = play_round(begun(olga, people, format="round-robin", seats=4))
    text = words(page(come(people[1]), tournament.get_absolute_url()))
    assert "Round 2 of 3" in text and "playing" in text
    assert re.search(r"1 Aa 1 of 1 1 .* 1 Ba 1 of 1 1 .* 3 Ca 0 of 1 1", text)
    first = words(page(come(), f"{tournament.get_absolute_url()}?round=1"))
    assert "Aa place 1 · 9 points" in first and "Da place 2 · 8 points" in first
    assert "Round 2 of 3" in page(come(), f"{tournament.get_absolute_url()}?round=99&page=x")


def test_entrants_with_a_bye_are_named(come, olga):
    tournament = begun(olga, crowd(3), format="round-robin", seats=3, fewest=3)
    waiting = Entrant.objects.get(byes=1)
    html = page(come(waiting.user), tournament.get_absolute_url())
    assert "You have a bye this round" in html and "Bye this round:" in html


def test_a_running_tournament_says_until_when_its_round_should_be_over(come, olga):
    tournament = begun(olga, crowd(4), format="round-robin", seats=4, days_a_round=10)
    url, due_at = tournament.get_absolute_url(), timezone.now() + timedelta(days=10)
    sentence = f"This round should be over by {due_at:%A}, {due_at.day} {due_at:%B}"
    assert sentence in page(come(), url)
    first, _second = running(tournament)
    tournaments.extend(tournament=tournament, match=first.pk, by=olga, days=7, reason="A storm.")
    later = due_at + timedelta(days=7)
    assert f"This round should be over by {later:%A}, {later.day} {later:%B}" in page(come(), url)
    with time_machine.travel(due_at + timedelta(days=8)):
        assert "This round should be over by" not in page(come(), url)


def test_the_last_round_promises_no_other_round(come, olga):
    tournament = begun(olga, crowd(3), format="round-robin", seats=3, fewest=3)
    url = tournament.get_absolute_url()
    first = Entrant.objects.get(byes=1)
    assert "You have a bye this round. You play again in the next round." in page(come(first.user), url)
    play_round(play_round(tournament))
    last = Entrant.objects.filter(appearances__match__round=2).exclude(appearances__match__round=3).get()
    assert "It is the last round, so you have no more matches." in page(come(last.user), url)


def test_a_player_whose_last_match_is_over_waits_for_the_end_and_not_for_a_round(come, olga):
    tournament = begun(olga, crowd(4), format="round-robin", seats=4)
    url = tournament.get_absolute_url()
    for sentence in ("The next round starts", "The next round starts", "The tournament ends"):
        match = running(tournament)[0]
        reader = match.appearances.first().entrant.user
        play(match)
        sweep(tournament)
        assert f"Your match is over. {sentence} when all matches are over." in page(come(reader), url)
        play_round(tournament)


def test_a_player_whose_group_is_over_is_not_offered_to_drop_out(come, olga):
    people = crowd(8)
    tournament = begun(olga, people, format="groups")
    while again(tournament).round < tournament.rounds:
        play_round(tournament)
    url = tournament.get_absolute_url()
    html = page(come(people[7]), url)
    assert "Your group is over. You can watch the final." in html and "Drop out" not in html
    answer = come(people[7]).get(f"{url}leave", follow=True)
    assert answer.redirect_chain == [(url, 302)] and "You keep your place." in answer.content.decode()
    assert "Drop out" in page(come(people[0]), url)


def test_a_bracket_shows_rounds_byes_and_who_advances(come, olga):
    people = crowd(6)
    tournament = play_round(begun(olga, people, format="knockout"))
    text = words(page(come(people[5]), tournament.get_absolute_url()))
    assert "You have been eliminated." in text
    assert (
        "seed 1 Aa bye" in text
        and "seed 3 Ca 9 9 points › advances" in text
        and "Final to be decided to be decided" in text
    )
    tournament = play_out(tournament)
    text = words(page(come(people[0]), tournament.get_absolute_url()))
    assert "Aa won" in text and "seed 1 Aa 9 9 points ★ won" in text and "You won." in text


@pytest.mark.long
def test_groups_and_the_final_are_on_one_page(come, olga):
    tournament = play_out(begun(olga, crowd(8), format="groups"))
    text = words(page(come(), tournament.get_absolute_url()))
    assert text.index("Aa won") < text.index("Final") < text.index("Group 1") < text.index("Group 2")


def test_names_are_escaped(come, olga):
    people = crowd(2)
    tournament = begun(olga, people, format="knockout", seats=2, fewest=2, name="<b>Cup</b>")
    Entrant.objects.filter(name="Ba").update(name="<i>Ba</i>", user=None, bot="random")
    html = page(come(), tournament.get_absolute_url())
    assert "<i>Ba" not in html and "&lt;i&gt;Ba" in html and "<b>Cup" not in html


def test_dropping_out_needs_confirmation(come, olga):
    people = crowd(4)
    tournament = begun(olga, people, format="round-robin", seats=4)
    browser, url = come(people[1]), tournament.get_absolute_url()
    assert "You can’t rejoin the tournament." in page(browser, f"{url}leave")
    for _tap in range(2):
        html = post(browser, f"{url}leave")
        assert "A bot finishes your current game." in html and "You have dropped out." in html and "Ba" in html
    answer = browser.get(f"{url}leave", follow=True)
    assert answer.redirect_chain == [(url, 302)] and "You are no longer in this tournament." in answer.content.decode()


def test_interventions_are_on_the_page_with_their_reasons(come, olga):
    tournament = begun(olga, crowd(4), format="round-robin", seats=4)
    tournaments.annul(tournament=tournament, match=running(tournament)[0].pk, by=olga, reason="The ferry was late.")
    text = words(page(come(), tournament.get_absolute_url()))
    assert "Olga annulled a match" in text and "“The ferry was late.”" in text


def test_a_canceled_tournament_says_why(come, olga, alice):
    tournament = cup(olga, [alice], format="round-robin")
    tournaments.call_off(tournament=tournament, user=olga, reason="Nobody else came.")
    html = page(come(alice), tournament.get_absolute_url())
    assert "canceled" in html and "Nobody else came." in html and "Sign up</button>" not in html
    assert "Olga canceled the tournament “Nobody else came.”" in words(html)
    assert "Olga canceled the tournament “Nobody else came.”" in words(
        page(come(alice), f"{tournament.get_absolute_url()}interventions/")
    )


@pytest.mark.sampled
@pytest.mark.parametrize("format", ["swiss", "knockout"])
def test_a_page_needs_few_queries_however_many_play(come, olga, format, django_assert_max_num_queries):
    people = crowd(14)
    tournament = begun(olga, people, format=format, seats=16)
    play(running(tournament)[0])
    tournament = sweep(tournament)
    reader = come(people[9])
    page(reader, tournament.get_absolute_url())
    with django_assert_max_num_queries(10):
        page(reader, tournament.get_absolute_url())
    with django_assert_max_num_queries(10):
        page(reader, "/tournaments/")


# The organizer's page


def test_only_the_organizer_can_open_the_organizers_page(come, olga, alice):
    tournament = begun(olga, [alice, *crowd(3)], format="round-robin", seats=4)
    url = tournament.get_absolute_url()
    assert "Only the organizer can do this." in post(come(alice), f"{url}organize/", form="player")
    assert "Only the organizer can do this." in post(come(alice), f"{url}start")
    assert "/accounts/login/" in come().get(f"{url}organize/").headers["Location"]
    assert "organize/" not in page(come(alice), url) and "organize/" in page(come(olga), url)
    staff = person("Sten", is_staff=True, is_superuser=True)
    assert "Manage a match" in page(come(staff), f"{url}organize/")


def test_the_organizer_starts_it_once_enough_have_signed_up(come, olga):
    tournament = cup(olga, crowd(3), format="round-robin", fewest=4)
    browser, url = come(olga), tournament.get_absolute_url()
    assert "It can start once 4 players have signed up." in page(browser, f"{url}organize/")
    assert "It takes 4 to start" in post(browser, f"{url}start")
    answer = browser.get(f"{url}start", follow=True)
    assert answer.redirect_chain == [(url, 302)] and "It takes 4 to start" in answer.content.decode()
    tournaments.join(tournament=tournament, user=person("Zoe"))
    assert f'href="{url}start"' in page(browser, f"{url}organize/")
    assert "Start the tournament now?" in page(browser, f"{url}start") and again(tournament).is_open
    assert "The first matches begin" in post(browser, f"{url}start")
    assert "already started" in browser.get(f"{url}start", follow=True).content.decode()


def test_the_question_about_starting_says_how_many_have_no_place(come, olga):
    people = crowd(8)
    tournament = cup(olga, people, format="round-robin", players=3, seats=9)
    url = f"{tournament.get_absolute_url()}start"
    assert "so the last one to sign up is left out." in page(come(olga), url)
    tournaments.leave(tournament=tournament, user=people[7])
    assert "left out" not in page(come(olga), url)
    Tournament.objects.update(terms=tournament.terms | {"confirmed_email": True})
    people[0].emailaddress_set.update(verified=False)
    assert "1 player no longer meets the entry conditions and is left out." in page(come(olga), url)


def test_the_question_about_starting_is_not_asked_if_too_few_would_be_left(come, olga):
    people = crowd(4)
    tournament = cup(olga, people, format="knockout", fewest=4, confirmed_email=True)
    url = tournament.get_absolute_url()
    assert "Start the tournament now?" in page(come(olga), f"{url}start")
    people[0].emailaddress_set.update(verified=False)
    answer = come(olga).get(f"{url}start", follow=True)
    assert answer.redirect_chain == [(url, 302)]
    refusal = "3 players have signed up so far. It takes 4 to start."
    assert f"{refusal} 1 player who had signed up no longer met the entry conditions" in answer.content.decode()


def test_someone_who_signs_in_to_play_returns_to_the_tournament(come, olga):
    tournament = cup(olga)
    shown = page(come(), tournament.get_absolute_url())
    assert f"/accounts/signup/?next={tournament.get_absolute_url()}" in shown
    assert f"/accounts/login/?next={tournament.get_absolute_url()}" in shown
    assert come(olga).get(f"{tournament.get_absolute_url()}join").url == tournament.get_absolute_url()


def test_a_canceled_tournament_says_so_and_offers_nothing_more(come, olga):
    people = crowd(1)
    tournament = cup(olga, people, name="Frozen Cup")
    tournaments.call_off(tournament=tournament, user=olga, reason="The harbour is frozen.")
    shown = page(come(people[0]), tournament.get_absolute_url())
    assert "This tournament was canceled before it started." in shown and "The harbour is frozen." in shown
    assert "bye" not in shown and "The limit is" not in shown
    assert "organize/" not in page(come(olga), tournament.get_absolute_url())


def test_the_organizer_adds_bots(come, olga):
    tournament = cup(olga, format="round-robin", rated=False, bots=True)
    html = post(come(olga), f"{tournament.get_absolute_url()}organize/", **{"form": "bot", "bot-bot": "medium"})
    assert "Medium is signed up." in html and tournament.entrants.get().bot == "medium"
    assert 'name="bot-seen" value="1"' in page(come(olga), f"{tournament.get_absolute_url()}organize/")
    for seen in (1, 1, 2):  # the second one is the second of two taps
        post(
            come(olga),
            f"{tournament.get_absolute_url()}organize/",
            **{"form": "bot", "bot-bot": "medium", "bot-seen": seen},
        )
    assert [bot.name for bot in tournament.entrants.order_by("pk")] == ["Medium", "Medium 2", "Medium 3"]
    rated = cup(olga, format="round-robin")
    assert "Add a bot" not in page(come(olga), f"{rated.get_absolute_url()}organize/")


def test_the_organizer_replaces_an_entrant(come, olga, eve):
    tournament = begun(olga, crowd(4), format="round-robin", seats=4)
    wish = {
        "form": "player", "player-entrant": entrant(tournament, "Ba").pk, "player-action": "replace",
        "player-name": "Nobody", "player-reason": "Ba is ill.",
    }  # fmt: skip
    browser, url = come(olga), f"{tournament.get_absolute_url()}organize/"
    html = post(browser, url, status=422, **wish)
    assert "There is no player with that name." in html and 'value="Nobody"' in html
    html = post(browser, url, **{**wish, "player-name": "Eve"})
    assert "We have asked Eve. Ba keeps playing until they accept." in html
    accept(eve)
    assert tournament.entrants.filter(user=eve).exists()


def test_an_organizer_who_plays_is_refused_before_being_asked(come, olga):
    tournament = cup(olga, [olga, *crowd(2)], format="round-robin")
    url = f"{tournament.get_absolute_url()}organize/"
    out = {
        "form": "player",
        "player-entrant": entrant(tournament, "Ba").pk,
        "player-action": "remove",
        "player-reason": "x",
    }
    for fields in (out, {"form": "ban", "ban-name": "Ba", "ban-reason": "x"}):
        assert "a competition you play in. Ask site staff." in post(come(olga), url, status=422, **fields)


def test_the_organizer_removes_an_entrant_and_cancels_the_tournament(come, olga):
    tournament = cup(olga, crowd(3), format="round-robin")
    browser, url = come(olga), f"{tournament.get_absolute_url()}organize/"
    out = {
        "form": "player",
        "player-entrant": entrant(tournament, "Ba").pk,
        "player-action": "remove",
        "player-reason": "Bye.",
    }
    question = post(browser, url, **out)
    assert "<h1>Remove Ba?</h1>" in question and "They can’t sign up again unless you undo this." in question
    for _tap in range(2):
        assert "Player removed." in post(browser, url, **out, sure="yes")
    off = {"form": "close", "close-reason": "Winter."}
    question = post(browser, url, **off)
    assert "<h1>Cancel the tournament?</h1>" in question and "We’ll tell everyone who has signed up" in question
    # Not “Cancel”, which could mean the tournament or the question
    assert re.findall(r'<(?:button|a) class="button [^>]+>([^<]+)<', question) == ["Cancel tournament", "Back"]
    html = post(browser, url, **off, sure="yes")
    assert "was canceled" in html
    tournament.refresh_from_db()
    assert tournament.state == "closed" and tournament.entrants.count() == 2


def test_removing_a_player_after_the_start_says_what_it_means_and_happens_once(come, olga):
    people = crowd(4)
    tournament = begun(olga, people, format="round-robin", seats=4)
    tournaments.leave(tournament=tournament, user=people[2])
    browser, url = come(olga), f"{tournament.get_absolute_url()}organize/"

    def out(name: str, **more: str) -> dict[str, object]:
        pk = entrant(tournament, name).pk
        return {"form": "player", "player-entrant": pk, "player-action": "remove", "player-reason": "Bye.", **more}

    question = post(browser, url, **out("Ba"))
    assert "They get no more matches and rank last. A bot finishes their current games" in question
    for _tap in range(2):
        assert "Player removed." in post(browser, url, **out("Ba", sure="yes"))
    refused = post(browser, url, status=422, **out("Ca", sure="yes"))
    assert "Ca has already dropped out." in refused and 'value="Bye."' in refused


def test_an_old_page_that_still_offers_an_eliminated_player_is_refused_with_a_sentence(come, olga):
    tournament = play_round(begun(olga, crowd(4), format="knockout", seats=4))
    url = f"{tournament.get_absolute_url()}organize/"
    fields = {"form": "player", "player-action": "remove", "player-reason": "Bye."}
    refused = post(come(olga), url, status=422, **fields, **{"player-entrant": entrant(tournament, "Da").pk})
    assert "This player has nothing left to play here. Choose another." in refused and 'value="Bye."' in refused


def test_nonsense_from_the_organizers_page_is_no_server_error(come, olga):
    tournament = begun(olga, crowd(4), format="round-robin", seats=4)
    url = f"{tournament.get_absolute_url()}organize/"
    assert "Choose another." in post(
        come(olga), url, status=422, **{"form": "player", "player-entrant": "x", "player-action": "remove"}
    )
    assert "Manage tournament" in post(come(olga), url, form="nonsense")


# Formats


def test_a_new_format_needs_only_its_entry(come, olga, monkeypatch):
    """Everyone plays their neighbor by seed, twice."""
    neighbors = Format(
        slug="neighbors", word="neighbors", sentence="Neighbors: everyone plays their neighbor twice",
        fields=lambda players: range(players, 64, players), rounds=lambda entrants, players: 2,
        matches=lambda entrants, players, rounds: (rounds, rounds),
        pair=lambda pool: pool.paired([pool.entrants[n : n + 2] for n in (0, 2)], pool.entrants),
    )  # fmt: skip
    monkeypatch.setitem(formats.KINDS, neighbors.slug, neighbors)
    monkeypatch.setitem(formats.FORMATS, neighbors.slug, neighbors.sentence)
    tournament = begun(olga, crowd(4), format="neighbors", seats=4)
    assert "Round 1 of 2" in page(come(), "/tournaments/")
    tournament = play_out(tournament)
    html = page(come(), tournament.get_absolute_url())
    assert tournament.has_ended and tournament.rounds == 2 and neighbors.sentence in html and "2 of 2" in words(html)
