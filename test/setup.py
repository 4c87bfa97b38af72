#!/usr/bin/python3
"""tourney as it is installed makes a shim for a library in a prefix, and programs of that library are run with it.

The prefixes are copies of the libraries of this system, with compilers of their own.  It takes a minute of compiling for each.

usage: setup.py BUILD_DIR [mpich] [openmpi]
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test"))

from lib.building import LIBRARIES  # noqa: E402
from lib.suite import Count  # noqa: E402

PROGRAM = os.path.join(ROOT, "test/explore/by_sender.c")
FILES = {"mpich": r"libmpich\.so\.12", "openmpi": r"libmpi\.so\.40"}


def said_by(*command, **how):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, **how)


def make_prefix(mpi, folder):
    """The library, and a compiler that takes it from there."""
    os.makedirs(folder + "/lib")
    os.makedirs(folder + "/bin")
    probe = os.path.join(folder, "probe")
    subprocess.run([f"mpicc.{mpi}", "-g", PROGRAM, "-o", probe], check=True)
    path = re.search(FILES[mpi] + r" => (\S+)", said_by("ldd", probe).stdout).group(1)
    library = shutil.copy(path, os.path.join(folder, "lib", os.path.basename(path)))
    options = [word for word in said_by(f"mpicc.{mpi}", "-show").stdout.split() if word.startswith("-I")]
    with open(folder + "/bin/mpicc", "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec gcc {" ".join(options)} "$@" {library} -Wl,-rpath,{folder}/lib\n')
    os.chmod(folder + "/bin/mpicc", 0o755)
    return library


def what_is_wrong(mpi, installed, folder):
    library = make_prefix(mpi, folder)
    how = {"env": dict(os.environ, HOME=folder), "cwd": folder}
    setup = said_by(installed, "setup", "--mpicc", folder + "/bin/mpicc", **how)
    if setup.returncode or os.path.realpath(library) not in setup.stdout:
        return f"setup fails ({setup.returncode}): {setup.stdout}"
    if f"{library} has a shim of its own" not in said_by(installed, "doctor", **how).stdout:
        return "doctor does not know the shim"
    subprocess.run([folder + "/bin/mpicc", "-g", PROGRAM, "-o", folder + "/program"], check=True)
    shims = os.path.join(os.path.dirname(os.path.dirname(installed)), "lib/tourney")
    for name in os.listdir(shims):
        if name.startswith(f"libtourney-{mpi}"):
            os.remove(os.path.join(shims, name))  # so it can only be the new one
    for words, code in ((["run"], 0), ([], 1), (["dist"], 1)):
        done = said_by(installed, *words, "-n", "3", folder + "/program", **how)
        if done.returncode != code or code and "any buffering: 2 runs, 1 of them fails" not in done.stdout:
            return f"{words} ends with {done.returncode}: {done.stdout}"
    return None


def main():
    build, *wanted = sys.argv[1:]
    count = Count()
    with tempfile.TemporaryDirectory(prefix="tourney-test-setup-") as folder:
        subprocess.run(["make", "-s", f"B={build}", f"DESTDIR={folder}/installed", "PREFIX=/usr", "install"], cwd=ROOT, check=True)
        for mpi in wanted or LIBRARIES:
            count.add(f"setup [{mpi}]", what_is_wrong(mpi, folder + "/installed/usr/bin/tourney", os.path.join(folder, mpi)))
    return count.end()


if __name__ == "__main__":
    sys.exit(main())
