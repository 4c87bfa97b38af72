"""What stays as it is (doc/stability.md): names and the schema of results, compared with what test/stable/1.0 keeps of them."""
import copy
import importlib.util
import json
import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KEPT = os.path.join(ROOT, "test", "stable", "1.0")
# Values that may be joined by new ones, as the document says; (object, member).
OPEN = {("result", "mpi"), ("finding", "kind"), ("assumption", "kind"), ("choice", "kind"), ("act", "kind"), ("near_miss", "difference")}


def read(*names):
    with open(os.path.join(*names), encoding="utf-8") as file:
        return file.read()


def kept_schema():
    return json.loads(read(KEPT, "result.schema.json"))


def opened(schema):
    """A schema that takes any value where new ones may come."""
    schema = copy.deepcopy(schema)
    for name, member in OPEN:
        schema["$defs"][name]["properties"][member].pop("enum", None)
    return schema


def lost(then, now, path=""):
    """Where something that was there is another thing now, or nothing: the first such place, or None.  Objects may have more."""
    if isinstance(then, dict) and isinstance(now, dict):
        places = (lost(value, now[key], path + "/" + key) if key in now else path + "/" + key for key, value in then.items())
        return next((place for place in places if place), None)
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        places = (lost(a, b, "%s/%d" % (path, i)) for i, (a, b) in enumerate(zip(then, now)))
        return next((place for place in places if place), None)
    return None if then == now and isinstance(then, bool) == isinstance(now, bool) else path or "/"


def as_types(schema):
    types = schema.get("type", [])
    return {types} if isinstance(types, str) else set(types)


def broken(then, now, path=""):
    """Promises that a new schema breaks: what agrees with it must agree with the old one, but for new members."""
    for key in ("const", "pattern", "$ref", "minimum", "maximum"):
        if key in then and then[key] != now.get(key):
            yield "%s: %s" % (path, key)
    if as_types(then) and not (as_types(now) and as_types(now) <= as_types(then)):
        yield path + ": type"
    closed = path.split("/")[-3:]
    if "enum" in then and (len(closed) < 3 or (closed[0], closed[2]) not in OPEN) and not set(now.get("enum", [None])) <= set(then["enum"]):
        yield path + ": enum"
    if not set(then.get("required", [])) <= set(now.get("required", [])):
        yield "%s: %s may be missing" % (path, sorted(set(then["required"]) - set(now.get("required", []))))
    for group in "properties", "$defs":
        for name, schema in then.get(group, {}).items():
            place = path + "/" + name if group == "$defs" else path + "/properties/" + name
            if name in now.get(group, {}):
                yield from broken(schema, now[group][name], place)
            else:
                yield place + ": is gone"
    for key in "items", "additionalProperties":
        if isinstance(then.get(key), dict):
            yield from broken(then[key], now[key] if isinstance(now.get(key), dict) else {}, path + "/" + key)
    for key in "oneOf", "anyOf", "prefixItems":
        if key in then and len(then[key]) != len(now.get(key, [])):
            yield "%s: %s" % (path, key)
        for i, (old, new) in enumerate(zip(then.get(key, []), now.get(key, []))):
            yield from broken(old, new, "%s/%s/%d" % (path, key, i))


def names_kept():
    """[(sort, name, [words])]"""
    lines = [line.split() for line in read(KEPT, "names").splitlines() if line and not line.startswith("#")]
    return [(line[0], line[1], line[2:]) for line in lines]


class Names(unittest.TestCase):
    def test_commands_keep_their_options(self):
        spec = importlib.util.spec_from_file_location("generate", os.path.join(ROOT, "src", "options", "generate.py"))
        generate = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(generate)
        table = generate.read_table(os.path.join(ROOT, "src", "options", "options.table"))
        today = {command.name: {name for option in table.of_spoken(command) for name in option.names} for command in table.spoken()}
        kept = [(name, set(words)) for sort, name, words in names_kept() if sort == "command"]
        self.assertGreater(len(kept), 10)
        self.assertEqual([(name, sorted(options - today.get(name, set()))) for name, options in kept
                          if not options <= today.get(name, set())], [])

    def test_kinds_of_findings_keep_name_and_severity(self):
        today = {(name, severity) for name, severity in
                 re.findall(r"^kind (\S+) (\S+)[^:]* :", read(ROOT, "src", "call", "findings.table"), re.M)}
        kept = {(name, words[0]) for sort, name, words in names_kept() if sort == "kind"}
        self.assertGreater(len(kept), 40)
        self.assertEqual(kept - today, set())


class Schema(unittest.TestCase):
    def setUp(self):
        self.today = json.loads(read(ROOT, "doc", "result.schema.json"))

    def test_it_keeps_its_promises(self):
        self.assertEqual(list(broken(kept_schema(), self.today)), [])

    def spoiled(self, change):
        schema = kept_schema()
        change(schema["$defs"])
        return list(broken(kept_schema(), schema))

    def test_broken_promises_are_seen(self):
        for change in (lambda d: d["result"]["required"].remove("verdict"),
                       lambda d: d["result"]["properties"].pop("runs"),
                       lambda d: d["result"]["properties"]["runs"].update(type="string"),
                       lambda d: d["result"]["properties"]["verdict"]["enum"].append("maybe"),
                       lambda d: d["result"]["properties"]["version"].update(const=2),
                       lambda d: d["finding"]["properties"]["severity"].pop("enum"),
                       lambda d: d.pop("twig")):
            self.assertEqual(len(self.spoiled(change)), 1)

    def test_what_is_added_breaks_none(self):
        for change in (lambda d: d["result"]["required"].append("colour"),
                       lambda d: d["result"]["properties"].update(colour={"type": "string"}),
                       lambda d: d["result"]["properties"]["mpi"]["enum"].append("abi"),
                       lambda d: d["act"]["properties"]["kind"]["enum"].append("partitioned")):
            self.assertEqual(self.spoiled(change), [])

    def test_open_values_are_those_of_the_document(self):
        sentence = re.search(r"Open sets of values are: (.*?)\. ", read(ROOT, "doc", "stability.md"), re.S)[1]
        self.assertEqual(set(re.findall(r"`(\w+)`", sentence)), {member for _, member in OPEN})


class Records(unittest.TestCase):
    def test_a_loss_is_seen(self):
        then = json.loads(read(KEPT, "record.json"))
        now = copy.deepcopy(then)
        now["new"] = now["records"][0]["new"] = 1
        self.assertIsNone(lost(then, now))
        del now["records"][3]["kind"]
        self.assertEqual(lost(then, now), "/records/3/kind")
        self.assertEqual(lost({"a": [1]}, {"a": [2]}), "/a/0")


if __name__ == "__main__":
    unittest.main()
