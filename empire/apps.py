from django.apps import AppConfig


class EmpireConfig(AppConfig):
    name = "empire"
