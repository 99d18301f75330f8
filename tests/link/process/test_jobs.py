"""How many jobs run at once: by the option, by the cores, and by make's jobserver."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from enzyme_cc.link.command.command import parse
from enzyme_cc.link.process.jobs import Jobs, Jobserver
from enzyme_cc.report import EnzymeError


def most_at_once(jobs: Jobs, tasks: int = 8) -> int:
    running, most, lock = 0, 0, threading.Lock()

    def task(number: int) -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.02)
        with lock:
            running -= 1
        return number

    assert jobs.map(task, range(tasks)) == [*range(tasks)]
    return most


def test_as_many_as_are_chosen() -> None:
    assert most_at_once(Jobs.of(1)) == 1
    assert most_at_once(Jobs.of(3)) == 3


def test_jobs_of_make_are_taken_and_given_back() -> None:
    read, write = os.pipe()
    os.write(write, b"+")
    jobserver = Jobserver.offered(f" -j2 --jobserver-auth={read},{write}")
    assert most_at_once(Jobs(8, jobserver)) == 2
    assert os.read(read, 8) == b"+"


def test_jobs_of_a_named_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    kept = os.open(tmp_path / "pipe", os.O_RDWR)
    os.write(kept, b"++")
    assert most_at_once(Jobs(8, Jobserver.offered(f"-j3 --jobserver-auth=fifo:{tmp_path / 'pipe'}"))) == 3
    assert os.read(kept, 8) == b"++"


@pytest.mark.parametrize("flags", ["", "-j4", "--jobserver-auth=900,901", "--jobserver-auth=fifo:/no/such/pipe"])
def test_without_a_jobserver_each_core_has_a_job(flags: str) -> None:
    assert Jobserver.offered(flags) is None


def test_the_first_failure_is_told() -> None:
    def fails(number: int) -> None:
        raise ValueError(number)

    with pytest.raises(ValueError, match="0"):
        Jobs.of(2).map(fails, range(8))


def test_make_offers_its_jobs(tmp_path: Path) -> None:
    program = "from enzyme_cc.link.process.jobs import *; print(Jobs.of(0).jobserver is not None)"
    (tmp_path / "Makefile").write_text(f"all:\n\t+@{sys.executable} -c '{program}'\n")
    done = subprocess.run(["make", "-j2"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "True"


@pytest.mark.parametrize("value", ["-1", "two", "", "12345"])
def test_a_number_that_is_none_is_refused(value: str) -> None:
    with pytest.raises(EnzymeError, match="needs a number of processes"):
        parse([f"--enzyme-jobs={value}"])
