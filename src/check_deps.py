"""Whether src is built as src/deps.txt says.

- A folder, or a room of src/shim, includes headers of others only as deps.txt allows.
- No two folders depend on each other, however many are between them.
- A file and its header are one thing, and no two of these include each other in a circle, except in the folders that
  deps.txt names.
- Only src/shim includes mpi.h.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^#include ["<]([^">]+)[">]', re.MULTILINE)


def read_rules(path):
    """The folders that each folder may include; and those in which there are circles."""
    rules = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            folder, allowed = line.split(":")
            rules[folder] = set(allowed.split())
    return rules, rules.pop("circles", set())


def folder_of(path, rules):
    """The innermost folder with a rule; else the outermost, as for what is generated."""
    parts = path.split("/")[:-1]
    for n in range(len(parts), 0, -1):
        if "/".join(parts[:n]) in rules:
            return "/".join(parts[:n])
    return parts[0] if parts else None


def node_of(path):
    return path.rsplit(".", 1)[0]


def find_circle(graph):
    """The nodes of one circle, in order; or nothing."""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node):]
        if node in done:
            return None
        path.append(node)
        for other in sorted(graph.get(node, ())):
            circle = visit(other)
            if circle:
                return circle
        done.add(path.pop())
        return None

    return next((circle for circle in map(visit, sorted(graph)) if circle), None)


def main():
    root = pathlib.Path(sys.argv[1])
    rules, circles = read_rules(root / "deps.txt")
    files = {str(f.relative_to(root)): f.read_text() for f in sorted(root.rglob("*.[chS]"))}
    nodes = {node_of(f) for f in files}
    graph, wrong = {}, []
    for file, text in files.items():
        if "/" not in file:  # main.c, which may include anything
            continue
        folder = folder_of(file, rules)
        for included in INCLUDE.findall(text):
            other = folder_of(included, rules)
            if included == "mpi.h" and not file.startswith("shim/"):
                wrong.append(f"src/{file}: only src/shim may include mpi.h")
            if other in rules and other != folder and other not in rules.get(folder, ()):
                wrong.append(f"src/{file} includes {included}: deps.txt does not allow it for {folder}")
            if node_of(included) in nodes - {node_of(file)}:
                graph.setdefault(node_of(file), set()).add(node_of(included))
    for circle in filter(None, [find_circle(rules)]):
        wrong.append("deps.txt: folders depend on each other: " + " -> ".join(circle + circle[:1]))
    for folder in sorted(rules):
        inner = {node: others for node, others in graph.items() if folder_of(node + ".c", rules) == folder}
        circle = find_circle({node: {o for o in others if o in inner} for node, others in inner.items()})
        if circle and folder not in circles:
            wrong.append(f"src/{folder}: files include each other: " + " -> ".join(circle + circle[:1]))
        if folder in circles and not circle:
            wrong.append(f"deps.txt: there is no circle in {folder} any more; take it off the list")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main())
