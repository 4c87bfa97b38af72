/*
 * Lines and columns, and the statements in them.
 *
 * First the head of the columns is looked for, which says how many ranks there are;
 * then every line is read once.
 */
#include "scenario/parse.h"

#include <ctype.h>
#include <string.h>

#include "scenario/parser.h"
#include "sem/sem.h"

/* ---- words ---- */

bool is_reserved(const char *word)
{
    static const char *const words[] = {"from", "to",   "tag",      "on",     "source",  "root",    "op",
                                        "into", "as",   "cancelled", "of",    "any",     "and",     "or",
                                        "not",  "deadlock", "unsafe", "before", "matches", "starts", "completes",
                                        "returns", "assert", "expect", "comm", "title", "buffering", "repeat", "for"};
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

/* A new name, the one in hand, which must not have a meaning. */
static bool can_be_name(struct parser *p, const char *what)
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

/* ---- parts of statements ---- */

static struct peer parse_peer(struct parser *p, bool may_be_any)
{
    struct peer peer = {.rank = RANK_NONE, .variable = NOTHING};
    int rank = p->lex.kind == TOKEN_NUMBER ? p->lex.number : rank_of_word(p->lex.text);
    if (may_be_any && lex_takes(&p->lex, "any")) {
        peer.rank = RANK_ANY;
        return peer;
    }
    if (rank < 0 && p->lex.kind == TOKEN_WORD && !is_reserved(p->lex.text)) {
        peer.variable = parse_variable(p, false);
        return peer;
    }
    if (rank < 0)
        lex_wrong(&p->lex, "here should be a rank%s", may_be_any ? ", or 'any'" : "");
    else if (rank >= p->scenario->ranks)
        lex_wrong(&p->lex, "there is no P%d: the last is P%d", rank, p->scenario->ranks - 1);
    peer.rank = rank;
    lex_next(&p->lex);
    return peer;
}

static int32_t parse_tag(struct parser *p, bool may_be_any)
{
    int32_t tag = p->lex.number;
    if (may_be_any && lex_takes(&p->lex, "any"))
        return TAG_ANY;
    if (p->lex.kind != TOKEN_NUMBER)
        lex_wrong(&p->lex, "a tag is a number%s", may_be_any ? ", or 'any'" : "");
    lex_next(&p->lex);
    return tag;
}

static uint32_t parse_comm(struct parser *p)
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

static uint32_t parse_operator(struct parser *p)
{
    static const struct {
        const char *word;
        enum operator operator;
    } operators[] = {{"sum", OPERATOR_SUM}, {"prod", OPERATOR_PROD}, {"max", OPERATOR_MAX}, {"min", OPERATOR_MIN}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (lex_takes(&p->lex, operators[i].word))
            return operators[i].operator;
    lex_wrong(&p->lex, "the operators are sum, prod, max and min");
    return OPERATOR_NONE;
}

/* The clauses that a statement may have. */
enum clause {
    CLAUSE_TO = 1 << 0, CLAUSE_FROM = 1 << 1, CLAUSE_TAG = 1 << 2, CLAUSE_ON = 1 << 3, CLAUSE_SOURCE = 1 << 4,
    CLAUSE_ROOT = 1 << 5, CLAUSE_OP = 1 << 6, CLAUSE_INTO = 1 << 7, CLAUSE_AS = 1 << 8, CLAUSE_CANCELLED = 1 << 9,
    CLAUSE_OF = 1 << 10, CLAUSE_RECV = 1 << 11,
};

static const struct {
    const char *word;
    enum clause clause;
} clause_words[] = {{"to", CLAUSE_TO},     {"from", CLAUSE_FROM}, {"tag", CLAUSE_TAG},   {"on", CLAUSE_ON},
                    {"source", CLAUSE_SOURCE}, {"root", CLAUSE_ROOT}, {"op", CLAUSE_OP}, {"into", CLAUSE_INTO},
                    {"as", CLAUSE_AS},     {"cancelled", CLAUSE_CANCELLED}, {"of", CLAUSE_OF}, {"recv", CLAUSE_RECV}};

static unsigned clauses_of(const struct verb_word *word)
{
    switch (word->verb) {
    case VERB_SEND:
        return CLAUSE_TO | CLAUSE_TAG | CLAUSE_ON;
    case VERB_RECV:
        return CLAUSE_FROM | CLAUSE_TAG | CLAUSE_ON | CLAUSE_SOURCE;
    case VERB_SENDRECV:
        return CLAUSE_TO | CLAUSE_TAG | CLAUSE_RECV | CLAUSE_ON | CLAUSE_FROM | CLAUSE_SOURCE;
    case VERB_PROBE:
        return CLAUSE_FROM | CLAUSE_TAG | CLAUSE_ON | CLAUSE_SOURCE | (word->poll ? CLAUSE_AS : 0);
    case VERB_MRECV:
        return CLAUSE_OF | CLAUSE_SOURCE;
    case VERB_COMPLETE:
        return (word->poll || word->select != SELECT_ALL ? CLAUSE_AS : 0) | CLAUSE_CANCELLED;
    case VERB_COLL:
        return CLAUSE_ON | (word->coll == COLL_BARRIER || word->coll == COLL_BCAST ? 0 : CLAUSE_INTO) |
               (coll_has_root(word->coll) ? CLAUSE_ROOT : 0) | (coll_reduces(word->coll) ? CLAUSE_OP : 0);
    default:
        return 0;
    }
}

static int32_t find_request(struct parser *p)
{
    const struct column *column = &p->scenario->column[p->rank];
    int32_t label = p->lex.kind == TOKEN_WORD ? find_name(column->labels.at, column->labels.n, p->lex.text) : NOTHING;
    if (label == NOTHING) {
        if (p->lex.kind == TOKEN_WORD && !is_reserved(p->lex.text))
            lex_wrong(&p->lex, "P%d has no request '%s' up to here", p->rank, p->lex.text);
        else
            lex_wrong(&p->lex, "here should be the label of a request");
        return NOTHING;
    }
    for (size_t i = 0; i < column->slots.n; i++) {
        const struct statement *made = &column->statements.at[column->slots.at[i].statement];
        if (made->label == label && (!made->word->blocking || made->word->take)) {
            lex_next(&p->lex);
            return (int32_t)i;
        }
    }
    lex_wrong(&p->lex, "'%s' is not a request", p->lex.text);
    return NOTHING;
}

static void parse_requests(struct parser *p, struct statement *s)
{
    do {
        int32_t slot = find_request(p);
        if (slot == NOTHING)
            return;
        for (size_t i = 0; i < s->requests.n; i++)
            if (s->requests.at[i] == (uint32_t)slot)
                lex_wrong_at(&p->lex, p->lex.behind, "a request is listed twice");
        vec_push(&s->requests, (uint32_t)slot);
        if (!lex_takes(&p->lex, ",") && (p->lex.kind != TOKEN_WORD || is_reserved(p->lex.text)))
            return;
    } while (p->lex.kind == TOKEN_WORD);
    lex_wrong(&p->lex, "after a comma comes another label");
}

static void parse_into(struct parser *p, struct statement *s)
{
    do {
        int32_t variable = parse_variable(p, true);
        if (variable != NOTHING)
            vec_push(&s->into, (uint32_t)variable);
        if (!lex_takes(&p->lex, ",") && (p->lex.kind != TOKEN_WORD || is_reserved(p->lex.text)))
            return;
    } while (p->lex.kind == TOKEN_WORD);
    lex_wrong(&p->lex, "after a comma comes another variable");
}

static void parse_clause(struct parser *p, struct statement *s, enum clause clause, bool receives)
{
    switch (clause) {
    case CLAUSE_TO:
        s->peer = parse_peer(p, false);
        break;
    case CLAUSE_FROM:
        s->source = parse_peer(p, true);
        break;
    case CLAUSE_TAG:
        *(receives ? &s->source_tag : &s->tag) = parse_tag(p, receives);
        break;
    case CLAUSE_ON:
        s->comm = parse_comm(p);
        break;
    case CLAUSE_SOURCE:
        s->source_into = parse_variable(p, true);
        break;
    case CLAUSE_ROOT:
        s->peer = parse_peer(p, false);
        break;
    case CLAUSE_OP:
        s->reduction = parse_operator(p);
        break;
    case CLAUSE_INTO:
        parse_into(p, s);
        break;
    case CLAUSE_AS:
        s->flag_into = parse_variable(p, true);
        break;
    case CLAUSE_CANCELLED:
        s->cancelled_into = parse_variable(p, true);
        break;
    case CLAUSE_OF:
        parse_requests(p, s);
        break;
    case CLAUSE_RECV:
        if (!lex_is(&p->lex, "from"))
            parse_into(p, s);
        break;
    }
}

static bool is_over(const struct parser *p)
{
    return p->lex.kind == TOKEN_END || lex_is(&p->lex, ";");
}

/* What follows the values of a statement; returns which clauses there were. */
static unsigned parse_clauses(struct parser *p, struct statement *s)
{
    unsigned may = clauses_of(s->word), seen = 0;
    char shown[TOKEN_TEXT + 2];
    while (!is_over(p)) {
        size_t i = 0;
        while (i < sizeof clause_words / sizeof *clause_words &&
               (!lex_is(&p->lex, clause_words[i].word) || !(may & clause_words[i].clause)))
            i++;
        if (i == sizeof clause_words / sizeof *clause_words) {
            lex_wrong(&p->lex, "%s cannot follow in a %s", lex_shown(&p->lex, shown, sizeof shown), s->word->word);
            break;
        }
        enum clause clause = clause_words[i].clause;
        bool receives = s->word->verb == VERB_RECV || s->word->verb == VERB_PROBE || (seen & CLAUSE_RECV);
        if (seen & clause)
            lex_wrong(&p->lex, "'%s' is said twice", clause_words[i].word);
        if (s->word->verb == VERB_SENDRECV && !(seen & CLAUSE_RECV) && clause & (CLAUSE_FROM | CLAUSE_SOURCE))
            lex_wrong(&p->lex, "in a sendrecv, 'recv' comes before '%s'", clause_words[i].word);
        seen |= clause;
        if (clause == CLAUSE_RECV)
            seen &= ~(unsigned)CLAUSE_TAG; /* each side has one */
        lex_next(&p->lex);
        parse_clause(p, s, clause, receives);
    }
    return seen;
}

static void need(struct parser *p, unsigned seen, enum clause clause, const struct statement *s)
{
    for (size_t i = 0; i < sizeof clause_words / sizeof *clause_words; i++)
        if (clause_words[i].clause == clause && !(seen & clause))
            lex_wrong(&p->lex, "this %s lacks its '%s'", s->word->word, clause_words[i].word);
}

/* ---- statements ---- */

static int32_t add_slot(struct parser *p, bool persistent)
{
    struct column *column = &p->scenario->column[p->rank];
    if (column->slots.n == SCENARIO_REQUESTS) {
        lex_wrong(&p->lex, "a column has at most %d sends, receives and collectives", SCENARIO_REQUESTS);
        return 0;
    }
    vec_push(&column->slots, (struct request_slot){(uint32_t)column->statements.n, persistent});
    return (int32_t)(column->slots.n - 1);
}

static void parse_values(struct parser *p, struct statement *s)
{
    do
        vec_push(&s->values, parse_value(p));
    while (lex_takes(&p->lex, ","));
}

static bool begins_clause(const struct parser *p)
{
    return is_over(p) || (p->lex.kind == TOKEN_WORD && is_reserved(p->lex.text));
}

static size_t members(const struct parser *p, const struct statement *s)
{
    return p->scenario->comms.at[s->comm].members.n;
}

static void check_coll(struct parser *p, struct statement *s, unsigned seen)
{
    bool is_root = s->peer.rank == p->rank;
    size_t n = members(p, s), given = s->values.n, taken = s->into.n;
    if (coll_has_root(s->word->coll)) {
        need(p, seen, CLAUSE_ROOT, s);
        if (s->peer.rank == RANK_NONE && seen & CLAUSE_ROOT)
            lex_wrong(&p->lex, "the root of a collective is a number");
        else if (scenario_position(p->scenario, s->comm, s->peer.rank) < 0)
            lex_wrong(&p->lex, "the root P%d is no member of '%s'", s->peer.rank, p->scenario->comms.at[s->comm].name);
    }
    switch (s->word->coll) {
    case COLL_SCATTER:
        if (given != (is_root ? n : 0))
            lex_wrong(&p->lex, "the root of a scatter, and nobody else, gives a value for each of the %zu members", n);
        if (taken > 1)
            lex_wrong(&p->lex, "a scatter gives each member one value");
        break;
    case COLL_ALLTOALL:
        if (given != n || (taken && taken != n))
            lex_wrong(&p->lex, "an alltoall gives and takes a value for each of the %zu members", n);
        break;
    case COLL_GATHER:
    case COLL_ALLGATHER:
        if (given != 1 || (taken && taken != n))
            lex_wrong(&p->lex, "this takes one value and, where it is gathered, %zu variables", n);
        if (taken && s->word->coll == COLL_GATHER && !is_root)
            lex_wrong(&p->lex, "only the root of a gather takes something");
        break;
    case COLL_BARRIER:
    case COLL_BCAST:
        break;
    default:
        if (given != 1 || taken > 1)
            lex_wrong(&p->lex, "a reduction is of one value into one variable");
        if (taken && s->word->coll == COLL_REDUCE && !is_root)
            lex_wrong(&p->lex, "only the root of a reduce takes something");
    }
}

static void parse_coll(struct parser *p, struct statement *s)
{
    if (s->word->coll == COLL_BCAST) {
        int32_t variable = parse_variable(p, true);
        vec_push(&s->into, (uint32_t)variable);
        vec_push(&s->values, expr_of_variable(p, variable));
    } else if (s->word->coll != COLL_BARRIER && !begins_clause(p)) {
        parse_values(p, s);
    }
    s->reduction = coll_reduces(s->word->coll) ? OPERATOR_SUM : OPERATOR_NONE;
    check_coll(p, s, parse_clauses(p, s));
    s->slot = add_slot(p, false);
}

/* What made a request. */
static const struct verb_word *maker(const struct parser *p, uint32_t slot)
{
    const struct column *column = &p->scenario->column[p->rank];
    return column->statements.at[column->slots.at[slot].statement].word;
}

static void parse_point_to_point(struct parser *p, struct statement *s)
{
    enum verb verb = s->word->verb;
    unsigned seen;
    if ((verb == VERB_SEND || verb == VERB_SENDRECV) && !begins_clause(p))
        vec_push(&s->values, parse_value(p));
    if ((verb == VERB_RECV || verb == VERB_MRECV) && !begins_clause(p))
        vec_push(&s->into, (uint32_t)parse_variable(p, true));
    seen = parse_clauses(p, s);
    if (s->into.n > 1)
        lex_wrong(&p->lex, "a message goes into one variable");
    if (verb == VERB_SEND || verb == VERB_SENDRECV)
        need(p, seen, CLAUSE_TO, s);
    if (verb == VERB_SENDRECV)
        need(p, seen, CLAUSE_RECV, s);
    if (verb == VERB_RECV || verb == VERB_PROBE || verb == VERB_SENDRECV)
        need(p, seen, CLAUSE_FROM, s);
    if (verb == VERB_MRECV)
        need(p, seen, CLAUSE_OF, s);
    if (verb == VERB_MRECV && s->requests.n && (s->requests.n > 1 || !maker(p, s->requests.at[0])->take))
        lex_wrong(&p->lex, "an mrecv is of one message that an mprobe or improbe took");
    if (verb == VERB_SEND || verb == VERB_RECV || verb == VERB_SENDRECV || s->word->take)
        s->slot = add_slot(p, s->word->persistent);
    if (verb == VERB_SENDRECV)
        s->other_slot = add_slot(p, false);
    if ((s->word->persistent || s->word->take) && s->label == NOTHING)
        lex_wrong(&p->lex, "this %s needs a label: nobody could use it", s->word->word);
}

static void check_requests(struct parser *p, const struct statement *s)
{
    bool one = s->word->call == CALL_Wait || s->word->call == CALL_Test || s->word->call == CALL_Start ||
               s->word->verb == VERB_CANCEL || s->word->verb == VERB_FREE;
    if (one && s->requests.n > 1)
        lex_wrong(&p->lex, "%s is about one request", s->word->word);
    if (s->cancelled_into != NOTHING && s->requests.n > 1)
        lex_wrong(&p->lex, "'cancelled' is told of one request");
    for (size_t i = 0; i < s->requests.n; i++) {
        const struct verb_word *made = maker(p, s->requests.at[i]);
        if (made->take)
            lex_wrong(&p->lex, "a message that was probed is for mrecv");
        else if (s->word->verb == VERB_START && !made->persistent)
            lex_wrong(&p->lex, "only what an _init made can be started");
        else if (s->word->verb == VERB_CANCEL && made->verb == VERB_COLL)
            lex_wrong(&p->lex, "a collective cannot be cancelled");
        else if (s->word->verb == VERB_FREE && made->verb == VERB_COLL)
            lex_wrong(&p->lex, "the request of a collective cannot be freed");
    }
}

static void open_block(struct parser *p, struct statement *s)
{
    if (p->open[p->rank].n == SCENARIO_DEPTH)
        lex_wrong(&p->lex, "blocks are nested more than %d deep", SCENARIO_DEPTH);
    vec_push(&s->values, parse_condition(p));
    vec_push(&p->open[p->rank], (uint32_t)p->scenario->column[p->rank].statements.n);
}

static void close_block(struct parser *p, struct statement *s)
{
    struct column *column = &p->scenario->column[p->rank];
    uint32_t here = (uint32_t)column->statements.n;
    if (!p->open[p->rank].n) {
        lex_wrong_at(&p->lex, p->lex.behind, "there is no 'if' or 'while' that this '%s' belongs to", s->word->word);
        return;
    }
    uint32_t first = vec_pop(&p->open[p->rank]);
    enum verb opened = column->statements.at[first].word->verb;
    column->statements.at[first].partner = here;
    s->partner = first;
    if (s->word->verb == VERB_ELSE && opened != VERB_IF)
        lex_wrong_at(&p->lex, p->lex.behind, "'else' belongs to an 'if'");
    if (s->word->verb == VERB_ELSE)
        vec_push(&p->open[p->rank], here);
    s->loops = opened == VERB_WHILE;
}

static void parse_words(struct parser *p, struct statement *s)
{
    switch (s->word->verb) {
    case VERB_SEND:
    case VERB_RECV:
    case VERB_SENDRECV:
    case VERB_PROBE:
    case VERB_MRECV:
        parse_point_to_point(p, s);
        break;
    case VERB_START:
    case VERB_COMPLETE:
    case VERB_CANCEL:
    case VERB_FREE:
        parse_requests(p, s);
        parse_clauses(p, s);
        check_requests(p, s);
        break;
    case VERB_COLL:
        parse_coll(p, s);
        break;
    case VERB_IF:
    case VERB_WHILE:
        open_block(p, s);
        break;
    case VERB_ELSE:
    case VERB_END:
        close_block(p, s);
        break;
    case VERB_ASSIGN:
    case VERB_ERROR:
        break;
    }
}

/* Whether this sign stands behind the word in hand. */
static bool is_followed_by(const struct parser *p, const char *sign)
{
    struct lexer ahead = p->lex;
    struct scenario_mistake none = {0};
    ahead.mistake = &none;
    lex_next(&ahead);
    free(none.sentence);
    return p->lex.kind == TOKEN_WORD && lex_is(&ahead, sign);
}

static int32_t parse_label(struct parser *p)
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

static void parse_statement(struct parser *p)
{
    struct statement s = {.label = NOTHING, .slot = NOTHING, .other_slot = NOTHING, .source_into = NOTHING,
                          .flag_into = NOTHING, .cancelled_into = NOTHING, .line = p->lex.line,
                          .column = (uint32_t)(p->lex.from - p->lex.begin) + 1};
    char shown[TOKEN_TEXT + 2];
    p->parts = 0;
    if (is_followed_by(p, ":"))
        s.label = parse_label(p);
    if (is_followed_by(p, "=")) {
        s.word = verb_find("set");
        vec_push(&s.into, (uint32_t)parse_variable(p, true));
        lex_next(&p->lex);
        vec_push(&s.values, parse_value(p));
    } else {
        s.word = p->lex.kind == TOKEN_WORD ? verb_find(p->lex.text) : NULL;
        if (!s.word || s.word->verb == VERB_ASSIGN) {
            lex_wrong(&p->lex, "%s is not a statement", lex_shown(&p->lex, shown, sizeof shown));
            return;
        }
        lex_next(&p->lex);
        parse_words(p, &s);
    }
    if (s.label != NOTHING && !verb_is_mpi(s.word->verb))
        lex_wrong(&p->lex, "only MPI calls have labels");
    if (!is_over(p))
        lex_wrong(&p->lex, "%s cannot follow here", lex_shown(&p->lex, shown, sizeof shown));
    vec_push(&p->scenario->column[p->rank].statements, s);
}

/* ---- lines ---- */

struct line {
    const char *begin, *end; /* without a comment */
    uint32_t number;
};

static bool next_line(const char **at, const char *end, struct line *line)
{
    if (*at >= end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    stop = stop ? stop : end;
    const char *comment = memchr(*at, '#', (size_t)(stop - *at));
    *line = (struct line){*at, comment ? comment : stop, line->number + 1};
    *at = stop + 1;
    return true;
}

static const char *cell_end(const char *at, const char *end)
{
    const char *bar = memchr(at, '|', (size_t)(end - at));
    return bar ? bar : end;
}

static void begin_cell(struct parser *p, const struct line *line, const char *at, const char *end)
{
    lex_begin(&p->lex, p->mistake, line->begin, line->number, at, end);
}

/* How many columns the head has; 0: this is not it. */
static int count_columns(struct parser *p, const struct line *line)
{
    int ranks = 0;
    for (const char *at = line->begin;; ranks++) {
        const char *end = cell_end(at, line->end);
        begin_cell(p, line, at, end);
        if (ranks == 0 && !lex_is(&p->lex, "P0"))
            return 0;
        if (ranks >= SCENARIO_RANKS)
            lex_wrong(&p->lex, "there are at most %d columns", SCENARIO_RANKS);
        else if (p->lex.kind != TOKEN_WORD || rank_of_word(p->lex.text) != ranks)
            lex_wrong(&p->lex, "the head of this column is P%d", ranks);
        lex_next(&p->lex);
        if (p->lex.kind != TOKEN_END)
            lex_wrong(&p->lex, "behind the head of a column comes '|' or nothing");
        if (end == line->end || p->mistake->sentence)
            return ranks + 1;
        at = end + 1;
    }
}

static bool is_rule(const struct line *line)
{
    bool any = false;
    for (const char *c = line->begin; c < line->end; c++) {
        if (!memchr("-+| \t\r", *c, 6))
            return false;
        any = any || *c == '-';
    }
    return any;
}

static void parse_row(struct parser *p, const struct line *line)
{
    const char *at = line->begin;
    for (rank_t r = 0;; r++) {
        const char *end = cell_end(at, line->end);
        p->rank = r < p->scenario->ranks ? r : 0;
        begin_cell(p, line, at, end);
        if (r >= p->scenario->ranks && p->lex.kind != TOKEN_END)
            lex_wrong(&p->lex, "there are only %d columns", p->scenario->ranks);
        while (p->lex.kind != TOKEN_END) {
            parse_statement(p);
            lex_takes(&p->lex, ";");
        }
        if (end == line->end || p->mistake->sentence)
            return;
        at = end + 1;
    }
}

static char *trimmed(const char *from, const char *end)
{
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    char *text = xcalloc((size_t)(end - from) + 1, 1);
    memcpy(text, from, (size_t)(end - from));
    return text;
}

static void parse_claim(struct parser *p)
{
    struct claim claim = {.text = trimmed(p->lex.from, p->lex.end)};
    char shown[TOKEN_TEXT + 2];
    p->claim = &claim;
    p->rank = RANK_NONE;
    p->parts = 0;
    claim.root = parse_condition(p);
    p->claim = NULL;
    if (p->lex.kind != TOKEN_END)
        lex_wrong(&p->lex, "%s cannot follow in an assertion", lex_shown(&p->lex, shown, sizeof shown));
    vec_push(&p->scenario->claims, claim);
}

static void parse_expectation(struct parser *p)
{
    struct scenario *scenario = p->scenario;
    enum modality answer = MODALITY_ALWAYS;
    while (answer <= MODALITY_NEVER && !lex_is(&p->lex, modality_name(answer)))
        answer++;
    if (answer > MODALITY_NEVER)
        lex_wrong(&p->lex, "what can be expected is: always, sometimes or never");
    else if (!scenario->claims.n || vec_last(&scenario->claims).expected)
        lex_wrong(&p->lex, "'expect' stands behind its 'assert'");
    else
        vec_last(&scenario->claims).expected = answer;
    lex_next(&p->lex);
    if (p->lex.kind != TOKEN_END)
        lex_wrong(&p->lex, "nothing can follow here");
}

static void parse_new_comm(struct parser *p)
{
    struct scenario *scenario = p->scenario;
    struct scenario_comm comm = {0};
    if (!can_be_name(p, "a communicator"))
        return;
    for (size_t i = 0; i < scenario->comms.n; i++)
        if (lex_is(&p->lex, scenario->comms.at[i].name))
            lex_wrong(&p->lex, "there is a communicator of this name already");
    if (scenario->comms.n == SCENARIO_COMMS)
        lex_wrong(&p->lex, "there are at most %d communicators", SCENARIO_COMMS);
    comm.name = xstrdup(p->lex.text);
    lex_next(&p->lex);
    if (!lex_takes(&p->lex, "="))
        lex_wrong(&p->lex, "it reads 'comm NAME = dup', or ranks in place of dup");
    if (lex_takes(&p->lex, "dup")) {
        for (rank_t r = 0; r < scenario->ranks; r++)
            vec_push(&comm.members, r);
    } else {
        do {
            rank_t rank = parse_peer(p, false).rank;
            for (size_t i = 0; i < comm.members.n; i++)
                if (comm.members.at[i] == rank)
                    lex_wrong_at(&p->lex, p->lex.behind, "P%d is a member twice", rank);
            vec_push(&comm.members, rank);
            lex_takes(&p->lex, ",");
        } while (p->lex.kind != TOKEN_END);
    }
    if (p->lex.kind != TOKEN_END)
        lex_wrong(&p->lex, "nothing can follow here");
    vec_push(&scenario->comms, comm);
}

static void parse_buffering(struct parser *p)
{
    p->scenario->any_slack = lex_is(&p->lex, "any");
    if (lex_is(&p->lex, "zero"))
        p->scenario->slack = SLACK_ZERO;
    else if (!p->scenario->any_slack && !lex_is(&p->lex, "infinite"))
        lex_wrong(&p->lex, "buffering is any, zero or infinite");
    lex_next(&p->lex);
    if (p->lex.kind != TOKEN_END)
        lex_wrong(&p->lex, "nothing can follow here");
}

static void parse_head_line(struct parser *p)
{
    if (p->lex.kind == TOKEN_END)
        return;
    p->rank = 0;
    if (lex_takes(&p->lex, "comm")) {
        parse_new_comm(p);
    } else if (lex_takes(&p->lex, "buffering")) {
        parse_buffering(p);
    } else {
        lex_wrong(&p->lex, "before the columns stand: title, comm and buffering");
    }
}

/* What stands behind `title`; NULL: the line is none. */
static const char *title_of(const struct line *line)
{
    const char *at = line->begin;
    while (at < line->end && isspace((unsigned char)*at))
        at++;
    if (line->end - at < 6 || memcmp(at, "title", 5) != 0 || !isspace((unsigned char)at[5]))
        return NULL;
    at += 5;
    while (at < line->end && isspace((unsigned char)*at))
        at++;
    return at;
}

enum place { PLACE_HEAD, PLACE_COLUMNS, PLACE_CLAIMS };

static void close_columns(struct parser *p, const struct line *line)
{
    begin_cell(p, line, line->begin, line->begin);
    for (rank_t r = 0; r < p->scenario->ranks; r++) {
        const struct column *column = &p->scenario->column[r];
        if (p->open[r].n) {
            const struct statement *s = &column->statements.at[vec_last(&p->open[r])];
            p->lex.line = s->line;
            lex_wrong_at(&p->lex, p->lex.begin + s->column - 1, "this '%s' of P%d has no 'end'", s->word->word, r);
        }
        for (size_t v = 0; v < column->variables.n; v++) {
            const struct variable_use *use = &p->use[r][v];
            if (use->set)
                continue;
            p->lex.line = use->line;
            lex_wrong_at(&p->lex, p->lex.begin + use->column - 1, "P%d never sets its variable '%s'", r,
                         column->variables.at[v]);
        }
    }
}

static void parse_line(struct parser *p, const struct line *line, enum place *place)
{
    const char *title = *place == PLACE_HEAD ? title_of(line) : NULL;
    if (title) {
        free(p->scenario->title);
        p->scenario->title = trimmed(title, line->end);
        return;
    }
    if (*place == PLACE_COLUMNS && is_rule(line))
        return;
    begin_cell(p, line, line->begin, *place == PLACE_COLUMNS ? cell_end(line->begin, line->end) : line->end);
    if (*place == PLACE_HEAD && lex_is(&p->lex, "P0")) {
        *place = PLACE_COLUMNS;
    } else if (*place == PLACE_HEAD) {
        parse_head_line(p);
    } else if (lex_is(&p->lex, "assert")) {
        if (*place == PLACE_COLUMNS)
            close_columns(p, line);
        *place = PLACE_CLAIMS;
        begin_cell(p, line, line->begin, line->end);
        lex_next(&p->lex);
        parse_claim(p);
    } else if (lex_takes(&p->lex, "expect")) {
        parse_expectation(p);
    } else if (*place == PLACE_COLUMNS) {
        parse_row(p, line);
    } else if (p->lex.kind != TOKEN_END) {
        lex_wrong(&p->lex, "behind an assertion stand only 'expect' and other assertions");
    }
}

/* The number of ranks, from the head of the columns; 0: something is wrong. */
static int find_columns(struct parser *p, const char *text, const char *end)
{
    struct line line = {0};
    int ranks = 0;
    const char *at = text;
    while (!ranks && next_line(&at, end, &line)) {
        struct scenario_mistake none = {0};
        struct lexer first;
        lex_begin(&first, &none, line.begin, line.number, line.begin, cell_end(line.begin, line.end));
        if (lex_is(&first, "P0") && !title_of(&line))
            ranks = count_columns(p, &line);
        free(none.sentence);
    }
    if (!ranks) {
        line.begin = line.end = text;
        line.number = line.number ? line.number : 1;
        begin_cell(p, &line, text, text);
        lex_wrong(&p->lex, "there are no columns: their head is a line P0 | P1 | ...");
    }
    return p->mistake->sentence ? 0 : ranks;
}

/* The place of a byte that is no text, if there is one. */
static bool is_text(const char *text, size_t length, struct scenario_mistake *mistake)
{
    const char *zero = memchr(text, '\0', length), *begin = text;
    *mistake = (struct scenario_mistake){.line = 1};
    for (const char *at = text; zero && at < zero; at++)
        if (*at == '\n') {
            begin = at + 1;
            mistake->line++;
        }
    mistake->column = zero ? (uint32_t)(zero - begin) + 1 : 0;
    mistake->sentence = zero ? xstrdup("a zero byte is no text") : NULL;
    return !zero;
}

int scenario_parse(struct scenario *scenario, const char *text, size_t length, struct scenario_mistake *mistake)
{
    if (!is_text(text, length, mistake))
        return -1;
    struct parser *p = xcalloc(1, sizeof *p);
    struct line line = {0};
    const char *at = text, *end = text + length;
    enum place place = PLACE_HEAD;
    *mistake = (struct scenario_mistake){0};
    p->mistake = mistake;
    p->scenario = scenario;
    int ranks = find_columns(p, text, end);
    if (ranks) {
        scenario_init(scenario, ranks);
        while (!mistake->sentence && next_line(&at, end, &line))
            parse_line(p, &line, &place);
        if (!mistake->sentence && place == PLACE_COLUMNS)
            close_columns(p, &line);
        if (mistake->sentence)
            scenario_release(scenario);
    }
    for (int r = 0; r < SCENARIO_RANKS; r++)
        vec_release(&p->open[r]);
    free(p);
    return mistake->sentence ? -1 : 0;
}
