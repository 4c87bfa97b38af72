#!/usr/bin/python3
"""Searches the programs in test/explore on real MPI jobs, with `tourney dist`.

What the head of a program says about its runs (see explore.py) must come out there, too: as
many runs, the same exit code, never more jobs than runs, unless polls or cancels are at work. Then what
else makes a job: launchers, clocks, kills, ranks that are merely slow.
All programs, many times: rounds.py.
usage: dist.py BUILD_DIR                      a selection, for make check
       dist.py BUILD_DIR --launcher WORDS     that, started so (MPICH)
"""
import argparse
import glob
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from explore import cases, compile_for
from lib.building import compile_always
from lib.leftovers import hear_signals, job_segments, new_and_unused
from lib.running import plainly
from lib.suite import Count, each

SELECTION = {
    "mpich": "by_sender cancel_seen collective_order create_group crooked done_any head_to_head mrecv_late probe test_no vector_clock waitsome".split(),
    "openmpi": "by_sender cancel_race create_group done_any vector_clock waitsome".split(),
}
MORE_JOBS = """computed counts_noes heat other_thread polls_in_turn test_no
    cancel_send""".split()  # than runs: for noes, or before it is known what may be cancelled
PATIENCE = 300  # seconds, for one search on a machine that has other things to do

# A launcher that speaks for two helpers: one has failed, the other goes quiet while it answers the first look.
HELPERS = """
import socket, struct, sys
HELLO, SETUP, NEWS, FILE, LOOK, END, GONE, LEAVE = range(8)
host, port, token, job = next(word for word in sys.argv if word.count(":") == 3).split(":")
def frame(kind, data=b""):
    return struct.pack("II", kind, len(data)) + data
def news(look, state, quiet, over):
    return frame(NEWS, struct.pack("QiiIIIIiQQQ", look, -2, 0, state, quiet, over, over, 256 * over, 0, 0, 0))
failed, finalizes = [socket.create_connection(("127.0.0.1", port)) for _ in range(2)]
for helper in failed, finalizes:
    helper.sendall(frame(HELLO, struct.pack("I33sQ", 2, token.encode(), int(job))))
failed.sendall(news(0, 0, 1, 1))
finalizes.sendall(news(0, 3, 0, 0))
def serve(helper):
    kind, size = struct.unpack("II", helper.recv(8, socket.MSG_WAITALL))
    data = helper.recv(size, socket.MSG_WAITALL)
    if kind == LOOK:
        look, = struct.unpack("Q", data)
        helper.sendall(news(look, 0, 1, 1) if helper is failed else news(look, 3, look > 1, 0) + news(0, 3, 1, 0))
    if kind == END:
        helper.sendall(frame(GONE))
    return kind
while True:
    for helper in finalizes, failed:
        if serve(helper) == LEAVE:
            sys.exit()
"""


def complaint(name, wanted, run):
    """What is wrong with what a search of the program said, or None."""
    clean = wanted["runs"] == wanted.get("clean", 0) and not wanted.get("cuts")
    right = 3 if wanted.get("refused") else 1 if not clean else 2 if wanted.get("left") else 0
    said = f"\n{run.said()}"
    runs = re.search(r"buffering: (\d+) run", run.out)
    jobs = re.search(r"^tourney: (\d+) jobs? under", run.out, re.M)
    if run.code != right or not runs or not jobs or run.err:
        return f"exits with {run.code}, not {right}:{said}"
    if int(runs[1]) != wanted["runs"]:
        return f"{runs[1]} runs, not {wanted['runs']}:{said}"
    bounded = wanted.get("left")  # free parts of jobs go where a bounded search does not
    if int(jobs[1]) > int(runs[1]) and name not in MORE_JOBS and not bounded:
        return f"{jobs[1]} jobs for {runs[1]} runs:{said}"
    return None


class Suite:
    def __init__(self, build, launcher):
        self.build = os.path.abspath(build)
        self.tourney = f"{self.build}/tourney"
        self.launcher = launcher
        self.count = Count()
        self.scratch = tempfile.mkdtemp(prefix="tourney-test-dist-")

    def check(self, name, wrong):
        self.count.add(name, wrong or None)

    def run(self, *words, **environment):
        out = f"{self.scratch}/out"
        shutil.rmtree(out, ignore_errors=True)
        words = ["dist", "--quiet", "-o", out, *(["--launcher", self.launcher] if self.launcher else []), *words]
        return plainly([self.tourney, *words], PATIENCE, **{"OMPI_MCA_pml": "ob1", **environment})  # as in lib/running.py

    # ---- the programs of the explorer ----

    def programs(self, mpi):
        for name in SELECTION[mpi]:
            source = f"test/explore/{name}.c"
            fit = [case for case in cases(source) if case[1] in ("any", "infinite")]
            ranks, buffering, arguments, wanted = next((case for case in fit if case[1] == "any"), fit[0])
            run = self.run("-n", ranks, f"--buffering={buffering}", compile_for(mpi, source, self.build), *arguments)
            self.check(f"{name} {mpi} -n {ranks}", complaint(name, wanted, run))

    # ---- the rest ----

    def compiled(self, name, text, mpi="mpich"):
        source = f"{self.scratch}/{name}.c"
        with open(source, "w") as file:
            file.write(text)
        return compile_always(f"mpicc.{mpi}", source, source[:-2], "-g")

    def clocks(self):
        """[Vo 2011], Fig. 5.3: vector clocks see that the message could have been taken, Lamport's do not; the search finds out either way."""
        for mpi, (clock, late) in itertools.product(SELECTION, (("lamport", 0), ("vector", 1))):
            run = self.run("-n", "3", f"--clock={clock}", compile_for(mpi, "test/explore/vector_clock.c", self.build))
            good = run.code == 1 and re.search(rf"by (its|their) clocks {late} messages? came late", run.out)
            self.check(f"{clock} clocks {mpi}", run.wrong_unless(good))

    def slow(self):
        """Ranks that compute, or have finalized and go on, are waited for."""
        program = self.compiled("slow", """
            #include <mpi.h>
            #include <unistd.h>
            int main(int argc, char **argv)
            {
                int rank, value = 0;
                MPI_Init(&argc, &argv);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                if (rank == 0) {
                    sleep(2);
                    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
                } else {
                    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                }
                MPI_Finalize();
                if (rank == 0)
                    sleep(1);
                return 0;
            }""")
        run = self.run("-n", "2", program)
        good = run.code == 0 and re.search(r"^tourney: 1 job under [^ ,;]+; by its clocks 0 messages", run.out, re.M)
        self.check("slow ranks", run.wrong_unless(good))

    def finalizing(self):
        """What a rank does in MPI_Finalize when others have come back from it, and with what it ends, is waited for."""
        program = self.compiled("finalizing", """
            #include <mpi.h>
            #include <unistd.h>
            static int delete(MPI_Comm comm, int key, void *value, void *extra)
            {
                (void)comm, (void)key, (void)value, (void)extra;
                return sleep(1);
            }
            int main(int argc, char **argv)
            {
                int rank, key;
                MPI_Init(&argc, &argv);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &key, NULL);
                if (rank == 1)
                    MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL);
                MPI_Finalize();
                return rank == 1 ? 3 : 0;
            }""", "openmpi")
        run = self.run("-n", "2", program)
        self.check("slow in MPI_Finalize", run.wrong_unless("rank 1 ended with exit code 3" in run.out))

    def unloaded(self):
        """A thread of the library that runs into unloaded code in MPI_Finalize is no crash of the program's."""
        program = compile_always("mpicc.openmpi", "test/prog/unloaded_code.c", f"{self.scratch}/unloaded_code", "-g", "-rdynamic")
        run = self.run("-n", "2", program)
        self.check("unloaded code", run.wrong_unless(run.code == 0))

    def copied(self):
        """Several communicators that are being made at one time are several."""
        run = self.run("-n", "3", compile_for("mpich", "test/prog/comm_dup.c", self.build))
        self.check("overlapping copies", run.wrong_unless(run.code == 0))

    def ended(self):
        """Jobs that are ended because they are stuck leave nothing of Open MPI's behind: its launcher ends in order."""
        before, place = job_segments(), tempfile.mkdtemp(dir=self.scratch)
        run = self.run("-n", "4", compile_for("openmpi", "test/explore/named_last.c", self.build), TMPDIR=place)
        left = [*new_and_unused(job_segments, before), *os.listdir(place)]
        self.check("left behind", run.wrong_unless(run.code == 1) or " ".join(left))

    def without_partner(self):
        """The leaders of MPI_Intercomm_create meet inside the library: a job in which one never comes ends all the same.

        Until it is given up, its ranks spin: those of both libraries at the same time, on one processor.
        """
        programs = {mpi: self.compiled(f"without_partner_{mpi}", """
                #include <mpi.h>
                int main(int argc, char **argv)
                {
                    int rank, value = 0;
                    MPI_Comm between;
                    MPI_Init(&argc, &argv);
                    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                    if (rank == 0 || argc > 1)
                        MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 5, &between);
                    else
                        MPI_Recv(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                    if (argc > 1)
                        MPI_Comm_free(&between);
                    MPI_Finalize();
                    return 0;
                }""", mpi) for mpi in SELECTION}
        shared = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]

        def alone(mpi):
            return plainly([*shared, self.tourney, "dist", "--quiet", "-o", f"{self.scratch}/alone_{mpi}", "-n", "2", programs[mpi]], PATIENCE)

        for mpi, run in each(alone, SELECTION, len(SELECTION)):
            good = run.code == 2 and "not every run could be led to its end" in run.out
            self.check(f"MPI_Intercomm_create alone {mpi}", run.wrong_unless(good))
            run = self.run("-n", "2", programs[mpi], "both")
            self.check(f"MPI_Intercomm_create {mpi}", run.wrong_unless(run.code == 0))

    @staticmethod
    def has_kept(out):
        """Whether the first job is in the journal, which is written right after the modules."""
        try:
            return os.stat(f"{out}/journal").st_mtime_ns > os.stat(f"{out}/modules").st_mtime_ns
        except OSError:
            return False

    def killed(self):
        """A search that is killed leaves nothing running, and goes on from its journal."""
        program = compile_for("mpich", "test/explore/star.c", self.build)
        out = f"{self.scratch}/killed"
        search = subprocess.Popen([self.tourney, "dist", "-n", "4", "--quiet", "-o", out, program],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while search.poll() is None and not self.has_kept(out):
            time.sleep(0.02)
        search.kill()
        search.wait()
        for _ in range(200):
            left = [p for p in glob.glob("/proc/[0-9]*/cmdline") if self.is_helper(p, program)]
            if not left:
                break
            time.sleep(0.1)
        self.check("a killed search", f"leaves {left}" if left else None)
        run = plainly([self.tourney, "resume", out, "--quiet"], PATIENCE)
        jobs = re.search(r"(\d+) jobs? under", run.out)
        good = run.code == 0 and "6 runs, all ended well" in run.out and jobs and int(jobs[1]) < 6
        self.check("a resumed search", run.wrong_unless(good))

    def interrupted(self):
        """A search that is interrupted while its first ranks come up ends in order, and Open MPI's launcher with it."""
        place = tempfile.mkdtemp(dir=self.scratch)
        program = self.compiled("sleeper", """
            #include <mpi.h>
            #include <unistd.h>
            int main(int argc, char **argv)
            {
                MPI_Init(&argc, &argv);
                sleep(%d);
                return MPI_Finalize();
            }""" % PATIENCE, "openmpi")
        search = subprocess.Popen([self.tourney, "dist", "-n", "4", "--quiet", "-o", f"{self.scratch}/interrupted", program],
                                  env={**os.environ, "TMPDIR": place}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True)
        while search.poll() is None and not glob.glob(f"{place}/tourney.dist.*/rank.*"):
            time.sleep(0.02)
        search.send_signal(signal.SIGINT)
        start = time.monotonic()
        said = search.communicate(timeout=PATIENCE)[1]
        took, left = time.monotonic() - start, os.listdir(place)
        late = took > 30  # it takes at most two, on a machine that has nothing else to do
        self.check("an interrupted search", f"{search.returncode} after {took:.1f} s, leaves {left}: {said}"
                   if left or late or search.returncode != 130 else None)

    @staticmethod
    def is_helper(path, program):
        try:
            words = open(path, "rb").read().split(b"\0")
        except OSError:
            return False
        return b"dist-rank" in words and program.encode() in words

    def stopped(self):
        program = compile_for("mpich", "test/explore/star.c", self.build)
        run = self.run("-n", "4", "--max-runs", "2", program)
        self.check("--max-runs", run.wrong_unless(run.code == 2 and "2 runs, no error so far" in run.out))
        run = self.run("-n", "3", "--parallel-jobs", "2", program)
        self.check("--parallel-jobs", run.wrong_unless(run.code == 0 and "2 runs, all" in run.out))

    def unasked(self):
        """What a helper tells unasked right behind its answer to a look: the answer counts."""
        launcher = f"{self.scratch}/launcher"
        with open(launcher, "w") as file:
            file.write(f"#!{sys.executable}\n" + HELPERS)
        os.chmod(launcher, 0o755)
        run = self.run("-n", "2", "--launcher", launcher, compile_for("mpich", "test/explore/star.c", self.build))
        self.check("unasked news", run.wrong_unless("tourney: 1 job under" in run.out))

    def replayed(self):
        """What was found on a job can be seen again on this machine."""
        program = compile_for("mpich", "test/explore/by_sender.c", self.build)
        self.run("-n", "3", program)
        run = plainly([self.tourney, "replay", f"{self.scratch}/out", "1"], PATIENCE)
        good = run.code == 0 and "was reproduced: deadlock" in run.out
        self.check("replay", run.wrong_unless(good))

    def recorded(self):
        """The first run of a search by jobs is an execution like any other: it can be looked at, and predicted from."""
        program, record = compile_for("mpich", "test/explore/dtg.c", self.build), f"{self.scratch}/record"
        self.run("-n", "5", "--max-runs", "1", "--record", record, program)
        dump = plainly([self.tourney, "dump", record])
        predict = plainly([self.tourney, "predict", record])
        self.check("dump", dump.wrong_unless(dump.code == 0 and "MPI_Recv" in dump.out))
        good = predict.code == 1 and "deadlock predicted" in predict.out
        self.check("predict", predict.wrong_unless(good))

    def fenced(self):
        """Windows: fences are collectives like others; the order of locks is left to the library, and that is said."""
        program = self.compiled("fenced", """
            #include <mpi.h>
            int main(int argc, char **argv)
            {
                int rank, got = 0, *memory;
                MPI_Win win;
                MPI_Init(&argc, &argv);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
                *memory = 0;
                MPI_Win_fence(0, win);
                MPI_Put(&rank, 1, MPI_INT, (rank + 1) % 3, 0, 1, MPI_INT, win);
                MPI_Win_fence(0, win);
                if (*memory != (rank + 2) % 3)
                    return 5;
                for (int i = 0; rank == 0 && i < 2; i++)
                    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                if (rank > 0)
                    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
                if (argc > 1 && argv[1][0] == 's' && got == 1)
                    MPI_Recv(&got, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
                if (argc > 1 && argv[1][0] == 'l') {
                    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
                    MPI_Win_unlock(0, win);
                }
                MPI_Win_free(&win);
                MPI_Finalize();
                return 0;
            }""")
        run = self.run("-n", "3", program)
        good = run.code == 0 and "2 runs" in run.out and "in the order that the MPI library gave them" in " ".join(run.out.split())
        self.check("fences", run.wrong_unless(good))
        run = self.run("-n", "3", program, "stuck")
        self.check("a fence that one rank does not reach", run.wrong_unless(run.code == 1 and "MPI_Win_fence" in run.out))
        run = self.run("-n", "3", program, "locks")
        text = " ".join(run.out.split())
        good = run.code == 2 and "MPI_Win_lock is not looked into: the order of locks" in text
        self.check("the order of locks is the library's", run.wrong_unless(good))

    def raced(self):
        """Accesses to windows, ordered by locks, epochs, atomic accesses and messages, or by nothing."""
        program = self.compiled("raced", """
            #include <mpi.h>
            #include <string.h>
            static void add(int rank, MPI_Win win, int lock)
            {
                int value = rank;
                MPI_Win_lock(lock, 0, 0, win);
                MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
                MPI_Win_unlock(0, win);
            }
            static void expose(int rank, MPI_Win win, int all)
            {
                MPI_Group world, some;
                int other = rank ? 0 : 1, value = rank;
                MPI_Comm_group(MPI_COMM_WORLD, &world);
                MPI_Group_incl(world, 1, &other, &some);
                if (rank == 0) {
                    MPI_Win_post(some, 0, win);
                    MPI_Win_wait(win);
                } else if (rank == 1) {
                    MPI_Win_start(some, 0, win);
                    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
                    MPI_Win_complete(win);
                }
                if (all)
                    MPI_Barrier(MPI_COMM_WORLD);
                if (rank == 2)
                    add(rank, win, MPI_LOCK_SHARED);
                MPI_Group_free(&some);
                MPI_Group_free(&world);
            }
            static void spin(int rank, MPI_Win win, int flushes)
            {
                int one = 1, zero = 0, found = 1;
                MPI_Win_lock_all(0, win);
                while (found) {
                    MPI_Compare_and_swap(&one, &zero, &found, MPI_INT, 0, 1, win);
                    MPI_Win_flush(0, win);
                }
                MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
                if (flushes)
                    MPI_Win_flush(0, win);
                MPI_Fetch_and_op(&zero, &found, MPI_INT, 0, 1, MPI_REPLACE, win);
                MPI_Win_flush(0, win);
                MPI_Win_unlock_all(win);
            }
            int main(int argc, char **argv)
            {
                int rank, *memory;
                MPI_Win win;
                MPI_Init(&argc, &argv);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
                memset(memory, 0, 16);
                MPI_Barrier(MPI_COMM_WORLD);
                if (strcmp(argv[1], "exclusive") == 0 || strcmp(argv[1], "shared") == 0)
                    add(rank, win, argv[1][0] == 'e' ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED);
                else if (strcmp(argv[1], "epoch") == 0 || strcmp(argv[1], "epochs") == 0)
                    expose(rank, win, argv[1][5] == 's');
                else
                    spin(rank, win, strcmp(argv[1], "flush") == 0);
                MPI_Win_free(&win);
                MPI_Finalize();
                return 0;
            }""")
        for what, races in ("exclusive", 0), ("shared", 1), ("epochs", 0), ("epoch", 1), ("flush", 0), ("unflushed", 1):
            run = self.run("-n", "3", program, what)
            good = run.code == (1 if races else 2) and ("[rma-race]" in run.out) == bool(races)
            self.check(f"accesses with {what}", run.wrong_unless(good))

    def files(self):
        """Accesses to files, ordered or not, by offsets, pointers, views and together (test/adversarial says more of each); both libraries."""
        for mpi, what, says in (("mpich", "bare", "error"), ("mpich", "right", None), ("mpich", "shifted", "error"), ("mpich", "views", None),
                                ("mpich", "equal", "warning"), ("openmpi", "pointers", "error"), ("openmpi", "atomic", None),
                                ("openmpi", "barrier", "warning"), ("openmpi", "together", "error"), ("openmpi", "later", None)):
            program = compile_for(mpi, "test/adversarial/file_race.c", self.build)
            run = self.run("-n", "2", program, what, FOLDER=self.scratch)
            said = " ".join(run.out.split())
            good = (run.code == (1 if says == "error" else 2) and ("[file-race]" in said) == bool(says) and ("Warning" in said) == (says == "warning")
                    and "MPI_File_open, " in said and "accesses to files were compared in the order that the jobs made them" in said)
            self.check(f"accesses to a file, {what} {mpi}", run.wrong_unless(good))
            if says:
                self.check(f"the file of a race has its name, {what} {mpi}",
                           run.wrong_unless(f"of {os.path.realpath(self.scratch)}/file_race.{what}: a write of rank 0 and" in said
                                            or f"({self.scratch}/file_race.{what})" in said))

    def sessions(self):
        """Of a program that begins with one, too, the job is heard; what goes over communicators of sessions has no clocks."""
        program = self.compiled("session", """
            #include <mpi.h>
            int main(int argc, char **argv)
            {
                MPI_Session session;
                MPI_Group all;
                MPI_Comm world;
                int rank, value = 7, initialized = 1;
                MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
                MPI_Initialized(&initialized);
                MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
                MPI_Comm_create_from_group(all, "test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &world);
                MPI_Comm_rank(world, &rank);
                if (rank == 1)
                    MPI_Send(&rank, 1, MPI_INT, 0, 0, world);
                else
                    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, MPI_STATUS_IGNORE);
                MPI_Group_free(&all);
                MPI_Comm_free(&world);
                if (argc > 1)
                    MPI_Init(&argc, &argv);
                if (argc > 1)
                    MPI_Barrier(MPI_COMM_WORLD);
                MPI_Session_finalize(&session);
                if (argc > 1)
                    MPI_Finalize();
                return initialized || value != (rank ? 7 : 1);
            }
            """)
        for more in ([], ["init"]):
            run = self.run("-n", "2", "--time", "60", program, *more)
            said = " ".join(run.out.split())
            good = run.code == 2 and re.search(r"1 run; it ended well; MPI_Session_init, MPI_Comm_create_from_group are not looked into", said)
            self.check("a session " + ("before" if more else "in place of") + " MPI_Init", run.wrong_unless(good))

    def failing_ranks(self):
        """What is for ranks that fail is refused here as well: MPICH would crash, and clocks of others would not survive a shrink."""
        program = compile_always("mpicc.mpich", "test/check/failing_ranks.c", f"{self.scratch}/failing_ranks", "-g")
        for what, name in ("revoke", "MPIX_Comm_revoke"), ("agree", "MPIX_Comm_agree"):
            run = self.run("-n", "2", program, what)
            sentence = f"{name} is not supported by tourney at failing_ranks.c"
            self.check(f"{what} in a job", run.wrong_unless(run.code == 3 and sentence in " ".join(run.out.split()) and "crash" not in run.out))

    def damaged(self):
        """A rank that writes over what it told: one sentence."""
        program = self.compiled("damaged", """
            #include <mpi.h>
            #include <stdio.h>
            #include <string.h>
            int main(int argc, char **argv)
            {
                char line[4096];
                void *file;
                int rank;
                MPI_Init(&argc, &argv);
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                FILE *maps = fopen("/proc/self/maps", "r");
                while (rank == 1 && fgets(line, sizeof line, maps))
                    if (strstr(line, ".causal") && sscanf(line, "%p", &file) == 1)
                        memset((char *)file + 4096 + 4, 255, 4);
                fclose(maps);
                MPI_Finalize();
                return 0;
            }""")
        run = self.run("-n", "2", program)
        sentence = "tourney: the file in which rank 1 tells what it does is damaged\n"
        self.check("a damaged file", run.wrong_unless(run.code == 3 and run.err == sentence))

    def misused(self):
        program = compile_for("mpich", "test/explore/star.c", self.build)
        for words, sentence in (
                (["--launcher", "/nonexistent/mpiexec"], "ended when 0 of 2 ranks had been started"),
                (["--launcher", "mpiexec.mpich 'x"], "a quote is not closed"),
                (["--clock=sand"], "--clock is vector or lamport, not 'sand'"),
                (["--buffering=zero"], "in a job it is MPI that buffers"),
                (["--hang-timeout=5"], "may compute as long as it likes"),
                (["--parallel-jobs", "0"], "--parallel-jobs is a number from 1")):
            run = self.run("-n", "2", *words, program)
            self.check(f"dist {' '.join(words)}", run.wrong_unless(run.code == 3 and sentence in run.err))
        run = plainly([self.tourney, "-n", "2", "--clock=vector", program])
        self.check("--clock without dist", run.wrong_unless("are for tourney dist" in run.err))


def main():
    hear_signals()
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--launcher")
    parser.add_argument("--mpi", choices=SELECTION, help="only this library")
    options = parser.parse_args()
    suite = Suite(options.build, options.launcher)
    os.makedirs(f"{options.build}/test/explore", exist_ok=True)
    for mpi in SELECTION:
        if options.mpi in (None, mpi) and not (options.launcher and mpi != "mpich"):
            suite.programs(mpi)
    if not options.launcher and options.mpi != "openmpi":
        for part in (suite.clocks, suite.slow, suite.finalizing, suite.unloaded, suite.copied, suite.ended, suite.without_partner, suite.killed, suite.interrupted, suite.stopped, suite.unasked, suite.replayed,
                     suite.recorded, suite.fenced, suite.raced, suite.files, suite.sessions, suite.failing_ranks, suite.damaged, suite.misused):
            part()
    shutil.rmtree(suite.scratch)
    return suite.count.end()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main())
