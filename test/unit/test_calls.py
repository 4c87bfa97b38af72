#!/usr/bin/python3
"""The generator says no when table and headers disagree.  Needs no MPI: the
compilers here print the header they are named after."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/call")
GENERATE = os.path.join(os.path.dirname(__file__), "../../src/call/generate.py")

TABLE = """
kind in    const void * : buf
kind count MPI_Count    : count
kind argc  int *        : argc
kind argv  char ***     : argv
chapter One
MPI_Init      decide : argc argv
MPI_Send[_c]  decide : buf count
MPI_Put       refuse
"""

NEW = """
int MPI_Init(int *argc, char ***argv) __attribute__((deprecated("no; really")));
int PMPI_Init(int *argc, char ***argv);
int MPI_Send(const void *buf, int count);
int MPI_Send_c(const void *buf, MPI_Count count);
typedef int (MPI_Callback)(int);
"""

OLD = """
int MPI_Init(int *argc, char ***argv);
int MPI_Send(const void *buf, int count);
int MPI_Put(int origin[]);
typedef long MPI_Count;
"""

NEWER = """
version 4.0  # a remark
typedef void (MPI_Function_c)(void *);
int MPI_Send_c(const void *buf, MPI_Count count);
version 5.0
int MPI_Later(int count);
int MPI_Strange(MPI_Stranger *stranger);
"""


class Generator(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def file(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def compiler(self, name, header):
        path = self.file(name, f"#!/bin/sh\ncat {self.file(name + '.h', header)}\n")
        os.chmod(path, 0o755)
        return f"{name}={path}"

    def run_on(self, table, *headers, options=("--check",), libraries=("abi0", "abi1"), newer=NEWER):
        abis = [self.compiler(name, header) for name, header in zip(libraries, headers)]
        command = [sys.executable, GENERATE, "--table", self.file("table", table), "--newer", self.file("newer", newer)]
        return subprocess.run(
            [*command, *options, *abis], stderr=subprocess.PIPE, text=True, check=False
        )

    def assert_wrong(self, done, text):
        self.assertEqual(done.returncode, 1)
        self.assertIn(text, done.stderr)

    def test_agreement(self):
        done = self.run_on(TABLE, NEW, OLD)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def out(self, name):
        with open(self.path("out/" + name), encoding="utf-8") as file:
            return file.read()

    def generate(self, table, *headers):
        done = self.run_on(table, *headers, options=("--out", self.path("out")))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_call_not_in_table_is_refused(self):
        said = self.generate(TABLE, NEW + "int MPI_New(void);", OLD)
        self.assertEqual(said, "warning: abi0: MPI_New is not in the table, so it is refused\n")
        self.assertIn("entry_refuse(CALL_New, CALLER)", self.out("shim/abi0/wrappers.c"))
        self.assertIn("MPI_New", self.out("gate/names.inc"))
        self.assertIn('"MPI_New"', self.out("shim/abi1/lacks.inc"))

    def test_twin_not_in_table_is_refused(self):
        said = self.generate(TABLE, NEW, OLD + "int MPI_Put_c(MPI_Count origin[]);")
        self.assertIn("MPI_Put_c is not in the table", said)

    def test_line_about_nothing(self):
        done = self.run_on(TABLE + "MPI_Ghost pass\n", NEW, OLD)
        self.assert_wrong(done, "MPI_Ghost is in the table, but")

    def test_lines_that_headers_may_lack(self):
        table = TABLE + "MPI_Type_lb pass removed\nMPIX_Threads pass\nMPI_Later pass\n"
        self.assertEqual(self.run_on(table, NEW, OLD).returncode, 0)

    def test_older_header(self):
        """What it lacks is declared as in the standard, and looked up when the library is there."""
        self.generate(TABLE + "MPI_Later track : count\n", NEW, OLD)
        for abi in ("abi0", "abi1"):
            self.assertIn("int MPI_Later(int count);\nEXPORT int MPI_Later(int count)", self.out(f"shim/{abi}/wrappers.c"))
            self.assertIn("int (*Later)(int count)", self.out(f"shim/{abi}/real.h"))
            self.assertNotIn("MPI_Later", self.out(f"shim/{abi}/lacks.inc"))

    def test_types_that_a_header_lacks(self):
        """What cannot be written in C is known to be lacking."""
        self.generate(TABLE + "MPI_Strange refuse\n", NEW, OLD)
        self.assertIn('"MPI_Strange"', self.out("shim/abi0/lacks.inc"))
        self.assertIn("MPI_Strange", self.out("gate/names.inc"))

    def test_newer_of_no_kind(self):
        done = self.run_on(TABLE, NEW, newer="something\n")
        self.assert_wrong(done, "newer:1: neither a version")

    def test_one_header_cannot_tell_ghosts(self):
        self.assertEqual(self.run_on(TABLE, NEW).returncode, 0)

    def test_call_twice(self):
        self.assert_wrong(self.run_on(TABLE + "MPI_Put pass\n", NEW, OLD), "MPI_Put is twice")

    def test_other_type(self):
        old = OLD.replace("int count", "long count")
        self.assert_wrong(self.run_on(TABLE, NEW, old), "'long count' is not of kind count")

    def test_other_number_of_parameters(self):
        old = OLD.replace("int count", "int count, int tag")
        self.assert_wrong(self.run_on(TABLE, NEW, old), "MPI_Send has 3 parameters")

    def test_no_such_policy(self):
        self.assert_wrong(self.run_on(TABLE + "MPI_New allow\n", NEW), "no policy 'allow'")

    def test_objects(self):
        new = NEW + "int MPI_Get(MPI_Datatype old[], MPI_Datatype *made);"
        self.assertEqual(self.run_on(TABLE + "MPI_Get pass makes=type\n", new).returncode, 0)
        done = self.run_on(TABLE + "MPI_Get pass makes=info\n", new)
        self.assert_wrong(done, "MPI_Get has no parameter of type MPI_Info *")
        self.assert_wrong(self.run_on(TABLE + "MPI_Get pass makes=noise\n", new), "no trait 'makes=noise'")
        self.assert_wrong(self.run_on(TABLE + "MPI_Get refuse makes=type\n", new), "no trait 'makes=type'")

    def test_no_such_kind(self):
        done = self.run_on(TABLE + "MPI_New track : weight\n", NEW)
        self.assert_wrong(done, "parameter weight has no kind")

    def test_no_mpi(self):
        self.assert_wrong(self.run_on(TABLE, "int main(void);"), "found no MPI")

    def test_no_compiler(self):
        done = self.run_on(TABLE, options=("--check", "abi=/nonexistent"))
        self.assert_wrong(done, "/nonexistent: ")

    def test_gate_has_every_name_once(self):
        options = ("--out", self.path("out"))
        done = self.run_on(TABLE, NEW, OLD, options=options, libraries=("mpich", "openmpi"))
        self.assertEqual(done.returncode, 0)
        with open(self.path("out/gate/names.inc"), encoding="utf-8") as file:
            names = [line for line in file if line.startswith("GATE")]
        expected = ["MPI_Init", "MPI_Send", "MPI_Send_c", "MPI_Put"]
        expected = [prefix + name for name in expected for prefix in ("", "P")]
        expected += ["MPII_Comm_get_attr", "ompi_attr_get_aint", "ompi_attr_get_fint"]  # by which Fortran asks
        self.assertEqual(names, [f"GATE({i}, {name})\n" for i, name in enumerate(expected)])


class Standard(unittest.TestCase):
    """Read from mpi.h and from the table by other means than the generator's: no call of the standard is refused."""

    def setUp(self):
        self.policy = {}
        with open(os.path.join(SOURCES, "calls.table"), encoding="utf-8") as file:
            for name, twin, policy, rest in re.findall(r"^(MPI(?:\[X\])?_\w+)(\[_c\])?\s+(\w+)(.*)$", file.read(), re.M):
                name = name.replace("[X]", "")
                self.policy[name] = policy if "removed" not in rest else "removed"
                if twin:
                    self.policy[name + "_c"] = policy

    def declared(self, mpi):
        with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
            file.write("#include <mpi.h>\n")
            file.flush()
            done = subprocess.run(["mpicc." + mpi, "-E", file.name], stdout=subprocess.PIPE, text=True, check=True)
        names = set(re.findall(r"\b(MPI_[A-Z]\w+)\s*\(", done.stdout))
        return {name for name in names if re.search(r"\bP" + name + r"\s*\(", done.stdout)}

    def test_no_call_of_a_library_is_refused(self):
        for mpi in ("mpich", "openmpi"):
            declared = self.declared(mpi)
            self.assertGreater(len(declared), 400)
            refused = {name for name in declared if self.policy.get(name, "refuse") == "refuse"}
            self.assertEqual(refused, set(), mpi)

    def test_no_newer_call_is_refused(self):
        with open(os.path.join(SOURCES, "newer.table"), encoding="utf-8") as file:
            newer = set(re.findall(r"\b(MPI_[A-Z]\w+)\(", file.read()))
        self.assertGreater(len(newer), 100)
        self.assertEqual({name for name in newer if self.policy.get(name, "refuse") == "refuse"}, set())

    def test_manual_says_what_a_real_job_leaves_to_its_library(self):
        with open(os.path.join(SOURCES, "../../build/gen/doc/tourney-calls.7"), encoding="utf-8") as file:
            modes = file.read().split('.SH "IN EACH MODE"')[1].split(".SH")[0]
        for name in ("MPI_Psend_init", "MPI_Comm_spawn", "MPI_Comm_join", "MPI_File_read_shared"):
            self.assertIn(name, modes)
        self.assertNotIn("MPI_Recv", modes)


if __name__ == "__main__":
    unittest.main()
