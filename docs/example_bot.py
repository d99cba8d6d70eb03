"""An example of an outside bot: it takes the cheapest card, then steps at random. docs/bots.md says how to start it."""

import json
import os
import random
import sys
import time
from urllib.parse import quote
from urllib.request import Request, urlopen


def choose(shown, look):
    """Return a whole turn. `look(laid)` shows the position after the steps in `laid`."""
    laid = []
    while not shown["is_complete"]:
        steps = [step for step in shown["legal"] if step != "done"] or shown["legal"]
        laid.append(random.choice(steps) if laid else steps[0])
        shown = look(laid)
    return laid


def play_in_the_arena():
    def look(laid):
        print("try", "; ".join(laid), flush=True)
        return json.loads(input().partition(" ")[2])

    while (line := input()) != "quit":
        word, _, rest = line.partition(" ")
        if word == "empire":
            print("ready", flush=True)
        elif word == "view":
            shown = json.loads(rest)
        elif word == "go":
            print("turn", "; ".join(choose(shown, look)), flush=True)


def play_on_a_site(site, pause=10):
    """Ask the site every `pause` seconds what waits for the bot, and play it."""

    def ask(path, body=None):
        headers = {"Authorization": f"Bearer {os.environ['BOT_TOKEN']}", "Content-Type": "application/json"}
        url, data = f"{site}/api/bot/games/{path}", body and json.dumps(body).encode()
        return json.load(urlopen(Request(url, data, headers), timeout=60))

    while True:
        try:
            waiting = ask("")["waiting"]
            for game in random.sample(waiting, len(waiting)):  # so that no game that fails stops the others for long
                shown = ask(f"{game}/view")
                turn = choose(shown, lambda laid, game=game: ask(f"{game}/view?laid={quote('; '.join(laid))}"))
                ask(f"{game}/turn", {"seq": shown["seq"], "actions": turn})
        except (OSError, ValueError) as error:  # a refusal, perhaps as the clock was quicker, or no connection
            print(error, error.read().decode() if hasattr(error, "read") else "", file=sys.stderr)
        time.sleep(float(pause))


if __name__ == "__main__":  # with the address of a site it plays there, without one in the arena
    play_on_a_site(*sys.argv[1:]) if len(sys.argv) > 1 else play_in_the_arena()
