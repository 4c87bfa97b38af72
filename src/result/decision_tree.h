/*
 * decision_tree -- the decisions of a search and what they led to, as plain data.
 *
 * doc/result.md says what each part means; the names here are those of the JSON.
 * Everything is owned by whoever holds the struct.
 */
#ifndef RESULT_DECISION_TREE_H
#define RESULT_DECISION_TREE_H

#include "result/run_chart.h"

enum { TREE_VERSION = 1 };

enum twig_end { TWIG_GOES_ON, TWIG_GOOD, TWIG_BAD, TWIG_OPEN };

/* Where one can come from there: to good ends only, to bad ones, to both, or, as far as it was looked at, to no bad one. */
enum twig_leads { LEADS_GOOD, LEADS_BAD, LEADS_BOTH, LEADS_OPEN };

/* A decision, and what it led to. */
struct twig {
    int32_t parent;   /* index, lower than its own; -1 of the first, where all runs begin and nothing is decided */
    rank_t rank;      /* -1 of the first */
    int32_t call;     /* index of a text; -1 */
    int32_t text;     /* index: what came out; -1 */
    int32_t place;    /* index; -1: unknown */
    int32_t same;     /* index of the twig that leads to the same state, where it goes on; or -1 */
    int end;          /* enum twig_end */
    int leads;        /* enum twig_leads */
    uint32_t finding; /* its id, if the run that ends here shows one; else 0 */
    uint32_t held;    /* the same of one that needs less buffering */
    uint32_t left_out; /* decisions from here that are not written down */
    uint32_t untried;  /* decisions from here that were not tried */
};

struct decision_tree {
    VEC(char *) args; /* of the program, if they are not those of the result */
    VEC(char *) texts;
    VEC(struct named_place) places;
    VEC(struct twig) twigs;
    uint64_t decisions; /* in all, also those that are left out */
};

/* One for each search of a result. */
typedef VEC(struct decision_tree) decision_trees_t;

void decision_tree_release(struct decision_tree *);
void decision_trees_release(decision_trees_t *);

/* As JSON, and back: as with a result. */
char *decision_trees_print(const decision_trees_t *);
int decision_trees_parse(decision_trees_t *, const char *text, size_t size, char **why)
    __attribute__((warn_unused_result));

#endif
