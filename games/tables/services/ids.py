"""New games under ids that no other game has."""

from typing import Any

from django.db import IntegrityError, transaction

from games.tables.models import Game
from games.tables.models.game import new_public_id


def new_game(**fields: Any) -> Game:
    """A game with these fields, written. Where two drew the same id at one moment the second draws another."""
    while True:
        public_id = new_public_id()
        try:
            with transaction.atomic():
                return Game.objects.create(public_id=public_id, **fields)
        except IntegrityError:
            if not Game.objects.filter(public_id=public_id).exists():
                raise
