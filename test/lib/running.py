"""Commands with a time limit, and what came out."""
import json
import os
import re
import select
import subprocess

from lib import Failure
from lib.leftovers import PATIENCE, Watch

# What a search says every ten seconds; on a busy machine any may take so long.
PROGRESS = re.compile(r"^tourney: \d+ runs?(?: of (?:about|more than) \d\S*(?: million)?)?, \d+/s, \d+ findings?"
                      r"(?:, complete up to [\w ,]+)?\n",
                      re.M)


# Quick start and no spinning; the libraries' own ways of being polite on a busy machine.  Open MPI comes to ob1 by itself where there is no
# fast network, but first looks for one in every rank.
MPIEXEC = {
    "mpich": ["mpiexec.mpich"],
    "openmpi": ["mpiexec.openmpi", "--oversubscribe", "--allow-run-as-root", "--mca", "mpi_yield_when_idle", "1", "--mca", "pml", "ob1"],
}


class Run:
    """A finished run."""

    def __init__(self, command, code, out, err, left=()):
        self.command, self.code, self.out, self.err = command, code, out, err
        self.left = list(left)  # what should be gone

    def said(self):
        return self.out + self.err

    def __str__(self):
        command = " ".join(map(os.fsdecode, self.command))
        return f"$ {command}\nexit code {self.code}\nstdout: {self.out[-1500:]}\nstderr: {self.err[-1500:]}"

    def wrong_unless(self, good):
        """What a case says of the run if it is not as it should be."""
        return None if good else str(self)

    def fail(self, why):
        raise Failure(f"{why}\n{self}")

    def check(self, code=0, out=None, err=()):
        """Exit code, standard output if given, and what is said on stderr, line by line."""
        if self.code != code:
            self.fail(f"exit code is {self.code}, not {code}")
        if out is not None and self.out != out:
            self.fail(f"stdout is not {out!r}")
        if err is not None and self.err.splitlines() != list(err):
            self.fail("stderr is not\n  " + ("\n  ".join(err) or "empty"))
        return self

    def matches(self, pattern, text=None):
        if not re.search(pattern, self.err if text is None else text, re.M):
            self.fail("nothing matches " + pattern)
        return self

    def sorted_out(self, *lines):
        if self.lines() != sorted(lines):
            self.fail(f"the lines of stdout are not {lines}")
        return self

    def lines(self):
        return sorted(self.out.splitlines())


def text_of(stream):
    return stream if isinstance(stream, str) else (stream or b"").decode(errors="replace")


def plainly(command, timeout=PATIENCE, cwd=None, **environment):
    """Runs a command to its end; what it leaves behind is somebody else's question."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          timeout=timeout, cwd=cwd, env={**os.environ, **environment})
    return Run(command, done.returncode, done.stdout, done.stderr)


def read_to(word, stream, patience):
    """Lines of a stream that is not buffered, up to the first that has the word, or its end."""
    read = b""
    while select.select([stream], [], [], patience)[0]:
        line = stream.readline()
        read += line
        if word.encode() in line or not line:
            return read
    raise Failure(f"it does not say {word!r} within {patience:g} s: {text_of(read)}")


def watched(command, env=None, feed=None, during=None, word="", shell=None, patience=PATIENCE, clean=True, **how):
    """Runs a command to its end; it must leave nothing behind, or, unless it is to be `clean`, what it left is told.

    `during(process)` happens when it has printed a line with the word, or any; `shell` is what
    a shell does before (trap) or with it (redirections): '... {} ...'.
    """
    words = ["sh", "-c", shell.format('exec "$@"'), "sh", *command] if shell else command
    pipes = {"stdin": subprocess.DEVNULL if feed is None else subprocess.PIPE, **how}
    with Watch() as watch:
        process = watch.start(words, env, bufsize=0, **pipes)
        said = b""
        if during:
            said = read_to(word, process.stdout, patience)
            during(process)
        out, err = watch.finish(process, feed, patience)
        if clean:
            watch.expect_nothing()
        return Run(command, process.returncode, text_of(said + (out or b"")), PROGRESS.sub("", text_of(err)),
                   [] if clean else watch.still_left())


def result_of(folder):
    """What a search has found."""
    with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
        return json.load(file)


def places_of(result):
    """What was found: (kind, severity, lines) of each finding."""
    return {(finding["kind"], finding["severity"], tuple(sorted({place.get("line", 0) for place in finding["places"]})))
            for finding in result["findings"]}
