"""Names of regions and boards on the map."""

from functools import cache

from games.boards.eight_minute.geometry import drawn, side_names


@cache
def _names() -> dict[str, str]:
    sides = [drawn(side) for side in side_names()]
    return {side.side: side.title for side in sides} | {
        region.id: region.name for side in sides for region in side.regions
    }


def region_name(region: str) -> str:
    """Return the name of a region or board side; the id itself if it has none."""
    return _names().get(region, region)
