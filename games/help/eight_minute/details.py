"""More on how each option of the Eight-Minute family is played, beyond its own sentence and its rulings."""

from django.utils.translation import gettext_lazy as _

from games.help.ruling import Detail

# fmt: off
DETAILS = {
    "setup": (
        Detail("LP", _(
            "With setup by hand, one player places the boards one by one, turned any way, and then chooses the start "
            "region."
        )),
        Detail("L", _("They also choose the overseas region and place every token in play.")),
        Detail("P", _("They also place every token in play.")),
        Detail("LP", _("With two players, the armies of the third color are placed last.")),
        Detail("C", _(
            "Setup by hand is for two players, who take turns placing the armies of the third color on the printed "
            "board."
        )),
        Detail("LPC", _("You can undo a choice until you confirm it. Then the cards are dealt and bidding begins.")),
    ),
    "layout": (
        Detail("LP", _(
            "Every board shows islands and has a dotted line in the middle of each edge. Where two boards touch, "
            "these lines form a route over the water between them."
        )),
    ),
    "ties": (
        Detail("LPC", _(
            "By die: the tied players roll, and the highest roll wins. By age: the player with the latest date of "
            "birth wins if all tied players gave one before the game was created; otherwise, the newest account wins. "
            "An age tie-break lets the other players know who is younger."
        )),
    ),
    "explore": (
        Detail("LP", _(
            "The tokens lie face up, each in its own region. You keep a token you take, with its effect, until the "
            "end of the game."
        )),
    ),
    "poison_swamp": (
        Detail("L", _("Nobody knows which token is where until they control its region or a city is built there.")),
    ),
    "citadels": (
        Detail("LP", _(
            "Citadels are on the map from the start. They belong to nobody and can’t be moved or destroyed."
        )),
    ),
    "dragon": (
        Detail("L", _("The player who slays the dragon keeps it, and its region becomes a normal one.")),
    ),
    "seven_cards": (
        Detail("L", _("You have one more card to choose from each turn, and cards stay in the row for one more turn.")),
    ),
    "leaders": (
        Detail("L", _("A leader is not a card: it costs nothing, belongs to no family and stays all game.")),
    ),
    "side": (
        Detail("C", _(
            "The board is printed on both sides. The first has four continents with 25 regions, the second five with "
            "23. Each side has its own start region and five triangles."
        )),
    ),
    "coal": (
        Detail("C", _("Only one of the seven coal cards is affected, the one that places two armies.")),
    ),
}
# fmt: on
