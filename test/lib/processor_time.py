"""Runs a command and tells in the end how long processors worked for it and for all that it has started and waited for.

usage: processor_time.py WORDS COMMAND...     prints WORDS and the seconds, and ends as the command did
"""
import resource
import subprocess
import sys


def main(words, *command):
    try:
        status = subprocess.run(command).returncode
    except OSError as problem:
        print(f"FAILED to start: {problem}")
        status = 127
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{words}{used.ru_utime + used.ru_stime:.1f}", flush=True)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
