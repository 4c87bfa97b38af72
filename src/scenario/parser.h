/*
 * parser -- what the two halves of the parser share: statements in columns (parse.c)
 * and expressions (parse_expr.c).
 */
#ifndef SCENARIO_PARSER_H
#define SCENARIO_PARSER_H

#include "scenario/lex.h"
#include "scenario/scenario.h"

/* Where a variable was first read; it must be set somewhere. */
struct variable_use {
    bool set, read;
    uint32_t line, column;
};

struct parser {
    struct scenario *scenario;
    struct scenario_mistake *mistake;
    struct lexer lex;
    rank_t rank;         /* whose column it is; RANK_NONE: a claim */
    struct claim *claim; /* that is being read; else NULL */
    int depth, parts;    /* of its expressions */
    struct variable_use use[SCENARIO_RANKS][SCENARIO_VARIABLES];
    VEC(uint32_t) open[SCENARIO_RANKS]; /* owns; statements whose end is to come */
};

/* Whether a word cannot be the name of something, for it has a meaning. */
bool is_reserved(const char *word);
/* P0 .. : its number; -1: it is no such word. */
int rank_of_word(const char *word);

/* The variable of this column with the name in hand; goes on.  -1: there cannot be one. */
int32_t parse_variable(struct parser *, bool sets);

/* A condition, or a value alone. */
expr_id parse_condition(struct parser *);
expr_id parse_value(struct parser *);

expr_id expr_of_variable(struct parser *, int32_t variable);

int32_t find_name(char *const *names, size_t n, const char *name);

#endif
