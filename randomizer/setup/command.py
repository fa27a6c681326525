"""The command that deals a table again."""

from shlex import quote

from randomizer.cards.editions import shortest
from randomizer.cards.game import Game, Request
from randomizer.text.slugs import flag


def command(game: Game, request: Request) -> str:
    """What to type to deal the same table again."""
    words = ["dominion-setup"]
    if request.game:
        words += ["--game", request.game]
    if len(game.boxes) > 1:
        words += ["--sets", shortest(request.chosen, game)]
    words += ["--players", str(request.players)]
    for name, value in request.settings.items():
        if isinstance(value, bool):
            words.append(flag(name if value else f"no_{name}"))
        else:
            words += [flag(name), str(value)]
    for file in request.files:
        words += ["--cards", file]
    words += ["--seed", request.seed]
    return " ".join(map(quote, words))
