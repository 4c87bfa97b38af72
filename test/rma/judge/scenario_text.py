"""Scripts (script.py) as scenarios for `tourney ask`, with what brute force came to as what is expected."""
import re

from script import CELLS, READS, read_script

OPERATORS = {"+": "sum", "m": "max", "=": "replace", "?": "no_op"}
CALLS = {"f": "win_fence", "a": "win_lock_all", "z": "win_unlock_all", "c": "win_complete", "v": "win_wait", "b": "barrier"}
BUFFERING = {True: "infinite", False: "zero", None: "any"}
MOST_OUTCOMES = 6  # an assertion has at most 200 parts


def can_be_said(text):
    """There are no local flushes in scenarios, no requests of accesses, no order that is given up, nor promises of fences, which matter if another fence follows."""
    if "~" in text:
        return False
    for part in text.split("/"):
        fences = [step for step in part.split() if step[0] == "f"]
        if any("p" in fence for fence in fences[1:]) or any("s" in fence for fence in fences[:-1]):
            return False
    return not re.search(r"\bl\d|\dr\b", text)


def statement(step, variable):
    target = f"to {step.target} at {step.cell}"
    if step.kind == "P":
        return f"put {step.value} {target}"
    if step.kind == "G":
        return f"get {variable} from {step.target} at {step.cell}"
    if step.kind == "A":
        return f"accumulate {step.value} op {OPERATORS[step.operator]} {target}"
    if step.kind == "F":
        return f"fetch_and_op {'' if step.operator == '?' else step.value} op {OPERATORS[step.operator]} into {variable} {target}"
    if step.kind == "C":
        return f"compare_and_swap {step.compared}, {step.value} into {variable} {target}"
    if step.kind in "xsuw":
        word = {"x": "win_lock", "s": "win_lock", "u": "win_unlock", "w": "win_flush"}[step.kind]
        return f"{word} {step.target}{' shared' if step.kind == 's' else ''}"
    if step.kind in "pt":
        return f"{'win_post' if step.kind == 'p' else 'win_start'} {' '.join(map(str, step.group))}"
    if step.kind in ">S":
        return f"{'send' if step.kind == '>' else 'ssend'} 0 to {step.target} tag {step.tag}"
    if step.kind == "<":
        return f"recv from {'any' if step.target is None else step.target} tag {step.tag}" + (f" source {variable}" if variable else "")
    return CALLS[step.kind]


def columns_of(text):
    """The statements of each rank, and the names of what is read, in the order of an outcome."""
    columns, names = [], []
    for steps in read_script(text):
        column, read = [], []
        for number, step in enumerate(steps):
            variable = f"v{number}" if step.kind in READS or (step.kind == "<" and step.target is None) else None
            if variable:
                read.append(f"P{len(columns)}.{variable}")
            column.append(statement(step, variable))
        columns.append([*column, "barrier"])
        names.append(read)
    columns[0] += ["win_lock_all", *(f"get w{rank}{cell} from {rank} at {cell}" for rank in range(len(columns)) for cell in range(CELLS)),
                   "win_unlock_all"]
    return columns, [name for rank, read in enumerate(names) for name in [*read, *(f"P0.w{rank}{cell}" for cell in range(CELLS))]]


def modality(sometimes, otherwise):
    return "never" if not sometimes else "sometimes" if otherwise else "always"


def scenario_of(text, meaning):
    """The file, or None if it cannot be said."""
    if not can_be_said(text) or len(meaning.outcomes) > MOST_OUTCOMES:
        return None
    columns, names = columns_of(text)
    lines = [f"window {CELLS}", f"buffering {BUFFERING[meaning.slack]}",
             " | ".join(f"P{rank}" for rank in range(len(columns)))]
    for row in range(max(map(len, columns))):
        lines.append(" | ".join(column[row] if row < len(column) else "" for column in columns))
    claims = []
    for outcome in meaning.outcomes:
        values = re.findall(r"-?\d+", outcome)
        claims.append(" and ".join(["not deadlock", *(f"{name} == {value}" for name, value in zip(names, values, strict=True))]))
    for claim in claims:
        lines += [f"assert {claim}", f"expect {modality(True, len(claims) > 1 or meaning.deadlocks)}"]
    if sum(claim.count("==") for claim in claims) < 40:
        lines += ["assert " + " or ".join([*(f"({claim})" for claim in claims), "deadlock"]), "expect always"]
    lines += ["assert deadlock", f"expect {modality(meaning.deadlocks, claims)}"]
    return "\n".join(lines) + "\n"
