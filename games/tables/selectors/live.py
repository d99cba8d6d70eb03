"""Queries of the live stream: `versions` runs once a second, the others when there is news for a reader."""

from collections.abc import Collection

from django.apps import apps


def versions(public_ids: Collection[str]) -> dict[str, tuple[int, dict[str, int]]]:
    """Return the version of each game, and the last message in each room of its chat; unknown games are left out."""
    games = apps.get_model("tables", "Game").objects.filter(public_id__in=public_ids)
    rows = games.values_list("public_id", "version", "last_messages")
    return {name: (version, messages) for name, version, messages in rows}


def followers(public_id: str) -> set[int]:
    """Return the users who may follow a private game: players, seat owners and people asked to stand in.

    Its opener may too before it starts. See `games.tables.selectors.rights`, which cannot be imported before the apps
    are loaded.
    """
    games = apps.get_model("tables", "Game").objects.filter(public_id=public_id)
    seats = games.values_list("seats__user", "seats__owner", "seats__asked")
    openers = games.filter(started_at=None).values_list("opener")
    return {person for row in (*seats, *openers) for person in row if person is not None}


def rooms(public_id: str, player: int) -> list[str]:
    """Return the rooms of the chat that this user hears as a player, none if they play no seat of the game now.

    See `games.tables.selectors.chat.rooms`.
    """
    seats = apps.get_model("tables", "Seat").objects.filter(game__public_id=public_id, user=player)
    return [room for number in seats.values_list("number", flat=True) for room in ("players", str(number))]
