/*
 * summary -- what was found, in a few sentences that somebody can act upon.
 *
 * Made of the result alone, so that it can be told again later.
 */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include "report/terminal.h"
#include "result/result.h"

/*
 * One finding: what goes wrong and how often, where, which decision led to it, what MPI
 * has to buffer, who is likely at fault, and how to see it happen; `dir` holds the result.
 */
void summary_of_finding(const struct terminal *, const struct result *, const struct finding *, const char *dir);

/* What the verdict rests on, and no more than that. */
struct coverage {
    const char *dir;
    bool can_go_on;  /* the search can be resumed */
    bool suppressed; /* there are findings that the user did not want to be told of */
};
void summary_of_coverage(const struct terminal *, const struct result *, const struct coverage *);

#endif
