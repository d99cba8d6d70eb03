"""The database refuses to change or delete entries of the log."""

from django.db import migrations

from games.models import insert_only


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.RunPython(
            lambda apps, editor: insert_only.forbid(editor.connection),
            lambda apps, editor: insert_only.allow(editor.connection),
        )
    ]
