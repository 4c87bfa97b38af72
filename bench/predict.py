#!/usr/bin/python3
"""Prediction: size of the formula and time, for each encoding.

usage: predict.py [--quick] [TOURNEY]
Programs are those of [Forejt 2017], as patterns, and longer ones.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(HERE, "..", "test", "explore")
LIMIT = 20  # seconds for one answer


def sizes(name, source, ranks, arguments, bufferings, wanted):
    """A row for each number of ranks and buffering; all encodings are asked."""
    for n in ranks:
        for buffering in bufferings:
            yield name, source, n, arguments, buffering, wanted, True


# name, source, ranks, arguments, buffering, verdict, whether the published encodings are asked.  Up to Integrate
# these are the programs, sizes and verdicts of Tables I to III there, and some larger ones.
ROWS = [
    *sizes("DTG", f"{TESTS}/dtg.c", [5], [], ["zero"], "deadlock"),
    *sizes("DTG", f"{TESTS}/dtg.c", [5], [], ["infinite"], "none"),
    *sizes("Gauss", f"{TESTS}/gauss.c", [8, 16, 32, 64], ["4"], ["zero"], "none"),
    *sizes("Heat", f"{TESTS}/heat.c", [8, 16, 32, 64], [], ["zero", "infinite"], "deadlock"),
    *sizes("Floyd", f"{HERE}/floyd.c", [8, 16, 32, 64], ["8"], ["zero", "infinite"], "none"),
    *sizes("Diffusion2d", f"{TESTS}/diffusion.c", [4, 8, 16, 32], [], ["infinite"], "none"),
    *sizes("Diffusion2d", f"{TESTS}/diffusion.c", [4, 32], [], ["zero"], "deadlock"),
    *sizes("Integrate", f"{TESTS}/integrate.c", [4, 8, 10, 16, 64], [], ["infinite"], "none"),
    *sizes("Star", f"{TESTS}/star.c", [8, 64], [], ["infinite"], "none"),
    ("Gauss", f"{TESTS}/gauss.c", 64, ["64"], "any", "none", False),
    ("Floyd", f"{HERE}/floyd.c", 64, ["64"], "zero", "none", False),
    ("Floyd", f"{HERE}/floyd.c", 64, ["64"], "any", "none", False),
    ("Rounds", f"{HERE}/rounds.c", 16, ["100"], "any", "none", False),
    ("Rounds", f"{HERE}/rounds.c", 16, ["1000"], "any", "none", False),
    ("Rounds", f"{HERE}/rounds.c", 16, ["2000"], "any", "none", False),
    ("Rounds, no barrier", f"{HERE}/rounds.c", 16, ["1000", "free"], "any", "none", False),
    ("Rounds, no barrier", f"{HERE}/rounds.c", 16, ["2000", "free"], "any", "none", False),
]
COUNTS = re.compile(r"(\d+) sends, (\d+) receives, (\d+) pairs; (\d+) variables, (\d+) clauses, (\d+) circles; "
                    r"encoded in ([\d.]+) s, solved in ([\d.]+) s")


def ask(tourney, record, encoding, buffering, wanted):
    try:
        run = subprocess.run([tourney, "predict", record, f"--encoding={encoding}", f"--buffering={buffering}"],
                             capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return f"not in {LIMIT} s"
    found = COUNTS.search(run.stdout)
    if not found:
        return "no answer: " + (run.stdout + run.stderr).strip()[:60]
    sends, receives, pairs, variables, clauses, circles, encoded, solved = found.groups()
    verdict = {0: "none", 1: "deadlock", 2: "unknown"}.get(run.returncode, "?")
    if verdict != wanted:
        verdict += ", WRONG"
    return (f"{verdict:9} {variables:>8}/{clauses:<8} {pairs:>7} pairs {circles:>4} circles "
            f"{float(encoded):7.3f} + {float(solved):7.3f} s")


def main(arguments):
    quick = "--quick" in arguments
    rest = [a for a in arguments if a != "--quick"]
    tourney = rest[0] if rest else os.path.join(HERE, "..", "build", "tourney")
    late = set()  # programs that an encoding has no answer for, and will not have for more ranks
    with tempfile.TemporaryDirectory() as scratch:
        for name, source, ranks, args, buffering, wanted, published in ROWS:
            if quick and ranks > 16:
                continue
            program, record = os.path.join(scratch, "program"), os.path.join(scratch, "run.tny")
            subprocess.run(["mpicc.mpich", "-O1", "-o", program, source], check=True)
            run = subprocess.run([tourney, "run", "-n", str(ranks), "-o", record, program, *args], timeout=300,
                                 capture_output=True)
            if run.returncode not in (0, 1):
                sys.exit(f"{source}: {run.stderr.decode()[:300]}")
            for encoding in ("ours", "multi", "plain") if published else ("ours",):
                if (name, buffering, encoding) in late:
                    continue
                answer = ask(tourney, record, encoding, buffering, wanted)
                if answer.startswith("not in"):
                    late.add((name, buffering, encoding))
                print(f"{name:18} {ranks:3} {' '.join(args):10} {buffering:8} {encoding:5} {answer}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
