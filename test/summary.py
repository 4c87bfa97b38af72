#!/usr/bin/python3
"""What tourney says to somebody who reads: whole texts, colours and the width of the terminal.

    summary.py [TOURNEY]             compares with the texts in test/gold
    summary.py [TOURNEY] --update    writes these anew, to be read before they are committed

Each text in test/gold begins with the command that gives it.  It is the same on both MPI libraries.
"""

import fcntl
import glob
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios

from lib import Failure
from lib.building import LIBRARIES, ROOT
from lib.running import watched
from lib.suite import Cases, Setting

GOLD = os.path.join(ROOT, 'test', 'gold')
FOLDERS = [os.path.join(ROOT, 'test', folder) for folder in ('viewer', 'explore', 'check')]
HERE = Setting()
CASES = Cases()
test = CASES.test


def build(program, mpi):
    """The program, in a folder where it has this name."""
    folder = os.path.join(HERE.folder, mpi)
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(os.path.join(folder, program)):
        source = next(path for path in (f'{where}/{program}.c' for where in FOLDERS) if os.path.exists(path))
        subprocess.run(['mpicc.' + mpi, '-g', '-w', source, '-o', program], cwd=folder, check=True)
    return folder


def words_of(command):
    """'tourney -n 3 ./race' for us to run, and the name of the program."""
    words = shlex.split(command)
    return [HERE.tourney, *words[1:]], next(word[2:] for word in words if word.startswith('./'))


# Whole texts


def said(command, mpi):
    words, program = words_of(command)
    done = watched(words, cwd=build(program, mpi))
    if done.err:
        done.fail('something is said on stderr')
    return f'{done.out}exit code {done.code}\n'


def compare(path, mpi):
    with open(path, encoding='utf-8') as file:
        command, wanted = file.read()[2:].split('\n', 1)
    text = said(command, mpi)
    if text != wanted:
        raise Failure('%s is not what %s says:\n%s' % (command, os.path.basename(path), text))


def update(path):
    with open(path, encoding='utf-8') as file:
        command = file.readline()[2:].rstrip('\n')
    text = said(command, 'mpich')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'$ {command}\n{text}')


# On a terminal


def on_terminal(command, columns, **env):
    """What stands on a terminal so wide, line by line, stdout and stderr."""
    words, program = words_of(command)
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    environment = {'TERM': 'xterm', **env}
    shell = 'unset NO_COLOR COLUMNS; ' + ''.join('export %s=%s; ' % item for item in environment.items()) + '{}'
    watched(words, cwd=build(program, 'mpich'), stdout=side, stderr=side, shell=shell)
    os.close(side)
    parts = []
    try:
        while parts[-1:] != [b'']:
            parts.append(os.read(main, 65536))
    except OSError:
        pass  # all was read, and nobody writes any more
    os.close(main)
    return b''.join(parts).decode().replace('\r\x1b[K', '').replace('\r\n', '\n')


ESCAPE = re.compile(r'\x1b\[[0-9;]*m')
RED, GREEN = '\x1b[1;31m', '\x1b[1;32m'


@test
def colours_on_a_terminal():
    text = on_terminal('tourney -n 3 --quiet ./race', 200)
    for wanted in (RED + 'tourney: deadlock: 1 of 3 ranks can never continue\x1b[0m\n',
                   '  1  ' + RED + 'Deadlock: rank 0 waits for rank 1, which has ended, in 1 of 2 outcomes  [deadlock]\x1b[0m\n',
                   '     To reproduce it: \x1b[1mtourney replay tourney.out 1\x1b[0m\n'):
        if wanted not in text:
            raise Failure('%r is not in %r' % (wanted, text))
    if GREEN + 'no defects' not in on_terminal('tourney -n 3 --quiet ./sums', 200):
        raise Failure('all is well, but not green')
    if RED + 'tourney: deadlock' not in on_terminal('tourney run -n 3 --buffering=zero ./ring 1', 200):
        raise Failure('run has no colours')


@test
def no_colours_where_nobody_wants_them():
    for command, env in (('--quiet', {'NO_COLOR': '1'}), ('--quiet', {'TERM': 'dumb'}), ('--quiet --color=never', {})):
        text = on_terminal('tourney -n 3 %s ./race' % command, 200, **env)
        if ESCAPE.search(text) or 'Deadlock' not in text:
            raise Failure('%s, %s: %r' % (command, env, text))


@test
def colours_if_asked_for():
    words, program = words_of('tourney -n 3 --quiet --color=always ./race')
    done = watched(words, cwd=build(program, 'mpich'), env={'NO_COLOR': '1'})
    plain = watched([word for word in words if 'color' not in word], cwd=build(program, 'mpich'))
    if RED not in done.out or ESCAPE.sub('', done.out) != plain.out:
        done.fail('it is not the same in colours')
    done = watched([HERE.tourney, '-n', '1', '--color=pink', 'x']).check(3, '', None)
    done.matches("^tourney: --color is auto, always or never, not 'pink'$")


@test
def the_width_is_respected():
    whole = ESCAPE.sub('', on_terminal('tourney -n 3 --quiet ./race', 1000))
    for columns in (50, 72, 120):
        text = ESCAPE.sub('', on_terminal('tourney -n 3 --quiet ./race', columns))
        for line in text.splitlines():
            if len(line) > columns:
                raise Failure('%d columns, and this line has %d: %s' % (columns, len(line), line))
        if text.split() != whole.split():
            raise Failure('other words at %d columns: %s' % (columns, text))


@test
def nothing_steers_the_terminal():
    folder = build('race', 'mpich')
    source = os.path.join(folder, 'e\x1b[31m\nvil.c')
    with open(os.path.join(ROOT, 'test', 'viewer', 'race.c'), encoding='utf-8') as file, open(source, 'w') as copy:
        copy.write(file.read())
    subprocess.run(['mpicc.mpich', '-g', '-w', source, '-o', 'evil'], cwd=folder, check=True)
    done = watched([HERE.tourney, '-n', '3', './evil'], cwd=folder).check(1, None)
    if '\x1b' in done.out or 'vil.c:13 in main' not in done.out:
        done.fail('the name of the file comes through')


def main(program=os.path.join(ROOT, 'build', 'tourney'), *options):
    texts = sorted(glob.glob(os.path.join(GOLD, '*.txt')))
    for path in texts:
        for mpi in LIBRARIES:
            CASES.add('%s [%s]' % (os.path.basename(path), mpi), compare, path, mpi)
    return HERE.run(program, CASES, prepare=lambda: [update(path) for path in texts if '--update' in options])


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
