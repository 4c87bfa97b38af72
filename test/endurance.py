#!/usr/bin/python3
"""What is left when a search is killed, interrupted, or the disk is full; and what it says when it is resumed.

  kills       tourney, its ranks and their copies are killed at random moments: nothing stays, neither a process nor a
              file, and a search that is resumed comes to the same verdict, runs and findings
  interrupts  Ctrl-C in `tourney dist` while ranks come up ends it within seconds
  disks       the disk of the result has room for so many bytes: what is found is told all the same, what could not be
              written is said, and what is there is a result
  memory      /dev/shm has room for a page
  length      100,000 calls without a choice: memory and journal stay within bounds, also of a search that is killed on the
              way and resumed
  load        others want all processors: ranks of a long search run ahead all the same, so that its cost is not a matter of that
  noes        a rank polls hundreds of thousands of times in vain before it sends: the first run is there, nobody is called
              stuck, and memory and journal stay within bounds; a run in which something fails that depends on how
              often a rank was told no is made again
Disks and memory are small file systems in a name space of mounts, which takes root; else they are left out.
usage: endurance.py BUILD_DIR [--short] [--seed N] [PART...]
"""
import argparse
import contextlib
import functools
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from lib import Failure
from lib.building import LIBRARIES, compile_always
from lib.leftovers import Watch, hear_signals, marked, new_and_unused
from lib.running import result_of
from lib.suite import Count, attempt

SEGMENTS = re.compile(r"(vader_segment|sm_segment|mpich_shar_tmp|ucx_shm_posix)")
SEGMENT_PATH = re.compile(r"/dev/shm/ucx_shm_posix_\w+")

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
/* Rank 0 takes from anybody, twice from each; in some orders it fails, in others it waits in vain.  With an argument it
   first sleeps so many milliseconds, to be met on the way. */
int main(int argc, char **argv)
{
    int rank, size, value, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    usleep(argc > 1 ? 1000 * atoi(argv[1]) : 0);
    for (int round = 0; round < 2; round++)
        if (rank)
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        else
            for (int i = 1; i < size; i++) {
                MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                sum = 3 * sum + value;
            }
    if (rank == 0 && sum % 7 == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0 && sum % 11 == 0) {
        fprintf(stderr, "%d is not good\\n", sum);
        abort();
    }
    MPI_Finalize();
    return 0;
}
"""

LONG = """
#include <mpi.h>
#include <stdlib.h>
/* A number goes round, and now and then all wait for all: nothing is ever to be decided.  In the end rank 0 fails if it
   is another one than it should be. */
int main(int argc, char **argv)
{
    int rank, size, value = 0, rounds = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < rounds; i++) {
        if (rank)
            MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value++;
        MPI_Send(&value, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
        if (!rank)
            MPI_Recv(&value, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i % 2)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    if (!rank && value != rounds * size)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
"""
ROUNDS = 20000        # of it, on two ranks: five calls in two rounds of each rank, 100,000 in all
MEMORY = 32 << 10     # KB of tourney itself; it was 38 MB when whoever goes a way again let go of nothing, and 69 MB when calls were kept in memory
JOURNAL = 2 << 20     # bytes; it was 14 MB when records were not packed
TRIES_UNDER_LOAD = 8
NOES = """
#include <mpi.h>
#include <stdlib.h>
/* The last rank polls so many times, and sends to all others, who poll for that with a poll for something else in between.  With a second
   argument rank 0 then fails, with a code that says how often it was told no. */
int main(int argc, char **argv)
{
    int rank, size, done = 0, other, value, late;
    long polls = 0, most = atol(argv[1]);
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Irecv(&late, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
    for (; !done && (rank < size - 1 || polls < most); polls++) {
        MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
        if (polls % 3 == 0)
            MPI_Test(&request, &other, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < size - 1 && rank == size - 1; i++)
        MPI_Send(&rank, 1, MPI_INT, i, 2, MPI_COMM_WORLD);
    if (rank < size - 1)
        MPI_Recv(&value, 1, MPI_INT, size - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0 && argc > 2)
        MPI_Abort(MPI_COMM_WORLD, 1 + (int)(polls % 101));
    MPI_Finalize();
    return 0;
}
"""
UNFOLLOWED = "not every run could be led to its end"
OWN_MEMORY = "TOURNEY_TEST_OWN_MEMORY"  # set where /dev/shm is this suite's own


def shared_memory():
    return {f"/dev/shm/{name}" for name in os.listdir("/dev/shm") if SEGMENTS.match(name)}


def makes_segment(pid):
    """Whether a process has a segment open that has a name: UCX takes its name away as soon as it has made one."""
    with contextlib.suppress(OSError):
        return any(SEGMENT_PATH.fullmatch(os.readlink(f"/proc/{pid}/fd/{fd}")) for fd in os.listdir(f"/proc/{pid}/fd"))
    return False


def kill_between_segments(pid):
    """A rank that is killed from outside between the two leaves the file, and nobody else has ever known its name."""
    os.kill(pid, signal.SIGSTOP)
    while makes_segment(pid):
        os.kill(pid, signal.SIGCONT)
        time.sleep(0.001)
        os.kill(pid, signal.SIGSTOP)
    os.kill(pid, signal.SIGKILL)


def with_file_system(path, options, command):
    """The command where a file system of its own is at that path, for as long as it runs."""
    mount = shlex.join(["mount", "-t", "tmpfs", *options, "tmpfs", path])
    return ["unshare", "-m", "sh", "-c", f'{mount} && exec "$@"', "sh", *command]


class Place(Watch):
    """With a folder for the result, and what comes out as text."""

    def __init__(self):
        super().__init__()
        self.out = f"{self.here}/out"

    def start(self, command):
        return super().start(command, text=True)

    def run(self, command):
        return self.end(self.start(command))

    def end(self, process):
        out, err = self.finish(process)
        return process.returncode, out, err


def essence(folder):
    """What a result says that does not depend on when it was interrupted."""
    result = result_of(folder)
    findings = sorted((f["kind"], f["message"], f["runs"]) for f in result["findings"])
    return result["verdict"], result["runs"], tuple(map(str, result["bounds"])), findings


class Suite:
    def __init__(self, build, short, seed):
        self.tourney = os.path.realpath(f"{build}/tourney")
        self.short = short
        self.seed = seed
        self.count = Count()
        self.folder = tempfile.mkdtemp(prefix="endurance")
        self.program = {}
        with open(f"{self.folder}/program.c", "w") as file:
            file.write(PROGRAM)
        for mpi in LIBRARIES:
            self.program[mpi] = compile_always(f"mpicc.{mpi}", f"{self.folder}/program.c", f"{self.folder}/program.{mpi}", "-g", "-w")

    def check(self, name, trial, *arguments):
        wrong = attempt(trial, *arguments)
        self.count.add(name, wrong and f"seed {self.seed}: {wrong}")

    def command(self, word, mpi, out, *arguments):
        options = [] if word == "run" else ["--quiet", "-o", out]
        if word == "verify":
            options.append("--no-merge")  # a search that is resumed may merge less (doc/journal.md)
        return [self.tourney, word, "-n", "4" if word == "verify" else "3", *options, self.program[mpi], *arguments]

    @functools.lru_cache(maxsize=None)
    def left_alone(self, word, mpi, *arguments):
        """(what comes out, or None of a run; how long it takes)"""
        with Place() as place:
            start = time.monotonic()
            place.run(self.command(word, mpi, place.out, *arguments))
            return (essence(place.out) if word != "run" else None), time.monotonic() - start

    # kills

    def kills(self):
        before = shared_memory()
        plan = [(word, mpi, victim) for victim in ("tourney", "rank") for word in ("verify", "run", "dist") for mpi in LIBRARIES]
        for i in range(6 if self.short else 50):
            word, mpi, victim = plan[(i * 5 + i // len(plan)) % len(plan)] if self.short else plan[i % len(plan)]
            arguments = ["200"] if word == "run" else []
            wanted = self.left_alone(word, mpi, *arguments)
            self.check(f"{word} [{mpi}], {victim} killed ({i})", self.killed, word, mpi, victim, arguments, *wanted)
        self.check("shared memory of killed ranks", self.check_memory, before)

    @staticmethod
    def check_memory(before):
        if left := new_and_unused(shared_memory, before):
            raise Failure(f"left in /dev/shm: {left}")

    def killed(self, word, mpi, victim, arguments, wanted, seconds):
        with Place() as place:
            process = place.start(self.command(word, mpi, place.out, *arguments))
            time.sleep(random.uniform(0, seconds))
            self.kill(place, process, victim)
            code, _, err = place.end(process)
            place.expect_nothing()
            if victim == "rank" and code not in (0, 1, 2, 3, 128 + signal.SIGKILL, 128 + signal.SIGABRT):
                raise Failure(f"exit code {code} after a rank was killed: {err}")
            if victim == "tourney" and word != "run" and os.path.exists(f"{place.out}/result.json"):
                place.run([self.tourney, "resume", place.out, "--quiet"])
                place.expect_nothing()
                got = essence(place.out)
                if got != wanted:
                    raise Failure(f"resumed: {got}, not {wanted}")

    def kill(self, place, process, victim):
        if victim == "tourney":
            process.kill()
            return
        ranks = [pid for pid, name in marked(place.mark) if name.startswith("program.")]
        if ranks:
            with contextlib.suppress(ProcessLookupError):
                kill_between_segments(random.choice(ranks))

    # interrupts

    def interrupts(self):
        for i in range(6 if self.short else 100):
            for mpi in LIBRARIES:
                self.check(f"dist [{mpi}] interrupted ({i})", self.interrupted, mpi)

    def interrupted(self, mpi):
        most = 20 if self.short else 4  # seconds; a machine that has other things to do is given time
        with Place() as place:
            process = place.start(self.command("dist", mpi, place.out, "100000"))
            time.sleep(random.uniform(0, 1.5))
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            code, _, err = place.end(process)
            took = time.monotonic() - start
            place.expect_nothing()
            if code not in (128 + signal.SIGINT, -signal.SIGINT) or took > most:
                raise Failure(f"exit code {code} after {took:.1f} s: {err}")

    # small disks

    def in_small(self, path, size, command):
        return with_file_system(path, ["-o", f"size={size},nr_inodes=64"], command)

    def disks(self):
        wanted = self.left_alone("verify", "mpich")[0]
        sizes = [4096 << i for i in range(0, 10)] + [4096 * n for n in (3, 5, 6, 7, 9, 10, 12, 20, 24, 48)]
        for size in sorted(sizes)[:: 4 if self.short else 1]:
            self.check(f"a disk of {size // 1024} KB", self.full, size, wanted)

    def full(self, size, wanted):
        with Place() as place:
            folder = os.path.dirname(place.out)
            kept = tempfile.mkdtemp(dir=place.scratch + "/..", prefix="endurance")
            # what is there in the end is copied out of the small file system; then it is resumed where there is room
            search = " ".join([self.tourney, "-n", "4", "--no-merge", "--quiet", "-o", place.out, self.program["mpich"]])
            script = f"{search}; code=$?; cp -r {place.out} {kept}/out; exit $code"
            code, out, err = place.run(self.in_small(folder, size, ["sh", "-c", script]))
            try:
                self.judge_full(place, code, out, err, f"{kept}/out", wanted)
            finally:
                shutil.rmtree(kept, ignore_errors=True)
            place.expect_nothing()

    def judge_full(self, place, code, out, err, kept, wanted):
        kinds = {kind for kind, _, _ in wanted[3]}
        missing = [kind for kind in kinds if f"[{kind}]" not in out]
        if missing or code not in (1, 3):
            raise Failure(f"exit code {code}, not told: {missing}\n{out}{err}")
        lost = re.search(r"could not be written in \S+: ([^:]*):", err)
        names = lost.group(1).split(", ") if lost else []
        complete = os.path.exists(f"{kept}/result.json") and essence(kept) == wanted
        if not complete and "result.json" not in names:
            raise Failure(f"the result is not complete, and it says: {err}")
        for name in ("run-1.json", "tree.json"):
            if os.path.exists(f"{kept}/{name}") == (name in names):
                raise Failure(f"{name} is {'' if name in names else 'not '}there, and it says: {err}")
        if not complete and os.path.exists(f"{kept}/result.json") and os.path.exists(f"{kept}/journal"):
            place.run([self.tourney, "resume", kept, "--quiet"])
            if essence(kept) != wanted:
                raise Failure(f"resumed: {essence(kept)}, not {wanted}")

    # little shared memory

    def memory(self):
        for word in ("verify", "dist"):
            for mpi in LIBRARIES:
                self.check(f"{word} [{mpi}], /dev/shm of a page", self.cramped, word, mpi)

    def cramped(self, word, mpi):
        wanted = self.left_alone(word, mpi)[0]
        with Place() as place:
            code, out, err = place.run(self.in_small("/dev/shm", 4096, self.command(word, mpi, place.out)))
            place.expect_nothing()
            refused = code == 3 and err
            got = None if refused else essence(place.out)
            undecided = got and got[0] == "incomplete" and got[2]  # the library's own jobs cannot run like that, which is said
            if got and got != wanted and not undecided:
                raise Failure(f"{got}, not {wanted}: {err}")


    def compiled(self, name, text, mpi):
        """A program of this text, for an MPI library."""
        source, program = f"{self.folder}/{name}.c", f"{self.folder}/{name}.{mpi}"
        with open(source, "w") as file:
            file.write(text)
        compile_always(f"mpicc.{mpi}", source, program, "-g", "-w")
        return program

    # many calls

    def each_or_one(self, name, text, trials):
        """Trials of a program of this text, on each library; if it is to be short, on one of them in turn, for what is measured is tourney's own."""
        for mpi in LIBRARIES:
            program = self.compiled(name, text, mpi)
            for turn, (label, trial) in enumerate(trials):
                if not self.short or mpi == LIBRARIES[turn % len(LIBRARIES)]:
                    self.check(f"{label} [{mpi}]", trial, program)

    def length(self):
        self.each_or_one("long", LONG, [("many calls", self.long), ("many calls, killed and resumed", self.long_resumed)])

    def search_long(self, place, program):
        return place.start([self.tourney, "--quiet", "-o", place.out, "-n", "2", program, str(ROUNDS)])

    @staticmethod
    def watch_long(place, process, enough=None):
        """The most memory and journal that were seen; until the end, or the journal has so many bytes."""
        memory = journal = 0
        while process.poll() is None and (enough is None or journal < enough):
            with contextlib.suppress(OSError):
                with open(f"/proc/{process.pid}/status") as file:
                    memory = max([memory, *map(int, re.findall(r"VmHWM:\s+(\d+)", file.read()))])
                journal = max(journal, os.stat(f"{place.out}/journal").st_size)
            time.sleep(0.01)
        return memory, journal

    @staticmethod
    def judge_long(place, memory, journal):
        if not 0 < memory <= MEMORY or not 0 < journal <= JOURNAL:
            raise Failure(f"{memory} KB of memory and {journal} bytes of journal, not {MEMORY} and {JOURNAL}")
        if essence(place.out) != ("clean", 1, (), []):
            raise Failure(f"{essence(place.out)}")
        place.expect_nothing()

    def long(self, program):
        with Place() as place:
            process = self.search_long(place, program)
            seen = self.watch_long(place, process)
            place.end(process)
            self.judge_long(place, *seen)

    def long_resumed(self, program):
        with Place() as place:
            process = self.search_long(place, program)
            self.watch_long(place, process, enough=JOURNAL // 16)
            process.kill()
            place.end(process)
            process = place.start([self.tourney, "resume", "--quiet", place.out])
            seen = self.watch_long(place, process)
            place.end(process)
            self.judge_long(place, *seen)

    # busy processors

    def load(self):
        for mpi in LIBRARIES:
            self.check(f"ranks run ahead under load [{mpi}]", self.loaded, self.compiled("long", LONG, mpi))

    def loaded(self, program):
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8 * os.cpu_count())]
        try:
            for _ in range(TRIES_UNDER_LOAD):
                with Place() as place:
                    _, _, err = place.run(["env", "TOURNEY_LOG=drive", self.tourney, "--quiet", "-o", place.out, "-n", "2", program, "200"])
                if not re.search(r"ranks run ahead$", err, re.M) or "the opening is over" in err:
                    raise Failure("; ".join(re.findall(r".*(?:opening|run ahead).*", err)) or "no word of it")
        finally:
            for process in busy:
                process.kill()
                process.wait()

    # many noes

    def noes(self):
        self.each_or_one("noes", NOES, [("many noes", self.patient), ("a hundred thousand noes, once more", self.patient_again)])

    def patient(self, program):
        with Place() as place:
            process = place.start([self.tourney, "--quiet", "-o", place.out, "-n", "3", program, "150000"])
            memory, journal = self.watch_long(place, process)
            place.end(process)
            if not 0 < memory <= MEMORY or not 0 < journal <= JOURNAL:
                raise Failure(f"{memory} KB of memory and {journal} bytes of journal, not {MEMORY} and {JOURNAL}")
            if essence(place.out) != ("incomplete", 1, (UNFOLLOWED,), []):
                raise Failure(f"{essence(place.out)}")
            place.expect_nothing()

    def patient_again(self, program):
        with Place() as place:
            place.run([self.tourney, "--quiet", "-o", place.out, "-n", "3", program, "100000", "fails"])
            finding = result_of(place.out)["findings"][0]
            decided = [decision.get("noes", 0) for decision in finding["decisions"]]
            if finding["kind"] != "abort" or not 100000 < sum(decided) < 1000000 or len(decided) > 200:
                raise Failure(f"{finding['kind']} after {sum(decided)} noes in {len(decided)} decisions")
            for command in (["resume", place.out, "--quiet"], ["replay", place.out, "1"]):
                _, out, err = place.run([self.tourney, *command])
            if "finding 1 was reproduced: abort" not in out + err or f"{result_of(place.out)['findings'][0]['message']}" != finding["message"]:
                raise Failure(out + err)


def can_mount():
    return subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode == 0


def leave_shared_memory_of_others():
    """Goes on with a /dev/shm of its own, if it may: what jobs of other suites leave there is not for this one to tell."""
    if OWN_MEMORY in os.environ or not can_mount():
        return
    os.environ[OWN_MEMORY] = "yes"
    os.execvp("unshare", with_file_system("/dev/shm", [], [sys.executable, *sys.argv]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("part", nargs="*")
    asked = parser.parse_intermixed_args()
    leave_shared_memory_of_others()
    hear_signals()
    random.seed(asked.seed)
    suite = Suite(asked.build, asked.short, asked.seed)
    parts = asked.part or ["kills", "interrupts", "disks", "memory", "length", "load", "noes"]
    for part in parts:
        if part in ("disks", "memory") and not can_mount():
            print(f"left out: {part} (no right to mount)")
            continue
        getattr(suite, part)()
    shutil.rmtree(suite.folder, ignore_errors=True)
    return suite.count.end()


if __name__ == "__main__":
    sys.exit(main())
