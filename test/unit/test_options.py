#!/usr/bin/python3
"""What is generated from the table of options has every option of every command, and no other."""

import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
FOLDER = os.path.join(ROOT, 'src', 'options')


def load(path):
    spec = importlib.util.spec_from_file_location('generate', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATE = load(os.path.join(FOLDER, 'generate.py'))
TABLE = GENERATE.read_table(os.path.join(FOLDER, 'options.table'))
SPOKEN = {command.name: command for command in TABLE.spoken()}


def options_of(command):
    return {name for option in TABLE.of_spoken(SPOKEN[command]) for name in option.names}


def commands_of_tourney():
    with open(os.path.join(ROOT, 'src', 'main.c')) as file:
        return set(re.findall(r'\{"([a-z-]+)", command_', file.read())) - {'dist-rank'}


class Generated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        GENERATE.write_all(cls.place.name, TABLE)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def path(self, name):
        return os.path.join(self.place.name, name)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def bash(self, *words):
        """What bash would offer after these words."""
        script = 'source %s; COMP_WORDS=(tourney "$@"); COMP_CWORD=$#; _tourney; ' \
                 'printf "%%s\\n" "${COMPREPLY[@]}"' % self.path('completion/tourney.bash')
        done = subprocess.run(['bash', '-c', script, 'bash', *words], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, '')
        return set(done.stdout.split())

    def test_commands(self):
        self.assertEqual(set(SPOKEN), commands_of_tourney())
        self.assertGreater(len(TABLE.options), 40)

    def test_sentence_about_options_begins_with_those_that_are_at_home(self):
        self.assertIn('"model takes --emit, --check, --no-fold, --buffering, ', self.read('options/option_table.c'))
        self.assertIn('"resume takes --max-runs, --time, --jobs, --quiet and --color; ', self.read('options/option_table.c'))

    def test_bash(self):
        for command in SPOKEN:
            if command != 'demo':
                self.assertEqual(self.bash(command, '-'), options_of(command), command)
        self.assertEqual(self.bash('-n', '4', '-'), options_of('verify'))
        self.assertEqual({word for word in self.bash('') if word[0] != '-'}, set(SPOKEN))
        self.assertEqual(self.bash('model', '--emit', ''), {'promela', 'tla', 'dot', 'json'})
        self.assertEqual(self.bash('--max-runs', ''), set())

    def test_zsh(self):
        text = self.read('completion/_tourney')
        for command in SPOKEN:
            if command != 'demo':
                own = re.search(r'^    %s=\(\n(.*?)^    \)' % command.replace('-', '_'), text, re.M | re.S)[1]
                found = re.findall(r"^ +'(?:\*|\([^)]*\))?(--?[A-Za-z-]+)", own, re.M)
                self.assertEqual(set(found), options_of(command))
        self.assertEqual(set(re.search(r'_values command (.*)', text)[1].split()), set(SPOKEN))
        if shutil.which('zsh'):
            subprocess.run(['zsh', '-n', self.path('completion/_tourney')], check=True)

    def test_fish(self):
        found = {command: set() for command in SPOKEN}
        for line in self.read('completion/tourney.fish').splitlines():
            commands = re.search(r'__tourney_command ([a-z,-]+)"', line)
            for command in commands[1].split(',') if commands else []:
                found[command] |= {'-' + name for name in re.findall(r' -s (\w)', line)}
                found[command] |= {'--' + name for name in re.findall(r' -l ([a-z-]+)', line)}
        self.assertEqual(found, {command: options_of(command) for command in SPOKEN})
        if shutil.which('fish'):
            subprocess.run(['fish', '-n', self.path('completion/tourney.fish')], check=True)

    def test_manual(self):
        text = self.read('doc/tourney.1').replace('\\-', '-')
        options = text.split('.SH OPTIONS\n')[1].split('.SH ')[0]
        found = {command: set() for command in SPOKEN}
        for head, commands in re.findall(r'^\.TP\n(.*)\\~ \((.*)\)$', options, re.M):
            for command in commands.split(', '):
                found[command] |= set(re.findall(r'\\fB(--?[A-Za-z-]+)', head))
        self.assertEqual(found, {command: options_of(command) for command in SPOKEN})
        for mark in ('@OPTIONS@', '@SYNOPSIS@'):
            self.assertNotIn(mark, text)

    def test_manual_speaks_of_options_that_exist(self):
        known = {name for option in TABLE.options for name in option.names}
        with open(os.path.join(ROOT, 'doc', 'tourney.1.in')) as file:
            said = set(re.findall(r'--[a-z][a-z-]+', file.read().replace('\\-', '-')))
        self.assertEqual(said - known, {'--name'})


class Wrong(unittest.TestCase):
    """A table that makes no sense is refused by a sentence that says where."""

    def refused(self, line, why):
        with open(os.path.join(FOLDER, 'options.table')) as file:
            lines = file.read().replace('\noverview\n', '\n%s\noverview\n' % line, 1)
        with tempfile.NamedTemporaryFile('w', suffix='.table') as table:
            table.write(lines)
            table.flush()
            done = subprocess.run(['python3', os.path.join(FOLDER, 'generate.py'), '--table', table.name, '--out',
                                   table.name + '.out'], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(why, done.stderr)

    def test_lines(self):
        self.refused('--fly flag nowhere : fly', "there is no command 'nowhere'")
        self.refused('--fly verify : fly', 'the kind of the value is missing')
        self.refused('--fly N flag verify : fly', 'a flag has no argument')
        self.refused('--quiet flag verify : again', '--quiet stands twice for verify')
        self.refused('--fly=N text as seed model : fly', 'seed is of two kinds')
        self.refused("--fly flag verify : what's that", 'not plain text for a shell')
        self.refused('exclude --engine=magic --quiet : no', '--engine is never magic')
        self.refused('fly verify', "what is 'fly'?")


if __name__ == '__main__':
    unittest.main()
