"""A process that has imported the linker, and forks one process for each link of a test.

Most links of tests are small: imports take half of their processor time. `client()` is a program that the launcher
starts in place of Python (ENZYME_CC_PYTHON). It hands its arguments, environment, working directory and standard
streams to the server, and ends with the link's status. Each test process has one server, which ends with it.
"""

from __future__ import annotations

import gc
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from pathlib import Path

#: where it is set, the link starts an interpreter of its own
_EXCLUDED = "PYTHONHASHSEED"
_CLIENT = """#!{python} -IS
import json, os, socket, sys
if sys.argv[1:4] != ["-P", "-m", "enzyme_cc.link"] or {excluded!r} in os.environ:
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
socket.send_fds(server, [b"."], [0, 1, 2, os.open(".", os.O_RDONLY)])
server.sendall(json.dumps([sys.argv[4:], dict(os.environ)]).encode())
server.shutdown(socket.SHUT_WR)
status = server.recv(8)
sys.exit(int(status) if status else "the link ended without a status")
"""


@cache
def client() -> Path:
    """Starts the server of this process, and returns the program that stands for Python in links."""
    folder = Path(tempfile.mkdtemp(prefix="enzyme-links-"))
    program, address = folder / "python", str(folder / "socket")
    program.write_text(_CLIENT.format(python=sys.executable, excluded=_EXCLUDED, address=address))
    program.chmod(0o755)
    command = [sys.executable, "-P", __file__, address]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdout is not None
    server.stdout.readline()
    return program


def serve(address: str) -> None:
    """Forks a process for each connection, until standard input ends."""
    for module in ("enzyme_cc.link.__main__", "enzyme_cc.link.pipeline", "enzyme_cc.autodiff.engine"):
        import_module(module)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the processes
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)
        while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
            _fork(listener)
    shutil.rmtree(os.path.dirname(address))


def _fork(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    with connection:
        if os.fork() == 0:
            listener.close()
            _answer(connection)


def _answer(connection: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, streams, _, _ = socket.recv_fds(connection, 1, 4)
    for number, stream in enumerate(streams[:3]):
        os.dup2(stream, number)
    os.fchdir(streams[3])
    for stream in streams:
        os.close(stream)
    with connection.makefile("rb") as words:
        arguments, environment = json.load(words)
    os.environ.clear()
    os.environ.update(environment)
    connection.sendall(str(_link(arguments)).encode())
    os._exit(0)


def _link(arguments: list[str]) -> int:
    from enzyme_cc.link.__main__ import main

    status = 1
    try:
        status = main(arguments)
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    sys.stdout.flush()
    sys.stderr.flush()
    return status


if __name__ == "__main__":
    serve(sys.argv[1])
