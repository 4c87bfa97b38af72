/*
 * dir -- the directory in which a result is kept.
 *
 * At any time, also after kill -9, result.json there is a whole result: it is
 * written beside and then put in place of the old one.  A directory that holds
 * something else than a result is never touched.
 */
#ifndef RESULT_DIR_H
#define RESULT_DIR_H

#include "result/decision_tree.h"
#include "result/result.h"
#include "result/run_chart.h"

/* Files that could not be written, and the last reason. */
struct lost_files {
    VEC(char *) name; /* owns */
    int error;
};

struct result_dir {
    char *path; /* owns */
    int fd;     /* the directory, locked */
    struct lost_files *lost; /* owns */
};

/*
 * Makes the directory, or takes over one that is empty or holds an old result,
 * which stays until the first dir_write; the journal, the runs and the report beside it go at once.  Dies
 * with a sentence if it cannot.
 */
struct result_dir dir_take(const char *path);

/* One that holds a result, to go on with it. */
struct result_dir dir_go_on(const char *path);

/* The journal with which the search can be gone on with: not when it is complete. */
bool dir_has_journal(const struct result_dir *);
void dir_drop_journal(const struct result_dir *);

/* The same before it is taken. */
bool dir_can_go_on(const char *path);

/* -1 with errno: it could not be written, and the one before is still there. */
int dir_write(const struct result_dir *, const struct result *) __attribute__((warn_unused_result));

/* The run of a finding, or the nearest clean one, beside the result.  -1: neither it nor the one before is there. */
int dir_write_run(const struct result_dir *, uint32_t finding, bool clean, const struct run_chart *)
    __attribute__((warn_unused_result));
bool dir_has_run(const struct result_dir *, uint32_t finding); /* not the clean one */

/* The trees of decisions of the result's searches; the same. */
int dir_write_trees(const struct result_dir *, const decision_trees_t *) __attribute__((warn_unused_result));

/* False: it is not there or not as it should be; if that can be told, why in one sentence, owned by the caller; else NULL. */
bool dir_read_run(const char *path, uint32_t finding, bool clean, struct run_chart *, char **why)
    __attribute__((warn_unused_result));
bool dir_read_trees(const char *path, decision_trees_t *, char **why) __attribute__((warn_unused_result));

/* Where the result and, unless somebody wants it elsewhere, its report are; owned by the caller. */
char *dir_result_path(const char *path);
char *dir_report_path(const char *path);

/* Reads the result that a directory holds; dies with a sentence if there is none. */
struct result dir_read(const char *path);

/* Of the files that were to be written, those of which the last try failed, and why, to be freed; NULL: none. */
char *dir_lost(const struct result_dir *);
bool dir_drop_trees(const struct result_dir *); /* for lack of room; false: there are none */

void dir_release(struct result_dir *);

#endif
