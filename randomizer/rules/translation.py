"""Translates queries in languages without rulebooks to English.

The search index knows English and the languages of the rulebooks. In all other languages, the names of cards
and types are known, and the words for the most common concepts.
"""

from collections.abc import Iterable

from randomizer.rules.index import Index
from randomizer.text.folding import fold, normalize_key
from randomizer.text.language import Language
from randomizer.text.slugs import remove_accents

_MAX_WORDS = 4  # words in a name or in the term for a concept


def translate_query(index: Index, query: str, own: Language) -> str:
    """Return a query in which names and terms in languages without rulebooks are replaced by English ones.

    A query in the user's own language may be a question. In any other language, it has to consist of a single
    name or term. A query that the index knows is returned unchanged.

    Args:
        index: the search index.
        query: the query.
        own: the user's language.

    Raises:
        UnknownName: in other languages than the user's, the query is the name of several cards.
    """
    words = query.split()
    if not words or _is_known(index, query) or (own.has_rulebooks and len(words) > _MAX_WORDS):
        return query
    # Most look-ups need no game.
    from randomizer.cards.library import require_single_name
    from randomizer.load import games
    from randomizer.load.languages import load_all, load_all_card_names

    game = games.load(index.default_game if index.default_game in games.list_games() else "")
    names, languages = load_all_card_names(game).prefer(own.code), load_all(game)
    key = normalize_key(query)
    own_terms = _map_terms([own])
    if key in own_terms:
        return own_terms[key]
    if cards := game.cards.find_names(names.values(), normalize_key).get(key):
        return require_single_name(cards, query, list)
    if term := _map_terms(languages).get(key):
        return term
    if own.has_rulebooks:
        return query
    translations = {
        **own_terms,
        **{name: cards[0] for name, cards in game.cards.find_names([names[own.code]], normalize_key).items()},
    }
    return _replace_terms(words, translations)


def _is_known(index: Index, query: str) -> bool:
    """Return whether a query is a name in the index.

    English plurals do not count: German `Hexe` is not the plural `hexes` without its ending.
    """
    targets = index.find_exact(fold(query))
    names = {*targets.cards}
    for doc_ids in targets.doc_ids_by_role.values():
        for entry in map(index.entry, doc_ids):
            names.update((entry.id, entry.reading, *entry.title.values(), *entry.aliases))
    return bool(names) and (not query.isascii() or normalize_key(query) in map(normalize_key, names))


def _map_terms(languages: Iterable[Language]) -> dict[str, str]:
    """Map the normalized names of types and concepts in languages to English, with and without accents."""
    found: dict[str, str] = {}
    for language in languages:
        terms = [*((name, type_) for type_, name in language.types.items()), *language.concepts.items()]
        for normalize in (remove_accents, str):  # The exact spelling takes precedence.
            found.update((normalize_key(normalize(word)), term) for word, term in terms)
    return found


def _replace_terms(words: list[str], translations: dict[str, str]) -> str:
    """Replace the terms in a question from left to right, the longest first.

    Args:
        words: the words of the question.
        translations: the English term for each normalized term.
    """
    result = []
    while words:
        for count in range(min(_MAX_WORDS, len(words)), 0, -1):
            if term := translations.get(normalize_key(" ".join(words[:count]))):
                break
        result.append(term or words[0])
        words = words[count:]
    return " ".join(result)
