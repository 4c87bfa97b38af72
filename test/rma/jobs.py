#!/usr/bin/python3
"""Races in windows on real MPI jobs: the programs of this folder under `tourney dist`.

What is right must have none.  What is wrong with a race between two calls, both lines of which are known, must have just that one, whenever the
library's order of locks shows it; loads and stores of the program, shared windows and MPI_Rget are not looked at there.
usage: jobs.py BUILD_DIR [NAME...]
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from check_programs import lines_of
from corpus import FOLDER, Sample, sources
from lib.running import plainly, result_of
from lib.suite import do_all, tell

PATIENCE = 300  # seconds
LATER_KEYS = {"same_op_only_later"}  # what MPI_Win_set_info says is not known there
OWN_BUFFERS = {"get_into_window", "gets_into_one_buffer", "put_from_get_buffer", "put_from_window"}  # at the origin; not looked at
ACCESSES = ("MPI_Put", "MPI_Get", "MPI_Accumulate", "MPI_Fetch_and_op", "MPI_Compare_and_swap", "MPI_Get_accumulate", "MPI_Rput", "MPI_Raccumulate")


def is_between_calls(program, labels):
    """Whether both places are accesses by calls of MPI."""
    lines = program.text.splitlines()
    return all(any(f"{call}(" in lines[program.line_of(label) - 1] for call in ACCESSES) for label in labels)


def tests(names):
    for program in (Sample(path) for part in ("pairs", "classics") for path in sources(f"{FOLDER}/{part}")):
        if program.kind != ".c" or (names and program.name not in names and program.stem not in names):
            continue
        if not names and (program.name.startswith("shared_") or (program.stem in OWN_BUFFERS | LATER_KEYS and program.side == "wrong")):
            continue
        for case in program.cases:
            races = [labels for ranks, *labels in program.races if ranks == case]
            if program.side == "right" or (races and all(is_between_calls(program, labels) for labels in races)):
                for mpi in program.libraries:
                    if mpi not in program.broken:
                        yield program, mpi, case


def judge(build, program, mpi, case):
    """What is wrong with the races that are told, or None."""
    out = os.path.abspath(f"{build}/{FOLDER}/{program.part}/{program.name}.{mpi}.job")
    os.makedirs(os.path.dirname(out), exist_ok=True)
    ranks, _, arguments = case.partition(" -- ")
    done = plainly([f"{build}/tourney", "dist", "--quiet", "--time", "60", "-o", out, *ranks.split()[:2], *program.built(mpi, build), *arguments.split()],
                   timeout=PATIENCE, **program.environment)
    try:
        findings = [finding for finding in result_of(out)["findings"] if finding["kind"] == "rma-race"]
    except (OSError, ValueError) as problem:
        return f"{problem}\n{done.said()}"
    wanted = [{program.line_of(label) for label in labels} for ranks, *labels in program.races if ranks == case] if program.side == "wrong" else []
    found = [lines_of(finding, program.source) for finding in findings]
    for lines in found:
        if lines not in wanted:
            return f"a race in lines {lines}, not {wanted}\n{done.said()}"
    return None if found or not wanted else f"no race in lines {wanted}\n{done.said()}"


def main(build, names):
    cases = list(tests(names))
    do_all(lambda pair: pair[0].built(pair[1], build), {(program, mpi): None for program, mpi, _ in cases})
    return tell(lambda test: judge(build, *test), cases, lambda test: f"{test[0].name} {test[2]} [{test[1]}] on a real job")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
