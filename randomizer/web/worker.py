"""The program of a worker process, which renders one page at a time.

The process reads requests from its standard input, and writes the answers to its standard output. Each is a
line of JSON. The process ends as soon as its input is closed, even while it renders a page.
"""

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from http import HTTPStatus
from queue import SimpleQueue
from threading import Thread
from typing import Any

from randomizer.text.errors import Problem
from randomizer.web import lookups, statistics, tables, veto
from randomizer.web.address import load_game
from randomizer.web.frame import PageResponse, Visitor, render_error, render_messages

PAGES: Mapping[str, Callable[..., PageResponse]] = {
    "ballot": veto.check_ballot,
    "card": lookups.show_card,
    "end_vote": veto.end_vote,
    "entry": lookups.show_entry,
    "export_table": tables.export_table,
    "favourite": tables.save_favourite,
    "form": tables.show_form,
    "history": tables.show_history,
    "kingdoms": lookups.show_kingdoms,
    "names": lookups.complete_names,
    "newest": tables.show_missing_table,
    "played": tables.record_played_game,
    "rules": lookups.show_rules,
    "statistics": statistics.show_statistics,
    "swap": tables.swap_card,
    "table": tables.show_table,
}
_SINGLE_ITEM_PAGES = {"card", "entry"}  # A `Problem` on these pages means that the item does not exist.


def render_page(page: str, visitor: Visitor, arguments: Mapping[str, Any]) -> PageResponse:
    """Render a page, or an error page if that fails. Error pages reveal nothing about the server.

    Args:
        page: the name of the page, a key of `PAGES`.
        visitor: the visitor of the request.
        arguments: the other arguments of the page's handler.
    """
    try:
        return PAGES[page](visitor, **arguments)
    except Problem as problem:
        status = HTTPStatus.NOT_FOUND if page in _SINGLE_ITEM_PAGES else HTTPStatus.BAD_REQUEST
        language = load_game().get_language(visitor.language_code)
        return render_messages(visitor, status, problem.render_lines(language))
    except Exception:
        traceback.print_exc()  # The person who runs the server sees this, but visitors do not.
        return render_error(visitor, HTTPStatus.INTERNAL_SERVER_ERROR)


def main() -> None:
    """Answer messages from the server until the input is closed.

    The server sends an empty list to find out whether the process is ready.
    """
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Other output goes to the standard error, so that it does not corrupt the answers.
    messages: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read_messages, args=(messages,), daemon=True).start()
    load_game()
    lookups.get_index()
    while True:
        answer: Mapping[str, Any] = {}
        if message := json.loads(messages.get()):
            page, (base_path, code, has_language_param, query_params, origin), arguments = message
            pairs = [(name, value) for name, value in query_params]
            visitor = Visitor(base_path, code, has_language_param, pairs, origin)
            answer = render_page(page, visitor, arguments)._asdict()
        output.write(json.dumps(answer).encode() + b"\n")
        output.flush()


def _read_messages(messages: "SimpleQueue[bytes]") -> None:
    """Put each line of the standard input into a queue. At its end, end the process."""
    for line in sys.stdin.buffer:
        messages.put(line)
    # The server has ended, so the page that is being rendered is no longer needed. A signal ends the whole
    # process; `sys.exit` would end only this thread.
    signal.raise_signal(signal.SIGTERM)
