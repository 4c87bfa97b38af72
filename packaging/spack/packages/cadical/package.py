from spack.package import *


class Cadical(Package):
    """A SAT solver, of which tourney links the library."""

    homepage = "https://github.com/arminbiere/cadical"
    git = "https://github.com/arminbiere/cadical.git"

    license("MIT")

    version("1.9.5", tag="rel-1.9.5")
    version("1.7.4", tag="rel-1.7.4")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("gmake", type="build")

    def install(self, spec, prefix):
        # configure is not one of autoconf, and knows no prefix.
        Executable("./configure")("-fPIC")
        make()
        mkdirp(prefix.bin, prefix.lib, prefix.include)
        install("build/cadical", prefix.bin)
        install("build/libcadical.a", prefix.lib)
        install("src/cadical.hpp", prefix.include)
        install("src/ccadical.h", prefix.include)
