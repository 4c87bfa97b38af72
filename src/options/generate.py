#!/usr/bin/python3
"""Generates everything that follows from the table of commands and options.

    generate.py [--table FILE] [--out DIR]

The table (options.table) explains itself.  What makes no sense in it is an error: exit 1, naming the
line.  Written below DIR:

    options/option_table.h, option_table.c   ids, struct arguments, lines of options, help, refusals
    doc/tourney.1                            from doc/tourney.1.in
    completion/_tourney, tourney.bash, tourney.fish   from completion/*.in
"""

import argparse
import os
import re
import sys
import textwrap
from dataclasses import dataclass, field

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "src", "call"))
from generated import write  # noqa: E402
NOTICE = "/* Generated from src/options/options.table; do not edit. */\n"
WIDTH = 80  # of a help text

# Kinds of values: their type in struct arguments, and what is inside of the parentheses.
TYPES = {
    "flag": "bool",
    "number": "int64_t",
    "seconds": "double",
    "file": "const char *",
    "dir": "const char *",
    "text": "const char *",
    "word": "const char *",
    "one": "enum argument_",
}
MANY = "argument_list"  # of kinds with "..."


class Wrong(Exception):
    """The table makes no sense."""


@dataclass
class Command:
    name: str
    synopsis: str
    help: str
    of: str = None  # it is a form of this one
    offers: list = field(default_factory=list)
    least: tuple = (0, None)  # words, and the sentence
    most: tuple = (None, None)
    takes: bool = False  # the sentence of `most` is for options, too
    otherwise: str = None

    @property
    def id(self):
        return "COMMAND_" + symbol(self.name)

    @property
    def has_program(self):
        return "program" in self.offers or self.of is not None


@dataclass
class Section:
    title: str
    family: str = None
    home: str = None


@dataclass
class Option:
    names: list
    argument: str
    kind: str
    many: bool
    least: int
    most: int
    default: str
    words: list
    field: str
    commands: list
    help: str
    section: Section
    paragraph: list

    @property
    def name(self):
        return self.names[0]

    @property
    def long(self):
        return next((name for name in self.names if name.startswith("--")), None)

    @property
    def letter(self):
        return next((name[1] for name in self.names if not name.startswith("--")), None)

    @property
    def id(self):
        return "OPTION_" + symbol(self.field)

    @property
    def type(self):
        if self.many:
            return MANY
        return TYPES[self.kind] + (self.field if self.kind == "one" else "")


@dataclass
class Table:
    commands: list = field(default_factory=list)
    sections: list = field(default_factory=list)
    options: list = field(default_factory=list)
    refusals: list = field(default_factory=list)  # (command, option, sentence)
    exclusions: list = field(default_factory=list)  # ([terms, terms], sentence); a term is (option, value)
    overview: list = field(default_factory=list)

    def command(self, name):
        for command in self.commands:
            if command.name == name:
                return command
        raise Wrong(f"there is no command '{name}'")

    def named(self, name):
        """All lines of an option."""
        lines = [option for option in self.options if name in option.names]
        if not lines:
            raise Wrong(f"there is no option '{name}'")
        return lines

    def of_command(self, name):
        return [option for option in self.options if name in option.commands]

    def spoken(self):
        """Commands that can be said."""
        return [command for command in self.commands if not command.of]

    def of_spoken(self, command):
        """The options of a command in all its forms, each once."""
        forms = {c.name for c in self.commands if command.name in (c.name, c.of)}
        return [option for option in self.options if forms & set(option.commands)]

    def fields(self):
        """One option for each field."""
        return list({option.field: option for option in self.options}.values())


def symbol(name):
    return re.sub(r"[^A-Z0-9]", "_", name.upper())


# Input


def blocks(path):
    """Lines at the margin, each with those that are indented below it."""
    found = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip()
            if line.startswith("#"):
                continue
            if line.startswith(" ") and found:
                found[-1][2].append(line[4:])
            elif line:
                found.append((number, line, []))
    return found


def read_table(path):
    table = Table()
    for number, line, below in blocks(path):
        try:
            read_block(table, line, below)
        except Wrong as wrong:
            raise Wrong(f"{path}:{number}: {wrong}")
    check(table)
    return table


def read_block(table, line, below):
    head, _, text = (part.strip() for part in line.partition(" : "))
    word = head.split()[0]
    if word == "command":
        table.commands.append(read_command(head.split()[1:], text, below))
    elif word == "section":
        family = text.split(" of ") if text else [None, None]
        table.sections.append(Section(head.partition(" ")[2], *family))
    elif word == "refuse":
        command, *names = head.split()[1:]
        table.command(command)
        table.refusals += [(command, table.named(name)[0], text) for name in names]
    elif word == "exclude":
        terms = [[read_term(table, name) for name in term.split("|")] for term in head.split()[1:]]
        table.exclusions.append((terms, text))
    elif word == "overview":
        table.overview = below
    elif word.startswith("-"):
        table.options.append(read_option(table, head.split(), text, below))
    else:
        raise Wrong(f"what is '{word}'?")


def read_command(words, text, below):
    if len(words) > 2 and words[1] == "of":
        command = Command(words[0], "", text, of=words[2])
    else:
        command = Command(words[0], " ".join(words[1:]), text)
    for line in below:
        key, _, value = line.partition(" ")
        number, _, sentence = value.strip().partition(" ")
        if key == "offers":
            command.offers = value.split()
        elif key == "least":
            command.least = (int(number), sentence)
        elif key in ("most", "takes"):
            command.most, command.takes = (int(number), sentence), key == "takes"
        elif key == "otherwise":
            command.otherwise = value.strip()
        else:
            raise Wrong(f"a command has no '{key}'")
    return command


def read_option(table, words, text, below):
    names, argument = [], None
    while words and words[0].startswith("-"):
        name, equals, value = words.pop(0).partition("=")
        names.append(name)
        argument = value if equals else argument
    if words and words[0][0].isupper():
        argument = words.pop(0)
    kind = re.fullmatch(r"([a-z]+)(\(([^)]*)\))?(\.\.\.)?(=(\S+))?", words.pop(0)) if words else None
    if not kind or kind[1] not in TYPES:
        raise Wrong("the kind of the value is missing")
    inside = kind[3] or ""
    least, most = inside.split("..") if kind[1] == "number" else (0, 0)
    field = next((name for name in names if name.startswith("--")), "").strip("-").replace("-", "_")
    if words[:1] == ["as"]:
        field = words[1]
        words = words[2:]
    if not table.sections:
        raise Wrong("it is in no section")
    for command in words:
        table.command(command)
    if not field or not words or not text:
        raise Wrong("field, commands or help is missing")
    if bool(argument) != (kind[1] != "flag"):
        raise Wrong("a flag has no argument, and everything else has one")
    return Option(names, argument, kind[1], bool(kind[4]), int(least), (2**63 - 1) if most == "max" else int(most),
                  kind[6], inside.split(",") if kind[1] in ("word", "one") else [], field, words, text,
                  table.sections[-1], below)


def read_term(table, text):
    name, _, value = text.partition("=")
    option = table.named(name)[0]
    if value and value not in option.words:
        raise Wrong(f"{name} is never {value}")
    return option, value


def check(table):
    """What one line cannot know of another."""
    for option in table.options:
        for other in table.options:
            if option is other:
                continue
            both = set(option.commands) & set(other.commands)
            if both and (set(option.names) & set(other.names) or option.field == other.field):
                raise Wrong(f"{option.name} stands twice for {', '.join(sorted(both))}")
            same_kind = option.type == other.type and (option.kind != "one" or option.words == other.words)
            if option.field == other.field and not same_kind:
                raise Wrong(f"{option.field} is of two kinds")
        if re.search(r"[][:'\"$`\\]", option.help):
            raise Wrong(f"{option.name}: its help is not plain text for a shell")
    if "@" not in table.overview:
        raise Wrong("the overview lacks its @")


# Output: C


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' if text is not None else "NULL"


def boolean(value):
    return "true" if value else "false"


def lines_quoted(lines):
    return "\n".join(f'    "{line}\\n"' for line in (quoted(line)[1:-1] for line in lines))


def option_table_h(table):
    commands = "".join(f"    {command.id},\n" for command in table.commands)
    ids = "".join(f"    {option.id},\n" for option in table.fields())
    enums = "".join(
        f"enum argument_{o.field} {{ {', '.join(f'ARGUMENT_{symbol(o.field)}_{symbol(word)}' for word in o.words)} }};\n"
        for o in table.fields() if o.kind == "one")
    mosts = "".join(f"    ARGUMENT_{symbol(o.field)}_MOST = {o.most},\n" for o in table.fields()
                    if o.kind == "number" and o.most < 2**31)
    fields = "".join(f"    {o.type}{'' if o.type.endswith('*') else ' '}{o.field}; /* {o.name} */\n"
                     for o in table.fields())
    return f"""\
{NOTICE}#ifndef COMMAND_OPTION_TABLE_H
#define COMMAND_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

enum command_id {{
{commands}    COMMANDS
}};

enum option_id {{
{ids}    OPTIONS
}};

{enums}
enum {{
{mosts}}};

typedef VEC(const char *) {MANY};

/* What was said. */
struct arguments {{
    bool given[OPTIONS];
    char **words; /* those that are no options; NULL at the end */
{fields}}};

#endif
"""


def option_table_c(table):
    families = list(dict.fromkeys(section.family for section in table.sections if section.family))
    return f"""\
{NOTICE}#include "options/option_table.h"

#include "options/option_line.h"

const struct arguments arguments_none = {{{arguments_none(table)}}};

const struct option_line option_lines[] = {{
{"".join(option_line(table, families, option) for option in table.options)}    {{.name = NULL}},
}};

const struct command_line command_lines[COMMANDS] = {{
{"".join(command_line(table, command) for command in table.commands)}}};

const struct refusal refusals[] = {{
{"".join(refusal(*entry) for entry in table.refusals)}    {{.sentence = NULL}},
}};

const char *arguments_clash(const struct arguments *arguments)
{{
{"".join(exclusion(*entry) for entry in table.exclusions)}    return NULL;
}}

const char usage[] =
{lines_quoted(overview(table))};
"""


def arguments_none(table):
    return ", ".join(f".{o.field} = {o.default}" for o in table.fields() if o.default) or "0"


def option_line(table, families, option):
    commands = " | ".join(f"1u << {table.command(name).id}" for name in option.commands)
    words = ", ".join(quoted(word) for word in [*option.words]) + (", NULL" if option.words else "NULL")
    home = table.command(option.section.home).id if option.section.home else "COMMANDS"
    family = families.index(option.section.family) + 1 if option.section.family else 0
    letter = f"'{option.letter}'" if option.letter else "0"
    return f"""\
    {{.name = {quoted(option.name)}, .full = {quoted(option.long and option.long[2:])}, .letter = {letter},
     .id = {option.id}, .kind = VALUE_{symbol(option.kind)}, .many = {boolean(option.many)},
     .least = {option.least}, .most = {option.most},
     .word = (const char *const[]){{{words}}}, .at = offsetof(struct arguments, {option.field}),
     .family = {family}, .home = {home}, .commands = {commands}}},
"""


def command_line(table, command):
    own = sorted(table.of_command(command.name), key=lambda option: option.section.home != command.name)

    def sentence(text):
        return quoted(text and text.replace("@", listed([o.name for o in own if o.field not in ("help", "ranks")])))

    most, surplus = command.most
    return f"""\
    [{command.id}] = {{.name = {quoted(command.of or command.name)}, .has_program = {boolean(command.has_program)},
        .least = {command.least[0]}, .lacking = {sentence(command.least[1])},
        .most = {-1 if most is None else most}, .surplus = {sentence(surplus)},
        .takes_only = {boolean(command.takes)}, .otherwise = {sentence(command.otherwise)},
        .help =
{lines_quoted(help_of(table, command))}}},
"""


def refusal(command, option, sentence):
    return f"    {{COMMAND_{symbol(command)}, {option.id}, {quoted(sentence)}}},\n"


def exclusion(terms, sentence):
    def term_of(option, value):
        given = f"arguments->given[{option.id}]"
        return f"({given} && arguments->{option.field} == ARGUMENT_{symbol(option.field)}_{symbol(value)})" if value else given

    conditions = [" || ".join(term_of(*term) for term in either) for either in terms]
    condition = " && ".join(f"({c})" if " || " in c else c for c in conditions)
    return f"    if ({condition})\n        return {quoted(sentence)};\n"


def listed(names):
    """"a, b and c"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else ""


# Output: help


def overview(table):
    own = [(s, list(dict.fromkeys(o.name for o in table.options if o.section is s))) for s in table.sections]
    margin = max(len(section.title) for section in table.sections) + 4
    lines = []
    for section, names in own:
        lines += textwrap.wrap(" ".join(names), WIDTH, initial_indent=f"  {section.title}".ljust(margin),
                               subsequent_indent=" " * margin, break_long_words=False, break_on_hyphens=False)
    at = table.overview.index("@")
    return table.overview[:at] + lines + table.overview[at + 1:]


def with_argument(option, name):
    """As in "--engine=WHO" or "-o DIR"."""
    if not option.argument:
        return name
    return f"{name}={option.argument}" if name.startswith("--") else f"{name} {option.argument}"


def help_of(table, command):
    options = table.of_spoken(command)
    heads = [", ".join(with_argument(o, name) for name in o.names) for o in options]
    margin = min(max(map(len, heads)) + 4, 30)
    about = command.help[0].upper() + command.help[1:]
    lines = [f"usage: tourney {command.name} {command.synopsis}".rstrip(), about + "."]
    for option, head in zip(options, heads):
        values = f" ({', '.join(option.words)})" if len(option.words) > 1 else ""
        first = f"  {head}".ljust(margin)
        if len(first) > margin:
            lines.append(first)
            first = " " * margin
        lines += textwrap.wrap(option.help + values, WIDTH, initial_indent=first if first.strip() else " " * margin,
                               subsequent_indent=" " * margin, break_on_hyphens=False)
    return lines


# Output: the manual


def roff(text):
    """One line of a paragraph."""
    def bold(match):
        return r"\fB" + match[1].replace("-", r"\-") + r"\fP"

    text = re.sub(r"\*\*((?:\\\*|[^*])+)\*\*", bold, text)
    text = re.sub(r"(?<!\\)\*((?:\\\*|[^*])+)\*", r"\\fI\1\\fP", text).replace("\\*", "*")
    return "\\&" + text if text.startswith((".", "'")) else text


def roff_paragraph(lines):
    out, in_list = [], False
    for line, after in zip(lines, [*lines[1:], ""]):
        if not line:
            continue
        deep = line.startswith("    ")
        item = not deep and after.startswith("    ")
        if item and not in_list:
            out.append(".RS")
        if not item and not deep and in_list:
            out.append(".RE")
        in_list = item or deep
        out += [".TP"] if item else []
        out.append(roff(line.strip()))
    return out + ([".RE"] if in_list else [])


def roff_head(option, commands):
    def one(name):
        bold = r"\fB" + name.replace("-", r"\-")
        if not option.argument:
            return bold + r"\fP"
        return f"{bold}{'=' if name.startswith('--') else ''}" + r"\fP" + ("" if name.startswith("--") else r"\~") + \
            r"\fI" + option.argument + r"\fP"

    return ", ".join(one(name) for name in option.names) + f"\\~ ({', '.join(commands)})"


def manual_options(table):
    lines = []
    for section in table.sections:
        lines.append(f".SS {section.title}")
        for option, commands in entries(table, section):
            text = option.paragraph or [option.help[0].upper() + option.help[1:] + "."]
            lines += [".TP", roff_head(option, commands), *roff_paragraph(text)]
    return lines


def entries(table, section):
    """Options as the manual has them: a line without a paragraph goes with the one of the same name before it."""
    found = []
    for option in (o for o in table.options if o.section is section):
        spoken = [table.command(name).of or name for name in option.commands]
        if found and not option.paragraph and found[-1][0].names == option.names:
            found[-1][1].extend(spoken)
        else:
            found.append((option, spoken))
    return [(option, list(dict.fromkeys(commands))) for option, commands in found]


def manual_synopsis(table):
    lines = []
    for command in table.spoken():
        name = "[verify]" if command.name == "verify" else command.name
        words = re.sub(r"[A-Z]{1,}", lambda m: r"\fI" + m[0] + r"\fP", command.synopsis).replace("-n", r"\fB\-n\fP")
        lines += [rf"\fBtourney {name}\fP {words}".rstrip(), ".br"]
    return [*lines, r"\fBtourney\fP [\fB\-\-help\fP|\fB\-\-version\fP]"]


# Output: completions


def choices(option):
    """What may follow, or None; a value goes on behind "="."""
    return [re.sub("=.*", "=", word) for word in option.words] or None


def shell_name(command):
    """The variable of a shell that has a command's options."""
    return command.replace("-", "_")


def bash(table, text):
    names = {c.name: [n for o in table.of_spoken(c) for n in o.names] for c in table.spoken()}
    sets = "\n".join(f'    local {shell_name(command)}="{wrapped(words)}"' for command, words in names.items() if command != "demo")
    arms = {}
    for option in table.options:
        if option.kind == "flag":
            continue
        if option.kind in ("file", "dir"):
            action = 'COMPREPLY=($(compgen -f -- "$word"))'
        else:
            widest = max((choices(o) or [] for o in table.options if o.field == option.field), key=len)
            action = f'COMPREPLY=($(compgen -W "{" ".join(widest)}" -- "$word"))' if widest else ""
        for name in option.names:
            arms.setdefault(action, {})[name] = True
    cases = "".join(bash_arm(labels, action) for action, labels in arms.items())
    return fill(text, SETS=sets, CASES=cases.rstrip("\n"), COMMANDS=" ".join(names),
                ARMS=" | ".join(c for c in names if c != "demo"), DIRS=offering(table, "dir"))


def bash_arm(labels, action):
    lines = [f"    {' | '.join(labels)})", f"        {action}", "        return", "        ;;"]
    return "".join(f"{line}\n" for line in lines if line.strip())


def wrapped(words):
    return "\n        ".join(textwrap.wrap(" ".join(words), 110, break_on_hyphens=False))


def offering(table, what):
    return " | ".join(c.name for c in table.spoken() if c.offers[:1] == [what])


def zsh(table, text):
    sets = []
    for command in table.spoken():
        if command.name == "demo":
            continue
        specs = [spec for option in table.of_spoken(command) for spec in zsh_specs(option)]
        words = {"program": ["'*::program:_normal'"], "dir": ["':result:_files -/'"], "file": ["'*:file:_files'"],
                 "finding": ["':finding'"]}
        specs += [spec for offer in command.offers for spec in words[offer]]
        sets.append(f"    {shell_name(command.name)}=(\n" + "".join(f"        {spec}\n" for spec in specs) + "    )")
    names = [c.name for c in table.spoken()]
    return fill(text, SETS="\n".join(sets), COMMANDS=" ".join(names), ARMS="|".join(n for n in names if n != "demo"),
                ARRAYS=" ".join(shell_name(n) for n in names if n != "demo"))


def zsh_specs(option):
    actions = {"file": ":_files", "dir": ":_files -/"}
    argument = ""
    if option.argument:
        values = f":({' '.join(choices(option))})" if option.words else actions.get(option.kind, "")
        argument = f":{option.argument}{values}"
    for name in option.names:
        again = "*" if option.many else f"({' '.join(option.names)})" if len(option.names) > 1 else ""
        equals = "=" if option.argument and name.startswith("--") else ""
        yield f"'{again}{name}{equals}[{option.help}]{argument}'"


def fish(table, text):
    lines = []
    for option in table.options:
        commands = ",".join(dict.fromkeys(table.command(name).of or name for name in option.commands))
        words = [f'complete -c tourney -n "__tourney_command {commands}"']
        words += [f"-s {option.letter}"] if option.letter else []
        words += [f"-l {option.long[2:]}"] if option.long else []
        words += {"flag": [], "file": ["-r"], "dir": ["-r"]}.get(option.kind, ["-x"])
        words += [f'-a "{" ".join(choices(option))}"'] if option.words else []
        lines.append(" ".join([*words, f'-d "{option.help}"']))
    return fill(text, COMMANDS=" ".join(c.name for c in table.spoken()), OPTIONS="\n".join(lines))


# Main


def fill(text, **marks):
    for mark, value in marks.items():
        if f"@{mark}@" not in text:
            raise Wrong(f"there is no @{mark}@")
        text = text.replace(f"@{mark}@", value)
    return text


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def write_all(folder, table):
    write(folder, "options/option_table.h", option_table_h(table))
    write(folder, "options/option_table.c", option_table_c(table))
    write(folder, "doc/tourney.1", fill(read("doc/tourney.1.in"), SYNOPSIS="\n".join(manual_synopsis(table)),
                                        OPTIONS="\n".join(manual_options(table))))
    write(folder, "completion/tourney.bash", bash(table, read("completion/tourney.bash.in")))
    write(folder, "completion/_tourney", zsh(table, read("completion/_tourney.in")))
    write(folder, "completion/tourney.fish", fish(table, read("completion/tourney.fish.in")))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description="Generate what the table of options says.")
    parser.add_argument("--table", default=os.path.join(here, "options.table"))
    parser.add_argument("--out", default="build/gen", metavar="DIR")
    arguments = parser.parse_args()
    try:
        write_all(arguments.out, read_table(arguments.table))
    except Wrong as wrong:
        sys.exit(str(wrong))


if __name__ == "__main__":
    main()
