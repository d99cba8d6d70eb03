"""Posts to addresses that users entered: never into our own networks, and never for long."""

import socket
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from ipaddress import ip_address
from threading import Event

import pytest

from games.notices.delivery.channels import addresses, outgoing
from games.notices.delivery.channels.addresses import BadAddress, NoAnswer, NotTaken, is_public, read
from games.notices.delivery.channels.outgoing import Answer, post
from tests.each import for_each
from tests.notices.listening import listening
from tests.notices.tls import Reply, WebServer

PUBLIC, OTHER_PUBLIC = "93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"
HIDDEN = (
    "127.0.0.1", "127.8.9.10", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254",
    "192.0.0.8", "192.0.2.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "64:ff9b::a00:1", "64:ff9b:1::a00:1",
    "2002:7f00:1::", "2002:a00:1::", "2001:0:102:304::1", "2001:db8::1", "3fff::1", "fc00::1", "fd00:ec2::254",
    "fe80::1", "ff02::1", "fec0::1", "100::1",
)  # fmt: skip


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch):
    """Fake DNS: for each name a list of answers, one per look-up; the last one repeats."""
    answers: dict[str, list[list[str]]] = {}
    hosts: list[str] = []
    honest = socket.getaddrinfo

    def look_up(host, port, *args, **kwargs):
        if host not in answers:
            return honest(host, port, *args, **kwargs)
        hosts.append(host)
        answer = answers[host].pop(0) if len(answers[host]) > 1 else answers[host][0]
        return [entry for ip in answer for entry in honest(ip, port, type=socket.SOCK_STREAM)]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    answers["asked"] = hosts
    return answers


@for_each("ip", HIDDEN)
def test_addresses_outside_the_public_internet_are_not_public(ip: str) -> None:
    assert not is_public(ip_address(ip))


def test_public_addresses_are_public_through_nat64_too() -> None:
    assert all(is_public(ip_address(ip)) for ip in (PUBLIC, OTHER_PUBLIC, f"::ffff:{PUBLIC}", "64:ff9b::5db8:d70e"))


@for_each(
    "url, words",
    [
        ("http://example.org/", "https"),
        ("ftp://example.org/", "https"),
        ("//example.org/", "https"),
        ("https://user:secret@example.org/", "password"),
        ("https://example.org@10.0.0.1/", "password"),
        ("https://127.0.0.1/", "IP address"),
        ("https://[::1]/", "IP address"),
        ("https://2130706433/", "IP address"),
        ("https://0x7f000001/", "IP address"),
        ("https://0x7f.1/", "IP address"),
        ("https://0177.0.0.1/", "IP address"),
        ("https://127.1/", "IP address"),
        ("https://example.org./", "IP address"),
        ("https:///path", "IP address"),
        ("https://example.org:22/", "port"),
        ("https://example.org:99999/", "valid URL"),
        ("https://[::1/", "valid URL"),
        ("https://exa mple.org/", "valid URL"),
        ("https://example.org\\@10.0.0.1/", "valid URL"),
        ("https://example.org/\r\nX: y", "valid URL"),
        ("https://１２７.0.0.1/", "valid URL"),
        ("https://example.org/" + "x" * 1000, "valid URL"),
        ("", "valid URL"),
    ],
)
def test_a_bad_url_is_refused_with_a_reason(url: str, words: str) -> None:
    with listening() as heard, pytest.raises(BadAddress, match=words):
        post(url, b"secret", {})
    assert heard.machines == []


@pytest.mark.parametrize(
    "answer",
    [["127.0.0.1"], ["10.0.0.8"], ["169.254.169.254"], ["::1"], ["::ffff:10.0.0.8"], ["fe80::1"],
     [PUBLIC, "10.0.0.8"], [OTHER_PUBLIC, PUBLIC, "127.0.0.1"]],
)  # fmt: skip
def test_a_name_with_any_private_address_is_refused_and_nothing_is_sent(names, answer: list[str]) -> None:
    names["hooks.example.org"] = [answer]
    with listening() as heard, pytest.raises(BadAddress, match="on the public internet"):
        post("https://hooks.example.org/in", b"secret", {})
    assert heard.machines == []


def test_localhost_is_refused_by_name() -> None:
    with listening() as heard, pytest.raises(BadAddress, match="on the public internet"):
        post("https://localhost/", b"secret", {})
    assert heard.machines == []


def test_a_name_is_looked_up_once_so_a_changed_answer_has_no_effect(names) -> None:
    names["hooks.example.org"] = [[PUBLIC, OTHER_PUBLIC], ["127.0.0.1"]]
    with listening() as heard, pytest.raises(NoAnswer, match="refused the connection"):
        post("https://hooks.example.org/", b"secret", {})
    assert heard.machines == [PUBLIC, OTHER_PUBLIC]
    assert names["asked"] == ["hooks.example.org"]


def test_an_unknown_name_counts_as_no_answer(names, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: object, **kwargs: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(NoAnswer, match=r"find nowhere\.example on the public internet"):
        post("https://nowhere.example/", b"secret", {})


def test_the_sentence_does_not_tell_which_names_our_own_network_knows(names, monkeypatch: pytest.MonkeyPatch) -> None:
    names["redis"], sentences, quick = [["10.0.0.8"]], set(), socket.getaddrinfo

    def look_up(host, *args, **kwargs):
        if host == "unknown":
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return quick(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    for host in ("redis", "unknown"):
        with pytest.raises(NotTaken) as refusal:
            addresses.resolve(read(f"https://{host}/"))
        sentences.add(str(refusal.value).replace(host, "HOST"))
    assert len(sentences) == 1


def test_slow_name_servers_of_some_hosts_do_not_delay_others(names, monkeypatch: pytest.MonkeyPatch) -> None:
    is_over, quick = Event(), socket.getaddrinfo

    def look_up(host, *args, **kwargs):
        if host.endswith(".slow.example"):
            is_over.wait(20)
        return quick(host, *args, **kwargs)

    names["hooks.example.org"] = [[PUBLIC]]
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(addresses, "LOOK_UP", 0.02)
    for n in range(40):
        with pytest.raises(NoAnswer, match="on the public internet"):
            addresses.resolve(read(f"https://{n}.slow.example/"))
    monkeypatch.setattr(addresses, "LOOK_UP", 5)
    assert addresses.resolve(read("https://hooks.example.org/")) == [PUBLIC]
    is_over.set()


def test_a_post_arrives_unchanged_with_the_requested_host_name(web_server: WebServer, names, settings) -> None:
    names["hooks.test"] = [["127.0.0.1"], ["10.0.0.8"]]
    settings.OUTGOING_HOSTS = [f"hooks.test:{web_server.port}"]
    answer = post(web_server.url("/in?a=b", "hooks.test"), b"{}", {"Content-Type": "application/json"})
    [received] = web_server.posts
    assert answer.is_yes and answer.words == "ok"
    assert (received.path, received.body, received.headers["Host"]) == (
        "/in?a=b",
        b"{}",
        f"hooks.test:{web_server.port}",
    )
    assert web_server.asked_for == ["hooks.test"]


def test_an_allowed_machine_is_reached_only_at_its_listed_port(web_server: WebServer) -> None:
    assert read(web_server.url()).is_trusted
    with pytest.raises(BadAddress, match="port"):
        read(f"https://localhost:{web_server.port + 1}/")


def test_a_certificate_for_another_name_is_refused(web_server: WebServer, names, settings) -> None:
    names["other.test"] = [["127.0.0.1"]]
    settings.OUTGOING_HOSTS = [f"other.test:{web_server.port}"]
    with pytest.raises(NoAnswer, match="certificate"):
        post(web_server.url(host="other.test"), b"secret", {})
    assert web_server.posts == []


def test_an_untrusted_certificate_is_refused(web_server: WebServer, settings) -> None:
    settings.OUTGOING_CA = ""
    with pytest.raises(NoAnswer, match="certificate"):
        post(web_server.url(), b"secret", {})
    assert web_server.posts == []


def test_a_redirect_is_not_followed(web_server: WebServer) -> None:
    web_server.replies.append(Reply(307, headers={"Location": web_server.url("/elsewhere")}))
    answer = post(web_server.url(), b"secret", {})
    assert not answer.is_yes and "redirect" in answer.sentence
    assert [received.path for received in web_server.posts] == ["/"]


def test_a_server_that_trickles_its_answer_is_abandoned_when_time_is_up(
    web_server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "WHOLE", 0.5)
    web_server.replies.append(Reply(drips=0.05))
    begun = time.monotonic()
    with pytest.raises(NoAnswer, match="in time"):
        post(web_server.url(), b"secret", {})
    assert time.monotonic() - begun < 20, "the answer would trickle for a minute"


def test_a_server_that_announces_its_answer_without_end_is_abandoned_when_time_is_up(
    settings, certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "WHOLE", 0.5)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate[1])
    with socket.create_server(("127.0.0.1", 0)) as plain, ThreadPoolExecutor() as other_side:
        port = plain.getsockname()[1]
        settings.OUTGOING_HOSTS, settings.OUTGOING_CA = [f"localhost:{port}"], str(certificate[0])
        other_side.submit(announce, plain, tls)
        began = time.monotonic()
        with pytest.raises(NoAnswer, match="in time"):
            post(f"https://localhost:{port}/", b"secret", {})
        assert time.monotonic() - began < 3, "the announcements would go on for five seconds"


def announce(plain: socket.socket, tls: ssl.SSLContext) -> None:
    """Send `100 Continue` again and again, for five seconds or until the client has gone."""
    line, _address = plain.accept()
    until = time.monotonic() + 5
    with suppress(OSError), tls.wrap_socket(line, server_side=True) as safe:
        while time.monotonic() < until:
            safe.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)


def test_only_the_start_of_an_endless_answer_is_read(web_server: WebServer) -> None:
    web_server.replies.append(Reply(500, b"\x00no\n" + b"x" * 400, pours=1 << 30))
    answer = post(web_server.url(), b"secret", {})
    assert answer.is_for_now and answer.words.startswith("no") and len(answer.words) <= 200
    assert web_server.poured < 1 << 23


@for_each("status", [408, 425, 429, 500, 503, 599])
def test_answers_after_which_a_later_attempt_may_succeed(status: int) -> None:
    assert Answer(status).is_for_now and not Answer(status).is_gone


@for_each("status", [200, 301, 400, 401, 403, 404, 410, 413])
def test_answers_after_which_no_later_attempt_succeeds(status: int) -> None:
    assert not Answer(status).is_for_now and Answer(status).is_gone == (status in (404, 410))


def test_a_server_without_tls_is_refused(settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as plain, ThreadPoolExecutor() as other_side:
        port = plain.getsockname()[1]
        settings.OUTGOING_HOSTS = [f"localhost:{port}"]
        greeting = other_side.submit(greet, plain)
        with pytest.raises(NoAnswer, match="HTTPS"):
            post(f"https://localhost:{port}/", b"secret", {})
        assert b"secret" not in greeting.result()


def greet(plain: socket.socket) -> bytes:
    line, _address = plain.accept()
    with line:
        line.sendall(b"220 mail here\r\n")
        return line.recv(65536)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7), ("0.5", 0.5), ("-3", 0), ("99999999", 3600), ("1e20", 3600), ("-1e300", 0), ("9" * 300, 3600),
        ("Mon, 02 Mar 2026 09:00:40 GMT", 40),
    ],
)  # fmt: skip
def test_retry_after_is_parsed_and_limited(clock, header: str, seconds: float) -> None:
    assert outgoing.wait(header) == timedelta(seconds=seconds)


@pytest.mark.parametrize("header", ["nan", "inf", "soon", "", "Mon, 99 Mar", f"Mon, 02 Mar {'9' * 26} 09:00:40 GMT"])
def test_an_invalid_retry_after_is_ignored(header: str) -> None:
    assert outgoing.wait(header) is None
