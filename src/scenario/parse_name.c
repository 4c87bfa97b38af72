/*
 * Names and what they stand for: ranks, communicators, and the variables and labels of
 * a column, which are there from where they are first written.
 */
#include <ctype.h>
#include <string.h>

#include "scenario/parser.h"

bool is_reserved(const char *word)
{
    static const char *const words[] = {"from", "to",   "tag",      "on",     "source",  "root",    "op",
                                        "into", "as",   "cancelled", "of",    "any",     "and",     "or",
                                        "not",  "deadlock", "unsafe", "before", "matches", "starts", "completes",
                                        "returns", "assert", "expect", "comm", "window", "at", "shared", "title", "buffering", "repeat", "for"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return verb_find(word) || rank_of_word(word) >= 0;
}

int rank_of_word(const char *word)
{
    int rank = 0;
    if (word[0] != 'P' || !isdigit((unsigned char)word[1]))
        return -1;
    for (const char *c = word + 1; *c; c++) {
        if (!isdigit((unsigned char)*c) || rank > SCENARIO_RANKS)
            return -1;
        rank = rank * 10 + (*c - '0');
    }
    return rank;
}

int32_t find_name(char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return (int32_t)i;
    return NOTHING;
}

bool can_be_name(struct parser *p, const char *what)
{
    char shown[TOKEN_TEXT + 2];
    if (p->lex.kind != TOKEN_WORD)
        lex_wrong(&p->lex, "here should be the name of %s, not %s", what, lex_shown(&p->lex, shown, sizeof shown));
    else if (is_reserved(p->lex.text))
        lex_wrong(&p->lex, "'%s' cannot be the name of %s, for it has a meaning", p->lex.text, what);
    else
        return true;
    return false;
}

static void note_use(struct parser *p, int32_t variable, bool sets)
{
    struct variable_use *use = &p->use[p->rank][variable];
    if (sets)
        use->set = true;
    else if (!use->read)
        *use = (struct variable_use){use->set, true, p->lex.line, (uint32_t)(p->lex.from - p->lex.begin) + 1};
}

int32_t parse_variable(struct parser *p, bool sets)
{
    struct column *column = &p->scenario->column[p->rank];
    if (!can_be_name(p, "a variable"))
        return NOTHING;
    int32_t variable = find_name(column->variables.at, column->variables.n, p->lex.text);
    if (find_name(column->labels.at, column->labels.n, p->lex.text) != NOTHING) {
        lex_wrong(&p->lex, "'%s' is a label of P%d, not a variable", p->lex.text, p->rank);
        return NOTHING;
    }
    if (variable == NOTHING && column->variables.n == SCENARIO_VARIABLES) {
        lex_wrong(&p->lex, "a column has at most %d variables", SCENARIO_VARIABLES);
        return NOTHING;
    }
    if (variable == NOTHING) {
        variable = (int32_t)column->variables.n;
        vec_push(&column->variables, xstrdup(p->lex.text));
    }
    note_use(p, variable, sets);
    lex_next(&p->lex);
    return variable;
}

int32_t parse_label(struct parser *p)
{
    struct column *column = &p->scenario->column[p->rank];
    if (!can_be_name(p, "a label"))
        return NOTHING;
    if (find_name(column->labels.at, column->labels.n, p->lex.text) != NOTHING)
        lex_wrong(&p->lex, "P%d has a label '%s' already", p->rank, p->lex.text);
    else if (find_name(column->variables.at, column->variables.n, p->lex.text) != NOTHING)
        lex_wrong(&p->lex, "'%s' is a variable of P%d", p->lex.text, p->rank);
    vec_push(&column->labels, xstrdup(p->lex.text));
    lex_next(&p->lex);
    lex_next(&p->lex);
    return (int32_t)(column->labels.n - 1);
}

/* The rank that the next word is; negative: none. */
static int rank_ahead(const struct parser *p)
{
    return p->lex.kind == TOKEN_NUMBER ? p->lex.number : rank_of_word(p->lex.text);
}

static rank_t rank_or(struct parser *p, const char *else_what)
{
    int rank = rank_ahead(p);
    if (rank < 0)
        lex_wrong(&p->lex, "here should be a rank%s", else_what);
    else if (rank >= p->scenario->ranks)
        lex_wrong(&p->lex, "there is no P%d: the last is P%d", rank, p->scenario->ranks - 1);
    lex_next(&p->lex);
    return rank;
}

rank_t parse_rank(struct parser *p)
{
    return rank_or(p, "");
}

struct peer_expression parse_peer(struct parser *p, bool may_be_any)
{
    struct peer_expression peer = {.rank = RANK_NONE, .variable = NOTHING};
    if (may_be_any && lex_takes(&p->lex, "any"))
        peer.rank = RANK_ANY;
    else if (rank_ahead(p) < 0 && p->lex.kind == TOKEN_WORD && !is_reserved(p->lex.text))
        peer.variable = parse_variable(p, false);
    else
        peer.rank = rank_or(p, may_be_any ? ", or 'any'" : "");
    return peer;
}

uint32_t parse_comm(struct parser *p)
{
    const struct scenario *scenario = p->scenario;
    for (uint32_t i = 0; i < scenario->comms.n; i++)
        if (lex_is(&p->lex, scenario->comms.at[i].name)) {
            if (scenario_position(scenario, i, p->rank) < 0)
                lex_wrong(&p->lex, "P%d is no member of '%s'", p->rank, scenario->comms.at[i].name);
            lex_next(&p->lex);
            return i;
        }
    lex_wrong(&p->lex, "there is no communicator of this name; 'comm NAME = ...' makes one");
    return 0;
}
