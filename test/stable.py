#!/usr/bin/python3
"""What doc/stability.md promises: exit codes, one run for each row of its table; files that 1.0 has written are read, and what is
written today is what 1.0 described.

usage: stable.py [TOURNEY [WORD...]]   only cases with one of the words in their names
"""
import base64
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import jsonschema

from lib import Failure
from lib.building import compiled_copy
from lib.running import watched
from lib.suite import Cases, Setting

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KEPT = os.path.join(ROOT, "test", "stable", "1.0")
sys.path.insert(0, os.path.join(ROOT, "test", "unit"))
import test_stability  # noqa: E402  pylint: disable=wrong-import-position

HERE = Setting()
ROWS = {}  # (command, when): how to see it


def row(command, when):
    def add(function):
        ROWS[command, when] = function
        return function
    return add


def prepare():
    compiled_copy("mpich", os.path.join(ROOT, "test", "stable", "ends.c"), HERE.folder)
    for example in "luck", "ring":
        compiled_copy("mpich", os.path.join(ROOT, "examples", example + ".c"), HERE.folder)


def ends(code, *command, folder=None):
    done = watched([HERE.tourney, *command], cwd=folder or HERE.folder)
    if done.code != code:
        done.fail("exit code is %d, not %d" % (done.code, code))
    return done


def search(code, how, *options):
    """A search of its own; its folder."""
    folder = tempfile.mkdtemp(dir=HERE.folder)
    ranks = "3" if how == "race" else "2"
    ends(code, "-n", ranks, "--quiet", "-o", os.path.join(folder, "out"), *options, "./ends", how)
    return os.path.join(folder, "out")


def record(how):
    path = os.path.join(tempfile.mkdtemp(dir=HERE.folder), "record")
    ends(0, "run", "-n", "3", "-o", path, *([how] if how.startswith("./") else ["./ends", how]))
    return path


@row("verify", "every run ended well, and all were looked at")
def _():
    search(0, "well")


@row("verify", "there are warnings, and no errors")
def _():
    with open(os.path.join(search(0, "leak"), "result.json")) as file:
        assert [finding["severity"] for finding in json.load(file)["findings"]] == ["warning"]


@row("verify", "there are errors")
def _():
    search(1, "deadlock")


@row("verify", "there are errors, and `--error-exitcode` is N")
def _():
    search(42, "deadlock", "--error-exitcode=42")


@row("verify", "there are no errors so far, and not all runs were looked at")
def _():
    search(2, "race", "--no-merge", "--max-runs", "1", "--engine=explore")


@row("verify", "there is no such program")
def _():
    ends(3, "-n", "2", "./none")


@row("verify", "an option is wrong")
def _():
    ends(3, "-n", "2", "--never-heard-of", "./ends")


@row("verify", "the MPI library of the program is none that tourney knows")
def _():
    folder = tempfile.mkdtemp(dir=HERE.folder)
    with open(os.path.join(folder, "mpi.c"), "w") as file:
        file.write("int PMPI_Init(int *c, char ***v) { return !c || !v; }\nint MPI_Init(int *c, char ***v) { return PMPI_Init(c, v); }\n")
    with open(os.path.join(folder, "user.c"), "w") as file:
        file.write("int MPI_Init(int *, char ***);\nint main(int c, char **v) { return MPI_Init(&c, &v); }\n")
    for what in ["-shared -fPIC -Wl,-soname,libmpi.so.7 mpi.c -o libmpi.so.7", "user.c ./libmpi.so.7 -Wl,-rpath,%s -o user" % folder]:
        subprocess.run(["gcc", *what.split()], cwd=folder, check=True)
    ends(3, "-n", "2", os.path.join(folder, "user"))


@row("verify", "signal S ended tourney")
def _():
    folder = tempfile.mkdtemp(dir=HERE.folder)
    with subprocess.Popen([HERE.tourney, "-n", "2", "--quiet", "-o", folder, "./ends", "loop"], cwd=HERE.folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.time() + 60
        while not os.path.exists(os.path.join(folder, "result.json")) and time.time() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM, process.returncode


@row("resume", "there are errors")
def _():
    folder = tempfile.mkdtemp(dir=HERE.folder)
    ends(2, "-n", "3", "--quiet", "--no-merge", "--max-runs", "1", "--engine=explore", "-o", folder, "./luck")
    ends(1, "resume", "--quiet", folder)


@row("resume", "there is nothing to go on with")
def _():
    ends(3, "resume", "nowhere")


@row("run", "all ranks ended by themselves")
def _():
    ends(7, "run", "-n", "2", "./ends", "code")
    ends(0, "run", "-n", "2", "./ends", "well")


@row("run", "a rank called MPI_Abort")
def _():
    ends(5, "run", "-n", "2", "./ends", "abort")


@row("run", "ranks can never continue, or another error was found")
def _():
    ends(1, "run", "-n", "2", "./ends", "deadlock")


@row("run", "a rank died of signal S")
def _():
    ends(128 + signal.SIGSEGV, "run", "-n", "2", "./ends", "crash")


@row("run", "a call is not supported")
def _():
    ends(3, "run", "-n", "2", "./ends", "many")


@row("replay", "the finding was reproduced")
def _():
    ends(0, "replay", search(1, "deadlock"), "1")


@row("replay", "it was not")
def _():
    folder = tempfile.mkdtemp(dir=HERE.folder)
    shutil.copy(HERE.path("luck"), folder)
    ends(1, "-n", "3", "--quiet", "./luck", folder=folder)
    shutil.copy(HERE.path("ends"), os.path.join(folder, "luck"))
    ends(1, "replay", "tourney.out", "1", folder=folder)


@row("replay", "there is no such finding")
def _():
    ends(3, "replay", search(1, "deadlock"), "9")


@row("report", "the page is written")
def _():
    ends(0, "report", search(1, "deadlock"))


@row("report", "there is no result")
def _():
    ends(3, "report", "nowhere")


@row("dump", "the record is whole")
def _():
    ends(0, "dump", record("well"))


@row("dump", "the file is no record, or damaged")
def _():
    path = record("well")
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) - 5)
    ends(3, "dump", path)
    ends(3, "dump", "ends")


@row("predict", "a record has no deadlock in other runs")
def _():
    ends(0, "predict", record("race"))


@row("predict", "it has one")
def _():
    ends(1, "predict", record("./ring"))


@row("predict", "of a program: none was found, and other control flow may have one")
def _():
    ends(2, "predict", "-n", "3", "--quiet", "-o", os.path.join(tempfile.mkdtemp(dir=HERE.folder), "out"), "./ends", "race")


def can_meet(code, tags):
    """In luck.c: a send with a tag, and a receive with a tag."""
    path = record("./luck")
    operations = [entry for entry in json.loads(ends(0, "dump", "--json", path).out)["records"] if entry["record"] == "op"]
    pair = [next("%d.%d" % (op["rank"], op["index"]) for op in operations if (op["kind"], op["tag"]) == (kind, tag))
            for kind, tag in zip(("send", "recv"), tags)]
    ends(code, "predict", path, "--can", ",".join(pair))


@row("predict", "`--can A,B`: they can meet")
def _():
    can_meet(0, (1, 1))


@row("predict", "`--can A,B`: they cannot")
def _():
    can_meet(1, (2, 1))


def asked(code, claim):
    path = HERE.path("question.scn")
    with open(path, "w") as file:
        file.write("P0 | P1\na: irecv x from 1 | send 1 to 0\nwait a |\n\nassert a completes\nexpect %s\n" % claim)
    ends(code, "ask", path)


@row("ask", "all is as the files expect")
def _():
    asked(0, "always")


@row("ask", "something is not")
def _():
    asked(1, "never")


@row("ask", "a file cannot be read")
def _():
    ends(3, "ask", "nowhere.scn")


@row("model", "the model is written")
def _():
    ends(0, "model", "-n", "2", "--emit=json", "-o", HERE.path("model.json"), "./ends", "well")


@row("doctor", "programs can be verified")
def _():
    ends(0, "doctor")


def promised():
    """Rows of the table of the document."""
    with open(os.path.join(ROOT, "doc", "stability.md"), encoding="utf-8") as file:
        section = file.read().partition("## Exit codes\n")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| (\w+) \| (.*?) \| [^|]+ \|$", section, re.M)) - {("command", "when")}


def every_row_of_the_table_is_tried():
    if promised() != set(ROWS):
        raise Failure("these differ: %s" % sorted(promised() ^ set(ROWS)))


def old_record_is_read():
    with open(os.path.join(KEPT, "record.json")) as file:
        then = json.load(file)
    with open(os.path.join(KEPT, "record.base64"), "rb") as text, open(HERE.path("old.record"), "wb") as file:
        file.write(base64.b64decode(text.read()))
    now = json.loads(ends(0, "dump", "--json", HERE.path("old.record")).out)
    wrong = test_stability.lost(then, now)
    if wrong:
        raise Failure("it is no longer %s" % wrong)


def old_result_is_read():
    folder = shutil.copytree(os.path.join(KEPT, "result"), HERE.path("old"))
    ends(0, "report", folder)
    with open(os.path.join(folder, "report.html")) as file:
        assert "waits for rank 1, which has ended" in file.read()


def old_suppressions_still_match():
    rules = os.path.join(KEPT, "suppressions")
    search(0, "deadlock", "--suppressions", rules)
    with open(os.path.join(search(0, "leak", "--suppressions", rules), "result.json")) as file:
        assert json.load(file)["findings"] == []


def old_scenarios_have_the_same_answers():
    ends(0, "ask", "--quiet", *sorted(glob.glob(os.path.join(KEPT, "scenarios", "*.scn"))))


def new_results_are_what_1_0_describes():
    folder = search(1, "deadlock")
    names = sorted(os.listdir(folder))
    assert "result.json" in names and "run-1.json" in names and "tree.json" in names, names
    schema = test_stability.opened(test_stability.kept_schema())
    for name in names:
        with open(os.path.join(folder, name)) as file:
            wrong = next(jsonschema.Draft202012Validator(schema).iter_errors(json.load(file)), None) if name.endswith(".json") else None
        if wrong:
            raise Failure("%s, %s: %s" % (name, "/".join(map(str, wrong.absolute_path)), wrong.message[:500]))


def main(program=os.path.join(ROOT, "build", "tourney"), *words):
    cases = Cases()
    for (command, when), function in ROWS.items():
        cases.add("%s: %s" % (command, when), function)
    for function in (every_row_of_the_table_is_tried, old_record_is_read, old_result_is_read, old_suppressions_still_match,
                     old_scenarios_have_the_same_answers, new_results_are_what_1_0_describes):
        cases.add(function.__name__.replace("_", " "), function)
    return HERE.run(program, cases, words, prepare=prepare)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
