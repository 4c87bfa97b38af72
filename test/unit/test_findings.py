#!/usr/bin/python3
"""The table of finding kinds agrees with the documentation, with the schema of results and with the sources."""

import glob
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
TABLE = os.path.join(ROOT, 'src', 'call', 'findings.table')


def load(path):
    spec = importlib.util.spec_from_file_location('findings', path)
    module = importlib.util.module_from_spec(spec)
    sys.modules['findings'] = module
    sys.path.insert(0, os.path.dirname(path))
    spec.loader.exec_module(module)
    return module


FINDINGS = load(os.path.join(ROOT, 'src', 'call', 'findings.py'))
KINDS = {kind.name: kind for kind in FINDINGS.read_table(TABLE)}


def read(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read()


def documented(path):
    """By kind: where it has a row, as (heading, severity)."""
    found, heading, names = {}, None, []
    for line in read(path).splitlines():
        if line.startswith('## '):
            heading = line[3:]
        cells = [cell.strip() for cell in line.strip('|').split('|')] if line.startswith('|') else []
        if len(cells) < 3 or cells[1] in ('severity', '---'):
            continue
        names = re.findall(r'`([a-z-]+)`', cells[0]) or names
        for name in names:
            found.setdefault(name, []).append((heading, re.search('error|warning|note', cells[1])[0]))
    return found


DOCUMENTS = {path: documented(path) for path in ('doc/checks.md', 'doc/findings.md')}


class Table(unittest.TestCase):
    def test_documents_have_these_kinds(self):
        self.assertGreater(len(KINDS), 45)
        self.assertEqual({name for rows in DOCUMENTS.values() for name in rows}, set(KINDS))

    def test_documents_have_these_severities(self):
        for name, kind in KINDS.items():
            said = {severity for rows in DOCUMENTS.values() for _, severity in rows.get(name, [])}
            self.assertEqual(said, set(kind.severities), name)

    def test_kinds_are_in_their_sections(self):
        for name, kind in KINDS.items():
            path, heading = kind.section
            self.assertIn(heading, [row[0] for row in DOCUMENTS[path].get(name, [])], name)

    def test_schema_takes_them(self):
        finding = json.loads(read('doc/result.schema.json'))['$defs']['finding']['properties']
        for name, kind in KINDS.items():
            self.assertRegex(name, finding['kind']['pattern'])
            self.assertLessEqual(set(kind.severities), set(finding['severity']['enum']))

    def test_sources_take_names_from_it(self):
        """A name in quotes would not be noticed if it were misspelt."""
        words = {'error', 'deadlock', 'livelock', 'abort', 'crash', 'hang', 'divergence'}  # of other things, too
        for path in glob.glob(os.path.join(ROOT, 'src', '*', '*.[ch]')):
            with open(path) as file:
                text = file.read()
            quoted = set(re.findall(r'"([a-z-]+)"', text)) & set(KINDS) - words
            self.assertEqual(quoted, set(), os.path.relpath(path, ROOT))
        used = set(re.findall(r'\b(KIND_[A-Z_]+)\b', ''.join(map(read, glob.glob('src/*/*.[ch]', root_dir=ROOT)))))
        unused = {kind.symbol for kind in KINDS.values() if not kind.complaints} - used
        self.assertEqual(unused, set(), 'nobody finds these')


class Wrong(unittest.TestCase):
    """A table that makes no sense is refused by a sentence that says where."""

    def refused(self, lines, why):
        with tempfile.NamedTemporaryFile('w', suffix='.table') as table:
            table.write(read('src/call/findings.table') + lines)
            table.flush()
            done = subprocess.run([sys.executable, FINDINGS.__file__, '--table', table.name, '--out', table.name + '.out'],
                                  capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(why, done.stderr)

    def test_lines(self):
        self.refused('kind fly bad : Flies\n    It flies.\n', "'bad' is not a severity")
        self.refused('kind fly error : Flies\n', 'fly: what does it mean?')
        self.refused('kind deadlock error : Again\n    Again.\n', 'deadlock is there twice')
        self.refused('kind fly error : Flies\n    It flies.\n    complaint 99 FLY error : up\n', 'without gaps')
        following = sum(len(kind.complaints) for kind in KINDS.values())
        self.refused('kind fly error : Flies\n    It flies.\n    complaint %d FLY note : up\n' % following,
                     'FLY: fly is never a note')


if __name__ == '__main__':
    unittest.main()
