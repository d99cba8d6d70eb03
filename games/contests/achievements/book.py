"""Achievements, winning streaks and records, worked out from scores.

A contest is entered when it enters the rating book, and again when its result is corrected. Then each of its players'
careers is read again as a whole, so that what is stored always equals what a recomputation finds.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from accounts.models import User
from empire.web import limits
from games.contests.achievements import rules
from games.contests.achievements.rules import Career, Opponent, Played
from games.contests.models import Achievement, Apart, Earning, Entrant, Member, Score, Streak
from games.tables.models import Entry
from games.tables.models.log import ABSENT

READ = (
    "pk", "game_id", "user_id", "who", "bot", "ruleset", "players", "seat", "place", "points", "ruled", "gave_up",
    "games", "full_game_id", "ended_at", "mu_before", "sigma_before",
)  # fmt: skip


def enter(scores: Sequence[Score]) -> None:
    """Enter a rated contest, or enter it again after a correction. Contests with bots are not entered."""
    first = scores[0]
    if not first.counts or not all(score.who.isdigit() for score in scores):
        return
    earning = Earning.objects.filter(game=first.game_id).first()
    if earning is None:
        earning = Earning(
            game=first.game, ruleset=first.ruleset, players=first.players, is_full=first.full_game_id is not None,
            listed=first.listed, ended_at=first.ended_at, is_apart=know_each_other(scores),
        )  # fmt: skip
    earning.counts, earning.margin, earning.best = figures(earning, scores)
    earning.save()
    for user in sorted({score.user_id for score in scores if score.user_id is not None}):
        work_out(user)


def figures(earning: Earning, scores: Sequence[Score]) -> tuple[bool, int | None, int | None]:
    """Return whether the contest counts, and if it does, the winner's lead and points; no lead if several won.

    There is neither if the points of the ruleset only count places, as in Kingdoms.

    It does not count if someone resigned or was replaced, if a bot or the clock decided for someone who was away, if an
    organizer decided the match, or if two players are known to share a household.
    """
    games = [line["game"] for line in scores[0].games]
    if (
        earning.is_apart
        or any(score.gave_up or score.stood or score.ruled is not None for score in scores)
        or Entry.objects.filter(game__public_id__in=games, by__in=ABSENT).exists()
    ):
        return False, None, None
    if not scores[0].rules.has_running_points:
        return True, None, None
    points = sorted((score.points for score in scores), reverse=True)
    is_shared = sum(score.place == 1 for score in scores) > 1
    return True, None if is_shared else points[0] - points[1], points[0]


def know_each_other(scores: Sequence[Score]) -> bool:
    """Return whether two of the players are known to belong together.

    They do if their confirmed addresses lead to the same mailbox, or if the organizer of a competition that both have
    entered keeps them apart as one household. Anyone can enter the address of another person, and anyone can make a
    competition and keep any two players apart there.
    """
    users = [score.user for score in scores if score.user is not None]
    boxes = [box for user in users if (box := mailbox(user.email)) and user.has_confirmed_address]
    if len(set(boxes)) < len(boxes):
        return True
    pairs = Q()
    for first, second in combinations(sorted(user.pk for user in users), 2):
        pairs |= Q(first=first, second=second)
    if not pairs:
        return False
    return Apart.objects.filter(pairs, _has_entered("first"), _has_entered("second")).exists()


def _has_entered(person: str) -> Q:
    """Return a condition for forbidden pairings: this one of the two has entered the league or tournament."""
    members = Member.objects.filter(league=OuterRef("league"), user=OuterRef(person))
    entrants = Entrant.objects.filter(tournament=OuterRef("tournament"), user=OuterRef(person))
    return Exists(members) | Exists(entrants)


def mailbox(email: str) -> str:
    """Return the mailbox of an address as for rate limits, and without dots, which more providers ignore."""
    name, _at, host = limits.mailbox(email).rpartition("@")
    return f"{name.replace('.', '')}@{host}" if name else ""


def career(user: int) -> list[Played]:
    """Read a player's rated contests in the order in which they ended."""
    own_scores = Score.objects.filter(user=user, counts=True, order__isnull=False)
    together: dict[int, list[Score]] = defaultdict(list)
    fair = set(Earning.objects.filter(counts=True, game__scores__user=user).values_list("game", flat=True))
    everyone = Score.objects.filter(Exists(own_scores.filter(game=OuterRef("game")))).only(*READ)
    for score in everyone.order_by("ended_at", "game", "seat"):
        together[score.game_id].append(score)
    return [
        _played(next(score for score in scores if score.user_id == user), scores, game in fair)
        for game, scores in together.items()
    ]


def _played(own: Score, scores: Sequence[Score], counts: bool) -> Played:
    places = [score.final_place for score in scores]
    return Played(
        pk=own.pk, ruleset=own.ruleset, at=own.ended_at, players=own.players, seat=own.seat,
        place=own.final_place, points=own.points, rating=_rating(own),
        opponents=tuple(Opponent(other.who, other.points, _rating(other)) for other in scores if other.pk != own.pk),
        places=tuple(line["place"] for line in own.games), is_full=own.full_game_id is not None,
        has_points=own.rules.has_running_points, counts=counts,
        is_won=not own.gave_up and own.final_place == 1 and places.count(1) == 1,
    )  # fmt: skip


def _rating(score: Score) -> int | None:
    """Return the shown rating before the contest, None while it is provisional."""
    before = score.before
    return None if before is None or before.is_provisional else before.shown


def work_out(user: int) -> bool:
    """Store what follows from the player's career. Return whether anything differed."""
    with transaction.atomic():
        # The lock keeps two books from working on the same player at once
        if not User.objects.select_for_update(no_key=True).filter(pk=user, is_guest=False).exists():
            return False
        contests = career(user)
        return _write_achievements(user, contests) | _write_streaks(user, contests)


def _write_achievements(user: int, career: Career) -> bool:
    expected = {slug: contest.pk for slug, contest in rules.earned(career).items()}
    stored = dict(Achievement.objects.filter(user=user).values_list("slug", "score"))
    if stored == expected:
        return False
    changed = [slug for slug, score in stored.items() if expected.get(slug) != score]
    Achievement.objects.filter(user=user, slug__in=changed).delete()
    new = expected.items() - stored.items()
    Achievement.objects.bulk_create(Achievement(user_id=user, slug=slug, score_id=score) for slug, score in sorted(new))
    return True


def _write_streaks(user: int, career: Career) -> bool:
    longest = rules.longest_streaks(career)
    expected = {ruleset: (len(streak), streak[0].pk, streak[-1].pk) for ruleset, streak in longest.items()}
    rows = Streak.objects.filter(user=user).values_list("ruleset", "length", "first", "last")
    stored = {ruleset: figures for ruleset, *figures in rows}
    if stored == {ruleset: list(figures) for ruleset, figures in expected.items()}:
        return False
    Streak.objects.filter(user=user).delete()
    Streak.objects.bulk_create(
        Streak(user_id=user, ruleset=ruleset, length=length, first_id=first, last_id=last)
        for ruleset, (length, first, last) in expected.items()
    )
    return True


def recompute(*, mend: bool) -> list[str]:
    """Work everything out again and describe what differed. Nothing is kept unless `mend` is set."""
    problems = []
    with transaction.atomic():
        booked = Score.objects.filter(counts=True, order__isnull=False, seat=0)
        for game in booked.order_by("ended_at", "game").values_list("game", flat=True):
            scores = list(Score.objects.filter(game=game).select_related("user", "game").order_by("seat"))
            if not all(score.who.isdigit() for score in scores):
                continue
            earning = Earning.objects.filter(game=game).first()
            if earning is None:
                problems.append(f"Contest {game} was missing.")
                enter(scores)
            elif (earning.counts, earning.margin, earning.best) != (expected := figures(earning, scores)):
                problems.append(f"Contest {game} did not match its scores.")
                earning.counts, earning.margin, earning.best = expected
                earning.save()
        players = User.objects.filter(Q(scores__counts=True) | Q(achievements__isnull=False), is_guest=False)
        for user in players.order_by("pk").distinct().values_list("pk", flat=True):
            if work_out(user):
                problems.append(f"The achievements of player {user} did not match their scores.")
        if not mend:
            transaction.set_rollback(True)
    return problems
