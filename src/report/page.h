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

#include "result/decision_tree.h"
#include "result/result.h"
#include "result/run_chart.h"

/* The runs of a finding; NULL: not kept. */
struct kept_runs {
    const struct run_chart *run, *clean;
};

/* What a page is made of; all of it borrowed. */
struct html_page {
    const struct result *result;
    const struct kept_runs *runs; /* by finding */
    const decision_trees_t *trees; /* may be empty */
    const char *directory;        /* what a user types to name the result */
    time_t made;                  /* when the result was made */
    bool can_go_on;               /* the search was stopped, and can be resumed */
};

void page_write(FILE *, const struct html_page *);

#endif
