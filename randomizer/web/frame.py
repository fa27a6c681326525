"""What all pages have in common: who reads them, where addresses lead, and the frame around each."""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from typing import Any, NamedTuple

from randomizer.load.languages import find_code, list_codes, load
from randomizer.load.paths import data_folder
from randomizer.show.html import get_environment
from randomizer.text.encoding import escape_control_characters
from randomizer.text.language import ENGLISH, Language
from randomizer.web.address import LANGUAGE_PARAM, QueryParams, encode_query

MAX_QR_CODE_URL = 2000  # letters of an address in a QR code; no phone reads a finer one
HTML_TYPE = "text/html; charset=utf-8"
STATIC_FILES: Mapping[str, str] = {  # beside the pages, with the type of each
    "page.css": "text/css",
    "served.css": "text/css",
    "page.js": "text/javascript",
    "served.js": "text/javascript",
    "offline.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "icon-192.png": "image/png",
    "icon-512.png": "image/png",
}
_ERROR_MESSAGES: Mapping[HTTPStatus, str] = {  # what is told of a request that is not answered
    HTTPStatus.BAD_REQUEST: "What was sent cannot be read.",
    HTTPStatus.FORBIDDEN: "This was not sent by a page of this program.",
    HTTPStatus.NOT_FOUND: "There is nothing here.",
    HTTPStatus.METHOD_NOT_ALLOWED: "A page is only to be looked at.",
    HTTPStatus.REQUEST_TIMEOUT: "What was sent did not arrive in time.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "What was sent is too long.",
    HTTPStatus.REQUEST_URI_TOO_LONG: "The address is too long.",
    HTTPStatus.MISDIRECTED_REQUEST: "There is nothing here.",
    HTTPStatus.TOO_MANY_REQUESTS: "That is too much at once; try again in a moment.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Something went wrong.",
    HTTPStatus.SERVICE_UNAVAILABLE: "That took too long, and was given up: wish for fewer rare things.",
}


class Visitor(NamedTuple):
    """Who looks at a page.

    Attributes:
        base: what every address begins with.
        code: of the language.
        chosen: whether the address says the language; else the browser does.
        pairs: what the address says after its `?`, but for the language.
        host: where the server was found, as addresses begin.
    """

    base_path: str
    language_code: str
    has_language_param: bool
    query_params: QueryParams
    origin: str = ""

    def url_for(self, path: str, pairs: Iterable[tuple[str, str]] = (), code: str = "") -> str:
        """The address of a page, in the same language or in that of the code."""
        language = code or (self.language_code if self.has_language_param else "")
        query = encode_query([*pairs, *([(LANGUAGE_PARAM, language)] if language else [])])
        return f"{self.base_path}/{path}" + (f"?{query}" if query else "")

    def get_all(self, name: str) -> list[str]:
        """What the address says of an option."""
        return [value for option, value in self.query_params if option == name]


class PageResponse(NamedTuple):
    """What a page comes to.

    Attributes:
        type: of what is in it, as MIME has it.
        location: where to go instead, if that is so.
    """

    body: str
    status: int = HTTPStatus.OK
    media_type: str = HTML_TYPE
    location: str = ""


def negotiate_language(chosen: str, wanted: str, otherwise: str) -> str:
    """The code of the language to show.

    Args:
        chosen: the one that the address says, or nothing.
        wanted: what the browser says in `Accept-Language`.
        otherwise: the one to take where neither says one that there is.
    """
    by_wish = sorted(
        (_wish(part) for part in wanted[:1000].split(",")), reverse=True, key=lambda wish: wish[0]
    )
    known = (find_code(text) for weight, text in ((1.0, chosen), *by_wish) if weight > 0)
    return next(filter(None, known), otherwise or ENGLISH)


def _wish(part: str) -> tuple[float, str]:
    """How much a language is wanted, and its code."""
    code, _, weight = part.partition(";")
    number = weight.strip().removeprefix("q=")
    return (
        float(number) if number.replace(".", "", 1).isdecimal() and number.isascii() else 1.0,
        code.strip(),
    )


def render_page(
    template: str, visitor: Visitor, path: str, status: int = HTTPStatus.OK, **given: Any
) -> PageResponse:
    """A page.

    Args:
        template: the name of what is inside the frame.
        visitor: who looks at it.
        path: its own address, where its other languages are.
        status: as HTTP has it.
        given: what the template takes.
    """
    language: Language = given.pop("language", None) or load(visitor.language_code)
    switch = [
        (code, load(code).translate("English"), visitor.url_for(path, visitor.query_params, code))
        for code in list_codes()
    ]
    body = (
        get_environment()
        .get_template(f"{template}.html.jinja")
        .render(
            visitor=visitor,
            language=language,
            translate=language.translate,
            switch=switch,
            version=get_static_version(),
            **given,
        )
    )
    return PageResponse(body, status)


def render_error(visitor: Visitor, status: HTTPStatus) -> PageResponse:
    """The page that says why there is none; it tells nothing of the machine."""
    return render_error_lines(
        visitor, status, [load(visitor.language_code).translate(_ERROR_MESSAGES[status])]
    )


def render_bare_error(code: str, status: HTTPStatus) -> PageResponse:
    """The same for somebody who has not come in: it has no address in it.

    Args:
        code: of the language.
        status: why, as HTTP has it.
    """
    language = load(code)
    template = get_environment().get_template("refused.html.jinja")
    return PageResponse(
        template.render(language=language, line=language.translate(_ERROR_MESSAGES[status])), status
    )


def render_error_lines(visitor: Visitor, status: HTTPStatus, lines: Sequence[str]) -> PageResponse:
    """A page with some lines of what is wrong."""
    return render_page("told", visitor, "", status, lines=list(map(escape_control_characters, lines)))


def redirect_to(address: str) -> PageResponse:
    """A page that is at another address."""
    return PageResponse("", HTTPStatus.SEE_OTHER, location=address)


# ── Files beside the pages ──


@cache
def read_static_file(name: str) -> bytes:
    """A file of `FILES`."""
    with open(os.path.join(data_folder(), "pages", name), "rb") as opened:
        return opened.read()


@cache
def get_static_version() -> str:
    """Of the files: it changes whenever one of them does, so that a browser asks anew."""
    return sha256(b"".join(map(read_static_file, STATIC_FILES))).hexdigest()[:12]


def build_manifest(visitor: Visitor) -> dict[str, Any]:
    """What makes the pages installable."""
    sizes = {"icon.svg": "any", "icon-192.png": "192x192", "icon-512.png": "512x512"}
    return {
        "name": "Dominion",
        "short_name": "Dominion",
        "id": visitor.url_for(""),
        "start_url": visitor.url_for(""),
        "scope": visitor.url_for(""),
        "display": "standalone",
        "background_color": "#f5efe4",
        "theme_color": "#7c2d2d",
        "icons": [
            {"src": visitor.url_for(name), "sizes": size, "type": STATIC_FILES[name], "purpose": "any"}
            for name, size in sizes.items()
        ],
    }
