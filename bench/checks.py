#!/usr/bin/python3
"""What the checks cost in one run: with all of them, against `-W '*=off'`.

Each iteration of halo starts four operations; in halo_busy the program works on memory beside
their buffers meanwhile.
"""

import argparse
import resource
import sys

from measure import LIBRARIES, TOURNEY, Failed, libraries_for, program, run

AIM = 1.3
WORKLOADS = [('pingpong', 8, 20000), ('halo', 8, 20000), ('halo', 1 << 16, 4000), ('halo_busy', 1024, 20000),
             ('allreduce', 8, 20000)]
RANKS = 4
TIMES = 5


def seconds(library, name, size, iterations, *options):
    """Of processors, for tourney and its ranks: they sleep when they wait, and other programs do not count."""
    binary = program(library, f'bench/{name}.c')
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run([options_given.tourney, 'run', '-n', str(RANKS), *options, binary, str(iterations), str(size)])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratio(library, name, size, iterations):
    """On against off: the quickest of several runs each, in turn, on a machine that others use too."""
    on, off = [], []
    for _ in range(TIMES):
        on.append(seconds(library, name, size, iterations))
        off.append(seconds(library, name, size, iterations, '-W', '*=off'))
    return min(on), min(off)


def main():
    libraries = libraries_for(options_given.tourney)
    print(f'\nprocessor seconds for one run of {RANKS} ranks, start-up included\n')
    print(f'{"program":10} {"bytes":>7} {"library":>9} {"checks":>8} {"off":>8} {"ratio":>6}')
    worst = 0
    for name, size, iterations in WORKLOADS:
        for library in libraries:
            try:
                on, off = ratio(library, name, size, iterations)
            except Failed as reason:
                print(f'no measurement: {name}, {LIBRARIES[library]}: {reason}')
                return 1
            worst = max(worst, on / off)
            print(f'{name:10} {size:7} {LIBRARIES[library]:>9} {on:8.3f} {off:8.3f} {on / off:6.2f}', flush=True)
    print(f'\naim: checks on against off, below {AIM}: {"met" if worst < AIM else "MISSED"}, worst {worst:.2f}')
    return 0


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tourney', default=TOURNEY, metavar='PATH')
    options_given = parser.parse_args()
    sys.exit(main())
