#!/usr/bin/python3
"""A judge of threads that communicate: what tourney comes to must be what brute force comes to (meaning.py), which knows nothing of tourney.

Random scripts for 2 ranks of 2 threads are searched, with all buffering, none and any; outcomes, and whether there is a deadlock, must be the same, merged
or, every second time, not; libraries take turns.

usage: judge.py BUILD [--count N] [--seed FIRST] [--script TEXT] [--both] [--most STATES]
"""
import argparse
import os
import random
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from lib.building import ROOT, compiled  # noqa: E402
from lib.running import MPIEXEC, plainly, result_of  # noqa: E402
from lib.suite import Count, each, wrong_with  # noqa: E402
from meaning import Meaning, TooMany  # noqa: E402

SOURCE = os.path.join(ROOT, "test/threads/program.c")
DEADLOCKS = {"deadlock", "livelock", "buffering-deadlock", "mixed-synchronisation"}
HARMLESS = {"message-race", "portability", "lost-message", "thread-probe"}
SLACK = {"infinite": "always", "zero": "never", "any": "maybe"}
MOST_RUNS = 3000  # without merging


class Draft:
    """One random script: parts that fit together, each at random places of the threads that it needs."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.steps = {(rank, thread): [] for rank in range(2) for thread in range(2)}
        self.collectives = 0
        self.objects = 0
        parts = (self.message, self.message, self.message, self.message, self.started, self.probed, self.together, self.section,
                 self.section, self.meeting, self.token, self.semaphore, self.readers, self.attempt)
        for _ in range(self.random.choice((2, 3, 3, 4, 4, 5))):
            self.random.choice(parts)()
        self.text = "/".join(";".join(" ".join(self.steps[rank, thread]) for thread in range(2)) for rank in range(2))

    def anybody(self):
        return self.random.choice(list(self.steps))

    def mix_in(self, actor, *steps):
        """In their order, at random places."""
        part, least = self.steps[actor], 0
        for step in steps:
            least = self.random.randint(least, len(part))
            part.insert(least, step)
            least += 1

    def pair(self):
        """A sender and a receiver, of one rank now and then, but not one thread."""
        source = self.anybody()
        dest = self.random.choice([actor for actor in self.steps if actor != source and (actor[0] != source[0] or self.random.random() < 0.3)])
        return source, dest

    def pattern(self, source, tag):
        return f"{'*' if self.random.random() < 0.4 else source}.{'*' if self.random.random() < 0.3 else tag}"

    def message(self):
        source, dest = self.pair()
        tag = self.random.choice((1, 1, 1, 2))
        self.mix_in(source, f"{self.random.choice('sssS')}{dest[0]}.{tag}")
        if self.random.random() < 0.95:
            self.mix_in(dest, f"v{self.pattern(source[0], tag)}")

    def started(self):
        """What is started is waited for in this order, so there is one for a thread."""
        source, dest = self.pair()
        if any(step == "w" for actor in (source, dest) for step in self.steps[actor]):
            return self.message()
        self.mix_in(source, f"i{dest[0]}.1", "w")
        self.mix_in(dest, f"j{self.pattern(source[0], 1)}", "w")
        return None

    def probed(self):
        source, dest = self.pair()
        self.mix_in(source, f"s{dest[0]}.1")
        if self.random.random() < 0.5:
            self.mix_in(dest, f"m{self.pattern(source[0], 1)}")
        else:
            self.mix_in(dest, f"p{self.pattern(source[0], 1)}", f"v{self.pattern(source[0], 1)}")

    def together(self):
        if self.collectives == 3:
            return
        for rank in range(2):
            self.mix_in((rank, self.random.randrange(2)), f"{'bg'[self.collectives % 2]}{self.collectives}")
        self.collectives += 1

    def section(self):
        """A mutex around whatever is there: what is not well nested is a deadlock by itself, which brute force knows, too."""
        rank, which = self.random.randrange(2), self.random.choice("01")
        for thread in range(2):
            if not any(step[0] in "lucn" and step[1] == which for step in self.steps[rank, thread]):
                self.mix_in((rank, thread), f"l{which}", f"u{which}")

    def attempt(self):
        self.section()
        self.mix_in(self.anybody(), "t2")
        if self.random.random() < 0.5:
            self.mix_in(self.anybody(), "l2", "u2")

    def meeting(self):
        rank = self.random.randrange(2)
        for thread in range(2):
            self.mix_in((rank, thread), "T")

    def token(self):
        rank, thread = self.anybody()
        self.mix_in((rank, thread), "n2")
        self.mix_in((rank, 1 - thread), "c2")

    def semaphore(self):
        rank, thread = self.anybody()
        self.mix_in((rank, thread), "e0")
        self.mix_in((rank, 1 - thread), "d0")

    def readers(self):
        rank = self.random.randrange(2)
        for thread in range(2):
            if not any(step[0] in "RWU" for step in self.steps[rank, thread]):
                self.mix_in((rank, thread), f"{self.random.choice('RW')}0", "U0")


class Judge:
    """The program, compiled for both libraries, and a folder."""

    def __init__(self, build, work):
        self.tourney, self.work = os.path.abspath(f"{build}/tourney"), work
        self.program = {mpi: compiled(mpi, SOURCE, os.path.abspath(f"{build}/test/threads/program.{mpi}"), "-g", "-pthread") for mpi in MPIEXEC}

    def searched(self, name, mpi, script, buffering, merge):
        """(outcomes, whether there is a deadlock); None: too many runs"""
        folder = f"{self.work}/{name}.{mpi}.{buffering}.{merge}"
        os.makedirs(folder)
        done = plainly([self.tourney, "-n", str(script.count("/") + 1), "--quiet", f"--buffering={buffering}",
                        *([] if merge else ["--no-merge", f"--max-runs={MOST_RUNS}"]),
                        "-o", f"{folder}/out", self.program[mpi], f"{folder}/outcomes", script])
        result = result_of(f"{folder}/out")
        kinds = {finding["kind"] for finding in result["findings"]}
        if not merge and result["runs"] >= MOST_RUNS:
            return None
        if done.code not in (0, 1) or result["bounds"] or kinds - DEADLOCKS - HARMLESS:
            done.fail(f"{script}\n{mpi}, {buffering}: the search came to no end, or found something else: {result['bounds']}, {kinds}")
        lines = set()
        if os.path.exists(f"{folder}/outcomes"):
            with open(f"{folder}/outcomes", encoding="ascii") as file:
                lines = set(file.read().splitlines())
        shutil.rmtree(folder)
        return lines, bool(kinds & DEADLOCKS), result["runs"]

    def differences(self, seed, script, meanings, ways):
        """In sentences, or None.

        Where not all is buffered, a search also goes on beyond a deadlock, as if there were slack, so lines that come with it are no claims.
        A thread that probes, while others communicate, polls: deadlocks that need less slack are not looked for then (doc/limits.md)."""
        wrong = []
        for mpi, merge in ways:
            for buffering, meaning in meanings.items():
                found = self.searched(seed, mpi, script, buffering, merge)
                if found is None:
                    continue
                outcomes, deadlock, _ = found
                how = f"{mpi}, {buffering}, {'merged' if merge else 'not merged'}"
                if not meaning.outcomes <= outcomes <= meanings["infinite"].outcomes:
                    wrong.append(f"{how}: only tourney {sorted(outcomes - meanings['infinite'].outcomes)}, "
                                 f"only brute force {sorted(meaning.outcomes - outcomes)}")
                unseen = buffering == "any" and not meanings["infinite"].deadlock and re.search(r"\b[pm]", script)
                if deadlock != meaning.deadlock and not (unseen and meaning.deadlock):
                    wrong.append(f"{how}: only {'tourney' if deadlock else 'brute force'} has a deadlock")
        return "\n".join([script, *wrong]) if wrong else None


def verdict(judge, seed, script, options):
    """(whether it had too many states, what is wrong)"""
    wanted = SLACK if options.both or options.script else {"infinite": "always", ("zero", "any")[seed % 2]: SLACK[("zero", "any")[seed % 2]]}
    try:
        meanings = {buffering: Meaning(script, slack, options.most) for buffering, slack in wanted.items()}
    except TooMany:
        return True, None
    all_ways = [(mpi, merge) for mpi in MPIEXEC for merge in (True, False)]
    ways = all_ways if options.both or options.script else [all_ways[seed % 4]]
    return False, wrong_with(judge.differences, seed, script, meanings, ways)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--script")
    parser.add_argument("--both", action="store_true")
    parser.add_argument("--most", type=int, default=20000)
    options = parser.parse_args()
    scripts = {seed: options.script or Draft(seed).text for seed in range(options.seed, options.seed + options.count)}
    count, left_out = Count(), 0
    work = tempfile.mkdtemp(prefix="tourney-threads-")
    try:
        judge = Judge(options.build, work)
        for seed, (too_many, wrong) in each(lambda seed: verdict(judge, seed, scripts[seed], options), scripts):
            left_out += too_many
            if not too_many:
                count.add(str(seed), wrong)
    finally:
        shutil.rmtree(work)
    print(f"{left_out} scripts with too many states")
    return count.end()


if __name__ == "__main__":
    sys.exit(main())
