#include "diagnosis/diagnosis.h"

#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "call/alternative_text.h"
#include "call/calls.h"
#include "call/complaint.h"
#include "call/dynamic.h"
#include "diagnosis/blame.h"
#include "diagnosis/crossing.h"
#include "diagnosis/cycle.h"
#include "diagnosis/difference.h"
#include "diagnosis/evidence.h"
#include "diagnosis/near_misses.h"
#include "diagnosis/stuck_ranks.h"
#include "diagnosis/waiting_threads.h"
#include "result/kinds.h"
#include "symbols/site.h"
#include "symbols/stack.h"
#include "words/decision_words.h"
#include "words/describe.h"
#include "words/text.h"
#include "words/window_words.h"

/* A finding in the making. */
struct finding_maker {
    struct run_view *view;
    struct symbols *symbols;
    struct final_state final;
    struct outcome outcome;
    struct finding *finding;
};

static pid_t process_of_rank(const struct finding_maker *maker, rank_t r)
{
    return maker->final.process(maker->final.data, r);
}

/* ---- what kind it is ---- */

static const char *kind_of_exit(const struct fault *fault)
{
    return fault->finalized ? KIND_EXIT_CODE : KIND_NO_FINALIZE;
}

static const char *kind_of_mismatch(enum coll_fault fault)
{
    static const char *const kinds[] = {
        [COLL_AGREES] = KIND_COLLECTIVE_ORDER, [COLL_ORDER] = KIND_COLLECTIVE_ORDER,
        [COLL_ROOT] = KIND_COLLECTIVE_ROOT,    [COLL_OPERATOR] = KIND_COLLECTIVE_OPERATOR,
        [COLL_COUNT] = KIND_COLLECTIVE_COUNT,  [COLL_TYPE] = KIND_COLLECTIVE_TYPE};
    return kinds[fault];
}

static const char *kind_of_deadlock(const struct finding_maker *maker)
{
    rank_t ranks[2];
    if (maker->outcome.tight)
        return maker->outcome.mixed ? KIND_MIXED_SYNCHRONISATION : KIND_BUFFERING_DEADLOCK;
    if (maker->outcome.kind != RUN_DEADLOCK)
        return KIND_LIVELOCK;
    return crossing_find(&maker->final, ranks) ? KIND_COLLECTIVE_COMM : KIND_DEADLOCK;
}

static const char *kind_of_finding(const struct finding_maker *maker, const struct fault *fault)
{
    const struct outcome *outcome = &maker->outcome;
    switch (maker->view->run->end) {
    case RUN_CLEAN:
        return kind_of_exit(fault);
    case RUN_DEADLOCK:
    case RUN_LIVELOCK:
        return kind_of_deadlock(maker);
    case RUN_ABORT:
        return KIND_ABORT;
    case RUN_ERROR:
        return complaint_name(outcome->op.cause);
    case RUN_REFUSED:
        return KIND_UNSUPPORTED_CALL;
    case RUN_CRASH:
        return stack_asserts(maker->symbols, process_of_rank(maker, outcome->rank), outcome->stack.n, outcome->stack.at)
                   ? KIND_ASSERTION
                   : KIND_CRASH;
    case RUN_HUNG:
        return KIND_HANG;
    case RUN_DIVERGED:
        return KIND_DIVERGENCE;
    case RUN_MISMATCH:
        return kind_of_mismatch(outcome->fault);
    case RUN_UNKNOWN:
    case RUN_STOPPED:
        break;
    }
    BUG("a run ends with %d", maker->view->run->end);
}

/* ---- who and where ---- */

static void add_finding_place(struct finding_maker *maker, rank_t r, const struct op *op)
{
    vec_push(&maker->finding->places,
             site_of_op(&maker->final, maker->symbols, r, op, run_view_last_number(maker->view, r)));
}

/* Templates of the language's library are compiled into the program, but nobody wrote them there. */
static bool is_of_system(const struct site *site)
{
    return site->file && (strncmp(site->file, "/usr/include/", 13) == 0 || strncmp(site->file, "/usr/lib/gcc/", 13) == 0);
}

/* The innermost frame of the program itself, if possible in a file of its own. */
static void add_crash_frame(void *data, const struct trace_place *place, const char *call)
{
    struct finding_maker *maker = data;
    struct finding *finding = maker->finding;
    if (call || (finding->places.n && !is_of_system(&finding->places.at[0])))
        return;
    struct site site = site_of_place(maker->outcome.rank, place);
    if (!finding->places.n) {
        vec_push(&finding->places, site);
    } else if (site.file && !is_of_system(&site)) {
        site_release(&finding->places.at[0]);
        finding->places.at[0] = site;
    } else {
        site_release(&site);
    }
}

static void add_mismatched_rank(struct finding_maker *maker, rank_t r, const struct op *op)
{
    vec_push(&maker->finding->ranks, r);
    vec_push(&maker->finding->places,
             site_of_op(&maker->final, maker->symbols, r, op, run_view_number(maker->view, r, op)));
}

/* What a thread that is in a call has posted there. */
struct call_of_thread {
    const struct final_state *final;
    const struct op_thread *thread;
    const struct op *found;
};

static void look_for_call_of_thread(void *data, const struct sem_need *need)
{
    struct call_of_thread *wanted = data;
    const struct op *op = need->op == OP_ID_NONE ? NULL : wanted->final->op(wanted->final->data, need->op);
    if (op && op->thread == wanted->thread->thread && op->place == wanted->thread->place)
        wanted->found = op;
}

static const struct op *call_of_thread(const struct finding_maker *maker, rank_t r, const struct op_thread *thread)
{
    struct call_of_thread wanted = {&maker->final, thread, NULL};
    if (thread->wait == THREAD_IN_CALL)
        final_needs(&maker->final, r, look_for_call_of_thread, &wanted);
    return wanted.found;
}

static void add_place_of_thread(struct finding_maker *maker, rank_t r, const struct op_thread *thread)
{
    const struct op *call = call_of_thread(maker, r, thread);
    if (call) {
        vec_push(&maker->finding->places, site_of_op(&maker->final, maker->symbols, r, call, run_view_number(maker->view, r, call)));
        return;
    }
    struct trace_place place = {.rank = r, .address = thread->place};
    struct text text;
    site_find(&maker->final, maker->symbols, r, thread->place, &place);
    struct site site = site_of_place(r, &place);
    site.thread = (uint8_t)thread->thread;
    if (thread->wait == THREAD_IN_CALL)
        site.call = xstrdup(call_name(thread->call));
    text_open(&text);
    waiting_thread_put(text.out, &maker->final, r, thread);
    site.text = text_close(&text);
    vec_push(&maker->finding->places, site);
}

/* Those in calls first, then those at locks; who only waits for others to end, or to wake it, is told if there is nobody else. */
static void add_places_of_threads(struct finding_maker *maker, rank_t r, const struct op *op)
{
    static const enum thread_wait order[] = {THREAD_IN_CALL, THREAD_ON_MUTEX, THREAD_ON_ANOTHER, THREAD_ON_END};
    uint32_t n, told = 0;
    const struct op_thread *thread = op_threads(op, &n);
    for (size_t k = 0; k < sizeof order / sizeof *order && (!told || k < 2); k++)
        for (uint32_t i = 0; i < n; i++)
            if (thread[i].wait == order[k]) {
                add_place_of_thread(maker, r, &thread[i]);
                told++;
            }
}

static void add_finding_rank(struct finding_maker *maker, rank_t r)
{
    const struct op *op = run_view_last_op(maker->view, r);
    uint32_t threads = 0;
    vec_push(&maker->finding->ranks, r);
    if (op)
        op_threads(op, &threads);
    if (threads)
        add_places_of_threads(maker, r, op);
    else if (op && op->kind == OP_CRASH)
        stack_tell(maker->symbols, process_of_rank(maker, r), maker->outcome.stack.n, maker->outcome.stack.at,
                   add_crash_frame, maker);
    else if (op && op->place)
        add_finding_place(maker, r, op);
}

static void add_finding_ranks(struct finding_maker *maker, const struct fault *fault)
{
    const struct run *run = maker->view->run;
    bool in_order = run->rank < run->other;
    if (run->end == RUN_MISMATCH) {
        add_mismatched_rank(maker, in_order ? run->rank : run->other, in_order ? run->op : run->other_op);
        add_mismatched_rank(maker, in_order ? run->other : run->rank, in_order ? run->other_op : run->op);
        return;
    }
    rank_t whose = run->end == RUN_DIVERGED ? maker->outcome.code : run->rank;
    for (rank_t r = 0; r < maker->view->ranks; r++) {
        if (fault->exits && fault_exits_so(fault, maker->view, r))
            vec_push(&maker->finding->ranks, r);
        else if (!fault->exits && (whose < 0 ? run->call[r] != NULL : r == whose || r == run->other))
            add_finding_rank(maker, r);
    }
}

/* ---- the wait-for graph and what follows from it ---- */

static void add_lack(void *data, const struct sem_need *need)
{
    struct wait *wait = data;
    struct lack lack = {.all = need->all};
    for (int i = 0; i < need->n; i++)
        vec_push(&lack.ranks, need->ranks[i]);
    vec_push(&wait->lacks, lack);
}

static void add_near_miss(void *data, const struct near_miss *miss)
{
    struct finding *finding = data;
    vec_push(&finding->near_misses, (struct near_miss){.rank = miss->rank,
                                                       .other = miss->other,
                                                       .end = xstrdup(miss->end),
                                                       .difference = xstrdup(miss->difference),
                                                       .text = xstrdup(miss->text)});
}

static void add_circle(void *data, const rank_t *rank, int n)
{
    struct finding *finding = data;
    struct circle circle = {0};
    for (int i = 0; i < n; i++)
        vec_push(&circle.ranks, rank[i]);
    vec_push(&finding->cycles, circle);
}

static void add_thread_circle(void *data, const struct waiting_thread_link *link, int n)
{
    struct finding *finding = data;
    for (int i = 0; i < n; i++)
        vec_push(&finding->thread_cycle, ((struct rank_thread){link[i].rank, link[i].thread ? link[i].thread->thread : -1}));
}

static void add_waiting_threads(struct finding_maker *maker, struct wait *wait)
{
    uint32_t n;
    const struct op_thread *thread = op_threads(final_call(&maker->final, wait->rank), &n);
    for (uint32_t i = 0; i < n; i++) {
        struct trace_place place = {.rank = wait->rank, .address = thread[i].place};
        site_find(&maker->final, maker->symbols, wait->rank, thread[i].place, &place);
        vec_push(&wait->threads, ((struct waiting_thread){.thread = (uint8_t)thread[i].thread,
                                                          .wait = (int)thread[i].wait,
                                                          .call = thread[i].wait == THREAD_IN_CALL ? xstrdup(call_name(thread[i].call)) : NULL,
                                                          .lock = waiting_thread_lock(&maker->final, wait->rank, &thread[i]),
                                                          .other = thread[i].other,
                                                          .place = named_place_of(&place)}));
    }
}

static void add_waits(struct finding_maker *maker)
{
    struct finding *finding = maker->finding;
    for (rank_t r = 0; r < maker->view->ranks; r++) {
        struct wait wait = {.rank = r};
        if (final_waits(&maker->final, r)) {
            wait.all = final_needs(&maker->final, r, add_lack, &wait) == AWAIT_ALL;
            add_waiting_threads(maker, &wait);
            vec_push(&finding->waits, wait);
        }
        if (final_call(&maker->final, r))
            near_misses_tell(&maker->final, r, add_near_miss, finding);
    }
    cycle_tell(&maker->final, add_circle, finding);
    if (waiting_threads_are_told(&maker->final))
        waiting_threads_tell_circle(&maker->final, add_thread_circle, finding);
    struct blame blame = blame_find(&maker->final);
    for (size_t i = 0; i < blame.culprits.n; i++)
        vec_push(&finding->culprits, blame.culprits.at[i]);
    finding->blame = blame.why ? xstrdup(blame.why) : NULL;
    blame_release(&blame);
}

/* ---- the decisions of the run ---- */

static struct site site_of_name(struct finding_maker *maker, rank_t r, uint32_t number)
{
    const struct trail *trail = &run_view_account(maker->view)->trail[r];
    return site_of_op(&maker->final, maker->symbols, r, run_view_nth_op(maker->view, trail, number), number);
}

/* How many polls right before this one were told no, and nothing was to be decided about them: the rank went round. */
static uint32_t noes_before(struct finding_maker *maker, const struct decision *d)
{
    const struct account *account = run_view_account(maker->view);
    const struct trail *trail = &account->trail[d->rank];
    int64_t decided = -1, number = d->op;
    for (const struct decision *other = d; decided < 0 && other > account->decision;) { /* polls of a rank are decided one after the other */
        other--;
        if (other->rank == d->rank && other->op < d->op && op_is_poll(run_view_nth_op(maker->view, trail, other->op)))
            decided = other->op;
    }
    while (number > decided && op_is_poll(run_view_nth_op(maker->view, trail, (uint32_t)number)))
        number--;
    return number < (int64_t)d->op ? (uint32_t)(d->op - number - 1) : 0;
}

static void tell_noes(struct finding_maker *maker, FILE *out, const struct decision *d)
{
    enum { WORTH_TELLING = 16 };
    uint32_t noes = noes_before(maker, d) + (d->noes ? d->noes - 1 : 0);
    if (noes >= WORTH_TELLING && d->kind == DECIDED_NO)
        fprintf(out, " %u times in a row", noes + 1);
    else if (noes >= WORTH_TELLING)
        fprintf(out, " after nothing had come %u times", noes);
}

/* Of the keeper of a window, or of names: it is told as what happened to the operation that it took. */
static struct kept_decision kept_window_decision(struct finding_maker *maker, const struct decision *d)
{
    const struct trail *trail = &run_view_account(maker->view)->trail[d->source];
    struct kept_decision kept = {.decision = *d, .site = site_of_name(maker, d->source, d->message)};
    struct text text;
    text_open(&text);
    window_words_put(text.out, maker->view->ranks, d->rank, run_view_nth_op(maker->view, trail, d->message));
    kept.text = text_close(&text);
    return kept;
}

static struct kept_decision kept_decision_of(struct finding_maker *maker, const struct decision *d)
{
    if (d->rank >= maker->view->ranks)
        return kept_window_decision(maker, d);
    const struct trail *trail = &run_view_account(maker->view)->trail[d->rank];
    if (op_awaits_birth(run_view_nth_op(maker->view, trail, d->op))) /* the registry */
        return kept_window_decision(maker, d);
    struct kept_decision kept = {.decision = *d, .site = site_of_name(maker, d->rank, d->op)};
    struct text text;
    text_open(&text);
    const struct op *op = run_view_nth_op(maker->view, trail, d->op);
    decision_words_put(text.out, op, d);
    tell_noes(maker, text.out, d);
    kept.text = text_close(&text);
    kept.usual = (d->kind == DECIDED_CHOICE && d->set == 1 && alternatives_are_failure(op)) ||
                 (op->flags & OPF_EITHER && op_completes(op)); /* any would do */
    return kept;
}

static int by_rank_and_op(const void *a, const void *b)
{
    const struct site *x = a, *y = b;
    return x->rank != y->rank ? x->rank - y->rank : (x->op > y->op) - (x->op < y->op);
}

static void add_account(struct finding_maker *maker)
{
    const struct account *account = run_view_account(maker->view);
    struct finding *finding = maker->finding;
    for (size_t i = 0; i < account->decisions; i++)
        vec_push(&finding->decisions, kept_decision_of(maker, &account->decision[i]));
    for (size_t i = 0; i < account->places; i++)
        vec_push(&finding->cancellable, account->place[i]);
    for (size_t i = 0; i < account->buffered; i++)
        vec_push(&finding->buffered, site_of_name(maker, account->buffered_op[i].rank, account->buffered_op[i].op));
    for (size_t i = 0; i < account->unbuffered; i++)
        vec_push(&finding->unbuffered,
                 site_of_name(maker, account->unbuffered_op[i].rank, account->unbuffered_op[i].op));
    if (finding->buffered.n)
        qsort(finding->buffered.at, finding->buffered.n, sizeof(struct site), by_rank_and_op);
    if (finding->unbuffered.n)
        qsort(finding->unbuffered.at, finding->unbuffered.n, sizeof(struct site), by_rank_and_op);
}

/* ---- in words ---- */

enum { SHOWN = 12 };

static void put_site_line(FILE *out, const struct site *site)
{
    fprintf(out, "  rank %-4d %s  at %s\n", site->rank, site->text, site->place);
}

static void put_site_lines(FILE *out, const char *head, const struct site *site, size_t n)
{
    if (n)
        fprintf(out, "  %s\n", head);
    for (size_t i = 0; i < n && i < SHOWN; i++)
        put_site_line(out, &site[i]);
    if (n > SHOWN)
        fprintf(out, "  and %zu more\n", n - SHOWN);
}

/* That calls which could fail did not is what one expects. */
static void put_decisions(FILE *out, const struct finding *finding)
{
    size_t n = 0;
    for (size_t i = 0; i < finding->decisions.n; i++) {
        const struct kept_decision *choice = &finding->decisions.at[i];
        if (choice->usual || n++ >= SHOWN)
            continue;
        fputs(n == 1 ? "  in the run in which\n" : "", out);
        put_site_line(out, &choice->site);
        fprintf(out, "            %s\n", choice->text);
    }
    if (n > SHOWN)
        fprintf(out, "  and %zu decisions more\n", n - SHOWN);
}

static void put_exits(FILE *out, const struct finding *finding, const struct fault *fault)
{
    fputs("tourney: ", out);
    describe_ranks(out, finding->ranks.at, (int)finding->ranks.n, " and ");
    fprintf(out, " ended %s exit code %d\n", fault->finalized ? "with" : "without MPI_Finalize,", fault->code);
}

static void put_divergence(struct finding_maker *maker, FILE *out)
{
    rank_t whose = difference_rank(maker->view);
    fprintf(out, "tourney: rank %d is not deterministic: run again with the same messages, it makes other calls; the program cannot be verified\n",
            whose == RANK_NONE ? maker->outcome.code : whose);
    difference_tell(out, maker->view, maker->symbols);
}

static void put_finding_text(struct finding_maker *maker, const struct fault *fault, FILE *out)
{
    struct finding *finding = maker->finding;
    if (fault->exits)
        put_exits(out, finding, fault);
    else if (maker->view->run->end == RUN_DIVERGED)
        put_divergence(maker, out);
    else
        evidence_put(out, &maker->final, &maker->outcome, maker->symbols);
    put_site_lines(out, "if MPI lets these calls wait for the others, which the standard allows",
                   finding->unbuffered.at, finding->unbuffered.n);
    if (maker->outcome.mixed)
        fputs("  though the collective among these has let other members go: MPI allows that, but if it waits in all its\n"
              "  members, or in none, this does not come about\n",
              out);
    put_site_lines(out,
                   finding->unbuffered.n ? "and lets these calls return at once"
                                         : "if MPI lets these calls return at once, which the standard allows",
                   finding->buffered.at, finding->buffered.n);
    put_decisions(out, finding);
}

/* The first line of the text, without the name of its kind, which is told beside it. */
static void put_first_line(const struct finding *finding, FILE *out)
{
    static const char prefix[] = "tourney: ";
    const char *line = finding->text + strlen(prefix), *kind = strstr(line, "  [");
    size_t length = strcspn(line, "\n");
    if (kind && kind < line + length)
        length = (size_t)(kind - line);
    for (size_t i = 0; i < length; i++)
        if (line[i] != ' ' || line[i + 1] != ' ')
            fputc(line[i], out);
}

/* One sentence. */
static char *message_of_finding(const struct finding *finding, const struct outcome *outcome)
{
    struct text text;
    text_open(&text);
    if (outcome && outcome->kind == RUN_DEADLOCK) {
        fprintf(text.out, "deadlock%s: ", evidence_condition(outcome));
        stuck_ranks_tell(text.out, finding);
    } else {
        put_first_line(finding, text.out);
    }
    return text_close(&text);
}

struct finding diagnosis_make(struct run_view *view, struct symbols *symbols, const struct fault *fault)
{
    struct finding finding = {.run = view->run->number, .runs = 1, .critical = -1};
    struct finding_maker maker = {.view = view,
                                  .symbols = symbols,
                                  .final = run_view_final_state(view),
                                  .outcome = run_view_outcome(view),
                                  .finding = &finding};
    finding.kind = xstrdup(kind_of_finding(&maker, fault));
    finding.severity = xstrdup(kind_severity(finding.kind));
    add_finding_ranks(&maker, fault);
    if (view->run->end == RUN_DEADLOCK || view->run->end == RUN_LIVELOCK)
        add_waits(&maker);
    add_account(&maker);
    struct text text;
    text_open(&text);
    put_finding_text(&maker, fault, text.out);
    finding.text = text_close(&text);
    finding.message = message_of_finding(&finding, &maker.outcome);
    outcome_release(&maker.outcome);
    return finding;
}

void diagnosis_add_line(struct finding *finding, const char *line)
{
    char *text = xformat("%s  %s\n", finding->text, line);
    free(finding->text);
    finding->text = text;
}

static void replace_string(char **old, const char *new)
{
    free(*old);
    *old = xstrdup(new);
}

void diagnosis_turn_to_divergence(struct run_view *view, struct symbols *symbols, struct finding *finding)
{
    rank_t rank = difference_rank(view);
    struct text text;
    text_open(&text);
    fprintf(text.out, "tourney: %s, but not from a fresh start: started anew and given the same answers, "
                      "rank %d does something else\n", finding->message, rank);
    difference_tell(text.out, view, symbols);
    put_decisions(text.out, finding);
    free(finding->text);
    finding->text = text_close(&text);
    replace_string(&finding->kind, KIND_DIVERGENCE);
    replace_string(&finding->severity, kind_severity(KIND_DIVERGENCE));
    vec_clear(&finding->ranks);
    vec_push(&finding->ranks, rank);
    free(finding->message);
    finding->message = message_of_finding(finding, NULL);
}

/* ---- what a check found ---- */

static void add_defect_rank(struct finding *finding, rank_t r)
{
    for (size_t i = 0; i < finding->ranks.n; i++)
        if (finding->ranks.at[i] == r)
            return;
    vec_push(&finding->ranks, r);
}

static void put_defect(const struct finding *finding, const struct defect *defect, FILE *out)
{
    fprintf(out, "tourney: %s  [%s]\n", defect->sentence, defect->kind);
    for (size_t i = 0; i < finding->places.n; i++)
        put_site_line(out, &finding->places.at[i]);
    if (*defect->how)
        fprintf(out, "  %s\n", defect->how);
    fprintf(out, "  to do: %s\n", defect->advice);
    if (strcmp(defect->kind, KIND_MESSAGE_RACE) != 0) /* it takes two runs to see it */
        put_decisions(out, finding);
}

static struct site_touch site_touch_of(const struct defect_op *op)
{
    const struct local_touch *touch = &op->touch;
    return (struct site_touch){.known = true,
                               .stores = touch->stores,
                               .before = op->before,
                               .owner = touch->owner,
                               .slot = touch->slot,
                               .at = touch->piece.at,
                               .bytes = touch->piece.bytes};
}

static struct site site_of_defect_op(const struct final_state *final, struct run_view *view, struct symbols *symbols, const struct defect_op *op)
{
    struct site site = site_of_op(final, symbols, op->rank, op->op, view ? run_view_number(view, op->rank, op->op) : -1);
    if (op->is_touch && view)
        site.touch = site_touch_of(op);
    return site;
}

/* `view` is NULL in a play, where operations have no numbers. */
static struct finding finding_at_sites(const struct final_state *final, struct run_view *view, struct symbols *symbols,
                                       const struct defect *defect)
{
    struct finding finding = {.kind = xstrdup(defect->kind),
                              .severity = xstrdup(defect->severity ? defect->severity : kind_severity(defect->kind)),
                              .critical = -1};
    for (uint32_t i = 0; i < defect->ops; i++) {
        const struct defect_op *op = &defect->op[i];
        add_defect_rank(&finding, op->rank);
        vec_push(&finding.places, site_of_defect_op(final, view, symbols, op));
    }
    return finding;
}

static void write_defect(struct finding *finding, const struct defect *defect)
{
    struct text text;
    text_open(&text);
    put_defect(finding, defect, text.out);
    finding->text = text_close(&text);
    finding->message = message_of_finding(finding, NULL);
}

struct finding diagnosis_of_defect(struct run_view *view, struct symbols *symbols, const struct defect *defect)
{
    struct final_state final = run_view_final_state(view);
    struct finding finding = finding_at_sites(&final, view, symbols, defect);
    finding.run = view->run ? view->run->number : 0;
    finding.runs = view->run ? 1 : 0;
    struct finding_maker maker = {.view = view, .symbols = symbols, .final = final, .finding = &finding};
    add_account(&maker);
    write_defect(&finding, defect);
    return finding;
}

struct finding diagnosis_of_played_defect(const struct final_state *final, struct symbols *symbols,
                                          const struct defect *defect)
{
    struct finding finding = finding_at_sites(final, NULL, symbols, defect);
    write_defect(&finding, defect);
    return finding;
}

static bool is_op_of_trail(struct run_view *view, rank_t r, const struct op *wanted)
{
    const struct trail *trail = &run_view_account(view)->trail[r];
    for (size_t i = 0; i < trail->n; i++) {
        struct history history = run_view_history(view, trail->node[i]);
        const struct op *op = history.ops;
        for (uint32_t k = 0; k < history.count; k++, op = op_next(op))
            if (op == wanted)
                return true;
    }
    return false;
}

/* What is in the first run is most likely in all of them: then the decisions say nothing. */
void diagnosis_add_run(struct run_view *view, struct symbols *symbols, rank_t r, const struct op *complaint,
                       struct finding *finding)
{
    if (!view->run || !is_op_of_trail(view, r, complaint))
        return;
    struct finding_maker maker = {
        .view = view, .symbols = symbols, .final = run_view_final_state(view), .finding = finding};
    struct text text;
    finding->run = view->run->number;
    add_account(&maker);
    text_open(&text);
    fputs(finding->text, text.out);
    if (finding->run > 1)
        put_decisions(text.out, finding);
    free(finding->text);
    finding->text = text_close(&text);
}

/* Alone, by a choice of its own, and with another it would have been well: that rank, if nothing better is known. */
static void blame_chooser(struct finding *finding)
{
    rank_t r = finding->decisions.at[finding->critical].decision.rank;
    bool alone = finding->waits.n == 1 && finding->waits.at[0].rank == r;
    if (!alone || finding->culprits.n)
        return;
    vec_push(&finding->culprits, r);
    finding->blame = xstrdup("which takes a wrong turn there");
}

void diagnosis_complete(const struct run_view *clean, struct symbols *symbols, size_t critical, struct finding *finding)
{
    struct run_view instead = *clean;
    if (critical >= finding->decisions.n)
        return;
    struct finding_maker maker = {
        .view = &instead, .symbols = symbols, .final = run_view_final_state(&instead), .finding = finding};
    finding->critical = (int64_t)critical;
    for (size_t i = 0; i < instead.account->decisions; i++)
        vec_push(&finding->clean, kept_decision_of(&maker, &instead.account->decision[i]));
    blame_chooser(finding);
}

/* ---- the same cause ---- */

static bool is_among_sites(const struct site *site, size_t n, const struct site *wanted)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(site[i].place, wanted->place) == 0 &&
            strcmp(site[i].call ? site[i].call : "", wanted->call ? wanted->call : "") == 0)
            return true;
    return false;
}

static bool covers(const struct site *site, size_t n, const struct site *other, size_t others)
{
    for (size_t i = 0; i < others; i++)
        if (!is_among_sites(site, n, &other[i]))
            return false;
    return true;
}

static bool are_same_sites(const struct site *a, size_t as, const struct site *b, size_t bs)
{
    return covers(a, as, b, bs) && covers(b, bs, a, as);
}

/* If it comes about only where some calls wait that need not, these are at fault, and where the other ranks are by then depends on the run. */
bool diagnosis_is_same(const struct finding *a, const struct finding *b)
{
    if (strcmp(a->kind, b->kind) != 0)
        return false;
    if (a->unbuffered.n && b->unbuffered.n)
        return are_same_sites(a->unbuffered.at, a->unbuffered.n, b->unbuffered.at, b->unbuffered.n);
    if (a->places.n == 0 && b->places.n == 0)
        return strcmp(a->message, b->message) == 0;
    return are_same_sites(a->places.at, a->places.n, b->places.at, b->places.n);
}
