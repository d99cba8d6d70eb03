"""The chat next to the board, and the rules that open at what is due."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP
from tests.browser.evening import Evening

pytestmark = [pytest.mark.browser, pytest.mark.site("browser")]


@pytest.mark.long
def test_the_chat_keeps_a_message_through_a_step_and_the_rules_open_at_what_is_due(sit_down):
    player = sit_down(viewport={**DESKTOP, "width": 1280})
    player.play_now()
    page, panel = player.page, player.page.locator("#chat-panel")
    expect(panel).to_be_visible()  # the script is ready
    assert panel.get_attribute("open") is None
    page.locator("#table a#chat-link").click()
    message = page.get_by_label("Your message")
    expect(message).to_be_focused()
    message.fill("Well met!")
    player.button("Send", exact=True).click()
    expect(panel.locator(".chat-message")).to_contain_text("Well met!")
    message.fill("A message that is not sent y")
    player.bid(0)
    page.evaluate("document.dispatchEvent(new CustomEvent('table:news', { detail: { version: 0 } }))")
    expect(message).to_have_value("A message that is not sent y")
    beside = panel.bounding_box(), page.locator("#table").bounding_box()
    assert beside[0]["x"] >= beside[1]["x"] + beside[1]["width"], "next to the board, not over it"

    page.locator("#rules-now").click()
    page.wait_for_url("**/rules/**")
    anchor = page.url.partition("#")[2]
    expect(page.locator(f"#{anchor}")).to_be_in_viewport()
    page.get_by_text("Back to the table").click()
    expect(page.locator("#table")).to_be_visible()


def open_to_friends(sit_down, **options) -> tuple[Evening, Evening]:
    """Return two guests, Alice on a wide desk and Bob on a phone, at a table that they have just filled."""
    alice, bob = sit_down(viewport={"width": 1920, "height": 900}, **options), sit_down(has_touch=True)
    alice.go("/lobby/open/?for=friends&players=2")
    alice.button("Open the table").click()
    bob.go(alice.page.locator("[id^=invite-]:read-only").input_value())
    bob.button("Join the game").click()
    for player in (alice, bob):
        expect(player.page.locator("#table")).to_be_visible()
    return alice, bob


def say(page: Page, words: str) -> None:
    page.get_by_label("Your message").fill(words)
    page.get_by_role("button", name="Send", exact=True).click()


@pytest.mark.long
def test_new_messages_appear_at_once_and_leave_the_place_and_the_draft_alone(sit_down):
    alice, bob = open_to_friends(sit_down)
    desk, phone = alice.page, bob.page
    lines, draft = desk.locator("#chat-panel .chat-message"), desk.get_by_label("Your message")
    expect(desk.locator("#chat-log")).to_have_attribute("role", "log")
    say(desk, "Well met!")
    expect(lines).to_have_count(1)
    # Folded on the phone: the number of new messages, and the page of the chat follows too
    expect(phone.locator("#chat-link")).to_contain_text("(1 new)")
    phone.locator("#chat-link").tap()
    expect(phone.locator(".chat-message")).to_have_count(1)
    for n in range(8):
        say(phone, f"Line {n}\n" * 4)
        expect(phone.locator(".chat-message")).to_have_count(n + 2)
    expect(lines).to_have_count(9)
    # Alice reads an old message and writes a new one while another comes
    draft.fill("I am not done yet")
    draft.evaluate("box => box.setSelectionRange(2, 4)")
    desk.locator(".chat-messages").evaluate("list => list.scrollTo(0, 20)")
    kept = desk.evaluate_handle("document.querySelector('.chat-message')")
    sizes: list[int] = []
    desk.on("response", lambda answer: "after=" in answer.url and sizes.append(len(answer.body())))
    say(phone, "And one more")
    expect(lines).to_have_count(10)
    expect(lines.last).to_contain_text("And one more")
    assert desk.locator(".chat-messages").evaluate("list => list.scrollTop") == 20
    assert draft.evaluate("box => [box.value, box.selectionStart, box.selectionEnd]") == ["I am not done yet", 2, 4]
    assert kept.evaluate("line => line.isConnected"), "only the new message is put in, so that only it is read out"
    assert max(sizes) < 3000  # all ten would be more than 8 KB
    # An answer comes to the page of the chat, and what is on it already does not come twice
    say(desk, "Done")
    expect(phone.locator(".chat-message").last).to_contain_text("Done")
    expect(phone.locator(".chat-message")).to_have_count(11)
    expect(lines).to_have_count(11)
    lines.first.scroll_into_view_if_needed()
    lines.nth(2).locator("summary").click()
    desk.get_by_role("button", name="Block Guest").click()
    expect(lines).to_have_count(2)


DEVICE = """
  window.done = [];
  class Sounds {
    currentTime = 0;
    createOscillator() { return { frequency: {}, connect: (to) => to, start: () => done.push("note"), stop() {} }; }
    createGain() {
      const gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
      return { gain, connect: (to) => to };
    }
    close() {}
  }
  window.AudioContext = Sounds;
  navigator.setAppBadge = async (count) => void done.push(`badge ${count}`);
  navigator.clearAppBadge = async () => void done.push("no badge");
  navigator.share = async ({ title, url }) => {
    if (window.refusal) throw new DOMException("", window.refusal);
    done.push(`share ${title} ${url}`);
  };
  const writeText = async (text) => (window.isLocked ? Promise.reject() : void done.push(`copy ${text}`));
  Object.defineProperty(navigator, "clipboard", { value: { writeText } });
  document.hasFocus = () => document.visibilityState === "visible";
"""
SEEN = """state => {
    Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def with_device(sit_down, **options) -> Evening:
    """Return a player whose browser writes down what it plays, shows, shares and copies."""
    player = sit_down(**options)
    player.page.add_init_script(DEVICE)
    return player


def done_with(page: Page, word: str) -> list[str]:
    return page.evaluate("word => done.filter(line => line.includes(word))", word)


def test_the_chat_keeps_the_focus_and_what_is_typed_in_its_other_form(sit_down):
    player = sit_down(viewport=DESKTOP)
    page = player.page
    player.play_now()
    player.go(f"{page.url}chat/")
    message, note, send = page.get_by_label("Your message"), page.locator("#own-note"), page.locator("#chat-send")
    page.get_by_text("Private note").click()
    note.fill("Attack in the north")
    message.fill("Good luck!")
    send.press("Enter")
    expect(page.locator(".chat-message")).to_have_count(1)
    expect(note).to_have_value("Attack in the north")
    expect(note).to_be_visible()
    expect(send).to_be_focused()
    message.fill("Well played")
    page.locator("#save-note").press("Enter")
    expect(note).to_have_text("Attack in the north")  # from the server
    expect(message).to_have_value("Well played")
    expect(page.locator("#save-note")).to_be_focused()
    page.get_by_text("Quick phrases").click()
    page.get_by_role("button", name="Hello, and have fun!").press("Enter")
    expect(page.locator(".chat-message")).to_have_count(2)
    expect(page.locator(".chat-messages")).to_be_focused()


@pytest.mark.long
def test_a_link_is_shared_or_copied_or_else_marked(sit_down):
    alice = with_device(sit_down)
    page = alice.page
    alice.go("/lobby/open/?for=friends&players=2")
    alice.button("Open the table").click()
    box, share, copy = page.get_by_label("Invitation link"), alice.button("Share"), page.locator("[data-copy]")
    link = box.input_value()
    share.click()
    assert done_with(page, "share") == [f"share Play a game with me {link}"]
    page.evaluate("window.refusal = 'AbortError'")  # the reader has closed the sheet
    share.click()
    assert done_with(page, "copy") == [] and copy.inner_text() == "Copy"
    page.evaluate("window.refusal = 'NotAllowedError'")
    share.click()
    expect(copy).to_have_text("Copied")
    assert done_with(page, "copy") == [f"copy {link}"]
    expect(copy).to_have_text("Copy")
    page.evaluate("window.isLocked = true")
    copy.click()
    assert box.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)") == link
    assert copy.inner_text() == "Copy"


@pytest.mark.long
def test_names_that_are_being_typed_stay_when_someone_joins(sit_down):
    alice, bob, carol = (sit_down(has_touch=True) for _person in range(3))
    alice.sign_up("Typist")
    alice.go("/lobby/open/?for=friends&players=3")
    alice.button("Open the table").click()
    page = alice.page
    link, names = page.get_by_label("Invitation link").input_value(), page.get_by_label("Invite by name")
    names.press_sequentially("Dora, Ru")
    for guest, free in ((bob, "1 seat is free."), (carol, None)):
        guest.go(link)
        guest.button("Join the game").click()
        if free:
            expect(page.get_by_text(free)).to_be_visible()
            expect(names).to_have_value("Dora, Ru")
            expect(names).to_be_focused()
            expect(page.locator(".seat-list > li")).to_have_count(3)
            expect(page.get_by_label("Invitation link")).to_have_count(1)
    expect(page.locator("#table")).to_be_visible()  # the game has begun


@pytest.mark.long
def test_a_guest_who_is_removed_from_a_private_table_goes_to_the_desk_and_reads_why(sit_down):
    alice, bob = sit_down(has_touch=True), sit_down(has_touch=True)
    alice.go("/lobby/open/?for=friends&players=3")
    alice.button("Open the table").click()
    bob.go(alice.page.locator("[id^=invite-]:read-only").input_value())
    bob.button("Join the game").click()
    expect(bob.page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    alice.page.locator("summary", has_text="Remove ").click()
    alice.page.locator(".remove .danger").click()
    bob.page.wait_for_url("**/desk/")
    expect(bob.page.get_by_text("has removed you from this table")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("is_phone", [False, True], ids=["desk", "phone"])
def test_a_hidden_page_announces_the_turn_as_the_settings_say(sit_down, is_phone):
    options = {"has_touch": True, "is_mobile": True} if is_phone else {"viewport": DESKTOP}
    player = with_device(sit_down, **options)
    page = player.page
    # The wishes of this device: no sound at first, and a number on the icon except on phones
    player.play_now()
    player.go("/accounts/notices/")
    sound, badge = page.locator("#turn-sound"), page.locator("#turn-badge")
    expect(sound).not_to_be_checked()
    expect(badge).to_be_checked(checked=not is_phone)
    assert done_with(page, "badge") == (["no badge"] if is_phone else ["badge 1"])
    sound.check()
    badge.set_checked(is_phone)
    assert done_with(page, "note") == ["note", "note"], "so that the reader knows how it sounds"
    assert done_with(page, "badge")[-1] == ("badge 1" if is_phone else "no badge")
    badge.check()
    # The page opens on the reader's turn, which is no news; after it the bot plays while the tab is hidden
    page.go_back()
    player.bid(12)
    player.start_myself()
    player.wait_for_a_decision()
    assert done_with(page, "note") == []
    page.evaluate(SEEN, "hidden")
    player.take_a_turn()
    expect(page).to_have_title(re.compile("^● "))
    assert done_with(page, "note") == ["note", "note"]
    assert done_with(page, "badge")[-1] == "badge 1"
    page.evaluate(SEEN, "visible")
    assert not page.title().startswith("●")
    # A page that the reader looks at is silent
    player.take_a_turn()
    player.wait_for_a_decision()
    assert done_with(page, "note") == ["note", "note"]
