/*
 * file_store -- what ranks and the keeper of file contents say to each other in a search.
 *
 * All runs of a search meet in one file system, and ranks are not run in the order of any one run.  So what MPI calls write to a file is also told to
 * a keeper, and who reads asks it: its answer is what was written in the same run, whatever others have left on the disk since.  Files are
 * known by a sum of their paths.  What no rank has written in a run is as it was before the search (struct file_base_record).
 *
 * The keeper is that of the memory of a window (window.h), in the first slot of rank 0, beside whatever else that keeps.  All messages to it are calm: accesses that do
 * not commute are ordered by the program, or they are a race (file-race).
 */
#ifndef CALL_FILE_STORE_H
#define CALL_FILE_STORE_H

#include <limits.h>
#include <stdint.h>
#include <time.h>

#include "call/window.h"

static inline rank_t file_store_keeper(int ranks)
{
    return window_memory_keeper(ranks, 0, 0);
}

enum file_message_kind {
    FILE_STORE = 1, /* `pieces` struct window_piece, and the bytes that were written there */
    FILE_FETCH,     /* `pieces` struct window_piece are asked for; it is answered */
    FILE_RESIZE,    /* the file has `bytes` bytes now */
    FILE_MAKE,      /* it was opened to be there from now on */
    FILE_DELETE,
    FILE_FORGET,    /* it was changed by other means than MPI: what was written before is of no account */
};

struct file_message {
    uint32_t kind, pieces;
    uint64_t file;  /* the sum of its path */
    uint64_t base;  /* bytes that it had before the search */
    uint64_t bytes; /* RESIZE */
};

enum file_state {
    FILE_UNKNOWN, /* no MPI call has changed it in this run: it is as it was */
    FILE_IS_THERE,
    FILE_IS_DELETED,
};

/* Behind it: `pieces` struct window_piece, which count from the first byte that was asked for in the order of the data, and then their bytes. */
struct file_answer {
    uint32_t state; /* enum file_state; if it is unknown nothing else counts */
    uint32_t pieces;
    uint64_t size;
    uint64_t base; /* of what was there before the search so many bytes are left */
};

/* ---- how a file was before the search ---- */

#define FILE_BASE_ENV "TOURNEY_FILES" /* a folder with a struct file_base_record for each file that was opened for writing; its name is the sum of the path */
#define FILE_BASE_FOLDER "tourney-files-before" /* how it is called, so that it is known for one of tourney's own */
#define FILE_BASE_SNAPSHOT ".was"     /* at the end of the name: the bytes */

/* Whoever writes for the search to a file sets its time to this many nanoseconds: another time means that somebody else has changed it since. */
enum { FILE_BASE_MARK = 777000111 };

struct file_base_record {
    uint64_t size;
    uint32_t existed; /* 0: there was no such file */
    uint32_t reserved;
    struct timespec changed; /* when it was, if it existed */
    char path[PATH_MAX];
};

static inline uint64_t file_sum_of_path(const char *path)
{
    uint64_t sum = 0x452821e638d01377;
    for (; *path; path++) {
        sum = (sum ^ (unsigned char)*path) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return sum;
}

#endif
