"""Drafts: steps of a turn that nobody else sees and that can be undone until they are submitted."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext

from games.errors import Final, NotFound, NotYours, Over, Stale
from games.tables.models import Draft, Game, Seat
from games.tables.selectors import position
from games.tables.services.commit import walked


def lay_out(*, game: Game | str, seat: int, actions: Sequence[str], expected_seq: int) -> Draft:
    """Replace the seat's draft. If the rules refuse a step, raise and keep the old draft."""
    with transaction.atomic():
        board, mine = _need_turn(game, seat, expected_seq)
        _check(board, mine, actions)
        return _keep(mine, expected_seq, actions)


def add_step(*, game: Game | str, seat: int, action: str, expected_seq: int) -> Draft:
    """Add a step to the draft."""
    with transaction.atomic():
        board, mine = _need_turn(game, seat, expected_seq)
        actions = [*_laid_out(mine, expected_seq), action]
        _check(board, mine, actions)
        return _keep(mine, expected_seq, actions)


def undo(*, game: Game | str, seat: int, expected_seq: int, everything: bool = False) -> Draft:
    """Undo the last step of the draft, or everything."""
    with transaction.atomic():
        _board, mine = _need_turn(game, seat, expected_seq)
        return _keep(mine, expected_seq, [] if everything else _laid_out(mine, expected_seq)[:-1])


def _need_turn(game: Game | str, seat: int, expected_seq: int) -> tuple[Game, Seat]:
    """Return the game and the seat, with its row locked so that two devices of one player do not race."""
    which = {"public_id": game} if isinstance(game, str) else {"pk": game.pk}
    mine = Seat.objects.select_for_update().filter(game__in=Game.objects.filter(**which), number=seat).first()
    if mine is None:
        raise NotFound
    board = Game.objects.select_related("snapshot").get(pk=mine.game_id)
    if not board.is_running:
        raise Over(gettext("The game has not started.") if board.is_open else gettext("The game is over."))
    if expected_seq != board.seq:
        raise Stale
    if not (mine.owes or board.sealed):
        raise NotYours(gettext("It’s not your turn."))
    return board, mine


def _check(game: Game, seat: Seat, actions: Sequence[str]) -> None:
    """Check the steps without chance. Raises `GameError`, or `Final` if the last step needs chance."""
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    state = position.current(game, seats, getattr(game, "snapshot", None))
    if walked(game.rules, state, seat.number, actions).needs_chance:
        raise Final


def _laid_out(seat: Seat, seq: int) -> list[str]:
    draft = Draft.objects.filter(seat=seat, sealed=False, seq=seq).first()
    return list(draft.actions) if draft else []


def _keep(seat: Seat, seq: int, actions: Sequence[str]) -> Draft:
    kept = {"seq": seq, "actions": list(actions)}
    return Draft.objects.update_or_create(seat=seat, sealed=False, defaults=kept)[0]
