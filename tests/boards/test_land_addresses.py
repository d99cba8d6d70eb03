"""Addresses of land pictures: one for each picture, and none for layouts that cannot be drawn."""

import pytest
from django.test import Client

from games.boards.eight_minute.geometry import picture
from games.boards.eight_minute.lying import being_laid, side_thumbnail
from games.tables.pages.eight_minute.pictures import land_url
from tests.rules.positions import LAYOUT


@pytest.mark.parametrize(
    "text", [LAYOUT, "board:side-b:0", being_laid("t", ""), being_laid("l", "centre:fern:0"), side_thumbnail("fern", 3)]
)
def test_every_picture_has_a_permanent_address(text):
    answer = Client().get(land_url(text, "dark"))
    assert answer.status_code == 200
    assert "immutable" in answer["Cache-Control"]
    assert f'viewBox="0 0 {picture(text).width:g} '.encode() in answer.content


def test_a_land_has_one_address_for_all_positions_of_portals():
    assert land_url(f"{LAYOUT};v3;m1", "light") == land_url(f"{LAYOUT};f1;c2", "light") == land_url(LAYOUT, "light")


@pytest.mark.parametrize(
    "text", ["moon~", "look~moon:0", "centre:fern:0,centre:desert:0", "t~" + LAYOUT + ",west:fern:1"]
)
def test_a_layout_that_cannot_be_drawn_has_no_address(text):
    assert Client().get(land_url(text, "light")).status_code == 404
