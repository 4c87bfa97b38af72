#include "command/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/words.h"
#include "call/calls.h"
#include "command/command.h"
#include "dist/helper.h"
#include "world/program.h"

enum { ELSEWHERE = -1 }; /* no process of this machine */

/* ---- the launcher ---- */

static bool is_there(const char *name)
{
    struct stat file;
    const char *path = getenv("PATH");
    for (const char *dir = path ? path : "/usr/bin:/bin"; *dir;) {
        size_t length = strcspn(dir, ":");
        char *full = xformat("%.*s/%s", (int)length, dir, name);
        bool found = stat(full, &file) == 0 && S_ISREG(file.st_mode) && access(full, X_OK) == 0;
        free(full);
        if (found)
            return true;
        dir += length + (dir[length] == ':');
    }
    return false;
}

static const char *first_there(const char *const *name)
{
    while (name[1] && !is_there(*name))
        name++;
    return *name;
}

/* Ranks may be more than processors: then they should not spin. */
static char *launcher_of_library(const char *mpi)
{
    static const char *const mpich[] = {"mpiexec.mpich", "mpiexec.hydra", "mpiexec", NULL};
    static const char *const openmpi[] = {"mpiexec.openmpi", "mpiexec", NULL};
    if (strcmp(mpi, "openmpi") == 0)
        return xformat("%s --oversubscribe --mca mpi_yield_when_idle 1%s", first_there(openmpi),
                       geteuid() == 0 ? " --allow-run-as-root" : "");
    return xstrdup(first_there(mpich));
}

static char **find_launcher(const struct run_options *options)
{
    char *path = program_find(options->world.argv[0]);
    const char *mpi = program_mpi(path);
    char *line = options->dist.launcher ? xstrdup(options->dist.launcher) : mpi ? launcher_of_library(mpi) : NULL;
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
static void open_dist(struct engine *engine, const struct run_options *options)
{
    engine->launcher = find_launcher(options);
    struct jobs_options jobs = {.ranks = options->world.ranks,
                                .launcher = engine->launcher,
                                .argv = options->world.argv,
                                .vector = strcmp(options->dist.clock, "vector") == 0,
                                .show = options->dist.show,
                                .remote = options->dist.launcher != NULL,
                                .seconds = options->seconds};
    engine->jobs = jobs_new(&jobs);
    struct job_source source = jobs_source(engine->jobs);
    engine->dist = dist_new(&source, jobs.ranks, options->dist.parallel);
}

/* ---- files that places lie in, from one session to the next ---- */

static void read_kept(struct engine *engine)
{
    FILE *in = fopen(engine->kept, "re");
    char *line = NULL;
    size_t room = 0;
    while (in && getline(&line, &room, in) > 0) {
        line[strcspn(line, "\n")] = 0;
        module_place(dist_modules(engine->dist), line, 0);
    }
    free(line);
    if (in)
        fclose(in);
    engine->files = dist_modules(engine->dist)->file.n;
}

/* Places are worth less without; not more can be said if it cannot be written. */
static void write_kept(struct engine *engine)
{
    const struct modules *modules = dist_modules(engine->dist);
    if (engine->files == modules->file.n)
        return;
    FILE *out = fopen(engine->kept, "we");
    for (size_t i = 0; out && i < modules->file.n; i++)
        fprintf(out, "%s\n", modules->file.at[i].path);
    if (out)
        fclose(out);
    engine->files = modules->file.n;
}

struct engine engine_open(const struct run_options *options, const char *dir)
{
    struct engine engine = {0};
    if (options->dist.asked) {
        open_dist(&engine, options);
        engine.kept = xformat("%s/modules", dir);
        read_kept(&engine);
    } else
        engine.drive = drive_new(&options->world);
    return engine;
}

void engine_close(struct engine *engine)
{
    if (engine->drive)
        drive_free(engine->drive);
    if (engine->dist) {
        jobs_free(engine->jobs);
        dist_free(engine->dist);
        words_free(engine->launcher);
        free(engine->kept);
    }
}

struct runner engine_runner(const struct engine *engine)
{
    return engine->dist ? dist_runner(engine->dist) : drive_runner(engine->drive);
}

/* ---- places ---- */

pid_t engine_process(const struct engine *engine)
{
    return engine->dist ? ELSEWHERE : 0;
}

void engine_tell_symbols(struct engine *engine, struct symbols *symbols)
{
    if (!engine->dist)
        return;
    const struct modules *modules = dist_modules(engine->dist);
    for (size_t i = 0; i < modules->file.n; i++) {
        const struct module_file *file = &modules->file.at[i];
        symbols_tell(symbols, ELSEWHERE, file->path, file->start, file->start + (UINT64_C(1) << MODULE_BITS));
    }
    write_kept(engine);
}

/* ---- what it took ---- */

void engine_tell_cost(const struct engine *engine)
{
    if (!engine->dist)
        return;
    struct dist_cost cost = dist_cost(engine->dist);
    printf("tourney: %" PRIu64 " job%s under %s, no two with the same decisions; by its clocks %" PRIu64
           " message%s came late for a receive from any source\n",
           cost.jobs, cost.jobs == 1 ? "" : "s", engine->launcher[0], cost.late, cost.late == 1 ? "" : "s");
}

char *engine_unseen_calls(const struct engine *engine)
{
    struct dist_cost cost = engine->dist ? dist_cost(engine->dist) : (struct dist_cost){0};
    char *text = NULL;
    size_t size;
    if (!cost.unsupported)
        return NULL;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < cost.unsupported; i++)
        fprintf(out, "%s%s", i ? ", " : "", call_name(cost.call[i]));
    fputs(cost.unsupported == 1 ? " is not looked into" : " are not looked into", out);
    fclose(out);
    return text;
}

/* ---- the other end ---- */

int command_dist_rank(int argc, char **argv)
{
    if (argc < 3)
        die("tourney dist starts this, for each rank");
    return helper_main(argv[1], argv + 2);
}
