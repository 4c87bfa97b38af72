#include "verification/backend.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/words.h"
#include "call/calls.h"
#include "verification/launcher_choice.h"
#include "world/program.h"

enum { ELSEWHERE = -1 }; /* no process of this machine */

/* ---- the launcher ---- */

static char **find_launcher(const struct run_options *options)
{
    char *path = program_find(options->world.argv[0]);
    char *line = options->arguments.launcher ? xstrdup(options->arguments.launcher) : launcher_choose(path);
    if (!line)
        die("%s does not say which MPI it needs; say how it is started, with --launcher 'mpiexec ...'", path);
    char **words = words_split(line, NULL);
    if (!words)
        die("--launcher '%s': a quote is not closed", line);
    if (!words[0])
        die("--launcher is empty");
    free(line);
    free(path);
    return words;
}

/* Ranks can be on other machines if somebody said how they are started. */
static void open_dist(struct backend *backend, const struct run_options *options)
{
    backend->launcher = find_launcher(options);
    struct jobs_options jobs = {.ranks = options->world.ranks,
                                .launcher = backend->launcher,
                                .argv = options->world.argv,
                                .vector = options->arguments.clock == ARGUMENT_CLOCK_VECTOR,
                                .show = options->arguments.show_output,
                                .remote = options->arguments.launcher != NULL,
                                .seconds = options->arguments.time};
    backend->jobs = jobs_new(&jobs);
    struct job_source source = jobs_source(backend->jobs);
    backend->dist = dist_new(&source, jobs.ranks, (uint32_t)options->arguments.parallel_jobs);
}

/* ---- files that places lie in, from one session to the next ---- */

static void read_kept(struct backend *backend)
{
    FILE *in = fopen(backend->kept, "re");
    char *line = NULL;
    size_t room = 0;
    while (in && getline(&line, &room, in) > 0) {
        line[strcspn(line, "\n")] = 0;
        module_place(dist_modules(backend->dist), line, 0);
    }
    free(line);
    if (in)
        fclose(in);
    backend->files = dist_modules(backend->dist)->file.n;
}

/* Places are worth less without; not more can be said if it cannot be written. */
static void write_kept(struct backend *backend)
{
    const struct modules *modules = dist_modules(backend->dist);
    if (backend->files == modules->file.n)
        return;
    unlink(backend->kept);
    FILE *out = fopen(backend->kept, "wxe"); /* follows no link */
    for (size_t i = 0; out && i < modules->file.n; i++)
        fprintf(out, "%s\n", modules->file.at[i].path);
    if (out)
        fclose(out);
    backend->files = modules->file.n;
}

struct backend backend_open(const struct run_options *options, const char *dir)
{
    struct backend backend = {0};
    if (options->dist) {
        open_dist(&backend, options);
        backend.kept = xformat("%s/modules", dir);
        read_kept(&backend);
    } else
        backend.drive = drive_new(&options->world);
    return backend;
}

void backend_close(struct backend *backend)
{
    if (backend->drive)
        drive_free(backend->drive);
    if (backend->dist) {
        jobs_free(backend->jobs);
        dist_free(backend->dist);
        words_free(backend->launcher);
        free(backend->kept);
    }
}

struct runner backend_runner(const struct backend *backend)
{
    return backend->dist ? dist_runner(backend->dist) : drive_runner(backend->drive);
}

/* ---- places ---- */

pid_t backend_process(const struct backend *backend)
{
    return backend->dist ? ELSEWHERE : 0;
}

void backend_tell_symbols(struct backend *backend, struct symbols *symbols)
{
    if (!backend->dist)
        return;
    const struct modules *modules = dist_modules(backend->dist);
    for (size_t i = 0; i < modules->file.n; i++) {
        const struct module_file *file = &modules->file.at[i];
        symbols_tell(symbols, ELSEWHERE, file->path, file->start, file->start + (UINT64_C(1) << MODULE_BITS));
    }
    write_kept(backend);
}

/* ---- what it took, and ran on ---- */

const char *backend_mpi(const struct backend *backend)
{
    return backend->dist ? dist_mpi(backend->dist) : drive_mpi(backend->drive);
}

void backend_tell_cost(const struct backend *backend)
{
    if (!backend->dist)
        return;
    struct dist_cost cost = dist_cost(backend->dist);
    bool one = cost.jobs == 1;
    printf("tourney: %" PRIu64 " job%s under %s%s; by %s clocks %" PRIu64
           " message%s came late for a receive from any source\n",
           cost.jobs, one ? "" : "s", backend->launcher[0], cost.jobs > 1 ? ", no two with the same decisions" : "",
           one ? "its" : "their", cost.late, cost.late == 1 ? "" : "s");
}

/* Who decides something there that is not led. */
static bool orders_window_accesses(uint32_t call)
{
    static const enum call orders[] = {CALL_Win_lock,       CALL_Win_lock_all, CALL_Win_post,         CALL_Win_start,
                                       CALL_Win_test,       CALL_Accumulate,   CALL_Get_accumulate,   CALL_Fetch_and_op,
                                       CALL_Compare_and_swap, CALL_Raccumulate, CALL_Rget_accumulate};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (orders[i] == call)
            return true;
    return false;
}

char *backend_unseen_calls(const struct backend *backend)
{
    struct dist_cost cost = backend->dist ? dist_cost(backend->dist) : (struct dist_cost){0};
    char *text = NULL;
    size_t size;
    if (!cost.unsupported)
        return NULL;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < cost.unsupported; i++)
        fprintf(out, "%s%s", i ? ", " : "", call_name(cost.call[i]));
    fputs(cost.unsupported == 1 ? " is not looked into" : " are not looked into", out);
    bool orders = false;
    for (size_t i = 0; i < cost.unsupported; i++)
        orders |= orders_window_accesses(cost.call[i]);
    if (orders)
        fputs(": the order of locks, of epochs of MPI_Win_start, and of atomic accesses to windows is the one that the library chose", out);
    fclose(out);
    return text;
}
