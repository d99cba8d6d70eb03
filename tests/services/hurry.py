"""What the processes of a hurried site do besides."""

from django.apps import AppConfig


class Hurry(AppConfig):
    name = "tests.services"
    label = "hurry"

    def ready(self) -> None:
        """Painting is most of the work of a mail, and goes by the pixel."""
        from games.notices.channels import email

        email.PICTURE_WIDTH = 120
