"""Entry conditions: what leagues and tournaments ask on entering and at the start, and what refusals tell."""

from collections.abc import Iterator
from itertools import chain, combinations

import pytest
import time_machine
from allauth.account.models import EmailAddress
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from games.contests import interventions
from games.contests.gates import conditions, services
from games.contests.leagues import services as leagues
from games.contests.models import Admitted, Apart, Entrant, Intervention, Match, Member, RatedPlayer, Tournament
from games.contests.organizing import co_organizers
from games.contests.pairing import apart
from games.contests.terms.declaration import TournamentTerms, parse
from games.contests.terms.fitting import check
from games.contests.tournaments import services as tournaments
from games.errors import GameError, NotYours
from games.notices.models import Notice
from games.rules.protocol import IllegalAction
from games.tables.models import Replacement
from games.tables.services import lobby
from tests.cast import person
from tests.contests.cups import cup, play_round, sweep
from tests.contests.leagues import MONDAY, league_of, started
from tests.contests.properties import fixed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(MONDAY, tick=False) as clock:
        yield clock


def rate(user: User, shown: int, games: int = 20) -> User:
    rating = {"shown": shown, "contests": games, "is_provisional": False}
    RatedPlayer.objects.update_or_create(ruleset="legends", user=user, defaults=rating)
    return user


def on_time(user: User, percent: int) -> User:
    user.punctuality = "1" * percent + "0" * (100 - percent)
    user.save(update_fields=["punctuality"])
    return user


def refusal(competition: object, user: User, invite: str = "") -> str:
    """Return the refusal of a person who tries to enter, or an empty text if they enter."""
    try:
        if isinstance(competition, Tournament):
            tournaments.join(tournament=competition, user=user, invite=invite)
        else:
            leagues.join(league=competition, user=user, invite=invite)
    except GameError as refused:
        return str(refused)
    return ""


def lead_to(user: User) -> str:
    return " ".join(Notice.objects.filter(user=user, channel="email").order_by("pk").values_list("lead", flat=True))


ASKED = {"rating_from": 1400, "rating_to": 1600, "games_from": 10, "reliability": 90, "confirmed_email": True}


# Entering


@pytest.mark.parametrize("open_one", [league_of, lambda **terms: cup(person("Opener"), **terms)])
def test_a_refusal_names_each_condition_that_is_not_met_and_the_players_figures(open_one):
    competition = open_one(**ASKED)
    eve = on_time(rate(person("Eve", has_confirmed=False), 1650, 4), 80)
    sentence = refusal(competition, eve)
    assert sentence.startswith("You can’t enter yet. ")
    for words in ("from 1400 to 1600", "Your rating is 1650.", "At least 10", "finished 4.", "90%", "80%", "Confirm"):
        assert words in sentence
    assert not Member.objects.exists() and not Entrant.objects.exists()
    assert refusal(competition, on_time(rate(person("Alice"), 1600, 10), 90)) == ""


def test_players_without_a_rating_meet_no_range_and_those_with_few_turns_any_reliability():
    league = league_of(rating_to=1600)
    assert "You have no rating yet." in refusal(league, person("Alice"))
    relaxed = cup(person("Opener"), reliability=95)
    new = person("Bob")
    new.punctuality = "0" * 9
    new.save()
    assert refusal(relaxed, new) == ""
    assert "95%" in refusal(relaxed, on_time(person("Carol"), 94))


def test_entering_an_invite_only_competition_needs_the_link_or_the_list():
    dan = person("Dan")
    league = league_of(organizer=dan, invite_only=True)
    alice, bob, carol = person("Alice"), person("Bob"), person("Carol")
    assert "by invitation" in refusal(league, alice) and "by invitation" in refusal(league, alice, "guessed")
    assert refusal(league, alice, league.invite_token) == ""
    assert services.admit(competition=league, by=dan, names=["bob", "Bob"]) == 1
    assert services.admit(competition=league, by=dan, names=["Bob"]) == 0
    assert refusal(league, bob) == "" and refusal(league, dan) == ""
    old = league.invite_token
    services.renew_link(competition=league, by=dan)
    assert "by invitation" in refusal(league, carol, old)
    services.take_off(competition=league, by=dan, user=bob.pk)
    assert not Admitted.objects.exists() and Member.objects.filter(user=bob).exists()


def test_a_list_with_an_unknown_name_adds_nobody_and_others_learn_nothing_from_trying():
    dan = person("Dan")
    league = league_of(organizer=dan, invite_only=True)
    person("Alice")
    with pytest.raises(GameError, match="no player named “Zoe”"):
        services.admit(competition=league, by=dan, names=["Alice", "Zoe"])
    for names in (["Alice"], ["Zoe"], []):
        with pytest.raises(NotYours, match="Only the organizer"):
            services.admit(competition=league, by=person(f"Eve{len(names)}{names[:1]}"), names=names)
    assert not Admitted.objects.exists()


def test_a_member_who_returns_has_to_meet_the_conditions_within_the_leeway():
    league = league_of(rating_to=1500)
    alice = rate(person("Alice"), 1500)
    leagues.join(league=league, user=alice)
    leagues.sit_out(league=league, user=alice, sits_out=True)
    rate(alice, 1601)
    with pytest.raises(GameError, match=r"You can’t return yet.*Your rating is 1601"):
        leagues.sit_out(league=league, user=alice, sits_out=False)
    rate(alice, 1600)
    assert not leagues.sit_out(league=league, user=alice, sits_out=False).sits_out


def test_the_page_grants_the_leeway_only_to_those_who_have_entered():
    league = league_of(rating_to=1500)
    alice = rate(person("Alice"), 1600)
    for has_entered in (False, True):
        gate = conditions.gate(
            league, league.declared, alice, is_organizer=False, has_entered=has_entered, apart=0
        )  # fmt: skip
        assert gate.is_closed != has_entered


# At the start


def test_a_season_starts_without_those_who_no_longer_meet_the_conditions_and_tells_only_them_why(clock):
    dan = person("Dan")
    people = [rate(person(name), 1500) for name in ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn")]
    league = league_of(*people, organizer=dan, rating_to=1500, reliability=90, confirmed_email=True)
    on_time(people[4], 89)
    EmailAddress.objects.filter(user=people[5]).update(verified=False)
    rate(people[0], 1600)  # within the leeway
    season = started(league, clock)
    assert set(season.entrants.values_list("name", flat=True)) == {"Ada", "Ben", "Cleo", "Dora"}
    assert Member.objects.filter(league=league).count() == 6
    assert "You have 89%." in lead_to(people[4]) and "Confirm your email" not in lead_to(people[4])
    assert "Confirm your email" in lead_to(people[5])
    assert "2 players who had signed up no longer met the entry conditions" in lead_to(dan)
    everyone = " ".join(lead_to(user) for user in (*people[:4], dan))
    assert "Emil" not in everyone and "89%" not in everyone and "Confirm" not in everyone
    assert not Intervention.objects.exists()


def test_a_season_with_too_few_who_meet_the_conditions_is_postponed_and_the_organizer_learns_why(clock):
    dan = person("Dan")
    people = [on_time(person(name), 95) for name in ("Ada", "Ben", "Cleo", "Dora")]
    league = league_of(*people, organizer=dan, reliability=95)
    on_time(people[0], 90)
    with pytest.raises(GameError, match=r"Only 3 players.*1 player who had signed up no longer met"):
        leagues.start_now(season=league.seasons.get(), user=dan)
    season = started(league, clock)
    assert season.put_off == 1 and not season.entrants.exists()
    assert "1 player who had signed up" in lead_to(dan)
    assert not any("no longer met" in lead_to(user) for user in people)  # they have another week to meet them


def test_a_tournament_starts_without_them_and_the_public_line_names_nobody():
    dan = person("Dan")
    people = [on_time(person(name), 95) for name in ("Ada", "Ben", "Cleo", "Dora", "Emil")]
    tournament = cup(dan, people, reliability=95)
    on_time(people[2], 94)
    tournaments.start(tournament=tournament, user=dan)
    assert set(Entrant.objects.values_list("name", flat=True)) == {"Ada", "Ben", "Dora", "Emil"}
    [line] = Intervention.objects.filter(tournament=tournament)
    assert line.what == "1 player" and "Cleo" not in line.reason
    assert "You have 94%." in lead_to(people[2])
    assert "1 player who had signed up" in lead_to(dan) and "Cleo" not in lead_to(dan)


def test_a_tournament_that_cannot_start_without_them_stays_as_it_was():
    dan = person("Dan")
    people = [on_time(person(name), 95) for name in ("Ada", "Ben", "Cleo", "Dora")]
    tournament = cup(dan, people, reliability=95)
    on_time(people[2], 94)
    with pytest.raises(GameError, match=r"3 players have signed up so far.*1 player who had signed up no longer"):
        tournaments.start(tournament=tournament, user=dan)
    assert tournament.entrants.count() == 4 and not Intervention.objects.exists() and lead_to(people[2]) == ""


def test_a_tournament_that_fills_up_with_people_who_no_longer_meet_them_waits_for_others():
    dan = person("Dan")
    people = [on_time(person(name), 95) for name in ("Ada", "Ben", "Cleo", "Dora")]
    tournament = cup(dan, people[:3], seats=4, reliability=95)
    on_time(people[0], 94)
    tournaments.join(tournament=tournament, user=people[3])
    tournament = sweep(tournament)
    assert tournament.is_open and set(tournament.entrants.values_list("name", flat=True)) == {"Ben", "Cleo", "Dora"}
    tournaments.join(tournament=tournament, user=on_time(person("Emil"), 95))
    assert sweep(tournament).is_running


# What organizers learn


def test_conditions_that_nobody_meets_get_a_sentence_that_looks_only_at_what_everyone_can_see():
    terms = TournamentTerms(name="Cup", rating_from=1900, rating_to=2000)
    assert "meets these conditions right now: A rating from 1900 to 2000" in conditions.nobody_meets(terms)
    ada = rate(person("Ada", has_confirmed=False), 1950, 12)
    assert conditions.nobody_meets(terms) == ""
    confirmed = TournamentTerms(name="Cup", rating_from=1900, confirmed_email=True)
    assert conditions.nobody_meets(confirmed) == ""  # or else it would tell whether Ada has confirmed her address
    many = TournamentTerms(name="Cup", games_from=13)
    assert "At least 13 finished rated games" in conditions.nobody_meets(many)
    on_time(ada, 80)
    assert conditions.nobody_meets(TournamentTerms(name="Cup", games_from=12, reliability=90))


def test_a_range_of_ratings_cannot_be_so_narrow_that_it_picks_one_player():
    with pytest.raises(IllegalAction, match="“rating_to” must be at least 100 points above"):
        check(parse("[league]\nname = 'x'\nrating_from = 1500\nrating_to = 1599"), 11)
    check(parse("[league]\nname = 'x'\nrating_from = 1500\nrating_to = 1600"), 11)


# Tables


def test_a_table_asks_for_a_rating_in_its_game_and_refusals_tell_only_ones_own():
    host = person("Host")
    table = lobby.open_table(user=host, players=4, listed=True, rating_from=1400, rating_to=1600)
    for name, shown, words in (
        ("Ada", None, "you don’t have one for this game yet"), ("Ben", 1399, "1400 or more. Yours is 1399"),
        ("Cleo", 1601, "1600 or less. Yours is 1601"),
    ):  # fmt: skip
        user = person(name)
        if shown:
            rate(user, shown)
        with pytest.raises(GameError, match=words):
            lobby.join_table(game=table, user=user)
        with pytest.raises(GameError, match=words):
            lobby.join_table(game=table, user=user, invite=table.invite_token)
    lobby.join_table(game=table, user=rate(person("Dora"), 1400))
    assert table.seats.count() == 2


def test_a_table_cannot_ask_for_a_single_rating():
    with pytest.raises(GameError, match="at least 100 points"):
        lobby.open_table(user=person("Host"), rating_from=1500, rating_to=1550)
    with pytest.raises(GameError, match="between 0 and 4000"):
        lobby.open_table(user=person("Heidi"), rating_from=-1)


# Forbidden pairings


def test_an_exchange_separates_a_pair_and_keeps_the_strength_of_the_groups():
    pair = {frozenset((0, 3))}
    assert apart.exchanged([[0, 3, 4], [1, 2, 5]], pair) == [[0, 2, 4], [1, 3, 5]]
    assert apart.exchanged([[0, 3, 4]], pair) == [[0, 3, 4]]
    assert apart.exchanged([[0, 1], [2, 3]], {frozenset((0, 1)), frozenset((2, 3))}) in (
        [[0, 2], [1, 3]],
        [[0, 3], [2, 1]],
    )


@fixed
@given(st.integers(1, 4), st.sets(st.frozensets(st.integers(0, 11), min_size=2, max_size=2), max_size=6))
def test_exchanges_lose_nobody_and_never_make_it_worse(number, pairs):
    groups = [list(range(n, 12, number)) for n in range(number)]

    def clashes(made):
        return sum(frozenset(two) in pairs for group in made for two in combinations(group, 2))

    exchanged = apart.exchanged(groups, pairs)
    assert sorted(chain.from_iterable(exchanged)) == list(range(12)) and clashes(exchanged) <= clashes(groups)
    assert list(map(len, exchanged)) == list(map(len, groups))


def met(competition: object) -> set[frozenset[str]]:
    """Return the pairs of players who have a match."""
    key = {"pool__tournament": competition} if isinstance(competition, Tournament) else {"pool__season": competition}
    tables = [match.appearances.values_list("entrant__name", flat=True) for match in Match.objects.filter(**key)]
    return {frozenset(pair) for names in tables for pair in combinations(names, 2)}


def test_two_of_a_household_get_different_divisions_or_no_match(clock):
    dan = person("Dan")
    names = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gus", "Hal")
    league = league_of(*map(person, names), organizer=dan, division=4)
    services.keep_apart(competition=league, by=dan, names=["Ada", "Ben"])
    services.keep_apart(competition=league, by=dan, names=["ben", "Ada"])
    assert Apart.objects.count() == 1
    season = started(league, clock)
    pairs = met(season)
    assert (
        frozenset(("Ada", "Ben")) not in pairs and len(pairs) == 11
    )  # each tier has one division, so their match is left out


def test_a_late_joiner_gets_no_division_with_someone_they_must_not_meet(clock):
    dan, late = person("Dan"), person("Late")
    league = league_of(*map(person, ("Ada", "Ben", "Cleo", "Dora")), organizer=dan, division=4)
    services.keep_apart(competition=league, by=dan, names=["Ada", "Late"])
    season = started(league, clock)
    leagues.join(league=league, user=late)
    assert not season.entrants.filter(user=late).exists() and Member.objects.filter(user=late).exists()


@pytest.mark.parametrize("format", ["swiss", "round-robin"])
def test_a_tournament_never_pairs_them(format):
    dan = person("Dan")
    tournament = cup(dan, map(person, ("Ada", "Ben", "Cleo", "Dora")), format=format, seats=4)
    services.keep_apart(competition=tournament, by=dan, names=["Ada", "Cleo"])
    tournaments.start(tournament=tournament, user=dan)
    tournament = sweep(tournament)
    while tournament.is_running:
        tournament = play_round(tournament)
    assert (
        frozenset(("Ada", "Cleo")) not in met(tournament)
        and len(met(tournament)) == {"swiss": 4, "round-robin": 5}[format]
    )


def test_c16_in_a_knockout_they_meet_in_the_final_at_the_earliest():
    dan = person("Dan")
    tournament = cup(dan, map(person, ("Ada", "Ben", "Cleo", "Dora")), format="knockout", seats=4)
    services.keep_apart(competition=tournament, by=dan, names=["Ada", "Dora"])  # the first seed and the last
    tournaments.start(tournament=tournament, user=dan)
    tournament = sweep(tournament)
    assert met(tournament) == {frozenset(("Ada", "Cleo")), frozenset(("Ben", "Dora"))}
    while tournament.is_running:
        tournament = play_round(tournament)
    assert tournament.has_ended


def test_c17_nobody_takes_over_a_match_against_someone_they_must_not_meet():
    dan, zoe = person("Dan"), person("Zoe")
    tournament = cup(dan, map(person, ("Ada", "Ben", "Cleo", "Dora")), format="round-robin", seats=4)
    tournaments.start(tournament=tournament, user=dan)
    tournament = sweep(tournament)
    of_ada = Match.objects.get(round=1, appearances__entrant__name="Ada")
    opponent = of_ada.appearances.exclude(entrant__name="Ada").get().entrant
    ada = Entrant.objects.get(name="Ada")
    services.keep_apart(competition=tournament, by=dan, names=["Zoe", opponent.name])
    with pytest.raises(GameError, match="Zoe can’t take this place") as refusal:
        tournaments.replace(tournament=tournament, entrant=ada.pk, by=dan, name="Zoe", reason="moved")
    assert opponent.name not in str(refusal.value)
    other = Entrant.objects.filter(tournament=tournament).exclude(pk__in=[ada.pk, opponent.pk]).first()
    tournaments.replace(tournament=tournament, entrant=other.pk, by=dan, name="Zoe", reason="moved")
    services.keep_apart(competition=tournament, by=dan, names=["Zoe", "Ada"])
    replacement = Replacement.objects.get(user=zoe)
    mate = Match.objects.get(round=1, appearances__entrant=other).appearances.exclude(entrant=other).get().entrant
    services.keep_apart(competition=tournament, by=dan, names=["Zoe", mate.name])  # since the question was asked
    with pytest.raises(GameError, match="Zoe can’t take this place"):
        interventions.accept(pk=replacement.pk, user=zoe)
    assert Entrant.objects.get(pk=other.pk).user_id != zoe.pk


def test_only_the_organizer_keeps_people_apart_and_names_have_to_be_two_players():
    dan = person("Dan")
    league = league_of(person("Ada"), organizer=dan)
    for names in (["Ada", "Ada"], ["Ada", "Zoe"]):
        with pytest.raises(GameError, match="two different players"):
            services.keep_apart(competition=league, by=dan, names=names)
    services.keep_apart(competition=league, by=dan, names=["Ada", "Dan"])
    pair = Apart.objects.get()
    with pytest.raises(NotYours, match="Only the organizer"):
        services.let_meet(competition=league, by=person("Eve"), pair=pair.pk)
    services.let_meet(competition=cup(dan), by=dan, pair=pair.pk)  # of another competition
    assert Apart.objects.exists()
    services.let_meet(competition=league, by=dan, pair=pair.pk)
    assert not Apart.objects.exists()


def test_an_organizer_cannot_avoid_opponents_by_forbidding_pairings(clock):
    dan, ada = person("Dan"), person("Ada")
    others = [person(name) for name in ("Ben", "Cleo", "Dora", "Emil")]
    tournament = cup(dan, [dan], format="swiss", rounds=2)
    for user in others[:3]:  # nobody else has signed up
        services.keep_apart(competition=tournament, by=dan, names=["Dan", user.username])
    with pytest.raises(GameError, match="Dan is already kept apart from 3 players"):
        services.keep_apart(competition=tournament, by=dan, names=["Dan", "Emil"])
    services.keep_apart(competition=tournament, by=dan, names=["Ben", "Dan"])  # which is known
    services.let_meet(competition=tournament, by=dan, pair=Apart.objects.get(second=others[2]).pk)
    clock.shift(3600)
    for user in (ada, *others):
        tournaments.join(tournament=tournament, user=user)
    pair, before = Apart.objects.first(), list(Apart.objects.values())
    actions = (
        lambda: services.keep_apart(competition=tournament, by=dan, names=["Dan", "Emil"]),
        lambda: services.keep_apart(competition=tournament, by=dan, names=["Ada", "Emil"]),
        lambda: services.let_meet(competition=tournament, by=dan, pair=pair.pk),
    )
    for action in actions:
        with pytest.raises(NotYours, match="while you take part and others have signed up"):
            action()
    tournaments.start(tournament=tournament, user=dan)
    tournament = sweep(tournament)
    for action in actions:
        with pytest.raises(NotYours, match="while you take part and others have signed up"):
            action()
    assert list(Apart.objects.values()) == before
    services.let_meet(competition=tournament, by=person("Boss", is_staff=True, is_superuser=True), pair=pair.pk)
    assert Apart.objects.count() == 1


@pytest.mark.parametrize("is_league", [True, False])
def test_an_organizer_who_changes_pairings_once_others_have_signed_up_cannot_sign_up(clock, is_league):
    dan = person("Dan")
    competition = league_of(organizer=dan) if is_league else cup(dan)
    services.keep_apart(competition=competition, by=dan, names=["Dan", person("Ben").username])
    early = Apart.objects.get()
    clock.shift(3600)
    assert not refusal(competition, User.objects.get(username="Ben")) and not refusal(competition, person("Ada"))
    clock.shift(3600)
    with pytest.raises(NotYours, match="Only site staff can allow it now"):
        services.let_meet(competition=competition, by=dan, pair=early.pk)
    services.keep_apart(competition=competition, by=dan, names=["Dan", "Ada"])
    assert "pairings were forbidden after others had signed up" in refusal(competition, dan)
    services.let_meet(competition=competition, by=dan, pair=Apart.objects.exclude(pk=early.pk).get().pk)
    assert not refusal(competition, dan) and Apart.objects.get() == early
    with pytest.raises(NotYours, match="while you take part and others have signed up"):
        services.keep_apart(competition=competition, by=dan, names=["Dan", "Ada"])
    services.let_meet(competition=competition, by=person("Boss", is_staff=True, is_superuser=True), pair=early.pk)


@pytest.mark.parametrize("is_league", [True, False])
@pytest.mark.parametrize("change", ["forbid", "allow", "forbid and allow after the start"])
def test_c16_a_co_organizer_who_changed_pairings_cannot_resign_and_sign_up(clock, is_league, change):
    dan, zoe, (ada, ben) = person("Dan"), person("Zoe"), map(person, ("Ada", "Ben"))
    competition = league_of(organizer=dan, division=4) if is_league else cup(dan, format="arena", seats=16)
    co_organizers.ask_to_help(competition=competition, by=dan, name="Zoe", rights=["settings"])
    co_organizers.answer(competition=competition, user=zoe, accepts=True)
    for user in (ada, ben, *map(person, ("Cleo", "Dora"))):
        assert not refusal(competition, user)
    clock.shift(3600)
    services.keep_apart(competition=competition, by=dan if change == "allow" else zoe, names=["Ada", "Ben"])
    if change == "forbid and allow after the start":
        if is_league:
            started(competition, clock)
        else:
            tournaments.start(tournament=competition, user=dan)
            competition = sweep(competition)
    if change != "forbid":
        services.let_meet(competition=competition, by=zoe, pair=Apart.objects.get().pk)
        assert not Apart.objects.exists()
    co_organizers.withdraw(competition=competition, by=zoe, user=zoe.pk)
    if is_league and "start" in change:
        leagues.join(league=competition, user=zoe)  # for the next season
        assert not Entrant.objects.filter(user=zoe).exists()
    else:
        sentence = "You changed the forbidden pairings after others had signed up"
        assert sentence in refusal(competition, zoe)
        ada.delete()  # which deletes her pair
        assert sentence in refusal(competition, zoe) and not Apart.objects.exists()
    assert not refusal(competition, person("Finn"))  # who has changed nothing


def test_c16_an_organizer_who_allows_a_pairing_again_before_the_start_can_sign_up(clock):
    dan, zoe = person("Dan"), person("Zoe")
    tournament = cup(dan, map(person, ("Ada", "Ben")))
    co_organizers.ask_to_help(competition=tournament, by=dan, name="Zoe", rights=["settings"])
    co_organizers.answer(competition=tournament, user=zoe, accepts=True)
    clock.shift(3600)
    services.keep_apart(competition=tournament, by=zoe, names=["Ada", "Ben"])
    services.let_meet(competition=tournament, by=zoe, pair=Apart.objects.get().pk)
    services.keep_apart(competition=tournament, by=zoe, names=["Ada", "Ben"])
    services.let_meet(competition=tournament, by=dan, pair=Apart.objects.get().pk)
    assert not refusal(tournament, zoe)
    assert "You changed the forbidden pairings" in refusal(tournament, dan)


def test_an_organizer_who_joins_late_does_not_choose_the_division_by_forbidding_pairings(clock):
    dan = person("Dan")
    league = league_of(*map(person, ("Ada", "Ben", "Cleo", "Dora")), organizer=dan, division=4)
    season = started(league, clock)
    services.keep_apart(competition=league, by=dan, names=["Cleo", "Ada"])
    leagues.join(league=league, user=dan)
    assert not season.entrants.filter(user=dan).exists() and Member.objects.filter(user=dan).exists()
    with pytest.raises(NotYours, match="while you take part and others have signed up"):
        services.keep_apart(competition=league, by=dan, names=["Dan", "Ada"])
