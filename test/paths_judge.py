#!/usr/bin/python3
"""To follow ranks loses nothing: random programs, searched with --engine=paths and by all orders, have the same findings.

The programs are test/paths/mixture.c, which computes with what it receives and seldom decides by it, and test/merge/states.c, whose
states are also with the kernel; a seed makes another program of each.  The orders that the runs stand for have to be
as many as all orders are.

usage: paths_judge.py BUILD_DIR [PROGRAMS [FIRST_SEED]]
"""
import os
import shutil
import sys

from lib.building import compiled
from lib.running import places_of, plainly, result_of
from lib.suite import Count

SOURCES = ("test/paths/mixture.c", "test/paths/mixture.c", "test/merge/states.c")
RANKS = 5


def searched(build, program, seed, *options):
    """What is found, kinds and places; the exit code; runs, and orders that they stand for; what was said."""
    out = f"{build}/test/paths/judged"
    shutil.rmtree(out, ignore_errors=True)
    run = plainly([f"{build}/tourney", "-n", str(RANKS), "--quiet", *options, "-o", out, program, str(seed)])
    result = result_of(out)
    places = {found for found in places_of(result) if found[0] != "message-race"}
    return (places, run.code), result["runs"], result["runs"] + result["merged"], run.said()


def judge(build, mpi, source, seed):
    """What is wrong, or None; whether something was found; and whether following made fewer runs of it."""
    name = os.path.basename(source)[:-2]
    program = compiled(mpi, source, f"{build}/test/paths/{name}.{mpi}", "-g", "-O1", "-w", "-lm")
    found, runs, _, said = searched(build, program, seed, "--engine=explore", "--no-merge")
    by_paths, fewer, stood, said_by_paths = searched(build, program, seed, "--engine=paths")
    wrong = None
    if found != by_paths:
        wrong = f"{found} by all orders, {by_paths} by paths\n{said}\n{said_by_paths}"
    elif stood < runs:
        wrong = f"{fewer} runs stand for {stood} orders, and there are {runs}"
    return wrong, bool(found[0]), fewer < runs


def main(build, programs=24, first=1):
    count, bad, merged = Count(), 0, 0
    os.makedirs(f"{build}/test/paths", exist_ok=True)
    for seed in range(int(first), int(first) + int(programs)):
        mpi, source = "openmpi" if seed % 4 == 0 else "mpich", SOURCES[seed % len(SOURCES)]
        wrong, found, fewer = judge(build, mpi, source, seed)
        bad += found
        merged += fewer
        count.add(f"{os.path.basename(source)} {seed} [{mpi}]", wrong)
    print(f"{programs} programs, {bad} of them wrong, {merged} with fewer runs by paths, {count.failed} differences")
    return count.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
