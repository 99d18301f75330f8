"""Runs a link in a child process, so that the link always ends cleanly.

LLVM ends the process if damaged bitcode breaks its assumptions, and a signal may arrive at any time. The parent never
calls LLVM. It waits, removes the temporary files, and turns the death of the child into a diagnostic.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable
from types import FrameType

from enzyme_cc.link.process.deep_stack import with_deep_stack
from enzyme_cc.link.process.limits import TIMEOUT_SIGNAL, processor_seconds
from enzyme_cc.report import EXIT_STATUS, EnzymeError, tell

_PARENT_DEATH_SIGNAL, _CHILD_SUBREAPER = 1, 36  # of prctl(2)
_FATAL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_INTERRUPTED = (*_FATAL, signal.SIGPIPE)

# A child that ends by itself sends this as its last note.
DONE = "\0done"
#: begins the note of what the child works on: it is told if the child's time runs out
STAGE = "\0stage "
_NO_MEMORY = "\0no memory"
_UNREAD = "\0unread"  # nobody reads what the child prints: `| head` has ended


def supervise(work: Callable[[Callable[[str], None]], int], clean: Callable[[bool], None]) -> int:
    """Runs `work` in a child process, then `clean` in this one, and returns the exit status.

    `work` gets a function that takes notes: the name of what LLVM reads, and `""` when LLVM has read it; each stage,
    after STAGE. `work` returns the child's exit status. `clean` is told whether the child crashed. If a signal arrives,
    the child is killed, and this process ends by the same signal.
    """
    reading, writing = os.pipe()
    received: list[int] = []
    child = 0

    def forward(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        if child:
            _end_all(child)

    previous = {number: signal.signal(number, forward) for number in _FATAL}
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.close(reading)
        for number in (*_FATAL, TIMEOUT_SIGNAL):
            signal.signal(number, signal.SIG_DFL)
        _control_process(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        os._exit(with_deep_stack(lambda: _flushed(work, lambda text: _note(writing, text)), EXIT_STATUS))
    os.close(writing)
    if received:
        _end_all(child)
    notes, stage = _without_stages(_drain(reading))
    status = os.waitpid(child, 0)[1]
    if received:
        _wait_for_orphans()
    clean(_is_death(status, notes) and not received and _signal(status, notes) not in _INTERRUPTED)
    for number, handler in previous.items():
        signal.signal(number, handler)
    if received:
        signal.signal(received[0], signal.SIG_DFL)
        os.kill(os.getpid(), received[0])
    return _exit_status(status, notes, stage)


def _without_stages(notes: list[str]) -> tuple[list[str], str]:
    """Returns the other notes, and the last stage."""
    stages = [note.removeprefix(STAGE) for note in notes if note.startswith(STAGE)]
    return [note for note in notes if not note.startswith(STAGE)], stages[-1] if stages else ""


def _flushed(work: Callable[[Callable[[str], None]], int], note: Callable[[str], None]) -> int:
    """Does the child's work, and notes that it is done: without this note, LLVM has called exit."""
    try:
        status = work(note)
        sys.stdout.flush()
        sys.stderr.flush()
        note(DONE)
        return status
    except BrokenPipeError:
        note(_UNREAD)
        return EXIT_STATUS
    except MemoryError:  # while an error was being printed
        note(_NO_MEMORY)
        return EXIT_STATUS
    except BaseException:  # the parent reports that this process ended too early
        return EXIT_STATUS


def _note(pipe: int, text: str) -> None:
    os.write(pipe, text.encode("utf-8", "surrogateescape") + b"\n")


def _drain(pipe: int) -> list[str]:
    """Returns the child's notes. Waits until the child ends."""
    chunks = []
    while chunk := os.read(pipe, 65536):
        chunks.append(chunk)
    os.close(pipe)
    return b"".join(chunks).decode("utf-8", "surrogateescape").splitlines()


def _end_all(child: int) -> None:
    """Kills the child and the linker that it may have started. Both are in the child's process group."""
    _control_process(_CHILD_SUBREAPER, 1)
    for kill in (os.killpg, os.kill):
        try:
            kill(child, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _wait_for_orphans() -> None:
    """Waits until the processes that the killed child had started are gone."""
    try:
        while True:
            os.wait()
    except ChildProcessError:
        return


def _control_process(what: int, value: int) -> None:
    import ctypes

    ctypes.CDLL(None).prctl(what, value)


def _signal(status: int, notes: list[str]) -> int:
    """Returns the signal that ended the child, or 0."""
    if notes[-1:] == [_UNREAD]:  # Python ignores SIGPIPE
        return signal.SIGPIPE
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def _is_death(status: int, notes: list[str]) -> bool:
    return not os.WIFEXITED(status) or not notes or notes[-1] != DONE


def _exit_status(status: int, notes: list[str], stage: str) -> int:
    if not _is_death(status, notes):
        return os.WEXITSTATUS(status)
    number = _signal(status, notes)
    if number in _INTERRUPTED:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    tell(_death(number, notes[-1] if notes else "", stage))
    return EXIT_STATUS


def _used_its_time() -> bool:
    """Returns whether the child used as much processor time as it was allowed to: the kernel kills it at that point.

    The kernel counts the time against the limit in whole ticks, and reports it exactly: the two differ by some percent.
    """
    limit = resource.getrlimit(resource.RLIMIT_CPU)[1]
    used = processor_seconds(resource.RUSAGE_CHILDREN)
    return limit != resource.RLIM_INFINITY and used >= min(limit - 1, 0.9 * limit)


def _used(stage: str) -> str:
    used = f"the link took {processor_seconds(resource.RUSAGE_CHILDREN):.0f} seconds of processor time"
    return f"{used}; it ended in the stage {stage!r}" if stage else used


def _death(number: int, reading: str, stage: str) -> EnzymeError:
    how = f"by signal {signal.Signals(number).name}" if number else "with an error"
    if reading == _NO_MEMORY:
        return EnzymeError.of("EZ0903", "memory ran out")
    if number == signal.SIGXCPU or (number == signal.SIGKILL and _used_its_time()):
        return EnzymeError.of("EZ0904", "the limit on processor time was reached", reason=_used(stage))
    if number == signal.SIGKILL:
        return EnzymeError.of("EZ0903", f"the link was ended {how}", reason="memory may have run out")
    if not reading:
        return EnzymeError.of("EZ0902", f"LLVM ended {how}")
    reason = f"LLVM ended {how} while reading it"
    if number == TIMEOUT_SIGNAL:
        reason = "reading it took too long"
    return EnzymeError.of("EZ0103", f"{reading} carries corrupt bitcode", reason=reason)
