#!/usr/bin/python3
"""A judge of one-sided communication: what tourney comes to must be what brute force comes to (meaning.py), which knows
nothing of tourney; and what MPI libraries do must be among it.

Random scripts (drafts.py) are searched on one of the libraries, and asked as scenarios, with infinite buffering, and every fourth one each with none and with any.  If a script has
no races, the outcomes, and whether there is a deadlock, must be the same; if it has one, tourney must say so, or that it did not look.  Where MPI allows more than
tourney plays, since it orders accumulates to one place only, the verdict must say that.  What they once differed on is in
found.txt and judged ever after.  Then K scripts of two ranks are run on both libraries, and P scripts in `tourney run`, whose ranks make accesses themselves.

usage: judge.py BUILD N [--seed FIRST] [--real K] [--played P] [--script TEXT]
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from drafts import Draft  # noqa: E402
from lib.building import ROOT, compiled  # noqa: E402
from lib.running import MPIEXEC, plainly, result_of  # noqa: E402
from lib.suite import Count, each, wrong_with  # noqa: E402
from meaning import ANY, Meaning, TooMany  # noqa: E402
from scenario_text import scenario_of  # noqa: E402

FOLDER = os.path.join(ROOT, "test/rma/judge")
SOURCE = f"{FOLDER}/program.c"
STATES = 20000
TIMES = 30  # that a library performs a script
DEADLOCKS = {"deadlock", "livelock", "buffering-deadlock", "mixed-synchronisation"}
HARMLESS = {"message-race", "portability"}
BUFFERING = {"infinite": True, "zero": False, "any": ANY}


def lines_of(path):
    if not os.path.exists(path):
        return set()
    with open(path, encoding="ascii") as file:
        return set(file.read().splitlines())


class Judge:
    """The program, compiled for both libraries, and a folder."""

    def __init__(self, build, work):
        self.tourney, self.work = os.path.abspath(f"{build}/tourney"), work
        self.program = {mpi: compiled(mpi, SOURCE, os.path.abspath(f"{build}/test/rma/judge/program.{mpi}"), "-g", "-w")
                        for mpi in MPIEXEC}

    def searched(self, name, mpi, script, buffering):
        """(outcomes, kinds of findings, what was assumed of windows)"""
        folder = f"{self.work}/{name}.{buffering}"
        os.makedirs(folder)
        out, path = f"{folder}/out", f"{folder}/outcomes"
        done = plainly([self.tourney, "-n", str(script.count("/") + 1), "--quiet", f"--buffering={buffering}", "-o", out,
                        self.program[mpi], path, script, "1", "0", "0"])
        result = result_of(out)
        if done.code not in (0, 1) or result["bounds"]:
            done.fail("the search came to no end")
        assumed = " ".join(each["text"] for each in result["assumptions"] if each["kind"] == "windows")
        found = lines_of(path), {finding["kind"] for finding in result["findings"]}, assumed
        shutil.rmtree(folder)
        return found

    def asked(self, name, script, meaning):
        """What `tourney ask` says of the same as a scenario, if that is not what is expected."""
        text, path = scenario_of(script, meaning), f"{self.work}/{name}.{meaning.slack}.scn"
        if meaning.races or not text:
            return None
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        done = plainly([self.tourney, "ask", "--quiet", path])
        os.remove(path)
        return f"{text}{done.said()}" if done.code else None

    def shown(self, mpi, script, times, delays, patience=60):
        """Outcomes under mpiexec."""
        path = f"{self.work}/shown"
        if os.path.exists(path):
            os.remove(path)
        subprocess.run([*MPIEXEC[mpi], "-n", str(script.count("/") + 1), self.program[mpi], path, script, str(times), str(delays),
                        str(patience)], stdin=subprocess.DEVNULL, capture_output=True, timeout=10 * patience)
        return lines_of(path)


    def played(self, name, mpi, script, times, delays):
        """(outcomes, what was said) of one `tourney run`"""
        path = f"{self.work}/{name}"
        done = plainly([self.tourney, "run", "-n", str(script.count("/") + 1), self.program[mpi], path, script, str(times), str(delays), "0"])
        found = lines_of(path), done.said() if done.code or "rma" in done.said() else ""
        if os.path.exists(path):
            os.remove(path)
        return found


def differences(meaning, outcomes, kinds, assumed, with_slack):
    """Between what brute force came to and what a search did, in sentences.

    MPI_Win_start and MPI_Win_lock may return at once whatever is buffered, so what they order only if they wait is a race without slack, too (W11).

    Where nothing is buffered, a search also goes on beyond a deadlock, as if there were slack, so lines that come with it are no claims.  Nor are those in which an
    access that overtakes another one to its place, since accumulate_ordering allows it, has also overtaken one to another place, as MPI allows.
    Some orders are not played of a request for a result and what is called later, and of two that commute, and the verdict says so.
    """
    if not meaning.races and with_slack.races and "rma-race" in kinds:
        return
    if meaning.races:
        if "rma-race" not in kinds and "not looked at for races" not in assumed:
            yield f"no rma-race, but {sorted(meaning.races)}"
        return
    if kinds - DEADLOCKS - HARMLESS:
        yield f"tourney finds {', '.join(sorted(kinds - DEADLOCKS - HARMLESS))}"
    fewer = "has overtaken its MPI_Rget_accumulate" in assumed or "that commute, none has overtaken the other" in assumed
    if not (fewer or meaning.outcomes <= outcomes) or not outcomes <= with_slack.outcomes:
        yield f"only tourney {sorted(outcomes - with_slack.outcomes)}, only brute force {sorted(meaning.outcomes - outcomes)}"
    if bool(kinds & DEADLOCKS) != bool(meaning.deadlocks):
        yield f"tourney finds {sorted(kinds)}, brute force the deadlocks {sorted(meaning.deadlocks)}"


def slacks_for(seed, script):
    """Those that a script is judged with; that MPI_Win_lock_all may wait for some locks and not for others is not in meaning.py."""
    for buffering, slack in BUFFERING.items():
        if slack or seed % 4 == (1 if slack is ANY else 3):
            if slack is not ANY or "a" not in script.replace("/", " ").split():
                yield buffering, slack


class Verdict:
    """Of one script: what is wrong, in sentences, and what it means with slack; nothing, if it has too many states."""

    def __init__(self, judge, seed, script):
        self.meaning = None
        self.wrong = wrong_with(self.compare, judge, seed, script)
        if self.wrong:
            self.wrong = f"{script}\n{self.wrong}"

    def compare(self, judge, seed, script):
        try:
            meanings = {buffering: Meaning(script, slack, True, STATES) for buffering, slack in slacks_for(seed, script)}
            most = meanings["infinite"] if "~" not in script else Meaning(script, True, most=10 * STATES)
        except TooMany:
            return None
        self.meaning = meanings["infinite"]
        wrong = []
        for buffering, meaning in meanings.items():
            outcomes, kinds, assumed = judge.searched(seed, "openmpi" if seed % 4 == 0 else "mpich", script, buffering)
            wrong += [f"{buffering}: {text}" for text in differences(meaning, outcomes, kinds, assumed, most)]
            asked = judge.asked(seed, script, meaning)
            if asked:
                wrong.append(f"{buffering}: as a scenario: {asked}")
            if self.allows_more(script, meaning) and "in the order of their calls" not in assumed:
                wrong.append(f"{buffering}: MPI orders less, and the verdict does not say so: {assumed}")
        return "\n".join(wrong) or None

    @staticmethod
    def allows_more(script, meaning):
        """Whether there are more outcomes if accumulates to different places are not in order."""
        return (not meaning.races and meaning.has_unordered()
                and Meaning(script, meaning.slack, most=10 * STATES).outcomes != meaning.outcomes)


def found_before():
    with open(os.path.join(FOLDER, "found.txt"), encoding="ascii") as file:
        return [line.strip() for line in file if not line.startswith("#")]


def shown_on_libraries(judge, first, scripts):
    """Yields (name, what is wrong or None) for scripts of two ranks that neither race nor deadlock, on both libraries."""
    seed = first - 1
    while scripts:
        seed += 1
        script = Draft(seed).text()
        try:
            meaning = Meaning(script, True, most=STATES) if script.count("/") == 1 else None
        except TooMany:
            continue
        if not is_tame(meaning, script) or len(meaning.outcomes) < 2:
            continue
        scripts -= 1
        for mpi in MPIEXEC:
            shown = judge.shown(mpi, script, TIMES, seed)
            wrong = None if shown and shown <= meaning.outcomes else f"{script}\nshown: {sorted(shown)}, of {sorted(meaning.outcomes)}"
            yield f"{seed} [{mpi}], {len(shown)} of {len(meaning.outcomes)} outcomes", wrong


def is_tame(meaning, script):
    return meaning and not meaning.races and not meaning.deadlocks and not Meaning(script, False).deadlocks


def played_scripts(judge, first, scripts):
    """Yields (name, what is wrong or None) for scripts that neither race nor deadlock, in single runs, now with one library and now with the other."""
    seed = first - 1
    while scripts:
        seed += 1
        script = Draft(seed).text()
        try:
            meaning = Meaning(script, True, most=STATES)
        except TooMany:
            continue
        if not is_tame(meaning, script):
            continue
        scripts -= 1
        mpi = list(MPIEXEC)[seed % len(MPIEXEC)]
        shown, said = judge.played(f"played{seed}", mpi, script, TIMES, seed)
        wrong = None if shown and shown <= meaning.outcomes and not said else (
            f"{script}\n{said}\nshown: {sorted(shown)}, of {sorted(meaning.outcomes)}")
        yield f"{seed} [{mpi}] played, {len(shown)} of {len(meaning.outcomes)} outcomes", wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", type=int, default=0)
    parser.add_argument("--played", type=int, help="default: 8, of at least as many scripts")
    parser.add_argument("--script")
    options = parser.parse_args()
    if options.played is None:
        options.played = 8 if options.count >= 8 and not options.script else 0
    seeds = range(options.seed, options.seed + options.count)
    scripts = {seed: options.script or Draft(seed).text() for seed in seeds}
    if not options.script:
        scripts.update((-number, script) for number, script in enumerate(found_before(), 1))
    count, left_out, outcomes, racy, deadlocked = Count(), 0, 0, 0, 0
    work = tempfile.mkdtemp(prefix="tourney-rma-")
    try:
        judge = Judge(options.build, work)
        for seed, verdict in each(lambda seed: Verdict(judge, seed, scripts[seed]), scripts):
            left_out += verdict.meaning is None
            if verdict.meaning is None and not verdict.wrong:
                continue
            count.add(str(seed) if seed > 0 else scripts[seed], verdict.wrong)
            outcomes += len(verdict.meaning.outcomes)
            racy += bool(verdict.meaning.races)
            deadlocked += bool(verdict.meaning.deadlocks)
        for name, wrong in shown_on_libraries(judge, options.seed, options.real):
            count.add(name, wrong)
        for name, wrong in played_scripts(judge, options.seed, options.played):
            count.add(name, wrong)
    finally:
        shutil.rmtree(work)
    print(f"{outcomes} outcomes, {racy} scripts with races, {deadlocked} with deadlocks, {left_out} with too many states")
    return count.end()


if __name__ == "__main__":
    sys.exit(main())
