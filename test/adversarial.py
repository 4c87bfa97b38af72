#!/usr/bin/python3
"""Verifies the programs in test/adversarial: each was written to make a verdict untrue.

Their heads are those of test/check (see check_programs.py), with the number of runs and one more word:

    check: -n 2: incomplete                the search ends without a verdict, and says so by exit code 2
    runs: -n 2: 6, merged 4                runs without and with merging, for this -n, options and arguments
    runs: -n 2: merged 4                   without merging there are too many
    runs: -n 2: 6, merged 4-5              as what the MPI library itself has in memory comes out
    segments: -n 2: 40                     with merging, so many segments are run
    assumed: -n 2: merging: of rank 0      with merging, an assumption of this kind is said, in words that these are part of
    not assumed: -n 2: copies              with merging, no assumption of this kind is said
    not assumed: -n 2: threads: a second   the same of those that have these words

A case is searched with merging on one MPI library and without it on the others, and they take turns: the findings must be the
same ones.  What has too many runs without merging, and what has as many with it, since nothing may be merged, is searched
with merging on the library whose turn it is.  With --all, all do both.
In the environment, FOLDER is a directory that is the search's own.
Programs that are correct have a case with `none`; those that are not, one for what is wrong with them.
usage: adversarial.py BUILD_DIR [--all] [NAME...]
"""
import os
import re
import sys
import tempfile

from check_programs import Program, command_line, compare, expected_code, sources
from lib.running import plainly, result_of
from lib.suite import do_all, tell

FOLDER = "test/adversarial"
INCOMPLETE = ("incomplete", None, None)


class Adversary(Program):
    """A program, its cases, and how many runs each has."""

    def __init__(self, source):
        self.runs = {}
        super().__init__(source)
        for case, all_runs, merged in re.findall(r"^ \* runs: (-n \d+[^:]*): (?:(\d+), )?merged (\d+(?:-\d+)?)$", self.head, re.M):
            self.runs[case] = {"--no-merge": all_runs, "--merge": merged}
        self.segments = dict(re.findall(r"^ \* segments: (-n \d+[^:]*): (\d+)$", self.head, re.M))
        self.assumed = re.findall(r"^ \* assumed: (-n \d+[^:]*): (\w+): (.*)$", self.head, re.M)
        self.not_assumed = re.findall(r"^ \* not assumed: (-n \d+[^:]*): (\w+)(?:: (.*))?$", self.head, re.M)
        for case in self.cases:
            if case not in self.runs:
                sys.exit(f"{source}: no line says how many runs there are with {case}")

    def read(self, line):
        if line.endswith(": incomplete"):
            case = line.removeprefix(" * check: ").removesuffix(": incomplete")
            self.cases.setdefault(case, []).append(INCOMPLETE)
        else:
            super().read(line)


def unsaid(program, case, result):
    """An assumption that should be there, or should not, or None."""
    for where, kind, words in program.assumed:
        said = [assumption["text"] for assumption in result["assumptions"] if assumption["kind"] == kind]
        if where == case and not any(words in text for text in said):
            return f"assumes nothing about {kind} with the words: {words}"
    for where, kind, words in program.not_assumed:
        said = [assumption["text"] for assumption in result["assumptions"]
                if assumption["kind"] == kind and words in assumption["text"]]
        if where == case and said:
            return f"assumes of {kind}: {said[0]}"
    return None


def judge(program, case, merging, result, done):
    """What is wrong with the verdict of one search, or None."""
    wanted = [finding for finding in program.cases[case] if finding is not INCOMPLETE]
    code = expected_code(wanted) or (2 if INCOMPLETE in program.cases[case] else 0)
    wrong = compare(wanted, result["findings"], program.source)
    if wrong is None and done.code != code:
        wrong = f"exit code {done.code}, not {code}"
    least, _, most = program.runs[case][merging].partition("-")
    if wrong is None and not int(least) <= result["runs"] <= int(most or least):
        wrong = f"{result['runs']} runs, not {program.runs[case][merging]}"
    segments = int(program.segments.get(case, result["segments"]))
    if wrong is None and merging == "--merge" and result["segments"] != segments:
        wrong = f"{result['segments']} segments, not {segments}"
    if wrong is None and merging == "--merge":
        wrong = unsaid(program, case, result)
    return wrong


def searched(build, program, mpi, case, merging):
    """The same, with what was said."""
    option = [merging] if merging == "--no-merge" else []
    with tempfile.TemporaryDirectory(prefix="out-", dir=f"{build}/{FOLDER}") as work:
        done = plainly(command_line(build, case, program.compiled(mpi, build), "--quiet", "-o", f"{work}/out", *option),
                       FOLDER=os.path.abspath(work))
        try:
            result = result_of(f"{work}/out")
        except (OSError, ValueError) as problem:
            return f"{problem}\n{done.said()}"
    wrong = judge(program, case, merging, result, done)
    return wrong and f"{wrong}\n{done.said()}"


def ways_to_search(libraries, runs, turn, everywhere):
    """(library, [with merging or without, or both]) of each that searches a case with so many runs."""
    ways = [option for option, counted in runs.items() if counted != ""]
    if everywhere:
        return [(mpi, ways) for mpi in libraries]
    if runs["--no-merge"] in ("", runs["--merge"]):
        return [(libraries[turn % len(libraries)], ["--merge"])]
    if len(libraries) == 1:
        return [(libraries[0], ways)]
    return [(mpi, [ways[number % len(ways)]]) for number, mpi in enumerate(libraries, turn)]


def searches(names, everywhere):
    """(program, library, case, merging) of all, or of those that are named."""
    turn = 0
    for program in map(Adversary, sources(FOLDER)):
        if names and program.name not in names:
            continue
        for case, runs in program.runs.items():
            turn += 1
            for mpi, ways in ways_to_search(program.libraries, runs, turn, everywhere):
                yield from ((program, mpi, case, merging) for merging in ways)


def main(build, words):
    cases = list(searches([word for word in words if word != "--all"], "--all" in words))
    os.makedirs(f"{build}/{FOLDER}", exist_ok=True)
    do_all(lambda pair: pair[0].compiled(pair[1], build), {(program, mpi): None for program, mpi, *_ in cases})
    return tell(lambda search: searched(build, *search), cases,
                lambda search: f"{search[0].name} {search[2]} {search[3]} [{search[1]}]")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
