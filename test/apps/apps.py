"""The programs that run.py runs, one entry each."""
import random

from run import App, Expected, View

MPIS = ("openmpi", "mpich")


# Inputs that are easier to say than to store.

def cube(n):
    """The n-cube as inequalities, for lrs."""
    rows = []
    for i in range(n):
        for sign in (1, -1):
            rows.append(" ".join(["1"] + [str(sign if j == i else 0) for j in range(n)]))
    return "cube\nH-representation\nbegin\n%d %d rational\n%s\nend\n" % (2 * n, n + 1, "\n".join(rows))


def cyclic(n, dim):
    """n points on the moment curve, for lrs."""
    rows = [" ".join(str(t ** k) for k in range(dim + 1)) for t in range(1, n + 1)]
    return "cyclic\nV-representation\nbegin\n%d %d rational\n%s\nend\n" % (n, dim + 1, "\n".join(rows))


def scotch(edges):
    """A graph in Scotch's form, from its lists of neighbours."""
    rows = ["%d %s" % (len(to), " ".join(map(str, to))) for to in edges]
    return "0\n%d %d\n0 000\n%s\n" % (len(edges), sum(map(len, edges)), "\n".join(rows))


def grid(n):
    def near(x, y):
        return [a * n + b for a, b in ((x - 1, y), (x, y - 1), (x, y + 1), (x + 1, y)) if 0 <= a < n and 0 <= b < n]
    return scotch([near(x, y) for x in range(n) for y in range(n)])


def groups(count, each):
    """Tight groups, each tied to the next by one edge: only one good way to part them."""
    total, edges = count * each, []
    for v in range(total):
        first = v // each * each
        to = [w for w in range(first, first + each) if w != v]
        to += [(v - 1) % total] if v == first else []
        to += [(v + 1) % total] if v == first + each - 1 else []
        edges.append(to)
    return scotch(edges)


def genome(n):
    draw = random.Random(4)
    return "".join(draw.choice("ACGT") for _ in range(n))


def reads(text, size=60, step=12):
    starts = range(0, len(text) - size + 1, step)
    return "".join(">r%d\n%s\n" % (i, text[i:i + size]) for i in starts)


def fasta(name, text):
    return ">%s\n%s\n" % (name, "\n".join(text[i:i + 60] for i in range(0, len(text), 60)))


def turned(text):
    """The same sequence in another order, with some letters changed."""
    draw, half = random.Random(5), len(text) // 2
    return "".join(draw.choice("ACGT") if draw.random() < .02 else c for c in text[half:] + text[:half])


# Results that are the same although their text is not.

def by_first_use(lines):
    """A partition, whatever the parts are called."""
    names = {}
    pairs = sorted(tuple(map(int, line.split())) for line in lines[1:])
    return lines[:1] + ["%d %d" % (v, names.setdefault(part, len(names))) for v, part in pairs]


def either_strand(lines):
    """Assembled sequences: a strand and its reverse complement are one."""
    turn = str.maketrans("ACGT", "TGCA")
    whole = "\n".join(lines).split(">")[1:]
    out = []
    for text in ("".join(entry.split("\n")[1:]) for entry in whole):
        out.append(min(text, text[::-1].translate(turn)))
    return sorted(out)



NO_TIMES = [(r"(\s+[-\d.]+){2,3}\s+(PASSED|FAILED|BYPASS).*", r" \2")]
ANY_ORDER = [View(sort=True)]
COARRAYS = "/usr/lib/x86_64-linux-gnu/open-coarrays/openmpi/bin/OpenCoarrays-2.10.1-tests/"
SUPERLU = "/usr/lib/x86_64-linux-gnu/superlu-dist/tests/EXAMPLE/"
HDF5 = "mpicc.{0} $SRC/hdf5.c -o $OUT $(pkg-config --cflags --libs hdf5-{0})"


def scalapack(name, test, data, mpi, inputs=(), **more):
    """A tester of the package, on its own input file unless there is one of ours."""
    where = "/usr/lib/x86_64-linux-gnu/scalapack/%s-tests/" % mpi
    return App("%s-%s" % (name, mpi), "scalapack-mpi-test", where + test, mpi=mpi, inputs=inputs,
               prepare=None if inputs else "cp %s%s ." % (where, data), **more)


def petsc(name, options):
    """PETSc with one of its solvers."""
    return App("petsc-" + name, "libpetsc-real-dev pkg-config", "$OUT " + options,
               build="mpicc.openmpi $SRC/petsc.c -o $OUT $(pkg-config --cflags --libs PETSc)",
               views=[View(tol=1e-4)])


def starpu(name, command, view, at_times=None):
    """A task library with a communication thread of its own. The first start writes down
    what it measured of the machine, so the ranks do not do it all at once."""
    where = "/usr/lib/x86_64-linux-gnu/starpu/mpi/"
    return App("starpu-" + name, "starpu-examples", where + command, ranks=3, views=[view], at_times=at_times,
               prepare=where + "nf_basic_ring >/dev/null 2>&1 || true",
               env={"STARPU_HOME": ".", "STARPU_WORKERS_NOBIND": "1", "STARPU_NCPU": "1", "STARPU_SILENT": "1"})


def script(name, packages="", **more):
    return App("mpi4py-" + name, "python3-mpi4py " + packages, "/usr/bin/python3 $SRC/%s.py" % name, **more)


APPS = [
    # Who asks first decides who does what, so lines come in any order.  It finalizes with receives pending.
    App("mplrs-cube", "mplrs", "mplrs cube.ine", files={"cube.ine": cube(6)},
        views=[View(drop=r"^\*(?!Totals)", sort=True)], defect="request-leak"),
    App("mplrs-cyclic", "mplrs", "mplrs cyclic.ext", files={"cyclic.ext": cyclic(12, 4)},
        views=[View(drop=r"^\*(?!Totals)", sort=True)], defect="request-leak"),
    # The same for the puzzling steps, and so for the support values, which are left out.
    App("tree-ppuzzle", "tree-ppuzzle", "tree-ppuzzle -randseed5 align.phy", inputs=["align.phy"],
        files={"answers": "y\n"}, stdin="answers",
        views=[View("align.phy.dist", tol=1e-4), View("align.phy.tree", sub=[(r"\)\d+", ")")], tol=1e-4)]),
    App("dgpart", "ptscotch", "dgpart 4 groups.grf part.map -vm", files={"groups.grf": groups(4, 24)},
        views=[View(), View("part.map", change=by_first_use)]),
    App("dgord", "ptscotch", "dgord grid.grf order.ord", files={"grid.grf": grid(12)},
        views=[View("order.ord")]),
    App("dgtst", "ptscotch", "dgtst grid.grf", ranks=3, files={"grid.grf": grid(12)}, views=[View(tol=1e-5)]),
    App("parmetis", "libptscotch-dev libscotchparmetis-dev", "$OUT", ranks=3,
        build="mpicc.openmpi $SRC/parmetis.c -o $OUT -I/usr/include/scotch -I/usr/include/parmetis"
              " -lptscotchparmetisv3 -lptscotch -lptscotcherr -lscotch -lm"),

    petsc("gmres", "-ksp_type gmres -pc_type bjacobi"),
    petsc("gamg", "-ksp_type cg -pc_type gamg"),
    petsc("pipecg", "-ksp_type pipecg -pc_type jacobi"),
    petsc("mumps", "-pc_type lu -pc_factor_mat_solver_type mumps"),
    petsc("superlu", "-pc_type lu -pc_factor_mat_solver_type superlu_dist"),
    App("hypre", "libhypre-dev", "$OUT", views=[View(tol=1e-6)],
        build="mpicc.openmpi $SRC/hypre.c -o $OUT -I/usr/include/hypre -lHYPRE -lm"),
    # Two grids of ranks at a time, a 2 x 2 and a 2 x 3 one, each of which solves by itself.
    App("superlu-grids", "libsuperlu-dist-dev", SUPERLU + "pddrive4 g20.rua", ranks=10, prepare="cp %sg20.rua ." % SUPERLU,
        views=[View(keep="Sol ", sort=True, sub=[(r"Sol .*", "Sol")])]),
    App("p4est", "libp4est-dev", "$OUT", views=ANY_ORDER, build="mpicc.openmpi $SRC/p4est.c -o $OUT -lp4est -lsc"),
    App("zoltan", "libtrilinos-zoltan-dev", "$OUT", views=ANY_ORDER,
        build="mpicc.openmpi $SRC/zoltan.c -o $OUT -I/usr/include/trilinos -ltrilinos_zoltan -lm"),
    App("fftw", "libfftw3-dev libfftw3-mpi-dev", "$OUT", views=ANY_ORDER,
        build="mpicc.openmpi $SRC/fftw.c -o $OUT -lfftw3_mpi -lfftw3 -lm"),
    App("mumps-real", "mumps-test", "/usr/lib/mumps/dsimpletest", stdin="/usr/lib/mumps/input_simpletest_real",
        views=[View(keep="Solution|INFOG|executing", tol=1e-9)]),
    App("mumps-complex", "mumps-test", "/usr/lib/mumps/zsimpletest", ranks=3,
        stdin="/usr/lib/mumps/input_simpletest_cmplx",
        views=[View(keep="Solution|INFOG|executing", tol=1e-9, zero=1e-9)]),
    # Without the condition estimate, whose ranks sometimes part ways and hang, on both libraries.
    *(scalapack("scalapack-lu", "xdlu", "LU.dat", mpi, ["LU.dat"], views=[View(sub=NO_TIMES)]) for mpi in MPIS),
    *(scalapack("scalapack-qr", "xcqr", "QR.dat", mpi, views=[View(sub=NO_TIMES)]) for mpi in MPIS),
    scalapack("scalapack-svd", "xdsvd", "SVD.dat", "openmpi",
              views=[View(keep="^(Passed|Failed|TEST)", sub=[(r"(Passed|Failed).*", r"\1")])]),
    *(scalapack("pblas", "PBLAS/dpb3tst", "PBLAS/PDBLAS3TST.dat", mpi) for mpi in MPIS),
    # Ends with BLACS_ABORT: the exit code counts.
    *(scalapack("blacs", "xCbtest", "BLACS/*.dat", mpi, slow=True, views=[View(keep="PASSED|FAILED|RUNNING|killed")])
      for mpi in MPIS),

    starpu("ring", "nf_basic_ring", View(sort=True)),
    # Two of its threads are in MPI at the same time, at times, and it was provided MPI_THREAD_SERIALIZED.
    starpu("cholesky", "mpi_cholesky -size 320 -nblocks 4 -check", View(keep="^size"), at_times="thread-level"),
    App("lammps", "lammps", "lmp -in in.lj -log none", inputs=["in.lj"],
        views=[View(keep=r"^ +\d+( +[-\d.e]+){5}|^Total #|^Nlocal|^Created", tol=1e-6)]),
    App("gromacs", "gromacs gromacs-data", "gmx_mpi -quiet mdrun -s water.tpr -ntomp 1 -reprod -pin off",
        inputs=["water.mdp", "water.top"],
        prepare="gmx -quiet solvate -cs spc216 -box 1.862 1.862 1.862 -o water.gro -p water.top\n"
                "gmx -quiet grompp -f water.mdp -c water.gro -p water.top -o water.tpr -maxwarn 5",
        views=[View("md.log", keep=r"^ +(-?\d\.\d+e[-+]\d+ *)+$", tol=1e-3, zero=1.0)]),
    App("hpcc", "hpcc", "hpcc", inputs=["hpccinf.txt"],
        views=[View("hpccoutf.txt", tol=1e-3, zero=1e-11,
                    keep=r"^(Success|CommWorldProcs|HPL_.*norm|HPL_N|PTRANS_(n|residual)|.*Errors|.*maxErr|FFT_N)")]),
    App("mpb", "mpb-mpi", "mpb-mpi rods.ctl", ranks=3, inputs=["rods.ctl"],
        views=[View(keep="^(tmfreqs|Band|Gap)", tol=1e-4, zero=1e-5)]),
    App("parform", "form", "parform power.frm", ranks=3, inputs=["power.frm"], views=[View(drop="ParFORM|sec")],
        defect="request-leak"),

    App("iqtree", "iqtree", "iqtree2-mpi -s align.phy -m HKY -seed 1 -nt 1 -quiet", ranks=3, inputs=["align.phy"],
        views=[View("align.phy.treefile", tol=1e-4), View("align.phy.iqtree", keep="^Log-likelihood", tol=1e-6)]),
    App("phyml", "phyml", "phyml-mpi -i align.phy -b 6 --r_seed 1 --no_memory_check --quiet", ranks=3,
        inputs=["align.phy"], views=[View("align.phy_phyml_tree.txt", tol=1e-4)]),
    App("examl", "examl", "/usr/lib/examl/bin/examl-sse3 -t start.tree -m GAMMA -s align.binary -n out", ranks=3,
        inputs=["align.phy"], prepare="parse-examl -s align.phy -m DNA -n align",
        files={"start.tree": "((taxon0,taxon5),(taxon2,taxon3),((taxon4,taxon1),((taxon6,taxon7),taxon8)));\n"},
        views=[View("ExaML_result.out", tol=1e-4), View(keep="^Likelihood", tol=1e-6)]),
    # A master that receives from whoever is done.
    App("hyphy", "hyphy-mpi", "/usr/lib/hyphy/bin/HYPHYMPI farm.bf", inputs=["farm.bf"], views=[View(keep="^got", sort=True)]),
    App("abyss", "abyss", "/usr/lib/abyss/ABYSS-P -k25 -o contigs.fa reads.fa", ranks=3,
        files={"reads.fa": reads(genome(1200))}, views=[View("contigs.fa", change=either_strand)]),
    # It polls all the time: in a search its first run, millions of polls, does not end soon enough to be verified.
    App("ray", "ray", "Ray -k 21 -s reads.fasta -o out -disable-network-test -disable-scaffolder", ranks=2, slow=True, defect="request-leak",
        files={"reads.fasta": reads(genome(300), size=50, step=2)}, views=[View("out/Contigs.fasta", change=either_strand)]),
    App("murasaki", "murasaki-mpi", "murasaki-mpi -p [20:28] -b 14 -n out a.fa b.fa",
        files={"a.fa": fasta("a", genome(3000)), "b.fa": fasta("b", turned(genome(3000)))},
        views=[View("output/out.anchors", sort=True)]),

    App("boost", "libboost-mpi-dev", "$OUT", views=ANY_ORDER,
        build="mpicxx.openmpi $SRC/boost.cpp -o $OUT -lboost_mpi -lboost_serialization"),
    *(App("hdf5-" + mpi, "libhdf5-%s-dev pkg-config" % mpi, "$OUT", mpi=mpi, build=HDF5.format(mpi)) for mpi in MPIS),
    App("hdf5-threads", "libhdf5-openmpi-dev pkg-config", "$OUT", ranks=3, views=ANY_ORDER,
        build=HDF5.format("openmpi").replace("hdf5.c", "hdf5_threads.c") + " -pthread"),
    App("netcdf", "libnetcdf-mpi-dev pkg-config", "$OUT", views=ANY_ORDER,
        build="mpicc.openmpi $SRC/netcdf.c -o $OUT -I/usr/lib/x86_64-linux-gnu/netcdf/mpi/include"
              " $(pkg-config --cflags --libs netcdf-mpi)"),
    App("pnetcdf", "libpnetcdf-dev", "$OUT", ranks=3, views=ANY_ORDER,
        build="mpicc.openmpi $SRC/pnetcdf.c -o $OUT -lpnetcdf"),
    # One of the two gathers out of the buffer into which it gathers.
    *(App("tachyon-" + mpi, "libtachyon-%s-0-dev" % mpi, "$OUT", mpi=mpi, views=[View("picture.ppm")],
          build="mpicc.%s $SRC/tachyon.c -o $OUT -ltachyon-%s -lm" % (mpi, mpi),
          defect="invalid-argument" if mpi == "openmpi" else None) for mpi in MPIS),
    App("yorick", "yorick-mpy-mpich2", "mpy.mpich2 -batch go.i", ranks=3, mpi="mpich", inputs=["table.i"],
        files={"go.i": 'mp_include, "table.i";\nmp_exec, "send; work;";\nquit;\n'}),

    script("farm"),
    script("buffers"),
    script("pool"),
    App("petsc4py", "python3-petsc4py", "/usr/bin/python3 $SRC/lu.py", ranks=3, views=[View(tol=1e-5)]),

    # One-sided communication: by fences, locks and a counter, in shared and in dynamic windows, and inside of PETSc.
    script("heat", "python3-numpy", ranks=3, views=[View(tol=1e-5)]),
    script("tickets", "python3-numpy", ranks=3),
    script("matrix", "python3-numpy", ranks=3),
    script("lists", "python3-numpy", ranks=3),
    # Coarrays of Fortran are windows: what Debian's OpenCoarrays tests itself with.
    *(App("coarrays-" + name, "libcoarrays-openmpi-dev", COARRAYS + name.replace("-", "_"), ranks=3, views=ANY_ORDER)
      for name in ("atomics", "syncimages", "strided-sendget")),
    # What Global Arrays stand on: locks of all, accumulates in place of puts and gets, and mutexes of its own.
    *(App("armci-" + mpi, "libarmci-mpi-dev", "$OUT", mpi=mpi, ranks=2, views=ANY_ORDER,
          build="mpicc.%s $SRC/armci.c -o $OUT -larmci-%s -lpthread -lm" % (mpi, mpi)) for mpi in MPIS),
    *(App("petsc4py-forest-" + sync, "python3-petsc4py", "/usr/bin/python3 $SRC/forest.py -sf_window_sync " + sync, ranks=3)
      for sync in ("fence", "lock")),
]

# What verifying them comes to (verify.py).  Most that poll are not decided: then the bound says what is complete.
DECIDED, BOUNDED = Expected("clean"), Expected("clean", "incomplete")


def bounded(*kinds, why):
    return Expected("clean", "incomplete", "defects", kinds=kinds, why=why)


VERDICTS = {
    **dict.fromkeys(("dgtst", "zoltan", "petsc-gmres", "petsc-pipecg", "fftw", "lammps", "gromacs", "phyml", "hdf5-openmpi",
                     "hdf5-mpich", "hdf5-threads", "pnetcdf", "mpi4py-buffers", "petsc4py", "examl"), DECIDED),
    **dict.fromkeys(("tree-ppuzzle", "petsc-gamg", "hypre", "mumps-real", "mumps-complex",
                     "scalapack-lu-openmpi", "scalapack-lu-mpich", "scalapack-qr-openmpi", "scalapack-qr-mpich",
                     "pblas-openmpi", "pblas-mpich", "p4est", "hyphy", "boost", "tachyon-mpich", "mpi4py-farm", "hpcc", "iqtree", "mpi4py-heat", "mpi4py-tickets",
                     "mpi4py-matrix", "mpi4py-lists", "petsc4py-forest-fence", "petsc4py-forest-lock"), BOUNDED),
    # Several threads of a rank communicate.
    **dict.fromkeys(("dgpart", "dgord", "parmetis", "starpu-ring"), BOUNDED),
    "mpi4py-pool": bounded("request-state", why="waits for requests that are over"),
    **dict.fromkeys(("mpb", "netcdf"), bounded("file-race", why="ranks write the same bytes through HDF5 without MPI_File_sync")),
    "mplrs-cube": bounded("buffer-race", "request-leak", "request-state", why="finalizes with receives pending"),
    "petsc-mumps": bounded("buffering-deadlock", why="MUMPS waits for one send when another is complete, and receives nothing meanwhile"),
    **dict.fromkeys(("petsc-superlu", "superlu-grids"), bounded("buffer-race", why="SuperLU changes a buffer that is being sent")),
    "scalapack-svd-openmpi": bounded("buffer-race", why="BI_TreeComb changes a buffer that is being sent"),
    "tachyon-openmpi": bounded("invalid-argument", why="gathers out of the buffer into which it gathers"),
    "parform": bounded("buffer-race", "divergence", "request-leak", why="forgets requests; reads a clock"),
    "murasaki": bounded("buffering-deadlock", "divergence", "comm-leak", "type-leak", why="calls collectives in another order on rank 0"),
    "abyss": bounded("request-leak", why="ends with a receive pending"),
    "ray": bounded("lost-message", "request-leak", why="ends with sends that nobody receives, and never waits for its sends"),
    **dict.fromkeys(("coarrays-atomics", "coarrays-syncimages", "coarrays-strided-sendget"),
                    bounded("buffering-deadlock", "lost-message", "portability",
                            why="every image sends the others word that it stops, which nobody receives")),
    **dict.fromkeys(("armci-openmpi", "armci-mpich"),
                    Expected("clean", "defects", kinds=("portability",), why="loads after a barrier without MPI_Win_sync")),
    "yorick": bounded("comm-leak", "deadlock", why="its deadlock was seen here only"),
}
for app in APPS:
    app.verify = VERDICTS.get(app.name)
