"""The map builder: converts hand-made drawings into the stored geometry. It needs `maps`; the site never imports it."""
