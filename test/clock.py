#!/usr/bin/python3
"""Runs programs on real MPI jobs in clock mode and reads what their ranks wrote.

Programs of test/prog must print what they print without tourney.  Programs of test/clock have a
function here that looks at the files of their ranks.  Exit status 0 if all passed.
usage: clock.py BUILD [--all] [NAME...]
"""

import contextlib
import functools
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import uuid

import causal
import matches_before
import run
from lib import Failure
from lib.building import COMPILERS, LIBRARIES
from lib.leftovers import MARK, end_marked, job_segments, new_and_unused
from lib.running import watched
from lib.suite import Count, attempt

HERE = os.path.dirname(os.path.abspath(__file__))
FIGURES = os.path.join(HERE, 'clock')


def preload(build, mpi):
    """The options of mpiexec that put the gate into the ranks."""
    gate = os.path.join(build, 'lib', 'tourney', 'libtourney.so')
    return ['-genv', 'LD_PRELOAD', gate] if mpi == 'mpich' else ['-x', 'LD_PRELOAD=' + gate]


class Job:
    """One run: what it printed, and the file of each rank."""

    def __init__(self, launcher, env, ranks, command, decisions=None, kill_when=None):
        segments = job_segments()
        self.scratch = tempfile.mkdtemp(prefix='tt', dir='/dev/shm')
        env = {**env, 'TOURNEY_CLOCK': self.scratch, 'TMPDIR': self.scratch}  # killed launchers leave files there
        try:
            if decisions:
                path = os.path.join(self.scratch, 'decisions')
                with open(path, 'w', encoding='utf-8') as file:
                    file.write('\n'.join(['tourney-decisions 1', *decisions, 'end', '']))
                env['TOURNEY_CLOCK_DECISIONS'] = path
            command = [*launcher, '-n', str(ranks), *command]
            self.outcome = self.until(command, env, ranks, kill_when) if kill_when else watched(
                command, env, cwd=self.scratch, patience=60, clean=False)
            self.ranks = self.read(ranks)
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)
            for path in new_and_unused(job_segments, segments, 0):  # Open MPI's, of ranks that crash or are killed
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)

    def read(self, ranks):
        paths = [os.path.join(self.scratch, 'rank-%d.causal' % rank) for rank in range(ranks)]
        return [causal.Rank(path) if os.path.exists(path) else None for path in paths]

    def until(self, command, env, ranks, reached):
        """Kills everything when the files say that a point is reached."""
        mark = uuid.uuid4().hex
        process = subprocess.Popen(command, env={**os.environ, **env, MARK: mark}, start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        try:
            while time.monotonic() < deadline:
                try:
                    if reached(self.read(ranks)):
                        return None
                except (ValueError, struct.error):
                    pass  # it is just being made
                time.sleep(0.05)
            raise Failure('the job does not come to the point')
        finally:
            end_marked(mark)
            process.wait()


# Programs of test/prog


def check_program(build, test, kind):
    """The same output and exit code as without tourney, and whole files."""
    run.build(test.program, test.mpi)
    for name in test.program.words('needs'):
        run.build(run.Program(os.path.join(run.PROGRAMS, name + '.c')), test.mpi)
    reference = test.reference()
    scratch = tempfile.mkdtemp(prefix='tt', dir='/dev/shm')
    try:
        outcome = test.run(run.MPIEXEC[test.mpi] + preload(build, test.mpi), {**run.MPIEXEC_ENV[test.mpi], 'TOURNEY_CLOCK': scratch,
                                                       'TOURNEY_CLOCK_KIND': kind})
        if outcome.code != reference.code:
            raise Failure('exit code %d, not %d\n%s' % (outcome.code, reference.code,
                                                            run.tail(outcome.said())))
        if outcome.lines() != reference.lines():
            raise Failure('output differs\n' + run.head('\n'.join(
                sorted(set(outcome.lines()) ^ set(reference.lines())))))
        for name in os.listdir(scratch):
            rank = causal.Rank(os.path.join(scratch, name))
            if reference.code == 0 and (rank.end is None or rank.end[0] != 0):
                raise Failure('%s has no good end' % name)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def programs(names):
    for name in sorted(os.listdir(run.PROGRAMS)):
        if os.path.splitext(name)[1] not in (*COMPILERS, *run.SCRIPTS):
            continue
        program = run.Program(os.path.join(run.PROGRAMS, name))
        if names is not None and program.name not in names:
            continue
        for mpi in program.words('mpi') or LIBRARIES:
            for number in range(len(program.head.get('run', []))):
                test = run.Test(program, mpi, number)
                if test.compared and not program.head.get('signal'):
                    yield test


# Programs of test/clock: each function gets `start`, which runs a program and returns its job


def equal(what, found, expected):
    if found != expected:
        raise Failure('%s: %r, not %r' % (what, found, expected))


def wildcard_clocks(rank):
    return [rank.choices[number].clock for number in sorted(rank.choices)]


def late_sources(rank):
    return [sorted(rank.choices[number].late) for number in sorted(rank.choices)]


def sources(rank, *values):
    """Decisions about the first wildcards of a rank."""
    return ['%d %d source 0 %d -' % (rank, number, value) for number, value in enumerate(values)]


def late_message(start, kind):
    ranks = start('late_message', 3, decisions=sources(1, 0, 2)).ranks
    equal('clocks of the receives', wildcard_clocks(ranks[1]), [0, 1])
    equal('clocks of the sends', [ranks[i].calls_of('send')[0].clock for i in (0, 2)], [0, 0])
    barriers = [rank.calls_of('coll')[0] for rank in ranks]
    if kind == 'lamport':
        equal('clocks of the barrier', [op.done.clock for op in barriers], [1, 1, 1])
    else:
        equal('what is known after the barrier', [rank.knows.get(1, 0) for rank in (ranks[0], ranks[2])], [1, 1])
    equal('late', late_sources(ranks[1]), [[2], []])


def crooked_barrier(start, _kind):
    ranks = start('crooked_barrier', 3, decisions=sources(1, 0, 2)).ranks
    equal('clocks of irecv and recv', wildcard_clocks(ranks[1]), [0, 1])
    equal('clocks of the barrier', [rank.calls_of('coll')[0].done.clock for rank in ranks], [0, 0, 0])
    equal('clocks of the waits', [rank.calls_of('wait')[0].clock for rank in ranks], [0, 2, 0])
    equal('clocks of the sends', [ranks[i].calls_of('send')[0].clock for i in (0, 2)], [0, 0])
    equal('late', late_sources(ranks[1]), [[2], []])


def omission(start, kind):
    ranks = start('omission', 3, decisions=sources(2, 1)).ranks
    equal('clocks of the wildcards', wildcard_clocks(ranks[0]) + wildcard_clocks(ranks[2]), [0, 0])
    equal('clock of recv(0)', ranks[2].calls_of('recv')[1].done.clock, 1)
    equal('clocks of the sends', [op.clock for rank in ranks for op in rank.calls_of('send')],
          [1, 0, 0])
    equal('late', late_sources(ranks[2]), [[]] if kind == 'lamport' else [[0]])


def synchronous(start, kind):
    ranks = start('synchronous', 4, decisions=sources(1, 2, 0, 3)).ranks
    equal('clocks of the receives', wildcard_clocks(ranks[1]), [0, 1, 2])
    equal('late', late_sources(ranks[1]), [[0], [3], []])
    sent = ranks[2].calls_of('send')
    if kind == 'lamport':
        equal('clock of the synchronous send and after it', [op.clock for op in sent], [0, 1])
    else:
        equal('known to the sender before and after', [op.knows.get(1, 0) for op in sent], [0, 1])


def probed(start, _kind):
    """Whoever has seen a message knows of it, though its clock does not: nothing it causes is said to be late."""
    for how, certain in (('received', True), ('sends', False), ('joins', False), ('lets_go', False), ('takes', True),
                         ('takes_any', True)):
        ranks = start('probed', 4, how, decisions=sources(1, 0)).ranks
        equal('late, ' + how, late_sources(ranks[1]), [[]])
        equal('uncertain, ' + how, ranks[2].uncertain, not certain)


def wait_order(start, _kind):
    for first in '01':
        job = start('wait_order', 3, first)
        equal('values', job.outcome.out, '10 11\n')
        sent = [op for op, _ in enumerate(job.ranks[1].ops) if job.ranks[1].ops[op].kind == 'send']
        received = [op.done for op in job.ranks[0].calls_of('recv')]
        equal('sends', [done.sender_op for done in received], sent)
        equal('clocks of the sends', [job.ranks[1].ops[op].clock for op in sent], [0, 1])


def as_decisions(rank, until):
    lines = []
    for number in range(until):
        choice = rank.choices[number]
        value = {'source': choice.value, 'index': choice.value,
                 'set': ','.join(map(str, choice.item))}.get(choice.kind, '-')
        lines.append('%d %d %s %d %s %x' % (rank.rank, number, choice.kind, choice.polls, value, choice.history))
    return lines + ['%d free %d - - -' % (rank.rank, until)]


def choices(start, _kind):
    free = start('choices', 3)
    rank = free.ranks[0]
    equal('kinds', [rank.choices[i].kind for i in sorted(rank.choices)],
          ['source', 'source', 'index', 'set', 'yes', 'source', 'no'])
    again = start('choices', 3, decisions=as_decisions(rank, 7))
    equal('output', again.outcome.out, free.outcome.out)
    equal('choices', as_decisions(again.ranks[0], 7), as_decisions(rank, 7))
    equal('diverged', again.ranks[0].diverged, [])
    other = {1: 2, 2: 1}
    turned = ['0 0 source 0 %d %x' % (other[rank.choices[0].value], rank.choices[0].history),
              '0 2 index 0 %d -' % (1 - rank.choices[2].value), '0 3 set 0 1 -', '0 4 yes 3 - -',
              '0 5 source 2 2 -']
    job = start('choices', 3, decisions=turned)
    equal('output', job.outcome.out, 'from %d\nfrom %d\nany %d\nsome 1: 1\ntest after 3 noes\n'
          'probe sees 2 after 2 noes\nand 0\n'
          % (rank.choices[1].value, rank.choices[0].value, 1 - rank.choices[2].value))
    equal('forced', [choice.flags for _, choice in sorted(job.ranks[0].choices.items())], [4, 0, 4, 4, 4, 4, 0])
    job = start('choices', 3, decisions=['0 0 source 0 2 1234', '0 1 source 0 7 -'])
    equal('diverged', [(number, found == rank.choices[0].history) for number, _, _, found in job.ranks[0].diverged],
          [(0, True)])


def stuck(start, _kind):
    job = start('stuck', 2, 'kill', code=None)
    equal('ends', [rank.end for rank in job.ranks], [None, None])  # how far rank 0 has come is not certain
    job = start('stuck', 2, 'crash', code=None)
    equal('the last of rank 1', job.ranks[1].ops[-1].kind, 'crash')
    job = start('stuck', 2, code=None, kill_when=lambda ranks: all(ranks) and ranks[1].state == 'polling'
                and ranks[0].state == 'blocked')
    equal('states', [rank.state for rank in job.ranks], ['blocked', 'polling'])
    equal('where', job.ranks[0].ops[job.ranks[0].now_op].kind, 'recv')
    equal('polls', len(job.ranks[1].calls_of('iprobe')), 1)


def turns(start, _kind):
    """Polls that take turns are written down for a while; then the file stays as it is, until something else happens."""
    rank, = start('turns', 1, '30000').ranks
    polls = [i for i, op in enumerate(rank.ops) if op.kind == 'iprobe']
    equal('as many as anybody wants to see', 20000 <= len(polls) <= 20100, True)
    sent = next(i for i, op in enumerate(rank.ops) if op.kind == 'send')
    equal('later', [op for op, _ in rank.later], [max(op for op in polls if op < sent)])
    equal('rounds left out', 19900 <= rank.later[0][1] <= 20000, True)
    equal('the end', [op.kind for op in rank.ops[sent:sent + 4]], ['send', 'iprobe', 'iprobe', 'recv'])
    job = start('turns', 1, '1000000000', code=None, kill_when=lambda ranks: all(ranks) and ranks[0].round)
    equal('the round', (job.ranks[0].state, job.ranks[0].round, job.ranks[0].now_op + 1),
          ('polling', 2, len(job.ranks[0].ops)))


def faults(start, _kind):
    ranks = start('faults', 2).ranks
    for rank, used in zip(ranks, (['the buffer of MPI_Isend is written to while the operation is pending'],
                                  ['MPI_Recv has a buffer in common with MPI_Isend, which is pending'])):
        equal('complaints', sorted(text.split(' made')[0] for _, text in rank.complaints()),
              sorted(['1 communicator', '1 datatype', '1 request'] + used))
        equal('disputes', [what for _, what in rank.disputes], [3])


def lent(start, _kind):
    ranks = start('lent', 2).ranks
    wanted = {'MPI_Recv: a message is longer than the receive has room for',
              'MPI_Request_free of an active send of MPI_Isend: only something else can tell when its buffer may be used again'}
    for rank in ranks:
        equal('complaints', {text for _, text in rank.complaints()} - wanted, set())
        for op in rank.calls_of('recv'):
            if op.done.sender_op is not None and not op.done.flags & 2:
                equal('bytes', op.done.bytes, ranks[op.done.source].ops[op.done.sender_op].bytes)
    equal('truncated', [op.bytes for op in ranks[1].calls_of('recv') if op.done.flags & 2], [50001, 100, 4400])


def met_synchronous(ranks, number, rank):
    """Of a receive that does not block: what such a send causes is told by the clock of its posting (5.2.1.2)."""
    done = ranks[rank].ops[ranks[rank].choices[number].op].done
    return ranks[done.source].ops[done.sender_op].flags & matches_before.SYNCHRONOUS


def random_programs(start, kind, seeds=(6, 28)):
    """What is told is true; with vectors, and apart from what synchronous sends hide, all that is true is told."""
    for seed in seeds:
        ranks = start('random', 4, str(seed)).ranks
        told = {(rank.rank, late.number, late.source) for rank in ranks for late in rank.late}
        true = matches_before.late(ranks)
        equal('seed %d, told and not true' % seed, told - true, set())
        missing = {case for case in true - told if not met_synchronous(ranks, case[1], case[0])}
        if kind == 'vector':
            equal('seed %d, true and not told' % seed, missing, set())
        if seed > 100:
            force_some(start, seed, ranks, sorted(told))


def force_some(start, seed, ranks, told):
    """What could have happened can be made to."""
    for rank, number, source in told[:2]:
        before = [choice.value for _, choice in sorted(ranks[rank].choices.items()) if choice.number < number]
        job = start('random', 4, str(seed), decisions=sources(rank, *before, source))
        equal('the source', job.ranks[rank].choices[number].value, source)


def many_random_programs(start, kind):
    random_programs(start, kind, range(101, 121))


LOOKS = [late_message, crooked_barrier, omission, synchronous, probed, wait_order, choices, stuck, turns, faults, lent,
         random_programs]
MORE = [many_random_programs]
EITHER_CLOCK = [probed, choices, stuck, turns, faults, lent]  # which clock there is makes no difference


def start_with(build, mpi, kind, name, ranks, *args, code=0, **more):
    binary = os.path.join(run.BUILD, mpi, 'clock', name)
    run.compile_one(mpi, os.path.join(FIGURES, name + '.c'), binary, 'mpicc.' + mpi, ['-Wall', '-Wextra', '-Werror', '-Wno-stringop-overflow'])
    job = Job(run.MPIEXEC[mpi] + preload(build, mpi), {**run.MPIEXEC_ENV[mpi], 'TOURNEY_CLOCK_KIND': kind}, ranks,
              [binary, *args], **more)
    if code is not None and job.outcome.code != code:
        raise Failure('exit code %d\n%s' % (job.outcome.code, run.tail(job.outcome.err)))
    return job


# What is most likely to go wrong, for every day; --all has the rest.
DAILY = {'mprobe', 'truncate', 'persistent', 'cancel', 'type_derived'}


def main():
    arguments = [word for word in sys.argv[1:] if word != '--all']
    build, names = os.path.abspath(arguments[0]), arguments[1:]
    results = Count()
    for look in LOOKS + (MORE if names or '--all' in sys.argv else []):
        for mpi in LIBRARIES:
            for kind in ('vector',) if look in EITHER_CLOCK else ('lamport', 'vector'):
                if not names or look.__name__ in names:
                    start = functools.partial(start_with, build, mpi, kind)
                    results.add('%s [%s, %s]' % (look.__name__, mpi, kind),
                                attempt(look, start, kind))
    everything = None if '--all' in sys.argv else DAILY
    for test in programs(set(names) or everything):
        results.add(test.label(), attempt(check_program, build, test, 'vector'))
    return results.end()


if __name__ == '__main__':
    sys.exit(main())
