#!/usr/bin/python3
"""Generates everything that follows from the table of MPI calls.

    generate.py [--table FILE] [--newer FILE] [--out DIR | --check] ABI=COMPILER...

The table (calls.table) says what each call means; the mpi.h behind each compiler
and newer.table, for what that mpi.h lacks, say with which types.  The library that
is loaded may be older or newer than the mpi.h, so shims are made for all calls.

A call that mpi.h has and the table does not classify is refused, and a warning says
so.  A line about a call that neither mpi.h nor the standard knows, and a parameter
that is not of the type that the table gives are errors: exit 1, naming them.

Written below DIR:

    call/calls.h, calls.c        names, policies and traits; no mpi.h
    shim/ABI/bodies.h            prototypes of the hand-written bodies
    shim/ABI/newer_types.h       types that this mpi.h lacks
    shim/ABI/real.h, real.c      the real library's entry points
    shim/ABI/lacks.inc           the calls that have no wrapper though they need one
    shim/ABI/wrappers.c          what the program calls instead
    shim/ABI/clock_wrappers.c    the same on a real job, where the library communicates
    gate/names.inc               the names that the gate exports
    doc/coverage.md, tourney-calls.7   the manual's pages of calls
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

from generated import write

POLICIES = {
    "decide": "communication; tourney says when it returns, and with what.",
    "track": "local, but answered by tourney, which knows the world.",
    "pass": "done by the MPI library itself.",
    "refuse": "stops the run with the name of the call.",
}
TRAITS = ("blocking", "collective", "elsewhere", "always", "clock", "unclocked", "noted", "virtual", "removed", "measured", "prepared", "everywhere")

# What a wrapper of a call that passes does first, by trait.
BEFORE = {"measured": "channel_tell_measured();", "prepared": "library_tools_begin();"}

# What `makes=` and `frees=` may name: the C type of the parameter, and how its name ends.
OBJECTS = {
    "type": ("MPI_Datatype *", ""),
    "info": ("MPI_Info *", ""),
    "errhandler": ("MPI_Errhandler *", ""),
    "keyval": ("int *", "keyval"),
}

# How long a count or displacement array is: a local's name and its C text.
EXTENTS = {
    "peers": "entry_array_length(comm, ARRAY_PEERS, 0)",
    "sent": "sendbuf == MPI_IN_PLACE ? 0 : entry_array_length(comm, ARRAY_PEERS, 0)",
    "root": "entry_array_length(comm, ARRAY_PEERS_AT_ROOT, root)",
    "members": "entry_array_length(comm, ARRAY_MEMBERS, 0)",
    "in": "entry_array_length(comm, ARRAY_IN_NEIGHBOURS, 0)",
    "out": "entry_array_length(comm, ARRAY_OUT_NEIGHBOURS, 0)",
}

# What a type of the bodies may be in mpi.h: counts without the large ones, and what is only read without saying so.
NARROW = {
    "const MPI_Request *": "MPI_Request *",
    "MPI_Count": "int",
    "MPI_Aint": "int",
    "MPI_Aint *": "int *",
    "MPI_Count *": "int *",
    "const MPI_Count *": "const int *",
    "const MPI_Aint *": "const int *",
}

# What is written to, or a list of handles: a null pointer is an error, of this class in Open MPI and MPI_ERR_ARG in MPICH.
NEVER_NULL = {
    "int_out": "MPI_ERR_ARG",
    "count_out": "MPI_ERR_ARG",
    "offset_out": "MPI_ERR_ARG",
    "comm_io": "MPI_ERR_ARG",
    "handler_io": "MPI_ERR_ARG",
    "file_io": "MPI_ERR_ARG",
    "win_io": "MPI_ERR_WIN",
    "aint_out": "MPI_ERR_ARG",
    "group_io": "MPI_ERR_GROUP",
    "type_io": "MPI_ERR_TYPE",
    "op_io": "MPI_ERR_OP",
    "request_io": "MPI_ERR_REQUEST",
    "message": "MPI_ERR_REQUEST",
}

# The same of arrays that are not empty; the first of these parameters before one says how long it is.
NULL_IF_EMPTY = {"requests": "MPI_ERR_REQUEST", "ints": "MPI_ERR_ARG", "ints_out": "MPI_ERR_ARG"}
LENGTHS = ("count", "incount", "n", "ndims", "maxdims", "maxneighbors", "nnodes")
MAYBE_NULL = ("destinations", "edges", "weights")  # as many as other arguments say, perhaps none; MPI_UNWEIGHTED

# Null where MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE is something else.
STATUSES = {"status": "MPI_STATUS_IGNORE", "statuses": "MPI_STATUSES_IGNORE"}

WIDEN = {"const MPI_Count *": "entry_counts", "const MPI_Aint *": "entry_displs"}

NOTICE = "/* Generated from src/call/calls.table. */\n"

MPI_HEADERS = """\
#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
"""


class Wrong(Exception):
    """What is wrong with the input, one line each."""


@dataclass
class Parameter:
    name: str
    kind: str
    type: str
    extent: str


@dataclass
class Call:
    """One line of the table; `names` are the symbols it stands for."""

    chapter: str
    names: list
    policy: str
    traits: set
    parameters: list

    @property
    def name(self):
        return self.names[0]

    @property
    def short(self):
        return short(self.name)

    @property
    def is_wrapped(self):
        return self.policy != "pass" or self.notes or self.before

    @property
    def before(self):
        """What the shim does before the library does the rest, or None."""
        return next((BEFORE[t] for t in self.traits if t in BEFORE), None)

    @property
    def notes(self):
        """Whether the library does it, and the shim notes what it did: (verb, object), or None."""
        return next((tuple(t.split("=")) for t in self.traits if "=" in t), None)

    @property
    def has_body(self):
        return self.policy in ("decide", "track")

    def first_of_kind(self, kind):
        return next((p.name for p in self.parameters if p.kind == kind), None)


@dataclass
class Prototype:
    """A function as mpi.h declares it; parameters are declarations."""

    name: str
    returns: str
    parameters: list

    @property
    def arguments(self):
        return [declared_name(p) for p in self.parameters if p != "..."]


@dataclass
class Abi:
    """A library: what its mpi.h declares, and the standard beyond it."""

    name: str
    text: str
    declared: set = field(default_factory=set)  # by mpi.h, with the PMPI names
    prototypes: dict = field(default_factory=dict)
    typedefs: list = field(default_factory=list)  # that mpi.h lacks

    def symbols(self, call):
        """Those that can be written in C."""
        return [name for name in call.names if name in self.prototypes]

    def declared_symbols(self, call):
        return [name for name in call.names if name in self.declared]

    def has_type(self, ctype):
        """Whether all the MPI types in a C type are known."""
        text = self.text + " ".join(self.typedefs)
        return all(re.search(rf"\b{word}\b", text) for word in re.findall(r"MPIX?_\w+", ctype))

    def add_newer(self, newer):
        self.typedefs = [t for name, t in newer.typedefs.items() if not self.has_type(name)]
        for prototype in newer.prototypes.values():
            types = " ".join([prototype.returns, *map(declared_type, prototype.parameters)])
            if prototype.name not in self.declared and self.has_type(types):
                self.prototypes[prototype.name] = prototype


@dataclass
class Newer:
    """What MPI got after version 3.1."""

    typedefs: dict = field(default_factory=dict)
    prototypes: dict = field(default_factory=dict)
    since: dict = field(default_factory=dict)  # versions


def short(symbol):
    """MPI_Send is Send inside tourney; other prefixes stay."""
    return symbol.removeprefix("MPI_")


# The table


def read_table(path):
    kinds, calls, chapter = {}, [], None
    with open(path, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            words, _, rest = line.split("#")[0].partition(":")
            words = words.split()
            if not words:
                continue
            try:
                if words[0] == "chapter":
                    chapter = " ".join(words[1:])
                elif words[0] == "kind":
                    read_kind(kinds, words[1], " ".join(words[2:]), rest.split())
                else:
                    calls.append(read_call(kinds, chapter, words, rest.split()))
            except Wrong as wrong:
                raise Wrong(f"{path}:{number}: {wrong}") from None
    return calls


def read_kind(kinds, kind, ctype, names):
    for name in [":" + kind, *names]:
        if name in kinds:
            raise Wrong(f"{name} has a kind already")
        kinds[name] = kind, ctype


def read_call(kinds, chapter, words, parameters):
    names, policy, traits = call_names(words[0]), words[1] if len(words) > 1 else "", words[2:]
    if policy not in POLICIES:
        raise Wrong(f"{words[0]}: no policy '{policy}'")
    for trait in traits:
        verb, _, kind = trait.partition("=")
        notes = verb in ("makes", "frees", "shares", "gives") and kind in OBJECTS and policy == "pass"
        if trait not in TRAITS and not notes:
            raise Wrong(f"{words[0]}: no trait '{trait}'")
    parameters = [read_parameter(kinds, word) for word in parameters]
    return Call(chapter, names, policy, set(traits), parameters)


def call_names(pattern):
    """MPI[X]_A[_c] stands for MPI_A, MPI_A_c and MPIX_A."""
    stem = pattern.removesuffix("[_c]")
    plain = stem.replace("[X]", "")
    names = [plain]
    if stem != pattern:
        names.append(plain + "_c")
    if plain != stem:
        names.append(stem.replace("[X]", "X"))
    return names


def read_newer(path):
    newer, version = Newer(), None
    with open(path, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            prototype = read_prototype(line.removesuffix(";"))
            typedef = re.fullmatch(r"typedef \w+ \((MPIX?_\w+)\)\(.*\);", line)
            if line.startswith("version "):
                version = line.split()[1]
            elif typedef:
                newer.typedefs[typedef.group(1)] = line
            elif prototype:
                newer.prototypes[prototype.name] = prototype
                newer.since[prototype.name] = version
            else:
                raise Wrong(f"{path}:{number}: neither a version, a typedef nor a prototype")
    return newer


def read_parameter(kinds, word):
    name, _, extent = word.partition("@")
    name, _, kind = name.partition(":")
    key = ":" + kind if kind else name
    if key not in kinds:
        raise Wrong(f"parameter {word} has no kind")
    if extent and extent not in EXTENTS:
        raise Wrong(f"no extent '{extent}'")
    return Parameter(name, *kinds[key], extent or "peers")


# The headers


def read_abi(argument):
    name, _, compiler = argument.partition("=")
    if not compiler:
        raise Wrong(f"{argument}: not of the form ABI=COMPILER")
    text = preprocess(compiler)
    text = re.sub(r'"[^"]*"', '""', text)
    text = re.sub(r"__attribute__\s*(\(\((?:[^()]|\([^()]*\))*\)\))", " ", text)
    abi = Abi(name, text)
    for statement in text.split(";"):
        prototype = read_prototype(" ".join(statement.split()))
        if prototype:
            abi.prototypes[prototype.name] = prototype
    abi.declared = set(abi.prototypes)
    if "MPI_Init" not in abi.prototypes:
        raise Wrong(f"{compiler}: found no MPI in its mpi.h")
    return abi


def preprocess(compiler):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "mpi.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(MPI_HEADERS)
        command = [*compiler.split(), "-E", "-P", source]
        try:
            return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()
        except (OSError, subprocess.CalledProcessError) as error:
            raise Wrong(f"{compiler}: {error}") from None


def read_prototype(statement):
    match = re.fullmatch(
        r"(?:extern )?((?:\w+[ *]+)+?)(P?(?:MPI|MPIX|OMPI)_\w+) ?\((.*)\)", statement
    )
    if not match or statement.startswith("typedef"):
        return None
    returns, name, parameters = match.groups()
    parameters = [p.strip() for p in parameters.split(",")]
    return Prototype(name, returns.strip(), [] if parameters == ["void"] else parameters)


def declared_name(declaration):
    return re.search(r"(\w+)(\[.*)?$", declaration).group(1)


def declared_type(declaration):
    """The type in a parameter's declaration, arrays as pointers."""
    base, array = re.fullmatch(r"(.*?)\w+((?:\[.*)?)", declaration).groups()
    base = re.sub(r"^const (?=int $)", "", base) if not array else base
    rest = array[array.find("]") + 1 :]
    return normal_type(base + ("(*)" + rest if rest else "*" if array else ""))


def normal_type(ctype):
    return re.sub(r" *(\*+|\(\*\))", r" \1", " ".join(ctype.split()))


def is_official(name):
    return not name.startswith("PMPI")


# Do table and headers agree?


def check(calls, abis, newer):
    wrong = list(unknown(calls, abis, newer))
    for abi in abis:
        for call in calls:
            for symbol in abi.symbols(call):
                wrong += check_types(call, abi.prototypes[symbol], abi)
    if wrong:
        raise Wrong("\n".join(wrong))


UNKNOWN = "Calls that the table does not know"


def refuse_unclassified(calls, abis):
    """Calls of an mpi.h that is newer than the table; said, and appended to the table."""
    known = {name for call in calls for name in call.names}
    for abi in abis:
        for name in abi.prototypes:
            if is_official(name) and name not in known:
                known.add(name)
                calls.append(Call(UNKNOWN, [name], "refuse", set(), []))
                print(f"warning: {abi.name}: {name} is not in the table, so it is refused", file=sys.stderr)


def unknown(calls, abis, newer):
    """Only several headers together can tell that a line is about nothing; extensions come and go."""
    seen = set()
    for call in calls:
        for name in call.names:
            if name in seen:
                yield f"{name} is twice in the table"
            seen.add(name)
            known = name in newer.prototypes or any(name in abi.prototypes for abi in abis)
            ours = name.startswith("MPI_") and "removed" not in call.traits and "elsewhere" not in call.traits
            if len(abis) > 1 and ours and not known:
                yield f"{name} is in the table, but no mpi.h declares it, nor does the standard"


def check_types(call, prototype, abi):
    if call.notes and not object_parameter(call, prototype):
        yield f"{abi.name}: {prototype.name} has no parameter of type {OBJECTS[call.notes[1]][0]}"
    if not call.has_body:
        return
    declared = [p for p in prototype.parameters if p != "..."]
    if len(declared) != len(call.parameters):
        yield f"{abi.name}: {prototype.name} has {len(declared)} parameters"
        return
    for parameter, declaration in zip(call.parameters, declared):
        body = normal_type(parameter.type.replace("%", ""))
        written = body.replace("const ", "", 1)  # what some headers say of a list that is only read
        if declared_type(declaration) not in (body, written, NARROW.get(body)):
            yield f"{abi.name}: {prototype.name}: '{declaration}' is not of kind {parameter.kind}"


# Output: names and traits


def calls_h(calls):
    members = "".join(f"    CALL_{call.short},\n" for call in calls)
    return f"""\
/*
 * calls -- every MPI call by number: its name and what it means to tourney.
 * Large-count twins share the number of the plain call.
 */
{NOTICE}#ifndef CALL_CALLS_H
#define CALL_CALLS_H

#include <stdbool.h>

enum call {{
    CALL_NONE,
{members}    CALL_COUNT
}};

enum call_policy {{
    POLICY_DECIDE, /* communication: tourney says when it returns, and with what */
    POLICY_TRACK,  /* local, answered by the shim */
    POLICY_PASS,   /* the real library does it */
    POLICY_REFUSE  /* stops the run */
}};

/* "MPI_Send"; "no call" for CALL_NONE and numbers out of range. */
const char *call_name(enum call call);
/* Takes the twins' names, too; CALL_NONE if there is no such call. */
enum call call_by_name(const char *name);
enum call_policy call_policy(enum call call);

/* "dest", "source", "root", "remote_leader", or NULL; the first if two. */
const char *call_peer_label(enum call call);
bool call_has_tag(enum call call);
/* As the standard uses the words: MPI_Wait is blocking, MPI_Ibarrier is not. */
bool call_is_collective(enum call call);
bool call_is_blocking(enum call call);
/* Allowed before MPI_Init and after MPI_Finalize, too, and in any thread; or harmless. */
bool call_is_always_allowed(enum call call);
/* Refused on a real job, too. */
bool call_is_refused_everywhere(enum call call);

#endif
"""


def calls_c(calls):
    traits = "".join(f"    [CALL_{call.short}] = {{{call_traits(call)}}},\n" for call in calls)
    pairs = sorted((name, call.short) for call in calls for name in call.names)
    names = "".join(f'    {{"{name}", CALL_{number}}},\n' for name, number in pairs)
    return f"""\
{NOTICE}#include "call/calls.h"

#include <stdlib.h>
#include <string.h>

static const struct traits {{
    const char *name, *peer;
    enum call_policy policy;
    bool has_tag, is_collective, is_blocking, is_always_allowed, is_refused_everywhere;
}} calls[CALL_COUNT] = {{
    [CALL_NONE] = {{"no call", NULL, POLICY_PASS, false, false, false, false, false}},
{traits}}};

/* In the order of strcmp. */
static const struct name {{
    const char *name;
    enum call call;
}} names[] = {{
{names}}};

static const struct traits *traits_of(enum call call)
{{
    return &calls[(unsigned)call < CALL_COUNT ? call : CALL_NONE];
}}

const char *call_name(enum call call)
{{
    return traits_of(call)->name;
}}

static int compare_name(const void *key, const void *member)
{{
    return strcmp(key, ((const struct name *)member)->name);
}}

enum call call_by_name(const char *name)
{{
    const struct name *found =
        bsearch(name, names, sizeof names / sizeof *names, sizeof *names, compare_name);
    return found ? found->call : CALL_NONE;
}}

enum call_policy call_policy(enum call call)
{{
    return traits_of(call)->policy;
}}

const char *call_peer_label(enum call call)
{{
    return traits_of(call)->peer;
}}

bool call_has_tag(enum call call)
{{
    return traits_of(call)->has_tag;
}}

bool call_is_collective(enum call call)
{{
    return traits_of(call)->is_collective;
}}

bool call_is_blocking(enum call call)
{{
    return traits_of(call)->is_blocking;
}}

bool call_is_always_allowed(enum call call)
{{
    return traits_of(call)->is_always_allowed;
}}

bool call_is_refused_everywhere(enum call call)
{{
    return traits_of(call)->is_refused_everywhere;
}}
"""


def call_traits(call):
    peer = call.first_of_kind("peer")
    flags = (call.first_of_kind("tag"), *(trait in call.traits for trait in ("collective", "blocking", "always", "everywhere")))
    return ", ".join(
        [
            f'"{call.name}"',
            f'"{peer}"' if peer else "NULL",
            f"POLICY_{call.policy.upper()}",
            *("true" if flag else "false" for flag in flags),
        ]
    )


# Output: the shim, per library


def bodies_h(calls, abi):
    """Also the bodies of calls this mpi.h lacks, if it has their types."""
    bodies = [call for call in calls if call.has_body]
    prototypes = "".join(
        body_declaration(call, abi) + ";\n"
        for call in bodies
        if all(abi.has_type(p.type) for p in call.parameters)
    )
    return f"""\
/*
 * bodies -- what the wrappers of decided and tracked calls do, by hand.  One
 * body serves a call and its large-count twin.  Array arguments are borrowed
 * until the body returns.
 */
{NOTICE}#ifndef SHIM_BODIES_H
#define SHIM_BODIES_H

#include <mpi.h>

#include "newer_types.h"

{prototypes}
#endif
"""


def body_declaration(call, abi):
    symbols = abi.symbols(call)
    returns = abi.prototypes[symbols[0]].returns if symbols else "int"
    parameters = ", ".join(declaration(p.type, p.name) for p in call.parameters)
    return f"{returns} body_{call.short}({parameters or 'void'})"


def declaration(ctype, name):
    if "%" in ctype:
        return ctype.replace("%", name)
    return ctype + name if ctype.endswith("*") else f"{ctype} {name}"


def newer_types_h(abi):
    typedefs = "".join(f"{typedef}\n" for typedef in abi.typedefs)
    return f"""\
/* newer_types -- types of MPI that this mpi.h lacks. */
{NOTICE}#ifndef SHIM_NEWER_TYPES_H
#define SHIM_NEWER_TYPES_H

{typedefs}
#endif
"""


def real_h(calls, abi):
    members = "".join(
        f"    {entry_pointer(abi, symbol)}{must_use(abi, symbol)};\n" for symbol in real_symbols(calls, abi)
    )
    return f"""\
/*
 * real -- the entry points of the real MPI library.  Those that it lacks are NULL: it may be older than this mpi.h.
 */
{NOTICE}#ifndef SHIM_REAL_H
#define SHIM_REAL_H

{MPI_HEADERS}
#include "newer_types.h"

/* The code that a call returns is never dropped (library_code.h).  Not every compiler knows this of pointers. */
#ifdef __clang__
#define REAL_MUST_USE
#else
#define REAL_MUST_USE __attribute__((warn_unused_result))
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
extern struct real {{
{members}}} real;
#pragma GCC diagnostic pop

/* Looks all of them up in a dlopen'd library. */
void real_bind(void *library);

#endif
"""


def real_c(calls, abi):
    entries = "".join(
        f'    {{"P{symbol}", offsetof(struct real, {short(symbol)})}},\n'
        for symbol in real_symbols(calls, abi)
    )
    return f"""\
{NOTICE}#include "real.h"

#include <stddef.h>
#include <string.h>

#include "shim/process/exports.h"

struct real real;

static const struct entry_point {{
    const char *name;
    size_t offset;
}} entry_points[] = {{
{entries}}};

void real_bind(void *library)
{{
    const struct exports exports = exports_of(library);
    for (size_t i = 0; i < sizeof entry_points / sizeof *entry_points; i++) {{
        const struct entry_point *point = &entry_points[i];
        void *address = exports_find(&exports, point->name);
        if (!address) /* not every entry has a profiling name: drop the P */
            address = exports_find(&exports, point->name + 1);
        memcpy((char *)&real + point->offset, &address, sizeof address);
    }}
}}
"""


def entry_pointer(abi, symbol):
    entry = declared_entry(abi, symbol)
    if entry in abi.declared:
        return f"__typeof__(&{entry}) {short(symbol)}"
    prototype = abi.prototypes[symbol]
    return f"{prototype.returns} (*{short(symbol)})({', '.join(prototype.parameters) or 'void'})"


def must_use(abi, symbol):
    """What returns a code, not a handle or a time."""
    prototype = abi.prototypes[declared_entry(abi, symbol)]
    is_code = prototype.returns == "int" and not re.search(r"_(c2f|f2c|toint)$", symbol)
    return " REAL_MUST_USE" if is_code else ""


def real_symbols(calls, abi):
    return [s for call in calls if "elsewhere" not in call.traits for s in abi.symbols(call)]


def declared_entry(abi, symbol):
    return "P" + symbol if "P" + symbol in abi.prototypes else symbol


def wrappers_c(calls, abi):
    wrappers = "\n".join(
        declaring(abi, symbol) + wrapper(call, abi.prototypes[symbol])
        for call in calls
        if call.is_wrapped
        for symbol in abi.symbols(call)
    )
    return f"""\
{NOTICE}#include "call/calls.h"
#include "shim/bodies/entry.h"
#include "shim/channel.h"
#include "shim/objects/object.h"
#include "shim/objects/type.h"
#include "shim/virtual/library_tools.h"

#include "bodies.h"
#include "real.h"

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)
#define ALIAS(name) \\
    EXPORT __typeof__(name) P##name __attribute__((alias(#name)))

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

{wrappers}"""


def declaring(abi, symbol):
    """A prototype for what mpi.h lacks."""
    if symbol in abi.declared:
        return ""
    prototype = abi.prototypes[symbol]
    return f"{prototype.returns} {symbol}({', '.join(prototype.parameters) or 'void'});\n"


def lacks_inc(calls, abi):
    """What needs a wrapper and cannot have one: mpi.h does not know its types."""
    names = [name for call in calls if call.is_wrapped for name in call.names if name not in abi.prototypes]
    return NOTICE + "".join(f'"{name}",\n' for name in names)


def wrapper(call, prototype):
    parameters = ", ".join(prototype.parameters) or "void"
    refusal = [f"entry_refuse(CALL_{call.short}, CALLER);"]
    if call.has_body:
        statements = enter_body(call, prototype)
    elif call.before:
        statements = [call.before, f"return real.{short(prototype.name)}({', '.join(prototype.arguments)});"]
    else:
        statements = enter_real(call, prototype) if call.notes else refusal
    lines = [
        "if (entry_is_internal(CALLER))",
        f"    return real.{short(prototype.name)}({', '.join(prototype.arguments)});",
        *statements,
    ]
    body = "".join(f"    {line}\n" for line in lines)
    head = f"EXPORT {prototype.returns} {prototype.name}({parameters})"
    return f"{head}\n{{\n{body}}}\nALIAS({prototype.name});\n"


def enter_body(call, prototype):
    before, arguments, after = conversions(call, prototype)
    return [
        "struct entry entry;",
        f"entry_begin(&entry, CALL_{call.short}, CALLER);",
        *null_checks(call, prototype),
        *before,
        f"{prototype.returns} rc = body_{call.short}({', '.join(arguments)});",
        *after,
        "entry_end(&entry);",
        "return rc;",
    ]


def null_checks(call, prototype):
    """As the libraries do it, before anything else is looked at."""
    comm = argument_of_kind(call, prototype, "comm") or "MPI_COMM_NULL"
    lines = []
    for index, (parameter, declared) in enumerate(zip(call.parameters, prototype.parameters)):
        error_class, condition = null_check(call, index, declared_name(declared))
        if condition:
            lines.append(f"if ({condition})")
            lines.append(f'    return entry_null(&entry, {comm}, {error_class}, "{parameter.name}");')
    return lines


def null_check(call, index, name):
    """An error class and when it is raised; nothing for parameters that may be null."""
    parameter = call.parameters[index]
    if parameter.kind in NEVER_NULL:
        return NEVER_NULL[parameter.kind], f"!{name}"
    if parameter.kind in STATUSES:
        return "MPI_ERR_ARG", f"!{name} && {name} != {STATUSES[parameter.kind]}" + lengthy(call, index)
    if parameter.kind in NULL_IF_EMPTY and lengthy(call, index) and parameter.name not in MAYBE_NULL:
        return NULL_IF_EMPTY[parameter.kind], f"!{name}" + lengthy(call, index)
    if parameter.kind in ("counts", "displs", "types"):
        return "MPI_ERR_ARG", f"!{name} && ({EXTENTS[extent_beside(call, parameter)]}) > 0"
    return None, None


def lengthy(call, index):
    """That an array is not empty, if a parameter says so."""
    before = [p.name for p in call.parameters[:index] if p.name in LENGTHS]
    return f" && {before[0]} > 0" if before and call.parameters[index].kind != "status" else ""


def extent_beside(call, parameter):
    """There is a datatype for each count."""
    if parameter.kind != "types":
        return parameter.extent
    return next(p.extent for p in call.parameters if p.name == parameter.name.replace("types", "counts"))


def enter_real(call, prototype):
    """The library does it; what it made or freed is noted."""
    verb, kind = call.notes
    handle = object_parameter(call, prototype)
    before, noted = [], f"object_made(OBJECT_{kind.upper()}, HANDLE_KEY(*{handle}));"
    if verb == "frees":
        before = [f"uint64_t key = {handle} ? HANDLE_KEY(*{handle}) : 0;"]
        noted = f"object_freed(OBJECT_{kind.upper()}, key);"
    elif verb == "shares":
        noted = f"type_shared({prototype.arguments[0]}, {handle});"
    elif verb == "gives":
        given = [f"*{declared_name(p)}" for p in prototype.parameters if declared_type(p) == OBJECTS[kind][0]]
        noted = f"type_given({len(given)}, (MPI_Datatype[]){{{', '.join(given)}}});"
    return noting(call, prototype, before, "rc == MPI_SUCCESS", noted)


def noting(call, prototype, before, condition, noted):
    return [
        "struct entry entry;",
        f"entry_begin(&entry, CALL_{call.short}, CALLER);",
        *before,
        f"{prototype.returns} rc = real.{short(prototype.name)}({', '.join(prototype.arguments)});",
        f"if ({condition})",
        "    " + noted,
        "entry_end(&entry);",
        "return rc;",
    ]


# Output: the shim in clock mode


def clock_wrappers_c(calls, abi):
    wrappers = "\n".join(
        text
        for call in calls
        for symbol in abi.symbols(call)
        for text in [clock_wrapper(call, abi.prototypes[symbol], declaring(abi, symbol))]
        if text
    )
    return f"""\
{NOTICE}#include "call/calls.h"
#include "shim/clock/clocked_file.h"
#include "shim/clock/collective_call.h"
#include "shim/clock/rank.h"
#include "shim/clock/window_access.h"
#include "shim/bodies/entry.h"
#include "shim/objects/object.h"
#include "shim/objects/type.h"

#include "bodies.h"
#include "real.h"

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)
#define ALIAS(name) \\
    EXPORT __typeof__(name) P##name __attribute__((alias(#name)))

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

{wrappers}"""


def clock_wrapper(call, prototype, declaration_before):
    """None: the library does it, and nobody need know."""
    statements = clock_statements(call, prototype)
    if not statements:
        return None
    arguments = ", ".join(prototype.arguments)
    lines = ["if (rank_passes(CALLER))", f"    return real.{short(prototype.name)}({arguments});", *statements]
    body = "".join(f"    {line}\n" for line in lines)
    head = f"EXPORT {prototype.returns} {prototype.name}({', '.join(prototype.parameters) or 'void'})"
    return f"{declaration_before}{head}\n{{\n{body}}}\nALIAS({prototype.name});\n"


def clock_statements(call, prototype):
    real_call = f"real.{short(prototype.name)}({', '.join(prototype.arguments)})"
    is_file = call.first_of_kind("file") or call.first_of_kind("file_io")
    if "unclocked" in call.traits:
        return None
    if "everywhere" in call.traits:
        return [f"entry_refuse(CALL_{call.short}, CALLER);"]
    if "noted" in call.traits:
        return clock_access(call, prototype, real_call)
    virtual = "virtual" in call.traits and "clock" not in call.traits
    told = clock_file(call, prototype, real_call) if is_file else None
    if told:
        return told
    if call.policy == "refuse" or virtual or (is_file and "collective" in call.traits):
        return [f"rank_unsupported(CALL_{call.short}, CALLER);", f"return {real_call};"]
    if is_file:
        return None
    if call.notes:
        return enter_real(call, prototype)
    if call.policy == "track" and "clock" not in call.traits:
        return clock_groups(call, prototype)
    if not call.has_body:
        return None
    if "collective" in call.traits and call.first_of_kind("comm") and not clock_has_body(call):
        return clock_join(call, prototype, real_call)
    comm = argument_of_kind(call, prototype, "comm")
    strange = [f"if (rank_is_strange({comm}))", f"    return {real_call};"] if comm else []
    return strange + enter_body(call, prototype)


# Accesses to windows: what they are, and when their order is a choice, which nobody leads on a real job.
ACCESSES = {
    "Put": ("PUT", None),
    "Get": ("GET", None),
    "Accumulate": ("ACCUMULATE", "op == MPI_REPLACE"),  # others commute
    "Get_accumulate": ("FETCH", "true"),
    "Fetch_and_op": ("FETCH", "true"),
    "Compare_and_swap": ("SWAP", "true"),
    "Rput": ("PUT", "true"),  # when it is complete is one, too
    "Raccumulate": ("ACCUMULATE", "true"),
    "Rget_accumulate": ("FETCH", "true"),
}


def clock_access(call, prototype, real_call):
    """The library makes it, and it is told.  mpi.h may call parameters otherwise than the table does."""
    named = dict(zip((p.name for p in call.parameters), prototype.arguments))
    kind, chosen = ACCESSES[call.short]
    arguments = [
        f"WINDOW_{kind}",
        named["target_rank"],
        named["target_disp"],
        named.get("target_count", "1"),
        named.get("target_datatype") or named["datatype"],
        named.get("op", "MPI_OP_NULL"),
        named["win"],
    ]
    return [
        "struct entry entry;",
        f"entry_begin(&entry, CALL_{call.short}, CALLER);",
        *([f"if ({chosen})", f"    rank_unsupported(CALL_{call.short}, CALLER);"] if chosen else []),
        f"window_access_noted({', '.join(arguments)});",
        f"int rc = {real_call};",
        "entry_end(&entry);",
        "return rc;",
    ]


# What is told of files: when the library has made the call.  What is not told is their shared pointers.
FILE_ACCESS = re.compile(r"File_i?(read|write)(_at)?(_all)?(_begin)?")
FILE_EVENTS = {
    "File_open": "clocked_file_opened({comm}, {filename}, *{fh});",
    "File_sync": "clocked_file_synced({fh});",
    "File_set_view": "clocked_file_viewed({fh}, {disp}, {etype}, {filetype}, {datarep});",
    "File_set_atomicity": "clocked_file_is_atomic({fh}, {flag});",
}


def clock_file(call, prototype, real_call):
    """None: nothing is told of it."""
    named = dict(zip((p.name for p in call.parameters), prototype.arguments))
    before, after = [], []
    access = FILE_ACCESS.fullmatch(call.short)
    if access:
        place = "clocked_file_offset({fh}, {offset})" if access[2] else "clocked_file_pointer({fh})"
        did = "read" if access[1] == "read" else "written"
        before = [f"MPI_Offset etype = {place.format(**named)};"]
        after = ["if (rc == MPI_SUCCESS)", "    clocked_file_{did}({fh}, etype, {buf}, {count}, {datatype});".format(did=did, **named)]
    elif call.short == "File_close":
        before = ["struct clocked_file *file = clocked_file_closing(*{fh});".format(**named)]
        after = ["clocked_file_closed(file, rc == MPI_SUCCESS);"]
    elif call.short in FILE_EVENTS:
        after = ["if (rc == MPI_SUCCESS)", "    " + FILE_EVENTS[call.short].format(**named)]
    else:
        return None
    return [
        "struct entry entry;",
        f"entry_begin(&entry, CALL_{call.short}, CALLER);",
        *([f"rank_unsupported(CALL_{call.short}, CALLER);"] if "collective" in call.traits else []),
        *before,
        f"int rc = {real_call};",
        *after,
        "entry_end(&entry);",
        "return rc;",
    ]


def clock_has_body(call):
    """Those that make a communicator later, or a window."""
    return (call.first_of_kind("comm_io") and call.first_of_kind("request_io")) or call.first_of_kind("win_io")


def clock_groups(call, prototype):
    """Groups are the library's, and noted."""
    group = argument_of_kind(call, prototype, "group_io")
    if not group:
        return None
    frees = call.short == "Group_free"
    before = [f"uint64_t key = {group} ? HANDLE_KEY(*{group}) : 0;"] if frees else []
    noted = "object_freed(OBJECT_GROUP, key);" if frees else f"object_made(OBJECT_GROUP, HANDLE_KEY(*{group}));"
    condition = "rc == MPI_SUCCESS" if frees else f"rc == MPI_SUCCESS && *{group} != MPI_GROUP_EMPTY"
    return noting(call, prototype, before, condition, noted)


def clock_join(call, prototype, real_call):
    """A collective of the library, with the clock beside it."""
    names = {p.name: p for p in call.parameters}
    of_kind = {kind: argument_of_kind(call, prototype, kind) for kind in ("comm", "comm_io", "request_io")}
    made, request = of_kind["comm_io"], of_kind["request_io"]
    persistent = request and "info" in names
    fields = [
        f".comm = {of_kind['comm']}",
        f".root = {'root' if 'root' in names else '-1'}",
        f".op = {'op' if 'op' in names else 'MPI_OP_NULL'}",
        f".blocking = {'false' if request else 'true'}",
        f".persistent = {'true' if persistent else 'false'}",
        f".data = {{{clock_data(names, 'count', 'sendcount')}, {clock_data(names, 'recvcount')}}}",
    ] + clock_counts(names) + clock_group(names)
    end = "collective_call_end(&joined, rc)"
    if persistent:
        end = f"collective_call_prepared(&joined, rc, {request})"
    elif request:
        end = f"collective_call_started(&joined, rc, {request})"
    elif made:
        end = f"collective_call_made(&joined, rc, {made})"
    return [
        "struct entry entry;",
        f"entry_begin(&entry, CALL_{call.short}, CALLER);",
        "struct collective_call joined = {" + ", ".join(fields) + "};",
        "collective_call_begin(&joined);",
        f"int rc = {real_call};",
        f"rc = {end};",
        "entry_end(&entry);",
        "return rc;",
    ]


def clock_data(names, *counts):
    """The first of these counts that is one number, and its type."""
    for count in counts:
        if count in names and names[count].kind == "count":
            fitting = count.replace("count", "type")
            return f"{{{count}, {fitting if fitting in names else 'datatype'}}}"
    return "{-1, MPI_DATATYPE_NULL}"


def clock_counts(names):
    """What is taken, if that differs from member to member."""
    if "recvcounts" not in names:
        return []
    types = [".types = recvtypes"] if "recvtypes" in names else []
    one = "recvtype" if "recvtype" in names else "datatype"
    return [".counts = recvcounts", ".width = sizeof *recvcounts"] + (types or [f".type = {one}"])


def clock_group(names):
    """The members of the communicator that is made, if these alone make it: they are told from others by a tag."""
    return [".of_group = true", ".group = group", ".tag = tag"] if {"group", "tag"} <= names.keys() else []


def argument_of_kind(call, prototype, kind):
    """What mpi.h calls the first parameter of a kind; the table may call it otherwise."""
    for parameter, declared in zip(call.parameters, prototype.parameters):
        if parameter.kind == kind:
            return declared_name(declared)
    return None


def object_parameter(call, prototype):
    """The last parameter that fits: arrays of old types come before the new one."""
    ctype, ending = OBJECTS[call.notes[1]]
    fitting = [p for p in prototype.parameters if p != "..." and declared_type(p) == ctype]
    names = [declared_name(p) for p in fitting if declared_name(p).endswith(ending)]
    return names[-1] if names else None


def conversions(call, prototype):
    """From the types of mpi.h to those of the body: before, arguments, after."""
    before, arguments, after = [], [], []
    for parameter, declared in zip(call.parameters, prototype.parameters):
        name = declared_name(declared)
        is_narrow = declared_type(declared) == NARROW.get(parameter.type)
        if is_narrow and parameter.type in WIDEN:
            length = f"{parameter.extent}_length"
            definition = f"int {length} = {EXTENTS[parameter.extent]};"
            if definition not in before:
                before.append(definition)
            arguments.append(f"{WIDEN[parameter.type]}(&entry, {name}, {length})")
        elif is_narrow and parameter.type in ("MPI_Count *", "MPI_Aint *"):
            before.append(f"{parameter.type.removesuffix(' *')} wide_{name} = 0;")
            arguments.append(f"&wide_{name}")
            after += ["if (rc == MPI_SUCCESS)", f"    *{name} = (int)wide_{name};"]
        else:
            arguments.append(name)
    return before, arguments, after


# Output: the gate and the manual


def inner_names(abi):
    """Functions inside a library that its bindings for Fortran call, and the shim has."""
    path = os.path.join(os.path.dirname(__file__), f"../shim/library/{abi.name}/inner_names")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return file.read().split()


def names_inc(calls, abis):
    names = [
        prefix + name
        for call in calls
        if call.is_wrapped
        for name in call.names
        for prefix in ("", "P")
    ]
    for abi in abis:
        names += inner_names(abi)
    return NOTICE + "".join(f"GATE({index}, {name})\n" for index, name in enumerate(names))


def coverage_md(calls, abis, newer):
    lines = [
        "# MPI calls and what tourney does with them",
        "",
        *(f"- {policy}: {meaning}" for policy, meaning in POLICIES.items()),
        "",
        "Large-count twins (`_c`) are treated like the plain call.",
    ]
    for title, chapter in chapters(calls):
        lines += ["", f"## {title}", "", *coverage_head(abis)]
        lines += [coverage_row(call, abis, newer) for call in chapter]
    return "\n".join(lines) + "\n"


def coverage_head(abis):
    columns = ["call", "policy", "since", *(abi.name for abi in abis)]
    return ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]


def coverage_row(call, abis, newer):
    forms = "".join(f" {coverage_forms(call, abi)} |" for abi in abis)
    return f"| {call.name} | {call.policy} | {newer.since.get(call.name, '')} |{forms}"


def coverage_forms(call, abi):
    """In which forms a library has the call."""
    forms = ["yes" if name == call.name else f"`{name}`" for name in abi.declared_symbols(call)]
    return ", ".join(forms) or "no"


def coverage_modes(calls):
    """What is not the same in all modes.  Which calls a real job leaves to its library is in the table."""
    left = [call.name for call in calls if "virtual" in call.traits and not call.traits & {"clock", "unclocked", "noted"}]
    never = [call.name for call in calls if "everywhere" in call.traits]
    return [
        '.SH "IN EACH MODE"',
        "What is said below of each call holds for the search (tourney \\-n, verify), for tourney run, and for tourney replay of what these found.",
        "No call of MPI 4.0 is refused there; MPI_Comm_join in a search wants a socket over which nothing else goes.",
        ".TP",
        ".B predict, model, explain-states, --engine=paths, run --record",
        "as the search; calls that start ranks (MPI_Comm_spawn, MPI_Comm_spawn_multiple) or publish names are refused there.",
        ".TP",
        ".B dist",
        "the real library makes all calls, refused ones included, but for those about ranks that fail, which are refused here, too: " + ", ".join(never) + ".",
        "These, and collective calls on files, are left to it, are named in the verdict, and make that incomplete: " + ", ".join(left) + ".",
        ".TP",
        ".B ask",
        "has statements of its own, see doc/scenario.md.",
    ]


def coverage_man(calls):
    lines = [
        ".TH TOURNEY-CALLS 7",
        ".SH NAME",
        "tourney-calls \\- MPI calls and what tourney does with them",
        ".SH DESCRIPTION",
    ]
    for policy, meaning in POLICIES.items():
        lines += [".TP", f".B {policy}", meaning]
    lines += coverage_modes(calls)
    for title, chapter in chapters(calls):
        lines.append(f'.SH "{title.upper()}"')
        for policy in POLICIES:
            names = [call.name for call in chapter if call.policy == policy]
            lines += [".TP", f".B {policy}", ", ".join(names)] if names else []
    return "\n".join(lines) + "\n"


def chapters(calls):
    for title in dict.fromkeys(call.chapter for call in calls):
        yield title, [call for call in calls if call.chapter == title]


# Main


def write_all(folder, calls, abis, newer):
    write(folder, "call/calls.h", calls_h(calls))
    write(folder, "call/calls.c", calls_c(calls))
    for abi in abis:
        write(folder, f"shim/{abi.name}/bodies.h", bodies_h(calls, abi))
        write(folder, f"shim/{abi.name}/newer_types.h", newer_types_h(abi))
        write(folder, f"shim/{abi.name}/lacks.inc", lacks_inc(calls, abi))
        write(folder, f"shim/{abi.name}/real.h", real_h(calls, abi))
        write(folder, f"shim/{abi.name}/real.c", real_c(calls, abi))
        write(folder, f"shim/{abi.name}/wrappers.c", wrappers_c(calls, abi))
        write(folder, f"shim/{abi.name}/clock_wrappers.c", clock_wrappers_c(calls, abi))
    write(folder, "gate/names.inc", names_inc(calls, abis))
    write(folder, "doc/coverage.md", coverage_md(calls, abis, newer))
    write(folder, "doc/tourney-calls.7", coverage_man(calls))


def parse_arguments():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description="Generate what the table of calls says.")
    parser.add_argument("--table", default=os.path.join(here, "calls.table"))
    parser.add_argument("--newer", default=os.path.join(here, "newer.table"))
    parser.add_argument("--out", default="build/gen", metavar="DIR")
    parser.add_argument("--check", action="store_true", help="only compare table and headers")
    parser.add_argument("abis", nargs="+", metavar="ABI=COMPILER")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    try:
        calls = read_table(arguments.table)
        newer = read_newer(arguments.newer)
        abis = [read_abi(abi) for abi in arguments.abis]
        refuse_unclassified(calls, abis)
        for abi in abis:
            abi.add_newer(newer)
        check(calls, abis, newer)
    except Wrong as wrong:
        sys.exit(str(wrong))
    if not arguments.check:
        write_all(arguments.out, calls, abis, newer)


if __name__ == "__main__":
    main()
