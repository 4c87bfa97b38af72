#!/usr/bin/python3
"""Explores the programs in test/explore and compares the number of runs.

A line ` * explore: -n RANKS BUFFERING: WORD NUMBER ...` in a program's head says
what build/test/explore/runs must print; words that it does
not name must be 0, except those that tell the cost.  A program with arguments has
them after the buffering: `-n 3 zero -- 4 x: runs ...`.  `mixed` says how many of the cuts are
warnings only.  ` * mpi: NAME ...` names the libraries that can compile it.  A line ` * merged: ...` says the same of a search in which states are merged; the number of segments,
which are pieces of ranks that had to be run, is what that saves.  Every second of the others once more in the order of costs (deepening.c).
MPI libraries take turns: runs are counted on one, and on the other the command itself searches; where states are merged, which are
the library's as well, they are counted on all.  Then correct programs of
test/prog, compiled as test/run.py does: some of their runs, and no complaint.  With --all, all of this on all libraries.
usage: explore.py BUILD_DIR [--all]
"""
import glob
import itertools
import os
import re
import sys
import tempfile

import run as prog
from lib.building import LIBRARIES, compiled
from lib.running import plainly, result_of
from lib.suite import do_all, tell

FREE = ("segments", "copies", "starts", "again", "merged", "stood")
DEEPENED_AFTER = ("1", "3000")  # segments until the search goes by costs
CHANCES = 200  # runs within which a rare deadlock is found

CORRECT = """allgather alltoall bcast buffer cancel cart comm_attr comm_create comm_dup comm_free
    comm_split completion gather graph group icoll icoll_mixed intercomm intercomm_coll
    large_count master_worker mprobe neighbor_cart neighbor_graph order pack persistent
    poll_round polling probe proc_null reduce reduce_scatter request_free self send_modes
    sendrecv status tags truncate type_array type_derived type_free user_op wildcard""".split()


def compile_for(mpi, source, build):
    if os.path.dirname(source) == "test/prog":
        program = prog.Program(os.path.abspath(source))
        prog.build(program, mpi)
        return program.binary(mpi)
    return compiled(mpi, source, f"{build}/test/explore/{os.path.basename(source)[:-2]}.{mpi}", "-g", "-O1")


def cases(source):
    """(ranks, buffering, arguments, wanted) for each of its lines about a search that merges nothing."""
    return (case for merge, *case in all_cases(source) if not merge)


def all_cases(source):
    """(merge, ranks, buffering, arguments, wanted) for each of its lines."""
    for line in re.findall(r"^ \* (?:explore|merged): .*$", open(source).read(), re.M):
        case = re.fullmatch(r" \* (explore|merged): -n (\d+) (\w+)( -- [^:]+)?:((?: \w+ \d+)+)", line)
        if not case:
            sys.exit(f"{source}: cannot read:{line[2:]}")
        yield case[1] == "merged", case[2], case[3], (case[4] or "").split()[1:], pairs(case[5])


def libraries_of(source):
    """Those that can compile it: ` * mpi: NAME ...` in its head, or all."""
    named = re.search(r"^ \* mpi: (.*)$", open(source).read(), re.M)
    return named[1].split() if named else LIBRARIES


def pairs(text):
    words = text.split()
    return {word: int(number) if number.isdigit() else number for word, number in zip(words[::2], words[1::2])}  # some are inf


def judge(wanted, got):
    """What is wrong, or None."""
    for word, number in got.items():
        if word in wanted or word not in FREE:
            if number != wanted.get(word, 0):
                return f"{word} {number}, not {wanted.get(word, 0)}"
    return None


def counted(build, merge, ranks, buffering, program, wanted, *options):
    """What is wrong with the number of runs, or None."""
    run = plainly([f"{build}/test/explore/runs", "--merge", str(int(merge)), *options, ranks, buffering, *program])
    if run.code != 0:
        return run.err
    wrong = judge(wanted, pairs(run.out)) if run.out else "printed nothing"
    return wrong and f"{wrong}\n{run.said()}"


def verify(build, *words):
    with tempfile.TemporaryDirectory(prefix="out-", dir=f"{build}/test/explore") as work:
        return plainly([f"{build}/tourney", "--quiet", "-o", f"{work}/out", *words])


def verdict(build, ranks, buffering, program, wanted):
    """The command, which merges what is the same, must say the same by its exit code."""
    run = verify(build, "-n", ranks, f"--buffering={buffering}", *program)
    clean = wanted["runs"] == wanted.get("clean", 0) and wanted.get("cuts", 0) == wanted.get("mixed", 0)
    code = 3 if wanted.get("refused") else 1 if not clean else 2 if wanted.get("left") else 0
    played = re.search(r"buffering: (\d+) run", run.out)
    if run.code != code or not played or int(played[1]) > wanted["runs"] or run.err:
        return f"tourney exits with {run.code}, not {code}:\n{run.said()}"
    return None


def small(wanted):
    """Whether it can be counted again, and there is something to count."""
    return 1 < wanted["runs"] <= 30


def counted_by_costs(after, *case):
    """The order in which runs are visited, whenever it changes, is none of their number's business."""
    return counted(*case, "--deepen-after", after)


def by_chance(build, mpi):
    """A deadlock far from the first run of a ring of sixteen is found between what is tried in order, and can be replayed."""
    program = compile_for(mpi, "test/explore/rare_ring.c", build)
    with tempfile.TemporaryDirectory(prefix="out-", dir=f"{build}/test/explore") as work:
        run = plainly([f"{build}/tourney", "--quiet", "-o", f"{work}/out", "-n", "16", "--max-runs", str(CHANCES),
                       "--stop-first", program, "3"])
        found = [(finding["kind"], finding["run"]) for finding in result_of(f"{work}/out")["findings"]]
        again = plainly([f"{build}/tourney", "replay", f"{work}/out", "1"])
    if run.code != 1 or run.err or [kind for kind, _ in found] != ["deadlock"]:
        return f"found {found}\n{run.said()}"
    return None if "reproduced" in again.out + again.err else again.said()


def complaint(build, mpi, name):
    """What tourney has to say against a correct program."""
    source = f"test/prog/{name}.c"
    ranks = re.search(r"run: -n (\d+)", open(source).read()).group(1)
    run = verify(build, "-n", ranks, "--buffering=infinite", "--max-runs", "20", "--time", "1",
                 compile_for(mpi, source, build))
    return None if run.code in (0, 2) and not run.err else run.said()


def in_turn(libraries, turn, everywhere):
    """The library whose turn it is, in a list, or all."""
    return libraries if everywhere else [libraries[turn % len(libraries)]]


def tests(build, everywhere):
    """(name, function that tells what is wrong) of all."""
    for turn, name in enumerate(CORRECT):
        for mpi in in_turn(LIBRARIES, turn, everywhere):
            yield f"{name} [{mpi}]", lambda mpi=mpi, name=name: complaint(build, mpi, name)
    sources = [source for source in sorted(glob.glob("test/explore/*.c")) if list(all_cases(source))]
    do_all(lambda pair: compile_for(*pair, build), [(mpi, source) for source in sources for mpi in libraries_of(source)])
    searches = [(source, *case) for source in sources for case in all_cases(source)]
    by_costs = itertools.count()
    for turn, (source, merge, ranks, buffering, arguments, wanted) in enumerate(searches):
        libraries = libraries_of(source)
        for mpi in libraries:
            case = (ranks, buffering, [compile_for(mpi, source, build), *arguments], wanted)
            name = " ".join([os.path.basename(source)[:-2], *["merged"][:merge], "-n", ranks, buffering, *arguments,
                             f"[{mpi}]"])
            if merge or mpi in in_turn(libraries, turn, everywhere):
                yield name, lambda case=case, merge=merge: counted(build, merge, *case)
            if mpi in in_turn(libraries, turn + 1, everywhere):
                yield f"{name} by the command", lambda case=case: verdict(build, *case)
            number = next(by_costs) if mpi == "mpich" and not merge and small(wanted) else None
            if number is not None and (everywhere or number % 2 == 0):
                after = DEEPENED_AFTER[number // 2 % len(DEEPENED_AFTER)]
                yield f"{name} by costs", lambda case=case, after=after: counted_by_costs(after, build, False, *case)
    yield "rare_ring -n 16 3 by chance [mpich]", lambda: by_chance(build, "mpich")


def main(build, *words):
    return tell(lambda test: test[1](), tests(build, "--all" in words), lambda test: test[0])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
