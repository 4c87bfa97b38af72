#!/usr/bin/python3
"""Verifies the programs of this folder with tourney and compares what is found, and where.

Heads are those of test/check (see check_programs.py); corpus.py says what else is in them.  Programs with windows are searched with
infinite buffering, unless their head says otherwise.  What tourney does not look for yet is left out: races and what only the unified
model gives.
usage: verify.py BUILD_DIR [NAME...]
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from check_programs import compare, command_line, expected_code
from corpus import FOLDER, PARTS, Sample, sources
from lib.running import plainly, result_of
from lib.suite import do_all, tell

LATER = {"rma-race", "portability"}
# Found in part, or in another way: what the rules of one-sided communication still lack.
GAPS = {"lock_of_posted_window", "nocheck_lock", "nocheck_start", "nocheck_of_one_side", "start_before_post", "accumulate_ordering_none",
        "atomic_by_element", "noput_fence", "noput_post", "nosucceed", "freed_while_posted"}
LONG = {"fetching", "locks", "large_counts", "termination"}  # more orders than a test has time for


def tests(names):
    """(program, library, case): with MPICH all of them, with Open MPI every fourth."""
    number = 0
    for program in (Sample(path) for part in PARTS for path in sources(f"{FOLDER}/{part}")):
        if names and program.name not in names and program.stem not in names:
            continue
        for case, wanted in program.cases.items():
            if {kind for kind, _, _ in wanted} & LATER or (not names and (program.stem in GAPS or program.stem in LONG)):
                continue
            number += 1
            for mpi in program.libraries:
                if mpi == "mpich" or names or number % 4 == 0 or len(program.libraries) == 1:
                    yield program, mpi, case


def judge(build, program, mpi, case):
    wanted = program.cases[case]
    out = os.path.abspath(f"{build}/{FOLDER}/{program.part}/{program.name}.{mpi}{case.replace(' ', '').replace('-', '_')}.out")
    more = [] if "--buffering" in case else ["--buffering=infinite"]
    done = plainly(command_line(build, case, program.built(mpi, build), "--quiet", "-o", out, *more))
    try:
        result = result_of(out)
    except (OSError, ValueError) as problem:
        return f"{problem}\n{done.said()}"
    wrong = compare(wanted, result["findings"], program.source)
    if wrong is None and done.code != expected_code(wanted):
        wrong = f"exit code {done.code}, not {expected_code(wanted)}"
    return wrong and f"{wrong}\n{done.said()}"


def main(build, names):
    cases = list(tests(names))
    do_all(lambda pair: pair[0].built(pair[1], build), {(program, mpi): None for program, mpi, _ in cases})
    return tell(lambda test: judge(build, *test), cases, lambda test: f"{test[0].name} {test[2]} [{test[1]}]")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
