/*
 * report -- a result as an HTML page.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/die.h"
#include "command/command.h"
#include "report/page.h"
#include "result/dir.h"

struct request {
    const char *dir;
    const char *file; /* NULL: in the directory */
};

static struct request read_arguments(int argc, char **argv)
{
    struct request request = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0 && i + 1 < argc && !request.file)
            request.file = argv[++i];
        else if (request.dir || argv[i][0] == '-')
            misuse("report takes one DIR, and -o FILE");
        else
            request.dir = argv[i];
    }
    if (!request.dir)
        misuse("report needs the DIR of a result");
    return request;
}

/* Both runs of each finding, as far as they were kept. */
struct runs {
    VEC(struct shown_run) execution; /* of each finding the run, then the clean one */
    VEC(struct kept_runs) kept;
};

static void read_runs(const char *dir, const struct result *result, struct runs *runs)
{
    vec_reserve(&runs->execution, 2 * result->findings.n + 1);
    for (size_t i = 0; i < result->findings.n; i++) {
        struct shown_run *run = &runs->execution.at[2 * i];
        uint32_t id = result->findings.at[i].id;
        bool has_run = dir_read_run(dir, id, false, &run[0]), has_clean = dir_read_run(dir, id, true, &run[1]);
        if (!has_run && result->findings.at[i].run)
            fprintf(stderr, "tourney: the run of finding %" PRIu32 " was not kept in %s, so the page cannot show it\n", id, dir);
        vec_push(&runs->kept, (struct kept_runs){has_run ? &run[0] : NULL, has_clean ? &run[1] : NULL});
    }
}

static time_t changed(const char *dir)
{
    struct stat stat;
    char *file = dir_result_path(dir);
    time_t time = lstat(file, &stat) == 0 ? stat.st_mtime : 0;
    free(file);
    return time;
}

int command_report(int argc, char **argv)
{
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return tell(usage);
    struct request request = read_arguments(argc, argv);
    struct result result = dir_read(request.dir);
    struct runs runs = {0};
    read_runs(request.dir, &result, &runs);
    char *file = request.file ? xstrdup(request.file) : dir_report_path(request.dir);
    FILE *out = fopen(file, "we");
    if (!out)
        die("cannot write %s: %s", file, strerror(errno));
    page_write(out, &result, runs.kept.at, request.dir, changed(request.dir));
    bool failed = ferror(out);
    if (fclose(out) != 0 || failed)
        die("cannot write %s: %s", file, strerror(errno));
    printf("tourney: the report is %s\n", file);
    return 0;
}
