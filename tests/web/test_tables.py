"""A table on a page is the one of the command line, and its address says all of it."""

import json
import random
import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from starlette.testclient import TestClient

from randomizer.cards.game import Game
from randomizer.memory import played_games
from randomizer.show.formats import FORMATS
from randomizer.text.slugs import slugify
from randomizer.web.address import encode_query, parse_query
from tests.support import EXAMPLE_FACTOR, run
from tests.web.conftest import Serving


def typed(pairs: list[tuple[str, str]]) -> list[str]:
    """The options of an address as the command line has them."""
    words = []
    for name, value in pairs:
        if value in ("yes", "no"):
            words.append(f"--{name}" if value == "yes" else f"--no-{name}")
        else:
            words += [f"--{name}", value]
    return words


def anything(game: Game, dice: random.Random) -> list[tuple[str, str]]:
    """A request of any sort."""
    boxes = [slug for slug, box in game.boxes.items() if box.holds and not box.announced]
    chosen = dice.sample(boxes, dice.randint(2, 8))
    cards = [card.name for card in game.find_cards(chosen) if game.kinds[card.kind].place == "kingdom"]
    pairs = [("sets", ",".join(dice.choice([chosen, ["all"]]))), ("players", str(dice.randint(2, 6)))]
    options: dict[str, Callable[[], str]] = {
        "with": lambda: ",".join(dice.sample(cards, 2)).lower().replace(" ", "-").replace("'", ""),
        "without": lambda: dice.choice(["attack", "cost:potion", "duration", "type:victory"]),
        "want": lambda: dice.choice(["village", "treasure=1-3", "defence if attack"]),
        "weight": lambda: dice.choice(["attack=0.5", "village=3"]),
        "of": lambda: "2",
        "colony": lambda: dice.choice(["yes", "no"]),
        "shelters-by": lambda: dice.choice(["random-card", "last-card"]),
        "landscapes": lambda: str(dice.randint(0, 5)),
        "landscapes-from": lambda: "deck",
        "black-market": lambda: "20",
        "kingdom": lambda: dice.choice(["any", ", ".join(dice.sample(cards, 10))]),
        "swap": lambda: dice.choice(cards),
    }
    for name in dice.sample(list(options), dice.choice([0, 0, 1, 2, 3])):
        pairs.append((name, options[name]()))
    return [*pairs, ("seed", dice.choice(["k7f3", "a b", "種", "&=?#", "100%", str(dice.random())]))]


def test_any_url_gives_the_same_table_as_the_command_line(game: Game, client: TestClient) -> None:
    dice = random.Random(12)
    dealt = 0
    for _ in range(100 * EXAMPLE_FACTOR):
        pairs = anything(game, dice)
        result = run(*typed(pairs), "--json", "--no-keep")
        answer = client.get("/table.json?" + encode_query(pairs))
        assert (answer.status_code == 200) == (result.exit_code == 0), (pairs, result.stderr, answer.text)
        if result.exit_code == 0:
            assert answer.json() == json.loads(result.stdout), pairs
            dealt += 1
        else:
            first = result.stderr.splitlines()[-1].removeprefix("Error: ")
            assert first in unescape(answer.text)
    assert dealt > 50 * EXAMPLE_FACTOR


def laid(client: TestClient, query: str) -> str:
    """The address of the table that an address leads to."""
    answer = client.get(f"/table?{query}")
    assert answer.status_code in (200, 303), answer.text
    return str(answer.headers.get("location", f"/table?{query}"))


class TestAddresses:
    def test_url_has_the_complete_request_and_seed(self, client: TestClient) -> None:
        address = laid(client, "sets=base&sets=adventures&with=Witch&players=3&kingdom=&seed=")
        options = dict(parse_qsl(urlsplit(address).query))
        assert options.pop("seed")
        assert options == {"sets": "base,adventures", "players": "3", "with": "witch"}
        assert client.get(address).status_code == 200

    def test_page_shows_the_command_of_its_table(self, client: TestClient) -> None:
        page = client.get(laid(client, "sets=empires&players=4&seed=a%20b&no-such=")).text
        assert "dominion-setup --sets empires --players 4 --seed &#39;a b&#39;" in page

    def test_same_url_gives_the_same_page(self, client: TestClient) -> None:
        address = laid(client, "sets=all&seed=x")
        first, second = (re.sub(r'value="\w{16}"', "", client.get(address).text) for _ in range(2))
        assert first == second

    def test_recent_games_become_excluded_cards_in_the_url(self, client: TestClient) -> None:
        run("--sets", "base", "--seed", "1")
        run("played")
        options = parse_qsl(urlsplit(laid(client, "sets=base,intrigue&fresh=1")).query)
        assert "fresh" not in dict(options) and dict(options)["without"].count(",") == 9

    @pytest.mark.parametrize(
        "hostile", ["<script>alert(1)</script>", '"onload="x', "{{7*7}}", "\x1b[31m", "‮"]
    )
    def test_invalid_input_is_escaped_on_the_page(self, client: TestClient, hostile: str) -> None:
        for option in ("seed", "with", "kingdom", "sets", "without", "want", hostile):
            page = client.get(f"/table?{quote(option)}={quote(hostile)}&players=2", follow_redirects=True)
            assert page.status_code in (200, 400)
            for raw in ("<script>alert", '"onload="', "\x1b", "‮"):
                assert raw not in page.text

    @pytest.mark.parametrize(
        ("query", "said"),
        [
            ("players=9", "Dominion is for 2 to 6 players, not 9."),
            ("players=x", "--players must be a whole number"),
            ("sets=bsae", "did you mean base?"),
            ("colony=maybe", "--colony must be yes or no"),
            ("landscapes=-1", "--landscapes must be a whole number from 0"),
            ("cards=/etc/passwd", "unknown option "),
            ("kingdom=/etc/passwd", "unknown card '/etc/passwd'"),
            ("game=chess", "unknown game "),
            ("colny=yes", "did you mean colony or colony-by?"),
        ],
    )
    def test_invalid_options_show_the_form_with_the_error(
        self, client: TestClient, query: str, said: str
    ) -> None:
        answer = client.get(f"/table?{query}")
        assert answer.status_code == 400 and "<form" in answer.text
        assert said in unescape(answer.text)

    def test_query_params_survive_encoding(self) -> None:
        assert parse_query("a=1&b=&lang=ja&a=2") == ([("a", "1"), ("a", "2")], "ja")
        assert parse_query(encode_query([("seed", "&=#% 種")]))[0] == [("seed", "&=#% 種")]


class TestThePage:
    def test_page_links_to_another_table_and_to_its_form(self, client: TestClient) -> None:
        ten = "cellar,chapel,festival,gardens,laboratory,library,market,militia,moat,witch"
        query = f"sets=base&players=2&colony-by=random-card&shelters-by=random-card&kingdom={ten}"
        address = laid(client, f"{query}&swap=moat=mine&seed=1")
        page = unescape(client.get(address).text)
        assert f'href="{address.removesuffix("&seed=1")}"' in page
        assert f'href="{address.removesuffix("&swap=moat=mine&seed=1").replace("/table", "/")}"' in page

    def test_page_has_a_swap_link_for_every_kingdom_card(self, client: TestClient) -> None:
        query = "sets=all-editions&players=3&landscapes=4&seed=5"
        address = laid(client, query)
        setup = client.get(address.replace("/table?", "/table.json?")).json()
        links = re.findall(r'class="swap" href="([^"]+)"', client.get(address).text)
        assert len(links) >= len(setup["turned"]) - sum(card["use"] == "skipped" for card in setup["turned"])
        for link in links:
            swapped = client.get(unescape(link), follow_redirects=True)
            assert swapped.status_code == 200, (link, swapped.text)
            assert "swap=" in str(swapped.url)

    def test_long_url_has_no_qr_code(self, game: Game, client: TestClient) -> None:
        for length, status in ((900, 200), (2500, 414), (7000, 414)):
            query = f"sets=base&players=2&seed={'a' * length}"
            assert client.get(f"/code.svg?{query}").status_code == status
        names = ",".join(
            slugify(card.name) for card in game.find_cards(["empires", "allies", "nocturne", "menagerie"])
        )
        page = client.get(laid(client, f"sets=base&without={names}&seed=1")).text
        assert "code.svg" not in page and "data-address" in page
        assert "code.svg" in client.get(laid(client, "sets=base&seed=1")).text

    def test_table_is_shown_in_the_requested_language(self, client: TestClient) -> None:
        address = laid(client, "sets=base&seed=1")
        for asked in ({"accept-language": "ja,en;q=0.5"}, {"accept-language": "eo, ja;q=0.3"}):
            assert '<html lang="ja">' in client.get(address, headers=asked).text
        assert '<html lang="en">' in client.get(address, headers={"accept-language": "tlh;q=x,*"}).text
        chosen = client.get(f"{address}&lang=ja", headers={"accept-language": "en"}).text
        assert '<html lang="ja">' in chosen and "lang=ja" in re.findall(r'href="(/rules[^"]*)"', chosen)[0]

    def test_table_is_exported_in_every_format(self, client: TestClient) -> None:
        query = "sets=base&players=2&seed=1"
        for name in FORMATS:
            answer = client.get(f"/table.{name}?{query}")
            printed = run("--sets", "base", "--seed", "1", "--format", name, "--no-keep").stdout
            assert answer.text == printed
            # The style and script inside this file work only outside the server, so browsers save it.
            assert ("attachment" in answer.headers.get("content-disposition", "")) == (name == "html")
        assert client.get(f"/table.exe?{query}").status_code == 400

    def test_table_of_another_game_is_shown(self, client: TestClient) -> None:
        page = client.get(laid(client, "game=pergamemnon&players=3&seed=1")).text
        assert "Pergamemnon" in page and "--game pergamemnon" in page
        assert client.get("/?game=pergamemnon").status_code == 200


class TestTheForm:
    def test_form_has_every_box_promo_and_setting(self, game: Game, client: TestClient) -> None:
        page = client.get("/").text
        values = re.findall(r'name="sets" value="([^"]+)"', page)
        assert {"all", "base-1e", "base-2e", "promos", "black-market"} <= {*values}
        assert "arcana" not in values
        for option in game.options:
            assert f'name="{option.name.replace("_", "-")}"' in page

    def test_form_is_filled_in_from_the_url(self, client: TestClient) -> None:
        page = client.get("/?sets=base,promos&players=4&with=witch&colony=no&kingdom=x").text
        for said in ('value="base-2e" data-newest checked', 'value="4" checked', 'value="witch"'):
            assert said in page
        assert 'value="no" selected' in page and ">x</textarea>" in page

    def test_repeated_params_are_joined_or_the_last_one_counts(self, client: TestClient) -> None:
        page = client.get("/?with=witch&with=moat&seed=a&seed=b&sets=Seaside").text
        assert 'value="witch,moat"' in page and 'value="b"' in page
        assert 'value="seaside-2e" data-newest checked' in page

    def test_user_defaults_fill_in_the_form(self, serving: Serving) -> None:
        """They hold where an address says nothing, and for their own game alone."""
        client = serving(defaults=DEFAULTS)
        for address in ("/", "/?game=dominion", "/?lang=en"):
            page = client.get(address).text
            for said in (
                *('value="base-2e" data-newest checked', 'value="empires" data-newest checked'),
                *('name="players" value="3" checked', 'value="moat,witch"', 'value="no" selected'),
                *('value="deck" selected', 'value="village,draw=2-3"'),
            ):
                assert said in page, (address, said)
            assert re.search('name="landscapes"[^>]* value="4"', page)
            assert "x.yaml" not in page and "mine.txt" not in page
        for address in ("/?sets=adventures", "/?game=pergamemnon", "/table?players=99"):
            page = client.get(address).text
            assert 'name="players" value="3" checked' not in page and "witch" not in page

    def test_defaults_of_another_game_are_ignored(self, serving: Serving) -> None:
        client = serving(defaults={"game": "pergamemnon", "players": 4})
        page = client.get("/").text
        assert 'name="game" value="pergamemnon"' in page and 'value="4" checked' in page
        assert 'value="base-2e"' not in page
        assert 'value="base-2e"' in client.get("/?game=dominion").text
        assert client.get("/", headers={"accept-language": "ja"}).status_code == 200


DEFAULTS: dict[str, Any] = {
    "sets": ["base", "empires"],
    "players": 3,
    "colony": False,
    "landscapes": 4,
    "landscapes_from": "deck",
    "with_": ["moat,witch"],
    "want": ["village", "draw=2-3"],
    "lang": "ja",
    "sort": "name",
    "files": ["x.yaml"],
    "kingdom": "mine.txt",
    "swaps": ["moat"],
}


def test_reposted_form_notes_the_game_once(client: TestClient) -> None:
    address = laid(client, "sets=base&seed=played")
    page = client.get(address).text
    form = page[page.index('action="/played"') :]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)[:3])
    before = len(played_games.load_games())
    said = {**{name: unescape(value) for name, value in fields.items()}, "players": "Ann=32", "rating": "4"}
    first, second = (client.post("/played", data=said) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    games = played_games.load_games()
    assert len(games) == before + 1
    assert (games[-1].seed, games[-1].players, games[-1].rating) == ("played", (("Ann", 32),), 4)
    typed = {"rating": "6", "players": "Ann=32,Bob=", "note": "礼" * 500}
    refused = client.post("/played", data={**said, **typed})
    assert refused.status_code == 400
    assert all(f'name="{name}" value="{typed[name]}"' in refused.text for name in ("players", "note"))
    again = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', refused.text))
    again = {name: unescape(value) for name, value in again.items()}
    assert client.post("/played", data={**said, **again}).status_code == 200
    assert client.post("/played", data={**said, "token": "x"}).status_code == 403
