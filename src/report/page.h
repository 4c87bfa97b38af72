/*
 * page -- a result as one HTML file that needs nothing else.
 *
 * The page is viewer/report.html with the data in place of a mark: the result, the
 * runs kept beside it, and the source text that they name.
 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>
#include <time.h>

#include "result/shown_run.h"
#include "result/result.h"

/* The runs of a finding; NULL: not kept. */
struct kept_runs {
    const struct shown_run *run, *clean;
};

/* `runs` by finding; `directory` is what a user types to name the result, which was made at `made`. */
void page_write(FILE *, const struct result *, const struct kept_runs *runs, const char *directory, time_t made);

#endif
