#!/usr/bin/python3
"""What the MPI libraries of this system have and those of Debian 12 lack.

Open MPI has sessions, partitioned communication, MPI_Isendrecv and calls for ranks that fail from 5.0 on, and calls with counts of the type
MPI_Count from 6.0 on, so programs of test/prog, test/explore, test/check and test/adversarial that need them name MPICH alone in their
heads.  Here they are tried with Open MPI, unless its mpi.h lacks a call that they make.
mpi4py has sessions and partitioned communication from 4.0 on: test/distros/scripts has scripts for it, with heads as in test/prog (one
run, compared with mpiexec) and as in test/adversarial (what a search finds, and in how many runs).

usage: newer.py BUILD_DIR [NAME...]
"""
import functools
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test"))

import adversarial  # noqa: E402
import check_programs  # noqa: E402
import explore  # noqa: E402
import run as prog  # noqa: E402
from lib.building import PYTHON  # noqa: E402
from lib.running import plainly  # noqa: E402
from lib.suite import attempt, tell  # noqa: E402

# Of these MPICH says what must come out, and why.
ASKED_OF_MPICH = {
    "partitioned": "under mpiexec of Open MPI 5 a receive that is divided otherwise than its send waits for ever",
}
# Of no use for Open MPI, and why.
OF_MPICH_ALONE = {
    "null_status": "Open MPI's MPI_STATUS_IGNORE is a null pointer",
}
SCRIPTS = os.path.join(ROOT, "test/distros/scripts")


def text_of(source):
    """With what it includes of its folder."""
    with open(source, encoding="utf-8") as file:
        text = file.read()
    return text + "".join(text_of(f"{os.path.dirname(source)}/{name}") for name in re.findall(r'^#include "(\w+\.c)"$', text, re.M))


def needs_more(source):
    """A program that MPICH alone can compile on Debian 12."""
    return re.search(r"^(?: \*|!) mpi: mpich$", text_of(source), re.M)


@functools.cache
def declared_by_openmpi():
    """The words of its headers for C, in small letters, since Fortran does not care."""
    words = set()
    for folder in plainly(["mpicc.openmpi", "-showme:incdirs"]).check(err=None).out.split():
        for header in glob.glob(f"{folder}/**/mpi*.h", recursive=True):
            with open(header, encoding="utf-8") as file:
                words.update(re.findall(r"\w+", file.read().lower()))
    return words


def lacking(source):
    """Calls that it makes and Open MPI does not have."""
    return set(re.findall(r"\b(mpix?_\w+)\(", text_of(source).lower())) - declared_by_openmpi()


def programs(folder):
    for source in sorted(glob.glob(os.path.join(folder, "*.[cf]*"))):
        name = os.path.splitext(os.path.basename(source))[0]
        if name not in OF_MPICH_ALONE and needs_more(source) and not lacking(source):
            yield source


def reference_for(test, number):
    """What mpiexec makes of it, if that can be asked."""
    asked = prog.Test(test.program, "mpich", number) if test.program.name in ASKED_OF_MPICH else test
    prog.build(asked.program, asked.mpi)
    return asked.reference() if asked.compared else None


def compared(test, number):
    """One run, beside mpiexec: what is wrong, or None."""
    def steps():
        prog.build(test.program, test.mpi)
        test.check(os.path.join(ROOT, "build/tourney"), reference_for(test, number))
    return attempt(steps)


def runs_of(source, mpi):
    program = prog.Program(os.path.abspath(source))
    for number in range(len(program.head.get("run", []))):
        test = prog.Test(program, mpi, number)
        yield test.label(), lambda test=test, number=number: compared(test, number)


def searches_of(build, source, mpi):
    program = adversarial.Adversary(source)
    for case, runs in program.runs.items():
        for merging in (option for option, counted in runs.items() if counted != ""):
            yield f"{program.name} {case} {merging} [{mpi}]", lambda case=case, merging=merging: adversarial.searched(build, program, mpi, case, merging)


def checks_of(build, source, mpi):
    program = check_programs.Program(source)
    for case in program.cases:
        yield f"{program.name} {case} [{mpi}]", lambda case=case: check_programs.verified(build, program, mpi, case)


def counts_of(build, source, mpi):
    name = os.path.basename(source)[:-2]
    for merge, ranks, buffering, arguments, wanted in explore.all_cases(source):
        def counted(merge=merge, ranks=ranks, buffering=buffering, arguments=arguments, wanted=wanted):
            return explore.verdict(build, ranks, buffering, [explore.compile_for(mpi, source, build), *arguments], wanted)
        if not merge:
            yield f"{name} -n {ranks} {buffering} {' '.join(arguments)} [{mpi}]", counted


def library_of_scripts():
    """The one that mpi4py was built for; its version must be at least 4."""
    said = plainly([PYTHON, "-c", "import mpi4py; from mpi4py import MPI; print(mpi4py.__version__, MPI.get_vendor()[0])"]).check(err=None).out
    version, _, vendor = said.strip().partition(" ")
    if int(version.split(".")[0]) < 4:
        sys.exit(f"mpi4py {version} has neither sessions nor partitioned communication")
    return {"Open MPI": "openmpi", "MPICH": "mpich"}[vendor]


def tests(build):
    for source in programs("test/prog"):
        yield from runs_of(source, "openmpi")
    for source in programs("test/explore"):
        yield from counts_of(build, source, "openmpi")
    for source in programs("test/check"):
        yield from checks_of(build, source, "openmpi")
    for source in programs("test/adversarial"):
        yield from searches_of(build, source, "openmpi")
    mpi = library_of_scripts()
    for source in check_programs.sources(SCRIPTS):
        yield from runs_of(source, mpi)
        yield from searches_of(build, source, mpi)


def main(build, names):
    os.chdir(ROOT)
    for folder in (check_programs.FOLDER, adversarial.FOLDER, "test/explore"):
        os.makedirs(f"{build}/{folder}", exist_ok=True)
    chosen = [test for test in tests(build) if not names or test[0].split()[0].split("/")[0] in names]
    return tell(lambda test: test[1](), chosen, lambda test: test[0])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
