/*
 * Expressions: those of statements, over the variables of one rank, and claims, which
 * are about a whole run.
 */
#include <string.h>

#include "scenario/parser.h"

static expr_id add_expr(struct parser *p, struct expr expr)
{
    if (++p->parts > SCENARIO_PARTS)
        lex_wrong(&p->lex, "a statement or assertion has at most %d numbers, names and operators", SCENARIO_PARTS);
    vec_push(&p->scenario->exprs, expr);
    return (expr_id)(p->scenario->exprs.n - 1);
}

static expr_id add_expr_pair(struct parser *p, enum expr_kind kind, expr_id left, expr_id right)
{
    return add_expr(p, (struct expr){.kind = kind, .left = left, .right = right});
}

/* ---- claims: names of any column, and what happens ---- */

struct found_name {
    rank_t rank;
    int32_t variable, label; /* one of them is NOTHING */
};

static bool find_in(const struct parser *p, rank_t rank, const char *name, struct found_name *found)
{
    const struct column *column = &p->scenario->column[rank];
    struct found_name here = {rank, find_name(column->variables.at, column->variables.n, name),
                              find_name(column->labels.at, column->labels.n, name)};
    if (here.variable == NOTHING && here.label == NOTHING)
        return false;
    *found = here;
    return true;
}

static bool find_anywhere(struct parser *p, const char *name, struct found_name *found)
{
    rank_t first = RANK_NONE;
    for (rank_t r = 0; r < p->scenario->ranks; r++) {
        if (!find_in(p, r, name, found))
            continue;
        if (first != RANK_NONE) {
            lex_wrong(&p->lex, "P%d and P%d both have '%s'; write P%d.%s", first, r, name, first, name);
            return false;
        }
        first = r;
    }
    if (first == RANK_NONE)
        lex_wrong(&p->lex, "no column has a variable or label '%s'", name);
    return first != RANK_NONE;
}

/* `x` or `P0.x`, which it goes beyond. */
static bool parse_name(struct parser *p, struct found_name *found)
{
    int rank = rank_of_word(p->lex.text);
    if (rank >= p->scenario->ranks) {
        lex_wrong(&p->lex, "there is no P%d: the last is P%d", rank, p->scenario->ranks - 1);
        return false;
    }
    if (rank >= 0) {
        lex_next(&p->lex);
        if (!lex_takes(&p->lex, ".") || p->lex.kind != TOKEN_WORD) {
            lex_wrong(&p->lex, "after P%d comes a point and the name of a variable or label", rank);
            return false;
        }
        if (!find_in(p, rank, p->lex.text, found)) {
            lex_wrong(&p->lex, "P%d has no variable or label '%s'", rank, p->lex.text);
            return false;
        }
    } else if (is_reserved(p->lex.text)) {
        lex_wrong(&p->lex, "'%s' cannot stand here", p->lex.text);
        return false;
    } else if (!find_anywhere(p, p->lex.text, found)) {
        return false;
    }
    lex_next(&p->lex);
    return true;
}

static uint32_t labelled(const struct parser *p, const struct found_name *name)
{
    const struct column *column = &p->scenario->column[name->rank];
    uint32_t i = 0;
    while (column->statements.at[i].label != name->label)
        i++;
    return i;
}

/* Within a loop, the search takes polls that say no for one wait: which time is meant nobody could tell. */
static bool is_in_loop(const struct column *column, uint32_t statement)
{
    for (uint32_t i = 0; i < statement; i++)
        if (column->statements.at[i].word->verb == VERB_WHILE && column->statements.at[i].partner > statement)
            return true;
    return false;
}

/* The event `a starts`, `a completes`, `a returns`, as a number of the claim. */
static uint32_t parse_event(struct parser *p, const struct found_name *name)
{
    struct scenario_event event = {.rank = name->rank, .statement = labelled(p, name)};
    const struct verb_word *word = p->scenario->column[name->rank].statements.at[event.statement].word;
    if (p->scenario->numbers)
        lex_wrong(&p->lex, "orders of events cannot be asked for where there is a window");
    if (p->scenario->partitioned)
        lex_wrong(&p->lex, "orders of events cannot be asked for where messages are sent in parts");
    if (is_in_loop(&p->scenario->column[name->rank], event.statement))
        lex_wrong(&p->lex, "events of calls in a loop cannot be asked for, only what they match");
    if (word->verb == VERB_START)
        lex_wrong(&p->lex, "a start is over at once; ask for events of what it starts");
    if (lex_is(&p->lex, "starts")) {
        event.kind = EVENT_STARTS;
    } else if (lex_is(&p->lex, "completes")) {
        event.kind = EVENT_COMPLETES;
        if (word->verb > VERB_SENDRECV && word->verb != VERB_COLL)
            lex_wrong(&p->lex, "a %s returns; what completes are sends, receives and collectives", word->word);
    } else if (lex_is(&p->lex, "returns")) {
        event.kind = EVENT_RETURNS;
        if (!word->blocking && !word->poll)
            lex_wrong(&p->lex, "a %s returns at once; ask when it starts or completes", word->word);
    } else {
        lex_wrong(&p->lex, "what a label does is: starts, completes, returns or matches");
    }
    lex_next(&p->lex);
    for (uint32_t i = 0; i < p->claim->events; i++)
        if (memcmp(&p->claim->event[i], &event, sizeof event) == 0)
            return i;
    if (p->claim->events == CLAIM_EVENTS) {
        lex_wrong(&p->lex, "a claim is about at most %d different events", CLAIM_EVENTS);
        return 0;
    }
    p->claim->event[p->claim->events] = event;
    return p->claim->events++;
}

static expr_id parse_matches(struct parser *p, const struct found_name *name)
{
    struct found_name other;
    lex_next(&p->lex);
    if (p->lex.kind != TOKEN_WORD || !parse_name(p, &other) || other.label == NOTHING) {
        lex_wrong(&p->lex, "after 'matches' comes the label of the other side");
        return 0;
    }
    p->claim->matches = true;
    return add_expr(p, (struct expr){.kind = EXPR_MATCHES,
                                     .rank = name->rank,
                                     .index = labelled(p, name),
                                     .other_rank = other.rank,
                                     .other = labelled(p, &other)});
}

static expr_id parse_happening(struct parser *p, const struct found_name *name)
{
    struct found_name other;
    if (lex_is(&p->lex, "matches"))
        return parse_matches(p, name);
    uint32_t left = parse_event(p, name);
    if (!lex_takes(&p->lex, "before"))
        return add_expr_pair(p, EXPR_HAPPENS, left, left);
    if (p->lex.kind != TOKEN_WORD || !parse_name(p, &other) || other.label == NOTHING) {
        lex_wrong(&p->lex, "after 'before' comes a label and what it does");
        return 0;
    }
    return add_expr_pair(p, EXPR_BEFORE, left, parse_event(p, &other));
}

static bool takes_want(struct parser *p)
{
    if (!lex_takes(&p->lex, "for"))
        return false;
    if (!lex_takes(&p->lex, "want") || !lex_takes(&p->lex, "of") || !lex_takes(&p->lex, "buffering"))
        lex_wrong(&p->lex, "it reads 'deadlock for want of buffering'");
    else if (!p->scenario->any_slack)
        lex_wrong(&p->lex, "'for want of buffering' needs a scenario with 'buffering any'");
    return true;
}

static expr_id parse_claim_name(struct parser *p)
{
    static const struct {
        const char *word;
        enum expr_kind kind;
    } states[] = {{"error", EXPR_ERROR}, {"unsafe", EXPR_UNSAFE}};
    struct found_name name;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (lex_takes(&p->lex, states[i].word))
            return add_expr(p, (struct expr){.kind = states[i].kind});
    if (lex_takes(&p->lex, "deadlock"))
        return add_expr(p, (struct expr){.kind = takes_want(p) ? EXPR_WANT : EXPR_DEADLOCK});
    if (!parse_name(p, &name))
        return 0;
    if (name.label != NOTHING)
        return parse_happening(p, &name);
    return add_expr(p, (struct expr){.kind = EXPR_VARIABLE, .rank = name.rank, .index = (uint32_t)name.variable});
}

/* ---- expressions ---- */

static expr_id parse_or(struct parser *p);

expr_id expr_of_variable(struct parser *p, int32_t variable)
{
    return add_expr(p, (struct expr){.kind = EXPR_VARIABLE, .rank = p->rank, .index = (uint32_t)variable});
}

static expr_id parse_bracket(struct parser *p)
{
    expr_id inner = parse_or(p);
    if (!lex_takes(&p->lex, ")"))
        lex_wrong(&p->lex, "a bracket is not closed");
    return inner;
}

static expr_id parse_one(struct parser *p)
{
    char shown[TOKEN_TEXT + 2];
    if (p->lex.kind == TOKEN_NUMBER) {
        expr_id id = add_expr(p, (struct expr){.kind = EXPR_NUMBER, .number = p->lex.number});
        lex_next(&p->lex);
        return id;
    }
    if (lex_takes(&p->lex, "-")) {
        expr_id zero = add_expr(p, (struct expr){.kind = EXPR_NUMBER});
        if (p->lex.kind != TOKEN_NUMBER && p->lex.kind != TOKEN_WORD)
            lex_wrong(&p->lex, "after '-' comes a number or a variable");
        return add_expr_pair(p, EXPR_SUBTRACT, zero, p->lex.kind == TOKEN_END ? zero : parse_one(p));
    }
    if (lex_takes(&p->lex, "("))
        return parse_bracket(p);
    if (p->lex.kind == TOKEN_WORD)
        return p->claim ? parse_claim_name(p) : expr_of_variable(p, parse_variable(p, false));
    lex_wrong(&p->lex, "here should be a value, not %s", lex_shown(&p->lex, shown, sizeof shown));
    return 0;
}

static expr_id parse_product(struct parser *p)
{
    expr_id left = parse_one(p);
    while (lex_takes(&p->lex, "*"))
        left = add_expr_pair(p, EXPR_MULTIPLY, left, parse_one(p));
    return left;
}

expr_id parse_value(struct parser *p)
{
    expr_id left = parse_product(p);
    for (;;) {
        if (lex_takes(&p->lex, "+"))
            left = add_expr_pair(p, EXPR_ADD, left, parse_product(p));
        else if (lex_takes(&p->lex, "-"))
            left = add_expr_pair(p, EXPR_SUBTRACT, left, parse_product(p));
        else
            return left;
    }
}

static expr_id parse_comparison(struct parser *p)
{
    static const struct {
        const char *sign;
        enum expr_kind kind;
    } signs[] = {{"==", EXPR_EQUAL}, {"!=", EXPR_UNLIKE},  {"<", EXPR_LESS},
                 {"<=", EXPR_AT_MOST}, {">", EXPR_MORE}, {">=", EXPR_AT_LEAST}};
    expr_id left = parse_value(p);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (lex_takes(&p->lex, signs[i].sign))
            return add_expr_pair(p, signs[i].kind, left, parse_value(p));
    if (lex_is(&p->lex, "="))
        lex_wrong(&p->lex, "what is equal is compared with '=='");
    return left;
}

static expr_id parse_not(struct parser *p)
{
    bool negates = false;
    while (lex_takes(&p->lex, "not"))
        negates = !negates;
    expr_id inner = parse_comparison(p);
    return negates ? add_expr_pair(p, EXPR_NOT, inner, inner) : inner;
}

static expr_id parse_and(struct parser *p)
{
    expr_id left = parse_not(p);
    while (lex_takes(&p->lex, "and"))
        left = add_expr_pair(p, EXPR_AND, left, parse_not(p));
    return left;
}

static expr_id parse_or(struct parser *p)
{
    if (++p->depth > SCENARIO_DEPTH) {
        lex_wrong(&p->lex, "brackets are nested more than %d deep", SCENARIO_DEPTH);
        p->depth--;
        return 0;
    }
    expr_id left = parse_and(p);
    while (lex_takes(&p->lex, "or"))
        left = add_expr_pair(p, EXPR_OR, left, parse_and(p));
    p->depth--;
    return left;
}

expr_id parse_condition(struct parser *p)
{
    return parse_or(p);
}
