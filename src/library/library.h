/*
 * library -- the MPI libraries that tourney knows, seen from outside: files, launchers, environment.
 *
 * Each is one file here and one folder in src/shim/library, which has what the shim inside the ranks needs to know; its
 * name is that of the folder.  Without MPI, and without memory of its own: the preloaded library has this, too.
 */
#ifndef LIBRARY_LIBRARY_H
#define LIBRARY_LIBRARY_H

#include <stdbool.h>

/* Variables of the environment, up to one without a name. */
struct library_variable {
    const char *name, *value;
};

struct mpi_library {
    const char *name;                      /* "mpich" */
    const char *title;                     /* as people say it */
    const char *const *file;               /* the shared libraries that the shim is made for; the first is its usual name */
    const char *const *any_version;        /* the same of whatever version */
    const char *symbol;                    /* part of its binary interface, by which its relatives are known, whatever their files are called; NULL: their soname tells */
    const char *inner;                     /* how names begin that libraries of this maker alone have; NULL: it is of no maker */
    const char *const *launcher;           /* which to try, the last being the one to use if none is there.  Empty: its maker's */
    const char *launcher_words;            /* for more ranks than processors: these should not spin.  May be empty */
    const char *launcher_words_of_root;    /* further ones if the user is root.  May be empty */
    const char *const *segment;            /* how the paths of its shared memory begin */
    const struct library_variable *single; /* for a quick start as a single process */
    const struct library_variable *job;    /* for its launcher, unless the user has set them */
    const char *scratch;                   /* the variable that says where its files go; NULL: it has none */
};

/* All of them, up to NULL. */
extern const struct mpi_library *const mpi_libraries[] __attribute__((visibility("hidden")));

/* By the name of a file without its folder; NULL: it is none of these. */
const struct mpi_library *mpi_library_of_file(const char *file);

/* Whether a file, without its folder, has the name of an MPI library of whatever version. */
bool mpi_library_is_any_version(const char *file);

/* Whether it may be one under a name of its own, such as libmpi_gnu_91.so.12; its symbols tell. */
bool mpi_library_may_be(const char *file);

/* Whether it has no version at all, as a link to one. */
bool mpi_library_is_link(const char *file);

/* By its own name; NULL: there is none. */
const struct mpi_library *mpi_library_named(const char *name);

#endif
