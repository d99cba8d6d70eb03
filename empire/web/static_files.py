"""Static files of a server, with cached URLs, because a page uses a hundred of them."""

from functools import cached_property

from whitenoise.storage import CompressedManifestStaticFilesStorage


class KnownStaticFiles(CompressedManifestStaticFilesStorage):
    @cached_property
    def addresses(self) -> dict[str, str]:
        return {}

    def url(self, name: str, force: bool = False) -> str:
        if name not in self.addresses:
            self.addresses[name] = super().url(name, force)
        return self.addresses[name]
