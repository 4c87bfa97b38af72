/*
 * gate -- the preloaded library, in front of whatever MPI a process loads.
 *
 * The launcher cannot always know which MPI a program will use: Python loads it
 * long after start.  So what is preloaded has every MPI name and no MPI.  The
 * first call looks at what is loaded by then, opens the shim for it, and fills
 * all slots of gate.S at once, so that the memory of a rank does not depend on
 * which calls it has made so far.
 *
 * The first call may come before any constructor has run, ours included.
 */
#include "shim/gate/gate.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library/library.h"

#define PROBLEM 3 /* exit code: tourney or the launch failed */

static const char *const names[] = {
#define GATE(index, name) [index] = #name,
#include "gate/names.inc"
#undef GATE
};

enum { NAMES = sizeof names / sizeof *names };

extern void *gate_slot[NAMES] __attribute__((visibility("hidden")));
void *gate_find(size_t index) __attribute__((visibility("hidden")));

/* A module that may be MPI; the higher kind wins. */
struct known_library {
    enum { NO_MPI, SEQUENTIAL_MPI, UNKNOWN_MPI, KNOWN_MPI } kind;
    const struct mpi_library *library;
    char path[PATH_MAX];
};

static void *mpi;          /* the library, from OPENING on */
static void *found[NAMES];
static enum { CLOSED, OPENING, OPEN } state;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define stop(...) (dprintf(STDERR_FILENO, "tourney: " __VA_ARGS__), _exit(PROBLEM))

/* A rank of a real job (call/causal.h); of a world it is one all the same. */
static bool is_clocked(void)
{
    return getenv("TOURNEY_CLOCK") && !getenv("TOURNEY_WORLD");
}

bool gate_is_rank(void)
{
    return getenv("TOURNEY_WORLD") || is_clocked();
}

/* Of a real job all speak: which rank it is, is not known yet. */
static bool is_first_rank(void)
{
    const char *world = getenv("TOURNEY_WORLD"), *rank = world ? strrchr(world, ':') : ":0";
    return rank && !strcmp(rank, ":0");
}

static const char *base_name_of_library(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void classify(struct known_library *module, const char *path)
{
    /* A name without version, as dlopen("libmpi.so") leaves it, is a link. */
    char resolved[PATH_MAX];
    const char *file = base_name_of_library(path);
    if (mpi_library_is_link(file) && realpath(path, resolved))
        file = base_name_of_library(resolved);

    module->library = mpi_library_of_file(file);
    if (module->library)
        module->kind = KNOWN_MPI;
    else if (mpi_library_is_any_version(file))
        module->kind = UNKNOWN_MPI;
    else if (!strncmp(file, "libmpi", strlen("libmpi")))
        module->kind = SEQUENTIAL_MPI;
    else
        module->kind = NO_MPI;
    snprintf(module->path, sizeof module->path, "%s", path);
}

bool gate_is_mpi(const char *path)
{
    struct known_library module;
    classify(&module, path);
    return module.kind >= UNKNOWN_MPI;
}

bool gate_is_opening(void)
{
    return state == OPENING;
}

static int look_at_library(struct dl_phdr_info *info, size_t size, void *best)
{
    (void)size;
    struct known_library module;
    classify(&module, info->dlpi_name);
    if (module.kind > ((struct known_library *)best)->kind)
        *(struct known_library *)best = module;
    return 0;
}

static void *open_mpi(const struct known_library *module, int scope)
{
    void *library = dlopen(module->path, RTLD_LAZY | RTLD_NOLOAD | scope);
    if (!library)
        stop("%s\n", dlerror());
    return library;
}

/* The shim lies beside the gate. */
static void *open_shim(const struct mpi_library *library)
{
    Dl_info self;
    if (!dladdr(names, &self))
        stop("the gate does not know where it is\n");
    char path[PATH_MAX];
    int folder = (int)(base_name_of_library(self.dli_fname) - self.dli_fname);
    snprintf(path, sizeof path, "%.*slibtourney-%s%s.so", folder, self.dli_fname, library->name,
             is_clocked() ? "-clock" : "");

    void *shim = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!shim)
        stop("%s\n", dlerror());
    const char *(*shim_open)(void *) = NULL;
    *(void **)&shim_open = dlsym(shim, "tourney_shim_open");
    if (!shim_open)
        stop("%s: not a shim\n", path);
    const char *problem = shim_open(mpi);
    if (problem)
        stop("%s\n", problem);
    *(void **)&gate_time = dlsym(shim, "tourney_shim_time"); /* not that of a real job: NULL */
    *(void **)&gate_sleeps = dlsym(shim, "tourney_shim_sleeps");
    return shim;
}

/* `mpi` is second choice: what a shim lacks, and what RTLD_NEXT cannot see. */
static void fill_gate_slots(void *first)
{
    for (size_t i = 0; i < NAMES; i++) {
        found[i] = dlsym(first, names[i]);
        if (!found[i])
            found[i] = dlsym(mpi, names[i]);
        if (found[i])
            gate_slot[i] = found[i];
    }
}

/*
 * MPI becomes global for the shim, which refers to its data (MPI_COMM_WORLD is
 * an object in Open MPI); Python has loaded it for one module's eyes only.
 */
static void open_with_shim(const struct known_library *module)
{
    mpi = open_mpi(module, RTLD_GLOBAL);
    fill_gate_slots(open_shim(module->library));
}

/* As if we were not there. */
static void open_without_shim(const struct known_library *module)
{
    mpi = open_mpi(module, RTLD_LOCAL);
    fill_gate_slots(RTLD_NEXT);
}

/* "A, B and C", each with its file. */
static const char *list_libraries(char *text, size_t room)
{
    size_t length = 0;
    for (int i = 0; mpi_libraries[i] && length < room; i++)
        length += (size_t)snprintf(text + length, room - length, "%s%s (%s)",
                                   i == 0 ? "" : mpi_libraries[i + 1] ? ", " : " and ", mpi_libraries[i]->title,
                                   mpi_libraries[i]->file[0]);
    return text;
}

static void open_gate(const struct known_library *module)
{
    state = OPENING;
    if (!gate_is_rank() || module->kind == SEQUENTIAL_MPI)
        open_without_shim(module);
    else if (module->kind == KNOWN_MPI)
        open_with_shim(module);
    else if (is_first_rank()) /* all ranks have this problem; one tells */
        stop("%s: this MPI library is not supported; tourney knows %s\n", module->path,
             list_libraries((char[256]){0}, 256));
    else
        _exit(PROBLEM);
    state = OPEN;
}

/*
 * A program without MPI may still ask: because of us, names that it has only
 * tested for being there are there.  MPI may come later, so nothing is fixed.
 */
static int say_no(int *flag)
{
    *flag = 0;
    return 0;
}

static void *find_without_mpi(const char *name)
{
    const char *plain = name + (*name == 'P');
    if (!strcmp(plain, "MPI_Initialized") || !strcmp(plain, "MPI_Finalized"))
        return (void *)say_no;
    stop("%s: there is no MPI library in this process\n", name);
}

static void *find_locked(size_t index)
{
    struct known_library module = {.kind = NO_MPI};
    if (state == CLOSED) {
        dl_iterate_phdr(look_at_library, &module);
        if (module.kind == NO_MPI)
            return find_without_mpi(names[index]);
        open_gate(&module);
    }
    /* The shim, as it opens, may use the library, which may call itself. */
    if (state == OPENING)
        return dlsym(mpi, names[index]);
    if (!found[index])
        stop("%s: this MPI library does not have it\n", names[index]);
    return found[index];
}

void *gate_find(size_t index)
{
    pthread_mutex_lock(&lock);
    void *target = find_locked(index);
    pthread_mutex_unlock(&lock);
    return target;
}
