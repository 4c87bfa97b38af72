#!/usr/bin/python3
"""Inputs that tourney makes (--inputs), with programs in test/inputs.

usage: inputs.py BUILD_DIR [WORD...]
"""
import os
import shutil
import sys

from lib import Failure
from lib.building import compile_always, compiler_for
from lib.running import result_of, watched
from lib.suite import Cases, Setting

HERE = Setting()
CASES = Cases()
COVERED = ("-include", "tourney_coverage.h", "-fsanitize-coverage=trace-pc,trace-cmp")
FIRST = b"a mesh of some kind, in bytes"


def program(mpi, source, *flags):
    """Compiled, with or without what tells of branches."""
    target = HERE.path(f"{source}-{mpi}{len(flags)}{'w' if '-DWRONG' in flags else ''}")
    if not os.path.exists(target):
        compile_always(compiler_for(mpi, "x.c"), f"test/inputs/{source}.c", target, "-g", "-O1", "-Wall", "-Werror", "-Iinclude",
                       *flags)
    return target


def corpus(name, first=FIRST):
    folder = HERE.path(name)
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    with open(os.path.join(folder, "first.msh"), "wb") as file:
        file.write(first)
    return folder


def tourney(*arguments):
    return watched([HERE.tourney, *arguments], cwd=HERE.folder)


def search(mpi, folder, tries, *command):
    """(run, result) with the inputs of a folder."""
    out = HERE.path(f"{os.path.basename(folder)}.out")
    done = tourney("-n", "2", "-q", "-o", out, "--inputs", folder, "--input-tries", str(tries), *command)
    return done, result_of(out), out


def brief_input(result):
    return [assumed["brief"] for assumed in result["assumptions"] if assumed["kind"] == "input"][0]


@CASES.on_each_library
def a_bug_behind_three_conditions(mpi):
    """Found, with a file that leads there again; the file stays, is enough the next time, and does no harm to a program that is right."""
    wrong = program(mpi, "nested", "-DWRONG", *COVERED)
    folder = corpus(f"wrong-{mpi}")
    done, result, out = search(mpi, folder, 100, "--stop-first", wrong, "@@")
    done.check(1, None, None).matches(r"With the input .*/inputs/tourney-[0-9a-f]{16}\.msh$", done.out)
    finding = result["findings"][0]
    if finding["kind"] != "deadlock" or finding["args"] != [finding["input"]] or not os.path.exists(finding["input"]):
        done.fail(f"what was found is not what it should be: {finding['kind']} {finding['args']}")
    tourney("replay", out, "1").check(0, None, None)
    again, _, _ = search(mpi, folder, 0, wrong, "@@")
    again.check(1, None, None).matches(r"^tourney: (\d+) inputs tried, \1 searched", again.out)
    right, result, _ = search(mpi, folder, 5, program(mpi, "nested", *COVERED), "@@")
    right.check(0, None, None).matches(r"^tourney: no defects in any outcome that 2 ranks can have with these \d inputs, under any buffering$",
                                       right.out)
    if result["verdict"] != "clean" or int(brief_input(result).split()[1]) < 4:
        right.fail("there is to be an input for each of the conditions, and the first one")


@CASES.test
def an_input_that_is_standard_input():
    """And a search that was stopped is not gone on with: the corpus has what it knows."""
    folder = corpus("stdin")
    done, result, out = search("mpich", folder, 100, "--stop-first", program("mpich", "nested", "-DWRONG", *COVERED))
    done.check(1, None, None)
    tourney("resume", out).check(3, None, [f"tourney: {out}: a search with --inputs cannot be resumed; begin it again, with what "
                                          f"is in {folder} now"])
    if result["findings"][0]["args"]:
        done.fail("there are no arguments")
    tourney("replay", out, "1").check(0, None, None)


@CASES.on_each_library
def a_program_that_tells_nothing(mpi):
    """Texts that it compares by the C library, and from where it calls MPI, lead there all the same."""
    folder = corpus(f"plain-{mpi}", b"solver cg\nrestart none\n")
    done, _, _ = search(mpi, folder, 60, "--stop-first", program(mpi, "keywords", "-DWRONG"), "@@")
    done.check(1, None, None).matches("not built to tell of its branches", done.out)
    folder = corpus(f"plain-right-{mpi}", b"solver cg\nrestart none\n")
    search(mpi, folder, 10, program(mpi, "keywords"), "@@")[0].check(0, None, None)


@CASES.test
def inputs_that_are_not_needed_go():
    """Of tourney's own, those that show nothing that others do not; the user's never."""
    folder = corpus("needed")
    for name in ("tourney-0.msh", "mine.msh"):
        shutil.copy(os.path.join(folder, "first.msh"), os.path.join(folder, name))
    done, _, _ = search("mpich", folder, 0, program("mpich", "nested", *COVERED), "@@")
    done.check(0, None, None)
    if sorted(os.listdir(folder)) != ["first.msh", "mine.msh"]:
        done.fail(f"there are {sorted(os.listdir(folder))}")


@CASES.test
def what_is_refused():
    right = program("mpich", "nested", *COVERED)
    folder, out = corpus("refused"), HERE.path("refused.out")
    empty = HERE.path("empty")
    os.mkdir(empty)

    def refuses(sentence, *arguments):
        tourney("-n", "2", "-q", "-o", out, *arguments, right, "@@").check(3, None, ["tourney: " + sentence])

    refuses(f"--inputs: {empty} has no file: put an input there to begin with", "--inputs", empty)
    refuses("--inputs: /nonexistent: No such file or directory", "--inputs", "/nonexistent")
    refuses("--inputs and --each-args do not go together: put the lines into files, and write @@args (tourney --help)",
            "--inputs", folder, "--each-args", "x")
    refuses("--input-tries says how many inputs are tried: from where, --inputs says (tourney --help)", "--input-tries", "3")
    tourney("-n", "2", "-q", "-o", out, "--inputs", folder, "--input-tries", "0", right, "@@").check(0, None, None)
    own = os.path.join(out, "inputs")
    refuses(f"--inputs: {own} is where the inputs of the result are kept: copy it elsewhere, or choose another result with -o",
            "--inputs", own)
    if os.listdir(own) != ["first.msh"]:
        raise Failure("the inputs of the result are gone")


if __name__ == "__main__":
    sys.exit(HERE.run(os.path.join(sys.argv[1], "tourney"), CASES, sys.argv[2:], workers=2))
