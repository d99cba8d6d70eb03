"""What the pages about people ask about their games."""

from django.apps import apps
from django.db.models import Exists, OuterRef


def seated() -> Exists:
    """A condition on users: somebody who sits, or sat, at a table."""
    return Exists(apps.get_model("games", "Seat").objects.filter(user=OuterRef("pk")))
