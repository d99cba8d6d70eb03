"""Scenes of battles and the market: open cards have descriptions, hidden cards are only backs."""

import re
from functools import cache
from xml.etree import ElementTree

import msgspec
import pytest

from games.boards.kingdoms.battle import battle_scene
from games.boards.kingdoms.describe import battle_words
from games.boards.kingdoms.market import awning, deck_pile, ember_pile, market, market_words
from games.boards.png import png
from games.rules.kingdoms.state import State
from games.rules.kingdoms.view import View, WaveView
from tests.boards.kingdoms.views import NAMES, battle, kingdom, laid, position
from tests.boards.pixels import pixels
from tests.rules.kingdoms.play import game
from tests.rules.kingdoms.positions import KINGDOMS

SVG = "{http://www.w3.org/2000/svg}"
SEVENS = ("sun-attack-7-1", "sun-attack-7-2", "pine-attack-7-1", "plum-support-3-1")
EMPEROR = ("sun-kingdom-emperor-1",)
DECLARED = battle(WaveView((laid(0, 4),)))
WON = battle(WaveView((laid(0, 4, *SEVENS, total=24), laid(1, 1, "epic-fox", total=13)), 24, 13))
EQUAL = battle(WaveView((laid(0, 4, *SEVENS, total=24), laid(1, 1, "boss-builder", total=16)), 24, 24), WON.waves[0])
WITH = battle(WaveView((laid(0, 2, "epic-fox"), laid(2, 1, "wave-champion-9-1"))), protector=2, mode="with")
BOTH = pytest.mark.parametrize("wide", [False, True], ids=["narrow", "wide"])


@cache
def played(players: int) -> list[tuple[State, View]]:
    """Return the battles of a random game as a spectator sees them."""
    states = [step.after for step in game(players, seed=3).steps if step.after.battle]
    return [(state, KINGDOMS.view(state, None)) for state in states[:60]]


def text_of(picture: str, tag: str) -> str:
    return ElementTree.fromstring(picture).findtext(f"{SVG}{tag}") or ""


def shown(picture: str) -> tuple[int, int]:
    """Return the numbers of face-up and face-down cards, ignoring embedded parts."""
    laid_down = re.sub(r"<defs>.*?</defs>", "", picture)
    return laid_down.count('-sign"/>'), laid_down.count('#k-back"/>')


@BOTH
def test_face_down_cards_are_drawn_as_backs(wide):
    assert shown(battle_scene(DECLARED, names=NAMES, wide=wide)) == (0, 4)
    assert shown(battle_scene(WITH, names=NAMES, wide=wide)) == (2, 1)
    assert shown(battle_scene(WON, names=NAMES, wide=wide)) == (5, 0)


def test_a_hidden_card_is_neither_drawn_nor_named():
    scene = battle_scene(DECLARED, names=NAMES)
    assert "4 cards face down" in text_of(scene, "desc")
    assert set(re.findall(r'id="(k-[\w-]+)"', scene)) == {"k-back"}


@pytest.mark.parametrize("players", [3, 5])
def test_no_scene_shows_a_spectator_a_card_that_is_not_revealed(players):
    assert played(players)
    for state, view in played(players):
        scene = battle_scene(view.battle, names=NAMES)
        hidden = [
            card
            for wave in state.battle.waves
            if not wave.revealed
            for hand in wave.hands
            for card in hand.cards
            if card not in hand.open
        ]
        face_up = sum(len(hand.cards) for wave in view.battle.waves for hand in wave.hands)
        assert shown(scene) == (face_up, len(hidden))
        assert not any(card in scene for card in hidden)


def test_the_description_names_the_winner_and_the_beaten_hand_is_dimmed():
    scene = battle_scene(WON, names=NAMES)
    assert "Alice wins, 24 to 13." in scene
    assert scene.count('class="beaten"') == 1
    assert "beaten" not in battle_scene(DECLARED, names=NAMES)


def test_the_wall_of_a_castle_is_shown_without_towers():
    assert ">+3<" in battle_scene(DECLARED, names=NAMES)
    assert ">+3<" not in battle_scene(DECLARED, towers=EMPEROR, names=NAMES)
    assert "+0" not in battle_scene(DECLARED, wall=0, names=NAMES)


def test_earlier_waves_stay_visible():
    scene = battle_scene(EQUAL, names=NAMES)
    assert "24 = 24" in scene and ">Wave 1<" in scene
    assert shown(scene) == (10, 0)


def test_a_player_who_has_not_laid_cards_has_an_empty_place():
    assert battle_scene(WITH, names=NAMES).count("stroke-dasharray") == 1
    assert battle_scene(WON, names=NAMES).count("stroke-dasharray") == 0


def test_a_defense_without_cards_is_labeled():
    empty = battle(WaveView((laid(0, 1, "epic-fox", total=13), laid(1, 0, total=0)), 13, 3))
    assert "Bob: no cards, 0 in all." in text_of(battle_scene(empty, names=NAMES), "desc")


def test_a_battle_is_described_in_sentences():
    assert battle_words(WON, (), 3, NAMES) == (
        "Alice attacks Bob. The Castle is at stake. Alice: Sun Swordsman, Sun Swordsman, Pine Swordsman and Plum"
        " Standard Bearer, 24 in all. Bob: Fox, 13 in all. The Castle’s wall adds 3 to the defense."
        " Alice wins, 24 to 13."
    )
    assert "The Emperor Tower is at stake." in battle_words(WITH, EMPEROR, 3, NAMES)
    assert "Carol defends with Bob: the higher hand counts." in battle_words(WITH, EMPEROR, 3, NAMES)


def test_the_higher_of_two_defending_hands_is_marked():
    two = WaveView((laid(0, 1, "epic-fox", total=13), laid(1, 1, total=4), laid(2, 1, total=16)), 13, 16)
    assert "Carol wins, 16 to 13." in battle_words(battle(two, protector=2, mode="with"), EMPEROR, 3, NAMES)


@pytest.mark.parametrize("count", [1, 5, 8, 12])
@BOTH
def test_cards_are_inside_the_picture_and_do_not_cover_totals(count, wide):
    scene = battle_scene(battle(WaveView((laid(0, count),))), names=NAMES, wide=wide)
    width, card = (560, 84) if wide else (360, 58)
    lefts = [float(x) for x in re.findall(r'role="img" x="([\d.]+)"', scene)]
    assert len(lefts) == count
    assert max(lefts) + card <= width - 60


@BOTH
def test_scenes_are_small_and_reproducible(wide):
    first = battle_scene(EQUAL, names=NAMES, sprite="/k.svg", wide=wide)
    assert battle_scene(EQUAL, names=NAMES, sprite="/k.svg", wide=wide) == first
    assert len(first) < 10_000


def test_a_scene_without_a_sprite_embeds_its_parts():
    for scene in (battle_scene(EQUAL, names=NAMES), market(TABLE)):
        assert set(re.findall(r'href="#([\w-]+)"', scene)) <= set(re.findall(r'id="([\w-]+)"', scene))


def test_scenes_contain_no_style_and_no_script():
    everything = battle_scene(EQUAL, names=NAMES) + market(TABLE) + awning() + ember_pile(3) + deck_pile(3)
    assert not re.search(r"<script|<style|[^-]style=|url\(|<image", everything)


def test_a_battle_as_png_has_many_colors():
    drawn = pixels(png(battle_scene(WON, names=NAMES), 360))
    assert drawn.width == 360
    assert len(drawn.colours()) > 300


TABLE = position(kingdom(0), kingdom(1), burn=("sun-attack-5-1", "sun-attack-5-2"), deck=62)


def test_the_market_shows_the_flop_and_counts_both_piles():
    drawn = market(TABLE)
    assert shown(drawn)[0] == 3
    assert text_of(drawn, "desc") == market_words(TABLE)
    assert market_words(TABLE) == ("Flop: Sun Archer, Wave Captain and Fox. Draw deck: 62 cards. Burn pile: 2 cards.")


def test_a_large_flop_is_drawn_in_rows():
    large = msgspec.structs.replace(TABLE, flop=TABLE.flop * 4)
    assert shown(market(large))[0] == 12
    assert ElementTree.fromstring(market(large)).get("height") > ElementTree.fromstring(market(TABLE)).get("height")


def test_an_empty_market_says_so():
    empty = msgspec.structs.replace(TABLE, flop=(), deck=0, burn=())
    assert market_words(empty) == "Flop: empty. Draw deck: 0 cards. Burn pile: 0 cards."
    assert shown(market(empty)) == (0, 0)


def test_piles_show_their_number_of_cards():
    assert text_of(deck_pile(1), "title") == "Draw deck: 1 card"
    assert text_of(ember_pile(14), "title") == "Burn pile: 14 cards"


def test_a_fire_marks_burned_cards():
    assert len(ember_pile(1)) > len(ember_pile(0))


def test_the_middle_of_the_table_is_the_same_for_all_viewers():
    _, view = played(3)[-1]
    blind = tuple(msgspec.structs.replace(player, hand=(), value=None) for player in view.players)
    assert market(view) == market(msgspec.structs.replace(view, players=blind, looked=(), hidden=None))
