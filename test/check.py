#!/usr/bin/python3
"""Runs all test suites and adds up.

Suites run side by side, one more than there are processors, since many of them often wait for something; the
longest come first, so that none is left for the end by itself.  Then, one after the other, come
those that judge by the clock, or need all processors, for the ranks of their jobs spin.  They often wait, for launchers and for
each other; what processors have left then is for those that only compute, or search without a look at the clock: they are kept for that, are nice, and wait for nobody.

Each suite is a command that ends with a line `N passed, M failed`, or a cmocka
or unittest program.  A suite that prints no such line has failed.  What it says of cases that failed is shown
at once, and the first line of each again at the end.
usage: check.py BUILD_DIR
"""
import concurrent.futures
import contextlib
import glob
import os
import re
import subprocess
import sys
import time
import uuid

from lib.leftovers import end_marked

TIMEOUT = 1500  # seconds for a suite, beside others and on a busy machine
NICE_TIMEOUT = 4 * TIMEOUT  # for one that gives way to these others
MARK = "CHECK_MARK"  # in the environment of all that a suite starts
CHANGES = "100"  # of each input that is kept for fuzzing
STATES = "3000"  # of a random program: those that have more, one in ten, took two thirds of the time
PROCESSOR_TIME = "processor seconds of this suite: "
SHOWN = 20000    # characters of what a suite says of its failures
SIDE_BY_SIDE = os.cpu_count() + 1
NICELY = '{ echo 15 > /proc/self/autogroup; } 2> /dev/null; exec nice -n 15 "$@"'
RUNNING = set()  # the marks of suites that are not over
WIDTH = 200      # characters of a case in the list at the end
# How suites, cmocka and unittest begin what they say of a case.
PASSED_CASE = re.compile(r"ok |\[ RUN      \]|\[       OK \]")
FAILED_CASE = re.compile(r"FAIL(ED)? (?!\()|FAIL: |ERROR: |\[  FAILED  \] \w+$|timed out$|ends with -?\d+$")


def side_by_side(build):
    """Suites that bear it that others run at the same time; the longest come first."""
    yield "adversaries", [sys.executable, "test/adversarial.py", build]
    yield "explorer", [sys.executable, "test/explore.py", build]
    yield "command line", [sys.executable, "test/cli.py", f"{build}/tourney"]
    yield "windows", [sys.executable, "test/rma/verify.py", build]
    yield "report", [sys.executable, "test/viewer.py", f"{build}/tourney"]
    yield "jobs", [sys.executable, "test/dist.py", build]
    yield "endurance", [sys.executable, "test/endurance.py", build, "--short"]
    yield "findings", [sys.executable, "test/check_programs.py", build]
    yield "replay", [sys.executable, "test/replay.py", f"{build}/tourney"]
    yield "journal", [sys.executable, "test/journal.py", build]
    yield "paths", [sys.executable, "test/paths.py", build]
    yield "models", [sys.executable, "test/models.py", build]
    yield "predict", [sys.executable, "test/predict.py", build]
    yield "windows, told by programs", [sys.executable, "test/rma/told.py", build]
    yield "images", [sys.executable, "test/images.py", build]
    yield "summary", [sys.executable, "test/summary.py", f"{build}/tourney"]
    yield "inputs that are made", [sys.executable, "test/inputs.py", build]
    yield "formats", [sys.executable, "test/formats.py", f"{build}/tourney"]
    yield "promises", [sys.executable, "test/stable.py", f"{build}/tourney"]
    yield "scenarios", [sys.executable, "test/ask.py", f"{build}/tourney"]
    for program in sorted(glob.glob(f"{build}/test/unit/test_*")):
        if os.access(program, os.X_OK) and not program.endswith((".d", ".o")):
            yield os.path.basename(program), [program]
    for script in sorted(glob.glob("test/unit/test_*.py")):
        yield os.path.basename(script), [sys.executable, script]


def in_between(build):
    """Judges of random programs, which only compute or search, without a look at the clock; the longest come first."""
    yield "windows, judged", [sys.executable, "test/rma/judge/judge.py", build, "120"]
    yield "paths, judged", [sys.executable, "test/paths_judge.py", build, "24"]
    yield "merging, judged", [sys.executable, "test/merge_judge.py", build, "16"]
    yield "buffering with windows", [sys.executable, "test/rma/random_mixtures.py", build]
    yield "turns, judged", [sys.executable, "test/turns/judge.py", build, "30"]
    yield "threads, judged", [sys.executable, "test/threads/judge.py", build, "--count", "16"]
    yield "runs, judged", [sys.executable, "test/steady.py", build, "24"]
    yield "scenarios, judged", [sys.executable, "test/model/scenario/judges.py", build, "600", "--spin", "25"]
    yield "explore_brute", [f"{build}/test/model/explore_brute", "1", "300", "32767", STATES]
    yield "explore_brute, any buffering", [f"{build}/test/model/explore_brute", "1", "60", "98303", STATES]
    yield "explore_brute, attached buffers", [f"{build}/test/model/explore_brute", "1", "300", "139247", STATES]
    yield "explore_brute, requests that need nobody", [f"{build}/test/model/explore_brute", "1", "150", "294911", STATES]
    yield "explore_brute, requests that tests deny", [f"{build}/test/model/explore_brute", "1", "100", "1343487", STATES]
    yield "explore_brute, invariants", [f"{build}/test/watched/explore_brute", "1", "50", "32767", STATES]
    yield "explore_brute, any buffering, invariants", [f"{build}/test/watched/explore_brute", "1", "12", "98303", STATES]
    yield "explore_brute, such requests and any buffering", [f"{build}/test/model/explore_brute", "1", "60", "360447", STATES]
    yield "explore_brute, choices that are bound", [f"{build}/test/model/explore_brute", "1", "50", "557055", STATES]
    yield "test_explore, invariants", [f"{build}/test/watched/test_explore"]
    yield "predict_brute", [f"{build}/test/model/predict_brute", "1", "4000"]
    yield "dist_brute", [f"{build}/test/model/dist_brute", "1", "400"]
    yield "explore_brute, random runs over merged histories", [f"{build}/test/model/explore_brute", "22300", "40"]
    yield "explore_brute, polls of the first run that are alike", [f"{build}/test/model/explore_brute", "20040", "1", "98303"]
    yield "explore_brute, rounds of polls that are entered in the middle", [f"{build}/test/model/explore_brute", "60383", "1", "98303"]
    yield "explore_brute, rounds of polls that lead into others", [f"{build}/test/model/explore_brute", "65040", "1", "98303"]
    yield "explore_brute, a deadlock that is told after other runs", [f"{build}/test/model/explore_brute", "9188", "1", "98303"]
    yield "sem_brute, invariants", [f"{build}/test/watched/sem_brute", "1", "4000"]
    yield "sem_brute", [f"{build}/test/model/sem_brute", "1", "4000"]
    yield "test_invariants, invariants", [f"{build}/test/watched/test_invariants"]
    for corpus in sorted(glob.glob("test/fuzz/corpus/*")):
        target = os.path.basename(corpus)
        yield f"inputs for {target}", [f"{build}/test/fuzz/{target}", corpus, CHANGES]


def alone(build):
    """Suites that run many jobs by mpiexec, whose ranks spin, or that look at the clock."""
    yield "programs", [sys.executable, "test/run.py", "--tourney", f"{build}/tourney"]
    yield "clocks", [sys.executable, "test/clock.py", build]
    yield "scenarios by real MPI", [sys.executable, "test/model/scenario/judges.py", build, "150", "--real", "10"]
    yield "windows by real MPI", [sys.executable, "test/rma/judge/judge.py", build, "0", "--real", "4"]
    yield "programs by real MPI", [sys.executable, "test/outside/judge.py", build, "20"]


def count(output):
    """(passed, failed) as the suite itself says, or None."""
    plain = re.findall(r"^(\d+) passed, (\d+) failed", output, re.M)
    if plain:
        return tuple(map(int, plain[-1]))
    cmocka = re.search(r"\[==========\][^\n]*?(\d+) test\(s\) run", output)
    if cmocka:
        passed = re.search(r"\[  PASSED  \] (\d+) test", output)
        passed = int(passed.group(1)) if passed else 0
        return passed, int(cmocka.group(1)) - passed
    unittest = re.search(r"^Ran (\d+) tests? in", output, re.M)
    if unittest:
        failed = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", output)))
        return int(unittest.group(1)) - failed, failed
    return None


def timed(command):
    """The command, which writes to standard error in the end, behind a mark, how long processors worked for it."""
    return [sys.executable, "test/lib/processor_time.py", PROCESSOR_TIME, *command]


def run(suite, timeout=TIMEOUT, **how):
    """(name, passed, failed, seconds, of these the processors', output) of a suite."""
    name, command = suite
    start, mark = time.time(), uuid.uuid4().hex
    RUNNING.add(mark)
    try:
        done = subprocess.run(timed(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, MARK: mark}, timeout=timeout, text=True, errors="replace", **how)
        output, status = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        output, status = (late.stdout or b"").decode(errors="replace") + "\ntimed out\n", 124
        end_marked(mark, MARK)
    RUNNING.discard(mark)
    output, _, worked = output.partition(PROCESSOR_TIME)
    counted = count(output)
    passed, failed = counted or (0, 0)
    if failed == 0 and (status != 0 or not counted):
        failed = 1
        output += f"\nends with {status}\n"
    return name, passed, failed, time.time() - start, float(worked or 0), output


def run_nicely(suite):
    """The same, of one that gives way to whatever else wants a processor: sessions share processors as equals where they are scheduled as groups, so it has one of its own, which is nice."""
    name, command = suite
    return run((name, ["sh", "-c", NICELY, "sh", *command]), NICE_TIMEOUT, start_new_session=True)


def results_of_all(build, fillers, workers, worker):
    """Of each suite, when it is over; those in between begin when all that run side by side have begun."""
    first = [workers.submit(run, suite) for suite in side_by_side(build)]
    nice, waiting = [], len(first) - SIDE_BY_SIDE
    for over, done in enumerate(concurrent.futures.as_completed(first), 1):
        if not nice and over >= waiting:
            nice = [fillers.submit(run_nicely, suite) for suite in in_between(build)]
        yield done.result()
    nice = nice or [fillers.submit(run_nicely, suite) for suite in in_between(build)]
    for done in concurrent.futures.as_completed([*nice, *(worker.submit(run, suite) for suite in alone(build))]):
        yield done.result()


def results(build):
    """The same; who interrupts this ends all of them."""
    with contextlib.ExitStack() as stack:
        pools = [stack.enter_context(concurrent.futures.ThreadPoolExecutor(n)) for n in (os.cpu_count(), SIDE_BY_SIDE, 1)]
        try:
            yield from results_of_all(build, *pools)
        except KeyboardInterrupt:
            for pool in pools:
                pool.shutdown(wait=False, cancel_futures=True)
            for mark in list(RUNNING):
                end_marked(mark, MARK)
            raise


def of_failures(output):
    """(what a suite says of what failed, the first lines of it)"""
    lines = [line for line in output.splitlines() if line and not PASSED_CASE.match(line)]
    return "\n".join(lines), list(dict.fromkeys(filter(FAILED_CASE.match, lines))) or lines[:1]


def shortened(text):
    return text if len(text) <= SHOWN else f"{text[:SHOWN // 2]}\n[...]\n{text[-SHOWN // 2:]}"


def main(build):
    total, failed_cases = [0, 0], []
    for name, passed, failed, seconds, worked, output in results(build):
        total[0] += passed
        total[1] += failed
        print(f"{name:28} {passed:5} passed {failed:3} failed {seconds:7.1f} s, processors {worked:7.1f} s", flush=True)
        if failed:
            text, lines = of_failures(output)
            print(shortened(text), flush=True)
            failed_cases += [f"{name}: {line[:WIDTH]}" for line in lines]
    for line in failed_cases:
        print(line)
    print(f"{total[0]} passed, {total[1]} failed")
    return total[1] != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[-1]))
