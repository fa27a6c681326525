"""The web server: an ASGI application with its routes and request handlers."""

import asyncio
import io
import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from hashlib import sha256
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import segno
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.datastructures import QueryParams as Form  # A posted form has the same encoding.
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Scope

from randomizer.memory.ticks import MAX_TABLES, NEWEST, TickChange, TickDatabase, TickState
from randomizer.text.errors import BadOptions
from randomizer.text.language import Verbatim
from randomizer.web import frame
from randomizer.web.address import (
    DEAL_PARAM,
    QueryParams,
    build_table_key,
    encode_query,
    is_series,
    parse_query,
)
from randomizer.web.frame import PageResponse, Visitor
from randomizer.web.security import (
    DEFAULT_LIMITS,
    LOOPBACK_NAMES,
    AllowedHosts,
    Limits,
    RateLimiter,
    RequestRefused,
    SecurityMiddleware,
    get_client,
    is_local,
    is_same_origin,
)
from randomizer.web.tick_store import TickStore, build_form_changes, parse_json_changes
from randomizer.web.vote_store import VoteStore
from randomizer.web.workers import WorkerPool

# Values of `Cache-Control`
_NO_STORE = "no-store"
_REVALIDATE = "no-cache"
_IMMUTABLE = "private, max-age=31536000, immutable"
_CACHE_1_HOUR = (
    "private, max-age=3600"  # The data of the look-up pages change only when the program is updated.
)

_SHARED_FORMATS = ("json", "ndjson")  # formats of tables that pages of other websites may read
_MAX_DEALT_TABLES = 50  # on the history page
_VOTER_COOKIE = "voter"  # the name of the cookie with the key of a voter

_Handler = Callable[[Request], Awaitable[Response]]


class Server:
    """The web server. Its attribute `app` is the ASGI application.

    Args:
        allowed_hosts: the host names and the path prefix at which the server answers.
        tick_database: the database of ticks, which the caller opens and closes.
        default_language_code: the code of the language to use if the browser accepts no language that the
            program supports.
        limits: the limits on requests, times and connections.
        defaults: the user's own defaults for a deal, by the names of the parameters of the command `deal`.
        report: prints a message for the person who runs the server, given as a template and its values.
        allowed_origins: the origins of other websites that may read tables as JSON; "*" means all.
    """

    def __init__(
        self,
        allowed_hosts: AllowedHosts,
        tick_database: TickDatabase,
        default_language_code: str = "",
        limits: Limits = DEFAULT_LIMITS,
        defaults: Mapping[str, Any] = {},
        report: Callable[..., None] = lambda template, **values: None,
        allowed_origins: Collection[str] = (),
    ) -> None:
        self._allowed_hosts, self._default_language_code = allowed_hosts, default_language_code
        self._defaults, self._report, self._allowed_origins = defaults, report, allowed_origins
        self._tick_store = TickStore(tick_database, self._warn_about_deleted_ticks)
        self._vote_store = VoteStore()
        self._page_limiter = RateLimiter(limits.pages_per_second, limits.burst_seconds)
        worker_count = min(max(2, os.cpu_count() or 2), 4)
        self._workers = WorkerPool(
            worker_count, limits.page_timeout, limits.max_queued_pages, limits.max_queued_clients
        )
        inner_app = Starlette(
            routes=[
                Route("/", self._show_form),
                Route("/table", self._show_table),
                Route("/table.{format}", self._export_table),
                Route("/tables", self._show_tables),
                Route("/played", self._record_played_game, methods=["POST"]),
                Route("/favourite", self._save_favourite, methods=["POST"]),
                Route("/newest", self._show_newest_table),
                Route("/history", self._show_history),
                Route("/statistics", self._show_statistics),
                Route("/swap/{key}", self._swap_card, methods=["POST"]),
                Route("/veto/{key}", self._veto_cards, methods=["POST"]),
                Route("/ticks/{key}", self._handle_ticks, methods=["GET", "POST"]),
                Route("/rules", self._create_handler("rules")),
                Route("/rules/{book}/{name}", self._create_handler("entry", "book", "name")),
                Route("/cards/{name}", self._create_handler("card", "name")),
                Route("/kingdoms", self._create_handler("kingdoms")),
                Route("/names", self._create_handler("names")),
                Route("/code.svg", self._show_qr_code),
                Route("/manifest.webmanifest", self._show_manifest),
                Route("/{name}", self._send_static_file),
            ],
            exception_handlers=dict.fromkeys(
                (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, RequestRefused, Exception),
                self._handle_error,
            ),
            lifespan=self._run_workers,
        )
        inner_app.router.redirect_slashes = False  # It would redirect to a URL without the prefix.
        self.app: ASGIApp = SecurityMiddleware(inner_app, self._build_error, allowed_hosts, limits)

    @asynccontextmanager
    async def _run_workers(self, app: Starlette) -> AsyncIterator[None]:
        """Run the worker processes until the server shuts down."""
        self._workers.start()
        report_task = asyncio.create_task(self._report_ready())
        try:
            yield
        finally:
            report_task.cancel()
            await self._workers.stop()

    async def _report_ready(self) -> None:
        await self._workers.ready_event.wait()
        self._report("Ready.")

    def _warn_about_deleted_ticks(self, client: str) -> None:
        template = "Ticks of {most} tables can be stored; to make room, tables from {client} are deleted."
        self._report(template, most=MAX_TABLES, client=Verbatim(client))

    # ── Pages that workers render ──

    def _create_handler(self, page_name: str, *path_params: str) -> _Handler:
        """Create a handler for a page that depends only on its URL.

        Args:
            page_name: the name of the page, a key of `worker.PAGE_HANDLERS`.
            path_params: the parameters in the path of the route, which are passed to the page's handler.
        """

        async def handle(request: Request) -> Response:
            arguments = {name: request.path_params[name] for name in path_params}
            return await self._render(
                page_name, self._build_visitor(request), request, arguments, _CACHE_1_HOUR
            )

        return handle

    async def _show_form(self, request: Request) -> Response:
        return await self._render("form", self._build_visitor(request), request, {"defaults": self._defaults})

    async def _show_table(self, request: Request) -> Response:
        """Return the page of a table. If the table has just been dealt, record it as the newest table."""
        visitor = self._build_visitor(request)
        params_by_name = dict(visitor.query_params)
        is_new = "seed" not in params_by_name or DEAL_PARAM in params_by_name
        response = await self._render_table(
            request, visitor, keep=is_new and self._should_save_table(request)
        )
        if is_new and response.status_code == HTTPStatus.SEE_OTHER:
            params, _ = parse_query(urlsplit(response.headers["location"]).query)
            if is_series(params):  # Each of these tables is dealt when its page is opened.
                return response
            await self._tick_store.record_table(build_table_key(params), encode_query(params))
        return response

    async def _show_tables(self, request: Request) -> Response:
        """Return the page of several tables."""
        return await self._render("tables", self._build_visitor(request), request, {})

    async def _show_newest_table(self, request: Request) -> Response:
        """Return the page of the newest table, at a URL that stays the same for every table."""
        params, _ = parse_query(self._tick_store.get_successor(NEWEST))
        visitor = self._build_visitor(request)._replace(query_params=params)
        if not params:
            return await self._render("newest", visitor, request, {})
        return await self._render_table(request, visitor, is_newest=True)

    def _should_save_table(self, request: Request) -> bool:
        """Return whether to save a new table among the recent tables of the person who runs the server.

        The request has to come from a browser on this computer, but not from a page of another website.
        Otherwise, other people could displace this person's tables.
        """
        return (
            self._defaults.get("keep") is not False
            and is_local(request.scope)
            and is_same_origin(request.headers)
        )

    async def _render_table(
        self, request: Request, visitor: Visitor, *, is_newest: bool = False, keep: bool = False
    ) -> Response:
        """Render the page of the table with the visitor's query parameters, including its current ticks."""
        key = build_table_key(visitor.query_params)
        arguments = {
            "ticked_ids": sorted(self._tick_store.get_state(key).ticked_ids),
            "token": self._tick_store.build_token(key),
            "game_key": os.urandom(8).hex(),
            "successor": self._tick_store.get_successor(key),
            "is_newest": is_newest,
            "keep": keep,
            "can_save_favourite": is_local(request.scope),
            "vote_count": len(self._vote_store.get_ballots(key)),
            "has_voted": _get_voter(request) in self._vote_store.get_ballots(key),
        }
        return await self._render("table", visitor, request, arguments)

    async def _show_history(self, request: Request) -> Response:
        arguments = {"dealt_queries": self._tick_store.list_dealt_tables(_MAX_DEALT_TABLES)}
        return await self._render("history", self._build_visitor(request), request, arguments)

    async def _show_statistics(self, request: Request) -> Response:
        arguments = {"defaults": self._defaults}
        return await self._render("statistics", self._build_visitor(request), request, arguments)

    async def _swap_card(self, request: Request) -> Response:
        """Swap a card of a table for another card, or undo the last swap, and redirect to the new table.

        Lines that both tables have keep their ticks. Other phones with the old table switch to the new one.
        """
        key = request.path_params["key"]
        visitor, form = await self._parse_table_form(request, key)
        client = get_client(request.scope)
        state = await self._tick_store.apply_changes(key, _parse_form_changes(form), client)
        arguments = {
            "card": form.get("swap", ""),
            "ticked_ids": sorted(state.ticked_ids),
            "keep": self._should_save_table(request),
        }
        response = await self._render("swap", visitor, request, arguments)
        if response.status_code != HTTPStatus.OK:
            return response
        swap_result = json.loads(bytes(response.body))
        params, _ = parse_query(swap_result["query"])
        new_key = build_table_key(params)
        ticked_ids = self._tick_store.get_state(new_key).ticked_ids
        changes = build_form_changes(
            ticked_ids, {*ticked_ids, *swap_result["ticked"]} - {*swap_result["unticked"]}
        )
        await self._tick_store.apply_changes(new_key, changes, client)
        await self._tick_store.record_table(new_key, swap_result["query"], replaced_key=key)
        return _redirect_to_table(visitor, params)

    async def _veto_cards(self, request: Request) -> Response:
        """Store a secret ballot. If all players have voted, or a player ends the vote, lay out the table.

        The other phones are redirected to the new table.
        """
        key = request.path_params["key"]
        visitor, form = await self._parse_table_form(request, key)
        if successor := self._tick_store.get_successor(key):  # The vote has ended.
            return _redirect_to_table(visitor, parse_query(successor)[0])
        if "end" not in form and (response := await self._store_ballot(request, visitor, key, form)):
            return response
        arguments = {
            "ballots": list(self._vote_store.get_ballots(key).values()),
            "keep": self._should_save_table(request),
        }
        response = await self._render("end_vote", visitor, request, arguments)
        if response.status_code != HTTPStatus.OK:
            return response
        query = json.loads(bytes(response.body))
        params, _ = parse_query(query)
        await self._tick_store.record_table(build_table_key(params), query, replaced_key=key)
        self._vote_store.end_vote(key)
        return _redirect_to_table(visitor, params)

    async def _store_ballot(
        self, request: Request, visitor: Visitor, key: str, form: Form
    ) -> Response | None:
        """Store a ballot. Return the response for the voter, or None if all players have voted."""
        cards = form.getlist("card")
        response = await self._render("ballot", visitor, request, {"cards": cards})
        if response.status_code != HTTPStatus.OK:
            return response
        voter = _get_voter(request) or os.urandom(8).hex()
        self._vote_store.cast_ballot(key, voter, cards, get_client(request.scope))
        player_count = json.loads(bytes(response.body))
        if len(self._vote_store.get_ballots(key)) >= player_count:
            return None
        response = _redirect_to_table(visitor, visitor.query_params)
        path = f"{self._allowed_hosts.base_path}/"
        response.set_cookie(_VOTER_COOKIE, voter, path=path, httponly=True, samesite="lax")
        return response

    async def _export_table(self, request: Request) -> Response:
        """Return a table in the output format that the URL names.

        Pages of other websites whose origins are allowed may read it as JSON. They cannot name the user's
        favourites, and cannot read errors, so that they do not learn which favourites there are.
        """
        format_name = request.path_params["format"]
        visitor = self._build_visitor(request)
        origin = request.headers.get("origin", "")  # Browsers send it with requests of other websites.
        arguments = {"format": format_name, "can_use_favourites": not origin}
        response = await self._render("export_table", visitor, request, arguments, _CACHE_1_HOUR)
        if self._allowed_origins and format_name in _SHARED_FORMATS and response.status_code == HTTPStatus.OK:
            response.headers["vary"] = "origin"
            if origin in self._allowed_origins or (origin and "*" in self._allowed_origins):
                response.headers["access-control-allow-origin"] = origin
        if format_name == "html" and response.status_code == HTTPStatus.OK:
            # The security policy of this server forbids the style and the script inside the file. Browsers
            # save it instead of showing it.
            response.headers["content-disposition"] = 'attachment; filename="table.html"'
        return response

    async def _record_played_game(self, request: Request) -> Response:
        """Record a game that was played at a table, as described in the posted form."""
        visitor, form = await self._parse_table_form(request)
        return await self._render("played", visitor, request, {"form": dict(form)})

    async def _save_favourite(self, request: Request) -> Response:
        """Save the kingdom of a table as a favourite of the person who runs the server."""
        visitor, form = await self._parse_table_form(request)
        if not is_local(request.scope):  # Guests could use up the number of favourites that can be saved.
            raise RequestRefused(HTTPStatus.FORBIDDEN)
        return await self._render("favourite", visitor, request, {"name": form.get("name", "")})

    async def _render(
        self,
        page_name: str,
        visitor: Visitor,
        request: Request,
        arguments: Mapping[str, Any],
        cache_control: str = _NO_STORE,
    ) -> Response:
        """Render a page in a worker process.

        Args:
            page_name: the name of the page, a key of `worker.PAGE_HANDLERS`.
            visitor: the visitor of the request.
            request: the request, which counts towards the rate limit of its client.
            arguments: the other arguments of the page's handler, as JSON values.
            cache_control: the header `Cache-Control` of a successful response.

        Raises:
            RequestRefused: the client has requested too many pages, or the page took too long.
        """
        client = get_client(request.scope)
        if not self._page_limiter.allow(client):
            raise RequestRefused(HTTPStatus.TOO_MANY_REQUESTS)
        if request.method == "POST":  # Reloading the page would lose what was typed.
            await self._workers.ready_event.wait()
        elif not self._workers.ready_event.is_set():
            return _to_response(frame.render_preparing(visitor), headers={"retry-after": "2"})
        return _to_response(
            await self._workers.render_page(client, page_name, visitor, arguments), cache_control
        )

    # ── Ticks ──

    async def _handle_ticks(self, request: Request) -> Response:
        """Return the ticks of a table; for `POST`, apply changes to them first.

        The script of the page posts JSON. Browsers without JavaScript post a form and are redirected to the
        table.
        """
        key = request.path_params["key"]
        if request.method != "POST":
            successor = self._tick_store.get_successor(NEWEST if "newest" in request.query_params else key)
            vote_count = len(self._vote_store.get_ballots(key))
            etag = _build_etag(self._tick_store.get_version(key), successor, vote_count)
            if request.headers.get("if-none-match") == etag:
                return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"etag": etag})
            return _build_ticks_response(self._tick_store.get_state(key), successor, vote_count)
        if request.headers.get("content-type", "").startswith("application/json"):
            token, changes = parse_json_changes(await request.body())
            self._tick_store.check_token(key, token)
            return _build_ticks_response(
                await self._tick_store.apply_changes(key, changes, get_client(request.scope))
            )
        visitor, form = await self._parse_table_form(request, key)
        await self._tick_store.apply_changes(key, _parse_form_changes(form), get_client(request.scope))
        return _redirect_to_table(visitor, visitor.query_params)

    async def _parse_table_form(self, request: Request, key: str = "") -> tuple[Visitor, Form]:
        """Return the visitor of a posted form, with the query parameters of its table, and the form.

        Raises:
            RequestRefused: the form does not come from a page of its table, or the table has another key than
                the URL.
        """
        form = await _parse_form(request)
        visitor = self._build_visitor(request)._replace(
            query_params=_parse_table_query(form.get("table", ""))
        )
        table_key = build_table_key(visitor.query_params)
        self._tick_store.check_token(table_key, form.get("token", ""))
        if key and table_key != key:
            raise RequestRefused(HTTPStatus.FORBIDDEN)
        return visitor, form

    # ── Files ──

    async def _send_static_file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in frame.STATIC_FILE_TYPES:
            raise RequestRefused(HTTPStatus.NOT_FOUND)
        is_versioned = request.query_params.get("v") == frame.get_static_version()
        headers = {"cache-control": _IMMUTABLE if is_versioned else _REVALIDATE}
        return Response(
            frame.read_static_file(name), media_type=frame.STATIC_FILE_TYPES[name], headers=headers
        )

    async def _show_manifest(self, request: Request) -> Response:
        return _to_response(frame.render_manifest(self._build_visitor(request)), _REVALIDATE)

    async def _show_qr_code(self, request: Request) -> Response:
        """Return the URL of a table as an image of a QR code."""
        visitor = self._build_visitor(request)
        url = f"{visitor.origin}{visitor.url_for('table', visitor.query_params)}"
        if len(url) > frame.MAX_QR_CODE_URL_LENGTH:
            raise RequestRefused(HTTPStatus.REQUEST_URI_TOO_LONG)
        headers = {"cache-control": _CACHE_1_HOUR}
        return Response(render_qr_code(url), media_type="image/svg+xml", headers=headers)

    # ── Visitors and errors ──

    def _build_visitor(self, request: Request) -> Visitor:
        """Build a `Visitor` from the URL and the headers of a request.

        Raises:
            RequestRefused: the URL has too many query parameters.
        """
        try:
            query_params, requested_code = parse_query(request.url.query)
        except BadOptions:
            raise RequestRefused(HTTPStatus.REQUEST_URI_TOO_LONG) from None
        language_code = frame.negotiate_language(
            requested_code, request.headers.get("accept-language", ""), self._default_language_code
        )
        host = request.headers.get("host", "")
        if host.partition(":")[0].casefold() in LOOPBACK_NAMES:  # Phones open the links that the page shows.
            host = next(iter(self._allowed_hosts.network_hosts), host)
        origin = f"{request.url.scheme}://{host}"
        return Visitor(
            self._allowed_hosts.base_path, language_code, bool(requested_code), query_params, origin
        )

    def _build_error(self, scope: Scope, status: HTTPStatus) -> ASGIApp:
        """Build the error page for a request that the security middleware refuses."""
        accept_language = Headers(scope=scope).get("accept-language", "")
        language_code = frame.negotiate_language("", accept_language, self._default_language_code)
        return _to_response(frame.render_bare_error(language_code, status))

    async def _handle_error(self, request: Request, error: Exception) -> Response:
        """Build the error page for an exception. The response to a script that posts JSON is JSON, too."""
        status = HTTPStatus.INTERNAL_SERVER_ERROR
        if isinstance(error, RequestRefused):
            status = error.status
        elif isinstance(error, HTTPException):
            status = HTTPStatus(error.status_code)
        visitor = self._build_visitor(request)
        if request.headers.get("content-type", "").startswith("application/json"):
            return JSONResponse({"error": frame.get_error_message(visitor.language_code, status)}, status)
        return _to_response(frame.render_error(visitor, status))


def render_qr_code(text: str) -> bytes:
    """Return an SVG image of a QR code that contains this text."""
    file = io.BytesIO()
    code = segno.make(text, error="l", micro=False)
    code.save(file, kind="svg", scale=4, border=4, light="#fff", xmldecl=False)
    return file.getvalue()


async def _parse_form(request: Request) -> Form:
    """Return the fields of a posted form."""
    return Form((await request.body()).decode(errors="replace"))


def _parse_table_query(query: str) -> QueryParams:
    """Parse the query string of a table that a form has sent.

    Raises:
        RequestRefused: the query string has too many parameters.
    """
    try:
        return parse_query(query)[0]
    except BadOptions:
        raise RequestRefused(HTTPStatus.BAD_REQUEST) from None


def _to_response(
    page: PageResponse, cache_control: str = _NO_STORE, headers: Mapping[str, str] = {}
) -> Response:
    """Convert a rendered page to a response. Error pages are never cached."""
    if page.status != HTTPStatus.OK and not page.location:
        cache_control = _NO_STORE
    headers = {**headers, "cache-control": cache_control}
    if page.location:
        return RedirectResponse(page.location, page.status, headers)
    return Response(page.body, page.status, headers, page.media_type)


def _redirect_to_table(visitor: Visitor, params: QueryParams) -> Response:
    """Redirect the browser to the page of a table after it has sent a form."""
    return RedirectResponse(visitor.url_for("table", params), HTTPStatus.SEE_OTHER)


def _parse_form_changes(form: Form) -> list[TickChange]:
    """Return the changes to the ticks of a checklist that a browser has posted as a form."""
    return build_form_changes([*filter(None, form.get("shown", "").split(","))], form.getlist("tick"))


def _get_voter(request: Request) -> str:
    """Return the key of a voter, which the browser keeps in a cookie; empty if it has not voted yet."""
    key = request.cookies.get(_VOTER_COOKIE, "")
    return key if re.fullmatch("[0-9a-f]{16}", key) else ""


def _build_etag(version: int, successor: str, vote_count: int) -> str:
    """Return the entity tag of a table's state: its ticks, its ballots, and the table that replaced it."""
    return f'"{version}-{sha256(successor.encode()).hexdigest()[:8]}-{vote_count}"'


def _build_ticks_response(state: TickState, successor: str = "", vote_count: int = 0) -> Response:
    """Return the ticks of a table as JSON, with the query of its successor and the number of ballots."""
    content: dict[str, Any] = {"version": state.version, "ticked": sorted(state.ticked_ids)}
    if successor:
        content["successor"] = successor
    if vote_count:
        content["votes"] = vote_count
    headers = {"etag": _build_etag(state.version, successor, vote_count), "cache-control": _NO_STORE}
    return JSONResponse(content, headers=headers)
