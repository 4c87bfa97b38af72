#!/usr/bin/python3
"""What is written for other programs: results against doc/result.schema.json, SARIF against its official schema, JUnit,
and the words of findings in the HTML report.

    formats.py [TOURNEY]

The schema of SARIF 2.1.0 comes from npm, as part of a package, and is kept in the build directory.
"""

import functools
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree

import jsonschema

from lib import Failure
from lib.building import ROOT, compiled_copy
from lib.running import watched
from lib.suite import Cases, Setting

sys.path.append(os.path.join(ROOT, 'src', 'call'))
import findings  # noqa: E402: the table of kinds

KINDS = {kind.name: kind for kind in findings.read_table(os.path.join(ROOT, 'src', 'call', 'findings.table'))}

PACKAGE = '@datadog/datadog-ci-plugin-sarif@3.21.4'
PATH = 'package/dist/json-schema/sarif-schema-2.1.0.json'
SHA256 = '10666d46649b52e262001e70d43e6c52f7c0279ca3dbdfe9a7dc2e4071556454'

# Name, source below test/, ranks, options, arguments, exit code.
CASES = (('wildcard deadlock', 'viewer/race', 3, [], [], 1),
         ('buffering deadlock', 'explore/head_to_head', 2, [], [], 1),
         ('decisions and buffering', 'explore/dtg', 5, [], [], 1),
         ('type mismatch', 'check/type_mismatch', 2, [], [], 1),
         ('message race', 'check/message_race', 3, [], [], 0),
         ('lost message', 'check/lost_message', 2, [], [], 1),
         ('crash', 'viewer/crash', 3, [], [], 1),
         ('leaks', 'viewer/leaks', 8, [], [], 1),
         ('clean', 'viewer/sums', 4, [], [], 0),
         ('incomplete', 'viewer/sums', 4, ['--no-merge', '--max-runs', '2'], [], 2),
         ('hostile', 'viewer/hostile', 1, [], ['</script>\xff\x1b"&\'\n'], 1))


HERE = Setting()


def load(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def cached(function):
    return functools.lru_cache(maxsize=None)(function)


@cached
def own_schema():
    schema = load(os.path.join(ROOT, 'doc', 'result.schema.json'))
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


def fetch(path):
    """The schema, to be kept at this path; or why it cannot be had."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(['npm', 'pack', '--silent', PACKAGE], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                                  capture_output=True, timeout=120, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        packed = glob.glob(os.path.join(folder, '*.tgz'))
        if not packed:
            return done.stderr.strip()
        with tarfile.open(packed[0]) as archive:
            text = archive.extractfile(PATH).read()
    if hashlib.sha256(text).hexdigest() != SHA256:
        raise Failure('%s is not the schema that it was' % PATH)
    with open(path, 'wb') as file:
        file.write(text)
    return None


@cached
def sarif_schema():
    """The official one, got once; None: it cannot be had, which is said."""
    path = os.path.join(os.path.dirname(HERE.tourney), 'sarif-schema-2.1.0.json')
    why = None
    for _ in range(2):
        if os.path.exists(path):
            return load(path)
        why = fetch(path)
    if why is None:
        return load(path)
    print('SARIF is not held against its schema, which npm could not get: ' + why)
    return None


def agree(what, schema, validator):
    if schema is None:
        return
    wrong = next(validator(schema).iter_errors(what), None)
    if wrong:
        raise Failure('%s: %s' % ('/'.join(map(str, wrong.absolute_path)), wrong.message[:500]))


@cached
def found(name):
    """The folder in which a case was searched, once."""
    _, source, ranks, options, arguments, code = next(case for case in CASES if case[0] == name)
    folder = tempfile.mkdtemp(dir=HERE.folder)
    program = compiled_copy('mpich', os.path.join(ROOT, 'test', source + '.c'), folder, '-w')
    done = watched([HERE.tourney, '-n', str(ranks), '--quiet', '--sarif', 'sarif', '--junit', 'junit', *options,
                    './' + program, *(argument.encode('latin-1') for argument in arguments)], cwd=folder)
    done.check(code, None)
    return folder


def kept_as_documented(name):
    files = glob.glob(os.path.join(found(name), 'tourney.out', '*.json'))
    names = {os.path.basename(file) for file in files}
    if not {'result.json', 'tree.json'} <= names:
        raise Failure('there is only %s' % names)
    for file in files:
        agree(load(file), own_schema(), jsonschema.Draft202012Validator)


def sarif_is_valid(name):
    log = load(os.path.join(found(name), 'sarif'))
    agree(log, sarif_schema(), jsonschema.Draft7Validator)
    findings = load(os.path.join(found(name), 'tourney.out', 'result.json'))['findings']
    results = log['runs'][0]['results']
    if [(f['kind'], f['severity'], f['message']) for f in findings] != [
            (r['ruleId'], r['level'], r['message']['text']) for r in results]:
        raise Failure('it has other findings: %s' % results)
    rules = [rule['id'] for rule in log['runs'][0]['tool']['driver']['rules']]
    if any(rules[r['ruleIndex']] != r['ruleId'] for r in results):
        raise Failure('its rules are in disorder: %s' % rules)
    for rule in log['runs'][0]['tool']['driver']['rules']:
        kind = KINDS[rule['id']]
        if (rule['shortDescription']['text'], rule['fullDescription']['text'], rule['defaultConfiguration']['level']) != (
                kind.title, kind.meaning, kind.severities[0]):
            raise Failure('a rule is not what the table says: %s' % rule)


def page_has_the_words_of_its_kinds(name):
    folder = found(name)
    watched([HERE.tourney, 'report', 'tourney.out'], cwd=folder).check(0, None)
    with open(os.path.join(folder, 'tourney.out', 'report.html')) as file:
        page = json.loads(re.search(r'>(\{"directory":.*?)</script>', file.read(), re.S)[1])
    wanted = {finding['kind'] for finding in page['result']['findings']}
    if page['kinds'] != {kind: {'title': KINDS[kind].title, 'meaning': KINDS[kind].meaning, 'stuck': KINDS[kind].stuck}
                         for kind in wanted}:
        raise Failure('its words are %s' % page['kinds'])


def junit_adds_up(name):
    suites = xml.etree.ElementTree.parse(os.path.join(found(name), 'junit')).getroot()
    result = load(os.path.join(found(name), 'tourney.out', 'result.json'))
    suite, = suites
    cases = suite.findall('testcase')
    counts = [len(cases), len(suite.findall('testcase/failure')), len(suite.findall('testcase/error'))]
    if suites.tag != 'testsuites' or counts != [int(suite.get(key)) for key in ('tests', 'failures', 'errors')]:
        raise Failure('its counts are wrong: %s' % suite.attrib)
    failed = [f for f in result['findings'] if f['severity'] == 'error']
    wanted = [len(result['findings']) + (not failed), len(failed), int(result['verdict'] == 'incomplete')]
    if counts != wanted:
        raise Failure('%s tests, failures and errors, not %s' % (counts, wanted))
    told = [failure.get('type') for failure in suite.findall('testcase/failure')]
    if told != [f['kind'] for f in failed]:
        raise Failure('it tells of %s' % told)


def schemas_can_fail():
    result = load(os.path.join(found('wildcard deadlock'), 'tourney.out', 'result.json'))
    log = load(os.path.join(found('wildcard deadlock'), 'sarif'))
    for what, schema, validator, spoil in (
            (result, own_schema(), jsonschema.Draft202012Validator, lambda r: r['findings'][0].pop('places')),
            (result, own_schema(), jsonschema.Draft202012Validator, lambda r: r.update(version=2)),
            (log, sarif_schema(), jsonschema.Draft7Validator, lambda s: s['runs'][0]['results'][0].pop('message')),
            (log, sarif_schema(), jsonschema.Draft7Validator, lambda s: s['runs'][0]['results'][0].update(level='bad'))):
        if schema is None:
            continue
        copy = json.loads(json.dumps(what))
        spoil(copy)
        try:
            agree(copy, schema, validator)
        except Failure:
            continue
        raise Failure('something that is wrong is taken for right')


def main(program=os.path.join(ROOT, 'build', 'tourney')):
    cases = Cases()
    for name, *_ in CASES:
        for check in (kept_as_documented, sarif_is_valid, junit_adds_up, page_has_the_words_of_its_kinds):
            cases.add('%s: %s' % (name, check.__name__.replace('_', ' ')), check, name)
    cases.add('schemas can fail', schemas_can_fail)
    return HERE.run(program, cases)


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
