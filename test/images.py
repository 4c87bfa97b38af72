#!/usr/bin/python3
"""Counts in how many different ways rank 0 can sleep, for the programs in test/images.

A line ` * images: -n RANKS: NUMBER` in a program's head says how many images of its
memory build/test/images/looks must find, on every MPI library, whether the program was
compiled with optimisation or not: which library has which of the two goes in turn.
usage: images.py BUILD_DIR
"""
import glob
import os
import re
import sys

from lib.building import LIBRARIES, compiled
from lib.running import plainly
from lib.suite import each, tell

LEVELS = ("-O0", "-O2")


def wrong_with(build, ranks, program, wanted):
    """What, or None."""
    run = plainly([f"{build}/test/images/looks", ranks, program])
    got = re.match(r"images (\d+) histories (\d+)", run.out)
    if run.code != 0 or not got:
        return run.said()
    if got[1] != wanted or int(got[2]) <= int(wanted):
        return f"{got[1]} images of {got[2]} histories, not {wanted}"
    return None


def main(build):
    numbers = {source: re.findall(r"^ \* images: -n (\d+): (\d+)$", open(source).read(), re.M)
               for source in sorted(glob.glob("test/images/*.c"))}
    sources = [source for source in numbers if numbers[source]]
    kinds = [(mpi, LEVELS[(turn + number) % 2], source) for turn, source in enumerate(sources) for number, mpi in enumerate(LIBRARIES)]

    def built(kind):
        mpi, level, source = kind
        return compiled(mpi, source, f"{build}/test/images/{os.path.basename(source)[:-2]}.{mpi}{level}", "-g", level)

    programs = dict(each(built, kinds))
    return tell(lambda case: wrong_with(build, case[1], programs[case[0]], case[2]),
                [(kind, *line) for kind in programs for line in numbers[kind[2]]],
                lambda case: f"{os.path.basename(case[0][2])[:-2]} {case[0][1]} [{case[0][0]}]")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
