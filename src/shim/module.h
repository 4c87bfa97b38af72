/*
 * module -- whose code is at an address: the program's, the MPI library's, or
 * that of a language binding between the two.
 */
#ifndef SHIM_MODULE_H
#define SHIM_MODULE_H

enum module_kind {
    MODULE_PROGRAM,
    MODULE_BINDING, /* Fortran and C++ interfaces: they call MPI for the program */
    MODULE_LIBRARY, /* MPI itself and what it loads */
};

enum module_kind module_kind_at(const void *address);

#endif
