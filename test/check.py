#!/usr/bin/python3
"""Runs all test suites and adds up.

Judges that only compute run side by side, and so do suites that leave a processor free and do not
look at the clock; the others run one after the other, some of them with several cases at a time.

Each suite is a command that ends with a line `N passed, M failed`, or a cmocka
or unittest program.  A suite that prints no such line has failed.
usage: check.py BUILD_DIR
"""
import concurrent.futures
import contextlib
import glob
import os
import re
import signal
import subprocess
import sys
import time
import uuid

from cli import marked

TIMEOUT = 540
MARK = "CHECK_MARK"  # in the environment of all that a suite starts
CHANGES = "100"  # of each input that is kept for fuzzing


def judges(build):
    yield "sem_brute", [f"{build}/test/model/sem_brute", "1", "4000"]
    yield "explore_brute", [f"{build}/test/model/explore_brute", "1", "3000"]
    yield "explore_brute, any buffering", [f"{build}/test/model/explore_brute", "1", "500", "98303"]
    yield "explore_brute, attached buffers", [f"{build}/test/model/explore_brute", "1", "2000", "139247"]
    yield "explore_brute, requests that need nobody", [f"{build}/test/model/explore_brute", "1", "2000", "294911"]
    yield "explore_brute, such requests and any buffering", [f"{build}/test/model/explore_brute", "1", "300", "360447"]
    yield "predict_brute", [f"{build}/test/model/predict_brute", "1", "8000"]
    yield "dist_brute", [f"{build}/test/model/dist_brute", "1", "400"]
    yield "scenarios, judged", [sys.executable, "test/model/scenario/judges.py", build, "1200", "--spin", "50"]
    for corpus in sorted(glob.glob("test/fuzz/corpus/*")):
        target = os.path.basename(corpus)
        yield f"inputs for {target}", [f"{build}/test/fuzz/{target}", corpus, CHANGES]


def patient(build):
    """Suites that start processes, one at a time, and bear it that others do."""
    yield "summary", [sys.executable, "test/summary.py", f"{build}/tourney"]
    yield "replay", [sys.executable, "test/replay.py", f"{build}/tourney"]
    yield "predict", [sys.executable, "test/predict.py", build]
    yield "merging, judged", [sys.executable, "test/merge_judge.py", build, "16"]
    yield "formats", [sys.executable, "test/formats.py", f"{build}/tourney"]
    yield "scenarios", [sys.executable, "test/ask.py", f"{build}/tourney"]
    yield "models", [sys.executable, "test/models.py", build]


def suites(build):
    for program in sorted(glob.glob(f"{build}/test/unit/test_*")):
        if os.access(program, os.X_OK) and not program.endswith((".d", ".o")):
            yield os.path.basename(program), [program]
    for script in sorted(glob.glob("test/unit/test_*.py")):
        yield os.path.basename(script), [sys.executable, script]
    yield "command line", [sys.executable, "test/cli.py", f"{build}/tourney"]
    yield "programs", [sys.executable, "test/run.py", "--tourney", f"{build}/tourney"]
    yield "clocks", [sys.executable, "test/clock.py", build]
    yield "images", [sys.executable, "test/images.py", build]
    yield "explorer", [sys.executable, "test/explore.py", build]
    yield "findings", [sys.executable, "test/check_programs.py", build]
    yield "adversaries", [sys.executable, "test/adversarial.py", build]
    yield "scenarios by real MPI", [sys.executable, "test/model/scenario/judges.py", build, "150", "--real", "10"]
    yield "programs by real MPI", [sys.executable, "test/outside/judge.py", build, "20"]
    yield "report", [sys.executable, "test/viewer.py", f"{build}/tourney"]
    yield "jobs", [sys.executable, "test/dist.py", build]
    yield "journal", [sys.executable, "test/journal.py", build]
    yield "endurance", [sys.executable, "test/endurance.py", build, "--short"]


def count(output):
    """(passed, failed) as the suite itself says."""
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
    return 0, 1


def end_all(mark):
    """Ends what a suite that was given up has left running."""
    for pid, _ in marked(mark, MARK):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def run(suite):
    """(name, passed, failed, seconds, output) of a suite."""
    name, command = suite
    start, mark = time.time(), uuid.uuid4().hex
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, MARK: mark}, timeout=TIMEOUT, text=True, errors="replace")
        output, status = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        output, status = (late.stdout or b"").decode(errors="replace") + "\ntimed out\n", 124
        end_all(mark)
    passed, failed = count(output)
    if status != 0 and failed == 0:
        failed = 1
    return name, passed, failed, time.time() - start, output


def results(build):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        yield from workers.map(run, [*judges(build), *patient(build)])
    yield from map(run, suites(build))


def main(build):
    total = [0, 0]
    for name, passed, failed, seconds, output in results(build):
        total[0] += passed
        total[1] += failed
        print(f"{name:28} {passed:5} passed {failed:3} failed {seconds:7.1f} s", flush=True)
        if failed:
            print(output[-20000:], flush=True)
    print(f"{total[0]} passed, {total[1]} failed")
    return total[1] != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[-1]))
