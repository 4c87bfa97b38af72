"""Programs, compiled for an MPI library, unless that was done before.

There are some two thousand of them, and most are so small that what stands around them is what takes time: the wrapper of the MPI
library is asked once what it would call, mpi.h and what else most include is parsed once for all, and the quickest linker links them.
"""
import contextlib
import fcntl
import functools
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import threading

from lib import Failure

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARIES = ("mpich", "openmpi")
COMPILERS = {".c": "mpicc", ".cc": "mpicxx", ".cpp": "mpicxx", ".f90": "mpifort"}
PYTHON = "/usr/bin/python3"  # which mpi4py is installed for
PARSING = threading.Lock()


def compiler_for(mpi, source):
    return f"{COMPILERS[os.path.splitext(source)[1]]}.{mpi}"


def is_up_to_date(target, sources):
    if not os.path.exists(target):
        return False
    made = os.path.getmtime(target)
    return all(os.path.getmtime(source) <= made for source in sources)


@functools.lru_cache(maxsize=None)
def called_by(compiler, *words):
    """The words of the command that a wrapper calls when it is given these."""
    if not os.path.basename(compiler).startswith("mpi"):
        return [compiler, *words]
    shown = subprocess.run([compiler, "-show", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return shlex.split(shown.stdout)


@functools.lru_cache(maxsize=None)
def linker():
    """Of the linkers that are installed, the one that links a small program in half the time."""
    return ["-fuse-ld=gold"] if shutil.which("ld.gold") else []


def compile_always(compiler, source, target, *flags, cwd=None):
    """The target appears when it is finished, for other suites may want the same one.

    Modules of Fortran are written to a folder that is gone afterwards.
    """
    part, modules = f"{target}.{os.getpid()}-{threading.get_ident()}.part", []
    named = f"SOURCE{os.path.splitext(source)[1]}"
    os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
    with contextlib.ExitStack() as stack:
        if source.endswith(".f90"):
            modules = ["-J", stack.enter_context(tempfile.TemporaryDirectory(prefix="modules-"))]
        first, *others = called_by(compiler, named, *flags)
        words = [source if word == named else word for word in others]
        done = subprocess.run([first, *linker(), "-o", part, *modules, *words], cwd=cwd, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    if done.returncode:
        raise Failure(f"{source} does not compile\n{done.stdout}")
    os.rename(part, target)
    return target


# Headers that were parsed before

HEADERS = ("mpi.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "unistd.h")
GNU = "-D_GNU_SOURCE="  # as programs say it that define it: so they may, once more


def shape_for(source, flags):
    """The flags by which headers that are parsed for a program differ from those for others; None if it defines what they may ask for, or goes without mpi.h."""
    with open(source, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    before, *included = re.split(r'^#include (?:<mpi\.h>|").*$', text, maxsplit=1, flags=re.M)
    words = set(re.findall(r"^#(?!include <).*", before, re.M))
    if not included or words - {"#define _GNU_SOURCE"}:
        return None
    return sorted({flag for flag in flags if re.match(r"-[gOfp]", flag)}) + [GNU] * bool(words)


def parsed_headers(mpi, shape):
    """The option that has the compiler begin with headers that were parsed before, of which most programs want some.

    They are parsed once, by whichever suite is first.  A program whose flags do not fit takes them as text.
    """
    folder = os.path.join(ROOT, "build", "test", "headers", "".join([mpi, *shape]))
    text, parsed = f"{folder}/headers.h", f"{folder}/headers.h.gch"
    os.makedirs(folder, exist_ok=True)
    with PARSING, open(f"{folder}/lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        places = [f"{word[2:]}/mpi.h" for word in called_by(f"mpicc.{mpi}", "SOURCE.c") if word.startswith("-I")]
        if not is_up_to_date(parsed, [os.path.abspath(__file__), *filter(os.path.exists, places)]):
            with open(text, "w", encoding="utf-8") as file:
                file.writelines(f"#include <{header}>\n" for header in HEADERS)
            compile_always(f"mpicc.{mpi}", text, parsed, "-c", *shape)
    return ["-include", text, *(word for word in shape if word == GNU)]


def compiled(mpi, source, target, *flags, compiler=None, after=()):
    """The target, which is made anew if its source, or one of the files it comes `after`, is newer."""
    if not is_up_to_date(target, [source, *after]):
        shape = shape_for(source, flags) if mpi and source.endswith(".c") else None
        headers = parsed_headers(mpi, shape) if shape is not None else []
        compile_always(compiler or compiler_for(mpi, source), source, target, *headers, *flags)
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
