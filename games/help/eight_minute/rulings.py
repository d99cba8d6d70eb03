"""The rulings for the Eight-Minute family: docs/rulings.md in players' words.

They are grouped by topic: an option, the full game, or "" for the fine print.
"""

from django.utils.translation import gettext_lazy as _

from games.help.ruling import FINE_PRINT, FULL_GAME, Ruling

INITIALS = {"legends": "L", "prototype": "P", "classic": "C"}

# fmt: off
RULINGS = {
    "setup": (
        Ruling(1, "LP", _(
            "If drawn at random, every legal map, start region and token position is equally likely. If set up by "
            "hand, one player chooses everything."
        )),
        Ruling(1, "C", _(
            "The map and its start region are printed. All other choices are drawn at random, each equally likely."
        )),
        Ruling(4, "LPC", _(
            "With two players, the armies of the third color are placed at random. By hand, you take turns placing "
            "them one at a time; the player who did not set up goes first."
        )),
        Ruling(65, "LP", _(
            "A random map with no possible start region is drawn again; set up by hand, it is refused."
        )),
    ),
    "layout": (
        Ruling(2, "LP", _(
            "Two boards are connected where both have a dotted line on their shared edge. Every board can be reached "
            "from the start region."
        )),
        Ruling(38, "L", _(
            "Each board has two sides, one of them face up. If Desert is in play, it must contain the start region. "
            "The bridges of Tall Islands count as land, but its three islands remain separate."
        )),
        Ruling(62, "P", _(
            "The start region must have a route over water to another continent. A second one must start there too, "
            "or in a region next to it by land. Routes within a continent don’t count."
        )),
        Ruling(63, "L", _(
            "In a rectangle, the start region can be on any board with a route over water to another board, but must "
            "be on Desert if that is in play. The overseas region is on any other board."
        )),
        Ruling(64, "L", _(
            "In a T, each board can be turned any way; in a rectangle, all boards face the same way."
        )),
        Ruling(64, "P", _(
            "In an L, each board can be turned any way; in a row or a rectangle, all boards face the same way."
        )),
    ),
    FINE_PRINT: (
        Ruling(3, "L", _(
            "Each player begins with four armies: three on the start region and one overseas. Red Sorceress has one "
            "more on the start region."
        )),
        Ruling(6, "LPC", _(
            "Until the last bid is in, nobody can see any bid or who has bid. You can change yours until then."
        )),
        Ruling(8, "LC", _("If everyone bids zero, the same tie-break decides the winner.")),
        Ruling(8, "P", _("If everyone bids zero, the same tie-break decides who goes first.")),
        Ruling(9, "LPC", _(
            "You pay first. Coins from a card can’t pay for that card. The leftmost card is free, so you can always "
            "take one."
        )),
        Ruling(10, "LP", _("An ability works immediately, also for the action of its own card.")),
        Ruling(11, "LPC", _("You may skip an action or any part of it, but you must take a card.")),
        Ruling(12, "LP", _(
            "With OR, your first step decides which of the two you do. With AND, your first step of the second part "
            "ends the first part."
        )),
        Ruling(12, "C", _("With OR, your first step decides which of the two you do.")),
        Ruling(13, "LPC", _(
            "You place armies one by one, on the start region or where you have a city, until you have placed the "
            "full number or your supply is empty."
        )),
        Ruling(14, "LP", _(
            "You can share movements among armies, and one army can use several. Movements left over that are too few "
            "for a water crossing can still be used on land."
        )),
        Ruling(14, "C", _("You can share movements among armies, and one army can use several.")),
        Ruling(15, "LPC", _("To build a city you need an army in its region. A region can hold more than one city.")),
        Ruling(16, "LP", _(
            "You may destroy one of your own armies. Every destroyed army returns to its owner’s supply, including "
            "yours."
        )),
        Ruling(16, "C", _(
            "You don’t need an army in the region where you destroy one. You may destroy your own; every destroyed "
            "army returns to its owner’s supply."
        )),
        Ruling(17, "LP", _("Immunity protects against Destroy and nothing else.")),
        Ruling(18, "LPC", _(
            "When the deck is empty, the row gets shorter from the right, and its cards still slide to the cheaper "
            "spaces."
        )),
        Ruling(19, "LP", _("A player without elixirs scores no points for them.")),
        Ruling(20, "LPC", _(
            "To control a region, you need strictly more there than any other color, including the third color. If "
            "you are tied, nobody controls it."
        )),
        Ruling(21, "L", _("Islands score one point each, even if they have only one region.")),
        Ruling(22, "LPC", _("Players who are tied on points, coins, armies on the map and regions share the place.")),
        Ruling(23, "C", _("Wild cards count wherever they score most for you; the final score shows where.")),
        Ruling(34, "LP", _("A region never has two tokens. Merchants’ coins can be in the same region as a token.")),
        Ruling(37, "P", _(
            "The prototype’s own cards are lost. It is played with the later deck, but Noble Hills and Dire Ogre "
            "score as they did in the prototype."
        )),
        Ruling(40, "LPC", _(
            "A turn ends automatically when no step is left. Until you confirm it, you can undo every step."
        )),
        Ruling(41, "LC", _(
            "The player who wins the bidding may choose any player to go first. A winning bid of zero is free."
        )),
        Ruling(41, "P", _("A winning bid of zero is free. You can bid any number of coins you have.")),
        Ruling(43, "LPC", _(
            "A card leaves the row when you take it. The new one appears when your turn has ended, except after the "
            "last turn."
        )),
        Ruling(44, "LP", _("If one part of an action is impossible, you can still do the other.")),
        Ruling(44, "C", _(
            "If one part of an action is impossible, you can still do the other. You can do the two parts of an AND "
            "in either order."
        )),
        Ruling(45, "LP", _(
            "Bonuses add to the printed number of each Place and each Move, from the moment you have them."
        )),
        Ruling(46, "LP", _("While your armies are immune, even you can’t destroy them.")),
        Ruling(47, "L", _(
            "When you build a city, you take its token first, then the merchants’ coins; then White Knight’s army is "
            "placed, and only then may the dragon be slain."
        )),
        Ruling(51, "LPC", _("The bank never runs out of coins.")),
        Ruling(53, "LP", _("There is no token on the start region, but there can be merchants’ coins.")),
        Ruling(57, "L", _(
            "A dotted line within an island costs as much as any other water crossing. A bridge is land."
        )),
        Ruling(58, "LPC", _("Nobody controls an empty region. A city alone is enough to control one.")),
        Ruling(60, "C", _(
            "A good on the map counts as its good. A wild card can only count as a good you already have, from a card "
            "or a region."
        )),
        Ruling(68, "LP", _(
            "There are two Castles: one places armies or builds a city, the other moves and builds one."
        )),
        Ruling(68, "C", _("In game records, the cards are called o01 to o42.")),
    ),
    FULL_GAME: (
        Ruling(5, "LPC", _(
            "In a single game, a random player sets up; in a full game, the next player clockwise does so in each game."
        )),
        Ruling(24, "LPC", _(
            "The total of all three games decides a full game; then games won, then the total of coins left."
        )),
        Ruling(61, "LPC", _("A shared first place counts as a win for each player who shares it.")),
    ),
    "ties": (
        Ruling(7, "LPC", _(
            "Dates of birth are used only for ties between bids, only in games that chose this option, and only if "
            "all tied players gave one. They are never shown, and you can enter yours only once."
        )),
        Ruling(42, "LPC", _(
            "A bot never wins an age tie-break against a person. If ages don’t settle it, the newest account wins, "
            "then the lowest seat."
        )),
        Ruling(66, "LPC", _(
            "Players tied for the highest roll, including bots, roll again. The dice also decide when everyone bids "
            "zero, and all rolls are shown."
        )),
    ),
    "explore": (
        Ruling(25, "LP", _(
            "The first city in the region takes the token before anything else happens. Cottage and Stable take "
            "effect immediately, even for the rest of the card that built the city."
        )),
        Ruling(36, "P", _(
            "The prototype has six explore tokens: the five of the later game, with Hidden Treasure twice."
        )),
        Ruling(59, "LP", _(
            "Magic Book wins ties for any place. Only armies on the map break ties; captured armies don’t. Points can "
            "be negative."
        )),
    ),
    "poison_swamp": (
        Ruling(26, "L", _(
            "The swamp is one of the face-down explore tokens, six in all. The first city in a region turns its token "
            "up; whatever happened before that can’t be undone."
        )),
        Ruling(52, "L", _(
            "At the end of each of your turns, you look at every token in a region you control. Others see that you "
            "looked and where, but not what you saw. You can see it for the rest of the game."
        )),
    ),
    "citadels": (
        Ruling(27, "LP", _(
            "The player who controls the citadel’s region when the game ends scores the point. No city is needed."
        )),
    ),
    "dragon": (
        Ruling(28, "L", _(
            "Armies of all colors count, no matter how they got there; cities don’t. The player whose army completes "
            "the number slays the dragon."
        )),
        Ruling(54, "L", _(
            "The dragon is never slain during setup, even if enough armies are there. The first army that arrives "
            "later, and makes at least that many, slays it."
        )),
        Ruling(67, "L", _("The house rules are those of the rulebook, plus a dragon slain by the seventh army.")),
    ),
    "portals": (
        Ruling(29, "L", _(
            "There are either two portals or none. Their regions count as neighbors for moving and for nothing else: "
            "two islands don’t become one."
        )),
        Ruling(56, "L", _(
            "A step through a portal costs one movement, with or without Flying. If two routes lead to the same "
            "region, the cheaper one is used."
        )),
    ),
    "rogues": (
        Ruling(30, "L", _("A player without coins passes for free.")),
        Ruling(55, "L", _(
            "Every entry costs a coin: over land, over water or through a portal, and each time the same army enters."
        )),
    ),
    "seven_cards": (
        Ruling(31, "L", _("The seventh card costs three coins, the same as the sixth.")),
    ),
    "leaders": (
        Ruling(32, "L", _(
            "Each player is dealt a random leader, which everyone can see. Bandit King gets no coin for an army of "
            "the third color, but Red Sorceress may keep it."
        )),
        Ruling(48, "L", _(
            "White Knight’s army arrives automatically. It doesn’t count as a Place, it can slay the dragon, and it "
            "pays no rogues."
        )),
        Ruling(49, "L", _(
            "Red Sorceress keeps every army she destroys for the rest of the game; any three score a point, whatever "
            "their colors. If she destroys her own armies, they go back to her supply. Bandit King gets his coin "
            "automatically."
        )),
        Ruling(50, "L", _(
            "Fairy Queen may take her extra card once, after the very last turn, for the price of its space. All its "
            "abilities count, its action is skipped, and no new card is added."
        )),
    ),
    "merchants": (
        Ruling(33, "L", _(
            "The player who builds the first city in the region gets the coins, whether or not anyone controls it."
        )),
    ),
    "goods_tokens": (
        Ruling(35, "C", _(
            "There are ten goods tokens, two of each kind. Five are drawn for the five regions with a triangle. At "
            "the end, the player who controls such a region has one more of its good."
        )),
        Ruling(53, "C", _("A good may be on the start region.")),
    ),
    "coal": (
        Ruling(39, "C", _(
            "This site uses the card from the first English printing, unless an option changes it."
        )),
    ),
}
# fmt: on
