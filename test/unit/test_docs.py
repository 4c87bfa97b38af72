"""Documents: every link leads somewhere, every key that is cited is one of doc/references.md."""
import glob
import os
import re
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINK = re.compile(r"\]\(([^()\s]+)\)")
NAMED = re.compile(r"`((?:bench|doc|examples|spec|src|test|viewer)/[\w./*-]+)`")
KEY = re.compile(r"\[((?:[A-Z][A-Za-z]+ (?:19|20)\d\d)|POE)\]")
TEXT = (".c", ".h", ".md", ".py", ".tla", ".pml", ".scn", ".S", ".sh", ".1")


def tracked():
    """Files that belong to the repository; all but what is built, where there is no git."""
    try:
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], check=True, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        listed = [os.path.relpath(os.path.join(folder, name), ROOT) for folder, _, names in os.walk(ROOT)
                  for name in names if not re.search(r"/(build|node_modules|\.git)(/|$)", folder)]
    return [path for path in listed if os.path.isfile(os.path.join(ROOT, path))]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def prose(text):
    """Without code: what is indented as such, between fences or between backticks is not a link."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    text = re.sub(r"^(?: {4}|\t).*$", "", text, flags=re.M)
    return re.sub(r"`[^`\n]*`", lambda code: "_" if "](" in code.group() else code.group(), text)


def anchors(text):
    """As GitHub makes them from headings."""
    found = set()
    for heading in re.findall(r"^#+ +(.*?) *$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), flags=re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        again = 0
        while name + (f"-{again}" if again else "") in found:
            again += 1
        found.add(name + (f"-{again}" if again else ""))
    return found


def broken(path, exists, text_of):
    """Links of a document that lead nowhere."""
    for target in LINK.findall(prose(text_of(path))):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        leads_to = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not exists(leads_to):
            yield f"{path}: {target}: no such file"
        elif anchor and (not leads_to.endswith(".md") or anchor not in anchors(text_of(leads_to))):
            yield f"{path}: {target}: no such heading"


class Links(unittest.TestCase):
    def test_every_relative_link_resolves(self):
        documents = [path for path in tracked() if path.endswith(".md")]
        self.assertGreater(len(documents), 10)
        links = sum(len(LINK.findall(prose(read(path)))) for path in documents)
        self.assertGreater(links, 50)
        wrong = [line for path in documents
                 for line in broken(path, lambda file: os.path.exists(os.path.join(ROOT, file)), read)]
        self.assertEqual(wrong, [])

    def test_broken_ones_are_seen(self):
        files = {"a.md": "# A b\n[x](doc/c.md) [y](doc/c.md#d-e) [z](#a-b) [w](https://example.org/q)\n    [no](link)\n",
                 "doc/c.md": "# D, e!\n[up](../a.md) [up](../a.md#c) [away](d.md) `[code](none)`\n"}
        self.assertEqual(list(broken("a.md", files.__contains__, files.get)), [])
        self.assertEqual(list(broken("doc/c.md", files.__contains__, files.get)),
                         ["doc/c.md: ../a.md#c: no such heading", "doc/c.md: d.md: no such file"])

    def test_files_that_are_named_exist(self):
        named = {(path, name) for path in tracked() if path.endswith(".md") for name in NAMED.findall(read(path))}
        self.assertGreater(len(named), 100)
        self.assertEqual(sorted((path, name) for path, name in named if not glob.glob(os.path.join(ROOT, name))), [])

    def test_the_index_leads_to_every_document(self):
        linked = {os.path.normpath(os.path.join("doc", target.partition("#")[0]))
                  for target in LINK.findall(prose(read("doc/index.md")))}
        documents = {path for path in tracked() if path.endswith(".md") and not path.startswith("test/")} - {"doc/index.md"}
        self.assertEqual(documents - linked, set())


class Walk(unittest.TestCase):
    """The walk of one finding in ARCHITECTURE.md: as short as it says, and its functions are in its files."""

    def rows(self):
        section = read("ARCHITECTURE.md").partition("## The walk of one finding\n")[2].partition("\n## ")[0]
        self.assertIn("20 files, and 10 times", section)
        return re.findall(r"^\| `(src/(\w+)/[\w./]+)` \| (.*) \|$", section, flags=re.M)

    def test_it_is_short(self):
        folders = [folder for _, folder, _ in self.rows()]
        self.assertEqual(len(folders), 20)
        self.assertEqual(sum(a != b for a, b in zip(folders, folders[1:])), 10)

    def test_functions_are_where_it_says(self):
        named = [(path, name) for path, _, words in self.rows() for name in re.findall(r"`([a-z_]+)`", words)]
        self.assertGreater(len(named), 3)
        self.assertEqual([(path, name) for path, name in named if not re.search(rf"\b{name}\(", read(path))], [])


class References(unittest.TestCase):
    def test_every_key_is_explained(self):
        keys = set(re.findall(r"^### (.*)$", read("doc/references.md"), flags=re.M))
        cited = {key: path for path in tracked() if path.endswith(TEXT) for key in KEY.findall(read(path))}
        self.assertIn("Vo 2011", cited)
        self.assertEqual({key: path for key, path in cited.items() if key not in keys}, {})

    def test_nothing_refers_to_documents_that_are_not_here(self):
        outside = re.compile(r"\(00[0-4][,:]|\bDESIGN\b[ ,]|\bseeds?/00|\bseed 00")
        wrong = [path for path in tracked() if path.endswith(TEXT) and path != "test/unit/test_docs.py"
                 and outside.search(read(path))]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
