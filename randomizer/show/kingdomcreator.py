"""The format `kingdomcreator`: the address of the page of KingdomCreator that shows the kingdom.

The address has a query parameter for the Kingdom cards, one for each kind of landscape, and one for each
choice: https://github.com/blakevanlan/KingdomCreator, src/randomizer/serializer.ts. The id of a card there is
its English name without spaces and punctuation, as `normalize_key` returns it. That page shows no more
than it has room for, but `--kingdom` reads everything in the address.
"""

from randomizer.show.names import is_landscape
from randomizer.show.page import Page
from randomizer.text.errors import UnknownName
from randomizer.text.folding import normalize_key
from randomizer.text.screen import Style
from randomizer.text.slugs import slugify

_URL = "https://kingdomcreator.me/"


def render(page: Page, style: Style) -> str:
    """Render the address in one line. The language and the style are ignored."""
    try:
        params = _list_params(page)
    except UnknownName:  # The game of the setup is not installed.
        params = {}
    return f"{_URL}?" + "&".join(f"{name}={','.join(values)}" for name, values in params.items())


def _list_params(page: Page) -> dict[str, list[str]]:
    """Return the values of each query parameter.

    Raises:
        UnknownName: the game of the setup is not installed.
    """
    kingdom, game = page.kingdom, page.game
    chosen = dict(kingdom.chosen)
    landscapes = list(kingdom.landscapes)
    for names in kingdom.chosen.values():
        landscapes += (name for name in names if is_landscape(page, name))
    params = {"supply": [normalize_key(name) for name in kingdom.cards]}
    for name in landscapes:
        inside = [normalize_key(kingdom.on[name])] if name in kingdom.on else []
        for effect in game.setup.get(name, ()):
            if choice := effect.choice(name):
                inside += map(normalize_key, chosen.pop(choice.question, ()))
        text = f"{normalize_key(name)}({','.join(inside)})" if inside else normalize_key(name)
        kind = game.cards[name].kind if name in game.cards else "landscape"
        # Of the kinds that a card brings, there is only one card, so their parameters are in the singular.
        is_chosen = name not in kingdom.landscapes
        params.setdefault(kind if is_chosen else f"{kind}s", []).append(text)
    for question, names in chosen.items():
        kinds = {game.cards[name].kind for name in names if name in game.cards}
        if not any(is_landscape(page, name) for name in names):
            is_pile = not kinds or any(game.kinds[kind].is_ == "pile" for kind in kinds)
            params[slugify(question) if is_pile else f"{min(kinds)}s"] = list(map(normalize_key, names))
    for option, _, answer in page.answers:
        plural = f"{option.removesuffix('y')}ies" if option.endswith("y") else option
        params[plural] = ["1" if answer else "0"]
    return params
