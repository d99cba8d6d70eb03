"""Battles and the market: what lies open is shown with its words, what is hidden is a back and no more."""

import re
from functools import cache
from xml.etree import ElementTree

import msgspec
import pytest

from games.boards.kingdoms.battle import battle_scene
from games.boards.kingdoms.describe import battle_words
from games.boards.kingdoms.market import awning, deck_pile, ember_pile, market, market_words
from games.boards.kingdoms.png import battle_png
from games.rules.kingdoms.state import State
from games.rules.kingdoms.view import View, WaveView
from tests.boards.kingdoms.views import NAMES, battle, kingdom, laid, position
from tests.boards.pixels import pixels
from tests.pace import seconds
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
    """Battles of a random game, as a watcher sees them."""
    states = [step.after for step in game(players, seed=3).steps if step.after.battle]
    return [(state, KINGDOMS.view(state, None)) for state in states[:60]]


def text_of(picture: str, tag: str) -> str:
    return ElementTree.fromstring(picture).findtext(f"{SVG}{tag}") or ""


def shown(picture: str) -> tuple[int, int]:
    """How many cards lie face up and how many face down, the parts that the picture brings along left out."""
    laid_down = re.sub(r"<defs>.*?</defs>", "", picture)
    return laid_down.count('-sign"/>'), laid_down.count('#k-back"/>')


@BOTH
def test_cards_face_down_are_backs(wide):
    assert shown(battle_scene(DECLARED, names=NAMES, wide=wide)) == (0, 4)
    assert shown(battle_scene(WITH, names=NAMES, wide=wide)) == (2, 1)
    assert shown(battle_scene(WON, names=NAMES, wide=wide)) == (5, 0)


def test_a_hidden_card_is_neither_drawn_nor_named():
    scene = battle_scene(DECLARED, names=NAMES)
    assert "4 cards face down" in text_of(scene, "desc")
    assert set(re.findall(r'id="(k-[\w-]+)"', scene)) == {"k-back"}


@pytest.mark.parametrize("players", [3, 5])
def test_no_scene_of_a_game_shows_a_watcher_a_card_that_is_not_revealed(players):
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
        known = sum(len(hand.cards) for wave in view.battle.waves for hand in wave.hands)
        assert shown(scene) == (known, len(hidden))
        assert not any(card in scene for card in hidden)


def test_the_winner_stands_in_the_words_and_the_beaten_hand_is_dimmed():
    scene = battle_scene(WON, names=NAMES)
    assert "Alice wins, 24 to 13." in scene
    assert scene.count('class="beaten"') == 1
    assert "beaten" not in battle_scene(DECLARED, names=NAMES)


def test_the_castles_wall_stands_where_no_tower_does():
    assert ">+3<" in battle_scene(DECLARED, names=NAMES)
    assert ">+3<" not in battle_scene(DECLARED, towers=EMPEROR, names=NAMES)
    assert "+0" not in battle_scene(DECLARED, wall=0, names=NAMES)


def test_earlier_waves_stay_on_the_table():
    scene = battle_scene(EQUAL, names=NAMES)
    assert "24 = 24" in scene and ">Wave 1<" in scene
    assert shown(scene) == (10, 0)


def test_who_has_not_laid_yet_has_an_empty_place():
    assert battle_scene(WITH, names=NAMES).count("stroke-dasharray") == 1
    assert battle_scene(WON, names=NAMES).count("stroke-dasharray") == 0


def test_a_defence_of_no_cards_is_shown_as_such():
    empty = battle(WaveView((laid(0, 1, "epic-fox", total=13), laid(1, 0, total=0)), 13, 3))
    assert "Bob: no cards, 0 in all." in text_of(battle_scene(empty, names=NAMES), "desc")


def test_a_battle_is_told_in_sentences():
    assert battle_words(WON, (), 3, NAMES) == (
        "Alice attacks Bob. The Castle is at stake. Alice: Sun Swordsman, Sun Swordsman, Pine Swordsman and Plum"
        " Standard Bearer, 24 in all. Bob: Fox, 13 in all. The Castle’s wall adds 3 to the defense."
        " Alice wins, 24 to 13."
    )
    assert "The Tower Emperor is at stake." in battle_words(WITH, EMPEROR, 3, NAMES)
    assert "Carol defends with Bob: the higher hand counts." in battle_words(WITH, EMPEROR, 3, NAMES)


def test_the_higher_of_two_defending_hands_wins():
    two = WaveView((laid(0, 1, "epic-fox", total=13), laid(1, 1, total=4), laid(2, 1, total=16)), 13, 16)
    assert "Carol wins, 16 to 13." in battle_words(battle(two, protector=2, mode="with"), EMPEROR, 3, NAMES)


@pytest.mark.parametrize("count", [1, 5, 8, 12])
@BOTH
def test_cards_stay_within_the_picture_and_off_the_totals(count, wide):
    scene = battle_scene(battle(WaveView((laid(0, count),))), names=NAMES, wide=wide)
    width, card = (560, 84) if wide else (360, 58)
    lefts = [float(x) for x in re.findall(r'role="img" x="([\d.]+)"', scene)]
    assert len(lefts) == count
    assert max(lefts) + card <= width - 60


@BOTH
def test_scenes_are_small_quick_and_always_the_same(wide):
    first = battle_scene(EQUAL, names=NAMES, sprite="/k.svg", wide=wide)
    assert seconds(lambda: battle_scene(EQUAL, names=NAMES, sprite="/k.svg", wide=wide), tries=20) < 0.005
    assert battle_scene(EQUAL, names=NAMES, sprite="/k.svg", wide=wide) == first
    assert len(first) < 10_000


def test_a_scene_without_a_sprite_brings_along_what_it_needs():
    for scene in (battle_scene(EQUAL, names=NAMES), market(TABLE)):
        assert set(re.findall(r'href="#([\w-]+)"', scene)) <= set(re.findall(r'id="([\w-]+)"', scene))


def test_scenes_carry_no_style_and_no_script():
    everything = battle_scene(EQUAL, names=NAMES) + market(TABLE) + awning() + ember_pile(3) + deck_pile(3)
    assert not re.search(r"<script|<style|[^-]style=|url\(|<image", everything)


def test_a_battle_as_png_is_full_of_colour():
    drawn = pixels(battle_png(WON, 360, names=NAMES))
    assert drawn.width == 360
    assert len(drawn.colours()) > 300


TABLE = position(kingdom(0), kingdom(1), burn=("sun-attack-5-1", "sun-attack-5-2"), deck=62)


def test_the_market_shows_the_flop_and_counts_both_piles():
    drawn = market(TABLE)
    assert shown(drawn)[0] == 3
    assert text_of(drawn, "desc") == market_words(TABLE)
    assert market_words(TABLE) == ("Flop: Sun Archer, Wave Captain and Fox. Draw deck: 62 cards. Burn pile: 2 cards.")


def test_a_large_flop_lies_in_rows():
    large = msgspec.structs.replace(TABLE, flop=TABLE.flop * 4)
    assert shown(market(large))[0] == 12
    assert ElementTree.fromstring(market(large)).get("height") > ElementTree.fromstring(market(TABLE)).get("height")


def test_an_empty_market_says_so():
    empty = msgspec.structs.replace(TABLE, flop=(), deck=0, burn=())
    assert market_words(empty) == "Flop: empty. Draw deck: 0 cards. Burn pile: 0 cards."
    assert shown(market(empty)) == (0, 0)


def test_piles_alone_say_how_many_cards_they_hold():
    assert text_of(deck_pile(1), "title") == "Draw deck: 1 card"
    assert text_of(ember_pile(14), "title") == "Burn pile: 14 cards"


def test_a_fire_burns_where_something_was_burned():
    assert len(ember_pile(1)) > len(ember_pile(0))


def test_the_middle_of_the_table_is_the_same_for_everybody():
    _, view = played(3)[-1]
    blind = tuple(msgspec.structs.replace(player, hand=(), value=None) for player in view.players)
    assert market(view) == market(msgspec.structs.replace(view, players=blind, looked=(), hidden=None))
