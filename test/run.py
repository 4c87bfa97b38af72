#!/usr/bin/python3
"""Run the programs of test/prog under tourney and compare them with mpiexec.

The head comment of a program says how it is run and what must come out:

    run: -n N ARGS   one test per such line. {tmp} is a fresh directory, which is
                     also the working directory; {bin} holds the built programs
    exit: CODE       the exit code, of tourney and of mpiexec (default 0)
    compare: WHAT    stdout (default): sorted standard output is mpiexec's, or, if
                     the exit code is not 0, holds it: mpiexec loses the last words
                     of ranks that it ends; none: mpiexec is not asked
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
import difflib
import fnmatch
import functools
import glob
import hashlib
import json
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

from cli import hear_signals, in_use

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = os.path.join(ROOT, 'test', 'prog')
BUILD = os.path.join(ROOT, 'build', 'test')
PYTHON = '/usr/bin/python3'
LIBRARIES = ('mpich', 'openmpi')
COMPILERS = {'.c': 'mpicc', '.cc': 'mpicxx', '.f90': 'mpifort'}
PLAIN_COMPILERS = {'.c': 'gcc', '.cc': 'g++', '.f90': 'gfortran'}
SCRIPTS = ('.py', '.sh')
CFLAGS = ['-g', '-O1']
PATIENCE = 30  # seconds in which everything must be gone, on a busy machine
MARK = 'TEST_RUN_MARK'  # finds the processes of a run, whatever became of their parents
HEAD_LINES = 40
SHOWN_LINES = 12

# Quick start and no spinning; the libraries' own ways of being polite on a busy machine.
MPIEXEC = {
    'mpich': ['mpiexec.mpich'],
    'openmpi': ['mpiexec.openmpi', '--oversubscribe', '--allow-run-as-root',
                '--mca', 'mpi_yield_when_idle', '1'],
}
MPIEXEC_ENV = {
    'mpich': {},
    'openmpi': {'OMPI_MCA_btl_vader_single_copy_mechanism': 'none',
                'OMPI_MCA_rmaps_base_oversubscribe': '1'},
}


class Failure(Exception):
    """A test did not pass; the text says why."""


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
            self.lines = source.read().splitlines()
        for line in self.lines[:HEAD_LINES]:
            found = key.match(line)
            if found:
                self.head.setdefault(found[1], []).append(found[2])

    def words(self, key):
        return [word for line in self.head.get(key, []) for word in shlex.split(line)]

    def value(self, key, default):
        return self.head.get(key, [default])[-1]

    def line_of(self, label):
        """The number of the line marked with the comment LABEL."""
        for number, line in enumerate(self.lines, 1):
            if re.search(r'(/\*|//|!|#)\s*%s\b' % re.escape(label), line):
                return number
        raise Failure('no line is marked %s' % label)

    def binary(self, mpi):
        if self.kind in SCRIPTS:
            return self.path
        return os.path.join(BUILD, mpi, self.name)


def newer(target, sources):
    if not os.path.exists(target):
        return False
    made = os.path.getmtime(target)
    return all(os.path.getmtime(source) <= made for source in sources)


def compile_one(source, target, compiler, flags):
    """Compiles unless up to date; the finished file appears at once."""
    headers = [os.path.join(PROGRAMS, name) for name in os.listdir(PROGRAMS)
               if name.endswith('.h')]
    if newer(target, [source] + headers + [os.path.abspath(__file__)]):
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    part = '%s.%d.part' % (target, os.getpid())
    modules = target + '.mod'  # gfortran writes .mod files into its directory
    os.makedirs(modules, exist_ok=True)
    try:
        done = subprocess.run([compiler, *CFLAGS, source, '-o', part, *flags], cwd=modules,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=120, check=False)
    finally:
        shutil.rmtree(modules, ignore_errors=True)
    if done.returncode:
        raise Failure('does not compile\n' + head(done.stdout))
    os.rename(part, target)


def build(program, mpi):
    """Compiles a program and its plugin for one library."""
    # gcc takes MPI_STATUSES_IGNORE and MPI_UNWEIGHTED for arrays that are too short.
    warn = ['-Wall', '-Wextra', '-Werror', '-Wno-stringop-overflow', '-Wno-stringop-overread',
            '-Wno-deprecated-declarations']
    if program.kind != '.c':
        warn = []
    for plugin in program.words('plugin'):
        compile_one(os.path.join(PROGRAMS, plugin), os.path.join(BUILD, mpi, plugin + '.so'),
                    'mpicc.' + mpi, warn + ['-shared', '-fPIC'])
    if program.kind in SCRIPTS:
        return
    if program.value('build', 'mpi') == 'plain':
        compiler = PLAIN_COMPILERS[program.kind]
    else:
        compiler = '%s.%s' % (COMPILERS[program.kind], mpi)
    compile_one(program.path, program.binary(mpi), compiler, warn + program.words('libs'))


def processes_marked(mark):
    """The live processes whose environment carries this mark."""
    needle = ('%s=%s' % (MARK, mark)).encode()
    found = []
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/environ' % pid, 'rb') as environ:
                if needle in environ.read().split(b'\0'):
                    found.append(int(pid))
        except OSError:
            pass  # gone meanwhile, or not ours
    return found


def name_of(pid):
    try:
        with open('/proc/%d/comm' % pid, encoding='utf-8') as comm:
            return comm.read().strip()
    except OSError:
        return '?'


def bury(mark, patience):
    """Kills what a run left behind; returns the names, after some patience."""
    deadline = time.monotonic() + patience
    while processes_marked(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    names = {}
    while alive := processes_marked(mark):  # again: one may have forked meanwhile
        for pid in alive:
            names.setdefault(pid, '%s(%d)' % (name_of(pid), pid))
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.05)
    return list(names.values())


class Outcome:
    """What came out of one run."""

    def __init__(self, code, stdout, stderr='', left=None):
        self.code = code
        self.stdout = stdout
        self.stderr = stderr
        self.left = left or []  # names of what should be gone

    def lines(self):
        return sorted(self.stdout.splitlines())


def wait_for_word(word, stream, timeout):
    """Reads lines until one has the word, or there are no more."""
    deadline = time.monotonic() + timeout
    while select.select([stream], [], [], max(0, deadline - time.monotonic()))[0]:
        line = stream.readline()
        if word in line or not line:
            return
    raise subprocess.TimeoutExpired('waiting for "%s"' % word, timeout)


def run_command(command, env, stdin, timeout, cwd, interrupt=None):
    """Runs a command in a session of its own and waits for all of it.

    With `interrupt`, a signal, the command gets it when it says "ready".
    """
    mark = uuid.uuid4().hex
    process = subprocess.Popen(command, cwd=cwd, env={**os.environ, **env, MARK: mark},
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors='replace',
                               start_new_session=True)
    try:
        if interrupt:
            wait_for_word('ready', process.stdout, timeout)
            process.send_signal(interrupt)
        out, err = process.communicate(stdin, timeout)
    except subprocess.TimeoutExpired:
        alive = bury(mark, 0)
        _, err = process.communicate()
        raise Failure('no end after %g s, alive: %s\n%s' % (timeout, ' '.join(alive), tail(err)))
    return Outcome(process.returncode, out, err, bury(mark, PATIENCE))


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
                place = '%s:%d' % (os.path.basename(program.path), program.line_of(next(words)))
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
        self.compared = program.value('compare', 'stdout') == 'stdout'
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

    def run(self, launcher, env, interrupt=None):
        """Runs the program in a directory that is gone afterwards."""
        tmp = os.path.realpath(tempfile.mkdtemp(prefix='tt'))
        try:
            here = os.path.join(BUILD, self.mpi)
            command = [word.replace('{tmp}', tmp).replace('{bin}', here)
                       for word in self.command()]
            outcome = run_command(launcher + ['-n', self.ranks] + command, {**self.env, **env},
                                  self.stdin, self.timeout, tmp, interrupt)
            outcome.stdout = outcome.stdout.replace(tmp, '{tmp}')
            return outcome
        finally:
            shutil.rmtree(tmp, ignore_errors=True)

    def run_tourney(self, tourney):
        """Runs tourney; its temporary files must be gone when it is."""
        launcher = [tourney, 'run'] + self.program.words('options')
        interrupt = self.program.value('signal', None)
        scratch = tempfile.mkdtemp(prefix='tt')
        try:
            outcome = self.run(launcher, {'TMPDIR': scratch},
                               interrupt and getattr(signal, 'SIG' + interrupt))
            outcome.left += [os.path.join('$TMPDIR', name) for name in os.listdir(scratch)]
            return outcome
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

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
                outcome.code, self.exit, tail(outcome.stdout + outcome.stderr)))
        raise failure

    def reference(self):
        """What mpiexec makes of the program, remembered for this very binary."""
        path = os.path.join(BUILD, self.mpi, 'reference', self.name.replace('/', '-') + '.json')
        key = self.key()
        try:
            with open(path, encoding='utf-8') as kept:
                record = json.load(kept)
            if record['key'] == key:
                return Outcome(record['code'], record['stdout'])
        except (OSError, ValueError, KeyError):
            pass
        outcome = self.run_mpiexec()
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + '.part', 'w', encoding='utf-8') as kept:
            json.dump({'key': key, 'code': outcome.code, 'stdout': outcome.stdout}, kept)
        os.rename(path + '.part', path)
        return outcome

    def same_output(self, reference, ours):
        if self.exit != 0:
            return not collections.Counter(reference) - collections.Counter(ours)
        return reference == ours

    def check(self, tourney, reference):
        """Runs tourney; raises Failure unless all is as it must be."""
        outcome = self.run_tourney(tourney)
        said = outcome.stdout + outcome.stderr
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


def shared_memory():
    """What stands in /dev/shm, but for what mpiexec.openmpi keeps there."""
    return {os.path.join('/dev/shm', name) for name in os.listdir('/dev/shm')
            if not name.startswith('vader_segment')}


def segments():
    """What mpiexec.openmpi keeps in /dev/shm."""
    return set(glob.glob('/dev/shm/vader_segment.*'))


def segments_left(before, patience=PATIENCE):
    """Those that are new and in nobody's use, even after some patience: other jobs come and go."""
    deadline = time.monotonic() + patience
    while (left := {path for path in segments() - before if not in_use(path)}) and time.monotonic() < deadline:
        time.sleep(0.2)
    return left


def attempt(work):
    """The failure of a piece of work, or None."""
    try:
        work()
    except Failure as failure:
        return str(failure)
    except (subprocess.TimeoutExpired, OSError) as problem:
        return str(problem)
    return None


class Results:
    """Counts and prints, one line per test."""

    def __init__(self):
        self.passed = self.failed = 0

    def add(self, label, failure):
        if failure is None:
            self.passed += 1
            print('ok %s' % label, flush=True)
        else:
            self.failed += 1
            first, *rest = failure.splitlines() or ['']
            print('FAILED %s: %s' % (label, first), *('    ' + line for line in rest),
                  sep='\n', flush=True)


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
    jobs = {item: workers.submit(attempt, functools.partial(
        build, Program(sources[item[0]]), item[1])) for item in wanted}
    return {item: job.result() for item, job in jobs.items()}


def run_all(tests, options, results):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        broken = build_all(tests, workers)
        jobs = {}
        for test in tests:
            failure = broken[test.program.name, test.mpi]
            reference = None
            # One mpiexec at a time: its ranks spin, two jobs would starve each other.
            if not failure and test.compared and not options.no_reference:
                try:
                    reference = test.reference()
                except (Failure, OSError) as problem:
                    failure = str(problem)
            if failure or options.reference_only:
                results.add(test.label(), failure)
            else:
                jobs[test] = workers.submit(attempt, functools.partial(
                    test.check, options.tourney, reference))
        for test, job in jobs.items():
            results.add(test.label(), job.result())


def main():
    hear_signals()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--tourney', default=os.path.join(ROOT, 'build', 'tourney'))
    parser.add_argument('--mpi', default=','.join(LIBRARIES))
    parser.add_argument('--only', metavar='PATTERN', help='names that match, e.g. "coll_*"')
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
    results = Results()
    run_all(collect(options), options, results)
    left = sorted(path for path in shared_memory() - before if not in_use(path))
    results.add('no shared memory left', 'left: ' + ' '.join(left) if left else None)
    print('%d passed, %d failed' % (results.passed, results.failed))
    return 1 if results.failed else 0


if __name__ == '__main__':
    sys.exit(main())
