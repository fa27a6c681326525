"""Access control: allowed hosts, rate limits, size limits and security headers, as an ASGI middleware."""

import asyncio
import hmac
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from http import HTTPStatus
from time import monotonic
from typing import Any, NamedTuple

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]

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
ALLOWED_METHODS = ("GET", "HEAD", "POST")
_ALLOWED_FETCH_SITES = ("same-origin", "none")  # of `Sec-Fetch-Site`; none is a URL that the user typed
_MAX_CLIENTS = 2000  # clients whose rates are remembered


# ── Rate limits ──


class Limits(NamedTuple):
    """The limits of a server.

    Attributes:
        max_url_bytes: maximum length of a URL, in bytes.
        max_body_bytes: maximum length of a request body, in bytes.
        body_timeout: seconds in which a request body has to arrive.
        page_timeout: seconds in which a worker has to render a page.
        max_requests: maximum number of concurrent requests.
        max_queued_pages: maximum number of pages that wait for a worker.
        requests_per_second: rate limit of one client.
        pages_per_second: rate limit of one client for pages that a worker renders.
        burst_seconds: size of the token buckets, in seconds of their rate.
        max_connections: maximum number of open connections.
        head_timeout: seconds in which the head of the next request has to arrive on an open connection.
        response_timeout: seconds in which the client has to receive a response.
    """

    max_url_bytes: int = 8192
    max_body_bytes: int = 4096
    body_timeout: float = 10.0
    page_timeout: float = 2.0
    max_requests: int = 400
    max_queued_pages: int = 64
    requests_per_second: float = 30.0
    pages_per_second: float = 8.0
    burst_seconds: float = 5.0
    max_connections: int = 500
    head_timeout: float = 10.0
    response_timeout: float = 60.0


DEFAULT_LIMITS = Limits()


class TokenBucket(NamedTuple):
    """The state of one client's token bucket.

    Attributes:
        tokens: requests that were left.
        updated_at: the time of that, in seconds of the clock.
    """

    tokens: float
    updated_at: float


class RateLimiter:
    """A rate limiter with a token bucket for each client.

    Args:
        rate: requests per second.
        burst: size of a bucket, in seconds of the rate.
        clock: returns a time in seconds.
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._capacity, self._clock = rate, rate * burst, clock
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()  # The least recently used one is first.

    def take_token(self, client: str) -> bool:
        """Count a request of a client and return True, or return False if it exceeds the limit."""
        now = self._clock()
        tokens, updated_at = self._buckets.pop(client, TokenBucket(self._capacity, now))
        tokens = min(self._capacity, tokens + (now - updated_at) * self._rate)
        is_allowed = tokens >= 1
        self._buckets[client] = TokenBucket(tokens - 1 if is_allowed else tokens, now)
        if len(self._buckets) > _MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return is_allowed


# ── Access control ──


class RequestRefused(Exception):
    """A request that is answered with an error.

    Attributes:
        status: the HTTP status of the response.
    """

    def __init__(self, status: HTTPStatus) -> None:
        self.status = status
        super().__init__(status.phrase)


class AllowedHosts(NamedTuple):
    """The addresses at which the server answers.

    Attributes:
        hosts: the allowed values of the `Host` header.
        base: the path prefix of every URL: empty, or a path with a random word.
    """

    hosts: Collection[str]
    base: str = ""


class SecurityMiddleware:
    """An ASGI middleware that refuses invalid requests and adds security headers to every response.

    Args:
        app: the inner application; it gets paths without the prefix.
        build_error: builds the response to a refused request.
        allowed_hosts: the addresses at which the server answers.
        limits: the limits of the server.
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
        self._request_count = 0
        self._rate_limiter = RateLimiter(limits.requests_per_second, limits.burst_seconds)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; pass other events, such as startup, to the inner application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        response_started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal response_started
            if message["type"] == "http.response.start":
                response_started = True
                added = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *added]}
            await send(message)

        self._request_count += 1
        try:
            inner_scope = self._check_request(scope)
            receive_body = await self._buffer_body(scope, receive)
            await self._app(inner_scope, receive_body, send_with_headers)
        except RequestRefused as refused:
            if not response_started:
                await self._build_error(scope, refused.status)(scope, receive, send_with_headers)
        finally:
            self._request_count -= 1

    def _check_request(self, scope: Scope) -> Scope:
        """Check the head of a request and return its scope without the path prefix.

        Raises:
            RequestRefused: it is not allowed.
        """
        headers = decode_headers(scope)
        path, (hosts, base) = scope["path"], self._allowed_hosts
        url_bytes = len(scope.get("raw_path") or path.encode()) + len(scope["query_string"])
        client = (scope.get("client") or ("",))[0]
        # The order matters: only requests with the right prefix count towards a client's rate.
        for status, is_refused in (
            (HTTPStatus.TOO_MANY_REQUESTS, self._request_count > self._limits.max_requests),
            (HTTPStatus.MISDIRECTED_REQUEST, headers.get("host", "").casefold() not in hosts),
            (HTTPStatus.REQUEST_URI_TOO_LONG, url_bytes > self._limits.max_url_bytes),
            (HTTPStatus.NOT_FOUND, not _has_prefix(path, base)),
            (HTTPStatus.TOO_MANY_REQUESTS, not self._rate_limiter.take_token(client)),
            (HTTPStatus.METHOD_NOT_ALLOWED, scope["method"] not in ALLOWED_METHODS),
            (HTTPStatus.FORBIDDEN, scope["method"] == "POST" and not self._is_same_origin(headers)),
        ):
            if is_refused:
                raise RequestRefused(status)
        return {**scope, "path": path[len(base) :] or "/", "raw_path": None, "root_path": ""}

    def _is_same_origin(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request comes from a page of this server, as far as its headers say.

        A form on a page with `Referrer-Policy: no-referrer` has the origin `null`, so the token in the form
        is needed too.
        """
        origin, site = headers.get("origin", "null"), headers.get("sec-fetch-site", "none")
        origin_host = origin.partition("://")[2]
        return site in _ALLOWED_FETCH_SITES and (origin == "null" or origin_host in self._allowed_hosts.hosts)

    async def _buffer_body(self, scope: Scope, receive: Receive) -> Receive:
        """Read the complete body, and return a function that the inner application receives it from.

        Raises:
            RequestRefused: it is too long, or does not arrive in time.
        """
        length = decode_headers(scope).get("content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > self._limits.max_body_bytes:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        try:
            async with asyncio.timeout(self._limits.body_timeout):
                body = await _read_body(receive, self._limits.max_body_bytes)
        except TimeoutError:
            raise RequestRefused(HTTPStatus.REQUEST_TIMEOUT) from None
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_buffered() -> Message:
            return messages.pop() if messages else await receive()

        return receive_buffered


async def _read_body(receive: Receive, max_bytes: int) -> bytes:
    body = b""
    has_more = True
    while has_more:
        message = await receive()
        body += message.get("body", b"")
        has_more = message.get("more_body", False)
        if len(body) > max_bytes:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return body


def decode_headers(scope: Scope) -> dict[str, str]:
    """Return the headers of a request; of a repeated one, the last value."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _has_prefix(path: str, base: str) -> bool:
    """Return whether a path is below the prefix, in a time that does not depend on the prefix."""
    begins = hmac.compare_digest(path[: len(base)].encode(), base.encode())
    return begins and path[len(base) : len(base) + 1] in ("", "/")
