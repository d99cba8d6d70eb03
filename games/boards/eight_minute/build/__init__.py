"""The map builder: converts hand-made drawings into the stored geometry.

Needs the `maps` extra; the site never imports it.
"""
