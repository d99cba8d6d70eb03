from django.db.backends.postgresql import base

from empire.postgresql import around_commits


class DatabaseWrapper(base.DatabaseWrapper):
    def commit(self) -> None:
        with around_commits.get()():
            super().commit()
