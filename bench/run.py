#!/usr/bin/python3
"""What tourney costs, next to mpiexec, from one run.

Programs that do nothing but call MPI are timed at two iteration counts; the
difference is what the calls cost, without start-up. An MPI library that polls
may need milliseconds per call where ranks share a core, so the counts grow from
few until the difference can be measured, and every run has a time-out.
"""

import argparse
import math
import resource
import statistics
import sys

from measure import LIBRARIES, MPIEXEC, TOURNEY, Failed, cell, libraries_for, measured, program, run

BLOCKING_CALLS = {'pingpong': 2, 'ring': 2, 'allreduce': 1, 'halo': 1, 'gather': 2, 'fence': 1, 'lock': 2, 'put': 1, 'counter': 1, 'get': 1}  # per rank and iteration
WORKLOADS = [('pingpong', 8), ('pingpong', 1 << 20), ('ring', 8), ('allreduce', 8), ('halo', 1024), ('gather', 8),
             ('fence', 8), ('fence', 1 << 20), ('lock', 8), ('put', 8), ('counter', 8), ('get', 8)]
WINDOWS = ['fence', 'lock', 'put', 'counter', 'get']  # one-sided, whose accesses are compared for races

TABLES = ['compare', 'windows', 'ranks', 'calls']
ENOUGH = 0.5  # seconds that two counts must differ
AIM_MILLION = 10.0  # seconds for 10^6 blocking calls
AIM_RANKS = 4  # from here on tourney is to be no slower than mpiexec
AIM_RACES = 1.5  # what it may cost to compare accesses to windows


# Measurements.

def command_for(launcher, library, ranks, name, iterations, size):
    start = [options.tourney, 'run'] if launcher == 'tourney' else MPIEXEC[library]
    return start + ['-n', str(ranks), program(library, f'bench/{name}.c'), str(iterations), str(size)]


def per_iteration(launcher, library, ranks, name, size):
    """Seconds per iteration, start-up subtracted."""
    def seconds(iterations):
        return run(command_for(launcher, library, ranks, name, iterations, size))[0]

    few, many = 10, 40
    base = min(seconds(few), seconds(few))
    while (more := seconds(many) - base) < ENOUGH:
        # Straight to where it should be enough, if this much can be told from noise.
        many *= max(2, min(16, math.ceil(1.5 * ENOUGH / more))) if more > 0.05 else 8
    again = seconds(many) - base  # the quieter of two, on a machine that others use too
    return min(more, again if again > 0 else more) / (many - few)


def whole_run(command):
    """(seconds, seconds of processor time) of a run with its start"""
    def processor():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before = processor()
    seconds = run(command)[0]
    return seconds, processor() - before


# Tables.

def human(size):
    for unit in ('B', 'KB', 'MB'):
        if size < 1024:
            return f'{size} {unit}'
        size //= 1024
    return f'{size} GB'


def compare(libraries, rank_counts, notes):
    """tourney against mpiexec; returns the ratios where ranks outnumber what is asked for."""
    print('\nmicroseconds per iteration; ratio: tourney / mpiexec, below 1 tourney is faster;')
    print('call: microseconds per blocking call of a rank under tourney\n')
    print(f'{"":25}' + ''.join(f'| {LIBRARIES[library]:38}' for library in libraries))
    columns = f'| {"tourney":>9} {"mpiexec":>10} {"ratio":>8} {"call":>7} '
    print(f'{"program":10} {"bytes":>7} {"ranks":>5} ' + columns * len(libraries))
    ratios = []
    for name, size in WORKLOADS:
        if options.programs and name not in options.programs.split(','):
            continue
        for ranks in rank_counts:
            print(f'{name:10} {human(size):>7} {ranks:5} ', end='')
            for library in libraries:
                ours = measured(per_iteration, 'tourney', library, ranks, name, size)
                theirs = measured(per_iteration, 'mpiexec', library, ranks, name, size)
                report_compared(ours, theirs, ranks * BLOCKING_CALLS[name])
                what = f'{name}, {human(size)}, {ranks} ranks, {LIBRARIES[library]}'
                notes += [f'{what}, {launcher}: {value}' for launcher, value in
                          (('tourney', ours), ('mpiexec', theirs)) if isinstance(value, str)]
                if isinstance(ours, float) and isinstance(theirs, float) and ranks >= AIM_RANKS:
                    ratios.append((ours / theirs, what))
            print()
    return ratios


def compare_windows(library, rank_counts, notes, rounds=20000, times=3):
    """Whole runs of one-sided programs, by turns: under mpiexec, under tourney, and under tourney without comparing accesses; returns the costs of that."""
    print(f'\nwhole runs of {rounds} rounds with windows, 8 B ({LIBRARIES[library]}); seconds on the wall and of processor time;')
    print('ratio: tourney / mpiexec; races: tourney / tourney with -W rma-race=off, in processor time\n')
    print(f'{"program":10} {"ranks":>5} ' + ''.join(f'| {name:>17} ' for name in ('mpiexec', 'tourney', 'without races')) + f'| {"ratio":>6} {"races":>6}')
    costs = []
    for name in WINDOWS:
        for ranks in rank_counts:
            tourney = command_for('tourney', library, ranks, name, rounds, 8)
            commands = [command_for('mpiexec', library, ranks, name, rounds, 8), tourney, [*tourney[:2], '-W', 'rma-race=off', *tourney[2:]]]
            print(f'{name:10} {ranks:5} ', end='', flush=True)
            try:
                taken = [[whole_run(command) for command in commands] for _ in range(times)]
            except Failed as reason:
                notes.append(f'{name}, {ranks} ranks, {rounds} rounds: {reason}')
                print()
                continue
            wall, processor = ([statistics.median(each[way][kind] for each in taken) for way in range(3)] for kind in range(2))
            cost = processor[1] / processor[2]
            costs.append((cost, f'{name}, {ranks} ranks'))
            print(''.join(f'| {wall[way]:8.2f} {processor[way]:8.2f} ' for way in range(3)) + f'| {wall[1] / wall[0]:6.2f} {cost:6.2f}', flush=True)
    return costs


def report_compared(ours, theirs, calls):
    both = isinstance(ours, float) and isinstance(theirs, float)
    micro = [1e6 * value if isinstance(value, float) else value for value in (ours, theirs)]
    print(f'| {cell(micro[0], "9.1f")} {cell(micro[1], "10.1f")} '
          f'{cell(ours / theirs if both else None, "8.3f")} '
          f'{cell(micro[0] / calls if isinstance(ours, float) else None, "7.2f")} ', end='', flush=True)


def by_ranks(library, rank_counts, notes):
    names = ['ring', 'allreduce', 'halo']
    print(f'\nmicroseconds per blocking call of a rank, by ranks ({LIBRARIES[library]})\n')
    print(f'{"ranks":>5} ' + ''.join(f'{name:>11}' for name in names))
    for ranks in rank_counts:
        print(f'{ranks:5} ', end='')
        for name in names:
            value = measured(per_iteration, 'tourney', library, ranks, name, 8)
            if isinstance(value, str):
                notes.append(f'{name}, {ranks} ranks: {value}')
            else:
                value *= 1e6 / (ranks * BLOCKING_CALLS[name])
            print(cell(value, '11.2f'), end='', flush=True)
        print()


def by_calls(library, rank_counts, call_counts, notes):
    """Whole runs, start-up included; returns the seconds of the longest, by ranks."""
    print(f'\nwhole runs of pingpong, 8 B, by blocking calls of all ranks ({LIBRARIES[library]}); memory in MB\n')
    print(f'{"ranks":>5} {"calls":>9} {"seconds":>9} {"us/call":>8} {"growth":>7} '
          f'{"tourney":>8} {"a rank":>7} {"shared":>7}')
    longest = {}
    for ranks in rank_counts:
        before = None
        for calls in call_counts:
            iterations = calls // (BLOCKING_CALLS['pingpong'] * ranks)
            command = command_for('tourney', library, ranks, 'pingpong', iterations, 8)
            print(f'{ranks:5} {calls:9} ', end='', flush=True)
            try:
                seconds, peak = run(command, watch_memory=True)
            except Failed as reason:
                notes.append(f'pingpong, {ranks} ranks, {calls} calls: {reason}')
                print(cell(None, '9.2f'))
                continue
            growth = math.log(seconds / before[0]) / math.log(calls / before[1]) if before else None
            before = (seconds, calls)
            longest[ranks] = (calls, seconds)
            print(f'{seconds:9.2f} {1e6 * seconds / calls:8.2f} {cell(growth, "7.2f")} '
                  f'{peak.top:8.1f} {peak.below:7.1f} {peak.shared:7.1f}')
    print('growth: exponent of the time since the line before; 1 is linear')
    return longest


def verdict(ratios, costs, longest, last):
    print()
    if costs:
        worst, where = max(costs)
        word = 'met' if worst <= AIM_RACES else 'MISSED'
        print(f'aim: to compare accesses costs no more than {AIM_RACES}: {word}, worst {worst:.2f} ({where})')
    if ratios:
        worst, where = max(ratios)
        word = 'met' if worst <= 1 else 'MISSED'
        print(f'aim: no slower than mpiexec from {AIM_RANKS} ranks: {word}, worst ratio {worst:.3f} ({where})')
    for ranks, (calls, seconds) in longest.items():
        if calls == last == 10**6:
            word = 'met' if seconds < AIM_MILLION else 'MISSED'
            print(f'aim: 10^6 blocking calls in under {AIM_MILLION:.0f} s: {word} at {ranks} ranks, {seconds:.2f} s')


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--quick', action='store_true', help='fewer sizes; a minute')
    parser.add_argument('--only', choices=TABLES, help='one of the tables')
    parser.add_argument('--programs', metavar='NAME[,NAME...]', help='of the first table, only the lines of these')
    parser.add_argument('--tourney', default=TOURNEY, metavar='PATH')
    return parser.parse_args()


def main():
    libraries = libraries_for(options.tourney)
    wanted = [options.only] if options.only else TABLES
    call_counts = [10**4, 10**5] if options.quick else [10**4, 10**5, 10**6]

    notes, ratios, costs, longest = [], [], [], {}
    if 'compare' in wanted:
        ratios = compare(libraries, [4] if options.quick else [2, 4, 8], notes)
    if 'windows' in wanted:
        costs = compare_windows(libraries[-1], [4] if options.quick else [2, 4, 8], notes)
    if 'ranks' in wanted:
        by_ranks(libraries[0], [2, 8, 32] if options.quick else [2, 4, 8, 16, 32], notes)
    if 'calls' in wanted:
        longest = by_calls(libraries[0], [2, 32], call_counts, notes)
    verdict(ratios, costs, longest, call_counts[-1])
    for note in notes:
        print('no measurement:', note)
    return 1 if notes else 0


if __name__ == '__main__':
    options = parse()
    sys.exit(main())
