#!/usr/bin/python3
"""Searches with --engine=paths: ranks are followed, and histories that differ in nothing that counts are one.

A line ` * paths: -n RANKS -- ARGUMENTS: runs N stood N segments N finds KIND` in the head of a program in test/paths says what must come
out: the runs that are played, those that they stand for, what was run for it, and what is found, if anything
is; of words that are left out nothing is said, but where nothing is found the verdict has to be clean.  Then programs whose control flow depends in
devious ways on which message came, and the same ones where it does not, are searched with and without.  MPI libraries take turns, line by
line; all have a program that is named.
usage: paths.py BUILD_DIR [NAME...]
"""
import glob
import os
import re
import shutil
import sys
import tempfile

from lib.building import LIBRARIES, compiled
from lib.running import plainly, result_of
from lib.suite import do_all, tell

WAYS = re.findall(r'\{"(\w+)", by_', open("test/paths/devious.c").read()) + "source tag count probe rank reduction".split()


def program_of(build, mpi, name):
    os.makedirs(f"{build}/test/paths", exist_ok=True)
    return compiled(mpi, f"test/paths/{name}.c", f"{build}/test/paths/{name}.{mpi}", "-g", "-O1", "-lm")


def searched(build, program, ranks, arguments, *options):
    """What came out: the run, and its result."""
    out = tempfile.mkdtemp(prefix="out-", dir=f"{build}/test/paths")
    run = plainly([f"{build}/tourney", "-n", str(ranks), "--quiet", *options, "-o", f"{out}/out", program, *arguments])
    result = result_of(f"{out}/out")
    shutil.rmtree(out)
    return run, result


def kinds(result):
    return sorted({finding["kind"] for finding in result["findings"]})


def counted(build, mpi, source, ranks, arguments, wanted):
    """What is wrong with what a line says, or None."""
    words = dict(zip(wanted[::2], wanted[1::2]))
    run, result = searched(build, program_of(build, mpi, source), ranks, arguments, "--engine=paths")
    got = {"runs": result["runs"], "stood": result["runs"] + result["merged"], "segments": result["segments"],
           "finds": ",".join(kinds(result)) or "nothing"}
    for word, value in {"finds": "nothing", **words}.items():
        if str(got[word]) != value:
            return f"{word} {got[word]}, not {value}\n{run}"
    if ("finds" in words) != (run.code == 1) or run.code > 1:
        return f"exit code {run.code}\n{run}"
    return None


def likewise(build, mpi, way, *unused):
    """Whoever follows ranks finds the same as who does not."""
    program = program_of(build, mpi, "devious")
    alone, wanted = searched(build, program, 3, [way, *unused], "--engine=explore", "--no-merge")
    run, result = searched(build, program, 3, [way, *unused], "--engine=paths")
    if (run.code, kinds(result)) != (alone.code, [kind for kind in kinds(wanted) if kind != "message-race"]):
        return f"{kinds(result)}, not {kinds(wanted)}\n{alone}\n{run}"
    if result["runs"] + result["merged"] < wanted["runs"]:
        return f"{result['runs']} runs and {result['merged']} merged ones are fewer than {wanted['runs']}\n{run}"
    if not unused and run.code != 1:
        return f"nothing is wrong\n{run}"
    return None


def lines(source):
    for line in re.findall(r"^ \* paths: .*$", open(source).read(), re.M):
        case = re.fullmatch(r" \* paths: -n (\d+)(?: -- ([^:]+))?:((?: \w+ [\w,]+)+)", line)
        if not case:
            sys.exit(f"{source}: cannot read:{line[2:]}")
        yield int(case[1]), (case[2] or "").split(), case[3].split()


def all_cases(names):
    for source in sorted(glob.glob("test/paths/*.c")):
        name = os.path.basename(source)[:-2]
        for turn, line in enumerate(lines(source)):
            for mpi in LIBRARIES:
                if name in names or not names and mpi == LIBRARIES[turn % len(LIBRARIES)]:
                    yield counted, (mpi, name, *line)
    for way in WAYS:
        if not names or way in names:
            mpi = LIBRARIES[WAYS.index(way) % len(LIBRARIES)]
            yield likewise, (mpi, way)
            yield likewise, (mpi, way, "unused")


def label(case):
    function, (mpi, *rest) = case
    words = [str(word) for word in (rest[:1] + rest[1:2] + rest[2] if function is counted else rest)]
    return f"{' '.join(words)} [{mpi}]"


def main(build, *names):
    sources = [os.path.basename(source)[:-2] for source in glob.glob("test/paths/*.c")]
    do_all(lambda both: program_of(build, *both), [(mpi, name) for mpi in LIBRARIES for name in sources])
    return tell(lambda case: case[0](build, *case[1]), list(all_cases(names)), label)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
