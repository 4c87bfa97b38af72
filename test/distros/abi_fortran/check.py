#!/usr/bin/python3
"""Fortran over the binary interface of MPI 5: bindings that call it are followed as those of other libraries, and the bindings that a maker
has for its own library are refused beside it.

usage: check.py BUILD_DIR
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [os.path.join(ROOT, "test"), os.path.join(ROOT, "test/distros")]

import matrix  # noqa: E402
from lib.building import line_of  # noqa: E402
from lib.suite import Count, wrong_with  # noqa: E402

PROGRAM = os.path.join(HERE, "program.f90")


def done_by(*command, folder):
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)


def expect(code, words, tourney, *arguments, folder):
    done = done_by(tourney, *arguments, folder=folder)
    said = " ".join(done.stdout.split())
    missing = [word for word in words if word not in said]
    assert done.returncode == code and not missing, f"{arguments}: {done.returncode}, without {missing}: {done.stdout}"


def program_of(library, folder):
    """Linked with bindings that are made for it, named as the standard has it."""
    binding = os.path.join(folder, "libmpifort_abi.so.1")
    include = [flag for flag in library.flags if flag.startswith("-I")]
    subprocess.run(["gcc", "-shared", "-fPIC", "-Wl,-soname,libmpifort_abi.so.1", *include, HERE + "/binding.c", "-o", binding, *library.flags], check=True)
    subprocess.run(["gfortran", "-g", "-w", PROGRAM, "-o", folder + "/program", binding, "-Wl,-rpath," + folder, *library.flags], check=True)
    return "./program"


def is_followed(tourney, library, folder):
    with open(PROGRAM, encoding="utf-8") as file:
        place = f"program.f90:{line_of(file.read(), 'SECOND')}"
    program = program_of(library, folder)
    expect(0, [], tourney, "run", "-n", "3", program, folder=folder)
    expect(1, ["any buffering: 2 runs, 1 of them fails", "deadlock", place], tourney, "-n", "3", program, folder=folder)
    expect(1, ["any buffering: 2 runs, 1 of them fails", "deadlock", place], tourney, "dist", "-n", "3", program, folder=folder)


def is_refused(tourney, library, folder):
    maker = library.name.split("-")[1]
    subprocess.run([f"mpifort.{maker}", "-g", "-w", PROGRAM, "-o", folder + "/both", "-Wl,--no-as-needed", *library.flags], check=True)
    for command in (["run"], [], ["dist"]):
        expect(3, ["are both in this process", "bindings for Fortran"], tourney, *command, "-n", "3", "./both", folder=folder)


def main():
    tourney = os.path.abspath(os.path.join(sys.argv[1], "tourney"))
    count = Count()
    with tempfile.TemporaryDirectory(prefix="abi-fortran-") as folder:
        for library in matrix.libraries(folder):
            if library.name.startswith("abi-"):
                own = tempfile.mkdtemp(dir=folder)
                count.add(f"bindings over {library.name}", wrong_with(is_followed, tourney, library, own))
                count.add(f"bindings of its maker beside {library.name}", wrong_with(is_refused, tourney, library, own))
    return count.end()


if __name__ == "__main__":
    sys.exit(main())
