"""How allauth treats our people: a guest who signs up stays the same person, and one who signs in brings the games."""

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib import messages
from django.core.mail import EmailMessage
from django.forms import Form
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts import services
from accounts.middleware import guessed_time_zone
from accounts.models import User
from games.services.people import rename_seats


class Adapter(DefaultAccountAdapter):
    def new_user(self, request: HttpRequest) -> User:
        return getattr(request, "guest", None) or User(time_zone=guessed_time_zone(request))

    def save_user(self, request: HttpRequest, user: User, form: Form, commit: bool = True) -> User:
        user.is_guest = False
        user = super().save_user(request, user, form, commit)
        rename_seats(user=user)
        return user

    def login(self, request: HttpRequest, user: User) -> None:
        guest = getattr(request, "guest", None)
        super().login(request, user)
        if guest is not None and guest.pk != user.pk:
            self.welcome_back(request, guest, user)

    def welcome_back(self, request: HttpRequest, guest: User, user: User) -> None:
        if services.bring_games(guest=guest, user=user):
            messages.info(request, _("The games that you began as %(name)s are yours now.") % {"name": guest.username})

    def render_mail(self, *args: object, **kwargs: object) -> EmailMessage:
        mail = super().render_mail(*args, **kwargs)
        mail.extra_headers.setdefault("Auto-Submitted", "auto-generated")
        return mail
