"""The help: every option, card, token, leader and good of every game has a text and a place on the rules pages."""

import re
from html import unescape

import pytest
from django.template.context import Context

from games.boards.eight_minute.geometry import picture
from games.help import glossary
from games.help.eight_minute import pictures
from games.help.eight_minute.build import build
from games.rules.eight_minute.edition import edition
from games.rules.eight_minute.tokens import gifts, leader_ids, to_lay
from games.rules.registry import RULESETS
from games.tables.pages.kingdoms import due as kingdoms_due
from games.tables.services import lobby
from games.tables.templatetags.tips import tip
from tests.cast import again, bid, some_turn, submit, table_of
from tests.each import for_each
from tests.web.reading import text

pytestmark = pytest.mark.django_db

EDITIONS = [slug for slug, rules in RULESETS.items() if rules.family == "eight_minute"]
EVERY_TERM = [
    (slug, kind, term)
    for slug in RULESETS
    for kind, shelf in glossary.shelves(slug).items()
    for term in shelf.ids(slug)
]
WORD = re.compile(r"[\w’]+")


@pytest.fixture(scope="module")
def anchors():
    """A cache of the ids on each page: pages are the same for all readers."""
    return {}


def ids_on(come, anchors: dict, address: str) -> set[str]:
    if address not in anchors:
        answer = come().get(address)
        assert answer.status_code == 200, address
        anchors[address] = set(re.findall(r'\sid="([^"]+)"', text(answer)))
    return anchors[address]


def test_the_rules_say_where_going_second_is_better(come):
    """Between bots it is in Legends and Classic, and not in Prototype: docs/opponents.md."""
    for slug in EDITIONS:
        assert ("going second is often better" in text(come().get(f"/rules/{slug}/"))) == (slug != "prototype")


# Nothing is missing


@pytest.mark.parametrize("slug", RULESETS)
def test_every_option_preset_and_order_of_a_game_can_be_looked_up(slug):
    rules, held = RULESETS[slug], held_by(slug)
    assert held["option"] == {field.name for field in rules.option_fields()}
    assert held["preset"] == {preset.slug for preset in rules.presets}
    assert held["order"] == {order.name for order in rules.order_fields()}
    assert held["card"]


def held_by(slug: str) -> dict[str, set[str]]:
    return {kind: set(shelf.ids(slug)) for kind, shelf in glossary.shelves(slug).items()}


@pytest.mark.parametrize("slug", EDITIONS)
def test_every_card_token_leader_and_good_of_an_edition_can_be_looked_up(slug):
    rules, held = edition(slug), held_by(slug)
    options = {field.name: field.choices[0].value for field in RULESETS[slug].option_fields() if field.kind == "yes-no"}
    everything = RULESETS[slug].options(options | ({"dragon": "6"} if "dragon" in rules.options else {}), 2)
    assert held["card"] == set(rules.cards)
    assert held["option"] == set(rules.options)
    assert set(to_lay(rules, everything, 2)) <= held["token"] | held["good"]
    assert held["leader"] == (set(leader_ids()) if "leaders" in rules.options else set())
    assert set(rules.goods) <= held["good"]


@pytest.mark.parametrize("slug", RULESETS)
def test_every_option_and_preset_of_every_game_can_be_looked_up(slug):
    rules = RULESETS[slug]
    assert ids(slug, "option") == [field.name for field in rules.option_fields()]
    assert ids(slug, "preset") == [preset.slug for preset in rules.presets]


def test_every_token_and_leader_belongs_to_some_game():
    terms = {term for slug in RULESETS for kind in ("token", "leader", "good") for term in ids(slug, kind)}
    assert set(gifts()) <= terms


def ids(slug: str, kind: str) -> list[str]:
    shelf = glossary.shelves(slug).get(kind)
    return list(shelf.ids(slug)) if shelf else []


@for_each("slug, kind, term", EVERY_TERM)
def test_every_term_has_a_text_and_a_place_on_the_rules_pages(come, anchors, slug, kind, term):
    explanation = glossary.find(slug, kind, term)
    assert explanation.name and explanation.sentences
    for sentence in explanation.sentences:
        assert sentence[0].isupper() and sentence.endswith(".") and len(WORD.findall(sentence)) > 2, sentence
        assert "{" not in sentence and "%" not in sentence, sentence
    address, anchor = explanation.url.split("#")
    assert anchor in ids_on(come, anchors, address)


@pytest.mark.parametrize("slug", RULESETS)
def test_ids_are_unique_on_each_page(come, slug):
    for address in (f"/rules/{slug}/", *[f"/rules/{slug}/cards/"] * bool(ids(slug, "card"))):
        page_ids = re.findall(r'\sid="([^"]+)"', text(come().get(address)))
        assert len(page_ids) == len(set(page_ids)), [page_id for page_id in page_ids if page_ids.count(page_id) > 1]


@pytest.mark.parametrize("slug", RULESETS)
def test_the_pages_of_a_game_link_to_each_other(come, slug):
    rules, cards = text(come().get(f"/rules/{slug}/")), text(come().get(f"/rules/{slug}/cards/"))
    page = text(come().get("/rules/"))
    assert f"/rules/{slug}/" in page
    assert page.count('<span class="emblem" aria-hidden="true"><svg') == len(RULESETS) and " style=" not in page
    assert f"/rules/{slug}/cards/" in rules and f"/rules/{slug}/" in cards
    contents = rules[: rules.index("<article")]
    assert all(f'href="#{glossary.anchor_of(option)}"' in contents for option in ids(slug, "option"))
    assert " style=" not in rules + cards


def test_an_unknown_game_has_no_rules(come):
    assert come().get("/rules/chess/").status_code == come().get("/rules/chess/cards/").status_code == 404


# The texts are true


@pytest.mark.parametrize("slug", EDITIONS)
def test_the_text_of_a_card_has_the_numbers_on_the_card(slug):
    for card in edition(slug).cards.values():
        description = " ".join(glossary.find(slug, "card", card.id).sentences)
        for part in card.parts:
            assert str(part.n) in description, (card.id, description)
        for ability in card.abilities:
            assert not ability.points or str(ability.points) in description, (card.id, description)


def test_the_text_of_a_card_matches_the_options_of_the_table():
    """The coal card depends on an option; the nobles and Dire Ogre on the edition (R37, R39)."""
    assert "build 1 city" in " ".join(glossary.find("classic", "card", "o24").sentences)
    assert "city where" not in " ".join(glossary.find("classic+coal:place", "card", "o24").sentences)
    assert "4 points" in " ".join(glossary.find("legends", "card", "noble-hills").sentences)
    assert "5 points" in " ".join(glossary.find("prototype", "card", "noble-hills").sentences)
    assert "every 2 coins" in " ".join(glossary.find("prototype", "card", "dire-ogre").sentences)


def test_a_card_names_the_cards_that_count_its_family():
    assert "which count toward the card Graveyard" in " ".join(
        glossary.find("legends", "card", "cursed-king").sentences
    )
    assert "Graveyard" not in " ".join(glossary.find("legends", "card", "castle-a").sentences)
    assert "this one included" in " ".join(glossary.find("legends", "card", "night-wizard").sentences)
    assert "this one included" not in " ".join(glossary.find("legends", "card", "lake").sentences)


def test_only_the_classic_game_sails_and_destroys_anywhere():
    assert "by land or over water" in " ".join(glossary.find("classic", "card", "o13").sentences)
    assert "destroy 1 army anywhere" in " ".join(glossary.find("classic", "card", "o15").sentences)
    assert "where you also have one" in " ".join(glossary.find("legends", "card", "dire-giant").sentences)


# Pictures


@for_each("slug, option", list(pictures.SHOWN))
def test_a_picture_shows_the_region_it_names_and_what_lies_there(slug, option):
    for cut, (name, contents, _label) in zip(
        pictures.of_option(slug, option), pictures.SHOWN[slug, option], strict=True
    ):
        drawn = picture(pictures.position(name).layout)
        left, top, width, height = map(float, cut.box.split())
        assert 0 <= left < left + width <= drawn.width + 0.1 and 0 <= top < top + height <= drawn.height + 0.1
        if contents:
            region = next(region for region in drawn.regions.values() if region.name in cut.label)
            x, y = region.token
            assert left < x < left + width and top < y < top + height


@pytest.mark.sampled
@for_each("name", list(pictures.PLAYS))
def test_the_positions_of_the_pictures_are_up_to_date(name):
    assert pictures.built()[name] == build(name), "Run python -m games.help.eight_minute.build"


@for_each("slug", ["legends", "prototype", "classic"])
def test_a_picture_shows_nothing_outside_the_map(slug):
    turn = pictures.of_turn(slug)
    for cut in (turn.place, turn.move, turn.build, turn.board):
        left, top, width, height = map(float, cut.box.split())
        assert left >= 0 and left + width <= cut.width + 0.1 and top >= 0 and top + height <= cut.height + 0.1


def test_pictures_of_the_same_position_draw_it_once(come):
    page = text(come().get("/rules/legends/"))
    assert page.count('id="position-tokens"') == 1 and page.count('href="#position-tokens"') > 3


# The rules in one minute, and the button at the table


@pytest.mark.parametrize("slug", RULESETS)
def test_the_page_opens_with_the_goal_and_a_picture_for_each_idea_and_folds_the_rest(come, slug):
    page = text(come().get(f"/rules/{slug}/"))
    minute = page[page.index('id="minute"') : page.index('<nav class="rules-contents"')]
    ideas = minute.split('<li class="idea">')[1:]
    assert 'class="goal"' in minute and len(ideas) == 5
    assert all("<svg" in idea and "<h3>" in idea for idea in ideas)
    rest = page[page.index('<article class="prose rules">') :]
    assert '<details class="chapter">' in rest and "<details open" not in rest


@pytest.mark.parametrize("slug", EDITIONS)
def test_the_pictures_of_a_turn_show_the_regions_they_name(slug):
    turn = pictures.of_turn(slug)
    drawn = picture(pictures.position(turn.drawing.name).layout)
    for cut in (turn.place, turn.move, turn.build):
        left, top, width, height = map(float, cut.box.split())
        regions = [region for region in drawn.regions.values() if region.name in cut.label]
        assert regions and all(
            left < region.token[0] < left + width and top < region.token[1] < top + height for region in regions
        )


def rules_button(answer) -> str:
    return re.search(r'id="rules-now" href="([^"]+)"', text(answer))[1]


def test_the_rules_button_at_the_table_opens_at_what_is_due(come, alice, bob, anchors):
    game = table_of(alice, bob)
    table, reader = game.get_absolute_url(), come(alice)
    assert rules_button(reader.get(table)) == f"/rules/legends/?table={game.public_id}#bids"
    bid(game, 0, 1)
    assert rules_button(come(bob).get(table)).endswith("#bids")
    submit(game, 1, "first 0")
    assert rules_button(reader.get(table)).endswith("#turn")
    taken = some_turn(game)[1][0]
    laid_out = reader.post(f"{table}step", {"seq": again(game).seq, "action": taken}, follow=True)
    anchor = rules_button(laid_out).partition("#")[2]
    assert anchor in ("place", "move", "build", "destroy") and anchor in ids_on(come, anchors, "/rules/legends/")
    assert rules_button(come(bob).get(table)).endswith("#minute")
    back = text(reader.get(rules_button(laid_out)))
    assert f'<a href="{table}">Back to the table</a>' in back


@pytest.mark.parametrize("table", ["//evil.example", "a/b", "", "x" * 50, "javascript:"])
def test_the_way_back_leads_only_to_tables(come, table):
    assert "Back to the table" not in text(come().get("/rules/legends/", {"table": table}))


@pytest.mark.parametrize("slug", RULESETS)
def test_the_rules_button_knows_only_places_that_exist(come, anchors, slug):
    places = {"minute", *kingdoms_due.RULES.values()} if slug == "kingdoms" else {
        "minute", "setup", "bids", "turn", "place", "move", "build", "destroy"
    }  # fmt: skip
    assert places <= ids_on(come, anchors, f"/rules/{slug}/")


# Tips


def test_a_tip_is_a_button_that_opens_a_text_and_without_scripts_links_to_the_rules():
    drawn = tip(Context(), "legends", "token", "magic-book", 3)
    opens = re.search(r'<button[^>]*type="button" popovertarget="([^"]+)"[^>]*aria-label="About Magic Book"', drawn)
    assert opens and f'id="{opens[1]}" popover' in drawn
    assert "wins every tie" in drawn and 'class="tip-link" href="/rules/legends/#magic-book"' in drawn
    assert "onclick" not in drawn and " style=" not in drawn


def test_the_tip_of_a_good_on_the_map_names_that_good():
    assert glossary.find("classic", "token", "anvil") == glossary.find("classic", "good", "anvil")


def test_a_tip_escapes_the_words_it_is_attached_to():
    assert ">Dragon &lt;7&gt;</button>" in tip(Context(), "legends", "option", "dragon", "x", label="Dragon <7>")
    assert tip(Context(), "legends", "token", "no-such-thing", label="<b>") == "&lt;b&gt;"


def test_tips_have_unique_ids_on_a_page(come, alice):
    for slug in RULESETS:
        lobby.play_now(user=alice, ruleset=slug, options=RULESETS[slug].presets[-1].options)
        lobby.open_table(user=alice, ruleset=slug, listed=True, options=RULESETS[slug].presets[-1].options)
    addresses = re.findall(r'href="(/games/\w+/)"', text(come(alice).get("/desk/")))
    for address in ("/desk/", "/lobby/", "/lobby/open/", *addresses):
        tip_ids = re.findall(r'id="(tip-[^"]+)"', text(come(alice).get(address)))
        assert tip_ids and len(tip_ids) == len(set(tip_ids)), address


@pytest.mark.parametrize("slug", RULESETS)
def test_the_form_has_a_tip_for_every_option(come, slug):
    page = unescape(text(come().get("/lobby/open/", {"ruleset": slug, "players": "2"})))
    assert all(f'href="/rules/{slug}/#{glossary.anchor_of(option)}"' in page for option in ids(slug, "option"))
