#!/usr/bin/python3
"""What clocks cost on a real job, next to the same program under plain mpiexec, from one run.

Plain, Lamport and vector runs take turns, so that all see the same noise; the best of each counts, or the
median of ratios. Tables are told as in Markdown.
"""

import argparse
import statistics
import sys
import tempfile

from clocked import MODES, run_job
from measure import LIBRARIES, TOURNEY, Failed, libraries_for, program
from own import Own
from real import PROGRAMS

AIM_LATENCY, AIM_FROM = 1.3, 4096
AIM_PROGRAM = 1.1
AIM_VECTOR = 1.05  # of Lamport clocks
RANKS = (2, 4, 8, 16)
MANY = 64
REAL_WITH_MANY = ('LAMMPS', 'PETSc CG')
STREAM = 16  # messages at a time: bench/sizes.c
OWN = [('halo', 2, 30000, 5), ('ring', 2, 75000, 2), ('halo', 16, 3000, 5)]  # program, ranks, iterations, calls in each
PARTS = ('halo', 'collective', 'farm')


def row(*cells):
    print('| ' + ' | '.join(cell if isinstance(cell, str) else f'{cell:.3g}' if cell < 1 else f'{cell:.2f}'
                            for cell in cells) + ' |', flush=True)


def head(*names):
    row(*names)
    print('|' + '---|' * len(names))


def sizes(library, rounds):
    """What each round says: {(what, bytes): {mode: [value]}}; a stream's is turned round, too: the less the better."""
    table, written = {}, {}
    for _ in range(rounds):
        for mode in MODES:
            job = run_job(library, mode, 2, [program(library, 'bench/sizes.c')])
            written[mode] = job.per_call()
            for line in job.out.splitlines():
                what, size, value = line.split()
                one = float(value) if what == 'latency' else STREAM * int(size) / float(value)
                table.setdefault((what, int(size)), {}).setdefault(mode, []).append(one)
    return table, written


def ratio_of_pairs(values, mode, base):
    """
    Of runs that came one after the other.  Two processors may be near to each other, or far: on a virtual machine that
    changes by itself, and a message takes three times as long then.
    """
    return statistics.median(value / other for value, other in zip(values[mode], values[base]))


def human(size):
    return f'{size} B' if size < 1024 else f'{size >> 10} KB' if size < 1 << 20 else f'{size >> 20} MB'


def show_sizes(library, rounds, verdicts):
    table, written = sizes(library, rounds)
    print(f'\n{LIBRARIES[library]}, 2 ranks: microseconds, one way or {STREAM} messages at a time; {rounds} rounds, ratios are'
          ' medians of pairs that ran one after the other\n')
    head('', 'bytes', 'plain, least', 'most', 'lamport, least', 'ratio', 'vector, least', 'ratio', 'vector/lamport')
    for (what, size), values in sorted(table.items()):
        cost = ratio_of_pairs(values, 'vector', 'plain')
        row(what, human(size), min(values['plain']), max(values['plain']), min(values['lamport']),
            ratio_of_pairs(values, 'lamport', 'plain'), min(values['vector']), cost,
            ratio_of_pairs(values, 'vector', 'lamport'))
        if what == 'latency' and size >= AIM_FROM:
            verdicts.append((cost, AIM_LATENCY, f'latency, {human(size)}, {LIBRARIES[library]}'))
    print(f'\nbytes written per call: lamport {written["lamport"]:.0f}, vector {written["vector"]:.0f}')


def time_real(real, ranks, rounds):
    """By mode: seconds of its work and processor time of the job, in each round, and the last job."""
    seconds, processor, last = ({mode: [] for mode in MODES} for _ in range(3))
    for _ in range(rounds):
        for mode in MODES:
            with tempfile.TemporaryDirectory(prefix='tourney-bench.') as directory:
                job = run_job('openmpi', mode, ranks, real.command(directory), directory)
            seconds[mode].append(real.seconds(job.out))
            processor[mode].append(job.processor)
            last[mode] = job
    return seconds, processor, last


def best_of(values):
    return {mode: min(values[mode]) for mode in MODES}


def show_real(rounds, verdicts):
    print('\nReal programs (Open MPI): seconds as the program says; ratio to plain; processor time of the whole job\n')
    head('program', 'ranks', 'plain s', 'lamport s', 'ratio', 'vector s', 'ratio', 'plain processor s', 'vector processor s',
         'ratio', 'calls of a rank', 'bytes per call, lamport', 'vector')
    for real in PROGRAMS:
        if not real.is_there():
            print(f'{real.name} is not there (Debian: {real.package})')
            continue
        for ranks in RANKS:
            try:
                seconds, processor, job = time_real(real, ranks, rounds)
            except Failed as reason:
                print(f'{real.name}, {ranks} ranks: {reason}')
                verdicts.append((float('inf'), AIM_PROGRAM, f'{real.name}, {ranks} ranks'))
                continue
            best, processor = best_of(seconds), best_of(processor)
            ratio = best['vector'] / best['plain']
            row(real.name, str(ranks), best['plain'], best['lamport'], best['lamport'] / best['plain'], best['vector'], ratio,
                processor['plain'], processor['vector'], processor['vector'] / processor['plain'],
                str(job['vector'].calls // ranks), f'{job["lamport"].per_call():.0f}', f'{job["vector"].per_call():.0f}')
            verdicts.append((ratio, AIM_PROGRAM, f'{real.name}, {ranks} ranks'))


def traffic(mode, rounds):
    """Seconds and processor time of each part, and of all, in one job."""
    out = run_job('openmpi', mode, MANY, [program('openmpi', 'bench/traffic.c'), str(rounds)]).out
    spent = {line.split()[0]: [float(word) for word in line.split()[1:]] for line in out.splitlines()}
    spent['all'] = [sum(both) for both in zip(*(spent[part] for part in PARTS))]
    return spent


def show_many(rounds, verdicts):
    """A job of so many ranks on few processors takes as long as the scheduler likes; what it costs them is steadier."""
    jobs = [{mode: traffic(mode, 20) for mode in MODES} for _ in range(rounds)]
    print(f'\n{MANY} ranks (Open MPI): seconds and processor time of all ranks, best of {rounds}; vector/lamport: of the best,'
          ' and the median of pairs that ran one after the other\n')
    head('', *(f'{mode} {what}' for what in ('s', 'processor s') for mode in MODES), 'vector/lamport', 'processor', 'median',
         'processor')
    for part in PARTS + ('all',):
        best = [{mode: min(job[mode][part][i] for job in jobs) for mode in MODES} for i in range(2)]
        pairs = [statistics.median(job['vector'][part][i] / job['lamport'][part][i] for job in jobs) for i in range(2)]
        row(part, *(best[i][mode] for i in range(2) for mode in MODES), *(best[i]['vector'] / best[i]['lamport'] for i in range(2)),
            *pairs)
    verdicts.append((best[1]['vector'] / best[1]['lamport'], AIM_VECTOR, f'vector/lamport, processor time, {MANY} ranks'))


def show_many_real(rounds, verdicts):
    print(f'\nReal programs with {MANY} ranks: processor time of the whole job; vector/lamport: medians of pairs\n')
    head('program', *MODES, 'vector/lamport', 'of the seconds that it says')
    for real in PROGRAMS:
        if real.name not in REAL_WITH_MANY or not real.is_there():
            continue
        seconds, processor, _ = time_real(real, MANY, rounds)
        ratio = ratio_of_pairs(processor, 'vector', 'lamport')
        row(real.name, *best_of(processor).values(), ratio, ratio_of_pairs(seconds, 'vector', 'lamport'))
        verdicts.append((ratio, AIM_VECTOR, f'vector/lamport, processor time, {real.name}, {MANY} ranks'))


def show_own(library):
    """Of the figures of a long run, those of one that does nothing are taken off."""
    print(f'\ntourney itself ({LIBRARIES[library]}): private memory, and memory that lies in files, bytes per call of a rank;'
          ' processor time, microseconds\n')
    head('program', 'ranks', 'calls of a rank', 'private', 'in files', 'time')
    for name, ranks, iterations, calls in OWN:
        none, long = (Own(ranks, [program(library, f'bench/{name}.c'), str(n), '8']) for n in (1, iterations))
        each = ranks * calls * iterations
        row(name, str(ranks), str(calls * iterations), f'{(long.private - none.private) * 2**20 / each:.0f}',
            f'{(long.file - none.file) * 2**20 / each:.0f}', (long.seconds - none.seconds) * 1e6 / each)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--only', choices=('sizes', 'real', 'many', 'own'))
    parser.add_argument('--library', choices=list(LIBRARIES))
    return parser.parse_args()


def main():
    options = parse()
    verdicts = []
    libraries = [library for library in libraries_for(TOURNEY) if options.library in (None, library)]
    if options.only in (None, 'sizes'):
        for library in libraries:
            show_sizes(library, options.rounds, verdicts)
    if options.only in (None, 'real') and 'openmpi' in libraries:
        show_real(options.rounds, verdicts)
    if options.only in (None, 'many') and 'openmpi' in libraries:
        show_many(options.rounds, verdicts)
        show_many_real(options.rounds, verdicts)
    if options.only in (None, 'own') and 'openmpi' in libraries:
        show_own('openmpi')
    print()
    for value, aim, what in verdicts:
        print(f'aim: below {aim} ({what}): {"met" if value < aim else "MISSED"}, {value:.2f}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
