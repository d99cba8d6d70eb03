"""What is promised of random requests, whoever sends them: no error of ours, no leak, no write that was not allowed."""

from tests.walk.visits import Answer, Visitors, door
from tests.walk.walking import BY_LOOKING, Looked
from tests.walk.wire import Heard, Sent

WITHOUT_A_TOKEN = {"unsubscribe"}  # the signed address is the right to do it; mail programs post there by themselves


def wrong_with(visitors: Visitors, looked: Looked, sent: Sent) -> list[str]:
    def follow(heard: Heard) -> list[str]:
        """Where something was done, the page that shows it is looked at too."""
        if not heard.onward:
            return []
        page = visitors.ask(sent.who, "GET", heard.onward)
        return visitors.complaints(page._replace(known=sent.text + page.known))

    answer = visitors.send(sent, follow)
    return [*visitors.complaints(answer), *unallowed(visitors, looked, sent, answer)]


def unallowed(visitors: Visitors, looked: Looked, sent: Sent, answer: Answer) -> list[str]:
    more = answer.wrote - BY_LOOKING.get(door(sent.path)[0], set())
    if more and sent.method != "POST":
        return [f"{answer}: it is not posted, and it wrote {sorted(more)}"]
    if more and not sent.has_token and door(sent.path)[0] not in WITHOUT_A_TOKEN:
        return [f"{answer}: it came without a token, and it wrote {sorted(more)}"]
    if more and not is_offered(visitors, looked, sent):
        return [f"{answer}: no page offers it, and it wrote {sorted(more)}"]
    return []


def is_offered(visitors: Visitors, looked: Looked, sent: Sent) -> bool:
    """Whether a page does: one that was looked at before, or that page itself and those above it."""
    parts = sent.path.split("/")
    above = ["/".join(parts[:n]) + "/" for n in range(len(parts) - 1, 1, -1)]
    for page in (sent.path, *above):
        if looked.may(sent.who, sent.path):
            return True
        looked.note(visitors.ask(sent.who, "GET", page))
    return looked.may(sent.who, sent.path)
