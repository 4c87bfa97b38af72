#!/usr/bin/python3
"""Long programs and many ranks: how soon the search knows what `tourney run` knows, and what it keeps in memory.

The first run is told by the search's own log; of it and of `tourney run` beside it the median of a few is taken, by turns. A pool of sends that are
reclaimed by polls, and deterministic calls, are searched to their end.
"""

import argparse
import contextlib
import json
import os
import re
import statistics
import subprocess
import tempfile
import time

from measure import LIBRARIES, TOURNEY, Failed, cell, libraries_for, program, run, stop

RUNS = 5
AIM = 2.0  # the first run of the search, in runs of tourney run
POLLS = [100, 1000, 10000, 100000]
NOES = [10000, 100000]
RANKS = [4, 8, 16, 32, 64, 128]
SENDS = range(3, 13)
CALLS = 1000000
LIMIT = 60  # seconds for one search
LONG_LIMIT = 300  # and for one with a million calls, or many states
MEMORY = 50  # MB of tourney itself, for a million calls without a choice
JOURNAL = 20  # MB, for the same


def first_run(arguments):
    """Seconds from the start of tourney until the first run of its search has ended."""
    with tempfile.TemporaryDirectory() as scratch:
        begin = time.monotonic()
        process = subprocess.Popen([options.tourney, '-o', os.path.join(scratch, 'out'), *arguments],
                                   env=dict(os.environ, TOURNEY_LOG='explore'), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            for line in process.stderr:
                if re.search(r'run 1 ends', line):
                    return time.monotonic() - begin
        finally:
            stop(process)
    raise Failed('no run ended')


def beside_plain_run(arguments):
    """Seconds until the first run of a search has ended, and those of `tourney run`."""
    pairs = [(first_run(arguments), run([options.tourney, 'run', *arguments])[0]) for _ in range(RUNS)]
    return [statistics.median(seconds) for seconds in zip(*pairs)]


def watched(process, results):
    """The most megabytes that tourney itself took, and that its journal had, which is gone when all was searched."""
    memory = journal = 0
    while process.poll() is None:
        with contextlib.suppress(OSError):
            with open(f'/proc/{process.pid}/status') as file:
                memory = max([memory, *map(int, re.findall(r'VmHWM:\s+(\d+)', file.read()))])
            journal = max(journal, os.stat(os.path.join(results, 'journal')).st_size)
        time.sleep(0.02)
    return memory / 1024, journal / (1 << 20)


def searched(arguments, limit=LIMIT):
    """Seconds, runs, megabytes of memory and of journal of a whole search, or of what it did in the time."""
    with tempfile.TemporaryDirectory() as scratch:
        results = os.path.join(scratch, 'out')
        begin = time.monotonic()
        process = subprocess.Popen([options.tourney, '--quiet', '--time', str(limit), '-o', results, *arguments],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True)
        memory, journal = watched(process, results)
        seconds = time.monotonic() - begin
        with open(os.path.join(results, 'result.json')) as file:
            result = json.load(file)
    return seconds, result['runs'], memory, journal, not result['bounds']


def first_runs(library, missed):
    print('\nthe first run: seconds until the search tells of it, beside tourney run; ratio below 2 is the aim\n')
    print(f'{"program":18} {"library":8} {"search":>8} {"run":>8} {"ratio":>6}')
    cases = [(f'polls {rounds}', 'bench/polls.c', 2, [str(rounds)]) for rounds in POLLS]
    cases += [(f'{noes} noes', 'bench/patient.c', 4, [str(noes)]) for noes in NOES]
    cases += [(f'ring, {ranks} ranks', 'bench/ring.c', ranks, [str(20000 // ranks), '4']) for ranks in RANKS]
    for name, source, ranks, arguments in cases:
        command = ['-n', str(ranks), program(library, source), *arguments]
        try:
            ours, theirs = beside_plain_run(command)
        except Failed as reason:
            print(f'{name:18} {LIBRARIES[library]:8} {reason}')
            missed.append(name)
            continue
        print(f'{name:18} {LIBRARIES[library]:8} {ours:8.3f} {theirs:8.3f} {ours / theirs:6.2f}')
        if ours / theirs > AIM:
            missed.append(name)


def pools(library):
    print('\na pool of sends reclaimed by polls: the receiver never notices in which order\n')
    print(f'{"sends":>5} {"library":8} {"seconds":>8} {"runs":>8} {"whole":>6}')
    for sends in SENDS:
        seconds, runs, _, _, whole = searched(['-n', '2', program(library, 'bench/pool.c'), str(sends)])
        print(f'{sends:5} {LIBRARIES[library]:8} {cell(seconds, "8.2f")} {runs:8} {"yes" if whole else "no":>6}')
        if not whole:
            break


def calls_in_a_row(library, missed):
    print(f'\ncalls without a choice: memory of tourney and its journal; {MEMORY} MB and {JOURNAL} MB are the aims\n')
    print(f'{"program":16} {"calls":>8} {"library":8} {"seconds":>8} {"memory":>8} {"journal":>8}')
    cases = [('ring', 'bench/ring.c', ranks, calls, [str(calls // (2 * ranks)), '4'])
             for ranks, calls in ((2, CALLS // 100), (2, CALLS // 10), (2, CALLS), (16, CALLS // 10), (128, CALLS // 10))]
    cases += [('barriers', 'bench/barriers.c', ranks, calls, [str(calls // ranks)])
              for ranks, calls in ((2, CALLS // 10), (2, CALLS), (16, CALLS // 10), (128, CALLS // 10))]
    for word, source, ranks, calls, arguments in cases:
        name = f'{word}, {ranks} ranks'
        seconds, _, memory, journal, whole = searched(['-n', str(ranks), program(library, source), *arguments], LONG_LIMIT)
        print(f'{name:16} {calls:8} {LIBRARIES[library]:8} {seconds:8.2f} {memory:8.0f} {journal:8.1f}'
              f'{"" if whole else "  not done"}', flush=True)
        if not whole or memory > MEMORY or journal > JOURNAL:
            missed.append(f'{name}, {calls} calls')


def many_states(library):
    print('\nmany states: senders that run ahead of one who takes from anybody, tasks dealt out, and a star; memory of tourney\n')
    print(f'{"program":16} {"library":8} {"seconds":>8} {"memory":>8} {"journal":>8}')
    cases = [(f'{rounds} rounds ahead', 'bench/ahead.c', 3, [str(rounds)]) for rounds in (100, 200, 400, 800)]
    cases += [('40 tasks', 'test/adversarial/task_numbers.c', 8, ['40', 'silent'])]
    cases += [(f'star of {senders}', 'test/explore/star.c', senders + 1, []) for senders in (9, 11, 13, 15)]
    for name, source, ranks, arguments in cases:
        seconds, _, memory, journal, whole = searched(['-n', str(ranks), program(library, source), *arguments], LONG_LIMIT)
        print(f'{name:16} {LIBRARIES[library]:8} {seconds:8.2f} {memory:8.0f} {journal:8.1f}'
              f'{"" if whole else "  not done"}', flush=True)


def main():
    global options
    ask = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    ask.add_argument('--tourney', default=TOURNEY)
    ask.add_argument('--quick', action='store_true', help='one library')
    ask.add_argument('--only', choices=['first', 'pools', 'calls', 'states'], help='one of the four tables')
    options = ask.parse_args()
    missed = []
    for library in libraries_for(options.tourney)[:1 if options.quick else None]:
        if options.only in (None, 'first'):
            first_runs(library, missed)
        if options.only in (None, 'pools'):
            pools(library)
        if options.only in (None, 'calls'):
            calls_in_a_row(library, missed)
        if options.only in (None, 'states'):
            many_states(library)
    if missed:
        print('\naim missed: ' + ', '.join(missed))


if __name__ == '__main__':
    main()
