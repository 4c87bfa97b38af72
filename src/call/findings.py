#!/usr/bin/python3
"""Generates call/findings.h and findings.c from the table of finding kinds.

    findings.py [--table FILE] [--out DIR]

The table (findings.table) explains itself.  What makes no sense in it is an error: exit 1, naming the line.
"""

import argparse
import os
import re
import sys
from dataclasses import dataclass, field

from generated import write

NOTICE = "/* Generated from src/call/findings.table; do not edit. */\n"
SEVERITIES = ("error", "warning", "note")


class Wrong(Exception):
    """The table makes no sense."""


@dataclass
class Complaint:
    number: int
    id: str
    severity: str
    when: str


@dataclass
class Kind:
    name: str
    severities: list
    stuck: bool
    title: str
    section: tuple  # file and heading
    meaning: str = ""
    complaints: list = field(default_factory=list)

    @property
    def symbol(self):
        return "KIND_" + self.name.upper().replace("-", "_")


# Input


def read_table(path):
    kinds, section = [], None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                section = read_line(kinds, section, line.rstrip())
            except (Wrong, ValueError) as wrong:
                raise Wrong(f"{path}:{number}: {wrong}")
    check(kinds)
    return kinds


def read_line(kinds, section, line):
    """Returns the section that counts from there on."""
    if not line or line.startswith("#"):
        return section
    head, _, text = (part.strip() for part in line.partition(" : "))
    words = head.split()
    if not line.startswith(" ") and words[0] == "section":
        return words[1], text
    if not line.startswith(" ") and words[0] == "kind":
        kinds.append(read_kind(words[1:], text, section))
    elif line.startswith(" ") and kinds and words[0] == "complaint":
        kinds[-1].complaints.append(Complaint(int(words[1]), words[2], known(words[3]), text))
    elif line.startswith(" ") and kinds:
        kinds[-1].meaning = f"{kinds[-1].meaning} {line.strip()}".strip()
    else:
        raise Wrong(f"what is '{words[0]}'?")
    return section


def read_kind(words, title, section):
    name, *severities = words
    stuck = "stuck" in severities
    severities = [known(word) for word in severities if word != "stuck"]
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name) or not severities or not title or not section:
        raise Wrong("name, severity, title or section is missing")
    return Kind(name, severities, stuck, title, section)


def known(severity):
    if severity not in SEVERITIES:
        raise Wrong(f"'{severity}' is not a severity")
    return severity


def check(kinds):
    names = [kind.name for kind in kinds]
    numbers = sorted(complaint.number for kind in kinds for complaint in kind.complaints)
    for name in names:
        if names.count(name) > 1:
            raise Wrong(f"{name} is there twice")
    if numbers != list(range(len(numbers))):
        raise Wrong("complaints are numbered from 0, each once and without gaps")
    for kind in kinds:
        if not kind.meaning:
            raise Wrong(f"{kind.name}: what does it mean?")
        for complaint in kind.complaints:
            if complaint.severity not in kind.severities:
                raise Wrong(f"{complaint.id}: {kind.name} is never a {complaint.severity}")


# Output


def complaints(kinds):
    """With their kinds, by number."""
    return sorted(((c, kind) for kind in kinds for c in kind.complaints), key=lambda pair: pair[0].number)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def findings_h(kinds):
    names = "".join(f'#define {kind.symbol} "{kind.name}"\n' for kind in kinds)
    ids = "".join(f"    COMPLAINT_{c.id}, /* {kind.name}, {c.severity}: {c.when} */\n" for c, kind in complaints(kinds))
    return f"""\
{NOTICE}#ifndef CALL_FINDINGS_H
#define CALL_FINDINGS_H

#include <stdbool.h>

{names}
enum complaint {{
{ids}    COMPLAINT_KINDS
}};

struct finding_kind {{
    const char *name;
    const char *severity; /* the usual one */
    const char *title;    /* in a few words, */
    const char *meaning;  /* and in a sentence */
    bool stuck;           /* in its run ranks wait for each other */
}};
extern const struct finding_kind finding_kinds[]; /* the last has no name */

/* By number. */
extern const struct complaint_kind {{
    const char *name, *severity;
}} complaint_kinds[COMPLAINT_KINDS];

#endif
"""


def findings_c(kinds):
    rows = "".join(
        f"    {{{kind.symbol}, {quoted(kind.severities[0])}, {quoted(kind.title)},\n     {quoted(kind.meaning)},\n"
        f"     {'true' if kind.stuck else 'false'}}},\n" for kind in kinds)
    own = "".join(f"    [COMPLAINT_{c.id}] = {{{kind.symbol}, {quoted(c.severity)}}},\n"
                  for c, kind in complaints(kinds))
    return f"""\
{NOTICE}#include "call/findings.h"

#include <stddef.h>

const struct finding_kind finding_kinds[] = {{
{rows}    {{.name = NULL}},
}};

const struct complaint_kind complaint_kinds[COMPLAINT_KINDS] = {{
{own}}};
"""


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description="Generate what the table of finding kinds says.")
    parser.add_argument("--table", default=os.path.join(here, "findings.table"))
    parser.add_argument("--out", default="build/gen", metavar="DIR")
    arguments = parser.parse_args()
    try:
        kinds = read_table(arguments.table)
    except Wrong as wrong:
        sys.exit(str(wrong))
    write(arguments.out, "call/findings.h", findings_h(kinds))
    write(arguments.out, "call/findings.c", findings_c(kinds))


if __name__ == "__main__":
    main()
