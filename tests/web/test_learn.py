"""Learning by playing: the page of lessons, and a lesson from its first sentence to the first real game."""

import re
from html import unescape

import pytest
from django.urls import reverse

from accounts.models import User
from games.tables.lessons import LESSONS, kingdoms
from games.tables.lessons.eight_minute import TURNS
from games.tables.lessons.kingdoms import STEPS
from games.tables.models import Draft, Entry, Game
from games.tables.services import lessons, lobby
from tests.cast import again, in_turns, seats_of, state_of, submit, table_of
from tests.web.at_table import WITH_AND_WITHOUT_SCRIPT, AtTable
from tests.web.reading import actions, alert, controls, text, whole_turn

pytestmark = pytest.mark.django_db


# Where the learner's armies start
STARTS = {"legends": "i2", "prototype": "m4", "classic": "a12"}


@pytest.mark.sampled
@pytest.mark.parametrize("slug", TURNS)
@WITH_AND_WITHOUT_SCRIPT
def test_a_guest_learns_a_game_in_six_turns_and_goes_on_to_a_real_one(come, htmx, slug):
    browser = come()
    assert f'action="/learn/{slug}/begin"' in text(browser.get("/learn/"))
    browser.post(f"/learn/{slug}/begin")
    game = Game.objects.get()
    if htmx:
        browser.defaults["HTTP_HX_REQUEST"] = "true"
    table = AtTable(browser, game)
    for number, turn in enumerate(TURNS[slug], 1):
        page = text(table.look())
        assert f"{number} of 6" in page and turn.take in page and "Take this" in page
        assert turn.use in unescape(text(table.press("step", action=f"take {turn.card}")))
        used = actions(table.look(f"?region={STARTS[slug]}"))
        step = next(action for action in used if action.partition(" ")[0] in ("place", "move", "build"))
        table.press("step", action=step)
        page = text(table.press("submit", action=whole_turn(table.look()), sure="1"))
    # The result, and what comes next
    assert "Lesson complete" in page and 'id="result"' in page and again(game).is_finished
    assert "Check this game" in text(table.look()) and "problem" not in text(browser.get(f"{table.url}verify/"))
    answer = browser.post(f"/learn/{slug}/play", follow=True)
    assert "Place bid" not in text(answer) and Game.objects.filter(lesson="").get().is_running


@pytest.mark.parametrize("slug", TURNS)
def test_the_cards_of_a_lesson_do_and_cost_what_its_sentences_say(alice, slug):
    game = lessons.begin(user=alice, slug=slug)
    for turn in TURNS[slug]:
        offers = {offer.card: offer.price for offer in game.rules.view(state_of(game), 0).row}
        assert offers[turn.card] in ((1,) if "It costs 1 coin." in turn.take else (0, 1))
        card = state_of(game).rules.cards[turn.card]
        for word, kind in (("Place", "place"), ("Move", "move"), ("Build", "build"), ("estroy", "destroy")):
            assert word not in turn.use or any(part.kind == kind for part in card.parts), turn
        assert ("ship" in turn.take) <= any(part.ship for part in card.parts)
        submit(game, 0, f"take {turn.card}", "done")
        game = again(game)
    assert len(state_of(game).owned[1]) == 5, "the teacher could take each of its cards"


@WITH_AND_WITHOUT_SCRIPT
def test_another_legal_card_is_refused_with_the_sentence_and_the_draft_is_kept(sit, alice, htmx):
    game = lessons.begin(user=alice, slug="legends")
    table = sit(alice, game, htmx=htmx)
    refused = table.press("step", action="take forest-gnome")
    assert alert(refused) == "Not in this lesson. Take the Ancient Tree Spirit."
    assert not Draft.objects.exists() and "1 of 6" in text(refused)
    table.press("step", action="take ancient-tree-spirit")
    table.press("step", action="place i2")
    assert alert(table.press("submit", action="take forest-gnome;done")) == alert(refused)
    assert Draft.objects.get().actions == ["take ancient-tree-spirit", "place i2"] and again(game).seq == game.seq


def test_a_lesson_is_resumed_skipped_and_repeated(come, alice):
    browser = come(alice)
    browser.post("/learn/legends/begin")
    game = Game.objects.get()
    assert f'href="{game.get_absolute_url()}" id="go-on-legends"' in text(browser.get("/learn/"))
    assert "Continue the lesson" in text(browser.get("/desk/"))
    assert browser.post("/learn/legends/begin")["Location"] == game.get_absolute_url()
    assert browser.post("/learn/legends/skip")["Location"] == "/learn/"
    assert again(game).is_void and "Continue the lesson" not in text(browser.get("/desk/"))
    assert "Lesson skipped" in text(browser.get(game.get_absolute_url()))
    assert browser.post("/learn/legends/begin")["Location"] != game.get_absolute_url()


def test_a_lesson_leads_back_to_the_invitation_or_table_that_offered_it(come, alice, bob):
    waiting = lobby.open_table(user=alice, players=2)
    invitation, browser = f"/join/{waiting.invite_token}/", come()
    back = re.search(r'name="back" value="([^"]*)"', text(browser.get(invitation)))[1]
    game = begun_from(browser, back)
    assert browser.post("/learn/legends/skip")["Location"] == invitation
    over = text(browser.get(game))
    assert f'href="{invitation}" id="lesson-back"' in over and "Back to the invitation" in over
    begun_from(browser, re.search(r'name="back" value="([^"]*)"', over)[1])  # repeated
    assert browser.post("/learn/legends/skip")["Location"] == invitation
    assert 'id="lesson-back"' not in text(browser.get(game)), "another lesson was begun from there since"
    assert browser.post("/learn/kingdoms/begin", {"back": invitation}).status_code == 302
    begun_from(browser, "")
    assert browser.post("/learn/kingdoms/skip")["Location"] == "/learn/"
    at_table = lobby.play_now(user=bob, ruleset="legends", bots=["random"]).get_absolute_url()
    assert f'name="back" value="{at_table}"' in text(come(bob).get(at_table))
    too_long = f"/join/{'x' * 500_000}/"  # which would stay in the session
    for elsewhere in ("", "//example.org/join/x/", "https://example.org/join/x/", "/accounts/logout/", too_long):
        begun_from(browser, elsewhere)
        assert browser.post("/learn/legends/skip")["Location"] == "/learn/"


def begun_from(browser, back: str) -> str:
    """Begin a lesson from that page. Return its address."""
    return browser.post("/learn/legends/begin", {"back": back})["Location"]


def test_only_the_learner_sees_a_lesson(come, alice, bob):
    url = lessons.begin(user=alice, slug="legends").get_absolute_url()
    assert come(bob).get(url).status_code == come().get(url).status_code == 404
    come(bob).post("/learn/legends/skip")
    assert Game.objects.get().is_running and not Game.objects.filter(opener=bob).exists()


def test_a_lesson_has_no_page_for_handing_its_seat_over(come, alice):
    game = lessons.begin(user=alice, slug="legends")
    assert come(alice).get(f"{game.get_absolute_url()}seat/").status_code == 404
    lessons.skip(user=alice, slug="legends")
    assert come(alice).get(f"{game.get_absolute_url()}seat/").status_code == 404


def test_visitors_create_nothing_by_looking_or_skipping(come):
    page = text(come().get("/learn/"))
    assert all(f'action="/learn/{slug}/begin"' in page for slug in LESSONS)
    assert 'action="/learn/legends/begin"' in text(come().get("/"))
    come().post("/learn/legends/skip")
    assert not User.objects.exists() and come().post("/learn/chess/begin").status_code == 404
    assert come().get("/learn/legends/begin").status_code == 405


@pytest.mark.parametrize("slug", LESSONS)
def test_tables_offer_the_lesson_to_players_who_have_taken_few_turns(sit, come, alice, slug):
    offer = f'action="{reverse("learn_begin", args=[slug])}"'
    waiting = lobby.open_table(user=alice, ruleset=slug, players=2)
    assert offer in text(come().get(f"/join/{waiting.invite_token}/"))
    table = sit(alice, lobby.play_now(user=alice, ruleset=slug, bots=["random"]))
    assert offer in text(table.look()) and offer in text(sit(alice, waiting).look())
    User.objects.filter(pk=alice.pk).update(punctuality="1" * 10)
    assert offer not in text(sit(User.objects.get(pk=alice.pk), table.game).look())


@pytest.mark.parametrize(
    ("slug", "aim"),
    [
        ("legends", "keep the power at the top. The player"),
        ("classic", "keep the good at the top. The player"),
        ("kingdoms", "You win with all four"),
    ],
)
def test_first_turns_tell_newcomers_how_to_win(sit, alice, bob, slug, aim):
    people = (alice, bob)
    game = in_turns(*people, ruleset=slug) if slug != "kingdoms" else table_of(*people, ruleset=slug)
    mover = next(seat.number for seat in seats_of(game) if seat.owes)
    shown = text(sit(people[mover], game).look())
    assert aim in shown or "If you build a Tower first" in shown  # which is more urgent, with the cards for it
    User.objects.filter(pk=people[mover].pk).update(punctuality="1" * 10)
    assert aim not in text(sit(User.objects.get(pk=people[mover].pk), game).look())


def test_opponents_see_no_trace_of_the_lesson_in_lists(come, alice, bob):
    game = lessons.begin(user=alice, slug="legends")
    for entry in ("/lobby/", alice.get_absolute_url(), "/history/"):
        assert game.public_id not in text(come(bob).get(entry, follow=True))
    assert Entry.objects.filter(game=game).count() == 4


@pytest.mark.sampled
@WITH_AND_WITHOUT_SCRIPT
def test_kingdoms_is_learned_in_nine_steps_with_a_purchase_a_defence_and_a_battle(sit, alice, htmx):
    game = lessons.begin(user=alice, slug="kingdoms")
    table = sit(alice, game, htmx=htmx)
    for number, step in enumerate(STEPS, 1):
        page = text(table.look())
        assert f"{number} of 9" in page and step.todo in unescape(page) and step.why in unescape(page)
        assert page.count('class="pointer"') == len(step.marked)
        # The chosen cards offer the action, as the page submits or lays it out
        offer = table.look("?" + "&".join(f"c={card}" for card in step.marked))
        buttons = [
            control for control in controls(offer) if control.get("name") == "action" and control.get("id") != "confirm"
        ]
        pressed = next(button for button in buttons if button["value"].split(";")[-1] == step.action)
        main = [button for button in buttons if "primary" in button["class"].split()]
        assert main == [pressed], "the button that the step asks for, and no other, is the main one"
        table.press("submit" if pressed.get("formaction") else "step", action=pressed["value"])
        if "Press Confirm." in (laid := text(table.look())):
            assert f"{number} of 9" in laid
            table.press("submit", action=whole_turn(table.look()), sure="1")
    page = text(table.look())
    assert "Lesson complete" in page and "standing orders" in page and "You rule the teacher" in page
    assert again(game).is_finished and "since your last visit" not in page


def test_another_purchase_is_refused_and_what_was_laid_out_is_kept(sit, alice):
    table = sit(alice, lessons.begin(user=alice, slug="kingdoms"))
    table.press("submit", action="draw")
    refused = table.press("step", action="buy plum-attack-6-1 for sun-attack-6-1")
    assert alert(refused).startswith("Not in this lesson. Buy the Emperor")
    table.press("step", action=STEPS[1].action)
    assert alert(table.press("step", action="end")).startswith("Not in this lesson. Build the Emperor")
    assert Draft.objects.get().actions == [STEPS[1].action]


@WITH_AND_WITHOUT_SCRIPT
def test_a_running_lesson_that_the_site_no_longer_has_gets_a_sentence_and_a_way_on(sit, alice, htmx, monkeypatch):
    game = lessons.begin(user=alice, slug="legends")
    table = sit(alice, game, htmx=htmx)
    table.press("step", action="take ancient-tree-spirit")
    monkeypatch.delitem(LESSONS, "legends")
    page = text(table.look())
    assert "This lesson no longer exists." in page and "Choose another lesson" in page
    for form, action in (("step", "place i2"), ("submit", "take ancient-tree-spirit;done")):
        message = alert(table.press(form, action=action))
        assert message.startswith("This lesson no longer exists, so you can’t continue it.")
    assert again(game).is_running and Draft.objects.get().actions == ["take ancient-tree-spirit"], "nothing is lost"
    assert table.browser.get("/desk/").status_code == table.browser.get("/learn/").status_code == 200
    assert table.browser.post("/learn/legends/skip").url == "/learn/"
    assert again(game).is_void and "The lesson is over." in text(table.look())
    assert table.browser.post("/learn/legends/skip").status_code == 404


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_that_has_become_shorter_ends(come, alice, slug, monkeypatch):
    """A new version of the site has fewer steps than the learner has already done."""
    game = lessons.begin(user=alice, slug=slug)
    browser = AtTable(come(alice), game)
    if slug in TURNS:
        browser.press("step", action=f"take {TURNS[slug][0].card}")
        browser.press("submit", action=whole_turn(browser.look(f"?region={STARTS[slug]}")), sure="1")
        monkeypatch.setitem(TURNS, slug, ())
    else:
        monkeypatch.setattr(kingdoms, "STEPS", ())
    assert "Lesson complete" in text(browser.look())


def test_a_lesson_shows_nothing_that_a_learner_need_not_read(come, sit, alice):
    """No chat, no list of what happened, no request to sign up, and a turn is sent without a wait."""
    browser = come()
    browser.post("/learn/legends/begin")
    table, real = AtTable(browser, Game.objects.get()), sit(alice, lobby.first_game(user=alice, ruleset="legends"))
    table.press("step", action="take ancient-tree-spirit")
    table.press("submit", action=whole_turn(table.look("?region=i2")), sure="1")
    page, other = text(table.look()), text(real.look())
    for part in ('id="chat-link"', 'id="chat-panel"', 'id="sending" data-hold'):
        assert part in other and part not in page, part
    for part in ('class="guest-bar"', 'id="since"', "Nothing is final"):
        assert part not in page, part
    assert 'class="guest-bar"' in text(browser.get("/learn/"))


@pytest.mark.parametrize(("slug", "most"), [("legends", 170), ("prototype", 200), ("classic", 200), ("kingdoms", 150)])
def test_the_text_of_a_lesson_is_short(slug, most):
    turns = [(turn.take, turn.aim, turn.use, turn.why) for turn in TURNS.get(slug, ())]
    steps = turns if slug in TURNS else [(step.todo, step.why) for step in STEPS]
    whole_text = " ".join([*(sentence for step in steps for sentence in step), LESSONS[slug].end])
    assert len(whole_text.split()) <= most
