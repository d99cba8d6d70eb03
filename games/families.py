"""What each family of games brings to the site. A new family is one entry here, and one in `games.rules.registry`.

Rulesets of a family share everything in its entry. The packages that need a part of it keep a registry, which
`register` fills at start-up, so they import no family. Bots run without Django; theirs is in `games.bots.greedy`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured
from django.urls import URLPattern
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from games.boards.eight_minute import png as eight_minute_png
from games.boards.eight_minute.geometry import region_name
from games.boards.eight_minute.miniature import miniature as board_miniature
from games.boards.kingdoms import png as kingdoms_png
from games.boards.kingdoms.realm import miniature as realm_miniature
from games.boards.themes import BANNERS, SEATS
from games.help import families as helps
from games.help.eight_minute import cards as eight_minute_cards
from games.help.eight_minute import pictures as eight_minute_pictures
from games.help.eight_minute import rulings as eight_minute_rulings
from games.help.eight_minute import words as eight_minute_words
from games.help.families import HelpParts
from games.help.kingdoms import cards as kingdoms_cards
from games.help.kingdoms import pictures as kingdoms_pictures
from games.help.kingdoms import rulings as kingdoms_rulings
from games.help.kingdoms import words as kingdoms_words
from games.notices.delivery import families as deliveries
from games.notices.delivery.families import MessageParts
from games.rules.eight_minute import events as eight_minute_events
from games.rules.kingdoms import events as kingdoms_events
from games.rules.registry import RULESETS
from games.tables import families as tables
from games.tables.families import TableParts
from games.tables.lessons import LESSONS, eight_minute, kingdoms
from games.tables.lessons.lesson import Lesson
from games.tables.pages.eight_minute import messages as eight_minute_messages
from games.tables.pages.eight_minute import urls as eight_minute_urls
from games.tables.pages.eight_minute.choices import advice as eight_minute_advice
from games.tables.pages.eight_minute.giving_up import gives_up as eight_minute_gives_up
from games.tables.pages.eight_minute.page import page as eight_minute_page
from games.tables.pages.kingdoms import messages as kingdoms_messages
from games.tables.pages.kingdoms import urls as kingdoms_urls
from games.tables.pages.kingdoms.offers import gives_up as kingdoms_gives_up
from games.tables.pages.kingdoms.page import page as kingdoms_page
from games.tables.pages.kingdoms.reader import SORTS
from games.tables.pages.kingdoms.words import advice as kingdoms_advice


@dataclass(frozen=True)
class Family:
    """A family's parts of the table, of messages and of the help, its lessons, and its own URLs."""

    table: TableParts
    messages: MessageParts
    help: HelpParts
    lessons: Sequence[Lesson] = ()
    urls: Sequence[URLPattern] = ()


FAMILIES: dict[str, Family] = {
    "eight_minute": Family(
        table=TableParts(
            page=eight_minute_page,
            advice=eight_minute_advice,
            gives_up=eight_minute_gives_up,
            reveals=(eight_minute_events.CardDrawn, eight_minute_events.TokenSeen),
            region_name=region_name,
            miniature=board_miniature,
        ),
        messages=MessageParts(
            lead=eight_minute_messages.lead_words,
            offers=eight_minute_messages.offers,
            summaries=eight_minute_messages.points,
            now=gettext_noop("Current points"),
            picture=eight_minute_messages.picture,
            prepare=eight_minute_png.prepare,
            paints=SEATS,
        ),
        help=HelpParts(
            glossary=eight_minute_words.GLOSSARY,
            card_groups=eight_minute_cards.card_groups,
            cards_lead=_(
                "What each card gives you for the rest of the game, what it lets you do when you take it, and which "
                "other cards count it."
            ),
            styles=("css/eight_minute/pieces.css", "css/eight_minute/cards.css"),
            rulings=eight_minute_rulings.RULINGS,
            initials=eight_minute_rulings.INITIALS,
            details=eight_minute_rulings.DETAILS,
            option_cards=eight_minute_words.option_cards,
            pictures=eight_minute_pictures.of_turn,
            emblem=eight_minute_pictures.emblem,
            cut_outs=eight_minute_pictures.of_option,
            positions=eight_minute_pictures.positions,
        ),
        lessons=(eight_minute.LEGENDS, eight_minute.PROTOTYPE, eight_minute.CLASSIC),
        urls=eight_minute_urls.urlpatterns,
    ),
    "kingdoms": Family(
        table=TableParts(
            page=kingdoms_page,
            advice=kingdoms_advice,
            gives_up=kingdoms_gives_up,
            reveals=(kingdoms_events.CardDrawn, kingdoms_events.CardPicked, kingdoms_events.FlopTurned),
            remembered={"sort": SORTS},
            miniature=realm_miniature,
        ),
        messages=MessageParts(
            lead=kingdoms_messages.lead_words,
            hand=kingdoms_messages.hand_words,
            summaries=kingdoms_messages.summaries,
            now=gettext_noop("Kingdoms"),
            picture=kingdoms_messages.picture,
            prepare=kingdoms_png.prepare,
            paints=BANNERS,
        ),
        help=HelpParts(
            glossary=kingdoms_words.GLOSSARY,
            card_groups=kingdoms_cards.card_groups,
            cards_lead=_(
                "What each Hero is worth, what it costs and what it can do. The dots at the foot of a card are its "
                "price."
            ),
            styles=("css/kingdoms/cards.css", "css/kingdoms/help.css"),
            rulings=kingdoms_rulings.RULINGS,
            initials=kingdoms_rulings.INITIALS,
            details=kingdoms_rulings.DETAILS,
            chapters=kingdoms_rulings.CHAPTERS,
            players=kingdoms_words.PLAYERS,
            pictures=kingdoms_pictures.pictures,
            emblem=kingdoms_pictures.emblem,
        ),
        lessons=(kingdoms.KINGDOMS,),
        urls=kingdoms_urls.urlpatterns,
    ),
}


def register() -> None:
    """Give each package its part of every family. Raises `ImproperlyConfigured` if a ruleset's family has no entry."""
    if missing := sorted({ruleset.family for ruleset in RULESETS.values()} - set(FAMILIES)):
        raise ImproperlyConfigured(f"FAMILIES in games/families.py has no entry for: {', '.join(missing)}.")
    for name, family in FAMILIES.items():
        tables.PARTS[name] = family.table
        deliveries.PARTS[name] = family.messages
        helps.PARTS[name] = family.help
        LESSONS.update({lesson.slug: lesson for lesson in family.lessons})
