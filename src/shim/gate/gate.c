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
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library/library.h"
#include "library/shim_place.h"
#include "shim/process/exports.h"
#include "shim/process/rank_claim.h"

#define PROBLEM 3 /* exit code: tourney or the launch failed */

static const char *const names[] = {
#define GATE(index, name) [index] = #name,
#include "gate/names.inc"
#undef GATE
};

enum { NAMES = sizeof names / sizeof *names };

extern void *gate_slot[NAMES] __attribute__((visibility("hidden")));
void *gate_find(size_t index, const void *caller) __attribute__((visibility("hidden")));

/* A module that may be MPI; the higher kind wins. */
struct known_library {
    enum { NO_MPI, SEQUENTIAL_MPI, UNKNOWN_MPI, KNOWN_MPI } kind;
    const struct mpi_library *library;
    char path[PATH_MAX];
    char rival[PATH_MAX]; /* a known one whose handles are others; empty: there is none */
};

static void *mpi;          /* the library, from OPENING on */
static char own_name[PATH_MAX]; /* its file, if only its symbols tell that it is one */
static void *found[NAMES];
static void (*miss)(const char *name, const void *caller); /* of the shim: what the library does not have; NULL: nobody listens */
static void (*shim_gives_up)(const char *why); /* of the shim, which knows its channel to tourney; NULL: there is none */
static void (*refuse)(const char *name, const void *caller); /* of the shim: what it lacks; NULL: there is no shim */
static gate_crash_function *tell_crash; /* of the shim; NULL: there is none, or it is that of a real job */
static enum { CLOSED, OPENING, OPEN } state;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* Tourney tells it, once for all ranks; whoever cannot reach it, as from inside a container, says it itself. */
void gate_stop(const char *format, ...)
{
    char why[2 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    if (shim_gives_up)
        shim_gives_up(why);
    if (!rank_claim_tell_refusal(why))
        dprintf(STDERR_FILENO, "tourney: %s\n", why);
    _exit(PROBLEM);
}

/* A rank of a real job (call/causal.h); of a world it is one all the same. */
static bool is_clocked(void)
{
    return getenv("TOURNEY_CLOCK") && !getenv("TOURNEY_WORLD");
}

bool gate_is_rank(void)
{
    return getenv("TOURNEY_WORLD") || is_clocked();
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
    return module.kind >= UNKNOWN_MPI || (*own_name && !strcmp(path, own_name));
}

bool gate_is_opening(void)
{
    return state == OPENING;
}

/*
 * Of two makers' libraries the loader takes the first for everybody, and so do we.  But one of the standard's binary interface, which
 * is no maker's, comes with another that bindings for Fortran were made for, whose calls then have handles that it does not know.
 */
static bool are_rivals(const struct known_library *a, const struct known_library *b)
{
    return a->kind == KNOWN_MPI && b->kind == KNOWN_MPI && !a->library->inner != !b->library->inner;
}

static int look_at_library(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct known_library module = {0}, *best = data;
    classify(&module, info->dlpi_name);
    if (module.kind > best->kind)
        *best = module;
    else if (are_rivals(&module, best))
        snprintf(best->rival, sizeof best->rival, "%s", module.path);
    return 0;
}

/* Files that may be MPI under names of their own. */
enum { MOST_CANDIDATES = 16 };
struct candidates {
    char path[MOST_CANDIDATES][PATH_MAX];
    int n;
};

static int note_candidate(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct candidates *candidates = data;
    const char *file = base_name_of_library(info->dlpi_name);
    if (mpi_library_may_be(file) && strncmp(file, "libtourney", strlen("libtourney")) != 0 && candidates->n < MOST_CANDIDATES)
        snprintf(candidates->path[candidates->n++], PATH_MAX, "%s", info->dlpi_name);
    return 0;
}

static bool is_defined_in(void *library, const char *name, const char *path)
{
    Dl_info info;
    void *address = dlsym(library, name);
    return address && dladdr(address, &info) && !strcmp(info.dli_fname, path);
}

/* What it is called by programs that are linked with it; NULL: it does not say. */
static const char *soname_of(void *library)
{
    struct link_map *map = NULL;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
        return NULL;
    const char *strings = NULL;
    size_t offset = 0;
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB) /* the loader has made it an address */
            strings = (const char *)entry->d_un.d_ptr;
        else if (entry->d_tag == DT_SONAME)
            offset = entry->d_un.d_val;
    }
    return strings && offset ? strings + offset : NULL;
}

/* By the soname first: what one of the makers has inside is in its library of the standard's binary interface, too. */
static const struct mpi_library *family_of(void *library)
{
    const char *soname = soname_of(library);
    const struct mpi_library *family = soname ? mpi_library_of_file(soname) : NULL;
    for (int i = 0; !family && mpi_libraries[i]; i++)
        if (mpi_libraries[i]->symbol && dlsym(library, mpi_libraries[i]->symbol))
            family = mpi_libraries[i];
    return family;
}

/* PMPI_Init is in the library itself; what tells its family may be in one that it needs. */
static void tell_by_symbols(struct known_library *module, const char *path)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return;
    const struct mpi_library *family = is_defined_in(library, "PMPI_Init", path) ? family_of(library) : NULL;
    if (family) {
        module->kind = KNOWN_MPI;
        module->library = family;
        snprintf(module->path, sizeof module->path, "%s", path);
        snprintf(own_name, sizeof own_name, "%s", path);
    }
    dlclose(library);
}

static void look_at_symbols(struct known_library *module)
{
    static struct candidates candidates; /* too large for a stack */
    candidates.n = 0;
    dl_iterate_phdr(note_candidate, &candidates);
    for (int i = 0; i < candidates.n && module->kind != KNOWN_MPI; i++)
        tell_by_symbols(module, candidates.path[i]);
}

static void *open_mpi(const struct known_library *module, int scope)
{
    void *library = dlopen(module->path, RTLD_LAZY | RTLD_NOLOAD | scope);
    if (!library)
        gate_stop("%s", dlerror());
    return library;
}

/* The name of the shim in a folder, whose name ends so far. */
static void name_shim(char path[PATH_MAX], const char *folder, int length, const struct mpi_library *library)
{
    snprintf(path, PATH_MAX, "%.*s/libtourney-%s%s.so", length, folder, library->name, is_clocked() ? "-clock" : "");
}

/* One that was made for this library alone, if there is; else the one for its family, beside the gate. */
static void find_shim(char path[PATH_MAX], const struct known_library *module)
{
    char place[PATH_MAX], file[PATH_MAX];
    const char *own = getenv(SHIM_PLACE_ENV);
    if (own && realpath(module->path, file) && shim_place(place, sizeof place, own, file)) {
        name_shim(path, place, (int)strlen(place), module->library);
        if (access(path, R_OK) == 0)
            return;
    }
    Dl_info self;
    if (!dladdr(names, &self))
        gate_stop("the gate does not know where it is");
    name_shim(path, self.dli_fname, (int)(base_name_of_library(self.dli_fname) - self.dli_fname) - 1, module->library);
}

static void *open_shim(const struct known_library *module)
{
    char path[PATH_MAX];
    find_shim(path, module);
    void *shim = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!shim)
        gate_stop("%s", dlerror());
    const char *(*shim_open)(void *) = NULL;
    *(void **)&shim_open = dlsym(shim, "tourney_shim_open");
    if (!shim_open)
        gate_stop("%s: not a shim", path);
    const char *problem = shim_open(mpi);
    if (problem)
        gate_stop("%s", problem);
    *(void **)&gate_time = dlsym(shim, "tourney_shim_time"); /* not that of a real job: NULL */
    *(void **)&gate_sleeps = dlsym(shim, "tourney_shim_sleeps");
    *(void **)&gate_chooses = dlsym(shim, "tourney_shim_choose");
    *(void **)&gate_connects = dlsym(shim, "tourney_shim_socket");
    *(void **)&refuse = dlsym(shim, "tourney_shim_refuse");
    *(void **)&miss = dlsym(shim, "tourney_shim_miss");
    *(void **)&tell_crash = dlsym(shim, "tourney_shim_crash");
    *(void **)&shim_gives_up = dlsym(shim, "tourney_shim_give_up");
    return shim;
}

/* `mpi` is second choice: what RTLD_NEXT cannot see. */
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
 * What the library lacks, the program was not linked with.  The slot of what the shim lacks, and should not, stays closed: each
 * call comes to gate_find, which has the shim refuse it, unless it is the library that calls itself.
 */
static void fill_gate_slots_of_shim(void *shim)
{
    bool (*lacks)(const char *name) = NULL;
    *(void **)&lacks = dlsym(shim, "tourney_shim_lacks");
    const struct exports library = exports_of(mpi), wrappers = exports_of(shim);
    for (size_t i = 0; i < NAMES; i++) {
        void *real = exports_find(&library, names[i]), *wrapper = real ? exports_find(&wrappers, names[i]) : NULL;
        found[i] = wrapper ? wrapper : real;
        if (wrapper || (real && !(lacks && lacks(names[i]))))
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
    fill_gate_slots_of_shim(open_shim(module));
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

static _Noreturn void refuse_library(const struct known_library *module)
{
    if (*module->rival)
        gate_stop("%s and %s are both in this process, and one cannot have the other's handles, as calls of bindings for Fortran do "
                  "that were made for it", module->path, module->rival);
    gate_stop("%s: this MPI library is not supported; tourney knows %s", module->path, list_libraries((char[256]){0}, 256));
}

static void open_gate(const struct known_library *module)
{
    state = OPENING;
    if (!gate_is_rank() || module->kind == SEQUENTIAL_MPI)
        open_without_shim(module);
    else if (module->kind == KNOWN_MPI && !*module->rival)
        open_with_shim(module);
    else
        refuse_library(module);
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
    gate_stop("%s: there is no MPI library in this process", name);
}

static struct known_library find_library(void)
{
    struct known_library module = {.kind = NO_MPI};
    dl_iterate_phdr(look_at_library, &module);
    if (module.kind != KNOWN_MPI)
        look_at_symbols(&module);
    return module;
}

static void *find_locked(size_t index, const void *caller)
{
    if (state == CLOSED) {
        struct known_library module = find_library();
        if (module.kind == NO_MPI)
            return find_without_mpi(names[index]);
        open_gate(&module);
    }
    /* The shim, as it opens, may use the library, which may call itself. */
    if (state == OPENING)
        return dlsym(mpi, names[index]);
    if (!found[index] && miss)
        miss(names[index], caller);
    if (!found[index])
        gate_stop("%s: this MPI library does not have it", names[index]);
    if (refuse && gate_slot[index] != found[index])
        refuse(names[index], caller);
    return found[index];
}

void *gate_find(size_t index, const void *caller)
{
    pthread_mutex_lock(&lock);
    void *target = find_locked(index, caller);
    pthread_mutex_unlock(&lock);
    return target;
}

/* What cannot be opened is no reason to refuse a program that has called nothing of it. */
void gate_tell_crash(int sig)
{
    if (pthread_mutex_trylock(&lock) != 0 || state == OPENING)
        return;
    if (state == CLOSED) {
        struct known_library module = find_library();
        if (module.kind != KNOWN_MPI || *module.rival)
            return;
        open_gate(&module);
    }
    if (tell_crash)
        tell_crash(sig);
}
