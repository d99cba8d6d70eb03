#!/usr/bin/env python3
"""Django's command line. A bad setting stops it with a sentence, and so does a database that cannot be used."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "empire.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"{error}")
    except DatabaseError as error:
        from empire.management import unusable_database

        if "--traceback" in sys.argv or not (sentence := unusable_database(error, sys.argv)):
            raise
        sys.exit(sentence)


if __name__ == "__main__":
    main()
