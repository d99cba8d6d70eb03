"""What messages about the Eight-Minute family say and show."""
