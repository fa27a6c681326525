"""A table on a page is the one of the command line, and its address says all of it."""

import json
import os
import random
import re
from collections.abc import Callable, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from starlette.testclient import TestClient

from randomizer.cards.game import Game
from randomizer.load.languages import load
from randomizer.memory import played_games, recent_tables
from randomizer.memory.played_game import PlayedGame, build_played_game
from randomizer.show.formats import FORMATS
from randomizer.text.language import ENGLISH
from randomizer.text.slugs import slugify
from randomizer.web import app, tables
from randomizer.web.address import encode_query, load_game, parse_query
from randomizer.web.frame import Visitor, rephrase_for_page
from randomizer.web.tables import show_history
from tests.support import EXAMPLE_FACTOR, run
from tests.web.conftest import Serving, client_of


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
            assert rephrase_for_page(first, load(ENGLISH)) in unescape(answer.text)
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

    def test_kingdom_to_be_like_becomes_the_wishes_of_the_command(self, client: TestClient) -> None:
        address = laid(client, "deal=yes&sets=base,intrigue&players=2&like=first-game-2&seed=like")
        setup = client.get(address.replace("/table?", "/table.json?")).text
        options = ["--sets", "base,intrigue", "--like", "first-game-2", "--seed", "like"]
        assert setup == run(*options, "--json", "--no-keep").stdout
        params = dict(parse_qsl(urlsplit(address).query))
        assert params["want"].startswith("plus-action=2-,") and "like" not in params
        refused = client.get("/table?sets=base&like=frist-game")
        assert refused.status_code == 400 and "did you mean First Game?" in unescape(refused.text)
        assert 'name="like" value="frist-game"' in refused.text  # Nothing that was typed is lost.
        assert '<details class="block" open>' in refused.text
        conflict = unescape(client.get("/table?kingdom=any&like=first-game-2").text)
        assert "“Cards with the same abilities as this kingdom” can't be combined" in conflict

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
            ("players=x", "“Players” must be a whole number"),
            ("sets=bsae", "did you mean base?"),
            ("colony=maybe", "“Platinum and Colony” must be yes or no"),
            ("landscapes=-1", "“Limit the number of landscapes” must be a whole number from 0"),
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

    @pytest.mark.parametrize(
        ("text", "rephrased"),
        [
            ("--of 7 needs 7 boxes", "“Number of boxes to pick at random” 7 needs 7 boxes"),
            ("--shelters-by must be x", "“Shelters: decided by” must be x"),
            ("--no-such-option must be x", "“no such option” must be x"),
            ("`rules --list` lists all entries", "“Rules” lists all entries"),
            ("see `dominion-setup kingdoms`", "see “Recommended kingdoms”"),
            ("a -- b - c", "a -- b - c"),
        ],
    )
    def test_messages_use_the_words_of_the_pages(self, text: str, rephrased: str) -> None:
        assert rephrase_for_page(text, load(ENGLISH)) == rephrased

    def test_messages_name_the_options_of_a_game_in_the_visitor_s_language(self, client: TestClient) -> None:
        for query, label in (
            ("colony=maybe", "「白金貨と植民地」"),
            ("shelters-by=maybe", "「避難所：決め方」"),
            ("black-market=-1", "「闇市場デッキの枚数」"),
        ):
            page = client.get(f"/table?{query}&lang=ja")
            (alert,) = re.findall(r'role="alert">\s*<p>([^<]*)', page.text)
            assert label in alert and not re.search("[a-z]{4}", alert.replace("maybe", "").split("は")[0])
            assert f"<label>{label.strip('「」')}" in page.text

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

    def test_page_has_a_swap_button_for_every_kingdom_card(self, client: TestClient) -> None:
        query = "sets=all-editions&players=3&landscapes=4&seed=5"
        address = laid(client, query)
        setup = client.get(address.replace("/table?", "/table.json?")).json()
        cards = re.findall(r'class="swap" name="swap" value="([^"]+)"', client.get(address).text)
        assert len(cards) >= len(setup["turned"]) - sum(card["use"] == "skipped" for card in setup["turned"])
        for card in cards:
            assert f"&swap={card}&" in press_swap(client, address, card), card

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


def press_swap(client: TestClient, address: str, card: str = "", ticked: Sequence[str] = ()) -> str:
    """Press a button that swaps a card, or the button that undoes the last swap.

    Returns:
        The address of the table that the browser is sent to.
    """
    page = client.get(address).text
    fields: dict[str, Any] = dict(re.findall(r'name="(token|table|shown)" value="([^"]*)"', page)[:3])
    fields = {name: unescape(value) for name, value in fields.items()}
    key = re.findall(r'data-table="(\w+)"', page)[0]
    answer = client.post(f"/swap/{key}", data={**fields, "tick": ticked, **({"swap": card} if card else {})})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


LINE = r'data-tick="([^"]*)".*?class="name">(?:<a [^>]*>)?([^<]*)'  # the id and name of a line


def ticked_names(page: str) -> set[str]:
    """The names of the ticked lines of a page."""
    lines = re.findall(r'data-tick="[^"]*"( checked)?>.*?class="name">(?:<a [^>]*>)?([^<]*)', page, re.DOTALL)
    return {unescape(name) for checked, name in lines if checked}


class TestSwap:
    def test_swap_keeps_the_ticks_of_what_stays_and_marks_what_is_new(self, client: TestClient) -> None:
        address = laid(client, "sets=base,adventures&players=3&seed=k7f3-swap")
        shown = client.get(address).text
        ids = {name: tick for tick, name in re.findall(LINE, shown, re.DOTALL)}
        document = client.get(address.replace("/table?", "/table.json?")).json()
        kingdom = [card["name"] for card in document["turned"]]
        first, second, last = kingdom[0], kingdom[1], "Copper"
        swapped = press_swap(client, address, slugify(first), [ids[first], ids[second], ids[last]])
        page = client.get(swapped).text
        assert ticked_names(page) == {second, last}
        new = re.findall(r"<a [^>]*>([^<]*)</a> <strong class=\"new\">", page)
        assert new and not {*new} & {*kingdom}
        assert f"{first} was swapped for {new[0]}." in unescape(page)
        assert "swapped for" not in client.get(address).text

    def test_undo_returns_to_the_table_before_with_the_ticks_of_both(self, client: TestClient) -> None:
        address = laid(client, "sets=base&players=2&seed=undo")
        card = re.findall(r'name="swap" value="([^"]+)"', client.get(address).text)[0]
        swapped = press_swap(client, address, card, ["0-0", "0-1"])
        before = ticked_names(client.get(address).text)
        page = client.get(swapped).text
        stays = ticked_names(page)
        assert len(before) == 2 and len(stays) == 1
        assert press_swap(client, swapped, "", ["1-0"]) == address  # The other tick is taken away.
        after = ticked_names(client.get(address).text)
        assert after == before - stays | ticked_names(client.get(swapped).text)
        assert len(after) == 2

    def test_other_phones_learn_the_successor(self, client: TestClient) -> None:
        address = laid(client, "sets=base&players=2&seed=successor")
        page = client.get(address).text
        key = re.findall(r'data-table="(\w+)"', page)[0]
        poll = client.get(f"/ticks/{key}")
        assert "successor" not in poll.json()
        card = re.findall(r'name="swap" value="([^"]+)"', page)[0]
        swapped = press_swap(client, address, card)
        again = client.get(f"/ticks/{key}", headers={"if-none-match": poll.headers["etag"]})
        assert again.json()["successor"] == urlsplit(swapped).query
        assert "A newer table has replaced this one." in client.get(address).text
        assert "A newer table" not in client.get(swapped).text
        assert press_swap(client, swapped) == address
        assert "successor" not in client.get(f"/ticks/{key}").json()

    def test_swap_needs_the_token_of_the_table(self, client: TestClient) -> None:
        address = laid(client, "sets=base&players=2&seed=token")
        key = re.findall(r'data-table="(\w+)"', client.get(address).text)[0]
        for token in ("", "x"):
            data = {"token": token, "table": urlsplit(address).query, "swap": "moat"}
            assert client.post(f"/swap/{key}", data=data).status_code == 403

    def test_card_that_is_not_on_the_table_is_refused(self, client: TestClient) -> None:
        address = laid(client, "sets=base&players=2&seed=token")
        with pytest.raises(AssertionError, match="only randomly dealt cards"):
            press_swap(client, address, "platinum")

    def test_undo_takes_back_only_the_last_swap(self, client: TestClient) -> None:
        address = laid(client, "sets=base&players=2&seed=two-swaps")
        first, second = re.findall(r'name="swap" value="([^"]+)"', client.get(address).text)[:2]
        once = press_swap(client, address, first)
        twice = press_swap(client, once, second)
        assert f"&swap={first}&swap={second}&" in twice
        assert f"&swap={first}&" in once and press_swap(client, twice) == once

    def test_another_table_is_dealt_without_swaps_of_cards_that_it_may_not_have(
        self, client: TestClient
    ) -> None:
        address = laid(client, "sets=base&players=2&seed=another")
        card = re.findall(r'name="swap" value="([^"]+)"', client.get(address).text)[0]
        page = unescape(client.get(press_swap(client, address, card)).text)
        assert 'href="/table?sets=base&players=2" data-deal' in page


class TestNewest:
    def test_newest_address_shows_the_table_dealt_last(self, serving: Serving) -> None:
        client = serving()
        assert "No table has been dealt yet" in client.get("/newest").text
        for seed in ("one", "two"):
            address = laid(client, f"deal=yes&sets=base&sets=seaside&seed={seed}&lang=ja")
            assert "deal=" not in address
            page = client.get("/newest").text
            assert f"--seed {seed}" in page and "data-newest" in page
            assert '<html lang="en">' in page and 'href="/newest?lang=ja"' in page
        for query in (urlsplit(address.replace("two", "one")).query, "seed=one&sets=seaside&sets=base"):
            laid(client, query)  # Looking at an older table, under any address, does not deal it again.
        key = re.findall(r'data-table="(\w+)"', page)[0]
        assert "seed=two" in client.get(f"/ticks/{key}?newest=1").json()["successor"]
        swapped = press_swap(client, "/newest", re.findall(r'name="swap" value="([^"]+)"', page)[0])
        newest = client.get(f"/ticks/{key}?newest=1").json()["successor"]
        assert newest == urlsplit(swapped).query and "swap=" in newest
        laid(client, "sets=base&players=3")  # Without a seed, the address deals a new table.
        assert "players=3" in client.get(f"/ticks/{key}?newest=1").json()["successor"]

    def test_form_deals_a_new_table_even_with_a_seed(self, client: TestClient) -> None:
        assert '<input type="hidden" name="deal" value="yes">' in client.get("/").text

    def test_newest_table_survives_a_restart(self, serving: Serving) -> None:
        laid(serving(), "deal=yes&sets=base&seed=restart")
        assert "--seed restart" in serving().get("/newest").text


def count_own_tables() -> int:
    return len(os.listdir(recent_tables.get_path())) if os.path.isdir(recent_tables.get_path()) else 0


class TestOwnTables:
    """Tables that are dealt on pages of this computer are tables of the person who runs the server."""

    @pytest.fixture
    def devices(
        self, serving: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> Callable[..., TestClient]:
        """Return a function that creates the client of a device with this IP address."""
        for name in ("XDG_STATE_HOME", "XDG_DATA_HOME"):
            monkeypatch.setenv(name, str(tmp_path / name))

        def connect(address: str, defaults: Mapping[str, Any] = {}) -> TestClient:
            client = serving(defaults=defaults)
            device = client_of(client.app_server, client=(address, 50_000))
            device.portal = client.portal
            return device

        return connect

    def test_table_dealt_on_this_computer_is_shown_and_recorded_by_command(
        self, devices: Callable[..., TestClient]
    ) -> None:
        client = devices("127.0.0.1")
        address = laid(client, "deal=yes&sets=base&players=3&seed=page")
        assert "--seed page" in run("show").stdout and " page " in run("tables").stdout
        assert run("show", "--json").stdout == client.get(address.replace("/table?", "/table.json?")).text
        card = re.findall(r'name="swap" value="([^"]+)"', client.get(address).text)[0]
        press_swap(client, address, card)
        assert f"--swap {card}" in run("show").stdout and "--swap" not in run("show", "2").stdout
        assert "Recorded as game" in run("played", "2", "--winner", "Ann").stdout
        laid(client, urlsplit(address).query)  # Looking at a table does not deal it.
        assert count_own_tables() == 2

    def test_kingdom_is_saved_as_a_favourite_on_this_computer_only(
        self, devices: Callable[..., TestClient]
    ) -> None:
        client, guest = devices("127.0.0.1"), devices("192.0.2.9")
        address = laid(client, "deal=yes&sets=base&players=2&seed=best")

        def save(device: TestClient, name: str, lang: str = "en") -> Any:
            page = client.get(address).text
            fields = re.findall(r'name="(token|table)" value="([^"]*)"', unescape(page))[:2]
            return device.post(f"/favourite?lang={lang}", data={**dict(fields), "name": name})

        assert 'action="/favourite' in client.get(address).text
        assert 'action="/favourite' not in guest.get(address).text
        assert save(guest, "Theirs").status_code == 403
        saved = unescape(save(client, "Ann's best").text)
        assert 'Saved "Ann\'s best"; deal it with “Your own kingdom” anns-best' in saved
        assert "お気に入り" in save(client, "静かな夜", "ja").text
        kingdoms = unescape(client.get("/kingdoms").text)
        assert "Ann's best" in kingdoms and "静かな夜" in kingdoms and "Theirs" not in kingdoms
        dealt = laid(client, f"kingdom={quote(chr(39).join(['Ann', 's best']))}&seed=again")
        names = [client.get(url.replace("/table?", "/table.names?")).text for url in (address, dealt)]
        assert {*names[0].strip().split(", ")} == {*names[1].strip().split(", ")}
        for name, error in (("Moat", "already means a kingdom or a card"), ("", "can't be the name")):
            refused = save(client, name)
            assert refused.status_code == 400 and error in unescape(refused.text)

    def test_laid_table_of_a_vote_is_the_last_table(self, devices: Callable[..., TestClient]) -> None:
        client = devices("127.0.0.1")
        page = client.get(laid(client, "deal=yes&sets=base&veto=2&seed=vote")).text
        key = re.findall(r'data-table="(\w+)"', page)[0]
        fields = dict(re.findall(r'name="(token|table)" value="([^"]*)"', unescape(page))[:2])
        client.post(f"/veto/{key}", data={**fields, "end": "yes"})
        assert "--vetoed nothing" in run("show").stdout and "--vetoed" not in run("show", "2").stdout

    @pytest.mark.parametrize(
        ("address", "headers", "defaults"),
        [
            ("192.0.2.9", {}, {}),
            ("127.0.0.1", {"sec-fetch-site": "cross-site"}, {}),
            ("127.0.0.1", {"origin": "http://evil.example"}, {}),
            ("127.0.0.1", {}, {"keep": False}),
        ],
        ids=["other device", "image on another site", "form on another site", "keep is off"],
    )
    def test_nobody_else_displaces_them(
        self,
        devices: Callable[..., TestClient],
        address: str,
        headers: Mapping[str, str],
        defaults: Mapping[str, Any],
    ) -> None:
        run("--sets", "base", "--seed", "own")
        client = devices(address, defaults)
        for number in range(3):
            table = client.get(f"/table?deal=yes&sets=seaside&seed={number}", headers=headers)
            assert table.status_code == 303
        assert "--seed own" in run("show").stdout and count_own_tables() == 1

    def test_history_page_lists_tables_of_all_devices_without_replaced_ones(
        self, devices: Callable[..., TestClient], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client = devices("192.0.2.9")
        assert "Tables dealt on these pages" not in client.get("/history").text
        for seed in ("one", "two"):
            address = laid(client, f"deal=yes&sets=base&players=3&seed={seed}")
        card = re.findall(r'name="swap" value="([^"]+)"', client.get(address).text)[0]
        swapped = press_swap(client, address, card)
        page = unescape(client.get("/history").text).partition("Tables dealt on these pages")[2]
        links = re.findall(r'<li><a href="([^"]+)">([^<]+)</a>', page)
        assert [url for url, _ in links] == [swapped, address.replace("two", "one")]
        assert links[1][1] == "Base 2E · 3 players · one"
        japanese = unescape(client.get("/history?lang=ja").text)
        assert "これらのページで作った卓" in japanese and "基本 第二版 · 3人 · one" in japanese
        monkeypatch.setattr(app, "_MAX_DEALT_TABLES", 1)
        assert client.get("/history").text.count('<li><a href="/table?') == 1


class TestHistory:
    def test_history_lists_played_games_with_links(
        self, serving: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(played_games, "get_path", lambda: str(tmp_path / "played.sqlite3"))
        setup = json.loads(run("--sets", "base", "--seed", "h", "--json", "--no-keep").stdout)
        games = [
            build_played_game(setup, f"2026-01-{number % 28 + 1:02}", f"Ann={number},<b>", 4, "a note")
            for number in range(103)
        ]
        played_games.add(games)
        visitor = Visitor("", "en", False, [])
        page = show_history(visitor).body
        items = page.split("<li>")[1:]
        assert len(items) == 100 and "3 older games are not shown." in page
        assert 'datetime="2026-01-28"' in items[0] and "4 of 5" in items[0] and "a note" in items[0]
        assert "Ann <strong>" in items[0] and "&lt;b&gt;" in items[0] and "<b>" not in page
        link = unescape(re.findall(r'href="(/table[^"]*)"', items[0])[0])
        assert client_shows(serving(), link, "--seed h")

    def test_game_of_other_data_has_no_link(self) -> None:
        visitor = Visitor("", "en", False, [])
        game = PlayedGame("k", "2026-01-01", (), None, "", "nope", "s", {"sets": ["x"]}, ("Moat",), (), ())
        item = tables._describe_played_game(game, visitor, load_game().get_language("en"))
        assert item.url == "" and item.cards == "Moat"


def client_shows(client: TestClient, link: str, text: str) -> bool:
    return text in client.get(link).text


class TestTheForm:
    def test_boxes_of_the_user_come_first_and_others_are_folded(self, serving: Serving) -> None:
        page = serving(defaults={"sets": ["empires", "base"]}).get("/").text
        titles = [page.index(f">{title}<") for title in ("Your boxes", "Other boxes", "Older editions")]
        own, others, older = (page.index(f'value="{slug}"') for slug in ("empires", "nocturne", "base-1e"))
        assert titles[0] < own < titles[1] < others < titles[2] < older
        assert page.index('name="players"') < own
        assert "<details>" in page[own : titles[1]]

    @pytest.mark.parametrize(
        ("query", "ticked"), [("", {"base-2e"}), ("kingdom=x", set()), ("sets=seaside", {"seaside-2e"})]
    )
    def test_default_box_is_visibly_ticked(self, client: TestClient, query: str, ticked: set[str]) -> None:
        page = client.get(f"/?{query}").text
        assert {*re.findall(r'name="sets" value="([^"]+)"[^>]* checked', page)} == ticked
        assert "No box is ticked: the cards come from Base 2E" in page

    @pytest.mark.parametrize("query", ["colony=no", "landscapes=3", "of=2", "seed=x", "sets=base-1e"])
    def test_sections_with_values_are_open(self, client: TestClient, query: str) -> None:
        count = len(re.findall(r"<details[^>]* open>", client.get("/").text))
        assert len(re.findall(r"<details[^>]* open>", client.get(f"/?{query}").text)) == count + 1

    def test_form_has_every_box_promo_and_setting(self, game: Game, client: TestClient) -> None:
        page = client.get("/").text
        values = re.findall(r'name="sets" value="([^"]+)"', page)
        assert {"all", "base-1e", "base-2e", "promos", "black-market"} <= {*values}
        assert "arcana" not in values
        for option in game.options:
            assert f'name="{option.name.replace("_", "-")}"' in page

    @pytest.mark.parametrize("lang", ["en", "ja"])
    def test_hints_explain_an_example_that_can_be_typed(self, client: TestClient, lang: str) -> None:
        page = client.get(f"/?lang={lang}").text
        for name in ("without", "want", "weight"):
            (hint,) = re.findall(f'id="hint-{name}">([^<]*)<', page)
            (example,) = re.findall("[“「](.*?)[”」]", hint)
            assert len(hint) > 2 * len(example)
            url = f"/table?sets=all&{name}={quote(example)}&seed=1"
            assert client.get(url).status_code == 303, example

    def test_share_of_the_games_and_kingdom_size_are_options(self, client: TestClient) -> None:
        page = client.get("/?colony-by=1%2F3&shelters-by=1%2F7&kingdom-size=12&lang=en").text
        assert '<option value="1/3" selected>1/3 of all games</option>' in page
        assert "<option selected>1/7</option>" in page
        assert re.search(r'name="kingdom-size"[^>]*value="12"', page)
        address = laid(client, "sets=prosperity&colony=1%2F3&kingdom-size=12&seed=1")
        assert "colony-by=1%2F3" in address or "colony-by=1/3" in address
        assert "by chance, in 1/3 of all games, as you wished" in unescape(client.get(address).text)
        assert client.get("/table?sets=base&kingdom-size=13&seed=1").status_code == 400

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
