#!/usr/bin/python3
"""Searches that are cut short and resumed end as those that were left alone.

Programs of test/explore, with the numbers of ranks of their head comments, and
correct ones of test/prog, on MPI libraries in turn.  Each is explored with a journal that is stopped after
some segments, killed or interrupted at random moments, and resumed until it is
done; at last a program that was replaced by another one must be noticed, and a search that
broke off by a fault of tourney's own tells how to come there again.  Searches of `tourney` that make a run ahead, look at
ranks later and begin what comes next, with programs of test/journal, are resumed as well.
usage: journal.py BUILD_DIR [SEED]
"""
import itertools
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from explore import cases, compile_for, pairs
from lib import Failure
from lib.building import LIBRARIES
from lib.leftovers import PATIENCE, hear_signals
from lib.running import plainly, result_of
from lib.suite import do_all, tell, wrong_with

SAME = ("runs", "clean", "deadlock", "livelock", "crash", "error", "mismatch", "diverged", "cuts", "left",
        "segments")
MANY = 100  # runs: beyond that a program is explored elsewhere
EXPLORED = "by_sender computed crooked dtg persistent probe slack star test_no upstream waitany waitsome".split()
TURNS = ["--deepen-after", "1000"]
BY_COSTS = [f"test/explore/{name}.c" for name in ("by_sender", "probe", "star", "waitsome")]
RESUMED = {"consensus": "4", "idle": "1"}  # after so many runs
CORRECT = "alltoall intercomm_coll mprobe neighbor_graph request_free".split()


class Search:
    """One program, explored in a folder of its own; chance says when it is struck."""

    def __init__(self, build, order, ranks, buffering, program, folder, chance):
        self.command = [f"{build}/test/explore/runs", *order]
        self.world = [ranks, buffering, *program]
        self.journal = f"{folder}/journal"
        self.chance = chance
        start = time.time()
        self.wanted = self.session([])
        self.seconds = time.time() - start

    def start(self, options):
        return subprocess.Popen(self.command + options + self.world, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finish(self, process):
        try:
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
        if process.returncode != 0 or err:
            raise Failure(f"exit code {process.returncode}: {err}")
        return pairs(out)

    def session(self, options):
        return self.finish(self.start(options))

    def begin(self):
        if os.path.exists(self.journal):
            os.unlink(self.journal)

    def resume(self, *options):
        return self.session(["--journal", self.journal, *options])

    def compare(self, got):
        for word in SAME:
            if got[word] != self.wanted[word]:
                raise Failure(f"{word} {got[word]}, not {self.wanted[word]}")


def stopped(search, step):
    """Some segments at a time; none is run twice for the search, and none is lost."""
    search.begin()
    told = 0
    while True:
        got = search.resume("--stop", str(step))
        if got["told"] != told or got["cut"] or got["strange"]:
            raise Failure(f"after {told} segments: {got}")
        told += got["appended"]
        if not got["left"]:
            break
        if got["appended"] != step:
            raise Failure(f"stopped after {got['appended']} segments, not {step}")
    search.compare(got)


def struck(search, sig, times):
    """By a signal, whenever it comes."""
    search.begin()
    for _ in range(times):
        process = search.start(["--journal", search.journal])
        time.sleep(search.chance.uniform(0, search.seconds))
        process.send_signal(sig)
        out, err = process.communicate(timeout=PATIENCE)
        if err:
            raise Failure(err)
        if "strange 1" in out:
            raise Failure(out)
    search.compare(search.resume())


def judge(search):
    segments = search.wanted["segments"]
    for step in sorted({1 + segments // 6, max(1, segments - 1)}):
        stopped(search, step)
    struck(search, signal.SIGKILL, 3)
    struck(search, signal.SIGINT, 1)


def replaced(build, mpi, folder, chance):
    """The same name, another program: its first segment that is run again differs."""
    program = f"{folder}/program"
    shutil.copy(compile_for(mpi, "test/explore/computed.c", build), program)
    search = Search(build, [], "3", "infinite", [program], folder, chance)
    search.resume("--stop", "20")
    shutil.copy(compile_for(mpi, "test/explore/star.c", build), program)
    got = search.resume()
    if not got["diverged"] or got["clean"]:
        raise Failure(f"not noticed: {got}")


def broken_at(build, step, command):
    """(decisions, command that comes there again) as the search tells that breaks off at this step; None: it does not."""
    done = plainly([f"{build}/test/watched/tourney", *command], TOURNEY_BREAK=str(step))
    again = re.search(r"^tourney: to come there again: tourney (.*)$", done.err, re.M)
    if "step" not in done.err:
        return None
    if done.code != 3 or f"step {step} is broken" not in done.err or not again:
        done.fail("it does not tell of the step, or how to come there again")
    return [json.loads(line) for line in re.findall(r"^  \{.*\}$", done.err, re.M)], shlex.split(again[1])


def told_by_bug(build, mpi, folder, _):
    """A bug in the middle tells the decisions, as a finding there has them, and a command that comes there again."""
    command = ["--quiet", "-n", "3", "--buffering=infinite", "-o"]
    program = compile_for(mpi, "test/explore/by_sender.c", build)
    plainly([f"{build}/tourney", *command, f"{folder}/whole", program]).check(1, err=None)
    wanted = [{word: choice[word] for word in ("kind", "rank", "op", "source", "message")}
              for choice in result_of(f"{folder}/whole")["findings"][0]["decisions"]]
    told = []
    for step in itertools.count(1):
        output = f"{folder}/it's broken {step}"
        first = broken_at(build, step, [*command, output, program])
        if not first:
            break
        if broken_at(build, step, first[1]) != first:
            raise Failure(f"step {step}: {first[1]} leads elsewhere")
        told.append(first[0])
    if wanted not in told:
        raise Failure(f"no step tells {wanted}: {told}")


def found_by(build, folder, words):
    """What `tourney` finds, and in how many outcomes."""
    done = plainly([f"{build}/tourney", *words])
    if done.code not in (1, 2):
        done.fail("it does not come to its end")
    found = result_of(folder)
    return sorted(f["kind"] for f in found["findings"]), found["distinct"]


def gone_on(build, mpi, name, folder, _):
    """After some runs, a search that merges goes on and finds what one finds that was left alone."""
    program = compile_for(mpi, f"test/journal/{name}.c", build)
    whole = found_by(build, f"{folder}/whole", ["--quiet", "-n", "3", "-o", f"{folder}/whole", program])
    cut = f"{folder}/cut short"
    found_by(build, cut, ["--quiet", "-n", "3", "--max-runs", RESUMED[name], "-o", cut, program])
    if found_by(build, cut, ["resume", cut]) != whole:
        raise Failure(f"it is gone on with and finds something else than {whole}")


def searches():
    """(source, ranks, buffering, arguments)"""
    for name in EXPLORED:
        source = f"test/explore/{name}.c"
        for ranks, buffering, arguments, wanted in cases(source):
            if wanted["runs"] <= MANY:
                yield source, ranks, buffering, arguments
    for name in CORRECT:
        source = f"test/prog/{name}.c"
        yield source, re.search(r"run: -n (\d+)", open(source).read()).group(1), "infinite", []


def trials(build):
    """(name, what is done in a folder, by chance)"""
    for turn, (source, ranks, buffering, arguments) in enumerate(searches()):
        mpi = LIBRARIES[turn % len(LIBRARIES)]
        name = " ".join([os.path.basename(source)[:-2], "-n", ranks, buffering, *arguments, f"[{mpi}]"])
        world = ranks, buffering, [compile_for(mpi, source, build), *arguments]
        yield name, lambda *place, world=world: judge(Search(build, [], *world, *place))
        if source in BY_COSTS:
            yield f"{name} by costs", lambda *place, world=world: judge(Search(build, TURNS, *world, *place))
    for mpi in LIBRARIES:
        yield f"another program [{mpi}]", lambda *place, mpi=mpi: replaced(build, mpi, *place)
        yield f"a bug of ours [{mpi}]", lambda *place, mpi=mpi: told_by_bug(build, mpi, *place)
    for turn, name in enumerate(RESUMED):
        mpi = LIBRARIES[turn % len(LIBRARIES)]
        yield f"{name} gone on with [{mpi}]", lambda *place, mpi=mpi, name=name: gone_on(build, mpi, name, *place)


def main(build, seed):
    hear_signals()
    sources = {source: None for source, *_ in searches()} | {f"test/journal/{name}.c": None for name in RESUMED}
    do_all(lambda pair: compile_for(*pair, build), itertools.product(LIBRARIES, sources))

    def outcome(trial):
        name, function = trial
        with tempfile.TemporaryDirectory(prefix="tourney-test-") as folder:
            wrong = wrong_with(function, folder, random.Random(f"{seed} {name}"))
            return wrong and f"{wrong} (seed {seed})"

    return tell(outcome, trials(build), lambda trial: trial[0])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())))
