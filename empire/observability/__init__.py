"""What tells the operators how the site is: logs, metrics, health checks and error reports."""
