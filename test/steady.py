#!/usr/bin/python3
"""Whether runs of random programs are the same however long their ranks take.

test/steady/servers.c, with one number for what it does and another for how long its ranks take: whose requests its servers take in `tourney run`, by
receives from any source, probes and polls, has to depend on the first one alone.  What ranks print is compared.
usage: steady.py BUILD_DIR PROGRAMS [FIRST]
"""
import sys

from lib.building import LIBRARIES, compiled
from lib.running import plainly
from lib.suite import tell

RANKS = (4, 5, 6, 8)
PACES = 3


def printed(build, program, ranks, number, pace):
    run = plainly([f"{build}/tourney", "run", "-n", str(ranks), program, str(number), str(pace)], timeout=60)
    return f"exit code {run.code}\n" + "\n".join(sorted(run.out.splitlines())) + run.err


def wrong_with(build, program, ranks, number):
    first, *others = (printed(build, program, ranks, number, number * PACES + pace) for pace in range(PACES))
    if not first.startswith("exit code 0\n"):
        return first
    for other in others:
        if other != first:
            return f"once\n{first}\nand once\n{other}"
    return None


def main(build, programs, first=1):
    servers = {mpi: compiled(mpi, "test/steady/servers.c", f"{build}/test/{mpi}/servers", "-O1") for mpi in LIBRARIES}
    cases = [(mpi, RANKS[number % len(RANKS)], number) for number in range(first, first + programs) for mpi in LIBRARIES]
    return tell(lambda case: wrong_with(build, servers[case[0]], *case[1:]), cases, lambda case: f"program {case[2]}, {case[1]} ranks [{case[0]}]")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
