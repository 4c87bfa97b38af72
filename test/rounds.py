#!/usr/bin/python3
"""Searches all programs in test/explore on real MPI jobs, again and again: the answer must be the same each time.

One round has every program, on both libraries, with every input that its head tells of, but for those with
very many ranks or runs (--large: these, too).  A search must come to the exit code, the runs and the findings that
tourney verify comes to, and leave neither processes nor files behind.  Searches at one time disturb each other.
usage: rounds.py BUILD_DIR [--rounds N] [--time SECONDS] [--large] [--only NAME...]
"""
import argparse
import collections
import concurrent.futures
import contextlib
import glob
import itertools
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time

from dist import SELECTION, complaint
from explore import cases, compile_for
from lib import Failure
from lib.leftovers import job_segments, new_and_unused
from lib.running import result_of, watched
from lib.suite import Count

PATIENCE = 600  # seconds, for one search on a machine that has other things to do
ELSEWISE = {
    "threads": "ranks with several threads, which tourney verify refuses, are fine",
    "runs": "no MPI program",
    "connect": "what happens at ports is not looked into",
    "names": "nor are published names, for which a library may need a server",
    "spawn": "nor are ranks that others start",
}
MOST_RANKS, MOST_RUNS = 8, 12  # more of either is large
AT_ONE_TIME = 3  # searches


class Case:
    """One program with its input, and all that was seen of it."""

    def __init__(self, mpi, source, case):
        self.mpi, self.source = mpi, source
        self.ranks, self.buffering, self.arguments, self.wanted = case
        self.name = os.path.basename(source)[:-2]
        self.label = " ".join([self.name, *self.arguments, mpi, "-n", self.ranks])
        self.large = int(self.ranks) > MOST_RANKS or self.wanted["runs"] > MOST_RUNS
        self.findings = None  # of tourney verify
        self.seen = collections.Counter()
        self.jobs, self.seconds = [], []

    def told(self):
        """What all rounds saw of it, in one line."""
        seen = ", ".join(f"{what} ({n} times)" for what, n in self.seen.most_common())
        jobs = f"{min(self.jobs)} to {max(self.jobs)} jobs" if self.jobs else "no jobs"
        return f"{self.label}: {seen}; {jobs}, {min(self.seconds):.1f} to {max(self.seconds):.1f} s"


def all_cases(only):
    """In a job it is MPI that buffers: what the head says of `any` holds there, or of `infinite` if sends never matter."""
    for mpi, source in itertools.product(SELECTION, sorted(glob.glob("test/explore/*.c"))):
        name = os.path.basename(source)[:-2]
        if name in ELSEWISE or only and name not in only:
            continue
        told = {(ranks, *arguments): (ranks, buffering, arguments, wanted)
                for buffering_wanted in ("infinite", "any")
                for ranks, buffering, arguments, wanted in cases(source) if buffering == buffering_wanted}
        yield from (Case(mpi, source, case) for case in told.values())


class Rounds:
    def __init__(self, build, cases):
        self.build = os.path.abspath(build)
        self.cases = cases
        self.scratch = tempfile.mkdtemp(prefix="tourney-test-rounds-")
        self.lock = threading.Lock()  # around what is counted and printed
        self.count = Count()

    def tourney(self, case, out, *words):
        """One search or verification; (run, findings)."""
        done = watched([f"{self.build}/tourney", *words, "--quiet", "-n", case.ranks, f"--buffering={case.buffering}", "-o", out,
                        compile_for(case.mpi, case.source, self.build), *case.arguments],
                       cwd=None, patience=PATIENCE, clean=False)
        with contextlib.suppress(OSError):
            return done, sorted(finding["message"] for finding in result_of(out)["findings"])
        return done, None

    def search(self, case):
        """What is wrong with one more search, or None."""
        out = tempfile.mkdtemp(dir=self.scratch)
        begun = time.monotonic()
        try:
            if case.findings is None:
                case.findings = self.tourney(case, out + ".verify", "--no-merge")[1]
                begun = time.monotonic()
            done, findings = self.tourney(case, out, "dist")
        except Failure as failure:
            case.seen["no end"] += 1
            case.seconds.append(time.monotonic() - begun)
            return str(failure)
        case.seconds.append(time.monotonic() - begun)
        runs, jobs = (re.search(what, done.out, re.M) for what in (r"\d+ runs?", r"^tourney: (\d+) jobs? under"))
        case.seen[f"exit {done.code}, {runs[0] if runs else 'no runs'}"] += 1
        if jobs:
            case.jobs.append(int(jobs[1]))
        if wrong := complaint(case.name, case.wanted, done):
            return wrong
        if done.left:
            return f"leaves {' '.join(done.left)}"
        if findings != case.findings:
            return f"finds {findings}, and tourney verify {case.findings}"
        shutil.rmtree(out)
        shutil.rmtree(out + ".verify", ignore_errors=True)
        return None

    def play(self, number, case):
        wrong = self.search(case)
        with self.lock:
            self.count.add(f"{case.label}, round {number}", wrong)

    def round(self, number, until):
        """Whether it was played to its end."""
        failed, begun, segments = self.count.failed, time.monotonic(), job_segments()
        with concurrent.futures.ThreadPoolExecutor(AT_ONE_TIME) as pool:
            games = []
            for case in self.cases:
                games.append(pool.submit(lambda case=case: time.monotonic() < until and (self.play(number, case), True)))
            played = sum(bool(game.result()) for game in games)
        if left := new_and_unused(job_segments, segments):
            self.count.add(f"round {number}", f"leaves {' '.join(left)}")
        print(f"round {number}: {played} of {len(self.cases)} searches, {self.count.failed - failed} failed, "
              f"{time.monotonic() - begun:.0f} s", flush=True)
        return played == len(self.cases)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--time", type=float, default=float("inf"), help="seconds after which no search is begun")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--only", nargs="+")
    options = parser.parse_args()
    until = time.monotonic() + options.time
    os.makedirs(f"{options.build}/test/explore", exist_ok=True)
    rounds = Rounds(options.build, [case for case in all_cases(options.only) if options.large or not case.large])
    for source, mpi in {(case.source, case.mpi) for case in rounds.cases}:
        compile_for(mpi, source, rounds.build)
    whole = 0
    while whole < options.rounds and rounds.round(whole + 1, until):
        whole += 1
    for case in rounds.cases:
        if case.seen:
            print(case.told())
    print(f"{whole} of {options.rounds} rounds")
    if not rounds.count.failed:
        shutil.rmtree(rounds.scratch)
    else:
        print(f"what was found is in {rounds.scratch}")
    return rounds.count.end()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main())
