"""The map maker's desk: turns drawings by hand into the geometry that ships.

It needs the `maps` extra, and the site never imports it.
"""
