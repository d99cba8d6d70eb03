"""A template tag with the reader's devices and webhooks."""

from dataclasses import dataclass

from django import template

from accounts.models import User
from games.notices.delivery.channels import push
from games.notices.models import Device, Hook

register = template.Library()


@dataclass(frozen=True)
class Channels:
    """A person's devices and webhooks. `push_key` is empty if this site cannot send push notifications."""

    devices: list[Device]
    hooks: list[Hook]
    push_key: str


@register.simple_tag
def your_channels(user: User) -> Channels:
    return Channels(
        devices=list(Device.objects.filter(user=user).order_by("added_at")),
        hooks=list(Hook.objects.filter(user=user).order_by("added_at")),
        push_key=push.public_key() if push.is_possible() else "",
    )
