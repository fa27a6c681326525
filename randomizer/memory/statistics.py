"""Statistics of played games: results of players, ratings, and how often cards and boxes were used.

Players who share a victory have a win each. A game without a known winner counts as a game, but neither as a
win nor as a loss. Players whose names differ only in case, width or spaces are the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict

from randomizer.cards.game import Game
from randomizer.cards.model import Card
from randomizer.memory.intervals import (
    CONFIDENCE,
    Estimate,
    SampleSize,
    estimate_mean,
    estimate_proportion,
)
from randomizer.memory.played_game import MAX_RATING, PlayedGame, get_player_key
from randomizer.memory.search import find_games
from randomizer.setup.document import Named, NamedCard
from randomizer.setup.texts import combine_names
from randomizer.text.language import ENGLISH, Language
from randomizer.text.slugs import slugify

_Rating = Annotated[Estimate, "the ratings, 1 to 5, of the games with it"]


class PlayerStatistics(TypedDict):
    """The results of a player. `won` is the proportion of wins among the games with a known winner."""

    name: Annotated[str, "as it was typed last"]
    games: SampleSize
    wins: SampleSize
    won: Estimate
    score: Annotated[Estimate, "the known scores"]


class CardStatistics(NamedCard):
    """A card that was on the table in `games` games."""

    games: SampleSize
    rating: _Rating


class BoxStatistics(Named):
    """A box of which at least one card was on the table in `games` games."""

    slug: str
    games: SampleSize
    rating: _Rating


class UnusedCard(NamedCard):
    """A Kingdom card or landscape of the user's boxes that was on no table. `box` is a slug."""

    box: str


class Statistics(TypedDict):
    """Statistics of the games that were played with one game.

    The cards on a table are its Kingdom piles, landscapes, other chosen piles and cards set aside. Cards and
    boxes are sorted by mean rating, the best first; players by number of games.
    """

    schema: Literal[1]
    game: str
    games: SampleSize
    first: Annotated[str, "the date of the first game"]
    last: Annotated[str, "the date of the last game"]
    confidence: Annotated[float, "the level of all confidence intervals"]
    players: list[PlayerStatistics]
    cards: list[CardStatistics]
    boxes: list[BoxStatistics]
    owned: Annotated[list[str], "slugs of the boxes in which `unused` cards were searched"]
    unused: list[UnusedCard]


def compute_statistics(
    games: Iterable[PlayedGame],
    game: Game,
    languages: Iterable[Language],
    owned_boxes: Sequence[str] = (),
    **criteria: str,
) -> Statistics:
    """Compute the statistics of played games.

    Args:
        games: the played games. Only those that were played with `game` are used.
        game: the game whose statistics to compute.
        languages: the languages of the translations of names.
        owned_boxes: the slugs of the user's boxes.
        criteria: the criteria `player`, `since` and `until` of `find_games`.

    Raises:
        BadOptions: a criterion is not a date.
        NoResult: no game meets the criteria.
    """
    translations = [language for language in languages if language.code != ENGLISH]
    games = find_games([played for played in games if played.game == game.name], {}, **criteria)
    games.sort(key=lambda played: played.date)
    games_by_card: dict[str, list[PlayedGame]] = {}
    games_by_box: dict[str, list[PlayedGame]] = {}
    for played in games:
        for name in played.cards:
            games_by_card.setdefault(name, []).append(played)
        for slug in _find_boxes(played, game):
            games_by_box.setdefault(slug, []).append(played)
    return {
        "schema": 1,
        "game": game.name,
        "games": len(games),
        "first": games[0].date,
        "last": games[-1].date,
        "confidence": CONFIDENCE,
        "players": _describe_players(games),
        "cards": [
            {**_build_card_name(name, translations), "games": game_count, "rating": rating}
            for name, game_count, rating in _rank_by_rating(games_by_card)
        ],
        "boxes": [
            {
                **combine_names(
                    game.boxes[slug].name, {language.code: language.boxes[slug] for language in translations}
                ),
                "slug": slug,
                "games": game_count,
                "rating": rating,
            }
            for slug, game_count, rating in _rank_by_rating(games_by_box)
        ],
        "owned": list(owned_boxes),
        "unused": [
            {**_build_card_name(card.name, translations), "box": _choose_box(card, owned_boxes, game)}
            for card in game.find_cards(owned_boxes)
            if card.name not in games_by_card and _can_be_dealt(card, game)
        ],
    }


# ── Players ──


def _describe_players(games: Iterable[PlayedGame]) -> list[PlayerStatistics]:
    """Return the statistics of each player, sorted by number of games, then by name.

    Args:
        games: the games, the oldest first.
    """
    results_by_player: dict[str, list[tuple[str, PlayedGame, int | None]]] = {}
    for game in games:
        for name, score in game.players:
            results_by_player.setdefault(get_player_key(name), []).append((name, game, score))
    players: list[PlayerStatistics] = []
    for results in results_by_player.values():
        wins = sum(name in game.winners for name, game, _ in results)
        players.append(
            {
                "name": results[-1][0],
                "games": len(results),
                "wins": wins,
                "won": estimate_proportion(wins, sum(bool(game.winners) for _, game, _ in results)),
                "score": estimate_mean([score for _, _, score in results if score is not None]),
            }
        )
    return sorted(players, key=lambda player: (-player["games"], player["name"]))


# ── Cards and boxes ──


def _estimate_rating(games: Iterable[PlayedGame]) -> Estimate:
    """Estimate the mean rating of games. The confidence interval is limited to possible ratings."""
    estimate = estimate_mean([game.rating for game in games if game.rating])
    if estimate["low"] is not None and estimate["high"] is not None:
        estimate["low"], estimate["high"] = max(1, estimate["low"]), min(MAX_RATING, estimate["high"])
    return estimate


def _rank_by_rating(games_by_name: Mapping[str, Sequence[PlayedGame]]) -> list[tuple[str, int, Estimate]]:
    """Return the name, number of games and mean rating of each card or box.

    They are sorted by mean rating, number of ratings and number of games, the highest first, then by name.
    """

    def get_sort_key(item: tuple[str, int, Estimate]) -> tuple[Any, ...]:
        name, game_count, rating = item
        return -(rating["mean"] or 0), -rating["count"], -game_count, name

    rated = [(name, len(games), _estimate_rating(games)) for name, games in games_by_name.items()]
    return sorted(rated, key=get_sort_key)


def _build_card_name(name: str, translations: Iterable[Language]) -> NamedCard:
    """Return the id of a card, with its English name and its translations."""
    names = {language.code: language.translate_name(name) for language in translations}
    return {**combine_names(name, names), "id": slugify(name)}


def _can_be_dealt(card: Card, game: Game) -> bool:
    """Return whether the card is a Kingdom pile or a landscape."""
    kind = game.kinds[card.kind]
    return kind.place == "kingdom" or kind.is_ == "landscape"


def _find_boxes(played: PlayedGame, game: Game) -> Iterator[str]:
    """Yield the slugs of the boxes from which cards were on the table, without duplicates."""
    chosen = played.options.get("sets")
    chosen = chosen if isinstance(chosen, list) else []
    cards = [game.cards[name] for name in played.cards if name in game.cards]
    yield from dict.fromkeys(_choose_box(card, chosen, game) for card in cards)


def _choose_box(card: Card, chosen: Sequence[Any], game: Game) -> str:
    """Return the slug of the first chosen box with the card, or else of the newest box of the card's set."""
    boxes_of_set = [slug for slug in card.boxes if card.set in game.boxes[slug].holds]
    return next((slug for slug in card.boxes if slug in chosen), (boxes_of_set or card.boxes)[-1])
