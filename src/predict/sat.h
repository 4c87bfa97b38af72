/*
 * sat -- the border to SAT solvers: clauses in, answers out.
 *
 * The shape is that of IPASIR: variables 1, 2, ..., a literal is a variable or
 * its negative, a formula grows between the questions asked of it, and a
 * question may come with assumptions that hold for it alone.  Solvers die of
 * misuse; here the last answer is kept on this side of the border, so that it can
 * be looked at whatever was added since, and everything else that makes no sense
 * (a variable never made, a value without a model) is our own BUG().
 *
 * Two solvers are behind it: CaDiCaL (cadical.c alone knows it), and a small one
 * that is too simple to be wrong, for tests.
 */
#ifndef PREDICT_SAT_H
#define PREDICT_SAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sat;
struct sat_solver;

extern const struct sat_solver sat_cadical, sat_small;

struct sat *sat_new(const struct sat_solver *);
void sat_free(struct sat *);

int sat_variable(struct sat *); /* a new one */
void sat_add(struct sat *, const int *literals, int n); /* a clause; the empty one is false */
void sat_assume(struct sat *, int literal); /* until the next answer */

enum sat_answer { SAT_UNKNOWN = 0, SAT_YES = 10, SAT_NO = 20 };
/* SAT_UNKNOWN only if more than this many conflicts were met (negative: there is no limit), or time is over (deadline.h). */
enum sat_answer sat_solve(struct sat *, int64_t conflicts);

/* After SAT_YES: in the model found last. */
bool sat_value(const struct sat *, int literal);
/* Keeps the model found last, and goes back to it, as if no question had been asked since. */
void sat_keep_model(struct sat *);
void sat_go_back_to_kept(struct sat *);
/* After SAT_NO: of the assumptions made, those that cannot hold together. */
bool sat_failed(const struct sat *, int literal);

struct sat_count {
    int64_t variables, clauses, literals, questions;
    int64_t microseconds; /* spent in the solver */
};
struct sat_count sat_count(const struct sat *);

/* The clauses so far in DIMACS form, behind `comment`, whose lines begin with "c ". */
void sat_write(const struct sat *, FILE *, const char *comment);

/*
 * For a formula that is false without assumptions: solves it anew and writes what
 * was learnt, as a proof in DRUP form that the clauses of sat_write are so.  False: it
 * could not be shown.
 */
bool sat_prove(const struct sat *, FILE *);

/* What a solver has to offer; as IPASIR says. */
struct sat_solver {
    void *(*open)(void);
    void (*close)(void *);
    void (*add)(void *, int literal); /* 0 ends the clause */
    void (*assume)(void *, int literal);
    int (*solve)(void *, int64_t conflicts);
    bool (*value)(void *, int variable);
    bool (*failed)(void *, int literal);
    /* Says each clause it learns, such that each follows from those before by unit propagation; NULL: cannot. */
    void (*teach)(void *, void *data, int (*learnt)(void *data, const int *clause));
};

#endif
