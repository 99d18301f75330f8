"""Ctrl-C stops a call, by leaving it to another thread; what belongs to a thread stays right."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import enzyme_cc
from enzyme_cc.functions.thread_state import is_thread_bound

SOURCES = Path(__file__).parent / "sources"
AFTER = ("interrupts.c", "squared_after", "x, milliseconds -> return")
SCRIPT = """
import os, signal, sys, threading, time
import enzyme_cc
signal.signal(signal.SIGINT, signal.default_int_handler)
f = enzyme_cc.function({source!r}, "squared_after", "x, milliseconds -> return")
g = enzyme_cc.function({source!r}, "rounding_of", "x -> return")
call = f.grad if {is_gradient} else f
call(3.0, 1)
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    call(3.0, 20_000)
except KeyboardInterrupt:
    print(time.monotonic() - start)
print(g(1.0))
try:
    call(3.0, 1)
except RuntimeError as error:
    print(error)
"""


@pytest.fixture
def interrupts() -> Iterator[None]:
    """An interrupt raises KeyboardInterrupt, also in a job that a shell started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_after(seconds: float) -> None:
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


@pytest.mark.parametrize("is_gradient", [False, True])
def test_interrupt_stops_a_call_and_the_process_goes_on(is_gradient: bool) -> None:
    text = SCRIPT.format(source=str(SOURCES / "interrupts.c"), is_gradient=is_gradient)
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    seconds, other, refused = done.stdout.splitlines()
    assert 0.4 < float(seconds) < 1
    assert float(other) == 0
    assert "squared_after cannot be called yet: an interrupted call of squared_after runs on" in refused
    assert time.monotonic() - start < 18  # nothing waits for the call at the end


@pytest.mark.usefixtures("interrupts")
def test_function_can_be_called_again_when_the_interrupted_call_has_ended() -> None:
    f = enzyme_cc.function(SOURCES / "interrupts.c", "squared_after", AFTER[2], flags="-DONE")
    assert f(1.0, 0) == 1
    interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        f(3.0, 1500)
    with pytest.raises(RuntimeError, match="runs on in the same library"):
        f(2.0, 0)
    time.sleep(1.5)
    assert f(2.0, 0) == 4


@pytest.mark.usefixtures("interrupts")
def test_arrays_of_an_interrupted_call_live_until_it_ends(build: Callable[..., Any]) -> None:
    import numpy as np

    f = build("interrupts.c", "fill_after", "x[n], n, milliseconds, out y[n]")
    x, y = np.ones(1000), np.zeros(1000)
    f(x, 0, out=y)
    interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        f(x, 1000, out=y)
    del x
    with pytest.raises(RuntimeError):
        f(np.ones(3), 0)
    time.sleep(1)
    assert (f(np.ones(3), 0) == 2).all()
    assert (y == 2).all()


def test_handlers_of_signals_run_during_a_call(build: Callable[..., Any]) -> None:
    f, at = build(*AFTER), []
    before = signal.signal(signal.SIGUSR1, lambda *given: at.append(time.monotonic()))
    try:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        assert f(3.0, 1000) == 9
        assert time.monotonic() - at[0] > 0.4
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_calls_that_are_no_larger_than_quick_ones_run_in_the_callers_thread() -> None:
    f = enzyme_cc.function(SOURCES / "interrupts.c", "thread_of", "x, n -> return")
    own = threading.get_native_id()
    assert f(1.0, 100) != own  # nothing is known of it yet
    assert {f(1.0, n) for n in (100, 1, 100)} == {own}
    assert f(1.0, 10**6) != own


def test_calls_of_other_threads_run_in_them(build: Callable[..., Any]) -> None:
    f, threads = build("interrupts.c", "thread_of", "x, n -> return"), []
    thread = threading.Thread(target=lambda: threads.extend([threading.get_native_id(), f(1.0, 10**8)]))
    thread.start()
    thread.join()
    assert threads[0] == threads[1]


def test_rounding_is_that_of_the_caller() -> None:
    f = enzyme_cc.function(SOURCES / "interrupts.c", "rounding_of", "x -> return")
    libm, upward = ctypes.CDLL("libm.so.6"), 0x800 if os.uname().machine == "x86_64" else 0x400000
    libm.fesetround(upward)
    try:
        assert f(1.0) == upward
    finally:
        libm.fesetround(0)


def test_no_thread_is_left_when_a_process_forks(build: Callable[..., Any]) -> None:
    assert build(*AFTER)(1.0, 200) == 1
    threads = len(os.listdir("/proc/self/task"))
    child = os.fork()
    if child == 0:
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert len(os.listdir("/proc/self/task")) < threads  # NumPy ends its own, too

    assert build(*AFTER)(3.0, 200) == 9


def test_state_of_a_thread_is_found_again() -> None:
    lib = enzyme_cc.library(SOURCES / "thread_state.c")
    set_up, run = lib.function("set_up", "x -> return"), lib.function("run", "x, n -> return")
    set_up(5.0)
    assert run(2.0, 1) == 10
    assert run(2.0, 1000) == 10000
    assert run.grad(2.0, 1000) == 5000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("double f(double x) { return x; }", False),
        ("static double g; double f(double x) { return g += x; }", False),
        ("#include <stdlib.h>\ndouble f(double x) { return *(double *)malloc(8) + x; }", False),
        ("static _Thread_local double g; double f(double x) { return g += x; }", True),
        ("extern _Thread_local double g; double f(double x) { return g += x; }", True),
        ("#include <pthread.h>\ndouble f(double x) { return pthread_getspecific(0) ? x : 0; }", True),
        ("int MPI_Barrier(int); double f(double x) { MPI_Barrier(0); return x; }", True),
        ("void omp_set_num_threads(int); double f(double x) { omp_set_num_threads(2); return x; }", True),
    ],
)
@pytest.mark.parametrize("flags", [[], ["-flto"]])
def test_what_is_bound_to_a_thread(tmp_path: Path, text: str, expected: bool, flags: list[str]) -> None:
    (tmp_path / "f.c").write_text(text)
    subprocess.run(["enzyme-cc", "-O1", "-fPIC", "-c", *flags, "f.c"], cwd=tmp_path, check=True)
    assert is_thread_bound([str(tmp_path / "f.o")]) == expected


@pytest.mark.usefixtures("interrupts")
def test_interrupt_of_a_callback_leaves_the_call(build: Callable[..., Any]) -> None:
    f = build("interrupts.c", "sum_of", "callback f(x), x, n -> return")
    own = threading.get_native_id()

    def interrupted(x: float) -> float:
        assert threading.get_native_id() == own
        if x > 3:
            signal.raise_signal(signal.SIGINT)
        return x

    with pytest.raises(KeyboardInterrupt):
        f(interrupted, 1.0, 10)
