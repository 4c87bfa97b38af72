/*
 * excerpt -- the source text around places, for a report that is read elsewhere.
 *
 * Whole files, if they are not long; of longer ones the lines around the places.
 * Only regular files that a result names are opened.
 */
#ifndef REPORT_EXCERPT_H
#define REPORT_EXCERPT_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "base/mem.h"

struct excerpt {
    char *file;       /* owns */
    VEC(int) lines;   /* that are asked for */
};

typedef VEC(struct excerpt) excerpts_t;

/* A place that should be shown; file and line may be unknown. */
void excerpts_want(excerpts_t *, const char *file, int line);
void excerpts_release(excerpts_t *);

/* All that can be read, as a JSON list; files younger than `made` are marked as changed. */
void excerpts_print(FILE *, excerpts_t *, time_t made);

#endif
