/*
 * Statements: one at a time, and what each kind of them must have.
 */
#include "call/window.h"
#include "scenario/parser.h"

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

static void check_coll_clauses(struct parser *p, struct statement *s, unsigned seen)
{
    bool is_root = s->peer.rank == p->rank;
    size_t n = members(p, s), given = s->values.n, taken = s->into.n;
    if (coll_has_root(s->word->coll)) {
        need_clause(p, seen, CLAUSE_ROOT, s);
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
    case COLL_REDUCE:
    case COLL_ALLREDUCE:
    case COLL_SCAN:
    case COLL_EXSCAN:
        if (given != 1 || taken > 1)
            lex_wrong(&p->lex, "a reduction is of one value into one variable");
        if (taken && s->word->coll == COLL_REDUCE && !is_root)
            lex_wrong(&p->lex, "only the root of a reduce takes something");
        break;
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
    check_coll_clauses(p, s, parse_clauses(p, s));
    s->slot = add_slot(p, false);
}

/* ---- one-sided communication ---- */

static void need_window(struct parser *p, const struct statement *s)
{
    if (!p->scenario->numbers)
        lex_wrong(&p->lex, "there is no window for this %s: 'window N' before the columns makes one", s->word->word);
}

static void parse_access(struct parser *p, struct statement *s)
{
    bool gets = s->word->access == WINDOW_GET;
    need_window(p, s);
    if (gets && !begins_clause(p))
        vec_push(&s->into, (uint32_t)parse_variable(p, true));
    else if (!gets && !begins_clause(p))
        parse_values(p, s);
    s->reduction = s->word->access == WINDOW_ACCUMULATE || s->word->access == WINDOW_FETCH ? OPERATOR_SUM : OPERATOR_NONE;
    need_clause(p, parse_clauses(p, s), gets ? CLAUSE_FROM : CLAUSE_TO, s);
    if (gets)
        s->peer = s->source;
    if (s->peer.rank < 0)
        lex_wrong(&p->lex, "the target of an access is a number");
    if (s->values.n != (gets || s->reduction == OPERATOR_NO_OP ? 0 : s->word->access == WINDOW_SWAP ? 2 : 1) || s->into.n > 1)
        lex_wrong(&p->lex, "%s", s->word->access == WINDOW_SWAP ? "a compare_and_swap has two values: what is compared, and the new one"
                                                                : "an access has one value and one variable; with no_op, and get, no value");
    s->slot = add_slot(p, false);
}

static bool names_ranks(enum epoch_kind kind)
{
    return kind == EPOCH_LOCK || kind == EPOCH_UNLOCK || kind == EPOCH_FLUSH || kind == EPOCH_POST || kind == EPOCH_START;
}

static void parse_epoch(struct parser *p, struct statement *s)
{
    enum epoch_kind kind = s->word->epoch;
    bool several = kind == EPOCH_POST || kind == EPOCH_START;
    need_window(p, s);
    while (names_ranks(kind) && !begins_clause(p) && (several || !s->group)) {
        rank_t rank = parse_rank(p);
        if (s->group >> rank & 1)
            lex_wrong_at(&p->lex, p->lex.behind, "P%d is named twice", rank);
        s->group |= UINT32_C(1) << rank;
    }
    if (names_ranks(kind) && !s->group)
        lex_wrong(&p->lex, "this %s lacks the rank that it is about", s->word->word);
    s->shared = kind == EPOCH_LOCK && lex_takes(&p->lex, "shared");
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
    if ((verb == VERB_SEND || verb == VERB_SENDRECV) && !s->word->port && !begins_clause(p))
        vec_push(&s->values, parse_value(p));
    if ((verb == VERB_RECV || verb == VERB_MRECV) && !s->word->port && !begins_clause(p))
        vec_push(&s->into, (uint32_t)parse_variable(p, true));
    seen = parse_clauses(p, s);
    if (s->into.n > 1)
        lex_wrong(&p->lex, "a message goes into one variable");
    if (verb == VERB_SEND || verb == VERB_SENDRECV)
        need_clause(p, seen, CLAUSE_TO, s);
    if (verb == VERB_SENDRECV)
        need_clause(p, seen, CLAUSE_RECV, s);
    p->scenario->ports |= s->word->port;
    if (s->word->port && verb == VERB_RECV)
        s->source.rank = RANK_ANY;
    else if (verb == VERB_RECV || verb == VERB_PROBE || verb == VERB_SENDRECV)
        need_clause(p, seen, CLAUSE_FROM, s);
    if (verb == VERB_MRECV)
        need_clause(p, seen, CLAUSE_OF, s);
    if (verb == VERB_MRECV && s->requests.n && (s->requests.n > 1 || !maker(p, s->requests.at[0])->take))
        lex_wrong(&p->lex, "an mrecv is of one message that an mprobe or improbe took");
    if (verb == VERB_SEND || verb == VERB_RECV || verb == VERB_SENDRECV || s->word->take)
        s->slot = add_slot(p, s->word->persistent);
    if (verb == VERB_SENDRECV)
        s->other_slot = add_slot(p, false);
    if ((s->word->persistent || s->word->take) && s->label == NOTHING)
        lex_wrong(&p->lex, "this %s needs a label: nobody could use it", s->word->word);
}

/* ---- partitioned communication ---- */

static void parse_partitioned(struct parser *p, struct statement *s)
{
    bool sends = partitions_are_sent(s);
    if (sends && !begins_clause(p))
        parse_values(p, s);
    while (!sends && !begins_clause(p)) {
        int32_t variable = parse_variable(p, true);
        if (variable == NOTHING)
            return;
        vec_push(&s->into, (uint32_t)variable);
        lex_takes(&p->lex, ",");
    }
    need_clause(p, parse_clauses(p, s), sends ? CLAUSE_TO : CLAUSE_FROM, s);
    if (!sends)
        s->peer = s->source;
    if (s->peer.rank < 0)
        lex_wrong(&p->lex, "the other side of a %s is a number", s->word->word);
    else if (scenario_position(p->scenario, s->comm, s->peer.rank) < 0)
        lex_wrong(&p->lex, "P%d is no member of '%s'", s->peer.rank, p->scenario->comms.at[s->comm].name);
    if (partitions_of(s) < 1 || partitions_of(s) > SCENARIO_PARTITIONS)
        lex_wrong(&p->lex, "a %s has 1 to %d partitions, %s each", s->word->word, SCENARIO_PARTITIONS, sends ? "a value" : "a variable");
    if (s->label == NOTHING)
        lex_wrong(&p->lex, "this %s needs a label: nobody could use it", s->word->word);
    s->slot = add_slot(p, true);
    p->scenario->partitioned = true;
}

static void parse_about_partitions(struct parser *p, struct statement *s)
{
    bool marks = s->word->verb == VERB_READY, range = s->word->call == CALL_Pready_range;
    if (!begins_clause(p))
        parse_values(p, s);
    need_clause(p, parse_clauses(p, s), CLAUSE_OF, s);
    if (range ? s->values.n != 2 : s->word->call == CALL_Pready_list ? s->values.n < 1 : s->values.n != 1)
        lex_wrong(&p->lex, "a %s names %s", s->word->word, range ? "the first partition and the last" : "its partition, by number");
    if (s->requests.n && (s->requests.n > 1 || maker(p, s->requests.at[0])->call != (marks ? CALL_Psend_init : CALL_Precv_init)))
        lex_wrong(&p->lex, "a %s is about one %s", s->word->word, marks ? "psend_init" : "precv_init");
}

/* A request of several messages is complete if all of them are, which a call that chooses among requests cannot ask here. */
static bool may_complete_parts(const struct verb_word *word)
{
    return word->call == CALL_Wait || word->call == CALL_Waitall || word->call == CALL_Test;
}

static void check_listed_requests(struct parser *p, const struct statement *s)
{
    bool one = s->word->call == CALL_Wait || s->word->call == CALL_Test || s->word->call == CALL_Start ||
               s->word->verb == VERB_CANCEL || s->word->verb == VERB_FREE;
    if (one && s->requests.n > 1)
        lex_wrong(&p->lex, "%s is about one request", s->word->word);
    if (s->cancelled_into != NOTHING && s->requests.n > 1)
        lex_wrong(&p->lex, "'cancelled' is told of one request");
    for (size_t i = 0; i < s->requests.n; i++) {
        const struct verb_word *made = maker(p, s->requests.at[i]);
        if (made->verb == VERB_ACCESS)
            lex_wrong(&p->lex, "a %s is completed by calls about its epoch, not by %s", made->word, s->word->word);
        else if (made->take)
            lex_wrong(&p->lex, "a message that was probed is for mrecv");
        else if (made->verb == VERB_PARTITIONED && s->word->verb == VERB_CANCEL)
            lex_wrong(&p->lex, "what is sent in parts cannot be cancelled");
        else if (made->verb == VERB_PARTITIONED && s->word->verb == VERB_COMPLETE && !may_complete_parts(s->word))
            lex_wrong(&p->lex, "what is sent in parts is waited for by wait, waitall or test");
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
        check_listed_requests(p, s);
        break;
    case VERB_COLL:
        parse_coll(p, s);
        break;
    case VERB_ACCESS:
        parse_access(p, s);
        break;
    case VERB_EPOCH:
        parse_epoch(p, s);
        break;
    case VERB_PARTITIONED:
        parse_partitioned(p, s);
        break;
    case VERB_READY:
    case VERB_ARRIVED:
        parse_about_partitions(p, s);
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

void parse_statement(struct parser *p)
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
