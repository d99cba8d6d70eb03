"""Emails of a site that sends none: they are stored as files, and the machine's owner reads them at /mail/."""

from datetime import timedelta
from email.mime.image import MIMEImage
from zoneinfo import ZoneInfo

import pytest
from django.core.mail import EmailMultiAlternatives, get_connection

from accounts.models import User

PICTURE = b"\x89PNG\r\n\x1a\n not really"


@pytest.fixture
def stored_email(settings):
    settings.DEBUG = True
    settings.EMAIL_BACKEND = "empire.emails.FolderBackend"
    email = EmailMultiAlternatives("Your turn", "Play at http://testserver/games/abc/", to=["alice@example.org"])
    email.attach_alternative(
        '<p style="color:red">Play <a href="http://testserver/">here</a><img src="cid:board@x"></p>', "text/html"
    )
    picture = MIMEImage(PICTURE, "png")
    picture.add_header("Content-ID", "<board@x>")
    email.attach(picture)
    assert get_connection().send_messages([email]) == 1


def test_the_list_shows_subject_and_recipient_newest_first(client, stored_email):
    get_connection().send_messages([EmailMultiAlternatives("Later", "text", to=["bob@example.org"])])
    page = client.get("/mail/").content.decode()
    assert page.index("Later") < page.index("Your turn")
    assert "alice@example.org" in page


@pytest.mark.django_db
def test_the_list_shows_times_in_the_readers_time_zone(client, alice, stored_email):
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Kathmandu")
    client.force_login(alice)
    page = client.get("/mail/")
    written = page.context["emails"][0].at
    assert written.utcoffset() == timedelta(0)
    assert f"{written.astimezone(ZoneInfo('Asia/Kathmandu')):%H:%M}</time>" in page.content.decode()


def name_of(client) -> str:
    return client.get("/mail/").context["emails"][-1].name


@pytest.mark.django_db
def test_an_email_shows_its_text_with_links_and_its_html_in_a_frame(client, stored_email):
    page = client.get(f"/mail/{name_of(client)}/").content.decode()
    assert '<a href="http://testserver/games/abc/"' in page
    assert "<dt>To</dt><dd>alice@example.org</dd>" in page and "MIME-Version" not in page
    assert "sandbox=" in page and f'src="/mail/{name_of(client)}/html/"' in page


def test_the_html_of_an_email_can_be_framed_by_the_site_and_runs_no_scripts(client, stored_email):
    answer = client.get(f"/mail/{name_of(client)}/html/")
    policy = answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in policy and "script-src 'none'" in policy
    assert '<base target="_top">' in answer.content.decode()


def test_inline_pictures_of_an_email_are_shown(client, stored_email):
    name = name_of(client)
    assert f"/mail/{name}/part/board@x/" in client.get(f"/mail/{name}/html/").content.decode()
    answer = client.get(f"/mail/{name}/part/board@x/")
    assert (answer.content, answer["Content-Type"]) == (PICTURE, "image/png")


@pytest.mark.django_db
def test_an_unknown_email_or_part_is_not_found(client, stored_email):
    assert client.get("/mail/nothing/").status_code == 404
    assert client.get(f"/mail/{name_of(client)}/part/nothing/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("tail", ["", "x/", "x/html/", "x/part/y/"])
def test_emails_are_not_served_on_a_server(client, stored_email, settings, tail):
    settings.DEBUG = False
    assert client.get(f"/mail/{tail.replace('x', name_or_x(settings))}").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("tail", ["", "x/", "x/html/", "x/part/board@x/"])
@pytest.mark.parametrize(
    "request_of_a_stranger",
    [
        {"REMOTE_ADDR": "192.168.1.7"},
        {"REMOTE_ADDR": "2001:db8::7"},
        {"REMOTE_ADDR": "::ffff:192.168.1.7"},
        {"REMOTE_ADDR": ""},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_X_FORWARDED_PROTO": "https"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_VIA": "1.1 proxy"},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
        {"HTTP_CF_CONNECTING_IP": "127.0.0.1"},
    ],
    ids=str,
)
@pytest.mark.sampled
def test_emails_are_not_served_to_other_machines_or_through_a_proxy(
    client, stored_email, settings, tail, request_of_a_stranger
):
    address = f"/mail/{tail.replace('x', name_or_x(settings), 1)}"
    assert client.get(address, headers={"host": "localhost"}, **request_of_a_stranger).status_code == 404
    assert client.get(address, headers={"host": "localhost"}).status_code == 200


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"])
def test_emails_are_served_at_every_local_address(client, stored_email, address):
    assert client.get("/mail/", REMOTE_ADDR=address).status_code == 200


def test_email_files_are_readable_only_by_their_owner(stored_email, settings):
    from pathlib import Path

    folder = Path(settings.EMAIL_FILE_PATH)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [file.stat().st_mode & 0o777 for file in folder.iterdir()] == [0o600]


def name_or_x(settings) -> str:
    from pathlib import Path

    return next(Path(settings.EMAIL_FILE_PATH).glob("*.eml")).stem
