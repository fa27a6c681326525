"""The kingdom of a setup as a list of names in the user's language, which `--kingdom` can read."""

from collections.abc import Callable, Sequence

from randomizer.show.page import Page
from randomizer.text.errors import UnknownName
from randomizer.text.screen import Style


def render(page: Page, style: Style) -> str:
    """Render the names in one line, which is never wrapped. The style is ignored."""
    translate = page.language.translate

    def format_answer(option: str, title: str, answer: bool) -> str:
        return translate("{title}: {text}", title=title, text=translate("yes" if answer else "no"))

    return page.join(list_kingdom_names(page, page.language.translate_name, format_answer))


def list_kingdom_names(
    page: Page, format_name: Callable[[str], str], format_answer: Callable[[str, str, bool], str]
) -> list[str]:
    """Return the names in the kingdom of a setup; if it has no known kingdom, its gist without the seed.

    Brackets after a name contain the cards chosen for that card, or the pile of a landscape.

    Args:
        page: the setup.
        format_name: formats the name of a card or a choice.
        format_answer: formats a question of setup, from its option, its title and its answer.
    """
    try:
        names = _format_names(page, format_name)
        answers = [format_answer(*answer) for answer in page.answers]
    except UnknownName:  # The setup is of a game that is not installed.
        return page.gist[1:]
    return [*names, *answers] if names else page.gist[1:]


def _format_names(page: Page, format_name: Callable[[str], str]) -> list[str]:
    kingdom, game = page.kingdom, page.game
    # Chosen landscapes are listed by themselves, and all other chosen cards after the card that needs them.
    landscapes: list[str] = []
    remaining: dict[str, Sequence[str]] = {}
    for question, names in kingdom.chosen.items():
        if all(name in game.cards and game.kinds[game.cards[name].kind].is_ == "landscape" for name in names):
            landscapes += names
        else:
            remaining[question] = names

    def format_with_choices(name: str) -> str:
        inside = [format_name(kingdom.on[name])] if name in kingdom.on else []
        for effect in game.setup.get(name, ()):
            if choice := effect.choice(name):
                inside += map(format_with_choices, remaining.pop(choice.question, ()))
        return f"{format_name(name)} ({', '.join(inside)})" if inside else format_name(name)

    texts = [format_with_choices(name) for name in (*kingdom.cards, *kingdom.landscapes, *landscapes)]
    while remaining:  # No card in the kingdom needs these.
        question = next(iter(remaining))
        chosen = remaining.pop(question)
        texts.append(f"{format_name(question)} ({', '.join(map(format_with_choices, chosen))})")
    return texts
