"""`python -m games.help.eight_minute.build` plays and draws the positions of the rules pages again.

Medium plays them the same way every time. Run it after a change of the drawings, the bots or `pictures.PLAYS`.
"""

import os

import django
import msgspec
from django.apps import apps

from games.boards.eight_minute.pieces import NO_MARKS, Marks, pieces
from games.bots.bot import play_turn
from games.bots.registry import BOTS
from games.rules.fairness import Quick
from games.rules.play import apply, begin
from games.rules.protocol import SeatInfo
from games.rules.registry import get

if not apps.ready:  # as a program, not in a test
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")
    django.setup()

from games.help.eight_minute.pictures import BUILT, PLAYS, Built, changes_of_turn


def build(name: str) -> Built:
    """Play up to a position, and draw it as spectators see it."""
    play = PLAYS[name]
    rules, chance, seats = get(play.ruleset), Quick(play.seed), [SeatInfo(bot=True)] * play.players
    options = rules.options(dict(play.options), play.players)
    state, _events = begin(rules, options, seats, chance)
    turns = play.turns and play.turns + play.players + 1  # the bids and the choice of first player come first
    for _turn in range(turns):
        seat = rules.to_act(state)[0]
        texts = play_turn(rules, rules.view(state, seat), BOTS["medium"], chance)
        apply(rules, state, seat, map(rules.parse, texts), chance)
    view = rules.view(state, None)
    marks = Marks(changes=changes_of_turn(view)) if name.startswith("turn-") else NO_MARKS
    return Built(view, pieces(view, marks) if play.turns else "")


def main() -> None:
    lines = [f'"{name}":{msgspec.json.encode(build(name)).decode()}' for name in PLAYS]
    BUILT.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{BUILT.name}: {BUILT.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
