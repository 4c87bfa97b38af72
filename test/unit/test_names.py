"""Names in src: no static function has the name of another, so that grep and gdb find the one that is meant."""
import collections
import glob
import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")
FUNCTION = re.compile(r"^static\b[^;={}()]*?\b(\w+)\([^;={}]*\)\s*[;{]", re.M)


def static_functions(text):
    return set(FUNCTION.findall(ATTRIBUTE.sub("", NO_CODE.sub("", text))))


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def in_several(text_of):
    """By name, the files that have a static function of this name, if there are several."""
    files = collections.defaultdict(list)
    for path in sorted(text_of):
        for name in static_functions(text_of[path]):
            files[name].append(path)
    return {name: paths for name, paths in files.items() if len(paths) > 1}


class StaticFunctions(unittest.TestCase):
    def test_no_two_have_the_same_name(self):
        sources = {path: read(path) for path in glob.glob("src/**/*.c", root_dir=ROOT, recursive=True)}
        self.assertGreater(sum(len(static_functions(text)) for text in sources.values()), 2000)
        wrong = [f"{name}: {', '.join(paths)}" for name, paths in sorted(in_several(sources).items())]
        if wrong:
            self.fail("names of static functions in several files:\n" + "\n".join(wrong))

    def test_same_names_are_seen(self):
        files = {"a.c": "static int add(int a)\n{\n}\nstatic struct op *find(const char *a,\n    int (*b)(void))\n{\n}\n",
                 "b.c": 'static _Noreturn void __attribute__((format(printf, 1, 2))) find(const char *a, ...)\n{\n'
                        '    puts("\\nstatic int add(int a) {");\n}\n',
                 "c.c": "static const unsigned long\nadd(void);\nint find(void)\n{\n}\n",
                 "d.c": "/*\nstatic int add(int a) {}\n*/\nstatic VEC(int) find;\nstatic int add = add(1);\n"}
        self.assertEqual(in_several(files), {"add": ["a.c", "c.c"], "find": ["a.c", "b.c"]})


if __name__ == "__main__":
    unittest.main()
