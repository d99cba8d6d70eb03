"""The forms for a new table, with everything that can be chosen, and for a quick game against bots."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.errors import GameError, TableError
from games.rules.registry import RULESETS
from games.tables.forms import options
from games.tables.forms.game import (
    GAMES,
    MOST_PLAYERS,
    REPLY_CLOCKS,
    SEAT_CHOICES,
    STRENGTHS,
    USUAL_GAME,
    USUAL_REPLY_CLOCK,
    GameForm,
    IsNewTo,
    nearest,
    number_of,
    to_nobody,
)
from games.tables.forms.pace import CLOCKS, MOVES, USUAL_PACE
from games.tables.models import TimeOut
from games.tables.models.game import USUAL_CLOCK
from games.tables.services import friends
from games.tables.services.lobby import HIGHEST_RATING, NARROWEST

USUAL = {
    "ruleset": USUAL_GAME, "players": "2", "listed": "yes", "full": "no", "reply_hours": str(USUAL_REPLY_CLOCK),
    **USUAL_PACE,
}  # fmt: skip
USUAL_TABLES: dict[str, dict[str, str]] = {
    # With more players, which the page offers, the other seats are for bots too
    "bot": {"players": "2", "listed": "no", **{f"seat_{seat}": "medium" for seat in range(1, MOST_PLAYERS)}},
    "friends": {"players": "3", "listed": "no"},
}
NO_CHOICE: Mapping[str, str] = {}
YES_OR_NO = {
    "required": gettext_lazy("Choose one of these options."),
    "invalid_choice": gettext_lazy("Choose one of these options."),
}


WRONG_RATING = {
    name: gettext_lazy("Enter a rating, such as 1500, or leave this empty.")
    for name in ("invalid", "min_value", "max_value")
}


class OpenTableForm(GameForm):
    """Open a table. Seat 0 is the opener's; seats beyond the number of players are ignored."""

    reply_hours = forms.TypedChoiceField(
        label=gettext_lazy("Time to respond"),
        choices=REPLY_CLOCKS,
        coerce=int,
        required=False,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "For decisions during another player’s turn, unless a standing order answers. Never more than the "
            "time per turn."
        ),
        error_messages={"invalid_choice": gettext_lazy("Choose one of these times.")},
    )
    listed = forms.TypedChoiceField(
        label=gettext_lazy("Who can join"),
        choices=[
            ("yes", gettext_lazy("Anyone: the table is listed in the lobby, and spectators can watch")),
            ("no", gettext_lazy("Only people with the link")),
        ],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        error_messages={**YES_OR_NO, "required": gettext_lazy("Choose who can join.")},
    )
    full = forms.TypedChoiceField(
        label=gettext_lazy("Length"),
        choices=[
            ("no", gettext_lazy("A single game")),
            ("yes", gettext_lazy("A full game: three games in a row, and the highest total wins")),
        ],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        error_messages={**YES_OR_NO, "required": gettext_lazy("Choose a length.")},
    )
    rating_from = forms.IntegerField(
        label=gettext_lazy("Lowest rating"), required=False, min_value=0, max_value=HIGHEST_RATING,
        help_text=gettext_lazy("Players with a lower rating in this game can’t join. Leave empty for no limit."),
        error_messages=WRONG_RATING,
    )  # fmt: skip
    rating_to = forms.IntegerField(
        label=gettext_lazy("Highest rating"), required=False, min_value=0, max_value=HIGHEST_RATING,
        help_text=gettext_lazy("Players with a higher rating in this game can’t join. Leave empty for no limit."),
        error_messages=WRONG_RATING,
    )  # fmt: skip
    unrated = forms.BooleanField(
        label=gettext_lazy("Unrated: just for fun"),
        required=False,
        help_text=gettext_lazy("Games with a guest, or with only one person and bots, are never rated."),
    )
    admits_bots = forms.BooleanField(
        label=gettext_lazy("Admit outside bots"),
        required=False,
        help_text=gettext_lazy(
            "Programs written by other players can take seats here. If one does, the game is unrated."
        ),
    )

    invite = forms.CharField(
        label=gettext_lazy("Invite by name"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Player names, separated by commas. They are notified, and can decline."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def __init__(self, data: Mapping[str, Any], *, opener: Any = None, **kwargs: Any) -> None:
        """Build the form. `opener` is the reader, who can invite players by name if they have an account."""
        self.opener = opener
        super().__init__(data, **kwargs)

    @classmethod
    def asked_for(
        cls, address: Mapping[str, Any], is_new_to: IsNewTo = to_nobody, last: Mapping[str, str] = NO_CHOICE,
        opener: Any = None,
    ) -> "OpenTableForm":  # fmt: skip
        """Return the form with default values, overridden by the reader's last choice and then by the query string."""
        requested = {name: address[name] for name in address}
        if last.get("pace") not in dict(CLOCKS):  # the times of a custom clock are not remembered
            last = {name: last[name] for name in last if name != "pace"}
        data = {**USUAL, **last, **USUAL_TABLES.get(address.get("for", ""), {}), **requested}
        rules = RULESETS.get(data["ruleset"], RULESETS[USUAL_GAME])
        number = nearest(rules.seat_counts, number_of(data["players"]))
        return cls(
            {**data, "ruleset": rules.slug, "players": str(number)}, lenient=True, is_new_to=is_new_to, opener=opener
        )

    def _offer(self) -> None:
        """Set the choices that this game offers."""
        super()._offer()
        for seat in range(1, MOST_PLAYERS):
            self.fields[f"seat_{seat}"] = forms.ChoiceField(
                label=_("Seat %(seat)d") % {"seat": seat + 1},
                choices=SEAT_CHOICES,
                required=False,
                error_messages={"invalid_choice": _("Leave the seat free or choose one of our bots.")},
            )

    def seats(self) -> list[tuple[int, forms.BoundField]]:
        """Return the other seats with their numbers."""
        return [(seat, self[f"seat_{seat}"]) for seat in range(1, MOST_PLAYERS)]

    @property
    def has_replies(self) -> bool:
        """Whether players can be asked for decisions during another player's turn."""
        return bool(self.rules.order_fields())

    def clean(self) -> dict[str, Any]:
        """Check the players to invite before the table opens, so that a mistyped name is not found out afterwards."""
        cleaned = super().clean()
        low, high = cleaned.get("rating_from"), cleaned.get("rating_to")
        if high and high < (low or 0) + NARROWEST:
            sentence = _("Leave at least %(n)d points between the lowest and the highest rating.")
            self.add_error("rating_to", sentence % {"n": NARROWEST})
        self.invited = friends.names_in([cleaned.get("invite", "")])
        free = cleaned.get("players", 0) - 1 - sum(bool(cleaned.get(f"seat_{n}")) for n in range(1, self.number))
        try:
            if len(self.invited) > friends.MOST_AT_ONCE:
                raise TableError(_("You can invite at most %(n)d players at once.") % {"n": friends.MOST_AT_ONCE})
            for name in self.invited:
                friends.find_reachable(user=self.opener, name=name)
        except GameError as refusal:
            self.add_error("invite", str(refusal))
        if self.invited and "players" in cleaned and free < 1:
            self.add_error("invite", _("No seat is open for the players you invite. Leave one open."))
        return cleaned

    @property
    def bots(self) -> Sequence[str]:
        """The bots in the seats in play; they sit after the people."""
        chosen = (self.cleaned_data[f"seat_{seat}"] for seat in range(1, self.cleaned_data["players"]))
        return [bot for bot in chosen if bot]

    def table(self) -> dict[str, Any]:
        """Return the arguments of `services.lobby.open_table`."""
        chosen = self.cleaned_data
        return {
            **{name: chosen[name] for name in ("ruleset", "players", "listed", "full")},
            "rated": not chosen["unrated"],
            "admits_bots": chosen["admits_bots"],
            "time_out": chosen["time_out"] or TimeOut.TURN,
            "reliability": chosen["reliability"] or 0,
            "rating_from": chosen["rating_from"] or 0,
            "rating_to": chosen["rating_to"] or 0,
            "bots": self.bots,
            "options": self.options,
            "clock": self.clock,
            "reply_hours": chosen["reply_hours"] or USUAL_REPLY_CLOCK,
        }


class PlayNowForm(forms.Form):
    """Start a private game against bots. The number of opponents depends on the chosen game.

    If a game has a preset for first games, players can choose between it and the usual rules. Those who are new to the
    game get it, and a weak bot, if they choose nothing else. `last` is the reader's last choice, which is filled in
    where it is still possible.
    """

    ruleset = forms.ChoiceField(
        label=gettext_lazy("Game"), choices=GAMES, required=False, initial=USUAL_GAME,
        error_messages={"invalid_choice": gettext_lazy("We don’t have this game. Choose another.")},
    )  # fmt: skip
    opponents = forms.TypedChoiceField(
        label=gettext_lazy("Opponents"), coerce=int, required=False, initial=1, widget=forms.RadioSelect
    )
    strength = forms.ChoiceField(
        label=gettext_lazy("Strength"), choices=STRENGTHS, required=False, initial="medium",
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("We have no bots of this strength. Choose another.")},
    )  # fmt: skip

    preset = forms.ChoiceField(
        label=gettext_lazy("Rules"),
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": gettext_lazy("We don’t have these rules. Choose others.")},
    )
    pace = forms.ChoiceField(
        label=gettext_lazy("Time per turn"), choices=MOVES[:-1], required=False, initial=USUAL_CLOCK,
        error_messages={"invalid_choice": gettext_lazy("Choose one of these times.")},
    )  # fmt: skip

    def __init__(
        self, *args: Any, is_new_to: IsNewTo = to_nobody, last: Mapping[str, str] = NO_CHOICE, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        slug = self.data.get("ruleset") or self.initial.get("ruleset") or last.get("ruleset")
        rules = self.rules = RULESETS.get(str(slug), RULESETS[USUAL_GAME])
        # Offer the preset for first games and the plain rules, if the game has both
        first, is_new = options.first_preset(rules), is_new_to(rules.slug)
        self.is_new = is_new  # to this game
        plain = [candidate for candidate in rules.presets if not candidate.options]
        preset = self.fields["preset"]
        assert isinstance(preset, forms.ChoiceField)
        preset.choices = [(candidate.slug, _(candidate.label)) for candidate in (first, *plain)] if first else []
        preset.initial = first.slug if first and is_new else plain[0].slug
        all_presets = {candidate.slug for game in RULESETS.values() for candidate in game.presets}
        chosen = self.data.get("preset")
        if chosen in all_presets and not preset.valid_value(chosen):  # of another game, on a page without scripts
            self.data = {name: value for name, value in self.data.items() if name != "preset"}
        if is_new:
            self.fields["strength"].initial = "easy"
        if first and is_new:
            good_start = _("“%(preset)s” is a good place to start.") % {"preset": _(first.label)}
            preset.help_text = f"{good_start} {_(first.sentence)}"
        numbers = [n - 1 for n in rules.seat_counts]
        opponents = self.fields["opponents"]
        assert isinstance(opponents, forms.ChoiceField)
        opponents.choices = [(n, ngettext("%(n)d bot", "%(n)d bots", n) % {"n": n}) for n in numbers]
        opponents.initial = numbers[0]
        opponents.error_messages["invalid_choice"] = _(
            "Choose %(least)d to %(most)d opponents for %(game)s."
        ) % {"game": _(rules.name), "least": numbers[0], "most": numbers[-1]}  # fmt: skip
        self.fields["ruleset"].initial = rules.slug
        for name in ("opponents", "preset", "strength", "pace") if last.get("ruleset") == rules.slug else ():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            if field.valid_value(last.get(name)):
                field.initial = last[name]

    @property
    def table(self) -> dict[str, Any]:
        """The arguments of `services.lobby.play_now`."""
        chosen = self.choice
        return {
            "ruleset": self.rules.slug,
            "bots": [chosen["strength"]] * int(chosen["opponents"]),
            "options": options.preset_options(self.rules, chosen["preset"]),
            "clock": chosen["pace"],
        }

    @property
    def choice(self) -> dict[str, str]:
        """The choices to remember for the next game. Fields that were left out have the values that the page shows."""
        names = ("opponents", "strength", "preset", "pace")
        filled_in = {name: str(self.cleaned_data[name] or self.fields[name].initial) for name in names}
        return {"ruleset": self.rules.slug, "players": str(int(filled_in["opponents"]) + 1), **filled_in}
