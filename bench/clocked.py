"""One job of a real MPI library, plain or with clocks: what it said, what it took, what its ranks wrote."""

import os
import resource
import shutil
import struct
import subprocess
import tempfile

from measure import MPIEXEC, TOURNEY, Failed

GATE = os.path.join(os.path.dirname(TOURNEY), 'lib', 'tourney', 'libtourney.so')
MODES = ('plain', 'lamport', 'vector')
POLITE = {'mpich': [], 'openmpi': ['--mca', 'mpi_yield_when_idle', '1']}
ALONE = {'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1'}  # ranks are enough to keep the machine busy
TIME_OUT = 300  # seconds

# src/call/causal.h, src/call/op.h
RECORDS, CAUSAL_OP, KIND_AT, OP_SEND, OP_IPROBE = 4096, 1, 20, 6, 12


class Job:
    """`out`: what it printed. `processor`: seconds, user and system, of all its processes. `calls` and `written`:
    calls that communicate, and bytes of all files; 0 if there are no clocks."""

    def __init__(self, out, processor, directory):
        self.out, self.processor = out, processor
        self.calls = self.written = 0
        for name in os.listdir(directory):
            with open(os.path.join(directory, name), 'rb') as file:
                self.count(file.read())

    def count(self, data):
        length, = struct.unpack_from('=Q', data, 120)
        at, end = RECORDS, RECORDS + length
        self.written += length
        while at < end:
            size, kind = struct.unpack_from('=II', data, at)
            if kind == CAUSAL_OP:
                self.calls += OP_SEND <= struct.unpack_from('=H', data, at + KIND_AT)[0] <= OP_IPROBE
            at += size

    def per_call(self):
        """Bytes written for each call."""
        return self.written / self.calls if self.calls else 0


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_job(library, mode, ranks, command, directory=None):
    env = dict(os.environ, **ALONE)
    scratch = tempfile.mkdtemp(prefix='tourney-bench.', dir='/dev/shm')
    launcher = MPIEXEC[library] + POLITE[library]
    if mode != 'plain':
        env.update(TOURNEY_CLOCK=scratch, TOURNEY_CLOCK_KIND=mode)
        launcher = launcher + (['-genv', 'LD_PRELOAD', GATE] if library == 'mpich' else ['-x', 'LD_PRELOAD=' + GATE])
    before = processor_time()
    try:
        done = subprocess.run(launcher + ['-n', str(ranks), *command], env=env, cwd=directory, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=TIME_OUT, check=False)
        if done.returncode != 0:
            raise Failed(f'exit {done.returncode}: {(done.stderr.strip().splitlines() or [""])[0]}')
        return Job(done.stdout, processor_time() - before, scratch)
    except subprocess.TimeoutExpired:
        raise Failed('time-out') from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
