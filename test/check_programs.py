#!/usr/bin/python3
"""Verifies the programs in test/check and compares what is found, and where.

Lines in a program's head say what tourney must find, on every MPI library:

    check: -n 2: request-leak error 17      kind, severity, line of one of its places
    check: -n 2: lost-message warning HERE  the line that has the comment HERE
    check: -n 3: no-finalize error -        it has no place
    check: -n 4 --buffering=zero -- 5 x: none    options of tourney; arguments of the program
    mpi: mpich                              only with these libraries
    one run: yes                            each of its tests has one run, by default
    library: yes                            compiled once more, with LIBRARY defined, as a shared library

In Fortran comments begin with an exclamation mark.
Lines with the same -n, options and arguments are one test: just these findings, no
others, and the exit code that follows from them.  What `tourney run` says of a kind and
a place must be among them; MPI libraries take turns with that.  A test that finds something has a twin that finds nothing.
usage: check_programs.py BUILD_DIR [NAME...]
"""
import glob
import os
import re
import shlex
import sys
import tempfile

from lib.building import LIBRARIES, PYTHON, compiled, line_of
from lib.running import plainly, result_of
from lib.suite import do_all, tell

FOLDER = "test/check"
CODES = {"divergence": 2, "unsupported-call": 3}  # nothing can be said then; else 1 for errors
KINDS = (".c", ".cpp", ".f90", ".py")
COMMENTS = {".f90": "! ", ".py": "# "}


class Program:
    """A source file and what its head says."""

    def __init__(self, source):
        self.source = source
        self.name, self.kind = os.path.splitext(os.path.basename(source))
        with open(source, encoding="utf-8") as file:
            self.text = file.read()
        if self.kind in COMMENTS:
            self.head = "".join(f" * {line[2:]}\n" for line in self.text.splitlines() if line.startswith(COMMENTS[self.kind]))
        else:
            self.head = self.text.partition("*/")[0]
        self.libraries = (re.findall(r"^ \* mpi: (.*)$", self.head, re.M) or [" ".join(LIBRARIES)])[0].split()
        self.has_one_run = " * one run: yes\n" in self.head
        self.has_library = " * library: yes\n" in self.head
        self.cases = {}
        for line in re.findall(r"^ \* check: .*$", self.head, re.M):
            self.read(line)

    def read(self, line):
        case = re.fullmatch(r" \* check: (-n \d+[^:]*): (none|([a-z-]+) (error|warning|note) (\w+|-))", line)
        if not case:
            sys.exit(f"{self.source}: cannot read:{line[2:]}")
        wanted = self.cases.setdefault(case[1], [])
        if case[2] != "none":
            wanted.append((case[3], case[4], self.line_of(case[5])))

    def line_of(self, word):
        """A number, None for no place, or the line that has this comment."""
        if word == "-":
            return None
        return int(word) if word.isdigit() else line_of(self.text, word)

    def compiled(self, mpi, build):
        """The words that start it."""
        if self.kind == ".py":
            return [PYTHON, self.source]
        target = os.path.abspath(f"{build}/{os.path.dirname(self.source)}/{self.name}.{mpi}")
        flags, library = ["-g", "-O0", "-w", "-pthread"], []
        if "#include <omp.h>" in self.text:
            flags.append("-fopenmp")
        if self.has_library:
            library = [compiled(mpi, self.source, target + ".so", *flags, "-DLIBRARY", "-shared", "-fPIC")]
        return [compiled(mpi, self.source, target, *flags, *library)]


def command_line(build, case, program, *more):
    options, _, arguments = case.partition(" -- ")
    return [f"{build}/tourney", *more, *shlex.split(options), *program, *shlex.split(arguments)]


def expected_code(wanted):
    """The exit code that follows from what is found; an error counts also beside a call that was refused."""
    if any(severity == "error" and kind not in CODES for kind, severity, _ in wanted):
        return 1
    return max((CODES.get(kind, int(severity == "error")) for kind, severity, _ in wanted), default=0)


def lines_of(finding, source):
    """The lines of its places that are in the program."""
    here = os.path.basename(source)
    return {place["line"] for place in finding["places"] if os.path.basename(place["file"] or "") == here} or {None}


def compare(wanted, findings, source):
    """What is wrong with what was found, or None."""
    left = list(findings)
    for kind, severity, line in wanted:
        for finding in left:
            if (finding["kind"], finding["severity"]) == (kind, severity) and line in lines_of(finding, source):
                left.remove(finding)
                break
        else:
            return f"no {kind} ({severity}) in line {line}"
    if left:
        lines = ", ".join(map(str, lines_of(left[0], source)))
        return f"finds {left[0]['kind']} ({left[0]['severity']}) in line {lines}: {left[0]['message']}"
    return None


def verified(build, program, mpi, case):
    """What is wrong with tourney's verdict on one case, or None."""
    wanted = program.cases[case]
    with tempfile.TemporaryDirectory(prefix="out-", dir=f"{build}/{FOLDER}") as work:
        done = plainly(command_line(build, case, program.compiled(mpi, build), "--quiet", "-o", f"{work}/out"))
        try:
            result = result_of(f"{work}/out")
        except (OSError, ValueError) as problem:
            return f"{problem}\n{done.said()}"
    wrong = compare(wanted, result["findings"], program.source)
    code = expected_code(wanted)
    if wrong is None and done.code != code:
        wrong = f"exit code {done.code}, not {code}"
    if wrong is None and program.has_one_run and result["runs"] != 1:
        wrong = f"{result['runs']} runs, not 1"
    return wrong and f"{wrong}\n{done.said()}"


def played(build, program, mpi, case):
    """What `tourney run` says and must not, or None: it sees one run, and so perhaps less."""
    if case.partition(" -- ")[0].count(" ") > 1:
        return None  # with options that it may not have
    wanted = program.cases[case]
    done = plainly(command_line(build, case, program.compiled(mpi, build), "run"))
    here = re.escape(os.path.basename(program.source))
    for severity, places, kind in re.findall(rf"^tourney: (error|warning|note): .* at ({here}:\d+ .*)\[([a-z-]+)\]$",
                                             done.err, re.M):
        lines = re.findall(rf"{here}:(\d+)", places)
        if not any((kind, severity, int(line)) in wanted for line in lines):
            return f"tourney run says {kind} ({severity}) in line {' or '.join(lines)}\n{done.err}"
    if not wanted and (done.code or done.err):
        return f"tourney run exits with {done.code}\n{done.err}"
    return None


def sources(folder):
    return sorted(path for kind in KINDS for path in glob.glob(f"{folder}/*{kind}"))


def tests(names):
    """(program, library, case, whether it is played, too) of all, or of those that are named."""
    for program in map(Program, sources(FOLDER)):
        for number, mpi in enumerate(program.libraries):
            for turn, case in enumerate(program.cases):
                if not names or program.name in names:
                    yield program, mpi, case, bool(names) or number == turn % len(program.libraries)


def judge(build, program, mpi, case, is_played):
    return verified(build, program, mpi, case) or (played(build, program, mpi, case) if is_played else None)


def main(build, names):
    cases = list(tests(names))
    os.makedirs(f"{build}/{FOLDER}", exist_ok=True)
    do_all(lambda pair: pair[0].compiled(pair[1], build), {(program, mpi): None for program, mpi, *_ in cases})
    return tell(lambda test: judge(build, *test), cases, lambda test: f"{test[0].name} {test[2]} [{test[1]}]")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
