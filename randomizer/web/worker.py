"""A process that works pages out, one at a time, for the server: `python -m randomizer.web.worker`.

Texts in JSON go to and fro, each behind its length. It ends as soon as nobody can ask any more, even in the
middle of a deal.
"""

import json
import os
import signal
import traceback
from collections.abc import Callable, Mapping
from http import HTTPStatus
from queue import SimpleQueue
from threading import Thread
from typing import Any

from randomizer.text.errors import Problem
from randomizer.web import lookups, tables
from randomizer.web.address import load_game
from randomizer.web.frame import PageResponse, Visitor, render_error, render_error_lines
from randomizer.web.workers import LENGTH_PREFIX

PAGES: Mapping[str, Callable[..., PageResponse]] = {
    "card": lookups.show_card,
    "deal": tables.show_form,
    "entry": lookups.show_entry,
    "kingdoms": lookups.show_kingdoms,
    "names": lookups.complete_names,
    "played": tables.record_played_game,
    "printed": tables.export_table,
    "rules": lookups.show_rules,
    "table": tables.show_table,
}


_NAMED = {"card", "entry"}  # whose addresses name one thing, which may not be there


def render_page(what: str, visitor: Visitor, given: Mapping[str, Any]) -> PageResponse:
    """The page of that name; or one that says what is wrong, and nothing of the machine."""
    try:
        return PAGES[what](visitor, **given)
    except Problem as problem:
        status = HTTPStatus.NOT_FOUND if what in _NAMED else HTTPStatus.BAD_REQUEST
        return render_error_lines(
            visitor, status, problem.render_lines(load_game().get_language(visitor.language_code))
        )
    except Exception:
        traceback.print_exc()  # for whoever runs the server
        return render_error(visitor, HTTPStatus.INTERNAL_SERVER_ERROR)


def main() -> None:
    """Answer until there is nobody to answer."""
    sending = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed is no answer
    questions: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(questions,), daemon=True).start()
    tables.preload()
    lookups.preload()
    while True:
        question = questions.get()
        answer = b"{}"
        if question:
            what, said, given = json.loads(question)
            visitor = Visitor(*said)
            visitor = visitor._replace(query_params=[(name, value) for name, value in visitor.query_params])
            answer = json.dumps(render_page(what, visitor, given)._asdict()).encode()
        sending.write(LENGTH_PREFIX.pack(len(answer)) + answer)
        sending.flush()


def _listen(questions: "SimpleQueue[bytes]") -> None:
    while head := _received(LENGTH_PREFIX.size):
        questions.put(_received(*LENGTH_PREFIX.unpack(head)))
    # The server has gone, so nobody waits for the page that is being made. Ending the process from this
    # thread takes a signal, because `sys.exit` would end the thread only.
    signal.raise_signal(signal.SIGTERM)


def _received(size: int) -> bytes:
    """So many bytes; nothing where there are no more."""
    text = b""
    while len(text) < size and (more := os.read(0, size - len(text))):
        text += more
    return text if len(text) == size else b""


if __name__ == "__main__":
    main()
