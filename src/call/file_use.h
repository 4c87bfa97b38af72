/*
 * file_use -- what ranks tell of files, for the sake of those who compare accesses (MPI-4.0, 14.6.1).
 */
#ifndef CALL_FILE_USE_H
#define CALL_FILE_USE_H

#include <stdint.h>

#include "call/window.h"

/* OP_FILE: what has happened to the file that is open on `context`, when the operation is posted. */
enum file_event {
    FILE_OPENED = 1, /* the tail is its path */
    FILE_SYNCED,
    FILE_CLOSED,
};

enum file_use_kind { FILE_READ = 1, FILE_WRITE };

/*
 * OP_FILE_ACCESS: to the file that is open on `context`, told by the call that makes it.  In the tail; behind it, `pieces` struct
 * window_piece, in bytes from the beginning of the file.  One with many pieces is told in several parts.
 */
struct file_use {
    uint16_t kind;   /* enum file_use_kind */
    uint16_t atomic; /* 1: the file is in atomic mode */
    uint32_t part;   /* 0: the first */
    uint32_t pieces;
    uint32_t sum; /* of all bytes that the access writes, in the order of the data; 0 of one that reads */
};

static inline const struct window_piece *file_use_pieces(const struct file_use *use)
{
    return (const struct window_piece *)(use + 1);
}

#endif
