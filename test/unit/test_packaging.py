"""Packages: all recipes name the same version and need what packaging/needs.table says; what is missing is told."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MANAGERS = ("apt", "dnf", "zypper", "apk", "spack")
NEEDS = os.path.join(ROOT, "packaging", "needs.sh")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def version():
    return re.search(r"^VERSION := (\S+)$", read("Makefile"), re.M)[1]


def table():
    """{need: {manager: [package]}}"""
    rows = [line.split() for line in read("packaging/needs.table").splitlines() if line and not line.startswith("#")]
    return {row[0]: dict(zip(MANAGERS, (cell.split(",") for cell in row[2:]))) for row in rows}


def needed(manager):
    return {package for row in table().values() for package in row[manager]}


def needs(*arguments, path=None):
    return subprocess.run(["sh", NEEDS, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={"PATH": path or os.environ["PATH"]}, check=False)


class Spec:
    """What a Spack recipe asks about itself."""
    def __init__(self, variants):
        self.variants = variants
        self.command = types.SimpleNamespace(path="/python/bin/python3")

    def satisfies(self, variant):
        return variant[1:] in self.variants

    def __getitem__(self, name):
        prefix = types.SimpleNamespace(bin=types.SimpleNamespace(mpicc="/%s/bin/mpicc" % name))
        return types.SimpleNamespace(prefix=prefix, command=self.command)


def recipe(name):
    """The class of a Spack recipe and the directives in it, with words of Spack that only take notes."""
    said = []
    words = {word: (lambda word: lambda *args, **named: said.append((word, args, named)))(word)
             for word in ("version", "variant", "depends_on", "conflicts", "license", "make", "install", "mkdirp")}
    words.update(MakefilePackage=object, Package=object, Executable=lambda path: lambda *args: said.append((path, args, {})),
                 run_after=lambda phase: lambda function: function,
                 on_package_attributes=lambda **named: lambda function: function)
    modules = {"spack": types.ModuleType("spack"), "spack.package": types.ModuleType("spack.package")}
    vars(modules["spack.package"]).update(words)
    path = os.path.join(ROOT, "packaging", "spack", "packages", name, "package.py")
    before = {key: sys.modules.get(key) for key in modules}
    sys.modules.update(modules)
    try:
        scope = {"__file__": path, "__name__": name}
        exec(compile(read(path), path, "exec"), scope)  # pylint: disable=exec-used
    finally:
        for key, module in before.items():
            if module is None:
                del sys.modules[key]
            else:
                sys.modules[key] = module
    return scope[name.capitalize()], said


class Versions(unittest.TestCase):
    def test_all_are_that_of_the_makefile(self):
        self.assertEqual(re.match(r"tourney \((\S+)\)", read("debian/changelog"))[1], version())
        self.assertEqual(re.search(r"^Version: +(\S+)$", read("packaging/tourney.spec"), re.M)[1], version())
        self.assertEqual(re.search(r"^## (\S+)", read("NEWS.md"), re.M)[1], version())


class Installed(unittest.TestCase):
    def test_packages_have_every_folder(self):
        """Of all that `make install` makes nothing is left out of a package."""
        section = read("Makefile").partition("\ninstall: ")[2].partition("\n# ---- ")[0]
        folders = set(re.findall(r"\$\(PREFIX\)/((?:lib/)?\w+)", section))
        self.assertLessEqual({"bin", "include", "lib/tourney", "lib/pkgconfig", "share"}, folders)
        debian = set((read("debian/tourney.install") + read("debian/tourney-shims.install")).split())
        self.assertEqual({"usr/" + folder for folder in folders}, debian)
        macros = {"bin": "%{_bindir}", "include": "%{_includedir}", "share": "%{_datadir}"}
        listed = read("packaging/tourney.spec").partition("\n%files\n")[2]
        self.assertEqual([folder for folder in folders if macros.get(folder, "%{_prefix}/" + folder) not in listed], [])


class Needs(unittest.TestCase):
    def test_every_manager_has_a_package_for_each(self):
        self.assertGreater(len(table()), 8)
        for need, row in table().items():
            self.assertEqual(set(row), set(MANAGERS), need)
        for manager in MANAGERS:
            self.assertEqual(set(needs("--list", manager).stdout.split()), needed(manager))
        self.assertEqual(needs("--list", "brew").returncode, 1)

    def test_debian_control_has_them(self):
        listed = re.search(r"^Build-Depends:\n((?: .*\n)+)", read("debian/control"), re.M)[1]
        wanted = {re.match(r"[\w.+-]+", line.strip())[0] for line in listed.splitlines()}
        essential = {"gcc", "g++", "make"}  # build-essential
        self.assertEqual(wanted - {"debhelper-compat", "libcmocka-dev"}, needed("apt") - essential)

    def test_the_spec_has_them(self):
        wanted = set(re.findall(r"^BuildRequires: +(\S+)$", read("packaging/tourney.spec"), re.M))
        self.assertEqual(wanted, needed("dnf"))

    def test_the_spack_recipe_has_them(self):
        _, said = recipe("tourney")
        wanted = {re.match(r"[\w-]+", args[0])[0] for word, args, _ in said if word == "depends_on"}
        self.assertEqual(wanted - {"c", "cxx"}, needed("spack") - {"gcc"})

    def test_what_is_missing_is_told_for_the_manager_that_is_there(self):
        with tempfile.TemporaryDirectory() as folder:
            for tool in ("sh", "awk", "sed", "dirname", "make", "python3"):
                os.symlink(shutil.which(tool), os.path.join(folder, tool))
            every = needs("gcc", "mpich=mpicc.mpich", path=folder)
            self.assertEqual(every.returncode, 1)
            for manager in MANAGERS:
                self.assertIn("\n  %s:  " % manager, every.stdout)
            os.symlink("/bin/true", os.path.join(folder, "dnf"))
            one = needs("gcc", "mpich=mpicc.mpich", "openmpi=", path=folder)
            self.assertIn("not here: gcc libdw libelf zstd jansson cadical capstone mpich\n", one.stdout)
            self.assertIn("dnf install -y gcc gcc-c++ 'pkgconfig(libdw)' 'pkgconfig(libelf)'", one.stdout)
            self.assertNotIn("apt-get", one.stdout)
            self.assertNotIn("openmpi-devel", one.stdout)

    def test_nothing_is_told_where_all_is_there(self):
        done = needs("gcc")
        self.assertEqual((done.returncode, done.stdout), (0, ""))


class Families(unittest.TestCase):
    """The libraries that `make` makes shims for."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path, self.build = os.path.join(self.folder.name, "bin"), os.path.join(self.folder.name, "build")
        os.mkdir(self.path)
        for tool in ("sh", "make", "cat", "echo", "sed", "mkdir", "rm", "touch", "awk", "dirname", "gcc", "python3", "find", "expr", "cut", "grep", "cc"):
            os.symlink(shutil.which(tool), os.path.join(self.path, tool))

    def has(self, compiler):
        os.symlink("/bin/true", os.path.join(self.path, compiler))

    def make(self, *words):
        done = subprocess.run(["make", "-s", "B=" + self.build, os.path.join(self.build, "needs.ok"), *words], cwd=ROOT, text=True,
                              env={"PATH": self.path}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.stdout

    def test_those_that_are_there(self):
        self.has("mpicc.mpich")
        self.assertEqual(self.make().split(), ["FOR", "abi", "mpich"])
        self.assertEqual(self.make(), "")
        self.has("mpicc.openmpi")
        self.assertEqual(self.make().split(), ["FOR", "abi", "mpich", "openmpi"])

    def test_neither_is_there(self):
        self.assertIn("The build needs what is not here: mpich openmpi\n", self.make())
        self.has("mpicc.openmpi")
        self.assertEqual(self.make().split(), ["FOR", "abi", "openmpi"])

    def test_those_that_were_named_stay(self):
        self.has("mpicc.openmpi")
        self.has("mpicc.of.mine")
        self.assertEqual(self.make("MPICC_MPICH=mpicc.of.mine", "MPICC_OPENMPI=").split(), ["FOR", "abi", "mpich"])
        self.assertEqual(self.make(), "")
        self.assertEqual(self.make("MPICC_OPENMPI=mpicc.openmpi").split(), ["FOR", "abi", "mpich", "openmpi"])


class Spack(unittest.TestCase):
    def test_compilers_of_the_variants(self):
        kind, said = recipe("tourney")
        package = kind()
        package.prefix, package.spec = "/prefix", Spec({"openmpi"})
        del said[:]
        package.install(package.spec, package.prefix)
        (word, args, _), = said
        self.assertEqual((word, args[0]), ("make", "install"))
        self.assertIn("MPICC_MPICH=", args)
        self.assertIn("MPICC_OPENMPI=/openmpi/bin/mpicc", args)
        self.assertEqual(kind.git, "file://" + ROOT)

    def test_the_solver_beside_it(self):
        kind, said = recipe("cadical")
        self.assertIn(("./configure"), [word for word, _, _ in said + self.installed(kind, said)])

    def installed(self, kind, said):
        place = types.SimpleNamespace(bin="/bin", lib="/lib", include="/include")
        kind().install(Spec(set()), place)
        return said


class BuildServers(unittest.TestCase):
    """The examples of doc/ci: they are YAML, and their options are tourney's."""

    def commands(self, path):
        return [line.strip().removeprefix("run: ").removeprefix("- ") for line in read(path).splitlines()
                if re.match(r"\s*(-|run:) *(run: )?tourney ", line)]

    def test_options_exist(self):
        options = set(re.findall(r"(?:^|\s)(-{1,2}[a-z][\w-]*)", read("src/options/options.table")))
        self.assertIn("--sarif", options)
        for path in "doc/ci/github-actions.yml", "doc/ci/gitlab-ci.yml":
            commands = self.commands(path)
            self.assertEqual(len(commands), 2, path)
            for command in commands:
                self.assertLessEqual(set(re.findall(r"\s(-{1,2}[a-z][\w-]*)", command)), options | {"-n"}, command)

    def test_they_are_yaml(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is not there")
        github, gitlab = (yaml.safe_load(read(path)) for path in ("doc/ci/github-actions.yml", "doc/ci/gitlab-ci.yml"))
        self.assertIn("steps", github["jobs"]["tourney"])
        self.assertEqual(gitlab["tourney"]["artifacts"]["reports"], {"junit": "tourney.xml"})


class Rpm(unittest.TestCase):
    def test_the_spec_can_be_read(self):
        if not shutil.which("rpmspec"):
            self.skipTest("rpmspec is not there")
        done = subprocess.run(["rpmspec", "-q", "--qf", "%{name} %{version}\\n", os.path.join(ROOT, "packaging", "tourney.spec")],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.stdout.split("\n")[:2], ["tourney " + version(), "tourney-shims " + version()], done.stderr)


if __name__ == "__main__":
    unittest.main()
