#!/usr/bin/python3
"""The mpi.h of the binary interface that tourney has, against those of the libraries of this system: every value, and the types of calls.

usage: abi_values.py [INCLUDE_DIR...]; without one, those that Debian has
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OWN = os.path.join(ROOT, "src/shim/library/abi/include")
DEBIANS = ("/usr/lib/*/mpi_abi_mpich/include", "/usr/lib/*/openmpi/include/standard_abi")
OLD = {"MPI_NULL_COPY_FN", "MPI_DUP_FN", "MPI_NULL_DELETE_FN"}  # not everybody has them

sys.path.insert(0, os.path.join(ROOT, "src/call"))
import generate  # noqa: E402


def names():
    with open(OWN + "/mpi.h", encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    found = set(re.findall(r"#define (MPI_\w+) ", text))
    for values in re.findall(r"enum \{(.*?)\}", text, re.S):
        found |= set(re.findall(r"MPI_\w+", values))
    return sorted(found - OLD)


def values(include):
    lines = "".join(f'printf("{name} %lld\\n", (long long)({name}));\n' for name in names())
    sizes = "".join(f'printf("sizeof {name} %zu\\n", sizeof({name}));\n' for name in ("MPI_Status", "MPI_Aint", "MPI_Count", "MPI_Offset"))
    with tempfile.TemporaryDirectory(prefix="abi-") as folder:
        with open(folder + "/values.c", "w", encoding="utf-8") as file:
            file.write(f"#include <mpi.h>\n#include <stdio.h>\nint main(void) {{\n{lines}{sizes}return 0; }}\n")
        subprocess.run(["gcc", "-w", "-I" + include, folder + "/values.c", "-o", folder + "/values"], check=True)
        return subprocess.run([folder + "/values"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def types(prototype):
    """Without const and without the names of parameters, which makers have made of their own."""
    declared = (p if p == "..." else generate.declared_type(re.sub(r" *(\*+) *", r" \1", p)) for p in prototype.parameters)
    return [prototype.returns, *(re.sub(r"^const ", "", t) for t in declared)]


def differences(include):
    yield from (f"{ours}; there: {theirs}" for ours, theirs in zip(values(OWN), values(include)) if ours != theirs)
    ours, theirs = generate.read_abi("abi=gcc -I" + OWN), generate.read_abi("abi=gcc -w -I" + include)
    for name, prototype in ours.prototypes.items():
        other = theirs.prototypes.get(name)
        if other and types(other) != types(prototype):
            yield f"{name}: {types(prototype)}; there: {types(other)}"


def main():
    wrong = 0
    for include in sys.argv[1:] or [folder for pattern in DEBIANS for folder in sorted(glob.glob(pattern))]:
        told = list(differences(include))
        print("\n".join(told + [f"{include}: {len(values(OWN))} values, {len(told)} differences"]))
        wrong |= bool(told)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
