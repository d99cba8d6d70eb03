"""Notices: services write rows (outbox), and workers send them (deliver, messages, channels)."""
