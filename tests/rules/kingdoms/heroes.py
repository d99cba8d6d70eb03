"""Cards by short names: A7 an Attack Hero of 7, C9 a Champion, S1 a Support, E Q P X the Kingdom Heroes by rank."""

from hypothesis import strategies as st

from games.rules.kingdoms.deck import RANKS, card, deck

KINDS = {"A": "attack", "C": "champion", "S": "support"}
RANK_OF = dict(zip("EQPX", RANKS, strict=True))


def heroes(words: str, suit: str = "") -> tuple[str, ...]:
    """Return cards by short names, each the first that fits and is not yet used; other words are Epics or Bosses."""
    chosen: list[str] = []
    for word in words.split():
        chosen.append(
            next(card_id for card_id in deck(1) if card_id not in chosen and suit in card_id and _fits(card_id, word))
        )
    return tuple(chosen)


def _fits(card_id: str, word: str) -> bool:
    hero = card(card_id)
    if word in RANK_OF:
        return hero.rank == RANK_OF[word]
    if word[0] in KINDS:
        return (hero.kind, str(hero.value)) == (KINDS[word[0]], word[1:])
    return card_id.endswith(f"-{word}")


def kinds(cards: tuple[str, ...]) -> tuple[tuple[object, ...], ...]:
    """Return the sorted kinds of the cards, without their suits."""
    kinds_of_cards = ((hero.kind, hero.value, hero.rank or "", hero.power or "") for hero in map(card, cards))
    return tuple(sorted(kinds_of_cards))


def hands(most: int, least: int = 0, decks: int = 1) -> st.SearchStrategy[list[str]]:
    """Draw different cards of the deck, in any order."""
    return st.lists(st.sampled_from(deck(decks)), min_size=least, max_size=most, unique=True)
