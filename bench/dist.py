#!/usr/bin/python3
"""What clocks cost on a real job, next to the same program under plain mpiexec, from one run.

Plain, Lamport and vector runs take turns, so that all see the same noise, and the best of each
counts.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

from measure import LIBRARIES, MPIEXEC, ROOT, TOURNEY, Failed, libraries_for, program

GATE = os.path.join(os.path.dirname(TOURNEY), 'lib', 'tourney', 'libtourney.so')
MODES = ('plain', 'lamport', 'vector')
POLITE = {'mpich': [], 'openmpi': ['--mca', 'mpi_yield_when_idle', '1']}
AIM_LATENCY, AIM_FROM = 1.3, 4096
AIM_PROGRAM = 1.1
AIM_VECTOR = 1.05

# Programs that compute and communicate: name, source, ranks, arguments.
PROGRAMS = [('halo', 'bench/halo.c', (2, 4, 8), ['4000', '8192']),
            ('floyd', 'bench/floyd.c', (2, 4), []),
            ('allreduce', 'bench/allreduce.c', (2, 4, 8), ['4000', '1024'])]


def run_once(library, mode, ranks, command):
    """What it printed, seconds, and bytes that each rank wrote by operation."""
    env = dict(os.environ)
    scratch = tempfile.mkdtemp(prefix='tourney-bench.', dir='/dev/shm')
    launcher = MPIEXEC[library] + POLITE[library]
    if mode != 'plain':
        env.update(TOURNEY_CLOCK=scratch, TOURNEY_CLOCK_KIND=mode)
        launcher = launcher + (['-genv', 'LD_PRELOAD', GATE] if library == 'mpich' else ['-x', 'LD_PRELOAD=' + GATE])
    try:
        done = subprocess.run(launcher + ['-n', str(ranks), *command], env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise Failed(f'exit {done.returncode}: {(done.stderr.strip().splitlines() or [""])[0]}')
        return done.stdout, bytes_per_operation(scratch)
    except subprocess.TimeoutExpired:
        raise Failed('time-out') from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def bytes_per_operation(scratch):
    sys.path.insert(0, os.path.join(ROOT, 'test'))
    import causal
    ranks = [causal.Rank(os.path.join(scratch, name)) for name in os.listdir(scratch)]
    operations = sum(len(rank.ops) for rank in ranks)
    return sum(rank.bytes for rank in ranks) / operations if operations else 0


def sizes(library, rounds):
    """Best figure of each mode: {(what, bytes): {mode: value}}, and bytes per operation."""
    table, written = {}, {}
    for _ in range(rounds):
        for mode in MODES:
            out, written[mode] = run_once(library, mode, 2, [program(library, 'bench/sizes.c')])
            for line in out.splitlines():
                what, size, value = line.split()
                row = table.setdefault((what, int(size)), {})
                better = min if what == 'latency' else max
                row[mode] = better(row.get(mode, float(value)), float(value))
    return table, written


def human(size):
    return f'{size} B' if size < 1024 else f'{size >> 10} KB' if size < 1 << 20 else f'{size >> 20} MB'


def show_sizes(library, rounds, verdicts):
    table, written = sizes(library, rounds)
    print(f'\n{LIBRARIES[library]}, 2 ranks: microseconds one way, megabytes per second; ratio to plain (cost)\n')
    print(f'{"":9} {"bytes":>7} {"plain":>9} {"lamport":>9} {"ratio":>6} {"vector":>9} {"ratio":>6} {"vector/lamport":>15}')
    for (what, size), row in sorted(table.items()):
        cost = {mode: row[mode] / row['plain'] if what == 'latency' else row['plain'] / row[mode] for mode in MODES}
        print(f'{what:9} {human(size):>7} {row["plain"]:9.2f} {row["lamport"]:9.2f} {cost["lamport"]:6.2f} '
              f'{row["vector"]:9.2f} {cost["vector"]:6.2f} {cost["vector"] / cost["lamport"]:15.2f}')
        if what == 'latency' and size >= AIM_FROM:
            verdicts.append((cost['vector'], AIM_LATENCY, f'latency, {human(size)}, {LIBRARIES[library]}'))
    print(f'bytes written per operation: lamport {written["lamport"]:.0f}, vector {written["vector"]:.0f}')


def seconds_of(library, mode, ranks, command):
    """Of the program between MPI_Init and MPI_Finalize, as it says itself."""
    out, _ = run_once(library, mode, ranks, command)
    return float(out.split()[-1])


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--library', choices=list(LIBRARIES))
    return parser.parse_args()


def main():
    options = parse()
    verdicts = []
    for library in libraries_for(TOURNEY):
        if options.library in (None, library):
            show_sizes(library, options.rounds, verdicts)
    print()
    for value, aim, what in verdicts:
        print(f'aim: below {aim} ({what}): {"met" if value < aim else "MISSED"}, {value:.2f}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
