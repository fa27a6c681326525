"""Ticks that all phones at a table share: tokens, background writes, and parsing of posted changes.

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
from randomizer.memory.ticks import TickChange, TickDatabase, TickState, TooManyTicks
from randomizer.web.security import RequestRefused

_MAX_CHANGES = 60  # changes in one request
_MAX_ID_LENGTH = 40  # characters in the id of a change or of a checklist line


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

    def build_token(self, table_key: str) -> str:
        """Build the token that pages of a table send with every change, to prevent request forgery."""
        return hmac.new(self._secret, table_key.encode(), sha256).hexdigest()[:32]

    def check_token(self, table_key: str, token: str) -> None:
        """Check that a change was sent by a page of the table.

        Raises:
            RequestRefused: the token is wrong.
        """
        if not hmac.compare_digest(self.build_token(table_key).encode(), token.encode()):
            raise RequestRefused(HTTPStatus.FORBIDDEN)

    def get_version(self, table_key: str) -> int:
        """Return the number of changes that have been applied to a table."""
        return self._database.get_version(table_key)

    def get_state(self, table_key: str) -> TickState:
        """Return the ticked lines and the version of a table."""
        return self._database.get_state(table_key)

    async def apply_changes(self, table_key: str, changes: Sequence[TickChange], client: str) -> TickState:
        """Apply changes to the ticks of a table, and wait until they have been written to the disk.

        Args:
            table_key: the key of the table.
            changes: the changes.
            client: the IP address of the client that sends them.

        Returns:
            The ticked lines and the version after the changes.

        Raises:
            RequestRefused: there are too many ticks, or the database cannot be written.
        """
        loop = asyncio.get_running_loop()
        try:
            evicted_client = await loop.run_in_executor(
                self._writer, self._database.apply_changes, table_key, changes, client
            )
        except TooManyTicks:
            raise RequestRefused(HTTPStatus.INSUFFICIENT_STORAGE) from None
        except BadDatabase:
            raise RequestRefused(HTTPStatus.INTERNAL_SERVER_ERROR) from None
        if evicted_client is not None and evicted_client not in self._warned_clients:
            self._warned_clients.add(evicted_client)
            self._warn(evicted_client)
        return self._database.get_state(table_key)

    def get_successor(self, table_key: str) -> str:
        """Return the query string of the table that replaced a table; see `TickDatabase.get_successor`."""
        return self._database.get_successor(table_key)

    def list_dealt_tables(self, max_count: int) -> list[str]:
        """Return the query strings of the latest tables that have not been replaced, the newest first."""
        return self._database.list_dealt_tables(max_count)

    async def record_table(self, table_key: str, query: str, replaced_key: str = "") -> None:
        """Record a new table, like `TickDatabase.record_table`, but ignore errors of the database."""
        loop = asyncio.get_running_loop()
        with suppress(BadDatabase):  # Other phones do not follow to the new table, but it can be used.
            await loop.run_in_executor(
                self._writer, self._database.record_table, table_key, query, replaced_key
            )


def parse_json_changes(body: bytes) -> tuple[str, list[TickChange]]:
    """Parse the token and the changes that the script of a page has posted as JSON.

    Raises:
        RequestRefused: the body is invalid.
    """
    try:
        content = json.loads(body)
        changes = [_parse_change(*each) for each in content["ticks"]]
        token = content["token"]
        token.encode()  # This fails for lone surrogates.
    except (AttributeError, ValueError, TypeError, KeyError, RecursionError):
        raise RequestRefused(HTTPStatus.BAD_REQUEST) from None
    if len(changes) > _MAX_CHANGES:
        raise RequestRefused(HTTPStatus.BAD_REQUEST)
    return token, changes


def build_form_changes(ticked_before: Collection[str], ticked_after: Collection[str]) -> list[TickChange]:
    """Build the changes that a user has made in a form, in a browser without JavaScript.

    Args:
        ticked_before: the ids of the lines that were ticked when the form was rendered.
        ticked_after: the ids of the lines that are ticked in the posted form.

    Raises:
        RequestRefused: the id of a line is invalid.
    """
    try:
        return [
            _parse_change(os.urandom(8).hex(), line_id, line_id in ticked_after)
            for line_id in sorted({*ticked_before} ^ {*ticked_after})
        ]
    except ValueError:
        raise RequestRefused(HTTPStatus.BAD_REQUEST) from None


def _parse_change(id_: object, line_id: object, is_ticked: object) -> TickChange:
    """Build a change from fields that come from an untrusted source.

    Raises:
        TypeError: a field has the wrong type.
        ValueError: an id is empty, too long, or not ASCII.
    """
    if not (isinstance(id_, str) and isinstance(line_id, str) and isinstance(is_ticked, bool)):
        raise TypeError
    if not all(0 < len(text) <= _MAX_ID_LENGTH and text.isascii() for text in (id_, line_id)):
        raise ValueError
    return TickChange(id_, line_id, is_ticked)
