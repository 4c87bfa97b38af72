/*
 * file_pointer -- the shared pointer of a file, between the collective calls that set it.
 *
 * Whoever reads or writes by the shared pointer moves it on in one step, and has what lies before its new place (MPI-4.0, 14.4.4): so what is open is
 * in which order ranks do so.  The keeper hears of a file from the first who does.
 */
#ifndef WINDOW_FILE_POINTER_H
#define WINDOW_FILE_POINTER_H

#include "base/map.h"
#include "window/mail.h"

/* All zero is that of no file. */
struct file_pointer {
    uint64_t file, period; /* as in struct file_pointer_message */
    int64_t at;
    uint64_t moves; /* how often it was moved */
};

void file_pointer_take(struct file_pointer *, rank_t from, const void *message, size_t bytes, struct keeper_mail *);
void file_pointer_stir(const struct file_pointer *, struct map_key *sum);

#endif
