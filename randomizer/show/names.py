"""The kingdom of a setup as a list of names, in the reader's language, that `--kingdom` reads again."""

from collections.abc import Callable, Iterable

from randomizer.cards.game import Game
from randomizer.cards.kingdom import Kingdom
from randomizer.show.page import Page
from randomizer.text.style import Style


def render(page: Page, style: Style) -> str:
    """The names in one line, however long it is; the style does not change it."""
    language = page.language
    names = listed(page.kingdom, page.game, language.name)
    for _, title, answer in page.answers:
        said = language.say("yes" if answer else "no")
        names.append(language.say("{title}: {text}", title=title, text=said))
    return page.listed(names) if names else page.listed(page.gist)


def listed(kingdom: Kingdom, game: Game, called: Callable[[str], str]) -> list[str]:
    """The names of a kingdom; in brackets after a name, what is chosen for that card or lies with it.

    Args:
        called: what a card or a choice is called.
    """
    left = dict(kingdom.chosen)

    def asked_by(name: str) -> list[str]:
        choices = [effect.choice(name) for effect in game.setup.get(name, ())]
        asked = [choice.question for choice in choices if choice and choice.question in left]
        return [question for question in asked if question not in apart]

    def whole(name: str) -> str:
        inside = [called(kingdom.on[name])] if name in kingdom.on else []
        for question in asked_by(name):
            inside += map(whole, left.pop(question, ()))
        return f"{called(name)} ({', '.join(inside)})" if inside else called(name)

    apart = [question for question, names in left.items() if _lie_apart(names, game)]
    landscapes = [name for question in apart for name in left[question]]
    names = [whole(name) for name in (*kingdom.cards, *kingdom.landscapes, *landscapes)]
    rest = {question: chosen for question, chosen in left.items() if question not in apart}
    return [
        *names,
        *(f"{called(question)} ({', '.join(map(whole, chosen))})" for question, chosen in rest.items()),
    ]


def _lie_apart(names: Iterable[str], game: Game) -> bool:
    """Whether these are landscapes, which are listed by themselves and known by their names."""
    return all(name in game.cards and game.kinds[game.cards[name].kind].is_ == "landscape" for name in names)
