"""Ticks that all phones at a table share: tokens, writes in a thread, and the parsing of posted changes.

A tick marks a line of a checklist as done. A change ticks or unticks a line.
"""

import asyncio
import hmac
import json
import os
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from http import HTTPStatus

from randomizer.memory.database import BadDatabase
from randomizer.memory.ticks import Tick, TickDatabase, TickState, TooManyTicks
from randomizer.web.security import RequestRefused

_MAX_CHANGES = 60  # changes in one request
_MAX_ID_LENGTH = 40  # characters in the id of a change or of a line of a checklist


class TickStore:
    """The ticks of all tables, by the key of the table.

    Args:
        database: the database of ticks.
        warn: reports that tables of a client were deleted to make room. It is called with the IP address of
            the client, at most once for each client.
    """

    def __init__(self, database: TickDatabase, warn: Callable[[str], None]) -> None:
        self._database, self._warn = database, warn
        self._writer = ThreadPoolExecutor(max_workers=1)
        self._warned_clients: set[str] = set()
        self._secret = database.get_secret("token").encode()

    def build_token(self, table: str) -> str:
        """Build the token that pages of a table send with every change, against request forgery."""
        return hmac.new(self._secret, table.encode(), sha256).hexdigest()[:32]

    def check_token(self, table: str, token: str) -> None:
        """Check that a change was sent by a page of the table.

        Raises:
            RequestRefused: the token is wrong.
        """
        if not hmac.compare_digest(self.build_token(table).encode(), token.encode()):
            raise RequestRefused(HTTPStatus.FORBIDDEN)

    def get_version(self, table: str) -> int:
        """Return the number of changes that have been applied to a table."""
        return self._database.get_version(table)

    def get_state(self, table: str) -> TickState:
        """Return the ticked lines and the version of a table."""
        return self._database.get_state(table)

    async def apply_changes(self, table: str, ticks: Sequence[Tick], client: str) -> TickState:
        """Apply changes to the ticks of a table, and wait until they have been written to the disk.

        Args:
            table: the key of the table.
            ticks: the changes.
            client: the IP address of the client that sends them.

        Returns:
            The ticked lines and the version after the changes.

        Raises:
            RequestRefused: there are too many ticks, or the database cannot be written.
        """
        loop = asyncio.get_running_loop()
        try:
            deleted_from = await loop.run_in_executor(
                self._writer, self._database.apply_changes, table, ticks, client
            )
        except TooManyTicks:
            raise RequestRefused(HTTPStatus.INSUFFICIENT_STORAGE) from None
        except BadDatabase:
            raise RequestRefused(HTTPStatus.INTERNAL_SERVER_ERROR) from None
        if deleted_from is not None and deleted_from not in self._warned_clients:
            self._warned_clients.add(deleted_from)
            self._warn(deleted_from)
        return self._database.get_state(table)

    def get_successor(self, table: str) -> str:
        """Return the query string of the table that has replaced a table, or of the newest table."""
        return self._database.get_successor(table)

    def list_dealt_tables(self, max_count: int) -> list[str]:
        """Return the query strings of the latest tables that have not been replaced, the newest first."""
        return self._database.list_dealt_tables(max_count)

    async def record_table(self, table: str, query: str, replaced: str = "") -> None:
        """Record a new table, like `TickDatabase.record_table`, but ignore errors of the database."""
        loop = asyncio.get_running_loop()
        with suppress(BadDatabase):  # Other phones do not follow to the new table, but it can be used.
            await loop.run_in_executor(self._writer, self._database.record_table, table, query, replaced)


def parse_json_changes(body: bytes) -> tuple[str, list[Tick]]:
    """Parse the token and the changes that the script of a page has posted as JSON.

    Raises:
        RequestRefused: the body is invalid.
    """
    try:
        content = json.loads(body)
        ticks = [_parse_tick(*each) for each in content["ticks"]]
        token = content["token"]
        token.encode()  # This fails for lone surrogates.
    except (AttributeError, ValueError, TypeError, KeyError, RecursionError):
        raise RequestRefused(HTTPStatus.BAD_REQUEST) from None
    if len(ticks) > _MAX_CHANGES:
        raise RequestRefused(HTTPStatus.BAD_REQUEST)
    return token, ticks


def build_form_changes(shown: Collection[str], ticked: Collection[str]) -> list[Tick]:
    """Build the changes that a user has made in a form, in a browser without JavaScript.

    Args:
        shown: the ids of the lines that were ticked when the form was rendered.
        ticked: the ids of the lines that are ticked in the posted form.

    Raises:
        RequestRefused: the id of a line is invalid.
    """
    try:
        return [
            _parse_tick(os.urandom(8).hex(), item, item in ticked) for item in sorted({*shown} ^ {*ticked})
        ]
    except ValueError:
        raise RequestRefused(HTTPStatus.BAD_REQUEST) from None


def _parse_tick(id_: object, item: object, on: object) -> Tick:
    """Check the fields of a change, which come from an untrusted source.

    Raises:
        TypeError: a field has the wrong type.
        ValueError: an id is empty, too long, or not ASCII.
    """
    if not (isinstance(id_, str) and isinstance(item, str) and isinstance(on, bool)):
        raise TypeError
    if not all(0 < len(text) <= _MAX_ID_LENGTH and text.isascii() for text in (id_, item)):
        raise ValueError
    return Tick(id_, item, on)
