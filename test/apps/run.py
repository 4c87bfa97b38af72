#!/usr/bin/python3
"""Real MPI programs give the same result under tourney as under mpiexec.

Every entry of apps.py is run both ways, each time in a fresh directory, and
what it left behind is compared: exit code, standard output, files. Times,
dates and the like are filtered out by the entry; numbers may differ by a
relative tolerance, because reductions add up in another order.
"""
import argparse
import difflib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "apps")
SRC = os.path.join(HERE, "src")
INPUT = os.path.join(HERE, "input")
LIMIT, SLOW_LIMIT = 60, 120  # seconds, per run
ENVIRONMENT = {"LC_ALL": "C", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?(?![\w.])")


class View:
    """What of a run counts: one file (or the standard output), filtered."""

    def __init__(self, source="stdout", keep=None, drop=None, sub=(), sort=False, tol=0.0, zero=0.0,
                 change=None):
        self.source, self.sort, self.tol, self.zero, self.change = source, sort, tol, zero, change
        self.keep, self.drop = re.compile(keep or ""), drop and re.compile(drop)
        self.sub = [(re.compile(pattern), new) for pattern, new in sub]

    def lines(self, run):
        if self.source == "stdout":
            text = run.stdout
        else:
            try:
                with open(os.path.join(run.dir, self.source), "rb") as f:
                    text = f.read()
            except OSError:
                return []
        out = []
        for line in text.decode("latin-1").splitlines():
            if not self.keep.search(line) or self.drop and self.drop.search(line):
                continue
            for pattern, new in self.sub:
                line = pattern.sub(new, line)
            out.append(line.rstrip())
        if self.change:
            out = self.change(out)
        return sorted(out) if self.sort else out

    def same(self, a, b):
        if a == b:
            return True
        x, y = NUMBER.findall(a), NUMBER.findall(b)
        if not self.tol or len(x) != len(y):
            return False
        if NUMBER.sub("#", a).split() != NUMBER.sub("#", b).split():
            return False
        return all(self.near(p, q) for p, q in zip(x, y))

    def near(self, p, q):
        p, q = (float(re.sub("[dD]", "e", s)) for s in (p, q))
        return abs(p - q) <= max(self.tol * max(abs(p), abs(q)), self.zero)

    def difference(self, want, got):
        a, b = self.lines(want), self.lines(got)
        if not a:
            return ["nothing to compare in %s of the reference run" % self.source]
        if len(a) == len(b) and all(self.same(p, q) for p, q in zip(a, b)):
            return []
        # Lines that differ within the tolerance would only hide the others.
        if len(a) == len(b):
            b = [p if self.same(p, q) else q for p, q in zip(a, b)]
        diff = difflib.unified_diff(a, b, self.source + " expected", self.source + " got", "", "", 0, "")
        return list(diff)


class App:
    """One program. `build` makes build/apps/NAME once; `prepare` runs in every
    fresh directory; both are shell text with $SRC and $OUT. `files` are given
    as text, `inputs` are copied from input/; `stdin` names one of them. `defect`
    is what is wrong with the program, and tourney has to find; `at_times` what it finds if threads come to it. `verify` is what
    verify.py expects; None: it is not verified."""

    def __init__(self, name, packages, command, ranks=4, files=None, inputs=(), build=None, prepare=None,
                 stdin="/dev/null", mpi="openmpi", views=(View(),), env=None, slow=False, defect=None, at_times=None, verify=None):
        self.name, self.packages, self.ranks, self.mpi = name, packages.split(), ranks, mpi
        self.command = command.split()
        self.files, self.inputs, self.stdin = files or {}, inputs, stdin
        self.build, self.prepare, self.views, self.slow = build, prepare, views, slow
        self.defect, self.at_times = defect, at_times
        self.verify = verify
        self.limit = SLOW_LIMIT if slow else LIMIT
        self.env = dict(os.environ, **ENVIRONMENT, **(env or {}))

    def missing(self):
        return [p for p in self.packages + LAUNCHERS[self.mpi] if not installed(p)]


class Expected:
    """What a verification comes to in the time there is: one of some verdicts, and no findings but of these kinds.
    `why` says what is wrong with the program, or what stands between it and a verdict."""

    def __init__(self, *verdicts, kinds=(), why=None):
        self.verdicts, self.kinds, self.why = verdicts, kinds, why


class Run:
    """The remains of one run."""

    def __init__(self, directory):
        self.dir, self.code, self.stdout, self.stderr, self.seconds = directory, None, b"", b"", 0.0


LAUNCHERS = {"openmpi": ["openmpi-bin", "libopenmpi-dev"], "mpich": ["mpich", "libmpich-dev"]}
APT = ["apt-get", "install", "-y", "--no-install-recommends"]
STATUS = {}


def installed(package):
    if package not in STATUS:
        query = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", package],
                               capture_output=True, text=True)
        STATUS[package] = query.stdout == "installed"
    return STATUS[package]


def install(packages):
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    quiet = {"stdout": subprocess.DEVNULL, "env": env}
    if subprocess.run(APT + packages, **quiet).returncode:
        # A bare machine does not know its packages yet.
        subprocess.run(["apt-get", "update"], **quiet)
        subprocess.run(APT + packages, **quiet)
    STATUS.clear()


def newer(made, source):
    return os.path.exists(made) and os.path.getmtime(made) >= os.path.getmtime(source)


def shell(text, directory, env=os.environ, **more):
    done = subprocess.run(["sh", "-ec", text], cwd=directory, env=dict(env, SRC=SRC, **more), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode:
        raise RuntimeError("%s\n%s" % (text.strip(), done.stdout[-2000:]))


def build(app):
    """The program to run: ours from build/apps, or the package's own."""
    os.makedirs(BUILD, exist_ok=True)
    if app.build:
        made = os.path.join(BUILD, app.name)
        source = re.search(r"\$SRC/(\S+)", app.build).group(1)
        if not newer(made, os.path.join(SRC, source)):
            shell(app.build, BUILD, OUT=made)


def yielding():
    made, source = os.path.join(BUILD, "yield.so"), os.path.join(SRC, "yield.c")
    if not newer(made, source):
        shell("cc -O2 -shared -fPIC -o $OUT $SRC/yield.c -ldl", BUILD, OUT=made)
    return made


def under_mpiexec(app, directory):
    if app.mpi == "mpich":
        return ["mpiexec.mpich", "-genv", "LD_PRELOAD", yielding(), "-n", str(app.ranks)]
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return ["mpiexec.openmpi", "--oversubscribe", *root, "--mca", "mpi_yield_when_idle", "1",
            "--mca", "btl_vader_backing_directory", directory, "-n", str(app.ranks)]


def under_tourney(app, _directory):
    tourney = os.environ.get("TOURNEY", os.path.join(ROOT, "build", "tourney"))
    return [tourney, "run", "-n", str(app.ranks)]


def place(app, directory):
    """Puts what the program reads into a directory."""
    for name, text in app.files.items():
        with open(os.path.join(directory, name), "w") as f:
            f.write(text)
    for name in app.inputs:
        shutil.copy(os.path.join(INPUT, name), directory)
    if app.prepare:
        shell(app.prepare, directory, app.env)


def words(app):
    """Its command line."""
    return [word.replace("$OUT", os.path.join(BUILD, app.name)).replace("$SRC", SRC) for word in app.command]


def execute(app, launcher, directory):
    run = Run(directory)
    place(app, directory)
    start = time.monotonic()
    # Into files, not pipes: whoever outlives a stopped run does not keep us waiting.
    with open(os.path.join(directory, app.stdin)) as stdin, open(directory + ".out", "w+b") as out, \
            open(directory + ".err", "w+b") as err:
        process = subprocess.Popen(launcher + words(app), cwd=directory, env=app.env, stdin=stdin, stdout=out,
                                   stderr=err, start_new_session=True)
        try:
            run.code = process.wait(app.limit)
        except subprocess.TimeoutExpired:
            process.terminate()  # the launcher ends its ranks
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        for file, name in ((out, "stdout"), (err, "stderr")):
            file.seek(0)
            setattr(run, name, file.read())
    run.seconds = time.monotonic() - start
    return run


def judge(app, want, got, defect):
    """What is wrong with the run `got`, as lines; none if it is right."""
    if want.code is None or got.code is None:
        who = "the reference" if want.code is None else "the run"
        late = want if want.code is None else got
        return ["%s was stopped after %d s" % (who, app.limit)] + tail(late)
    met = app.at_times and b"[%s]" % app.at_times.encode() in got.stderr
    code = 1 if defect or met else want.code
    wrong = ["exit code %d, should be %d" % (got.code, code)] if got.code != code else []
    if defect and b"[%s]" % defect.encode() not in got.stderr:
        wrong.append("does not find " + defect)
    for view in app.views:
        diff = view.difference(want, got)
        wrong += diff[:12] + (["... %d more lines" % (len(diff) - 12)] if len(diff) > 12 else [])
    return wrong + tail(got) if wrong else []


def tail(run):
    text = run.stderr.decode("utf-8", "replace").splitlines()
    return ["stderr: " + line for line in text[-12:]]


def check(app, native, keep):
    where = tempfile.mkdtemp(prefix="tourney-app-")
    runs = []
    try:
        build(app)
        for name, launcher in (("mpiexec", under_mpiexec),
                               ("again", under_mpiexec) if native else ("tourney", under_tourney)):
            directory = os.path.join(where, name)
            os.mkdir(directory)
            runs.append(execute(app, launcher(app, directory), directory))
        wrong = judge(app, *runs, defect=None if native else app.defect)
    except (RuntimeError, OSError, ValueError) as problem:
        wrong = str(problem).splitlines()
    times = ", ".join("%.2f s" % run.seconds for run in runs)
    print("%s %s (%s%s)" % ("FAIL" if wrong else "ok", app.name, app.mpi, times and "; " + times), flush=True)
    for line in wrong:
        print("    " + line[:200])
    if keep:
        print("    kept: " + where)
    else:
        shutil.rmtree(where, ignore_errors=True)
    return not wrong


def main():
    sys.dont_write_bytecode = True
    sys.modules["run"] = sys.modules["__main__"]
    from apps import APPS

    ask = argparse.ArgumentParser(description="Run real MPI programs under mpiexec and under tourney.")
    ask.add_argument("names", nargs="*", help="only these (default: all but the slow ones)")
    ask.add_argument("--install", action="store_true", help="install missing packages with apt-get")
    ask.add_argument("--native", action="store_true", help="compare mpiexec with itself: tests this test")
    ask.add_argument("--slow", action="store_true", help="the slow ones too")
    ask.add_argument("--keep", action="store_true", help="keep the directories of the runs")
    ask.add_argument("--list", action="store_true", help="print the names")
    args = ask.parse_args()

    unknown = set(args.names) - {app.name for app in APPS}
    if unknown:
        ask.error("no such app: " + " ".join(sorted(unknown)))
    chosen = [app for app in APPS if app.name in args.names or not args.names and (args.slow or not app.slow)]
    if args.list:
        for app in chosen:
            print("%-20s %-8s %d ranks  %s" % (app.name, app.mpi, app.ranks, " ".join(app.packages)))
        return 0

    missing = sorted({p for app in chosen for p in app.missing()})
    if missing and args.install:
        install(missing)
    elif missing:
        print("to run everything: " + " ".join(APT + missing))

    passed = failed = skipped = 0
    for app in chosen:
        lacks = app.missing()
        if lacks:
            print("skip %s (needs %s)" % (app.name, " ".join(lacks)))
            skipped += 1
        elif check(app, args.native, args.keep):
            passed += 1
        else:
            failed += 1
    print("%d passed, %d failed" % (passed, failed) + (", %d skipped" % skipped if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
