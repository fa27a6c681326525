"""The program of a worker process, which renders one page at a time.

The process reads requests from its standard input, and writes the responses to its standard output. Each
request and each response is a line of JSON. The process ends as soon as its input is closed, even in the
middle of rendering a page.
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

PAGE_HANDLERS: Mapping[str, Callable[..., PageResponse]] = {
    "ballot": veto.validate_ballot,
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
    "tables": tables.show_tables,
}
_SINGLE_ITEM_PAGES = {"card", "entry"}  # A `Problem` on these pages means that the item does not exist.


def render_page(page_name: str, visitor: Visitor, arguments: Mapping[str, Any]) -> PageResponse:
    """Render a page, or an error page if that fails. Error pages reveal nothing about the server.

    Args:
        page_name: the name of the page, a key of `PAGE_HANDLERS`.
        visitor: the visitor of the request.
        arguments: the other arguments of the page's handler.
    """
    try:
        return PAGE_HANDLERS[page_name](visitor, **arguments)
    except Problem as problem:
        status = HTTPStatus.NOT_FOUND if page_name in _SINGLE_ITEM_PAGES else HTTPStatus.BAD_REQUEST
        language = load_game().get_language(visitor.language_code)
        return render_messages(visitor, status, problem.render_lines(language))
    except Exception:
        traceback.print_exc()  # The person who runs the server sees this, but visitors do not.
        return render_error(visitor, HTTPStatus.INTERNAL_SERVER_ERROR)


def main() -> None:
    """Answer requests from the server until the standard input is closed.

    An empty list is a request without a page: the server sends it to find out whether the process is ready.
    """
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Other output goes to the standard error, so that it does not corrupt the responses.
    requests: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read_requests, args=(requests,), daemon=True).start()
    load_game()
    lookups.get_index()
    while True:
        response: Mapping[str, Any] = {}
        if request := json.loads(requests.get()):
            page_name, (base_path, language_code, has_language_param, params, origin), arguments = request
            query_params = [(name, value) for name, value in params]  # JSON turns pairs into lists.
            visitor = Visitor(base_path, language_code, has_language_param, query_params, origin)
            response = render_page(page_name, visitor, arguments)._asdict()
        output.write(json.dumps(response).encode() + b"\n")
        output.flush()


def _read_requests(requests: "SimpleQueue[bytes]") -> None:
    """Put each line of the standard input into the queue, and end the process when the input is closed."""
    for line in sys.stdin.buffer:
        requests.put(line)
    # The server has ended, so the page that is being rendered is no longer needed. A signal ends the whole
    # process; `sys.exit` would end only this thread.
    signal.raise_signal(signal.SIGTERM)
