#!/usr/bin/python3
"""SPIN judges the search: models of programs, searched by SPIN with its own rules.

For programs of test/explore, `tourney model --emit=promela --no-fold` is translated and
compiled; every way in which SPIN sees it end must be one that tourney saw, and the other
way round.  Then the models of spec/ that were written by hand, and models that cannot be.
usage: spin.py BUILD_DIR [NAME...]
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from explore import compile_for

# Program, ranks, buffering, arguments.
CASES = """
    bcast 3 any
    by_sender 3 infinite
    collective_order 2 zero
    crooked 3 zero
    dining 4 any
    dtg 5 any
    head_to_head 2 any
    intercomm 3 infinite
    issend_posted 2 zero
    mixed 4 any
    named_first 3 zero
    overtake 2 any
    probe 3 zero
    slack 3 any
    ssend_back 4 any
    test_no 2 infinite
    waitany 3 infinite
    waitsome 3 zero
    when_accessed 2 infinite"""
TIMEOUT = 120


def run(command, **more):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, **more)


def searched(text, folder, define=()):
    """What SPIN prints when it has searched a model."""
    with open(f"{folder}/model.pml", "w", encoding="utf-8") as file:
        file.write(text)
    done = run(["spin", "-a", *define, "model.pml"], cwd=folder)
    if done.returncode or "Error" in done.stdout:
        sys.exit(f"spin: {done.stdout}{done.stderr}")
    done = run(["gcc", "-O0", "-w", "-DSAFETY", "-DVECTORSZ=8192", "-DMEMLIM=1000", "-o", "pan", "pan.c"], cwd=folder)
    if done.returncode:
        sys.exit(f"gcc: {done.stderr}")
    return run(["./pan", *(["-E", "-A"] if "-DTELL" in define else []), "-m100000", "-w18"], cwd=folder).stdout


def outcomes(printed):
    """The outcomes SPIN told, as tourney calls them; None: it did not come to an end."""
    if "errors: 0" not in printed or "max search depth too small" in printed:
        return None
    return set(re.findall(r"^outcome: \d+ (.*)$", printed, re.M))


def judged(build, folder, name, ranks, buffering, arguments):
    """What is wrong, or None."""
    program = compile_for("mpich", f"test/explore/{name}.c", build)
    command = [f"{build}/tourney", "model", "-n", ranks, f"--buffering={buffering}", "--no-fold"]
    model = run([*command, "--emit=json", program, *arguments])
    promela = run([*command, "--emit=promela", program, *arguments])
    if model.returncode or promela.returncode:
        return model.stderr + promela.stderr
    ours = {outcome["spin"] for outcome in json.loads(model.stdout)["outcomes"]}
    theirs = outcomes(searched(promela.stdout, folder, ("-DTELL",)))
    if ours != theirs:
        return f"tourney alone sees {sorted(ours - (theirs or set()))}, SPIN alone {sorted((theirs or set()) - ours)}"
    return None


def by_hand(path, folder):
    """A model of spec/ says in its head what SPIN must find."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    wanted = re.search(r"^ \* spin: (\d+) outcomes?, (no deadlock|deadlock)", text, re.M)
    shutil.copy("spec/mpi.pml", folder)
    told = outcomes(searched(text, folder, ("-DTELL",)))
    found = "invalid end state" in searched(text, folder)
    if told is None or len(told) != int(wanted[1]):
        return f"SPIN sees {told and sorted(told)}"
    return None if found == (wanted[2] == "deadlock") else f"SPIN {'finds' if found else 'misses'} a deadlock"


def main(build, names):
    tests = []
    for line in CASES.split("\n")[1:]:
        name, ranks, buffering, *arguments = line.split()
        tests.append((line.strip(), lambda folder, n=name, r=ranks, b=buffering, a=arguments: judged(build, folder, n, r, b, a)))
    for path in sorted(glob.glob("spec/*.pml")):
        if os.path.basename(path) != "mpi.pml":
            tests.append((path, lambda folder, p=path: by_hand(p, folder)))
    passed = failed = 0
    for label, test in tests:
        if names and label.split()[0] not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                wrong = test(folder)
            except subprocess.TimeoutExpired:
                wrong = f"no end after {TIMEOUT} s"
        passed += wrong is None
        failed += wrong is not None
        print(f"FAILED {label}: {wrong}" if wrong is not None else f"ok {label}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
