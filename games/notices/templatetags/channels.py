from django import template

from accounts.models import User
from games.notices.delivery.targets import Channels, channels_of

register = template.Library()


@register.simple_tag
def your_channels(user: User) -> Channels:
    return channels_of(user)
