#!/usr/bin/python3
"""TOURNEY_LOG: what tourney tells those who work on it."""
import os
import subprocess
import tempfile
import unittest

TOURNEY = os.path.abspath("build/tourney")
QUESTION = "P0 | P1\nsend 1 to 1 | recv x from any\nassert P1.x == 1\n"


def ask(areas):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(QUESTION)
        file.flush()
        return subprocess.run([TOURNEY, "ask", file.name], env={**os.environ, "TOURNEY_LOG": areas}, check=False,
                              capture_output=True, text=True, timeout=60)


class Log(unittest.TestCase):
    def test_areas_that_are_on_are_told(self):
        done = ask("explore")
        lines = done.stderr.splitlines()
        self.assertTrue(lines, done)
        for line in lines:
            self.assertRegex(line, r"^ *\d+\.\d{6} explore state \d+")
        self.assertTrue(any("run 1 ends: clean" in line for line in lines), lines)

    def test_nothing_is_told_otherwise(self):
        for areas in ("", "drive", ",drive,,world"):
            self.assertEqual(ask(areas).stderr, "")
        self.assertEqual(ask("").stdout.splitlines()[1:], ask("explore").stdout.splitlines()[1:])

    def test_what_is_no_area_is_refused(self):
        done = ask("drive,sem")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "tourney: TOURNEY_LOG: 'sem' is not one of explore, drive, world, play, dist, predict, flow, check, all\n")


if __name__ == "__main__":
    unittest.main()
