#!/usr/bin/python3
"""Merging loses nothing: random programs, searched with and without it, have the same findings.

The program is test/merge/states.c, whose states are in memory, on other stacks and with the kernel; its argument, a
seed, makes another program of it.  `make check` tries a few; by hand, for instance:

    test/merge_judge.py build 300 1000

usage: merge_judge.py BUILD_DIR [PROGRAMS [FIRST_SEED]]
"""
import json
import os
import shutil
import subprocess
import sys

SOURCE = "test/merge/states.c"
RANKS = 4
TIMEOUT = 180


def compiled(build, mpi):
    target = f"{build}/test/merge/states.{mpi}"
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(SOURCE):
        subprocess.run([f"mpicc.{mpi}", "-g", "-w", SOURCE, "-o", target], check=True)
    return target


def searched(build, program, seed, *options):
    """What is found, kinds and places, and the number of runs."""
    out = f"{build}/test/merge/out"
    shutil.rmtree(out, ignore_errors=True)
    run = subprocess.run([f"{build}/tourney", "-n", str(RANKS), "--quiet", *options, "-o", out, program, str(seed)],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
    with open(f"{out}/result.json", encoding="utf-8") as file:
        result = json.load(file)
    places = {(finding["kind"], finding["severity"], tuple(sorted({place.get("line", 0) for place in finding["places"]})))
              for finding in result["findings"]}
    return places, run.returncode, result["runs"]


def main(build, programs=12, first=1):
    differences = merged = wrong = 0
    for seed in range(int(first), int(first) + int(programs)):
        mpi = "openmpi" if seed % 4 == 0 else "mpich"
        program = compiled(build, mpi)
        alone, code, runs = searched(build, program, seed, "--no-merge")
        together, merged_code, fewer = searched(build, program, seed)
        merged += fewer < runs
        wrong += bool(alone)
        if (alone, code) != (together, merged_code):
            differences += 1
            print(f"FAILED seed {seed} [{mpi}]: {alone}, {code} without merging, {together}, {merged_code} with it")
    print(f"{programs} programs, {wrong} of them wrong, {merged} with fewer runs by merging, {differences} differences")
    print(f"{int(programs) - differences} passed, {differences} failed")
    return differences != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
