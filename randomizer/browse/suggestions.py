"""Finds, draws, searches and renders kingdoms: those that rulebooks suggest, and the user's favourites."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, TypedDict

from randomizer.cards.editions import list_box_slugs
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import format_kingdom
from randomizer.deal.growing import list_questions
from randomizer.deal.unused import RandomSource
from randomizer.load.kingdoms import SuggestedKingdom, group_boxes_by_edition, load_kingdoms
from randomizer.memory import favourites
from randomizer.setup import document
from randomizer.setup.texts import combine_names
from randomizer.text.errors import BadOptions
from randomizer.text.folding import normalize_key
from randomizer.text.language import Language, as_verbatim, join_with_or, quote
from randomizer.text.screen import Style
from randomizer.text.slugs import slugify
from randomizer.text.width import render_table, wrap

RANDOM_KINGDOM = "any"
_FAVOURITE = "favourite"  # shown in lists in place of the set


class KingdomFacts(document.Named):
    """A recommended kingdom or a favourite. All cards and landscapes are English names."""

    id: Annotated[str, "as in `--kingdom kingdom:ID`"]
    favourite: Annotated[bool, "whether it is one of the user's favourites"]
    sets: Annotated[list[str], "slugs of the sets and editions that its source names"]
    boxes: Annotated[list[str], "slugs of all boxes that these may refer to"]
    cards: Annotated[list[str], "the Kingdom cards"]
    landscapes: list[str]
    chosen: Annotated[dict[str, list[str]], "the cards of each choice, such as Bane"]
    on: Annotated[dict[str, str], "by landscape, the pile that it belongs to"]
    use: Annotated[list[str], "the options of setup that are used, such as `colony`"]
    argument: Annotated[str, document.LONG, "the value of --kingdom that lays it out"]


class KingdomList(TypedDict):
    """Recommended kingdoms and favourites; the favourites come first."""

    schema: Literal[1]
    kingdoms: list[KingdomFacts]


def find_suggested_kingdom(
    name: str, game: Game, chosen: Sequence[str] | None = None
) -> SuggestedKingdom | None:
    """Return the favourite or suggested kingdom with this id or name, or None if no kingdom matches.

    Args:
        name: the name in any language, or the id.
        game: the game.
        chosen: slugs of the user's boxes, which decide between kingdoms with the same name. None means
            the newest editions of all boxes.

    Raises:
        BadOptions: several kingdoms have this name, and the boxes do not contain the cards of exactly one.
    """
    if favourite := favourites.find(name, game):
        return favourite
    kingdoms = load_kingdoms(game)
    kingdoms_by_id = {kingdom.id: kingdom for kingdom in kingdoms}
    if slugify(name) in kingdoms_by_id and (kingdom := kingdoms_by_id[slugify(name)]).id != slugify(
        kingdom.name
    ):
        return kingdom
    key = normalize_key(name)
    matches = [
        kingdom
        for kingdom in kingdoms
        if key in (normalize_key(kingdom.name), *(normalize_key(other) for _, other in kingdom.names))
    ]
    if len(matches) < 2:
        return matches[0] if matches else kingdoms_by_id.get(slugify(name))
    playable = filter_playable(matches, game, chosen or tuple(list_box_slugs(game, newest=True)))
    if len(playable) == 1:
        return playable[0]
    ids = join_with_or(as_verbatim(kingdom.id for kingdom in playable or matches))
    if chosen is None or playable:
        raise BadOptions("several kingdoms are called {name}; use {ids}.", name=quote(name), ids=ids)
    raise BadOptions(
        "several kingdoms are called {name}, and these boxes have the cards of none of them; use {ids}.",
        name=quote(name),
        ids=ids,
    )


def filter_playable(
    kingdoms: Iterable[SuggestedKingdom], game: Game, chosen: Sequence[str]
) -> list[SuggestedKingdom]:
    """Return the kingdoms whose cards are all in the chosen boxes."""
    available = {card.name for card in game.find_cards(chosen)}
    cards_by_option = {
        question.option: {
            name for effect in question.then for name in effect.brings(game.get_pool(tuple(chosen)))
        }
        for question in list_questions(game.opening)
    }
    return [
        kingdom
        for kingdom in kingdoms
        if available.issuperset(kingdom.to_kingdom().names())
        and all(available.issuperset(cards_by_option[option]) for option in kingdom.use)
    ]


def draw_kingdom(game: Game, request: Request) -> SuggestedKingdom:
    """Draw a random suggested kingdom whose cards are all in the requested boxes and not excluded.

    All eligible kingdoms are equally likely.

    Raises:
        BadOptions: no kingdom is eligible.
    """
    eligible = sorted(
        filter_playable(load_kingdoms(game), game, request.chosen), key=lambda kingdom: kingdom.id
    )
    if request.wishes.bans:
        from randomizer.deal.wishes.bans import find_ban  # Most requests do not need this module.

        def is_allowed(kingdom: SuggestedKingdom) -> bool:
            chosen = (name for _, names in kingdom.chosen for name in names)
            names = (*kingdom.cards, *kingdom.landscapes, *chosen)
            return not any(find_ban(game, request.wishes, game.cards[name]) for name in names)

        eligible = list(filter(is_allowed, eligible))
    if not eligible:
        raise BadOptions("no recommended kingdom can be built from these boxes alone.")
    return eligible[RandomSource(request.seed, RANDOM_KINGDOM).randbelow(len(eligible))]


# ── Lists ──


def list_kingdoms(game: Game) -> list[SuggestedKingdom]:
    """Return the user's favourites and the suggested kingdoms, in this order."""
    return [*favourites.load(game), *load_kingdoms(game)]


def search_kingdoms(
    words: Sequence[str],
    game: Game,
    languages: Sequence[Language],
    chosen: Sequence[str] = (),
    *,
    keep_favourites: bool = False,
) -> list[SuggestedKingdom]:
    """Return the kingdoms whose name, sets or cards contain every word.

    Args:
        words: words in any language. If together they form a complete name, only kingdoms with that name are
            returned.
        game: the game.
        languages: the languages to search in.
        chosen: slugs of boxes. Unless empty, only kingdoms that can be built from these boxes are returned.
        keep_favourites: whether to return favourites that need other boxes, too.
    """
    kingdoms = list_kingdoms(game)
    candidates = list(kingdoms)
    if chosen:
        playable = {kingdom.id for kingdom in filter_playable(kingdoms, game, chosen)}
        kept = favourites.Favourite if keep_favourites else ()
        candidates = [kingdom for kingdom in kingdoms if kingdom.id in playable or isinstance(kingdom, kept)]
    full_key = normalize_key("".join(words))
    exact_matches = [
        kingdom
        for kingdom in candidates
        if full_key in map(normalize_key, (kingdom.id, *_list_names(kingdom)))
    ]
    if exact_matches or not full_key:
        return exact_matches or candidates
    return [
        kingdom for kingdom in candidates if all(_contains(kingdom, word, game, languages) for word in words)
    ]


def _list_names(kingdom: SuggestedKingdom) -> list[str]:
    return [kingdom.name, *(name for _, name in kingdom.names)]


def _contains(kingdom: SuggestedKingdom, word: str, game: Game, languages: Sequence[Language]) -> bool:
    """Return whether a word occurs in the name, the sets or the cards of a kingdom, in any language."""
    cards = list(kingdom.to_kingdom().names())
    names = [kingdom.id, *_list_names(kingdom), *kingdom.sets, *cards]
    names += [language.translate_name(card) for language in languages for card in cards]
    names += [_translate_set_or_box(name, game, language) for language in languages for name in kingdom.sets]
    if isinstance(kingdom, favourites.Favourite):
        names += [language.translate(_FAVOURITE) for language in languages]
    key = normalize_key(word)
    return any(key in normalize_key(name) for name in names)


def _translate_set_or_box(name: str, game: Game, language: Language) -> str:
    """Return the name of a box, a set, or an edition of a set, given its slug, such as `base-2e`."""
    if name in language.boxes:
        return language.boxes[name]
    set_, _, edition = name.rpartition("-")
    return language.sets.get(name) or f"{language.sets.get(set_, set_)} {edition.upper()}"


def render_kingdoms(
    kingdoms: Sequence[SuggestedKingdom], game: Game, language: Language, style: Style
) -> str:
    """Render the kingdoms as a table."""
    rows = [
        (
            kingdom.id,
            dict(kingdom.names).get(language.code, kingdom.name),
            language.translate(_FAVOURITE)
            if isinstance(kingdom, favourites.Favourite)
            else language.join(_translate_set_or_box(name, game, language) for name in kingdom.sets),
            language.translate_names((*kingdom.cards, *kingdom.landscapes)),
        )
        for kingdom in kingdoms
    ]
    headings = [language.translate(heading) for heading in ("--kingdom", "name", "set", "cards")]
    lines = render_table(headings, rows, style.columns)
    return "\n".join([style.style_heading(lines[0]), *lines[1:]])


def render_kingdom(kingdom: SuggestedKingdom, game: Game, language: Language, style: Style) -> str:
    """Render a kingdom with its names, sets and cards, and its answers to the questions of setup."""
    translate, translate_name = language.translate, language.translate_name
    names = dict.fromkeys((dict(kingdom.names).get(language.code, kingdom.name), kingdom.name, kingdom.id))
    facts = [
        translate(
            "in {text}",
            text=language.join(_translate_set_or_box(slug, game, language) for slug in kingdom.sets),
        )
    ]
    facts.append(language.translate_names(kingdom.cards))
    if kingdom.landscapes:
        piles_by_landscape = dict(kingdom.on)
        facts.append(
            language.join(
                translate_name(name)
                + (f" ({translate_name(piles_by_landscape[name])})" if name in piles_by_landscape else "")
                for name in kingdom.landscapes
            )
        )
    for question, cards in kingdom.chosen:
        facts.append(translate("{title}: {text}", title=question, text=language.translate_names(cards)))
    facts += [
        translate(question.title)
        for question in list_questions(game.opening)
        if question.option in kingdom.use
    ]
    lines = [
        style.style_heading(" · ".join(names)),
        *(line for fact in facts for line in wrap(fact, style.columns, "  ")),
    ]
    return "\n".join(lines)


def build_kingdom_facts(kingdom: SuggestedKingdom, game: Game) -> KingdomFacts:
    """Return facts about a kingdom as JSON data."""
    boxes_by_edition = group_boxes_by_edition(game)
    slugs = {slug for name in kingdom.sets for slug in boxes_by_edition[name]}
    return {
        **combine_names(kingdom.name, dict(kingdom.names)),
        "id": kingdom.id,
        "favourite": isinstance(kingdom, favourites.Favourite),
        "sets": list(kingdom.sets),
        "boxes": [slug for slug in game.boxes if slug in slugs],
        "cards": list(kingdom.cards),
        "landscapes": list(kingdom.landscapes),
        "chosen": {question: list(cards) for question, cards in kingdom.chosen},
        "on": dict(kingdom.on),
        "use": list(kingdom.use),
        "argument": format_kingdom(kingdom.to_kingdom()),
    }
