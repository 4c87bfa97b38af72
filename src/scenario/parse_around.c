/*
 * What stands around the columns: communicators and buffering before them, and behind
 * them assertions and what is expected of these.
 */
#include "scenario/line.h"
#include "scenario/parser.h"
#include "sem/sem.h"

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
            rank_t rank = parse_rank(p);
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

static void parse_window(struct parser *p)
{
    int32_t numbers = p->lex.number;
    if (p->lex.kind != TOKEN_NUMBER || numbers < 1 || numbers > SCENARIO_NUMBERS)
        lex_wrong(&p->lex, "a window has 1 to %d numbers at each rank", SCENARIO_NUMBERS);
    else if (p->scenario->numbers)
        lex_wrong(&p->lex, "there is a window already");
    p->scenario->numbers = (uint32_t)numbers;
    lex_next(&p->lex);
    if (p->lex.kind != TOKEN_END)
        lex_wrong(&p->lex, "nothing can follow here");
}

void parse_head_line(struct parser *p)
{
    if (p->lex.kind == TOKEN_END)
        return;
    p->rank = 0;
    if (lex_takes(&p->lex, "comm")) {
        parse_new_comm(p);
    } else if (lex_takes(&p->lex, "buffering")) {
        parse_buffering(p);
    } else if (lex_takes(&p->lex, "window")) {
        parse_window(p);
    } else {
        lex_wrong(&p->lex, "before the columns stand: title, comm, window and buffering");
    }
}

void parse_claim(struct parser *p)
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

void parse_expectation(struct parser *p)
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
