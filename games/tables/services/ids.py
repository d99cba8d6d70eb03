"""New games with unique public ids."""

from typing import Any

from django.db import IntegrityError, transaction

from games.tables.models import Game
from games.tables.models.game import new_public_id


def new_game(**fields: Any) -> Game:
    """Create a game with these fields. If the random id is taken, try another."""
    while True:
        public_id = new_public_id()
        try:
            with transaction.atomic():
                return Game.objects.create(public_id=public_id, **fields)
        except IntegrityError:
            if not Game.objects.filter(public_id=public_id).exists():
                raise
