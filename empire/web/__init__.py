"""What answers browsers around the games: middleware, limits, error pages, static files and the live stream."""
