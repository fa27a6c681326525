"""The format `names`: the names of the cards in the kingdom, in the user's language.

The option `--kingdom` can read this format.
"""

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
    """Return the names of the cards and landscapes in the kingdom, and the answers to the setup questions.

    A name may be followed by other names in parentheses: the cards that were chosen for a card (for example,
    the Bane of Young Witch), or the pile to which a landscape belongs. If the kingdom is unknown or empty,
    the parts of the one-line summary are returned instead, except for the seed.

    Args:
        page: the setup in the language of the user.
        format_name: formats the name of a card, of a landscape, or of a choice that no listed card makes.
        format_answer: formats the answer to a setup question. Arguments: the option, title and answer.
    """
    try:
        names = _format_names(page, format_name)
        answers = [format_answer(*answer) for answer in page.answers]
    except UnknownName:  # The game of the setup is not installed.
        return page.gist[1:]
    return [*names, *answers] if names else page.gist[1:]


def is_landscape(page: Page, name: str) -> bool:
    """Return whether a card of the setup is a landscape that its game knows."""
    game = page.game
    return name in game.cards and game.kinds[game.cards[name].kind].is_ == "landscape"


def _format_names(page: Page, format_name: Callable[[str], str]) -> list[str]:
    kingdom, game = page.kingdom, page.game
    # Landscapes that were chosen get their own entries. Chosen cards follow the card that needs them.
    landscapes: list[str] = []
    chosen_by_question: dict[str, Sequence[str]] = {}
    for question, names in kingdom.chosen.items():
        if all(is_landscape(page, name) for name in names):
            landscapes += names
        else:
            chosen_by_question[question] = names

    def format_with_choices(name: str) -> str:
        names_inside = [format_name(kingdom.on[name])] if name in kingdom.on else []
        for effect in game.setup.get(name, ()):
            if choice := effect.choice(name):
                names_inside += map(format_with_choices, chosen_by_question.pop(choice.question, ()))
        return f"{format_name(name)} ({', '.join(names_inside)})" if names_inside else format_name(name)

    texts = [format_with_choices(name) for name in (*kingdom.cards, *kingdom.landscapes, *landscapes)]
    while chosen_by_question:  # No card in the kingdom asks these questions.
        question = next(iter(chosen_by_question))
        chosen = chosen_by_question.pop(question)
        texts.append(f"{format_name(question)} ({', '.join(map(format_with_choices, chosen))})")
    return texts
