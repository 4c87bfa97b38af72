#!/usr/bin/python3
"""Long programs and many ranks: how soon the search knows what `tourney run` knows, and what it keeps in memory.

The first run is told by the search's own log; `tourney run` beside it is the median of a few. A pool of sends that are
reclaimed by polls, and deterministic calls, are searched to their end.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import tempfile
import time

from measure import LIBRARIES, TOURNEY, Failed, cell, libraries_for, program, run, stop

RUNS = 3
AIM = 2.0  # the first run of the search, in runs of tourney run
POLLS = [100, 1000, 10000, 100000]
RANKS = [4, 8, 16, 32, 64, 128]
SENDS = range(3, 13)
CALLS = 1000000
LIMIT = 60  # seconds for one search


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


def plain_run(arguments):
    return statistics.median(run([options.tourney, 'run', *arguments])[0] for _ in range(RUNS))


def searched(arguments):
    """Seconds, runs and megabytes of a whole search, or of what it did in the time."""
    with tempfile.TemporaryDirectory() as scratch:
        results = os.path.join(scratch, 'out')
        begin = time.monotonic()
        process = subprocess.Popen([options.tourney, '--quiet', '--time', str(LIMIT), '-o', results, *arguments],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        seconds = time.monotonic() - begin
        with open(os.path.join(results, 'result.json')) as file:
            result = json.load(file)
    return seconds, result['runs'], usage.ru_maxrss / 1024, not result['bounds']


def first_runs(library, missed):
    print('\nthe first run: seconds until the search tells of it, beside tourney run; ratio below 2 is the aim\n')
    print(f'{"program":18} {"library":8} {"search":>8} {"run":>8} {"ratio":>6}')
    cases = [(f'polls {rounds}', 'bench/polls.c', 2, [str(rounds)]) for rounds in POLLS]
    cases += [(f'ring, {ranks} ranks', 'bench/ring.c', ranks, [str(20000 // ranks), '4']) for ranks in RANKS]
    for name, source, ranks, arguments in cases:
        command = ['-n', str(ranks), program(library, source), *arguments]
        try:
            ours, theirs = first_run(command), plain_run(command)
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
        seconds, runs, _, whole = searched(['-n', '2', program(library, 'bench/pool.c'), str(sends)])
        print(f'{sends:5} {LIBRARIES[library]:8} {cell(seconds, "8.2f")} {runs:8} {"yes" if whole else "no":>6}')
        if not whole:
            break


def memory(library):
    print('\nmemory of tourney for calls without a choice\n')
    print(f'{"calls":>8} {"library":8} {"seconds":>8} {"MB":>8}')
    for calls in (CALLS // 100, CALLS // 10, CALLS):
        command = ['-n', '2', program(library, 'bench/ring.c'), str(calls // 4), '4']
        seconds, _, megabytes, whole = searched(command)
        print(f'{calls:8} {LIBRARIES[library]:8} {seconds:8.2f} {megabytes:8.0f}{"" if whole else "  not done"}', flush=True)


def main():
    global options
    ask = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    ask.add_argument('--tourney', default=TOURNEY)
    ask.add_argument('--quick', action='store_true', help='one library')
    options = ask.parse_args()
    missed = []
    for library in libraries_for(options.tourney)[:1 if options.quick else None]:
        first_runs(library, missed)
        pools(library)
        memory(library)
    if missed:
        print('\naim missed: ' + ', '.join(missed))


if __name__ == '__main__':
    main()
