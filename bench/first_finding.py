#!/usr/bin/python3
"""How long it takes to the first finding in programs with one defect, by the search and by runs at random.

Each program of bench/buggy is searched until something is found, by default and with --sample, in one go.  The random
runs differ from seed to seed: of a few seeds, the median counts.
"""

import argparse
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from measure import LIBRARIES, ROOT, TOURNEY, libraries_for, program

SEEDS = 3
LIMIT = 30  # seconds for one search
RANKS = {'two_masters': 9, 'rare_ring': 16, 'deep_bug': 12, 'head_on': 16}
USUALLY = 12


def found(library, source, ranks, *more):
    """Seconds and runs to the first finding; None: nothing was found in the time."""
    with tempfile.TemporaryDirectory() as scratch:
        results = os.path.join(scratch, 'results')
        command = [options.tourney, '-n', str(ranks), f'--time={LIMIT}', '--stop-first', *more, '-o', results,
                   program(library, source)]
        begin = time.monotonic()
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=4 * LIMIT)
        seconds = time.monotonic() - begin
        with open(os.path.join(results, 'result.json')) as file:
            result = json.load(file)
    errors = [finding for finding in result['findings'] if finding['severity'] == 'error']
    return (seconds, result['runs']) if errors else None


def cell(measured):
    return f'{measured[0]:7.2f} s {measured[1]:6} runs' if measured else f'   not in {LIMIT} s     '


def sampled(library, source, ranks):
    tries = [found(library, source, ranks, '--sample=1000000', f'--seed={seed}') for seed in range(1, SEEDS + 1)]
    good = [one for one in tries if one]
    if len(good) <= SEEDS // 2:
        return None
    return statistics.median(one[0] for one in good), int(statistics.median(one[1] for one in good))


def main():
    missed = 0
    libraries_for(options.tourney)
    print(f'{"program":14} {"ranks":>5} | {"search":^22} | {"at random":^22}')
    for path in sorted(glob.glob(os.path.join(ROOT, 'bench', 'buggy', '*.c'))):
        name, source = os.path.basename(path)[:-2], os.path.relpath(path, ROOT)
        ranks = RANKS.get(name, USUALLY)
        search = found(options.library, source, ranks)
        missed += search is None
        print(f'{name:14} {ranks:5} | {cell(search)} | {cell(sampled(options.library, source, ranks))}', flush=True)
    print(f'aim: the search finds each; missed by {missed}')


if __name__ == '__main__':
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument('--tourney', default=TOURNEY)
    arguments.add_argument('--library', choices=LIBRARIES, default='mpich')
    options = arguments.parse_args()
    sys.exit(main())
