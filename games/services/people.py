"""What becomes of seats when people turn out to be somebody else."""

from django.apps import apps


def move_seats(*, giver: object, taker: object) -> int:
    """The taker sits where the giver sat, save at tables where both do. Returns how many seats moved."""
    seats = apps.get_model("games", "Seat").objects
    shared = seats.filter(user=taker).values("game")
    return int(seats.filter(user=giver).exclude(game__in=shared).update(user=taker))
