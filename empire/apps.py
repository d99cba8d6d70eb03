from django.apps import AppConfig


class EmpireConfig(AppConfig):
    name = "empire"

    def ready(self) -> None:
        from empire import checks  # noqa: F401 # registers them
