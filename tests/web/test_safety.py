"""Who gets in, and what they can break: one test for each point of the design, and OWASP's usual ones."""

import asyncio
import re
import time
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from itertools import pairwise
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from randomizer.load.languages import load
from randomizer.web import command, frame
from randomizer.web.address import build_table_key
from randomizer.web.command import build_allowed_hosts
from randomizer.web.security import SECURITY_HEADERS, AllowedHosts, RateLimiter, SecurityMiddleware
from tests.web.conftest import HOST, PLENTY, Serving

HTML_PAGES = (
    "/",
    "/table?sets=base&players=2&seed=1",
    "/table?sets=base&players=2&veto=2&seed=1",
    "/tables?sets=base&players=2&count=2&seed=1",
    "/rules?q=curse",
    "/rules/dominion/call",
    "/cards/witch",
    "/kingdoms?q=first",
    "/newest",
    "/history",
    "/statistics",
)
# The same pages with other content: errors, search results with a card, a profile of the Kingdom.
MORE_STATES = (
    *("/none", "/table?players=99", "/rules", "/rules?q=witch", "/rules?book=dominion", "/kingdoms?q=zzz"),
    *("/cards/young-witch", "/cards/event", "/table?sets=all&players=2&seed=2&about=yes"),
)
MORE_PATHS = ("/names?of=cards&begun=w", "/manifest.webmanifest", "/served.js", "/icon.svg")
PAGES = (*HTML_PAGES, *MORE_PATHS)
WORD = "/k/a-random-word"


class TestHosts:
    @pytest.mark.parametrize(
        "host", ["example.org", "example.org:8765", "localhost", "127.0.0.1:1", "", HOST + "."]
    )
    def test_unknown_host_is_refused(self, client: TestClient, host: str) -> None:
        answer = client.get("/", headers={"host": host})
        assert answer.status_code == 421 and "<form" not in answer.text

    def test_host_is_case_insensitive(self, client: TestClient) -> None:
        assert client.get("/", headers={"host": HOST.upper()}).status_code == 200

    @pytest.mark.parametrize(("host", "status"), [("192.0.2.7:8765", 404), ("192.0.2.8:8765", 421)])
    def test_every_address_of_the_computer_is_allowed(self, serving: Serving, host: str, status: int) -> None:
        """The client has connected to an address that is not in the list, such as on a second network."""
        client = serving(base=WORD)
        assert client.get("http://192.0.2.7:8765/", headers={"host": host}).status_code == status

    def test_links_on_the_computer_itself_can_be_opened_by_phones(self, serving: Serving) -> None:
        client = serving(base=WORD, network_hosts=["192.0.2.7:8765"])
        page = client.get(f"{WORD}/table?sets=base&players=2&seed=1").text
        assert f'value="http://192.0.2.7:8765{WORD}/table?' in page and HOST not in page
        # A host name that phones have used themselves stays, such as one with a certificate.
        url = f"http://203.0.113.9:8765{WORD}/table?sets=base&players=2&seed=1"
        assert f'value="http://203.0.113.9:8765{WORD}/table?' in client.get(url).text
        here = build_allowed_hosts(8765, allow_network=True, secret_word="w")
        assert here.network_hosts and not {*here.network_hosts} & {"localhost:8765", "127.0.0.1:8765"}

    def test_allowed_hosts_include_the_network_only_if_asked(self) -> None:
        here = build_allowed_hosts(8765, allow_network=False, secret_word="w")
        assert here == AllowedHosts(frozenset({"localhost:8765", "127.0.0.1:8765"}))
        there = build_allowed_hosts(8765, allow_network=True, secret_word="w")
        assert there.base_path == "/k/w" and {*here.hosts} < {*there.hosts}
        assert {"localhost", "localhost:80"} <= {
            *build_allowed_hosts(80, allow_network=False, secret_word="w").hosts
        }

    @pytest.mark.parametrize(("network", "at"), [(False, "127.0.0.1"), (True, "0.0.0.0")])
    def test_socket_is_bound_to_the_requested_interface(self, network: bool, at: str) -> None:
        with closing(command._bind_socket(0, allow_network=network)) as listening:
            assert listening.getsockname()[0] == at


class TestPathPrefix:
    def test_path_without_prefix_is_not_found(self, serving: Serving) -> None:
        client = serving(base=WORD)
        for path in (*PAGES, "/k", "/k/", WORD[:-1] + "/", WORD + "x/", f"/x{WORD}/", "/k/é/", f"{WORD}%00/"):
            answer = client.get(path)
            assert answer.status_code == 404, path
            assert "random" not in answer.text + str(answer.headers) and "/k/" not in answer.text

    def test_refused_request_does_not_reveal_the_prefix(self, serving: Serving) -> None:
        answer = serving(base=WORD).get("/", headers={"host": "example.org"})
        assert "random-word" not in answer.text and "random-word" not in str(answer.headers)
        assert "random-word" not in serving(base=WORD).get("/").text

    def test_every_link_has_the_prefix(self, serving: Serving) -> None:
        client = serving(base=WORD)
        for path in HTML_PAGES:
            page = client.get(WORD + path)
            assert page.status_code == 200
            for address in re.findall(r'(?:href|src|action)="([^"]+)"', page.text):
                assert address.startswith((f"{WORD}/", "#")), address
        assert client.get(WORD + "/manifest.webmanifest").json()["scope"] == f"{WORD}/"
        assert client.get(WORD).status_code == 200


class TestMethodsAndSizes:
    @pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"])
    def test_unsupported_method_is_refused(self, client: TestClient, method: str) -> None:
        assert client.request(method, "/").status_code == 405

    @pytest.mark.parametrize("path", ["/", "/table?sets=base&seed=1", "/rules", "/served.js"])
    def test_post_to_a_page_is_refused(self, client: TestClient, path: str) -> None:
        assert client.post(path, data={"x": "y"}).status_code == 405

    def test_head_request_has_no_body(self, client: TestClient) -> None:
        answer = client.head("/rules")
        assert answer.status_code == 200 and answer.content == b""

    def test_long_url_is_refused(self, client: TestClient) -> None:
        assert client.get("/table?seed=" + "a" * 8000).status_code == 400  # longer than a seed may be
        assert client.get("/table?seed=" + "a" * 8200).status_code == 414
        assert client.get("/" + "a" * 8200).status_code == 414
        assert client.get("/table?" + "&a=1" * 1000).status_code == 414

    def test_long_body_is_refused(self, client: TestClient) -> None:
        def pieces() -> Iterator[bytes]:
            for _ in range(100):
                yield b"x" * 1000

        assert client.post("/ticks/a", content=b"x" * 65_537).status_code == 413
        assert (
            client.post("/ticks/a", content=pieces()).status_code == 413
        )  # which does not say how long it is
        assert client.post("/ticks/a", content=b"x", headers={"content-length": "-1"}).status_code == 413
        assert client.get("/").status_code == 200

    @pytest.mark.parametrize("path", ["/played", "/ticks/abc"])
    def test_form_with_too_many_options_of_a_table_is_refused(self, client: TestClient, path: str) -> None:
        key = "abc" if path == "/ticks/abc" else build_table_key([("a", "1")] * 501)
        token = client.app_server._tick_store.build_token(key)
        form = {"token": token, "table": "&".join(["a=1"] * 501)}
        assert client.post(path, data=form).status_code == 400

    def test_missing_body_times_out(self) -> None:
        """Somebody announces a body, and sends nothing."""
        told: list[HTTPStatus] = []

        async def nothing(*_: Any) -> Any:
            await asyncio.Event().wait()

        async def done(*_: Any) -> None:
            pass

        def refuse(scope: Any, status: HTTPStatus) -> ASGIApp:
            told.append(status)
            return done

        scope = {
            "type": "http",
            "method": "POST",
            "path": "/",
            "query_string": b"",
            "headers": [(b"host", b"h")],
        }
        guard = SecurityMiddleware(nothing, refuse, AllowedHosts({"h"}), PLENTY._replace(body_timeout=0.01))
        asyncio.run(guard(scope, nothing, done))
        assert told == [HTTPStatus.REQUEST_TIMEOUT]


class TestRateLimits:
    def test_requests_of_one_client_are_limited(self, serving: Serving) -> None:
        """However slow it is: it would take minutes until one more is let in."""
        client = serving(PLENTY._replace(requests_per_second=0.005, burst_seconds=2000))
        statuses = [client.get("/served.css").status_code for _ in range(14)]
        assert statuses == [200] * 10 + [429] * 4

    def test_pages_rendered_for_one_client_are_limited(self, serving: Serving) -> None:
        client = serving(PLENTY._replace(pages_per_second=0.005, burst_seconds=600))
        statuses = [client.get("/rules?q=curse").status_code for _ in range(6)]
        assert statuses == [200] * 3 + [429] * 3
        assert client.get("/served.css").status_code == 200
        other = TestClient(client.app, base_url=f"http://{HOST}", client=("192.0.2.9", 50_000))
        other.portal = client.portal
        assert other.get("/rules?q=curse").status_code == 200

    def test_concurrent_requests_and_queued_pages_are_limited(self, serving: Serving) -> None:
        assert serving(PLENTY._replace(max_requests=0)).get("/").status_code == 429
        assert serving(PLENTY._replace(max_requests_per_client=0)).get("/").status_code == 429
        assert serving(PLENTY._replace(max_queued_clients=0)).get("/").status_code == 429

    def test_slow_requests_of_one_client_leave_room_for_others(self) -> None:
        """Three requests of one client wait for a body that never comes; a fourth is refused."""
        answers: list[tuple[str, HTTPStatus]] = []

        async def wait_forever() -> Any:
            await asyncio.Event().wait()

        async def receive_all() -> Any:
            return {"type": "http.request"}

        async def ignore(message: Any) -> None:
            pass

        async def app(scope: Any, receive: Any, send: Any) -> None:
            answers.append((scope["client"][0], HTTPStatus.OK))

        def refuse(scope: Any, status: HTTPStatus) -> ASGIApp:
            async def send_nothing(*_: Any) -> None:
                answers.append((scope["client"][0], status))

            return send_nothing

        async def run() -> None:
            limits = PLENTY._replace(max_requests=5, max_requests_per_client=3)
            middleware = SecurityMiddleware(app, refuse, AllowedHosts({"h"}), limits)

            def request(client: str, receive: Any) -> "asyncio.Task[None]":
                scope = {
                    "type": "http",
                    "method": "GET",
                    "path": "/",
                    "query_string": b"",
                    "client": (client, 1),
                }
                scope["headers"] = [(b"host", b"h")]
                return asyncio.create_task(middleware(scope, receive, ignore))

            slow = [request("slow", wait_forever) for _ in range(3)]
            await asyncio.sleep(0)
            await request("slow", receive_all)
            await request("other", receive_all)
            assert answers == [("slow", HTTPStatus.TOO_MANY_REQUESTS), ("other", HTTPStatus.OK)]
            for task in slow:
                task.cancel()
            await asyncio.gather(*slow, return_exceptions=True)
            await request("slow", receive_all)
            assert answers[-1] == ("slow", HTTPStatus.OK)

        asyncio.run(run())

    def test_rate_limit_recovers_over_time(self) -> None:
        now = 0.0
        rates = RateLimiter(2, 3, lambda: now)
        assert [rates.allow("a") for _ in range(7)] == [True] * 6 + [False]
        assert rates.allow("b")
        now = 1.0
        assert [rates.allow("a") for _ in range(3)] == [True, True, False]
        now = 1000.0  # A long pause saves no more than one burst.
        assert [rates.allow("a") for _ in range(7)] == [True] * 6 + [False]

    def test_rate_limiter_forgets_the_oldest_clients(self) -> None:
        rates = RateLimiter(1, 1)
        for number in range(3000):
            rates.allow(str(number))
        assert len(rates._empty_at) == 2000

    def test_slow_deal_is_cancelled_and_its_worker_replaced(self, serving: Serving) -> None:
        """The process that works on it is ended, and another one answers whoever comes next."""
        client = serving(PLENTY._replace(page_timeout=0.1))
        rare = "attack=5,village=3,duration=3,reaction=2,victory=2,treasure=3,gaining=5,trashing=3"
        for number in range(3):
            answer = client.get(f"/table?sets=all&want={rare}&seed={number}&players=2")
            assert answer.status_code == 503
            assert "took too long" in answer.text
        until = time.monotonic() + 60
        while (status := client.get("/names?of=cards&begun=w").status_code) != 200:
            assert status == 503 and time.monotonic() < until

    def test_timeout_is_reported_in_the_visitor_s_language(self, serving: Serving) -> None:
        client = serving(PLENTY._replace(page_timeout=0.0))
        answer = client.get("/table?sets=base&seed=1&players=2", headers={"accept-language": "ja"})
        assert answer.status_code == 503
        assert "時間がかかりすぎる" in answer.text


class TestHeaders:
    @pytest.mark.parametrize("path", [*PAGES, "/none", "/table?players=99", "/table?sets=base", "/ticks/a"])
    def test_every_response_has_the_security_headers(self, client: TestClient, path: str) -> None:
        headers = client.get(path).headers
        assert {name: headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS
        assert "set-cookie" not in headers and "server" not in headers

    def test_content_security_policy_is_strict(self) -> None:
        policy = SECURITY_HEADERS["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy and "*" not in policy

    @pytest.mark.parametrize("path", [*HTML_PAGES, "/none", "/table?players=99"])
    def test_pages_have_no_inline_style_or_script(self, client: TestClient, path: str) -> None:
        page = client.get(path).text
        assert not re.search(r"<style|<script>|\sstyle=|\son\w+=|javascript:", page)
        assert re.findall(r'(?:href|src)="(?:https?:)?//', page) == []

    @pytest.mark.parametrize("path", [*HTML_PAGES, *MORE_STATES])
    def test_headings_skip_no_level(self, client: TestClient, path: str) -> None:
        levels = [int(level) for level in re.findall(r"<h([1-6])\b", client.get(path).text)]
        assert levels[:1] == [1] and levels.count(1) == 1, levels
        assert all(level <= previous + 1 for previous, level in pairwise(levels)), levels

    @pytest.mark.parametrize(("path", "form"), [("/", "deal"), ("/rules", "search"), ("/kingdoms", "search")])
    def test_enter_key_sends_the_form_and_does_not_switch_the_language(
        self, client: TestClient, path: str, form: str
    ) -> None:
        """Browsers press the first button of a form, even if it is hidden."""
        buttons = re.findall(f'<button form="{form}"([^>]*)>', client.get(path).text)
        assert buttons[0] == " hidden" and 'name="lang"' in buttons[1]

    def test_refused_request_has_the_security_headers(self, client: TestClient) -> None:
        headers = client.get("/", headers={"host": "example.org"}).headers
        assert {name: headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS


class TestErrors:
    @pytest.mark.parametrize(
        "path",
        [
            *(
                "/none",
                "/.env",
                "/.git/config",
                "/../pyproject.toml",
                "/%2e%2e/x.toml",
                "/etc/passwd",
            ),
            *("/deal.html.jinja", "/icon.svg%00", "/..%2f..%2fcards.yaml", "/admin", "/docs"),
            *("/rules/dominion/none", "/rules/none/call", "/cards/none", "/table/"),
        ],
    )
    def test_missing_page_reveals_nothing_about_the_machine(self, client: TestClient, path: str) -> None:
        answer = client.get(path)
        assert answer.status_code == 404
        assert not re.search(r"Traceback|/home|/usr|site-packages|\.py\b|starlette|uvicorn", answer.text)

    def test_errors_are_in_the_visitor_s_language(self, client: TestClient) -> None:
        for status, said in frame._ERROR_MESSAGES.items():
            assert load("ja").translate(said) != said, status
        page = client.get("/none", headers={"accept-language": "ja"})
        assert '<html lang="ja">' in page.text and "何も見つかりません" in page.text
        assert "何も見つかりません" in client.get("/none?lang=ja").text

    def test_internal_error_reveals_nothing_about_the_machine(
        self, serving: Serving, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client = serving()
        monkeypatch.setattr(frame, "render_manifest", lambda reader: 1 / 0)
        answer = client.get("/manifest.webmanifest")
        assert answer.status_code == HTTPStatus.INTERNAL_SERVER_ERROR
        assert "ZeroDivision" not in answer.text and "Something went wrong." in answer.text


@pytest.mark.parametrize(
    ("chosen", "wanted", "code"),
    [
        ("", "ja", "ja"),
        ("", "ja-JP,en;q=0.5", "ja"),
        ("", "en,ja;q=0.9", "en"),
        ("", "tlh,ja;q=0.1", "ja"),
        ("", "ja;q=0,tlh", "en"),
        ("ja", "en", "ja"),
        ("xx", "en", "en"),
        ("", "", "en"),
        ("", ";;;q=,,;q=9999e9,\x00", "en"),
        ("", "ja;q=0.0.0", "ja"),
        ("../../etc", "x" * 5000, "en"),
    ],
)
def test_language_is_negotiated(chosen: str, wanted: str, code: str) -> None:
    assert frame.negotiate_language(chosen, wanted, "") == code
    assert frame.negotiate_language("", "tlh", "ja") == "ja"
