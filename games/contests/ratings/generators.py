"""Made-up contests on which rating models are compared: bots that play by the real rules, and drawn results. PURE.

Neither generator knows a rating model. Numbers are drawn from a seed, so that the same seed gives the same contests.
"""

import random
from collections.abc import Iterator
from math import exp, sqrt
from pathlib import Path

import msgspec

from games.bots.bot import Bot
from games.bots.registry import BOTS
from games.bots.selfplay import Table, seed_of
from games.rules import log
from games.rules.full_game import ranked, seat_total
from games.rules.protocol import Chance, Ruleset, View
from games.rules.registry import RULESETS

BOT_GAMES = Path(__file__).parent / "data" / "bot_games.jsonl"  # made by `manage.py ratings --play`


class Contest(msgspec.Struct, frozen=True):
    """A contest of made-up or real players. `players`, which are numbers, `places` and `bids` are by seat.

    `day` counts from the first contest. `games` are the points by seat in each game, of which there are 1 or 3. `bids`
    are those of the first game, empty if there were none.
    """

    series: int
    day: float
    players: list[int]
    places: list[int]
    games: list[list[int]]
    bids: list[int] = []


# Bots


def mixed(share: float) -> Bot:
    """Return a bot that plays this share of its decisions as Medium and the others as Random."""
    medium, at_random = BOTS["medium"].plan, BOTS["random"].plan

    def plan(ruleset: Ruleset, view: View, budget: int, chance: Chance) -> list[str]:
        chosen = medium if chance.below(1000) < 1000 * share else at_random
        return chosen(ruleset, view, budget, chance)

    return Bot("mixed", "Mixed", plan)


PLAYERS_OF_BOTS, CONTESTS_OF_BOTS, DAYS_OF_BOTS = 24, 1000, 200
BUDGET = 60  # positions: weak, but quick


def bots(series: int, contests: int = CONTESTS_OF_BOTS) -> Iterator[Contest]:
    """Yield contests of Eight-Minute Empire between made-up players, each a mix of Random and Medium.

    One in eight players improves suddenly after half of the days, and one in six is away for a third of them. Half of
    the tables are of similar players. One contest in four is a full game.
    """
    dice, rules = random.Random(f"bots {series}"), RULESETS["legends"]
    shares = [min(1.0, max(0.05, dice.gauss(0.5, 0.17))) for _player in range(PLAYERS_OF_BOTS)]
    for number in range(contests):
        day = DAYS_OF_BOTS * number / contests
        if number == contests // 2:
            for player in range(0, PLAYERS_OF_BOTS, 8):
                shares[player] = min(1.0, shares[player] + 0.3)
        away = range(0, PLAYERS_OF_BOTS, 6) if 1 / 3 < number / contests < 2 / 3 else ()
        present = [player for player in range(PLAYERS_OF_BOTS) if player not in away]
        size = dice.choices([2, 3, 4], [55, 25, 20])[0]
        first = dice.choice(present)
        by_share = sorted(present, key=lambda player: abs(shares[player] - shares[first]))[1:]
        others = dice.sample(by_share[:6] if dice.random() < 0.5 else by_share, size - 1)
        players = [first, *others]
        dice.shuffle(players)
        games, lines, bids = [], [], []
        for game_number in range(3 if dice.random() < 0.25 else 1):
            seed = seed_of(f"ratings {series}", 3 * number + game_number)
            table = Table(rules, {}, [mixed(shares[player]) for player in players], seed)
            table.play(BUDGET)
            sheet, left = rules.score(table.state), rules.left_over(table.state)
            games.append([seat.total for seat in sheet.seats])
            lines.append([(seat.total, seat.place, left[n]) for n, seat in enumerate(sheet.seats)])
            if not game_number:
                events = [event for entry in table.entries for event in log.facts(rules, entry)]
                traits = rules.traits(events, table.state)
                bids = [int(seat_traits["bid"][0]) for seat_traits in traits if "bid" in seat_traits]
        if len(games) == 1:
            places = [place for _total, place, _left in lines[0]]
        else:
            places = [
                total.place for total in ranked([seat_total(n, [game[n] for game in lines]) for n in range(size)])
            ]
        yield Contest(series, day, players, places, games, bids if len(bids) == size else [])


# Drawn results

PLAYERS, CONTESTS, DAYS = 80, 2500, 365
SEATS = (0.15, 0.05, 0.0, -0.05, -0.1)  # what a seat adds to a performance, whose usual noise has a deviation of 1
BID = -0.04  # what each coin of a bid adds


def drawn(series: int, contests: int = CONTESTS) -> Iterator[Contest]:
    """Yield contests between made-up players whose strengths drift, jump and fade, decided by strength and noise.

    People join during the first half, and learn in their first month. One in ten improves suddenly, and one in five is
    away for two to four months. Some play much more than others. Half of the tables are of similar players. The noise
    has heavy tails, and tables differ in how much of it there is. One contest in four adds up three games.
    """
    dice = random.Random(f"drawn {series}")
    spread = dice.uniform(0.7, 1.3)
    strength = [dice.gauss(0, spread) for _player in range(PLAYERS)]
    joined = [max(0.0, dice.uniform(-0.3, 0.5)) * DAYS for _player in range(PLAYERS)]
    activity = [dice.lognormvariate(0, 0.9) for _player in range(PLAYERS)]
    jump = [dice.uniform(0.2, 0.8) * DAYS if dice.random() < 0.1 else None for _player in range(PLAYERS)]
    away = [(0.0, 0.0)] * PLAYERS
    for player in range(0, PLAYERS, 5):
        gone = dice.uniform(0.2, 0.7) * DAYS
        away[player] = (gone, gone + dice.uniform(60, 120))
    learning = [dice.uniform(0, 0.8) for _player in range(PLAYERS)]
    yesterday = 0.0
    for number in range(contests):
        day = DAYS * number / contests
        for player in range(PLAYERS):
            strength[player] += dice.gauss(0, 0.02 * sqrt(day - yesterday))
            moment = jump[player]
            if moment is not None and moment <= day:
                strength[player] += dice.uniform(1.0, 2.0)
                jump[player] = None
        yesterday = day
        present = [
            player for player in range(PLAYERS) if joined[player] <= day and not away[player][0] < day < away[player][1]
        ]
        current = {player: strength[player] - learning[player] * exp((joined[player] - day) / 30) for player in present}
        size = dice.choices([2, 3, 4, 5], [50, 25, 15, 10])[0]
        players = [dice.choices(present, [activity[player] for player in present])[0]]
        near = sorted(present, key=lambda player: abs(current[player] + dice.gauss(0, 0.3) - current[players[0]]))
        field = [player for player in (near[:12] if dice.random() < 0.5 else present) if player != players[0]]
        while len(players) < size:
            opponent = dice.choices(field, [activity[player] for player in field])[0]
            players.append(opponent)
            field.remove(opponent)
        dice.shuffle(players)
        bids = [dice.choice([0, 0, 0, 1, 1, 2, 3, 5]) for _player in players]
        edge = [current[player] + SEATS[n] + BID * bids[n] for n, player in enumerate(players)]
        noise = dice.lognormvariate(0, 0.3)
        games = []
        for _game in range(3 if dice.random() < 0.25 else 1):
            luck = [dice.gauss(0, 1) / sqrt(dice.gammavariate(2.5, 1 / 2.5)) for _player in players]  # t, 5 degrees
            games.append([round(20 + 4 * (level + noise * chance)) for level, chance in zip(edge, luck, strict=True)])
        totals = [sum(points) for points in zip(*games, strict=True)]
        places = [1 + sum(other > total for other in totals) for total in totals]
        yield Contest(series, day, players, places, games, bids)


def kept_games(series: int) -> list[Contest]:
    """Return the contests of bots of one series from the file."""
    read = msgspec.json.Decoder(Contest).decode
    contests = map(read, BOT_GAMES.read_text().splitlines()) if BOT_GAMES.exists() else []
    return [contest for contest in contests if contest.series == series]
