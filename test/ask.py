#!/usr/bin/python3
"""tourney ask: the scenarios of examples/ have the answers they expect; words, exit codes and bad input.

usage: ask.py TOURNEY
"""
import glob
import os
import sys
import tempfile
import unittest

from lib.building import ROOT
from lib.running import plainly

TOURNEY = sys.argv.pop() if len(sys.argv) > 1 else "build/tourney"
SEND = "P0 | P1\nsend 1 to 1 | recv x from 0\n"


def ask(*arguments):
    return plainly([TOURNEY, "ask", *arguments])


class Scenarios(unittest.TestCase):
    def ask_text(self, text, *options):
        with tempfile.NamedTemporaryFile("w", suffix=".scn") as file:
            file.write(text)
            file.flush()
            run = ask(*options, file.name)
            return run.code, run.out + run.err.replace(file.name, "FILE")

    def test_examples(self):
        """Each is asked alone, so that a failure names its file."""
        files = sorted(glob.glob("examples/scenarios/*.scn"))
        self.assertGreater(len(files), 30)
        for file in files:
            with self.subTest(file):
                run = ask("--quiet", file)
                self.assertEqual(run.code, 0, run.said())
                with open(file) as text:
                    words = [line.split(" ")[0] for line in text]
                self.assertEqual(words.count("assert"), words.count("expect"), "each assertion says what is expected")

    def test_answers(self):
        for claim, answer in [("x == 1", "sometimes"), ("x == 1 or deadlock", "always"), ("x == 2", "never")]:
            code, told = self.ask_text("P0 | P1\nsend 1 to 1 | y = 5\nrecv from 1 | send 2 to 0\n | recv x from 0\n"
                                       f"assert {claim}\nexpect {answer}\n")
            self.assertEqual(code, 0, told)
            self.assertIn(f"{answer}, as expected", told)

    def test_taken_is_not_received(self):
        """A synchronous send completes when the receive of what a matched probe took has started, not before (M6)."""
        taking = "P0 | P1\nm: mprobe from 1 | s: ssend 1 to 0\nw: mrecv x of m | send 2 to 0 tag 1\nrecv y from 1 tag 1 |\n"
        for claim, answer in [("w starts before s completes", "always"), ("m returns before s completes", "always"),
                              ("s returns before w returns", "sometimes"), ("deadlock", "never")]:
            code, told = self.ask_text(f"{taking}assert {claim}\nexpect {answer}\n")
            self.assertEqual(code, 0, told)
        late = "P0 | P1\nm: mprobe from 1 | ssend 1 to 0\nrecv y from 1 tag 1 | send 2 to 0 tag 1\nmrecv x of m |\n"
        code, told = self.ask_text(late + "assert deadlock\nexpect always\n")
        self.assertEqual(code, 0, told)

    def test_windows(self):
        """What cannot be said with a window is refused by name."""
        head, columns = "window 2\nbuffering infinite\n", "P0 | P1\n"
        for text, why in [
                (f"{columns}put 1 to 1 |\n", "FILE:2:5: there is no window for this put: 'window N' before the columns makes one"),
                (f"window 17\n{columns}", "FILE:1:8: a window has 1 to 16 numbers at each rank"),
                (f"{head}{columns}put 1 to 1 at 2 |\n", "FILE:4:15: the numbers of a window are 0 to 1"),
                (f"{head}{columns}r = 1; put 1 to r |\n", "the target of an access is a number"),
                (f"{head}{columns}a: put 1 to 1; wait a |\n", "a put is completed by calls about its epoch, not by wait"),
                (f"{head}{columns}accumulate 1 op no_op to 1 |\n", "the operators are sum, prod, max and min"),
                (f"{head}{columns}compare_and_swap 1 to 1 |\n", "a compare_and_swap has two values"),
                (f"{head}{columns}win_start |\n", "this win_start lacks the rank that it is about"),
                (f"{head}{columns}win_sync |\n", "'win_sync' is not a statement"),
                (f"{head}{columns}a: win_fence | win_fence\nassert a returns\n", "orders of events cannot be asked for")]:
            code, told = self.ask_text(text)
            self.assertEqual(code, 3, told)
            self.assertIn(why, told)

    def test_windows_outside_of_an_epoch(self):
        for calls in ["put 1 to 1", "win_lock 1; win_lock 1", "win_unlock 1", "win_wait", "win_lock 1; win_fence", "win_start 1; put 1 to 0"]:
            code, told = self.ask_text(f"window 1\nbuffering infinite\nP0 | P1\n{calls} |\nassert error\nexpect always\n")
            self.assertEqual(code, 0, told)
            self.assertIn("calls this where no epoch of the window allows it", told)

    def test_results_of_windows_are_drawn(self):
        code, told = self.ask_text("window 1\nbuffering zero\nP0 | P1\nwin_lock 1 |\nfetch_and_op 3 into x to 1 |\nfetch_and_op op no_op into y to 1 |\n"
                                   "win_unlock 1 |\nassert x == 0\nexpect always\n")
        self.assertEqual(code, 0, told)
        self.assertIn("    win_unlock 1\n      -> x = 0, y = 3\n", told)
        self.assertIn("races were not looked for", told)

    def test_parts_and_ports(self):
        """What cannot be said of messages in parts, and of ports, is refused by name."""
        for calls, why in [
                ("psend_init 1 to 1", "this psend_init needs a label: nobody could use it"),
                ("a: psend_init to 1", "a psend_init has 1 to 8 partitions, a value each"),
                ("a: precv_init x from any", "here should be a rank"),
                ("r = 1; a: psend_init 1 to r", "the other side of a psend_init is a number"),
                ("a: psend_init 1 to 1; pready of a", "a pready names its partition, by number"),
                ("a: psend_init 1 to 1; pready_range 0 of a", "a pready_range names the first partition and the last"),
                ("a: psend_init 1 to 1; parrived 0 of a", "a parrived is about one precv_init"),
                ("a: isend 1 to 1; pready 0 of a", "a pready is about one psend_init"),
                ("a: psend_init 1 to 1; waitany a as i", "what is sent in parts is waited for by wait, waitall or test"),
                ("a: psend_init 1 to 1; cancel a", "what is sent in parts cannot be cancelled"),
                ("comm_connect to 1 tag 2", "'tag' cannot follow in a comm_connect"),
                ("comm_connect to 1 port x", "a port of a rank is a number"),
                ("comm_accept from 1", "'from' cannot follow in a comm_accept")]:
            with self.subTest(calls):
                code, told = self.ask_text(f"P0 | P1\n{calls} |\n")
                self.assertEqual(code, 3, told)
                self.assertIn(why, told)
        code, told = self.ask_text("P0 | P1\na: psend_init 1 to 1 |\nassert a starts\n")
        self.assertEqual(code, 3, told)
        self.assertIn("orders of events cannot be asked for where messages are sent in parts", told)

    def test_wrong_use_of_parts(self):
        made = "a: psend_init 1, 2 to 1"
        for calls, fault in [("pready 0 of a", "names a partition that is not there, not started, or marked ready already"),
                             ("start a; pready 0 of a; pready 0 of a", "names a partition"), ("start a; pready 2 of a", "names a partition"),
                             ("start a; pready_range 1, 0 of a", "names a partition"), ("start a; start a", "whose request is still in use"),
                             ("start a; free a", "cancels, frees or receives what is not there"), ("free a; start a", "what is not there"),
                             ("if 1 == 2; b: psend_init 1 to 1; end; start b", "what is not there")]:
            with self.subTest(calls):
                code, told = self.ask_text(f"buffering infinite\nP0 | P1\n{made}; {calls} |\nassert error\nexpect always\n")
                self.assertEqual(code, 0, told)
                self.assertIn(fault, told)

    def test_parts_are_drawn(self):
        told = self.ask_text("buffering zero\nP0 | P1\na: psend_init 3, 4 to 1 | b: precv_init x, y from 0\nstart a | start b\n"
                             "pready_list 1, 0 of a | parrived 1 of b as f\nwait a | wait b\nassert f == 1\n")[1]
        self.assertIn("    pready_list 1, 0 of a   | parrived 1 of b as f\n"
                      "    wait a                  |   -> b: y = 4 from P0\n"
                      "                            | wait b\n"
                      "                            |   -> b: x = 3 from P0\n", told)

    def test_other_than_expected(self):
        code, told = self.ask_text(SEND + "assert x == 1\nexpect never\n")
        self.assertEqual(code, 1)
        self.assertIn("x == 1: always, but never was expected", told)

    def test_no_expectation(self):
        code, told = self.ask_text(SEND + "assert x == 2\n")
        self.assertEqual(code, 0)
        self.assertIn("x == 2: never\n", told)

    def test_run_is_drawn(self):
        told = self.ask_text(SEND + "assert x == 1\n")[1]
        self.assertIn("    P0          | P1\n"
                      "    send 1 to 1 | recv x from 0\n"
                      "                |   -> x = 1 from P0\n", told)
        self.assertNotIn("does not hold", told)
        self.assertNotIn("A run", self.ask_text(SEND + "assert x == 1\n", "--quiet")[1])

    def test_deadlock_says_what_is_not_buffered(self):
        told = self.ask_text("P0 | P1\nsend 1 to 1 | send 2 to 0\nrecv from 1 | recv from 0\nassert deadlock\n")[1]
        self.assertIn("is stuck", told)
        self.assertIn("wait here for the other side", told)

    def test_stopped_early(self):
        code, told = self.ask_text("P0 | P1 | P2\nrecv x from any | send 1 to 0 | send 1 to 0\nrecv y from any |\n"
                                   "assert P0.x == 1\nexpect always\n", "--max-runs", "1")
        self.assertEqual(code, 2, told)
        self.assertIn("so far it holds", told)

    def test_endless(self):
        for body in ["while 1 == 1 |\nx = x + 1 |\nend |\n", "while 1 == 1 |\na: psend_init 1 to 1 |\nfree a |\nend |\n",
                     "while 1 == 1 | while 1 == 1\nx = x + 1 | recv from 0\nsend x to 1 | end\nend |\n"]:
            code, told = self.ask_text("P0 | P1\n" + body + "assert error\n")
            self.assertEqual(code, 0, told)
            self.assertIn("a scenario has to come to an end", told)

    def test_polling_in_vain(self):
        code, told = self.ask_text("P0 | P1\nwhile f == 0 | z = 1\n  iprobe from 1 as f |\nend |\n"
                                   "assert deadlock\nexpect always\n")
        self.assertEqual(code, 0, told)
        self.assertEqual(told.count("is stuck"), 1, told)

    def test_bad_input(self):
        for text, where, words in [
            ("", "1:1", "there are no columns"),
            ("P0 | P2\n", "1:6", "the head of this column is P1"),
            ("P0 | P1\nsend 1 to 2 | recv x from 0\n", "2:11", "there is no P2"),
            ("comm c = 0 x\nP0 | P1\nx = 1 | y = 1\n", "1:12", "here should be a rank"),
            ("P0 | P1\n | recv x form 0\n", "2:11", "'form' cannot follow in a recv"),
            ("P0\nwait r\n", "2:6", "P0 has no request 'r' up to here"),
            ("P0\nif 1 == 1\n", "2:1", "has no 'end'"),
            ("P0\nsend y to 0\n", "2:6", "P0 never sets its variable 'y'"),
            ("P0\nfly to 0\n", "2:1", "'fly' is not a statement"),
            (SEND + "assert x = 1\n", "3:10", "'=='"),
            (SEND + "assert y == 1\n", "3:8", "no column has a variable or label 'y'"),
            (SEND + "expect always\n", "3:8", "behind its 'assert'"),
            ("P0 | P1\n | |send 1 to 0\n", "2:5", "there are only 2 columns"),
            ("buffering some\nP0\n", "1:11", "any, zero or infinite"),
            ("P0\nwhile x == 0\na: iprobe from 0 as x\nend\nassert a returns\n", "5:10", "in a loop"),
            ("P0\nx = 99999999\n", "2:5", "numbers are smaller"),
        ]:
            with self.subTest(text):
                code, told = self.ask_text(text)
                self.assertEqual(code, 3, told)
                self.assertIn(f"FILE:{where}: ", told)
                self.assertIn(words, told)
                self.assertEqual(told.count("\n"), 1, told)

    def test_model(self):
        """A scenario is a program for tourney model, too: searched with and without reduction."""
        for name in ("vo-figure-1-1", "vo-figure-2-5", "palmer-ready-and-cancel", "vakkalanka-figure-1a-zero", "parts-early", "parts-pairs", "ports-order"):
            run = plainly([TOURNEY, "model", f"examples/scenarios/{name}.scn", "--check"])
            self.assertLess(run.code, 2, run.said())
            self.assertEqual(run.out.count("reduction"), 2, run.out)
        run = plainly([TOURNEY, "model", "-n", "2", "examples/scenarios/vo-figure-2-5.scn"])
        self.assertEqual(run.code, 3)
        self.assertEqual(run.err.count("\n"), 1, run.err)

    def test_no_file(self):
        for arguments in [(), ("/nonexistent.scn",), ("--wings",), ("--time", "x", "a.scn")]:
            run = ask(*arguments)
            self.assertEqual(run.code, 3)
            self.assertEqual(run.err.count("\n"), 1, run.err)


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
