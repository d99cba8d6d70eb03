"""The page of a match, its organizer's decisions, and undoing an intervention, as a browser sees them."""

from datetime import timedelta

import pytest
import time_machine
from django.utils.dateformat import format as date

from games.contests import corrections, interventions
from games.contests.duplicates import services as duplicates
from games.contests.matches import views as match_pages
from games.contests.matches.selectors import competition_of
from games.contests.models import Entrant, Intervention, Match, Season
from games.contests.organizing import co_organizers
from games.contests.tournaments import selectors as tournament_pages
from games.tables.models import Game
from tests.cast import person, play_out, table_of
from tests.contests import cups
from tests.contests.ladders import contest, ends, ladder_of
from tests.contests.leagues import MONDAY, everything, league_of, play_all, sweep
from tests.notices.emails import html_of, received, send_due, text_of
from tests.web.leagues import started_league
from tests.web.reading import text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small_pictures")]
ORGANIZE = "/leagues/harbour/1/organize/"


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


@pytest.fixture
def people(alice, bob, carol, dan):
    return [alice, bob, carol, dan]


@pytest.fixture
def season(people, olga, clock):
    return started_league(clock, *people, organizer=olga)


def playing() -> Match:
    return Match.objects.filter(state="playing").order_by("pk")[0]


def decision(match: Match, *places: int, **more: object) -> dict[str, object]:
    fields = {f"place_{seat}": place for seat, place in enumerate(places)}
    return {"action": "award", "version": match.version, "reason": "A <bug>.", **fields, **more}


def test_a_match_of_a_league_should_end_with_its_season_and_not_a_week_later(come, season, olga):
    match = playing()
    for reader, url in ((None, f"/matches/{match.pk}/"), (olga, f"/matches/{match.pk}/decide")):
        page = " ".join(text(come(reader).get(url)).split())
        assert f"It should end by {date(season.ends_at, 'l, j F')}." in page
        assert f"If it is still running on {date(match.due_at, 'l, j F')}, it is finished without its players." in page
    assert match.due_at == season.ends_at + timedelta(weeks=1)


def test_an_organizer_decides_a_match_after_a_question_and_undoes_it(come, season, olga):
    match, browser = playing(), come(olga)
    first, second = match.appearances.values_list("entrant__name", flat=True)
    page, url = f"/matches/{match.pk}/", f"/matches/{match.pk}/decide"
    assert url in text(browser.get(page)) and url in text(browser.get(ORGANIZE))
    question_page = text(browser.post(url, decision(match, 2, 1)))
    assert f"The result will be: {second} in place 1 and {first} in place 2." in question_page
    assert "A &lt;bug&gt;." in question_page and 'name="sure" value="yes"' in question_page
    assert not Intervention.objects.exists()
    done = text(browser.post(url, decision(match, 2, 1, sure="yes"), follow=True))
    assert "The match is decided." in done and "decided by the organizer" in done and "Undo" in done
    made = Intervention.objects.get()
    for public in (page, "/leagues/harbour/1/", "/leagues/harbour/1/1-1/"):
        seen = text(come().get(public))
        assert "A &lt;bug&gt;." in seen and made.what in seen and "/undo" not in seen
    undo = f"/interventions/{made.pk}/undo"
    assert "Undo this?" in text(browser.get(undo))
    assert browser.post(undo, {"reason": " "}).status_code == 422 and Intervention.objects.count() == 1
    back = text(browser.post(undo, {"reason": "It was no bug."}, follow=True))
    assert "Intervention undone." in back and "undone</span>" in back and "It was no bug." in back
    match.refresh_from_db()
    assert match.state == "playing"
    again = text(browser.get(undo))
    assert "This has already been undone." in again and 'name="reason"' not in again


def test_a_match_changed_meanwhile_is_refused_with_a_sentence_and_what_was_entered_is_kept(come, season, olga):
    match, browser = playing(), come(olga)
    url = f"/matches/{match.pk}/decide"
    stale = decision(match, 2, 1)
    type(match).objects.filter(pk=match.pk).update(version=match.version + 1)
    for sure in ({}, {"sure": "yes"}):
        answer = browser.post(url, stale | sure)
        assert answer.status_code == 422 and "has changed since you opened the page" in text(answer)
    assert 'value="A &lt;bug&gt;."' in text(answer) and f'name="version" value="{match.version + 1}"' in text(answer)
    assert '<option value="2" selected>' in text(answer) and not Intervention.objects.exists()


def test_annulling_needs_confirmation_and_takes_points_back(come, season, olga):
    match, browser = playing(), come(olga)
    ends(match.game, 1, 2)
    sweep()
    match.refresh_from_db()
    fields = {"action": "annul", "version": match.version, "reason": "A mistake of ours."}
    assert "The match doesn’t count in the standings." in text(browser.post(f"/matches/{match.pk}/decide", fields))
    assert not Intervention.objects.exists()
    done = browser.post(f"/matches/{match.pk}/decide", fields | {"sure": "yes"}, follow=True)
    assert "Match annulled." in text(done)
    match.refresh_from_db()
    assert match.state == "annulled" and not Entrant.objects.exclude(points=0).exists()
    assert "More time" not in text(browser.get(f"/matches/{match.pk}/decide"))


@pytest.mark.parametrize("action", ["annul", "extend"])
def test_a_page_that_another_organizer_has_made_stale_neither_annuls_nor_extends(come, season, olga, action):
    match, browser = playing(), come(olga)
    url = f"/matches/{match.pk}/decide"
    stale = {"action": action, "version": match.version, "days": 3, "reason": "x", "sure": "yes"}
    interventions.extend(match=match, by=olga, days=7, reason="A storm.")
    before = everything()
    answer = browser.post(url, stale)
    assert answer.status_code == 422 and "has changed since you opened the page" in text(answer)
    assert everything() == before


def test_a_match_is_extended_without_a_question_and_once_if_the_form_is_sent_twice(come, season, olga):
    match, browser = playing(), come(olga)
    fields = {"action": "extend", "version": match.version, "days": 3, "reason": "A move."}
    answers = [browser.post(f"/matches/{match.pk}/decide", fields, follow=True) for _time in range(2)]
    assert all("Match extended." in text(answer) for answer in answers)
    due = match.due_at
    match.refresh_from_db()
    assert (match.due_at - due).days == 3
    undo = {"reason": "No."}
    browser.post(f"/interventions/{Intervention.objects.get().pk}/undo", undo)
    version = match.version
    match.refresh_from_db()
    assert match.due_at == due and match.version > version


def test_a_match_of_a_tournament_is_extended_on_its_page(come, olga):
    tournament = cups.begun(olga, cups.crowd(4), format="round-robin", seats=4)
    match, browser = cups.running(tournament)[0], come(olga)
    fields = {"action": "extend", "version": match.version, "days": 9, "reason": ""}
    answer = browser.post(f"/matches/{match.pk}/decide", fields)
    assert answer.status_code == 422 and "Enter a reason. Everyone can read it." in text(answer)
    answer = browser.post(f"/matches/{match.pk}/decide", fields | {"reason": "Exams."}, follow=True)
    assert "Match extended." in text(answer) and "9 extra days" in Intervention.objects.get().what


@pytest.mark.parametrize("days", ["", "0", "61", "x", "-3"])
@pytest.mark.sampled
def test_invalid_numbers_of_days_are_refused(come, season, olga, days):
    match = playing()
    fields = {"action": "extend", "version": match.version, "days": days, "reason": "x"}
    answer = come(olga).post(f"/matches/{match.pk}/decide", fields)
    assert answer.status_code == 422 and "Enter a number of days from 1 to 60." in text(answer)
    assert not Intervention.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"place_0": ""}, {"place_0": "9"}, {"place_0": "x"}, {"reason": ""}, {"version": "x"}]
)
@pytest.mark.sampled
def test_invalid_decisions_are_refused(come, season, olga, wrong):
    match, browser = playing(), come(olga)
    answer = browser.post(f"/matches/{match.pk}/decide", decision(match, 1, 2, sure="yes") | wrong)
    assert answer.status_code == 422 and not Intervention.objects.exists()


def test_others_are_redirected_and_change_nothing(come, season, olga, alice):
    match = playing()
    come(olga).post(f"/matches/{match.pk}/decide", decision(match, 2, 1, sure="yes"))
    match.refresh_from_db()
    undo, before = f"/interventions/{Intervention.objects.get().pk}/undo", everything()
    for url, fields in ((f"/matches/{match.pk}/decide", decision(match, 1, 2, sure="yes")), (undo, {"reason": "x"})):
        for answer in (come(alice).post(url, fields, follow=True), come(alice).get(url, follow=True)):
            assert answer.redirect_chain and "Only the organizer can do this." in text(answer)
        assert come().post(url, fields).url.startswith("/accounts/login/")
    assert everything() == before
    assert (
        come().get("/matches/999999/").status_code == come(alice).get("/interventions/999999/undo").status_code == 404
    )


def test_an_organizer_who_plays_is_offered_nothing(come, season, olga):
    Entrant.objects.filter(name="Alice").update(user=olga, name="Olga")
    match, browser = playing(), come(olga)
    url = f"/matches/{match.pk}/decide"
    page = text(browser.get(url))
    assert "You can’t intervene in a competition you play in." in page and 'name="place_0"' not in page
    for sure in ({}, {"sure": "yes"}):
        answer = browser.post(url, decision(match, 1, 2, **sure))
        assert answer.status_code == 422 and not Intervention.objects.exists()


def test_an_organizer_who_plays_is_told_so_instead_of_offered_to_take_decisions_back(come, season, olga):
    match, browser = playing(), come(olga)
    corrections.award(match=match, by=olga, places=[2, 1], reason="x", expected=match.version)
    undo = f"/interventions/{Intervention.objects.get().pk}/undo"
    league = "/leagues/harbour/"
    pages = (f"/matches/{match.pk}/", f"{league}1/", f"{league}1/1-1/", f"{league}interventions/")
    assert all(undo in text(browser.get(page)) for page in pages) and 'name="reason"' in text(browser.get(undo))
    Entrant.objects.filter(name="Alice").update(user=olga, name="Olga")
    why = "You can’t intervene in a competition you play in. Ask site staff."
    for page in pages:
        shown = text(browser.get(page))
        assert undo not in shown and shown.count(why) == 1
    assert f"/matches/{match.pk}/decide" not in text(browser.get(pages[0]))
    for answer in (browser.get(undo), browser.post(undo, {"reason": "x"})):
        assert why in text(answer) and 'name="reason"' not in text(answer) and "Undo this?" not in text(answer)
    staff = come(person("Sten", is_staff=True, is_superuser=True))
    assert undo in text(staff.get(pages[0])) and why not in text(come().get(pages[0]))


def test_an_organizer_who_plays_in_a_tournament_is_not_offered_to_take_decisions_back(come, olga):
    tournament = cups.begun(olga, [olga, *cups.crowd(3)], format="round-robin")
    staff = person("Sten", is_staff=True, is_superuser=True)
    match = cups.running(tournament)[0]
    corrections.award(match=match, by=staff, places=[2, 1], reason="x", expected=match.version)
    undo = f"/interventions/{Intervention.objects.get().pk}/undo"
    assert undo in text(come(staff).get(tournament.get_absolute_url()))
    shown = text(come(olga).get(tournament.get_absolute_url()))
    assert undo not in shown and "You can’t intervene in a competition you play in." in shown


def test_decisions_that_are_final_are_not_offered_to_be_undone(come, olga):
    tournament = cups.begun(olga, cups.crowd(4), format="knockout", seats=4)
    match = cups.running(tournament)[0]
    corrections.award(match=match, by=olga, places=[2, 1], reason="x", expected=match.version)
    undo = f"/interventions/{Intervention.objects.get().pk}/undo"
    assert undo in text(come(olga).get(tournament.get_absolute_url()))
    cups.play_round(tournament)
    assert undo not in text(come(olga).get(tournament.get_absolute_url()))
    assert "The next round has started based on this result" in text(come(olga).get(undo))
    cups.play_out(tournament)
    assert "This competition has ended, and its results are final." in text(come(olga).get(undo))


def test_nobody_is_offered_to_lift_a_decision_about_themselves(come, season, olga, eve):
    ban = corrections.ban(scope=season, by=olga, name="Eve", reason="x")
    eve.is_staff = eve.is_superuser = True
    eve.save()
    page = "/leagues/harbour/interventions/"
    assert f"/interventions/{ban.pk}/undo" in text(come(olga).get(page))
    assert f"/interventions/{ban.pk}/undo" not in text(come(eve).get(page))
    assert "This decision is about you." in text(come(eve).get(f"/interventions/{ban.pk}/undo"))


def test_the_history_of_a_player_says_that_the_organizer_decided(come, season, olga):
    match = playing()
    ends(match.game, 1, 2)
    sweep()
    match.refresh_from_db()
    come(olga).post(f"/matches/{match.pk}/decide", decision(match, 2, 1, sure="yes"))
    first = match.appearances.first().entrant.user
    assert "The organizer decided this match: place 2." in text(come().get(first.get_absolute_url()))


def test_undoing_an_earlier_decision_says_that_the_later_one_stays(come, season, olga):
    match, browser = playing(), come(olga)
    corrections.award(match=match, by=olga, places=[2, 1], reason="x", expected=match.version)
    first = Intervention.objects.get()
    assert "or the previous decision, counts again" in text(browser.get(f"/interventions/{first.pk}/undo"))
    match.refresh_from_db()
    corrections.award(match=match, by=olga, places=[1, 1], reason="x", expected=match.version)
    page = text(browser.get(f"/interventions/{first.pk}/undo"))
    assert "A later decision about this match stays in force" in page and "counts again" not in page
    browser.post(f"/interventions/{first.pk}/undo", {"reason": "x"})
    assert list(match.appearances.values_list("place", flat=True)) == [1, 1]


def test_all_interventions_of_a_league_are_listed_with_its_bans_first(come, season, olga, alice, monkeypatch):
    monkeypatch.setattr(match_pages, "ON_A_PAGE", 3)
    page = "/leagues/harbour/interventions/"
    assert "None so far." in text(come().get(page))
    banned = corrections.ban(scope=season, by=olga, name="Dan", reason="Insults.")
    for match in Match.objects.filter(state="playing").order_by("pk")[:3]:
        interventions.extend(match=match, by=olga, days=1, reason="A storm.")
    first, second = (text(come(alice).get(f"{page}?page={n}")) for n in (1, 2))
    assert "Banned players" in first and "Insults." in first and first.count("A storm.") == 3 and "Older" in first
    assert "Insults." in second and "Banned players" not in second and "Newer" in second
    assert "/undo" not in first and f"/interventions/{banned.pk}/undo" in text(come(olga).get(page))
    assert page in text(come().get("/leagues/harbour/1/"))
    assert come().get("/leagues/none/interventions/").status_code == 404


def test_a_tournament_links_to_its_older_interventions(come, olga, alice, monkeypatch):
    tournament = cups.begun(olga, cups.crowd(4), format="knockout")
    page = f"/tournaments/{tournament.public_id}/interventions/"
    co_organizers.ask_to_help(competition=tournament, by=olga, name="Alice", rights=["announce"])
    co_organizers.answer(competition=tournament, user=alice, accepts=True)
    interventions.extend(match=cups.running(tournament)[0], by=olga, days=1, reason="A storm.")
    assert page not in text(come().get(tournament.get_absolute_url())) and "A storm." in text(come().get(page))
    monkeypatch.setattr(tournament_pages, "MOST_INTERVENTIONS", 1)
    assert page in text(come().get(tournament.get_absolute_url()))
    for url in (
        page,
        tournament.get_absolute_url(),
    ):  # who may only make announcements is offered nothing that is refused
        assert "/undo" in text(come(olga).get(url)) and "/undo" not in text(come(alice).get(url))


def test_an_organizer_approves_the_results(come, season, olga, clock):
    play_all(season)
    clock.move_to(season.starts_at.replace(month=4))
    sweep()
    browser = come(olga)
    assert "Approve results" in text(browser.get(ORGANIZE))
    assert "The organizer checks the results" in text(come().get("/leagues/harbour/1/"))
    seen = {"action": "approve", "decided_at": Season.objects.get().decided_at.isoformat()}
    assert f'name="decided_at" value="{seen["decided_at"]}"' in text(browser.get(ORGANIZE))
    assert "After that, the results are final." in text(browser.post(ORGANIZE, seen))
    clock.shift(60)
    first = Match.objects.order_by("pk")[0]
    places = [3 - place for place in first.appearances.values_list("place", flat=True)]
    corrections.award(match=first, by=olga, places=places, reason="x", expected=first.version)
    stale = browser.post(ORGANIZE, seen | {"sure": "yes"})
    assert stale.status_code == 422 and "The results have changed since you opened the page." in text(stale)
    assert browser.post(ORGANIZE, {"action": "approve", "sure": "yes"}).status_code == 422
    seen["decided_at"] = Season.objects.get().decided_at.isoformat()
    assert f'name="decided_at" value="{seen["decided_at"]}"' in text(stale), "so that the next attempt counts"
    done = text(browser.post(ORGANIZE, seen | {"sure": "yes"}, follow=True))
    assert "The results are approved" in done and Season.objects.filter(number=2).exists()
    match = Match.objects.order_by("pk")[0]
    assert "The results of this competition are final." in text(browser.get(f"/matches/{match.pk}/decide"))


def test_before_the_start_an_organizer_takes_out_and_moves_players_and_bans_them(come, olga, clock):
    league = league_of(*[person(f"P{n}") for n in range(8)], organizer=olga)
    browser, member = come(olga), league.members.order_by("pk")[0]
    page = text(browser.get(ORGANIZE))
    assert "If the season started now" in page and "Division 2-1" in page
    for action, fields, question, done in (
        ("move", {"person": member.pk, "division": "2-1"}, "Move P0?", "Moved."),
        ("out", {"person": member.pk}, "Remove P0 from this season?", "Removed from this season."),
        ("ban", {"name": "p1"}, "Ban P1 from the league?", "P1 is banned from the league."),
    ):
        if action == "move" and "P0" in page.partition("Division 2-1")[2].partition("</ul>")[0]:
            fields["division"] = "1-1"
        form = {"action": action, "reason": "So be it.", **fields}
        question_page = text(browser.post(ORGANIZE, form))
        assert question in question_page and "So be it." in question_page
        assert done in text(browser.post(ORGANIZE, {**form, "sure": "yes"}, follow=True))
    assert Intervention.objects.count() == 3
    public = text(come().get("/leagues/harbour/1/"))
    assert public.count("So be it.") == 3 and "P1" in public
    for nonsense in ("", "x", "2", "²-1", "99999-1"):
        form = {"action": "move", "reason": "x", "person": member.pk, "division": nonsense, "sure": "yes"}
        assert browser.post(ORGANIZE, form).status_code == 422


def test_a_banned_player_is_told_so_instead_of_asked_to_join(come, season, eve, olga):
    assert "Join league</button>" in text(come(eve).get("/leagues/harbour/"))
    corrections.ban(scope=season, by=olga, name="Eve", reason="Cheated.")
    page = text(come(eve).get("/leagues/harbour/"))
    assert "You are banned from this competition." in page and "Join league</button>" not in page


def test_a_ban_that_is_not_possible_is_refused_before_it_is_asked(come, olga, clock):
    league_of(*[person(f"P{n}") for n in range(8)], organizer=olga)
    tournament = cups.cup(olga)
    for address, form, name in (
        (ORGANIZE, {"action": "ban", "reason": "x"}, "name"),
        (f"/tournaments/{tournament.public_id}/organize/", {"form": "ban", "ban-reason": "x"}, "ban-name"),
    ):
        for wrong, refusal in (("Nobody", "There is no player with that name."), ("Olga", "can’t be banned.")):
            answer = come(olga).post(address, {**form, name: wrong})
            assert answer.status_code == 422
            assert refusal in text(answer) and f"Ban {wrong} from" not in text(answer)


def test_organizers_of_a_tournament_can_decide_and_annul_matches_and_ban_players(come, olga):
    tournament = cups.begun(olga, cups.crowd(4), format="knockout")
    browser, organize = come(olga), f"/tournaments/{tournament.public_id}/organize/"
    match = cups.running(tournament)[0]
    assert f"/matches/{match.pk}/decide" in text(browser.get(organize))
    question_page = text(browser.post(f"/matches/{match.pk}/decide", decision(match, 2, 1)))
    assert "This changes who advances." in question_page
    annul = {"action": "annul", "version": match.version, "reason": "Both were ill."}
    question_page = text(browser.post(f"/matches/{match.pk}/decide", annul))
    assert "The result of its game still counts for ratings." in question_page
    assert "The better seed advances." in question_page
    browser.post(f"/matches/{match.pk}/decide", annul | {"sure": "yes"})
    assert "Undo" in text(browser.get(f"/tournaments/{tournament.public_id}/"))
    form = {"form": "ban", "ban-name": "da", "ban-reason": "Insults."}
    assert "Ban Da from the tournament?" in text(browser.post(organize, form))
    assert "Da is banned from the tournament." in text(browser.post(organize, form | {"sure": "yes"}, follow=True))


# From a game to its competition


def test_running_games_link_to_the_competition_that_they_are_played_in(
    season, come, alice, bob, carol, dan, eve, olga, django_assert_num_queries
):
    tournament = cups.begun(olga, [alice, bob, carol, dan], format="knockout")
    ladder_of(alice, bob)
    for game, name, address, button in (
        (playing().game, "Harbour League", "/leagues/harbour/1/1-1/", "Go to Harbour League"),
        (cups.running(tournament)[0].game, "Harbour Cup", tournament.get_absolute_url(), "Go to Harbour Cup"),
        (contest(bob, alice), "Ladder", "/ladder/legends/", "Go to the ladder"),
    ):
        assert competition_of(game) == (name, address, button, "")
        for reader in (alice, eve, None):  # at the top and among the facts
            page = come(reader).get(game.get_absolute_url()).content.decode()
            assert page.count(f'<a href="{address}">{name}</a>') == 2
    opened = table_of(alice, eve)
    with django_assert_num_queries(0):
        assert competition_of(opened) is None


def test_emails_about_a_game_name_its_competition(season, alice):
    send_due()
    email = next(email for email in received("Alice") if email["Subject"].startswith("Game started"))
    assert text_of(email).splitlines()[0].endswith(" · Harbour League") and "· Harbour League" in html_of(email)
    assert "The game has started. Bid to choose" in text_of(email)


def test_each_game_of_a_full_game_links_to_its_competition(clock, people, olga):
    started_league(clock, *people, organizer=olga, full=True)
    first = playing().game
    assert first.full_game_id and competition_of(play_out(first)).name == "Harbour League"
    assert competition_of(first.full_game.games.get(number=2)).name == "Harbour League"


def test_a_finished_game_of_a_duplicate_links_to_it(come, alice, bob, carol, dan, drawn_in_order):
    row = duplicates.open_duplicate(user=alice, ruleset="legends", players=2, tables=2)
    for user in (bob, carol, dan):
        duplicates.join(public_id=row.public_id, user=user)
    game = play_out(Game.objects.filter(duplicate=row).order_by("pk")[0])
    assert f'href="{row.get_absolute_url()}">Go to the duplicate' in text(come(alice).get(game.get_absolute_url()))
