"""Real programs for bench/dist.py: how each is run with so many ranks, and the seconds that it says its work took."""

import os
import re
import shutil
import subprocess
from ctypes.util import find_library

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

class Real:
    """`command`: of the directory in which it will be run, where it may write its input."""

    def __init__(self, name, package, is_there, command, seconds):
        self.name, self.package, self.is_there, self.command, self.seconds = name, package, is_there, command, seconds


def melt(directory):
    with open(os.path.join(directory, 'melt'), 'w') as file:
        file.write(MELT)
    return ['lmp', '-log', 'none', '-in', 'melt']


def melt_seconds(out):
    return float(re.search(r'Loop time of ([0-9.]+)', out).group(1))


def has_scalapack():
    return bool(find_library('scalapack-openmpi'))


def lu(_):
    return [program('openmpi', 'bench/lu.c', ['-lscalapack-openmpi', '-lm']), '1500']


def has_petsc():
    return subprocess.run(['pkg-config', '--exists', 'PETSc'], check=False).returncode == 0


def poisson(*options):
    def command(_):
        flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'PETSc'], check=True, stdout=subprocess.PIPE, text=True)
        return [program('openmpi', 'bench/poisson.c', flags.stdout.split()), '-ksp_type', 'cg', *options]
    return command


def solved_seconds(out):
    return float(re.search(r'^solved \d+ ([0-9.]+)', out, re.M).group(1))


PROGRAMS = [
    Real('LAMMPS', 'lammps', lambda: shutil.which('lmp'), melt, melt_seconds),
    Real('PETSc CG', 'libpetsc-real-dev', has_petsc, poisson('-n', '80', '-pc_type', 'jacobi'), solved_seconds),
    Real('hypre AMG', 'libpetsc-real-dev', has_petsc, poisson('-n', '50', '-pc_type', 'hypre'), solved_seconds),
    Real('ScaLAPACK LU', 'libscalapack-openmpi-dev', has_scalapack, lu, solved_seconds),
]
