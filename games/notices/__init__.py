"""What people are told: services write rows (outbox), a worker turns them into mails (deliver, messages, channels)."""
