"""How this site decides where a rule can be read in two ways: docs/rulings.md in the words of players.

They go by topic: an option that they belong to, the full game, or "" for the fine print. `games` are the rulesets that
a sentence is true of, by their first letters. Kingdoms has its own in `kingdoms_rulings`.
"""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from games.help.kingdoms import rulings as kingdoms_rulings
from games.help.ruling import FINE_PRINT, FULL_GAME, Ruling

INITIALS = {"legends": "L", "prototype": "P", "classic": "C", "kingdoms": "K"}


def rulings(slug: str, topic: str) -> list[Ruling]:
    """What is decided for a ruleset on a topic, by number."""
    return [one for one in book(slug).get(topic, ()) if INITIALS.get(slug, "-") in one.games]


def book(slug: str) -> Mapping[str, Sequence[Ruling]]:
    """All rulings of the ruleset's family, by topic."""
    return kingdoms_rulings.RULINGS if slug == "kingdoms" else RULINGS


# fmt: off
RULINGS = {
    "setup": (
        Ruling(1, "LP", _(
            "Drawn by lot, each legal map, start region and place of a token is as likely as the next; by hand, one "
            "player chooses all of them."
        )),
        Ruling(1, "C", _(
            "The map and its start region are printed. What there is to choose is drawn by lot, each choice as "
            "likely as the next."
        )),
        Ruling(4, "LPC", _(
            "With two players the armies of the third colour are drawn by lot. By hand you place them in turn, one "
            "at a time; who does not set up begins."
        )),
        Ruling(65, "LP", _("A map on which no region can be the start is drawn again; by hand it is refused.")),
    ),
    "layout": (
        Ruling(2, "LP", _(
            "Two boards are joined where both have a dotted line on the edge between them. From the start region "
            "every board can be reached."
        )),
        Ruling(38, "L", _(
            "Each board has two sides, and one of them is up. Desert, if it is in play, must hold the start region. "
            "The bridges of Tall Islands are land, but its three islands stay three."
        )),
        Ruling(62, "P", _(
            "The start region has a way over water to another continent, and so has a neighbour by land, or it has a "
            "second one itself. Ways within a continent do not count."
        )),
        Ruling(63, "L", _(
            "In a rectangle the start region lies on any board with a way over water to another, on Desert if that "
            "is in play; the region overseas lies on any other board."
        )),
        Ruling(64, "L", _(
            "In a T each board may lie with any of its edges up; in a rectangle all boards stand the same way."
        )),
        Ruling(64, "P", _(
            "In an L each board may lie with any of its edges up; in a row or a rectangle all boards stand the same "
            "way."
        )),
    ),
    FINE_PRINT: (
        Ruling(3, "L", _(
            "Everybody begins with four armies, three on the start region and one overseas. Red Sorceress has one "
            "more on the start region."
        )),
        Ruling(6, "LPC", _(
            "Nobody can see a bid, nor who has bid, before the last one is in. Until then you may change yours."
        )),
        Ruling(8, "LC", _("If everybody bids nothing, the same tie-break names the winner.")),
        Ruling(8, "P", _("If everybody bids nothing, the same tie-break names who starts.")),
        Ruling(9, "LPC", _(
            "You pay first. Coins that a card brings cannot pay for it. The left-most card costs nothing, so there "
            "is always one that you can take."
        )),
        Ruling(10, "LP", _("An ability counts at once, for the action of its own card too.")),
        Ruling(11, "LPC", _("You may leave out an action or any part of it, but you must take a card.")),
        Ruling(12, "LP", _(
            "With OR your first step settles which of the two you do. With AND your first step of the second part "
            "ends the first."
        )),
        Ruling(12, "C", _("With OR your first step settles which of the two you do.")),
        Ruling(13, "LPC", _(
            "You place armies one by one, on the start region or where you have a city, until the number is used up "
            "or you have none left."
        )),
        Ruling(14, "LP", _(
            "Movements may be shared among armies, and one army may take several. What is too little for a crossing "
            "can still be used on land."
        )),
        Ruling(14, "C", _("Movements may be shared among armies, and one army may take several.")),
        Ruling(15, "LPC", _("A city needs an army of yours in its region; a region may hold more than one city.")),
        Ruling(16, "LP", _(
            "You may destroy an army of your own; it goes back to your supply, as every destroyed army goes to its "
            "owner’s."
        )),
        Ruling(16, "C", _(
            "You need no army where you destroy one. It may be your own; every destroyed army goes back to its "
            "owner’s supply."
        )),
        Ruling(17, "LP", _("Being immune protects against Destroy and nothing else.")),
        Ruling(18, "LPC", _(
            "When the deck is used up the row grows shorter from the right, and its cards still slide to the cheaper "
            "places."
        )),
        Ruling(19, "LP", _("Without an elixir there are no points for elixirs.")),
        Ruling(20, "LPC", _(
            "Control needs strictly more than each other colour, the third one included. Equal means that nobody "
            "controls."
        )),
        Ruling(21, "L", _("Islands score one point each, those of a single region too.")),
        Ruling(22, "LPC", _("After points, coins, armies on the map and regions, a place is shared.")),
        Ruling(23, "C", _("Wild cards count where they score most for you; the result shows where.")),
        Ruling(34, "LP", _("Two tokens never lie in one region. Merchants’ coins may lie beside a token.")),
        Ruling(37, "P", _(
            "The prototype’s own cards are lost. It is played with the later deck, in which Noble Hills and Dire "
            "Ogre count as they did then."
        )),
        Ruling(40, "LPC", _(
            "A turn ends by itself when no step is left to make. Before you confirm it you can take back every step."
        )),
        Ruling(41, "LC", _(
            "Whoever wins the bids may name any player as the first, and a winning bid of nothing costs nothing."
        )),
        Ruling(41, "P", _("A winning bid of nothing costs nothing. You may bid any number of coins that you have.")),
        Ruling(43, "LPC", _(
            "A card leaves the row when you take it. The new one comes when your turn has ended, and none after the "
            "last turn."
        )),
        Ruling(44, "LP", _("If one part of an action cannot be done, the other can be done all the same.")),
        Ruling(44, "C", _(
            "If one part of an action cannot be done, the other can be done all the same. The two parts of an AND "
            "may be done in any order."
        )),
        Ruling(45, "LP", _(
            "Bonuses add to the printed number of each Place and each Move, and count from the moment that you have "
            "them."
        )),
        Ruling(46, "LP", _("Even you cannot destroy your own armies while they are immune.")),
        Ruling(47, "L", _(
            "When a city is founded its token is taken first, then the merchants’ coins; White Knight’s army comes "
            "after that, and only then is it seen whether the dragon falls."
        )),
        Ruling(51, "LPC", _("The bank never runs out of coins.")),
        Ruling(53, "LP", _("No token lies on the start region, but merchants’ coins may.")),
        Ruling(57, "L", _("A dotted line within an island costs as much as any water. A bridge is land.")),
        Ruling(58, "LPC", _("Nobody controls an empty region. A city alone is enough to hold one.")),
        Ruling(60, "C", _(
            "A good on the map counts as its good. Wild cards join only a good of which you have one already, by "
            "card or by region."
        )),
        Ruling(68, "LP", _(
            "There are two Castles: one places armies or founds a city, the other moves and founds one."
        )),
        Ruling(68, "C", _("In records the cards are called o01 to o42.")),
    ),
    FULL_GAME: (
        Ruling(5, "LPC", _(
            "Who sets the game up is drawn by lot in a single game; in a full game it passes to the left with each "
            "game."
        )),
        Ruling(24, "LPC", _("The sum of three games decides a full game; then games won, then the sum of coins left.")),
        Ruling(61, "LPC", _("A shared first place counts as a game won for each who shares it.")),
    ),
    "ties": (
        Ruling(7, "LPC", _(
            "Dates of birth are used for ties between bids only, at tables that chose this, and only if all who are "
            "tied gave one. They are never shown, and each player can give one only once."
        )),
        Ruling(42, "LPC", _(
            "A bot never wins a tie by age against a person. Where ages do not settle it the newest account wins, "
            "then the lowest seat."
        )),
        Ruling(66, "LPC", _(
            "Those tied for the highest roll again, bots too. The dice also decide when everybody bids nothing, and "
            "all rolls are shown."
        )),
    ),
    "explore": (
        Ruling(25, "LP", _(
            "The first city in the region takes the token before anything else happens. Cottage and Stable help at "
            "once, even with the rest of the card that founded the city."
        )),
        Ruling(36, "P", _(
            "The prototype has six explore tokens: the five of the later game, and Hidden Treasure a second time."
        )),
        Ruling(59, "LP", _(
            "Magic Book wins ties at every place. Only armies on the map break ties, captured ones do not. Points "
            "can be fewer than none."
        )),
    ),
    "poison_swamp": (
        Ruling(26, "L", _(
            "The swamp lies among the five explore tokens, all of them face down. The first city there turns the "
            "token up, and what happened up to that moment cannot be taken back."
        )),
        Ruling(52, "L", _(
            "At the end of each of your turns you look under every token in a region that you control then. Others "
            "learn that you looked and where, never what you saw, and you see it for the rest of the game."
        )),
    ),
    "citadels": (
        Ruling(27, "LP", _(
            "The point goes to whoever controls the citadel’s region when the game ends. It needs no city."
        )),
    ),
    "dragon": (
        Ruling(28, "L", _(
            "Armies of all colours count, however they came there; cities do not. Whose army completes the number "
            "has slain the dragon."
        )),
        Ruling(54, "L", _(
            "The set-up slays nobody, even if enough armies stand there. The first army that arrives later and "
            "leaves that many there does."
        )),
        Ruling(67, "L", _("The house rules are those of the rulebook, with a dragon that the seventh army slays.")),
    ),
    "portals": (
        Ruling(29, "L", _(
            "There are two portals or none. Their regions are neighbours for moving and for nothing else: two "
            "islands do not become one."
        )),
        Ruling(56, "L", _(
            "A step through a portal costs one movement, with Flying or without. Where two ways lead into the same "
            "region the cheaper one is taken."
        )),
    ),
    "rogues": (
        Ruling(30, "L", _("Who has no coin passes for nothing.")),
        Ruling(55, "L", _(
            "Each entry costs a coin, over land, over water and through a portal, for the same army as often as it "
            "comes."
        )),
    ),
    "seven_cards": (
        Ruling(31, "L", _("The seventh card costs three coins, as the sixth does.")),
    ),
    "leaders": (
        Ruling(32, "L", _(
            "Leaders are dealt at random, one to each player, for all to see. For an army of the third colour Bandit "
            "King gets no coin, but Red Sorceress may keep it."
        )),
        Ruling(48, "L", _(
            "White Knight’s army comes by itself. It is no Place, it may slay the dragon, and it pays no rogues."
        )),
        Ruling(49, "L", _(
            "Red Sorceress keeps every army that she destroys, for good; three of any colours make a point. Her own, "
            "if she destroys them, go back to her supply. Bandit King’s coin comes by itself."
        )),
        Ruling(50, "L", _(
            "Fairy Queen may take her extra card once, after the very last turn, at the price of its place. All it "
            "gives counts, its action is left out, and no new card comes."
        )),
    ),
    "merchants": (
        Ruling(33, "L", _(
            "The coins go to whoever founds the first city in the region, whether or not somebody controls it."
        )),
    ),
    "goods_tokens": (
        Ruling(35, "C", _(
            "Of ten goods, two of each kind, five are drawn for the five regions with a triangle. Who controls such "
            "a region at the end has one more of its good."
        )),
        Ruling(53, "C", _("A good may lie on the start region.")),
    ),
    "coal": (
        Ruling(39, "C", _(
            "This site takes the card as the first English printing has it, unless the table chooses otherwise."
        )),
    ),
}
# fmt: on
