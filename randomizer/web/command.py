"""The command that serves the pages, to this computer or to the phones around the table."""

import os
import signal
import socket
import sys
from collections.abc import Iterable
from contextlib import closing, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from randomizer.load.languages import can_encode, choose_code, load
from randomizer.text import screen
from randomizer.text.errors import BadOptions, BadUsage, Problem, describe_os_error
from randomizer.text.language import ENGLISH, JoinedList, Language, Verbatim, as_verbatim, join_with_and

if TYPE_CHECKING:
    from randomizer.web.security import AllowedHosts

DEFAULT_PORT = 8765
LOOPBACK = "127.0.0.1"
REQUIRED_MODULES = ("starlette", "uvicorn", "segno")  # what the extra brings
_ANYWHERE = "0.0.0.0"  # noqa: S104  # where somebody asked for it
_OUTSIDE = ("192.0.2.1", 9)  # nobody's address (RFC 5737): no packet is sent to find the way there
_USUAL = {"http": 80, "https": 443}  # ports that browsers leave out of a `Host` header
_NEXT = 50  # ports that are tried after one that is taken
_ENDING = 3  # seconds for what is being answered


class NotInstalled(Problem):
    """What the server takes is not there; says how to get it."""

    status = 1


@click.command(
    epilog="""\b
Examples:
  dominion-setup serve
  dominion-setup serve --network
  dominion-setup serve --network --certificate home.pem --key home-key.pem
"""
)
@click.option(
    "--network", is_flag=True, help="Open to the local network, at an address with a random word in it."
)
@click.option("--new-word", is_flag=True, help="Put another word into it: old addresses show nothing.")
@click.option(
    "--port",
    type=click.IntRange(1, 65_535),
    default=DEFAULT_PORT,
    metavar="N",
    help=f"Where to listen.  [default: {DEFAULT_PORT}]",
)
@click.option("--certificate", metavar="FILE", help="Serve https with this certificate, in PEM ...")
@click.option("--key", metavar="FILE", help="... and with its key, if that is in a file of its own.")
@click.pass_context
def serve(
    ctx: click.Context,
    /,
    network: bool,
    new_word: bool,
    port: int,
    certificate: str | None,
    key: str | None,
    lang: str | None,
    **_: Any,
) -> None:
    """Serve pages for all phones at the table."""
    if missing := [name for name in REQUIRED_MODULES if find_spec(name) is None]:
        needs = "serve needs {what}: pip install 'dominion-randomizer[web]' brings all of it."
        raise NotInstalled(needs, what=JoinedList(as_verbatim(missing)))
    from randomizer.memory.ticks import TickDatabase
    from randomizer.web.app import Server  # what only this command takes

    check_certificate(certificate, key)
    scheme = "https" if certificate else "http"
    code = choose_code(lang)
    language = load(code)
    if not can_encode(_encoding(), language):
        language = load(ENGLISH)
    with closing(_listening(port, network=network)) as listening, closing(TickDatabase()) as ticks:
        word = ticks.get_secret("word", new=new_word)
        door = build_allowed_hosts(port, network=network, word=word, scheme=scheme)
        for line in _told(language, f"{scheme}://{{host}}:{port}{door.base}/", network=network):
            ctx.meta["echo"](line)
        held = (ctx.parent and ctx.parent.default_map) or {}
        own = {name: held[name] for name in ctx.meta["defaults"].sources}
        _run(Server(door, ticks, code, defaults=own).app, listening, certificate, key)


def _run(app: Any, listening: socket.socket, certificate: str | None, key: str | None) -> None:
    """Serve until somebody ends it: Ctrl-C, or a signal."""
    import uvicorn

    from randomizer.web.connections import Connection

    config = uvicorn.Config(
        app,
        http=Connection,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="on",
        h11_max_incomplete_event_size=16_384,  # bytes of the head of a request
        backlog=100,  # connections that are taken at once, before any is looked at
        timeout_graceful_shutdown=_ENDING,
        proxy_headers=False,
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):  # a signal comes once more when it has ended
        uvicorn.Server(config).run(sockets=[listening])


def check_certificate(certificate: str | None, key: str | None) -> None:
    """See whether there is a certificate with its key, if one was asked for.

    Raises:
        BadUsage: there is a key without a certificate.
        BadOptions: one of the files is not to be had, or they are no certificate with its key.
    """
    if key and not certificate:
        raise BadUsage("--key needs --certificate.")
    if certificate:
        import ssl  # which others do without

        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, lambda: "")
        except ssl.SSLError:
            files = join_with_and(as_verbatim(filter(None, (certificate, key))))
            raise BadOptions("{files}: no certificate in PEM with its key.", files=files) from None
        except OSError as problem:
            missing = key if key and os.path.exists(certificate) else certificate
            raise BadOptions(
                "{file}: {why}", file=Verbatim(missing), why=describe_os_error(problem)
            ) from None


# ── Addresses ──


def get_local_address() -> str:
    """This computer's address on the local network; nothing where it is on none."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as way, suppress(OSError):
        way.connect(_OUTSIDE)
        return str(way.getsockname()[0])
    return ""


def build_allowed_hosts(port: int, *, network: bool, word: str, scheme: str = "http") -> "AllowedHosts":
    """What a `Host` header may say, and what addresses begin with.

    Args:
        port: where the server listens.
        network: whether it is open to the local network ...
        word: ... where addresses have this word in them.
        scheme: what addresses begin with.
    """
    from randomizer.web.security import AllowedHosts

    names = ["localhost", LOOPBACK]
    if network:
        name = socket.gethostname().casefold()
        names += [get_local_address(), name, f"{name}.local"]
    hosts = {f"{name}:{port}" for name in names if name}
    if port == _USUAL[scheme]:
        hosts.update(filter(None, names))
    return AllowedHosts(frozenset(hosts), f"/k/{word}" if network else "")


def _listening(port: int, *, network: bool) -> socket.socket:
    """A socket at the port, where nobody else listens.

    Raises:
        BadOptions: the port is taken, or cannot be used; names the next that is free.
    """
    try:
        return _bind_socket(port, network=network)
    except OSError as problem:
        free = next((number for number in range(port + 1, port + _NEXT) if _is_free(number, network)), None)
        if free is None:
            raise BadOptions("port {port}: {why}.", port=port, why=describe_os_error(problem)) from None
        hint = "port {port}: {why}; --port {free} is free."
        raise BadOptions(hint, port=port, why=describe_os_error(problem), free=free) from None


def _is_free(port: int, network: bool) -> bool:
    with suppress(OSError, OverflowError), closing(_bind_socket(port, network=network)):
        return True
    return False


def _bind_socket(port: int, *, network: bool) -> socket.socket:
    open_ = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":  # where two may listen otherwise
            open_.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            open_.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        open_.bind((_ANYWHERE if network else LOOPBACK, port))
        open_.listen(512)
    except BaseException:
        open_.close()
        raise
    return open_


# ── What is told ──


def _told(language: Language, at: str, *, network: bool) -> Iterable[str]:
    """Where the pages are, line by line, with a QR code on a terminal that can show it.

    Args:
        language: of the lines.
        at: the address, with a blank for the host.
        network: whether it is open to the local network.
    """
    translate = language.translate
    yield translate("On this computer: {text}", text=at.format(host="localhost"))
    if network:
        address = at.format(host=get_local_address() or socket.gethostname())
        yield translate("On your network: {text}", text=address)
        yield translate("Whoever has this address can see and tick the tables, and note games as played.")
        if (
            screen.is_terminal(sys.stdout)
            and _encoding().startswith("utf")
            and os.environ.get("TERM") != "dumb"
        ):
            yield from render_qr_code_lines(address, screen.get_columns())
    yield translate("Ctrl-C ends it.")


def render_qr_code_lines(text: str, most: int) -> Iterable[str]:
    """A text as a QR code in half blocks, a line each; none where it would be wider than so many columns."""
    import segno

    code = [[*row] for row in segno.make(text, error="l", micro=False).matrix_iter(border=2)]
    if len(code[0]) > most:
        return []
    code += [[0] * len(code[0])] * (len(code) % 2)
    return [
        "".join(_HALVES[bool(above), bool(below)] for above, below in zip(*rows, strict=True))
        for rows in zip(code[::2], code[1::2], strict=True)
    ]


# The light parts are printed, for most terminals are dark.
_HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}


def _encoding() -> str:
    return (getattr(sys.stdout, "encoding", None) or "ascii").lower()
