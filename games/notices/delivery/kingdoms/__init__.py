"""The words and pictures of messages about Kingdoms."""
