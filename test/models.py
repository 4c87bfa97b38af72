#!/usr/bin/python3
"""Models of programs, and those who judge them.

SPIN: for programs of test/explore, `tourney model --emit=promela --no-fold` is translated
and compiled; every way in which SPIN sees it end must be one that tourney saw, and the other
way round.  Models of spec/ that were written by hand say in their head what SPIN must find.
`--check`: without any reduction the search must see what it saw of the program.
TLA+: if spec/node_modules is there (make check-spec), the instances of spec/, and models.
usage: models.py BUILD_DIR [NAME...]
"""
import glob
import json
import os
import re
import shutil
import sys
import tempfile

from explore import compile_for
from lib.running import plainly
from lib.suite import Count, wrong_with

# Program, ranks, buffering, arguments.
CASES = """
    bcast 3 any
    by_sender 3 infinite
    cancel_race 2 any
    cancel_send 2 any standard late
    cancel_send 2 infinite standard
    collective_order 2 zero
    crooked 3 zero
    dining 4 any
    done_any 2 any
    done_any 2 zero some
    dtg 5 any
    head_to_head 2 any
    intercomm 3 infinite
    issend_posted 2 zero
    mixed 4 any
    mrecv_late 2 any standard
    mrecv_late 2 zero cancelled
    named_first 3 zero
    overtake 2 any
    probe 3 zero
    slack 3 any
    ssend_back 4 any
    test_no 2 infinite
    waitany 3 infinite
    waitsome 3 zero
    when_accessed 2 infinite"""
# For tourney model --check: program, ranks, its exit code, states without and with reduction.
CHECKED = """
    fig10/trap 2 1 82 1
    fig10/scenario4 2 0 65 1
    explore/by_sender 3 1 100 5
    explore/dining 4 1 5750 9
    explore/done_any 2 0 93 4
    explore/freed_recv 3 0 1014 4
    explore/mrecv_late 2 1 5 1
    explore/probe 3 1 148 8
    explore/slack_barrier 3 1 323 3
    explore/waitsome 3 0 104 4"""

# What a checker of TLA+ must find in the model: program, ranks, buffering, arguments.
IN_TLA = """
    deadlock by_sender 3 infinite
    deadlock overtake 2 zero
    nothing overtake 2 infinite
    deadlock test_no 2 infinite
    fault collective_order 2 zero
    fault crooked 3 zero
    deadlock mrecv_late 2 infinite late
    nothing mrecv_late 2 zero at_once
    nothing done_any 2 infinite
    nothing when_accessed 2 infinite"""


def searched(text, folder, define=()):
    """What SPIN prints when it has searched a model."""
    with open(f"{folder}/model.pml", "w", encoding="utf-8") as file:
        file.write(text)
    done = plainly(["spin", "-a", *define, "model.pml"], cwd=folder)
    if done.code or "Error" in done.out:
        sys.exit(f"spin: {done.said()}")
    done = plainly(["gcc", "-O0", "-w", "-DSAFETY", "-DVECTORSZ=8192", "-DMEMLIM=1000", "-o", "pan", "pan.c"], cwd=folder)
    if done.code:
        sys.exit(f"gcc: {done.err}")
    return plainly(["./pan", *(["-E", "-A"] if "-DTELL" in define else []), "-m100000", "-w18"], cwd=folder).out


def outcomes(printed):
    """The outcomes SPIN told, as tourney calls them; None: it did not come to an end."""
    if "errors: 0" not in printed or "max search depth too small" in printed:
        return None
    return set(re.findall(r"^outcome: (.*)$", printed, re.M))


def judged(build, folder, name, ranks, buffering, arguments):
    """What is wrong, or None."""
    program = compile_for("mpich", f"test/explore/{name}.c", build)
    command = [f"{build}/tourney", "model", "-n", ranks, f"--buffering={buffering}", "--no-fold"]
    model = plainly([*command, "--emit=json", program, *arguments])
    promela = plainly([*command, "--emit=promela", program, *arguments])
    if model.code or promela.code:
        return model.err + promela.err
    ours = {outcome["spin"] for outcome in json.loads(model.out)["outcomes"]}
    theirs = outcomes(searched(promela.out, folder, ("-DTELL",)))
    if ours != theirs:
        return f"tourney alone sees {sorted(ours - (theirs or set()))}, SPIN alone {sorted((theirs or set()) - ours)}"
    return None


def by_hand(path, folder):
    """A model of spec/ says in its head what SPIN must find."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    wanted = re.search(r"^ \* spin: (\d+) outcomes?, (no deadlock|deadlock)", text, re.M)
    for other in glob.glob("spec/*.pml"):
        shutil.copy(other, folder)
    told = outcomes(searched(text, folder, ("-DTELL",)))
    found = "pan:1: invalid end state" in searched(text, folder)
    if told is None or len(told) != int(wanted[1]):
        return f"SPIN sees {told and sorted(told)}"
    return None if found == (wanted[2] == "deadlock") else f"SPIN {'finds' if found else 'misses'} a deadlock"


def compiled(build, name):
    folder, program = name.split("/")
    os.makedirs(f"{build}/test/explore", exist_ok=True)
    return compile_for("mpich", f"test/{folder}/{program}.c", build)


def checked(build, name, ranks, code, without, reduced):
    """What is wrong with the search of a model, or None."""
    done = plainly([f"{build}/tourney", "model", "-n", ranks, compiled(build, name), "--check"])
    states = re.findall(r"^with(?:out)? reduction +(\d+) states .* s$", done.out, re.M)
    if done.code != int(code) or states != [without, reduced]:
        return f"exit code {done.code}: {done.said()}"
    return None


def in_tla(build, folder, wanted, name, ranks, buffering, *arguments):
    program = compiled(build, f"explore/{name}")
    plainly([f"{build}/tourney", "model", "-n", ranks, f"--buffering={buffering}", "--emit=tla", "-o", f"{folder}/Model.tla",
         program, *arguments])
    done = plainly(["node", "spec/check.mjs", f"{folder}/Model.tla"])
    return None if done.out.startswith(f"ok Model.tla: {wanted},") else done.said()


def says(command, code, *words):
    """What is wrong with what tourney says, or None."""
    done = plainly(command)
    said = done.said()
    return None if done.code == code and all(word in said for word in words) else f"{done.code}: {said}"


def commands(build):
    """Languages, and what cannot be."""
    tourney, star = f"{build}/tourney", compiled(build, "explore/star")
    freed, python = compiled(build, "explore/freed_recv"), ['/usr/bin/python3', "test/prog/py_messages.py"]
    yield "emit=dot", [tourney, "model", "-n", "3", star, "--emit=dot"], 0, "digraph", "MPI_Recv(source=any, tag=0)"
    yield "emit=json", [tourney, "model", "-n", "3", "--emit=json", star], 0, '"complete": true'
    yield "python", [tourney, "model", "-n", "2", *python], 0, "a model of 2 ranks"
    yield "stopped early", [tourney, "model", "-n", "5", "--no-fold", "--max-runs", "2", star], 2, "cut short"
    yield "bad language", [tourney, "model", "-n", "2", star, "--emit=cobol"], 3, "--emit is promela, tla, dot or json"
    yield "freed", [tourney, "model", "-n", "3", freed, "--emit=promela"], 3, "frees the request of a receive"
    yield "window", [tourney, "model", "-n", "3", compiled(build, "explore/contenders"), "--emit=promela"], 3, "models do not know one-sided"
    yield "window-scenario", [tourney, "model", "examples/scenarios/rma-tickets.scn"], 3, "models do not know one-sided"
    yield "no program", [tourney, "model", "-n", "3"], 3, "model needs -n N and a program"
    yield "others' options", [tourney, "model", "-n", "3", "--sarif", "x", star], 3, "model takes --emit"
    yield "both", [tourney, "model", "-n", "3", star, "--emit=dot", "--check"], 3, "--emit needs -o FILE"
    yield "for model only", [tourney, "-n", "2", "--check", star], 3, "are for tourney model"


def main(build, names):
    tests = []
    for name, command, code, *words in commands(build):
        tests.append((name, lambda folder, c=command, e=code, w=words: says(c, e, *w)))
    for line in CHECKED.split("\n")[1:]:
        tests.append((line.strip(), lambda folder, words=line.split(): checked(build, *words)))
    if os.path.exists("spec/node_modules/tla-checker") and shutil.which("node"):
        for path in sorted(glob.glob("spec/*.cfg")):
            module = path.replace(".cfg", ".tla")
            tests.append((module, lambda folder, m=module: says(["node", "spec/check.mjs", m], 0, "1 passed, 0 failed")))
        for line in IN_TLA.split("\n")[1:]:
            tests.append((f"TLA+:{line[3:]}", lambda folder, words=line.split(): in_tla(build, folder, *words)))
    for line in CASES.split("\n")[1:]:
        name, ranks, buffering, *arguments = line.split()
        tests.append((line.strip(), lambda folder, n=name, r=ranks, b=buffering, a=arguments: judged(build, folder, n, r, b, a)))
    for path in sorted(glob.glob("spec/*.pml")):
        if os.path.basename(path) != "mpi.pml":
            tests.append((path, lambda folder, p=path: by_hand(p, folder)))
    count = Count()
    for label, test in tests:
        if names and label.split()[0] not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            count.add(label, wrong_with(test, folder))
    return count.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
