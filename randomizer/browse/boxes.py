"""Resolves the arguments of `--sets` to boxes."""

from collections.abc import Iterable, Iterator, Sequence

from randomizer.cards.editions import (
    ALL,
    EVERY_EDITION,
    find_newer_edition,
    find_newest_edition,
    is_only_announced,
    list_box_slugs,
    map_box_names,
    strip_edition,
)
from randomizer.cards.game import MAX_COPIES, Game
from randomizer.load.languages import load_all
from randomizer.text.errors import BadOptions, UnknownName, find_suggestions
from randomizer.text.language import (
    Language,
    Message,
    Slug,
    Verbatim,
    as_verbatim,
    join_with_or,
    message,
    quote,
)
from randomizer.text.slugs import slugify, split_at_commas


def resolve_boxes(arguments: Iterable[str], game: Game, cache: str | None = None) -> tuple[str, ...]:
    """Return the slugs of the boxes that the arguments name, in the order of the data files.

    An argument is a slug, a name in any language (with or without its spaces), an unambiguous prefix of a
    name, `all` (every box in its newest edition) or `all-editions`; or several of these, separated by commas.
    A card that is sold separately, such as a promo, counts as a box.

    Raises:
        UnknownName: no box has one of the names.
        BadOptions: a prefix is ambiguous, the cards of a box are not known yet, or no box is named.
    """
    chosen: set[str] = set()
    for word in split_at_commas(arguments):
        if word in game.boxes:
            chosen.add(word)
        elif newest := find_newest_edition(word, game):
            chosen.add(newest)
        elif word in (ALL, EVERY_EDITION):
            chosen |= list_box_slugs(game, newest=word == ALL)
        else:
            chosen |= _find_by_name(word, game, load_all(game, cache))
    for slug in sorted(chosen & set(game.boxes)):
        if is_only_announced(slug, game):
            box = Slug(slug, game.boxes[slug].name)
            raise BadOptions("{box} has been announced, but its cards are not known yet.", box=box)
    if not chosen:
        raise BadOptions("name at least one box, such as --sets base.")
    order = [*game.boxes, *sorted(chosen - set(game.boxes))]
    return tuple(slug for slug in order if slug in chosen)


def explain_editions(words: Iterable[str], chosen: Sequence[str], game: Game) -> Iterator[Message]:
    """Yield a remark about each chosen box that is not the newest edition, if its name does not say so.

    Args:
        words: the names that the user typed.
        chosen: the slugs of the boxes that they mean.
        game: the game.
    """
    typed = set(map(slugify, words))
    for slug in chosen:
        newer = find_newer_edition(slug, game) if slug in game.boxes else None
        base = strip_edition(slug)
        names_edition = f"{base}-{game.boxes[slug].edition}e" in typed if newer else True
        if newer and newer not in chosen and not names_edition and (slug == base or base in typed):
            yield message(
                "{box} is the box of {year}; for the newer edition ({other}), type --sets {name}.",
                box=Slug(slug, game.boxes[slug].name),
                year=str(game.boxes[slug].year),
                other=Slug(newer, game.boxes[newer].name),
                name=Verbatim(f"{slug}-{game.boxes[newer].edition}e" if slug in game.sets else newer),
            )


def _find_by_name(word: str, game: Game, languages: Sequence[Language]) -> set[str]:
    """Return the slugs of the boxes that a word means in English, or else in any of the languages.

    Raises:
        UnknownName: no box has this name.
        BadOptions: the word is the beginning of several names.
    """
    suggestions: dict[str, None] = {}
    for slugs_by_name in (map_box_names(game, ()), map_box_names(game, languages)):
        if found := _find_in_names(word, slugs_by_name, game):
            return found
        suggestions = suggestions or dict.fromkeys(
            map(strip_edition, find_suggestions(slugify(word), slugs_by_name, 5))
        )
    hint = message("`dominion-setup sets` lists all boxes")
    raise UnknownName("set", word, as_verbatim(suggestions), hint)


def _find_in_names(word: str, slugs_by_name: dict[str, set[str]], game: Game) -> set[str]:
    """Return the slugs of the boxes with this name, or with the only name that has this prefix.

    The name may be written without its spaces: `darkages`. The result is empty if there is no such name.

    Raises:
        BadOptions: the word is the beginning of several names.
    """
    key = slugify(word)
    if key in slugs_by_name:
        return slugs_by_name[key]
    joined_key = key.replace("-", "")
    slugs_by_joined_name = {name.replace("-", ""): slugs for name, slugs in slugs_by_name.items()}
    if joined_key in slugs_by_joined_name:
        return slugs_by_joined_name[joined_key]
    matches = [name for name in slugs_by_name if joined_key and name.replace("-", "").startswith(joined_key)]
    # Prefer names of complete boxes that do not include an edition. Keep only the shortest name of each box.
    complete_box_names = [
        name for name in matches if strip_edition(name) == name and slugs_by_name[name] <= set(game.boxes)
    ]
    candidates = {
        min(slugs_by_name[name]): name
        for name in sorted(complete_box_names or matches, key=len, reverse=True)
    }
    if len(candidates) == 1:
        return slugs_by_name[next(iter(candidates.values()))]
    if candidates:
        names = join_with_or(as_verbatim(sorted(candidates.values())))
        raise BadOptions("{word} is ambiguous: it could be {names}.", word=quote(word), names=names)
    return set()


def parse_copies(arguments: Iterable[str], game: Game) -> dict[str, int]:
    """Return the number of copies of each box that the arguments name, by its slug, in the order of the data.

    An argument is a name as for `resolve_boxes`, an equals sign and a number, or several of these, separated
    by commas. Of several numbers for a box, the last one counts.

    Raises:
        UnknownName: no box has one of the names.
        BadOptions: a number is missing or out of range, or a prefix is ambiguous.
    """
    copies: dict[str, int] = {}
    for text in split_at_commas(arguments):
        name, _, number = text.partition("=")
        is_number = number.strip().isascii() and number.strip().isdecimal() and len(number) < 10
        if not (name.strip() and is_number and 1 <= int(number) <= MAX_COPIES):
            template = "--copies {text}: write a box and a number from 1 to {most}, such as base=2."
            raise BadOptions(template, text=Verbatim(text), most=MAX_COPIES)
        copies.update(dict.fromkeys(resolve_boxes([name.strip()], game), int(number)))
    order = [*game.boxes, *sorted(copies.keys() - game.boxes.keys())]
    return {slug: copies[slug] for slug in order if slug in copies}
