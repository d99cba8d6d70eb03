"""Interventions by staff in games of tests."""

import pytest

from accounts.models import User
from games.errors import GameError
from games.rules.fairness import Quick
from games.tables.models import Entry, Game, Replacement
from games.tables.selectors.table import table
from games.tables.services import interventions as intervene
from tests.cast import again, everything_written, in_turns, person, play_turns, state_of
from tests.kept import copied
from tests.tables.kingdoms import go_on, owing

WHY = "The mail was down."


def going_on(*people: User) -> Game:
    """Return a game after some turns: it is the first player's turn, with 24 hours left."""

    def play() -> Game:
        return play_turns(in_turns(*people, clock="move 1d"), len(people))

    return copied("going on", people, play=play)


def chief() -> User:
    """Return the member of staff who intervenes and plays nowhere."""
    return User.objects.filter(username="Harbourmaster").first() or person("Harbourmaster", is_staff=True)


def replace(game: Game, seat: int = 0, name: str = "", *, reason: str = WHY, seq: int | None = None) -> Game:
    """Let a bot take over the seat, or ask a person by this name to do so."""
    expected = seq_of(game, seq)
    return intervene.replace(game=game, seat=seat, name=name, reason=reason, expected_seq=expected, by=chief())


def take_over(game: Game, seat: int, person: User) -> Game:
    """Ask the person to take over the seat, and accept for them."""
    replace(game, seat, person.username)
    return intervene.accept(pk=Replacement.objects.get(user=person, answer="asked").pk, user=person)


def give(game: Game, seat: int | None = None, hours: int = 24, *, reason: str = WHY, seq: int | None = None) -> Game:
    return intervene.give_time(
        game=game, seat=seat, hours=hours, reason=reason, expected_seq=seq_of(game, seq), by=chief()
    )


def end(game: Game, *, reason: str = WHY, seq: int | None = None) -> Game:
    return intervene.end(game=game, reason=reason, expected_seq=seq_of(game, seq), by=chief())


def void(game: Game, *, reason: str = WHY, seq: int | None = None) -> Game:
    return intervene.void(game=game, reason=reason, expected_seq=seq_of(game, seq), by=chief())


INTERVENTIONS = [replace, give, end, void]


def seq_of(game: Game, seq: int | None) -> int:
    return again(game).seq if seq is None else seq


def last(game: Game) -> Entry:
    return Entry.objects.filter(game=game).latest("seq")


def intervention_sentences(game: Game) -> list[str]:
    """Return the first sentence of each intervention that a spectator sees in the log."""
    return [line.sentences[0] for line in table(public_id=game.public_id, user=None).log if line.by_staff]


def refusal(intervention, game: Game, *args: object, **more: object) -> str:
    """Return the sentence of the refusal, after checking that nothing was written."""
    before = everything_written(game)
    with pytest.raises(GameError) as refused:
        intervention(game, *args, **more)
    assert everything_written(game) == before
    return str(refused.value)


def attack(game: Game) -> int:
    """Play on until a seat is attacked and must choose how to defend. Return that seat."""
    chance = Quick(5)
    while not game.rules.is_reply(state_of(game)):
        go_on(game, chance)
    return owing(game)[0]
