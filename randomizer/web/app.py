"""The server: which address leads to which page, and what is shared between phones."""

import asyncio
import hmac
import io
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from hashlib import sha256
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

import segno
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from randomizer.memory.database import BadDatabase
from randomizer.memory.ticks import Tick, TickDatabase, TickState
from randomizer.text.errors import BadOptions
from randomizer.web import frame
from randomizer.web.address import build_table_key, parse_query
from randomizer.web.frame import PageResponse, Visitor
from randomizer.web.security import (
    DEFAULT_LIMITS,
    AllowedHosts,
    ASGIApp,
    Limits,
    RateLimiter,
    RequestRefused,
    Scope,
    SecurityMiddleware,
    decode_headers,
)
from randomizer.web.workers import PageTimeout, WorkerPool

_NEVER, _ALWAYS = "no-store", "private, max-age=31536000, immutable"
_LOOKED_UP = "private, max-age=3600"  # rules change with the program alone
_MOST = 60  # changes that are sent at once
_ID, _ITEM = 40, 40  # letters of a change, and of a line
_Page = Callable[[Request], Awaitable[Response]]
_Change = tuple[str, Sequence[Tick], "asyncio.Future[TickState]"]


class Server:
    """Everything that is served. It is an ASGI application by its `app`.

    Args:
        door: where it can be reached.
        lang: the code of the language where a browser wishes for none that there is.
        limits: how much may be asked of it.
        ticks: where the ticks are kept.
        defaults: what the user's own say of a deal, by the names of parameters.
    """

    def __init__(
        self,
        door: AllowedHosts,
        ticks: TickDatabase,
        lang: str = "",
        limits: Limits = DEFAULT_LIMITS,
        defaults: Mapping[str, Any] = {},
    ) -> None:
        self._door, self._lang, self._defaults = door, lang, defaults
        self._live = TickStore(ticks)
        self._works = RateLimiter(limits.pages_per_second, limits.burst_seconds)
        count = min(max(2, os.cpu_count() or 2), 4)
        self._workers = WorkerPool(
            "randomizer.web.worker", count, limits.page_timeout, limits.max_queued_pages
        )
        inside = Starlette(
            routes=[
                Route("/", self._deal),
                Route("/table", self._table),
                Route("/table.{format}", self._page("printed", "format")),
                Route("/played", self._played, methods=["POST"]),
                Route("/ticks/{key}", self._ticked, methods=["GET", "POST"]),
                Route("/rules", self._page("rules")),
                Route("/rules/{book}/{name}", self._page("entry", "book", "name")),
                Route("/cards/{name}", self._page("card", "name")),
                Route("/kingdoms", self._page("kingdoms")),
                Route("/names", self._page("names")),
                Route("/code.svg", self._code),
                Route("/manifest.webmanifest", self._manifest),
                Route("/{name}", self._file),
            ],
            exception_handlers={
                HTTPStatus.NOT_FOUND: self._refusing(HTTPStatus.NOT_FOUND),
                HTTPStatus.METHOD_NOT_ALLOWED: self._refusing(HTTPStatus.METHOD_NOT_ALLOWED),
                RequestRefused: self._refused,
                PageTimeout: self._refusing(HTTPStatus.SERVICE_UNAVAILABLE),
                Exception: self._refusing(HTTPStatus.INTERNAL_SERVER_ERROR),
            },
            lifespan=self._open,
        )
        inside.router.redirect_slashes = False  # it would lead to an address without the word
        self.app: ASGIApp = SecurityMiddleware(inside, self._refuse, door, limits)

    def _open(self, app: Starlette) -> AbstractAsyncContextManager[None]:
        @asynccontextmanager
        async def opened() -> AsyncIterator[None]:
            await self._workers.start()
            try:
                yield
            finally:
                await self._workers.stop()

        return opened()

    # ── Pages that are worked out ──

    def _page(self, what: str, *parts: str) -> _Page:
        """A page that takes nothing but its address, of whose path it is told some parts."""

        async def answer(request: Request) -> Response:
            given = {part: request.path_params[part] for part in parts}
            return await self._worked_out(what, self._reader(request), request, given, _LOOKED_UP)

        return answer

    async def _deal(self, request: Request) -> Response:
        return await self._worked_out("deal", self._reader(request), request, {"defaults": self._defaults})

    async def _table(self, request: Request) -> Response:
        visitor = self._reader(request)
        key = build_table_key(visitor.query_params)
        given = {
            "ticked": sorted(self._live.state(key).items),
            "token": self._live.token(key),
            "fresh": os.urandom(8).hex(),
        }
        return await self._worked_out("table", visitor, request, given)

    async def _worked_out(
        self, what: str, visitor: Visitor, request: Request, given: Mapping[str, Any], keep: str = _NEVER
    ) -> Response:
        if not self._works.take_token(_phone(request)):
            raise RequestRefused(HTTPStatus.TOO_MANY_REQUESTS)
        return _response(await self._workers.render_page(what, visitor, given), keep)

    # ── What is shared ──

    async def _ticked(self, request: Request) -> Response:
        """The ticks on a table, and changes of them: from a script in JSON, or from a form."""
        key = request.path_params["key"]
        if request.method != "POST":
            version = f'"{self._live.version(key)}"'
            if request.headers.get("if-none-match") == version:
                return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"etag": version})
            return _state(self._live.state(key))
        body = await request.body()
        if request.headers.get("content-type", "").startswith("application/json"):
            token, ticks = _from_script(body)
            self._live.check(key, token)
            return _state(await self._live.change(key, ticks))
        said = _fields(body)
        self._live.check(key, "".join(said.get("token", ())))
        visitor = self._reader(request)._replace(query_params=parse_query("".join(said.get("table", ())))[0])
        if build_table_key(visitor.query_params) != key:
            raise RequestRefused(HTTPStatus.FORBIDDEN)
        await self._live.change(key, _from_form(said))
        return RedirectResponse(visitor.url_for("table", visitor.query_params), HTTPStatus.SEE_OTHER)

    async def _played(self, request: Request) -> Response:
        said = {name: values[-1] for name, values in _fields(await request.body()).items()}
        visitor = self._reader(request)._replace(query_params=parse_query(said.pop("table", ""))[0])
        self._live.check(build_table_key(visitor.query_params), said.pop("token", ""))
        return await self._worked_out("played", visitor, request, {"said": said})

    # ── Files ──

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in frame.STATIC_FILES:
            raise RequestRefused(HTTPStatus.NOT_FOUND)
        keep = _ALWAYS if request.query_params.get("v") == frame.get_static_version() else "no-cache"
        return Response(
            frame.read_static_file(name), media_type=frame.STATIC_FILES[name], headers={"cache-control": keep}
        )

    async def _manifest(self, request: Request) -> Response:
        text = json.dumps(frame.build_manifest(self._reader(request)))
        return Response(text, media_type="application/manifest+json", headers={"cache-control": "no-cache"})

    async def _code(self, request: Request) -> Response:
        """The address of a table as a QR code."""
        visitor = self._reader(request)
        address = f"{visitor.origin}{visitor.url_for('table', visitor.query_params)}"
        if len(address) > frame.MAX_QR_CODE_URL:
            raise RequestRefused(HTTPStatus.REQUEST_URI_TOO_LONG)
        image = render_qr_code(address)
        return Response(image, media_type="image/svg+xml", headers={"cache-control": _LOOKED_UP})

    # ── Who reads, and what is refused ──

    def _reader(self, request: Request) -> Visitor:
        """Who looks at a page.

        Raises:
            Refused: the address says too much.
        """
        try:
            pairs, chosen = parse_query(request.url.query)
        except BadOptions:
            raise RequestRefused(HTTPStatus.REQUEST_URI_TOO_LONG) from None
        code = frame.negotiate_language(chosen, request.headers.get("accept-language", ""), self._lang)
        host = f"{request.url.scheme}://{request.headers.get('host', '')}"
        return Visitor(self._door.base, code, bool(chosen), pairs, host)

    def _refuse(self, scope: Scope, status: HTTPStatus) -> ASGIApp:
        wanted = decode_headers(scope).get("accept-language", "")
        return _response(frame.render_bare_error(frame.negotiate_language("", wanted, self._lang), status))

    def _refusing(self, status: HTTPStatus) -> Callable[[Request, Exception], Awaitable[Response]]:
        async def answer(request: Request, problem: Exception) -> Response:
            return await self._refused(request, RequestRefused(status))

        return answer

    async def _refused(self, request: Request, refused: Exception) -> Response:
        status = refused.status if isinstance(refused, RequestRefused) else HTTPStatus.INTERNAL_SERVER_ERROR
        return _response(frame.render_error(self._reader(request), status))


def render_qr_code(text: str) -> bytes:
    """A text as a QR code, an SVG image."""
    file = io.BytesIO()
    code = segno.make(text, error="l", micro=False)
    code.save(file, kind="svg", scale=4, border=4, light="#fff", xmldecl=False)
    return file.getvalue()


def _phone(request: Request) -> str:
    return request.client.host if request.client else ""


def _response(reply: PageResponse, keep: str = _NEVER) -> Response:
    if reply.location:
        return RedirectResponse(reply.location, reply.status, headers={"cache-control": keep})
    headers = {"cache-control": keep if reply.status == HTTPStatus.OK else _NEVER}
    return Response(reply.body, reply.status, headers, reply.media_type)


def _state(state: TickState) -> Response:
    text = json.dumps({"version": state.version, "ticked": sorted(state.items)})
    headers = {"etag": f'"{state.version}"', "cache-control": _NEVER}
    return Response(text, headers=headers, media_type="application/json")


# ── What is shared ──


class TickStore:
    """The ticks of all tables.

    Args:
        ticks: where they are kept.
    """

    def __init__(self, ticks: TickDatabase) -> None:
        self._ticks = ticks
        self._waiting: list[_Change] = []
        self._writing: asyncio.Task[None] | None = None
        self._secret = ticks.get_secret("token").encode()

    def token(self, table: str) -> str:
        """What a page of the table sends with every change, and nobody else knows."""
        return hmac.new(self._secret, table.encode(), sha256).hexdigest()[:32]

    def check(self, table: str, token: str) -> None:
        """Refuse a change that does not come from a page of the table.

        Raises:
            Refused: it does not.
        """
        if not hmac.compare_digest(self.token(table).encode(), token.encode()):
            raise RequestRefused(HTTPStatus.FORBIDDEN)

    def version(self, table: str) -> int:
        """How many changes there have been on a table."""
        return self._ticks.get_version(table)

    def state(self, table: str) -> TickState:
        """What is ticked on a table."""
        return self._ticks.get_state(table)

    async def change(self, table: str, ticks: Sequence[Tick]) -> TickState:
        """Do changes; whatever else comes meanwhile is written along with them.

        Returns:
            What is ticked then. It is on the disk.

        Raises:
            Refused: there are too many tables or ticks, or nothing can be written.
        """
        done: asyncio.Future[TickState] = asyncio.get_running_loop().create_future()
        self._waiting.append((table, ticks, done))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        return await done

    async def _write(self) -> None:
        while self._waiting:
            changes, self._waiting = self._waiting, []
            try:
                fits = await asyncio.to_thread(
                    self._ticks.apply_changes, [(table, t) for table, t, _ in changes]
                )
            except BadDatabase:
                fits = None
            for place, (table, _, done) in enumerate(changes):
                if done.done():  # whoever asked has gone
                    continue
                if fits and fits[place]:
                    done.set_result(self._ticks.get_state(table))
                else:
                    full = HTTPStatus.TOO_MANY_REQUESTS if fits else HTTPStatus.INTERNAL_SERVER_ERROR
                    done.set_exception(RequestRefused(full))


# ── What is posted ──


def _fields(body: bytes) -> dict[str, list[str]]:
    """The fields of a form, which may come more than once."""
    said: dict[str, list[str]] = {}
    for name, value in parse_qsl(body.decode(errors="replace"), keep_blank_values=True):
        said.setdefault(name, []).append(value)
    return said


def _from_script(body: bytes) -> tuple[str, list[Tick]]:
    """The token and the changes that a script sends.

    Raises:
        Refused: it is something else.
    """
    try:
        said = json.loads(body)
        ticks = [_checked(*each) for each in said["ticks"]]
        token = said["token"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise RequestRefused(HTTPStatus.BAD_REQUEST) from None
    if not isinstance(token, str) or len(ticks) > _MOST:
        raise RequestRefused(HTTPStatus.BAD_REQUEST)
    return token, ticks


def _checked(id_: object, item: object, on: object) -> Tick:
    if not (isinstance(id_, str) and isinstance(item, str) and isinstance(on, bool)):
        raise TypeError
    if not (0 < len(id_) <= _ID and 0 < len(item) <= _ITEM and (id_ + item).isascii()):
        raise ValueError
    return Tick(id_, item, on)


def _from_form(said: Mapping[str, list[str]]) -> list[Tick]:
    """The changes between what a form showed and what it has now.

    Raises:
        Refused: it is something else.
    """
    shown = set(filter(None, "".join(said.get("shown", ())).split(",")))
    now = set(said.get("tick", ()))
    try:
        return [_checked(os.urandom(8).hex(), item, item in now) for item in sorted(shown ^ now)]
    except ValueError:
        raise RequestRefused(HTTPStatus.BAD_REQUEST) from None
