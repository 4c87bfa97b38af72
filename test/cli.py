#!/usr/bin/python3
"""The command line, bad input, and what is left behind: nothing.

    cli.py [TOURNEY] [WORD...]     only the tests whose name has one of the words

Every run of tourney here, whatever it tests, must end, and leave no process and
no temporary file.  The programs are made on the spot, for both MPI libraries.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from lib import Failure
from lib.building import LIBRARIES, PYTHON, ROOT
from lib.leftovers import (CLEAN, PATIENCE, Watch, expect_no_shared_memory, shared_memory, still_left, system_v_segments,
                           unusual_size)
from lib.running import Run, text_of, watched
from lib.suite import Cases, Setting

WORKERS = 2
# What every search on one node takes for granted.
ASSUMED = ('tourney: assumed: this input, same addresses, virtual clocks, fixed randomness, one node, one order\n'
           '                  of reductions, no failing calls, kept files\n')

# One program with many manners: the first argument says which.
ACTOR = r'''
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int rank, size;

static void hello(char **argv)
{
    char line[256];
    int n = sprintf(line, "rank %d of %d", rank, size);
    for (int i = 2; argv[i]; i++)
        n += sprintf(line + n, " '%s'", argv[i]);
    sprintf(line + n, "\n");
    fputs(line, stdout); /* in one piece: MPICH turns buffering off */
}

static void message(int dest, int source)
{
    int v = 0;
    if (dest >= 0)
        MPI_Send(&v, 1, MPI_INT, dest, 0, MPI_COMM_WORLD);
    if (source >= 0)
        MPI_Recv(&v, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 0 asks three times whether the message of rank 1 is there, and is lost if it was told no twice and then yes. */
static void impatient(void)
{
    int v = 0, w, told = 0, there = 0;
    if (rank == 1)
        MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank != 0)
        return;
    for (; told < 3 && !there; told++) {
        MPI_Iprobe(1, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&v, 1, MPI_INT, 0, 1, &w, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    message(-1, told == 3 && there ? 0 : 1);
}

/* Rank 0 hears from all others in any order, and is lost if rank 1 comes first. */
static void race(void)
{
    int v = rank;
    MPI_Status status;
    if (rank > 0) {
        MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        return;
    }
    for (int i = 1; i < size; i++) {
        MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        if (i == 1 && status.MPI_SOURCE == 1)
            MPI_Recv(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status); /* LOST */
    }
}

/* Rank 0 hears from two others in either order, sixty times. */
static void many_races(void)
{
    int v = 0;
    for (int i = 0; i < 60; i++) {
        if (rank > 0)
            MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        for (int k = 0; rank == 0 && k < 2; k++)
            MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void wrong_tag(void)
{
    int v = 0;
    if (rank == 1)
        MPI_Send(&v, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&v, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* TAG */
}

static void say_ready(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        printf("ready\n");
        fflush(stdout);
    }
}

/* One rank sleeps, one in a child, one in MPI. */
static void hang(void)
{
    say_ready();
    if (rank == 0)
        for (;;)
            pause();
    if (rank == 1)
        exit(system("sleep 1000"));
    message(-1, 0);
}

static volatile double heat = 1;

static void heat_up(double seconds)
{
    struct timespec t;
    do {
        for (int i = 0; i < 100000; i++)
            heat = heat * 1.0000001;
        long call = SYS_clock_gettime; /* by an instruction of its own: what the C library says of clocks is virtual */
        __asm__ volatile("syscall" : "+a"(call) : "D"(CLOCK_PROCESS_CPUTIME_ID), "S"(&t) : "rcx", "r11", "memory");
    } while (t.tv_sec + t.tv_nsec / 1e9 < seconds);
}

/* Rank 0 tells rank 1 whose message came first; if it was not its own, that one loops. */
static void loop_if_second(void)
{
    int v[2] = {rank, rank};
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&v[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(v, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        return;
    }
    MPI_Send(v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1 && v[0] != rank)
        heat_up(1000); /* LOOP */
}

static void print_time(void)
{
    double start = MPI_Wtime();
    usleep(300000);
    printf("%s\n", MPI_Wtime() - start > 0.2 ? "long" : "short");
}

static void print_input(void)
{
    char text[64];
    ssize_t n = rank == 0 ? read(0, text, sizeof text) : 0;
    if (rank == 0)
        printf("read %d\n", (int)n);
}

/* Once before and once after a choice. */
static void read_twice(void)
{
    char text[8] = "";
    int value = 0;
    if (rank == 0 && (read(0, text, 3) != 3 || strcmp(text, "one")))
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank > 0)
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0 && (read(0, text, 3) != 3 || strcmp(text, "two")))
        MPI_Abort(MPI_COMM_WORLD, 2);
}

static void print_surroundings(void)
{
    char here[4096];
    if (rank == 0)
        printf("%s\n%s\n", getcwd(here, sizeof here), getenv("CLI_TEST_WORD"));
}

int main(int argc, char **argv)
{
    const char *manner = argv[1];
    if (!strcmp(manner, "crash-first"))
        raise(SIGSEGV);
    if (!strcmp(manner, "leave-first"))
        return 7;
    if (!strcmp(manner, "doze-first"))
        pause(); /* FIRST */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!strcmp(manner, "hello"))
        hello(argv);
    if (!strcmp(manner, "swap"))
        message(1 - rank, 1 - rank);
    if (!strcmp(manner, "race"))
        race();
    if (!strcmp(manner, "impatient"))
        impatient();
    if (!strcmp(manner, "wrong-tag"))
        wrong_tag();
    if (!strcmp(manner, "stuck"))
        message(-1, 1 - rank); /* STUCK */
    if (!strcmp(manner, "crash") && rank == 1)
        *(volatile int *)0 = 1;
    if (!strcmp(manner, "leave") && rank == 1)
        exit(5);
    if (!strcmp(manner, "leave"))
        MPI_Barrier(MPI_COMM_WORLD); /* LEFT */
    if (!strcmp(manner, "no-finalize"))
        return 0;
    if (!strcmp(manner, "abort") && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 9); /* ABORT */
    if (!strcmp(manner, "hang"))
        hang();
    if (!strcmp(manner, "loop"))
        loop_if_second();
    if (!strcmp(manner, "doze") && rank == 1)
        pause(); /* DOZE */
    if (!strcmp(manner, "heat") && rank == 1)
        heat_up(1.5); /* WARM */
    if (!strcmp(manner, "doze") || !strcmp(manner, "heat"))
        MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(manner, "nap")) {
        say_ready();
        usleep(500000);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (!strcmp(manner, "time") && rank == 0)
        print_time();
    if (!strcmp(manner, "input"))
        print_input();
    if (!strcmp(manner, "many-races"))
        many_races();
    if (!strcmp(manner, "read-twice"))
        read_twice();
    if (!strcmp(manner, "where"))
        print_surroundings();
    if (!strcmp(manner, "last-words") && rank == 1) {
        fprintf(stderr, "line 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    if (!strcmp(manner, "lines")) {
        printf("one\ntwo");
        fprintf(stderr, "err\n");
    }
    for (int i = 0; !strcmp(manner, "flood") && i < 100000; i++)
        printf("line %d\n", i);
    for (int i = 0; !strcmp(manner, "many") && i < 10000; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (!strcmp(manner, "doze-last"))
        pause(); /* LAST */
    return !strcmp(manner, "code") && rank == 1 ? 6 : 0;
}
'''

# Of an MPI library of which there is just the name.
STRANGER = '''
int PMPI_Init(int *c, char ***v) { (void)c, (void)v; return 0; }
int MPI_Init(int *c, char ***v) { return PMPI_Init(c, v); }
int MPI_Finalize(void) { return 0; }
'''
USER = '''
int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int main(int c, char **v) { return MPI_Init(&c, &v) || MPI_Finalize(); }
'''


class Stage(Setting):
    """With the programs in its folder."""

    def actor(self, mpi='mpich'):
        return self.path('actor.' + mpi)

    def line(self, label):
        lines = ACTOR.splitlines()
        return 'actor.c:%d' % next(i for i, line in enumerate(lines, 1) if '/* %s */' % label in line)

    def write(self, name, content, mode=0o644):
        content = content if isinstance(content, bytes) else content.encode()
        with open(self.path(name), 'wb') as file:
            file.write(content)
        os.chmod(self.path(name), mode)
        return self.path(name)

    def compile(self, compiler, *arguments):
        done = subprocess.run([compiler, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        return None if done.returncode == 0 else done.stdout or 'it failed'

    def must_compile(self, compiler, *arguments):
        wrong = self.compile(compiler, *arguments)
        if wrong:
            raise Failure('%s %s\n%s' % (compiler, ' '.join(arguments), wrong))

    def prepare(self):
        self.write('actor.c', ACTOR)
        for mpi in LIBRARIES:
            self.must_compile('mpicc.' + mpi, '-g', '-w', 'actor.c', '-o', 'actor.' + mpi)
            self.must_compile('mpicc.' + mpi, '-g', '-O2', '-w', 'actor.c', '-o', 'quick.' + mpi)
        self.write('plain.c', 'int main(void) { return 0; }\n')
        self.must_compile('gcc', 'plain.c', '-o', 'plain')


HERE = Stage()
CASES = Cases()
test, on_each_library = CASES.test, CASES.on_each_library


def tourney(*arguments, **how):
    return watched([HERE.tourney, *arguments], **how)


def act(mpi, manner, ranks=2, options=(), **how):
    return tourney('run', '-n', str(ranks), *options, HERE.actor(mpi), *manner.split(), **how)


def no_defects(ranks, buffering='any'):
    return ('tourney: no defects in any outcome that %d ranks can have with this input, under %s buffering\n'
            % (ranks, buffering)) + ASSUMED


def refuses(message, *arguments, **how):
    """Exit code 3, this one line, and nothing printed."""
    return tourney(*arguments, **how).check(3, '', ['tourney: ' + message])


# Commands and options


@test
def help_fits_a_screen():
    done = tourney('--help').check()
    lines = done.out.splitlines()
    if len(lines) > 24 or max(map(len, lines)) > 80:
        done.fail('%d lines of up to %d columns' % (len(lines), max(map(len, lines))))
    done.matches('^usage: tourney -n N', done.out)


@test
def help_is_the_same_wherever_it_is_asked():
    wanted = tourney('--help').check().out
    for arguments in (['-h'], []):
        tourney(*arguments).check(0, wanted)
    for command in ('run', 'dump'):
        wanted = tourney(command, '--help').check().out
        tourney(command, '-h').check(0, wanted)
        tourney(command, *({'run': ['-n', '2'], 'dump': ['x']}[command]), '--help').check(0, wanted)


@test
def help_of_a_command():
    for command, has, lacks in (('verify', '--stop-first', '--json'), ('run', '--tag-output', '--stop-first'),
                                ('dist', '--launcher', '--hang-timeout'), ('resume', '--max-runs', '--buffering'),
                                ('replay', '--gdb', '--max-runs'), ('report', '-o FILE', '--color'),
                                ('predict', '--can', '--engine'), ('model', '--emit', '--quiet'),
                                ('ask', '--time', '--color'), ('dump', '--json', '--quiet'), ('demo', '--help', '-o')):
        done = tourney(command, '--help').check()
        done.matches(r'\Ausage: tourney %s\b' % command, done.out).matches(r'^  %s\b' % re.escape(has), done.out)
        if lacks in done.out or max(map(len, done.out.splitlines())) > 80:
            done.fail('it has %s, or is too wide' % lacks)


@test
def help_names_every_option():
    text = tourney('--help').out
    for option in ('-n', '--buffering', '-o', '--record', '--tag-output', '--real-time', '--hang-timeout', '--json',
                   '--quiet', '--max-runs', '-W', '--suppressions', '--gen-suppressions', '--error-exitcode',
                   '--each-args', '--color'):
        if option not in text:
            raise Failure(option + ' is missing')


@test
def version():
    done = tourney('--version').check()
    done.matches(r'\Atourney \d+\.\d+(\.\d+)?\n\Z', done.out)


@test
def help_that_cannot_be_written_is_an_error():
    with open('/dev/full', 'wb') as full:
        done = tourney('--help', stdout=full)
    if done.code == 0:
        done.fail('exit code 0')


@test
def unknown_command():
    refuses("'fly' is not a command; write tourney -n N PROGRAM (tourney --help)", 'fly')
    for word, meant in (('rply', 'replay'), ('verfy', 'verify'), ('reprot', 'report'), ('runn', 'run')):
        refuses("'%s' is not a command; was %s meant? (tourney --help)" % (word, meant), word)


@test
def program_without_the_number_of_ranks():
    refuses('how many ranks?  Write tourney -n N %s (tourney --help)' % HERE.actor(), HERE.actor(), 'hello')


@test
def program_with_its_launcher():
    for launcher in ('mpiexec', '/usr/bin/mpirun.openmpi', 'srun'):
        name = os.path.basename(launcher)
        for command in ([], ['run'], ['dist']):
            refuses("%s is not needed, since tourney starts the ranks itself: write tourney -n N PROGRAM; for ranks on "
                    "their real MPI there is tourney dist --launcher '%s ...'" % (name, name),
                    *command, '-n', '2', launcher, '-n', '2', HERE.actor(), 'hello')


@test
def misspelt_option():
    for option, meant in (('--bufering=zero', 'buffering'), ('--max-run-s', 'max-runs'), ('--stopfirst', 'stop-first')):
        refuses("'%s' is not an option of tourney; was --%s meant? (tourney --help)" % (option, meant),
                '-n', '2', option, HERE.actor(), 'hello')


@test
def unknown_option():
    for option in ('--fly', '-x'):
        done = tourney('run', '-n', '2', option, HERE.actor(), 'hello').check(3, '', None)
        done.matches(r"\Atourney: '%s' is not an option of tourney.* \(tourney --help\)\n\Z" % option)


@test
def option_without_its_value():
    for option in ('-n', '--np', '-o', '--record', '--buffering'):
        done = tourney('run', option).check(3, '', None)
        done.matches(r"\Atourney: '%s'.* lacks its value \(tourney --help\)\n\Z" % option)


@test
def option_of_another_command():
    """Its family is named, as far as the command has no use for it; or a reason is given."""
    for arguments, sentence in (
            (['replay', '--emit=dot', 'x', '1'], '--emit, --check and --no-fold are for tourney model'),
            (['ask', '-W', 'deadlock=off', 'x'], '-W, --suppressions, --gen-suppressions, --error-exitcode and --each-args '
                                                 'are for tourney verify'),
            (['run', '-j4', HERE.actor()], '--jobs, --seed, --inputs and --input-tries are for tourney verify'),
            (['resume', '--step', '3', 'x'], 'resume takes --max-runs, --time, --jobs, --quiet and --color; the rest is as it was'),
            (['dist', '--record=x', '--tag-output', HERE.actor()], '--tag-output and --real-time are for tourney run'),
            (['dist', '--jobs=2', HERE.actor()], '--jobs is not for tourney dist; --parallel-jobs says how many jobs run at '
                                                 'one time'),
            (['dump', '-n', '2', 'x'], 'dump takes one FILE, and --json'),
            (['predict', '-n', '2', '--can', '0.1,1.1', HERE.actor()], '--can names operations of a record: predict FILE --can A,B'),
            (['replay', '--buffering=zero', 'x', '1'], '--buffering is for tourney verify, run, dist, predict, model and '
                                                        'explain-states')):
        refuses(sentence + ' (tourney --help)', *arguments)


@test
def option_with_a_value_it_does_not_take():
    refuses('--quiet takes no value (tourney --help)', '-n', '2', '--quiet=5', HERE.actor(), 'hello')
    for command in (['-n', '2', '--time', '0', HERE.actor()], ['ask', '--time=0', 'x']):
        refuses("--time is a positive number of seconds, not '0'", *command)


@test
def number_of_ranks_missing():
    refuses('-n N, the number of ranks, is missing (tourney --help)', 'run', HERE.actor(), 'hello')
    refuses('-n N, the number of ranks, is missing (tourney --help)', 'run')


@test
def number_of_ranks_wrong():
    for text in ('0', '-1', 'abc', '', '2x', '1.5', '4097', '99999999', '99999999999999999999'):
        refuses("-n is a number from 1 to 4096, not '%s'" % text, 'run', '-n', text, HERE.actor(), 'hello')


@test
def number_of_ranks_in_all_its_forms():
    for words in (['-n', '2'], ['-n2'], ['--np', '2'], ['--np=2']):
        tourney('run', *words, HERE.actor(), 'hello').check().sorted_out('rank 0 of 2', 'rank 1 of 2')


@test
def calls_that_fail_are_a_list_of_names():
    for text in ('', 'fork', 'malloc,', ',open', 'malloc,malloc', 'malloc open'):
        refuses("--faults is a list of malloc, open, read and write, such as malloc,open, and not '%s' (tourney --help)" % text,
                '-n', '2', '--faults=' + text, HERE.actor(), 'hello')
    refuses('--fault-places says at how many places calls fail: which, --faults says (tourney --help)',
            '-n', '2', '--fault-places=3', HERE.actor(), 'hello')
    refuses('--faults is for the search: a call that fails changes what its rank does (tourney --help)',
            '-n', '2', '--faults=open', '--engine=predict', HERE.actor(), 'hello')


@test
def layouts_of_nodes_have_room_for_all():
    for text in ('2', 'x2', '2x', '0x2', '2x1,', ',2x1', '2x1;1x2', '-1x-2'):
        refuses("--nodes is NODESxRANKS, such as 2x2, or several with commas between, and not '%s' (tourney --help)" % text,
                '-n', '2', '--nodes=' + text, HERE.actor(), 'hello')
    refuses('--nodes 2x2 has room for 4 ranks, and there are 2 (tourney --help)', '-n', '2', '--nodes=2x1,2x2', HERE.actor(), 'hello')
    refuses('several layouts of nodes are for tourney -n N: here --nodes takes one (tourney --help)',
            'run', '-n', '2', '--nodes=2x1,1x2', HERE.actor(), 'hello')


@test
def options_after_the_program_are_its_own():
    done = tourney('run', '-n', '1', HERE.actor(), 'hello', '-n', '--tag-output', '', 'a b').check()
    done.sorted_out("rank 0 of 1 '-n' '--tag-output' '' 'a b'")
    tourney('run', '-n', '1', '--', HERE.actor(), 'hello').check(0, 'rank 0 of 1\n')


@test
def program_missing():
    refuses('the program is missing (tourney --help)', 'run', '-n', '2')
    refuses('the program is missing (tourney --help)', 'run', '-n', '2', '--tag-output')


# Programs that cannot be run


@test
def no_such_program():
    refuses('./nosuch: no such program', 'run', '-n', '2', './nosuch')
    refuses('nosuch-program: no such program', 'run', '-n', '2', 'nosuch-program')


@test
def program_beside_but_not_in_path():
    refuses('actor.mpich: not found in PATH; for the one in this directory write ./actor.mpich',
            'run', '-n', '2', 'actor.mpich', cwd=HERE.folder)


@test
def program_found_in_path():
    path = HERE.folder + ':' + os.environ['PATH']
    tourney('run', '-n', '1', 'actor.mpich', 'hello', env={'PATH': path}).check(0, 'rank 0 of 1\n')


@test
def directory():
    refuses('/tmp: a directory, not a program', 'run', '-n', '2', '/tmp')


@test
def not_executable():
    path = HERE.write('letter', 'Dear reader\n')
    refuses(path + ': not executable (chmod +x?)', 'run', '-n', '2', path)


@test
def text_without_interpreter():
    for name, content in (('letter-x', 'Dear reader\n'), ('empty', ''), ('stub', b'\x7fELF\x02\x01\x01')):
        path = HERE.write(name, content, 0o755)
        refuses(path + ': not a program (no ELF file, no #! line)', 'run', '-n', '2', path)


@test
def program_of_another_machine():
    head = struct.pack('<16sHHIQQQIHHHHHH', b'\x7fELF\x02\x01\x01', 2, 183, 1, 0x400000, 64, 0, 0, 64, 56, 0, 64, 0, 0)
    path = HERE.write('arm', head, 0o755)
    refuses(path + ': not a program for this machine (x86-64)', 'run', '-n', '2', path)


@test
def not_an_mpi_program():
    path = HERE.path('plain')
    refuses(path + ': no rank called MPI_Init; is it an MPI program?', 'run', '-n', '2', path)


@test
def mpi_linked_statically():
    # The real thing, where its libraries are installed; else what can be seen of it.
    wrong = HERE.compile('mpicc.mpich', 'actor.c', '-w', '-l:libmpich.a', '-lucp', '-lucs', '-lhwloc', '-lm',
                         '-Wl,--as-needed', '-o', 'static-mpi')
    if wrong or b'PMPI_Init' not in subprocess.run(['nm', '--defined-only', HERE.path('static-mpi')],
                                                   stdout=subprocess.PIPE).stdout:
        HERE.write('static.c', STRANGER + USER)
        HERE.must_compile('gcc', 'static.c', '-o', 'static-mpi')
    path = HERE.path('static-mpi')
    refuses(path + ': MPI is linked statically; link it with the shared MPI library (without -static)',
            'run', '-n', '2', path, 'hello')


@test
def program_linked_statically():
    HERE.must_compile('gcc', '-static', 'plain.c', '-o', 'static')
    path = HERE.path('static')
    refuses(path + ': linked statically; tourney needs a dynamically linked program (without -static)',
            'run', '-n', '2', path)


@test
def unsupported_mpi_library():
    HERE.write('stranger.c', STRANGER)
    HERE.write('user.c', USER)
    HERE.must_compile('gcc', '-shared', '-fPIC', '-Wl,-soname,libmpi.so.20', 'stranger.c', '-o', 'libmpi.so.20')
    HERE.must_compile('gcc', 'user.c', './libmpi.so.20', '-Wl,-rpath,' + HERE.folder, '-o', 'user')
    for command in (['run'], [], ['dist'], ['predict'], ['model']):
        done = tourney(*command, '-n', '3', HERE.path('user')).check(3, '', None)
        done.matches(r'\Atourney: .* is not supported; tourney knows MPICH \(libmpich\.so\.12\), '
                     r'Open MPI \(libmpi\.so\.40\) and MPI-5 ABI \(libmpi_abi\.so\.1\)\n\Z')


# A library of the standard's binary interface that gets as far as MPI_Init.
ABI = '''
int PMPI_Init(int *argc, char ***argv) { return 1; }
int MPI_Init(int *argc, char ***argv) { return 1; }
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) { return 1; }
int MPI_Finalize(void) { return 1; }
'''


@test
def binary_interface_of_the_standard():
    """Known by its name, and under another one by the name that it says it has."""
    HERE.write('abi.c', ABI)
    HERE.write('user.c', USER)
    for file in ('libmpi_abi.so.1', 'libmpi_own.so.1.0.0'):
        HERE.must_compile('gcc', '-shared', '-fPIC', '-Wl,-soname,libmpi_abi.so.1', 'abi.c', '-o', file)
    HERE.must_compile('gcc', 'user.c', './libmpi_abi.so.1', '-Wl,-rpath,' + HERE.folder, '-o', 'user-of-abi')
    done = tourney('run', '-n', '1', HERE.path('user-of-abi')).check(3, '', None)
    done.matches(r'\Atourney: the MPI library did not start as a single process\n')
    HERE.write('opener.c', '#include <dlfcn.h>\nint main(int argc, char **argv) { int (*init)(int *, char ***);'
               'dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL); *(void **)&init = dlsym(RTLD_DEFAULT, "MPI_Init"); return init(&argc, &argv); }')
    HERE.must_compile('gcc', '-w', 'opener.c', '-o', 'opener')
    done = tourney('run', '-n', '1', HERE.path('opener'), HERE.path('libmpi_own.so.1.0.0')).check(3, '', None)
    done.matches(r'\Atourney: the MPI library did not start as a single process\n')


@test
def bindings_of_another_library():
    """Those of MPICH for Fortran bring MPICH itself, whose handles the standard's binary interface does not have."""
    HERE.write('abi.c', ABI)
    HERE.write('call.f90', 'integer :: error\ncall mpi_init(error)\nend\n')
    HERE.must_compile('gcc', '-shared', '-fPIC', '-Wl,-soname,libmpi_abi.so.1', 'abi.c', '-o', 'libmpi_abi.so.1')
    HERE.must_compile('mpifort.mpich', 'call.f90', '-Wl,--no-as-needed', './libmpi_abi.so.1', '-Wl,-rpath,' + HERE.folder, '-o', 'call-of-both')
    done = tourney('run', '-n', '2', HERE.path('call-of-both')).check(3, '', None)
    done.matches(r'\Atourney: \S+/libmpi_abi\.so\.1 and \S+/libmpich\.so\.12 are both in this process, and one cannot have the other\'s '
                 r'handles, as calls of bindings for Fortran do that were made for it\n\Z')


SEGMENT = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/shm.h>
int main(int argc, char **argv)
{
    int rank, from, id = 0, *there = NULL, bad = 0;
    if (argc > 2)
        return shmat(atoi(argv[2]), NULL, 0) == (void *)-1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        char line[4096];
        id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
        there = shmat(id, NULL, 0);
        shmctl(id, IPC_RMID, NULL); /* it is there until nobody has it attached */
        there[0] = 7;
        snprintf(line, sizeof line, "%s child %d", argv[0], id);
        bad = argc > 1 && system(line) != 0;
    }
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 1 && i < 2; i++) {
        if (i == 0 && argc == 1)
            bad = (there = shmat(id, NULL, SHM_RDONLY)) == (void *)-1 || there[0] != 7;
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank > 1)
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return bad;
}
"""


# The first argument says who makes memory and what becomes of it, the second how many bytes it has.
LEAVER = r"""
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>
static const char *manner;
static int is(const char *word) { return strstr(manner, word) != NULL; }
int main(int argc, char **argv)
{
    int rank, size, bytes = atoi(argv[2]);
    manner = argv[1];
    key_t key = is("keyed") ? bytes : IPC_PRIVATE;
    if (is("early"))
        shmget(key, bytes, IPC_CREAT | 0600);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int id = is("early") || (rank && !is("each")) ? -1 : shmget(key, bytes, IPC_CREAT | 0600);
    if (is("child") && rank == 0 && fork() == 0) {
        id = shmget(key, bytes, IPC_CREAT | 0600);
        _exit(is("attached") && *(int *)shmat(id, NULL, 0));
    }
    if (is("child") && rank == 0)
        wait(NULL);
    if (is("attached") && id >= 0)
        *(int *)shmat(id, NULL, 0) = 7;
    for (int i = 1; i < size; i++) {
        if (rank == 0)
            MPI_Recv(&(int){0}, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (rank == i)
            MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (is("crash") && rank == 1)
        raise(SIGSEGV);
    if (is("hang")) {
        if (rank == 0) {
            puts("ready");
            fflush(stdout);
        }
        for (;;)
            pause();
    }
    if (is("removed") && id >= 0)
        shmctl(id, IPC_RMID, NULL);
    return MPI_Finalize();
}
"""


def switches_of(*command):
    """How often those whom a command has started and waited for gave their processor to others, by their wish or not."""
    _, status, used = os.wait4(os.posix_spawnp('timeout', ['timeout', '60', *command], os.environ), 0)
    if status:
        raise Failure('%s: status %d' % (' '.join(command), status))
    return used.ru_nvcsw + used.ru_nivcsw


@on_each_library
def ranks_that_wait_do_not_go_in_circles(mpi):
    """A message goes round among eight on one core.  The one that it comes to runs soon: those who wait do not give the core to each other for long."""
    few, many, ranks = 500, 2500, 8
    HERE.must_compile('mpicc.' + mpi, '-w', os.path.join(ROOT, 'bench/ring.c'), '-o', 'ring.' + mpi)
    one_core = ['taskset', '-c', str(min(os.sched_getaffinity(0))), HERE.tourney, 'run', '-n', str(ranks), HERE.path('ring.' + mpi)]
    each = (switches_of(*one_core, str(many), '8') - switches_of(*one_core, str(few), '8')) / ((many - few) * ranks)
    if each > 2.5:
        raise Failure('%.1f switches for each message' % each)


def leaver(mpi, name):
    """The program, under a name of the test's own: others make it at the same time."""
    HERE.write(name + '.c', LEAVER)
    HERE.must_compile('mpicc.' + mpi, '-w', name + '.c', '-o', name)
    return HERE.path(name)


def expect_no_segments(done, bytes_each, number=0):
    left = still_left(lambda: system_v_segments(bytes_each)[number:])
    for segment in system_v_segments(bytes_each):
        subprocess.run(['ipcrm', '-m', str(segment)])
    if left:
        done.fail('System V memory is left: %s' % left)


@on_each_library
def who_is_copied_can_go_back(mpi):
    """A copy is made of a rank that goes its ways one after the other: the rank can still go back."""
    HERE.must_compile('mpicc.' + mpi, '-w', os.path.join(ROOT, 'test/adversarial/task_numbers.c'), '-o', 'tasks.' + mpi)
    run = tourney('-n', '4', '--quiet', '-o', HERE.path('out'), HERE.path('tasks.' + mpi), '8', 'keeps', env={'TOURNEY_LOG': 'drive'})
    copies, lost = run.err.count('is copied'), run.err.count('cannot go back any more')
    if not copies or lost:
        raise Failure(f'{lost} ranks cannot go back, and {copies} copies were made')


@on_each_library
def memory_that_a_run_leaves(mpi):
    """What nobody else could find by a key is removed, however the run ends; the rest is left as mpiexec leaves it."""
    program, end = leaver(mpi, 'run_leaves.' + mpi), lambda process: process.kill()
    for manner in ('each', 'each_early', 'each_attached', 'child', 'child_attached', 'each_crash_attached', 'each_removed'):
        size = unusual_size()
        expect_no_segments(tourney('run', '-n', '3', program, manner, str(size)), size)
    for manner in ('each_hang', 'child_hang_attached', 'each_early_hang'):
        size = unusual_size()
        done = tourney('run', '-n', '3', program, manner, str(size), during=end).check(-signal.SIGKILL)
        expect_no_segments(done, size)
    size = unusual_size()
    done = tourney('run', '-n', '2', program, 'keyed', str(size)).check()
    if len(system_v_segments(size)) != 1:
        done.fail('memory with a key is gone')
    expect_no_segments(done, size, 1)


@on_each_library
def memory_that_a_search_leaves(mpi):
    program = leaver(mpi, 'search_leaves.' + mpi)
    for manner in ('each', 'each_early', 'each_attached', 'child_attached', 'each_crash', 'keyed', 'each_removed'):
        for nodes in ([], ['--nodes=3x1']):
            size = unusual_size()
            done = tourney('-n', '3', *nodes, '--no-merge', '-o', folder_of_result(), program, manner, str(size))
            done.check(1 if 'crash' in manner else 0, None, None)
            expect_no_segments(done, size)


@on_each_library
def memory_that_a_killed_search_leaves(mpi):
    program, size = leaver(mpi, 'killed_leaves.' + mpi), unusual_size()
    with Watch() as watch:
        command = [HERE.tourney, '-n', '3', '-o', folder_of_result(), program, 'each_hang', str(size)]
        process = watch.start(command)
        still_left(lambda: not system_v_segments(size))
        if not system_v_segments(size):
            raise Failure('there was none')
        process.kill()
        out, err = watch.finish(process)
        watch.expect_nothing()
        expect_no_segments(Run(command, process.returncode, text_of(out), text_of(err)), size)


@test
def memory_of_another_rank():
    """A rank that is run again finds no System V memory of one that has ended, and that is not told as a crash of the program."""
    HERE.write('segment.c', SEGMENT)
    HERE.must_compile('mpicc.mpich', 'segment.c', '-o', 'segment')
    done = tourney('-n', '4', HERE.path('segment')).check(3, None, None)
    done.matches(r'tourney: a rank attaches System V memory that is not there \(shmat of \d+\)')
    done = tourney('-n', '4', '--nodes=4x1', HERE.path('segment'), 'child').check(3, None, None)
    done.matches(r'tourney: a program that a rank has started attaches System V memory of that rank')


def library_under_another_name(file, other):
    """A copy of the MPI library that is called otherwise, also by those who need it; both names are equally long."""
    HERE.must_compile('mpicc.mpich', '-w', 'actor.c', '-o', 'named')
    needed = subprocess.run(['ldd', HERE.path('named')], stdout=subprocess.PIPE, text=True).stdout
    path = re.search(re.escape(file) + r' => (\S+)', needed).group(1)
    with open(path, 'rb') as original, open(HERE.path(other), 'wb') as copy:
        copy.write(original.read().replace(file.encode() + b'\0', other.encode() + b'\0'))


@test
def mpi_library_with_a_name_of_its_own():
    library_under_another_name('libmpich.so.12', 'libmpi_x.so.12')
    include = [word for word in subprocess.run(['mpicc.mpich', '-show'], stdout=subprocess.PIPE, text=True).stdout.split()
               if word.startswith('-I')]
    HERE.must_compile('gcc', '-w', *include, 'actor.c', './libmpi_x.so.12', '-Wl,-rpath,' + HERE.folder, '-o', 'renamed')
    tourney('run', '-n', '3', HERE.path('renamed'), 'hello').check(0, None, '')
    tourney('-n', '3', HERE.path('renamed'), 'hello').check(0, None, None)


@test
def refused_long_after_the_start():
    """By a rank that other runs of the search share a beginning with: in the copy of a rank, after MPI_Finalize.  What other runs have shown is told."""
    HERE.write('late.c', '#include <mpi.h>\n#include <tourney.h>\nint main(int c, char **v) { int rank, x, y; MPI_Init(&c, &v);'
               'MPI_Comm_rank(MPI_COMM_WORLD, &rank);'
               'if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);'
               'else { MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);'
               'MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }'
               'if (rank == 0 && x == 1 && c > 1 && v[1][0] == 97) MPI_Abort(MPI_COMM_WORLD, 3);'
               'MPI_Finalize(); return rank == 0 && (x == 2 || c > 1) ? tourney_choose(2, "late") : 0; }')
    why = 'rank 0: MPI_Pcontrol is not supported here: tourney_choose is called after MPI_Finalize, where nobody chooses any more'
    for mpi in ('mpich', 'openmpi'):
        HERE.must_compile('mpicc.' + mpi, '-w', '-I' + os.path.join(ROOT, 'include'), 'late.c', '-o', 'late')
        for options, arguments, code in ([], [], 3), (['--no-savepoints'], [], 3), ([], ['abort'], 1):
            done = tourney('-n', '3', *options, HERE.path('late'), *arguments).check(code, None, '')
            said = ' '.join(done.out.split())
            if why not in said or ('MPI_Abort with code 3' in said) != (code == 1) or '2 runs' not in said:
                raise Failure(done.out)
        tourney('run', '-n', '3', HERE.path('late'), 'run').check(3, '', None).matches('tourney: ' + why)


def prefix_with_a_library(name):
    """A copy of MPICH with a compiler and a launcher of its own, as below /opt."""
    prefix = HERE.path(name)
    for folder in ('lib', 'bin'):
        os.makedirs(os.path.join(prefix, folder))
    show = subprocess.run(['mpicc.mpich', '-show'], stdout=subprocess.PIPE, text=True).stdout.split()
    needed = subprocess.run(['ldd', HERE.actor('mpich')], stdout=subprocess.PIPE, text=True).stdout
    library = shutil.copy(re.search(r'libmpich\.so\.12 => (\S+)', needed).group(1), prefix + '/lib/libmpich.so.12')
    HERE.write(name + '/bin/mpicc', '#!/bin/sh\nexec gcc %s "$@" %s -Wl,-rpath,%s/lib\n' % (
        ' '.join(word for word in show if word.startswith('-I')), library, prefix), 0o755)
    HERE.write(name + '/bin/mpiexec', '#!/bin/sh\ntouch %s/started\nexec mpiexec.mpich "$@"\n' % prefix, 0o755)
    return prefix, library


@test
def launcher_beside_the_library():
    prefix, _ = prefix_with_a_library('prefix')
    HERE.must_compile(prefix + '/bin/mpicc', '-w', 'actor.c', '-o', 'of-prefix')
    done = tourney('dist', '-n', '2', HERE.path('of-prefix'), 'hello').check(0, None, None)
    if not os.path.exists(prefix + '/started'):
        raise Failure('the launcher of the prefix was not started\n' + done.err)


@test
def shim_for_one_library_alone():
    """It is taken for the library that it was made for, and for no other."""
    _, library = prefix_with_a_library('alone')
    HERE.must_compile(HERE.path('alone/bin/mpicc'), '-w', 'actor.c', '-o', 'of-alone')
    data = {'XDG_DATA_HOME': HERE.path('data')}
    said = tourney('doctor', env=data).check(0, None, '').out
    folder = re.search(r'^ok   setup .* in (/\S+)$', said, re.M).group(1)
    place = os.path.join(folder, os.path.realpath(library).replace('/', '%'))
    os.makedirs(place)
    shim = os.path.join(place, 'libtourney-mpich.so')
    with open(shim, 'w', encoding='utf-8') as file:
        file.write('no shim')
    tourney('run', '-n', '1', HERE.path('of-alone'), 'hello', env=data).check(3, '', None).matches(r'\Atourney: %s: ' % re.escape(shim))
    tourney('run', '-n', '1', HERE.actor('mpich'), 'hello', env=data).check(0, None, '')
    shutil.copy(os.path.join(os.path.dirname(HERE.tourney), 'lib/tourney/libtourney-mpich.so'), shim)
    tourney('run', '-n', '2', HERE.path('of-alone'), 'hello', env=data).check(0, None, '').sorted_out('rank 0 of 2', 'rank 1 of 2')
    said = tourney('doctor', env=data).check(0, None, '').out
    if not re.search(r'^ok   setup .*%s has a shim of its own$' % re.escape(library), said, re.M):
        raise Failure('the shim is not told\n' + said)
    os.remove(library)
    said = tourney('doctor', env=data).check(0, None, '').out
    if not re.search(r'^--   setup .* is not there any more$', said, re.M):
        raise Failure('that the library is gone is not told\n' + said)


@test
def setup_refuses():
    refuses('setup needs --mpicc COMPILER, that of the MPI library', 'setup')
    refuses("'false' compiles no MPI program", 'setup', '--mpicc', 'false')
    refuses("--mpicc ' ' is no command", 'setup', '--mpicc', ' ')
    os.makedirs(HERE.path('none'))
    HERE.write('none/mpi.h', 'static int MPI_Init(int *argc, char ***argv) { return !argc || !argv; }\n')
    compiler = 'gcc -I' + HERE.path('none')
    refuses("'%s' links programs with no MPI library that tourney knows; the loader must find it (LD_LIBRARY_PATH)" % compiler,
            'setup', '--mpicc', compiler)


@test
def script_that_starts_the_program():
    path = HERE.write('start.sh', '#!/bin/sh\nexec %s "$@"\n' % HERE.actor(), 0o755)
    tourney('run', '-n', '2', path, 'hello').check().sorted_out('rank 0 of 2', 'rank 1 of 2')


def launcher_of(mpi):
    return 'mpiexec.' + mpi + (' --oversubscribe --allow-run-as-root' if mpi == 'openmpi' else '')


def is_the_launcher(path, launcher):
    return ('{0} starts {1}, but tourney is the launcher: give it the program that {1} starts, or a script that '
            'starts the program without {1}'.format(path, launcher))


def script(name, *lines):
    return HERE.write(name, '\n'.join(['#!/bin/sh', *lines, '']), 0o755)


# Who is heard first decides: rank 0 waits for a third message, which nobody sends, or starts a rank.
STARTS_LATE = '''#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, first, second;
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&other);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (other == MPI_COMM_NULL && rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (other == MPI_COMM_NULL && rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (first < second)
            MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other, MPI_ERRCODES_IGNORE);
    }
    if (other != MPI_COMM_NULL)
        MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
'''


@on_each_library
def search_that_begins_anew_for_spawn(mpi):
    """What was found before a rank started others is found once, and runs of the search that was given up are not counted."""
    starter = HERE.path('late_starter.' + mpi)
    HERE.must_compile('mpicc.' + mpi, '-g', HERE.write('late_starter.c', STARTS_LATE), '-o', starter)
    folder = HERE.path('late_starter.out.' + mpi)
    done = tourney('-o', folder, '--quiet', '-n', '3', starter, cwd=HERE.folder).check(1)
    done.matches('2 runs, 1 of them fails', done.out)
    done.matches('in 1 of 2 outcomes', done.out)
    found = result_in(folder)['findings']
    if [(finding['kind'], finding['runs']) for finding in found if finding['severity'] == 'error'] != [('deadlock', 1)]:
        done.fail('found %s' % found)
    tourney('replay', folder, str(found[0]['id'])).check(0, None, None)


WINDOWS_LATE = '''#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, first = 0, second, window = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (first == 1 && argc > 1)
            MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (first == 2) {
        MPI_Win_create(&window, sizeof window, sizeof window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        MPI_Win_fence(0, win);
        MPI_Win_free(&win);
    }
    MPI_Finalize();
    return 0;
}
'''


@on_each_library
def search_that_begins_anew_for_windows(mpi):
    """Runs that ended before windows were met, for which there were no keepers then, are not counted; what was found in them is found once."""
    program, folder = HERE.path('late_window.' + mpi), HERE.path('late_window.out.' + mpi)
    HERE.must_compile('mpicc.' + mpi, '-g', HERE.write('late_window.c', WINDOWS_LATE), '-o', program)
    done = tourney('-o', folder, '--quiet', '-n', '3', program, cwd=HERE.folder).check(0)
    done.matches('2 runs, all ended well', done.out)
    if result_in(folder)['runs'] != 2:
        done.fail('the result has %s runs' % result_in(folder)['runs'])
    done = tourney('-o', folder + '.wrong', '--quiet', '-n', '3', program, 'wrong', cwd=HERE.folder).check(1)
    done.matches('2 runs, 1 of them fails', done.out)
    done.matches('in 1 of 2 outcomes', done.out)
    found = result_in(folder + '.wrong')['findings']
    if [(finding['kind'], finding['runs']) for finding in found if finding['severity'] == 'error'] != [('deadlock', 1)]:
        done.fail('found %s' % found)
    tourney('replay', folder + '.wrong', str(found[0]['id'])).check(0, None, None)


POOL = '''from mpi4py.futures import MPIPoolExecutor


def square(number):
    return number * number


if __name__ == '__main__':
    with MPIPoolExecutor(max_workers=2) as executor:
        raise SystemExit(sum(executor.map(square, range(3))))
'''


@on_each_library
def ranks_that_others_start(mpi):
    """As many as --max-spawn says; their deadlock is found, made again, and a search that met it is gone on with."""
    starter = HERE.path('starter.' + mpi)
    HERE.must_compile('mpicc.' + mpi, '-g', '-O1', os.path.join(ROOT, 'test/explore/spawn.c'), '-o', starter)
    refused = 'MPI_Comm_spawn is not supported for more ranks than --max-spawn says'
    tourney('run', '--max-spawn', '2', '-n', '1', starter).check(0, '')
    for option in (['--max-spawn', '1'], ['--max-spawn', '0'], ['--record', HERE.path('started.' + mpi)]):
        done = tourney('run', *option, '-n', '1', starter).check(3, '', None)
        done.matches(refused, done.err)
    for words in (['predict'], ['--engine=paths']):
        done = tourney(*words, '-o', HERE.path('%s.%s' % (words[0].strip('-'), mpi)), '-n', '1', starter, cwd=HERE.folder).check(3, None, None)
        done.matches(refused, done.out)
    for words in (['model', '--emit=promela'], ['model'], ['explain-states']):
        tourney(*words, '-n', '1', starter, cwd=HERE.folder).check(3, '', None).matches('such as one that starts ranks; tourney verify names it')
    folder = HERE.path('started.out.' + mpi)
    done = tourney('-o', folder, '--quiet', '-n', '1', starter, '2', 'more', cwd=HERE.folder).check(1)
    done.matches('deadlock: 3 of 3 ranks can never continue', done.out)
    done = tourney('replay', folder, '1').check(0, None, None)
    done.matches('finding 1 was reproduced', done.out)
    tourney('-o', folder, '--quiet', '--no-merge', '--max-runs', '2', '-n', '1', starter, '3',
            cwd=HERE.folder).check(2)
    done = tourney('resume', '--quiet', folder).check()
    done.matches('6 runs, all ended well', done.out)


# Ranks 0 and 1 connect, and do with the connection what the argument says.
CONNECTS = '''#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    int rank, pair[2], fd = socket(AF_INET, SOCK_STREAM, 0);
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && (bind(fd, (struct sockaddr *)&address, bytes) || listen(fd, 1) || getsockname(fd, (struct sockaddr *)&address, &bytes)))
        return 2;
    MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        fd = accept(fd, NULL, NULL);
    else if (connect(fd, (struct sockaddr *)&address, bytes))
        return 3;
    if (argv[1][0] == 'd' && write(fd, "x", 1) != 1)
        return 4;
    if (argv[1][0] == 'p' && socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return 5;
    MPI_Comm_join(argv[1][0] == 'p' ? pair[0] : fd, &other);
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
'''


@on_each_library
def sockets_between_ranks(mpi):
    """A search has them for MPI_Comm_join; data over them, and other sockets, are refused by a sentence."""
    joiner = HERE.path('joiner.' + mpi)
    HERE.must_compile('mpicc.' + mpi, '-g', HERE.write('joiner.c', CONNECTS), '-o', joiner)
    for words, code, said in (('join', 0, 'no defects in any outcome'), ('data', 3, 'for a socket over which data go as well'),
                              ('pair', 3, 'on a socket that ranks have not connected')):
        done = tourney('-o', HERE.path('joiner.out.%s.%s' % (mpi, words)), '--quiet', '-n', '2', joiner, words, cwd=HERE.folder)
        done.check(code, None, None).matches(said, ' '.join(done.out.split()))


@on_each_library
def states_with_open_files(mpi):
    """That a file is open does not keep the memory of a rank from being looked at, nor that it has loaded a library."""
    for name, ranks, orders in (('merge_open_file', 3, 4), ('merge_dlopen', 4, 36)):
        opener = HERE.path('%s.%s' % (name, mpi))
        HERE.must_compile('mpicc.' + mpi, '-g', os.path.join(ROOT, 'test/adversarial/%s.c' % name), '-o', opener, '-ldl')
        done = tourney('-o', opener + '.out', '--quiet', '-n', str(ranks), opener, cwd=HERE.folder).check(0)
        done.matches('1 run, which stands for %d' % orders, done.out)
        if 'not merged' in done.out:
            done.fail('states were not looked at')


@on_each_library
def file_races_in_one_run(mpi):
    """As in the search (adversarial/file_race.c): errors, warnings, and right twins."""
    racer = HERE.path('racer.' + mpi)
    HERE.must_compile('mpicc.' + mpi, '-g', os.path.join(ROOT, 'test/adversarial/file_race.c'), '-o', racer)
    for words, code, said in (('bare', 1, 'are not ordered'), ('writes', 1, 'are not ordered'), ('together', 1, 'are not ordered'),
                              ('barrier', 0, 'MPI_File_sync is missing'), ('right', 0, None), ('atomic', 0, None), ('later', 0, None)):
        done = tourney('run', '-n', '2', racer, words, cwd=HERE.folder, env={**os.environ, 'FOLDER': HERE.folder}).check(code, '', None)
        if said:
            done.matches(said + r'.*\[file-race\]', done.err)
        else:
            done.check(0, '', ())


@test
def pool_of_processes_in_a_search():
    """A thread of rank 0 starts the workers of mpi4py's pool and polls for what they send, as these do: no time at all is too late for that."""
    pool = HERE.write('pool.py', POOL)
    folder = HERE.path('pool.out')
    done = tourney('-o', folder, '--quiet', '--poll-bound', '0', '-n', '1', PYTHON, pool, cwd=HERE.folder).check(1, None, None)
    done.matches('complete: every order of messages was looked at', done.out)
    kinds = [(finding['kind'], finding['severity']) for finding in result_in(folder)['findings'] if finding['severity'] != 'note']
    if kinds != [('exit-code', 'error')]:
        done.fail('found %s' % kinds)


@on_each_library
def script_that_starts_a_launcher(mpi):
    path = script('launcher.%s.sh' % mpi, '%s -n 2 %s "$@"' % (launcher_of(mpi), HERE.actor(mpi)))
    for command in ([], ['run'], ['dist', '--launcher', launcher_of(mpi)]):
        refuses(is_the_launcher(path, 'mpiexec.' + mpi), *command, '-n', '2', path, 'hello')


@test
def script_whose_launcher_fails():
    path = script('failing.sh', 'srun --no-such-option 2>/dev/null')
    folder = os.path.join(HERE.folder, 'launchers')
    os.mkdir(folder)
    os.symlink('/bin/false', os.path.join(folder, 'srun'))
    for command in ([], ['run'], ['dist', '--launcher', 'mpiexec.mpich']):
        refuses(is_the_launcher(path, 'srun'), *command, '-n', '2', path,
                env={'PATH': folder + ':' + os.environ['PATH']})


@on_each_library
def script_that_starts_mpi_twice(mpi):
    for name, lines in (('after', ['{0} hello', '{0} hello']), ('beside', ['{0} hello &', '{0} hello', 'wait'])):
        path = script('%s.%s.sh' % (name, mpi), *(line.format(HERE.actor(mpi)) for line in lines))
        wrong = ('%s: a second process calls MPI_Init in the place of one rank: give tourney the program, or a script '
                 'that starts one MPI program, once and without a launcher' % path)
        refuses(wrong, '-n', '2', path)
        if name == 'after':
            refuses(wrong, 'dist', '--launcher', launcher_of(mpi), '-n', '2', path)


@on_each_library
def script_that_asks_a_launcher_something(mpi):
    path = script('asks.%s.sh' % mpi, 'mpiexec.%s --version >/dev/null || exit 1' % mpi,
                  'if false; then mpiexec.%s -n 2 %s; fi # or mpiexec' % (mpi, HERE.actor(mpi)),
                  '%s "$@"' % HERE.actor(mpi))
    tourney('run', '-n', '2', path, 'hello').check().sorted_out('rank 0 of 2', 'rank 1 of 2')
    tourney('dist', '--quiet', '--launcher', launcher_of(mpi), '-n', '2', path, 'hello').check()


@on_each_library
def script_that_waits_for_the_program(mpi):
    """The rank is not tourney's own child then, which search and job have to know."""
    path = script('waits.%s.sh' % mpi, '%s "$@"' % HERE.actor(mpi), 'exit $?')
    search = ['--quiet', '--no-merge', '-n', '4']
    wanted = tourney(*search, HERE.actor(mpi), 'race').check(1, None, None)
    again = ('tourney: assumed: whether ranks 0, 1, 2 and 3 do the same each time was not tried, because a script\n'
             '                  has started them\n'
             'tourney: assumed: rank 0 was not copied but run again from the start, because a script has started\n'
             '                  it\n')
    tourney(*search, path, 'race').check(1, wanted.out.replace(ASSUMED, ASSUMED + again), wanted.err.splitlines())
    stuck = tourney('dist', '--quiet', '--launcher', launcher_of(mpi), '-n', '2', path, 'stuck')
    stuck.check(1, None, None).matches('deadlock: 2 of 2 ranks', stuck.out)


# Runs a program to which the system refuses the system call of this number.
REFUSER = r'''
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, atoi(argv[1]), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {4, program};
    if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0)
        return 99;
    execv(argv[2], argv + 2);
    return 98;
}
'''


@on_each_library
def system_that_lets_nobody_listen(mpi):
    """Nothing is merged then, and nobody knows whether ranks leave traces: both is said."""
    refuser = 'refuser.' + mpi
    HERE.write(refuser + '.c', REFUSER)
    HERE.must_compile('gcc', '-w', refuser + '.c', '-o', refuser)
    because = 'because the system does not let tourney listen to %s system calls'
    for number in (317, 434, 438):  # seccomp, pidfd_open, pidfd_getfd
        folder = folder_of_result()
        done = watched([HERE.path(refuser), str(number), HERE.tourney, '-n', '3', '--quiet', '-o', folder, HERE.actor(mpi), 'race'])
        done.check(1, None, None)
        said = {assumption['kind']: assumption['text'] for assumption in result_in(folder)['assumptions']}
        expect(done, said, merging='histories of rank 0 were not merged, ' + because % 'its')
        if not said['randomness'].endswith('the same each time was not tried, ' + because % 'their'):
            done.fail('of randomness it says: ' + said['randomness'])


@test
def launcher_of_a_search_that_is_killed():
    """Nobody hears what it has to say, but it cleans up, as that of Open MPI does with its session."""
    launcher = script('cleans.sh', 'touch "$TMPDIR/session"', 'echo ready',
                      'while kill -0 $PPID 2>/dev/null; do sleep 0.02; done', 'echo alone >&2', 'rm "$TMPDIR/session"')

    def kill(process):
        process.kill()
        process.wait()

    done = tourney('dist', '--show-output', '--launcher', launcher, '-n', '2', HERE.actor(), 'hello', during=kill)
    done.check(-9, 'ready\n')


@test
def no_room_for_temporary_files():
    refuses('cannot make a directory in /nonexistent: No such file or directory',
            'run', '-n', '2', HERE.actor(), 'hello', env={'TMPDIR': '/nonexistent'})


@test
def few_descriptors():
    for limit in range(4, 10):  # it may work or not, but ends, leaves nothing, and says why
        done = tourney('run', '-n', '2', HERE.actor(), 'hello', shell='ulimit -n %d; {}' % limit)
        if done.code != 0 and 'tourney: ' not in done.err:
            done.fail('says nothing')


# Programs that go wrong


@on_each_library
def exit_code_is_the_programs_own(mpi):
    act(mpi, 'hello').check()
    act(mpi, 'code').check(6)


@on_each_library
def crash_before_init(mpi):
    done = act(mpi, 'crash-first', 1).check(128 + signal.SIGSEGV, '', None)
    done.matches(r'\Atourney: rank 0 died of signal 11 \(Segmentation fault\) before MPI_Init\n  actor\.c:\d+ in main\n\Z')


@on_each_library
def crash(mpi):
    done = act(mpi, 'crash').check(128 + signal.SIGSEGV, None, None)
    done.matches(r'\Atourney: rank 1 died of signal 11 \(Segmentation fault\)\n  actor\.c:\d+ in main\n\Z')


@on_each_library
def exit_before_init(mpi):
    act(mpi, 'leave-first').check(7)


@on_each_library
def rank_exits_early(mpi):
    act(mpi, 'leave').check(1, '', [
        'tourney: deadlock: 1 of 2 ranks can never continue',
        '  rank 0    MPI_Barrier(MPI_COMM_WORLD)  at %s in main' % HERE.line('LEFT'),
        '            waits for rank 1',
        '  rank 1    has ended without MPI_Finalize, exit code 5',
        '  likely culprit: rank 1, which has ended although rank 0 waits for it'])


@on_each_library
def exit_without_finalize(mpi):
    act(mpi, 'no-finalize').check(1, '', [
        'tourney: rank 0 ended without MPI_Finalize',
        'tourney: rank 1 ended without MPI_Finalize'])


@on_each_library
def abort(mpi):
    act(mpi, 'abort').check(9, '', [
        'tourney: rank 1: MPI_Abort with code 9  at %s in main' % HERE.line('ABORT')])


@on_each_library
def deadlock(mpi):
    done = act(mpi, 'stuck').check(1, '', None)
    done.matches(r'\Atourney: deadlock: 2 of 2 ranks can never continue\n'
                 r'  rank 0    MPI_Recv\(source=1, tag=0, 1 MPI_INT, MPI_COMM_WORLD\)  at actor\.c:\d+ in message\n'
                 r'            waits for rank 1\n'
                 r'  rank 1    MPI_Recv\(source=0, tag=0, 1 MPI_INT, MPI_COMM_WORLD\)  at actor\.c:\d+ in message\n'
                 r'            waits for rank 0\n'
                 r'  cycle: rank 0 waits for 1, which waits for 0\n\Z')


# Options


@on_each_library
def buffering(mpi):
    for kind, code in (('infinite', 0), ('zero', 1), ('eager=0', 1), ('eager=3', 1), ('eager=4', 0)):
        done = act(mpi, 'swap', options=['--buffering=' + kind]).check(code, '', None)
        if code:
            done.matches(r'^  cycle: rank 0 waits for 1, which waits for 0$')
        elif done.err:
            done.fail('says something with ' + kind)


@test
def buffering_that_does_not_exist():
    for text in ('some', '', 'Zero', 'eager'):
        refuses("--buffering is infinite, zero or eager=BYTES, not '%s'" % text,
                'run', '-n', '2', '--buffering=' + text, HERE.actor(), 'hello')
        refuses("--buffering is any, infinite, zero or eager=BYTES, not '%s'" % text,
                '-n', '2', '--buffering=' + text, HERE.actor(), 'hello')
    for text in ('', '-1', '1k', '99999999999999999999'):
        tourney('run', '-n', '2', '--buffering=eager=' + text, HERE.actor(), 'hello').check(3, '', None).matches(
            r"\Atourney: .*eager.*, not '%s'\n\Z" % text)


@on_each_library
def tagged_output(mpi):
    done = act(mpi, 'lines', options=['--tag-output']).check(0, None, None)
    done.sorted_out('[0] one', '[0] two', '[1] one', '[1] two')
    if sorted(done.err.splitlines()) != ['[0] err', '[1] err']:
        done.fail('stderr is not tagged')


@on_each_library
def tagged_output_of_a_deadlock(mpi):
    done = act(mpi, 'stuck', options=['--tag-output']).check(1, '', None)
    done.matches(r'^tourney: deadlock: 2 of 2 ranks can never continue$')


@on_each_library
def time_is_virtual_unless_asked(mpi):
    act(mpi, 'time').check(0, 'short\n')
    act(mpi, 'time', options=['--real-time']).check(0, 'long\n')


# The surroundings of a run


@on_each_library
def input_goes_to_rank_0(mpi):
    act(mpi, 'input', feed=b'hello').check(0, 'read 5\n')


@on_each_library
def input_from_a_file_is_there_in_every_run(mpi):
    path = HERE.path('input.' + mpi)
    with open(path, 'w', encoding='ascii') as file:
        file.write('onetwo')
    done = tourney('-n', '3', '--no-merge', HERE.actor(mpi), 'read-twice', shell='{} <' + path)
    done.check(0, 'tourney: any buffering: 2 runs, all ended well\n' + no_defects(3))


@on_each_library
def input_from_a_pipe_is_there_in_every_run(mpi):
    done = tourney('-n', '3', '--no-merge', HERE.actor(mpi), 'read-twice', feed=b'onetwo').check(0, None)
    done.matches('^tourney: any buffering: 2 runs, all ended well$', done.out)


def held_open(process):
    """Nobody writes to its input, and nobody closes it."""
    process.wait(PATIENCE)


@test
def input_that_nothing_comes_through_is_empty():
    done = tourney('-n', '2', HERE.actor(), 'hello', stdin=subprocess.PIPE, during=held_open).check(0, None, [
        'tourney: nothing has come through standard input so far, so ranks find it empty'])
    done.matches('1 run; it ended well', done.out)


@on_each_library
def folder_and_environment_are_kept(mpi):
    act(mpi, 'where', env={'CLI_TEST_WORD': 'a word'}, cwd='/usr/share').check(0, '/usr/share\na word\n')


@on_each_library
def closed_input(mpi):
    act(mpi, 'hello', shell='{} <&-').check().sorted_out('rank 0 of 2', 'rank 1 of 2')
    act(mpi, 'stuck', shell='{} <&-').check(1, '', None).matches('deadlock')


@on_each_library
def closed_output(mpi):
    act(mpi, 'stuck', shell='{} >&-').check(1, '', None).matches('deadlock')
    act(mpi, 'lines', options=['--tag-output'], shell='{} >&-').check(0, '', None)


@on_each_library
def closed_input_output_and_errors(mpi):
    act(mpi, 'hello', shell='{} <&- >&- 2>&-').check()
    act(mpi, 'stuck', shell='{} <&- >&- 2>&-').check(1)
    act(mpi, 'lines', options=['--tag-output'], shell='{} <&- >&- 2>&-').check()


@test
def closed_errors_do_not_end_up_in_the_record():
    path = HERE.path('closed.tny')
    act('mpich', 'stuck', options=['-o', path], shell='{} 2>&-').check(1)
    done = tourney('dump', path).check()
    done.matches(r'^end +deadlock, exit code 1$', done.out)


@on_each_library
def output_into_a_closed_pipe(mpi):
    reader, writer = os.pipe()
    os.close(reader)
    done = act(mpi, 'flood', stdout=writer)
    os.close(writer)
    done.check(128 + signal.SIGPIPE, '', None).matches(r'\Atourney: rank [01] died of signal 13 \(Broken pipe\)\n\Z')


@on_each_library
def report_into_a_closed_pipe(mpi):
    reader, writer = os.pipe()
    os.close(reader)
    act(mpi, 'stuck', stderr=writer)  # whatever the code is: it ends and leaves nothing
    os.close(writer)


@test
def several_at_once():
    with ThreadPoolExecutor(4) as workers:
        runs = [workers.submit(act, mpi, 'hello', 3) for mpi in LIBRARIES * 2]
        for job in runs:
            job.result().check().sorted_out('rank 0 of 3', 'rank 1 of 3', 'rank 2 of 3')


# Signals


@on_each_library
def interrupt_from_the_terminal(mpi):
    for options, tag in ([], ''), (['--tag-output'], '[0] '):
        done = act(mpi, 'hang', 3, options, during=lambda process: os.killpg(process.pid, signal.SIGINT))
        done.check(128 + signal.SIGINT, tag + 'ready\n', ['tourney: stopped by signal 2 (Interrupt)'])


@test
def signals_to_tourney_alone():
    for number, name in ((signal.SIGINT, 'Interrupt'), (signal.SIGTERM, 'Terminated'), (signal.SIGHUP, 'Hangup')):
        done = act('mpich', 'hang', 3, during=lambda process, n=number: process.send_signal(n))
        done.check(128 + number, 'ready\n', ['tourney: stopped by signal %d (%s)' % (number, name)])


@on_each_library
def verify_keeps_its_time(mpi):
    start = time.monotonic()
    done = tourney('-n', '3', '--time', '1', '--buffering=infinite', HERE.actor(mpi), 'hang')
    done.check(2, 'tourney: infinite buffering: 0 runs, no error so far; stopped early, there are more\n'
                  'tourney: not decided: no defect so far, but not every outcome was explored (time limit of 1 s\n'
                  '         reached)\n'
                  f'{ASSUMED}'
                  'tourney: to go on: tourney resume tourney.out\n')
    if time.monotonic() - start > PATIENCE / 2:
        done.fail('took more than %d s' % (PATIENCE / 2))


WIDE = r'''
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, n, x, all = argc > 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int i = 0; i < atoi(argv[1]); i++) {
        MPI_Request r[2];
        for (int k = 1; k < n && all; k++)
            MPI_Send(&i, 1, MPI_INT, (rank + k) % n, 0, MPI_COMM_WORLD);
        for (int k = 0; k < 2 && !all; k++)
            MPI_Isend(&i, 1, MPI_INT, (rank + (k ? 1 : n - 1)) % n, i, MPI_COMM_WORLD, &r[k]);
        for (int k = 0; k < (all ? n - 1 : 2); k++)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, all ? 0 : i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!all)
            MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Send(&x, 1, MPI_INT, (rank + 1) % n, 5000, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, (rank + n - 1) % n, 5000, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
'''


@test
def verify_keeps_its_time_with_many_ranks_and_decisions():
    """Findings of more ranks than there are processes kept; and one whose SAT minimisation takes minutes."""
    HERE.write('wide.c', WIDE)
    HERE.must_compile('mpicc.mpich', '-g', '-w', 'wide.c', '-o', 'wide')
    for ranks, arguments, options in (('128', ['3'], []), ('12', ['10', 'all'], ['--engine=predict'])):
        start = time.monotonic()
        done = tourney('-n', ranks, '--time', '3', '--quiet', *options, HERE.path('wide'), *arguments)
        done.check(1 if done.code == 1 else 2, None)
        if time.monotonic() - start > PATIENCE / 2:
            done.fail('took more than %d s' % (PATIENCE / 2))


# Two threads of rank 0 receive what either may get, which is found out late; one order makes it compute for ever.
COMPETITORS = r"""
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
static double seconds(void) /* on a clock that is not virtual */
{
    double now = 0;
    FILE *file = fopen("/proc/uptime", "r");
    fscanf(file, "%lf", &now);
    fclose(file);
    return now;
}
static void *receive(void *v)
{
    MPI_Recv(v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}
int main(int argc, char **argv)
{
    int rank, level, first, second;
    pthread_t other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&(int){1}, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&(int){2}, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (double start = seconds(); seconds() < start + 4;)
            ;
        pthread_create(&other, NULL, receive, &second);
        receive(&first);
        pthread_join(other, NULL);
        while (first > second)
            ;
    }
    return MPI_Finalize();
}
"""


@test
def verify_keeps_its_time_with_threads():
    """A search that begins anew with what it has learned of threads has the rest of the time."""
    HERE.write('competitors.c', COMPETITORS)
    HERE.must_compile('mpicc.mpich', '-w', 'competitors.c', '-o', 'competitors', '-pthread')
    start = time.monotonic()
    done = tourney('-n', '2', '--time', '6', '--hang-timeout=100', '-o', folder_of_result(), HERE.path('competitors'))
    took = time.monotonic() - start
    done.check(2, None, None)
    if took > 9.5:  # it was 11 when it had the whole time once more
        done.fail('took %.1f s' % took)


HANGS = 'tourney: rank %d has made no MPI call for 1 s: it computes, sleeps or loops for ever'


@on_each_library
def verify_of_a_run_that_hangs(mpi):
    """With one library as it is compiled for debugging, with the other optimized."""
    done = tourney('-n', '3', '--hang-timeout=1', '--quiet', HERE.path({'mpich': 'actor.', 'openmpi': 'quick.'}[mpi] + mpi), 'loop').check(1)
    lines = done.out.splitlines()
    done.matches(r'^  actor\.c:\d+ in heat_up$', lines[1])
    done.matches(r'^  %s in (loop_if_second|main)$' % re.escape(HERE.line('LOOP')), done.out)
    done.matches(r'receives the message from rank 2\n(.*\n)*.*receives the message from rank 1\n', done.out)
    if lines[0] != HANGS % 1 or done.out.count(HANGS % 1) != 1:
        done.fail('the hang is not reported once')
    if 'tourney: any buffering: 2 runs, 1 of them fails' not in lines:
        done.fail('the other run did not end well')


@on_each_library
def verify_of_a_rank_asleep(mpi):
    done = tourney('-n', '2', '--hang-timeout=1', '--buffering=zero', HERE.actor(mpi), 'doze')
    done.check(1, '%s\n  %s in main\n' % (HANGS % 1, HERE.line('DOZE')) +
               'tourney: zero buffering: 1 run, and it fails\n'
               'tourney: 1 finding, kept in tourney.out\n'
               '  1  R%s, in every run\n     [hang]\n' % HANGS[10:] % 1 +
               '     Rank 1 at %s in main\n' % HERE.line('DOZE') +
               '     To reproduce it: tourney replay tourney.out 1\n'
               'tourney: every outcome that 2 ranks can have with this input, under zero buffering, was explored\n'
               f'{ASSUMED}'
               'tourney: to see it as a page: tourney report tourney.out\n')


@on_each_library
def hangs_are_reported_by_run_if_asked(mpi):
    act(mpi, 'doze', options=['--hang-timeout=1']).check(1, '', [HANGS % 1, '  %s in main' % HERE.line('DOZE')])
    act(mpi, 'heat', options=['--hang-timeout=1']).check(1, '', None).matches(
        r'\A%s\n  actor\.c:\d+ in heat_up\n  %s in main\n\Z' % (HANGS % 1, re.escape(HERE.line('WARM'))))


@on_each_library
def hang_before_init_and_after_finalize(mpi):
    for manner, label in (('doze-first', 'FIRST'), ('doze-last', 'LAST')):
        wanted = [HANGS % 0, '  %s in main' % HERE.line(label)]
        act(mpi, manner, options=['--hang-timeout=1']).check(1, '', wanted)
        done = tourney('-n', '2', '--hang-timeout=1', '--buffering=zero', HERE.actor(mpi), manner).check(1)
        if done.out.splitlines()[:2] != wanted:
            done.fail('it does not begin with %s' % wanted)


@test
def long_computation_is_no_hang():
    tourney('-n', '2', '--hang-timeout=60', '--buffering=zero', HERE.actor('mpich'), 'heat').check(
        0, 'tourney: zero buffering: 1 run; it ended well\n' + no_defects(2, 'zero'))
    act('openmpi', 'heat', options=['--hang-timeout=60']).check()
    act('mpich', 'heat').check()


@test
def record_of_a_hang():
    path = HERE.path('hang.tny')
    act('mpich', 'doze', options=['--hang-timeout=1', '-o', path]).check(1, err=None)
    done = tourney('dump', path).check()
    done.matches('^end       stopped by tourney, exit code 1: rank 1 made no MPI call for 1 s$', done.out)


@test
def hang_timeout_that_is_no_number():
    for value in ('-1', 'soon', '1.5'):
        refuses("--hang-timeout is a number from 0 to 1000000, not '%s'" % value,
                '-n', '2', '--hang-timeout=' + value, HERE.actor(), 'hello')


@test
def verify_of_other_things():
    refuses('-n N, the number of ranks, is missing (tourney --help)', 'verify', HERE.actor(), 'hello')
    refuses('--record, --tag-output and --real-time are for tourney run (tourney --help)',
            '-n', '2', '--tag-output', HERE.actor(), 'hello')
    done = tourney('run', '-n', '2', '--stop-first', HERE.actor(), 'hello').check(3, '', None)
    done.matches(r'\Atourney: --max-runs, (?:--[a-z-]+, )*--stop-first, (?:--[a-z-]+, )*--no-merge, (?:--[a-z-]+, )*--junit and '
                 r'--ci are for tourney verify \(tourney --help\)\n\Z')
    tourney('-n', '2', '/bin/true').check(3, '', ['tourney: /bin/true: no rank called MPI_Init; is it an MPI program?'])


@on_each_library
def verify_of_a_program_that_leaves_before_init(mpi):
    done = tourney('-n', '2', '--buffering=infinite', HERE.actor(mpi), 'leave-first')
    done.check(1, 'tourney: ranks 0 and 1 ended with exit code 7\n'
                  'tourney: infinite buffering: 1 run, and it fails\n'
                  'tourney: 1 finding, kept in tourney.out\n'
                  '  1  Ranks 0 and 1 ended with exit code 7, in every run  [exit-code]\n'
                  '     To reproduce it: tourney replay tourney.out 1\n'
                  'tourney: every outcome that 2 ranks can have with this input, under infinite buffering, was '
                  'explored\n'
                  f'{ASSUMED}'
                  'tourney: assumed: whether ranks 0 and 1 do the same each time was not tried, because they ended\n'
                  '                  before MPI_Init\n'
                  'tourney: to see it as a page: tourney report tourney.out\n')


@test
def verify_of_a_script_that_fails_before_init():
    done = tourney('-n', '2', '--quiet', script('fails-first', 'echo no input given >&2', 'exit 7'))
    done.check(1, None, None).matches(r'^  1  Ranks 0 and 1 ended with exit code 7, in every run  \[exit-code\]$', done.out)
    done.matches(r'^     The last lines of rank 0 on standard error:\n     \| no input given$', done.out)


@test
def report_and_results_follow_no_link():
    folder, page = HERE.path('linked'), HERE.path('linked.html')
    victim = HERE.write('victim', 'precious')
    os.mkdir(folder)
    os.symlink(victim, folder + '/result.json.part')
    tourney('-n', '2', '--quiet', '-o', folder, HERE.actor(), 'stuck').check(1, None)
    for link in (folder + '/report.html', folder + '/report.html.part', page):
        os.symlink(victim, link)
    tourney('report', folder).check(0, None)
    tourney('report', folder, '-o', page).check(0, None)
    tourney('report', folder, '-o', '/dev/stdout').check(0, None)
    with open(victim, encoding='ascii') as file:
        if file.read() != 'precious' or os.path.islink(folder + '/report.html') or os.path.islink(page):
            raise Failure('a link was followed')


@on_each_library
def last_lines_of_a_rank_that_fails(mpi):
    done, result = verify(mpi, 'last-words')
    done.check(1, None).matches(r'^     The last lines of rank 1 on standard error:\n     \| line 3\n(     \| line .\n){3}     \| line 7$', done.out)
    expect(done, result, verdict='defects')
    said = [finding['stderr'] for finding in result['findings'] if finding['kind'] == 'abort']
    if said != [[{'rank': 1, 'lines': ['line %d' % i for i in range(3, 8)]}]]:
        done.fail('said %s' % said)


@on_each_library
def verify_of_more_runs_than_can_be_counted(mpi):
    done = tourney('-n', '3', '--buffering=infinite', '--quiet', HERE.actor(mpi), 'many-races')
    done.check(0, None).matches(r'^tourney: infinite buffering: \d+ runs?, which stands? for 1\.15e\+18; ', done.out)


@on_each_library
def verify_of_a_program_that_crashes_before_init(mpi):
    done, result = verify(mpi, 'crash-first')
    done.check(1, None).matches(r'\Atourney: rank 0 died of signal 11 .* before MPI_Init\n  actor\.c:\d+ in main\n', done.out)
    expect(done, result, verdict='defects', runs=1)


def in_a_storm(*arguments):
    """Tourney, which hears all the time that a child has ended, as when ranks end at any moment: that interrupts whatever waits."""
    command = [HERE.tourney, *arguments]
    with Watch() as watch:
        process = watch.start(command)
        while process.poll() is None:
            process.send_signal(signal.SIGCHLD)
            time.sleep(0.0001)
        out, err = watch.finish(process)
        watch.expect_nothing()
    return Run(command, process.returncode, text_of(out), text_of(err))


@on_each_library
def children_that_end_while_the_loader_is_asked(mpi):
    """Whether a program that has not called MPI_Init could have called it is what the loader says."""
    done = in_a_storm('-n', '2', '--quiet', HERE.actor(mpi), 'crash-first')
    done.check(1, None).matches(r'^  1  Rank 0 died of signal 11 ', done.out)
    in_a_storm('run', '-n', '2', HERE.actor(mpi), 'leave-first').check(7)


@test
def children_that_end_while_a_rank_is_started():
    """That it cannot be started is what the process says that was to become the rank; it waits for this only for a moment, which a signal may miss."""
    path = HERE.write('letter-in-a-storm', 'Dear reader\n', 0o755)
    for _ in range(12):
        in_a_storm('run', '-n', '2', path).check(3, '', ['tourney: %s: not a program (no ELF file, no #! line)' % path])


@on_each_library
def killed(mpi):
    for options in ([], ['--tag-output']):
        moment = []

        def kill(process):
            moment.append(time.monotonic())
            process.kill()

        done = act(mpi, 'hang', 3, options, during=kill).check(-signal.SIGKILL)
        seconds = time.monotonic() - moment[0]
        if seconds > CLEAN:
            done.fail('all gone only after %.1f s' % seconds)


@on_each_library
def killed_with_its_group(mpi):
    def kill(process):
        os.killpg(process.pid, signal.SIGKILL)

    act(mpi, 'hang', 3, during=kill).check(-signal.SIGKILL)
    tourney('-n', '9', '--no-merge', '--quiet', '-o', folder_of_result(), HERE.actor(mpi), 'race',
            during=kill).check(-signal.SIGKILL, None)


@test
def hangup_is_ignored_under_nohup():
    done = act('mpich', 'nap', shell='trap "" HUP; {}', during=lambda process: process.send_signal(signal.SIGHUP))
    done.check(0, 'ready\n')


@test
def interrupted_record_can_be_read():
    path = HERE.path('interrupted.tny')
    act('mpich', 'hang', 3, ['-o', path], during=lambda process: process.send_signal(signal.SIGINT))
    done = tourney('dump', path).check()
    done.matches(r'^end +stopped\b.*, exit code 130$', done.out)


# Results


def folder_of_result():
    return os.path.join(tempfile.mkdtemp(prefix='out', dir=HERE.folder), 'result')


def result_in(folder):
    with open(os.path.join(folder, 'result.json'), encoding='utf-8') as file:
        return json.load(file)


def verify(mpi, manner, *options, ranks=2, **how):
    """A run of verify, and its result."""
    folder = folder_of_result()
    done = tourney('-n', str(ranks), *options, '-o', folder, HERE.actor(mpi), *manner.split(), **how)
    return done, result_in(folder)


def expect(done, found, **wanted):
    """Members of the result, or of a finding, are as they must be."""
    for name, value in wanted.items():
        if found[name] != value:
            done.fail('%s is %r, not %r' % (name, found[name], value))


RESULT = ('version program args cwd ranks hang_timeout mpi buffering verdict runs distinct segments merged seconds bounds '
          'assumptions findings').split()
FINDING = 'id kind severity message ranks places run decisions buffered unbuffered'.split()


@on_each_library
def result_of_a_deadlock(mpi):
    done, result = verify(mpi, 'stuck')
    done.check(1, None)
    if [name for name in RESULT if name not in result]:
        done.fail('members are missing')
    expect(done, result, version=1, program=HERE.actor(mpi), args=['stuck'], ranks=2, mpi=mpi, buffering='any',
           verdict='defects', runs=1, distinct=1, merged=0, bounds=[])
    found, = result['findings']
    if [name for name in FINDING if name not in found]:
        done.fail('members of the finding are missing')
    expect(done, found, id=1, kind='deadlock', severity='error', ranks=[0, 1], run=1, runs=1, decisions=[],
           buffered=[], unbuffered=[], cycles=[{'ranks': [0, 1]}], culprits=[])
    expect(done, found['waits'][1], rank=1, all=True, lacks=[{'all': False, 'ranks': [0]}])
    for rank, place in enumerate(found['places']):
        expect(done, place, rank=rank, call='MPI_Recv', function='message')
        if os.path.basename(place['file']) != 'actor.c' or place['line'] < 1:
            done.fail('the place is %s' % place)
    if not done.out.startswith(found['text']):
        done.fail('the text is not what was shown')


@on_each_library
def result_of_a_clean_program(mpi):
    done, result = verify(mpi, 'hello x', '--quiet')
    done.check(0, 'tourney: any buffering: 1 run; it ended well\n' + no_defects(2))
    expect(done, result, verdict='clean', args=['hello', 'x'], findings=[], bounds=[], runs=1)


@test
def result_of_a_python_program():
    """The library is what mpi4py has loaded."""
    program = ['/usr/bin/python3', HERE.write('hello.py', 'from mpi4py import MPI\n')]
    said = watched([program[0], '-c', 'from mpi4py import MPI; print(MPI.Get_library_version())']).check(err=None).out
    for command in ([], ['dist', '--launcher', launcher_of('openmpi')]):
        if command and 'Open MPI' not in said:
            continue
        folder = folder_of_result()
        done = tourney(*command, '--quiet', '-n', '2', '-o', folder, *program).check()
        expect(done, result_in(folder), mpi='openmpi' if 'Open MPI' in said else 'mpich')


@on_each_library
def result_of_a_script(mpi):
    folder = folder_of_result()
    done = tourney('--quiet', '-n', '2', '-o', folder, script('result.%s.sh' % mpi, HERE.actor(mpi) + ' hello')).check()
    expect(done, result_in(folder), mpi=mpi)


@on_each_library
def result_of_a_program_that_needs_buffering(mpi):
    done, result = verify(mpi, 'swap')
    done.check(1, None).matches('^tourney: deadlock if MPI buffers less: 2 of 2 ranks can never continue$', done.out)
    found, = result['findings']
    expect(done, found, kind='buffering-deadlock', ranks=[0, 1], buffered=[])
    expect(done, found['unbuffered'][0], rank=0, call='MPI_Send', function='message')
    expect(done, found['unbuffered'][1], rank=1, call='MPI_Send')
    done, result = verify(mpi, 'swap', '--buffering=infinite')
    expect(done.check(0, None), result, verdict='clean', buffering='infinite')


@on_each_library
def result_of_exit_codes(mpi):
    done, result = verify(mpi, 'code')
    done.check(1, None)
    expect(done, result['findings'][0], kind='exit-code', ranks=[1], places=[], message='rank 1 ended with exit code 6')
    done, result = verify(mpi, 'no-finalize')
    done.check(1, None)
    expect(done, result['findings'][0], kind='no-finalize', ranks=[0, 1])


@on_each_library
def result_of_a_crash(mpi):
    done, result = verify(mpi, 'crash')
    found, = result['findings']
    expect(done.check(1, None), found, kind='crash', ranks=[1])
    expect(done, found['places'][0], rank=1, function='main', call=None)
    done, result = verify(mpi, 'abort')
    expect(done.check(1, None), result['findings'][0], kind='abort', ranks=[1])
    if result['findings'][0]['places'][0]['place'] != HERE.line('ABORT') + ' in main':
        done.fail('not at the call')


@on_each_library
def one_finding_for_runs_that_go_wrong_alike(mpi):
    done, result = verify(mpi, 'race', '--buffering=infinite', ranks=4)
    found, = result['findings']
    expect(done.check(1, None), result, runs=2)
    expect(done, found, kind='deadlock', runs=1, culprits=[0], critical=0)
    expect(done, found['decisions'][0], rank=0, kind='match', source=1, call='MPI_Recv',
           outcome='receives the message from rank 1')
    if found['clean'][0]['source'] == 1:
        done.fail('the clean run begins like the other')
    done.matches('^  1  Deadlock: rank 0 waits for rank 1, which has ended, in 1 of 2 outcomes  .deadlock.\n'
                 r'     Rank 0 is blocked in MPI_Recv at %s in race, called at actor\.c:\d+ in main$'
                 % re.escape(HERE.line('LOST')), done.out)


@on_each_library
def near_miss_of_a_wrong_tag(mpi):
    done, result = verify(mpi, 'wrong-tag')
    done.check(1, None).matches('^            a message from rank 1 has arrived, but its tag is 7, not 5$', done.out)
    done.matches('^  likely culprits: ranks 0 and 1, whose send and receive do not agree on the tag$', done.out)
    found = result['findings'][0]
    expect(done, found, culprits=[0, 1])
    expect(done, found['near_misses'][0], rank=0, other=1, end='message', difference='tag')
    act(mpi, 'wrong-tag').check(1, '', None).matches('but its tag is 7, not 5$')


@on_each_library
def findings_survive_a_kill(mpi):
    folder = folder_of_result()
    done = tourney('-n', '9', '--no-merge', '--quiet', '-o', folder, HERE.actor(mpi), 'race',
                   during=lambda process: process.kill()).check(-signal.SIGKILL, None)
    result = result_in(folder)
    expect(done, result, verdict='defects')
    if not result['findings'][0]['text'].startswith(done.out.splitlines()[0]):
        done.fail('what was shown was not kept')
    tourney('-n', '2', '-o', folder, HERE.actor(mpi), 'hello').check()  # in its place
    expect(done, result_in(folder), verdict='clean', ranks=2)


@test
def result_that_can_not_be_kept_any_more():
    folder = folder_of_result()
    done = tourney('-n', '7', '--no-merge', '--quiet', '-o', folder, HERE.actor(), 'race',
                   during=lambda process: os.mkdir(os.path.join(folder, 'result.json.part')))
    done.check(1, None, None)
    done.matches(r'\Atourney: the result in \S+ is not complete: Is a directory\n'
                 r'tourney: could not be written in \S+: [^:]*\bresult\.json: Is a directory\n\Z')
    done.matches(r'^  1  Deadlock: ', done.out)


@test
def result_with_bounds():
    done, result = verify('mpich', 'race', '--max-runs', '2', '--buffering=infinite', ranks=5)
    expect(done, result, runs=2, bounds=['limit of 2 runs reached'])
    done, result = verify('mpich', 'stuck', '--stop-first')
    expect(done.check(1, None), result, bounds=['stopped at the first defect'])
    done, result = verify('mpich', 'hang', '--time', '1', ranks=3)
    expect(done.check(2, None), result, verdict='incomplete', runs=0, bounds=['time limit of 1 s reached'])


@test
def result_of_an_interrupted_search():
    folder = folder_of_result()
    done = tourney('-n', '9', '--no-merge', '--quiet', '-o', folder, HERE.actor(), 'race',
                   during=lambda process: (time.sleep(0.3), process.send_signal(signal.SIGTERM)))
    done.check(128 + signal.SIGTERM, None)
    expect(done, result_in(folder), verdict='defects', bounds=['stopped by signal 15 (Terminated)'])


@on_each_library
def resume_after_a_kill(mpi):
    folder = folder_of_result()
    tourney('-n', '7', '--no-merge', '--quiet', '-o', folder, HERE.actor(mpi), 'race', cwd=HERE.folder,
            during=lambda process: process.kill()).check(-signal.SIGKILL, None)
    first = result_in(folder)
    done = tourney('resume', folder, '--max-runs', '400').check(1, None)
    if first['runs'] < 400:
        expect(done, result_in(folder), runs=400, bounds=['limit of 400 runs reached'])
    done = tourney('resume', folder, '--quiet').check(1, None)
    result = result_in(folder)
    expect(done, result, verdict='defects', runs=601, bounds=[])
    expect(done, result['findings'][0], message=first['findings'][0]['message'], runs=1)
    if sorted(os.listdir(folder)) != ['result.json', 'run-1-clean.json', 'run-1.json', 'tree.json']:
        done.fail('left in the folder: %s' % os.listdir(folder))
    done = tourney('resume', folder).check(1, None)
    done.matches(r'\Atourney: the search in %s is complete: 1 finding\n  1  Deadlock: ' % re.escape(folder), done.out)


@test
def resume_that_ends_before_it_has_caught_up():
    """What a search that was killed has written last may say less than its journal, and less than one that is resumed for fewer runs."""
    folder = folder_of_result()
    tourney('-n', '7', '--no-merge', '--quiet', '--max-runs', '500', '-o', folder, HERE.actor('mpich'), 'race',
            cwd=HERE.folder).check(1, None)
    path = os.path.join(folder, 'result.json')
    for known, said in (1, 400), (450, 450):
        result = {**result_in(folder), 'runs': known, 'distinct': known}
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(result, file)
        done = tourney('resume', folder, '--quiet', '--max-runs', '400').check(1, None)
        expect(done, result_in(folder), runs=said)


@on_each_library
def resume_of_a_search_that_merges(mpi):
    folder = folder_of_result()
    tourney('-n', '8', '--max-runs', '1', '--quiet', '-o', folder, HERE.actor(mpi), 'race',
            cwd=HERE.folder).check(1, None)
    done = tourney('resume', folder).check(1, None)
    done.matches(r'^tourney: any buffering: 2 runs, which stand for 4321, 1 of them fails$', done.out)


@test
def resume_of_other_things():
    folder = folder_of_result()
    refuses('resume takes one DIR, the result directory of the search (tourney --help)', 'resume')
    refuses('resume takes --max-runs, --time, --jobs, --quiet and --color; the rest is as it was (tourney --help)',
            'resume', '-n', '2', folder)
    refuses(folder + ' is no result of tourney, so there is no search to go on with', 'resume', folder)
    program = HERE.path('resumed')
    shutil.copy(HERE.actor(), program)
    tourney('-n', '5', '--no-merge', '--max-runs', '2', '--quiet', '-o', folder, program, 'race',
            cwd=HERE.folder).check(1, None)
    os.utime(program)
    refuses('%s was built anew since %s was searched; search it anew' % (program, folder), 'resume', folder)
    with open(os.path.join(folder, 'journal'), 'r+b') as journal:
        journal.write(b'garbage')
    done = tourney('resume', folder).check(3, '', None)
    done.matches(r'\Atourney: %s/journal is not a journal of tourney\n\Z' % re.escape(folder))


# What becomes of findings


def a_file(name, text):
    path = os.path.join(folder_of_result(), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as file:
        file.write(text)
    return path


@test
def severity_of_a_kind():
    done, result = verify('mpich', 'stuck', '-W', 'deadlock=warning')
    expect(done.check(0, None), result, verdict='clean')
    expect(done, result['findings'][0], kind='deadlock', severity='warning')
    done.matches(r'^  1  Warning: deadlock: ', done.out)
    done, result = verify('mpich', 'stuck', '-W', 'dead*=note')
    expect(done.check(0, None), result['findings'][0], severity='note')
    done, result = verify('mpich', 'stuck', '-W', 'deadlock=note', '-W', '*=off')
    expect(done.check(0, None), result, findings=[])
    done, result = verify('mpich', 'stuck', '--error-exitcode', '77')
    expect(done.check(77, None), result, verdict='defects')


@test
def severities_that_make_no_sense():
    for text, message in (('deadlock', "-W is KIND=error, warning, note or off, not 'deadlock'"),
                          ('deadlock=bad', "-W is KIND=error, warning, note or off, not 'deadlock=bad'"),
                          ('dedlock=off', "-W: no finding is called 'dedlock'")):
        refuses(message, '-n', '2', '-W', text, HERE.actor('mpich'))
    refuses('--error-exitcode is a number from 1 to 255, not \'0\'', '-n', '2', '--error-exitcode', '0',
            HERE.actor('mpich'))
    refuses('--suppressions, --gen-suppressions, --error-exitcode and --each-args are for tourney verify '
            '(tourney --help)', 'run', '-n', '2', '--gen-suppressions', HERE.actor('mpich'))


@on_each_library
def suppressions_that_were_generated(mpi):
    done, result = verify(mpi, 'stuck', '--gen-suppressions')
    rules = done.check(1, None).out.partition(', kept in ')[2].partition('#')[2]
    done.matches(r'^deadlock call=MPI_Recv place=actor.c:[0-9]+ function=message$', rules)
    rules = a_file('rules', '#' + rules)
    done, result = verify(mpi, 'stuck', '--suppressions', rules)
    expect(done.check(0, None), result, verdict='clean', findings=[])
    done, result = verify(mpi, 'swap', '--suppressions', rules)
    expect(done.check(1, None), result, verdict='defects')


@test
def suppressions_that_make_no_sense():
    rules = a_file('rules', '# fine\ndeadlock\nlost-message line=4\n')
    refuses("%s:3: 'line=4' is not call=, place= or function= with a pattern" % rules,
            '-n', '2', '--suppressions', rules, HERE.actor('mpich'))
    refuses('/nonexistent: No such file or directory', '-n', '2', '--suppressions', '/nonexistent',
            HERE.actor('mpich'))
    refuses('/: Is a directory', '-n', '2', '--suppressions', '/', HERE.actor('mpich'))


@on_each_library
def each_line_of_arguments(mpi):
    lines = a_file('lines', '# inputs\nhello x\n\n"stuck"\nswap\nstuck\n')
    folder = folder_of_result()
    done = tourney('-n', '2', '-o', folder, '--quiet', '--each-args', lines, HERE.actor(mpi)).check(1, None)
    result = result_in(folder)
    expect(done, result, verdict='defects', runs=4, bounds=[])
    expect(done, result['findings'][0], kind='deadlock', runs=2)
    expect(done, result['findings'][1], kind='buffering-deadlock')
    done.matches('^tourney: with the arguments: hello x\ntourney: any buffering: 1 run; it ended well$', done.out)
    done.matches('^  with the arguments: "stuck"$', done.out)


@test
def lines_cannot_be_resumed():
    lines, folder = a_file('lines', 'race\n'), folder_of_result()
    tourney('-n', '4', '--max-runs', '1', '-o', folder, '--quiet', '--each-args', lines, HERE.actor('mpich')).check(1, None)
    refuses(f'{folder}: this search did not come to its end and has no journal, so it cannot be resumed (as with --each-args and '
            'with several --choose or --nodes); begin it again', 'resume', folder)


@test
def lines_that_make_no_sense():
    lines = a_file('lines', 'fine\n"not closed\n')
    refuses('%s:2: a quote is not closed' % lines, '-n', '2', '--each-args', lines, HERE.actor('mpich'))
    lines = a_file('none', '# nothing\n')
    refuses('%s: there is no line with arguments' % lines, '-n', '2', '--each-args', lines, HERE.actor('mpich'))


@test
def search_by_chance_and_within_bounds():
    done, result = verify('mpich', 'race', '--no-merge', '--mix-bound', '0', ranks=5)
    complete = 'every run was looked at in which at most 1 decision is not the first that was possible'
    expect(done, result, bounds=['alternatives were not all combined with each other'], complete=complete,
           next=['--mix-bound 1, with which one more decision may differ'])
    done, result = verify('mpich', 'race', '--no-merge', '--sample', '20', '--seed', '3', ranks=6)
    expect(done, result, bounds=['runs were taken at random'])
    done.matches(r'^tourney: any buffering: \d+ runs of (?:about|more than) \d\S*(?: million)?, ', done.out)
    refuses('--sample and --mix-bound do not go together (tourney --help)',
            '-n', '2', '--sample', '2', '--mix-bound', '2', HERE.actor(), 'race')
    refuses('--sample and --poll-bound do not go together (tourney --help)',
            '-n', '2', '--sample', '2', '--poll-bound', '2', HERE.actor(), 'race')


@on_each_library
def states_are_explained(mpi):
    source = os.path.join(ROOT, 'test', 'states', 'known.c')
    line = next(i for i, text in enumerate(open(source), 1) if '/* BLOCK */' in text)
    HERE.must_compile('mpicc.' + mpi, '-g', '-O0', source, '-o', 'known.' + mpi)
    done = tourney('explain-states', '-n', '4', HERE.path('known.' + mpi)).check(0)
    for what in ('variable second', 'local variable first of listen',
                 r'block of 40 bytes from known\.c:%d in main \(program\), at \+20' % line):
        done.matches(r'^ +[1-9]\d*  %s(?: \(program\))?: \d and \d' % what, done.out)
    done.matches(r'^tourney: 13 of them could have been the same as another one', done.out)
    if any(word in done.out for word in ('(tourney)', '(C library)', '(MPI library)', 'the kernel keeps')):
        done.fail('something else differs, too')
    done = tourney('explain-states', '-n', '4', '--max-runs', '1', HERE.path('known.' + mpi)).check(2)
    refuses('the program is missing (tourney --help)', 'explain-states', '-n', '4')


@on_each_library
def polls_within_bounds(mpi):
    every = 'every order of messages was looked at, with polls that say no '
    done, result = verify(mpi, 'impatient', '--poll-bound', '0')
    expect(done, result, verdict='incomplete', runs=1, bounds=['polls said no only where no yes can come'],
           complete=every + 'only where no yes can come', next=['--poll-bound 1, with which polls may say no once more'])
    done.matches('^tourney: complete: every order of messages was looked at, with polls', done.out)
    done.matches('^tourney: to try next: --poll-bound 1, with which polls may say no once more$', done.out)
    done, result = verify(mpi, 'impatient', '--poll-bound', '1')
    expect(done, result, verdict='incomplete', complete=every + 'at most once where a yes can come')
    done, result = verify(mpi, 'impatient', '--poll-bound', '2')
    expect(done, result, verdict='defects', complete=every + 'at most twice where a yes can come')
    done, result = verify(mpi, 'impatient', '--poll-bound', '3')
    expect(done, result, verdict='defects', bounds=[], complete=None, next=[])


@on_each_library
def jobs_change_nothing(mpi):
    results = [verify(mpi, 'race', '--no-merge', '--jobs', jobs, ranks=6)[1] for jobs in ('1', '2', '4')]
    done, result = verify(mpi, 'race', ranks=6)
    for other in results:
        for field in ('seconds', 'segments', 'cwd'):
            other.pop(field)
        expect(done, other, **results[0])
    expect(done, result, verdict=results[0]['verdict'])


@test
def result_in_a_place_that_does_not_work():
    for where, why in (('/nonexistent/x', 'No such file or directory'), ('/dev/null/x', 'Not a directory')):
        refuses('cannot make the directory %s for the result: %s' % (where, why),
                '-n', '2', '-o', where, HERE.actor(), 'hello')
    path = HERE.write('precious', 'precious')
    refuses('%s exists and is not a directory; choose another one for the result with -o' % path,
            '-n', '2', '-o', path, HERE.actor(), 'hello')
    refuses('%s exists and is not a result of tourney; choose another directory with -o' % HERE.folder,
            '-n', '2', '-o', HERE.folder, HERE.actor(), 'hello')


@test
def result_is_not_begun_for_a_program_that_is_not_there():
    folder = folder_of_result()
    refuses('./nosuch: no such program', '-n', '2', '-o', folder, './nosuch')
    if os.path.exists(folder):
        raise Failure('there is a directory')


@test
def names_that_are_not_text():
    name = os.fsencode(HERE.folder) + b'/actor "\xff\n'
    shutil.copy(HERE.actor(), name)
    folder = folder_of_result()
    done = watched([HERE.tourney, '-n', '2', '-o', folder, name, 'hello', b'\xe9'])
    result = result_in(folder)
    expect(done.check(), result, program=HERE.folder + '/actor "\\xff\n', args=['hello', '\\xe9'])


@test
def progress_is_a_line_on_a_terminal():
    for options, seen in ([], True), (['--quiet'], False):
        main, end = os.openpty()
        done = tourney('-n', '7', '--no-merge', '--no-savepoints', '--time', '30', *options, HERE.actor(), 'race', stderr=end)
        os.close(end)
        said = b''
        with contextlib.suppress(OSError):
            said = os.read(main, 65536)
        os.close(main)
        if bool(re.search(rb'\r\x1b\[Ktourney: \d+ runs of (?:about|more than) \d\S*(?: million)?, \d+/s, 1 finding', said)) != seen:
            done.fail('on the terminal stands %r' % said[:300])
        if seen and not said.endswith(b'\r\x1b[K'):
            done.fail('the line is not cleared: %r' % said[-100:])


# Records


RECORD = threading.Lock()


def record():
    """A record of several blocks, made once: its path and its bytes."""
    path = HERE.path('many.tny')
    with RECORD:
        if not os.path.exists(path):
            act('mpich', 'many', options=['-o', path]).check(0, '')
    with open(path, 'rb') as file:
        return path, file.read()


@on_each_library
def record_and_dump(mpi):
    path = HERE.path('swap.%s.tny' % mpi)
    act(mpi, 'swap', options=['--record', path, '--buffering=eager=4']).check(0, '')
    done = tourney('dump', path).check()
    for pattern in (r'^program +.*actor\.%s swap$' % mpi, r'^ranks +2$', r'^mpi +%s$' % mpi, r'^buffering +eager=4$',
                    r'^0\.\d+ +MPI_Send +dest=1 tag=0 .*-> 1\.\d+ +actor\.c:\d+ in message$',
                    r'^1\.\d+ +MPI_Recv +source=0 tag=0 .*<- 0\.\d+ +actor\.c:\d+ in message$',
                    r'^end +ended, exit code 0$'):
        done.matches(pattern, done.out)
    whole = json.loads(tourney('dump', path, '--json').check().out)
    if whole['torn'] is not None or sum(r['record'] == 'match' for r in whole['records']) != 2:
        raise Failure('JSON is not what was recorded')


@test
def record_that_cannot_be_made():
    refuses('cannot write the record /nonexistent/x.tny: No such file or directory',
            'run', '-n', '2', '-o', '/nonexistent/x.tny', HERE.actor(), 'hello')
    refuses('cannot write the record /tmp: Is a directory', 'run', '-n', '2', '-o', '/tmp', HERE.actor(), 'hello')


@test
def record_is_not_made_for_a_program_that_is_not_there():
    path = HERE.write('precious.tny', 'precious')
    refuses('./nosuch: no such program', 'run', '-n', '2', '-o', path, './nosuch')
    with open(path, encoding='utf-8') as file:
        if file.read() != 'precious':
            raise Failure('the file was overwritten')


@test
def record_on_a_full_disk():
    done = act('mpich', 'hello', options=['-o', '/dev/full'])
    done.sorted_out('rank 0 of 2', 'rank 1 of 2')
    done.check(3, None, ['tourney: the record /dev/full is not complete: No space left on device'])


@test
def record_that_is_cut_short():
    _, content = record()
    path = HERE.write('cut.tny', content[:len(content) * 9 // 10])
    done = tourney('dump', path).check(3, None, None)
    done.matches(r'\Atourney: %s: ends in the middle of a block at byte \d+; everything before it was read\n\Z'
                 % re.escape(path))
    done.matches(r'^0\.\d+ +MPI_Barrier ', done.out)
    if re.search('^end ', done.out, re.M):
        done.fail('claims to know the end')
    half = json.loads(tourney('dump', '--json', path).check(3, None, None).out)
    if not half['records'] or 'ends in the middle' not in half['torn']:
        raise Failure('JSON does not say that it is half')


@test
def record_cut_anywhere():
    _, content = record()
    for size in (1, 8, 20, 30, 60, len(content) - 1):
        path = HERE.write('cut-%d.tny' % size, content[:size])
        done = tourney('dump', path).check(3, None, None)
        if len(done.err.splitlines()) != 1 or not done.err.startswith('tourney: %s: ' % path):
            done.fail('not one line')


@test
def record_that_is_damaged():
    """Wherever a byte is wrong: within a block the checksum tells, in its head its length may lead past the end."""
    _, content = record()
    told = set()
    head = 24 + struct.unpack_from('I', content, 16)[0]  # a regular run is a short record: the head must not be a tenth of it
    for tenth in range(1, 10):
        spot = head + (len(content) - head) * tenth // 10
        path = HERE.write('damaged.tny', content[:spot] + bytes([content[spot] ^ 255]) + content[spot + 1:])
        done = tourney('dump', path).check(3, None, None)
        done.matches(r'\Atourney: %s: (is damaged in the block|ends in the middle of a block) at byte \d+; '
                     r'everything before it was read\n\Z' % re.escape(path))
        told.add('damaged' if 'is damaged' in done.err else 'short')
    if 'damaged' not in told:
        raise Failure('no checksum told')
    done.matches(r'^0\.\d+ +MPI_Barrier ', done.out)


@test
def dump_of_something_else():
    path = HERE.write('letter.tny', 'Dear reader, this is no record, however long the letter may become.\n')
    refuses(path + ': not an execution record of tourney', 'dump', path)
    refuses('/dev/null: empty file, not an execution record', 'dump', '/dev/null')
    refuses('/tmp: Is a directory', 'dump', '/tmp')
    refuses('/nonexistent/x.tny: No such file or directory', 'dump', '/nonexistent/x.tny')


@test
def predicted_from_one_run():
    """Both ranks send first: a run with buffering ends well, and says that others do not."""
    path = HERE.path('predict.tny')
    act('mpich', 'swap', options=['-o', path]).check(0, '')
    done = tourney('predict', path).check(1, None)
    for pattern in (r'^deadlock predicted, buffering any, unless ', r'^and MPI does not buffer$',
                    r"^  rank 0's MPI_Send\(dest=1, tag=0\) at actor\.c:\d+ in message$",
                    r'^  rank 1 waits in MPI_Send\(dest=0, tag=0\) at actor\.c:\d+ in message$',
                    r'^2 sends, 2 receives, 2 pairs; \d+ variables, \d+ clauses'):
        done.matches(pattern, done.out)
    for encoding in ('ours', 'plain', 'multi'):
        tourney('predict', path, '--encoding=' + encoding, '--buffering=zero').check(1, None)
        done = tourney('predict', '--encoding=' + encoding, '--buffering=infinite', path).check(0, None)
        done.matches('^no run with this control flow deadlocks, buffering infinite$', done.out)


@test
def formula_and_proof():
    path, formula, proof = HERE.path('proof.tny'), HERE.path('proof.cnf'), HERE.path('proof.drup')
    act('mpich', 'swap', options=['-o', path]).check(0, '')
    tourney('predict', path, '--buffering=any', '--dimacs', formula).check(1, None)
    tourney('predict', path, '--encoding=plain', '--buffering=infinite', '--proof', proof).check(0, None)
    with open(formula) as file:
        text = file.read()
    if not re.search(r'^c 1 returned 0\.\d+$', text, re.M) or not re.search(r'^p cnf \d+ \d+$', text, re.M):
        raise Failure('no formula with a map in ' + formula)
    with open(proof) as file:
        if not file.read().endswith('0\n'):
            raise Failure('no proof in ' + proof)


@test
def engine_misused():
    refuses("--engine is auto, explore, predict or paths, not 'fast'", '-n', '2', '--engine=fast', HERE.actor())
    refuses("--assume knows single-path, not 'luck'", '-n', '2', '--assume=luck', HERE.actor())
    refuses('--assume single-path is for prediction, which --engine=explore forbids (tourney --help)', '-n', '2',
            '--engine=explore', '--assume', 'single-path', HERE.actor())
    refuses('prediction needs one run: --sample, --mix-bound and --poll-bound are for the search (tourney --help)', '-n', '2',
            '--engine=predict', '--sample', '3', HERE.actor())
    refuses('--encoding, --dimacs, --proof and --can are for tourney predict (tourney --help)', '-n', '2',
            '--dimacs', 'x', HERE.actor())


@test
def predict_misused():
    path = HERE.write('letter.tny', 'Dear reader, this is no record, however long the letter may become.\n')
    refuses('predict needs a FILE that tourney run -o wrote, or -n N and a program (tourney --help)', 'predict')
    refuses('predict takes one FILE (tourney --help)', 'predict', 'a', 'b')
    refuses("--encoding is ours, plain or multi, not 'fast'", 'predict', '--encoding=fast', path)
    refuses('--buffering=any needs --encoding=ours; the others know infinite, zero and eager=BYTES', 'predict',
            '--encoding=plain', '--buffering=any', path)
    refuses("'--fly' is not an option of tourney (tourney --help)", 'predict', '--fly', path)
    refuses('predict takes a FILE, or -n N and a program (tourney --help)', 'predict', path, '-n', '2')
    refuses('predict FILE takes --buffering, --encoding, --dimacs, --proof and --can; the others need a program '
            '(tourney --help)', 'predict', path, '--stop-first')
    refuses('--faults, --fault-places, --reductions and --engine are for tourney verify (tourney --help)', 'predict', '--engine=explore', '-n', '2', HERE.actor())
    refuses(path + ': not an execution record of tourney', 'predict', path)
    refuses('cannot write /nonexistent/x.cnf: No such file or directory', 'predict', '--dimacs', '/nonexistent/x.cnf', path)


@test
def dump_misused():
    refuses('dump needs a FILE (tourney --help)', 'dump')
    refuses('dump needs a FILE (tourney --help)', 'dump', '--json')
    refuses('dump takes one FILE, and --json (tourney --help)', 'dump', 'a', 'b')
    refuses('dump takes one FILE, and --json (tourney --help)', 'dump', '--fly', 'a')


@test
def dump_into_head():
    path, _ = record()
    for more in ([], ['--json']):
        tourney('dump', path, *more, during=lambda process: process.stdout.close()).check(0)


@test
def dump_on_a_full_disk():
    path, _ = record()
    with open('/dev/full', 'wb') as full:
        tourney('dump', path, stdout=full).check(3, '', ['tourney: cannot write: No space left on device'])


# Installation


@test
def installed_tourney_runs_from_where_it_is():
    build = os.path.dirname(HERE.tourney)
    build = os.path.relpath(build, ROOT) if build.startswith(ROOT + os.sep) else build
    place = HERE.path('installed')
    as_they_are = ['-o%s/obj/%s/optimized' % (build, mpi) for mpi in ('abi', *LIBRARIES)]  # suites beside this one run with these shims
    make = ['make', '-s', '-C', ROOT, *as_they_are, 'B=' + build, 'DESTDIR=' + place, 'PREFIX=/usr', 'install']
    env = {key: value for key, value in os.environ.items() if not key.startswith('MAKE') and key != 'MFLAGS'}
    done = subprocess.run(make, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise Failure('make install: ' + done.stdout[-1500:])
    for file in ('bin/tourney', 'lib/tourney/libtourney.so', 'lib/pkgconfig/tourney.pc', 'share/man/man1/tourney.1',
                 'share/man/man7/tourney-calls.7'):
        if not os.path.isfile(os.path.join(place, 'usr', file)):
            raise Failure('not installed: ' + file)
    link = HERE.path('link-to-tourney')
    os.symlink(os.path.join(place, 'usr/bin/tourney'), link)
    for program in (os.path.join(place, 'usr/bin/tourney'), link):
        for mpi in LIBRARIES:
            watched([program, 'run', '-n', '2', HERE.actor(mpi), 'hello']).check().sorted_out('rank 0 of 2', 'rank 1 of 2')
    check_package(os.path.join(place, 'usr/lib/pkgconfig/tourney.pc'))


@test
def tourney_in_a_folder_with_a_space():
    place = HERE.path('my programs: new')
    os.makedirs(place)
    shutil.copy(HERE.tourney, place)
    shutil.copytree(os.path.join(os.path.dirname(HERE.tourney), 'lib'), os.path.join(place, 'lib'))
    done = watched([os.path.join(place, 'tourney'), 'run', '-n', '2', HERE.actor(), 'hello'])
    done.check().sorted_out('rank 0 of 2', 'rank 1 of 2')


@test
def doctor():
    said = tourney('doctor').check(0, None, '').out
    for line in (r'^ok   MPICH  .*libmpich\.so\.12$', r'^ok   Open MPI  .*libmpi\.so\.40$', r'^ok   memfd ', r'^ok   Linux '):
        if not re.search(line, said, re.M):
            raise Failure('nothing matches %s in\n%s' % (line, said))


@test
def doctor_misses_a_shim():
    place = HERE.path('lame')
    os.makedirs(place)
    shutil.copy(HERE.tourney, place)
    shutil.copytree(os.path.join(os.path.dirname(HERE.tourney), 'lib'), os.path.join(place, 'lib'))
    os.remove(os.path.join(place, 'lib/tourney/libtourney-openmpi.so'))
    said = watched([os.path.join(place, 'tourney'), 'doctor']).check(0, None, '').out
    if not re.search(r'^--   Open MPI  .*; tourney was built without a shim for it', said, re.M):
        raise Failure('the missing shim is not told\n' + said)


def check_package(path):
    """pkg-config knows version and places."""
    version = tourney('--version').out.split()[1]
    for question, answer in (('--modversion', version), ('--variable=prefix', '/usr'),
                             ('--variable=libdir', '/usr/lib/tourney')):
        said = subprocess.run(['pkg-config', question, path], stdout=subprocess.PIPE, text=True).stdout.strip()
        if said != answer:
            raise Failure('pkg-config %s says %r, not %r' % (question, said, answer))


def main(program=os.path.join(ROOT, 'build', 'tourney'), *words):
    before = shared_memory()
    return HERE.run(program, CASES, words, HERE.prepare, WORKERS,
                    [('no shared memory left', lambda: expect_no_shared_memory(before))])


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
