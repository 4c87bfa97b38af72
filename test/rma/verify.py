#!/usr/bin/python3
"""Verifies the programs of this folder with tourney and compares what is found, and where; those that are right must also end well in `tourney run`.

Heads are those of test/check (see check_programs.py); corpus.py says what else is in them.  Of a race both lines are compared.
MPI libraries take turns, but both have a program that is named.
usage: verify.py BUILD_DIR [NAME...]
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from check_programs import compare, command_line, expected_code, lines_of
from corpus import FOLDER, PARTS, Sample, sources
from lib.running import plainly, result_of
from lib.suite import do_all, tell

# Orders that are not played: wrong programs that rely on them are not found wrong, and the verdict has to say these words.
UNPLAYED = {"rget_accumulate_overtaken_later_wrong": "the info key accumulate_ordering gives that order up",
            "atomic_by_element_wrong": "atomic only for each element"}
# Who waits for whom is known here from fences, posts and messages alone, so nothing is taken for a wait.
ORDERED = {"halo_fence_right": "was taken to have waited for that", "halo_pscw_right": "was taken to have waited for that"}
# Threads of Open MPI may use blocks of the heap from before MPI_Init, so there are no fences, and the verdict says so.
OLD_HEAP = {"put_load_heap", "put_store_heap", "put_buffer_heap", "put_buffer_freed", "accumulate_store"}
# Races between calls that every run has, so that `tourney run` must find them.
IN_EVERY_RUN = {"put_put_two_origins", "put_put_one_origin", "put_get_two_origins", "put_accumulate", "accumulate_operators", "accumulate_types",
                "get_while_accumulated", "lock_all_put", "shared_locks_put", "windows_overlap_put"}
# Of these, what was found must be found again by `tourney replay`: by a closer look, with a slow rank, by a choice of orders, or though it has no end.
REPLAYED = {"shared_store_and_load", "put_load_stack", "shared_message_without_sync", "rget_loaded_and_polled", "shared_without_barrier", "shared_lock",
            "shared_lock_before_another", "shared_lock_after_another", "mutex_of_its_own",
            "accumulate_ordering_none", "accumulate_overtaken", "spin_lock_kept", "raccumulate_tested"}
# Searched once more by a tourney that checks its invariants after every step.
WATCHED = {"halo_fence", "peterson", "shared_lock", "accumulate_overtaken", "raccumulate_tested"}
LONG = {("both_ways", "-n 3 -- 300"), ("fetching", "-n 3"), ("locks", "-n 3")}  # more orders than a test has time for: only played


def tests(names):
    """(program, library, case): every third pair with Open MPI, the others with MPICH; those that are named with both."""
    numbers = {}
    for program in (Sample(path) for part in PARTS for path in sources(f"{FOLDER}/{part}")):
        if names and program.name not in names and program.stem not in names:
            continue
        for case in program.cases:
            its_turn = "openmpi" if numbers.setdefault(program.stem, len(numbers)) % 3 == 0 else "mpich"
            libraries = [mpi for mpi in program.libraries if mpi != "openmpi" or program.stem not in OLD_HEAP]
            for mpi in libraries:
                if names or mpi == its_turn or len(libraries) == 1:
                    yield program, mpi, case


def wrong_lines(program, case, findings):
    """A race whose two places are not those of the head, or None."""
    wanted = [{program.line_of(label) for label in labels} for ranks, *labels in program.races if ranks == case]
    for finding in findings:
        if finding["kind"] == "rma-race" and lines_of(finding, program.source) not in wanted:
            return f"a race in lines {lines_of(finding, program.source)}, not {wanted}"
    return None


def wrong_unseen(program, case, assumptions):
    """Lines from which on loads and stores were not looked at, if they are not those of the head, or None."""
    said = [a["place"] for a in assumptions if a["kind"] == "windows" and a["place"]]
    wanted = [program.line_of(label) for ranks, label in program.unseen if ranks == case]
    for line in wanted:
        if not any(f":{line} " in place for place in said):
            return f"nothing is said of line {line}, only of {said}"
    return f"not looked at: {said}" if program.part == "pairs" and said and not wanted else None


def wrong_unplayed(program, assumptions):
    """The order that was not played, if it is not told, or of another program; or None."""
    words = UNPLAYED.get(program.name)
    said = [a["text"] for a in assumptions]
    if words and not any(words in text for text in said):
        return f"nothing is said of what was not played: {said}"
    other = ORDERED.get(program.name) or UNPLAYED["rget_accumulate_overtaken_later_wrong"]
    return f"said without need: {other}" if not words and any(other in text for text in said) else None


def wrong_runs(build, program, mpi, case, merged):
    """Another number of runs than the head says, if it does, with merging or without; or None."""
    alone, expected = program.runs.get(case, (None, merged))
    if merged != expected:
        return f"{merged} runs, not {expected}"
    if not alone:
        return None
    out = out_of(build, program, mpi, case) + ".alone"
    done = plainly(command_line(build, case, program.built(mpi, build), "--quiet", "--no-merge", "-o", out))
    return done.wrong_unless(done.code == 0 and result_of(out)["runs"] == int(alone))


def out_of(build, program, mpi, case):
    return os.path.abspath(f"{build}/{FOLDER}/{program.part}/{program.name}.{mpi}{case.replace(' ', '').replace('-', '_')}.out")


def judge(build, program, mpi, case):
    wanted = {} if program.name in UNPLAYED else program.cases[case]
    out = out_of(build, program, mpi, case)
    os.makedirs(os.path.dirname(out), exist_ok=True)
    done = plainly(command_line(build, case, program.built(mpi, build), "--quiet", "-o", out))
    try:
        result = result_of(out)
    except (OSError, ValueError) as problem:
        return f"{problem}\n{done.said()}"
    wrong = compare(wanted, result["findings"], program.source)
    wrong = wrong or wrong_lines(program, case, result["findings"]) or wrong_unseen(program, case, result["assumptions"])
    wrong = wrong or wrong_unplayed(program, result["assumptions"])
    if wrong is None and done.code != expected_code(wanted):
        wrong = f"exit code {done.code}, not {expected_code(wanted)}"
    wrong = wrong or wrong_runs(build, program, mpi, case, result["runs"])
    return wrong and f"{wrong}\n{done.said()}"


def play(build, program, mpi, case):
    """What is wrong with one run of a right program under `tourney run`, where ranks know many answers themselves, or None."""
    ranks, _, arguments = case.partition(" -- ")
    done = plainly([f"{build}/tourney", "run", *ranks.split()[:2], *program.built(mpi, build), *arguments.split()])
    return done.wrong_unless(done.code == 0 and "tourney: error" not in done.err)


def play_race(build, program, mpi, case):
    """The same of a wrong one whose race must be told."""
    done = plainly([f"{build}/tourney", "run", *case.split()[:2], *program.built(mpi, build)])
    return done.wrong_unless(done.code == 1 and "[rma-race]" in done.err)


def replay(build, program, mpi, case):
    """What is wrong with a replay of what was found first, or None."""
    done = plainly([f"{build}/tourney", "replay", out_of(build, program, mpi, case), "1"])
    return done.wrong_unless(done.code == 0 and "was reproduced" in done.out)


def watch(build, program, mpi, case):
    """What invariants are broken while it is searched, or None."""
    out = out_of(build, program, mpi, case) + ".watched"
    done = plainly(command_line(f"{build}/test/watched", case, program.built(mpi, build), "--quiet", "-o", out))
    return done.wrong_unless("bug at" not in done.err)


def judge_and_play(build, names, program, mpi, case):
    wrong = judge(build, program, mpi, case) if names or (program.stem, case) not in LONG else None
    if program.stem in WATCHED:
        wrong = wrong or watch(build, program, mpi, case)
    if wrong or not program.cases[case]:
        return wrong or play(build, program, mpi, case)
    if program.stem in REPLAYED:
        return replay(build, program, mpi, case)
    return play_race(build, program, mpi, case) if program.stem in IN_EVERY_RUN else None


def main(build, names):
    cases = list(tests(names))
    do_all(lambda pair: pair[0].built(pair[1], build), {(program, mpi): None for program, mpi, _ in cases})
    return tell(lambda test: judge_and_play(build, names, *test), cases, lambda test: f"{test[0].name} {test[2]} [{test[1]}]")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
