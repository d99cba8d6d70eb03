"""Team leagues: sign-up by consent, boards by strength, match days, results, and seasons that run automatically."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import msgspec
import pytest
import time_machine
from django.utils import timezone, translation

from accounts.models import Step, User
from accounts.services import delete_account
from games.contests import corrections
from games.contests import interventions as organizing
from games.contests.gates import conditions
from games.contests.gates import services as gates
from games.contests.models import (
    Badge,
    Entrant,
    Intervention,
    Match,
    RatedPlayer,
    Score,
    Team,
    TeamInvitation,
    TeamPlayer,
    Tournament,
)
from games.contests.organizers import organizers_page
from games.contests.organizing import co_organizers
from games.contests.pairing import teams as pure
from games.contests.pairing.teams import TeamResult
from games.contests.teams import services as teams
from games.contests.teams.season import squads
from games.contests.tournaments import services as tournaments
from games.contests.tournaments import sweep as tournament_steps
from games.errors import GameError, NotYours, Over
from games.notices.models import Notice
from games.tables.models import Seat
from games.tables.services import blocking
from tests.cast import person
from tests.contests.cups import again, cup, everything, in_days, play, running, sweep
from tests.contests.ladders import suspend
from tests.contests.team_leagues import TEAM_NAMES, begun, day, league, lines, player, squad, team

pytestmark = pytest.mark.django_db


def notices_to(name):
    rows = Notice.objects.filter(user__username=name, channel="email", kind__in=["season", "decision"])
    return list(rows.order_by("pk").values_list("title", "lead"))


def user_named(name):
    return User.objects.get(username=name)


# A whole season


@pytest.mark.long
def test_a_league_of_five_teams_plays_its_season_automatically(olga):
    with time_machine.travel("2027-03-01 08:00Z", tick=False) as clock:
        tournament = league(olga, seats=5, starts=in_days(7), reserves=1)
        for n, name in enumerate(TEAM_NAMES[:5]):
            team(tournament, name, 2 + n % 2)
        days = []
        while not again(tournament).has_ended:
            sweep(tournament)
            for match in running(tournament):
                play(match)
            if (number := again(tournament).round) not in days:
                days.append(number)
            clock.shift(timedelta(days=3, hours=12))
            assert timezone.now().year == 2027 and timezone.now().month < 6
    tournament = again(tournament)
    assert days[-5:] == [1, 2, 3, 4, 5] and tournament.rounds == 5
    assert tournament.ended_at - tournament.started_at == timedelta(days=4 * 7 + 3.5)
    # Everyone who is earlier in the alphabet wins, so all matches end 2 – 0
    assert lines(tournament) == [(1, "Foxes", 8, 16), (2, "Hares", 6, 12), (3, "Newts", 4, 8), (4, "Owls", 2, 4),
                          (5, "Rooks", 0, 0)]  # fmt: skip
    placed = Team.objects.order_by("place").values_list("place", "name")
    assert list(placed) == [(1, "Foxes"), (2, "Hares"), (3, "Newts"), (4, "Owls"), (5, "Rooks")]
    assert set(Badge.objects.values_list("user__username", "honor")) == {
        ("Foxes1", "tournament"), ("Foxes2", "tournament"), ("Hares1", "second"), ("Hares2", "second")
    }  # fmt: skip
    assert set(Match.objects.values_list("state", flat=True)) == {"ended"} and Match.objects.count() == 20
    titles = [title for title, _lead in notices_to("Owls2")]
    assert titles[0] == "Harbour League: match day 1" and titles[-1] == "Harbour League has ended"
    assert sum("match day" in title for title in titles) == 5 and sum("–" in title for title in titles) == 4


@pytest.mark.long
def test_l32_a_league_plays_three_seasons_automatically_with_those_who_stay(olga):
    with time_machine.travel("2027-03-01 08:00Z", tick=False) as clock:
        first = league(olga, seats=4, starts=in_days(7), pause=2)
        for name in TEAM_NAMES[:3]:
            team(first, name, 3)
        ada = person("Ada")
        co_organizers.ask_to_help(competition=first, by=olga, name="Ada", rights=["decide"])
        co_organizers.answer(competition=first, user=ada, accepts=True)
        gates.keep_apart(competition=first, by=olga, names=["Foxes2", "Owls2"])
        rows, dropped = [first], False
        while len(rows) < 4:
            tournament = rows[-1]
            sweep(tournament)
            for match in running(tournament):
                play(match)
            if tournament is first and again(tournament).is_running and not dropped:
                dropped = True
                teams.leave(team=squad(tournament, "Owls").team, user=user_named("Owls3"))
                corrections.ban(scope=again(tournament), by=olga, name="Hares3", reason="Insults.")
            rows += Tournament.objects.filter(follows=tournament)
            clock.shift(timedelta(days=3, hours=12))
            assert timezone.now() < datetime(2027, 12, 1, tzinfo=UTC)
    rows = [again(tournament) for tournament in rows]
    assert [tournament.state for tournament in rows] == ["ended", "ended", "ended", "sign_up"]
    assert [tournament.name for tournament in rows[1:]] == [f"Harbour League, season {n}" for n in (2, 3, 4)]
    for tournament, following in pairwise(rows):
        assert timedelta(weeks=2) <= following.starts_at - tournament.ended_at < timedelta(weeks=2, days=1)
        assert following.starts_at.hour == 12 and organizing.may_decide(following, ada)
        assert organizing.is_banned(following, user_named("Hares3")) and len(conditions.kept_apart(following)) == 1
    assert {squad.team.name: [player.entrant.name for player in squad.players] for squad in squads(rows[1])} == {
        "Foxes": ["Foxes1", "Foxes2", "Foxes3"], "Owls": ["Owls1", "Owls2"], "Hares": ["Hares1", "Hares2"],
    }  # fmt: skip
    assert (
        lines(rows[1])[0][:2] == (1, "Foxes")
        and rows[2].name in notices_to("Owls2")[-2][0] + notices_to("Owls2")[-1][0]
    )
    assert not any("season 2 starts" in title for title, _lead in notices_to("Owls3"))


def test_l32_those_who_ran_out_of_time_in_all_their_games_are_not_taken_along(olga):
    tournament = begun(olga, 2, 2, pause=1)
    Seat.objects.filter(owner=user_named("Foxes1")).update(has_given_up=True)
    for match in running(tournament):
        play(match)
    sweep(tournament)
    following = Tournament.objects.get(follows=tournament)
    assert [player.entrant.name for player in squad(following, "Foxes").players] == ["Foxes2"]
    assert squad(following, "Foxes").captain == user_named("Foxes2") and len(squad(following, "Owls").players) == 2
    assert not notices_to("Foxes1")[-1][0].startswith("Harbour League, season 2")


def test_l32_someone_asked_to_organize_is_asked_in_the_next_season_only(olga):
    tournament = begun(olga, 2, pause=1)
    ada, ben, cem = (person(name) for name in ("Ada", "Ben", "Cem"))
    for name in ("Ada", "Ben"):
        co_organizers.ask_to_help(competition=tournament, by=olga, name=name, rights=["decide"])
    co_organizers.answer(competition=tournament, user=ada, accepts=True)
    co_organizers.offer(competition=tournament, by=olga, name="Ada", reason="I move away.")
    assert len(notices_to("Ada")) == 2 and len(notices_to("Ben")) == 1
    for match in running(tournament):
        play(match)
    unsent = Notice.objects.filter(user__in=[ada, ben], channel="email", state="queued", kind="decision")
    assert unsent.count() == 2
    tournament = sweep(tournament)
    following = Tournament.objects.get(follows=tournament)
    # Nobody is sent the question about the season that is over
    assert {notice.url for notice in unsent.all()} == {organizers_page(following)} and unsent.count() == 2
    assert notices_to("Ada")[-1][0] == "You have been asked to take over Harbour League, season 2"
    assert notices_to("Ben")[-1][0] == "You have been asked to help organize Harbour League, season 2"
    assert Notice.objects.filter(user=ben).latest("pk").url == organizers_page(following)
    assert organizing.may_decide(tournament, ada) and organizing.may_decide(following, ada)
    with pytest.raises(NotYours, match="Nobody is asking you"):
        co_organizers.answer(competition=tournament, user=ben, accepts=True)
    co_organizers.answer(competition=tournament, user=ada, accepts=True)  # an old page, where nothing is asked anymore
    assert again(tournament).organizer == again(following).organizer == olga
    co_organizers.offer(competition=following, by=olga, name="Cem")
    assert co_organizers.answer(competition=following, user=ada, accepts=True) == "You have already answered."
    co_organizers.answer(competition=following, user=cem, accepts=True)
    co_organizers.answer(competition=following, user=ben, accepts=True)
    assert again(following).organizer == cem and organizing.may_decide(following, ben)


def test_l32_the_organizer_changes_the_settings_of_the_next_season_while_one_is_running(olga):
    tournament = league(olga, pause=1)
    terms = msgspec.structs.replace(
        tournament.declared, name="Bay League", boards=3, reserves=0, days_a_round=10, pause=2
    )
    with pytest.raises(GameError, match="once this one has started"):
        tournaments.change_terms(tournament=tournament, user=olga, terms=terms)
    for name in ("Foxes", "Owls"):
        team(tournament, name, 3)
    tournaments.start(tournament=tournament, user=olga)
    tournament = sweep(tournament)
    with pytest.raises(NotYours, match="Only the organizer"):
        tournaments.change_terms(tournament=tournament, user=user_named("Foxes1"), terms=terms)
    for wrong, sentence in (
        ({"boards": 2}, "Foxes has 3 players"),
        ({"seats": 1, "fewest": 2}, "“"),
        ({"ruleset": "prototype", "options": {}}, "can’t change a league’s game"),
        ({"format": "swiss", "boards": 0, "pause": 0}, "Only team leagues have seasons"),
        ({"boards": 9}, "“boards”"),
    ):
        with pytest.raises(GameError, match=sentence):
            tournaments.change_terms(tournament=tournament, user=olga, terms=msgspec.structs.replace(terms, **wrong))
    assert again(tournament).next_terms is None
    tournaments.change_terms(tournament=tournament, user=olga, terms=terms)
    assert again(tournament).declared == tournament.declared
    for match in running(tournament):
        play(match)
    assert sweep(tournament).has_ended
    following = Tournament.objects.get(follows=tournament)
    assert following.name == "Bay League, season 2" and following.next_terms is None
    assert msgspec.structs.replace(following.declared, starts=None) == terms
    assert timedelta(weeks=2) <= following.starts_at - again(tournament).ended_at < timedelta(weeks=2, days=1)
    assert "The organizer has changed the settings." in notices_to("Foxes2")[-1][1]
    tournaments.start(tournament=following, user=olga)
    following = sweep(following)
    suspend(olga, "mute", 3)
    olga.refresh_from_db()
    with pytest.raises(NotYours, match="You can’t write anything for other players"):
        tournaments.change_terms(tournament=following, user=olga, terms=tournament.declared)
    changed = msgspec.structs.replace(terms, pause=3)  # the name stays
    assert tournaments.change_terms(tournament=following, user=olga, terms=changed).declared_next.pause == 3


def test_l32_a_player_whose_account_is_closed_is_not_signed_up_again(olga):
    tournament = begun(olga, 2, 3, pause=1)
    suspend(user_named("Foxes1"), "close", None)
    while again(tournament).is_running:
        for match in running(tournament):
            play(match)
        sweep(tournament)
    following = squad(Tournament.objects.get(follows=tournament), "Foxes")
    assert [user.username for user in following.people] == ["Foxes2", "Foxes3"]
    assert following.captain is not None and following.captain.username == "Foxes2"


def test_l32_nobody_joins_a_team_that_would_be_too_large_for_the_next_season(olga):
    tournament = begun(olga, 3, pause=1)
    foxes, eve = squad(tournament, "Foxes").team, person("Eve")
    smaller = msgspec.structs.replace(tournament.declared, reserves=0)
    tournaments.change_terms(tournament=tournament, user=olga, terms=smaller)
    with pytest.raises(GameError, match="The team is full for the next season: it has 2 players"):
        teams.join(team=foxes, user=eve, token=foxes.invite_token)
    tournaments.change_terms(tournament=tournament, user=olga, terms=msgspec.structs.replace(smaller, pause=0))
    assert teams.join(team=foxes, user=eve, token=foxes.invite_token)


@pytest.mark.long
def test_l32_a_league_without_a_pause_gets_another_season_and_one_with_a_pause_its_last(olga):
    for pause, wanted, names in ((0, 1, TEAM_NAMES[:2]), (1, 0, TEAM_NAMES[2:4])):
        tournament = league(olga, name=f"League {pause}", pause=pause)
        for name in names:
            team(tournament, name)
        tournaments.start(tournament=tournament, user=olga)
        tournament = sweep(tournament)
        tournaments.change_terms(
            tournament=tournament, user=olga, terms=msgspec.structs.replace(tournament.declared, pause=wanted)
        )
        for match in running(tournament):
            play(match)
        assert sweep(tournament).has_ended and Tournament.objects.filter(follows=tournament).count() == wanted


def test_a_team_league_without_a_pause_has_one_season_and_others_take_none(olga):
    tournament = begun(olga, 2)
    for match in running(tournament):
        play(match)
    assert sweep(tournament).has_ended and Tournament.objects.count() == 1
    with pytest.raises(GameError, match="“pause” is only for team leagues"):
        cup(olga, pause=1)


def test_the_link_of_a_team_changes_when_its_captain_removes_a_player(olga):
    tournament = league(olga)
    foxes = team(tournament, "Foxes", 2)
    captain, removed = player(tournament, "Foxes1").entrant.user, player(tournament, "Foxes2").entrant.user
    teams.remove(team=foxes, by=captain, player=player(tournament, "Foxes2").pk)
    with pytest.raises(NotYours, match="Only people the captain invites"):
        teams.join(team=foxes, user=removed, token=foxes.invite_token)
    foxes.refresh_from_db()
    assert teams.join(team=foxes, user=removed, token=foxes.invite_token)


def test_a_player_whom_the_captain_removes_hears_of_it(olga):
    foxes = team(league(olga), "Foxes")
    foxes2 = player(foxes.tournament, "Foxes2")
    for _time in range(2):
        teams.remove(team=foxes, by=foxes.captain, player=foxes2.pk)
    assert notices_to("Foxes2") == [
        (
            "You are no longer in the team Foxes",
            "The captain has removed you. Until Harbour League starts, you can join or create another team.",
        )
    ]


def test_a_season_without_players_left_ends_early(olga):
    tournament = begun(olga, 3)
    for name in ("Foxes1", "Foxes2", "Owls1", "Owls2"):
        leaving = player(tournament, name)
        teams.leave(team=leaving.team, user=leaving.entrant.user)
    for match in running(tournament):
        play(match)
    assert sweep(tournament).has_ended


# Rulings


def test_l25_boards_follow_the_rating_at_the_start_and_the_captain_orders_equals(olga):
    tournament = league(olga)
    foxes = team(tournament, "Foxes", 4)
    captain = player(tournament, "Foxes1").entrant.user
    team(tournament, "Owls")
    teams.move_up(team=foxes, by=captain, player=player(tournament, "Foxes3").pk)
    for name, shown in {"Foxes4": 1700, "Foxes1": 1400}.items():
        RatedPlayer.objects.create(
            user=player(tournament, name).entrant.user, ruleset="legends", contests=9, shown=shown, is_provisional=False
        )
    tournaments.start(tournament=tournament, user=olga)
    assert [player.entrant.name for player in squad(tournament, "Foxes").players] == [
        "Foxes4",
        "Foxes3",
        "Foxes2",
        "Foxes1",
    ]
    RatedPlayer.objects.update(shown=2000)  # later ratings change nothing
    assert [player.entrant.name for player in squad(tournament, "Foxes").players] == [
        "Foxes4",
        "Foxes3",
        "Foxes2",
        "Foxes1",
    ]
    with pytest.raises(Over, match="boards are fixed"):
        teams.move_up(team=foxes, by=captain, player=player(tournament, "Foxes2").pk)


def test_l25_the_captain_cannot_put_a_weaker_player_above_a_stronger_one(olga):
    tournament = league(olga)
    foxes = team(tournament, "Foxes")
    Entrant.objects.filter(name="Foxes1").update(rating=1600)
    with pytest.raises(GameError, match="Boards are assigned by rating"):
        teams.move_up(team=foxes, by=player(tournament, "Foxes1").entrant.user, player=player(tournament, "Foxes2").pk)


def test_l26_a_match_is_decided_by_points_on_boards_and_the_standings_by_match_points():
    results = [
        TeamResult((1, 2), (4, 0)), TeamResult((2, 3), (3, 1)), TeamResult((3, 1), (4, 0)), TeamResult((4, 1), (2, 2))
    ]  # fmt: skip
    assert [result.match_points for result in results] == [(2, 0), (2, 0), (2, 0), (1, 1)]
    ranked = [
        (line.team, line.place, line.match_points, line.board_points) for line in pure.rank([1, 2, 3, 4], results)
    ]
    assert ranked == [(1, 1, 3, 6), (3, 2, 2, 5), (2, 3, 2, 3), (4, 4, 1, 2)]


def test_l26_equal_teams_are_ranked_by_their_match_and_share_the_place_without_one():
    results = [TeamResult((1, 2), (1, 3)), TeamResult((1, 3), (3, 1)), TeamResult((2, 4), (1, 3))]
    ranked = pure.rank([1, 2, 3, 4], results)
    assert [(line.team, line.place, line.tie_break) for line in ranked] == [
        (2, 1, None), (1, 2, "met"), (4, 3, "board_points"), (3, 4, None)
    ]  # fmt: skip
    assert [line.place for line in pure.rank([1, 2, 3], [])] == [1, 1, 1]


def test_l27_those_who_are_away_are_left_out_and_others_move_up_a_board(olga):
    with time_machine.travel("2027-03-01 08:00Z", tick=False) as clock:
        tournament = begun(olga, 3, 3)
        foxes = squad(tournament, "Foxes")
        teams.set_away(team=foxes.team, by=foxes.captain, player=player(tournament, "Foxes1").pk, is_away=True)
        teams.set_away(
            team=foxes.team,
            by=player(tournament, "Foxes3").entrant.user,
            player=player(tournament, "Foxes3").pk,
            is_away=True,
        )
        with pytest.raises(NotYours, match="Only the captain"):
            teams.set_away(
                team=foxes.team,
                by=player(tournament, "Foxes3").entrant.user,
                player=player(tournament, "Foxes2").pk,
                is_away=True,
            )
        first = seats(tournament, 1)  # a match day that has begun is not changed
        assert "Foxes1" in first.get("Foxes", ["Foxes1"])
        clock.shift(timedelta(days=6))
        sweep(tournament)
        clock.shift(timedelta(days=1, hours=1))
        sweep(tournament)
        second, number = seats(tournament, 2), 2
        if "Foxes" not in second:
            clock.shift(timedelta(days=7))
            sweep(tournament)
            second, number = seats(tournament, 3), 3
        assert second["Foxes"] == ["Foxes2", None]
        team_match = next(match for match in day(tournament, number) if foxes.team in match.teams)
        side = team_match.teams.index(foxes.team)
        assert team_match.boards[1].is_default and team_match.boards[1].points == ((0, 2) if side == 0 else (2, 0))
        assert team_match.boards[1].board.match is None  # nothing is rated
    warned = [lead for title, lead in notices_to("Foxes1") if "starts soon" in title]
    assert warned and "1 board has nobody to play on it" in warned[0]


def seats(tournament, number):
    """Return the names on the boards of each team."""
    names = {}
    for match in day(tournament, number):
        for side, of in enumerate(match.teams):
            names[of.name] = [board.players[side] and board.players[side].name for board in match.boards]
    return names


def test_l28_a_team_that_is_short_is_warned_and_left_out_at_the_start(olga):
    with time_machine.travel("2027-03-01 08:00Z", tick=False) as clock:
        tournament = league(olga, starts=in_days(7))
        for name, players in (("Foxes", 2), ("Owls", 2), ("Hares", 1)):
            team(tournament, name, players)
        User.objects.filter(username="Hares1").update(time_zone="Pacific/Auckland")
        clock.shift(timedelta(days=4, hours=5))
        sweep(tournament)
        [(title, lead)] = notices_to("Hares1")
        assert title == "Hares is 1 player short"
        assert "who has to accept by Tuesday, 9 March, 01:00." in lead  # in the captain's zone, as on the page
        before = everything()
        with pytest.raises(GameError, match="Hares is 1 player short"):
            tournaments.start(tournament=tournament, user=olga)
        assert everything() == before and again(tournament).is_open
        User.objects.filter(username="Hares1").update(language="de")
        clock.shift(timedelta(days=3))
        tournament = sweep(tournament)
    assert tournament.is_running and [squad.team.name for squad in squads(tournament)] == ["Foxes", "Owls"]
    with translation.override("de"):
        reason = translation.gettext("At the start, the team was {n} player short.").format(n=1)
    assert "At the start" not in reason and notices_to("Hares1")[-1][1].endswith(reason)
    assert Intervention.objects.get(what="Hares").reason == "At the start, the team was 1 player short."
    assert not Team.objects.filter(name="Hares").exists() and not Entrant.objects.filter(name="Hares1").exists()


def test_l28_a_league_with_too_few_complete_teams_is_canceled_with_the_reason(olga):
    with time_machine.travel("2027-03-01 08:00Z", tick=False) as clock:
        tournament = league(olga, starts=in_days(7))
        team(tournament, "Foxes")
        team(tournament, "Hares", 1)
        clock.shift(timedelta(days=8))
        tournament = sweep(tournament)
    assert tournament.state == "closed"
    assert Intervention.objects.get().reason == "Only 1 team was complete, and the minimum is 2."


def test_l29_a_match_day_begins_on_its_day_although_a_board_is_still_played(olga):
    with time_machine.travel("2027-03-01 08:00Z", tick=False) as clock:
        tournament = begun(olga, 4)
        late, *others = running(tournament)
        for match in others:
            play(match)
        assert sweep(tournament).round == 1  # not before its day, either
        clock.shift(timedelta(days=7))
        tournament = sweep(tournament)
        assert tournament.round == 2 and len(running(tournament)) == 5
        while (tournament := again(tournament)).round < tournament.rounds:
            clock.shift(timedelta(days=7))
            sweep(tournament)
        for match in running(tournament):
            if match.pk != late.pk:
                play(match)
        assert sweep(tournament).is_running  # until all boards are decided
        play(late)
        assert sweep(tournament).has_ended


def test_l30_an_annulled_board_counts_for_neither_team_and_an_awarded_one_changes_the_match(olga):
    tournament = begun(olga, 2)
    first, second = running(tournament)
    play(first)
    sweep(tournament)
    organizing.annul(match=Match.objects.get(pk=second.pk), by=olga, reason="Both were ill.")
    [match] = day(tournament, 1)
    assert match.is_over and match.points == (2, 0) and match.boards[1].is_void
    assert [line[2:] for line in lines(tournament)] == [(2, 2), (0, 0)]


def test_l30_a_correction_changes_the_match_tells_both_teams_and_can_be_undone(olga):
    tournament = begun(olga, 3)
    first, second = running(tournament)
    play(first)
    play(second)
    sweep(tournament)
    [match] = day(tournament, 1)
    home, away = match.teams
    assert match.points in ((4, 0), (0, 4))
    before = lines(tournament)
    board_match = Match.objects.get(pk=first.pk)
    ruled = list(board_match.appearances.values_list("place", flat=True))[::-1]
    with pytest.raises(NotYours):
        corrections.award(
            match=board_match,
            by=squad(tournament, home.name).captain,
            places=ruled,
            reason="Mine.",
            expected=board_match.version,
        )
    corrections.award(
        match=board_match, by=olga, places=ruled, reason="Seats were mixed up.", expected=board_match.version
    )
    sweep(tournament)
    [match] = day(tournament, 1)
    assert match.points == (2, 2) and sorted(line[2] for line in lines(tournament)) == [0, 1, 1]
    for name in (f"{home.name}2", f"{away.name}2"):  # also those who were not at that board
        assert any("has changed the result of your match" in lead for _title, lead in notices_to(name))
    assert list(Score.objects.filter(game=board_match.game).order_by("seat").values_list("ruled", flat=True)) == ruled
    intervention = Intervention.objects.get(kind="awarded")
    corrections.undo(intervention=intervention, by=olga, reason="They were not.")
    sweep(tournament)
    assert lines(tournament) == before
    assert set(Score.objects.filter(game=board_match.game).values_list("ruled", flat=True)) == {None}


# Consent and rights


def test_nobody_is_in_a_team_without_accepting(olga):
    tournament = league(olga)
    foxes = team(tournament, "Foxes", 1)
    captain, bob = player(tournament, "Foxes1").entrant.user, person("Bob")
    invitation = teams.invite(team=foxes, by=captain, name="bob")
    assert teams.invite(team=foxes, by=captain, name="Bob") == invitation
    assert not TeamPlayer.objects.filter(entrant__user=bob).exists()
    assert notices_to("Bob")[0][0] == "Foxes1 invited you to the team Foxes"
    teams.decline(team=foxes, user=bob)
    with pytest.raises(NotYours, match="Only people the captain invites"):
        teams.join(team=foxes, user=bob, token="guess")
    teams.invite(team=foxes, by=captain, name="Bob")
    teams.join(team=foxes, user=bob)
    teams.join(team=foxes, user=bob)
    assert TeamPlayer.objects.filter(entrant__user=bob).count() == 1
    assert not TeamInvitation.objects.filter(is_open=True).exists()


@pytest.mark.parametrize("answer", ["declines", "blocks"])
def test_captains_are_notified_of_a_declined_invitation_and_cannot_tell_it_from_a_block(olga, answer):
    foxes, bob = team(league(olga), "Foxes", 1), person("Bob")
    teams.invite(team=foxes, by=foxes.captain, name="Bob")
    before = len(notices_to("Foxes1"))
    if answer == "declines":
        teams.decline(team=foxes, user=bob)
        teams.decline(team=foxes, user=bob)
    else:
        blocking.block(user=bob, blocked=foxes.captain)
    told = notices_to("Foxes1")[before:]
    assert [title for title, _lead in told] == ["Bob declined to join Foxes"]
    # A captain who blocks a person they have invited is not told that this person declined
    cem = person("Cem")
    teams.invite(team=foxes, by=foxes.captain, name="Cem")
    blocking.block(user=foxes.captain, blocked=cem)
    assert len(notices_to("Foxes1")) == before + 1 and not TeamInvitation.objects.filter(is_open=True).exists()


def test_a_captain_does_not_learn_from_a_refusal_who_has_blocked_them(olga):
    tournament = league(olga)
    foxes, owls = team(tournament, "Foxes", 1), team(tournament, "Owls", 1)
    captain, other, bob = foxes.captain, owls.captain, person("Bob")
    person("Guest", is_guest=True)
    for user in (bob, other):
        blocking.block(user=user, blocked=captain)
    for name in ("Bob", "Guest", "Nobody"):
        with pytest.raises(GameError) as refusal:
            teams.invite(team=foxes, by=captain, name=name)
        assert str(refusal.value) == f"You can’t invite “{name}”. Check the spelling."
    with pytest.raises(GameError, match="Owls1 is already in the team Owls"):  # as the page of the league says
        teams.invite(team=foxes, by=captain, name="Owls1")
    corrections.ban(scope=tournament, by=olga, name="Bob", reason="Cheated.")
    with pytest.raises(GameError, match="Bob is banned from this competition"):
        teams.invite(team=foxes, by=captain, name="Bob")
    assert not TeamInvitation.objects.exists()


def test_a_captain_who_takes_invitations_back_and_asks_again_sends_ten_notices_a_day_at_most(olga):
    """Declined ones count, too. The captain is not told when there is no notice."""
    bob, foxes = person("Bob"), team(league(olga), "Foxes", 1)
    with time_machine.travel("2027-03-01T08:00Z", tick=False) as clock:
        for _time in range(8):
            invitation = teams.invite(team=foxes, by=foxes.captain, name="Bob")
            teams.withdraw_invitation(team=foxes, by=foxes.captain, invitation=invitation.pk)
            teams.invite(team=foxes, by=foxes.captain, name="Bob")
            teams.decline(team=foxes, user=bob)
        assert len(notices_to("Bob")) == 10
        clock.shift(timedelta(days=1, hours=1))
        teams.invite(team=foxes, by=foxes.captain, name="Bob")
        assert len(notices_to("Bob")) == 11


def test_an_invitation_that_is_no_longer_open_sends_no_notice(olga):
    """Withdrawn, declined, replaced by another team, without its team, and of a team that was left out."""
    tournament = league(olga, starts=in_days(7))
    foxes, owls, hares = team(tournament, "Foxes"), team(tournament, "Owls"), team(tournament, "Hares", 1)
    newts = team(tournament, "Newts", 1)
    people = [person(f"Bob{n}") for n in range(5)]
    for inviting, names in ((foxes, ("Bob0", "Bob1", "Bob2")), (hares, ("Bob3",)), (newts, ("Bob4",))):
        for name in names:
            teams.invite(team=inviting, by=inviting.captain, name=name)
    waiting = Notice.objects.filter(state="queued", channel="email", title__contains="invited you")
    assert waiting.count() == 5
    teams.withdraw_invitation(team=foxes, by=foxes.captain, invitation=TeamInvitation.objects.get(user=people[0]).pk)
    teams.decline(team=foxes, user=people[1])
    teams.join(team=owls, user=people[2], token=owls.invite_token)
    teams.leave(team=hares, user=hares.captain)
    assert [notice.user for notice in waiting.all()] == [people[4]]
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        assert sweep(tournament).is_running
    assert not waiting.all().exists() and not TeamInvitation.objects.filter(is_open=True).exists()


@pytest.mark.parametrize("is_played", [False, True])
def test_invitations_are_no_longer_open_once_the_league_is_over(olga, is_played):
    tournament, _bob = league(olga), person("Bob")
    foxes, _owls = team(tournament, "Foxes"), team(tournament, "Owls")
    teams.invite(team=foxes, by=foxes.captain, name="Bob")
    waiting = Notice.objects.filter(state="queued", channel="email", title__contains="invited you")
    assert waiting.all().exists()
    if is_played:
        tournaments.start(tournament=tournament, user=olga)
        sweep(tournament)
        for match in running(tournament):
            play(match)
        assert sweep(tournament).has_ended
    else:
        tournaments.call_off(tournament=tournament, user=olga, reason="No venue.")
    assert not waiting.all().exists() and not TeamInvitation.objects.filter(is_open=True).exists()


def test_a_new_account_invites_only_so_many_people_to_its_team(olga, settings):
    settings.NEW_ACCOUNT_DAYS, settings.NEW_ACCOUNT_INVITATIONS = 3, 2
    tournament = league(olga)
    foxes = team(tournament, "Foxes", 1)
    captain = foxes.captain
    User.objects.filter(pk=captain.pk).update(date_joined=timezone.now())
    captain.refresh_from_db()
    for n in range(3):
        person(f"Bob{n}")
    withdrawn = teams.invite(team=foxes, by=captain, name="Bob0")
    teams.withdraw_invitation(team=foxes, by=captain, invitation=withdrawn.pk)
    teams.invite(team=foxes, by=captain, name="Bob1")
    teams.leave(team=foxes, user=captain)  # which deletes the team
    foxes = teams.create(tournament=tournament, user=captain, name="New Foxes")
    with pytest.raises(GameError, match="New accounts can invite 2 players a day"):
        teams.invite(team=foxes, by=captain, name="Bob2")
    assert TeamInvitation.objects.count() == 2 and not TeamInvitation.objects.filter(is_open=True).exists()
    tomorrow = timezone.now() + timedelta(days=1)
    tournament_steps.sweep(tomorrow)
    assert not TeamInvitation.objects.exists()
    with time_machine.travel(tomorrow, tick=False):
        teams.invite(team=foxes, by=captain, name="Bob2")


@pytest.mark.parametrize(
    ("name", "imitation"),
    [
        ("Foxes", "FOXES"),
        ("Foxes", "F\u043e\u0445\u0435s"),  # with Cyrillic letters
        ("Foxes", "F\N{LATIN SMALL LETTER O WITH STROKE}xes"),
        ("Foxes", "Fox-es"),
        ("Willows", "WiIIows"),
        ("\N{FOX FACE}\N{FOX FACE}", "\N{FOX FACE}\N{FOX FACE}"),
    ],
)
def test_no_team_takes_a_name_that_looks_like_that_of_another(olga, name, imitation):
    tournament = league(olga)
    team(tournament, name, 1)
    with pytest.raises(GameError, match="or one that looks like it"):
        teams.create(tournament=tournament, user=person("Bob"), name=imitation)
    for n, different in enumerate(("Foxes 2", "\N{FOX FACE}", "\N{OWL}", "\u03c9\u03c6")):
        teams.create(tournament=tournament, user=person(f"Captain{n}"), name=different)
    teams.create(tournament=league(olga), user=person("Carol"), name=imitation)  # another league


def test_a_captain_changes_the_name_before_the_start_and_later_only_if_moderators_replaced_it(olga):
    tournament = league(olga)
    foxes, owls = team(tournament, "Foxes"), team(tournament, "Owls")
    captain, other = player(tournament, "Foxes1").entrant.user, player(tournament, "Foxes2").entrant.user
    teams.take_out(team=foxes, by=olga, reason="A bad name.")
    for _tap in range(2):
        teams.rename(team=foxes, by=captain, name="  Hares ")
    assert Intervention.objects.get(kind="removed").what == "Hares"  # so that readers know which team it was
    corrections.undo(intervention=Intervention.objects.get(kind="removed"), by=olga, reason="Good.")
    for kind, by, name in ((NotYours, other, "Newts"), (GameError, captain, "0wls"), (GameError, captain, " ")):
        with pytest.raises(kind):
            teams.rename(team=foxes, by=by, name=name)
    User.objects.filter(pk=captain.pk).update(muted_until=timezone.now() + timedelta(days=1))
    Step.objects.create(user=captain, kind="mute", reason="R", at=timezone.now())
    with pytest.raises(NotYours, match="You can’t write anything"):
        teams.rename(team=foxes, by=User.objects.get(pk=captain.pk), name="Newts")
    teams.rename(team=foxes, by=captain, name="HARES")
    tournaments.start(tournament=tournament, user=olga)
    with pytest.raises(Over, match="The name is fixed for the season"):
        teams.rename(team=foxes, by=captain, name="Newts")
    Team.objects.filter(pk=foxes.pk).update(has_replaced_name=True)
    teams.rename(team=foxes, by=captain, name="Newts")
    with pytest.raises(Over):
        teams.rename(team=foxes, by=captain, name="Wrens")
    assert {*Team.objects.values_list("name", flat=True)} == {"Newts", owls.name}


def test_refusals_in_teams_write_nothing(olga):
    tournament = league(olga, seats=2, reserves=0)
    foxes, owls = team(tournament, "Foxes"), team(tournament, "Owls", 1)
    captain, other = player(tournament, "Foxes1").entrant.user, player(tournament, "Owls1").entrant.user
    bob, guest = person("Bob"), person("Guest", is_guest=True)
    before = everything()
    for kind, action in [
        (GameError, lambda: tournaments.join(tournament=tournament, user=bob)),
        (GameError, lambda: teams.create(tournament=tournament, user=bob, name="Hares")),
        (GameError, lambda: teams.create(tournament=tournament, user=other, name="Hares")),
        (GameError, lambda: teams.create(tournament=tournament, user=guest, name="Hares")),
        (GameError, lambda: teams.create(tournament=tournament, user=bob, name=" ")),
        (GameError, lambda: teams.invite(team=foxes, by=captain, name="Bob")),
        (GameError, lambda: teams.join(team=foxes, user=bob, token=foxes.invite_token)),
        (GameError, lambda: teams.join(team=owls, user=captain, token=owls.invite_token)),
        (NotYours, lambda: teams.invite(team=owls, by=captain, name="Bob")),
        (NotYours, lambda: teams.remove(team=owls, by=captain, player=player(tournament, "Owls1").pk)),
        (NotYours, lambda: teams.remove(team=foxes, by=captain, player=player(tournament, "Owls1").pk)),
        (NotYours, lambda: teams.hand_over(team=owls, by=captain, player=player(tournament, "Owls1").pk)),
        (NotYours, lambda: teams.take_out(team=owls, by=captain, reason="Weak.")),
        (GameError, lambda: teams.take_out(team=owls, by=olga, reason=" ")),
        (GameError, lambda: teams.remove(team=foxes, by=captain, player=player(tournament, "Foxes1").pk)),
        (GameError, lambda: teams.invite(team=owls, by=other, name="Nobody")),
    ]:
        with pytest.raises(kind) as refusal:
            action()
        assert str(refusal.value).endswith(".")
    assert everything() == before and Team.objects.count() == 2


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"boards": 1}, "“boards”: a team match has 2 to 6 boards"),
        ({"boards": 7}, "“boards” must be a number from 0 to 6"),
        ({"players": 3}, "“players”: boards of a team match are for two players"),
        ({"bots": True, "rated": False}, "bots can’t play in a team league"),
        ({"seats": 21}, "“seats”: a team league has 2 to 20 teams"),
        ({"format": "swiss"}, "“boards” is only for team leagues"),
    ],
)
def test_impossible_team_leagues_are_refused_with_a_reason(olga, terms, sentence):
    with pytest.raises(GameError, match=sentence):
        league(olga, **terms)


def test_a_captain_who_leaves_makes_room_for_another(olga):
    tournament = league(olga)
    foxes = team(tournament, "Foxes", 3)
    teams.leave(team=foxes, user=player(tournament, "Foxes1").entrant.user)
    assert squad(tournament, "Foxes").captain.username == "Foxes2"
    assert notices_to("Foxes2")[-1][0] == "You are the captain of Foxes"
    for name in ("Foxes2", "Foxes3"):
        teams.leave(team=foxes, user=player(tournament, name).entrant.user)
    assert not Team.objects.exists() and not Entrant.objects.exists()


def test_another_player_hears_that_they_are_captain_however_the_captain_was_lost(olga):
    tournament = begun(olga, 4, 3)
    for name, lose in [
        ("Foxes", delete_account),
        ("Owls", lambda captain: suspend(captain, "close", None)),
        ("Hares", lambda captain: corrections.ban(scope=tournament, by=olga, name=captain.username, reason="Abuse.")),
    ]:
        lose(user_named(f"{name}1"))
        for _time in range(2):
            sweep(tournament)
        assert squad(tournament, name).captain == user_named(f"{name}2")
        assert [title for title, _lead in notices_to(f"{name}2")].count(f"You are the captain of {name}") == 1
    assert "You are the captain of Newts" not in [title for title, _lead in notices_to("Newts2")]
    with pytest.raises(NotYours, match="Only the captain"):
        teams.invite(team=squad(tournament, "Owls").team, by=user_named("Owls1"), name="Foxes2")


def test_the_organizer_names_another_captain_for_one_who_no_longer_answers(olga, client):
    tournament = begun(olga, 2, 3)
    client.force_login(olga)
    foxes, owls = squad(tournament, "Foxes").team, squad(tournament, "Owls").team
    url, act = foxes.get_absolute_url(), f"{foxes.get_absolute_url()}act/"
    page = client.get(url).content.decode()
    assert page.count('value="hand_over"') == 2 and 'value="remove"' not in page and 'value="away"' not in page
    sent = {"action": "hand_over", "player": player(tournament, "Foxes3").pk}
    assert "the captain no longer answers" in client.post(act, sent).content.decode()
    for _time in range(2):
        client.post(act, sent | {"sure": "yes"})
    assert squad(tournament, "Foxes").captain == user_named("Foxes3")
    assert notices_to("Foxes3")[-1][0] == "You are the captain of Foxes"
    titles = [title for title, _lead in notices_to("Foxes1")]
    assert titles.count("Foxes3 is now the captain of Foxes") == 1
    for by in (user_named("Foxes1"), user_named("Owls1"), person("Eve")):
        client.force_login(by)
        assert 'value="hand_over"' not in client.get(url).content.decode()
        with pytest.raises(NotYours, match="Only the captain"):
            teams.hand_over(team=foxes, by=by, player=player(tournament, "Foxes2").pk)
    co_organizers.offer(competition=tournament, by=olga, name="Owls2")
    co_organizers.answer(competition=tournament, user=user_named("Owls2"), accepts=True)
    with pytest.raises(NotYours, match="a competition you play in"):
        teams.hand_over(team=owls, by=user_named("Owls2"), player=player(tournament, "Owls2").pk)


def test_l32_the_next_captain_is_told_if_the_old_one_is_not_taken_along(olga):
    tournament = begun(olga, 2, 3, pause=1)
    Seat.objects.filter(owner__username="Foxes1").update(has_given_up=True)
    while again(tournament).is_running:
        for match in running(tournament):
            play(match)
        sweep(tournament)
    sweep(tournament)
    assert squad(Tournament.objects.get(follows=tournament), "Foxes").captain.username == "Foxes2"
    assert "You are the captain of Foxes" in [title for title, _lead in notices_to("Foxes2")]


def test_a_captain_hears_who_is_gone_and_of_boards_that_become_empty_late(olga):
    with time_machine.travel("2027-03-01 08:00Z", tick=False) as clock:
        tournament = begun(olga, 4, 4)
        foxes, foxes3 = squad(tournament, "Foxes"), player(tournament, "Foxes3")
        teams.leave(team=foxes.team, user=user_named("Foxes4"))
        organizing.remove(entrant=player(tournament, "Foxes2").entrant, by=olga, reason="Abuse.")
        gone = [(title, url) for title, url in Notice.objects.filter(user=foxes.captain).values_list("title", "url")]
        assert [title for title, url in gone if url == foxes.team.get_absolute_url()][-2:] == [
            "Foxes4 is no longer in Foxes", "Foxes2 is no longer in Foxes"
        ]  # fmt: skip
        clock.shift(timedelta(days=6))
        sweep(tournament)
        assert not [title for title, _lead in notices_to("Foxes1") if "starts soon" in title]
        for _time in range(2):  # less than two days before
            teams.set_away(team=foxes.team, by=foxes3.entrant.user, player=foxes3.pk, is_away=True)
            sweep(tournament)
        warned = [lead for title, lead in notices_to("Foxes1") if "starts soon" in title]
        assert len(warned) == 1 and "1 board has nobody to play on it" in warned[0]


def test_a_captain_hears_who_has_left_a_complete_team_before_the_start(olga):
    tournament = league(olga)
    foxes = team(tournament, "Foxes", 3)
    for _time in range(2):
        teams.leave(team=foxes, user=user_named("Foxes3"))
    assert [title for title, _lead in notices_to("Foxes1")][2:] == ["Foxes3 has left Foxes"]


def test_nobody_leaves_a_team_of_a_canceled_league(olga):
    foxes = team(league(olga), "Foxes")
    tournaments.call_off(tournament=foxes.tournament, user=olga, reason="No venue.")
    with pytest.raises(Over, match="The league has ended"):
        teams.leave(team=foxes, user=foxes.captain)
    with pytest.raises(Over, match="The league has ended"):
        teams.set_away(team=foxes, by=foxes.captain, player=player(foxes.tournament, "Foxes2").pk, is_away=True)


def test_a_captain_hears_of_a_player_who_deletes_their_account_before_the_start(olga):
    tournament = league(olga)
    foxes, owls = team(tournament, "Foxes", 3), team(tournament, "Owls", 1)
    for name in ("Foxes3", "Owls1"):
        delete_account(user_named(name))
    assert notices_to("Foxes1")[-1][0] == "Former player has left Foxes"
    assert squad(tournament, "Foxes").captain == foxes.captain and not Team.objects.filter(pk=owls.pk).exists()


def test_a_former_captain_hears_nothing_of_players_who_are_gone(olga):
    tournament = begun(olga, 2, 4)
    for name in ("Foxes1", "Foxes4"):  # before a sweep makes another player the captain
        organizing.remove(entrant=player(tournament, name).entrant, by=olga, reason="Abuse.")
    assert "Foxes4 is no longer in Foxes" not in [title for title, _lead in notices_to("Foxes1")]


def test_the_name_of_a_deleted_account_stays_in_no_notice_about_its_former_team(olga):
    foxes = team(league(olga), "Foxes", 3)
    marietta = person("Marietta")
    teams.join(team=foxes, user=marietta, token=foxes.invite_token)
    teams.leave(team=foxes, user=marietta)
    assert len([title for title, _lead in notices_to("Foxes1") if "Marietta" in title]) == 2
    delete_account(marietta)
    assert not [title for title, _lead in notices_to("Foxes1") if "Marietta" in title]


def test_the_name_of_a_deleted_captain_stays_in_no_notice_to_the_captain_before(olga):
    foxes = team(league(olga), "Foxes", 3)
    marietta = person("Marietta")
    teams.join(team=foxes, user=marietta, token=foxes.invite_token)
    teams.hand_over(team=foxes, by=olga, player=player(foxes.tournament, "Marietta").pk)
    teams.leave(team=foxes, user=user_named("Foxes1"))
    assert notices_to("Foxes1")[-1][0] == "Marietta is now the captain of Foxes"
    delete_account(marietta)
    assert not [title for title, _lead in notices_to("Foxes1") if "Marietta" in title]


def test_a_reserve_joins_during_the_season_and_plays_from_the_next_match_day(olga):
    with time_machine.travel("2027-03-01 08:00Z", tick=False) as clock:
        tournament = begun(olga, 2 + 2)
        foxes = squad(tournament, "Foxes")
        teams.leave(team=foxes.team, user=foxes.playing[1].entrant.user)
        assert len(running(tournament)) == 4  # a bot finishes the game
        bob = person("Bob")
        teams.invite(team=foxes.team, by=foxes.captain, name="Bob")
        teams.join(team=foxes.team, user=bob)
        clock.shift(timedelta(days=7))
        sweep(tournament)
        assert seats(tournament, 2)["Foxes"] == ["Foxes1", "Bob"]
        clock.shift(timedelta(days=7))
        sweep(tournament)
        with pytest.raises(Over, match="last match day has started"):
            teams.join(team=foxes.team, user=person("Carol"), token=foxes.team.invite_token)


def test_the_organizer_takes_a_team_out_and_lets_it_in_again(olga):
    tournament = league(olga)
    for name in TEAM_NAMES[:3]:
        foxes = team(tournament, name)
    intervention = teams.take_out(team=foxes, by=olga, reason="They asked for it.")
    with pytest.raises(Over):
        teams.take_out(team=foxes, by=olga, reason="Again.")
    corrections.undo(intervention=intervention, by=olga, reason="They changed their minds.")
    teams.take_out(team=foxes, by=olga, reason="And back.")
    tournaments.start(tournament=tournament, user=olga)
    assert sorted(Team.objects.values_list("name", flat=True)) == ["Foxes", "Owls"]
    intervention = Intervention.objects.filter(kind="removed").latest("pk")
    with pytest.raises(Over, match="has started without Hares"):
        corrections.undo(intervention=intervention, by=olga, reason="Late.")
    tournament.refresh_from_db()
    assert corrections.why_not_undo(intervention, tournament, olga) == "The tournament has started without Hares."


def test_a_team_that_staff_take_out_is_listed_as_a_decision_of_staff(olga):
    tournament = league(olga)
    by_staff = teams.take_out(
        team=team(tournament, "Foxes"), by=person("Sam", is_staff=True, is_superuser=True), reason="Spam."
    )
    by_organizer = teams.take_out(team=team(tournament, "Owls"), by=olga, reason="Spam.")
    assert (by_staff.as_staff, by_organizer.as_staff) == (True, False)


def test_a_player_removed_by_the_organizer_comes_back_when_this_is_undone(olga):
    tournament = league(olga)
    team(tournament, "Foxes")
    tournaments.remove(
        tournament=tournament, entrant=player(tournament, "Foxes2").entrant_id, by=olga, reason="A mistake."
    )
    assert len(squad(tournament, "Foxes").players) == 1
    corrections.undo(intervention=Intervention.objects.get(), by=olga, reason="It was one.")
    assert [player.entrant.name for player in squad(tournament, "Foxes").players] == ["Foxes1", "Foxes2"]


def test_two_who_must_not_meet_have_no_game_and_their_board_counts_for_neither(olga):
    tournament = league(olga)
    team(tournament, "Foxes")
    team(tournament, "Owls")
    gates.keep_apart(competition=tournament, by=olga, names=["Foxes1", "Owls1"])
    tournaments.start(tournament=tournament, user=olga)
    [match] = day(tournament, 1)
    assert [board.is_void for board in match.boards] == [True, False]


def test_seats_alternate_by_board_and_home_and_away_balance(olga):
    for teams_in in range(2, 21):
        plan = pure.plan(teams_in)
        home = [table[0] for tables in plan for table in tables]
        met = [frozenset(table) for tables in plan for table in tables]
        assert len(set(met)) == len(met) == teams_in * (teams_in - 1) // 2
        counts = [home.count(team_number) for team_number in range(teams_in)]
        assert max(counts) - min(counts) <= 1
