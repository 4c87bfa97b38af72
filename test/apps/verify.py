#!/usr/bin/python3
"""Real MPI programs come to a verdict, or to a bound that says something.

Every entry of apps.py that says what is to be expected of it is verified for a while, in a fresh directory. What came
of it, runs, seconds and bounds are printed as a table; whatever is not as expected fails. Nothing ends without a run.
Beside the seconds is the processor time, of tourney and its ranks together: on a busy machine a search gets little of the time that is told.
"""
import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import run
from run import ROOT, build, install, place, words

class Verified:
    """What is left of a verification."""

    def __init__(self, app, code, seconds, processor, result, said):
        self.app, self.code, self.seconds, self.processor, self.said = app, code, seconds, processor, said
        self.verdict, self.runs = result.get("verdict", "none"), result.get("runs", 0)
        self.kinds = sorted({finding["kind"] for finding in result.get("findings", ())})
        self.complete = result.get("complete")
        self.bounds = result.get("bounds", [])

    def says(self):
        """What the search came to: a verdict over all outcomes, a bound that says what was looked at, or nothing of these."""
        return "decided" if not self.bounds else "bounded" if self.complete else "neither"

    def row(self):
        kinds = ", ".join(self.kinds) or "-"
        bound = self.complete or "; ".join(self.bounds) or "-"
        return (self.app.name, self.app.mpi, str(self.app.ranks), self.verdict, kinds,
                str(self.runs), "%.1f" % self.seconds, "%.0f" % self.processor, bound)


def processor_time():
    """Of all children that have ended, and theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def verified(app, seconds):
    """The verification of one program, made in a directory of its own."""
    where = tempfile.mkdtemp(prefix="tourney-app-")
    directory, results = os.path.join(where, "work"), os.path.join(where, "results")
    os.mkdir(directory)
    try:
        build(app)
        place(app, directory)
        tourney = os.environ.get("TOURNEY", os.path.join(ROOT, "build", "tourney"))
        command = [tourney, "-n", str(app.ranks), "--time", str(seconds), "-o", results,
                   *words(app)]
        start, used = time.monotonic(), processor_time()
        with open(os.path.join(directory, app.stdin)) as stdin, open(where + "/said", "w+b") as said:
            process = subprocess.Popen(command, cwd=directory, env=app.env, stdin=stdin, stdout=said,
                                       stderr=said, start_new_session=True)
            try:
                code = process.wait(seconds + 60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                code = process.wait()
            said.seek(0)
            text = said.read().decode("utf-8", "replace")
        taken = time.monotonic() - start
        try:
            with open(os.path.join(results, "result.json")) as file:
                result = json.load(file)
        except OSError:
            result = {}
        return Verified(app, code, taken, processor_time() - used, result, text)
    finally:
        shutil.rmtree(where, ignore_errors=True)


def wrong(done):
    """What is not as expected, or None."""
    expected = done.app.verify
    if done.verdict not in expected.verdicts:
        return "verdict %s, not %s" % (done.verdict, " or ".join(expected.verdicts))
    if not set(done.kinds) <= set(expected.kinds):
        return "finds %s" % ", ".join(sorted(set(done.kinds) - set(expected.kinds)))
    if done.runs == 0:
        return "no run has ended"
    return None


HEAD = ("program", "library", "ranks", "verdict", "findings", "runs", "seconds", "processor", "bound")
WIDTHS = (18, 8, 5, 10, 24, 8, 8, 9, 0)


def line(cells):
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS)) + " |"


def main():
    sys.dont_write_bytecode = True
    sys.modules["run"] = run
    from apps import APPS

    ask = argparse.ArgumentParser(description="Verify real MPI programs.")
    ask.add_argument("names", nargs="*", help="only these")
    ask.add_argument("--install", action="store_true", help="install missing packages with apt-get")
    ask.add_argument("--time", type=int, default=120, metavar="S", help="seconds for each (default: 120)")
    ask.add_argument("--said", action="store_true", help="print what tourney said of each")
    args = ask.parse_args()

    chosen = [app for app in APPS if app.verify and (not args.names or app.name in args.names)]
    if args.install:
        install(sorted({package for app in chosen for package in app.missing()}))
    passed = failed = skipped = 0
    came_to = {"decided": [], "bounded": [], "neither": []}
    print(line(HEAD))
    print("|" + "|".join("---" for _ in HEAD) + "|")
    for app in chosen:
        if app.missing():
            print("skip %s (needs %s)" % (app.name, " ".join(app.missing())))
            skipped += 1
            continue
        done = verified(app, args.time)
        problem = wrong(done)
        came_to[done.says()].append(app.name)
        print(line(done.row()), flush=True)
        passed, failed = passed + (not problem), failed + bool(problem)
        if problem:
            print("FAIL %s: %s" % (app.name, problem))
        if problem or args.said:
            print("\n".join("    " + text[:200] for text in done.said.splitlines()[-40:]), flush=True)
    print("%d decided, %d with a bound, %d with neither%s" % (
        *map(len, came_to.values()), ": " + " ".join(came_to["neither"]) if came_to["neither"] else ""))
    print("%d passed, %d failed" % (passed, failed) + (", %d skipped" % skipped if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
