#!/usr/bin/python3
"""What suites have in common: that what is wrong is noticed, and told."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from lib import Failure, leftovers  # noqa: E402
from lib.building import compiled, line_of  # noqa: E402
from lib.running import plainly, read_to, watched  # noqa: E402
from lib.suite import Cases, Count, attempt, tell, wrong_with  # noqa: E402


def fail():
    raise Failure("why\nmore")


def late():
    plainly(["sleep", "100"], timeout=0.1)


def printed(function):
    """What is printed, and what comes back."""
    with contextlib.redirect_stdout(io.StringIO()) as output:
        back = function()
    return output.getvalue().splitlines(), back


class Suites(unittest.TestCase):
    def test_what_is_wrong(self):
        self.assertIsNone(attempt(lambda: "not asked"))
        self.assertEqual(wrong_with(lambda: "this"), "this")
        self.assertEqual(attempt(fail), "why\nmore")
        self.assertEqual(attempt(late), "no end after 0.1 s: sleep 100")
        self.assertEqual(attempt(lambda: {}["x"]), "KeyError: 'x'")

    def test_all_are_told_in_their_order(self):
        lines, code = printed(lambda: tell(lambda n: None if n % 2 else f"{n} is even", range(3), lambda n: f"case {n}"))
        self.assertEqual(lines, ["FAILED case 0: 0 is even", "ok case 1", "FAILED case 2: 2 is even", "1 passed, 2 failed"])
        self.assertEqual(code, 1)

    def test_cases_by_name(self):
        cases, count = Cases(), Count()
        cases.test(fail)
        cases.add("other", lambda: None)
        cases.on_each_library(lambda mpi: fail() if mpi == "mpich" else None)
        lines, code = printed(lambda: (cases.run((), count), count.end())[1])
        self.assertEqual(lines, ["FAILED fail: why", "    more", "ok other", "FAILED <lambda> [mpich]: why", "    more",
                                 "ok <lambda> [openmpi]", "2 passed, 2 failed"])
        self.assertEqual(code, 1)
        self.assertEqual([name for name, _ in cases.wanted(["oth", "openmpi"])], ["other", "<lambda> [openmpi]"])


class Runs(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.object(leftovers, "CLEAN", 0.3)
        self.addCleanup(patch.stop)
        patch.start()

    def test_what_came_out(self):
        done = watched(["sh", "-c", "echo out; echo err >&2; exit 4"])
        done.check(4, "out\n", ["err"])
        for wrong in (lambda: done.check(0), lambda: done.check(4, "other\n", None), lambda: done.check(4), lambda: done.matches("x")):
            self.assertRaises(Failure, wrong)

    def test_a_process_that_stays(self):
        self.assertRaisesRegex(Failure, "left behind: sleep", watched, ["sh", "-c", "sleep 1234 >/dev/null 2>&1 & sleep 0.5"])
        left = watched(["sh", "-c", "setsid sleep 1234 >/dev/null 2>&1 & sleep 0.5"], clean=False).left
        self.assertEqual(left, ["sleep"])

    def test_it_is_ended(self):
        with leftovers.Watch() as watch:
            started = watch.start(["sh", "-c", "setsid sleep 1234 & wait"])
            while len(leftovers.marked(watch.mark)) < 2:
                time.sleep(0.01)
        started.communicate()
        self.assertEqual(leftovers.marked(watch.mark), [])

    def test_a_file_that_stays(self):
        self.assertRaisesRegex(Failure, r"left behind: \$TMPDIR/here", watched, ["sh", "-c", "touch $TMPDIR/here"])

    def test_no_end(self):
        self.assertRaisesRegex(Failure, "no end after 0.2 s, alive: .*sleep", watched, ["sleep", "1234"], patience=0.2)

    def test_a_signal_when_it_is_ready(self):
        script = "trap 'echo caught; exit 7' USR1; echo first; echo ready; while :; do sleep 0.01; done"
        done = watched(["sh", "-c", script], word="ready", during=lambda process: process.send_signal(signal.SIGUSR1))
        done.check(7, "first\nready\ncaught\n")

    def test_a_word_that_never_comes(self):
        with subprocess.Popen(["sleep", "1234"], stdout=subprocess.PIPE, bufsize=0) as process:
            self.assertRaisesRegex(Failure, "does not say 'ready'", read_to, "ready", process.stdout, 0.1)
            process.kill()


class Programs(unittest.TestCase):
    def test_only_what_has_changed_is_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            source, target = f"{folder}/a.c", f"{folder}/below/a"
            with open(source, "w") as file:
                file.write("int main(void) { return 0; }\n")
            made = [os.stat(compiled(None, source, target, compiler="gcc")).st_ino for _ in range(2)]
            os.utime(source, (time.time() + 10,) * 2)
            made.append(os.stat(compiled(None, source, target, compiler="gcc")).st_ino)
            self.assertEqual((made[0] == made[1], made[1] == made[2]), (True, False))
            with open(source, "a") as file:
                file.write("nonsense\n")
            os.utime(source, (time.time() + 20,) * 2)
            self.assertRaisesRegex(Failure, "(?s)does not compile.*nonsense", compiled, None, source, target, compiler="gcc")
            self.assertEqual(os.listdir(f"{folder}/below"), ["a"])

    def test_lines(self):
        text = "one /* A */\ntwo ! B\nthree // C\n"
        self.assertEqual([line_of(text, label) for label in "ABC"], [1, 2, 3])
        self.assertRaises(Failure, line_of, text, "D")


if __name__ == "__main__":
    unittest.main()
