"""What all pages have in common: who reads them, where addresses lead, and the frame around each."""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from typing import Any, NamedTuple

from randomizer.load.languages import find_code, list_codes, load
from randomizer.load.paths import data_folder
from randomizer.show.html import environment
from randomizer.text.encoding import escape_control_characters
from randomizer.text.language import ENGLISH, Language
from randomizer.web.address import LANGUAGE, Pairs, query_of

CODED = 2000  # letters of an address in a QR code; no phone reads a finer one
HTML = "text/html; charset=utf-8"
FILES: Mapping[str, str] = {  # beside the pages, with the type of each
    "page.css": "text/css",
    "served.css": "text/css",
    "page.js": "text/javascript",
    "served.js": "text/javascript",
    "offline.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "icon-192.png": "image/png",
    "icon-512.png": "image/png",
}
_SAID: Mapping[HTTPStatus, str] = {  # what is told of a request that is not answered
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

    base: str
    code: str
    chosen: bool
    pairs: Pairs
    host: str = ""

    def at(self, path: str, pairs: Iterable[tuple[str, str]] = (), code: str = "") -> str:
        """The address of a page, in the same language or in that of the code."""
        language = code or (self.code if self.chosen else "")
        query = query_of([*pairs, *([(LANGUAGE, language)] if language else [])])
        return f"{self.base}/{path}" + (f"?{query}" if query else "")

    def all(self, name: str) -> list[str]:
        """What the address says of an option."""
        return [value for option, value in self.pairs if option == name]


class Reply(NamedTuple):
    """What a page comes to.

    Attributes:
        type: of what is in it, as MIME has it.
        location: where to go instead, if that is so.
    """

    body: str
    status: int = HTTPStatus.OK
    type: str = HTML
    location: str = ""


def code_for(chosen: str, wanted: str, otherwise: str) -> str:
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


def framed(template: str, visitor: Visitor, path: str, status: int = HTTPStatus.OK, **given: Any) -> Reply:
    """A page.

    Args:
        template: the name of what is inside the frame.
        visitor: who looks at it.
        path: its own address, where its other languages are.
        status: as HTTP has it.
        given: what the template takes.
    """
    language: Language = given.pop("language", None) or load(visitor.code)
    switch = [
        (code, load(code).translate("English"), visitor.at(path, visitor.pairs, code))
        for code in list_codes()
    ]
    body = (
        environment()
        .get_template(f"{template}.html.jinja")
        .render(
            visitor=visitor,
            language=language,
            translate=language.translate,
            switch=switch,
            version=version(),
            **given,
        )
    )
    return Reply(body, status)


def refusal(visitor: Visitor, status: HTTPStatus) -> Reply:
    """The page that says why there is none; it tells nothing of the machine."""
    return told(visitor, status, [load(visitor.code).translate(_SAID[status])])


def turned_away(code: str, status: HTTPStatus) -> Reply:
    """The same for somebody who has not come in: it has no address in it.

    Args:
        code: of the language.
        status: why, as HTTP has it.
    """
    language = load(code)
    template = environment().get_template("refused.html.jinja")
    return Reply(template.render(language=language, line=language.translate(_SAID[status])), status)


def told(visitor: Visitor, status: HTTPStatus, lines: Sequence[str]) -> Reply:
    """A page with some lines of what is wrong."""
    return framed("told", visitor, "", status, lines=list(map(escape_control_characters, lines)))


def elsewhere(address: str) -> Reply:
    """A page that is at another address."""
    return Reply("", HTTPStatus.SEE_OTHER, location=address)


# ── Files beside the pages ──


@cache
def file(name: str) -> bytes:
    """A file of `FILES`."""
    with open(os.path.join(data_folder(), "pages", name), "rb") as opened:
        return opened.read()


@cache
def version() -> str:
    """Of the files: it changes whenever one of them does, so that a browser asks anew."""
    return sha256(b"".join(map(file, FILES))).hexdigest()[:12]


def manifest(visitor: Visitor) -> dict[str, Any]:
    """What makes the pages installable."""
    sizes = {"icon.svg": "any", "icon-192.png": "192x192", "icon-512.png": "512x512"}
    return {
        "name": "Dominion",
        "short_name": "Dominion",
        "id": visitor.at(""),
        "start_url": visitor.at(""),
        "scope": visitor.at(""),
        "display": "standalone",
        "background_color": "#f5efe4",
        "theme_color": "#7c2d2d",
        "icons": [
            {"src": visitor.at(name), "sizes": size, "type": FILES[name], "purpose": "any"}
            for name, size in sizes.items()
        ],
    }
