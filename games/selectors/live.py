"""What open pages ask once a second."""

from collections.abc import Collection

from django.apps import apps


def versions(public_ids: Collection[str]) -> dict[str, int]:
    """The version of each of these games; games that are not there are left out."""
    games = apps.get_model("games", "Game").objects.filter(public_id__in=public_ids)
    return dict(games.values_list("public_id", "version"))
