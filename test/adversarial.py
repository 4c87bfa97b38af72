#!/usr/bin/python3
"""Verifies the programs in test/adversarial: each was written to make a verdict untrue.

Their heads are those of test/check (see check_programs.py), with the number of runs and one more word:

    check: -n 2: incomplete                the search ends without a verdict, and says so by exit code 2
    runs: -n 2: 6, merged 4                runs without and with merging, for this -n, options and arguments
    runs: -n 2: merged 4                   without merging there are too many

A case is searched with and without merging, on every MPI library: the findings must be the same ones.
Programs that are correct have a case with `none`; those that are not, one for what is wrong with them.
usage: adversarial.py BUILD_DIR [NAME...]
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

from check_programs import COMMENTS, COMPILERS, TIMEOUT, Program, command_line, compare, expected_code, run

FOLDER = "test/adversarial"
INCOMPLETE = ("incomplete", None, None)


class Adversary(Program):
    """A program, its cases, and how many runs each has."""

    def __init__(self, source):
        self.runs = {}
        super().__init__(source)
        for case, all_runs, merged in re.findall(r"^ \* runs: (-n \d+[^:]*): (?:(\d+), )?merged (\d+)$", self.head, re.M):
            self.runs[case] = {"--no-merge": all_runs and int(all_runs), "--merge": int(merged)}
        for case in self.cases:
            if case not in self.runs:
                sys.exit(f"{source}: no line says how many runs there are with {case}")

    def read(self, line):
        if line.endswith(": incomplete"):
            case = line.removeprefix(" * check: ").removesuffix(": incomplete")
            self.cases.setdefault(case, []).append(INCOMPLETE)
        else:
            super().read(line)


def searched(build, program, mpi, case, merging):
    """What is wrong with the verdict of one search, or None."""
    wanted = [finding for finding in program.cases[case] if finding is not INCOMPLETE]
    out = f"{build}/test/adversarial/out"
    shutil.rmtree(out, ignore_errors=True)
    option = [merging] if merging == "--no-merge" else []
    done = run(command_line(build, case, program.compiled(mpi, build), "--quiet", "-o", out, *option))
    try:
        with open(f"{out}/result.json", encoding="utf-8") as file:
            result = json.load(file)
    except (OSError, ValueError) as problem:
        return f"{problem}\n{done.stdout}{done.stderr}"
    code = expected_code(wanted) or (2 if INCOMPLETE in program.cases[case] else 0)
    wrong = compare(wanted, result["findings"], program.source)
    if wrong is None and done.returncode != code:
        wrong = f"exit code {done.returncode}, not {code}"
    runs = result["runs"]
    if wrong is None and runs != program.runs[case][merging]:
        wrong = f"{runs} runs, not {program.runs[case][merging]}"
    return wrong and f"{wrong}\n{done.stdout}{done.stderr}"


def main(build, names):
    passed = failed = 0
    for source in sorted(path for kind in {**COMPILERS, **COMMENTS} for path in glob.glob(f"{FOLDER}/*{kind}")):
        program = Adversary(source)
        if names and program.name not in names:
            continue
        for mpi in program.libraries:
            for case, runs in program.runs.items():
                for merging in (option for option, number in runs.items() if number != ""):
                    try:
                        wrong = searched(build, program, mpi, case, merging)
                    except subprocess.TimeoutExpired:
                        wrong = f"no end after {TIMEOUT} s"
                    passed += wrong is None
                    failed += wrong is not None
                    label = f"{program.name} {case} {merging} [{mpi}]"
                    print(f"FAILED {label}: {wrong}" if wrong is not None else f"ok {label}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
