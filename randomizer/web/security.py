"""Access control: allowed hosts, rate limits, size limits and security headers, as an ASGI middleware."""

import asyncio
import hmac
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from http import HTTPStatus
from time import monotonic
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECURITY_HEADERS: Mapping[str, str] = {
    "content-security-policy": "; ".join(
        (
            "default-src 'none'",
            *(f"{kind}-src 'self'" for kind in ("style", "script", "img", "connect", "manifest", "worker")),
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
LOOPBACK_NAMES = ("localhost", "127.0.0.1")  # host names of the computer on which the server runs
LOOPBACK_ADDRESSES = ("127.0.0.1", "::1")
ALLOWED_METHODS = ("GET", "HEAD", "POST")
# Values of the header `Sec-Fetch-Site`. Browsers send "none" if the user typed the URL.
_ALLOWED_FETCH_SITES = ("same-origin", "none")
_MAX_CLIENTS = 2000  # maximum number of clients per rate limiter
_ROUNDING_TOLERANCE = 1e-6  # seconds; the sum of many intervals may be slightly too large


# ── Rate limits ──


class Limits(NamedTuple):
    """The limits of a server on sizes, times and numbers of requests.

    Attributes:
        max_url_bytes: maximum length of a URL, in bytes.
        max_body_bytes: maximum length of a request body, in bytes.
        body_timeout: maximum time until a request body has arrived, in seconds.
        page_timeout: maximum time for rendering a page, in seconds.
        max_requests: maximum number of concurrent requests.
        max_requests_per_client: maximum number of concurrent requests of one client.
        max_queued_pages: maximum number of pages of one client that wait for a worker.
        max_queued_clients: maximum number of clients that wait for a worker.
        requests_per_second: rate limit for each client.
        pages_per_second: rate limit for each client, for pages that a worker renders.
        burst_seconds: how many seconds' worth of requests a client may make at once after a pause.
        max_connections: maximum number of open connections.
        header_timeout: maximum time until the header of the next request has arrived, in seconds.
        response_timeout: maximum time until the client has received a response, in seconds.
    """

    max_url_bytes: int = 8192
    max_body_bytes: int = 65_536
    body_timeout: float = 10.0
    page_timeout: float = 2.0
    max_requests: int = 400
    max_requests_per_client: int = 40
    max_queued_pages: int = 16
    max_queued_clients: int = 300
    requests_per_second: float = 30.0
    pages_per_second: float = 8.0
    burst_seconds: float = 5.0
    max_connections: int = 500
    header_timeout: float = 10.0
    response_timeout: float = 60.0


DEFAULT_LIMITS = Limits()


class RateLimiter:
    """A rate limiter that allows each client short bursts of requests.

    It implements the generic cell rate algorithm (https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm):
    each client has a leaky bucket. A request fills the bucket a little, and is refused if it would overflow.

    Args:
        rate: the number of requests per second that a client may make for any length of time.
        burst: the time in which a full bucket becomes empty, in seconds. For example, rate 8 and burst 5
            allow 40 requests at once.
        clock: returns the current time in seconds.
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._interval, self._burst, self._clock = 1 / rate, burst, clock
        # client -> the time at which its bucket will be empty; the least recently used client is first
        self._empty_at: OrderedDict[str, float] = OrderedDict()

    def allow(self, client: str) -> bool:
        """Count a request of a client, and return whether the client may make it.

        Args:
            client: the IP address of the client.
        """
        now = self._clock()
        empty_at = max(self._empty_at.pop(client, now), now)
        is_allowed = empty_at + self._interval <= now + self._burst + _ROUNDING_TOLERANCE
        self._empty_at[client] = empty_at + self._interval if is_allowed else empty_at
        if len(self._empty_at) > _MAX_CLIENTS:
            self._empty_at.popitem(last=False)
        return is_allowed


# ── Access control ──


class RequestRefused(Exception):
    """Raised to answer a request with an error page.

    Attributes:
        status: the HTTP status of the error page.
    """

    def __init__(self, status: HTTPStatus) -> None:
        self.status = status
        super().__init__(status.phrase)


class AllowedHosts(NamedTuple):
    """The hosts and the path prefix at which the server answers.

    Attributes:
        hosts: the allowed values of the `Host` header, such as "localhost:8765". The IP address and port
            to which a client has connected are allowed as well.
        base_path: the path prefix of every URL, such as "/k/word" with a secret random word; empty for none.
        network_hosts: the hosts at which other devices can open the pages, such as "192.0.2.7:8765", the most
            likely one first; empty if they cannot.
    """

    hosts: Collection[str]
    base_path: str = ""
    network_hosts: Sequence[str] = ()

    def includes(self, host: str, scope: Scope) -> bool:
        """Return whether a `Host` header is allowed.

        The owner of another website can let its host name point to this computer, and read the pages from
        there (DNS rebinding). That is impossible with an IP address. Therefore the IP address to which
        the client has connected is always allowed, but a host name only if it is in `hosts`.
        """
        ip_address, port = scope.get("server") or ("", None)
        return host.casefold() in {*self.hosts, f"{ip_address}:{port}"}


class SecurityMiddleware:
    """An ASGI middleware that refuses invalid requests and adds security headers to every response.

    Args:
        app: the inner application. It receives paths without the path prefix.
        build_error: builds the response to a refused request from its scope and the HTTP status.
        allowed_hosts: the hosts and the path prefix at which the server answers.
        limits: the limits on requests.
    """

    def __init__(
        self,
        app: ASGIApp,
        build_error: Callable[[Scope, HTTPStatus], ASGIApp],
        allowed_hosts: AllowedHosts,
        limits: Limits,
    ) -> None:
        self._app, self._build_error = app, build_error
        self._allowed_hosts, self._limits = allowed_hosts, limits
        self._request_counts: Counter[str] = Counter()  # concurrent requests of each client
        self._rate_limiter = RateLimiter(limits.requests_per_second, limits.burst_seconds)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an HTTP request. Other events, such as startup, are passed to the inner application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_started_response = False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_started_response
            if message["type"] == "http.response.start":
                has_started_response = True
                added_headers = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *added_headers]}
            await send(message)

        client = get_client(scope)
        self._request_counts[client] += 1
        try:
            inner_scope = self._validate_request(scope)
            receive_body = await self._buffer_body(scope, receive)
            await self._app(inner_scope, receive_body, send_with_headers)
        except RequestRefused as refused:
            if not has_started_response:
                await self._build_error(scope, refused.status)(scope, receive, send_with_headers)
        finally:
            self._request_counts[client] -= 1
            self._request_counts += Counter()  # This removes clients without requests.

    def _validate_request(self, scope: Scope) -> Scope:
        """Validate the method, URL and headers of a request.

        Returns:
            The scope for the inner application: its path has no prefix.

        Raises:
            RequestRefused: the request is not allowed.
        """
        headers, path, base_path = Headers(scope=scope), scope["path"], self._allowed_hosts.base_path
        url_bytes = len(scope.get("raw_path") or path.encode()) + len(scope["query_string"])
        client, counts, limits = get_client(scope), self._request_counts, self._limits
        is_crowded = counts.total() > limits.max_requests or counts[client] > limits.max_requests_per_client
        is_allowed_host = self._allowed_hosts.includes(headers.get("host", ""), scope)
        # The order matters: only requests with the right prefix count towards a client's rate.
        for status, is_refused in (
            (HTTPStatus.TOO_MANY_REQUESTS, is_crowded),
            (HTTPStatus.MISDIRECTED_REQUEST, not is_allowed_host),
            (HTTPStatus.REQUEST_URI_TOO_LONG, url_bytes > limits.max_url_bytes),
            (HTTPStatus.NOT_FOUND, not _has_prefix(path, base_path)),
            (HTTPStatus.TOO_MANY_REQUESTS, not self._rate_limiter.allow(client)),
            (HTTPStatus.METHOD_NOT_ALLOWED, scope["method"] not in ALLOWED_METHODS),
            (HTTPStatus.FORBIDDEN, scope["method"] == "POST" and not is_same_origin(headers)),
        ):
            if is_refused:
                raise RequestRefused(status)
        return {**scope, "path": path[len(base_path) :] or "/", "raw_path": None, "root_path": ""}

    async def _buffer_body(self, scope: Scope, receive: Receive) -> Receive:
        """Read the complete body of a request.

        Returns:
            A function that passes the body to the inner application.

        Raises:
            RequestRefused: the body is too long or does not arrive in time.
        """
        content_length = Headers(scope=scope).get("content-length", "0")
        if (
            not content_length.isdecimal()
            or len(content_length) > 9
            or int(content_length) > self._limits.max_body_bytes
        ):
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        body = b""
        try:
            async with asyncio.timeout(self._limits.body_timeout):
                async for chunk in Request(scope, receive).stream():
                    body += chunk
                    if len(body) > self._limits.max_body_bytes:
                        raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        except (TimeoutError, ClientDisconnect):
            raise RequestRefused(HTTPStatus.REQUEST_TIMEOUT) from None
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_buffered() -> Message:
            return messages.pop() if messages else await receive()

        return receive_buffered


def get_client(scope: Scope) -> str:
    """Return the IP address of the client; empty if it is unknown."""
    return (scope.get("client") or ("",))[0]


def is_local(scope: Scope) -> bool:
    """Return whether the client runs on this computer: its address is that of the server, or loopback."""
    client, (server, _) = get_client(scope), scope.get("server") or ("", None)
    return bool(client) and (client == server or client in LOOPBACK_ADDRESSES)


def is_same_origin(headers: Mapping[str, str]) -> bool:
    """Return whether the headers of a request are consistent with a page of this server as its origin.

    This check alone is not enough: because of `Referrer-Policy: no-referrer`, browsers send the origin `null`
    with our forms, but other sites can make them do the same. The forms therefore contain a token as well.
    """
    origin, site = headers.get("origin", "null"), headers.get("sec-fetch-site", "none")
    is_same = origin == "null" or origin.partition("://")[2].casefold() == headers.get("host", "").casefold()
    return is_same and site in _ALLOWED_FETCH_SITES


def _has_prefix(path: str, prefix: str) -> bool:
    """Return whether a URL path starts with a prefix that ends at a slash or at the end of the path.

    The comparison takes constant time. Otherwise its duration would reveal the secret word in the prefix.
    """
    is_prefix = hmac.compare_digest(path[: len(prefix)].encode(), prefix.encode())
    return is_prefix and path[len(prefix) : len(prefix) + 1] in ("", "/")
