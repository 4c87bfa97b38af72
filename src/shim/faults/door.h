/*
 * door -- how the library of failing calls and the shim find each other.
 *
 * The library is preloaded, before the gate, only if calls are to fail (--faults): without it nothing stands in front of the
 * functions of the C library that is not there anyway.  It asks by this door, and what it is not told is not so.
 */
#ifndef SHIM_FAULTS_DOOR_H
#define SHIM_FAULTS_DOOR_H

#include <stdbool.h>

#include "call/fault.h"

struct fault_door {
    /* Whether a call that returns to `place` is to fail with this error (shim/virtual/failing_calls.h); NULL: none does. */
    bool (*fails)(enum fault, const char *call, int error, const void *place);
};

#define FAULT_DOOR_NAME "tourney_fault_door"
extern struct fault_door tourney_fault_door __attribute__((visibility("default")));

/* For functions of this library: whether the one that was called is to fail. */
#define FAULT_FAILS(kind, call, error) \
    (tourney_fault_door.fails && tourney_fault_door.fails(kind, call, error, __builtin_return_address(0)))

#endif
