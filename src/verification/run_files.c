#include "verification/run_files.h"

#include "diagnosis/run_chart_maker.h"

static void keep_run_file(const struct result_dir *dir, struct run_view *view, struct symbols *symbols,
                          uint32_t finding, bool clean)
{
    struct run_chart execution = run_chart_make(view, symbols);
    int status = dir_write_run(dir, finding, clean, &execution);
    (void)status; /* the result, which matters more, complains */
    run_chart_release(&execution);
}

void run_files_write(const struct result_dir *dir, struct run_view *view, struct symbols *symbols, uint32_t finding)
{
    if ((view->run || view->account) && !dir_has_run(dir, finding))
        keep_run_file(dir, view, symbols, finding, false);
}

void run_files_rewrite(const struct result_dir *dir, struct run_view *view, struct symbols *symbols, uint32_t finding)
{
    keep_run_file(dir, view, symbols, finding, false);
}

void run_files_write_clean(const struct result_dir *dir, struct run_view *clean, struct symbols *symbols,
                           uint32_t finding)
{
    keep_run_file(dir, clean, symbols, finding, true);
}
