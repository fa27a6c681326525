"""Translates queries in languages without rulebooks to English.

The search ranks only English and the languages of the rulebooks. In all other languages, the index has the
names of cards and types, and the words for the most common concepts.
"""

from collections.abc import Collection, Iterator, Sequence

from randomizer.rules.index import CARD_TERM_ROLES, CONCEPT_ROLE, Index, Meaning
from randomizer.text.errors import UnknownName
from randomizer.text.folding import fold, normalize_key
from randomizer.text.language import ENGLISH

_MAX_WORDS = 4  # words in a name or in the term for a concept


def translate_query(index: Index, query: str, own_code: str) -> str:
    """Return a query in which names and terms in languages without rulebooks are replaced by English ones.

    A query in the user's own language may be a question. In any other language, it has to consist of a single
    name or term. A query that the index knows is returned unchanged.

    Args:
        index: the search index.
        query: the query.
        own_code: the code of the user's language.

    Raises:
        UnknownName: in other languages than the user's, the query is the name of several cards.
    """
    words = query.split()
    has_rulebooks = own_code in index.titles[index.default_game]
    if not words or _is_known(index, query) or (has_rulebooks and len(words) > _MAX_WORDS):
        return query
    if found := _choose_meanings(index.find_meanings(normalize_key(query)), own_code):
        if len(found) > 1:
            raise UnknownName("card", query, found)
        return found[0]
    return query if has_rulebooks else _replace_terms(index, words, own_code)


def _is_known(index: Index, query: str) -> bool:
    """Return whether a query is a name in the index.

    English plurals do not count: German `Hexe` is not the plural `hexes` without its ending.
    """
    names, key = _iter_names(index, query), normalize_key(query)
    return any(not query.isascii() or normalize_key(name) == key for name in names)


def _iter_names(index: Index, query: str) -> Iterator[str]:
    """Yield the names of the cards and entries whose folded name is that of a query."""
    targets = index.find_exact(fold(query))
    yield from targets.cards
    for doc_ids in targets.doc_ids_by_role.values():
        for entry in map(index.entry, doc_ids):
            yield from (entry.id, entry.reading, *entry.title.values(), *entry.aliases)


def _choose_meanings(terms: Collection[Meaning], own_code: str) -> Sequence[str]:
    """Return the meanings of a name or term that take precedence, in English. Only cards can be several.

    The words of the user's own language for concepts come first, then names of cards: in English, in the
    user's language, and in the others. Names without their accents, and concepts in other languages, come
    last.

    Args:
        terms: all meanings of the name or term.
        own_code: the code of the user's language.
    """

    def rank(term: Meaning) -> tuple[int, int]:
        if term.role == CONCEPT_ROLE:
            return (0 if term.code == own_code else 5), int(term.is_unaccented)
        if term.is_unaccented:
            return 4, 0
        group = 1 if term.code == ENGLISH else 2 if term.code == own_code else 3
        return group, CARD_TERM_ROLES.index(term.role)

    best_rank = min(map(rank, terms), default=None)
    best = [term for term in terms if rank(term) == best_rank]
    meanings = list(dict.fromkeys(term.english for term in best))
    return meanings[-1:] if best and best[0].role == CONCEPT_ROLE else meanings


def _replace_terms(index: Index, words: Sequence[str], own_code: str) -> str:
    """Replace the terms in a question from left to right, the longest first. A card precedes a concept.

    Args:
        index: the search index.
        words: the words of the question.
        own_code: the code of the language of the terms.
    """
    result: list[str] = []
    while words:
        for count in range(min(_MAX_WORDS, len(words)), 0, -1):
            terms = index.find_meanings(normalize_key(" ".join(words[:count])))
            own_terms = [term for term in terms if term.code in (ENGLISH, own_code)]
            cards = [term for term in own_terms if term.role != CONCEPT_ROLE]
            if found := _choose_meanings(cards or own_terms, own_code):
                break
        result.append(found[0] if found else words[0])
        words = words[count:]
    return " ".join(result)
