#!/usr/bin/python3
"""Merging loses nothing: random programs, searched with and without it, have the same findings; and so it is with the
heap in which more states are the same, and with the C library's.

The program is test/merge/states.c, whose states are in memory, on other stacks and with the kernel; its argument, a
seed, makes another program of it.  `make check` tries a few; by hand, for instance:

    test/merge_judge.py build 300 1000

usage: merge_judge.py BUILD_DIR [PROGRAMS [FIRST_SEED]]
"""
import shutil
import sys

from lib.building import compiled
from lib.running import places_of, plainly, result_of
from lib.suite import Count

SOURCE = "test/merge/states.c"
RANKS = 4


def searched(build, program, seed, *options):
    """What is found, kinds and places; the exit code; the number of runs; and what was said."""
    out = f"{build}/test/merge/out"
    shutil.rmtree(out, ignore_errors=True)
    run = plainly([f"{build}/tourney", "-n", str(RANKS), "--quiet", *options, "-o", out, program, str(seed)])
    result = result_of(out)
    return places_of(result), run.code, result["runs"], run.said()


def main(build, programs=12, first=1):
    count, merged, wrong = Count(), {"system": 0, "canonical": 0}, 0
    for seed in range(int(first), int(first) + int(programs)):
        mpi = "openmpi" if seed % 4 == 0 else "mpich"
        program = compiled(mpi, SOURCE, f"{build}/test/merge/states.{mpi}", "-g", "-w")
        alone, code, runs, said = searched(build, program, seed, "--no-merge", "--heap=system")
        wrong += bool(alone)
        for heap in ("system", "canonical"):
            together, merged_code, fewer, said_together = searched(build, program, seed, f"--heap={heap}")
            merged[heap] += fewer < runs
            same = (alone, code) == (together, merged_code)
            count.add(f"seed {seed} [{mpi}], {heap} heap", None if same else
                      f"{alone}, {code} without merging, {together}, {merged_code} with it\n{said}\n{said_together}")
        apart, apart_code, all_runs, said_apart = searched(build, program, seed, "--no-merge")
        count.add(f"seed {seed} [{mpi}], not merged", None if (alone, code, runs) == (apart, apart_code, all_runs) else
                  f"{alone}, {code}, {runs} runs with the system's heap, {apart}, {apart_code}, {all_runs} runs with ours\n{said}\n{said_apart}")
    print(f"{programs} programs, {wrong} of them wrong, {merged['system']} with fewer runs by merging, "
          f"{merged['canonical']} with ours for a heap, {count.failed} differences")
    return count.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
