"""The page of a Kingdoms table: what it shows to whom, what it hides, and what it is made of."""

import gzip
import re

import pytest
from django.utils import timezone

from games.rules.kingdoms import events as e
from games.rules.kingdoms.deck import in_order
from games.rules.kingdoms.scoring import final
from games.rules.kingdoms.state import State
from games.rules.kingdoms.troops import twenty_ones
from games.tables.models import Game, Seat
from games.tables.pages.kingdoms.middle import scene, towers_before
from games.tables.pages.kingdoms.players import TIE_BREAKS
from games.tables.selectors.lines import LogLine
from games.tables.services import chat
from tests.cast import state_of, submit, table_of
from tests.rules.kingdoms.heroes import heroes
from tests.rules.kingdoms.positions import ALICE, BOB, CAROL, KINGDOMS, NAMES, position
from tests.web.kingdoms import AtKingdoms, did, headline, kingdoms_of, put
from tests.web.reading import actions, text, without_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(come, alice, bob, carol, eve):
    """A table of three at a position, seen from a seat; None is Eve, who watches."""
    people = {ALICE: alice, BOB: bob, CAROL: carol, None: eve}

    class Tables:
        def __init__(self) -> None:
            self.game: Game | None = None

        def __call__(self, state: State | None, seat: int | None = ALICE, **options: object) -> AtKingdoms:
            self.game = self.game or kingdoms_of(alice, bob, carol, **options)
            if state is not None:
                put(self.game, state)
            return AtKingdoms(come(people[seat]), self.game, seat)

    return Tables()


def large_hand() -> State:
    """Alice holds 42 cards, worth almost 300."""
    counts = {"A4": 8, "A5": 8, "A6": 6, "A7": 2, "S1": 4, "S2": 4, "S3": 4, "C9": 4, "E": 2}
    hand = " ".join(name for name, n in counts.items() for _copy in range(n))
    return position(hands={0: hand, 1: "A8 A8", 2: "A8"}, towers={1: "E Q"}, flop="C10 Q P A8", rulers="- - 0")


# My hand and its combinations


def test_a_large_hand_is_sorted_and_every_card_can_be_picked(at):
    table = at(large_hand())
    page = text(table.look())
    assert "My hand: 42 cards" in page and "short of 300" in page
    hand = state_of(table.game).hands[ALICE]
    assert [card for card in hand if f'value="{card}" id="pick-{card}"' not in page] == []
    assert re.findall(r"<legend>([A-Z][a-z ]+) <", page) == ["Kingdom", "Champions", "Attack", "Support"]


def test_two_players_learn_that_a_conquest_wins_when_the_next_turn_of_the_ruler_begins(come, alice, bob, eve):
    game = kingdoms_of(alice, bob)
    put(game, position(2, hands={ALICE: "A4 A5", BOB: "A6"}, rulers="1 -"))
    ruled = AtKingdoms(come(alice), game, ALICE).look()
    warning = "Bob rules you and wins when their next turn begins. To be free, attack Bob and win."
    assert text(ruled).count(warning) > 1  # the dock and the realm
    question = text(AtKingdoms(come(alice), game, ALICE).look("?then=end"))
    assert "You can still attack your ruler, who wins otherwise. End your turn anyway?" in question
    sentence = "You rule Alice and win when your next turn begins, unless Alice beats you in battle first."
    assert sentence in text(AtKingdoms(come(bob), game, BOB).look())
    assert "Bob wins when their next turn begins" in text(AtKingdoms(come(eve), game).look())
    free, last = {}, {"rulers": "1 -", "round": 3, "first": BOB, "options": {"mode": "quickplay"}}
    for no_threat in (free, last):  # in the last round, Bob has had his turn
        put(game, position(2, hands={ALICE: "A4 A5", BOB: "A6"}, **no_threat))
        assert "next turn begins" not in text(AtKingdoms(come(alice), game, ALICE).look())


def test_players_learn_how_to_show_other_cards_while_they_can(at):
    hand, sentence = "E E E E Q Q Q Q Q Q", "Choose cards worth at least 100 to show them instead."
    assert sentence in text(at(position(hands={0: hand})).look())
    assert sentence not in text(at(position(hands={0: hand}, active=BOB)).look())
    assert sentence not in text(at(position(hands={0: "E E E E"})).look())


def test_the_sort_order_of_the_hand_is_remembered(at):
    table = at(large_hand())
    assert re.findall(r"<legend>([A-Z][a-z]+) <", text(table.look("?sort=suit"))) == ["Sun", "Wave", "Pine", "Plum"]
    assert 'id="sort-suit"' in text(table.look())
    assert re.findall(r'aria-pressed="true">([^<]*)<', text(table.look())) == ["by suit"]
    assert table.look("?sort=nonsense").status_code == 200


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("A7 A7 A7", ["3 cards, worth 21", "troops totaling 21", "6 dots"]),
        ("A7 A7 A7 S3", ["4 cards, worth 24", "an Epic 21 totaling 24", "8 dots"]),
        ("dragon E", ["2 cards, worth 34", "34 under command", "4 dots"]),
        ("E E", ["2 cards, worth 42", "not valid troops", "8 dots"]),
        ("sun-C9 sun-C12", ["2 cards, worth 21", "troops totaling 21", "a Not-So-Secret set", "6 dots"]),
    ],
)
def test_the_page_describes_the_picked_cards(at, cards, words):
    table = at(position(hands={0: cards}))
    picked = "+".join(state_of(table.game).hands[ALICE])
    shown = re.search(r'id="picked">(.*?)<a', text(table.look(f"?c={picked}")), re.DOTALL)
    assert re.findall(r"<span>([^<]*)</span>", shown[1]) == words


def test_sentences_about_the_picked_cards_begin_with_capital_letters(at):
    table = at(position(hands={0: "A7 A7 A7"}))
    answer = table.look(f"?c={'+'.join(state_of(table.game).hands[ALICE])}", HX_Request="true", HX_Target="hand")
    announced = re.search(r'id="hand"[^>]*data-said="([^"]*)"', text(answer))[1]
    assert announced.startswith("3 cards, worth 21. Troops totaling 21. 6 dots.")


def test_selecting_a_card_after_a_step_does_not_announce_the_step_again(at):
    table = at(position(hands={0: "E A5"}))
    built = table.post("step", action=table.spelt("build E"))
    announcement = re.compile(r'id="hand"[^>]*data-said="([^"]*)"')
    assert announcement.search(text(built))[1].startswith("Build ")
    card = next(card for card in state_of(table.game).hands[ALICE] if "attack" in card)
    answer = table.look(f"?c={card}", HX_Request="true", HX_Target="hand")
    assert announcement.search(text(answer))[1].startswith("1 card, worth 5.")


def test_a_tap_on_a_card_requests_only_the_dock(at):
    table = at(large_hand())
    card = state_of(table.game).hands[ALICE][0]
    answer = table.look(f"?c={card}", HX_Request="true", HX_Target="hand")
    assert text(answer).strip().startswith("<section") and "1 card, worth" in text(answer)
    assert len(answer.content) < 4000


def test_a_card_of_the_flop_offers_the_cheapest_ways_to_pay_and_to_burn_it(at):
    table = at(position(hands={0: "A4 A5 C9 E"}, flop="Q A5 A6"))
    queen = next(card for card in state_of(table.game).flop if "queen" in card)
    offered = actions(table.look(f"?c={queen}"))
    assert [action.split(" ")[0] for action in offered] == ["buy", "buy", "buy", "burn", "build", "end"]
    assert offered[0] == table.spelt("buy A4+C9 for Q")


def test_the_helper_picks_each_way_to_21_with_one_tap(at):
    table = at(large_hand())
    ways = len(twenty_ones(state_of(table.game).hands[ALICE]))
    page = text(table.look("?all=21"))
    listed = re.search(r'id="ways-21".*?</ul>', page, re.DOTALL)[0]
    assert listed.count("<li>") == ways
    query = re.search(r'href="(\?c=[^"#]*)#hand"', listed)[1]
    assert "worth 21" in text(table.look(query))


def test_castles_that_can_be_attacked_are_links_that_keep_the_picked_cards(at):
    table = at(position(hands={0: "A4 A5", 1: "A6"}, rulers="- - 0"))
    card = table.spelt("build A4").split(" ")[1]
    page = text(table.look(f"?c={card}"))
    assert page.count(f'href="?c={card}&amp;s=1#hand"') == 2 and "s=2" not in page
    aimed = table.look(f"?c={card}&s=1")
    assert [action for action in actions(aimed) if action.startswith("attack")] == [f"attack 1 with {card}"]


def test_no_card_of_the_flop_can_be_picked_by_a_player_who_defends(at):
    table = at(position(hands={0: "A4", 1: "A5 A6"}, flop="C9"))
    ware, *_others = state_of(table.game).flop
    did(table.game, ALICE, "attack 1 with A4")
    page = at(None, BOB).look(f"?c={'+'.join(state_of(table.game).hands[BOB])}+{ware}")
    assert "2 cards, worth 11" in text(page) and "Defend with these" in text(page) and "Buy" not in text(page)


def test_while_others_act_cards_can_be_picked_but_nothing_pressed(at):
    table = at(position(hands={0: "A4", 1: "A5 A6"}), BOB)
    cards = "+".join(state_of(table.game).hands[BOB])
    page = table.look(f"?c={cards}")
    assert "2 cards, worth 11" in text(page) and actions(page) == []


# The table


def test_everyone_can_read_the_burn_pile(at):
    at(position(flop="C9", burn="sun-E sun-A4 sun-A4 dragon"))
    page = text(at(None, None).look())
    assert "Show the Burn pile" in page and "Sun Archer ×2" in page and "Sun Emperor" in page and "Dragon" in page


def test_defenders_see_their_cards_first_and_everyone_else_the_battle(at):
    table = at(position(hands={ALICE: "sun-A4 A5", BOB: "C9 A8"}))
    submit(table.game, ALICE, table.spelt("attack 1 with sun-A4"))
    order = {seat: re.findall(r'id="(battle|cards|realm)"', text(at(None, seat).look())) for seat in (ALICE, BOB)}
    assert order == {ALICE: ["battle", "realm", "cards"], BOB: ["cards", "battle", "realm"]}


def test_the_last_battle_stays_visible_with_all_cards_played(at):
    table = at(position(hands={0: "dragon A4", 1: "A6"}, towers={1: "E"}))
    did(table.game, ALICE, "attack 1 with dragon")
    before = text(at(None, None).look())
    assert "Dragon" not in before and "Alice attacks Bob" in before
    did(table.game, BOB, "defend A6")
    page = text(at(None, CAROL).look())
    assert "Last battle: Alice attacks Bob" in page and "Dragon" in page and "Alice – Dragon" in page
    assert "Alice wins, 13 to 6." in page and "The Emperor Tower is at stake" in page
    assert "Bob loses Sun Emperor." in page


def test_the_towers_at_the_time_of_a_battle_come_from_the_log():
    emperor, queen, prince = "sun-kingdom-emperor-1", "sun-kingdom-queen-1", "sun-kingdom-prince-1"
    later = (e.TowerBuilt(1, emperor), e.TowerBuilt(1, queen), e.TowerPickedUp(1, queen), e.TowerBuilt(0, prince))
    assert towers_before((emperor,), 1, later) == ()
    assert towers_before((), 1, (e.TowerLost(1, emperor),)) == (emperor,)
    stolen = e.TowerStolen(0, (), 1, emperor, (queen, prince), "hand")
    assert towers_before((), 1, (stolen,)) == (emperor, queen, prince)
    assert towers_before((), 1, (e.EpicMoved(0, "epic-dragon", (1,), emperor),)) == (emperor,)


def test_the_scene_has_every_wave_of_a_tied_battle():
    waves = [e.TroopsRevealed((0, 1), (heroes("A7"), heroes("A7")), 7, 7)]
    waves.append(e.TroopsRevealed((0, 1), (heroes("A8"), ()), 8, 0))
    events = (e.AttackDeclared(0, 1, 1), *waves, e.BattleEnded(0, 1, 0, (), ()))
    line = LogLine(3, timezone.now(), 1, "seat", (), True, (), (), events)
    battle = scene(KINGDOMS.view(position(), None), [line], NAMES, {3})
    assert battle is not None and battle.is_new
    assert "Wave 1" in battle.picture and "Alice wins, 8 to 0." in battle.picture


def test_a_table_without_a_battle_has_no_scene(at):
    assert 'id="battle"' not in text(at(position()).look())


def test_every_seat_is_described_in_words(at):
    state = position(hands={1: "E E E E E"}, towers={1: "E Q"}, rulers="1 - -", truces=[2])
    page = text(at(state).look())
    assert "ruled by Bob" in page and "rules Alice" in page and "Towers: Emperor and Queen" in page
    assert "worth 100 or more" in page and "under a Truce" in page


@pytest.mark.parametrize("won_by", ["empire", "conquest", "value", "showdown", "quickplay"])
def test_at_the_end_all_hands_are_open_in_order_of_place(at, won_by):
    state = position(hands={0: "A4", 1: "sun-C9 A5", 2: "A6"}, towers={1: "E"})
    state.result, state.won_by = final(state, [BOB]), won_by
    page = text(at(state, CAROL).look())
    assert headline(at(None, CAROL).look()).startswith("Bob won: ")
    assert re.findall(r"(\w+)’s hand", page) == ["Bob", "Carol", "Alice"]
    assert "2 cards, worth 14" in page and "Sun Captain" in page and 'id="cards"' not in page


def test_every_tie_break_of_the_rules_has_a_text():
    sheets = [final(position(), [ALICE]), final(position(), [ALICE, BOB])]
    assert {score.tie_break for sheet in sheets for score in sheet.seats} <= {None, *TIE_BREAKS}


def test_every_table_links_to_its_chat_and_counts_new_messages(come, alice, bob):
    for game in (kingdoms_of(alice, bob), table_of(alice, bob)):
        assert 'id="chat-link">Chat' in text(come(bob).get(game.get_absolute_url()))
        chat.say(public_id=game.public_id, user=alice, text="Good luck")
        assert "(1 new)" in text(come(bob).get(game.get_absolute_url()))
    assert "write to each other in private" not in text(come(bob).get(game.get_absolute_url()))
    collusion = kingdoms_of(alice, bob, collusion=True)
    assert "write to each other in private" in text(come(bob).get(collusion.get_absolute_url()))


def test_only_i_see_my_standing_orders(at):
    assert "My standing orders" in text(at(position()).look()) and "Ask me" in text(at(None).look())
    assert "standing orders" not in text(at(None, None).look())


# What must stay hidden


def swapped(state: State, seat: int, in_hand: str, in_deck: str) -> State:
    """The same position, with a card of a hand and one of the Draw deck swapped."""
    copy = state.copy()
    copy.hands[seat] = in_order(in_deck if card == in_hand else card for card in state.hands[seat])
    copy.deck = [*in_order(in_hand if card == in_deck else card for card in state.deck)]
    return copy


@pytest.mark.parametrize("reader", [BOB, None], ids=["another player", "a watcher"])
def test_a_hidden_card_makes_no_difference_to_the_pages_of_others(at, reader):
    first = position(hands={0: "sun-A4 A5", 1: "C9"})
    in_hand, in_deck = first.hands[ALICE][0], next(card for card in first.deck if "plum-champion-12" in card)
    at(first, reader).look()
    before = without_token(at(first, reader).look())
    assert without_token(at(swapped(first, ALICE, in_hand, in_deck), reader).look()) == before


@pytest.mark.parametrize("reader", [BOB, None], ids=["the one attacked", "a watcher"])
def test_committed_troops_make_no_difference_before_they_are_revealed(at, reader):
    pages = []
    for laid in ("sun-A4", "plum-C12"):
        table = at(position(hands={0: "sun-A4 plum-C12", 1: "C9"}))
        state, action = state_of(table.game), KINGDOMS.parse(table.spelt(f"attack 1 with {laid}"))
        for event in KINGDOMS.decide(state, ALICE, action, None):
            KINGDOMS.evolve(state, event)
        at(state, reader).look()
        pages.append(without_token(at(state, reader).look()))
    assert pages[0] == pages[1]


def test_troops_are_no_news_to_the_players_who_laid_them(at):
    table = at(position(hands={ALICE: "sun-A4 A5", BOB: "C9 A8"}, deck="A5 A6 A7 C9 C9 A8"))
    submit(table.game, ALICE, table.spelt("attack 1 with sun-A4"))
    submit(table.game, BOB, at(None, BOB).spelt("defend C9"))
    for player in (ALICE, BOB):  # whose attack is over, and whose turn begins
        assert "Nobody else can see this." not in text(at(None, player).look())


def test_only_two_players_know_a_blind_pick(at):
    table = at(position(hands={0: "A4", 1: "oracle"}, rulers="- 0 -"))
    submit(table.game, ALICE, "blind-pick 1")
    assert "Oracle" in text(at(None, ALICE).look()) and "Oracle" in text(at(None, BOB).look())
    for reader in (CAROL, None):
        assert "Oracle" not in text(at(None, reader).look())
        assert "Oracle" not in text(at(None, reader).look("?log=all"))
        assert "Oracle" not in text(at(None, reader).look(f"?at={table.game.seq + 1}"))


def test_nobody_else_sees_a_draft(at):
    table = at(position(hands={0: "E A4", 1: "A5"}))
    at(None, BOB).look()
    before = without_token(at(None, BOB).look())
    table.post("step", action=table.spelt("build E"))
    assert without_token(at(None, BOB).look()) == before


def test_only_the_spy_sees_the_hand_spied_on(at):
    table = at(position(hands={0: "A4 spymaster", 1: "A5 oracle"}))
    did(table.game, ALICE, "boss spymaster 1")
    assert "Oracle" in text(at(None, ALICE).look())
    for reader in (CAROL, None):
        assert "Oracle" not in text(at(None, reader).look())


def test_spectators_and_past_positions_get_nothing_to_press(at):
    table = at(position(hands={0: "E A4"}))
    assert actions(at(None, None).look()) == [] and 'type="checkbox"' not in text(at(None, None).look())
    past = table.look("?at=0")
    assert past.status_code == 200 and actions(past) == [] and 'id="hand"' not in text(past)


# What the page is made of


def test_the_page_is_small_and_needs_few_queries_late_in_a_game(at, django_assert_max_num_queries):
    """Eight queries for the table, two for the session and its user, and one for the header."""
    table = at(large_hand())
    Seat.objects.filter(game=table.game, number=ALICE).update(seen_seq=0)
    table.look()
    with django_assert_max_num_queries(8 + 3):
        page = table.look()
    assert len(gzip.compress(page.content)) < 60_000


def test_ids_are_unique_and_the_page_has_nothing_inline(at):
    table = at(large_hand())
    card = state_of(table.game).flop[0]
    for query in ("", f"?c={card}", "?all=21", "?s=1", "?sort=value", "?at=0"):
        page = text(table.look(query))
        ids = re.findall(r'\sid="([^"]+)"', page)
        assert sorted({element_id for element_id in ids if ids.count(element_id) > 1}) == []
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:", page)


def test_nonsense_in_the_address_picks_nothing(at):
    table = at(position(hands={0: "A4"}))
    for query in ("?c=%3Cscript%3E", "?s=77&s=x", "?c=" + "x" * 500, "?sort=%7F", "?all=no", "?then=boss"):
        page = table.look(query)
        assert page.status_code == 200 and 'id="picked"' not in text(page) and "<script>" not in text(page)


def test_the_cards_are_fetched_once_and_cached(at, client):
    address = re.search(r'href="(/boards/kingdoms/[^"#]+)#', text(at(position()).look()))[1]
    answer = client.get(address)
    assert answer["Content-Type"] == "image/svg+xml" and "immutable" in answer["Cache-Control"]
    assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304
