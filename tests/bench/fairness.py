"""A simulated season with players who stall, vanish, abandon or collude, and organizers who make mistakes.

The site's own code runs in virtual time: sign-up, divisions, matches, clocks, substitute bots, corrections, ratings
and promotion. The moves are real as well: a player of strength s plays a share s of all decisions as Medium
does with few positions, and the others at random. The only shortcut is that the turns which two players take in one
visit are written in one transaction. The bot that plays for absent players is stronger than every player here, so
leaving one's games to it is as tempting as it can be.
"""

import random
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from unittest.mock import patch

import msgspec
import time_machine
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from empire.on_commit import without_tasks
from games.bots.bot import play_turn
from games.contests import corrections, pools
from games.contests import interventions as organizing
from games.contests.leagues import decisions
from games.contests.leagues import services as leagues
from games.contests.leagues import sweep as season_steps
from games.contests.models import (
    Appearance,
    Entrant,
    Intervention,
    Match,
    MatchState,
    RatedPlayer,
    Score,
    Season,
    SeasonState,
)
from games.contests.organizers import ALL
from games.contests.organizing import co_organizers
from games.contests.ratings import book
from games.contests.ratings.generators import mixed
from games.contests.ratings.recompute import recompute
from games.contests.terms.declaration import LeagueTerms
from games.errors import GameError
from games.rules.fairness import Quick
from games.rules.protocol import Ruleset, State
from games.tables.models import Game, Replacement, Seat, Status
from games.tables.models.absence import ReplacementAnswer
from games.tables.models.log import By
from games.tables.services import bots, commit, lobby, play, replacement, timeouts
from games.tables.services.commit import Locked
from tests.bench import Row

START = datetime(2027, 3, 1, 12, tzinfo=UTC)
STEP = timedelta(hours=12)
BUDGET = 30  # positions that a simulated player examines: weak, but quick
TERMS = LeagueTerms(
    name="Fairness", full=False, options={"opening": "drawn"}, division=5, spread=2, weeks=6, late=0, clock="move 2d",
)  # fmt: skip
REASON = "The organizers say so."
NOTICED = 0.3  # share of the players who vanish that the organizers replace
MOST_ROUNDS = 10_000  # of one sweep at the same moment
PRIVATE = 3  # rated games that two colluders play at tables of their own


class Way(StrEnum):
    """How a player behaves."""

    BEHAVES = "behaves"
    STALLS = "stalls"  # uses the whole clock for every turn while behind
    VANISHES = "vanishes"  # stops playing on some day
    ABANDONS = "abandons"  # stops playing each game in which they fall behind
    FEEDS = "feeds"  # loses to the partner on purpose
    IS_FED = "is fed"


SHARES = {Way.STALLS: 0.10, Way.VANISHES: 0.10, Way.ABANDONS: 0.05, Way.FEEDS: 0.025, Way.IS_FED: 0.025}


class Player(msgspec.Struct):
    """A player: the share of good decisions, the day of vanishing, a partner, and the index of a twin.

    A twin has the same strength and behaves. Places and ratings are those at the end.
    """

    way: str
    strength: float
    twin: int | None = None
    partner: int | None = None
    gone: float = 0.0
    user: int = 0
    is_noticed: bool = False
    rating: int | None = None
    contests: int = 0
    place: int | None = None
    points: float | None = None  # share of the possible ones
    division: str = ""
    outcome: str = ""


class Outcome(msgspec.Struct):
    """The players at the end of a season, what happened in it, and the processor time in seconds."""

    players: list[Player]
    counts: dict[str, int]
    problems: list[str]
    disturbed: dict[str, float]
    seconds: float


def cast(count: int, dice: random.Random) -> list[Player]:
    """Return so many players. Everyone who does not behave has a twin who does."""
    players: list[Player] = []
    for way, share in SHARES.items():
        for _n in range(round(count * share)):
            strength = min(0.95, max(0.05, dice.gauss(0.5, 0.2)))
            players += [Player(way, strength, twin=len(players) + 1), Player(Way.BEHAVES, strength)]
    while len(players) < count:
        players.append(Player(Way.BEHAVES, min(0.95, max(0.05, dice.gauss(0.5, 0.2)))))
    feeding, fed = ([n for n, player in enumerate(players) if player.way == way] for way in (Way.FEEDS, Way.IS_FED))
    for loser, winner in zip(feeding, fed, strict=False):
        players[loser].partner, players[winner].partner = winner, loser
    days = TERMS.weeks * 7
    for player in players:
        player.gone, player.is_noticed = dice.uniform(0, 0.6 * days), dice.random() < NOTICED
    return players


@contextmanager
def drawn_from(seed: int) -> Iterator[None]:
    """Draw the seeds of games, and whatever else is secret, from this seed, so that a season can be repeated."""
    dice = random.Random(seed)
    random.seed(seed)
    with (
        patch.object(secrets, "token_bytes", dice.randbytes),
        patch.object(secrets, "randbits", dice.getrandbits),
        without_tasks(),
    ):
        yield


def simulate(count: int, seed: int, *, all_behave: bool) -> Outcome:
    """Play a season of so many players on the database, which should be empty."""
    began = process_time()
    with drawn_from(seed), time_machine.travel(START - timedelta(weeks=1), tick=False) as now:
        return Simulation(count, seed, now, all_behave=all_behave).run(began)


class Simulation:
    """A season that is being played. `players` are by index, `by_user` by id; reserves are in the second alone."""

    def __init__(self, count: int, seed: int, now: time_machine.Traveller, *, all_behave: bool) -> None:
        self.now, self.dice, self.all_behave = now, random.Random(seed), all_behave
        self.players = cast(count, self.dice)
        self.reserves = [Player(Way.BEHAVES, self.dice.uniform(0.3, 0.7)) for _n in range(max(10, count // 25))]
        self.organizers = User.objects.bulk_create([User(username=name) for name in ("Olga", "Oscar")])
        everyone = [*self.players, *self.reserves]
        users = User.objects.bulk_create(
            [User(username=f"Player{n}", night=self._night(n)) for n in range(len(everyone))], batch_size=500
        )
        for player, user in zip(everyone, users, strict=True):
            player.user = user.pk
        self.by_user = {player.user: player for player in everyone}
        self.ready: dict[int, datetime] = {}  # when the two players of a game find the time
        self.waits: dict[int, datetime] = {}  # until when a staller lets a game wait
        self.left: set[tuple[int, int]] = set()  # games and seats that were abandoned
        self.replaced: set[int] = set()  # users
        self.counts = Counter[str]()
        self.corrections: list[tuple[datetime, Callable[[], object]]] = []
        self.season = self._signed_up(users[:count])

    def _night(self, n: int) -> dict[str, object]:
        """Return a night. Partners choose the same one, because low divisions are of players with the same hours."""
        partner = self.players[n].partner if n < len(self.players) else None
        minute = 7 * min(n, n if partner is None else partner) % (24 * 60)
        begins, ends = (f"{at // 60 % 24:02}:{at % 60:02}:00" for at in (minute, minute + 8 * 60))
        return {"window": {"begins": begins, "ends": ends}}

    def _signed_up(self, users: Sequence[User]) -> Season:
        owner, helper = self.organizers
        league = leagues.create_league(user=owner, terms=TERMS)
        season = leagues.open_league(league=league, user=owner)
        co_organizers.ask_to_help(competition=league, by=owner, name=helper.username, rights=ALL)
        co_organizers.answer(competition=league, user=helper, accepts=True)
        for user in self.dice.sample(users, len(users)):
            leagues.join(league=league, user=user)
        return season

    def run(self, began: float) -> Outcome:
        """Play until the season has ended, and read how everyone did."""
        season, disturbed = self.season, dict[str, float]()
        self.now.move_to(season.starts_at)
        self.sweep()
        season.refresh_from_db()
        self._private_tables()
        while season.state == SeasonState.RUNNING:
            self.play()
            self.now.shift(STEP)
            self.sweep()
            season.refresh_from_db()
            if not self.all_behave and season.state == SeasonState.RUNNING:
                self.organize(season)
                if season.decided_at is not None and not self.corrections and not disturbed:
                    disturbed = self.disturb()
                    decisions.approve(season=season, by=self.organizers[0])
                    season.refresh_from_db()
        self._read(season)
        problems = [] if self.all_behave else recompute(TERMS.ruleset, mend=False)
        return Outcome(self.players, dict(self.counts), problems, disturbed, process_time() - began)

    def sweep(self) -> None:
        """Run the sweeps that run each minute until they find nothing."""
        now = timezone.now()
        steps: list[Callable[[], int]] = [
            lambda: timeouts.sweep_overdue(now), bots.sweep_bots, lambda: pools.sweep(now),
            lambda: season_steps.sweep(now), lambda: pools.sweep(now), book.sweep,
        ]  # fmt: skip
        for step in steps:
            for _round in range(MOST_ROUNDS):
                if not step():
                    break
            else:  # a sweep that fails at something logs that, and finds it again each time
                raise RuntimeError("A sweep finds no end.")

    # Games

    def play(self) -> None:
        """Let everyone play who has the time and wants to."""
        now = timezone.now()
        owed = Seat.objects.filter(owes=True, user__isnull=False, game__status=Status.RUNNING)
        for game, user, number in owed.order_by("game", "number").values_list("game", "user", "number"):
            ready = self.ready.setdefault(game, now + timedelta(hours=self.dice.uniform(0, 30)))
            is_away = self._has_vanished(user, now) or (game, number) in self.left
            if ready <= now and not is_away and self.waits.get(game, now) <= now:
                while self.visit(game):
                    pass

    def visit(self, game: int) -> bool:
        """Play a game as far as its people want to, then one turn of a bot. Return whether a bot has played."""
        with transaction.atomic():
            row = commit.lock_row(Game(pk=game))
            if not row.is_running:
                return False
            locked, now, was_played, bot = commit.load(row), timezone.now(), False, None
            while owing := locked.rules.to_act(locked.state):
                seat = locked.seat(owing[0])
                if seat.user_id is None:
                    bot = seat.number
                    break
                if not self._wants(locked, seat, now, is_new=was_played):
                    break
                view, whims = locked.rules.view(locked.state, seat.number), Quick(self.dice.getrandbits(63))
                texts = play_turn(locked.rules, view, mixed(self._strength(locked, seat)), whims, BUDGET)
                events = commit.decided(locked, seat.number, texts)
                commit.append(locked, at=now, seat=seat.number, by=By.SEAT, actions=texts, events=events)
                locked.by[seat.number], was_played = By.SEAT, True
            if was_played:
                play._settle(locked, None, now)
        return bot is not None and bots.play_bot(game=game, seat=bot)

    def _way(self, user: int) -> str:
        return Way.BEHAVES if self.all_behave else self.by_user[user].way

    def _has_vanished(self, user: int, now: datetime) -> bool:
        return self._way(user) == Way.VANISHES and now >= START + timedelta(days=self.by_user[user].gone)

    def _wants(self, locked: Locked, seat: Seat, now: datetime, *, is_new: bool) -> bool:
        """Return whether the seat's player takes this turn now. `is_new`: others have played in this visit."""
        assert seat.user_id is not None
        way = self._way(seat.user_id)
        if self._has_vanished(seat.user_id, now) or (locked.game.pk, seat.number) in self.left:
            return False
        if way in (Way.STALLS, Way.ABANDONS) and is_behind(locked.rules, locked.state, seat.number):
            if way == Way.ABANDONS:
                self.left.add((locked.game.pk, seat.number))
                self.counts["games abandoned"] += 1
                return False
            if is_new or (seat.deadline and seat.deadline > now + STEP):
                self.waits[locked.game.pk] = now if is_new or not seat.deadline else seat.deadline - STEP
                self.counts["turns stalled"] += is_new
                return False
        return True

    def _strength(self, locked: Locked, seat: Seat) -> float:
        assert seat.user_id is not None
        player = self.by_user[seat.user_id]
        others = {other.user_id for other in locked.seats}
        is_feeding = self._way(seat.user_id) == Way.FEEDS and player.partner is not None
        if is_feeding and self.players[player.partner or 0].user in others:
            return 0.0
        return player.strength

    def _private_tables(self) -> None:
        """Let partners play rated games at private tables, which are theirs to lose."""
        for player in () if self.all_behave else self.players:
            if player.way == Way.FEEDS and player.partner is not None:
                pair = [User.objects.get(pk=pk) for pk in (player.user, self.players[player.partner].user)]
                for _n in range(PRIVATE):
                    game = lobby.open_table(user=pair[0], players=2, clock=TERMS.clock, options=TERMS.options)
                    lobby.join_table(game=game, user=pair[1], invite=game.invite_token)
                    self.counts["private games of partners"] += 1

    # Organizers

    def organize(self, season: Season) -> None:
        """Replace some of those who have vanished, make mistakes, and correct earlier ones."""
        now = timezone.now()
        due = [correction for correction in self.corrections if correction[0] <= now]
        self.corrections = [correction for correction in self.corrections if correction[0] > now]
        for _at, correct in due:
            self._attempt("corrected", correct)
        for player in self.players:
            days_gone = (now - START) / timedelta(days=1) - player.gone
            if player.way == Way.VANISHES and player.is_noticed and days_gone > 5 and player.user not in self.replaced:
                self.replaced.add(player.user)
                entrant = Entrant.objects.filter(season=season, user=player.user, left_at=None).first()
                if entrant is not None:
                    self._attempt("replaced after vanishing", partial(self._replace, entrant))
        is_on = now < season.ends_at - timedelta(weeks=1) and season.decided_at is None
        mistakes = len(self.players) / 50 / (TERMS.weeks * 7 * timedelta(days=1) / STEP)
        for _n in range(int(mistakes) + (self.dice.random() < mistakes % 1) if is_on else 0):
            errors: list[Callable[[], object]] = [
                self._award, self._annul, self._remove, self._ban, self._replace_wrongly
            ]  # fmt: skip
            self._attempt("", self.dice.choice(errors))

    def _attempt(self, name: str, act: Callable[[], object]) -> None:
        """Do what the site may refuse."""
        try:
            with transaction.atomic():
                act()
        except GameError as refusal:
            self.counts[f"refused: {refusal}"] += 1
        else:
            if name:
                self.counts[name] += 1

    def _correct_later(self, name: str, act: Callable[[User], object]) -> None:
        """Count a mistake of one organizer, and let one of them correct it some days later."""
        self.counts[f"mistakes: {name}"] += 1
        by = self.dice.choice(self.organizers)
        self.corrections.append((timezone.now() + timedelta(days=self.dice.uniform(1, 5)), lambda: act(by)))

    def _some_match(self, *states: str) -> Match:
        matches = Match.objects.filter(pool__season=self.season, state__in=states).order_by("pk")
        return matches[self.dice.randrange(matches.count())]

    def _award(self, match: Match | None = None) -> Intervention:
        """Turn the result of a match around."""
        match = match or self._some_match(MatchState.ENDED)
        places = [3 - (place or 1) for place in match.appearances.values_list("place", flat=True)]
        by = self.dice.choice(self.organizers)
        corrections.award(match=match, by=by, places=places, reason=REASON, expected=match.version)
        intervention = Intervention.objects.latest("pk")
        self._correct_later("decided", lambda by: corrections.undo(intervention=intervention, by=by, reason=REASON))
        return intervention

    def _annul(self) -> None:
        match, by = self._some_match(MatchState.ENDED, MatchState.PLAYING), self.dice.choice(self.organizers)
        organizing.annul(match=match, by=by, reason=REASON, expected=match.version)
        intervention = Intervention.objects.latest("pk")
        self._correct_later("annulled", lambda by: corrections.undo(intervention=intervention, by=by, reason=REASON))

    def _innocent(self) -> Entrant:
        behaving = [
            player.user for player in self.players if player.way == Way.BEHAVES and player.user not in self.replaced
        ]
        user = self.dice.choice(behaving)
        return Entrant.objects.select_related("user").get(season=self.season, user=user)

    def _remove(self) -> None:
        entrant, by = self._innocent(), self.dice.choice(self.organizers)
        organizing.remove(entrant=entrant, by=by, reason=REASON)
        intervention = Intervention.objects.latest("pk")
        self._correct_later("removed", lambda by: corrections.undo(intervention=intervention, by=by, reason=REASON))

    def _ban(self) -> None:
        entrant, by = self._innocent(), self.dice.choice(self.organizers)
        ban = corrections.ban(scope=self.season, by=by, name=entrant.name, reason=REASON)
        removal = Intervention.objects.filter(person=ban.person, kind="removed").latest("pk")

        def correct(by: User) -> None:
            for intervention in (ban, removal):
                corrections.undo(intervention=intervention, by=by, reason=REASON)

        self._correct_later("banned", correct)

    def _replace_wrongly(self) -> None:
        entrant = self._innocent()
        before = entrant.user
        assert before is not None
        self.replaced.add(before.pk)
        self._replace(entrant)
        self._correct_later("replaced", lambda by: self._ask(entrant, before, by))

    def _replace(self, entrant: Entrant) -> None:
        """Ask reserves until one accepts. Three in ten decline."""
        while True:
            taken = Entrant.objects.filter(season=self.season).values("user")
            free = User.objects.filter(pk__in=[player.user for player in self.reserves]).exclude(pk__in=taken)
            someone = self.dice.choice(list(free.order_by("pk")))
            if self.dice.random() < 0.7:
                return self._ask(entrant, someone, self.dice.choice(self.organizers))
            by = self.dice.choice(self.organizers)
            replacing = organizing.replace(entrant=entrant, by=by, name=someone.username, reason=REASON)
            replacement.decline(pk=replacing.pk, user=someone)
            self.counts["declined to replace"] += 1

    def _ask(self, entrant: Entrant, someone: User, by: User) -> None:
        replacing = organizing.replace(entrant=entrant, by=by, name=someone.username, reason=REASON)
        organizing.accept(pk=replacing.pk, user=someone)

    def disturb(self) -> dict[str, float]:
        """Turn results around when all matches are decided, and take it back. Return what that did to ratings."""
        before, awards = ratings(), []
        ended = Match.objects.filter(pool__season=self.season, state=MatchState.ENDED, game__isnull=False)
        for match in self.dice.sample(list(ended.order_by("pk")), max(2, len(self.players) // 250)):
            if len({appearance.place for appearance in match.appearances.all()}) == 2:
                awards.append(self._award(match))
        book.sweep()
        wrong = ratings()
        moved = [abs(wrong[user] - before[user]) for user in before if wrong[user] != before[user]]
        for made in awards:
            corrections.undo(intervention=made, by=self.organizers[1], reason=REASON)
        self.corrections.clear()
        book.sweep()
        after = ratings()
        return {
            "results turned around": len(awards), "ratings changed": len(moved),
            "by points on average": 20 * fmean(moved), "by points at most": 20 * max(moved),
            "different after taking it back": sum(after[user] != before[user] for user in before),
        }  # fmt: skip

    def _read(self, season: Season) -> None:
        """Read ratings, places and what happened, once the season has ended."""
        rows = {row.user_id: row for row in RatedPlayer.objects.filter(ruleset=TERMS.ruleset)}
        places = {entrant.user_id: entrant for entrant in Entrant.objects.filter(season=season).select_related("pool")}
        for player in self.players:
            if row := rows.get(player.user):
                player.rating, player.contests = row.rating.shown, row.contests
            if entrant := places.get(player.user):
                player.place, player.outcome, player.division = entrant.place, entrant.outcome, str(entrant.pool)
                player.points = entrant.points / entrant.possible if entrant.possible else None
        of_season = Match.objects.filter(pool__season=season)
        self.counts["matches"] = of_season.count()
        self.counts["matches annulled"] = of_season.filter(state=MatchState.ANNULLED).count()
        overdue = Intervention.objects.filter(season=season, kind="overdue")
        self.counts["matches finished late by bots"] = overdue.count()
        self.counts["rated contests"] = Score.objects.filter(counts=True, seat=0, order__isnull=False).count()
        self.counts["places taken over"] = Replacement.objects.filter(answer=ReplacementAnswer.ACCEPTED).count()
        met = Appearance.objects.filter(
            entrant__user__in=[player.user for player in self.players if player.way == Way.FEEDS]
        )
        partners = {
            self.players[player.partner].user: player.user for player in self.players if player.partner is not None
        }
        pairs = met.filter(match__appearances__entrant__user__in=partners).values_list(
            "entrant__user", "match__appearances__entrant__user"
        )
        self.counts["partners in one division"] = sum(partners.get(other) == partner for partner, other in pairs)


def is_behind(rules: Ruleset, state: State, seat: int) -> bool:
    if not rules.can_count(state):
        return False
    points = [line.total for line in rules.score(state).seats]
    return points[seat] < max(points)


def ratings() -> dict[int, float]:
    return dict(RatedPlayer.objects.filter(user__isnull=False).values_list("user", "mu"))


# Figures


def spearman(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the rank correlation, with mean ranks for ties."""
    ranks = []
    for values in zip(*pairs, strict=True):
        at = defaultdict(list)
        for rank, value in enumerate(sorted(values)):
            at[value].append(rank)
        ranks.append([fmean(at[value]) for value in values])
    means = [fmean(column) for column in ranks]
    first, second = ([rank - mean for rank in column] for column, mean in zip(ranks, means, strict=True))
    spread = sqrt(sum(rank**2 for rank in first) * sum(rank**2 for rank in second))
    return sum(a * b for a, b in zip(first, second, strict=True)) / spread if spread else 0.0


def of_ratings(players: Sequence[Player]) -> float:
    return spearman([(player.rating, player.strength) for player in players if player.rating is not None])


def of_places(players: Sequence[Player]) -> float:
    """Return the mean over divisions of the rank correlation of places with strengths."""
    divisions = defaultdict(list)
    for player in players:
        if player.place is not None:
            divisions[player.division].append((-player.place, player.strength))
    return fmean(spearman(pairs) for pairs in divisions.values() if len(pairs) > 2)


def against_twins(
    outcome: Outcome, chosen: Callable[[Player], bool], figure: Callable[[Player], float | None], *, least: float = 0,
    most: float = 1,
) -> str:  # fmt: skip
    """Return the mean difference between players and their twins, with its 95% interval and the number of players.

    Only players with a strength from `least` to `most` count.
    """
    differences = []
    for player in outcome.players:
        if player.twin is not None and chosen(player) and least <= player.strength <= most:
            own, twins = figure(player), figure(outcome.players[player.twin])
            if own is not None and twins is not None:
                differences.append(own - twins)
    if len(differences) < 2:
        return "–"
    return f"{fmean(differences):+.2f} ± {1.96 * stdev(differences) / sqrt(len(differences)):.2f} ({len(differences)})"


def rows(trial: Outcome, calm: Outcome) -> Iterator[Row]:
    """Yield the figures of a season next to those of the same season in which all behave and nobody errs."""

    def both(label: str, figure: Callable[[Outcome], float], budget: str = "") -> Row:
        return Row(label, f"{figure(trial):.3f}, without them {figure(calm):.3f}", budget)

    yield both("Rating against strength, rank correlation", lambda outcome: of_ratings(outcome.players))
    behave = [n for n, player in enumerate(trial.players) if player.way == Way.BEHAVES]
    yield both("  among those who behave", lambda outcome: of_ratings([outcome.players[n] for n in behave]))
    yield both("Place in the division against strength, the same", lambda outcome: of_places(outcome.players))
    yield both("  among those who behave", lambda outcome: of_places([outcome.players[n] for n in behave]))

    groups: dict[str, Callable[[Player], bool]] = {
        "stall while behind": lambda player: player.way == Way.STALLS,
        "vanish": lambda player: player.way == Way.VANISHES and not player.is_noticed,
        "vanish and are replaced": lambda player: player.way == Way.VANISHES and player.is_noticed,
        "abandon games in which they fall behind": lambda player: player.way == Way.ABANDONS,
        "let the partner win": lambda player: player.way == Way.FEEDS,
        "are let win by the partner": lambda player: player.way == Way.IS_FED,
    }
    figures: dict[str, Callable[[Player], float | None]] = {
        "rating": lambda player: player.rating, "share of points": lambda player: player.points,
        "promoted": lambda player: player.outcome == "up",
    }  # fmt: skip
    for group, chosen in groups.items():
        for figure, of in figures.items():
            budget = "" if "partner" in group else "not more than 0"
            yield Row(f"{group}: {figure} against twins", against_twins(trial, chosen, of), budget)
        yield Row("  the weak of them", against_twins(trial, chosen, figures["rating"], most=0.4))
        yield Row("  the strong of them", against_twins(trial, chosen, figures["rating"], least=0.6))
    everyone = against_twins(calm, lambda player: True, figures["rating"])
    yield Row("In the season without them: rating against twins", everyone)
    for label, count in sorted(trial.counts.items()):
        yield Row(label, f"{count:,}")
    for label, value in trial.disturbed.items():
        yield Row(f"corrections at the end: {label}", f"{value:.3g}")
    yield Row("differences from a recomputation from the logs", f"{len(trial.problems)}", "0")
    yield Row("processor time", f"{trial.seconds:.0f} s, without them {calm.seconds:.0f} s")


def store(count: int, seed: int, into: Path, *, all_behave: bool) -> None:
    """Simulate a season on this database and write its outcome to a file."""
    into.write_bytes(msgspec.json.encode(simulate(count, seed, all_behave=all_behave)))


def read(path: Path) -> Outcome:
    return msgspec.json.decode(path.read_bytes(), type=Outcome)
