"""The table page of Kingdoms."""
