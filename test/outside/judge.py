#!/usr/bin/python3
"""A judge from outside: what real MPI libraries do must be among what tourney says they can do.

Random programs (draft.h) run on MPICH and on Open MPI under mpiexec, with random delays before their calls, several
times each; and tourney searches them without merging, on both libraries.  Every outcome that a library
shows must be one of the search's, a program that hangs must have a deadlock, and the searches
on both libraries must come to the same outcomes.  Nothing but deadlocks may be wrong with these programs.

usage: judge.py BUILD N [--seed FIRST] [--times K]
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from lib.running import MPIEXEC, plainly, result_of  # noqa: E402
from lib.suite import Count  # noqa: E402

RANKS = 3
PATIENCE = (3, 30)  # seconds until a program hangs, at the first try and at the second
SEARCH = 20         # seconds for a search; what takes longer is left out
DEADLOCKS = {"deadlock", "buffering-deadlock", "mixed-synchronisation", "livelock"}
HARMLESS = {"lost-message", "message-race", "portability", "comm-leak"}


def read_outcomes(path):
    """{seed: set of outcomes}"""
    outcomes = {}
    if os.path.exists(path):
        with open(path, encoding="ascii") as file:
            for line in file:
                seed, _, outcome = line.rstrip("\n").partition(" ")
                outcomes.setdefault(int(seed), set()).add(outcome)
    return outcomes


class Judge:
    """The programs, compiled, and a directory for what they say."""

    def __init__(self, build, work):
        self.tourney = os.path.abspath(f"{build}/tourney")
        self.program = {mpi: os.path.abspath(f"{build}/test/outside/program-{mpi}") for mpi in MPIEXEC}
        self.work = work

    def fresh_file(self):
        path = f"{self.work}/outcomes"
        if os.path.exists(path):
            os.remove(path)
        return path

    def search(self, mpi, seed):
        """(outcomes, kinds of findings) of one program, or None if there are too many runs."""
        path, out = self.fresh_file(), f"{self.work}/out"
        shutil.rmtree(out, ignore_errors=True)
        done = plainly([self.tourney, "-n", str(RANKS), "--no-merge", "--quiet", "--time", str(SEARCH), "-o", out,
                        self.program[mpi], path, str(seed), str(seed), "1", "0", "0"])
        result = result_of(out)
        if done.code not in (0, 1, 2):
            done.fail("the search came to no end")
        if result["bounds"]:
            return None
        return read_outcomes(path).get(seed, set()), {finding["kind"] for finding in result["findings"]}

    def launch(self, mpi, first, last, times, delays, patience):
        """{seed: outcomes} under mpiexec; a program that hangs is the last one."""
        path = self.fresh_file()
        own = ["--mca", "btl", "self,vader", "--mca", "btl_vader_backing_directory", self.work] if mpi == "openmpi" else []
        subprocess.run([*MPIEXEC[mpi], *own, "-n", str(RANKS), self.program[mpi], path, str(first), str(last),
                        str(times), str(delays), str(patience)],
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=600 + (last - first + 1) * times * patience)
        return read_outcomes(path)

    def shown(self, mpi, first, last, times):
        """{seed: outcomes} of a range, whatever hangs in it."""
        shown = {}
        while first <= last:
            part = self.launch(mpi, first, last, times, first, PATIENCE[0])
            hung = [seed for seed, outcomes in part.items() if "hangs" in outcomes]
            for seed in part:
                shown.setdefault(seed, set()).update(part[seed])
            first = max(hung) + 1 if hung else last + 1
        return shown


def differences(judge, seed, found, shown):
    """What is wrong, in sentences."""
    both = {mpi: outcomes for mpi, (outcomes, _) in found.items()}
    if both["mpich"] != both["openmpi"]:
        yield f"the searches differ: only MPICH {both['mpich'] - both['openmpi']}, only Open MPI {both['openmpi'] - both['mpich']}"
    for mpi, (outcomes, kinds) in found.items():
        if kinds - DEADLOCKS - HARMLESS:
            yield f"tourney on {mpi} finds {', '.join(kinds - DEADLOCKS - HARMLESS)}"
        for outcome in shown[mpi].get(seed, set()) - outcomes - {"hangs"}:
            yield f"{mpi} shows {outcome}, which is not among {len(outcomes)} outcomes"
        if "hangs" in shown[mpi].get(seed, set()) and not kinds & DEADLOCKS:
            again = judge.launch(mpi, seed, seed, 20, seed, PATIENCE[1])
            if "hangs" in again.get(seed, set()):
                yield f"{mpi} hangs, and tourney finds no deadlock"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=4)
    options = parser.parse_args()
    count, left_out, ours, theirs = Count(), 0, 0, 0
    work = tempfile.mkdtemp(prefix="tourney-outside-")
    try:
        judge = Judge(options.build, work)
        last = options.seed + options.count - 1
        for first in range(options.seed, last + 1, 50):
            end = min(first + 49, last)
            shown = {mpi: judge.shown(mpi, first, end, options.times) for mpi in MPIEXEC}
            for seed in range(first, end + 1):
                found = {mpi: judge.search(mpi, seed) for mpi in MPIEXEC}
                if None in found.values():
                    left_out += 1
                    continue
                count.add(str(seed), "\n".join(differences(judge, seed, found, shown)) or None)
                ours += len(found["mpich"][0])
                theirs += len(set.union(*(shown[mpi].get(seed, set()) for mpi in MPIEXEC)) - {"hangs"})
    finally:
        shutil.rmtree(work)
    print(f"{theirs} outcomes were shown by the libraries, {ours} are possible; {left_out} programs had too many runs")
    return count.end()


if __name__ == "__main__":
    sys.exit(main())
