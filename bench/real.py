"""Real programs for bench/dist.py: how each is run with so many ranks, and the seconds that it says its work took."""

import os
import re
import shutil
import subprocess

from measure import program

# Molecules that attract and repel each other, 32,000 of them for 100 steps.
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

# A system of linear equations by LU, with the library's own tester.
LU = """'LU'
'MPI'
'LU.out' output
6 device
1 sizes
2000 M
2000 N
1 blocks
32 NB
1 right sides
1 NRHS
1 their blocks
1 NBRHS
1 grids
{rows} P
{columns} Q
3.0 threshold
F condition
"""

XDLU = '/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/xdlu'


class Real:
    """`command` writes its input into the directory it is given, where it will be run."""

    def __init__(self, name, package, is_there, command, seconds):
        self.name, self.package, self.is_there, self.command, self.seconds = name, package, is_there, command, seconds


def write(directory, name, text):
    with open(os.path.join(directory, name), 'w') as file:
        file.write(text)


def melt(_, directory):
    write(directory, 'melt', MELT)
    return ['lmp', '-log', 'none', '-in', 'melt']


def melt_seconds(out):
    return float(re.search(r'Loop time of ([0-9.]+)', out).group(1))


def lu(ranks, directory):
    rows = max(i for i in range(1, ranks + 1) if ranks % i == 0 and i * i <= ranks)
    write(directory, 'LU.dat', LU.format(rows=rows, columns=ranks // rows))
    return [XDLU]


def lu_seconds(out):
    """From operations per second, which it tells with more digits than seconds."""
    line = re.search(r'^WALL +(\d+).* ([0-9.]+) PASSED', out, re.M)
    size, rate = int(line.group(1)), float(line.group(2))
    return (2 / 3 * size**3 + 3 / 2 * size**2) / (1e6 * rate)


def has_petsc():
    return subprocess.run(['pkg-config', '--exists', 'PETSc'], check=False).returncode == 0


def poisson(*options):
    def command(*_):
        flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'PETSc'], check=True, stdout=subprocess.PIPE, text=True)
        return [program('openmpi', 'bench/poisson.c', flags.stdout.split()), '-ksp_type', 'cg', *options]
    return command


def solved_seconds(out):
    return float(re.search(r'^solved \d+ ([0-9.]+)', out, re.M).group(1))


PROGRAMS = [
    Real('LAMMPS', 'lammps', lambda: shutil.which('lmp'), melt, melt_seconds),
    Real('PETSc CG', 'libpetsc-real-dev', has_petsc, poisson('-n', '80', '-pc_type', 'jacobi'), solved_seconds),
    Real('hypre AMG', 'libpetsc-real-dev', has_petsc, poisson('-n', '50', '-pc_type', 'hypre'), solved_seconds),
    Real('ScaLAPACK LU', 'scalapack-mpi-test', lambda: os.path.exists(XDLU), lu, lu_seconds),
]
