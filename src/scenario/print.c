#include "scenario/print.h"

#include <string.h>

#include "call/window.h"
#include "sem/sem.h"

static const char *variable_name(const struct scenario *scenario, rank_t rank, uint32_t variable)
{
    return scenario->column[rank].variables.at[variable];
}

static const char *label_name(const struct scenario *scenario, rank_t rank, uint32_t statement)
{
    const struct column *column = &scenario->column[rank];
    return column->labels.at[column->statements.at[statement].label];
}

static void put_expr(FILE *out, const struct scenario *scenario, expr_id id, bool claim, const struct claim *of);

static void put_claimed_event(FILE *out, const struct scenario *scenario, const struct scenario_event *event)
{
    static const char *const does[] = {
        [EVENT_STARTS] = "starts", [EVENT_COMPLETES] = "completes", [EVENT_RETURNS] = "returns"};
    fprintf(out, "P%d.%s %s", event->rank, label_name(scenario, event->rank, event->statement), does[event->kind]);
}

static void put_operator(FILE *out, const struct scenario *scenario, const struct expr *e, bool claim,
                         const struct claim *of)
{
#define EXPR_SIGN(kind, sign) [EXPR_##kind] = sign,
    static const char *const sign[] = {EXPR_OPERATORS(EXPR_SIGN)};
#undef EXPR_SIGN
    put_expr(out, scenario, e->left, claim, of);
    fprintf(out, " %s ", sign[e->kind]);
    put_expr(out, scenario, e->right, claim, of);
}

static bool is_leaf(const struct expr *e)
{
    return e->kind == EXPR_NUMBER || e->kind == EXPR_VARIABLE || (e->kind >= EXPR_DEADLOCK && e->kind <= EXPR_UNSAFE);
}

/* Brackets around everything but the outermost. */
static void put_top(FILE *out, const struct scenario *scenario, expr_id id, bool claim, const struct claim *of)
{
    const struct expr *e = &scenario->exprs.at[id];
    switch (e->kind) {
    case EXPR_NUMBER:
        fprintf(out, "%d", e->number);
        break;
    case EXPR_VARIABLE:
        if (claim)
            fprintf(out, "P%d.", e->rank);
        fputs(variable_name(scenario, e->rank, e->index), out);
        break;
    case EXPR_NOT:
        fputs("not ", out);
        put_expr(out, scenario, e->left, claim, of);
        break;
    case EXPR_DEADLOCK:
        fputs("deadlock", out);
        break;
    case EXPR_WANT:
        fputs("deadlock for want of buffering", out);
        break;
    case EXPR_ERROR:
        fputs("error", out);
        break;
    case EXPR_UNSAFE:
        fputs("unsafe", out);
        break;
    case EXPR_MATCHES:
        fprintf(out, "P%d.%s matches P%d.%s", e->rank, label_name(scenario, e->rank, e->index), e->other_rank,
                label_name(scenario, e->other_rank, e->other));
        break;
    case EXPR_HAPPENS:
        put_claimed_event(out, scenario, &of->event[e->left]);
        break;
    case EXPR_BEFORE:
        put_claimed_event(out, scenario, &of->event[e->left]);
        fputs(" before ", out);
        put_claimed_event(out, scenario, &of->event[e->right]);
        break;
    EXPR_OPERATOR_CASES
        put_operator(out, scenario, e, claim, of);
        break;
    }
}

static void put_expr(FILE *out, const struct scenario *scenario, expr_id id, bool claim, const struct claim *of)
{
    bool leaf = is_leaf(&scenario->exprs.at[id]);
    fputs(leaf ? "" : "(", out);
    put_top(out, scenario, id, claim, of);
    fputs(leaf ? "" : ")", out);
}

static void put_peer(FILE *out, const struct scenario *scenario, rank_t rank, const struct peer_expression *peer)
{
    if (peer->rank == RANK_ANY)
        fputs("any", out);
    else if (peer->rank == RANK_NONE)
        fputs(variable_name(scenario, rank, (uint32_t)peer->variable), out);
    else
        fprintf(out, "%d", peer->rank);
}

static void put_tag_clause(FILE *out, int32_t tag)
{
    if (tag == TAG_ANY)
        fputs(" tag any", out);
    else if (tag)
        fprintf(out, " tag %d", tag);
}

static void put_names(FILE *out, const struct scenario *scenario, rank_t rank, const struct statement *s)
{
    for (size_t i = 0; i < s->into.n; i++)
        fprintf(out, "%s%s", i ? ", " : " ", variable_name(scenario, rank, s->into.at[i]));
}

static void put_value_list(FILE *out, const struct scenario *scenario, const struct statement *s)
{
    for (size_t i = 0; i < s->values.n; i++) {
        fputs(i ? ", " : " ", out);
        put_top(out, scenario, s->values.at[i], false, NULL);
    }
}

static void put_request_labels(FILE *out, const struct scenario *scenario, rank_t rank, const struct statement *s)
{
    for (size_t i = 0; i < s->requests.n; i++)
        fprintf(out, " %s", label_name(scenario, rank, scenario->column[rank].slots.at[s->requests.at[i]].statement));
}

static const char *operator_word(uint32_t operator)
{
    static const char *const word[] = {[OPERATOR_SUM] = "sum", [OPERATOR_PROD] = "prod",       [OPERATOR_MAX] = "max",
                                       [OPERATOR_MIN] = "min", [OPERATOR_REPLACE] = "replace", [OPERATOR_NO_OP] = "no_op"};
    return word[operator];
}

static void put_operator_and_into(FILE *out, const struct scenario *scenario, rank_t rank, const struct statement *s)
{
    if (s->reduction && s->reduction != OPERATOR_SUM)
        fprintf(out, " op %s", operator_word(s->reduction));
    if (s->into.n) {
        fputs(" into", out);
        put_names(out, scenario, rank, s);
    }
}

static void put_access(FILE *out, const struct scenario *scenario, rank_t rank, const struct statement *s)
{
    bool gets = s->word->access == WINDOW_GET;
    put_value_list(out, scenario, s);
    if (gets)
        put_names(out, scenario, rank, s);
    else
        put_operator_and_into(out, scenario, rank, s);
    fprintf(out, " %s %d", gets ? "from" : "to", s->peer.rank);
    if (s->number)
        fprintf(out, " at %u", s->number);
}

static void put_epoch(FILE *out, const struct scenario *scenario, const struct statement *s)
{
    for (rank_t r = 0; r < scenario->ranks; r++)
        if (s->group >> r & 1)
            fprintf(out, " %d", r);
    if (s->shared)
        fputs(" shared", out);
}

static void put_partitioned(FILE *out, const struct scenario *scenario, rank_t rank, const struct statement *s)
{
    bool sends = partitions_are_sent(s);
    put_value_list(out, scenario, s);
    put_names(out, scenario, rank, s);
    fprintf(out, " %s %d", sends ? "to" : "from", s->peer.rank);
    put_tag_clause(out, s->tag);
}

static void put_port(FILE *out, int32_t port)
{
    if (port)
        fprintf(out, " port %d", port);
}

static void put_coll_clauses(FILE *out, const struct scenario *scenario, rank_t rank, const struct statement *s)
{
    enum coll_kind kind = s->word->coll;
    put_value_list(out, scenario, s);
    if (kind != COLL_BCAST)
        put_operator_and_into(out, scenario, rank, s);
    if (coll_has_root(kind))
        fprintf(out, " root %d", s->peer.rank);
}

/* What stands behind the word, apart from clauses that many have. */
static void put_operands(FILE *out, const struct scenario *scenario, rank_t rank, const struct statement *s)
{
    switch (s->word->verb) {
    case VERB_SEND:
    case VERB_SENDRECV:
        put_value_list(out, scenario, s);
        fputs(" to ", out);
        put_peer(out, scenario, rank, &s->peer);
        if (s->word->port)
            put_port(out, s->tag);
        else
            put_tag_clause(out, s->tag);
        if (s->word->verb == VERB_SEND)
            break;
        fputs(" recv", out);
        /* fallthrough */
    case VERB_RECV:
    case VERB_PROBE:
        if (s->word->port) {
            put_port(out, s->source_tag);
            break;
        }
        put_names(out, scenario, rank, s);
        fputs(" from ", out);
        put_peer(out, scenario, rank, &s->source);
        put_tag_clause(out, s->source_tag);
        break;
    case VERB_MRECV:
        put_names(out, scenario, rank, s);
        fputs(" of", out);
        put_request_labels(out, scenario, rank, s);
        break;
    case VERB_COLL:
        put_coll_clauses(out, scenario, rank, s);
        break;
    case VERB_ACCESS:
        put_access(out, scenario, rank, s);
        break;
    case VERB_EPOCH:
        put_epoch(out, scenario, s);
        break;
    case VERB_PARTITIONED:
        put_partitioned(out, scenario, rank, s);
        break;
    case VERB_READY:
    case VERB_ARRIVED:
        put_value_list(out, scenario, s);
        fputs(" of", out);
        put_request_labels(out, scenario, rank, s);
        break;
    case VERB_IF:
    case VERB_WHILE:
        put_value_list(out, scenario, s);
        break;
    case VERB_START:
    case VERB_COMPLETE:
    case VERB_CANCEL:
    case VERB_FREE:
        put_request_labels(out, scenario, rank, s);
        break;
    case VERB_ASSIGN:
    case VERB_ELSE:
    case VERB_END:
    case VERB_ERROR:
        break;
    }
}

static void put_statement(FILE *out, const struct scenario *scenario, rank_t rank, const struct statement *s)
{
    if (s->label != NOTHING)
        fprintf(out, "%s: ", scenario->column[rank].labels.at[s->label]);
    if (s->word->verb == VERB_ASSIGN) {
        fprintf(out, "%s =", variable_name(scenario, rank, s->into.at[0]));
        put_value_list(out, scenario, s);
        return;
    }
    fputs(s->word->word, out);
    put_operands(out, scenario, rank, s);
    if (s->comm)
        fprintf(out, " on %s", scenario->comms.at[s->comm].name);
    if (s->source_into != NOTHING)
        fprintf(out, " source %s", variable_name(scenario, rank, (uint32_t)s->source_into));
    if (s->flag_into != NOTHING)
        fprintf(out, " as %s", variable_name(scenario, rank, (uint32_t)s->flag_into));
    if (s->cancelled_into != NOTHING)
        fprintf(out, " cancelled %s", variable_name(scenario, rank, (uint32_t)s->cancelled_into));
}

char *statement_text(const struct scenario *scenario, rank_t rank, const struct statement *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    put_statement(out, scenario, rank, s);
    fclose(out);
    return text;
}

/* ---- columns ---- */

void print_row(FILE *out, int columns, char *const *cell, const size_t *width)
{
    int last = columns - 1;
    while (last > 0 && !cell[last])
        last--;
    for (int c = 0; c <= last; c++) {
        const char *text = cell[c] ? cell[c] : "";
        fprintf(out, "%s%s", c ? " | " : "", text);
        for (size_t k = strlen(text); c < last && k < width[c]; k++)
            fputc(' ', out);
    }
    fputc('\n', out);
}

static char *indented(const struct scenario *scenario, rank_t rank, size_t index, int *depth)
{
    const struct statement *s = &scenario->column[rank].statements.at[index];
    bool closes = s->word->verb == VERB_ELSE || s->word->verb == VERB_END;
    bool opens = s->word->verb == VERB_IF || s->word->verb == VERB_ELSE || s->word->verb == VERB_WHILE;
    *depth -= closes;
    char *text = statement_text(scenario, rank, s);
    char *whole = xformat("%*s%s", 2 * *depth, "", text);
    *depth += opens;
    free(text);
    return whole;
}

static void print_columns(const struct scenario *scenario, FILE *out)
{
    int ranks = scenario->ranks;
    size_t rows = 0, width[SCENARIO_RANKS] = {0};
    char ***cell = xcalloc((size_t)ranks, sizeof *cell), *row[SCENARIO_RANKS] = {0};
    for (rank_t r = 0; r < ranks; r++) {
        size_t n = scenario->column[r].statements.n;
        int depth = 0;
        rows = n > rows ? n : rows;
        cell[r] = xcalloc(n + 1, sizeof **cell);
        width[r] = 2;
        for (size_t i = 0; i < n; i++) {
            cell[r][i] = indented(scenario, r, i, &depth);
            width[r] = strlen(cell[r][i]) > width[r] ? strlen(cell[r][i]) : width[r];
        }
    }
    for (rank_t r = 0; r < ranks; r++)
        row[r] = xformat("P%d", r);
    print_row(out, ranks, row, width);
    for (rank_t r = 0; r < ranks; r++)
        free(row[r]);
    for (size_t i = 0; i < rows; i++) {
        for (rank_t r = 0; r < ranks; r++)
            row[r] = i < scenario->column[r].statements.n ? cell[r][i] : NULL;
        print_row(out, ranks, row, width);
    }
    for (rank_t r = 0; r < ranks; r++) {
        for (size_t i = 0; i < scenario->column[r].statements.n; i++)
            free(cell[r][i]);
        free(cell[r]);
    }
    free(cell);
}

void scenario_print(const struct scenario *scenario, FILE *out)
{
    if (scenario->title)
        fprintf(out, "title %s\n", scenario->title);
    for (size_t c = 1; c < scenario->comms.n; c++) {
        const struct scenario_comm *comm = &scenario->comms.at[c];
        fprintf(out, "comm %s =", comm->name);
        for (size_t i = 0; i < comm->members.n; i++)
            fprintf(out, " %d", comm->members.at[i]);
        fputc('\n', out);
    }
    if (!scenario->any_slack)
        fprintf(out, "buffering %s\n", scenario->slack == SLACK_ZERO ? "zero" : "infinite");
    if (scenario->numbers)
        fprintf(out, "window %u\n", scenario->numbers);
    fputc('\n', out);
    print_columns(scenario, out);
    for (size_t i = 0; i < scenario->claims.n; i++) {
        const struct claim *claim = &scenario->claims.at[i];
        fputs("\nassert ", out);
        put_top(out, scenario, claim->root, true, claim);
        fputc('\n', out);
        if (claim->expected)
            fprintf(out, "expect %s\n", modality_name(claim->expected));
    }
}
