"""The form for a quick game against bots."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules.protocol import Ruleset
from games.rules.registry import RULESETS
from games.tables.forms import options
from games.tables.forms.seats import GAMES, STRENGTHS, USUAL_GAME, IsNewTo, to_nobody


class PlayNowForm(forms.Form):
    """Start a private game against bots. The number of opponents depends on the chosen game.

    If a game has a preset for first games, players can choose between it and the usual rules.
    """

    ruleset = forms.ChoiceField(
        label=gettext_lazy("Game"),
        choices=GAMES,
        required=False,
        initial=USUAL_GAME,
        error_messages={"invalid_choice": gettext_lazy("We don’t have this game. Choose another.")},
    )
    opponents = forms.TypedChoiceField(
        label=gettext_lazy("Opponents"), coerce=int, required=False, initial=1, widget=forms.RadioSelect
    )
    strength = forms.ChoiceField(
        label=gettext_lazy("Strength"),
        choices=STRENGTHS,
        required=False,
        initial="greedy",
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("We have no bots of this strength. Choose another.")},
    )

    preset = forms.ChoiceField(
        label=gettext_lazy("Rules"),
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("We don’t have these rules. Choose others.")},
    )

    def __init__(self, *args: Any, is_new_to: IsNewTo = to_nobody, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        given = self.data.get("ruleset") or self.initial.get("ruleset")
        rules = self.rules = RULESETS.get(str(given), RULESETS[USUAL_GAME])
        self._offer_presets(rules, is_new_to(rules.slug))
        numbers = [n - 1 for n in rules.seat_counts]
        opponents = self.fields["opponents"]
        assert isinstance(opponents, forms.ChoiceField)
        opponents.choices = [(n, ngettext("%(n)d bot", "%(n)d bots", n) % {"n": n}) for n in numbers]
        opponents.initial = numbers[0]
        opponents.error_messages["invalid_choice"] = _(
            "Choose %(least)d to %(most)d opponents for %(game)s."
        ) % {"game": rules.name, "least": numbers[0], "most": numbers[-1]}  # fmt: skip

    def _offer_presets(self, rules: Ruleset, is_new: bool) -> None:
        """Offer the preset for first games and the plain rules, if the game has both."""
        first = options.first_preset(rules)
        plain = [one for one in rules.presets if not one.options]
        field = self.fields["preset"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(one.slug, _(one.label)) for one in (first, *plain)] if first else []
        field.initial = first.slug if first and is_new else plain[0].slug
        if first and is_new:
            field.help_text = _("“%(preset)s” is a good one to start with.") % {"preset": _(first.label)}

    @property
    def table(self) -> dict[str, Any]:
        """The arguments of `services.lobby.play_now`."""
        strength = self.cleaned_data["strength"] or "greedy"
        opponents = int(self.cleaned_data["opponents"] or self.fields["opponents"].initial)
        preset = self.cleaned_data["preset"] or str(self.fields["preset"].initial)
        chosen = options.preset_options(self.rules, preset)
        return {"ruleset": self.rules.slug, "bots": [strength] * opponents, "options": chosen}
