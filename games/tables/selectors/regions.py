"""What the maps call the regions, and the boards."""

from functools import cache

from games.boards.eight_minute.geometry import drawn, side_names


@cache
def _names() -> dict[str, str]:
    sides = [drawn(side) for side in side_names()]
    return {side.side: side.title for side in sides} | {
        region.id: region.name for side in sides for region in side.regions
    }


def region_name(region: str) -> str:
    """The name on the map, of a side of a board as of a region; the id itself where the map has none."""
    return _names().get(region, region)
