#!/usr/bin/python3
"""Programs of test/explore on each MPI library of this system: what run, verify, dist and report come to.

One line for each program and library, the same on every system:

    PROGRAM LIBRARY run=CODE verify=CODE:VERDICT:RUNS:KINDS dist=CODE:KINDS report=yes

Libraries are mpich, openmpi, and where the system has them abi-mpich and abi-openmpi: what these two have made of the binary
interface of MPI 5, for which the same is expected as for mpich and openmpi.  With --other NAME=FLAGS there is this one only, for which gcc
takes these flags; what stands last in its name, behind a hyphen, is whose results are expected.

With --expected FILE the lines of programs that it has are compared with it, and what differs is told, then for each library a line
of a table, and the count; exit 1 if something differs.  With --write FILE they are written there.  What takes many jobs is left out of
dist, which is `-` then, and so are threads, for what they do on a real job is chance.  Whether an MPI_Cancel comes in time under `run` is
chance as well, as under mpiexec: where only some of the runs that verify sees go wrong, `run=0|1` is either.

usage: matrix.py BUILD_DIR [--expected FILE | --write FILE] [--only PROGRAM,...] [--library LIBRARY,... | --other NAME=FLAGS]
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test"))

from lib.building import LIBRARIES, compile_always, compiler_for  # noqa: E402

LIMIT = 600  # seconds: `pool` takes 36 jobs, each of which Open MPI 6.0 needs a second or two to start on a busy machine
MOST_RUNS_OF_JOBS = 3


def programs():
    """Name, ranks, arguments, and how many runs it has."""
    for source in sorted(glob.glob(os.path.join(ROOT, "test/explore/*.c"))):
        with open(source, encoding="utf-8") as file:
            head = re.search(r"^ \* explore: -n (\d+) \w+(?: -- (.*?))?: runs (\d+)", file.read(), re.M)
        if head:
            name = os.path.basename(source)[:-2]
            yield name, source, head.group(1), (head.group(2) or "").split(), int(head.group(3))


def calls(source, function):
    with open(source, encoding="utf-8") as file:
        return function in file.read()


# Where Debian has the mpi.h and the library of the binary interface, below /usr/lib/MACHINE.
ABIS = {"mpich": ("mpi_abi_mpich/include", "libmpi_abi_mpich.so.1"), "openmpi": ("openmpi/include/standard_abi", "libmpi_abi_openmpi.so.1")}


class Library:
    """How programs are made for it: a compiler and its flags."""

    def __init__(self, name, flags=None):
        self.name, self.flags = name, flags

    def compile(self, source, target):
        compiler = "gcc" if self.flags else compiler_for(self.name, source)
        return compile_always(compiler, source, target, "-g", "-O1", *(self.flags or []))


def libraries(folder):
    """All of this system; those of the binary interface are linked to from a folder each, since they have one name."""
    yield from map(Library, LIBRARIES)
    for maker, (include, name) in ABIS.items():
        for found in sorted(glob.glob(f"/usr/lib/*/{name}*"))[:1]:
            own = os.path.join(folder, maker)
            os.makedirs(own)
            os.symlink(found, os.path.join(own, "libmpi_abi.so.1"))
            yield Library(f"abi-{maker}", [f"-I{os.path.dirname(found)}/{include}", f"-L{own}", f"-Wl,-rpath,{own}", "-l:libmpi_abi.so.1"])


def code_of(command, folder):
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return "late"
    return done.returncode


def result_in(folder):
    try:
        with open(os.path.join(folder, "tourney.out/result.json"), encoding="utf-8") as file:
            return json.load(file)
    except OSError:
        return {}


def kinds_of(result):
    return ",".join(sorted({finding["kind"] for finding in result.get("findings", [])})) or "none"


def row(tourney, name, source, library, ranks, arguments, runs):
    with tempfile.TemporaryDirectory(prefix="matrix-") as folder:
        program = library.compile(source, os.path.join(folder, name))
        started = [program, *arguments]
        run = code_of([tourney, "run", "-n", ranks, *started], folder)
        verify = code_of([tourney, "-n", ranks, *started], folder)
        result = result_in(folder)
        page = code_of([tourney, "report", "tourney.out"], folder) == 0 and glob.glob(folder + "/tourney.out/*.html")
        if run in (0, 1) and verify == 1 and result.get("runs", 1) > 1 and calls(source, "MPI_Cancel"):
            run = "0|1"
        verified = f"{verify}:{result.get('verdict')}:{result.get('runs')}:{kinds_of(result)}"
        dist = "-"
        if runs <= MOST_RUNS_OF_JOBS and int(ranks) <= 3 and not calls(source, "pthread_create"):
            dist = f"{code_of([tourney, 'dist', '-n', ranks, *started], folder)}:{kinds_of(result_in(folder))}"
    return f"{name} {library.name} run={run} verify={verified} dist={dist} report={'yes' if page else 'no'}"


def read_expected(path):
    with open(path, encoding="utf-8") as file:
        return {tuple(line.split()[:2]): line.strip() for line in file if line.strip()}


def compare(rows, expected, versions):
    """Tells what differs, a line of a table for each library, and the count."""
    passed = dict.fromkeys(versions, 0)
    for line in rows:
        name, library = line.split()[:2]
        wanted = expected.get((name, library.split("-")[-1]))
        if wanted and wanted.split()[2:] == line.split()[2:]:
            passed[library] += 1
        else:
            print(f"differs: {line}\n  expected: {wanted}")
    for library, version in versions.items():
        print(f"| {system()} | {version} | {library} | {passed[library]} of {len(rows) // len(versions)} |")
    print(f"{sum(passed.values())} passed, {len(rows) - sum(passed.values())} failed")
    return int(sum(passed.values()) != len(rows))


def said_by(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def system():
    """The release, the compiler and the C library."""
    with open("/etc/os-release", encoding="utf-8") as file:
        name = re.search(r'^PRETTY_NAME="?([^"\n]*)', file.read(), re.M).group(1)
    return f"{name} | gcc {said_by('gcc', '-dumpfullversion').strip()} | {os.confstr('CS_GNU_LIBC_VERSION')}"


def version_of(library, folder):
    """As the library says it, in so far as makers have one way to say it."""
    source = os.path.join(folder, "version.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <mpi.h>\n#include <stdio.h>\nint main(void) { char text[MPI_MAX_LIBRARY_VERSION_STRING]; int n;\n"
                   "MPI_Get_library_version(text, &n); puts(text); return 0; }\n")
    text = said_by(library.compile(source, os.path.join(folder, "version-" + library.name)))
    found = re.search(r"(MPICH) Version:\s*(\S+)|(Open MPI) v([^\s,]+)", text)
    return " ".join(word for word in found.groups() if word) if found else text.split("\n", maxsplit=1)[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--expected")
    parser.add_argument("--write")
    parser.add_argument("--only", default="")
    parser.add_argument("--library", default="")
    parser.add_argument("--other", default="")
    arguments = parser.parse_args()
    tourney = os.path.abspath(os.path.join(arguments.build, "tourney"))
    only = set(arguments.only.split(",")) - {""}
    wanted = set(arguments.library.split(",")) - {""}
    expected = read_expected(arguments.expected) if arguments.expected else None
    rows, versions = [], {}
    with tempfile.TemporaryDirectory(prefix="matrix-") as folder:
        known = [library for library in libraries(folder) if not wanted or library.name in wanted]
        if arguments.other:
            other, _, flags = arguments.other.partition("=")
            known = [Library(other, flags.split())]
        versions = {library.name: version_of(library, folder) for library in known}
        for name, source, ranks, words, runs in programs():
            if only and name not in only or expected and not any((name, library) in expected for library in LIBRARIES):
                continue
            for library in known:
                rows.append(row(tourney, name, source, library, ranks, words, runs))
                print(rows[-1], flush=True)
    if arguments.write:
        with open(arguments.write, "w", encoding="utf-8") as file:
            file.write("\n".join(rows) + "\n")
    return compare(rows, expected, versions) if expected else 0


if __name__ == "__main__":
    sys.exit(main())
