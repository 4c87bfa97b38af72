/*
 * session -- a search that can be gone on with another day.
 *
 * Beside the result lies the journal of the search.  Its head says what was
 * searched: the command line, where it was given, and which file the program was,
 * so that `tourney resume DIR` needs to be told nothing and does not go on with
 * another program.
 */
#ifndef VERIFICATION_SESSION_H
#define VERIFICATION_SESSION_H

#include "journal/journal.h"
#include "options/options.h"
#include "result/dir.h"

struct session {
    struct run_options options;
    struct result_dir dir;
    struct journal *journal; /* owns; NULL: none could be made, and that was said; or nothing is left to resume */
    bool resumed;
    uint64_t runs_before;    /* of a session that is resumed: those that its result knows of */
    char **argv;             /* owns; of a session that is resumed, its command line */
    int words;               /* the command line with which the search was begun */
    char **command;          /* borrows */
    char *lessons;           /* owns; of a session that is resumed, what it had learned of threads */
};

/* Both die with a sentence if they cannot. */
struct session session_begin(int argc, char **argv);
struct session session_resume(int argc, char **argv);
void session_end(struct session *);

/* For a new one, when its first result is in the directory. */
void session_open_journal(struct session *, int argc, char **argv);

/* So many numbers are there for ranks that others start: the journal begins anew. */
void session_allow_spawn(struct session *, int spawnable);

/* The same with what was learned of threads, which is borrowed (world/thread_lessons.h). */
void session_heed_lessons(struct session *, const char *lessons);

/* Still hearing what the sessions before found: their result is not to be written over. */
bool session_is_catching_up(const struct session *);

#endif
