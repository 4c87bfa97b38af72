#!/usr/bin/python3
"""Findings, and their runs once more: what comes out, and what the user sees.

    replay.py [TOURNEY] [WORD...]     only the tests whose name has one of the words

Runs are watched: each must end, and leave nothing behind.
"""

import contextlib
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from lib import Failure
from lib.building import LIBRARIES, ROOT, compile_always, compiled_copy, line_of
from lib.leftovers import PATIENCE
from lib.running import result_of, watched
from lib.suite import Cases, Setting

# Rank 0 hears from both others; if rank 2 comes first, it goes wrong as the first argument says.
MANNERS = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MPI_Comm world = MPI_COMM_WORLD;
static int value, apart[8192];

static void go_wrong(const char *how)
{
    MPI_Request request;
    int done = 0;
    printf("rank 0 goes wrong\n");
    if (strcmp(how, "segv") == 0)
        *(volatile int *)0 = 1; /* SEGV */
    if (strcmp(how, "hang") == 0)
        for (;;)
            ;
    if (strcmp(how, "abort") == 0)
        MPI_Abort(world, 5);
    if (strcmp(how, "error") == 0)
        MPI_Send(&value, 1, MPI_INT, 77, 0, world);
    if (strcmp(how, "leave") == 0)
        exit(0);
    if (strcmp(how, "exit") == 0) {
        MPI_Finalize();
        exit(3);
    }
    if (strcmp(how, "lost") == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, 9, world, MPI_STATUS_IGNORE); /* LOST */
    if (strcmp(how, "forget") == 0)
        MPI_Irecv(&value, 1, MPI_INT, 1, 9, world, &request);
    if (strcmp(how, "poll") == 0) { /* on a page of its own, or each poll would be looked at that touches it */
        MPI_Irecv(apart + 4096, 1, MPI_INT, 1, 9, world, &request);
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

/* Rank 0 hears from both, polls for a third message, and is lost. */
static void ask(int rank)
{
    MPI_Request request;
    MPI_Status status;
    int done = 0;
    if (rank > 0)
        MPI_Send(&value, 1, MPI_INT, 0, 0, world);
    if (rank == 2)
        MPI_Send(&value, 1, MPI_INT, 1, 3, world);
    if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 3, world, &status);
        MPI_Send(&value, 1, MPI_INT, 0, 4, world);
    }
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, &status);
        MPI_Irecv(&value, 1, MPI_INT, 1, 4, world, &request);
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        abort();
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Status status;
    char name[100] = "nobody";
    FILE *file = fopen("who", "r");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    printf("rank %d has come\n", rank);
    fprintf(stderr, "rank %d says\n", rank);
    if (strcmp(argv[1], "ask") == 0) {
        ask(rank);
        MPI_Finalize();
        return 0;
    }
    if (strcmp(argv[1], "file") == 0 && file && fgets(name, sizeof name, file) && strcmp(name, "somebody") == 0 &&
        rank == 0)
        return 7;
    if (strcmp(argv[1], "heap") == 0 && rank == 0 && ((long)malloc(10) >> 44 == 2) == atoi(argv[2]))
        go_wrong("segv");
    if (rank > 0)
        MPI_Send(&value, 1, MPI_INT, 0, 0, world);
    for (int i = 0; rank == 0 && i < 2; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, world, &status); /* ANY */
        printf("rank 0 hears from rank %d\n", status.MPI_SOURCE);
        if (i == 0 && status.MPI_SOURCE == 2)
            go_wrong(argv[1]);
    }
    MPI_Finalize();
    return 0;
}
'''

# What each manner is found to be.
KINDS = {'segv': 'crash', 'hang': 'hang', 'abort': 'abort', 'error': 'invalid-argument', 'leave': 'no-finalize',
         'exit': 'exit-code', 'lost': 'deadlock', 'poll': 'livelock'}
# These take seconds, in which ranks compute and poll: the search and the replay wait for what does not come.
ONLY_WITH = {'hang': 'openmpi', 'poll': 'mpich'}

# Programs of test/explore, with the number of ranks, options, and what they are found to be.
EXPLORED = (('dtg', 5, [], 'buffering-deadlock'), ('dtg', 5, ['--buffering=zero'], 'deadlock'),
            ('by_sender', 3, [], 'deadlock'), ('head_to_head', 2, [], 'buffering-deadlock'),
            ('slack_barrier', 3, [], None), ('crooked', 3, [], 'crash'), ('test_no', 2, [], None))

HERE = Setting()
CASES = Cases()
test, on_each_library = CASES.test, CASES.on_each_library


def tourney(*arguments, **how):
    return watched([HERE.tourney, *map(str, arguments)], **how)


def line(label):
    return line_of(MANNERS, label)


def find(mpi, program, ranks, *options, arguments=(), folder=None, code=1, **how):
    """Verifies a program in a folder of its own; the result directory."""
    folder = folder or tempfile.mkdtemp(dir=HERE.folder)
    done = tourney('-n', ranks, '--hang-timeout=1', '-o', 'found', *options,
                   HERE.path('%s.%s' % (program, mpi)), *arguments, cwd=folder, **how)
    done.check(code, err=None)
    return os.path.join(folder, 'found')


def change(found, edit):
    """Edits a result."""
    data = result_of(found)
    edit(data)
    with open(os.path.join(found, 'result.json'), 'w') as file:
        json.dump(data, file)


def same(done, kind, number=1):
    done.check(0, err=None)
    done.matches(r'^tourney: finding %d was reproduced: %s$' % (number, kind), done.out)
    return done


@on_each_library
def every_kind_comes_out_the_same(mpi):
    for manner, kind in KINDS.items():
        if ONLY_WITH.get(manner, mpi) != mpi:
            continue
        found = find(mpi, 'manners', 3, arguments=[manner])
        done = same(tourney('replay', found, 1), kind)
        said = [text for text in done.out.splitlines() if not text.startswith((' ', 'tourney:'))]
        wanted = ['rank %d has come' % r for r in range(3)] + ['rank 0 hears from rank 2', 'rank 0 goes wrong']
        if said != wanted:
            done.fail('%s: what the program prints is not shown once and in order: %s' % (manner, said))
        if sorted(done.err.splitlines()) != ['rank %d says' % r for r in range(3)]:
            done.fail('%s: what it prints on stderr is not shown once' % manner)
        if result_of(found)['findings'][0]['text'] not in done.out:
            done.fail('%s: the finding is not told' % manner)


@on_each_library
def blocks_are_where_they_were(mpi):
    for heap, canonical in (('canonical', '1'), ('system', '0')):
        found = find(mpi, 'manners', 3, f'--heap={heap}', arguments=['heap', canonical])
        if result_of(found)['heap'] != heap:
            raise Failure('the result does not say which heap it was')
        same(tourney('replay', found, 1), 'crash')
        find(mpi, 'manners', 3, f'--heap={heap}', arguments=['heap', '01'[canonical == '0']], code=0)
    change(found, lambda data: data.pop('heap'))
    same(tourney('replay', found, 1), 'crash')


@on_each_library
def polls_that_were_told_no(mpi):
    found = find(mpi, 'test_no', 2)
    finding = result_of(found)['findings'][0]
    if not any(decision['kind'] == 'no' for decision in finding['decisions']):
        raise Failure('no poll was told no')
    same(tourney('replay', found, 1), finding['kind'])


@on_each_library
def polls_that_go_round(mpi):
    found = find(mpi, 'manners', 3, arguments=['ask'])
    same(tourney('replay', found, 1), result_of(found)['findings'][0]['kind'])


@on_each_library
def known_programs(mpi):
    for program, ranks, options, kind in EXPLORED:
        found = find(mpi, program, ranks, *options)
        for finding in result_of(found)['findings']:
            if kind and finding['kind'] != kind:
                raise Failure('%s is found to be a %s' % (program, finding['kind']))
            same(tourney('replay', found, finding['id']), finding['kind'], finding['id'])


@on_each_library
def threads_that_take_turns(mpi):
    """A search that is stopped and resumed, ranks that are followed, and what was found before the search begins anew."""
    for program in ('thread_order', 'thread_locks'):
        compile_always('mpicc.' + mpi, os.path.join(ROOT, 'test/adversarial/%s.c' % program), HERE.path('%s.%s' % (program, mpi)), '-g', '-pthread')
    found = find(mpi, 'thread_order', 2, '--no-merge', '--max-runs=1', arguments=['3', 'picky'], code=2)
    tourney('resume', found).check(1, err=None)
    if result_of(found)['runs'] != 6:
        raise Failure('%d runs, not 6' % result_of(found)['runs'])
    same(tourney('replay', found, 1), 'abort')
    same(tourney('replay', find(mpi, 'thread_order', 2, '--engine=paths', arguments=['2', 'picky']), 1), 'abort')
    found = find(mpi, 'thread_locks', 2, '--stop-first', arguments=['held'])
    if result_of(found)['runs'] != 1 or 'thread_lessons' in result_of(found):
        raise Failure('what the first run shows is not told')
    same(tourney('replay', found, 1), 'deadlock')


@on_each_library
def results_are_not_there_yet(mpi):
    """The program does nothing if it finds its results, which the search has made."""
    folder = tempfile.mkdtemp(dir=HERE.folder)
    found = find(mpi, 'file_found', 3, arguments=['exclusive'], folder=folder, env={**os.environ, 'FOLDER': folder})
    made = result_of(found)['made_files']
    if made != [{'path': os.path.realpath(os.path.join(folder, 'results')), 'rank': 0}]:
        raise Failure('these are said to have been made: %s' % made)
    for _ in range(2):
        same(tourney('replay', found, 1, env={**os.environ, 'FOLDER': folder}), 'exit-code')


@on_each_library
def in_the_folder_of_the_search(mpi):
    folder = tempfile.mkdtemp(dir=HERE.folder)
    with open(os.path.join(folder, 'who'), 'w') as file:
        file.write('somebody')
    found = find(mpi, 'manners', 3, arguments=['file'], folder=folder)
    number = next(f['id'] for f in result_of(found)['findings'] if f['kind'] == 'no-finalize')
    same(tourney('replay', found, number), 'no-finalize', number)
    os.remove(os.path.join(folder, 'who'))
    done = tourney('replay', found, number).check(1, err=None)
    done.matches('^tourney: finding %d was not reproduced$' % number, done.out)


@on_each_library
def another_end(mpi):
    found = find(mpi, 'manners', 3, arguments=['lost'])
    change(found, lambda data: data.update(args=['segv']))
    done = tourney('replay', found, 1).check(1, err=None)
    done.matches('^tourney: finding 1 was a deadlock; this time it is: rank 0 died of signal 11', done.out)
    change(found, lambda data: data.update(args=['nothing']))
    done = tourney('replay', found, 1).check(1, err=None)
    done.matches('^tourney: finding 1 was a deadlock; this time the run ended well$', done.out)


@on_each_library
def a_decision_that_cannot_be_made(mpi):
    found = find(mpi, 'manners', 3, arguments=['lost'])

    def elsewhere(data):
        data['findings'][0]['decisions'][0]['op'] -= 1

    change(found, elsewhere)
    done = tourney('replay', found, 1).check(1, err=None)
    done.matches('^tourney: decision 1 of 1 cannot be made: rank 0, in MPI_Recv', done.out)
    done.matches('^     there, rank 0, operation ', done.out)
    done.matches('^tourney: finding 1 was not reproduced$', done.out)


@on_each_library
def a_program_that_changed(mpi):
    folder = tempfile.mkdtemp(dir=HERE.folder)
    compiled_copy(mpi, HERE.path('manners.c'), folder, '-w')
    tourney('-n', 3, './manners', 'lost', cwd=folder).check(1, err=None)
    found = os.path.join(folder, 'tourney.out')
    if 'has changed' in same(tourney('replay', found, 1), 'deadlock').err:
        raise Failure('it has not changed')
    with open(os.path.join(folder, 'manners'), 'ab') as file:
        file.write(b'more')
    done = same(tourney('replay', found, 1), 'deadlock')
    done.matches(r'^tourney: \./manners has changed since it was searched, so the run may go another way; search it anew')
    os.remove(os.path.join(folder, 'manners'))
    tourney('replay', found, 1).check(3, '', None).matches(r'manners')


@test
def what_cannot_be_replayed():
    found = find('mpich', 'manners', 3, arguments=['lost'])
    clean = find('mpich', 'manners', 3, '--buffering=infinite', arguments=['nothing'], code=0)
    for words, why in (
            ([found], 'replay takes DIR, a result directory, and ID, the number of a finding (tourney --help)'),
            ([found, 2], '%s holds no finding 2; its findings are 1 to 1' % found),
            ([found, 'x'], "ID, the number of a finding, is a number from 1 to 4294967295, not 'x'"),
            ([clean, 1], '%s holds no finding' % clean),
            ([found + '/no', 1], '%s/no: no result of tourney: No such file or directory' % found),
            ([found, 1, '--step', 0], "--step is a number from 1 to 4294967295, not '0'"),
            ([found, 1, '--steps', '--gdb'], '--steps lists the steps and stops nowhere (tourney --help)'),
            ([found, 1, '--loud'], "'--loud' is not an option of tourney (tourney --help)"),
            ([found, 1, '--step', 1000], None)):
        done = tourney('replay', *words).check(3, err=None)
        if why and done.err != 'tourney: %s\n' % why:
            done.fail('it does not say: ' + why)
    change(found, lambda data: data.update(cwd='/not/there'))
    tourney('replay', found, 1).check(3, '', ['tourney: %s was searched in /not/there: No such file or directory'
                                             % found])


@on_each_library
def steps(mpi):
    found = find(mpi, 'dtg', 5)
    done = same(tourney('replay', found, 1, '--steps'), 'buffering-deadlock')
    listed = re.findall(r'^ +(\d+)  rank (\d) +(MPI_\w+)', done.out, re.M)
    if [int(number) for number, _, _ in listed] != list(range(1, len(listed) + 1)):
        done.fail('the steps are not counted from 1')
    for rank, last in (('0', 'MPI_Send'), ('1', 'MPI_Send'), ('3', 'MPI_Recv'), ('4', 'MPI_Finalize')):
        if [call for _, r, call in listed if r == rank][-1] != last:
            done.fail('the last step of rank %s is not %s' % (rank, last))
    done = tourney('replay', found, 1, '--step', len(listed) - 1).check(0, err=None)
    done.matches('^tourney: stopped after step %d of the run of finding 1$' % (len(listed) - 1), done.out)


@on_each_library
def steps_are_what_the_program_does(mpi):
    """That a request is forgotten, and its buffer used, is what tourney has noticed."""
    done = same(tourney('replay', find(mpi, 'manners', 3, arguments=['forget']), 1, '--steps'), 'buffer-race')
    listed = re.findall(r'^ +\d+  rank 0 +(MPI_\w+)', done.out, re.M)
    if listed != ['MPI_Init', 'MPI_Recv', 'MPI_Irecv', 'MPI_Recv', 'MPI_Finalize']:
        done.fail('the steps of rank 0 are %s' % listed)


def gdb(found, *options):
    """Where each rank is, according to gdb: a list of lines."""
    done = tourney('replay', found, 1, *options, '--gdb-batch', 'echo is at\\n', '--gdb-batch', 'frame')
    done.check(0, err=None)
    where = {}
    for part in re.split(r'^rank (?=\d+$|\d+: no process$)', done.out, flags=re.M)[1:]:
        rank = int(re.match(r'\d+', part)[0])
        frame = re.search(r'is at\n#\d+ .* at (?:\S*/)?(\w+\.c:\d+)$', part, re.M)
        where[rank] = frame[1] if frame else None
    return where


@on_each_library
def ranks_in_gdb(mpi):
    if not shutil.which('gdb'):
        print('skipped: there is no gdb')
        return
    where = gdb(find(mpi, 'manners', 3, arguments=['lost']))
    if where != {0: 'manners.c:%d' % line('LOST'), 1: None, 2: None}:
        raise Failure('stuck in the receive, but gdb sees %s' % where)
    where = gdb(find(mpi, 'manners', 3, arguments=['segv']))
    if where != {0: 'manners.c:%d' % line('SEGV'), 1: None, 2: None}:
        raise Failure('crashed, but gdb sees %s' % where)
    where = gdb(find(mpi, 'manners', 3, arguments=['lost']), '--step', 2)
    if where != {0: 'manners.c:%d' % line('ANY'), 1: None, 2: None}:
        raise Failure('at the first receive, but gdb sees %s' % where)
    where = gdb(find(mpi, 'head_to_head', 2))
    if len(set(where.values())) != 1 or not where[0].startswith('head_to_head.c:'):
        raise Failure('both are to be in their first send, but gdb sees %s' % where)


THREADS = os.path.join(ROOT, 'test', 'adversarial', 'thread_locks.c')


def line_of_threads(word):
    with open(THREADS) as file:
        return next(number for number, text in enumerate(file, 1) if word in text)


@on_each_library
def threads_of_a_rank(mpi):
    """Who waits for whom is told by thread, also from gdb; the search can be stopped and resumed."""
    found = find(mpi, 'thread_locks', 2, '--max-runs', 1, arguments=['held'])
    tourney('resume', found).check(1, err=None)
    held, lock = line_of_threads('/* HELD */'), line_of_threads('static void *send_message') + 5
    finding, = result_of(found)['findings']
    waits = [(one['thread'], one['waits_for'], one['lock'], one['other'], one['line']) for one in finding['waits'][0]['threads']]
    if waits[1:] != [(1, 'call', None, -1, held), (2, 'lock', 'one', 1, lock)] or waits[0][:4] != (0, 'end', None, 1):
        raise Failure('threads wait for %s' % waits)
    if finding['thread_cycle'] != [{'rank': 0, 'thread': 1}, {'rank': 0, 'thread': 2}]:
        raise Failure('the circle is %s' % finding['thread_cycle'])
    if [(place['rank'], place.get('thread'), place['line']) for place in finding['places'][:2]] != [(0, 1, held), (0, 2, lock)]:
        raise Failure('the places are %s' % finding['places'])
    done = same(tourney('replay', found, 1, '--steps'), 'deadlock')
    done.matches(r'^ +\d+  rank 0 +MPI_Recv\(.*\) by thread 1  at thread_locks\.c:%d in ' % held, done.out)
    if not shutil.which('gdb'):
        print('skipped: there is no gdb')
        return
    done = tourney('replay', found, 1, '--gdb-batch', 'echo \\n').check(0, err=None)
    seen = re.findall(r'^thread (\d) of rank 0\n#\d+ .* at \S*thread_locks\.c:(\d+)$', done.out, re.M)
    if [(int(thread), int(number)) for thread, number in seen if thread != '0'] != [(1, held), (2, lock)]:
        done.fail('gdb sees %s' % seen)


class Dialogue:
    """tourney on a terminal of its own: what it says, up to a prompt, and what it is told."""

    def __init__(self, *arguments):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.environ.update(TERM='dumb', INPUTRC='/dev/null', HOME=HERE.folder)
            os.execv(HERE.tourney, [HERE.tourney, *map(str, arguments)])

    def until(self, prompt):
        said = ''
        while prompt not in said:
            if not select.select([self.terminal], [], [], PATIENCE)[0]:
                raise Failure('no %r after: %s' % (prompt, said[-1000:]))
            try:
                said += os.read(self.terminal, 65536).decode(errors='replace')
            except OSError:
                raise Failure('it ended with: %s' % said[-1000:]) from None
        return said

    def say(self, line, prompt='(gdb) '):
        os.write(self.terminal, line.encode() + b'\n')
        return self.until(prompt)

    def end(self, line):
        os.write(self.terminal, line.encode() + b'\n')
        with contextlib.suppress(OSError):
            while os.read(self.terminal, 65536):
                pass
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


@on_each_library
def back_and_forth_in_gdb(mpi):
    if not shutil.which('gdb'):
        print('skipped: there is no gdb')
        return
    found = find(mpi, 'manners', 3, arguments=['lost'])
    listed = re.findall(r'^ +\d+  rank (\d) +(MPI_\w+).* at (manners\.c:\d+)', tourney('replay', found, 1, '--steps').out, re.M)
    last = len(listed)
    gdb_there = Dialogue('replay', os.path.relpath(found), 1, '--gdb')
    said = gdb_there.until('(gdb) ')
    for line_said, step in ((None, last), ('mpi back', last - 1), ('mpi next', last)):
        said = gdb_there.say(line_said) if line_said else said
        rank, call, place = listed[step - 1]
        if 'This is after step %d of %d' % (step, last) not in said:
            raise Failure('%s does not lead to step %d: %s' % (line_said, step, said))
        if call != 'MPI_Finalize' and place not in gdb_there.say('rank %s' % rank):  # which has ended then
            raise Failure('rank %s is not at %s' % (rank, place))
    said = gdb_there.say('rank 1') + gdb_there.say('rank 3')
    if 'rank 1 has ended' not in said or 'rank R, of 3 ranks' not in said or 'Exception' in said:
        raise Failure('of ranks that are not there it says %s' % said)
    if 'the run ends here' not in gdb_there.say('mpi next') or 'mpi next or mpi back' not in gdb_there.say('mpi up'):
        raise Failure('it goes beyond the end')
    if gdb_there.end('quit') != 0:
        raise Failure('it does not end well')


@test
def no_gdb():
    found = find('mpich', 'manners', 3, arguments=['lost'])
    tourney('replay', found, 1, '--gdb', env={'PATH': '/nowhere'}).check(3, '', None).matches('gdb')


@on_each_library
def visual_studio_code(mpi):
    found = find(mpi, 'head_to_head', 2)
    folder = os.path.dirname(found)
    seen = []

    def look(process):
        while b'Enter' not in process.stdout.readline():
            pass
        with open(os.path.join(folder, '.vscode/launch.json')) as file:
            launch = json.load(file)
        for one in launch['configurations']:
            seen.append((one['request'], os.readlink('/proc/%s/exe' % one['processId']) == one['program']))
        process.stdin.write(b'\n')

    done = tourney('replay', found, 1, '--vscode', stdin=subprocess.PIPE, during=look).check(0, err=None)
    if seen != [('attach', True)] * 2:
        done.fail('launch.json is not right: %s' % seen)
    with open(os.path.join(folder, '.vscode/launch.json'), 'w') as file:
        file.write('// mine\n{}')
    tourney('replay', found, 1, '--vscode').check(3, None, [
        'tourney: .vscode/launch.json exists and is not of tourney; move it away'])


@on_each_library
def other_tools(mpi):
    folder = tempfile.mkdtemp(dir=HERE.folder)
    compiled_copy(mpi, HERE.path('manners.c'), folder, '-w')
    done = tourney('-n', 3, '--sarif', 'sarif', '--junit', 'junit', '--ci', './manners', 'lost', cwd=folder)
    done.check(1, err=None)
    done.matches(r'^::error file=manners\.c,line=%d,title=tourney%%3A deadlock::deadlock: rank 0 waits for rank 1' % line('LOST'),
                 done.out)
    done.matches(r'^     To reproduce it: tourney replay tourney\.out 1$', done.out)
    with open(os.path.join(folder, 'sarif')) as file:
        finding = json.load(file)['runs'][0]['results'][0]
    place = finding['locations'][0]['physicalLocation']
    if (finding['ruleId'], place['artifactLocation']['uri'], place['region']['startLine']) != (
            'deadlock', 'manners.c', line('LOST')):
        done.fail('SARIF has another place: %s' % finding)
    steps_of = finding['codeFlows'][0]['threadFlows'][0]['locations']
    if [step['location']['physicalLocation']['region']['startLine'] for step in steps_of] != [line('ANY'), line('LOST')]:
        done.fail('SARIF has another way: %s' % steps_of)
    suite = xml.etree.ElementTree.parse(os.path.join(folder, 'junit')).getroot()[0]
    if (suite.get('failures'), suite[0][0].tag, suite[0][0].get('type')) != ('1', 'failure', 'deadlock'):
        done.fail('JUnit has another finding')
    tourney('-n', 3, '--sarif', '/not/there', './manners', 'nothing', cwd=folder).check(3, None, [
        'tourney: /not/there cannot be written: No such file or directory'])


def prepare():
    with open(HERE.path('manners.c'), 'w') as file:
        file.write(MANNERS)
    sources = [HERE.path('manners.c')]
    sources += [THREADS, '%s/test/adversarial/file_found.c' % ROOT]
    sources += ['%s/test/explore/%s.c' % (ROOT, name) for name in sorted({case[0] for case in EXPLORED})]
    for mpi in LIBRARIES:
        for source in sources:
            compile_always('mpicc.' + mpi, source, HERE.path('%s.%s' % (os.path.basename(source)[:-2], mpi)), '-g', '-w')


def main(program=os.path.join(ROOT, 'build', 'tourney'), *words):
    return HERE.run(program, CASES, words, prepare)


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
