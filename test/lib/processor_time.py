"""Runs a command and tells in the end how long processors worked for it and for all that it has started and waited for.

It ends when whoever has started it is gone, and so does the command, whichever sessions they are in.

usage: processor_time.py WORDS COMMAND...     prints WORDS and the seconds, and ends as the command did
"""
import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys


PR_SET_PDEATHSIG = 1


def end_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main(words, *command):
    end_with_parent()
    try:
        status = subprocess.run(command, preexec_fn=end_with_parent).returncode
    except OSError as problem:
        print(f"FAILED to start: {problem}")
        status = 127
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{words}{used.ru_utime + used.ru_stime:.1f}", flush=True)
    if status < 0:
        with contextlib.suppress(OSError):  # SIGKILL is always as it is
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
