"""An example of an outside bot, as docs/bots.md describes them. It needs Python 3.11 and nothing else.

    python manage.py arena medium --bot "python docs/example_bot.py"       plays in the arena
    BOT_TOKEN=... python docs/example_bot.py https://play.example.org      plays on a site, until stopped

It takes the cheapest card, then steps at random, so there is room for you in `choose`.
"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import quote


def choose(shown, look):
    """Return a whole turn. `look(laid)` shows the position after the steps in `laid`."""
    laid = []
    while not shown["is_complete"]:
        steps = [step for step in shown["legal"] if step != "done"] or shown["legal"]
        laid.append(steps[0] if not laid else random.choice(steps))
        shown = look(laid)
    return laid


def play_by_lines():
    """Play in the arena: one line from the host, one or more in return."""

    def say(line):
        print(line, flush=True)

    def look(laid):
        say(f"try {'; '.join(laid)}")
        return json.loads(input().partition(" ")[2])

    while (line := input()) != "quit":
        word, _, rest = line.partition(" ")
        if word == "empire":
            say("ready")
        elif word == "view":
            shown = json.loads(rest)
        elif word == "go":
            say(f"turn {'; '.join(choose(shown, look))}")


def play_on(site, pause=10):
    """Play all games of the bot on a site, which is asked every `pause` seconds what waits for it."""

    def ask(path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {os.environ['BOT_TOKEN']}", "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(site + path, data, headers)) as answer:
            return json.load(answer)

    def take_turn(game):
        view = f"/api/bot/games/{game}/view"
        shown = ask(view)
        turn = choose(shown, lambda laid: ask(f"{view}?laid={quote('; '.join(laid))}"))
        ask(f"/api/bot/games/{game}/turn", {"seq": shown["seq"], "actions": turn})

    while True:
        try:
            for game in ask("/api/bot/games/")["waiting"]:
                take_turn(game)
        except urllib.error.HTTPError as refusal:  # perhaps the clock was quicker: look again
            print(refusal.code, refusal.read().decode(), file=sys.stderr)
        except OSError as error:  # the site is away for a moment
            print(error, file=sys.stderr)
        time.sleep(float(pause))


if __name__ == "__main__":
    play_on(*sys.argv[1:]) if len(sys.argv) > 1 else play_by_lines()
