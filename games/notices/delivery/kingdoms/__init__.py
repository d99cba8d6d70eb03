"""What messages about Kingdoms say and show."""
