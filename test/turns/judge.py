#!/usr/bin/python3
"""A judge of shared file pointers, partitioned communication and ports: what tourney comes to must be what brute force comes to (meaning.py), which
knows nothing of tourney.

Random scripts are searched, those with partitioned communication on MPICH, with infinite buffering and every third one with none; outcomes, and whether there is a
deadlock, must be the same, merged or, every second time, not.

usage: judge.py BUILD N [--seed FIRST] [--script TEXT]
"""
import argparse
import os
import random
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from lib.building import ROOT, compiled  # noqa: E402
from lib.running import MPIEXEC, plainly, result_of  # noqa: E402
from lib.suite import Count, each, wrong_with  # noqa: E402
from meaning import Meaning, TooMany  # noqa: E402

SOURCE = os.path.join(ROOT, "test/turns/program.c")
DEADLOCKS = {"deadlock", "livelock", "buffering-deadlock", "mixed-synchronisation"}
HARMLESS = {"message-race", "portability", "lost-message", "partition-state"}  # the last is a part that is never ready, beside its deadlock


class Draft:
    """One random script."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.ranks = self.random.choice((2, 2, 3))
        self.steps = [[] for _ in range(self.ranks)]
        for phase in range(self.random.choice((1, 1, 2))):
            if phase:
                self.everybody(self.random.choice(("b", "o1", "z2", "c1")))
            self.random.choice((self.pointer, self.ports, self.parts, self.both))()
        self.text = "/".join(" ".join(part) for part in self.steps)

    def everybody(self, step):
        for part in self.steps:
            part.append(step)

    def mix_in(self, rank, steps):
        """In their order, at random places behind the last collective of the rank."""
        part = self.steps[rank]
        least = max([i + 1 for i, step in enumerate(part) if step[0] in "ozcb"], default=0)
        for step in steps:
            least = self.random.randint(least, len(part))
            part.insert(least, step)
            least += 1

    def pointer(self):
        for rank in range(self.ranks):
            moves = self.random.randint(0, 2 if self.ranks == 3 else 3)
            self.mix_in(rank, [self.random.choice(("r1", "r1", "r2", "i1", "q")) for _ in range(moves)])
        if self.random.random() < 0.5:
            self.messages()

    def messages(self):
        """Sends of some ranks, and receives from any source; now and then one lacks."""
        dest = self.random.randrange(self.ranks)
        sources = [rank for rank in range(self.ranks) if rank != dest]
        for source in sources:
            self.mix_in(source, [f"s{dest}"])
        self.mix_in(dest, ["v"] * (len(sources) - (self.random.random() < 0.1) + (self.random.random() < 0.1)))

    def parts(self):
        source, dest = self.random.sample(range(self.ranks), 2)
        if any(step[0] in "PR" for part in self.steps for step in part):
            return self.pointer()
        sent, received = self.random.choice((1, 2, 4)), self.random.choice((1, 2, 4))
        ready = list(range(sent))
        self.random.shuffle(ready)
        if self.random.random() < 0.05:
            ready.pop()
        self.mix_in(source, [f"P{dest}.{sent}", *(f"y{dest}.{part}" for part in ready), f"W{dest}"])
        asked = [self.random.randrange(received) for _ in range(self.random.randint(0, 3))]
        self.mix_in(dest, [f"R{source}.{received}", *(f"a{source}.{part}" for part in asked), f"W{source}"])
        return None

    def ports(self):
        """Some ranks connect to others, who accept as often, or once more or less."""
        for server in self.random.sample(range(self.ranks), self.random.choice((1, 1, 2))):
            clients = [rank for rank in range(self.ranks) if rank != server for _ in range(self.random.choice((0, 1, 1, 2)))]
            for client in clients:
                self.mix_in(client, [f"C{server}"])
            self.mix_in(server, ["A"] * (len(clients) - (self.random.random() < 0.15) + (self.random.random() < 0.1)))
        if self.random.random() < 0.3:
            self.messages()

    def both(self):
        self.parts()
        self.pointer()


class Judge:
    """The program, compiled for both libraries, a folder, and a file to read."""

    def __init__(self, build, work):
        self.tourney, self.work = os.path.abspath(f"{build}/tourney"), work
        self.program = {mpi: compiled(mpi, SOURCE, os.path.abspath(f"{build}/test/turns/program.{mpi}"), "-g") for mpi in MPIEXEC}
        with open(f"{work}/input", "wb") as file:
            file.write(bytes(range(128)))

    def searched(self, name, mpi, script, buffering, merge):
        """(outcomes, whether there is a deadlock)"""
        folder = f"{self.work}/{name}.{buffering}"
        os.makedirs(folder)
        done = plainly([self.tourney, "-n", str(script.count("/") + 1), "--quiet", f"--buffering={buffering}", *([] if merge else ["--no-merge"]),
                        "-o", f"{folder}/out", self.program[mpi], f"{folder}/outcomes", f"{self.work}/input", script])
        result = result_of(f"{folder}/out")
        kinds = {finding["kind"] for finding in result["findings"]}
        if done.code not in (0, 1) or result["bounds"] or kinds - DEADLOCKS - HARMLESS:
            done.fail(f"the search came to no end, or found something else: {result['bounds']}, {kinds}")
        lines = set()
        if os.path.exists(f"{folder}/outcomes"):
            with open(f"{folder}/outcomes", encoding="ascii") as file:
                lines = set(file.read().splitlines())
        shutil.rmtree(folder)
        return lines, bool(kinds & DEADLOCKS)

    def differences(self, seed, script, meanings):
        """In sentences, or None.

        Where nothing is buffered, a search also goes on beyond a deadlock, as if there were slack, so lines that come with it are no claims."""
        wrong = []
        for buffering, meaning in meanings.items():
            mpi = "openmpi" if seed % 4 == 0 and not any(step in script for step in "PR") else "mpich"
            outcomes, deadlock = self.searched(seed, mpi, script, buffering, seed % 2)
            if not meaning.outcomes <= outcomes <= meanings["infinite"].outcomes:
                wrong.append(f"{buffering}: only tourney {sorted(outcomes - meaning.outcomes)}, "
                             f"only brute force {sorted(meaning.outcomes - outcomes)}")
            if deadlock != meaning.deadlock:
                wrong.append(f"{buffering}: only {'tourney' if deadlock else 'brute force'} has a deadlock")
        return "\n".join([script, *wrong]) if wrong else None


def verdict(judge, seed, script):
    """(whether it had too many states, what is wrong)"""
    slacks = {"infinite": True, "zero": False} if seed % 3 == 0 else {"infinite": True}
    try:
        meanings = {buffering: Meaning(script, slack) for buffering, slack in slacks.items()}
    except TooMany:
        return True, None
    return False, wrong_with(judge.differences, seed, script, meanings)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--script")
    options = parser.parse_args()
    scripts = {seed: options.script or Draft(seed).text for seed in range(options.seed, options.seed + options.count)}
    count, left_out = Count(), 0
    work = tempfile.mkdtemp(prefix="tourney-turns-")
    try:
        judge = Judge(options.build, work)
        for seed, (too_many, wrong) in each(lambda seed: verdict(judge, seed, scripts[seed]), scripts):
            left_out += too_many
            if not too_many:
                count.add(str(seed), wrong)
    finally:
        shutil.rmtree(work)
    print(f"{left_out} scripts with too many states")
    return count.end()


if __name__ == "__main__":
    sys.exit(main())
