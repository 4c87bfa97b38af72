#!/usr/bin/python3
"""Prediction of programs: what is predicted comes about, and the search stays what it was.

usage: predict.py BUILD_DIR [WORD]      only tests whose name holds WORD
"""
import os
import re
import sys
import tempfile

from lib import Failure
from lib.building import LIBRARIES, ROOT, compiled
from lib.running import plainly, result_of
from lib.suite import Cases, Count

CASES = Cases()
test = CASES.test
PATIENCE = 300  # seconds


class Bench:
    def __init__(self, build, where):
        self.tourney_path = os.path.abspath(os.path.join(build, "tourney"))
        self.where = where

    def path(self, name):
        return os.path.join(self.where, name)

    def program(self, name, folder="predict", mpi="mpich"):
        return compiled(mpi, os.path.join(ROOT, "test", folder, name + ".c"), self.path(f"{name}.{mpi}"), "-g", "-O1")

    def tourney(self, code, *arguments):
        """What it says, if it ends with this exit code."""
        return self.run(*arguments).check(code, err=None).out

    def run(self, *arguments):
        return plainly([self.tourney_path, *arguments], PATIENCE, self.where)

    def record(self, program, ranks, *arguments):
        path = self.path("run.tny")
        self.tourney(0, "run", "-n", str(ranks), "-o", path, program, *arguments)
        return path

    def result(self, directory):
        return result_of(self.path(directory))


def says(text, pattern):
    if not re.search(pattern, text, re.M):
        raise Failure(f"no line like\n  {pattern}\nin\n{text}")


# ---- what is not known ----


@test
def windows_are_not_known(bench):
    """Nothing is predicted from a run with windows, and the verdict says so; a record of one is refused."""
    program = bench.program("contenders", "explore")
    said = bench.run("predict", "-n", "2", "--quiet", "-o", "window.out", program).check(2, err=None).said()
    says(" ".join(said.split()), "prediction does not know one-sided communication, so nothing is predicted from it")
    if not any("one-sided communication" in bound for bound in bench.result("window.out")["bounds"]):
        raise Failure(f"no bound says so: {bench.result('window.out')['bounds']}")
    says(bench.run("predict", bench.record(program, 2)).check(3, err=None).err,
         r"run\.tny: it has one-sided communication, which prediction does not know$")


# ---- what is predicted comes about ----


@test
def deadlock_that_is_shown(bench):
    """DTG: two sends must not be buffered, and a wildcard must take the other message."""
    for mpi in LIBRARIES:
        out = bench.tourney(1, "predict", "-n", "5", "--quiet", "-o", "dtg.out", bench.program("dtg", "explore", mpi))
        says(out, "^tourney: deadlock if MPI buffers less: 3 of 5 ranks can never continue$")
        says(out, "^tourney: any buffering: 1 run; it ended well; the deadlock that was predicted from it came about$")
        finding, = bench.result("dtg.out")["findings"]
        if (finding["kind"], finding["run"], len(finding["unbuffered"])) != ("buffering-deadlock", 0, 2):
            raise Failure(f"another finding: {finding}")
        says(bench.tourney(0, "replay", "dtg.out", "1"), "^tourney: finding 1 was reproduced: buffering-deadlock$")
        bench.tourney(0, "report", "dtg.out")


@test
def deadlock_with_all_slack(bench):
    out = bench.tourney(1, "predict", "-n", "8", "--quiet", "-o", "heat.out", bench.program("heat", "explore"))
    says(out, "^tourney: deadlock: 8 of 8 ranks can never continue$")
    kinds = [finding["kind"] for finding in bench.result("heat.out")["findings"]]
    says(bench.tourney(0, "replay", "heat.out", str(1 + kinds.index("deadlock"))), "was reproduced: deadlock$")


@test
def deadlock_with_each_kind_of_buffering(bench):
    dtg = bench.program("dtg", "explore")
    bench.tourney(1, "predict", "-n", "5", "--quiet", "--buffering=zero", dtg)
    says(bench.tourney(2, "predict", "-n", "5", "--quiet", "--buffering=infinite", dtg),
         "^tourney: infinite buffering: 1 run; it ended well; no run with the same control flow deadlocks; runs with "
         "another one, and other defects of those with this one, were not looked for$")


@test
def control_flow_that_was_left(bench):
    program = bench.program("multi_path")
    with open(os.path.join(ROOT, "test", "predict", "multi_path.c")) as file:
        line = 1 + next(i for i, text in enumerate(file) if "NEXT" in text)
    for options in (["predict", "-n", "3"], ["-n", "3", "--assume", "single-path"], ["-n", "3", "--engine=predict"]):
        out = bench.tourney(2, *options, "--quiet", "-o", "multi.out", program)
        says(out, "; a deadlock is predicted for this control flow, but the program is multi-path: operation \\d+ of "
             f"rank 0 was MPI_Recv\\(source=2, .*\\) at multi_path.c:{line} in main, and is MPI_Recv\\(source=1, .*\\) at "
             f"multi_path.c:{line} in main in the run that was to show it$")
        if bench.result("multi.out")["findings"]:
            raise Failure("it is reported as a deadlock")
    says(bench.tourney(0, "-n", "3", "--quiet", program), "^tourney: any buffering: 1 run, which stands for 2; it ended well$")


@test
def single_path_assumed(bench):
    out = bench.tourney(0, "-n", "6", "--assume", "single-path", "--quiet", "-o", "star.out",
                        bench.program("star", "explore"))
    says(out, "^tourney: any buffering: 1 run; it ended well; no run with the same control flow deadlocks; all runs are "
         "assumed to have it, and other defects were looked for in this one only$")
    result = bench.result("star.out")
    if result["verdict"] != "clean" or len(result["bounds"]) != 1:
        raise Failure(f"{result['verdict']}, {result['bounds']}")
    bench.tourney(1, "-n", "5", "--assume", "single-path", "--quiet", bench.program("dtg", "explore"))
    says(bench.tourney(2, "-n", "2", "--assume", "single-path", "--quiet", bench.program("test_no", "explore")),
         "; what its polls, probes, waits for any and cancels returned is part of that, and could be otherwise in other")


# ---- beside the search ----


@test
def found_from_the_first_run(bench):
    """Long before the search would come to it; and known as one of its own when it does."""
    last = bench.program("last")
    out = bench.tourney(1, "-n", "8", "--max-runs", "2", "--quiet", "-o", "last.out", last)
    says(out, "^tourney: deadlock: 1 of 8 ranks can never continue$")
    bench.tourney(2, "-n", "8", "--max-runs", "2", "--engine=explore", "--no-merge", "--quiet", last)
    says(bench.tourney(0, "replay", "last.out", "1"), "was reproduced: deadlock$")
    bench.tourney(1, "-n", "8", "--stop-first", "--quiet", "-o", "first.out", last)
    if bench.result("first.out")["runs"] != 2:
        raise Failure("it went on")
    bench.tourney(1, "-n", "5", "--quiet", "-o", "whole.out", last)
    finding, = bench.result("whole.out")["findings"]
    if not finding["run"] or finding["critical"] < 0 or not finding["clean"]:
        raise Failure(f"not known as one of the search: {finding}")


@test
def resumed(bench):
    """A search that goes on asks the same and comes to the same."""
    last = bench.program("last")
    bench.tourney(1, "-n", "5", "--no-merge", "--quiet", "-o", "whole.out", last)
    bench.tourney(1, "-n", "5", "--no-merge", "--max-runs", "3", "--quiet", "-o", "part.out", last)
    bench.tourney(1, "resume", "part.out", "--quiet")
    whole, part = bench.result("whole.out"), bench.result("part.out")
    if (whole["runs"], whole["findings"]) != (part["runs"], part["findings"]):
        raise Failure(f"{part}\nis not\n{whole}")


SEARCHED = """by_sender 4 any|crooked 3 infinite|dining 4 any|dtg 5 any|head_to_head 2 any|mixed 4 any|monte 3 any
    |named_pending 3 any|probe 3 any|relay 3 infinite|sat 8 any 1 0 1 0|slack_barrier 3 any|test_no 2 infinite
    |waitany 3 any|waitsome 4 zero"""


@test
def same_search(bench):
    """Runs, findings and verdict do not depend on whether prediction looks ahead."""
    for case in SEARCHED.split("|"):
        name, ranks, buffering, *arguments = case.split()
        seen = []
        for engine in ("explore", "auto"):
            options = ["-n", ranks, "--quiet", "--buffering=" + buffering, "--engine=" + engine, "-o", "same.out"]
            bench.run(*options, bench.program(name, "explore"), *arguments)
            result = bench.result("same.out")
            findings = sorted((f["kind"], f["message"], f["run"], f["runs"], f["critical"]) for f in result["findings"])
            seen.append((result["verdict"], result["runs"], result["bounds"], findings))
        if seen[0] != seen[1]:
            raise Failure(f"{case}\n{seen[1]}\nis not\n{seen[0]}")


# ---- records ----


@test
def record_names_the_program(bench):
    dtg = bench.program("dtg", "explore")
    out = bench.tourney(1, "predict", bench.record(dtg, 5))
    says(out, "^this is said of the control flow in the record; tourney predict -n 5 \\S*dtg.mpich runs the program and "
         "shows it$")


@test
def places_of_ranks_that_have_ended(bench):
    """Senders are gone before all that they did is read."""
    out = bench.tourney(0, "dump", bench.record(bench.program("star", "explore"), 32))
    bare = [line for line in out.splitlines() if re.search(r" 0x\w+$", line)]
    if bare:
        raise Failure(f"{len(bare)} operations without a place, such as\n{bare[0]}")


@test
def can_they_meet(bench):
    record = bench.record(bench.program("dtg", "explore"), 5)
    for pair, code in (("1.6,0.6", 0), ("0.6,1.6", 0), ("2.7,0.6", 0), ("1.6,0.8", 0), ("4.6,0.6", 1), ("0.7,3.6", 1)):
        out = bench.tourney(code, "predict", record, "--can", pair)
        says(out, f"^no, in no run with this control flow {pair} meet, buffering any$" if code
             else f"^yes, {pair} can meet, buffering any, unless a rank does something else when it receives something")
    # If nothing is buffered, rank 1 comes to its second send only when rank 0 has taken the first.
    bench.tourney(1, "predict", record, "--can", "1.6,0.8", "--buffering=zero")
    for pair, why in (("1.6", "--can takes two operations as in tourney dump, RANK.NUMBER,RANK.NUMBER"),
                      ("1.6,9.1", "the record has no operation 9.1"),
                      ("1.6,2.7", "--can takes a send and a receive; 1.6 is MPI_Send, and 2.7 is MPI_Send")):
        run = bench.run("predict", record, "--can", pair)
        if (run.code, run.err) != (3, f"tourney: {why}\n"):
            raise Failure(f"--can {pair}: {run.err}")


# ---- proofs ----


class Refuter:
    """Clauses, and whether one of them follows: unit propagation, each clause watched by two literals."""

    def __init__(self):
        self.watches, self.clauses, self.units, self.false = {}, [], [], False

    def add(self, clause):
        clause = list(dict.fromkeys(clause))
        if not clause:
            self.false = True
        elif len(clause) == 1:
            self.units.append(clause[0])
        else:
            self.clauses.append(clause)
            for literal in clause[:2]:
                self.watches.setdefault(literal, []).append(clause)

    def conflicts(self, assumed):
        true, queue = set(), [*assumed, *self.units]
        for literal in queue:
            if -literal in true:
                return True
            if literal in true:
                continue
            true.add(literal)
            if self.propagate(-literal, true, queue):
                return True
        return self.false

    def propagate(self, false, true, queue):
        kept, watching = [], self.watches.get(false, [])
        conflict = False
        for clause in watching:
            if conflict or (clause[0] in true and clause[0] != false) or (clause[1] in true and clause[1] != false):
                kept.append(clause)
                continue
            if clause[0] == false:
                clause[0], clause[1] = clause[1], clause[0]
            for i in range(2, len(clause)):
                if -clause[i] not in true:
                    clause[1], clause[i] = clause[i], clause[1]
                    self.watches.setdefault(clause[1], []).append(clause)
                    break
            else:
                kept.append(clause)
                conflict = -clause[0] in true
                queue.append(clause[0])
        self.watches[false] = kept
        return conflict


def numbers(path):
    with open(path) as file:
        for line in file:
            if line[0] in "cp":
                continue
            *clause, end = line.split()
            if end != "0":
                raise Failure(f"{path}: {line}")
            yield clause


def is_proof(formula, proof):
    """Whether each line of the proof follows from what is before it, and the last one is false."""
    refuter = Refuter()
    for clause in numbers(formula):
        refuter.add([int(literal) for literal in clause])
    for clause in numbers(proof):
        if clause[:1] == ["d"]:
            continue  # what is left out only makes it quicker
        clause = [int(literal) for literal in clause]
        if not refuter.conflicts([-literal for literal in clause]):
            return False
        refuter.add(clause)
    return refuter.false


@test
def proofs(bench):
    formula, proof = bench.path("x.cnf"), bench.path("x.drup")
    cases = [("dtg", 5, [], "ours", "infinite"), ("diffusion", 4, [], "ours", "infinite"),
             ("diffusion", 4, [], "multi", "infinite"), ("integrate", 6, [], "plain", "infinite"),
             ("gauss", 8, ["4"], "plain", "zero"), ("sat", 12, "1 2 0 -1 0 -2 0".split(), "ours", "zero")]
    learnt = 0
    for name, ranks, arguments, encoding, buffering in cases:
        record = bench.record(bench.program(name, "explore"), ranks, *arguments)
        bench.tourney(0, "predict", record, "--encoding=" + encoding, "--buffering=" + buffering, "--dimacs", formula,
                      "--proof", proof)
        if not is_proof(formula, proof):
            raise Failure(f"{name}, {encoding}: no proof")
        learnt += sum(1 for clause in numbers(proof) if clause)
        with open(proof, "w") as file:
            file.write("0\n")
        if name == "sat" and is_proof(formula, proof):
            raise Failure("a proof that says nothing is taken")
    if learnt < 100:
        raise Failure(f"only {learnt} clauses were learnt: this shows little")


def main(build, *words):
    count = Count()
    with tempfile.TemporaryDirectory() as where:
        CASES.run(words, count, Bench(build, where))
    return count.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
