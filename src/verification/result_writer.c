/*
 * result_writer -- the result of a verification, in its directory while the search goes on.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "verification/verification.h"
#include "base/die.h"
#include "base/mem.h"
#include "words/completeness_words.h"
#include "world/program.h"

void verification_begin_result(struct verification *v)
{
    v->path = program_find(v->options.world.argv[0]);
    const char *mpi = program_mpi(v->path);
    v->result = (struct result){.program = xstrdup(v->options.world.argv[0]),
                                .binary = program_digest(v->path),
                                .cwd = getcwd(NULL, 0),
                                .hang_timeout = v->options.world.hang_timeout,
                                .ranks = v->options.world.ranks - v->options.world.spawnable,
                                .spawnable = v->options.world.spawnable,
                                .mpi = xstrdup(mpi ? mpi : "unknown"),
                                .buffering = xstrdup(v->options.buffering),
                                .heap = v->options.dist || v->options.world.system_heap ? HEAP_SYSTEM : HEAP_CANONICAL,
                                .layout = v->options.dist ? 0 : v->options.world.layout,
                                .skewed = v->options.world.skewed,
                                .choices = v->options.world.choices ? xstrdup(v->options.world.choices) : NULL,
                                .reductions = (enum result_reductions)v->options.arguments.reductions,
                                .lessons = v->options.world.lessons ? xstrdup(v->options.world.lessons) : NULL,
                                .faults = v->options.world.faults ? xstrdup(v->options.world.faults) : NULL,
                                .fault_places = v->options.world.fault_places,
                                .node_ranks = v->options.world.node_ranks,
                                .inputs = v->options.arguments.inputs ? xstrdup(v->options.arguments.inputs) : NULL,
                                .verdict = VERDICT_INCOMPLETE};
    v->knows_mpi = mpi;
    for (char *const *arg = v->options.world.argv + 1; *arg; arg++)
        vec_push(&v->result.args, xstrdup(*arg));
    verification_assume(v);
}

/* A script loads it, or what it starts: the file that is run does not say. */
void verification_note_mpi(struct verification *v)
{
    const char *mpi = v->knows_mpi ? NULL : backend_mpi(&v->backend);
    if (!mpi)
        return;
    free(v->result.mpi);
    v->result.mpi = xstrdup(mpi);
    v->knows_mpi = true;
}

/* With several lines of arguments, what is complete of one is not of all. */
void verification_note_complete(struct verification *v)
{
    struct completeness complete = explore_complete_so_far(v->run.explorer);
    free(v->result.complete);
    v->result.complete = v->line || v->refused || v->diverged ? NULL : completeness_sentence(&complete);
}

static bool is_disk_full(int error)
{
    return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

void verification_note_for_reruns(struct verification *v)
{
    const spawn_places_t *places = v->backend.drive ? drive_places(v->backend.drive) : NULL;
    if (!places)
        return;
    drive_made_files(v->backend.drive, &v->result.made_files);
    vec_clear(&v->result.spawned);
    for (size_t i = 0; i < places->n; i++)
        vec_push(&v->result.spawned, places->at[i]);
}

/* While it goes on, a result says that it does not know all: that is what is there if tourney is killed. */
static int write_result(struct verification *v)
{
    verification_note_for_reruns(v);
    if (v->is_over)
        return dir_write(&v->session.dir, &v->result);
    vec_push(&v->result.bounds, (char *)result_unfinished); /* only for a moment */
    int status = dir_write(&v->session.dir, &v->result);
    v->result.bounds.n--;
    return status;
}

/* What is lost with the journal is time; what is lost with the result is what was found. */
static void give_up_journal(struct verification *v)
{
    journal_abandon(v->session.journal);
    dir_drop_journal(&v->session.dir);
    progress_clear(&v->progress);
    fprintf(stderr, "tourney: no room for the journal beside the result in %s: the search cannot be resumed\n",
            v->session.dir.path);
}

/* On a full disk the result comes first, then the journal, then the tree of decisions. */
static int write_result_first(struct verification *v)
{
    int status = write_result(v);
    if (status < 0 && is_disk_full(errno)) {
        if (!dir_drop_trees(&v->session.dir))
            errno = ENOSPC;
        else
            status = write_result(v);
    }
    if (status < 0 && is_disk_full(errno) && v->session.journal && dir_has_journal(&v->session.dir)) {
        give_up_journal(v);
        status = write_result(v);
    }
    return status;
}

/* The old one, though the search may be over before it has caught up: one that was killed had not said all that is in its journal. */
static bool does_old_result_say_more(const struct verification *v)
{
    return session_is_catching_up(&v->session) && (!v->is_over || v->result.runs <= v->session.runs_before);
}

void verification_save(struct verification *v)
{
    if (does_old_result_say_more(v))
        return;
    v->saved = progress_seconds(&v->progress);
    v->result.seconds = v->is_searched ? v->result.seconds : v->saved;
    if (write_result_first(v) == 0) {
        v->unsaved = false;
    } else if (!v->unsaved) {
        v->unsaved = true;
        progress_clear(&v->progress);
        fprintf(stderr, "tourney: the result in %s is not complete: %s\n", v->session.dir.path, strerror(errno));
        v->was_unsaved = true;
    }
}

/* To learn after hours that nothing can be kept would be too late; a full disk may be emptied in time. */
void verification_save_first(struct verification *v)
{
    if (write_result(v) < 0 && !is_disk_full(errno))
        die("cannot write the result in %s: %s", v->session.dir.path, strerror(errno));
}
