/*
 * window_chart -- what a run does at windows, for the chart of the run: who accesses which bytes where, and in which order windows and
 * their locks took what was sent to them.
 */
#ifndef DIAGNOSIS_WINDOW_CHART_H
#define DIAGNOSIS_WINDOW_CHART_H

#include "base/map.h"
#include "diagnosis/run_view.h"
#include "result/run_chart.h"

/* What ranks have sent to a window or its lock, in the order of their walks. */
struct window_mail {
    const struct op *op;
    struct op_name name;
    uint32_t next; /* the same operation, sent again: 1 + its index; 0: none */
};

struct window_chart {
    struct run_chart *chart;        /* borrows */
    int ranks;
    struct map windows;             /* slot and owner -> index in the chart */
    VEC(struct window_mail) mail;
    struct map first, last;         /* address of an operation -> index of the first mail that nobody has taken yet, and of the last one */
};

void window_chart_release(struct window_chart *);

/* Of an act of this operation: where it goes and which bytes it touches. */
void window_chart_complete(struct window_chart *, const struct op *, struct op_name, struct act *);

/*
 * An access of the accumulate family is told twice, by a remark and by the message that follows it, of which decisions speak: whether this is
 * the message of the access before.
 */
bool window_chart_goes_on(const struct act *before, const struct op *, struct op_name);

/* When all ranks were walked along: the order in which keepers took it. */
void window_chart_order(struct window_chart *, const struct run_view *);

#endif
