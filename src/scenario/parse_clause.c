/*
 * Clauses: the parts of a statement behind its values, each of which begins with a word.
 */
#include "call/window.h"
#include "scenario/parser.h"

static const struct {
    const char *word;
    enum clause clause;
} clause_words[] = {{"to", CLAUSE_TO},     {"from", CLAUSE_FROM}, {"tag", CLAUSE_TAG},   {"on", CLAUSE_ON},
                    {"source", CLAUSE_SOURCE}, {"root", CLAUSE_ROOT}, {"op", CLAUSE_OP}, {"into", CLAUSE_INTO},
                    {"as", CLAUSE_AS},     {"cancelled", CLAUSE_CANCELLED}, {"of", CLAUSE_OF}, {"recv", CLAUSE_RECV},
                    {"at", CLAUSE_AT},     {"port", CLAUSE_PORT}};

static unsigned clauses_of_access(uint16_t access)
{
    switch (access) {
    case WINDOW_PUT:
        return CLAUSE_TO | CLAUSE_AT;
    case WINDOW_GET:
        return CLAUSE_FROM | CLAUSE_AT;
    case WINDOW_ACCUMULATE:
        return CLAUSE_TO | CLAUSE_AT | CLAUSE_OP;
    case WINDOW_FETCH:
        return CLAUSE_TO | CLAUSE_AT | CLAUSE_OP | CLAUSE_INTO;
    }
    return CLAUSE_TO | CLAUSE_AT | CLAUSE_INTO;
}

static unsigned clauses_of(const struct verb_word *word)
{
    switch (word->verb) {
    case VERB_SEND:
        return CLAUSE_TO | (word->port ? CLAUSE_PORT : CLAUSE_TAG | CLAUSE_ON);
    case VERB_RECV:
        return word->port ? CLAUSE_PORT | CLAUSE_SOURCE : CLAUSE_FROM | CLAUSE_TAG | CLAUSE_ON | CLAUSE_SOURCE;
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
    case VERB_ACCESS:
        return clauses_of_access(word->access);
    case VERB_PARTITIONED:
        return (word->call == CALL_Psend_init ? CLAUSE_TO : CLAUSE_FROM) | CLAUSE_TAG | CLAUSE_ON;
    case VERB_READY:
        return CLAUSE_OF;
    case VERB_ARRIVED:
        return CLAUSE_OF | CLAUSE_AS;
    case VERB_EPOCH:
    case VERB_START:
    case VERB_CANCEL:
    case VERB_FREE:
    case VERB_ASSIGN:
    case VERB_IF:
    case VERB_ELSE:
    case VERB_WHILE:
    case VERB_END:
    case VERB_ERROR:
        return 0;
    }
    return 0;
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

static int32_t parse_port(struct parser *p)
{
    int32_t port = p->lex.number;
    if (p->lex.kind != TOKEN_NUMBER || port < 0)
        lex_wrong(&p->lex, "a port of a rank is a number");
    lex_next(&p->lex);
    return port;
}

static uint32_t parse_operator(struct parser *p, const struct verb_word *word)
{
    static const struct {
        const char *word;
        enum operator operator;
    } operators[] = {{"sum", OPERATOR_SUM}, {"prod", OPERATOR_PROD}, {"max", OPERATOR_MAX}, {"min", OPERATOR_MIN}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (lex_takes(&p->lex, operators[i].word))
            return operators[i].operator;
    if (word->verb == VERB_ACCESS && lex_takes(&p->lex, "replace"))
        return OPERATOR_REPLACE;
    if (word->access == WINDOW_FETCH && lex_takes(&p->lex, "no_op"))
        return OPERATOR_NO_OP;
    lex_wrong(&p->lex, "the operators are sum, prod, max and min");
    return OPERATOR_NONE;
}

static uint32_t parse_place(struct parser *p)
{
    int32_t place = p->lex.number;
    if (p->lex.kind != TOKEN_NUMBER || place < 0 || (uint32_t)place >= p->scenario->numbers)
        lex_wrong(&p->lex, "the numbers of a window are 0 to %d", (int)p->scenario->numbers - 1);
    lex_next(&p->lex);
    return (uint32_t)place;
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

void parse_requests(struct parser *p, struct statement *s)
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
        s->source = parse_peer(p, s->word->verb != VERB_PARTITIONED);
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
        s->reduction = parse_operator(p, s->word);
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
    case CLAUSE_AT:
        s->number = parse_place(p);
        break;
    case CLAUSE_PORT:
        *(receives ? &s->source_tag : &s->tag) = parse_port(p);
        break;
    }
}

bool is_over(const struct parser *p)
{
    return p->lex.kind == TOKEN_END || lex_is(&p->lex, ";");
}

unsigned parse_clauses(struct parser *p, struct statement *s)
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

void need_clause(struct parser *p, unsigned seen, enum clause clause, const struct statement *s)
{
    for (size_t i = 0; i < sizeof clause_words / sizeof *clause_words; i++)
        if (clause_words[i].clause == clause && !(seen & clause))
            lex_wrong(&p->lex, "this %s lacks its '%s'", s->word->word, clause_words[i].word);
}
