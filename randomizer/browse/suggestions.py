"""The kingdoms that the rulebooks suggest: found by name, listed, shown."""

from collections.abc import Iterable, Sequence
from typing import Any

from randomizer.cards.editions import list_box_slugs
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import format_kingdom
from randomizer.deal.growing import list_questions
from randomizer.deal.unused import RandomSource
from randomizer.load.kingdoms import SuggestedKingdom, group_boxes_by_edition, load_kingdoms
from randomizer.text.errors import BadOptions
from randomizer.text.folding import normalize_key
from randomizer.text.language import Language, as_verbatim, join_with_or, quote
from randomizer.text.screen import Style
from randomizer.text.slugs import slugify
from randomizer.text.width import render_table, wrap

RANDOM_KINGDOM = "any"


def find_suggested_kingdom(
    name: str, game: Game, chosen: Sequence[str] | None = None
) -> SuggestedKingdom | None:
    """The suggested kingdom that is called so, by its name in any language or by its id; None if none is.

    Args:
        chosen: slugs of the boxes at hand, as for `read`.

    Raises:
        BadOptions: several are, of which these boxes can lay out none or several.
    """
    every = load_kingdoms(game)
    by_id = {kingdom.id: kingdom for kingdom in every}
    if slugify(name) in by_id and (kingdom := by_id[slugify(name)]).id != slugify(kingdom.name):
        return kingdom
    key = normalize_key(name)
    found = [
        kingdom
        for kingdom in every
        if key in (normalize_key(kingdom.name), *(normalize_key(other) for _, other in kingdom.names))
    ]
    if len(found) < 2:
        return found[0] if found else by_id.get(slugify(name))
    fitting = filter_playable(found, game, chosen or tuple(list_box_slugs(game, newest=True)))
    if len(fitting) == 1:
        return fitting[0]
    ids = join_with_or(as_verbatim(kingdom.id for kingdom in fitting or found))
    if chosen is None or fitting:
        raise BadOptions("{name}: several lists are called so; name {ids}.", name=quote(name), ids=ids)
    raise BadOptions("{name}: these boxes hold none of them; name {ids}.", name=quote(name), ids=ids)


def filter_playable(
    kingdoms: Iterable[SuggestedKingdom], game: Game, chosen: Sequence[str]
) -> list[SuggestedKingdom]:
    """Those of which the chosen boxes hold every card that is named."""
    cards = {card.name for card in game.find_cards(chosen)}
    with_ = {
        question.option: {
            name for effect in question.then for name in effect.brings(game.get_pool(tuple(chosen)))
        }
        for question in list_questions(game.opening)
    }
    return [
        kingdom
        for kingdom in kingdoms
        if cards.issuperset(kingdom.to_kingdom().names())
        and all(cards.issuperset(with_[option]) for option in kingdom.use)
    ]


def draw_kingdom(game: Game, request: Request) -> SuggestedKingdom:
    """One of the suggested kingdoms that the boxes asked for can lay out, without what is banned.

    Each is as likely as any other.

    Raises:
        BadOptions: they can lay out none.
    """
    fitting = sorted(
        filter_playable(load_kingdoms(game), game, request.chosen), key=lambda kingdom: kingdom.id
    )
    if request.wishes.without:
        from randomizer.deal.wishes.matching import (
            find_ban,  # most requests ban nothing, and start the sooner
        )

        def allowed(kingdom: SuggestedKingdom) -> bool:
            chosen = (name for _, names in kingdom.chosen for name in names)
            named = (*kingdom.cards, *kingdom.landscapes, *chosen)
            return not any(find_ban(game, request.wishes, game.cards[name]) for name in named)

        fitting = list(filter(allowed, fitting))
    if not fitting:
        raise BadOptions("no suggested kingdom can be laid out with these boxes alone.")
    return fitting[RandomSource(request.seed, RANDOM_KINGDOM).randbelow(len(fitting))]


# ── Lists ──


def search_kingdoms(
    words: Sequence[str], game: Game, languages: Sequence[Language], chosen: Sequence[str] = ()
) -> list[SuggestedKingdom]:
    """The suggested kingdoms in which every word occurs: in its name, its sets, or the cards it names.

    Args:
        words: in any language; a name as a whole finds only the kingdoms that are called so.
        chosen: slugs of boxes; if any are given, only kingdoms that these can lay out.
    """
    every = load_kingdoms(game)
    found = filter_playable(every, game, chosen) if chosen else list(every)
    whole = normalize_key("".join(words))
    exact = [one for one in found if whole in (normalize_key(one.id), *map(normalize_key, _names(one)))]
    if exact or not whole:
        return exact or found
    return [one for one in found if all(_says(one, normalize_key(word), game, languages) for word in words)]


def _names(kingdom: SuggestedKingdom) -> list[str]:
    return [kingdom.name, *(name for _, name in kingdom.names)]


def _says(kingdom: SuggestedKingdom, word: str, game: Game, languages: Sequence[Language]) -> bool:
    """Whether the word occurs in what the kingdom is called, where it is from, or what is in it."""
    cards = list(kingdom.to_kingdom().names())
    texts = [kingdom.id, *_names(kingdom), *kingdom.sets, *cards]
    texts += [language.translate_name(card) for language in languages for card in cards]
    texts += [_source(name, game, language) for language in languages for name in kingdom.sets]
    return any(word in normalize_key(text) for text in texts)


def _source(name: str, game: Game, language: Language) -> str:
    """What a set, a box, or a set in one edition is called."""
    if name in language.boxes:
        return language.boxes[name]
    set_, _, edition = name.rpartition("-")
    whole = language.sets.get(name)
    return whole or f"{language.sets.get(set_, set_)} {edition.upper()}"


def render_kingdoms(
    kingdoms: Sequence[SuggestedKingdom], game: Game, language: Language, style: Style
) -> str:
    """The kingdoms as a table."""
    rows = [
        (
            one.id,
            dict(one.names).get(language.code, one.name),
            language.join(_source(name, game, language) for name in one.sets),
            language.translate_names((*one.cards, *one.landscapes)),
        )
        for one in kingdoms
    ]
    heads = [language.translate(head) for head in ("--kingdom", "name", "set", "cards")]
    lines = render_table(heads, rows, style.columns)
    return "\n".join([style.style_heading(lines[0]), *lines[1:]])


def render_kingdom(kingdom: SuggestedKingdom, game: Game, language: Language, style: Style) -> str:
    """All of a kingdom: what it is called, where it is from, and what it lays out."""
    translate, name = language.translate, language.translate_name
    called_ = dict.fromkeys((dict(kingdom.names).get(language.code, kingdom.name), kingdom.name, kingdom.id))
    facts = [translate("in {text}", text=language.join(_source(one, game, language) for one in kingdom.sets))]
    facts.append(language.translate_names(kingdom.cards))
    if kingdom.landscapes:
        on = dict(kingdom.on)
        facts.append(
            language.join(
                name(one) + (f" ({name(on[one])})" if one in on else "") for one in kingdom.landscapes
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
        style.style_heading(" · ".join(called_)),
        *(line for fact in facts for line in wrap(fact, style.columns, "  ")),
    ]
    return "\n".join(lines)


def build_kingdom_facts(kingdom: SuggestedKingdom, game: Game) -> dict[str, Any]:
    """A kingdom for programs: `boxes` are all that its books may mean, `kingdom` is what to type for it."""
    editions = group_boxes_by_edition(game)
    held = {slug for name in kingdom.sets for slug in editions[name]}
    return {
        "id": kingdom.id,
        "name": kingdom.name,
        "names": dict(kingdom.names),
        "sets": list(kingdom.sets),
        "boxes": [slug for slug in game.boxes if slug in held],
        "cards": list(kingdom.cards),
        "landscapes": list(kingdom.landscapes),
        "chosen": {question: list(cards) for question, cards in kingdom.chosen},
        "on": dict(kingdom.on),
        "use": list(kingdom.use),
        "kingdom": format_kingdom(kingdom.to_kingdom()),
    }
