"""Pictures of the realm: every kingdom once, in its color and with its Towers, below its ruler, in any forest."""

import re
from functools import cache
from io import BytesIO
from itertools import combinations, pairwise
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from games.boards.kingdoms.describe import kingdom_words, realm_words
from games.boards.kingdoms.png import picture
from games.boards.kingdoms.realm import BESIDE, NARROW, in_order, laid_out, realm
from games.boards.png import PAPERS, png
from games.boards.targets import Target
from games.boards.themes import BANNER_SHAPES, MOST, SEATS, banners, mark
from games.rules.kingdoms.view import View
from tests.boards.kingdoms.views import NAMES, forest, kingdom, position
from tests.boards.pixels import difference
from tests.boards.test_themes import EYES, contrast, lab
from tests.rules.kingdoms.play import game
from tests.rules.kingdoms.positions import KINGDOMS
from tests.rules.walk import walk

SVG = "{http://www.w3.org/2000/svg}"
BOTH = pytest.mark.parametrize("wide", [False, True], ids=["rows", "tree"])
FOUR = position(
    kingdom(0, 3, cards=23, band=200),
    kingdom(1, 0, 0),
    kingdom(2, 1, cards=12, band=100, truce=True),
    kingdom(3, 2, 0, attacked=True),
)


@st.composite
def forests(draw: st.DrawFn) -> tuple[int | None, ...]:
    """Draw the rulers of two to eight players: each has no ruler or one that is earlier in some order."""
    order = draw(st.permutations(range(draw(st.integers(2, MOST)))))
    rulers: list[int | None] = [None] * len(order)
    for place, seat in enumerate(order[1:], start=1):
        rulers[seat] = draw(st.sampled_from([None, *order[:place]]))
    return tuple(rulers)


@cache
def played(players: int) -> list[View]:
    return [KINGDOMS.view(step.after, None) for step in game(players, seed=3).steps]


def kingdoms(picture: str) -> list[ElementTree.Element]:
    return [g for g in ElementTree.fromstring(picture).iter(f"{SVG}g") if "kingdom" in g.get("class", "").split()]


@BOTH
@given(forests())
def test_every_kingdom_is_in_the_picture_once(wide, rulers):
    drawn = kingdoms(realm(forest(rulers), NAMES, wide=wide))
    assert sorted(g.get("class", "").split()[1] for g in drawn) == [paint.key for paint in banners()[: len(rulers)]]


@BOTH
@given(forests())
def test_rulers_are_above_their_sub_kingdoms_and_nothing_overlaps(wide, rulers):
    laid = laid_out(forest(rulers), wide)
    spots = {spot.seat: spot for spot in laid.spots}
    assert all(spots[ruler].y < spots[seat].y for seat, ruler in enumerate(rulers) if ruler is not None)
    for spot, other in combinations(laid.spots, 2):
        assert abs(spot.x - other.x) >= 100 or abs(spot.y - other.y) >= 60
    assert all(38 < spot.x < laid.width - 38 and 60 < spot.y < laid.height for spot in laid.spots)


@BOTH
@given(forests())
def test_a_ribbon_in_the_rulers_color_leads_to_each_sub_kingdom(wide, rulers):
    ribbons = re.findall(r'class="ribbon (seat-\d)"', realm(forest(rulers), NAMES, wide=wide))
    assert sorted(ribbons) == sorted(banners()[ruler].key for ruler in rulers if ruler is not None)


@given(forests())
def test_the_order_of_rows_keeps_each_kingdom_together(rulers):
    order = in_order(rulers)
    assert sorted(seat for seat, _ in order) == list(range(len(rulers)))
    for (seat, depth), (after, deeper) in pairwise(order):
        assert deeper <= depth + 1
        assert (deeper == depth + 1) == (rulers[after] == seat)


@BOTH
def test_a_chain_of_eight_kingdoms_fits(wide):
    chain = (None, *range(7))
    laid = laid_out(forest(chain), wide)
    assert max(spot.x for spot in laid.spots) < (laid.width if wide else 200)


def test_rows_have_the_width_of_a_phone_and_a_tree_that_of_its_leaves():
    assert laid_out(FOUR, wide=False).width == 360
    assert laid_out(FOUR, wide=True).width == 3 * 132
    assert laid_out(forest((None,) * 8), wide=True).width < 1100


def test_the_description_includes_everything():
    assert realm_words(FOUR, NAMES).splitlines() == [
        "Alice (red circle): Towers (Emperor, Queen and Prince); no ruler; rules Bob and Dan; 23 cards; "
        "worth 200 or more.",
        "Bob (blue square): no Towers; ruled by Alice; 5 cards.",
        "Carol (yellow diamond): Towers (Emperor); no ruler; 12 cards; worth 100 or more; under a Truce.",
        "Dan (black triangle): Towers (Emperor and Queen); ruled by Alice; 5 cards.",
    ]


@BOTH
def test_titles_and_description_are_in_the_picture(wide):
    root = ElementTree.fromstring(realm(FOUR, NAMES, wide=wide))
    assert root.findtext(f"{SVG}title") == "Who rules whom"
    assert root.findtext(f"{SVG}desc") == realm_words(FOUR, NAMES)
    titles = [g.findtext(f"{SVG}title") for g in kingdoms(realm(FOUR, NAMES, wide=wide))]
    assert sorted(titles) == sorted(kingdom_words(FOUR, seat, NAMES) for seat in range(4))


def test_the_words_can_be_translated():
    german = {"no ruler": "frei", "ruled by {player}": "beherrscht von {player}", "red circle": "roter Kreis"}
    words = realm_words(FOUR, NAMES, lambda text: {**german, "; ": " | "}.get(text, text))
    assert "Alice (roter Kreis): Towers (Emperor, Queen and Prince) | frei |" in words
    assert "beherrscht von Alice" in words


def test_names_are_escaped():
    shown = realm(FOUR, ["<b>", "&", '"', "Dan"])
    assert "<b>" not in shown
    assert ElementTree.fromstring(shown) is not None


def test_a_name_of_wide_letters_fits_a_phone():
    drawn = realm(FOUR, ["W" * 24, "Bob", "Carol", "Dan"])
    size = float(re.findall(r'<text font-size="([\d.]+)"[^>]*>W+<', drawn)[0])
    place = float(re.findall(r'class="kingdom seat-0[^>]*translate\(([\d.]+)', drawn)[0])
    assert place + BESIDE + 24 * 0.95 * size <= NARROW


def test_each_tower_is_a_story_with_the_letter_of_its_rank():
    alice = realm(position(kingdom(0, 4), kingdom(1)), NAMES)
    assert [use[3:] for use in re.findall(r'href="#(kn-(?:emperor|queen|prince|princess))"', alice)] == [
        "emperor",
        "queen",
        "prince",
        "princess",
    ]
    assert re.findall(r'<text x="2" y="-4">(\w)</text>', alice) == ["E", "Q", "P", "P"]


def test_a_badge_a_dove_and_a_number_of_cards_are_shown():
    shown = {g.get("class", "").split()[1]: ElementTree.tostring(g, "unicode") for g in kingdoms(realm(FOUR, NAMES))}
    assert ">200+<" in shown["seat-0"] and ">23<" in shown["seat-0"]
    assert ">100+<" in shown["seat-2"] and "kn-truce" in shown["seat-2"]
    assert "+<" not in shown["seat-1"] and "kn-truce" not in shown["seat-1"]


def test_only_quickplay_shows_swords_for_players_who_have_attacked():
    quick = msgspec.structs.replace(FOUR, options=KINGDOMS.options({"mode": "quickplay"}, 4))
    assert 'href="#kn-fought"' in realm(quick, NAMES)
    assert 'href="#kn-fought"' not in realm(FOUR, NAMES)


def test_the_active_player_has_a_golden_label_until_the_game_is_over():
    assert realm(FOUR, NAMES).count("k-turn") == 1
    assert realm(msgspec.structs.replace(FOUR, over=True), NAMES).count("k-turn") == 0


@BOTH
def test_a_kingdom_that_can_be_clicked_is_a_link_with_words(wide):
    targets = {1: Target("Attack Bob", "/attack/1"), 2: Target("Attack Carol", action="attack 2")}
    shown = realm(FOUR, NAMES, wide=wide, targets=targets)
    links = list(ElementTree.fromstring(shown).iter(f"{SVG}a"))
    assert [link.get("aria-label") for link in links] == ["Attack Bob", "Attack Carol"]
    assert links[0].get("href") == "/attack/1"
    assert (links[1].get("data-action"), links[1].get("role")) == ("attack 2", "button")
    assert 'role="group"' in shown and 'role="group"' not in realm(FOUR, NAMES, wide=wide)


@BOTH
def test_pictures_contain_no_style_no_script_and_no_external_references(wide):
    shown = realm(FOUR, NAMES, wide=wide)
    assert not re.search(r"<script|<style|[^-]style=|url\(|<image", shown)
    assert set(re.findall(r'href="#([\w-]+)"', shown)) <= set(re.findall(r'id="([\w-]+)"', shown))


def test_rows_and_tree_can_be_on_one_page():
    rows, tree = (set(re.findall(r'id="([\w-]+)"', realm(FOUR, NAMES, wide=wide))) for wide in (False, True))
    assert not rows & tree


@BOTH
def test_a_picture_is_small_and_reproducible(wide):
    first = realm(FOUR, NAMES, wide=wide)
    assert realm(FOUR, NAMES, wide=wide) == first
    assert len(first) <= 10_200


@pytest.mark.parametrize("players", [2, 4, 6, 8])
@BOTH
def test_every_position_of_a_game_can_be_drawn(players, wide):
    for view in played(players)[::9]:
        assert len(kingdoms(realm(view, NAMES, wide=wide))) == players


def test_private_knowledge_does_not_change_the_picture():
    view = played(4)[-1]
    blind = tuple(msgspec.structs.replace(player, hand=(), value=None, shown=()) for player in view.players)
    assert any(player.hand for player in view.players)
    assert realm(view, NAMES) == realm(msgspec.structs.replace(view, players=blind), NAMES)


def test_eight_banners_have_eight_colors_and_shapes_beginning_with_those_of_the_site():
    assert len({paint.key for paint in banners()}) == MOST
    assert len({paint.shape for paint in banners()}) == len({paint.name for paint in banners()}) == MOST
    assert banners()[: len(SEATS)] == SEATS
    assert all(paint.shape in BANNER_SHAPES for paint in banners())
    assert all(contrast(paint.fill, paint.ink) >= 4.5 for paint in banners())


def test_the_mark_of_every_seat_has_its_shape_and_color_and_is_hidden_from_screen_readers():
    for seat, paint in enumerate(banners()):
        assert BANNER_SHAPES[paint.shape] in mark(seat)
        assert paint.fill in mark(seat)
        assert 'aria-hidden="true"' in mark(seat)


@pytest.mark.parametrize("eye", EYES)
def test_any_two_banners_are_distinguishable_with_every_kind_of_color_vision(eye):
    for banner, other in combinations(banners(), 2):
        assert sum((a - b) ** 2 for a, b in zip(lab(banner.fill, eye), lab(other.fill, eye), strict=True)) ** 0.5 > 12


@pytest.mark.sampled
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_png_for_an_email_has_the_background_of_its_theme(theme):
    drawn = picture(FOUR, theme, names=NAMES)
    assert drawn.width == 480
    assert drawn.getpixel((0, drawn.height - 1)) == ((0xFC, 0xF8, 0xED) if theme == "light" else (0x17, 0x23, 0x25))
    assert (0xC7, 0x36, 0x2C) in {colour for _, colour in drawn.getcolors(1 << 20)}


@pytest.mark.parametrize("players", [4, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 3, 5, 6, 7, 8))])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_for_an_email_is_what_resvg_draws_of_the_svg(players, theme):
    game = walk(KINGDOMS, players, players)
    view = KINGDOMS.view(game.steps[len(game.steps) * 2 // 3].after, 0)
    names = [*NAMES, "Edda Eisenhand", "Ines", "W" * 24, "Ζωή", "Ярослав"][:players]
    pasted = picture(view, theme, names=names)
    head, desc, rest = realm(view, names, theme=theme).partition("</desc>")
    paper = f'<rect width="100%" height="100%" fill="{PAPERS[theme]}"/>'
    whole = Image.open(BytesIO(png(f"{head}{desc}{paper}{rest}", 480))).convert("RGB")
    mean, worst = difference(pasted, whole.crop((0, 0, *pasted.size)))
    assert mean < 4 and worst < 32, (players, mean, worst)


def test_a_palette_changes_the_colors_of_a_picture_for_an_email():
    drawn = picture(FOUR, "light-deuteranopia", names=NAMES)  # after those of the standard palette were drawn
    colours = {colour for _, colour in drawn.getcolors(1 << 20)}
    assert (0xC8, 0x45, 0x11) in colours and (0xC7, 0x36, 0x2C) not in colours


def test_the_stylesheet_has_the_same_colors_for_ribbons(stylesheet):
    for paint in banners():
        assert f".{paint.key} {{ --k-line: light-dark({paint.line}, {paint.night}); }}" in stylesheet


@BOTH
@pytest.mark.parametrize("name", ["Wilhelmina-the-Magnific1", "W" * 24, "Konstantinos of Byzanz", "Al"])
def test_names_are_never_cut(wide, name):
    texts = [
        shown.text or ""
        for group in kingdoms(realm(FOUR, (name, *NAMES[1:]), wide=wide))[:1]
        for shown in group.iter(f"{SVG}text")
    ]
    assert name.replace(" ", "") in "".join(texts).replace(" ", "")
    assert "…" not in "".join(texts)
