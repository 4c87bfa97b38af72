#include "oracle/question.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "call/calls.h"

_Static_assert((int)ARGUMENT_ENCODING_OURS == (int)ENCODING_OURS &&
                   (int)ARGUMENT_ENCODING_PLAIN == (int)ENCODING_PLAIN &&
                   (int)ARGUMENT_ENCODING_MULTI == (int)ENCODING_MULTI,
               "--encoding is an enum encoding");

static FILE *create(const char *path)
{
    FILE *file = path ? fopen(path, "we") : NULL;
    if (path && !file)
        die("cannot write %s: %s", path, strerror(errno));
    return file;
}

static void finish_output(FILE *file, const char *path)
{
    if (file && (ferror(file) | fclose(file)) != 0)
        die("%s is not complete: %s", path, strerror(errno));
}

void question_prepare(const struct run_options *run)
{
    finish_output(create(run->arguments.dimacs), run->arguments.dimacs);
    finish_output(create(run->arguments.proof), run->arguments.proof);
}

/* ---- two operations ---- */

/* "3.17", as in the dump, up to `end`. */
static struct op_name parse_op_name(const char *text, char end, const char **rest)
{
    char *behind;
    struct op_name name = {.rank = (rank_t)strtol(text, &behind, 10)};
    bool wrong = behind == text || *behind != '.';
    text = behind + !wrong;
    name.op = (uint32_t)strtoul(text, &behind, 10);
    if (wrong || behind == text || *behind != end)
        die("--can takes two operations as in tourney dump, RANK.NUMBER,RANK.NUMBER");
    *rest = behind + 1;
    return name;
}

static void check_is_there(const struct execution *e, struct op_name name)
{
    if (name.rank < 0 || name.rank >= e->ranks || name.op >= e->rank[name.rank].op.n)
        die("the record has no operation %d.%u", name.rank, name.op);
}

static uint32_t find_send(const struct program *p, struct op_name name)
{
    for (uint32_t i = 0; i < p->send.n; i++)
        if (p->send.at[i].rank == name.rank && p->send.at[i].op == name.op)
            return i;
    return UINT32_MAX;
}

static uint32_t find_slot(const struct program *p, struct op_name name)
{
    for (uint32_t i = 0; i < p->slot.n; i++)
        if (p->slot.at[i].rank == name.rank && p->recv.at[p->slot.at[i].first] == name.op)
            return i;
    return UINT32_MAX;
}

static struct match_query find_match_query(const struct program *p, const char *text)
{
    struct op_name a = parse_op_name(text, ',', &text), b = parse_op_name(text, '\0', &text);
    check_is_there(p->execution, a);
    check_is_there(p->execution, b);
    struct match_query query = {find_send(p, a), find_slot(p, b)};
    if (query.send == UINT32_MAX && query.slot == UINT32_MAX)
        query = (struct match_query){find_send(p, b), find_slot(p, a)};
    if (query.send == UINT32_MAX || query.slot == UINT32_MAX)
        die("--can takes a send and a receive; %d.%u is %s, and %d.%u is %s", a.rank, a.op,
            call_name(p->execution->rank[a.rank].op.at[a.op].op->call), b.rank, b.op,
            call_name(p->execution->rank[b.rank].op.at[b.op].op->call));
    return query;
}

struct prediction question_ask(const struct run_options *run, const struct execution *execution,
                               struct program *program, int64_t conflicts)
{
    const struct arguments *arguments = &run->arguments;
    struct prediction_options options = {.encoding = (enum encoding)arguments->encoding,
                                         .buffering = {run->any_slack, run->world.slack},
                                         .conflicts = conflicts,
                                         .minimal = true,
                                         .dimacs = create(arguments->dimacs),
                                         .proof = create(arguments->proof)};
    program_init(program, execution, arguments->encoding != ARGUMENT_ENCODING_PLAIN && !arguments->can);
    struct match_query query = {0};
    if (arguments->can)
        query = find_match_query(program, arguments->can);
    options.match = arguments->can ? &query : NULL;
    struct prediction got = predict(program, &options);
    finish_output(options.dimacs, arguments->dimacs);
    finish_output(options.proof, arguments->proof);
    return got;
}

void question_tell_size(const struct program *p, const struct prediction *got)
{
    printf("%zu sends, %zu receives, %llu pairs; %lld variables, %lld clauses, %llu circles; encoded in %.3f s, solved "
           "in %.3f s\n",
           p->send.n, p->recv.n, (unsigned long long)got->pairs, (long long)got->count.variables,
           (long long)got->count.clauses, (unsigned long long)got->circles, (double)got->encoding / 1e6,
           (double)got->solving / 1e6);
}
