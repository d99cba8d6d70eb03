"""What people are told: `services` write rows here (outbox), a worker turns them into mails (deliver, messages, channels)."""
