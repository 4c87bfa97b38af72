#!/usr/bin/python3
"""The HTML report: what is kept of runs, what becomes of it, and the page in a browser.

    viewer.py TOURNEY [--browser]

The tests in the browser need chromium, node and playwright-core (npm).  Where these
are not to be had they are left out; with --browser that is a failure.
"""

import hashlib
import json
import os
import re
import shutil
import signal as signals
import subprocess
import sys
import tempfile
import time

from lib.building import PYTHON, ROOT, line_of
from lib.leftovers import hear_signals
from lib.running import plainly
from lib.suite import Cases, Count

VIEWER = os.path.join(ROOT, 'viewer')
PROGRAMS = os.path.join(ROOT, 'test', 'viewer')
CHECKED = os.path.join(ROOT, 'test', 'check')
RACES = os.path.join(ROOT, 'test', 'rma', 'pairs')
CLASSICS = os.path.join(ROOT, 'test', 'rma', 'classics')
PATIENCE = 300  # seconds for one search, on a machine that has other things to do
CASES = Cases()
test = CASES.test


class Bench:
    """A place to work in, and results of the programs, each made once."""

    def __init__(self, tourney, where):
        self.tourney = tourney
        self.where = where
        self.made = {}

    def run(self, *arguments):
        return plainly([self.tourney, *arguments], PATIENCE, self.where)

    def build(self, name, source=None, binary=None, compiler='mpicc.mpich', flags=('-g', '-O0', '-Wno-stringop-overflow')):
        source = source or os.path.join(self.where, f'{name}.c')
        if not os.path.exists(source):
            shutil.copy(os.path.join(PROGRAMS, f'{name}.c'), source)
        binary = binary or name
        subprocess.run([compiler, *flags, '-I', PROGRAMS, source, '-o', binary], cwd=self.where, check=True)
        return f'./{binary}'

    def result(self, name, ranks, *arguments):
        """Of a program with defects."""
        key = '-'.join([name, str(ranks), *arguments])
        if key not in self.made:
            program = self.build(name)
            done = self.run('-n', str(ranks), '--quiet', '-o', key, program, *arguments)
            assert done.code == 1, done
            self.made[key] = os.path.join(self.where, key)
        return self.made[key]

    def search(self, key, name, ranks, *options, folder=PROGRAMS, arguments=()):
        """Whatever comes out of it."""
        if key not in self.made:
            source = os.path.join(self.where, f'{name}.c')
            if not os.path.exists(source):
                shutil.copy(os.path.join(folder, f'{name}.c'), source)
            program = self.build(name, source)
            done = self.run('-n', str(ranks), '--quiet', '-o', key, *options, program, *arguments)
            assert done.code in (0, 1, 2), done
            self.made[key] = os.path.join(self.where, key)
        return self.made[key]

    def report(self, result):
        done = self.run('report', result)
        assert done.code == 0, done
        return os.path.join(result, 'report.html')

    def stacks(self, key, source, compiler, *flags, arguments=()):
        """The result of a program in which one line is called from several, with what was said."""
        if key not in self.made:
            program = self.build(key, os.path.join(PROGRAMS, source), key, compiler, flags)
            done = self.run('-n', '3', '--quiet', '-o', f'{key}.out', program, *arguments)
            assert done.code == 1, done
            self.made[key] = os.path.join(self.where, f'{key}.out'), done.out
        return self.made[key]

    def line(self, name, mark):
        name = name if '.' in name else f'{name}.c'
        with open(os.path.join(PROGRAMS, name), encoding='utf-8') as source:
            return line_of(source.read(), mark)


def load(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return json.load(file)


def data_of(page):
    with open(page, encoding='utf-8') as file:
        text = file.read()
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.S)
    return found.group(1)


def acts(run, rank):
    """Number -> (kind, text, line) of what a rank did."""
    return {act['op']: (act['kind'], run['texts'][act['text']], run['places'][act['place']]['line'])
            for act in run['lanes'][rank]['acts']}


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    else:
        os.remove(path)


def equal(got, wanted):
    assert got == wanted, f'{got!r} instead of {wanted!r}'


# ---- what is kept ----

@test
def run_of_a_finding(bench):
    run = load(bench.result('race', 3), 'run-1.json')
    equal((run['tool'], run['version']), ('tourney run', 1))
    equal([lane['end'] for lane in run['lanes']], ['in-call', 'finalized', 'finalized'])
    master = acts(run, 0)
    equal([kind for kind, _, _ in master.values()], ['init', 'receive', 'receive', 'receive'])
    equal([line for _, _, line in list(master.values())[1:]],
          [bench.line('race', 'ANY')] * 2 + [bench.line('race', 'STUCK')])
    met = [(pair['send']['rank'], acts(run, pair['send']['rank'])[pair['send']['op']][2]) for pair in run['matches']]
    equal(met, [(2, bench.line('race', 'RESULT')), (1, bench.line('race', 'RESULT'))])
    equal([pair['receive']['rank'] for pair in run['matches']], [0, 0])


@test
def accesses_to_windows(bench):
    run = load(bench.result('windows', 3), 'run-1.json')
    equal(run['windows'], [{'owner': 0, 'slot': 0}])
    for rank in 1, 2:
        kept = [(run['texts'][act['text']], run['places'][act['place']]['line'], act['ranges'], act['reads'])
                for act in run['lanes'][rank]['acts'] if 'window' in act]
        bytes_ = [{'at': 4, 'bytes': 4}]
        equal(kept, [('MPI_Win_lock(target=0)', bench.line('windows', 'LOCK'), [], False),
                     ('MPI_Get(target=0)', bench.line('windows', 'GET'), bytes_, True),
                     ('MPI_Put(target=0)', bench.line('windows', 'PUT'), bytes_, False),
                     ('MPI_Win_unlock(target=0)', bench.line('windows', 'PUT') + 1, [], False)])
    turns, = run['turns']
    equal([(name['rank'], acts(run, name['rank'])[name['op']][1]) for name in turns['members']],
          [(rank, f'MPI_Win_{call}(target=0)') for rank in (2, 1) for call in ('lock', 'unlock')])


def chart_of_windows(run, rank):
    """(name, bytes or None) of the operations of a rank from its first access on."""
    calls = [(re.sub(r'\(.*', '', run['texts'][act['text']]), [(piece['at'], piece['bytes']) for piece in act.get('ranges', [])] or None)
             for act in run['lanes'][rank]['acts']]
    return calls[next(i for i, (_, accessed) in enumerate(calls) if accessed):]


@test
def atomic_accesses_to_windows(bench):
    """They have their bytes, also if they are sent by the fence; and a call is told once, though it brings news of windows, too."""
    run = load(bench.search('rivals.out', 'producers_wrong', 3, folder=CLASSICS), 'run-1.json')
    flush, fetch, barrier = ('MPI_Win_flush', None), 'MPI_Fetch_and_op', ('MPI_Barrier', None)
    equal(chart_of_windows(run, 0)[:7], [(fetch, [(0, 4)]), flush, barrier, ('MPI_Put', [(8, 4)]), flush, (fetch, [(12, 4)]), flush])
    equal([run['texts'][act['text']] for act in run['lanes'][0]['acts']].count('MPI_Barrier(MPI_COMM_WORLD)'), 2)
    equal(len([act for act in run['lanes'][0]['acts'] if run['texts'][act['text']].startswith('MPI_Win_sync')]), 1)
    run = load(bench.search('fenced.out', 'put_accumulate_wrong', 3, folder=RACES), 'run-1.json')
    equal([chart_of_windows(run, rank)[0] for rank in (0, 1)], [('MPI_Accumulate', [(0, 4)]), ('MPI_Put', [(0, 4)])])


@test
def loads_and_stores_of_a_race(bench):
    """They lie between two operations: a load between two fences, and of two stores each between MPI_Win_lock_all and MPI_Win_sync."""
    def touches(key, name):
        result = bench.search(key, name, 2, folder=RACES)
        finding, = load(result, 'result.json')['findings']
        run = load(result, 'run-1.json')
        for site in finding['places']:
            calls = [(op, text.split('(')[0]) for op, (_, text, _) in sorted(acts(run, site['rank']).items())]
            touch = site.get('touch')
            yield touch and (touch['kind'], touch['owner'], touch['at'], touch['bytes'], [call for op, call in calls if op < touch['before']][-1],
                             [call for op, call in calls if op >= touch['before']][0])
    equal(list(touches('window-race.out', 'put_load_static_wrong')), [None, ('load', 1, 0, 4, 'MPI_Win_fence', 'MPI_Win_fence')])
    equal(list(touches('stores.out', 'shared_stores_wrong')), [('store', 0, 0, 4, 'MPI_Win_lock_all', 'MPI_Win_sync')] * 2)


# ---- from where operations were called ----

def stacks(run, rank, kind):
    """Of each operation of this kind: places, from the innermost on."""
    found = []
    for act in run['lanes'][rank]['acts']:
        frames, at = [], act['frame']
        while at >= 0:
            place = run['frames'][at]['place']
            frames.append(run['places'][place]['place'] if place >= 0 else '...')
            at = run['frames'][at]['caller']
        if act['kind'] == kind:
            found.append(frames)
    return found


def stack_of(bench, mark):
    """What the stack of a receive of stack.c is."""
    return [f'stack_calls.h:{bench.line("stack_calls.h", "TAKE")} in take',
            f'stack_calls.h:{bench.line("stack_calls.h", "EXCHANGE")} in exchange',
            f'stack.c:{bench.line("stack", mark)} in solve', f'stack.c:{bench.line("stack", "SOLVE")} in main']


def stacks_in_c(bench, mpi):
    return bench.stacks(f'stack-{mpi}', 'stack.c', f'mpicc.{mpi}', '-g', '-O0')


@test
def stacks_of_operations(bench):
    for mpi in 'mpich', 'openmpi':
        result, said = stacks_in_c(bench, mpi)
        for name in 'run-1.json', 'run-1-clean.json':
            run = load(result, name)
            equal(stacks(run, 0, 'receive'), [stack_of(bench, 'ANY'), stack_of(bench, 'ONE')])
            equal([[frame.split(' in ')[1] for frame in stack] for stack in stacks(run, 1, 'send')], [['main']])
        found = load(result, 'result.json')
        equal((found['runs'], [finding['runs'] for finding in found['findings']]), (2, [1]))
        place, = found['findings'][0]['places']
        equal([caller['place'] for caller in place['callers']], stack_of(bench, 'ONE')[1:])
        take, exchange, solve, _ = stack_of(bench, 'ONE')
        words = f'Rank 0 is blocked in MPI_Recv at {take}, called at {exchange}, from {solve} This happens'
        assert words in said.replace('\n     ', ' '), said
        words = f"when rank 0's MPI_Recv(MPI_ANY_SOURCE) at {take}, called at {exchange}, from {stack_of(bench, 'ANY')[2]}, receives"
        assert words in said.replace('\n     ', ' '), said


@test
def stacks_in_fortran(bench):
    for mpi in 'mpich', 'openmpi':
        run = load(bench.stacks(f'fortran-{mpi}', 'stack_fortran.f90', f'mpif90.{mpi}', '-g', '-O0')[0], 'run-1.json')
        equal(stacks(run, 0, 'receive'),
              [[f'stack_fortran.f90:{bench.line("stack_fortran.f90", "TAKE")} in take',
                f'stack_fortran.f90:{bench.line("stack_fortran.f90", mark)} in stack_fortran'] for mark in ('ANY', 'ONE')])


@test
def stacks_in_python(bench):
    source = 'stack_python.py'
    done = bench.run('-n', '3', '--quiet', '-o', 'python.out', PYTHON, os.path.join(PROGRAMS, source))
    equal(done.code, 1)
    take, one, solve = (f'{source}:{bench.line(source, mark)}' for mark in ('TAKE', 'ONE', 'SOLVE'))
    equal(stacks(load(bench.where, 'python.out', 'run-1.json'), 0, 'probe')[-1], [f'{take} in take', f'{one} in solve', solve])


@test
def stacks_without_debug_information(bench):
    run = load(bench.stacks('bare-stack', 'stack.c', 'mpicc.mpich', '-O0')[0], 'run-1.json')
    names = [[frame.split('+0x')[0] for frame in stack] for stack in stacks(run, 0, 'receive')]
    equal(names, [['take', 'exchange', 'solve', 'main']] * 2)
    equal(len({stack[2] for stack in stacks(run, 0, 'receive')}), 2)


@test
def stacks_that_are_too_deep(bench):
    result, _ = bench.stacks('deep-stack', 'stack.c', 'mpicc.mpich', '-g', '-O0', arguments=['200'])
    run = load(result, 'run-1.json')
    for stack in stacks(run, 0, 'receive'):
        equal((len(stack), stack[:2], stack[3:-1], stack[-1]),
              (129, stack_of(bench, 'ANY')[:2], [f'stack.c:{bench.line("stack", "DEEPER")} in solve'] * 125, '...'))
    assert len(run['frames']) < 140, 'what stacks have in common is there once'


def make_empty(bench, *names):
    for name in names:
        open(os.path.join(bench.where, name), 'w').close()


@test
def a_run_that_goes_another_way_has_none(bench):
    program = bench.build('changes')
    make_empty(bench, 'other.0', 'other.1')
    done = bench.run('-n', '2', '--quiet', '-o', 'other.out', program, 'other')
    equal(done.code, 1)
    run, result = load(bench.where, 'other.out', 'run-1.json'), load(bench.where, 'other.out', 'result.json')
    equal((run['frames'], stacks(run, 0, 'receive')), ([], [[]]))
    equal([place['callers'] for place in result['findings'][0]['places']], [[], []])
    assert 'prints' not in done.said() and 'called at' not in done.out, done.out
    page = json.loads(data_of(bench.report(os.path.join(bench.where, 'other.out'))))
    equal(page['runs'][0]['run']['places'], run['places'])


def begin_late(bench, *options):
    """A search that is over, and its runs take their time when they are made once more."""
    for name in os.listdir(bench.where):
        if name.startswith('late'):
            remove(os.path.join(bench.where, name))
    make_empty(bench, 'late.0', 'late.1')
    program = bench.build('changes', binary='changes-late')
    return subprocess.Popen([bench.tourney, '-n', '2', '--quiet', '-o', 'late.out', *options, program, 'late'],
                            cwd=bench.where, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True)


def check_late(bench, said, whole):
    result = load(bench.where, 'late.out', 'result.json')
    equal((result['verdict'], result['bounds'], [finding['kind'] for finding in result['findings']]),
          ('defects', [], ['deadlock']))
    equal(load(bench.where, 'late.out', 'run-1.json')['frames'], [])
    equal('tourney: 1 finding, kept in late.out' in said, whole)
    assert 'prints' not in said, said


@test
def what_takes_too_long_is_left(bench):
    search = begin_late(bench, '--time', '1')
    said, _ = search.communicate(timeout=PATIENCE)
    equal(search.returncode, 1)
    check_late(bench, said, True)


@test
def whoever_is_tired_of_it_loses_nothing(bench):
    for signal, code, told in [('INT', 130, True), ('KILL', -9, False)]:
        search = begin_late(bench)
        while search.poll() is None and not os.path.exists(os.path.join(bench.where, 'late.now')):
            time.sleep(0.01)
        search.send_signal(getattr(signals, f'SIG{signal}'))
        said, _ = search.communicate(timeout=PATIENCE)
        equal(search.returncode, code)
        check_late(bench, said, told)


@test
def what_else_was_possible(bench):
    run = load(bench.result('race', 3), 'run-1.json')
    receives = [op for op, (kind, _, _) in acts(run, 0).items() if kind == 'receive']
    equal([(pair['send']['rank'], pair['receive']['op']) for pair in run['possible']], [(1, receives[0])])


@test
def nearest_clean_run(bench):
    run = load(bench.result('race', 3), 'run-1-clean.json')
    equal([lane['end'] for lane in run['lanes']], ['finalized'] * 3)
    equal([pair['send']['rank'] for pair in run['matches']], [1, 2, 2])


@test
def requests_and_collectives(bench):
    run = load(bench.result('ring', 3, '2'), 'run-1.json')
    lane = run['lanes'][1]['acts']
    receives = [act['op'] for act in lane if act['kind'] == 'receive' and not act['blocking']]
    equal([act['requests'] for act in lane if act['kind'] == 'wait'], [[op] for op in receives])
    equal([sorted(member['rank'] for member in coll['members']) for coll in run['collectives']], [[0, 1, 2]])
    equal(len(run['matches']), 6)


@test
def crash_with_its_stack(bench):
    run = load(bench.result('crash', 3), 'run-1.json')
    last = run['lanes'][0]['acts'][-1]
    equal(last['kind'], 'crash')
    equal([run['places'][at]['line'] for at in last['stack']], [bench.line('crash', 'CRASH'), bench.line('crash', 'CALLER')])


@test
def long_runs_are_cut(bench):
    run = load(bench.result('ring', 2, '8000'), 'run-1.json')
    for lane in run['lanes']:
        equal(len(lane['acts']), 10000)
        equal(lane['left_out'], 3 * 8000 + 3 - 10000)  # with MPI_Init, MPI_Barrier and MPI_Recv
        equal(lane['acts'][-1]['kind'], 'receive')
        equal(lane['acts'][0]['kind'], 'init')


@test
def point_that_needs_less_buffering(bench):
    source = os.path.join(bench.where, 'heads.c')
    with open(source, 'w', encoding='utf-8') as file:
        file.write('''#include <mpi.h>
int main(int argc, char **argv) {
    int rank, v = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(&v, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD);
    MPI_Recv(&v, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}''')
    bench.build('heads', source)
    bench.run('-n', '2', '--quiet', '-o', 'heads.out', './heads')
    run = load(bench.where, 'heads.out', 'run-1.json')
    equal([lane['acts'][-1]['kind'] for lane in run['lanes']], ['send', 'send'])
    equal(run['matches'], [])


@test
def runs_of_an_older_result_go(bench):
    bench.build('race')
    bench.run('-n', '3', '--quiet', '-o', 'again', './race')
    bench.run('report', 'again')
    equal(sorted(os.listdir(os.path.join(bench.where, 'again'))),
          ['report.html', 'result.json', 'run-1-clean.json', 'run-1.json', 'tree.json'])
    bench.run('-n', '1', '--quiet', '-o', 'again', '/bin/true')
    equal(sorted(os.listdir(os.path.join(bench.where, 'again'))), ['result.json', 'tree.json'])


# ---- the command ----

def changed_copy(bench, name, **files):
    """A copy of a result in which files, by what stands before .json, have another text; None: they are gone."""
    copy = os.path.join(bench.where, name)
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(bench.result('race', 3), copy)
    for file, text in files.items():
        path = os.path.join(copy, file.replace('_', '-') + '.json')
        if text is None:
            os.remove(path)
        else:
            with open(path, 'w', encoding='utf-8') as out:
                out.write(text)
    return copy


@test
def bad_input_is_one_sentence(bench):
    result = bench.result('race', 3)
    whole = json.dumps(load(result, 'result.json'))
    older = changed_copy(bench, 'older', result='{"tool": "tourney", "version": 0}')
    newer = changed_copy(bench, 'newer', result='{"tool": "tourney", "version": 9}')
    cut = changed_copy(bench, 'cut', result=whole[:len(whole) // 2])
    damaged = changed_copy(bench, 'damaged', result=whole.replace('"severity"', '"sever"'))
    beyond = changed_copy(bench, 'beyond', result=whole.replace('"critical": 0', '"critical": 40'))
    other = changed_copy(bench, 'other', result='{"name": "something else"}')
    for arguments, words in [(['nowhere'], 'no result of tourney'), ([], 'needs the DIR'), (['a', 'b'], 'takes one DIR'),
                             (['--x', 'a'], 'takes one DIR'), ([result, '-o', '/nowhere/x'], 'cannot write /nowhere/x'),
                             ([os.path.join(result, 'result.json')], 'Not a directory'), ([bench.where], 'No such file'),
                             ([older], 'version 0; this tourney reads version 1: search again'), ([newer], 'newer tourney'),
                             ([cut], 'damaged, or not a result of tourney: line 1'), ([damaged], "damaged: 'severity'"),
                             ([beyond], "damaged: 'critical'"), ([other], 'result.json: not a result of tourney')]:
        for command in ([['report']] if '-o' in arguments or len(arguments) != 1 else [['report'], ['replay', '1']]):
            done = bench.run(command[0], *arguments, *command[1:])
            equal((done.code, done.out, done.err.count('\n')), (3, '', 1))
            assert words in done.err, done.err


@test
def what_can_be_shown_is_shown(bench):
    run = load(bench.result('race', 3), 'run-1.json')
    fewer = json.dumps(dict(run, lanes=run['lanes'][:2], matches=[], possible=[]))
    for files, words, lacks in [
            ({'run_1': None}, 'the run of finding 1 is not in', 'run'),
            ({'run_1': '{"tool": "tourney run", "version": 1, "texts": []}'}, "run-1.json: damaged: 'places'", 'run'),
            ({'run_1': json.dumps(run)[:500]}, 'run-1.json: damaged, or not a result', 'run'),
            ({'run_1': json.dumps(run).replace('"place": 0', '"place": 99')}, "run-1.json: damaged: 'place'", 'run'),
            ({'run_1': '{"tool": "tourney run", "version": 7}'}, 'a result of version 7', 'run'),
            ({'run_1': fewer}, 'has 2 ranks, not 3', 'run'),
            ({'run_1_clean': 'x'}, 'run-1-clean.json: damaged', 'clean'),
            ({'tree': '[]'}, 'tree.json: not a result of tourney', 'tree')]:
        copy = changed_copy(bench, 'spoilt', **files)
        done = bench.run('report', copy)
        equal((done.code, done.err.count('\n')), (0, 1))
        assert words in done.err, done.err
        page = json.loads(data_of(os.path.join(copy, 'report.html')))
        equal([lacks == 'run', lacks == 'clean', lacks == 'tree'],
              [page['runs'][0]['run'] is None, page['runs'][0]['clean'] is None, page['tree']['trees'] == []])
        equal(page['result']['findings'][0]['kind'], 'deadlock')


def kill_when_there_is(bench, name, *words):
    """A search that would take long, until it has written a file in which these words are."""
    search = subprocess.Popen([bench.tourney, '-n', '11', '--no-merge', '-o', 'killed', bench.build('sums')],
                              cwd=bench.where, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = os.path.join(bench.where, 'killed', name)

    def is_there():
        if not os.path.exists(path):
            return False
        with open(path, 'rb') as file:
            text = file.read()
        return all(word.encode() in text for word in words)

    while search.poll() is None and not is_there():
        time.sleep(0.01)
    equal(search.poll(), None)
    search.kill()
    search.wait()


@test
def search_that_was_killed(bench):
    kill_when_there_is(bench, 'journal')
    done = bench.run('report', 'killed')
    equal((done.code, done.err), (0, 'tourney: in killed, the search did not come to its end, so this is what was '
                                              'known so far; to go on: tourney resume killed\n'))
    page = json.loads(data_of(os.path.join(bench.where, 'killed', 'report.html')))
    equal((page['result']['verdict'], page['result']['bounds']), ('incomplete', ['the search did not come to its end']))
    equal(page['tree']['trees'], [])


@test
def tree_of_a_search_that_was_killed(bench):
    kill_when_there_is(bench, 'tree.json', '"good"', '"leads":"open"')
    tree, = json.loads(data_of(bench.report(os.path.join(bench.where, 'killed'))))['tree']['trees']
    equal((tree['twigs'][0]['leads'], {twig['leads'] for twig in tree['twigs']}), ('open', {'good', 'open'}))
    assert sum(twig['untried'] for twig in tree['twigs']) > 0, 'what is left to do is counted'
    assert tree['decisions'] >= len(tree['twigs']) - 1


@test
def source_that_moved(bench):
    source = os.path.join(bench.where, 'moves.c')
    shutil.copy(os.path.join(PROGRAMS, 'race.c'), source)
    bench.build('moves', source)
    bench.run('-n', '3', '--quiet', '-o', 'moves.out', './moves')
    os.rename(source, source + '.old')
    page = bench.report(os.path.join(bench.where, 'moves.out'))
    equal(json.loads(data_of(page))['sources'], [])
    shutil.copy(page, os.path.join(bench.where, 'moved.html'))


@test
def tree_of_decisions(bench):
    tree, = load(bench.result('race', 3), 'tree.json')['trees']
    told = [(twig['parent'], twig['rank'], tree['texts'][twig['text']] if twig['text'] >= 0 else None, twig['end'],
             twig['finding']) for twig in tree['twigs']]
    equal(told, [(-1, -1, None, 'goes-on', 0),
                 (0, 0, 'receives the message from rank 1', 'goes-on', 0), (1, 0, 'receives the message from rank 2', 'good', 0),
                 (0, 0, 'receives the message from rank 2', 'goes-on', 0), (3, 0, 'receives the message from rank 1', 'bad', 1)])
    equal({tree['places'][twig['place']]['line'] for twig in tree['twigs'][1:]}, {bench.line('race', 'ANY')})
    equal([twig['leads'] for twig in tree['twigs']], ['both', 'good', 'good', 'bad', 'bad'])
    equal(tree['decisions'], 4)


def large(bench):
    return bench.search('large', 'sums', 8, '--no-merge')


def short(bench):
    return bench.search('short', 'sums', 5, '--no-merge', '--max-runs', '3')


def merged(bench):
    return bench.search('merged', 'sums', 5)


def message_race(bench):
    return bench.search('message_race.out', 'message_race', 3, folder=CHECKED)


@test
def large_tree_is_cut(bench):
    tree, = load(large(bench), 'tree.json')['trees']
    equal(tree['decisions'], 7 + 42 + 210 + 840 + 2520 + 5040 + 5040)
    equal(len(tree['twigs']), 10001)
    equal(sum(twig['left_out'] for twig in tree['twigs']) > 0, True)
    depths = [0]
    for twig in tree['twigs'][1:]:
        depths.append(depths[twig['parent']] + 1)
    equal([depths.count(depth) for depth in range(5)], [1, 7, 42, 210, 840])
    equal({twig['leads'] for twig in tree['twigs']}, {'good'})


@test
def tree_of_a_search_cut_short(bench):
    tree, = load(short(bench), 'tree.json')['trees']
    equal([twig['end'] for twig in tree['twigs']].count('good'), 3)
    equal(sum(twig['untried'] for twig in tree['twigs']), 5)
    equal(tree['twigs'][0]['leads'], 'open')


@test
def orders_that_come_to_the_same(bench):
    result, (tree,) = load(merged(bench), 'result.json'), load(merged(bench), 'tree.json')['trees']
    equal([twig['end'] for twig in tree['twigs'] if twig['same'] < 0].count('good'), result['runs'])
    others = [twig for twig in tree['twigs'] if twig['same'] >= 0]
    assert others and all(tree['twigs'][twig['same']]['same'] < 0 for twig in others)


@test
def trees_by_arguments(bench):
    program = bench.build('sums')
    with open(os.path.join(bench.where, 'lines'), 'w', encoding='utf-8') as file:
        file.write('one\ntwo words\n')
    bench.run('-n', '3', '--quiet', '-o', 'lines.out', '--each-args', 'lines', program)
    equal([tree['args'] for tree in load(bench.where, 'lines.out', 'tree.json')['trees']], [['one'], ['two', 'words']])


@test
def run_of_a_race(bench):
    found = message_race(bench)
    result, run = load(found, 'result.json'), load(found, 'run-1.json')
    place, other = result['findings'][0]['places']
    equal([lane['end'] for lane in run['lanes']], ['finalized'] * 3)
    equal([acts(run, 0)[op][0] for op in (place['op'], other['op'])], ['receive', 'send'])


@test
def run_of_a_buffer_race(bench):
    run = load(bench.search('early.out', 'early', 2), 'run-1.json')
    lane = list(acts(run, 0).items())
    at, = [i for i, (_, (kind, _, _)) in enumerate(lane) if kind == 'access']
    equal([(kind, line) for _, (kind, _, line) in lane[at - 1:at + 2]],
          [(kind, bench.line('early', mark)) for kind, mark in (('send', 'START'), ('access', 'STORE'), ('wait', 'WAIT'))])
    equal([act['requests'] for act in run['lanes'][0]['acts'] if act['kind'] == 'access'], [[lane[at - 1][0]]])
    run = load(bench.search('early-local.out', 'early', 2, arguments=['local']), 'run-1.json')
    equal([kind for kind, _, _ in acts(run, 0).values() if kind == 'access'], [])


def threads(bench):
    return bench.search('threads.out', 'thread_locks', 2, folder=os.path.join(ROOT, 'test', 'adversarial'), arguments=['held'])


@test
def run_of_threads(bench):
    """Who made a call is told; what a rank asks for all of its threads is none of their calls."""
    run = load(threads(bench), 'run-1.json')
    told = [(act['kind'], act.get('thread', 0)) for act in run['lanes'][0]['acts']]
    equal(told, [('init', 0), ('choose', 1), ('receive', 1)])
    equal([act.get('thread', 0) for act in run['lanes'][1]['acts']], [0, 0])


@test
def a_result_without_runs_is_enough(bench):
    bare = os.path.join(bench.where, 'bare')
    os.mkdir(bare)
    shutil.copy(os.path.join(bench.result('race', 3), 'result.json'), bare)
    page = os.path.join(bench.where, 'bare.html')
    equal(bench.run('report', 'bare', '-o', page).code, 0)
    equal(json.loads(data_of(page))['runs'], [{'finding': 1, 'run': None, 'clean': None}])
    equal(json.loads(data_of(page))['tree']['trees'], [])


@test
def source_text_is_in_the_page(bench):
    page = json.loads(data_of(bench.report(bench.result('race', 3))))
    with open(os.path.join(PROGRAMS, 'race.c'), encoding='utf-8') as file:
        lines = file.read().splitlines()
    equal(page['sources'], [{'file': os.path.join(bench.where, 'race.c'), 'changed': False,
                             'pieces': [{'first': 1, 'lines': lines}]}])


@test
def long_source_is_cut_and_change_is_noticed(bench):
    source = os.path.join(bench.where, 'tall.c')
    with open(os.path.join(PROGRAMS, 'race.c'), encoding='utf-8') as file:
        text = file.read()
    with open(source, 'w', encoding='utf-8') as file:
        file.write('\n' * 1500 + text + '\n' * 1500)
    bench.build('tall', source)
    bench.run('-n', '3', '--quiet', '-o', 'tall.out', './tall')
    os.utime(source, (2e9, 2e9))
    sources = json.loads(data_of(bench.report(os.path.join(bench.where, 'tall.out'))))['sources']
    equal([(s['changed'], len(s['pieces'])) for s in sources], [(True, 1)])
    piece = sources[0]['pieces'][0]
    assert 1400 < piece['first'] < 1500 and len(piece['lines']) < 120, piece
    os.utime(source, (1e9, 1e9))


@test
def nothing_in_the_data_ends_it(bench):
    program = bench.build('hostile', os.path.join(bench.where, '<b>"&.c'), '<script>&')
    bench.run('-n', '1', '--quiet', '-o', '<i>', program, '</script><script>document.title = "taken"</script>')
    page = bench.report(os.path.join(bench.where, '<i>'))
    data = data_of(page)
    assert '<' not in data
    names = json.loads(data)
    equal(names['result']['program'], './<script>&')
    equal(os.path.basename(names['sources'][0]['file']), '<b>"&.c')
    assert any('"\\x3c</script><!-- <script>' in line for line in names['sources'][0]['pieces'][0]['lines'])
    shutil.copy(page, os.path.join(bench.where, 'hostile.html'))


def made_page(bench):
    """A page with what the other programs do not have: leaks, and waits for any of several ranks."""
    result = load(bench.result('race', 3), 'result.json')
    deadlock = result['findings'][0]
    deadlock['waits'] = [{'rank': 0, 'all': False, 'lacks': [{'all': False, 'ranks': [1, 2]}]},
                         {'rank': 1, 'all': True, 'lacks': [{'all': True, 'ranks': [0, 2]}]}]
    deadlock['cycles'] = [{'ranks': [0, 1]}]
    leak = dict(deadlock, severity='warning', kind='comm-leak', waits=[], cycles=[], message='2 communicators are never freed')
    other = dict(leak, id=4, kind='type-leak', places=[dict(deadlock['places'][0], place='other.c:7 in main')])
    result['findings'] += [dict(leak, id=2), dict(leak, id=3, kind='request-leak'), other]
    os.makedirs(os.path.join(bench.where, 'made'), exist_ok=True)
    with open(os.path.join(bench.where, 'made', 'result.json'), 'w', encoding='utf-8') as file:
        json.dump(result, file)
    return bench.report(os.path.join(bench.where, 'made'))


def tree_page(bench, name, twigs):
    """A page with a tree that is made from (parent, outcome, end)."""
    place = {'place': 'loop.c:7 in main', 'function': 'main', 'file': None, 'line': 0}
    none = {'same': -1, 'leads': 'good', 'finding': 0, 'held': 0, 'left_out': 0, 'untried': 0}
    tree = {'args': [], 'texts': ['MPI_Recv', *(f'receives the message from rank {i}' for i in range(1, 11))], 'places': [place],
            'decisions': len(twigs),
            'twigs': [{'parent': -1, 'rank': -1, 'call': -1, 'text': -1, 'place': -1, 'end': 'goes-on'} | none,
                      *({'parent': parent, 'rank': 0, 'call': 0, 'text': text, 'place': 0, 'end': end} | none for parent, text, end in twigs)]}
    where = os.path.join(bench.where, name)
    shutil.copytree(merged(bench), where, dirs_exist_ok=True)
    with open(os.path.join(where, 'tree.json'), 'w', encoding='utf-8') as file:
        json.dump({'version': 1, 'tool': 'tourney tree', 'trees': [tree]}, file)
    return bench.report(where)


def deep_tree(bench):
    """A loop of 5,000 steps, in each of which the program may end."""
    return tree_page(bench, 'deep', [twig for step in range(5000) for twig in
                                     ((2 * step, 1, 'good'), (2 * step, 2, 'goes-on' if step < 4999 else 'good'))])


def broad_tree(bench):
    """Four decisions of ten outcomes each, and then no more."""
    return tree_page(bench, 'broad', [((at - 1) // 10, 1 + (at - 1) % 10, 'goes-on' if at <= 1110 else 'good') for at in range(1, 11111)])


# ---- the template ----

@test
def template_is_up_to_date(_):
    names = ['build.mjs', 'package-lock.json', *(f'src/{name}' for name in sorted(os.listdir(os.path.join(VIEWER, 'src'))))]
    sources = hashlib.sha256()
    for name in names:
        with open(os.path.join(VIEWER, name), 'rb') as file:
            sources.update(file.read())
    with open(os.path.join(VIEWER, 'report.html'), encoding='utf-8') as file:
        assert sources.hexdigest() in file.read(), 'viewer/report.html is older than what it is made from: make viewer'


# ---- in the browser ----

def browser_lacks():
    """What the tests in the browser lack, or None."""
    if not shutil.which('chromium'):
        return 'chromium'
    if not shutil.which('node'):
        return 'node'
    if os.path.isdir(os.path.join(VIEWER, 'node_modules', 'playwright-core')):
        return None
    try:
        done = subprocess.run(['npm', 'ci', '--no-audit', '--no-fund'], cwd=VIEWER, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return 'npm'
    return None if done.returncode == 0 else 'playwright-core, which npm could not get'


def browser_tests(bench):
    pages = {'race': bench.report(bench.result('race', 3)), 'crash': bench.report(bench.result('crash', 3)),
             'wide': bench.report(bench.result('ring', 32, '104')), 'long': bench.report(bench.result('ring', 2, '8000')),
             'hostile': os.path.join(bench.where, 'hostile.html'), 'bare': os.path.join(bench.where, 'bare.html'), 'made': made_page(bench),
             'buffering': bench.report(bench.search('dtg.out', 'dtg', 5, folder=os.path.join(ROOT, 'test', 'explore'))),
             'threads': bench.report(threads(bench)),
             'types': bench.report(bench.search('types', 'type_mismatch', 2, folder=CHECKED)),
             'leaks': bench.report(bench.search('leaks.out', 'leaks', 8)), 'clean': bench.report(merged(bench)),
             'incomplete': bench.report(short(bench)), 'large': bench.report(large(bench)), 'deep': deep_tree(bench), 'broad': broad_tree(bench),
             'stack': bench.report(stacks_in_c(bench, 'mpich')[0]), 'stack_openmpi': bench.report(stacks_in_c(bench, 'openmpi')[0]),
             'stack_fortran': bench.report(os.path.join(bench.where, 'fortran-mpich.out')),
             'bare_stack': bench.report(os.path.join(bench.where, 'bare-stack.out')),
             'deep_stack': bench.report(os.path.join(bench.where, 'deep-stack.out')),
             'early': bench.report(bench.search('early.out', 'early', 2)),
             'early_local': bench.report(bench.search('early-local.out', 'early', 2, arguments=['local'])),
             'overlap': bench.report(bench.search('overlap.out', 'buffer_overlap', 2, folder=CHECKED, arguments=['blocking'])),
             'ring16': bench.report(bench.result('ring', 16, '2')),
             'circle': bench.report(bench.search('circle.out', 'circle', 16)),
             'polls': bench.report(bench.search('polls.out', 'test_no', 2, folder=os.path.join(ROOT, 'test', 'explore'))),
             'hoard': bench.report(bench.search('hoard.out', 'hoard', 1)),
             'one_way': bench.report(bench.search('one-way.out', 'in_order', 2, folder=os.path.join(ROOT, 'test', 'explore'))),
             'sampled': bench.report(bench.search('sampled.out', 'sums', 4, '--sample', '2')), 'killed': bench.report(os.path.join(bench.where, 'killed')),
             'message_race': bench.report(message_race(bench)), 'windows': bench.report(bench.result('windows', 3)),
             'rivals': bench.report(bench.search('rivals.out', 'producers_wrong', 3, folder=CLASSICS)),
             'fenced_rivals': bench.report(bench.search('fenced.out', 'put_accumulate_wrong', 3, folder=RACES)),
             'window_race': bench.report(bench.search('window-race.out', 'put_load_static_wrong', 2, folder=RACES)), 'moved': os.path.join(bench.where, 'moved.html'),
             'stores': bench.report(bench.search('stores.out', 'shared_stores_wrong', 2, folder=RACES)),
             'unified': bench.report(bench.search('unified.out', 'load_after_barrier_wrong', 2, folder=RACES)),
             'many_rivals': bench.report(bench.search('many-rivals.out', 'put_load_static_wrong', 12, folder=RACES))}
    lines = {mark: bench.line('race', mark) for mark in ('ANY', 'STUCK', 'RESULT', 'REPORT')}
    lines |= {f'stack {mark}': bench.line('stack', mark) for mark in ('ANY', 'ONE', 'SOLVE')}
    lines |= {f'early {mark}': bench.line('early', mark) for mark in ('START', 'STORE', 'WAIT')}
    lines |= {f'calls {mark}': bench.line('stack_calls.h', mark) for mark in ('TAKE', 'EXCHANGE')}
    done = subprocess.run(['node', os.path.join(PROGRAMS, 'browser.mjs'), json.dumps({'pages': pages, 'lines': lines})],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=2 * PATIENCE, check=False)
    print(done.stdout, end='')
    passed, failed = (len(re.findall(f'^{word} ', done.stdout, re.M)) for word in ('ok', 'FAILED'))
    return passed, failed or int(done.returncode != 0)


def main(tourney, must):
    hear_signals()
    count = Count()
    with tempfile.TemporaryDirectory(prefix='tourney-viewer-') as where:
        bench = Bench(os.path.abspath(tourney), where)
        CASES.run((), count, bench)
        lacks = browser_lacks()
        if not lacks:
            try:
                more = browser_tests(bench)
            except Exception as error:  # what it shows could not be made, for instance
                print(f'FAILED in the browser: {type(error).__name__}: {error}')
                more = 0, 1
            count.passed, count.failed = count.passed + more[0], count.failed + more[1]
        else:
            print(f'the tests in the browser are left out for lack of {lacks}')
            count.failed += must
    return count.end()


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], '--browser' in sys.argv))
