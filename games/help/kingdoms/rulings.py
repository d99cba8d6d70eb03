"""The rulings for Kingdoms by topic: an option, or a chapter of the fine print. docs/rulings.md has the same text."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.help.ruling import Ruling


def _ruling(number: int, text: str | Promise) -> Ruling:
    return Ruling(number, "K", text)


CHAPTERS = {
    "begin": _("Before the first turn"),
    "turn": _("The turn"),
    "towers": _("Towers"),
    "buying": _("Buying"),
    "troops": _("Troop hands"),
    "battle": _("Battles"),
    "rulers": _("Rulers and sub-kingdoms"),
    "secret": _("The Not-So-Secret Move"),
    "heroes": _("Epics and Bosses"),
    "worth": _("Kingdom value and cards that are shown"),
    "end": _("The end of the game"),
    "showdown": _("The Final Showdown"),
    "time": _("Absent players"),
    "site": _("What the site does with it"),
}

# fmt: off
RULINGS: dict[str, tuple[Ruling, ...]] = {
    # Options
    "mode": (
        _ruling(60, _(
            "In the third round nobody who can attack may end the turn without having attacked once; the highest "
            "Kingdom value wins, then more Towers, then the victory is shared."
        )),
        _ruling(92, _(
            "Only one’s own Towers break that tie, an attack counts in any round and whatever its outcome, and a "
            "conquest of two that has not held yet does not win."
        )),
    ),
    "opening_truce": (
        _ruling(4, _(
            "The rulebook would allow an attack before others have had a turn; here the table chooses how many rounds "
            "are quiet."
        )),
        _ruling(96, _("A game of three rounds can have two quiet rounds at most.")),
    ),
    "castle_wall": (
        _ruling(24, _(
            "The wall counts whenever the Castle itself is attacked, even if nobody lays a card, and once however "
            "many defend."
        )),
    ),
    "spoils": (
        _ruling(86, _(
            "When troops are the spoils the Flop stays, and all waves count: the one winner takes the hands of all "
            "three, or as the loser’s troops those of the other side; after a tie that is stopped everything is "
            "burned."
        )),
    ),
    "pay_to": (
        _ruling(11, _("What is paid goes into the Flop, where the next player may buy it, unless it is to be burned.")),
    ),
    "broken_towers": (
        _ruling(46, _(
            "Towers that stood on a stolen one do not stay: they go back to their owner’s hand, or to the Burn pile "
            "if the table wants that."
        )),
    ),
    "hold_two": (
        _ruling(41, _(
            "With two players the conqueror wins at the start of the own next turn, if the other is still ruled then."
        )),
    ),
    "ties": (
        _ruling(26, _(
            "A turn has one battle; more waves follow only after ties, and a wave that decides is the last one."
        )),
        _ruling(29, _("When a tie is stopped all troops are burned, the Flop stays, and no Tower is lost.")),
        _ruling(87, _("Who has no cards left after a tie is not asked: the battle stops.")),
    ),
    "leave_princes": (
        _ruling(61, _("From one to three Princes or Princesses can be left in each deck, each number by itself.")),
        _ruling(97, _("Everybody knows which of them leave the game; nothing is drawn for it.")),
    ),
    "collusion": (
        _ruling(62, _(
            "Private messages and gifts are there only where the table wants them; picking blind works as ever."
        )),
    ),
    # The fine print
    "begin": (
        _ruling(1, _(
            "The Castle is a card apart: all see it, it has no value, it is no Tower and is never in a hand."
        )),
        _ruling(2, _(
            "From two to eight play, up to four with a deck; who begins is drawn by lot, and play goes round in seat "
            "order."
        )),
        _ruling(3, _("Epics and Bosses are shuffled in after the deal, so that nobody begins with one.")),
        _ruling(27, _("“The cards in the middle” that the winner of a battle takes are the Flop.")),
        _ruling(98, _("The number of decks follows from the number of players.")),
        _ruling(99, _("The sign on a Castle is an ornament.")),
    ),
    "turn": (
        _ruling(5, _(
            "Draw, burn, buy and battle come in this order; building goes in anywhere before the battle, which is "
            "last."
        )),
        _ruling(6, _("The Flop is filled up to three cards when a turn starts, and keeps what it has beyond that.")),
        _ruling(7, _(
            "You must draw, one card and one more for each Tower that stands at that moment, so it pays to build "
            "first."
        )),
        _ruling(8, _("One card of the Flop may be burned in a turn, of your choice, and before you buy anything.")),
        _ruling(9, _("With Draw deck and Burn pile both empty, what you draw is taken from the Flop.")),
        _ruling(65, _("Anybody may look through the Burn pile.")),
        _ruling(67, _(
            "What happens at the start of a turn happens at once when the turn before it ends: a Truce runs out, the "
            "Flop is filled, and Epics turned up are the new player’s to answer."
        )),
        _ruling(69, _(
            "A card burned when the Draw deck is empty is shuffled in with the pile and may come back; with both "
            "empty nothing can be burned."
        )),
        _ruling(70, _(
            "Cards owed from the Flop are chosen one by one, those of the deck coming first, and Epics drawn in the "
            "same turn wait until all are taken."
        )),
        _ruling(75, _(
            "Whether somebody has won is looked at after each whole step, such as all cards of a draw, and never in "
            "the middle of one."
        )),
    ),
    "towers": (
        _ruling(14, _("You build one Tower in a turn.")),
        _ruling(15, _("In a turn you build or pick up, never both, and pick up once at most.")),
        _ruling(16, _("Only the top Tower can be picked up.")),
        _ruling(17, _("Towers need not be of one suit.")),
        _ruling(18, _("The Emperor stands on the ground, the Princess on top of all.")),
        _ruling(80, _(
            "Each Master Builder played allows one more Tower; who has picked one up still builds none in that turn, "
            "and the other way round."
        )),
    ),
    "buying": (
        _ruling(10, _("Dots have to match exactly, many cards for many if you like; there is no change.")),
        _ruling(12, _("You may buy as often as you like in a turn.")),
        _ruling(13, _("Only cards of your hand pay, and only those with dots: no Towers, Epics or Bosses.")),
        _ruling(101, _(
            "The list of purchases shows those that cannot be split into smaller ones; any other exact exchange is "
            "accepted too."
        )),
        _ruling(105, _(
            "Of equal cards, whatever their suit and whether or not they lie face-up, the lists of attacks, defences "
            "and purchases show only the first; any other is accepted too. Neither strength nor price depends on suit "
            "or on lying face-up, so the step has the same outcome, and you choose which of the cards you keep."
        )),
    ),
    "troops": (
        _ruling(19, _("As many cards as you like, as long as they make no more than 21.")),
        _ruling(20, _("An Epic 21 ties with any other 21; its gift is the Support Hero that may join it.")),
        _ruling(21, _("An Epic or Boss fights alone or with one other Hero, whatever the sum.")),
        _ruling(22, _("Support Heroes have no effect but their value.")),
        _ruling(23, _("Nobody has to defend; no cards count as zero.")),
    ),
    "battle": (
        _ruling(25, _("The attacker lays first, face down, and the defender sees how many cards lie there.")),
        _ruling(28, _("All troops that were laid are burned, the winner’s too.")),
        _ruling(30, _("The Tower that is lost is the one on top, the last that was built.")),
        _ruling(31, _("A lost Tower goes to the Burn pile.")),
        _ruling(32, _(
            "A fallen Castle stands again at once; its owner plays on, ruled by the winner, with the same hand."
        )),
        _ruling(33, _("You may attack anybody who is not below you, your ruler and your ruler’s others among them.")),
        _ruling(35, _(
            "A ruler who defends with a sub-kingdom lays a hand of their own, and the higher of the two counts; if "
            "they are equal, the sub-kingdom’s."
        )),
        _ruling(81, _(
            "A ruler who defends together with a sub-kingdom does not pick from it meanwhile, and nobody picks from "
            "the attacker."
        )),
        _ruling(82, _(
            "Where two defend, each sees that the other has laid and how many cards; what lies there stays."
        )),
        _ruling(83, _("A ruler who has nothing to lay and nobody to pick from is not asked to protect.")),
        _ruling(84, _("A defender who has nothing to lay and nobody to pick from is not asked either.")),
        _ruling(85, _(
            "A ruler may take over the defence and lay nothing; the sub-kingdom’s wall still counts, and what falls "
            "is the sub-kingdom’s."
        )),
    ),
    "rulers": (
        _ruling(34, _("Beating a Tower changes only who rules its owner; the kingdoms below come along.")),
        _ruling(36, _("Who takes a Castle takes over those who were ruled from it.")),
        _ruling(37, _(
            "Beating a Tower of anybody above you sets you free; taking their Castle makes you their ruler as well."
        )),
        _ruling(38, _(
            "What a sub-kingdom conquers is ruled by it and picked from by it alone, and counts for the whole tree."
        )),
        _ruling(39, _(
            "Once in your turn, and once for each defence hand that you lay, you may take a card at random from each "
            "kingdom that you rule directly."
        )),
        _ruling(40, _("Who stands above everybody wins at once, even in the turn of somebody else.")),
        _ruling(42, _("A sub-kingdom can win by the Princess or by 300 like anybody.")),
    ),
    "secret": (
        _ruling(43, _("Two cards or more, Attack, Champion and Support Heroes of one suit, and exactly 21.")),
        _ruling(44, _("Once in your turn before the battle, and you may still attack afterwards.")),
        _ruling(45, _("The stolen Tower goes to your hand and can be built from there like any card.")),
        _ruling(47, _("It changes nobody’s ruler, and a Truce is no shelter from it.")),
    ),
    "heroes": (
        _ruling(48, _(
            "You turn a card over when you draw it, when the Flop is filled in your turn, or when it replaces the "
            "card that you burned."
        )),
        _ruling(49, _(
            "Epics move when the step that turned them is done, in the order in which they came, and must move."
        )),
        _ruling(50, _("An Epic moves whenever it is turned over, and not when it comes from somebody’s hand.")),
        _ruling(51, _("Bosses move in your own turn before the battle, as many as you have, and are burned.")),
        _ruling(52, _("Epics and Bosses have no suit and no dots.")),
        _ruling(66, _(
            "An Epic or Boss that you draw is one of the cards drawn; only places in the Flop are filled by the next "
            "card."
        )),
        _ruling(68, _("Where draw and burn pile are empty, an Epic that lets you draw brings nothing.")),
        _ruling(71, _(
            "An Epic asks as soon as it has one answer; without any it resolves by itself, and a Tribute takes its "
            "cards in seat order."
        )),
        _ruling(72, _("Between two battles of one turn you can do nothing else.")),
        _ruling(73, _(
            "A second Warmaster in the same turn adds nothing, and the turn ends by itself when there is nobody to "
            "attack or nothing to attack with."
        )),
        _ruling(74, _(
            "The Spymaster needs somebody who holds a card; the other Bosses may always be played, and where there is "
            "something to take one must take it."
        )),
        _ruling(102, _("An Epic or Boss that everybody saw is a face-down card again once it is in a hand.")),
    ),
    "worth": (
        _ruling(53, _("Only cards in the hand count, those shown included; Towers and the Castle do not.")),
        _ruling(54, _("Each time a hand comes to 100 or 200 everybody is told.")),
        _ruling(55, _(
            "Shown cards are worth 100 or more together, none of them needless, and can be used for anything."
        )),
        _ruling(56, _("300 wins the moment it is there, in anybody’s turn.")),
        _ruling(76, _("Troops that lie on the table are no part of the hand.")),
        _ruling(77, _(
            "While a battle lasts, announcements and shown cards stay as they were; only 300 is looked for."
        )),
        _ruling(78, _("A card that was shown is laid face up as a troop.")),
        _ruling(79, _(
            "The site shows the smallest sum from 100 on, with the fewest cards, and leaves a choice alone while it "
            "is enough."
        )),
        _ruling(94, _("If two reach 300 in the same step, the player whose turn it is comes first, then seat order.")),
    ),
    "end": (
        _ruling(57, _(
            "The Final Showdown begins when Draw deck, Burn pile and Flop are all empty at the end of a turn."
        )),
        _ruling(59, _("A Showdown that ends level is followed by a new deal at the same table.")),
        _ruling(95, _(
            "Behind the winner, places go by own Towers, then by Kingdom value, and are shared if both are equal."
        )),
        _ruling(100, _("There is no limit to how long a game may last.")),
        _ruling(103, _("When the game is over all hands are open.")),
    ),
    "showdown": (
        _ruling(58, _(
            "Everybody who can must attack; the troops leave the game, and at last the standing Towers of each tree "
            "are counted."
        )),
        _ruling(88, _("Lost Towers leave the game too, and there are no spoils.")),
        _ruling(89, _("Nobody picks blind any more; a ruler may still protect.")),
        _ruling(90, _("It ends every Truce.")),
        _ruling(91, _(
            "The new deal starts from nothing, with a new first player and nobody ruled; Princes and Princesses that "
            "were left out stay out."
        )),
    ),
    "time": (
        _ruling(63, _(
            "Standing orders answer for you, and when a clock runs out the least that is possible is done: draw and "
            "end, leave, the best ordinary defence, stop."
        )),
        _ruling(64, _("For somebody who has left, the site goes on in this way to the end.")),
        _ruling(93, _(
            "What is done for the absent is always the same: seats are counted from the one who acts, the best "
            "ordinary hand has the highest sum and the fewest cards, and no Epic or Boss is laid for you."
        )),
    ),
    "site": (
        _ruling(104, _(
            "A position keeps everything that is owed, so that a game can be left and taken up at any point."
        )),
    ),
}
# fmt: on
