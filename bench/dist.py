#!/usr/bin/python3
"""What clocks cost on a real job, next to the same program under plain mpiexec, from one run.

Plain, Lamport and vector runs take turns, so that all see the same noise, and the best of each
counts.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

from measure import LIBRARIES, MPIEXEC, ROOT, TOURNEY, Failed, libraries_for, program

sys.path.insert(0, os.path.join(ROOT, 'test'))
import causal  # noqa: E402  (of the tests)

GATE = os.path.join(os.path.dirname(TOURNEY), 'lib', 'tourney', 'libtourney.so')
MODES = ('plain', 'lamport', 'vector')
POLITE = {'mpich': [], 'openmpi': ['--mca', 'mpi_yield_when_idle', '1']}
AIM_LATENCY, AIM_FROM = 1.3, 4096
AIM_PROGRAM = 1.1

# A real program, if it is there: molecules that attract and repel each other, 32,000 of them for 100 steps.
MELT = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 20 0 20 0 20
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
fix 1 all nve
thermo 50
run 100
"""


def run_once(library, mode, ranks, command):
    """What it printed, and bytes that ranks wrote by operation."""
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


def melt(mode, ranks):
    """Seconds of the steps, as LAMMPS says itself."""
    with tempfile.NamedTemporaryFile('w', suffix='.lj') as script:
        script.write(MELT)
        script.flush()
        out, written = run_once('openmpi', mode, ranks, ['lmp', '-log', 'none', '-in', script.name])
    return float(re.search(r'Loop time of ([0-9.]+)', out).group(1)), written


def show_melt(rank_counts, rounds, verdicts):
    print('\nLAMMPS (Open MPI), seconds for 100 steps; ratio to plain\n')
    print(f'{"ranks":>5} {"plain":>9} {"lamport":>9} {"ratio":>6} {"vector":>9} {"ratio":>6}')
    for ranks in rank_counts:
        runs = [{mode: melt(mode, ranks)[0] for mode in MODES} for _ in range(rounds)]
        best = {mode: min(run[mode] for run in runs) for mode in MODES}
        ratio = {mode: best[mode] / best['plain'] for mode in MODES}
        print(f'{ranks:5} {best["plain"]:9.3f} {best["lamport"]:9.3f} {ratio["lamport"]:6.2f} '
              f'{best["vector"]:9.3f} {ratio["vector"]:6.2f}')
        verdicts.append((ratio['vector'], AIM_PROGRAM, f'LAMMPS, {ranks} ranks'))


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
    if shutil.which('lmp') and options.library in (None, 'openmpi'):
        show_melt((2, 4, 8), options.rounds, verdicts)
    print()
    for value, aim, what in verdicts:
        print(f'aim: below {aim} ({what}): {"met" if value < aim else "MISSED"}, {value:.2f}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
