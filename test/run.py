#!/usr/bin/python3
"""Run the programs of test/prog under tourney and compare them with mpiexec.

The head comment of a program says how it is run and what must come out:

    run: -n N ARGS   one test per such line. {tmp} is a fresh directory, which is
                     also the working directory; {bin} holds the built programs
    exit: CODE       the exit code, of tourney and of mpiexec (default 0)
    compare: WHAT    stdout (default): sorted standard output is mpiexec's, or, if
                     the exit code is not 0, holds it: mpiexec loses the last words
                     of ranks that it ends.  Open MPI's is asked for both libraries,
                     or, with --all, each for its own; each: that is done in any case, for
                     libraries say different things; a library: stdout, but only that
                     library's mpiexec is asked; none: mpiexec is not asked
    expect: WORDS    what tourney must say, see Expectation
    stdin: TEXT      standard input, \\n and so on are escapes
    env: NAME=VALUE  added to the environment
    mpi: NAME ...    only with these libraries
    build: plain     compiled without MPI
    libs: FLAGS      added when linking
    plugin: FILE     built with MPI as {bin}/FILE.so
    needs: NAME ...  other programs that must be there
    options: FLAGS   of tourney, before the program
    signal: NAME     sent to tourney when the program says "ready"
    timeout: SECONDS of one run (default 180)

A file without a run line is no test of its own. Exit status 0 if all passed.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import difflib
import fnmatch
import glob
import hashlib
import json
import os
import re
import shlex
import signal
import sys
import tempfile

from lib import Failure
from lib.building import COMPILERS, LIBRARIES, PYTHON, ROOT, compiled, compiler_for, line_of
from lib.leftovers import expect_no_shared_memory, hear_signals, shared_memory
from lib.running import MPIEXEC, Run, watched
from lib.suite import Count, attempt

PROGRAMS = os.path.join(ROOT, 'test', 'prog')
BUILD = os.path.join(ROOT, 'build', 'test')
PLAIN_COMPILERS = {'.c': 'gcc', '.cc': 'g++', '.f90': 'gfortran'}
SCRIPTS = ('.py', '.sh')
CFLAGS = ['-g', '-O1']
HEAD_LINES = 40
SHOWN_LINES = 12

# Processes that others have started are reached by TCP.  All are on this machine, and which of its other addresses reach it, Open MPI 5
# does not always know.
MPIEXEC_ENV = {
    'mpich': {},
    'openmpi': {'OMPI_MCA_btl_vader_single_copy_mechanism': 'none',
                'OMPI_MCA_btl_tcp_if_include': 'lo',
                'OMPI_MCA_rmaps_base_oversubscribe': '1'},
}


class Program:
    """A source file and what its head comment says."""

    def __init__(self, path):
        self.path = path
        self.name, self.kind = os.path.splitext(os.path.basename(path))
        self.head = {}
        key = re.compile(r'^\s*(?:\*|!|#|//)?\s*'
                         r'(run|exit|compare|expect|stdin|env|mpi|build|libs|plugin|needs'
                         r'|options|signal|timeout)'
                         r':\s*(.*?)\s*$')
        with open(path, encoding='utf-8') as source:
            self.text = source.read()
        for line in self.text.splitlines()[:HEAD_LINES]:
            found = key.match(line)
            if found:
                self.head.setdefault(found[1], []).append(found[2])

    def words(self, key):
        return [word for line in self.head.get(key, []) for word in shlex.split(line)]

    def value(self, key, default):
        return self.head.get(key, [default])[-1]

    def binary(self, mpi):
        if self.kind in SCRIPTS:
            return self.path
        return os.path.join(BUILD, mpi, self.name)


def compile_one(mpi, source, target, compiler, flags):
    """Anew, too, if a header or this file has changed."""
    headers = glob.glob(os.path.join(PROGRAMS, '*.h'))
    compiled(mpi, source, target, *CFLAGS, *flags, compiler=compiler, after=[*headers, os.path.abspath(__file__)])


def build(program, mpi):
    """Compiles a program and its plugin for one library."""
    # gcc takes MPI_STATUSES_IGNORE and MPI_UNWEIGHTED for arrays that are too short.
    warn = ['-Wall', '-Wextra', '-Werror', '-Wno-stringop-overflow', '-Wno-stringop-overread',
            '-Wno-deprecated-declarations']
    if program.kind != '.c':
        warn = []
    for plugin in program.words('plugin'):
        compile_one(mpi, os.path.join(PROGRAMS, plugin), os.path.join(BUILD, mpi, plugin + '.so'),
                    'mpicc.' + mpi, warn + ['-shared', '-fPIC'])
    if program.kind in SCRIPTS:
        return
    flags = warn + program.words('libs')
    if program.value('build', 'mpi') == 'plain':
        compile_one(None, program.path, program.binary(mpi), PLAIN_COMPILERS[program.kind], flags)
    else:
        compile_one(mpi, program.path, program.binary(mpi), compiler_for(mpi, program.path), flags)


class Expectation:
    """What tourney must say: `expect: deadlock`, `expect: rank 1 MPI_Recv at HERE`.

    All words must stand in one line of its output, in any order and case.
    `rank N` is one such word; `at LABEL` stands for file:line of the source
    line that carries the comment LABEL; quotes keep several words together.
    """

    def __init__(self, text, program):
        self.text = text
        self.patterns = []
        words = iter(shlex.split(text))
        for word in words:
            if word == 'rank':
                pattern = r'\brank %s\b' % next(words)
            elif word == 'at':
                place = '%s:%d' % (os.path.basename(program.path), line_of(program.text, next(words)))
                pattern = re.escape(place) + r'\b'
            else:
                pattern = re.escape(word)
            self.patterns.append(re.compile(pattern, re.IGNORECASE))

    def met_by(self, output):
        return any(all(pattern.search(line) for pattern in self.patterns)
                   for line in output.splitlines())


class Test:
    """One run line of one program with one library."""

    def __init__(self, program, mpi, number):
        self.program = program
        self.mpi = mpi
        self.name = program.name + ('/%d' % (number + 1) if number else '')
        words = program.head['run'][number].split(None, 2)
        if words[0] != '-n':
            raise SystemExit('%s: a run line starts with -n N' % program.path)
        self.ranks = words[1]
        self.args = shlex.split(words[2]) if len(words) > 2 else []
        self.exit = int(program.value('exit', '0'))
        compare = program.value('compare', 'stdout')
        self.compared = compare in ('stdout', 'each', mpi)
        self.as_with_other = compare == 'stdout'
        self.timeout = float(program.value('timeout', '180'))
        self.stdin = program.value('stdin', '').encode().decode('unicode_escape')
        self.env = dict(word.split('=', 1) for word in program.words('env'))

    def label(self):
        return '%s [%s]' % (self.name, self.mpi)

    def command(self):
        interpreter = [PYTHON] if self.program.kind == '.py' else []
        return interpreter + [self.program.binary(self.mpi)] + self.args

    def files(self):
        """Everything whose content decides what the program prints."""
        here = os.path.join(BUILD, self.mpi)
        return ([self.program.binary(self.mpi)]
                + [os.path.join(here, plugin + '.so') for plugin in self.program.words('plugin')]
                + [os.path.join(here, name) for name in self.program.words('needs')])

    def run(self, launcher, env, **how):
        """Runs the program in a directory that is gone afterwards; what is left then is told."""
        with tempfile.TemporaryDirectory(prefix='tt') as folder:
            tmp, here = os.path.realpath(folder), os.path.join(BUILD, self.mpi)
            command = [word.replace('{tmp}', tmp).replace('{bin}', here) for word in self.command()]
            outcome = watched(launcher + ['-n', self.ranks] + command, {**self.env, **env}, self.stdin.encode(),
                              cwd=tmp, patience=self.timeout, clean=False, **how)
            outcome.out = outcome.out.replace(tmp, '{tmp}')
            return outcome

    def run_tourney(self, tourney):
        launcher = [tourney, 'run'] + self.program.words('options')
        name = self.program.value('signal', None)
        interrupt = {'word': 'ready', 'during': lambda process: process.send_signal(getattr(signal, 'SIG' + name))}
        return self.run(launcher, {}, **(interrupt if name else {}))

    def key(self):
        digest = hashlib.sha256()
        for word in [*MPIEXEC[self.mpi], self.ranks, *self.args, self.stdin, *self.env.items()]:
            digest.update(repr(word).encode())
        for path in self.files():
            with open(path, 'rb') as content:
                digest.update(content.read())
        return digest.hexdigest()

    def run_mpiexec(self):
        """Runs mpiexec, again if it fails: on a busy machine it does so now and then."""
        for _ in range(3):
            try:
                outcome = self.run(MPIEXEC[self.mpi], MPIEXEC_ENV[self.mpi])
            except Failure as late:
                failure = late
                continue
            if outcome.code == self.exit:
                return outcome
            failure = Failure('mpiexec: exit code %d, not %d\n%s' % (
                outcome.code, self.exit, tail(outcome.said())))
        raise failure

    def reference(self):
        """What mpiexec makes of the program, remembered for this very binary."""
        path = os.path.join(BUILD, self.mpi, 'reference', self.name.replace('/', '-') + '.json')
        key = self.key()
        try:
            with open(path, encoding='utf-8') as kept:
                record = json.load(kept)
            if record['key'] == key:
                return Run([], record['code'], record['stdout'], '')
        except (OSError, ValueError, KeyError):
            pass
        outcome = self.run_mpiexec()
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + '.part', 'w', encoding='utf-8') as kept:
            json.dump({'key': key, 'code': outcome.code, 'stdout': outcome.out}, kept)
        os.rename(path + '.part', path)
        return outcome

    def same_output(self, reference, ours):
        if self.exit != 0:
            return not collections.Counter(reference) - collections.Counter(ours)
        return reference == ours

    def check(self, tourney, reference):
        """Runs tourney; raises Failure unless all is as it must be."""
        outcome = self.run_tourney(tourney)
        said = outcome.said()
        if outcome.code != self.exit:
            raise Failure('exit code %d, not %d\n%s' % (outcome.code, self.exit, tail(said)))
        if reference and not self.same_output(reference.lines(), outcome.lines()):
            diff = list(difflib.unified_diff(reference.lines(), outcome.lines(), 'mpiexec',
                                             'tourney', lineterm='', n=0))[2:]
            raise Failure('output differs (- mpiexec, + tourney)\n'
                          + '\n'.join(diff[:SHOWN_LINES]))
        for text in self.program.head.get('expect', []):
            if not Expectation(text, self.program).met_by(said):
                raise Failure('does not say: %s\n%s' % (text, tail(said)))
        if outcome.left:
            raise Failure('left behind: ' + ' '.join(outcome.left))


def head(text):
    return '\n'.join(text.splitlines()[:SHOWN_LINES])


def tail(text):
    return '\n'.join(text.splitlines()[-SHOWN_LINES:])


def collect(options):
    """The tests asked for; asking for none of them is a mistake."""
    tests = []
    wanted = {os.path.splitext(os.path.basename(prog))[0] for prog in options.prog}
    for name in sorted(os.listdir(PROGRAMS)):
        if os.path.splitext(name)[1] not in (*COMPILERS, *SCRIPTS):
            continue
        program = Program(os.path.join(PROGRAMS, name))
        if wanted and program.name not in wanted:
            continue
        if options.only and not fnmatch.fnmatch(program.name, options.only):
            continue
        for mpi in options.mpi.split(','):
            if mpi in (program.words('mpi') or LIBRARIES):
                tests += [Test(program, mpi, number)
                          for number in range(len(program.head.get('run', [])))]
    unknown = wanted - {test.program.name for test in tests}
    if unknown or not tests:
        sys.exit('no such test: %s' % (' '.join(sorted(unknown)) or options.only or options.mpi))
    return tests


def build_all(tests, workers):
    """Compiles what the tests need; returns the failure of each program that has one."""
    wanted = {}
    for test in tests:
        for name in [test.program.name] + test.program.words('needs'):
            wanted[name, test.mpi] = None
    sources = {os.path.splitext(name)[0]: os.path.join(PROGRAMS, name)
               for name in os.listdir(PROGRAMS) if not name.endswith('.h')}
    jobs = {item: workers.submit(attempt, build, Program(sources[item[0]]), item[1]) for item in wanted}
    return {item: job.result() for item, job in jobs.items()}


def reference_of(test, failure, options):
    """(why the program cannot be run, what mpiexec makes of it if it is to be compared)"""
    try:
        asked = not failure and test.compared and not options.no_reference
        return failure, test.reference() if asked else None
    except (Failure, OSError) as problem:
        return str(problem), None


def asked_in_place(test, tests, options):
    """The test whose mpiexec is asked: that of Open MPI gives way to others where ranks wait, and what it says both libraries say."""
    others = (other for other in tests if other.name == test.name and other.mpi == 'openmpi')
    return test if options.all or not test.as_with_other else next(others, test)


def run_all(tests, options, results):
    with contextlib.ExitStack() as stack:
        workers = stack.enter_context(concurrent.futures.ThreadPoolExecutor(options.jobs))
        # One mpiexec of each library at a time: ranks of MPICH spin, two of its jobs would starve each other; those of Open MPI give way.
        launchers = {mpi: stack.enter_context(concurrent.futures.ThreadPoolExecutor(1)) for mpi in LIBRARIES}
        broken = build_all(tests, workers)
        asking = {test: asked_in_place(test, tests, options) for test in tests}
        asked = {test: launchers[test.mpi].submit(reference_of, test, broken[test.program.name, test.mpi], options)
                 for test in dict.fromkeys(asking.values())}
        jobs = {}
        for test in tests:
            failure, reference = asked[asking[test]].result()
            failure = failure or broken[test.program.name, test.mpi]
            if failure or options.reference_only:
                results.add(test.label(), failure)
            else:
                jobs[test] = workers.submit(attempt, test.check, options.tourney, reference)
        for test, job in jobs.items():
            results.add(test.label(), job.result())


def main():
    hear_signals()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--tourney', default=os.path.join(ROOT, 'build', 'tourney'))
    parser.add_argument('--mpi', default=','.join(LIBRARIES))
    parser.add_argument('--only', metavar='PATTERN', help='names that match, e.g. "coll_*"')
    parser.add_argument('--all', action='store_true', help="each library's own mpiexec is asked")
    parser.add_argument('-j', dest='jobs', type=int, default=2)
    parser.add_argument('--no-reference', action='store_true',
                        help='exit codes and self-checks only, no mpiexec')
    parser.add_argument('--reference-only', action='store_true', help='mpiexec only, no tourney')
    parser.add_argument('prog', nargs='*')
    options = parser.parse_args()
    options.tourney = os.path.abspath(options.tourney)
    if not options.reference_only and not os.access(options.tourney, os.X_OK):
        sys.exit('%s: not there; run make first' % options.tourney)

    before = shared_memory()
    results = Count()
    run_all(collect(options), options, results)
    results.add('no shared memory left', attempt(expect_no_shared_memory, before))
    return results.end()


if __name__ == '__main__':
    sys.exit(main())
