"""The command: it starts, tells where, and ends, each in the way that people expect."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError

import ifaddr
import pytest

from randomizer.text.language import ENGLISH_LANGUAGE
from randomizer.web import command
from randomizer.web.command import (
    build_allowed_hosts,
    describe_urls,
    list_local_addresses,
    render_qr_code_lines,
)
from tests.support import TESTS_DIR, run
from tests.support.serving import run_server


def page(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as problem:
        return problem.code, problem.read().decode()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.skipif(sys.platform == "win32", reason="has no such signals")
def test_serve_answers_and_stops_cleanly(ending: signal.Signals) -> None:
    with run_server() as (child, port, lines):
        preparing = 'Preparing cards and rules; pages open when it says "Ready."'
        here = f"On this computer: http://localhost:{port}/"
        assert lines == [here, "Press Ctrl-C to stop.", preparing, "Ready."]
        status, text = page(f"http://localhost:{port}/")
        assert status == 200 and "<form" in text
        child.send_signal(ending)
        assert child.wait(timeout=60) == 0
        assert child.stdout and child.stdout.read() == ""


def test_network_url_keeps_its_word_until_renewed() -> None:
    words = []
    for args in ([], [], ["--new-word"]):
        with run_server("--network", "--lang", "ja", *args) as (_, port, lines):
            lines = [line for line in lines if "開けないとき" not in line]
            assert lines[0].startswith(f"ネットワーク：http://{list_local_addresses()[0]}:{port}/k/")
            assert lines[2].startswith(f"このコンピュータ：http://localhost:{port}/k/")
            words.append(lines[0].partition("/k/")[2])
            assert page(f"http://localhost:{port}/")[0] == 404
            assert page(f"http://localhost:{port}/k/{words[-1]}")[0] == 200
    assert words[0] == words[1] != words[2]
    assert all(re.fullmatch(r"[\w-]{16}/", word) for word in words)


def test_served_form_uses_the_user_s_defaults(tmp_path: Path) -> None:
    folder = tmp_path / "dominion-randomizer"
    folder.mkdir()
    text = 'players = 5\nsets = "base"\n[profiles.many]\nplayers = 6\ncolony = true\n'
    (folder / "config.toml").write_text(text, encoding="utf-8")
    env = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "APPDATA": str(tmp_path)}
    for profile, players in (("", "5"), ("many", "6")):
        with run_server(env={**env, "DOMINION_SETUP_PROFILE": profile}) as (_, port, lines):
            assert len(lines) == 4  # nothing is wrong with them
            text = page(f"http://localhost:{port}/")[1]
            assert f'name="players" value="{players}" checked' in text
            assert ('value="yes" selected' in text) == (profile == "many")


def test_taken_port_suggests_a_free_one() -> None:
    with closing(command._bind_socket(0, allow_network=False)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", "--port", str(port))
    assert result.exit_code == 2
    assert re.fullmatch(rf"Error: port {port}: .*in use; try --port \d+.\n", result.stderr)


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "REQUIRED_MODULES", ("starlette", "no_such_module"))
    result = run("serve")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "Error: serve needs no_such_module; to install everything: pip install 'dominion-randomizer[web]'\n"
    )


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A certificate for this computer that it gives itself, and its key."""
    openssl = shutil.which("openssl")
    if not openssl:
        pytest.skip("needs the program openssl")
    folder = tmp_path_factory.mktemp("certificate")
    cert, key = str(folder / "cert.pem"), str(folder / "key.pem")
    what = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost"]
    said = [openssl, "req", *what, *names, "-out", cert, "-keyout", key]
    subprocess.run(said, check=True, capture_output=True)
    return cert, key


def test_certificate_enables_https(certificate: tuple[str, str]) -> None:
    cert, key = certificate
    with run_server("--network", "--certificate", cert, "--key", key) as (_, port, lines):
        here = lines[-4].removeprefix("On this computer: ")
        assert here.startswith(f"https://localhost:{port}/k/")
        network = lines[0].removeprefix("On your network: ")
        assert network.startswith(f"https://{list_local_addresses()[0]}:{port}/k/")
        trusting = ssl.create_default_context(cafile=cert)
        address = f"{here}table?sets=base&players=2&seed=1"
        with urllib.request.urlopen(address, timeout=60, context=trusting) as answer:
            shared = address.replace(here, network)
            assert f'value="{shared}"'.replace("&", "&amp;") in answer.read().decode()
        with pytest.raises(ConnectionError):
            page(here.replace("https", "http"))


def test_invalid_certificate_is_refused(certificate: tuple[str, str], tmp_path: Path) -> None:
    cert, key = certificate
    other = tmp_path / "other.pem"
    other.write_text("x", encoding="utf-8")
    for args, said in (
        (["--key", key], "Error: --key needs --certificate.\n"),
        (["--certificate", "none.pem"], "Error: none.pem: No such file or directory"),
        (["--certificate", cert, "--key", "none.pem"], "Error: none.pem: No such file or directory"),
        (["--certificate", cert], f"Error: {cert}: not a PEM certificate with its key.\n"),
        (["--certificate", cert, "--key", str(other)], "not a PEM certificate with its key.\n"),
    ):
        result = run("serve", *args)
        assert result.exit_code == 2 and said in result.stderr, args


def test_help_works_without_the_extra_packages() -> None:
    """Nor does any other command: it is loaded when a server starts."""
    code = (
        "import sys; from randomizer.cli.main import main; main(['serve', '--help'], standalone_mode=False)"
    )
    check = "; print([name for name in ('starlette', 'uvicorn', 'segno', 'jinja2') if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code + check], cwd=TESTS_DIR.parent, capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("[]\n")


def test_qr_code_lines_fit_the_screen_or_are_omitted() -> None:
    lines = list(render_qr_code_lines("http://192.0.2.7:8765/k/aaaaaaaaaaaaaaaa/", 80))
    assert len({len(line) for line in lines}) == 1 and len(lines) * 2 - len(lines[0]) in (0, 1)
    assert {sign for line in lines for sign in line} <= set(" █▀▄")
    width = len(lines[0])
    assert render_qr_code_lines("http://192.0.2.7:8765/k/aaaaaaaaaaaaaaaa/", width) == lines
    assert render_qr_code_lines("http://192.0.2.7:8765/k/aaaaaaaaaaaaaaaa/", width - 1) == []


def test_every_address_that_phones_may_reach_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer may be in several networks, and only the players know in which one their phones are."""
    addresses = ["127.0.0.1", "10.0.0.7", "169.254.3.4", "192.0.2.2", "10.0.0.7"]
    ips = [ifaddr.IP(address, 24, "net") for address in addresses]
    ips.append(ifaddr.IP(("fd00::2", 0, 0), 64, "net"))
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [ifaddr._shared.Adapter("net", "net", ips)])
    monkeypatch.setattr(socket.socket, "getsockname", lambda probe: ("192.0.2.2", 1))
    assert list_local_addresses() == ["192.0.2.2", "10.0.0.7"]
    hosts = build_allowed_hosts(8765, allow_network=True, secret_word="w")
    assert {"192.0.2.2:8765", "10.0.0.7:8765"} < {*hosts.hosts}
    lines = list(describe_urls(ENGLISH_LANGUAGE, "http://{host}/k/w/", 8765, hosts.network_hosts))
    assert lines[0] == "On your network: http://192.0.2.2:8765/k/w/"
    assert lines[1] == "If a phone can't open that address: http://10.0.0.7:8765/k/w/"
    monkeypatch.setattr(ifaddr, "get_adapters", list)
    named = build_allowed_hosts(8765, allow_network=True, secret_word="w").network_hosts
    assert named == [f"{socket.gethostname().casefold()}:8765"]
