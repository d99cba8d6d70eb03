"""The table page of the Eight-Minute family."""
