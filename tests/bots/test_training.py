"""Training of weights by self-play: it is reproducible, it improves, and the weights that we ship are better."""

import tomllib
from random import Random

import pytest
from django.core.management import CommandError, call_command

from games.bots.eight_minute import training
from games.bots.eight_minute.worth import MEDIUM, TRAINED, Weights, trained
from games.rules.registry import get
from tests.each import for_each

RULESETS = ["legends", "prototype", "classic"]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two variations and three deals in a generation."""
    monkeypatch.setattr(training, "PAIRS", 3)
    monkeypatch.setattr(training, "DEALS", 2)
    monkeypatch.setattr(training, "CHECKED", 2)


@pytest.mark.usefixtures("short")
def test_the_same_seed_trains_the_same_weights() -> None:
    runs = [[step.weights for step in training.train(get("legends"), 2, Random(seed).gauss)] for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert runs[0][-1] != runs[2][-1]
    assert runs[0][0] != runs[0][1] != training.START


@pytest.mark.usefixtures("short")
def test_the_command_writes_the_weights_with_the_record_of_their_training(tmp_path, monkeypatch) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("# Weights\n\n[legends.weights]\ncalm = 3.0\n")
    monkeypatch.setattr(training, "FILE", file)
    call_command("train", "classic", generations=2, seed=5)
    written = tomllib.loads(file.read_text())
    last = [step.weights for step in training.train(get("classic"), 2, Random("classic/5").gauss)][-1]
    assert Weights(**written["classic"]["weights"]) == last
    assert {"seed": 5, "generations": 2}.items() <= written["classic"]["record"].items()
    assert written["legends"] == {"weights": {"calm": 3.0}} and file.read_text().startswith("# Weights")
    with pytest.raises(CommandError, match="unknown ruleset kingdoms; choose from legends"):
        call_command("train", "kingdoms")


@for_each("slug", [slug for slug in RULESETS if trained(slug) != MEDIUM])
def test_the_trained_weights_play_better_than_mediums(slug: str) -> None:
    """In deals that were not trained with, each from both seats, by what the seats get on average."""
    lead, won = training.checked(get(slug), trained(slug), deals=60)
    assert won > 0.55
    assert lead > 0.5


@pytest.mark.long
@for_each("slug", [slug for slug in RULESETS if trained(slug) != MEDIUM])
def test_training_begins_as_it_is_recorded(slug: str) -> None:
    """The quick player, the deals and the seed are those of the record, so the weights can be found again."""
    record = tomllib.loads(TRAINED.read_text())[slug]["record"]
    first = next(training.train(get(slug), 1, Random(f"{slug}/{record['seed']}").gauss))
    assert round(first.lead, 2) == record["lead_of_first_generation"]


def test_legends_has_trained_weights() -> None:
    assert trained("legends") != MEDIUM


def test_no_weight_is_negative_so_that_nothing_good_is_avoided() -> None:
    for slug in RULESETS:
        weights = trained(slug)
        assert set(weights._asdict()) == set(Weights._fields)
        assert min(weights) >= 0


def test_medium_keeps_its_own_weights() -> None:
    assert Weights() == MEDIUM and MEDIUM.deny == 0
