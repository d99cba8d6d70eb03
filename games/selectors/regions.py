"""What the maps call the regions."""

from functools import cache

from games.boards.geometry import drawn, side_names


@cache
def _names() -> dict[str, str]:
    return {region.id: region.name for side in side_names() for region in drawn(side).regions}


def region_name(region: str) -> str:
    """The name on the map; the id itself where the map has none."""
    return _names().get(region, region)
