"""An email server in a container: `mailbox.py FOLDER` writes each email to a file there."""

import secrets
import sys
from pathlib import Path

from smtp import MailServer


class Mailbox(MailServer):
    folder = Path(sys.argv[-1])

    def take(self, began: float, email: bytes) -> None:
        name = secrets.token_hex(8)
        (self.folder / f"{name}.part").write_bytes(email)
        (self.folder / f"{name}.part").rename(self.folder / f"{name}.eml")


if __name__ == "__main__":
    Mailbox(2525, host="0.0.0.0").serve_forever()
