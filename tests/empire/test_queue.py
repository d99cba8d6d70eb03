"""The queue in a folder: many writers, and no reader ever gets half a message."""

import resource
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import Empty
from uuid import uuid4

import pytest
from django.conf import settings
from kombu import Connection, Exchange, Queue
from kombu.exceptions import ChannelError

from empire.celery import app
from empire.queue import Channel, Transport

MESSAGES = 800


@pytest.fixture
def folder(tmp_path: Path) -> dict[str, str]:
    for name in ("messages", "control"):
        (tmp_path / name).mkdir()
    messages = str(tmp_path / "messages")
    return {"data_folder_in": messages, "data_folder_out": messages, "control_folder": str(tmp_path / "control")}


def test_the_site_uses_this_transport():
    assert app.connection_for_write().get_transport_cls() is Transport


def write(folder: dict[str, str], writer: int) -> None:
    with Connection("filesystem://", transport_options=folder) as connection:
        for n in range(MESSAGES // 4):
            connection.default_channel._put("turns", {"writer": writer, "n": n, "filling": "x" * 400_000})


@pytest.mark.long
def test_a_reader_gets_every_message_of_four_writers_whole_and_once(folder):
    """With Kombu's own transport some messages arrive empty."""
    processes = get_context("spawn")
    writers = [processes.Process(target=write, args=(folder, writer)) for writer in range(4)]
    for writer in writers:
        writer.start()
    with Connection("filesystem://", transport_options=folder) as connection:
        read = [(message["writer"], message["n"]) for message in read_while(connection.default_channel, writers)]
    assert sorted(read) == [(writer, n) for writer in range(4) for n in range(MESSAGES // 4)]


def read_while(channel: Channel, writers: list[BaseProcess]) -> Iterator[dict]:
    """Yield messages until the writers have ended and the queue is empty."""
    while True:
        was_written = not any(writer.is_alive() for writer in writers)
        try:
            yield channel._get("turns")
        except Empty:
            if was_written:
                return


def test_a_message_that_is_still_being_written_is_not_read(folder):
    (Path(folder["data_folder_in"]) / "1_a.turns.msg.part").write_text("{")
    with Connection("filesystem://", transport_options=folder) as connection:
        queue = connection.SimpleQueue("turns")
        with pytest.raises(queue.Empty):
            queue.get(block=False)


@pytest.mark.long
@pytest.mark.parametrize("left_behind", [None, "", '[["turns'])
def test_queues_work_again_after_the_disk_was_full(folder, left_behind):
    """Test new queues, and queues whose file was cut off by another program."""
    name = f"turns-{uuid4().hex}"  # Kombu remembers names as long as the process runs
    exchange, (soft, hard) = Exchange(name), resource.getrlimit(resource.RLIMIT_FSIZE)
    queue = Queue(name, exchange, routing_key=name)
    with Connection("filesystem://", transport_options=folder) as connection:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
        try:
            queue(connection.default_channel).declare()
            with pytest.raises(ChannelError):
                connection.default_channel._put(name, {"n": 1})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(Path(folder["data_folder_in"]).iterdir()), "a partly written message was left"
    if left_behind is not None:
        (Path(folder["control_folder"]) / f"{name}.exchange").write_text(left_behind)
    with Connection("filesystem://", transport_options=folder) as connection:
        connection.Producer().publish({"n": 2}, exchange=exchange, routing_key=name, declare=[queue])
        assert list(take(connection, queue)) == [{"n": 2}]


def test_the_first_message_of_a_worker_can_come_on_a_full_disk(folder, monkeypatch):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Connection("filesystem://", transport_options=folder) as connection:
        channel = connection.default_channel
        channel._put("turns", {"n": 1})
        monkeypatch.setattr(tempfile, "tempdir", None)  # as in a new process
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
        try:
            assert channel._get("turns") == {"n": 1}
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_every_task_is_assigned_to_a_queue():
    own_tasks = [name for name in app.tasks if not name.startswith("celery.")]
    chosen = [task for tasks in settings.QUEUES.values() for task in tasks]
    assert sorted(chosen) == sorted(own_tasks)


def test_tasks_are_routed_to_their_queues_and_workers_serve_all_queues_by_default():
    queue_of = {name: app.amqp.router.route({}, name)["queue"].name for name in app.tasks if "celery." not in name}
    assert queue_of == {task: name for name, tasks in settings.QUEUES.items() for task in tasks}
    assert list(app.amqp.queues.consume_from) == list(settings.QUEUES)


def test_queues_in_one_folder_do_not_mix(folder):
    """Each message arrives once, in its own queue. Kombu remembers names as long as the process runs."""
    names = [f"{name}-{uuid4().hex}" for name in settings.QUEUES]
    queues = {name: Queue(name, Exchange(name), routing_key=name) for name in names}
    with (
        Connection("filesystem://", transport_options=folder) as connection,
        Connection("filesystem://", transport_options=folder) as other,
    ):
        for name, queue in queues.items():
            connection.Producer().publish({"for": name}, exchange=queue.exchange, routing_key=name, declare=[queue])
        messages = {name: list(take(other, queue)) for name, queue in queues.items()}
    assert messages == {name: [{"for": name}] for name in names}


def take(connection: Connection, queue: Queue) -> Iterator[dict]:
    waiting = connection.SimpleQueue(queue, no_ack=True)
    with suppress(waiting.Empty):
        while message := waiting.get(block=False):
            yield message.payload
