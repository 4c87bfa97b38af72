"""Cases, how each went, and the last line, `N passed, M failed`.

A case says what is wrong as a text, or None; or it is a function that raises Failure.
"""
import concurrent.futures
import functools
import os
import subprocess
import sys
import tempfile

from lib import Failure
from lib.building import LIBRARIES
from lib.leftovers import hear_signals


def wrong_with(case, *arguments):
    """What a case says is wrong, or None; whatever goes wrong in it, the others go on."""
    try:
        return case(*arguments)
    except (Failure, AssertionError) as failure:
        return str(failure) or type(failure).__name__
    except subprocess.TimeoutExpired as late:
        return f"no end after {late.timeout:g} s: {' '.join(map(str, late.cmd))}"
    except Exception as problem:  # a broken test is a failed one
        return f"{type(problem).__name__}: {problem}"


def attempt(function, *arguments):
    """Why a case failed that raises Failure, or None."""
    def case():
        function(*arguments)
    return wrong_with(case)


class Count:
    """Prints how each case went, and counts."""

    def __init__(self):
        self.passed = self.failed = 0

    def add(self, name, wrong):
        self.passed += wrong is None
        self.failed += wrong is not None
        if wrong is None:
            print(f"ok {name}", flush=True)
        else:
            text = wrong.rstrip("\n").replace("\n", "\n    ")
            print(f"FAILED {name}: {text}", flush=True)

    def end(self):
        """The last line, and the exit code."""
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return int(self.failed != 0)


def each(function, items, workers=None):
    """Yields (item, function(item)) for each of them, several at a time, in their order."""
    items = list(items)
    with concurrent.futures.ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        yield from zip(items, pool.map(function, items))


def do_all(function, items):
    """The same for those who do not want to know what comes out."""
    for _ in each(function, items):
        pass


def tell(function, items, label):
    """A suite of cases that do not look at the clock: several at a time, and told in their order; the exit code."""
    count = Count()
    for item, wrong in each(functools.partial(wrong_with, function), items):
        count.add(label(item), wrong)
    return count.end()


class Cases:
    """Functions that are cases, by their names."""

    def __init__(self):
        self.all = []

    def add(self, name, function, *arguments):
        self.all.append((name, functools.partial(function, *arguments)))

    def test(self, function):
        self.add(function.__name__.replace("_", " "), function)
        return function

    def on_each_library(self, function):
        for mpi in LIBRARIES:
            self.add(f"{function.__name__.replace('_', ' ')} [{mpi}]", function, mpi)
        return function

    def wanted(self, words):
        """Those whose name has one of the words; all, if there are none."""
        words = [word.replace("_", " ") for word in words]
        return [(name, function) for name, function in self.all if not words or any(word in name for word in words)]

    def run(self, words, count, *arguments, workers=1):
        """Those that are wanted, with these arguments."""
        for (name, _), wrong in each(lambda case: attempt(case[1], *arguments), self.wanted(words), workers):
            count.add(name, wrong)


class Setting:
    """What the cases of a suite share: the tourney that they try, and a folder for as long as they run."""

    tourney = folder = None

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run(self, program, cases, words=(), prepare=None, workers=1, at_last=()):
        """Tries the cases with one of the words in their name, then those `at_last`; the exit code."""
        hear_signals()
        self.tourney = os.path.realpath(program)
        if not os.access(self.tourney, os.X_OK):
            sys.exit(f"{program}: not there; run make first")
        count = Count()
        with tempfile.TemporaryDirectory(prefix="tt") as folder:
            self.folder = os.path.realpath(folder)
            wrong = attempt(prepare) if prepare else None
            if wrong:
                count.add("to prepare", wrong)
                return count.end()
            cases.run(words, count, workers=workers)
            for name, function in at_last:
                count.add(name, attempt(function))
        return count.end()
