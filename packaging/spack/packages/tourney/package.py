import os

from spack.package import *


class Tourney(MakefilePackage):
    """Dynamic verifier for MPI programs: it runs the binary that there is and plays out every match of messages that the MPI
    standard allows."""

    # The repository that this recipe lies in: `spack repo add packaging/spack`, then `spack install tourney`.
    git = "file://" + os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))

    license("MIT")

    version("main", branch="main")

    variant("mpich", default=True, description="Verify programs that use MPICH, or a library with its binary interface")
    variant("openmpi", default=False, description="Verify programs that use Open MPI")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("gmake", type="build")
    depends_on("python@3.6:", type="build")
    depends_on("elfutils")
    depends_on("zstd")
    depends_on("jansson")
    depends_on("cadical")
    depends_on("capstone@4:")
    # Shims are not linked with them, and programs bring their own: only their headers are needed.
    depends_on("mpich@3.4:", when="+mpich", type="build")
    depends_on("openmpi@4.1:", when="+openmpi", type="build")

    conflicts("~mpich~openmpi", msg="tourney needs a shim for at least one MPI library")
    conflicts("platform=darwin", msg="tourney needs Linux")
    conflicts("target=ppc64le:", msg="tourney knows x86-64 and aarch64 only")

    @property
    def arguments(self):
        """For make: where each library's compiler is; one that is not wanted has none."""
        wanted = [(name, self.spec.satisfies("+" + name)) for name in ("mpich", "openmpi")]
        return ["PREFIX=" + self.prefix, "PYTHON=" + self.spec["python"].command.path, "WERROR="] + [
            "MPICC_%s=%s" % (name.upper(), self.spec[name].prefix.bin.mpicc if here else "") for name, here in wanted]

    def build(self, spec, prefix):
        make("optimized", *self.arguments)

    def install(self, spec, prefix):
        make("install", *self.arguments)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def says_its_version(self):
        Executable(self.prefix.bin.tourney)("--version")
