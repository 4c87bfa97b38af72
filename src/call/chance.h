/*
 * chance -- random numbers that are the same whenever a rank is run again, and others in each rank.
 *
 * One sequence for all: its n-th number depends on n alone, and each rank begins at a place of its own.  The file that stands for
 * the random devices has the beginning of the same sequence.
 */
#ifndef CALL_CHANCE_H
#define CALL_CHANCE_H

#include <stdint.h>

#define CHANCE_ENV "TOURNEY_CHANCE" /* the file that ranks read in place of /dev/random and /dev/urandom */

enum {
    CHANCE_FILE = 1 << 20,  /* its bytes */
    CHANCE_START = 1 << 19, /* ranks begin to read before this one, */
    CHANCE_APART = 8200,    /* so far apart */
};

static inline uint64_t chance_number(uint64_t n)
{
    uint64_t z = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint64_t chance_start(int rank)
{
    return (uint64_t)rank * CHANCE_APART % CHANCE_START / 8 * 8;
}

#endif
