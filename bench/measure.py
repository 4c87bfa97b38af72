"""One timed run of a program, and what the benchmarks share: libraries, building, cells of a table."""

import os
import platform
import select
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, 'build', 'bench')
TOURNEY = os.path.join(ROOT, 'build', 'tourney')
LIBRARIES = {'mpich': 'MPICH', 'openmpi': 'Open MPI'}
MPIEXEC = {
    'mpich': ['mpiexec.mpich'],
    'openmpi': ['mpiexec.openmpi', '--oversubscribe', '--allow-run-as-root'],
}

TIME_OUT = 60  # seconds, for one run
SAMPLE = 0.02  # seconds between looks at memory


class Failed(Exception):
    """A run that gave no measurement; the text says why."""


class Peak:
    """The largest memory seen, in MB: of the process started, of any below it, and shared."""

    def __init__(self):
        self.top = self.below = self.shared = 0.0

    def look(self, pid):
        own, shared = memory(pid)
        self.top = max(self.top, own)
        self.shared = max(self.shared, shared)
        for child in descendants(pid):
            self.below = max(self.below, memory(child)[0])


def memory(pid):
    """Peak memory that is not shared with others, and shared memory now; 0 when it is gone."""
    fields = {'VmHWM': 0, 'RssShmem': 0}
    try:
        with open(f'/proc/{pid}/status') as status:
            for line in status:
                name, _, value = line.partition(':')
                if name in fields:
                    fields[name] = int(value.split()[0])
    except (OSError, IndexError):
        pass
    shared = fields['RssShmem']
    return max(fields['VmHWM'] - shared, 0) / 1024, shared / 1024


def descendants(pid):
    try:
        with open(f'/proc/{pid}/task/{pid}/children') as children:
            found = [int(child) for child in children.read().split()]
    except OSError:
        return []
    return found + [deeper for child in found for deeper in descendants(child)]


def run(command, watch_memory=False):
    """Seconds it took, and Peak."""
    peak = Peak()
    begin = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, start_new_session=True)
    ended = select.poll()
    handle = os.pidfd_open(process.pid)
    ended.register(handle, select.POLLIN)
    try:
        while not ended.poll(1000 * (SAMPLE if watch_memory else TIME_OUT)):
            if watch_memory:
                peak.look(process.pid)
            if time.monotonic() - begin > TIME_OUT:
                raise Failed('time-out')
        seconds = time.monotonic() - begin
    finally:
        os.close(handle)
        stop(process)
    if process.returncode != 0:
        lines = process.stderr.read().decode(errors='replace').strip().splitlines() or ['']
        raise Failed(f'exit {process.returncode}: {lines[0]}')
    return seconds, peak


def stop(process):
    """Reaps it; if it still runs, ends it and its group first."""
    if process.poll() is None:
        for deadly in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, deadly)
                process.wait(5)
                break
            except subprocess.TimeoutExpired:
                continue
    process.wait()


def program(library, source, flags=()):
    """The path of a program, built if need be, with these libraries; its source is named from the root."""
    binary = os.path.join(BUILD, library, os.path.basename(source)[:-len('.c')])
    source, header = os.path.join(ROOT, source), os.path.join(ROOT, 'bench', 'bench.h')
    newest = max(os.path.getmtime(path) for path in (source, header))
    if not os.path.exists(binary) or os.path.getmtime(binary) < newest:
        os.makedirs(os.path.dirname(binary), exist_ok=True)
        subprocess.run(['mpicc.' + library, '-O2', '-g', '-Wno-stringop-overflow', '-o', binary, source, *flags],
                       check=True)
    return binary


def measured(function, *arguments):
    """A number, or the reason why there is none."""
    try:
        return function(*arguments)
    except Failed as reason:
        return str(reason)


def cell(value, form):
    width = int(form.split('.')[0])
    return f'{value:{form}}' if isinstance(value, (int, float)) else f'{"-":>{width}}'


def libraries_for(tourney):
    """The MPI libraries that are there; ends with a sentence if something is missing, else prints the machine."""
    libraries = [library for library in LIBRARIES if shutil.which('mpicc.' + library)]
    if not libraries:
        sys.exit('bench: no MPI compiler (mpicc.mpich, mpicc.openmpi)')
    if not os.path.exists(tourney):
        sys.exit(f'bench: {tourney} is not there; run make')
    print(f'{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {platform.system()} {platform.release()}')
    return libraries
