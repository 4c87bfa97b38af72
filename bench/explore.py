#!/usr/bin/python3
"""What it takes to see every run of a program, next to starting it anew for each.

The programs have a known number of runs, and tourney must find just that many.
Starting anew costs what one run under mpiexec does, the median of a few, times
the number of runs; that this would meet a new order every time is given to it
for free.
"""

import argparse
import collections
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile

from measure import LIBRARIES, MPIEXEC, TOURNEY, Failed, cell, libraries_for, program, run

STARTS = 3  # under mpiexec, of which the median counts
AIM_UNMERGED = 5.0  # seconds for the orders of 7 senders, each by itself
AIM_MERGED = 20.0  # seconds for those of 11, equal states merged
AIM_RATIO = 100  # times faster than starting anew

ONE_RUN = ('--max-runs=1',)
LEAST_DIFFERENCE = 0.05  # seconds by which a search must take longer than its start, or there is nothing to divide by
AIM_PER_SECOND = 10000  # runs in a second of the processor, of a rank that goes back for each

Case = collections.namedtuple('Case', 'name source ranks runs merge')


def star(ranks, merge=False):
    """All send to one, which hears of them in any order."""
    return Case('star', 'test/explore/star.c', ranks, math.factorial(ranks - 1), merge)


def pairs(receivers):
    """Each hears of two senders of its own: the runs multiply, what has to be run adds up."""
    return Case('pairs', 'test/explore/pairs.c', 3 * receivers, 2**receivers, False)


def late(ranks):
    """A star whose receiver works for a second before it listens."""
    return Case('late', 'bench/late.c', ranks, math.factorial(ranks - 1), False)


def lock(ranks, merge=False):
    """All want the exclusive lock of one window: k contenders get it in k! orders."""
    return Case('lock', 'test/explore/contenders.c', ranks, math.factorial(ranks), merge)


CASES = [star(5), star(6), star(7), star(8), star(12, merge=True), pairs(2), pairs(4), pairs(8), late(6),
         lock(3), lock(4), lock(5), lock(6), lock(8, merge=True)]
QUICK = [star(5), star(6), star(7), pairs(2), pairs(4), late(5), lock(5)]


def explored(library, case):
    """Seconds that tourney took, and its result.json."""
    with tempfile.TemporaryDirectory() as scratch:
        results = os.path.join(scratch, 'results')
        split = ['--no-merge'] if options.merging and not case.merge else []
        seconds, _ = run([options.tourney, '-n', str(case.ranks), '--buffering=infinite', *split, '-o', results,
                          program(library, case.source)])
        try:
            with open(os.path.join(results, 'result.json')) as file:
                result = json.load(file)
        except FileNotFoundError:
            raise Failed('tourney wrote no result.json')
    if not case.merge and result['runs'] != case.runs:
        raise Failed(f'{result["runs"]} runs, not {case.runs}')
    return seconds, result


def started(library, case):
    """Seconds of one run under mpiexec."""
    command = MPIEXEC[library] + ['-n', str(case.ranks), program(library, case.source)]
    return statistics.median(run(command)[0] for _ in range(STARTS))


def line(library, case, notes):
    """Prints what was measured; returns tourney's seconds, the segments and the ratio, None where there is none."""
    what = f'{case.name}, {case.ranks} ranks, {LIBRARIES[library]}'
    print(f'{case.name:7} {case.ranks:5} {LIBRARIES[library]:8} {case.runs:9} {"yes" if case.merge else "no":>6} | ',
          end='', flush=True)
    ours = theirs = segments = ratio = None
    if case.merge and not options.merging:
        print('merging: not available')
        return ours, segments, ratio
    try:
        ours, result = explored(library, case)
        segments = result['segments']
        theirs = started(library, case)
        ratio = case.runs * theirs / ours
    except Failed as reason:
        notes.append(f'{what}, {"tourney" if ours is None else "mpiexec"}: {reason}')
    print(f'{cell(ours, "8.2f")} {cell(ours and case.runs / ours, "9.0f")} {cell(segments, "10.0f")} | '
          f'{cell(theirs, "7.2f")} {cell(theirs and case.runs * theirs, "10.0f")} {cell(ratio, "10.0f")}')
    return ours, segments, ratio


def table(libraries, cases, notes):
    """All lines, by library and case."""
    print('\nevery run once, by tourney and by starting the program under mpiexec for each; seconds;')
    print('merge: equal states are one; segments: stretches of a rank between two answers that had to be run;')
    print('ratio: starting anew / tourney, above 1 tourney is faster\n')
    print(f'{"":40}| {"tourney":30}| mpiexec')
    print(f'{"program":7} {"ranks":>5} {"library":8} {"runs":>9} {"merge":>6} | {"seconds":>8} {"runs/s":>9} '
          f'{"segments":>10} | {"one run":>7} {"all runs":>10} {"ratio":>10}')
    return {(library, case): line(library, case, notes) for case in cases for library in libraries}


def processor_seconds(library, source, ranks, *options_of_search):
    """Of a search and all its processes, and the number of its runs."""
    source, *arguments = source.split()
    with tempfile.TemporaryDirectory() as scratch:
        results = os.path.join(scratch, 'results')
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            run([options.tourney, '-n', str(ranks), '--buffering=infinite', '--no-merge', *options_of_search, '-o', results,
                 program(library, source), *arguments])
        except Failed as reason:
            if options_of_search != ONE_RUN or not str(reason).startswith('exit 2'):  # not decided
                raise
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(os.path.join(results, 'result.json')) as file:
            runs = json.load(file)['runs']
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, runs


def ways_back(libraries, cases, notes):
    """Each run by itself, by a rank that goes back for the next one, and by a copy of it.  The start is taken off."""
    print('\na rank that goes back to where ways part, and one that is copied there; seconds of the processor;')
    print('start: of a search for one run; runs/s: without the start\n')
    print(f'{"program":14} {"ranks":>5} {"library":8} {"runs":>6} | {"start":>6} | {"back":>6} {"runs/s":>7} | {"copies":>6} '
          f'{"runs/s":>7} | {"ratio":>6}')
    for source, ranks in cases:
        for library in libraries:
            name = ' '.join([os.path.basename(source.split()[0])[:-2], *source.split()[1:]])
            try:
                start, _ = processor_seconds(library, source, ranks, *ONE_RUN)
                back, runs = processor_seconds(library, source, ranks)
                copies, same = processor_seconds(library, source, ranks, '--no-savepoints')
                if runs != same:
                    raise Failed(f'{runs} runs by going back, and {same} by copies')
            except (Failed, FileNotFoundError) as reason:
                notes.append(f'{name}, {ranks} ranks, {LIBRARIES[library]}: {reason}')
                continue
            rate, slow = (runs / (seconds - start) if seconds - start >= LEAST_DIFFERENCE else None for seconds in (back, copies))
            print(f'{name:14} {ranks:5} {LIBRARIES[library]:8} {runs:6} | {start:6.2f} | {back:6.2f} {cell(rate, "7.0f")} | {copies:6.2f} '
                  f'{cell(slow, "7.0f")} | {cell(rate / slow if rate and slow else None, "6.1f")}')
            if name == 'star':
                aim(f'{AIM_PER_SECOND} runs in a second, {LIBRARIES[library]}', rate is not None and rate >= AIM_PER_SECOND,
                    f'{rate:.0f}' if rate else 'no measurement')


def aim(text, met, found):
    print(f'aim: {text}: {"met" if met else "MISSED"}, {found}')


def verdict(libraries, lines):
    """What was aimed for, as far as it was measured."""
    print()
    for library in libraries:
        of = {case: measures for (where, case), measures in lines.items() if where == library}
        name = LIBRARIES[library]
        counts = [case.runs for case, (seconds, _, _) in of.items() if case.ranks in (5, 6, 7) and case.name == 'star'
                  and seconds]
        aim(f'star of 5, 6, 7 ranks, 24, 120, 720 orders, {name}', counts == [24, 120, 720],
            ', '.join(map(str, counts)))
        for case, bound in ((star(8), AIM_UNMERGED), (star(12, merge=True), AIM_MERGED)):
            if case in of:
                seconds = of[case][0]
                aim(f'{case.runs} orders {"with" if case.merge else "without"} merging in under {bound:.0f} s, {name}',
                    seconds is not None and seconds < bound, f'{seconds:.2f} s' if seconds else 'no measurement')
        ratios = [(ratio, case.ranks) for case, (_, _, ratio) in of.items() if case.name == 'star' and ratio]
        if ratios:
            ratio, ranks = min(ratios)
            aim(f'{AIM_RATIO} times as fast as starting anew, {name}', ratio >= AIM_RATIO,
                f'worst ratio {ratio:.0f} (star, {ranks} ranks)')
        each = [segments / (case.ranks // 3) for case, (_, segments, _) in of.items()
                if case.name == 'pairs' and segments]
        if each:
            aim(f'segments of pairs grow as its receivers do, {name}', max(each) < 1.1 * min(each),
                f'{min(each):.1f} to {max(each):.1f} for each')


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--quick', action='store_true', help='smaller programs')
    parser.add_argument('--only', choices=['runs', 'back'], help='one of the two tables')
    parser.add_argument('--tourney', default=TOURNEY, metavar='PATH')
    return parser.parse_args()


def main():
    libraries = libraries_for(options.tourney)
    usage = subprocess.run([options.tourney, 'verify', '--help'], capture_output=True, text=True).stdout
    options.merging = '--no-merge' in usage
    notes = []
    if options.only != 'back':
        verdict(libraries, table(libraries, QUICK if options.quick else CASES, notes))
    if options.only != 'runs' and '--no-savepoints' in usage:
        ways_back(libraries, [('test/explore/star.c', 8), ('bench/resident.c 200', 7)], notes)
    for note in notes:
        print('no measurement:', note)
    return 1 if notes else 0


if __name__ == '__main__':
    options = parse()
    sys.exit(main())
