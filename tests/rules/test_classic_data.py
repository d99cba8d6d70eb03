"""The classic cards and boards, transcribed independently and compared with the data: R39, R68."""

import pytest

from games.rules.eight_minute.boards import map_of, sides
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.options import Options, rules_of

DATA = edition("classic")

# id | good | action: P place, M move over land, S by ship, B build, D destroy | * only with five players
CARDS = """
o01 crystal P1      | o02 crystal P2      | o03 crystal P2      | o04 crystal M2      | o05 crystal P2 *
o06 carrot  B1      | o07 carrot  B1      | o08 carrot  P3      | o09 carrot2 P3      | o10 carrot  M4
o11 carrot  M4      | o12 carrot  M5      | o13 carrot  S3      | o14 carrot  P4/M2 * | o15 carrot  D1+P1
o16 tree    B1      | o17 tree    P3      | o18 tree    M3      | o19 tree    P2/M3   | o20 tree    S3
o21 tree    S4      | o22 tree    M6 *    | o23 tree    D1/B1   | o24 coal    P2/B1   | o25 coal    P3
o26 coal    P3      | o27 coal    M2      | o28 coal    S2      | o29 coal    S2 *    | o30 coal    S3
o31 anvil   B1      | o32 anvil   P3      | o33 anvil   P3      | o34 anvil   S3      | o35 anvil   M4
o36 anvil   P3/M3   | o37 anvil   P3/M4   | o38 anvil2  M4 *    | o39 anvil   M5      | o40 wild    P2
o41 wild    S2      | o42 wild    S2
"""
LETTERS = {
    ("place", False): "P",
    ("move", False): "M",
    ("move", True): "S",
    ("build", False): "B",
    ("destroy", False): "D",
}
JOINED = {"": "", "and": "+", "or": "/"}


def as_written(card: str) -> str:
    data = DATA.cards[card]
    good = f"{data.family}{data.total('good') if data.total('good') > 1 else ''}"
    action = JOINED[data.joined].join(f"{LETTERS[part.kind, part.ship]}{part.n}" for part in data.parts)
    return " ".join([card, good, action, *("*" if data.players == 5 else "",)]).strip()


def test_the_42_cards_match_the_printed_cards() -> None:
    rows = [" ".join(cell.split()) for line in CARDS.strip().splitlines() for cell in line.split("|")]
    assert [as_written(card) for card in DATA.cards] == rows
    assert len(rows) == 42


def test_r68_card_ids_are_their_numbers() -> None:
    assert list(DATA.cards) == [f"o{n:02}" for n in range(1, 43)]


@pytest.mark.parametrize(("players", "cards"), [(2, 37), (3, 37), (4, 37), (5, 42)])
def test_five_cards_are_only_for_five_players(players: int, cards: int) -> None:
    assert len(DATA.deck(players)) == cards
    if players < 5:
        assert set(DATA.cards) - set(DATA.deck(players)) == {"o05", "o14", "o22", "o29", "o38"}


def test_cards_and_goods_add_up() -> None:
    goods = {
        good: sum(card.total("good") for card in DATA.cards.values() if card.family == good) for good in DATA.goods
    }
    assert goods == {"crystal": 5, "carrot": 11, "tree": 8, "coal": 7, "anvil": 10}
    assert len(DATA.family("wild")) == 3


def test_r39_one_coal_card_differs_between_the_printings() -> None:
    plain, other = rules_of("classic", Options()), rules_of("classic", Options(coal="place"))
    assert [(part.kind, part.n) for part in plain.cards["o24"].parts] == [("place", 2), ("build", 1)]
    assert [(part.kind, part.n) for part in other.cards["o24"].parts] == [("place", 2)]
    assert {card for card in plain.cards if plain.cards[card] != other.cards[card]} == {"o24"}


@pytest.mark.parametrize(
    ("good", "steps"),
    [("crystal", "1 2 3 4"), ("carrot", "3 5 7 8"), ("tree", "2 4 5 6"), ("coal", "2 3 4 5"), ("anvil", "2 4 6 7")],
)
def test_goods_score_as_printed(good: str, steps: str) -> None:
    assert DATA.goods[good] == tuple(map(int, steps.split()))
    assert DATA.goods_points == (1, 2, 3, 5)


# region: neighbors by land ~ neighbors over water; continents are separated by lines
SIDE_A = """
1: 2 3 4 | 2: 1 3 5 6 | 3: 1 2 4 5 | 4: 1 3 ~ 8 | 5: 2 3 ~ 11 | 6: 2 7 | 7: 6 ~ 21
8: 9 ~ 4 10 | 9: 8 12 13 | 10: 14 ~ 8 | 11: 12 15 ~ 5 | 12: 9 11 13 15 16 19 | 13: 9 12 16 | 14: 10 17 | 15: 11 12 18 19 ~ 22 | 16: 12 13 17 19 | 17: 14 16 ~ 23 | 18: 15 19 ~ 24 | 19: 12 15 16 18 20 | 20: 19
21: 22 ~ 7 | 22: 21 ~ 15
23: 25 ~ 17 | 24: 25 ~ 18 | 25: 23 24
"""  # noqa: E501
SIDE_B = """
1: 2 ~ 8 | 2: 1 ~ 3
3: 4 ~ 2 | 4: 3 ~ 5 15
5: 6 ~ 4 | 6: 5 7 | 7: 6 ~ 18
8: 9 10 11 ~ 1 | 9: 8 11 ~ 15 | 10: 8 11 12 13 | 11: 8 9 10 13 14 | 12: 10 13 | 13: 10 11 12 14 | 14: 11 13 ~ 19
15: 16 ~ 4 9 | 16: 15 17 19 20 | 17: 16 18 20 23 | 18: 17 ~ 7 | 19: 16 20 21 ~ 14 | 20: 16 17 19 21 22 23 | 21: 19 20 22 | 22: 20 21 23 | 23: 17 20 22
"""  # noqa: E501


@pytest.mark.parametrize(("side", "text"), [("side-a", SIDE_A), ("side-b", SIDE_B)], ids=["a", "b"])
def test_each_side_of_the_board_matches_the_printed_board(side: str, text: str) -> None:
    layout, letter = map_of(f"board:{side}:0"), side[-1]
    continents = []
    for line in text.strip().splitlines():
        continents.append([])
        for cell in line.split(" | "):
            region, ways = cell.split(": ")
            land, _, sea = ways.partition(" ~ ")
            here = layout.index[f"{letter}{region}"]
            continents[-1].append(here)
            assert sorted(layout.land[here]) == sorted(layout.index[f"{letter}{n}"] for n in land.split())
            assert sorted(layout.sea[here]) == sorted(layout.index[f"{letter}{n}"] for n in sea.split())
    assert [list(island) for island in layout.islands] == continents


@pytest.mark.parametrize(
    ("side", "start", "triangles"), [("side-a", "a12", "a1 a10 a12 a21 a25"), ("side-b", "b15", "b1 b3 b6 b12 b22")]
)
def test_the_start_and_triangles_match_the_printed_board(side: str, start: str, triangles: str) -> None:
    assert sides()[side].start == start
    assert sides()[side].triangles == tuple(triangles.split())


@pytest.mark.parametrize(("side", "regions", "continents"), [("side-a", 25, 4), ("side-b", 23, 5)])
def test_continents_are_connected_by_land(side: str, regions: int, continents: int) -> None:
    layout = map_of(f"board:{side}:0")
    assert (len(layout.regions), len(layout.islands)) == (regions, continents)
    for island in layout.islands:
        reached = {island[0]}
        while new := {n for r in reached for n in layout.land[r]} - reached:
            reached |= new
        assert reached == set(island)
