#!/usr/bin/python3
"""Proves the programs of this folder with the MPI libraries themselves, without tourney.

    pairs/     NAME_wrong and NAME_right: one rule of one-sided communication, broken and kept
    classics/  the same for algorithms from the literature
    values/    programs that check their own results, one part of the chapter each

Every program must compile with both libraries without a warning.  Those that are right, and those that check
values, must end with 0 under mpiexec; what is wrong is not run, for anything may come of it.  Heads are those of
test/check (see check_programs.py) and, in values/, of test/prog (see run.py), with some more lines:

    race: -n 2: FIRST SECOND               the lines of the two accesses, both places of the one finding
    unseen: -n 4: LINE                     from there on loads and stores are not looked at, for they are too many
    outcomes: -n 3: 6                      so many different outputs there are, over all runs
    runs: -n 3: 18, merged 1               so many runs tourney makes, without and with merging; each right classic says it
    runs: -n 3: merged 1                   without merging there are too many
    env: NAME=VALUE                        added to the environment; how a library is kept away from what it gets wrong
    broken: mpich: WHY                     this library gets it wrong, so mpiexec is not asked

usage: corpus.py BUILD_DIR [NAME...]
"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from check_programs import Program, sources
from lib.building import PYTHON, compiled, line_of
from lib.running import MPIEXEC, plainly
from lib.suite import Count, each, wrong_with

FOLDER = "test/rma"
PARTS = ("pairs", "classics", "values")
PATIENCE = 120  # seconds for one job; MPICH spins, and there may be more ranks than processors
# gcc takes MPI_STATUSES_IGNORE and MPI_UNWEIGHTED for arrays that are too short.
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-stringop-overflow", "-Wno-stringop-overread"]
TWINS = {"wrong": "right", "right": "wrong"}


class Sample(Program):
    """A program of the corpus."""

    def __init__(self, source):
        super().__init__(source)
        self.part = os.path.basename(os.path.dirname(source))
        self.broken = dict(re.findall(r"^ \* broken: (\w+): (.*)$", self.head, re.M))
        self.races = re.findall(r"^ \* race: (-n \d+): (\w+) (\w+)$", self.head, re.M)
        self.unseen = re.findall(r"^ \* unseen: (-n \d+): (\w+)$", self.head, re.M)
        self.runs = {case: (alone, int(merged)) for case, alone, merged in
                     re.findall(r"^ \* runs: (-n \d+): (?:(\d+), )?merged (\d+)$", self.head, re.M)}
        self.environment = dict(re.findall(r"^ \* env: (\w+)=(\S+)$", self.head, re.M))
        self.stem, self.side = self.name.rsplit("_", 1) if self.part != "values" and "_" in self.name else (self.name, "right")

    def built(self, mpi, build):
        if self.kind == ".py":
            return [PYTHON, self.source]
        flags = WARNINGS if self.kind == ".c" else ["-Wall", "-fcray-pointer"]
        target = os.path.abspath(f"{build}/{FOLDER}/{self.part}/{self.name}.{mpi}")
        return [compiled(mpi, self.source, target, "-g", "-O1", *flags, after=glob.glob(f"{FOLDER}/{self.part}/*.h"))]

    def jobs(self):
        """Ranks and arguments of what is to end well."""
        return [case for case, wanted in self.cases.items() if not wanted] if self.side == "right" else []


def wrong_head(program):
    """What the head of a program lacks, or None."""
    if program.side not in TWINS:
        return "its name ends neither with wrong nor with right"
    if not program.cases:
        return "no line says what must be found"
    if program.side == "wrong" and not all(program.cases.values()):
        return "nothing is said to be wrong with it"
    if program.side == "right" and any(program.cases.values()):
        return "something is said to be wrong with it"
    if program.part == "classics" and program.side == "right" and set(program.runs) != set(program.cases):
        return "it does not say how many runs there are"
    if program.part == "pairs" and "MPI-4.0" not in program.head:
        return "it does not cite the standard"
    return missing_places(program) or missing_twin(program)


def missing_places(program):
    """A race without its two places, or None."""
    for case, wanted in program.cases.items():
        if any(kind == "rma-race" for kind, *_ in wanted) and case not in [race[0] for race in program.races]:
            return f"no line tells the two places of the race with {case}"
    for _, *labels in program.races:
        for label in labels:
            line_of(program.text, label)
    return None


def missing_twin(program):
    if program.part == "values":
        return None
    stem = program.source[:-len(program.side + program.kind)]
    twin = stem + TWINS[program.side] + program.kind
    return None if os.path.exists(twin) else f"{twin} is not there"


def built_well(build, program, mpi):
    program.built(mpi, build)


def ran_well(build, program, mpi, case):
    """What is wrong with one job under mpiexec, or None."""
    ranks, _, arguments = case.partition(" -- ")  # options of tourney may follow the ranks
    done = plainly([*MPIEXEC[mpi], *ranks.split()[:2], *program.built(mpi, build), *arguments.split()], timeout=PATIENCE,
                   **program.environment)
    return done.wrong_unless(done.code == 0)


def samples(names):
    for part in PARTS:
        for source in sources(f"{FOLDER}/{part}"):
            program = Sample(source)
            if not names or program.name in names or program.stem in names:
                yield program


def add_heads(count, programs):
    for program in programs:
        count.add(f"{program.part}/{program.name} says what it is", wrong_with(wrong_head, program))


def add_builds(count, build, programs):
    pairs = [(program, mpi) for program in programs for mpi in program.libraries]
    for (program, mpi), wrong in each(lambda pair: wrong_with(built_well, build, *pair), pairs):
        count.add(f"{program.part}/{program.name} compiles [{mpi}]", wrong)


def add_jobs(count, build, programs):
    """One after the other, for each of them may keep all processors busy."""
    for program in programs:
        for mpi in (name for name in program.libraries if name not in program.broken):
            for case in program.jobs():
                count.add(f"{program.part}/{program.name} {case} [{mpi}]", wrong_with(ran_well, build, program, mpi, case))


def main(build, names):
    count, programs = Count(), list(samples(names))
    add_heads(count, programs)
    add_builds(count, build, programs)
    add_jobs(count, build, programs)
    return count.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
