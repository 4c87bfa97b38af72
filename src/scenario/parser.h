/*
 * parser -- what the pieces of the parser share: the text from its first line to its last
 * (parse.c), what stands around the columns (parse_around.c), statements, their clauses,
 * expressions and names (parse_statement.c, parse_clause.c, parse_expr.c, parse_name.c).
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

/* ---- around the columns ---- */

/* A line before them; behind them, what follows `assert` and `expect`. */
void parse_head_line(struct parser *);
void parse_claim(struct parser *);
void parse_expectation(struct parser *);

/* ---- statements ---- */

/* One, for the column of p->rank. */
void parse_statement(struct parser *);

/* ---- clauses ---- */

/* The clauses that a statement may have. */
enum clause {
    CLAUSE_TO = 1 << 0, CLAUSE_FROM = 1 << 1, CLAUSE_TAG = 1 << 2, CLAUSE_ON = 1 << 3, CLAUSE_SOURCE = 1 << 4,
    CLAUSE_ROOT = 1 << 5, CLAUSE_OP = 1 << 6, CLAUSE_INTO = 1 << 7, CLAUSE_AS = 1 << 8, CLAUSE_CANCELLED = 1 << 9,
    CLAUSE_OF = 1 << 10, CLAUSE_RECV = 1 << 11, CLAUSE_AT = 1 << 12, CLAUSE_PORT = 1 << 13,
};

/* What follows the values of a statement; returns which clauses there were. */
unsigned parse_clauses(struct parser *, struct statement *);
/* It is wrong without this one. */
void need_clause(struct parser *, unsigned seen, enum clause, const struct statement *);

/* The labels of requests, one or more. */
void parse_requests(struct parser *, struct statement *);

/* Whether nothing more belongs to the statement. */
bool is_over(const struct parser *);

/* ---- expressions ---- */

/* A condition, or a value alone. */
expr_id parse_condition(struct parser *);
expr_id parse_value(struct parser *);

expr_id expr_of_variable(struct parser *, int32_t variable);

/* ---- names ---- */

/* Whether a word cannot be the name of something, for it has a meaning. */
bool is_reserved(const char *word);
/* P0 .. : its number; -1: it is no such word. */
int rank_of_word(const char *word);
/* Its place among these; NOTHING: it is not there. */
int32_t find_name(char *const *names, size_t n, const char *name);

/* A new name, the one in hand, which must not have a meaning. */
bool can_be_name(struct parser *, const char *what);

/* The variable of this column with the name in hand; goes on.  -1: there cannot be one. */
int32_t parse_variable(struct parser *, bool sets);
/* A new label of this column, the name in hand; goes beyond its colon. */
int32_t parse_label(struct parser *);
/* A rank by its name: P2, or 2. */
rank_t parse_rank(struct parser *);
struct peer_expression parse_peer(struct parser *, bool may_be_any);
/* A communicator that has this column's rank. */
uint32_t parse_comm(struct parser *);

#endif
