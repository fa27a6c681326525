"""The parts that all served pages share: the visitor, URLs, page rendering, error pages and static files."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from typing import Any, NamedTuple

from randomizer.load.games import list_games
from randomizer.load.languages import find_code, list_codes, load
from randomizer.load.paths import data_folder
from randomizer.show.html import get_environment
from randomizer.text.encoding import escape_control_characters
from randomizer.text.language import ENGLISH, Language, Value
from randomizer.web.address import LANGUAGE_PARAM, QueryParams, encode_query, list_settings, load_game

MAX_QR_CODE_URL_LENGTH = 2000  # characters; phones cannot read the denser QR code of a longer URL
HTML_TYPE = "text/html; charset=utf-8"
STATIC_FILE_TYPES: Mapping[str, str] = {  # name -> media type
    "page.css": "text/css",
    "served.css": "text/css",
    "page.js": "text/javascript",
    "served.js": "text/javascript",
    "offline.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "icon-192.png": "image/png",
    "icon-512.png": "image/png",
}
_MAX_ACCEPT_LANGUAGE_LENGTH = 1000  # characters of the header that are read
_ERROR_MESSAGES: Mapping[HTTPStatus, str] = {
    HTTPStatus.BAD_REQUEST: "The request can't be read.",
    HTTPStatus.FORBIDDEN: "This request didn't come from one of this program's pages.",
    HTTPStatus.NOT_FOUND: "Nothing found.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This page can only be viewed.",
    HTTPStatus.REQUEST_TIMEOUT: "The request took too long to arrive.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request is too large.",
    HTTPStatus.REQUEST_URI_TOO_LONG: "The address is too long.",
    HTTPStatus.MISDIRECTED_REQUEST: "Nothing found.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many requests; try again in a moment.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Something went wrong.",
    HTTPStatus.SERVICE_UNAVAILABLE: "This took too long and was stopped; try fewer names and wishes.",
    HTTPStatus.INSUFFICIENT_STORAGE: "This table has too many ticks.",
}
# The text that replaces an option or a command in a message: the label of a form field or a page title.
# The labels for a game's own options are in `GameOption`.
_PAGE_LABELS: Mapping[str, str] = {
    "sets": "Boxes",
    "players": "Players",
    "with": "Always include these cards",
    "without": "Exclude these cards",
    "want": "Require a number of matching cards",
    "weight": "Make matching cards more likely",
    "like": "Cards with the same abilities as this kingdom",
    "of": "Number of boxes to pick at random",
    "fresh": "Skip cards from the last N games",
    "veto": "Number of extra cards, so that players can veto some",
    "count": "Number of tables",
    "apart": "No card on two tables",
    "copies": "Boxes of which there are several",
    "kingdom": "Your own kingdom",
    "kingdoms": "Recommended kingdoms",
    "seed": "Seed",
    "rules": "Rules",
    "cards": "Rules",
    "history": "Played games",
}
_OPTION_OR_COMMAND = re.compile(r"--([a-z]+(?:-[a-z]+)*)|`(?:dominion-setup )?([a-z]+)[^`]*`")


class Visitor(NamedTuple):
    """The facts about a request that every page needs: the URL and the language.

    Attributes:
        base_path: the prefix of the path of every page, such as "/k/word"; empty for none.
        language_code: the code of the language in which to show the page.
        has_language_param: whether the URL sets the language. If not, the browser's settings do.
        query_params: the query parameters of the URL, except the language.
        origin: the scheme and host of the URL, such as "http://localhost:8765".
    """

    base_path: str
    language_code: str
    has_language_param: bool
    query_params: QueryParams
    origin: str = ""

    def url_for(self, path: str, params: Iterable[tuple[str, str]] = (), language_code: str = "") -> str:
        """Build the URL of a page.

        Args:
            path: the path of the page, without the prefix and the leading slash.
            params: the query parameters of the page.
            language_code: the code of the language to switch to. By default, the new URL sets a language only
                if the visitor's URL does, and then the same one.
        """
        code = language_code or (self.language_code if self.has_language_param else "")
        query = encode_query([*params, *([(LANGUAGE_PARAM, code)] if code else [])])
        return f"{self.base_path}/{path}" + (f"?{query}" if query else "")

    def get_all(self, name: str) -> list[str]:
        """Return all values of a query parameter, in the order of the URL."""
        return [value for param, value in self.query_params if param == name]

    def get_last(self, name: str) -> str:
        """Return the last value of a query parameter, or an empty string if the URL lacks it."""
        return "".join(self.get_all(name)[-1:])


class PageResponse(NamedTuple):
    """The response that a page handler returns.

    Attributes:
        body: the text of the page.
        status: the HTTP status code.
        media_type: the media type of the body.
        location: the URL to redirect to; empty if the response is not a redirect.
    """

    body: str
    status: int = HTTPStatus.OK
    media_type: str = HTML_TYPE
    location: str = ""


def negotiate_language(requested_code: str, accept_language: str, default_code: str) -> str:
    """Choose the language of a page and return its code.

    Args:
        requested_code: the language code in the URL; empty if the URL does not set the language.
        accept_language: the value of the header `Accept-Language`.
        default_code: the code to use if neither the URL nor the header names a supported language; empty for
            English.
    """
    language_ranges = [
        _parse_language_range(text) for text in accept_language[:_MAX_ACCEPT_LANGUAGE_LENGTH].split(",")
    ]
    by_quality = sorted(language_ranges, reverse=True, key=lambda each: each[0])
    codes = (find_code(tag) for quality, tag in ((1.0, requested_code), *by_quality) if quality > 0)
    return next(filter(None, codes), default_code or ENGLISH)


def _parse_language_range(text: str) -> tuple[float, str]:
    """Parse a language range such as `ja;q=0.5` into its quality and its language tag."""
    tag, _, parameter = text.partition(";")
    quality = parameter.strip().removeprefix("q=")
    is_number = quality.replace(".", "", 1).isdecimal() and quality.isascii()
    return float(quality) if is_number else 1.0, tag.strip()


def render_page(
    template: str, visitor: Visitor, path: str, status: int = HTTPStatus.OK, **values: Any
) -> PageResponse:
    """Render a page from a template in `data/pages`.

    Args:
        template: the name of the template, without `.html.jinja`.
        visitor: the visitor of the request.
        path: the path of the page, for links to the same page in other languages.
        status: the HTTP status of the response.
        values: the variables of the template. Pages that show card names pass a `language` with translated
            card names, because the default `language` has none.
    """
    language: Language = values.pop("language", None) or load(visitor.language_code)
    language_links = [
        (code, name, visitor.url_for(path, visitor.query_params, code))
        for code, name in _load_language_names(data_folder()).items()
    ]
    body = (
        get_environment()
        .get_template(f"{template}.html.jinja")
        .render(
            visitor=visitor,
            language=language,
            translate=language.translate,
            language_links=language_links,
            version=get_static_version(),
            **values,
        )
    )
    return PageResponse(body, status)


@cache
def _load_language_names(folder: str) -> Mapping[str, str]:
    """Return what each language calls itself, by language code.

    Args:
        folder: the folder of the data files, which distinguishes cached results.
    """
    return {code: load(code).name for code in list_codes()}


def rephrase_for_page(text: str, language: Language) -> str:
    """Replace the options and commands in a message with the labels that the pages use for them.

    For example, `--players must be ...` becomes `“Players” must be ...`, because visitors of the pages do not
    type options.
    """

    def replace(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        label = _PAGE_LABELS.get(name) or _map_option_titles().get(name, name.replace("-", " "))
        return language.translate("“{text}”", text=language.render(label))

    return _OPTION_OR_COMMAND.sub(replace, text)


@cache
def _map_option_titles() -> Mapping[str, Value]:
    """Map each option that a game defines to the label of its field in the form."""
    return {
        name: option.title
        for game in list_games()
        for name, option in list_settings(load_game(game).game).items()
    }


def get_error_message(language_code: str, status: HTTPStatus) -> str:
    """Return the message for an HTTP error status in a language."""
    return load(language_code).translate(_ERROR_MESSAGES[status])


def render_error(visitor: Visitor, status: HTTPStatus) -> PageResponse:
    """Render the error page for an HTTP status. The page reveals nothing about the server."""
    return render_messages(visitor, status, [get_error_message(visitor.language_code, status)])


def render_preparing(visitor: Visitor) -> PageResponse:
    """Render a page that reloads itself until the first worker process is ready."""
    return render_page("preparing", visitor, "", HTTPStatus.SERVICE_UNAVAILABLE)


def render_bare_error(language_code: str, status: HTTPStatus) -> PageResponse:
    """Render an error page without links, because links would reveal the secret path prefix.

    Args:
        language_code: the code of the language of the page.
        status: the HTTP status of the response.
    """
    visitor = Visitor("", language_code, False, [])
    return render_page("bare-error", visitor, "", status, line=get_error_message(language_code, status))


def render_messages(visitor: Visitor, status: HTTPStatus, lines: Sequence[str]) -> PageResponse:
    """Render an error page that shows messages, in which labels replace the options and commands."""
    language = load(visitor.language_code)
    escaped_lines = [escape_control_characters(rephrase_for_page(line, language)) for line in lines]
    return render_page(
        "message", visitor, "", status, title=language.translate("That didn't work"), lines=escaped_lines
    )


def redirect_to(url: str) -> PageResponse:
    """Create a response that redirects the browser to a URL."""
    return PageResponse("", HTTPStatus.SEE_OTHER, location=url)


# ── Static files ──


@cache
def read_static_file(name: str) -> bytes:
    """Return the content of a static file, whose name is a key of `STATIC_FILE_TYPES`."""
    with open(os.path.join(data_folder(), "pages", name), "rb") as file:
        return file.read()


@cache
def get_static_version() -> str:
    """Return a hash of all static files.

    URLs contain it, so that browsers reload the files after a change.
    """
    return sha256(b"".join(map(read_static_file, STATIC_FILE_TYPES))).hexdigest()[:12]


def render_manifest(visitor: Visitor) -> PageResponse:
    """Render the web app manifest, which lets people install the pages as an app."""
    template = get_environment().get_template("manifest.webmanifest.jinja")
    return PageResponse(template.render(visitor=visitor), media_type="application/manifest+json")
