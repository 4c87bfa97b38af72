#include "report/page_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"
#include "report/page.h"
#include "result/dir.h"

/* Both runs of each finding, as far as they were kept. */
struct runs {
    VEC(struct run_chart) execution; /* of each finding the run, then the clean one */
    VEC(struct kept_runs) kept;
};

/* What is missing is said, and the rest is shown.  Takes `why`. */
static void lack(char *why, const char *what, const char *dir)
{
    if (why)
        fprintf(stderr, "tourney: %s; the page does without %s, which another search will bring back\n", why, what);
    else
        fprintf(stderr, "tourney: %s is not in %s, so the page does without\n", what, dir);
    free(why);
}

static bool read_run_of_finding(const char *dir, const struct result *result, uint32_t id, bool clean,
                                struct run_chart *run, char **why)
{
    bool good = dir_read_run(dir, id, clean, run, why);
    if (!good || run->lanes.n == (size_t)result_all_ranks(result))
        return good;
    *why = xformat("%s: the run of finding %" PRIu32 " has %zu ranks, not %d", dir, id, run->lanes.n, result_all_ranks(result));
    return false;
}

static void read_runs(const char *dir, const struct result *result, struct runs *runs)
{
    vec_reserve(&runs->execution, 2 * result->findings.n + 1);
    for (size_t i = 0; i < result->findings.n; i++) {
        struct run_chart *run = &runs->execution.at[2 * i];
        const struct finding *finding = &result->findings.at[i];
        char name[64], *why, *why_not_clean;
        bool has_run = read_run_of_finding(dir, result, finding->id, false, &run[0], &why);
        bool has_clean = read_run_of_finding(dir, result, finding->id, true, &run[1], &why_not_clean);
        snprintf(name, sizeof name, "the run of finding %" PRIu32, finding->id);
        if (!has_run && (why || finding->run))
            lack(why, name, dir);
        snprintf(name, sizeof name, "the good run beside finding %" PRIu32, finding->id);
        if (why_not_clean)
            lack(why_not_clean, name, dir);
        vec_push(&runs->kept, (struct kept_runs){has_run ? &run[0] : NULL, has_clean ? &run[1] : NULL});
    }
}

static decision_trees_t read_trees(const char *dir)
{
    decision_trees_t trees = {0};
    char *why;
    if (!dir_read_trees(dir, &trees, &why) && why)
        lack(why, "the tree of decisions", dir);
    return trees;
}

/* A search that was killed, or still goes on. */
static void tell_unfinished(const struct result *result, const char *dir)
{
    for (size_t i = 0; i < result->bounds.n; i++)
        if (strcmp(result->bounds.at[i], result_unfinished) == 0)
            fprintf(stderr, "tourney: in %s, %s, so this is what was known so far%s%s\n", dir, result_unfinished,
                    dir_can_go_on(dir) ? "; to go on: tourney resume " : "", dir_can_go_on(dir) ? dir : "");
}

static time_t changed(const char *dir)
{
    struct stat stat;
    char *file = dir_result_path(dir);
    time_t time = lstat(file, &stat) == 0 ? stat.st_mtime : 0;
    free(file);
    return time;
}

/* A pipe or a terminal is written to as it is. */
static bool is_replaced(const char *file)
{
    struct stat there;
    return stat(file, &there) < 0 || S_ISREG(there.st_mode);
}

/*
 * A file is made beside its place and then put there: what was there before, a link to somewhere else included,
 * is replaced and not written to; and there never is half a page.
 */
static void write_page(const char *file, const struct html_page *page)
{
    bool replaced = is_replaced(file);
    char *part = replaced ? xformat("%s.part", file) : xstrdup(file);
    if (replaced)
        unlink(part);
    FILE *out = fopen(part, replaced ? "wxe" : "we");
    if (!out)
        die("cannot write %s: %s", file, strerror(errno));
    page_write(out, page);
    bool failed = ferror(out);
    int error = errno;
    if (fclose(out) != 0) {
        error = failed ? error : errno;
        failed = true;
    }
    if (!failed && replaced && rename(part, file) < 0) {
        error = errno;
        failed = true;
    }
    if (failed && replaced)
        unlink(part);
    if (failed)
        die("cannot write %s: %s", file, strerror(error));
    free(part);
}

char *page_file_make(const char *dir, const char *output)
{
    struct result result = dir_read(dir);
    struct runs runs = {0};
    tell_unfinished(&result, dir);
    read_runs(dir, &result, &runs);
    decision_trees_t trees = read_trees(dir);
    char *file = output ? xstrdup(output) : dir_report_path(dir);
    write_page(file, &(struct html_page){&result, runs.kept.at, &trees, dir, changed(dir), dir_can_go_on(dir)});
    return file;
}
