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

/* A remark of an access of the accumulate family, or one of its parts, whose message is to come. */
struct atomic_remark {
    const struct op *op;
    uint32_t next; /* of the same rank for the same window: 1 + its index; 0: none */
};

struct window_chart {
    struct run_chart *chart;        /* borrows */
    int ranks;
    struct map windows;             /* slot and owner -> index in the chart */
    VEC(struct window_mail) mail;
    struct map first, last;         /* address of an operation -> index of the first mail that nobody has taken yet, and of the last one */
    VEC(struct atomic_remark) atomic;
    struct map first_atomic, last_atomic; /* rank and keeper -> the same of what was remarked and not sent yet */
};

void window_chart_release(struct window_chart *);

/* Of an act of this operation: where it goes and which bytes it touches. */
void window_chart_complete(struct window_chart *, const struct op *, struct op_name, struct act *);

/*
 * To be called for every operation, in its order.  An access of the accumulate family is told by a remark, which knows its bytes, and by a message, of which decisions
 * speak: the act is that of the message, which may come as late as the fence that ends the epoch.  `before`: the last act, or NULL; of a put or get in several parts it gets the bytes of all.
 */
void window_chart_see(struct window_chart *, const struct op *, rank_t, struct act *before);

/* The message has no act. */
void window_chart_leave_out(struct window_chart *, const struct op *, rank_t);

/* When all ranks were walked along: the order in which keepers took it. */
void window_chart_order(struct window_chart *, const struct run_view *);

#endif
