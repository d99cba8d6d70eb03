"""The 34 cards, transcribed independently and compared with the data; and R68, their ids."""

from collections import Counter

import pytest

from games.rules.eight_minute.edition import Ability, Card
from tests.each import for_each
from tests.rules.positions import RULES

# name | family | abilities | action | fewest players with which it is in the deck
CARDS = """
Ancient Phoenix     | ancient  | flying                      | move 5                | 2
Ancient Sage        | ancient  | 1 for each ancient          | move 3                | 2
Ancient Tree Spirit | ancient  | 3 elixirs                   | place 4               | 2
Ancient Woods       | ancient  | +1 army                     | build 1 and place 1   | 2
Arcane Manticore    | arcane   | +1 movement                 | place 4 and destroy 1 | 3
Arcane Sphinx       | arcane   | flying                      | place 3 or move 4     | 3
Arcane Temple       | arcane   | 1 for each arcane           | move 3                | 3
Castle A            |          | 1 elixirs                   | place 3 or build 1    | 4
Castle B            |          | 1 elixirs                   | move 3 and build 1    | 4
Cursed Banshee      | cursed   | 2 elixirs                   | move 6                | 2
Cursed Gargoyles    | cursed   | flying                      | move 5                | 2
Cursed King         | cursed   | 1 elixirs                   | place 3 or move 4     | 2
Cursed Mausoleum    | cursed   | +1 movement                 | build 1               | 2
Cursed Tower        | cursed   | 1 for each flying           | build 1               | 2
Dire Dragon         | dire     | flying                      | place 3 and destroy 1 | 2
Dire Eye            | dire     | flying                      | place 4               | 2
Dire Giant          | dire     | immune                      | place 3 and destroy 1 | 2
Dire Goblin         | dire     | 1 elixirs                   | move 5                | 2
Dire Ogre           | dire     | 1 for each 3 coins          | move 2                | 2
Forest Elf          | forest   | +1 army                     | place 3 or move 2     | 2
Forest Gnome        | forest   | 3 elixirs                   | move 2                | 2
Forest Pixie        | forest   | +1 army                     | move 4                | 2
Forest Tree Town    | forest   | +1 movement                 | build 1               | 2
Graveyard           |          | 1 for each cursed           | place 2               | 2
Lake                |          | 1 for each forest           | place 2 or move 3     | 2
Mountain Dwarf      | mountain | 3 for all 2 mountain        | place 2 and destroy 1 | 3
Mountain Treasury   | mountain | 1 elixirs, gain 2 coins     | move 3                | 3
Night Hydra         | night    | +1 army                     | move 5 and destroy 1  | 2
Night Village       | night    | +1 army                     | build 1               | 2
Night Wizard        | night    | 1 for each night            | place 3 and destroy 1 | 2
Noble Hills         | noble    | 4 for all 3 noble           | place 3               | 2
Noble Knight        | noble    | +1 movement                 | place 4 and destroy 1 | 2
Noble Unicorn       | noble    | +1 movement                 | move 4 and place 1    | 2
Stronghold          |          | 1 for each dire             | build 1               | 2
"""
ROWS = CARDS.strip().splitlines()


def as_written(ability: Ability) -> str:
    match ability:
        case Ability("flying" | "immune"):
            return ability.kind
        case Ability("elixir"):
            return f"{ability.n} elixirs"
        case Ability("army" | "movement"):
            return f"+{ability.n} {ability.kind}"
        case Ability("coins"):
            return f"gain {ability.n} coins"
        case Ability("per-card"):
            return f"{ability.points} for each {ability.of}"
        case Ability("per-flying"):
            return f"{ability.points} for each flying"
        case Ability("per-coins"):
            return f"{ability.points} for each {ability.n} coins"
        case Ability("whole-set"):
            return f"{ability.points} for all {ability.n} {ability.of}"
    raise AssertionError(ability)


def action_of(card: Card) -> str:
    return f" {card.joined} ".join(f"{part.kind} {part.n}" for part in card.parts)


def slug(name: str) -> str:
    return name.lower().replace(" ", "-")


@for_each("row", ROWS)
def test_each_card_matches_the_printed_card(row: str) -> None:
    name, family, abilities, action, players = (cell.strip() for cell in row.split("|"))
    card = RULES.cards[slug(name)]
    assert card.name == ("Castle" if name.startswith("Castle") else name)
    assert card.family == family
    assert [as_written(ability) for ability in card.abilities] == abilities.split(", ")
    assert action_of(card) == action
    assert card.players == int(players)


def test_r68_a_cards_id_is_its_name_in_lower_case_with_hyphens_and_there_are_two_castles() -> None:
    assert list(RULES.cards) == [slug(row.split("|")[0].strip()) for row in ROWS]
    for card in RULES.cards.values():
        assert card.id in (slug(card.name), "castle-a", "castle-b")


@pytest.mark.parametrize(("players", "cards"), [(2, 27), (3, 32), (4, 34)])
def test_the_deck_depends_on_the_number_of_players(players: int, cards: int) -> None:
    assert len(RULES.deck(players)) == cards


def test_each_family_has_its_cards() -> None:
    families = Counter(card.family for card in RULES.cards.values())
    sizes = {"ancient": 4, "arcane": 3, "cursed": 5, "dire": 5, "forest": 4, "mountain": 2, "night": 3, "noble": 3}
    assert families == sizes | {"": 5}
    assert all(len(RULES.family(family)) == size for family, size in sizes.items())


def test_the_abilities_of_the_whole_deck_add_up() -> None:
    kinds = {"elixir": 13, "flying": 5, "army": 5, "movement": 5, "immune": 1, "coins": 2}
    assert {kind: sum(card.total(kind) for card in RULES.cards.values()) for kind in kinds} == kinds


def test_a_whole_set_counts_all_cards_of_its_family() -> None:
    for card in RULES.cards.values():
        for ability in card.abilities:
            if ability.kind == "whole-set":
                assert ability.n == len(RULES.family(ability.of))


def test_the_numbers_of_the_edition_match_the_rulebook() -> None:
    assert RULES.players == (2, 3, 4)
    assert RULES.coins == (12, 11, 9)
    assert RULES.cards_owned == (11, 10, 8)
    assert RULES.prices == (0, 1, 1, 2, 2, 3)
    assert (RULES.armies, RULES.cities, RULES.third_colour, RULES.crossing) == (18, 3, 10, 3)
    assert (RULES.start_armies, RULES.outpost_armies, RULES.most_elixirs, RULES.tied_elixirs) == (3, 1, 2, 1)
