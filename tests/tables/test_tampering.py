"""Every change of a record is found, and a changed record is never imported."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django.utils import translation
from django.utils.translation import gettext

from games.rules import record as records
from games.rules.record import Record
from games.tables.services import records as services
from tests.tables.refusal import refused, with_new_digests

pytestmark = pytest.mark.django_db


def change_action(plain: dict[str, Any]) -> None:
    plain["entries"][-2]["actions"] = ["done"]


def change_event(plain: dict[str, Any]) -> None:
    take = next(event for entry in plain["entries"] for event in entry["events"] if event["kind"] == "take")
    take["price"] += 1


def change_moment(plain: dict[str, Any]) -> None:
    moment = plain["entries"][3]["at"]
    plain["entries"][3]["at"] = moment[:-2] + ("2Z" if moment.endswith("1Z") else "1Z")


def change_who(plain: dict[str, Any]) -> None:
    plain["entries"][-1]["seat"] = 1 - plain["entries"][-1]["seat"]


def change_by(plain: dict[str, Any]) -> None:
    plain["entries"][-1]["by"] = "clock"


def change_draw(plain: dict[str, Any]) -> None:
    draws = [event for entry in plain["entries"] for event in entry["events"] if event["kind"] == "draw"]
    draws[0]["card"], draws[1]["card"] = draws[1]["card"], draws[0]["card"]


def drop_an_entry(plain: dict[str, Any]) -> None:
    del plain["entries"][4]


def drop_the_last_entry(plain: dict[str, Any]) -> None:
    plain["entries"].pop()


def swap_entries(plain: dict[str, Any]) -> None:
    plain["entries"][4], plain["entries"][5] = plain["entries"][5], plain["entries"][4]


def change_seed(plain: dict[str, Any]) -> None:
    plain["seed"] = "0" * 64


def drop_seed(plain: dict[str, Any]) -> None:
    plain["seed"] = None


def change_points(plain: dict[str, Any]) -> None:
    plain["scoresheet"]["seats"][0]["total"] += 1


def change_place(plain: dict[str, Any]) -> None:
    for seat in plain["scoresheet"]["seats"]:
        seat["place"] = 1


def change_options(plain: dict[str, Any]) -> None:
    setter = next(event["setter"] for event in plain["entries"][0]["events"] if "setter" in event)
    plain["options"] = {"setter": 1 - setter}


def impossible_options(plain: dict[str, Any]) -> None:
    plain["options"] = {"setter": 9}


def change_rules(plain: dict[str, Any]) -> None:
    plain["ruleset"] = "chess"


def change_version(plain: dict[str, Any]) -> None:
    plain["version"] = 3 - plain["version"]  # to the other version of Legends


def unknown_version(plain: dict[str, Any]) -> None:
    plain["version"] = 99


def change_format(plain: dict[str, Any]) -> None:
    plain["format"] = "eight-minutes-record/9"


def no_date(plain: dict[str, Any]) -> None:
    plain["entries"][0]["at"] = "yesterday"


def no_entries(plain: dict[str, Any]) -> None:
    plain["entries"] = []


TAMPERINGS = [
    change_action, change_event, change_moment, change_who, change_by, change_draw, drop_an_entry, drop_the_last_entry,
    swap_entries, change_seed, drop_seed, change_points, change_place, change_options, impossible_options, change_rules,
    change_version, unknown_version, change_format, no_date, no_entries,
]  # fmt: skip


@pytest.mark.parametrize("tamper", TAMPERINGS)
@pytest.mark.sampled
def test_a_changed_record_is_refused(finished, tamper: Callable[[dict[str, Any]], None]):
    plain = msgspec.json.decode(services.export(public_id=finished.public_id, user=None))
    tamper(plain)
    refused(msgspec.json.encode(plain), "")


@pytest.mark.parametrize("tamper", [change_action, change_event, change_who, change_draw, drop_the_last_entry])
def test_a_change_is_found_even_with_new_digests(finished, tamper: Callable[[dict[str, Any]], None]):
    """Anyone with the seed can compute digests, but then events don't fit the rules and draws."""
    plain = msgspec.json.decode(services.export(public_id=finished.public_id, user=None))
    tamper(plain)
    forged = with_new_digests(msgspec.convert(plain, Record))
    assert all("digest" not in problem for problem in records.verify(forged))
    refused(records.encode(forged), "")


def test_the_sentence_names_the_entry(finished):
    plain = msgspec.json.decode(services.export(public_id=finished.public_id, user=None))
    change_event(plain)
    first = next(e["seq"] for e in plain["entries"] if any(event["kind"] == "take" for event in e["events"]))
    problems = records.verify(msgspec.convert(plain, Record))
    assert len(problems) == 2 and all(f"Entry {first}:" in problem for problem in problems)


def test_the_reason_of_the_rules_is_in_the_language_of_the_reader(finished):
    plain = msgspec.json.decode(services.export(public_id=finished.public_id, user=None))
    change_action(plain)
    forged = with_new_digests(msgspec.convert(plain, Record))
    with translation.override("de"):
        [problem] = records.verify(forged, gettext)
        reason = gettext("Take a card first. The leftmost one is free.")
    assert reason.startswith("Nimm zuerst") and problem.endswith(f"war nicht erlaubt. {reason}")
