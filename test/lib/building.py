"""Programs, compiled for an MPI library, unless that was done before."""
import os
import re
import shutil
import subprocess
import tempfile
import threading

from lib import Failure

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARIES = ("mpich", "openmpi")
COMPILERS = {".c": "mpicc", ".cc": "mpicxx", ".cpp": "mpicxx", ".f90": "mpifort"}
PYTHON = "/usr/bin/python3"  # which mpi4py is installed for


def compiler_for(mpi, source):
    return f"{COMPILERS[os.path.splitext(source)[1]]}.{mpi}"


def is_up_to_date(target, sources):
    if not os.path.exists(target):
        return False
    made = os.path.getmtime(target)
    return all(os.path.getmtime(source) <= made for source in sources)


def compile_always(compiler, source, target, *flags, cwd=None):
    """The target appears when it is finished, for other suites may want the same one.

    Modules of Fortran are written to a folder that is gone afterwards.
    """
    part, modules = f"{target}.{os.getpid()}-{threading.get_ident()}.part", []
    os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="modules-") as folder:
        if source.endswith(".f90"):
            modules = ["-J", folder]
        done = subprocess.run([compiler, source, "-o", part, *modules, *flags], cwd=cwd, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    if done.returncode:
        raise Failure(f"{source} does not compile\n{done.stdout}")
    os.rename(part, target)
    return target


def compiled(mpi, source, target, *flags, compiler=None, after=()):
    """The target, which is made anew if its source, or one of the files it comes `after`, is newer."""
    if not is_up_to_date(target, [source, *after]):
        compile_always(compiler or compiler_for(mpi, source), source, target, *flags)
    return target


def compiled_copy(mpi, source, folder, *flags, name=None):
    """Compiled in a folder where it stands beside a copy of its source; its name there."""
    copy = shutil.copy(source, folder)
    name = name or os.path.splitext(os.path.basename(source))[0]
    subprocess.run([compiler_for(mpi, copy), "-g", *flags, os.path.basename(copy), "-o", name], cwd=folder, check=True)
    return name


def line_of(text, label):
    """The number of the line that has this comment at its end."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(rf"/\* {re.escape(label)} \*/|(?:[!#]|//) {re.escape(label)}$", line):
            return number
    raise Failure(f"no line is marked {label}")
