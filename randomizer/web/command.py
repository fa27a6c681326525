"""The command `serve`, which starts a web server for this computer or for phones on the local network."""

import os
import re
import signal
import socket
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from importlib.util import find_spec
from io import StringIO
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

import click

from randomizer.load.languages import can_encode, choose_code, load
from randomizer.text import screen
from randomizer.text.errors import BadOptions, BadUsage, Problem, describe_os_error
from randomizer.text.language import (
    ENGLISH,
    JoinedList,
    Language,
    Verbatim,
    as_verbatim,
    join_with_and,
    quote,
)

if TYPE_CHECKING:
    from randomizer.web.security import AllowedHosts

DEFAULT_PORT = 8765
LOOPBACK = "127.0.0.1"
REQUIRED_MODULES = ("ifaddr", "segno", "starlette", "uvicorn")  # installed with the extra `web`
_ALL_INTERFACES = "0.0.0.0"  # noqa: S104  # The server listens here only with `--network`.
_UNUSED_ADDRESS = ("192.0.2.1", 9)  # reserved for documentation (RFC 5737); nothing is sent to it
_DEFAULT_PORTS = {"http": 80, "https": 443}  # Browsers omit these in the `Host` header.
_ORIGIN = re.compile(
    r"\*|(?P<scheme>https?)://(?P<host>[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?/?"
)
_MAX_PORT_ATTEMPTS = 50  # ports to try after one that is taken
_SHUTDOWN_TIMEOUT = 3  # seconds to wait for running requests


class NotInstalled(Problem):
    """Raised if packages that the server needs are not installed."""

    status = 1


@click.command(
    epilog="""\b
Examples:
  dominion-setup serve
  dominion-setup serve --network
  dominion-setup serve --network --certificate home.pem --key home-key.pem
"""
)
@click.option("--network", is_flag=True, help="Allow other devices on your network, via a secret URL.")
@click.option("--new-word", is_flag=True, help="Change the secret URL; old ones stop working.")
@click.option(
    "--port",
    type=click.IntRange(1, 65_535),
    default=DEFAULT_PORT,
    metavar="N",
    help=f"Use this port.  [default: {DEFAULT_PORT}]",
)
@click.option("--certificate", metavar="FILE", help="Use HTTPS with this certificate, in PEM format.")
@click.option("--key", metavar="FILE", help="Read the certificate's key from this file.")
@click.option(
    "--allow-origin",
    "allowed_origins",
    multiple=True,
    metavar="ORIGIN",
    help="Let pages of this website read tables as JSON, or * for all websites; repeatable.",
)
@click.pass_context
def serve(
    ctx: click.Context,
    /,
    network: bool,
    new_word: bool,
    port: int,
    certificate: str | None,
    key: str | None,
    allowed_origins: tuple[str, ...],
) -> None:
    """Show the checklist and rules on all phones at the table."""
    if missing := [name for name in REQUIRED_MODULES if find_spec(name) is None]:
        template = "serve needs {what}; to install everything: pip install 'dominion-randomizer[web]'"
        raise NotInstalled(template, what=JoinedList(as_verbatim(missing)))
    from randomizer.memory.ticks import TickDatabase
    from randomizer.web.app import Server

    check_certificate(certificate, key)
    origins = set(map(parse_origin, allowed_origins))
    scheme = "https" if certificate else "http"
    language_code = choose_code(ctx.obj["lang"])
    language = load(language_code)
    if not can_encode(_get_encoding(), language):
        language = load(ENGLISH)
    with closing(_listen(port, allow_network=network)) as listening_socket, closing(TickDatabase()) as ticks:
        secret_word = ticks.get_secret("word", replace=new_word)
        allowed_hosts = build_allowed_hosts(
            port, allow_network=network, secret_word=secret_word, scheme=scheme
        )
        url = f"{scheme}://{{host}}{allowed_hosts.base_path}/"
        for line in describe_urls(language, url, port, allowed_hosts.network_hosts):
            ctx.meta["echo"](line)
        effective_defaults = (ctx.parent and ctx.parent.default_map) or {}
        own_defaults = {name: effective_defaults[name] for name in ctx.meta["defaults"].sources}

        def report(template: str, **values: Any) -> None:
            ctx.meta["echo"](language.translate(template, **values))

        server = Server(
            allowed_hosts, ticks, language_code, defaults=own_defaults, report=report, allowed_origins=origins
        )
        _run(server.app, listening_socket, certificate, key)


def _run(app: Any, listening_socket: socket.socket, certificate: str | None, key: str | None) -> None:
    """Run the server until Ctrl-C or SIGTERM."""
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
        h11_max_incomplete_event_size=16_384,  # bytes in the header of a request
        backlog=100,  # connections that wait to be accepted
        timeout_graceful_shutdown=_SHUTDOWN_TIMEOUT,
        proxy_headers=False,
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):  # uvicorn raises the signal again after it has shut down.
        uvicorn.Server(config).run(sockets=[listening_socket])


def check_certificate(certificate: str | None, key: str | None) -> None:
    """Check that the certificate and its key can be loaded.

    Args:
        certificate: the path of a PEM file; None for a server without HTTPS.
        key: the path of a PEM file; None if the key is in the same file as the certificate.

    Raises:
        BadUsage: a key is given without a certificate.
        BadOptions: a file cannot be read, or the files do not contain a certificate and its key.
    """
    if key and not certificate:
        raise BadUsage("--key needs --certificate.")
    if certificate:
        import ssl

        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, lambda: "")
        except ssl.SSLError:
            files = join_with_and(as_verbatim(filter(None, (certificate, key))))
            raise BadOptions("{files}: not a PEM certificate with its key.", files=files) from None
        except OSError as problem:
            missing = key if key and os.path.exists(certificate) else certificate
            raise BadOptions(
                "{file}: {why}", file=Verbatim(missing), why=describe_os_error(problem)
            ) from None


def parse_origin(text: str) -> str:
    """Parse the origin of a website, and return it as browsers send it, or "*".

    Raises:
        BadOptions: the text is neither an origin nor "*".
    """
    match = _ORIGIN.fullmatch(text.strip().casefold())
    if not match:
        template = "--allow-origin {text}: type an origin such as https://example.org, or * for all websites."
        raise BadOptions(template, text=quote(text))
    scheme, host, port = match["scheme"], match["host"], match["port"]
    if not scheme:
        return "*"
    return f"{scheme}://{host}" + (f":{port}" if port and int(port) != _DEFAULT_PORTS[scheme] else "")


# ── Addresses ──


def list_local_addresses() -> list[str]:
    """Return this computer's IPv4 addresses in its networks, that of the default route first.

    Loopback and link-local addresses are omitted, because other devices cannot connect to them.
    """
    import ifaddr

    default_address = ""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe, suppress(OSError):
        probe.connect(_UNUSED_ADDRESS)
        default_address = probe.getsockname()[0]
    ips = [ip_address(str(ip.ip)) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    usable = [str(ip) for ip in ips if not (ip.is_loopback or ip.is_link_local)]
    return sorted(dict.fromkeys(usable), key=lambda address: address != default_address)


def build_allowed_hosts(
    port: int, *, allow_network: bool, secret_word: str, scheme: str = "http"
) -> "AllowedHosts":
    """Build the allowed values of the `Host` header and the path prefix.

    Args:
        port: the port of the server.
        allow_network: whether other devices on the local network can connect.
        secret_word: the secret word in the path prefix. It is used only if `allow_network` is true.
        scheme: "http" or "https".
    """
    from randomizer.web.security import LOOPBACK_NAMES, AllowedHosts

    host_name = socket.gethostname().casefold()
    addresses = list_local_addresses() if allow_network else []
    names = [*LOOPBACK_NAMES, *([host_name, f"{host_name}.local", *addresses] if allow_network else [])]
    hosts = {f"{name}:{port}" for name in names}
    if port == _DEFAULT_PORTS[scheme]:
        hosts.update(names)
    if not allow_network:
        return AllowedHosts(frozenset(hosts))
    network_hosts = [f"{address}:{port}" for address in addresses or [host_name]]
    return AllowedHosts(frozenset(hosts), f"/k/{secret_word}", network_hosts)


def _listen(port: int, *, allow_network: bool) -> socket.socket:
    """Open a socket that listens on a port, for all network interfaces if `allow_network` is true.

    Raises:
        BadOptions: the port is taken or cannot be used; the message suggests the next free port.
    """
    try:
        return _bind_socket(port, allow_network=allow_network)
    except OSError as problem:
        # `create_server` appends the address to `strerror`, but the message already names the port.
        why = os.strerror(problem.errno) if problem.errno else str(problem)
        free_port = next(
            (
                each
                for each in range(port + 1, port + _MAX_PORT_ATTEMPTS)
                if _is_port_free(each, allow_network)
            ),
            None,
        )
        template = "port {port}: {why}; try --port {free}." if free_port else "port {port}: {why}."
        raise BadOptions(template, port=port, why=why, free=free_port or 0) from None


def _is_port_free(port: int, allow_network: bool) -> bool:
    with suppress(OSError, OverflowError), closing(_bind_socket(port, allow_network=allow_network)):
        return True
    return False


def _bind_socket(port: int, *, allow_network: bool) -> socket.socket:
    return socket.create_server((_ALL_INTERFACES if allow_network else LOOPBACK, port), backlog=512)


# ── Output ──


def describe_urls(language: Language, url: str, port: int, network_hosts: Sequence[str]) -> Iterable[str]:
    """Yield lines that tell the user how to open the pages, with a QR code if the terminal can show one.

    Args:
        language: the language of the lines.
        url: the URL of the start page, with the placeholder `{host}` for the host and port.
        port: the port of the server.
        network_hosts: the hosts and ports for other devices, the most likely one first; empty if they cannot
            connect.
    """
    translate = language.translate
    if network_hosts:
        first, *others = [url.format(host=host) for host in network_hosts]
        yield translate("On your network: {text}", text=first)
        is_plain_terminal = os.environ.get("TERM") == "dumb" or not _get_encoding().startswith("utf")
        if screen.is_terminal(sys.stdout) and not is_plain_terminal:
            yield from render_qr_code_lines(first, screen.get_columns())
        for other in others:
            yield translate("If a phone can't open that address: {text}", text=other)
        yield translate("Anyone with this address can view and tick off tables, and record games.")
    yield translate("On this computer: {text}", text=url.format(host=f"localhost:{port}"))
    yield translate("Press Ctrl-C to stop.")
    yield translate('Preparing cards and rules; pages open when it says "Ready."')


def render_qr_code_lines(text: str, max_columns: int) -> list[str]:
    """Render a QR code that contains a text as lines of block characters.

    Light modules are printed, because most terminals have a dark background.

    Returns:
        The lines; none if they are longer than `max_columns`.
    """
    import segno

    output = StringIO()
    segno.make(text, error="l", micro=False).terminal(output, border=2, compact=True)
    lines = output.getvalue().splitlines()
    return lines if len(lines[0]) <= max_columns else []


def _get_encoding() -> str:
    return (getattr(sys.stdout, "encoding", None) or "ascii").lower()
