"""Pages of team leagues: signing up as a team, the captain's page, match days, files and the organizer's forms."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from accounts.services import delete_account
from games.contests.models import Entrant, Match, Team, TeamInvitation, Tournament
from games.contests.organizing import co_organizers
from games.contests.teams import services as teams
from games.home.calendar import events_of
from tests.cast import person
from tests.contests.cups import again, play, running, sweep
from tests.contests.team_leagues import begun, day, league, player, squad, team

pytestmark = pytest.mark.django_db


def again_user(name):
    return User.objects.get(username=name)


def act(client, of, follow=True, **fields):
    return client.post(reverse("team_act", args=[of.tournament.public_id, of.pk]), fields, follow=follow)


def read(client, url):
    answer = client.get(url)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


OPEN = {
    "name": "Harbour Teams", "format": "teams", "ruleset": "legends", "players": "2", "full": "no", "rated": "yes",
    "seats": "6", "fewest": "2", "boards": "3", "reserves": "1", "days_a_round": "14", "rounds": "0", "when": "full",
    "tie_breaks": "strength met score wins", "pace": "bank 2d +8h cap 3d", "time_out": "seat",
}  # fmt: skip


def test_an_organizer_opens_a_team_league_with_the_form(client, olga):
    client.force_login(olga)
    page = read(client, reverse("open_tournament") + "?format=teams")
    assert "Boards per team match" in page and "Team league: teams of 2 to 6" in page
    form = client.get(reverse("open_tournament"), OPEN).context["form"]
    wanted = {name: form[name].value() for name in form.fields} | OPEN
    sent = {name: value for name, value in wanted.items() if value not in (None, False)}
    assert client.post(reverse("open_tournament"), sent).status_code == 302
    terms = Tournament.objects.get().declared
    assert (terms.boards, terms.reserves, terms.squad, terms.is_for_teams) == (3, 1, 4, True)
    wrong = client.post(reverse("open_tournament"), sent | {"boards": "7"})
    assert wrong.status_code == 422 and Tournament.objects.count() == 1


def test_a_captain_founds_a_team_and_players_join_by_name_and_by_link(client, olga):
    tournament = league(olga)
    alice, bob, carol = person("Alice"), person("Bob"), person("Carol")
    client.force_login(alice)
    assert "Create a team" in read(client, tournament.get_absolute_url())
    answer = client.post(reverse("create_team", args=[tournament.public_id]), {"name": "Foxes"}, follow=True)
    foxes = Team.objects.get()
    assert answer.redirect_chain[-1][0] == foxes.get_absolute_url()
    assert "1 player short" in read(client, foxes.get_absolute_url())
    act(client, foxes, action="invite", name="Bob")
    link = reverse("team_link", args=[tournament.public_id, foxes.pk, foxes.invite_token])
    page = read(client, foxes.get_absolute_url())
    assert (
        link in page and 'data-copy="invite-team"' in page and "/lobby." in page
    )  # with the script that shows the button

    client.force_login(bob)
    assert "Alice invited you to the team Foxes." in read(client, tournament.get_absolute_url())
    page = read(client, foxes.get_absolute_url())
    assert "The captain has invited you" in page and foxes.invite_token not in page
    assert "You have joined the team." in act(client, foxes, action="join").content.decode()
    client.force_login(carol)
    assert "Join the team" not in read(client, foxes.get_absolute_url())
    assert client.get(link[:-3] + "xx/").status_code == 404
    assert "Join the team" in read(client, link)
    act(client, foxes, action="join", token=foxes.invite_token)
    assert len(squad(tournament, "Foxes").players) == 3
    client.logout()
    assert "With this link you can join the team." in read(client, link)
    assert "Sign in to join" in read(client, link) and "Join the team" not in read(client, foxes.get_absolute_url())


def test_a_player_who_leaves_reads_what_becomes_of_the_team(client, olga):
    foxes = team(league(olga), "Foxes")
    for name, sentence in (("Foxes1", "Foxes2 becomes the captain."), ("Foxes2", "so the team is deleted.")):
        client.force_login(again_user(name))
        assert sentence in act(client, foxes, action="leave").content.decode()
        act(client, foxes, action="leave", sure="yes")


def test_a_player_who_has_dropped_out_is_not_said_to_be_in_the_team(client, olga):
    tournament = begun(olga, 4, 3)
    foxes, owls = squad(tournament, "Foxes").team, squad(tournament, "Owls").team
    client.force_login(again_user("Foxes3"))
    act(client, foxes, action="leave", sure="yes")
    answer = act(client, owls, action="join", token=owls.invite_token)
    assert "You have dropped out of this league" in answer.content.decode()
    client.force_login(again_user("Foxes1"))
    answer = act(client, foxes, action="invite", name="Foxes3")
    assert "Foxes3 is no longer in this league. Ask someone else." in answer.content.decode()


def test_only_the_captain_sees_and_uses_the_captains_buttons(client, olga):
    tournament = league(olga)
    foxes = team(tournament, "Foxes")
    for name in ("Foxes2", "Olga"):
        client.force_login(again_user(name))
        page = read(client, foxes.get_absolute_url())
        assert foxes.invite_token not in page and ("Make captain" in page) is (name == "Olga")  # who organizes it
        answer = act(client, foxes, action="invite", name="Olga")
        assert "Only the captain can do this." in answer.content.decode()
        act(client, foxes, action="renew")
        act(client, foxes, action="remove", player=player(tournament, "Foxes1").pk, sure="yes")
    assert Team.objects.get().invite_token == foxes.invite_token and len(squad(tournament, "Foxes").players) == 2
    assert not TeamInvitation.objects.exists()


def test_the_page_of_a_team_reads_the_boards_once(client, olga):
    foxes = squad(begun(olga, 2), "Foxes").team
    with CaptureQueriesContext(connection) as queries:
        assert "Foxes2" in read(client, foxes.get_absolute_url())
    assert sum('FROM "contests_board"' in query["sql"] for query in queries) == 1


def test_an_invitation_of_a_captain_whose_account_was_deleted_names_someone(client, olga, eve):
    tournament = league(olga)
    foxes = team(tournament, "Foxes", 2)
    teams.invite(team=foxes, by=foxes.captain, name="Eve")
    delete_account(foxes.captain)
    client.force_login(eve)
    assert "Someone invited you to the team Foxes." in read(client, tournament.get_absolute_url())


def test_invitations_to_teams_share_the_limit_of_those_to_tables(client, olga, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"invite": "1/h/key"}
    foxes = team(league(olga), "Foxes", 1)
    client.force_login(again_user("Foxes1"))
    answers = [act(client, foxes, action="invite", name=person(name).username) for name in ("Bob", "Carol")]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert TeamInvitation.objects.count() == 1
    assert act(client, foxes, action="renew").status_code == 200


def test_leaving_asks_first_and_a_team_without_players_is_gone(client, olga):
    tournament = league(olga)
    foxes = team(tournament, "Foxes", 1)
    client.force_login(again_user("Foxes1"))
    assert "Leave Foxes?" in act(client, foxes, action="leave").content.decode()
    assert Team.objects.exists()
    for _tap in range(2):
        answer = act(client, foxes, action="leave", sure="yes")
        assert answer.redirect_chain[-1][0] == tournament.get_absolute_url() and not Team.objects.exists()
    assert client.get(foxes.get_absolute_url()).status_code == 404


@pytest.mark.parametrize("action", ["leave", "hand_over", "remove", "take_out"])
def test_strangers_are_refused_and_not_asked_whether_they_are_sure(client, olga, action):
    tournament = league(olga)
    foxes = team(tournament, "Foxes", 2)
    client.force_login(person("Eve"))
    answer = act(client, foxes, action=action, player=player(tournament, "Foxes1").pk, reason="x")
    assert answer.redirect_chain and "Foxes?" not in answer.content.decode()
    assert len(squad(tournament, "Foxes").players) == 2


def test_captains_are_not_asked_to_confirm_an_action_that_would_be_refused(client, olga):
    tournament = league(olga)
    foxes = team(tournament, "Foxes", 2)
    client.force_login(again_user("Foxes1"))
    answer = act(client, foxes, action="remove", player=player(tournament, "Foxes1").pk)
    assert "You can’t remove yourself. Leave the team instead." in answer.content.decode()
    tournament.state = "ended"
    tournament.save()
    for action in ("hand_over", "remove", "leave"):
        answer = act(client, foxes, action=action, player=player(tournament, "Foxes2").pk)
        assert answer.redirect_chain and "Foxes?" not in answer.content.decode()


def test_the_second_of_two_taps_of_a_captain_changes_nothing_more(client, olga):
    tournament = league(olga)
    foxes = team(tournament, "Foxes", 4)
    client.force_login(again_user("Foxes1"))
    last = player(tournament, "Foxes4").pk
    assert f'value="{last}"> <input type="hidden" name="place" value="4">' in read(client, foxes.get_absolute_url())
    for place, order in (("4", "1243"), ("4", "1243"), ("3", "1423"), ("", "4123")):
        assert "Order changed." in act(client, foxes, action="up", player=last, place=place).content.decode()
        assert "".join(member.entrant.name[-1] for member in squad(tournament, "Foxes").players) == order
    for action, pk, sentence in (
        ("remove", player(tournament, "Foxes2").pk, "The player is no longer in the team. There is a new link to join"),
        ("hand_over", player(tournament, "Foxes3").pk, "The team has a new captain."),
    ):
        for _tap in range(2):
            assert sentence in act(client, foxes, action=action, player=pk, sure="yes").content.decode()
    foxes.refresh_from_db()
    assert foxes.captain.username == "Foxes3" and len(squad(tournament, "Foxes").players) == 3
    act(client, foxes, action="hand_over", player=player(tournament, "Foxes4").pk, sure="yes")
    foxes.refresh_from_db()
    assert foxes.captain.username == "Foxes3"


def test_the_pages_of_a_running_league_show_the_match_day_and_the_standings(client, olga):
    tournament = begun(olga, 3)
    page = read(client, tournament.get_absolute_url())
    assert "Its games should be over by" in page and "This round" not in page
    for board_match in running(tournament):
        play(board_match)
    tournament = sweep(tournament)
    [match] = day(tournament, 1)
    page = read(client, tournament.get_absolute_url())
    assert "Match day 1 of 3" in page and "Match day 2 starts on" in page and "Bye:" in page
    assert page.index(match.team_match.get_absolute_url()) < page.index("Standings")
    match_page = read(client, match.team_match.get_absolute_url())
    assert f"/matches/{match.boards[0].board.match.pk}/" in match_page and "decided" in match_page
    assert match.team_match.get_absolute_url() in read(client, reverse("match", args=[match.boards[0].board.match.pk]))
    assert match.team_match.get_absolute_url() in read(client, match.team_match.home.get_absolute_url())
    assert client.get(reverse("team_match", args=["xxxxxxxx", match.team_match.pk])).status_code == 404


def test_the_organizer_decides_a_board_on_its_page_and_the_match_page_lists_it(client, olga):
    tournament = begun(olga, 2)
    [match] = day(tournament, 1)
    board = match.boards[0].board.match
    client.force_login(olga)
    sent = {"action": "award", "version": Match.objects.get(pk=board.pk).version, "place_0": "1", "place_1": "2",
            "reason": "Did not appear.", "sure": "yes"}  # fmt: skip
    assert client.post(reverse("decide_match", args=[board.pk]), sent).status_code == 302
    page = read(client, match.team_match.get_absolute_url())
    assert "“Did not appear.”" in page and "Undo" in page
    assert "Did not appear." in read(client, tournament.get_absolute_url())


def test_the_pages_of_two_seasons_are_linked_and_say_that_teams_stay_signed_up(client, olga):
    tournament = begun(olga, 2, pause=2)
    for board_match in running(tournament):
        play(board_match)
    tournament = sweep(tournament)
    following = Tournament.objects.get(follows=tournament)
    assert f'<a href="{following.get_absolute_url()}">Next season</a>' in read(client, tournament.get_absolute_url())
    page = read(client, following.get_absolute_url())
    assert f'<a href="{tournament.get_absolute_url()}">Previous season</a>' in page
    assert "the next one starts 2 weeks after this one ends" in page and "Harbour League, season 2" in page
    team = following.teams.get(name="Foxes")
    client.force_login(person("Eve"))
    link = reverse("team_link", args=[following.public_id, team.pk, team.invite_token])
    sentence = "Teams stay signed up from season to season."
    assert sentence in read(client, link)
    assert sentence in read(client, reverse("create_team", args=[following.public_id]))
    member = team.players.get(entrant__name="Foxes2")
    client.force_login(member.entrant.user)
    for _tap in range(2):
        assert "You have left the team." in act(client, team, action="leave", sure="yes").content.decode()
    assert [member.entrant.name for member in team.players.all()] == ["Foxes1"]


def test_the_organizer_takes_a_team_out_on_its_page_with_a_reason(client, olga):
    tournament = league(olga)
    foxes = team(tournament, "Foxes")
    client.force_login(olga)
    assert act(client, foxes, action="take_out", reason="").status_code == 422
    assert "Remove Foxes from the league?" in act(client, foxes, action="take_out", reason="Joke.").content.decode()
    for _tap in range(2):
        page = act(client, foxes, action="take_out", reason="Joke.", sure="yes").content.decode()
        assert "The team has been removed." in page and "already been removed" not in page
    assert Team.objects.get().is_out and "already been removed" in act(
        client, foxes, action="take_out", reason="Not funny.", sure="yes"
    ).content.decode()  # fmt: skip
    assert ">removed</span>" in read(client, tournament.get_absolute_url())
    assert "“Joke.”" in read(client, tournament.get_absolute_url())
    assert "0 of 6 teams formed" in read(client, reverse("tournaments"))


def test_the_question_about_removing_a_player_promises_no_place_of_their_own(client, olga):
    tournament = begun(olga, 2)
    client.force_login(olga)
    fields = {"player-entrant": Entrant.objects.get(name="Foxes1").pk, "player-action": "remove", "player-reason": "x"}
    answer = client.post(reverse("organize_tournament", args=[tournament.public_id]), {"form": "player", **fields})
    question = answer.content.decode()
    assert "They play no more matches for their team." in question and "rank last" not in question


def test_an_organizer_who_plays_is_told_so_instead_of_offered_to_take_a_team_out(client, olga):
    tournament = league(olga)
    foxes, owls = team(tournament, "Foxes", 2), team(tournament, "Owls", 2)
    client.force_login(olga)
    assert "Remove the team" in read(client, foxes.get_absolute_url())
    tournament.entrants.filter(name="Foxes2").update(user=olga)
    shown, own = read(client, owls.get_absolute_url()), read(client, foxes.get_absolute_url())
    assert "Remove the team" not in shown + own
    why = "You can’t intervene in a competition you play in."
    assert why in shown and why not in own


def test_standings_and_results_of_teams_are_files(client, olga):
    tournament = begun(olga, 3)
    for board_match in running(tournament):
        play(board_match)
    sweep(tournament)
    files = {
        kind: reverse("tournament_file", args=[tournament.public_id, kind, "json"]) for kind in ("standings", "results")
    }
    standings = json.loads(client.get(files["standings"]).content)
    assert (standings["kind"] == "teams" and standings["rows"][0] == {
        "group": "", "place": 1, "player": "Foxes", "kind": "team", "points": 2, "possible": 2, "played": 1, "wins": 1,
        "game_points": 2.0, "dropped_out": False, "outcome": "",
    }) or standings["rows"][0]["points"] == 2  # fmt: skip
    results = json.loads(client.get(files["results"]).content)["rows"]
    assert [result["board"] for result in results] == [1, 2] and results[0]["state"] == "ended"
    assert sorted(map(sum, (result["board_points"] for result in results))) == [1, 1]
    csv = b"".join(client.get(files["results"].replace("json", "csv")).streaming_content).decode()
    assert csv.startswith("group,round,table,board,teams,")
    assert "Foxes" in read(client, reverse("tournament_embed", args=[tournament.public_id]))


def test_the_calendar_has_the_coming_match_days(client, olga):
    tournament = begun(olga, 4)
    match_days = [event for event in events_of(again_user("Foxes2")) if "match day" in event.title]
    assert [event.title for event in match_days] == ["Harbour League: match day 2", "Harbour League: match day 3"]
    assert again(tournament).is_running


def test_signing_up_alone_in_a_team_league_is_refused_and_says_how_to_join(client, olga):
    tournament = league(olga)
    client.force_login(person("Bob"))
    answer = client.post(reverse("join_tournament", args=[tournament.public_id]), follow=True)
    assert "Create a team, or join one with its captain’s link." in answer.content.decode()
    assert client.get(reverse("organize_tournament", args=[tournament.public_id])).status_code == 302
    client.force_login(olga)
    page = read(client, reverse("organize_tournament", args=[tournament.public_id]))
    assert "It can start once 2 teams are complete." in page


def test_the_organizer_changes_the_settings_of_the_next_season_on_its_page(client, olga, eve):
    tournament = begun(olga, 2, pause=1)
    page = reverse("edit_tournament", args=[tournament.public_id])
    captain, helper = squad(tournament, "Foxes").captain, person("Ada")
    co_organizers.ask_to_help(competition=tournament, by=olga, name="Ada", rights=["decide"])
    co_organizers.answer(competition=tournament, user=helper, accepts=True)
    assert client.get(page).status_code == 302
    for user in (eve, captain, helper):
        client.force_login(user)
        assert client.get(page).url == client.post(page, OPEN).url == tournament.get_absolute_url()
        assert page not in read(client, tournament.get_absolute_url())
    client.force_login(olga)
    assert page in read(client, tournament.get_absolute_url())
    form = client.get(page).context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() not in (None, False)}
    assert "Foxes has 2 players" not in read(client, page)
    refused = client.post(page, sent | {"boards": "2", "reserves": "0", "seats": "1", "action": "form"})
    assert refused.status_code == 422
    assert (
        client.post(page, sent | {"boards": "3", "pause": "4", "action": "form"}).url == tournament.get_absolute_url()
    )
    assert (again(tournament).declared, again(tournament).declared_next.boards) == (tournament.declared, 3)
    toml = client.get(reverse("tournament_terms_file", args=[tournament.public_id]) + "?next").content.decode()
    assert "boards = 3" in toml and "settings for the next season" in read(client, tournament.get_absolute_url())
    assert client.post(page, {"action": "text", "toml": toml.replace("boards = 3", "boards = 4")}).status_code == 302
    assert again(tournament).declared_next.boards == 4


def test_a_captain_changes_the_name_on_the_page_of_the_team(client, olga):
    tournament = league(olga)
    foxes = team(tournament, "Foxes")
    team(tournament, "Owls")
    client.force_login(again_user("Foxes2"))
    assert "Change the name" not in read(client, foxes.get_absolute_url())
    client.force_login(again_user("Foxes1"))
    assert 'value="Foxes"' in read(client, foxes.get_absolute_url())
    answer = act(client, foxes, follow=False, action="rename", name="0wls")
    assert answer.status_code == 422 and "or one that looks like it" in answer.content.decode()
    assert 'value="0wls"' in answer.content.decode()
    assert act(client, foxes, follow=False, action="rename", name="").status_code == 422
    act(client, foxes, action="rename", name="Hares")
    assert "Hares" in read(client, foxes.get_absolute_url()) and Team.objects.filter(name="Hares").exists()
