"""Files that can be made again: complete or not there, whatever happens to the process that writes or to the disk."""

import os
import re
import signal
import subprocess
import sys
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command

from empire import disk_cache
from empire.disk_cache import BLOCK, DAY, HOUR, DiskCache
from tests.running import FULL_DISK, ROOT, until

MEGABYTE = 1 << 20
NAMES = [sha256(bytes([n])).hexdigest() for n in range(40)]
# Writes files of 8 megabytes, each with a checksum, until it is killed
WRITER = """
import os, sys, zlib
from pathlib import Path
from empire.disk_cache import DiskCache
cache = DiskCache(Path(sys.argv[1]), 1 << 40)
for number in range(1 << 30):
    content = os.urandom(1 << 20) * 8
    cache.write(f"{number % 40:02}" + "0" * 30, zlib.crc32(content).to_bytes(4) + content)
"""
TWO_FILES = """
import sys
from pathlib import Path
from empire.disk_cache import DiskCache
cache = DiskCache(Path(sys.argv[1]), 1 << 20)
print(cache.write("ab" * 16, b"x" * 100), cache.write("cd" * 16, b"x" * 100), cache.read("ab" * 16))
"""


@pytest.fixture
def cache(tmp_path):
    return DiskCache(tmp_path / "cache", MEGABYTE)


def files(cache):
    return [path for path in cache.folder.rglob("*") if path.is_file()]


def test_what_one_process_writes_others_read(cache):
    assert cache.read(NAMES[0]) is None
    assert cache.write(NAMES[0], b"content")
    assert DiskCache(cache.folder, MEGABYTE).read(NAMES[0]) == b"content"
    assert cache.write(NAMES[0], b"other") and cache.read(NAMES[0]) == b"other"
    assert {path.stat().st_mode & 0o077 for path in cache.folder.rglob("*")} == {0}


def test_a_process_killed_while_it_writes_leaves_no_partial_file(tmp_path):
    remains = 0
    for _attempt in range(5):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], cwd=ROOT)
        try:
            assert until(lambda: any(tmp_path.rglob("*.part")))
        finally:
            writer.send_signal(signal.SIGKILL)
            writer.wait()
        remains += len(list(tmp_path.rglob("*.part")))
        for path in tmp_path.rglob("*"):
            if path.is_file() and path.suffix != ".part":
                content = path.read_bytes()
                assert int.from_bytes(content[:4]) == zlib.crc32(content[4:])
    assert remains, "no writer was killed while it wrote"


def test_remains_of_killed_processes_are_deleted_after_an_hour(cache):
    cache.write(NAMES[0], b"content")
    old, new = (cache.folder / NAMES[0][:2] / f"{name}.part" for name in ("old", "new"))
    for path in (old, new):
        path.touch()
    os.utime(old, (time.time() - HOUR - 1,) * 2)
    cache.sweep()
    assert sorted(files(cache)) == sorted([new, cache.folder / NAMES[0][:2] / NAMES[0]])


def test_the_folder_has_a_largest_size_and_files_used_last_stay(cache, monkeypatch):
    monkeypatch.setattr(disk_cache, "OFTEN", 10)
    cache.until_sweep = 10
    names = [sha256(str(n).encode()).hexdigest() for n in range(600)]
    for n, name in enumerate(names):
        cache.write(name, bytes(100))
        path = cache.folder / name[:2] / name
        if path.exists():
            os.utime(path, (time.time() - 10 * DAY + n,) * 2)
        assert cache.read(names[0]) is not None, "it was read again and again"
        if n % 50 == 0:
            assert BLOCK * len(files(cache)) <= MEGABYTE + 10 * BLOCK
    assert cache.read(names[1]) is None and cache.read(names[-1]) is not None
    assert 0.7 * MEGABYTE < cache.sweep() <= MEGABYTE


def test_processes_that_write_and_delete_at_the_same_time_do_not_disturb_each_other(tmp_path, monkeypatch):
    monkeypatch.setattr(disk_cache, "OFTEN", 5)
    caches = [DiskCache(tmp_path, 20 * BLOCK) for _ in range(4)]

    def work(cache):
        for n in range(200):
            assert cache.write(NAMES[n % 40], NAMES[n % 40].encode())
            assert cache.read(NAMES[-n % 40]) in (None, NAMES[-n % 40].encode())

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, caches))


def test_on_a_full_disk_nothing_is_written_and_what_is_there_is_read(tmp_path):
    command = ["bash", "-c", FULL_DISK, sys.executable, "-c", TWO_FILES, str(tmp_path)]
    DiskCache(tmp_path, MEGABYTE).write("ab" * 16, b"before")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert sorted(done.stdout.splitlines()) == [
        "False False b'before'",
        f"Nothing is kept in {tmp_path}: File too large",
    ]
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["ab" * 16]


def test_a_folder_that_cannot_be_made_is_reported_once(caplog):
    cache = DiskCache(settings.BASE_DIR / "manage.py" / "cache", MEGABYTE)
    assert not any(cache.write(name, b"content") for name in NAMES)
    assert cache.read(NAMES[0]) is None and cache.sweep() == 0
    assert len(caplog.records) == 1


@pytest.mark.long
@pytest.mark.usefixtures("small_pictures")
def test_the_command_makes_each_sprite_once():
    times_written = []
    for _time in range(2):
        output = StringIO()
        call_command("sprites", stdout=output)
        assert re.fullmatch(r"Drew [0-9]+ sprites\. \S+/sprites has [0-9]+ MB\.\n", output.getvalue())
        times_written.append({path: path.stat().st_mtime for path in (settings.VAR_DIR / "sprites").rglob("*")})
    assert times_written[0] == times_written[1]
