/*
 * sum -- a number that says whether a buffer is what it was.
 *
 * It is made of samples of SAMPLE_BYTES, at equal distances and up to the end, or of all bytes if these are no more.
 */
#ifndef SHIM_GUARD_SUM_H
#define SHIM_GUARD_SUM_H

#include <stddef.h>
#include <stdint.h>

enum { SAMPLE_BYTES = 64 };

uint64_t sum_of_buffer(const char *bytes, size_t n, size_t samples);

#endif
