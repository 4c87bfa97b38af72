"""Processes, files and shared memory that are there afterwards and should not be.

Whatever a command starts has its environment, and in that a mark by which it is found, whoever its parents are by then.
"""
import contextlib
import glob
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import uuid

from lib import Failure

MARK = "TOURNEY_TEST_MARK"
PATIENCE = 180  # seconds until a run counts as hung
CLEAN = 30      # seconds in which everything must be gone; both are long, for the machine may be busy


def hear_signals():
    """Signals that whoever started this ignores, a shell in the background or nohup, would be by all that is tested."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


# Processes


def marked(mark, variable=MARK):
    """(pid, name) of the live processes with this mark in their environment."""
    needle, found = f"{variable}={mark}".encode(), []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # gone meanwhile, or not ours
            with open(f"/proc/{pid}/environ", "rb") as environ, open(f"/proc/{pid}/comm") as comm:
                if needle in environ.read().split(b"\0"):
                    found.append((int(pid), comm.read().strip()))
    return found


def end_marked(mark, variable=MARK):
    """Again and again: one may have forked meanwhile.  Those that were there, by name."""
    names = {}
    while alive := marked(mark, variable):
        for pid, name in alive:
            names[pid] = f"{name}({pid})"
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
    return list(names.values())


def in_use(path):
    """Whether a live process maps the file or has it open."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as maps:
                if path in maps.read():
                    return True
            for fd in os.listdir(f"/proc/{pid}/fd"):
                if os.readlink(f"/proc/{pid}/fd/{fd}") == path:
                    return True
    return False


def still_left(left, patience=None):
    """What left() lists, once it is nothing or this time, or else CLEAN, is over."""
    end = time.monotonic() + (CLEAN if patience is None else patience)
    while (found := left()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


# Shared memory


def shared_memory():
    """What stands in /dev/shm, but for what mpiexec.openmpi keeps there."""
    return set(glob.glob("/dev/shm/*")) - job_segments()


def job_segments():
    """What mpiexec.openmpi keeps in /dev/shm."""
    return set(glob.glob("/dev/shm/vader_segment.*"))


def system_v_segments(size):
    """The numbers of System V segments with so many bytes, which nobody else on this machine should think of."""
    with open("/proc/sysvipc/shm", encoding="ascii") as table:
        rows = [line.split() for line in table][1:]
    return sorted(int(row[1]) for row in rows if int(row[3]) == size)


def unusual_size():
    """For a segment that is to be told from those of others."""
    return 1 + random.randrange(1 << 12, 1 << 24)


def new_and_unused(now, before, patience=None):
    """What now() has, `before` had not, and nobody uses, even after some patience: jobs of others come and go."""
    return still_left(lambda: sorted(path for path in now() - before if not in_use(path)), patience)


def expect_no_shared_memory(before):
    if left := new_and_unused(shared_memory, before):
        raise Failure(f"left in /dev/shm: {' '.join(left)}")


# All of it


class Watch:
    """A mark, a folder for temporary files, of which there must be nothing afterwards, and a folder to run in."""

    def __init__(self):
        self.mark = uuid.uuid4().hex
        self.scratch = tempfile.mkdtemp(prefix="tt")
        self.here = tempfile.mkdtemp(prefix="tt")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end_marked(self.mark)
        shutil.rmtree(self.scratch, ignore_errors=True)
        shutil.rmtree(self.here, ignore_errors=True)

    def start(self, command, env=None, **how):
        """In a session of its own."""
        environment = {**os.environ, "TMPDIR": self.scratch, MARK: self.mark, "LC_ALL": "C", **(env or {})}
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": self.here}
        return subprocess.Popen(command, env=environment, start_new_session=True, **{**pipes, **how})

    def finish(self, process, feed=None, patience=PATIENCE):
        """(stdout, stderr), in the end."""
        try:
            return process.communicate(feed, patience)
        except subprocess.TimeoutExpired:
            alive = " ".join(end_marked(self.mark))
            _, err = process.communicate()
            said = err if isinstance(err, str) else (err or b"").decode(errors="replace")
            raise Failure(f"no end after {patience:g} s, alive: {alive}\n{said[-1000:]}") from None

    def left(self):
        return [name for _, name in marked(self.mark)] + [f"$TMPDIR/{name}" for name in os.listdir(self.scratch)]

    def still_left(self):
        return still_left(self.left)

    def expect_nothing(self):
        if left := self.still_left():
            raise Failure(f"left behind: {' '.join(left)}")
