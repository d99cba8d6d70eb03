"""Time zones by name: those that clocks can run in."""

from games.clocks.zones import zone_names

__all__ = ["zone_names"]
