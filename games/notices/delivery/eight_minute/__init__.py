"""The words and pictures of messages about the Eight-Minute family."""
