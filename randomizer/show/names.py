"""The kingdom of a setup as a list of names, in the reader's language, that `--kingdom` reads again."""

from collections.abc import Callable

from randomizer.show.page import Page
from randomizer.text.errors import UnknownName
from randomizer.text.screen import Style


def render(page: Page, style: Style) -> str:
    """The names in one line, however long it is; the style does not change it."""
    translate = page.language.translate
    return page.join(
        list_kingdom_names(
            page,
            page.language.translate_name,
            lambda option, title, answer: translate(
                "{title}: {text}", title=title, text=translate("yes" if answer else "no")
            ),
        )
    )


def list_kingdom_names(
    page: Page, called: Callable[[str], str], answered: Callable[[str, str, bool], str]
) -> list[str]:
    """The names of the kingdom of a setup; where it has none, or none is known, its gist without the seed.

    In brackets after a name stands what is chosen for that card, or the pile that it lies with.

    Args:
        called: what a card or a choice is called.
        answered: a question of setup, by its option and title, with its answer.
    """
    try:
        names = _names(page, called)
        return [*names, *(answered(*question) for question in page.answers)] if names else page.gist[1:]
    except UnknownName:  # there are no data for such a game here
        return page.gist[1:]


def _names(page: Page, called: Callable[[str], str]) -> list[str]:
    kingdom, game = page.kingdom, page.game
    apart = [  # landscapes, which are known by their own names
        question
        for question, names in kingdom.chosen.items()
        if all(name in game.cards and game.kinds[game.cards[name].kind].is_ == "landscape" for name in names)
    ]
    left = {question: names for question, names in kingdom.chosen.items() if question not in apart}

    def whole(name: str) -> str:
        inside = [called(kingdom.on[name])] if name in kingdom.on else []
        for effect in game.setup.get(name, ()):
            if choice := effect.choice(name):
                inside += map(whole, left.pop(choice.question, ()))
        return f"{called(name)} ({', '.join(inside)})" if inside else called(name)

    landscapes = [name for question in apart for name in kingdom.chosen[question]]
    names = [whole(name) for name in (*kingdom.cards, *kingdom.landscapes, *landscapes)]
    while left:  # nothing here asks for it
        question = next(iter(left))
        chosen = left.pop(question)
        names.append(f"{called(question)} ({', '.join(map(whole, chosen))})")
    return names
