#!/usr/bin/python3
"""Programs that tell of their loads and stores, being compiled with -fsanitize=thread: those pairs of this folder whose races only a second look finds otherwise.

In the search the same races must be found, in the same lines, without a second look; and in `tourney run` as well.  Right ones have none.
usage: told.py BUILD_DIR [NAME...]
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from check_programs import command_line
from corpus import FOLDER, WARNINGS, Sample, sources
from lib.building import compiled
from lib.running import plainly, result_of
from lib.suite import do_all, tell
from verify import wrong_lines

# Stack, heap, static, mapped and shared memory; loads and stores; buffers of calls in a window.
STEMS = {"accumulate_load", "accumulate_store", "get_store_stack", "get_store_static", "load_after_barrier", "load_while_posted", "put_load_heap", "put_load_stack",
         "put_load_static", "put_store_allocated", "put_store_heap", "put_store_mmap", "received_into_window", "sent_from_window", "shared_fence",
         "shared_store_and_load", "shared_stores", "store_before_barrier", "store_while_posted"}
ON_BOTH = {"put_store_heap", "put_load_heap", "shared_stores"}
IN_WORDS = "told by the program"
FLAGS = ["-g", "-O1", "-fsanitize=thread", "-fno-builtin-memset"]  # else gcc fills a block in place, and does not tell


def built(program, mpi, build):
    target = os.path.abspath(f"{build}/{FOLDER}/told/{program.name}.{mpi}")
    return [compiled(mpi, program.source, target, *FLAGS, *WARNINGS)]


def wrong_search(build, program, mpi, case):
    wanted = program.cases[case]
    out = os.path.abspath(f"{build}/{FOLDER}/told/{program.name}.{mpi}.out")
    done = plainly(command_line(build, case, built(program, mpi, build), "--quiet", "-o", out))
    result = result_of(out)
    said = [each["text"] for each in result["assumptions"] if each["kind"] == "windows"]
    if not any(IN_WORDS in text for text in said) or any("looked at in" in text for text in said):
        return f"there was a second look: {said}\n{done.said()}"
    kinds = {kind for kind, _, _ in wanted}, {finding["kind"] for finding in result["findings"]}
    wrong = wrong_lines(program, case, result["findings"])  # of a line that loads and stores both are told
    if kinds[0] != kinds[1]:
        wrong = f"{kinds[1]}, not {kinds[0]}"
    return wrong and f"{wrong}\n{done.said()}"


def wrong_run(build, program, mpi, case):
    """All kinds that the head names must be told, and no others."""
    if program.stem.startswith("shared") and program.side == "wrong":
        return None  # one run may be the one in which what was stored is news to the other rank, which is taken to know of it then (W14)
    done = plainly([f"{build}/tourney", "run", *case.split()[:2], *built(program, mpi, build)])
    wanted = {kind for kind, _, _ in program.cases[case]}
    said = {kind for kind in ("rma-race", "portability") if f"[{kind}]" in done.err}
    return None if said == wanted and done.code == ("rma-race" in wanted) else f"{said}, not {wanted}\n{done.said()}"


def main(build, names):
    programs = [Sample(path) for path in sources(f"{FOLDER}/pairs")]
    cases = [(program, mpi, case) for program in programs for case in program.cases for mpi in program.libraries
             if program.kind == ".c" and (program.stem in names or program.name in names if names else program.stem in STEMS)
             and (mpi == "mpich" or names or program.stem in ON_BOTH)]
    do_all(lambda pair: built(*pair, build), {(program, mpi): None for program, mpi, _ in cases})
    return tell(lambda test: wrong_search(build, *test) or wrong_run(build, *test), cases,
                lambda test: f"{test[0].name} {test[2]} [{test[1]}]")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
