#!/usr/bin/python3
"""What `make check` says of suites that fail: which cases, at once and once more at the end; and of a tourney that is not there."""

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

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import adversarial  # noqa: E402
import check  # noqa: E402
from lib.leftovers import PATIENCE, still_left  # noqa: E402
from lib.suite import wrong_with  # noqa: E402

CMOCKA = r"""[==========] suite: Running 2 test(s).\n[ RUN      ] first\n[       OK ] first\n[ RUN      ] second
[  ERROR   ] --- 0x1 != 0x2\n[  FAILED  ] second\n[==========] suite: 2 test(s) run.\n[  PASSED  ] 1 test(s).
[  FAILED  ] suite: 1 test(s), listed below:\n[  FAILED  ] second\n"""
MANY = "for i in $(seq 3000); do echo ok $i; done"


def said(*scripts, in_between=()):
    """The lines and the exit code, where each suite is what a shell does."""
    fillers = [("filler", ["sh", "-c", script]) for script in in_between]
    suites = [(f"suite {i}", ["sh", "-c", script]) for i, script in enumerate(scripts)]
    output = io.StringIO()
    with mock.patch.object(check, "side_by_side", lambda _: suites[:-1]), contextlib.redirect_stdout(output), \
            mock.patch.object(check, "in_between", lambda _: fillers), mock.patch.object(check, "alone", lambda _: suites[-1:]):
        code = check.main("build")
    return output.getvalue().splitlines(), code


def started_with_a_late_suite(note):
    """The process of a check whose only suite, a nice one, does not end by itself, and the number of that one.  It heeds Ctrl-C also where whoever runs this does not."""
    script = (f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); import check; check.side_by_side = check.alone = lambda _: []; "
              f"check.in_between = lambda _: [('late', ['sh', '-c', 'echo $$ > {note}.part; mv {note}.part {note}; exec sleep 1000'])]; check.main('build')")
    folder = os.path.dirname(os.path.abspath(check.__file__))
    checking = subprocess.Popen([sys.executable, "-c", script], cwd=os.path.dirname(folder), stderr=subprocess.DEVNULL,
                                env={**os.environ, "PYTHONPATH": folder})
    while not os.path.exists(note) and checking.poll() is None:
        time.sleep(0.05)
    with open(note, encoding="ascii") as file:
        return checking, int(file.read())


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/cmdline", encoding="ascii") as words:
            return "1000" in words.read()
    except OSError:
        return False


class Failures(unittest.TestCase):
    def test_good_suites_need_a_line_each(self):
        lines, code = said("echo 2 passed, 0 failed", "echo 3 passed, 0 failed")
        self.assertEqual((len(lines), lines[-1], code), (3, "5 passed, 0 failed", False))

    def test_who_computes_in_between_is_nice(self):
        is_as_here = f"test $(nice) = {os.nice(0)}; echo %d passed, $? failed"
        lines, _ = said(is_as_here % 1, is_as_here % 2, in_between=[is_as_here % 4])
        self.assertEqual(lines[-1], "7 passed, 1 failed")

    @unittest.skipUnless(os.path.exists("/proc/self/autogroup"), "the kernel does not schedule sessions as groups")
    def test_who_computes_in_between_is_nice_as_a_group(self):
        is_nice = "grep -q 'nice 15$' /proc/self/autogroup; echo %d passed, $? failed"
        lines, _ = said(is_nice % 1, is_nice % 2, in_between=[is_nice % 4])
        self.assertEqual(lines[-1], "7 passed, 2 failed")

    def test_a_signal_ends_all(self):
        for number in (signal.SIGINT, signal.SIGKILL):
            with tempfile.TemporaryDirectory() as folder:
                checking, suite = started_with_a_late_suite(f"{folder}/pid")
                self.addCleanup(checking.kill)
                checking.send_signal(number)
                self.assertNotEqual(checking.wait(PATIENCE), 0)
                self.assertEqual(still_left(lambda pid=suite: [pid] if is_alive(pid) else [], PATIENCE), [])

    def test_a_case_among_thousands(self):
        lines, code = said(f"{MANY}; echo 'FAILED one: bad'; echo '    why'; {MANY}; echo 6000 passed, 1 failed")
        self.assertEqual(lines[1:], ["FAILED one: bad", "    why", "6000 passed, 1 failed", "suite 0: FAILED one: bad",
                                     "6000 passed, 1 failed"])
        self.assertTrue(code)

    def test_all_cases_are_named_at_the_end(self):
        lines, _ = said("echo FAILED a: x; echo FAILED b: y; echo 0 passed, 2 failed", f"printf '{CMOCKA}'; exit 1")
        self.assertEqual(lines[-4:], ["suite 0: FAILED a: x", "suite 0: FAILED b: y", "suite 1: [  FAILED  ] second",
                                      "1 passed, 3 failed"])

    def test_suites_that_name_no_case(self):
        lines, _ = said("exit 3", "echo seed 5 differs; echo more; echo 5 passed, 1 failed", "echo 5 passed, 0 failed; kill -SEGV $$")
        self.assertEqual(sorted(lines[-4:-1]), ["suite 0: ends with 3", "suite 1: seed 5 differs", "suite 2: ends with -11"])
        self.assertEqual(lines[-1], "10 passed, 3 failed")

    def test_a_suite_that_cannot_be_started(self):
        with mock.patch.object(check, "alone", lambda _: [("none", ["/not/there"])]), \
                mock.patch.object(check, "in_between", lambda _: []), \
                mock.patch.object(check, "side_by_side", lambda _: []), contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertTrue(check.main("build"))
        self.assertIn("none: FAILED to start: [Errno 2]", output.getvalue())

    def test_much_is_said_of_few(self):
        lines, _ = said("echo FAILED a: x; seq 100000; echo 0 passed, 1 failed")
        self.assertLess(sum(map(len, lines)), 2 * check.SHOWN)
        self.assertIn("FAILED a: x", lines)

    def test_adversaries_without_tourney(self):
        program = mock.Mock(compiled=lambda *_: ["/bin/true"])
        with tempfile.TemporaryDirectory() as build:
            os.makedirs(f"{build}/{adversarial.FOLDER}")
            self.assertIn("No such file", wrong_with(adversarial.searched, build, program, "mpich", "-n 2", "--merge"))


if __name__ == "__main__":
    unittest.main()
