"""Training of weights by self-play: it is reproducible, it improves, and the weights that we ship are better."""

import tomllib
from random import Random

import pytest
from django.core.management import CommandError, call_command

from games.bots.eight_minute import training
from games.bots.eight_minute.evaluation import MEDIUM, TRAINED, Weights, trained
from games.rules.registry import get
from tests.each import for_each

WEIGHTS = tomllib.loads(TRAINED.read_text(encoding="utf-8"))
TRAINED_FOR = [(slug, int(players)) for slug, by_players in WEIGHTS.items() for players in by_players]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two variations and three deals in a generation."""
    monkeypatch.setattr(training, "PAIRS", 3)
    monkeypatch.setattr(training, "GAMES", 6)
    monkeypatch.setattr(training, "CHECKED", 2)


@pytest.mark.usefixtures("short")
def test_the_same_seed_trains_the_same_weights() -> None:
    runs = [[step.weights for step in training.train(get("legends"), 3, 2, Random(seed).gauss)] for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert runs[0][-1] != runs[2][-1]
    assert runs[0][0] != runs[0][1] != training.START


@pytest.mark.usefixtures("short")
def test_the_command_writes_the_weights_with_the_record_of_their_training(tmp_path, monkeypatch) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("# Weights\n\n[classic.2.weights]\nsettling_turns = 3.0\n")
    monkeypatch.setattr(training, "FILE", file)
    call_command("train", "classic", players=4, generations=2, seed=5)
    written = tomllib.loads(file.read_text())
    last = [step.weights for step in training.train(get("classic"), 4, 2, Random("classic/5").gauss)][-1]
    assert Weights(**written["classic"]["4"]["weights"]) == last
    assert {"seed": 5, "generations": 2}.items() <= written["classic"]["4"]["record"].items()
    assert written["classic"]["2"] == {"weights": {"settling_turns": 3.0}} and file.read_text().startswith("# Weights")
    with pytest.raises(CommandError, match="unknown ruleset kingdoms; choose from legends"):
        call_command("train", "kingdoms")
    with pytest.raises(CommandError, match="legends has 2, 3, 4 players"):
        call_command("train", "legends", players=5)


@for_each("slug, players", TRAINED_FOR)
def test_the_trained_weights_play_better_than_mediums(slug: str, players: int) -> None:
    """In deals that were not trained with, each from all seats, by what the seats get on average."""
    lead, won = training.checked(get(slug), players, trained(slug, players), deals=80 // players)
    assert won > 1.1 / players
    assert players > 2 or lead > 0.5


@pytest.mark.long
@for_each("slug, players", TRAINED_FOR)
def test_training_begins_as_it_is_recorded(slug: str, players: int) -> None:
    """The quick player, the deals and the seed are those of the record, so the weights can be found again."""
    record = WEIGHTS[slug][str(players)]["record"]
    first = next(training.train(get(slug), players, 1, Random(f"{slug}/{record['seed']}").gauss))
    assert round(first.lead, 2) == record["lead_of_first_generation"]


def test_weights_are_those_for_as_many_players_or_else_for_fewer() -> None:
    assert {slug for slug, players in TRAINED_FOR if players == 2} == {"legends", "prototype", "classic"}
    assert trained("classic", 5) == trained("classic", 3) != trained("classic", 2)
    assert trained("atlantis", 2) == MEDIUM


def test_no_weight_is_negative_so_that_nothing_good_is_avoided() -> None:
    for slug, players in TRAINED_FOR:
        weights = trained(slug, players)
        assert set(weights._asdict()) == set(Weights._fields)
        assert min(weights) >= 0


def test_medium_keeps_its_own_weights() -> None:
    assert Weights() == MEDIUM and MEDIUM.deny == 0
