#include "command/keep.h"

#include "report/shown_run.h"

static void keep(const struct result_dir *dir, struct explored *e, struct symbols *symbols, uint32_t finding, bool clean)
{
    struct shown_run execution = shown_run_make(e, symbols);
    int status = dir_write_run(dir, finding, clean, &execution);
    (void)status; /* the result, which matters more, complains */
    shown_run_release(&execution);
}

void keep_run(const struct result_dir *dir, struct explored *e, struct symbols *symbols, uint32_t finding)
{
    if ((e->run || e->account) && !dir_has_run(dir, finding))
        keep(dir, e, symbols, finding, false);
}

void keep_run_anew(const struct result_dir *dir, struct explored *e, struct symbols *symbols, uint32_t finding)
{
    keep(dir, e, symbols, finding, false);
}

void keep_clean_run(const struct result_dir *dir, const struct explored *e, struct symbols *symbols, uint32_t step,
                    uint32_t finding)
{
    struct turning turning;
    if (!explore_turning(e->explorer, step, &turning))
        return;
    struct explored instead = *e;
    instead.run = NULL;
    instead.account = turning.instead;
    keep(dir, &instead, symbols, finding, true);
}
