"""Creating a league: a form and a text that are equivalent, errors next to their fields, then a forecast."""

import re
from html import unescape

import pytest
import time_machine

from games.contests.leagues import services as seasons
from games.contests.leagues.forms import LeagueForm
from games.contests.models import League, LeagueState
from games.contests.terms.declaration import LeagueTerms, parse, text
from tests.contests.leagues import MONDAY, START, league_of, terms_of

pytestmark = pytest.mark.django_db
CREATE = "/leagues/create/"
HOME = "/leagues/harbour-league/"
FIELDS = LeagueForm.data_of(terms_of())
QUICK = {"name": "Harbour League", "action": "form"}


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(MONDAY, tick=False):
        yield


@pytest.fixture(autouse=True)
def few_seasons(monkeypatch):
    """Forecast few seasons: what a forecast says is tested elsewhere."""
    monkeypatch.setattr(seasons, "SIMULATED", 50)


def unescaped(answer) -> str:
    return unescape(answer.content.decode())


def shown_text(answer) -> str:
    """The contents of the text field."""
    return re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", unescaped(answer), re.S)[1]


def send(browser, action: str, url: str = CREATE, **fields: str):
    return browser.post(url, {**FIELDS, "action": action, **fields})


def error_of(answer, name: str) -> str:
    """The error shown next to a field."""
    return " ".join(answer.context["form"].errors.get(name, []))


# The form


def test_the_form_is_prefilled_and_shows_no_errors_yet(come, olga):
    answer = come(olga).get(CREATE)
    assert answer.status_code == 200 and "errorlist" not in unescaped(answer)
    assert parse(shown_text(answer).replace('name = ""', 'name = "x"')) == LeagueTerms(name="x")


def open_folds(answer) -> set[str]:
    return set(re.findall(r'<details class="more fold" id="([\w-]+)" open>', unescaped(answer)))


def test_what_most_people_leave_alone_is_folded_and_says_what_is_set(come, olga):
    page = unescaped(come(olga).get(CREATE))
    assert page.count('class="more fold"') == 5 and not open_folds(come(olga).get(CREATE))
    for words in ("Players in a division: ", "Weeks per season: ", "Bots play it to the end", "everyone"):
        assert re.search(rf"<summary>[^<]*<span[^>]*>[^<]*{words}", page), words


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("weeks", "99", "times"),
        ("spread", "x", "divisions"),
        ("tie_break_1", "luck", "ties"),
        ("drop_outs", "x", "unplayed"),
        ("rating_from", "x", "gate-fields"),
    ],
)
def test_a_folded_part_with_an_error_is_open(come, olga, name, value, part):
    answer = send(come(olga), "form", **{name: value})
    assert answer.status_code == 422 and open_folds(answer) == {part}
    assert re.search(rf'id="{part}" open>.*?class="error.*?</details>', unescaped(answer), re.S)


def test_the_form_copied_to_text_shows_the_text(come, olga):
    assert re.search(r'id="as-text" open>', unescaped(send(come(olga), "write")))


def test_a_submitted_form_becomes_a_draft_with_a_forecast_that_its_organizer_opens(come, olga, monkeypatch):
    monkeypatch.undo()  # as many seasons as on the site
    browser = come(olga)
    answer = send(browser, "form")
    assert (answer.status_code, answer.url) == (302, HOME)
    league = League.objects.get()
    assert (league.state, league.organizer, league.declared) == (LeagueState.DRAFT, olga, terms_of())
    page = unescaped(browser.get(HOME))
    assert "Based on 1,000 simulated seasons" in page and "Each player plays" in page and "Open sign-up" in page
    browser.post(HOME + "open")
    assert "What to expect" in unescaped(come().get(HOME))


def test_the_organizer_is_warned_if_the_clock_does_not_fit_the_season(come, olga):
    browser = come(olga)
    answer = send(browser, "form", weeks="4", late="1", unfinished="points")
    assert League.objects.get().declared.unfinished == "points"
    page = unescaped(browser.get(answer.url))
    assert "The season may be too short for the clock. If one player uses the whole clock" in page
    assert "matches that are still running end, and their current points count" in page


def test_points_cannot_count_in_a_game_where_they_do_not_decide_who_is_ahead(come, olga):
    answer = send(come(olga), "form", ruleset="kingdoms", players="3", division="6", unfinished="points")
    assert "points don’t show who is ahead before the end" in error_of(answer, "unfinished")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("name", "", "Enter a name for the league."),
        ("ruleset", "chess", "We don’t have this game."),
        ("players", "9", "can’t be played with that many players"),
        ("weeks", "x", "Enter a whole number."),
        ("weeks", "99", "less than or equal to 52"),
        ("weeks", "1", "“Weeks per season”: with this clock"),
        ("late", "8", "“Weeks for late joiners”"),
        ("promoted", "3", "“Players promoted”: of 4 players, 3 would be promoted and 3 relegated"),
        ("tie_break_2", "met", "lists a tie-break twice"),
        ("tie_break_1", "luck", "luck is not one of the available choices"),
        ("starts", "soon", "Enter a date"),
        ("full", "", "Choose what a match is."),
        ("rated", "", "Choose whether matches are rated."),
        ("drop_outs", "x", "Choose one of these options."),
        ("pace", "", "Choose a time per turn."),
    ],
)
@pytest.mark.sampled
def test_errors_are_shown_next_to_their_fields_and_nothing_is_lost_or_written(come, olga, name, value, sentence):
    answer = send(come(olga), "form", **{"name": "Kept as typed", "toml": "kept too", name: value})
    field = {"tie_break_2": "tie_break_1"}.get(name, name)
    assert answer.status_code == 422 and sentence in error_of(answer, field)
    assert sentence in unescaped(answer) and ("Kept as typed" in unescaped(answer) or name == "name")
    assert shown_text(answer) == "kept too" and not League.objects.exists()


def test_a_division_that_cannot_be_scheduled_gets_an_error_next_to_its_size(come, olga):
    answer = send(come(olga), "form", players="3", division="8")
    assert "with 3 players per game, a division must have" in error_of(answer, "division")


def test_the_form_shows_what_the_game_refuses(come, olga):
    answer = send(come(olga), "text", toml='[league]\nname = "x"\noptions = { chess = true }')
    assert answer.status_code == 422 and "“options”" in unescaped(answer)


@pytest.mark.parametrize(
    "terms",
    [
        terms_of(),
        LeagueTerms(name="All as usual"),
        LeagueTerms(name="Bots", ruleset="kingdoms", rated=False, bots=True, tie_breaks=(), drop_outs="annul", pause=0),
        LeagueTerms(
            name="Slow", players=3, clock="bank 4d +6h cap 6d weekends-off", division=7, spread=3, hours_from=0
        ),
        LeagueTerms(name="Own time", clock="move 1d6h", tie_breaks=("wins", "beaten", "strength", "met", "score")),
        LeagueTerms(name="Options", options={"portals": True, "dragon": "6"}, time_out="out", at_once=6),
    ],
)
def test_form_and_text_are_equivalent(terms):
    form = LeagueForm(LeagueForm.data_of(terms))
    form.is_valid()
    assert form.terms == terms == parse(text(form.terms))


def test_the_form_can_be_turned_into_text_and_the_text_into_the_form(come, olga):
    browser = come(olga)
    written = shown_text(send(browser, "write", name="River League", weeks="9"))
    assert parse(written) == terms_of(name="River League", weeks=9)
    answer = send(browser, "fill", toml=written.replace("River", "Canal"))
    assert answer.status_code == 200 and answer.context["form"]["name"].value() == "Canal League"
    assert answer.context["form"]["weeks"].value() == "9" and not League.objects.exists()


def test_the_options_of_a_game_are_shown_without_validation(come, olga):
    answer = send(come(olga), "look", ruleset="kingdoms", name="", weeks="x")
    assert answer.status_code == 200 and "errorlist" not in unescaped(answer)
    part = come(olga, htmx=True).post(CREATE, {**FIELDS, "action": "look", "ruleset": "kingdoms"})
    assert unescaped(part).lstrip().startswith("<div") and 'id="toml"' not in unescaped(part)


# The text


def test_a_text_alone_creates_a_league(come, olga):
    answer = come(olga).post(CREATE, {"action": "text", "toml": text(terms_of())})
    assert answer.url == HOME and League.objects.get().declared == terms_of()


@pytest.mark.parametrize(
    ("toml", "sentence"),
    [
        ("", "exactly one table, [league] or [tournament]"),
        ("[league", "This is not valid TOML"),
        ('[league]\nname = "x"\nweek = 9', "There is no line “week”. Did you mean “weeks”?"),
        ('[league]\nname = "x"\nweeks = "nine"', "“weeks” must be a whole number."),
        ('[league]\nname = "x"\nweeks = 99', "“weeks” must be a number from 1 to 52."),
        ("[league]\nweeks = 9", "The line “name” is missing."),
        ('[league]\nname = "x"\nclock = "soon"', "“clock”"),
        ('[league]\nname = "x"\nweeks = 1\nlate = 0', "“weeks”: with this clock"),
        ('[tournament]\nname = "x"', "This text describes a tournament"),
        ('[league]\nname = "\\u0000"', "“name” must be one line"),
    ],
)
@pytest.mark.sampled
def test_an_error_in_the_text_names_its_line_and_the_text_is_kept(come, olga, toml, sentence):
    answer = send(come(olga), "text", name="Typed in the form", toml=toml)
    assert answer.status_code == 422 and sentence in unescaped(answer)
    assert shown_text(answer) == toml and "Typed in the form" in unescaped(answer) and not League.objects.exists()


def test_the_settings_of_a_league_can_be_downloaded(come, olga):
    league_of(weeks=11)
    answer = come().get("/leagues/harbour/league.toml")
    assert answer["Content-Disposition"] == 'attachment; filename="harbour.toml"'
    assert parse(answer.content.decode()) == terms_of(weeks=11)


# Permissions


def test_visitors_must_sign_in_and_guests_are_refused(come, client):
    assert come().get(CREATE).status_code == 302
    client.post("/accounts/guest/")
    assert send(client, "form").url == "/accounts/signup/" and not League.objects.exists()


def test_nobody_organizes_more_than_three_leagues(come, olga):
    for name in ("First", "Second", "Third"):
        assert send(come(olga), "form", name=name).status_code == 302
    answer = send(come(olga), "form", name="Fourth")
    assert answer.status_code == 422 and "You already organize three leagues." in unescaped(answer)


def test_a_league_cannot_take_an_address_of_the_site(come, olga):
    assert send(come(olga), "form", name="Create").url == "/leagues/create-2/"


def test_the_organizer_edits_the_settings_for_future_seasons(come, olga, alice):
    league_of(alice, organizer=olga)
    url = "/leagues/harbour/settings/"
    assert "Changes apply from the next season that opens" in unescaped(come(olga).get(url))
    answer = come(olga).post(url, {**FIELDS, "action": "form", "weeks": "10"}, follow=True)
    assert "They apply from season 2." in unescaped(answer)  # season 1 is open for sign-up
    assert League.objects.get().declared.weeks == 10
    assert League.objects.get().seasons.get().declared.weeks == 8
    for reader in (alice, None):
        come(reader).post(url, {**FIELDS, "action": "form", "weeks": "12"})
    assert League.objects.get().declared.weeks == 10
    assert "Only the organizer can do this." in unescaped(come(alice).get(url, follow=True))


def test_an_open_league_keeps_its_game(come, olga):
    league_of(organizer=olga)
    answer = send(come(olga), "form", "/leagues/harbour/settings/", ruleset="classic")
    assert answer.status_code == 422 and "You can’t change a league’s game." in unescaped(answer)


def test_opening_sign_up_asks_first_because_it_cannot_be_undone(come, olga):
    send(come(olga), "form")
    assert f'href="{HOME}open"' in unescaped(come(olga).get(HOME))
    question = unescaped(come(olga).get(HOME + "open"))
    assert "Open sign-up for Harbour" in question and "You can’t undo this." in question
    assert League.objects.get().state == "draft" and come().get(HOME + "open", follow=True).status_code == 200
    assert "Sign-up is open." in unescaped(come(olga).post(HOME + "open", follow=True))
    assert come(olga).get(HOME + "open").url == HOME


def test_discarding_an_unpublished_league_deletes_it(come, olga, alice):
    send(come(olga), "form")
    assert come(alice).get(HOME + "close").status_code == 404
    assert come(alice).post(HOME + "close").url == "/leagues/", "as for a league that does not exist"
    question = unescaped(come(olga).get(HOME + "close"))
    assert "Discard Harbour" in question and "A running season" not in question and League.objects.exists()
    assert "The league is discarded." in unescaped(come(olga).post(HOME + "close", follow=True))
    assert not League.objects.exists() and come(olga).get(HOME).status_code == 404


def test_only_the_organizer_is_asked_whether_to_close_a_league(come, olga, alice):
    league_of(alice, organizer=olga)
    close = "/leagues/harbour/close"
    assert "Only the organizer can do this." in unescaped(come(alice).get(close, follow=True))
    assert "you can’t reopen the league" in unescaped(come(olga).get(close))
    assert "The league is closed." in unescaped(come(olga).post(close, follow=True))


def test_the_first_season_must_start_in_the_future(come, olga):
    answer = send(come(olga), "form", starts="2027-02-01")
    assert answer.status_code == 422 and "Choose a later day." in unescaped(answer) and not League.objects.exists()
    assert send(come(olga), "form").status_code == 302
    assert send(come(olga), "form", HOME + "settings/", starts="2027-02-01").status_code == 422
    with time_machine.travel(START, tick=False):
        assert "Choose a later day." in unescaped(come(olga).post(HOME + "open", follow=True))
    assert START.date().isoformat() == FIELDS["starts"]
