#!/usr/bin/python3
"""Counts in how many different ways rank 0 can sleep, for the programs in test/images.

A line ` * images: -n RANKS: NUMBER` in a program's head says how many images of its
memory build/test/images/looks must find, on every MPI library, whether the program was
compiled with optimisation or not.
usage: images.py BUILD_DIR
"""
import glob
import itertools
import os
import re
import subprocess
import sys

from parallel import each, tell

PATIENCE = 180  # seconds until a run counts as hung, on a busy machine


def compiled(mpi, level, source, build):
    target = f"{build}/test/images/{os.path.basename(source)[:-2]}.{mpi}{level}"
    if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(source):
        subprocess.run([f"mpicc.{mpi}", "-g", level, source, "-o", target], check=True)
    return target


def wrong_with(build, ranks, program, wanted):
    """What, or None."""
    try:
        run = subprocess.run([f"{build}/test/images/looks", ranks, program], stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"no end after {PATIENCE} s"
    got = re.match(r"images (\d+) histories (\d+)", run.stdout)
    if run.returncode != 0 or not got:
        return run.stdout + run.stderr
    if got[1] != wanted or int(got[2]) <= int(wanted):
        return f"{got[1]} images of {got[2]} histories, not {wanted}"
    return None


def main(build):
    numbers = {source: re.findall(r"^ \* images: -n (\d+): (\d+)$", open(source).read(), re.M)
               for source in sorted(glob.glob("test/images/*.c"))}
    kinds = itertools.product(("mpich", "openmpi"), ("-O0", "-O2"), (source for source in numbers if numbers[source]))
    programs = dict(each(lambda kind: compiled(*kind, build), kinds))
    return tell(lambda case: wrong_with(build, case[1], programs[case[0]], case[2]),
                [(kind, *line) for kind in programs for line in numbers[kind[2]]],
                lambda case: f"{os.path.basename(case[0][2])[:-2]} {case[0][1]} [{case[0][0]}]")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
