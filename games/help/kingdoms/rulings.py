"""The rulings for Kingdoms by topic: an option, or a chapter of the fine print. docs/rulings.md has the same text."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.help.ruling import Ruling

INITIALS = {"kingdoms": "K"}


def _ruling(number: int, text: str | Promise) -> Ruling:
    return Ruling(number, "K", text, series="K")


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
            "In the third round, a player who can attack must attack at least once before ending the turn. The highest "
            "Kingdom value wins; ties are broken by the number of Towers. If that is equal too, the players share the "
            "win."
        )),
        _ruling(92, _(
            "Only a player’s own Towers break that tie. An attack in any round counts, whatever its outcome. A "
            "two-player conquest that has not held yet does not win."
        )),
    ),
    "opening_truce": (
        _ruling(4, _(
            "The rulebook would allow an attack before the other players have had a turn. Here the table chooses how "
            "many rounds are peaceful."
        )),
        _ruling(96, _("A game of three rounds can have at most two peaceful rounds.")),
    ),
    "castle_wall": (
        _ruling(24, _(
            "The wall counts whenever the Castle itself is attacked, even if nobody plays a card. It counts once, no "
            "matter how many players defend."
        )),
    ),
    "spoils": (
        _ruling(86, _(
            "If troops are the spoils, the Flop stays, and the troops of all waves count. The one winner takes the "
            "hands of all three players or, if only the loser’s troops are spoils, the hands of the losing side; "
            "everything else is burned. If a tie ends the battle, all troops are burned."
        )),
    ),
    "pay_to": (
        _ruling(11, _(
            "Cards you pay with go into the Flop, where the next player may buy them, unless the table burns them."
        )),
    ),
    "broken_towers": (
        _ruling(46, _(
            "Towers above a stolen one don’t stay. They return to their owner’s hand, or go to the Burn pile if the "
            "table chose that."
        )),
    ),
    "hold_two": (
        _ruling(41, _(
            "With two players, the conqueror wins at the start of their own next turn if they still rule the other "
            "player."
        )),
    ),
    "ties": (
        _ruling(26, _(
            "A turn has one battle. More waves follow only after ties, and the first wave with a winner is the last."
        )),
        _ruling(29, _("If a tie ends the battle, all troops are burned, the Flop stays, and nobody loses a Tower.")),
        _ruling(87, _("A player with no cards left after a tie has no choice to make: the battle ends.")),
    ),
    "leave_princes": (
        _ruling(61, _(
            "You can keep one to three Princes and one to three Princesses in each deck. The two numbers are "
            "independent."
        )),
        _ruling(97, _("Everyone knows which of them are removed. They are not chosen at random.")),
    ),
    "collusion": (
        _ruling(62, _(
            "Private messages and gifts exist only if the table wants them. Taking a random card works as always."
        )),
    ),
    # The fine print
    "begin": (
        _ruling(1, _(
            "The Castle is a separate card. Everyone can see it. It has no value, is not a Tower, and is never in a "
            "hand."
        )),
        _ruling(2, _(
            "Two to eight can play, up to four with one deck. The first player is drawn at random, and turns follow "
            "seat order."
        )),
        _ruling(3, _("Epics and Bosses are shuffled in after the deal, so nobody starts with one.")),
        _ruling(27, _("“The cards in the middle”, which the winner of a battle takes, are the Flop.")),
        _ruling(98, _("The number of players decides the number of decks.")),
        _ruling(99, _("The symbol on a Castle is decoration only.")),
    ),
    "turn": (
        _ruling(5, _(
            "The order is draw, burn, buy, battle. You can build at any time before the battle, which always comes "
            "last."
        )),
        _ruling(6, _("When a turn starts, the Flop is filled up to three cards. If it has more, they stay.")),
        _ruling(7, _(
            "You must draw one card, plus one for each Tower you have at that moment, so it pays to build first."
        )),
        _ruling(8, _(
            "You may burn one card of the Flop in a turn. You choose which, and you do it before you buy anything."
        )),
        _ruling(9, _("If the Draw deck and the Burn pile are both empty, you draw from the Flop.")),
        _ruling(65, _("Any player may look through the Burn pile.")),
        _ruling(67, _(
            "What happens at the start of a turn happens as soon as the previous turn ends: a Truce ends, the Flop is "
            "filled, and the new player resolves the Epics that were revealed."
        )),
        _ruling(69, _(
            "If the Draw deck is empty, a card you burn is shuffled with the pile and may come back. If both are "
            "empty, you can’t burn anything."
        )),
        _ruling(70, _(
            "If you draw from the Flop, you choose the cards one by one, after those from the deck. Epics drawn in the "
            "same turn wait until you have all your cards."
        )),
        _ruling(75, _(
            "The game checks for a winner after each complete step, such as all the cards of a draw, never in the "
            "middle of one."
        )),
    ),
    "towers": (
        _ruling(14, _("You build one Tower per turn.")),
        _ruling(15, _("In a turn you either build or pick up a Tower, never both, and you pick up at most one.")),
        _ruling(16, _("Only the top Tower can be picked up.")),
        _ruling(17, _("Towers may be of different suits.")),
        _ruling(18, _("The Emperor can only be at the bottom, the Princess only at the top.")),
        _ruling(80, _(
            "Each Master Builder you play allows one more Tower. If you have picked up a Tower, you still can’t build "
            "in that turn, and vice versa."
        )),
    ),
    "buying": (
        _ruling(10, _(
            "Dots must match exactly. You may pay with several cards, and for several cards; there is no change."
        )),
        _ruling(12, _("You may buy as often as you like in a turn.")),
        _ruling(13, _("You can only pay with cards from your hand that have dots: not with Towers, Epics or Bosses.")),
        _ruling(101, _(
            "The list of purchases shows only those that can’t be split into smaller ones. Any other exact exchange is "
            "valid too."
        )),
        _ruling(105, _(
            "If cards have the same rank, the lists of attacks, defenses and purchases show only the first of them, "
            "even if they differ in suit or one is face up. Any other is valid too. Neither strength nor price depends "
            "on the suit or on being face up, so the step has the same outcome, and you choose which of the cards you "
            "keep."
        )),
    ),
    "troops": (
        _ruling(19, _("Use as many cards as you like, as long as they add up to 21 or less.")),
        _ruling(20, _("An Epic 21 ties with any other 21. Its advantage is the Support Hero that may join it.")),
        _ruling(21, _("An Epic or Boss fights alone or with one other Hero, whatever the sum.")),
        _ruling(22, _("Support Heroes have no effect other than their value.")),
        _ruling(23, _("Nobody has to defend. No cards count as zero.")),
    ),
    "battle": (
        _ruling(25, _("The attacker plays first, face down. The defender sees how many cards there are.")),
        _ruling(28, _("All troops played are burned, including the winner’s.")),
        _ruling(30, _("The Tower lost is the top one, which was built last.")),
        _ruling(31, _("A lost Tower goes to the Burn pile.")),
        _ruling(32, _(
            "A fallen Castle is rebuilt immediately. Its owner plays on with the same hand, ruled by the winner."
        )),
        _ruling(33, _(
            "You may attack anyone who is not below you, including your ruler and your ruler’s other sub-kingdoms."
        )),
        _ruling(35, _(
            "A ruler who defends together with a sub-kingdom plays a separate hand. The higher hand counts; if they "
            "are equal, the sub-kingdom’s does."
        )),
        _ruling(81, _(
            "A ruler who defends together with a sub-kingdom can’t take cards from it during the battle. Nobody can "
            "take cards from the attacker."
        )),
        _ruling(82, _(
            "If two players defend, each sees that the other has played, and how many cards. Cards that have been "
            "played can’t be taken back."
        )),
        _ruling(83, _("A ruler who has no cards to play and nobody to take cards from is not asked to protect.")),
        _ruling(84, _("A defender who has no cards to play and nobody to take cards from is not asked either.")),
        _ruling(85, _(
            "A ruler may take over the defense and play no cards. The sub-kingdom’s wall still counts, and the "
            "sub-kingdom’s Tower or Castle is what falls."
        )),
    ),
    "rulers": (
        _ruling(34, _("Taking a Tower changes only who rules its owner. The kingdoms below that owner come along.")),
        _ruling(36, _("A player who takes a Castle also rules the sub-kingdoms of its owner.")),
        _ruling(37, _(
            "If you take a Tower of anyone above you, you are free. If you take their Castle, you also become their "
            "ruler."
        )),
        _ruling(38, _(
            "A sub-kingdom rules what it conquers, and only it can take cards from there. The conquest counts for the "
            "whole tree."
        )),
        _ruling(39, _(
            "Once in your turn, and once for each defense hand you play, you may take a random card from each kingdom "
            "you rule directly."
        )),
        _ruling(40, _("A player who rules everyone wins immediately, even during another player’s turn.")),
        _ruling(42, _("A sub-kingdom can win with the Princess or with 300, like any other player.")),
    ),
    "secret": (
        _ruling(43, _(
            "Two or more cards of one suit, only Attack, Champion and Support Heroes, that add up to exactly 21."
        )),
        _ruling(44, _("You can make it once per turn, before the battle. You may still attack afterward.")),
        _ruling(45, _("The stolen Tower goes to your hand. You can build it like any other card.")),
        _ruling(47, _("It doesn’t change who rules whom, and a Truce doesn’t protect against it.")),
    ),
    "heroes": (
        _ruling(48, _(
            "You turn a card over when you draw it, when the Flop is filled in your turn, or when it replaces a card "
            "you burned."
        )),
        _ruling(49, _(
            "Epics take effect after the step that revealed them, in the order in which they appeared. They are not "
            "optional."
        )),
        _ruling(50, _("An Epic takes effect whenever it is revealed, but not when it comes from a player’s hand.")),
        _ruling(51, _("You play Bosses in your own turn before the battle, as many as you have. They are burned.")),
        _ruling(52, _("Epics and Bosses have no suit and no dots.")),
        _ruling(66, _(
            "An Epic or Boss that you draw counts as one of your draws. Only empty places in the Flop are filled with "
            "the next card."
        )),
        _ruling(68, _("If the Draw deck and the Burn pile are empty, an Epic that lets you draw has no effect.")),
        _ruling(71, _(
            "An Epic asks you if there is at least one choice. Otherwise it resolves automatically. A Tribute takes "
            "its cards in seat order."
        )),
        _ruling(72, _("You can’t do anything else between two battles of the same turn.")),
        _ruling(73, _(
            "A second Warmaster in the same turn has no effect. The turn ends automatically if there is nobody to "
            "attack or nothing to attack with."
        )),
        _ruling(74, _(
            "The Spymaster needs a player who has a card in hand. The other Bosses can always be played. If there is "
            "something to take, you must take it."
        )),
        _ruling(102, _("An Epic or Boss that everyone saw is hidden again once it is in a hand.")),
    ),
    "worth": (
        _ruling(53, _("Only cards in hand count, including those shown. Towers and the Castle don’t count.")),
        _ruling(54, _("Each time a hand reaches 100 or 200, everyone is told.")),
        _ruling(55, _(
            "The cards shown must be worth 100 or more together, with none that isn’t needed. You can still use them "
            "for anything."
        )),
        _ruling(56, _("300 wins immediately, in any player’s turn.")),
        _ruling(76, _("Troops on the table are not part of the hand.")),
        _ruling(77, _("During a battle, announcements and shown cards stay as they were. Only 300 is checked.")),
        _ruling(78, _("A card that was shown is played face up as a troop.")),
        _ruling(79, _(
            "The site shows the smallest sum of at least 100 with the fewest cards, and keeps your choice for as long "
            "as it is enough."
        )),
        _ruling(94, _(
            "If two players reach 300 in the same step, the player whose turn it is comes first, then seat order."
        )),
    ),
    "end": (
        _ruling(57, _(
            "The Final Showdown begins if the Draw deck, the Burn pile and the Flop are all empty at the end of a "
            "turn."
        )),
        _ruling(59, _("If the Showdown is tied, a new deal follows at the same table.")),
        _ruling(95, _(
            "After the winner, places are decided by a player’s own Towers, then by Kingdom value. If both are equal, "
            "the players share the place."
        )),
        _ruling(100, _("A game can last any number of turns.")),
        _ruling(103, _("When the game is over, all hands are visible.")),
    ),
    "showdown": (
        _ruling(58, _(
            "Everyone who can attack must do so. The troops leave the game. At the end, the Towers still standing in "
            "each tree are counted."
        )),
        _ruling(88, _("Lost Towers leave the game too, and there are no spoils.")),
        _ruling(89, _("Nobody takes random cards anymore. A ruler may still protect.")),
        _ruling(90, _("It ends every Truce.")),
        _ruling(91, _(
            "The new deal starts over, with a new first player and no rulers. Princes and Princesses that were left "
            "out stay out."
        )),
    ),
    "time": (
        _ruling(63, _(
            "Standing orders act for you. If your clock runs out, the site does as little as possible: it draws and "
            "ends the turn, gives up options, defends with the best ordinary hand, and ends battles after a tie."
        )),
        _ruling(64, _("For a player who has left, the site continues in this way until the end.")),
        _ruling(93, _(
            "The choices for an absent player are always the same: seats are counted from the acting player, the best "
            "ordinary hand is the one with the highest sum and the fewest cards, and your Epics and Bosses are not "
            "played for you."
        )),
    ),
    "site": (
        _ruling(104, _(
            "A position records everything that is still to be done, so a game can stop and continue at any point."
        )),
    ),
}
# fmt: on
