#!/usr/bin/python3
"""Prediction: size of the formula and time, for each encoding.

usage: predict.py [--quick] [TOURNEY]
Programs are those of Forejt et al., TOPLAS 2017, as patterns, and longer ones.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(HERE, "..", "test", "explore")
LIMIT = 60  # seconds for one answer

# name, source, ranks, arguments, buffering, whether the published encodings are asked
ROWS = [
    ("DTG", f"{TESTS}/dtg.c", 5, [], "zero", True),
    ("Gauss", f"{TESTS}/gauss.c", 8, ["8"], "zero", True),
    ("Gauss", f"{TESTS}/gauss.c", 32, ["32"], "zero", True),
    ("Heat", f"{TESTS}/heat.c", 8, [], "infinite", True),
    ("Heat", f"{TESTS}/heat.c", 64, [], "zero", True),
    ("Floyd", f"{HERE}/floyd.c", 8, ["8"], "infinite", True),
    ("Floyd", f"{HERE}/floyd.c", 16, ["16"], "infinite", True),
    ("Floyd", f"{HERE}/floyd.c", 32, ["32"], "infinite", True),
    ("Floyd", f"{HERE}/floyd.c", 64, ["64"], "infinite", False),
    ("Floyd", f"{HERE}/floyd.c", 64, ["64"], "zero", False),
    ("Diffusion2d", f"{TESTS}/diffusion.c", 4, [], "infinite", True),
    ("Diffusion2d", f"{TESTS}/diffusion.c", 16, [], "infinite", True),
    ("Diffusion2d", f"{TESTS}/diffusion.c", 64, [], "infinite", False),
    ("Integrate", f"{TESTS}/integrate.c", 8, [], "infinite", True),
    ("Integrate", f"{TESTS}/integrate.c", 16, [], "infinite", True),
    ("Integrate", f"{TESTS}/integrate.c", 64, [], "infinite", True),
    ("Star", f"{TESTS}/star.c", 64, [], "infinite", True),
    ("Rounds", f"{HERE}/rounds.c", 16, ["100"], "any", False),
    ("Rounds", f"{HERE}/rounds.c", 16, ["1000"], "any", False),
    ("Rounds", f"{HERE}/rounds.c", 16, ["2000"], "any", False),
    ("Rounds, no barrier", f"{HERE}/rounds.c", 16, ["1000", "free"], "any", False),
    ("Rounds, no barrier", f"{HERE}/rounds.c", 16, ["2000", "free"], "any", False),
]
COUNTS = re.compile(r"(\d+) sends, (\d+) receives, (\d+) pairs; (\d+) variables, (\d+) clauses, (\d+) circles; "
                    r"encoded in ([\d.]+) s, solved in ([\d.]+) s")


def ask(tourney, record, encoding, buffering):
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
    return (f"{verdict:9} {variables:>8}/{clauses:<8} {pairs:>7} pairs {circles:>4} circles "
            f"{float(encoded):7.3f} + {float(solved):7.3f} s")


def main(arguments):
    quick = "--quick" in arguments
    rest = [a for a in arguments if a != "--quick"]
    tourney = rest[0] if rest else os.path.join(HERE, "..", "build", "tourney")
    with tempfile.TemporaryDirectory() as scratch:
        for name, source, ranks, args, buffering, published in ROWS:
            if quick and ranks > 16:
                continue
            program, record = os.path.join(scratch, "program"), os.path.join(scratch, "run.tny")
            subprocess.run(["mpicc.mpich", "-O1", "-o", program, source], check=True)
            run = subprocess.run([tourney, "run", "-n", str(ranks), "-o", record, program, *args], timeout=300,
                                 capture_output=True)
            if run.returncode not in (0, 1):
                sys.exit(f"{source}: {run.stderr.decode()[:300]}")
            for encoding in ("ours", "multi", "plain") if published else ("ours",):
                answer = ask(tourney, record, encoding, buffering)
                print(f"{name:18} {ranks:3} {' '.join(args):10} {buffering:8} {encoding:5} {answer}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
