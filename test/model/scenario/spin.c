#include "spin.h"

#include "sem/sem.h"

/*
 * An operation is named by scenario, rank and request: o0_1_2.  Of each there is
 *   p: posted   w: the other end, + 1   l: loose, completes early (M7); 2: a cancel of it has failed for that (D5)
 *   a: active   x: withdrawn            g: what it carries, or got
 *   h: a matched probe has it and nobody has received it; of the probe: which of the sender's it was, + 1
 */
struct emitter {
    FILE *out;
    const struct scenario *scenario;
    size_t number;
    rank_t rank;
};

static const struct column *column_of(const struct emitter *e, rank_t r)
{
    return &e->scenario->column[r];
}

static const struct statement *maker(const struct emitter *e, rank_t r, uint32_t slot)
{
    return &column_of(e, r)->statements.at[column_of(e, r)->slots.at[slot].statement];
}

static bool is_recv(const struct emitter *e, rank_t r, uint32_t slot)
{
    const struct statement *s = maker(e, r, slot);
    return s->word->verb == VERB_RECV || s->word->take || (s->word->verb == VERB_SENDRECV && s->other_slot == (int)slot);
}

static bool is_send(const struct emitter *e, rank_t r, uint32_t slot)
{
    const struct statement *s = maker(e, r, slot);
    return s->word->verb == VERB_SEND || (s->word->verb == VERB_SENDRECV && s->slot == (int)slot);
}

const char *spin_lacks(const struct scenario *scenario)
{
    for (rank_t r = 0; r < scenario->ranks; r++)
        for (size_t i = 0; i < scenario->column[r].statements.n; i++) {
            const struct statement *s = &scenario->column[r].statements.at[i];
            if (s->word->verb == VERB_WHILE)
                return "loops";
            if (s->word->verb >= VERB_PARTITIONED && s->word->verb <= VERB_ARRIVED)
                return "messages in parts";
            if (s->word->port)
                return "ports";
            if (s->peer.rank == RANK_NONE || s->source.rank == RANK_NONE)
                return "ranks in variables";
        }
    return NULL;
}

/* ---- names ---- */

static void put_op(const struct emitter *e, char what, rank_t r, uint32_t slot)
{
    fprintf(e->out, "%c%zu_%d_%u", what, e->number, r, slot);
}

static void put_variable(const struct emitter *e, rank_t r, uint32_t variable)
{
    fprintf(e->out, "v%zu_%d_%u", e->number, r, variable);
}

static void put_set(const struct emitter *e, int32_t variable, const char *format, int value)
{
    if (variable == NOTHING)
        return;
    put_variable(e, e->rank, (uint32_t)variable);
    fputs(" = ", e->out);
    fprintf(e->out, format, value);
    fputs("; ", e->out);
}

static void put_expr(const struct emitter *e, expr_id id)
{
    static const char *const sign[] = {[EXPR_ADD] = "+",   [EXPR_SUBTRACT] = "-", [EXPR_MULTIPLY] = "*",
                                       [EXPR_EQUAL] = "==", [EXPR_UNLIKE] = "!=",  [EXPR_LESS] = "<",
                                       [EXPR_AT_MOST] = "<=", [EXPR_MORE] = ">",   [EXPR_AT_LEAST] = ">=",
                                       [EXPR_AND] = "&&",  [EXPR_OR] = "||"};
    const struct expr *x = &e->scenario->exprs.at[id];
    if (x->kind == EXPR_NUMBER) {
        fprintf(e->out, "%d", x->number);
    } else if (x->kind == EXPR_VARIABLE) {
        put_variable(e, x->rank, x->index);
    } else if (x->kind == EXPR_NOT) {
        fputs("!(", e->out);
        put_expr(e, x->left);
        fputc(')', e->out);
    } else {
        fputc('(', e->out);
        put_expr(e, x->left);
        fprintf(e->out, " %s ", sign[x->kind]);
        put_expr(e, x->right);
        fputc(')', e->out);
    }
}

/* ---- M1 to M4 ---- */

/* An envelope that is asked for. */
struct pattern {
    rank_t at;
    const struct statement *s;
};

static bool fits(const struct emitter *e, rank_t from, uint32_t send, struct pattern p)
{
    const struct statement *s = maker(e, from, send);
    return is_send(e, from, send) && s->peer.rank == p.at && s->comm == p.s->comm &&
           sem_fits(from, s->tag, p.s->source.rank, p.s->source_tag);
}

/* That an operation is not in the way: not there yet, or matched, or withdrawn. */
static void put_out_of_way(const struct emitter *e, rank_t r, uint32_t slot)
{
    fputs(" && !(", e->out);
    put_op(e, 'p', r, slot);
    fputs(" && !", e->out);
    put_op(e, 'w', r, slot);
    fputs(" && !", e->out);
    put_op(e, 'x', r, slot);
    fputc(')', e->out);
}

static void put_free(const struct emitter *e, rank_t r, uint32_t slot)
{
    put_op(e, 'p', r, slot);
    fputs(" && !", e->out);
    put_op(e, 'w', r, slot);
    fputs(" && !", e->out);
    put_op(e, 'x', r, slot);
}

/* That this send may go to who asks for the pattern: M2, and M3 for receives with requests below `recvs`. */
static void put_may_go(const struct emitter *e, rank_t from, uint32_t send, struct pattern p, uint32_t recvs)
{
    put_free(e, from, send);
    for (uint32_t i = 0; i < send; i++)
        if (fits(e, from, i, p))
            put_out_of_way(e, from, i);
    for (uint32_t i = 0; i < recvs; i++)
        if (is_recv(e, p.at, i) && !maker(e, p.at, i)->word->take && fits(e, from, send, (struct pattern){p.at, maker(e, p.at, i)}))
            put_out_of_way(e, p.at, i);
}

static void put_pair(const struct emitter *e, rank_t from, uint32_t send, rank_t at, uint32_t recv)
{
    put_op(e, 'w', from, send);
    fputs(" = 1; ", e->out);
    put_op(e, 'w', at, recv);
    fprintf(e->out, " = %d; ", from + 1);
    put_op(e, 'g', at, recv);
    fputs(" = ", e->out);
    put_op(e, 'g', from, send);
    fputs("; ", e->out);
}

static void put_network(const struct emitter *e)
{
    fprintf(e->out, "proctype network%zu()\n{\nend: do\n", e->number);
    for (rank_t at = 0; at < e->scenario->ranks; at++)
        for (uint32_t recv = 0; recv < column_of(e, at)->slots.n; recv++)
            for (rank_t from = 0; from < e->scenario->ranks && is_recv(e, at, recv) && !maker(e, at, recv)->word->take; from++)
                for (uint32_t send = 0; send < column_of(e, from)->slots.n; send++) {
                    struct pattern p = {at, maker(e, at, recv)};
                    if (!fits(e, from, send, p))
                        continue;
                    fputs(":: atomic { ", e->out);
                    put_free(e, at, recv);
                    fputs(" && ", e->out);
                    put_may_go(e, from, send, p, recv);
                    fputs(" -> ", e->out);
                    put_pair(e, from, send, at, recv);
                    fputs("}\n", e->out);
                }
    for (rank_t r = 0; r < e->scenario->ranks; r++)
        fprintf(e->out, ":: atomic { pause%zu_%d -> pause%zu_%d = 0 }\n", e->number, r, e->number, r);
    fputs("od\n}\n\n", e->out);
}

/* ---- M5 to M7: what is complete ---- */

/* Which of the collectives of its communicator it is. */
static uint32_t turn_of(const struct emitter *e, rank_t r, uint32_t slot)
{
    uint32_t turn = 0;
    for (uint32_t i = 0; i < slot; i++)
        turn += maker(e, r, i)->word->verb == VERB_COLL && maker(e, r, i)->comm == maker(e, r, slot)->comm;
    return turn;
}

/* The part of another member; NOTHING: it has none, and never will. */
static int32_t part_of(const struct emitter *e, rank_t r, uint32_t slot, rank_t other)
{
    for (uint32_t i = 0; i < column_of(e, other)->slots.n; i++)
        if (maker(e, other, i)->word->verb == VERB_COLL && maker(e, other, i)->comm == maker(e, r, slot)->comm &&
            turn_of(e, other, i) == turn_of(e, r, slot))
            return (int32_t)i;
    return NOTHING;
}

static bool needs(const struct emitter *e, rank_t r, const struct statement *s, rank_t other)
{
    return coll_needs(s->word->coll, scenario_position(e->scenario, s->comm, s->peer.rank),
                      scenario_position(e->scenario, s->comm, r), scenario_position(e->scenario, s->comm, other));
}

static void put_coll_complete(const struct emitter *e, rank_t r, uint32_t slot)
{
    const struct statement *s = maker(e, r, slot);
    const struct scenario_comm *comm = &e->scenario->comms.at[s->comm];
    fputs("(true", e->out);
    for (size_t i = 0; i < comm->members.n; i++) {
        int32_t part = part_of(e, r, slot, comm->members.at[i]);
        fputs(" && (", e->out);
        if (!needs(e, r, s, comm->members.at[i])) {
            put_op(e, 'l', r, slot);
            fputs(" || ", e->out);
        }
        if (part == NOTHING)
            fputs("false", e->out);
        else
            put_op(e, 'p', comm->members.at[i], (uint32_t)part);
        fputc(')', e->out);
    }
    fputc(')', e->out);
}

static void put_complete(const struct emitter *e, uint32_t slot)
{
    rank_t r = e->rank;
    if (maker(e, r, slot)->word->verb == VERB_COLL) {
        put_coll_complete(e, r, slot);
        return;
    }
    fputs("((", e->out);
    put_op(e, 'w', r, slot);
    fputs(" && !", e->out);
    put_op(e, 'h', r, slot);
    fputs(") || ", e->out);
    put_op(e, 'x', r, slot);
    if (is_send(e, r, slot)) {
        fputs(" || ", e->out);
        put_op(e, 'l', r, slot);
    }
    fputc(')', e->out);
}

/* How early it may complete is chosen when it is posted. */
static void put_slack(const struct emitter *e, uint32_t slot)
{
    const struct statement *s = maker(e, e->rank, slot);
    bool coll = s->word->verb == VERB_COLL, free = e->scenario->any_slack && !(s->word->mode & (OPF_SYNCHRONOUS | OPF_BUFFERED));
    if (free) {
        fputs("if :: ", e->out);
        put_op(e, 'l', e->rank, slot);
        fputs(" = 1 :: ", e->out);
        put_op(e, 'l', e->rank, slot);
        fputs(" = 0 fi; ", e->out);
    } else if (coll || s->word->mode & OPF_BUFFERED ||
               (!(s->word->mode & OPF_SYNCHRONOUS) && e->scenario->slack == SLACK_INFINITE)) {
        put_op(e, 'l', e->rank, slot);
        fputs(" = 1; ", e->out);
    }
}

/* ---- statements ---- */

static void put_post(const struct emitter *e, uint32_t slot, bool active)
{
    const struct statement *s = maker(e, e->rank, slot);
    if (is_send(e, e->rank, slot)) {
        put_op(e, 'g', e->rank, slot);
        fputs(" = ", e->out);
        if (s->values.n)
            put_expr(e, s->values.at[0]);
        else
            fputc('0', e->out);
        fputs("; ", e->out);
    }
    for (size_t i = 0; i < s->values.n && s->word->verb == VERB_COLL; i++) {
        fprintf(e->out, "g%zu_%d_%u_%zu = ", e->number, e->rank, slot, i);
        put_expr(e, s->values.at[i]);
        fputs("; ", e->out);
    }
    if (!is_recv(e, e->rank, slot))
        put_slack(e, slot);
    put_op(e, 'p', e->rank, slot);
    fputs(" = 1; ", e->out);
    if (active) {
        put_op(e, 'a', e->rank, slot);
        fputs(" = 1; ", e->out);
    }
}

static void put_piece(const struct emitter *e, uint32_t slot, rank_t member)
{
    const struct statement *s = maker(e, e->rank, slot);
    uint32_t part = (uint32_t)part_of(e, e->rank, slot, member);
    bool each = maker(e, member, part)->values.n > 1;
    fprintf(e->out, "g%zu_%d_%u_%d", e->number, member, part, each ? scenario_position(e->scenario, s->comm, e->rank) : 0);
}

static void put_operation(const struct emitter *e, uint32_t reduction, const char *target, uint32_t slot, rank_t member)
{
    switch (reduction) {
    case OPERATOR_MAX:
    case OPERATOR_MIN:
        fprintf(e->out, "if :: %s %c ", target, reduction == OPERATOR_MAX ? '<' : '>');
        put_piece(e, slot, member);
        fprintf(e->out, " -> %s = ", target);
        put_piece(e, slot, member);
        fputs(" :: else fi; ", e->out);
        break;
    default:
        fprintf(e->out, "%s = %s %c ", target, target, reduction == OPERATOR_PROD ? '*' : '+');
        put_piece(e, slot, member);
        fputs("; ", e->out);
    }
}

static void put_collect(const struct emitter *e, uint32_t slot)
{
    const struct statement *s = maker(e, e->rank, slot);
    const struct scenario_comm *comm = &e->scenario->comms.at[s->comm];
    size_t taken = 0;
    for (size_t i = 0; i < comm->members.n && s->into.n && s->word->coll != COLL_BARRIER; i++) {
        char target[32];
        if (!needs(e, e->rank, s, comm->members.at[i]))
            continue;
        snprintf(target, sizeof target, "v%zu_%d_%u", e->number, e->rank, s->into.at[s->reduction ? 0 : taken]);
        if (s->reduction && taken) {
            put_operation(e, s->reduction, target, slot, comm->members.at[i]);
        } else {
            fprintf(e->out, "%s = ", target);
            put_piece(e, slot, comm->members.at[i]);
            fputs("; ", e->out);
        }
        taken++;
    }
}

/* What a request brought goes where `into` says; it is over. */
static void put_deliver(const struct emitter *e, uint32_t slot, const struct statement *into)
{
    if (maker(e, e->rank, slot)->word->verb == VERB_COLL) {
        put_collect(e, slot);
    } else if (is_recv(e, e->rank, slot)) {
        fputs("if :: ", e->out);
        put_op(e, 'x', e->rank, slot);
        fputs(" :: else -> skip; ", e->out);
        if (into->into.n) {
            put_variable(e, e->rank, into->into.at[0]);
            fputs(" = ", e->out);
            put_op(e, 'g', e->rank, slot);
            fputs("; ", e->out);
        }
        if (into->source_into != NOTHING) {
            put_variable(e, e->rank, (uint32_t)into->source_into);
            fputs(" = ", e->out);
            put_op(e, 'w', e->rank, slot);
            fputs(" - 1; ", e->out);
        }
        fputs("fi; ", e->out);
    }
    put_op(e, 'a', e->rank, slot);
    fputs(" = 0; ", e->out);
}

static void put_cancelled(const struct emitter *e, const struct statement *s, uint32_t slot)
{
    if (s->cancelled_into == NOTHING)
        return;
    put_variable(e, e->rank, (uint32_t)s->cancelled_into);
    fputs(" = ", e->out);
    put_op(e, 'x', e->rank, slot);
    fputs("; ", e->out);
}

/* An option for a set of the list: all of it must be active and complete. */
static void put_set_option(const struct emitter *e, const struct statement *s, unsigned set)
{
    int count = 0, first = 0;
    fputs(":: (true", e->out);
    for (uint32_t i = 0; i < s->requests.n; i++) {
        uint32_t slot = s->requests.at[i];
        if (!(set >> i & 1)) {
            if (s->word->select != SELECT_ALL)
                continue;
            fputs(" && !", e->out); /* all that are active */
            put_op(e, 'a', e->rank, slot);
            continue;
        }
        first = count++ ? first : (int)i;
        fputs(" && ", e->out);
        put_op(e, 'a', e->rank, slot);
        fputs(" && ", e->out);
        put_complete(e, slot);
    }
    fputs(") -> ", e->out);
    for (uint32_t i = 0; i < s->requests.n; i++)
        if (set >> i & 1) {
            put_cancelled(e, s, s->requests.at[i]);
            put_deliver(e, s->requests.at[i], maker(e, e->rank, s->requests.at[i]));
        }
    put_set(e, s->flag_into, "%d", s->word->select == SELECT_ANY ? first : s->word->select == SELECT_SOME ? count : 1);
    fputs("skip\n", e->out);
}

static void put_any_active(const struct emitter *e, const struct statement *s)
{
    fputs("(false", e->out);
    for (uint32_t i = 0; i < s->requests.n; i++) {
        fputs(" || ", e->out);
        put_op(e, 'a', e->rank, s->requests.at[i]);
    }
    fputc(')', e->out);
}

static void put_completion(const struct emitter *e, const struct statement *s)
{
    fputs("if\n", e->out);
    for (unsigned set = 1; set < 1u << s->requests.n; set++)
        if (s->word->select != SELECT_ANY || (set & (set - 1)) == 0)
            put_set_option(e, s, set);
    fputs(":: !", e->out);
    put_any_active(e, s);
    fputs(" -> ", e->out);
    put_set(e, s->flag_into, "%d", s->word->select == SELECT_ALL ? 1 : -1);
    put_set(e, s->cancelled_into, "%d", 0);
    fputs("skip\n", e->out);
    if (s->word->poll) {
        fputs(":: ", e->out);
        put_any_active(e, s);
        fputs(" -> ", e->out);
        put_set(e, s->flag_into, "%d", s->word->select == SELECT_ANY ? -1 : 0);
        put_set(e, s->cancelled_into, "%d", 0);
        fputs("skip\n", e->out);
    }
    fputs("fi;\n", e->out);
}

static void put_probe(const struct emitter *e, const struct statement *s)
{
    uint32_t before = 0;
    while (before < column_of(e, e->rank)->slots.n && maker(e, e->rank, before) < s)
        before++;
    fputs("if\n", e->out);
    for (rank_t from = 0; from < e->scenario->ranks; from++)
        for (uint32_t send = 0; send < column_of(e, from)->slots.n; send++) {
            struct pattern p = {e->rank, s};
            if (!fits(e, from, send, p))
                continue;
            fputs(":: ", e->out);
            put_may_go(e, from, send, p, before);
            fputs(" -> ", e->out);
            if (s->word->take) {
                put_pair(e, from, send, e->rank, (uint32_t)s->slot);
                put_op(e, 'a', e->rank, (uint32_t)s->slot);
                fputs(" = 1; ", e->out);
                put_op(e, 'h', from, send);
                fputs(" = 1; ", e->out);
                put_op(e, 'h', e->rank, (uint32_t)s->slot);
                fprintf(e->out, " = %u; ", send + 1);
            }
            put_set(e, s->source_into, "%d", from);
            put_set(e, s->flag_into, "%d", 1);
            fputs("skip\n", e->out);
        }
    if (s->word->poll) {
        fputs(":: true -> ", e->out);
        put_set(e, s->flag_into, "%d", 0);
        fputs("skip\n", e->out);
    } else {
        fputs(":: false\n", e->out);
    }
    fputs("fi;\n", e->out);
}

/* It goes on if the request is active; else that is an error. */
static void put_unless_inactive(const struct emitter *e, uint32_t slot)
{
    fputs("if :: ", e->out);
    put_op(e, 'a', e->rank, slot);
    fprintf(e->out, " :: else -> at%zu_%d = 2000; goto over fi; ", e->number, e->rank);
}

/* What the matched probe with this request has taken is received: its sender may go on (M6). */
static void put_receive(const struct emitter *e, uint32_t slot)
{
    struct pattern p = {e->rank, maker(e, e->rank, slot)};
    for (rank_t from = 0; from < e->scenario->ranks; from++)
        for (uint32_t send = 0; send < column_of(e, from)->slots.n; send++) {
            if (!fits(e, from, send, p))
                continue;
            fputs("if :: ", e->out);
            put_op(e, 'w', e->rank, slot);
            fprintf(e->out, " == %d && ", from + 1);
            put_op(e, 'h', e->rank, slot);
            fprintf(e->out, " == %u -> ", send + 1);
            put_op(e, 'h', from, send);
            fputs(" = 0 :: else fi; ", e->out);
        }
}

/* It is withdrawn, or matched by now, or a send that is buffered goes its way (D5): then another cancel fails, too. */
static void put_cancel(const struct emitter *e, uint32_t slot)
{
    bool send = is_send(e, e->rank, slot);
    fputs("if :: !", e->out);
    put_op(e, 'w', e->rank, slot);
    if (send) {
        fputs(" && ", e->out);
        put_op(e, 'l', e->rank, slot);
        fputs(" != 2", e->out);
    }
    fputs(" -> ", e->out);
    put_op(e, 'x', e->rank, slot);
    fputs(" = 1 :: ", e->out);
    put_op(e, 'w', e->rank, slot);
    if (send) {
        fputs(" :: !", e->out);
        put_op(e, 'w', e->rank, slot);
        fputs(" && !", e->out);
        put_op(e, 'x', e->rank, slot);
        fputs(" && ", e->out);
        put_op(e, 'l', e->rank, slot);
        fputs(" -> ", e->out);
        put_op(e, 'l', e->rank, slot);
        fputs(" = 2", e->out);
    }
    fputs(" fi; ", e->out);
}

static void put_call(const struct emitter *e, const struct statement *s)
{
    switch (s->word->verb) {
    case VERB_SEND:
    case VERB_RECV:
    case VERB_COLL:
        if (s->word->persistent)
            break;
        put_post(e, (uint32_t)s->slot, !s->word->blocking);
        if (!s->word->blocking)
            break;
        put_complete(e, (uint32_t)s->slot);
        fputs("; ", e->out);
        put_deliver(e, (uint32_t)s->slot, s);
        break;
    case VERB_SENDRECV:
        put_post(e, (uint32_t)s->slot, false);
        put_post(e, (uint32_t)s->other_slot, false);
        put_complete(e, (uint32_t)s->slot);
        fputs(" && ", e->out);
        put_complete(e, (uint32_t)s->other_slot);
        fputs("; ", e->out);
        put_deliver(e, (uint32_t)s->other_slot, s);
        break;
    case VERB_PROBE:
        put_probe(e, s);
        break;
    case VERB_MRECV:
        put_unless_inactive(e, s->requests.at[0]);
        put_receive(e, s->requests.at[0]);
        put_deliver(e, s->requests.at[0], s);
        break;
    case VERB_START:
        for (size_t i = 0; i < s->requests.n; i++)
            put_post(e, s->requests.at[i], true);
        break;
    case VERB_COMPLETE:
        put_completion(e, s);
        break;
    case VERB_CANCEL:
        put_unless_inactive(e, s->requests.at[0]);
        put_cancel(e, s->requests.at[0]);
        break;
    default: /* free */
        put_op(e, 'a', e->rank, s->requests.at[0]);
        fputs(" = 0; ", e->out);
    }
}

/* It may come out otherwise if others do something first, though it need not wait. */
static bool depends_on_time(const struct statement *s)
{
    return s->word->poll || s->word->select != SELECT_ALL || s->word->verb == VERB_PROBE || s->word->verb == VERB_CANCEL;
}

static void put_statement(const struct emitter *e, const struct statement *s)
{
    switch (s->word->verb) {
    case VERB_ASSIGN:
        put_variable(e, e->rank, s->into.at[0]);
        fputs(" = ", e->out);
        put_expr(e, s->values.at[0]);
        fputs(";\n", e->out);
        break;
    case VERB_IF:
        fputs("if :: ", e->out);
        put_expr(e, s->values.at[0]);
        fputs(" ->\n", e->out);
        break;
    case VERB_ELSE:
        fputs("skip :: else ->\n", e->out);
        break;
    case VERB_END: {
        bool otherwise = column_of(e, e->rank)->statements.at[s->partner].word->verb == VERB_ELSE;
        fputs(otherwise ? "skip fi;\n" : "skip :: else fi;\n", e->out);
        break;
    }
    case VERB_ERROR:
        fprintf(e->out, "at%zu_%d = 2000; goto over;\n", e->number, e->rank);
        break;
    default:
        fprintf(e->out, "at%zu_%d = %td; ", e->number, e->rank, s - column_of(e, e->rank)->statements.at);
        if (depends_on_time(s))
            fprintf(e->out, "pause%zu_%d = 1; pause%zu_%d == 0; ", e->number, e->rank, e->number, e->rank);
        put_call(e, s);
        fputc('\n', e->out);
    }
}

static void put_rank(struct emitter *e, rank_t r)
{
    const struct column *column = column_of(e, r);
    e->rank = r;
    fprintf(e->out, "proctype rank%zu_%d()\n{\natomic {\n", e->number, r);
    for (size_t i = 0; i < column->statements.n; i++)
        put_statement(e, &column->statements.at[i]);
    fprintf(e->out, "at%zu_%d = 1000;\nover: skip\n}\n}\n\n", e->number, r);
}

static void put_declarations(const struct emitter *e)
{
    for (rank_t r = 0; r < e->scenario->ranks; r++) {
        const struct column *column = column_of(e, r);
        fprintf(e->out, "short at%zu_%d; bool pause%zu_%d;\n", e->number, r, e->number, r);
        for (uint32_t v = 0; v < column->variables.n; v++)
            fprintf(e->out, "int v%zu_%d_%u;\n", e->number, r, v);
        for (uint32_t i = 0; i < column->slots.n; i++) {
            const struct statement *s = maker(e, r, i);
            for (const char *what = "pwlaxh"; *what; what++)
                fprintf(e->out, "byte %c%zu_%d_%u; ", *what, e->number, r, i);
            fprintf(e->out, "int g%zu_%d_%u;\n", e->number, r, i);
            for (size_t k = 0; s->word->verb == VERB_COLL && (k < s->values.n || k == 0); k++)
                fprintf(e->out, "int g%zu_%d_%u_%zu;\n", e->number, r, i, k);
        }
    }
}

/* At the end, as outcome_text has it. */
static void put_referee(const struct emitter *e)
{
    fprintf(e->out, "proctype referee%zu()\n{\ntimeout ->\nc_code {\nprintf(\"outcome %zu \");\n", e->number, e->number);
    for (rank_t r = 0; r < e->scenario->ranks; r++) {
        const struct column *column = column_of(e, r);
        fprintf(e->out, "printf(\"%sP%d \");\n", r ? "; " : "", r);
        fprintf(e->out, "if (now.at%zu_%d >= 1000) printf(now.at%zu_%d == 1000 ? \"ended\" : \"error\"); "
                        "else printf(\"in call %%d\", now.at%zu_%d);\n",
                e->number, r, e->number, r, e->number, r);
        for (uint32_t v = 0; v < column->variables.n; v++)
            fprintf(e->out, "printf(\" %s=%%d\", now.v%zu_%d_%u);\n", column->variables.at[v], e->number, r, v);
    }
    fputs("printf(\"\\n\");\n}\n}\n\n", e->out);
}

void spin_print(FILE *out, const struct scenario *scenario, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct emitter e = {.out = out, .scenario = &scenario[i], .number = i};
        put_declarations(&e);
        put_network(&e);
        for (rank_t r = 0; r < scenario[i].ranks; r++)
            put_rank(&e, r);
        put_referee(&e);
    }
    fputs("init {\natomic {\nif\n", out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, ":: run network%zu(); run referee%zu();", i, i);
        for (rank_t r = 0; r < scenario[i].ranks; r++)
            fprintf(out, " run rank%zu_%d();", i, r);
        fputc('\n', out);
    }
    fputs("fi\n}\n}\n", out);
}
