"""Standings and results as files and in frames of other sites."""

import csv
import io
import json

import pytest
import time_machine

from accounts.services import delete_account
from games.contests.models import Entrant
from tests.contests.cups import begun, cup, play_round
from tests.contests.leagues import MONDAY, league_of, play_all, started

pytestmark = pytest.mark.django_db
DIVISION = "/leagues/harbour/1/1-1/"


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


def as_csv(answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))


def test_a_division_as_json_holds_its_standings_and_results(come, clock, alice, bob, carol, dan):
    season = started(league_of(alice, bob, carol, dan), clock)
    play_all(season, "Alice")
    standings = come().get(f"{DIVISION}standings.json").json()
    assert (standings["format"], standings["league"], standings["season"], standings["group"]) == (
        "standings/1", "Harbour League", 1, "1-1",
    )  # fmt: skip
    assert standings["final"] is False and standings["url"].endswith(DIVISION)
    best = standings["rows"][0]
    assert (best["place"], best["player"], best["points"], best["possible"], best["kind"]) == (
        1,
        "Alice",
        3,
        3,
        "person",
    )
    results = come().get(f"{DIVISION}results.json").json()["rows"]
    assert len(results) == 6 and all(row["state"] == "ended" and sorted(row["places"]) == [1, 2] for row in results)
    assert all(row["link"] for row in results)


def test_files_are_the_same_for_every_reader(come, clock, alice, bob, carol, dan):
    started(league_of(alice, bob, carol, dan), clock)
    for name in ("standings.json", "results.json", "embed/"):
        contents = {come(reader).get(DIVISION + name).content for reader in (None, alice)}
        assert len(contents) == 1


def test_a_name_that_looks_like_a_formula_computes_nothing_in_a_spreadsheet(come, clock, alice, bob, carol, dan):
    started(league_of(alice, bob, carol, dan), clock)
    Entrant.objects.filter(name="Alice").update(name="=1+1")
    rows = as_csv(come().get(f"{DIVISION}standings.csv"))
    assert {row["player"] for row in rows} == {"'=1+1", "Bob", "Carol", "Dan"}
    assert any(row["players"].startswith("'=1+1; ") for row in as_csv(come().get(f"{DIVISION}results.csv")))


def test_tournaments_have_files_too(come, alice, bob, carol, dan):
    tournament = play_round(begun(alice, [alice, bob, carol, dan], seats=4))
    standings = come().get(f"/tournaments/{tournament.public_id}/standings.json").json()
    assert standings["tournament"] == "Harbour Cup" and standings["rows"][0]["place"] == 1
    results = as_csv(come().get(f"/tournaments/{tournament.public_id}/results.csv"))
    assert [result["state"] for result in results] == ["ended", "ended", "playing", "playing"]


def test_a_knockout_has_places_and_no_points(come, alice, bob, carol, dan):
    tournament = play_round(begun(alice, [alice, bob, carol, dan], seats=4, format="knockout"))
    rows = come().get(f"/tournaments/{tournament.public_id}/standings.json").json()["rows"]
    assert sorted((line["place"] or 0) for line in rows) == [0, 0, 3, 3] and rows[0]["points"] is None


def test_any_site_may_frame_the_standings_which_run_no_scripts_and_set_no_cookies(come, clock, alice, bob, carol, dan):
    started(league_of(alice, bob, carol, dan), clock)
    tournament = cup(alice, [bob])
    for address in ("/leagues/harbour/embed/", f"{DIVISION}embed/", f"/tournaments/{tournament.public_id}/embed/"):
        for reader in (None, alice):
            answer = come(reader).get(address)
            page, policy = answer.content.decode(), answer["Content-Security-Policy"]
            assert answer.status_code == 200 and "frame-ancestors *" in policy and "default-src 'none'" in policy
            assert "script-src" not in policy and "form-action 'none'" in policy
            assert "X-Frame-Options" not in answer and not answer.cookies
            assert not any(word in page for word in ("<script", "<form", "<button", "csrf", "<img"))
    assert "Alice" in come().get("/leagues/harbour/embed/").content.decode()


def test_a_frame_names_former_players_in_the_language_of_the_reader(come, clock, alice, bob, carol, dan):
    started(league_of(alice, bob, carol, dan), clock)
    delete_account(dan)
    page = come().get(f"{DIVISION}embed/", headers={"Accept-Language": "de"}).content.decode()
    assert "Ehemaliger Spieler" in page and "Former player" not in page


def test_pages_with_forms_still_cannot_be_framed(come, clock, alice, bob, carol, dan):
    started(league_of(alice, bob, carol, dan), clock)
    for address in ("/leagues/harbour/", DIVISION, f"{DIVISION}standings.json"):
        answer = come(alice).get(address)
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"] and answer["X-Frame-Options"] == "DENY"


def test_what_does_not_exist_has_no_files(come, alice):
    league_of()
    for address in (
        f"{DIVISION}standings.json", f"{DIVISION}embed/", "/leagues/nowhere/embed/", "/tournaments/none/standings.csv",
        "/leagues/harbour/1/1-1/secrets.json",
    ):  # fmt: skip
        assert come(alice).get(address).status_code == 404
    assert "Nobody has played yet" in come().get("/leagues/harbour/embed/").content.decode()


def test_the_pages_link_their_files(come, clock, alice, bob, carol, dan):
    started(league_of(alice, bob, carol, dan), clock)
    page = come().get(DIVISION).content.decode()
    assert f"{DIVISION}standings.csv" in page and f"{DIVISION}embed/" in page
    assert json.loads(come().get(f"{DIVISION}results.json").content)
