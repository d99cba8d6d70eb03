"""The channels: email, web push and webhooks, each a module with one outlet."""
