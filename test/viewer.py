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
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VIEWER = os.path.join(ROOT, 'viewer')
PROGRAMS = os.path.join(ROOT, 'test', 'viewer')
PATIENCE = 120
TESTS = []


def test(function):
    TESTS.append(function)
    return function


class Bench:
    """A place to work in, and results of the programs, each made once."""

    def __init__(self, tourney, where):
        self.tourney = tourney
        self.where = where
        self.made = {}

    def run(self, *arguments):
        return subprocess.run([self.tourney, *arguments], cwd=self.where, stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=PATIENCE, check=False)

    def build(self, name, source=None, binary=None):
        source = source or os.path.join(self.where, f'{name}.c')
        if not os.path.exists(source):
            shutil.copy(os.path.join(PROGRAMS, f'{name}.c'), source)
        binary = binary or name
        subprocess.run(['mpicc.mpich', '-g', '-O0', source, '-o', os.path.join(self.where, binary)], check=True)
        return f'./{binary}'

    def result(self, name, ranks, *arguments):
        key = '-'.join([name, str(ranks), *arguments])
        if key not in self.made:
            program = self.build(name)
            done = self.run('-n', str(ranks), '--quiet', '-o', key, program, *arguments)
            assert done.returncode == 1, done
            self.made[key] = os.path.join(self.where, key)
        return self.made[key]

    def report(self, result):
        done = self.run('report', result)
        assert done.returncode == 0, done
        return os.path.join(result, 'report.html')

    def line(self, name, mark):
        with open(os.path.join(PROGRAMS, f'{name}.c'), encoding='utf-8') as source:
            return next(i for i, line in enumerate(source, 1) if f'/* {mark} */' in line)


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
          ['report.html', 'result.json', 'run-1-clean.json', 'run-1.json'])
    bench.run('-n', '1', '--quiet', '-o', 'again', '/bin/true')
    equal(os.listdir(os.path.join(bench.where, 'again')), ['result.json'])


# ---- the command ----

@test
def bad_input_is_one_sentence(bench):
    result = bench.result('race', 3)
    damaged = os.path.join(bench.where, 'damaged')
    shutil.copytree(result, damaged)
    with open(os.path.join(damaged, 'run-1.json'), 'w', encoding='utf-8') as file:
        file.write('{"tool": "tourney run", "version": 1, "texts": []}')
    for arguments, words in [(['nowhere'], 'no result of tourney'), ([], 'needs the DIR'), (['a', 'b'], 'takes one DIR'),
                             (['--x', 'a'], 'takes one DIR'), ([damaged], "'places' is missing"),
                             ([result, '-o', '/nowhere/x'], 'cannot write /nowhere/x')]:
        done = bench.run('report', *arguments)
        equal((done.returncode, done.stdout, done.stderr.count('\n')), (3, '', 1))
        assert words in done.stderr, done.stderr


@test
def a_result_without_runs_is_enough(bench):
    bare = os.path.join(bench.where, 'bare')
    os.mkdir(bare)
    shutil.copy(os.path.join(bench.result('race', 3), 'result.json'), bare)
    page = os.path.join(bench.where, 'bare.html')
    equal(bench.run('report', 'bare', '-o', page).returncode, 0)
    equal(json.loads(data_of(page))['runs'], [{'finding': 1, 'run': None, 'clean': None}])


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
             'hostile': os.path.join(bench.where, 'hostile.html'), 'bare': os.path.join(bench.where, 'bare.html'), 'made': made_page(bench)}
    lines = {mark: bench.line('race', mark) for mark in ('ANY', 'STUCK', 'RESULT', 'REPORT')}
    done = subprocess.run(['node', os.path.join(PROGRAMS, 'browser.mjs'), json.dumps({'pages': pages, 'lines': lines})],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=3 * PATIENCE, check=False)
    print(done.stdout, end='')
    passed, failed = (len(re.findall(f'^{word} ', done.stdout, re.M)) for word in ('ok', 'FAILED'))
    return passed, failed or int(done.returncode != 0)


def main(tourney, must):
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix='tourney-viewer-') as where:
        bench = Bench(os.path.abspath(tourney), where)
        for function in TESTS:
            try:
                function(bench)
                passed += 1
            except Exception as error:  # whatever it was, the others go on
                failed += 1
                print(f'FAILED {function.__name__}: {type(error).__name__}: {error}')
        lacks = browser_lacks()
        if not lacks:
            more = browser_tests(bench)
            passed, failed = passed + more[0], failed + more[1]
        else:
            print(f'the tests in the browser are left out for lack of {lacks}')
            failed += must
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], '--browser' in sys.argv))
