"""What open pages ask once a second."""

from collections.abc import Collection

from django.apps import apps


def versions(public_ids: Collection[str]) -> dict[str, int]:
    """The version of each of these games; games that are not there are left out."""
    games = apps.get_model("tables", "Game").objects.filter(public_id__in=public_ids)
    return dict(games.values_list("public_id", "version"))


def hearing(public_id: str) -> set[int]:
    """The people who may hear of a private game: those who opened it, sit there, own a seat or are asked to play one.

    See `games.tables.selectors.rights`, which cannot be loaded before the apps are.
    """
    games = apps.get_model("tables", "Game").objects.filter(public_id=public_id)
    rows = games.values_list("opener", "seats__user", "seats__owner", "seats__asked")
    return {person for row in rows for person in row if person is not None}
