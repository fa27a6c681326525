"""Several tables on served pages: the overview with its links and QR codes, and the page of each table."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest
from starlette.testclient import TestClient

from randomizer.web.address import MAX_TABLES
from tests.support import run


def open_tables(client: TestClient, query: str) -> str:
    """Send the form with this query string, follow the redirects, and return the overview."""
    answer = client.get(f"/table?deal=yes&{query}", follow_redirects=True)
    assert answer.status_code == 200 and answer.url.path == "/tables"
    assert dict(parse_qsl(answer.url.query.decode()))["seed"]
    return str(answer.text)


def list_links(page: str) -> list[str]:
    """Return the URLs of the tables on an overview."""
    return [unescape(url) for url in re.findall(r'<h2><a href="([^"]+)">', page)]


@pytest.mark.parametrize("apart", ["&apart=yes&copies=base=2", "&apart=yes", ""])
def test_overview_links_to_every_table_with_its_number(client: TestClient, apart: str) -> None:
    overview = open_tables(client, f"sets=base,seaside&players=3&count=3&seed=cup{apart}")
    urls = list_links(overview)
    assert len(urls) == 3 and overview.count("/code.svg?") == 3
    for number, url in enumerate(urls, start=1):
        answer = client.get(url)
        assert answer.status_code == 200 and f"<h1>Dominion · Table {number} of 3</h1>" in answer.text
        command = unescape(re.findall(r"<code>dominion-setup (.*?)</code>", answer.text)[0])
        setup = client.get(url.replace("/table?", "/table.line?")).text
        assert setup == run(*command.split(), "--format", "line").stdout
        assert setup.strip().partition(" · ")[2].partition(" · ")[0] in unescape(overview)
        assert client.get(url.replace("/table?", "/code.svg?")).headers["content-type"] == "image/svg+xml"


def test_tables_that_share_boxes_have_no_card_in_common(client: TestClient) -> None:
    names: list[str] = []
    for url in list_links(open_tables(client, "sets=base,seaside,menagerie&count=5&apart=yes")):
        names += client.get(url.replace("/table?", "/table.online?")).text.strip().split(", ")
    assert len(names) == len(set(names)) >= 50


def test_swap_on_a_table_of_a_series_keeps_its_number(client: TestClient) -> None:
    url = list_links(open_tables(client, "sets=base,seaside&count=2&apart=yes&seed=s"))[0]
    card = client.get(url.replace("/table?", "/table.online?")).text.split(", ")[0].replace("_", "-")
    swapped = url.replace("&seed=", f"&swap={card}&seed=")
    answer = client.get(swapped, follow_redirects=True)
    assert answer.status_code == 200 and "Table 1 of 2" in answer.text and "--table 1" in answer.text


def test_link_to_another_table_deals_all_tables_again(client: TestClient) -> None:
    page = client.get(list_links(open_tables(client, "sets=base,seaside&count=2&apart=yes"))[1]).text
    another = unescape(re.findall(r'href="([^"]+)" data-deal', page)[0])
    assert client.get(another, follow_redirects=True).url.path == "/tables"
    form = client.get(unescape(re.findall(r'<a href="(/\?[^"]+)">Deal</a>', page)[0])).text
    assert re.search(r'name="count"[^>]*value="2"', form)
    assert re.search(r'name="apart" value="yes" checked', form)


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("count=21", f"“Number of tables” must be a whole number from 1 to {MAX_TABLES}"),
        ("count=3&apart=yes&with=witch", "each card is used only once"),
        ("count=9&apart=yes&sets=base", "only 2 kingdoms without repeats are possible, not 9"),
        ("count=2&apart=yes&copies=base", "write a box and a number from 1 to 20"),
        ("count=2&table=3", "“table” must be a whole number from 1 to 2"),
    ],
)
def test_bad_options_show_the_form_with_the_error(client: TestClient, query: str, fault: str) -> None:
    answer = client.get(f"/table?{query}&seed=x", follow_redirects=True)
    assert answer.status_code == 400 and fault in unescape(answer.text)


def test_a_single_table_ignores_the_options_of_several(client: TestClient) -> None:
    location = client.get("/table?sets=base&count=1&apart=yes&copies=base=2&seed=x").headers["location"]
    assert urlsplit(location).path == "/table"
    assert not {"count", "apart", "copies", "table"} & dict(parse_qsl(urlsplit(location).query)).keys()


def test_overview_is_shown_in_japanese(client: TestClient) -> None:
    overview = open_tables(client, "sets=base&count=2&lang=ja")
    assert "2卓" in overview and "卓1（全2卓）" in overview
