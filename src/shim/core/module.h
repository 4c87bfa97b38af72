/*
 * module -- whose code is at an address: the program's, the MPI library's, that
 * of a language binding between the two, or that of another library.
 */
#ifndef SHIM_CORE_MODULE_H
#define SHIM_CORE_MODULE_H

#include <stdbool.h>
#include <stdint.h>

enum module_kind {
    MODULE_PROGRAM, /* the executable, code made at run time, and scripts (script.h) that are not installed */
    MODULE_SHARED,  /* a shared library of whomever */
    MODULE_RUNTIME, /* the C library and those of other languages: they do what their caller asked for */
    MODULE_BINDING, /* Fortran and C++ interfaces: they call MPI for the program */
    MODULE_PYTHON,  /* mpi4py: it calls MPI for a script */
    MODULE_LIBRARY, /* MPI itself and what it loads */
};

enum module_kind module_kind_at(const void *address);

/* Of a file, by its name; "": the executable. */
enum module_kind module_kind_of(const char *path);

/* From where to where the code goes that this is in; false: it is in no file. */
bool module_span(const void *address, uintptr_t *start, uintptr_t *end);

/* Where the code at an address is in its file, and that file; "" if it is in none. */
uint64_t module_offset(const void *address, const char **path);

/* All that was loaded when somebody asked last: a count that grows with every load, and what there is. */
struct module_range {
    uint64_t start, end, shift; /* addresses; `shift` less is the offset in the file */
    const char *path;
};
uint64_t module_loads(void);
void module_each(void (*see)(const struct module_range *, void *), void *data);

#endif
