"""More on how each option of Kingdoms is played, beyond its own sentence and its rulings."""

from django.utils.translation import gettext_lazy as _

from games.help.ruling import Detail

# fmt: off
DETAILS = {
    "ties": (
        Detail("K", _(
            "Each new wave asks both sides again. If ties stop the battle, the other players wait less."
        )),
    ),
    "mode": (
        Detail("K", _(
            "You can still win in any of the three ways. If nobody has when the third round ends, the highest Kingdom "
            "value wins."
        )),
    ),
    "opening_truce": (
        Detail("K", _("A quiet round gives everyone time to draw, buy and build before the first battle.")),
    ),
    "castle_wall": (
        Detail("K", _("The lower the wall, the sooner Castles fall, and the shorter the game.")),
    ),
    "spoils": (
        Detail("K", _(
            "If the winner takes all troops, hands grow quickly. With four players, most games are then won with 300 "
            "after a few rounds."
        )),
    ),
    "pay_to": (
        Detail("K", _("Cards that stay in the Flop make the next purchase and the next battle worth more.")),
    ),
    "hold_two": (
        Detail("K", _("Without this rule, a single battle can end the duel.")),
    ),
    "leave_princes": (
        Detail("K", _("This makes it harder to build up to the Princess.")),
    ),
    "leave_princesses": (
        Detail("K", _(
            "Princes and Princesses are left out independently. Everyone knows from the start which ones are missing."
        )),
    ),
    "collusion": (
        Detail("K", _(
            "You can give cards during your own turn, before the battle, to your ruler or a direct sub-kingdom. Only "
            "the two of you see the cards; everyone else sees how many."
        )),
        Detail("K", _("Promises are not binding.")),
    ),
}
# fmt: on
