#!/usr/bin/python3
"""The completion scripts know the commands and options that tourney knows, and no others."""

import os
import re
import shutil
import subprocess
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')


def read(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read()


def options_of_tourney():
    """Of all commands together."""
    sources = ''.join(read('src/command/%s.c' % name) for name in ('said', 'replay_options', 'ask'))
    found = set(re.findall(r'\{"([a-z-]+)", (?:no|required|optional)_argument', sources))
    if len(found) < 10:
        raise AssertionError('said.c is not as this test expects')
    return found | set(re.findall(r'strcmp\(argv\[i\], "--([a-z-]+)"\)', read('src/command/dump.c')))


def commands_of_tourney():
    return set(re.findall(r'\{"([a-z]+)", command_', read('src/main.c')))


def bash(words):
    """What bash would offer after these words."""
    script = 'source %s/completion/tourney.bash; COMP_WORDS=(tourney "$@"); COMP_CWORD=$#; _tourney; ' \
             'printf "%%s\\n" "${COMPREPLY[@]}"' % ROOT
    done = subprocess.run(['bash', '-c', script, 'bash', *words], capture_output=True, text=True, check=True)
    if done.stderr:
        raise AssertionError(done.stderr)
    return set(done.stdout.split())


class Completion(unittest.TestCase):
    def check(self, script, options):
        wanted = options_of_tourney() | {'version'}
        self.assertEqual(wanted - options, set(), script + ' lacks options')
        self.assertEqual(options - wanted, set(), script + ' has options that tourney lacks')

    def test_bash(self):
        offered = {command: bash([command, '--']) for command in
                   ('verify', 'run', 'dist', 'resume', 'replay', 'report', 'predict', 'model', 'ask', 'dump')}
        options = {word[2:] for words in offered.values() for word in words}
        self.check('tourney.bash', options | {'version'})
        self.assertEqual(bash(['-n', '4', '--']), offered['verify'])
        self.assertEqual({word for word in bash(['']) if word[0] != '-'}, commands_of_tourney())

    def test_zsh(self):
        text = read('completion/_tourney')
        self.check('_tourney', set(re.findall(r"[*',]--([a-z-]+)", text)))
        self.assertEqual(set(re.search(r'_values command (.*)', text)[1].split()), commands_of_tourney())
        if shutil.which('zsh'):
            subprocess.run(['zsh', '-n', os.path.join(ROOT, 'completion/_tourney')], check=True)

    def test_fish(self):
        text = read('completion/tourney.fish')
        self.check('tourney.fish', set(re.findall(r' -l ([a-z-]+)', text.split('complete -c', 1)[1])))
        self.assertEqual(set(re.search(r'set -l commands (.*)', text)[1].split()), commands_of_tourney())
        if shutil.which('fish'):
            subprocess.run(['fish', '-n', os.path.join(ROOT, 'completion/tourney.fish')], check=True)


if __name__ == '__main__':
    unittest.main()
