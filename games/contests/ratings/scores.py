"""Scores: each player's result of a contest, written in the transaction of its last turn."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Any, TypedDict

from django.db.models import Q

from empire.on_commit import delay_on_commit
from games.bots.registry import current
from games.contests.models import Intervention, InterventionKind, Score
from games.contests.ratings import book
from games.rules import log, staff
from games.rules.full_game import ranked, seat_total
from games.rules.record import FORMER_PLAYER
from games.tables.models import Entry, FullGame, Game, Handover, Seat
from games.tables.models.absence import HandoverReason
from games.tables.models.log import ABSENT, By
from games.tables.selectors import position

TOO_MANY = 4  # one decision in so many by others means that a player has left the game (S12)
MUCH_LONGER = 2  # times as long as for any other seat means that a match waited for this one (L33)
LONG = timedelta(hours=1)  # in total, at least: in a live game nobody keeps the others waiting


class PlacesAt(TypedDict):
    """The places of all seats in a contest just before entry `seq` of its game number `game`, which counts from 0."""

    game: int
    seq: int
    places: list[int]


def write(*, games: Sequence[Game], full: FullGame | None) -> None:
    """Write the scores of an ended contest: one game, or all games of a full game in order. A task then books them."""
    last, ruled_places = games[-1], decided_places(games[-1])
    assert last.ended_at
    tables = [list(Seat.objects.filter(game=game).select_related("first_owner").order_by("number")) for game in games]
    entries, deserted = Entry.objects.filter(game__in=games).order_by("game__number", "seq"), set[int]()
    if entries.filter(by__in=ABSENT).exists():
        deserted = deserted_seats(entries)
    when_replaced, when_bots_took_over = places_at_moments(games, deserted)
    results = [(seat.place or 0, seat.total or 0) for seat in tables[-1]]
    if full is not None:
        results = [(line["place"], line["points"]) for line in full.ranking or ()]

    # A score is that of the person or bot who began in the seats. Whether it is rated was decided at the start.
    scores = []
    for seat, (place, points) in zip(tables[-1], results, strict=True):
        played = [seats[seat.number] for seats in tables]
        person, name, has_given_up = seat.first_owner, seat.name, seat.has_given_up
        has_left = seat.number in deserted
        stood = when_replaced.get(seat.number)
        if stood is not None:  # someone else plays it now; the person may have resigned before that
            name = person.username if person else FORMER_PLAYER
            at = Entry.objects.get(game=games[stood["game"]], seq=stood["seq"]).at
            handovers = Handover.objects.filter(seat__in=played, why__in=[HandoverReason.GOOD, HandoverReason.OUT])
            has_given_up = handovers.filter(at__lte=at).exists()
        lines = [game_line(game, played_seat) for game, played_seat in zip(games, played, strict=True)]
        scores.append(
            Score(
                full_game=full, game=last, seat=seat.number, user=person, bot=current(seat.own_bot),
                who=current(seat.who), name=name,
                ruleset=last.ruleset, players=last.players, listed=last.listed, counts=last.counts, stood=stood,
                kept_waiting=when_bots_took_over.get(seat.number), gave_up=has_given_up or has_left,
                place=place, points=points, ruled=ruled_places.get(seat.number), games=lines, ended_at=last.ended_at,
            )
        )  # fmt: skip
    Score.objects.bulk_create(scores, ignore_conflicts=True)
    delay_on_commit("games.tasks.book_scores", last.ruleset)
    delay_on_commit("games.tasks.settle_challenge", last.pk)
    delay_on_commit("games.tasks.settle_match", last.pk)


def decided_places(game: Game) -> dict[int, int]:
    """Return the places by seat that an organizer has decided for the match of this game; empty if the game decides."""
    of_match = Q(match__full_game=game.full_game_id) if game.full_game_id else Q(match__game=game.pk)
    about = [InterventionKind.AWARDED, InterventionKind.ANNULLED]
    last = Intervention.objects.in_force().filter(of_match, kind__in=about).order_by("pk").last()
    places = last.details["places"] if last and last.kind == InterventionKind.AWARDED else []
    return dict(enumerate(places))


def deserted_seats(entries: Iterable[Entry | log.Entry]) -> set[int]:
    """Return the seats of a contest whose players left so many decisions to bots that they count as resigned (S12).

    `entries` are those of all its games in order. Decisions of someone to whom the seat was given for good do not
    count, nor what bots decide after the time of a competition is up.
    """
    decided, missed, replaced = Counter[int](), Counter[int](), set[int]()
    for entry in entries:
        if entry.seat is not None:
            if entry.seat not in replaced:
                decided[entry.seat] += 1
                missed[entry.seat] += entry.by in ABSENT
            continue
        intervention = log.intervention(entry)
        if isinstance(intervention, staff.LeftToBots):
            break
        if isinstance(intervention, staff.Replaced):
            replaced.add(intervention.seat)
    return {seat for seat, count in missed.items() if count and count * TOO_MANY >= decided[seat]}


def game_line(game: Game, seat: Seat) -> dict[str, Any]:
    """Return a game as `Score.games` stores it: the seat's points in total and by source, as in the scoresheet."""
    sources = game.result["seats"][seat.number]["lines"] if game.result else []
    return {
        "game": game.public_id,
        "seat": seat.number,
        "points": seat.total,
        "place": seat.place,
        "left": seat.left,
        "sources": {source["source"]: source["points"] for source in sources},
    }


def places_at_moments(
    games: Sequence[Game], deserted: Collection[int]
) -> tuple[dict[int, PlacesAt], dict[int, PlacesAt]]:
    """Return what a contest's scores store as `stood` and `kept_waiting`, each by seat.

    The games are read only if a player left or staff intervened.
    """
    by_staff = Entry.objects.filter(game__in=games, seat=None, seq__gt=0)
    kinds = staff.Replaced | staff.LeftToBots
    if not deserted and not any(isinstance(log.intervention(entry), kinds) for entry in by_staff):
        return {}, {}
    played = [book.read_game(game.public_id) for game in games]
    return places_when_replaced(played), places_when_bots_took_over(played, deserted)


def places_when_replaced(games: Sequence[book.ReadGame]) -> dict[int, PlacesAt]:
    """Return, for each seat that changed hands for good, the places of all seats at that moment.

    For each seat, the first entry of the log that replaces its player counts.
    """
    by_seat: dict[int, PlacesAt] = {}
    for number, game in enumerate(games):
        for entry in game.entries:
            intervention = log.intervention(entry)
            if isinstance(intervention, staff.Replaced) and intervention.seat not in by_seat:
                by_seat[intervention.seat] = {
                    "game": number,
                    "seq": entry.seq,
                    "places": _places(games[:number], game, entry.seq),
                }
    return by_seat


def places_when_bots_took_over(games: Sequence[book.ReadGame], deserted: Collection[int]) -> dict[int, PlacesAt]:
    """Return the places of all seats when bots took over a contest, for the seat that kept the others waiting (L33).

    Bots take over when the time of a match is up, or with their first decision for one of the `deserted` seats (S12).
    A seat kept the others waiting if they had waited for it at least half of the time until then, twice as long as for
    any other seat, and an hour or more. Players who had been replaced or left themselves don't count. Nor do waits for
    sealed bids.
    """
    waited, replaced = defaultdict[int, timedelta](timedelta), set[int]()
    for number, game in enumerate(games):
        since, taken_over = datetime.fromisoformat(game.entries[0].at), None
        for entry, following in zip_longest(game.entries, game.entries[1:]):
            at, intervention = datetime.fromisoformat(entry.at), log.intervention(entry)
            if isinstance(intervention, staff.Replaced):
                replaced.add(intervention.seat)
            elif isinstance(intervention, staff.LeftToBots):
                taken_over = taken_over or (entry.seq, at)
            elif entry.seat is not None:
                if not taken_over and entry.seat in deserted and entry.by in ABSENT:
                    taken_over = entry.seq, since  # the wait for this decision is not theirs
                if taken_over:  # the others had been waiting for this decision when bots took over
                    waited[entry.seat] += taken_over[1] - since
                    break
                # Sealed decisions are saved together, when the last one is in, so their own times are unknown
                others_too = following and following.at == entry.at and following.seat not in (None, entry.seat)
                if not others_too or following.by == By.ORDERS:
                    waited[entry.seat] += at - since
                since = at
        if taken_over is None:
            continue
        slowest = max(waited, key=lambda seat: waited[seat], default=0)
        others = [time for seat, time in waited.items() if seat != slowest]
        is_much = waited[slowest] >= max(LONG, sum(others, timedelta()), MUCH_LONGER * max(others, default=timedelta()))
        if slowest in replaced or slowest in deserted or not is_much:
            return {}
        return {slowest: {"game": number, "seq": taken_over[0], "places": _places(games[:number], game, taken_over[0])}}
    return {}


def _places(ended: Sequence[book.ReadGame], running: book.ReadGame, seq: int) -> list[int]:
    """Return the places of all seats just before an entry, by the sum of the contest's games so far; equal at first.

    A turn that was undone later is only left out if it had been undone by then.
    """
    game, before = running.game, [entry for entry in running.entries if entry.seq < seq]
    state = log.fold(game.rules, position.empty(game, running.seats), before)
    states = [earlier.state for earlier in ended] + ([state] if game.rules.can_count(state) else [])
    sheets = [(game.rules.score(at_end), game.rules.left_over(at_end)) for at_end in states]
    totals = [
        seat_total(seat, [(sheet.seats[seat].total, sheet.seats[seat].place, left[seat]) for sheet, left in sheets])
        for seat in range(game.players)
    ]
    if len(sheets) == 1:
        return [sheets[0][0].seats[seat].place for seat in range(game.players)]
    return [total.place for total in ranked(totals)] if sheets else [1] * game.players
