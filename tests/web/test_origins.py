"""What pages of other websites can read: tables as JSON, if their origin is allowed."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from randomizer.text.errors import BadOptions
from randomizer.web.command import parse_origin
from tests.support import run
from tests.web.conftest import Serving
from tests.web.test_safety import PAGES

OTHER = "https://example.org"
TABLE = "sets=base&players=2&seed=1"
SHARED = [f"/table.json?{TABLE}", f"/table.ndjson?{TABLE}"]
NOT_SHARED = [*PAGES, "/ticks/0123456789abcdef01234567", f"/table.text?{TABLE}", f"/table.html?{TABLE}"]
HEADER = "access-control-allow-origin"


def read(client: TestClient, path: str, origin: str = OTHER, method: str = "GET") -> str | None:
    """Return the origin that may read the answer; None if only the server's own pages may."""
    value: str | None = client.request(method, path, headers={"origin": origin}).headers.get(HEADER)
    return value


def test_no_other_website_can_read_anything_by_default(client: TestClient) -> None:
    assert [path for path in (*SHARED, *NOT_SHARED) if read(client, path)] == []


def test_allowed_website_can_read_tables_as_json_and_nothing_else(serving: Serving) -> None:
    client = serving(allowed_origins=[OTHER])
    for path in SHARED:
        response = client.get(path, headers={"origin": OTHER})
        assert (response.status_code, response.headers[HEADER], response.headers["vary"]) == (
            200,
            OTHER,
            "origin",
        )
        assert "access-control-allow-credentials" not in response.headers
        assert read(client, path, "https://example.com") is None
        assert read(client, path, "null") is None
        own = client.get(path)
        assert HEADER not in own.headers and own.headers["vary"] == "origin" and own.text == response.text
    assert [path for path in NOT_SHARED if read(client, path)] == []
    assert [path for path in SHARED if read(client, path, method="OPTIONS")] == []
    assert [path for path in SHARED if read(client, path, method="POST")] == []


def test_star_allows_every_website(serving: Serving) -> None:
    client = serving(allowed_origins=["*"])
    assert {read(client, path, origin) for path in SHARED for origin in (OTHER, "null")} == {OTHER, "null"}
    assert [path for path in NOT_SHARED if read(client, path)] == []


def test_other_website_can_neither_deal_favourites_nor_read_errors(
    serving: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME"):  # Other tests must not find the favourite.
        monkeypatch.setenv(name, str(tmp_path / name))
    assert run("--sets", "base", "--seed", "5").exit_code == 0
    assert run("kingdoms", "save", "Ann's best").exit_code == 0
    client = serving(allowed_origins=["*"])
    for name in ("kingdom=kingdom:Ann's best", "kingdom=Anns-Best", "like=ann's best"):
        path = f"/table.json?{TABLE}&{name}"
        assert client.get(path).status_code == 200
        for unreadable in (path, path.replace("best", "worst").replace("Best", "Worst")):
            response = client.get(unreadable, headers={"origin": OTHER})
            assert response.status_code == 400 and HEADER not in response.headers


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("*", "*"),
        ("https://Example.org/", "https://example.org"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("https://example.org:443", "https://example.org"),
        ("http://[::1]:3000", "http://[::1]:3000"),
    ],
)
def test_origin_is_understood(text: str, origin: str) -> None:
    assert parse_origin(text) == origin


@pytest.mark.parametrize(
    "text", ["", "example.org", "null", "https://", "https://a.org/x", "https://a.org\r\nX: y"]
)
def test_invalid_origin_is_refused(text: str) -> None:
    with pytest.raises(BadOptions):
        parse_origin(text)
    result = run("serve", "--allow-origin", text)
    assert result.exit_code == 2 and "type an origin such as https://example.org" in result.stderr
