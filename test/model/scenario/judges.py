#!/usr/bin/python3
"""Random scenarios before all judges: brute force, the search, its stories and prediction (judge), SPIN, MPICH and Open MPI.

A scenario on which they differ is made smaller and kept in test/model/found, where it is
judged ever after.

usage: judges.py BUILD N [--spin N] [--real N] [--seed N] [--found DIR]
       judges.py BUILD --spin-file FILE     exit code 10 if SPIN says something else
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from lib.running import MPIEXEC  # noqa: E402

BATCH = 25
PARTS_AND_PORTS = "0x7fff"  # features of scenarios (draft.h) for which there are no judges outside
SYNCHRONOUS = {"issend", "ssend_init"}
UNBUFFERED = {"isend", "send_init", "irsend", "rsend_init"}  # if it is long, and then it is cancelled as a synchronous one is


def outcomes_in(text):
    told = {}
    for number, outcome in re.findall(r"^outcome (\d+) (.*)$", text, re.M):
        told.setdefault(int(number), set()).add(outcome)
    return told


def cancelled_in(file):
    """The calls of a scenario whose requests are cancelled: {"irecv", ...}."""
    with open(file) as text:
        rows = [[cell.strip() for cell in line.split("|")] for line in text if "|" in line]
    cancelled = set()
    for column in zip(*rows):
        made = dict(re.findall(r"^(\w+): (\w+)", "\n".join(column), re.M))
        cancelled |= {made[cell.split()[1]] for cell in column if cell.startswith("cancel ")}
    return cancelled


class Judges:
    def __init__(self, build, found):
        self.judge = os.path.abspath(f"{build}/test/model/scenario/judge")
        self.build, self.found = build, found
        self.failed = 0
        self.work = tempfile.mkdtemp(prefix="tourney-judges-")
        # A job is ended with messages under way; what it shared goes with our directory.
        self.keeps_here = {"mpich": [], "openmpi": ["--mca", "btl", "self,vader", "--mca", "btl_vader_backing_directory", self.work]}

    def close(self):
        shutil.rmtree(self.work)

    def inside(self, seed, count, sample=None, features=()):
        """Brute force, search and prediction; prints what they say, and returns how many passed."""
        if count <= 0:
            return 0
        command = [self.judge, "-f", self.found, *(["-s", sample] if sample else []), str(seed), str(count), *features]
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        passed, failed = re.search(r"^(\d+) passed, (\d+) failed", run.stdout, re.M).groups()
        print(re.sub(r"\d+ passed.*\n", "", run.stdout), end="", flush=True)
        self.failed += int(failed)
        return int(passed)

    def orders(self, seed, count):
        """What comes before what, by the stories of the search and by brute force."""
        run = subprocess.run([self.judge, "-e", str(seed), str(count)], stdout=subprocess.PIPE, text=True)
        passed, failed = map(int, re.search(r"^(\d+) passed, (\d+) failed", run.stdout, re.M).groups())
        print(run.stdout if failed else f"orders: {passed} agreed", flush=True)
        self.failed += failed
        return passed

    def known(self, file):
        """All outcomes, as written beside a sample, or asked for now."""
        beside = file.replace(".scn", ".outcomes")
        if beside != file and os.path.exists(beside):
            with open(beside) as lines:
                return set(lines.read().splitlines())
        told = subprocess.run([self.judge, "-o", file], stdout=subprocess.PIPE, text=True)
        return set(told.stdout.splitlines())

    def spin(self, files):
        """What SPIN says of each."""
        directory = tempfile.mkdtemp(dir=self.work)
        model = subprocess.run([self.judge, "-p", *map(os.path.abspath, files)], stdout=subprocess.PIPE, text=True, check=True)
        with open(f"{directory}/model.pml", "w") as out:
            out.write(model.stdout)
        for command in [["spin", "-a", "model.pml"],
                        ["gcc", "-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-DVECTORSZ=65536", "-o", "pan", "pan.c"]]:
            subprocess.run(command, cwd=directory, check=True, stdout=subprocess.DEVNULL)
        run = subprocess.run(["./pan", "-E", "-m100000", "-w20"], cwd=directory, stdout=subprocess.PIPE, text=True, timeout=600)
        if "max search depth too small" in run.stdout or "errors: 0" not in run.stdout:
            raise SystemExit("SPIN did not come to an end:\n" + run.stdout[-2000:])
        shutil.rmtree(directory)
        told = outcomes_in(run.stdout)
        return [told.get(i, set()) for i in range(len(files))]

    @staticmethod
    def comparable(file, outcomes):
        """Under less slack than infinite, errors are not looked for."""
        with open(file) as text:
            fixed = "buffering zero" in text.read()
        return {one for one in outcomes if fixed or "error" not in one}

    def differs_from_spin(self, file, said):
        return self.comparable(file, said) ^ self.comparable(file, self.known(file))

    def keep(self, file, who, what, command=None):
        """Makes a scenario smaller, if there is a way to tell, and keeps it."""
        self.failed += 1
        print(f"{file}: {who}: {str(what)[:1000]}", flush=True)
        kept = os.path.join(self.found, os.path.basename(file))
        shutil.copy(file, kept)
        if command:
            small = subprocess.run([self.judge, "-x", command, file], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
            if small.returncode == 0:
                with open(kept, "w") as out:
                    out.write(small.stdout)
        with open(kept) as text:
            print(text.read(), flush=True)

    def judge_by_spin(self, files):
        states = 0
        for i in range(0, len(files), BATCH):
            batch = files[i:i + BATCH]
            for file, said in zip(batch, self.spin(batch)):
                states += len(said)
                if self.differs_from_spin(file, said):
                    self.keep(file, "SPIN differs in", self.differs_from_spin(file, said),
                              f"{sys.executable} {os.path.abspath(__file__)} {self.build} --spin-file")
        print(f"SPIN: {len(files)} scenarios, {states} outcomes")

    def fit_for_real(self, file):
        """Always comes to an end, whatever is buffered; libraries let cancelled synchronous sends wait for a receiver (D5)."""
        with open(file) as text:
            words = text.read()
        return ("buffering any" in words and not cancelled_in(file) & SYNCHRONOUS
                and not any("in call" in outcome or "error" in outcome for outcome in self.known(file)))

    def ask_mpi(self, mpi, files, times, ints, seed):
        """What a job printed; again if it does not come to an end: on a busy machine mpiexec fails now and then."""
        command = [*MPIEXEC[mpi], *self.keeps_here[mpi], "-n", "4", f"{self.build}/test/model/scenario/mpi-{mpi}", str(times), str(ints), str(seed), *files]
        for _ in range(3):
            try:
                output = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, timeout=150).stdout
            except subprocess.TimeoutExpired as late:
                output = (late.stdout or b"").decode()
            if re.search("^done$", output, re.M):
                break
        return output

    def judge_by_mpi(self, mpi, files, seed):
        seen = set()
        for i in range(0, len(files), 2 * BATCH):
            for times, ints in ((2, 1), (1, 50000)):
                batch = [file for file in files[i:i + 2 * BATCH] if ints == 1 or not cancelled_in(file) & UNBUFFERED]
                output = self.ask_mpi(mpi, batch, times, ints, seed)
                told = outcomes_in(output)
                for number, file in enumerate(batch):
                    for outcome in told.get(number, set()) - self.known(file):
                        self.keep(file, f"{mpi} shows", outcome)
                    seen |= {(file, outcome) for outcome in told.get(number, set())}
                if not re.search("^done$", output, re.M):
                    stopped = batch[min(max(told, default=-1) + 1, len(batch) - 1)]
                    self.keep(stopped, mpi, f"does not come to an end with messages of {ints} ints, or in the one before")
        known = sum(len(self.known(file)) for file in files)
        print(f"{mpi}: {len(files)} scenarios, {len(seen)} of {known} outcomes seen", flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build")
    arguments.add_argument("count", type=int, nargs="?", default=0)
    arguments.add_argument("--spin", type=int, default=0)
    arguments.add_argument("--real", type=int, default=0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--found", default="test/model/found")
    arguments.add_argument("--spin-file")
    asked = arguments.parse_args()
    judges = Judges(asked.build, asked.found)
    try:
        if asked.spin_file:
            return 10 if judges.differs_from_spin(asked.spin_file, judges.spin([asked.spin_file])[0]) else 0
        old = sorted(glob.glob(f"{asked.found}/*.scn"))
        if old:
            judges.failed += subprocess.run([judges.judge, "-c", *old], stdout=subprocess.DEVNULL).returncode
            judges.judge_by_spin(old)
        sample = f"{judges.work}/sample"
        os.mkdir(sample)
        sampled = min(asked.count, max(2 * asked.spin, 15 * asked.real))
        passed = judges.inside(asked.seed, sampled, sample)
        passed += judges.inside(asked.seed + sampled, asked.count - sampled)
        passed += judges.inside(asked.seed, asked.count // 15, features=[PARTS_AND_PORTS])
        passed += judges.orders(asked.seed, asked.count // 4)
        files = sorted(glob.glob(f"{sample}/*.scn"), key=lambda name: int(re.search(r"s(\d+).scn", name).group(1)))
        if asked.spin:
            judges.judge_by_spin(files[:asked.spin])
        fit = [file for file in files if judges.fit_for_real(file)][:asked.real]
        for mpi in MPIEXEC if fit else ():
            judges.judge_by_mpi(mpi, fit, asked.seed)
        print(f"{passed + len(old)} passed, {judges.failed} failed")
        return judges.failed != 0
    finally:
        judges.close()


if __name__ == "__main__":
    sys.exit(main())
