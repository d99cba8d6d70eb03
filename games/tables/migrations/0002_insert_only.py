"""The database refuses to change or delete entries of the log."""

from django.db import migrations

from empire import insert_only


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_initial")]

    operations = [
        migrations.RunPython(
            lambda apps, editor: insert_only.forbid(editor.connection, "tables_entry"),
            lambda apps, editor: insert_only.allow(editor.connection, "tables_entry"),
        )
    ]
