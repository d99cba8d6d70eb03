"""Leagues and tournaments declared in TOML: the text round-trips, and each mistake has its own error message."""

import tomllib
from datetime import date

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clocks import clock as clocks
from games.contests.terms.declaration import LEAGUE, TOURNAMENT, AnyTerms, LeagueTerms, TournamentTerms, parse, text
from games.contests.terms.fitting import allowed_hours, answer_hours, check, match_days, season_weeks
from games.rules.protocol import IllegalAction
from games.tables.models.game import TimeOut
from tests.contests.properties import fixed
from tests.each import for_each

DECISIONS = 11
LEGENDS = LeagueTerms(name="Harbour League")
CUP = TournamentTerms(name="Harbour Cup")


def league(**lines: object) -> LeagueTerms:
    return msgspec.structs.replace(LEGENDS, **lines)


def cup(**lines: object) -> TournamentTerms:
    return msgspec.structs.replace(CUP, **lines)


def refusal(terms: AnyTerms, decisions: int = DECISIONS) -> str:
    try:
        check(terms, decisions)
    except IllegalAction as refused:
        return str(refused)
    return ""


def test_the_default_terms_can_be_played():
    assert refusal(LEGENDS) == refusal(CUP) == ""


def test_a_declaration_of_only_a_name_has_the_default_terms():
    assert parse("[league]\nname = 'Harbour League'") == LEGENDS
    assert parse("[tournament]\nname = 'Harbour Cup'") == CUP


def test_every_field_of_the_terms_is_documented_and_nothing_else():
    assert set(LEAGUE) == set(LeagueTerms.__struct_fields__)
    assert set(TOURNAMENT) == set(TournamentTerms.__struct_fields__)
    assert all(field.sentence.endswith(".") for field in (LEAGUE | TOURNAMENT).values())


def test_leagues_offer_the_same_time_out_choices_as_tables():
    assert LEAGUE["time_out"].words == {choice.value: str(choice.label) for choice in TimeOut}


names = st.text("aZ0 .-\"'\\#=[]„“é漢🎲", min_size=1, max_size=60)
tie_breaks = st.lists(st.sampled_from(list(LEAGUE["tie_breaks"].words)), unique=True).map(tuple)
contest = {
    "name": names.filter(str.strip),
    "full": st.booleans(),
    "rated": st.booleans(),
    "bots": st.booleans(),
    "invite_only": st.booleans(),
    "confirmed_email": st.booleans(),
    "clock": st.sampled_from(["move 2d", "move 36h weekends-off", "bank 5d +12h cap 7d"]),
    "time_out": st.sampled_from(list(LEAGUE["time_out"].words)),
    "options": st.sampled_from([{}, {"citadels": True}, {"dragon": "6", "portals": True}]),
    "tie_breaks": tie_breaks,
    "starts": st.none() | st.dates(date(2026, 1, 1), date(2040, 1, 1)),
}


def numbers(kind: type[AnyTerms]) -> dict[str, st.SearchStrategy[int]]:
    lines = LEAGUE if kind is LeagueTerms else TOURNAMENT
    return {key: st.integers(field.low, field.high) for key, field in lines.items() if field.high and key != "players"}


leagues = st.builds(LeagueTerms, players=st.integers(2, 4), **contest, **numbers(LeagueTerms))
tournaments = st.builds(
    TournamentTerms, players=st.integers(2, 4), format=st.sampled_from(list(TOURNAMENT["format"].words)),
    **contest, **numbers(TournamentTerms),
)  # fmt: skip


@fixed
@given(leagues | tournaments)
def test_a_written_declaration_parses_to_the_same_terms(terms: AnyTerms):
    assert parse(text(terms)) == terms


def test_control_characters_are_written_as_toml_allows_them():
    name = "".join(map(chr, [*range(32), 0x7F, 0x85])) + "\u2028"  # TOML forbids DEL, which JSON allows
    options = {name: name, "plain": True, "many": [1, 2]}
    lines = tomllib.loads(text(league(name=name, options=options)))["league"]
    assert (lines["name"], lines["options"]) == (name, options)


@fixed
@given(leagues | tournaments, st.integers(1, 60))
def test_every_declaration_passes_the_check_or_is_refused_with_the_name_of_one_of_its_lines(
    terms: AnyTerms, decisions: int
):
    try:
        check(terms, decisions)
    except IllegalAction as refused:
        assert refused.values["key"] in terms.__struct_fields__
        assert str(refused).startswith(f"“{refused.values['key']}”") and str(refused).endswith(".")


def test_the_text_explains_each_line():
    written = text(league(players=3, starts=date(2027, 3, 1)))
    assert "# Players per game.\nplayers = 3\n" in written
    assert "#   annul: they are annulled\n" in written
    assert tomllib.loads(written)["league"]["starts"] == date(2027, 3, 1)
    assert "# starts = 2027-03-01" in text(LEGENDS) and "starts" not in tomllib.loads(text(LEGENDS))["league"]


def test_the_text_is_in_the_language_of_its_reader():
    assert "# PLAYERS PER GAME.\n" in text(LEGENDS, str.upper)


@for_each(
    "toml, words",
    [
        ("name = ", "This is not valid TOML: Invalid value"),
        ("", "exactly one table, [league] or [tournament]"),
        ("a = " + "[\n" * 9000, "This is not valid TOML: "),
        ("a = [" + "9,\n" * 10 + "9" * 5000, "A line is too long. Use at most 1000 characters."),
        ("a." * 9000 + "a = 1", "A line is too long. Use at most 1000 characters."),
        ("[league]\nname = 'x'\nstarts = 9999-12-31", "“starts” must not be after the year 2999."),
        ("[tournament]\nname = 'x'\nstarts = 3000-01-01", "“starts” must not be after the year 2999."),
        ("league = 1", "exactly one table, [league] or [tournament]"),
        ("[cup]\nname = 'x'", "exactly one table, [league] or [tournament]"),
        ("[league]\nname = 'x'\n[tournament]", "exactly one table, [league] or [tournament]"),
        ("[league]\nplayers = 2", "The line “name” is missing."),
        ("[league]\nname = 'x'\nplayer = 2", "There is no line “player”. Did you mean “players”?"),
        ("[league]\nname = 'x'\nxyzzy = 2", "There is no line “xyzzy”. Possible lines are: name, ruleset, options"),
        ("[tournament]\nname = 'x'\ndivision = 6", "There is no line “division”."),
        ("[league]\nname = 5", "“name” must be text in quotes."),
        ("[league]\nname = ' '", "“name” must be one line of 1 to 60 characters."),
        ('[league]\nname = "a\\nb"', "“name” must be one line of 1 to 60 characters."),
        ("[league]\nname = '\u3164'", "“name” has invisible characters"),
        ("[tournament]\nname = 'a\u0301\u0301\u0301\u0301\u0301'", "or too many accents on one letter. Remove them."),
        ("[league]\nname = 'x'\nfull = 1", "“full” must be true or false."),
        ("[league]\nname = 'x'\nplayers = '2'", "“players” must be a whole number."),
        ("[league]\nname = 'x'\nplayers = true", "“players” must be a whole number."),
        ("[league]\nname = 'x'\nplayers = 6", "“players” must be a number from 2 to 5."),
        ("[league]\nname = 'x'\nplayers = 5", "“players”: this game is for 2 to 4 players."),
        ("[league]\nname = 'x'\nruleset = 'go'", "“ruleset” must be one of: legends, prototype, classic, kingdoms."),
        ("[league]\nname = 'x'\noptions = 1", "“options” must be a table of the game’s options."),
        ("[league]\nname = 'x'\noptions.moat = true", "“options”: There is no option “moat”."),
        ("[league]\nname = 'x'\nclock = '2d'", "“clock”: “2d” isn’t a valid clock."),
        ("[league]\nname = 'x'\ntie_breaks = 'met'", "“tie_breaks” must be a list of words"),
        (
            "[league]\nname = 'x'\ntie_breaks = ['age']",
            "“tie_breaks” must be one of: met, wins, score, strength, beaten.",
        ),
        ("[league]\nname = 'x'\ntie_breaks = ['met', 'met']", "“tie_breaks” lists a tie-break twice."),
        ("[league]\nname = 'x'\nstarts = 2027", "“starts” must be a date, such as 2027-03-01."),
        ("[league]\nname = 'x'\nstarts = 2027-03-01T12:00:00", "“starts” must be a date, such as 2027-03-01."),
        (
            "[tournament]\nname = 'x'\nformat = 'ladder'",
            "“format” must be one of: swiss, round-robin, knockout, groups, arena, teams.",
        ),
    ],
)
def test_each_mistake_in_a_declaration_has_its_own_error_message(toml: str, words: str):
    with pytest.raises(IllegalAction) as refused:
        parse(toml)
    assert words in str(refused.value)


@for_each(
    "terms, words",
    [
        (league(players=9), "“players” must be a number from 2 to 5."),
        (league(bots=True), "“rated”: matches can’t be rated if bots can enter."),
        (league(players=3, division=8), "“division”: with 3 players per game, a division must have 4–7 players."),
        (league(division=4, spread=3), "“promoted”: of 4 players, 1 would be promoted and 3 relegated"),
        (league(promoted=3), "“promoted”: of 6 players, 3 would be promoted and 3 relegated"),
        (
            league(weeks=2, late=0),
            "“weeks”: with this clock and 2 at a time, a player’s 5 matches take about 3 weeks",
        ),
        (
            league(weeks=5),
            "“late”: late joiners need about 3 of the season’s weeks for their matches, but only 2 would be left.",
        ),
        (cup(seats=7, players=4, format="round-robin", fewest=9), "“fewest” can be at most 7"),
        (
            cup(seats=12, players=4, format="round-robin"),
            "“seats”: with 4 players per game, this format needs 4–10, 13, 16 players.",
        ),
        (cup(seats=17, format="groups"), "“seats”: with 2 players per game, this format needs 8–16 players."),
        (cup(seats=2, players=3), "“seats”: with 3 players per game, this format needs 3–512 players."),
        (cup(rounds=3, format="knockout"), "“rounds” is only for Swiss tournaments."),
        (cup(rounds=6, players=4), "“rounds”: after 5 rounds, 16 players would have to meet again."),
        (cup(days_a_round=2), "“days_a_round”: with this clock, a match takes about 3 days."),
    ],
)
def test_each_impossible_schedule_has_its_own_error_message(terms: AnyTerms, words: str):
    assert words in refusal(terms)


def test_a_season_with_the_suggested_number_of_weeks_passes_the_check():
    assert season_weeks(league(), DECISIONS) == 3
    assert refusal(league(weeks=3, late=0)) == ""
    assert refusal(league(weeks=2, late=0, at_once=5)) == ""


def test_players_are_expected_to_answer_after_a_sixth_of_their_time_but_rarely_within_two_hours():
    assert answer_hours(clocks.parse("move 2d"), 10) == 8
    assert answer_hours(clocks.parse("move 6h"), 10) == 2
    assert answer_hours(clocks.parse("move 1h"), 10) == 1
    assert allowed_hours(clocks.parse("bank 3d +8h cap 5d"), 8) == 16


def test_a_match_takes_the_sum_of_the_answer_times_of_all_its_players():
    assert match_days(league(players=3, clock="move 2d"), 10) == pytest.approx(3 * 3 * 10 * 8 / 24)
    assert match_days(league(full=False, clock="move 2d weekends-off"), 10) == pytest.approx(2 * 10 * 8 / 24 * 7 / 5)
