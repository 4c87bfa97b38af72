#include "draft.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"

/* ---- at random ---- */

struct maker {
    struct draft *draft;
    uint64_t random;
    int features;
    int names[DRAFT_RANKS]; /* variables and labels so far */
};

static int below(struct maker *m, int n)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return (int)((m->random >> 16) % (uint64_t)n);
}

static bool chance(struct maker *m, int percent)
{
    return below(m, 100) < percent;
}

static bool feature(const struct maker *m, int bit)
{
    return m->features & bit;
}

/* Puts a cell before row `at`. */
static void insert(struct draft *d, int rank, int at, const char *format, ...) __attribute__((format(printf, 4, 5)));
static void insert(struct draft *d, int rank, int at, const char *format, ...)
{
    va_list arguments;
    if (d->rows[rank] == DRAFT_ROWS)
        return;
    memmove(d->cell[rank][at + 1], d->cell[rank][at], (size_t)(d->rows[rank] - at) * DRAFT_CELL);
    va_start(arguments, format);
    if (vsnprintf(d->cell[rank][at], DRAFT_CELL, format, arguments) >= DRAFT_CELL)
        die("a cell of a random scenario is too long");
    va_end(arguments);
    d->rows[rank]++;
}

static void delete(struct draft *d, int rank, int at)
{
    d->rows[rank]--;
    memmove(d->cell[rank][at], d->cell[rank][at + 1], (size_t)(d->rows[rank] - at) * DRAFT_CELL);
}

static bool begins(const char *cell, const char *word)
{
    size_t n = strlen(word);
    return strncmp(cell, word, n) == 0 && (cell[n] == ' ' || cell[n] == '\0');
}

static bool is_send(const char *cell)
{
    return begins(cell, "send") || begins(cell, "ssend") || begins(cell, "bsend");
}

/* A collective that no member waits for in its call: MPI wants that of all or none. */
enum { MARK = '~' };

static bool is_marked(const char *cell)
{
    return cell[0] == MARK;
}

static bool is_coll(const char *cell)
{
    static const char *const words[] = {"barrier", "bcast", "reduce", "allreduce", "scan", "exscan", "allgather", "scatter"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(cell + is_marked(cell), words[i]))
            return true;
    return false;
}

/* ---- messages that can all be received ---- */

static const char *tail_of(char *text, int tag, int comm)
{
    snprintf(text, 32, "%s%s%s", tag ? " tag " : "", tag == 1 ? "1" : tag == 2 ? "any" : "", comm ? " on c" : "");
    return text;
}

static void make_messages(struct maker *m)
{
    struct draft *d = m->draft;
    int messages = 2 + below(m, 4), made = 0, flying = 0;
    struct {
        int from, to, tag, comm;
    } fly[8];
    while (made < messages || flying) {
        char tail[32];
        if (made < messages && (!flying || chance(m, 55))) {
            static const char *const verbs[] = {"send", "send", "ssend", "bsend"};
            int from = below(m, d->ranks), to = chance(m, 50) ? below(m, d->ranks) : from == 0;
            if (to == from && chance(m, 80))
                to = (from + 1) % d->ranks;
            fly[flying].from = from;
            fly[flying].to = to;
            fly[flying].tag = feature(m, DRAFT_TAGS) && chance(m, 35);
            fly[flying].comm = d->comms && chance(m, 30);
            insert(d, from, d->rows[from], "%s %d to %d%s", feature(m, DRAFT_MODES) ? verbs[below(m, 4)] : "send",
                   1 + below(m, 3), to, tail_of(tail, fly[flying].tag, fly[flying].comm));
            flying++;
            made++;
        } else {
            int k = below(m, flying), to = fly[k].to;
            int tag = feature(m, DRAFT_TAGS) && chance(m, 25) ? 2 : fly[k].tag;
            if (chance(m, 70))
                insert(d, to, d->rows[to], "recv v%d from any%s", m->names[to]++, tail_of(tail, tag, fly[k].comm));
            else
                insert(d, to, d->rows[to], "recv v%d from %d%s", m->names[to]++, fly[k].from,
                       tail_of(tail, tag, fly[k].comm));
            fly[k] = fly[--flying];
        }
    }
}

/* ---- the rest ---- */

static void insert_coll(struct maker *m, int rank, int at, int kind, int root, const char *tail)
{
    struct draft *d = m->draft;
    char values[16] = "", into[48] = "";
    int value = 1 + below(m, 3), name = m->names[rank];
    bool takes = kind != 2 || rank == root;
    for (int r = 0; r < d->ranks && kind == 7; r++)
        if (rank == root)
            sprintf(values + strlen(values), "%s%d", r ? ", " : " ", 1 + below(m, 3));
    for (int r = 0; r < d->ranks && kind == 6; r++)
        sprintf(into + strlen(into), "%sv%d", r ? ", " : "", m->names[rank]++);
    if (takes && kind != 0 && kind != 6)
        m->names[rank]++;
    switch (kind) {
    case 0:
        insert(d, rank, at, "barrier%s", tail);
        break;
    case 1:
        insert(d, rank, at, "bcast v%d root %d%s", name, root, tail);
        break;
    case 2:
        if (takes)
            insert(d, rank, at, "reduce %d into v%d root %d%s", value, name, root, tail);
        else
            insert(d, rank, at, "reduce %d root %d%s", value, root, tail);
        break;
    case 3:
        insert(d, rank, at, "allreduce %d op max into v%d%s", value, name, tail);
        break;
    case 4:
        insert(d, rank, at, "scan %d into v%d%s", value, name, tail);
        break;
    case 5:
        insert(d, rank, at, "exscan %d into v%d%s", value, name, tail);
        break;
    case 6:
        insert(d, rank, at, "allgather %d into %s%s", value, into, tail);
        break;
    default:
        insert(d, rank, at, "scatter%s into v%d root %d%s", values, name, root, tail);
    }
}

static void add_collectives(struct maker *m)
{
    struct draft *d = m->draft;
    for (int n = 1 + chance(m, 30); n > 0; n--) {
        int kind = below(m, 8), root = below(m, d->ranks);
        const char *tail = d->comms && chance(m, 30) ? " on c" : "";
        bool unblocked = feature(m, DRAFT_REQUESTS) && chance(m, 40);
        for (int r = 0; r < d->ranks; r++) {
            int last = 0;
            for (int i = 0; i < d->rows[r]; i++)
                if (is_coll(d->cell[r][i]))
                    last = i + 1;
            int at = last + below(m, d->rows[r] - last + 1);
            insert_coll(m, r, at, kind, root, tail);
            if (unblocked) {
                memmove(d->cell[r][at] + 1, d->cell[r][at], strlen(d->cell[r][at]) + 1);
                d->cell[r][at][0] = MARK;
            }
        }
    }
}

static void add_sendrecvs(struct maker *m, int rank)
{
    struct draft *d = m->draft;
    for (int i = 0; i + 1 < d->rows[rank]; i++) {
        char both[2 * DRAFT_CELL];
        if (!begins(d->cell[rank][i], "send") || !begins(d->cell[rank][i + 1], "recv") || !chance(m, 50) ||
            strstr(d->cell[rank][i], " on ") || strstr(d->cell[rank][i + 1], " on "))
            continue;
        snprintf(both, sizeof both, "sendrecv%s %s", d->cell[rank][i] + 4, d->cell[rank][i + 1]);
        if (strlen(both) >= DRAFT_CELL)
            continue;
        strcpy(d->cell[rank][i], both);
        delete(d, rank, i + 1);
    }
}

enum { LABELS = 8 };

/* Some operations do not block, with these labels; returns how many. */
static int unblock(struct maker *m, int rank, int *label)
{
    struct draft *d = m->draft;
    int n = 0;
    for (int i = 0; i < d->rows[rank] && n < LABELS; i++) {
        char *cell = d->cell[rank][i], old[DRAFT_CELL];
        bool recv = begins(cell, "recv"), any = recv || is_send(cell);
        if (!is_marked(cell) && (!any || !chance(m, recv ? 50 : 30)))
            continue;
        strcpy(old, cell + is_marked(cell));
        label[n] = m->names[rank]++;
        if (feature(m, DRAFT_PERSISTENT) && !is_coll(old) && chance(m, 20)) {
            char *rest = strchr(old, ' ');
            snprintf(cell, DRAFT_CELL, "r%d: %.*s_init%s", label[n], (int)(rest - old), old, rest);
            insert(d, rank, ++i, "start r%d", label[n]);
        } else {
            snprintf(cell, DRAFT_CELL, "r%d: i%.*s", label[n], DRAFT_CELL - 16, old); /* they are far shorter */
        }
        n++;
    }
    return n;
}

/* The row behind which a label exists. */
static int row_of_label(const struct draft *d, int rank, int label)
{
    char name[16];
    snprintf(name, sizeof name, "r%d:", label);
    for (int i = 0; i < d->rows[rank]; i++)
        if (strncmp(d->cell[rank][i], name, strlen(name)) == 0)
            return i + (strstr(d->cell[rank][i], "_init ") != NULL) + 1;
    return d->rows[rank];
}

static void add_wait(struct maker *m, int rank, int at, const int *label, int n, bool last)
{
    struct draft *d = m->draft;
    char list[48] = "";
    int listed = 0;
    for (int i = 0; i < n && listed < 4; i++)
        if (row_of_label(d, rank, label[i]) <= at && (last || chance(m, 60))) {
            sprintf(list + strlen(list), " r%d", label[i]);
            listed++;
        }
    if (!listed)
        return;
    static const char *const selects[] = {"all", "any", "some"};
    const char *select = listed == 1 && chance(m, 60)                      ? ""
                         : feature(m, DRAFT_SELECT) && !last && chance(m, 60) ? selects[1 + below(m, 2)]
                                                                              : selects[0];
    bool poll = feature(m, DRAFT_POLLS) && !last && chance(m, 50);
    if (poll || strcmp(select, "any") == 0 || strcmp(select, "some") == 0)
        insert(d, rank, at, "%s%s%s as v%d", poll ? "test" : "wait", select, list, m->names[rank]++);
    else if (listed == 1 && chance(m, 30))
        insert(d, rank, at, "wait%s%s cancelled v%d", select, list, m->names[rank]++);
    else
        insert(d, rank, at, "wait%s%s", select, list);
}

static void add_requests(struct maker *m, int rank)
{
    struct draft *d = m->draft;
    int label[LABELS], n = unblock(m, rank, label);
    if (feature(m, DRAFT_CANCEL))
        for (int i = 0; i < n; i++) {
            int from = row_of_label(d, rank, label[i]);
            const char *made = d->cell[rank][from - 1];
            bool coll = strchr(made, ':') && is_coll(strchr(made, ':') + 3);
            if (!coll && chance(m, 20))
                insert(d, rank, from + below(m, d->rows[rank] - from + 1), "cancel r%d", label[i]);
        }
    for (int pass = 0; pass < 2; pass++)
        if (chance(m, pass ? 40 : 60))
            add_wait(m, rank, below(m, d->rows[rank] + 1), label, n, false);
    if (!chance(m, 10)) {
        for (int i = 0; i < n; i += 4)
            add_wait(m, rank, d->rows[rank], label + i, n - i, true);
    }
}

static void add_probes(struct maker *m, int rank)
{
    struct draft *d = m->draft;
    for (int i = 0; i < d->rows[rank]; i++) {
        char *cell = d->cell[rank][i], *from = strstr(cell, " from ");
        char pattern[DRAFT_CELL / 2], into[8];
        if (!begins(cell, "recv") || !chance(m, 40) || sscanf(cell, "recv %7s", into) != 1)
            continue;
        snprintf(pattern, sizeof pattern, "%s", from);
        if (chance(m, 30) && strncmp(from, " from any", 9) != 0)
            continue;
        if (chance(m, 40)) {
            int label = m->names[rank]++;
            snprintf(cell, DRAFT_CELL, "r%d: mprobe%s source v%d", label, pattern, m->names[rank]++);
            int behind = chance(m, 50) ? 0 : below(m, d->rows[rank] - i);
            insert(d, rank, i + 1 + behind, "mrecv %s of r%d", into, label);
        } else if (feature(m, DRAFT_POLLS) && chance(m, 50)) {
            insert(d, rank, i++, "iprobe%s as v%d source v%d", pattern, m->names[rank], m->names[rank] + 1);
            m->names[rank] += 2;
        } else {
            insert(d, rank, i++, "probe%s source v%d", pattern, m->names[rank]++);
        }
    }
}

/* A variable that has been received into before this row; -1: none. */
static int known_variable(struct maker *m, int rank, int at)
{
    for (int tries = 0; tries < 4; tries++) {
        int i = below(m, at), v;
        const char *cell = m->draft->cell[rank][i], *into = strstr(cell, "recv v"), *as = strstr(cell, " as v");
        if (into && sscanf(into, "recv v%d", &v) == 1)
            return v;
        if (as && sscanf(as, " as v%d", &v) == 1)
            return v;
    }
    return -1;
}

/* What follows has two versions: the other one lacks a call, or sends to or hears from somebody else. */
static void add_branch(struct maker *m, int rank)
{
    struct draft *d = m->draft;
    int rows = d->rows[rank], at = rows > 2 ? 1 + below(m, rows - 1) : 0;
    int variable = at ? known_variable(m, rank, at) : -1;
    int candidates[DRAFT_ROWS], n = 0;
    for (int i = at; i < rows; i++)
        if (is_send(d->cell[rank][i]) || begins(d->cell[rank][i], "recv"))
            candidates[n++] = i;
    if (variable < 0 || !n)
        return;
    int i = candidates[below(m, n)];
    char cell[DRAFT_CELL];
    strcpy(cell, d->cell[rank][i]);
    char *whom = strstr(cell, is_send(cell) ? " to " : " from ") + (is_send(cell) ? 4 : 6);
    if (strncmp(whom, "any", 3) == 0) {
        memmove(whom + 1, whom + 3, strlen(whom + 3) + 1);
        *whom = (char)('0' + below(m, d->ranks));
    } else {
        *whom = (char)('0' + below(m, d->ranks));
    }
    insert(d, rank, i, "if v%d == %d", variable, 1 + below(m, 3));
    insert(d, rank, i + 2, "else");
    if (chance(m, 80))
        insert(d, rank, i + 3, "%s", cell);
    insert(d, rank, i + 3 + (strcmp(d->cell[rank][i + 3], cell) == 0), "end");
}

/* Messages carry what was received before. */
static void add_data(struct maker *m, int rank)
{
    struct draft *d = m->draft;
    for (int i = 1; i < d->rows[rank]; i++) {
        char cell[DRAFT_CELL], *space = strchr(d->cell[rank][i], ' ');
        int variable;
        if (!is_send(d->cell[rank][i]) || !chance(m, 50) || (variable = known_variable(m, rank, i)) < 0)
            continue;
        snprintf(cell, sizeof cell, "%.*s v%d + %s", (int)(space - d->cell[rank][i]), d->cell[rank][i], variable,
                 space + 1);
        strcpy(d->cell[rank][i], cell);
    }
}

/* ---- what is sent in parts, and ports ---- */

/* A row from this one on at which no block is open. */
static int row_outside(struct maker *m, int rank, int from)
{
    const struct draft *d = m->draft;
    int rows[DRAFT_ROWS + 1], n = 0, depth = 0;
    for (int i = 0; i <= d->rows[rank]; i++) {
        if (i >= from && depth == 0)
            rows[n++] = i;
        if (i < d->rows[rank])
            depth += begins(d->cell[rank][i], "if") - begins(d->cell[rank][i], "end");
    }
    return n ? rows[below(m, n)] : d->rows[rank];
}

static int insert_outside(struct maker *m, int rank, int from, const char *cell)
{
    int at = row_outside(m, rank, from);
    insert(m->draft, rank, at, "%s", cell);
    return at + 1;
}

/* The partitions of a send, in any order; now and then one is missing, or marked twice. */
static int mark_partitions(struct maker *m, int rank, int at, int label, int partitions)
{
    char cell[DRAFT_CELL];
    int first = below(m, partitions);
    if (partitions == 2 && chance(m, 30)) {
        snprintf(cell, sizeof cell, "%s of r%d", chance(m, 50) ? "pready_range 0, 1" : "pready_list 1, 0", label);
        return insert_outside(m, rank, at, cell);
    }
    for (int i = 0; i < partitions; i++) {
        if (chance(m, 6))
            continue;
        snprintf(cell, sizeof cell, "pready %d of r%d", chance(m, 3) ? 0 : (first + i) % partitions, label);
        at = insert_outside(m, rank, at, cell);
    }
    return at;
}

static int end_partitioned(struct maker *m, int rank, int at, int label)
{
    char cell[DRAFT_CELL];
    if (chance(m, 25)) {
        snprintf(cell, sizeof cell, "test r%d as v%d", label, m->names[rank]++);
        at = insert_outside(m, rank, at, cell);
    }
    if (chance(m, 90)) {
        snprintf(cell, sizeof cell, "%s r%d", chance(m, 50) ? "wait" : "waitall", label);
        at = insert_outside(m, rank, at, cell);
    }
    return at;
}

/* One message, started once or twice; `at` is where the next init may stand. */
static void add_partitioned_side(struct maker *m, int rank, int peer, int partitions, const char *tail, bool sends, int starts, int *at)
{
    char cell[DRAFT_CELL], list[32] = "";
    int label = m->names[rank]++;
    for (int i = 0; i < partitions; i++)
        if (sends)
            sprintf(list + strlen(list), "%s%d", i ? ", " : "", 1 + below(m, 3));
        else
            sprintf(list + strlen(list), "%sv%d", i ? ", " : "", m->names[rank]++);
    snprintf(cell, sizeof cell, "r%d: %s %s %s %d%s", label, sends ? "psend_init" : "precv_init", list, sends ? "to" : "from", peer, tail);
    int next = *at = insert_outside(m, rank, *at, cell);
    for (int s = 0; s < starts; s++) {
        snprintf(cell, sizeof cell, "start r%d", label);
        next = insert_outside(m, rank, next, cell);
        if (sends)
            next = mark_partitions(m, rank, next, label, partitions);
        for (int polls = sends ? 0 : below(m, 2); polls > 0; polls--) {
            snprintf(cell, sizeof cell, "parrived %d of r%d as v%d", below(m, partitions), label, m->names[rank]++);
            next = insert_outside(m, rank, next, cell);
        }
        next = end_partitioned(m, rank, next, label);
    }
}

static void add_partitioned(struct maker *m)
{
    struct draft *d = m->draft;
    int from = below(m, d->ranks), to = chance(m, 8) ? from : (from + 1 + below(m, d->ranks - 1)) % d->ranks;
    int at_from = 0, at_to = 0;
    for (int n = 1 + chance(m, 40); n > 0; n--) {
        int partitions = 1 + below(m, 2), starts = 1 + chance(m, 12);
        const char *tail = d->comms && chance(m, 20) ? " on c" : chance(m, 20) ? " tag 1" : "";
        add_partitioned_side(m, from, to, partitions, tail, true, starts, &at_from);
        if (!chance(m, 5))
            add_partitioned_side(m, to, from, chance(m, 4) ? 3 - partitions : partitions, tail, false, starts, &at_to);
    }
}

static void add_ports(struct maker *m)
{
    struct draft *d = m->draft;
    int owner = below(m, d->ranks);
    char cell[DRAFT_CELL];
    for (int n = 1 + below(m, 2); n > 0; n--) {
        int from = (owner + 1 + below(m, d->ranks - 1)) % d->ranks, port = chance(m, 20);
        snprintf(cell, sizeof cell, "comm_connect to %d%s", owner, port ? " port 1" : "");
        insert_outside(m, from, 0, cell);
        snprintf(cell, sizeof cell, "comm_accept%s source v%d", port ? " port 1" : "", m->names[owner]++);
        if (!chance(m, 8))
            insert_outside(m, owner, 0, cell);
    }
}

/* With numbers of their own, so that seeds make the same as ever without them. */
static void add_newer(struct maker *m, uint64_t seed, int features)
{
    m->random = seed * 0xd1342543de82ef95 + 1;
    for (int i = 0; i < 8; i++)
        below(m, 2);
    if (features & DRAFT_PARTS && (!(features & DRAFT_PORTS) || chance(m, 70)))
        add_partitioned(m);
    if (features & DRAFT_PORTS && (!(features & DRAFT_PARTS) || chance(m, 50)))
        add_ports(m);
}

void draft_make(struct draft *d, uint64_t seed, int features)
{
    struct maker m = {.draft = d, .random = seed * 0x9e3779b97f4a7c15 + 1};
    static const char *const buffering[] = {"any", "any", "any", "zero", "infinite"};
    memset(d, 0, sizeof *d);
    for (int i = 0; i < 8; i++)
        below(&m, 2);
    for (int bit = 1; bit < DRAFT_ALL; bit <<= 1)
        if (features & bit && chance(&m, 60))
            m.features |= bit;
    d->ranks = 2 + below(&m, 3);
    d->comms = feature(&m, DRAFT_COMMS);
    d->buffering = buffering[below(&m, 5)];
    make_messages(&m);
    if (feature(&m, DRAFT_COLLECTIVES))
        add_collectives(&m);
    for (int r = 0; r < d->ranks; r++) {
        if (feature(&m, DRAFT_DATA))
            add_data(&m, r);
        if (feature(&m, DRAFT_BRANCHES) && chance(&m, 50))
            add_branch(&m, r);
        if (feature(&m, DRAFT_SENDRECV))
            add_sendrecvs(&m, r);
        if (feature(&m, DRAFT_PROBES))
            add_probes(&m, r);
        if (feature(&m, DRAFT_REQUESTS))
            add_requests(&m, r);
    }
    if (features & (DRAFT_PARTS | DRAFT_PORTS))
        add_newer(&m, seed, features);
}

void draft_label(struct draft *d)
{
    for (int r = 0; r < d->ranks; r++)
        for (int i = 0; i < d->rows[r]; i++) {
            char cell[2 * DRAFT_CELL], *old = d->cell[r][i];
            if (strchr(old, ':') || strchr(old, '=') || begins(old, "else") || begins(old, "end"))
                continue;
            snprintf(cell, sizeof cell, "l%d: %s", i, old);
            if (strlen(cell) < DRAFT_CELL)
                strcpy(old, cell);
        }
}

/* ---- as text ---- */

void draft_print(const struct draft *d, FILE *out)
{
    size_t width[DRAFT_RANKS] = {0};
    int rows = 0;
    if (d->comms) {
        fputs("comm c =", out);
        for (int r = d->ranks; r-- > 0;)
            fprintf(out, " %d", r);
        fputc('\n', out);
    }
    fprintf(out, "buffering %s\n\n", d->buffering);
    for (int r = 0; r < d->ranks; r++) {
        rows = d->rows[r] > rows ? d->rows[r] : rows;
        width[r] = 2;
        for (int i = 0; i < d->rows[r]; i++)
            width[r] = strlen(d->cell[r][i]) > width[r] ? strlen(d->cell[r][i]) : width[r];
    }
    for (int i = -1; i < rows; i++)
        for (int r = 0; r < d->ranks; r++) {
            char head[16];
            snprintf(head, sizeof head, "P%d", r);
            fprintf(out, "%-*s%s", r + 1 < d->ranks ? (int)width[r] : 0,
                    i < 0              ? head
                    : i < d->rows[r]   ? d->cell[r][i]
                                       : "",
                    r + 1 < d->ranks ? " | " : "\n");
        }
}

char *draft_text(const struct draft *d)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    draft_print(d, out);
    fclose(out);
    return text;
}

static char *trimmed(char *text)
{
    char *end = text + strlen(text);
    while (*text == ' ')
        text++;
    while (end > text && end[-1] == ' ')
        *--end = '\0';
    return text;
}

static bool read_row(struct draft *d, char *line)
{
    int rank = 0;
    for (char *cell; (cell = strsep(&line, "|")); rank++) {
        cell = trimmed(cell);
        if (rank == DRAFT_RANKS || strlen(cell) >= DRAFT_CELL || d->rows[rank] == DRAFT_ROWS)
            return false;
        if (*cell)
            strcpy(d->cell[rank][d->rows[rank]++], cell);
    }
    return rank == d->ranks;
}

bool draft_read(struct draft *d, char *text)
{
    static const char *const buffering[] = {"any", "zero", "infinite"};
    bool columns = false;
    memset(d, 0, sizeof *d);
    d->buffering = "any";
    for (char *line; (line = strsep(&text, "\n"));) {
        if (columns && *line && !read_row(d, line))
            return false;
        if (strncmp(line, "comm c =", 8) == 0)
            d->comms = true;
        for (size_t i = 0; i < 3; i++)
            if (strncmp(line, "buffering ", 10) == 0 && strcmp(line + 10, buffering[i]) == 0)
                d->buffering = buffering[i];
        if (!columns && strncmp(line, "P0", 2) == 0) {
            columns = true;
            d->ranks = 1;
            for (char *bar = line; (bar = strchr(bar, '|')); bar++)
                d->ranks++;
        }
    }
    return columns && d->ranks <= DRAFT_RANKS;
}

/* ---- smaller ---- */

/* Takes a label out of a list; the cell goes if nothing is left of it. */
static void drop_label(struct draft *d, int rank, const char *label)
{
    char word[16];
    snprintf(word, sizeof word, " %s", label);
    for (int i = 0; i < d->rows[rank]; i++) {
        char *at = strstr(d->cell[rank][i], word), *end = at ? at + strlen(word) : NULL;
        if (!at || (*end != ' ' && *end != '\0'))
            continue;
        memmove(at, end, strlen(end) + 1);
        if (!strstr(d->cell[rank][i], " r"))
            delete(d, rank, i--);
    }
}

static void drop_cell(struct draft *d, int rank, int at)
{
    char label[16] = "", *colon = strchr(d->cell[rank][at], ':');
    if (colon)
        snprintf(label, sizeof label, "%.*s", (int)(colon - d->cell[rank][at]), d->cell[rank][at]);
    delete(d, rank, at);
    if (*label)
        drop_label(d, rank, label);
}

/* An `if` with its `else` and `end`, and the one branch or the other; blocks are not nested. */
static void drop_branch(struct draft *d, int rank, int at, bool first)
{
    int otherwise = at, end;
    while (!begins(d->cell[rank][otherwise], "else"))
        otherwise++;
    end = otherwise;
    while (!begins(d->cell[rank][end], "end"))
        end++;
    delete(d, rank, end);
    for (int i = end - 1; i > otherwise && !first; i--)
        drop_cell(d, rank, i);
    delete(d, rank, otherwise);
    for (int i = otherwise - 1; i > at && first; i--)
        drop_cell(d, rank, i);
    delete(d, rank, at);
}

static bool replace(char *cell, const char *old, const char *new)
{
    char whole[2 * DRAFT_CELL], *at = strstr(cell, old);
    if (!at)
        return false;
    snprintf(whole, sizeof whole, "%.*s%s%s", (int)(at - cell), cell, new, at + strlen(old));
    if (strlen(whole) >= DRAFT_CELL)
        return false;
    strcpy(cell, whole);
    return true;
}

static bool is_smaller(struct draft *d, const struct draft *smaller, draft_fails *fails, void *data)
{
    if (!fails(data, smaller))
        return false;
    *d = *smaller;
    return true;
}

static bool shrink_cell(struct draft *d, int rank, int at, draft_fails *fails, void *data)
{
    static const char *const simpler[][2] = {{": i", ": "}, {" tag any", ""}, {" tag 1", ""}, {" on c", ""},
                                             {"bsend", "send"}, {"ssend", "send"}, {"any as", "all as"}, {"some as", "all as"}};
    struct draft q = *d;
    char label[16] = "";
    if (begins(q.cell[rank][at], "if")) {
        drop_branch(&q, rank, at, true);
        if (is_smaller(d, &q, fails, data))
            return true;
        q = *d;
        drop_branch(&q, rank, at, false);
        return is_smaller(d, &q, fails, data);
    }
    if (begins(q.cell[rank][at], "else") || begins(q.cell[rank][at], "end"))
        return false;
    drop_cell(&q, rank, at);
    if (is_smaller(d, &q, fails, data))
        return true;
    for (size_t i = 0; i < sizeof simpler / sizeof *simpler; i++) {
        q = *d;
        if (i == 0 && sscanf(q.cell[rank][at], "%15[^:]:", label) == 1)
            drop_label(&q, rank, label);
        if (at < q.rows[rank] && replace(q.cell[rank][at], simpler[i][0], simpler[i][1]) && is_smaller(d, &q, fails, data))
            return true;
    }
    return false;
}

static bool shrink_once(struct draft *d, draft_fails *fails, void *data)
{
    struct draft q = *d;
    for (int r = 0; r < d->ranks; r++)
        for (int i = 0; i < d->rows[r]; i++)
            if (shrink_cell(d, r, i, fails, data))
                return true;
    q.ranks--;
    if (q.ranks > 1 && q.rows[q.ranks] == 0 && is_smaller(d, &q, fails, data))
        return true;
    q = *d;
    q.comms = false;
    return d->comms && is_smaller(d, &q, fails, data);
}

void draft_shrink(struct draft *d, draft_fails *fails, void *data)
{
    while (shrink_once(d, fails, data))
        ;
}
