"""The map maker's desk: turns the hand-placed drawings into the geometry that ships. Needs the `maps` extra; the site never imports it."""
