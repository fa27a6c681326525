"""Who gets in, and what they may ask: everything is looked at here before anything is done."""

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
            *(f"{what}-src 'self'" for what in ("style", "script", "img", "connect", "manifest", "worker")),
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
_ORIGINS = ("same-origin", "none")  # of `Sec-Fetch-Site`: our own page, or what somebody typed


# ── How much ──


class Limits(NamedTuple):
    """The limits of a server.

    Attributes:
        address: bytes of an address.
        body: bytes of what is posted ...
        sending: ... and seconds in which it has to be there.
        deal: seconds that a page may take to be worked out.
        phones: requests that are being answered at once.
        queue: pages that wait to be worked out.
        each, works: requests a second from one phone, and those of them that something is worked out for ...
        burst: ... of which so many seconds' worth may come at once.
        open: connections, whether anything is asked on them or not ...
        head: ... with seconds in which the next request has to be there, up to its body ...
        taking: ... and in which its answer has to be taken.
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
    """How much is left to somebody, and when that was so."""

    tokens: float
    updated_at: float


class RateLimiter:
    """Counts what each phone asks for.

    Args:
        rate: requests a second.
        burst: how many seconds' worth may come at once.
        clock: seconds, from whenever.
    """

    _MOST = 2000  # phones that are remembered; what was quiet longest is forgotten first

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._full, self._clock = rate, rate * burst, clock
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take_token(self, phone: str) -> bool:
        """Whether one more request from that address is within the limit; if so it counts."""
        now = self._clock()
        left, since = self._buckets.pop(phone, TokenBucket(self._full, now))
        left = min(self._full, left + (now - since) * self._rate)
        self._buckets[phone] = TokenBucket(left - 1 if left >= 1 else left, now)
        if len(self._buckets) > self._MOST:
            self._buckets.popitem(last=False)
        return left >= 1


# ── Who ──


class RequestRefused(Exception):
    """A request that is not answered.

    Attributes:
        status: why, as HTTP has it.
    """

    def __init__(self, status: HTTPStatus) -> None:
        self.status = status
        super().__init__(status.phrase)


class AllowedHosts(NamedTuple):
    """Where the server can be reached.

    Attributes:
        hosts: what a `Host` header may say.
        base: what every address begins with: nothing, or a path with a random word.
    """

    hosts: Collection[str]
    base: str = ""


class SecurityMiddleware:
    """Lets in what is allowed, and puts the headers on every answer; an ASGI application around another.

    Args:
        app: what answers, with the path behind the base.
        refuse: makes the answer to what is refused.
    """

    def __init__(
        self, app: ASGIApp, refuse: Callable[[Scope, HTTPStatus], ASGIApp], door: AllowedHosts, limits: Limits
    ) -> None:
        self._app, self._refuse, self._door, self._limits = app, refuse, door, limits
        self._inside = 0
        self._rates = RateLimiter(limits.requests_per_second, limits.burst_seconds)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass on what is not one."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                own = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *own]}
            await send(message)

        self._inside += 1
        try:
            inside = self._let_in(scope)
            body = await self._body(scope, receive)
            await self._app(inside, body, sending)
        except RequestRefused as refused:
            if not begun:
                await self._refuse(scope, refused.status)(scope, receive, sending)
        finally:
            self._inside -= 1

    def _let_in(self, scope: Scope) -> Scope:
        """The request with the path behind the base.

        Raises:
            Refused: it may not come in.
        """
        headers = decode_headers(scope)
        path, base = scope["path"], self._door.base
        length = len(scope.get("raw_path") or path.encode()) + len(scope["query_string"])
        client = (scope.get("client") or ("",))[0]
        for status, wrong in (
            (HTTPStatus.TOO_MANY_REQUESTS, self._inside > self._limits.max_requests),
            (HTTPStatus.MISDIRECTED_REQUEST, headers.get("host", "").casefold() not in self._door.hosts),
            (HTTPStatus.REQUEST_URI_TOO_LONG, length > self._limits.max_url_bytes),
            (HTTPStatus.NOT_FOUND, not _begins(path, base)),
            (HTTPStatus.TOO_MANY_REQUESTS, not self._rates.take_token(client)),
            (HTTPStatus.METHOD_NOT_ALLOWED, scope["method"] not in ALLOWED_METHODS),
            (HTTPStatus.FORBIDDEN, scope["method"] == "POST" and not self._is_ours(headers)),
        ):
            if wrong:
                raise RequestRefused(status)
        return {**scope, "path": path[len(base) :] or "/", "raw_path": None, "root_path": ""}

    def _is_ours(self, headers: Mapping[str, str]) -> bool:
        """Whether a page of ours sends this, as far as the browser says; the token in it says the rest.

        A form of a page without referrers has the origin `null`.
        """
        origin, site = headers.get("origin", "null"), headers.get("sec-fetch-site", "none")
        return site in _ORIGINS and (origin == "null" or origin.partition("://")[2] in self._door.hosts)

    async def _body(self, scope: Scope, receive: Receive) -> Receive:
        """What passes the whole body on, which has been read.

        Raises:
            Refused: it is too long, or takes too long.
        """
        said = decode_headers(scope).get("content-length", "0")
        if not said.isdecimal() or len(said) > 9 or int(said) > self._limits.max_body_bytes:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        try:
            async with asyncio.timeout(self._limits.body_timeout):
                body = await _read(receive, self._limits.max_body_bytes)
        except TimeoutError:
            raise RequestRefused(HTTPStatus.REQUEST_TIMEOUT) from None
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def passing() -> Message:
            return messages.pop() if messages else await receive()

        return passing


async def _read(receive: Receive, most: int) -> bytes:
    body = b""
    more = True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    return body


def decode_headers(scope: Scope) -> dict[str, str]:
    """The headers of a request; of those that come twice the last one."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _begins(path: str, base: str) -> bool:
    """Whether a path begins with the base; how long that takes to see tells nothing of it."""
    begins = hmac.compare_digest(path[: len(base)].encode(), base.encode())
    return begins and path[len(base) : len(base) + 1] in ("", "/")
