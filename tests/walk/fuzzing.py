"""What must hold for every random request: no server error, no leak, and no write that was not allowed."""

from tests.walk.visits import Answer, Visitors, door
from tests.walk.walking import BY_LOOKING, Looked, is_offered
from tests.walk.wire import Heard, Sent

WITHOUT_A_TOKEN = {"unsubscribe"}  # the signed address is the permission; mail programs post there themselves


def wrong_with(visitors: Visitors, looked: Looked, sent: Sent) -> list[str]:
    def follow(heard: Heard) -> list[str]:
        """After a write, also check the page that the answer redirects to."""
        if not heard.onward:
            return []
        page = visitors.ask(sent.who, "GET", heard.onward)
        return visitors.complaints(page._replace(sent=sent.text + page.sent))

    answer = visitors.send(sent, follow)
    return [*visitors.complaints(answer), *unallowed(visitors, looked, sent, answer)]


def unallowed(visitors: Visitors, looked: Looked, sent: Sent, answer: Answer) -> list[str]:
    more = answer.wrote - BY_LOOKING.get(door(sent.path)[0], set())
    if more and sent.method != "POST":
        return [f"{answer}: it is no POST, and it wrote {sorted(more)}"]
    if more and not sent.has_token and door(sent.path)[0] not in WITHOUT_A_TOKEN:
        return [f"{answer}: it came without a token, and it wrote {sorted(more)}"]
    if more and not is_offered(visitors, looked, sent.who, sent.path):
        return [f"{answer}: no page offers it, and it wrote {sorted(more)}"]
    return []
